"""A review (review/review.py) in sentences, in the language of the moment, for the terminal and for the page.

Moves are told by name, with what only the one who made them knew: "Ada bids 120." A move that turns over a card nobody
knew, or of which there is nothing to tell, is said as one would type it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbid.bots.hints import DIFFER
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.hooks.contrast import Contrast, blindly, in_points
from outbid.core.hooks.mechanisms import mechanisms, reason
from outbid.core.hooks.review import Laid, Made, bluffs, moves_of, place_of, reshuffler
from outbid.core.language import i18n
from outbid.core.language.i18n import N_, _, ngettext
from outbid.core.language.names import plain, quoted
from outbid.core.language.phrases import decimal, signed
from outbid.core.match import SPECTATOR, Match, hidden
from outbid.review import evaluate

KINDS = {
    evaluate.BEST: N_("best"),
    evaluate.GOOD: N_("good"),
    evaluate.INACCURACY: N_("inaccuracy"),
    evaluate.MISTAKE: N_("mistake"),
    evaluate.BLUNDER: N_("blunder"),
}
PARTS = {"deal": N_("the deal"), "reveals": N_("what was revealed"), "own": N_("own decisions"),
         "others": N_("the others' decisions")}  # fmt: skip
ORDERS = 3  # other orders of the deck in which a move must be told alike


@dataclass(frozen=True)
class Moment:
    """Something worth looking at: the number of the move, from 0; what it was, in a word; what was done, and what of it."""

    number: int
    what: str
    did: str
    said: str


@dataclass(frozen=True)
class Bluffing:
    """One seat's bluffs: how many things it laid unseen, how many were bluffs, how many worked; and each bluff."""

    name: str
    laid: int
    bluffs: int
    worked: int | None
    each: tuple[Laid, ...]


class Teller:
    """Sentences about the review of a match, with names set apart (core/language/names.py)."""

    def __init__(self, match: Match, review: Mapping[str, Any]):
        self.match, self.review = match, review
        self.book = match.rulebook
        self.names = match.marked
        self.moves = moves_of(match)

    def did(self, number: int, reader: int = SPECTATOR) -> str:
        """What was done; reader: the seat that reads, to which its own moves are told as its own."""
        move = self.moves[number]
        return self._told(move, move.said, move.after, reader)

    def could(self, number: int, entry: dict[str, Any], reader: int = SPECTATOR) -> str:
        """What the seat might have done instead."""
        move = self.moves[number]
        after = self._after(move.before, move, entry)
        first = self._told(move, entry, after, reader)
        reshuffle = reshuffler(self.book)
        for order in range(ORDERS if reshuffle else 0):
            assert reshuffle
            world = move.before.copy()
            reshuffle(world, stream(number, order))
            if self._told(move, entry, self._after(world, move, entry), reader) != first:
                return self._typed(move, entry, reader)
        return first

    def _after(self, before: Any, move: Made, entry: dict[str, Any]) -> Any:
        after = before.copy()
        for action in self.book.words.steps(after, place_of(move.seat), entry):
            contract.apply(after, place_of(move.seat), action)
        return after

    def _told(self, move: Made, entry: dict[str, Any], after: Any, reader: int) -> str:
        before, then = (hidden(state, SPECTATOR if move.seat is None else move.seat) for state in (move.before, after))
        audience = reader if reader == move.seat else SPECTATOR
        lines = self.book.words.told(before, place_of(move.seat), entry, then, audience, self.names)
        return lines[0] if lines else self._typed(move, entry, reader)

    def _typed(self, move: Made, entry: dict[str, Any], reader: int) -> str:
        sentence = blindly(self.book, entry, move.seat, self.names, reader) if move.seat is not None else ""
        if sentence:
            return sentence
        who = _("The clock") if move.seat is None else self.names[move.seat]
        return _("{who}: “{move}”.", who=who, move=self.book.words.text(entry))

    def loss(self, decision: Mapping[str, Any]) -> str:
        """What was better than a decision, how much it lost and why; empty if it lost nothing."""
        if not decision["better"]:
            return ""
        better = self.could(decision["move"], decision["better"])
        facts = {"better": better, "cost": self.cost(decision), "why": self.why(decision)}
        return _("Better: {better} {cost} {why}", **facts).strip()

    def cost(self, decision: Mapping[str, Any]) -> str:
        """How much a decision lost, as a sentence."""
        if decision.get("fewer"):
            return _(
                "The chance to win hardly depended on it; it cost {points}.", points=in_points(self.book, decision["fewer"])
            )
        whole = int(100 * decision["loss"] + 1e-9)  # rounded down, as classes are bounded: what is below 6 % is not "6 %"
        return _("That was {points} % less chance to win.", points=whole)

    def why(self, decision: Mapping[str, Any], reader: int = SPECTATOR) -> str:
        """The mechanisms by which the better move is better, and what it leads to and the one that was made does not; else
        why the game's own player would make it; and that the judges differ, where they do."""
        differ = "" if decision.get("agreed", True) else _(DIFFER)
        stored, course, after = decision.get("contrast"), self.review.get("course", ()), decision["move"] + 1
        chances = next((point["chances"] for point in course if (point["move"], point["kind"]) == (after, "move")), None)
        contrast = Contrast.of_json(decision["seat"], stored) if stored else None
        if contrast:
            contrast = contrast.beside(self.book, decision["loss"], chances)
        gains, costs = self._reason(decision, reader, contrast)
        if gains or costs:
            better = _("With the better move: {facts}", facts=gains) if gains else ""
            return " ".join(filter(None, (better, costs, differ)))
        why = i18n.chosen(decision["why"])
        return differ or (_("Why: “{why}”", why=why) if why else "")

    def theme(self, decision: Mapping[str, Any]) -> str:
        """What kind of decision it was: the name of the mechanism that matters most, else what was done."""
        move, moves = self.moves[decision["move"]], self._both(decision)
        matter = mechanisms(self.book, move.before, decision["seat"], *moves)
        return matter[0].consequence.name if matter else str(move.said.get("do"))

    def _both(self, decision: Mapping[str, Any]) -> tuple[list[int], list[int]]:
        """The better move and the one that was made, as action ids."""
        move, steps = self.moves[decision["move"]], self.book.words.steps
        better, actual = (list(steps(move.before, decision["seat"], entry)) for entry in (decision["better"], move.said))
        return better, actual

    def _reason(self, decision: Mapping[str, Any], reader: int, contrast: Contrast | None) -> tuple[str, str]:
        state, seat, moves = self.moves[decision["move"]].before, decision["seat"], self._both(decision)
        return reason(self.book, state, seat, moves, self.names, reader if reader == seat else SPECTATOR, contrast)

    def moments(self) -> list[Moment]:
        """The moments, in the order of the match."""
        moments = []
        decisions = {decision["move"]: decision for decision in self.review.get("decisions", ())}
        for moment in self.review.get("moments", ()):
            number, what = moment["move"], moment["what"]
            if what == "loss":
                kind, sentence = classed(decisions[number]), self.loss(decisions[number])
            else:
                kind = _("luck") if what == "luck" else _("turning point")
                sentence = self._changed(number, what)
            moments.append(Moment(number, kind, self.did(number), sentence))
        return moments

    def _changed(self, number: int, what: str) -> str:
        """Who gained most and who lost most by a move or by what it revealed."""
        points = self.review["course"]
        wanted = "reveal" if what == "luck" else "move"
        at = next(n for n, point in enumerate(points) if point["move"] == number + 1 and point["kind"] == wanted)
        was, now = points[at - 1]["chances"], points[at]["chances"]
        change = [b - a for a, b in zip(was, now, strict=True)]
        up, down = change.index(max(change)), change.index(min(change))
        facts = {"up": self.names[up], "was": _percent(was[up]), "now": _percent(now[up])}
        facts |= {"down": self.names[down], "before": _percent(was[down]), "after": _percent(now[down])}
        if what == "luck":
            return _("What it revealed took {up} from {was} to {now} %, and {down} from {before} to {after} %.", **facts)
        return _("It took {up} from {was} to {now} %, and {down} from {before} to {after} %.", **facts)

    def bluffing(self) -> list[Bluffing]:
        """The bluffs of each seat; empty where a game knows none, or nobody laid anything unseen."""
        laid = bluffs(self.book, self.moves) or []
        rows = []
        for seat, name in enumerate(self.names):
            own = [one for one in laid if one.seat == seat]
            each = tuple(one for one in own if one.bluff)
            known = [one.worked for one in each if one.worked is not None]
            rows.append(Bluffing(name, len(own), len(each), sum(known) if known else None, each))
        return rows if laid else []

    def counts(self, seat: int) -> dict[str, int]:
        """How many decisions of a seat there are of each class, the best first."""
        counted = Counter(decision["class"] for decision in self.review.get("decisions", ()) if decision["seat"] == seat)
        return {name: counted[name] for name, _below in evaluate.CLASSES}


