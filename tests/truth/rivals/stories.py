"""The matches and positions behind the truth files of Rivals (tests/truth/make.py)."""

from __future__ import annotations

import random
from typing import Any

import outbid
from outbid.bots import choose
from outbid.core.match import Match
from tests.rivals.table import NAMES, STARTING, fresh, full_deck, play, play_at_random, uncover

# --- matches ----------------------------------------------------------------------------------------------------------


def to_the_end(match: Match, seed: int) -> Match:
    """Random moves until the match is over."""
    rng = random.Random(seed)
    while not match.over:
        play_at_random(match, rng)
    return match


def at_random(seed: int, players: int, **options: Any) -> Match:
    """A match played at random to its end."""
    return to_the_end(outbid.game("rivals", **options).new(players, seed, NAMES[:players]), seed)


def steady(seed: int, players: int, preset: str = "seed") -> Match:
    """A match among steady players, all bids and takes with a purpose."""
    match = outbid.game("rivals", preset).new(players, seed, NAMES[:players])
    while not match.over:
        seat = match.asked[0]
        match.play_steps(seat, choose(match, seat, "steady", seed).actions)
    return match


def worked_example() -> Match:
    """38 points: one auction for 10 gold in the last pile, 3 of which come back."""
    match = uncover(fresh("Rx", "R3", "R3", "R5", "R8", "B6", "B9", "G10"), 63)
    play(match, "0 bid 10 / 1 pass / 2 pass / 0 take Rx R3 R3 R5 R8 B6 B9 G10 / 0 remove B10")
    return uncover(match, 16)


def the_best_expedition() -> Match:
    """98 points: every red card there is in one expedition, and a match in which nobody else buys."""
    red = [card for card in full_deck() if card[0] == "R"]
    match = uncover(fresh(*red, players=2), 16)
    play(match, "0 bid 1 / 1 pass / 0 take Rx Rx Rx R2 R2 R3 R3 R4 R4 R5 R5 R6 R7 R8 R9 R10")
    return uncover(match, 63)


def bidding() -> Match:
    """Long and short auctions: jumps, passes, somebody who has exactly the bid, nobody who could raise, nobody with gold."""
    match = play(fresh("R4", "B7", "G2", "Y2", players=4), "0 uncover / 1 bid 1 / 2 bid 2 / 3 pass / 0 bid 4 / 1 bid 9")
    play(match, "1 take nothing / 1 remove nothing / 0 bid 8 / 2 bid 9 / 2 take R4 B7 / 1 uncover / 2 uncover")
    play(match, "3 bid 9 / 3 take G2 / 3 remove Y2 / 2 uncover / 3 uncover / 0 bid 9 / 0 take nothing / 0 remove nothing")
    return to_the_end(match, 1)


def nobody_pays() -> Match:
    """Nothing but turned-up cards: all share the victory."""
    return uncover(fresh(players=4, start=3), 80)


def one_pays() -> Match:
    """Without a last division: who bought nothing of worth loses, and two share the victory."""
    match = play(fresh("R2", final_distribution=False), "0 uncover / 1 bid 1 / 2 pass / 0 pass / 1 take R2")
    uncover(match, 60)
    play(match, "0 bid 6 / 1 pass / 2 pass / 0 take nothing / 0 remove nothing")
    return uncover(match, 17)


def dead_cards() -> Match:
    """High reds and blues with both players, and cards that leave the game by themselves, also the only one on display."""
    deck = ("R10", "B9", "R9", "B10", "R2", "Rx", "B3", "G2", "B4")
    match = fresh(*deck, players=2, dead_cards="discard")
    play(match, "0 uncover / 1 uncover / 0 uncover / 1 uncover / 0 bid 2 / 1 pass / 0 take R10 B10 / 0 remove nothing")
    play(match, "1 bid 2 / 0 pass / 1 take R9 B9")
    return to_the_end(match, 2)


SMALL = {"copies": [1, 1, 0, 0, 0, 0, 0, 0, 1], "wagers": 1, "piles": 2, "pile_distribution": True}
SMALL_DECK = [
    "R3", "Bx", "R2", "Gx", "B2", "Y10", "G3", "R10", "Wx", "Y2",
    "B3", "G2", "W3", "Rx", "Y3", "W2", "G10", "Yx", "B10", "W10",
]  # fmt: skip


