"""Write the tables of docs/notes/mechanisms.md, what is told of thirty shipped puzzles a game, and the themes of all that
are shipped, as their reasons are today: `python docs/reasons.py`.

Those that say least stand first: what both moves lead to alone, then by how much the weightiest mechanism matters. What
stands behind the mark is written by this program; a test compares it.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from outbid.core.hooks.mechanisms import telling
from outbid.core.language import i18n
from outbid.core.rulebook import Rulebook, rulebooks
from outbid.review.puzzles import FILE, Puzzle, pack, shipped, themed

PAGE = Path(__file__).parent / "notes" / "mechanisms.md"
MARK = "<!-- written by docs/reasons.py from here on -->\n"
NAMES = "Ada", "Ben", "Cem", "Dan", "Eva", "Fay"
EACH = 30


class Told(NamedTuple):
    """A row of a table. weight: of the mechanism that matters most, 0 if there is none."""

    weight: float
    line: str


def told(book: Rulebook, puzzle: Puzzle) -> Told:
    """What is told of a puzzle: its name, its two best moves as one types them, and the reason in both languages."""
    match = puzzle.match
    better, other = (move for move, _less in puzzle.moves[:2])
    names = NAMES[: match.players]
    beside = bool(puzzle.contrast.said(book, names, puzzle.seat))
    mechanisms = telling(book, match.state, puzzle.seat, puzzle.listed(match), beside)
    weight = max((each.consequence.weight for each in mechanisms), default=0.0)
    reasons = []
    for language in ("en", "de"):
        with i18n.locale(language):
            reasons.append(puzzle.why(names))
    cells = puzzle.id, *(f"`{book.words.text(move)}`" for move in (better, other)), *reasons
    return Told(weight, f"| {' | '.join(cells)} |")


def table(book: Rulebook) -> str:
    """The section of a game."""
    puzzles = shipped(book)
    rows = sorted(told(book, puzzle) for puzzle in puzzles[:: max(1, len(puzzles) // EACH)][:EACH])
    plain = sum(row.weight == 0 for row in rows)
    head = [f"## {book.title}", "", f"{plain} of {len(rows)} tell only what both moves lead to.", ""]
    head += ["| puzzle | better | than | English | German |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *(row.line for row in rows), ""])


def written(page: str) -> str:
    """The page with its tables as they are today."""
    sections = [table(book) for book in rulebooks().values() if shipped(book)]
    return page[: page.index(MARK)] + MARK + "\n" + "\n".join(sections)


if __name__ == "__main__":
    for book in rulebooks().values():
        if puzzles := shipped(book):
            (book.folder / FILE).write_bytes(pack(filter(None, map(themed, puzzles))))
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
