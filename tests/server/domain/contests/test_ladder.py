"""The ladder: who is rated and when, what a rating is, and that it is gone with the name of its owner."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openskill.models import PlackettLuce
from sqlalchemy.exc import OperationalError

from outbid.bots import BOTS, Seat
from outbid.bots.executor import InProcess
from outbid.core.record import read_record
from outbid.server.domain import records, scene
from outbid.server.domain.contests import ladder
from outbid.server.domain.contests.ladder import places, rated
from outbid.server.domain.people import seating
from outbid.server.domain.setup import Order
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.domain.timing import clocks
from outbid.server.settings import Refused, Settings
from outbid.server.storage import ratings
from outbid.server.storage.opening import url_of
from outbid.server.storage.people import PeopleStore
from outbid.server.storage.ratings import climb, climbs
from outbid.server.storage.store import Store
from outbid.server.stored import BOT, HUMAN, MU, SIGMA, KeptName, Rating
from tests.support.postgres import Cluster
from tests.support.serving import JSON, Person, at_once, sentence, serving

pytestmark = pytest.mark.slow


def rungs(store: Any, mine: str | None = None) -> dict[str, list[ladder.LadderRow]]:
    """The ladder as the page has it."""
    return ladder.rungs(ratings.shown(store), mine)


class Club:
    """A server's database where people keep names; those in `climbing` stand on the ladder."""

    def __init__(self, url: str, climbing: tuple[str, ...] = ("Ada", "Ben")):
        self.settings = Settings(url, pace="slow")
        self.store = Store(url)
        self.tables = Tables(self.store, self.settings, InProcess())
        self.people = PeopleStore(self.store)
        for name in ("Ada", "Ben", "Cy"):
            self.people.keep(KeptName(name.casefold(), name, "hash"), f"device of {name}")
            if name in climbing:
                climb(self.store, name.casefold(), True)

    def table(self, *people: str, bots: int = 0, guests: int = 0, **order: Any) -> Table:
        """A table of these people, who keep their names, of bots and of guests without a name."""
        seats = ("open",) * (len(people) - 1 + guests) + ("steady",) * bots
        order = {"game": "claim", "seed": 3, "pace": "slow", **order}
        made, _ = at_once(self.tables.create(
            Order(players=len(seats) + 1, name=people[0], bots=seats, **order), people[0].casefold()
        ))
        for name in people[1:]:
            at_once(made.join(name, name.casefold()))
        for number in range(guests):
            at_once(made.join(f"Guest {number}"))
        return made

    def ratings(self) -> dict[str, int]:
        """How many matches everybody has who is rated at claim."""
        return {one.name: one.matches for one in rungs(self.store).get("claim", [])}


@pytest.fixture
def club(tmp_path: Path):
    """A club of its own."""
    made = Club(url_of(str(tmp_path / "tables.db")))
    yield made
    made.store.close()


def step(table: Table, by: str = "") -> None:
    """One move of whoever is asked; by: the bot that makes it instead."""
    seat = table.playing.asked[0]
    at_once(table._play(seat, BOTS["steady"].decide(Seat.of(table.playing, seat, 1)).actions, None, ({}, {}), by=by))


def play(table: Table) -> Table:
    """Play a match to its end."""
    while table.status != "over":
        step(table)
    return table


# --- which matches count ----------------------------------------------------------------------------------------------


def test_a_match_of_people_on_the_ladder_gives_each_of_them_a_rating_when_it_ends(club: Club):
    table = club.table("Ada", "Ben")
    while table.status != "over":
        assert club.ratings() == {}
        step(table)
    found = {one.name: one for one in rungs(club.store)["claim"]}
    assert {name: one.matches for name, one in found.items()} == {"Ada": 1, "Ben": 1}
    first, second = (found[table.seats[seat].name] for seat in sorted((0, 1), key=places(*ended(table)).__getitem__))
    assert first.rating > second.rating
    assert first.give < 2 * ladder.SCALE * SIGMA


