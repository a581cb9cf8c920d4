"""Training against one bot: matches become a rollout whose credit ends with each of them, and it learns the same again."""

import csv
import os
import subprocess
import sys

import numpy as np
import pytest

from outbid.lab.training import trajectories
from tests.support.scripts import ROOT, lazy_script

SCRIPT = ROOT / "examples" / "train_against.py"
against = lazy_script("examples/train_against.py")
ppo = lazy_script("examples/train_ppo.py")


def test_matches_one_below_the_other_become_columns_that_end_with_their_reward():
    count, rows = np.array([2, 0, 3]), 5
    could = np.ones((rows, 4), bool)
    seen = np.arange(rows * 6, dtype=np.float32).reshape(rows, 6)
    share, place = np.array([1.0, 0.0, 0.5]), np.array([0, 2, 0])
    played = trajectories.Trajectories(seen, could, np.array([0, 1, 2, 3, 0]), count, share, place)
    roll = against.rollout(ppo.Net(6, 4, 8), played, 3, "win")
    assert roll.decides.tolist() == [[True, False, True], [True, False, True], [False, False, True]]
    assert roll.action.T.tolist() == [[0, 1, 0], [0, 0, 0], [2, 3, 0]]
    assert roll.obs[2, 2].tolist() == seen[4].tolist()
    assert np.argwhere(roll.done).tolist() == [[0, 1], [1, 0], [2, 2]]
    assert roll.reward[1, 0, 0] == pytest.approx(2 / 3)
    assert roll.reward[2, 2, 0] == pytest.approx(1 / 6)
    assert against.rollout(ppo.Net(6, 4, 8), played, 3, "rank").reward[0, 1, 0] == -0.5
    credit, learned = ppo.advantages(roll, 1.0)
    assert np.array_equal(learned, roll.decides)
    assert credit[0, 0] == pytest.approx(2 / 3 - roll.value[0, 0], abs=1e-6)  # λ 1: all that comes, less what was expected


@pytest.mark.deep
def test_the_script_writes_curve_and_net_and_the_same_again(tmp_path):
    fields, weights = list(against.FIELDS), []
    for name in ("one", "two"):
        out = tmp_path / name
        command = [sys.executable, str(SCRIPT), "--game", "rivals", "--against", "steady", "--check", "--out", str(out)]
        subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True, timeout=600)
        with open(out / "curve.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        assert list(rows[0]) == fields
        assert [row["matches"] for row in rows] == ["16", "32"]
        net, facts = ppo.load(out / "net.npz")
        assert (facts["game"], facts["against"], facts["played"]) == ("rivals", "steady", 32)
        weights.append(np.concatenate([value.detach().numpy().ravel() for value in net.parameters()]))
    assert np.array_equal(*weights)
    before, _ = ppo.load(against.outbid.game("rivals").rulebook.folder / "policy.npz")
    assert not np.array_equal(weights[0], np.concatenate([value.detach().numpy().ravel() for value in before.parameters()]))


@pytest.fixture
def refused(monkeypatch, capsys, tmp_path):
    """What the script prints of what it does not do."""

    def said(*told):
        monkeypatch.setattr(sys, "argv", [str(SCRIPT), "--check", "--out", str(tmp_path), *told])
        with pytest.raises(SystemExit) as ended:
            against.main()
        assert ended.value.code == 2
        return capsys.readouterr().err.replace("\n", " ")

    return said


def test_a_game_without_a_net_says_what_is_missing(refused):
    assert "give one: --start FILE" in refused("--game", "forex")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (["--players", "9"], "9"),
        (["--against", "nobody"], "There is no bot 'nobody'"),
        (["--start", "rivals"], "no policy net"),
    ],
)
@pytest.mark.slow
def test_what_cannot_be_played_is_said_in_a_sentence(told, said, refused):
    nets = against.outbid.game("rivals").rulebook.folder / "policy.npz"
    told = [str(nets) if word == "rivals" else word for word in told]
    assert said in refused("--game", "claim", *told)
