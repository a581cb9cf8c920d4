"""Personas: everybody's trait shows in what they do, counted over many matches; levels and personas by name.

The traits of a game's personas are in `test_personas.py` of its folder; here is what holds for all.
"""

from dataclasses import replace

import pytest

import outbid
from outbid.bots import BOTS, LEVELS, bot, choose
from outbid.bots.personas import MARGIN, how, introduced, personas, takes_personas
from outbid.bots.seat import Seat
from outbid.core import contract
from outbid.core.hooks.policy_params import Personas, PolicyParams
from outbid.core.language import i18n
from outbid.core.rulebook import rulebook, rulebooks
from outbid.lab.simulate import results, simulate
from tests.support.behaviour import decisions
from tests.support.steady import BRIEF

NAMES = {
    "kuhhandel": ["farmer", "shark", "poker-face", "miser"],
    "money": ["collector", "banker", "gambler"],
    "rivals": ["hoarder", "explorer", "spoiler", "early-bird"],
    "forex": ["investor", "arbitrageur", "vulture"],
    "claim": ["hasty", "patient", "bully"],
}
ALL = [(game, name) for game, names in NAMES.items() for name in names]


def test_every_game_has_the_personas_it_should_have():
    assert {book.id: book.personas.names for book in rulebooks().values() if book.id in NAMES} == NAMES


def test_every_level_and_persona_has_a_bot_by_its_name(book):
    for level in ("easy", "steady", "strong"):
        for one in book.personas.each:
            assert bot(f"{level}:{one.name}", book).name == f"{level}:{one.name}"


def test_a_persona_that_the_game_does_not_have_is_refused_by_name():
    with pytest.raises(outbid.BadSetup, match=r"Money! has no character 'farmer'; it has collector, banker, gambler\."):
        bot("easy:farmer", rulebook("money"))
    with pytest.raises(outbid.BadSetup, match="has no character 'farmer'"):
        simulate(rulebook("money"), {}, 3, 1, 1, ["steady:farmer"])


def test_a_game_without_personas_says_so_and_plays_on_every_level_as_steady():
    toy = rulebook("sealed")
    assert toy.personas.names == []
    with pytest.raises(outbid.BadSetup, match="Sealed has no characters, so none is called 'farmer'"):
        bot("easy:farmer", toy)
    played = [results(toy, {}, [name] * 3, 4, 1, backend="plain") for name in ("easy", "steady", "steady@1")]
    assert played[0] == played[1] == played[2]


@pytest.mark.parametrize("name", ["random:farmer", "genius:farmer", "steady@1:farmer", "easy:", ":farmer"])
def test_only_levels_take_a_persona(name):
    with pytest.raises(outbid.BadSetup, match="There is no bot"):
        bot(name)


@pytest.mark.slow(but=("rivals", "money", "claim", "sealed"))
def test_steady_is_play_with_the_usual_parameters(book):
    usual = results(book, {}, ["steady"] * book.players[0], 2, 5, backend="plain")
    who = list(book.personas.players).index("steady")
    for match in range(2):
        state = outbid.game(book.id).new(players=book.players[0], seed=match).state
        for seat in range(book.players[0]):
            if contract.asked(state) >> seat & 1:
                seen = [state.copy(), state.copy()]
                for one in seen:
                    contract.hide(one, seat)
                notes = [[0] * 8, [0] * 8]
                assert contract.steady(seen[0], seat, 7, notes[0]) == contract.play(seen[1], seat, 7, notes[1], who)
                assert notes[0] == notes[1]
    first = results(book, {}, ["steady@1"] * book.players[0], 2, 5, backend="plain")
    assert (usual == first) == (not book.personas.first)


@pytest.mark.slow(but=("rivals", "money"))
@pytest.mark.parametrize(("game", "name"), ALL)
def test_every_persona_plays_unlike_the_steady_player(game, name):
    book = rulebook(game)
    players = 5 if game == "claim" else 3
    ours, usual = (
        [(d.seat, d.action) for d in decisions(book, [who, *["steady"] * (players - 1)], 2)]
        for who in (f"steady:{name}", "steady")
    )
    assert ours != usual


