"""What a seat sees of Rivals, as JSON values, from a state already hidden for it. Plain Python."""

from collections import Counter
from typing import Any

from outbid.games.rivals import rules
from outbid.games.rivals.hidden import in_deck
from outbid.games.rivals.spaces import CARD_NAMES, PHASES
from outbid.games.rivals.state import BID, COLOURS, HUES, KINDS, OVER, RANKS, REMOVE, TAKE


def card_name(card: int) -> str:
    """A card as records write it: "Rx", "R2" … "R10"."""
    return CARD_NAMES[card]


CARDS = {card_name(card): card for card in range(KINDS)}


def display(s: Any) -> list[str]:
    """The cards on display, by colour, wagers first, then ascending."""
    return [card_name(card) for card in s.display[: s.lying]]


def layable(s: Any, seat: int) -> list[str]:
    """The cards on display that a seat could lay now."""
    return [card_name(card) for card in s.display[: s.lying] if rules.can_lay(s, seat, card)]


def cards_of(counts: list[int]) -> list[str]:
    """Cards counted by kind, as a list."""
    return [card_name(card) for card in range(KINDS) for _ in range(counts[card])]


def gone(s: Any) -> list[str]:
    """The cards out of the game: turned up, but neither on display nor in an expedition."""
    left = Counter(s.deck[: s.drawn])
    left.subtract(s.display[: s.lying])
    for seat in range(s.players):
        left.subtract({card: s.owned[seat][card] for card in range(KINDS)})
        for colour in range(HUES):
            left[colour * RANKS] += s.given[seat] >> colour & 1
    return cards_of([left[card] for card in range(KINDS)])


def unseen(s: Any) -> dict[str, int]:
    """How many of each card have not been turned up yet."""
    drawn = Counter(s.deck[: s.drawn])
    left = {card: in_deck(s, card) - drawn[card] for card in range(KINDS)}
    return {card_name(card): int(n) for card, n in left.items() if n}


def expedition(s: Any, seat: int, colour: int) -> dict[str, Any]:
    """One expedition and the parts of its points."""
    bonus = s.bonus if s.numbers[seat][colour] >= s.bonus_cards else 0
    feet, shakes = s.feet[seat][colour], s.shakes[seat][colour]
    return {
        "cards": [
            card_name(card) for card in range(colour * RANKS, (colour + 1) * RANKS) for _ in range(s.owned[seat][card])
        ],
        "numbers": s.numbers[seat][colour],
        "footprints": feet,
        "handshakes": shakes,
        "bonus": bonus,
        "points": feet * (shakes + 1) + bonus,
    }


def gold_shown(s: Any, seat: int, viewer: int) -> int | None:
    """The gold of a seat as it is shown; None if it is not."""
    return int(s.gold[seat]) if s.gold_open or seat == viewer or s.phase == OVER else None


def seat_view(s: Any, seat: int, viewer: int) -> dict[str, Any]:
    """What is seen of one seat: its gold, its expeditions by colour, their points, and the score with the gold."""
    trips = {COLOURS[colour]: expedition(s, seat, colour) for colour in range(HUES)}
    begun = {colour: trip for colour, trip in trips.items() if trip["cards"]}
    gold, points = gold_shown(s, seat, viewer), sum(trip["points"] for trip in begun.values())
    return {"gold": gold, "expeditions": begun, "points": points, "score": None if gold is None else points + gold}


def view(s: Any, seat: int) -> dict[str, Any]:
    """What a seat (−1: a spectator) sees, from a state hidden for it: only JSON values."""
    seen: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "turn": s.turn,
        "deck": s.size - s.drawn,
        "pile": min(s.pile + 1, s.piles),
        "piles": s.piles,
        "pile_left": s.pile_end - s.drawn,
        "supply": s.supply,
        "display": [
            {"card": card_name(card), "fits": [p for p in range(s.players) if rules.can_lay(s, p, card)]}
            for card in s.display[: s.lying]
        ],
        "gone": gone(s),
        "unseen": unseen(s),
        "players": [seat_view(s, p, seat) for p in range(s.players)],
    }
    if s.phase in (BID, TAKE, REMOVE):
        seen["auction"] = {
            "opener": s.turn,
            "bid": s.bid,
            "leader": s.leader,
            "asking": s.asking if s.phase == BID else None,
            "passed": [p for p in range(s.players) if s.passed >> p & 1],
        }
    if s.phase == OVER:
        seen["winners"] = victors(s)
    return seen


def victors(s: Any) -> list[int]:
    """Who has won a match that is over."""
    mask = rules.winners(s, [0] * s.players)
    return [seat for seat in range(s.players) if mask >> seat & 1]
