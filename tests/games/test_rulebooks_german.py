"""How to play and the German rulebooks: they say what RULES.md says, in its order, and show real cards."""

from __future__ import annotations

import re

import pytest

from outbid.core.language import i18n, passages
from outbid.core.language.written import printed
from outbid.server.domain.scene import faces
from outbid.server.web.screens.rules import view as rulebooks
from tests.support.english import ENGLISH
from tests.support.rulebooks import BOOKS, rows, rulings_in

every_game = pytest.mark.parametrize("game", BOOKS, ids=[book.id for book in BOOKS])


def sections(text: str) -> dict[int, str]:
    """The numbered sections of a rulebook."""
    parts = re.split(r"^## (\d+) .*$", text, flags=re.M)
    return {int(number): part for number, part in zip(parts[1::2], parts[2::2], strict=True)}


def written(game, name: str, spoken: str) -> str:
    path = rulebooks.file_of(game, name, spoken)
    assert path is not None, f"{game.id} has no {name} in {i18n.LANGUAGES[spoken]}"
    return passages.unmarked(path.read_text(encoding="utf-8"))


@every_game
def test_the_german_rulebook_has_the_sections_and_rulings_of_the_english_one(game):
    english, german = (sections(written(game, "RULES", spoken)) for spoken in ("en", "de"))
    assert list(german) == list(english)[: len(german)]
    rulings = [row[0] for row in rows(english[len(english)].split("### Readings")[0])]
    assert [row[0] for row in rows(german[len(german)])] == rulings
    for number in list(german)[:-1]:
        assert rulings_in(game, german[number]) == rulings_in(game, english[number]), number


@every_game
def test_every_german_ruling_names_the_options_of_the_english_one(game):
    english, german = (written(game, "RULES", spoken) for spoken in ("en", "de"))
    parts = [found[max(found)].split("### Readings")[0] for found in (sections(german), sections(english))]
    ours, theirs = ({row[0]: row[3] for row in rows(part)} for part in parts)
    assert ours == theirs


@every_game
@pytest.mark.parametrize("name", ["HOWTO", "RULES"])
def test_no_english_is_left_in_what_is_german(game, name):
    text = re.sub(r"`[^`]*`|\bcard:\S+", "", written(game, name, "de"))
    text = re.sub(r"Lost Cities: Rivals|Foreign Exchange|For-Ex", "", text)
    assert [line for line in text.splitlines() if ENGLISH.search(line)] == []


@every_game
@pytest.mark.parametrize("spoken", i18n.LANGUAGES)
def test_how_to_play_is_short_and_shows_cards_that_there_are(game, spoken):
    text = written(game, "HOWTO", spoken)
    pictures = re.findall(r"\]\(card:([^)]*)\)", text)
    assert len(pictures) >= 2
    assert {key for row in pictures for card in re.split("[,+]", row) for key in card.split("/")[:2]} <= faces(game).keys()
    assert len(re.sub(r"\(card:[^)]*\)", "", text).split()) <= 330  # two screens
    with i18n.locale(spoken):
        (howto, said), (rules, also) = rulebooks.pages_of(game)
    assert said == also == spoken
    assert howto.count('<figure class="shown">') == len(pictures)
    assert "card:" not in howto
    assert "<table>" in rules
    folded = re.findall(r'class="part"><summary><h2>.+?</h2></summary><div class="stack" id="(section-\d+)">', rules)
    assert folded == [f"section-{n}" for n in range(1, rules.count("<h2") + 1)]


@every_game
def test_a_terminal_prints_captions_for_pictures_and_the_whole_rulebook(game):
    text = printed(game)
    assert "card:" not in text
    assert written(game, "RULES", "en").strip() in text
