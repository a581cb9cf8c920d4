"""What comes of a claim, a push, a purchase or a deal is told as a card, with what it comes to for each whom it is about."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from outbid.core.hooks.outcome import Outcome, Side
from outbid.core.match import Match
from outbid.games.claim.state import REFUSING

from .table import ALL, BOOK, NAMES, play, position, to_the_end

KINDS = {"claim", "push", "purchase", "accept", "take", "icon", "buy"}  # of moves whose outcome comes to something
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


@pytest.mark.slow
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
                    others = [other for at, other in outcomes(match, seat) if at == number and other.net]
                    assert seat not in outcome.parties or gain == 0 or others, outcome
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
    assert told(match, 1).parties == {0, 1}
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
                assert [(outcome.parties, outcome.sides[0].seat) for outcome in shown] == [({to, move["seat"]}, to)]
                return
    raise AssertionError("nobody was audited")


def test_who_pushes_is_shown_what_came_of_it_as_is_who_is_pushed_to():
    match = play(position([["3", "1"], ["1"], ["1"]], {3: ["3"]}, players=3), "0 play 3 / 0 push 3 to 1")
    assert [told(match, seat).concerns(seat, ()) for seat in range(3)] == [True, True, False]
    assert told(match, 0).net == ""


def test_an_audit_shows_the_hand_to_who_asked_and_whose_it_is_and_to_nobody_else():
    hands = [["1:audit"], ["2", "5:merger", "2", "w"], ["1"]]
    match = position(hands, players=3, wild_wagers=True, action_fund=True)
    play(match, "0 play 1:audit / 0 icon audit 1 for 3")
    seen = (("bill:claim-2", 2), ("bill:claim-5", 1), ("bill:claim-w", 1))
    for seat, things in ((0, seen), (1, seen), (2, ())):
        outcome = told(match, seat)
        assert (outcome.sides, outcome.parties, outcome.sound) == ((Side(1, things),), {0, 1}, "reveal")


def test_a_turn_that_fast_track_gives_concerns_who_gets_it_and_who_was_next():
    match = position([["1:fast_track", "1"], ["1"], ["1"], ["1"]], action_fund=True)
    play(match, "0 play 1:fast_track / 0 icon fast_track 2")
    assert [told(match, seat).concerns(seat, ()) for seat in range(4)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("hands", "rows", "script", "thing", "net"),
    [
        (["1:refund"], [["6"], ["3"]], "play 1:refund / 0 icon refund 6 redeposit", "6", "−6 dollars, 3 in all"),
        (["1:dividend", "2"], [], "play 1:dividend / 0 icon dividend / 0 claim 2 / 0 icon dividend", "coin", "+1"),
        (["1"], [["3"]], "play 1 / 0 buy Forecast with 3", "3", "−3 dollars, 0 in all"),
    ],
)
def test_what_one_pays_or_gets_by_an_icon_or_in_the_shop_is_shown(hands, rows, script, thing, net):
    """A thing of mine goes or comes, and the line says what I have then."""
    on_table = {2: ["2:dividend"]} if "claim" in script else {}
    match = position(
        [hands, ["1"], ["1"]], on_table, [rows], players=3, shelf=["Forecast"], action_fund=True, shopping_spree=True
    )
    play(match, f"0 {script}")
    assert told(match, 0).sides == (Side(0, ((f"bill:claim-{thing}", 1),)),)
    assert told(match, 0).net.startswith(net)


def test_a_deal_shows_the_bills_stacks_and_coins_of_both_and_a_refusal_is_shown_to_both():
    hands, rows = [["-2", "1"], ["1", "1"], ["1"]], [[], [["3"]], []]
    for answer in ("accept", "refuse"):
        match = position(hands, {}, rows, players=3, coins=[2], bad_investment=True, shopping_spree=True)
        play(match, f"0 play 1 / 0 offer to 1 give -2 coins 1 get stack 3 / 1 {answer}")
        assert [told(match, seat).concerns(seat, ()) for seat in range(3)] == [True, True, False]
        if answer == "accept":
            assert [side.things for side in told(match, 0).sides] == [
                (("bill:claim--2", 1), ("bill:claim-coin", 1)), (("bill:claim-3", 1),),
            ]  # fmt: skip
    assert "refuses the offer" in told(match, 0)
