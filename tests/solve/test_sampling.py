"""What learners of small games need: rows that tell information sets apart, and the outcomes of each deal."""

import sys

import numpy as np
import pytest

import outbid
from outbid import solve
from tests.support.scripts import lazy_script

nfsp = lazy_script("examples/nfsp.py")
cfr = lazy_script("examples/deep_cfr.py")


@pytest.fixture(scope="module", params=["rivals", "money"])
def small(request):
    game = outbid.game(request.param, preset="tiny")
    return game, solve.tree(game)


def test_outcomes_weighted_by_the_plans_of_both_seats_give_the_value(small):
    game, tree = small
    policy = solve.policy_from(tree, np.random.default_rng(1).random(tree.sequences))
    plan, deals = policy.chances[solve.paths(tree)].prod(1), solve.outcomes(game, tree)
    reach = [deal.chance * plan[deal.ends].prod(1) for deal in deals]
    assert sum(weights.sum() for weights in reach) == pytest.approx(1)
    worth = sum(weights @ deal.payoffs for weights, deal in zip(reach, deals, strict=True))
    assert worth == pytest.approx(solve.value(tree, policy))


def test_each_information_set_has_a_row_of_its_own(small):
    _, tree = small
    rows = solve.tensors(tree)
    assert len(np.unique(rows, axis=0)) == len(rows) == tree.infosets
    assert (rows.min(), rows.max()) == (0, 1)


@pytest.mark.slow
def test_advantages_of_many_traversals_are_the_regrets_of_the_strategy():
    game = outbid.game("rivals", preset="tiny")
    small, rng = nfsp.Small(game), np.random.default_rng(1)
    tree, strategy = small.tree, solve.uniform(small.tree).chances
    traverser = cfr.Traverser(small, solve.outcomes(game, tree), 0)
    first = int(np.flatnonzero(tree.facts[:, 3] == 0)[0])  # seat 0 has not decided before
    rows = []
    for _ in range(1200):
        infosets, better, _ = traverser.traverse(strategy, rng)
        rows += better[infosets == first].tolist()
    chances = strategy.copy()
    worth = []
    for j in np.flatnonzero(small.owner == first):
        chances[small.owner == first] = 0
        chances[j] = 1
        worth.append(solve.value(tree, solve.Policy(tree, chances))[0])
    met = np.mean(rows, axis=0)[small.column[small.owner == first]] * len(rows) / 1200
    exact = np.array(worth) - solve.value(tree, solve.uniform(tree))[0]
    assert met == pytest.approx(exact, abs=0.09)


@pytest.mark.slow
@pytest.mark.parametrize("module", [nfsp, cfr], ids=["nfsp", "deep_cfr"])
def test_both_learners_run_and_say_what_they_reach(module, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", ["learner", "--check", "--out", str(tmp_path)])
    module.main()
    last = (tmp_path / "curve.csv").read_text(encoding="utf-8").splitlines()[-1]
    with np.load(tmp_path / "policy.npz") as file:
        tree = solve.tree(outbid.game("rivals", preset="tiny"))
        policy = solve.policy_from(tree, file["chances"].astype(float))
    assert solve.nash_conv(tree, policy) == pytest.approx(float(last.split(",")[2]), abs=1e-3)
