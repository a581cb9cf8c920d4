"""Balance: of many puzzles those that are not solved without looking at the table.

    kept = balanced(puzzles, half="bid")    those that are kept; half: a kind of move that half of them are about
    figures(kept) -> Figures                how well they are solved blindly

Whoever does not look knows of each move its kind and its rank by size among those of its kind (`slot`). Two sorts of
players that know no more are tried: every **rule** "this kind if there is one, else that, else the other; of several the
smallest, or the largest, or any"; and a decision **tree** of DEPTH questions about a move and what stands beside it, which
is fitted on half of the puzzles and asked about the other half, and the other way round, in SPLITS divisions. Chance is the
mean of 1 / number of moves. As long as some of them solve more than BOUND above chance, the puzzles without which they are
ahead least are left out, the least clear first (adversarial filtering).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

from outbid.review.puzzles import Puzzle, size

if TYPE_CHECKING:
    from numpy.typing import NDArray

BOUND = 0.10  # above chance: what may be solved blindly
ORDER = 3  # kinds that a rule names
DEPTH, LEAF = 3, 4  # questions of a tree; options behind an answer, at least
SPLITS = 4
PORTION = 100  # of so many puzzles one is left out at a time
SIZES = ("smallest", "largest", "any")

Slot = tuple[str, int, int]


def slots(moves: Sequence[Mapping[str, Any]], view: Mapping[str, Any]) -> tuple[Slot, ...]:
    """Of each move its kind, and how many of the others of that kind are smaller, and how many larger."""
    kinds, sizes = [move["do"] for move in moves], [size(move, view) for move in moves]
    beside = [[other for kind, other in zip(kinds, sizes, strict=True) if kind == own] for own in kinds]
    return tuple(
        (kind, sum(other < own for other in others), sum(other > own for other in others))
        for kind, own, others in zip(kinds, sizes, beside, strict=True)
    )


def blind(puzzle: Puzzle) -> tuple[Slot, ...]:
    """What is left of a puzzle for those who do not look, the best move first."""
    return slots([move for move, _less in puzzle.moves], puzzle.match.view(puzzle.seat))


@dataclass(frozen=True)
class Rule:
    """A rule that names kinds in order, and which of several of a kind it takes."""

    order: tuple[str, ...]
    which: str

    def solves(self, moves: Sequence[Slot]) -> float:
        """How often it takes the best move."""
        kind = next((kind for kind in self.order if any(move[0] == kind for move in moves)), None)
        taken = [n for n, move in enumerate(moves) if kind in (None, move[0])]
        side = {"smallest": 1, "largest": 2}.get(self.which)
        if kind and side:
            taken = [n for n in taken if not moves[n][side]]
        return (0 in taken) / len(taken)

    def __str__(self) -> str:
        return ", else ".join(self.order) + f" ({self.which})"


def rules(every: Sequence[Sequence[Slot]]) -> Iterator[Rule]:
    """All rules about the kinds of some puzzles."""
    kinds = sorted({move[0] for moves in every for move in moves})
    for order in permutations(kinds, min(ORDER, len(kinds))):
        yield from (Rule(order, which) for which in SIZES)


def _facts(every: Sequence[Sequence[Slot]]) -> list[NDArray[Any]]:
    """The answers to all questions a tree may ask, a row for each move of a puzzle."""
    import numpy as np

    kinds = sorted({move[0] for moves in every for move in moves})

    def row(move: Slot, moves: Sequence[Slot]) -> list[bool]:
        kind, smaller, larger = move
        others = [other[0] for other in moves]
        ranks = [smaller == 0, smaller == 1, larger == 0, larger == 1, others.count(kind) > 1, others.count(kind) > 2]
        ranks += [len(moves) > 2, len(moves) > 3]
        return [*ranks, *(kind == each for each in kinds), *(each in others for each in kinds)]

    return [np.array([row(move, moves) for move in moves]) for moves in every]


def _grown(facts: NDArray[Any], best: NDArray[Any], depth: int = DEPTH) -> Any:
    """A tree: how often a move with these answers is the best one, or a question and the trees behind its two answers."""
    import numpy as np

    many, right = facts.sum(0), best @ facts
    if depth and len(best) >= 2 * LEAF:
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = right**2 / many + (best.sum() - right) ** 2 / (len(best) - many)
        gain[(many < LEAF) | (len(best) - many < LEAF)] = -1.0
        question = int(gain.argmax())
        if gain[question] > best.sum() ** 2 / len(best) + 1e-9:
            yes = facts[:, question]
            return question, _grown(facts[yes], best[yes], depth - 1), _grown(facts[~yes], best[~yes], depth - 1)
    return float(best.mean())


def _asked(tree: Any, facts: NDArray[Any]) -> float:
    """How often a tree takes the best move of a puzzle."""
    values = []
    for row in facts:
        node = tree
        while not isinstance(node, float):
            node = node[1] if row[node[0]] else node[2]
        values.append(node)
    return (values[0] == max(values)) / values.count(max(values))


def solved_by_trees(every: Sequence[Sequence[Slot]]) -> list[float]:
    """How often each puzzle is solved by a tree that was fitted on the other half."""
    import numpy as np

    facts = _facts(every)
    credits = np.zeros(len(every))
    for split in range(SPLITS):
        order = np.random.default_rng(split).permutation(len(every))
        halves = order[::2], order[1::2]
        for fitted, asked in (halves, halves[::-1]):
            rows = np.concatenate([facts[n] for n in fitted])
            best = np.concatenate([np.eye(len(facts[n]))[0] for n in fitted])
            tree = _grown(rows, best)
            credits[asked] += [_asked(tree, facts[n]) / SPLITS for n in asked]
    return credits.tolist()


@dataclass(frozen=True)
class Figures:
    """How often puzzles are solved by chance, by the best rule, and by trees."""

    puzzles: int
    chance: float
    rule: Rule
    by_rule: float
    by_tree: float

    def __str__(self) -> str:
        ways = f"by chance {self.chance:.0%}, by the rule “{self.rule}” {self.by_rule:.0%}, by trees {self.by_tree:.0%}"
        return f"{self.puzzles} puzzles, solved {ways}"

    @property
    def above(self) -> float:
        """How much more than chance the better of the two solves."""
        return max(self.by_rule, self.by_tree) - self.chance


def judged(every: Sequence[Sequence[Slot]]) -> tuple[Figures, list[float]]:
    """How well puzzles are solved blindly, and of each how much the players who solve more than BOUND above chance would
    still be ahead without it (squares, summed up)."""
    import numpy as np

    n, chances = len(every), np.array([1 / len(moves) for moves in every])
    known = [*rules(every)]
    alike = {moves: [rule.solves(moves) for rule in known] for moves in {*every}}
    solved = np.array([*zip(*(alike[moves] for moves in every), strict=True), solved_by_trees(every)])
    without = ((solved - chances).sum(1, keepdims=True) - (solved - chances)) / (n - 1) - BOUND
    *by_rule, by_tree = solved.mean(1).tolist()
    best = int(np.argmax(by_rule))
    told = Figures(n, float(chances.mean()), known[best], by_rule[best], by_tree)
    return told, (np.maximum(0, without) ** 2).sum(0).tolist()


def figures(puzzles: Sequence[Puzzle]) -> Figures:
    """How well puzzles are solved blindly."""
    return judged([blind(puzzle) for puzzle in puzzles])[0]


def balanced(puzzles: Sequence[Puzzle], half: str = "", least: int = 0) -> list[Puzzle]:
    """Those of some puzzles that are kept. half: a kind of move that at least half of them are about; least: so many are
    kept even if they are still solved blindly."""
    kept = [(puzzle, blind(puzzle)) for puzzle in sorted(puzzles, key=Puzzle.place)]
    while len(kept) > max(2 * LEAF, least):
        about = [any(move[0] == half for move in moves) for _puzzle, moves in kept]
        if half and 2 * sum(about) < len(kept):
            rest = [float(each) for each in about]
        else:
            told, rest = judged([moves for _puzzle, moves in kept])
            if told.above <= BOUND:
                return [puzzle for puzzle, _moves in kept]
        worst = sorted(range(len(kept)), key=lambda n: (rest[n], kept[n][0].gap))
        dropped = set(worst[: 1 + len(kept) // PORTION])
        kept = [entry for n, entry in enumerate(kept) if n not in dropped]
    return [puzzle for puzzle, _moves in kept] if least else []
