"""For-Ex in words: deals and moves as records have them, menus, forms and previews. Plain Python.

`steps` and `move` translate between a move as a player says it and the action ids of rules.py. What is seen and told is
in the modules of text/; the engine and the tables know this module only.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from outbid.core.language.i18n import N_
from outbid.core.deals import Lot, check_keys, check_start, draws, named, read
from outbid.core.errors import BadSetup, Illegal, Unreadable
from outbid.core.menu import Choice
from outbid.core.moves import WHOLE, MoveField, LongMove, LongMoves, checker, number
from outbid.core.language.phrases import Mover, listed
from outbid.games.forex import rules
from outbid.games.forex.hooks.lexicon import lexicon
from outbid.games.forex.text.reasons import reason
from outbid.games.forex.text.sentences import (
    VERBS, board, figure, figures, front, grid, measured, money, question, rate, share, sums, terms, told, track,
    worth,
)
from outbid.games.forex.state import (
    AGREE, ANY, BUCK, CONTRACT, COUNT, CURRENCIES, CURRENCY, DIVEST, DIVESTING, DONE, INVEST, KINDS, NOBODY, OVER, REFUSE,
    REPLY, RESOLVE, SPOT, STRENGTHEN, STRONGEST, TURN,
)
from outbid.games.forex.text import _, ngettext
from outbid.games.forex.text.views import bucks, counted, exchange, item, pairs, purse, spot, strongest, units, valued, view

__all__ = [
    "CURRENCIES", "EXPECTED", "becomes", "becoming", "board", "bucks", "canonical", "complete", "deal_of", "deals",
    "figure", "figures", "front", "grid", "lexicon", "listed", "load", "measured", "menu", "merged", "move",
    "outlook", "parse", "preview", "question", "rate", "reason", "share", "steps", "sums", "terms", "text", "told", "track",
    "view",
]  # fmt: skip

check = checker(_)

NAMES = ", ".join(CURRENCIES)
MOST = 10**9  # no amount is near it
NO_MOVE = N_("{move!r} is not a move of this game; the moves are {moves}.")
NOTHING_SAID = N_('Nothing was said; a move is, for example, "resolve" or "invest CNY CAD".')
NOT_A_CURRENCY = N_("{value!r} is not a currency; the currencies are {known}.")
OWNS = N_("{who:You own|Seat {who} owns} {own}, not {amount}.")
NO_SWAP_OF_STRONGER = N_("A spot transaction is for 1 buck of the stronger currency, and 1 {strong} stands at {rate}, "
                         "so not {give} for {get}.")
NO_SWAP = N_("A spot transaction is for 1 buck of one currency and its equivalent, in half-bucks, of the other, "
             "and 1 {strong} stands at {rate}, so not {give} for {get}.")
NO_AMOUNTS = N_('{line!r} does not name two amounts; it is, for example, "{example}".')
NO_SEAT = N_('{line!r} names no seat; a spot offer is, for example, "{example}".')
NO_INVESTMENT = N_('{line!r} names no currency; an investment is, for example, "invest CNY CAD".')
NO_DIVESTMENT = N_('{line!r} names no number and currency; a divestment is, for example, "divest 2 CNY".')
NO_CURRENCY = N_('{line!r} names no currency; it is, for example, "{do} CNY".')

# --- deals ------------------------------------------------------------------------------------------------------------

REMOVED = Lot(
    "removed", N_("The deal's removed is {value!r}; it must be a list of currencies."),
    CURRENCIES, N_("The deal removes {value!r}, which is no currency; the currencies are {known}."),
    lambda n, **facts: ngettext(
        "The deal removes {n} certificate; it must remove {size}.",
        "The deal removes {n} certificates; it must remove {size}.", n, **facts),
)  # fmt: skip


def deal_of(s: Any) -> dict[str, Any]:
    """The deal of a fresh match, as a record writes it."""
    names = CURRENCIES[: s.currencies]
    removed = [name for kind, name in enumerate(names) for _ in range(s.certificates - s.stock[kind])]
    return {"start": s.turn, "removed": removed}


def load(s: Any, players: int, deal: Any) -> None:
    """Set a given deal. Raises BadSetup naming the key and what is wrong with it."""
    check_keys(deal, ("start", "removed"))
    start = check_start(deal["start"], players, s.fixed_start)
    names, size = CURRENCIES[: s.currencies], min(s.removed_certificates, s.currencies * s.certificates)
    (removed,) = read(_, deal, players, (REMOVED._replace(known=names), size))
    have = Counter(removed)
    for kind, name in enumerate(names):
        if have[name] > s.certificates:
            raise BadSetup(
                ngettext(
                    "The deal removes {n} certificate of {name}; there may be at most {most}.",
                    "The deal removes {n} certificates of {name}; there may be at most {most}.",
                    have[name], name=name, most=s.certificates,
                )
            )  # fmt: skip
        s.stock[kind] = s.certificates - have[name]
    rules.begin(s, players, start)


def deals(s: Any, players: int) -> Iterator[tuple[dict[str, Any], Fraction]]:
    """Every deal there can be, with its chance: who begins, and the removed certificates."""
    counts = [s.certificates] * s.currencies
    starts = 1 if s.fixed_start else players
    for removed, chance in draws(counts, min(s.removed_certificates, sum(counts))):
        for first in range(starts):
            yield {"start": first, "removed": named(removed, CURRENCIES[: s.currencies])}, chance / starts


def merged(s: Any, deal: dict[str, Any]) -> dict[str, Any]:
    """The deal of `deals` that plays like this one."""
    return {**deal, "removed": sorted(deal["removed"], key=CURRENCIES.index)}


# --- moves ------------------------------------------------------------------------------------------------------------

def _name_steps(s: Any, seat: int, currency: str) -> list[int]:
    kind = CURRENCIES.index(currency)
    check(s.choices >> kind & 1, N_("{currency} is not among the tied currencies."), currency=currency)
    return [CURRENCY + kind]


def _kind(name: Any) -> int:
    """The number of a named currency."""
    if not isinstance(name, str) or name not in CURRENCIES:
        raise Unreadable(_(NOT_A_CURRENCY, value=name, known=NAMES))
    return CURRENCIES.index(name)


def _sum(do: str, key: str, value: Any) -> tuple[int, int]:
    """A currency and half-bucks, from the value of a key such as ["CNY", 3.5]."""
    if not isinstance(value, list) or len(value) != 2:
        facts = {"do": do, "key": key, "value": value}
        raise Unreadable(_('{do} needs {key}, a currency and an amount such as ["CNY", 3.5]; it has {value!r}.', **facts))
    kind, amount = _kind(value[0]), value[1]
    if not isinstance(amount, int | float) or isinstance(amount, bool):
        raise Unreadable(_("An amount is a number, not {amount!r}.", amount=amount))
    if not 0 < amount < MOST or BUCK * amount != int(BUCK * amount):
        facts = {"most": MOST, "amount": amount}
        raise Unreadable(_("An amount is a multiple of 0.5 above 0 and below {most}, not {amount!r}.", **facts))
    return kind, int(BUCK * amount)


def _rate(s: Any, first: int, second: int) -> dict[str, str]:
    """The stronger of two currencies, and what 1 buck of it is worth in the other."""
    strong, weak = (first, second) if s.scale[first][second] > 0 else (second, first)
    return {"strong": CURRENCIES[strong], "rate": money(weak, rules.worth(s, weak, strong, 1))}


def _spot_steps(s: Any, seat: int, other: int, gives: tuple[int, int], gets: tuple[int, int]) -> list[int]:
    (give, given), (get, got) = gives, gets
    check(s.spot_enabled, N_("There are no spot transactions in this match."))
    check(not s.spotted, N_("There has been a spot transaction in this turn."))
    check(rules.may_offer(s), N_("Spot offers refused in this turn: {n}; no more may be made."), n=s.offers)
    check(0 <= other < s.players and other != seat, N_("Seat {other} is no other player."), other=other)
    check(give != get, N_("A spot transaction is between two different currencies."))
    sizes = {(rules.swapped(s, give, get, unit), rules.swapped(s, get, give, unit)): unit for unit in units(s, give, get)}
    unit = sizes.get((given, got))
    if unit is None:
        facts = {**_rate(s, give, get), "give": money(give, given), "get": money(get, got)}
        raise Illegal(_(NO_SWAP if s.spot_unit == ANY else NO_SWAP_OF_STRONGER, **facts))
    for who, kind, halves in ((Mover(seat), give, given), (Mover(other, other=True), get, got)):
        own = s.money[who.seat][kind]
        if own < halves:
            raise Illegal(_(OWNS, who=who, own=money(kind, own), amount=figure(bucks(halves))))
    refused = s.refused[other][give] >> rules.refusal(s, give, get, unit) & 1
    check(not refused, N_("The same offer has been refused in this turn."))
    return [SPOT + (other - seat) % s.players - 1, CURRENCY + give, CURRENCY + get, *[CURRENCY + unit] * (len(sizes) > 1)]


def _contract_steps(s: Any, seat: int, pays: tuple[int, int], receives: tuple[int, int]) -> list[int]:
    (pay, paid), (receive, got) = pays, receives
    check(rules.free_set(s) != NOBODY, N_("All sets of contract cards are in use."))
    check(pay != receive, N_("A contract is between two different currencies."))
    strong, amount = (pay, paid) if s.scale[pay][receive] > 0 else (receive, got)
    size, name = amount // BUCK, CURRENCIES[strong]
    check(amount % BUCK == 0, N_("{currency} is the stronger currency; its amount must be whole, not {amount}."),
          currency=name, amount=figure(bucks(amount)))  # fmt: skip
    check(size <= s.contract_size, N_("{currency} is the stronger currency; its amount must be 1 to {most}, not {amount}."),
          currency=name, most=s.contract_size, amount=size)  # fmt: skip
    if (paid, got) != (rules.worth(s, pay, receive, size), rules.worth(s, receive, pay, size)):
        weak = receive if strong == pay else pay
        right, wrong = money(weak, rules.worth(s, weak, strong, size)), figure(bucks(got if weak == receive else paid))
        raise Illegal(_("1 {strong} stands at {rate}, so {amount} {strong} stand against {right}, not {wrong}.",
                        **_rate(s, pay, receive), amount=size, right=right, wrong=wrong))  # fmt: skip
    return [CONTRACT + pay, CURRENCY + receive, COUNT + size]


def _invest_steps(s: Any, seat: int, names: list[str]) -> list[int]:
    kinds = [CURRENCIES.index(name) for name in names]
    check(1 <= len(kinds) <= 2, N_("One or two certificates are bought, not {n}."), n=len(kinds))
    check(len(set(kinds)) == len(kinds), N_("Two certificates of {currency} cannot be bought at once."), currency=names[0])
    for kind, name in zip(kinds, names, strict=True):
        own = s.money[seat][kind]
        check(s.stock[kind], N_("There is no certificate of {currency} left."), currency=name)
        if s.certs[seat][kind] >= s.hand_limit:
            raise Illegal(ngettext("{who:You own|Seat {who} owns} {n} certificate of {currency}, the most there may be.",
                                   "{who:You own|Seat {who} owns} {n} certificates of {currency}, the most there may be.",
                                   s.hand_limit, who=Mover(seat), currency=name))  # fmt: skip
        check(own >= BUCK * s.price,
              N_("A certificate of {currency} costs {price} {currency}; {who:you own|seat {who} owns} {own}."),
              seat, currency=name, price=s.price, own=figure(bucks(own)))  # fmt: skip
    return [INVEST + kinds[0], CURRENCY + kinds[1] if len(kinds) == 2 else DONE]


def _divest_steps(s: Any, seat: int, name: str, count: int) -> list[int]:
    kind, least, right = CURRENCIES.index(name), 0 if s.phase == DIVESTING else 1, CURRENCIES[s.give]
    open_now = s.phase != DIVESTING or name == right
    check(open_now, N_("Only certificates of {right} may be sold now, not of {wrong}."), right=right, wrong=name)
    check(count >= least, N_("At least {least} must be sold, not {number}."), least=least, number=count)
    if count > s.certs[seat][kind]:
        raise Illegal(ngettext("{who:You own|Seat {who} owns} {n} certificate of {currency}, not {number}.",
                               "{who:You own|Seat {who} owns} {n} certificates of {currency}, not {number}.",
                               s.certs[seat][kind], who=Mover(seat), currency=name, number=count))  # fmt: skip
    return [COUNT + count] if s.phase == DIVESTING else [DIVEST + kind, COUNT + count]


def move(s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
    """The move that a complete sequence of actions from this state makes."""
    first = actions[0]
    if s.phase == REPLY:
        return {"do": "agree" if first == AGREE else "refuse"}
    if s.phase == DIVESTING:
        return {"do": "divest", "currency": CURRENCIES[s.give], "count": first - COUNT}
    if s.phase in (STRENGTHEN, STRONGEST):
        do = "strengthen" if s.phase == STRENGTHEN else "strongest"
        return {"do": do, "currency": CURRENCIES[first - CURRENCY]}
    if first == RESOLVE:
        return {"do": "resolve"}
    if first < INVEST:
        return _contract(s, first - CONTRACT, actions[1] - CURRENCY, actions[2] - COUNT)
    if first < DIVEST:
        kinds = [first - INVEST] + [action - CURRENCY for action in actions[1:] if action != DONE]
        return {"do": "invest", "in": [CURRENCIES[kind] for kind in kinds]}
    if first < SPOT:
        return {"do": "divest", "currency": CURRENCIES[first - DIVEST], "count": actions[1] - COUNT}
    give, get, *unit = (action - CURRENCY for action in actions[1:])
    return _spot(s, (seat + first - SPOT + 1) % s.players, give, get, unit[0] if unit else rules.stronger(s, give, get))


def _contract(s: Any, pay: int, receive: int, size: int) -> dict[str, Any]:
    paid, received = exchange(s, pay, receive, size)
    return {"do": "contract", "pay": paid, "receive": received}


def _spot(s: Any, other: int, give: int, get: int, unit: int) -> dict[str, Any]:
    return {"do": "spot", **spot(s, other, give, get, unit)}


def canonical(move: Mapping[str, Any]) -> dict[str, Any]:
    """A move with only its own keys, in the order a record has them; whole amounts are written as whole numbers."""
    tidy = MOVES.canonical(move)
    for key, value in tidy.items():
        if isinstance(value, list):
            tidy[key] = [int(part) if isinstance(part, float) and part.is_integer() else part for part in value]
    return tidy


def _amount(of: list[Any]) -> str:
    return f"{of[1]} {of[0]}"


def _typed_spot(words: list[str], line: str) -> dict[str, Any]:
    example = "spot with 2 give 1 GBP get 3.5 CNY"
    seat = WHOLE_WORD(words[0]) if words else None
    if seat is None:
        raise Unreadable(_(NO_SEAT, line=line, example=example))
    return {"with": seat, **_terms(words[1:], line, "give", "get", example)}


def _terms(words: list[str], line: str, first: str, second: str, example: str) -> dict[str, Any]:
    """Two amounts: "4 GBP" and "14 CNY", with or without the words between them."""
    words = [word for word in words if word not in (first.upper(), second.upper(), "FOR", "AND")]
    if len(words) != 4:
        raise Unreadable(_(NO_AMOUNTS, line=line, example=example))
    terms: dict[str, Any] = {}
    for key, pair in ((first, words[:2]), (second, words[2:])):
        if _is_number(pair[1]):
            pair.reverse()
        if not _is_number(pair[0]):
            raise Unreadable(_(NO_AMOUNTS, line=line, example=example))
        amount = float(pair[0])
        terms[key] = [pair[1], int(amount) if amount.is_integer() else amount]
    return terms


def _is_number(word: str) -> bool:
    return re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", word) is not None


# --- forms ------------------------------------------------------------------------------------------------------------


def complete(s: Any, move: dict[str, Any]) -> dict[str, Any]:
    """The move of a form that leaves out what follows from the rates. Raises Unreadable; `steps` says what is illegal.

    {"do": "contract", "pay": "GBP", "receive": "CNY", "times": 4}: so many bucks of the stronger currency.
    {"do": "spot", "with": 2, "give": "GBP", "get": "CNY", "of": "weaker"}: 1 buck of the stronger one, or of the weaker,
    where the rate allows that.
    {"do": "invest", "first": "CNY", "second": "CAD"}; an empty second means one only."""
    do = move.get("do")
    if do == "contract" and isinstance(move.get("pay"), str):
        pay, receive, times = _kind(move["pay"]), _kind(move.get("receive")), move.get("times")
        if not isinstance(times, int) or isinstance(times, bool):
            raise Unreadable(_("The size of a contract is a whole number of bucks, not {times!r}.", times=times))
        return _contract(s, pay, receive, times)
    if do == "spot" and isinstance(move.get("give"), str):
        give, get = _kind(move["give"]), _kind(move.get("get"))
        unit, *weaker = units(s, give, get)
        if move.get("of") == "weaker" and rules.worth(s, give, get, 1) != rules.worth(s, get, give, 1):
            check(weaker, N_("1 {strong} stands at {rate}, so 1 buck of the weaker one has no equivalent in half-bucks."),
                  **_rate(s, give, get))  # fmt: skip
            unit = weaker[0]
        return {**_spot(s, 0, give, get, unit), "with": move.get("with")}
    if do == "invest" and "first" in move:
        return {"do": do, "in": [move[key] for key in ("first", "second") if move.get(key)]}
    return move


# --- menus ------------------------------------------------------------------------------------------------------------


def choices(s: Any, seat: int) -> Iterator[Choice | dict[str, Any]]:
    """What an asked seat may do, from a state hidden for it (or the true one: they are the same)."""
    if s.phase == TURN:
        yield from _turn_choices(s, seat)
    elif s.phase == REPLY:
        yield from ({"do": "agree"}, {"do": "refuse"})
    elif s.phase == DIVESTING:
        for n in range(s.certs[seat][s.give] + 1):
            yield {"do": "divest", "currency": CURRENCIES[s.give], "count": n}
    elif s.phase in (STRENGTHEN, STRONGEST):
        do = "strengthen" if s.phase == STRENGTHEN else "strongest"
        yield from ({"do": do, "currency": CURRENCIES[kind]} for kind in range(KINDS) if s.choices >> kind & 1)


def _turn_choices(s: Any, seat: int) -> Iterator[Choice | dict[str, Any]]:
    yield {"do": "resolve"}
    buys = [kind for kind in range(KINDS) if rules.can_buy(s, seat, kind)]
    if buys:
        moves = [(first,) for first in buys] + [(first, second) for first in buys for second in buys if first != second]
        yield Choice(
            _("invest in one or two of {currencies}", currencies=listed([CURRENCIES[kind] for kind in buys]))
            if len(buys) > 1 else f"invest {CURRENCIES[buys[0]]}",
            {"do": "invest"},
            moves=tuple({"do": "invest", "in": [CURRENCIES[kind] for kind in kinds]} for kinds in moves),
        )  # fmt: skip
    for kind in range(KINDS):
        most, name = s.certs[seat][kind], CURRENCIES[kind]
        if most:
            sales = tuple({"do": "divest", "currency": name, "count": n} for n in range(1, most + 1))
            label = text(sales[0]) if most == 1 else _("divest 1 to {most} {currency}", most=most, currency=name)
            yield Choice(label, {"do": "divest", "currency": name}, moves=sales)
    if rules.free_set(s) != NOBODY:
        contracts = tuple(
            _contract(s, pay, receive, size)
            for pay in range(s.currencies)
            for receive in range(s.currencies)
            if receive != pay
            for size in range(1, s.contract_size + 1)
        )
        example = text(contracts[min(3, s.contract_size - 1)])
        label = ngettext('contract between any two currencies, 1 buck of the stronger, such as "{example}"',
                        'contract between any two currencies, 1 to {n} bucks of the stronger, such as "{example}"',
                        s.contract_size, example=example)  # fmt: skip
        yield Choice(label, {"do": "contract"}, moves=contracts)
    yield from _spot_choices(s, seat)


def _spot_choices(s: Any, seat: int) -> Iterator[Choice]:
    """One choice for each possible partner."""
    for far in range(1, s.players if rules.may_offer(s) else 0):
        other = (seat + far) % s.players
        offers = tuple(
            _spot(s, other, give, get, unit)
            for give in range(KINDS)
            for get in range(KINDS)
            if give != get
            for unit in units(s, give, get)
            if rules.spot_open(s, seat, other, give, get, unit)
        )
        if offers:
            facts = {"other": other, "example": text(offers[0])}
            label = (
                _('spot with {other}: 1 buck of either currency at their rate, such as "{example}"', **facts)
                if s.spot_unit == ANY
                else _('spot with {other}: 1 buck of the stronger currency at its rate, such as "{example}"', **facts)
            )
            yield Choice(label, {"do": "spot", "with": other}, moves=offers)


WHOLE_WORD = number(r"-?[0-9]{1,9}")
NAMED = MoveField({"enum": [*CURRENCIES]}, NOT_A_CURRENCY)
SOLD = MoveField(NAMED, NOT_A_CURRENCY, lambda word: None if "." in word and _is_number(word) else word)
BOUGHT = MoveField({"type": "array", "items": NAMED},
                   N_('invest needs a list of currencies, such as ["CNY", "CAD"]; it has {value!r}.'))
HALVES = {"type": "number", "multipleOf": 0.5}
SUM = MoveField({"type": "array", "prefixItems": [NAMED, HALVES], "items": False, "minItems": 2}, read=_sum)
PARTNER = MoveField(WHOLE, N_("A spot offer is made to a seat, a whole number, not {value!r}."), WHOLE_WORD)
NUMBER = MoveField(WHOLE, N_("The count of a divestment is a whole number, not {value!r}."), WHOLE_WORD)
MOVES = LongMoves(
    LongMove("spot", (TURN,), _spot_steps, {"with": PARTNER, "give": SUM, "get": SUM},
             lambda move: f"spot with {move['with']} give {_amount(move['give'])} get {_amount(move['get'])}",
             skipped=("WITH", "SEAT"), typed=_typed_spot),
    LongMove("agree", (REPLY,), AGREE),
    LongMove("refuse", (REPLY,), REFUSE),
    LongMove("contract", (TURN,), _contract_steps, {"pay": SUM, "receive": SUM},
             lambda move: f"contract pay {_amount(move['pay'])} receive {_amount(move['receive'])}",
             typed=lambda words, line: _terms(words, line, "pay", "receive", "contract pay 4 GBP receive 14 CNY")),
    LongMove("invest", (TURN,), _invest_steps, {"in": BOUGHT}, unread=NO_INVESTMENT, skipped=("IN", "AND")),
    LongMove("divest", (TURN, DIVESTING), _divest_steps, {"currency": SOLD, "count": NUMBER}, "divest {count} {currency}",
             unread=NO_DIVESTMENT),
    LongMove("resolve", (TURN,), RESOLVE),
    LongMove("strengthen", (STRENGTHEN,), _name_steps, {"currency": NAMED}, unread=NO_CURRENCY),
    LongMove("strongest", (STRONGEST,), _name_steps, {"currency": NAMED}, unread=NO_CURRENCY),
    choices=choices, say=_, unknown=NO_MOVE, empty=NOTHING_SAID, verbs=VERBS,
    split=lambda line: re.findall(r"-?[\w.]+", re.sub(r"(?<=[0-9]),(?=[0-9])", ".", line.upper())),
)  # fmt: skip
EXPECTED, menu, parse, steps, text = MOVES.EXPECTED, MOVES.menu, MOVES.parse, MOVES.steps, MOVES.text


# --- what a move would change -------------------------------------------------------------------------------------------


def preview(s: Any, move: dict[str, Any]) -> dict[str, Any]:
    """What a move of the asked seat would change, for a table to show beforehand. A spot offer counts as agreed.

    rates: the pairs that change, as in the view, with the `space`, `rate` and `stronger` they had as `was`. money,
    certificates: changes by seat. queue: the queue afterwards. Raises what `steps` raises."""
    after = _after(s, move)
    rates = []
    for old, new in zip(pairs(s), pairs(after), strict=True):
        if old != new:
            rates.append({**new, "was": {key: old[key] for key in ("stronger", "space", "rate")}})
    return {
        "rates": rates,
        "money": [purse(_change(s.money[p], after.money[p]), empty=False) for p in range(s.players)],
        "certificates": [counted(_change(s.certs[p], after.certs[p])) for p in range(s.players)],
        "queue": [item(after, n) for n in after.queue[: after.queued]],
    }


def _change(old: list[int], new: list[int]) -> list[int]:
    return [b - a for a, b in zip(old, new, strict=True)]


def outlook(s: Any, move: dict[str, Any], names: list[str], audience: int) -> dict[str, Any]:
    """What would follow from a move of the asked seat, for a table to say beforehand. A spot offer counts as agreed.

    told: the sentences that the audience would be told. points: everybody's points afterwards, in the currency of
    `strongest` (as in the view); before: what everybody is worth now, in the same currency.
    bankrupt: the seat that this ruins, or none. over: whether the match ends."""
    after = _after(s, move)
    points = [0] * s.players
    rules.score(after, points)
    return {
        "told": told(s, s.asking, move, after, audience, names),
        "points": points,
        "before": valued(s, rules.measure(after)),
        "strongest": strongest(after),
        "bankrupt": after.bankrupt if after.bankrupt != NOBODY else None,
        "over": after.phase == OVER,
    }


def becomes(s: Any, seen: dict[str, Any], seat: int) -> str:
    """What a seat is worth after what an outlook has `seen`: a clause that is said to the seat."""
    after, now = seen["strongest"], strongest(s)["currency"]
    clause = worth(seen["before"][seat], seen["points"][seat], measured(after), share(seen["points"], seat))
    return clause if after["currency"] == now else _("{clause}; {currency} is the strongest then", clause=clause, **after)


def becoming(s: Any, move: dict[str, Any], names: list[str], seat: int) -> str:
    """What a seat is worth after a move of the asked seat, in a clause that is said to it."""
    return becomes(s, outlook(s, move, names, seat), seat)


def _after(s: Any, move: dict[str, Any]) -> Any:
    """The state after a move of the asked seat."""
    seat, after = s.asking, s.copy()
    for action in steps(s, seat, canonical(move)):
        rules.apply(after, seat, action)
    if after.phase == REPLY:
        rules.answer(after, True)
    return after
