"""Rivals in German: the cards, whom the log speaks to, every reason, the refusals, and what only options bring about."""

from __future__ import annotations

import random
import re

import pytest

from outbid.core.language import i18n
from outbid.core.match import Match
from outbid.games.rivals import bot
from outbid.games.rivals.state import KINDS
from outbid.games.rivals.text.reasons import reason
from outbid.games.rivals.text.sentences import called, in_words
from tests.support.english import ENGLISH, refusals

from . import table
from .table import BOOK, NAMES, fresh, play, play_at_random, position


def told(match, seat, last=1):
    """What a seat was told of the last moves, in German."""
    with i18n.locale("de"):
        return table.told(match, seat, last)


def test_cards_are_named():
    with i18n.locale("de"):
        assert [called("R4"), called("W10"), called("Bx")] == ["rote 4", "weiße 10", "blaue Wettkarte"]
        assert in_words(["Yx", "G2", "R10"]) == "die rote 10, die grüne 2 und die gelbe Wettkarte"
        assert in_words([]) == "nichts"
    assert in_words(["R10", "Yx"]) == "the red 10 and the yellow wager"


def test_the_log_speaks_to_whoever_reads_it():
    match = play(position("R4 B9", deck="G5"), "0 bid 3 / 1 pass / 2 pass")
    assert told(match, 0, 3)[0] == "Du eröffnest eine Auktion mit 3."
    assert told(match, 0) == ["Cem passt.", "Niemand bietet mehr: Du bekommst den Zuschlag für 3 Gold."]
    assert told(match, 1) == ["Cem passt.", "Niemand bietet mehr: Ada bekommt den Zuschlag für 3 Gold."]
    play(match, "0 take R4 / 0 remove B9")
    assert told(match, 0, 2)[0] == "Du nimmst die rote 4."
    assert told(match, 0) == ["Du nimmst die blaue 9 aus dem Spiel.", "Du deckst die grüne 5 auf."]
    assert told(match, 2) == ["Ada nimmt die blaue 9 aus dem Spiel.", "Ada deckt die grüne 5 auf."]


def test_a_bid_is_asked_for_in_german():
    match = play(position("R4 B9 G2"), "0 bid 3")
    with i18n.locale("de"):
        assert match.question(0) == "Auktion um 3 Karten: Du führst mit 3. Ben ist dran."
        assert match.question(1) == "Biete auf die Auslage oder passe: Ada führt mit 3; du hast 12 Gold."
        assert match.question(-1) == "Auktion um 3 Karten: Ada führt mit 3. Ben ist dran."


@pytest.mark.parametrize("code", range(bot.WHY_REMOVE_NOTHING + 1))
def test_every_reason_is_german(code):
    with i18n.locale("de"):
        for card in range(-1, KINDS):
            for other, amount in ((1, 3), (-1, 1)):
                sentence = reason([code, other, amount, 5, 4, card, 0, 0], NAMES, True)
                assert sentence.endswith(".")
                assert not ENGLISH.search(sentence)
                assert "{" not in sentence


REFUSED = ["pass", "take R4", "bid 0", "bid 99", "bid x", "trade", "", "take Q4", "remove R4 R5"]
REFUSED_WINNER = ["take G4", "take R4 R4", "take R2", "take Bx", "remove R4"]


@pytest.mark.parametrize("move", [*REFUSED, *REFUSED_WINNER])
def test_refusals_are_german(move):
    match = fresh("R4")
    if move in REFUSED_WINNER:
        match = play(position("R2 R4 Bx", ["Rx R3 B5"], deck="G5"), "0 bid 1 / 1 pass / 2 pass")
    english, german = refusals(match, move)
    assert english != german
    assert not ENGLISH.search(re.sub(r"„.*?“|'.*?'|es gibt .*", "", german))  # what one types is English


def test_a_card_that_cannot_be_laid_says_why():
    match = play(position("R2 Bx", ["Rx R3 B5"], deck="G5"), "0 bid 1 / 1 pass / 2 pass")
    assert refusals(match, "take R2")[1] == "Du kannst R2 nicht anlegen: Deine Expedition in Rot hat eine 3."
    why = "Deine Expedition in Blau hat schon eine 5, und Wettkarten kommen vor den Zahlen."
    assert refusals(match, "take Bx")[1] == f"Du kannst Bx nicht anlegen: {why}"


OPTIONS = [
    {"dead_cards": "discard", "final_distribution": False, "must_take_at_least_one": True},
    {"gold_open": False, "auction_on_empty_display": True, "next_after_auction": "left_of_opener", "coins": 7},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(map(str, options)))
def test_what_options_bring_about_is_told_in_german(options):
    rng, match = random.Random(4), Match.new(BOOK, options, 3, 4, NAMES[:3])
    while not match.over:
        play_at_random(match, rng)
        with i18n.locale("de"):
            assert not [seat for seat in range(-1, 3) if ENGLISH.search(match.question(seat))]
    for seat in range(-1, 3):
        lines = told(match, seat, len(match.moves))
        assert not [line for line in lines if ENGLISH.search(line) or "{" in line]
