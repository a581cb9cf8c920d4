"""What an editor reads: the plot of a question, best seat less worst, the denominators, and a deal in six moves."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from outbid.lab.experiments import asking, measures, spec
from outbid.lab.experiments.findings import compare

if not (find_spec("pyarrow") and find_spec("matplotlib")):
    pytest.skip("the report needs pyarrow and matplotlib: pip install outbid[lab]", allow_module_level=True)

from outbid.lab.report import figures, report, words
from tests.support import intervals
from tests.support.lab_runs import answered, made, text_of
from tests.support.scripts import script

gallery = script("benchmarks/gallery.py")
pytestmark = pytest.mark.slow


def edited(folder: Path, change) -> Path:
    """The run after a change of its results.json."""
    file = folder / "results.json"
    results = json.loads(file.read_text())
    change(results)
    file.write_text(json.dumps(results))
    return folder


def summarised(folder: Path, means: dict[str, float]) -> Path:
    """The run with more means, the same by all variants and in all companies."""

    def add(results):
        rows = [row for row in results["summaries"] if row["measure"] == "turns"]
        for name, mean in means.items():
            results["measures"][name] = measures.KNOWN[name].described()
            results["summaries"] += [{**row, "measure": name, "mean": mean, "low": mean, "high": mean} for row in rows]

    return edited(folder, add)


@pytest.mark.parametrize(
    ("first", "title"),
    [
        ("turns", "How long a match is"),
        ("first_share", "Who wins, by the order of play (seat 1 moves first)"),
        ("settled_at", "When the winner takes the lead for good"),
        ("runaway", "What becomes of who leads at half-time"),
        ("known_at", "How early the winner is known"),
        ("thing_edge", "What goes with winning"),
    ],
)
def test_the_plot_of_the_question_stands_first(tmp_path, first, title):
    folder = made(tmp_path / "run", measures=[first, "ties"], curve=True, games=False)
    means = {"settled_at": 0.7, "runaway": 0.2, "reversed": 0.3, "halfway": 0.9, "known_at": 0.6, "thing_edge": 0.1}
    page, _markdown = report(summarised(folder, means))
    figure = re.search(r"<figcaption><h3>(.*?)</h3>.*?</figure>", page, flags=re.DOTALL)
    assert figure
    assert figure[1] == title
    assert page.index(title) < page.index('class="appendix"')
    assert page.count(f"<h3>{title}</h3>") == 1
    if first == "runaway":
        assert re.findall(r'<td class="n">([\d.]+ %)</td>', figure[0])[:4] == ["20.0 %", "40.0 %", "30.0 %", "10.0 %"]


def test_how_many_matches_have_a_leader_is_said_and_that_few_tell_little(tmp_path):
    few, many = (
        summarised(made(tmp_path / name, measures=["turns", "reversed"], games=False, columns=False), {"halfway": share})
        for name, share in (("few", 0.012), ("many", 0.9))
    )
    assert "leads at half-time: 1.2 % among 3 players (steady). Where that is below 20.0 %, what" in answered(few)
    assert "leads at half-time: 90.0 % among 3 players (steady). With" in answered(many)
    rules = [{"name": "given", "preset": "seed", "options": {}, "says": ""}]
    alone = made(tmp_path / "alone", rules, measures=["turns", "reversed"], games=False, columns=False)
    said = words.answer(figures.RunFigures.read(summarised(alone, {"halfway": 0.9})))
    assert said[-1].endswith("leads at half-time: 90.0 % among 3 players (steady).")
    assert said[0].startswith("Rivals among 3 players (steady): the length of a match: ")


def test_best_seat_less_worst_holds_the_truth_and_is_said_of_both_rules(tmp_path):
    rng, chances, held = np.random.default_rng(3), np.array([0.2, 0.3, 0.5]), 0
    for _ in range(100):
        tally = compare.Tally([f"order:{place}" for place in range(3)])
        tally.add(("a", "all", 3), rng.multinomial(1, chances, 300).astype(float), 1, None)
        row = compare.summary(measures.GAP, measures.SEAT_GAP, ("a", "all", 3), tally)
        held += row["low"] <= 0.3 <= row["high"]
        assert row["high"] - row["low"] < 0.35
    assert held >= 93

    def of_seats(results):
        for row in results["comparisons"]:
            if row["measure"] == "turns":
                row |= {"measure": measures.SEAT_SPREAD, "difference": 0.03, "low": 0.02, "high": 0.04, "verdict": "higher"}

    folder = made(tmp_path / "run", ask="fairness", measures=[measures.SEAT_SPREAD], columns=False)
    run = summarised(edited(folder, of_seats), {measures.SEAT_GAP: 0.11, measures.SEAT_SPREAD: 0.05})
    assert "Best seat less worst: 11 % with “given” and 11 % with “five-coins”." in answered(run)
    page = report(run)[0]
    assert "Best seat less worst, by who plays" in page
    assert "Best seat less worst 11 % → 11 %" in text_of(page)


@pytest.mark.parametrize(
    ("verdicts", "start"),
    [
        (("higher", "lower"), "Cannot tell: it depends on who plays. With “five-coins”: among 3 players (steady) a match"),
        (("higher", "same"), "Yes, among some players, and the other way round among none. With “five-coins”: among 3 "),
        (("higher", "open"), "Yes, among some players, and the other way round among none. With “five-coins”: among 3 "),
    ],
)
def test_companies_that_disagree_are_named_with_what_each_says(tmp_path, verdicts, start):
    def torn(results):
        for row in results["comparisons"]:
            verdict = verdicts[row["company"] == "easy"]
            row |= {"verdict": verdict, "settled": verdict != "open", "needed": 900 if verdict == "open" else None}

    folder = made(tmp_path / "run", ask="length", companies=["steady", "easy"], columns=False, games=False)
    answer = words.answer(figures.RunFigures.read(edited(folder, torn)))[0]
    assert answer.startswith(start)
    assert "among 3 players (easy)" in answer


LONGER = {"difference": 4.0, "low": 3.0, "high": 5.0, "verdict": "higher"}
SLIGHTLY = {"difference": -1.5, "low": -1.97, "high": -1.05, "verdict": "same"}
BARELY = {"difference": 4.05, "low": 0.4, "high": 7.7, "verdict": "higher"}
MAYBE = {"difference": -1.0, "low": -4.0, "high": 2.0, "verdict": "open", "settled": False, "needed": 900}


@pytest.mark.parametrize(
    ("steady", "easy", "sentences"),
    [
        (SLIGHTLY, SLIGHTLY, ["No: a match is 1.5 ± 0.5 moves shorter, less than matters (2 turns).",
                              "The same holds among 3 players (easy)."]),
        (LONGER, BARELY, ["Yes, in all companies; most among 3 players (easy): with “five-coins”, a match is 0.4 to 7.7 "
                          "moves longer."]),
        (LONGER, MAYBE, ["among 3 players (steady) a match is 4.0 ± 1.0 moves longer; among 3 players (easy) a match is "
                         "1 ± 3 moves shorter, which may be chance."]),
        (MAYBE, MAYBE, ["Cannot tell about the length of a match: 900 matches of each would show", "which may be chance"]),
    ],
)  # fmt: skip
def test_a_change_is_told_by_its_size_its_weight_and_whether_it_is_sure(tmp_path, steady, easy, sentences):
    facts = {"ask": "length", "measures": ["turns"], "companies": ["steady", "easy"]}
    folder = made(tmp_path / "run", columns=False, games=False, **facts)

    def change(results):
        results["comparisons"] = [row for row in results["comparisons"] if row["measure"] == "turns"]
        for row in results["comparisons"]:
            row |= {"settled": True, "needed": None, "smallest": 2.0, **(steady if row["company"] == "steady" else easy)}

    answer = answered(edited(folder, change))
    for sentence in sentences:
        assert sentence in answer
    assert answer.count("Cannot tell") == (steady is easy is MAYBE)
    assert ("The same holds" in answer) == (MAYBE not in (steady, easy))


def test_a_run_that_the_clock_ends_is_judged_as_one_of_so_many_deals_and_errs_no_more_often():
    rng, wrong, wide, narrow = np.random.default_rng(6), 0, 0.0, 0.0
    for _ in range(300):
        drawn = rng.normal(0, 1, (1000, 1))
        looks = [intervals.rows(drawn[:n], sequence_for=1000, alpha=0.025)[0] for n in range(200, 1001, 200)]
        end = intervals.rows(drawn, alpha=0.025)[0]
        wrong += any(row["verdict"] in ("higher", "lower") for row in [*looks, end])
        wide, narrow = wide + looks[-1]["high"] - looks[-1]["low"], narrow + end["high"] - end["low"]
    assert wrong <= 24  # of 300 with 5 % it is more once in a hundred times
    assert narrow < 0.8 * wide


def test_a_deal_is_told_in_six_moves_of_which_the_first_is_where_the_rules_part(tmp_path):
    page, markdown = report(made(tmp_path / "run", columns=False))
    told = text_of(page[page.index("One deal in six moves") : page.index('class="appendix"')])
    moves = [int(move) for move in re.findall(r"Move (\d+):", told)]
    assert len(moves) == 6
    assert moves == sorted(moves)
    names = "changed.json", "changed-a.json"
    games = (json.loads((tmp_path / "run" / "games" / name).read_text())["moves"] for name in names)
    parted = next(n for n, (a, b) in enumerate(zip(*games, strict=False), 1) if a != b)
    assert moves[0] == parted
    assert "The match is over" in told or "wins" in told
    assert markdown.index("One deal in six moves") < markdown.index("## What was compared")


def test_a_run_that_ended_when_it_was_settled_says_that_its_differences_are_too_large(tmp_path):
    said = "differences are about a tenth too large"
    settled, late = (
        made(tmp_path / name, stopped=reason, columns=False, games=False)
        for name, reason in (("settled", "settled after 200 deals"), ("late", "ended by the clock after 200 deals"))
    )
    assert said in answered(settled)
    assert said not in answered(late)


def test_the_judge_looks_on_where_a_net_knows_the_rules_of_all_variants():
    text = 'game = "rivals"\nplayers = 3\nask = "tension"\n'
    assert measures.CURVE in spec.parse(text).measures
    assert measures.CURVE not in spec.parse(f'{text}measures = ["settled_at"]\n').measures
    assert measures.CURVE not in spec.parse(f"{text}[[variant]]\noptions = {{ colours = 3 }}\n").measures


def test_a_question_that_the_judge_decides_does_not_end_by_the_points():
    given = {"format": spec.FORMAT, "game": "rivals", "players": 3, "ask": "tension"}
    assert asking.ending(given) == asking.ending({**given, "ask": "interaction"}) == {}
    assert asking.ending({**given, "variant": [{"options": {"colours": 3}}]})["stop"]["on"] == ["settled_at"]
    assert asking.ending({**given, "ask": "length"})["stop"]["on"] == ["turns"]


def test_a_question_of_the_gallery_is_answered_as_its_page_says(tmp_path):
    texts, page = list(gallery.experiments()), gallery.PAGE.read_text(encoding="utf-8")
    assert len(texts) == page.count("\n## ") == 14
    assert {spec.parse(text).game for text in texts} == {"claim", "forex", "kuhhandel", "money", "rivals"}
    (fair,) = (text for text in texts if 'game = "claim"' in text and 'ask = "fairness"' in text)
    answer = gallery.played(fair, tmp_path / "run")
    assert answer.sentences[0] in page
    assert f"`{answer.played}`" in page
