"""Bots fitted to people: the parameters of simulated people are recovered, and bots are never taken for people."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from outbid import cli
from outbid.bots import load_bot
from outbid.core.errors import BadSetup
from outbid.core.rulebook import rulebook
from outbid.lab import people
from outbid.lab.experiments import runner, spec
from outbid.lab.experiments.playing.blocks import CellBlock, play
from outbid.runs import recorded
from outbid.runs.recorded import RecordedMatch
from outbid.runs.replay import replay
from tests.support.experiments import TUTORIAL

TRUTH = {"share": 75, "deny": 20, "patience": 900}
SLIP = 0.08


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def like(name="truth.json", game="rivals", slip=SLIP, **params):
    Path(name).write_text(json.dumps({"format": "outbid-like/1", "game": game, "slip": slip, "params": params}))
    return f"like@{name}"


def played(bot, matches, players=3, game="rivals", **options):
    book = rulebook(game)
    return [replay(book, options, (bot,) * players, 5, number) for number in range(matches)]


def write(name, matches, bots=()):
    records = [match.record() for match in matches]
    for number in bots:
        records[number]["moves"][0]["by"] = "steady"
    Path(name).write_text("".join(json.dumps(record) + "\n" for record in records))


def read(matches):
    return [RecordedMatch(match, tuple(match.record()["moves"])) for match in matches]


def lab(*arguments):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["outbid", "lab", *map(str, arguments)])
        try:
            cli.main()
        except SystemExit as ended:
            return ended.code or 0
    return 0


@pytest.mark.slow
def test_a_fitted_bot_plays_the_same_matches_compiled_and_replayed():
    seats = (like(**TRUTH), "steady", like("other.json", slip=0.5))
    block = CellBlock("rivals", {}, seats, 3, 0, 4)
    columns = play(block)
    for number in range(4):
        for turn in range(3):
            match = replay(rulebook("rivals"), {}, tuple(seats[(seat - turn) % 3] for seat in range(3)), 3, number)
            assert columns.seats[3 * number + turn, :, 0].tolist() == match.scores
            assert columns.rows[3 * number + turn, 0] == len(match.moves)


def test_a_bot_from_a_file_far_down_plays_under_a_name_that_can_be_shown():
    Path("far" * 20).mkdir()
    assert played(like("far" * 20 + "/truth.json"), 1)[0].names == ["Bot 1", "Bot 2", "Bot 3"]


def test_who_never_slips_and_has_the_usual_parameters_is_steady():
    usual, steady = (play(CellBlock("rivals", {}, (name,) * 3, 3, 0, 50)) for name in (like(slip=0), "steady"))
    assert (usual.rows == steady.rows).all()
    slips = play(CellBlock("rivals", {}, (like(slip=1),) * 3, 3, 0, 50))
    assert not (slips.rows == steady.rows).all()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{}", "was not written by `outbid lab people --fit`"),
        ('{"format": "outbid-like/1", "game": "rivals", "slip": 0.1, "params": {"dread": 5}}', "no policy parameter dread"),
        ('{"format": "outbid-like/1", "game": "rivals", "slip": "x", "params": {}}', "was not written by"),
        ('{"format": "outbid-like/1", "game": "money", "slip": 0.1, "params": {}}', "fitted to people who played Money!"),
    ],
)
def test_a_file_of_another_game_or_of_nothing_is_refused(text, sentence):
    Path("bad.json").write_text(text)
    with pytest.raises(BadSetup, match=sentence):
        load_bot("like@bad.json", rulebook("rivals"))


@pytest.fixture(scope="module")
def friday(tmp_path_factory):
    """A player fitted to simulated people, how often all slip, and what they did."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("friday"))
        patch.setattr(people, "WALKS", 1)
        steps = people.PeopleSteps.of(read(played(like(**TRUTH), 6)))
        likeness = people.fit(steps, sweeps=10)
        likeness.write(Path("friday.json"))
        yield likeness, steps, Path("friday.json").resolve()


@pytest.mark.slow
def test_simulated_people_are_found_again(friday):
    """Their slip rate lies within its interval; who is fitted explains their moves about as well as who made them, and far
    better than the usual player."""
    likeness, steps, _ = friday
    usual = rulebook("rivals").personas.usual
    likelihood = people.Likelihood(steps.only(~steps.held_out), 0)
    fitted, truth, steady = (
        float(likelihood.log(params, people.SLIPS).max())
        for params in (usual.but(likeness.changes), usual.but(TRUTH), usual)
    )
    assert likeness.slip.low <= SLIP <= likeness.slip.high
    assert truth > steady + 50
    assert fitted > truth - 0.2 * (truth - steady)
    assert likeness.foretold[""] > likeness.foretold["steady"] + 0.05


