"""Find the bid: puzzles one by one (review/puzzles.py), at the table itself, with the reason, and a rating for each game.

A puzzle is the page of any table (scene.py, pages.py) as the one who decides sees it, at a table that lies in no database
and that no bot moves, with the panel of puzzle.html before it; its forms send the move here. Nothing of what others hold
reaches the page before the answer or after it. Any legal move may be made: what nobody has measured is judged then, if it
can be, and else is neither right nor wrong. The panel offers the listed moves, too.

The rating is Elo's: each puzzle has the rating of its level, which does not change; the visitor's stands in a cookie of this
browser, one a game, with the last answers. A puzzle counts the first time only. A run is against the clock: the moves of RUN
seconds, MISS fewer for each that was not right; it stands in a cookie, too, and changes no rating.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from outbid.bots.decision import Lost
from outbid.bots.executor import Unready
from outbid.bots.hints import ADVISER
from outbid.bots.seat import Seat as View
from outbid.core.hooks.mechanisms import reason, theme
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.language.names import marked
from outbid.core.rulebook import Rulebook, by_id, rulebooks
from outbid.review.puzzles import Puzzle, shipped
from outbid.server.domain import commands, scene
from outbid.server.domain.advice.reviews import going_on
from outbid.server.domain.table import Table
from outbid.server.settings import Refused, Settings
from outbid.server.stored import Seat
from outbid.server.web import pages
from outbid.server.web.nowhere import table_nowhere
from outbid.server.web.pictures import picture
from outbid.server.web.requests import Request, seat_link

COOKIE, RUNNING = "puzzles-{game}", "puzzle-run"
SPELLED = re.compile(r"(\d{1,4})((?:_[0-9a-f]{10}[01])*)")
RUN_SPELLED = re.compile(r"([a-z]{1,20})_(\d{1,11})_(\d{1,3})_(\d{1,3})_(\d{1,3})")
LAST = 80  # answers that the cookie remembers
BEGINS, LEVEL = 1500, 200  # the first rating, and what lies between two levels
SPREAD, STEPS = 400.0, (40, 12)  # Elo's; how much an answer moves, the first and all after some
RUN, MISS = 180, 10  # seconds


@dataclass(frozen=True)
class Solver:
    """A visitor in one game: what the cookie says. answers: the last ones, ids of puzzles and whether each was solved."""

    points: int = BEGINS
    answers: tuple[tuple[str, bool], ...] = ()

    @classmethod
    def of(cls, request: Request, game: str) -> Solver:
        """The visitor of this browser."""
        cookie = SPELLED.fullmatch(request.cookies.get(COOKIE.format(game=game), ""))
        if not cookie:
            return cls()
        return cls(int(cookie[1]), tuple((each[:-1], each[-1] == "1") for each in cookie[2].split("_")[1:]))

    @property
    def spelled(self) -> str:
        """The cookie that says it."""
        return "_".join([str(self.points), *(f"{name}{solved:d}" for name, solved in self.answers[-LAST:])])

    def knows(self, puzzle: Puzzle) -> bool:
        """Whether the visitor has answered a puzzle."""
        return any(name == puzzle.id for name, _solved in self.answers)

    def after(self, puzzle: Puzzle, solved: bool) -> Solver:
        """The rating after an answer."""
        likely = 1 / (1 + 10 ** ((rating(puzzle) - self.points) / SPREAD))
        most, least = STEPS
        points = round(self.points + max(least, most - len(self.answers)) * (solved - likely))
        return Solver(max(0, points), (*self.answers, (puzzle.id, solved)))


def rating(puzzle: Puzzle) -> int:
    """The rating of a puzzle: that of its level."""
    return BEGINS + LEVEL * (puzzle.level - 2)


@dataclass(frozen=True)
class ClockRun:
    """A run against the clock: the game, when it began, how many puzzles were solved and missed, and most that ever were."""

    game: str
    begun: int
    solved: int = 0
    missed: int = 0
    best: int = 0

    @classmethod
    def of(cls, request: Request) -> ClockRun | None:
        """The run of this browser, if it ever began one."""
        cookie = RUN_SPELLED.fullmatch(request.cookies.get(RUNNING, ""))
        return cls(cookie[1], *(int(number) for number in cookie.groups()[1:])) if cookie else None

    @property
    def left(self) -> int:
        """Seconds that are left."""
        return max(0, round(self.begun + RUN - MISS * self.missed - time.time()))

    @property
    def spelled(self) -> str:
        """The cookie that says it."""
        return f"{self.game}_{self.begun}_{self.solved}_{self.missed}_{self.best}"

    def after(self, solved: bool) -> ClockRun:
        """The run after an answer."""
        done = replace(self, solved=self.solved + solved, missed=self.missed + (not solved))
        return replace(done, best=max(done.best, done.solved))

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that is next, the easy ones first."""
        puzzles = games()[self.game]
        order = sorted(puzzles, key=lambda puzzle: (puzzle.level, _mixed(f"{self.begun}{puzzle.id}")))
        return order[(self.solved + self.missed) % len(order)]


