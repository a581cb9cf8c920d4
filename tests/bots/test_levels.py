"""The levels between the heuristic and the whole search: one list of them, and what each leaves the heuristic's move for."""

from __future__ import annotations

from dataclasses import replace

import pytest

import outbid
import outbid.lab.arena
from outbid import lab
from outbid.bots import BOTS, LEVELS, LookAhead, bot, strong
from outbid.bots.heuristic import STEADY
from outbid.bots.personas import introduced, without_nets
from outbid.bots.search import margin
from outbid.bots.seat import Seat
from outbid.core.hooks.search_config import KEEN, SHARP, Level
from outbid.core.language import i18n
from outbid.core.match import Match
from outbid.core.rulebook import rulebook, rulebooks
from outbid.server.web.screens.new.sheet import levels

AHEAD = [name for name in LEVELS if isinstance(BOTS[name], LookAhead)]


def test_there_are_five_levels_and_a_random_one_the_weakest_first():
    assert LEVELS == ("random", "easy", "steady", "keen", "sharp", "strong")
    assert levels()[: len(LEVELS)] == list(LEVELS)


def test_every_game_declares_each_level_and_the_sharper_one_leaves_the_heuristic_sooner():
    for book in rulebooks().values():
        keen, sharp = (book.search.levels[name] for name in (KEEN, SHARP))
        assert 0 < sharp.margin < keen.margin < 1
        assert 0 < keen.budget <= sharp.budget <= 1
        assert keen.led is None


def test_a_level_begins_with_the_move_of_a_net_where_the_game_says_so_and_the_net_has_learned_the_rules():
    book = rulebook("rivals")
    known, unknown = (strong.SearchSettings.of(book, book.fresh(options), 3) for options in ({}, {"coins": 20}))
    assert (known.lead, unknown.lead) == (1, 0)
    led = book.search.levels[SHARP].led
    assert led
    assert (known.at(book, SHARP).lead, known.at(book, SHARP).margin) == (1, led.margin)
    assert (unknown.at(book, SHARP).lead, unknown.at(book, SHARP).margin) == (0, book.search.levels[SHARP].margin)
    assert known.at(book, KEEN).lead == 0


def test_every_level_has_a_german_name_of_its_own():
    with i18n.locale("de"):
        german = [introduced(rulebook("rivals"), name) for name in LEVELS]
    assert len(set(german)) == len(LEVELS)
    assert not set(german) & set(LEVELS)


def at(game, level, margin, moves=6):
    """What a level with this margin does in the first moves of a match, and what the heuristic would do."""
    book = rulebook(game)
    known = book.search
    match = outbid.game(game, "tiny" if game == "rivals" else "seed").new(players=book.players[0], seed=5)
    object.__setattr__(book, "search", replace(known, levels={level: Level(1.0, margin)}))
    try:
        found = []
        while not match.over and len(found) < moves:
            seat = Seat.of(match, match.asked[0], 3)
            decision = replace(BOTS[level], compiled=False, budget=2.0).decide(seat)
            found.append((decision, STEADY.decide(seat)))
            match.play_steps(seat.seat, decision.actions)
        return found
    finally:
        object.__setattr__(book, "search", known)


@pytest.mark.parametrize("level", [KEEN, SHARP])
def test_with_the_margin_of_a_whole_victory_a_level_plays_as_the_heuristic(level):
    made = at("rivals", level, 1.0)
    assert all(decision.actions == usual.actions for decision, usual in made)
    assert any(len(decision.values) > 1 for decision, _ in made)


def test_what_a_level_leaves_the_heuristic_for_is_better_by_its_margin():
    made = at("rivals", KEEN, 0.02, moves=20)
    left = [decision for decision, usual in made if decision.actions != usual.actions]
    assert left
    for decision in left:
        assert decision.values[0].actions == decision.actions


def test_a_move_is_left_at_the_margin_and_not_below_it():
    class Work:
        ahead = (0.0, 0.4, 0.6)
        played = (10, 10, 10)

    assert margin.leave(1, 3, 0.05, Work) == 0
    assert margin.leave(2, 3, 0.05, Work) == 2
    assert margin.leave(2, 3, 0.0, Work) == 2
    assert margin.leave(0, 0, 0.05, Work) == 0


