"""The training example: its credit goes to the right decisions, its masks hold, it repeats itself and it learns."""

import csv
import os
import subprocess
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest

import outbid
from tests.support.scripts import ROOT, lazy_script, torch

SCRIPT = ROOT / "examples" / "train_ppo.py"
ppo = lazy_script("examples/train_ppo.py")

TOY = "sealed"


def small(**changes):
    """The settings of a short training."""
    return replace(ppo.CHECK, **{"measure_every": 10, "last_deals": 256, **changes})


@pytest.fixture(autouse=True)
def one_thread():
    """Sums of floats come in the same order."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def rollout(actor, decides, value, reward, done):
    """A rollout with nothing but what credit depends on."""
    as_float = [np.array(x, np.float32) for x in (value, reward)]
    return ppo.Rollout(None, None, np.array(actor), None, np.array(decides, bool), None, *as_float, np.array(done, bool))


def test_credit_goes_along_the_decisions_of_a_seat_over_what_others_do_in_between_to_the_end_of_the_match():
    nothing, end = [0, 0], [0.5, -0.5]
    roll = rollout(
        actor=[[0], [0], [1], [0], [1], [1], [0]],
        decides=[[1], [1], [1], [0], [1], [1], [1]],  # in the fourth step seat 0 has no choice
        value=[[0.1], [0.2], [0.3], [9.0], [0.4], [0.6], [0.7]],
        reward=[[nothing], [nothing], [nothing], [nothing], [end], [nothing], [nothing]],
        done=[[0], [0], [0], [0], [1], [0], [0]],
    )
    found, learned = ppo.advantages(roll, trace=0.5)
    assert learned.ravel().tolist() == [True, True, True, False, True, False, False]
    assert found.ravel() == pytest.approx([(0.2 - 0.1) + 0.5 * 0.3, 0.5 - 0.2, (0.4 - 0.3) - 0.5 * 0.9, 0, -0.5 - 0.4, 0, 0])


def test_where_a_rollout_breaks_off_the_last_decision_of_a_seat_only_lends_its_value_to_the_one_before():
    roll = rollout(
        actor=[[0], [1], [0], [1], [0]],
        decides=np.ones((5, 1)),
        value=[[0.1], [0.2], [0.4], [0.8], [0.5]],
        reward=np.zeros((5, 1, 2)),
        done=np.zeros((5, 1)),
    )
    found, learned = ppo.advantages(roll, trace=0.5)
    assert learned.ravel().tolist() == [True, True, True, False, False]
    assert found.ravel() == pytest.approx([0.3 + 0.5 * 0.1, 0.6, 0.1, 0, 0])


def credit(roll, trace):
    """Every trajectory of a seat by itself, in plain loops."""
    steps, n, players = roll.reward.shape
    result, learned = np.zeros((steps, n)), np.zeros((steps, n), bool)
    for i in range(n):
        for seat in range(players):
            mine = [t for t in range(steps) if roll.actor[t, i] == seat and roll.decides[t, i]]
            after = 0.0
            for k in range(len(mine) - 1, -1, -1):
                t, following = mine[k], mine[k + 1] if k + 1 < len(mine) else steps
                ends = [u for u in range(t, following) if roll.done[u, i]]
                until = ends[0] + 1 if ends else following
                reward = roll.reward[t:until, i, seat].sum()
                learned[t, i] = bool(ends) or following < steps
                if ends:
                    after = reward - roll.value[t, i]
                elif following < steps:
                    after = reward + roll.value[following, i] - roll.value[t, i] + trace * after
                else:
                    after = 0.0
                result[t, i] = after
    return result, learned


@pytest.mark.parametrize("seed", range(5))
def test_credit_is_that_of_every_seat_by_itself(seed):
    rng = np.random.default_rng(seed)
    shape, players = (40, 7), 3
    roll = rollout(
        rng.integers(0, players, shape), rng.random(shape) < 0.8, rng.normal(size=shape),
        rng.normal(size=(*shape, players)), rng.random(shape) < 0.1,
    )  # fmt: skip
    found, learned = ppo.advantages(roll, 0.9)
    expected, which = credit(roll, 0.9)
    assert (learned == which).all()
    assert found == pytest.approx(expected, abs=1e-5)


def test_nothing_illegal_is_ever_drawn():
    noise = torch.Generator().manual_seed(1)
    for _ in range(200):
        mask = torch.rand(512, 9, generator=noise) < 0.3
        mask[torch.arange(512), torch.randint(0, 9, (512,), generator=noise)] = True
        logits = 30 * torch.randn(512, 9, generator=noise)
        logp = logits.masked_fill(~mask, -1e9).log_softmax(1)
        for action in (ppo.draw(logp, noise), ppo.draw(logp, None)):
            assert mask.gather(1, action[:, None]).all()


@pytest.mark.parametrize("extreme", [0.0, float(np.nextafter(np.float32(1), np.float32(0)))])
def test_the_least_and_the_greatest_noise_draw_something_legal_too(monkeypatch, extreme):
    mask = torch.rand(5000, 9, generator=torch.Generator().manual_seed(4)) < 0.3
    mask[:, 4] = True
    logp = torch.randn(5000, 9).masked_fill(~mask, -1e9).log_softmax(1)
    monkeypatch.setattr(torch, "rand", lambda *shape, generator: torch.full(shape, extreme))
    assert mask.gather(1, ppo.draw(logp, torch.Generator())[:, None]).all()


def test_actions_are_drawn_as_often_as_the_net_says():
    wanted = torch.tensor([0.0, 0.5, 0.0, 0.3, 0.2, 0.0])
    drawn = ppo.draw(wanted.log().clamp(min=-1e9).repeat(40_000, 1), torch.Generator().manual_seed(2))
    assert (torch.bincount(drawn, minlength=6) / 40_000).tolist() == pytest.approx(wanted.tolist(), abs=0.01)


@pytest.mark.slow
def test_a_rollout_holds_what_was_played_and_masks_are_never_violated():
    batch = outbid.game(TOY).vector(64, 3, 5)
    net = ppo.Net(batch.obs.shape[1], batch.mask.shape[1], 16)
    roll = ppo.empty_rollout(batch, 30)
    ppo.play(batch, net, torch.Generator().manual_seed(3), roll, np.zeros((64, 3), bool))
    assert np.take_along_axis(roll.mask, roll.action[:, :, None], 2).all()
    assert (roll.decides == (roll.mask.sum(2) > 1)).all()
    again = outbid.game(TOY).vector(64, 3, 5)
    for t in range(30):
        assert (again.obs == roll.obs[t]).all()
        assert (again.actor == roll.actor[t]).all()
        again.step(roll.action[t])
        assert (again.reward == roll.reward[t]).all()
        assert (again.done == roll.done[t]).all()
    assert roll.done.any()


def test_where_steady_holds_a_seat_it_acts_and_the_net_learns_nothing_from_it():
    batch = outbid.game(TOY).vector(64, 3, 5)
    guided = np.arange(192).reshape(64, 3) % 2 == 0
    roll = ppo.empty_rollout(batch, 30)
    net = ppo.Net(batch.obs.shape[1], batch.mask.shape[1], 16)
    ppo.play(batch, net, torch.Generator().manual_seed(3), roll, guided)
    held = guided[np.arange(64), roll.actor]
    highest = np.where(roll.mask, np.arange(10), -1).max(2)  # what the toy's steady player seals
    assert (roll.action[held] == highest[held]).all()
    assert (roll.action[~held] != highest[~held]).any()
    assert not roll.decides[held].any()
    assert not ppo.advantages(roll, 0.95)[1][held].any()


def test_the_net_sees_all_features_as_wide_as_each_other():
    obs = torch.stack((torch.full((1000,), 3.0), torch.linspace(0, 0.1, 1000), torch.linspace(-50, 50, 1000)), 1)
    net = ppo.Net(3, 2, 8)
    net.look_at(obs)
    seen = (obs - net.mean) * net.scale
    assert seen.mean(0).tolist() == pytest.approx([0, 0, 0], abs=1e-4)
    assert seen.std(0).tolist() == pytest.approx([0, 1, 1], abs=1e-4)


def weights(net):
    return torch.cat([value.ravel() for value in net.state_dict().values()])


@pytest.mark.slow
def test_the_same_seed_learns_the_same_and_another_one_something_else():
    runs = [ppo.train(outbid.game(TOY), [2], small(), seed, 0, 20_000, None) for seed in (7, 7, 8)]
    assert torch.equal(weights(runs[0][0]), weights(runs[1][0]))
    assert not torch.equal(weights(runs[0][0]), weights(runs[2][0]))
    for one, two in zip(runs[0][1], runs[1][1], strict=True):
        assert {**one, "minutes": 0} == {**two, "minutes": 0}


@pytest.mark.deep
def test_a_short_training_plays_better_than_chance():
    """Claim for two: chance beats steady about once in sixty matches, a minute's practice about every second time."""
    game, deals, seed = outbid.game("claim"), 128, ppo.HELD_OUT + 5
    settings = small(matches=256)
    net, _ = ppo.train(game, [2], settings, 1, 0, 80_000, None)
    chance = ppo.summary(ppo.measure(game, 2, None, deals, None, seed))
    drawn = ppo.summary(ppo.measure(game, 2, net, deals, torch.Generator().manual_seed(0), seed))
    assert drawn.low > 2 * chance.high


