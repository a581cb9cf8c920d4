"""Small games solved exactly: our own compiled CFR+ and exact evaluation.

    game = outbid.game("claim", preset="tiny")
    tree = solve.tree(game, players=2)                # tree.histories, .infosets, .terminals
    policy = solve.cfr_plus(tree, 1000)
    solve.nash_conv(tree, policy)                     # what best responses gain, summed over seats
    solve.value(tree, policy)                         # the payoff of each seat; opener_value: of who decides first
    solve.nash_conv(tree, solve.policy_of(tree, "steady"))

`tree` flattens a game (tree.py, compiled/game_tree.py), `Policy` says what every seat does (policy.py), `CFR` runs in
pieces, for progress; tensors and outcomes for learners are in sampling.py. Everything is plain floats and arrays. With more
than two seats, or payoffs that do not sum to zero, CFR+ need not converge; NashConv stays what it is.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.compiled import sequence_form
from outbid.compiled.buffers import allocate
from outbid.core.errors import BadSetup
from outbid.solve.policy import Policy, policy_from, policy_of, uniform
from outbid.solve.sampling import Outcomes, outcomes, owners, paths, tensors
from outbid.solve.tree import LIMIT, PAYOFFS, Tree, compiled, tree

__all__ = [
    "CFR", "LIMIT", "PAYOFFS", "Outcomes", "Policy", "Tree", "best_response", "cfr_plus", "nash_conv", "opener_value",
    "outcomes", "owners", "paths", "policy_from", "policy_of", "tensors", "tree", "uniform", "value",
]  # fmt: skip


class CFR:
    """CFR+ on a tree: `run(n)` makes n more iterations, `average` is the policy so far, `current` the last one."""

    def __init__(self, tree: Tree):
        self.tree = tree
        self.iterations = 0
        chances = uniform(tree).chances
        given = {"current": chances, "plan": _plan(tree, chances)}
        self._cfr: sequence_form.Cfr = allocate(sequence_form.Cfr, {"J": tree.sequences}, **given)

    def run(self, iterations: int) -> None:
        """Run so many more iterations of CFR+."""
        if iterations < 0:
            raise BadSetup(f"The number of iterations cannot be {iterations}.")
        tree = self.tree
        compiled(sequence_form.iterate)(
            tree.facts, tree.ranges, tree.ends, tree.gains, len(tree.ends), self.iterations, iterations, self._cfr
        )
        self.iterations += iterations

    @property
    def average(self) -> Policy:
        """The average policy, later iterations counting for more; it is what converges."""
        return policy_from(self.tree, self._cfr.sums)

    @property
    def current(self) -> Policy:
        """The policy of the last iteration."""
        return Policy(self.tree, self._cfr.current.copy())


def cfr_plus(tree: Tree, iterations: int = 1000) -> Policy:
    """The average policy of so many iterations of CFR+ (regret matching+, alternating updates, linear averaging)."""
    cfr = CFR(tree)
    cfr.run(iterations)
    return cfr.average


def value(tree: Tree, policy: Policy) -> NDArray[np.float64]:
    """The expected payoff of each seat when all follow the policy, (P,)."""
    return _expected(tree, policy)[:-1]


def opener_value(tree: Tree, policy: Policy) -> float:
    """The expected payoff of the seat that decides first, whichever it is in a deal."""
    return float(_expected(tree, policy)[-1])


def best_response(tree: Tree, policy: Policy, seat: int) -> tuple[Policy, float]:
    """A best response of a seat to the others' policy (their part of it is kept), and its expected payoff."""
    if seat not in range(tree.players):
        raise BadSetup(f"There is no seat {seat!r}; the seats are 0 to {tree.players - 1}.")
    _of(tree, policy)
    values, chances = np.zeros(tree.sequences), policy.chances.copy()
    compiled(sequence_form.counter)(tree.ends, tree.gains, len(tree.ends), seat, _plan(tree, policy.chances), values)
    compiled(sequence_form.respond)(tree.facts, tree.ranges[seat], tree.ranges[seat + 1], values, chances)
    return Policy(tree, chances), float(values[seat])


def nash_conv(tree: Tree, policy: Policy) -> float:
    """What the seats would gain, summed, if each alone changed to its best response; 0 in an equilibrium."""
    gained = sum(best_response(tree, policy, seat)[1] for seat in range(tree.players))
    return gained - float(value(tree, policy).sum())


def _plan(tree: Tree, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    plan = np.ones(tree.sequences)
    compiled(sequence_form.realize)(tree.facts, 0, tree.infosets, chances, plan)
    return plan


def _expected(tree: Tree, policy: Policy) -> NDArray[Any]:
    _of(tree, policy)
    sums = np.zeros(tree.players + 1)
    compiled(sequence_form.expect)(tree.ends, tree.gains, len(tree.ends), _plan(tree, policy.chances), sums)
    return sums


def _of(tree: Tree, policy: Policy) -> None:
    if policy.tree is not tree:
        raise BadSetup("The policy is of another tree.")
