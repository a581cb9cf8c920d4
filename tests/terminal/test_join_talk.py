"""`outbid join` among people: clocks, what is said, kept names, an auction by outcry. Real servers, real sockets."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from outbid.core.errors import OutbidError
from outbid.terminal import times
from outbid.wire.link import Link
from outbid.wire.model import read_message, read_table
from outbid.wire.visit import Visit
from tests.support.houses import newcomer
from tests.support.joining import CODE, MENU, Client, clients, menu_of, on_screen, open_table, play_on, shown, until
from tests.support.serving import JSON, SHORT, Person, hear, line_to, play_out, sentence, serving, some_move, start, stop

pytestmark = pytest.mark.slow

PASSWORD = "seven red cows"
terminal = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind.")
Join = Callable[..., Client]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the server."""
    return tmp_path_factory.mktemp("talk") / "tables.db"


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[str]:
    """The address of one server for all tests that do not stop it."""
    with serving(database, auction_seconds=4.0) as address:
        yield address


host = newcomer()


@pytest.fixture
def join(tmp_path: Path) -> Iterator[Join]:
    """Starts clients, and ends those that are left."""
    with clients(tmp_path) as started:
        yield started


class Typist:
    """A client at a terminal, where a line may be typed at any time."""

    def __init__(self, join: Join, *arguments: str, **more: Any):
        self.keys, self._end = os.openpty()
        self.client = join(*arguments, "--plain", keyboard=self._end, **more)
        self.until = self.client.until

    def type(self, line: str) -> None:
        """A line for it to read."""
        os.write(self.keys, f"{line}\n".encode())

    def says(self, line: str, answer: str) -> str:
        """What it answers to a line; the answer begins so."""
        self.type(line)
        return self.until(answer)

    def close(self) -> None:
        """Pull the plug."""
        os.close(self.keys)
        os.close(self._end)


@contextmanager
def typing(join: Join, *arguments: str, **more: Any) -> Iterator[Typist]:
    """Somebody at a terminal while the context lasts."""
    typist = Typist(join, *arguments, **more)
    try:
        yield typist
    finally:
        typist.close()


def post(person: Person, path: str, **fields: str) -> Any:
    """A form, sent by a program."""
    return person.http.post(path, data=fields, headers=JSON)


def say(person: Person, text: str, **fields: str) -> None:
    """Something is said at the table."""
    answer = post(person, f"/t/{person.table}/chat", text=text, **fields)
    assert answer.status_code == 200, answer.text


def heard(person: Person) -> list[str]:
    """What somebody reads, as "name: text"."""
    said = person.http.get(f"/t/{person.table}/chat", headers=JSON).json()["messages"]
    return [f"{one['name']}: {one['text']}" for one in said]


def at_table(host: Person, **table: Any) -> str:
    """A seat of the host at a table with a bot and an open seat; the link of the table."""
    return open_table(host, "kuhhandel", players=3, bots="open,random", **table)


# --- clocks -----------------------------------------------------------------------------------------------------------


def a_table(you: int = 0, closes: float | None = None, paused: bool = False, *clocks: dict[str, Any]) -> Any:
    """What a server might say of a table with clocks."""
    facts = {"id": "abc", "game": "x", "status": "playing", "clock": "Live.", "closes": closes, "paused": paused}
    return {"table": facts, "seats": [{"name": name} for name in ("Ada", "Ben", "Cy")], "you": you, "clocks": clocks}


@terminal
def test_the_word_clock_says_how_long_each_seat_has(host: Person, join: Join):
    link = at_table(host, clock="180+15")
    with typing(join, link, "--name", "Ben") as ben:
        ben.until("Kuhhandel")
        assert ben.says("clock", "Live: ") == "Live: 3 minutes for the match, 15 seconds more with every decision."
        said = [ben.client.line() or "" for _ in range(2)]
        while not said[0].startswith("Ada has "):
            said = [*said[1:], ben.client.line() or ""]
        assert re.fullmatch(r"Ada has 3:(00\.|1[0-5], and that time runs\.)", said[0])
        assert re.fullmatch(r"You have 3:(00\.|1[0-5], and your time runs\.)", said[1])


