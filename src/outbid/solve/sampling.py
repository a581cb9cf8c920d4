"""What learners of small games need of a tree: tensors without hashes, the outcomes of each deal, the path to a sequence.

    seen = solve.tensors(tree)                  # float32 (infosets, W)
    deals = solve.outcomes(game, tree)          # final positions, deal by deal
    path = solve.paths(tree)                    # a plan is policy.chances[path].prod(1)

examples/nfsp.py and examples/deep_cfr.py sample matches from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from outbid.compiled.game_tree import BEFORE, FIRST, N_ACTIONS, SEAT
from outbid.core import contract
from outbid.solve.tree import Tree
from outbid.solve.tree import tree as grown

if TYPE_CHECKING:
    from outbid.facade import Game


class Outcomes(NamedTuple):
    """The final positions of a deal. chance: of the deal; ends: int64 (Z, P), the last sequence of each seat; payoffs:
    float64 (Z, P)."""

    chance: float
    ends: NDArray[np.int64]
    payoffs: NDArray[np.float64]


def owners(tree: Tree) -> NDArray[np.int64]:
    """The information set of each sequence, (sequences,); −1 for the empty ones."""
    owner = np.full(tree.sequences, -1)
    for k, (_, first, n, _) in enumerate(tree.facts.tolist()):
        owner[first : first + n] = k
    return owner


def paths(tree: Tree) -> NDArray[np.int64]:
    """For each sequence itself, the seat's sequence before, and so on up to the empty one, which repeats, (sequences, D)."""
    owner = owners(tree)
    before = np.where(owner >= 0, tree.facts[owner, BEFORE], np.arange(tree.sequences))
    columns = [np.arange(tree.sequences)]
    while (columns[-1] >= tree.players).any():
        columns.append(before[columns[-1]])
    return np.stack(columns, axis=1)


def tensors(tree: Tree) -> NDArray[np.float32]:
    """What a seat knows at each information set, (infosets, W), from 0 to 1: its number; its position, as features and
    as the cells of its hidden state; and for each of its earlier decisions, the latest first, the action and the features.

    Columns that never differ are left out. What a seat has seen between two decisions of its own is not there."""
    book, facts = tree.rulebook, tree.facts
    seen = np.zeros((tree.infosets, book.features), np.float32)
    for k, seat in enumerate(facts[:, SEAT].tolist()):
        contract.observe(book.plain.from_record(tree.views, k), seat, seen[k])
    seen = _scaled(seen)
    cells = _scaled(tree.views.view(np.uint8).reshape(tree.infosets, -1).astype(np.float32))
    names, named = np.unique(tree.actions, return_inverse=True)
    owner = owners(tree)
    blocks: list[NDArray[Any]] = [facts[:, SEAT, None], seen, cells]
    for now in paths(tree)[facts[:, BEFORE]].T[:-1]:
        block = np.zeros((tree.infosets, len(names) + seen.shape[1]), np.float32)
        rows = np.flatnonzero(now >= tree.players)
        block[rows, named[now[rows]]] = 1
        block[rows, len(names) :] = seen[owner[now[rows]]]
        blocks.append(block)
    return _scaled(np.concatenate(blocks, axis=1, dtype=np.float32))


def _scaled(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Columns that differ, from 0 to 1."""
    low, width = rows.min(0), np.ptp(rows, axis=0)
    differ = width > 0
    return (rows[:, differ] - low[differ]) / width[differ]


def outcomes(game: Game, tree: Tree) -> list[Outcomes]:
    """The final positions of a tree that was grown from all deals, deal by deal."""
    deals = list(game.rulebook.deals(game.options, tree.players))
    total = sum(weight for _, weight in deals)
    by_deal = []
    for deal, weight in deals:
        part = grown(game, tree.players, payoff=tree.payoff, deals=[(deal, weight)])
        names = np.arange(part.sequences)
        for key, first, n in zip(part.keys.tolist(), part.facts[:, FIRST], part.facts[:, N_ACTIONS], strict=True):
            there = tree.facts[tree.places[key[0], key[1]], FIRST]
            names[first : first + n] = np.arange(there, there + n)
        by_deal.append(Outcomes(float(weight / total), names[part.ends], part.gains[:, : tree.players]))
    return by_deal
