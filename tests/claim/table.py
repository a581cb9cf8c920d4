"""Hand-made tables of Claim: a position written down, and moves played by a script."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import outbid
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.games.claim import rules, shop, stacks
from outbid.games.claim.state import KINDS, LOW, NOBODY, NUMBERS, ONE, PRODUCTS, RESERVE, SHELF
from outbid.games.claim.text.views import CODE_OF, hand

from .checks import check

NAMES = ["Ada", "Ben", "Cem", "Dot", "Eli", "Fay"]
BOOK = rulebook("claim")
ALL = dict.fromkeys(("wild_wagers", "zero_risk", "bad_investment", "action_fund", "shopping_spree"), True)
THREE = dict.fromkeys(("wild_wagers", "zero_risk", "bad_investment"), True)
ACTION = {"action_fund": True}
SHOP = {"shopping_spree": True}


def read(name: str) -> tuple[int, int]:
    """Code and worth of a bill written as in a view: "3", "2:vault", "w=3", "1/3=1"."""
    bill, _, worth = name.partition("=")
    return CODE_OF[bill], int(worth) if worth else int(bill.split(":")[0].split("/")[0])


def position(
    hands: Sequence[Sequence[str]] = (),
    on_table: Mapping[int, Sequence[str]] | None = None,
    rows: Sequence[Sequence[Sequence[str]]] = (),
    players: int = 4,
    turn: int = 0,
    coins: Sequence[int] = (),
    owned: Mapping[int, Sequence[str]] | None = None,
    shelf: Sequence[str] = (),
    reserve: Sequence[str] = ("0", "6", "-1", "-2", "0", "6", "-1", "-2"),
    aside: Sequence[str] = (),
    **options: Any,
) -> Match:
    """A match that begins in the middle, with `turn` to play a bill.

    hands: by seat, [1] where none is given. on_table: bills by the number of their stack, the lowest first. rows: stacks by
    seat. owned: products by seat. shelf: the products that lie open. All other bills are out of the game, or aside if named.
    """
    s = BOOK.fresh(options)
    s.players = players
    total = rules.stock(s, players)
    held = [list(hands[p]) if p < len(hands) else ["1"] for p in range(players)]
    for p in range(players):
        for name in held[p]:
            rules.dealt(s, p, CODE_OF[name])
    covered = [CODE_OF[name] for names in held for name in names] + [CODE_OF[name] for name in aside]
    for kind in range(KINDS):
        s.unseen[kind] = sum(stacks.kind_of(code) == kind for code in covered)
    begin(s, players)
    s.aside = len(aside)
    for v in range(NUMBERS):
        s.icons_unseen[v] = sum(1 << icon for icon in range(8) if stacks.code_of(ONE + v, 1 + icon) in covered)
    for p, row in enumerate(rows):
        for bills in row:
            place = lay(s, bills)
            stacks.enters(s, p, s.top[place], stacks.row_value(s, s.top[place]))
            stacks.vacate(s, place)
    for number, bills in (on_table or {}).items():
        assert lay(s, bills) == number + LOW
    for p, n in enumerate(coins):
        stacks.earns(s, p, n)
    if s.shopping_spree:
        for p, products in (owned or {}).items():
            s.owned[p] = sum(1 << PRODUCTS.index(name) for name in products)
            shop.recounts(s, p)
        sold = [name for products in (owned or {}).values() for name in products]
        store = [*shelf, *(name for name in PRODUCTS if name not in sold and name not in shelf)]
        s.products = [PRODUCTS.index(name) for name in [*store, *sold]]
        s.in_store = len(store)
        assert len(shelf) <= SHELF
        s.reserve = [CODE_OF[name] for name in reserve]
        assert sorted(s.reserve) == sorted(RESERVE)
    stacks.slow_down(s)
    s.gone = total - s.used - s.held - s.aside
    rules.begin_turn(s, turn)
    check(s)
    return Match(BOOK, options, NAMES[:players], s)


def begin(s: Any, players: int) -> None:
    """The marks of a table on which nothing has happened."""
    s.numbers = rules.numbers_used(s, players)
    s.plain = rules.is_plain(s)
    s.direction = 1
    for name in ("icon", "icon_place", "next", "chooser", "stretched", "whom", "number", "pushed", "actor", "forecast"):
        setattr(s, name, NOBODY)
    s.held = sum(s.size)
    s.most_turns = players * rules.turns_each(s, max(s.size))
    stacks.forget(s)


def lay(s: Any, bills: Sequence[str]) -> int:
    """Lay a stack on the table; returns its place."""
    place = -1
    for name in bills:
        code, worth = read(name)
        if place not in (-1, worth + LOW):
            stacks.renumber(s, place, worth + LOW)
        place = worth + LOW
        stacks.put(s, place, code, worth)
    return place


def play(match: Match, script: str) -> Match:
    """Play moves written as "0 play 3 / 0 push 3 to 2 / 0 end", checking everything after each."""
    for part in script.replace("\n", "/").split("/ "):
        for line in part.split("\n"):
            if line.strip(" /"):
                seat, text = line.strip(" /").split(maxsplit=1)
                match.play(int(seat), text.strip())
                check(match.state)
    return match


def may(match: Match) -> list[str]:
    """What the asked seat may do, as text."""
    return list(match.legal(match.asked[0]).texts)


def claims(match: Match) -> list[int]:
    """The numbers that the player to move may claim."""
    return [choice.move["stack"] for choice in match.legal(match.asked[0]) if choice.move["do"] == "claim"]


def pushes(match: Match, number: int) -> list[int]:
    """To whom a stack may be pushed."""
    found = [choice.move for choice in match.legal(match.asked[0]) if choice.move["do"] == "push"]
    return [move["to"] for move in found if move["stack"] == number]


def on_table(match: Match) -> dict[int, list[str]]:
    """The stacks on the table by their numbers."""
    return {stack["number"]: stack["bills"] for stack in match.view()["stacks"]}


def value(match: Match, number: int) -> int:
    """What a stack on the table is worth."""
    return next(stack["value"] for stack in match.view()["stacks"] if stack["number"] == number)


def rows(match: Match, seat: int) -> list[list[str]]:
    """The stacks of a row, the first taken first."""
    return [stack["bills"] for stack in match.view(seat)["players"][seat]["row"]]


def money(match: Match) -> list[int]:
    """The money of all seats."""
    return match.scores


def holds(match: Match, seat: int) -> list[str]:
    """The true hand of a seat."""
    return hand(match.state, seat)


def known(match: Match, seat: int) -> list[str]:
    """The bills of a hand that everybody knows."""
    return match.view()["players"][seat]["open"]


def told(match: Match, seat: int = -1, last: int = 1) -> list[str]:
    """What a seat was told of the last moves."""
    return [line.text for line in match.log(seat) if line.move >= len(match.moves) - last]


def counts(match: Match) -> list[int]:
    """The number of stacks of all seats."""
    return match.state.count[: match.players]


def deal(players: int, seed: int = 1, **options: Any) -> Match:
    """A match with a deal drawn from a seed."""
    return outbid.game("claim", **options).new(players, seed, NAMES[:players])


def to_the_end(match: Match, seed: int) -> Match:
    """Random moves until the match is over, few offers among them."""
    rng = random.Random(seed)
    while not match.over:
        seat = match.asked[0]
        whole = [choice for choice in match.legal(seat) if choice.whole]
        if not whole or rng.random() < 0.2:
            match.random_move(seat, rng.randrange(2**40))
        else:
            match.play(seat, rng.choice(whole).move)
    return match


