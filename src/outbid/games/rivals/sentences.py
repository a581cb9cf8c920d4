"""What a seat is told of Rivals: the board, the log and the question of the moment in words. Plain Python.

Made from states already hidden for the audience; every move is open, so that nothing in it has to be masked.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from outbid.engine.speech import Speaker, listed
from outbid.games.rivals import rules
from outbid.games.rivals.state import BID, OVER, RANKS, TAKE, TURN
from outbid.games.rivals.views import CARDS, card_name, display, layable, victors, view

HUE_NAMES = ("red", "blue", "green", "yellow", "white")


def named(card: int) -> str:
    """A card in words: "red 4", "blue wager"."""
    colour, rank = divmod(card, RANKS)
    return f"{HUE_NAMES[colour]} {rank + 1 if rank else 'wager'}"


def in_words(cards: list[str]) -> str:
    """Cards of a record in words, in the order of the display; "nothing"."""
    return listed([f"the {named(card)}" for card in sorted(CARDS[card] for card in cards)]) or "nothing"


def number_of_cards(n: int) -> str:
    """ "1 card", "5 cards"."""
    return "1 card" if n == 1 else f"{n} cards"


def number_of_points(n: int) -> str:
    """ "1 point", "5 points"."""
    return "1 point" if n == 1 else f"{n} points"


def number_of_times(n: int) -> str:
    """ "once", "twice", "3 times"."""
    return {1: "once", 2: "twice"}.get(n, f"{n} times")


def board(s: Any, seat: int, names: list[str]) -> str:
    """The table in lines of text, as a seat sees it, from a state hidden for it."""
    seen = view(s, seat)
    lines = [
        f"Pile {seen['pile']} of {seen['piles']}: {number_of_cards(seen['pile_left'])} to come, {seen['deck']} in the whole "
        f"deck. Gold in the supply: {seen['supply']}.",
        f"On display: {' '.join(display(s)) or 'nothing'}.",
    ]
    if seat >= 0 and s.lying:
        lines.append(f"You could lay: {' '.join(layable(s, seat)) or 'none of them'}.")
    for p, player in enumerate(seen["players"]):
        gold = "" if player["gold"] is None else f" {player['gold']} gold."
        total = number_of_points(player["points"])
        if player["score"] is not None:
            total = f"{number_of_points(player['score'])} with the gold"
        lines.append(f"{'* ' if p == s.turn and s.phase != OVER else '  '}{names[p]}:{gold} {total}.")
        for one in player["expeditions"].values():
            lines.append(f"      {' '.join(one['cards'])}{_sum_of(one)}")
    return "\n".join(lines)


def _sum_of(one: dict[str, Any]) -> str:
    """The points of an expedition and how they come about."""
    if one["points"] == 0:
        return ""
    bonus = f" + {one['bonus']}" if one["bonus"] else ""
    return f"  = {one['footprints']} × {one['handshakes'] + 1}{bonus} = {one['points']}"


def masked(before: Any, seat: int, said: dict[str, Any], audience: int) -> dict[str, Any]:
    """A move as an audience may know it: all of it."""
    return said


def told(before: Any, seat: int, said: dict[str, Any], after: Any, audience: int, names: list[str]) -> list[str]:
    """What an audience is told of a move: from the states before and after, hidden for it."""
    speak = Speaker(names, audience)
    do = said["do"]
    lines = []
    if do == "bid":
        verb = ("open an auction with", "opens an auction with") if before.phase == TURN else ("bid", "bids")
        lines.append(f"{speak.does(seat, *verb)} {said['amount']}.")
    elif do == "pass":
        lines.append(f"{speak.does(seat, 'pass', 'passes')}.")
    elif do == "take":
        lines.append(f"{speak.does(seat, 'take', 'takes')} {in_words(said['cards'])}.")
    elif do == "remove":
        if said["card"] is None:
            lines.append(f"{speak.does(seat, 'remove', 'removes')} nothing.")
        else:
            lines.append(f"{speak.does(seat, 'remove', 'removes')} {in_words([said['card']])} from the game.")
    return lines + _told_consequences(before, seat, said, after, speak)


def _told_consequences(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    """The end of an auction, the card turned up, cards discarded, gold divided, the end."""
    lines = []
    if after.phase == TAKE and before.phase in (TURN, BID):
        won = f"{speak.then(after.leader, 'win', 'wins')} the auction for {after.bid} gold"
        lines.append(f"Nobody bids more: {won}.")
    turned = [] if after.drawn == before.drawn else [after.deck[before.drawn]]
    removed = said.get("cards", []) if said["do"] == "take" else [said["card"]] if said.get("card") else []
    left = Counter([*before.display[: before.lying], *turned])
    left.subtract(CARDS[card] for card in removed)
    left.subtract(after.display[: after.lying])
    at_once = [card for card in turned if left[card]]
    left.subtract(at_once)
    lines += _told_dead([*left.elements()])
    lines += [f"{speak.does(seat, 'uncover', 'uncovers')} the {named(card)}." for card in turned]
    lines += _told_dead(at_once)
    if after.pile > before.pile:
        lines += _told_division(before, after)
    if after.phase == OVER:
        best = victors(after)
        points = [0] * after.players
        rules.score(after, points)
        most = f"{listed([speak.whom(p) for p in best])} with {points[best[0]]}"
        lines.append(f"The last card has been turned up: the match is over. Most points: {most}.")
    return lines


def _told_dead(dead: list[int]) -> list[str]:
    """Cards discarded by themselves."""
    if not dead:
        return []
    leave, them = ("leaves", "it") if len(dead) == 1 else ("leave", "them")
    cards = in_words([card_name(card) for card in dead])
    return [f"{cards[0].upper()}{cards[1:]} {leave} the game: nobody can lay {them} any more."]


def _told_division(before: Any, after: Any) -> list[str]:
    """A pile is used up, and what everybody receives."""
    used = f"Pile {before.pile + 1} is used up"
    if after.phase == OVER and not after.final_distribution:
        return [f"{used}: no gold is divided any more."]
    each = (before.supply - after.supply) // after.players
    if each:
        return [f"{used}: everybody receives {each} gold; {after.supply} {'stays' if after.supply == 1 else 'stay'} behind."]
    return [f"{used}: the supply of {before.supply} gold cannot be divided."]


def question(s: Any, seat: int, names: list[str]) -> str:
    """What is being decided, for one seat (−1: a spectator), in one sentence."""
    speak = Speaker(names, seat)
    mine = seat >= 0 and bool(rules.asked(s) >> seat & 1)
    if s.phase == OVER:
        return "The match is over."
    if s.phase == TURN:
        if not mine:
            return f"{names[s.turn]} chooses: uncover a card, or open an auction."
        if s.lying == 0 and not s.auction_on_empty_display:
            return "Your turn: uncover a card; the display is empty."
        if s.gold[seat] < s.opening_bid:
            return "Your turn: uncover a card; you have no gold for an auction."
        return f"Your turn: uncover a card, or open an auction of {number_of_cards(s.lying)}."
    if s.phase == BID:
        leads = f"{speak.then(s.leader, 'lead', 'leads')} with {s.bid}"
        if mine:
            return f"Bid for the display, or pass: {leads}; you have {s.gold[seat]} gold."
        return f"Auction of {number_of_cards(s.lying)}: {leads}. {names[s.asking]} is asked."
    if s.phase == TAKE:
        if mine:
            choose = "Take any of the cards that you can lay" if layable(s, seat) else "There is nothing that you can lay"
            return f"You have won the auction for {s.bid} gold. {choose}."
        return f"{names[s.leader]} has won the auction for {s.bid} gold and takes cards."
    if mine:
        return "You may remove one card on display from the game."
    return f"{names[s.leader]} may remove a card from the game."
