"""Records that are sent to look at them, and looking back: by move, by turn, from a sentence."""

from __future__ import annotations

import gc
import json
import re
import sqlite3
import tracemalloc
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

import outbid
from outbid import cli
from outbid.core.rulebook import rulebooks
from outbid.server.domain import records
from outbid.server.settings import Settings
from outbid.server.web.app import create_app
from tests.support.houses import newcomer
from tests.support.serving import JSON, Person, serving

GAMES = [book.id for book in rulebooks().values() if (book.folder / "table.html").exists()]


def finished(game: str = "kuhhandel", seed: int = 3, **options: Any) -> dict[str, Any]:
    """The record of a match that is over."""
    book = rulebooks()[game]
    match = outbid.game(game, **{**(book.preset("quick") if "quick" in book.presets else {}), **options}).new(
        players=3, seed=seed
    )
    n = 0
    while not match.over:
        n += 1
        match.random_move(match.asked[0], n)
    return match.record()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory):
    """Where the database lies."""
    return tmp_path_factory.mktemp("uploads")


@pytest.fixture(scope="module")
def server(folder: Path):
    """The address of one server for all tests."""
    with serving(folder / "tables.db") as address:
        yield address


eve = newcomer()  # has no seat anywhere


def look(person: Person, record: Any) -> str:
    """Send a record; returns its table."""
    answer = person.http.post("/records", json=record, headers=JSON)
    assert answer.status_code == 201, answer.text
    person.table = answer.json()["table"]
    return person.table


def tables(folder: Path) -> int:
    """How many tables there are."""
    db = sqlite3.connect(folder / "tables.db")
    count = db.execute("select count(*) from tables").fetchone()[0]
    db.close()
    return int(count)


# --- sending ----------------------------------------------------------------------------------------------------------


def test_a_record_sent_as_a_file_as_text_or_as_json_makes_one_finished_table_to_look_back_at(eve: Person, folder: Path):
    assert 'href="/records"' in eve.http.get("/").text
    assert 'action="/records"' in eve.http.get("/records").text
    record = finished()
    text = json.dumps(record)
    before = tables(folder)
    sent: list[dict[str, Any]] = [
        {"files": {"file": ("match.json", text), "text": (None, "")}},
        {"files": {"file": ("", b""), "text": (None, text)}},
        {"data": {"text": text}},
        {"content": text, "headers": {"Content-Type": "application/json"}},
    ]
    places = set()
    for form in sent:
        answer = eve.http.post("/records", **form)
        assert answer.status_code == 303, answer.text
        places.add(answer.headers["location"])
    assert tables(folder) == before + 1
    (place,) = places
    assert place.endswith("/replay?move=0&seat=open")
    eve.table = place.split("/")[2]
    page = eve.http.get(place)
    assert page.status_code == 200
    assert "everybody, hands open" in page.text
    assert "set-cookie" not in page.headers
    seen = eve.now()
    assert (seen["table"]["status"], seen["you"], seen["decision"]) == ("over", -1, None)
    assert seen["scores"] == record["scores"]
    assert eve.http.get(f"/t/{eve.table}/record").json() == json.loads(text)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(but=("rivals",))
