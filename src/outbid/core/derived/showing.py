"""What people are shown of the fields of a game that has no table of its own, in words: for pages, terminals and prompts.

`shown` reads a view (visibility.py, or the game's own) and says of each field what lies there: a number, a name, or things,
such as cards of a kind and how many. Left out are fields with shown=False, and kinds of which there is nothing. Of what play
lets one viewer know (knowledge.py) it says what only some were shown, and which kinds are ruled out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from outbid.core.components import Track
from outbid.core.counts import COMMON
from outbid.core.declaration import Declaration
from outbid.core.derived.looks import looks_of
from outbid.core.derived.visibility import PLAYERS
from outbid.core.fields import UNKNOWN, Field
from outbid.core.language.i18n import _
from outbid.core.language.phrases import listed
from outbid.core.moves import WHOM, Move

HIDDEN, NOTHING, OPEN = "?", "–", "…"
ELSEWHERE = ("game", "seat", "names", "asked", "players", "winners")  # said elsewhere: not fields, or everywhere the same


@dataclass(frozen=True)
class Thing:
    """What lies at a place: its kind (None: nobody tells), its name, and how many are alike. told: the viewer was shown it,
    and not everybody was; seen: the seats that were, where all know who; note: that, in words."""

    kind: int | None
    words: str
    n: int = 1
    place: int = 0
    told: bool = False
    seen: tuple[int, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class ShownField:
    """A field as somebody sees it, and in words. seat: whose it is; things: what lies there, if it has several places;
    number: what stands there, if it has one and that is known; lacks: the names of the kinds that are ruled out there."""

    name: str
    label: str
    words: str
    seat: int | None = None
    field: Field | None = None
    things: tuple[Thing, ...] = ()
    number: int | None = None
    lacks: tuple[str, ...] = ()


def shown(
    book: Declaration, view: Mapping[str, Any], names: Sequence[str], s: Any = None, viewer: int = -1
) -> list[ShownField]:
    """The fields of a view: first those of the table, then those of the seats, one seat after the other. s: the state as the
    viewer sees it; without it nothing is said of who was shown what."""
    reader = ViewReader(book, names, s, viewer)
    rows: list[Mapping[str, Any]] = [*view.get(PLAYERS, ())]
    seats = [entry for seat, row in enumerate(rows) for entry in reader.read(row, seat)]
    return [*reader.read(view), *seats]


def worth_saying(book: Declaration, fields: Sequence[ShownField]) -> list[ShownField]:
    """The fields but for numbers of which nobody has any; a place on a track is one."""
    plain = {of.name for of in book.layout.facts if not (of.names or of.seat or isinstance(of.face, Track))}
    empty = plain - {entry.name for entry in fields if entry.number != 0}
    return [entry for entry in fields if entry.name not in empty]


@dataclass(frozen=True)
class ViewReader:
    """Reads views of a game. names: of the seats; s, viewer: as for `shown`."""

    book: Declaration
    names: Sequence[str]
    s: Any = None
    viewer: int = -1

    def read(self, view: Mapping[str, Any], seat: int | None = None) -> Iterator[ShownField]:
        """The fields of a view, or of the row of a seat."""
        say = self.book.say
        known = {field.name: field for field in self.book.layout.fields}
        for name, value in view.items():
            field = known.get(name)
            if (field and not field.shown) or (name in ELSEWHERE and seat is None) or (name == "phase" and field is None):
                continue
            label = say(field.called if field else name.replace("_", " "))
            several = isinstance(value, dict | list) and not any(isinstance(part, list | dict) for part in _parts(value))
            told, lacks, seen = self._learned(field, -1 if seat is None else seat)
            things = tuple(self._known(t, told, seen) for t in self._things(field, value)) if several else ()
            words = self._listed(things, field) if several else self._words(field, value)
            lacks = lacks if any(thing.kind is None for thing in things) else ()
            if lacks:
                words = _("{words} (not: {kinds})", words=words, kinds=", ".join(lacks))
            number = field.names.index(value) if field and value in field.names else value
            yield ShownField(name, label, words, seat, field, things, number if type(number) is int else None, lacks)

    def _known(self, thing: Thing, told: set[int], seen: Mapping[int, tuple[int, ...]]) -> Thing:
        """A thing, with who was shown it."""
        by, mine = seen.get(thing.place, ()), thing.place in told
        names = listed([self.names[seat] for seat in by if seat != self.viewer])
        if names:
            note = _("shown to you and to {names}", names=names) if mine else _("shown to {names}", names=names)
        else:
            note = _("shown to you") if mine else ""
        return replace(thing, told=mine, seen=by, note=note)

    def _learned(self, field: Field | None, seat: int) -> tuple[set[int], tuple[str, ...], dict[int, tuple[int, ...]]]:
        """The places that the viewer was shown and not everybody was, the names of the kinds that are ruled out, and which
        seats were shown each place that not everybody was."""
        if self.s is None or field is None or not field.learned or (len(field.shape) == 2 and seat < 0):
            return set(), (), {}
        own = field.seen == "owner" and seat == self.viewer
        if own and field.counts:
            return set(), (), {}
        if not field.counts:
            seen = getattr(self.s, f"{field.name}_seen")
            seen = seen[seat] if seat >= 0 else seen
            masks = seen if isinstance(seen, list) else [seen]
            viewer = COMMON if self.viewer < 0 else self.viewer
            known = {n: mask for n, mask in enumerate(masks) if not mask >> COMMON & 1}
            others = [other for other in range(len(self.names)) if other != seat]
            seen = {n: tuple(other for other in others if mask >> other & 1) for n, mask in known.items()}
            return {n for n, mask in known.items() if not own and mask >> viewer & 1}, (), seen
        viewer = field.viewers if self.viewer < 0 else self.viewer
        of_viewer, of_all = (field.shape[0] * block + seat for block in (viewer, field.viewers))
        least, most = getattr(self.s, f"{field.name}_least"), getattr(self.s, f"{field.name}_most")
        kinds = range(1, field.shape[1])
        lacks = tuple(self.book.say(field.places[kind]) for kind in kinds if field.places and most[of_viewer][kind] == 1)
        return {kind for kind in kinds if least[of_viewer][kind] > least[of_all][kind]}, lacks, {}

    def _things(self, field: Field | None, value: Any) -> Iterator[Thing]:
        say = self.book.say
        counted = isinstance(value, dict) or (field is not None and bool(field.counts))
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for place, (key, part) in enumerate(pairs):
            if counted:
                if part in (0, None):
                    continue
                hidden = field is not None and bool(field.counts) and place == 0
                kind = None if hidden else place
                yield Thing(kind, say(UNKNOWN if hidden else str(key)), part if isinstance(part, int) else 1, place)
            elif part is None:
                yield Thing(None, HIDDEN, 1, place)
            else:
                names = field.names if field else ()
                number = names.index(part) if part in names else part if isinstance(part, int) else None
                if field is not None and (field.filled or (field.face and not field.face.piled)) and number == field.nothing:
                    continue
                yield Thing(number, self._words(field, part), 1, place)

    def _words(self, field: Field | None, value: Any) -> str:
        if value is None:
            return HIDDEN
        if isinstance(value, Mapping):
            return ", ".join(f"{key} {self._words(field, part)}" for key, part in value.items()) or NOTHING
        if isinstance(value, list):
            return " ".join(self._words(field, part) for part in value) or NOTHING
        if field is not None and type(value) is int:
            if field.seat and field.shape == ():
                return self.names[value] if 0 <= value < len(self.names) else NOTHING
            if value < 0 and value == field.low:
                return NOTHING
            if 0 < value <= len(looks_of(field)) and (text := looks_of(field)[value - 1].text):
                return str(self.book.say(text))
        return self.book.say(value) if isinstance(value, str) else str(value)

    def _listed(self, things: Sequence[Thing], field: Field | None) -> str:
        """What lies there, as a line."""
        words = [f"{thing.words} ({thing.note})" if thing.note else thing.words for thing in things]
        if numbers := numbers_of(self.book, field):
            words = [f"{numbers[thing.place]}: {text}" for thing, text in zip(things, words, strict=True)]
        if field is not None and not field.counts and not field.places:
            return (", " if any(" " in text for text in words) else " ").join(words) or NOTHING
        if field is not None and field.counts:
            return ", ".join(text + f" ×{t.n}" * (t.n > 1) for text, t in zip(words, things, strict=True)) or NOTHING
        return ", ".join(f"{thing.words} {thing.n}" for thing in things) or NOTHING


def _parts(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value


def numbers_of(book: Declaration, field: Field | None) -> tuple[int, ...]:
    """The numbers of the places of a field, where a move or another field names them by number."""
    if field is None or field.counts or not field.shape:
        return ()
    kind = book.moves.kinds.get(field.touch) if book.moves else None
    (values,) = kind.fields.values() if isinstance(kind, Move) else ((),)
    if values and isinstance(values[0], int):
        return tuple(values)
    return tuple(range(1, field.shape[-1] + 1)) if any(other.at == field.name for other in book.layout.facts) else ()


def spoken_of(book: Declaration, do: str, key: str) -> Field | None:
    """The field whose kinds a number in a move's field of this name stands for; none if it is a number, or a place."""
    fields = book.layout.facts
    if any(field.touch == do for field in fields):
        return None
    return next((field for field in fields if key in (field.name, field.counts, field.holds) and kinds_of(field)), None)


def kinds_of(field: Field) -> tuple[str, ...]:
    """The names of its kinds, from 0 on."""
    return field.names or field.places


def move_said(book: Declaration, move: Mapping[str, Any], names: Sequence[str]) -> str:
    """A move as people read it, as far as it is known: "lay Heiress"."""
    kind = book.moves.kinds.get(move["do"]) if book.moves else None
    if not isinstance(kind, Move):
        return str(book.words.text(move))
    say = book.say
    values = {key: value_said(book, kind.do, key, move[key], names) for key in kind.fields if key in move}
    if kind.label and values:
        return str(say(kind.label, **dict.fromkeys(kind.fields, OPEN) | values))
    return " ".join([say(kind.do), *values.values()])


def value_said(book: Declaration, do: str, key: str, value: Any, names: Sequence[str]) -> str:
    """A value of a move's field as people read it."""
    if isinstance(value, str):
        return str(book.say(value))
    if key == WHOM and value < len(names):
        return names[value]
    field = spoken_of(book, do, key)
    return str(book.say(kinds_of(field)[value]) if field and value < len(kinds_of(field)) else value)
