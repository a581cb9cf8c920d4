"""Names of bots mean the same everywhere; whoever was trained sits down; nobody from outside names a file."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import outbid
from outbid.agents.session import Sitting
from outbid.bots import BOTS, bot, choose, known, load_bot, naming
from outbid.bots.decision import Decision
from outbid.compiled.loops import SEATS_FROM
from outbid.core.chance import stream
from outbid.core.rulebook import by_id, rulebook
from outbid.lab.arena import one_against_others
from outbid.lab.simulate import simulate
from outbid.runs.runner import play
from outbid.runs.seating import Bots
from outbid.server.domain.setup import bot_seat

NET = f"net@{rulebook('rivals').folder / 'policy.npz'}"
MINE = '''
import numpy as np
from outbid.bots import BOTS

def last(obs, mask):
    """The highest action id."""
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(1)

def wrong(obs, mask):
    return np.zeros(len(obs))

class Player:
    """As steady does."""
    name, summary = "player", "does as steady does"
    def decide(self, seat):
        return BOTS["steady"].decide(seat)

number = 3
'''


def last(obs: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The highest action id."""
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(1)


@pytest.fixture(autouse=True)
def nobody_is_left(monkeypatch, tmp_path):
    """What a test loads is known to nobody afterwards."""
    (tmp_path / "mine_here.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    sys.modules.pop("mine_here", None)
    with BOTS.apart():
        yield


# --- what a name means ------------------------------------------------------------------------------------------------


def test_an_effort_a_persona_with_one_a_net_a_function_and_a_class_are_bots():
    assert load_bot("strong*0.1").budget == pytest.approx(0.1)
    assert load_bot("strong:explorer*0.5", rulebook("rivals")).search.budget == pytest.approx(0.5)
    assert load_bot(NET, rulebook("rivals")).game.id == "rivals"
    match = outbid.game("rivals").new(players=2, seed=3)
    for name in ("mine_here:last", "mine_here.py:last", "mine_here:Player", NET):
        actions = choose(match, match.asked[0], name, 5).actions
        match.copy().play_steps(match.asked[0], actions)
    assert load_bot("mine_here:Player").name == "player"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("stedy", "Did you mean 'steady'"),
        ("mine_here:nobody", "mine_here has no 'nobody'; it has"),
        ("no_such_module:act", "no_such_module:act cannot be loaded: ModuleNotFoundError"),
        ("mine_here:number", "neither a function"),
        ("net@nowhere.npz", "No such file"),
        ("net@mine_here.py", r"is no policy net: it must be an \.npz file that Outbid has written\.$"),
        ("steady*2", "does not look ahead"),
        ("strong*0", "must be a number above 0"),
    ],
)
def test_what_is_nobody_is_one_sentence(name, says):
    with pytest.raises(outbid.BadSetup, match=says):
        load_bot(name)
    assert known(name) is None


def test_a_net_of_pickled_objects_is_refused_and_nothing_is_unpickled(tmp_path):
    class Trap:
        def __reduce__(self):
            return Path.touch, (tmp_path / "sprung",)

    np.savez(tmp_path / "trap.npz", facts=np.array([Trap()], dtype=object))
    with pytest.raises(outbid.BadSetup, match="no policy net"):
        load_bot(f"net@{tmp_path / 'trap.npz'}")
    assert not (tmp_path / "sprung").exists()


def test_a_net_plays_its_own_game_under_the_rules_that_it_has_learned():
    with pytest.raises(outbid.BadSetup, match="is a net for"):
        load_bot(NET, rulebook("money"))
    match = outbid.game("rivals", "tiny").new(players=2)
    with pytest.raises(outbid.BadSetup, match="under these rules"):
        choose(match, match.asked[0], NET, 1)


# --- who may name what ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [NET, "mine_here:last", "mine_here.py:last", "os:system", "strong*0.1"])
def test_who_comes_from_outside_cannot_name_a_file_a_module_or_an_effort(name):
    assert known(name) is None
    with pytest.raises(outbid.BadSetup, match="There is no bot"):
        bot(name)
    with pytest.raises(outbid.BadSetup, match="There is no bot"):
        bot_seat(name, [], by_id("rivals"))
    assert "mine_here" not in sys.modules


def test_what_a_host_offers_can_be_chosen_by_its_short_name_in_processes_of_the_server_too(tmp_path):
    naming.offer(f"champion={NET}")
    naming.offer("mine_here:last")
    assert bot_seat("champion", [], by_id("rivals")).bot == "champion"
    assert "champion" in BOTS
    assert bot("last").name == "last"
    with pytest.raises(outbid.BadSetup, match="is a net for"):
        bot_seat("champion", [], by_id("money"))
    with pytest.raises(outbid.BadSetup, match="There is a bot 'steady' already"):
        naming.offer("steady=mine_here:last")
    handed = f"from outbid.bots.naming import Registered; {naming.registered()!r}.adopt()"
    code = f"{handed}; from outbid.bots import bot; print(bot('champion').game.id, bot('last').name)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ))
    assert run.stdout.split() == ["rivals", "last"]


