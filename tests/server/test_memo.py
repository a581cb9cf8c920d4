"""What a viewer is sent is always what would be rendered anew, and what has not changed is not rendered."""

from __future__ import annotations

import asyncio
import gc
import random
import weakref
from pathlib import Path

import pytest
from serving import at_once

from outbid.bots import choose
from outbid.core.language import i18n
from outbid.core.language.names import plain
from outbid.core.rulebook import rulebooks
from outbid.server.domain import scene
from outbid.server.domain.region_cache import Memo, Parts
from outbid.server.domain.setup import Order
from outbid.server.domain.table import Table, Tables
from outbid.server.settings import Settings
from outbid.server.storage.store import Store, url_of
from outbid.server.web import pages

GAMES = ["claim", "forex", "kuhhandel", "money", "rivals"]
SENT = [name for name in pages.REGIONS if name != pages.GROWING]


def a_table(folder: Path, game: str) -> Table:
    settings = Settings(url_of(str(folder / "tables.db")))
    order = Order(game, rulebooks()[game].players[1], "Ada", seed=5)
    table, _ = at_once(Tables(Store(settings.database), settings).create(order))
    for n in range(len(table.seats) - 1):
        at_once(table.join(f"Ben{n}"))
    return table


@pytest.mark.parametrize("game", GAMES)
def test_remembered_regions_are_those_that_would_be_rendered_anew(game: str, tmp_path: Path):
    async def played() -> int:
        table, rng, same = a_table(tmp_path, game), random.Random(3), 0
        viewers = [*range(len(table.seats)), -1]
        parts = Parts()  # of one table, for all who look at it
        memos = {viewer: Memo(parts) for viewer in viewers}
        shown: dict[int, dict[str, str]] = {}
        while not table.playing.over and len(table.playing.moves) < 150:
            match = table.playing
            seat = rng.choice(match.asked)
            bot = rng.choice(["random", "steady"])
            await table.act(len(match.moves), seat, choose(match, seat, bot, len(match.moves)).actions)
            for viewer in viewers:
                seen = scene.live(table, viewer, "http://here")
                now = pages.render_regions(seen, SENT, memos[viewer])
                assert now == pages.render_regions(seen, SENT)
                same += sum(now[name] is shown.get(viewer, {}).get(name) for name in SENT)
                shown[viewer] = now
        return same

    assert asyncio.run(played()) > 500


def test_what_two_viewers_see_alike_of_a_seat_is_rendered_once_for_both(tmp_path: Path):
    table = a_table(tmp_path, "kuhhandel")
    parts, made = Parts(), []

    def part(watched, seat: int) -> str:
        made.append(seat)
        return f"{watched.seats[seat].name} {watched.view.players[seat]['cards']}"

    def shown(viewer: int) -> str:
        return parts.made(parts.facts(scene.live(table, viewer, "http://here")), part, (1,))[0]

    html = [shown(viewer) for viewer in (0, 2, -1)]
    assert (len(set(html)), made) == (1, [1])
    assert (shown(1), made) == (html[0], [1, 1])  # who is shown its own seat reads that it is
    with i18n.speaking("de"):
        shown(0)
    assert made == [1, 1, 1]


def test_what_is_said_of_somebody_is_made_once_for_all_others(tmp_path: Path):
    table = a_table(tmp_path, "kuhhandel")
    parts, made = Parts(), []

    def part(watched) -> str:
        made.append(plain(watched.speak(1, "You lead.", "{who} leads.")))
        return f"{made[-1]} {plain(str(watched.speak.people(2)))}"

    html = [parts.made(parts.facts(scene.live(table, viewer, "http://here")), part, ())[0] for viewer in (0, 3, -1, 1, 2)]
    assert html == ["Ben0 leads. Ben1"] * 3 + ["You lead. Ben1", "Ben0 leads. You"]
    assert made == ["Ben0 leads.", "You lead.", "Ben0 leads."]

    def audience(watched) -> str:
        return str(watched.speak.audience)

    seats = [parts.made(parts.facts(scene.live(table, viewer, "http://here")), audience, ())[0] for viewer in (2, 3, -1)]
    assert seats == ["2", "3", "-1"]


def test_a_scene_is_gone_with_the_next_one_without_a_look_for_garbage(tmp_path: Path):
    table = a_table(tmp_path, "kuhhandel")
    memo = Memo()
    gc.disable()
    try:
        first = scene.live(table, 0, "http://here")
        pages.render_regions(first, SENT, memo)
        gone = weakref.ref(first)
        del first
        table.tell()
        pages.render_regions(scene.live(table, 0, "http://here"), SENT, memo)
        assert gone() is None
    finally:
        gc.enable()


def test_what_bidders_may_order_is_said_to_each_in_their_own_language(tmp_path: Path):
    """Choices are equal whatever they are called; what one was shown is not remembered for another in another language."""
    table, parts = a_table(tmp_path, "kuhhandel"), Parts()

    async def begun() -> None:
        match = table.playing
        await table.act(0, match.asked[0], match.rulebook.words.steps(match.state, match.asked[0], {"do": "auction"}))

    asyncio.run(begun())
    ada, ben = [seat for seat in range(len(table.seats)) if seat != table.playing.state.turn][:2]

    def shown(viewer: int) -> str:
        return pages.render_regions(scene.live(table, viewer, "http://here"), ["orders"], Memo(parts))["orders"]

    with i18n.speaking("de"):
        assert "Bei diesem Tier raus" in shown(ada)
    assert "Out for this animal" in shown(ben)
