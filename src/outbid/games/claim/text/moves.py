"""The moves of Claim: what each says, when it is open, which action ids of rules.py it is, how it is typed. Plain Python."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeGuard

from outbid.core.language.i18n import N_
from outbid.core.errors import Illegal, Unreadable
from outbid.core.language.phrases import Mover, listed
from outbid.core.moves import WHOLE, LongMove, LongMoves
from outbid.games.claim import icons, rules, shop, stacks
from outbid.games.claim.text.menus import choices, purchases, small_moves
from outbid.games.claim.state import (
    ACCEPT, AGAIN, ANSWERING, AUDIT, BUY, CALL, CLAIM, CLAIMED, COIN, COUNTERFEITER, DEFER, DIVIDEND, DONE, END,
    FAST_TRACK, FOR, FORECASTING, GIVING, ICON, ICONS, ICON_NAMES, LOOPHOLE, LOW, MERGER, MULTI, MULTIS, NEW, OFFER,
    OFFERED, PLACE, PLACES, PLAY, PLAYING, PRINT, PRODUCTS, PURCHASE, PUSH, REDEPOSIT, REFUND, REFUSE, REFUSING,
    RETURNING, SEAT, SHELF, SHOWS, SKIP, TAKE, USE, U_TURN, VAULT, WILD, WINDOW, WITHDRAW, ZERO,
)  # fmt: skip
from outbid.games.claim.text import _, ngettext
from outbid.games.claim.text.views import CODE_OF, HOWS, LOCKS, bill_name, codes_in, numbers_in, order, purse, seats_in

NO_MOVE = N_("{move!r} is not a move of this game; the moves are {moves}.")
FROZEN_STACK = N_("The stack {number} is frozen.")
NOT_FULL = N_("The stack {number} is not full.")
NOT_IN_GAME = N_("No bill of this match shows {number}.")
DONE_ALREADY = N_("{who:You have made your|Seat {who} has made its} claim of this turn, or gone shopping instead.")


def seats_words(seats: list[int]) -> str:
    """ "seat 1", "seats 0 and 2", "nobody": to whom something can go."""
    if not seats:
        return _("nobody")
    return ngettext("seat {seats}", "seats {seats}", len(seats), seats=listed([str(seat) for seat in seats]))


class _Reader:
    """A move and the state it is made in; reads keys, strictly."""

    def __init__(self, s: Any, seat: int, move: Mapping[str, Any]):
        self.s = s
        self.seat = seat
        self.who = Mover(seat)
        self.move = move
        self.do = move["do"]

    def check(self, legal: object, message: str, **words: Any) -> None:
        """Refuse a move that is not legal with a message of the game, in which {who} makes the move."""
        if not legal:
            raise Illegal(_(message, **{"who": self.who, **words}))

    def whole(self, key: str, what: str) -> int:
        """A whole number."""
        value = self.move.get(key)
        if not whole(value):
            raise Unreadable(_("{what} is a whole number, not {value!r}.", what=what, value=value))
        return value

    def stack(self, key: str = "stack") -> int:
        """The place of a stack on the table."""
        number = self.whole(key, _("A stack"))
        self.check(_in(self.s.stacks, number), N_("There is no stack {number} on the table."), number=number)
        return number + LOW

    def number(self, key: str, mask: int, none: str) -> int:
        """The place of a number out of a mask."""
        number = self.whole(key, _("{key} of {do}", key=key, do=self.do))
        self.check(_in(mask, number), none, number=number)
        return number + LOW

    def player(self, key: str) -> int:
        """A seat."""
        seat, last = self.whole(key, _("A player")), self.s.players - 1
        self.check(0 <= seat <= last, N_("There is no seat {seat}; the seats are 0 to {last}."), seat=seat, last=last)
        return seat

    def bill(self, key: str = "bill") -> int:
        """The code of a bill."""
        return _code(self.move.get(key))

    def word(self, key: str, among: dict[str, int]) -> int:
        """One of some words."""
        value = self.move.get(key)
        if not isinstance(value, str) or value not in among:
            words = listed(list(among), "or")
            raise Unreadable(_("{key} is {value!r}; it must be {words}.", key=key, value=value, words=words))
        return among[value]

    def far(self, other: int) -> int:
        """How far clockwise a seat is."""
        return int(stacks.distance(self.s, self.seat, other))


def _read(steps: Callable[[_Reader], list[int]]) -> Callable[[Any, int, Mapping[str, Any]], list[int]]:
    return lambda s, seat, move: steps(_Reader(s, seat, move))


def _in(mask: int, number: int) -> bool:
    """Whether a number is one of a mask of places."""
    return number >= -LOW and bool(mask >> number + LOW & 1)


def whole(value: Any) -> TypeGuard[int]:
    """Whether it is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def _code(name: Any) -> int:
    if not isinstance(name, str) or name not in CODE_OF:
        raise Unreadable(
            _('{name!r} is not a bill; a bill is, for example, "3", "-2", "w", "1/3" or "3:vault".', name=name)
        )
    return CODE_OF[name]


