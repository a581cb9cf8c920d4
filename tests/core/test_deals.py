"""The deals of small games, listed with their chances (core/deals.py): they are those that `deal` draws, as often."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction

import pytest

import outbid
from outbid.core import contract, deals
from outbid.core.errors import BadSetup
from outbid.core.rulebook import rulebooks
from tests.support.profile import DEEP

SEEDS = 2000 if DEEP else 500
BOOKS = [book for book in rulebooks().values() if book.laboratory]
SMALL = [(book, book.preset(name), book.seats(book.preset(name))[0], name) for book in BOOKS for name in book.laboratory]
OTHERS = [
    ("kuhhandel", {"copies": [0, 0, 0, 0, 0, 0, 2, 1, 1, 0], "quick_deal4": True}, 3),
    ("kuhhandel", {"copies": [0, 0, 0, 0, 0, 0, 2, 0, 0, 3]}, 4),
    ("money", {"currencies": 1, "denominations": [1, 1, 1, 1, 0], "coin_cards": 1, "hand_cards": 1, "display_cards": 1}, 3),
    ("money", {"denominations": [1, 0, 0, 0, 0], "coin_cards": 0, "hand_cards": 2, "display_cards": 3}, 4),
    ("rivals", {"colours": 4, "copies": [0] * 9, "wagers": 1, "starting_wagers": 1}, 2),
    ("rivals", {"colours": 2, "copies": [1, *[0] * 8], "wagers": 1}, 2),
    ("rivals", {"colours": 3, "copies": [0] * 9, "wagers": 1}, 3),
    ("forex", {"certificates": 2, "removed_certificates": 3}, 4),
    ("forex", {"certificates": 3, "removed_certificates": 5, "currencies": 3, "fixed_start": True}, 2),
    ("claim", {"copies": [2, 2, 1, 0, 0, 0], "hand_cap": 1}, 3),
    ("claim", {"copies": [3, 2, 0, 0, 0, 0], "wild_wagers": True, "two_players": "printed"}, 2),
    ("claim", {"copies": [2, 3, 2, 0, 0, 0], "action_fund": True, "icons": [3, 0, 4, 0, 0, 0]}, 3),
]
CASES = [
    *[pytest.param(book, options, players, id=f"{book.id}-{name}") for book, options, players, name in SMALL],
    *[
        pytest.param(rulebooks()[game], options, players, id=f"{game}-{players}-{next(iter(options))}")
        for game, options, players in OTHERS
    ],
]
every_case = pytest.mark.parametrize(("game", "options", "players"), CASES)


def key(deal):
    return json.dumps(deal, sort_keys=True)


def drawn(book, options, players, seed):
    """A fresh match dealt from a seed."""
    state = book.fresh(options)
    contract.deal(state, players, seed)
    return state


def as_listed(game, state):
    """The deal of a state as the game lists it."""
    deal = game.words.deal_of(state)
    return game.words.merged(state, deal) if hasattr(game.words, "merged") else deal


@every_case
def test_the_chances_of_all_deals_add_up_to_one_and_no_deal_is_listed_twice(game, options, players):
    found = game.deals(options, players)
    assert sum(chance for _, chance in found) == 1
    assert all(isinstance(chance, Fraction) and chance > 0 for _, chance in found)
    assert len({key(deal) for deal, _ in found}) == len(found)


@pytest.mark.slow(but=("rivals", "forex"))
@every_case
def test_every_listed_deal_can_be_loaded_and_is_written_the_same_again(game, options, players):
    for deal, _ in game.deals(options, players):
        state = game.fresh(options)
        game.words.load(state, players, deal)
        assert as_listed(game, state) == deal


@pytest.mark.slow
@every_case
@pytest.mark.deeper
def test_what_is_drawn_is_among_the_listed_deals_and_as_often_as_they_say(game, options, players):
    expected = {key(deal): chance * SEEDS for deal, chance in game.deals(options, players)}
    seen: Counter[str] = Counter()
    for seed in range(SEEDS):
        state = drawn(game, options, players, seed)
        seen[key(as_listed(game, state))] += 1
    assert seen.keys() <= expected.keys()
    distance = float(sum((seen[deal] - often) ** 2 / often for deal, often in expected.items()))
    free = len(expected) - 1
    assert distance <= free + 5 * math.sqrt(2 * free)  # chi-square: its mean and five standard deviations


def test_a_game_with_too_many_deals_says_so_at_once(book):
    if book not in BOOKS:
        pytest.skip("this game has no small version")
    players = book.players[1]
    _, chance = next(book.words.deals(book.fresh({}), players))
    assert 0 < chance < 1 / 1000 or len(book.deals({}, players)) < 100_000
    with pytest.raises(BadSetup, match=rf"more than 1 deals; only small games \({', '.join(book.laboratory)}\)"):
        book.deals({}, players, limit=1)


def test_a_game_that_cannot_list_its_deals_says_so():
    with pytest.raises(BadSetup, match="Sealed does not list its deals"):
        outbid.game("sealed").rulebook.deals({}, 2)


# --- the counting -------------------------------------------------------------------------------------------------------


def test_orders_are_all_the_distinct_ones():
    found = list(deals.orders([2, 0, 1]))
    assert found == [[0, 0, 2], [0, 2, 0], [2, 0, 0]]
    assert deals.order_chance([2, 0, 1]) == Fraction(1, 3)
    assert list(deals.orders([])) == [[]]
    assert len(list(deals.orders([2, 2, 3]))) * deals.order_chance([2, 2, 3]) == 1


def test_draws_are_as_likely_as_card_by_card():
    found = {tuple(lot): chance for lot, chance in deals.draws([3, 2], 2)}
    assert found == {(0, 2): Fraction(1, 10), (1, 1): Fraction(6, 10), (2, 0): Fraction(3, 10)}


def test_lots_are_drawn_one_after_another():
    found = list(deals.lots([2, 1], [1, 1]))
    assert [lot for lot, _ in found] == [[[0, 1], [1, 0], [1, 0]], [[1, 0], [0, 1], [1, 0]], [[1, 0], [1, 0], [0, 1]]]
    assert [chance for _, chance in found] == [Fraction(1, 3)] * 3


def test_a_lot_says_of_which_hand_what_is_wrong():
    sentences = "{title}: {value!r}", ("a", "b"), "{value!r} is not {known}", "{title}: {n}, not {size}", "{players}"
    lot = deals.Lot("hands", *sentences)
    say = str.format
    assert deals.read(say, {"hands": [["a"], ["b"]]}, 2, (lot, 1)) == [["a"], ["b"]]
    for hands, said in (
        ([["a"]], "2"),
        ([["a"], 3], "hand of seat 1: 3"),
        ([["a", "b"], ["c"]], "'c' is not a, b"),
        ([["a", "b"], ["b"]], "hand of seat 0: 2, not 1"),
    ):
        with pytest.raises(BadSetup, match=f"^{said}$"):
            deals.read(say, {"hands": hands}, 2, (lot, 1))