@terminal
def test_without_a_clock_the_word_says_so(host: Person, join: Join):
    link = at_table(host)
    with typing(join, link, "--name", "Ben") as ben:
        ben.until("Kuhhandel")
        assert ben.says("clock", "No clock") == "No clock: everybody takes the time they need."
        assert ben.says("help", "  clock") == "  clock   how long each seat has"


def test_who_is_asked_while_a_clock_runs_is_told_in_one_line_what_time_is_left(host: Person, join: Join):
    link = open_table(host, "kuhhandel", players=3, bots="random", clock="180+15")
    seat = re.search(rf"/t/{host.table}/seat/[\w-]+", host.http.get(f"/t/{host.table}/seat").text)
    assert seat
    ada = join(f"{link.removesuffix(f'/t/{host.table}')}{seat[0]}", "--plain")
    rng, told = random.Random(3), list[int]()
    while len(told) < 3:  # what an answer asks on, such as how much, is answered, too
        assert play_on(ada, rng, questions=4) == 4
        told = [n for n, line in enumerate(ada.lines) if re.fullmatch(r"You have [0-3]:\d\d\.", line)]
    assert all(ada.lines[n + 1].startswith("  1  ") for n in told)


def test_the_time_is_that_of_the_server_whatever_the_terminals_clock_says():
    visit = Visit(Link.read("http://127.0.0.1:1/t/abc"))
    server = 1_000_000.0  # as if it were still 1970
    now = a_table(0, None, False, {"seat": 0, "due": server + 60_000}, {"seat": 1, "rest": 61})
    visit._take(json.dumps({"type": "table", "since": 0, "time": server, "now": now}))
    assert abs(visit.at - server) < 5_000
    assert visit.now
    assert re.fullmatch(r"You have (1:00|0:5\d)\.", times.told(visit.now, visit.at))
    assert "Ben has 1:01." in times.sentences(visit.now, visit.at)


@pytest.mark.parametrize(
    ("now", "says"),
    [
        (a_table(0, None, False, {"seat": 0, "due": 11_000}), ["You have 0:10, and your time runs."]),
        (a_table(1, None, False, {"seat": 0, "due": 11_000}), ["Ada has 0:10, and that time runs."]),
        (a_table(1, None, False, {"seat": 0, "due": 500}), ["Ada has 0:00, and that time runs."]),
        (a_table(1, None, False, {"seat": 1, "rest": 3 * 86_400}), ["You have 3 d 0 h."]),
        (a_table(-1, 4_200, False, {"seat": 0, "rest": 65}), ["The auction closes in 0:04.", "Ada has 1:05."]),
        (a_table(1, None, True, {"seat": 1, "rest": 65}), ["The table is paused; no time runs.", "You have 1:05."]),
        (a_table(1, None, False, {"seat": 2, "away": True}), ["A bot plays for Cy."]),
        (a_table(2, None, False, {"seat": 2, "away": True}), ["A bot plays for you."]),
        (
            a_table(1, None, False, {"seat": 0, "due": 11_000, "missed": 2, "agree": ["Ben"], "need": 2}),
            [
                "Ada has 0:10, and that time runs.",
                "Ada ran out of time; a bot played 2 decisions.",
                "That a bot takes the seat of Ada: 1 of 2 agree.",
            ],
        ),
        (a_table(1, None, False, {"seat": 7, "rest": 65}), []),
    ],
)
def test_everything_a_clock_can_be_is_whole_sentences(now: Any, says: list[str]):
    assert times.sentences(read_table(now), 1_000) == ["Live.", *says]


@pytest.mark.parametrize("due", [float("inf"), float("nan"), -1, 1e300, "soon"])
def test_a_time_that_cannot_be_ends_the_visit_with_a_sentence(due: Any):
    with pytest.raises(OutbidError, match="does not understand"):
        read_message({"type": "table", "since": 0, "now": a_table(0, None, False, {"seat": 0, "due": due})})


