"""The matches and positions behind the truth files of Claim (tests/truth/make.py)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import outbid
from outbid.core.match import Match
from tests.claim.table import ACTION, ALL, NAMES, SHOP, THREE, deal, play, to_the_end

# --- matches ----------------------------------------------------------------------------------------------------------


def set_up(hands: list[list[str]], start: int = 0, products: Sequence[str] = (), **options: Any) -> Match:
    """A match with these hands; a `hand_cap` sets all other bills aside. The products named come first."""
    options = {"hand_cap": len(hands[0]), **options}
    game = outbid.game("claim", **options)
    made = game.new(len(hands), 1).deal
    rest = [bill for hand in made["hands"] for bill in hand] + made["aside"] + made["centre"]
    for hand in hands:
        for bill in hand:
            rest.remove(bill)
    laid = made | {"start": start, "hands": hands, "centre": [], "aside": rest}
    if "products" in made:
        laid["products"] = [*products, *(name for name in made["products"] if name not in products)]
        laid["reserve"] = ["6", "0", "-2", "-1", "6", "0", "-2", "-1"]
    return game.load(NAMES[: len(hands)], laid)


def first_match() -> Match:
    """Four players: a push to another, one to oneself, claims, and a win by the second stack."""
    hands = [["3", "4", "1", "2"], ["2", "3", "4", "1"], ["3", "1", "1", "1"], ["1", "4", "2", "2"]]
    return play(
        set_up(hands),
        """0 play 3 / 0 end / 1 play 3 / 1 push 3 to 2 / 1 end / 2 play 1 / 2 end / 3 play 4 / 3 end
        0 play 4 / 0 push 4 to 0 / 0 end / 1 play 4 / 1 claim 1 / 1 end / 2 play 3 / 2 end / 3 play 2 / 3 claim 4 / 3 end
        0 play 2 / 0 claim 3""",
    )


def second_match() -> Match:
    """Three players: five 1s, a claim that opens targets, an empty table, run-out with money that decides."""
    hands = [["1", "1", "2"], ["1", "1", "2"], ["1", "3", "2"]]
    return play(
        set_up(hands, goal=12),
        """0 play 1 / 0 end / 1 play 1 / 1 end / 2 play 3 / 2 claim 1 / 2 end / 0 play 2 / 0 claim 3 / 0 end
        1 play 2 / 1 end / 2 play 2 / 2 push 2 to 1 / 2 end / 0 play 1 / 0 end / 1 play 1 / 1 end / 2 play 1 / 2 end""",
    )


def nobody_can(**options: Any) -> Match:
    """Two players with two numbers: soon nobody can claim what is full."""
    return to_the_end(deal(2, 4, goal=40, **options), 5)


def corners() -> Match:
    """Nothing but wild bills on an empty table; a play that only a frozen stack takes; a rest that would meet a lock."""
    hands = [["w", "w", "w"], ["3", "1/3", "2:vault"], ["3:vault", "2:merger", "2"], ["3", "3", "3"]]
    return play(
        set_up(hands, wild_wagers=True, bad_investment=True, **ACTION),
        """0 end / 1 play 3 / 1 end / 2 play 2 / 2 end / 3 play 3 / 3 push 3 to 3 / 3 end
        0 play w on 2 / 0 end / 1 play 1/3 as 1 new / 1 claim 2 / 1 end
        2 play 3:vault / 2 icon vault 3 frozen / 2 end / 3 play 3 / 3 push 3 to 2 / 3 end
        0 play w on 1 / 0 end / 1 play 2:vault / 1 icon vault 1 closed / 1 end
        2 play 2:merger / 2 end / 3 play 3 / 3 end / 0 play w on 1 / 0 end""",
    )


def locks() -> Match:
    """A Merger that may not bring 3s to a closed stack of 3s; a closed stack is filled; the lock falls."""
    hands = [["3", "2:merger", "1"], ["1/3", "1", "1"], ["3:vault", "2", "3"]]
    return play(
        set_up(hands, bad_investment=True, **ACTION),
        """0 play 3 / 0 end / 1 play 1/3 as 1 on 3 / 1 end / 2 play 3:vault / 2 icon vault 3 closed / 2 end
        0 play 2:merger / 0 icon merger 2 onto 1 / 0 push 2 to 1 / 0 end / 1 play 1 / 1 end / 2 play 3 / 2 push 3 to 0
        2 end / 0 play 1 / 0 end / 1 play 1 / 1 end / 2 play 2 / 2 end""",
    )


def icons() -> Match:
    """Every icon used once: short, for a playthrough."""
    hands = [["1:audit", "2:call_in", "3:refund"], ["1:dividend", "2", "1:fast_track"], ["2:u_turn", "3", "3:vault"]]
    return play(
        set_up(hands, **ACTION),
        """0 play 1:audit / 0 icon audit 2 for 3 / 2 give 3 / 0 give 3 / 0 end
        1 play 1:dividend / 1 icon dividend / 1 end
        2 play 3 / 2 claim 1 / 2 skip / 2 end
        0 play 2:call_in / 0 icon call_in push 3 to 0 / 0 end
        1 play 2 / 1 end
        2 play 2:u_turn / 2 icon u_turn / 2 push 2 to 1 / 2 end
        1 play 1:fast_track / 1 icon fast_track 0 / 1 end
        0 play 3:refund / 0 icon refund 3 withdraw 3 / 0 end
        2 play 3:vault / 2 icon vault 1 closed / 2 push 3 to 0 / 2 end
        1 end / 0 play 3 / 0 end""",
    )


def shop() -> Match:
    """Products, an offer refused and one accepted, insurance, a forecast: short, for a playthrough."""
    hands = [["2", "3", "1"], ["2", "1", "3"], ["3", "2", "1"]]
    products = ["Insurance", "Forecast", "Foreign Exchange", "Market Research"]
    return play(
        set_up(hands, products=products, prices=[0] * 12, **SHOP),
        """0 play 2 / 0 buy Forecast / 0 end / 0 forecast 2
        1 play 2 / 1 buy Insurance / 1 end
        2 play 3 / 2 claim 2 / 2 end
        0 play 1 / 0 buy Foreign Exchange / 0 end / 0 forecast 1
        1 play 3 / 1 push 3 to 1 / 1 offer to 0 give 1 get 6 coins 1 / 0 refuse / 1 end
        2 play 2 / 2 end
        0 play 6 / 0 claim 2 / 0 push 6 to 1 / 1 refuse / 0 push 6 to 2""",
    )


def forecast_wins() -> Match:
    """A coin for a forecast that comes true is enough."""
    hands = [["1", "1"], ["1", "1"]]
    return play(
        set_up(hands, products=["Forecast"], prices=[0] * 12, goal=1, **SHOP),
        "0 play 1 / 0 buy Forecast / 0 end / 0 forecast 1 / 1 play 1",
    )


def express() -> Match:
    """The second bill of an Express Lane turns a stack that the first has filled."""
    hands = [["2", "2", "1/2", "1"], ["2", "1", "1", "1"]]
    return to_the_end(
        play(
            set_up(hands, products=["Express Lane"], prices=[0] * 12, bad_investment=True, **SHOP),
            """0 play 2 / 0 buy Express Lane / 0 end / 1 play 2 / 1 end
            0 play 2 / 0 play 1/2 as 1 on 2 / 0 push 1 to 1""",
        ),
        3,
    )


def few_bills() -> Match:
    """Fewer bills than icons; an offer that asks for a bill the other does not hold."""
    match = deal(3, 2, copies=[4, 4, 4, 0, 0, 0], **ACTION, **SHOP)
    hands = match.deal["hands"]
    seat = match.asked[0]
    other = (seat + 1) % 3
    third = (seat + 2) % 3
    match.play(seat, {"do": "play", "bill": next(bill for bill in hands[seat] if ":" in bill)})
    while match.view()["phase"] != "window":
        match.play(match.asked[0], "skip")
    wanted = next(bill for bill in hands[third] if ":" in bill)
    things: dict[str, Any] = {"bills": [], "stacks": [], "coins": 0}
    match.play(seat, {"do": "offer", "to": other, "give": things, "get": things | {"bills": [wanted]}})
    match.play(other, "refuse")
    return to_the_end(match, 2)


def duel() -> Match:
    """The duel of two at random."""
    return to_the_end(outbid.game("claim", "duel").new(2, 2, NAMES[:2]), 2)


def leftovers() -> Match:
    """Leftovers in the centre, some of which leave the game."""
    options = {"wild_wagers": True, "bad_investment": True, "action_fund": True, "copies": [9, 9, 8, 3, 3, 1]}
    for seed in range(4000):
        match = deal(6, seed, **options)
        centre = match.deal["centre"]
        kinds = [any(mark in bill for bill in centre) for mark in ("w", "/", ":")]
        if all(kinds) and len(match.view()["stacks"]) > 1:
            return to_the_end(match, 4)
    raise AssertionError


def zeros() -> Match:
    """Six zeros win, gathered by whoever claims them whenever he can."""
    match = set_up([["0"] * 6, ["0"] * 6, ["1"] * 6], zero_risk=True, zero_goal=6, goal=30)
    rng = random.Random(1)
    while not match.over:
        menu = match.legal(match.asked[0])
        zero = [choice.move for choice in menu if choice.move == {"do": "claim", "stack": 0}]
        match.play(match.asked[0], zero[0] if zero else rng.choice(menu.choices).move)
    return match


def everything(seed: int, players: int, **options: Any) -> Match:
    """All five expansions, at random."""
    return to_the_end(deal(players, seed, **{**ALL, **options}), seed)


RECORDS = {
    "first": first_match,
    "second": second_match,
    "anyone": nobody_can,
    "stay": lambda: nobody_can(no_target_rule="stay"),
    "staged-strict": lambda: nobody_can(no_target_rule="staged", push_reading="strict"),
    "duel": duel,
    "leftovers": leftovers,
    "zeros": zeros,
    "three-expansions": lambda: to_the_end(deal(5, 8, wild_worth=2, **THREE), 8),
    "corners": corners,
    "locks": locks,
    "icons": icons,
    "shop": shop,
    "forecast": forecast_wins,
    "express": express,
    "few-bills": few_bills,
    "everything-2": lambda: everything(73, 2, goal=20, slow_down_gap=3),
    "everything-3": lambda: everything(35, 3, no_target_rule="stay", wild_worth=2, goal=14),
    "everything-4": lambda: everything(8, 4, no_target_rule="staged", push_reading="strict", goal=15),
    "everything-4c": lambda: everything(8, 4, slow_down_gap=2),
    "everything-5": lambda: everything(2, 5, slow_down_gap=2),
    "everything-6": lambda: everything(35, 6, no_target_rule="stay", wild_worth=2, goal=14),
    "icons-and-shop-2": lambda: to_the_end(deal(2, 130, **SHOP, **ACTION, goal=16), 130),
    "icons-and-shop-4": lambda: to_the_end(deal(4, 46, **SHOP, **ACTION, goal=16), 46),
    "icons-and-shop-4b": lambda: to_the_end(deal(4, 76, **SHOP, **ACTION, goal=16), 76),
}

PLAYTHROUGHS = ("first", "icons", "shop")


# --- positions --------------------------------------------------------------------------------------------------------

PERFT: dict[str, Any] = {
    "start-2": lambda: (deal(2, 1), 8),
    "start-3": lambda: (deal(3, 1), 6),
    "start-6": lambda: (deal(6, 1), 5),
    "strict-stay-3": lambda: (deal(3, 1, push_reading="strict", no_target_rule="stay"), 6),
    "duel": lambda: (outbid.game("claim", "duel").new(2, 2, NAMES[:2]), 7),
    "wild-4": lambda: (deal(4, 1, wild_wagers=True), 6),
    "zeros-4": lambda: (deal(4, 1, zero_risk=True), 6),
    "weird-4": lambda: (deal(4, 1, bad_investment=True), 5),
    "icons-4": lambda: (deal(4, 1, **ACTION), 5),
    "everything-3": lambda: (deal(3, 1, **ALL), 4),
}
