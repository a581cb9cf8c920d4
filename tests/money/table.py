"""Hand-made tables of Money!: a deal or a position written down, and moves played by a script.

Cards are written as records have them, or without their number: then it is the next published number of such a card that is
not named elsewhere. `"USD20 USD20 COIN10"` is a lot.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

import outbid
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.games.money import rules
from outbid.games.money.state import BID, CARDS, CLASSIC, GONE, LEFT, PILE, RIGHT, SILVER_GOLD
from outbid.games.money.text import views

NAMES = ["Ada", "Ben", "Cem", "Dot", "Eli"]
BOOK = rulebook("money")
GONE_WITH = {3: ["SEK", "RUB"], 4: ["RUB"], 5: []}  # removed unless a test says otherwise


def blank(players: int, **options: Any) -> Any:
    """A state with its options, removed currencies and published numbers, and no card dealt."""
    s = BOOK.fresh(options)
    s.removed = sum(1 << views.CURRENCIES.index(name) for name in GONE_WITH[players])
    for card in range(CARDS):
        if rules.in_play(s, card):
            s.serial[card] = (SILVER_GOLD if s.coins else CLASSIC)[card]
    return s


def named(s: Any, lots: Sequence[str]) -> list[list[int]]:
    """The cards of lots, and of what is left over, in the order of the cards."""
    free = [card for card in range(CARDS) if rules.in_play(s, card)]
    found: list[list[int]] = [[] for _ in lots]
    tokens = [(n, token) for n, lot in enumerate(lots) for token in lot.split()]
    for n, token in sorted(tokens, key=lambda one: "#" not in one[1]):
        card = next(c for c in free if views.card_name(s, c) == token or views.card_name(s, c).split("#")[0] == token)
        free.remove(card)
        found[n].append(card)
    return [*found, free]


def fresh(
    *hands: str, right: str = "", left: str = "", pile: str = "", players: int = 0, rest: int = 1, **options: Any
) -> Match:
    """A new match in which hands, displays and pile begin with these cards; the others follow, shuffled by `rest`."""
    players = players or max(3, len(hands))
    s = blank(players, **options)
    lots = [*hands, *[""] * (players - len(hands)), right, left, pile]
    *found, free = named(s, lots)
    random.Random(rest).shuffle(free)
    for lot, size in zip(found, [s.hand_cards] * players + [s.display_cards] * 2 + [len(free)], strict=True):
        while len(lot) < size and free:
            lot.append(free.pop())
    names = [[views.card_name(s, card) for card in lot] for lot in found]
    deal = {"removed": GONE_WITH[players], "hands": names[:players]}
    deal |= {"right": names[-3], "left": names[-2], "pile": names[-1]}
    return outbid.game("money", **options).load(NAMES[:players], deal)


def position(
    *hands: str,
    right: str,
    left: str,
    pile: str | None = None,
    seen: bool = False,
    final: bool = False,
    stall: int = 0,
    round_: int = 2,
    **options: Any,
) -> Match:
    """A match that begins in the middle, before the bids. What is not named is the pile; if the pile is named, it is in the
    hand of the last seat. seen: all hands have been seen."""
    players = len(hands)
    s = blank(players, **options)
    *found, free = named(s, [*hands, right, left, pile or ""])
    (found[-1] if pile is None else found[players - 1]).extend(free)
    s.place = [GONE] * CARDS
    for place, lot in zip([*range(players), RIGHT, LEFT, PILE], found, strict=True):
        for card in lot:
            s.place[card] = place
            s.seen[card] = int(place != PILE and (place >= RIGHT or seen))
    s.players, s.phase, s.round, s.final, s.stall, s.actor = players, BID, round_, int(final), stall, -1
    s.size = sum(map(len, found))
    s.drawn = s.size - len(found[-1])
    s.pile = [-1] * s.drawn + found[-1] + [-1] * (CARDS - s.size)
    s.held = [len(lot) for lot in found[:players]] + [0] * (5 - players)
    s.covered = [0] * 5 if seen else list(s.held)
    s.shown = [len(found[players]), len(found[players + 1])]
    rules.open_bidding(s)
    return Match(BOOK, options, NAMES[:players], s)


def play(match: Match, script: str) -> Match:
    """Play moves written as "0 bid USD20 / 1 stay out / 0 keep"; cards may be written without their number."""
    for part in script.replace("\n", "/").split("/"):
        if part.strip():
            seat, text = part.split(maxsplit=1)
            match.play(int(seat), full(match, int(seat), text))
    return match


def full(match: Match, seat: int, text: str) -> str:
    """A move with the numbers of its cards."""
    hand = views.hand(match.state, seat)

    def number(found: re.Match[str]) -> str:
        name = next((card for card in hand if card.split("#")[0] == found[0]), found[0])
        if name in hand:
            hand.remove(name)
        return name

    return re.sub(r"\b[A-Z]+\d+(?![\d#])", number, text)


def out(match: Match) -> Match:
    """A round in which everybody stays out."""
    for seat in range(match.players):
        match.play(seat, "stay out")
    return match


def play_at_random(match: Match, rng: random.Random, longest: int = 4) -> None:
    """One move, with small bids, so that cards are drawn and matches are short."""
    seat = rng.choice(match.asked)
    if match.view()["phase"] != "bid":
        match.play(seat, rng.choice(match.legal(seat).texts))
        return
    hand = views.hand(match.state, seat)
    cards = rng.sample(hand, min(len(hand), rng.randint(0, longest)))
    match.play(seat, {"do": "bid", "cards": sorted(cards), "bluff": not cards or rng.random() < 0.1})


def lot(cards: Sequence[str]) -> str:
    """Names of cards without their numbers, sorted: "COIN10 USD20 USD20"."""
    return " ".join(sorted(card.split("#")[0] for card in cards))


def held(match: Match, seat: int) -> str:
    """The true hand of a seat."""
    return lot(views.hand(match.state, seat))


def shown(match: Match, side: str) -> str:
    """A display."""
    return lot(match.view()["displays"][side]["cards"])


def laid(match: Match, seat: int) -> str | None:
    """The open bid of a seat; None if it has none."""
    bid = match.view()["players"][seat]["bid"]
    return None if bid is None else lot(bid)


def told(match: Match, seat: int, last: int = 1) -> list[str]:
    """What a seat was told of the last moves."""
    return [line.text for line in match.log(seat) if line.move >= len(match.moves) - last]
