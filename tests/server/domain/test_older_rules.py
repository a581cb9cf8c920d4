"""Tables that began by older rules go on by their defaults, and so do those that follow them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from outbid.server.domain.setup import Order, again
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.stored import Seat, Stored
from tests.support.serving import at_once

DEAL = {"start": 0, "removed": ["GBP", "EUR", "USD", "CHF", "JPY", "CAD"]}
SEATS = (Seat("human", "Ada", None, 1, "a"), Seat("human", "Ben", None, 1, "b"))
FIRST = {"spot_unit": "one_stronger"}  # what forex/1 took for granted


def tables_in(folder: Path) -> Tables:
    """The tables of a database in a folder."""
    settings = Settings(url_of(str(folder / "tables.db")), pace="instant")
    return Tables(Store(settings.database), settings)


def menu(table: Any) -> set[str]:
    """What the asked seat may do, as it is typed."""
    moves = [move for choice in table.playing.legal(0) for move in (choice.moves or [choice.move])]
    return {table.book.words.text(move) for move in moves}


@pytest.mark.parametrize("options", [{}, {"merged_loan_set": "free_at_merge"}, {"max_spot_offers": 2}])
def test_a_stored_table_of_forex_1_swaps_by_the_stronger_currency_and_so_does_the_next(tmp_path, options):
    tables = tables_in(tmp_path)
    old = Stored(
        id="0123456789ab", game="forex", rules="forex/1", options=options, deal=DEAL, status="playing", pace="instant",
        paused=False, seats=SEATS,
    )  # fmt: skip
    tables.store.add(old)
    table = tables.get(old.id)
    assert table.options == {**options, **FIRST}
    assert "spot with 1 give 1 GBP get 2 CAD" in menu(table)
    assert "spot with 1 give 0.5 GBP get 1 CAD" not in menu(table)
    following = again(old)
    assert (following.rules, following.options) == ("forex/2", {**options, **FIRST})
    record = table.playing.record()
    assert (record["rules"], record["options"]) == ("forex/2", table.book.changed({**options, **FIRST}))


def test_a_new_table_swaps_by_either_currency(tmp_path):
    table, _ = at_once(tables_in(tmp_path).create(Order("forex", 2, "Ada", options={"fixed_start": True}, seed=4)))
    at_once(table.join("Ben"))
    assert (table.book.rules_id, table.options) == ("forex/2", {"fixed_start": True})
    assert {"spot with 1 give 1 GBP get 2 CAD", "spot with 1 give 0.5 GBP get 1 CAD"} <= menu(table)
