"""What a seat is told of Kuhhandel: the board, the log and the question of the moment in words. Plain Python.

Made from states already hidden for the audience and from moves as it may know them (`masked`); these functions never
see more.
"""

from collections import Counter
from typing import Any

from outbid.core.language.i18n import N_
from outbid.core.hooks.outcome import Outcome, Side, change, counted
from outbid.core.language.phrases import Speaker, grouped, teller
from outbid.games.kuhhandel import rules
from outbid.games.kuhhandel.memory import EVERYBODY, entry
from outbid.games.kuhhandel.state import ANIMALS, BID, HAMMER, HIDDEN, KINDS, MONEY, MOVE_CAP, NOTES, OFFER, OVER, PAY, TURN
from outbid.games.kuhhandel.text import _, animals, ngettext
from outbid.games.kuhhandel.text.views import cards_of, complete, offered_shown, shown_money, victors, view


def board(s: Any, seat: int, names: list[str]) -> str:
    """The table in lines of text, as a seat sees it, from a state hidden for it."""
    seen = view(s, seat)
    lines = [
        ngettext(
            "Deck: {n} animal. Donkeys so far: {donkeys} of 4. Money in play: {money}.",
            "Deck: {n} animals. Donkeys so far: {donkeys} of 4. Money in play: {money}.",
            seen["deck"], donkeys=seen["donkeys"], money=seen["in_play"],
        )
    ]  # fmt: skip
    for p, player in enumerate(seen["players"]):
        goods = [_goods(animal, n, animal in player["sets"]) for animal, n in player["animals"].items()]
        owned = ", ".join(goods) or _("no animals")
        told = [
            f"{owned}.",
            ngettext("{n} point.", "{n} points.", player["score"], n=grouped(player["score"])),
            "" if player["cards"] is None else ngettext("{n} money card.", "{n} money cards.", player["cards"]),
        ]
        lines.append(f"{'* ' if p == s.turn else '  '}{names[p]}: {' '.join(filter(None, told))}")
    if seat >= 0:
        lines.append(_("Your money: {cards}.", cards=amount(seen["money"])))
    return "\n".join(lines)


def _goods(animal: str, n: int, complete: bool) -> str:
    """ "1 cow", "2 cows", "4 cows (complete)"."""
    name = _(animal) if n == 1 else animals.herd(ANIMALS.index(animal))
    return _("{n} {animal} (complete)", n=n, animal=name) if complete else _("{n} {animal}", n=n, animal=name)


def amount(cards: list[int]) -> str:
    """Cards and their sum: "50, 10, 10 (70)", "50", "nothing"."""
    shown = ", ".join(str(card) for card in sorted(cards, reverse=True))
    return _("nothing") if not cards else shown if len(cards) == 1 else f"{shown} ({sum(cards)})"


def number_of_cards(n: int | None) -> str:
    """ "no card", "1 card", "5 cards"; "cards" if it is hidden. The object of a sentence."""
    if n is None:
        return _("cards")
    return _("no card") if n == 0 else ngettext("{n} card", "{n} cards", n)


def masked(before: Any, seat: int, move: dict[str, Any], audience: int) -> dict[str, Any]:
    """A move as an audience may know it: cards it must not see become their number, or nothing. Who answers a challenge sees
    what the challenger laid, also where it then goes back: `seen`."""
    if seat == audience and _may_go_back(before, move["do"]):
        return {**move, "seen": cards_of(before.offer)}
    if "cards" not in move or seat == audience:
        return move
    if move["do"] == "pay":
        if audience == before.payee or before.auction_payment_view:
            return move
        return {"do": "pay", "count": len(move["cards"])}
    if audience == before.turn and _may_go_back(before, move["do"]):
        return move
    shown = None if before.offer_count_view == HIDDEN else len(move["cards"])
    return {"do": move["do"], "count": shown}


