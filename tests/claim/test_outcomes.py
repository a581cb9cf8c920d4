"""What comes of a claim, a push, a purchase or a deal is told as a card, with what it comes to for each whom it is about."""

from __future__ import annotations

import re
from collections import Counter

from outbid.core.hooks.outcome import Outcome
from outbid.core.match import Match
from outbid.games.claim.state import REFUSING

from .table import ALL, BOOK, NAMES, play, position, to_the_end

KINDS = {"claim", "push", "purchase", "accept", "take", "icon"}  # of moves whose outcome comes to something
NET = re.compile(r"([+−±])(\d+) dollars, (−?\d+) in all")


def outcomes(match: Match, seat: int) -> list[tuple[int, Outcome]]:
    """The moves whose outcome a seat is told, and what."""
    return [(line.move, line.marked) for line in match.log(seat) if isinstance(line.marked, Outcome)]


def signed(text: str) -> int:
    """A number as tables write it."""
    return int(text.replace("−", "-").replace("±", ""))


def told(match: Match, seat: int) -> Outcome:
    """The outcome of the last move as a seat is told it."""
    return outcomes(match, seat)[-1][1]


def test_the_net_line_is_what_changed_in_ones_own_money():
    compared, signs = Counter[str](), set()
    for seed in range(100):
        if compared.keys() >= KINDS:
            break
        match = Match.new(BOOK, ALL if seed % 4 else {}, 3, seed, NAMES[:3])
        while not match.over:
            match.random_move(match.asked[0], seed + len(match.moves))
        for seat in range(3):
            for number, outcome in outcomes(match, seat):
                before, after = match.at(number).state, match.at(number + 1).state
                gain = int(after.money[seat]) - int(before.money[seat])
                if not outcome.net:
                    assert seat not in outcome.parties or gain == 0, outcome
                    continue
                sign, size, whole = NET.fullmatch(outcome.net).groups()
                assert signed(sign + size) == gain, outcome
                assert signed(whole) == after.money[seat]
                assert seat in outcome.parties
                compared[str(match.moves[number]["do"])] += 1
                signs.add(sign)
    assert compared.keys() >= KINDS, compared
    assert signs == {"+", "−", "±"}


def test_a_purchase_shows_the_bill_and_the_stack_crossing_and_what_it_is_worth_to_both():
    hands, rows = [["3", "2"], ["1"], ["1"]], [[], [["3"]], []]
    match = position(hands, {}, rows, players=3, shopping_spree=True)
    play(match, "0 play 2 / 0 purchase 3 from 1 for 3")
    for seat, net in ((0, "+3 dollars, 3 in all"), (1, "−3 dollars, 0 in all"), (2, "")):
        outcome = told(match, seat)
        assert (outcome.net, outcome.crosses) == (net, True)
        assert [(side.seat, side.things) for side in outcome.sides] == [
            (0, (("bill:claim-3", 1),)), (1, (("bill:claim-3", 1),)),
        ]  # fmt: skip


def test_what_is_pushed_to_an_insured_seat_comes_to_something_only_when_it_is_taken():
    hands = [["3", "1"], ["1"], ["1"]]
    match = position(hands, {3: ["3"]}, players=3, owned={1: ["Insurance"]}, shopping_spree=True)
    play(match, "0 play 3 / 0 push 3 to 1")
    assert match.state.phase == REFUSING
    assert told(match, 1).net == ""
    assert told(match, 1).parties == {1}
    play(match, "1 take")
    assert told(match, 1).net == "+6 dollars, 6 in all"


def test_a_bill_that_an_audit_brings_is_shown_to_whom_it_goes():
    for seed in range(40):
        match = to_the_end(Match.new(BOOK, {"action_fund": True}, 3, seed, NAMES[:3]), seed)
        for number, move in match.numbered:
            if move["do"] == "give":
                before = match.at(number).state
                to = before.actor if before.actor != move["seat"] else before.whom
                shown = [outcome for at, outcome in outcomes(match, to) if at == number]
                assert [outcome.parties for outcome in shown] == [{to}]
                return
    raise AssertionError("nobody was audited")
