"""PettingZoo: its own tests for every game, the same matches as a batch's, nothing leaks, wrong use is loud."""

import copy
import math
import random
from types import SimpleNamespace

import numpy as np
import pytest

import outbid
from outbid.compiled.vector import REWARDS
from outbid.core import contract
from outbid.core.rulebook import rulebook
from outbid.testing.positions import redealt

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")

from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.utils.conversions import aec_to_parallel, parallel_to_aec, turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from outbid.adapters import pettingzoo as adapter
from tests.support.observations import dict_observations

TOY = "sealed"


def play(env, steps, seed=0):
    """Random steps; the environment is given before each."""
    rng = random.Random(seed)
    for _ in range(steps):
        if not env.agents or env.terminations[env.agent_selection]:
            return
        yield env
        env.step(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()))


def choices(env, rng):
    return {a: rng.choice(np.flatnonzero(env.action_space(a).legal).tolist()) for a in env.agents}


# --- their own tests --------------------------------------------------------------------------------------------------


def test_every_game_passes_pettingzoos_api_test(book, capsys):
    with dict_observations():
        api_test(adapter.env(book.id), num_cycles=150)
        api_test(adapter.env(book.id, players=book.players[1], reward="score"), num_cycles=20)


def test_every_small_version_passes_pettingzoos_api_test(book, capsys):
    for preset in book.laboratory:
        with dict_observations():
            api_test(adapter.env(book.id, preset=preset), num_cycles=60)


def test_every_game_passes_pettingzoos_parallel_api_test(book, capsys):
    parallel_api_test(adapter.parallel_env(book.id), num_cycles=150)


def test_every_game_passes_pettingzoos_seed_tests(book):
    seed_test(lambda: adapter.env(book.id), num_cycles=40)
    parallel_seed_test(lambda: adapter.parallel_env(book.id), num_cycles=40)


def test_every_game_passes_pettingzoos_max_cycles_test_where_all_agents_act_in_every_cycle(book):
    def as_aec(**how):
        return parallel_to_aec(adapter.parallel_env(book.id, **how))

    max_cycles_test(SimpleNamespace(parallel_env=lambda **how: adapter.parallel_env(book.id, **how), env=as_aec))


def test_every_game_passes_pettingzoos_render_test(book, capsys):
    pytest.importorskip("PIL", reason="pillow is not installed")
    render_test(lambda **how: adapter.env(book.id, **how))
    assert capsys.readouterr().out.strip()


# --- what it is -------------------------------------------------------------------------------------------------------


def test_the_environment_has_the_games_version(book):
    for env in (adapter.env(book.id), adapter.parallel_env(book.id)):
        assert str(env) == env.metadata["name"] == f"{book.id}_v{book.environment}"


@pytest.mark.slow(but=(TOY,))
@pytest.mark.parametrize(("name", "players", "how"), [(TOY, 3, {}), ("kuhhandel", 4, {"bidding": "realtime"})])
def test_a_turn_by_turn_match_is_that_of_a_row_of_game_vector(name, players, how):
    for seed, scheme in enumerate(REWARDS if name == TOY else ["margin"]):
        env = adapter.env(name, players=players, reward=scheme, **how)
        v = outbid.game(name, **how).vector(1, players, seeds=[seed], reward=scheme)
        env.reset(seed=seed)
        for _ in range(150):
            while v.actor[0] == contract.CLOCK:
                v.step(v.sample())
            seen, *_ = env.last()
            assert env.agent_selection == f"player_{v.actor[0]}"
            assert seen["observation"].tolist() == v.obs[0].tolist()
            assert seen["action_mask"].tolist() == v.mask[0].tolist()
            action = int(v.sample()[0])
            env.step(action)
            v.step([action])
            while v.actor[0] == contract.CLOCK and not v.done[0]:
                v.step(v.sample())
            assert env.terminations[env.agent_selection] == v.done[0]
            assert list(env.rewards.values()) == v.reward[0].tolist()
            if v.done[0]:
                break
        if name == TOY:
            assert v.done[0]
            env.reset()
            assert env.match.deal == v.deal[0]


def test_the_seed_deals_what_a_new_match_with_it_has(book):
    for make in (adapter.env, adapter.parallel_env):
        env = make(book.id, players=book.players[1])
        env.reset(seed=12)
        begun = outbid.game(book.id).new(book.players[1], seed=12).state
        if not contract.asked(begun) >> contract.CLOCK & 1:
            assert env.match.state == begun


