"""The tunable parameters that make Money! small: who plays, which cards there are, how long it lasts."""

from __future__ import annotations

import pytest

import outbid
from outbid.core.errors import BadSetup
from outbid.games.money.state import CURRENCIES, GONE

from .table import NAMES


def cards(match):
    """The names of all cards of a match."""
    lots = [*match.deal["hands"], match.deal["right"], match.deal["left"], match.deal["pile"]]
    return sorted(name for lot in lots for name in lot)


def stay_out(match):
    """A round in which nobody bids."""
    for seat in match.asked:
        match.play(seat, "bid nothing")


def test_two_may_play_where_a_parameter_says_so_and_three_currencies_are_removed():
    """least_players."""
    with pytest.raises(BadSetup, match="3 to 5 players, not 2"):
        outbid.game("money").new(2)
    match = outbid.game("money", least_players=2).new(2, seed=4)
    assert len(match.deal["removed"]) == 3
    assert len(cards(match)) == 4 * 9 + 6


def test_the_first_currencies_are_in_play_and_chance_removes_none():
    """E24: currencies."""
    game = outbid.game("money", currencies=3)
    for seed in range(10):
        match = game.new(4, seed)
        assert match.deal["removed"] == list(CURRENCIES[3:])
    assert {name[:3] for name in cards(match)} == {"USD", "GBP", "EUR", "COI"}
    turned = {**match.deal, "removed": list(reversed(CURRENCIES[3:]))}
    assert game.load(NAMES[:4], turned).state == match.state
    with pytest.raises(BadSetup, match="must be JPY, CHF, SEK, RUB; the option currencies says so"):
        game.load(NAMES[:4], {**match.deal, "removed": ["USD", "CHF", "SEK", "RUB"]})
    with pytest.raises(BadSetup, match=r"must list the currencies left out \(here 4\)"):
        game.load(NAMES[:4], {**match.deal, "removed": ["RUB"]})


def test_of_notes_and_coins_that_are_alike_those_with_the_lowest_numbers_stay():
    """denominations, coin_cards."""
    match = outbid.game("money", currencies=1, denominations=[2, 1, 0, 3, 1], coin_cards=2, hand_cards=1).new(3)
    assert cards(match) == ["COIN10#16", "COIN10#18", "USD20#28", "USD20#3", "USD30#20", "USD50#5", "USD60#30"]


def test_coins_are_counted_by_metal():
    """coin_cards."""
    match = outbid.game("money", coins="silver_gold", currencies=1, coin_cards=1).new(3)
    assert [name for name in cards(match) if name[:3] != "USD"] == ["GOLD20#7", "SILVER10#2"]


def test_two_twenties_are_no_triplet_though_there_are_no_more():
    """denominations."""
    options = {"currencies": 1, "denominations": [2, 0, 0, 0, 0], "coin_cards": 0, "full_value": 0, "hand_cards": 1}
    match = outbid.game("money", least_players=2, **options).new(2)
    match.state.place = [GONE if place == GONE else 0 for place in match.state.place]
    assert match.scores == [40, 0]


def test_with_too_few_cards_hands_are_even_and_displays_are_filled_right_first():
    """Readings: too few cards."""
    match = outbid.game("money", currencies=1, coin_cards=0, hand_cards=2, display_cards=2).new(3)
    assert [len(match.deal[lot]) for lot in ("right", "left", "pile")] == [2, 1, 0]
    match = outbid.game("money", currencies=1, coin_cards=0).new(4)
    assert [len(hand) for hand in match.deal["hands"]] == [2, 2, 2, 2]
    assert [len(match.deal[lot]) for lot in ("right", "left", "pile")] == [1, 0, 0]


def test_whoever_takes_an_empty_display_gets_nothing_for_his_bid_and_then_stays_out():
    """Readings: too few cards."""
    match = outbid.game("money", currencies=1, coin_cards=0, denominations=[3, 0, 0, 0, 0], rounds=3).new(3)
    assert [len(hand) for hand in match.deal["hands"]] == [1, 1, 1]
    match.play(0, {"do": "bid", "cards": match.deal["hands"][0], "bluff": False})
    match.play(1, "bid nothing")
    match.play(2, "bid nothing")
    match.play(0, "take left")
    assert match.view()["displays"]["left"]["cards"] == match.deal["hands"][0]
    assert match.view()["players"][0]["cards"] == 0
    assert not any(choice.cards for choice in match.legal(0))
    match.play(0, "bid nothing")
    with pytest.raises(ValueError, match="not asked now"):
        match.play(0, "bid nothing")


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_the_last_of_the_rounds_is_a_last_round(rounds):
    """rounds."""
    match = outbid.game("money", rounds=rounds, stall_rounds=0).new(3)
    for number in range(1, rounds + 1):
        assert match.view()["round"] == number
        assert match.view()["last_round"] == (number == rounds)
        stay_out(match)
    assert match.over


def test_why_a_round_is_the_last_is_told_as_it_is():
    """rounds: cards are left in the pile."""
    match = outbid.game("money", rounds=2, stall_rounds=0).new(3)
    stay_out(match)
    assert match.log()[-1].text == "Round 2 is the last, as the rules of this match say."


def test_a_match_may_end_before_its_rounds_are_used_up():
    """rounds: the other ends stay."""
    match = outbid.game("money", rounds=1000, stall_rounds=1).new(3)
    stay_out(match)
    assert match.view()["last_round"]
    stay_out(match)
    assert match.over
