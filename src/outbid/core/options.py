"""Options: what a rule set may change, declared once for the state, the reader of records, the rulebook and the help.

An option is a field of the state; its JSON value (a word, a truth value, a number, a list of numbers) is stored as the
integer `encode` gives. RECORD.md fixes names, values and defaults of those that a match record may name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from outbid.core.errors import BadOption, BadRulebook
from outbid.core.language.i18n import _
from outbid.core.needs import Need

MOST = 2**31 - 1  # the largest number a state can hold is no limit: what is larger counts as this


@dataclass(frozen=True)
class Option:
    """One option of a game.

    title: what a form calls it, a message of the game's catalog, as meaning is.
    words: allowed words, the first is code 0 (empty for numbers). low, high, step: range of a number, inclusive.
    size: length of a list (0: a single value). among: the only numbers allowed; the code is the place.
    besides: words allowed beside the numbers low … high; their codes follow on from high.
    labels: what a form calls each of these words, messages of the game's catalog.
    view: it changes what seats are shown, never what is legal.
    tunable: a number of the rules that only a designer turns, not a house rule that people know.
    needs: without what it does nothing (needs.py); none: it always does something."""

    name: str
    title: str
    default: Any
    meaning: str
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    step: int = 1
    size: int = 0
    among: tuple[int, ...] = ()
    besides: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    view: bool = False
    tunable: bool = False
    needs: tuple[Need, ...] = ()

    @property
    def allowed(self) -> str:
        """What may be written, in words."""
        if isinstance(self.default, bool):
            return _("true or false")
        between = " " + _("or") + " "
        if self.words:
            return between.join(f'"{word}"' for word in self.words)
        one = _("one of {numbers}", numbers=", ".join(map(str, self.among))) if self.among else self._range
        if self.size:
            return _("a list of {n} numbers, each {one}", n=self.size, one=one)
        return between.join([one, *(f'"{word}"' for word in self.besides)])

    @property
    def _range(self) -> str:
        if self.low == self.high:
            return str(self.low)
        if self.high == MOST:
            return _("a whole number from {low} up", low=self.low)
        if self.low == -MOST:
            return _("a whole number, at most {high}", high=self.high)
        if self.step > 1:
            return _("a whole number from {low} to {high} in steps of {step}", low=self.low, high=self.high, step=self.step)
        return _("a whole number from {low} to {high}", low=self.low, high=self.high)

    def label(self, word: str) -> str:
        """What a form calls one of its words, a message of the game's catalog."""
        return self.labels[(*self.words, *self.besides).index(word)]

    @property
    def top(self) -> int:
        """The largest code, for choosing the storage."""
        places = self.words or self.among
        return len(places) - 1 if places else 1 if isinstance(self.default, bool) else self.high + len(self.besides)

    def encode(self, value: Any) -> Any:
        """The code of a JSON value. Raises BadOption naming option, value and what is allowed."""
        if self.size:
            if isinstance(value, (list, tuple)) and len(value) == self.size and all(self._fits(v) for v in value):
                return [self.among.index(v) if self.among else int(v) for v in value]
        elif isinstance(self.default, bool):
            if isinstance(value, bool):
                return int(value)
        elif self.words:
            if isinstance(value, str) and value in self.words:
                return self.words.index(value)
        elif isinstance(value, str) and value in self.besides:
            return self.high + 1 + self.besides.index(value)
        elif self._fits(value):
            return max(-MOST, min(int(value), MOST))
        facts = {"name": self.name, "value": repr(value), "allowed": self.allowed}
        raise BadOption(_("Option {name} is {value}; it must be {allowed}.", **facts))

    def decode(self, code: Any) -> Any:
        """The JSON value of a code."""
        if self.size:
            return [self.among[c] if self.among else int(c) for c in code]
        if isinstance(self.default, bool):
            return bool(code)
        if self.besides and code > self.high:
            return self.besides[code - self.high - 1]
        return self.words[code] if self.words else int(code)

    def parse(self, text: str) -> Any:
        """The JSON value a person wrote on the command line or in a form."""
        if isinstance(self.default, bool) and text.lower() in ("true", "false", "yes", "no", "on", "off", "1", "0"):
            return text.lower() in ("true", "yes", "on", "1")
        try:
            if self.size:
                return [int(part) for part in text.strip("[]").split(",")]
            return text if self.words else int(text)
        except ValueError:
            return text

    def _fits(self, value: object) -> bool:
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        if self.among:
            return value in self.among
        high_enough = self.low == -MOST or value >= self.low
        low_enough = self.high == MOST or value <= self.high
        return high_enough and low_enough and (value - self.low) % self.step == 0


Needs = tuple[Need, ...]


def choice(name: str, title: str, words: Mapping[str, str], meaning: str, view: bool = False, needs: Needs = ()) -> Option:
    """An option whose value is one of `words`, which a form calls as they say; the first is the default.

    The field of the state has its place, from 0 on."""
    if not isinstance(words, Mapping) or not words:
        raise BadRulebook(f"{name}: words is a dict of each word and what a form calls it, such as {{'next': 'Next'}}.")
    labels = tuple(words.values())
    return Option(name, title, next(iter(words)), meaning, words=tuple(words), labels=labels, view=view, needs=needs)


def flag(
    name: str, title: str, default: bool, meaning: str, tunable: bool = False, view: bool = False, needs: Needs = ()
) -> Option:
    """An option that is true or false."""
    return Option(name, title, default, meaning, tunable=tunable, view=view, needs=needs)


def number(
    name: str, title: str, default: int, low: int, high: int, meaning: str, step: int = 1, tunable: bool = False,
    needs: Needs = (),
) -> Option:
    """An option that is a whole number."""
    return Option(name, title, default, meaning, low=low, high=high, step=step, tunable=tunable, needs=needs)


def number_or(
    name: str,
    title: str,
    default: int | str,
    low: int,
    high: int,
    words: Mapping[str, str],
    meaning: str,
    tunable: bool = False,
    needs: Needs = (),
) -> Option:
    """An option that is a whole number from `low` to `high`, or one of `words` (code: high + 1 and on)."""
    labels = tuple(words.values())
    return Option(
        name, title, default, meaning, low=low, high=high, besides=tuple(words), labels=labels, tunable=tunable, needs=needs
    )


def numbers(
    name: str, title: str, default: tuple[int, ...], low: int, high: int, meaning: str, needs: Needs = ()
) -> Option:
    """A tunable parameter that is a list of whole numbers."""
    return Option(name, title, list(default), meaning, low=low, high=high, size=len(default), tunable=True, needs=needs)


def members(
    name: str, title: str, default: tuple[int, ...], among: tuple[int, ...], meaning: str, needs: Needs = ()
) -> Option:
    """A tunable parameter that is a list of numbers out of `among`; a state holds their places in it."""
    return Option(name, title, list(default), meaning, size=len(default), among=among, tunable=True, needs=needs)
