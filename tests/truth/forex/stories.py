"""The matches and positions behind the truth files of For-Ex (tests/truth/make.py)."""

from __future__ import annotations

from typing import Any

import outbid
from outbid.bots import choose
from outbid.core.match import Match
from tests.forex.table import NAMES, fresh, play

# --- ways to play -------------------------------------------------------------------------------------------------------


def resolved(match: Match) -> Match:
    """Everybody only resolves, to the end; ties go to the first currency, nobody sells or swaps."""
    answers = {"reply": "refuse", "turn": "resolve"}
    while not match.over:
        phase, seat = match.view()["phase"], match.asked[0]
        match.play(seat, answers.get(phase) or match.legal(seat).texts[0])
    return match


def at_random(seed: int, players: int, **options: Any) -> Match:
    """A match of random steps."""
    match = outbid.game("forex", **options).new(players, seed, NAMES[:players])
    while not match.over:
        match.random_move(match.asked[0], seed + len(match.moves))
    return match


def by_bots(seed: int, *bots: str, **options: Any) -> Match:
    """A match among bots."""
    match = outbid.game("forex", **options).new(len(bots), seed, NAMES[: len(bots)])
    while not match.over:
        seat = match.asked[0]
        match.play_steps(seat, choose(match, seat, bots[seat], seed).actions)
    return match


# --- matches ------------------------------------------------------------------------------------------------------------

EXAMPLE = """0 invest CNY CAD / 1 contract pay 4 GBP receive 14 CNY / 2 invest CNY JPY / 0 resolve
1 contract pay 12.5 CNY receive 5 GBP / 2 resolve / 0 resolve / 1 resolve / 2 resolve"""

GROWING = """0 contract pay 3 GBP receive 3 USD / 1 invest CNY / 0 contract pay 3 EUR receive 3 USD
1 contract pay 1 CHF receive 1 USD / 0 resolve / 1 resolve / 0 invest JPY / 1 resolve / 0 resolve
1 contract pay 6 USD receive 6 CHF / 0 contract pay 6 USD receive 6 GBP / 1 invest EUR"""

PAID_BACK = """0 contract pay 3 GBP receive 3 USD / 1 invest CNY / 0 contract pay 3 EUR receive 3 USD
1 contract pay 1 CHF receive 1 USD / 0 contract pay 4 USD receive 4 GBP / 1 contract pay 1 USD receive 1 CHF
0 contract pay 2 USD receive 2 EUR / 1 resolve / 0 resolve / 1 resolve / 0 resolve / 1 resolve / 0 resolve / 1 resolve"""

OFFERS = """0 spot with 1 give 1 GBP get 1 USD / 1 refuse / 0 spot with 1 give 1 USD get 1 GBP / 1 refuse
0 spot with 2 give 1 GBP get 1.5 EUR / 2 agree / 0 invest CNY EUR
1 spot with 0 give 1.5 JPY get 1 USD / 0 refuse / 1 contract pay 10 GBP receive 10 USD
2 contract pay 1 GBP receive 1 USD / 0 resolve / 0 strengthen EUR / 1 resolve
2 invest GBP"""

HALVES = """0 spot with 1 give 1 GBP get 2 CAD / 1 refuse / 0 spot with 1 give 0.5 GBP get 1 CAD / 1 refuse
0 spot with 2 give 1 CAD get 0.5 GBP / 2 agree / 0 contract pay 5 GBP receive 10 CAD
1 spot with 0 give 1 CAD get 0.5 GBP / 0 agree / 1 invest EUR
2 spot with 1 give 0.5 GBP get 1 CAD / 1 agree / 2 invest CAD"""

ROUND = """0 invest CNY GBP / 1 invest CNY GBP / 2 invest CNY JPY / 3 invest GBP CHF
0 divest 1 CNY / 1 divest 1 CNY / 2 divest 0 CNY / 1 divest 1 GBP / 3 divest 1 GBP / 0 divest 0 GBP
2 resolve / 2 strengthen CNY"""