def ended(table: Table) -> tuple[Any, Any]:
    return table.playing.scores, table.playing.winners


def test_ratings_survive_a_restart_and_no_match_is_rated_twice(club: Club):
    table = play(club.table("Ada", bots=2))
    before = rungs(club.store)
    assert club.ratings() == {"Ada": 1, "steady": 1}
    store = Store(club.settings.database)
    again = Tables(store, club.settings, InProcess())
    assert again.get(table.id).status == "over"
    assert rungs(store) == before
    store.close()


def test_the_rating_is_written_with_the_last_move_or_neither_is(club: Club, monkeypatch: pytest.MonkeyPatch):
    table = club.table("Ada", "Ben")
    while True:
        before = table.playing.copy()
        probe = before.copy()
        seat = probe.asked[0]
        probe.play_steps(seat, BOTS["steady"].decide(Seat.of(probe, seat, 1)).actions)
        if probe.over:
            break
        step(table)
    row = ratings._row

    def torn(*rest: Any) -> Any:
        raise OperationalError("UPDATE", {}, Exception("the disk is full"))

    monkeypatch.setattr(ratings, "_row", torn)
    with pytest.raises(Refused, match="not made"):
        step(table)
    assert table.status == "playing"
    assert club.store.statuses()["over"] == 0
    monkeypatch.setattr(ratings, "_row", row)
    assert club.ratings() == {}
    step(table)
    assert club.ratings() == {"Ada": 1, "Ben": 1}


def test_a_rating_that_cannot_be_computed_stops_no_match(club: Club, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ladder, "rated", lambda *rest: 1 / 0)
    assert play(club.table("Ada", "Ben")).status == "over"


def test_only_who_wants_it_is_rated_and_the_others_are_left_out(club: Club):
    play(club.table("Ada", "Ben", "Cy", guests=1))
    assert club.ratings() == {"Ada": 1, "Ben": 1}
    play(club.table("Cy", bots=1))
    play(club.table("Ada", "Cy"))
    assert club.ratings() == {"Ada": 1, "Ben": 1}


def test_where_a_match_counts_there_are_no_hints_and_people_are_told_before_it_begins(club: Club):
    table = club.table("Ada", "Ben", starts="host")
    assert "counts for the ladder: there are no hints" in ladder.announced(table)
    assert table.hints.sentence == "Hints: none, as the match counts for the ladder."
    alone = club.table("Ada", bots=1)
    assert (alone.hints.on, alone.hints.sentence) == (False, "Hints: none, as the match counts for the ladder.")
    with pytest.raises(Refused, match="no hints"):
        asyncio.run(alone.hints.take(0))
    climb(club.store, "ada", False)
    assert not alone.hints.on  # as it began


def test_a_match_that_counts_has_a_clock_and_people_are_told_before_it_begins(club: Club):
    table = club.table("Ada", "Ben", starts="host")
    assert scene.about(table, "").clock == "Slow: 3 days for every decision."
    at_once(seating.start(table))
    again = Tables(club.store, club.settings, InProcess())
    for begun in (table, again.get(table.id), club.table("Ada", bots=1), club.table("Ada", "Ben", guests=1)):
        assert begun.clock.clock == clocks.parse("3d")
        assert begun.clock.soonest
    assert club.table("Ada", bots=1, clock="60+10").clock.clock == clocks.parse("60+10")
    for casual in (club.table("Ada", bots=1, hints="on"), club.table("Ada", "Cy"), club.table("Cy", bots=1)):
        assert casual.clock.clock is None
        assert scene.about(casual, "").clock == "No clock: everybody takes the time they need."


def unclocked(club: Club, table: Table) -> Table:
    """A match as it was when it began before all that count had a clock."""
    with club.store.engine.begin() as db:
        db.exec_driver_sql("UPDATE tables SET clock = ''")
        db.exec_driver_sql("DELETE FROM clocks")
    return Tables(club.store, club.settings, InProcess()).get(table.id)


