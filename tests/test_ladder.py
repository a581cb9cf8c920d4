"""The ladder: who is rated and when, what a rating is, and that it is gone with whoever it is of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openskill.models import PlackettLuce
from postgres import Cluster, needed
from serving import JSON, Person, sentence, serving
from sqlalchemy.exc import OperationalError

from outbid.bots import BOTS, Seat
from outbid.bots.minds import Here
from outbid.server import ladder
from outbid.server.ladder import BOT, HUMAN, MU, SIGMA, Rating, climb, climbs, places, rated, rungs
from outbid.server.orders import Order
from outbid.server.registry import Kept, Registry
from outbid.server.settings import Refused, Settings
from outbid.server.store import Store, url_of
from outbid.server.tables import Table, Tables


class Club:
    """A server's database where people keep names; those in `climbing` stand on the ladder."""

    def __init__(self, url: str, climbing: tuple[str, ...] = ("Ada", "Ben")):
        self.settings = Settings(url, pace="slow")
        self.store = Store(url)
        self.tables = Tables(self.store, self.settings, Here())
        self.registry = Registry(self.store)
        for name in ("Ada", "Ben", "Cy"):
            self.registry.keep(Kept(name.casefold(), name, "hash"), f"device of {name}")
            if name in climbing:
                climb(self.store, name.casefold(), True)

    def table(self, *people: str, bots: int = 0, guests: int = 0, **order: Any) -> Table:
        """A table of these people, who keep their names, of bots and of guests without a name."""
        seats = ("open",) * (len(people) - 1 + guests) + ("steady",) * bots
        order = {"game": "claim", "seed": 3, "pace": "slow", **order}
        made, _ = self.tables.create(
            Order(players=len(seats) + 1, name=people[0], bots=seats, **order), people[0].casefold()
        )
        for name in people[1:]:
            made.join(name, name.casefold())
        for number in range(guests):
            made.join(f"Guest {number}")
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


def step(table: Table) -> None:
    """One move of whoever is asked."""
    seat = table.playing.asked[0]
    table._play(seat, BOTS["steady"].decide(Seat.of(table.playing, seat, 1)).actions, None, ({}, {}))


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
    again = Tables(store, club.settings, Here())
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
    row = ladder._row

    def torn(*rest: Any) -> Any:
        raise OperationalError("UPDATE", {}, Exception("the disk is full"))

    monkeypatch.setattr(ladder, "_row", torn)
    with pytest.raises(Refused, match="not made"):
        step(table)
    assert table.status == "playing"
    assert club.store.statuses()["over"] == 0
    monkeypatch.setattr(ladder, "_row", row)
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


def test_a_match_where_somebody_took_a_hint_does_not_count(club: Club):
    table = club.table("Ada", "Ben")
    club.store.hint(table.id, 1)
    play(table)
    assert club.ratings() == {}


def test_a_match_that_somebody_left_to_a_bot_does_not_count_unless_they_came_back(club: Club):
    table = club.table("Ada", "Ben")
    table.substitute(1)
    play(table)
    assert club.ratings() == {}
    table = club.table("Ada", "Ben")
    table.substitute(1)
    table.give_back(1)
    play(table)
    assert club.ratings() == {"Ada": 1, "Ben": 1}


def test_a_match_that_was_not_played_to_its_end_does_not_count(club: Club):
    table = club.table("Ada", "Ben")
    step(table)
    club.tables.delete(table.id)
    assert club.ratings() == {}


def test_a_match_of_one_person_against_itself_does_not_count(club: Club):
    table = club.table("Ada", "Ben")
    club.registry.own("ada", {table.id: table.seats[1].token or ""}, lambda name: True)
    play(table)
    assert club.ratings() == {}


def test_a_match_by_other_rules_than_those_of_the_game_and_its_presets_does_not_count(club: Club):
    game = {"game": "kuhhandel", "options": {"overbid": "forbidden"}, "preset": "quick", "bots": 2}
    assert ladder.ending(club.table("Ada", **game)) is None
    assert ladder.ending(club.table("Ada", game="kuhhandel", preset="quick", bots=2))
    assert ladder.ending(club.table("Ada", game="kuhhandel", bots=2))


def test_leaving_the_ladder_and_giving_the_name_up_delete_the_ratings_and_nobody_else_s(club: Club):
    play(club.table("Ada", "Ben", bots=1))
    climb(club.store, "ada", False)
    assert not climbs(club.store, "ada")
    assert club.ratings() == {"Ben": 1, "steady": 1}
    climb(club.store, "ada", True)
    assert club.ratings() == {"Ben": 1, "steady": 1}
    club.registry.give_up("ben")
    assert rungs(club.store) == {}  # where only bots are left there is no ladder
    with club.store.engine.connect() as db:
        assert db.exec_driver_sql("SELECT player FROM ratings").all() == [("steady",)]


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


def test_postgresql_rates_as_sqlite_does(club: Club):
    cluster = Cluster(needed())
    try:
        other = Club(cluster.database())
        for one in (club, other):
            for _ in range(2):
                play(one.table("Ada", "Ben", bots=1))
        assert [one.rating for one in rungs(club.store)["claim"]] == [one.rating for one in rungs(other.store)["claim"]]
        other.store.close()
    finally:
        cluster.remove()


# --- the page ---------------------------------------------------------------------------------------------------------


def test_people_choose_to_stand_on_the_ladder_and_everybody_can_read_it(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        ada, eve = Person(address), Person(address)
        assert "Nobody stands here yet" in eve.http.get("/ladder").text
        assert eve.http.get("/ladder", headers=JSON).json() == {"games": {}}
        assert "not signed in" in sentence(eve.http.post("/name/ladder", data={"on": "true"}, headers=JSON), 403)
        named = {"name": "<Ada>", "password": "seven red cows"}
        assert ada.http.post("/name/keep", data=named, headers=JSON).json()["ok"]
        assert "Stand on the ladder" in ada.http.get("/name").text
        assert "true or false" in sentence(ada.http.post("/name/ladder", data={"on": "x"}, headers=JSON), 400)
        assert ada.http.post("/name/ladder", data={"on": "true"}, headers=JSON).json()["ok"]
        assert "Leave the ladder" in ada.http.get("/name").text
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
        assert eve.http.get("/ladder", headers=JSON).json() == {"games": {}}
        for person in (ada, eve):
            person.http.close()
