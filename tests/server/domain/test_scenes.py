"""What is made for a viewer is in its language, and gone when the next is made."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

from outbid.core.language import i18n
from outbid.core.rulebook import rulebooks
from outbid.server.domain import scene
from outbid.server.domain.setup import Order
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.web import pages
from tests.support.serving import at_once


def a_table(folder: Path, game: str) -> Table:
    settings = Settings(url_of(str(folder / "tables.db")))
    order = Order(game, rulebooks()[game].players[1], "Ada", seed=5)
    table, _ = at_once(Tables(Store(settings.database), settings).create(order))
    for n in range(len(table.seats) - 1):
        at_once(table.join(f"Ben{n}"))
    return table


def test_a_scene_is_gone_with_the_next_one_without_a_look_for_garbage(tmp_path: Path):
    table = a_table(tmp_path, "kuhhandel")
    gc.disable()
    try:
        first = scene.live(table, 0, "http://here")
        pages.render_regions(first)
        gone = weakref.ref(first)
        del first
        table.tell()
        pages.render_regions(scene.live(table, 0, "http://here"))
        assert gone() is None
    finally:
        gc.enable()


def test_what_bidders_may_order_is_said_to_each_in_their_own_language(tmp_path: Path):
    table = a_table(tmp_path, "kuhhandel")
    playing = table.playing
    at_once(table.act(0, playing.asked[0], playing.rulebook.words.steps(playing.state, playing.asked[0], {"do": "auction"})))
    ada, ben = [seat for seat in range(len(table.seats)) if seat != table.playing.state.turn][:2]

    def shown(viewer: int) -> str:
        return pages.render_regions(scene.live(table, viewer, "http://here"), ["orders"])["orders"]

    with i18n.locale("de"):
        assert "Bei diesem Tier raus" in shown(ada)
    assert "Out for this animal" in shown(ben)