# what happened: said to the player it is about, and to others
TOLD = {
    "auction": (N_("You turn over {animal} (the set is worth {worth})."),
                N_("{who} turns over {animal} (the set is worth {worth}).")),
    "trade": (N_("You challenge {rival:you} for {stake}."), N_("{who} challenges {rival:you} for {stake}.")),
    "bid": (N_("You bid {amount}."), N_("{who} bids {amount}.")),
    "pass": (N_("You pass."), N_("{who} passes.")),
    "sell": (N_("You sell {animal} to {buyer:you} for {bid}."), N_("{who} sells {animal} to {buyer:you} for {bid}.")),
    "insolvent": (N_("You cannot pay {bid} and must show all money: {held}."),
                  N_("{who} cannot pay {bid} and must show all money: {held}.")),
    "buy": (N_("You buy {animal} back and must pay {payee:you} {bid}."),
            N_("{who} buys {animal} back and must pay {payee:you} {bid}.")),
    "pay": (N_("You pay {payee:you} {cards} for {animal}."), N_("{who} pays {payee:you} {cards} for {animal}.")),
    "offer": (N_("You lay {laid} face down: {cards}."), N_("{who} lays {laid} face down: {cards}.")),
    "offer nothing": (N_("You lay no card."), N_("{who} lays no card.")),
    "accept": (N_("You accept the hidden offer and hand {stake} to {taker:you}."),
               N_("{who} accepts the hidden offer and hands {stake} to {taker:you}.")),
    "counter": (N_("You counter with {laid}."), N_("{who} counters with {laid}.")),
    "counter nothing": (N_("You counter with no card."), N_("{who} counters with no card.")),
    "win": (N_("You win {stake} from {loser:you}."), N_("{who} wins {stake} from {loser:you}.")),
    "win a tie": (N_("After a second tie you win {stake} from {loser:you}."),
                  N_("After a second tie {who} wins {stake} from {loser:you}.")),
    "tie": (N_("Both offers are equal: you offer again, for the last time."),
            N_("Both offers are equal: {who} offers again, for the last time.")),
    "lead": (N_("Auction of {animal}: you lead with {bid}."), N_("Auction of {animal}: {who} leads with {bid}.")),
    "no bid": (N_("Nobody bids: {animal} goes to you."), N_("Nobody bids: {animal} goes to {who}.")),
    "set": (N_("You complete the set of {animals}, worth {worth}."),
            N_("{who} completes the set of {animals}, worth {worth}.")),
}  # fmt: skip
line = teller(_, TOLD)


def told(before: Any, seat: int, move: dict[str, Any], after: Any, audience: int, names: list[str]) -> list[str]:
    """What an audience is told of a move: from the states before and after, hidden for it, and the masked move."""
    speak = Speaker(names, audience)
    lines = TELLERS[move["do"]](before, seat, move, after, speak)
    return lines + _told_consequences(before, move["do"], after, speak)


