"""Kuhhandel in German: the animals in their cases, every reason, the refusals, and what only options bring about."""

from __future__ import annotations

import random
import re

import pytest

from outbid.core.language import i18n
from outbid.core.match import Match
from outbid.games.kuhhandel import bot
from outbid.games.kuhhandel.state import ANIMALS, KINDS
from outbid.games.kuhhandel.text import animals
from outbid.games.kuhhandel.text.reasons import reason
from tests.support.english import ENGLISH, refusals

from .table import BOOK, NAMES, fresh, play, play_at_random, position


def told(match, seat, last):
    """The last lines of a seat's log in German."""
    with i18n.locale("de"):
        return [line.text for line in match.log(seat)][-last:]


def test_animals_stand_in_their_cases():
    donkey, goose = ANIMALS.index("donkey"), ANIMALS.index("goose")
    with i18n.locale("de"):
        forms = [animals.any_of(donkey), animals.this(donkey), animals.first(donkey)]
        assert forms == ["einen Esel", "den Esel", "Der Esel"]
        assert [animals.stake(goose, 1), animals.stake(goose, 2)] == ["die Gans", "die 2 Gänse"]
    assert animals.stake(goose, 2) == "the 2 geese"


def test_the_log_speaks_to_whoever_reads_it():
    match = play(fresh("dog"), "0 auction / 1 bid 60 / 2 pass / 0 sell / 1 pay 50 10")
    assert told(match, 0, 2) == ["Du verkaufst den Hund für 60 an Ben.", "Ben zahlt dir 50, 10 (60) für den Hund."]
    assert told(match, 1, 2) == ["Ada verkauft den Hund für 60 an dich.", "Du zahlst Ada 50, 10 (60) für den Hund."]
    assert told(match, 2, 1) == ["Ben zahlt Ada mindestens 60 mit 2 Karten für den Hund."]
    match = play(fresh("dog"), "0 auction / 1 bid 200 / 2 pass / 0 sell")
    assert told(match, 1, 1) == ["Der Hund wird ohne dich neu versteigert."]


def test_a_trade_speaks_to_whoever_reads_it():
    match = play(position(animals=[{"cow": 1}, {"cow": 1}], deck=()), "0 trade cow with 1 / 0 offer 10 10")
    with i18n.locale("de"):
        assert match.question(0) == "Ben antwortet auf dein Angebot (2 Karten) für die Kuh."
        assert match.question(2) == "Ben antwortet auf Adas Angebot (2 Karten) für die Kuh."
        assert match.question(1) == "Ada bietet 2 Karten für die Kuh: Nimm an oder kontere."


@pytest.mark.parametrize("code", range(bot.WHY_ACCEPT + 1))
def test_every_reason_is_german(code):
    with i18n.locale("de"):
        for kind in range(-1, KINDS):
            for other, amount, own in ((1, 120, 70), (-1, 0, 0)):
                sentence = reason([code, kind, other, amount, 150, own, 0, 0], NAMES, True)
                assert sentence.endswith(".")
                assert not ENGLISH.search(sentence)
                assert "{" not in sentence


@pytest.mark.parametrize("move", ["sell", "trade cow with 2", "trade cow with 0", "bid 5", "bid x", "pay", "", "pay 3"])
def test_refusals_are_german(move):
    match = fresh("cow")
    english, german = refusals(match, move)
    assert english != german
    assert not ENGLISH.search(re.sub(r"„.*?“|'.*?'", "", german))  # what one types is English


OPTIONS = [
    {"bidding": "realtime", "hand_count_view": "hidden", "final_tie": "money", "trade_stall": 2},
    {"bidding": "dropout", "offer_count_view": "hidden", "winner_pays": True, "quick_deal4": True},
    {"auction_payment_view": "public", "tie_money": "returned", "reauction_excludes": False, "trade_stall": 3},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(map(str, options)))
def test_what_options_bring_about_is_told_in_german(options):
    rng, match = random.Random(4), Match.new(BOOK, options, 3, 4, NAMES[:3])
    for _ in range(300):
        if match.over:
            break
        play_at_random(match, rng)
        with i18n.locale("de"):
            assert not [seat for seat in range(-1, 3) if ENGLISH.search(match.question(seat))]
    for seat in range(-1, 3):
        lines = told(match, seat, 10_000)
        assert not [line for line in lines if ENGLISH.search(line) or "{" in line]