def _own(r: _Reader) -> int:
    """The code of a bill that the hand holds."""
    code = r.bill()
    r.check(stacks.holds(r.s, r.seat, code), N_("{who:You hold|Seat {who} holds} no {bill}."), bill=bill_name(code))
    return code


def _print_steps(s: Any, seat: int, code: int) -> list[int]:
    """PLAY, and PRINT if the hand holds different bills of the kind."""
    kind = stacks.kind_of(code)
    return [PLAY + kind, *_print_step(stacks.held_prints(s, seat, kind), code)]


def _print_step(prints: int, code: int) -> list[int]:
    """PRINT of a bill, if it is one of several prints of its kind."""
    return [PRINT + 1 + stacks.icon_of(code)] if prints & (prints - 1) else []


def _play_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    code = _own(r)
    kind, name = stacks.kind_of(code), bill_name(code)
    frozen = rules.barred(s, seat)
    bill = _print_steps(s, seat, code)
    if kind == WILD:
        r.check(s.stacks, N_("A wild bill cannot start a stack, and there is none."))
        place = r.stack("on")
        r.check(not frozen >> place & 1, FROZEN_STACK, number=place - LOW)
        return [*bill, PLACE + place]
    if kind >= MULTI:
        return [*bill, *_multi_steps(r, code, frozen)]
    place = kind
    if r.move.get("as") is not None:
        place = r.whole("as", _("The number of a bill")) + LOW
    own, forger = place == kind, stacks.has(s, seat, COUNTERFEITER)
    r.check(own or forger, N_("A {bill} can only be played as {number}."), bill=name, number=kind - LOW)
    forges = rules.can_forge(s, seat, kind)
    forged = own or (forges and place < PLACES and _in(rules.forgeries(s, kind), place - LOW))
    r.check(forged, N_("A {bill} cannot be played as {number} now."), bill=name, number=place - LOW)
    r.check(not frozen >> place & 1, FROZEN_STACK, number=place - LOW)
    return [*bill, *([PLACE + place] if forges else [])]


def _multi_steps(r: _Reader, code: int, frozen: int) -> list[int]:
    s, name = r.s, bill_name(code)
    low, high = MULTIS[code - MULTI]
    words = {"bill": name, "one": low, "two": high}
    upright = r.whole("as", _("The upright number of {bill}", bill=name))
    r.check(upright in (low, high), N_("{bill} shows {one} and {two}, not {number}."), number=upright, **words)
    if "on" not in r.move:
        raise Unreadable(_('{bill} needs "on": the number of a stack, or null for a new one.', bill=name))
    place, free = upright + LOW, not s.stacks >> upright + LOW & 1
    if r.move["on"] is None:
        r.check(free, N_("There is a stack {number} already: {bill} cannot start another."), number=upright, bill=name)
        return [PLACE + place, NEW]
    on = r.whole("on", _("A stack"))
    r.check(on in (low, high), N_("{bill} can only go on a stack {one} or {two}, not {number}."), number=on, **words)
    r.stack("on")
    becomes = N_("There is a stack {number} already: the stack {other} cannot become another.")
    r.check(on == upright or free, becomes, number=upright, other=on)
    r.check(not frozen >> on + LOW & 1, FROZEN_STACK, number=on)
    return [PLACE + place, PLACE + on + LOW]


def _claim_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    place = r.stack()
    r.check(not s.done & CLAIMED, DONE_ALREADY)
    if not stacks.claimable(s, seat) >> place & 1:
        raise Illegal(_why_not(s, seat, place))
    return [CLAIM + place]


