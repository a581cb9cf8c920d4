"""The benchmark: its populations are frozen, whatever an agent answers is counted, and a result can be repeated."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from outbid.bots import naming
from outbid.core.errors import BadSetup
from outbid.core.rulebook import rulebook
from outbid.lab.suite import tasks
from outbid.lab.suite.candidate import Candidate
from outbid.lab.suite.evaluate import again, as_text, differences, evaluate, examined, rank
from outbid.runs.checkpoint import Checkpoint
from outbid.runs.sources import files_of
from tests.support.commands import outbid_command

AGENTS = """
import numpy as np
from outbid.bots.heuristic import STEADY
from outbid.bots.decision import Decision

calls = []

def first(obs, mask):
    calls.append(len(obs))
    return mask.argmax(axis=1)

def illegal(obs, mask):
    return mask.argmin(axis=1)

def junk(obs, mask):
    return "bid 3"

class Silent:
    def decide(self, seat):
        return Decision(())

class Steady:
    def decide(self, seat):
        return STEADY.decide(seat)

class Counting(Steady):
    tokens = 0

    def decide(self, seat):
        self.tokens += 7
        return super().decide(seat)

class Raising:
    def decide(self, seat):
        raise RuntimeError("no answer")
"""


@pytest.fixture
def agents(tmp_path, monkeypatch):
    """A folder with a file of agents; they are forgotten after the test."""
    (tmp_path / "agents.py").write_text(AGENTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with naming.BOTS.apart():
        yield tmp_path


def quick(agent, deals=3, task="rivals-3", **how):
    return evaluate(agent, tasks.named([task]), deals, **how)


def test_the_suite_has_three_tasks_a_game_and_its_core_one():
    entries = list(tasks.tasks().values())
    assert (len(entries), len({task.seed for task in entries})) == (15, 15)
    assert {task.game for task in entries} == {"claim", "forex", "kuhhandel", "money", "rivals"}
    assert [task.game for task in entries if task.core] == list(tasks.frozen())


@pytest.mark.parametrize("game", tasks.frozen())
def test_the_population_moves_as_when_the_suite_was_frozen(game):
    tasks.check_frozen(game)


@pytest.mark.deep
@pytest.mark.parametrize("game", tasks.frozen())
def test_the_population_moves_as_when_the_suite_was_frozen_on_all_positions(game):
    tasks.check_frozen(game, tasks.ALL)


@pytest.mark.parametrize("what", ["sample", "net"])
def test_a_release_whose_bots_move_differently_may_not_call_itself_by_the_name_of_the_suite(what, monkeypatch):
    monkeypatch.setitem(tasks.frozen()["rivals"], what, "another")
    with pytest.raises(BadSetup, match="bench-1"):
        quick("random")


def test_policy_parameters_that_are_changed_are_seen_in_the_moves(monkeypatch):
    before = tasks.moves_hash("rivals", 30)
    changed = ["steady@1[share=0;dear=0;patience=0]"] * 3
    monkeypatch.setitem(tasks.frozen()["rivals"], "heuristics", changed)
    tasks.moves_hash.cache_clear()
    assert tasks.moves_hash("rivals", 30) != before
    tasks.moves_hash.cache_clear()


@pytest.mark.slow
def test_junk_silence_and_illegal_moves_rank_below_random_play(agents):
    chance = quick("random", deals=2)
    for agent in ("agents.py:junk", "agents.py:Silent", "agents.py:illegal"):
        document = quick(agent, deals=2)
        [row] = document["tasks"]
        assert (row["void"], row["share"]) == (True, 0.0)
        assert row["forfeits"] > 0.05 * row["decisions"]
        assert row["fault"]
        assert rank(document) < rank(chance)


@pytest.mark.slow
def test_an_agent_of_a_file_has_what_the_same_bot_has_by_its_name(agents):
    [own], [other] = quick("agents.py:Steady")["tasks"], quick("steady")["tasks"]
    assert own["share"] == other["share"]
    assert own["gain"] == other["gain"]
    assert (own["forfeits"], own["void"]) == (0, False)


@pytest.mark.slow
def test_steady_gains_nothing_over_itself():
    [row] = quick("steady@1")["tasks"]
    assert (row["gain"], row["gain_low"], row["gain_high"]) == (0, 0, 0)


@pytest.mark.slow
def test_a_result_is_the_same_when_it_is_repeated_and_goes_on_where_it_was_interrupted(agents):
    folder = agents / "deals"
    before = quick("agents.py:first", checkpoint=Checkpoint(folder))
    calls = naming.load_bot("agents.py:first").act.__globals__["calls"]
    asked = len(calls)
    again = quick("agents.py:first", checkpoint=Checkpoint(folder))
    assert len(calls) == asked
    assert differences(before, again) == []
    share = again["tasks"][0]["share"]
    again["tasks"][0]["share"] = 2
    assert differences(before, again) == [f"rivals-3, share: {share}, now 2"]


@pytest.mark.parametrize(("agent", "many"), [("agents.py:Steady", 2 * 3), ("steady", 1)])
def test_what_is_done_is_told_as_matches_end(agents, agent, many):
    told = []
    quick(agent, deals=2, tell=told.append)
    assert sum(told) == pytest.approx(1)
    assert len(told) == many


@pytest.mark.slow
def test_held_out_bots_are_drawn_by_their_seed():
    task = tasks.tasks()["money-3"]
    bots = tasks.population(task, 7)
    assert bots == tasks.population(task, 7) != tasks.population(task, 8)
    assert len(set(bots)) == len(bots) == tasks.HELD_OUT
    assert tasks.list_hash(7) == tasks.list_hash(7) != tasks.list_hash()
    [row] = quick("steady", task="money-3", held_out=7)["tasks"]
    assert 0 <= row["share"] <= 1


@pytest.mark.slow
def test_a_small_game_is_measured_exactly():
    [row] = quick("random", task="rivals-tiny")["tasks"]
    assert row["nash_conv"] == pytest.approx(1.486, abs=0.001)
    assert row["gain"] == pytest.approx(row["share"] - quick("steady@1", task="rivals-tiny")["tasks"][0]["share"])


def test_a_net_plays_only_what_it_has_learned():
    [claim, rivals] = evaluate(
        f"net@{rulebook('claim').folder / 'policy.npz'}", tasks.named(["claim-tiny", "rivals-tiny"]), 3
    )["tasks"]
    assert "skipped" in claim
    assert "skipped" in rivals


@pytest.mark.slow
def test_the_command_measures_writes_and_verifies(agents):
    done = outbid_command("eval", "agents.py:first", "--task", "rivals-tiny", "--into", "here", "--json", folder=agents)
    document = json.loads(done.stdout)
    file = agents / "here" / "bench-1.json"
    assert (document["suite"], json.loads(file.read_text())) == ("bench-1", document)
    holds = outbid_command("eval", "--verify", file, folder=agents)
    assert (holds.returncode, "holds" in holds.stdout) == (0, True)
    document["tasks"][0]["share"] = 0.99
    file.write_text(json.dumps(document))
    assert outbid_command("eval", "--verify", file, folder=agents).returncode == 1
    done = outbid_command("eval", "steady", "--task", "chess-2", folder=agents)
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (2, 1)


def test_a_folder_has_the_result_of_one_agent(agents):
    (agents / "mine").mkdir()
    kept = json.dumps({"agent": "easy"})
    (agents / "mine/bench-1.json").write_text(kept, encoding="utf-8")
    refused = outbid_command("eval", "random", "--quick", "--into", str(agents / "mine"))
    assert refused.returncode == 2
    assert refused.stderr == f"{agents / 'mine'} has the result of easy; name another folder for random.\n"
    assert (agents / "mine/bench-1.json").read_text(encoding="utf-8") == kept
    file = outbid_command("eval", "random", "--quick", "--into", str(agents / "agents.py"))
    assert file.returncode == 2
    assert "is no folder for a result" in file.stderr


def test_the_files_of_an_agent_are_its_module_what_that_imports_and_what_it_names(agents, monkeypatch):
    monkeypatch.chdir(agents)
    agent = "import math\n\nimport layers\n\nWEIGHTS = 'weights.pt'\n\n\ndef act(obs, mask):\n    return layers.act(mask)\n"
    (agents / "learnt.py").write_text(agent, encoding="utf-8")
    (agents / "layers.py").write_text("def act(mask):\n    return mask.argmax(axis=1)\n", encoding="utf-8")
    (agents / "weights.pt").write_bytes(b"1")
    names = ["learnt.py", "layers.py", "weights.pt"]
    (by_file, by_module) = (evaluate(name, tasks.named(["claim-tiny"]))["files"] for name in ("learnt.py:act", "learnt:act"))
    assert sorted(by_file) == sorted(names)
    assert by_module == by_file
    (agents / "weights.pt").write_bytes(b"2")
    changed = evaluate("learnt.py:act", tasks.named(["claim-tiny"]))["files"]
    assert [name for name in names if changed[name] != by_file[name]] == ["weights.pt"]
    (agents / "steady.py").write_text("", encoding="utf-8")
    assert files_of(["steady:gambler", "learnt:act"]) == files_of(["learnt:act"])


def test_what_is_not_there_is_refused():
    for agent, names in (("nobody", ["claim-3"]), ("steady", ["chess-2"]), ("steady", ["rivals-3"] * 5)):
        with pytest.raises(BadSetup):
            evaluate(agent, tasks.named(names))


def test_a_result_that_lacks_a_part_or_has_another_score_is_told():
    document = {"format": "outbid-eval/1", "suite": "bench-1", "tasks": []}
    with pytest.raises(BadSetup, match="lacks agent, deals, deep"):
        again(document)
    document |= {"population": "a", "files": {}, "score": 9.9}
    assert differences(document, document | {"score": 1.0}) == ["score: 9.9, now 1.0"]


@pytest.mark.parametrize(
    ("before", "now", "told"), [("a", "b", ["claim-3, fault: a, now b"]), ("", "b", []), ("a", "a", [])]
)
def test_another_fault_is_told_unless_an_interruption_has_lost_it(before, now, told):
    document = {"population": "a", "files": {}, "score": 1.0}
    rows = [document | {"tasks": [{"task": "claim-3", "fault": fault}]} for fault in (before, now)]
    assert differences(*rows) == told


@pytest.fixture(scope="module")
def page():
    """docs/bench_1.py."""
    spec = importlib.util.spec_from_file_location("bench_1", Path(__file__).parents[2] / "docs" / "bench_1.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_of_reference_agents_is_that_of_the_store(page):
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.written(text, page.results()) == text, "run `python docs/bench_1.py`"
    assert "| `random` |" in text


def test_seeds_are_put_together_by_the_middle_half_and_a_bootstrap_within_each_task(page):
    assert page.iqm(np.array([9.0, 1, 2, 3, 4])) == 3  # one of five is cut off at each end
    assert page.iqm(np.array([[0.0, 10, 20, 30, 40, 50, 60, 99]])).tolist() == [35]
    assert page.over_seeds(np.array([[0.5, 0.5, 0.5]])) == (0.5, 0.5, 0.5)
    assert page.over_seeds(np.array([[0.0, 1.0]])) == (0.5, 0, 1)  # drawn 00, 01, 10 and 11, a quarter each
    assert page.over_seeds(np.array([[0.0, 0], [1, 1]])) == (0.5, 0.5, 0.5)  # no run moves to another task


def test_the_row_of_an_agent_that_learns_is_that_of_its_seeds(page):
    about = {"agent": "PPO", "task": "claim-3", "equal": 1 / 3, "version": "1", "date": "2026-11-30", "void": False}
    about |= {"train_seconds": 20, "processor": "X", "low": 0, "high": 1}
    rows = [about | {"seed": seed, "share": share} for seed, share in enumerate((0.1, 0.2, 0.3, 0.4, 0.9))]
    nash = {"agent": "NFSP", "task": "claim-tiny", "version": "1", "date": "2026-11-30", "nash_conv": 0.25, "seed": 1}
    text = page.written(page.PAGE.read_text(encoding="utf-8"), [*rows, nash])
    assert "| PPO | 30.0 (" in text
    assert "| NFSP |  | 0.250, seeds: 1 |" in text
    assert "- PPO: 5 trainings of 20 seconds (median of processor time, X); IQM of share / equal share" in text
    left = page.missing([*rows, nash])
    assert ("PPO", "claim-3", 1) not in left
    assert ("PPO", "claim-3", 5) in left


def test_the_deep_columns_are_those_of_the_median_seed_of_five(page):
    row = {"agent": "PPO", "task": "claim-3", "version": "1", "date": "2026-11-30", "train_seconds": 20, "processor": "X"}
    row |= {"equal": 1 / 3, "void": False, "low": 0, "high": 1}
    rows = [row | {"seed": seed, "share": share} for seed, share in enumerate((0.9, 0.1, 0.3, 0.2, 0.4))]
    assert page.median(rows, "PPO", "claim-3") is rows[2]
    assert page.median(rows[1:], "PPO", "claim-3") is None
    assert page.unexamined(rows) == [("PPO", "claim-3")]
    rows[2] |= {"exploit": 0.25, "loss": None}
    assert page.unexamined(rows) == []
    assert "| PPO | `claim-3` | 25.0 |  |" in page.written(page.PAGE.read_text(encoding="utf-8"), rows)


def test_who_has_a_void_task_stands_below_all_others(page):
    row = {"version": "1", "date": "2026-11-30", "task": "claim-3", "equal": 1 / 3, "low": 0, "high": 1}
    rows = [row | {"agent": "easy", "share": 0, "void": True}, row | {"agent": "random", "share": 0.01, "void": False}]
    text = page.written(page.PAGE.read_text(encoding="utf-8"), rows)
    assert text.index("| `random` |") < text.index("| `easy` |")


@pytest.mark.slow
def test_an_agent_that_raises_is_examined_like_any_other(agents, monkeypatch):
    monkeypatch.setattr("outbid.lab.suite.evaluate.EXPLOITED", 2)
    monkeypatch.setattr("outbid.lab.suite.evaluate.measured", dict)  # no game is judged, which takes minutes
    monkeypatch.setattr("outbid.lab.exploit.known", lambda *_: [("own players", "steady")])
    task, bot = tasks.tasks()["claim-3"], naming.load_bot("agents.py:Raising")
    row = examined(task, "agents.py:Raising", Candidate(bot), None)
    assert row["exploiter"] == "own players"
    assert naming.load_bot("agents.py:Raising") is bot
    sentences: list[str] = []
    document = evaluate("steady", [task], 2, deep=True, say=sentences.append)
    assert [sentence.partition(":")[0] for sentence in sentences] == ["claim-3"]
    head, line = as_text(document).splitlines()[1:]
    assert head.split("  ")[-1].strip() == "exploiters take"
    assert line.endswith(f"{document['tasks'][0]['exploit']:.3f}")


@pytest.mark.slow
def test_what_an_agent_costs_stands_in_the_document(agents):
    [row] = quick("agents.py:Counting")["tasks"]
    assert row["steps"] >= row["decisions"] > 0
    assert row["tokens"] == 7 * row["decisions"]
    [other] = quick("agents.py:Steady")["tasks"]
    assert other["tokens"] is None
    [own] = quick("steady")["tasks"]
    assert (own["steps"], own["tokens"]) == (None, None)
