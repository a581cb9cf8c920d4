"""Reasons of Kuhhandel by its rules: a position for each, what is told there, and not for the contrary move."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from outbid.core.hooks.mechanisms import cheaper
from outbid.core.match import Match
from outbid.games.kuhhandel.hooks import mechanisms
from tests.support.reasoning import sentences, shown

from .table import play, position

HANDS = [[100, 100, 0], [10, 10, 10, 50], [50, 50]]
POOR = [[50, 10], [10, 10, 10, 100], [50, 50]]
PAIRS: Sequence[Mapping[str, int]] = [{"cow": 2, "pig": 1}, {"cow": 2}, {"pig": 1}]
LAST: Sequence[Mapping[str, int]] = [{"cow": 2}, {"cow": 2}, {}]
THREE: Sequence[Mapping[str, int]] = [{"cow": 1, "pig": 1}, {"cow": 3}, {"pig": 1}]


def at(
    script: str,
    animals: Sequence[Mapping[str, int]] = PAIRS,
    hands: Sequence[Sequence[int]] = HANDS,
    deck: Sequence[str] = ("horse",),
    seen: bool = True,
    **options: Any,
) -> Match:
    """A table of three after a script; Ada begins, and all know all money unless said otherwise."""
    return play(position(hands, animals, deck, open_hands=seen, **options), script)


def cow(script: str, owner: int | None = None, **options: Any) -> Match:
    """Ada auctions a cow; one seat has three of them."""
    animals = [{"cow": 3} if seat == owner else {} for seat in range(3)]
    return at(f"0 auction / {script}", animals, deck=["cow"], **options)


POSITIONS = {
    "completes": (cow("1 bid 20 / 2 pass", 0), "buy", "sell", "The cow completes the cows for you: 800 points more."),
    "may_complete": (
        at(""), "trade cow with 1", "auction", "Winning the trade completes the cows for you: 800 points more."),
    "they_complete": (cow("1 bid 20 / 2 pass", 1), "buy", "sell", "Ben then completes the cows: 800 points more."),
    "they_may_complete": (
        cow("1 bid 10 / 2 bid 30", 2), "bid 40", "pass", "Cem can complete the cows with it: 800 points more."),
    "for_nothing": (cow("1 pass"), "bid 10", "pass", "Ada then gets the cow for nothing."),
    "insolvent_self": (cow(""), "bid 60", "bid 200", "200 is more than your 80: if Ada sells, everybody sees that money."),
    "insolvent_sold": (
        cow("", hands=[[50], *HANDS[1:]]), "bid 60", "bid 200",
        "Ada cannot pay 200: if nobody bids more, everybody sees your 80."),
    "no_change": (cow("1 pass"), "pass", "bid 10", "There is no change: to pay 10 takes notes worth 50."),
    "saves": (cow(""), "pass", "bid 200", "It leaves you 80, with 39 animals still in the deck."),
    "saves_more": (cow(""), "pass", "bid 50", "It leaves you 80 instead of 30, with 39 animals still in the deck."),
    "beyond_all": (cow("", hands=[[100], [200], [50, 50]]), "bid 100", "bid 90", "No other bidder can pay more than 100."),
    "sold": (cow("1 bid 20 / 2 pass", 0), "sell", "buy", "Ben pays you 20 or more."),
    "sold_if": (
        cow("1 bid 20 / 2 pass", 0, seen=False), "sell", "buy", "If Ben can pay, that brings you 20 or more."),
    "insolvent": (
        cow("1 bid 200 / 2 pass", 0), "sell", "buy", "Ben has at most 80 and cannot pay 200: the cow is auctioned again."),
    "pays": (
        cow("1 bid 20 / 2 pass"), "sell", "buy", "It costs 100, which goes to Ben and leaves you 100."),
    "can_outbid": (
        at(""), "trade cow with 1", "auction",
        "Ben has at most 80, less than your 200: this trade can be won for certain."),
    "outbid": (
        at("", THREE, POOR), "auction", "trade cow with 1",
        "Ben has at least 130, more than your 60, and can always outbid that."),
    "they_win_set": (
        at("", THREE, POOR), "auction", "trade cow with 1",
        "Losing this trade lets Ben complete the cows: 800 points more."),
    "no_set": (
        at(""), "trade cow with 1", "trade pig with 2", "Whoever wins it, the pigs are not complete after this trade."),
    "about": (
        at(""), "trade pig with 2", "auction", "The trade is about the pig, and a set of pigs is worth 650 points."),
    "about_more": (
        at(""), "trade cow with 1", "trade pig with 2",
        "The trade is about the 2 cows: a set of cows is worth 800 points, one of pigs 650."),
    "beats": (
        at("0 trade cow with 1 / 0 offer 0"), "counter 50 10", "counter 10",
        "It wins the trade against every offer below 60."),
    "unbeatable": (at("0 trade cow with 1"), "offer 100", "offer 0", "Ben has at most 80, so 100 wins the trade."),
    "called": (at("0 trade cow with 1"), "offer 100", "offer 0", "Any money that Ben counters with wins the 2 cows."),
    "works": (at("0 trade cow with 1"), "offer 0", "offer 100", "If Ben accepts, that brings you the 2 cows for nothing."),
    "too_little": (
        at("0 trade cow with 1", hands=[[100, 50, 0], *POOR[1:]]), "offer 100 50", "offer 50",
        "Ben has at least 130 and can lay more than 50."),
    "gives_up": (
        at("0 trade cow with 1 / 0 offer 0"), "counter 50", "accept", "Ada gets the 2 cows from you for 1 face-down card."),
    "gives_free": (
        at("0 trade cow with 1 / 0 offer nothing"), "counter 50", "accept", "Ada gets the 2 cows from you for nothing."),
    "nothing": (
        at("0 trade cow with 1 / 0 offer 0"), "counter 50", "counter nothing",
        "A counter worth nothing loses the 2 cows, unless the offer is worth nothing, too."),
    "nothing_now": (
        at("0 trade cow with 1 / 0 offer 0 / 1 counter nothing / 0 offer 100"), "counter 50", "counter nothing",
        "A counter worth nothing loses the 2 cows, and so does a second tie."),
    "overpays": (
        at("0 trade cow with 1"), "offer 100", "offer 100 100", "100 wins the trade as surely: Ben has at most 80."),
    "overbids": (
        cow("1 pass", hands=[[50], [10], [100, 100, 50]]), "bid 60", "bid 200",
        "A bid of 60 wins the auction as surely: nobody else can pay more than 50."),
    "overpaid": (
        cow("1 bid 20 / 2 pass / 0 buy", hands=[[200, 50], *HANDS[1:]]), "pay 50", "pay 200",
        "Notes worth 50 are enough, and there is no change."),
    "hands_over": (
        at("0 trade cow with 1"), "offer 0", "offer 100 100", "What is laid, 200, goes to Ben, whoever wins the trade."),
    "auction": (
        at("", THREE, POOR), "auction", "trade cow with 1",
        "An auction brings you the highest bid, or the animal for that price."),
    "last_use": (
        at("0 trade cow with 1", LAST, deck=[]), "offer 100 100", "offer 100",
        "After this trade money buys you nothing more, and at the end it is worth nothing."),
}  # fmt: skip


test_a_mechanism_is_told_for_the_move_it_speaks_for, test_every_mechanism_has_a_position = shown(mechanisms, POSITIONS)


def test_that_more_can_be_laid_does_not_speak_for_a_bluff():
    match = at("0 trade cow with 1", hands=[[50, 10, 0], *POOR[1:]])
    assert not [sentence for sentence in sentences(match, "offer 0", "offer 50") if "more than" in sentence]


def test_where_an_offer_is_surely_worth_nothing_a_counter_worth_nothing_loses_nothing():
    match = at("0 trade cow with 1 / 0 offer 0", hands=[[0, 0], *HANDS[1:]])
    assert not [sentence for sentence in sentences(match, "counter 50", "counter nothing") if "unless" in sentence]


def test_nobody_has_more_than_is_in_play_without_ones_own():
    """Of 380 in play Ada has 300; the money of the others has not been seen."""
    match = at("0 trade cow with 1", hands=[[100, 100, 100], [50], [10, 10, 10]], seen=False)
    assert "Ben has at most 80, so 100 wins the trade." in sentences(match, "offer 100", "offer nothing")


def test_of_money_that_nobody_has_seen_nothing_is_said():
    match = at("", THREE, POOR, seen=False)
    assert not [sentence for sentence in sentences(match, "auction", "trade cow with 1") if "at least" in sentence]


def test_where_a_kind_can_be_traded_again_money_is_of_use_still():
    match = at("0 trade cow with 1", [{"cow": 1}, {"cow": 3}, {}], deck=[])
    assert not [sentence for sentence in sentences(match, "offer 100 100", "offer 100") if "nothing more" in sentence]


@pytest.mark.parametrize(
    ("match", "dear", "enough"),
    [
        (POSITIONS["overpays"][0], "offer 100 100", "offer 100"),
        (at("0 trade cow with 1 / 0 offer 50", hands=[[50], [100, 50, 10, 10], []]), "counter 100 50", "counter 50 10"),
        (POSITIONS["overbids"][0], "bid 200", "bid 60"),
        (cow("1 pass", hands=[[100], [10], [200, 50, 50]]), "bid 200", ""),  # then Ada could not pay it, but 100 she could
        (cow("1 pass", hands=[[50], [10], [200]]), "bid 200", ""),  # there is no change
        (POSITIONS["overpaid"][0], "pay 200", "pay 50"),
        (at("0 trade cow with 1", seen=False), "offer 100 100", ""),  # who knows what Ben has
        (at("0 trade cow with 1", LAST, deck=[]), "offer 100 100", ""),  # money is worth nothing afterwards
        (at("0 trade cow with 1", hands=[[100, 10, 10], *HANDS[1:]]), "offer 100 10", ""),  # that is little
    ],
)
def test_what_surely_brings_the_same_for_less_is_found(match: Match, dear: str, enough: str):
    seat, words = match.asked[0], match.rulebook.words
    actions = cheaper(match.rulebook, match.state, seat, match.attempt(seat, dear).actions)
    assert (words.text(words.move(match.state, seat, list(actions))) if actions else "") == enough
