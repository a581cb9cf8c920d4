"""Two questions: is a thing too strong or useless, and how much do players do to each other?"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from outbid.core.errors import BadSetup
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.games.rivals.state import ACTIONS, PASS
from outbid.lab.experiments import measures, runner, spec
from outbid.lab.experiments.findings import compare
from outbid.lab.experiments.playing.influence import influences
from outbid.runs import blocks
from outbid.runs.loops import observed
from outbid.runs.recorded import match_of
from outbid.runs.things import things_of

if not (find_spec("pyarrow") and find_spec("matplotlib")):
    pytest.skip("the report needs pyarrow and matplotlib: pip install outbid[lab]", allow_module_level=True)

import pyarrow
from pyarrow import parquet

from tests.support.lab_runs import answered, made

pytestmark = pytest.mark.slow


def used(folder: Path, shares: dict[str, dict[str, float]]) -> Path:
    """The run with another table of uses: by company the share of the victories of each thing's users; −1: none."""
    rows = [
        {"variant": variant, "company": company, "players": 3, "thing": thing, "matches": 150 * (share >= 0), "played": 200,
         "users": 250, "share": max(share, 0.0), "low": share - 0.01, "high": share + 0.01}
        for variant in ("given", "five-coins") for company, things in shares.items() for thing, share in things.items()
    ]  # fmt: skip
    parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "usage.parquet")
    return folder


FACTS = {"ask": "card", "measures": ["thing_edge"], "columns": False, "games": False}


@pytest.mark.parametrize(
    ("shares", "start"),
    [
        ({"steady": {"a": 0.5, "b": 0.33}, "easy": {"a": 0.45, "b": 0.33}},
         "Yes: “a” is too strong. “a”: among 3 players (steady) 50.0 ± 1.1 % of the victories, used in 75.0 % of"),
        ({"steady": {"a": 0.2}, "easy": {"a": 0.25}}, "Yes: “a” is too weak. “a”: among"),
        ({"steady": {"a": -1}, "easy": {"a": -1}}, "Yes: “a” is useless. “a”: among 3 players (steady) used in 0.0 % of"),
        ({"steady": {"a": 0.5}, "easy": {"a": 0.33}}, "Cannot tell: it depends on who plays: “a”. “a”: among 3 players"),
        ({"steady": {"a": 0.32, "b": 0.33}, "easy": {"a": 0.33, "b": 0.34}}, "No: who uses any of the 2 things wins an"),
        ({"steady": {"a": 0.39, "b": 0.33}, "easy": {"a": 0.33, "b": 0.33}}, "Cannot tell: “a”. “a”: among 3 players"),
    ],
)  # fmt: skip
def test_whether_a_thing_is_too_strong_or_useless_is_told_of_what_its_users_win(tmp_path, shares, start):
    answer = answered(used(made(tmp_path / "run", companies=["steady", "easy"], **FACTS), shares))
    assert answer.startswith(start)
    assert f"With “given”: {start.partition('. ')[0]}" in answer


def test_what_one_has_in_the_end_says_more_of_a_card_than_what_one_does_for_it(tmp_path):
    shares = {"steady": {"pass": 0.6, "card 8 in the end": 0.5, "wager in the end": 0.33}}
    folder = used(made(tmp_path / "run", **FACTS), shares)
    table = parquet.read_table(folder / "usage.parquet")
    actions = {"pass": PASS, "card 8 in the end": ACTIONS + 7, "wager in the end": ACTIONS}
    column = pyarrow.array([actions[thing] for thing in table["thing"].to_pylist()])
    parquet.write_table(table.append_column("action", column), folder / "usage.parquet")
    assert answered(folder).startswith("Yes: “card 8 in the end” is too strong. “card 8 in the end”: among 3 players")


