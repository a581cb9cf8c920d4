"""Kuhhandel in words: deals and moves as records have them, menus, views and sentences. Plain Python.

Everything that goes to a seat is made from a state already hidden for that seat (`hide`); these functions never see
more. `steps` and `move` translate between a move as a player says it and the action ids of rules.py.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from outbid.engine.errors import BadSetup, Illegal, Unreadable
from outbid.engine.menu import Choice, Menu
from outbid.games.kuhhandel import rules
from outbid.games.kuhhandel.hidden import EVERYBODY, entry
from outbid.games.kuhhandel.reasons import reason as reason  # a bot's note as a sentence
from outbid.games.kuhhandel.state import (
    ACCEPT,
    ANIMALS,
    AUCTION,
    BID,
    BUY,
    CALL,
    CLOCK,
    CLOSE,
    DECK,
    DONE,
    FREE,
    HAMMER,
    HIDDEN,
    KINDS,
    LAY,
    MIN_OVERPAY,
    MONEY,
    MOVE_CAP,
    NOTES,
    OFFER,
    OVER,
    PASS,
    PAY,
    RAISE,
    RAISES,
    REALTIME,
    REPLY,
    SELL,
    TRADE,
    TURN,
)

PHASES = ("turn", "bid", "hammer", "pay", "offer", "reply", "over")

# --- deals ------------------------------------------------------------------------------------------------------------


def deal_of(s: Any) -> dict[str, Any]:
    """The deal of a fresh match, as a record writes it."""
    deck = [ANIMALS[kind] for kind in s.deck[: s.size]]
    made: dict[str, Any] = {"start": s.turn, "deck": deck[s.drawn :]}
    if s.quick_deal4:
        each = s.drawn // s.players
        made["dealt"] = [deck[seat * each : (seat + 1) * each] for seat in range(s.players)]
    return made


def load(s: Any, players: int, deal: Any) -> None:
    """Set a given deal. Raises BadSetup naming the key and what is wrong with it."""
    if not isinstance(deal, dict):
        raise BadSetup("The deal must be an object with start and deck.")
    keys = {"start", "deck", "dealt"} if s.quick_deal4 else {"start", "deck"}
    for key in sorted(keys - deal.keys()):
        raise BadSetup(f"The deal lacks the key {key!r}; it needs {', '.join(sorted(keys))}.")
    for key in deal.keys() - keys:
        raise BadSetup(f"The deal has an unknown key {key!r}; it needs {', '.join(sorted(keys))}.")
    start = deal["start"]
    if not isinstance(start, int) or isinstance(start, bool) or not 0 <= start < players:
        raise BadSetup(f"The deal's start is {start!r}; it must be a seat from 0 to {players - 1}.")
    cards: list[int] = []
    if s.quick_deal4:
        dealt = deal["dealt"]
        each = min(4, sum(s.copies) // players)
        if not isinstance(dealt, list) or len(dealt) != players:
            raise BadSetup(f"The deal's dealt must be a list of {players} hands.")
        for seat, hand in enumerate(dealt):
            if not isinstance(hand, list) or len(hand) != each:
                raise BadSetup(f"Seat {seat} must be dealt {each} animals.")
            cards += [_animal(card) for card in hand]
    if not isinstance(deal["deck"], list):
        raise BadSetup("The deal's deck must be a list of animals.")
    cards += [_animal(card) for card in deal["deck"]]
    have = Counter(cards)
    for kind in range(KINDS):
        if have[kind] != s.copies[kind]:
            raise BadSetup(f"The deal has {have[kind]} cards {ANIMALS[kind]}; there must be {s.copies[kind]}.")
    s.size = len(cards)
    s.deck = cards + [0] * (DECK - len(cards))
    rules.begin(s, players, start)


def _animal(card: Any) -> int:
    if not isinstance(card, str) or card not in ANIMALS:
        raise BadSetup(f"{card!r} is not an animal; the animals are {', '.join(ANIMALS)}.")
    return ANIMALS.index(card)


# --- moves ------------------------------------------------------------------------------------------------------------

EXPECTED = {
    "auction": TURN, "trade": TURN, "bid": BID, "pass": BID, "close": BID, "sell": HAMMER, "buy": HAMMER, "pay": PAY,
    "offer": OFFER, "accept": REPLY, "counter": REPLY,
}  # fmt: skip


def steps(s: Any, seat: int, move: dict[str, Any]) -> list[int]:
    """The action ids of a move of an asked seat. Raises Unreadable, or Illegal with the reason and what is legal."""
    do = move.get("do")
    if not isinstance(do, str) or do not in EXPECTED:
        raise Unreadable(f"{do!r} is not a move of this game; the moves are {', '.join(EXPECTED)}.")
    if s.phase != EXPECTED[do] or (do == "close") != (seat == CLOCK) or (do == "pass" and s.bidding == REALTIME):
        raise Illegal(f"It is not possible to {do} now.", menu(s, seat).texts)
    if do == "auction":
        if s.drawn == s.size:
            raise Illegal("The deck is empty.", menu(s, seat).texts)
        return [AUCTION]
    if do == "trade":
        return [_trade_step(s, seat, move)]
    if do == "bid":
        return _bid_steps(s, seat, move.get("amount"))
    if do == "pay":
        return _payment_steps(s, seat, _hand(s, seat, move))
    if do in ("offer", "counter"):
        return _offer_steps(s, seat, _hand(s, seat, move))
    if do == "buy" and rules.cash(s, seat) < s.bid:
        raise Illegal(f"You cannot cover {s.bid}.", menu(s, seat).texts)
    return [{"pass": PASS, "close": CLOSE, "sell": SELL, "buy": BUY, "accept": ACCEPT}[do]]


def _trade_step(s: Any, seat: int, move: dict[str, Any]) -> int:
    other, animal = move.get("with"), move.get("animal")
    if not isinstance(other, int) or isinstance(other, bool):
        raise Unreadable(f"A trade is with a seat, a whole number, not {other!r}.")
    if animal not in ANIMALS:
        raise Unreadable(f"{animal!r} is not an animal; the animals are {', '.join(ANIMALS)}.")
    kind = ANIMALS.index(animal)
    if not 0 <= other < s.players or other == seat:
        raise Illegal(f"Seat {other} is no other player.", menu(s, seat).texts)
    if s.animals[seat][kind] == 0:
        raise Illegal(f"You own no {animal}.", menu(s, seat).texts)
    if s.animals[other][kind] == 0:
        raise Illegal(f"Seat {other} owns no {animal}.", menu(s, seat).texts)
    return TRADE + KINDS * ((other - seat) % s.players - 1) + kind


def _bid_steps(s: Any, seat: int, amount: Any) -> list[int]:
    if not isinstance(amount, int) or isinstance(amount, bool):
        raise Unreadable(f"A bid is a whole number, not {amount!r}.")
    legal = menu(s, seat).texts
    if amount % s.bid_step or amount <= 0:
        raise Illegal(f"Bids are multiples of {s.bid_step}, not {amount}.", legal)
    if amount <= s.bid:
        raise Illegal(f"A bid must be higher than {s.bid}.", legal)
    if amount > rules.bid_limit(s, seat):
        raise Illegal(f"{amount} is more than the {rules.bid_limit(s, seat)} that may be bid.", legal)
    taken = []
    units = (amount - s.bid) // s.bid_step
    for size in reversed(range(len(RAISES))):
        taken += [RAISE + size] * (units // RAISES[size])
        units %= RAISES[size]
    return [*taken, CALL]


def _hand(s: Any, seat: int, move: dict[str, Any]) -> list[int]:
    """The cards of a move as note indices, most valuable first, checked against the hand."""
    cards = move.get("cards")
    if not isinstance(cards, list):
        raise Unreadable(f"{move['do']} needs a list of cards, such as [50, 10]; it has {cards!r}.")
    for card in cards:
        if not isinstance(card, int) or isinstance(card, bool) or card not in MONEY:
            raise Unreadable(f"{card!r} is not a money card; they are {', '.join(map(str, MONEY))}.")
    notes = sorted((MONEY.index(card) for card in cards), reverse=True)
    for note, n in Counter(notes).items():
        if n > s.money[seat][note]:
            have = s.money[seat][note]
            raise Illegal(f"You hold {have} of the card {MONEY[note]}, not {n}.", menu(s, seat).texts)
    return notes


def _payment_steps(s: Any, seat: int, notes: list[int]) -> list[int]:
    legal = menu(s, seat).texts
    total = sum(MONEY[note] for note in notes)
    if 0 in notes:
        raise Illegal("A 0 is no payment.", legal)
    if total < s.bid:
        raise Illegal(f"{total} does not reach the price of {s.bid}.", legal)
    if s.payment == MIN_OVERPAY and total > rules.smallest_sum(s, s.bid):
        raise Illegal(f"{total} overpays; {rules.smallest_sum(s, s.bid)} can be laid.", legal)
    if s.payment != FREE and total - MONEY[notes[-1]] >= s.bid:
        raise Illegal(f"A {MONEY[notes[-1]]} could be left out.", legal)
    return [LAY + note for note in notes] + ([DONE] if s.payment == FREE else [])


def _offer_steps(s: Any, seat: int, notes: list[int]) -> list[int]:
    if not notes and not s.empty_offer and s.cards[seat] > 0:
        raise Illegal("At least one card must be laid.", menu(s, seat).texts)
    return [*(LAY + note for note in notes), DONE]


def move(s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
    """The move that a complete sequence of actions from this state makes."""
    first = actions[0]
    if first == AUCTION:
        return {"do": "auction"}
    if TRADE <= first < PASS:
        far, kind = divmod(first - TRADE, KINDS)
        return {"do": "trade", "with": (seat + far + 1) % s.players, "animal": ANIMALS[kind]}
    if RAISE <= first <= CALL:
        raised = sum(RAISES[action - RAISE] for action in actions if action != CALL)
        return {"do": "bid", "amount": s.bid + raised * s.bid_step}
    if LAY <= first <= DONE:
        cards = [MONEY[action - LAY] for action in actions if action != DONE]
        return {"do": {PAY: "pay", OFFER: "offer", REPLY: "counter"}[s.phase], "cards": cards}
    return {"do": {PASS: "pass", SELL: "sell", BUY: "buy", ACCEPT: "accept", CLOSE: "close"}[first]}


def canonical(said: dict[str, Any]) -> dict[str, Any]:
    """A move with only its own keys, in the order a record has them."""
    return {key: said[key] for key in ("do", "with", "animal", "amount", "cards") if key in said}


def text(said: dict[str, Any]) -> str:
    """A move as one types it: "bid 40", "trade cow with 2", "pay 50 10", "offer nothing"."""
    do = said["do"]
    if do == "trade":
        return f"trade {said['animal']} with {said['with']}"
    if do == "bid":
        return f"bid {said['amount']}"
    if "cards" in said:
        return f"{do} {' '.join(map(str, said['cards'])) or 'nothing'}"
    return str(do)


def parse(line: str) -> dict[str, Any]:
    """The move a person typed. Raises Unreadable with an example."""
    words = re.findall(r"-?\w+", line.lower().replace("[", " ").replace("]", " "))
    if not words:
        raise Unreadable('Nothing was said; a move is, for example, "bid 40" or "auction".')
    do, rest = words[0], words[1:]
    if do == "trade":
        rest = [word for word in rest if word not in ("with", "seat", "for", "the")]
        if len(rest) == 2 and rest[1] in ANIMALS:
            rest.reverse()
        if len(rest) != 2 or not _is_number(rest[1]):
            raise Unreadable(f'{line!r} names no animal and seat; a trade is, for example, "trade cow with 2".')
        return {"do": do, "with": int(rest[1]), "animal": rest[0]}
    if do == "bid":
        if len(rest) != 1 or not _is_number(rest[0].removeprefix("-")):
            raise Unreadable(f'{line!r} names no amount; a bid is, for example, "bid 40".')
        return {"do": do, "amount": int(rest[0])}
    if do in ("pay", "offer", "counter"):
        rest = [word for word in rest if word != "nothing"]
        if not all(_is_number(word) for word in rest):
            raise Unreadable(f'{line!r} does not list cards; it is, for example, "{do} 50 10".')
        return {"do": do, "cards": [int(word) for word in rest]}
    if do not in EXPECTED or rest:
        raise Unreadable(f"{line!r} is not a move of this game; the moves are {', '.join(EXPECTED)}.")
    return {"do": do}


def _is_number(word: str) -> bool:
    return word.isdecimal() and len(word) < 10


def menu(s: Any, seat: int) -> Menu:
    """The choices of an asked seat, from a state hidden for it (or the true one: they are the same)."""
    found: list[Choice] = []
    if s.phase == TURN:
        if s.drawn < s.size:
            found.append(Choice("auction", {"do": "auction"}))
        for far in range(1, s.players):
            other = (seat + far) % s.players
            for kind, animal in enumerate(ANIMALS):
                if s.animals[seat][kind] and s.animals[other][kind]:
                    trade = {"do": "trade", "with": other, "animal": animal}
                    found.append(Choice(text(trade), trade))
    elif s.phase == BID and seat == CLOCK:
        found.append(Choice("close", {"do": "close"}))
    elif s.phase == BID:
        limit = rules.bid_limit(s, seat)
        amounts = range(s.bid + s.bid_step, limit - limit % s.bid_step + 1, s.bid_step)
        if amounts:
            found.append(Choice(f"bid {amounts[0]} to {amounts[-1]}", {"do": "bid"}, amounts=amounts))
        if s.bidding != REALTIME:
            found.append(Choice("pass", {"do": "pass"}))
    elif s.phase == HAMMER:
        found.append(Choice("sell", {"do": "sell"}))
        if rules.cash(s, seat) >= s.bid:
            found.append(Choice("buy", {"do": "buy"}))
    elif s.phase == PAY:
        found.append(Choice(f"pay cards that reach {s.bid}", {"do": "pay"}, cards=tuple(c for c in hand(s, seat) if c)))
    elif s.phase == OFFER:
        found.append(Choice("offer any cards", {"do": "offer"}, cards=tuple(hand(s, seat))))
    elif s.phase == REPLY:
        found.append(Choice("accept", {"do": "accept"}))
        found.append(Choice("counter any cards", {"do": "counter"}, cards=tuple(hand(s, seat))))
    return Menu(tuple(found))


def hand(s: Any, seat: int) -> list[int]:
    """The money cards of a seat, ascending; an offer that lies on the table is among them until it changes hands."""
    return _cards(s.money[seat])


# --- views ------------------------------------------------------------------------------------------------------------


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
                "sets": [ANIMALS[k] for k in range(KINDS) if complete(s, p, k)],
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
            "cards": _cards(s.offer) if s.phase == REPLY and seat == s.turn else None,
        }
    if s.phase == OVER:
        seen["winners"] = victors(s)
    return seen


def victors(s: Any) -> list[int]:
    """Who has won a match that is over, from what everybody knows (K25: money that decides has been shown)."""
    points = [0] * s.players
    rules.score(s, points)
    best = [p for p in range(s.players) if points[p] == max(points)]
    return [p for p in best if not s.final_tie or _shown_money(s, p) == max(_shown_money(s, q) for q in best)]


def _shown_money(s: Any, seat: int) -> int:
    return sum(_cards(s.known[entry(EVERYBODY, seat)]))


def _cards(notes: list[int]) -> list[int]:
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


# --- sentences --------------------------------------------------------------------------------------------------------


class Speaker:
    """Names and verbs for one audience: "You bid", "Ada bids"."""

    def __init__(self, names: list[str], audience: int):
        self.names = names
        self.audience = audience

    def who(self, seat: int) -> str:
        """The subject of a sentence."""
        return "You" if seat == self.audience else self.names[seat]

    def whom(self, seat: int) -> str:
        """The object of a sentence."""
        return "you" if seat == self.audience else self.names[seat]

    def does(self, seat: int, own: str, other: str) -> str:
        """Subject and verb."""
        return f"{self.who(seat)} {own if seat == self.audience else other}"

    def then(self, seat: int, own: str, other: str) -> str:
        """Subject and verb within a sentence."""
        return f"{self.whom(seat)} {own if seat == self.audience else other}"


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
    held = _cards(after.known[entry(EVERYBODY, leader)])
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
        own = said["cards"] if seat == speak.audience else _cards(before.offer)
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
            held = _shown_money(after, first[0])
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
