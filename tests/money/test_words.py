"""What is read and refused: deals, moves, typed lines; what is seen and said."""

from __future__ import annotations

import json

import pytest

import outbid
from outbid.core.errors import BadOption, BadSetup, Illegal, NotYourTurn, Unreadable
from outbid.games.money import words

from .table import NAMES, fresh, out, play, position, told

RIGHT, LEFT = "EUR20 EUR20 JPY30 JPY60", "EUR50 CHF20 CHF60 COIN10"


def three(*hands, **more):
    return fresh(*hands, **{"right": RIGHT, "left": LEFT, **more})


# --- deals ------------------------------------------------------------------------------------------------------------


def dealt(players=3, **options):
    return json.loads(json.dumps(outbid.game("money", **options).new(players, seed=4).deal))


def renamed(deal, old, new):
    return json.loads(json.dumps(deal).replace(f'"{old}"', json.dumps(new)))


def test_a_deal_reads_as_it_is_written_in_any_order_within_a_lot():
    deal = dealt()
    again = {**deal, "hands": [hand[::-1] for hand in deal["hands"]], "right": deal["right"][::-1]}
    for one in (deal, again):
        assert outbid.game("money").load(NAMES[:3], one).deal == deal
    with pytest.raises(BadSetup, match="removed"):
        outbid.game("money").load(NAMES[:4], deal)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda d: None, "must be an object"),
        (lambda d: {key: d[key] for key in d if key != "left"}, "lacks the key 'left'"),
        (lambda d: {**d, "start": 0}, "unknown key 'start'"),
        (lambda d: {**d, "removed": d["removed"][:1]}, r"must list the currencies left out \(here 2\)"),
        (lambda d: {**d, "removed": d["removed"][:1] * 2}, "twice"),
        (lambda d: {**d, "removed": ["USD", "COIN"]}, "'COIN' is not a currency"),
        (lambda d: {**d, "removed": ["usd", "GBP"]}, "'usd' is not a currency"),
        (lambda d: {**d, "removed": [0, 1]}, "0 is not a currency"),
        (lambda d: {**d, "removed": "USDGBP"}, r"must list the currencies left out \(here 2\)"),
        (lambda d: {**d, "hands": d["hands"][:2]}, "a list of 3 hands"),
        (lambda d: {**d, "hands": [d["hands"][0][:5], *d["hands"][1:]]}, "hand of seat 0 has 5 cards; there must be 6"),
        (lambda d: {**d, "right": d["right"][:3], "pile": d["right"][3:] + d["pile"]}, "right has 3 cards"),
        (lambda d: {**d, "left": "all"}, "left must be a list of cards"),
        (lambda d: {**d, "pile": d["pile"][1:]}, r"must have \d × [A-Z]+\d0, not \d\."),
        (lambda d: {**d, "pile": [*d["pile"], "bluff"]}, "'bluff' is not a card"),
        (lambda d: {**d, "pile": [*d["pile"][1:], d["pile"][-1]]}, "The deal has .* twice"),
        (lambda d: {**d, "pile": [*d["pile"][1:], d["pile"][0].split("#")[0] + "#" + d["pile"][-1].split("#")[1]]},
         "same serial number"),
        (lambda d: {**d, "pile": [7, *d["pile"][1:]]}, "7 is not a card"),
        (lambda d: {**d, "pile": ["COIN20#1", *d["pile"][1:]]}, "COIN20#1 is no card of this match"),
        (lambda d: {**d, "pile": ["SILVER10#1", *d["pile"][1:]]}, "SILVER10#1 is no card of this match"),
        (lambda d: {**d, "pile": [d["pile"][0].split("#")[0] + "#70", *d["pile"][1:]]}, "from 1 to 69"),
        (lambda d: {**d, "pile": [d["pile"][0].replace("#", "#0"), *d["pile"][1:]]}, "is not a card"),
        (lambda d: {**d, "pile": [d["pile"][0] + " ", *d["pile"][1:]]}, "is not a card"),
    ],
)
def test_a_deal_that_cannot_be_is_refused_by_name(change, reason):
    with pytest.raises(BadSetup, match=reason):
        outbid.game("money").load(NAMES[:3], change(dealt()))


def test_a_deal_of_the_other_edition_is_refused():
    with pytest.raises(BadSetup, match="COIN10"):
        outbid.game("money", "silver_gold").load(NAMES[:3], dealt())
    deal = dealt(coins="silver_gold")
    assert outbid.game("money", "silver_gold").load(NAMES[:3], deal).deal == deal
    with pytest.raises(BadSetup, match=r"is no card of this match|from 1 to 69"):
        outbid.game("money").load(NAMES[:3], deal)


def test_options_and_players_that_cannot_be_are_refused():
    with pytest.raises(BadOption, match="no option 'serials'"):
        outbid.game("money", serials="fixed")
    with pytest.raises(BadOption, match="end_trigger"):
        outbid.game("money", end_trigger="never")
    with pytest.raises(BadOption, match="stall_rounds"):
        outbid.game("money", stall_rounds=True)
    for players in (2, 6):
        with pytest.raises(BadSetup, match="3 to 5 players"):
            outbid.game("money").new(players)


