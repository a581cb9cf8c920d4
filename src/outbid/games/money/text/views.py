"""What a seat sees of Money!, as JSON values, from a state already hidden for it. Plain Python."""

from typing import Any

from outbid.games.money import rules
from outbid.games.money.spaces import PHASES
from outbid.games.money.state import (
    BID, CARDS, COINS, CURRENCIES, EXCHANGE, GOLD, HIDDEN, LEFT, NOTES, OVER, RIGHT, SEATS, SILVER_AND_GOLD,
    TABLE,
)  # fmt: skip

DISPLAYS = {"right": RIGHT, "left": LEFT}


def card_name(s: Any, card: int) -> str:
    """A card as records write it: currency or metal, value, serial number."""
    return f"{family(s, card)}{rules.value(card)}#{s.serial[card]}"


def family(s: Any, card: int) -> str:
    """The currency of a note, or COIN, SILVER, GOLD."""
    if card < COINS:
        return CURRENCIES[card // NOTES]
    if s.coins != SILVER_AND_GOLD:
        return "COIN"
    return "GOLD" if card >= GOLD else "SILVER"


def cards_at(s: Any, place: int) -> list[int]:
    """The cards that are known to be in a place, ascending."""
    return [card for card in range(CARDS) if s.place[card] == place]


def names_at(s: Any, place: int) -> list[str]:
    """The names of the cards that are known to be in a place, ascending."""
    return [card_name(s, card) for card in cards_at(s, place)]


def hand(s: Any, seat: int) -> list[str]:
    """The cards in a hand, as far as they are known."""
    return names_at(s, seat)


def sum_at(s: Any, place: int) -> int:
    """The sum of the cards in a place."""
    return sum(rules.value(card) for card in cards_at(s, place))


def lowest_at(s: Any, place: int) -> int:
    """The lowest serial number in a place that has cards."""
    return min(s.serial[card] for card in cards_at(s, place))


def view(s: Any, seat: int) -> dict[str, Any]:
    """What a seat (−1: a spectator) sees, from a state hidden for it: only JSON values."""
    order = acting(s)
    seen: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "round": s.round,
        "last_round": bool(s.final),
        "pile": s.size - s.drawn,
        "rounds_without_a_draw": s.stall,
        "removed": [name for c, name in enumerate(CURRENCIES) if s.removed >> c & 1],
        "displays": {side: _display(s, place, seat) for side, place in DISPLAYS.items()},
        "order": order,
        "players": [_player(s, p, seat, order) for p in range(s.players)],
        "hand": hand(s, seat) if seat >= 0 else None,
        "bid": names_at(s, TABLE + seat) if seat >= 0 and s.phase == BID else None,
        "score": score_parts(s, seat) if seat >= 0 else None,
        "choices": choices(s, seat) if s.phase == EXCHANGE and seat == s.actor else None,
    }
    if s.phase == OVER:
        seen["winners"] = victors(s)
    return seen


def acting(s: Any) -> list[int]:
    """The seats with a bid on the table, in the order in which they act if nobody swaps."""
    return sorted((p for p in range(s.players) if s.key[p] >= 0), key=lambda p: -s.key[p])


def _display(s: Any, place: int, seat: int) -> dict[str, Any]:
    gain = points_with(s, seat, cards_at(s, place)) - points(s, seat) if seat >= 0 else None
    return {"cards": names_at(s, place), "sum": sum_at(s, place), "gain": gain}


def _player(s: Any, p: int, viewer: int, order: list[int]) -> dict[str, Any]:
    sealed = bool(s.sealed >> p & 1)
    laid = s.phase == EXCHANGE and s.laid[p] > 0
    open_hand = s.memory_aid or s.phase == OVER
    return {
        "cards": len(hand(s, p)) if p == viewer else s.held[p] - (s.laid[p] if s.phase == EXCHANGE else 0),
        "sealed": sealed,
        "pieces": pieces_shown(s, p, viewer),
        "bluff": bool(s.bluffed >> p & 1) if bluff_shown(s, p, viewer) else None,
        "stayed_out": stayed_out(s, p),
        "bid": names_at(s, TABLE + p) if laid else None,
        "sum": sum_at(s, TABLE + p) if laid else None,
        "lowest": lowest_at(s, TABLE + p) if laid else None,
        "acts": order.index(p) + 1 if p in order else None,
        "seen": hand(s, p) if open_hand and p != viewer else None,
        "score": score_parts(s, p) if s.phase == OVER else None,
    }


