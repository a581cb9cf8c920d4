"""What a seat is told of Money!: the board, the log and the question of the moment in words. Plain Python.

Made from states already hidden for the audience and from moves as it may know them (`masked`); these functions never
see more.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from outbid.engine.speech import Speaker
from outbid.games.money import rules
from outbid.games.money.state import (
    BID, CURRENCIES, EXCHANGE, HIDDEN, LEFT, NO_EXTRA_ROUND, NOTES, OVER, RIGHT, ROUND_CAP, TABLE, UNKNOWN,
)  # fmt: skip
from outbid.games.money.views import (
    DISPLAYS, acting, card_name, cards_at, family, hand, lowest_at, names_at, points, stayed_out, sum_at, victors, view,
)


def lot(s: Any, cards: list[int]) -> str:
    """Cards and their sum: "GBP60#13, USD20#5 (80)", "GBP60#13", "nothing"."""
    shown = ", ".join(card_name(s, card) for card in cards)
    return f"{shown} ({sum(map(rules.value, cards))})" if len(cards) > 1 else shown or "nothing"


def number_of_cards(n: int) -> str:
    """ "no card", "1 card", "5 cards"."""
    return "no card" if n == 0 else "1 card" if n == 1 else f"{n} cards"


# --- the board --------------------------------------------------------------------------------------------------------


def board(s: Any, seat: int, names: list[str]) -> str:
    """The table in lines of text, as a seat sees it, from a state hidden for it."""
    seen = view(s, seat)
    last = ", the last" if s.final and s.phase != OVER else ""
    gone = f" Removed: {', '.join(seen['removed'])}." if seen["removed"] else ""
    lines = [f"Round {s.round}{last}. Draw pile: {number_of_cards(seen['pile'])}.{gone}"]
    for side, place in (("Left", LEFT), ("Right", RIGHT)):
        lines.append(f"{side} display: {lot(s, cards_at(s, place))}.")
    for p, player in enumerate(seen["players"]):
        now = "* " if s.phase == EXCHANGE and p == s.actor else "  "
        lines.append(f"{now}{names[p]}: {number_of_cards(player['cards'])} in hand.{_bid_on_board(s, p, player, seat)}")
    if seat >= 0:
        lines.append("Your cards:")
        lines += [f"  {line}" for line in _hand_lines(s, seat)]
        lines.append(f"Your score, if it ended now: {seen['score']['total']}.")
    return "\n".join(lines)


def _bid_on_board(s: Any, p: int, player: dict[str, Any], seat: int) -> str:
    said = ""
    if player["stayed_out"]:
        said = " Stays out."
    elif player["bid"] is not None:
        said = f" Bid: {lot(s, cards_at(s, TABLE + p))}."
    elif s.phase == BID and player["sealed"]:
        shown = f" {number_of_cards(player['pieces'])}" if player["pieces"] is not None else " a bid"
        said = f" Has sealed{shown}."
    if player["seen"] is not None and (s.phase != OVER or player["seen"]):
        held = lot(s, cards_at(s, p))
        said += f" {'Held' if s.phase == OVER else 'Seen in hand'}: {held}."
    if player["score"] is not None:
        said += f" {player['score']['total']} points."
    return said


def _hand_lines(s: Any, seat: int) -> list[str]:
    """The own cards, a line for each currency: the cards, their sum, what it counts."""
    lines = []
    mine = [card for card in range(len(s.place)) if rules.owns(s, seat, card)]
    for c, name in enumerate(CURRENCIES):
        notes = [card for card in mine if card // NOTES == c and card < NOTES * len(CURRENCIES)]
        if notes:
            total = sum(map(rules.value, notes))
            shown = ", ".join(card_name(s, card) for card in notes)
            lines.append(f"{name}: {shown}; sum {total}, counts {rules.currency_points(s, seat, c)}")
    coins = [card for card in mine if card >= NOTES * len(CURRENCIES)]
    if coins:
        shown = ", ".join(card_name(s, card) for card in coins)
        lines.append(f"{' and '.join(dict.fromkeys(family(s, card) for card in coins))}: {shown}; "
                     f"count {rules.coin_points(s, seat)}")  # fmt: skip
    return lines


# --- the log ----------------------------------------------------------------------------------------------------------


def masked(before: Any, seat: int, said: dict[str, Any], audience: int) -> dict[str, Any]:
    """A move as an audience may know it: of a sealed bid only that it is, or its number of cards (E2)."""
    if said["do"] != "bid" or seat == audience:
        return said
    if before.bid_counts == HIDDEN:
        return {"do": "bid"}
    return {"do": "bid", "pieces": len(said["cards"]) + said["bluff"]}


def told(before: Any, seat: int, said: dict[str, Any], after: Any, audience: int, names: list[str]) -> list[str]:
    """What an audience is told of a move: from the states before and after, hidden for it, and the masked move."""
    speak = Speaker(names, audience)
    if said["do"] == "bid":
        lines = [_told_bid(before, seat, said, speak)]
        if before.sealed | 1 << seat == (1 << before.players) - 1:
            lines += _told_reveal(after, speak)
            if after.phase != EXCHANGE:
                lines += _told_round_end(before, after, speak)
        return lines
    lines = [_told_exchange(before, seat, said, speak)]
    if after.phase == EXCHANGE:
        if said["do"] == "swap" and after.actor == said["with"]:
            lines.append(f"{speak.does(after.actor, 'own', 'owns')} the highest bid now and {_act(after, speak)} next.")
    else:
        lines += _told_round_end(before, after, speak)
    return lines


def _act(s: Any, speak: Speaker) -> str:
    return "act" if s.actor == speak.audience else "acts"


def _told_bid(before: Any, seat: int, said: dict[str, Any], speak: Speaker) -> str:
    if "cards" not in said:
        if "pieces" in said:
            return f"{speak.who(seat)} lays {number_of_cards(said['pieces'])} face down."
        return f"{speak.who(seat)} seals a bid."
    if not said["cards"]:
        return "You lay your bluff card alone."
    cards = [card for card in cards_at(before, seat) if card_name(before, card) in said["cards"]]
    return f"You lay {lot(before, cards)}{' and your bluff card' if said['bluff'] else ''} face down."


def _told_reveal(after: Any, speak: Speaker) -> list[str]:
    """All bids, in the order in which they act; then who stays out."""
    if after.phase != EXCHANGE:
        return ["The bids are turned over: everybody stays out."]
    lines = ["The bids are turned over."]
    order = acting(after)
    for seat in order:
        bluff = f", with {'your' if seat == speak.audience else 'a'} bluff card" if after.bluffed >> seat & 1 else ""
        lines.append(f"{speak.does(seat, 'bid', 'bids')} {lot(after, cards_at(after, TABLE + seat))}{bluff}.")
    out = [seat for seat in range(after.players) if stayed_out(after, seat)]
    if out:
        one = len(out) == 1 and out[0] != speak.audience
        said = speak.all(out)
        lines.append(f"{said[0].upper() + said[1:]} {'stays' if one else 'stay'} out.")
    for first, second in pairwise(order):
        if sum_at(after, TABLE + first) == sum_at(after, TABLE + second):
            low, high = lowest_at(after, TABLE + first), lowest_at(after, TABLE + second)
            verb = speak.does(first, "act", "acts")
            lines.append(f"{verb} before {speak.whom(second)}: the sums are equal, and serial {low} is below {high}.")
    return lines


def _told_exchange(before: Any, seat: int, said: dict[str, Any], speak: Speaker) -> str:
    own = lot(before, cards_at(before, TABLE + seat))
    if said["do"] == "keep":
        return f"{speak.does(seat, 'take', 'takes')} {own} back."
    if said["do"] == "take":
        got = lot(before, cards_at(before, DISPLAYS[said["display"]]))
        return f"{speak.does(seat, 'take', 'takes')} the {said['display']} display, {got}, for {own}."
    got = lot(before, cards_at(before, TABLE + said["with"]))
    return f"{speak.does(seat, 'take', 'takes')} {speak.whose(said['with'])} bid, {got}, for {own}."


def _told_round_end(before: Any, after: Any, speak: Speaker) -> list[str]:
    """The refill, and the end of the match or the last round."""
    lines = []
    for side, place in DISPLAYS.items():
        new = [card for card in cards_at(after, place) if before.place[card] == UNKNOWN]
        if new:
            lines.append(f"New in the {side} display: {lot(after, new)}.")
    if after.phase == OVER:
        return lines + _told_end(before, after, speak)
    if after.drawn == before.drawn:
        lines.append("No card is drawn.")
    if after.final:
        lines.append(f"{_why_last(after)}: round {after.round} is the last.")
    else:
        lines.append(f"Round {after.round} begins.")
    return lines


def _why_last(s: Any) -> str:
    if s.stall_rounds and s.stall >= s.stall_rounds:
        return f"No card was drawn {'once' if s.stall == 1 else f'{s.stall} times running'}"
    if s.drawn == s.size and min(s.shown) < s.display_cards:
        return "The draw pile is empty and a display is short"
    return "The draw pile is empty"


def _told_end(before: Any, after: Any, speak: Speaker) -> list[str]:
    lines = []
    if not before.final and after.end_trigger == NO_EXTRA_ROUND and min(after.shown) < after.display_cards:
        lines.append("The draw pile is empty and a display is short: the match ends.")
    elif not before.final:
        lines.append(f"{ROUND_CAP:,} rounds have been played: the match ends.")
    for seat in range(after.players):
        verb = speak.does(seat, "hold", "holds")
        lines.append(f"{verb} {lot(after, cards_at(after, seat))}: {points(after, seat)} points.")
    best = victors(after)
    lines.append(f"The match is over. Most points: {speak.all(best)} with {points(after, best[0])}.")
    return lines


# --- the question -----------------------------------------------------------------------------------------------------


def question(s: Any, seat: int, names: list[str]) -> str:
    """What is being decided, for one seat (−1: a spectator), in one sentence."""
    speak = Speaker(names, seat)
    if s.phase == OVER:
        return "The match is over."
    last = " in the last round" if s.final else ""
    if s.phase == BID:
        if seat >= 0 and not s.sealed >> seat & 1:
            return f"Lay any of your cards face down as a bid{last}, or stay out with the bluff card alone."
        waiting = [p for p in range(s.players) if not s.sealed >> p & 1]
        return f"Bids are being laid{last}: {speak.all(waiting)} {'is' if len(waiting) == 1 else 'are'} still choosing."
    bid = names_at(s, TABLE + s.actor)
    if s.actor == seat:
        others = ", another bid" if len(acting(s)) > 1 else ""
        return f"Take a display{others} for your {', '.join(bid)}, or take your own bid back."
    return f"{names[s.actor]} has the highest bid, {sum_at(s, TABLE + s.actor)}, and takes a lot for it or keeps it."


__all__ = ["board", "hand", "masked", "question", "told"]
