"""Find the bid: puzzles one by one (review/puzzles.py), with the reason, and a rating.

A puzzle is shown as the one who decides saw it; nothing of what others hold reaches the page before the answer or after it.
Visitor and puzzle are rated against each other as two players are (openskill, PlackettLuce): each puzzle has the rating of
its level, which does not change; the visitor's stands in a cookie of this browser. A puzzle counts the first time only,
which the same cookie remembers for the last ones.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

from starlette.responses import JSONResponse, RedirectResponse, Response

from outbid.core.language import i18n
from outbid.core.language.names import marked
from outbid.core.rulebook import by_id, rulebooks
from outbid.review.puzzles import Puzzle, shipped
from outbid.server.domain import scene
from outbid.server.domain.table import Table
from outbid.server.settings import Refused, Settings
from outbid.server.stored import Seat
from outbid.server.web import pages
from outbid.server.web.nowhere import table_nowhere
from outbid.server.web.pictures import picture
from outbid.server.web.requests import Request

COOKIE = "puzzles"
SPELLED = re.compile(r"(-?\d{1,3}\.\d)_(\d{1,2}\.\d)((?:_[0-9a-f]{10})*)")
LAST = 60  # puzzles that the cookie remembers
BASE, LEVEL = 20.0, 5.0  # the rating of a puzzle of level 1, and how much more each level has
SIGMA = 2.0

_ = i18n.words("outbid")[0]


@dataclass(frozen=True)
class Solver:
    """A visitor: what the cookie says."""

    mu: float = 25.0
    sigma: float = 25.0 / 3
    seen: tuple[str, ...] = ()

    @classmethod
    def of(cls, request: Request) -> Solver:
        """The visitor of this browser."""
        cookie = SPELLED.fullmatch(request.cookies.get(COOKIE, ""))
        if not cookie:
            return cls()
        return cls(float(cookie[1]), float(cookie[2]), tuple(filter(None, cookie[3].split("_"))))

    @property
    def spelled(self) -> str:
        """The cookie that says it."""
        return "_".join([f"{self.mu:.1f}", f"{self.sigma:.1f}", *self.seen[-LAST:]])

    @property
    def points(self) -> int:
        """The rating as it is shown: the visitor begins at 1500."""
        return round(1500 + 40 * (self.mu - 25))

    def after(self, puzzle: Puzzle, solved: bool) -> Solver:
        """The rating after an answer."""
        from openskill.models import PlackettLuce

        model = PlackettLuce()
        you = model.rating(mu=self.mu, sigma=self.sigma)
        it = model.rating(mu=BASE + LEVEL * (puzzle.level - 1), sigma=SIGMA)
        [[after], _it] = model.rate([[you], [it]], ranks=[0, 1] if solved else [1, 0])
        return Solver(after.mu, max(1.0, after.sigma), (*self.seen, puzzle.id))


def table_of(puzzle: Puzzle, settings: Settings) -> Table:
    """The position as a table that nothing else knows."""
    seats = [
        Seat("human", name, None, 0) if n == puzzle.seat else Seat("bot", name, "steady", 0)
        for n, name in enumerate(puzzle.match.names)
    ]
    return table_nowhere(f"puzzle-{puzzle.id}", puzzle.match, seats, settings)


def choices(puzzle: Puzzle) -> list[tuple[int, str]]:
    """The moves in an order that tells nothing, by their numbers, in words."""
    from outbid.bots.seat import Seat as View

    match = puzzle.match
    view, words = View.of(match, puzzle.seat, 1), match.rulebook.words
    told = []
    for n, (move, _worth) in enumerate(puzzle.moves):
        text = i18n.chosen(view.told(words.steps(match.state, puzzle.seat, move)))
        told.append((n, text or words.text(move)))
    return sorted(told, key=lambda choice: hashlib.sha256(f"{puzzle.id}{choice[0]}".encode()).digest())


def games() -> dict[str, list[Puzzle]]:
    """The puzzles of every game that has some."""
    return {name: list(puzzles) for name, book in rulebooks().items() if (puzzles := shipped(book))}


async def overview(request: Request) -> Response:
    """Which puzzles there are, and one's rating."""
    solver, by_game = Solver.of(request), games()
    if request.program:
        return JSONResponse({"puzzles": {name: [puzzle.id for puzzle in puzzles] for name, puzzles in by_game.items()}})
    rows = [
        {"id": name, "title": by_id(name).title, "n": len(puzzles), "picture": picture(by_id(name)),
         "left": sum(puzzle.id not in solver.seen for puzzle in puzzles)}
        for name, puzzles in by_game.items()
    ]  # fmt: skip
    return request.page("puzzles/puzzles.html", rows=rows, solver=solver, drawn=pages.drawn(*by_game))


