"""Which moves have shown what lay hidden, game by game: those can never be taken back (core/revealing.py)."""

import pytest

import outbid
from outbid.core.revealing import revealed


def played(game, *moves, players=3, **options):
    """A match after these moves, each as text of the seat that is asked first."""
    match = outbid.game(game, **options).new(players=players, seed=7)
    for move in moves:
        match.play(match.asked[0], move)
    return match


def test_an_animal_that_is_turned_over_is_seen_and_a_bid_is_not():
    match = played("kuhhandel", "auction")
    assert revealed(match, 1)
    match.play(match.asked[0], "bid 40")
    assert not revealed(match, 1)
    match.play(match.asked[0], "pass")
    assert not revealed(match, 2)
    assert revealed(match, 3), "the animal is among them"


def test_a_card_of_rivals_that_is_uncovered_is_seen():
    assert revealed(played("rivals", "uncover"), 1)


@pytest.mark.parametrize("bids", ["sealed", "visible_on_commit"])
def test_nothing_is_taken_back_in_a_sealed_round(bids):
    match = outbid.game("money", **({} if bids == "sealed" else {"bid_counts": bids})).new(players=3, seed=7)
    match.random_move(match.asked[0], 1)
    assert revealed(match, 1)


def test_nothing_is_hidden_in_a_deal_of_currencies_that_all_see():
    match = outbid.game("forex").new(players=3, seed=7)
    match.play(match.asked[0], "invest GBP")
    assert not revealed(match, 1)


def test_an_offer_that_was_taken_is_seen():
    match = outbid.game("kuhhandel").new(players=3, seed=3)
    for seed in range(4000):
        if match.over or match.view()["phase"] == "reply":
            break
        seat = match.asked[0]
        trade = [text for text in match.legal(seat).texts if text.startswith("trade")]
        match.play(seat, trade[0]) if trade else match.random_move(seat, seed)
    assert match.view()["phase"] == "reply"
    match.play(match.asked[0], "accept")
    assert revealed(match, 1)
    assert revealed(match, 2)


def test_several_moves_are_undone_at_once_and_the_match_goes_on_as_if_they_had_not_been():
    match = played("kuhhandel", "auction", "bid 40")
    before = match.record(), [line.text for line in match.log(0)]
    for move in ("bid 50", "pass"):
        match.play(match.asked[0], move)
    match.marks = {2: {"by": "steady"}}
    match.take_back(2)
    assert (match.record(), [line.text for line in match.log(0)]) == before
    assert match.marks == {}
