"""What is typed, refused, offered, shown and told."""

from __future__ import annotations

import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbid.core import contract
from outbid.core.errors import Illegal, NotYourTurn, OutbidError, Unreadable
from outbid.core.language import i18n
from outbid.core.match import Match
from outbid.games.forex import bot, rules, words
from outbid.games.forex.state import CONTRACT, CURRENCIES

from .checks import WRONG
from .table import BOOK, all_moves, fresh, items, play, position, told


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("contract pay 4 GBP receive 14 CNY", {"do": "contract", "pay": ["GBP", 4], "receive": ["CNY", 14]}),
        ("Contract 12.5 cny for 5 gbp", {"do": "contract", "pay": ["CNY", 12.5], "receive": ["GBP", 5]}),
        ("contract 12,5 cny for 5 gbp", {"do": "contract", "pay": ["CNY", 12.5], "receive": ["GBP", 5]}),
        ("contract pay GBP 4 receive CNY 14.0", {"do": "contract", "pay": ["GBP", 4], "receive": ["CNY", 14]}),
        ("spot with seat 2 give 1 GBP get 3.5 CNY", {"do": "spot", "with": 2, "give": ["GBP", 1], "get": ["CNY", 3.5]}),
        ("spot 2 1 GBP for 3.5 CNY", {"do": "spot", "with": 2, "give": ["GBP", 1], "get": ["CNY", 3.5]}),
        ("invest in CNY and cad", {"do": "invest", "in": ["CNY", "CAD"]}),
        ("divest CNY 2", {"do": "divest", "currency": "CNY", "count": 2}),
        ("strongest gbp", {"do": "strongest", "currency": "GBP"}),
        ("Resolve!", {"do": "resolve"}),
    ],
)
def test_a_move_is_typed_in_several_ways(typed, said):
    assert words.parse(typed) == said
    assert words.parse(words.text(said)) == said


@pytest.mark.parametrize("amount", [2**31, 2**63, 10**30, 1e308, float("inf")])
def test_an_amount_that_is_too_large_is_refused_as_that(amount):
    match = fresh()
    with pytest.raises(Unreadable, match="below 1000000000, not"):
        match.play(match.asked[0], {"do": "contract", "pay": ["GBP", amount], "receive": ["EUR", 3]})


@pytest.mark.parametrize(
    "typed",
    ["", "pass", "contract", "contract pay 4 GBP", "contract four GBP for 14 CNY", "spot",
     "spot with you give 1 GBP get 1 USD", "spot with 1.5 give 1 GBP get 1 USD", "invest",
     "divest CNY", "divest 1.5 CNY", "strengthen", "resolve now", "agree 1"],
)  # fmt: skip
def test_what_cannot_be_read_is_answered_with_an_example(typed):
    with pytest.raises(Unreadable) as error:
        words.parse(typed)
    assert str(error.value).endswith(".")


def test_amounts_are_numbers_in_halves_and_whole_ones_are_written_whole():
    match = fresh()
    said = match.play(0, {"do": "contract", "pay": ["GBP", 4.0], "receive": ["CNY", 16.0], "note": "x"})
    assert json.dumps(said) == '{"do": "contract", "pay": ["GBP", 4], "receive": ["CNY", 16]}'
    for amount in (True, "4", None, 0.25, 0, -4, 1e300, [4]):
        with pytest.raises(OutbidError):
            match.play(1, {"do": "contract", "pay": ["GBP", amount], "receive": ["CNY", 16]})
    for other in (True, 1.0, "1", None):
        with pytest.raises(Unreadable, match="seat"):
            match.play(1, {"do": "spot", "with": other, "give": ["GBP", 1], "get": ["USD", 1]})


def refusal(match, move):
    """The error that a move of seat 0 meets; None if it is legal."""
    try:
        match.play(0, move)
    except OutbidError as error:
        return error
    return None


def test_every_wrong_move_is_refused_with_one_sentence_and_changes_nothing():
    match = position(certs=[{"CNY": 1}, {"CNY": 2}])
    before = match.state.copy()
    refused = [error for move in WRONG if (error := refusal(match.copy(), move))]
    assert all(str(error.reason if isinstance(error, Illegal) else error).endswith(".") for error in refused)
    assert all("resolve" in error.legal for error in refused if isinstance(error, Illegal))
    assert len(refused) > len(WRONG) - 12
    assert match.state == before
    with pytest.raises(NotYourTurn, match="Ben"):
        match.play(1, "resolve")


def test_refusals_and_reasons_are_said_in_german_too():
    match = position(certs=[{"CNY": 1}, {"CNY": 2}])
    said = {}
    for language in i18n.LANGUAGES:
        with i18n.locale(language):
            refused = [refusal(match.copy(), move) for move in WRONG]
            told = [getattr(error, "reason", str(error)) for error in refused if error]
            codes = [value for name, value in vars(bot).items() if name.startswith("WHY_")]
            told += [words.reason([code, 1, 2, number, 1, 900], ["Ada", "Ben"], True) for code in codes for number in (1, 2)]
            said[language] = told
    assert not [english for english, german in zip(said["en"], said["de"], strict=True) if english == german]
    assert not [german for german in said["de"] if re.search(r"\{[a-z]+[:!}]", german)]


