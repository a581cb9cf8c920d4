"""What a seat is told of Claim: the board, the log and the question of the moment in words. Plain Python.

Made from states already hidden for the audience; every move of this game is public.
"""

from collections.abc import Sequence
from typing import Any

from outbid.core.hooks.outcome import Outcome, Side, change, counted
from outbid.core.language.phrases import Speaker, capitalized, listed, teller
from outbid.core.language.i18n import N_
from outbid.games.claim import rules, stacks
from outbid.games.claim.hidden import knows
from outbid.games.claim.state import (
    AGAIN, ANSWERING, CLAIMED, DRAWN, EXCHANGE, FORECAST, FORECASTING, GIVING, ICON, ICON_NAMES, KINDS, LOW, NOBODY,
    NUMBERS, OVER, PLAYING, PRODUCTS, REFUSING, RESEARCH, RETURNING, SHELF, WINDOW,
)  # fmt: skip
from outbid.games.claim.text import _, ngettext, terms
from outbid.games.claim.text.terms import TITLES
from outbid.games.claim.text.views import bill_name, hand, named, numbers_in, seats_in, things, view

# --- the board --------------------------------------------------------------------------------------------------------


def board(s: Any, seat: int, names: list[str]) -> str:
    """The table in lines of text, as a seat sees it, from a state hidden for it."""
    seen = view(s, seat)
    lines = [_("Turn {turn} of at most {most}. On the table:", turn=seen["turns"] + 1, most=seen["most_turns"])]
    words = {"full": _("full"), "closed": _("closed"), "frozen": _("frozen")}
    for stack in seen["stacks"]:
        marks = [words[word] for word in words if stack[word]]
        marks += [terms.coins(stack["coins"])] if stack["coins"] else []
        lines.append(f"  {_stack_words(stack)}: {' '.join(stack['bills'])}" + (f" ({', '.join(marks)})" if marks else ""))
    if not seen["stacks"]:
        lines.append("  " + _("nothing"))
    for p, player in enumerate(seen["players"]):
        lines.append(f"{'* ' if p == s.turn else '  '}{names[p]}: {', '.join(_player_on_board(player, p == seat))}.")
    if "left_over" in seen:
        lines.append(_("Left over in the deal: {bills}.", bills=" ".join(seen["left_over"]["bills"])))
        if seen["left_over"]["removed"]:
            lines.append(_("Out of the game at once: {bills}.", bills=" ".join(seen["left_over"]["removed"])))
    if seen.get("shelf"):
        offered = [(ware["product"], ware["price"]) for ware in seen["shelf"]]
        wares = [_("{product} for {price}", product=_(product), price=price) for product, price in offered]
        lines.append(_("For sale: {wares}.", wares=", ".join(wares)))
    if seat >= 0:
        lines.append(_("Your hand: {bills}.", bills=" ".join(seen["hand"]) or _("empty")))
    return "\n".join(lines)


def _player_on_board(player: dict[str, Any], mine: bool) -> list[str]:
    """What a player has."""
    row = player["row"]
    stacks_words = _("covered") if row is None else ", ".join(map(_stack_words, row)) or _("none")
    known = player["known"] if player["known"] is not None and not mine else player["open"]
    parts = [ngettext("{n} stack ({kept})", "{n} stacks ({kept})", player["count"], kept=stacks_words)]
    parts.append(ngettext("{n} bill", "{n} bills", player["hand"]))
    if player["money"] is not None:
        parts.append(_("${money} of ${goal}", money=player["money"], goal=player["goal"]))
    parts += [terms.coins(player["coins"])] if player["coins"] else []
    parts += [ngettext("{n} zero", "{n} zeros", player["zeros"])] if player["zeros"] else []
    parts += [_("known: {bills}", bills=" ".join(known))] if known and not mine else []
    return parts + [_(product) for product in player["products"]]


def _stack_words(stack: dict[str, Any]) -> str:
    """ "3s worth 6"."""
    return _("{number}s worth {value}", number=stack["number"], value=stack["value"])