def test_a_level_decides_the_same_whatever_the_others_did_before():
    match = outbid.game("kuhhandel").new(players=3, seed=4)
    for number in range(40):
        match.play_steps(match.asked[0], STEADY.decide(Seat.of(match, match.asked[0], number)).actions)
    seat = Seat.of(match, match.asked[0], 9)
    keen = replace(BOTS[KEEN], compiled=False, budget=2.0)
    assert len(seat.past) > 20
    assert keen.decide(seat) == keen.decide(replace(seat, past=()))


def test_a_level_takes_a_persona_and_an_effort():
    assert bot("keen:shark", rulebook("kuhhandel")).search.level == KEEN
    assert outbid.bots.load_bot("sharp*0.5").budget == 0.5


def test_a_beginner_slips_in_one_choice_of_five_and_no_form_offers_it():
    match = outbid.game("claim").new(players=3, seed=2)
    seat = Seat.of(match, match.asked[0], 0)
    first = [BOTS["beginner"].decide(replace(seat, seed=seed)).actions[0] for seed in range(200)]
    usual = STEADY.decide(seat).actions[0]
    assert 0.05 < sum(action != usual for action in first) / 200 < 0.3
    assert "beginner" not in levels()


# --- nets --------------------------------------------------------------------------------------------------------------


def test_a_bot_plays_without_its_nets_under_rules_they_have_not_learned():
    claim, changed = rulebook("claim"), {"goal": 7}
    assert [without_nets(claim, BOTS[name], {}) for name in LEVELS] == [False] * len(LEVELS)
    assert [name for name in LEVELS if without_nets(claim, BOTS[name], changed)] == AHEAD
    assert without_nets(claim, BOTS["net"], changed)
    assert not without_nets(rulebook("forex"), BOTS["strong"], {"start_money": 5})  # which has none anyway


def test_without_a_net_net_says_that_the_heuristic_played():
    match = outbid.game("claim", goal=7).new(players=3, seed=2)
    assert BOTS["net"].decide(Seat.of(match, match.asked[0], 1)).by == "steady"


def test_nets_are_used_where_only_options_differ_that_bear_little_on_them():
    from outbid.bots.nets.value import net

    book = rulebook("kuhhandel")
    known = book.search
    state = book.fresh({"zeros_return": True})
    assert not net(book).fits(state)
    object.__setattr__(book, "search", replace(known, carries=("zeros_return",)))
    try:
        assert net(book).serves(state)
        assert not net(book).serves(book.fresh({"zeros_return": True, "copies": [3] * 10}))
    finally:
        object.__setattr__(book, "search", known)


@pytest.mark.parametrize("game", rulebooks())
def test_a_house_rule_leaves_the_look_ahead_at_every_table_it_allows(game):
    """Each option that nets are said to bear, and every number of players under it: there are settings, with nets that have
    learned so many players or with none."""
    book = rulebook(game)
    for option in (one for one in book.options if one.name in book.search.carries):
        for value in changes(option):
            match = Match.new(book, {option.name: value}, book.players[0], 1)
            for players in range(match.state.players, book.players[1] + 1):
                state = Match.new(book, {option.name: value}, players, 1).state
                assert strong.SearchSettings.of(book, state, players).rollouts > 0
    assert not set(book.search.carries) - {one.name for one in book.options}


def changes(option):
    """Some other values of an option."""
    if isinstance(option.default, bool):
        return [not option.default]
    return [word for word in option.words if word != option.default] or [option.low, option.high]


def test_a_net_serves_no_number_of_players_that_it_has_not_learned():
    for game, least in (("kuhhandel", {"least_players": 2}), ("money", {"least_players": 2})):
        book = rulebook(game)
        state = Match.new(book, least, 2, 1).state
        assert strong.SearchSettings.of(book, state, 2).to_the_end
        assert not strong.SearchSettings.of(book, state, 2).lead


@pytest.mark.parametrize(("goal", "said"), [(7, ("strong*0.01",)), (10, ())])
def test_the_arena_says_who_plays_without_nets(goal, said, monkeypatch):
    monkeypatch.setattr(lab.arena, "pairs", lambda bots, alone: ())
    found = lab.arena.arena(rulebook("claim"), {"goal": goal}, 2, ["strong*0.01", "steady"], 2, 1)
    assert found.without_nets == tuple(found.as_dict()["without_nets"]) == said
    sentence = "strong*0.01 plays without its nets, which have not learned these rules."
    assert (sentence in lab.arena.as_text(found)) == bool(said)
