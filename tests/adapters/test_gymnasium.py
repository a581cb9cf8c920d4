"""Gymnasium: its own checker for every game, one learner against bots, alone and in thousands, and wrong use is loud."""

import math
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import outbid
from outbid.compiled import loops
from outbid.compiled.vector import REWARDS
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.fields import Records
from outbid.core.rulebook import rulebook, rulebooks
from outbid.runs.blocks import working_space
from outbid.runs.loops.observed import contest
from outbid.testing.positions import redealt

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

import outbid.adapters.gymnasium as adapter  # noqa: E402

TOY = "sealed"
BOTS = ("steady", "random")


def name(book):
    return f"outbid/{book.environment_id}"


def make(game, **how):
    return adapter.SeatEnv(game, **how)


# --- one environment --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [1, None])
def test_every_game_passes_gymnasiums_checker_without_a_warning(book, seat, capsys):
    pytest.importorskip("PIL", reason="pillow is not installed")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        env = gymnasium.make(name(book), seat=seat, players=book.players[1], illegal="random")
        check_env(env.unwrapped)  # it plays without regard to the mask
    assert [str(one.message) for one in warned] == []


def test_every_game_plays_under_gymnasiums_wrappers_with_legal_samples(book):
    env = gymnasium.make(name(book), seat=None, max_episode_steps=40)
    for seed in range(2):
        _, info = env.reset(seed=seed)
        over = late = False
        while not over and not late:
            assert info["action_mask"].any()
            _, _, over, late, info = env.step(env.action_space.sample())
    env.close()


def test_every_game_is_registered_under_its_version():
    for book in rulebooks().values():
        spec = gymnasium.spec(name(book))
        assert spec.kwargs == {"game": book.environment_id}
        assert spec.version == book.environment
    assert gymnasium.make("outbid.adapters.gymnasium:outbid/rivals-v2").unwrapped.match.book.id == "rivals"


def test_an_older_environment_that_goes_on_working_is_made_with_the_options_that_make_it():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # gymnasium says that there is a newer one
        for options in ({}, {"spot_enabled": False}):
            made = gymnasium.make("outbid/forex-v1", bots="random", **options)
            assert made.unwrapped.match.rules.options["spot_unit"] == "one_stronger"
            assert made.observation_space.shape == gymnasium.make("outbid/forex-v2").observation_space.shape == (355,)
            _, info = made.reset(seed=3)
            made.step(made.action_space.sample())
            assert info["action_mask"].shape == (58,)


@pytest.mark.parametrize("asked", [gymnasium.make, gymnasium.make_vec])
def test_an_older_version_is_refused_where_options_make_another_one(asked):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        with pytest.raises(outbid.BadSetup, match='two_players = "duel" the environment is claim-v2'):
            asked("outbid/claim-v1", preset="duel")
        with pytest.raises(gymnasium.error.VersionNotFound):
            asked("outbid/claim-v3")


def features(env, state, seat):
    twin, row = state.copy(), [0.0] * env.match.book.features
    contract.hide(twin, seat)
    contract.observe(twin, seat, row)
    return np.array(row, np.float32).tolist()


def test_the_learner_is_asked_and_sees_its_own_seat(book):
    env = make(book.id, seat=None, players=book.players[1], bots="random")
    seats = set()
    for seed in range(12):
        seen, info = env.reset(seed=seed)
        seats.add(env.seat)
        for _ in range(15):
            assert contract.asked(env.match.state) >> env.seat & 1
            assert info["seat"] == env.seat
            assert seen.tolist() == features(env, env.match.state, env.seat)
            assert np.flatnonzero(info["action_mask"]).tolist() == sorted(env.match.legal(env.seat))
            assert env.action_masks().tolist() == (info["action_mask"] == 1).tolist()
            seen, _, over, _, info = env.step(env.action_space.sample())
            if over:
                assert not info["action_mask"].any()
                assert seen.tolist() == features(env, env.match.state, env.seat)
                break
    assert len(seats) > 1


@pytest.mark.slow(but=("rivals", "claim", "sealed", "money"))
def test_a_steady_learner_among_bots_plays_the_very_match_of_a_simulation(book):
    """The learner answers what the steady bot in its seat would; then all is as in a simulation."""
    players, bots = book.players[0], ["steady", "random", "steady"][: book.players[0] - 1]
    for seed in range(3):
        deal = stream(5, seed)
        env = make(book.id, seat=1, players=players, bots=bots, reward="score", compiled=False)
        env.reset(seed=deal)
        everybody = list(env._policies)
        everybody[1] = loops.STEADY
        over = False
        for _ in range(3000):
            room = Records([env.match.state, None])
            action = loops.answer(room, 0, 1, deal, everybody, players, [0] * 256, [0] * 64, env._tally)
            _, paid, over, _, _ = env.step(action)
            if over:
                break
        assert over
        records = Records([book.fresh({}), None, None])
        rows = [[0] * loops.columns(players)]
        contest(records, 0, 5, seed, seed + 1, everybody, book.longest, players, working_space(book, players, False), rows)
        assert paid == rows[0][1]
        assert env._tally[players:] == [*rows[0][players : 3 * players], 0, *rows[0][3 * players + 1 :]]


