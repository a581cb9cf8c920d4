"""Who knows what of hidden things: declared with the fields, kept by the functions through which things move.

A field that not all see says what fills it, and then the game writes no `redeal` (derived/worlds.py):

    CARDS = Field("cards", shape=(9,), high=5)                    # public: how many of each kind are in the game; 0 is none
    DECK = Field("deck", shape=(16,), seen="nobody", holds="cards", high=8)      # a kind at each place, 0: nothing
    HAND = Field("hand", shape=(SEATS, 9), seen="owner", counts="cards", learned=True, high=2)   # how many of each kind
    DIE = Field("die", shape=(SEATS, 5), seen="owner", drawn=(1, 6))             # each is drawn by itself; 0: nothing
    BID = Field("bid", shape=(SEATS,), seen="owner", drawn=(0, "purse"), low=-1)  # at most s.purse[seat]; −1: none
    PURSE = Field("purse", shape=(SEATS,), seen="owner", drawn=("proven", "most"), low=-1)   # either end may be a field

`holds` and `counts` name a supply: all that lies hidden anywhere is what the supply has and the viewer does not see. All see
where something lies and how many things a row of counts has, though not what. Where a viewer does not know it, a place holds
one less than nothing (−1, where nothing is 0), and place 0 of a row of counts says how many are unknown, beside those that
the viewer knows of. Besides the words "all", "owner" and "nobody", `seen` may be the name of a field that holds a seat: that
seat sees it.

`learned=True` lets play change who knows it. Of places it is kept who was shown each (`lot_seen`, a bit mask; all see it).
Of counts it is kept for each viewer, of each row and kind, how many there are at least and at most (`hand_least`,
`hand_most`; each sees its own, and all see what a spectator knows). These functions keep it; `to` is a seat or `EVERYBODY`,
`at` a place, (row, place) in a field of two dimensions, and of counts a row, or (row, kind) for one thing in it:

    reveal(s, LOT, at, to)            show what lies there; of counts the row as it is, or that one of a kind is there
    rule_out(s, HAND, (row, kind), to)   let it be known that a row has none of a kind
    transfer(s, DECK, at, HAND, to)   move one thing, and return its kind; who knew it or sees where it goes knows it there
    swap(s, HAND, i, j)               exchange two places or rows; the owners know what they gave
    conceal(s, LOT, at)               forget who knows a place or a row, as when it is put back
    reshuffle(s, DECK, n, r)          mix the first n places and forget them; returns where the row of random numbers goes on

What moves out of a row of counts unseen may have been any of what a viewer knew there, so "at least" falls by one; what
comes in unseen may be of any kind, so "at most" rises by one. A card that all see leaves both one lower for its kind. In a
world dealt anew the other seats know what all know. A rule that writes a learned field itself goes round all this; only
`deal` may. What cannot be said in these terms a game checks in `agrees(s, seat)`: 0 rejects a world.

Each function is written for the fields it is called with, as a few lines of the compiled subset (`form`): the plain backend
runs them, and the compiled one compiles the same.
"""

import linecache
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from outbid.core import counts
from outbid.core.chance import shuffle_from
from outbid.core.errors import BadRulebook
from outbid.core.fields import Field

EVERYBODY = -1  # a spectator sees what all see
ALL_BITS = 255  # of a mask: seats, and counts.COMMON for what all know


# --- what rules call --------------------------------------------------------------------------------------------------


def reveal(s: Any, field: Field, at: Any, to: int) -> None:
    """Show a place to a seat or to EVERYBODY; of counts a row, or at (row, kind) one of a kind."""
    form("reveal", isinstance(at, tuple), field)(s, field, at, to)


def rule_out(s: Any, field: Field, at: Any, to: int) -> None:
    """Let a seat or EVERYBODY know that a row has none of a kind, at (row, kind)."""
    form("rule_out", True, field)(s, field, at, to)


def conceal(s: Any, field: Field, at: Any) -> None:
    """Forget who knows a place, or a row of counts."""
    form("conceal", isinstance(at, tuple), field)(s, field, at)


def swap(s: Any, field: Field, i: Any, j: Any) -> None:
    """Exchange what lies at two places, or two rows of counts; knowledge goes with it."""
    form("swap", isinstance(i, tuple), field)(s, field, i, j)


def transfer(s: Any, source: Field, i: Any, target: Field, j: Any) -> int:
    """Move one thing from a place or a row to another one, and return its kind; knowledge goes with it."""
    return form("transfer", isinstance(i, tuple), source, target)(s, source, i, target, j)


def reshuffle(s: Any, field: Field, n: int, r: int) -> int:
    """Mix the first n places of a field of one dimension and forget who knew them; returns the state of the generator."""
    return form("reshuffle", False, field)(s, field, n, r)


FUNCTIONS = (reveal, rule_out, conceal, swap, transfer, reshuffle)


# --- the same for certain fields --------------------------------------------------------------------------------------