def test_the_tunable_parameters_change_the_deal():
    match = outbid.game("money", hand_cards=8, display_cards=6).new(3, seed=1)
    assert [len(hand) for hand in match.deal["hands"]] == [8] * 3
    assert [len(match.deal[side]) for side in ("right", "left", "pile")] == [6, 6, 15]
    assert outbid.game("money", hand_cards=8, display_cards=6).load(NAMES[:3], match.deal).state == match.state


# --- moves ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "error", "reason"),
    [
        ({"do": "pass"}, Unreadable, "'pass' is not a move of this game; the moves are bid, take, swap, keep"),
        ({}, Unreadable, r"^The move needs 'do'; it is missing\.$"),
        ({"do": ["bid"]}, Unreadable, "not a move"),
        ({"do": "bid"}, Unreadable, "needs a list of cards"),
        ({"do": "bid", "bluff": False}, Unreadable, r"'cards'; it is missing\. A bid needs a list .* such as \S+$"),
        ({"do": "bid", "cards": None, "bluff": False}, Unreadable, "needs a list of cards.* it has None"),
        ({"do": "bid", "cards": "USD60#30", "bluff": False}, Unreadable, "needs a list of cards"),
        ({"do": "bid", "cards": ["USD60#30"]}, Unreadable, r"'bluff'; it is missing\. A bid says .*true or false\.$"),
        ({"do": "bid", "cards": ["USD60#30"], "bluff": 0}, Unreadable, "true or false, not 0"),
        ({"do": "bid", "cards": [], "bluff": 0}, Unreadable, "true or false, not 0"),
        ({"do": "bid", "cards": ["USD60"], "bluff": False}, Unreadable, "'USD60' is not a card"),
        ({"do": "bid", "cards": [30], "bluff": False}, Unreadable, "30 is not a card"),
        ({"do": "bid", "cards": ["usd60#30"], "bluff": False}, Unreadable, "is not a card"),
        ({"do": "bid", "cards": ["USD60#030"], "bluff": False}, Unreadable, "is not a card"),
        ({"do": "bid", "cards": ["JPY60#2"], "bluff": False}, Illegal, "You do not hold JPY60#2. Legal: bid any"),
        ({"do": "bid", "cards": ["USD60#3"], "bluff": False}, Illegal, "You do not hold USD60#3"),
        ({"do": "bid", "cards": ["USD60#30", "USD60#30"], "bluff": False}, Illegal, "USD60#30 is named twice"),
        ({"do": "keep"}, Illegal, "It is not possible to keep now. Legal: bid any of"),
        ({"do": "take", "display": "left"}, Illegal, "not possible to take now"),
    ],
)
def test_a_bid_that_cannot_be_is_refused_and_changes_nothing(move, error, reason):
    match = three("USD60#30")
    before = match.state.copy()
    with pytest.raises(error, match=reason):
        match.play(0, move)
    assert match.state == before
    assert match.moves == []


@pytest.mark.parametrize(
    ("move", "error", "reason"),
    [
        ({"do": "take"}, Unreadable, r"needs 'display'; it is missing\. .*left or right\.$"),
        ({"do": "take", "display": "middle"}, Unreadable, "left or right, not 'middle'"),
        ({"do": "take", "display": ["left"]}, Unreadable, "left or right"),
        ({"do": "swap", "with": "1"}, Unreadable, "a whole number, not '1'"),
        ({"do": "swap", "with": True}, Unreadable, "a whole number, not True"),
        ({"do": "swap", "with": 1.0}, Unreadable, "a whole number"),
        ({"do": "swap", "with": -1}, Illegal, "Seat -1 is no other player"),
        ({"do": "swap", "with": 2}, Illegal, "Seat 2 has no bid on the table. Legal: take left; take right; swap"),
        ({"do": "bid", "cards": [], "bluff": True}, Illegal, "not possible to bid now. Legal: take left"),
    ],
)
def test_an_exchange_that_cannot_be_is_refused_and_changes_nothing(move, error, reason):
    match = play(three("USD60", "USD50"), "0 bid USD60 / 1 bid USD50 / 2 stay out")
    before = match.state.copy()
    with pytest.raises(error, match=reason):
        match.play(0, move)
    with pytest.raises(NotYourTurn, match=r"Seat 1 \(Ben\) is not asked now"):
        match.play(1, "keep")
    assert match.state == before
    assert len(match.moves) == 3


def test_extra_keys_of_a_move_are_ignored():
    match = three("USD60")
    said = match.play(0, {"do": "bid", "cards": ["USD60#30"], "bluff": False, "note": "mine", "with": 1})
    assert words.canonical({**said, "at": 7})["cards"] == ["USD60#30"]


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("bid usd20#3, gbp60#39", {"do": "bid", "cards": ["USD20#3", "GBP60#39"], "bluff": False}),
        ("Bid USD20#3 and the bluff card", {"do": "bid", "cards": ["USD20#3"], "bluff": True}),
        ("stay out", {"do": "bid", "cards": [], "bluff": True}),
        ("pass", {"do": "bid", "cards": [], "bluff": True}),
        ("bid bluff", {"do": "bid", "cards": [], "bluff": True}),
        ("bid nothing", {"do": "bid", "cards": [], "bluff": True}),
        ("take the left display", {"do": "take", "display": "left"}),
        ("swap 2", {"do": "swap", "with": 2}),
        ("KEEP", {"do": "keep"}),
    ],
)
def test_lines_as_people_type_them(line, move):
    assert words.parse(line) == move


