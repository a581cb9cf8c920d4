"""The arena: honest measures of how strong bots are. Most of it plays on the plain backend, which compiles nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from sealed import rulebook as sealed

import outbid
from outbid.bots import LookAhead, load_bot, naming, strong
from outbid.bots.nets.policy import write
from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import rulebook, rulebooks
from outbid.lab.arena import arena, as_text, drawn, one_against_others, pairs
from outbid.lab.shares import share_of
from outbid.runs import runner
from outbid.runs.loops import matches
from outbid.runs.replay import asked_match
from outbid.runs.runner import play
from outbid.runs.seating import Bots
from outbid.runs.seeds import RANGES, place_of, seed_of
from tests.support.commands import outbid_command

TINY = rulebook("rivals").preset("tiny")
SHORT = {"copies": [1] * 9, "wagers": 1}  # a short Rivals
TABLES = [(book.id, players) for book in rulebooks().values() for players in range(book.players[0], book.players[1] + 1)]


@pytest.mark.parametrize(("name", "players"), TABLES)
@pytest.mark.generic
def test_identical_bots_have_exactly_one_nth_of_every_deal_in_every_game_at_every_number_of_players(name, players):
    found = one_against_others(rulebook(name), {}, players, "steady", "steady", 2, 7, threads=1, compiled=False)
    assert found.share == pytest.approx(1 / players, abs=1e-12)
    assert found.error == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", ["random", "easy", "strong*0.01", "strong*0.01>steady", "strong*0.01>strong*0.01"])
@pytest.mark.slow
def test_identical_bots_of_every_kind_have_exactly_one_nth_of_every_deal(name):
    found = one_against_others(rulebook("rivals"), TINY, 2, name, name, 4, 7, compiled=False)
    assert found.share == pytest.approx(1 / 2, abs=1e-12)
    assert found.error == pytest.approx(0, abs=1e-12)


def test_bots_that_are_the_same_have_exactly_one_nth_at_mixed_tables_too():
    players = 4
    matches = play(sealed, {}, players, ["steady"] * 3, drawn(3, players, 9, 3), 5, compiled=False)
    for number in range(3):
        found = share_of(matches.share_of(number), players)
        assert found.mean == pytest.approx(1 / players, abs=1e-12)
        assert found.error == pytest.approx(0, abs=1e-12)


def test_at_mixed_tables_every_bot_sits_in_every_seat_of_every_deal_it_is_in():
    for bots, players in ((2, 3), (3, 3), (5, 3), (6, 2)):
        seating = drawn(bots, players, 24, 1)
        matches = play(sealed, {}, players, ["random"] * bots, seating, 1, compiled=False)
        for number in range(bots):
            sat = (matches.bots == number).reshape(24, players, players).sum(1)
            assert (sat == sat[:, :1]).all()
        assert (np.bincount(seating[: 24 // bots * bots].ravel()) == 24 // bots * players).all()
        assert all(np.ptp(np.bincount(row, minlength=bots)) <= 1 for row in seating)
        assert len({tuple(row) for row in seating.tolist()}) > 5


@pytest.mark.deep
def test_compiled_and_plain_play_the_very_same_matches(monkeypatch):
    """With the same room for what is solved."""
    monkeypatch.setattr(strong, "LITTLE", strong.LITTLE_PLAIN)
    bots = ["strong*0.02", "easy", "random", "strong*0.02>easy", "strong*0.01>strong*0.01"]
    seating = drawn(len(bots), 2, 10, 2)
    one, other = (play(rulebook("rivals"), TINY, 2, bots, seating, 3, compiled=how) for how in (True, False))
    assert (one.shares == other.shares).all()
    assert (one.places == other.places).all()


@pytest.mark.deep
def test_the_same_arena_again_says_the_same_on_any_number_of_threads():
    book = rulebook("rivals")
    one = one_against_others(book, SHORT, 2, "strong*0.02", "steady", 12, 3, threads=1)
    assert one == one_against_others(book, SHORT, 2, "strong*0.02", "steady", 12, 3, threads=2)
    assert one.error > 0


def test_what_a_seat_draws_does_not_change_when_others_draw_more():
    book, deals = rulebook("rivals"), 3
    seating = np.tile(np.array([0, 1]), (deals, 1))
    with_one = play(book, SHORT, 2, ["steady", "random"], seating, 4, compiled=False)
    again = play(book, SHORT, 2, ["steady", "random"], seating[:2], 4, compiled=False)
    assert (again.places == with_one.places[: 2 * 2]).all()


@pytest.mark.deep
def test_steady_beats_random_alone_and_in_company():
    steady, random = arena(rulebook("rivals"), {}, 3, ["steady", "random"], 60, 1).pairings
    assert (steady.bot, random.bot, steady.equal) == ("steady", "random", 1 / 3)
    assert steady.measured.low > 0.8
    assert random.measured.high < 0.1


@pytest.mark.deep
def test_looking_ahead_beats_the_heuristic_it_looks_ahead_with():
    found = one_against_others(rulebook("rivals"), SHORT, 2, "strong*0.1", "steady", 16, 11)
    assert found.measured.low > 0.5


def test_the_places_are_those_of_winners_and_points():
    matches = play(rulebook("rivals"), SHORT, 3, ["steady", "random"], drawn(2, 3, 4, 1), 9, compiled=False)
    assert matches.shares.sum(1) == pytest.approx(1)
    assert ((matches.places == 0) == (matches.shares > 0)).all()
    assert ((matches.places >= 0) & (matches.places < 3)).all()


@pytest.mark.slow
def test_few_matches_are_played_plain_among_bots_that_are_quick_plain(monkeypatch):
    original = runner.run

    def run(*arguments):
        if arguments[-1]:
            raise NotImplementedError("compiled")
        original(*arguments)

    monkeypatch.setattr(runner, "run", run)
    monkeypatch.setattr(runner, "_ready", lambda book: False)
    assert len(play(sealed, {}, 2, ["steady", "random"], drawn(2, 2, 4, 1), 5).shares) == 4 * 2
    net = f"net@{rulebook('rivals').folder / 'policy.npz'}"
    assert len(play(rulebook("rivals"), {}, 2, [net, "random"], drawn(2, 2, 2, 1), 5).shares) == 2 * 2
    for bots, deals in (
        (["steady", "random"], 250), ([net, "random"], 50), (["net", "random"], 4), (["strong*0.01", "random"], 4),
        ([net, "net"], 2), ([net, "steady:hoarder"], 2),
    ):  # fmt: skip
        with pytest.raises(NotImplementedError):
            play(rulebook("rivals"), {}, 2, bots, drawn(2, 2, deals, 1), 5)


@pytest.mark.parametrize(("game", "few", "many"), [("claim", 300, 600), ("money", 150, 300), ("kuhhandel", 9, 24)])
def test_with_a_net_from_a_file_how_many_matches_are_few_is_a_matter_of_how_long_they_are(game, few, many):
    """For each game about what takes as long, plain, as the compiler does."""
    bots = SimpleNamespace(book=rulebook(game), options={}, names=["net@net.npz", "steady"])
    assert runner._few(bots, 3, few)
    assert not runner._few(bots, 3, many)


def tiny_net(game, path):
    """A net of eight units that has learned nothing."""
    rng = np.random.default_rng(3)
    sizes = [game.rulebook.features, 8, 8, game.rulebook.actions]
    write(path, game, [(rng.normal(size=(out, given)), rng.normal(size=out)) for given, out in pairwise(sizes)])
    return f"net@{path}"


@pytest.mark.deep
def test_whole_matches_with_a_net_from_a_file_are_the_same_plain_and_compiled(tmp_path):
    table = outbid.game("rivals", preset="tiny")
    bots = [tiny_net(table, tmp_path / "net.npz"), "steady", "random"]
    seating = drawn(len(bots), 2, 12, 2)
    one, other = (play(table.rulebook, table.options, 2, bots, seating, 3, compiled=how) for how in (True, False))
    assert (one.shares == other.shares).all()
    assert (one.places == other.places).all()


def test_a_net_from_a_file_plays_in_the_loop_that_compiles_no_search_and_as_in_the_other(tmp_path):
    table, seating = outbid.game("rivals", preset="tiny"), drawn(2, 2, 6, 2)
    quick = [tiny_net(table, tmp_path / "net.npz"), "steady[deny=20]"]
    some, all_ = (Bots(table.rulebook, table.options, 2, names) for names in (quick, [*quick, "strong*0.01"]))
    assert (some.loop, all_.loop) == (matches.quick, matches.matches)
    one, other = (play(table.rulebook, table.options, 2, bots.names, seating, 3, compiled=False) for bots in (some, all_))
    assert (one.shares == other.shares).all()
    assert len(set(one.places[:, 0])) > 1


def test_progress_counts_every_match():
    done = []
    one_against_others(sealed, {}, 3, "steady", "random", 5, 1, progress=done.append, compiled=False)
    assert sum(done) == 5 * 3


def test_alone_leaves_only_the_pairings_in_which_one_of_these_is_alone():
    assert list(pairs("abc", "b")) == [("b", "a"), ("b", "c")]
    assert len(list(pairs("abc"))) == 6


def test_seeds_for_reports_are_none_of_those_that_anything_was_chosen_on():
    ranges = sorted(RANGES.values(), key=lambda seeds: seeds.start)
    assert all(one.stop <= other.start for one, other in pairwise(ranges))
    for purpose in RANGES:
        assert place_of(seed_of(purpose, 3)) == {"seeds": purpose, "seed": 3}
    with pytest.raises(outbid.BadSetup, match="no seeds for 'fun'"):
        seed_of("fun", 1)
    with pytest.raises(outbid.BadSetup, match="The seed is -1"):
        seed_of("report", -1)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda book: arena(book, {}, 3, ["steady"], 5, 1), "two different bots"),
        (lambda book: arena(book, {}, 3, ["steady", "steady"], 5, 1), "two different bots"),
        (lambda book: arena(book, {}, 9, ["steady", "random"], 5, 1), "not 9"),
        (lambda book: arena(book, {}, 3, ["steady", "random"], 5, 1, alone=["easy"]), "Alone are easy"),
        (lambda book: one_against_others(book, {}, 3, "steady", "random", 1, 1), "at least two"),
        (lambda book: Bots(book, {}, 3, ["genius"]), "no bot 'genius'"),
        (lambda book: Bots(book, {}, 3, ["strong*x"]), "must be a number"),
        (lambda book: Bots(book, {}, 3, ["steady*2"]), "no bot 'steady\\*2' in the arena"),
        (lambda book: Bots(book, {}, 3, ["steady[love=2]"]), "cannot be read: There is no policy parameter love"),
        (lambda book: Bots(book, {}, 3, ["steady[share=99999999999999999999]"]), "a policy parameter beyond 1,000,000,000"),
        (lambda book: Bots(book, {}, 3, ["strong>genius"]), "no bot 'genius'"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_sentence(call, sentence):
    with pytest.raises(outbid.BadSetup, match=sentence):
        call(rulebook("rivals"))


@pytest.mark.deep
def test_the_command_prints_payoffs_mixed_tables_a_ladder_and_a_picture(tmp_path):
    picture = tmp_path / "arena.svg"
    command = ("arena", "rivals", "-n", "3", "--bots", "steady,easy,random", "--games", "6")
    said = json.loads(outbid_command(*command, "--json", "--svg", str(picture)).stdout)
    assert (said["game"], said["seeds"], said["seed"]) == ("rivals", "selection", 0)
    assert len(said["pairings"]) == 6
    assert {one["bot"] for one in said["mixed"]} == {one["bot"] for one in said["ladder"]} == {"steady", "easy", "random"}
    shown = outbid_command(*command).stdout
    assert "3 players, 6 deals from every seat; 95 % intervals; an equal share is 33.3 %" in shown
    assert "●" in shown
    drawing = picture.read_text(encoding="utf-8")
    assert drawing.startswith("<svg")
    assert "easy" in drawing


@pytest.mark.slow
def test_the_table_has_the_row_s_bot_alone_among_the_column_s():
    text = as_text(arena(rulebook("rivals"), {}, 3, ["steady", "random"], 4, 1))
    assert text.splitlines()[1].split() == ["one", "\\", "others", "steady", "random"]
    assert text.splitlines()[2].startswith("steady")


def moves_of(book, options, players, bots, deals, seed, monkeypatch):
    """All steps of the true matches: as the arena plays them, and as a table asks."""
    made = []

    def noted(state, seat, action):
        made.append((seat, action))
        contract.apply(state, seat, action)

    monkeypatch.setattr(matches, "apply", noted)
    seating = drawn(len(bots), players, deals, seed)
    there = Bots(book, options, players, bots)
    shares, places = np.zeros((deals, players)), np.zeros((deals, players), np.int64)
    runner.run(there, book.fresh(options), seed, 0, seating, shares, places, compiled=False)
    asked, play_steps = [], Match.play_steps

    def told(self, seat, actions):
        asked.extend((seat, action) for action in actions)
        return play_steps(self, seat, actions)

    monkeypatch.setattr(Match, "play_steps", told)
    for number, row in enumerate(seating.tolist()):
        asked_match(book, options, [bots[bot] for bot in row], seed, number)
    return made, asked


GAMES = [
    pytest.param("rivals", TINY, 2, id="rivals"),
    *(
        pytest.param(book.id, book.laboratory["small3"], 3, id=f"{book.id}-small3", marks=pytest.mark.deep)
        for book in rulebooks().values() if "small3" in book.laboratory
    ),
]  # fmt: skip


@pytest.mark.parametrize(("game", "options", "players"), GAMES)
@pytest.mark.slow
def test_a_bot_in_the_arena_makes_the_moves_that_it_makes_at_a_table(game, options, players, monkeypatch):
    """On the plain backend a bot at a table has a hundredth of the rollouts; so it is given a hundred times as many."""
    book = rulebook(game)
    bots = ["strong*0.005", "keen*0.1", "steady"]
    for name in bots[:2]:
        found = load_bot(name)
        plain = replace(found, compiled=False, budget=strong.PLAIN * found.budget)
        monkeypatch.setitem(naming.BOTS.loaded, name, plain)
    monkeypatch.setattr(LookAhead, "prepare", lambda self, book: None)
    efforts = {name: naming.BOTS.loaded[name].budget / strong.PLAIN for name in bots[:2]}
    assert efforts == {"strong*0.005": 0.005, "keen*0.1": 0.1}
    in_arena, at_table = moves_of(book, options, players, bots, 4, 3, monkeypatch)
    assert in_arena == at_table
    assert len(in_arena) > 20
