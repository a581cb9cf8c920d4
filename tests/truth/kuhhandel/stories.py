"""The matches and positions behind the truth files of Kuhhandel (tests/truth/make.py)."""

from __future__ import annotations

import random
from typing import Any

import outbid
from outbid.core.match import Match
from outbid.games.kuhhandel.state import ANIMALS
from tests.kuhhandel.table import NAMES, fresh, full_deck, play, play_at_random

# --- matches ----------------------------------------------------------------------------------------------------------


def at_random(seed: int, players: int, longest: int = 2500, **options: Any) -> Match:
    """A match played at random to its end."""
    rng = random.Random(seed)
    match = outbid.game("kuhhandel", **options).new(players, seed, NAMES[:players])
    while not match.over:
        assert len(match.moves) < longest
        play_at_random(match, rng)
    return match


def unwanted(match: Match, animals: int) -> Match:
    """Auctions that nobody bids in."""
    for _ in range(animals):
        play(match, f"{match.asked[0]} auction")
        while match.view()["phase"] == "bid":
            play(match, f"{match.asked[0]} pass")
    return match


def dealt_round(*hands: list[str]) -> list[str]:
    """A deck from which every player draws his hand if nobody ever bids."""
    return [hand[n] for n in range(len(hands[0])) for hand in hands]


def worked_example() -> Match:
    """Pigs, dogs and chickens: 2,460 points. Nobody bids, then two pairs change hands."""
    deck = dealt_round(
        ["pig"] * 4 + ["dog"] * 4 + ["chicken"] * 2,
        ["horse"] * 4 + ["cow"] * 4 + ["chicken"] * 2,
        ["goose"] * 4 + ["cat"] * 4 + ["lamb"] * 2,
        ["goat"] * 4 + ["donkey"] * 4 + ["lamb"] * 2,
    )
    match = unwanted(outbid.game("kuhhandel").load(NAMES[:4], {"start": 0, "deck": deck}), 40)
    return play(match, "0 trade chicken with 1 / 0 offer 0 0 / 1 accept / 2 trade lamb with 3 / 2 offer 500 / 3 counter 10")


PAIRS = dealt_round(
    ["pig"] * 4 + ["dog"] * 4 + ["cow"] * 2 + ["horse"] * 2 + ["lamb"],
    ["goose"] * 4 + ["cat"] * 4 + ["cow"] * 2 + ["chicken"] * 2 + ["lamb"],
    ["goat"] * 4 + ["donkey"] * 4 + ["horse"] * 2 + ["chicken"] * 2 + ["lamb"],
)  # and a lamb at the end


def pairs(**options: Any) -> Match:
    """Everything is drawn, each two players share a pair, and each has a lamb."""
    match = outbid.game("kuhhandel", **options).load(NAMES[:3], {"start": 0, "deck": [*PAIRS, "lamb"]})
    return unwanted(match, 40)


def ties() -> Match:
    """A first tie, a second tie with other stacks, a tie decided by an accepted offer, a player who is skipped."""
    return play(
        pairs(),
        """1 trade cow with 0 / 1 offer 50 50 / 0 counter 100 / 1 offer 10 10 10 10 / 0 counter 10 10 10 10
        2 trade horse with 0 / 2 offer / 0 counter / 2 offer 500 / 0 accept
        0 trade lamb with 1 / 0 offer 0 / 1 counter 10
        1 trade chicken with 2 / 1 offer 100 / 2 counter 50 0
        2 trade lamb with 0 / 2 offer 0 / 0 counter 500
        0 trade lamb with 1 / 0 offer 500 / 1 counter 500 0 / 0 offer 10 / 1 counter 50""",
    )


def going_round(options: dict[str, Any], ending: int) -> Match:
    """Trades that complete nothing, until the match ends; a deck that is never drawn."""
    match = fresh("cow", "cow", "cow", "cow", "pig", "pig", **options)
    unwanted(match, 3)
    play(match, "0 auction / 1 pass / 2 pass")  # Ada has two cows, Ben and Cem one each
    unwanted(match, 2)
    seat = 0
    for _ in range(ending):
        left = (seat + 1) % 3
        play(match, f"{seat} trade cow with {left} / {seat} offer / {left} counter 10")
        seat = left
    return match


