"""What the rules of Rivals make of a move (core/hooks/mechanisms.py): what the display brings to whom, how much
gold a bid takes, which bonus is reached, what a handshake multiplies, and which cards no expedition can take any more."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from outbid.core.hooks.contrast import points
from outbid.core.hooks.mechanisms import Consequence, Sentences, ended
from outbid.core.language.i18n import N_
from outbid.games.rivals.hooks.contrast import TRIPS
from outbid.games.rivals.hidden import undrawn
from outbid.games.rivals.rules import can_lay, drop, score, take, winners
from outbid.games.rivals.state import BID, COLOURS, HUES, OVER, RANKS, REMOVE, TAKE, TURN
from outbid.games.rivals.text import _

TEXTS = {
    "ahead": N_("The last card ends the match, with a victory for {who:you}."),
    "behind": N_("The last card ends the match, with a victory for {other}."),
    "worth": N_("The display can bring {who:you} {points} for {bid} gold."),
    "worth_more": N_("The display can bring {who:you} {points} for {bid} gold instead of {other_bid}."),
    "dear": N_("The display brings {who:you} only {points} at once, for {bid} gold."),
    "dear_more": N_("The display brings {who:you} only {points} at once, for {bid} gold instead of {other_bid}."),
    "hasty": N_(
        "That spends {bid} of {who:your} {gold} gold with {left} cards still to come; none comes back before the end."
    ),
    "hasty_more": N_(
        "That spends {bid} of {who:your} {gold} gold instead of {other_bid} with {left} cards still to come; none comes "
        "back before the end."
    ),
    "leaves": N_("{other} can take {points} from the display for {bid} gold."),
    "leaves_open": N_("{other} has {gold} gold and can get {points} from the display."),
    "bonus_other": N_("{other} can reach the bonus of {trip} with the display."),
    "takes": N_("These cards bring {who:you} {points} in all."),
    "takes_more": N_("These cards bring {who:you} {points} in all instead of {other_gain}."),
    "bonus": N_("That brings {who:you} the bonus of {trip}: {points}."),
    "shakes": N_("A handshake multiplies {trip} by {times}, with all that still joins it."),
    "bars": N_("It shuts {shut} lower numbers still to come out of {who:your} expeditions."),
    "bars_more": N_("It shuts {shut} lower numbers still to come out of {who:your} expeditions instead of {other_shut}."),
    "no_wager": N_(
        "It shuts {shut} handshakes still to come out of {who:your} expeditions, as none goes behind a number."
    ),
    "no_wager_more": N_(
        "It shuts {shut} handshakes still to come out of {who:your} expeditions instead of {other_shut}, as none goes "
        "behind a number."
    ),
    "denies": N_("That leaves {points} less for {other} in the display."),
    "loses": N_("That leaves {points} less for {who:you} in the display."),
}


def worded(values: Mapping[str, Any]) -> dict[str, Any]:
    """Points in words, and expeditions by name."""
    words, hue = dict(values), values.get("hue")
    words |= {"points": points(str(values["points"]))} if "points" in values else {}
    return words | ({} if hue is None else {"trip": _(TRIPS[hue])})


def card(values: Mapping[str, Any]) -> str:
    """The cards of a colour."""
    return COLOURS[values["hue"]] if "hue" in values else ""


UNASKED = dict.fromkeys(("ahead", "behind", "dear", "dear_more", "bonus"), 0)
THEMES = {
    N_("the end of the match"): "ahead behind won",
    N_("what a display is worth"): "worth worth_more dear dear_more hasty hasty_more points gold",
    N_("what others can get"): "leaves leaves_open bonus_other denies loses",
    N_("bonuses"): "bonus",
    N_("expeditions"): "takes takes_more trip shakes bars bars_more no_wager no_wager_more",
}
EARLY = 4 / 3  # while more than three quarters of the deck are still to come, every bid of the puzzles was the worse move

SENTENCES = Sentences(_, TEXTS, worded, card, UNASKED, THEMES)


def consequences(before: Any, after: Any, seat: int, actions: Sequence[int]) -> Iterator[Consequence]:
    """What follows from a move, by what was decided."""
    if before.phase in (TURN, BID):
        yield from _bidden(before, after, seat)
    elif before.phase == TAKE:
        yield from _taken(before, after, seat)
    elif before.phase == REMOVE:
        yield from _removed(before, after, seat)
    if after.phase == OVER:
        yield ended(winners(after, [0] * after.players), seat, 98.0)


def _bidden(before: Any, after: Any, seat: int) -> Iterator[Consequence]:
    left = before.size - before.drawn
    early = EARLY * left > before.size
    if after.leader == seat:
        bid, gain = after.bid, _haul(before, seat)
        name, weight = ("worth", 14.0 * (not early)) if gain > bid else ("dear", 36.0)
        values = {"points": gain, "bid": bid, "gold": before.gold[seat], "left": left}
        least = 2 if gain > bid else 1  # who bids 1 more is outbid less
        yield Consequence(name, (), gain > bid, weight, abs(gain - bid), values, beside=f"{name}_more", least=least)
        if early and not before.pile_distribution:
            yield Consequence("hasty", (), False, 20.0, bid, values, beside="hasty_more")
        return
    if after.phase == OVER or early:
        return
    opener = before.phase == TURN
    bid = before.opening_bid if opener else before.bid
    able = [other for other in range(before.players) if other != seat and before.gold[other] >= bid]
    other = max(able, key=lambda each: before.gold[each], default=seat) if opener else before.leader
    gain = _haul(before, other)
    if gain > bid and other != seat:
        values = {"other": other, "points": gain, "bid": bid, "gold": before.gold[other]}
        name = "leaves_open" if opener else "leaves"
        yield Consequence(name, (other,), False, 15.0 + gain - bid, gain, values, topic="leaves")
        for hue in _bonuses(before, _after_haul(before, other), other):
            yield Consequence("bonus_other", (other, hue), False, 32.0, values={"other": other, "hue": hue})


def _taken(before: Any, after: Any, seat: int) -> Iterator[Consequence]:
    gain, numbers, wagers = _laid_points(after, seat) - _laid_points(before, seat), 0, 0
    for hue in range(HUES):
        was, top, first = before.top[seat][hue], after.top[seat][hue], RANKS * hue
        if top > was and after.gold[seat]:  # what no expedition can take is of no matter to who can buy nothing
            numbers += sum(undrawn(before, card) for card in range(first + max(1, was), first + top))
            wagers += undrawn(before, first) if was == 0 else 0
    if gain:
        weight, values = (15.0 + gain) * (gain >= numbers), {"points": gain, "gain": gain}
        yield Consequence("takes", (), True, weight, gain, values, beside="takes_more")
    for name, weight, shut, least in (("bars", 13.0, numbers, 3), ("no_wager", 12.0, wagers, 2)):
        if shut:
            yield Consequence(name, (), False, weight * (shut >= least), shut, {"shut": shut}, "", f"{name}_more", least)
    for hue in _bonuses(before, after, seat):
        yield Consequence("bonus", (hue,), True, 40.0, values={"hue": hue, "points": after.bonus})
    for hue in range(HUES):
        if (shakes := after.shakes[seat][hue]) > before.shakes[seat][hue]:
            yield Consequence("shakes", (hue,), True, 14.0, shakes, {"hue": hue, "times": shakes + 1})


def _removed(before: Any, after: Any, seat: int) -> Iterator[Consequence]:
    shown, fresh = after.copy(), after.deck[before.drawn]
    if fresh in shown.display[: shown.lying]:
        drop(shown, shown.display.index(fresh))
    for other in range(before.players):
        less = _haul(before, other) - _haul(shown, other)
        if less > 0:
            values = {"other": other, "points": less}
            good = other != seat
            yield Consequence("denies" if good else "loses", (other,) if good else (), good, 14.0 + less, less, values)


def _after_haul(s: Any, seat: int) -> Any:
    """The state after a seat has taken all that it can lay of the display."""
    then = s.copy()
    then.next = then.taken = 0
    for card in list(s.display[: s.lying]):
        if can_lay(then, seat, card):
            then.next = 0
            take(then, seat, card)
    return then


def _haul(s: Any, seat: int) -> int:
    """The points that all it can lay of the display brings a seat."""
    return _laid_points(_after_haul(s, seat), seat) - _laid_points(s, seat)


def _laid_points(s: Any, seat: int) -> int:
    totals = [0] * s.players
    score(s, totals)
    return int(totals[seat] - s.gold[seat])


def _bonuses(before: Any, after: Any, seat: int) -> Iterator[int]:
    """The expeditions that reach the bonus."""
    need = before.bonus_cards
    return (hue for hue in range(HUES) if before.numbers[seat][hue] < need <= after.numbers[seat][hue])
