"""A disguise: every name of a game's own becomes a made-up one, so that a reader of its rules does not know it again.

    Name("goose", "geese")            how a game declares its names: `words.lexicon`, a tuple of them
    disguise = Disguise(book, seed)   the same seed gives the same names; none is a word of the rulebook
    disguise.cover(text)              what is told: "The goose is yours." becomes "The velkor is yours."
    disguise.uncover(answer)          what is answered, back in the game's own names; one that was covered is not known there

Capitals stay as they are. Numbers and the verbs of moves stay, too: only names are covered, not what the rules say.
"""

import random
import re
from collections.abc import Iterator

from outbid.core.errors import BadSetup, Illegal, OutbidError
from outbid.core.rulebook import Rulebook, check_seed

ENDINGS = ("", "s", "ed", "ing", "able")
UNKNOWN = "unknown"  # what a name stands for that should not be known
FIRST, VOWELS, MIDDLE, LAST = "bdfgklmprtvz", "aeou", "ldrmkvz", "dfgklmp"
HARD = "jkvz"  # codes of three letters are made of these, so that they are no words
LETTERS = "CDFHJKMNPQSTVZ"


class Disguise:
    """The made-up names of one game for one seed. Raises BadSetup if the game does not declare its names."""

    def __init__(self, book: Rulebook, seed: int):
        lexicon = book.words.lexicon
        if not lexicon:
            raise BadSetup(f"{book.title} cannot be obfuscated: its words declare no lexicon.")
        known = {word.lower() for word in re.findall(r"[A-Za-z]+", book.written)} | set(book.words.EXPECTED)
        spellings = [spelling for name in lexicon for spelling in name.spellings]
        known |= {word.lower() for spelling in spellings for word in re.findall("[A-Za-z]+", spelling)}
        fresh = _fresh(random.Random(f"{book.id} {check_seed(seed)}"), known)
        covers: dict[str, str] = {}
        self._names: dict[str, str] = {}  # the game's own, by the made-up one in small letters
        for name in lexicon:
            code = name.forms[0].isupper()
            base = fresh(len(name.forms[0]) if code else 0)
            for form, ending in zip(name.forms, ENDINGS, strict=False):
                covers[form.lower()] = base + ending
                self._names[(base + ending).lower()] = form
            covers |= {spelling.lower(): base for spelling in name.also}
        self._covers = covers
        self._covered = _pattern(spellings, r"(?:(?P<a>\b[Aa])n(?P<gap>\s+))?")
        self._made = _pattern([*self._names, *covers], "", typed=True)

    def cover(self, text: str) -> str:
        """The text with made-up names."""

        def covered(match: re.Match[str]) -> str:
            article = f"{match['a']}{match['gap']}" if match["a"] else ""
            return article + _like(match["name"], self._covers[match["name"].lower()])

        return self._covered.sub(covered, text)

    def uncover(self, text: str) -> str:
        """The text with the game's own names for the made-up ones; a name of the game's own becomes UNKNOWN."""

        def uncovered(match: re.Match[str]) -> str:
            name = match["name"]
            own = self._names.get(name.lower(), UNKNOWN)
            if own == UNKNOWN or own.isupper():
                return own
            return own.upper() if name.isupper() else own.lower() if name.islower() else own

        return self._made.sub(uncovered, text)

    def covered(self, error: OutbidError) -> OutbidError:
        """An error told in made-up names."""
        if isinstance(error, Illegal):
            return Illegal(self.cover(error.reason), tuple(map(self.cover, error.legal)))
        return type(error)(self.cover(str(error)))


def _pattern(spellings: list[str], before: str, typed: bool = False) -> re.Pattern[str]:
    """Finds the spellings as whole words, also beside digits and underscores. typed: single letters may be small."""
    letters = "".join(spelling for spelling in spellings if len(spelling) == 1)
    longer = sorted((spelling for spelling in spellings if len(spelling) > 1), key=len, reverse=True)
    words = f"(?i:{'|'.join(map(re.escape, longer))})(?![A-Za-z])"
    if not letters:
        return re.compile(f"{before}(?<![A-Za-z])(?P<name>{words})")
    single = f"[{letters.upper()}](?=x\\b|(?![A-Za-z]))"
    if typed:
        single = f"[{letters.upper()}{letters.lower()}](?=x\\b|[0-9])"
    return re.compile(f"{before}(?<![A-Za-z])(?P<name>{words}|{single})")


def _like(model: str, word: str) -> str:
    """The word with the capitals of the model."""
    if model.isupper() and (len(model) > 1 or len(word) == 1):
        return word.upper()
    return word[0].upper() + word[1:] if model[0].isupper() else word.lower()


class _fresh:  # noqa: N801 - used like a function
    """Makes words that are not known; fresh(3) makes a code of three letters, fresh(0) a word."""

    def __init__(self, rng: random.Random, known: set[str]):
        self.rng = rng
        self.known = known

    def __call__(self, code: int) -> str:
        name = next(word for word in self._words(code) if word.lower() not in self.known)
        self.known |= {name.lower() + ending for ending in ENDINGS}
        return name

    def _words(self, code: int) -> Iterator[str]:
        pick = self.rng.choice
        while True:
            if code == 1:
                yield pick(LETTERS)
            elif code == 3:
                yield (pick(HARD) + pick(VOWELS) + pick(HARD)).upper()
            else:
                word = pick(FIRST) + pick(VOWELS) + pick(MIDDLE) + pick(FIRST) + pick(VOWELS) + pick(LAST)
                yield word.upper() if code else word
