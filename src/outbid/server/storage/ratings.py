"""What the database keeps of the ladder: who stands on it, and ratings; what they mean is in domain/contests/ladder.py."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from outbid.server.storage.database import Database, insert
from outbid.server.storage.schema import names, ratings, seats
from outbid.server.stored import AGENT, BOT, HUMAN, Player, Rating


def climbs(database: Database, key: str) -> bool:
    """Whether a kept name stands on the ladder."""
    return bool(database.value(sa.select(names.c.ladder).where(names.c.key == key)))


def climb(database: Database, key: str, wanted: bool) -> None:
    """A kept name stands on the ladder from now on, or leaves it; a match that has begun is rated as it began."""
    database.execute(sa.update(names).where(names.c.key == key).values(ladder=wanted))


def shown(database: Database) -> Sequence[sa.Row[Any]]:
    """The ratings of bots and of those who stand on the ladder: rows of `ratings`, each with the name `shown`."""
    name = sa.case((ratings.c.kind == BOT, ratings.c.player), else_=names.c.name)
    same = (names.c.key == ratings.c.player) & (ratings.c.kind != BOT)
    query = sa.select(ratings, name.label("shown")).select_from(ratings.outerjoin(names, same))
    return database.rows(query.where((ratings.c.kind == BOT) | names.c.ladder))


# --- in a transaction -------------------------------------------------------------------------------------------------


def met(db: sa.Connection, table: str) -> dict[int, Player] | None:
    """Who is rated, by seat; none if the match does not count."""
    sitting = db.execute(sa.select(seats).where(seats.c.table_id == table).order_by(seats.c.seat)).mappings().all()
    owners = [seat["owner"] for seat in sitting if seat["owner"] is not None]
    if len(owners) != len(set(owners)):
        return None
    players: dict[int, Player] = {}
    for seat in sitting:
        if seat["rated"] and seat["owner"] is not None:  # the name was not given up meanwhile
            players[seat["seat"]] = (AGENT if seat["agent"] else HUMAN, seat["owner"])
        elif seat["kind"] == BOT and seat["token"] is None:
            players[seat["seat"]] = (BOT, seat["bot"])
    return players if len(players) > 1 and any(kind != BOT for kind, _name in players.values()) else None


def kept(db: sa.Connection, player: Player, game: str) -> Rating:
    """A player's rating, kept from others until the transaction ends; made if there is none."""
    row = {"kind": player[0], "player": player[1], "game": game, **Rating()._asdict()}
    db.execute(insert(db, ratings).values(row).on_conflict_do_nothing())
    query = sa.select(ratings.c.mu, ratings.c.sigma, ratings.c.matches).where(_row(player, game))
    return Rating(*db.execute(query.with_for_update()).one())


def keep(db: sa.Connection, player: Player, game: str, rating: Rating) -> None:
    """A player has this rating from now on."""
    db.execute(sa.update(ratings).where(_row(player, game)).values(rating._asdict()))


def of_person(key: str) -> sa.Select[tuple[str, str, float, float, int]]:
    """What finds the ratings of a kept name, as a person and as an agent."""
    query = sa.select(ratings.c.kind, ratings.c.game, ratings.c.mu, ratings.c.sigma, ratings.c.matches)
    return query.where(ratings.c.kind != BOT, ratings.c.player == key)


def forgetting(key: str) -> sa.Executable:
    """What takes the ratings of a person away."""
    return sa.delete(ratings).where(ratings.c.kind != BOT, ratings.c.player == key)


def _row(player: Player, game: str) -> sa.ColumnElement[bool]:
    return (ratings.c.kind == player[0]) & (ratings.c.player == player[1]) & (ratings.c.game == game)