def test_the_record_of_any_game_can_be_looked_back_at_and_had_again(eve: Person, game: str):
    record = finished(game)
    look(eve, record)
    for at in (0, len(record["moves"]) // 2, len(record["moves"])):
        for eyes in ("open", "spectator", "2"):
            assert eve.http.get(f"/t/{eve.table}/replay?move={at}&seat={eyes}").status_code == 200
    assert eve.http.get(f"/t/{eve.table}").status_code == 200
    assert eve.http.get(f"/t/{eve.table}/record").json() == json.loads(json.dumps(record))


def test_at_such_a_table_nobody_sits_moves_or_deletes(eve: Person):
    look(eve, finished())
    for path, data in (("join", {"name": "Eve"}), ("fill", {"bot": "random"}), ("pace", {"pace": "fast"}),
                       ("move", {"decision": "0", "do": "auction"}), ("delete", {})):  # fmt: skip
        answer = eve.http.post(f"/t/{eve.table}/{path}", data=data, headers=JSON)
        assert answer.status_code in (403, 409), path
    assert eve.http.get(f"/t/{eve.table}/seat", headers=JSON).status_code == 403


def broken(change: str) -> dict[str, Any]:
    """A record with one fault."""
    record = finished(seed=5)
    if change == "dance":
        record["moves"][7] = {**record["moves"][7], "do": "dance"}
    elif change == "seat":
        record["moves"][0]["seat"] = (record["moves"][0]["seat"] + 1) % 3
    elif change == "scores":
        record["scores"][0] += 10
    elif change == "unfinished":
        record = {**record, "moves": record["moves"][:-1]}
        del record["scores"], record["winners"]
    elif change == "rules":
        record["rules"] = "kuhhandel/99"
    elif change == "game":
        record["game"] = "tarock"
    elif change == "name":
        record["players"][1] = "x" * 65
    elif change == "unprintable":
        record["players"][1] = "a\u202eb"
    elif change == "deal":
        del record["deal"]
    elif change == "long":
        record["moves"][7] = {"seat": record["moves"][7]["seat"], "do": "x" * 5000}
    return record


@pytest.mark.parametrize(
    ("change", "says"),
    [("dance", "Move 7: 'dance' is not a move"), ("seat", "Move 0: "), ("scores", "states the scores"),
     ("unfinished", "is not over"), ("rules", "'kuhhandel/99'"), ("game", "'tarock'"), ("name", "1 to 64 characters"),
     ("unprintable", "1 to 64 characters"), ("deal", "no 'deal'"), ("long", "Move 7: ")],
)  # fmt: skip
def test_a_bad_record_gets_the_sentence_with_the_number_of_the_move_and_makes_no_table(
    eve: Person, folder: Path, change: str, says: str
):
    before = tables(folder)
    answer = eve.http.post("/records", json=broken(change), headers=JSON)
    assert answer.status_code == 400
    assert says in answer.json()["error"]
    assert len(answer.json()["error"]) <= 400
    page = eve.http.post("/records", data={"text": json.dumps(broken(change))})
    assert page.status_code == 400
    assert says in unescape(page.text)
    assert tables(folder) == before


def test_a_text_that_is_no_record_stays_in_its_field_which_is_marked(eve: Person):
    page = eve.http.post("/records", files={"file": ("", b""), "text": (None, "<a match>")})
    assert page.status_code == 400
    field = page.text.partition('<textarea id="look-text"')[2].partition("</textarea>")[0]
    assert 'aria-invalid="true" aria-describedby="look-error"' in field
    assert unescape(field).endswith("><a match>")
    page = eve.http.post("/records", files={"file": ("match.json", "<a match>"), "text": (None, "")})
    assert "This is no saved match; “Save the record” at the end of a match writes one. This is not JSON" in page.text
    assert page.text.count("aria-invalid") == 1
    assert "aria-invalid" in page.text.partition('<input id="look-file"')[2].partition(">")[0]


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"data": {"text": " "}}, 400), ({"data": {"text": "not json"}}, 400), ({"data": {"text": "[]"}}, 400),
        ({"data": {"text": "[" * 9000}}, 400),
        ({"data": {"text": '{"game": NaN}'}}, 400), ({"data": {"txt": "{}"}}, 400), ({"data": {"text": "{}\n{}"}}, 400),
        ({"files": {"file": ("a", "{}"), "text": (None, "{}")}}, 400), ({"files": {"file": ("a", b"\xff\xfe")}}, 400),
        ({"files": [("file", (str(n), "{}")) for n in range(9)]}, 400), ({"files": {"card": ("a", "{}")}}, 400),
        ({"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}, 400),
        ({"content": b"x", "headers": {"Content-Type": "multipart/form-data; boundary=b"}}, 400),
        ({"content": b"{}", "headers": {"Content-Type": "text/plain"}}, 415),
        ({"content": b'"' + b"x" * 2_200_000 + b'"', "headers": {"Content-Type": "application/json"}}, 413),
        ({"content": b"{}", "headers": {"Content-Type": "application/json", "Origin": "https://evil.example"}}, 403),
    ],
    ids=lambda value: str(value)[:60],
)  # fmt: skip
def test_what_is_no_record_is_refused_in_one_sentence(eve: Person, folder: Path, form: dict[str, Any], status: int):
    before = tables(folder)
    answer = eve.http.post("/records", **{**form, "headers": JSON | form.get("headers", {})})
    assert answer.status_code == status, answer.text
    assert answer.json()["error"].endswith((".", "…"))
    assert tables(folder) == before