# --- the log ----------------------------------------------------------------------------------------------------------

# what is told of a move to its maker, and to others
TOLD = {
    "play wild": (N_("You play W on the {number}s (worth {value})."), N_("{who} plays W on the {number}s (worth {value}).")),
    "play new": (N_("You play {bill}: a new stack."), N_("{who} plays {bill}: a new stack.")),
    "play on": (N_("You play {bill} (worth {value})."), N_("{who} plays {bill} (worth {value}).")),
    "play new as": (N_("You play {bill} as {number}: a new stack."), N_("{who} plays {bill} as {number}: a new stack.")),
    "play on as": (N_("You play {bill} as {number} on the {number}s (worth {value})."),
                   N_("{who} plays {bill} as {number} on the {number}s (worth {value}).")),
    "play over as": (N_("You play {bill} as {number} on the {on}s, which are {number}s now (worth {value})."),
                     N_("{who} plays {bill} as {number} on the {on}s, which are {number}s now (worth {value}).")),
    "foreseen": (N_("You have forecast it and you take a coin."), N_("{who} has forecast it and {who} takes a coin.")),
    "claim": (N_("You claim {stack}."), N_("{who} claims {stack}.")),
    "push": (N_("You push {stack}, to {to}."), N_("{who} pushes {stack}, to {to:you}.")),
    "push self": (N_("You push {stack}, to yourself."), N_("{who} takes {stack}.")),
    "insured": (N_("You are insured and may refuse."), N_("{who} is insured and may refuse.")),
    "vault closed": (N_("You use Vault: the {number}s are closed, nobody can take them."),
                     N_("{who} uses Vault: the {number}s are closed, nobody can take them.")),
    "vault frozen": (N_("You use Vault: the {number}s are frozen, nothing may be added to them."),
                     N_("{who} uses Vault: the {number}s are frozen, nothing may be added to them.")),
    "fast_track": (N_("You use Fast Track: {next} takes the next turn."),
                   N_("{who} uses Fast Track: {next} takes the next turn.")),
    "fast_track you": (N_("You use Fast Track: you take the next turn."),
                       N_("{who} uses Fast Track: you take the next turn.")),
    "u_turn": (N_("You use U-Turn: {next} takes the next turn."), N_("{who} uses U-Turn: {next} takes the next turn.")),
    "u_turn you": (N_("You use U-Turn: you take the next turn."), N_("{who} uses U-Turn: you take the next turn.")),
    "clockwise": (N_("You use U-Turn: the turn now goes clockwise."), N_("{who} uses U-Turn: the turn now goes clockwise.")),
    "anticlockwise": (N_("You use U-Turn: the turn now goes anticlockwise."),
                      N_("{who} uses U-Turn: the turn now goes anticlockwise.")),
    "dividend": (N_("You use Dividend: a coin."), N_("{who} uses Dividend: a coin.")),
    "dividend on": (N_("You use Dividend: a coin on the {on}s."), N_("{who} uses Dividend: a coin on the {on}s.")),
    "audit": (N_("You use Audit and ask {asked} for a {number}."),
              N_("{who} uses Audit and asks {asked:you} for a {number}.")),
    "audited": (N_("You have none and show {asker} the whole hand."),
                N_("{who} has none and shows {asker:you} the whole hand.")),
    "refund redeposit": (N_("You use Refund: the {number}s go back to the table."),
                         N_("{who} uses Refund: the {number}s go back to the table.")),
    "refund write_off": (N_("You use Refund: the {number}s are out of the game."),
                         N_("{who} uses Refund: the {number}s are out of the game.")),
    "refund withdraw": (
        N_("You use Refund: a {bill} of the {number}s comes back to the hand, the rest is out of the game."),
        N_("{who} uses Refund: a {bill} of the {number}s comes back to the hand, the rest is out of the game."),
    ),
    "refund wild": (N_("You use Refund: a W of the {number}s comes back to the hand, the rest is out of the game."),
                    N_("{who} uses Refund: a W of the {number}s comes back to the hand, the rest is out of the game.")),
    "call_in": (N_("You use Call-in: {stack}, must be taken by {to:you}."),
                N_("{who} uses Call-in: {stack}, must be taken by {to:you}.")),
    "call_in defer": (N_("You use Call-in: the {number}s need not be pushed this turn."),
                      N_("{who} uses Call-in: the {number}s need not be pushed this turn.")),
    "merger": (N_("You use Merger: the top bill of the {number}s goes onto the {onto}s, which are {number}s now."),
               N_("{who} uses Merger: the top bill of the {number}s goes onto the {onto}s, which are {number}s now.")),
    "skip icon": (N_("You do not use {icon}."), N_("{who} does not use {icon}.")),
    "skip play": (N_("You do not play a second bill."), N_("{who} does not play a second bill.")),
    "skip forecast": (N_("You do not make a forecast."), N_("{who} does not make a forecast.")),
    "give": (N_("You give {payee} {bill}."), N_("{who} gives {payee:you} {bill}.")),
    "give back": (N_("You give {payee} {bill} back."), N_("{who} gives {payee:you} {bill} back.")),
    "give wild back": (N_("You give {payee} W back."), N_("{who} gives {payee:you} W back.")),
    "buy": (N_("You buy {product} for {price}."), N_("{who} buys {product} for {price}.")),
    "draw": (N_("You draw {bills} from the reserve."), N_("{who} draws {bills} from the reserve.")),
    "purchase": (N_("You purchase the {number}s from {seller} and give {bill} for them."),
                 N_("{who} purchases the {number}s from {seller:you} and gives {bill} for them.")),
    "offer": (N_("You offer {to} {give} for {get}."), N_("{who} offers {to:you} {give} for {get}.")),
    "accept": (N_("You accept: {give} for {get}."), N_("{who} accepts: {give} for {get}.")),
    "refuse": (N_("You refuse the {number}s."), N_("{who} refuses the {number}s.")),
    "refuse offer": (N_("You refuse the offer."), N_("{who} refuses the offer.")),
    "take": (N_("You take {stack}."), N_("{who} takes {stack}.")),
    "forecast": (N_("You forecast that a {number} is played next."), N_("{who} forecasts that a {number} is played next.")),
    "turned": (N_("You turn {bills} face up."), N_("{who} turns {bills} face up.")),
    "no bill": (N_("You have no bill to play."), N_("{who} has no bill to play.")),
    "only wild": (N_("You have only wild bills and nothing to play them on."),
                  N_("{who} has only wild bills and nothing to play them on.")),
    "won": (N_("You win with {goal}."), N_("{who} wins with {goal}.")),
    "best": (N_("You win."), N_("{who} wins.")),
}  # fmt: skip
_line = teller(_, TOLD)


