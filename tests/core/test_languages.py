"""English and German: every message has its German with the same placeholders, and each viewer reads one language."""

from __future__ import annotations

import ast
import gettext
import io
import json
import os
import random
import re
import string
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import outbid
from outbid.bots import BOTS, LEVELS
from outbid.core import contract
from outbid.core.errors import BadSetup
from outbid.core.language import i18n, names
from outbid.core.language.phrases import People, Speaker, listed, owned, signed
from outbid.core.match import Match
from outbid.core.rulebook import rulebooks
from outbid.server.settings import PACES
from outbid.terminal.lines import LOCALE, spoken
from tests.support.browsing import begun
from tests.support.commands import outbid_command
from tests.support.english import ENGLISH, english, read
from tests.support.gallery import SHOWS, Show, gallery
from tests.support.serving import JSON, TRUSTED, Person, line_to, people, serving
from tests.support.translations import catalog, messages, places

SOURCE = Path(outbid.__file__).parent


def holders(text: str) -> set[str]:
    """The names of the placeholders of a message."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def flat(message: str | tuple[str, ...]) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else tuple(message)


@pytest.mark.parametrize("place", places())
@pytest.mark.slow
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


@pytest.mark.slow
def test_no_message_is_asked_for_inside_of_an_f_string():
    """There Python 3.11 hides it from what reads the messages."""
    inside = [
        f"{path.relative_to(SOURCE)}:{call.lineno}"
        for path in SOURCE.rglob("*.py")
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in ("_", "N_", "ngettext")
        and isinstance(call.args[0], ast.Constant)
    ]
    assert inside == []


@pytest.mark.slow
def test_what_is_wrong_with_a_deal_or_a_record_is_never_said_in_plain_english():
    """A page shows these to whoever uploads a record: they go through the catalog."""
    told = ("BadSetup", "BadRecord", "Illegal")
    files = [*(path for folder in places().values() if folder.parent.name == "games" for path in folder.rglob("*.py"))]
    for path in [*files, *((files[0].parents[2] / "core" / name) for name in ("deals.py", "record.py", "match.py"))]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in told and node.args:
                plain = isinstance(node.args[0], ast.Constant | ast.JoinedStr)
                assert not plain, f"{path.name}:{node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("place", places())
def test_no_translation_is_of_a_message_that_nobody_says(place: str):
    folder = places()[place]
    said = {flat(message)[0] for _, _, message in messages(folder)}
    assert not [entry.id for entry in catalog(folder, "de") if entry.id and flat(entry.id)[0] not in said]


def said_both_ways(match: Match, seat: int) -> tuple[list[str], list[str]]:
    """Question and board of the moment for a seat, in English and in German."""
    said: dict[str, list[str]] = {}
    for language in i18n.LANGUAGES:
        with i18n.locale(language):
            board = match.rulebook.words.board(match.hidden(seat), seat, match.names)
            said[language] = [match.question(seat), *board.splitlines()]
    return said["en"], said["de"]


def test_a_question_that_says_itself_whose_turn_it_is_says_so_in_german_as_the_voice_does():
    """So that it is not said twice (screens/table/table.js)."""
    said = {str(one.id): str(one.string) for folder in places().values() for one in catalog(folder, "de") if one.id}
    begun = said["Your turn. {question}"].removesuffix(". {question}")
    questions = {id: german for id, german in said.items() if id.startswith("Your turn: ")}
    assert len(questions) > 5
    assert [german for german in questions.values() if not german.startswith(f"{begun}: ")] == []


@pytest.mark.parametrize("game", [place for place in places() if place != "outbid"])
@pytest.mark.slow(but=("rivals",))
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
        with i18n.locale("de"):
            german = match.log(seat)
        assert [(line.move, line.seat) for line in english] == [(line.move, line.seat) for line in german]
        assert not [b.text for a, b in zip(english, german, strict=True) if a.text == b.text]
        assert not [line.text for line in german if ENGLISH.search(line.text) or "{" in line.text]


@pytest.mark.slow
def test_no_page_around_the_games_has_english_left(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        ada, guest = Person(address), Person(address)
        for person in (ada, guest):
            person.http.cookies.set("language", "de")
        ada.order(game="money", players="3", bots="open", listed="true", preset="seed")
        waiting = ada.table
        record = Match.new(rulebooks()["claim"], {}, 2, 7)
        while not record.over:
            record.random_move(record.asked[0], len(record.moves))
        ended = ada.http.post("/records", data={"text": json.dumps(record.record())}).headers["location"].split("?")[0]
        ada.order(game="money", players="3", bots="steady", clock="180+15", pace="slow", preset="seed")
        ada.http.post(f"/t/{ada.table}/chat", data={"text": "Hallo!"})
        assert ada.http.post(f"/t/{ada.table}/hint", headers=JSON).json()["hint"]["why"]
        here, over = f"/t/{ada.table}", ended.removesuffix("/replay")
        pages = ["/", "/name", "/rules/money", "/nowhere", f"/t/{waiting}", f"/t/{waiting}/delete", here, f"{here}x"]
        pages += [f"{here}/{more}" for more in ("seat", "leave", "chat", "replay", "replay?seat=open")]
        pages += ["/daily", "/records", "/new/money", "/new/claim?preset=everything"]
        pages += ["/ladder", over, ended, f"{ended}?move=3&seat=open"]
        for person in (ada, guest):
            for page in pages:
                answer = person.http.get(page).text
                assert '<html lang="de">' in answer
                assert not list(english(read(answer))), page
            person.http.close()


@pytest.mark.slow
@pytest.mark.parametrize("show", SHOWS, ids=str)
def test_the_page_of_every_phase_is_drawn_in_german_and_has_no_english_left(tmp_path: Path, show: Show):
    database = tmp_path / "tables.db"
    german: dict[str, Any] = {"headers": {"Accept-Language": "de"}, "verify": TRUSTED, "timeout": 60}
    with serving(database) as address:
        for piece in gallery(show):
            link = address + begun(database, piece.match, hints="on")[piece.seat]
            with httpx.Client(**german) as ada, httpx.Client(**german) as guest:
                assert ada.post(link).status_code == 303
                for person in (ada, guest):
                    page = person.get(link.partition("/seat/")[0])
                    assert page.status_code == 200, piece.phase
                    assert not list(english(read(page.text))), piece.phase


def test_a_count_is_a_whole_number_in_every_language():
    _, ngettext = i18n.words("outbid")
    for language in ("en", "de"):
        with i18n.locale(language), pytest.raises(TypeError):
            ngettext("{n} card", "{n} cards", "4, 2")  # type: ignore[arg-type]


def test_refusals_are_in_the_language_of_whoever_asks(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address, httpx.Client(base_url=address, headers=JSON, timeout=20) as http:
        http.cookies.set("language", "de")
        order = {"game": "money", "players": "3", "name": "Ada", "bots": "random"}
        wrong = [{"game": "chess"}, {"players": "9"}, {"players": "x"}, {"name": ""}, {"bots": "clever"}, {"pace": "warp"}]
        wrong += [{"clock": "1"}, {"starts": "never"}, {"listed": "x"}, {"more": "1"}, {"bot:7": "random"}, {"preset": "x"}]
        for change in wrong:
            refused = http.post("/tables", data={**order, **change})
            assert refused.status_code >= 400
            assert not list(english([refused.json()["error"]]))


def test_what_bots_say_of_themselves_and_paces_have_their_german():
    say, _count = i18n.words("outbid")
    with i18n.locale("de"):
        chosen = [BOTS[name] for name in LEVELS]
        assert not [text for bot in chosen for text in (bot.name, bot.summary) if say(text) == text]
        assert [say(pace) for pace in PACES] == ["langsam", "normal", "schnell", "sofort"]


@contextmanager
def after_a_move(folder: Path) -> Iterator[Person]:
    """Ada at a table, who has made a move and is asked again."""
    with serving(folder / "tables.db") as address, people(address, 1) as (ada,):
        ada.order(game="money", players="3", bots="random", preset="seed")
        ada.send({"do": "bid", "cards": [], "bluff": True}, ada.asked()["decision"])
        ada.asked()
        yield ada


def test_a_line_of_ones_own_is_marked_in_both_languages(tmp_path: Path):
    with after_a_move(tmp_path) as ada:
        for language in i18n.LANGUAGES:
            page = ada.http.get(f"/t/{ada.table}", headers={"Accept": "text/html", "Accept-Language": language}).text
            mine = re.findall(r'<li class="by p0 mine" data-move="\d+">([^<]+)', page)
            assert mine[0].startswith("Du " if language == "de" else "You ")


# --- the terminal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "language"),
    [({"LANG": "de_DE.UTF-8"}, "de"), ({"LC_ALL": "C", "LANG": "de_DE"}, "en"), ({"LC_MESSAGES": "de", "LANG": "C"}, "de"),
     ({"LANG": "fr_FR.UTF-8"}, "en"), ({}, "en")],
)  # fmt: skip
def test_the_terminal_speaks_the_language_of_its_locale(monkeypatch, said: dict[str, str], language: str):
    for name in LOCALE:
        monkeypatch.delenv(name, raising=False)
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    assert spoken(None) == language
    assert spoken("en") == "en"
    with pytest.raises(BadSetup, match="no language 'xx'"):
        spoken("xx")


def plain(*arguments: str, typed: str = "", **environment: str) -> str:
    """What `outbid play --plain` says to what is typed."""
    env = {**{k: v for k, v in os.environ.items() if k not in LOCALE}, **environment}
    done = outbid_command("play", "kuhhandel", "--plain", "--seed", "3", *arguments, given=typed, environment=env)
    assert done.returncode == 0
    return done.stdout


def test_a_plain_match_is_german_where_it_is_wanted_or_the_terminal_is():
    typed = "help\nlook\nlog\nwhy\nlegal\nbid 7\nnonsense\nquit\n"
    wanted = plain("--language", "de", typed=typed)
    assert wanted == plain(typed=typed, LANG="de_AT.UTF-8")
    assert wanted.startswith("Kuhhandel – Auktionen, ")
    assert wanted.rstrip().endswith("Du verlässt die Partie.")
    own = [line for line in wanted.splitlines() if not re.search(r"help|legal|auction|bid |\d: ", line)]
    assert not list(english(own))
    assert plain(typed=typed, LC_ALL="C.UTF-8", LANG="de_DE.UTF-8").rstrip().endswith("You leave the match.")


def test_people_in_a_sentence():
    speak = Speaker(["Ada", "Hans", "Cem"], 0)
    assert f"{speak.people(0):you} {speak.people(1):you} {speak.people(0, 1, 2):you}" == "you Hans you, Hans and Cem"
    assert f"{speak.people(0):your} {speak.people(1):your}" == "your Hans's"
    assert speak(0, "You bid {n}.", "{who} bids {n}.", n=4) == "You bid 4."
    assert speak(2, "You bid {n}.", "{who} bids {n}.", n=4) == "Cem bids 4."
    with i18n.locale("de"):
        assert f"{speak.people(0):dir} {speak.people(1):dir} {speak.people(1, 0):dich}" == "dir Hans Hans und dich"
        assert f"{speak.people(2):deinen} {speak.people(1):dein} {speak.people(0):deine}" == "Cems Hans’ deine"
        assert f"{People(['Ada'], [0], 0)}" == "Du"
        assert i18n.words("outbid")[0]("") == ""
        assert listed(["a", "b"], "or") == "a oder b"
    assert owned("Ada") == "Ada's"


def test_who_asks_in_german_is_answered_in_german_and_the_others_are_not(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        asked = {"Accept-Language": "fr, de-AT;q=0.8, en;q=0.5"}
        with httpx.Client(base_url=address, timeout=20) as http:
            assert '<html lang="en">' in http.get("/").text
            assert '<html lang="de">' in http.get("/", headers=asked).text
            chosen = http.post("/language", data={"language": "de"}, headers={"Referer": f"{address}/rules/money"})
            assert (chosen.status_code, chosen.headers["location"]) == (303, "/rules/money")
            after_a_refusal = http.post("/language", data={"language": "de"}, headers={"Referer": f"{address}/tables"})
            assert after_a_refusal.headers["location"] == "/", "nothing can be looked at where forms go"
            assert '<html lang="de">' in http.get("/").text
            refused = http.post("/language", data={"language": "xx"}, headers=JSON)
            assert (refused.status_code, http.get("/").text.count('<html lang="de">')) == (400, 1)


def test_two_people_at_one_table_read_its_log_each_in_their_own_language(tmp_path: Path):
    with after_a_move(tmp_path) as ada:
        ada.http.post(f"/t/{ada.table}/pace", data={"paused": "true"})
        english = ada.now()["log"]
        german = ada.http.get(f"/t/{ada.table}", headers={**JSON, "Accept-Language": "de"}).json()["log"]
        assert len(english) == len(german) > 0
        assert all(a["text"] != b["text"] for a, b in zip(english, german, strict=True))
        assert [line["text"] for line in ada.now()["log"]] == [line["text"] for line in english]


def test_a_socket_speaks_the_language_of_its_page_whatever_its_handshake_says(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        ada = Person(address)
        ada.order(game="kuhhandel", players="3", bots="steady", preset="seed")
        page = ada.http.get(f"/t/{ada.table}", headers={"Accept-Language": "de"}).text
        query = re.search(r'data-socket="/t/\w+/socket([^"]*)"', page)
        for asked, german in ((query[1] if query else "", True), ("?language=tlh", False), ("", False)):
            with line_to(ada, query=asked) as line:
                regions = json.loads(line.recv(timeout=30))["regions"]
            assert ("Verlauf" in regions["log"]) == german
        ada.http.close()


def test_a_change_has_its_sign_but_for_nothing_and_a_name_the_quotes_of_the_language():
    assert [signed(n) for n in (3.25, -0.2, 0.04, -0.04, 0)] == ["+3.2", "−0.2", "0.0", "0.0", "0.0"]
    assert names.quoted("strong*0.25") == "“strong*0.25”"
    with i18n.locale("de"):
        assert [signed(n) for n in (3.25, -0.2, -0.04)] == ["+3,2", "−0,2", "0,0"]
        assert names.quoted("strong*0.25") == "„strong*0.25“"


def test_a_catalog_leaves_out_what_only_other_rooms_say():
    source = Path(i18n.__file__).parents[2] / "locale" / "de.po"
    whole, some = (gettext.GNUTranslations(io.BytesIO(i18n.compiled(source, rooms))) for rooms in ((), ("cli", "lab")))
    assert whole.gettext("Who plays") == some.gettext("Who plays") == "Wer spielt"
    assert whole.gettext("without --from") == "ohne --from"
    assert some.gettext("without --from") == "without --from"
