"""What a seat is told of Rivals: the board, the log and the question of the moment in words. Plain Python.

Made from states already hidden for the audience; every move is open, so that nothing in it has to be masked.
"""

from collections import Counter
from typing import Any

from outbid.core.language.i18n import N_
from outbid.core.hooks.outcome import NOBODY, Outcome, Side, change, counted
from outbid.core.language.phrases import Speaker, listed
from outbid.games.rivals import rules
from outbid.games.rivals.state import BID, OVER, RANKS, TAKE, TURN
from outbid.games.rivals.text import _, ngettext
from outbid.games.rivals.text.views import CARDS, card_name, display, layable, seat_view, victors, view

HUE_NAMES = (N_("red"), N_("blue"), N_("green"), N_("yellow"), N_("white"))
# the cards of each colour; what stands with them and before them fits all of them
NUMBERS = (
    N_("red {number}"),
    N_("blue {number}"),
    N_("green {number}"),
    N_("yellow {number}"),
    N_("white {number}"),
)
WAGERS = (
    N_("red wager"),
    N_("blue wager"),
    N_("green wager"),
    N_("yellow wager"),
    N_("white wager"),
)


def named(card: int) -> str:
    """A card in words: "red 4", "blue wager"."""
    colour, rank = divmod(card, RANKS)
    return _(NUMBERS[colour], number=rank + 1) if rank else _(WAGERS[colour])


def called(card: str) -> str:
    """A card of a record in words."""
    return named(CARDS[card])


def the(card: int) -> str:
    """A card within a sentence: "the red 4"."""
    return _("the {card}", card=named(card))


def in_words(cards: list[str]) -> str:
    """Cards of a record in words, in the order of the display; "nothing"."""
    return listed([the(card) for card in sorted(CARDS[card] for card in cards)]) or _("nothing")


def number_of_cards(n: int) -> str:
    """ "1 card", "5 cards"."""
    return ngettext("{n} card", "{n} cards", n)


def number_of_points(n: int) -> str:
    """ "1 point", "5 points"."""
    return ngettext("{n} point", "{n} points", n)


def number_of_times(n: int) -> str:
    """ "once", "twice", "3 times"."""
    return _("once") if n == 1 else _("twice") if n == 2 else _("{n} times", n=n)


def gold(n: int) -> str:
    """ "5 gold"."""
    return _("{n} gold", n=n)


def board(s: Any, seat: int, names: list[str]) -> str:
    """The table in lines of text, as a seat sees it, from a state hidden for it."""
    seen = view(s, seat)
    facts = {"pile": seen["pile"], "piles": seen["piles"], "cards": number_of_cards(seen["pile_left"]), "deck": seen["deck"]}
    lines = [
        _("Pile {pile} of {piles}: {cards} to come, {deck} in the whole deck.", **facts)
        + " "
        + _("Gold in the supply: {n}.", n=seen["supply"]),
        _("On display: {cards}.", cards=" ".join(display(s)) or _("nothing")),
    ]
    if seat >= 0 and s.lying:
        lines.append(_("You could lay: {cards}.", cards=" ".join(layable(s, seat)) or _("none of them")))
    for p, player in enumerate(seen["players"]):
        if player["gold"] is None:
            line = _("{who}: {points}.", who=names[p], points=number_of_points(player["points"]))
        else:
            owns = {"who": names[p], "gold": player["gold"], "points": number_of_points(player["score"])}
            line = _("{who}: {gold} gold. {points} with the gold.", **owns)
        lines.append(f"{'* ' if p == s.turn and s.phase != OVER else '  '}{line}")
        begun = [f"{' '.join(trip['cards'])}{_sum_of(trip)}" for trip in player["expeditions"].values()]
        lines += [f"      {';  '.join(begun)}"] * bool(begun)
    return "\n".join(lines)


def _sum_of(trip: dict[str, Any]) -> str:
    """The points of an expedition and how they come about."""
    if trip["points"] == 0:
        return ""
    bonus = f" + {trip['bonus']}" if trip["bonus"] else ""
    return f" = {trip['footprints']} × {trip['handshakes'] + 1}{bonus} = {trip['points']}"


def told(before: Any, seat: int, move: dict[str, Any], after: Any, audience: int, names: list[str]) -> list[str]:
    """What an audience is told of a move: from the states before and after, hidden for it."""
    speak = Speaker(names, audience)
    return _told_move(before, seat, move, after, speak) + _told_consequences(before, seat, move, after, speak)


