"""A seat in the terminal: `outbid join` against real servers, line by line over pipes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import socket
import stat
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbid import read_record
from outbid.core.errors import BadSetup, Illegal, OutbidError
from outbid.core.rulebook import rulebook
from outbid.server.domain import scene
from outbid.server.domain.setup import Order
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.rate_limits import Bucket, Limits
from outbid.server.settings import Rate, Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.web.socket import Connection
from outbid.terminal.lines import Ask, Picker
from outbid.wire.link import Link
from outbid.wire.model import read_table
from outbid.wire.offers import Offer
from outbid.wire.visit import Visit
from tests.support.commands import outbid_command
from tests.support.houses import newcomer, own_server
from tests.support.joining import CODE, GAMES, MENU, Client, clients, menu_of, open_table, play_on
from tests.support.serving import JSON, SHORT, Person, at_once, sentence, start, stop

BASE = "http://here"


server = own_server()  # for all tests that do not stop it
host = newcomer()


@pytest.fixture
def join(tmp_path: Path) -> Iterator[Callable[..., Client]]:
    """Starts clients, and ends those that are left."""
    with clients(tmp_path) as started:
        yield started


# --- line by line -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_of_each_game_is_played_line_by_line_over_pipes(host: Person, join: Callable[..., Client], game: str):
    preset = {"preset": "quick"} if "quick" in rulebook(game).presets else {}  # long enough for a trade of one's own
    link = open_table(host, game, bots="random", **preset)
    seat = host.http.get(f"/t/{host.table}/seat").text
    token = re.search(rf"/t/{host.table}/seat/([\w-]+)", seat)
    assert token
    ada = join(f"{link}/seat/{token[1]}", "--plain")
    asked = play_on(ada, random.Random(4))
    code, error = ada.end()
    assert (code, error) == (0, "")
    assert asked > 3
    match = read_record(host.http.get(f"/t/{host.table}/record").json())
    assert match.over
    laid = [move["seat"] for move in match.moves if move.get("cards")]
    assert not laid or 0 in laid
    results = [f"{name}: {points:,} points" for name, points in zip(match.names, match.scores, strict=True)]
    told = [line.removesuffix(" wins").replace(" point", " points").replace("pointss", "points") for line in ada.lines]
    assert told[-match.players :] == results
    assert all(line.endswith(" wins") == (seat in match.winners) for seat, line in enumerate(ada.lines[-match.players :]))
    log = [line["text"] for line in host.now()["log"]]
    before = re.search(r"^(\d+) lines? before; log reads", "\n".join(ada.lines), re.MULTILINE)
    assert [line for line in ada.lines if line in set(log)] == log[int(before[1]) if before else 0 :]
    assert all(character.isprintable() for line in ada.lines for character in line)


def test_a_table_link_takes_an_open_seat_with_a_nickname_and_again_comes_back_to_it(
    host: Person, join: Callable[..., Client], tmp_path: Path
):
    link = open_table(host, "kuhhandel", players=3)
    ben = join(link, "--plain", "--name", "Ben")
    assert "you are Ben" in (ben.line() or "")
    assert "waiting for 1 more" in (ben.line() or "")
    assert [seat["name"] for seat in host.now()["seats"]][:2] == ["Ada", "Ben"]
    ben.process.kill()
    ben.process.wait()
    host.http.post(f"/t/{host.table}/fill", data={"bot": "random"})
    (file,) = tmp_path.glob("ben/**/seats/*.json")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    again = join(link, "--plain")
    assert "you are Ben" in (again.line() or "")
    stranger = join(link, "--plain", "--name", "Cy", home="cy")
    assert "you watch" in (stranger.line() or "")
    secret = json.loads(file.read_text())["token"]
    assert not [line for client in (ben, again, stranger) for line in client.lines if secret in line]


def test_who_joins_with_another_name_where_this_computer_sits_already_is_told_so(host: Person, join: Callable[..., Client]):
    link = open_table(host, "kuhhandel", players=3)
    for name in ("Ben", "Cy"):
        client = join(link, "--plain", "--name", name)
        assert "you are Ben" in (client.line() or "")
        client.process.kill()
        said = client.process.communicate()[1]
        sits = "This computer sits here already, as Ben; another player joins from another one.\n"
        assert said == ("" if name == "Ben" else sits)


def test_a_seat_link_takes_that_seat_and_its_table_link_comes_back_to_it(host: Person, join: Callable[..., Client]):
    seat = host.order(bots="random")
    address = str(host.http.base_url).rstrip("/")
    ada = join(f"{address}{seat}", "--plain")
    assert "you are Ada" in (ada.line() or "")
    again = join(f"{address}/t/{host.table}", "--plain")
    assert "you are Ada" in (again.line() or "")


@pytest.mark.slow
def test_who_comes_without_an_open_seat_watches_until_the_match_is_over(host: Person, join: Callable[..., Client]):
    link = open_table(host, "kuhhandel", bots="random", preset="quick", **SHORT)
    watching = join(link, "--plain", "--name", "Cy", keyboard=subprocess.DEVNULL)
    assert "you watch" in (watching.line() or "")
    rng = random.Random(1)
    host_plays(host, rng)
    code, error = watching.end()
    assert (code, error) == (0, "")
    assert not [line for line in watching.lines if line.startswith(MENU)]
    match = read_record(host.http.get(f"/t/{host.table}/record").json())
    assert [line.text for line in match.log(-1)][-1] in watching.lines


def host_plays(host: Person, rng: random.Random) -> None:
    """The rest of the match of whoever made the table."""
    from tests.support.serving import some_move

    while (seen := host.asked())["table"]["status"] != "over":
        host.send(some_move(seen, rng), seen["decision"])


def test_a_move_can_be_typed_as_text_and_a_refusal_is_one_sentence_that_changes_nothing(
    host: Person, join: Callable[..., Client]
):
    seat = host.order(bots="random", pace="instant")
    ada = join(f"{str(host.http.base_url).rstrip('/')}{seat}", "--plain")
    ada.until(MENU)
    before = host.now()
    ada.type("dance")
    assert "is not a move of this game" in (ada.line() or "")
    assert (ada.line() or "").startswith("  1  ")
    ada.until(MENU)
    easy = next(choice for choice in before["legal"] if "cards" not in choice)
    ada.type("bid 10000")
    assert re.search(r"not possible|above|more than|not now|cannot", refusal := ada.line() or ""), refusal
    assert (ada.line() or "").startswith("  1  ")
    ada.until(MENU)
    assert host.now()["decision"] == before["decision"]
    ada.type(f"bid {easy['amounts'][0]}" if "amounts" in easy else easy["text"])
    ada.until("You ")
    assert host.now()["decision"] != before["decision"]


def test_a_server_says_choices_in_the_language_of_who_asks_beside_what_one_types(host: Person):
    host.order(bots="random", pace="instant")
    host.asked()
    german, english = (
        host.http.get(f"/t/{host.table}", headers={**JSON, "Accept-Language": language}).json() for language in ("de", "en")
    )
    assert german["legal"]
    assert not [one for one in english["legal"] if "words" in one]
    for one, offer in zip(german["legal"], (choice.offer for choice in read_table(german).legal), strict=True):
        assert offer.label == one["words"] != one["text"]
        assert one["move"]["do"] not in one["words"].split()


def test_words_show_the_table_the_log_and_what_one_may_do(host: Person, join: Callable[..., Client]):
    seat = host.order(bots="random")
    ada = join(f"{str(host.http.base_url).rstrip('/')}{seat}", "--plain")
    ada.until(MENU)
    menu = menu_of(ada)
    seen = host.now()
    names = [one["name"] for one in seen["seats"]]
    said_of = [re.sub(r" with (\d)$", lambda seat: f" with {names[int(seat[1])]}", one["text"]) for one in seen["legal"]]
    legal = "\n".join(said_of)
    for word, said in (("look", seen["board"]), ("legal", legal), ("why", seen["question"])):
        ada.type(word)
        shown = [ada.line() for _ in said.splitlines()]
        assert [re.sub(r"^\d+: ", "", line or "") for line in shown] == said.splitlines()
        if word == "look":
            assert re.match(r"Cards: (?:\w+ = \d+(?:, )?)+\.$", ada.line() or "")  # what the animals are worth
    ada.type("rules")
    assert ada.line() == "Kuhhandel: how to play"
    assert ada.until("The whole rulebook") == "The whole rulebook: outbid rules kuhhandel"
    assert all(text in shown for text, shown in zip(said_of, menu, strict=True))
    ada.type("quit")
    code, error = ada.end()
    assert (code, error) == (0, "")
    link = f"{str(host.http.base_url).rstrip('/')}/t/{host.table}"
    assert ada.lines[-1] == f"You leave the table; outbid join {link} comes back."


def test_a_pipe_that_ends_while_a_move_is_awaited_ends_with_exit_code_1(host: Person, join: Callable[..., Client]):
    seat = host.order(bots="random")
    ada = join(f"{str(host.http.base_url).rstrip('/')}{seat}", "--plain", keyboard=subprocess.DEVNULL)
    code, error = ada.end()
    assert (code, error) == (1, "")
    assert host.now()["decision"] is not None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind.")
def test_at_a_terminal_a_line_may_be_typed_at_any_time(host: Person, join: Callable[..., Client]):
    link = open_table(host, "kuhhandel", players=3)
    keyboard, end = os.openpty()
    try:
        ben = join(link, "--plain", "--name", "Ben", keyboard=end)
        ben.until("Ada, Ben: waiting")
        os.write(keyboard, b"pass\n")
        assert ben.line() == "You are not asked now."
        os.write(keyboard, b"log\n")
        assert ben.line() == "Nothing has happened yet."
        os.write(keyboard, b"\x04")
        code, error = ben.end()
        assert (code, error) == (0, "")
    finally:
        os.close(keyboard)
        os.close(end)


# --- what cannot be ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "link", ["", "abc", "http://", "ftp://127.0.0.1/t/abc", "http://127.0.0.1:8710/", "http://127.0.0.1:99999/t/abc", "http://a@b/t/c"]
)
def test_what_is_no_link_of_a_table_is_one_sentence(link: str):
    with pytest.raises(BadSetup, match="is no link of a table"):
        Link.read(link)


@pytest.mark.slow
def test_what_cannot_be_joined_is_one_sentence_and_exit_2(host: Person, join: Callable[..., Client]):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}/t/abc234"
    link = open_table(host, "kuhhandel", players=4)
    address = link.rsplit("/t/", 1)[0]
    for arguments, says in (
        (("hello", "--plain"), "no link of a table"),
        ((nobody, "--plain"), "no server that answers"),
        ((f"{address}/t/zzzzzz", "--plain"), "no such table"),
        ((f"{link}/seat/forged", "--plain"), "does not open a seat"),
        ((link, "--plain", "--name", "Ada"), "Ada"),
        ((link,), "--plain"),
    ):
        code, error = join(*arguments).end()
        assert code == 2, arguments
        assert says in error
        assert len(error.splitlines()) == 1
    assert [seat["kind"] for seat in host.now()["seats"]] == ["human", "open", "open", "open"]


def test_without_textual_one_sentence_says_how_to_get_it(join: Callable[..., Client]):
    code, error = join("http://127.0.0.1:1/t/abc", code=f"import sys; sys.modules['textual'] = None; {CODE}").end()
    assert code == 2
    what = "The full screen needs the extra terminal: pip install 'outbid[terminal]'"
    assert error == f"{what}; or add --plain for line by line.\n"


def test_a_table_that_is_deleted_ends_the_visit_with_a_sentence(host: Person, join: Callable[..., Client]):
    link = open_table(host, "kuhhandel")
    ben = join(link, "--plain", "--name", "Ben")
    ben.until("Ada, Ben")
    assert host.http.post(f"/t/{host.table}/delete", headers=JSON).status_code == 200
    code, error = ben.end()
    assert code == 2
    assert error == "There is no such table here; please check the link.\n"


def test_nothing_a_server_says_moves_the_cursor_of_a_terminal():
    table = {"id": "a", "game": "x", "title": "\x1b[2Jtitle", "status": "playing"}
    legal = [{"text": "\x9bbid", "move": {}, "texts": ["\x00"]}]
    seats = [{"name": "A\x07\u202e"}]
    now = read_table({"table": table, "seats": seats, "you": 0, "board": "one\r\ntwo\tthree", "legal": legal})
    texts = [now.table.title, now.seats[0].name or "", now.board, now.legal[0].text, *now.legal[0].texts]
    assert all(c.isprintable() or c == "\n" for text in texts for c in text)
    assert now.board == "one \ntwo three"
    with pytest.raises(OutbidError, match="does not understand"):
        read_table({"table": "?"})


# --- connections that break -------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("game", "kills"), [pytest.param("kuhhandel", 2, marks=pytest.mark.deep), ("money", 1)])
def test_a_server_that_is_killed_and_restarted_in_the_middle_is_found_again_and_the_match_goes_on(
    tmp_path: Path, join: Callable[..., Client], game: str, kills: int
):
    process, address = start(tmp_path / "tables.db")
    port = int(address.rsplit(":", 1)[1])
    ada = Person(address)
    preset = "quick" if game == "kuhhandel" else "seed"
    seat = ada.order(game=game, preset=preset, bots="random")
    rng = random.Random(5)
    client = join(f"{address}{seat}", "--plain")
    try:
        for _ in range(kills):
            play_on(client, rng, questions=3)
            process.kill()
            process, _again = start(tmp_path / "tables.db", port=port)
        play_on(client, rng)
        code, error = client.end()
        assert (code, error) == (0, "")
        assert client.lines.count("The connection is lost; trying again.") == kills
        assert client.lines.count("Connected again.") == kills
        assert read_record(ada.http.get(f"/t/{ada.table}/record").json()).over
        told = [line["text"] for line in ada.now()["log"]]
        assert [line for line in client.lines if line in set(told)] == told
    finally:
        ada.http.close()
        stop(process)


class Cutting:
    """A proxy that cuts the socket when the first command has gone by, before its answer can come back."""

    def __init__(self, to: int):
        self.to = to
        self.cut = 0
        self.door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        self.ends: list[socket.socket] = [self.door]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self.door.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.to))
            self.ends += [client, server]
            threading.Thread(target=self._pass, args=(client, server, True), daemon=True).start()
            threading.Thread(target=self._pass, args=(server, client, False), daemon=True).start()

    def _pass(self, source: socket.socket, to: socket.socket, asks: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                command = asks and data[0] == 0x81 and not self.cut
                if command:
                    self.cut += 1
                    to.sendall(data)
                    source.shutdown(socket.SHUT_RDWR)
                    return
                to.sendall(data)
        for one in (source, to):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Cut everything."""
        for end in self.ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


