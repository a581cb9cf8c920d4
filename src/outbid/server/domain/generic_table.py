"""The table of a game that has no page of its own: where its fields lie, and which moves are made by touching a thing there.

What is nobody's, and what all see of a seat's cards, lies on the stage; the rest of a seat's things before that seat. A move
of one field is made by touching the thing that it names: a place of the field that declares `touch`, or else what has the
number or the name in the own hand, or the name among what is nobody's.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from outbid.core.components import Money, Track
from outbid.core.derived import showing
from outbid.core.derived.looks import key
from outbid.core.derived.showing import OPEN, ShownField, Thing, kinds_of, move_said, numbers_of, shown, value_said
from outbid.core.derived.visibility import score_parts, supplies
from outbid.core.fields import Field, flat
from outbid.core.language.phrases import capitalized
from outbid.core.menu import Choice, Menu
from outbid.core.moves import Move, Moves
from outbid.core.rulebook import Rulebook

QUICK = 7  # amounts that are chosen by one tap, where they are more than
ALL = 10  # of which each is
MANY = 6  # moves of a kind that are buttons of their own; more are put together by their first field


@dataclass(frozen=True)
class Item:
    """Things of a kind at a place. face: the key of what they look like ("": a word); back: it is face down; told, seen,
    note: as of a `Thing`; number: of the place, where it has one; pointed: a field points there."""

    words: str
    n: int = 1
    face: str = ""
    back: str = ""
    move: dict[str, Any] | None = None
    told: bool = False
    seen: tuple[int, ...] = ()
    note: str = ""
    number: int | None = None
    pointed: bool = False


@dataclass(frozen=True)
class Zone:
    """A place where things lie. id: what flights call it; kind: of their faces; piled: they lie on each other; lacks: kinds
    that the viewer knows are not there."""

    id: str
    label: str
    items: tuple[Item, ...]
    words: str = ""
    seat: int | None = None
    kind: str = ""
    piled: bool = False
    lacks: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many things lie there."""
        return sum(item.n for item in self.items)

    @property
    def told(self) -> bool:
        """The viewer was shown some of it, and not everybody was, and no thing itself says so."""
        return any(item.told and not item.seen for item in self.items)

    @property
    def touched(self) -> bool:
        """Something may be done with one of them."""
        return any(item.move for item in self.items)


