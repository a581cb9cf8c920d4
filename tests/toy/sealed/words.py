"""The words of the toy game."""

from outbid.core.errors import BadSetup, Illegal, Unreadable
from outbid.core.menu import Choice, Menu
from sealed import rules

EXPECTED = {"seal": 0}


def deal_of(s):
    return {"deck": list(s.deck)}


def load(s, players, deal):
    if not isinstance(deal, dict) or set(deal) != {"deck"} or sorted(deal["deck"]) != [i // 2 for i in range(20)]:
        raise BadSetup("The deal needs a deck of the cards 0 to 9, each twice.")
    s.deck = list(deal["deck"])
    rules.begin(s, players)


def steps(s, seat, move):
    if not isinstance(move.get("do"), str) or move["do"] not in EXPECTED:
        raise Unreadable(f"{move.get('do')!r} is not a move; the move is seal.")
    card = move.get("card")
    if not isinstance(card, int) or isinstance(card, bool):
        raise Unreadable("seal needs a card.")
    if not 0 <= card <= 9 or not s.hands[seat][card]:
        raise Illegal(f"The hand has no {card}.", menu(s, seat).texts)
    return [card]


def move(s, seat, actions):
    return {"do": "seal", "card": actions[0]}


def canonical(said):
    return {key: said[key] for key in ("do", "card") if key in said}


def text(said):
    return f"{said['do']} {said['card']}"


def parse(line):
    words = line.split()
    if len(words) != 2 or words[0] != "seal" or not words[1].isdigit():
        raise Unreadable(f"{line!r} is not a move; it is, for example, seal 3.")
    return {"do": "seal", "card": int(words[1])}


def menu(s, seat):
    cards = [card for card in range(10) if s.hands[seat][card]]
    return Menu(tuple(Choice(f"seal {card}", {"do": "seal", "card": card}) for card in cards))


def view(s, seat):
    return {"round": s.round, "points": s.points[: s.players], "hand": s.hands[seat] if seat >= 0 else None}


def masked(before, seat, said, audience):
    return said if seat == audience else {"do": "seal"}


def told(before, seat, said, after, audience, names):
    lines = [f"You seal {said['card']}." if "card" in said else f"{names[seat]} seals a card."]
    if after.round > before.round:
        taken = [names[p] for p in range(after.players) if after.points[p] > before.points[p]]
        lines.append(f"{taken[0]} takes the prize." if taken else "Nobody takes the prize.")
    return lines


def question(s, seat, names):
    return "Seal a card." if rules.asked(s) else "The match is over."


def reason(note, names, private):
    return "I seal my highest card."


def board(s, seat, names):
    return str(view(s, seat))
