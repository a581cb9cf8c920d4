"""The task for inspect_ai with its mock model: the scores of known answers are known, and clustered by deal."""

from __future__ import annotations

import importlib
import math
import statistics
import tomllib
import zlib
from pathlib import Path
from typing import Any

import pytest

from outbid import read_record
from outbid.agents import conversation
from tests.support.lazily import Lazy

inspect_ai = Lazy("inspect_ai", "inspect_ai is not installed")
model = Lazy("inspect_ai.model", "inspect_ai is not installed")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture(scope="module")
def example() -> Any:
    """The module of the task."""
    _ = inspect_ai.Task
    return importlib.import_module("outbid.adapters.inspect")


def run(example: Any, tmp_path: Path, answer: Any, **options: Any) -> Any:
    """The log of an evaluation in which a model answers a conversation with `answer(messages)`."""

    def generate(messages: Any, tools: Any, choice: Any, config: Any) -> Any:
        said, read = answer(messages), sum(len(message.text) for message in messages)
        output = model.ModelOutput.from_content("mockllm", said)
        output.usage = model.ModelUsage(input_tokens=read, output_tokens=len(said), total_tokens=read + len(said))
        return output

    mock = model.get_model("mockllm/model", custom_outputs=generate, memoize=False)
    chosen = {"game": "rivals", "players": 2, "deals": 2, "history": "compact", "rules": "none", **options}
    (log,) = inspect_ai.eval(
        example.seat_against_bots(**chosen), model=mock, log_dir=str(tmp_path), display="none", log_format="json"
    )
    assert log.status == "success", log.error
    return log


def first_legal(messages: Any) -> str:
    """The example in the last prompt, which is a legal move."""
    return next(m.text.splitlines()[-1] for m in reversed(messages) if m.role == "user" and "\n\nANSWER: " in m.text)


def measures(log: Any) -> dict[str, dict[str, float]]:
    """Each measure's metrics."""
    each = {score.name: score.metrics.items() for score in log.results.scores}
    return {of: {name.removeprefix("outbid/"): metric.value for name, metric in found} for of, found in each.items()}


def values(log: Any) -> list[tuple[dict[str, Any], dict[str, float]]]:
    """The metadata and the values of every sample."""
    return [(sample.metadata, sample.scores["against_the_bots"].value) for sample in log.samples]


def by_hand(example: Any, facts: dict[str, Any]) -> float:
    """The share of first legal moves, played without inspect."""
    sitting = example.new_seat(facts)
    while not sitting.match.over:
        sitting.do(sitting.read(sitting.prompt().splitlines()[-1]))
    return float(example.share(sitting.match, sitting.seat))


@pytest.mark.slow
def test_first_legal_moves_have_the_score_that_they_have_without_inspect(example, tmp_path):
    log = run(example, tmp_path, first_legal, preset="tiny")
    assert [(facts["deal"], facts["seat"]) for facts, _value in values(log)] == [(d, s) for d in range(2) for s in range(2)]
    for facts, value in values(log):
        assert value["share"] == by_hand(example, facts)
        assert value["above"] == value["share"] - 0.5
        assert value["gain"] == value["share"] - example.baseline_share(facts)
        assert value["refused"] == value["forfeits"] == value["void"] == 0
        assert value["tokens"] > 1000
    told = measures(log)
    assert told["share"]["mean"] == statistics.mean(value["share"] for _facts, value in values(log))
    assert told["gain"]["mean"] == statistics.mean(value["gain"] for _facts, value in values(log))


@pytest.mark.slow
def test_the_intervals_are_clustered_by_deal(example, tmp_path):
    log = run(example, tmp_path, first_legal, deals=3, preset="tiny")
    per_deal: dict[int, list[float]] = {}
    for facts, value in values(log):
        per_deal.setdefault(facts["deal"], []).append(value["tokens"])
    everything = [one for some in per_deal.values() for one in some]
    middle, deals = statistics.mean(everything), len(per_deal)
    spread = sum(sum(one - middle for one in some) ** 2 for some in per_deal.values())
    expected = (spread * deals / (deals - 1)) ** 0.5 / len(everything)
    tokens = measures(log)["tokens"]
    assert tokens["high"] - tokens["mean"] == tokens["mean"] - tokens["low"] == pytest.approx(1.959964 * expected)
    assert expected > 0
    share = measures(log)["share"]
    assert 0 <= share["low"] <= share["mean"] <= share["high"] <= 1
    assert share["high"] - share["low"] > 0.2


@pytest.mark.slow
def test_of_one_deal_only_a_share_has_an_interval(example, tmp_path):
    told = measures(run(example, tmp_path, first_legal, deals=1, preset="tiny"))
    assert math.isnan(told["tokens"]["low"])
    assert told["share"]["high"] - told["share"]["low"] > 0.3


@pytest.mark.deep
def test_the_same_deals_with_the_same_answers_give_the_same_scores(example, tmp_path):
    one, two = (values(run(example, tmp_path, first_legal)) for _ in range(2))
    assert one == two


def by_chance(messages: Any) -> str:
    """A line of the menu, drawn by what the prompt says."""
    menu = messages[-1].text.partition("## Your legal moves\n\n")[2].partition("\n\n")[0].splitlines()
    return f"ANSWER: {menu[zlib.crc32(messages[-1].text.encode()) % len(menu)].removeprefix('- ')}"