def doors(eve: Person, folder: Path, body: bytes) -> dict[str, str]:
    """What all who read a record say of a file: nothing if it is good."""
    file = folder / "sent.json"
    file.write_bytes(body)
    imported = ["admin", "import", str(file), "--database", f"sqlite:///{folder / 'imported.db'}"]
    said = {}
    for name, arguments in {"check": ["check", str(file)], "import": imported}.items():
        done = CliRunner().invoke(cli.app, arguments)
        said[name] = "" if done.exit_code == 0 else done.output + str(done.exception)
    sent = eve.http.post("/records", content=body, headers={**JSON, "Content-Type": "application/json"})
    return said | {"upload": "" if sent.status_code == 201 else sent.json()["error"]}


@pytest.mark.slow
def test_a_file_is_good_or_bad_at_every_door(eve: Person, folder: Path):
    record = finished("rivals", seed=8)
    text = json.dumps(record)
    for good in (b"\xef\xbb\xbf" + text.encode(), json.dumps(record, indent=1).replace("\n", "\r\n").encode(),
                 json.dumps({**record, "note": "x" * 1_900_000}).encode()):  # fmt: skip
        assert set(doors(eve, folder, good).values()) == {""}
    unnamed = {key: value for key, value in record.items() if key != "format"}
    bad = {
        "half a surrogate pair": text.replace('"players": [', '"note": "\\ud800", "players": [').encode(),
        "A record is UTF-8 text": text.encode("utf-16"),
        "nested too deep": text.replace('"moves"', '"note": ' + "[" * 40 + "]" * 40 + ', "moves"').encode(),
        "the same key twice": text.replace('"game"', '"game": "rivals", "game"').encode(),
        "has no 'format'": json.dumps(unnamed).encode(),
        "at most 2097152 characters": json.dumps({**record, "note": "x" * 2**21}).encode(),
    }
    for name in ("A\nseat 9", "B\x1b[2J", "", " ", "x" * 65):
        bad[f"The name {name!r} must have 1 to 64 characters that can be shown"] = json.dumps(
            {**record, "players": [name, "Ben", "Cem"]}
        ).encode()
    for reason, body in bad.items():
        said = doors(eve, folder, body)
        assert all(reason in one for one in said.values()), said


def test_a_move_of_a_record_is_refused_of_its_seat_and_not_of_the_reader(eve: Person, folder: Path):
    record = finished("rivals", seed=8)
    number, move = next((n, move) for n, move in enumerate(record["moves"]) if move["do"] == "bid")
    move["amount"] = 37
    gold = outbid.game("rivals").load(record["players"], record["deal"]).at(0)
    for one in record["moves"][:number]:
        gold.play(one["seat"], one)
    owned = gold.view(move["seat"])["players"][move["seat"]]["gold"]
    reason = f"ove {number}: Seat {move['seat']} owns {owned} gold and cannot bid 37. Legal for seat {move['seat']} ("
    assert all(reason in one for one in doors(eve, folder, json.dumps(record).encode()).values())
    analysed = CliRunner().invoke(cli.app, ["analyse", str(folder / "sent.json")])
    assert reason in str(analysed.exception)
    assert str(analysed.exception).startswith(f"{folder / 'sent.json'}:1: ")
    with pytest.raises(outbid.Illegal, match=f"^You own {owned} gold and cannot bid 37"):
        gold.play(move["seat"], "bid 37")