@pytest.mark.parametrize(
    "name", ["easy", "steady:shark", "easy:poker-face", pytest.param("strong:miser", marks=pytest.mark.slow)]
)
@pytest.mark.slow
def test_a_persona_decides_the_same_when_all_its_seat_cannot_know_is_dealt_anew_and_says_why(name):
    found = bot(name)
    searches = hasattr(found, "search")
    if searches:
        found = replace(found, search=replace(found.search, compiled=False, budget=0.02))
    options, thinks = (BRIEF, (30, 80)) if searches else ({}, range(60))
    match = outbid.game("kuhhandel", **options).new(players=3, seed=4)
    for n in range(thinks[-1] + 1):
        seat = match.asked[0]
        decision = (found if n in thinks else bot("steady")).decide(Seat.of(match, seat, 9))
        if n in thinks:
            other = match.copy()
            contract.redeal(other.state, seat, n)
            assert found.decide(Seat.of(other, seat, 9)) == decision
            assert decision.private["en"]
            assert decision.private["de"] != decision.private["en"]
        match.play_steps(seat, decision.actions)


@pytest.mark.deep
def test_strong_leaves_a_persona_s_move_only_for_one_that_is_clearly_better():
    found = bot("strong:spoiler")
    found = replace(found, search=replace(found.search, compiled=False, budget=0.2))
    match = outbid.game("rivals", pile_distribution=True).new(players=2, seed=3)  # as its value net knows it: short rollouts
    stayed = 0
    for _ in range(20):
        seat = Seat.of(match, match.asked[0], 5)
        own, decision = found.own.decide(seat), found.decide(seat)
        if decision.actions == own.actions:
            stayed += len(decision.values) > 1
        else:
            worth = {one.actions: one.value for one in decision.values}
            assert worth[decision.actions] > worth[own.actions] + MARGIN
        match.play_steps(seat.seat, decision.actions)
    assert stayed > 5


def test_what_a_persona_does_not_know_it_has_forgotten_the_match_still_knows():
    match = outbid.game("kuhhandel").new(players=3, seed=4)
    for n in range(80):
        before = match.state.copy()
        decision = choose(match, match.asked[0], "easy", n)
        assert match.state == before
        match.play_steps(match.asked[0], decision.actions)


def test_people_choose_from_levels_and_personas_in_their_language(book):
    offered = {name: said for name, *said in personas(book)}
    assert list(offered) == book.personas.names
    levels = [name for name in LEVELS if takes_personas(BOTS[name])]
    assert len(levels) > 2
    assert all(bot(f"{level}:{name}", book) for level in levels for name in offered)
    with i18n.locale("de"):
        german = {name: said for name, *said in personas(book)}
    assert german.keys() == offered.keys()
    assert not {word for said in offered.values() for word in said} & {word for said in german.values() for word in said}


def test_a_persona_at_the_table_has_a_title_and_a_sentence():
    book = rulebook("kuhhandel")
    assert introduced(book, "easy:farmer") == "easy, a farmer"
    assert how(book, bot("easy:farmer")) == "never bluffs, and pays more for an animal it has some of"
    with i18n.locale("de"):
        assert introduced(book, "easy:farmer") == "leicht, ein Bauer"


def test_policy_parameters_change_only_where_there_are_such():
    params = PolicyParams(reserve=10, denial=30)
    assert params.but({"reserve": 50}) == PolicyParams(reserve=50, denial=30)
    with pytest.raises(AttributeError, match="no policy parameter greed; there are reserve, denial"):
        params.but({"greed": 1})


def test_records_hold_the_same_numbers_as_policy_parameters(book):
    records = book.personas.records()
    for number, params in enumerate(book.personas.players.values()):
        assert records[number].tolist() == tuple(vars(params).values())
    assert isinstance(book.personas, Personas)


@pytest.mark.parametrize(
    ("game", "players"), [("kuhhandel", 3), ("money", 3), ("rivals", 3), ("forex", 3), ("claim", 4)]
)
@pytest.mark.generic
def test_easy_stands_clearly_between_random_and_steady(game, players):
    among = {}
    for others in ("random", "steady"):
        names = ["easy", *[others] * (players - 1)]
        among[others] = simulate(rulebook(game), {}, players, 100, 7, names, backend="compiled").seats[0].share
    assert among["random"].mean - 3 * among["random"].error > 1.3 / players
    assert among["steady"].mean + 3 * among["steady"].error < 1 / players


def test_how_a_steady_bot_plays_is_said_game_by_game_in_both_languages():
    told: dict[str, set[str]] = {}
    for language in i18n.LANGUAGES:
        with i18n.locale(language):
            told[language] = {how(rulebook(game), bot("steady")) for game in NAMES}
            assert how(rulebook("sealed"), bot("steady")) not in told[language]
    assert [len(said) for said in told.values()] == [len(NAMES)] * 2
    assert not set.intersection(*told.values())
    reserve = [game for game in NAMES if "does not bluff much" in how(rulebook(game), bot("steady"))]
    assert reserve == ["kuhhandel"]
