"""Hand-made tables of Kuhhandel: a deal or a position written down, and moves played by a script."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import outbid
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.games.kuhhandel.state import ANIMALS, DONKEY, MONEY, NOTES, SEATS, TURN

NAMES = ["Ada", "Ben", "Cem", "Dot", "Eli"]
BOOK = rulebook("kuhhandel")


def full_deck(*first: str) -> list[str]:
    """All 40 animals, the named ones on top."""
    rest = Counter(dict.fromkeys(ANIMALS, 4))
    rest.subtract(first)
    assert min(rest.values()) >= 0
    return [*first, *rest.elements()]


def fresh(*deck: str, players: int = 3, start: int = 0, **options: Any) -> Match:
    """A new match whose deck begins with these animals."""
    return outbid.game("kuhhandel", **options).load(NAMES[:players], {"start": start, "deck": full_deck(*deck)})


def position(
    hands: Sequence[Sequence[int]] | None = None,
    animals: Sequence[Mapping[str, int]] = (),
    deck: Sequence[str] | None = None,
    turn: int = 0,
    open_hands: bool = False,
    players: int = 3,
    **options: Any,
) -> Match:
    """A match that begins in the middle, with `turn` to move.

    hands: money cards by seat (default: the start money). animals: by seat. deck: the undrawn animals, first on top; what
    neither owns nor lies there follows below, or, if the deck is given empty, belongs to the last seat. open_hands:
    everybody remembers all hands; otherwise nobody knows anything of another's.
    """
    players = len(hands) if hands else players
    hands = hands or [[0, 0, 10, 10, 10, 10, 50]] * players
    s = BOOK.fresh(options)
    owned = [Counter(animals[p]) if p < len(animals) else Counter() for p in range(players)]
    rest = Counter(dict.fromkeys(ANIMALS, 4))
    rest.subtract(sum(owned, Counter()))
    rest.subtract(deck or ())
    assert min(rest.values()) >= 0
    if deck is not None and not deck:
        owned[-1] += rest
        rest.clear()
    drawn = [ANIMALS.index(animal) for own in owned for animal in own.elements()]
    below = [ANIMALS.index(animal) for animal in [*(deck or ()), *rest.elements()]]
    s.deck, s.size, s.drawn, s.donkeys = drawn + below, 40, len(drawn), drawn.count(DONKEY)
    s.players, s.turn, s.phase, s.last = players, turn, TURN, NOTES
    s.leader = s.asking = s.payer = s.payee = s.challenged = s.kind = s.offered = -1
    s.purse = sum(map(sum, hands))
    for p in range(players):
        s.animals[p] = [owned[p][animal] for animal in ANIMALS]
        s.money[p] = [list(hands[p]).count(note) for note in MONEY]
        s.cards[p] = len(hands[p])
        for i in range(players):
            if open_hands:
                s.known[i * SEATS + p] = s.money[p][:]
            s.least[i][p] = sum(hands[p]) if open_hands else 0
            s.most[i][p] = sum(hands[p]) if open_hands else s.purse
    s.notes = [sum(s.money[p][note] for p in range(players)) for note in range(NOTES)]
    return Match(BOOK, options, NAMES[:players], s)


def play(match: Match, script: str) -> Match:
    """Play moves written as "0 auction / 1 bid 40 / 2 pass"; the seat "clock" is the table's clock, and who lays no card,
    "0 offer", lays nothing."""
    for part in script.replace("\n", "/").split("/"):
        if part.strip():
            seat, text = part.split(maxsplit=1)
            laid = f"{text.strip()} nothing" if text.strip() in ("offer", "counter", "pay") else text.strip()
            match.play(None if seat == "clock" else int(seat), laid)
    return match


def play_at_random(match: Match, rng: random.Random) -> None:
    """One move, with small bids, many trades and small stacks, so that everything happens soon."""
    if match.clock and (not match.asked or rng.random() < 0.4):
        match.play(None, "close")
        return
    seat = rng.choice(match.asked)
    menu = match.legal(seat)
    phase = match.view()["phase"]
    bids = [choice.amounts for choice in menu if choice.amounts]
    trades = [choice.move for choice in menu if choice.move["do"] == "trade"]
    if phase == "turn":
        match.play(seat, rng.choice(trades) if trades and rng.random() < 0.7 else menu.choices[0].move)
    elif phase == "bid" and bids and (match.clock or rng.random() < 0.5):
        match.play(seat, {"do": "bid", "amount": bids[0][min(len(bids[0]) - 1, rng.randrange(6))]})
    elif phase == "bid" and match.clock:
        match.play(None, "close")
    elif phase == "bid":
        match.play(seat, "pass")
    elif phase == "hammer":
        match.play(seat, rng.choice(menu.texts))
    elif phase == "reply" and rng.random() < 0.25:
        match.play(seat, "accept")
    elif phase in ("offer", "reply"):
        cards = match.view(seat)["money"]
        rng.shuffle(cards)
        least = 0 if match.state.empty_offer else 1
        laid = cards[: max(least, rng.choice((0, 1, 1, 2, 2, 3)))]
        match.play(seat, {"do": "offer" if phase == "offer" else "counter", "cards": laid})
    else:
        match.random_move(seat, rng.randrange(2**40))


def money(match: Match, seat: int) -> list[int]:
    """The true hand of a seat, largest card first."""
    return sorted((MONEY[n] for n in range(NOTES) for _ in range(match.state.money[seat][n])), reverse=True)


def cash(match: Match, seat: int) -> int:
    """The money in a hand."""
    return sum(money(match, seat))


def animals(match: Match, seat: int) -> dict[str, int]:
    """The animals of a seat as everybody sees them."""
    return match.view()["players"][seat]["animals"]


def cards_shown(match: Match, viewer: int = -1) -> list[int | None]:
    """The number of money cards of each seat, as a viewer sees it."""
    return [player["cards"] for player in match.view(viewer)["players"]]


def told(match: Match, seat: int, last: int = 1) -> list[str]:
    """What a seat was told of the last moves."""
    return [line.text for line in match.log(seat) if line.move >= len(match.moves) - last]


def certain(match: Match, observer: int, seat: int) -> list[int]:
    """The cards that `observer` (−1: everybody) knows to be in a hand, largest first."""
    known = match.hidden(observer).known[(observer if observer >= 0 else seat) * SEATS + seat]
    return sorted((MONEY[n] for n in range(NOTES) for _ in range(known[n])), reverse=True)


def bounds(match: Match, observer: int, seat: int) -> tuple[int, int]:
    """Between which sums `observer` (−1: everybody) knows the money of a seat to be."""
    s = match.hidden(observer)
    row = observer if observer >= 0 else seat
    return s.least[row][seat], s.most[row][seat]