def test_on_the_full_screen_ones_time_counts_down_in_the_bar_once_a_second(host: Person):
    seat = host.order(bots="random", clock="180+15")

    async def act(app: Any, pilot: Any) -> None:
        await until(pilot, lambda: app.visit.decision is not None)
        await until(pilot, lambda: re.fullmatch(r"You have \d:\d\d\.", shown(app, "time")))
        seen: list[str] = []
        end = time.monotonic() + 4.2
        while time.monotonic() < end:
            if shown(app, "time") not in seen:
                seen.append(shown(app, "time"))
            await asyncio.sleep(0.02)
        left = [int(said[9]) * 60 + int(said[11:13]) for said in seen]
        assert left == list(range(left[0], left[0] - len(left), -1))
        assert 4 <= len(left) <= 6
        await pilot.press(*"clock", "enter")
        await until(pilot, lambda: "and your time runs." in shown(app, "notice"))
        assert app.screen.region.contains_region(app.query_one("#time").region)

    on_screen(host, seat, act, (40, 20))


# --- what people say --------------------------------------------------------------------------------------------------


@terminal
def test_say_reaches_the_others_and_what_they_say_is_one_line_also_while_seats_are_open(host: Person, join: Join):
    link = open_table(host, "kuhhandel", players=4)
    say(host, "Who else?")
    with typing(join, link, "--name", "Ben") as ben:
        assert ben.until("Ada says: ") == "Ada says: Who else?"
        assert ben.says("say", "Type") == "Type “say” and what you want to say, as in: say Good evening!"
        assert ben.says("say  Here I am — with \x07 a bell!", "You say: ") == "You say: Here I am — with a bell!"
        assert heard(host) == ["Ada: Who else?", "Ben: Here I am — with a bell!"]
        post(host, f"/t/{host.table}/fill", bot="random")
        say(host, "Well, play!")
        assert ben.until("Ada says: ") == "Ada says: Well, play!"
        assert ben.says("chat", "Ada says: ") == "Ada says: Who else?"
        assert [ben.client.line() for _ in range(2)] == ["You say: Here I am — with a bell!", "Ada says: Well, play!"]
        assert ben.says("help", "  say …") == "  say …   say something to the others"


@terminal
def test_who_comes_late_is_read_the_newest_messages_and_asks_for_the_others(tmp_path: Path, join: Join):
    with serving(tmp_path / "tables.db", limits={"chat": [1000, 1000]}) as address:
        ada = Person(address)
        link = open_table(ada, "kuhhandel", players=4)
        for number in range(14):
            say(ada, f"Number {number}.")
        with typing(join, link, "--name", "Ben") as ben:
            assert ben.until("4 messages") == "4 messages before; chat reads them."
            assert [ben.client.line() for _ in range(10)] == [f"Ada says: Number {n}." for n in range(4, 14)]
            assert ben.says("chat", "Ada says: ") == "Ada says: Number 0."
        ada.http.close()


def test_when_only_somebody_spoke_a_program_is_sent_that_and_nothing_twice(host: Person):
    host.order(players=3, bots="open,random")
    ben = Person(str(host.http.base_url))
    ben.join(host.table, "Ben")
    say(host, "One.")
    with line_to(ben, JSON) as line:
        first = hear(line, "table")
        assert [(one["name"], one["text"], one["mine"]) for one in first["said"]] == [("Ada", "One.", False)]
        assert first["said"][0].keys() == {"id", "name", "text", "mine", "to"}
        rest = quiet(line)
        say(ben, "Two.")
        news = hear(line, "table")
        assert [(one["name"], one["text"], one["mine"]) for one in news["said"]] == [("Ben", "Two.", True)]
        assert news["now"]["log"] == []
        assert {**news["now"], "log": 0} == {**(rest or first)["now"], "log": 0}
        assert not quiet(line)
    ben.http.close()


def quiet(line: Any) -> dict[str, Any] | None:
    """The last message before a while of silence."""
    last = None
    while True:
        try:
            last = json.loads(line.recv(timeout=0.5))
        except TimeoutError:
            return last


