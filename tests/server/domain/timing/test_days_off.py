"""Vacations and weekends: days that no clock counts, which everybody at a table sees, and which survive servers."""

from __future__ import annotations

import itertools
import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from outbid.core.errors import BadSetup
from outbid.server.domain.setup import Order
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.domain.timing import clocks
from outbid.server.moments import Moments
from outbid.server.settings import Refused, Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.people import PeopleStore
from outbid.server.storage.store import Store
from outbid.server.stored import DaysOff, KeptName, Time, days_off
from outbid.server.stored.days_off import DAY
from tests.support.browsing import DESK, PHONE, fits, visitor
from tests.support.houses import own_server
from tests.support.postgres import Cluster
from tests.support.serving import JSON, Person, at_once, sentence, start, stop, until

pytestmark = pytest.mark.slow

PASSWORD = "seven red cows"
HOUR = 3600.0

server = own_server()


def moment(text: str) -> float:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


FRIDAY, MONDAY = moment("2026-11-27 12:00"), moment("2026-11-30 12:00")


# --- what counts ------------------------------------------------------------------------------------------------------


def test_seconds_of_a_weekend_do_not_count():
    for begins, hours, ends in (
        ("2026-11-27 12:00", 11, "2026-11-27 23:00"),
        ("2026-11-27 12:00", 24, "2026-11-30 12:00"),
        ("2026-11-28 08:00", 1, "2026-11-30 01:00"),
        ("2026-11-29 23:59", 1, "2026-11-30 01:00"),
        ("2026-11-30 12:00", 5 * 24, "2026-12-07 12:00"),
        ("2026-11-27 00:00", 24, "2026-11-30 00:00"),
    ):
        assert days_off.later(moment(begins), hours * HOUR, weekends=True) == moment(ends)
        assert days_off.counted(moment(begins), moment(ends), weekends=True) == hours * HOUR


def test_a_deadline_is_never_on_a_weekend_and_leaves_the_seconds_there_were():
    chance = random.Random(1)
    for _ in range(2000):
        begins, seconds = FRIDAY + chance.uniform(0, 400 * DAY), chance.uniform(1, 30 * DAY)
        due = days_off.later(begins, seconds, weekends=True)
        assert datetime.fromtimestamp(due, UTC).weekday() < 5
        assert days_off.counted(begins, due, weekends=True) == pytest.approx(seconds, abs=1e-3)


def test_a_vacation_ends_at_midnight_and_each_day_it_touches_is_used_once():
    friday = (FRIDAY, days_off.midnight(FRIDAY, 3))
    assert friday[1] == moment("2026-11-30 00:00")
    assert days_off.last_day(friday[1]) == "2026-11-29"
    assert days_off.used([friday]) == {2026: 3}
    assert days_off.used([(FRIDAY, FRIDAY + 60), (FRIDAY + HOUR, days_off.midnight(FRIDAY, 1))]) == {2026: 1}


def test_a_vacation_over_the_end_of_a_year_takes_days_of_both():
    begins = moment("2026-12-20 15:00")
    whole = (begins, days_off.midnight(begins, 24))
    assert days_off.used([whole]) == {2026: 12, 2027: 12}
    days_off.check([whole])
    with pytest.raises(Refused, match="this would make 15 in 2027"):
        days_off.check([whole, (moment("2027-03-01 08:00"), moment("2027-03-04 00:00"))])


def test_only_clocks_of_a_day_or_more_have_days_off():
    assert [word for word in clocks.PRESETS if days_off.daily(word)] == ["1d", "3d"]
    assert days_off.daily("24h")
    assert not days_off.daily("23h")
    for word in ("", "180+15", "12h"):
        with pytest.raises(BadSetup, match="a day or more"):
            clocks.check_weekends(clocks.parse(word), True)


# --- at a table -------------------------------------------------------------------------------------------------------


class Wall:
    """A clock that a test sets."""

    def __init__(self, now: float):
        self.now = now

    def moments(self) -> Moments:
        """The time of a server that begins now."""
        return Moments(lambda: self.now, lambda: self.now)