def test_a_file_of_several_records_is_told_so(eve: Person, folder: Path):
    line = json.dumps(finished())
    before = tables(folder)
    answer = eve.http.post("/records", files={"file": ("many.jsonl", f"{line}\n{line}\n")}, headers=JSON)
    assert answer.status_code == 400
    assert answer.json()["error"] == "This file holds 2 records, one a line; please send a single one."
    assert tables(folder) == before


# --- the version of the rules -----------------------------------------------------------------------------------------


def test_a_finished_table_carries_the_version_of_its_rules(eve: Person):
    look(eve, finished())
    assert "Played by the rules kuhhandel/1." in eve.http.get(f"/t/{eve.table}").text
    assert eve.http.get(f"/t/{eve.table}/record").json()["rules"] == "kuhhandel/1"


def test_the_record_of_a_table_of_other_rules_can_still_be_had(tmp_path: Path):
    record = finished(seed=9)
    with serving(tmp_path / "tables.db") as address:
        eve = Person(address)
        look(eve, record)
        eve.http.close()
    db = sqlite3.connect(tmp_path / "tables.db")
    with db:
        db.execute("update tables set rules = 'kuhhandel/99'")
        for to in (None, 1):
            message = {"room": "seats", "who": "seat-0", "name": "Ada", "text": "Mine.", "at": 0.0, "to": to, "after": 2}
            columns, places = ", ".join(f'"{name}"' for name in message), ", ".join("?" * len(message))
            db.execute(f"insert into chat (table_id, {columns}) values (?, {places})", (eve.table, *message.values()))
    db.close()
    with serving(tmp_path / "tables.db") as address:
        ben = Person(address)
        page = ben.http.get(f"/t/{eve.table}", headers=JSON)
        assert page.status_code == 409
        assert "kuhhandel/99" in page.json()["error"]
        assert f"/t/{eve.table}/record" in page.json()["error"]
        found = ben.http.get(f"/t/{eve.table}/record").json()
        ben.http.close()
    assert found["rules"] == "kuhhandel/99"
    assert found["said"] == [{"seat": 0, "after": 2, "text": "Mine."}]
    assert [dict(sorted(move.items())) for move in found["moves"]] == [dict(sorted(m.items())) for m in record["moves"]]
    assert found["deal"] == json.loads(json.dumps(record["deal"]))


# --- looking back -----------------------------------------------------------------------------------------------------

SENTENCE = re.compile(r'<li[^>]*data-move="(-?\d+)"><a href="([^"]+)"([^>]*)>(.*?)</a>')


def steps(page: str) -> dict[str, str]:
    """Where the buttons of a replay lead, by their keys."""
    found = re.findall(r'<a class="button" href="([^"]+)" data-step-key="([^"]+)"', page)
    return {key: unescape(link) for link, key in found}


def position(link: str) -> int:
    """The number of moves in a link."""
    found = re.search(r"[?&]move=(\d+)", link)
    assert found
    return int(found[1])


