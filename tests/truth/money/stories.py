"""The matches and positions behind the truth files of Money! (tests/truth/make.py)."""

from __future__ import annotations

import random
from typing import Any

import outbid
from outbid.bots import choose
from outbid.core.match import Match
from tests.money.table import NAMES, fresh, out, play, play_at_random

# --- matches ----------------------------------------------------------------------------------------------------------


def to_the_end(match: Match, seed: int, longest: int = 4) -> Match:
    """Random moves until the match is over."""
    rng = random.Random(seed)
    while not match.over:
        assert len(match.moves) < 3000
        play_at_random(match, rng, longest)
    return match


def at_random(seed: int, players: int, longest: int = 4, **options: Any) -> Match:
    """A match played at random to its end."""
    return to_the_end(outbid.game("money", **options).new(players, seed, NAMES[:players]), seed, longest)


def steadily(seed: int, players: int, **options: Any) -> Match:
    """A match of steady players."""
    match = outbid.game("money", **options).new(players, seed, NAMES[:players])
    while not match.over:
        seat = match.asked[0]
        match.play_steps(seat, choose(match, seat, "steady", seed).actions)
    return match


DISPLAYS = {"right": "EUR20 EUR20 JPY30 JPY60", "left": "EUR50 CHF20 CHF60 COIN10"}


def orders() -> Match:
    """50, 40, 10 and one who stays out; equal sums; swaps that pass priority on; a display of six; then the stall rule."""
    match = fresh(
        "USD40 GBP30#13 GBP30#40 COIN10 USD20 EUR30", "COIN10 GBP20#8 GBP40#11 JPY20 CHF30 USD30",
        "USD50 EUR60 EUR40 JPY20 CHF30 SEK20", "GBP20 USD20 SEK40 SEK50 CHF40 JPY50", stall_rounds=2, **DISPLAYS,
    )  # fmt: skip
    play(match, "0 bid USD40 / 1 bid COIN10 / 2 bid USD50 / 3 stay out / 2 keep / 0 keep / 1 keep")
    play(match, "0 bid GBP30 GBP30 / 1 bid GBP20 GBP40 / 2 bid EUR60 / 3 stay out / 1 swap with 2 / 2 keep / 0 take right")
    play(match, "0 stay out / 1 bid EUR60 / 2 bid USD50 / 3 bid USD20 with bluff")
    play(match, "1 swap with 3 / 3 swap with 2 / 2 take left")
    match.play(0, {"do": "bid", "cards": match.view(0)["hand"][:6], "bluff": False})
    play(match, "1 stay out / 2 stay out / 3 stay out / 0 take right")
    return out(out(match))


def original_order() -> Match:
    """Bids change hands, the order does not."""
    match = fresh("USD60 USD50", "GBP60#39", "GBP20#8 EUR40", swap_order="original_order", rest=2, **DISPLAYS)
    play(match, "0 bid USD60 USD50 / 1 bid GBP60 / 2 bid GBP20 EUR40 / 0 swap with 1 / 2 swap with 1 / 1 take left")
    return to_the_end(match, 3)


def shared() -> Match:
    """Nobody draws: the stall rule, and two with the same score."""
    match = fresh("COIN10 COIN10", "COIN10 COIN10", "COIN10", stall_rounds=1, **DISPLAYS)
    return out(out(match))


def short(**options: Any) -> Match:
    """A small game, three cards each and two displays of two."""
    hands = ("USD30 USD30 COIN10", "GBP60 EUR50 JPY20", "USD20 CHF40 EUR20")
    return fresh(*hands, right="USD30 GBP20", left="EUR60 COIN10", rest=3, hand_cards=3, display_cards=2, **options)


def short_match() -> Match:
    """Every kind of move: both displays, a swap, keeping, a bluff card among others, staying out."""
    return play(
        short(stall_rounds=2),
        """0 bid COIN10 / 1 bid GBP60 with bluff / 2 bid USD20 / 1 take left / 2 keep / 0 take right
        0 stay out / 1 bid EUR60 EUR50 / 2 bid CHF40 EUR20 / 1 swap with 2 / 2 keep
        0 bid USD30 USD30 / 1 bid COIN10 / 2 stay out / 0 take left / 1 keep
        0 stay out / 1 stay out / 2 bid EUR50 / 2 take right""",
    )


RECORDS = {
    "orders": orders,
    "original-order": original_order,
    "shared": shared,
    "short": short_match,
    "short-open": lambda: to_the_end(
        short(stall_rounds=1, bid_counts="visible_on_commit", memory_aid="on", swap_order="original_order"), 5, 2
    ),
    "steady-3": lambda: steadily(1, 3),
    "steady-4": lambda: steadily(2, 4),
    "steady-5": lambda: steadily(3, 5),
    "steady-silver-gold": lambda: steadily(4, 4, coins="silver_gold", coin_triplet_bonus="per_three"),
    "random-3": lambda: at_random(1, 3),
    "random-4": lambda: at_random(2, 4),
    "random-5": lambda: at_random(3, 5, 9),
    "cannot-fill": lambda: at_random(4, 3, end_trigger="cannot_fill"),
    "no-extra-round": lambda: at_random(5, 4, end_trigger="no_extra_round", swap_order="original_order"),
    "silver-gold-once": lambda: at_random(6, 5, coins="silver_gold", coin_triplet_bonus="once"),
    "stall-off": lambda: at_random(7, 3, stall_rounds=0, end_trigger="cannot_fill"),
    "knobs": lambda: at_random(
        8, 3, hand_cards=8, display_cards=6, full_value=150, penalty=50, triplet_bonus=70, coins="silver_gold",
        coin_triplet_bonus="per_three", coin_bonus=30,
    ),
    "small": lambda: at_random(9, 2, preset="small3"),
}  # fmt: skip

PLAYTHROUGHS = ("short", "short-open")


# --- positions --------------------------------------------------------------------------------------------------------


def bidding(**options: Any) -> Match:
    """The first bids of a small game."""
    return short(**options)


def exchanging(**options: Any) -> Match:
    """Three bids lie on the table."""
    return play(short(**options), "0 bid COIN10 USD30 / 1 bid GBP60 / 2 bid EUR20")


ONES = ("USD20", "GBP20", "EUR30", "JPY20")
SMALL = {"right": "USD30", "left": "GBP30", "hand_cards": 1, "display_cards": 1}

PERFT = {
    "bids-3": lambda: (bidding(), 4),
    "bids-4": lambda: (fresh(players=4, hand_cards=2, display_cards=1), 4),
    "bids-5": lambda: (fresh(players=5, hand_cards=1, display_cards=1), 5),
    "reveal-3": lambda: (play(bidding(), "0 bid USD30 COIN10 / 1 stay out"), 5),
    "exchange-3": lambda: (exchanging(), 5),
    "exchange-original-order": lambda: (exchanging(swap_order="original_order"), 5),
    "exchange-4": lambda: (play(fresh(*ONES, **SMALL), "0 bid USD20 / 1 bid GBP20 / 2 bid EUR30 / 3 bid JPY20"), 5),
    "last-round": lambda: (out(bidding(stall_rounds=1)), 4),
}
