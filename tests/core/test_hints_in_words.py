"""A hint speaks in sentences: of every move that a bot may consider there is one in both languages, never a command."""

from __future__ import annotations

import random

import pytest

from outbid.bots.seat import Seat
from outbid.core import contract
from outbid.core.language.i18n import LANGUAGES
from outbid.core.match import Match
from outbid.core.rulebook import rulebook


@pytest.mark.parametrize("game", ["kuhhandel", "money", "rivals", "forex", "claim"])
def test_every_move_that_a_hint_may_name_is_told_in_a_sentence_of_both_languages(game):
    rng = random.Random(7)
    match = Match.new(rulebook(game), {}, 3, 7, ["Ada", "Ben", "Cem"])
    kinds = set()
    for _ in range(90):
        if match.over:
            break
        if not match.asked:
            match.random_move(contract.CLOCK, rng.randrange(1 << 30))
            continue
        number = rng.choice(match.asked)
        seat = Seat.of(match, number, 1)
        actions = seat.whole(lambda seen, _, asked=number: contract.at_random(seen, asked, rng.randrange(1 << 30), None))
        command, sentences = seat.said(actions), seat.told(actions)
        kinds.add(command.split()[0])
        for language in LANGUAGES:
            sentence = sentences.get(language, "")
            assert sentence, (language, command)
            assert sentence[0].isupper(), (command, sentence)
            assert sentence.endswith("."), (command, sentence)
        match.random_move(number, rng.randrange(1 << 30))
    assert len(kinds) > 1
