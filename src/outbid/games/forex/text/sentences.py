"""What a seat is told of For-Ex: the board, the log and the question of the moment in words. Plain Python.

Made from states already hidden for the audience; these functions never see more. What the rules do by themselves is told
by doing it once more, item by item, on a copy of the state before the move.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from outbid.core.language.i18n import N_
from outbid.core.hooks.outcome import NOBODY, Outcome, Side
from outbid.core.language.phrases import Speaker, capitalized, decimal, listed, teller
from outbid.games.forex import rules
from outbid.games.forex.state import (
    BUCK, CURRENCIES, DIVESTING, KINDS, LENT, OVER, REPLY, SETS, STACK, STRENGTHEN, STRONGEST, TURN,
)
from outbid.games.forex.text import _, ngettext
from outbid.games.forex.text.views import LETTERS, bucks, can_settle, collapsed, named, offer, valued, view

# the dividend cards
ORDINALS = (N_("first"), N_("second"), N_("third"), N_("fourth"), N_("fifth"))
# what one may do in a turn, and what else moves are
SPOT, INVEST, DIVEST, SIGN = (N_("offer a spot transaction"), N_("invest"), N_("divest"), N_("sign a contract"))
VERBS = {
    "spot": SPOT,
    "agree": N_("agree"),
    "refuse": N_("refuse"),
    "contract": SIGN,
    "invest": INVEST,
    "divest": DIVEST,
    "resolve": N_("resolve"),
    "strengthen": N_("strengthen"),
    "strongest": N_("name the strongest"),
}

LABEL = 16  # characters of a name in the table


def figure(amount: float) -> str:
    """Bucks as they are said: "3.5", in German "3,5"."""
    return decimal(str(amount))


def figures(amounts: Mapping[str, float]) -> dict[str, str]:
    """Amounts by currency, as they are said."""
    return {name: figure(n) for name, n in amounts.items()}


def track(s: Any) -> list[str]:
    """The rates of a track, space by space, as they are said."""
    return [figure(bucks(halves)) for halves in s.rates]


def grid(s: Any) -> list[tuple[str, list[tuple[int, str, str]]]]:
    """The rates for a table, a row for each currency: in each column the space, the rate, and what more there is to say.

    The space is negative where the currency of the column is the stronger: no rate is said there."""
    rates = track(s)
    middle = _("1 {one} = {rate} {two}. If {one} gains a space: {up}; if {two} gains one: {down}.")
    first = _(
        "1 {one} = {rate} {two}. If {one} gains a space: {up}; if {two} gains one: still 1, and {two} is the stronger."
    )
    last = _("1 {one} = {rate} {two}. This is the end of the track; if {two} gains one: {down}.")
    weaker = _("{one} is weaker than {two}")
    rows = []
    kinds = CURRENCIES[: s.currencies]
    for row_name, row in zip(kinds, s.scale, strict=False):
        cells: list[tuple[int, str, str]] = []
        for two, place in zip(kinds, row, strict=False):
            if place <= 0:
                cells.append((place, "", weaker.format(one=row_name, two=two) if place else ""))
                continue
            more = first if place == 1 else middle if place < s.track else last
            rate, up, down = rates[place - 1], rates[place] if place < s.track else "", rates[place - 2]
            cells.append((place, rate, more.format(one=row_name, two=two, rate=rate, up=up, down=down)))
        rows.append((row_name, cells))
    return rows


def rate(pair: Mapping[str, Any]) -> str:
    """A pair of the view: "1 GBP = 3.5 CNY"."""
    return f"1 {pair['stronger']} = {figure(pair['rate'])} {pair['weaker']}"


def terms(amount: Sequence[Any]) -> str:
    """An amount of a record: "12.5 CNY"."""
    return f"{figure(amount[1])} {amount[0]}"


def money(kind: int, halves: int) -> str:
    """An amount of half-bucks as it is said: "12.5 CNY"."""
    return f"{figure(bucks(halves))} {CURRENCIES[kind]}"


def sums(row: Iterable[int]) -> str:
    """Amounts of several currencies; "nothing" if there are none."""
    return listed([money(kind, n) for kind, n in enumerate(row) if n]) or _("nothing")


def measured(strongest: Mapping[str, Any]) -> str:
    """The strongest currency of a view: "GBP", or "GBP (tied with EUR)"."""
    currency = strongest["currency"]
    others = [name for name in strongest["tied"] if name != currency]
    return _("{currency} (tied with {others})", currency=currency, others=listed(others)) if others else str(currency)


def papers(number: int, kind: int) -> str:
    """ "1 CNY certificate", "3 CNY certificates", "no CNY certificate"."""
    if not number:
        return _("no {currency} certificate", currency=CURRENCIES[kind])
    return ngettext("{n} {currency} certificate", "{n} {currency} certificates", number, currency=CURRENCIES[kind])


# --- the table ----------------------------------------------------------------------------------------------------------


def board(s: Any, seat: int, names: list[str]) -> str:
    """The table in lines of text, as a seat sees it, from a state hidden for it."""
    seen = view(s, seat)
    lines = [_("Rates: 1 buck of the stronger currency (left) in the weaker one."), *_matrix(s)]
    at_end = [_("{currency} (at the end of the track)", currency=name) for name in seen["pays_nothing"]]
    if at_end:
        lines.append(_("Certificates that pay nothing now: {currencies}.", currencies=listed(at_end)))
    lines.append(_("Bucks + certificates, and their worth in {currency}:", currency=measured(seen["strongest"])))
    lines += _holdings(s, seen, names)
    indebted = [p for p, player in enumerate(seen["players"]) if player["loan"]]
    lines += [_("{who} owes {sums}.", who=names[p], sums=sums(s.debt[p])) for p in indebted]
    lines.append(_("Queue: {items}.", items=";  ".join(_item(s, n, names) for n in s.queue[: s.queued]) or _("empty")))
    free = sum(cards["use"] == "free" for cards in seen["sets"])
    lines.append(_("Free sets of contract cards: {free} of {all}.", free=free, all=s.contract_sets))
    return "\n".join(lines)


def _holdings(s: Any, seen: Mapping[str, Any], names: list[str]) -> list[str]:
    """A row for each player: bucks and certificates by currency, and their worth; then the certificates of all."""
    kinds = CURRENCIES[: s.currencies]
    rows = [("", [*kinds, ""])]
    for p, player in enumerate(seen["players"]):
        own = player["certificates"]
        cells = [
            figure(bucks(s.money[p][kind])) + (f"+{own[name]}" if own.get(name) else "") for kind, name in enumerate(kinds)
        ]
        rows.append((f"{'*' if p == s.turn else ' '} {names[p]}", [*cells, f"={figure(player['score'])}"]))
    for title, papers_of in ((_("in hands"), seen["held"]), (_("for sale"), seen["stock"])):
        rows.append((f"  {title}", [*(f"+{papers_of[name]}" for name in kinds), ""]))
    wide = min(max(len(name) for name, _cells in rows), LABEL)
    each = max(len(cell) for _name, cells in rows for cell in cells) + 2
    return [(f"{name[:wide]:<{wide}}" + "".join(f"{cell:>{each}}" for cell in cells)).rstrip() for name, cells in rows]


def _matrix(s: Any) -> list[str]:
    kinds = range(s.currencies)
    lines = ["     " + "".join(f"{CURRENCIES[kind]:>6}" for kind in kinds)]
    for row in kinds:
        cells = "".join(
            f"{figure(bucks(s.rates[s.scale[row][other] - 1])) if s.scale[row][other] > 0 else '.':>6}" for other in kinds
        )
        lines.append(f"{CURRENCIES[row]:<5}{cells}")
    return lines


def _item(s: Any, item: int, names: list[str]) -> str:
    if item == STACK:
        left = s.dividend_cards - s.dividend
        return _("dividends ({left} left, the next pays {pays})", left=left, pays=s.dividends[s.dividend])
    name = names[s.owner[item]]
    if s.use[item] == LENT:
        return _("loan of {owner}: owes {sums}", owner=name, sums=sums(s.debt[s.owner[item]]))
    pay, receive = money(s.pays[item], s.paid[item]), money(s.gets[item], s.got[item])
    facts = {"letter": LETTERS[item], "owner": name, "pay": pay, "receive": receive}
    return _("contract {letter} of {owner}: pays {pay}, receives {receive}", **facts)


# --- the log ------------------------------------------------------------------------------------------------------------


# what happened: said to the player it is about, and to others
TOLD = {
    "strongest": (N_("You name {currency} the strongest currency."), N_("{who} names {currency} the strongest currency.")),
    "tied": (N_("{tied} are equally strong: you choose which one counts as the strongest."),
             N_("{tied} are equally strong: {who} chooses which one counts as the strongest.")),
    "spot": (N_("You offer {partner:you} {give} for {get}."), N_("{who} offers {partner:you} {give} for {get}.")),
    "agree": (N_("You agree and swap {give} for {get}."), N_("{who} agrees and swaps {give} for {get}.")),
    "refuse": (N_("You refuse."), N_("{who} refuses.")),
    "contract": (N_("You sign contract {letter}: to pay {pay} and receive {receive}."),
                 N_("{who} signs contract {letter}: to pay {pay} and receive {receive}.")),
    "invest": (N_("You invest in {names} for {paid}: {names} is strengthened."),
               N_("{who} invests in {names} for {paid}: {names} is strengthened.")),
    "invest twice": (N_("You invest in {names} for {paid}: {names} are strengthened."),
                     N_("{who} invests in {names} for {paid}: {names} are strengthened.")),
    "keep": (N_("You keep {certificates}."), N_("{who} keeps {certificates}.")),
    "divest": (N_("You sell {certificates} for {got}: {currency} is weakened once."),
               N_("{who} sells {certificates} for {got}: {currency} is weakened once.")),
    "divest more": (N_("You sell {certificates} for {got}: {currency} is weakened {times} times."),
                    N_("{who} sells {certificates} for {got}: {currency} is weakened {times} times.")),
    "resolve loan": (N_("You resolve {owner:your} loan."), N_("{who} resolves {owner:your} loan.")),
    "resolve contract": (N_("You resolve contract {letter}."), N_("{who} resolves contract {letter}.")),
    "resolve dividend": (N_("You resolve the {nth} dividend card, which pays {pays}."),
                         N_("{who} resolves the {nth} dividend card, which pays {pays}.")),
    "resolve nothing": (N_("You resolve the {nth} dividend card, which pays nothing."),
                        N_("{who} resolves the {nth} dividend card, which pays nothing.")),
    "most tied": (N_("{tied} have the most certificates in hand: you choose which one is strengthened."),
                  N_("{tied} have the most certificates in hand: {who} chooses which one is strengthened.")),
    "none tied": (N_("{tied} tie, as nobody owns a certificate: you choose which one is strengthened."),
                  N_("{tied} tie, as nobody owns a certificate: {who} chooses which one is strengthened.")),
    "share": (N_("you receive {sums}"), N_("{who} receives {sums}")),
    "strengthen": (N_("You choose {currency}, which is strengthened."),
                   N_("{who} chooses {currency}, which is strengthened.")),
    "repay": (N_("You pay back the loan of {debt}."), N_("{who} pays back the loan of {debt}.")),
    "ruin": (N_("You cannot pay back the loan of {debt} and are bankrupt."),
             N_("{who} cannot pay back the loan of {debt} and is bankrupt.")),
    "settle": (N_("You pay {pay} and receive {receive}."), N_("{who} pays {pay} and receives {receive}.")),
    "lend": (N_("You cannot pay {pay}, receive {receive} all the same, and owe a loan of {owed}."),
             N_("{who} cannot pay {pay}, receives {receive} all the same, and owes a loan of {owed}.")),
    "lend more": (
        N_("You cannot pay {pay}, receive {receive} all the same, and {owed} is added to the loan, which is {debt} now."),
        N_("{who} cannot pay {pay}, receives {receive} all the same, and {owed} is added to the loan, which is {debt} now."),
    ),
    "win": (N_("You win."), N_("{who} wins.")),
    "win alone": (N_("You win; a bankrupt player cannot."), N_("{who} wins; a bankrupt player cannot.")),
}  # fmt: skip
line = teller(_, TOLD)


def told(before: Any, seat: int, move: dict[str, Any], after: Any, audience: int, names: list[str]) -> list[str]:
    """The sentences that an audience is told of a move, from the states before and after it as it may know them."""
    speak = Speaker(names, audience)
    lines = TELLERS[move["do"]](before, seat, move, after, speak)
    if after.phase == STRONGEST:
        lines.append(line(speak, after.asking, "tied", tied=listed(named(after.choices))))
    if after.phase == OVER:
        lines += _told_end(after, speak, tell_strongest=move["do"] != "strongest")
    return lines


def _told_agree(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    waiting = offer(before)
    text = line(speak, seat, "agree", give=terms(waiting["get"]), get=terms(waiting["give"]))
    sides = [
        Side(party, _drawn(laid[0]), terms(laid)) for party, laid in ((before.turn, waiting["give"]), (seat, waiting["get"]))
    ]
    net = _net(before, after, speak.audience, after) if speak.audience in (before.turn, seat) else ""
    return [Outcome(text, "coin", *sides, net=net, crosses=True)]


def _told_refuse(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    """A refusal, which concerns whoever has made the offer."""
    give = offer(before)["give"]
    side = Side(before.turn, _drawn(give[0]), terms(give))
    net = _("nothing changes") if speak.audience == before.turn else ""
    return [Outcome(line(speak, seat, "refuse"), "card", side, net=net)]


def _net(before: Any, after: Any, seat: int, shown: Any) -> str:
    """What a seat's money is worth before and after, at the rates and in the strongest currency of what is shown then."""
    target, states = rules.measure(shown), (shown.copy(), shown.copy())
    for state, then in zip(states, (before, after), strict=True):
        state.money = then.money
    was, now = (valued(state, target) for state in states)
    return worth(was[seat], now[seat], CURRENCIES[target], share(now, seat))