def test_without_a_seed_the_first_match_is_any_and_the_later_ones_follow_from_the_last_seed():
    one, two = adapter.env(TOY), adapter.env(TOY)
    one.reset()
    two.reset()
    assert one.match.deal != two.match.deal
    met = []
    for env in (one, two):
        env.reset(seed=3)
        env.reset()
        met.append(env.match.deal)
        env.reset()
        met.append(env.match.deal)
    assert met[:2] == met[2:]
    assert len({3, *met}) == 3


def test_in_parallel_all_who_are_asked_act_in_one_step_and_the_others_wait():
    env = adapter.parallel_env(TOY, players=4)
    env.reset(seed=1)
    assert all(env.action_space(agent).legal[-1] == 0 for agent in env.agents)
    rng, steps = random.Random(0), 0
    while env.agents:
        _, paid, over, _, _ = env.step(choices(env, rng))
        steps += 1
    assert steps == 4  # rounds, of four sealed cards each
    assert sum(paid.values()) == pytest.approx(1)
    assert all(over.values())

    env = adapter.parallel_env("rivals", players=3)
    seen, infos = env.reset(seed=1)
    waiting = [agent for agent in env.agents if seen[agent]["action_mask"][env.wait]]
    assert len(waiting) == 2
    for agent in waiting:
        assert seen[agent]["action_mask"].sum() == infos[agent]["action_mask"].sum() == 1
        assert seen[agent]["observation"].any()
    (actor,) = set(env.agents) - set(waiting)
    env.step({actor: env.action_space(actor).sample()})  # who waits may be left out


def test_pettingzoos_wrappers_take_it(book, capsys):
    with dict_observations():
        api_test(OrderEnforcingWrapper(AssertOutOfBoundsWrapper(adapter.env(book.id))), num_cycles=20)
    env = TerminateIllegalWrapper(adapter.env(book.id), illegal_reward=-1)
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(illegal(env))
    assert env.rewards[loser] == -1
    assert all(env.terminations.values())


def test_pettingzoos_turn_based_conversion_takes_it_and_the_one_in_cycles_is_declined(book):
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(adapter.env(book.id))
    env = turn_based_aec_to_parallel(adapter.env(book.id, max_cycles=20))
    env.reset(seed=1)
    paid = {}
    for _ in range(2000):
        agent = env.aec_env.agent_selection
        _, paid, *_ = env.step({agent: env.action_space(agent).sample()})
        if not env.agents:
            break
    assert not env.agents
    assert len(paid) == len(env.possible_agents)


def test_sampling_without_a_mask_draws_legal_actions_only(book):
    env = adapter.parallel_env(book.id)
    env.reset(seed=2)
    for _ in range(60):
        if not env.agents:
            break
        env.step({agent: env.action_space(agent).sample() for agent in env.agents})


def test_nothing_is_ever_not_a_number_and_all_lies_within_the_spaces(book):
    env = adapter.env(book.id, reward="margin")
    env.reset(seed=4)
    for _ in play(env, 120):
        seen, paid, *_ = env.last()
        assert math.isfinite(paid)
        assert np.isfinite(seen["observation"]).all()
        assert env.observation_space(env.agent_selection).contains(seen)


def test_max_cycles_ends_a_match_before_an_agent_acts_once_more():
    env = adapter.env("kuhhandel", max_cycles=5)
    env.reset(seed=1)
    counts = dict.fromkeys(env.agents, 0)
    for agent in env.agent_iter():
        *_, over, late, _ = env.last()
        assert not over
        if late:
            assert set(env.rewards.values()) == {0.0}
            env.step(None)
        else:
            counts[agent] += 1
            env.step(env.action_space(agent).sample())
    assert max(counts.values()) == 5


def test_a_deep_copy_is_a_match_of_its_own():
    env = adapter.env("kuhhandel")
    env.reset(seed=1)
    for _ in play(env, 10):
        pass
    before = snapshot(env)
    twin = copy.deepcopy(env)
    assert snapshot(twin) == before
    for _ in play(twin, 10, seed=5):
        pass
    assert snapshot(env) == before != snapshot(twin)


# --- nothing leaks ----------------------------------------------------------------------------------------------------


