"""When and how the gold is divided: a second reading of the ruling R2, written from the words of the rules alone, beside
whole matches, of which it is told nothing but the record."""

from __future__ import annotations

import random
from typing import Any

import pytest

import outbid
from outbid.core.rulebook import rulebook

COINS, CARDS, PILE = 36, 80, 20  # four even piles


class Purses:
    """Who has how much gold, as somebody at the table would keep it with pencil and paper."""

    def __init__(self, record: dict[str, Any], pile_distribution: bool, final_distribution: bool):
        self.each = [COINS // len(record["players"])] * len(record["players"])
        self.supply = 0
        self.bid, self.leader = 0, -1
        self.passed: set[int] = set()
        self.uncovered = self.display = 0
        self.divided: list[int] = []  # after how many cards
        self.when = {PILE, 2 * PILE, 3 * PILE} if pile_distribution else set()
        self.when |= {CARDS} if final_distribution else set()

    def move(self, move: dict[str, Any]) -> None:
        """A move of the record. An auction is won when nobody else is left who has more; it ends with what the winner
        removes, if anything is left to remove: then the next card is uncovered."""
        if move["do"] == "bid":
            self.bid, self.leader = move["amount"], move["seat"]
        elif move["do"] == "pass":
            self.passed.add(move["seat"])
        elif move["do"] in ("take", "remove"):
            self.display -= len(move["cards"]) if move["do"] == "take" else move["card"] is not None
        if move["do"] in ("uncover", "remove") or (move["do"] == "take" and not self.display):
            self.uncover()
        others = {seat for seat, gold in enumerate(self.each) if gold > self.bid} - {self.leader} - self.passed
        if self.bid and not others:
            self.each[self.leader] -= self.bid
            self.supply += self.bid
            self.bid, self.leader, self.passed = 0, -1, set()

    def uncover(self) -> None:
        """The next card; the supply is shared evenly where that is the last one that counts, and the rest stays there."""
        self.uncovered += 1
        self.display += 1
        if self.uncovered in self.when:
            share, self.supply = divmod(self.supply, len(self.each))
            self.each = [gold + share for gold in self.each]
            self.divided.append(self.uncovered)


@pytest.mark.parametrize("pile_distribution", [False, True])
@pytest.mark.parametrize("final_distribution", [True, False])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.slow
def test_all_purses_and_the_supply_are_as_a_second_reading_of_r2_says(players, final_distribution, pile_distribution):
    assert rulebook("rivals").preset("published")["pile_distribution"]
    options = {"pile_distribution": pile_distribution, "final_distribution": final_distribution}
    moved = rest = 0
    for seed in range(6):
        match, rng = outbid.game("rivals", **options).new(players, seed=seed), random.Random(seed)
        mine, made = Purses(match.record(), pile_distribution, final_distribution), 0
        while not match.over:
            match.random_move(match.asked[0], rng.randrange(1 << 30))
            for move in match.record()["moves"][made:]:
                mine.move(move)
            made = len(match.moves)
            view = match.view()
            bidding = [seat["gold"] for seat in view["players"]]
            assert (bidding, view["supply"]) == (mine.each, mine.supply), match.moves[-1]
            assert sum(mine.each) + mine.supply == COINS
            moved += bool(mine.supply)
        assert mine.uncovered == CARDS
        assert mine.divided == [PILE, 2 * PILE, 3 * PILE] * pile_distribution + [CARDS] * final_distribution
        points = [seat["points"] for seat in view["players"]]
        assert match.record()["scores"] == [sum(both) for both in zip(points, mine.each, strict=True)]
        rest += mine.supply
    assert moved
    assert final_distribution is False or rest < 6 * players