def test_a_match_without_a_clock_that_was_begun_as_one_that_counts_goes_on_so(club: Club):
    table = unclocked(club, club.table("Ada", bots=1))
    assert table.clock.clock is None
    assert table.votes.pausable
    play(table)
    assert club.ratings() == {"Ada": 1, "steady": 1}


def test_where_a_match_counts_nobody_pauses_it(club: Club):
    table = club.table("Ada", bots=1)
    with pytest.raises(Refused, match="no pauses in a match that counts"):
        at_once(table.votes.wish(0, "pause"))
    assert not table.paused
    casual = club.table("Cy", bots=1, clock="3d")
    at_once(casual.votes.wish(0, "pause"))
    assert casual.paused


def test_where_a_match_counts_one_person_ends_the_pause_that_it_has_from_before(club: Club):
    table = club.table("Ada", "Ben")
    at_once(table.set_pace(None, True, [0]))
    for seat in range(2):
        table.votes.see(seat)
    at_once(table.votes.wish(1, "go on"))
    assert not table.paused
    casual = club.table("Ada", "Cy", clock="3d")
    at_once(casual.set_pace(None, True, [0]))
    for seat in range(2):
        casual.votes.see(seat)
    at_once(casual.votes.wish(1, "go on"))
    assert casual.paused


def test_no_match_begins_paused(club: Club):
    """Whoever paused it before would keep one that counts from ending."""
    table = club.table("Ada", "Ben", starts="host")
    with pytest.raises(Refused, match="being played can be paused"):
        at_once(table.set_pace(None, True, [0]))
    assert not table.paused
    old = club.table("Ada", "Ben", starts="host")
    club.store.pace(old.id, "slow", True, by=[0])  # as it could be paused once
    waiting = Tables(club.store, club.settings, InProcess()).get(old.id)
    waiting.votes.paused([0])
    assert waiting.paused
    at_once(seating.start(waiting))
    for begun in (waiting, Tables(club.store, club.settings, InProcess()).get(old.id)):
        assert (begun.status, begun.paused, begun.votes.wishes) == ("playing", False, frozenset())
        assert begun.clock.soonest


async def runs_out(table: Table) -> int:
    """The person who is asked alone has no time left; which seat."""
    (seat,) = table.playing.asked
    table.clock.times[seat] = replace(table.clock.times[seat], rest=0, due=table.now() - 1)
    actions = BOTS["steady"].decide(Seat.of(table.playing, seat, 1)).actions
    await table.act(len(table.playing.moves), seat, actions, late=True, by="steady")
    await table.settled()
    return seat


def test_who_stops_playing_bots_is_played_for_to_the_end_and_the_match_is_rated(club: Club):
    table = club.table("Ada", bots=1)
    while table.playing.asked != (0,):
        step(table)
    at_once(runs_out(table))
    assert table.seats[0].away
    play(table)
    assert club.ratings() == {"Ada": 1, "steady": 1}
    assert rating(club, "Ada") < rating(club, "steady")


def test_who_runs_out_of_time_among_people_is_played_for_on_if_they_agree_or_have_run_out_too(club: Club):
    table = club.table("Ada", "Ben")
    late = at_once(runs_out(table))
    assert not table.seats[late].away
    while table.playing.asked == (late,):
        at_once(runs_out(table))
        assert not table.seats[late].away
    at_once(runs_out(table))
    assert all(seat.away for seat in table.seats)


def test_in_a_match_that_does_not_count_who_runs_out_of_time_keeps_the_seat(club: Club):
    table = club.table("Cy", bots=1, clock="3d")
    while table.playing.asked != (0,):
        step(table)
    at_once(runs_out(table))
    assert not table.seats[0].away


def test_a_table_made_with_hints_does_not_count_from_its_beginning(club: Club):
    table = club.table("Ada", bots=1, hints="on")
    assert table.hints.on
    assert ladder.announced(table) == ""
    assert play(table).status == "over"
    assert club.ratings() == {}


