"""Reasons of For-Ex by its rules: a position for each, what is told there, and not for the contrary move."""

import pytest

from outbid.core.hooks.contrast import Contrast, Fact
from outbid.core.hooks.mechanisms import reason
from outbid.games.forex.hooks import mechanisms
from tests.support.reasoning import sentences, shown

from .table import position

RICH = [{"USD": 3, "GBP": 2}]
FIRST = position([{"USD": 2}], queue=[(0, "2 USD", "3 CHF"), "dividends"])
MORE = position(RICH, [{"GBP": 2}, {"GBP": 1}], spent=1)
LESS = position(RICH, [{"GBP": 1}, {"GBP": 2}], spent=1)
SHORT = [{"USD": 1, "GBP": 2}, {"USD": 4}]
OWING = position(SHORT, queue=["dividends", (0, "2 USD", "1 GBP")])
BROKE = position(SHORT, queue=["dividends", (0, {"USD": 2})])
SWAP = "spot with 1 give 1 GBP get 1 USD"

POSITIONS = {
    "ahead": (
        position([{"USD": 9, "GBP": 9}], [{"GBP": 1}, {"GBP": 2}], spent=4), "resolve", "invest USD",
        "The match ends, with a victory for you."),
    "behind": (
        position([{"USD": 0, "GBP": 2}], [{"GBP": 1}, {"GBP": 2}], spent=4), "invest GBP", "resolve",
        "The match ends, with a victory for Ben."),
    "ruin": (
        position(RICH, queue=[(0, {"USD": 2}), "dividends"]), "invest GBP", "invest USD",
        "As things stand, your loan falls due with 1 USD missing, which is bankruptcy and ends the match."),
    "ruin_new": (
        position(), "resolve", "contract pay 5 USD receive 5 GBP",
        "As things stand, your contract cannot be paid when it falls due and becomes a loan, of which 4 USD will be "
        "missing: bankruptcy, which ends the match."),
    "repaid": (
        position([{"USD": 2, "CHF": 5}], queue=[(0, {"USD": 2, "CHF": 3}), "dividends"]), "resolve", "invest CHF",
        "It pays back your loan, 2 USD and 3 CHF."),
    "dividend": (MORE, "resolve", "invest USD", "The dividend pays you 4 GBP, more than anybody else."),
    "bought": (
        MORE, "invest USD", "divest 1 GBP",
        "What is bought costs 2 USD, and can still get 9 USD from the dividends that are left."),
    "bought_more": (
        MORE, "invest USD GBP", "invest USD",
        "What is bought costs 2 GBP and 2 USD, and can still get 9 GBP and 9 USD from the dividends that are left, instead "
        "of 9 USD for 2 USD."),
    "sold": (
        MORE, "invest USD", "divest 1 GBP",
        "What is sold brings 2 GBP; held, it can still get 9 GBP from the dividends that are left."),
    "sold_more": (
        MORE, "divest 1 GBP", "divest 2 GBP",
        "It gives up 18 GBP of the dividends that are left instead of 9 GBP, which is more, counted in GBP."),
    "weaker": (
        position([{"CNY": 19}], [{"CNY": 1}]), "resolve", "divest 1 CNY",
        "It weakens CNY (1 GBP is then 5 CNY instead of 4): that costs you most, with 21 CNY in hand and still due, against "
        "2 CNY for Cem."),
    "stronger": (
        position([{"CNY": 19}]), "invest CNY", "invest GBP",
        "It strengthens CNY (1 GBP is then 3.5 CNY instead of 4): that helps you most, with 26 CNY in hand and still due, "
        "against 2 CNY for Cem."),
    "share": (
        position([{"USD": 0, "GBP": 2}], [{"GBP": 1}, {"GBP": 2}], spent=4), "invest GBP", "resolve",
        "At the rates then, with the dividends and contracts still to come, it gives you 33 % of all money."),
    "share_more": (
        MORE, "invest USD", "resolve",
        "At the rates then, with the dividends and contracts still to come, it gives you 56 % of all money instead of "
        "52 %."),
    "idle": (
        position([{"USD": 4, "CNY": 4}], rates={"USD CNY": 10}), "invest CNY", "invest CNY USD",
        "Certificates of CNY pay no dividend while a pair stands on the 8 space."),
    "woken": (
        position([{"CNY": 4}], rates={"USD CNY": 10}), "invest CNY", "invest GBP",
        "It takes CNY off the 8 space, so that its certificates pay dividends again."),
    "swap_short": (
        MORE, "invest USD", SWAP, "If Ben agrees, that leaves you 1 GBP, too little for a certificate of GBP."),
    "swap_saves": (
        BROKE, SWAP, "resolve",
        "If Ben agrees, nothing is missing any more, as things stand, when your loan falls due: no bankruptcy."),
}  # fmt: skip


test_a_mechanism_is_told_for_the_move_it_speaks_for, test_every_mechanism_has_a_position = shown(mechanisms, POSITIONS)


def test_that_both_moves_strengthen_a_currency_is_no_reason():
    """CNY helps Ada most after either move; after the second one by too little to tell."""
    match = position([{"CNY": 19}], [{}, {"CNY": 2}])
    assert any("strengthens CNY" in sentence for sentence in sentences(match, "invest CNY", "invest GBP"))
    assert not [sentence for sentence in sentences(match, "invest CNY", "invest CNY GBP") if "strengthens CNY" in sentence]