def _mixed(text: str) -> bytes:
    """What puts things in an order that tells nothing."""
    return hashlib.sha256(text.encode()).digest()


def table_of(puzzle: Puzzle, settings: Settings) -> Table:
    """The position as a table that nothing else knows."""
    seats = [
        Seat("human", name, None, 0) if n == puzzle.seat else Seat("bot", name, "steady", 0)
        for n, name in enumerate(puzzle.match.names)
    ]
    return table_nowhere(f"puzzle-{puzzle.id}", puzzle.match, seats, settings)


def told(puzzle: Puzzle, moves: Sequence[dict[str, Any]]) -> list[str]:
    """Moves of a puzzle in words."""
    match = puzzle.match
    view, words = View.of(match, puzzle.seat, 1), match.rulebook.words
    return [i18n.chosen(view.told(words.steps(match.state, puzzle.seat, move))) or words.text(move) for move in moves]


def choices(puzzle: Puzzle) -> list[tuple[int, str]]:
    """The listed moves in an order that tells nothing, by their numbers, in words."""
    listed = enumerate(told(puzzle, [move for move, _less in puzzle.moves]))
    return sorted(listed, key=lambda choice: _mixed(f"{puzzle.id}{choice[0]}"))


def games() -> dict[str, list[Puzzle]]:
    """The puzzles of every game that has some."""
    return {name: list(puzzles) for name, book in rulebooks().items() if (puzzles := shipped(book))}


async def overview(request: Request) -> Response:
    """Which puzzles there are, one's ratings, last answers and last run."""
    by_game = games()
    if request.program:
        return JSONResponse({"puzzles": {name: [puzzle.id for puzzle in puzzles] for name, puzzles in by_game.items()}})
    rows = []
    for name, puzzles in by_game.items():
        book, solver = by_id(name), Solver.of(request, name)
        left = [puzzle for puzzle in puzzles if not solver.knows(puzzle)]
        rows.append({"id": name, "title": book.title, "n": len(puzzles), "picture": picture(book), "left": len(left),
                     "solver": solver, "themes": _themes(book, left)})  # fmt: skip
    run = ClockRun.of(request)
    ran = run if run and run.game in by_game and not run.left else None
    return request.page("puzzles/puzzles.html", rows=rows, run=ran, drawn=pages.drawn(*by_game))


def _of(game: str) -> list[Puzzle]:
    """The puzzles of a game. Raises Refused."""
    puzzles = games().get(game)
    if not puzzles:
        raise Refused(404, _("There are no puzzles of this game here."))
    return puzzles


async def next_one(request: Request, game: str) -> Response:
    """The next puzzle of a game: one of the theme that is asked for, if any, about as strong as the visitor and new."""
    wanted, solver = request.query("theme").get("theme"), Solver.of(request, game)
    fresh = [puzzle for puzzle in _of(game) if not solver.knows(puzzle) and wanted in (None, _theme(puzzle))]
    if not fresh:
        return RedirectResponse("/puzzles", 303)
    best = min(fresh, key=lambda puzzle: (abs(rating(puzzle) - solver.points), puzzle.id))
    return RedirectResponse(f"/puzzles/{game}/{best.id}", 303)


def _theme(puzzle: Puzzle) -> str:
    return theme(by_id(puzzle.record["game"]), puzzle.theme)


def _in_words(book: Rulebook, theme: str) -> str:
    return book.say(theme) if theme else ""


def _themes(book: Rulebook, puzzles: Sequence[Puzzle]) -> list[tuple[str, str, int]]:
    """The themes of some puzzles, also in words, and how many of each there are, the most first."""
    counted = Counter(filter(None, map(_theme, puzzles)))
    return [(each, _in_words(book, each), n) for each, n in counted.most_common()]


async def begin_run(request: Request, game: str) -> Response:
    """Begin a run against the clock."""
    await request.fields()
    _of(game)
    before = ClockRun.of(request)
    run = ClockRun(game, int(time.time()), best=before.best if before and before.game == game else 0)
    return request.remember(request.answer({"ok": True}, f"/puzzles/{game}/{run.puzzle.id}"), RUNNING, run.spelled)


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
    return _shown(request, puzzle, Solver.of(request, game))


async def answer(request: Request, game: str, name: str) -> Response:
    """Whether a move is the best one, and why."""
    puzzle, fields = _one(game, name), await request.form_fields()
    move = _answered(puzzle, fields)
    less, before, run = puzzle.less(move), Solver.of(request, game), ClockRun.of(request)
    solved = less == 0
    if run and run.game == game and run.left and run.puzzle is puzzle:
        run = run.after(solved)
        page = f"/puzzles/{game}/{run.puzzle.id}" if run.left else "/puzzles"
        facts = {"ok": True, "solved": solved, "left": run.left}
        return request.remember(request.answer(facts, page), RUNNING, run.spelled)
    less = await _judged(request, puzzle, move) if less is None else less
    after = before if less is None or before.knows(puzzle) else before.after(puzzle, less == 0)
    if request.program:
        known = {"less": less, "rating": after.points, "theme": _theme(puzzle)}
        response: Response = JSONResponse({"ok": True, "solved": less == 0} | known)
    else:
        response = _shown(request, puzzle, after, move, less, after.points - before.points)
    return request.remember(response, COOKIE.format(game=game), after.spelled)


