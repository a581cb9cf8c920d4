"""Fictitious self-play on a small game (examples/fictitious_play.py): the NashConv of its average policy falls."""

import re
import sys

import pytest

from tests.support.scripts import script


@pytest.mark.slow
def test_the_nash_conv_of_the_average_falls(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["fictitious_play.py", "--rounds", "3", "--matches", "600"])
    script("examples/fictitious_play.py").main()
    first, last = (float(said) for said in re.findall(r"^round +\d+: NashConv ([\d.]+)", capsys.readouterr().out, re.M))
    assert 1.4 < first < 1.6  # every action equally often, in tiny Rivals for two
    assert last < 0.7 * first
