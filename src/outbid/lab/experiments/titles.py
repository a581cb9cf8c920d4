"""What options, their values and variants are called, in the language of the moment."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from outbid.core.errors import OutbidError
from outbid.core.hooks.measuring import Places
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.language.phrases import capitalized
from outbid.core.options import Option
from outbid.core.rulebook import Rulebook

AS_GIVEN = i18n.N_("as it is")  # what rules are called in which nothing is changed
FEW = 2  # places of a list that are named one by one
SETTING = re.compile(r"(\w+)(\[\d+\])?=(.*)")


@dataclass(frozen=True)
class OptionTitles:
    """What options and their values are called: "Gold: 20" for coins=20. known: the options by name, each with its game."""

    known: Mapping[str, tuple[Option, Rulebook]]

    @classmethod
    def of(cls, books: Iterable[Rulebook | None]) -> OptionTitles:
        """The titles of games; the first that has an option says what it is."""
        known: dict[str, tuple[Option, Rulebook]] = {}
        for book in filter(None, books):
            for option in book.options:
                known.setdefault(option.name, (option, book))
        return cls(known)

    def option(self, name: str) -> str:
        """The title of an option, or of a place in its list: "Cards of each animal: horses"."""
        head, bracket, place = name.partition("[")
        if head not in self.known:
            return name
        option, book = self.known[head]
        title, places = book.say(option.title), _places(book, head)
        if bracket and places:
            return f"{title}: {places.of(int(place.rstrip(']')))}"
        return f"{title} {bracket}{place}" if bracket else title

    def meaning(self, name: str) -> str:
        if name.partition("[")[0] not in self.known:
            return ""
        option, book = self.known[name.partition("[")[0]]
        return book.say(option.meaning)

    def value(self, name: str, value: Any) -> str:
        """What a value of an option is called."""
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        option, book = self.known.get(name, (None, None))
        if isinstance(value, str) and option and book and value in (*option.words, *option.besides):
            return book.say(option.label(value))
        if isinstance(value, list):
            return ", ".join(map(str, value))
        return "–" if value is None else str(value)

    def settings(self, options: Mapping[str, Any]) -> str:
        """Options with their values: "Gold: 20, Bonus: 8"; none: the rules as they are."""
        if not options:
            return _(AS_GIVEN)
        return ", ".join(self._setting(name, value) for name, value in self.apart(options).items())

    def apart(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Options where the places of a list stand one by one, if they have names and few differ from the default."""
        settings: dict[str, Any] = {}
        for name, value in options.items():
            option, book = self.known.get(name, (None, None))
            places = range(option.size) if option and book and _places(book, name) else ()
            changed = [k for k in places if option and value[k] != option.default[k]]
            settings |= {f"{name}[{k}]": value[k] for k in changed} if 0 < len(changed) <= FEW else {name: value}
        return settings

    def _setting(self, name: str, value: Any) -> str:
        """An option, or a place in its list, with its value: "Gold: 20", "no horses"."""
        head, bracket, place = name.partition("[")
        book = self.known[head][1] if head in self.known else None
        places = _places(book, head) if book and bracket else None
        if places and places.counted:
            things = places.of(int(place.rstrip("]")))
            return _("no {things}", things=things) if not int(value) else f"{capitalized(things)}: {value}"
        return f"{self.option(name)}: {self.value(name, value)}"

    def name(self, name: str) -> str:
        """The name of a variant, in which the options are named that made it: "Gold: 20" for "coins=20"."""
        if name == AS_GIVEN:
            return _(AS_GIVEN)
        parts = []
        for part in name.split(", "):
            lead, colon, last = part.rpartition(": ")  # a variant of a file at a point of a sweep
            setting = SETTING.fullmatch(last)
            if setting and setting[1] in self.known:
                with contextlib.suppress(OutbidError, ValueError, IndexError):  # any other name stays as it is
                    value = setting[3] if setting[2] else self.known[setting[1]][0].parse(setting[3])
                    last = self.settings({f"{setting[1]}{setting[2] or ''}": value})
            parts.append(f"{lead}{colon}{last}")
        return ", ".join(parts)


def _places(book: Rulebook, option: str) -> Places | None:
    """What the places of an option are called that is a list, if the game says so."""
    home = book.submodule("measures") or book.modules[-1]
    places: Places | None = getattr(home, "PLACES", {}).get(option)
    return places
