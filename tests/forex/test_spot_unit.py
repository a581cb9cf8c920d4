"""R1: a spot transaction is 1 buck of either currency against its equivalent; with `one_stronger`, of the stronger only."""

from __future__ import annotations

import hashlib
import json
import random
import struct
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import outbid
from outbid.bots.nets.value import Judge
from outbid.core import contract
from outbid.core.chance import below, step, stream
from outbid.core.errors import Illegal
from outbid.core.match import Match, hidden
from outbid.games.forex import bot, words
from outbid.games.forex.state import CURRENCIES, CURRENCY, SPOT
from tests.support.steady import steady

from .table import BOOK, all_moves, fresh, money, play, position, told

Sum = tuple[str, Fraction]

# --- the text, read once more ---------------------------------------------------------------------------------------------


def offers(seen: dict[str, Any], seat: int, either: bool) -> set[tuple[int, Sum, Sum]]:
    """All that the text lets a player offer: 1 buck of any currency for its equivalent in another, or vice-versa."""
    known = set()
    for pair in seen["pairs"]:
        strong, weak, rate = pair["stronger"], pair["weaker"], Fraction(pair["rate"])
        for one, two, amount in ((strong, weak, rate), (weak, strong, 1 / rate)):
            if (2 * amount).denominator == 1 and (either or one == strong):
                known |= {((one, Fraction(1)), (two, amount)), ((two, amount), (one, Fraction(1)))}
    refused = {(o["with"], *((o[key][0], Fraction(o[key][1])) for key in ("give", "get"))) for o in seen["spot"]["refused"]}
    purses = [{name: Fraction(n) for name, n in player["money"].items()} for player in seen["players"]]
    return {
        (other, give, get)
        for other in range(len(purses))
        for give, get in known
        if other != seat and purses[seat][give[0]] >= give[1] and purses[other][get[0]] >= get[1]
    } - refused


def in_menu(match: Match, seat: int) -> set[tuple[int, Sum, Sum]]:
    """The spot offers of the menu."""
    spots = [move for move in all_moves(match, seat) if move["do"] == "spot"]
    named = {
        (move["with"], *((move[key][0], Fraction(move[key][1])) for key in ("give", "get"))) for move in spots
    }
    assert len(named) == len(spots)
    return named


@given(st.integers(0, 2**40), st.booleans())
def test_the_menu_has_every_swap_that_the_text_allows_and_no_other(seed, either):
    """R1: by an account in fractions of its own."""
    rng = random.Random(seed)
    rates = {"rates": [rng.choice((1, 2, 3, 4, 5, 8)) for _ in range(10)]} if rng.random() < 0.5 else {}
    options = {"spot_unit": "any" if either else "one_stronger", "max_spot_offers": "unlimited", **rates}
    match = Match.new(BOOK, options, rng.randint(2, 4), seed)
    for _ in range(rng.randrange(30)):
        if match.over:
            return
        match.random_move(match.asked[0], rng.randrange(2**40))
    if match.over or match.view()["phase"] != "turn" or not match.view()["spot"]["open"]:
        return
    assert in_menu(match, match.asked[0]) == offers(match.view(), match.asked[0], either)


# --- rulings --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("give", "get", "after"),
    [("1 CAD", "0.5 GBP", ((2.5, 1), (1.5, 3))), ("0.5 GBP", "1 CAD", ((1.5, 3), (2.5, 1)))],
)
def test_at_rate_2_one_of_the_weaker_is_half_of_the_stronger_and_either_side_may_give_it(give, get, after):
    """R1: GBP stands at 2 CAD at the start."""
    match = play(fresh(), f"0 spot with 1 give {give} get {get} / 1 agree")
    assert tuple((money(match, seat, "GBP"), money(match, seat, "CAD")) for seat in (0, 1)) == after
    record = match.record()
    assert record["moves"][0]["give"] in (["CAD", 1], ["GBP", 0.5])
    assert told(match, 2, last=2) == [f"Ada offers Ben {give} for {get}.", f"Ben agrees and swaps {get} for {give}."]
    assert outbid.read_record(record).record() == record
    assert (record["rules"], record["options"]) == ("forex/2", {})


@pytest.mark.parametrize(
    "wrong",
    ["give 1 CNY get 0.25 GBP", "give 0.5 GBP get 2 CNY", "give 1 EUR get 0.5 GBP", "give 2 CAD get 0.5 GBP",
     "give 0.5 USD get 0.5 GBP"],
)  # fmt: skip
def test_no_other_amounts_are_swapped(wrong):
    """R1: at 1.5 and at 4 the equivalent cannot be paid in half-bucks, and 1 buck it is."""
    match = position([dict.fromkeys(CURRENCIES, 9)] * 3)
    before = match.state.copy()
    with pytest.raises((Illegal, outbid.Unreadable)):
        match.play(0, f"spot with 1 {wrong}")
    assert match.state == before


def test_a_rate_of_one_half_lets_1_of_the_weaker_stand_against_2_of_the_stronger():
    """R1: with the parameter `rates`."""
    match = position([{"GBP": 2, "USD": 2}] * 3, rates={"GBP USD": 1}, spaces=[1] * 21)
    match.state.rates[0] = 1
    offered = {(move["give"][1], move["get"][1]) for move in all_moves(match, 0) if move.get("give", [""])[0] == "GBP"}
    assert offered == {(1, 0.5), (2, 1)}


