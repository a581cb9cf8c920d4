"""The texts of a game's folder, in the language of the moment: how to play (HOWTO.md), and the rules (RULES.md)."""

import re
from pathlib import Path

from outbid.core.language import i18n, passages
from outbid.core.rulebook import Rulebook

HOWTO, RULES = "HOWTO", "RULES"


def file_of(book: Rulebook, name: str, spoken: str) -> Path | None:
    """The file of a text in a language; none if there is none."""
    path = book.folder / (f"{name}.md" if spoken == i18n.SOURCE else f"{name}.{spoken}.md")
    return path if path.exists() else None


def written(book: Rulebook, name: str) -> tuple[str, str]:
    """A text in the language of the moment, or in English, and which language that is; "" if there is none."""
    for spoken in (i18n.language(), i18n.SOURCE):
        path = file_of(book, name, spoken)
        if path:
            return passages.unmarked(passages.read(path, book.options)), spoken
    return (book.written if name == RULES else ""), i18n.SOURCE


def printed(book: Rulebook) -> str:
    """How to play and the rules for a terminal: of a picture its caption is left."""
    howto = re.sub(r"^!\[([^]]*)\]\(card:[^)]*\)$", r"*\1*", written(book, HOWTO)[0], flags=re.M)
    return "\n\n".join(text.strip("\n") for text in (howto, written(book, RULES)[0]) if text) + "\n"