def test_a_command_that_was_not_answered_is_sent_again_under_the_same_id_and_made_once(
    host: Person, join: Callable[..., Client]
):
    seat = host.order(bots="random")
    proxy = Cutting(int(str(host.http.base_url).rstrip("/").rsplit(":", 1)[1]))
    client = join(f"{proxy.address}{seat}", "--plain")
    assert play_on(client, random.Random(2), questions=4) == 4
    assert proxy.cut == 1
    assert client.lines.count("The connection is lost; trying again.") == 1
    assert not [line for line in client.lines if "moved on" in line or "not your turn" in line]
    proxy.close()


def test_a_visit_ends_when_the_last_answer_and_the_end_of_the_match_arrive_together():
    def told(status: str, decision: int | None) -> str:
        table = {"id": "abc", "game": "x", "status": status}
        now = {"table": table, "seats": [], "you": 0, "decision": decision}
        return json.dumps({"type": "table", "since": 0, "now": now})

    async def visited() -> None:
        visit = Visit(Link.read("http://127.0.0.1:1/t/abc"))
        visit._take(told("playing", 5))
        playing = asyncio.create_task(visit.play("pass"))
        await asyncio.sleep(0)
        (name,) = visit._pending
        visit._take(json.dumps({"type": "ack", "id": name, "ok": True}))
        visit._take(told("over", None))
        assert visit._done()
        assert (await playing).ok

    asyncio.run(visited())


