"""`Policy`: for every information set of a tree a distribution over its actions, and where it comes from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from outbid.bots import BOTS, NOTE, Bot, LookAhead, Seat, Stepwise, load_bot
from outbid.bots.outside import as_bot
from outbid.compiled import game_tree, sequence_form
from outbid.core import contract
from outbid.core.chance import below, step, stream
from outbid.core.errors import BadSetup
from outbid.core.match import Match
from outbid.solve import history
from outbid.solve.tree import Tree, compiled


@dataclass(frozen=True, eq=False)
class Policy:
    """What every seat does: `chances[j]` is the probability of sequence j at its information set."""

    tree: Tree
    chances: NDArray[np.float64]

    def probabilities(self, match: Match, seat: int, begun: Sequence[int] = ()) -> dict[int, float]:
        """The probability of each step open to a seat of a match of this game, by action id; `begun` are the steps of a
        move that it has made already. Raises BadSetup for another game, a seat that is not asked, or a deal that the tree
        does not have."""
        tree = self.tree
        if match.rulebook is not tree.rulebook or match.options != tree.options or match.players != tree.players:
            raise BadSetup(f"The policy is for {tree.rulebook.title} of {tree.players} players with its own options.")
        info_hash = history.of_match(match, seat, begun)
        place = tree.places.get(info_hash)
        if place is None:
            raise BadSetup("The tree has no such position; was it grown from all deals?")
        first, n = (int(tree.facts[place, column]) for column in (game_tree.FIRST, game_tree.N_ACTIONS))
        return {int(tree.actions[j]): float(self.chances[j]) for j in range(first, first + n)}

    def choose(self, match: Match, seat: int, seed: int) -> tuple[int, ...]:
        """The steps of a whole move, drawn by the policy; empty for silence. The match is not changed."""
        state, begun = match.state.copy(), list[int]()
        r = stream(seed, len(match.moves))
        while not begun or contract.midway(state, seat):
            r = step(r)
            action = draw(self.probabilities(match, seat, begun), r)
            if action == self.tree.silence:
                return ()
            begun.append(action)
            contract.apply(state, seat, action)
        return tuple(begun)


def draw(chances: dict[int, float], r: int) -> int:
    """An action, by its probability."""
    left = below(r, 1 << 30) / (1 << 30)
    for action, chance in chances.items():
        left -= chance
        if left < 0:
            return action
    return max(chances, key=lambda action: chances[action])


def uniform(tree: Tree) -> Policy:
    """Every action open equally often."""
    return policy_from(tree, np.zeros(tree.sequences))


def policy_from(tree: Tree, weights: ArrayLike) -> Policy:
    """A policy in proportion to weights of the sequences, (sequences,); uniform where an information set has none."""
    given = np.ascontiguousarray(weights, np.float64)
    if given.shape != (tree.sequences,) or not np.isfinite(given).all() or (given < 0).any():
        raise BadSetup(f"The weights must be {tree.sequences} numbers, none negative, one for each sequence.")
    chances = np.ones(tree.sequences)
    compiled(sequence_form.normalize)(tree.facts, tree.infosets, given, chances)
    return Policy(tree, chances)


def policy_of(tree: Tree, player: str | Bot | Callable[..., Any], samples: int = 1, seed: int = 0) -> Policy:
    """What a bot (its name, itself, or a function of (obs, mask)) does at every information set, from what its seat sees
    there: how often over `samples` of its seeds.

    A bot that moves step by step draws anew at every step here; in play some draw once for all steps of a move. Of one that
    decides on whole moves only those information sets count that it comes to itself; elsewhere the policy is uniform.
    """
    if samples < 1:
        raise BadSetup(f"A bot is asked at least once, not {samples} times.")
    asked: Bot = load_bot(player) if isinstance(player, str) else player if isinstance(player, Stepwise) else as_bot(player)
    if isinstance(asked, LookAhead) and asked.compiled is None:
        asked = replace(asked, compiled=True)
    if not isinstance(asked, Stepwise):
        return _decided(tree, asked, samples, seed)
    act = asked.act
    weights = np.zeros(tree.sequences)
    if asked is BOTS["random"]:
        return uniform(tree)
    if asked is BOTS["steady"]:
        from outbid.compiled.backend import entry

        work, note = np.zeros(1, tree.rulebook.layout.dtype), np.zeros(NOTE, np.int64)
        entry(tree.rulebook, game_tree.ask_steady)(
            tree.views, tree.facts, tree.actions, 0, tree.infosets, work, tree.silence, seed, samples, note, weights
        )
        return policy_from(tree, weights)
    return _asked(tree, act, samples, seed, weights)


def _asked(tree: Tree, act: Callable[..., int], samples: int, seed: int, weights: NDArray[np.float64]) -> Policy:
    """Ask a plain bot."""
    for k in range(tree.infosets):
        place, first, n, _ = (int(value) for value in tree.facts[k])
        open_now = tree.actions[first : first + n].tolist()
        for sample in range(samples):
            view = tree.rulebook.plain.from_record(tree.views, k)
            action: Any = act(view, place, stream(stream(seed, k), sample), [0] * NOTE)
            weights[first + open_now.index(tree.silence if action < 0 else action)] += 1.0
    return policy_from(tree, weights)


def _decided(tree: Tree, asked: Bot, samples: int, seed: int) -> Policy:
    """Ask a bot that decides on whole moves, wherever its own decisions so far may have brought it."""
    weights, reached = np.zeros(tree.sequences), np.zeros(tree.sequences, bool)
    reached[: tree.players] = True
    names = tuple(f"Player {seat + 1}" for seat in range(tree.players))
    after: dict[int, list[int]] = {}  # by sequence: the information sets in which a move that has begun goes on
    for k in range(tree.infosets):
        place, first, n, before = (int(value) for value in tree.facts[k])
        view = tree.rulebook.plain.from_record(tree.views, k)
        if contract.midway(view, place):
            after.setdefault(before, []).append(k)
    begun = {k for several in after.values() for k in several}
    for k in range(tree.infosets):
        place, first, n, before = (int(value) for value in tree.facts[k])
        if reached[before] and k not in begun:
            for sample in range(samples):
                view = tree.rulebook.plain.from_record(tree.views, k)
                seat = Seat(tree.rulebook, names, place, k, stream(seed, sample), view)
                decision = asked.decide(seat)
                drawn = [value for value in decision.values if value.chance is not None]
                for value in drawn:
                    _count(tree, k, value.actions, after, weights, value.chance or 0.0)
                if not drawn:
                    _count(tree, k, decision.actions or (tree.silence,), after, weights, 1.0)
        reached[first : first + n] = weights[first : first + n] > 0
    return policy_from(tree, weights)


def _count(
    tree: Tree, k: int, actions: Sequence[int], after: dict[int, list[int]], weights: NDArray[np.float64], times: float
) -> None:
    """A move made at information set k, so many times: its steps count there and where the move goes on."""
    _, first, n, _ = (int(value) for value in tree.facts[k])
    chosen = first + tree.actions[first : first + n].tolist().index(actions[0])
    weights[chosen] += times
    if len(actions) > 1:
        for following in after.get(chosen, ()):
            _count(tree, following, actions[1:], after, weights, times)