CIRCLE = [2, -1, 2, 2, 3, 7, 3, 1, 2, 2, 6, 1, 2, 2, 6, 2, 2, 6, 2, 5, 4]  # GBP beats EUR, EUR beats USD, USD beats GBP
CRASH = [2, 1, 2, 2, 3, 10, 1, 1, 2, 2, 6, 1, 2, 2, 6, 2, 2, 6, 2, 5, 4]  # CNY at 8 to the GBP


def strongest_tie() -> Match:
    """Three currencies beat each other and nobody owns a certificate: the player of the last turn says which counts."""
    match = fresh(players=2, spaces=CIRCLE, no_certs_no_strengthen=True)
    play(match, "0 resolve / 1 resolve / 0 resolve / 1 resolve / 0 contract pay 10 GBP receive 10 USD")
    return play(match, "1 contract pay 1 CHF receive 1 USD / 0 resolve / 0 strongest EUR")


def fifth() -> Match:
    """Contracts are still in the queue when the last dividend is paid: a loan, the money for it, and its payment."""
    match = play(fresh(players=2), "0 invest EUR CHF / 1 invest EUR JPY / 0 resolve / 1 resolve / 0 resolve / 1 resolve")
    play(match, "0 contract pay 5 GBP receive 5 USD / 1 contract pay 1 CHF receive 1 USD")
    return resolved(play(match, "0 contract pay 7 USD receive 7 GBP"))


RECORDS = {
    "worked-example": lambda: resolved(play(fresh(), EXAMPLE)),
    "resolve-only": lambda: resolved(fresh(players=2)),
    "grown-loan": lambda: resolved(play(fresh(players=2), GROWING)),
    "loan-paid-back": lambda: resolved(play(fresh(players=2), PAID_BACK)),
    "loan-to-the-back": lambda: resolved(
        play(fresh(players=2, merged_loan_place="back", merged_loan_set="free_at_merge"), PAID_BACK)
    ),
    "spot-offers": lambda: resolved(play(fresh(), OFFERS)),
    "half-bucks": lambda: resolved(play(fresh(spaces=[3] * 21), HALVES)),
    "selling-round": lambda: resolved(play(fresh(players=4), ROUND)),
    "strongest-tie": strongest_tie,
    "fifth-dividend": fifth,
    "nobody-invests": lambda: resolved(fresh(no_certs_no_strengthen=True, spot_enabled=False, final_rounding="total")),
    "eight-off": lambda: resolved(play(fresh(players=2, spaces=CRASH, eight_rule="off"), "0 invest CNY / 1 invest GBP")),
    "random-2": lambda: at_random(21, 2, max_spot_offers="unlimited"),
    "random-3": lambda: at_random(31, 3),
    "random-6": lambda: at_random(62, 6, bankrupt_excluded=False, removed_certificates=55),
    "steady-2": lambda: by_bots(5, "steady", "steady"),
    "steady-4": lambda: by_bots(8, "steady", "steady", "steady", "steady"),
    "mixed-5-published": lambda: by_bots(
        3, "steady", "random", "steady", "random", "steady", merged_loan_set="free_at_merge", eight_rule="stronger",
        spot_unit="one_stronger",
    ),
    "knobs": lambda: by_bots(
        4, "steady", "steady", "steady",
        start_money=4, price=1, sale=3, hand_limit=6, contract_size=4, dividends=[1, 0, 3, 1, 5],
    ),
}
PLAYTHROUGHS = ["worked-example", "selling-round"]
PERFT = {
    "start-2": lambda: (fresh(players=2), 4),
    "offer-refused": lambda: (play(fresh(players=3), "0 spot with 1 give 1 GBP get 1 USD / 1 refuse"), 3),
    "swap-of-either": lambda: (
        play(fresh(players=2, contract_sets=0, spaces=[3] * 21), "0 spot with 1 give 0.5 GBP get 1 CAD / 1 refuse"), 4,
    ),
    "selling": lambda: (play(fresh(players=4), ROUND.split("0 divest")[0].rstrip()), 3),
}
