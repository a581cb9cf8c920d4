"""Whether fields that all see tell what is hidden. That may be meant, so the author is asked."""

import random
from collections.abc import Iterator
from typing import Any

from outbid.core import contract
from outbid.core.errors import OutbidError
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook
from outbid.testing.findings import Finding, Property, Trial
from outbid.testing.hiding import another, seat_name
from outbid.testing.positions import hidden, redealt, seats
from outbid.testing.relations import Relations, asked_of
from outbid.testing.source import blamed

TELLING, CHOSEN = 20, 6  # moves of a match until one is looked at; moves that are tried in its place
WORLDS, LEAST, VALUES = 40, 12, 3  # in which that move is made; how many show that it is no chance; of what it writes
TRIES = 10  # worlds that are dealt for each of these: a card may be played where it is held alone


def _tells(t: Trial) -> Iterator[Finding]:
    match = t.played(random.Random(t.seed).randrange(TELLING))
    yield from _choices(t, match)
    yield from _copies(t, match)


def _choices(t: Trial, match: Match) -> Iterator[Finding]:
    before, words = match.state, t.book.words
    for seat in match.asked if len(match.asked) > 1 else ():  # a choice that waits for others
        chosen = [another(match, seat, t.seed + n + 1) for n in range(CHOSEN)]
        others = contract.asked(before) & ~(1 << seat)
        waiting = [(after, move) for after, move in chosen if after is not None and contract.asked(after) == others]
        for viewer in set(seats(before)) - {seat}:
            alike: dict[str, Any] = {}  # the first of the moves of which the viewer is told the same
            for after, move in waiting:
                told = repr(words.masked(before, seat, move, viewer))
                first, other = alike.setdefault(told, (after, move))
                for name in hidden(after, viewer).differences(hidden(first, viewer)):
                    yield t.found(
                        f"{seat_name(viewer)} is told nothing that tells {other} of seat {seat} from {move}, while others "
                        f"have yet to choose; but {name} does: is that meant? If all may know it, is_public says 1.",
                        name,
                        line=blamed(before, name, lambda s: _play(t.book, s, seat, move), lambda s: True),  # noqa: B023
                        asks=True,
                    )
                    return


def _play(book: Rulebook, state: Any, seat: int, move: dict[str, Any]) -> None:
    for action in book.words.steps(state.copy(), seat, move):
        contract.apply(state, seat, action)


def _copies(t: Trial, match: Match) -> Iterator[Finding]:
    """What a move writes for all to see and some hidden number decides, of which worlds dealt anew know nothing."""
    after, ways = match.copy(), match.asked
    if not ways:
        return
    seat = random.Random(t.seed).choice(ways)
    move = after.random_move(seat, t.seed)
    truths = list[Any]()
    for number in range(TRIES * WORLDS):
        if len(truths) == WORLDS:
            break
        world = redealt(match.state, -1, t.seed + number)
        try:
            _play(t.book, world, seat, move)
        except OutbidError:  # it is not legal there
            continue
        truths.append(world)
    if len(truths) < WORLDS // 2:
        return
    worlds = [redealt(world, -1, t.seed + TRIES * WORLDS + number) for number, world in enumerate(truths)]
    hides = {name for world in truths for name in world.differences(hidden(world, -1))}
    written = {name for world in truths for name in world.differences(match.state)} - hides
    facts = [field for field in t.book.layout.facts if not field.knows and field.name in hides | written]
    relations = Relations(facts, [*hides])
    told = relations.told(relations.numbers(truths), relations.numbers(worlds), LEAST, VALUES)
    for public, secret, count in sorted(told, key=lambda relation: -relation[2])[:1]:
        yield t.found(
            f"After {move} of seat {seat}, {asked_of(public, secret, len(truths), 'worlds', count)}",
            public[0],
            line=blamed(match.state, public[0], lambda s: _play(t.book, s, seat, move), lambda s: True),
            asks=True,
        )


TELLS = Property("tells", "no field that all see tells what is hidden", _tells)