@dataclass(frozen=True)
class SharedTrack:
    """A track: its lowest and highest value, and where the seats are."""

    label: str
    low: int
    high: int
    at: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Way:
    """A choice in the bar. move: it is made at once; choice: something is left open; rest: moves that begin like this."""

    label: str
    meaning: str
    move: dict[str, Any] | None = None
    choice: Choice | None = None
    rest: tuple[Item, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether one tap makes any of the moves."""
        return self.choice is not None and bool(self.choice.amounts) and len(self.quick) == len(self.choice.amounts)

    @property
    def quick(self) -> tuple[int, ...]:
        """Amounts that are chosen by one tap, from the lowest to the highest; all if they are few."""
        amounts = self.choice.amounts if self.choice else range(0)
        if len(amounts) <= ALL:
            return tuple(amounts)
        return tuple(dict.fromkeys(amounts[(len(amounts) - 1) * n // (QUICK - 1)] for n in range(QUICK) if amounts))


@dataclass(frozen=True)
class GenericTable:
    """A position as a seat sees it. views: its view; where all hands are open, behind it that of each seat."""

    book: Rulebook
    state: Any
    views: Sequence[Any]
    names: Sequence[str]
    you: int
    menu: Menu

    @cached_property
    def fields(self) -> list[ShownField]:
        """All that is shown."""
        seen = shown(self.book, self.views[0], self.names, self.state, self.you)
        opened = [shown(self.book, view, self.names) for view in self.views[1:]]
        others = [entry for n, fields in enumerate(opened) for entry in fields if entry.seat == n]
        return [entry for entry in seen if entry.seat is None or not others] + others

    @cached_property
    def zones(self) -> tuple[Zone, ...]:
        """What lies anywhere."""
        return tuple(zone for entry in self.fields if (zone := self._zone(entry)))

    @property
    def facts(self) -> tuple[tuple[str, str, str], ...]:
        """What is said of the table, besides."""
        return tuple(self._facts(None))

    @property
    def centre(self) -> tuple[Zone, ...]:
        """What is nobody's, with the piles that nobody looks into."""
        return (*self._piles, *(zone for zone in self.zones if zone.seat is None and zone.items))

    @property
    def supply(self) -> tuple[ShownField, ...]:
        """What there is in the game."""
        hidden = supplies(self.book)
        return tuple(entry for entry in self.fields if entry.name in hidden)

    @property
    def around(self) -> tuple[tuple[Zone, ...], ...]:
        """What lies openly before the seats, a row for each field."""
        names = dict.fromkeys(entry.name for entry in self.fields if self._open(entry))
        rows = (tuple(z for entry in self.fields if entry.name == name and (z := self._zone(entry))) for name in names)
        return tuple(row for row in rows if any(zone.items for zone in row))

    @property
    def tracks(self) -> tuple[SharedTrack, ...]:
        """The tracks, each with the seats on it."""
        ways: dict[str, list[ShownField]] = {}
        for entry in self.fields:
            if entry.field and isinstance(entry.field.face, Track) and entry.number is not None:
                ways.setdefault(entry.label, []).append(entry)
        tracks = []
        for label, on in ways.items():
            fields = [entry.field for entry in on if entry.field]
            low, high = min(of.low for of in fields), max(of.top for of in fields)
            at = tuple((-1 if entry.seat is None else entry.seat, entry.number or 0) for entry in on)
            tracks.append(SharedTrack(capitalized(label), low, high, at))
        return tuple(tracks)

    def facts_of(self, seat: int) -> tuple[tuple[str, str, str], ...]:
        """What is said of a seat: label, words, and the key of a face."""
        return tuple(self._facts(seat))

    def counted(self, seat: int) -> tuple[tuple[str, int], ...]:
        """What the score of a seat is made of, in words and numbers, if that is more than one thing."""
        parts = score_parts(self.state, seat)
        heads = (capitalized(self.book.say(of.called)) for of, _n in parts)
        rates = (f" × {n}" * (n > 1) + f" ÷ {many}" * (many > 1) for n, many in (of.parted for of, _n in parts))
        columns = tuple((head + rate, n) for head, rate, (_of, n) in zip(heads, rates, parts, strict=True))
        return columns if len(columns) > 1 else ()

    def held(self, seat: int) -> tuple[Zone, ...]:
        """What lies before a seat, or is in its hand."""
        fields = [entry for entry in self.fields if entry.seat == seat and not self._open(entry)]
        return tuple(zone for entry in fields if (zone := self._zone(entry)) and zone.items)

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """What can be done, but for what is touched."""
        return tuple(self._ways())

    @property
    def touchable(self) -> tuple[str, ...]:
        """What touching something means, in words."""
        moves = [item.move for zone in (*self.zones, *self._piles) for item in zone.items if item.move]
        return tuple(dict.fromkeys(self._meaning(move["do"]) or self.words({"do": move["do"]}) for move in moves))

    def words(self, move: dict[str, Any]) -> str:
        """A move, as far as it is known."""
        return capitalized(move_said(self.book, move, self.names))

    # --- how that is made ---

    def _open(self, entry: ShownField) -> bool:
        """All see what lies there, so that it lies on the stage."""
        face = entry.field.face if entry.field and entry.seat is not None else None
        if face is None or entry.field is None or not face.kind:
            return False
        return entry.field.seen == "all" and not isinstance(face, Money) and not face.piled

    def _facts(self, seat: int | None) -> Iterator[tuple[str, str, str]]:
        hidden = supplies(self.book)
        for entry in showing.worth_saying(self.book, self.fields):
            track = entry.field is not None and isinstance(entry.field.face, Track)
            if entry.seat == seat and not track and entry.name not in hidden and not self._zone(entry):
                coin = entry.field is not None and isinstance(entry.field.face, Money)
                yield capitalized(entry.label), entry.words, key(self.book, entry.field, 1) if coin and entry.field else ""

    def _zone(self, entry: ShownField) -> Zone | None:
        """The place of a field whose things are drawn, or touched; None: it is said in words."""
        name = entry.name if entry.seat is None else f"{entry.name}{entry.seat}"
        face = entry.field.face if entry.field else None
        if entry.field is None or isinstance(face, Money | Track) or entry.name in supplies(self.book):
            return None
        things = entry.things or self._single(entry)
        items = tuple(self._item(entry.field, entry.seat, thing) for thing in things)
        if face is None and not (any(item.move for item in items) or (entry.seat == self.you and entry.field.counts)):
            return None
        hidden = sum(item.n for item in items if item.back)
        if numbers := numbers_of(self.book, entry.field) if entry.things else ():
            items = tuple(self._placed(entry.field, numbers, things, items))
        elif hidden > 1 and entry.seat is not None:  # in a row it matters which
            first = next(item for item in items if item.back)
            items = (*(item for item in items if not item.back), Item(first.words, hidden, "", first.back))
        label, kind, piled = capitalized(entry.label), face.kind if face else "", bool(face and face.piled)
        return Zone(name, label, items, entry.words, entry.seat, kind, piled, entry.lacks)

    def _placed(self, of: Field, numbers: Sequence[int], things: Sequence[Thing], items: Sequence[Item]) -> Iterator[Item]:
        """What lies in a row, with the numbers of the places and the gaps between."""
        pointing = {other.name for other in self.book.layout.facts if other.at == of.name}
        pointed = {entry.number for entry in self.fields if entry.name in pointing}
        at = {thing.place: item for thing, item in zip(things, items, strict=True)}
        for place in range(max(at) + 1):
            yield replace(at.get(place, Item("", 0)), number=numbers[place], pointed=numbers[place] in pointed)

    def _single(self, entry: ShownField) -> tuple[Thing, ...]:
        """The thing of a field of one place."""
        if entry.field is None or entry.field.shape[entry.seat is not None :] or not entry.field.face:
            return ()
        if entry.number is None:
            return (Thing(None, entry.words),)
        return (Thing(entry.number, entry.words),) if entry.number != entry.field.nothing else ()

    def _item(self, field: Field, seat: int | None, thing: Thing) -> Item:
        face = key(self.book, field, thing.kind) if field.face and thing.kind is not None else ""
        back = "" if thing.kind is not None or not field.face else key(self.book, field, 0)
        moves = [move for move in self._whole if self._means(move, field, seat, thing)]
        move = moves[0] if len(moves) == 1 else None
        return Item(thing.words, thing.n, face, back, move, thing.told, thing.seen, thing.note)

    @cached_property
    def _whole(self) -> list[dict[str, Any]]:
        """The moves of one field that may be made now."""
        if not isinstance(self.book.moves, Moves):
            return []
        return [choice.move for choice in self.menu if choice.whole and len(choice.move) == 2]

    def _means(self, move: dict[str, Any], of: Field, seat: int | None, thing: Thing) -> bool:
        """Whether a move is made by touching a thing."""
        ((name, value),) = ((name, value) for name, value in move.items() if name != "do")
        declared = [other for other in self.book.layout.facts if other.touch == move["do"]]
        if declared:
            values = self.book.moves.kinds[move["do"]].fields[name]  # type: ignore[union-attr]
            return of in declared and values.index(value) == thing.place
        own = seat == self.you and of.seen == "owner"
        if isinstance(value, str):
            names = kinds_of(of) if own or seat is None else ()
            return thing.kind is not None and thing.kind < len(names) and names[thing.kind].lower() == value
        return own and name in (of.name, of.counts, of.holds) and value == thing.kind

    @cached_property
    def _piles(self) -> tuple[Zone, ...]:
        """The piles that nobody looks into: all see how many lie there."""
        piles = []
        for of in self.book.layout.facts:
            if of.face and of.shown and of.holds and of.seen == "nobody" and not of.learned:
                value = getattr(self.state, of.name)
                n = sum(number != of.nothing for number in flat(value if of.shape else [value]))
                label = capitalized(self.book.say(of.called))
                if n:
                    item = Item(label, n, "", key(self.book, of, 0))
                    piles.append(Zone(of.name, label, (item,), str(n), None, of.face.kind, True))
        return tuple(piles)

    def _meaning(self, do: str) -> str:
        kind = self.book.moves.kinds.get(do) if self.book.moves else None
        return str(self.book.say(kind.meaning)) if isinstance(kind, Move) and kind.meaning != do else ""

    def _ways(self) -> Iterator[Way]:
        touched = [item.move for zone in (*self.zones, *self._piles) for item in zone.items if item.move]
        left = [choice for choice in self.menu if choice.move not in touched]
        number = Counter(choice.move["do"] for choice in left if choice.whole)
        begun: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for choice in left:
            move, meaning = choice.move, self._meaning(choice.move["do"])
            if not choice.whole:
                span = f"{choice.amounts[0]}–{choice.amounts[-1]}" if choice.amounts else ""
                words = f"{move_said(self.book, move, self.names)} {span}" if choice.amounts else choice.text
                yield Way(capitalized(words), meaning, choice=choice)
            elif number[move["do"]] > MANY and len(move) > 1 and isinstance(self.book.moves, Moves):
                begun.setdefault(tuple(move.items())[: min(2, len(move) - 1)], []).append(move)
            else:
                few = number[move["do"]] < 3
                yield Way(capitalized(move_said(self.book, move, self.names)), meaning if few else "", move)
        for beginning, moves in begun.items():
            label = move_said(self.book, dict.fromkeys(moves[0], OPEN) | dict(beginning), self.names)
            rest = tuple(self._rest(move, len(beginning)) for move in moves)
            yield Way(capitalized(label), self._meaning(moves[0]["do"]), rest=rest)

    def _rest(self, move: dict[str, Any], begun: int) -> Item:
        """What is left of a move of which the kind, or its first field too, is said."""
        words = [value_said(self.book, move["do"], name, value, self.names) for name, value in [*move.items()][begun:]]
        name, value = [*move.items()][-1]
        things = (of for of in self.book.layout.facts if of.face and not numbers_of(self.book, of))
        drawn = [of for of in things if name in (of.name, of.counts, of.holds)]
        face = key(self.book, drawn[0], value) if drawn and isinstance(value, int) and len(words) == 1 else ""
        return Item(" ".join(words), 1, face, "", move)
