"""A position of every phase of every game, for tests that look at all pages."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from outbid.bots import choose
from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, rulebook


@dataclass(frozen=True)
class Show:
    """What is played until all phases have been seen: icons are told apart as `icon/vault`."""

    game: str
    phases: frozenset[str]
    options: Mapping[str, Any]
    players: int = 3
    more: str = ""

    def __str__(self) -> str:
        return f"{self.game} {self.more}".strip()


SHOWS = (
    Show("kuhhandel", frozenset({"turn", "bid", "hammer", "pay", "offer", "reply", "over"}), {}),
    Show("kuhhandel", frozenset({"bid"}), {"bidding": "dropout"}, 5, "with final passes"),
    Show("money", frozenset({"bid", "exchange", "over"}), {}),
    Show("rivals", frozenset({"turn", "bid", "take", "remove", "over"}), {}),
    Show("forex", frozenset({"turn", "reply", "divest", "strengthen", "strongest", "over"}), {}),
    Show("claim", frozenset({"play", "window", "over"}), {}, 4),
    Show(
        "claim",
        frozenset({"play", "window", "give", "give_back", "insured", "push_again", "answer", "forecast", "over"})
        | {f"icon/{name}" for name in ("vault", "fast_track", "u_turn", "dividend", "audit", "refund", "call_in", "merger")},
        rulebook("claim").preset("everything"),
        more="with all expansions",
    ),
)
GAMES = list(dict.fromkeys(show.game for show in SHOWS))


@dataclass(frozen=True)
class Piece:
    """A position: the match there, and a seat that is asked (0 when it is over)."""

    phase: str
    match: Match
    seat: int


_found: dict[str, list[Piece]] = {}


def gallery(show: Show, seeds: range = range(400)) -> list[Piece]:
    """For each phase the position with most to choose from, in as many random matches as it takes to see them all."""
    key = f"{show!r} {seeds}"
    if key not in _found:
        _found[key] = _gallery(show, seeds)
    return [replace(piece, match=piece.match.copy()) for piece in _found[key]]


def _gallery(show: Show, seeds: range) -> list[Piece]:
    book = rulebook(show.game)
    best: dict[str, tuple[int, int, Piece]] = {}
    for seed in seeds:
        if show.phases <= best.keys():
            break
        for piece, richness in _walk(book, show, seed):
            if piece.phase in show.phases and richness > best.get(piece.phase, (-1,))[0]:
                best[piece.phase] = (richness, seed, Piece(piece.phase, piece.match.copy(), piece.seat))
    missing = show.phases - best.keys()
    assert not missing, f"{show.game}: {', '.join(sorted(missing))} was not reached"
    return [best[phase][2] for phase in sorted(best)]


def crowded(
    show: Show,
    phases: Collection[str],
    much: Callable[[dict[str, Any]], int] = lambda view: len(json.dumps(view)),
    level: str = "steady",
    seed: int = 1,
    names: Sequence[str] = (),
) -> list[Piece]:
    """Of a match of bots the position of each phase in which the seat that is asked has most to look at: by its view."""
    match = Match.new(rulebook(show.game), show.options, show.players, seed, (names or NAMES)[: show.players])
    most: dict[str, tuple[int, Piece]] = {}
    while not match.over:
        seat = match.asked[0]
        name, size = phase(match, seat), much(match.view(seat))
        if name in phases and size > most.get(name, (0,))[0]:
            most[name] = (size, Piece(name, match.copy(), seat))
        match.play_steps(seat, choose(match, seat, level, len(match.moves)).actions)
    return [most[name][1] for name in phases]


def _walk(book: Rulebook, show: Show, seed: int) -> Iterable[tuple[Piece, int]]:
    """The positions of a random match, with how much there is to choose."""
    match, rng = Match.new(book, show.options, show.players, seed, NAMES[: show.players]), random.Random(seed)
    while not match.over:
        for seat in match.asked:
            yield Piece(phase(match, seat), match, seat), len(match.legal(seat).choices)
        match.random_move(rng.choice(match.asked or (contract.CLOCK,)), rng.randrange(1 << 30))
    yield Piece("over", match, 0), 0


def phase(match: Match, seat: int) -> str:
    """The phase a seat is in; an icon by its name."""
    view = match.view(seat)
    return f"icon/{view['icon']['icon']}" if view["phase"] == "icon" else str(view["phase"])


NAMES = ["Ada", "Ben", "Cem", "Dot", "Eli", "Fay"]
