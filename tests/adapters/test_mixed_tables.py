"""Models, bots and people at one table of inspect_ai: scripted models that talk, a balanced schedule, a rating."""

from __future__ import annotations

import importlib
import io
from collections import Counter
from typing import Any

import pytest

from outbid import BadSetup, read_record
from tests.support.lazily import Lazy

inspect_ai = Lazy("inspect_ai", "inspect_ai is not installed")
model = Lazy("inspect_ai.model", "inspect_ai is not installed")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")

RAMBLE = "and then, when all is said, one might well ask what a bid is worth, " * 12


@pytest.fixture(scope="module")
def tables() -> Any:
    """The module of the task, and models of scripts: one is honest, one lies to one seat, one rambles."""
    module = importlib.import_module("outbid.adapters.inspect")

    class Scripted(model.ModelAPI):
        async def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> Any:
            prompt = next(m.text for m in reversed(input) if m.role == "user" and "\n\nANSWER: " in m.text)
            move = prompt.splitlines()[-1].removeprefix("ANSWER: ")
            seat = int(input[1].text.partition(", seat ")[2][0])
            refused = "A remark has" in input[-1].text
            answer = {
                "honest": f"SAY: I shall {move}.\nANSWER: {move}",
                "liar": f"**SAY TO SEAT {(seat + 1) % 3}:** I shall certainly pass.\nANSWER: {move}",
                "rambler": f"{RAMBLE}\nSAY: {'Hm.' if refused else RAMBLE}\nANSWER: {move}",
            }[self.model_name]
            return model.ModelOutput.from_content(self.model_name, answer)

    model.modelapi(name="scripted")(Scripted)
    return module


def log_of(tables: Any, tmp_path: Any, **options: Any) -> Any:
    """The log of a run."""
    chosen = {"game": "rivals", "preset": "seed", "deals": 1, "moves": 2, "rules": "none", **options}
    (log,) = inspect_ai.eval(tables.mixed_tables(**chosen), model="outbid/example", log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    return log


def measures(log: Any) -> dict[str, float]:
    """All that the scorer tells."""
    return {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}


def told(sample: Any, mark: str) -> list[str]:
    """What the models were told in which this stands."""
    return [message.text for message in sample.messages if message.role == "user" and mark in message.text]


@pytest.mark.slow
def test_scripted_models_talk_and_what_they_say_reaches_whom_it_is_meant_for(tables, tmp_path):
    entrants = ["scripted/honest", "scripted/liar", "scripted/rambler"]
    log = log_of(tables, tmp_path, entrants=entrants, talk="private")
    assert len(log.samples) == 3  # each of them once in every seat
    for sample in log.samples:
        match = read_record(sample.store["match"]["record"])
        seats = sample.metadata["seats"]
        honest, liar, rambler = (seats.index(name) for name in entrants)
        spoken = {seat: [each for each in match.talk if each.seat == seat] for seat in range(3)}
        assert {each.to for each in spoken[honest]} == {None}
        assert {each.to for each in spoken[liar]} == {(liar + 1) % 3}
        assert {each.text for each in spoken[rambler]} == {"Hm."}
        for each in spoken[honest]:  # he does what he says
            move = match.moves[each.after]
            assert (move["seat"], f"I shall {match.rulebook.words.text(move)}.") == (honest, each.text)
        assert "said" in match.record()
        assert not any("to" in each for each in match.record()["said"])
        refused = sample.scores["at_the_table"].metadata["counts"]
        counts = {seats[int(seat)]: count["refused"] for seat, count in refused.items()}
        assert counts["scripted/rambler"] > 0 == counts["scripted/honest"]
        assert told(sample, "to all: Hm.")
        lies = told(sample, "to you: I shall certainly pass.")
        assert all(f", seat {(liar + 1) % 3}, in a match" in text or "You are" not in text for text in lies)


@pytest.mark.slow
def test_every_entrant_is_rated_on_one_scale_with_intervals(tables, tmp_path):
    log = log_of(tables, tmp_path, entrants="model,steady,random", players=2, preset="tiny", deals=2, moves=60)
    assert len(log.samples) == 8  # two companies with the model, in two turns, of two deals
    found = measures(log)
    for name in ("model", "steady", "random"):
        assert found[f"{name} rating low"] <= found[f"{name} rating"] <= found[f"{name} rating high"]
        assert found[f"{name} share low"] <= found[f"{name} share"] <= found[f"{name} share high"]
    assert found["steady rating"] == pytest.approx(1000)  # where all others are measured from
    assert found["model rating high"] - found["model rating low"] > 100
    assert found["model forfeits"] == found["model refused"] == 0


@pytest.mark.slow
def test_at_a_table_where_nobody_talks_what_is_said_is_no_part_of_the_record(tables, tmp_path):
    log = log_of(tables, tmp_path, entrants="scripted/honest,steady", players=2, preset="tiny")
    for sample in log.samples:
        assert "said" not in sample.store["match"]["record"]
        assert not told(sample, "## Talk")


@pytest.mark.slow
def test_a_person_at_the_terminal_has_a_seat(tables, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("bid 1\nuncover\n" * 40))
    log = log_of(tables, tmp_path, entrants="outbid/person,steady", players=2, preset="tiny", moves=40)
    answers = [message.text for sample in log.samples for message in sample.messages if message.role == "assistant"]
    assert {"bid 1\n", "uncover\n"} & set(answers)


@pytest.mark.parametrize(("entrants", "players"), [("ab", 3), ("abc", 3), ("abcd", 3), ("ab", 4), ("abcde", 2)])
def test_everybody_has_every_seat_equally_often(tables, entrants, players):
    seatings = list(tables.schedule(list(entrants), players))
    for seat in range(players):
        assert len(set(Counter(seating[seat] for seating in seatings).values())) == 1
    assert all(len(set(seating)) > 1 for seating in seatings)
    assert set().union(*seatings) == set(entrants)


@pytest.mark.parametrize("task", ["mixed_tables", "seat_against_bots"])
@pytest.mark.parametrize(("wrong", "least"), [({"deals": 0}, "1 or more"), ({"rethinks": -1}, "0 or more")])
def test_what_cannot_be_asked_is_refused_by_both_tasks(tables, task, wrong, least):
    ((name, value),) = wrong.items()
    with pytest.raises(BadSetup, match=f"{name} is {value}; it must be {least}"):
        getattr(tables, task)(game="rivals", players=2, **wrong)


@pytest.mark.parametrize("task", ["mixed_tables", "seat_against_bots"])
def test_an_option_that_no_task_has_is_named(tables, task):
    with pytest.raises(BadSetup, match=r"has no argument 'deal'; it has .*, deals, "):
        getattr(tables, task)(game="rivals", deal=3)


def test_before_a_run_of_many_an_estimate_counts_the_seats_that_are_paid_for(tables, capsys):
    tables.mixed_tables(entrants="model,prov/other,steady,outbid/person", game="rivals", preset="tiny", players=2, deals=3)
    told = capsys.readouterr().err
    assert told.startswith("Roughly, a seat with conversation as memory: ")
    assert told.endswith(" of them new; 36 of them.\n")  # two models, each beside three others, in two turns, of three deals


def test_entrants_may_be_named_with_spaces(tables):
    samples = tables.mixed_tables(entrants="model, steady", game="rivals", players=2, deals=1).dataset
    assert [sample.input for sample in samples] == ["model, steady", "steady, model"]


def test_one_entrant_has_nobody_to_be_rated_beside(tables):
    with pytest.raises(BadSetup, match="at least two entrants"):
        list(tables.schedule(["a"], 3))