def _why_not(s: Any, seat: int, place: int) -> str:
    """Why a stack cannot be claimed."""
    number, who = place - LOW, Mover(seat)
    if s.full >> place & 1:
        return _("The stack {number} is full: it must be pushed.", number=number)
    if s.closed >> place & 1:
        return _("The stack {number} is closed.", number=number)
    if not s.may >> seat & 1:
        return ngettext(
            "{who:You have|Seat {who} has} {n} stack, too many to take one: the lowest count is {lowest}.",
            "{who:You have|Seat {who} has} {n} stacks, too many to take one: the lowest count is {lowest}.",
            s.count[seat], who=who, lowest=min(s.count[: s.players]),
        )  # fmt: skip
    if place != ZERO and s.diversity_a and s.owns[seat] >> place & 1:
        return _("{who:You have|Seat {who} has} a stack {number} already.", who=who, number=number)
    if place != ZERO and s.played >> place & 1 and s.diversity_b and not stacks.has(s, seat, LOOPHOLE):
        return _("{who:You have|Seat {who} has} played a {number} this turn.", who=who, number=number)
    return _("{who:Your Penny Pincher|The Penny Pincher of seat {who}} takes no {number}.", who=who, number=number)


def _push_steps(r: _Reader) -> list[int]:
    s = r.s
    place = r.stack()
    open_to = stacks.targets(s, place)
    if s.phase == AGAIN:
        r.check(place == s.pushed, N_("The stack that was refused is {number}."), number=s.pushed - LOW)
        open_to &= ~(1 << s.whom)
    else:
        r.check(s.full >> place & 1, NOT_FULL, number=place - LOW)
    to = r.player("to")
    if not open_to >> to & 1:
        words = {"number": place - LOW, "seat": to, "others": seats_words(seats_in(s, open_to))}
        raise Illegal(_("The stack {number} cannot be pushed to seat {seat}; it can be pushed to {others}.", **words))
    if s.phase == AGAIN:
        return [SEAT + r.far(to)]
    first = [] if place == rules.lowest_place(stacks.pushable(s)) else [PLACE + place]
    return [*first, PUSH + r.far(to)]


def _end_steps(r: _Reader) -> list[int]:
    full = numbers_in(stacks.pushable(r.s))
    r.check(not full, N_("The stack {number} is full: it must be pushed first."), number=full[0] if full else 0)
    return [END]


def _icon_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    icon = r.word("icon", {name: n for n, name in enumerate(ICON_NAMES)})
    r.check(icon == s.icon, N_("The icon to use is {icon}."), icon=ICON_NAMES[s.icon])
    if icon == VAULT:
        return [PLACE + r.stack(), r.word("lock", LOCKS)]
    if icon == FAST_TRACK or (icon == U_TURN and s.players == 2):
        to = r.player("next")
        twice = N_("{who:You cannot give yourself|Seat {who} cannot give itself} the next turn twice in a row.")
        r.check(icons.next_seats(s, seat) >> to & 1, twice)
        return [SEAT + r.far(to)]
    if icon in (U_TURN, DIVIDEND):
        return [USE]
    if icon == AUDIT:
        of, others = r.player("of"), N_("Seat {seat} cannot be audited: another player who holds bills can.")
        r.check(icons.auditable(s, seat) >> of & 1, others, seat=of)
        return [SEAT + r.far(of), PLACE + r.number("number", icons.in_game(s), NOT_IN_GAME)]
    if icon == REFUND:
        return _refund_steps(r)
    if icon == MERGER:
        place, onto = r.stack("from"), r.stack("onto")
        words = {"number": place - LOW, "other": onto - LOW}
        cannot = N_("The top bill of the stack {number} cannot go onto the stack {other}.")
        r.check(icons.onto(s, place) >> onto & 1, cannot, **words)
        return [PLACE + place, PLACE + onto]
    if "defer" in r.move:
        place = r.stack("defer")
        r.check(icons.deferrable(s) >> place & 1, NOT_FULL, number=place - LOW)
        return [DEFER, PLACE + place]
    place = r.stack("push")
    r.check(icons.callable_stacks(s) >> place & 1, N_("The stack {number} cannot be called in."), number=place - LOW)
    to = r.player("to")
    r.check(stacks.able(s, place) >> to & 1, N_("Seat {seat} cannot claim the stack {number}."), seat=to, number=place - LOW)
    return [CALL, PLACE + place, PUSH + r.far(to)]