def test_a_seat_never_hears_the_spectators_before_the_end_and_a_watching_program_hears_only_them(host: Person):
    host.order(**SHORT, players=3, bots="open,random")
    ben, eve, dan = (Person(str(host.http.base_url)) for _ in range(3))
    ben.join(host.table, "Ben")
    eve.table = dan.table = host.table
    say(host, "I bluff.")
    say(eve, "She bluffs.", name="Eve")
    with line_to(ben, JSON, max_queue=None) as seat, line_to(dan, JSON, max_queue=None) as watching:
        say(eve, "Surely.")
        play_out(host, ben)
        say(ben, "Good game.")
        told: dict[str, list[tuple[str, str]]] = {"seat": [], "watching": []}
        for name, line, last in (("seat", seat, "Good game."), ("watching", watching, "Surely.")):
            while True:
                try:
                    news = json.loads(line.recv(timeout=1.5 if last in dict(told[name]) else 20))
                except TimeoutError:
                    break
                told[name] += [(one["text"], news["now"]["table"]["status"]) for one in news["said"]]
    assert told["seat"] == [("I bluff.", "playing"), ("She bluffs.", "over"), ("Surely.", "over"), ("Good game.", "over")]
    assert told["watching"] == [("She bluffs.", "playing"), ("Surely.", "playing")]
    for person in (ben, eve, dan):
        person.http.close()


@terminal
def test_nothing_that_was_said_is_printed_twice_after_the_connection_was_lost(tmp_path: Path, join: Join):
    process, address = start(tmp_path / "tables.db")
    port = int(address.rsplit(":", 1)[1])
    ada = Person(address)
    link = open_table(ada, "kuhhandel", players=4)
    try:
        say(ada, "Before.")
        with typing(join, link, "--name", "Ben") as ben:
            ben.until("Ada says: Before.")
            process.kill()
            ben.until("The connection is lost")
            assert ben.says("say Anybody?", "There is no server").startswith("There is no server that answers at ")
            process, _again = start(tmp_path / "tables.db", port=port)
            say(ada, "After.")
            ben.until("Connected again.")
            ben.until("Ada says: After.")
            ben.says("say Here.", "You say: Here.")
            assert [line for line in ben.client.lines if "says: " in line] == ["Ada says: Before.", "Ada says: After."]
    finally:
        ada.http.close()
        stop(process)


@terminal
def test_what_the_server_does_not_let_one_say_is_its_own_sentence(tmp_path: Path, join: Join):
    with serving(tmp_path / "tables.db", limits={"chat": [2, 0.001]}) as address:
        ada = Person(address)
        link = open_table(ada, "kuhhandel", players=4)
        for _ in range(2):
            say(ada, "Hello.")
        too_much = sentence(post(ada, f"/t/{ada.table}/chat", text="Hello?"), 429)
        with typing(join, link, "--name", "Ben") as ben:
            ben.until("Ada, Ben")
            assert ben.says(f"say {'x' * 301}", "A message") == "A message has 1 to 300 characters."
            ben.says("say One.", "You say: One.")
            waits = ben.says("say Two.", too_much[:12])
            assert re.sub(r"\d+", "n", waits) == re.sub(r"\d+", "n", too_much)
            assert heard(ada)[-1] == "Ben: One."
        ada.http.close()


@terminal
def test_where_the_host_has_switched_the_chat_off_nothing_is_said(host: Person, join: Join):
    link = open_table(host, "kuhhandel", players=4)
    assert post(host, f"/t/{host.table}/house", chat="false").status_code == 200
    with typing(join, link, "--name", "Ben") as ben:
        ben.until("Ada, Ben")
        assert ben.says("say Hello?", "The host") == "The host has switched the chat off."


@terminal
def test_who_watches_speaks_under_the_name_that_was_given_and_to_those_who_watch(host: Person, join: Join):
    link = open_table(host, "kuhhandel", bots="random")
    dan = Person(str(host.http.base_url))
    dan.table = host.table
    with typing(join, link, "--name", "Eve") as eve, typing(join, link, home="cy") as nameless:
        eve.until("Kuhhandel")
        say(host, "I bluff.")
        assert eve.says("say He bluffs.", "Eve says: ") == "Eve says: He bluffs."
        assert nameless.until("Eve says: ") == "Eve says: He bluffs."
        assert nameless.says("say Who?", "Please") == "Please give a nickname of 1 to 24 characters."
        assert heard(dan) == ["Eve: He bluffs."]
        assert heard(host) == ["Ada: I bluff."]
        assert not [line for line in (*eve.client.lines, *nameless.client.lines) if "I bluff" in line]
    dan.http.close()


