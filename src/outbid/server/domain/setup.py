"""An order for a new table, checked: game, options, who sits where."""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from outbid.bots import BOTS, bot, called
from outbid.bots import known as known_bot
from outbid.bots.heuristic import STEADY
from outbid.core.errors import BadSetup, OutbidError, Unreadable
from outbid.core.language import i18n, names
from outbid.core.language.i18n import _, ngettext
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, by_id, rulebooks
from outbid.core.talk import TALKS
from outbid.server.domain.advice import hints
from outbid.server.domain.commands import Fields, known
from outbid.server.domain.timing import clocks
from outbid.server.settings import check_pace
from outbid.server.stored import Seat, Stored
from outbid.server.tokens import hashed, new_id, new_seed, new_token

OPEN = "open"
MOST = 8  # seats a form may speak of
STARTS = ("full", "host")
NAMELESS = {"guest", "gast"}  # what the table calls those who have no name
COLOURS = 6  # of people, each with a shape of its own (base.css)
ARTICLE = re.compile("^(an?|the|eine?|der|die|das) ")


@dataclass(frozen=True)
class Order:
    """What a person wants to play.

    bots: a bot's name or `open` for each further seat; fewer are repeated. pace: none is the server's. seed: of the deal;
    none is a secret one (no form names one). day, seeds: whose deal of the day it is, and of the bots' streams (daily.py).
    study: the laboratory may read the match (records.py). weekends: they are off the clock. colour: of who makes the table.
    after: a finished table, whose people shall have the open seats. talk: as in core/talk.py. playtest: in which it counts
    (storage/playtests.py), and the variant that was drawn there."""

    game: str
    players: int
    name: str
    bots: Sequence[str] = (OPEN,)
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    preset: str = "seed"
    pace: str | None = None
    seed: int | None = None
    listed: bool = False
    starts: str = "full"
    clock: str = ""
    weekends: bool = False
    hints: str = ""
    day: str | None = None
    seeds: Sequence[int] = ()
    study: bool = False
    colour: int = 0
    after: str = ""
    talk: str = "none"
    playtest: str | None = None
    variant: str | None = None


FIELDS = (
    "game", "players", "name", "bots", "preset", "pace", "listed", "starts", "clock", "own_clock", "hints", "study",
    "weekends", "talk",
)  # fmt: skip


def order(fields: Fields) -> Order:
    """The order that the form on the front page makes. Raises OutbidError."""
    game = dict(fields).get("game", "")
    book = by_id(game)
    named = {f"option:{o.name}": o for o in book.options}
    seats = [f"bot:{seat}" for seat in range(1, MOST)]
    values = known(fields, [*FIELDS, *named, *seats])
    players = number_of_players(values.get("players", ""))
    options = {o.name: o.parse(values[key]) for key, o in named.items() if values.get(key)}
    preset = values.get("preset") or "seed"
    number = book.check_players(players, {**book.preset(preset), **options})
    return Order(
        game, number, values.get("name", ""), _bots(values, players), options, preset, values.get("pace") or None,
        listed=truth("listed", values.get("listed", "")), starts=starting(values.get("starts") or "full"),
        clock=values.get("own_clock") or values.get("clock", ""), hints=hints.mode(values.get("hints", "")),
        study=truth("study", values.get("study", "")), weekends=truth("weekends", values.get("weekends", "")),
        talk=talking(values.get("talk", "")),
    )  # fmt: skip


def number_of_players(text: str) -> int:
    """How many play, as a form says it. Raises BadSetup."""
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise BadSetup(_("The number of players is {said}; it must be a whole number.", said=repr(text[:20])))
    return int(text)


def truth(name: str, text: str) -> bool:
    """A field that is true or false (nothing: false). Raises Unreadable."""
    if text not in ("", "true", "false"):
        raise Unreadable(_("The field {name} is true or false.", name=repr(name)))
    return text == "true"


def starting(text: str) -> str:
    """When a match begins. Raises BadSetup."""
    if text not in STARTS:
        raise BadSetup(
            _(
                "A match begins by itself when it is full, or when the host says so: full or host, not {said}.",
                said=repr(text[:20]),
            )
        )
    return text


def talking(text: str) -> str:
    """Whether players talk in the match (nothing: they do not). Raises BadSetup."""
    if text and text not in TALKS:
        raise BadSetup(_("Talk is none, public or private, not {said}.", said=repr(text[:20])))
    return text or TALKS[0]


def _bots(values: Mapping[str, str], players: int) -> list[str]:
    """Who takes each further seat: `bots` for all of them (repeated), `bot:N` for one."""
    general = [name.strip() for name in values.get("bots", "").split(",") if name.strip()] or [OPEN]
    seats = [general[n % len(general)] for n in range(players - 1)]
    for seat in range(1, MOST):
        chosen = values.get(f"bot:{seat}")
        if chosen and seat >= players:
            raise BadSetup(_("There is no seat {seat} at a table for {players}.", seat=seat + 1, players=players))
        if chosen:
            seats[seat - 1] = chosen
    return seats


