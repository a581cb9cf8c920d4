"""A net learns among bots and its own earlier selves (examples/train_league.py)."""

import csv
import sys

import pytest

import outbid
from outbid.bots import load_bot
from tests.support.scripts import lazy_script

league = lazy_script("examples/train_league.py")


@pytest.mark.slow
def test_past_selves_sit_down_and_the_net_that_comes_out_plays(monkeypatch, tmp_path):
    argv = ["train_league.py", "--game", "rivals", "--players", "2", "--check", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", argv)
    league.main()
    *_, last = csv.DictReader((tmp_path / "curve.csv").read_text(encoding="utf-8").splitlines())
    assert int(last["decisions"]) >= 4096
    assert len(list(tmp_path.glob("self-*.npz"))) >= 2
    rivals = outbid.game("rivals")
    batch = rivals.against(4, 2, bots=[[f"net@{tmp_path / 'self-1.npz'}"]], seat=0, seed=1)
    batch.step(batch.sample())
    assert load_bot(f"net@{tmp_path / 'net.npz'}").name.startswith("net")
