"""The small versions of each game (docs/small-games.md): as large as written there, played like any match, not offered."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

import outbid
from outbid.bots import choose
from outbid.core import contract
from outbid.core.rulebook import rulebook

DOCS = Path(__file__).parents[2] / "docs" / "small-games.md"
ROWS = re.findall(r"^\| (\w+) \| `(\w+)` \|" + r" ([\d,]+) \|" * 6 + "$", DOCS.read_text(encoding="utf-8"), flags=re.M)
SIZES = {(game, preset): [int(n.replace(",", "")) for n in numbers] for game, preset, *numbers in ROWS}
GAMES = sorted({game for game, _ in SIZES})
every_preset = pytest.mark.parametrize(("game", "preset"), SIZES)


class Counted:
    """A game tree walked step by step, and what each seat can tell apart in it."""

    def __init__(self, game: str, preset: str):
        made = outbid.game(game, preset)
        self.histories = self.ends = self.longest = self.deals = 0
        self.known: list[set[int]] = [set(), set()]
        for deal, _ in made.rulebook.deals(made.options, 2):
            self.deals += 1
            state = made.load(["Ada", "Ben"], deal).state
            seen = [self.seen(state, seat) for seat in range(2)]
            self.walk(state, seen, [hash((seat, seen[seat])) for seat in range(2)], 0)

    def seen(self, state: Any, seat: int) -> int:
        """What a seat sees now."""
        twin = state.copy()
        contract.hide(twin, seat)
        return hash(tuple(repr(getattr(twin, field.name)) for field in twin.layout.fields))

    def walk(self, state: Any, seen: list[int], told: list[int], depth: int) -> None:
        """Count this history and all that follow; `told`: all that each seat has seen and done."""
        self.histories += 1
        self.longest = max(self.longest, depth)
        mask = contract.asked(state)
        if mask == 0:
            self.ends += 1
            return
        seat = 0 if mask & 1 else 1
        self.known[seat].add(told[seat])
        out = [0] * 256
        for action in out[: contract.legal(state, seat, out)]:
            after = state.copy()
            contract.apply(after, seat, action)
            now = [self.seen(after, viewer) for viewer in range(2)]
            more = told[:]
            for viewer in range(2):
                if viewer == seat:
                    more[viewer] = hash((told[viewer], action, now[viewer]))
                elif now[viewer] != seen[viewer]:
                    more[viewer] = hash((told[viewer], now[viewer]))
            self.walk(after, now, more, depth + 1)


@pytest.mark.slow(but=("rivals", "money"))
@pytest.mark.parametrize("game", GAMES)
def test_the_tiny_game_has_as_many_histories_and_information_sets_as_written(game):
    found = Counted(game, "tiny")
    numbers = [found.deals, found.histories, found.ends, *map(len, found.known), found.longest]
    assert numbers == SIZES[game, "tiny"]


def test_every_small_game_is_written_down_and_none_is_too_large(book):
    if book.id == "sealed":
        pytest.skip("a game of another package")
    assert [preset for game, preset in SIZES if game == book.id] == list(book.laboratory) == ["tiny", "small", "small3"]
    for preset in book.laboratory:
        assert SIZES[book.id, preset][1] <= (10_000 if preset == "tiny" else 300_000)


@every_preset
@pytest.mark.parametrize("who", ["random", "steady"])
def test_bots_play_a_small_game_to_its_end_and_its_record_is_read_again(game, preset, who):
    made = outbid.game(game, preset)
    for seed in range(8):
        match = made.new(2, seed)
        while not match.over:
            assert len(match.moves) <= SIZES[game, preset][-1]
            seat = match.asked[0]
            match.play_steps(seat, choose(match, seat, who, seed).actions)
        assert outbid.read_record(match.record()).scores == match.scores


@every_preset
def test_a_table_does_not_offer_a_small_game_but_makes_one_for_whoever_names_it(game, preset):
    from outbid.server.domain.setup import order
    from outbid.server.web.screens.new.sheet import Sheet
    from outbid.server.web.screens.new.view import page

    offered = re.findall(r'name="preset" value="(\w+)"', page(Sheet(rulebook(game), {})))
    assert "seed" in offered
    assert preset not in offered
    fields = [("game", game), ("players", "2"), ("preset", preset), ("name", "Ada"), ("bots", "random")]
    assert order(fields).players == 2


@pytest.mark.slow
def test_the_example_of_the_docs_works():
    assert doctest.testfile(str(DOCS), module_relative=False).failed == 0
