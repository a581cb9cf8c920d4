"""The tunable parameters that make For-Ex small: currencies, spaces of a track, dividend cards, and who begins."""

from __future__ import annotations

import random

import pytest

import outbid
from outbid.core.errors import BadSetup, Illegal
from outbid.games.forex.state import CURRENCIES

NAMES = ["Ada", "Ben", "Cem"]


def match_of(**options):
    """A match of three that Ada begins."""
    return outbid.game("forex", fixed_start=True, **options).new(3)


def test_the_first_currencies_are_in_play_and_the_others_have_nothing():
    """currencies."""
    match = match_of(currencies=3, removed_certificates=0)
    view = match.view()
    assert list(view["strength"]) == ["GBP", "EUR", "USD"]
    assert [pair["pair"] for pair in view["pairs"]] == [["GBP", "EUR"], ["GBP", "USD"], ["EUR", "USD"]]
    assert view["players"][0]["money"] == {"GBP": 2, "EUR": 2, "USD": 2, **dict.fromkeys(CURRENCIES[3:], 0)}
    assert view["stock"] == {"GBP": 8, "EUR": 8, "USD": 8, **dict.fromkeys(CURRENCIES[3:], 0)}
    assert sum(view["strength"].values()) == 3


def test_no_contract_names_a_currency_that_is_out_of_play():
    """currencies."""
    match = match_of(currencies=2)
    contracts = [move for choice in match.legal(0) for move in choice.moves if move["do"] == "contract"]
    assert {move["pay"][0] for move in contracts} == {"GBP", "EUR"}
    before = match.state.copy()
    for move in ({"do": "contract", "pay": ["GBP", 1], "receive": ["CHF", 1.5]}, {"do": "invest", "in": ["CHF"]}):
        with pytest.raises(Illegal):
            match.play(0, move)
    assert match.state == before


def test_certificates_are_removed_of_the_currencies_in_play_only():
    """currencies."""
    game = outbid.game("forex", currencies=2, removed_certificates=5)
    for seed in range(10):
        assert set(game.new(2, seed).deal["removed"]) <= {"GBP", "EUR"}
    with pytest.raises(BadSetup, match="'USD', which is no currency; the currencies are GBP, EUR"):
        game.load(NAMES[:2], {"start": 0, "removed": ["USD"] * 5})


def test_rates_out_of_play_count_nowhere():
    """R3: currencies; USD and CHF stand at the end of the track, and neither silences nor strengthens anybody."""
    spaces = [10, 10, 10, 10, 10, 10, *[1] * 15]
    match = match_of(currencies=2, spaces=spaces)
    assert match.view()["pays_nothing"] == ["EUR"]
    spaces[0] = 1
    assert match_of(currencies=2, spaces=spaces).view()["pays_nothing"] == []


@pytest.mark.parametrize("track", [1, 2, 5])
def test_a_currency_grows_no_stronger_than_the_last_space_of_the_track(track):
    """R3: track; at its end the weaker one pays nothing."""
    match = match_of(track=track, hand_limit=16, certificates=16, start_money=20, removed_certificates=0)
    assert all(pair["space"] <= track for pair in match.view()["pairs"])
    for _ in range(4):
        for seat in range(3):
            match.play(seat, {"do": "invest", "in": ["GBP"]})
    with_gbp = [pair for pair in match.view()["pairs"] if "GBP" in pair["pair"]]
    assert all(pair["space"] == track and pair["stronger"] == "GBP" for pair in with_gbp)
    assert set(match.view()["pays_nothing"]) >= set(CURRENCIES) - {"GBP"}


@pytest.mark.parametrize("cards", [1, 3, 5])
def test_the_match_ends_after_the_last_dividend_card(cards):
    """dividend_cards."""
    match = match_of(dividend_cards=cards, no_certs_no_strengthen=True)
    assert match.view()["dividends"]["pays"] == [0, 2, 2, 2, 3][:cards]
    for _ in range(cards):
        assert not match.over
        match.play(match.asked[0], "resolve")
    assert match.view()["phase"] in ("strongest", "over")
    assert any("That was the last dividend card" in line.text for line in match.log()) or match.over


def test_with_a_fixed_start_seat_0_begins():
    """fixed_start; otherwise the seeds draw everybody, and a deal with another start is refused."""
    assert {outbid.game("forex").new(3, seed).asked for seed in range(40)} == {(0,), (1,), (2,)}
    game = outbid.game("forex", fixed_start=True)
    assert {game.new(3, seed).asked for seed in range(40)} == {(0,)}
    with pytest.raises(BadSetup, match="with fixed_start it must be 0"):
        game.load(NAMES, {**game.new(3).deal, "start": 1})


@pytest.mark.parametrize("seed", range(6))
def test_what_is_out_of_play_stays_so_to_the_end(seed):
    """currencies."""
    match = outbid.game("forex", currencies=2, contract_size=2, certificates=3).new(2, seed)
    rng = random.Random(seed)
    while not match.over:
        match.random_move(match.asked[0], rng.randrange(2**40))
    assert match.view()["strongest"]["currency"] in ("GBP", "EUR")
    assert all(sum(row[2:]) == 0 for row in match.state.money)
