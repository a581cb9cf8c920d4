"""The batch environment: each promise of `game.vector` is a test. The toy game compiles fast."""

import numpy as np
import pytest

import outbid
from outbid.compiled import loops
from outbid.compiled.backend import entry
from outbid.compiled.vector import REWARDS, Vector
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.contract import CLOCK
from outbid.core.rulebook import rulebook
from outbid.facade import Game

TOY = "sealed"


def vector(book, n, players=None, seed=0, **how):
    rules = rulebook(book) if isinstance(book, str) else book
    return Game(rules, {}).vector(n, rules.players[1] if players is None else players, seed, **how)


def play(v, steps):
    for _ in range(steps):
        v.step(v.sample())


def snapshot(v):
    arrays = v.states, v.actor, v.mask, v.count, v.obs, v.reward, v.done, v.episode, v.steps, v.deal
    return [array.tobytes() for array in arrays]


def plain(v, i, states=None):
    return v.rulebook.plain.from_record(v.states if states is None else states, i)


def features(v, state, seat):
    twin, row = state.copy(), [0.0] * v.rulebook.features
    contract.hide(twin, seat)
    contract.observe(twin, seat, row)
    return np.array(row, np.float32)


def test_a_batch_of_one_match_runs_the_code_of_larger_ones():
    """What one player's number is spread over is not read-only, which would be compiled a second time."""
    book = rulebook(TOY)
    for n in (1, 2):
        with vector(TOY, n) as v:
            v.step(v.sample())
            v.steady(np.ones(v.players, np.bool_))
    for loop in (loops.step_batch, loops.steady_batch):
        assert "readonly" not in str(entry(book, loop).signatures)


# --- buffers ----------------------------------------------------------------------------------------------------------


def own_buffers(n, players, features, actions):
    return {
        "obs": np.full((n, features), np.nan, np.float32),
        "mask": np.full((n, actions), 7, np.uint8),
        "reward": np.full((n, players), np.nan, np.float32),
        "done": np.ones(n, np.bool_),
        "actor": np.full(n, 99, np.int64),
    }


def test_the_callers_buffers_are_written_in_place_and_hold_what_new_ones_would():
    book = rulebook(TOY)
    mine = own_buffers(12, 4, book.features, book.actions)
    one, two = vector(TOY, 12, seed=4, buffers=mine), vector(TOY, 12, seed=4)
    for _ in range(40):
        for name, array in mine.items():
            assert (array == getattr(two, name)).all(), name
        assert one.obs is mine["obs"]
        assert one.mask is mine["mask"]
        play(one, 1)
        play(two, 1)


@pytest.mark.slow
def test_buffers_are_shared_with_torch_without_a_copy():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    rows = torch.zeros((8, rulebook(TOY).features))
    v = vector(TOY, 8, buffers={"obs": rows.numpy()})
    mask = torch.from_numpy(v.mask)
    for _ in range(5):
        v.step(torch.argmax(mask.to(torch.int8), dim=1))
        assert (rows.numpy() == v.obs).all()
        assert (mask.numpy() == v.mask).all()
        assert rows.abs().sum() > 0


@pytest.mark.parametrize(
    ("name", "array", "says"),
    [
        ("obs", np.zeros((8, 15)), "float32 array of shape"),
        ("obs", np.zeros((7, 15), np.float32), r"not float32 of \(7, 15\)"),
        ("obs", np.zeros((15, 8), np.float32).T, "contiguous"),
        ("mask", np.zeros((8, 10), np.int64), "bool array"),
        ("reward", [[0.0] * 4] * 8, "not 'list'"),
        ("actor", np.zeros(8, np.int32), "int64 array"),
        ("rewards", np.zeros((8, 4), np.float32), "There is no buffer 'rewards'"),
    ],
)
def test_wrong_buffers_are_refused_in_one_sentence(name, array, says):
    with pytest.raises(outbid.BadSetup, match=says):
        vector(TOY, 8, buffers={name: array})


def test_a_buffer_that_cannot_be_written_is_refused():
    array = np.zeros((8, 10), np.bool_)
    array.flags.writeable = False
    with pytest.raises(outbid.BadSetup, match="writeable"):
        vector(TOY, 8, buffers={"mask": array})