def pieces_shown(s: Any, p: int, viewer: int) -> int | None:
    """How many cards, the bluff card among them, a sealed bid is seen to have; None if it is not sealed or hidden."""
    if not s.sealed >> p & 1 or (s.phase == BID and p != viewer and s.bid_counts == HIDDEN):
        return None
    return int(s.pieces[p])


def bluff_shown(s: Any, p: int, viewer: int) -> bool:
    """Whether it is known if the bluff card lay with a sealed bid: after the reveal, and to its owner."""
    return bool(s.sealed >> p & 1) and (s.phase == EXCHANGE or p == viewer)


def stayed_out(s: Any, p: int) -> bool:
    """The bluff card alone was laid."""
    return bool(s.phase == EXCHANGE and s.bluffed >> p & 1 and s.pieces[p] == 1)


def points(s: Any, seat: int) -> int:
    """The score of a seat of which all cards are known, as if the match ended now."""
    currencies = sum(rules.currency_points(s, seat, c) for c in range(len(CURRENCIES)))
    return int(currencies + rules.coin_points(s, seat))


def points_with(s: Any, seat: int, taken: list[int], given: bool = False) -> int:
    """The score if the seat also had these cards; given: and not those of its bid."""
    twin = s.copy()
    if given:
        for card in cards_at(s, TABLE + seat):
            twin.place[card] = TABLE + SEATS
    for card in taken:
        twin.place[card] = seat
    return points(twin, seat)


def choices(s: Any, seat: int) -> list[dict[str, Any]]:
    """What the actor may do, what he gets by it, and his score afterwards."""
    options: list[dict[str, Any]] = []
    for side, place in DISPLAYS.items():
        options.append(_choice(s, seat, {"do": "take", "display": side}, place))
    for other in acting(s):
        if other != seat:
            options.append(_choice(s, seat, {"do": "swap", "with": other}, TABLE + other))
    options.append({"move": {"do": "keep"}, "cards": names_at(s, TABLE + seat), "score": points(s, seat)})
    return options


def _choice(s: Any, seat: int, move: dict[str, Any], place: int) -> dict[str, Any]:
    after = points_with(s, seat, cards_at(s, place), given=True)
    return {"move": move, "cards": names_at(s, place), "score": after}


def score_parts(s: Any, seat: int) -> dict[str, Any]:
    """The score of a seat of which all cards are known, by currency and coins, as if the match ended now."""
    currencies = []
    for c, name in enumerate(CURRENCIES):
        mine = [card for card in range(NOTES * c, NOTES * c + NOTES) if rules.owns(s, seat, card)]
        if not mine:
            continue
        total = sum(rules.value(card) for card in mine)
        earned = rules.currency_points(s, seat, c)
        counts = total if total >= s.full_value else max(0, total - s.penalty)
        currencies.append(
            {
                "currency": name,
                "cards": len(mine),
                "sum": total,
                "counts": counts,
                "twenties": sum(card % NOTES < 3 for card in mine),
                "thirties": sum(3 <= card % NOTES < 6 for card in mine),
                "bonus": earned - counts,
                "points": earned,
            }
        )
    metals = [card for card in range(COINS, CARDS) if rules.owns(s, seat, card)]
    coins = sum(rules.value(card) for card in metals)
    earned = rules.coin_points(s, seat)
    return {
        "total": points(s, seat),
        "currencies": currencies,
        "coins": {"cards": len(metals), "sum": coins, "bonus": earned - coins, "points": earned},
    }


def victors(s: Any) -> list[int]:
    """Who has won a match that is over."""
    mask = rules.winners(s, [0] * s.players)
    return [p for p in range(s.players) if mask >> p & 1]