# --- the same everywhere ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [NET, "mine_here:last", "mine_here:Player"])
def test_a_seat_a_simulation_and_an_arena_take_the_same_names(name):
    match = outbid.game("rivals").new(players=2, seed=4)
    sitting = Sitting(match, 0, {1: name}, seed=4)
    assert sitting.asked
    book = rulebook("rivals")
    found = simulate(book, {}, 2, 2, 1, [name, "steady"])
    assert {line.name for line in found.bots} == {name, "steady"}
    if name != NET:
        assert Bots(book, {}, 2, [name, "steady"]).asked
        made = play(book, {}, 2, [name, "steady"], np.array([[0, 1], [0, 1]]), 1)
        assert made.shares.sum(1) == pytest.approx([1.0] * 4)


def at_the_agents_door(name: str) -> None:
    pytest.importorskip("mcp", reason="the SDK of the Model Context Protocol is not installed")
    from outbid.agents.mcp import set_match

    load_bot(name, rulebook("rivals"))  # as the command does for the person who runs it
    assert set_match(rulebook("rivals"), 2, 0, name, 4, "seed", {}, None, True).asked


def at_the_vectors_door(name: str) -> None:
    gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    import outbid.adapters.gymnasium  # noqa: F401 - registers the games

    env = gymnasium.make_vec("outbid/rivals-v2", num_envs=2, players=2, bots=name, seat=0)
    env.reset(seed=3)
    assert len(env.step(env.action_space.sample())[1]) == 2


def at_the_exploiters_door(name: str) -> None:
    book, tiny = rulebook("rivals"), rulebook("rivals").preset("tiny")
    for one, others in ((name, "random"), ("random", name)):  # an exploiter, a victim
        if name == NET:
            with pytest.raises(outbid.BadSetup, match="has not learned Rivals under these rules"):
                one_against_others(book, tiny, 2, one, others, 2, 1)
        else:
            assert 0 <= one_against_others(book, tiny, 2, one, others, 2, 1).share <= 1


