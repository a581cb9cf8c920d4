"""What a seat is told of Money!: the board, the log and the question of the moment in words. Plain Python.

Made from states already hidden for the audience and from moves as it may know them (`masked`); these functions never
see more.
"""

from itertools import pairwise
from typing import Any

from outbid.core.language.i18n import N_
from outbid.core.hooks.outcome import NOBODY, Outcome, Side, change
from outbid.core.language.phrases import Speaker, capitalized, listed, teller
from outbid.games.money import rules
from outbid.games.money.state import (
    BID, CURRENCIES, EXCHANGE, HIDDEN, LEFT, NO_EXTRA_ROUND, NOTES, OVER, RIGHT, ROUND_CAP, TABLE, UNKNOWN,
)  # fmt: skip
from outbid.games.money.text import _, ngettext
from outbid.games.money.text.views import (
    DISPLAYS, acting, card_name, cards_at, family, hand, lowest_at, points, stayed_out, sum_at, victors, view,
)

# what tables name: the displays, when a bid acts, the coins that have no code as currencies have
TITLES = {"left": N_("Left display"), "right": N_("Right display")}
ACTS = (N_("acts now"), N_("acts next"), N_("acts third"), N_("acts fourth"), N_("acts fifth"))
ACT = (N_("act now"), N_("act next"), N_("act third"), N_("act fourth"), N_("act fifth"))
COINED = {"COIN": N_("coin"), "SILVER": N_("silver coin"), "GOLD": N_("gold coin")}
FAMILIES = {"COIN": N_("coins"), "SILVER": N_("silver coins"), "GOLD": N_("gold coins")}


def lot(s: Any, cards: list[int]) -> str:
    """Cards and their sum: "GBP 60, USD 20 (80)", "GBP 60", "nothing". Serial numbers stand where cards are chosen by
    them, and where they decide."""
    shown = ", ".join(_shown(family(s, card), rules.value(card)) for card in cards)
    return f"{shown} ({sum(map(rules.value, cards))})" if len(cards) > 1 else shown or _("nothing")


def _shown(kind: str, value: int) -> str:
    """A note, or a coin."""
    if kind in COINED:
        return _("{coin} {value}", coin=_(COINED[kind]), value=value)
    return _("{currency} {value}", currency=kind, value=value)


def number_of_cards(n: int) -> str:
    """ "no card", "1 card", "5 cards"."""
    return ngettext("{n} card", "{n} cards", n) if n else _("no card")


# --- the board --------------------------------------------------------------------------------------------------------


def board(s: Any, seat: int, names: list[str]) -> str:
    """The table in lines of text, as a seat sees it, from a state hidden for it."""
    seen = view(s, seat)
    last = s.final and s.phase != OVER
    facts = [_("Round {round}, the last.", round=s.round) if last else _("Round {round}.", round=s.round)]
    facts.append(_("Draw pile: {cards}.", cards=number_of_cards(seen["pile"])))
    if seen["removed"]:
        facts.append(_("Removed: {currencies}.", currencies=", ".join(seen["removed"])))
    lines = [" ".join(facts)]
    lines.append(_("Left display: {lot}.", lot=lot(s, cards_at(s, LEFT))))
    lines.append(_("Right display: {lot}.", lot=lot(s, cards_at(s, RIGHT))))
    for p, player in enumerate(seen["players"]):
        now = "* " if s.phase == EXCHANGE and p == s.actor else "  "
        lines.append(now + " ".join(_player_on_board(s, p, player, names[p])))
    if seat >= 0:
        lines.append(_("Your cards:"))
        lines += [f"  {line}" for line in _hand_lines(s, seat)]
        lines.append(_("Your score, if it ended now: {points}.", points=seen["score"]["total"]))
    return "\n".join(lines)