def made(wanted: Order, pace: str, longest: int, owner: str | None = None) -> tuple[Stored, str]:
    """The table that was ordered, and the secret token of its maker's seat; owner: the key of their kept name. Raises
    OutbidError."""
    book = by_id(wanted.game)
    options = book.changed({**book.preset(wanted.preset), **wanted.options})
    players = book.check_players(wanted.players, options)
    token = new_token()
    seats = [Seat("human", nickname(wanted.name, longest, [], owner), None, new_seed(), hashed(token), owner)]
    if len(wanted.bots) > players - 1 or not wanted.bots:
        sentence = ngettext(
            "A table for {players} has {n} further seat, not {said}.",
            "A table for {players} has {n} further seats, not {said}.",
            players - 1, players=players, said=len(wanted.bots),
        )  # fmt: skip
        raise BadSetup(sentence)
    for n in range(players - 1):
        who = wanted.bots[n % len(wanted.bots)]
        seats.append(open_seat() if who == OPEN else bot_seat(who, [seat.name for seat in seats], book))
    for n, seed in enumerate(wanted.seeds, 1):
        seats[n] = replace(seats[n], seed=seed)
    others = (colour for colour in range(max(COLOURS, players)) if colour != wanted.colour)
    seats = [replace(seat, colour=colour) for seat, colour in zip(seats, (wanted.colour, *others), strict=False)]
    clock = clocks.parse(wanted.clock)
    clocks.check_weekends(clock, wanted.weekends)
    full = all(seat.kind != OPEN for seat in seats)
    return Stored(
        id=new_id(),
        game=book.id,
        rules=book.rules_id,
        options=options,
        deal=_deal(book, options, players, wanted.seed),
        status="playing" if full and wanted.starts == "full" else "open",
        pace=check_pace(wanted.pace or pace),
        paused=False,
        seats=tuple(seats),
        listed=wanted.listed,
        starts=wanted.starts,
        clock=clock.word if clock else "",
        weekends=wanted.weekends,
        hints=hints.mode(wanted.hints),
        day=wanted.day,
        study=wanted.study,
        talk=wanted.talk,
        playtest=wanted.playtest,
        variant=wanted.variant,
    ), token  # fmt: skip


def again(old: Stored, game: str = "") -> Stored:
    """The next table of the same people and pace: seats move on by one, and each person's waits for them. game: another one,
    as it usually is; else the options stay, too. Raises OutbidError."""
    book, players = by_id(game or old.game), len(old.seats)
    same = book.id == old.game
    options = book.brought_up(old.rules, old.options, players) if same else book.changed(book.preset("seed"))
    if not same:
        book.check_players(players, options)
        old = _moved(old, book)
    own = [replace(seat, colour=colour) for seat, colour in zip(old.seats, colours(old.seats), strict=True)]
    seats = [replace(seat, seed=new_seed(), token=None, hints=0, rated=False, agent=False) for seat in (*own[1:], own[0])]
    return replace(
        old,
        id=new_id(),
        game=book.id,
        rules=book.rules_id,
        options=options,
        deal=_deal(book, options, players, None),
        status="open",
        paused=False,
        seats=tuple(
            replace(new, kind="human", bot=None) if was.token else new
            for new, was in zip(seats, (*old.seats[1:], old.seats[0]), strict=True)
        ),
        moves=(),
        leaves=None,
        host=(old.host - 1) % len(seats),
        listed=False,
        starts="full",
        next=None,
        day=None,
        evening=old.evening or old.id,
        study=old.study and not old.playtest,
        playtest=None,
        variant=None,
    )


def _moved(old: Stored, book: Rulebook) -> Stored:
    """A table whose bots can play another game."""
    return replace(old, seats=tuple(replace(seat, bot=seat.bot and _elsewhere(seat.bot, book)) for seat in old.seats))


def _elsewhere(name: str, book: Rulebook) -> str:
    """A bot in another game: of the same strength, without its persona; one that cannot play it is a steady one."""
    level = name.partition(":")[0]
    try:
        bot(level, book)
    except OutbidError:
        return STEADY.name
    return level


def _deal(book: Rulebook, options: Mapping[str, Any], players: int, seed: int | None) -> dict[str, Any]:
    return Match.new(book, options, players, secrets.randbits(63) if seed is None else seed).deal


def reserved(seats: Sequence[Seat], awaited: Sequence[Seat]) -> tuple[Seat, ...]:
    """Seats of which the open ones wait for these people, who keep their colours where they can. Raises BadSetup."""
    seats = list(seats)
    chairs = [number for number, seat in enumerate(seats) if seat.kind == OPEN]
    if len(chairs) < len(awaited):
        facts = {"players": len(seats), "people": len(awaited) + 1}
        raise BadSetup(_("That is a table for {players}, and with you there are {people}.", **facts))
    for number, person in zip(chairs, awaited, strict=False):
        if person.colour is not None:
            for other, seat in recoloured(seats, number, person.colour).items():
                seats[other] = seat
        colour = seats[number].colour
        seats[number] = replace(person, seed=new_seed(), token=None, hints=0, rated=False, colour=colour)
    return tuple(seats)