async def _judged(request: Request, puzzle: Puzzle, move: dict[str, Any]) -> float | None:
    """What a move that nobody has measured loses against the best, weighed beside it now; none if that cannot be."""
    match, executor, since = puzzle.match, request.tables.executor, time.monotonic()
    best, meant = (match.attempt(puzzle.seat, each).actions for each in (puzzle.moves[0][0], move))
    executor.prepare(match.rulebook.id, [ADVISER])
    try:
        seat = replace(View.of(match, puzzle.seat, puzzle.seed), meant=meant, counsel=True)
        decision = await executor.think(seat, ADVISER, request.settings.thinking)
    except (Lost, Unready):
        return None
    finally:
        request.limits.worked(request.address, time.monotonic() - since)
    weighed = {each.actions: each for each in decision.weighed}
    if not {best, meant} <= weighed.keys():
        return None
    return 0.0 if weighed[meant].alike else round(max(0.0, weighed[meant].less - weighed[best].less), 3)


def _answered(puzzle: Puzzle, fields: commands.Fields) -> dict[str, Any]:
    """The move that fields say: one of those that are listed, or any at the table. Raises OutbidError."""
    if [key for key, _value in fields] == ["choice"]:
        choice = fields[0][1]
        if not (choice.isascii() and choice.isdigit() and len(choice) < 3 and int(choice) < len(puzzle.moves)):
            raise Refused(400, _("Choose one of the moves."))
        return puzzle.moves[int(choice)][0]
    match, move = puzzle.match, commands.command(fields).move
    words = match.rulebook.words
    if isinstance(move, dict):
        move = commands.meant(words, words.complete(match.state, move))
    return match.attempt(puzzle.seat, move).move


def _shown(
    request: Request,
    puzzle: Puzzle,
    solver: Solver,
    move: dict[str, Any] | None = None,
    less: float | None = None,
    change: int = 0,
) -> Response:
    table, match = table_of(puzzle, request.settings), puzzle.match
    game, address, run = table.book.id, f"/puzzles/{table.book.id}/{puzzle.id}", ClockRun.of(request)
    seen = replace(scene.live(table, puzzle.seat, request.base), post=address)
    names = [marked(name) for name in table.playing.names]
    facts: dict[str, Any] = {
        "puzzle": puzzle, "title": table.book.title, "game": game, "question": seen.question, "names": seen.speak.names,
        "address": address, "choices": choices(puzzle), "solver": solver, "change": change, "move": move, "less": less,
        "run": run if run and run.game == game and run.left and run.puzzle is puzzle else None,
        "gap": round(100 * puzzle.gap),
    }  # fmt: skip
    if move is not None:
        listed = puzzle.moves[0][0], move, puzzle.moves[1][0]
        best, chosen, next_best = told(puzzle, listed)
        moves = match.attempt(puzzle.seat, listed[0]).actions, match.attempt(puzzle.seat, move).actions
        drawback = "" if move in listed[::2] else reason(table.book, match.state, puzzle.seat, moves, names, puzzle.seat)[1]
        line = next((each for each in shipped(table.book) if each.follows == puzzle.id), None)
        about = _theme(puzzle)
        kin = about and any(_theme(each) == about and not solver.knows(each) for each in shipped(table.book))
        gains, costs = puzzle.reasons(names)
        facts |= {"gains": gains, "costs": costs, "best": best, "chosen": chosen, "next_best": next_best,
                  "drawback": drawback, "line": line, "theme": about, "about": _in_words(table.book, about),
                  "kin": kin}  # fmt: skip
    head, top = (Markup(pages.page("puzzles/puzzle.html", part=part, **facts)) for part in ("head", "top"))
    return HTMLResponse(pages.led(pages.table(seen), head, top, "learning puzzle"))


async def try_it(request: Request, game: str, name: str) -> Response:
    """A table that goes on from the position of a puzzle, in the seat that decides; it counts nowhere."""
    puzzle = _one(game, name)
    await request.fields()
    request.check_cookies()
    request.limits.table(request.address)
    table = table_of(puzzle, request.settings)
    stored, token = going_on(table, table.playing.reached, puzzle.seat, request.usual_name or _("Guest"))
    branch = request.tables.get(await request.tables.take_in(stored))
    facts = {"table": branch.id, "seat": puzzle.seat, "link": seat_link(branch.id, token)}
    return await request.give_seat(request.answer(facts, f"/t/{branch.id}", 201), branch, token)


ROUTES = (
    ("/puzzles", "GET", overview),
    ("/puzzles/{game}", "GET", next_one),
    ("/puzzles/{game}", "POST", begin_run),
    ("/puzzles/{game}/{name}", "GET", show),
    ("/puzzles/{game}/{name}", "POST", answer),
    ("/puzzles/{game}/{name}/try", "POST", try_it),
)
