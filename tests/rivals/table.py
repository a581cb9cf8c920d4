"""Hand-made tables of Rivals: a deal or a position written down, and moves played by a script."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import outbid
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.games.rivals.state import COLOURS, DECK, RANKS, TURN
from outbid.games.rivals.text.views import CARDS

NAMES = ["Ada", "Ben", "Cem", "Dot"]
BOOK = rulebook("rivals")
STARTING = [["R", "B"], ["G", "Y"], ["R", "W"], ["B", "G"]]
COPIES = [3, 2, 2, 2, 2, 1, 1, 1, 1, 1]


def full_deck(*first: str) -> list[str]:
    """All 80 cards, the named ones on top."""
    rest = Counter({card: COPIES[kind % RANKS] for card, kind in CARDS.items()})
    rest.subtract(first)
    assert min(rest.values()) >= 0
    return [*first, *rest.elements()]


def fresh(*deck: str, players: int = 3, start: int = 0, **options: Any) -> Match:
    """A new match whose deck begins with these cards."""
    deal = {"start": start, "starting": STARTING[:players], "deck": full_deck(*deck)}
    return outbid.game("rivals", **options).load(NAMES[:players], deal)


def position(
    display: str = "",
    expeditions: Sequence[str] = (),
    gold: Sequence[int] | None = None,
    deck: str = "",
    drawn: int | None = None,
    turn: int = 0,
    players: int = 3,
    **options: Any,
) -> Match:
    """A match that begins in the middle, with `turn` to move.

    display, expeditions (by seat), deck: cards written "R2 Rx"; a seat's first wager of a colour is its starting wager as
    far as two colours go. deck: the next cards. drawn: how many cards are turned up (default: those that lie somewhere);
    what lies nowhere else is out of the game as far as it fits, the rest follows below. gold: by seat, the rest of 36 is the
    supply (default: the start gold).
    """
    players = len(gold) if gold else players
    s = BOOK.fresh(options)
    s.players, s.turn, s.phase, s.leader, s.asking = players, turn, TURN, -1, -1
    lying, below = display.split(), deck.split()
    laid: list[str] = []
    for p in range(players):
        cards = expeditions[p].split() if p < len(expeditions) else []
        wagers = [card[0] for card in cards if card[1] == "x"]
        own = [*dict.fromkeys(wagers)][:2]
        own += [c for c in STARTING[p] if c not in own][: 2 - len(own)]
        cards += [f"{c}x" for c in own if c not in wagers]
        s.given[p] = sum(1 << COLOURS.index(c) for c in own)
        kinds = sorted(CARDS[card] for card in cards)
        for kind in kinds:
            colour, rank = divmod(kind, RANKS)
            s.owned[p][kind] += 1
            s.shakes[p][colour] += rank == 0
            s.numbers[p][colour] += rank > 0
            s.feet[p][colour] += s.footprints[rank - 1] if rank else 0
            s.top[p][colour] = max(s.top[p][colour], rank)
        laid += cards
        for c in own:
            laid.remove(f"{c}x")
    used = Counter([*lying, *laid, *below])
    rest = Counter(full_deck())
    rest.subtract(used)
    assert min(rest.values()) >= 0, "a card is there too often"
    out = [*rest.elements()]
    drawn = len(lying) + len(laid) if drawn is None else drawn
    missing = drawn - len(lying) - len(laid)
    assert 0 <= missing <= len(out)
    order = [*laid, *lying, *out[:missing], *below, *out[missing:]]
    s.deck = [CARDS[card] for card in order] + [0] * (DECK - len(order))
    s.size, s.drawn, s.lying = 80, drawn, len(lying)
    s.display[: len(lying)] = sorted(CARDS[card] for card in lying)
    s.pile = drawn // 20
    s.pile_end = 20 * (s.pile + 1)
    for p in range(players):
        s.gold[p] = gold[p] if gold else 36 // players
    s.supply = 36 - sum(s.gold)
    assert s.supply >= 0
    assert all(mask.bit_count() == 2 for mask in s.given[:players])
    return Match(BOOK, options, NAMES[:players], s)


def play(match: Match, script: str) -> Match:
    """Play moves written as "0 uncover / 1 bid 4 / 2 pass"."""
    for part in script.replace("\n", "/").split("/"):
        if part.strip():
            seat, text = part.split(maxsplit=1)
            match.play(int(seat), text.strip())
    return match


def play_at_random(match: Match, rng: random.Random) -> None:
    """One move, with small bids, so that everything happens soon."""
    seat = match.asked[0]
    menu = match.legal(seat)
    bids = [choice.amounts for choice in menu if choice.amounts]
    phase = match.view()["phase"]
    if phase in ("turn", "bid") and bids and rng.random() < 0.5:
        match.play(seat, {"do": "bid", "amount": bids[0][min(len(bids[0]) - 1, rng.choice((0, 0, 0, 1, 2, 4)))]})
    elif phase in ("turn", "bid"):
        match.play(seat, "uncover" if phase == "turn" else "pass")
    else:
        match.random_move(seat, rng.randrange(2**40))


def uncover(match: Match, turns: int) -> Match:
    """Turns without an auction."""
    for _ in range(turns):
        match.play(match.asked[0], "uncover")
    return match


def gold(match: Match) -> list[int]:
    """The gold of the seats."""
    return [player["gold"] for player in match.view()["players"]]


def display(match: Match) -> list[str]:
    """The cards on display."""
    return [one["card"] for one in match.view()["display"]]


def cards(match: Match, seat: int, colour: str) -> list[str]:
    """The cards of an expedition."""
    found = match.view()["players"][seat]["expeditions"].get(colour)
    return found["cards"] if found else []


def told(match: Match, seat: int = -1, last: int = 1) -> list[str]:
    """What a seat was told of the last moves."""
    return [line.text for line in match.log(seat) if line.move >= len(match.moves) - last]