def test_what_speaks_for_a_third_move_as_well_is_no_reason():
    gives_up = "It gives up 18 GBP"
    assert any(gives_up in sentence for sentence in sentences(MORE, "divest 1 GBP", "divest 2 GBP"))
    assert not any(gives_up in sentence for sentence in sentences(MORE, "divest 1 GBP", "divest 2 GBP", "resolve"))
    share = "it gives you 56 % of all money"
    assert any(share in sentence for sentence in sentences(MORE, "invest USD", "resolve"))
    assert any(share in sentence for sentence in sentences(MORE, "invest USD", "resolve", "divest 1 GBP"))
    assert not any(share in sentence for sentence in sentences(MORE, "invest USD", "resolve", "invest USD GBP"))


def test_a_share_is_not_told_where_money_is_missing():
    for queue, whole in ((["dividends", (0, {"USD": 9})], False), (["dividends"], True)):
        match = position(RICH, [{"GBP": 2}, {"GBP": 1}], spent=1, queue=queue)
        assert any("of all money" in sentence for sentence in sentences(match, "invest USD", "resolve")) == whole


def test_what_is_bought_with_money_that_is_then_missing_for_a_loan_is_no_gain():
    for queue, gain in (([(0, {"GBP": 2}), "dividends"], False), (["dividends", (0, {"GBP": 2})], True)):
        match = position(RICH, [{"GBP": 1}], spent=1, queue=queue)
        assert any("bought" in sentence for sentence in sentences(match, "invest GBP", "resolve")) == gain


@pytest.mark.parametrize(("spent", "missing"), [(0, True), (1, False)])
def test_what_the_dividend_before_a_loan_pays_is_not_missing(spent, missing):
    """The first dividend pays nothing, the second 2 USD for the certificate that is bought."""
    match = position([{"USD": 2}], spent=spent, queue=["dividends", (0, {"USD": 2})])
    assert any("2 USD missing" in sentence for sentence in sentences(match, "resolve", "invest USD")) == missing


def test_more_of_the_same_money_missing_is_no_reason():
    """The loan is not paid after either move."""
    match = position([{"GBP": 4, "USD": 2}], queue=["dividends", (0, {"USD": 5})])
    assert not [sentence for sentence in sentences(match, "invest GBP", "invest USD") if "missing" in sentence]


def test_a_loan_that_an_earlier_contract_pays_for_is_not_said_to_lack_money():
    queue = ["dividends", (0, "2 GBP", "3 USD"), (0, {"USD": 3})]
    match = position([{"USD": 2, "GBP": 2, "CHF": 2}], queue=queue)
    assert not [sentence for sentence in sentences(match, "resolve", "invest CHF") if "loan" in sentence]
    assert [sentence for sentence in sentences(match, "resolve", "invest GBP") if "3 GBP missing" in sentence]


def test_what_the_action_after_a_spot_offer_can_bring_as_well_is_no_reason():
    swap = SWAP.replace("1 GBP get 1 USD", "1 USD get 1 GBP")
    for better, worse in (("invest USD", swap), (swap, "divest 1 GBP")):
        assert sentences(MORE, better, worse) == []


def test_dividends_behind_a_bankruptcy_are_not_still_paid():
    """Ben's loan comes up after the first of three dividends."""
    for debt, later in ((9, "2 GBP"), (1, "7 GBP")):
        match = position(RICH, [{"GBP": 2}], spent=2, queue=["dividends", (1, {"USD": debt})])
        told = [sentence for sentence in sentences(match, "resolve", "divest 1 GBP") if "sold" in sentence]
        assert bool(told) == (later == "7 GBP"), "what is sold brings as much as a dividend"
        assert all(later in sentence for sentence in told)


def test_what_a_stronger_currency_helps_is_not_told_where_a_debt_ends_the_match_before():
    for debt, told in ((30, False), (1, True)):
        match = position([{"CNY": 19}], queue=["dividends", (2, {"USD": debt})])
        assert any("strengthens CNY" in sentence for sentence in sentences(match, "invest CNY", "invest GBP")) == told


@pytest.mark.parametrize("before", [0, 2])
def test_who_can_sell_before_a_loan_falls_due_is_not_called_bankrupt(before):
    """The certificate that is bought brings the 2 USD that it cost, if it is Ada's turn once more."""
    queue = ["dividends", *before * [(1, "1 GBP", "1 USD")], (0, {"USD": 2})]
    told = sentences(position([{"USD": 3}], queue=queue), "resolve", "invest USD")
    assert any("bankruptcy" in sentence for sentence in told) == (before == 0)


def test_a_bankruptcy_that_threatens_either_way_is_named_once():
    match = position(RICH, [{"GBP": 2}], spent=1, queue=["dividends", (1, {"USD": 9})])
    moves = [match.attempt(0, move).actions for move in ("invest USD", "divest 1 GBP")]
    contrast = Contrast(0, 9, (Fact(("share", 0), False, 40.0, 30.0),))
    facts = match.rulebook, match.state, 0, moves, match.names, 0
    assert reason(*facts) == ("", "")
    assert reason(*facts, contrast)[1] == (
        "What threatens either way: As things stand, Ben's loan falls due with 7 USD missing, which is bankruptcy and "
        "ends the match."
    )


def test_selling_what_pays_no_dividend_gives_up_nothing():
    match = position([{}], [{"CNY": 1, "USD": 1}], rates={"USD CNY": 10}, spent=1)
    nothing = "Certificates of CNY pay no dividend while a pair stands on the 8 space."
    assert nothing in sentences(match, "divest 1 CNY", "divest 1 USD")
    assert nothing not in sentences(match, "divest 1 USD", "divest 1 CNY")
