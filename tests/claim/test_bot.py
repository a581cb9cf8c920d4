"""The steady player of Claim and its reasons. Its strength and its silence about secrets are tested for all games."""

from __future__ import annotations

import pytest

from outbid.core import contract
from outbid.games.claim import bot
from outbid.games.claim.text.reasons import reason
from outbid.lab.simulate import simulate
from tests.support.steady import in_public, legal, mixed_play, steady

from .table import ACTION, ALL, BOOK, NAMES, SHOP, THREE, play, position

CODES = sorted(code for name, code in vars(bot).items() if name.startswith("WHY_"))


def says(match, seat=0):
    """The steady player's next move and its reason code."""
    actions = []
    state = match.state.copy()
    note = [0] * 8
    while not actions or contract.midway(state, seat):
        action, note = steady(state, seat)
        assert action in legal(state, seat)
        actions.append(action)
        contract.apply(state, seat, action)
    return BOOK.words.text(BOOK.words.move(match.state, seat, actions)), note[0]


@pytest.mark.parametrize(
    ("options", "players", "share"),
    [({}, 4, 0.6), ({}, 6, 0.5), (THREE, 3, 0.85), (ACTION, 3, 0.7), (SHOP, 3, 0.8), (ALL, 4, 0.8)],
)
@pytest.mark.deep
def test_it_beats_random_players_with_any_expansions(options, players, share):
    names = ["steady"] + ["random"] * (players - 1)
    assert simulate(BOOK, options, players, 200, seed=7, bots=names).seats[0].share.mean >= share


def test_it_takes_a_win_that_is_there():
    match = play(position([["1"]], {4: ["4"], 2: ["2"]}, [[["3", "3"]], [["1"]], [["1"]], [["1"]]]), "0 play 1")
    assert says(match) == ("claim 4", bot.WHY_CLAIM_WIN)
    full = position([["1", "4"]], {4: ["4"]}, [[["3", "3"]], [["1"]], [["1"]], [["1"]]])
    assert says(full)[1] == bot.WHY_PLAY_WIN  # the 4 to fill, or the 1 and then the claim
    assert says(play(full, "0 play 4")) == ("push 4 to 0", bot.WHY_PUSH_WIN)


def test_it_counts_wild_bills_as_they_are_worth_in_a_row():
    for options, code in (({}, bot.WHY_PLAY_WIN), ({"wild_worth": 2}, bot.WHY_PLAY_FULL)):
        table = position([["w"]], {3: ["3"]}, players=3, goal=6, wild_wagers=True, **options)
        assert says(table) == ("play w on 3", code)
        assert says(play(table, "0 play w on 3")) == ("push 3 to 0", bot.WHY_PUSH_WIN if not options else bot.WHY_PUSH_SELF)


def test_it_says_that_it_fills_a_stack_also_where_negative_bills_do():
    match = position([["-2"]], {-2: ["-2", "-2"]}, [[["1"]], [["1"]], [["1"]], [["1"]]], bad_investment=True)
    assert says(match) == ("play -2", bot.WHY_PLAY_FULL)


def test_it_does_not_push_somebody_to_his_goal_if_there_is_another():
    table = [[["1"]], [["3", "3"]], [["2"]], [["2"]]]
    match = play(position([["4"]], {4: ["4"]}, table), "0 play 4")
    text, code = says(match)
    assert text in ("push 4 to 2", "push 4 to 3", "push 4 to 0")
    assert code in (bot.WHY_PUSH, bot.WHY_PUSH_SELF)


def test_it_does_not_fill_a_stack_that_only_a_winner_can_take():
    table = [[["1"], ["2"]], [["3", "3"]], [["1"], ["2"]], [["1"], ["2"]]]
    assert says(position([["4", "1"]], {4: ["4"]}, table))[0] == "play 1"


def test_it_gives_its_opponents_negative_bills():
    text, code = says(play(position([["-2"]], {-2: ["-2", "-2"]}, bad_investment=True), "0 play -2"))
    assert text.startswith("push -2 to")
    assert not text.endswith("to 0")
    assert code == bot.WHY_PUSH


def test_it_refuses_what_harms_and_accepts_what_helps():
    match = position([["-2"]], {-2: ["-2", "-2"]}, players=3, owned={1: ["Insurance"]}, bad_investment=True, **SHOP)
    assert says(play(match, "0 play -2 / 0 push -2 to 1"), 1) == ("refuse", bot.WHY_REFUSE)
    offer = position([["1", "2"], ["3"], ["1"]], {}, [[["4"]], [["2"]], [["2"]]], players=3, coins=[1], **SHOP)
    assert says(play(offer.copy(), "0 play 1 / 0 offer to 1 give coins 1 get nothing"), 1) == ("accept", bot.WHY_ACCEPT)
    assert says(play(offer, "0 play 1 / 0 offer to 1 give nothing get stack 2"), 1) == ("refuse", bot.WHY_DECLINE)


def test_every_reason_is_a_sentence_and_public_ones_name_no_judgement():
    for code in CODES:
        note = [code, 3, 1, 6, 4, 7770, 0, 0]
        assert "ahead" not in in_public(reason, note, NAMES)


def test_its_judgement_is_told_in_words():
    for gain, said in ((900, " I am ahead"), (-3, " nobody is far ahead"), (-1044, " still behind"), (0, "")):
        sentence = reason([bot.WHY_END, 3, 1, 6, 4, gain, 0, 0], NAMES, True)
        assert said in sentence
        assert str(gain) not in sentence
        assert reason([bot.WHY_END, 3, 1, 6, 4, gain, 0, 0], NAMES, False) == ""  # in public the move says as much


def test_the_reason_fits_what_it_does():
    """Over random positions: the words of the reason belong to the move."""
    firsts = {
        "claim": (bot.WHY_CLAIM, bot.WHY_CLAIM_WIN),
        "push": (bot.WHY_PUSH, bot.WHY_PUSH_SELF, bot.WHY_PUSH_WIN),
        "play": (bot.WHY_PLAY, bot.WHY_PLAY_FULL, bot.WHY_PLAY_WIN, bot.WHY_NOTHING),
        "end": (bot.WHY_END,), "accept": (bot.WHY_ACCEPT,), "take": (bot.WHY_TAKE,), "give": (bot.WHY_GIVE, bot.WHY_NOTHING),
        "forecast": (bot.WHY_FORECAST,), "icon": (bot.WHY_USE,), "refuse": (bot.WHY_REFUSE, bot.WHY_DECLINE),
    }  # fmt: skip
    given = set()
    for seed in range(30):
        state = BOOK.fresh([{}, THREE, ALL, SHOP, ACTION][seed % 5])
        contract.deal(state, 2 + seed % 5, seed)
        for seat, action, note in mixed_play(state, seed, 200, thinking=0.95):
            given.add(note[0])
            if state.step or action not in legal(state, seat):
                continue
            after = state.copy()
            contract.apply(after, seat, action)
            if not contract.midway(after, seat):
                do = BOOK.words.move(state, seat, [action])["do"]
                assert note[0] in firsts.get(do, CODES), (do, note[0])
    assert len(given) >= len(CODES) - 5