@pytest.mark.parametrize("scheme", REWARDS)
def test_the_reward_is_the_schemes_and_paid_at_the_end_only(scheme):
    env, plain = make(TOY, players=4, reward=scheme), make(TOY, players=4, reward="score")
    for seed in range(10):
        env.reset(seed=seed)
        plain.reset(seed=seed)
        over, total = False, 0.0
        while not over:
            assert total == 0.0
            action = env.action_space.sample()
            _, paid, over, _, _ = env.step(action)
            plain.step(action)
            total += paid
            assert math.isfinite(paid)
        points, scratch = plain.match.rewards(), [0] * 4
        if scheme == "score":
            assert total == points[0]
        if scheme == "margin":
            assert total == pytest.approx((points[0] - sum(points[1:]) / 3) / env.match.book.margin)
        if scheme == "win":
            won = contract.winners(env.match.state, scratch)
            assert total == pytest.approx((won & 1) / won.bit_count())
        if scheme == "rank":
            behind = sum((points[0] > other) + 0.5 * (points[0] == other) for other in points[1:])
            assert total == pytest.approx(behind / 3)


def test_what_the_learner_is_given_does_not_change_when_all_it_cannot_know_is_dealt_anew(book):
    env = make(book.id, players=book.players[1], bots="random", render_mode="ansi")
    changed = 0
    for seed in range(4):
        env.reset(seed=seed)
        for n in range(25):
            truth = env.match.state
            given = env.match.features(0).tolist(), env._info(False), env.render()
            env.match.records[0] = redealt(truth, 0, n)
            changed += env.match.state != truth
            again = env.match.features(0).tolist(), env._info(False), env.render()
            assert given[0] == again[0]
            assert given[1]["action_mask"].tolist() == again[1]["action_mask"].tolist()
            assert given[2] == again[2]
            env.match.records[0] = truth
            env._info(False)
            if env.step(env.action_space.sample())[2]:
                break
    assert changed or not book.secrets


def test_a_drawn_action_stands_for_an_illegal_one_only_where_that_is_asked_for_and_says_so():
    env = make("kuhhandel", illegal="random")
    _, info = env.reset(seed=1)
    *_, info = env.step(int(np.argmin(info["action_mask"])))
    assert info["replaced"]
    *_, info = env.step(env.action_space.sample())
    assert not info["replaced"]
    with pytest.raises(outbid.BadSetup):
        env.step(0.0)


@pytest.mark.slow
def test_the_examples_in_the_docs_run():
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    text = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")
    section = text.split("## PettingZoo and Gymnasium")[1].split("\n## ")[0]
    codes = re.findall(r"```python\n(.*?)```", section, flags=re.S)
    assert len(codes) == 2
    for code in codes:
        scope = {}
        exec(code, scope)
    assert scope["seen"].shape == (1024, outbid.game("rivals").observation.size)


# --- many, compiled ---------------------------------------------------------------------------------------------------


def both(game, n, **how):
    """Many compiled, and as many single ones under Gymnasium's own vectoriser."""
    compiled = gymnasium.make_vec(name(rulebook(game)), num_envs=n, **how)
    singles = SyncVectorEnv([lambda: adapter.SeatEnv(game, **how)] * n, autoreset_mode=AutoresetMode.SAME_STEP)
    return compiled, singles


@pytest.mark.parametrize(
    ("game", "how", "steps"),
    [
        (TOY, {"players": 4, "seat": None, "bots": ["steady", "random", "random"]}, 40),
        (TOY, {"players": 2, "seat": 1, "reward": "margin"}, 25),
        (TOY, {"players": 3, "rounds": 1, "reward": "score", "bots": "random"}, 20),
        pytest.param("rivals", {"seat": None, "players": 3, "reward": "score"}, 150, marks=pytest.mark.slow),
    ],
)
@pytest.mark.slow
def test_a_row_of_the_vector_is_a_single_environment_step_by_step(game, how, steps):
    assert ended_alike(game, how, steps) > 3 or game != TOY


@pytest.mark.deep
@pytest.mark.parametrize("how", [{}, {"bidding": "realtime"}])
def test_so_it_is_in_every_game(book, how):
    if "bidding" in how and book.id != "kuhhandel":
        pytest.skip("only kuhhandel has a clock")
    ended = [ended_alike(book.id, {"seat": None, "players": book.players[1], "bots": b, **how}, 300, n=3) for b in BOTS]
    assert sum(ended) > 0