def _refund_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    place = r.number("stack", s.owns[seat], N_("{who:You have|Seat {who} has} no stack {number}."))
    how, number = r.word("how", HOWS), place - LOW
    movable = how != REDEPOSIT or not s.frozen >> place & 1
    r.check(movable, N_("The stack {number} on the table is frozen."), number=number)
    if how != WITHDRAW:
        return [PLACE + place, how]
    code, top = r.bill(), stacks.find(s, seat, place)
    lies = code in codes_in(s, top)
    r.check(lies, N_("There is no {bill} in the stack {number}."), bill=bill_name(code), number=number)
    kind = stacks.kind_of(code)
    return [PLACE + place, how, PLAY + kind, *_print_step(stacks.prints_in(s, top, kind), code)]


def _give_steps(r: _Reader) -> list[int]:
    s = r.s
    code = _own(r)
    shows = s.phase != GIVING or SHOWS[s.number] >> stacks.kind_of(code) & 1
    r.check(shows, N_("The bill must show {number}."), number=s.number - LOW)
    return _print_steps(s, r.seat, code)


def _shopping(r: _Reader) -> None:
    r.check(r.s.shopping_spree, N_("There is no shopping in this match."))
    r.check(not r.s.done & CLAIMED, DONE_ALREADY)


def _buy_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    product = r.word("product", {name: n for n, name in enumerate(PRODUCTS)})
    pay, coins = r.move.get("pay"), r.move.get("coins", 0)
    if not isinstance(pay, list) or not all(whole(number) for number in pay):
        raise Unreadable(_("A product is paid with a list of stacks, such as [3], not {pay!r}.", pay=pay))
    _check_coins(coins)
    _shopping(r)
    lies = product in s.products[: min(SHELF, s.in_store)]
    r.check(lies, N_("{product} does not lie open."), product=_(PRODUCTS[product]))
    for number in pay:
        own = number in purse(s, seat)
        r.check(own, N_("{who:You have|Seat {who} has} no stack {number} that could pay."), number=number)
    r.check(len(set(pay)) == len(pay), N_("Each stack can pay once."))
    _check_purse(r.who, s.coins[seat], coins)
    total, price = coins + sum(shop.price_worth(s, seat, number + LOW) for number in pay), s.prices[product]
    r.check(total >= price, N_("{total} does not reach the price of {price}."), total=total, price=price)
    return [BUY + product, *(PLACE + number + LOW for number in sorted(pay)), *[COIN] * coins, DONE]


def _check_coins(coins: Any) -> None:
    if not whole(coins) or coins < 0:
        raise Unreadable(_("{what} is a whole number, not {value!r}.", what="coins", value=coins))


def _check_purse(who: Mover, n: int, coins: int) -> None:
    """Nobody pays or offers more coins than the n there are."""
    if coins > n:
        raise Illegal(ngettext(
            "{who:You have|Seat {who} has} {n} coin, not {coins}.", "{who:You have|Seat {who} has} {n} coins, not {coins}.",
            n, who=who, coins=coins,
        ))  # fmt: skip


def _purchase_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    number, seller, code = r.whole("stack", _("A stack")), r.whole("from", _("A player")), r.bill()
    _shopping(r)
    r.player("from")
    sells = shop.sellers(s, seat) >> seller & 1
    r.check(sells, N_("{who:You can|Seat {who} can} purchase nothing from seat {seat}."), seat=seller)
    cannot = N_("{who:You|Seat {who}} cannot purchase a stack {number} from seat {seat}.")
    r.check(_in(shop.buyable(s, seat, seller), number), cannot, number=number, seat=seller)
    worth = stacks.row_value(s, stacks.find(s, seller, number + LOW))
    r.check(stacks.kind_of(code) == worth + LOW, N_("The stack is worth {value}, and so must be the bill."), value=worth)
    gives, name = shop.can_give(s, seat, code), bill_name(code)
    r.check(gives, N_("{who:You hold|Seat {who} holds} no {bill} that can be given."), bill=name)
    which = _print_step(shop.payable_prints(s, seat, worth + LOW), code)
    return [PURCHASE, SEAT + r.far(seller), PLACE + number + LOW, *which]


