"""Variants: a preset with options changed, said in one sentence; and the points of a sweep.

    variant = Variant.from_preset(book, "strict", "seed", {"overbid": "forbidden"}, baseline={})
    points(book, {"trade_stall": "20..100/40", "overbid": ["allowed", "forbidden"]})   # six sets of options

A range is LOW..HIGH, LOW..HIGH/STEP, or values separated by commas; an element of a list is named by its place from 0:
`start_money[1]=2..6`.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outbid.core.errors import BadOption, BadSetup
from outbid.core.language.i18n import _
from outbid.core.language.phrases import meant
from outbid.core.options import Option
from outbid.core.rulebook import Rulebook, rulebook
from outbid.lab.experiments import rules
from outbid.lab.experiments.titles import AS_GIVEN, OptionTitles

MOST_POINTS = 400
MOST_VALUES = 10_000  # of one option of a search
STEPS = 12  # of a range that names none, at most
ELEMENT = re.compile(r"(\w+)\[(\d+)\]")
RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:/(\d+))?")


@dataclass(frozen=True)
class Variant:
    """One set of rules. options: all that differ from the default, the preset's too. over: the point of a sweep; of: the
    variant that is swept. says: what it changes. rule: a file that changes a function of the game
    (rules.py), or ""."""

    name: str
    preset: str
    options: Mapping[str, Any]
    says: str
    over: Mapping[str, Any] = field(default_factory=dict)
    rule: str = ""
    of: str = ""

    @classmethod
    def from_preset(
        cls, book: Rulebook, name: str, preset: str, given: Mapping[str, Any], says: str = "",
        over: Mapping[str, Any] | None = None, rule: str = "", of: str = "",
    ) -> Variant:
        """A variant of a game, or of the game of a changed rule, from a preset and changes. Raises BadSetup, BadOption."""
        options = changed(book, preset, given)
        parts = [rules.says(book) if rule else "", sentence(book, options) if options or not rule else ""]
        text = says or " ".join(filter(None, parts))
        return cls(name, preset, options, text, over or {}, rule, of)

    @classmethod
    def read(cls, facts: Mapping[str, Any]) -> Variant:
        """A variant from what `as_dict` gave."""
        own = {key: facts[key] for key in ("says", "over", "rule", "of") if facts.get(key)}
        return cls(facts["name"], facts.get("preset") or "seed", facts.get("options", {}), **{"says": "", **own})

    def as_dict(self, learned: bool = False) -> dict[str, Any]:
        """JSON values. learned: whether a net was trained on it."""
        facts = {"name": self.name, "preset": self.preset, "options": dict(self.options), "says": self.says}
        return {**facts, "over": dict(self.over), "of": self.of, "rule": self.rule, "learned": learned}


def book_of(game: str, rule: str = "") -> Rulebook:
    """The game with this id or of this file, with the rule changed that a file changes. Raises BadSetup."""
    base = rulebook(game)
    if not rule:
        return base
    book = rulebook(rule)
    if not book.id.startswith(f"{base.id}+"):
        raise BadSetup(f"{rule} is {book.title}, and does not change {base.title}; its last line must be such as "
                       f'rulebook = changed("{game}", __name__).')  # fmt: skip
    return book


def option_of(book: Rulebook, name: str) -> Option:
    """The option with this name. Raises BadOption with what is close."""
    known = {option.name: option for option in book.options}
    if not known:
        raise BadOption(f"{book.title} has no options.")
    if name not in known:
        raise BadOption(f"{book.title} has no option {name!r}; it has {', '.join(known)}.{meant(name, known)}")
    return known[name]


def changed(book: Rulebook, preset: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that differ from the default, from a preset and changes; `start_money[1]` changes an element of a list."""
    options = book.preset(preset)
    for name, value in given.items():
        element = ELEMENT.fullmatch(name)
        option = option_of(book, element[1] if element else name)
        if element:
            place = int(element[2])
            if not place < option.size:
                raise BadOption(f"{name}: {option.name} is {option.allowed}; its places are 0 to {option.size - 1}.")
            row = list(options.get(option.name, option.default))
            row[place] = value
            options[option.name] = row
        else:
            options[name] = value
    return book.changed(options)


def value_of(book: Rulebook, options: Mapping[str, Any], name: str) -> Any:
    """The value of an option, or of an element of its list, by rules that differ from the default in these options."""
    option = option_of(book, ELEMENT.sub(r"\1", name))
    value, element = options.get(option.name, option.default), ELEMENT.fullmatch(name)
    return value[int(element[2])] if element else value


