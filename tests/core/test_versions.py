"""One version everywhere: the package, the citation file and the changelog say the same, and so do the games."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import outbid
from outbid.core.rulebook import rulebook, rulebooks
from outbid.version import __version__

HOUSE = Path(__file__).parents[2]


def test_the_citation_file_names_this_version():
    said = dict(re.findall(r"^([\w-]+): (.+)$", (HOUSE / "CITATION.cff").read_text(), re.M))
    assert said["version"] == __version__
    assert said["license"] == "MIT"
    assert {"cff-version", "message", "title", "type"} <= said.keys()


def test_the_changelog_begins_with_this_version_and_names_the_rules_of_every_game():
    text = (HOUSE / "CHANGELOG.md").read_text()
    newest = re.search(r"^## (\S+)", text, re.M)
    assert newest
    assert newest[1] == __version__
    for book in rulebooks().values():
        if book.words.__package__.startswith("outbid."):
            assert f"`{book.rules_id}`" in text


# --- versions of the rules --------------------------------------------------------------------------------------------


def finished(game, seed=1, players=3, **options):
    """The record of a finished match."""
    match = outbid.game(game, **options).new(players=players, seed=seed)
    while not match.over:
        match.random_move(match.asked[0], seed)
    return match.record()


def test_a_record_of_an_older_version_is_replayed_with_the_defaults_of_that_version():
    old = finished("rivals", pile_distribution=True) | {"rules": "rivals/1", "options": {}}
    match = outbid.read_record(old)
    assert (match.options, match.scores) == ({"pile_distribution": True}, old["scores"])


def test_a_record_of_an_older_version_is_exported_by_the_newest_rules_with_the_options_that_differ():
    new = finished("rivals", pile_distribution=True)
    assert (new["rules"], new["options"]) == ("rivals/2", {"pile_distribution": True})
    assert outbid.read_record(new | {"rules": "rivals/1", "options": {}}).record() == new


def test_what_a_record_of_an_older_version_says_itself_wins_over_the_default_of_that_version():
    new = finished("rivals", dead_cards="discard")
    old = new | {"rules": "rivals/1", "options": {"dead_cards": "discard", "pile_distribution": False}}
    assert outbid.read_record(old).record() == new


def test_a_record_without_a_version_is_of_the_newest():
    new = finished("rivals")
    del new["rules"]
    assert outbid.read_record(new).record() == new | {"rules": "rivals/2"}


@pytest.mark.parametrize("rules", ["rivals/0", "rivals/3", "claim/1", "rivals", 2, None, ["rivals/2"]])
def test_an_unknown_version_is_refused_by_a_sentence_that_names_those_that_are_known(rules):
    said = f"The match was played by the rules {rules!r}; this program knows rivals/1 and rivals/2."
    with pytest.raises(outbid.BadRecord, match=re.escape(said)):
        outbid.read_record(finished("rivals") | {"rules": rules})


OLDER = sorted((HOUSE / "tests" / "truth").glob("*/older/*.json"))


@pytest.mark.parametrize("file", OLDER, ids=[f"{file.parts[-3]}-{file.stem}" for file in OLDER])
def test_the_truth_records_of_an_older_version_still_replay_to_their_scores(file):
    record = json.loads(file.read_text(encoding="utf-8"))
    assert record["rules"] in rulebook(file.parts[-3]).known_rules[:-1]
    match = outbid.read_record(record)  # verifies moves, scores and winners
    assert match.over
    again = match.record()
    assert (again["rules"], again["moves"]) == (match.rulebook.rules_id, record["moves"])
    assert outbid.read_record(again).record() == again