def test_nobody_is_told_that_a_match_counts_where_nobody_would_be_rated(club: Club):
    assert ladder.announced(club.table("Cy", starts="host", bots=1)) == ""
    assert ladder.announced(club.table("Ada", "Cy", starts="host")) == ""
    assert ladder.announced(club.table("Ada", starts="host", bots=1)) != ""


def first(table: Table) -> int:
    """The seat that will win if everybody plays on as `step` does."""
    match = table.playing.copy()
    while not match.over:
        seat = match.asked[0]
        match.play_steps(seat, BOTS["steady"].decide(Seat.of(match, seat, 1)).actions)
    return match.winners[0]


def rating(club: Club, name: str) -> int:
    """The rating of somebody at claim."""
    return next(one.rating for one in rungs(club.store)["claim"] if one.name == name)


def test_a_player_who_leaves_takes_the_last_place_and_the_others_are_rated_as_they_stand(club: Club):
    climb(club.store, "cy", True)
    table = club.table("Ada", "Ben", "Cy")
    left = first(table)
    at_once(table.substitute(left))
    play(table)
    assert table.playing.winners == [left]
    points = table.playing.scores
    one, two = (seat for seat in range(3) if seat != left)
    ranked = [rating(club, seat.name) for seat in table.seats]
    assert ranked[left] < min(ranked[one], ranked[two])
    assert (ranked[one] > ranked[two], ranked[one] == ranked[two]) == (points[one] > points[two], points[one] == points[two])


def test_a_player_who_left_and_came_back_before_a_bot_moved_is_rated_as_the_match_ends(club: Club):
    table = club.table("Ada", "Ben")
    best = first(table)
    at_once(table.substitute(best))
    at_once(table.give_back(best))
    play(table)
    assert rating(club, table.seats[best].name) > rating(club, table.seats[1 - best].name)


def test_a_player_for_whom_a_bot_made_a_move_takes_the_last_place(club: Club):
    """Whether time had run out or the bot had been asked to play on."""
    table = club.table("Ada", "Ben")
    best = first(table)
    while best not in table.playing.asked:
        step(table)
    step(table, by="steady")
    assert club.tables.get(table.id).seats[best].kind == "human"
    play(table)
    assert table.playing.winners == [best]
    assert rating(club, table.seats[best].name) < rating(club, table.seats[1 - best].name)


def test_a_match_in_which_a_bot_was_stood_in_for_is_not_rated_and_its_record_says_so_also_after_a_restart(club: Club):
    table = club.table("Ada", bots=1)
    while table.playing.asked != (1,):
        step(table)
    number = len(table.playing.moves)
    step(table, by="steady")
    again = Tables(club.store, club.settings, InProcess()).get(table.id)
    play(again)
    assert club.ratings() == {}
    record = again.playing.record()
    assert [n for n, move in enumerate(record["moves"]) if "by" in move] == [number]
    assert record["moves"][number]["by"] == "steady"
    assert read_record(record).over  # a replay ignores it
    stored = club.store.load(table.id)
    assert stored
    exported = records.verified(stored)
    assert exported.record() == record
    assert records.id_of(exported) == records.id_of(read_record(record))  # it is not imported beside itself


def test_a_match_that_was_not_played_to_its_end_does_not_count(club: Club):
    table = club.table("Ada", "Ben")
    step(table)
    at_once(club.tables.delete(table.id))
    assert club.ratings() == {}


def test_a_match_of_one_person_against_itself_does_not_count(club: Club):
    table = club.table("Ada", "Ben")
    club.people.own("ada", {table.id: table.seats[1].token or ""}, lambda name: True)
    play(table)
    assert club.ratings() == {}