@pytest.mark.slow
def test_junk_and_silence_score_below_random_play(example, tmp_path):
    how = {"game": "claim", "bot": "random", "most_forfeits": 2, "rethinks": 1}
    random = measures(run(example, tmp_path, by_chance, **how))
    assert random["share"]["mean"] > 0.2
    assert random["refused"]["mean"] == random["void"]["mean"] == 0
    for answer, on_forfeit, forfeits in (("", "random", 3), ("I cannot decide. Perhaps later?", "lose", 1)):
        log = run(example, tmp_path, lambda messages, answer=answer: answer, on_forfeit=on_forfeit, **how)
        assert measures(log)["share"]["mean"] == 0
        assert measures(log)["above"]["mean"] == -0.5
        for _facts, value in values(log):
            assert (value["forfeits"], value["refused"], value["void"]) == (forfeits, 2 * forfeits, 1)


@pytest.mark.slow
def test_a_few_forfeits_are_random_moves_and_the_match_counts(example, tmp_path):
    asked: list[int] = []

    def distracted(messages: Any) -> str:
        asked.append(1)
        return "hm" if len(asked) == 1 else first_legal(messages)

    log = run(example, tmp_path, distracted, deals=1, preset="tiny", rethinks=0)
    assert sorted(value["forfeits"] for _facts, value in values(log)) == [0, 1]
    assert sum(value["void"] for _facts, value in values(log)) == 0


@pytest.mark.slow
def test_a_match_that_goes_on_after_the_models_moves_is_broken_off(example, tmp_path):
    for _facts, value in values(run(example, tmp_path, first_legal, deals=1, moves=2)):
        assert value["share"] == value["forfeits"] == 0


def test_an_estimate_says_that_rules_are_told_once_in_a_conversation(example, capsys):
    facts = {"game": "rivals", "preset": "tiny", "players": 2, "deal": 1, "seat": 0, "bot": "steady", "baseline": "steady"}
    facts |= {"legal": True, "obfuscate": None}
    costs = [
        conversation.estimate(
            example.new_seat(facts), conversation.Manner(memory), lambda sitting: example.bot_moves(sitting, facts)
        )
        for memory in ("conversation", "none")
    ]
    assert costs[0].decisions == costs[1].decisions >= 2
    assert costs[0].fresh < costs[0].sent
    example.seat_against_bots(game="rivals", players=2, deals=2, preset="tiny")
    told = capsys.readouterr().err
    assert told.startswith("Roughly, a seat with conversation as memory: ")
    assert told.endswith(" of them new; 4 of them.\n")


@pytest.mark.slow
def test_a_refused_answer_is_asked_again_with_the_sentence_that_says_why(example, tmp_path):
    heard: list[str] = []

    def stubborn(messages: Any) -> str:
        if "\n\nANSWER: " in messages[-1].text:
            return "fly"
        heard.append(messages[-1].text)
        return first_legal(messages)

    log = run(example, tmp_path, stubborn, deals=1)
    assert heard[0].startswith("'fly' is not a move of this game; the moves are ")
    for _facts, value in values(log):
        assert value["refused"] > 10
        assert value["forfeits"] == 0


@pytest.mark.deep
@pytest.mark.parametrize("game", ["claim", "forex", "kuhhandel", "money"])
def test_every_game_is_played_obfuscated_with_a_compact_history(example, tmp_path, game):
    log = run(example, tmp_path, first_legal, game=game, players=3, deals=1, obfuscate=5, moves=25)
    assert len(log.samples) == 3
    for _facts, value in values(log):
        assert 0 <= value["share"] <= 1
        assert value["refused"] == 0
    records = [sample.store["match"]["record"] for sample in log.samples]
    assert len(records) == 3
    for record in records:
        assert len(read_record(record).moves) > 10  # it is a record as any other


@pytest.mark.slow
def test_in_a_conversation_the_rules_are_told_once_and_all_that_was_said_is_kept(example, tmp_path):
    heard = []

    def answer(messages):
        heard.append(len(messages))
        return str(messages[-1].text.splitlines()[-1])

    log = run(example, tmp_path, answer, deals=1, rules="short", memory="conversation")
    assert {2, 4, 6} <= set(heard)  # of both seats, in turns
    assert max(heard) > 20
    told = [message.text for message in log.samples[0].messages if message.role == "user"]
    assert sum("How moves are written" in text for text in told) == 1
    assert len(told) > 10


@pytest.mark.slow
def test_what_is_noted_is_shown_again(example, tmp_path):
    shown = []

    def answer(messages):
        shown.append("## Your notes\n\nwatch seat 1" in messages[-1].text)
        asked = next(line for line in messages[-1].text.splitlines() if line.startswith("ANSWER: "))
        return f"NOTE: watch seat 1\n{asked}"

    run(example, tmp_path, answer, deals=1, memory="notebook")
    assert shown.count(False) == 2  # the first move of each of both seats
    assert sum(shown) > 4


@pytest.mark.slow
def test_the_task_is_found_by_its_name(example):
    facts = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    point = facts["project"]["entry-points"]["inspect_ai"]["outbid"]
    assert importlib.import_module(point) is example


def test_a_dry_run_needs_neither_a_model_nor_a_network(example, tmp_path):
    task = example.seat_against_bots(game="rivals", players=2, deals=1, moves=4, history="compact", rules="none")
    (log,) = inspect_ai.eval(task, model="outbid/example", log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    found = measures(log)
    assert (found["refused"]["mean"], found["forfeits"]["mean"]) == (0, 0)
    assert found["tokens"]["mean"] > 500
