"""What a seat is told of Kuhhandel: the board, the log and the question of the moment in words. Plain Python.

Made from states already hidden for the audience and from moves as it may know them (`masked`); these functions never
see more.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from outbid.engine.speech import Speaker
from outbid.games.kuhhandel import rules
from outbid.games.kuhhandel.hidden import EVERYBODY, entry
from outbid.games.kuhhandel.state import (
    ANIMALS, BID, HAMMER, HIDDEN, KINDS, MONEY, MOVE_CAP, NOTES, OFFER, OVER, PAY, TURN,
)
from outbid.games.kuhhandel.views import cards_of, complete, offered_shown, shown_money, victors, view


def board(s: Any, seat: int, names: list[str]) -> str:
    """The table in lines of text, as a seat sees it, from a state hidden for it."""
    seen = view(s, seat)
    lines = [f"Deck: {seen['deck']} animals. Donkeys so far: {seen['donkeys']} of 4. Money in play: {seen['in_play']}."]
    for p, player in enumerate(seen["players"]):
        goods = ", ".join(
            f"{n} {animal}{' (complete)' if animal in player['sets'] else ''}" for animal, n in player["animals"].items()
        )
        cards = "" if player["cards"] is None else f" {player['cards']} money cards."
        lines.append(f"{'* ' if p == s.turn else '  '}{names[p]}: {goods or 'no animals'}. {player['score']} points.{cards}")
    if seat >= 0:
        lines.append(f"Your money: {amount(seen['money'])}.")
    return "\n".join(lines)


def amount(cards: list[int]) -> str:
    """Cards and their sum: "50, 10, 10 (70)", "50", "nothing"."""
    shown = ", ".join(str(card) for card in sorted(cards, reverse=True))
    return "nothing" if not cards else shown if len(cards) == 1 else f"{shown} ({sum(cards)})"


def number_of_cards(n: int | None) -> str:
    """ "no card", "1 card", "5 cards"; "cards" if it is hidden."""
    if n is None:
        return "cards"
    return "no card" if n == 0 else "1 card" if n == 1 else f"{n} cards"


def stake_words(s: Any) -> str:
    """ "the cow", "the 2 cows"."""
    return f"the {ANIMALS[s.kind]}" if s.stake == 1 else f"the {s.stake} {plural(s.kind)}"


def plural(kind: int) -> str:
    """ "cows", "geese"."""
    return "geese" if ANIMALS[kind] == "goose" else f"{ANIMALS[kind]}s"


def masked(before: Any, seat: int, said: dict[str, Any], audience: int) -> dict[str, Any]:
    """A move as an audience may know it: cards it must not see become their number, or nothing."""
    if "cards" not in said or seat == audience:
        return said
    if said["do"] == "pay":
        if audience == before.payee or before.auction_payment_view:
            return said
        return {"do": "pay", "count": len(said["cards"])}
    if said["do"] == "counter" and audience == before.turn and _may_go_back(before):
        return said
    shown = None if before.offer_count_view == HIDDEN else len(said["cards"])
    return {"do": said["do"], "count": shown}


def told(before: Any, seat: int, said: dict[str, Any], after: Any, audience: int, names: list[str]) -> list[str]:
    """What an audience is told of a move: from the states before and after, hidden for it, and the masked move."""
    speak = Speaker(names, audience)
    do = said["do"]
    lines = {
        "auction": _told_auction, "trade": _told_trade, "bid": _told_bid, "pass": _told_pass, "sell": _told_sell,
        "buy": _told_buy, "pay": _told_payment, "offer": _told_offer, "accept": _told_accept, "counter": _told_counter,
        "close": lambda *_: [],
    }[do](before, seat, said, after, speak)  # fmt: skip
    return lines + _told_consequences(before, do, after, speak)


def _told_auction(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    kind = after.deck[before.drawn]
    lines = [f"{speak.does(seat, 'turn', 'turns')} over a {ANIMALS[kind]} (the set is worth {after.values[kind]})."]
    if after.donkeys > before.donkeys:
        note = MONEY[before.donkey_money[before.donkeys]]
        lines.append(f"Donkey number {after.donkeys}: everybody receives {note}.")
    return lines


def _told_trade(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    return [f"{speak.does(seat, 'challenge', 'challenges')} {speak.whom(after.challenged)} for {stake_words(after)}."]


def _told_bid(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    return [f"{speak.does(seat, 'bid', 'bids')} {said['amount']}."]


def _told_pass(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    return [f"{speak.does(seat, 'pass', 'passes')}."]


def _told_sell(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    leader, animal = before.leader, ANIMALS[before.kind]
    lines = [f"{speak.does(seat, 'sell', 'sells')} the {animal} to {speak.whom(leader)} for {before.bid}."]
    if after.phase == PAY:
        return lines
    held = cards_of(after.known[entry(EVERYBODY, leader)])
    lines.append(f"{speak.does(leader, 'cannot', 'cannot')} pay {before.bid} and must show all money: {amount(held)}.")
    if after.phase != OVER and after.kind == before.kind and after.drawn == before.drawn and not _moved(before, after):
        without = f" without {speak.whom(leader)}" if after.reauction_excludes else ""
        lines.append(f"The {animal} is auctioned again{without}.")
    return lines


def _told_buy(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    return [
        f"{speak.does(seat, 'buy', 'buys')} the {ANIMALS[before.kind]} back and must pay "
        f"{speak.whom(before.leader)} {before.bid}."
    ]


def _told_payment(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    paid = amount(said["cards"]) if "cards" in said else f"{before.bid} with {number_of_cards(said['count'])}"
    return [
        f"{speak.does(seat, 'pay', 'pays')} {speak.whom(before.payee)} {paid} for the {ANIMALS[before.kind]}."
    ]


def _told_offer(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    if "cards" in said:
        laid = f" face down: {amount(said['cards'])}" if said["cards"] else ""
        return [f"You lay {number_of_cards(len(said['cards']))}{laid}."]
    return [f"{speak.who(seat)} lays {number_of_cards(said['count'])} face down."]


def _told_accept(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    lines = [
        f"{speak.does(seat, 'accept', 'accepts')} the hidden offer and {'hand' if seat == speak.audience else 'hands'} "
        f"{stake_words(before)} to {speak.whom(before.turn)}."
    ]
    if seat == speak.audience:
        lines.append(f"You receive {amount(_gained(before, after, seat))}.")
    return lines


def _told_counter(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    challenger = before.turn
    laid = amount(said["cards"]) if "cards" in said else number_of_cards(said["count"])
    lines = [f"{speak.does(seat, 'counter', 'counters')} with {laid}."]
    if speak.audience in (seat, challenger):
        own = said["cards"] if seat == speak.audience else cards_of(before.offer)
        lines.append(_told_exchange(before, after, speak.audience, own))
    winner = _winner(before, after)
    if winner is not None:
        loser = seat if winner == challenger else challenger
        tie = before.again and winner == challenger and _equal(before, after)
        verb = f"After a second tie {speak.then(winner, 'win', 'wins')}" if tie else speak.does(winner, "win", "wins")
        lines.append(f"{verb} {stake_words(before)} from {speak.whom(loser)}.")
    elif after.phase == OFFER:
        lines.append(f"Both offers are equal: {speak.then(challenger, 'offer', 'offers')} again, for the last time.")
    return lines


def _told_exchange(before: Any, after: Any, seat: int, own: list[int]) -> str:
    """What a party to a counter-offer received for its own stack (or kept, where an option lets stacks go back)."""
    gained, lost = Counter(_gained(before, after, seat)), Counter(_gained(after, before, seat))
    if _may_go_back(before):
        return f"You have gained {amount([*gained.elements()])} and lost {amount([*lost.elements()])}."
    received = Counter(own) + gained - lost
    return f"You receive {amount([*received.elements()])} for {f'your {amount(own)}' if own else 'nothing'}."


def _may_go_back(s: Any) -> bool:
    """An option lets cards that were laid return to whoever laid them."""
    return bool(s.winner_pays or s.zeros_return or s.tie_money)


def _gained(before: Any, after: Any, seat: int) -> list[int]:
    """The cards a seat has more of afterwards."""
    return [
        MONEY[note] for note in range(NOTES) for _ in range(max(0, after.money[seat][note] - before.money[seat][note]))
    ]


def _equal(before: Any, after: Any) -> bool:
    """A tie leaves what everybody knows of the sums of both hands as it was (hidden.py)."""
    pair = (before.turn, before.challenged)
    return all(before.least[p][p] == after.least[p][p] and before.most[p][p] == after.most[p][p] for p in pair)


def _moved(before: Any, after: Any) -> bool:
    return any(before.animals[p] != after.animals[p] for p in range(before.players))


def _winner(before: Any, after: Any) -> int | None:
    """Who has more of the animal of the trade afterwards."""
    for seat in (before.turn, before.challenged):
        if after.animals[seat][before.kind] > before.animals[seat][before.kind]:
            return int(seat)
    return None


def _told_consequences(before: Any, do: str, after: Any, speak: Speaker) -> list[str]:
    """What the rules did by themselves."""
    lines = []
    if before.phase in (BID, HAMMER) and do in ("pass", "close", "sell") and _moved(before, after):
        lines.append(f"Nobody bids: the {ANIMALS[before.kind]} goes to {speak.whom(before.turn)}.")
    for seat in range(before.players):
        for kind in range(KINDS):
            if complete(after, seat, kind) and not complete(before, seat, kind):
                verb = speak.does(seat, "complete", "completes")
                lines.append(f"{verb} the set of {plural(kind)}, worth {after.values[kind]}.")
    if after.phase == OVER:
        if after.trade_stall and after.streak >= after.trade_stall:
            lines.append(f"{after.trade_stall} trades in a row completed no set: the match ends.")
        elif not all(any(complete(after, p, k) for p in range(after.players)) for k in range(KINDS) if after.copies[k]):
            lines.append(f"{MOVE_CAP} moves have been made: the match ends.")
        points = [0] * after.players
        rules.score(after, points)
        best = [seat for seat in range(after.players) if points[seat] == max(points)]
        lines.append(f"The match is over. Most points: {' and '.join(speak.whom(p) for p in best)} with {max(points)}.")
        if after.final_tie and len(best) > 1:
            first = victors(after)
            held = shown_money(after, first[0])
            lines.append(f"Money decides: {' and '.join(speak.whom(p) for p in first)} with {held}.")
    return lines


def question(s: Any, seat: int, names: list[str]) -> str:
    """What is being decided, for one seat (−1: a spectator), in one sentence."""
    speak = Speaker(names, seat)
    animal = ANIMALS[s.kind] if s.kind >= 0 else ""
    mine = seat >= 0 and bool(rules.asked(s) >> seat & 1)
    if s.phase == OVER:
        return "The match is over."
    if s.phase == TURN:
        if mine and s.drawn < s.size:
            trade = ", or propose a trade" if rules.can_trade(s, seat) else ""
            return f"Your turn: auction the next animal{trade}."
        if mine:
            return "Your turn: the deck is empty, propose a trade."
        return f"{names[s.turn]} {'chooses: auction or trade' if s.drawn < s.size else 'must propose a trade'}."
    if s.phase == BID:
        standing = f"{speak.then(s.leader, 'lead', 'leads')} with {s.bid}" if s.leader >= 0 else "no bid yet"
        if mine:
            return f"Bid for the {animal}, or let it go: {standing}."
        asked = f" {names[s.asking]} is asked." if s.asking >= 0 else ""
        return f"Auction of the {animal}: {standing}.{asked}"
    if s.phase == HAMMER:
        if mine:
            return f"{names[s.leader]} bids {s.bid} for the {animal}: sell, or buy it yourself for that price."
        return f"{names[s.turn]} decides: sell the {animal} for {s.bid}, or buy it."
    if s.phase == PAY:
        if mine:
            return f"Pay {speak.whom(s.payee)} {s.bid} for the {animal}; there is no change."
        return f"{names[s.payer]} pays {speak.whom(s.payee)} {s.bid} for the {animal}."
    last = ", second and last time" if s.again else ""
    if s.phase == OFFER:
        if mine:
            return f"Lay your offer to {names[s.challenged]} for {stake_words(s)} face down{last}."
        return f"{names[s.turn]} prepares an offer to {speak.whom(s.challenged)} for {stake_words(s)}{last}."
    lying = number_of_cards(offered_shown(s, seat))
    if mine:
        return f"{names[s.turn]} offers {lying} for {stake_words(s)}: accept, or counter{last}."
    whose = "your offer" if s.turn == seat else f"{names[s.turn]}'s offer"
    return f"{names[s.challenged]} answers {whose} of {lying} for {stake_words(s)}{last}."