def sentence(book: Rulebook, options: Mapping[str, Any]) -> str:
    """What options change, in one sentence."""
    if not options:
        return _("The rules as they are.")
    titles = OptionTitles.of([book])
    ordered = {option.name: options[option.name] for option in book.options if option.name in options}
    parts = [
        _("{setting} (else {given})", setting=titles.settings({name: value}),
          given=titles.value(name, value_of(book, {}, name)))
        for name, value in titles.apart(ordered).items()
    ]  # fmt: skip
    return f"{'; '.join(parts)}."


def parsed(book: Rulebook, pairs: Sequence[str]) -> dict[str, Any]:
    """Options from NAME=VALUE on the command line; a value of a list may be one of its elements. Raises BadSetup."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, sign, text = pair.partition("=")
        if not sign and book.options:
            raise BadSetup(f"{pair!r} is not NAME=VALUE, such as {book.options[0].name}={book.options[0].default}.")
        if name.strip() in options:
            raise BadSetup(f"{name.strip()} is given twice; it has one value.")
        options[name.strip()] = _value(book, name.strip(), text.strip())
    return options


def _value(book: Rulebook, name: str, text: str) -> Any:
    element = ELEMENT.fullmatch(name)
    option = option_of(book, element[1] if element else name)
    if element:
        try:
            return int(text)
        except ValueError:
            raise BadOption(f"{name} is {text!r}; it must be a whole number.") from None
    return option.parse(text)


def values(book: Rulebook, name: str, given: Any) -> list[Any]:
    """The values of one option of a sweep. Raises BadSetup, BadOption: an empty range, a value that is not allowed."""
    option = option_of(book, ELEMENT.sub(r"\1", name))
    if isinstance(given, list):
        choices = given
    elif isinstance(given, str) and (limits := RANGE.fullmatch(given.strip())):
        low, high = int(limits[1]), int(limits[2])
        step = int(limits[3]) if limits[3] else max(option.step, -(-(high - low) // STEPS) // option.step * option.step)
        if low > high or step < 1:
            raise BadSetup(f"The range {name}={given} is empty; it must be LOW..HIGH or LOW..HIGH/STEP with LOW below HIGH.")
        if (many := (high - low) // step + 1) > MOST_VALUES:
            raise BadSetup(f"The range {name}={given} has {many} values; {MOST_VALUES} is the most.")
        choices = list(range(low, high + 1, step))
    elif isinstance(given, str) and given.strip():
        choices = [_value(book, name, part.strip()) for part in given.split(",")]
    else:
        choices = []
    if not choices:
        raise BadSetup(f"The range of {name} is empty; it must be such as {_example(option)}.")
    for value in choices:
        changed(book, "seed", {name: value})
    return [value for place, value in enumerate(choices) if value not in choices[:place]]


def example(book: Rulebook, name: str) -> str:
    """An option with values of it, as they are written: this one, or the first."""
    option = next((option for option in book.options if option.name == name.strip()), book.options[0])
    values = _example(option)
    return values if "=" in values else f"{option.name}={values}"


def _example(option: Option) -> str:
    if option.words:
        return ",".join(option.words)
    if isinstance(option.default, bool):
        return "true,false"
    return f"{option.low}..{min(option.high, option.low + 100)}" if not option.size else f"{option.name}[0]=1..4"


def points(book: Rulebook, over: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All combinations of the values of several options. Raises BadSetup."""
    axes = {name: values(book, name, given) for name, given in over.items()}
    number = math.prod(map(len, axes.values()))
    if number > MOST_POINTS:
        raise BadSetup(f"A sweep over {' × '.join(axes)} has {number} points; {MOST_POINTS} is the most.")
    return [dict(zip(axes, point, strict=True)) for point in itertools.product(*axes.values())]


def named(point: Mapping[str, Any]) -> str:
    """What a point of a sweep is called: "trade_stall=20, overbid=forbidden"."""
    return ", ".join(f"{name}={_flat(value)}" for name, value in point.items())


def name_of(rule: str, preset: str, options: Mapping[str, Any]) -> str:
    """What a variant is called that has no name: after its file and options, else after its preset."""
    return ", ".join(filter(None, [Path(rule).stem, named(options)])) or (AS_GIVEN if preset == "seed" else preset)


def _flat(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