def classed(decision: Mapping[str, Any]) -> str:
    """The class of a decision, in a word."""
    key = decision["class"]
    return _(KINDS[key])


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


def as_text(teller: Teller) -> str:
    """The review for a terminal."""
    review = teller.review
    seats = range(len(teller.names))
    lines = [ngettext("{game}, {n} move", "{game}, {n} moves", len(teller.moves), game=teller.book.title), ""]
    names = [quoted(name) for name in teller.match.names]
    played = [["", _("result"), _("accuracy"), *(_(words) for words in KINDS.values())]]
    luck = [["", *(_(words) for words in PARTS.values())]]
    for seat in seats:
        accuracy = review["accuracy"][seat]
        result = f"{100 * review['result'][seat]:.0f} %"
        shown = "–" if accuracy is None else decimal(f"{accuracy:.1f}")
        played.append([names[seat], result, shown, *map(str, teller.counts(seat).values())])
        luck.append([names[seat], *(signed(100 * review["luck"][seat][name]) for name in PARTS)])
    lines += _table(played)
    equal = decimal(f"{100 / len(seats):.1f}")
    lines += ["", _("Luck and skill in percent of the victory; an equal share is {equal} %.", equal=equal), *_table(luck)]
    lines += ["", *_moments(teller)]
    for bluffing in teller.bluffing():
        lines += _bluffs(bluffing)
    return plain("\n".join(lines)).rstrip()


def _moments(teller: Teller) -> list[str]:
    lines = [_("Worth looking at:")]
    for moment in teller.moments():
        place = _("move {n}", n=moment.number + 1)
        lines += [f"  {place}: {moment.did} [{moment.what}]", f"      {moment.said}"]
    return lines if len(lines) > 1 else []


def _bluffs(own: Bluffing) -> list[str]:
    facts = {"name": own.name, "laid": own.laid}
    rows = ["", ngettext("{name} laid {laid} unseen, {n} of them a bluff.", "{name} laid {laid} unseen, {n} of them bluffs.",
                         own.bluffs, **facts)]  # fmt: skip
    for laid in own.each:
        fate = "" if laid.worked is None else _("worked") if laid.worked else _("did not work")
        place = _("move {n}", n=laid.number + 1)
        rows.append(f"  {place}: {laid.text}{f' ({fate})' if fate else ''}")
    return rows if own.laid else []


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    first, *others = widths
    return ["  ".join([row[0].ljust(first), *(map(str.rjust, row[1:], others))]) for row in rows]
