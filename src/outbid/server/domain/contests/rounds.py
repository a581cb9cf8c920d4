"""A finished match as the story of one seat: round by round what it did and got, and how it stood after each.

A round is what the game calls so; else it ends when the turn comes back to the seat that began. Bids are left out: what came
of them is there. A seat's own moves are told as it knew them, to its person or, by name, to others; the match is over.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from outbid.core.hooks.outcome import BIDDING, Outcome
from outbid.core.language.names import plain
from outbid.core.match import SPECTATOR, Match, without_seat

BARS = "▁▂▃▄▅▆▇█"  # behind all others … ahead of all


@dataclass
class Round:
    """What a seat did and got in a round, in sentences with names set apart; bar: how it stood at the end, by points."""

    did: list[str] = field(default_factory=list[str])
    bar: str = ""

    @property
    def told(self) -> list[str]:
        """The sentences as text."""
        return [plain(sentence) for sentence in self.did]


def rounds(match: Match, seat: int, reader: int) -> list[Round]:
    """The rounds of a seat, told to its person (reader is the seat) or to others."""
    words, story = match.rulebook.words, list[Round]()
    told = defaultdict[int, list[str]](list)
    for line in match.log_at(match.reached, reader):
        told[line.move].append(line.marked)
    starts = set(_starts(match))
    for number, move in match.numbered:
        if number in starts:
            story.append(Round())
        lines = told[number]
        if move["seat"] == seat and move["do"] not in BIDDING:
            before, after = match.seen_at(number, seat), match.seen_at(number + 1, seat)
            lines = words.told(before, seat, without_seat(move), after, reader, match.marked)
            story[-1].did += lines[:1]
            lines = lines[1:]
        story[-1].did += [line for line in lines if isinstance(line, Outcome) and seat in line.parties and not line.in_place]
        if number + 1 in starts or number + 1 == match.reached:
            story[-1].bar = _bar(match.at(number + 1).scores, seat)
    return story


def _starts(match: Match) -> Iterator[int]:
    """The numbers of the moves that begin a round."""
    first, last = None, None
    for number, _move in match.numbered:
        view = match.rulebook.words.view(match.seen_at(number), SPECTATOR)
        now = view.get("round", view.get("turn"))
        first = now if number == 0 else first
        if number == 0 or (now != last and ("round" in view or now == first)):
            yield number
        last = now


def _bar(scores: list[int], seat: int) -> str:
    """How high a seat stands among the others."""
    ahead = sum((scores[seat] > points) - (scores[seat] < points) for points in scores)
    return BARS[round((ahead / (len(scores) - 1) + 1) / 2 * (len(BARS) - 1))]