def test_what_an_agent_is_given_does_not_change_when_all_it_cannot_know_is_dealt_anew(book):
    pictures = {mode: adapter.env(book.id, players=book.players[1], render_mode=mode) for mode in ("ansi", "rgb_array")}
    env = pictures["ansi"]
    env.reset(seed=6)
    image = pictures["rgb_array"]
    image.reset(seed=6)
    changed = 0
    for n, _ in enumerate(play(env, 240, seed=6)):
        if n % 8:
            continue
        truth, agent = env.match.state, env.agent_selection
        given = env.observe(agent), env._masks()[agent], env.render()
        world = redealt(truth, env._seat(agent), n)
        changed += world != truth
        env.match.records[0] = world
        again = env.observe(agent), env._masks()[agent], env.render()
        assert given[0]["observation"].tolist() == again[0]["observation"].tolist()
        assert given[0]["action_mask"].tolist() == again[0]["action_mask"].tolist()
        assert given[1]["action_mask"].tolist() == again[1]["action_mask"].tolist()
        assert given[2] == again[2]
        if n % 80 == 0:
            images = []
            for state in (truth, world):
                image.match.records[0], image._asked = state, env._asked
                images.append(image.render())
            assert (images[0] == images[1]).all()
        env.match.records[0] = truth
        env._masks()
    assert changed or not book.secrets


def test_what_the_parallel_environment_gives_and_draws_does_not_depend_on_what_is_unknown(book):
    env = adapter.parallel_env(book.id, render_mode="ansi")
    env.reset(seed=7)
    rng = random.Random(7)
    for n in range(120):
        if not env.agents:
            break
        if n % 8 == 0:
            truth = env.match.state
            for seat, agent in enumerate(env.agents):
                given = env._observed(agent)
                env.match.records[0] = redealt(truth, seat, n)
                env._masks()
                again = env._observed(agent)
                assert all((given[key] == again[key]).all() for key in given)
                env.match.records[0] = truth
                env._masks()
            shown = env.render()
            env.match.records[0] = redealt(truth, -1, n)
            assert env.render() == shown
            env.match.records[0] = truth
        env.step(choices(env, rng))


def test_a_picture_is_that_of_its_text_and_of_one_size():
    pytest.importorskip("PIL", reason="pillow is not installed")
    from outbid.adapters.single import picture

    one, two = picture("Your money: 10"), picture("Your money: 20\n" + "long " * 500)
    assert one.shape == two.shape
    assert (one != two).any()
    assert len(np.unique(one)) > 2
    assert (picture("") == picture("")[0, 0]).all()


def test_every_board_fits_into_a_picture(book):
    from textwrap import wrap

    from outbid.adapters.single import COLUMNS, ROWS

    env = adapter.env(book.id, players=book.players[1], render_mode="ansi")
    env.reset(seed=3)
    for n, _ in enumerate(play(env, 1500, seed=3)):
        if n % 5 == 0:
            lines = [part for line in env.render().splitlines() for part in wrap(line, COLUMNS - 6) or [""]]
            assert len(lines) < ROWS


def test_without_pillow_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    env = adapter.env(TOY, render_mode="rgb_array")
    env.reset(seed=0)
    with pytest.raises(outbid.BadSetup, match=r"needs the extra research: pip install 'outbid\[research\]'"):
        env.render()


# --- wrong use is loud ------------------------------------------------------------------------------------------------


def snapshot(env):
    turn = (env.agent_selection, dict(env.rewards), dict(env.terminations)) if hasattr(env, "agent_selection") else ()
    return repr(env.match.state), env._asked, list(env.agents), list(env._steps), turn


def illegal(env):
    return int(np.argmin(env.observe(env.agent_selection)["action_mask"]))


@pytest.mark.parametrize(
    ("action", "error", "says"),
    [
        (illegal, outbid.Illegal, r"^Action \d+ \(.+\) of player_\d is not legal; legal: \d+ \(.+\)\.$"),
        (lambda env: 99, outbid.Illegal, "Action 99 of player_"),
        (lambda env: -1, outbid.Illegal, "Action -1 of player_"),
        (lambda env: 1.0, outbid.BadSetup, "one whole number from 0 to 57, not float64"),
        (lambda env: math.nan, outbid.BadSetup, "not float64"),
        (lambda env: True, outbid.BadSetup, "not bool"),
        (lambda env: "pass", outbid.BadSetup, "not 'pass'"),
        (lambda env: np.array([0]), outbid.BadSetup, r"not int64 of shape \(1,\)"),
        (lambda env: [[0], [0, 1]], outbid.BadSetup, r"not \[\[0\], \[0, 1\]\]"),
        (lambda env: 10**30, outbid.BadSetup, "not 10000"),
        (lambda env: None, outbid.BadSetup, "must act; None is for"),
    ],
)
def test_a_wrong_action_is_refused_in_one_sentence_and_changes_nothing(action, error, says):
    env = adapter.env("kuhhandel")
    env.reset(seed=1)
    for _ in play(env, 7):
        pass
    before = snapshot(env)
    with pytest.raises(error, match=says):
        env.step(action(env))
    assert snapshot(env) == before