def test_a_match_by_other_rules_than_those_of_the_game_and_its_presets_does_not_count(club: Club):
    game = {"game": "kuhhandel", "options": {"overbid": "forbidden"}, "preset": "quick", "bots": 2}
    for setup, written in ((game, False), ({"game": "kuhhandel", "preset": "quick", "bots": 2}, True),
                           ({"game": "kuhhandel", "bots": 2}, True)):  # fmt: skip
        table = club.table("Ada", **setup)
        assert bool(ladder.ending(table, table.playing)) == written


def test_a_rating_is_kept_and_hidden_while_its_owner_is_away_and_erased_with_the_name(club: Club):
    play(club.table("Ada", "Ben", bots=1))
    before = rating(club, "Ada")
    climb(club.store, "ada", False)
    assert not climbs(club.store, "ada")
    assert club.ratings() == {"Ben": 1, "steady": 1}
    climb(club.store, "ada", True)
    assert (club.ratings(), rating(club, "Ada")) == ({"Ada": 1, "Ben": 1, "steady": 1}, before)
    climb(club.store, "ada", False)
    for name in ("ada", "ben"):
        club.people.give_up(name)
    assert rungs(club.store) == {}  # where only bots are left there is no ladder
    with club.store.engine.connect() as db:
        assert db.exec_driver_sql("SELECT player FROM ratings").all() == [("steady",)]
    club.people.keep(KeptName("ada", "Ada", "hash"), "another device")
    climb(club.store, "ada", True)
    assert "Ada" not in club.ratings()


def test_leaving_the_ladder_or_joining_it_in_the_middle_of_a_match_changes_nothing_about_that_match(club: Club):
    table = club.table("Ada", "Ben", "Cy")
    step(table)
    climb(club.store, "ada", False)
    climb(club.store, "cy", True)
    play(table)
    assert club.ratings() == {"Ben": 1}
    climb(club.store, "ada", True)
    assert club.ratings() == {"Ada": 1, "Ben": 1}


# --- what a rating is -------------------------------------------------------------------------------------------------


def test_the_winners_come_first_and_then_the_points_count():
    assert places([5, 9, 7], [1]) == [2, 0, 1]
    assert places([5, 9, 9], [0]) == [0, 1, 1]  # who has the most points need not have won
    assert places([4, 4, 1], [0, 1]) == [0, 0, 2]


ADA, BEN, STEADY = (HUMAN, "ada"), (HUMAN, "ben"), (BOT, "steady")


def test_a_rating_is_openskill_s_plackett_luce():
    model = PlackettLuce()
    (one,), (two,), (three,) = model.rate(
        [[model.rating(mu=30, sigma=5)], [model.rating(mu=25, sigma=8)], [model.rating(mu=20, sigma=2)]], ranks=[1, 0, 1]
    )
    old = {ADA: Rating(30, 5, 3), BEN: Rating(25, 8, 0), STEADY: Rating(20, 2, 90)}
    new = rated(old, [(ADA, 1), (BEN, 0), (STEADY, 1)])
    assert new[ADA] == pytest.approx((one.mu, one.sigma, 4))
    assert new[BEN] == pytest.approx((two.mu, two.sigma, 1))
    assert new[STEADY] == pytest.approx((three.mu, three.sigma, 91))


def test_who_loses_to_the_weaker_falls_and_uncertainty_shrinks():
    new = rated({ADA: Rating(), BEN: Rating(MU - 5)}, [(ADA, 1), (BEN, 0)])
    assert new[ADA].mu < MU
    assert new[BEN].mu > MU - 5
    assert max(new[ADA].sigma, new[BEN].sigma) < SIGMA


def test_a_bot_in_several_seats_is_rated_once_by_their_mean():
    old = {ADA: Rating(), STEADY: Rating()}
    new = rated(old, [(ADA, 1), (STEADY, 0), (STEADY, 2)])
    model = PlackettLuce()
    (mine,), (first,), (last,) = model.rate([[model.rating()] for _ in range(3)], ranks=[1, 0, 2])
    assert new[STEADY] == pytest.approx(((first.mu + last.mu) / 2, (first.sigma + last.sigma) / 2, 1))
    assert new[ADA] == pytest.approx((mine.mu, mine.sigma, 1))


