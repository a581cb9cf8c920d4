"""Tables of which one asks for hints, and an executor that answers as a test says."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from outbid.bots import BOTS, Decision, EvaluatedMove, Seat
from outbid.bots.decision import WeighedMove
from outbid.core import contract
from outbid.server.domain import scene
from outbid.server.domain.setup import Order
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.web import pages
from tests.support.serving import at_once


class Asked:
    """Minds of a test: `answer` makes the decision; what is asked is counted."""

    def __init__(self, answer: Callable[[Seat], Any]):
        self.answer = answer
        self.asked: list[str] = []
        self.prepared: list[str] = []
        self.go = asyncio.Event()
        self.go.set()
        self.compiled = True

    async def think(self, seat: Seat, name: str, seconds: float = 1.0, wall: float = math.inf) -> Decision:
        self.asked.append(name)
        assert 0 <= seconds <= 1
        await self.go.wait()
        answer = self.answer(seat)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def prepare(self, game: str, names: Sequence[str]) -> None:
        self.prepared += names

    def ready(self, game: str, name: str) -> bool:
        return self.compiled

    def listen(self, told: Callable[[], None]) -> None:
        pass

    def close(self) -> None:
        pass


def looked(seat: Seat, best: int = 0) -> Decision:
    """A decision of a bot that has evaluated everything."""
    world = seat.world(0)
    out = [0] * 256
    steps = [out[k] for k in range(contract.legal(world, seat.seat, out))][:5]
    steps.insert(0, steps.pop(best % len(steps)))
    values = tuple(EvaluatedMove(f"move {n}", 0.61 - 0.1 * n, 100 - n, (step,)) for n, step in enumerate(steps))
    weighed = tuple(WeighedMove(f"move {n}", (step,), 0.1 * n, 0.01) for n, step in enumerate(steps[:4]))
    why = {"en": "It wins most.", "de": "So gewinnt man am ehesten."}
    return Decision((steps[0],), why, {"en": "I looked.", "de": "Ich sah."}, values, weighed)


def made(folder: Path, executor: Any = None, people: int = 1, game: str = "kuhhandel", **order: Any) -> Table:
    """A table for three, of whom so many are people; seat 0 is Ada's. Bots do not move."""
    settings = Settings(url_of(str(folder / "tables.db")), pace="slow")
    tables = Tables(Store(settings.database), settings, executor or Asked(looked))
    bots = ("open",) * (people - 1) + ("steady",) * (3 - people)
    found, _ = at_once(tables.create(Order(game, 3, "Ada", bots, seed=4, pace="slow", **order)))
    for name in ("Ben", "Cy")[: people - 1]:
        at_once(found.join(name))
    getattr(found.executor, "asked", []).clear()  # of the bots while the table was made
    return found


def until_asked(found: Table, seat: int = 0) -> None:
    """Everybody else plays until a seat is asked, or the match is over."""
    match = found.playing
    while not match.over and seat not in match.asked:
        mover = match.asked[0]
        decision = BOTS["steady"].decide(Seat.of(match, mover, 1))
        at_once(found._play(mover, decision.actions, None, ({}, {})))


def helped(found: Table, seat: int = 0) -> list[str]:
    """What "What can I do?" says to a seat, line by line."""
    lines = shown(found, seat)["now"].partition('<ul class="why"')[2].partition("</ul>")[0].split("<li")[1:]
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", f"<li{line}")).strip() for line in lines]


def shown(found: Table, seat: int) -> dict[str, str]:
    """All that a viewer is shown, by region."""
    return pages.render_regions(scene.live(found, seat, ""))
