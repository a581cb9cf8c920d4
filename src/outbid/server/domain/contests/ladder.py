"""The ladder: ratings of people who keep a name and want to stand on it, and of bots, one for each game; and another for the
agents among them, programs that have taken a seat. All are measured on one scale.

Whether a match counts is known when it begins: the rules are those of the game or one of its presets, in this version or an
older one, it is no deal of the day (which can be foreseen), the table was not made with hints, nobody sits in two seats, and
at least one person on the ladder meets another or a bot. There are no hints and no pauses in such a match, and it has a
clock, so that nobody keeps it from ending: without one it gets `CLOCK` as it begins (matches without a clock that had begun
before that was so go on as they were announced; those with one have no pauses any more). It is rated in the transaction of
its last move, or never: not if it was not played to its end, and not if one bot had to make moves for another (because it
was late, or not compiled yet). Seats of other people are left out: the rest is ranked, winners first, then by points, and
those for whom a bot made a move, or plays at the end, come last, as they left, were replaced or ran out of time. Ratings are
OpenSkill's (Plackett-Luce); a bot that has several seats is rated once, by the mean of what they bring.

Bots play as they always did, so they are what ratings of different times are measured by: on the page `steady` stands at
`ANCHOR`, and 400 points are about ten times the strength. The rating of a person who leaves the ladder is kept and shown to
nobody; it is there again when they come back, and erased with the name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from outbid.core.language.i18n import N_, _
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook
from outbid.server.domain.timing import clocks
from outbid.server.domain.timing.clocks import STAND_IN, Clock
from outbid.server.logging import log
from outbid.server.parts import Around
from outbid.server.stored import BOT, HUMAN, MU, Player, Rating

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from outbid.server.domain.advice.hints import Hints
    from outbid.server.domain.timing.clocks import Running

OPEN = "open"
ANCHOR, SCALE = 1000, 30  # where `steady` stands; points for one of OpenSkill's
SURE = 10  # matches after which a rating is more than provisional
CLOCK = "3d"  # of a match that counts and was made without one (timing/clocks.py)
COUNTS = N_(
    "This match counts for the ladder: there are no hints and no pauses, and a player who leaves, is replaced by a bot or "
    "runs out of time takes the last place."
)


class Countable(Around, Protocol):
    """What says of a table whether its match counts."""

    options: dict[str, Any]
    hints: Hints
    day: str | None
    clock: Running


@dataclass(frozen=True)
class LadderRow:
    """A place on the page. give: twice the deviation; mine: of the reader."""

    rank: int
    name: str
    bot: bool
    rating: int
    give: int
    matches: int
    mine: bool = False

    @property
    def provisional(self) -> bool:
        """Too little is known."""
        return self.matches < SURE


# --- a match that counts -----------------------------------------------------------------------------------------------


def counts(table: Countable) -> bool:
    """Whether the match of a table counts; before it begins, whether it would with such people in the open seats."""
    seats = enumerate(table.seats)
    waiting = table.match is None
    rated = table.store.climbers(table.id) if waiting else {number for number, seat in seats if seat.rated}
    others = sum(seat.kind == OPEN or (seat.kind == BOT and not seat.away) for seat in table.seats)
    if not rated or len(rated) + others < 2:
        return False
    return usual(table.book, table.options, len(table.seats), table.hints.mode, table.day)


def usual(book: Rulebook, options: Mapping[str, Any], players: int, hints: str, day: str | None) -> bool:
    """Whether a match counts by the way it was made, no matter who plays; hints, day: as tables have them."""
    if hints in ("on", "coach") or day:
        return False
    presets = ({}, *book.presets.values())
    return options in [book.brought_up(rules, preset, players) for rules in book.known_rules for preset in presets]


def clock(table: Countable) -> Clock | None:
    """The clock of a table; before the match begins the one it will have, if the match would count."""
    own = table.clock.clock
    return clocks.parse(CLOCK) if own is None and table.match is None and counts(table) else own


def announced(table: Countable) -> str:
    """What people are told before a match that counts; nothing before any other."""
    return _(COUNTS) if counts(table) else ""


# --- a match ends -----------------------------------------------------------------------------------------------------


def ending(table: Countable, match: Match) -> Callable[[Connection], None] | None:
    """What is to be written with the last move of a match; none if it cannot count."""
    if not counts(table):
        return None
    stood_in = {match.moves[number]["seat"] for number in match.marks}
    if any(table.seats[seat].token is None for seat in stood_in):
        return None
    ranks = places(match.scores, match.winners)
    for number, seat in enumerate(table.seats):
        if number in stood_in or seat.away:
            ranks[number] = len(table.seats)
    return partial(fold, table=table.id, game=table.book.id, places=ranks)


def places(scores: Sequence[int], winners: Sequence[int]) -> list[int]:
    """The place of each seat, 0 is the first: the winners, then by points."""
    worth = [(seat in winners, points if seat not in winners else 0) for seat, points in enumerate(scores)]
    return [sum(other > mine for other in worth) for mine in worth]


def fold(db: Connection, table: str, game: str, places: Sequence[int]) -> None:
    """Rate a match that is over, if it counts."""
    from outbid.server.storage import ratings

    met = ratings.met(db, table)
    if met is None:
        return
    players = sorted(set(met.values()))
    old = {player: ratings.kept(db, player, game) for player in players}
    try:
        new = rated(old, [(player, places[seat]) for seat, player in met.items()])
    except Exception:
        log.exception("The match of table %s could not be rated.", table)
        return
    for player in players:
        ratings.keep(db, player, game, new[player])


def rated(old: Mapping[Player, Rating], ranks: Sequence[tuple[Player, int]]) -> dict[Player, Rating]:
    """The ratings after a match in which the players came in at these places."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    teams = [[model.rating(mu=old[player].mu, sigma=old[player].sigma)] for player, _place in ranks]
    after = model.rate(teams, ranks=[float(place) for _player, place in ranks])
    new: dict[Player, Rating] = {}
    for player in old:
        mine = [team[0] for (who, _place), team in zip(ranks, after, strict=True) if who == player]
        mu = sum(rating.mu for rating in mine) / len(mine)
        sigma = sum(rating.sigma for rating in mine) / len(mine)
        new[player] = Rating(mu, sigma, old[player].matches + 1)
    return new


# --- the page ---------------------------------------------------------------------------------------------------------


def rungs(rows: Sequence[Any], mine: str | None = None, kind: str = HUMAN) -> dict[str, list[LadderRow]]:
    """The ladder of each game that has one, the surest of being strong first, bots among them; rows: as `ratings.shown` has
    them; mine: the key of the reader; kind: people's or agents'."""
    games: dict[str, list[LadderRow]] = {}
    for game in sorted({row.game for row in rows}):
        ranked = [row for row in rows if row.game == game and row.kind in (BOT, kind)]
        zero = next((row.mu for row in ranked if (row.kind, row.player) == (BOT, STAND_IN)), MU)
        ranked.sort(key=lambda row: (2 * row.sigma - row.mu, row.shown))
        games[game] = [
            LadderRow(
                rank, row.shown, row.kind == BOT, round(ANCHOR + SCALE * (row.mu - zero)), round(2 * SCALE * row.sigma),
                row.matches, row.kind == kind and row.player == mine,
            )
            for rank, row in enumerate(ranked, 1)
        ]  # fmt: skip
    return {game: ladder for game, ladder in games.items() if any(not rung.bot for rung in ladder)}
