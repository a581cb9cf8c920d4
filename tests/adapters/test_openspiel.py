"""The games as OpenSpiel has them: its own tests and algorithms run on them and agree with `outbid.solve`; playthroughs."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import outbid
from outbid import solve
from outbid.core.errors import OutbidError
from outbid.core.rulebook import rulebook, rulebooks
from tests.support.lazily import Lazy

MISSING = "OpenSpiel is not installed: pip install open_spiel"
pyspiel = Lazy("pyspiel", MISSING)
cfr = Lazy("open_spiel.python.algorithms.cfr", MISSING)
exploitability = Lazy("open_spiel.python.algorithms.exploitability", MISSING)
playthroughs = Lazy("tests.support.playthroughs", MISSING)
adapter = Lazy("outbid.adapters.openspiel", MISSING)

GAMES = [book for book in rulebooks().values() if book.id != "sealed"]
SMALL = [(book.id, preset) for book in GAMES for preset in book.laboratory]
TINY = [pair for pair in SMALL if pair[1] == "tiny"]
QUICK = ("rivals",)
WALKED = [pytest.param(*pair, marks=[] if pair[0] in QUICK else [pytest.mark.deep]) for pair in TINY]
SOLVED = [pytest.param(game, marks=[] if game in QUICK else [pytest.mark.deep]) for game, _ in TINY]


def load(game: str, **parameters: Any) -> Any:
    given = ",".join(f"{name}={value}" for name, value in parameters.items())
    _ = adapter.tabulated  # registers the games
    return pyspiel.load_game(f"outbid_{game}({given})")


@pytest.mark.slow(but=("rivals", "claim", "money", "forex"))
@pytest.mark.parametrize(("game", "preset"), [*((book.id, "seed") for book in GAMES), *SMALL])
def test_openspiels_own_random_simulation_passes(game, preset, capfd):
    players = 2 if preset != "seed" else rulebook(game).players[0]
    # the full games are long: few deals to list at the root, and no state written down and read back at every step
    loaded = load(game, preset=preset, players=players, deals=20 if preset == "seed" else 10_000)
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=preset == "tiny", verbose=False)
    capfd.readouterr()


@pytest.mark.parametrize("game", [book.id for book in GAMES])
def test_a_state_is_written_down_and_read_back_in_any_game(game):
    loaded = load(game, deals=5, players=3)
    rng = np.random.default_rng(2)
    state = loaded.new_initial_state()
    for _ in range(25):
        twin = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(loaded, state))[1]
        assert str(twin) == str(state)
        assert twin.history() == state.history()
        for seat in range(loaded.num_players()):
            assert twin.information_state_string(seat) == state.information_state_string(seat)
        state.apply_action(int(rng.choice(state.legal_actions())))


@pytest.mark.slow(but=("sealed",))
@pytest.mark.parametrize("game", SOLVED)
def test_openspiels_cfr_converges_and_both_give_its_policies_the_same_nash_conv(game):
    loaded = load(game, preset="tiny", players=2)
    tree = solve.tree(outbid.game(game, preset="tiny"), 2)
    assert tree.histories <= 10_000
    solver = cfr.CFRPlusSolver(loaded)
    convergence = []
    for _ in range(2):
        theirs = solver.average_policy()
        convergence.append(exploitability.nash_conv(loaded, theirs))
        assert solve.nash_conv(tree, adapter.tabulated(tree, loaded, theirs)) == pytest.approx(convergence[-1], abs=1e-6)
        for _ in range(6):
            solver.evaluate_and_update_policy()
    print(f"NashConv of OpenSpiel's CFR+ on {game}, tiny, before and after 6 iterations: {convergence}")
    assert convergence[-1] < 0.25 * convergence[0]


@pytest.mark.slow(but=("sealed",))
@pytest.mark.parametrize(("game", "preset"), WALKED)
def test_openspiel_gives_our_policies_the_same_nash_conv(game, preset):
    loaded = load(game, preset=preset, players=2)
    tree = solve.tree(outbid.game(game, preset=preset), 2)
    ours = solve.policy_from(tree, np.random.default_rng(1).random(tree.sequences))
    theirs = exploitability.nash_conv(loaded, adapter.as_openspiel(loaded, ours))
    assert solve.nash_conv(tree, ours) == pytest.approx(theirs, abs=1e-6)


@pytest.mark.slow(but=("rivals",))
@pytest.mark.parametrize(("game", "preset"), TINY)
def test_strings_and_tensors_tell_states_of_knowledge_apart_exactly_where_the_tree_does(game, preset):
    loaded = load(game, preset=preset, players=2)
    seen: dict[tuple[int, int], set[Any]] = {}
    waiting = [loaded.new_initial_state()]
    count = 0
    while waiting and count < 200:
        state = waiting.pop(len(waiting) * 7919 % 13 % len(waiting))
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            count += 1
            seat = state.current_player()
            assert state.legal_actions() == sorted(state.legal_actions())
            info_hash = state.position.memories[seat].info_hash
            known = state.information_state_string(seat), tuple(state.information_state_tensor(seat)), seat
            seen.setdefault(info_hash, set()).add(known)
        waiting += [state.child(action) for action in state.legal_actions()[:6]]
    assert all(len(known) == 1 for known in seen.values())
    for column in range(2):
        assert len({(next(iter(known))[column], next(iter(known))[2]) for known in seen.values()}) == len(seen)


def test_the_observation_tensor_is_the_games_own_and_its_string_says_it_in_words():
    loaded = load("rivals", players=2, deals=3)
    state = loaded.new_initial_state()
    assert not any(state.observation_tensor(0))
    assert state.observation_string(0) == ""
    state.apply_action(1)
    book = rulebook("rivals")
    tensor = np.array(state.observation_tensor(0), np.float32)
    assert tensor.shape == (book.features,) == tuple(loaded.observation_tensor_shape())
    match = outbid.game("rivals").new(2, seed=1)
    row = np.zeros(book.features, np.float32)
    hidden = match.hidden(0)
    hidden.rules.observe(hidden, 0, row)
    assert (row == tensor).all()
    assert state.observation_string(0) == book.observation.describe(row)


FULL = [pytest.param(book.id, "deals=2", marks=pytest.mark.deep) for book in GAMES]


@pytest.mark.slow(but=("rivals", "money", "forex", "kuhhandel"))
@pytest.mark.parametrize(("game", "parameters"), [*((game, "preset=tiny") for game, _ in TINY), *FULL])
def test_openspiels_own_generate_playthrough_runs_on_every_game(game, parameters):
    generate = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough", reason=MISSING)
    _ = adapter.tabulated
    said = generate.playthrough(f"outbid_{game}({parameters})", None, seed=1)
    for line in ("PublicObservationString()", "PrivateObservationString(0)", "Returns() = ["):
        assert line in said


@pytest.mark.parametrize("game", [book.id for book in GAMES])
def test_the_public_part_is_everybodys_and_with_the_private_part_it_is_what_a_seat_observes(game):
    loaded, kind, private = load(game, deals=3), pyspiel.IIGObservationType, pyspiel.PrivateInfoType
    state = loaded.new_initial_state()
    rng = np.random.default_rng(3)
    whole = loaded.make_py_observer(kind(public_info=True, perfect_recall=False, private_info=private.SINGLE_PLAYER))
    public = loaded.make_py_observer(kind(public_info=True, perfect_recall=False, private_info=private.NONE))
    own = loaded.make_py_observer(kind(public_info=False, perfect_recall=False, private_info=private.SINGLE_PLAYER))
    knows = False
    for _ in range(40):
        if state.is_terminal():
            break
        if not state.is_chance_node():
            shown = []
            for seat in range(loaded.num_players()):
                for one in (whole, public, own):
                    one.set_from(state, seat)
                shown.append(public.tensor.copy())
                knows |= bool(own.tensor.any())
                assert set(own.string_from(state, seat).splitlines()) <= set(whole.string_from(state, seat).splitlines())
            np.testing.assert_array_equal(shown, [shown[0]] * len(shown))
            own.set_from(state, 0)
            whole.set_from(state, 0)
            np.testing.assert_allclose(shown[0] + own.tensor, whole.tensor, atol=1e-6)
            twin = state.resample_from_infostate(0, rng.random)
            public.set_from(twin, 1)
            np.testing.assert_array_equal(public.tensor, shown[0])
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert knows or not loaded.rules.rulebook.secrets


def test_openspiels_ismcts_in_python_plays():
    ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts", reason=MISSING)
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts", reason=MISSING)
    loaded = load("rivals", preset="tiny", players=2)
    state = loaded.new_initial_state()
    state.apply_action(0)
    bot = ismcts.ISMCTSBot(
        loaded, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), 2.0, 20, random_state=np.random.RandomState(1)
    )
    assert bot.step(state) in state.legal_actions()


def test_chance_is_explicit_with_the_exact_probabilities_of_a_small_game_and_seeds_of_a_large_one():
    small = load("claim", preset="tiny")
    exact = rulebook("claim").deals(small.rules.options, 2)
    assert dict(small.new_initial_state().chance_outcomes()) == {k: float(weight) for k, (_, weight) in enumerate(exact)}
    large = load("claim", deals=7)
    assert large.new_initial_state().chance_outcomes() == [(k, 1 / 7) for k in range(7)]
    state = large.new_initial_state()
    state.apply_action(3)
    assert state.position.walk.state == outbid.game("claim").new(2, seed=3).state


def test_parameters_are_options_of_the_rulebook():
    loaded = load("claim", preset="tiny", options="goal:6;copies:3 3 0 0 0 0", payoff="margin")
    assert loaded.rules.options == {**outbid.game("claim", preset="tiny", goal=6, copies=[3, 3, 0, 0, 0, 0]).options}
    assert pyspiel.load_game(str(loaded)).rules.options == loaded.rules.options
    assert loaded.num_players() == 2
    for wrong, sentence in (
        ({"preset": "giant"}, "no preset 'giant'"),
        ({"options": "goal"}, "not name:value"),
        ({"options": "goal:0"}, "Option goal"),
        ({"payoff": "glory"}, "no payoff 'glory'"),
        ({"players": 9}, "2 to 6 players"),
        ({"deals": 0}, "at least one deal"),
    ):
        with pytest.raises(OutbidError, match=sentence):
            load("claim", **wrong)


def test_what_is_illegal_is_one_clear_error_and_changes_nothing():
    state = load("claim", preset="tiny").new_initial_state()
    with pytest.raises(OutbidError, match="no deal 99"):
        state.apply_action(99)
    with pytest.raises(OutbidError, match="not been dealt"):
        _ = state.position
    state.apply_action(0)
    before = str(state)
    with pytest.raises(OutbidError, match="Action 89 is not legal now; legal are"):
        state.apply_action(89)
    assert str(state) == before


@pytest.mark.parametrize("game", [book.id for book in GAMES])
def test_resampling_keeps_what_a_seat_knows_and_deals_the_rest_anew(game):
    loaded = load(game, deals=5, players=3)
    rng = np.random.default_rng(4)
    state, different = loaded.new_initial_state(), 0
    for step in range(25):
        if not state.is_chance_node():
            for seat in range(loaded.num_players()):
                world = state.resample_from_infostate(seat, rng.random)
                assert world.information_state_string(seat) == state.information_state_string(seat)
                assert world.observation_tensor(seat) == state.observation_tensor(seat)
                assert world.current_player() == state.current_player()
                if seat == state.current_player():
                    assert world.legal_actions() == state.legal_actions()
                different += world.position.walk.state != state.position.walk.state
            if step % 10 == 9:
                while not world.is_terminal() and world.move_number() < 30:
                    world.apply_action(int(rng.choice(world.legal_actions())))
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert different > 10 or game == "forex"  # in For-Ex everybody knows everything


def test_a_clone_goes_its_own_way():
    state = load("money", preset="tiny", players=2).new_initial_state()
    state.apply_action(5)
    before = str(state), state.information_state_string(0), state.history()
    twin = state.clone()
    while not twin.is_terminal():
        twin.apply_action(twin.legal_actions()[0])
    assert (str(state), state.information_state_string(0), state.history()) == before


def test_where_the_clock_may_act_a_seat_may_stay_silent_and_the_clock_acts_when_all_are():
    loaded = load("kuhhandel", players=3, options="bidding:realtime", deals=2)
    state = loaded.new_initial_state()
    silence = rulebook("kuhhandel").actions
    state.apply_action(0)
    auctioneer = state.current_player()
    state.apply_action(state.legal_actions()[0])
    asked = []
    for _ in range(2):
        asked.append(state.current_player())
        assert state.action_to_string(silence) == "stay silent"
        state.apply_action(silence)
    assert set(asked) == {0, 1, 2} - {auctioneer}
    assert state.current_player() == (auctioneer + 1) % 3  # nobody has bid: the card is the auctioneer's


def test_returns_follow_the_payoff():
    for payoff in ("win", "share", "margin", "score"):
        loaded = load("claim", preset="tiny", payoff=payoff)
        rng = np.random.default_rng(3)
        state = loaded.new_initial_state()
        assert state.returns() == [0.0, 0.0]
        while not state.is_terminal():
            state.apply_action(int(rng.choice(state.legal_actions())))
        utility = loaded.get_type().utility
        total = {pyspiel.GameType.Utility.ZERO_SUM: 0.0, pyspiel.GameType.Utility.CONSTANT_SUM: 1.0}.get(utility)
        assert np.isfinite(state.returns()).all()
        assert total is None or sum(state.returns()) == pytest.approx(total)


# --- playthroughs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "preset"), [*((book.id, "seed") for book in GAMES), *TINY])
def test_a_playthrough_reads_as_it_was_checked_in(game, preset):
    """`python -m tests.support.playthroughs` writes them anew."""
    file = playthroughs.FOLDER / f"{game}-{preset}.txt"
    wrote, reads = playthroughs.played(game, preset), file.read_text(encoding="utf-8")
    for number, (now, then) in enumerate(itertools.zip_longest(wrote.splitlines(), reads.splitlines()), 1):
        assert now == then, f"{file.name}, line {number}"
