"""Policy nets: compiled and plain they like the same actions, they draw as often as they like, they know their game, they
are asked only under rules they have learned, and what the training writes can be read."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from outbid.bots import BOTS, Seat, strong
from outbid.bots.belief import opponent_types
from outbid.bots.nets import net_policy
from outbid.bots.nets.policy import PolicyNet, policy
from outbid.bots.nets.policy_bot import NET, PolicyBot
from outbid.bots.search import rollouts, select
from outbid.compiled import inference
from outbid.compiled.backend import entry
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.errors import BadSetup
from outbid.core.match import Match
from outbid.core.rulebook import rulebook, rulebooks
from outbid.lab.arena import one_against_others
from outbid.runs.loops import opponent_aware
from outbid.runs.seating import Bots
from outbid.testing.positions import walk

GAMES = [book.id for book in rulebooks().values() if policy(book) is not None]
SCRIPT = Path(__file__).parents[2] / "examples" / "train_ppo.py"
in_each_game = pytest.mark.parametrize("game", GAMES)


def decisions(book, players, steps=400):
    """States hidden for an asked seat that has a choice, of a match at random."""
    state = Match.new(book, {}, players, players).state
    for _ in walk(state, players, steps):
        left = contract.asked(state)
        seat = next((p for p in range(players) if left >> p & 1), None)
        if seat is not None:
            hidden = state.copy()
            contract.hide(hidden, seat)
            if contract.legal(hidden, seat, [0] * 400) > 1:
                yield hidden, seat


def test_every_game_that_hides_something_has_a_net_and_all_nets_together_have_less_than_five_megabytes():
    assert {"claim", "kuhhandel", "money", "rivals"} <= set(GAMES)
    files = [path for book in rulebooks().values() for path in book.folder.glob("*.npz")]
    assert sum(file.stat().st_size for file in files) < 5_000_000


@in_each_game
@pytest.mark.generic
def test_compiled_and_plain_the_likings_are_the_same(game):
    book = rulebook(game)
    net = policy(book)
    logits, legal = entry(book, inference.logits), entry(book, contract_legal)
    records, hidden = np.zeros(1, book.layout.dtype), np.zeros((2, net.units), np.float32)
    out, values, seen = np.zeros(book.actions + 64, np.int64), np.zeros(book.actions + 64), 0
    for players in range(book.players[0], book.players[1] + 1):
        for number, (state, seat) in enumerate(decisions(book, players)):
            if number % 5:
                continue
            actions, likely = net.priors(state, seat)
            state.to_record(records, 0)
            obs = np.zeros(book.features, np.float32)
            n = legal(records, 0, seat, out, obs)
            logits(net.weights, obs, hidden, out, n, values)
            inference.softmax(values, n)
            assert out[:n].tolist() == actions
            assert values[:n] == pytest.approx(likely, abs=1e-4)
            seen += 1
    assert seen > 10


def contract_legal(states, i, seat, out, obs):
    """The legal actions and the features of states[i]."""
    contract.observe(states[i], seat, obs)
    return contract.legal(states[i], seat, out)


def test_actions_are_drawn_as_often_as_they_are_liked():
    likely = [0.5, 0.3, 0.15, 0.05]
    drawn = [inference.place(likely, 4, stream(7, k)) for k in range(20_000)]
    assert np.bincount(drawn) / 20_000 == pytest.approx(likely, abs=0.012)


@in_each_game
@pytest.mark.deep
def test_the_net_alone_plays_its_game_at_every_table(game):
    """Chance never wins against the heuristic (docs/bots.md); a net has at least a fifth of an equal share."""
    book = rulebook(game)
    for players in range(book.players[0], book.players[1] + 1):
        found = one_against_others(book, {}, players, "net", "steady", 60, 5)
        assert found.share > 0.2 / players


def test_a_net_plays_without_pytorch():
    code = """
import sys
sys.modules["torch"] = None
from outbid.bots import Seat, bot
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
for game in sys.argv[1:]:
    match = Match.new(rulebook(game), {}, rulebook(game).players[0], 1)
    assert "learned" in bot("net").decide(Seat.of(match, match.asked[0], 1)).private["en"]