def test_a_menu_lists_every_move_and_no_other():
    match = position(certs=[{"CNY": 3}, {"CNY": 2}])
    moves = all_moves(match, 0)
    assert len({json.dumps(move) for move in moves}) == len(moves) > 1 + 7 + 42 + 3 + 420
    for move in moves[::17]:
        match.copy().play(0, move)
    play(match, "0 divest 1 CNY")
    assert [choice.text for choice in match.legal(1)] == ["divest 0 CNY", "divest 1 CNY", "divest 2 CNY"]


@given(st.integers(0, 2**40))
def test_the_menu_and_the_steps_say_the_same(seed):
    """As many moves as there are paths of steps."""
    rng = random.Random(seed)
    match = Match.new(BOOK, {}, rng.randint(2, 4), seed)
    for _ in range(rng.randrange(25)):
        if match.over:
            return
        match.random_move(match.asked[0], rng.randrange(2**40))
    if match.over:
        return
    seat = match.asked[0]

    def paths(state):
        out = [0] * 64
        total = 0
        for action in out[: contract.legal(state, seat, out)]:
            after = state.copy()
            contract.apply(after, seat, action)
            total += paths(after) if contract.midway(after, seat) else 1
        return total

    moves = all_moves(match, seat)
    assert len({json.dumps(move) for move in moves}) == len(moves) == paths(match.state)


def test_a_preview_shows_what_would_change_and_changes_nothing():
    match = position(certs=[{"CNY": 2}], rates={"GBP CNY": 7})
    before = match.state.copy()
    seen = words.preview(match.state, {"do": "invest", "in": ["CNY", "CAD"]})
    assert seen["money"] == [{"CAD": -2, "CNY": -2}, {}, {}]
    assert seen["certificates"] == [{"CAD": 1, "CNY": 1}, {}, {}]
    assert {tuple(rate["pair"]): rate["rate"] for rate in seen["rates"]}[("GBP", "CNY")] == 3.5
    assert ("CAD", "CNY") not in {tuple(rate["pair"]) for rate in seen["rates"]}
    seen = words.preview(match.state, {"do": "contract", "pay": ["GBP", 4], "receive": ["CNY", 16]})
    assert (seen["rates"], seen["money"], seen["queue"][-1]["set"]) == ([], [{}, {}, {}], "A")
    seen = words.preview(match.state, {"do": "spot", "with": 1, "give": ["GBP", 1], "get": ["USD", 1]})
    assert seen["money"] == [{"GBP": -1, "USD": 1}, {"GBP": 1, "USD": -1}, {}]
    seen = words.preview(match.state, {"do": "divest", "currency": "CNY", "count": 1})
    assert seen["money"][0] == {"CNY": 2}
    assert words.preview(match.state, {"do": "resolve"})["queue"][0]["card"] == 1
    assert match.state == before
    with pytest.raises(Illegal):
        words.preview(match.state, {"do": "divest", "currency": "GBP", "count": 1})


def test_a_form_leaves_out_what_follows_from_the_rates():
    state = position(rates={"GBP CNY": 6}).state
    contract = {"do": "contract", "pay": "CNY", "receive": "GBP", "times": 5}
    assert words.complete(state, contract) == {"do": "contract", "pay": ["CNY", 17.5], "receive": ["GBP", 5]}
    spot = {"do": "spot", "with": 2, "give": "GBP", "get": "CNY"}
    assert words.complete(state, spot) == {"do": "spot", "with": 2, "give": ["GBP", 1], "get": ["CNY", 3.5]}
    assert words.complete(state, {"do": "invest", "first": "CNY", "second": "CAD"}) == {"do": "invest", "in": ["CNY", "CAD"]}
    assert words.complete(state, {"do": "invest", "first": "CNY", "second": ""}) == {"do": "invest", "in": ["CNY"]}
    whole = {"do": "contract", "pay": ["GBP", 4], "receive": ["CNY", 14]}
    assert words.complete(state, whole) == whole
    for wrong in ({"pay": "SEK"}, {"receive": None}, {"times": None}, {"times": 1.5}, {"times": True}):
        with pytest.raises(Unreadable):
            words.complete(state, contract | wrong)
    with pytest.raises(Illegal, match="two different currencies"):
        words.steps(state, 0, words.complete(state, contract | {"receive": "CNY"}))


