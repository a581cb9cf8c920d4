"""English and German: every message has its German with the same placeholders, and each viewer reads one language."""

from __future__ import annotations

import random
import re
import string
from pathlib import Path

import httpx
import pytest
from serving import JSON, Person, serving
from translations import catalog, messages, places

from outbid.engine import contract, tongue
from outbid.engine.match import Match
from outbid.engine.rulebook import rulebooks
from outbid.engine.speech import People, Speaker, listed, owned

ENGLISH = re.compile(r"\b(and|are|bids?|cards?|for|from|has|is|of|the|to|with|you|your|yours)\b", re.IGNORECASE)


def holders(text: str) -> set[str]:
    """The names of the placeholders of a message."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def flat(message: str | tuple[str, ...]) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else tuple(message)


@pytest.mark.parametrize("place", places())
def test_every_message_has_its_german_with_the_same_placeholders(place: str):
    folder = places()[place]
    german = catalog(folder, "de")
    for file, line, message in messages(folder):
        known = german.get(flat(message)[0])
        assert known is not None, f"{file}:{line}: {flat(message)[0]!r} is not in the catalog"
        assert all(flat(known.string)), f"{file}:{line}: no German for {flat(message)[0]!r}"
        for said in flat(known.string):
            allowed = holders(flat(message)[-1])
            assert holders(said) <= allowed | {"n"}, f"{file}:{line}: {said!r} has placeholders that {message!r} lacks"
            assert not holders(flat(message)[0]) - holders(said) - {"n"}, f"{file}:{line}: {said!r} lacks placeholders"


@pytest.mark.parametrize("place", places())
def test_no_translation_is_of_a_message_that_nobody_says(place: str):
    folder = places()[place]
    said = {flat(message)[0] for _, _, message in messages(folder)}
    assert not [entry.id for entry in catalog(folder, "de") if entry.id and flat(entry.id)[0] not in said]


def said_both_ways(match: Match, seat: int) -> tuple[list[str], list[str]]:
    """Question and board of the moment for a seat, in English and in German."""
    said: dict[str, list[str]] = {}
    for language in tongue.LANGUAGES:
        with tongue.speaking(language):
            board = match.rulebook.words.board(match.hidden(seat), seat, match.names)
            said[language] = [match.question(seat), *board.splitlines()]
    return said["en"], said["de"]


@pytest.mark.parametrize("game", [place for place in places() if place != "outbid"])
def test_a_whole_match_told_in_german_has_no_english_left(game: str):
    book, rng = rulebooks()[game], random.Random(7)
    match = Match.new(book, {}, book.players[0], 7, ["Ada", "Hans", "Cem"][: book.players[0]])
    seats = range(-1, match.players)
    while not match.over:
        match.random_move(rng.choice(match.asked or (contract.CLOCK,)), len(match.moves))
        if len(match.moves) % 10 and not match.over:
            continue
        for seat in seats:
            english, german = said_both_ways(match, seat)
            assert english[0] != german[0]
            assert len(english) == len(german)
            assert not [line for line in german if ENGLISH.search(line) or "{" in line]
    for seat in seats:
        english = match.log(seat)
        with tongue.speaking("de"):
            german = match.log(seat)
        assert [(line.move, line.seat) for line in english] == [(line.move, line.seat) for line in german]
        assert not [b.text for a, b in zip(english, german, strict=True) if a.text == b.text]
        assert not [line.text for line in german if ENGLISH.search(line.text) or "{" in line.text]


def test_people_in_a_sentence():
    speak = Speaker(["Ada", "Hans", "Cem"], 0)
    assert f"{speak.people(0):you} {speak.people(1):you} {speak.people(0, 1, 2):you}" == "you Hans you, Hans and Cem"
    assert f"{speak.people(0):your} {speak.people(1):your}" == "your Hans's"
    assert speak(0, "You bid {n}.", "{who} bids {n}.", n=4) == "You bid 4."
    assert speak(2, "You bid {n}.", "{who} bids {n}.", n=4) == "Cem bids 4."
    with tongue.speaking("de"):
        assert f"{speak.people(0):dir} {speak.people(1):dir} {speak.people(1, 0):dich}" == "dir Hans Hans und dich"
        assert f"{speak.people(2):deinen} {speak.people(1):dein} {speak.people(0):deine}" == "Cems Hans’ deine"
        assert f"{People(['Ada'], [0], 0)}" == "Du"
        assert listed(["a", "b"], "or") == "a oder b"
    assert owned("Ada") == "Ada's"


def test_who_asks_in_german_is_answered_in_german_and_the_others_are_not(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        asked = {"Accept-Language": "fr, de-AT;q=0.8, en;q=0.5"}
        with httpx.Client(base_url=address) as http:
            assert '<html lang="en">' in http.get("/").text
            assert '<html lang="de">' in http.get("/", headers=asked).text
            chosen = http.post("/language", data={"language": "de"}, headers={"Referer": f"{address}/rules/money"})
            assert (chosen.status_code, chosen.headers["location"]) == (303, "/rules/money")
            assert '<html lang="de">' in http.get("/").text
            refused = http.post("/language", data={"language": "xx"}, headers=JSON)
            assert (refused.status_code, http.get("/").text.count('<html lang="de">')) == (400, 1)


def test_two_people_at_one_table_read_its_log_each_in_their_own_language(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        ada = Person(address)
        ada.order(game="money", players="3", bots="random", preset="seed")
        seen = ada.asked()
        ada.send({"do": "bid", "cards": []}, seen["decision"])
        ada.asked()
        english = ada.now()["log"]
        german = ada.http.get(f"/t/{ada.table}", headers={**JSON, "Accept-Language": "de"}).json()["log"]
        assert len(english) == len(german) > 0
        assert all(a["text"] != b["text"] for a, b in zip(english, german, strict=True))
        assert [line["text"] for line in ada.now()["log"]] == [line["text"] for line in english]
        ada.http.close()
