"""What a seat is told of Claim: the board, the log and the question of the moment in words. Plain Python.

Made from states already hidden for the audience; every move of this game is public.
"""

from __future__ import annotations

from typing import Any

from outbid.engine.speech import Speaker, listed
from outbid.games.claim import rules, stacks
from outbid.games.claim.hidden import knows
from outbid.games.claim.state import (
    AGAIN, ANSWERING, CLAIMED, FORECAST, FORECASTING, GIVING, ICON, ICON_NAMES, KINDS, LOW, NOBODY, NUMBERS, OVER,
    PLAYING, PRODUCTS, REFUSING, RESEARCH, RETURNING, SHELF, WINDOW,
)  # fmt: skip
from outbid.games.claim.views import bill_name, goal_of, hand, named, numbers_in, seats_in, things, view

TITLES = dict(
    zip(ICON_NAMES, ("Vault", "Fast Track", "U-Turn", "Dividend", "Audit", "Refund", "Call-in", "Merger"), strict=True)
)


def board(s: Any, seat: int, names: list[str]) -> str:
    """The table in lines of text, as a seat sees it, from a state hidden for it."""
    seen = view(s, seat)
    lines = [f"Turn {seen['turns'] + 1} of at most {seen['most_turns']}. On the table:"]
    for stack in seen["stacks"]:
        marks = [word for word in ("full", "closed", "frozen") if stack[word]]
        marks += [f"{stack['coins']} coins"] if stack["coins"] else []
        lines.append(f"  {stack['number']}s worth {stack['value']}: {' '.join(stack['bills'])}"
                     + (f" ({', '.join(marks)})" if marks else ""))  # fmt: skip
    if not seen["stacks"]:
        lines.append("  nothing")
    for p, player in enumerate(seen["players"]):
        kept = "covered" if player["row"] is None else ", ".join(_stack_words(stack) for stack in player["row"]) or "none"
        known = player["known"] if player["known"] is not None and p != seat else player["open"]
        parts = [f"{player['count']} stacks ({kept})", f"{player['hand']} bills"]
        parts += [] if player["money"] is None else [f"{player['money']} of {player['goal']} money"]
        parts += [f"{player['coins']} coins"] if player["coins"] else []
        parts += [f"{player['zeros']} zeros"] if player["zeros"] else []
        parts += [f"known: {' '.join(known)}"] if known and p != seat else []
        parts += [", ".join(player["products"])] if player["products"] else []
        lines.append(f"{'* ' if p == s.turn else '  '}{names[p]}: {', '.join(parts)}.")
    if seen.get("shelf"):
        lines.append("For sale: " + ", ".join(f"{one['product']} for {one['price']}" for one in seen["shelf"]) + ".")
    if seat >= 0:
        lines.append(f"Your hand: {' '.join(seen['hand']) or 'empty'}.")
    return "\n".join(lines)


def _stack_words(stack: dict[str, Any]) -> str:
    """ "3s worth 6"."""
    return f"{stack['number']}s worth {stack['value']}"


def seats_words(seats: list[int]) -> str:
    """ "seat 1", "seats 0 and 2", "nobody"."""
    if not seats:
        return "nobody"
    return f"seat{'s' if len(seats) > 1 else ''} {listed([str(seat) for seat in seats])}"


def coins_words(n: int) -> str:
    """ "1 coin", "2 coins"."""
    return "1 coin" if n == 1 else f"{n} coins"


def bill_words(name: str) -> str:
    """ "3", "W", "3 with Vault"."""
    number, _, icon = name.partition(":")
    return f"{number.upper()} with {TITLES[icon]}" if icon else number.upper()