def test_an_outlook_tells_what_would_follow_and_what_everybody_would_be_worth():
    match = position(money=[{"GBP": 1}, {"GBP": 5}], queue=[(0, {"GBP": 2}), "dividends"], turn=1)
    before = match.state.copy()
    seen = words.outlook(match.state, {"do": "resolve"}, ["Ada", "Ben", "Cem"], 0)
    assert "You cannot pay back the loan of 2 GBP and are bankrupt." in seen["told"]
    assert (seen["bankrupt"], seen["over"], seen["strongest"]["currency"]) == (0, True, "GBP")
    match.play(1, "resolve")
    assert seen["points"] == match.scores
    seen = words.outlook(before, {"do": "contract", "pay": ["GBP", 1], "receive": ["USD", 1]}, ["Ada", "Ben", "Cem"], 1)
    assert (seen["bankrupt"], seen["over"]) == (None, False)


def test_a_tie_of_the_strongest_is_said_wherever_money_is_counted_in_one_of_them():
    tie = position(rates={"GBP EUR": 2, "EUR USD": 3, "USD GBP": 1})
    seen = tie.view(0)
    assert seen["strongest"] == {"currency": "GBP", "decided": False, "tied": ["GBP", "EUR", "USD"]}
    assert words.measured(seen["strongest"]) == "GBP (tied with EUR and USD)"
    board = words.board(tie.hidden(0), 0, tie.names)
    assert "worth in GBP (tied with EUR and USD):" in board
    becomes = [words.becoming(tie.state, {"do": "invest", "in": [name]}, tie.names, 0) for name in ("GBP", "EUR", "CNY")]
    assert (" GBP, " in becomes[0]) == ("tied" not in becomes[0])
    assert re.fullmatch(r"your worth (stays|\d+ →) \d+ EUR, \d+% of all; EUR is the strongest then", becomes[1])
    assert re.fullmatch(r"your worth (stays|\d+ →) \d+ GBP \(tied with EUR and USD\), \d+% of all", becomes[2])
    clear = position(money=[{"CHF": 9}])
    assert words.measured(clear.view(0)["strongest"]) == "GBP"
    with i18n.locale("de"):
        assert words.measured(seen["strongest"]) == "GBP (gleichauf mit EUR und USD)"


def test_everybody_sees_everything_and_is_addressed_by_name():
    match = play(position(queue=[(1, "4 GBP", "14 CNY"), (1, "3 EUR", "3 USD"), "dividends"]), "0 resolve / 1 resolve")
    views = [match.view(seat) for seat in range(-1, 3)]
    assert all({**view, "seat": 0} == {**views[0], "seat": 0} for view in views)
    assert told(match, 1) == [
        "You resolve contract B.",
        "You cannot pay 3 EUR, receive 3 USD all the same, and 4 EUR is added to the loan, which is 5 GBP and 4 EUR now.",
    ]
    assert told(match, 0, last=2)[:2] == [
        "You resolve contract A.",
        "Ben cannot pay 4 GBP, receives 14 CNY all the same, and owes a loan of 5 GBP.",
    ]
    assert match.question(2).startswith("Your turn: invest, sign a contract or resolve the first dividend")
    assert match.question(0) == "Cem chooses an action."
    board = words.board(match.hidden(0), 0, match.names)
    assert "loan of Ben: owes 5 GBP and 4 EUR" in board
    assert all(name in board for name in CURRENCIES)


def test_what_the_rules_do_at_the_end_is_told_item_by_item():
    queue = ["dividends", (1, "5 GBP", "5 USD"), (1, "7 USD", "7 GBP"), (2, "1 EUR", "1 CHF")]
    match = play(position(certs=[{"CNY": 1}], queue=queue, spent=4), "0 resolve")
    assert told(match, 0) == [
        "You resolve the fifth dividend card, which pays 3.",
        "You receive 3 CNY.",
        "CNY has the most certificates in hand (1) and is strengthened.",
        "That was the last dividend card: there are no more turns, and the queue is resolved to its end.",
        "Ben cannot pay 5 GBP, receives 5 USD all the same, and owes a loan of 6 GBP.",
        "Ben pays 7 USD and receives 7 GBP.",
        "Cem pays 1 EUR and receives 1 CHF.",
        "Ben pays back the loan of 6 GBP.",
        "The strongest currency is GBP.",
        f"The match is over. All money in GBP: You {match.scores[0]}; Ben {match.scores[1]}; Cem {match.scores[2]}.",
        f"{'You win' if match.winners == [0] else match.names[match.winners[0]] + ' wins'}.",
    ]
    assert items(match) == []


def test_a_move_half_built_is_nobody_elses_business():
    match = fresh()
    rules.apply(match.state, 0, CONTRACT)
    assert rules.midway(match.state, 0)
    for seat in (-1, 1, 2):
        assert match.hidden(seat) == fresh().hidden(seat)
    assert match.hidden(0) == match.state


@pytest.mark.parametrize(("points", "part"), [([1, 7], 13), ([3, 5], 38), ([0, 0], 0), ([2, 1], 67), ([5, 195], 3)])
def test_a_share_of_all_money_is_rounded_as_the_page_rounds_it(points, part):
    assert words.share(points, 0) == part  # halves upwards, as Math.round does