def test_steady_stands_at_the_anchor_and_the_order_is_by_what_is_all_but_certain(club: Club):
    people = [(HUMAN, "ada", 30.0, 8.0, 3), (HUMAN, "ben", 29.0, 1.0, 10)]
    rows = [*people, (BOT, "steady", 26.0, 1.0, 99), (BOT, "random", 15.0, 1.0, 9)]
    with club.store.engine.begin() as db:
        for row in rows:
            db.exec_driver_sql("INSERT INTO ratings VALUES (?, ?, 'rivals', ?, ?, ?)", (*row[:2], *row[2:]))
    found = rungs(club.store, "ada")["rivals"]
    assert [(one.rank, one.name, one.rating, one.give, one.provisional, one.mine, one.bot) for one in found] == [
        (1, "Ben", 1090, 60, False, False, False),
        (2, "steady", 1000, 60, False, False, True),
        (3, "Ada", 1120, 480, True, True, False),
        (4, "random", 670, 60, True, False, True),
    ]


@pytest.mark.slow
def test_postgresql_rates_as_sqlite_does(club: Club, cluster: Cluster):
    other = Club(cluster.database())
    for one in (club, other):
        for _ in range(2):
            play(one.table("Ada", "Ben", bots=1))
    assert [one.rating for one in rungs(club.store)["claim"]] == [one.rating for one in rungs(other.store)["claim"]]
    other.store.close()


# --- the page ---------------------------------------------------------------------------------------------------------


def test_people_choose_to_stand_on_the_ladder_and_everybody_can_read_it(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        ada, eve = Person(address), Person(address)
        assert "Nobody stands here yet" in eve.http.get("/ladder").text
        assert eve.http.get("/ladder", headers=JSON).json() == {"games": {}, "agents": {}}
        assert "not signed in" in sentence(eve.http.post("/name/ladder", data={"on": "true"}, headers=JSON), 403)
        named = {"name": "<Ada>", "password": "seven red cows"}
        assert ada.http.post("/name/keep", data=named, headers=JSON).json()["ok"]
        assert "Stand on the ladder" in ada.http.get("/name").text
        assert "true or false" in sentence(ada.http.post("/name/ladder", data={"on": "x"}, headers=JSON), 400)
        assert ada.http.post("/name/ladder", data={"on": "true"}, headers=JSON).json()["ok"]
        assert "Leave the ladder" in ada.http.get("/name").text
        clock = "A match that counts for the ladder has a clock: without one, three days for every decision."
        assert clock in ada.http.get("/").text
        assert clock in ada.http.get("/new/claim").text
        assert clock not in eve.http.get("/").text
        ada.order(game="claim", players=2, preset="seed", bots="steady", name="<Ada>")
        while (seen := ada.asked())["table"]["status"] != "over":
            choice = seen["legal"][0]
            move = {**choice["move"], **({"amount": choice["amounts"][0]} if "amounts" in choice else {})}
            move |= {"cards": choice["cards"]} if "cards" in choice else {}
            move = choice["moves"][0] if "moves" in choice else move
            assert ada.send(move, seen["decision"]).json()["ok"]
        (rung, other) = sorted(eve.http.get("/ladder", headers=JSON).json()["games"]["claim"], key=lambda one: one["bot"])
        assert (rung["name"], rung["matches"], rung["provisional"]) == ("<Ada>", 1, True)
        assert (other["name"], other["rating"]) == ("steady", 1000)
        page = eve.http.get("/ladder").text
        assert "&lt;Ada&gt;" in page
        assert "<Ada>" not in page
        assert "provisional" in page
        assert ada.http.post("/name/ladder", data={"on": "false"}, headers=JSON).json()["ok"]
        assert eve.http.get("/ladder", headers=JSON).json() == {"games": {}, "agents": {}}
        for person in (ada, eve):
            person.http.close()