def _offer_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    to = r.whole("to", _("A player"))
    sides = [_read_side(r.move.get(key), key) for key in ("give", "get")]
    _shopping(r)
    r.check(not s.done & OFFERED, N_("{who:You have made your|Seat {who} has made its} offer of this turn."))
    r.player("to")
    r.check(shop.partners(s, seat) >> to & 1, N_("There is nothing to deal about with seat {seat}."), seat=to)
    steps = [OFFER, SEAT + r.far(to)]
    for side, (codes, numbers, coins) in enumerate(sides):
        _check_side(r, side, to if side else seat, codes, numbers, coins)
        for code in sorted(codes, key=lambda c: (stacks.kind_of(c), stacks.icon_of(c))):
            kind = stacks.kind_of(code)
            steps += [PLAY + kind, *([PRINT + 1 + stacks.icon_of(code)] if stacks.has_icons(s, kind) else [])]
        steps += [PLACE + number + LOW for number in sorted(numbers)] + [COIN] * coins + [DONE if side else FOR]
    r.check(any(codes or numbers or coins for codes, numbers, coins in sides), N_("An offer names something."))
    return steps


def _check_side(r: _Reader, side: int, holder: int, codes: list[int], numbers: list[int], coins: int) -> None:
    """The holder has the stacks of one side of an offer, and so many coins and bills."""
    s, who = r.s, Mover(holder, other=side == 1)
    stacked = shop.askable(s, holder) if side else s.owns[holder]
    none = N_("{who:You have|Seat {who} has} no stack {number} to deal with.")
    for number in numbers:
        r.check(_in(stacked, number), none, who=who, number=number)
    r.check(len(set(numbers)) == len(numbers), N_("A stack can be named once."))
    _check_purse(who, s.coins[holder], coins)
    if len(codes) > s.size[holder]:
        raise Illegal(ngettext(
            "{who:You have|Seat {who} has} {n} bill, not {bills}.", "{who:You have|Seat {who} has} {n} bills, not {bills}.",
            s.size[holder], who=who, bills=len(codes),
        ))  # fmt: skip
    for code, n in Counter(codes).items():
        name = bill_name(code)
        if side:
            r.check(code < ICONS or n == 1, N_("There is only one bill {bill} in this match."), bill=name)
            r.check(_exists(s, code), N_("There is no bill {bill} in this match."), bill=name)
        else:
            have = int(stacks.plain_bills(s, holder, code) if code < ICONS else stacks.holds(s, holder, code))
            fewer = N_("{who:You hold|Seat {who} holds} {have} of the bill {bill}, not {n}.")
            r.check(n <= have, fewer, have=have, bill=name, n=n)


def _exists(s: Any, code: int) -> bool:
    """Whether the match has such a bill."""
    if code < ICONS:
        return bool(shop.exists(s, code))
    number, icon = divmod(code - ICONS, 8)
    return bool(s.action_fund and number < s.numbers and shop.printed(s, number) >> icon & 1)


def _read_side(side: Any, key: str) -> tuple[list[int], list[int], int]:
    """A side of an offer: codes, numbers of stacks, coins."""
    if not isinstance(side, dict):
        raise Unreadable(_("{key} is an object with bills, stacks and coins, not {value!r}.", key=key, value=side))
    for name in side:
        if name not in ("bills", "stacks", "coins"):
            raise Unreadable(_("{key} has bills, stacks and coins, not {name!r}.", key=key, name=name))
    bills, numbers, coins = side.get("bills", []), side.get("stacks", []), side.get("coins", 0)
    if not isinstance(bills, list) or not isinstance(numbers, list) or not all(whole(number) for number in numbers):
        words = {"key": key, "bills": bills, "stacks": numbers}
        raise Unreadable(_("{key} has a list of bills and a list of stacks, not {bills!r} and {stacks!r}.", **words))
    _check_coins(coins)
    return [_code(bill) for bill in bills], numbers, coins


def _accept_steps(r: _Reader) -> list[int]:
    broken = N_("{who:You|Seat {who}} cannot accept: a bill is missing, or a row would break a law.")
    r.check(shop.lawful(r.s, r.s.actor, r.seat), broken)
    return [ACCEPT]


# --- the move that steps make -------------------------------------------------------------------------------------------


SINGLE = {END: "end", SKIP: "skip", TAKE: "take", REFUSE: "refuse", ACCEPT: "accept"}


