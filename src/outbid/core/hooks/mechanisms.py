"""Why one move is better than another, as mechanisms of the rules: a module `hooks/mechanisms.py` in a game's folder, plain
Python. The other kind of reason is what the two moves lead to at the end (hooks/contrast.py).

    consequences(before, after, seat, actions) -> Iterable[Consequence]    what the rules make of one move of a seat, on
                                 the position and a few plies ahead; before, after: the states, hidden for the seat
    SENTENCES: Sentences         what each consequence is called, and how it is told
    cheaper(before, after, seat, actions) -> dict | None    the move that surely brings the same as another for clearly less;
                                 it may be missing

Each of two moves is made in a few worlds that agree with what the seat knows, and the state is hidden again: what does not
follow in all of them is not certain, and not told. So no sentence depends on what the seat cannot know. A consequence is
good or bad for the seat that moves. Those of both moves are compared: only what differs is told, and only what speaks for
the better move: a good one that it has, or has more of, and a bad one of the worse move ("Otherwise: …"). What the other
move does to another seat alike is no argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.hooks.contrast import Contrast, Key
from outbid.core.language.i18n import N_, _
from outbid.core.language.phrases import Speaker
from outbid.core.match import hidden
from outbid.core.rulebook import Rulebook
from outbid.core.seats import lowest

WORLDS = 3  # in which a consequence must follow
MOST = 2  # mechanisms of a reason
DECISIVE = 90.0  # the weight of what needs no other beside it
TELLING = 12.0  # the weight of what is told before what the moves lead to
CLEAR = 10.0  # by how much what is told unasked outweighs what speaks for the other move


@dataclass(frozen=True)
class Consequence:
    """Something that follows from a move: the name of its sentence; what it is about (seats, kinds, …), which tells it from
    others of that name; whether it is good for the seat; how much it matters (0: it is compared, and never told); how much
    of it there is; the values of its sentence, among which `other` is a seat and `others` are several; a topic, if several
    names say more or less of one thing; the name of the sentence where both moves have it, which knows the values of the
    other, too (`other_left` beside `left`); and how much more of it than the other move a move must have."""

    name: str
    about: tuple[int, ...]
    good: bool
    weight: float
    size: int = 0
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    topic: str = ""
    beside: str = ""
    least: int = 1

    @property
    def key(self) -> Key:
        """What it is compared by."""
        return (self.topic or self.name, *self.about)

    def against(self, other: Consequence | None) -> Consequence:
        """The consequence as it is told beside the one that another move has more or less of."""
        if not (other and self.beside):
            return self
        values = {**self.values, **{f"other_{name}": value for name, value in other.values.items()}}
        return replace(self, name=self.beside, topic=self.topic or self.name, values=values)


def ended(winners: int, seat: int, weight: float) -> Consequence:
    """The end of the match: with a victory for the seat (`ahead`), or for `other` (`behind`). winners: a bit mask."""
    if winners >> seat & 1:
        return Consequence("ahead", (), True, weight)
    return Consequence("behind", (), False, weight, values={"other": lowest(winners)})


def heaviest(consequences: Iterable[Consequence]) -> dict[Key, Consequence]:
    """Consequences by key, of several the one that matters most."""
    return {each.key: each for each in sorted(consequences, key=lambda each: each.weight)}


@dataclass(frozen=True)
class Sentences:
    """The sentences of a game by name, in which `who` is the seat that moves, and never the subject, so that one sentence
    does for all readers: "That leaves {who:you} ${left}." say: the game's `_`; worded: makes words of values, such as the
    name of an animal; card: how the `data-card` of what the values are about begins, on the table, empty if none; unasked:
    the names that are reason enough to object to a move before anybody has played it on (benchmarks/coach.py), each with how
    much more of it there must be; themes: what sentences are about, in words, and the names of these and of facts;
    either: the names of what is told even where it follows from both moves."""

    say: Callable[..., str]
    texts: Mapping[str, str]
    worded: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
    card: Callable[[Mapping[str, Any]], str] = lambda values: ""
    unasked: Mapping[str, int] = field(default_factory=dict[str, int])
    themes: Mapping[str, str] = field(default_factory=dict[str, str])
    either: tuple[str, ...] = ()

    def __call__(self, consequence: Consequence, seat: int, speak: Speaker) -> str:
        """The sentence for one reader."""
        values = dict(self.worded(consequence.values))
        if "other" in values:
            values["other"] = speak.people(values["other"])
        if "others" in values:
            values["others"] = speak.people(*values["others"])
        return self.say(self.texts[consequence.name], who=speak.people(seat), **values)


@dataclass(frozen=True)
class Mechanism:
    """A consequence that differs between two moves of a seat and speaks for the better one. gain: the better move has it;
    else the worse one has; more: how much more of it than the other move."""

    seat: int
    gain: bool
    consequence: Consequence
    more: int = 0

    def said(self, book: Rulebook, names: Sequence[str], audience: int) -> str:
        """The sentence, by itself."""
        return _sentences(book)(self.consequence, self.seat, Speaker(names, audience))

    def things(self, book: Rulebook) -> Iterator[str]:
        """What it speaks of, as CSS selectors on the page of a table: cards, and another player."""
        values = self.consequence.values
        if card := _sentences(book).card(values):
            yield f'[data-card^="{card}"]'
        if "other" in values:
            yield f".seat.p{values['other']} > header"


def mechanisms(
    book: Rulebook,
    state: Any,
    seat: int,
    better: Sequence[int],
    worse: Sequence[int],
    *listed: Sequence[int],
) -> list[Mechanism]:
    """The mechanisms for which one move of a seat is better than another (as action ids), those that matter most first.
    listed: more moves that are worse, against which none of them may speak."""
    if book.submodule("mechanisms") is None:
        return []
    gains, losses, *others = (_follows(book, hidden(state, seat), seat, actions) for actions in (better, worse, *listed))
    return [each for each in compared(seat, gains, losses) if all(_stands(each, gains, other) for other in others)]


def _stands(mechanism: Mechanism, own: Mapping[Key, Consequence], other: Mapping[Key, Consequence]) -> bool:
    """Whether a mechanism that speaks for a move (of which follows `own`) over one does not speak as well for yet another
    one that is worse: what that brings, too, or avoids still more, is not why the move is better. What is only compared is
    nothing that the other one brings."""
    mine, theirs = (follows.get(mechanism.consequence.key) for follows in (own, other))
    if mine is None or theirs is None or (mechanism.gain and not theirs.weight):
        return mine is None or mechanism.gain
    return (theirs.size + mine.least <= mine.size) == mechanism.gain


def compared(seat: int, gains: Mapping[Key, Consequence], losses: Mapping[Key, Consequence]) -> list[Mechanism]:
    """Of what follows from a better and a worse move, by key, what speaks for the better one."""
    differing = [
        Mechanism(seat, own is gains, consequence.against(other.get(key)), consequence.size - _size(other.get(key)))
        for own, other in ((gains, losses), (losses, gains))
        for key, consequence in own.items()
        if consequence.weight
        and consequence.good == (own is gains)
        and (key not in other or other[key].size + consequence.least <= consequence.size)
        and not any(_alike(consequence, each) for each in other.values())
    ]
    return sorted(differing, key=lambda each: -each.consequence.weight)


def reason(
    book: Rulebook,
    state: Any,
    seat: int,
    moves: Sequence[Sequence[int]],
    names: Sequence[str],
    audience: int,
    contrast: Contrast | None = None,
    instead: str = "",
    otherwise: str = N_("Otherwise: {fact}"),
) -> tuple[str, str]:
    """Why the first of some moves is better than the second, in sentences for a seat (−1: a spectator): what it brings, and
    what the other brings instead. Mechanisms that matter come before what both lead to, the lighter ones only where that is
    nothing; what speaks for a further move as well is not told. instead: what the second move is called, where that is not
    said beside it; otherwise: how it is spoken of, where it has no name."""
    facts = contrast.said(book, names, audience) if contrast else ""
    chosen = telling(book, state, seat, moves, bool(facts))
    gains, costs = ([each.said(book, names, audience) for each in chosen if each.gain == side] for side in (True, False))
    if facts and len(chosen) < MOST and not _decided(chosen):
        gains.append(facts)
    against = _("With “{move}”: {fact}", move=instead, fact=" ".join(costs)) if instead else ""
    behind = [against or _(otherwise, fact=" ".join(costs))] if costs else []
    if gains or costs:
        sure = (each.said(book, names, audience) for each in _either(book, state, seat, *moves[:2]))
        behind += [_("What threatens either way: {fact}", fact=fact) for fact in sure]
    return " ".join(gains), " ".join(behind)


def telling(book: Rulebook, state: Any, seat: int, moves: Sequence[Sequence[int]], beside: bool = False) -> list[Mechanism]:
    """The mechanisms that are told for the first of some moves over the second; beside: what both lead to is told, too."""
    by_name: dict[str, Mechanism] = {}
    for each in mechanisms(book, state, seat, *moves):
        by_name.setdefault(each.consequence.name, each)
    heavy = [each for each in by_name.values() if each.consequence.weight >= TELLING]
    ranked = heavy or list(() if beside else by_name.values())
    return ranked[: 1 if _decided(ranked) else MOST]


def _either(book: Rulebook, state: Any, seat: int, better: Sequence[int], worse: Sequence[int]) -> Iterator[Mechanism]:
    """What follows from both moves alike, of what a game tells even then."""
    names = _sentences(book).either if book.submodule("mechanisms") else ()
    gains, losses = (_follows(book, hidden(state, seat), seat, actions) if names else {} for actions in (better, worse))
    both = (each for key, each in gains.items() if key in losses and each.values == losses[key].values)
    return (Mechanism(seat, True, each) for each in both if each.name in names)


def _decided(ranked: Sequence[Mechanism]) -> bool:
    return bool(ranked) and ranked[0].consequence.weight >= DECISIVE


def clearly_better(book: Rulebook, state: Any, seat: int, better: Sequence[int], worse: Sequence[int]) -> bool:
    """Whether the rules alone speak so clearly for one move that it can be told before anybody has played it on."""
    if book.submodule("mechanisms") is None:
        return False
    gains, losses = (_follows(book, hidden(state, seat), seat, actions) for actions in (better, worse))
    told, against, enough = compared(seat, gains, losses), compared(seat, losses, gains), _sentences(book).unasked
    least = CLEAR + (against[0].consequence.weight if against else 0.0)
    heavy = [each for each in told if each.consequence.weight >= least and each.consequence.name in enough]
    return any(each.more >= enough[each.consequence.name] for each in heavy)


def cheaper(book: Rulebook, state: Any, seat: int, actions: Sequence[int]) -> tuple[int, ...]:
    """The move that surely brings the same as another for clearly less, if a game knows one (as action ids)."""
    find, view = getattr(book.submodule("mechanisms"), "cheaper", None), hidden(state, seat)
    move = find(view, _results(view, seat, actions)[0], seat, actions) if find else None
    return tuple(book.words.steps(view, seat, move)) if move else ()


def wins(book: Rulebook, state: Any, seat: int, actions: Sequence[int]) -> bool:
    """Whether a move surely wins the match, at once or by what the seat can do in the same turn, as far as a game says."""
    known = book.submodule("mechanisms") is not None
    follows = _follows(book, hidden(state, seat), seat, actions).values() if known else ()
    return any(each.good and each.weight >= DECISIVE for each in follows)


def _size(consequence: Consequence | None) -> int:
    return consequence.size if consequence else 0


def theme(book: Rulebook, name: str) -> str:
    """What the sentence of a mechanism or a fact is about, in English; empty if the game does not say."""
    themes = _sentences(book).themes if book.submodule("mechanisms") else {}
    return next((words for words, names in themes.items() if name in names.split()), "")


def _sentences(book: Rulebook) -> Sentences:
    sentences: Sentences = book.submodule("mechanisms").SENTENCES  # type: ignore[union-attr]
    return sentences


def _follows(book: Rulebook, state: Any, seat: int, actions: Sequence[int]) -> dict[Key, Consequence]:
    """What follows from a move in all worlds that were tried, by key."""
    follow = book.submodule("mechanisms").consequences  # type: ignore[union-attr]
    first, *rest = [heaviest(follow(state.copy(), after, seat, actions)) for after in _results(state, seat, actions)]
    return {
        key: min([first[key], *(following[key] for following in rest)], key=lambda each: each.size)
        for key in first
        if all(key in following for following in rest)
    }


def _results(state: Any, seat: int, actions: Sequence[int]) -> list[Any]:
    """The different states, hidden again, after a move in some worlds that agree with what the seat knows."""
    results: list[Any] = []
    for number in range(WORLDS):
        world = state.copy()
        contract.redeal(world, seat, stream(0, number))
        for action in actions:
            contract.apply(world, seat, action)
        after = hidden(world, seat)
        if after not in results:
            results.append(after)
    return results


def _alike(consequence: Consequence, another: Consequence) -> bool:
    """Whether two consequences say the same of different seats."""
    alike, another_alike = ({key: value for key, value in each.values.items() if not key.startswith("other")}
                            for each in (consequence, another))  # fmt: skip
    differing = consequence.values.get("other", -1) != another.values.get("other", -1)
    return differing and consequence.name == another.name and alike == another_alike