def ended_alike(game, how, steps, n=6):
    """Plays both side by side; returns how many steps ended a match."""
    compiled, singles = both(game, n, **how)
    assert compiled.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert compiled.observation_space == singles.observation_space
    (one, info), (two, other) = compiled.reset(seed=9), singles.reset(seed=9)
    ended = 0
    for _ in range(steps):
        assert one.tolist() == two.tolist()
        assert compiled.observation_space.contains(one)
        for key in ("action_mask", "seat"):
            assert info[key].tolist() == other[key].tolist()
        actions = compiled.action_space.sample()
        one, paid, over, late, info = compiled.step(actions)
        two, paid2, over2, late2, other = singles.step(actions)
        assert paid.tolist() == paid2.tolist()
        assert paid.dtype == paid2.dtype
        assert over.tolist() == over2.tolist()
        assert late.tolist() == late2.tolist()
        assert ("final_obs" in info) == over.any()
        if over.any():
            ended += 1
            assert info["_final_obs"].tolist() == other["_final_obs"].tolist() == over.tolist()
            for i in np.flatnonzero(over):
                assert info["final_obs"][i].tolist() == other["final_obs"][i].tolist()
                assert info["final_info"]["seat"][i] == other["final_info"]["seat"][i]
    compiled.close()
    return ended


@pytest.mark.slow
def test_results_do_not_depend_on_the_number_of_threads():
    envs = [gymnasium.make_vec("outbid/sealed-v1", num_envs=600, players=4, seat=None, threads=t) for t in (1, 2)]
    for env in envs:
        env.reset(seed=3)
    for _ in range(12):
        actions = envs[0].action_space.sample()
        results = [env.step(actions) for env in envs]
        for one, two in zip(results[0][:4], results[1][:4], strict=True):
            assert (one == two).all()
        assert (results[0][4]["action_mask"] == results[1][4]["action_mask"]).all()


def test_samples_are_legal_and_reach_every_legal_action():
    env = gymnasium.make_vec("outbid/sealed-v1", num_envs=400, players=4)
    _, info = env.reset(seed=1)
    met = np.zeros_like(info["action_mask"])
    for _ in range(60):
        met[np.arange(400), env.action_space.sample()] = 1
    assert (met == info["action_mask"]).all()


def test_what_has_been_given_is_kept_unless_copies_are_declined():
    kept = gymnasium.make_vec("outbid/sealed-v1", num_envs=4, players=3)
    shared = gymnasium.make_vec("outbid/sealed-v1", num_envs=4, players=3, copy=False)
    for env, same in ((kept, False), (shared, True)):
        seen, info = env.reset(seed=1)
        again, _, _, _, then = env.step(env.action_space.sample())
        assert np.shares_memory(seen, again) == np.shares_memory(info["action_mask"], then["action_mask"]) == same


def test_only_the_matches_of_the_reset_mask_are_dealt_anew():
    env = gymnasium.make_vec("outbid/sealed-v1", num_envs=3, players=3)
    env.reset(seed=1)
    env.step(env.action_space.sample())
    before = env.matches.deal.tolist()
    env.reset(options={"reset_mask": np.array([False, True, False])})
    assert (env.matches.deal == before).tolist() == [True, False, True]
    assert env.matches.steps.tolist() == [1, 0, 1]
    env.reset(seed=[7, 8, 9])
    assert env.matches.deal.tolist() == [7, 8, 9]


def test_duplicate_deals_seat_the_learner_everywhere_once():
    v = outbid.game(TOY).against(8, 4, duplicate=4, rotate=True)
    assert v.learner.tolist() == [0, 1, 2, 3] * 2
    assert len(set(v.deal.tolist())) == 2
    assert (v.actor == v.learner).all()


def test_a_match_in_which_the_learner_is_never_asked_is_no_endless_loop():
    short = {"colours": 1, "wagers": 2, "copies": [0] * 9, "coins": 3, "fixed_start": True}  # two turns, one gold each
    env = make("rivals", players=3, seat=2, compiled=False, **short)
    with pytest.raises(outbid.BadSetup, match="The learner was not asked once in 1000 matches"):
        env.reset(seed=0)


# --- wrong use is loud ------------------------------------------------------------------------------------------------


def snapshot(env):
    return repr(env.match.state), list(env._tally), env._running, env.action_space.legal.tolist()