@pytest.mark.parametrize("game", ["kuhhandel", "money", "rivals"])
def test_what_one_has_in_the_end_is_counted_with_what_its_owners_win(game, monkeypatch):
    monkeypatch.setattr(blocks, "_compiled", blocks._asked)
    block, book = blocks.Block(game, {}, ("steady",) * 3, 3, 0, 4), rulebook(game)
    columns, things = blocks.play(block), things_of(book)
    expected = np.zeros((things.held, observed.USES), np.int64)
    for number in range(4):
        match = match_of(book, {}, block.seats, 3, number)
        record = np.zeros(1, book.layout.dtype)
        match.state.to_record(record, 0)
        for kind, seats in enumerate(book.submodule("measures").held(record, 3)[0].T):
            wins = sum(observed.PARTS // len(match.winners) for seat in match.winners if seats[seat])
            users = int(seats.sum())
            expected[kind] += (users, users, users > 0, users, wins, users**2, wins**2, users * wins)
    assert expected[:, observed.USERS].sum() > 20
    assert (columns.usage[things.deciding] == expected).all()


def test_a_thing_that_is_asked_about_is_judged_alone(tmp_path):
    shares = {"steady": {"a": 0.5, "b": 0.33}}
    strong, even = (answered(used(made(tmp_path / thing, **FACTS | {"ask": f"card:{thing}"}), shares)) for thing in "ab")
    assert strong.startswith("Yes: “a” is too strong. “a”: among 3 players (steady) 50.0 ± 1.0 % of the victories")
    assert even.startswith("No: who uses it wins an equal share within 5 percentage points. “b”: among")
    text = 'game = "kuhhandel"\nplayers = 4\nask = "card:trade: horse"\n'
    assert spec.parse(text).measures[0] == measures.THING_EDGE
    with pytest.raises(BadSetup, match="Did you mean 'trade: horse'"):
        spec.parse(text.replace("horse", "hors"))
    with pytest.raises(BadSetup, match="ask is 'length:trade: horse'"):
        spec.parse(text.replace("card", "length"))


def test_among_different_bots_who_uses_a_thing_may_be_who_plays_better_which_decides_nothing(tmp_path):
    folder = made(tmp_path / "run", companies=["steady", "easy"], **FACTS)
    mixed = folder / "run.json"
    mixed.write_text(mixed.read_text().replace('"seats": ["easy"]', '"seats": ["steady", "easy"]'))
    assert answered(used(folder, {"steady": {"a": 0.33}, "easy": {"a": 0.6}})).startswith("No: who uses it wins an")


def test_the_interval_of_the_farthest_thing_holds_for_all_things_together():
    rng, held = np.random.default_rng(5), 0
    for _ in range(200):
        users, wins = rng.random((400, 8)) < 0.5, rng.random((400, 1)) < 0.25
        usage, shares = np.zeros((8, observed.USES), np.int64), users * wins * observed.PARTS
        usage[:, observed.MATCHES] = usage[:, observed.USERS] = usage[:, observed.USERS2] = users.sum(0)
        usage[:, observed.SHARES], usage[:, observed.SHARES2] = shares.sum(0), (shares**2).sum(0)
        usage[:, observed.BOTH] = (users * shares).sum(0)
        _mean, low, high = compare.thing_edge(usage, 400, 4, observed.PARTS)
        held += low == 0.0
        assert high < 0.25
    assert held >= 186  # of 200 with 95 % it is fewer once in a hundred times


TAKING = """
import sys

from outbid.core.fields import Field, Layout
from outbid.core.moves import Move, Moves
from outbid.core.rulebook import Rulebook

FIELDS = (Field("players"), Field("turn", seat=True), Field("moves", high=30), Field("points", shape=(3,), high=40))
MOVES = Moves(Move("take", "take so many", amount=(0, 2)))


def deal(s, players, seed):
    s.players = players


def asked(s):
    return (1 << s.turn) * (s.moves < 4 * s.players)


def legal(s, seat, out):
    for amount in range(3):
        out[amount] = amount
    return 3


def apply(s, seat, action):
    s.points[seat] += action
    s.moves += 1
    s.turn = (s.turn + 1) % s.players


def score(s, out):
    for seat in range(s.players):
        out[seat] = s.points[seat]


def redeal(s, seat, seed):
    pass


def steady(s, seat, seed, note):
    return (s.points[LOOKED_AT] + s.moves) % 3


rulebook = Rulebook(
    id="GAME", title="GAME", summary="Points are taken.", players=(2, 3), version=1,
    layout=Layout("GAME", (), FIELDS), modules=(sys.modules[__name__],), moves=MOVES, longest=30,
    secrets=False,
)
"""


@pytest.mark.parametrize(("game", "looked_at", "expected"), [("alone", "seat", 0), ("beside", "(seat + 2) % s.players", 12)])
def test_only_a_decision_after_which_others_do_something_else_is_interaction(tmp_path, game, looked_at, expected):
    (tmp_path / f"{game}.py").write_text(TAKING.replace("GAME", game).replace("LOOKED_AT", looked_at))
    book = rulebook(str(tmp_path / f"{game}.py"))
    match, decisions = Match.new(book, {}, 3, 1), []
    for move in range(12):
        decisions.append(influences(book, ("steady",) * 3, match.state, move))
        match.play_steps(match.asked[0], [1])
    assert decisions[:-1].count(True) == max(0, expected - 1)
    assert decisions[-1] is False  # nobody comes after it
    assert influences(book, ("steady",) * 3, match.state, 0) is None


CALLING = TAKING.replace("return (1 << s.turn) * (s.moves < 4 * s.players)", """if s.moves < 2:
        return 1
    left = ((1 << s.players) - 2) & ~s.turn
    return left | (1 << 7) if left else 0


def midway(s, seat):
    return seat == 0 and s.moves == 1""").replace("""s.moves += 1
    s.turn = (s.turn + 1) % s.players""", """s.moves += 2 if s.moves == 0 and action == 0 else 1
    if seat > 0:
        s.turn |= 1 << seat""").replace("(s.points[LOOKED_AT] + s.moves) % 3", "0")


def test_whom_chance_lets_speak_first_after_a_decision_of_more_steps_is_no_interaction(tmp_path):
    (tmp_path / "calling.py").write_text(CALLING.replace("GAME", "calling"))
    book = rulebook(str(tmp_path / "calling.py"))
    state = Match.new(book, {}, 3, 1).state
    assert [influences(book, ("steady",) * 3, state, seed) for seed in range(30)] == [False] * 30


def test_interaction_is_measured_of_a_sample_beside_the_rules_that_are_compared(tmp_path):
    text = 'game = "rivals"\nplayers = 3\nask = "interaction"\ndeals = 40\nsample = 50\n'
    text += '[[variant]]\n[[variant]]\noptions = { coins = 24 }\n'
    run = runner.play(spec.parse(text), tmp_path / "run")
    results = run.read("results.json")
    means = [row for row in results["summaries"] if row["measure"] == measures.INTERACTION]
    assert [row["matches"] for row in means] == [10, 10]
    assert all(0.3 < row["low"] < row["mean"] < 1 for row in means)
    (difference,) = (row for row in results["comparisons"] if row["measure"] == measures.INTERACTION)
    assert difference["smallest"] == 0.05
    assert results["answer"].startswith(("Yes: ", "No: ", "Cannot tell"))
    assert run.facts["judged"] == 20