def reseated(old: Stored, players: int) -> Stored:
    """A table before its match with other chairs at its end, and a deal for so many. Raises OutbidError."""
    book = by_id(old.game)
    options = book.brought_up(old.rules, old.options, len(old.seats))
    book.check_players(players, options)
    if any(seat.kind != OPEN for seat in old.seats[players:]):
        raise BadSetup(_("Only an empty chair can be taken away; the last one is not empty."))
    seats = [*old.seats[:players], *(open_seat() for _chair in range(len(old.seats), players))]
    seats = [replace(seat, colour=colour) for seat, colour in zip(seats, colours(seats), strict=True)]
    return replace(old, seats=tuple(seats), deal=_deal(book, options, players, None))


def altered(old: Stored, order: Order, pace: str) -> Stored:
    """A table before its match with game, options, time and hints of an order; where another game needs it, empty chairs
    come and go at its end. pace: the usual one. Raises OutbidError."""
    book, was, clock = by_id(order.game), by_id(old.game), clocks.parse(order.clock)
    clocks.check_weekends(clock, order.weekends)
    options, players = book.changed({**book.preset(order.preset), **order.options}), len(old.seats)
    known = (was.id, was.brought_up(old.rules, old.options, players), old.hints)
    if old.playtest and (book.id, options, order.hints) != known:
        raise BadSetup(_("The rules of this table were drawn for a playtest and stay; its time may be changed."))
    if book.id != was.id:
        fewest, most = book.seats(options)
        old, players = _moved(old, book), min(max(players, fewest), most)
    now = replace(
        old, game=book.id, rules=book.rules_id, options=options, pace=check_pace(order.pace or pace),
        clock=clock.word if clock else "", weekends=order.weekends, hints=hints.mode(order.hints),
    )  # fmt: skip
    return reseated(now, players)


def uncounted(old: Stored) -> Stored:
    """A table of a playtest before its match, by the given rules, which counts in nothing."""
    book = by_id(old.game)
    options = book.changed(book.preset("seed"))
    book.check_players(len(old.seats), options)
    deal = _deal(book, options, len(old.seats), None)
    return replace(old, options=options, deal=deal, study=False, playtest=None, variant=None)


def open_seat() -> Seat:
    """A seat that waits for a player."""
    return Seat(OPEN, "", None, new_seed())


def colours(seats: Sequence[Seat]) -> tuple[int, ...]:
    """The colour of each seat, no two alike: a seat without one has that of its number, or a free one."""
    given = {seat.colour for seat in seats}
    free = [colour for colour in range(max(COLOURS, len(seats))) if colour not in given]
    free.sort(key=lambda colour: colour < len(seats) and seats[colour].colour is None)  # last what a seat's number says
    own = [number if seat.colour is None and number in free else seat.colour for number, seat in enumerate(seats)]
    return tuple(free.pop(0) if colour is None else colour for colour in own)


def recoloured(seats: Sequence[Seat], number: int, colour: int) -> dict[int, Seat]:
    """The seats that change when the person of one takes a colour: a chair without a person gets theirs in exchange; none:
    another person has it."""
    own = colours(seats)
    other = own.index(colour) if colour in own else number
    if other != number and seats[other].kind == "human":
        return {}
    return {other: replace(seats[other], colour=own[number]), number: replace(seats[number], colour=colour)}


def bot_seat(name: str, taken: Iterable[str], book: Rulebook) -> Seat:
    """A seat with a bot, under a name of its own. Raises BadSetup."""
    if known_bot(name) is None:
        facts = {"name": repr(name[:40]), "bots": ", ".join(BOTS), "free": repr(OPEN)}
        raise BadSetup(_("There is no bot {name}; there are {bots}, and {free} for a friend.", **facts))
    bot(name, book)
    return Seat("bot", called(taken), name, new_seed())


def nameless(name: str) -> bool:
    """Whether a person has yet to say a name."""
    return names.key_of(name) in NAMELESS


def nickname(name: str, longest: int, taken: Iterable[str], owner: str | None = None) -> str:
    """A nickname as it will be shown (core/language/names.py). taken: the names of others at the table. owner: the key of a
    kept name, which may be older than the rules for names. Raises BadSetup."""
    try:
        name = names.checked(name, longest, bots_called())
    except BadSetup:
        if owner is None:
            raise
        name = names.check_shown(" ".join(name.split()))
    other = names.alike(name, taken)
    if other is not None:
        raise BadSetup(_("Somebody at this table is called {name} already; please choose another nickname.", name=other))
    return name


@cache
def bots_called() -> frozenset[str]:
    """What bots are called by in any language: the names of their levels and personas, with an article and without, and
    what a seat of one is called at last."""
    called = {word for name in BOTS for word in (name, *i18n.everywhere(partial(_, name)).values())}
    for book in rulebooks().values():
        say = book.say
        for persona in book.personas.each:
            titles = i18n.everywhere(partial(say, persona.title)).values()
            called |= {persona.name, *titles, *(ARTICLE.sub("", title) for title in titles)}
    return frozenset({*called, "Bot", "Bots"})