def test_what_is_said_cannot_move_the_cursor_or_take_more_than_a_line():
    said = {"id": 1, "name": "A\x1b[2Jda\n", "text": "one\ntwo\r\tthree\x9b \u202e", "mine": False}
    news: Any = read_message({"type": "table", "since": 0, "now": a_table(), "said": [said]})
    assert news.said[0].sentence.isprintable()
    assert news.said[0].sentence == "“A\ufffd[2Jda” says: one two three\ufffd \ufffd"


def test_on_the_full_screen_people_talk_in_the_log_and_say_is_a_word(host: Person):
    seat = host.order(players=3, bots="random")
    say(host, "Before.")

    async def act(app: Any, pilot: Any) -> None:
        log = app.query_one("#log")

        def written() -> dict[str, bool]:
            return {strip.text.strip(): any(s.style and s.style.italic for s in strip) for strip in log.lines}

        await until(pilot, lambda: "You say: Before." in written())
        await pilot.press(*"say", "enter")
        await until(pilot, lambda: "Type “say”" in shown(app, "notice"))
        app._say("say [b]Good evening![/b]")
        await until(pilot, lambda: "You say: [b]Good evening![/b]" in written())
        assert written()["You say: [b]Good evening![/b]"]
        await until(pilot, lambda: app.visit.decision is not None or len(written()) > 2)
        if len(written()) <= 2:  # Ada begins
            app._say("1")
        await until(pilot, lambda: len(written()) > 2)
        assert not all(written().values())
        app._say(f"say {'x' * 301}")
        await until(pilot, lambda: "A message has 1 to 300" in shown(app, "notice"))

    on_screen(host, seat, act)
    assert heard(host)[-1] == "Ada: [b]Good evening![/b]"


# --- kept names -------------------------------------------------------------------------------------------------------


def keep(server: str, name: str) -> None:
    """Somebody keeps a name."""
    person = Person(server)
    assert post(person, "/name/keep", name=name, password=PASSWORD).status_code == 200
    person.http.close()


def devices(database: Path, key: str) -> int:
    """How many browsers are signed in with a name."""
    with closing(sqlite3.connect(database)) as db:
        return int(db.execute("select count(*) from devices where key = ?", (key,)).fetchone()[0])


def test_a_kept_name_is_signed_in_with_its_password_which_a_pipe_says_in_its_first_line(
    host: Person, join: Join, server: str, database: Path
):
    keep(server, "Bella")
    link = at_table(host)
    code, error = join(link, "--plain", "--name", "Bella").end()
    assert code == 2
    assert error.startswith("The name Bella is kept with a password on this server; ")
    assert error.endswith(" With --password you sign in.\n")
    bella = join(link, "--plain", "--name", "Bella", "--password")
    bella.type(PASSWORD)
    assert "you are Bella" in (bella.line() or "")
    assert devices(database, "bella") == 2
    while host.now()["decision"] is not None:  # until Bella is asked
        seen = host.now()
        host.send(some_move(seen, random.Random(2)), seen["decision"])
    bella.until(MENU)
    bella.type("quit")
    code, error = bella.end()
    assert (code, error) == (0, "")
    assert not [line for line in bella.lines if PASSWORD in line]
    assert devices(database, "bella") == 1  # signed out again
    again = join(link, "--plain", "--name", "Bella", "--password", home="elsewhere")
    again.type(PASSWORD)
    assert "you are Bella" in (again.line() or "")
    stranger = join(link, "--plain", home="stranger")
    assert "you watch" in (stranger.line() or "")


def test_a_wrong_password_is_the_servers_sentence_and_exit_code_2_and_nobody_sits_down(
    host: Person, join: Join, server: str
):
    keep(server, "Carla")
    link = at_table(host)
    for said in ("eight blue pigs", ""):
        carla = join(link, "--plain", "--name", "Carla", "--password")
        carla.type(said)
        assert carla.end() == (2, "The name and the password do not belong together.\n")
    nobody = join(link, "--plain", "--password")
    assert nobody.end() == (2, "A password belongs to a name; add --name.\n")
    assert [seat["kind"] for seat in host.now()["seats"]] == ["human", "open", "bot"]