def test_what_is_not_the_callers_to_write_is_read_only_and_a_spoilt_mask_lets_nothing_illegal_through():
    v = vector(TOY, 4)
    for array in (v.actor, v.count, v.episode, v.steps, v.deal, v.seats, v.shift):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    wrong = np.argmin(v.mask, axis=1)
    v.mask[:] = True
    with pytest.raises(outbid.Illegal):
        v.step(wrong)


# --- the matches ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [TOY, "kuhhandel", "money", "rivals"])
@pytest.mark.generic
def test_every_row_is_the_match_that_its_seed_deals(name):
    book = rulebook(name)
    seeds = np.array([5, 2**62 + 3, 0, 12, 2**63 - 1])
    v = vector(book, 5, book.players[0], seeds=seeds)
    for i, seed in enumerate(seeds.tolist()):
        match = Game(book, {}).new(book.players[0], seed)
        assert plain(v, i) == match.state
        seat = int(v.actor[i])
        assert contract.asked(match.state) >> seat & 1
        assert v.obs[i].tolist() == features(v, match.state, seat).tolist()
        assert v.mask[i].sum() == v.count[i] > 0


def test_later_matches_of_a_row_are_dealt_from_streams_of_its_seed():
    v = vector(TOY, 3, seeds=[1, 2, 3])
    met = [set() for _ in range(3)]
    for _ in range(60):
        for i in range(3):
            met[i].add(int(v.deal[i]))
            assert v.deal[i] == (i + 1 if v.episode[i] == 0 else stream(i + 1, int(v.episode[i])))
        play(v, 1)
    assert all(len(deals) == 4 for deals in met)  # 16 steps a match


@pytest.mark.parametrize("joint", [False, True])
def test_results_are_the_same_for_any_number_of_threads(joint):
    one, two, three = (vector(TOY, 1024, seed=5, joint=joint, final_obs=True, threads=t) for t in (1, 2, 3))
    for _ in range(40):
        actions = one.sample()
        for v in (two, three):
            assert (v.sample() == actions).all()
            v.step(actions)
        one.step(actions)
        assert snapshot(one) == snapshot(two) == snapshot(three)
        assert (one.final_obs == two.final_obs).all()


def test_matches_may_have_options_of_their_own():
    variants = [{}, {"rounds": 1}, {"rounds": 2}, {}, "seed", {"rounds": 2}]
    v = vector(TOY, 6, options=variants)
    assert v.states["rounds"].tolist() == [4, 1, 2, 4, 4, 2]
    play(v, 4)
    assert v.done.tolist() == [False, True, False, False, False, False]
    play(v, 4)
    assert v.episode.tolist() == [0, 2, 1, 0, 0, 1]
    assert v.states["rounds"].tolist() == [4, 1, 2, 4, 4, 2]


@pytest.mark.slow
def test_one_set_of_options_stands_for_all_matches_and_lies_over_those_of_the_game():
    game = outbid.game("kuhhandel", overbid="forbidden")
    v = game.vector(2, 3, options={"payment": "free"})
    assert v.states["overbid"].tolist() == v.states["payment"].tolist() == [2, 2]


@pytest.mark.slow(but=("sealed",))
@pytest.mark.parametrize("rules", [rulebook(TOY), rulebook("rivals")], ids=lambda rules: rules.id)
def test_matches_may_have_different_numbers_of_players(rules):
    seats = np.array([2, 4, 3, 2, 3, 4])
    v = vector(rules, 6, seats, reward="score", final_obs=True)
    assert v.players == 4
    assert v.reward.shape == (6, 4)
    assert v.states["players"].tolist() == seats.tolist()
    ended = 0
    for _ in range(900):
        play(v, 1)
        assert (v.actor < seats).all()
        for i in np.flatnonzero(v.done):
            ended += 1
            assert (v.reward[i, seats[i] :] == 0).all()
            assert (v.final_obs[i, seats[i] :] == 0).all()
    assert ended > 6


def test_duplicate_matches_share_their_deals():
    v = vector(TOY, 12, duplicate=3, seed=8)
    groups = v.deal.copy().reshape(4, 3)
    assert (groups == groups[:, :1]).all()
    assert len(set(groups[:, 0].tolist())) == 4
    assert (v.states["hands"].reshape(4, 3, -1) == v.states["hands"].reshape(4, 3, -1)[:, :1]).all()
    play(v, 16)  # all toy matches are as long
    again = v.deal.reshape(4, 3)
    assert (again == again[:, :1]).all()
    assert (again != groups).all()