def bankrupts() -> Match:
    """Bids by people who cannot pay: exclusions add up, a donkey pays once, a bluffer is bought off; then a plain end."""
    match = fresh("donkey", "pig", "cow", players=5)
    play(match, "0 auction / 1 bid 300 / 2 bid 310 / 3 bid 320 / 4 bid 700 / 1 pass / 2 pass / 3 pass / 0 sell")
    play(match, "1 bid 200 / 2 pass / 3 pass / 0 sell / 2 bid 150 / 3 pass / 0 sell / 3 bid 140 / 0 sell")
    play(match, "3 pay 50 50 10 10 10 10 / 1 auction / 2 bid 200 / 3 pass / 4 pass / 0 pass / 1 sell / 3 bid 200 / 4 pass")
    play(match, "0 pass / 1 sell / 4 bid 500 / 0 pass / 1 sell / 0 bid 500 / 1 sell")  # nobody is left
    play(match, "2 auction / 3 bid 10 / 4 bid 130 / 0 pass / 1 pass / 3 pass / 2 buy / 2 pay 50 50 10 10 10")
    return to_the_end(match, 5)


def to_the_end(match: Match, seed: int) -> Match:
    """Random moves until the match is over."""
    rng = random.Random(seed)
    while not match.over:
        play_at_random(match, rng)
    return match


def same_score(hands: str, **options: Any) -> Match:
    """Two players end with the same score; Cem's lambs decide nothing."""
    values = [{"pig": 400, "goose": 300}.get(animal, 0) for animal in ANIMALS]  # among three and among four sets
    match = pairs(values=values, **options)
    play(match, "1 trade cow with 0 / 1 offer 500 / 0 accept / 2 trade horse with 0 / 2 offer 500 / 0 accept")
    play(match, f"0 trade lamb with 1 / {hands} / 1 trade chicken with 2 / 1 offer / 2 accept")
    return to_the_end(match, 3)


def four_blind() -> Match:
    """quick_deal4 with a donkey in two of the hands."""
    dealt = [["donkey", "cow", "cow", "cow"], ["donkey", "pig", "pig", "pig"], ["horse"] * 4]
    deck = full_deck()
    for hand in dealt:
        for animal in hand:
            deck.remove(animal)
    random.Random(1).shuffle(deck)
    game = outbid.game("kuhhandel", "quick")
    return to_the_end(game.load(NAMES[:3], {"start": 2, "deck": deck, "dealt": dealt}), 4)


def short(**options: Any) -> Match:
    """A short match: three kinds only, four cards of one, two of the others."""
    copies = [4 if animal == "cow" else 2 if animal in ("donkey", "goose") else 0 for animal in ANIMALS]
    deck = ["cow", "donkey", "goose", "cow", "cow", "goose", "donkey", "cow"]
    return outbid.game("kuhhandel", copies=copies, **options).load(NAMES[:3], {"start": 0, "deck": deck})


def short_match() -> Match:
    """An auction sold, one bought back, a bankrupt bidder, donkeys, and trades: accepted, countered, tied twice."""
    return play(
        short(),
        """0 auction / 1 bid 10 / 2 bid 40 / 1 pass / 0 sell / 2 pay 50
        1 auction / 2 bid 20 / 0 bid 60 / 2 pass / 1 buy / 1 pay 50 10
        2 auction / 0 bid 300 / 1 pass / 2 sell / 1 pass
        0 auction / 1 pass / 2 pass
        1 auction / 2 pass / 0 pass
        2 trade cow with 0 / 2 offer 10 0 / 0 counter 10 0 / 2 offer / 0 counter 0 0
        0 auction / 1 bid 10 / 2 pass / 0 sell / 1 pay 10
        1 auction / 2 pass / 0 pass
        2 trade cow with 1 / 2 offer 100 10 / 1 counter 50
        0 auction / 1 pass / 2 pass
        1 trade goose with 2 / 1 offer 10 0 / 2 accept
        2 trade cow with 0 / 2 offer 10 / 0 counter""",
    )


