"""What a seat sees of Kuhhandel, as JSON values, from a state already hidden for it. Plain Python."""

from typing import Any

from outbid.games.kuhhandel import rules
from outbid.games.kuhhandel.memory import EVERYBODY, entry
from outbid.games.kuhhandel.spaces import PHASES
from outbid.games.kuhhandel.state import ANIMALS, BID, HAMMER, HIDDEN, KINDS, MONEY, NOTES, OFFER, OVER, PAY, REPLY


def hand(s: Any, seat: int) -> list[int]:
    """The money cards in a hand, ascending, without the offer that lies on the table."""
    lying = s.offer if s.phase == REPLY and seat == s.turn else [0] * NOTES
    return cards_of([n - away for n, away in zip(s.money[seat], lying, strict=True)])


def view(s: Any, seat: int) -> dict[str, Any]:
    """What a seat (−1: a spectator) sees, from a state hidden for it: only JSON values."""
    points = [0] * s.players
    rules.score(s, points)
    seen: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "turn": s.turn,
        "deck": s.size - s.drawn,
        "donkeys": s.donkeys,
        "in_play": s.purse,
        "players": [
            {
                "animals": {ANIMALS[k]: s.animals[p][k] for k in range(KINDS) if s.animals[p][k]},
                "sets": [ANIMALS[k] for k in range(KINDS) if s.animals[p][k] and complete(s, p, k)],
                "cards": cards_shown(s, p, seat),
                "score": points[p],
            }
            for p in range(s.players)
        ],
        "money": hand(s, seat) if seat >= 0 else None,
    }
    if s.phase in (BID, HAMMER, PAY):
        seen["auction"] = {
            "animal": ANIMALS[s.kind],
            "bid": s.bid,
            "leader": s.leader if s.leader >= 0 else None,
            "excluded": [p for p in range(s.players) if s.excluded >> p & 1],
            "passed": [p for p in range(s.players) if s.passed >> p & 1],
        }
    if s.phase == PAY:
        seen["auction"] |= {"payer": s.payer, "payee": s.payee}
    if s.phase in (OFFER, REPLY):
        seen["trade"] = {
            "animal": ANIMALS[s.kind],
            "with": s.challenged,
            "stake": s.stake,
            "round": s.again + 1,
            "offered": offered_shown(s, seat),
            "cards": cards_of(s.offer) if s.phase == REPLY and seat == s.turn else None,
        }
    if s.phase == OVER:
        seen["winners"] = victors(s)
    return seen


def victors(s: Any) -> list[int]:
    """Who has won a match that is over, from what everybody knows (K25: money that decides has been shown)."""
    points = [0] * s.players
    rules.score(s, points)
    best = [p for p in range(s.players) if points[p] == max(points)]
    return [p for p in best if not s.final_tie or shown_money(s, p) == max(shown_money(s, q) for q in best)]


def shown_money(s: Any, seat: int) -> int:
    return sum(cards_of(s.known[entry(EVERYBODY, seat)]))


def cards_of(notes: list[int]) -> list[int]:
    """Cards counted by note, as a list."""
    return [MONEY[note] for note in range(NOTES) for _ in range(notes[note])]


def complete(s: Any, seat: int, kind: int) -> bool:
    """The seat owns all cards of the kind."""
    return bool(s.copies[kind] and s.animals[seat][kind] == s.copies[kind])


def cards_shown(s: Any, owner: int, viewer: int) -> int | None:
    """The number of money cards in a hand as it is shown, the face-down offer not counted; None if hidden."""
    if owner != viewer and s.hand_count_view == HIDDEN:
        return None
    covered = owner != viewer and s.offer_count_view == HIDDEN
    lying = s.offered if s.phase == REPLY and owner == s.turn and not covered else 0
    return int(s.cards[owner] - lying)


def offered_shown(s: Any, viewer: int) -> int | None:
    """The number of cards in the offer on the table as it is shown."""
    if s.phase != REPLY or (s.offer_count_view == HIDDEN and viewer != s.turn):
        return None
    return int(s.offered)