@terminal
def test_at_a_terminal_the_password_is_asked_for_and_not_shown(host: Person, server: str, tmp_path: Path):
    import pty

    keep(server, "Dora")
    link = at_table(host)
    child, screen = pty.fork()
    if child == 0:  # a process of its own at a terminal of its own
        os.environ |= {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        os.execv(sys.executable, [sys.executable, "-c", CODE, "join", link, "--plain", "--password"])
    try:
        answers = [(b"Your nickname: ", b"Dora\n"), (b"Password: ", PASSWORD.encode() + b"\n"), (b"you are Dora", b"quit\n")]
        read = b""
        for asked, answer in answers:
            while asked not in read:
                read += os.read(screen, 4096)
            time.sleep(0.2)
            os.write(screen, answer)
        while b"You leave the table" not in read:
            read += os.read(screen, 4096)
        assert PASSWORD.encode() not in read
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(screen)


# --- an auction by outcry ---------------------------------------------------------------------------------------------


def test_in_an_auction_by_outcry_one_bids_at_any_time_and_is_told_when_it_closes(host: Person, join: Join):
    link = open_table(host, "kuhhandel", players=3, **{"option:bidding": "realtime"})
    people = {}
    for name in ("Ben", "Cy"):
        people[name] = join(link, "--plain", "--name", name, home=name)
        people[name].until("Kuhhandel")

    def do(name: str, text: str) -> None:
        if name in people:
            people[name].type(text)
        else:
            post(host, f"/t/{host.table}/move", text=text, decision=str(host.asked()["decision"]))

    seen = host.now()
    first = "Ada" if seen["decision"] is not None else seen["waiting"][0]
    one, two = (name for name in ("Ada", "Ben", "Cy") if name != first)
    do(first, "auction")
    for name in {one, two} & people.keys():
        assert people[name].until("The auction closes in ") in {f"The auction closes in 0:0{n}." for n in range(1, 5)}
        assert people[name].until("  1  ").startswith("  1  bid 10 to ")
    began = host.now()["table"]["closes"]
    do(one, "bid 10")
    for name, client in people.items():
        client.until("You bid 10." if name == one else f"{one} bids 10.")
        assert re.fullmatch(r"The auction closes in 0:0[1-4]\.", client.line() or "")
    assert host.now()["table"]["closes"] > began
    if two in people:  # the menu has changed meanwhile
        assert people[two].until("  1  ").startswith("  1  bid 20 to ")
        people[two].until(MENU)
        do(two, "bid 10")
        refusal = people[two].line() or ""
        assert refusal.endswith("."), refusal
        people[two].until("  1  bid 20 to ")
    do(two, "bid 20")
    do_again = people.get(one)
    for name, client in people.items():
        client.until("You bid 20." if name == two else f"{two} bids 20.")
    if do_again:  # overbid, so asked again at once
        assert do_again.until("  1  ").startswith("  1  bid 30 to ")
    if first in people:  # nobody bids more: the hammer falls, and the auctioneer is asked
        people[first].until(MENU)
        assert menu_of(people[first]) == ["1  sell", "2  buy"]
    do(first, "sell")
    for name in {one, two} & people.keys():
        people[name].until(f"{first} sells" if first != "Ada" else "Ada sells")


@pytest.mark.deep
def test_a_whole_match_with_auctions_by_outcry_is_played_line_by_line(tmp_path: Path, join: Join):
    with serving(tmp_path / "tables.db", auction_seconds=0.2) as address:
        host = Person(address)
        seat = host.order(bots="steady", **{"option:bidding": "realtime"})
        ada = join(f"{address}{seat}", "--plain")
        assert play_on(ada, random.Random(6)) > 3
        code, error = ada.end()
        assert (code, error) == (0, "")
        assert host.now()["table"]["status"] == "over"
        assert [line for line in ada.lines if line.startswith("The auction closes in ")]
        host.http.close()