@pytest.mark.slow
def test_every_reward_of_a_vector_can_be_learned_from():
    for reward in ("win", "margin", "rank", "score"):
        _, rows = ppo.train(outbid.game(TOY), [2, 3], small(reward=reward), 1, 0, 5_000, None)
        assert np.isfinite([list(row.values()) for row in rows]).all()


def test_steady_in_the_learners_seat_has_an_equal_share():
    """The measure favours nobody: whoever answers as steady does wins as often, from every seat together."""
    game = outbid.game(TOY)

    class Highest:
        def __call__(self, obs, mask):
            hand = torch.arange(10) * (obs[:, :10] > 0)
            return hand.float(), None

    found = ppo.summary(ppo.measure(game, 3, Highest(), 512, None, 3))
    assert found.mean == pytest.approx(1 / 3)
    assert found.error == pytest.approx(0, abs=1e-9)  # on each deal all seats together take exactly one victory


def test_an_interval_counts_deals_and_not_matches():
    found = ppo.summary(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]))
    assert found.mean == 0.5
    assert found.error == pytest.approx(np.std([0.5, 0.5, 1, 0], ddof=1) / 2)


def test_a_net_is_kept_in_half_precision_and_read_again(tmp_path):
    net = ppo.Net(12, 10, 16)
    ppo.save(tmp_path / "net.npz", net, {"game": TOY})
    again, facts = ppo.load(tmp_path / "net.npz")
    assert facts == {"game": TOY}
    assert weights(again).tolist() == pytest.approx(weights(net).tolist(), abs=2e-3)
    obs, mask = torch.rand(50, 12), torch.rand(50, 10) < 0.7
    mask[:, 0] = True
    assert torch.allclose(again(obs, mask)[1], net(obs, mask)[1], atol=1e-2)


