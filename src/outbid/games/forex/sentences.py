"""What a seat is told of For-Ex: the board, the log and the question of the moment in words. Plain Python.

Made from states already hidden for the audience; these functions never see more. What the rules do by themselves is told
by doing it once more, item by item, on a copy of the state before the move.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from outbid.engine.speech import Speaker, listed
from outbid.games.forex import rules
from outbid.games.forex.state import (
    BUCK, CURRENCIES, DIVESTING, DIVIDENDS, KINDS, LENT, NOBODY, OVER, REPLY, SETS, STACK, STRENGTHEN, STRONGEST, TURN,
)
from outbid.games.forex.views import LETTERS, bucks, can_settle, collapsed, named, offer, view

ORDINALS = ("first", "second", "third", "fourth", "fifth")


def money(kind: int, halves: int) -> str:
    """An amount: "12.5 CNY"."""
    return f"{bucks(halves)} {CURRENCIES[kind]}"


def sums(row: Iterable[int]) -> str:
    """Amounts of several currencies; "nothing" if there are none."""
    return listed([money(kind, n) for kind, n in enumerate(row) if n]) or "nothing"


def papers(number: int, kind: int) -> str:
    """ "1 CNY certificate", "3 CNY certificates", "no CNY certificate"."""
    return f"{number or 'no'} {CURRENCIES[kind]} certificate{'s' if number > 1 else ''}"


# --- the table ----------------------------------------------------------------------------------------------------------


def board(s: Any, seat: int, names: list[str]) -> str:
    """The table in lines of text, as a seat sees it, from a state hidden for it."""
    seen = view(s, seat)
    lines = ["Rates: what 1 buck of the stronger currency, at the left, is worth in the weaker one.", *_matrix(s)]
    at_end = [f"{name} (at the end of the track)" for name in seen["pays_nothing"]]
    if at_end:
        lines.append(f"Certificates that pay nothing now: {listed(at_end)}.")
    held = ", ".join(f"{name} {n}" for name, n in seen["held"].items())
    stock = ", ".join(f"{name} {n}" for name, n in seen["stock"].items())
    lines += [f"Certificates in hands: {held}. For sale: {stock}."]
    lines += [f"Queue: {'; '.join(_item(s, n, names) for n in s.queue[: s.queued]) or 'empty'}."]
    free = sum(one["use"] == "free" for one in seen["sets"])
    lines += [f"Free sets of contract cards: {free} of {s.contract_sets}."]
    for p, player in enumerate(seen["players"]):
        own = ", ".join(f"{n} {name}" for name, n in player["certificates"].items())
        owed = f" Owes {sums(s.debt[p])}." if player["loan"] else ""
        lines.append(
            f"{'* ' if p == s.turn else '  '}{names[p]}: {sums(s.money[p])}. Certificates: {own or 'none'}.{owed}"
            f" Worth {player['score']} {seen['strongest']['currency']}."
        )
    return "\n".join(lines)


def _matrix(s: Any) -> list[str]:
    lines = ["     " + "".join(f"{name:>6}" for name in CURRENCIES)]
    for one in range(KINDS):
        cells = "".join(
            f"{bucks(s.rates[s.scale[one][two] - 1]) if s.scale[one][two] > 0 else '.':>6}" for two in range(KINDS)
        )
        lines.append(f"{CURRENCIES[one]:<5}{cells}")
    return lines


def _item(s: Any, item: int, names: list[str]) -> str:
    if item == STACK:
        left = DIVIDENDS - s.dividend
        return f"dividends ({left} left, the next pays {s.dividends[s.dividend]})"
    seat = s.owner[item]
    if s.use[item] == LENT:
        return f"loan of {names[seat]}: owes {sums(s.debt[seat])}"
    terms = f"pays {money(s.pays[item], s.paid[item])}, receives {money(s.gets[item], s.got[item])}"
    return f"contract {LETTERS[item]} of {names[seat]}: {terms}"


# --- the log ------------------------------------------------------------------------------------------------------------


def masked(before: Any, seat: int, said: dict[str, Any], audience: int) -> dict[str, Any]:
    """A move as an audience may know it: everybody knows all of it."""
    return said


def told(before: Any, seat: int, said: dict[str, Any], after: Any, audience: int, names: list[str]) -> list[str]:
    """The sentences that an audience is told of a move, from the states before and after it as it may know them."""
    speak = Speaker(names, audience)
    do = said["do"]
    if do == "resolve":
        lines = _told_resolve(before.copy(), seat, speak)
    elif do == "strengthen":
        lines = _told_choice(before.copy(), seat, said, speak)
    elif do == "strongest":
        lines = [f"{speak.does(seat, 'name', 'names')} {said['currency']} the strongest currency."]
    else:
        lines = TELLERS[do](before, seat, said, after, speak)
    if after.phase == STRONGEST:
        tied = listed(named(after.choices))
        choose = speak.then(after.asking, "choose", "chooses")
        lines.append(f"{tied} are equally strong: {choose} which one counts as the strongest.")
    if after.phase == OVER:
        lines += _told_end(after, speak, tell_strongest=do != "strongest")
    return lines


def _told_spot(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    terms = f"{said['give'][1]} {said['give'][0]} for {said['get'][1]} {said['get'][0]}"
    return [f"{speak.does(seat, 'offer', 'offers')} {speak.whom(said['with'])} {terms}."]


def _told_agree(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    terms = offer(before)
    gives, gets = (f"{amount} {name}" for name, amount in (terms["get"], terms["give"]))
    return [f"{speak.does(seat, 'agree', 'agrees')} and {'swap' if seat == speak.audience else 'swaps'} {gives} for {gets}."]


def _told_refuse(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    return [f"{speak.does(seat, 'refuse', 'refuses')}."]


def _told_contract(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    letter = LETTERS[rules.free_set(before)]
    terms = f"to pay {said['pay'][1]} {said['pay'][0]} and receive {said['receive'][1]} {said['receive'][0]}"
    return [f"{speak.does(seat, 'sign', 'signs')} contract {letter}: {terms}."]


def _told_invest(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    kinds = [CURRENCIES.index(name) for name in said["in"]]
    paid = listed([money(kind, BUCK * before.price) for kind in kinds])
    names = listed(said["in"])
    strengthened = f"{names} {'is' if len(kinds) == 1 else 'are'} strengthened"
    return [f"{speak.does(seat, 'invest', 'invests')} in {names} for {paid}: {strengthened}."]


def _told_divest(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    kind, number = CURRENCIES.index(said["currency"]), said["count"]
    if number == 0:
        return [f"{speak.does(seat, 'keep', 'keeps')} {papers(before.certs[seat][kind], kind)}."]
    times = "once" if number == 1 else f"{number} times"
    got = money(kind, BUCK * before.sale * number)
    return [
        f"{speak.does(seat, 'sell', 'sells')} {papers(number, kind)} for {got}: {said['currency']} is weakened {times}."
    ]


TELLERS = {
    "spot": _told_spot, "agree": _told_agree, "refuse": _told_refuse, "contract": _told_contract, "invest": _told_invest,
    "divest": _told_divest,
}  # fmt: skip


def _told_resolve(s: Any, seat: int, speak: Speaker) -> list[str]:
    """The front item of the queue; the state is worked on."""
    front = s.queue[0]
    if front == STACK:
        return _told_dividend(s, seat, speak)
    owner = s.owner[front]
    what = f"{speak.whose(owner)} loan" if s.use[front] == LENT else f"contract {LETTERS[front]}"
    return [f"{speak.does(seat, 'resolve', 'resolves')} {what}.", _told_settling(s, front, speak)]


def _told_dividend(s: Any, seat: int, speak: Speaker) -> list[str]:
    """The top dividend card, and what it brings about; the state is worked on."""
    lines = _told_payment(s, seat, speak)
    rest, card, most = _set_aside(s), s.dividend, max(s.held)
    rules.pay_dividend(s)
    if s.phase == STRENGTHEN:
        why = "have most certificates in hands" if most else "tie, as nobody owns a certificate"
        choose = speak.then(seat, "choose", "chooses")
        return [*lines, f"{listed(named(s.choices))} {why}: {choose} which one is strengthened."]
    if most:
        lines.append(f"{CURRENCIES[s.held.index(most)]} has most certificates in hands ({most}) and is strengthened.")
    else:
        lines.append("Nobody owns a certificate: no currency is strengthened.")
    return lines + _told_final(s, card, rest, speak)


def _told_payment(s: Any, seat: int, speak: Speaker) -> list[str]:
    """Who receives what from the top dividend card."""
    pays = s.dividends[s.dividend]
    card = f"the {ORDINALS[s.dividend]} dividend card, which pays {pays or 'nothing'}"
    lines = [f"{speak.does(seat, 'resolve', 'resolves')} {card}."]
    if not pays:
        return lines
    nothing = collapsed(s)
    shares = []
    for p in range(s.players):
        row = [0 if name in nothing else BUCK * pays * n for name, n in zip(CURRENCIES, s.certs[p], strict=True)]
        if any(row):
            shares.append(f"{speak.then(p, 'receive', 'receives')} {sums(row)}")
    lines.append(f"{start('; '.join(shares))}." if shares else "Nobody receives anything.")
    silent = [name for name in nothing if s.held[CURRENCIES.index(name)]]
    if silent:
        lines.append(f"Certificates of {listed(silent)} pay nothing: a counter is on the 8 space.")
    return lines


def _told_choice(s: Any, seat: int, said: dict[str, Any], speak: Speaker) -> list[str]:
    """The currency chosen after a dividend; the state is worked on."""
    lines = [f"{speak.does(seat, 'choose', 'chooses')} {said['currency']}, which is strengthened."]
    return lines + _told_final(s, s.dividend, _set_aside(s), speak)


def _set_aside(s: Any) -> list[int]:
    """Take all items behind the dividends out of the queue."""
    rest = s.queue[1 : s.queued]
    s.queue = [STACK] + [NOBODY] * SETS
    s.queued = 1
    return rest


def _told_final(s: Any, card: int, rest: list[int], speak: Speaker) -> list[str]:
    """After the last dividend card: the rest of the queue, item by item; the state is worked on."""
    if card < DIVIDENDS - 1:
        return []
    s.queue = rest + [NOBODY] * (SETS + 1 - len(rest))
    s.queued = len(rest)
    lines = ["That was the last dividend card: there are no more turns, and the queue is resolved to its end."]
    while s.queued and s.bankrupt == NOBODY:
        lines.append(_told_settling(s, s.queue[0], speak))
    return lines


def _told_settling(s: Any, item: int, speak: Speaker) -> str:
    """What becomes of a contract or a loan at the front; the state is worked on."""
    seat = s.owner[item]
    you = seat == speak.audience
    able, had, was = can_settle(s, item), s.loan[seat] != NOBODY, sums(s.debt[seat])
    if s.use[item] == LENT:
        rules.settle(s, item)
        if able:
            return f"{speak.does(seat, 'pay', 'pays')} back the loan of {was}."
        return f"{speak.does(seat, 'cannot', 'cannot')} pay back the loan of {was} and {'are' if you else 'is'} bankrupt."
    pay, receive = money(s.pays[item], s.paid[item]), money(s.gets[item], s.got[item])
    owed = money(s.pays[item], s.paid[item] + BUCK * s.surcharge)
    rules.settle(s, item)
    receives = f"{'receive' if you else 'receives'} {receive}"
    if able:
        return f"{speak.does(seat, 'pay', 'pays')} {pay} and {receives}."
    verb = f"{speak.does(seat, 'cannot', 'cannot')} pay {pay}, {receives} all the same"
    if had:
        return f"{verb}, and {owed} is added to the loan, which is {sums(s.debt[seat])} now."
    return f"{verb}, and {'owe' if you else 'owes'} a loan of {owed}."


def _told_end(after: Any, speak: Speaker, tell_strongest: bool) -> list[str]:
    """How the match ended."""
    seen = view(after, speak.audience)
    strongest = seen["strongest"]["currency"]
    lines = [f"The strongest currency is {strongest}."] if tell_strongest else []
    points = [player["score"] for player in seen["players"]]
    shown = "; ".join(f"{speak.names[p]} {points[p]}" for p in range(after.players))
    lines.append(f"The match is over. All money in {strongest}: {shown}.")
    first = seen["winners"]
    best = [p for p in range(after.players) if points[p] == points[first[0]] and not _excluded(after, p)]
    if len(first) < len(best):
        held = after.certs[first[0]][after.strongest]
        who = listed([speak.whom(p) for p in first])
        lines.append(f"More certificates of {strongest} decide: {who} with {held}.")
    shared = f"{start(listed([speak.whom(p) for p in first]))} share the victory"
    why = "; a bankrupt player cannot" if after.bankrupt != NOBODY and _excluded(after, after.bankrupt) else ""
    lines.append(f"{speak.does(first[0], 'win', 'wins') if len(first) == 1 else shared}{why}.")
    return lines


def _excluded(s: Any, seat: int) -> bool:
    return bool(seat == s.bankrupt and s.bankrupt_excluded)


def start(words: str) -> str:
    """As the beginning of a sentence."""
    return words[:1].upper() + words[1:]


# --- the question -------------------------------------------------------------------------------------------------------


def question(s: Any, seat: int, names: list[str]) -> str:
    """What is being decided, for one seat (−1: a spectator), in one sentence."""
    if s.phase == OVER:
        return "The match is over."
    speak = Speaker(names, seat)
    mine = seat == s.asking
    if s.phase == TURN:
        return _turn_question(s, seat) if mine else f"{names[s.turn]} chooses an action."
    if s.phase == REPLY:
        terms = offer(s)
        gives, gets = (f"{amount} {name}" for name, amount in (terms["give"], terms["get"]))
        if mine:
            return f"{names[s.turn]} offers you {gives} for {gets}: agree or refuse."
        return f"{speak.does(s.turn, 'offer', 'offers')} {names[s.asking]} {gives} for {gets}; {names[s.asking]} answers."
    if s.phase == DIVESTING:
        if mine:
            own = s.certs[seat][s.give]
            return f"You may sell {'your' if own == 1 else 'any of your'} {papers(own, s.give)} too, for {s.sale} each."
        return f"{names[s.asking]} decides how many {CURRENCIES[s.give]} certificates to sell too."
    tied = listed(named(s.choices), "or")
    if s.phase == STRENGTHEN:
        if mine:
            return f"The dividend strengthens one of the tied currencies: choose {tied}."
        return f"{names[s.asking]} chooses which currency the dividend strengthens: {tied}."
    if mine:
        return f"The strongest currency is tied: choose {tied}; all money is converted to it."
    return f"{names[s.asking]} chooses the strongest currency: {tied}."


def _turn_question(s: Any, seat: int) -> str:
    actions = []
    if any(rules.can_buy(s, seat, kind) for kind in range(KINDS)):
        actions.append("invest")
    if any(s.certs[seat]):
        actions.append("divest")
    if rules.free_set(s) != NOBODY:
        actions.append("sign a contract")
    actions.append(f"resolve {_front(s)}")
    spot = ""
    if rules.may_offer(s) and any(rules.spot_with(s, seat, p) for p in range(s.players) if p != seat):
        spot = "; before that you may offer a spot transaction"
    return f"Your turn: {listed(actions, 'or')}{spot}."


def _front(s: Any) -> str:
    item = s.queue[0]
    if item == STACK:
        return f"the {ORDINALS[s.dividend]} dividend"
    return "a loan" if s.use[item] == LENT else f"contract {LETTERS[item]}"
