"""Personas at the table: they are chosen in the form, seated by the host, shown with name and sentence, and play."""

import re
import subprocess
import sys

import pytest

from outbid.core.rulebook import rulebooks
from tests.support.serving import JSON, SHORT, Person, play_out, sentence

GERMAN = {"Accept-Language": "de"}


@pytest.fixture
def ada(server: str):
    """Somebody new."""
    person = Person(server)
    yield person
    person.http.close()


def test_the_sheet_offers_the_personas_of_its_game_apart_from_strength_and_says_how_they_play(ada: Person):
    page = ada.http.get("/new/kuhhandel").text
    assert '<option value="farmer">a farmer: never bluffs, and pays more for an animal it has some of' in page
    assert page.count('<option value="farmer">') == 5, "for all, and for each further seat"
    assert '<option value="vulture">a vulture: hurries' in ada.http.get("/new/forex").text
    assert "vulture" not in page
    assert "steady@1" not in page
    assert '<option value="farmer">ein Bauer: blufft nie' in ada.http.get("/new/kuhhandel", headers=GERMAN).text


def test_the_waiting_room_offers_personas_apart_from_strength_too_and_says_how_they_play(ada: Person):
    ada.order(game="kuhhandel", bots="open", preset="seed")
    page = ada.http.get(f"/t/{ada.table}").text
    assert page.count('<select name="character"') == 3, "for each open seat, and for all"
    assert page.count('<option value="farmer">a farmer: never bluffs, and pays more for an animal it has some of') == 3
    assert page.count('<option value="steady" selected>steady bot: remembers what trades have shown') == 3
    assert '<option value="easy:' not in page
    assert "steady@1" not in page
    german = ada.http.get(f"/t/{ada.table}", headers=GERMAN).text
    assert '<option value="farmer">ein Bauer: blufft nie' in german


def test_the_waiting_room_seats_a_strength_with_a_persona(ada: Person):
    ada.order(game="rivals", bots="open", preset="seed", players="3")
    seats, fill = f"/t/{ada.table}/seats", f"/t/{ada.table}/fill"
    said = "The bot “random” has no characters; choose another strength."
    assert sentence(ada.http.post(fill, data={"bot": "random", "character": "hoarder"}, headers=JSON), 400) == said
    said = sentence(ada.http.post(seats, data={"seat": 1, "who": "easy", "character": "farmer"}, headers=JSON), 400)
    assert "Rivals has no character 'farmer'" in said
    assert ada.http.post(seats, data={"seat": 1, "who": "easy", "character": "hoarder"}, headers=JSON).status_code == 200
    assert "easy, a hoarder: keeps the gold together" in ada.http.get(f"/t/{ada.table}").text
    assert ada.http.post(fill, data={"bot": "steady", "character": ""}, headers=JSON).status_code == 200
    begun = ada.http.get(f"/t/{ada.table}").text
    assert 'title="easy, a hoarder: keeps the gold together' in begun
    assert 'title="steady: counts the cards to come' in begun


def test_whoever_chooses_nothing_plays_against_steady_bots(ada: Person):
    for game in rulebooks():
        page = ada.http.get(f"/new/{game}").text
        assert re.findall(r'name="bots" value="([a-z]+)" checked>', page) == ["steady"]


def test_a_persona_sits_at_the_table_by_name_and_plays_a_match_to_its_end(ada: Person):
    ada.order(**SHORT, **{"bot:1": "easy:farmer", "bot:2": "steady:shark"})
    page = ada.http.get(f"/t/{ada.table}").text
    assert 'title="easy, a farmer: never bluffs, and pays more for an animal it has some of">bot, a farmer<' in page
    assert "bot, a shark" in page
    assert "Bot, ein Bauer" in ada.http.get(f"/t/{ada.table}", headers=GERMAN).text
    play_out(ada)
    assert "bot, a farmer" in ada.http.get(f"/t/{ada.table}").text


def test_the_host_seats_a_persona_and_everybody_reads_how_it_plays(ada: Person):
    ada.order(game="rivals", bots="open", preset="seed")
    done = ada.http.post(f"/t/{ada.table}/seats", data={"seat": 1, "who": "easy:hoarder"}, headers=JSON)
    assert done.status_code == 200
    page = ada.http.get(f"/t/{ada.table}").text
    assert "easy, a hoarder: keeps the gold together, and buys late" in page


@pytest.mark.parametrize("who", ["easy:farmer", "steady:genius"])
def test_a_persona_of_another_game_is_refused_by_those_there_are(ada: Person, who: str):
    wanted = {"game": "money", "players": "3", "name": "Ada", "bots": who}
    said = sentence(ada.http.post("/tables", data=wanted, headers=JSON), 400)
    assert f"Money! has no character '{who.partition(':')[2]}'; it has collector, banker, gambler." in said
    ada.order(game="money", bots="open", preset="seed")
    assert sentence(ada.http.post(f"/t/{ada.table}/fill", data={"bot": who}, headers=JSON), 400) == said


@pytest.mark.slow
def test_the_terminal_says_who_plays():
    code = "from outbid.cli import main; main()"
    command = [sys.executable, "-c", code, "play", "kuhhandel", "--plain", "-n", "3", "--bots", "easy:farmer,steady"]
    said = subprocess.run(command, input="quit\n", capture_output=True, text=True, check=False).stdout
    assert "Bruno (easy, a farmer)" in said
    assert "(steady)" in said
