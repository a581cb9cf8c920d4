"""The report of an experiment: made of run folders that the tests write, in the format of lab/experiments."""

from __future__ import annotations

import base64
import dataclasses
import json
import re
import shlex
from collections.abc import Sequence
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.support.serving import get, serving

if not (find_spec("pyarrow") and find_spec("matplotlib")):
    pytest.skip("the report needs pyarrow and matplotlib: pip install outbid[lab]", allow_module_level=True)

import outbid
from outbid.core.errors import BadSetup
from outbid.core.language import i18n
from outbid.core.record import read_record
from outbid.core.rulebook import rulebook
from outbid.lab.experiments import measures, spec
from outbid.lab.experiments.playing import sample
from outbid.lab.experiments.titles import OptionTitles
from outbid.lab.report import figures, games, numbers, plots, report, words, write
from outbid.server.domain.setup import order
from tests.support.browsing import expect
from tests.support.lab_runs import MEASURES, answered, made, swept, text_of

pytestmark = pytest.mark.slow

class Whole(NamedTuple):
    """A run with all there can be, and its report."""

    folder: Path
    html: str
    markdown: str


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Drawn once: drawing takes a second."""
    folder = made(tmp_path_factory.mktemp("whole") / "run", curve=True)
    return Whole(folder, *report(folder))


# --- the answer -------------------------------------------------------------------------------------------------------


def test_the_answer_is_the_first_thing_said_in_a_sentence_with_its_interval(whole):
    html, markdown = whole.html, whole.markdown
    answer = re.search(r'<p class="answer">(.*?)</p>', html)
    assert answer
    said = unescape(answer[1])
    shorter = re.fullmatch(
        r"With “five-coins”, a match is (\d\.\d) ± (\d\.\d) moves shorter; about the advantage of moving first, these"
        r" matches cannot tell\.", said,
    )  # fmt: skip
    assert shorter, said
    results = json.loads((whole.folder / "results.json").read_text())
    turns = next(one for one in results["comparisons"] if one["measure"] == "turns")
    assert float(shorter[1]) == pytest.approx(-turns["difference"], abs=0.051)
    assert float(shorter[2]) == pytest.approx((turns["high"] - turns["low"]) / 2, abs=0.051)
    assert text_of(html).index("Does less gold make a shorter match?") < text_of(html).index(said)
    assert f"**{said}**" in markdown
    assert (
        "Cannot tell about the lead of the winner over the second: 4,000 matches of each would show a difference of 2"
        " points, or that it is smaller." in markdown
    )


def test_a_longer_match_is_not_called_shorter(tmp_path):
    said = answered(made(tmp_path / "run", shift=3.0, columns=False, games=False))
    assert re.match(r"With “five-coins”, a match is \d\.\d ± 0\.\d moves longer;", said)


def test_noise_is_called_noise(tmp_path):
    said = text_of(report(made(tmp_path / "run", shift=0.0, columns=False, games=False))[0])
    assert "With “five-coins”, no change stands out from chance." in said
    assert "What changed:" not in said


def test_a_change_that_nobody_uses_is_said_to_be_one(tmp_path):
    folder = made(tmp_path / "run", columns=False, games=False)
    results = json.loads((folder / "results.json").read_text())
    for one in results["comparisons"]:
        one |= {"difference": 0.0, "low": 0.0, "high": 0.0, "settled": True, "verdict": "same", "needed": None}
    where = {"a": "as-it-is", "b": "five-coins", "company": "steady", "players": 3}
    results["moved"] = [{**where, "measures": [], "nothing": True}]
    (folder / "results.json").write_text(json.dumps(results))
    assert answered(folder) == "With “five-coins”, no match went differently: these players do not use it."
    results["moved"] = [{**where, "measures": ["mean_score", "top"], "nothing": False}]
    (folder / "results.json").write_text(json.dumps(results))
    said = "With “five-coins”, everything that was compared is the same in every match; not the same: "
    assert answered(folder).startswith(said)
    results["comparisons"][0] |= {"difference": -2.0, "low": -3.0, "high": -1.0, "verdict": "lower"}
    (folder / "results.json").write_text(json.dumps(results))
    said = text_of(report(folder)[0])
    assert "The lead of the winner over the second. It is the same in every match." in said
    assert "lies in the interval 0" not in said


def test_where_several_companies_agree_it_says_so_and_where_not_what_differs(tmp_path):
    folder = made(tmp_path / "run", companies=("steady", "easy"), columns=False, games=False)
    assert "The same holds among 3 players (easy)." in answered(folder)
    results = json.loads((folder / "results.json").read_text())
    for one in results["comparisons"]:
        if one["company"] == "easy":
            one["verdict"], one["settled"] = "open", False
    (folder / "results.json").write_text(json.dumps(results))
    said = answered(folder)
    assert "The same holds" not in said
    assert "Among 3 players (easy): With “five-coins”, no change stands out from chance." in said


def test_a_measure_that_the_report_does_not_know_is_spoken_of_by_its_title(tmp_path):
    folder = made(tmp_path / "run", columns=False, games=False)
    text = (folder / "results.json").read_text().replace('"turns"', '"house_rounds"').replace('"Turns"', '"Rounds at home"')
    (folder / "results.json").write_text(text)
    run = json.loads((folder / "run.json").read_text())
    run["measures"][0] = "house_rounds"
    (folder / "run.json").write_text(json.dumps(run))
    assert re.search(r"With “five-coins”, “Rounds at home” falls by \d\.\d ± \d\.\d", answered(folder))


@pytest.mark.parametrize(
    ("done", "said"),
    [
        (0, "No match has been played yet."),
        (1, "One match was played; it shows what happened in it, and nothing about the rules."),
    ],
)
def test_an_empty_run_and_one_of_one_match_give_a_sentence(tmp_path, done, said):
    folder = made(tmp_path / "run", deals=1, games=False, columns=False, matches_done=done, finished=False)
    if not done:
        (folder / "results.json").unlink()
    html, markdown = report(folder)
    assert said in text_of(html)
    assert said in markdown
    assert "<figure>" not in html


def test_one_variant_is_described(tmp_path):
    folder = made(
        tmp_path / "run", [{"name": "given", "preset": "seed", "options": {}, "says": ""}], columns=False, games=False
    )
    assert re.match(r"Rivals among 3 players \(steady\): the length of a match: \d\d\.\d ± \d\.\d turns;", answered(folder))


def test_people_stand_beside_bots_in_one_sentence_a_measure(tmp_path):
    folder = made(
        tmp_path / "run", [{"name": "given", "preset": "seed", "options": {}, "says": ""}], columns=False, games=False,
        companies=("people", "steady"),
    )  # fmt: skip
    run = json.loads((folder / "run.json").read_text())
    run["company"][0]["seats"] = ["records@friday.jsonl"]
    (folder / "run.json").write_text(json.dumps(run))
    first = words.answer(figures.RunFigures.read(folder))[0]
    number = r"\d\d\.\d ± \d\.\d turns among 3 players"
    assert re.fullmatch(rf"The length of a match: {number} \(people\); {number} \(steady\)\.", first), first


@pytest.mark.parametrize(
    ("name", "label", "german"),
    [
        ("as it is", "as it is", "unverändert"),
        ("coins=5", "Gold: 5", "Gold: 5"),
        ("dead_cards=keep, gold_open=false", "Dead cards: stay, Open gold: no", "Tote Karten: bleiben, Offenes Gold: nein"),
        ("house: coins=5", "house: Gold: 5", "house: Gold: 5"),
        ("footprints[1]=3", "Footprints: cards of 3: 3", "Fußabdrücke: Karten mit 3: 3"),
        ("copies=1,2,1,1,1,1,1,1,1,1", "Cards of each number: 1, 2, 1, 1, 1, 1, 1, 1, 1, 1", None),
        ("less gold", "less gold", "less gold"),
        ("x=5, a, b", "x=5, a, b", "x=5, a, b"),
    ],
)
def test_a_variant_that_is_named_by_its_options_is_called_by_their_titles(name, label, german):
    titles = OptionTitles.of([rulebook("rivals")])
    assert titles.name(name) == label
    with i18n.locale("de"):
        assert german is None or titles.name(name) == german


def test_what_is_sure_and_too_small_to_notice_is_not_said_first(tmp_path):
    folder = made(tmp_path / "run", shift=0.0, columns=False, games=False)
    results = json.loads((folder / "results.json").read_text())
    known = {one["measure"]: one for one in results["comparisons"]}
    small = {"mean_a": 20.0, "mean_b": 20.05, "difference": 0.05, "low": 0.049, "high": 0.051}
    large = {"mean_a": 12.0, "mean_b": 10.0, "difference": -2.0, "low": -2.5, "high": -1.5}
    for name, figures_, verdict in (("minutes", small, "higher"), ("margin", large, "lower")):
        known[name] |= {**figures_, "settled": True, "verdict": verdict}
    (folder / "results.json").write_text(json.dumps(results))
    said = answered(folder)
    assert said.index("2.0 ± 0.5 points less far ahead") < said.index("0.0500 ± 0.0010 minutes more")


def test_an_interval_that_is_none_but_for_the_last_digit_is_not_written():
    assert numbers.spread(-20.0, -20.000000000000004, -20.0) == "−20"
    assert numbers.spread(1e-17, 0.0, 2e-17) == "0"


@pytest.mark.parametrize(
    ("deviation", "difference", "trifle"),
    [(0.0, 0.004, False), (0.05, 0.008, False), (0.5, 0.008, True), (30.0, -2.0, False), (30.0, -1.0, True)],
)
def test_what_is_too_small_to_notice_is_measured_by_how_far_matches_differ(tmp_path, deviation, difference, trifle):
    run = figures.RunFigures.read(made(tmp_path / "run", columns=False, games=False))
    one = dataclasses.replace(run.comparisons[0], difference=figures.Estimate(difference, difference, difference))
    run = dataclasses.replace(run, deviations={(one.measure, one.a, one.cell): deviation})
    assert words._trifle(run, one) is trifle


@pytest.mark.parametrize(
    ("meta", "said"),
    [
        (
            {"preview": True, "finished": False},
            "This is a preview from the first 400 matches. The whole run replaces it, and has the plots.",
        ),
        ({"finished": False, "matches_asked": 9000}, "This run is not finished: 400 of 9,000 matches are played."),
        ({"stopped": "settled after 200 deals"}, "The run ended before all matches were played: settled after 200 deals"),
        (
            {"stopped_after": 200},
            "The run ended by itself after 200 deals.",
        ),
    ],
)
def test_what_is_not_the_whole_run_is_marked_before_the_answer(tmp_path, meta, said):
    html, markdown = report(made(tmp_path / "run", games=False, columns=False, **meta))
    assert said in text_of(html)
    assert text_of(html).index(said) < text_of(html).index("With “five-coins”")
    assert f"> **{said}**" in markdown


def test_a_whole_run_is_not_marked(whole):
    assert 'class="notice"' not in whole.html
    assert "\n> " not in whole.markdown


# --- what stands in it ------------------------------------------------------------------------------------------------


def test_the_page_needs_nothing_else(whole):
    html = whole.html
    assert "<script" not in html
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', html)
    assert not re.findall(r"url\((?!#)", html)
    assert "@import" not in html
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", html)


def test_every_plot_has_words_and_its_numbers_as_a_table_and_ids_are_unique(whole):
    html, markdown = whole.html, whole.markdown
    drawn = re.findall(r"<figure>.*?</figure>", html, flags=re.DOTALL)
    titles = [unescape(one) for one in re.findall(r"<figcaption><h3>(.*?)</h3>", html)]
    assert titles == [
        "How long a match is", "Turns, by who plays", "What “five-coins” changes against “given”", "The scores of all seats",
        "Who wins, by the order of play (seat 1 moves first)", "How early the winner is known", "What goes with winning",
    ]  # fmt: skip
    for figure in drawn:
        assert len(re.findall(r'<svg viewBox="[^"]+" role="img" aria-label="[^"]{30,}"', figure)) == 1
        assert len(re.findall(r"<tr>", figure)) >= 3
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    used = re.findall(r'(?:xlink:href|href)="#([^"]+)"|url\(#([^)]+)\)', html)
    assert {one or other for one, other in used} <= set(ids)
    assert markdown.count("](plots/") == len(titles)


def test_numbers_of_the_page_and_of_markdown_are_the_same(whole):
    html, markdown = whole.html, whole.markdown
    rows = re.findall(r"<tr>(.*?)</tr>", html, flags=re.DOTALL)
    cells = [
        [unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows
    ]
    known = [
        [re.sub(r"\\(.)", r"\1", cell).strip() for cell in line.strip("|").split(" | ")] for line in markdown.splitlines()
    ]
    known = [[cell.strip() for cell in line] for line in known if len(line) > 1]
    for row in cells:
        assert row in known, row


def test_files_beside_markdown_are_drawings_with_the_colours_of_day_and_the_same_run_gives_the_same_report(whole):
    folder = whole.folder
    paths = write(folder)
    assert (paths[0].read_text(), paths[1].read_text()) == (whole.html, whole.markdown)
    assert [path.name for path in paths[:2]] == ["report.html", "report.md"]
    for name in re.findall(r"\]\((plots/[^)]+)\)", paths[1].read_text()):
        drawing = ElementTree.parse(folder / name).getroot()
        assert drawing.tag.endswith("svg")
        assert "var(--" not in (folder / name).read_text()
    assert "var(--series-0)" in paths[0].read_text()
    assert not re.search(r"#1a5a9e", re.sub(r"<style>.*?</style>", "", paths[0].read_text(), flags=re.DOTALL))


def test_distributions_show_the_quantiles_of_the_columns(whole):
    from pyarrow import parquet

    table = parquet.read_table(whole.folder / "matches.parquet").to_pydict()
    turns = [turns for turns, variant in zip(table["turns"], table["variant"], strict=True) if variant == "five-coins"]
    low, middle, high = (f"{value:g}" for value in np.quantile(turns, (0.25, 0.5, 0.75)))
    said = text_of(whole.html)
    assert f"five-coins: half of them lie from {low} to {high}." in said
    assert re.search(rf"five-coins \d+ {low} {middle} {high} \d+", said)


def test_a_sweep_has_curves_and_says_where_the_ends_are(tmp_path):
    over = {"coins": [4, 6, 8, 10]}
    html, _markdown = report(made(tmp_path / "run", swept(over), over=over, shift=2.0, games=False, columns=False))
    assert re.search(
        r"The length of a match lies between 40\.\d ± 0\.\d turns \(at “Gold: 4”\)"
        r" and 4[567]\.\d ± \d\.\d turns \(at “Gold: 10”\)\.",
        text_of(html),
    )
    assert "Turns over “Gold”" in html
    assert "Gold (coins): 4, 6, 8 and 10 (all gold; it is shared out evenly, the rest is the first supply)" in text_of(html)
    curve = re.search(r"<h3>Turns over “Gold”</h3>.*?</figure>", html, flags=re.DOTALL)
    assert curve
    assert [row[0] for row in re.findall(r'<th scope="row">(\d+)</th>((?:<td.*?</td>)+)', curve[0])] == ["4", "6", "8", "10"]


def test_a_sweep_of_two_variants_has_curves_of_its_own_for_each(tmp_path):
    over = {"coins": [4, 6]}
    both = [{**one, "name": f"{of}: {one['name']}", "of": of} for of in ("long", "short") for one in swept(over)]
    html, _markdown = report(made(tmp_path / "run", both, over=over, shift=2.0, games=False, columns=False))
    curves = re.findall(r"<h3>Turns over “Gold”: (\w+)</h3>(.*?)</figure>", html, flags=re.DOTALL)
    assert [of for of, _curve in curves] == ["long", "short"]
    for _of, curve in curves:
        assert re.findall(r'<th scope="row">(\d+)</th>', curve) == ["4", "6"]
    assert curves[0][1] != curves[1][1]


def test_a_sweep_of_words_has_no_curve_and_all_that_does_not_need_one(tmp_path):
    over = {"dead_cards": ["keep", "discard"]}
    html, _markdown = report(made(tmp_path / "run", swept(over), over=over, shift=2.0, games=False))
    assert "over “Dead cards”" not in html
    assert "How long a match is" in html
    assert "(at “Dead cards: stay”)" in text_of(html)


def test_a_long_sweep_of_whole_numbers_has_whole_numbers_below_its_curve(tmp_path):
    over = {"coins": [*range(4, 24)]}
    folder = made(tmp_path / "run", swept(over), over=over, shift=0.5, games=False, columns=False)
    page = report(folder)[0]
    curve = re.search(r"<h3>Turns over “Gold”</h3>.*?</svg>", page, flags=re.DOTALL)
    assert curve
    below = re.findall(r"<text[^>]*text-anchor: middle[^>]*>([^<]*)</text>", curve[0])
    assert below
    assert all(re.fullmatch(r"\d+|Gold|Turns", text) for text in below), below


def test_two_options_have_a_heat_map(tmp_path):
    over = {"coins": [4, 6], "piles": [3, 4, 5]}
    html, _markdown = report(made(tmp_path / "run", swept(over), over=over, shift=2.0, games=False, columns=False))
    chart = re.search(r"<h3>Turns over “Gold” and “Piles”</h3>.*?</figure>", html, flags=re.DOTALL)
    assert chart
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    means = {one["variant"]: one["mean"] for one in results["summaries"] if one["measure"] == "turns"}
    for name, mean in means.items():
        assert f'<td class="n">{mean:.2f}</td>' in chart[0], name


def test_a_search_shows_what_can_be_had_together(tmp_path):
    folder = made(tmp_path / "run", games=False, columns=False)
    values = [(20.0, 0.1), (21.0, 0.09), (22.0, 0.14), (23.0, 0.07)]
    figures_ = [
        {"value": 23.5, "low": 23, "high": 24, "reached": False},
        {"value": 0.012, "low": 0, "high": 0.024, "reached": True},
    ]
    tuning = {
        "goals": [
            {"measure": "minutes", "goal": "minutes=40"},
            {"measure": "seat_advantage", "goal": "seat_advantage<0.02"},
        ],
        "trials": [
            {"number": n, "options": {"coins": 4 + n}, "values": {"minutes": a, "seat_advantage": b}, "state": "done"}
            for n, (a, b) in enumerate(values)
        ]
        + [{"number": 4, "options": {"coins": 9}, "values": {}, "state": "cut"}],
        "front": [0, 1, 3],
        "checked": [{"number": 3, "options": {"coins": 7}, "company": "easy", "players": 3, "seed": 9, "figures": figures_}],
    }
    (folder / "tune.json").write_text(json.dumps(tuning))
    said = text_of(report(folder)[0])
    assert "What can be had together" in said
    missed = "minutes=40 is not reached: the closest of those checked, “Gold: 7”, has 23.5 ± 0.5 with easy."
    assert words.answer(figures.RunFigures.read(folder))[0] == missed
    with i18n.locale("de"):
        (missed,) = words.missed(figures.RunFigures.read(folder))
    assert missed.startswith("minutes=40 ist nicht erreicht")
    assert "Gold: 7" in said
    assert "Gold: 6" not in said
    assert "The best of 5 sets of values, by the search:" in said
    assert "Gold: 7 easy, 3 23.5 ± 0.5 ✗ 1.2 ± 1.2 ✓" in said
    figures_[0]["reached"] = True
    (folder / "tune.json").write_text(json.dumps(tuning))
    reached = "With “Gold: 7”, all goals are reached, on fresh deals too:"
    assert words.answer(figures.RunFigures.read(folder))[0].startswith(reached)
    figures_[0] |= {"value": 40, "low": 37, "high": 43, "reached": None}
    (folder / "tune.json").write_text(json.dumps(tuning))
    untold = "Whether “Gold: 7” reaches all goals, these matches cannot tell:"
    assert words.answer(figures.RunFigures.read(folder))[1].startswith(untold)
    assert "Gold: 7 easy, 3 40 ± 3 ? 1.2 ± 1.2 ✓" in text_of(report(folder)[0])


def test_the_changed_options_are_shown_with_their_meaning_and_how_to_play_them(whole):
    html, markdown = whole.html, whole.markdown
    assert "Gold (coins) 36 5 all gold; it is shared out evenly, the rest is the first supply" in text_of(html)
    assert "outbid play rivals -n 3 --option coins=5" in markdown
    assert "Set up a table" not in html


def test_measures_are_defined_with_their_sources(whole):
    said = text_of(whole.html)
    for title, definition, source, *_rest in MEASURES.values():
        assert f"{title} {definition} {source}" in said


def test_names_of_variants_are_text_everywhere(tmp_path):
    bad = '<b>$x_1$</b> | `y` & "z"'
    variants = [
        {"name": "given", "preset": "seed", "options": {}, "says": ""},
        {"name": bad, "preset": "seed", "options": {"coins": 5}, "says": bad},
    ]
    folder = made(tmp_path / "run", variants, games=False, curve=True)
    html, markdown = report(folder)
    assert "<b>" not in html
    assert bad in unescape(html)
    assert "<b>" not in markdown.replace("\\<b\\>", "")
    for path in write(folder)[2:]:
        ElementTree.parse(path)


# --- matches ----------------------------------------------------------------------------------------------------------


def test_matches_are_told_move_by_move_and_their_records_can_be_saved(whole):
    folder, html, markdown = whole
    assert re.findall(r'<article class="match">\s*<h3>(.*?) <span', html) == [
        "The closest", "Where the change mattered most", "The same deal by the other rules",
    ]  # fmt: skip
    match = read_record(json.loads((folder / "games" / "closest.json").read_text()))
    first, last = match.log()[0].text, match.log()[-1].text
    assert "Margin: 1 points; the middle match has 9.50 points." in html
    assert "Turns: 52 with “given”, 31 with “five-coins”." in html
    assert first in text_of(html)
    assert last in text_of(html)
    saved = re.search(r'href="data:application/json;base64,([^"]+)" download="closest.json"', html)
    assert saved
    assert json.loads(base64.b64decode(saved[1])) == match.record()
    assert "outbid analyse games/closest.json --html review.html" in markdown


def test_the_match_of_a_game_that_is_not_at_hand_has_its_record_alone(tmp_path):
    folder = made(tmp_path / "run", columns=False)
    file = folder / "games" / "closest.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"game": "rivals+house", "rules": "rivals+house/1"}))
    html, _markdown = report(folder)
    closest = html.partition("The closest")[2].partition("Where the change mattered most")[0]
    assert 'download="closest.json"' in closest
    assert "move by move" not in closest


def test_players_of_one_name_are_told_apart(tmp_path):
    folder = made(tmp_path / "run", columns=False)
    file = folder / "games" / "closest.json"
    file.write_text(
        file.read_text().replace("Player 1", "steady").replace("Player 2", "steady").replace("Player 3", "steady")
    )
    said = text_of(report(folder)[0])
    closest = said.partition("The closest")[2].partition("Where the change mattered most")[0]
    assert re.search(r"steady [123] wins? \(steady [123]: −?\d+, steady [123]: −?\d+, steady [123]: −?\d+\)", closest)
    assert not re.search(r"steady (?![123]\b)", closest.partition("What happened")[2])


def test_a_server_that_has_the_game_gets_the_matches_and_the_page_links_to_replays_and_to_a_table(tmp_path, monkeypatch):
    folder = made(tmp_path / "run", columns=False)
    with serving(tmp_path / "tables.db") as address:
        html, markdown = report(folder, address)
        links = [unescape(one) for one in re.findall(r'<a class="button" href="([^"]+)"', html)]
        replays = [one for one in links if "/t/" in one]
        assert len(replays) == 3
        assert all(one in markdown for one in replays)
        for one in replays:
            assert "Player 1" in get(one, follow_redirects=True).raise_for_status().text
        assert [games.knows(address, one) for one in ("rivals", "rivals+house")] == [True, False]
        monkeypatch.setattr(games, "knows", lambda *_: False)
        html, _markdown = report(folder, address)
        assert address not in html
    (sheet,) = [one for one in links if "/new/" in one]
    asked = urlsplit(sheet)
    assert asked.path == "/new/rivals"
    fields = [("game", "rivals"), ("name", "Ada"), *parse_qsl(asked.query)]
    wanted = order(fields)
    assert (wanted.players, wanted.preset, wanted.options) == (3, "seed", {"coins": 5})


def test_a_server_that_is_none_is_one_sentence(tmp_path):
    folder = made(tmp_path / "run", columns=False)
    with pytest.raises(BadSetup, match=r"^http://127\.0\.0\.1:9 does not answer as a table server: .*\.$"):
        report(folder, "http://127.0.0.1:9")


# --- what cannot be read ----------------------------------------------------------------------------------------------


def _break(file: str, text: str | None) -> Any:
    def broken(folder: Path) -> None:
        if text is None:
            (folder / file).unlink()
        else:
            (folder / file).write_text(text)

    return broken


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (_break("run.json", None), r"There is no run in .*run: it has no run\.json\."),
        (_break("run.json", "{"), r".*run\.json cannot be read: .*"),
        (
            _break("run.json", '{"format": "outbid-run/9"}'),
            r".*run\.json: the format is 'outbid-run/9'; this program reads 'outbid-run/1'\.",
        ),
        (_break("run.json", '{"format": "outbid-run/1"}'), r".*run is not a whole run \(KeyError: 'game'\)\."),
        (_break("results.json", '{"comparisons": [{"measure": "turns"}]}'), r".*run is not a whole run \(KeyError: .*\)\."),
        (_break("matches.parquet", "PAR1"), r".*matches\.parquet cannot be read: .*\."),
        (_break("games/closest.json", "{}"), r".*closest\.json cannot be read: The record has no 'format'.*\."),
        (_break("games/index.json", "[{}]"), r".*run is not a whole run \(KeyError: 'file'\)\."),
    ],
    ids=[
        "no run",
        "half a file",
        "another format",
        "nothing in it",
        "half a comparison",
        "no columns",
        "no record",
        "no index",
    ],
)
def test_a_broken_run_is_one_sentence_that_names_the_file(tmp_path, request, broken, said):
    folder = made(tmp_path / "run", columns="columns" in request.node.name)
    broken(folder)
    with pytest.raises(BadSetup) as error:
        report(folder)
    assert re.fullmatch(said, str(error.value))
    assert "\n" not in str(error.value)


def test_what_cannot_be_written_is_one_sentence_and_nothing_is_written(tmp_path):
    folder = made(tmp_path / "run", columns=False, games=False)
    (folder / "plots").write_text("in the way")
    with pytest.raises(BadSetup, match=r"^.*plots cannot be written: File exists\.$"):
        write(folder)
    assert not (folder / "report.html").exists()


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(BadSetup, match=r"^There is no run in .*nowhere\.$"):
        report(tmp_path / "nowhere")


# --- numbers and language ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "half", "said"),
    [(2.134, 0.37, "2.1 ± 0.4"), (2.134, 0.12, "2.13 ± 0.12"), (-38.42, 1.13, "−38.4 ± 1.1"), (1234.5, 41, "1,234 ± 41"),
     (0.00123, 0.00042, "0.0012 ± 0.0004")],
)  # fmt: skip
def test_a_number_has_as_many_digits_as_its_interval_is_worth(value, half, said):
    assert numbers.about(value, half) == said


@pytest.mark.parametrize(
    ("value", "said"), [(46, "46"), (46.21, "46.2"), (9250.0, "9,250"), (-0.0004, "0.000"), (float("nan"), "–")]
)
def test_a_number_alone_has_about_three_figures(value, said):
    assert numbers.number(value) == said


def test_a_number_of_matches_that_is_only_roughly_known_has_two_figures():
    assert [numbers.counted(value) for value in (0, 7, 4132, 18_200)] == ["0", "7", "4,200", "19,000"]


def test_the_report_speaks_german(tmp_path):
    folder = made(tmp_path / "run", curve=True)
    with i18n.locale("de"):
        html, markdown = report(folder)
    assert '<html lang="de">' in html
    assert re.search(r"Mit „five-coins“: eine Partie ist \d,\d ± \d,\d Züge kürzer", text_of(html))
    assert "Turns: 52 mit „given“, 31 mit „five-coins“." in text_of(html)
    assert "Matches worth looking at" not in markdown


def test_every_measure_has_its_german_and_sentences_for_more_and_less():
    say = i18n.words("outbid")[0]
    assert f" {100 * sample.LOST:.0f} % " in measures.KNOWN["hopeless"].definition
    for one in (*(one for one in measures.MEASURES if not measures.is_sampled(one.name)), *measures.JUDGED):
        assert len(one.phrases) == 3
        with i18n.locale("de"):
            for english in (one.definition, *one.phrases):
                assert say(english) != english
            assert say(one.title) != one.title


# --- the look ---------------------------------------------------------------------------------------------------------


def test_the_colours_are_those_of_the_site():
    site = Path(outbid.__file__).parent / "server/web/static/base.css"
    ours = Path(figures.__file__).parent / "report.css"
    token = re.compile(r"^\s*(--[\w-]+): ([^;]+);", re.MULTILINE)
    known, used = dict(token.findall(site.read_text())), dict(token.findall(ours.read_text()))
    shared = known.keys() & used.keys()
    assert len(shared) >= 12
    assert {name: used[name] for name in shared} == {name: known[name] for name in shared}
    for colour, name in plots.TOKENS.items():
        assert used[f"--{name}"].startswith(f"var(--light, {colour})"), name


@pytest.fixture
def page(browser):
    """A page without movement."""
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


def seen(page, path: Path, views: Sequence[Any]) -> list[str]:
    """What axe finds serious on a report, and where it scrolls sideways; every second time with all unfolded."""
    from tests.support.axe import examined

    page.goto(path.as_uri())
    found = []
    for n, (size, scheme) in enumerate(views):
        found += examined(page, size, scheme, opened=n % 2 == 1)
        width = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
        found += [f"{path.parent.name} is {width[0]} wide at {width[1]}"] if width[0] > width[1] else []
    return found


@pytest.mark.browser
def test_the_page_fits_reads_and_prints_on_a_desk_and_on_a_phone(page, whole):
    from tests.support.axe import VIEWS

    found = seen(page, write(whole.folder)[0], VIEWS[:2])
    assert not found, "\n".join(found)
    page.set_viewport_size({"width": 375, "height": 740})
    figures_ = page.get_by_role("table").filter(has=page.get_by_text("difference", exact=True))
    assert figures_.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth")  # the difference is in sight
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("nav")).not_to_be_visible()
    assert page.locator("h1").evaluate("one => getComputedStyle(one).color") == "rgb(34, 37, 31)"
    page.reload()  # folded: two pages for an editor
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) <= 2


@pytest.mark.browser
@pytest.mark.deep
def test_a_sweep_of_two_options_and_a_search_fit_and_read_in_every_view(page, tmp_path):
    from tests.support.axe import VIEWS

    over = {"coins": [4, 6], "piles": [3, 4, 5]}
    found = seen(page, write(made(tmp_path / "sweep", swept(over), over=over, preview=True))[0], [*VIEWS, *VIEWS[::-1]])
    assert not found, "\n".join(found)


@pytest.mark.deep
def test_what_the_laboratory_plays_is_reported(tmp_path):
    from outbid.lab.experiments import runner

    text = """
        format = "outbid-experiment/1"
        game = "rivals"
        name = "gold"
        players = [3]
        deals = 60
        seed = 1
        measures = ["turns", "first_share"]
        company = [{name = "steady", seats = ["steady"]}, {name = "mixed", seats = ["steady", "easy", "easy"]}]
        variant = [{name = "as given"}, {name = "less gold", options = {coins = 24}}]
    """
    folder = tmp_path / "run"
    runner.play(spec.parse(text), folder)
    html, markdown = report(folder)
    said = text_of(html)
    assert re.search(
        r"With “less gold”, a match is \d\d\.?\d* ± \d\.?\d* moves shorter; about the advantage of moving first", said
    )
    assert said.startswith("What does “less gold” change in Rivals? · Outbid")
    for title in ("The closest", "The longest", "The strangest", "The most typical", "Where the change mattered most"):
        assert f"### {title}" in markdown
    assert "Who wins, by bot" in said


# --- documents --------------------------------------------------------------------------------------------------------

DOCS = Path(__file__).parents[2] / "docs"
STUDIES = DOCS / "studies"


TOLD = sorted(set(STUDIES.glob("*.toml")) - {STUDIES / "small.toml"})  # which only tests repeat


@pytest.mark.parametrize("file", TOLD, ids=lambda file: file.stem)
def test_a_study_can_be_run_and_is_told_with_its_command(file):
    experiment = spec.read(file)
    told = STUDIES / f"{experiment.game}.md"
    assert f"outbid lab run docs/studies/{file.name}" in told.read_text(encoding="utf-8")
    matches = re.search(r"([\d,]+) matches", told.read_text(encoding="utf-8").partition(file.name)[2])
    assert matches
    assert int(matches[1].replace(",", "")) == experiment.matches


def test_every_game_has_a_study_and_every_picture_of_one_is_there_and_small():
    index = (STUDIES / "README.md").read_text(encoding="utf-8")
    for game in ("claim", "forex", "kuhhandel", "money", "rivals"):
        assert f"({game}.md)" in index
    used = {
        name for file in STUDIES.glob("*.md") for name in re.findall(r"\((plots/[^)]+)\)", file.read_text(encoding="utf-8"))
    }
    there = {f"plots/{file.name}" for file in (STUDIES / "plots").iterdir()}
    assert used == there
    assert sum(file.stat().st_size for file in STUDIES.rglob("*") if file.is_file()) < 400_000


def test_the_commands_and_the_file_for_designers_are_understood():
    from typer.main import get_command

    from outbid.cli import app

    text = (DOCS / "for-designers.md").read_text(encoding="utf-8")
    lines = [re.split(r" {3,}", line.strip())[0] for line in re.findall(r"^    (outbid .*)$", text, flags=re.MULTILINE)]
    assert len(lines) >= 7
    for line in lines:
        command, words_ = get_command(app), shlex.split(line)[1:]
        while hasattr(command, "commands"):
            command = command.commands[words_.pop(0)]
        command.make_context(line, words_)
    (example,) = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    assert [one.name for one in spec.parse(example).variants] == ["as given", "each pile"]
