"""`outbid.solve`: trees grown from the rules, exact evaluation, CFR+; and the small games' values, frozen as tests of the
rules. What the compiled code says is held against a slow, plain recursion that shares nothing with it but the rules."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from sealed import rulebook as sealed

import outbid
from outbid import solve
from outbid.bots import choose
from outbid.compiled import game_tree
from outbid.core import contract
from outbid.core.errors import BadSetup
from outbid.core.match import Match
from outbid.core.rulebook import rulebooks
from outbid.facade import Game
from tests.support import kuhn
from tests.support.commands import outbid_command


def claim_deals(copies: tuple[int, ...]) -> list[tuple[Any, int]]:
    """All deals of a small Claim for two in which seat 0 begins, nothing set aside, and their multiplicities."""
    deck = Counter({str(n + 1): count for n, count in enumerate(copies)})
    each = sum(copies) // 2
    made = []
    for hand in set(itertools.combinations(sorted(deck.elements()), each)):
        rest = deck - Counter(hand)
        for other in set(itertools.combinations(sorted(rest.elements()), each)):
            centre = list((rest - Counter(other)).elements())
            ways = math.prod(math.comb(deck[n], k) for n, k in Counter(hand).items())
            ways *= math.prod(math.comb(rest[n], k) for n, k in Counter(other).items())
            made.append(({"start": 0, "hands": [list(hand), list(other)], "centre": centre, "aside": []}, ways))
    return made


def claim() -> tuple[Game, list[tuple[Any, int]]]:
    """The smallest: three bills of 1 and three of 2."""
    game = outbid.game("claim", copies=[3, 3, 0, 0, 0, 0], goal=4, full_threshold=3)
    return game, claim_deals((3, 3))


POKER = Game(kuhn.rulebook, {})


def poker(payoff: str = "score") -> solve.Tree:
    return solve.tree(POKER, 2, payoff=payoff, deals=kuhn.deals({}, 2))


HANDS = ((0, 3, 6, 9), (1, 4, 7, 8), (2, 4, 5, 8), (1, 2, 6, 9))


def sealed_deals(players: int = 2) -> list[tuple[Any, int]]:
    """Some deals of the toy game; the others' hands are not known from one's own."""
    made = []
    for weight, hands in enumerate(itertools.permutations(HANDS, players), 1):
        rest = Counter(i // 2 for i in range(20)) - Counter(itertools.chain(*hands))
        made.append(({"deck": [*itertools.chain(*hands), *rest.elements()]}, weight % 5 + 1))
    return made[:6]


# --- a slow recursion that shares nothing with the compiled tree but the rules ----------------------------------------


class Slow:
    """A plain tree: information sets are exact histories, as bytes and numbers."""

    def __init__(self, game: Game, players: int, deals: Any, payoff: Any):
        self.game, self.players, self.payoff = game, players, payoff
        self.histories = 0
        total = sum(weight for _, weight in deals)
        self.members: dict[Any, list[Any]] = {}  # infoset → nodes
        self.roots = []
        for deal, weight in deals:
            state = game.rulebook.fresh(game.options)
            game.rulebook.words.load(state, players, deal)
            seen = [(("saw", self.hidden(state, seat)),) for seat in range(players)]
            self.roots.append((weight / total, self.node(state, seen)))

    def hidden(self, state: Any, seat: int) -> str:
        twin = state.copy()
        contract.hide(twin, seat)
        return repr(twin)

    def node(self, state: Any, seen: list[Any]) -> Any:
        self.histories += 1
        mask = contract.asked(state)
        if not mask:
            return self.payoff(state)
        seat = min(p for p in range(self.players) if mask >> p & 1)
        out = [0] * 256
        open_now = out[: contract.legal(state, seat, out)]
        children = {}
        made = {"seat": seat, "infoset": (seat, seen[seat]), "children": children}
        self.members.setdefault(made["infoset"], []).append(made)
        for action in open_now:
            after = state.copy()
            contract.apply(after, seat, action)
            now = list(seen)
            for other in range(self.players):
                sight = ("saw", self.hidden(after, other))
                if other == seat:
                    now[other] = (*now[other], ("did", action), sight)
                elif now[other][-1] != sight:
                    now[other] = (*now[other], sight)
            children[action] = self.node(after, now)
        return made

    def value(self, node: Any, chance: Any, best: Any = None) -> Any:
        """Payoffs below a node; `chance(infoset, action)`, or the choices of one seat where `best` has them."""
        if not isinstance(node, dict):
            return np.array(node, float)
        if best is not None and node["seat"] == best[0]:
            return self.value(node["children"][self.answer(node["infoset"], chance, best)], chance, best)
        return sum(
            chance(node["infoset"], action) * self.value(child, chance, best) for action, child in node["children"].items()
        )

    def answer(self, infoset: Any, chance: Any, best: Any) -> int:
        seat, chosen, reach = best
        if infoset not in chosen:
            nodes = self.members[infoset]

            def worth(action: int) -> float:
                return sum(reach[id(n)] * self.value(n["children"][action], chance, best)[seat] for n in nodes)

            chosen[infoset] = max(nodes[0]["children"], key=worth)
        return chosen[infoset]

    def nash_conv(self, chance: Any) -> float:
        total = 0.0
        for seat in range(self.players):
            reach: dict[int, float] = {}

            def walk(node: Any, p: float, seat: int = seat, reach: dict[int, float] = reach) -> None:
                if isinstance(node, dict):
                    reach[id(node)] = p
                    for action, child in node["children"].items():
                        walk(child, p if node["seat"] == seat else p * chance(node["infoset"], action))

            for weight, root in self.roots:
                walk(root, weight)
            best = (seat, {}, reach)
            total += sum(w * (self.value(r, chance, best) - self.value(r, chance))[seat] for w, r in self.roots)
        return float(total)


def zero_sum(state: Any) -> list[float]:
    out = [0] * 8
    won = contract.winners(state, out)
    return [0.0, 0.0] if won == 3 else [1.0, -1.0] if won == 1 else [-1.0, 1.0]


def info_hash_of(infoset: Any, book: Any) -> tuple[int, int]:
    """The information-state hash of an exact history, by way of the plain state it names."""
    record = np.zeros(1, book.layout.dtype)
    seat, events = infoset
    info_hash = [0] * 4
    game_tree.begin(info_hash, seat)
    acted = False
    for kind, what in events:
        if kind == "did":
            game_tree.add_action(info_hash, what)
            acted = True
            continue
        state = book.plain()
        body = what[what.index("(") + 1 : -1]
        for name, value in eval(f"dict({body})").items():
            setattr(state, name, value)
        state.to_record(record, 0)
        game_tree.add_observation(info_hash, list(record.tobytes()), record.itemsize, acted)
        acted = False
    return info_hash[0], info_hash[1]


SLOW = {
    "kuhn": lambda: (POKER, kuhn.deals({}, 2), zero_sum),
    "claim": lambda: (*claim(), zero_sum),
    "sealed": lambda: (Game(sealed, {"rounds": 2}), sealed_deals(), zero_sum),
}


@pytest.fixture(scope="module", params=["kuhn", "sealed", pytest.param("claim", marks=pytest.mark.deep)])
def both(request):
    """A compiled tree and the plain one of the same game."""
    game, deals, payoff = SLOW[request.param]()
    return solve.tree(game, 2, deals=deals), Slow(game, 2, deals, payoff)


@pytest.mark.slow
def test_a_tree_has_the_histories_and_information_sets_of_exact_perfect_recall(both):
    fast, slow = both
    assert (fast.histories, fast.infosets) == (slow.histories, len(slow.members))


def test_no_two_histories_have_the_same_hash(both):
    fast, slow = both
    hashes = {infoset: info_hash_of(infoset, fast.rulebook) for infoset in slow.members}
    assert len({a for a, _ in hashes.values()}) == len({b for _, b in hashes.values()}) == len(hashes)
    assert set(hashes.values()) == set(fast.places)


def test_nash_conv_and_value_of_any_policy_are_those_of_a_slow_recursion(both):
    fast, slow = both
    rng = np.random.default_rng(1)
    hashes = {infoset: info_hash_of(infoset, fast.rulebook) for infoset in slow.members}
    for weights in (np.zeros(fast.sequences), rng.random(fast.sequences), rng.random(fast.sequences) ** 8):
        policy = solve.policy_from(fast, weights)

        def chance(infoset: Any, action: int, policy: solve.Policy = policy) -> float:
            _, first, n, _ = fast.facts[fast.places[hashes[infoset]]]
            (j,) = (j for j in range(first, first + n) if fast.actions[j] == action)
            return float(policy.chances[j])

        exact = sum(weight * slow.value(root, chance) for weight, root in slow.roots)
        assert solve.value(fast, policy) == pytest.approx(exact, abs=1e-12)
        assert solve.nash_conv(fast, policy) == pytest.approx(slow.nash_conv(chance), abs=1e-12)


# --- a game whose solution is published -------------------------------------------------------------------------------


@pytest.mark.slow
def test_kuhn_poker_is_worth_a_minus_eighteenth_to_who_begins():
    tree = poker()
    assert (tree.deals, tree.histories, tree.infosets, tree.terminals) == (6, 54, 12, 30)
    policy = solve.cfr_plus(tree, 2000)
    assert solve.value(tree, policy) == pytest.approx([-1 / 18, 1 / 18], abs=1e-4)
    assert solve.opener_value(tree, policy) == pytest.approx(-1 / 18, abs=1e-4)
    assert 0 <= solve.nash_conv(tree, policy) < 1e-3
    assert solve.nash_conv(tree, solve.uniform(tree)) == pytest.approx(11 / 12, abs=1e-12)


def test_in_kuhn_poker_the_king_bets_three_times_as_often_as_the_jack():
    policy = solve.cfr_plus(poker(), 5000)
    bets = {}
    for cards in itertools.permutations(range(3), 2):
        match = Match.load(kuhn.rulebook, {}, ["A", "B"], cards)
        bets[cards[0]] = policy.probabilities(match, 0)[1]
    assert bets[1] == pytest.approx(0, abs=0.02)
    assert bets[2] == pytest.approx(3 * bets[0], abs=0.05)


def test_a_best_response_gains_what_nash_conv_says():
    tree = poker()
    policy = solve.uniform(tree)
    gained = 0.0
    for seat in range(2):
        answer, worth = solve.best_response(tree, policy, seat)
        assert solve.value(tree, answer)[seat] == pytest.approx(worth, abs=1e-12)
        gained += worth - solve.value(tree, policy)[seat]
    assert gained == pytest.approx(solve.nash_conv(tree, policy), abs=1e-12)


def test_average_and_current_policy_are_distributions_and_never_nan():
    made = solve.CFR(poker("win"))
    for n in (0, 1, 7):
        made.run(n)
        for policy in (made.average, made.current):
            assert np.isfinite(policy.chances).all()
            for _, first, n_open, _ in policy.tree.facts:
                assert policy.chances[first : first + n_open].sum() == pytest.approx(1)
    assert made.iterations == 8


def test_margin_and_share_are_other_scales_of_the_same_kuhn_poker():
    tree, margin, share, win = (poker(payoff) for payoff in ("score", "margin", "share", "win"))
    policy = solve.uniform(tree)
    assert solve.value(margin, solve.uniform(margin)) == pytest.approx(2 * solve.value(tree, policy))
    assert solve.value(win, solve.uniform(win)) == pytest.approx(2 * solve.value(share, solve.uniform(share)) - 1)


# --- sealed choices, bots, matches ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_who_seals_later_does_not_see_what_was_sealed():
    tree = solve.tree(Game(sealed, {"rounds": 1}), 2, deals=sealed_deals()[:1])
    assert (tree.infosets, tree.histories) == (2, 1 + 4 + 4 * 4)


def test_the_order_in_which_a_match_is_sealed_does_not_matter_to_a_policy():
    game, deals = Game(sealed, {"rounds": 3}), sealed_deals()
    tree = solve.tree(game, 2, deals=deals)
    policy = solve.policy_from(tree, np.random.default_rng(3).random(tree.sequences))
    matches = [Match.load(sealed, game.options, ["A", "B"], deals[3][0]) for _ in range(3)]
    for _ in range(2):
        cards = [min(matches[0].legal(seat).texts) for seat in range(2)]
        before = [policy.probabilities(matches[0], seat) for seat in range(2)]
        for match, order in zip(matches, ((0, 1), (1, 0), (0, 1)), strict=True):
            for seat in order:
                assert policy.probabilities(match, seat) == before[seat]
                match.play(seat, cards[seat])


@pytest.mark.slow
def test_a_bot_in_a_tree_is_worth_what_it_is_worth_in_matches():
    game = outbid.game("rivals", preset="tiny")
    deals = game.rulebook.deals(game.options, 2)
    tree = solve.tree(game, 2)
    policy = solve.policy_of(tree, "steady")
    total = sum(weight for _, weight in deals)
    expected = np.zeros(2)
    for deal, weight in deals:
        match = Match.load(game.rulebook, game.options, ["A", "B"], deal)
        while match.asked:
            seat = match.asked[0]
            steps = choose(match, seat, "steady", 1).actions
            assert policy.probabilities(match, seat)[steps[0]] == 1.0
            match.play_steps(seat, steps)
        expected += np.array(zero_sum(match.state)) * float(weight / total)
    assert solve.value(tree, policy) == pytest.approx(expected, abs=1e-12)
    assert solve.nash_conv(tree, policy) >= 0
    plain = solve.policy._asked(tree, contract.steady, 1, 0, np.zeros(tree.sequences))
    assert (plain.chances == policy.chances).all()


@pytest.mark.deep
def test_a_policy_plays_whole_matches():
    game, deals = claim()
    tree = solve.tree(game, 2, deals=deals)
    policy = solve.cfr_plus(tree, 50)
    match = Match.load(game.rulebook, game.options, ["A", "B"], deals[0][0])
    while match.asked:
        seat = match.asked[0]
        match.play_steps(seat, policy.choose(match, seat, 5))
    assert match.over


def test_the_random_bot_is_the_uniform_policy():
    tree = poker()
    assert (solve.policy_of(tree, "random").chances == solve.uniform(tree).chances).all()


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_cannot_be_solved_is_one_sentence():
    game, deals = claim()
    tree = solve.tree(game, 2, deals=deals)
    for wrong, sentence in (
        (lambda: solve.tree(game, 2, limit=100, deals=deals), "more than 100 histories"),
        (lambda: solve.tree(game, 2, payoff="glory", deals=deals), "no payoff 'glory'"),
        (lambda: solve.tree(game, 2, deals=[]), "at least one deal"),
        (lambda: solve.tree(game, 7, deals=deals), "2 to 6 players, not 7"),
        (lambda: solve.nash_conv(tree, solve.uniform(poker())), "another tree"),
        (lambda: solve.best_response(tree, solve.uniform(tree), 2), "no seat 2"),
        (lambda: solve.policy_from(tree, np.zeros(3)), "must be"),
        (lambda: solve.policy_from(tree, np.full(tree.sequences, np.nan)), "none negative"),
        (lambda: solve.policy_of(tree, "nobody"), "no bot 'nobody'"),
        (lambda: solve.uniform(tree).probabilities(game.new(2, seed=1), 7), "Seat 7 is not asked"),
        (lambda: solve.uniform(tree).probabilities(outbid.game("claim").new(2), 0), "own options"),
    ):
        with pytest.raises(BadSetup, match=sentence):
            wrong()


# --- the small games: what they are worth, frozen ---------------------------------------------------------------------


FROZEN = {  # deals, histories, information sets, iterations, value of who decides first
    ("claim", "tiny"): (5, 4_856, 3_706, 500, -18 / 35),
    ("claim", "small"): (30, 171_168, 109_721, 600, 23 / 105),
    ("claim", "small3"): (7, 6_129, 4_068, 500, -3 / 5),
    ("forex", "tiny"): (1, 7_726, 5_124, 500, 1),
    ("forex", "small"): (1, 140_812, 91_432, 300, 1),
    ("forex", "small3"): (3, 264_829, 138_989, 300, 1),
    ("kuhhandel", "tiny"): (1, 2_966, 1_331, 500, 1),
    ("kuhhandel", "small"): (3, 44_794, 24_382, 500, 1 / 3),
    ("kuhhandel", "small3"): (3, 61_517, 25_393, 500, 2 / 3),
    ("money", "tiny"): (24, 2_232, 672, 500, 0),
    ("money", "small"): (180, 124_740, 36_000, 500, 0),
    ("money", "small3"): (24, 136_920, 41_664, 500, 0),
    ("rivals", "tiny"): (6, 1_440, 694, 500, 1 / 3),
    ("rivals", "small"): (24, 38_440, 17_909, 500, -1 / 6),
    ("rivals", "small3"): (24, 80_264, 37_669, 500, 1 / 4),
}
BOUND = 2e-3  # of NashConv after so many iterations


@pytest.mark.parametrize(("name", "preset"), list(FROZEN))
@pytest.mark.generic
def test_a_small_game_has_this_size_and_this_value(name, preset):
    deals, histories, infosets, iterations, worth = FROZEN[name, preset]
    tree = solve.tree(outbid.game(name, preset=preset), 2)
    assert (tree.deals, tree.histories, tree.infosets) == (deals, histories, infosets)
    policy = solve.cfr_plus(tree, iterations)
    assert solve.opener_value(tree, policy) == pytest.approx(worth, abs=1e-4)
    assert 0 <= solve.nash_conv(tree, policy) < BOUND
    assert solve.value(tree, policy).sum() == pytest.approx(0, abs=1e-12)


def test_every_small_game_of_outbid_is_frozen():
    ours = {(book.id, preset) for book in rulebooks().values() for preset in book.laboratory}
    assert ours == set(FROZEN)


@pytest.mark.slow
def test_three_players_have_a_nash_conv_too():
    tree = solve.tree(Game(sealed, {"rounds": 2}), 3, deals=sealed_deals(3)[:2])
    policy = solve.uniform(tree)
    assert solve.nash_conv(tree, policy) > 0.1
    assert solve.value(tree, policy).sum() == pytest.approx(0, abs=1e-12)
    assert solve.nash_conv(tree, solve.cfr_plus(tree, 200)) < solve.nash_conv(tree, policy)


# --- the command line ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_prints_size_value_and_nash_conv_along_the_iterations():
    arguments = ("solve", "rivals", "--preset", "tiny", "--iterations", "20")
    document = json.loads(outbid_command(*arguments, "--json").stdout)
    assert document["game"] == "rivals"
    assert [point["iterations"] for point in document["course"]] == [0, 1, 2, 5, 10, 20]
    convergence = [point["nash_conv"] for point in document["course"]]
    assert convergence[-1] < 0.1 * convergence[0]
    assert len(document["value"]) == document["players"] == 2
    shown = outbid_command(*arguments).stdout
    assert f"{document['histories']:,} histories" in shown
    assert f"{convergence[-1]:.3g}" in shown


@pytest.mark.slow
def test_the_command_refuses_what_is_too_large_with_one_sentence():
    done = outbid_command("solve", "rivals", "--limit", "10")
    assert (done.returncode, done.stdout) == (2, "")
    assert "more than 10 histories" in done.stderr
    assert "Example" in outbid_command("solve", "--help").stdout
