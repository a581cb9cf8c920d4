"""The colours of a game's cards in the terminal, and what their codes mean: both follow from its faces.

A code is what moves and tables call a card or its suit by: "R4", "USD", "goose". A game whose faces (core/hooks/faces.py)
are not installed here has no colours.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from outbid.core.errors import OutbidError
from outbid.core.hooks.faces import Face
from outbid.core.language import i18n
from outbid.core.rulebook import by_id

SUIT = re.compile(r"[A-Z]{3}")  # a code that stands before a value: "USD 20", "USD20#3"
FIGURE = re.compile(r"-?[\d/]+")  # a code that is a number has a colour only in a list of cards
LISTING = re.compile(r"(?<=: )[-\w/#=]+(?:,? [-\w/#=]+)*(?=\.(?: |$)|\.? *(?:$|[()]))", re.MULTILINE)


class Sign(NamedTuple):
    """A code, what it means, and what it is worth; either may go without saying."""

    code: str
    name: str
    worth: str

    @property
    def occurs(self) -> re.Pattern[str]:
        """Where it is meant in a text, by its code or its name."""
        return re.compile(rf"(?<![\w#])(?:{re.escape(self.code)}(?=\d|x?(?!\w))|{re.escape(self.name or self.code)}\b)")


class Suits:
    """The colours and codes of a game, named in the language of the moment."""

    def __init__(self, signs: Sequence[Sign], words: dict[str, str]):
        self.signs = tuple(signs)
        self._hues = words
        plain = sorted((word for word in words if not FIGURE.fullmatch(word)), key=len, reverse=True)
        pattern = "|".join(re.escape(word) + (r"(?: ?\d+)?" if SUIT.fullmatch(word) else "s?") for word in plain)
        self._words = re.compile(rf"(?<![\w#])({pattern})(?:#\d+)?(?!\w)", re.IGNORECASE) if plain else None

    def spans(self, text: str) -> Iterator[tuple[int, int, str]]:
        """The parts of a text that have a colour: start, end, colour."""
        for match in self._words.finditer(text) if self._words else ():
            word = match[1].casefold()
            hue = self._hues.get(word) or self._hues.get(word.removesuffix("s")) or self._hues.get(word[:3].upper())
            if hue:
                yield *match.span(), hue
        for listing in LISTING.finditer(text):
            cards = [*re.finditer(r"[^ ,]+", listing[0])]
            codes = [card[0].partition("=")[0] for card in cards]
            if all(code in self._hues for code in codes):
                for card, code in zip(cards, codes, strict=True):
                    if FIGURE.fullmatch(code):
                        yield listing.start() + card.start(), listing.start() + card.end(), self._hues[code]

    def key(self, text: str) -> str:
        """What the codes in a text mean: "R = Red, B = Blue"; nothing if there are none."""
        known = [sign for sign in self.signs if sign.occurs.search(text)]
        return ", ".join(f"{sign.code} = {' '.join(filter(None, (sign.name, sign.worth)))}" for sign in known)


def suits_of(game: str) -> Suits:
    """The colours and codes of a game; none if it is not installed here."""
    return _suits_of(game, i18n.language())


@lru_cache
def _suits_of(game: str, spoken: str) -> Suits:
    try:
        book = by_id(game)
    except OutbidError:
        return Suits((), {})
    module = book.submodule("faces")
    faces: Sequence[Face] = module.FACES if module else ()
    say = book.say
    signs: dict[str, Sign] = {}
    words: dict[str, str] = {}
    with i18n.locale(spoken):
        shared = Counter((face.letter, face.name) for face in faces)
        for face in faces:
            if face.kind == "rank" and shared[face.letter, face.name] == 1:
                continue  # a sign on cards
            code, name = face.key.removeprefix(f"{game}-"), say(face.name)
            suit = face.letter if code.startswith(face.letter) else code
            worth = face.figure if face.kind == "card" and face.figure.isdecimal() and suit == code else ""
            meaning = "" if name.casefold() == suit else name
            if (meaning or worth) and not FIGURE.fullmatch(suit):
                signs.setdefault(suit, Sign(suit, meaning, worth))
            words[code if FIGURE.fullmatch(code) else code.casefold()] = face.hue
            if SUIT.fullmatch(suit) or SUIT.fullmatch(code):
                words[code[:3]] = face.hue
            if face.kind in ("card", "rank"):
                words[name.casefold()] = face.hue
    return Suits([*signs.values()], words)