@pytest.mark.parametrize(
    ("action", "error", "says"),
    [
        (lambda env: int(np.argmin(env.action_masks())), outbid.Illegal, r"^Action \d+ \(.+\) of seat 0 is not legal; "),
        (lambda env: 58, outbid.Illegal, "Action 58 of seat 0"),
        (lambda env: 3.0, outbid.BadSetup, "one whole number from 0 to 57, not float64"),
        (lambda env: math.nan, outbid.BadSetup, "not float64"),
        (lambda env: False, outbid.BadSetup, "not bool"),
        (lambda env: None, outbid.BadSetup, "not None"),
        (lambda env: np.zeros(2, int), outbid.BadSetup, r"of shape \(2,\)"),
    ],
)
def test_a_wrong_action_is_refused_in_one_sentence_and_changes_nothing(action, error, says):
    env = make("kuhhandel")
    env.reset(seed=2)
    for _ in range(5):
        env.step(env.action_space.sample())
    before = snapshot(env)
    with pytest.raises(error, match=says):
        env.step(action(env))
    assert snapshot(env) == before


def test_a_match_that_is_over_or_has_not_begun_cannot_be_stepped():
    env = make(TOY, render_mode="ansi")
    for use in (lambda: env.step(0), env.render):
        with pytest.raises(outbid.BadSetup, match=r"There is no match yet; call reset\(\) first"):
            use()
    env.reset(seed=1)
    while not env.step(env.action_space.sample())[2]:
        pass
    with pytest.raises(outbid.BadSetup, match=r"The match is over; call reset\(\) first"):
        env.step(0)
    assert isinstance(env.render(), str)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"seat": 3}, "There is no seat 3 for the learner; the seats are 0 to 2"),
        ({"seat": True}, "There is no seat True"),
        ({"bots": "clever"}, "There is no bot 'clever'; there are random, easy, steady"),
        ({"bots": ["steady"]}, "There must be 2 bots, one for each other seat, not 1"),
        ({"reward": "money"}, "There is no reward 'money'"),
        ({"players": 6}, "is for 3 to 5 players, not 6"),
        ({"illegal": "ignore"}, "illegal is 'ignore'"),
        ({"render_mode": "film"}, "render"),
        ({"speed": 3}, "has no option 'speed'"),
        ({"rewrad": "win"}, "its arguments are .*players, preset, seat, bots, reward, .*Did you mean 'reward'"),
    ],
)
def test_a_wrong_environment_is_refused_in_one_sentence(how, says):
    for cls in (adapter.SeatEnv, adapter.SeatVectorEnv):
        with pytest.raises(outbid.OutbidError, match=says):
            cls(**{"game": "kuhhandel", "players": 3, **how})


@pytest.mark.parametrize(
    ("actions", "error", "says"),
    [
        (lambda mask: np.argmin(mask, axis=1), outbid.Illegal, r"Action \d \(seal \d\) of seat 0 in match 0 is not legal"),
        (lambda mask: np.argmax(mask, axis=1).astype(float), outbid.BadSetup, "4 integers, not float64"),
        (lambda mask: np.argmax(mask, axis=1)[:2], outbid.BadSetup, r"of shape \(2,\)"),
        (lambda mask: int(np.argmax(mask[0])), outbid.BadSetup, r"of shape \(\)"),
    ],
)
def test_wrong_actions_of_a_vector_are_refused_and_change_nothing(actions, error, says):
    env = gymnasium.make_vec("outbid/sealed-v1", num_envs=4, players=3)
    with pytest.raises(outbid.BadSetup, match=r"call reset\(\) first"):
        env.step(np.zeros(4, int))
    _, info = env.reset(seed=1)
    arrays = env.matches.states, env.matches.obs, env.matches.mask, env.matches.steps
    before = [array.tobytes() for array in arrays]
    with pytest.raises(error, match=says):
        env.step(actions(info["action_mask"]))
    assert before == [array.tobytes() for array in arrays]
    env.close()
    with pytest.raises(outbid.BadSetup, match="closed"):
        env.step(np.argmax(info["action_mask"], axis=1))


def test_a_vector_refuses_what_only_a_single_environment_does():
    for how, says in (({"illegal": "random"}, "must be error"), ({"render_mode": "ansi"}, "not rendered")):
        with pytest.raises(outbid.BadSetup, match=says):
            adapter.SeatVectorEnv(2, TOY, **how)
    with pytest.raises(outbid.BadSetup, match="against has no argument 'joint'; it has n, players, seed, seat, bots, "):
        outbid.game(TOY).against(2, 3, joint=True)
    with pytest.raises(outbid.BadSetup, match=r"vector has no argument 'rewards'; .* Did you mean 'reward'\?"):
        outbid.game(TOY).vector(2, 3, rewards="win")
    env = adapter.SeatVectorEnv(2, TOY)
    for seed in (-1, [1, 2, 3], [1, -2]):
        with pytest.raises(outbid.BadSetup, match=r"[Ss]eed"):
            env.reset(seed=seed)
