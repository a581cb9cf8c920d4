"""The same match as far as one seat knows it: what it cannot know is dealt anew, now and at every line of its log."""

from __future__ import annotations

from outbid.core import contract
from outbid.core.match import Line, Match
from outbid.testing.positions import hidden, redealt


def twin(match: Match, seat: int, seed: int) -> Match:
    """Another world in which the seat has seen and been told the same."""
    other, fresh, lines = match.copy(), Match.load(match.rulebook, match.options, match.names, match.deal), []
    words = match.rulebook.words
    for n, move in enumerate(match.moves):
        before = fresh.copy()
        fresh.play(move["seat"], move)
        place = contract.CLOCK if move["seat"] is None else move["seat"]
        said = {key: value for key, value in move.items() if key != "seat"}
        was = hidden(redealt(before.state, seat, seed + n), seat)
        now = hidden(redealt(fresh.state, seat, seed - n), seat)
        told = words.told(was, place, words.masked(before.state, place, said, seat), now, seat, match.names)
        lines += [Line(n, move["seat"], text) for text in told]
    other.state = redealt(match.state, seat, seed)
    other.log = lambda seat: lines  # type: ignore[method-assign, assignment, misc]
    return other
