"""Who sits where: before a match the host decides, in it people leave and come back, after it the same people go on.

Before the match begins the host puts bots of any kind in single seats, opens seats again (also those of people who sat
down), lists the table on the front page or not, and chooses whether the match begins by itself when nobody is awaited any
more, or by the host's button. If the host is gone, the next person there may start, fill and seat as well (votes.py); the
seat of a host who never came to this table may go to a bot, too, and the next person is the host then. Who leaves a match
that is being played is played for by a bot and may come back at any time.

The next table of the same people has the same game and options, or another game, and the same pace. Seats move on by one.
Each person's seat waits until they follow, and is opened to the browser that has their seat here: its secret there is made
from the one it has here.
"""

from contextlib import suppress
from dataclasses import replace

from outbid.core.errors import BadSetup
from outbid.core.language.i18n import _
from outbid.core.language.names import quoted
from outbid.server import tokens
from outbid.server.domain import setup
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.settings import Refused
from outbid.server.stored import Conflict, House, seated


def _before(table: Table) -> None:
    if table.match is not None:
        raise Refused(409, _("The match has begun; seats can be changed only before it."))


async def change(table: Table, by: int, number: int, who: str) -> None:
    """A bot takes a seat, or it is opened again, also one of a person; by: the seat that wants it.
    Raises Refused, BadSetup."""
    _before(table)
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


async def chairs(table: Table, players: int) -> None:
    """So many may play from now on: empty chairs are added or taken away. Raises OutbidError."""
    _before(table)
    stored = table.store.load(table.id)
    if stored is None:
        raise Refused(404, _("There is no such table here; please check the link."))
    with suppress(Conflict):  # somebody sat down just now
        await table.store.aside(table.store.reseat, stored, setup.reseated(stored, players))
    table.catch_up()
    await table.sit({})


async def by_the_given_rules(table: Table, name: str, owner: str | None) -> None:
    """A table of a playtest plays by the given rules and counts nowhere; who joins under this name wants it so. Raises
    Refused, BadSetup."""
    _before(table)
    setup.nickname(name, table.settings.nickname, [seat.name for seat in table.seats if seat.name], owner)
    stored = table.store.load(table.id)
    if stored and stored.playtest:
        with suppress(Conflict):  # the match began just now
            await table.store.aside(table.store.decline, stored, setup.uncounted(stored))
        table.catch_up()


async def present(table: Table, seat: int, name: str, owner: str | None, colour: int) -> None:
    """A person is called otherwise from now on, perhaps by a kept name, and has another colour. Raises Refused, BadSetup."""
    _before(table)
    others = [place.name for n, place in enumerate(table.seats) if n != seat]
    name = setup.nickname(name, table.settings.nickname, others, owner)
    changed = setup.recoloured(table.seats, seat, colour)
    if not changed:
        holder = table.seats[setup.colours(table.seats).index(colour)].name
        raise BadSetup(_("{name} has this colour already; please choose another.", name=quoted(holder)))
    await table.sit({**changed, seat: replace(changed[seat], name=name, owner=owner)})


async def start(table: Table, bot: str = "") -> None:
    """The match begins now; with such bots in the open seats, if there are any. Raises Refused, BadSetup."""
    _before(table)
    if any(seat.awaited and not (bot and seat.kind == setup.OPEN) for seat in table.seats):
        raise Refused(409, _("Somebody is still awaited; fill the seats first."))
    if any(seat.kind == setup.OPEN for seat in table.seats):
        await table.fill(bot)
    if table.match is None:
        await table.sit({}, start=True)


async def decide(table: Table, house: House) -> None:
    """What the host wants from now on; a full table that need not be started any more begins. Raises Refused."""
    if (house.listed, house.starts) != (table.house.listed, table.house.starts):
        _before(table)
    await table.store.aside(table.store.decide, table.id, house)
    table.house = house
    table.changed()
    if table.match is None and house.starts == "full" and not any(seat.awaited for seat in table.seats):
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