"""
    subprocess.run([sys.executable, "-c", code, *GAMES], check=True, timeout=120)


@in_each_game
def test_the_bot_does_what_its_net_likes_and_says_how_sure_it_was(game):
    book = rulebook(game)
    net = policy(book)
    match = Match.new(book, {}, book.players[0], 3)
    for number in range(60):
        if not match.asked:
            break
        seat = Seat.of(match, match.asked[0], number)
        decision = NET.decide(seat)
        first, likely = net.priors(seat.state, seat.seat)
        assert likely[first.index(decision.actions[0])] > 1e-6
        if len(decision.actions) == 1:
            assert f" {round(100 * likely[first.index(decision.actions[0])])} times" in decision.private["en"]
        assert not decision.public, "what a net has learned is no reason, and the same at every move"
        match.play_steps(seat.seat, decision.actions)


def test_under_rules_it_has_not_learned_the_heuristic_plays_and_the_arena_refuses_it():
    book = rulebook("kuhhandel")
    other = {"copies": [3] * 10}
    match = Match.new(book, other, 3, 1)
    seat = Seat.of(match, match.asked[0], 1)
    assert not policy(book).fits(match.state)
    assert NET.decide(seat).actions == BOTS["steady"].decide(seat).actions
    assert Bots(book, {}, 3, ["net"]).policies[0, opponent_aware.BUDGET] == opponent_aware.NET
    with pytest.raises(BadSetup, match="No net has learned"):
        Bots(book, other, 3, ["net"])


@pytest.mark.slow
@in_each_game
@pytest.mark.generic
def test_compiled_and_step_by_step_from_python_the_same_moves_are_drawn(game):
    book = rulebook(game)
    match = Match.new(book, {}, book.players[1], 4)
    bots = [PolicyBot("net", "", compiled) for compiled in (True, False)]
    long = 0
    for number in range(30):
        if not match.asked:
            break
        seat = Seat.of(match, match.asked[0], number)
        one, other = (bot.decide(seat) for bot in bots)
        assert one.actions == other.actions
        assert one.private == other.private
        long = max(long, len(one.actions))
        match.play_steps(seat.seat, one.actions)
    assert long > 0


def test_a_net_leads_the_search_only_where_it_takes_clearly_more_than_an_equal_share():
    assert [policy(rulebook("claim")).leads(players) for players in range(2, 7)] == [True, True, True, True, False]
    assert not any(policy(rulebook("kuhhandel")).leads(players) for players in (3, 4, 5))


@in_each_game
@pytest.mark.deep
def test_where_a_net_leads_its_move_is_the_first_that_strong_evaluates(game):
    book = rulebook(game)
    for players in range(book.players[0], book.players[1] + 1):
        match = Match.new(book, {}, players, 6)
        settings = strong.SearchSettings.of(book, match.state, players)
        assert bool(settings.lead) == policy(book).leads(players)
        if settings.lead:
            space = strong.space_of(book, True)
            seat = Seat.of(match, match.asked[0], 2)
            evaluated, _ = replace(BOTS["strong"], compiled=True, budget=0.02).evaluated(seat)
            space.put(seat.state)
            n, _ = entry(book, net_policy.net_move)(
                space.states, 0, seat.seat, stream(seat.stream, rollouts.ITS_OWN), space.work
            )
            assert evaluated[0].actions == tuple(space.work.moves[0][:n].tolist())


@pytest.mark.parametrize(("game", "leads"), [("rivals", True), ("kuhhandel", False)])
def test_where_a_net_leads_the_seat_itself_goes_on_as_the_net_in_every_world(game, leads, monkeypatch):
    worlds, steps, play_on, net_step = [], [], rollouts.play_on, rollouts.net_step

    def played(states, at, seed, max_depth, nets, work):
        before = len(steps)
        play_on(states, at, seed, max_depth, nets, work)
        worlds.append((bool(nets), len(steps) > before))

    monkeypatch.setattr(rollouts, "net_step", lambda *told: steps.append(1) or net_step(*told))
    monkeypatch.setattr(rollouts, "play_on", played)
    monkeypatch.setattr(opponent_types, "type_at", lambda *told: opponent_types.AS_STEADY)  # nobody else is taken for one
    book = rulebook(game)
    hidden, place = list(decisions(book, 3))[-5]  # little is left to play in each world
    seat = Seat(book, ("Ada", "Ben", "Cy"), place, 0, 2, hidden)
    replace(BOTS["strong"], compiled=False, mode=select.EACH, budget=0.5).evaluated(seat)
    assert set(worlds) == {(leads, leads)}


@pytest.mark.deep
def test_what_the_training_writes_is_read_and_knows_the_numbers_of_players(tmp_path):
    pytest.importorskip("torch", reason="training needs PyTorch: pip install outbid[train]")
    pytest.importorskip("matplotlib", reason="the plot needs matplotlib: pip install outbid[train]")
    told = ["--game", "sealed", "--players", "all", "--teach", "2000", "--check", "--out", str(tmp_path)]
    command = [sys.executable, str(SCRIPT), *told]
    subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True, timeout=300)
    book = rulebook("sealed")
    net = PolicyNet.load(book, tmp_path / "net.npz")
    assert net.facts["players"] == list(range(book.players[0], book.players[1] + 1))
    state, seat = next(decisions(book, 3))
    assert net.fits(state)
    _, likely = net.priors(state, seat)
    assert likely.sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="is for"):
        PolicyNet.load(rulebook("claim"), tmp_path / "net.npz")
