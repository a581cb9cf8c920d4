"""Hand-made tables of For-Ex: a deal or a position written down, and moves played by a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import outbid
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.games.forex import rules
from outbid.games.forex.state import CONTRACTED, CURRENCIES, KINDS, LENT, STACK
from outbid.games.forex.text.views import bucks

NAMES = ["Ada", "Ben", "Cem", "Dot", "Eli", "Fay"]
BOOK = rulebook("forex")
REMOVED = ["GBP", "EUR", "USD", "CHF", "JPY", "CAD"]
Item = str | tuple[int, str, str] | tuple[int, Mapping[str, float]]


def fresh(players: int = 3, start: int = 0, removed: Any = REMOVED, **options: Any) -> Match:
    """A new match without these certificates."""
    return outbid.game("forex", **options).load(NAMES[:players], {"start": start, "removed": removed})


def number(name: str) -> int:
    """The number of a currency."""
    return CURRENCIES.index(name)


def position(
    money: Sequence[Mapping[str, float]] = (),
    certs: Sequence[Mapping[str, int]] = (),
    rates: Mapping[str, int] | None = None,
    queue: Sequence[Item] = ("dividends",),
    turn: int = 0,
    spent: int = 0,
    players: int = 3,
    **options: Any,
) -> Match:
    """A match that begins in the middle, with `turn` to move.

    money: bucks by seat, 2 where none are given. certs: certificates by seat. rates: spaces, such as {"GBP CNY": 10}, where
    the first currency is the stronger. queue: "dividends", a contract (owner, "4 GBP", "14 CNY") or a loan
    (owner, {"GBP": 5}); the sets of cards are taken in this order. spent: dividend cards paid already.
    """
    s = BOOK.fresh(options)
    s.stock = [s.certificates] * KINDS
    rules.begin(s, players, turn)
    for seat in range(players):
        for name, amount in (money[seat] if seat < len(money) else {}).items():
            s.money[seat][number(name)] = int(2 * amount)
        for name, n in (certs[seat] if seat < len(certs) else {}).items():
            s.certs[seat][number(name)] = n
            s.held[number(name)] += n
            s.stock[number(name)] -= n
    for names, space in (rates or {}).items():
        one, two = map(number, names.split())
        rules.put(s, one, two, space)
    s.dividend = spent
    rules.leave(s, STACK)
    for item in queue:
        if isinstance(item, str):
            rules.join(s, STACK)
            continue
        letter, owner = rules.free_set(s), item[0]
        s.owner[letter] = owner
        if len(item) == 3:
            s.use[letter] = CONTRACTED
            for (kinds, amounts), terms in zip(((s.pays, s.paid), (s.gets, s.got)), item[1:], strict=True):
                amount, name = terms.split()
                kinds[letter], amounts[letter] = number(name), int(2 * float(amount))
        else:
            s.use[letter], s.loan[owner] = LENT, letter
            for name, amount in item[1].items():
                s.debt[owner][number(name)] = int(2 * amount)
        rules.join(s, letter)
    return Match(BOOK, options, NAMES[:players], s)


def play(match: Match, script: str) -> Match:
    """Play moves written as "0 invest CNY / 1 resolve"."""
    for part in script.replace("\n", "/").split("/"):
        if part.strip():
            seat, text = part.split(maxsplit=1)
            match.play(int(seat), text.strip())
    return match


def money(match: Match, seat: int, name: str | None = None) -> Any:
    """The money of a seat in one currency, or in all seven."""
    row = [bucks(n) for n in match.state.money[seat]]
    return row[number(name)] if name else row


def rate(match: Match, strong: str, weak: str) -> float | None:
    """What 1 buck of the stronger is worth; None if it is the weaker."""
    place = match.state.scale[number(strong)][number(weak)]
    return bucks(match.state.rates[place - 1]) if place > 0 else None


def space(match: Match, one: str, two: str) -> int:
    """The space of a pair; negative if the second currency is the stronger."""
    return match.state.scale[number(one)][number(two)]


def items(match: Match) -> list[str]:
    """The queue: "dividends", "A", "loan of 1"."""
    kinds = {"dividends": lambda i: "dividends", "contract": lambda i: i["set"], "loan": lambda i: f"loan of {i['owner']}"}
    return [kinds[item["item"]](item) for item in match.view()["queue"]]


def owed(match: Match, seat: int) -> dict[str, float]:
    """The debts of a seat."""
    loan = match.view()["players"][seat]["loan"]
    return loan["owed"] if loan else {}


def free(match: Match) -> list[str]:
    """The sets of contract cards that nobody uses."""
    return [one["set"] for one in match.view()["sets"] if one["use"] == "free"]


def certificates(match: Match, seat: int) -> dict[str, int]:
    """The certificates of a seat."""
    return match.view()["players"][seat]["certificates"]


def told(match: Match, seat: int = -1, last: int = 1) -> list[str]:
    """What a seat was told of the last moves."""
    return [line.text for line in match.log(seat) if line.move >= len(match.moves) - last]


def all_moves(match: Match, seat: int) -> list[dict[str, Any]]:
    """Every move of the menu."""
    return [move for choice in match.legal(seat) for move in (choice.moves or [choice.move])]