def test_rotation_seats_every_player_everywhere_once_in_a_group():
    v = vector(TOY, 8, duplicate=4, rotate=True)
    for player in range(4):
        assert sorted(v.seat_of(player)[:4].tolist()) == [0, 1, 2, 3]
    rows = np.arange(8)
    for _ in range(30):
        assert (v.seat_of(0)[rows] == v.shift).all()
        assert ((v.player + v.shift) % 4 == v.actor).all()
        play(v, 1)


# --- the end of a match -----------------------------------------------------------------------------------------------


@pytest.mark.slow(but=("sealed",))
@pytest.mark.parametrize("rules", [rulebook(TOY), rulebook("rivals")], ids=lambda rules: rules.id)
def test_a_match_that_ends_leaves_its_rewards_and_final_observation_and_the_new_one_its_own(rules):
    v = vector(rules, 6, rules.players[0], seed=2, reward="score", final_obs=True)
    singles = [plain(v, i) for i in range(6)]
    ended = 0
    for _ in range(400):
        actions, actor = v.sample(), v.actor.copy()
        v.step(actions)
        for i, state in enumerate(singles):
            contract.apply(state, int(actor[i]), int(actions[i]))
            over = contract.asked(state) == 0
            assert v.done[i] == over
            points = [0] * v.players
            contract.score(state, points)
            assert v.reward[i].tolist() == (points if over else [0] * v.players)
            for seat in range(v.players):
                expected = features(v, state, seat) if over else np.zeros(rules.features, np.float32)
                assert v.final_obs[i, seat].tolist() == expected.tolist()
            if over:
                ended += 1
                singles[i] = state = Game(rules, {}).new(v.players, int(v.deal[i])).state
                assert v.steps[i] == 0
            assert plain(v, i) == state
            assert v.obs[i].tolist() == features(v, state, int(v.actor[i])).tolist()
    assert ended == v.episode.sum() >= 3


def test_final_observations_are_refused_where_they_are_not_kept():
    with pytest.raises(outbid.BadSetup, match="final_obs=True"):
        _ = vector(TOY, 2).final_obs


def expected_rewards(scheme, points, winners, margin):
    """The schemes once more, from their description."""
    n = len(points)
    made = []
    for seat in range(n):
        others = [p for p in range(n) if p != seat]
        if scheme == "win":
            made.append((seat in winners) / len(winners))
        elif scheme == "score":
            made.append(points[seat])
        elif scheme == "margin":
            made.append((points[seat] - sum(points[p] for p in others) / len(others)) / margin)
        else:
            place = {p: (p in winners, points[p]) for p in range(n)}
            behind = sum(1.0 if place[p] < place[seat] else 0.5 if place[p] == place[seat] else 0.0 for p in others)
            made.append(behind / len(others))
    return made


@pytest.mark.slow(but=("sealed",))
@pytest.mark.parametrize("scheme", REWARDS)
@pytest.mark.parametrize("name", [TOY, "rivals"])
def test_rewards_are_what_their_scheme_says(name, scheme):
    book = rulebook(name)
    v = vector(book, 16, 3, seed=1, reward=scheme, final_obs=True)
    ended, level = 0, 0
    for _ in range(3000):
        play(v, 1)
        assert np.isfinite(v.reward).all()
        assert (v.reward[~v.done] == 0).all()
        for i in np.flatnonzero(v.done):
            state, points = plain(v, i, v._rows.ended), [0] * 3
            mask = contract.winners(state, points)
            contract.score(state, points)
            won = [seat for seat in range(3) if mask >> seat & 1]
            level += len(won) > 1
            expected = expected_rewards(scheme, points, won, book.margin)
            assert v.reward[i].tolist() == pytest.approx(expected, rel=1e-6, abs=1e-6)
            if scheme == "win":
                assert v.reward[i].sum() == pytest.approx(1)
            if scheme == "rank":
                assert v.reward[i].sum() == pytest.approx(1.5)
            if scheme == "margin":
                assert v.reward[i].sum() == pytest.approx(0, abs=1e-4)
            ended += 1
        if ended >= 60:
            break
    assert ended >= 16
    assert level or name != TOY


