"""Moves, declared once. `Moves`: every move is one step.

    MOVES = Moves(Move("bid", amount=(0, 30)), Move("pass"))
    PASS = MOVES.first("pass")             # a plain integer, for the compiled subset: bid 0 is action 0, pass is action 31

From the declaration come the action ids (in the order of declaration), the action table, the words that deal with moves
(`steps`, `move`, `text`, `parse`, `canonical`, `menu`, `EXPECTED`), and a JSON `schema` for programs. A move with a range
named `amount` is one choice of the menu with all amounts that are legal; of any other, each legal move is a choice. A range
named `whom` is a player: people read the name.

`LongMoves`: a move may be several steps.

    MOVES = LongMoves(
        LongMove("pass", (BID,), PASS),
        LongMove("trade", (TURN,), trade_steps, {"with": WHOLE, "animal": ANIMAL}, "trade {animal} with {with}"), …
    )

A row says what the move does; in which phases it is open; its action id, or a function of the state, the seat and the values
of its fields that gives several; its fields in the order of a record, each a `MoveField` (what it may be, and what is said
of anything else); how it is typed; which fields may be left out. A kind whose fields depend on the first of them has several
rows, told apart by what that one may be (`enum`). From the rows come `steps` with what is refused, `parse`,
`canonical`, `text`, `EXPECTED` and `schema`. `choices(s, seat)` and `move` are the game's own; `menu` has its choices, and
each move among them as one that leaves nothing to choose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from outbid.core import contract
from outbid.core.derived.spaces import Action, Actions
from outbid.core.errors import BadRulebook, Illegal, Unreadable
from outbid.core.language.i18n import _
from outbid.core.language.phrases import Mover
from outbid.core.menu import Choice, Menu

AMOUNT, WHOM = "amount", "whom"
NOTHING = "nothing"  # typed for a list without items
WHOLE = {"type": "integer"}
JSON: Mapping[str, type] = {"integer": int, "boolean": bool, "array": list}
MoveData = dict[str, Any]


@dataclass(frozen=True, init=False)
class Move:
    """One kind of move: what it does, and its fields. A field is a range of whole numbers, (low, high), both included, or
    the words it may be, such as ("red", "blue"). label: how people read it, such as "bid {number} times {face}"."""

    do: str
    fields: Mapping[str, tuple[Any, ...]]
    meaning: str
    label: str

    def __init__(self, do: str, meaning: str = "", label: str = "", /, **fields: tuple[Any, ...]):
        object.__setattr__(self, "do", do)
        object.__setattr__(self, "meaning", meaning or do)
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "fields", {key: _values(do, key, given) for key, given in fields.items()})
        if not do or do != "".join(do.split()) or do != do.lower():
            raise BadRulebook(f"A move is named by one word in small letters, not {do!r}.")
        for key in {"do", "seat"} & fields.keys():
            raise BadRulebook(f"The move {do!r} has a field {key!r}, but in a record that is who does what; rename it.")

    @property
    def all(self) -> Iterator[MoveData]:
        """All moves of this kind, with every value of their fields."""
        for values in product(*self.fields.values()):
            yield {"do": self.do, **dict(zip(self.fields, values, strict=True))}

    @property
    def schema(self) -> dict[str, Any]:
        """A JSON schema of it."""
        fields: dict[str, Any] = {}
        for key, values in self.fields.items():
            whole = isinstance(values[0], int)
            fields[key] = {"type": "integer", "minimum": values[0], "maximum": values[-1]} if whole else {"enum": [*values]}
        return _schema(self.do, fields) | ({"title": self.meaning} if self.meaning != self.do else {})

    @property
    def form(self) -> str:
        """The kind with its fields as one types them: "bid 0–30"."""
        spans = [f"{v[0]}–{v[-1]}" if isinstance(v[0], int) else "/".join(v) for v in self.fields.values()]
        return " ".join([self.do, *spans])


class Declared:
    """The moves of a game. `_steps` may raise Illegal with the reason alone."""

    kinds: Mapping[str, Any]
    _rows: Sequence[Any]
    menu: Callable[[Any, int], Menu]
    text: Callable[[Mapping[str, Any]], str]
    table: Actions | None = None
    _unknown: Callable[..., str]
    _steps: Callable[[Any, int, Any, Mapping[str, Any]], list[int]]

    @property
    def schema(self) -> dict[str, Any]:
        """A JSON schema of the moves as a record writes them; which of them are legal now says the menu."""
        return {"oneOf": [row.schema for row in self._rows]}

    @property
    def EXPECTED(self) -> Mapping[str, Any]:  # noqa: N802 - the name is the contract's
        """The kinds of moves, by what a record says under `do`."""
        return self.kinds

    def canonical(self, move: Mapping[str, Any]) -> MoveData:
        """A move with only its own keys, in the order of a record: all others are ignored (RECORD.md)."""
        row = self.row(move)
        return {key: move[key] for key in ("do", *(row.fields if row else ())) if key in move}

    def row(self, move: Mapping[str, Any]) -> Any:
        """The declaration of a move; None if there is no such move."""
        do = move.get("do")
        return self.kinds.get(do) if isinstance(do, str) else None

    def steps(self, s: Any, seat: int, move: Mapping[str, Any]) -> list[int]:
        """The action ids of a move. Raises Unreadable, or Illegal with what is legal."""
        row = self.row(move)
        if row is None:
            raise Unreadable(self._unknown(move.get("do")))
        try:
            return self._steps(s, seat, row, move)
        except Illegal as why:
            raise Illegal(why.reason, self.menu(s, seat).texts) from None


class Moves(Declared):
    """The moves of a game, each of one step. Raises BadRulebook if two of them are typed alike."""

    kinds: Mapping[str, Move]
    all: tuple[MoveData, ...]
    table: Actions

    def __init__(self, *moves: Move):
        kinds, every = {row.do: row for row in moves}, [move for row in moves for move in row.all]
        if not moves or len(kinds) < len(moves):
            raise BadRulebook("There must be a move, and each kind of move is declared once.")
        self.kinds, self._rows, self.all = kinds, moves, tuple(every)
        actions = [Action(n, self.text(move), kinds[move["do"]].meaning) for n, move in enumerate(every)]
        self.table = Actions(len(actions), *([action] for action in actions))
        self._ids = {action.name: action.id for action in actions}

    def first(self, do: str) -> int:
        """The id of the first action of a kind. Raises BadRulebook if there is no such kind."""
        if do not in self.kinds:
            raise BadRulebook(f"There is no move {do!r}; there are {', '.join(self.kinds)}.")
        return next(n for n, move in enumerate(self.all) if move["do"] == do)

    # --- words (contract.Words) ---

    def text(self, move: Mapping[str, Any]) -> str:
        """A move as one types it, as far as it is known: "bid 3", "pass"."""
        do = move["do"]
        keys = self.kinds[do].fields if do in self.kinds else ()
        return " ".join([str(do), *(str(move[key]) for key in keys if key in move)])

    def parse(self, line: str) -> MoveData:
        """The move that a person typed. Raises Unreadable."""
        do, *rest = line.lower().split() or [""]
        kind = self.kinds.get(do)
        if kind is None or len(rest) != len(kind.fields):
            raise Unreadable(self._unknown(line, kind))
        read = [_read(values, word) for values, word in zip(kind.fields.values(), rest, strict=True)]
        if None in read:
            raise Unreadable(self._unknown(line, kind))
        return {"do": do, **dict(zip(kind.fields, read, strict=True))}

    def _steps(self, s: Any, seat: int, kind: Move, move: Mapping[str, Any]) -> list[int]:
        for key, values in kind.fields.items():
            value = move.get(key)
            if isinstance(value, bool) or not isinstance(value, type(values[0])):
                raise Unreadable(self._unknown(self.text({**move, key: repr(value)}) if key in move else kind.do, kind))
        action = self._ids.get(self.text(move))
        if action is None or action not in self._legal(s, seat):
            raise Illegal(_("{move} is not possible.", move=self.text(move)))
        return [action]

    def move(self, s: Any, seat: int, actions: list[int]) -> MoveData:
        """The move that an action makes."""
        return dict(self.all[actions[0]])

    def menu(self, s: Any, seat: int) -> Menu:
        """What an asked seat may do."""
        legal, choices = sorted(self._legal(s, seat)), []
        for do, kind in self.kinds.items():
            open_now = [self.all[action] for action in legal if self.all[action]["do"] == do]
            amounts = [move[AMOUNT] for move in open_now] if list(kind.fields) == [AMOUNT] else []
            if amounts and amounts == list(range(amounts[0], amounts[-1] + 1)):
                span = f"{do} {amounts[0]}" + (f" to {amounts[-1]}" if len(amounts) > 1 else "")
                choices.append(Choice(span, {"do": do}, amounts=range(amounts[0], amounts[-1] + 1)))
            else:
                choices += [Choice(self.text(move), move) for move in open_now]
        return Menu(tuple(choices))

    def _legal(self, s: Any, seat: int) -> list[int]:
        if not contract.asked(s) >> seat & 1:
            return []
        out = [0] * len(self.all)
        return out[: contract.legal(s, seat, out)]

    def _unknown(self, move: object, kind: Move | None = None) -> str:
        if kind is not None:
            return _("{move} is not a move; it is {form}.", move=repr(str(move)), form=kind.form)
        moves = ", ".join(row.form for row in self.kinds.values())
        return _("{move} is not a move; the moves are {moves}.", move=repr(str(move)), moves=moves)


class MoveField(dict[str, Any]):
    """What a field of a long move may be: its JSON schema, and how it is read.

    wrong: the sentence about any other value, a message of the game with {value}, {do} and {known}. typed: the value that a
    typed word stands for, None if it stands for none. read: what `steps` gets for the value of a record, given the kind and
    the key, too; by default the value itself."""

    def __init__(self, schema: Mapping[str, Any], wrong: str = "", typed: Callable[[str], Any] = str,
                 read: Callable[[str, str, Any], Any] | None = None):  # fmt: skip
        super().__init__(schema)
        self.wrong, self.typed, self.read = wrong, typed, read
        self._types = {type(value) for value in schema["enum"]} if "enum" in schema else {JSON[schema["type"]]}

    def fault(self, value: Any) -> tuple[MoveField, Any] | None:
        """The first part of a value that is wrong, behind what it should be."""
        right = type(value) in self._types and ("enum" not in self or value in self["enum"])
        if right and isinstance(items := self.get("items"), MoveField):
            return next(filter(None, map(items.fault, value)), None)
        return None if right else (self, value)

    def listed(self, words: Sequence[str]) -> list[Any] | None:
        """The list that typed words stand for; None if there is no word, or one is no item."""
        items = [self["items"].typed(word) for word in words if word != NOTHING]
        return items if words and None not in items else None


def number(form: str) -> Callable[[str], int | None]:
    """Read a typed whole number of this form, a regular expression."""
    return lambda word: int(word) if re.fullmatch(form, word) else None


def checker(say: Callable[..., str]) -> Callable[..., None]:
    """Refusals of a game: `check(amount > s.bid, N_("A bid must be higher than {bid}."), bid=s.bid)` raises Illegal with the
    message unless the move is legal; in the message {who} is the seat, as a `Mover`, if one is given."""

    def check(legal: object, message: str, seat: int = -1, **words: Any) -> None:
        if not legal:
            raise Illegal(say(message, who=Mover(seat), **words))

    return check


class LongMove(NamedTuple):
    """One kind of move, which may be several steps. form: a format of its text, or what makes it; by default `do` and the
    fields. optional: fields that may be left out.

    It is typed as the form has it: a word a field, two of them in either order, or the items of a list. skipped: words that
    may stand between them. typed: reads the words of any other typed line; None if they are no such move. unread: the
    sentence about those, a message with {line} and {do}."""

    do: str
    at: tuple[int, ...]
    steps: int | Callable[..., list[int]]
    fields: Mapping[str, Any] = {}
    form: str | Callable[[Mapping[str, Any]], str] = ""
    optional: Collection[str] = ()
    unread: str = ""
    skipped: Collection[str] = ()
    typed: Callable[[list[str], str], Mapping[str, Any] | None] | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """A JSON schema of it."""
        return _schema(self.do, self.fields, self.optional)

    def fits(self, move: Mapping[str, Any]) -> bool:
        """Whether its first field is one that this row is for."""
        first = next(iter(self.fields), "")
        return move.get(first) in self.fields[first].get("enum", ())

    def values(self, words: Sequence[str], line: str) -> Mapping[str, Any] | None:
        """The fields of a typed line; None if these words are no such move."""
        words = [word for word in words if word not in self.skipped]
        if self.typed is not None:
            return self.typed(words, line)
        keys = re.findall(r"{(\w+)}", str(self.form)) or [*self.fields]
        first = self.fields[keys[0]]
        if len(keys) == 1 and "items" in first:
            items = first.listed(words)
            return None if items is None else {keys[0]: items}
        if len(words) == 2 == len(keys) and first.fault(first.typed(words[1])) is None:
            words.reverse()
        read = {key: self.fields[key].typed(word) for key, word in zip(keys, words, strict=False)}
        return None if None in read.values() or len(words) != len(keys) else {key: read[key] for key in self.fields}


class LongMoves(Declared):
    """The moves of a game that may be several steps.

    say: the game's translations. unknown, empty: its messages about what is no move ({move}, and the {moves} there are), and
    about an empty line. verbs: what a kind of move is called where it is not open now. barred: whether a move is not open
    although the phase is right. split: the words of a typed line, the kind first. also: what else one types.
    arguments: what `steps` of a row gets, if not the values of its fields."""

    def __init__(self, *moves: LongMove, choices: Callable[[Any, int], Iterable[Choice | MoveData]], say: Callable[..., str],
                 unknown: str, empty: str = "", verbs: Mapping[str, str] = {},
                 barred: Callable[[Any, int, str], bool] = lambda *_: False,
                 split: Callable[[str], list[str]] = str.split, also: Sequence[str] = (),
                 arguments: Callable[[LongMove, Mapping[str, Any]], Iterable[Any]] | None = None):  # fmt: skip
        self._rows, self.kinds = moves, {}
        for row in moves:
            self.kinds.setdefault(row.do, []).append(row)
        self._choices, self._say, self._empty, self._verbs = choices, say, empty, verbs
        self._barred, self._split, self._also, self._arguments = barred, split, also, arguments or self._values
        self._unknown_move = unknown

    def menu(self, s: Any, seat: int) -> Menu:
        """What an asked seat may do, from a state hidden for it (or the true one: they are the same)."""
        choices = self._choices(s, seat)
        return Menu(tuple(option if isinstance(option, Choice) else Choice(self.text(option), option) for option in choices))

    def row(self, move: Mapping[str, Any]) -> LongMove | None:
        """The row of a move; of a kind with several, the one that its first field fits, or else the last."""
        rows = super().row(move)
        if not rows or len(rows) == 1:
            return rows[0] if rows else None
        return next((row for row in rows[:-1] if row.fits(move)), rows[-1])

    def _steps(self, s: Any, seat: int, kind: LongMove, move: Mapping[str, Any]) -> list[int]:
        if s.phase not in kind.at or self._barred(s, seat, kind.do):
            verb = self._say(self._verbs.get(kind.do, "")) or kind.do
            raise Illegal(_("It is not possible to {do} now.", do=verb))
        return kind.steps(s, seat, *self._arguments(kind, move)) if callable(kind.steps) else [kind.steps]

    def _values(self, kind: LongMove, move: Mapping[str, Any]) -> list[Any]:
        """The values of the fields, in their order. Raises Unreadable."""
        values = []
        for key, of in kind.fields.items():
            value = move.get(key)
            if of.read is None and (fault := of.fault(value)):
                known = ", ".join(map(str, fault[0].get("enum", ())))
                raise Unreadable(self._say(fault[0].wrong, value=fault[1], do=kind.do, known=known))
            values.append(of.read(kind.do, key, value) if of.read else value)
        return values

    def parse(self, line: str) -> MoveData:
        """The move that a person typed. Raises Unreadable with an example."""
        words = self._split(line)
        if not words:
            raise Unreadable(self._say(self._empty))
        do = words[0].lower()
        row = self.row({"do": do})
        if row is None or (words[1:] and not row.fields):
            raise Unreadable(self._unknown(line, also=self._also))
        values = row.values(words[1:], line) if row.fields else {}
        if values is None:
            raise Unreadable(self._say(row.unread, line=line, do=do))
        return {"do": do, **values}

    def text(self, move: Mapping[str, Any]) -> str:
        """A move as one types it."""
        row = self.row(move) or LongMove(str(move["do"]), (), 0)
        if callable(row.form):
            return row.form(move)
        words = {key: _spelled(value) for key, value in move.items()}
        return row.form.format_map(words) or " ".join([row.do, *(words[key] for key in row.fields if key in words)])

    def _unknown(self, move: object, also: Sequence[str] = ()) -> str:
        return self._say(self._unknown_move, move=move, moves=", ".join([*self.kinds, *also]))


def _schema(do: str, fields: Mapping[str, Any], optional: Collection[str] = ()) -> dict[str, Any]:
    properties = {"do": {"const": do}, **fields}
    needed = [key for key in properties if key not in optional]
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def _spelled(value: Any) -> str:
    words = " ".join(map(str, value)) if isinstance(value, list) else value
    return NOTHING if words in ("", None) else str(words)


def _values(do: str, key: str, given: Any) -> tuple[Any, ...]:
    """All values of a field. Raises BadRulebook."""
    if isinstance(given, (tuple, list)) and given:
        if all(isinstance(option, str) and option == "".join(option.lower().split()) for option in given):
            return tuple(given)
        if len(given) == 2 and all(type(option) is int for option in given) and 0 <= given[0] <= given[1]:
            return tuple(range(given[0], given[1] + 1))
    raise BadRulebook(
        f"The field {key!r} of the move {do!r} is {given!r}; it must be a range of whole numbers, such as (0, 30), "
        'or words in small letters, such as ("red", "blue").'
    )


def _read(values: tuple[Any, ...], word: str) -> Any:
    """The value of a field that a person typed; None if it is of another kind. Whether it is legal is seen later."""
    if isinstance(values[0], int):
        return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else None
    return word if word in values else None