@pytest.mark.parametrize(
    "line",
    ["", "bid", "bid 20", "bid USD20", "bid USD20#3 and more", "take", "take both", "swap", "swap with Ada", "keep it"],
)
def test_lines_that_mean_nothing_are_refused_with_an_example(line):
    with pytest.raises(Unreadable, match=r"#|left|swap with 2|the moves are|stay out"):
        words.parse(line)


# --- views and sentences ----------------------------------------------------------------------------------------------


def test_a_seat_sees_its_score_in_parts_and_what_each_display_would_add():
    match = position(
        "USD20 USD20 USD20 USD30 USD60 GBP50 GBP60 COIN10", "EUR20", "EUR30", right="USD50 USD40", left="JPY60 GBP40 COIN10"
    )
    seen = match.view(0)
    assert seen["score"]["total"] == 50 + 100 + 10 + 10
    assert seen["score"]["coins"] == {"cards": 1, "sum": 10, "bonus": 0, "points": 10}
    assert seen["score"]["currencies"][0] == {
        "currency": "USD", "cards": 5, "sum": 150, "counts": 50, "twenties": 3, "thirties": 1, "bonus": 100, "points": 150,
    }  # fmt: skip
    assert seen["displays"]["right"]["gain"] == 190
    assert seen["displays"]["left"]["gain"] == 50
    assert match.view()["displays"]["left"]["gain"] is None
    assert match.view()["score"] is None


def test_who_acts_sees_what_each_choice_would_bring():
    match = position("USD60 USD50", "USD40 USD20", "EUR30", right="USD30 USD30 USD30", left="GBP60")
    play(match, "0 bid USD60 / 1 bid USD40 / 2 stay out")
    choices = {json.dumps(one["move"]): one["score"] for one in match.view(0)["choices"]}
    assert choices == {
        '{"do": "take", "display": "right"}': 140,
        '{"do": "take", "display": "left"}': 0,
        '{"do": "swap", "with": 1}': 0,
        '{"do": "keep"}': 10,
    }
    assert match.view(1)["choices"] is None
    assert {json.dumps(choice.move) for choice in match.legal(0)} == set(choices)


def test_the_log_of_a_short_match():
    match = position("USD60 COIN10", "USD50", "EUR30", right="GBP20 GBP30", left="GBP60", pile="", final=True)
    play(match, "0 bid USD60 with bluff / 1 bid USD50 / 2 stay out / 0 swap with 1 / 1 take right")
    assert [line.text for line in match.log(0)][:9] == [
        "You lay USD 60 and your bluff card face down.",
        "Ben seals a bid.",
        "Cem seals a bid.",
        "The bids are turned over.",
        "You bid USD 60, with your bluff card.",
        "Ben bids USD 50.",
        "Cem stays out.",
        "You take Ben's bid, USD 50, for USD 60.",
        "Ben owns the highest bid now and acts next.",
    ]
    assert told(match, 1)[0] == "You take the right display, GBP 20, GBP 30 (50), for USD 60."
    assert told(match, 1)[1:3] == [
        "Ada holds USD 50, coin 10 (60): 10 points.", "You hold GBP 20, GBP 30 (50): 0 points.",
    ]  # fmt: skip


def test_the_question_of_every_moment():
    match = three("USD60", "USD50")
    assert match.question(0) == "Bid any of your cards face down, or stay out."
    assert match.question() == "Bids are being laid: Ada, Ben and Cem are still choosing."
    play(match, "0 bid USD60 / 1 bid USD50")
    assert match.question(0) == "Bids are being laid: Cem is still choosing."
    play(match, "2 stay out")
    assert match.question(0) == "Take a display or another bid for your bid of 60, or take it back."
    assert match.question(1) == "Ada has the highest bid that is left, 60, and swaps or keeps it."
    play(match, "0 keep / 1 keep")
    end = out(out(three(stall_rounds=1)))
    assert end.question(1) == "The match is over."


def test_the_board_names_cards_bids_and_what_the_hand_counts():
    match = play(three("USD20 USD20 USD20 USD30 USD40 COIN10", "USD50"), "0 bid USD40 / 1 bid USD50 / 2 stay out")
    board = words.board(match.hidden(0), 0, match.names).splitlines()
    assert board[0] == "Round 1. Draw pile: 25 cards. Removed: SEK, RUB."
    assert "* Ben: 5 cards in hand. Bid: USD 50." in board
    assert "  Cem: 6 cards in hand. Stays out." in board
    assert "  USD: USD20#3, USD20#28, USD20#43, USD30#20, USD40#59; sum 130, counts 130" in board
    assert board[-1] == "Your score, if it ended now: 140."