def seers(field: Field, row: str, place: str) -> str:
    """Who sees a place, as an expression for a bit mask. row: the seat it belongs to; place: its indices in brackets."""
    fixed = {"all": str(ALL_BITS), "owner": f"(1 << {row})", "nobody": "0"}
    mask = fixed.get(field.seen, f"(1 << s.{field.seen} if s.{field.seen} >= 0 else 0)")
    return f"({mask} | s.{field.name}_seen{place})" if field.learned and not field.counts else mask


@lru_cache(maxsize=1024)
def form(name: str, pair: bool, *fields: Field) -> Callable[..., Any]:
    """One of the functions for these fields. pair: whether its first place is (row, …). Raises BadRulebook."""
    head, lines = FORMS[name](pair, *fields)
    if not lines:
        counted = ", and count things" if name == "rule_out" else ""
        raise BadRulebook(f"{name} does not go with the field {fields[0].name}: it must be learned=True{counted}.")
    text = "\n".join([f"def {name}({head}):", *(f"    {line}" for line in lines)])
    file = f"<{name}: {', '.join(field.name for field in fields)}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    scope: dict[str, Any] = {**vars(counts), "shuffle_from": shuffle_from}
    exec(compile(text, file, "exec"), scope)
    return scope[name]


def _place(field: Field, at: str) -> str:
    """The indices of a place in brackets."""
    return "" if not field.shape else f"[{at}]" if len(field.shape) == 1 else f"[{at}[0]][{at}[1]]"


def _tables(field: Field, at: str) -> str:
    """The arguments that the functions on counts begin with."""
    name = field.name
    return f"s.{name}, s.{name}_least, s.{name}_most, {at}"


def _reveal(pair: bool, field: Field) -> tuple[str, list[str]]:
    if not field.counts:
        lines = [f"s.{field.name}_seen{_place(field, 'at')} |= {ALL_BITS} if to < 0 else 1 << to"]
    else:
        lines = [f"kind_shown({_tables(field, 'at[0], at[1], to')})" if pair else f"row_shown({_tables(field, 'at, to')})"]
    return "s, field, at, to", lines if field.learned else []


def _rule_out(pair: bool, field: Field) -> tuple[str, list[str]]:
    lines = [f"kind_ruled_out({_tables(field, 'at[0], at[1], to')})"]
    return "s, field, at, to", lines if field.learned and field.counts else []


def _conceal(pair: bool, field: Field) -> tuple[str, list[str]]:
    lines = [f"row_concealed({_tables(field, 'at')})" if field.counts else f"s.{field.name}_seen{_place(field, 'at')} = 0"]
    return "s, field, at", lines if field.learned else []


def _swap(pair: bool, field: Field) -> tuple[str, list[str]]:
    if field.counts:
        owners = [f"row_shown({_tables(field, f'{at}, {at}')})" for at in ("i", "j") if field.seen == "owner"]
        kept = [*owners, f"knowledge_swapped({_tables(field, 'i, j')})"] if field.learned else []
        return "s, field, i, j", [*kept, f"rows_swapped(s.{field.name}, i, j)"]
    lines = []
    for name in (field.name, *(kept.name for kept in field.knowledge)):
        one, other = f"s.{name}{_place(field, 'i')}", f"s.{name}{_place(field, 'j')}"
        lines += [f"kept = {one}", f"{one} = {other}", f"{other} = kept"]
    return "s, field, i, j", lines


def _transfer(pair: bool, source: Field, target: Field) -> tuple[str, list[str]]:
    here, there = _place(source, "i"), _place(target, "j")
    static = target if target.counts or not target.learned else Field(target.name, seen=target.seen)
    owner = "j[0]" if len(target.shape) == 2 and not target.counts else "j"
    lines = [f"known = {seers(source, 'i[0]' if len(source.shape) == 2 else 'i', here)} | {seers(static, owner, there)}"]
    if source.counts:
        lines += ["kind = i[1]" if len(source.shape) == 2 else "kind = i", f"s.{source.name}{here} -= 1"]
        lines += [f"card_left({_tables(source, 'i[0], kind, known')})"] if source.learned else []
    else:
        lines += [f"kind = s.{source.name}{here}", f"s.{source.name}{here} = {source.nothing}"]
        lines += [f"s.{source.name}_seen{here} = 0"] if source.learned else []
    if target.counts:
        lines += [f"s.{target.name}[j][kind] += 1" if len(target.shape) == 2 else f"s.{target.name}[kind] += 1"]
        lines += [f"card_came({_tables(target, 'j, kind, known')})"] if target.learned else []
    else:
        lines += [f"s.{target.name}{there} = kind"]
        lines += [f"s.{target.name}_seen{there} = known"] if target.learned else []
    return "s, source, i, target, j", [*lines, "return kind"]


def _reshuffle(pair: bool, field: Field) -> tuple[str, list[str]]:
    forget = ["for at in range(n):", f"    s.{field.name}_seen[at] = 0"] if field.learned else []
    return "s, field, n, r", [*forget, f"return shuffle_from(s.{field.name}, 0, n, r)"]


FORMS: dict[str, Callable[..., tuple[str, list[str]]]] = {
    "reveal": _reveal, "rule_out": _rule_out, "conceal": _conceal, "swap": _swap,
    "transfer": _transfer, "reshuffle": _reshuffle,
}  # fmt: skip