@pytest.mark.slow
def test_a_question_is_answered_among_players_like_these_as_among_themselves_and_otherwise_among_steady(friday):
    """With less gold a match is much shorter among steady, and hardly among who opens auctions late."""
    text = 'game = "rivals"\nplayers = 3\ndeals = 200\nmeasures = ["turns"]\n[matters]\nturns = 15.0\n'
    text += "[[variant]]\n[[variant]]\noptions = { coins = 24 }\n"
    text += "".join(f'[[company]]\nseats = ["{bot}"]\n' for bot in ("steady", like(**TRUTH), f"like@{friday[2]}"))
    comparisons = runner.play(spec.parse(text), Path("run")).read("results.json")["comparisons"]
    assert [row["verdict"] for row in comparisons if row["measure"] == "turns"] == ["lower", "same", "same"]


GROUPS = {
    "claim": (4, {"others": 250, "fear": 90, "hope": 60}),
    "forex": (3, {"rival": 30, "papers": 40, "chase": 200}),
    "rivals": (3, TRUTH),
}


@pytest.mark.deep
@pytest.mark.parametrize("game", GROUPS)
def test_slip_rate_and_parameters_of_simulated_people_lie_within_what_thirty_matches_say(game):
    players, truth = GROUPS[game]
    found = people.fit(people.PeopleSteps.of(read(played(like(game=game, **truth), 30, players, game))))
    assert found.slip.low <= SLIP <= found.slip.high
    assert all(found.params[name].low <= value <= found.params[name].high for name, value in truth.items()), found.params
    assert found.foretold[""] > found.foretold["steady"]


def test_the_likelihood_of_a_move_is_that_of_its_steps():
    """Where a player draws nothing, a step is his own with the chance (1 − ε) + ε/n, and any other with ε/n."""
    steps = people.PeopleSteps.of(read(played(like(), 2)))
    likelihood, usual = people.Likelihood(steps, 0), rulebook("rivals").personas.usual
    agrees = likelihood.agrees(usual)[0]
    expected = np.log(np.where(agrees, 0.7, 0.0) + 0.3 / steps.legal).sum()
    assert likelihood.log(usual, 0.3)[0] == pytest.approx(expected)
    assert likelihood.foretold(usual) > 0.8


def test_moves_of_bots_are_not_people_s():
    matches = played(like(), 3)
    reads = read(matches)
    half = [
        RecordedMatch(
            read_match.match, tuple({**move, "by": "steady"} if move["seat"] else move for move in read_match.moves)
        )
        for read_match in reads
    ]
    assert set(people.PeopleSteps.of(half).seats) == {0}
    with pytest.raises(BadSetup, match="made by a bot"):
        people.PeopleSteps.of(
            [
                RecordedMatch(read_match.match, tuple({**move, "by": "steady"} for move in read_match.moves))
                for read_match in reads
            ]
        )
    write("friday.jsonl", matches, bots=(1,))
    fitting = recorded.fitting(rulebook("rivals"), {}, 3, "records@friday.jsonl")
    assert [match.deal for match in fitting] == [matches[0].deal, matches[2].deal]


def test_people_stand_beside_the_bot_that_was_fitted_to_them(capsys, monkeypatch):
    for name, less in (("WALKS", 1), ("HEATS", (1.0,)), ("STEPS", 1), ("SCAN", 2)):
        monkeypatch.setattr(people, name, less)
    write("friday.jsonl", played(like(**TRUTH), 6), bots=(1,))
    assert lab("people", "friday.jsonl", "--fit", "friday.json", "-m", "turns", "--no-report", "--json") == 0
    printed = capsys.readouterr()
    assert "A bot played in 1 of them" in printed.err
    assert "Of the moves in other matches it foretells" in printed.err
    run = json.loads(printed.out)
    assert [company["name"] for company in run["company"]] == ["people", "steady", "like@friday.json"]
    assert run["deals"] == 5
    assert json.loads(Path("friday.json").read_text())["format"] == "outbid-like/1"


def test_a_game_without_parameters_has_a_slip_rate_only():
    book = rulebook(TUTORIAL)
    matches = [replay(book, {}, ("random", "steady"), 3, number) for number in range(6)]
    likeness = people.fit(people.PeopleSteps.of(read(matches)), sweeps=4)
    assert likeness.params == {}
    assert 0.2 < likeness.slip.value < 0.9