# --- reset ------------------------------------------------------------------------------------------------------------


def test_reset_deals_the_seeds_given_in_the_rows_named_and_leaves_the_others():
    v = vector(TOY, 6, seeds=np.arange(6))
    play(v, 5)
    before, where = v.states.copy(), np.array([True, False, True, False, False, False])
    v.reset(seeds=np.arange(100, 106), where=where)
    assert v.deal[where].tolist() == [100, 102]
    assert v.steps.tolist() == [0, 5, 0, 5, 5, 5]
    assert (v.states[~where] == before[~where]).all()
    assert plain(v, 2) == outbid.game(TOY).new(4, 102).state
    play(v, 16)
    assert v.deal[0] == stream(100, 1)


def test_reset_without_seeds_goes_on_to_the_next_deal_but_leaves_what_has_just_been_dealt():
    v = vector(TOY, 3, seeds=[7, 8, 9])
    v.reset()
    assert v.deal.tolist() == [7, 8, 9]
    play(v, 3)
    v.reset()
    assert v.deal.tolist() == [stream(seed, 1) for seed in (7, 8, 9)]
    assert v.episode.tolist() == [0, 0, 0]
    assert (v.reward == 0).all()
    assert not v.done.any()


# --- sealed choices at once -------------------------------------------------------------------------------------------


@pytest.mark.slow(but=("sealed",))
@pytest.mark.parametrize("rules", [rulebook(TOY), rulebook("money")], ids=lambda rules: rules.id)
def test_in_joint_mode_all_who_are_asked_act_at_once_and_each_sees_what_it_may(rules):
    v = vector(rules, 4, 3, seed=3, joint=True)
    singles = [plain(v, i) for i in range(4)]
    several = 0
    for _ in range(120):
        actions = v.sample()
        for i, state in enumerate(singles):
            asked = [seat for seat in range(3) if contract.asked(state) >> seat & 1]
            several += len(asked) > 1
            assert v.actor[i].tolist() == [seat if seat in asked else -1 for seat in range(3)]
            assert (actions[i] >= 0).tolist() == [seat in asked for seat in range(3)]
            for seat in range(3):
                out = [0] * 256
                legal = out[: contract.legal(state, seat, out)] if seat in asked else []
                assert np.flatnonzero(v.mask[i, seat]).tolist() == sorted(legal)
                expected = features(v, state, seat) if seat in asked else np.zeros(rules.features, np.float32)
                assert v.obs[i, seat].tolist() == expected.tolist()
            for seat in reversed(asked):  # the order of answers never matters
                contract.apply(state, seat, int(actions[i, seat]))
        v.step(actions)
        for i, state in enumerate(singles):
            if contract.asked(state) == 0:
                assert v.done[i]
                singles[i] = plain(v, i)
            assert plain(v, i) == singles[i]
    assert several > 50


@pytest.mark.slow
def test_in_joint_mode_who_is_not_asked_gives_minus_one():
    v = vector("rivals", 2, 3, joint=True)
    actions = v.sample()
    idle = int(np.flatnonzero(actions[1] < 0)[0])
    actions[1, idle] = 0
    before = snapshot(v)
    with pytest.raises(outbid.Illegal, match=f"Seat {idle} is not asked in match 1; its action must be -1, not 0"):
        v.step(actions)
    with pytest.raises(outbid.Illegal, match="Action -1 of seat"):
        v.step(np.full((2, 3), -1))
    assert snapshot(v) == before