def short_match(**options: Any) -> Match:
    """A deck of twenty cards in two piles, and every kind of move."""
    deal = {"start": 1, "starting": STARTING[:3], "deck": SMALL_DECK}
    match = outbid.game("rivals", **(SMALL | options)).load(NAMES[:3], deal)
    return play(
        match,
        """1 uncover / 2 uncover / 0 bid 1 / 1 pass / 2 bid 3 / 0 bid 4 / 2 pass / 0 take Bx R3
        2 uncover / 0 uncover / 1 bid 2 / 2 pass / 0 pass / 1 take B2 Gx / 1 remove R2
        0 uncover / 1 uncover / 2 bid 8 / 1 bid 9 / 2 bid 12 / 2 take nothing / 2 remove nothing
        1 bid 10 / 1 take G3 / 1 remove nothing
        0 uncover / 1 uncover / 2 bid 7 / 0 pass / 1 pass / 2 take R10 Wx / 2 remove nothing
        1 uncover / 2 uncover / 0 bid 5 / 1 pass / 0 take B3 / 0 remove Y10
        2 uncover / 0 uncover / 1 uncover / 2 uncover""",
    )


def tiny() -> Match:
    """Five wagers, more piles than cards, all the gold for one card after the other."""
    options = {"copies": [0] * 9, "wagers": 1, "piles": 8, "coins": 10}
    options |= {"auction_on_empty_display": True, "pile_distribution": True}
    deal = {"start": 0, "starting": STARTING[:3], "deck": ["Rx", "Bx", "Gx", "Yx", "Wx"]}
    match = outbid.game("rivals", **options).load(NAMES[:3], deal)
    play(match, "0 bid 3 / 0 take nothing / 2 bid 1 / 1 bid 2 / 2 pass / 1 take Rx")
    return uncover(match, 3)


RECORDS = {
    "example-38": worked_example,
    "best-expedition-98": the_best_expedition,
    "bidding-4": bidding,
    "nobody-pays": nobody_pays,
    "tie-of-two": one_pays,
    "dead-cards": dead_cards,
    "short": short_match,
    "tiny": tiny,
    "random-2": lambda: at_random(1, 2),
    "random-3": lambda: at_random(2, 3),
    "random-4": lambda: at_random(3, 4),
    "left-of-opener": lambda: at_random(4, 3, next_after_auction="left_of_opener", must_take_at_least_one=True),
    "published": lambda: steady(5, 4, "published"),
    "steady-2": lambda: steady(6, 2),
    "steady-3": lambda: steady(7, 3),
    "knobs": lambda: at_random(
        8, 4, coins=50, piles=7, opening_bid=3, wagers=4, copies=[1, 1, 1, 1, 2, 2, 2, 2, 2], bonus=20, bonus_cards=3,
        footprints=[0, 1, 1, 2, 2, 3, 3, 4, 5], dead_cards="discard", pile_distribution=True,
    ),
}  # fmt: skip

PLAYTHROUGHS = ("short", "tiny")


# --- positions --------------------------------------------------------------------------------------------------------


def small(script: str, **options: Any) -> Match:
    """A small deck and little gold, after some moves."""
    deal = {"start": 0, "starting": STARTING[:3], "deck": SMALL_DECK}
    return play(outbid.game("rivals", **(SMALL | {"coins": 9} | options)).load(NAMES[:3], deal), script)


TWINS = ["R2", "R2", "Rx", "Rx", "R10"]
FOUR_TURNS = "0 uncover / 1 uncover / 2 uncover / 0 uncover"

PERFT = {
    "start-2": lambda: (fresh("R4", "R4", "Rx", players=2), 5),
    "start-3": lambda: (fresh("R4", "R4", "Rx"), 5),
    "start-4": lambda: (fresh("R4", "R4", "Rx", players=4), 5),
    "small": lambda: (small(FOUR_TURNS), 7),
    "small-left-of-winner": lambda: (small(FOUR_TURNS, next_after_auction="left_of_winner"), 7),
    "small-left-of-opener": lambda: (small(FOUR_TURNS, next_after_auction="left_of_opener"), 7),
    "small-empty-display": lambda: (small("", auction_on_empty_display=True), 8),
    "small-must-take": lambda: (small(f"{FOUR_TURNS} / 1 bid 1", must_take_at_least_one=True), 7),
    "small-discard": lambda: (small(f"{FOUR_TURNS} / 1 bid 1", dead_cards="discard"), 7),
    "small-last-pile": lambda: (uncover(small(""), 17), 4),
    "take-twins": lambda: (play(uncover(fresh(*TWINS), 5), "2 bid 12"), 6),
}