@pytest.mark.parametrize("game", GAMES)
def test_a_sentence_of_the_log_leads_to_its_position(eve: Person, game: str):
    record = finished(game)
    look(eve, record)
    last = len(record["moves"])
    page = eve.http.get(f"/t/{eve.table}/replay?move={last}&seat=open").text
    sentences = SENTENCE.findall(page)
    assert sentences
    assert len(sentences) == len(re.findall(r"<li[^>]*data-move=", page))
    for number, link, _, text in sentences[:: max(1, len(sentences) // 5)]:
        there = eve.http.get(unescape(link))
        assert there.status_code == 200
        assert position(link) == int(number) + 1
        shown = SENTENCE.findall(there.text)
        assert text in [said for move, _, _, said in shown if move == number]
        assert all(int(move) <= int(number) for move, _, _, _ in shown)
        assert any("aria-current" in current for move, _, current, _ in shown if move == number)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_replay_is_stepped_by_turn_as_well_as_by_move(eve: Person, game: str):
    record = finished(game)
    look(eve, record)
    last = len(record["moves"])
    first = eve.http.get(f"/t/{eve.table}/replay?move=0&seat=open").text
    assert "[" not in steps(first)
    turns, page = [0], first
    while "]" in steps(page):
        turns.append(position(steps(page)["]"]))
        page = eve.http.get(steps(page)["]"]).text
    assert turns == sorted(set(turns))
    assert 1 < len(turns) <= last
    assert turns == records_turns(record)
    back = eve.http.get(f"/t/{eve.table}/replay?move={turns[-1]}&seat=open").text
    assert position(steps(back)["["]) == turns[-2]
    assert position(steps(back)["ArrowLeft"]) == turns[-1] - 1
    middle = next((n for n in range(last) if n not in turns), None)
    if middle is not None:
        inside = steps(eve.http.get(f"/t/{eve.table}/replay?move={middle}&seat=open").text)
        assert position(inside["["]) == max(n for n in turns if n < middle)


def records_turns(record: dict[str, Any]) -> list[int]:
    """After which moves somebody else's turn, or another round, begins."""
    match = records.read_record(record).at(0)
    found, last = [], None
    for n, move in enumerate([None, *record["moves"]]):
        if move:
            match.play(move["seat"], move)
        view = match.view()
        now = [view.get(name) for name in ("turn", "turns", "round")]
        if now != last and view["phase"] != "over":
            found.append(n)
        last = now
    return found


def test_a_link_to_a_position_can_be_sent_to_anybody(eve: Person, server: str):
    look(eve, finished())
    link = f"/t/{eve.table}/replay?move=12&seat=1"
    friend = Person(server)
    assert friend.http.get(link).text == eve.http.get(link).text
    friend.http.close()


JUNK = json.dumps([{"a": [n] * 3} for n in range(10_000)])  # a quarter of a megabyte, and 4 MB when it is read

OF_THE_SERVER = ("*/json/*", "*/urllib/parse.py", "*/outbid/*", "*/starlette/requests.py")  # not the client in this process


@pytest.mark.parametrize("sent", [{"text": JUNK}, {"text": JUNK[:-1]}], ids=["no record", "no JSON"])
@pytest.mark.slow
def test_a_record_that_is_refused_leaves_nothing_behind(tmp_path: Path, sent: dict[str, str]):
    """Counted in bytes, without a look for garbage: there is none for hours (main.COLLECT)."""
    settings = Settings(f"sqlite:///{tmp_path / 'tables.db'}", daily={})
    here = ("127.0.0.1", 1)  # who may ask as much as it likes: what is read on a busy machine has its price
    with TestClient(create_app(settings), "http://127.0.0.1", headers=JSON, client=here) as http:
        for _ in range(2):  # whatever is kept for ever is there now
            assert http.post("/records", data=sent).status_code == 400
        gc.collect()
        gc.disable()
        tracemalloc.start()
        try:
            for _ in range(3):
                assert http.post("/records", data=sent).status_code == 400
            assert http.get("/livez").text == "ok"  # the server has gone on
            most = tracemalloc.get_traced_memory()[1]
            kept = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, place) for place in OF_THE_SERVER])
        finally:
            tracemalloc.stop()
            gc.enable()
    assert most > 1_000_000
    # at most the last one's bytes, its text and what its refusal quotes; a single one that was kept as it was read has 4 MB
    assert sum(trace.size for trace in kept.traces) < 3 * len(JUNK), kept.statistics("lineno")[:5]