@pytest.mark.slow
def test_the_clock_is_an_actor_turn_by_turn_and_acts_by_itself_in_joint_mode():
    game = outbid.game("kuhhandel", bidding="realtime")
    single, joint = game.vector(32, 3), game.vector(32, 3, joint=True)
    clocks = 0
    for _ in range(300):
        clock = single.actor == CLOCK
        clocks += clock.sum()
        assert (single.obs[clock] == 0).all()
        assert ((joint.actor >= 0).sum(axis=1) == 1).all()
        play(single, 1)
        play(joint, 1)
    assert clocks > 50
    assert (joint.states["moves"] > 20).all()


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "error", "says"),
    [
        (lambda v: np.full(4, 99), outbid.Illegal, r"Action 99 of seat \d in match 0 is not legal; legal: \d+ \("),
        (lambda v: np.where(np.arange(4) == 2, np.argmin(v.mask, axis=1), np.argmax(v.mask, axis=1)), outbid.Illegal,
         r"Action \d \(seal \d\) of seat \d in match 2 is not legal; legal: \d \(seal \d\)"),
        (lambda v: np.zeros(4), outbid.BadSetup, "4 integers, not float64"),
        (lambda v: np.zeros(4, bool), outbid.BadSetup, "4 integers, not bool"),
        (lambda v: np.zeros((4, 4), int), outbid.BadSetup, r"of shape \(4, 4\)"),
        (lambda v: [0, 0], outbid.BadSetup, r"of shape \(2,\)"),
    ],
)  # fmt: skip
def test_a_wrong_step_is_refused_in_one_sentence_and_changes_nothing(actions, error, says):
    v = vector(TOY, 4, seed=1)
    play(v, 3)
    before = snapshot(v)
    with pytest.raises(error, match=says):
        v.step(actions(v))
    assert snapshot(v) == before


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"reward": "money"}, "There is no reward 'money'; there are win, margin, rank, score"),
        ({"seeds": [1, 2]}, "4 integers, not int64 of shape"),
        ({"seeds": [1, 2, 3, -4]}, "A seed is -4"),
        ({"seeds": [0.5] * 4}, "float64"),
        ({"duplicate": 3}, "4 matches cannot be divided"),
        ({"options": [{}]}, "options for 4 matches, not for 1"),
        ({"options": {"rounds": 9}}, "Option rounds is 9"),
        ({"options": "short"}, "no preset 'short'"),
        ({"players": [2, 3]}, "one for each of 4"),
        ({"players": 5}, "2 to 4 players, not 5"),
        ({"threads": 0}, "from 1, not 0"),
        ({"seed": -1}, "The seed is -1"),
    ],
)
def test_a_wrong_batch_is_refused_in_one_sentence(how, says):
    with pytest.raises(outbid.OutbidError, match=says):
        vector(TOY, 4, **how)


@pytest.mark.parametrize("n", [0, -1, 2.0, True, "4"])
def test_the_number_of_matches_is_a_whole_number(n):
    with pytest.raises(outbid.BadSetup, match="a whole number from 1"):
        vector(TOY, n)


def test_a_wrong_reset_is_refused_and_changes_nothing():
    v = vector(TOY, 4)
    play(v, 2)
    before = snapshot(v)
    for how in ({"where": [0, 1, 0, 1]}, {"where": np.ones(3, bool)}, {"seeds": [1, 2]}, {"seeds": [1, 2, 3, -1]}):
        with pytest.raises(outbid.BadSetup):
            v.reset(**how)
    assert snapshot(v) == before


def test_a_closed_batch_says_so_and_keeps_its_arrays():
    with vector(TOY, 4) as v:
        actions = v.sample()
    for use in (lambda: v.step(actions), v.reset, v.sample, lambda: v.steady(np.ones(4, bool))):
        with pytest.raises(outbid.BadSetup, match="The batch is closed"):
            use()
    assert v.mask.any()


@pytest.mark.slow
def test_a_match_that_is_over_before_it_begins_is_refused(monkeypatch):
    options = [{}, {"copies": [0] * 10}]
    with pytest.raises(outbid.BadOption, match="Kuhhandel can only be played if there are animals"):
        outbid.game("kuhhandel").vector(2, 3, options=options)
    monkeypatch.setattr("outbid.core.rulebook._unplayable", lambda *_: None)  # a game that does not declare what it needs
    with pytest.raises(outbid.BadSetup, match="Match 1 is over before it begins"):
        outbid.game("kuhhandel").vector(2, 3, options=options)


def test_a_batch_is_a_vector_that_is_observed_when_somebody_looks():
    batch = outbid.game(TOY).batch(6, players=3, seed=4)
    v = vector(TOY, 6, 3, seed=4)
    assert isinstance(batch, Vector)
    for _ in range(30):
        play(v, 1)
        play(batch, 1)
    assert snapshot(v) == snapshot(batch)
