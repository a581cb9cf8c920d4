"""English words where another language is to be spoken: on pages, and in refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from outbid.core.errors import Illegal, Unreadable
from outbid.core.language import i18n
from outbid.core.match import Match
from outbid.core.rulebook import rulebooks

ENGLISH = re.compile(r"\b(and|are|bids?|cards?|for|from|has|is|of|the|to|with|you|your|yours)\b", re.IGNORECASE)


def refusals(match: Match, move: str) -> list[str]:
    """Why a move is refused, in English and in German."""
    said = []
    for language in i18n.LANGUAGES:
        with i18n.locale(language), pytest.raises((Illegal, Unreadable)) as refused:
            match.play(0, move)
        said.append(getattr(refused.value, "reason", str(refused.value)))
    return said


SAID = r'(?:aria-label|title|placeholder|data-(?:words|idle|laid|nothing|copy|within|beyond|news|days))="([^"]*)"'
QUOTED = [
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"<!doctype.*?<body",
        r"<(svg|code|kbd)\b.*?</\1>",
        r'<article[^>]*lang="en">.*?</article>',
        r"<option>[^<]*</option>",
        r'"[\w.]+":|{\w*}',
    )
]


def read(page: str) -> list[str]:
    """What stands on a page for people, without what is quoted: code, keys, links, names of options and their values."""
    page = page.replace("<wbr>", "")
    for quoted in QUOTED:
        page = quoted.sub(" ", page)
    named = re.findall(SAID, page)
    return [" ".join(text.split()) for text in [*re.findall(r">([^<]+)", page), *named] if text.strip()]


def english(said: list[str]) -> Iterator[str]:
    """What of this is not German, apart from the names of games and options, and of games that have no German."""
    names = {book.title for book in rulebooks().values()}
    names |= {book.summary for book in rulebooks().values() if not (book.folder / "locale").exists()}
    names |= {name for book in rulebooks().values() for o in book.options for name in (o.name, o.name.replace("_", " "))}
    for text in said:
        plain = re.sub("|".join(map(re.escape, sorted(names, key=len, reverse=True))), "", text)
        if ENGLISH.search(plain):
            yield text