class House:
    """Tables in a database without a server, at a time that is set."""

    def __init__(self, path: Path | str, wall: Wall):
        self.wall = wall
        url = url_of(str(path))
        self.store = Store(url, wall.moments())
        self.tables = Tables(self.store, Settings(url))
        self.people = PeopleStore(self.store)

    def keep(self) -> None:
        """Ada, Ben and Cy keep their names."""
        for name in ("ada", "ben", "cy"):
            self.people.keep(KeptName(name, name.title(), "-"), f"device of {name}")

    def table(self, clock: str = "3d", **order: Any) -> Table:
        """A table of all three."""
        table, _ = at_once(self.tables.create(Order("kuhhandel", 3, "Ada", seed=4, clock=clock, **order), "ada"))
        at_once(table.join("Ben", "ben"))
        at_once(table.join("Cy", "cy"))
        return table

    def rest(self, key: str, days: int) -> None:
        """Somebody takes or ends a vacation, as the page does it."""
        self.people.rest(key, days)
        at_once(self.rested())

    async def rested(self) -> None:
        """The tables have taken over what is new."""
        await self.tables.rested()
        for table in self.tables.live():
            await table.settled()

    def due(self, table: Table) -> float:
        """When the time of the one who is asked is up: at the table and in the database."""
        (asked,) = table.asked
        stored = self.store.load(table.id)
        assert stored
        assert stored.times[asked] == table.clock.times[asked]
        due = table.clock.times[asked].due
        assert due
        return due


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A house on a Friday at noon."""
    house = House(tmp_path / "tables.db", Wall(FRIDAY))
    house.keep()
    return house


def asked(table: Table) -> str:
    """The key of the one who is asked."""
    (seat,) = table.asked
    return table.seats[seat].name.lower()


def test_without_days_off_a_deadline_is_where_it_was(house: House):
    assert house.due(house.table()) == FRIDAY + 3 * DAY


def test_weekends_are_left_out_where_the_host_wants_it(house: House):
    table = house.table("1d", weekends=True)
    assert house.due(table) == MONDAY
    assert table.clock.left(table.asked[0]) == DAY
    house.wall.now = moment("2026-11-29 20:00")
    assert table.clock.left(table.asked[0]) == DAY / 2
    at_once(table.set_pace(None, paused=True))
    house.wall.now = moment("2026-12-04 18:00")
    at_once(table.set_pace(None, paused=False))
    assert house.due(table) == moment("2026-12-07 06:00")


def test_a_vacation_moves_the_deadline_and_its_end_brings_back_what_was_left(house: House):
    table = house.table()
    person = asked(table)
    house.wall.now += 5 * HOUR
    house.rest(person, 4)
    back = moment("2026-12-01 00:00")
    assert house.due(table) == back + 3 * DAY - 5 * HOUR
    house.wall.now = moment("2026-11-28 09:00")
    house.rest(person, 0)
    assert house.due(table) == moment("2026-11-28 09:00") + 3 * DAY - 5 * HOUR


def test_vacation_and_weekends_are_both_left_out(house: House):
    table = house.table("1d", weekends=True)
    house.rest(asked(table), 5)
    assert house.due(table) == moment("2026-12-03 00:00")


def test_who_is_asked_during_a_vacation_has_their_whole_time_after_it(house: House):
    house.rest("ben", 2)
    table = house.table()
    dues = {}
    for number in range(40):
        dues[asked(table)] = house.due(table)
        at_once(table.act(number, table.asked[0], random_move(table)))
    back = moment("2026-11-29 00:00")
    assert dues == {"ada": FRIDAY + 3 * DAY, "ben": back + 3 * DAY, "cy": FRIDAY + 3 * DAY}


def random_move(table: Table) -> dict[str, Any]:
    """One of the moves of who is asked."""
    match = table.playing.copy()
    match.random_move(table.asked[0], 1)
    return {key: value for key, value in match.moves[-1].items() if key != "seat"}


def test_a_vacation_runs_out_by_itself(house: House):
    table = house.table()
    house.rest(asked(table), 1)
    due = house.due(table)
    house.wall.now = due - 10
    assert not table.clock.on_vacation(table.asked[0])
    assert house.store.due(due + 1) == [table.id]
    assert table.clock.left(table.asked[0]) == 10


def test_days_that_are_used_do_not_come_back_and_more_than_there_are_is_refused(house: House):
    table = house.table()
    house.rest("ada", 3)
    house.rest("ada", 0)
    house.rest("ada", 1)  # the same day
    house.wall.now += 2 * DAY
    assert days_off.used(house.people.vacations("ada")) == {2026: 1}
    before = house.due(table)
    with pytest.raises(Refused, match="There are 14 days of vacation a year; this would make 15 in 2026"):
        house.rest("ada", 14)
    assert house.due(table) == before
    house.rest("ada", 13)
    assert days_off.used(house.people.vacations("ada")) == {2026: 14}


def test_no_other_clock_and_nobody_else_rests(house: House):
    tables = [house.table(clock) for clock in ("12h", "600+30", "3d")]
    before = [house.due(table) for table in tables]
    resting = {"ada", "ben"} - {asked(tables[2])}
    for person in ({asked(tables[0]), asked(tables[1])} | resting) - {asked(tables[2])}:
        house.rest(person, 5)
    assert [house.due(table) for table in tables] == before


def test_a_deadline_that_was_written_by_who_knew_of_no_vacation_is_moved(house: House):
    table = house.table()
    (seat,) = table.asked
    house.rest(asked(table), 3)
    due = house.due(table)
    table.clock.off, table.clock.times[seat] = DaysOff(), Time(3 * DAY).running(FRIDAY)
    house.store.set_times(table.id, {seat: table.clock.times[seat]})
    at_once(house.rested())
    assert house.due(table) == due
    house.store.set_times(table.id, {seat: replace(table.clock.times[seat], due=FRIDAY + 3 * DAY, vacation=0)})
    other = House(house.store.engine.url.database or "", house.wall)  # a server that begins
    again = other.tables.get(table.id)
    at_once(again.settled())
    assert other.due(again) == due


def test_the_time_without_a_server_counts_no_days_off_twice(house: House):
    tables = [house.table("1d", weekends=True), house.table("3d")]
    house.store.beat(FRIDAY, 6)
    house.rest(asked(tables[1]), 2)
    house.wall.now = moment("2026-11-30 10:00")
    other = House(house.store.engine.url.database or "", house.wall)
    assert other.store.beat(house.wall.now, 6)
    assert other.due(other.tables.get(tables[0].id)) == moment("2026-12-01 10:00")
    assert other.due(other.tables.get(tables[1].id)) == moment("2026-11-30 10:00") + 3 * DAY


def test_an_auction_by_outcry_waits_for_who_is_on_vacation(house: House):
    table = house.table("1d", options={"bidding": "realtime"})
    for number in itertools.count():
        if table.playing.clock:
            break
        at_once(table.act(number, table.asked[0], random_move(table)))
    assert table.clock.closes == FRIDAY + DAY
    house.rest("ben", 3)
    assert table.clock.closes == moment("2026-11-30 00:00") + DAY


def test_a_name_that_is_given_up_rests_no_longer(house: House):
    table = house.table()
    person = asked(table)
    house.rest(person, 4)
    house.wall.now += HOUR
    house.people.give_up(person)
    at_once(house.rested())
    assert house.due(table) == FRIDAY + HOUR + 3 * DAY
    assert house.people.vacations(person) == []


def test_processes_agree_on_postgresql(cluster: Cluster):
    wall = Wall(FRIDAY)
    url = cluster.database()
    ours, theirs = House(url, wall), House(url, wall)
    ours.keep()
    table = ours.table(weekends=True)
    there = theirs.tables.get(table.id)
    ours.rest(asked(table), 5)
    there.take_all()
    assert ours.due(table) == theirs.due(there) == moment("2026-12-05 00:00") + 2 * DAY
    assert theirs.store.load(table.id) == ours.store.load(table.id)


# --- over HTTP --------------------------------------------------------------------------------------------------------


def post(person: Person, path: str, **fields: Any) -> Any:
    """A form, sent by a program."""
    return person.http.post(path, data=fields, headers=JSON)


@contextmanager
def three(address: str, **order: Any) -> Iterator[list[Person]]:
    """Three people at a table, whose names are kept."""
    names = [f"{name} {secrets.token_hex(4)}" for name in ("Ada", "Ben", "Cy")]
    everybody = [Person(address) for _ in names]
    for person, name in zip(everybody, names, strict=True):
        assert post(person, "/name/keep", name=name, password=PASSWORD).status_code == 200
    everybody[0].order(**{"bots": "open", "name": names[0], **order})
    for person, name in zip(everybody[1:], names[1:], strict=True):
        person.join(everybody[0].table, name)
    yield everybody
    for person in everybody:
        person.http.close()


def asking(people: list[Person]) -> tuple[int, Person, Person]:
    """Which seat is asked, its person, and somebody else."""
    (seat,) = people[0].now()["view"]["asked"]
    return seat, people[seat], people[(seat + 1) % 3]


def of(person: Person, seat: int) -> dict[str, Any]:
    """The clock of a seat as a person sees it."""
    return next((clock for clock in person.now()["clocks"] if clock["seat"] == seat), {})


def absence(person: Person) -> dict[str, Any]:
    """What a program is told of a vacation."""
    return person.http.get("/name/vacation", headers=JSON).json()


def test_the_others_see_a_vacation_which_rests_the_clock_and_survives_the_server(tmp_path: Path):
    process, address = start(tmp_path / "tables.db")
    with three(address, clock="3d") as people:
        seat, person, other = asking(people)
        before = of(other, seat)["due"]
        assert absence(person) == {"last_day": None, "left": 14, "most": 14}
        assert post(person, "/name/vacation", days=3).status_code == 200
        last_day = absence(person)["last_day"]
        ends = (moment(last_day) + DAY) * 1000
        assert of(other, seat)["vacation"] == ends
        assert of(other, seat)["due"] == pytest.approx(ends + 3 * DAY * 1000, abs=60_000)
        assert f"on vacation until {last_day}" in other.http.get(f"/t/{other.table}").text
        page = person.http.get("/name").text
        assert f"You are on vacation until {last_day}." in page
        assert "11 days of this year are left." in page or not last_day.startswith(str(datetime.now(UTC).year))
        due = of(other, seat)["due"]
        process.kill()
        process.wait()
        process, _ = start(tmp_path / "tables.db", int(address.rpartition(":")[2]))
        assert of(other, seat)["due"] == pytest.approx(due, abs=120_000)
        assert of(other, seat)["vacation"] == ends
        assert post(person, "/name/vacation", days=0).status_code == 200
        assert of(other, seat)["vacation"] is None
        assert of(other, seat)["due"] == pytest.approx(before, abs=120_000)
        assert absence(person)["last_day"] is None
    stop(process)


def test_a_seat_that_is_not_asked_is_shown_only_with_its_vacation(server: str):
    with three(server, clock="1d") as people:
        seat, _, other = asking(people)
        idle = (seat + 1) % 3
        assert of(other, idle) == {}
        post(people[idle], "/name/vacation", days=2)
        assert of(people[seat], idle)["vacation"]
        assert of(people[seat], idle)["due"] is None
        assert of(people[seat], seat)["vacation"] is None


def test_what_is_no_vacation_is_refused_in_one_sentence(server: str):
    with three(server, clock="1d") as people:
        for days in ("", "-1", "15", "many", "1.5", "²"):
            assert "from 1 to 14 days" in sentence(post(people[0], "/name/vacation", days=days), 400)
        sentence(post(people[0], "/name/vacation", days=1, why="so"), 400)
        assert absence(people[0]) == {"last_day": None, "left": 14, "most": 14}
        eve = Person(server)
        assert "not signed in" in sentence(post(eve, "/name/vacation", days=1), 403)
        assert "not signed in" in sentence(eve.http.get("/name/vacation", headers=JSON), 403)
        eve.http.close()


def test_a_vacation_is_in_what_is_kept_of_a_name_and_goes_with_it(server: str):
    with three(server, clock="1d") as people:
        seat, person, other = asking(people)
        post(person, "/name/vacation", days=1)
        (kept,) = person.http.get("/name/data").json()["vacations"]
        assert kept["begins"] < kept["ends"]
        assert post(person, "/name/give-up", password=PASSWORD).status_code == 200
        assert of(other, seat)["vacation"] is None


def test_weekends_are_offered_said_and_listed(server: str):
    said = "Slow: 1 day for every decision. Saturday and Sunday (UTC) are off the clock."
    with three(server, clock="1d", weekends="true") as people:
        table = people[0].now()["table"]
        assert (table["clock"], table["weekends"]) == (said, True)
        assert said in people[0].http.get(f"/t/{people[0].table}").text
        due = of(people[0], asking(people)[0])["due"] / 1000
        assert datetime.fromtimestamp(due, UTC).weekday() < 5
    host = Person(server)
    host.order(bots="open", clock="1d", weekends="true", listed="true", players=4)
    assert said in host.http.get(f"/t/{host.table}").text
    assert said in host.http.get("/").text
    assert host.now()["table"].get("weekends") is None, "before the match programs are told less"
    again = Person(server)
    again.order(bots="open", clock="1d")
    assert "are off the clock" not in again.http.get(f"/t/{again.table}").text
    for person in (host, again):
        person.http.close()


def test_weekends_are_refused_where_there_are_no_days(server: str):
    ada = Person(server)
    for fields in ({}, {"clock": "none"}, {"clock": "12h"}, {"clock": "1d", "own_clock": "180+15"}):
        order = {"game": "kuhhandel", "players": 3, "name": "Ada", "bots": "random", "weekends": "true", **fields}
        assert "a day or more" in sentence(ada.http.post("/tables", data=order, headers=JSON), 400)
        sheet = {key: value for key, value in order.items() if key != "game"}
        page = ada.http.post("/new/kuhhandel", data=sheet)
        assert page.status_code == 400
        assert "a day or more: choose 1d or 3d." in page.text
    order = {"game": "kuhhandel", "players": 3, "name": "Ada", "bots": "random", "clock": "3d", "weekends": "perhaps"}
    assert "true or false" in sentence(ada.http.post("/tables", data=order, headers=JSON), 400)
    ada.http.close()


@pytest.mark.slow
def test_two_processes_on_postgresql_agree_on_a_vacation(cluster: Cluster):
    database = cluster.database()
    process, address = start(database)
    neighbour, elsewhere = start(database)
    try:
        with three(address, clock="3d", weekends="true") as people:
            seat, person, _ = asking(people)
            guest = Person(elsewhere)
            guest.table = person.table
            before = of(guest, seat)["due"]
            post(person, "/name/vacation", days=5)
            until(lambda: of(guest, seat)["vacation"])
            assert of(guest, seat) == of(person, seat)
            post(person, "/name/vacation", days=0)
            until(lambda: not of(guest, seat)["vacation"])
            assert of(guest, seat)["due"] == pytest.approx(before, abs=120_000)
            guest.http.close()
    finally:
        stop(process)
        stop(neighbour)


# --- in the browser ---------------------------------------------------------------------------------------------------


def signed_in(page: Any, person: Person) -> None:
    """A page has the cookies of a person."""
    url = str(person.http.base_url)
    page.context.add_cookies([{"name": c.name, "value": c.value, "url": url} for c in person.http.cookies.jar])


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_of_the_name_the_sheet_and_the_table_fit(server: str, browser: Any, language: str):
    with three(server, clock="3d", weekends="true") as people:
        _, person, other = asking(people)
        post(person, "/name/vacation", days=3)
        for who, path, words in (
            (person, "/name", {"en": "You are on vacation until", "de": "Du hast Urlaub bis"}),
            (other, f"/t/{other.table}", {"en": "on vacation until", "de": "im Urlaub bis"}),
            (other, "/new/rivals", {"en": "Weekends", "de": "Wochenenden"}),
        ):
            for size in (DESK, PHONE):
                with visitor(browser, size, locale=language) as page:
                    signed_in(page, who)
                    page.goto(server + path)
                    page.get_by_text(words[language]).first.wait_for(state="attached")
                    fits(page)


@pytest.mark.slow
def test_a_vacation_is_taken_changed_and_ended_on_the_page_without_script(server: str, browser: Any):
    with three(server, clock="3d") as people, visitor(browser, PHONE, script=False) as page:
        _, person, _ = asking(people)
        signed_in(page, person)
        for days, button in ((2, "Begin it now"), (5, "Change its end")):
            page.goto(f"{server}/name")
            page.get_by_label("Days, today included").fill(str(days))
            page.get_by_role("button", name=button).click()
            page.get_by_text("You are on vacation until").wait_for()
        page.get_by_role("button", name="End it now").click()
        page.get_by_role("button", name="Begin it now").wait_for()
        assert absence(person)["left"] in (12, 13)  # midnight may have been in between
