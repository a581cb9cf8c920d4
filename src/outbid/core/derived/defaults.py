"""What is said for a game whose words leave something out (contract.Words)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from outbid.core import contract
from outbid.core.declaration import Declaration
from outbid.core.derived import validation, visibility
from outbid.core.derived.showing import move_said, shown, worth_saying
from outbid.core.errors import BadSetup
from outbid.core.fields import RANGES, Field
from outbid.core.hooks.lexicon import Name
from outbid.core.language.i18n import _, ngettext
from outbid.core.language.phrases import listed

Question = Callable[[Any, int, Sequence[str]], str]
ATTRIBUTES = ("EXPECTED", "lexicon")
MOVES = ("steps", "move", "text", "parse", "menu")  # what comes from the declaration of the moves


class Defaults:
    """The words of a game that declares none, but for those that deal with moves."""

    EXPECTED: Mapping[str, Any] = {}
    lexicon: Sequence[Name] = ()

    def __init__(self, book: Declaration):
        self._book = book

    def canonical(self, move: Mapping[str, Any]) -> dict[str, Any]:
        """All keys of a move."""
        return dict(move)

    def masked(self, before: Any, seat: int, move: dict[str, Any], audience: int) -> dict[str, Any]:
        """The whole move where the audience knows it; else its kind."""
        if seat in (audience, contract.CLOCK) or not self._book.secrets:
            return move
        actions = self._book.words.steps(before, seat, move)
        return move if contract.is_public(before, seat, actions[0]) else {"do": move["do"]}

    def told(
        self, before: Any, seat: int, move: dict[str, Any], after: Any, audience: int, names: Sequence[str]
    ) -> list[str]:
        """Who moved, and the move."""
        who = _("You") if seat == audience else _("The clock") if seat == contract.CLOCK else names[seat]
        return [_("{who}: “{move}”.", who=who, move=move_said(self._book, move, names))]

    def question(self, s: Any, seat: int, names: Sequence[str]) -> str:
        """Say who is asked, in one sentence."""
        mask = contract.asked(s)
        if not mask:
            return _("The match is over.")
        if seat >= 0 and mask >> seat & 1:
            return _("It is your turn.")
        asked = [names[other] for other in range(len(names)) if mask >> other & 1] or [_("The clock")]
        return ngettext("{names} is asked.", "{names} are asked.", len(asked), names=listed(asked))

    def reason(self, note: Sequence[int], names: Sequence[str], private: bool) -> str:
        """No reason: the sentence of a game that gives none."""
        return ""

    def board(self, s: Any, seat: int, names: Sequence[str]) -> str:
        """The fields that people are shown: a line for each of the table, and one for each seat."""
        fields = worth_saying(self._book, shown(self._book, self._book.words.view(s, seat), names, s, seat))
        lines = [f"{field.label}: {field.words}" for field in fields if field.seat is None]
        for n, name in enumerate(names):
            lines.append(f"{name}: {', '.join(f'{field.label} {field.words}' for field in fields if field.seat == n)}")
        return "\n".join(lines)

    def view(self, s: Any, seat: int) -> dict[str, Any]:
        """All fields that the seat sees."""
        return visibility.view(self._book, s, seat)

    def deal_of(self, s: Any) -> dict[str, Any]:
        """The fields of a fresh match that are not zero."""
        names, fresh = [field.name for field in self._dealt], type(s)()
        return {name: getattr(s, name) for name in names if getattr(s, name) != getattr(fresh, name)}

    def load(self, s: Any, players: int, deal: Any) -> None:
        """Set these fields. Raises BadSetup."""
        known = {field.name: field for field in self._dealt}
        if not isinstance(deal, dict) or not set(deal) <= set(known):
            raise BadSetup(f"A deal of {self._book.title} is an object with fields of its state: {', '.join(known)}.")
        if "players" in known and deal.get("players") != players:
            raise BadSetup(f"The deal is for {deal.get('players')!r} players, and there are {players}.")
        for name, value in deal.items():
            if not _fits(known[name], value):
                raise BadSetup(f"The field {name} of the deal does not fit: {known[name]}.")
            setattr(s, name, [row[:] if isinstance(row, list) else row for row in value] if known[name].shape else value)

    def complete(self, s: Any, move: dict[str, Any]) -> dict[str, Any]:
        """The move as it is."""
        return move

    def refusal(self, s: Any, players: int) -> str:
        """No refusal: a game that leaves it to `legal`."""
        return ""

    def deals(self, s: Any, players: int) -> Iterable[tuple[dict[str, Any], Fraction]]:
        """None are listed. Raises BadSetup."""
        raise BadSetup(f"{self._book.title} does not list its deals; its words have no function deals.")

    @property
    def _dealt(self) -> tuple[Field, ...]:
        return self._book.layout.facts


class Spoken:
    """The words of a game that leaves some of them out: its module, and what stands in for the rest."""

    def __init__(self, module: Any, others: Mapping[str, Any]):
        self._module = module
        vars(self).update({**vars(module), **others})  # found at once: a move asks for several

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def spoken(book: Declaration, module: Any) -> contract.Words:
    """The words of a game, complete. Raises BadRulebook."""
    defaults, moves = Defaults(book), book.moves
    validation.check_words(book, module, [name for name in MOVES if not hasattr(moves, name)])
    names = (*ATTRIBUTES, *validation.SPOKEN)
    lacking = [name for name in names if not hasattr(module, name)]
    others = {name: getattr(moves if moves and hasattr(moves, name) else defaults, name) for name in lacking}
    others["__package__"] = module.__package__ or module.__name__  # a game that is one file has translations of its own
    if hasattr(module, "question"):
        others["question"] = _while_asked(module.question, defaults.question)
    return cast("contract.Words", Spoken(module, others))


def _while_asked(question: Question, at_the_end: Question) -> Question:
    """The game's own question, as long as there is one."""
    return lambda s, seat, names: (question if contract.asked(s) else at_the_end)(s, seat, names)


def _fits(field: Field, value: object) -> bool:
    """Whether a JSON value has the shape of a field, and numbers that it holds."""

    def fits(number: object, shape: tuple[int, ...]) -> bool:
        if shape:
            return isinstance(number, list) and len(number) == shape[0] and all(fits(row, shape[1:]) for row in number)
        low, high = (field.low, field.top) if field.top else RANGES[field.type]
        return type(number) is int and low <= number <= high

    return fits(value, field.shape)
