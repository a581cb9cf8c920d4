"""A rulebook as a page: how to play first, with pictures of the game's own cards, then the rules with all rulings.

A game's folder has `HOWTO.md` and `RULES.md` in English, and each with `.de` before the ending in German; what is missing
in a language is shown in English. In HOWTO.md a paragraph `![caption](card:KEY,KEY)` is a row of cards, drawn from the
game's faces; `KEY/SIGN/N` puts N of another face's sign on a card, as footprints, and `KEY+KEY` lays cards on each other,
the last in front. RULES.md is what programs and models read, and has no pictures.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from markupsafe import Markup, escape

from outbid.core.language import i18n
from outbid.core.language.written import HOWTO, RULES, file_of, written
from outbid.core.rulebook import Rulebook, by_id

__all__ = ["file_of", "pages_of"]

SECTIONS = re.compile(r"(?=<h2>)")
FEW = 5  # sections of a text that are not folded
PICTURES = re.compile(r'<p>\s*<img src="card:([^"]*)" alt="([^"]*)"\s*/?>\s*</p>')


def pages_of(book: Rulebook) -> list[tuple[Markup, str]]:
    """How to play and the rules as HTML, each with its language, as far as they are there."""
    return [page for name in (HOWTO, RULES) if (page := _page(book.id, name, i18n.language()))[0]]


@cache
def _page(game: str, name: str, spoken: str) -> tuple[Markup, str]:
    """A text as HTML; raw HTML in it is shown as text, and a table that is too wide is scrolled by itself."""
    from markdown_it import MarkdownIt

    from outbid.server.domain.scene import faces

    book = by_id(game)
    text, language = written(book, name)
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    html = html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    if name == HOWTO:
        drawn = faces(book)
        html = PICTURES.sub(lambda match: _row(drawn, match[1], match[2]), html)
    return Markup(_folded(html)), language


def _folded(html: str) -> str:
    """A text of several sections, each folded, so that their headings are its contents (rules.js)."""
    before, *sections = SECTIONS.split(html)
    if len(sections) < FEW:
        return html
    parts = (section.partition("</h2>") for section in sections)
    return before + "".join(
        f'<details class="part"><summary>{heading}</h2></summary><div class="stack" id="section-{n}">{text}</div></details>'
        for n, (heading, _end, text) in enumerate(parts, 1)
    )


def _row(drawn: Mapping[str, Any], keys: str, caption: str) -> str:
    """A row of cards with its caption."""
    cards = "".join(_lying(drawn, pile.split("+")) for pile in keys.split(","))
    return f'<figure class="shown"><div class="row">{cards}</div><figcaption>{escape(Markup(caption))}</figcaption></figure>'


def _lying(drawn: Mapping[str, Any], keys: list[str]) -> str:
    """A card, or several on each other."""
    cards = "".join(str(_drawing(drawn, *key.split("/"))) for key in keys)
    return cards if len(keys) == 1 else f'<span class="lying">{cards}</span>'


def _drawing(drawn: Mapping[str, Any], key: str, sign: str = "", n: str = "0") -> Any:
    """A card of the game. Raises KeyError."""
    from outbid.server.web import cards as art

    face = drawn[key]
    if sign:
        return art.card(face, mark=drawn[sign], marks=int(n), label="")
    if face.kind == "note":
        return art.note(face, label="")
    return (art.bill if face.kind in ("bill", "coin") else art.card)(face, label="")