@pytest.mark.parametrize(
    "door",
    [
        at_the_agents_door, pytest.param(at_the_vectors_door, marks=pytest.mark.slow),
        pytest.param(at_the_exploiters_door, marks=pytest.mark.slow),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "name",
    [
        NET, "mine_here:last", "mine_here.py:Player", "easy:explorer", "cautious",
        pytest.param("strong*0.01", marks=pytest.mark.deep),  # half a minute of the compiler
    ],
)  # fmt: skip
def test_whoever_it_is_sits_down_at_every_door(door, name, tmp_path, monkeypatch):
    if name == "cautious":  # the package of the example, installed
        example = Path(__file__).parents[2] / "examples" / "three_bots"
        (tmp_path / "three_bots.py").write_bytes((example / "three_bots.py").read_bytes())
        made = tmp_path / "three_bots-0.1.dist-info"
        made.mkdir()
        points = tomllib.loads((example / "pyproject.toml").read_text())["project"]["entry-points"]["outbid.bots"]
        (made / "entry_points.txt").write_text("[outbid.bots]\n" + "".join(f"{k} = {v}\n" for k, v in points.items()))
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(BOTS, "_own", True)  # they are looked up anew
    door(name)


def test_several_nets_from_files_sit_at_one_table_of_the_arena(tmp_path):
    other = tmp_path / "other.npz"
    other.write_bytes(Path(NET.removeprefix("net@")).read_bytes())
    found = play(rulebook("rivals"), {}, 2, [NET, f"net@{other}"], np.array([[0, 1], [0, 1]]), 1)
    assert found.shares.shape == (4, 2)


@pytest.mark.slow
@pytest.mark.parametrize("who", [NET, "mine_here:last", last, "mine_here:Player", "steady:explorer"])
def test_in_a_batch_a_bot_plays_the_very_match_that_it_plays_when_it_is_asked_for_moves(who):
    name = who if isinstance(who, str) else "mine_here:last"
    v = outbid.game("rivals").against(5, 2, bots=who, seat=1, seed=2, reward="score")
    learner = [[] for _ in range(v.n)]
    deals, ends = v.deal.copy(), {}
    while len(ends) < v.n:
        actions = v.sample()
        for i in range(v.n):
            if i not in ends:
                learner[i].append(int(actions[i]))
        v.step(actions)
        ends.update({i: v.reward[i].tolist() for i in np.flatnonzero(v.done) if i not in ends})
    for i in range(v.n):
        match, said = outbid.game("rivals").new(players=2, seed=int(deals[i])), iter(learner[i])
        while not match.over:
            seat = match.asked[0]
            if seat == 1:
                actions = [next(said)]
                state = match.state.copy()
                while True:
                    outbid.core.contract.apply(state, 1, actions[-1])
                    if not outbid.core.contract.midway(state, 1):
                        break
                    actions.append(next(said))
            else:
                actions = choose(match, seat, name, stream(int(deals[i]), SEATS_FROM + seat)).actions
            match.play_steps(seat, actions)
        assert match.scores == ends[i]
        assert next(said, None) is None


@pytest.mark.slow
def test_a_single_environment_has_the_match_of_its_row_whoever_plays_there():
    gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    import outbid.adapters.gymnasium as adapter

    how = {"players": 3, "seat": None, "bots": [["steady", last, NET], "mine_here:Player"], "reward": "score"}
    many = gymnasium.make_vec("outbid/rivals-v2", num_envs=3, **how)
    ones = [adapter.SeatEnv("rivals", **how) for _ in range(3)]
    seen, info = many.reset(seed=11)
    for i, one in enumerate(ones):
        np.testing.assert_array_equal(one.reset(seed=11 + i)[0], seen[i])
    ended = 0
    for _ in range(60):
        actions = info["action_mask"].argmax(1)
        seen, paid, over, _, info = many.step(actions)
        for i, one in enumerate(ones):
            alone, had, done, _, _ = one.step(int(actions[i]))
            assert (had, done) == (paid[i], over[i])
            ended += done
            np.testing.assert_array_equal(one.reset()[0] if done else alone, seen[i])
    assert ended > 2


# --- leagues ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_of_a_league_one_is_drawn_for_each_match_by_its_deal_and_all_of_them_play():
    met = {"a": 0, "b": 0}

    def player(name):
        def act(obs, mask):
            met[name] += len(obs)
            return mask.argmax(1)

        return act

    a, b = player("a"), player("b")
    how = {"seat": 0, "seed": 1, "reward": "score"}
    v = outbid.game("rivals").against(64, 2, bots=[[a, b]], **how)
    first = v._sitting.policies.copy()
    assert {-1, -2} <= set(first.ravel().tolist())
    assert min(met.values()) > 0 or v.step(v.sample()) is None
    again = outbid.game("rivals").against(32, 2, bots=[[a, b]], seeds=v.deal[:32], **{k: how[k] for k in ("seat", "reward")})
    np.testing.assert_array_equal(again._sitting.policies, first[:32])


def test_others_sit_down_from_the_next_deal_on():
    v = outbid.game("rivals").against(4, 2, bots="steady", seat=0, seed=1)
    calls = []

    def new(obs, mask):
        calls.append(len(obs))
        return mask.argmax(1)

    v.bots = new
    v.step(v.sample())
    assert v.done.any() or not calls
    v.reset()
    for _ in range(6):
        v.step(v.sample())
    assert calls
    with pytest.raises(outbid.BadSetup, match="There must be 1 bot,"):
        v.bots = ["steady", "steady"]
    assert v.bots is new


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda obs, mask: np.zeros(len(obs)), "must answer"),
        (lambda obs, mask: np.full(len(obs), -1), "answered -1; legal"),
        (lambda obs, mask: np.full(len(obs), 10_000), "answered 10000; legal"),
        (lambda obs, mask: np.zeros((len(obs), 2), int), "of shape"),
    ],
)
def test_a_function_that_answers_nonsense_is_named_in_one_sentence(act, says):
    v = outbid.game("rivals").against(16, 2, bots="steady", seat=None, seed=1)
    v.bots = act
    with pytest.raises(outbid.OutbidError, match=says):
        v.reset()


# --- what a seat can do -----------------------------------------------------------------------------------------------


def test_a_seat_shows_what_its_match_shows_it(book):
    match = outbid.game(book.id).new(players=book.players[0], seed=5)
    for n in range(12):
        if match.over:
            break
        seat = match.asked[0]
        given = outbid.bots.Seat.of(match, seat, 1)
        assert given.view() == match.view(seat)
        assert given.menu() == match.legal(seat)
        said = match.copy().random_move(seat, n)
        made = match.copy()
        made.play_steps(seat, given.move(said).actions)
        other = match.copy()
        other.play(seat, said)
        assert made.state.packed() == other.state.packed()
        match.random_move(seat, n)


def test_a_seat_reads_a_move_as_one_types_it_and_refuses_what_it_may_not_do():
    match = outbid.game("rivals").new(players=2, seed=1)
    seat = outbid.bots.Seat.of(match, match.asked[0], 1)
    text = seat.menu().texts[0]
    assert isinstance(seat.move(text, "because"), Decision)
    assert seat.move(text, "because").private["en"] == "because"
    assert seat.move(None).actions == ()
    with pytest.raises(outbid.Unreadable):
        seat.move("fly to the moon")
    with pytest.raises(outbid.OutbidError):
        seat.move("bid 100000")


def test_loaded_names_are_written_down_for_other_processes():
    load_bot("strong*0.25")
    assert naming.registered().bots == {"strong*0.25": "strong*0.25"}