# --- what programs are told, and say ----------------------------------------------------------------------------------


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """Tables without a server."""
    settings = Settings(url_of(str(tmp_path / "tables.db")), pace="instant")
    store = Store(settings.database)
    yield Tables(store, settings)
    store.close()


def table_of(tables: Tables, game: str, seed: int) -> Table:
    """A table whose other seats are nobody's bots: the test moves for all."""
    players = rulebook(game).players[0]
    names = ["Ada", "Ben", "Cy", "Dee", "Eve"][:players]
    table, _token = at_once(tables.create(Order(game, players, names[0], ["open"], seed=seed)))
    for name in names[1:]:
        at_once(table.join(name))
    return table


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_over_the_socket_a_program_is_told_what_get_would_answer_and_of_the_log_what_is_new(tables: Tables, game: str):
    async def watched() -> None:
        table = table_of(tables, game, 3)
        spoken: Any = SimpleNamespace(scope={"client": ("127.0.0.1", 1)})
        lines = {
            seat: Connection(spoken, table, seat, BASE, Limits(table.settings), Bucket(Rate(1, 1)), True)
            for seat in range(-1, len(table.seats))
        }
        logs: dict[int, list[Any]] = {seat: [] for seat in lines}
        for number in range(40):
            for seat, line in lines.items():
                news = line.news()
                whole = scene.as_json(scene.live(table, seat, BASE))
                if news:
                    assert news["type"] == "table"
                    assert news["version"] == number
                    assert news["since"] == len(logs[seat])
                    logs[seat] += news["now"]["log"]
                    assert {**news["now"], "log": logs[seat]} == whole
                else:
                    assert logs[seat] == whole["log"]
                assert line.news() is None
            if table.status == "over":
                return
            state = table.playing.copy()
            seat = state.asked[0] if state.asked else 7
            move = state.random_move(seat, number)
            await table.act(number, None if seat == 7 else seat, move)

    asyncio.run(watched())