def move(s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
    """The move that a complete sequence of actions from this state makes."""
    first = actions[0]
    if first in SINGLE:
        return {"do": SINGLE[first]}
    if CLAIM <= first < PUSH:
        return {"do": "claim", "stack": first - CLAIM - LOW}
    if s.phase == PLAYING:
        return _played(s, seat, actions)
    if s.phase in (GIVING, RETURNING):
        return {"do": "give", "bill": bill_name(_bill_of(s, seat, actions))}
    if first == OFFER:
        middle, to = actions.index(FOR), stacks.at_distance(s, seat, actions[1] - SEAT)
        return {"do": "offer", "to": to, "give": _side(s, actions[2:middle]), "get": _side(s, actions[middle + 1 :])}
    if BUY <= first < PURCHASE:
        coins = actions.count(COIN)
        buy = {"do": "buy", "product": PRODUCTS[first - BUY], "pay": _numbers(actions)}
        return buy | ({"coins": coins} if coins else {})
    candidates = purchases(s, seat) if first == PURCHASE else small_moves(s, seat)
    return next(candidate for candidate in candidates if MOVES.steps(s, seat, candidate) == actions)


def _bill_of(s: Any, seat: int, actions: list[int]) -> int:
    """The code of the bill that PLAY and perhaps PRINT name in a hand."""
    kind = actions[0] - PLAY
    if len(actions) > 1 and PRINT <= actions[1] < PLACE:
        return int(stacks.code_of(kind, actions[1] - PRINT))
    return int(stacks.only_print(s, seat, kind))


def _played(s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
    code = _bill_of(s, seat, actions)
    play: dict[str, Any] = {"do": "play", "bill": bill_name(code)}
    numbers = _numbers(actions)
    if code == WILD:
        play["on"] = numbers[0]
    elif MULTI <= code < ICONS:
        play |= {"as": numbers[0], "on": None if actions[-1] == NEW else numbers[1]}
    elif numbers and numbers[0] + LOW != stacks.kind_of(code):
        play["as"] = numbers[0]
    return play


def _numbers(actions: list[int]) -> list[int]:
    """The numbers that steps name."""
    return [action - PLACE - LOW for action in actions if PLACE <= action < NEW]


def _side(s: Any, actions: list[int]) -> dict[str, Any]:
    """What the steps of one side of an offer name."""
    bills = []
    for n, action in enumerate(actions):
        if action < PRINT:
            which = actions[n + 1] - PRINT if stacks.has_icons(s, action - PLAY) else 0
            bills.append(bill_name(stacks.code_of(action - PLAY, which)))
    return {"bills": bills, "stacks": _numbers(actions), "coins": actions.count(COIN)}


# --- moves as one says them ---------------------------------------------------------------------------------------------


def _play_text(move: Mapping[str, Any]) -> str:
    upright = f" as {move['as']}" if "as" in move else ""
    on = "" if "on" not in move else " new" if move["on"] is None else f" on {move['on']}"
    return f"play {move['bill']}{upright}{on}"


def _buy_text(move: Mapping[str, Any]) -> str:
    pay = "".join(f" {number}" for number in move["pay"])
    coins = f" coins {move['coins']}" if move.get("coins") else ""
    return f"buy {move['product']}{' with' if pay else ''}{pay}{coins}"


def _offer_text(move: Mapping[str, Any]) -> str:
    return f"offer to {move['to']} give{_side_text(move.get('give'))} get{_side_text(move.get('get'))}"


def _side_text(side: Any) -> str:
    if not isinstance(side, dict):
        return " nothing"
    parts = [*side.get("bills", []), *(f"stack {number}" for number in side.get("stacks", []))]
    if side.get("coins"):
        parts.append(f"coins {side['coins']}")
    return "".join(f" {part}" for part in parts) or " nothing"


def canonical(given: Mapping[str, Any]) -> dict[str, Any]:
    """A move with only its own keys, in the order a record has them, without what goes without saying."""
    move = MOVES.canonical(given)
    if move.get("do") == "play" and "as" in move and "/" not in str(bill := move.get("bill")):
        number = move["as"]
        if number is None or (whole(number) and str(number) == str(bill).split(":")[0]):
            del move["as"]
    if move.get("do") == "buy" and move.get("coins") == 0 and whole(move["coins"]):
        del move["coins"]
    if move.get("do") == "offer":
        move |= {side: _tidy(move[side]) for side in ("give", "get") if side in move}
    return move


def _tidy(side: Any) -> Any:
    """A side of an offer with all its keys, sorted; anything unreadable as it is."""
    if not isinstance(side, dict) or not side.keys() <= {"bills", "stacks", "coins"}:
        return side
    bills, numbers, coins = side.get("bills", []), side.get("stacks", []), side.get("coins", 0)
    if isinstance(bills, list) and all(isinstance(bill, str) and bill in CODE_OF for bill in bills):
        bills = sorted(bills, key=order)
    if isinstance(numbers, list) and all(whole(number) for number in numbers):
        numbers = sorted(numbers)
    return {"bills": bills, "stacks": numbers, "coins": coins}


# --- the declaration ----------------------------------------------------------------------------------------------------

BILL, STACKS, COINS = {"enum": [*CODE_OF]}, {"type": "array", "items": WHOLE}, {"type": "integer", "minimum": 0}
SIDE = {"type": "object", "additionalProperties": False,
        "properties": {"bills": {"type": "array", "items": BILL}, "stacks": STACKS, "coins": COINS}}  # fmt: skip
SHOWN = {"enum": [name for name, code in CODE_OF.items() if not WILD <= code < ICONS]}  # bills that show one number
TWO = {"enum": [name for name, code in CODE_OF.items() if MULTI <= code < ICONS]}
PERHAPS = {"type": ["integer", "null"]}


def _icon(name: str, fields: Mapping[str, Any], form: Any = "", optional: Sequence[str] = ()) -> LongMove:
    return LongMove("icon", (ICON,), _read(_icon_steps), {"icon": {"enum": [name]}, **fields}, form, optional)


MOVES = LongMoves(
    LongMove("play", (PLAYING,), _read(_play_steps), {"bill": SHOWN, "as": PERHAPS}, _play_text, ["as"]),
    LongMove("play", (PLAYING,), _read(_play_steps), {"bill": {"enum": ["w"]}, "on": WHOLE}, _play_text),
    LongMove("play", (PLAYING,), _read(_play_steps), {"bill": TWO, "as": WHOLE, "on": PERHAPS}, _play_text),
    LongMove("claim", (WINDOW,), _read(_claim_steps), {"stack": WHOLE}),
    LongMove("push", (WINDOW, AGAIN), _read(_push_steps), {"stack": WHOLE, "to": WHOLE}, "push {stack} to {to}"),
    LongMove("end", (WINDOW,), _read(_end_steps)),
    _icon("vault", {"stack": WHOLE, "lock": {"enum": [*LOCKS]}}),
    _icon("fast_track", {"next": WHOLE}),
    _icon("u_turn", {"next": WHOLE}, optional=["next"]),
    _icon("audit", {"of": WHOLE, "number": WHOLE}, "icon {icon} {of} for {number}"),
    _icon("refund", {"stack": WHOLE, "how": {"enum": [*HOWS]}, "bill": BILL}, optional=["bill"]),
    _icon("call_in", {"push": WHOLE, "to": WHOLE, "defer": WHOLE},
          lambda move: "icon call_in " + ("defer {defer}" if "defer" in move else "push {push} to {to}").format_map(move),
          ["push", "to", "defer"]),
    _icon("merger", {"from": WHOLE, "onto": WHOLE}, "icon {icon} {from} onto {onto}"),
    _icon("dividend", {}),
    LongMove("skip", (ICON, PLAYING, FORECASTING), SKIP),
    LongMove("give", (GIVING, RETURNING), _read(_give_steps), {"bill": BILL}),
    LongMove("buy", (WINDOW,), _read(_buy_steps), {"product": {"enum": [*PRODUCTS]}, "pay": STACKS, "coins": COINS},
             _buy_text, ["coins"]),
    LongMove("purchase", (WINDOW,), _read(_purchase_steps), {"stack": WHOLE, "from": WHOLE, "bill": BILL},
             "purchase {stack} from {from} for {bill}"),
    LongMove("offer", (WINDOW,), _read(_offer_steps), {"to": WHOLE, "give": SIDE, "get": SIDE}, _offer_text),
    LongMove("accept", (ANSWERING,), _read(_accept_steps)),
    LongMove("refuse", (ANSWERING, REFUSING), REFUSE),
    LongMove("take", (REFUSING,), TAKE),
    LongMove("forecast", (FORECASTING,),
             _read(lambda r: [PLACE + r.number("number", icons.in_game(r.s), NOT_IN_GAME)]), {"number": WHOLE}),
    choices=choices, say=_, unknown=NO_MOVE, arguments=lambda row, move: [move],
    barred=lambda s, seat, do: do == "skip" and s.phase == PLAYING and not s.plays,
)  # fmt: skip
