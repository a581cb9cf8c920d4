"""Simulations: matches among bots, their summary and their records."""

import io
import json

import pytest

from outbid.bots import LookAhead
from outbid.core.errors import BadSetup
from outbid.core.record import read_record
from outbid.core.rulebook import rulebook
from outbid.lab.simulate import results, simulate, soonest, write_records

BOOK = rulebook("kuhhandel")


@pytest.mark.parametrize(
    ("game", "options"),
    [("rivals", {}), ("rivals", {"pile_distribution": True}), ("kuhhandel", {"bidding": "realtime", "overbid": "capped"})],
)
@pytest.mark.generic
def test_a_simulation_does_not_depend_on_threads_or_backend(game, options):
    book = rulebook(game)
    plain = simulate(book, options, 3, 6, 5, ["steady", "random"], backend="plain")
    for threads in (1, 3):
        assert simulate(book, options, 3, 6, 5, ["steady", "random"], threads=threads, backend="compiled") == plain


def test_a_handful_of_matches_is_played_plain_and_many_are_compiled():
    assert soonest(BOOK, 3) == "plain"
    assert soonest(BOOK, 20) in ("plain", "compiled")
    assert soonest(BOOK, 1000) == "compiled"


def test_the_first_matches_of_a_longer_simulation_are_those_of_a_shorter_one():
    names = ["steady", "random", "random"]
    long = results(BOOK, {}, names, 5, 9, backend="plain")
    assert results(BOOK, {}, names, 2, 9, backend="plain") == long[:2]


def test_a_summary_counts_every_victory_once_and_every_match_in_its_progress():
    told = []
    summary = simulate(BOOK, {}, 3, 7, 4, ["random", "steady"], progress=told.append)
    assert sum(told) == 7
    assert sum(line.share.mean for line in summary.bots) == pytest.approx(1)
    assert sum(line.share.mean for line in summary.seats) == pytest.approx(1)
    assert [line.name for line in summary.seats] == ["random", "steady", "random"]
    assert json.loads(json.dumps(summary.as_dict()))["games"] == 7
    assert "steady" in summary.as_text()


def test_written_records_are_the_matches_of_the_simulation_and_replay():
    file = io.StringIO()
    write_records(file, BOOK, {"bidding": "dropout"}, 3, 2, 8, ["steady", "random"])
    rows = results(BOOK, {"bidding": "dropout"}, ["steady", "random", "steady"], 2, 8, backend="plain")
    for line, row in zip(file.getvalue().splitlines(), rows, strict=True):
        assert read_record(json.loads(line)).scores == row[:3]
        assert json.loads(line)["players"] == ["steady 1", "random", "steady 2"]


def test_a_simulation_refuses_unknown_bots_and_too_many_of_them():
    with pytest.raises(BadSetup, match="genius"):
        simulate(BOOK, {}, 3, 1, 0, ["genius"])
    with pytest.raises(BadSetup, match="4"):
        simulate(BOOK, {}, 3, 1, 0, ["random"] * 4)
    with pytest.raises(BadSetup, match="0 matches"):
        simulate(BOOK, {}, 3, 0, 0, ["random"])


def test_bots_that_look_ahead_can_be_simulated_and_their_matches_recorded(monkeypatch):
    monkeypatch.setattr(LookAhead, "prepare", lambda self, book: None)
    monkeypatch.setattr("outbid.bots.strong.ready", lambda book: False)  # not compiled: it plays as steady does
    rivals, short = rulebook("rivals"), {"copies": [1] * 9, "wagers": 1, "colours": 2}
    names, told, file = ["strong", "random"], [], io.StringIO()
    summary = simulate(rivals, short, 2, 3, 5, names, progress=told.append)
    write_records(file, rivals, short, 2, 3, 5, names)
    matches = [read_record(json.loads(line)) for line in file.getvalue().splitlines()]
    assert told == [1, 1, 1]
    assert all(match.over for match in matches)
    assert summary.moves == sum(len(match.moves) for match in matches) / 3
    assert summary.bots[0].score.mean == pytest.approx(sum(match.scores[0] for match in matches) / 3)
    assert summary.bots[0].share.mean == sum(1 / len(m.winners) for m in matches if 0 in m.winners) / 3
