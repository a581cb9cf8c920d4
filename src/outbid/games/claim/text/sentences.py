"""What a seat is told of Claim: the board, the log and the question of the moment in words. Plain Python.

Made from states already hidden for the audience; every move of this game is public.
"""

from __future__ import annotations

from typing import Any

from outbid.core.language import i18n
from outbid.core.hooks.outcome import Outcome, Side
from outbid.core.language.phrases import Speaker, listed
from outbid.core.language.i18n import N_
from outbid.games.claim import rules, stacks
from outbid.games.claim.text import terms
from outbid.games.claim.hidden import knows
from outbid.games.claim.state import (
    AGAIN, ANSWERING, CLAIMED, DRAWN, EXCHANGE, FORECAST, FORECASTING, GIVING, ICON, ICON_NAMES, KINDS, LOW, NOBODY,
    NUMBERS, OVER, PLAYING, PRODUCTS, REFUSING, RESEARCH, RETURNING, SHELF, WINDOW,
)  # fmt: skip
from outbid.games.claim.text.terms import TITLES
from outbid.games.claim.text.views import bill_name, goal_of, hand, named, numbers_in, seats_in, things, view

_, ngettext = i18n.words(__package__)

# what the owner of the turn may do, and what is said of it to others: by whether there is a stack to claim, a shop, a full
# stack
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
        offered = [(one["product"], one["price"]) for one in seen["shelf"]]
        wares = [_("{product} for {price}", product=_(product), price=price) for product, price in offered]
        lines.append(_("For sale: {wares}.", wares=", ".join(wares)))
    if seat >= 0:
        lines.append(_("Your hand: {bills}.", bills=" ".join(seen["hand"]) or _("empty")))
    return "\n".join(lines)


def _player_on_board(player: dict[str, Any], mine: bool) -> list[str]:
    """What a player has."""
    row = player["row"]
    kept = _("covered") if row is None else ", ".join(map(_stack_words, row)) or _("none")
    known = player["known"] if player["known"] is not None and not mine else player["open"]
    parts = [ngettext("{n} stack ({kept})", "{n} stacks ({kept})", player["count"], kept=kept)]
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


def masked(before: Any, seat: int, said: dict[str, Any], audience: int) -> dict[str, Any]:
    """A move as an audience may know it: all moves are made before all eyes."""
    return said


def told(before: Any, seat: int, said: dict[str, Any], after: Any, audience: int, names: list[str]) -> list[str]:
    """What an audience is told of a move: from the states before and after, hidden for it."""
    speak = Speaker(names, audience)
    lines = _TOLD[said["do"]](before, seat, said, after, speak)
    return lines + _told_consequences(before, seat, said, after, speak)