@pytest.mark.slow
def test_a_training_may_begin_with_a_net_that_knows_something(tmp_path):
    path = tmp_path / "net.npz"
    ppo.train(outbid.game(TOY), [2], small(), 7, 0, 5_000, tmp_path)
    before, _ = ppo.load(path)
    after, _ = ppo.train(outbid.game(TOY), [2], small(rate=(0.0, 0.0)), 8, 0, 5_000, None, start=path)
    assert all(torch.equal(weights, before.state_dict()[name]) for name, weights in after.state_dict().items())


@pytest.mark.slow
def test_a_training_that_is_stopped_leaves_its_net_and_goes_on_from_there(tmp_path):
    stop = threading.Event()
    stop.set()  # so it ends after its first update
    stopped, rows = ppo.train(outbid.game(TOY), [2], small(), 7, 0, 20_000, tmp_path, stop=stop)
    kept, facts = ppo.load(tmp_path / "net.npz")
    torch.testing.assert_close(weights(kept), weights(stopped), atol=1e-3, rtol=1e-3)
    assert 0 < facts["decisions"] < 20_000
    after, more = ppo.train(outbid.game(TOY), [2], small(), 7, 0, 20_000, tmp_path, go_on=True)
    assert more[: len(rows)] == rows
    assert more[-1]["decisions"] >= 20_000
    assert not torch.equal(weights(after), weights(stopped))
    still, _ = ppo.train(outbid.game(TOY), [2], small(rate=(0.0, 0.0)), 7, 0, 1, tmp_path, go_on=True)
    assert torch.equal(weights(still), weights(after))


def test_to_go_on_where_nothing_was_stopped_is_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "--game", TOY, "--out", str(tmp_path), "--go-on"])
    with pytest.raises(SystemExit):
        ppo.main()
    assert capsys.readouterr().err.endswith(f"error: no training was stopped in {tmp_path}: there is no stopped.pt\n")


@pytest.mark.deep  # what it calls is tested above
def test_the_script_writes_curve_plot_and_net(tmp_path):
    pytest.importorskip("matplotlib", reason="the plot needs matplotlib: pip install outbid[train]")
    command = [sys.executable, str(SCRIPT), "--game", TOY, "--check", "--out", str(tmp_path), "--threads", "1"]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True, timeout=300)
    with open(tmp_path / "curve.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(done.stdout.splitlines()) >= 3
    assert list(rows[0]) == list(ppo.FIELDS)
    assert (tmp_path / "curve.svg").stat().st_size < 100_000
    net, facts = ppo.load(tmp_path / "net.npz")
    assert facts["game"] == TOY
    assert facts["decisions"] == int(rows[-1]["decisions"])
    assert isinstance(net, ppo.Net)