def worth(before: int, after: int, currency: str, part: int) -> str:
    """A clause that is said to a player: what their money is worth in a currency, and how many percent of all money."""
    if before == after:
        return _("your worth stays {worth} {currency}, {part}% of all", worth=after, currency=currency, part=part)
    return _("your worth {before} → {after} {currency}, {part}% of all",
             before=before, after=after, currency=currency, part=part)  # fmt: skip


def share(points: Sequence[int], seat: int) -> int:
    """How many percent of all points a seat has, halves upwards."""
    whole = max(1, sum(points))
    return (200 * points[seat] + whole) // (2 * whole)


def _drawn(kind: str) -> tuple[tuple[str, int], ...]:
    """A note of a currency, as a card of the outcome draws it."""
    return ((f"note:forex-{kind}", 1),)


def _told_invest(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    paid = listed([money(CURRENCIES.index(name), BUCK * before.price) for name in move["in"]])
    key = "invest" if len(move["in"]) == 1 else "invest twice"
    return [line(speak, seat, key, names=listed(move["in"]), paid=paid)]


def _told_divest(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    kind, number = CURRENCIES.index(move["currency"]), move["count"]
    if number == 0:
        return [line(speak, seat, "keep", certificates=papers(before.certs[seat][kind], kind))]
    sold = {"certificates": papers(number, kind), "got": money(kind, BUCK * before.sale * number), "times": number}
    return [line(speak, seat, "divest" if number == 1 else "divest more", currency=move["currency"], **sold)]


def _told_resolve(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    """The front item of the queue."""
    s = before.copy()
    front = s.queue[0]
    if front == STACK:
        return _told_dividend(s, seat, speak, after)
    if s.use[front] == LENT:
        first = line(speak, seat, "resolve loan", owner=speak.people(s.owner[front]))
    else:
        first = line(speak, seat, "resolve contract", letter=LETTERS[front])
    return [first, _told_settling(s, front, speak)]


def _told_strengthen(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    """The currency chosen after a dividend."""
    s = before.copy()
    lines = [line(speak, seat, "strengthen", currency=move["currency"])]
    return lines + _told_final(s, s.dividend, _set_aside(s), speak)


TELLERS = {
    "spot": lambda before, seat, move, after, speak: [
        line(speak, seat, "spot", partner=speak.people(move["with"]), give=terms(move["give"]), get=terms(move["get"]))],
    "contract": lambda before, seat, move, after, speak: [
        line(speak, seat, "contract", letter=LETTERS[rules.free_set(before)], pay=terms(move["pay"]),
             receive=terms(move["receive"]))],
    "strongest": lambda before, seat, move, after, speak: [line(speak, seat, "strongest", currency=move["currency"])],
    "agree": _told_agree, "refuse": _told_refuse, "invest": _told_invest, "divest": _told_divest, "resolve": _told_resolve,
    "strengthen": _told_strengthen,
}  # fmt: skip


def _told_dividend(s: Any, seat: int, speak: Speaker, after: Any) -> list[str]:
    """The top dividend card, and what it brings about; the state is worked on."""
    lines = _told_payment(s, seat, speak, after)
    rest, card, most = _set_aside(s), s.dividend, max(s.held)
    rules.pay_dividend(s)
    if s.phase == STRENGTHEN:
        return [*lines, line(speak, seat, "most tied" if most else "none tied", tied=listed(named(s.choices)))]
    if most:
        facts = {"currency": CURRENCIES[s.held.index(most)], "most": most}
        lines.append(_("{currency} has the most certificates in hand ({most}) and is strengthened.", **facts))
    else:
        lines.append(_("Nobody owns a certificate: no currency is strengthened."))
    return lines + _told_final(s, card, rest, speak)


def _told_payment(s: Any, seat: int, speak: Speaker, after: Any) -> list[str]:
    """Who receives what from the top dividend card."""
    pays = s.dividends[s.dividend]
    key = "resolve dividend" if pays else "resolve nothing"
    lines = [line(speak, seat, key, nth=_(ORDINALS[s.dividend]), pays=pays)]
    if not pays:
        return lines
    nothing = collapsed(s)
    shares: list[str] = []
    sides: list[Side] = []
    paid = s.copy()
    for p in range(s.players):
        row = [0 if name in nothing else BUCK * pays * n for name, n in zip(CURRENCIES, s.certs[p], strict=True)]
        if any(row):
            shares.append(line(speak, p, "share", sums=sums(row)))
            notes = tuple((f"note:forex-{kind}", 1) for kind, n in zip(CURRENCIES, row, strict=True) if n)
            sides.append(Side(p, notes, sums(row)))
            for kind, n in enumerate(row):
                paid.money[p][kind] += n
    if shares:
        net = _net(s, paid, speak.audience, after) if speak.audience in {side.seat for side in sides} else ""
        lines = [Outcome(lines[0], "coin", *sides, net=net), f"{capitalized('; '.join(shares))}."]
    else:
        lines.append(_("Nobody receives anything."))
    silent = [name for name in nothing if s.held[CURRENCIES.index(name)]]
    if silent:
        text = _("Certificates of {currencies} pay nothing: a counter is on the 8 space.", currencies=listed(silent))
        lines.append(text)
    return lines


def _set_aside(s: Any) -> list[int]:
    """Take all items behind the dividends out of the queue."""
    rest = s.queue[1 : s.queued]
    s.queue = [STACK] + [NOBODY] * SETS
    s.queued = 1
    return rest


def _told_final(s: Any, card: int, rest: list[int], speak: Speaker) -> list[str]:
    """After the last dividend card: the rest of the queue, item by item; the state is worked on."""
    if card < s.dividend_cards - 1:
        return []
    s.queue = rest + [NOBODY] * (SETS + 1 - len(rest))
    s.queued = len(rest)
    lines = [_("That was the last dividend card: there are no more turns, and the queue is resolved to its end.")]
    while s.queued and s.bankrupt == NOBODY:
        lines.append(_told_settling(s, s.queue[0], speak))
    return lines


def _told_settling(s: Any, item: int, speak: Speaker) -> str:
    """What becomes of a contract or a loan at the front; the state is worked on."""
    seat = s.owner[item]
    able, had, was = can_settle(s, item), s.loan[seat] != NOBODY, sums(s.debt[seat])
    if s.use[item] == LENT:
        debt = s.debt[seat].copy()
        notes = tuple(drawn for kind, n in zip(CURRENCIES, debt, strict=False) if n for drawn in _drawn(kind))
        due = s.copy()
        rules.settle(s, item)
        net = _net(due, s, seat, s) if able and seat == speak.audience else ""
        side = Side(seat, notes, was if able else f"−{was}")
        return Outcome(line(speak, seat, "repay" if able else "ruin", debt=was), "coin", side, net=net)
    facts = {
        "pay": money(s.pays[item], s.paid[item]),
        "receive": money(s.gets[item], s.got[item]),
        "owed": money(s.pays[item], s.paid[item] + BUCK * s.surcharge),
    }
    paid = Side(seat, _drawn(CURRENCIES[s.pays[item]]), facts["pay"]) if able else Side(seat)
    received = Side(NOBODY, _drawn(CURRENCIES[s.gets[item]]), facts["receive"], _("The bank"))
    due = s.copy()
    rules.settle(s, item)
    key = "settle" if able else "lend more" if had else "lend"
    net = _net(due, s, seat, s) if able and seat == speak.audience else ""
    text = line(speak, seat, key, debt=sums(s.debt[seat]), **facts)
    return Outcome(text, "coin", paid, received, net=net, crosses=True)


def _told_end(after: Any, speak: Speaker, tell_strongest: bool) -> list[str]:
    """Tell how the match ended: the strongest currency, all points, who has won and why."""
    seen = view(after, speak.audience)
    strongest = seen["strongest"]["currency"]
    lines = [_("The strongest currency is {currency}.", currency=strongest)] if tell_strongest else []
    points = [player["score"] for player in seen["players"]]
    shown = "; ".join(f"{speak.people(p)} {points[p]}" for p in range(after.players))
    lines.append(_("The match is over. All money in {currency}: {points}.", currency=strongest, points=shown))
    first = seen["winners"]
    best = [p for p in range(after.players) if points[p] == points[first[0]] and not _excluded(after, p)]
    if len(first) < len(best):
        facts = {"currency": strongest, "who": speak.people(*first), "held": after.certs[first[0]][after.strongest]}
        lines.append(_("More certificates of {currency} decide: {who:you} with {held}.", **facts))
    lines.append(_told_victory(first, after.bankrupt != NOBODY and _excluded(after, after.bankrupt), speak))
    return lines


def _told_victory(first: list[int], barred: bool, speak: Speaker) -> str:
    """Who has won; and that somebody bankrupt cannot, if there is one."""
    if len(first) == 1:
        return line(speak, first[0], "win alone" if barred else "win")
    who = speak.people(*first)
    if speak.audience not in first:
        if barred:
            return _("{who} share the victory; a bankrupt player cannot.", who=who)
        return _("{who} share the victory.", who=who)
    if barred:
        return capitalized(_("{who:you} share the victory; a bankrupt player cannot.", who=who))
    return capitalized(_("{who:you} share the victory.", who=who))


def _excluded(s: Any, seat: int) -> bool:
    return bool(seat == s.bankrupt and s.bankrupt_excluded)




# --- the question -------------------------------------------------------------------------------------------------------


def question(s: Any, seat: int, names: list[str]) -> str:
    """What is being decided while the match lasts, for one seat (−1: a spectator), in one sentence."""
    mine, asked = seat == s.asking, names[s.asking]
    if s.phase == TURN:
        return _turn_question(s, seat) if mine else _("{who} chooses an action.", who=names[s.turn])
    if s.phase == REPLY:
        waiting = offer(s)
        sides = {"give": terms(waiting["give"]), "get": terms(waiting["get"])}
        if mine:
            return _("{who} offers you {give} for {get}: agree or refuse.", who=names[s.turn], **sides)
        return Speaker(names, seat)(
            s.turn,
            _("You offer {partner} {give} for {get}; {partner} answers."),
            _("{who} offers {partner} {give} for {get}; {partner} answers."),
            partner=asked, **sides,
        )  # fmt: skip
    if s.phase == DIVESTING:
        if mine:
            return ngettext(
                "You may sell your {currency} certificate too, for {price}.",
                "You may sell any of your {n} {currency} certificates too, for {price} each.",
                s.certs[seat][s.give], currency=CURRENCIES[s.give], price=s.sale,
            )  # fmt: skip
        return _("{who} decides how many {currency} certificates to sell too.", who=asked, currency=CURRENCIES[s.give])
    tied, n = listed(named(s.choices), "or"), len(named(s.choices))
    many = n > 3  # the choices name them
    if s.phase == STRENGTHEN:
        if mine and many:
            return _("The dividend strengthens one of {n} tied currencies: choose which.", n=n)
        if mine:
            return _("The dividend strengthens one of the tied currencies: choose {tied}.", tied=tied)
        return _("{who} chooses which currency the dividend strengthens: {tied}.", who=asked, tied=tied)
    if mine and many:
        return _("{n} currencies are the strongest: choose one; all money is converted to it.", n=n)
    if mine:
        return _("The strongest currency is tied: choose {tied}; all money is converted to it.", tied=tied)
    return _("{who} chooses the strongest currency: {tied}.", who=asked, tied=tied)


def _turn_question(s: Any, seat: int) -> str:
    actions = []
    if any(rules.can_buy(s, seat, kind) for kind in range(KINDS)):
        actions.append(_(INVEST))
    if any(s.certs[seat]):
        actions.append(_(DIVEST))
    if rules.free_set(s) != NOBODY:
        actions.append(_(SIGN))
    actions.append(_resolving(s))
    choices = listed(actions, "or")
    return _("Your turn: {actions}.", actions=choices)


def _resolving(s: Any) -> str:
    item = s.queue[0]
    if item == STACK:
        return _("resolve the {nth} dividend", nth=_(ORDINALS[s.dividend]))
    return _("resolve a loan") if s.use[item] == LENT else _("resolve contract {letter}", letter=LETTERS[item])


def front(s: Any, speak: Speaker) -> str:
    """The front of the queue, for a hint or in a sentence."""
    item = s.queue[0]
    if item == STACK:
        return _("dividend {n}, which pays {pays}", n=s.dividend + 1, pays=s.dividends[s.dividend])
    owner = s.owner[item]
    if s.use[item] == LENT:
        return _("your loan") if speak.about(owner) else _("{owner}’s loan", owner=speak.people(owner))
    if owner == speak.audience:
        return _("your contract {letter}", letter=LETTERS[item])
    return _("{owner}’s contract {letter}", owner=speak.people(owner), letter=LETTERS[item])