def _told_auction(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    kind = after.deck[before.drawn]
    lines = [line(speak, seat, "auction", animal=animals.any_of(kind), worth=grouped(after.values[kind]))]
    if after.donkeys > before.donkeys:
        note = MONEY[before.donkey_money[before.donkeys]]
        lines.append(_("Donkey number {donkeys}: everybody receives {note}.", donkeys=after.donkeys, note=note))
    return lines


def _told_sell(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    buyer = speak.people(before.leader)
    lines = [line(speak, seat, "sell", animal=animals.this(before.kind), buyer=buyer, bid=before.bid)]
    if after.phase == PAY:
        return lines
    held = amount(cards_of(after.known[entry(EVERYBODY, before.leader)]))
    lines.append(line(speak, before.leader, "insolvent", bid=before.bid, held=held))
    if after.phase != OVER and after.kind == before.kind and after.drawn == before.drawn and not _moved(before, after):
        animal = animals.first(before.kind)
        if after.reauction_excludes:
            lines.append(_("{animal} is auctioned again without {buyer:you}.", animal=animal, buyer=buyer))
        else:
            lines.append(_("{animal} is auctioned again.", animal=animal))
    return lines


def _told_payment(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    payee, animal = speak.people(before.payee), animals.this(before.kind)
    if "cards" in move:
        text = line(speak, seat, "pay", payee=payee, cards=amount(move["cards"]), animal=animal)
        notes, paid = _notes(move["cards"]), sum(move["cards"])
        return [_paid(before, seat, Side(seat, notes, grouped(paid)), paid, text, speak)]
    text = ngettext(
        "{who} pays {payee:you} at least {bid} with {n} card for {animal}.",
        "{who} pays {payee:you} at least {bid} with {n} cards for {animal}.",
        move["count"], who=speak.people(seat), payee=payee, bid=before.bid, animal=animal,
    )  # fmt: skip
    side = Side(seat, _backs(move["count"]), f"≥ {grouped(before.bid)}")
    return [_paid(before, seat, side, before.bid, text, speak)]


def _paid(s: Any, seat: int, money_side: Side, paid: int, text: str, speak: Speaker) -> Outcome:
    """The end of an auction: money goes to the payee, and the animal to the buyer."""
    money = {seat: -paid, s.payee: paid}.get(speak.audience)
    net = "" if money is None else _net(money, animals.this(s.kind))
    return Outcome(text, "hammer", money_side, Side(s.payee, _drawn(s)), net=net, crosses=True)


def _net(money: int, beasts: str) -> str:
    """What a deal comes to, in money and animals."""
    return _("{money} for {animals}", money=change(money), animals=beasts)


def _notes(cards: list[int]) -> tuple[tuple[str, int], ...]:
    """Money, the highest last, as it is drawn."""
    return counted("note:kuhhandel-", sorted(cards))


def _backs(n: int | None) -> tuple[tuple[str, int], ...]:
    """Money that lies face down; none where its number is hidden."""
    return (("back:note", n),) if n and n > 0 else ()


def _drawn(s: Any, n: int = 1) -> tuple[tuple[str, int], ...]:
    """The animal that is auctioned, or at stake."""
    return ((f"card:kuhhandel-{ANIMALS[s.kind]}", n),)


def _told_offer(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    if "cards" not in move:
        return [_("{who} lays {laid} face down.", who=speak.people(seat), laid=number_of_cards(move["count"]))]
    if not move["cards"]:
        return [line(speak, seat, "offer nothing")]
    return [line(speak, seat, "offer", laid=number_of_cards(len(move["cards"])), cards=amount(move["cards"]))]


def _told_accept(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    taker, stake = speak.people(before.turn), animals.stake(before.kind, before.stake)
    laid = _laid(before, after, seat, speak)
    offer, total = (_backs(before.offered), "") if laid is None else (_notes(laid), grouped(sum(laid)))
    sides = Side(before.turn, offer, total), Side(seat, _drawn(before, before.stake))
    text = line(speak, seat, "accept", taker=taker, stake=stake)
    net = "" if laid is None else _net(_earned(before, after, speak.audience), stake)
    lines: list[str] = [Outcome(text, "reveal", *sides, net=net, crosses=not _may_go_back(before, "accept"))]
    if seat == speak.audience:
        lines.append(_("You receive {cards}.", cards=amount(_gained(before, after, seat))))
    return lines + _told_seen(before, move, speak)


def _laid(before: Any, after: Any, seat: int, speak: Speaker) -> list[int] | None:
    """What was offered to the seat that accepts it, for those who know."""
    if speak.audience == seat:
        return _gained(before, after, seat)
    return cards_of(before.offer) if speak.audience == before.turn else None


def _told_counter(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    challenger = before.turn
    laid = amount(move["cards"]) if "cards" in move else number_of_cards(move["count"])
    nothing = move.get("cards") == [] or move.get("count") == 0
    lines = [line(speak, seat, "counter nothing" if nothing else "counter", laid=laid)]
    lines += _told_seen(before, move, speak)
    winner = _winner(before, after)
    stacks = {challenger: _backs(before.offered), seat: _backs(move.get("count", len(move.get("cards", ()))))}
    sums, net, prize = dict.fromkeys(stacks, ""), "", animals.stake(before.kind, before.stake)
    if speak.audience in stacks:
        me, rival = speak.audience, seat + challenger - speak.audience
        own = move["cards"] if seat == me else cards_of(before.offer)
        lines.append(_told_exchange(before, after, me, own))
        stacks[me], sums[me] = _notes(own), grouped(sum(own))
        if not _may_go_back(before, "counter"):
            got = _received(before, after, me, own)
            stacks[rival], sums[rival] = _notes(got), grouped(sum(got))
        net = _net(_earned(before, after, me), prize) if winner is not None else change(_earned(before, after, me))
    if winner is not None:
        loser = seat + challenger - winner
        stacks[loser] += _drawn(before, before.stake)
    sides = [Side(party, stack, sums[party]) for party, stack in stacks.items()]
    crosses = not _may_go_back(before, "counter")
    if winner is not None:
        key = "win a tie" if before.again and winner == challenger and _equal(before, after) else "win"
        text = line(speak, winner, key, stake=prize, loser=speak.people(loser))
        lines.append(Outcome(text, "reveal", *sides, net=net, crosses=crosses))
    elif after.phase == OFFER:
        lines.append(Outcome(line(speak, challenger, "tie"), "reveal", *sides, net=net, crosses=crosses))
    return lines


def _received(before: Any, after: Any, seat: int, own: list[int]) -> list[int]:
    """The stack that came to a party to a counter-offer for its own."""
    gained, lost = Counter(_gained(before, after, seat)), Counter(_gained(after, before, seat))
    return [*(Counter(own) + gained - lost).elements()]


def _earned(before: Any, after: Any, seat: int) -> int:
    """The money a party has more of afterwards; less, if it is negative."""
    return sum(_gained(before, after, seat)) - sum(_gained(after, before, seat))


def _told_exchange(before: Any, after: Any, seat: int, own: list[int]) -> str:
    """What a party to a counter-offer received for its own stack (or kept, where an option lets stacks go back)."""
    if _may_go_back(before, "counter"):
        more, less = amount(_gained(before, after, seat)), amount(_gained(after, before, seat))
        return _("You have gained {gained} and lost {lost}.", gained=more, lost=less)
    received = amount(_received(before, after, seat, own))
    if not own:
        return _("You receive {received} for nothing.", received=received)
    return _("You receive {received} for your {own}.", received=received, own=amount(own))


def _may_go_back(s: Any, do: str) -> bool:
    """An option lets cards that were laid return to the player who laid them."""
    return bool((do == "counter" and (s.winner_pays or s.tie_money)) or (do in ("accept", "counter") and s.zeros_return))


def _told_seen(before: Any, move: dict[str, Any], speak: Speaker) -> list[str]:
    """What the challenger had laid, for the player who has answered."""
    if "seen" not in move:
        return []
    return [_("{who} had laid {cards}.", who=speak.people(before.turn), cards=amount(move["seen"]))]


def _gained(before: Any, after: Any, seat: int) -> list[int]:
    """The cards a seat has more of afterwards."""
    return [
        MONEY[note] for note in range(NOTES) for _ in range(max(0, after.money[seat][note] - before.money[seat][note]))
    ]


def _equal(before: Any, after: Any) -> bool:
    """A tie leaves what everybody knows of the sums of both hands as it was (memory.py)."""
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


TELLERS = {
    "trade": lambda before, seat, move, after, speak: [
        line(speak, seat, "trade", rival=speak.people(after.challenged), stake=animals.stake(after.kind, after.stake))],
    "bid": lambda before, seat, move, after, speak: [line(speak, seat, "bid", amount=move["amount"])],
    "pass": lambda before, seat, move, after, speak: [line(speak, seat, "pass")],
    "buy": lambda before, seat, move, after, speak: [
        line(speak, seat, "buy", animal=animals.this(before.kind), payee=speak.people(before.leader), bid=before.bid)],
    "auction": _told_auction, "close": lambda *_: [], "sell": _told_sell, "pay": _told_payment, "offer": _told_offer,
    "accept": _told_accept, "counter": _told_counter,
}  # fmt: skip


def _told_consequences(before: Any, do: str, after: Any, speak: Speaker) -> list[str]:
    """What the rules did by themselves."""
    lines: list[str] = []
    if before.phase in (BID, HAMMER) and do in ("pass", "close", "sell") and _moved(before, after):
        text = line(speak, before.turn, "no bid", animal=animals.this(before.kind))
        net = _net(0, animals.this(before.kind)) if speak.audience == before.turn else ""
        lines.append(Outcome(text, "hammer", Side(before.turn, _drawn(before)), net=net))
    for seat in range(before.players):
        if after.animals[seat] == before.animals[seat]:
            continue
        for kind in range(KINDS):
            if complete(after, seat, kind) and not complete(before, seat, kind):
                herd, worth = animals.herd(kind), grouped(after.values[kind])
                lines.append(line(speak, seat, "set", animals=herd, worth=worth))
    return lines + _told_end(after, speak) if after.phase == OVER else lines


def _told_end(after: Any, speak: Speaker) -> list[str]:
    """Why the match is over, and who has won."""
    lines = []
    if after.trade_stall and after.streak >= after.trade_stall:
        lines.append(
            ngettext(
                "{n} trade in a row completed no set: the match ends.",
                "{n} trades in a row completed no set: the match ends.",
                after.trade_stall,
            )
        )
    elif not all(any(complete(after, p, k) for p in range(after.players)) for k in range(KINDS) if after.copies[k]):
        lines.append(_("{moves} moves have been made: the match ends.", moves=MOVE_CAP))
    points = [0] * after.players
    rules.score(after, points)
    best = [seat for seat in range(after.players) if points[seat] == max(points)]
    leaders = speak.people(*best)
    lines.append(_("The match is over. Most points: {who:you} with {points}.", who=leaders, points=grouped(max(points))))
    if after.final_tie and len(best) > 1:
        richest = victors(after)
        held = shown_money(after, richest[0])
        lines.append(_("Money decides: {who:you} with {held}.", who=speak.people(*richest), held=held))
    return lines


# what is asked: said to the seat itself, and to others
ASKED = {
    "trade": (N_("Your turn: the deck is empty, propose a trade."), N_("{who} must propose a trade.")),
    "auction": (N_("Your turn: auction the next animal."), N_("{who} chooses: auction or trade.")),
    "turn": (N_("Your turn: auction the next animal, or propose a trade."), N_("{who} chooses: auction or trade.")),
    "pay": (N_("Pay {payee:you} {bid} for {animal}; there is no change."), N_("{who} pays {payee:you} {bid} for {animal}.")),
    "hammer": (N_("{leader} bids {bid} for {animal}: sell, or buy it yourself."),
               N_("{who} decides: sell {animal} for {bid}, or buy it.")),
    "offer": (N_("Lay your offer to {rival:you} for {stake} face down."),
              N_("{who} prepares an offer to {rival:you} for {stake}.")),
    "offer again": (N_("Lay your offer to {rival:you} for {stake} face down, second and last time."),
                    N_("{who} prepares an offer to {rival:you} for {stake}, second and last time.")),
    "reply": (N_("{owner} offers {cards} for {stake}: accept, or counter."),
              N_("{who} answers {owner:your} offer of {cards} for {stake}.")),
    "reply again": (N_("{owner} offers {cards} for {stake}: accept, or counter, second and last time."),
                    N_("{who} answers {owner:your} offer of {cards} for {stake}, second and last time.")),
}  # fmt: skip


def question(s: Any, seat: int, names: list[str]) -> str:
    """What is being decided while the match lasts, for one seat (−1: a spectator), in one sentence."""
    speak = Speaker(names, seat)
    mine = seat >= 0 and bool(rules.asked(s) >> seat & 1)
    if s.phase == BID:
        return _asked_to_bid(s, names) if mine else _bidding(s, names, speak)
    words: dict[str, Any] = {"who": names[s.turn], "animal": animals.this(s.kind), "bid": s.bid}
    if s.phase == TURN:
        key = "trade" if s.drawn == s.size else "turn" if rules.can_trade(s, s.turn) else "auction"
    elif s.phase == PAY:
        key, words = "pay", {**words, "who": names[s.payer], "payee": speak.people(s.payee)}
    elif s.phase == HAMMER:
        key, words = "hammer", {**words, "leader": names[s.leader]}
    else:
        key = ("offer" if s.phase == OFFER else "reply") + (" again" if s.again else "")
        words |= {"stake": animals.stake(s.kind, s.stake), "rival": speak.people(s.challenged)}
        if s.phase != OFFER:
            cards = number_of_cards(offered_shown(s, seat))
            words |= {"who": names[s.challenged], "owner": speak.people(s.turn), "cards": cards}
    return _(ASKED[key][not mine], **words)


def _asked_to_bid(s: Any, names: list[str]) -> str:
    animal = animals.this(s.kind)
    if s.leader < 0:
        return _("Bid for {animal}, or let it go: no bid yet.", animal=animal)
    leader = names[s.leader]
    return _("Bid for {animal}, or let it go: {leader} leads with {bid}.", animal=animal, leader=leader, bid=s.bid)


def _bidding(s: Any, names: list[str], speak: Speaker) -> str:
    animal = animals.this(s.kind)
    if s.leader < 0:
        standing = _("Auction of {animal}: no bid yet.", animal=animal)
    else:
        standing = line(speak, s.leader, "lead", animal=animal, bid=s.bid)
    return " ".join([standing, _("{who} is asked.", who=names[s.asking])]) if s.asking >= 0 else standing
