"""What the rules of Claim make of a move (core/hooks/mechanisms.py): who may take which stack then, and has how much.

A play is followed by the rest of the turn. All ends that it can have are looked at, without shopping: something good that
one can do follows if one of them has it, all else if all have it. What the others can do is looked at up to one's own next
turn: a stack each may claim, or one that a bill he may hold fills.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from outbid.core import contract
from outbid.core.hooks.contrast import tenths
from outbid.core.hooks.mechanisms import Consequence, Sentences, ended, heaviest
from outbid.core.language.i18n import N_
from outbid.core.language.phrases import listed
from outbid.games.claim.bot import fits, likely
from outbid.games.claim.rules import winners
from outbid.games.claim.stacks import full_at, goal_of, place_of, taken_value
from outbid.games.claim.state import BESIDE, CLAIM, END, LOW, ONE, OVER, PLACES, PLAYING, PUSH, STRICT, WINDOW
from outbid.games.claim.text import _, terms

ENDS = 60  # of a turn that are looked at
WINNING = 100.0
FORCED = ("barred_other",)  # good, but nothing that one can choose at the end of a turn

TEXTS = {
    "wins": N_("That brings {who:you} to ${total}: a victory at once."),
    "wins_so": N_("That is a victory for {who:you} at once."),
    "can_win": N_("This turn the {number}s can bring {who:you} to ${total}: a victory."),
    "can_win_more": N_("This turn {which} together can bring {who:you} to ${total}: a victory."),
    "ahead": N_("The match ends, with a victory for {who:you}."),
    "behind": N_("The match ends, with a victory for {other}."),
    "lets_win": N_("{other} may claim the {number}s, then has ${total} and wins."),
    "fills_win": N_(
        "The next {number} fills the {number}s: {other} (with a {number} in {other_holds} of 10 cases) may take them, then "
        "has ${total} and wins."
    ),
    "fills_win_more": N_(
        "The next {number} fills the {number}s: {other} (with a {number} in {other_holds} of 10 cases) may take {which} and "
        "wins with ${total}."
    ),
    "fills": N_(
        "The next {number} fills the {number}s: {other} (with a {number} in {other_holds} of 10 cases) may take them and "
        "then has ${total}."
    ),
    "fills_held": N_("{other} can fill the {number}s, take them and then has ${total}."),
    "lets_claim": N_("{other} may claim the {number}s for ${value} and then has ${total}."),
    "lets_claim_more": N_(
        "{other} may claim the {number}s for ${value} instead of the {other_number}s for ${other_value}."
    ),
    "takes": N_("The {number}s can bring {who:you} ${value} in this turn."),
    "takes_more": N_("This turn {which} together can bring {who:you} ${value}."),
    "one_stack": N_("With the {number}s, ${need} more is enough: any full stack wins then."),
    "plan": N_(
        "If the {number}s still lie there next turn, {who:your} next {number} fills them and brings ${value}; until then "
        "they are open to {others:you}, too."
    ),
    "plan_wins": N_(
        "If the {number}s still lie there next turn, {who:your} next {number} fills them and makes ${total}: a victory; "
        "until then they are open to {others:you}, too."
    ),
    "barred": N_("That bars {who:you} from any other stack until everybody has {stacks}."),
    "freed": N_("If {other} gets a stack in this turn, everybody has {stacks}, and {who:you} may take stacks again."),
    "barred_other": N_("That bars {other} from any stack until everybody has {stacks}."),
    "only_taker": N_("Then all others are barred, and only {who:you} may take a stack."),
    "number_gone": N_("Taking it bars {who:you} from all other {number}s, and a full stack of them is worth ${full}."),
    "no_filler": N_("That is {who:your} last {number}: only others can then fill the {number}s."),
    "alone": N_("The {number}s, ${value}, can go only to {who:you}: all others have a stack of them."),
    "feeds": N_("That makes the {number}s worth ${value}, and only others may take them."),
    "shows": N_("Everybody then sees {who:your} {bills} of {number}."),
}


def worded(values: Any) -> dict[str, Any]:
    """Numbers as the table writes them, and how many stacks."""
    as_they_are = ("other", "others", "other_holds", "stacks", "bills", "which")
    words = {key: terms.num(value) for key, value in values.items() if key not in as_they_are}
    if "which" in values:
        words["which"] = listed([_("the {number}s", number=terms.num(number)) for number in values["which"]])
    words |= {key: getattr(terms, key)(values[key]) for key in ("stacks", "bills") if key in values}
    words |= {"other_holds": tenths(values["other_holds"] / 100)} if "other_holds" in values else {}
    return {**values, **words}


def card(values: Mapping[str, Any]) -> str:
    """The stack of a number."""
    return f"s{values['number']}@stage" if "number" in values else ""


WINS = ("wins", "wins_so", "can_win", "can_win_more", "ahead", "lets_win", "fills_win", "fills_win_more")
UNASKED = dict.fromkeys((*WINS, "barred", "number_gone"), 0)
THEMES = {
    N_("the victory"): "wins wins_so can_win can_win_more ahead behind won goal one_stack plan_wins",
    N_("what others may take"): "lets_win lets_win_more fills_win fills_win_more fills fills_held lets_claim "
    "lets_claim_more",
    N_("taking stacks"): "takes takes_more plan alone feeds money stacks",
    N_("being barred"): "barred barred_other only_taker freed number_gone",
    N_("cards that are left"): "no_filler shows",
}
SENTENCES = Sentences(_, TEXTS, worded, card, UNASKED, THEMES)


def consequences(before: Any, after: Any, seat: int, actions: Sequence[int]) -> Iterator[Consequence]:
    """What follows from a move."""
    if after.phase == OVER and (after.won >> seat) & 1:
        rich = after.money[seat] >= goal_of(after, seat)
        yield Consequence("wins" if rich else "wins_so", (), True, WINNING, values={"total": after.money[seat]})
        return
    ends = _ends(after, seat)
    if not ends:
        return
    each = [heaviest(_of_an_end(before, end, seat)) for end in ends]
    for key in {key: None for facts in each for key in facts}:
        facts = [facts_of[key] for facts_of in each if key in facts_of]
        if facts[0].good and facts[0].name not in FORCED:
            yield max(facts, key=lambda fact: fact.size)
        elif len(facts) == len(ends):
            yield min(facts, key=lambda fact: fact.weight)


def _ends(after: Any, seat: int) -> list[Any]:
    """The states that a turn can end with, by claims and pushes alone; the state itself if the turn is not one's own."""
    if after.phase == PLAYING and after.asking == seat:
        return []
    open_ones, ends, out = [after], list[Any](), [0] * 400
    while open_ones and len(ends) < ENDS:
        state = open_ones.pop()
        if state.phase != WINDOW or state.asking != seat or contract.midway(state, seat):
            if state not in ends:
                ends.append(state)
            continue
        for action in out[: contract.legal(state, seat, out)]:
            if action == END or CLAIM <= action < PUSH + state.players:
                following = state.copy()
                contract.apply(following, seat, action)
                open_ones.append(following)
    return ends