def test_over_the_socket_a_program_is_told_who_sits_down_while_seats_are_open(tables: Tables):
    table, _token = at_once(tables.create(Order("kuhhandel", 3, "Ada", ["open"])))
    spoken: Any = SimpleNamespace(scope={"client": ("127.0.0.1", 1)})
    line = Connection(spoken, table, 0, BASE, Limits(table.settings), Bucket(Rate(1, 1)), True)
    assert (line.news() or {})["now"]["table"]["status"] == "open"
    assert line.news() is None
    at_once(table.join("Ben"))
    assert [seat["name"] for seat in (line.news() or {})["now"]["seats"]][:2] == ["Ada", "Ben"]
    at_once(table.join("Cy"))
    news = line.news() or {}
    assert news["now"]["table"]["status"] == "playing"
    assert news["now"]["board"]
    table.vanish()
    assert line.news() == {"type": "reload"}


@pytest.mark.parametrize("game", GAMES)
def test_what_the_menu_shows_can_be_typed(tables: Tables, game: str):
    """Every whole choice, and every whole move of a choice, is read as what it is."""

    async def played() -> None:
        table = table_of(tables, game, 8)
        for number in range(60):
            if table.status == "over":
                return
            for seat in table.asked:
                for choice in scene.as_json(scene.live(table, seat, BASE))["legal"]:
                    pairs = list(zip(choice.get("texts", ()), choice.get("moves", ()), strict=True))
                    if not pairs and choice.keys() == {"text", "move"}:
                        pairs = [(choice["text"], choice["move"])]
                    for text, move in pairs[:: max(1, len(pairs) // 10)]:
                        words = table.book.words
                        assert words.canonical(table._completed(seat, text)) == words.canonical(move)
            state = table.playing.copy()
            seat = state.asked[0] if state.asked else 7
            move = state.random_move(seat, number)
            await table.act(number, None if seat == 7 else seat, move)

    asyncio.run(played())


@pytest.mark.parametrize("game", GAMES)
@given(line=st.text(max_size=60) | st.from_regex(r"[a-z]{3,8}( [A-Za-z0-9#-]{1,30}){0,4}", fullmatch=True))
def test_whatever_is_typed_is_a_move_or_one_sentence(game: str, line: str):
    match = rulebook_match(game)
    for text in (line, f"bid {line}", "bid " + "9" * 390):
        with contextlib.suppress(OutbidError):
            said = match.rulebook.words.parse(text)
            with contextlib.suppress(Illegal):
                match.copy().play(match.asked[0], said)


def rulebook_match(game: str) -> Any:
    """A match of a game."""
    from outbid.core.match import Match

    book = rulebook(game)
    return Match.new(book, {}, book.players[0], 5)


def test_the_field_text_is_a_move_like_any_other(host: Person):
    host.order(bots="random", pace="instant")
    seen = host.asked()
    path = f"/t/{host.table}/move"

    def send(**fields: Any) -> Any:
        return host.http.post(path, data={"decision": seen["decision"], **fields}, headers=JSON)

    sentence(send(text="dance"), 400)
    sentence(send(text=""), 400)
    sentence(send(text="x" * 401), 400)
    assert "unknown" in sentence(send(text="auction", do="auction"), 400)
    assert "unknown" in sentence(send(text="auction", cards=""), 400)
    assert "unknown" in sentence(send(text="auction", move="{}"), 400)
    assert host.now()["decision"] == seen["decision"]
    text = seen["legal"][0]["text"].split(" to ")[0]
    command = str(uuid.uuid4())
    assert send(text=text, command=command).json()["ok"]
    assert send(text=text, command=command).json()["ok"]
    assert host.asked()["decision"] != seen["decision"]


# --- what a line means ------------------------------------------------------------------------------------------------

OFFERS = (
    Offer("bid 10 to 30", {"do": "bid"}, amounts=range(10, 31, 10)),
    Offer("pass", {"do": "pass"}),
    Offer("pay any of 50 10 10", {"do": "pay"}, cards=(50, 10, 10)),
    Offer("bid any of USD20#1 GBP10#2", {"do": "bid"}, cards=("USD20#1", "GBP10#2")),
    Offer("invest", {}, moves=tuple((f"invest {a} {b}", {"in": [a, b]}) for a in "ABCDEFGH" for b in "KLMNOPQR")),
    Offer("offer nothing", {"do": "offer"}, cards=()),
)


@pytest.mark.parametrize(
    ("lines", "meant"),
    [
        (["2"], {"do": "pass"}),
        (["bid 20"], "bid 20"),
        (["1 20"], {"do": "bid", "amount": 20}),
        (["1", "20"], {"do": "bid", "amount": 20}),
        (["1", "pass"], "pass"),
        (["3", "50 10"], "pay 50 10"),
        (["3", "nothing"], "pay nothing"),
        (["3", "pay 50"], "pay 50"),
        (["4 gbp10#2, usd20#1"], "bid GBP10#2 USD20#1"),
        (["4", "gbp10 usd20#1"], "bid GBP10 USD20#1"),
        (["6"], "offer nothing"),
        (["5", "a", "2"], {"in": ["A", "L"]}),
        (["5", "b k"], {"in": ["B", "K"]}),
        (["5", "invest c m"], {"in": ["C", "M"]}),
        (["5", "64"], {"in": ["H", "R"]}),
        (["5", "stay out"], "stay out"),
    ],
)
def test_a_choice_is_picked_by_number_and_what_it_leaves_open_is_asked(lines: list[str], meant: Any):
    picker = Picker(OFFERS)
    for line in lines[:-1]:
        assert isinstance(picker.meant(line), Ask)
    assert picker.meant(lines[-1]) == meant


def test_a_number_that_is_no_choice_is_one_sentence():
    assert Picker(OFFERS).meant("9") == Ask("There is no choice 9; there are 6.")


def test_at_home_too_a_choice_is_picked_by_number():
    done = outbid_command("play", "--plain", "--seed", "3", "--bots", "random", given="1\n9\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "  1  bid " in done.stdout
    assert "Type 1 or 2, or a move; ? helps:" in done.stdout
