"""What options and their values are called in forms and in sentences about them."""

from typing import Any

from outbid.core.language.i18n import _
from outbid.core.options import Option
from outbid.core.rulebook import Rulebook, by_id


class Titles:
    """Options and their values as a form calls them, for sentences about them (core/needs.py)."""

    def __init__(self, book: Rulebook):
        self.book = book
        self.words = book.say

    def option(self, name: str) -> str:
        """Its title."""
        option = next(o for o in self.book.options if o.name == name)
        return _("“{words}”", words=self.words(option.title))

    def value(self, name: str, value: Any) -> str:
        """Its title and its value."""
        return _("“{words}”", words=chosen(self.book.id, name, value))


def value_of(book: Rulebook, option: Option, value: Any) -> str:
    """What a value of an option is called."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return book.say(option.label(value))
    return written(value)


def chosen(game: str, name: str, value: Any) -> str:
    """An option and its value, as people read them."""
    book = by_id(game)
    option = next(o for o in book.options if o.name == name)
    return f"{book.say(option.title)}: {value_of(book, option, value)}"


def written(value: Any) -> str:
    """A value as one writes it in a form."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