def _player_on_board(s: Any, p: int, player: dict[str, Any], name: str) -> list[str]:
    facts = [_("{who}: {cards} in hand.", who=name, cards=number_of_cards(player["cards"]))]
    if player["stayed_out"]:
        facts.append(_("Stays out."))
    elif player["bid"] is not None:
        facts.append(_("Bid: {lot}.", lot=lot(s, cards_at(s, TABLE + p))))
    elif s.phase == BID and player["sealed"]:
        known = player["pieces"] is not None
        facts.append(_("Has sealed {cards}.", cards=number_of_cards(player["pieces"])) if known else _("Has sealed a bid."))
    if player["seen"] is not None and (s.phase != OVER or player["seen"]):
        held = lot(s, cards_at(s, p))
        facts.append(_("Held: {lot}.", lot=held) if s.phase == OVER else _("Seen in hand: {lot}.", lot=held))
    if player["score"] is not None:
        facts.append(_("{points} points.", points=player["score"]["total"]))
    return facts


def _hand_lines(s: Any, seat: int) -> list[str]:
    """The own cards, a line for each currency: the cards, their sum, what it counts."""
    lines: list[str] = []
    mine = [card for card in range(len(s.place)) if rules.owns(s, seat, card)]
    for c, name in enumerate(CURRENCIES):
        notes = [card for card in mine if card // NOTES == c and card < NOTES * len(CURRENCIES)]
        if notes:
            facts = {"sum": sum(map(rules.value, notes)), "points": rules.currency_points(s, seat, c)}
            shown = ", ".join(card_name(s, card) for card in notes)
            lines.append(_("{currency}: {cards}; sum {sum}, counts {points}", currency=name, cards=shown, **facts))
    coins = [card for card in mine if card >= NOTES * len(CURRENCIES)]
    if coins:
        metals = listed(list(dict.fromkeys(family(s, card) for card in coins)))
        shown = ", ".join(card_name(s, card) for card in coins)
        lines.append(_("{metals}: {cards}; count {points}", metals=metals, cards=shown, points=rules.coin_points(s, seat)))
    return lines


# --- the log ----------------------------------------------------------------------------------------------------------


def masked(before: Any, seat: int, move: dict[str, Any], audience: int) -> dict[str, Any]:
    """A move as an audience may know it: of a sealed bid only that it is, or its number of cards (E2)."""
    if move["do"] != "bid" or seat == audience:
        return move
    if before.bid_counts == HIDDEN:
        return {"do": "bid"}
    return {"do": "bid", "pieces": len(move["cards"]) + move["bluff"]}


# what happened: said to the player it is about, and to others
TOLD = {
    "bluff": (N_("You lay your bluff card alone."), N_("{who} lays the bluff card alone.")),
    "lay": (N_("You lay {lot} face down."), N_("{who} lays {lot} face down.")),
    "lay with bluff": (N_("You lay {lot} and your bluff card face down."),
                       N_("{who} lays {lot} and the bluff card face down.")),
    "bid": (N_("You bid {lot}."), N_("{who} bids {lot}.")),
    "bid with bluff": (N_("You bid {lot}, with your bluff card."), N_("{who} bids {lot}, with a bluff card.")),
    "tie": (N_("You act before {next:you}: the sums are equal, and serial {low} is below {high}."),
            N_("{who} acts before {next:you}: the sums are equal, and serial {low} is below {high}.")),
    "out": (N_("You stay out."), N_("{who} stays out.")),
    "next": (N_("You own the highest bid now and act next."), N_("{who} owns the highest bid now and acts next.")),
    "keep": (N_("You take {bid} back."), N_("{who} takes {bid} back.")),
    "swap": (N_("You take {owner:your} bid, {got}, for {bid}."), N_("{who} takes {owner:your} bid, {got}, for {bid}.")),
    "left": (N_("You take the left display, {got}, for {bid}."), N_("{who} takes the left display, {got}, for {bid}.")),
    "right": (N_("You take the right display, {got}, for {bid}."), N_("{who} takes the right display, {got}, for {bid}.")),
    "hold": (N_("You hold {lot}: {points} points."), N_("{who} holds {lot}: {points} points.")),
}  # fmt: skip
line = teller(_, TOLD)


def told(before: Any, seat: int, move: dict[str, Any], after: Any, audience: int, names: list[str]) -> list[str]:
    """What an audience is told of a move: from the states before and after, hidden for it, and the masked move."""
    speak = Speaker(names, audience)
    if move["do"] == "bid":
        lines = [_told_bid(before, seat, move, speak)]
        if before.sealed | 1 << seat == (1 << before.players) - 1:
            lines += _told_reveal(after, speak)
            if after.phase != EXCHANGE:
                lines += _told_round_end(before, after, speak)
        return lines
    lines = [_told_exchange(before, seat, move, after, speak)]
    if after.phase == EXCHANGE:
        if move["do"] == "swap" and after.actor == move["with"]:
            lines.append(line(speak, after.actor, "next"))
    else:
        lines += _told_round_end(before, after, speak)
    return lines


def _told_bid(before: Any, seat: int, move: dict[str, Any], speak: Speaker) -> str:
    if "cards" not in move:
        who = speak.people(seat)
        if "pieces" in move:
            return _("{who} lays {cards} face down.", who=who, cards=number_of_cards(move["pieces"]))
        return _("{who} seals a bid.", who=who)
    if not move["cards"]:
        return line(speak, seat, "bluff")
    laid = lot(before, [card for card in cards_at(before, seat) if card_name(before, card) in move["cards"]])
    return line(speak, seat, "lay with bluff" if move["bluff"] else "lay", lot=laid)


def _told_reveal(after: Any, speak: Speaker) -> list[str]:
    """All bids, in the order in which they act; then who stays out."""
    if after.phase != EXCHANGE:
        return [_("The bids are turned over: everybody stays out.")]
    order = acting(after)
    bids = [Side(seat, _bills(after, TABLE + seat), str(sum_at(after, TABLE + seat))) for seat in order]
    lines: list[str] = [Outcome(_("The bids are turned over."), "reveal", *bids, in_place=True)]
    for seat in order:
        key = "bid with bluff" if after.bluffed >> seat & 1 else "bid"
        lines.append(line(speak, seat, key, lot=lot(after, cards_at(after, TABLE + seat))))
    out = [seat for seat in range(after.players) if stayed_out(after, seat)]
    if out:
        lines.append(_told_out(out, speak))
    for first, second in pairwise(order):
        if sum_at(after, TABLE + first) == sum_at(after, TABLE + second):
            low, high = lowest_at(after, TABLE + first), lowest_at(after, TABLE + second)
            lines.append(line(speak, first, "tie", next=speak.people(second), low=low, high=high))
    return lines


def _bills(s: Any, place: int) -> tuple[tuple[str, int], ...]:
    """The cards of a place as they are drawn, the largest last."""
    cards = sorted(cards_at(s, place), key=rules.value)
    return tuple((f"bill:money-{card_name(s, card).split('#')[0]}", 1) for card in cards)


def _told_out(out: list[int], speak: Speaker) -> str:
    """Who stays out of the round."""
    if len(out) == 1:
        return line(speak, out[0], "out")
    if speak.audience not in out:
        return _("{who} stay out.", who=speak.people(*out))
    return capitalized(_("{who:you} stay out.", who=speak.people(*out)))


def _told_exchange(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> str:
    bid = lot(before, cards_at(before, TABLE + seat))
    if move["do"] == "keep":
        text = line(speak, seat, "keep", bid=bid)
        own = Side(seat, _bills(before, TABLE + seat), str(sum_at(before, TABLE + seat)))
        return text if after.phase == EXCHANGE else Outcome(text, "card", own, closes=True)
    if move["do"] == "swap":
        key, partner, place, name = "swap", move["with"], TABLE + move["with"], ""
    else:
        key, partner, place = move["display"], NOBODY, DISPLAYS[move["display"]]
        name = _(TITLES[key])
    owner = speak.people(partner) if partner != NOBODY else None
    text = line(speak, seat, key, owner=owner, got=lot(before, cards_at(before, place)), bid=bid)
    sides = [
        Side(party, _bills(before, stack), str(sum_at(before, stack)), title)
        for party, stack, title in ((seat, TABLE + seat, ""), (partner, place, name))
    ]
    net = ""
    if speak.audience in (seat, partner) and speak.audience != NOBODY:
        gain = points(after, speak.audience) - points(before, speak.audience)
        net = ngettext("{gain} point", "{gain} points", abs(gain), gain=change(gain))
    return Outcome(text, "card", *sides, net=net, crosses=True, closes=after.phase != EXCHANGE)


def _told_round_end(before: Any, after: Any, speak: Speaker) -> list[str]:
    """The refill, and the end of the match or the last round."""
    lines: list[str] = []
    for side, place in DISPLAYS.items():
        new = [card for card in cards_at(after, place) if before.place[card] == UNKNOWN]
        if new:
            message = _("New in the left display: {lot}.") if side == "left" else _("New in the right display: {lot}.")
            lines.append(message.format(lot=lot(after, new)))
    if after.phase == OVER:
        return lines + _told_end(before, after, speak)
    if after.drawn == before.drawn:
        lines.append(_("No card is drawn."))
    lines.append(_told_last(after) if after.final else _("Round {round} begins.", round=after.round))
    return lines


def _told_last(s: Any) -> str:
    """That the round that begins is the last, and why."""
    if s.stall_rounds and s.stall >= s.stall_rounds:
        return ngettext(
            "No card was drawn once: round {round} is the last.",
            "No card was drawn {n} times running: round {round} is the last.",
            s.stall, round=s.round,
        )  # fmt: skip
    if s.drawn == s.size and min(s.shown) < s.display_cards:
        return _("The draw pile is empty and a display is short: round {round} is the last.", round=s.round)
    if s.drawn < s.size:
        return _("Round {round} is the last, as the rules of this match say.", round=s.round)
    return _("The draw pile is empty: round {round} is the last.", round=s.round)


def _told_end(before: Any, after: Any, speak: Speaker) -> list[str]:
    lines: list[str] = []
    if not before.final and after.end_trigger == NO_EXTRA_ROUND and min(after.shown) < after.display_cards:
        lines.append(_("The draw pile is empty and a display is short: the match ends."))
    elif not before.final:
        lines.append(_("{rounds:,} rounds have been played: the match ends.", rounds=ROUND_CAP))
    for seat in range(after.players):
        lines.append(line(speak, seat, "hold", lot=lot(after, cards_at(after, seat)), points=points(after, seat)))
    best = victors(after)
    most = points(after, best[0])
    lines.append(_("The match is over. Most points: {winners:you} with {points}.", winners=speak.people(*best), points=most))
    return lines


# --- the question -----------------------------------------------------------------------------------------------------


LAY = N_("Bid any of your cards face down, or stay out.")
LAY_LAST = N_("The last round: bid any of your cards face down, or stay out.")


def question(s: Any, seat: int, names: list[str]) -> str:
    """What is being decided while the match lasts, for one seat (−1: a spectator), in one sentence."""
    if s.phase == BID:
        if seat >= 0 and not s.sealed >> seat & 1:
            return _(LAY_LAST if s.final else LAY)
        waiting = [names[p] for p in range(s.players) if not s.sealed >> p & 1]
        return _choosing(waiting, last=bool(s.final))
    if s.actor == seat:
        own = sum_at(s, TABLE + seat)
        if len(acting(s)) > 1:
            return _("Take a display or another bid for your bid of {sum}, or take it back.", sum=own)
        return _("Take a display for your bid of {sum}, or take it back.", sum=own)
    highest = {"who": names[s.actor], "sum": sum_at(s, TABLE + s.actor)}
    return _("{who} has the highest bid that is left, {sum}, and swaps or keeps it.", **highest)


def _choosing(waiting: list[str], last: bool) -> str:
    """Who has not yet sealed a bid; the reader has."""
    if last:
        return ngettext(
            "Bids are being laid in the last round: {who} is still choosing.",
            "Bids are being laid in the last round: {who} are still choosing.",
            len(waiting), who=listed(waiting),
        )  # fmt: skip
    return ngettext(
        "Bids are being laid: {who} is still choosing.",
        "Bids are being laid: {who} are still choosing.",
        len(waiting), who=listed(waiting),
    )  # fmt: skip


__all__ = ["ACT", "ACTS", "FAMILIES", "TITLES", "board", "hand", "masked", "number_of_cards", "question", "told"]
