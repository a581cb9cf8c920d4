"""Reasons of Money! by its rules: a position for each, what is told there, and not for the contrary move."""

from outbid.core.match import Match
from outbid.games.money.hooks import mechanisms
from tests.support.reasoning import sentences, shown

from .table import full, play, position

OTHERS = ("EUR30 EUR30 COIN10 JPY40", "CHF20 CHF30 JPY20")
HAND = "USD20 USD20 USD60 COIN10 GBP50"
RICH = "USD20 USD20 USD20 USD60 USD50 USD40 COIN10 GBP50"
FIVE = "EUR20 EUR20 EUR20 EUR50 EUR60 JPY40"


def bidding(hand: str = HAND) -> Match:
    """Before the bids; all hands have been seen."""
    return position(hand, *OTHERS, right="GBP20 GBP40", left="EUR30 CHF50", seen=True)


def choosing(bid: str = "GBP50", hand: str = HAND, ben: str = OTHERS[0], right: str = "USD20 USD40 USD50 GBP20") -> Match:
    """Ada has the highest bid and chooses, then Ben."""
    match = position(hand, ben, OTHERS[1], right=right, left="EUR30 CHF50", seen=True)
    return play(match, f"0 bid {bid} / 1 bid JPY40 / 2 bid CHF30")


BROKEN = choosing("USD20 GBP50", RICH, right="GBP20 GBP40")

POSITIONS = {
    "series": (choosing(), "take right", "take left", "It gives you all three 20s of USD."),
    "full": (choosing(), "take right", "take left", "It brings you to 200 USD or more, from which nothing is deducted."),
    "breaks_series": (BROKEN, "keep", "take right", "It breaks up your three 20s of USD, and their bonus is gone."),
    "breaks_full": (
        BROKEN, "keep", "take right", "It leaves you less than 200 USD, from which 100 are deducted."),
    "worth": (
        choosing(), "take right", "take left", "As things stand, that leaves you with 320 points instead of 10."),
    "cards": (
        choosing(right="JPY50 JPY60"), "take right", "take left",
        "Your cards then add up to 220 instead of 190, as printed: that counts once a currency is full."),
    "they_series": (
        choosing("EUR40 USD20", "USD20 EUR40", "USD20 USD20 JPY40", right="GBP20 GBP40"), "keep", "swap with 1",
        "Ben then has all three 20s of USD."),
    "next_series": (choosing(), "take left", "keep", "Ben chooses next and can get all three 30s of EUR."),
    "next_full": (
        choosing(ben=FIVE, right="GBP20 GBP40"), "take left", "keep",
        "Ben chooses next and can get 200 EUR or more, from which nothing is deducted."),
    "out": (bidding(), "bid COIN10", "stay out", "Without a card in the bid nothing can be taken in this round."),
    "aim": (
        bidding(), "bid COIN10", "stay out",
        "Swapped for the better display, the bid leaves you with 10 points, as things stand."),
    "aim_more": (
        bidding(), "bid USD20", "bid COIN10",
        "Swapped for the better display, the bid leaves you with 20 points instead of 10, as things stand."),
    "lays": (
        bidding(), "bid COIN10", "bid GBP50",
        "The cards in the bid add up to 50 instead of 10, as printed; they go with any swap."),
    "risks": (
        bidding(RICH), "stay out", "bid COIN10 USD40",
        "The cards in the bid are worth 150 points to you; they go with any swap."),
    "risks_more": (
        bidding(RICH), "bid COIN10", "bid USD60",
        "The cards in the bid are worth 160 points to you instead of 10; they go with any swap."),
    "stakes_series": (
        bidding(RICH), "bid COIN10", "bid USD20",
        "The bid breaks up your three 20s of USD: with any swap their bonus is gone."),
    "stakes_pair": (
        bidding(), "bid GBP50", "bid USD20",
        "The bid breaks up your two 20s of USD, which lack only the third for a bonus of 100."),
    "stakes_full": (
        bidding(RICH), "bid COIN10", "bid USD50",
        "With any swap of the bid, less than 200 USD is left, from which 100 are deducted."),
}  # fmt: skip


test_a_mechanism_is_told_for_the_move_it_speaks_for, test_every_mechanism_has_a_position = shown(
    mechanisms,
    {
        name: (match, full(match, 0, better), full(match, 0, worse), sentence)
        for name, (match, better, worse, sentence) in POSITIONS.items()
    },
)


def test_of_cards_that_nobody_has_seen_nothing_is_said():
    match = position(HAND, *OTHERS, right="USD20", left="EUR30 CHF50")
    play(match, "0 bid GBP50 / 1 bid JPY40 / 2 bid CHF30")
    assert not [sentence for sentence in sentences(match, "take left", "keep") if "EUR" in sentence]


def test_a_coin_is_no_risk_and_bids_that_differ_little_are_not_compared():
    assert sentences(bidding(RICH), "stay out", "bid COIN10") == []
    assert not [sentence for sentence in sentences(bidding(), "bid GBP50", "bid USD60") if "add up" in sentence]


def test_what_all_cards_add_up_to_counts_no_more_in_the_last_round():
    for last in (False, True):
        match = choosing(right="JPY50 JPY60")
        match.state.final = int(last)
        assert any("add up" in sentence for sentence in sentences(match, "take right", "take left")) != last
