"""What one holds can be pickled, copied and sent to another process, and goes on there as it would have here."""

import contextlib
import copy
import importlib
import pickle
import pkgutil
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import outbid
import outbid.adapters.gymnasium
from outbid import OutbidError
from outbid.adapters import pettingzoo
from outbid.compiled.vector import SMALLEST_BLOCK
from outbid.core.errors import Ambiguous, BadRecord, Illegal
from outbid.core.rulebook import rulebook
from outbid.server.storage.lock import ServerAddress

WAYS = {"pickled": lambda thing: pickle.loads(pickle.dumps(thing)), "copied": copy.deepcopy}


def go_on(match, moves=40):
    """Random moves, and what they made."""
    for n in range(moves):
        if match.asked:
            match.random_move(match.asked[0], n)
        elif match.clock:
            match.play(None, "close")
    return match.record(), [match.view(seat) for seat in range(-1, match.players)], match.log(0)


@pytest.mark.parametrize("way", WAYS)
def test_a_match_goes_on_from_its_pickle_as_from_itself(book, way):
    match = outbid.game(book.id).new(book.players[0], seed=5)
    go_on(match)  # also tells the log, which is not carried along
    twin = WAYS[way](match)
    assert twin.state == match.state
    assert twin.rulebook is match.rulebook
    assert not twin._logs
    assert go_on(twin) == go_on(match)


def test_a_state_has_the_bytes_of_its_record(book):
    match = outbid.game(book.id).new(book.players[0], seed=5)
    go_on(match)
    record = np.zeros(1, match.state.layout.dtype)
    match.state.to_record(record, 0)
    assert match.state.packed() == record.tobytes()


def test_a_match_is_played_on_in_a_process_that_was_spawned():
    match = outbid.game("rivals").new(players=2, seed=1)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(go_on, match).result() == go_on(match)
        error = pool.submit(match.play, 1 - match.asked[0], "uncover").exception()
        assert isinstance(error, outbid.NotYourTurn)
        assert "is not asked now" in str(error)


def seat_env(compiled):
    return gymnasium.make(f"outbid/{rulebook('sealed').environment_id}", players=2, bots="random", compiled=compiled)


def environments():
    return {
        "turns": pettingzoo.env("rivals", players=2),
        "joint": pettingzoo.parallel_env("money", players=3),
        "one seat": seat_env(compiled=False),
        "one seat, compiled": seat_env(compiled=True),
    }


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["turns", "joint", "one seat", "one seat, compiled"])
def test_an_environment_is_pickled_before_its_reset_and_after(name, way):
    env = environments()[name]
    before = WAYS[way](env)
    env.reset(seed=4)
    before.reset(seed=4)
    after = WAYS[way](env)
    for other in (before, after):
        assert same(seen(env), seen(other))
    legal = act(env)
    assert act(after) == act(before) == legal
    assert same(seen(env), seen(after))
    assert same(seen(env), seen(before))


def act(env):
    """The lowest legal action of everybody who acts."""
    if isinstance(env, pettingzoo.TurnEnv):
        action = int(env.action_space(env.agent_selection).legal.argmax())
        env.step(action)
    elif isinstance(env, pettingzoo.JointEnv):
        action = {agent: int(env.action_space(agent).legal.argmax()) for agent in env.agents}
        env.step(action)
    else:
        action = int(env.unwrapped.action_masks().argmax())
        env.step(action)
    return action


def seen(env):
    if isinstance(env, pettingzoo.TurnEnv):
        return env.last()
    if isinstance(env, pettingzoo.JointEnv):
        return [env._observed(agent) for agent in env.agents]
    inner = env.unwrapped
    return inner.match.features(inner.seat), inner.action_masks()


