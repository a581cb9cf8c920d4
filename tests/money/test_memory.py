"""What a seat knows of cards it cannot see, and which worlds it thinks possible."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import outbid
from outbid.games.money import rules
from outbid.games.money.state import BID, CARDS, EXCHANGE, OVER, PILE, TABLE, UNKNOWN
from outbid.games.money.text.views import card_name
from outbid.testing.positions import hidden, redealt

from .table import fresh, out, play, play_at_random, position

RIGHT, LEFT = "EUR20 EUR20 JPY30 JPY60", "EUR50 CHF20 CHF60 COIN10"


class Onlooker:
    """A person who watches the open table and forgets nothing; `where` is a card's hand, bid ("bid", seat) or display."""

    def __init__(self, match, seat):
        self.match = match
        self.where = dict.fromkeys(match.view(seat)["hand"] or (), seat)
        self.look()

    def look(self):
        """What lies open now."""
        seen = self.match.view()
        for side, display in seen["displays"].items():
            self.where |= dict.fromkeys(display["cards"], side)
        for seat, player in enumerate(seen["players"]):
            self.where |= dict.fromkeys(player["bid"] or (), ("bid", seat))

    def watch(self, seat, do, to):
        """One move; `to`: the place of the lot that is taken, None if it is a bid or the own."""
        lots = [[card for card, at in self.where.items() if at == place] for place in (("bid", seat), to)]
        if do != "bid":
            self.where |= dict.fromkeys(lots[0], to if to else seat) | dict.fromkeys(lots[1], seat)
        self.look()


def known_to(match, seat):
    """The same from the hidden state."""
    s = match.hidden(seat)
    names = {10: "right", 11: "left"}
    for p in range(match.players):
        names |= {p: p, TABLE + p: p if s.phase == BID else ("bid", p)}
    return {card_name(s, card): names[s.place[card]] for card in range(CARDS) if s.place[card] in names}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_memory_is_that_of_a_person_who_watches_the_table(players):
    """E22: a hidden state knows exactly what was seen, neither more nor less."""
    for seed in range(3):
        rng = random.Random(seed)
        match = outbid.game("money", bid_counts=rng.choice(["hidden", "visible_on_commit"])).new(players, seed)
        watching = {seat: Onlooker(match, seat) for seat in range(-1, players)}
        while True:
            play_at_random(match, rng)
            if match.over:
                break
            move = match.moves[-1]
            to = ("bid", move["with"]) if move["do"] == "swap" else move.get("display")
            for seat, person in watching.items():
                person.watch(move["seat"], move["do"], to)
                assert person.where == known_to(match, seat), (seed, len(match.moves), seat)


def unseen(match, seat):
    """The cards a seat has not seen."""
    s = match.hidden(seat)
    return [card for card in range(CARDS) if s.place[card] == UNKNOWN]


def test_at_the_start_a_seat_knows_its_hand_and_the_displays():
    """E22."""
    match = outbid.game("money").new(4, seed=1)
    for seat in range(4):
        assert len(unseen(match, seat)) == 60 - 8 - 6
        assert set(match.hidden(seat).pile) == {-1}
    assert len(unseen(match, -1)) == 60 - 8


def test_a_card_that_was_bid_and_taken_back_is_known_for_ever_also_under_a_new_bid():
    """E22, E2: the cards of a kept bid lie in the hand, for all anybody knows, until the next reveal."""
    match = play(fresh("USD60", "USD50", right=RIGHT, left=LEFT), "0 bid USD60 / 1 bid USD50 / 2 stay out / 0 keep / 1 keep")
    play(match, "0 bid USD60")
    s = match.hidden(1)
    assert [card for card in range(CARDS) if s.place[card] == 0] == [8]
    assert s.place[8] == 0
    assert match.hidden(0).place[8] == TABLE
    bids = Counter(redealt(match.state, 1, seed).place[8] for seed in range(60))
    assert set(bids) == {0, TABLE}