async def next_one(request: Request, game: str) -> Response:
    """The next puzzle of a game: one that is about as strong as the visitor and not solved yet."""
    puzzles = games().get(game)
    if not puzzles:
        raise Refused(404, _("There are no puzzles of this game here."))
    solver = Solver.of(request)
    fresh = [puzzle for puzzle in puzzles if puzzle.id not in solver.seen]
    if not fresh:
        return RedirectResponse("/puzzles", 303)
    best = min(fresh, key=lambda puzzle: (abs(BASE + LEVEL * (puzzle.level - 1) - solver.mu), puzzle.id))
    return RedirectResponse(f"/puzzles/{game}/{best.id}", 303)


def _one(game: str, name: str) -> Puzzle:
    wanted = next((puzzle for puzzle in games().get(game, ()) if puzzle.id == name), None)
    if wanted is None:
        raise Refused(404, _("There is no such puzzle here."))
    return wanted


async def show(request: Request, game: str, name: str) -> Response:
    """Show a puzzle."""
    puzzle = _one(game, name)
    if request.program:
        return JSONResponse({"seat": puzzle.seat, "choices": [{"choice": n, "text": text} for n, text in choices(puzzle)]})
    return _shown(request, puzzle, Solver.of(request))


async def answer(request: Request, game: str, name: str) -> Response:
    """Whether a choice is the best one, and why."""
    puzzle = _one(game, name)
    choice = (await request.fields("choice")).get("choice", "")
    if not (choice.isascii() and choice.isdigit() and len(choice) < 3 and int(choice) < len(puzzle.moves)):
        raise Refused(400, _("Choose one of the moves."))
    before, chosen = Solver.of(request), int(choice)
    after = before if puzzle.id in before.seen else before.after(puzzle, chosen == 0)
    if request.program:
        response: Response = JSONResponse({"ok": True, "solved": chosen == 0, "rating": after.points})
    else:
        response = _shown(request, puzzle, after, chosen, after.points - before.points)
    return request.remember(response, COOKIE, after.spelled)


def _shown(request: Request, puzzle: Puzzle, solver: Solver, chosen: int | None = None, change: int = 0) -> Response:
    table = table_of(puzzle, request.settings)
    seen = scene.live(table, puzzle.seat, request.base)
    names = [marked(name) for name in table.playing.names]
    why, told = puzzle.why(names), choices(puzzle)
    facts: dict[str, Any] = {
        "puzzle": puzzle, "title": table.book.title, "game": table.book.id, "question": seen.question,
        "names": seen.speak.names,
        "picture": pages.picture(seen), "choices": told, "chosen": chosen, "why": why, "solver": solver,
        "change": change, "faces": scene.faces(table.book), "extras": scene.extras(table.book),
        "gap": round(100 * puzzle.gap), "next_best": dict(told)[1],
    }  # fmt: skip
    return request.page("puzzles/puzzle.html", **facts)


ROUTES = (
    ("/puzzles", "GET", overview),
    ("/puzzles/{game}", "GET", next_one),
    ("/puzzles/{game}/{name}", "GET", show),
    ("/puzzles/{game}/{name}", "POST", answer),
)