def test_a_finished_match_cannot_be_stepped():
    env = adapter.env(TOY)
    env.reset(seed=1)
    for _ in play(env, 100):
        pass
    assert all(env.terminations.values())
    before = snapshot(env)
    with pytest.raises(outbid.BadSetup, match="its only action is None, not 0"):
        env.step(0)
    assert snapshot(env) == before
    while env.agents:
        env.step(None)
    with pytest.raises(outbid.BadSetup, match=r"The match is over; call reset\(\)"):
        env.step(None)
    joint, rng = adapter.parallel_env(TOY), random.Random(0)
    joint.reset(seed=1)
    while joint.agents:
        joint.step(choices(joint, rng))
    with pytest.raises(outbid.BadSetup, match=r"The match is over; call reset\(\)"):
        joint.step({})


@pytest.mark.parametrize("make", [adapter.env, adapter.parallel_env])
def test_before_reset_there_is_no_match(make):
    env = make(TOY, render_mode="ansi")
    for use in (lambda: env.step(0), env.render):
        with pytest.raises(outbid.BadSetup, match=r"call reset\(\) first"):
            use()


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        (lambda env, a: {**a, env.idle: 0}, outbid.Illegal, r"is not asked; its action must be \d+ \(wait\), not 0"),
        (lambda env, a: {**a, env.actor: env.wait}, outbid.Illegal, r"of player_\d is not legal; legal: "),
        (lambda env, a: {k: v for k, v in a.items() if k != env.actor}, outbid.BadSetup, "is asked and must act"),
        (lambda env, a: {**a, "player_9": 0}, outbid.BadSetup, "There is no agent 'player_9'; there are player_0, "),
        (lambda env, a: {**a, env.actor: 0.5}, outbid.BadSetup, "not float64"),
        (lambda env, a: {**a, env.actor: [0, 1]}, outbid.BadSetup, r"of shape \(2,\)"),
        (lambda env, a: list(a.values()), outbid.BadSetup, "a dictionary by agent"),
    ],
)
def test_wrong_parallel_actions_are_refused_in_one_sentence_and_change_nothing(change, error, says):
    env = adapter.parallel_env("rivals", players=3)
    env.reset(seed=1)
    actions = choices(env, random.Random(1))
    env.actor = env.possible_agents[env._asked[0]]
    env.idle = next(agent for agent in env.agents if agent != env.actor)
    before = snapshot(env)
    with pytest.raises(error, match=says):
        env.step(change(env, actions))
    assert snapshot(env) == before


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"players": 9}, "is for 3 to 5 players, not 9"),
        ({"preset": "fast"}, "no preset 'fast'"),
        ({"reward": "money"}, "There is no reward 'money'; there are win, margin, rank, score"),
        ({"render_mode": "video"}, "There is no render mode 'video'; there are ansi, human, rgb_array"),
        ({"max_cycles": 0}, "max_cycles is 0"),
        ({"overbids": True}, "has no option 'overbids'"),
    ],
)
def test_a_wrong_environment_is_refused_in_one_sentence(how, says):
    for make in (adapter.env, adapter.parallel_env):
        with pytest.raises(outbid.OutbidError, match=says):
            make(**how)


def test_other_wrong_questions_are_refused():
    env = adapter.env(TOY)
    with pytest.raises(outbid.BadSetup, match="The seed is -1"):
        env.reset(seed=-1)
    env.reset(seed=0)
    for use in (lambda: env.observe("player_7"), lambda: env.action_space("dealer"), lambda: env.observation_space([0])):
        with pytest.raises(outbid.BadSetup, match="There is no agent"):
            use()
    with pytest.raises(outbid.BadSetup, match="without a render_mode"):
        env.render()


def test_the_features_are_bounded_as_declared_unless_an_option_turns_a_number_of_the_rules():
    layout = rulebook("kuhhandel").observation
    bounded = adapter.env("kuhhandel", payment="free").observation_space("player_0")["observation"]
    assert bounded.low.tolist() == np.array(layout.low, np.float32).tolist()
    assert bounded.high.tolist() == np.array(layout.high, np.float32).tolist()
    assert not adapter.env("kuhhandel", bid_step=50).observation_space("player_0")["observation"].is_bounded()
