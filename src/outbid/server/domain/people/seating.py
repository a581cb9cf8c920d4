"""Who sits where: before a match the host decides, in it people leave and come back, after it the same people go on.

Before the match begins the host puts bots of any kind in single seats, opens seats again (also those of people who sat
down), changes game, options and time, to which the others have to agree, lists the table on the front page or not, and
chooses whether the match begins by itself when nobody is awaited any more, or by the host's button. If the host is gone, the
next person there may start, fill and seat as well (votes.py); the seat of a host who never came to this table may go to a
bot, too, and the next person is the host then. Who leaves a match that is being played is played for by a bot and may come
back at any time.

The next table of the same people has the same game and options, or another game, and the same pace. Seats move on by one.
Each person's seat waits until they follow, and is opened to the browser that has their seat here: its secret there is made
from the one it has here.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from outbid.core.errors import BadSetup
from outbid.core.language.i18n import _
from outbid.core.language.names import quoted
from outbid.core.language.phrases import listed
from outbid.server import tokens
from outbid.server.domain import setup
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.domain.timing import clocks
from outbid.server.domain.titles import chosen
from outbid.server.settings import Refused
from outbid.server.stored import Conflict, House, Stored, seated


def check_before(table: Table) -> None:
    """Raises Refused if the match has begun."""
    if table.match is not None:
        raise Refused(409, _("The match has begun; that can be changed only before it."))


async def change(table: Table, by: int, number: int, who: str) -> None:
    """A bot takes a seat, or it is opened again, also one of a person; by: the seat that wants it.
    Raises Refused, BadSetup."""
    check_before(table)
    if not 0 <= number < len(table.seats):
        raise Refused(400, _("There is no such seat at this table."))
    if number == by == table.house.host:
        raise Refused(409, _("That is your own seat; you may delete the table instead."))
    if number == by:
        raise Refused(409, _("That is your own seat; you may leave the table instead."))
    if number == table.house.host:
        name = table.seats[number].name
        if not table.seats[number].awaited:
            raise Refused(409, _("That is the seat of {name}, who made this table and may come back.", name=quoted(name)))
        await decide(table, table.house._replace(host=by))
    names = [seat.name for n, seat in enumerate(table.seats) if n != number]
    new = setup.open_seat() if who == setup.OPEN else setup.bot_seat(who, names, table.book)
    if (table.seats[number].kind, table.seats[number].bot) != (new.kind, new.bot):
        await table.sit({number: new})


async def _alter(table: Table, change: Callable[[Stored], Stored], ask: bool = False) -> None:
    """A table becomes another one before its match. ask: its other people have to agree. Raises OutbidError."""
    check_before(table)
    stored = table.store.load(table.id)
    if stored is None:
        raise Refused(404, _("There is no such table here; please check the link."))
    with suppress(Conflict):  # somebody sat down, or the match began, just now
        await table.store.aside(table.store.alter, stored, change(stored), ask)
    table.catch_up()
    check_before(table)


async def chairs(table: Table, players: int) -> None:
    """So many may play from now on: empty chairs are added or taken away. Raises OutbidError."""
    await _alter(table, partial(setup.reseated, players=players))
    await table.sit({})


async def alter(table: Table, order: setup.Order) -> None:
    """The host has changed game, options, clock, pace and hints to those of an order: who else sits here has to agree before
    the match begins. Raises OutbidError."""
    usual = table.settings.pace
    await _alter(table, lambda stored: setup.altered(stored, order, usual), ask=True)


def changes(table: Table) -> list[str]:
    """What the host has changed before the match, a sentence or a few words each; nothing if that was nothing."""
    was, now, book = table.before, table.terms, table.book
    if table.match is not None or now is None:
        return []
    was = was or now
    other = was.game != now.game
    usual = {o.name: o.default for o in book.options}
    old, new = {**usual, **({} if other else was.options)}, {**usual, **now.options}
    told = [_("{game} is played now", game=book.called)] * other
    told += [chosen(book.id, name, new[name]) for name in usual if old[name] != new[name]]
    timed = was.clock != now.clock or was.weekends != now.weekends
    told += [clocks.meaning(table.clock.clock, now.weekends)] * timed
    told += [_("Pace of the bots") + ": " + _(now.pace)] * (was.pace != now.pace)
    told += [table.hints.sentence] * (was.hints != now.hints)
    return told or [_("Look at game, clock and options once more.")] * bool(table.votes.unsettled)


async def by_the_given_rules(table: Table, name: str, owner: str | None) -> None:
    """A table of a playtest plays by the given rules and counts nowhere; who joins under this name wants it so. Raises
    Refused, BadSetup."""
    check_before(table)
    setup.nickname(name, table.settings.nickname, [seat.name for seat in table.seats if seat.name], owner)
    if table.house.playtest:
        await _alter(table, setup.uncounted)


async def present(table: Table, seat: int, name: str, owner: str | None, colour: int) -> None:
    """A person is called otherwise from now on, perhaps by a kept name, and has another colour. Raises Refused, BadSetup."""
    check_before(table)
    others = [place.name for n, place in enumerate(table.seats) if n != seat]
    name = setup.nickname(name, table.settings.nickname, others, owner)
    changed = setup.recoloured(table.seats, seat, colour)
    if not changed:
        holder = table.seats[setup.colours(table.seats).index(colour)].name
        raise BadSetup(_("{name} has this colour already; please choose another.", name=quoted(holder)))
    await table.sit({**changed, seat: replace(changed[seat], name=name, owner=owner)})


async def start(table: Table, bot: str = "") -> None:
    """The match begins now; with such bots in the open seats, if there are any. Raises Refused, BadSetup."""
    check_before(table)
    if any(seat.awaited and not (bot and seat.kind == setup.OPEN) for seat in table.seats):
        raise Refused(409, _("Somebody is still awaited; fill the seats first."))
    if table.votes.unsettled:
        names = listed([quoted(table.seats[seat].name) for seat in table.votes.unsettled])
        told = _("The match begins when everybody agrees to what was changed; still missing: {names}.", names=names)
        raise Refused(409, told)
    if any(seat.kind == setup.OPEN for seat in table.seats):
        await table.fill(bot)
    if table.match is None:
        await table.sit({}, start=True)


async def decide(table: Table, house: House) -> None:
    """What the host wants from now on; a full table that need not be started any more begins. Raises Refused."""
    if (house.listed, house.starts) != (table.house.listed, table.house.starts):
        check_before(table)
    await table.store.aside(table.store.decide, table.id, house)
    table.house = house
    table.changed()
    missing = table.votes.unsettled or any(seat.awaited for seat in table.seats)
    if table.match is None and house.starts == "full" and not missing:
        await start(table)


async def leave(table: Table, seat: int) -> None:
    """Before the match the seat is open again; in it a bot plays on. Raises Refused."""
    if table.status == "over":
        raise Refused(409, _("The match is over; there is nothing to leave."))
    if table.status == "playing":
        await table.substitute(seat)
    elif seat == table.house.host:
        raise Refused(409, _("You made this table; delete it if nobody shall play here."))
    else:
        await table.sit({seat: setup.open_seat()})


async def again(tables: Tables, table: Table, game: str = "") -> Table:
    """The next table of the same people, made when the first of them asks, perhaps for another game. Raises Refused,
    BadSetup."""
    if table.status != "over":
        raise Refused(409, _("The match is not over yet."))
    while True:
        if table.house.next:
            try:
                return tables.get(table.house.next)
            except Refused as refusal:
                if refusal.status != 404:
                    raise
                table.house = table.house._replace(next=None)
        stored = table.store.load(table.id)
        if stored is None:
            raise Refused(404, _("There is no such table here; please check the link."))
        try:
            return await tables.follow(table, setup.again(stored, game))
        except Conflict:
            table.catch_up()


async def go_on(tables: Tables, table: Table, seat: int, order: setup.Order, owner: str | None) -> tuple[Table, str]:
    """A table that the person of a seat orders, whose open seats wait for the others, and the secret of the person's seat.
    Raises OutbidError."""
    if table.status != "over":
        raise Refused(409, _("The match is not over yet."))
    others = [place for n, place in enumerate(table.seats) if place.kind == "human" and n != seat]
    setup.nickname(order.name, tables.settings.nickname, [place.name for place in others], owner)
    stored, token = setup.made(order, tables.settings.pace, tables.settings.nickname, owner)
    stored = replace(stored, seats=setup.reserved(stored.seats, others), evening=table.evening)
    try:
        return await tables.follow(table, stored), token
    except Conflict:
        table.catch_up()
        raise Refused(409, _("The others go on at another table already.")) from None


def seat_after(table: Table, seat: int, following: Table) -> int:
    """Where a player sits at the next table: where one waits for them, else a seat further on."""
    name = table.seats[seat].name
    waiting = (n for n, place in enumerate(following.seats) if place.awaited and place.name == name)
    return next(waiting, (seat - 1) % len(following.seats))


async def take(table: Table, seat: int, name: str, token: str) -> bool:
    """A player follows to the seat that waits for them; false if it is theirs already by another secret. Raises Refused."""
    old = table.seats[seat]
    if old.kind == "human" and old.name == name and old.token is None:
        try:
            await table.sit({seat: seated(old, name, tokens.hashed(token), old.owner)})
        except Refused:
            if table.seat_of(token) != seat:  # else they pressed twice
                raise
        return True
    if old.name != name or old.token is None:
        raise Refused(409, _("Your seat at the next table was given to somebody else; you may watch."))
    return table.seat_of(token) == seat