def _told_play(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    on = said.get("on", said.get("as", said["bill"].split(":")[0]))
    place = int(said.get("as", on if on is not None else 0)) + LOW
    own, other = _play_words(said, on, on is None or not before.stacks >> int(on) + LOW & 1)
    words = {"bill": terms.bill(said["bill"]), "number": place - LOW, "on": on, "value": after.value[place]}
    lines = [speak(seat, own, other, **words)]
    if after.full >> place & 1 and not before.full >> place & 1:
        lines.append(_("The {number}s are full.", number=place - LOW))
    if before.forecast == place:
        owner = next(p for p in range(before.players) if stacks.has(before, p, FORECAST))
        own, other = _("You have forecast it and you take a coin."), _("{who} has forecast it and {who} takes a coin.")
        lines.append(speak(owner, own, other))
    return lines


def _play_words(said: dict[str, Any], on: Any, new: bool) -> tuple[str, str]:
    """The sentence about a play, said to who plays and to others."""
    if said["bill"] == "w":
        return _("You play W on the {number}s (worth {value})."), _("{who} plays W on the {number}s (worth {value}).")
    if "as" not in said:
        if new:
            return _("You play {bill}: a new stack."), _("{who} plays {bill}: a new stack.")
        return _("You play {bill} (worth {value})."), _("{who} plays {bill} (worth {value}).")
    if new:
        return _("You play {bill} as {number}: a new stack."), _("{who} plays {bill} as {number}: a new stack.")
    if on != said["as"]:
        return (
            _("You play {bill} as {number} on the {on}s, which are {number}s now (worth {value})."),
            _("{who} plays {bill} as {number} on the {on}s, which are {number}s now (worth {value})."),
        )
    return (
        _("You play {bill} as {number} on the {number}s (worth {value})."),
        _("{who} plays {bill} as {number} on the {number}s (worth {value})."),
    )


def _told_claim(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    text = speak(seat, _("You claim {stack}."), _("{who} claims {stack}."), stack=_the_stack(before, said["stack"]))
    return [Outcome(text, "card", _taken(before, seat, said["stack"]))]


def _taken(s: Any, seat: int, number: int) -> Side:
    """A stack that goes to a seat."""
    return Side(seat, ((f"bill:claim-{number}", 1),), terms.num(stacks.taken_value(s, number + LOW)))


def _the_stack(s: Any, number: int) -> str:
    """ "the 3s, worth 3" to who takes them, with the coins that lie on them; the object of a sentence."""
    place = number + LOW
    n, words = s.coins_on[place], {"number": number, "value": stacks.taken_value(s, place)}
    if not n:
        return _("the {number}s, worth {value}", **words)
    return ngettext(
        "the {number}s, worth {value} and {n} coin", "the {number}s, worth {value} and {n} coins", n, **words
    )


def _told_push(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    own, other = _("You push {stack}, to {to}."), _("{who} pushes {stack}, to {to:you}.")
    if said["to"] == seat:
        own, other = _("You push {stack}, to yourself."), _("{who} takes {stack}.")
    stack, to = _the_stack(before, said["stack"]), speak.people(said["to"])
    text = speak(seat, own, other, stack=stack, to=to)
    lines: list[str] = [Outcome(text, "card", _taken(before, said["to"], said["stack"]))]
    if not stacks.able(before, said["stack"] + LOW):
        lines.append(_("Nobody could claim them."))
    return lines + _told_insured(said, after, speak)


def _told_insured(said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    if after.phase != REFUSING:
        return []
    return [speak(said["to"], _("You are insured and may refuse."), _("{who} is insured and may refuse."))]


# --- the log: icons ---------------------------------------------------------------------------------------------------


def _told_icon(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    icon = said["icon"]
    if icon == "audit":
        return _told_audit(before, seat, said, after, speak)
    if icon == "call_in":
        return _told_call_in(before, seat, said, after, speak)
    if "next" in said:
        return [_told_next(seat, said, speak)]
    if icon == "vault":
        own, other = _vault_words(said)
    elif icon == "u_turn":
        own, other = _turning_words(after)
    elif icon == "dividend":
        own, other = _("You use Dividend: a coin."), _("{who} uses Dividend: a coin.")
        if before.icon_place != NOBODY:
            own, other = _("You use Dividend: a coin on the {on}s."), _("{who} uses Dividend: a coin on the {on}s.")
    elif icon == "refund":
        own, other = _refund_words(said)
    else:
        own, other = (
            _("You use Merger: the top bill of the {number}s goes onto the {onto}s, which are {number}s now."),
            _("{who} uses Merger: the top bill of the {number}s goes onto the {onto}s, which are {number}s now."),
        )
    words = {"number": said.get("from", said.get("stack")), "onto": said.get("onto"), "on": before.icon_place - LOW}
    return [speak(seat, own, other, bill=terms.bill(said.get("bill", "")), **words)]


def _vault_words(said: dict[str, Any]) -> tuple[str, str]:
    if said["lock"] == "closed":
        return (
            _("You use Vault: the {number}s are closed, nobody can take them."),
            _("{who} uses Vault: the {number}s are closed, nobody can take them."),
        )
    return (
        _("You use Vault: the {number}s are frozen, nothing may be added to them."),
        _("{who} uses Vault: the {number}s are frozen, nothing may be added to them."),
    )


def _turning_words(after: Any) -> tuple[str, str]:
    if after.direction > 0:
        return _("You use U-Turn: the turn now goes clockwise."), _("{who} uses U-Turn: the turn now goes clockwise.")
    return (
        _("You use U-Turn: the turn now goes anticlockwise."),
        _("{who} uses U-Turn: the turn now goes anticlockwise."),
    )


def _told_next(seat: int, said: dict[str, Any], speak: Speaker) -> str:
    """Who was given the next turn, by a Fast Track or, with two players, a U-Turn."""
    fast = said["icon"] == "fast_track"
    if said["next"] == speak.audience:
        if fast:
            own = _("You use Fast Track: you take the next turn.")
            other = _("{who} uses Fast Track: you take the next turn.")
        else:
            own, other = _("You use U-Turn: you take the next turn."), _("{who} uses U-Turn: you take the next turn.")
    elif fast:
        own = _("You use Fast Track: {next} takes the next turn.")
        other = _("{who} uses Fast Track: {next} takes the next turn.")
    else:
        own, other = _("You use U-Turn: {next} takes the next turn."), _("{who} uses U-Turn: {next} takes the next turn.")
    return speak(seat, own, other, next=speak.people(said["next"]))


def _refund_words(said: dict[str, Any]) -> tuple[str, str]:
    if said["how"] == "redeposit":
        return (
            _("You use Refund: the {number}s go back to the table."),
            _("{who} uses Refund: the {number}s go back to the table."),
        )
    if said["how"] == "write_off":
        return (
            _("You use Refund: the {number}s are out of the game."),
            _("{who} uses Refund: the {number}s are out of the game."),
        )
    if said["bill"] == "w":
        return (
            _("You use Refund: a W of the {number}s comes back to the hand, the rest is out of the game."),
            _("{who} uses Refund: a W of the {number}s comes back to the hand, the rest is out of the game."),
        )
    return (
        _("You use Refund: a {bill} of the {number}s comes back to the hand, the rest is out of the game."),
        _("{who} uses Refund: a {bill} of the {number}s comes back to the hand, the rest is out of the game."),
    )


def _told_call_in(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    if "defer" in said:
        own = _("You use Call-in: the {number}s need not be pushed this turn.")
        other = _("{who} uses Call-in: the {number}s need not be pushed this turn.")
        return [speak(seat, own, other, number=said["defer"])]
    own = _("You use Call-in: {stack}, must be taken by {to:you}.")
    other = _("{who} uses Call-in: {stack}, must be taken by {to:you}.")
    called = speak(seat, own, other, stack=_the_stack(before, said["push"]), to=speak.people(said["to"]))
    return [called, *_told_insured(said, after, speak)]


def _told_audit(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    of = said["of"]
    own = _("You use Audit and ask {asked} for a {number}.")
    other = _("{who} uses Audit and asks {asked:you} for a {number}.")
    lines = [speak(seat, own, other, asked=speak.people(of), number=said["number"])]
    if after.phase != GIVING:
        own = _("You have none and show {asker} the whole hand.")
        other = _("{who} has none and shows {asker:you} the whole hand.")
        lines.append(speak(of, own, other, asker=speak.people(seat)))
        if seat == speak.audience and not knows(before, seat, of):
            lines.append(_("You see {bills}.", bills=terms.bills_in_a_row(hand(after, of)) or _("nothing")))
    return lines


def _told_give(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    to = before.actor if before.phase == GIVING else before.whom
    if before.phase == GIVING:
        own, other = _("You give {payee} {bill}."), _("{who} gives {payee:you} {bill}.")
    elif said["bill"] == "w":
        own, other = _("You give {payee} W back."), _("{who} gives {payee:you} W back.")
    else:
        own, other = _("You give {payee} {bill} back."), _("{who} gives {payee:you} {bill} back.")
    return [speak(seat, own, other, payee=speak.people(to), bill=terms.bill(said["bill"]))]


def _told_skip(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    if before.phase == ICON:
        icon = _(TITLES[ICON_NAMES[before.icon]])
        return [speak(seat, _("You do not use {icon}."), _("{who} does not use {icon}."), icon=icon)]
    if before.phase == PLAYING:
        return [speak(seat, _("You do not play a second bill."), _("{who} does not play a second bill."))]
    return [speak(seat, _("You do not make a forecast."), _("{who} does not make a forecast."))]


# --- the log: shopping ------------------------------------------------------------------------------------------------


def _told_buy(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    parts = [_("the {number}s", number=number) for number in said["pay"]]
    if said.get("coins"):
        parts.append(terms.coins(said["coins"]))
    product = said["product"]
    words = {"product": _(product), "price": listed(parts) or _("nothing")}
    lines = [speak(seat, _("You buy {product} for {price}."), _("{who} buys {product} for {price}."), **words)]
    if product == PRODUCTS[EXCHANGE]:
        bills = terms.bills_in_a_row(bill_name(code) for code in after.reserve[:DRAWN])
        own, other = _("You draw {bills} from the reserve."), _("{who} draws {bills} from the reserve.")
        lines.append(speak(seat, own, other, bills=bills))
    if product == PRODUCTS[RESEARCH] and seat == speak.audience:
        hands = [(speak.names[p], terms.bills_in_a_row(hand(after, p))) for p in range(after.players) if p != seat]
        empty = _("nothing")
        seen = "; ".join(f"{name}: {bills or empty}" for name, bills in hands)
        lines.append(_("You see all hands. {hands}.", hands=seen))
    new = [_(PRODUCTS[k]) for k in after.products[: min(SHELF, after.in_store)] if k not in before.products[:SHELF]]
    if new:
        lines.append(
            ngettext("{products} is for sale now.", "{products} are for sale now.", len(new), products=listed(new))
        )
    return lines


def _told_purchase(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    own = _("You purchase the {number}s from {seller} and give {bill} for them.")
    other = _("{who} purchases the {number}s from {seller:you} and gives {bill} for them.")
    words = {"number": said["stack"], "seller": speak.people(said["from"]), "bill": terms.bill(said["bill"])}
    return [speak(seat, own, other, **words)]


def _told_offer(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    own, other = _("You offer {to} {give} for {get}."), _("{who} offers {to:you} {give} for {get}.")
    return [speak(seat, own, other, to=speak.people(said["to"]), **_sides(after))]


def _sides(s: Any) -> dict[str, str]:
    """Both sides of an offer."""
    return {"give": terms.side(things(s, 0)), "get": terms.side(things(s, 1))}


def _told_accept(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    text = speak(seat, _("You accept: {give} for {get}."), _("{who} accepts: {give} for {get}."), **_sides(before))
    words = _sides(before)
    return [Outcome(text, "card", Side(seat, gave=words["get"]), Side(before.turn, gave=words["give"]))]


def _told_refuse(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    if before.phase != REFUSING:
        return [speak(seat, _("You refuse the offer."), _("{who} refuses the offer."))]
    return [speak(seat, _("You refuse the {number}s."), _("{who} refuses the {number}s."), number=before.pushed - LOW)]


def _told_take(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    text = speak(seat, _("You take {stack}."), _("{who} takes {stack}."), stack=_the_stack(before, before.pushed - LOW))
    return [Outcome(text, "card", _taken(before, seat, before.pushed - LOW))]


def _told_forecast(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    own, other = _("You forecast that a {number} is played next."), _("{who} forecasts that a {number} is played next.")
    return [speak(seat, own, other, number=said["number"])]


_TOLD: dict[str, Any] = {
    "play": _told_play, "claim": _told_claim, "push": _told_push, "end": lambda *_: [], "icon": _told_icon,
    "skip": _told_skip, "give": _told_give, "buy": _told_buy, "purchase": _told_purchase, "offer": _told_offer,
    "accept": _told_accept, "refuse": _told_refuse, "take": _told_take, "forecast": _told_forecast,
}  # fmt: skip


# --- the log: what the rules do ---------------------------------------------------------------------------------------


def _told_consequences(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    """What the rules did by themselves: bills turned face up, a skipped play, the end."""
    lines = []
    taker = _taker(seat, said, after)
    if taker is not None:
        shown = _turned(before, after, taker)
        if shown:
            bills = terms.bills_in_a_row(shown)
            lines.append(speak(taker, _("You turn {bills} face up."), _("{who} turns {bills} face up."), bills=bills))
    if said["do"] == "end" or (before.phase == FORECASTING and after.phase != FORECASTING):
        lines += _told_skipped(after, speak)
    if after.phase == OVER:
        lines += _told_end(after, speak)
    return lines


def _taker(seat: int, said: dict[str, Any], after: Any) -> int | None:
    """Who took a stack by this move and turned bills up."""
    if said["do"] in ("claim", "purchase", "take"):
        return seat
    if (said["do"] == "push" or "push" in said) and after.phase != REFUSING:
        return int(said["to"])
    return None


def _turned(before: Any, after: Any, seat: int) -> list[str]:
    """The bills of a hand that everybody knows now and did not before."""
    counts = [max(0, after.open[seat][k] - before.open[seat][k]) for k in range(KINDS)]
    icons = [after.icons_open[seat][v] & ~before.icons_open[seat][v] for v in range(NUMBERS)]
    return named(counts, icons)


def _told_skipped(after: Any, speak: Speaker) -> list[str]:
    """The next player has nothing to play."""
    if after.phase != WINDOW or after.plays:
        return []
    if after.size[after.turn] == 0:
        return [speak(after.turn, _("You have no bill to play."), _("{who} has no bill to play."))]
    own = _("You have only wild bills and nothing to play them on.")
    return [speak(after.turn, own, _("{who} has only wild bills and nothing to play them on."))]


def _told_end(after: Any, speak: Speaker) -> list[str]:
    won = seats_in(after, rules.winners(after, [0] * after.players))
    if after.won:
        goal = goal_words(after, won[0])
        return [speak(won[0], _("You win with {goal}."), _("{who} wins with {goal}."), goal=goal)]
    why = _("All hands are empty: the match is over.") if after.held == 0 else _("The bell rings: the match is over.")
    if len(won) > 1:
        best = terms.capitalized(_("{who:you} win.", who=speak.people(*won)))
    else:
        best = speak(won[0], _("You win."), _("{who} wins."))
    return [f"{why} {best}"]


def goal_words(s: Any, seat: int) -> str:
    """What a winner has reached, after "with"."""
    if s.money[seat] >= goal_of(s, seat):
        return _("${money}", money=s.money[seat])
    if s.zero_risk and s.zero_bills[seat] >= s.zero_goal:
        return ngettext("{n} zero", "{n} zeros", s.zero_bills[seat])
    return ngettext("stacks of {n} number", "stacks of {n} numbers", s.owns[seat].bit_count())


# --- the question -----------------------------------------------------------------------------------------------------


def question(s: Any, seat: int, names: list[str]) -> str:
    """What is being decided, for one seat (−1: a spectator), in one sentence."""
    if s.phase == OVER:
        return _("The match is over.")
    speak = Speaker(names, seat)
    return _asked(s, speak) if seat == s.asking else _waited_for(s, speak, names[s.asking])


def _asked(s: Any, speak: Speaker) -> str:
    """What the reader is asked."""
    if s.phase == PLAYING:
        return _("Your turn: play a second bill, or none.") if s.plays else _("Your turn: play a bill.")
    if s.phase == WINDOW:
        return _window_question(s, 0, "")
    if s.phase == ICON:
        return _("Use {icon}, or skip it.", icon=_(TITLES[ICON_NAMES[s.icon]]))
    if s.phase == GIVING:
        return _("Give {who} a bill that shows {number}.", who=speak.people(s.actor), number=s.number - LOW)
    if s.phase == RETURNING:
        return _("Give {who} a bill back.", who=speak.people(s.whom))
    if s.phase == REFUSING:
        return _("Take {stack}, or refuse.", stack=_the_stack(s, s.pushed - LOW))
    if s.phase == AGAIN:
        return _("Push the {number}s to somebody else.", number=s.pushed - LOW)
    if s.phase == ANSWERING:
        return _("{who} offers {give} for {get}: accept, or refuse.", who=speak.people(s.actor), **_sides(s))
    return _("Forecast the next number, or not.")


def _waited_for(s: Any, speak: Speaker, who: str) -> str:
    """What somebody else is asked."""
    if s.phase == PLAYING:
        return _("{who} plays a second bill, or none.", who=who) if s.plays else _("{who} plays a bill.", who=who)
    if s.phase == WINDOW:
        return _window_question(s, 1, who)
    if s.phase == ICON:
        return _("{who} may use {icon}.", who=who, icon=_(TITLES[ICON_NAMES[s.icon]]))
    if s.phase == GIVING:
        words = {"who": who, "asker": speak.people(s.actor), "number": s.number - LOW}
        return _("{who} gives {asker:you} a bill that shows {number}.", **words)
    if s.phase == RETURNING:
        return _("{who} gives {to:you} a bill back.", who=who, to=speak.people(s.whom))
    if s.phase == REFUSING:
        return _("{who} takes {stack}, or refuses.", who=who, stack=_the_stack(s, s.pushed - LOW))
    if s.phase == AGAIN:
        return _("{who} pushes the {number}s to somebody else.", who=who, number=s.pushed - LOW)
    if s.phase == ANSWERING:
        own = _("You offer {give} for {get}; {partner} answers.")
        other = _("{who} offers {give} for {get}; {partner} answers.")
        return speak(s.actor, own, other, partner=who, **_sides(s))
    return _("{who} makes a forecast.", who=who)


def _window_question(s: Any, of_another: int, who: str) -> str:
    full = numbers_in(stacks.pushable(s))
    free = not s.done & CLAIMED
    claims = free and stacks.claimable(s, s.turn) != 0
    said = WINDOWS[claims, bool(free and s.shopping_spree), bool(full)][of_another]
    return _(said, who=who, stacks=terms.the_stacks(full))