def test_an_offer_is_the_same_as_another_only_if_its_amounts_are():
    """R1, R2: the smaller swap of a pair may follow the larger one that was refused."""
    match = play(fresh(), "0 spot with 1 give 1 GBP get 2 CAD / 1 refuse / 0 spot with 1 give 0.5 GBP get 1 CAD / 1 refuse")
    for again in ("give 1 GBP get 2 CAD", "give 0.5 GBP get 1 CAD"):
        with pytest.raises(Illegal, match="same offer has been refused"):
            match.play(0, f"spot with 1 {again}")
    assert match.view()["spot"]["refused"] == [
        {"with": 1, "give": ["GBP", 1], "get": ["CAD", 2]}, {"with": 1, "give": ["GBP", 0.5], "get": ["CAD", 1]},
    ]  # fmt: skip
    play(match, "0 spot with 2 give 0.5 GBP get 1 CAD / 2 refuse")
    assert not match.view()["spot"]["open"]
    play(match, "0 resolve / 0 strengthen GBP")
    assert match.view()["spot"]["refused"] == []


def test_the_form_names_the_size_where_the_rate_allows_two():
    state = position(rates={"GBP CNY": 6, "GBP USD": 1, "GBP CAD": 3}).state
    asked = {"do": "spot", "with": 2, "give": "GBP", "get": "CAD"}
    assert words.complete(state, asked)["give"] == ["GBP", 1]
    small = words.complete(state, asked | {"of": "weaker"})
    assert (small["give"], small["get"]) == (["GBP", 0.5], ["CAD", 1])
    assert words.complete(state, asked | {"get": "USD", "of": "weaker"})["get"] == ["USD", 1]
    with pytest.raises(Illegal, match=r"1 GBP stands at 3\.5 CNY, so 1 buck of the weaker one"):
        words.complete(state, asked | {"get": "CNY", "of": "weaker"})


def test_steady_takes_the_smaller_swap_where_nothing_else_saves_it():
    """It owes half a buck of GBP and has 1 CAD; the swap of a whole GBP needs 2."""
    poor = dict.fromkeys(CURRENCIES, 0)
    match = position([poor | {"CAD": 1}, {}], queue=[(0, {"GBP": 0.5}), "dividends"], players=2, contract_sets=1)
    action, note = steady(match.state, 0)
    assert (note[0], [CURRENCIES[n] for n in note[1:4]]) == (bot.WHY_SPOT, ["CAD", "GBP", "CAD"])
    for following in (CURRENCIES.index("CAD"), CURRENCIES.index("GBP"), CURRENCIES.index("CAD")):
        contract.apply(match.state, 0, action)
        action = steady(match.state, 0)[0]
        assert action == CURRENCY + following
    contract.apply(match.state, 0, action)
    assert words.spot(match.state, 1, 5, 0, match.state.unit) == {"with": 1, "give": ["CAD", 1], "get": ["GBP", 0.5]}


# --- what a learner sees --------------------------------------------------------------------------------------------------


def row(state, seat):
    """The observation of a seat."""
    out = [0.0] * BOOK.features
    contract.observe(state, seat, out)
    return out


def test_the_partner_sees_the_size_of_an_offer_and_nobody_sees_it_before_it_is_said():
    rows = {}
    for unit in ("GBP", "CAD"):
        state = fresh().state
        for action in (SPOT, *(CURRENCY + CURRENCIES.index(name) for name in ("GBP", "CAD"))):
            contract.apply(state, 0, action)
        facts = BOOK.observation.facts(row(state, 0))
        assert (facts["step"], facts["tied"]) == ("size", ["GBP", "CAD"])
        assert row(state, 1) == row(fresh().state, 1)
        assert hidden(state, 1) == fresh().state
        out = [0] * 64
        assert sorted(out[: contract.legal(state, 0, out)]) == [CURRENCY, CURRENCY + 5]
        contract.apply(state, 0, CURRENCY + CURRENCIES.index(unit))
        rows[unit] = row(state, 1)
        assert BOOK.observation.facts(rows[unit]).get("tied", []) == ([] if unit == "GBP" else ["CAD"])
    assert rows["GBP"] != rows["CAD"]


def digest(options: dict[str, Any]) -> str:
    """A hash of what every seat sees and may do in the course of ten matches at random."""
    told, out = hashlib.sha256(), [0] * 128
    for seed in range(10):
        state = BOOK.fresh(options)
        contract.deal(state, 2 + seed % 5, seed)
        r = stream(seed, 1)
        for _ in range(150):
            seat = contract.asked(state).bit_length() - 1
            open_now = sorted(out[: contract.legal(state, seat, out)])
            told.update(bytes(open_now))
            for viewer in range(state.players):
                told.update(struct.pack(f"<{BOOK.features}f", *row(state, viewer)))
            r = step(r)
            action = open_now[below(r, len(open_now))]
            if below(step(r), 2) and SPOT <= open_now[-1] < CURRENCY:  # more offers than chance would make
                action = open_now[-1]
            contract.apply(state, seat, action)
    return told.hexdigest()[:16]


def test_with_one_stronger_all_is_as_in_the_first_environment_byte_for_byte():
    """The hash was taken with the code of forex-v1."""
    assert digest({"spot_unit": "one_stronger"}) == "188ac8ca830b1277" != digest({})
    assert BOOK.known_environments == {"forex-v1": {"spot_unit": "one_stronger"}, "forex-v2": {}}


def test_a_net_of_the_first_environment_fits_matches_with_one_stronger_only(tmp_path):
    import numpy as np

    with np.load(BOOK.folder / Judge.FILE) as file:
        arrays, facts = {name: file[name] for name in file.files}, json.loads(str(file["facts"]))
    path = tmp_path / "old.npz"
    np.savez(path, **{**arrays, "facts": json.dumps({**facts, "environment": "forex-v1", "presets": ["seed"]})})
    net = Judge.load(BOOK, path)
    assert [net.fits(BOOK.fresh(options)) for options in ({}, {"spot_unit": "one_stronger"})] == [False, True]
