"""Clocks: deadlines that survive the server, who runs out of time, a bot that plays for somebody. Real servers; some die."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from outbid.core.errors import BadSetup
from outbid.core.language import i18n
from outbid.core.language.phrases import countdown
from outbid.server.domain import scene
from outbid.server.domain.commands import Command
from outbid.server.domain.setup import Order
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.domain.timing import clocks, deadlines
from outbid.server.domain.timing.clocks import Clock, parse, turned
from outbid.server.moments import Moments
from outbid.server.settings import Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.stored import Time
from tests.support.browsing import DESK, PHONE, expect, fits, sit, visitor
from tests.support.houses import own_server
from tests.support.postgres import Cluster
from tests.support.serving import JSON, Person, at_once, hear, line_to, sentence, start, stop

pytestmark = pytest.mark.slow

SHORT = "1+1"  # who is asked for the first time has two seconds


server = own_server()  # for all tests that do not stop it


@contextmanager
def table_of(address: str, people: int = 3, **order: Any) -> Iterator[list[Person]]:
    """People at one table; the first has made it."""
    everybody = [Person(address) for _ in range(people)]
    everybody[0].order(players=max(people, 3), bots="open", **order)
    for person, name in zip(everybody[1:], ("Ben", "Cy"), strict=False):
        person.join(everybody[0].table, name)
    if people < 3:
        everybody[0].http.post(f"/t/{everybody[0].table}/fill", data={"bot": "random"})
    yield everybody
    for person in everybody:
        person.http.close()


def asked(people: list[Person]) -> tuple[int, Person]:
    """Who is asked alone."""
    (seat,) = people[0].now()["view"]["asked"]
    return seat, people[seat]


def until(true: Any, seconds: float = 60) -> Any:
    """Wait until something is so; what it is."""
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
    return found


def clock_of(person: Person, seat: int) -> dict[str, Any]:
    """The clock of a seat as a person sees it."""
    return next(clock for clock in person.now()["clocks"] if clock["seat"] == seat)


def post(person: Person, path: str, **fields: Any) -> Any:
    """A form of the table."""
    return person.http.post(f"/t/{person.table}/{path}", data=fields, headers=JSON)


def late(people: list[Person]) -> int:
    """Somebody has run out of time; who."""
    seat, _ = asked(people)
    until(lambda: any(clock["missed"] for clock in people[0].now()["clocks"]))
    return seat


# --- which clock ------------------------------------------------------------------------------------------------------


def test_the_set_up_sheet_offers_every_clock_with_a_sentence_and_the_table_says_it(server: str):
    with table_of(server, clock="3d") as (ada, *_):
        page = ada.http.get("/new/rivals").text
        for word in clocks.PRESETS:
            said = clocks.sentence(parse(word))
            assert f'<option value="{word or "none"}">{said}</option>' in page
            assert said.endswith(".")
        assert ada.now()["table"]["clock"] == "Slow: 3 days for every decision."
        assert "Slow: 3 days for every decision." in ada.http.get(f"/t/{ada.table}").text


def test_a_clock_of_ones_own_goes_before_the_one_that_was_chosen(server: str):
    with table_of(server, clock="3d", own_clock="90+7") as (ada, *_):
        assert ada.now()["table"]["clock"] == "Live: 90 seconds for the match, 7 more with every decision."
        assert 'name="own_clock"' in ada.http.get("/new/rivals").text


@pytest.mark.parametrize("word", ["soon", "5", "0h", "99d", "180+0", "-1+5", "180+15+3", "40000+5", "1e3+5", "٣d", "3 d"])
def test_a_clock_that_cannot_be_is_refused_in_one_sentence(server: str, word: str):
    ada = Person(server)
    order = {"game": "kuhhandel", "players": 3, "name": "Ada", "clock": word}
    assert "no clock" in sentence(ada.http.post("/tables", data=order, headers=JSON), 400)
    with pytest.raises(BadSetup):
        parse(word)
    ada.http.close()


def test_without_a_clock_nobody_runs_out_and_none_is_shown(server: str):
    with table_of(server) as (ada, *_):
        assert ada.now()["clocks"] == []
        assert ada.now()["table"]["clock"].startswith("No clock")
        assert 'id="clocks" aria-label="Clocks" hidden' in ada.http.get(f"/t/{ada.table}").text


def test_a_live_clock_is_a_bank_and_an_increment_for_every_decision_and_never_saves_more_than_the_bank():
    clock = Clock("180+15", bank=180, increment=15)
    times = turned(clocks.begun(clock, 2), clock, 1000, (), {0})
    assert times[0] == Time(195, due=1195, since=1000)
    assert times[1] == Time(180)
    after = turned(times, clock, 1005, {0}, {1})  # answered at once: 190 were left, 180 are saved
    assert (after[0], after[1].due) == (Time(180, since=1000), 1200)
    slow = turned(times, clock, 1100, {0}, {1})
    assert slow[0].rest == 95
    gone = turned(times, clock, 1300, {0}, {0})  # nothing was left: the next decision has the increment
    assert gone[0].due == 1315


def test_three_lengths_of_a_match_have_three_names():
    with i18n.locale("de"):
        names = [clocks.sentence(parse(word)).partition(":")[0] for word in ("60+5", "180+15", "600+30")]
    assert names == ["Blitz", "Zügig", "In Ruhe"]


def test_a_slow_clock_gives_every_decision_a_time_of_its_own():
    clock = parse("12h")
    assert clock
    times = turned(clocks.begun(clock, 2), clock, 0, (), {0})
    later = turned(times, clock, 40_000, {0}, {0})
    assert (times[0].due, later[0].due) == (12 * 3600, 40_000 + 12 * 3600)


def test_whoever_answers_does_not_change_the_deadlines_of_those_who_are_asked_beside_them(server: str):
    with table_of(server, game="money", preset="seed", clock="600+30") as people:
        before = {clock["seat"]: clock["due"] for clock in people[0].now()["clocks"]}
        assert all(before.values())
        people[1].send({"do": "bid", "cards": []}, 0)
        seen = people[1].now()
        assert post(people[1], "move", decision=seen["decision"], text="stay out").json()["ok"]
        after = {clock["seat"]: clock["due"] for clock in people[0].now()["clocks"]}
        assert after == {**before, 1: None}


# --- the page ---------------------------------------------------------------------------------------------------------


def test_everybody_sees_the_time_of_who_is_asked_and_nothing_is_sent_while_it_runs(server: str):
    with table_of(server, clock="60+10") as people:
        seat, _ = asked(people)
        eve = Person(server)
        eve.table = people[0].table
        with line_to(eve) as line:
            first = hear(line, "regions")
            clock = clock_of(eve, seat)
            assert f'data-due="{clock["due"]}"' in first["regions"]["clocks"]
            assert 60_000 < clock["due"] - first["time"] <= 70_000
            with pytest.raises(TimeoutError):
                line.recv(timeout=2.5)
        eve.http.close()


def test_a_clock_is_a_region_of_its_own_and_a_move_changes_it(server: str):
    with table_of(server, clock="60+10") as people, line_to(people[2]) as line:
        hear(line, "regions")
        seat, mover = asked(people)
        assert mover.send({"do": "auction"}, 0).json()["ok"]
        news = hear(line, "regions")
        other = people[0].now()["view"]["asked"][0]
        assert other != seat
        assert f'data-due="{clock_of(mover, other)["due"]}"' in news["regions"]["clocks"]
        assert clock_of(mover, seat)["due"] is None


def test_pausing_stops_every_clock_and_going_on_starts_it_with_what_was_left(server: str):
    with table_of(server, clock=SHORT) as people:
        seat, _ = asked(people)
        assert post(people[0], "pace", paused="true").status_code == 200
        rested = clock_of(people[0], seat)
        assert rested["due"] is None
        assert rested["rest"] in (1, 2)
        time.sleep(2.2)
        assert clock_of(people[0], seat) == rested
        assert people[0].now()["log"] == []
        post(people[0], "pace", paused="false")
        assert 0 < clock_of(people[0], seat)["due"] / 1000 - time.time() < 2
        until(lambda: clock_of(people[0], seat)["missed"])


# --- who runs out -----------------------------------------------------------------------------------------------------


def test_who_runs_out_has_that_one_decision_played_by_a_bot_and_everybody_is_told(server: str):
    with table_of(server, clock=SHORT) as people:
        begun = time.time()
        seat, person = asked(people)
        due = clock_of(person, seat)["due"] / 1000
        assert 1 < due - begun < 2.5
        until(lambda: people[0].now()["log"])
        assert time.time() >= due
        name = people[0].now()["seats"][seat]["name"]
        for viewer in people:
            reasons = [line["reason"] for line in viewer.now()["log"] if line["seat"] == seat and line["move"] == 0]
            assert not any(reasons[1:])  # a move may take several lines
            assert reasons[0] == f"{name} had no time left, so a bot played this decision."
            assert viewer.now()["seats"][seat]["kind"] == "human"
        assert clock_of(people[0], seat)["missed"] >= 1  # while this was looked at, the time may have run out again


def test_who_comes_back_in_time_plays_on_and_is_late_no_longer(server: str):
    with table_of(server, clock="1+3") as people:
        seat = late(people)
        while True:
            one, person = asked(people)
            seen = person.now()
            choice = next((c for c in seen["legal"] if c["text"] in ("pass", "sell", "accept")), seen["legal"][0])
            move = {**choice["move"], **({"cards": choice["cards"]} if "cards" in choice else {})}
            assert person.send(move, seen["decision"]).json()["ok"], move
            if one == seat:
                break
        assert clock_of(people[0], seat)["missed"] == 0


def test_a_bot_takes_the_seat_only_when_all_other_people_agree(server: str):
    with table_of(server, clock=SHORT, pace="slow") as people:
        seat = late(people)
        post(people[0], "pace", paused="true")
        others = [n for n in range(3) if n != seat and not clock_of(people[0], n)["missed"]]
        assert len(others) == 2
        assert "other people" in sentence(post(people[seat], "vote", seat=seat), 403)
        assert post(people[others[0]], "vote", seat=seat).json() == {"ok": True}
        seen = people[seat].now()
        assert seen["seats"][seat]["kind"] == "human"
        assert (clock_of(people[seat], seat)["agree"], clock_of(people[seat], seat)["need"]) == (
            [seen["seats"][others[0]]["name"]],
            2,
        )
        post(people[others[0]], "vote", seat=seat, agree="false")
        assert clock_of(people[seat], seat)["agree"] == []
        for other in others:
            assert post(people[other], "vote", seat=seat).json() == {"ok": True}
        assert people[0].now()["seats"][seat]["kind"] == "bot"
        assert clock_of(people[0], seat)["away"]


def test_the_person_takes_the_seat_back_at_any_time_with_the_cookie_or_the_link(server: str):
    with table_of(server, clock=SHORT, pace="slow") as people:
        seat = late(people)
        post(people[0], "pace", paused="true")
        for other in range(3):
            if other != seat:
                post(people[other], "vote", seat=seat)
        person = people[seat]
        seen = person.now()
        assert seen["seats"][seat]["kind"] == "bot"
        assert "Take my seat back" in person.http.get(f"/t/{person.table}").text
        if seen["decision"] is not None:
            assert "take your seat back" in sentence(person.send({"do": "pass"}, seen["decision"]), 409)
        phone = Person(server)
        phone.table = person.table
        assert phone.take(person.links[person.table]).status_code == 200
        assert post(phone, "back").json() == {"ok": True}
        assert phone.now()["seats"][seat]["kind"] == "human"
        assert "yours" in sentence(post(phone, "back"), 409)
        phone.http.close()


def test_bad_votes_are_refused_in_one_sentence(server: str):
    with table_of(server, clock="60+10") as people:
        eve = Person(server)
        eve.table = people[0].table
        sentence(post(eve, "vote", seat=0), 403)
        sentence(post(eve, "back"), 403)
        for seat in ("", "x", "-1", "999", "²"):
            sentence(post(people[0], "vote", seat=seat), 400)
        sentence(post(people[0], "vote", seat=0, agree="maybe"), 400)
        sentence(post(people[0], "vote", seat=1, why="so"), 400)
        for seat in (0, 1, 7):
            assert "run out" in sentence(post(people[0], "vote", seat=seat), 409)
        eve.http.close()


def test_people_who_are_late_themselves_need_not_agree(tmp_path: Path):
    async def play() -> None:
        table = live_table(url_of(str(tmp_path / "tables.db")), "600+30")
        for seat in (0, 1):
            table.clock.times[seat] = Time(0, missed=1)
        await table.clock.vote(2, 0, True)
        assert [seat.kind for seat in table.seats] == ["bot", "human", "human"]
        await table.clock.vote(2, 1, True)
        assert [seat.kind for seat in table.seats] == ["bot", "bot", "human"]
        table.driver.stop()

    asyncio.run(play())


def test_people_who_have_been_away_for_minutes_need_not_agree_unless_a_decision_has_days(tmp_path: Path):
    async def play(clock: str) -> list[str]:
        (tmp_path / clock).mkdir()
        table = live_table(url_of(str(tmp_path / clock / "tables.db")), clock)
        table.votes._begun -= 2 * table.settings.gone
        table.clock.times[0] = Time(0, missed=1)
        table.online = [0, 1].__contains__  # type: ignore[method-assign]
        await table.clock.vote(1, 0, True)
        table.driver.stop()
        return [seat.kind for seat in table.seats]

    assert asyncio.run(play("600+30")) == ["bot", "human", "human"]
    assert asyncio.run(play("3d")) == ["human"] * 3


def live_table(url: str, clock: str, moments: Moments | None = None, **order: Any) -> Table:
    """A table of three people without a server."""
    settings = Settings(url)
    table, _ = at_once(Tables(Store(settings.database, moments), settings).create(
        Order("kuhhandel", 3, "Ada", seed=4, clock=clock, **order)
    ))
    for name in ("Ben", "Cy"):
        at_once(table.join(name))
    return table


# --- nothing is lost --------------------------------------------------------------------------------------------------


def test_a_deadline_survives_kill_9_and_the_time_without_a_server_is_added(tmp_path: Path):
    process, address = start(tmp_path / "tables.db")
    with table_of(address, clock="60+10") as people:
        seat, _ = asked(people)
        time.sleep(1)
        was = clock_of(people[0], seat)["due"] / 1000
        left = was - time.time()
        process.kill()
        killed = time.time()
        time.sleep(3)
        process, address = start(tmp_path / "tables.db")
        again = Person(address)
        again.table = people[0].table
        now = clock_of(again, seat)["due"] / 1000
        assert now - was >= time.time() - killed - 1.5
        assert left - 1.5 <= now - time.time() <= left + deadlines.BEAT
        again.http.close()
    stop(process)


@pytest.mark.slow
def test_an_auction_by_outcry_goes_on_with_what_was_left_after_kill_9(tmp_path: Path):
    process, address = start(tmp_path / "tables.db", auction_seconds=30)
    with table_of(address, **{"option:bidding": "realtime"}) as people:
        _, person = asked(people)
        assert person.send({"do": "auction"}, 0).json()["ok"]
        was = people[0].now()["table"]["closes"] / 1000
        process.kill()
        time.sleep(2)
        process, address = start(tmp_path / "tables.db", auction_seconds=30)
        again = Person(address)
        again.table = people[0].table
        now = again.now()["table"]["closes"] / 1000
        assert now - was >= 2
        assert 25 < now - time.time() <= 30
        again.http.close()
    stop(process)


def moves_in(path: Path) -> int:
    db = sqlite3.connect(path)
    found = db.execute("select count(*) from moves").fetchone()[0]
    db.close()
    return found


@pytest.mark.slow
def test_a_deadline_fires_after_a_restart_although_nobody_looks(tmp_path: Path):
    path = tmp_path / "tables.db"
    process, address = start(path)
    with table_of(address, clock="1+4"):
        process.kill()
    assert moves_in(path) == 0
    process, _ = start(path)
    until(lambda: moves_in(path))
    stop(process)


@pytest.mark.slow
def test_a_pause_survives_a_restart_and_its_clocks_rest(tmp_path: Path):
    path = tmp_path / "tables.db"
    process, address = start(path)
    with table_of(address, clock="1+1") as people:
        post(people[0], "pace", paused="true")
        process.kill()
        process, address = start(path)
        again = Person(address)
        again.table = people[0].table
        time.sleep(3)
        assert moves_in(path) == 0
        assert [clock["due"] for clock in again.now()["clocks"]] == [None] * 3
        again.http.close()
    stop(process)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.slow
def test_a_machine_that_slept_gives_the_time_back_and_a_watch_that_was_there_does_not(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
):
    url = url_of(str(tmp_path / "tables.db")) if kind == "sqlite" else str(request.getfixturevalue("database"))

    async def play() -> None:
        table = live_table(url, "600+30")
        store, now = table.store, time.time()
        (seat,) = table.clock.timed()
        due = table.clock.times[seat].due
        assert due
        assert not store.beat(now, 6)
        assert not store.beat(now + 2, 6)
        assert not store.beat(now + 7, 6)
        assert store.beat(now + 107, 6)
        assert not store.beat(now + 108, 6)
        stored = store.load(table.id)
        assert stored
        assert stored.times[seat].due == pytest.approx(due + 100)
        table.driver.stop()
        store.close()

    asyncio.run(play())


def test_a_deadline_set_while_nothing_else_ran_is_not_put_off_by_an_old_note(tmp_path: Path):
    async def play() -> None:
        now = time.time()
        store = Store(url_of(str(tmp_path / "tables.db")))
        store.beat(now - 10_000, 6)
        table = live_table(url_of(str(tmp_path / "tables.db")), "600+30")
        assert not store.beat(time.time() + 1, 6)
        table.driver.stop()

    asyncio.run(play())


# --- the clock on the wall --------------------------------------------------------------------------------------------


class Wall:
    """A clock that somebody sets, and one that nobody does."""

    def __init__(self, wall: float = 1_800_000_000.0):
        self.wall = wall
        self.even = 500.0

    def moments(self) -> Moments:
        """The time of a server that begins now."""
        return Moments(lambda: self.wall, lambda: self.even)

    def passes(self, seconds: float) -> None:
        """Time goes on."""
        self.wall += seconds
        self.even += seconds


AN_HOUR = pytest.mark.parametrize("change", [3600, -3600], ids=["forward", "back"])


def of_seat(table: Table) -> Time:
    """The time that runs."""
    (seat,) = table.clock.timed()
    return table.clock.times[seat]


@AN_HOUR
def test_setting_the_clock_on_the_wall_gives_nobody_time_and_takes_none(tmp_path: Path, change: float):
    async def play() -> None:
        wall = Wall()
        table = live_table(url_of(str(tmp_path / "tables.db")), "60+10", moments=wall.moments())
        (seat,) = table.clock.timed()
        assert of_seat(table).left(table.now()) == 70
        wall.passes(20)
        wall.wall += change
        assert of_seat(table).left(table.now()) == 50
        assert not table._is_late(seat)
        assert table.clock.thinking(seat) == (table.settings.thinking, 50)
        shown = next(face for face in clocks.faces(table, -1) if face.index == seat)
        assert shown.until.startswith(f"{datetime.fromtimestamp(wall.wall + 50, UTC):%Y-%m-%d %H:%M:%S}"), (
            "as the wall says it"
        )
        assert shown.due == round((table.now() + 50) * 1000)
        outcome = await table.play(seat, Command("0" * 32, 0, {"do": "auction"}))
        assert outcome.ok
        assert table.clock.times[seat].left(table.now()) == 50
        other = of_seat(table)
        wall.passes(69)
        assert other.left(table.now()) == 1
        wall.passes(1.5)
        assert table._is_late(*table.clock.timed())
        table.driver.stop()
        table.store.close()

    asyncio.run(play())


@AN_HOUR
@pytest.mark.parametrize("running", [True, False], ids=["while it ran", "while it did not"])
def test_nor_does_it_when_the_server_is_started_again(tmp_path: Path, change: float, running: bool):
    async def play() -> None:
        wall, url = Wall(), url_of(str(tmp_path / "tables.db"))
        table = live_table(url, "60+10", moments=wall.moments())
        (seat,) = table.clock.timed()
        wall.passes(20)
        wall.wall += change if running else 0
        table.store.beat(table.now(), 6)
        table.driver.stop()
        table.store.close()
        wall.passes(2)  # nobody is there
        wall.wall += 0 if running else change
        wall.even = 10.0  # a machine that was started anew counts from the beginning
        store = Store(url, wall.moments())
        store.beat(store.moments.now(), 0.0)
        stored = store.load(table.id)
        assert stored
        assert stored.times[seat].left(store.moments.now()) == pytest.approx(50)
        store.close()

    asyncio.run(play())


def test_a_server_that_is_behind_the_others_takes_over_their_time(tmp_path: Path):
    wall, url = Wall(), url_of(str(tmp_path / "tables.db"))
    late = Wall(wall.wall - 3600)
    one, other = Store(url, wall.moments()), Store(url, late.moments())
    one.beat(one.moments.now(), 6)
    assert not other.beat(other.moments.now(), 6)
    assert other.moments.now() == one.moments.now()
    late.passes(5)
    wall.passes(5)
    assert other.moments.now() == one.moments.now()
    for store in (one, other):
        store.close()


def test_a_time_of_days_is_said_in_days_and_hours():
    said = {
        0: "0:00",
        0.2: "0:01",
        247: "4:07",
        86_399: "23:59:59",
        86_400: "1 d 0 h",
        259_140: "2 d 23 h",
        172_860: "2 d 0 h",
    }
    assert {seconds: countdown(seconds) for seconds in said} == said
    with i18n.locale("de"):
        assert countdown(259_140) == "2 T 23 Std."


# --- several processes ------------------------------------------------------------------------------------------------


@pytest.fixture
def database(cluster: Cluster) -> str:
    """A new database."""
    return cluster.database()


@pytest.mark.slow
def test_of_two_processes_one_is_killed_and_the_other_fires_the_deadline(database: str):
    one, here = start(database)
    other, there = start(database)
    try:
        with table_of(here, clock="1+5") as people:
            seat, _ = asked(people)
            due = clock_of(people[0], seat)["due"] / 1000
            time.sleep(2)
            one.kill()
            again = Person(there)
            again.table = people[0].table
            assert clock_of(again, seat)["due"] / 1000 == due, "somebody was there all the time: nothing is added"
            until(lambda: again.now()["log"])
            assert due <= time.time() < due + 4
            assert "had no time left" in again.now()["log"][0]["reason"]
            again.http.close()
    finally:
        one.kill()
        stop(other)


@pytest.mark.slow
def test_a_vote_at_one_process_and_another_at_the_other_are_both_counted(database: str):
    one, here = start(database)
    other, there = start(database)
    try:
        with table_of(here, clock=SHORT, pace="slow") as people:
            seat = late(people)
            post(people[0], "pace", paused="true")
            voters = [n for n in range(3) if n != seat]
            there_too = Person(there)
            there_too.table = people[0].table
            there_too.take(people[voters[1]].links[people[0].table])
            assert post(people[voters[0]], "vote", seat=seat).status_code == 200
            until(lambda: clock_of(there_too, seat)["agree"])
            assert post(there_too, "vote", seat=seat).status_code == 200
            until(lambda: people[0].now()["seats"][seat]["kind"] == "bot")
            there_too.http.close()
    finally:
        stop(one)
        stop(other)


# --- in the browser ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_page_counts_down_by_the_clock_of_the_server_and_gives_an_order_by_one_click(
    server: str, browser: Any, size: tuple[int, int]
):
    with table_of(server, clock="60+10") as people, visitor(browser, size) as page:
        _, seller = asked(people)
        seller.send({"do": "auction"}, 0)
        seat, person = asked(people)
        sit(page, server + person.links[person.table])
        clock = page.locator("#clocks [data-due]")
        due = clock_of(person, seat)["due"] / 1000

        def right() -> bool:
            before, shown, after = due - time.time(), clock.text_content(), due - time.time()
            minutes, seconds = shown.split(":")
            return after - 1 <= int(minutes) * 60 + int(seconds) <= before + 1

        until(right)  # it may be about to be written
        page.wait_for_function("was => document.querySelector('#clocks [data-due]').textContent !== was", arg="2 d 23 h")
        fits(page)
        page.locator("#order > summary").click()
        slider = page.locator("#order input[type=range]")
        if slider.is_visible():
            slider.fill("50")
        else:
            page.locator("#order input[name=amount]").fill("5")
            page.locator("#order input[name=amount]").fill("50")
        fits(page)
        page.locator("#order button", has_text="At most 50").click()
        page.wait_for_selector("#orders .given")
        page.wait_for_selector("#order:not([open])")
        assert "up to 50, then you pass" in page.locator("#orders .given").text_content()
        until(lambda: person.now()["view"]["auction"]["bid"] == 10)
        page.locator("#orders .given button").click()
        page.wait_for_selector("#orders .given", state="detached")
        assert person.now()["orders"]["given"] == []
        assert clock_of(person, seat)["due"] is None


@pytest.mark.parametrize("zone", [pytest.param("America/Los_Angeles", marks=pytest.mark.deep), "Asia/Kolkata"])
def test_a_clock_of_days_says_days_and_hours_and_its_end_in_the_zone_of_the_reader(server: str, browser: Any, zone: str):
    with table_of(server, clock="3d") as people:
        seat, _person = asked(people)
        context = browser.new_context(timezone_id=zone, locale="en-GB")
        page = context.new_page()
        page.goto(f"{server}/t/{people[0].table}")
        clock = page.locator("#clocks [data-due]")
        page.wait_for_function("text => document.querySelector('#clocks [data-due]').textContent === text", arg="2 d 23 h")
        page.wait_for_selector("#clocks time:not([data-local])")
        due = datetime.fromtimestamp(clock_of(people[0], seat)["due"] / 1000, ZoneInfo(zone))
        assert f"{due:%H:%M:%S}" in clock.get_attribute("title")
        assert clock.get_attribute("datetime") == f"{due.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        context.close()
        bare = browser.new_context(timezone_id=zone, java_script_enabled=False).new_page()
        bare.goto(f"{server}/t/{people[0].table}")
        expect(bare.locator("#clocks [data-due]")).to_have_text(
            f"until {due.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC", use_inner_text=True
        )
        bare.context.close()


@pytest.mark.parametrize("game", ["rivals", "kuhhandel", "money"])
@pytest.mark.slow(but=("rivals",))
def test_the_time_of_who_is_shown_an_outcome_runs_three_seconds_later_and_saves_nothing(tmp_path: Path, game: str):
    url = url_of(str(tmp_path / "tables.db"))
    with closing(Store(url)) as store:
        tables = Tables(store, Settings(url))
        table, _ = at_once(tables.create(Order(game, 3, "Ada", clock="180+15", seed=2)))
        for name in ("Ben", "Cleo"):
            at_once(table.join(name))
        later, at_the_moment = 0, 0
        while not table.playing.over and len(table.playing.moves) < 120:
            seat, number, was = table.asked[0], len(table.playing.moves), set(table.asked)
            at_once(table.act(table.number, seat, table.playing.copy().random_move(seat, number)))
            for asked in set(table.asked) - was | {seat}.intersection(table.asked):
                seen = scene.live(table, asked, "")
                shown = any(seen.concerns(told) for told in seen.log if told.move == table.playing.numbers[-1])
                time = table.clock.times[asked]
                assert (time.since > table.now()) == shown
                assert time.left(table.now()) <= time.rest
                later, at_the_moment = later + shown, at_the_moment + (not shown)
        assert later
        assert at_the_moment
