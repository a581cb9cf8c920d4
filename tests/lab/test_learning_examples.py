"""The examples that learn from data: with little of it they learn something already."""

from __future__ import annotations

import re
import sys

import pytest

from tests.support.scripts import script


def printed(name, capsys, monkeypatch, *options):
    """What an example prints when it is called with these options."""
    pytest.importorskip("torch", reason="training needs PyTorch: pip install outbid[train]")
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(sys, "argv", [name, *map(str, options)])
    script(f"examples/{name}").main()
    return capsys.readouterr().out


@pytest.mark.slow
def test_a_net_that_learnt_from_data_alone_beats_chance(tmp_path, capsys, monkeypatch):
    out = tmp_path / "net.npz"
    small = ("--matches", 40, "--bots", "easy,steady", "--passes", 40, "--against", "random", "--deals", 20, "--out", out)
    text = printed("learn_from_data.py", capsys, monkeypatch, "--data", tmp_path / "data", *small)
    shares = {name: float(share) for name, share in re.findall(r"^(.+): ([\d.]+) \(", text, re.M)}
    assert shares.keys() == {"untrained", "imitation", "offline RL"}
    assert min(shares["imitation"], shares["offline RL"]) > shares["untrained"] + 20
    assert out.is_file()


@pytest.mark.slow
def test_a_belief_is_nearer_to_the_truth_than_frequencies(tmp_path, capsys, monkeypatch):
    text = printed("learn_belief.py", capsys, monkeypatch, "--data", tmp_path / "data", "--matches", 50, "--passes", 8)
    often, staged, belief = map(float, re.findall(r": ([\d.]+) bits", text))
    assert belief < min(often, staged) - 0.05