def _of_an_end(before: Any, end: Any, seat: int) -> Iterator[Consequence]:
    """What follows where a turn ends like this."""
    if end.phase == OVER:
        if (end.won >> seat) & 1 and (stacks := int(end.count[seat] - before.count[seat])):
            place = _taken(before, end, seat)
            values = {"number": place - LOW, "total": end.money[seat], "which": _all_taken(before, end, seat)}
            name, about = ("can_win", (place,)) if stacks == 1 else ("can_win_more", ())
            yield Consequence(name, about, True, WINNING - 1, values=values)
        else:
            yield ended(winners(end, [0] * end.players), seat, WINNING - 2)
        return
    yield from _own(before, end, seat)
    for other in _until_own_turn(end, seat):
        yield from _others(before, end, seat, other)


def _own(before: Any, end: Any, seat: int) -> Iterator[Consequence]:
    gained, need = end.money[seat] - before.money[seat], goal_of(end, seat) - end.money[seat]
    place = _taken(before, end, seat)
    if place >= 0 and gained > 0:
        stacks = int(end.count[seat] - before.count[seat])
        values = {"number": place - LOW, "value": gained, "which": _all_taken(before, end, seat)}
        name = "takes" if stacks == 1 else "takes_more"
        yield Consequence(name, (), True, 9.0 + gained, gained, values, topic="takes")
        every = not end.bad_investment and not end.shopping_spree  # full stacks are worth what fills them, to anybody
        if every and 0 < need <= end.full_threshold < need + gained:
            yield Consequence("one_stack", (), True, 40.0, values={"need": need, "number": place - LOW})
        full = -(-end.full_threshold // max(1, place - LOW)) * (place - LOW)
        if end.diversity_a and place > LOW and gained < full:
            values = {"number": place - LOW, "full": full}
            yield Consequence("number_gone", (), False, 12.0 + 3 * (full - gained), full - gained, values)
    if (before.may >> seat) & 1 and not (end.may >> seat) & 1:
        yield Consequence("barred", (), False, 25.0, values={"stacks": _enough(end, seat)})
    elif not (before.may >> seat) & 1 and (end.may >> seat) & 1:
        for other in (each for each in range(end.players) if each != seat and end.count[each] > before.count[each]):
            yield Consequence("freed", (), True, 35.0, values={"other": other, "stacks": _enough(end, seat)})
    if end.may == 1 << seat != before.may:
        yield Consequence("only_taker", (), True, 37.0)
    for place in _places(end.stacks):
        held, number = end.hands[seat][place], {"number": place - LOW}
        if before.hands[seat][place] and not held and end.value[place] > 0 and end.may & ~(1 << seat):
            yield Consequence("no_filler", (place,), False, 14.0, values=number)
        yield from _planned(end, seat, place, need)
        takers = [other for other in range(end.players) if not (end.owns[other] >> place) & 1]
        if place > LOW and end.diversity_a and takers and end.value[place] > before.value[place]:
            values = number | {"value": end.value[place]}
            if takers == [seat]:
                yield Consequence("alone", (place,), True, 20.0, end.value[place], values)
            elif seat not in takers:
                yield Consequence("feeds", (place,), False, 15.0, end.value[place], values)
    for place in range(ONE, PLACES):
        shown = end.open[seat][place] - before.open[seat][place]
        if shown > 1:
            yield Consequence("shows", (place,), False, 4.0, shown, {"bills": shown, "number": place - LOW})


def _planned(end: Any, seat: int, place: int, need: int) -> Iterator[Consequence]:
    """A stack that the seat can fill in its next turn and that others may take before, unless one wins by that. What is open
    to nobody else needs no hurry."""
    gain = taken_value(end, place) + end.coins_on[place] + place - LOW
    takers = [each for each in range(end.players) if (end.may >> each) & 1 and fits(end, each, place)]
    others = tuple(each for each in takers if each != seat)
    if not others or any(gain >= goal_of(end, each) - end.money[each] for each in others):
        return
    if seat in takers and end.hands[seat][place] and _fillable(end, seat, place):
        values = {"number": place - LOW, "value": gain, "total": end.money[seat] + gain, "others": others}
        name, weight = ("plan_wins", 45.0) if gain >= need else ("plan", 12.0 + gain)
        yield Consequence(name, (), True, weight, gain, values, topic="plan")


def _others(before: Any, end: Any, seat: int, other: int) -> Iterator[Consequence]:
    """What another seat may do until one's own next turn."""
    need = goal_of(end, other) - end.money[other]
    if (before.may >> other) & 1 and not (end.may >> other) & 1:
        yield Consequence("barred_other", (other,), True, 20.0, values={"other": other, "stacks": _enough(end, other)})
    if not (end.may >> other) & 1:
        return
    for place in _places(end.stacks & ~end.closed):
        if not fits(end, other, place):
            continue
        number, value = place - LOW, taken_value(end, place) + end.coins_on[place]
        values = {"number": number, "other": other, "value": value, "total": end.money[other] + value}
        if value >= need:
            if end.count[other] == before.count[other]:
                yield _theirs("lets_win", 90.0, values)
        elif value > 2 and (before.may >> other) & 1:
            yield Consequence("lets_claim", (other,), False, 10.0 + value, value, values, beside="lets_claim_more")
        if number > 0 and _fillable(end, other, place) and (chance := likely(end, seat, other, place)):
            gain = value + number
            values = values | {"value": gain, "total": end.money[other] + gain, "other_holds": chance}
            second = _second(end, other, place)
            more = taken_value(end, second) + end.coins_on[second] if second >= 0 else 0
            if gain >= need:
                yield _theirs("fills_win", 80.0, values)
            elif gain + more >= need:
                which = {"which": (number, second - LOW), "total": end.money[other] + gain + more}
                yield _theirs("fills_win_more", 79.0, values | which)
            elif chance == 100:
                yield _theirs("fills_held", 40.0 + gain, values)
            else:
                yield _theirs("fills", 30.0 + gain, values)


def _theirs(name: str, weight: float, values: Mapping[str, Any]) -> Consequence:
    """A stack that another gets or may get, more or less surely; what matters most of it is compared."""
    return Consequence(name, (values["other"],), False, weight, int(weight), values, topic="theirs")


def _enough(end: Any, seat: int) -> int:
    """How many stacks everybody must have so that a seat may take one again."""
    return int(end.count[seat]) + 1 - int(end.slow_down_gap)


def _taken(before: Any, end: Any, seat: int) -> int:
    """The place of the stack that a seat has taken last; −1 if none."""
    return int(place_of(end, end.row[seat])) if end.count[seat] > before.count[seat] else -1


def _all_taken(before: Any, end: Any, seat: int) -> tuple[int, ...]:
    """The numbers of the stacks that a seat has taken, in order."""
    numbers, top = list[int](), end.row[seat]
    while len(numbers) < end.count[seat] - before.count[seat]:
        numbers.insert(0, int(place_of(end, top)) - LOW)
        top = end.nodes[BESIDE + 4 * top]
    return tuple(numbers)


def _second(end: Any, other: int, place: int) -> int:
    """The place of the dearest other stack that a seat may claim when it has taken one; −1: none, or it may not."""
    enough = end.count[other] + 2 - end.slow_down_gap
    if any(end.count[each] < enough for each in range(end.players) if each != other):
        return -1
    fitting = [each for each in _places(end.stacks & ~end.closed) if each != place and fits(end, other, each)]
    return max(fitting, key=lambda each: taken_value(end, each) + end.coins_on[each], default=-1)


def _fillable(end: Any, seat: int, place: int) -> bool:
    """Whether a seat that plays one more bill of a stack's number fills it, and may be pushed it."""
    if end.diversity_b and end.push_reading == STRICT:
        return False
    turn, end.turn = end.turn, seat
    fills = place > LOW and full_at(end, place, end.value[place] + place - LOW) and not (end.frozen >> place) & 1
    end.turn = turn
    return fills


def _until_own_turn(end: Any, seat: int) -> Iterator[int]:
    """Who moves before the seat does again, the next one first."""
    for k in range(end.players):
        other = (end.turn + end.direction * k) % end.players
        if other == seat or end.turns + 1 + k > end.most_turns:
            return
        yield other


def _places(mask: int) -> Iterator[int]:
    return (place for place in range(PLACES) if (mask >> place) & 1)
