"""Translation (gettext): sentences in the language of who reads them.

Every sentence that people read is written in English where it is said, as one whole message with named placeholders,
and passes through `_` on its way out, that of this module or, in a game, its own:

    _, ngettext = i18n.words(__package__)
    _("The deck has {count} cards.", count=n)
    ngettext("{n} card", "{n} cards", n)

The German for it is in `locale/de.po` of the same package (a game's words are in the game's own folder), or in that of
`outbid` itself. `outbid` keeps no other form of it: the file is read when German is first spoken (a site for browsers, which
has no Babel, brings it compiled). What is a constant of a module is marked with `N_` and passes through `_` when it is said.
`locale("de")` sets the language of the thread or task at hand; nobody else is affected. Who is not told otherwise speaks
English.

Seats in sentences are `People` (phrases.py): the translator says in the placeholder what stands there when the seat is the
one who reads. "{ada:you}" is "you" or "Ada", "{ada:your}" is "your" or "Ada's"; in German "{ada:dir}", "{ada:deinen}".
"""

import gettext
import io
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from operator import index
from pathlib import Path, PurePosixPath
from typing import Any

SOURCE = "en"
LANGUAGES = {"en": "English", "de": "Deutsch"}
SHARED = "outbid"
TABLES = {SOURCE: "ENGLISH", "de": "GERMAN"}  # what a game that is one file calls its translations

_language: ContextVar[str] = ContextVar("language", default=SOURCE)


def language() -> str:
    """The language of the moment: a key of LANGUAGES."""
    return _language.get()


@contextmanager
def locale(name: str) -> Iterator[None]:
    """A block in which `_` translates to `name`; one that is not in LANGUAGES is taken for English."""
    before = _language.set(name if name in LANGUAGES else SOURCE)
    try:
        yield
    finally:
        _language.reset(before)


def everywhere(make: Callable[[], str]) -> dict[str, str]:
    """What `make` says, by language: for what is kept and read later, nobody knows by whom. Empty if it says nothing."""
    texts = {}
    for name in LANGUAGES:
        with locale(name):
            texts[name] = make()
    return texts if texts[SOURCE] else {}


def chosen(texts: Mapping[str, str]) -> str:
    """What was said `everywhere`, in the language of the moment."""
    return texts.get(_language.get()) or texts.get(SOURCE, "")


def gettext_noop(message: str) -> str:
    """The message as it is: it is marked for extraction, and translated where it is said."""
    return message


N_ = gettext_noop  # as gettext's manual calls it


def words(package: str) -> tuple[Callable[..., str], Callable[..., str]]:
    """`_` and `ngettext` for the modules of a package."""

    def foreign() -> bool:
        """Whether messages are not read as they stand."""
        return _language.get() != SOURCE or TABLES[SOURCE] in getattr(sys.modules.get(package), "__dict__", ())

    def say(message: str, /, **values: Any) -> str:
        """The message in the language of the moment, its placeholders filled if values are given."""
        spoken = _language.get()
        text = catalog(package, spoken).gettext(message) if message and foreign() else message  # "" is the header
        return _filled(text, values) if values else text

    def count(one: str, many: str, n: int, /, **values: Any) -> str:
        """The message for this number, which is its placeholder {n}; `n` among the values is how it is written. Raises
        TypeError in every language if `n` is no whole number: gettext would in all but the source language."""
        n, spoken = index(n), _language.get()
        text = catalog(package, spoken).ngettext(one, many, n) if foreign() else (one if n == 1 else many)
        return _filled(text, {"n": n, **values})

    return say, count


_, ngettext = words(SHARED)


def _filled(text: str, values: Mapping[str, Any]) -> str:
    """The message with its values; if one of them is markup, the whole is, and all else in it is escaped."""
    for value in values.values():
        if hasattr(value, "__html__"):
            from markupsafe import escape

            return escape(text).format(**values)
    return text.format(**values)


@cache
def catalog(package: str, spoken: str) -> gettext.NullTranslations:
    """The translations of a package, or the table of a game that is one file, and behind them those of the packages around
    it and those that all share."""
    home = import_module(package)
    table = getattr(home, TABLES.get(spoken, ""), {})
    messages = _read(Path(home.__path__[0]) / "locale", spoken) if hasattr(home, "__path__") else WordTable(table)
    if package != SHARED:
        messages.add_fallback(catalog(package.rpartition(".")[0] or SHARED, spoken))
    return messages


class WordTable(gettext.NullTranslations):
    """Translations that a module has as a dict."""

    def __init__(self, table: Mapping[str, str]):
        super().__init__()
        self.table = table

    def gettext(self, message: str) -> str:
        """The translation of a message, or the next catalog's."""
        return self.table.get(message) or super().gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The translation of the form for this number."""
        return self.table.get(msgid1 if n == 1 else msgid2) or super().ngettext(msgid1, msgid2, n)


def _read(folder: Path, spoken: str) -> gettext.NullTranslations:
    """The translations of a folder, compiled before (outbid.site) or now; none where it has no file."""
    source, ready = folder / f"{spoken}.po", folder / f"{spoken}.mo"
    if not ready.exists() and not source.exists():
        return gettext.NullTranslations()
    return gettext.GNUTranslations(io.BytesIO(ready.read_bytes() if ready.exists() else compiled(source)))


def compiled(source: Path, left_out: Collection[str] = ()) -> bytes:
    """A file of translations in the form that is read without Babel, but for what only these rooms and modules say."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    messages = io.BytesIO()
    with source.open("rb") as file:
        catalog = read_po(file, locale=source.stem)
    for message in list(catalog):
        places = [PurePosixPath(place) for place, _line in message.locations]
        if places and all(any(each.is_relative_to(room) for room in left_out) for each in places):
            catalog.delete(message.id, message.context)
    write_mo(messages, catalog)
    return messages.getvalue()
