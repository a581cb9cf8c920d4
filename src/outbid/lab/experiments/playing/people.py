"""What is told of matches that were played before: whether a file has enough of them, and how long their players took.

    check(book, options, players, "records@friday.jsonl", deals)
    pace(matches)                                        # how long their players took, if the records say

The only sign of time is what `at` beside a move says: seconds since the match began, which `outbid admin export --for-lab`
writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from outbid.core import contract
from outbid.core.errors import BadSetup
from outbid.core.language.phrases import plural
from outbid.core.rulebook import Rulebook
from outbid.lab.experiments import variants
from outbid.lab.experiments.measures import TimeModel
from outbid.runs.recorded import Read, fitting
from outbid.runs.sources import RECORDS

BREAK = 300.0  # seconds: who takes longer has left the table, and says nothing of how long a move takes
FEWEST = 100  # moves from which a pace is told


def named(group: tuple[str, str, int], n: int) -> str:
    """A group in words."""
    game, options, players = group
    rules = variants.named(json.loads(options)) or "as it is"
    return f"{plural(n, 'match', 'matches')} of {game} for {players}, {rules}"


def check(book: Rulebook, options: Mapping[str, Any], players: int, name: str, deals: int) -> None:
    """Refuse an experiment that asks for more matches than a file has. Raises BadSetup."""
    there = len(fitting(book, options, players, name))
    if there < deals:
        raise BadSetup(
            f"{name.removeprefix(RECORDS)} has {there} finished matches of {book.title} for {players} by these rules, and "
            f"deals is {deals}; it must be {there} or fewer." if there else
            f"{name.removeprefix(RECORDS)} has no finished match of {book.title} for {players} by these rules."
        )  # fmt: skip


# --- how long people take ---------------------------------------------------------------------------------------------


def pace(matches: Sequence[Read]) -> TimeModel | None:
    """Seconds for a move and for each halving of its choices, fitted to what the records say (least squares, none negative);
    none where fewer than FEWEST moves have a time. Left out are moves while others were asked, too, those that a bot made
    (`by`), and those that took longer than BREAK."""
    took = np.array([row for one in matches for row in _took(one)]).reshape(-1, 2)
    if len(took) < FEWEST:
        return None
    bits, seconds = took.T
    spread = float(((bits - bits.mean()) ** 2).sum())
    bit = float(((bits - bits.mean()) * (seconds - seconds.mean())).sum()) / spread if spread > 0 else 0.0
    bit = max(0.0, bit)
    move = float(seconds.mean() - bit * bits.mean())
    if move < 0:
        move, bit = 0.0, float((bits * seconds).sum() / (bits * bits).sum())
    return TimeModel(round(move, 2), round(bit, 2))


def _took(one: Read) -> Iterator[tuple[float, float]]:
    """Of each move of one asked player: the binary logarithm of its choices, summed over its steps, and its seconds."""
    match, before = one.match, 0.0
    state, out = match.at(0).state.copy(), [0] * match.rulebook.actions
    for k, move in enumerate(match.moves):
        seat = contract.CLOCK if move["seat"] is None else move["seat"]
        alone = contract.asked(state) == 1 << seat
        said, bits = {key: value for key, value in move.items() if key != "seat"}, 0.0
        for action in match.rulebook.words.steps(state, seat, said):
            if alone:
                bits += float(np.log2(max(1, contract.legal(state, seat, out))))
            contract.apply(state, seat, action)
        now = one.moves[k].get("at")
        if not isinstance(now, int | float):
            return
        if alone and k > 0 and "by" not in one.moves[k] and 0 <= now - before <= BREAK:
            yield bits, now - before
        before = float(now)