def short_match_in_the_dark() -> Match:
    """The same table with everything covered: open outcry, hidden counts, zeros that return, a tie decided by money."""
    views = {"hand_count_view": "hidden", "offer_count_view": "hidden", "auction_payment_view": "public"}
    match = short(bidding="realtime", zeros_return=True, final_tie="money", values=[0] * 10, **views)
    return play(
        match,
        """0 auction / 2 bid 40 / 1 bid 50 / 2 bid 60 / clock close / 0 sell / 2 pay 50 10
        1 auction / clock close
        2 auction / 0 bid 300 / clock close / 2 sell / 1 bid 300 / clock close / 2 sell
        0 auction / clock close
        1 auction / 0 bid 10 / clock close / 1 sell / 0 pay 10
        2 trade cow with 0 / 2 offer 10 0 / 0 counter 10 0 0 / 2 offer / 0 accept
        0 auction / clock close
        1 auction / clock close
        2 trade cow with 0 / 2 offer 50 / 0 counter 10
        0 auction / clock close
        2 trade cow with 0 / 2 offer 100 0 / 0 counter 50 0
        0 trade goose with 2 / 0 offer 10 0 / 2 accept
        """,
    )


RECORDS = {
    "example-2460": worked_example,
    "ties": ties,
    "bankrupts-5": bankrupts,
    "stall": lambda: going_round({"trade_stall": 5}, 5),
    "quick-deal4": four_blind,
    "short": short_match,
    "short-dark": short_match_in_the_dark,
    "tie-shared": lambda: same_score("0 offer / 1 accept"),
    "tie-money": lambda: same_score("0 offer / 1 accept", final_tie="money"),
    "random-3": lambda: at_random(1, 3),
    "random-4": lambda: at_random(2, 4),
    "random-5": lambda: at_random(3, 5),
    "dropout-capped": lambda: at_random(4, 4, bidding="dropout", overbid="capped", payment="min_overpay"),
    "realtime-forbidden": lambda: at_random(5, 3, bidding="realtime", overbid="forbidden", payment="free"),
    "again-and-again": lambda: at_random(6, 3, reauction_excludes=False, tie_money="returned", trade_stall=30),
    "winner-pays": lambda: at_random(7, 4, winner_pays=True, empty_offer=False, trade_stall=30),
    "zeros-return": lambda: at_random(8, 3, zeros_return=True, tie_money="returned", payment="min_overpay"),
    "knobs": lambda: at_random(
        9, 3, bid_step=20, copies=[2] * 10, start_money=[1, 3, 1, 1, 0, 0], donkey_money=[100, 100, 0, 500]
    ),
}

PLAYTHROUGHS = ("short", "short-dark")


# --- positions --------------------------------------------------------------------------------------------------------

COWS = ("cow", "donkey", "cow", "cow")


def selling(**options: Any) -> Match:
    """Somebody has to pay 70 out of 10, 10, 10, 10, 50, 50."""
    match = fresh("donkey", **options)
    return play(match, "0 auction / 1 bid 70 / 2 pass / 0 sell")


def trading(**options: Any) -> Match:
    """Somebody has challenged somebody for a cow; there are fifties about."""
    return play(unwanted(fresh(*COWS, **options), 4), "1 auction / 2 pass / 0 pass / 2 trade cow with 0")


PERFT = {
    "start-3": lambda: (fresh(*COWS), 10),
    "start-4": lambda: (fresh(*COWS, players=4), 9),
    "start-5": lambda: (fresh(*COWS, players=5, start=4), 9),
    "dropout-3": lambda: (fresh(*COWS, bidding="dropout"), 10),
    "realtime-3": lambda: (fresh(*COWS, bidding="realtime"), 8),
    "forbidden-3": lambda: (fresh(*COWS, overbid="forbidden"), 11),
    "capped-4": lambda: (fresh(*COWS, players=4, overbid="capped", bid_step=50), 11),
    "hammer-3": lambda: (play(fresh(*COWS), "0 auction / 1 bid 100 / 2 bid 110 / 1 pass"), 9),
    "payment-irredundant": lambda: (selling(), 8),
    "payment-min-overpay": lambda: (selling(payment="min_overpay"), 8),
    "payment-free": lambda: (selling(payment="free"), 8),
    "trade-3": lambda: (trading(), 7),
    "trade-no-empty-offers": lambda: (trading(empty_offer=False), 7),
    "trade-winner-pays": lambda: (trading(winner_pays=True, zeros_return=True, tie_money="returned"), 7),
}