def bills_words(names: list[str]) -> str:
    """Bills in a row: "1, 3 with Vault and W"."""
    return listed([bill_words(name) for name in names])


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
    upright = f" as {said['as']}" if "as" in said else ""
    if on is None or not before.stacks >> int(on) + LOW & 1:
        where = ": a new stack"
    elif "on" in said and "as" in said and on != said["as"]:
        where = f" on the {on}s, which are {said['as']}s now"
    else:
        where = f" on the {on}s" if "on" in said or "as" in said else ""
    place = int(said.get("as", on if on is not None else 0)) + LOW
    worth = f" (worth {after.value[place]})" if after.stacks >> place & 1 and where != ": a new stack" else ""
    lines = [f"{speak.does(seat, 'play', 'plays')} {bill_words(said['bill'])}{upright}{where}{worth}."]
    if after.full >> place & 1 and not before.full >> place & 1:
        lines.append(f"The {place - LOW}s are full.")
    if before.forecast == place:
        owner = next(p for p in range(before.players) if stacks.has(before, p, FORECAST))
        lines.append(f"{speak.does(owner, 'have', 'has')} forecast it and {speak.then(owner, 'take', 'takes')} a coin.")
    return lines


def _told_claim(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    return [f"{speak.does(seat, 'claim', 'claims')} {_the_stack(before, said['stack'])}."]


def _the_stack(s: Any, number: int) -> str:
    """ "the 3s, worth 3", with the coins that lie on them."""
    place = number + LOW
    coins = f" and {coins_words(s.coins_on[place])}" if s.coins_on[place] else ""
    return f"the {number}s, worth {s.value[place]}{coins}"


def _told_push(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    to = speak.whom(said["to"])
    if said["to"] == seat:
        to = "yourself" if seat == speak.audience else "themselves"
    lines = [f"{speak.does(seat, 'push', 'pushes')} {_the_stack(before, said['stack'])}, to {to}."]
    if not stacks.able(before, said["stack"] + LOW):
        lines.append("Nobody could claim them.")
    if after.phase == REFUSING:
        lines.append(f"{speak.does(said['to'], 'are', 'is')} insured and may refuse.")
    return lines


def _told_icon(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    icon = said["icon"]
    use = f"{speak.does(seat, 'use', 'uses')} {TITLES[icon]}"
    if icon == "vault":
        effect = "nobody can take them" if said["lock"] == "closed" else "nothing may be added to them"
        return [f"{use}: the {said['stack']}s are {said['lock']}, {effect}."]
    if "next" in said:
        return [f"{use}: {speak.then(said['next'], 'take', 'takes')} the next turn."]
    if icon == "u_turn":
        return [f"{use}: the turn now goes {'clockwise' if after.direction > 0 else 'anticlockwise'}."]
    if icon == "dividend":
        where = "a coin" if before.icon_place == NOBODY else f"a coin on the {before.icon_place - LOW}s"
        return [f"{use}: {where}."]
    if icon == "refund":
        return [_told_refund(use, said)]
    if icon == "call_in":
        if "defer" in said:
            return [f"{use}: the {said['defer']}s need not be pushed this turn."]
        lines = [f"{use}: {_the_stack(before, said['push'])}, must be taken by {speak.whom(said['to'])}."]
        if after.phase == REFUSING:
            lines.append(f"{speak.does(said['to'], 'are', 'is')} insured and may refuse.")
        return lines
    if icon == "merger":
        return [f"{use}: the top bill of the {said['from']}s goes onto the {said['onto']}s, which are {said['from']}s now."]
    return _told_audit(use, before, seat, said, after, speak)


def _told_refund(use: str, said: dict[str, Any]) -> str:
    number = said["stack"]
    if said["how"] == "withdraw":
        return f"{use}: a {bill_words(said['bill'])} of the {number}s comes back to the hand, the rest is out of the game."
    where = "go back to the table" if said["how"] == "redeposit" else "are out of the game"
    return f"{use}: the {number}s {where}."


def _told_audit(use: str, before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    of = said["of"]
    lines = [f"{use} and {'ask' if seat == speak.audience else 'asks'} {speak.whom(of)} for a {said['number']}."]
    if after.phase != GIVING:
        lines.append(f"{speak.does(of, 'have', 'has')} none and {'show' if of == speak.audience else 'shows'} "
                     f"{speak.whom(seat)} the whole hand.")  # fmt: skip
        if seat == speak.audience and not knows(before, seat, of):
            lines.append(f"You see {bills_words(hand(after, of)) or 'nothing'}.")
    return lines


def _told_give(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    to = before.actor if before.phase == GIVING else before.whom
    back = " back" if before.phase == RETURNING else ""
    return [f"{speak.does(seat, 'give', 'gives')} {speak.whom(to)} {bill_words(said['bill'])}{back}."]


def _told_skip(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    if before.phase == ICON:
        return [f"{speak.does(seat, 'do', 'does')} not use {TITLES[ICON_NAMES[before.icon]]}."]
    what = "play a second bill" if before.phase == PLAYING else "make a forecast"
    return [f"{speak.does(seat, 'do', 'does')} not {what}."]


def _told_buy(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    parts = [f"the {number}s" for number in said["pay"]]
    if said.get("coins"):
        parts.append(coins_words(said["coins"]))
    lines = [f"{speak.does(seat, 'buy', 'buys')} {said['product']} for {listed(parts) or 'nothing'}."]
    if said["product"] == "Foreign Exchange":
        bills = [bill_words(bill_name(code)) for code in after.reserve[:2]]
        lines.append(f"{speak.does(seat, 'draw', 'draws')} {listed(bills)} from the reserve.")
    if said["product"] == PRODUCTS[RESEARCH] and seat == speak.audience:
        seen = [f"{speak.names[p]}: {bills_words(hand(after, p)) or 'nothing'}" for p in range(after.players) if p != seat]
        lines.append(f"You see all hands. {'; '.join(seen)}.")
    new = [PRODUCTS[k] for k in after.products[: min(SHELF, after.in_store)] if k not in before.products[:SHELF]]
    if new:
        lines.append(f"{listed(new)} is for sale now.")
    return lines


def _told_purchase(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    give = "give" if seat == speak.audience else "gives"
    return [
        f"{speak.does(seat, 'purchase', 'purchases')} the {said['stack']}s from {speak.whom(said['from'])} "
        f"and {give} {bill_words(said['bill'])} for them."
    ]


def _told_offer(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    give, get = (_side_words(things(after, side)) for side in (0, 1))
    return [f"{speak.does(seat, 'offer', 'offers')} {speak.whom(said['to'])} {give} for {get}."]


def _side_words(side: dict[str, Any]) -> str:
    parts = [*map(bill_words, side["bills"]), *(f"the {number}s" for number in side["stacks"])]
    if side["coins"]:
        parts.append(coins_words(side["coins"]))
    return listed(parts) or "nothing"


def _told_accept(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    give, get = (_side_words(things(before, side)) for side in (0, 1))
    return [f"{speak.does(seat, 'accept', 'accepts')}: {give} for {get}."]


def _told_refuse(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    what = f"the {before.pushed - LOW}s" if before.phase == REFUSING else "the offer"
    return [f"{speak.does(seat, 'refuse', 'refuses')} {what}."]


def _told_take(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    return [f"{speak.does(seat, 'take', 'takes')} {_the_stack(before, before.pushed - LOW)}."]


def _told_forecast(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    return [f"{speak.does(seat, 'forecast', 'forecasts')} that a {said['number']} is played next."]


_TOLD: dict[str, Any] = {
    "play": _told_play, "claim": _told_claim, "push": _told_push, "end": lambda *_: [], "icon": _told_icon,
    "skip": _told_skip, "give": _told_give, "buy": _told_buy, "purchase": _told_purchase, "offer": _told_offer,
    "accept": _told_accept, "refuse": _told_refuse, "take": _told_take, "forecast": _told_forecast,
}  # fmt: skip


def _told_consequences(before: Any, seat: int, said: dict[str, Any], after: Any, speak: Speaker) -> list[str]:
    """What the rules did by themselves: bills turned face up, a skipped play, the end."""
    lines = []
    taker = _taker(before, seat, said, after)
    if taker is not None:
        shown = _turned(before, after, taker)
        if shown:
            lines.append(f"{speak.does(taker, 'turn', 'turns')} {bills_words(shown)} face up.")
    if said["do"] == "end" or (before.phase == FORECASTING and after.phase != FORECASTING):
        lines += _told_skipped(after, speak)
    if after.phase == OVER:
        lines += _told_end(after, speak)
    return lines


def _taker(before: Any, seat: int, said: dict[str, Any], after: Any) -> int | None:
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
        return [f"{speak.does(after.turn, 'have', 'has')} no bill to play."]
    return [f"{speak.does(after.turn, 'have', 'has')} only wild bills and nothing to play them on."]


def _told_end(after: Any, speak: Speaker) -> list[str]:
    points = [0] * after.players
    won = seats_in(after, rules.winners(after, points))
    if after.won:
        return [f"{speak.does(won[0], 'win', 'wins')} with {_goal_words(after, won[0])}."]
    why = "All hands are empty" if after.held == 0 else "The bell rings"
    return [f"{why}: the match is over. {listed([speak.who(p) for p in won])} {'win' if len(won) > 1 else 'wins'}."]


def _goal_words(s: Any, seat: int) -> str:
    """What a winner has reached."""
    if s.money[seat] >= goal_of(s, seat):
        return f"{s.money[seat]} money"
    if s.zero_risk and s.zero_bills[seat] >= s.zero_goal:
        return f"{s.zero_bills[seat]} zeros"
    return f"stacks of {s.owns[seat].bit_count()} numbers"


def question(s: Any, seat: int, names: list[str]) -> str:
    """What is being decided, for one seat (−1: a spectator), in one sentence."""
    speak = Speaker(names, seat)
    if s.phase == OVER:
        return "The match is over."
    mine = seat == s.asking
    who = names[s.asking]
    if s.phase == PLAYING:
        second = "a second bill, or none" if s.plays else "a bill"
        return f"Your turn: play {second}." if mine else f"{who} plays {second}."
    if s.phase == WINDOW:
        return _window_question(s, mine, who)
    if s.phase == ICON:
        title = TITLES[ICON_NAMES[s.icon]]
        return f"Use {title}, or skip it." if mine else f"{who} may use {title}."
    if s.phase == GIVING:
        asker = speak.whom(s.actor)
        if mine:
            return f"Give {asker} a bill that shows {s.number - LOW}."
        return f"{who} gives {asker} a bill that shows {s.number - LOW}."
    if s.phase == RETURNING:
        return f"Give {speak.whom(s.whom)} a bill back." if mine else f"{who} gives {speak.whom(s.whom)} a bill back."
    if s.phase == REFUSING:
        what = _the_stack(s, s.pushed - LOW)
        return f"Take {what}, or refuse." if mine else f"{who} takes {what}, or refuses."
    if s.phase == AGAIN:
        what = f"the {s.pushed - LOW}s"
        return f"Push {what} to somebody else." if mine else f"{who} pushes {what} to somebody else."
    if s.phase == ANSWERING:
        give, get = (_side_words(things(s, side)) for side in (0, 1))
        offer = f"{names[s.actor]} offers {give} for {get}" if s.actor != seat else f"You offer {give} for {get}"
        return f"{offer}: accept, or refuse." if mine else f"{offer}; {who} answers."
    return "Forecast the next number, or not." if mine else f"{who} makes a forecast."


def _window_question(s: Any, mine: bool, who: str) -> str:
    full = numbers_in(stacks.pushable(s))
    claims = [] if s.done & CLAIMED else numbers_in(stacks.claimable(s, s.turn))
    parts = []
    if claims:
        parts.append("claim a stack" if mine else "may claim a stack")
    if s.shopping_spree and not s.done & CLAIMED:
        parts.append("go shopping" if mine or parts else "may go shopping")
    if full:
        stacks_ = listed([f"the {number}s" for number in full])
        parts.append(f"push {stacks_}" if mine else f"must push {stacks_}")
    elif mine or not parts:
        parts.append("end your turn" if mine else "ends the turn")
    sentence = ", or ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}." if mine else f"{who} {sentence}."