def masked(before: Any, seat: int, move: dict[str, Any], audience: int) -> dict[str, Any]:
    """A move as an audience may know it: all moves are made before all eyes."""
    return move


def told(before: Any, seat: int, move: dict[str, Any], after: Any, audience: int, names: list[str]) -> list[str]:
    """What an audience is told of a move: from the states before and after, hidden for it."""
    speak = Speaker(names, audience)
    lines = _TELLERS[move["do"]](before, seat, move, after, speak)
    return lines + _told_consequences(before, seat, move, after, speak)


def _told_play(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    on = move.get("on", move.get("as", move["bill"].split(":")[0]))
    place = int(move.get("as", on if on is not None else 0)) + LOW
    new = on is None or not before.stacks >> int(on) + LOW & 1
    how = "new" if new else "over" if on != move.get("as", on) else "on"
    key = "play wild" if move["bill"] == "w" else f"play {how} as" if "as" in move else f"play {how}"
    words = {"bill": terms.bill(move["bill"]), "number": place - LOW, "on": on, "value": after.value[place]}
    lines = [_line(speak, seat, key, **words)]
    if after.full >> place & 1 and not before.full >> place & 1:
        lines.append(_("The {number}s are full.", number=place - LOW))
    if before.forecast == place:
        prophet = next(p for p in range(before.players) if stacks.has(before, p, FORECAST))
        lines.append(_changes(before, after, speak, prophet, _line(speak, prophet, "foreseen"), "coin"))
    return lines


def _changes(before: Any, after: Any, speak: Speaker, seat: int, text: str, *names: object) -> Outcome:
    """The sentence about what comes to a seat, or goes from it, and what it has then."""
    things = counted("bill:claim-", names)
    return Outcome(text, "card", Side(seat, things), net=_own_net(before, after, (seat,), speak))


def _taken(s: Any, seat: int, number: int, text: str, after: Any, speak: Speaker) -> Outcome:
    """The sentence about a stack that goes to a seat, or would if that were not insured; who pushes it is told, too."""
    side = Side(seat, ((f"bill:claim-{number}", 1),), terms.num(stacks.taken_value(s, number + LOW)))
    net = _own_net(s, after, (seat,) if after.phase != REFUSING else (), speak)
    pusher = s.actor if s.phase == REFUSING else s.asking
    return Outcome(text, "card", side, net=net, also=(int(pusher),))


def _own_net(before: Any, after: Any, seats: Sequence[int], speak: Speaker) -> str:
    """The money that the audience has more of, and what it has now, if it is one of these seats."""
    if speak.audience not in seats:
        return ""
    money = int(after.money[speak.audience])
    gain = change(money - int(before.money[speak.audience]))
    return _("{change} dollars, {money} in all", change=gain, money=terms.num(money))


def _face(bill: str) -> str:
    """How a bill of a hand is drawn."""
    return bill.partition(":")[0].replace("/", "-")


def _drawn(side: dict[str, Any]) -> tuple[tuple[str, int], ...]:
    """How bills, stacks and coins are drawn."""
    return counted("bill:claim-", [*map(_face, side["bills"]), *side["stacks"], *["coin"] * side["coins"]])


def _the_stack(s: Any, number: int) -> str:
    """ "the 3s, worth 3" to who takes them, with the coins that lie on them; the object of a sentence."""
    place = number + LOW
    n, words = s.coins_on[place], {"number": number, "value": stacks.taken_value(s, place)}
    if not n:
        return _("the {number}s, worth {value}", **words)
    return ngettext(
        "the {number}s, worth {value} and {n} coin", "the {number}s, worth {value} and {n} coins", n, **words
    )


def _told_push(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    key, stack, to = "push self" if move["to"] == seat else "push", _the_stack(before, move["stack"]), move["to"]
    text = _line(speak, seat, key, stack=stack, to=speak.people(to))
    lines: list[str] = [_taken(before, to, move["stack"], text, after, speak)]
    if not stacks.able(before, move["stack"] + LOW):
        lines.append(_("Nobody could claim them."))
    return lines + _told_insured(move, after, speak)


def _told_insured(move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    return [_line(speak, move["to"], "insured")] if after.phase == REFUSING else []


def _told_icon(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    icon = move["icon"]
    if icon == "audit":
        return _told_audit(before, seat, move, after, speak)
    if "push" in move:
        number, to = move["push"], move["to"]
        text = _line(speak, seat, icon, stack=_the_stack(before, number), to=speak.people(to))
        return [_taken(before, to, number, text, after, speak), *_told_insured(move, after, speak)]
    key = icon
    if "next" in move:
        key += " you" if move["next"] == speak.audience else ""
    elif icon == "u_turn":
        key = "clockwise" if after.direction > 0 else "anticlockwise"
    elif icon == "dividend":
        key += " on" if before.icon_place != NOBODY else ""
    elif icon == "refund":
        key += " wild" if move.get("bill") == "w" else f" {move['how']}"
    elif icon in ("vault", "call_in"):
        key += f" {move.get('lock', 'defer')}"
    number = next((move[word] for word in ("from", "stack", "defer") if word in move), None)
    words = {"number": number, "onto": move.get("onto"), "on": before.icon_place - LOW}
    words |= {"next": speak.people(move["next"])} if "next" in move else {}
    text = _line(speak, seat, key, bill=terms.bill(move.get("bill", "")), **words)
    if "next" in move:
        return [Outcome(text, "card", Side(move["next"], ((f"bill:claim-{icon}", 1),)), also=(rules.following(before),))]
    if icon == "refund" or key == "dividend":
        return [_changes(before, after, speak, seat, text, "coin" if icon == "dividend" else number)]
    return [text]


def _told_audit(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    of = move["of"]
    lines = [_line(speak, seat, "audit", asked=speak.people(of), number=move["number"])]
    if after.phase != GIVING:
        names = hand(after, of) if speak.audience == of or knows(after, speak.audience, of) else ()
        side = Side(of, counted("bill:claim-", map(_face, names)))
        lines.append(Outcome(_line(speak, of, "audited", asker=speak.people(seat)), "reveal", side, also=(seat,)))
        if seat == speak.audience and not knows(before, seat, of):
            lines.append(_("You see {bills}.", bills=terms.bills_in_a_row(hand(after, of)) or _("nothing")))
    return lines


def _told_give(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    key, to = "give", before.actor
    if before.phase != GIVING:
        key, to = "give wild back" if move["bill"] == "w" else "give back", before.whom
    text = _line(speak, seat, key, payee=speak.people(to), bill=terms.bill(move["bill"]))
    return [Outcome(text, "card", Side(to, counted("bill:claim-", [_face(move["bill"])])), also=(seat,))]


def _told_skip(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    if before.phase == ICON:
        return [_line(speak, seat, "skip icon", icon=_(TITLES[ICON_NAMES[before.icon]]))]
    return [_line(speak, seat, "skip play" if before.phase == PLAYING else "skip forecast")]


def _told_buy(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    parts = [_("the {number}s", number=number) for number in move["pay"]]
    if move.get("coins"):
        parts.append(terms.coins(move["coins"]))
    product = move["product"]
    text = _line(speak, seat, "buy", product=_(product), price=listed(parts) or _("nothing"))
    lines: list[str] = [_changes(before, after, speak, seat, text, *move["pay"], *["coin"] * move.get("coins", 0))]
    if product == PRODUCTS[EXCHANGE]:
        names = [bill_name(code) for code in after.reserve[:DRAWN]]
        text = _line(speak, seat, "draw", bills=terms.bills_in_a_row(names))
        lines.append(Outcome(text, "card", Side(seat, counted("bill:claim-", names))))
    if product == PRODUCTS[RESEARCH] and seat == speak.audience:
        hands = [(speak.names[p], terms.bills_in_a_row(hand(after, p))) for p in range(after.players) if p != seat]
        empty = _("nothing")
        lines.append(_("You see all hands. {hands}.", hands="; ".join(f"{name}: {bills or empty}" for name, bills in hands)))
    new = [_(PRODUCTS[k]) for k in after.products[: min(SHELF, after.in_store)] if k not in before.products[:SHELF]]
    if new:
        lines.append(
            ngettext("{products} is for sale now.", "{products} are for sale now.", len(new), products=listed(new))
        )
    return lines


def _told_purchase(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    number, seller, bill = move["stack"], move["from"], move["bill"]
    text = _line(speak, seat, "purchase", number=number, seller=speak.people(seller), bill=terms.bill(bill))
    laid = Side(seat, counted("bill:claim-", [_face(bill)])), Side(seller, counted("bill:claim-", [number]))
    return [Outcome(text, "card", *laid, net=_own_net(before, after, (seat, seller), speak), crosses=True)]


def _sides(s: Any) -> dict[str, str]:
    """Both sides of an offer."""
    return {"give": terms.side(things(s, 0)), "get": terms.side(things(s, 1))}


def _told_accept(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    text = _line(speak, seat, "accept", **_sides(before))
    drawn = {before.turn: _drawn(things(before, 0)), seat: _drawn(things(before, 1))}
    laid = [Side(p, of_it, "" if of_it else _("nothing")) for p, of_it in drawn.items()]
    return [Outcome(text, "card", *laid, net=_own_net(before, after, (before.turn, seat), speak), crosses=True)]


def _told_refuse(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    key = "refuse" if before.phase == REFUSING else "refuse offer"
    return [Outcome(_line(speak, seat, key, number=before.pushed - LOW), "card", also=(seat, int(before.actor)))]


def _told_taking(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    number = move["stack"] if move["do"] == "claim" else before.pushed - LOW
    text = _line(speak, seat, move["do"], stack=_the_stack(before, number))
    return [_taken(before, seat, number, text, after, speak)]


_TELLERS: dict[str, Any] = {
    "offer": lambda before, seat, move, after, speak: [
        _line(speak, seat, "offer", to=speak.people(move["to"]), **_sides(after))],
    "forecast": lambda before, seat, move, after, speak: [_line(speak, seat, "forecast", number=move["number"])],
    "play": _told_play, "claim": _told_taking, "push": _told_push, "end": lambda *_: [], "icon": _told_icon,
    "skip": _told_skip, "give": _told_give, "buy": _told_buy, "purchase": _told_purchase,
    "accept": _told_accept, "refuse": _told_refuse, "take": _told_taking,
}  # fmt: skip


# --- the log: what the rules do ---------------------------------------------------------------------------------------


def _told_consequences(before: Any, seat: int, move: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    """What the rules did by themselves: bills turned face up, a skipped play, the end."""
    lines = []
    taker = _taker(seat, move, after)
    if taker is not None:
        shown = _turned(before, after, taker)
        if shown:
            lines.append(_line(speak, taker, "turned", bills=terms.bills_in_a_row(shown)))
    ends = move["do"] == "end" or (before.phase == FORECASTING and after.phase != FORECASTING)
    if ends and after.phase == WINDOW and not after.plays:  # the next player has nothing to play
        lines.append(_line(speak, after.turn, "only wild" if after.size[after.turn] else "no bill"))
    if after.phase == OVER:
        lines.append(_told_end(after, speak))
    return lines


def _taker(seat: int, move: dict[str, Any], after: Any) -> int | None:
    """Who took a stack by this move and turned bills up."""
    if move["do"] in ("claim", "purchase", "take"):
        return seat
    if (move["do"] == "push" or "push" in move) and after.phase != REFUSING:
        return int(move["to"])
    return None


def _turned(before: Any, after: Any, seat: int) -> list[str]:
    """The bills of a hand that everybody knows now and did not before."""
    counts = [max(0, after.open[seat][k] - before.open[seat][k]) for k in range(KINDS)]
    icons = [after.icons_open[seat][v] & ~before.icons_open[seat][v] for v in range(NUMBERS)]
    return named(counts, icons)


def _told_end(after: Any, speak: Speaker) -> str:
    won = seats_in(after, rules.winners(after, [0] * after.players))
    if after.won:
        return _line(speak, won[0], "won", goal=goal_words(after, won[0]))
    why = _("All hands are empty: the match is over.") if after.held == 0 else _("The bell rings: the match is over.")
    if len(won) > 1:
        best = capitalized(_("{who:you} win.", who=speak.people(*won)))
    else:
        best = _line(speak, won[0], "best")
    return f"{why} {best}"


def goal_words(s: Any, seat: int) -> str:
    """What a winner has reached, after "with"."""
    if s.money[seat] >= stacks.goal_of(s, seat):
        return _("${money}", money=s.money[seat])
    if s.zero_risk and s.zero_bills[seat] >= s.zero_goal:
        return ngettext("{n} zero", "{n} zeros", s.zero_bills[seat])
    return ngettext("stacks of {n} number", "stacks of {n} numbers", s.owns[seat].bit_count())


# --- the question -----------------------------------------------------------------------------------------------------

# what is asked, by phase: said to the seat itself, and to others
ASKED = {
    PLAYING: (N_("Your turn: play a bill."), N_("{who} plays a bill.")),
    ICON: (N_("Use {icon}, or skip it."), N_("{who} may use {icon}.")),
    GIVING: (N_("Give {who} a bill that shows {number}."), N_("{who} gives {asker:you} a bill that shows {number}.")),
    RETURNING: (N_("Give {who} a bill back."), N_("{who} gives {to:you} a bill back.")),
    REFUSING: (N_("Take {stack}, or refuse."), N_("{who} takes {stack}, or refuses.")),
    AGAIN: (N_("Push the {number}s to somebody else."), N_("{who} pushes the {number}s to somebody else.")),
    ANSWERING: (
        N_("{who} offers {give} for {get}: accept, or refuse."),
        N_("{who} offers {give} for {get}; {partner} answers."),
    ),
    FORECASTING: (N_("Forecast the next number, or not."), N_("{who} makes a forecast.")),
}
SECOND = (N_("Your turn: play a second bill, or none."), N_("{who} plays a second bill, or none."))

# the same in the window: by whether there is a stack to claim, a shop, a full stack
WINDOWS = {
    (False, False, False): (N_("End your turn."), N_("{who} ends the turn.")),
    (True, False, False): (N_("Claim a stack, or end your turn."), N_("{who} may claim a stack.")),
    (False, True, False): (N_("Go shopping, or end your turn."), N_("{who} may go shopping.")),
    (True, True, False): (
        N_("Claim a stack, or go shopping, or end your turn."),
        N_("{who} may claim a stack, or go shopping."),
    ),
    (False, False, True): (N_("Push {stacks}."), N_("{who} must push {stacks}.")),
    (True, False, True): (
        N_("Claim a stack, or push {stacks}."),
        N_("{who} may claim a stack, or must push {stacks}."),
    ),
    (False, True, True): (N_("Go shopping, or push {stacks}."), N_("{who} may go shopping, or must push {stacks}.")),
    (True, True, True): (
        N_("Claim a stack, or go shopping, or push {stacks}."),
        N_("{who} may claim a stack, or go shopping, or must push {stacks}."),
    ),
}


def question(s: Any, seat: int, names: list[str]) -> str:
    """What is being decided, for one seat (−1: a spectator), in one sentence."""
    speak, mine, asked = Speaker(names, seat), seat == s.asking, names[s.asking]
    if s.phase == ANSWERING and seat == s.actor:
        return _("You offer {give} for {get}; {partner} answers.", partner=asked, **_sides(s))
    other = speak.people(s.whom if s.phase == RETURNING else s.actor)  # with whom the asked seat has to do
    words = {"who": other if mine or s.phase == ANSWERING else asked, "asker": other, "to": other, "partner": asked}
    words["number"] = (s.pushed if s.phase == AGAIN else s.number) - LOW
    if s.phase == ICON:
        words["icon"] = _(TITLES[ICON_NAMES[s.icon]])
    elif s.phase == REFUSING:
        words["stack"] = _the_stack(s, s.pushed - LOW)
    elif s.phase == ANSWERING:
        words |= _sides(s)
    if s.phase == WINDOW:
        full, free = numbers_in(stacks.pushable(s)), not s.done & CLAIMED
        pair = WINDOWS[free and stacks.claimable(s, s.turn) != 0, bool(free and s.shopping_spree), bool(full)]
        words["stacks"] = terms.the_stacks(full)
    else:
        pair = SECOND if s.phase == PLAYING and s.plays else ASKED[s.phase]
    return _(pair[0 if mine else 1], **words)