def _told_move(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    """What was done; that a card is turned up is a consequence."""
    do = move["do"]
    if do == "bid" and before.phase == TURN:
        own, other = _("You open an auction with {amount}."), _("{who} opens an auction with {amount}.")
        return [speak(seat, own, other, amount=move["amount"])]
    if do == "bid":
        return [speak(seat, _("You bid {amount}."), _("{who} bids {amount}."), amount=move["amount"])]
    if do == "pass":
        return [speak(seat, _("You pass."), _("{who} passes."))]
    if do == "take":
        text = speak(seat, _("You take {cards}."), _("{who} takes {cards}."), cards=in_words(move["cards"]))
        gained = seat_view(after, seat, seat)["points"] - seat_view(before, seat, seat)["points"]
        points = ngettext("{gain} point", "{gain} points", abs(gained), gain=change(gained))
        net = _("−{gold} gold, {points}", gold=before.bid, points=points)
        return [Outcome(text, "hammer", Side(seat, counted("card:rivals-", move["cards"])), net=net)]
    if do == "remove" and move["card"] is None:
        return [speak(seat, _("You remove nothing."), _("{who} removes nothing."))]
    if do == "remove":
        own, other = _("You remove {card} from the game."), _("{who} removes {card} from the game.")
        return [speak(seat, own, other, card=the(CARDS[move["card"]]))]
    return []


def _told_consequences(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    """The end of an auction, the card turned up, cards discarded, gold divided, the end."""
    lines: list[str] = []
    if after.phase == TAKE and before.phase in (TURN, BID):
        own = _("Nobody bids more: you win the auction for {bid} gold.")
        other = _("Nobody bids more: {who} wins the auction for {bid} gold.")
        lines.append(speak(after.leader, own, other, bid=after.bid))
    turned = [] if after.drawn == before.drawn else [after.deck[before.drawn]]
    removed = move.get("cards", []) if move["do"] == "take" else [move["card"]] if move.get("card") else []
    left = Counter([*before.display[: before.lying], *turned])
    left.subtract(CARDS[card] for card in removed)
    left.subtract(after.display[: after.lying])
    at_once = [card for card in turned if left[card]]
    left.subtract(at_once)
    lines += _told_dead([*left.elements()])
    lines += [speak(seat, _("You uncover {card}."), _("{who} uncovers {card}."), card=the(card)) for card in turned]
    lines += _told_dead(at_once)
    if after.pile > before.pile:
        lines += _standing(_told_division(before, after), after)
    if after.phase == OVER:
        best = victors(after)
        points = [0] * after.players
        rules.score(after, points)
        lines.append(_(
            "The last card has been turned up: the match is over. Most points: {winners:you} with {points}.",
            winners=speak.people(*best), points=points[best[0]],
        ))  # fmt: skip
    return lines


def _told_dead(dead: list[int]) -> list[str]:
    """Cards discarded by themselves."""
    if not dead:
        return []
    sentence = ngettext(
        "{cards} leaves the game: nobody can lay it any more.",
        "{cards} leave the game: nobody can lay them any more.",
        len(dead), cards=in_words([card_name(card) for card in dead]),
    )  # fmt: skip
    return [sentence[0].upper() + sentence[1:]]


def _told_division(before: Any, after: Any) -> list[str]:
    """A pile is used up, and what everybody receives if the supply is divided."""
    pile = before.pile + 1
    if not (after.final_distribution if after.phase == OVER else after.pile_distribution):
        return [_("Pile {pile} is used up.", pile=pile)]
    share = (before.supply - after.supply) // after.players
    if not share:
        return [_("Pile {pile} is used up: the supply of {n} gold cannot be divided.", pile=pile, n=before.supply)]
    return [ngettext(
        "Pile {pile} is used up: everybody receives {each} gold; {n} stays behind.",
        "Pile {pile} is used up: everybody receives {each} gold; {n} stay behind.",
        after.supply, pile=pile, each=share,
    )]  # fmt: skip


def _standing(told: list[str], after: Any) -> list[str]:
    """What is told of a pile that is used up, with the points of everybody, which all see before the next question."""
    if after.phase == OVER:
        return told
    sums = (
        f"{p['points']} " + _("points + gold") if p["score"] is None else number_of_points(p["score"])
        for p in view(after, NOBODY)["players"]
    )
    return [Outcome(told[0], "coin", *(Side(seat, (), total) for seat, total in enumerate(sums)))]


def question(s: Any, seat: int, names: list[str]) -> str:
    """What is being decided, for one seat (−1: a spectator), in one sentence."""
    mine = seat >= 0 and bool(rules.asked(s) >> seat & 1)
    if s.phase == TURN:
        return _question_of_turn(s, seat, mine, names)
    if s.phase == BID:
        return _question_of_bid(s, seat, mine, names)
    if s.phase == TAKE:
        if not mine:
            won = {"who": names[s.leader], "bid": s.bid}
            return _("{who} has won the auction for {bid} gold and takes cards.", **won)
        if layable(s, seat):
            return _("You have won the auction for {bid} gold. Take any of the cards that you can lay.", bid=s.bid)
        return _("You have won the auction for {bid} gold. There is nothing that you can lay.", bid=s.bid)
    if mine:
        return _("You may remove one card on display from the game.")
    return _("{who} may remove a card from the game.", who=names[s.leader])


def _question_of_turn(s: Any, seat: int, mine: bool, names: list[str]) -> str:
    if not mine:
        return _("{who} chooses: uncover a card, or open an auction.", who=names[s.turn])
    if s.lying == 0 and not s.auction_on_empty_display:
        return _("Your turn: uncover a card; the display is empty.")
    if s.gold[seat] < s.opening_bid:
        return _("Your turn: uncover a card; you have no gold for an auction.")
    if s.lying and not layable(s, seat):
        return _("Your turn: uncover a card, or open an auction; nothing on display fits you.")
    return _("Your turn: uncover a card, or open an auction of {cards}.", cards=number_of_cards(s.lying))


def _question_of_bid(s: Any, seat: int, mine: bool, names: list[str]) -> str:
    """A bidder is never the leader."""
    if mine:
        facts = {"leader": names[s.leader], "bid": s.bid, "own": s.gold[seat]}
        if s.lying and not layable(s, seat):
            return _("Bid, or pass: {leader} leads with {bid}; nothing on display fits you.", **facts)
        return _("Bid for the display, or pass: {leader} leads with {bid}; you have {own} gold.", **facts)
    facts = {"cards": number_of_cards(s.lying), "bid": s.bid, "asked": names[s.asking]}
    if seat == s.leader:
        return _("Auction of {cards}: you lead with {bid}. {asked} is asked.", **facts)
    return _("Auction of {cards}: {leader} leads with {bid}. {asked} is asked.", leader=names[s.leader], **facts)
