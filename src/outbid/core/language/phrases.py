"""Words that every game's sentences are made with: who is spoken to, and lists."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from typing import Any

from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.language.names import POP

POSSESSIVES = ("your", "dein", "euer", "eure")


class People:
    """Seats in a sentence. In a placeholder, what follows the colon is said of the seat that reads: "{who:you}".

    If that is a possessive, names become one, too: "{who:your}" is "your" or "Ada's". Several are listed: "you and Ben".
    """

    def __init__(self, names: Sequence[str], seats: Sequence[int], audience: int):
        self.names = names
        self.seats = seats
        self.audience = audience

    def __format__(self, you: str) -> str:
        you = you or _("You")
        owns = you.casefold().startswith(POSSESSIVES)
        return listed([you if seat == self.audience else self._name(seat, owns) for seat in self.seats])

    def __str__(self) -> str:
        return format(self)

    def _name(self, seat: int, owns: bool) -> str:
        name = self.names[seat]
        return owned(name) if owns else name


def owned(name: str) -> str:
    """The possessive of a name: "Ada's", in German "Adas" or "Hans’"."""
    if i18n.language() == "de":
        return f"{name}’" if name.rstrip(POP).endswith(("s", "ß", "x", "z")) else f"{name}s"
    return f"{name}'s"


class Speaker:
    """Sentences for one audience (a seat, or −1).

    `speak(seat, _("You bid {amount}."), _("{who} bids {amount}."), amount=40)` says one of the two, with `who` the seat.
    """

    def __init__(self, names: Sequence[str], audience: int):
        self.names = names
        self.audience = audience

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Speaker) and (other.names, other.audience) == (self.names, self.audience)

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, seat: int, own: str, other: str, **values: Any) -> str:
        """The sentence for the person it is about, or the one about `who`."""
        return (own if self.about(seat) else other).format(who=self.people(seat), **values)

    def about(self, seat: int) -> bool:
        """Whether it is the audience."""
        return seat == self.audience

    def people(self, *seats: int) -> People:
        """Seats, for a placeholder."""
        return People(self.names, seats, self.audience)


def teller(say: Callable[..., str], pairs: Mapping[str, tuple[str, str]]) -> Callable[..., str]:
    """Sentences of a game by what happened: one for the person it is about, one for all others, marked for translation.

    `line(speak, seat, "bid", amount=40)` says one of the two, with `who` the seat."""

    def line(speak: Speaker, seat: int, key: str, **values: Any) -> str:
        own, other = pairs[key]
        return speak(seat, say(own), say(other), **values)

    return line


_of_a_file: ContextVar[bool] = ContextVar("of_a_file", default=False)


@contextmanager
def of_a_file() -> Iterator[None]:
    """Within it, why a move is refused is said of its seat, and not to the player: the moves are those of a record."""
    before = _of_a_file.set(True)
    try:
        yield
    finally:
        _of_a_file.reset(before)


class Mover:
    """The seat whose move is refused, in a placeholder with both forms: "{who:You own|Seat {who} owns}". What stands before
    the bar is said to the player, what stands behind it of a file; "{who}" is the number of the seat. other: it is another
    seat, which is always spoken of."""

    def __init__(self, seat: int, other: bool = False):
        self.seat, self.other = seat, other

    def __format__(self, forms: str) -> str:
        you, bar, of_it = forms.partition("|")
        return (of_it if self.other or _of_a_file.get() else you) if bar else str(self.seat)


def decimal(number: str) -> str:
    """A number with a decimal point as one writes it in the language of the moment: "3.5", in German "3,5"."""
    return number.replace(".", ",") if i18n.language() == "de" else number


def signed(number: float) -> str:
    """A change with one decimal, as one writes it in the language of the moment: "+3.5", "−0.2"; "0.0" if it rounds to
    nothing."""
    text = f"{number:+z.1f}".replace("-", "−")
    return decimal("0.0" if text == "+0.0" else text)


def grouped(number: int) -> str:
    """Points, in groups of three digits as one writes them in the language of the moment: "9,250", in German "9.250"."""
    return f"{number:,}".replace(",", ".") if i18n.language() == "de" else f"{number:,}"


def plural(n: int, one: str, many: str = "") -> str:
    """ "1 card", "2 cards", "1,000 matches": for what is said in English alone, as of files and measurements."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def countdown(seconds: float) -> str:
    """A time that is left: 4:07, 11:00:00, from a day on "2 d 23 h", in German "2 T 23 Std."; nothing is left at 0:00."""
    minutes, rest = divmod(max(0, math.ceil(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 24:
        return _("{days} d {hours} h", days=hours // 24, hours=hours % 24)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def capitalized(words: str) -> str:
    """As the beginning of a sentence."""
    return words[:1].upper() + words[1:]


def listed(words: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c", or with "or"; empty for nothing."""
    between = _("or") if last == "or" else _("and")
    return f"{', '.join(words[:-1])} {between} {words[-1]}" if len(words) > 1 else "".join(words)


def meant(text: object, known: Iterable[str]) -> str:
    """What a misspelt word may have meant, as a sentence behind another one: " Did you mean 'steady'?"; or nothing."""
    words = {word.casefold(): word for word in known}
    near = get_close_matches(text.casefold(), words, 1, 0.7) if isinstance(text, str) else []
    return " " + _("Did you mean {word}?", word=repr(words[near[0]])) if near else ""