def same(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return np.array_equal(one, other)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.slow
def test_a_vector_is_pickled_with_its_threads_and_writes_what_is_seen(way):
    made = outbid.game("sealed").vector(2 * SMALLEST_BLOCK, 3, seed=2, threads=2)
    made.step(made.sample())
    twin = WAYS[way](made)
    for _ in range(5):
        actions = made.sample()
        assert np.array_equal(actions, twin.sample())
        for one in (made, twin):
            one.step(actions)
        for name in ("mask", "obs", "actor", "reward", "done"):
            assert np.array_equal(getattr(made, name), getattr(twin, name))
    made.close()
    twin.close()
    assert WAYS[way](twin)._pool is None


@pytest.mark.parametrize("way", WAYS)
def test_a_learner_against_bots_and_its_vector_environment_are_pickled(way):
    made = gymnasium.make_vec(f"outbid/{rulebook('sealed').environment_id}", num_envs=4, players=3, bots="random")
    made.reset(seed=3)
    twin = WAYS[way](made)
    for _ in range(4):
        actions = made.action_space.sample()
        ours, theirs = made.step(actions), twin.step(actions)
        assert same(ours[:4], theirs[:4])
        assert same(ours[4]["action_mask"], theirs[4]["action_mask"])


@pytest.mark.parametrize("way", WAYS)
def test_games_and_states_of_openspiel_are_pickled(way):
    pyspiel = pytest.importorskip("pyspiel")
    importlib.import_module("outbid.adapters.openspiel")
    game = pyspiel.load_game("outbid_sealed", {"players": 3, "deals": 7})
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    assert str(WAYS[way](game)) == str(game)
    twin = WAYS[way](state)
    for _ in range(3):
        state.apply_action(state.legal_actions()[-1])
        twin.apply_action(twin.legal_actions()[-1])
        assert str(twin) == str(state)


def errors():
    """Every class of error there is."""
    for module in pkgutil.walk_packages(outbid.__path__, "outbid."):
        if ".migrations" not in module.name:
            with contextlib.suppress(ImportError):  # an extra that is not installed everywhere
                importlib.import_module(module.name)

    def below(kind):
        yield kind
        for one in kind.__subclasses__():
            yield from below(one)

    return [kind for kind in dict.fromkeys(below(OutbidError)) if kind.__module__.startswith("outbid.")]


@pytest.mark.slow
def test_every_error_is_pickled_with_its_sentence_and_its_facts():
    special = {
        "Refused": (429, "Too much.", 7), "Unanswerable": ("a1", "No."), "Gone": ("No table.", 404),
        "Illegal": ("No.", ("bid 1", "pass")), "Ambiguous": ("Which?", ("a", "b")), "BadRecord": ("No.", 3),
        "Unreachable": (), "Taken": (Path("tables.db"), ServerAddress("http://127.0.0.1:8710", "http://table", "key")),
    }  # fmt: skip
    kinds = errors()
    assert special.keys() <= {kind.__name__ for kind in kinds}
    for kind in kinds:
        error = kind(*special.get(kind.__name__, ("It is so.",)))
        for way in WAYS.values():
            twin = way(error)
            assert type(twin) is kind
            assert str(twin) == str(error)
            assert vars(twin) == vars(error)


@pytest.mark.parametrize("error", [Illegal("No.", ("bid 1",)), BadRecord("No.", 3), Ambiguous("Which?"), OutbidError("No.")])
def test_an_error_made_of_an_error_says_the_same(error):
    assert str(type(error)(error)) == str(error)


@pytest.mark.filterwarnings("ignore::UserWarning")  # Gymnasium warns of the worker, and of closing it
def test_a_worker_of_an_asynchronous_vector_says_what_was_wrong():
    made = gymnasium.make_vec(
        f"outbid/{rulebook('sealed').environment_id}", num_envs=1, vectorization_mode="async", players=2, bots="random"
    )
    try:
        _, info = made.reset(seed=1)
        wrong = int(np.flatnonzero(info["action_mask"][0] == 0)[0])
        with pytest.raises(Illegal, match=f"Action {wrong}"):
            made.step(np.array([wrong]))
    finally:
        made.close(terminate=True)


@pytest.mark.parametrize("call", [lambda env: env.last(), lambda env: env.last(observe=False), lambda env: env.step(0)])
def test_what_comes_before_the_reset_is_a_sentence(call):
    with pytest.raises(outbid.BadSetup, match=r"has no match yet; call reset\(\) first"):
        call(pettingzoo.env("rivals", players=2))