def test_every_unseen_card_may_lie_in_every_unseen_place():
    """E22: none is more likely than another."""
    match = fresh("USD60", "USD50", right=RIGHT, left=LEFT)
    draws = 2000
    found = {card: Counter() for card in unseen(match, 0)}
    for seed in range(draws):
        world = redealt(match.state, 0, seed)
        for card in found:
            found[card][world.place[card]] += 1
    for places in found.values():
        assert set(places) == {1, 2, PILE}
        for seat in (1, 2):
            assert abs(places[seat] / draws - 6 / 37) < 0.035  # four standard deviations


def test_a_redealt_sealed_bid_may_be_any_bid():
    """E2: of the two cards of a hand that was seen, none, one, the other, both, each with and without the bluff card."""
    match = position("USD60 USD50", "GBP20", "GBP30", right=RIGHT, left=LEFT, pile="", seen=True)
    assert match.state.held[2] > 20
    play(match, "1 bid GBP20 / 0 bid USD60")
    bids = Counter()
    for seed in range(300):
        world = redealt(match.state, 2, seed)
        laid = tuple(card for card in range(CARDS) if world.place[card] == TABLE)
        bids[(laid, world.bluffed & 1)] += 1
        assert world.sealed == 3
    assert set(bids) == {((), 1), *(((*cards,), bluff) for cards in ((7,), (8,), (7, 8)) for bluff in (0, 1))}


@pytest.mark.parametrize(("bid", "sizes"), [("bid USD60 USD50 with bluff", {2, 3}), ("stay out", {0, 1})])
def test_a_redealt_bid_has_as_many_pieces_as_show(bid, sizes):
    """E2: with bid_counts the bluff card may be one of them."""
    match = position("USD60 USD50 USD40", "GBP20", "GBP30", right=RIGHT, left=LEFT, bid_counts="visible_on_commit")
    play(match, f"0 {bid}")
    found = set()
    for seed in range(80):
        world = redealt(match.state, 1, seed)
        assert world.pieces[0] == match.state.pieces[0]
        assert world.laid[0] + (world.bluffed & 1) == world.pieces[0]
        found.add(world.laid[0])
    assert found == sizes


def test_a_whole_hand_with_the_bluff_card_can_be_nothing_else():
    """E2: as many pieces as cards and one more."""
    match = position("USD60 USD50", "GBP20", "GBP30", right=RIGHT, left=LEFT, bid_counts="visible_on_commit")
    play(match, "0 bid USD60 USD50 with bluff")
    for seed in range(20):
        world = redealt(match.state, 1, seed)
        assert (world.laid[0], world.bluffed & 1) == (2, 1)


def test_open_bids_and_the_end_hide_nothing_but_the_pile():
    """E22: in the exchange the cards in hand that were never shown stay hidden."""
    match = play(fresh("USD60 USD20", "USD50", right=RIGHT, left=LEFT), "0 bid USD60 / 1 bid USD50 / 2 stay out")
    s = match.hidden(2)
    assert s.phase == EXCHANGE
    assert [s.place[card] for card in range(CARDS)].count(TABLE) == 1
    assert len(unseen(match, 2)) == 25 + 5 + 5
    end = out(out(fresh("USD60", stall_rounds=1)))
    assert end.state.phase == OVER
    assert len(unseen(end, 1)) == end.view()["pile"]
    assert [rules.owns(end.hidden(-1), 0, card) for card in range(CARDS)].count(1) == 6


def test_a_half_laid_bid_is_its_owners_secret():
    """E2: also that it has been begun."""
    match = fresh("USD60 USD50", right=RIGHT, left=LEFT)
    s = match.state.copy()
    rules.apply(s, 0, 7)
    assert rules.midway(s, 0)
    for seat in (-1, 1, 2):
        assert hidden(s, seat) == hidden(match.state, seat)
    assert hidden(s, 0).laid[0] == 1
