"""Experiments: the same file gives the same columns, bit for bit, however and wherever it is played; differences are shown
with honest intervals; mistakes are one sentence."""

import contextlib
import itertools
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from outbid import cli
from outbid.core import contract
from outbid.core.errors import BadOption, BadRulebook, BadSetup, Unreadable
from outbid.core.hooks.measuring import Measure
from outbid.core.language import i18n
from outbid.core.rulebook import rulebook
from outbid.lab import simulate
from outbid.lab.experiments import load, measures, provenance, runner, spec, tune, variants
from outbid.lab.experiments.design import Sums
from outbid.lab.experiments.fields import state_fields
from outbid.lab.experiments.findings import chosen, compare
from outbid.lab.experiments.playing.blocks import CellBlock
from outbid.lab.experiments.playing.blocks import play as play_block
from outbid.lab.experiments.store import Run
from outbid.lab.experiments.titles import OptionTitles
from outbid.lab.report import figures, plots
from outbid.lab.report import words as sentences
from outbid.runs import blocks, recorded
from outbid.runs.checkpoint import Part
from outbid.runs.loops import observed
from outbid.runs.recorded import RecordedMatch
from outbid.runs.replay import replay
from outbid.runs.seating import rotations, turned
from outbid.runs.things import named, things_of
from outbid.testing import seen
from tests.support import intervals
from tests.support.commands import outbid_command, started
from tests.support.experiments import COIN, TUTORIAL

FILE = f"""
game = "{TUTORIAL}"
question = "Do more prizes make the first player better?"
players = [2, 3]
deals = 300
seed = 5
measures = ["turns", "margin", "first_share"]
[[variant]]
name = "six"
[[variant]]
name = "nine"
options = {{ rounds = 9 }}
[[company]]
name = "alike"
seats = ["steady"]
[[company]]
name = "mixed"
seats = ["steady", "random"]
"""


@pytest.fixture(autouse=True)
def somewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def played(text=FILE, folder="run", **how):
    return runner.play(spec.parse(text), Path(folder), **how)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "six-or-nine"
    return runner.play(spec.parse(FILE), folder)


# --- observation ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_observed_matches_are_those_that_simulate_plays():
    book = rulebook(TUTORIAL)
    found = play_block(CellBlock(TUTORIAL, {}, ("steady", "random", "steady"), 7, 0, 40))
    for rotation in range(3):
        names = turned(("steady", "random", "steady"), rotation)
        rows = np.array(simulate.results(book, {}, names, 40, 7, backend="compiled"))
        here = slice(rotation, None, 3)
        assert (found.seats[here, :, observed.SCORE] == rows[:, :3]).all()
        assert (found.seats[here, :, observed.MOVES] == rows[:, 3:6]).all()
        assert (found.rows[here, observed.WON] == rows[:, 9]).all()


@pytest.mark.slow
def test_a_match_that_ends_with_the_last_step_of_its_bound_is_not_stalled():
    found = play_block(CellBlock(TUTORIAL, {"rounds": 10}, ("random",) * 5, 7, 0, 5))
    assert (found.rows[:, observed.STEPS] == rulebook(TUTORIAL).longest).all()
    assert found.rows[:, observed.WON].all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [TUTORIAL, *(pytest.param(game, marks=pytest.mark.deep) for game in ("rivals", "kuhhandel", "money"))]
)
def test_a_match_that_was_asked_for_move_by_move_is_observed_as_the_compiled_loop_observes_it(game):
    book = rulebook(game)
    block = CellBlock(game, {}, ("steady", "easy", "random"), 3, 0, 3)
    names = block.seats
    compiled, asked = (how(book, block, names) for how in (blocks._compiled, blocks._asked))
    for ours, theirs in zip(compiled[:3], asked[:3], strict=True):
        assert (ours == theirs).all()


@pytest.mark.slow
def test_what_is_counted_is_what_the_record_shows():
    book = rulebook(TUTORIAL)
    found = play_block(CellBlock(TUTORIAL, {}, ("steady", "random"), 11, 0, 5))
    for k in range(10):
        match = replay(book, {}, turned(("steady", "random"), k % 2), 11, k // 2)
        states = [match.at(number).state for number in range(len(match.moves) + 1)]
        scores = [[state.points[seat] + state.purse[seat] // 3 for seat in range(2)] for state in states]
        leaders = [None if a == b else int(b > a) for a, b in scores[1:]]
        alone = [leader for leader in leaders if leader is not None]
        row, own = found.rows[k], found.seats[k]
        assert row[observed.TURNS] == len(match.moves) == 12
        assert row[observed.LEADS] == sum(a != b for a, b in itertools.pairwise(alone))
        assert own[:, observed.LED].tolist() == [leaders.count(seat) for seat in range(2)]
        assert row[observed.HALFWAY] == (-1 if leaders[5] is None else leaders[5])
        behind = [
            max((n for n, score in enumerate(scores[1:], 1) if score[seat] < max(score)), default=0) for seat in range(2)
        ]
        assert row[observed.SETTLED] == min(behind[seat] for seat in match.winners)
        deficit = [max(max(score) - score[seat] for score in scores[1:]) for seat in range(2)]
        assert row[observed.COMEBACK] == max(deficit[seat] for seat in match.winners)
        assert own[:, observed.SCORE].tolist() == match.scores


@pytest.mark.slow
def test_actions_of_one_name_are_counted_as_one_thing_once_for_whoever_uses_several(tmp_path):
    low = "\n\ndef thing(action):\n    return 'nothing' if action == 0 else 'a low bid' if action < 5 else ''\n"
    file = tmp_path / "low.py"
    text = Path(TUTORIAL).read_text().replace('"strongroom"', '"low_room"')
    text = text.replace('Field("players"),', 'Field("players"), Field("low_room"),')  # a state unlike the other's
    file.write_text(text + low)
    book = rulebook(str(file))
    assert things_of(book).names == ("nothing", "a low bid")
    block = CellBlock(str(file), {}, ("random",) * 3, 11, 0, 20)
    found = play_block(block)
    matches = [replay(book, {}, block.seats, 11, number) for number in range(20)]
    bids = [[[move["amount"] for move in match.moves if move["seat"] == seat] for seat in range(3)] for match in matches]
    lows = [[sum(0 < bid < 5 for bid in own) for own in each] for each in bids]
    usage = found.usage[1]
    assert usage[observed.USED] == sum(map(sum, lows))
    assert usage[observed.USERS] == sum(n > 0 for each in lows for n in each)
    assert usage[observed.MATCHES] == sum(any(each) for each in lows)
    assert usage[observed.USED] < usage[observed.COULD] <= 20 * 3 * 6
    parts = [[observed.PARTS // len(match.winners) * (seat in match.winners) for seat in range(3)] for match in matches]
    assert usage[observed.SHARES] == sum(
        part for n, each in zip(lows, parts, strict=True) for k, part in zip(n, each, strict=True) if k
    )
    for ours, theirs in zip(
        blocks._asked(book, block, block.seats)[:3], (found.rows, found.seats, found.usage), strict=True
    ):
        assert (ours == theirs).all()


@pytest.mark.parametrize("game", ["kuhhandel", "rivals", "money", "forex", "claim"])
def test_the_things_of_a_game_are_fewer_than_its_actions_and_told_apart_in_each_language(game):
    book = rulebook(game)
    found = things_of(book)
    assert len(found) < book.actions
    for language in i18n.LANGUAGES:
        with i18n.locale(language):
            called = [named(book)(action) for action in found.first]
        assert len(set(called)) == len(found)
        assert max(map(len, called)) <= plots.LETTERS  # beside the axis of a plot
        assert (tuple(called) == found.names) == (language == i18n.SOURCE)


def test_leaders_of_a_long_match_are_kept_thinned_out():
    # the trace has room for 4; after 11 moves every fourth leader is kept, and the one in the middle is found
    class State:
        players = 2

    row, own = np.zeros(observed.COLUMNS, np.int64), np.zeros((2, observed.SEAT_COLUMNS), np.int64)
    memo, trace, points = np.zeros(observed.MEMO, np.int64), np.zeros(4, np.int64), np.zeros(2, np.int64)
    memo[observed.STRIDE] = 1
    ahead = 0

    class Rules:
        @staticmethod
        def score(s, out):
            out[0], out[1] = (1, 0) if ahead == 0 else (0, 1)

    State.rules = Rules
    for move in range(1, 12):
        ahead = int(move > 6)
        row[observed.TURNS] = move
        observed.stand(State, 2, points, row, own, trace, memo)
    assert memo[observed.STRIDE] == 4
    assert trace[: memo[observed.LENGTH]].tolist() == [0, 1]  # after moves 4 and 8


@pytest.mark.slow
def test_another_process_need_not_compile_a_game_of_a_file_again():
    blocks.warm(rulebook(TUTORIAL), {}, 3)
    code = f"""if True:
        from outbid.compiled import backend as compiled
        from outbid.core.rulebook import rulebook
        from outbid.runs import blocks
        from outbid.runs.loops import observed
        book = rulebook({TUTORIAL!r})
        blocks.warm(book, {{}}, 3)
        stats = compiled.entry(book, observed.observed).stats
        assert sum(stats.cache_hits.values()) == 1 and not stats.cache_misses, stats
    """
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr


def test_equal_bots_play_a_deal_once_and_others_in_every_seat():
    assert rotations(("steady",) * 4) == 1
    assert rotations(("steady", "easy", "steady", "easy")) == 2
    assert rotations(("steady", "easy", "easy")) == 3
    assert turned(("a", "b", "c"), 1) == ("c", "a", "b")


# --- the run ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_run_has_all_columns_and_opens_as_a_data_frame(done):
    frame = load(done.folder)
    assert len(frame) == done.facts["matches_done"] == 2 * 300 * (1 + 2 + 1 + 3)
    assert (frame[frame.variant == "nine"].query("players == 2").turns == 18).all()
    order = frame[["variant", "company", "players", "deal", "rotation"]].astype(str)
    assert not order.duplicated().any()
    seats = load(done.folder, "seats")
    match = ["variant", "company", "players", "deal", "rotation"]
    assert seats.groupby(match, observed=True).share.sum().round(9).eq(1).all()
    usage = load(done.folder, "usage")
    assert (usage.used <= usage.could).all()
    assert (usage.users >= usage.matches).all()
    facts = done.facts
    assert facts["finished"]
    assert not facts["preview"]
    assert facts["rules"] == "strongroom/1"
    assert [one["says"] for one in facts["variants"]] == ["The rules as they are.", "Rounds: 9 (else 6)."]


@pytest.mark.slow
def test_a_match_of_a_run_can_be_played_again_from_its_row(done):
    import outbid

    row = load(done.folder).query("variant == 'nine' and company == 'mixed' and players == 3 and rotation == 1").iloc[7]
    match = outbid.game(TUTORIAL, rounds=9).new(players=3, seed=int(row.seed))
    again = replay(rulebook(TUTORIAL), {"rounds": 9}, ("steady", "steady", "random"), 5, 7)
    assert match.record()["deal"] == again.record()["deal"]
    assert max(again.scores) == row.top


def test_five_matches_worth_looking_at_are_records_that_can_be_read(done):
    import outbid

    index = json.loads((done.folder / "games" / "index.json").read_text())
    assert [one["which"] for one in index] == ["closest", "longest", "strangest", "typical", "changed"]
    for one in index:
        assert outbid.read(str(done.folder / "games" / one["file"])).over
    assert outbid.read(str(done.folder / "games" / index[-1]["file_a"])).over
    assert load(done.folder).turns.max() == len(outbid.read(str(done.folder / "games" / "longest.json")).moves)
    longest, most = index[1], index[4]
    row = load(done.folder).query("turns == turns.max()").iloc[0]
    assert (longest["measure"], longest["value"]) == ("turns", row.turns)
    cell = "variant == @longest['variant'] and company == @longest['company'] and players == @longest['players']"
    assert longest["usual"] == load(done.folder).query(cell).turns.median()
    assert {"measure", "value", "other"} < most.keys()
    place = [tuple(one[key] for key in ("variant", "company", "players", "deal", "rotation")) for one in index]
    assert len({place[2], place[3], *place}) == len({place[0], place[1], place[4]}) + 2  # two more than the other three


def test_the_same_file_gives_the_same_columns_on_any_number_of_threads(done):
    one = played(threads=1)
    assert one.facts["hash"] == done.facts["hash"]
    assert (one.folder / "matches.parquet").read_bytes() == (done.folder / "matches.parquet").read_bytes()
    assert one.read("results.json") == done.read("results.json")
    other = played(FILE.replace("seed = 5", "seed = 6"), "other")
    assert other.facts["hash"] != done.facts["hash"]


def killed():
    """A run is killed when most is played."""

    class Enough(Exception):
        pass

    def tell(progress):
        if progress.done > 1500:
            raise Enough

    with pytest.raises(Enough):
        played(tell=tell)


def test_a_run_that_was_killed_goes_on_and_comes_to_the_same(done):
    killed()
    assert not json.loads(Path("run/run.json").read_text())["finished"]
    kept = []
    again = played(tell=lambda progress: kept.append(progress.kept))
    assert kept[-1] > 0
    assert again.facts["hash"] == done.facts["hash"]
    assert not (again.folder / "parts").exists()
    assert again.read("results.json") == done.read("results.json")


HOLDING = "with Run(Path('run')).held():\n    print('held', flush=True)\n    time.sleep(600)"


def test_a_run_whose_process_was_killed_says_how_it_goes_on():
    killed()
    run, ended = Run.open(Path("run")), "its process has ended; go on with outbid lab run run"
    code = f"import time\nfrom pathlib import Path\nfrom outbid.lab.experiments.store import Run\n{HOLDING}"
    with started([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        assert run.ended == ""
        assert "ended" not in outbid_lab("watch", "run", "--once").stdout
        process.kill()
    assert run.ended == ended
    assert ended in outbid_lab("watch", "run").stdout  # it does not wait for ever
    assert f"of 4,200; {ended}" in outbid_lab("list", ".").stdout
    Path("run/trials.json").touch()
    assert run.ended.endswith("go on with the same `outbid lab tune` as before")
    Path("run/run.json").unlink()  # as while the search tries values
    assert outbid_lab("list", ".").stdout == f"run  not played yet; {run.ended}\n"
    with run.held():
        assert outbid_lab("list", ".").stdout == "run  not played yet\n"


@pytest.mark.slow
def test_who_repeats_a_pinned_run_is_told_what_has_changed():
    file = Path("study.toml")
    file.write_text(FILE)
    again = ["run", str(file), "--no-report", "--out"]
    assert outbid_lab(*again, "first", "--pin").stderr == "Pinned in made.json.\n"
    assert outbid_lab(*again, "second").stderr == "The matches and all tables of measures are those that were pinned.\n"
    made = json.loads(Path("made.json").read_text())
    (name,) = made
    assert set(made[name]["hashes"]) == {"matches", "seats", "usage"}
    made[name]["hashes"]["usage"], made[name]["made_of"]["outbid"] = "of before", "0.0.9"
    Path("made.json").write_text(json.dumps(made))
    said = outbid_lab(*again, "second").stderr
    assert said.startswith("The matches are those that were pinned; other tables: usage.\nChanged since then: the version")
    file.write_text(FILE.replace("seed = 5", "seed = 6"))
    said = outbid_lab(*again, "third").stderr
    assert said.startswith("These are other matches; other tables: matches, seats, usage.\nChanged since then: the v")
    assert "; options, companies, players, deals or seed (" in said
    assert "sources" not in said


@pytest.mark.slow
def test_a_study_is_repeated_bit_for_bit():
    file = Path(__file__).parents[2] / "docs" / "studies" / "small.toml"
    lines = provenance.compared(file, runner.play(spec.read(file), Path("study")))
    assert lines[0].startswith("The matches "), lines


def test_a_measure_that_is_counted_otherwise_leaves_the_hash_of_the_matches(done, monkeypatch):

    def take(self, row):
        for columns in row.values():
            columns.rows[:, observed.CHANGES] += 1
        taken(self, row)

    taken = Sums.take
    monkeypatch.setattr(Sums, "take", take)
    facts = played().facts
    assert facts["hash"] == done.facts["hash"]
    hashes = facts["hashes"]
    assert {table for table in hashes if hashes[table] != done.facts["hashes"][table]} == {"matches"}


def test_a_part_that_is_damaged_is_played_again(done):
    killed()
    for part in Path("run/parts").iterdir():
        part.write_bytes(part.read_bytes()[:100])
    assert played().facts["hash"] == done.facts["hash"]


def test_a_finished_run_is_not_played_again(done):
    told = []
    assert runner.play(spec.parse(FILE), done.folder, tell=told.append).facts["hash"] == done.facts["hash"]
    assert not told


def test_another_experiment_does_not_replace_a_run():
    played(FILE.replace("300", "20"))
    with pytest.raises(BadSetup, match="holds another experiment; --force"):
        played(FILE.replace("300", "30"))
    assert played(FILE.replace("300", "30"), force=True).facts["deals"] == 30
    Path("mine").mkdir()
    Path("mine/letter.txt").write_text("x")
    with pytest.raises(BadSetup, match="something else"):
        played(folder="mine")
    assert Path("mine/letter.txt").exists()


def test_a_preview_is_written_before_the_rest_and_says_so():
    seen = []
    played(preview=lambda run: seen.append((run.facts["preview"], run.facts["finished"], len(load(run.folder)))))
    assert seen == [(True, False, 2 * (33 + 66 + 33 + 99))]


def test_a_full_disk_is_one_sentence_and_what_was_played_stays(monkeypatch):
    opened, calls = Part._opened, []

    def full(part):
        calls.append(1)
        if len(calls) > 5:
            raise OSError(28, "No space left on device")
        return opened(part)

    with monkeypatch.context() as patched:
        patched.setattr(Part, "_opened", full)
        with pytest.raises(BadSetup, match=r"No space left on device.*goes on"):
            played(threads=1)
    assert len(list(Path("run/parts").iterdir())) == 5


# --- statistics -------------------------------------------------------------------------------------------------------


def test_moments_taken_in_block_by_block_are_those_of_all():
    values = np.random.default_rng(1).normal(3, 2, (1000, 2))
    made = compare.RunningMoments.empty(2)
    for part in np.split(values, [10, 400, 401]):
        made.add(part)
    assert made.mean == pytest.approx(values.mean(0))
    assert made.deviation(1) == pytest.approx(values[:, 1].std(ddof=1))


@pytest.mark.parametrize(("freedom", "quantile"), [(10, 2.2281), (30, 2.0423), (100, 1.9840), (2000, 1.9612)])
def test_students_quantiles(freedom, quantile):
    assert compare.student(0.975, freedom) == pytest.approx(quantile, abs=2e-4)


def test_holm_decides_as_in_the_paper():
    assert compare.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def tally_of(a, b):
    made = compare.Tally(["turns"])
    made.add("a", a[:, None], 1, None)
    made.add(("b", "all", 2), b[:, None], 1, (("a", "all", 2), a[:, None], 1))
    made.deals["a", "all", 2] = made.deals["a"]
    return made


def compared(a, b, **how):
    return compare.comparisons(measures.measures_of(rulebook(TUTORIAL)), [(tally_of(a, b), ["turns"])], **how)[0]


def test_pairing_by_deal_finds_what_the_shuffle_would_hide():
    rng = np.random.default_rng(2)
    deal = rng.normal(100, 30, 400)
    one = compared(deal, deal + rng.normal(1, 2, 400), matters={"turns": 0.5})
    assert one["verdict"] == "higher"
    assert one["low"] < 1 < one["high"]
    apart = compared(deal, rng.permutation(deal) + 1, matters={"turns": 0.5})
    assert apart["verdict"] == "open"
    assert apart["needed"] > 400


@pytest.mark.slow
@pytest.mark.parametrize("truth", intervals.TRUTHS)
def test_all_intervals_hold_the_truth_together_as_often_as_they_say(truth):
    assert not intervals.below(intervals.hold(truth, 20, 100, 60), 60)


@pytest.mark.deep
@pytest.mark.parametrize(("comparisons", "deals"), [(9, 100), (20, 50), (60, 200)])
@pytest.mark.parametrize("truth", intervals.TRUTHS)
def test_all_intervals_hold_the_truth_together_in_two_thousand_runs(truth, comparisons, deals):
    assert not intervals.below(intervals.hold(truth, comparisons, deals, 2000), 2000)


@pytest.mark.deep
def test_all_intervals_of_a_real_game_hold_the_truth_together():
    """Of 40,000 deals, which stand for the truth, 200 parts are compared as runs of their own."""
    design = runner.Design(spec.parse(FILE.replace("deals = 300", "deals = 40000")))
    changed = next(number for number, base in enumerate(design.base) if base != number)
    blocks = ([design.block(row, number) for row in range(len(design.rows))] for number in (design.base[changed], changed))
    values = [np.concatenate([design.values(design.cells[0], play_block(block)) for block in cell]) for cell in blocks]
    columns = [design.names.index(name) for name in measures.USUAL if name in design.names]
    differences = (values[1] - values[0])[:, columns]
    truth, parts = differences.mean(0), np.split(differences, 200)
    runs = [zip(intervals.rows(part), truth, strict=True) for part in parts]
    held = sum(all(row["low"] <= mean <= row["high"] for row, mean in run) for run in runs)
    assert not intervals.below(held, 200)


def test_no_interval_is_narrower_than_a_single_one_and_a_rare_event_has_a_wide_one():
    rng = np.random.default_rng(8)
    values = np.column_stack([rng.normal(0, 1, 300), np.arange(300) % 100 == 0])
    many, rare = intervals.rows(values)
    assert many["high"] - many["low"] > many["alone_high"] - many["alone_low"]
    assert rare["low"] < 0.01 < 0.04 < rare["high"]
    assert rare["verdict"] == "open"


def test_below_thirty_deals_there_is_no_verdict():
    assert [row["verdict"] for row in intervals.rows(np.random.default_rng(1).normal(9, 1, (29, 2)))] == ["open", "open"]
    assert intervals.rows(np.random.default_rng(1).normal(9, 1, (30, 1)))[0]["verdict"] == "higher"


@pytest.mark.parametrize(("difference", "verdict"), [(0.0, "same"), (0.5, "higher")])
def test_as_many_matches_as_are_said_to_be_needed_settle_it(difference, verdict):
    rng, settled = np.random.default_rng(6), 0
    for _ in range(30):
        few = intervals.rows(rng.normal(0, 5, (40, 3)), matters={"m0": 0.5})[0]
        row = intervals.rows(rng.normal(difference, 5, (few["needed"], 3)), matters={"m0": 0.5})[0]
        settled += few["verdict"] == "open" and row["verdict"] == verdict
    assert settled >= 20


def test_the_seats_are_as_far_apart_as_they_are_whatever_the_noise():
    rng, chances, spreads, held = np.random.default_rng(7), np.array([0.2, 0.3, 0.5]), [], 0
    truth = float(((chances - 1 / 3) ** 2).mean() ** 0.5)
    for _ in range(200):
        shares = rng.multinomial(1, chances, 200).astype(float)
        taken = compare.Tally([f"order:{place}" for place in range(3)])
        taken.add(("a", "all", 3), shares, 1, None)
        row = compare.summary(measures.KNOWN[measures.SEAT_SPREAD], measures.SEAT_SPREAD, ("a", "all", 3), taken)
        spreads.append(row["mean"])
        held += row["low"] <= truth <= row["high"]
    assert np.square(spreads).mean() == pytest.approx(truth**2, rel=0.05)
    assert held >= 186


def test_a_run_that_may_stop_errs_in_five_of_a_hundred_at_most_however_often_it_looks():
    rng, wrong = np.random.default_rng(4), 0
    for _ in range(200):
        drawn = rng.normal(0, 1, 2000)
        for n in range(100, 2001, 100):
            error = drawn[:n].std(ddof=1) / n**0.5
            if abs(drawn[:n].mean()) > compare.sequence(error, n, 0.05, 2000):
                wrong += 1
                break
    assert wrong <= 16


def test_no_difference_is_known_only_where_it_is_said_what_matters():
    rng = np.random.default_rng(5)
    a = rng.normal(0, 1, 500)
    b = a + rng.normal(0, 0.1, 500)
    assert compared(a, b)["verdict"] == "open"
    assert compared(a, b, matters={"turns": 0.5})["verdict"] == "same"
    assert compared(a, a)["verdict"] == "same"


def test_a_run_stops_when_its_question_is_settled():
    text = FILE.replace("deals = 300", "deals = 20000") + '[stop]\non = ["turns"]\n'
    run = played(text)
    assert run.facts["stopped"].startswith("settled after")
    assert run.facts["matches_done"] < 20000
    assert len(load(run.folder)) == run.facts["matches_done"]
    again = played(text, "again", threads=1)
    assert again.facts["hash"] == run.facts["hash"]


@pytest.mark.parametrize(
    ("verdicts", "start"),
    [
        (("higher", "higher"), "Yes, in all companies; most among 2 players ("),
        (("same", "same"), "No: a match is "),
        (("higher", "lower"), "Cannot tell: it depends on who plays. With “nine”: among "),
        (("higher", "open"), "Yes, among some players, and the other way round among none. With “nine”: among "),
        (("open", "open"), "Cannot tell about the length of a match: 9,000 matches of each would show"),
    ],
)
def test_a_question_is_answered_with_yes_no_or_cannot_tell(done, verdicts, start):
    facts, results = done.facts | {"ask": "length", "players": [2]}, done.read("results.json")
    kept = [row for row in results["comparisons"] if row["players"] == 2]
    for row in kept:
        verdict = verdicts[row["company"] == "mixed"]
        row |= {"verdict": verdict, "settled": verdict != "open", "smallest": 1.0, "needed": 9000}
    results["comparisons"] = kept
    run = figures.RunFigures.of(done.folder, facts, results)
    assert sentences.answer(run)[0].startswith(start)


def test_one_set_of_rules_is_asked_whether_it_is_fair():
    text = f'game = "{TUTORIAL}"\nplayers = 2\ndeals = 400\nask = "fairness"\n'
    run = played(text)
    assert re.match(r"(Yes|No|Cannot tell): .*seat \d wins", run.read("results.json")["answer"])
    with pytest.raises(BadSetup, match=r"ask is 'fairnes'; it is one of .*Did you mean 'fairness'"):
        spec.parse(text.replace('"fairness"', '"fairnes"'))


def test_a_rule_that_does_nothing_is_exactly_the_same():
    text = FILE.replace("rounds = 9", "rounds = 6")
    run = played(text)
    for one in run.read("results.json")["comparisons"]:
        assert (one["difference"], one["low"], one["high"], one["verdict"]) == (0, 0, 0, "same")
    said = "Among 2 players (steady): With “nine”, no match went differently: these players do not use it."
    assert run.read("results.json")["answer"].startswith(said)


# --- ladders and the judge --------------------------------------------------------------------------------------------


def test_ladders_and_curves_of_a_sample():
    text = f'game = "{TUTORIAL}"\nplayers = 3\ndeals = 120\nsample = 60\nmeasures = ["skill", "exploit", "turns"]\n'
    text += '[[variant]]\n[[variant]]\nname = "nine"\noptions = { rounds = 9 }\n'
    run = played(text)
    ladder = load(run.folder, "ladder").query("kind == 'skill'")
    assert list(ladder.bot) == ["steady", "steady"]
    assert list(ladder.others) == ["random", "random"]
    assert (ladder.deals == 20).all()
    assert (ladder.low > 1 / 3).all()
    assert (ladder.needed < 60).all()
    results = run.read("results.json")
    assert {one["measure"] for one in results["comparisons"]} == {"skill", "exploit", "turns"}
    assert re.search(r"With “nine”, .*: steady among random \d\d [(±]", results["answer"])
    assert results["answer"] == " ".join(sentences.answer(figures.RunFigures.read(run.folder)))
    assert run.facts["matches_done"] == run.facts["matches_asked"] == 2 * (120 + 2 * 60)


@pytest.mark.deep
def test_the_judge_knows_the_winner_at_the_end_and_not_at_the_beginning():
    text = 'game = "rivals"\nplayers = 3\ndeals = 100\nsample = 40\nmeasures = ["turns", "curve"]\n'
    told = []
    run = played(text, tell=lambda progress: told.append((progress.judged, progress.to_judge)))
    assert [told[0], told[-1]] == [(0, 40), (40, 40)]
    assert told == sorted(told)
    curve = load(run.folder, "curve")
    assert curve.winner.iloc[0] == pytest.approx(1 / 3, abs=0.1)
    assert curve.winner.iloc[-1] > 0.99
    names = {one["measure"] for one in run.read("results.json")["summaries"]}
    assert {"known_at", "hopeless"} <= names


# --- measures of a game, and of an experiment -----------------------------------------------------------------------------


def test_an_experiment_measures_with_a_function_of_its_own():
    Path("house.py").write_text("def richest(final, players):\n    'The fullest purse.'\n"
                                "    return final['purse'][:, :players].max(1)\n")
    text = FILE.replace('"margin"', '"margin", "house.py:richest"').replace("300", "20")
    run = played(text)
    frame = load(run.folder)
    assert frame["house.py:richest"].between(0, 20).all()
    assert run.read("results.json")["measures"]["house.py:richest"]["definition"] == "The fullest purse."
    assert "house.py:richest" in {one["measure"] for one in run.read("results.json")["comparisons"]}
    Path("house.py").write_text("def richest(final, players):\n    return final['purse'][:, :players].min(1)\n")
    said = []
    again = runner.play(spec.parse(text), run.folder, say=said.append)
    assert said == ["The rules, the bots or what is measured were changed since run was played; it is played again."]
    runner.play(spec.parse(text), run.folder, say=said.append)
    assert len(said) == 1
    assert load(again.folder)["house.py:richest"].mean() < frame["house.py:richest"].mean()
    Path("bids.py").write_text("def highest(match):\n    return max(move['amount'] for move in match.moves)\n")
    text = FILE.replace('"margin"', '"match:bids.py:highest"').replace("300", "20")
    run = played(text, "bids")
    said = [one for one in run.read("results.json")["summaries"] if one["measure"] == "match:bids.py:highest"]
    assert len(said) == 8
    assert all(0 < one["low"] <= one["mean"] <= one["high"] for one in said)
    Path("bids.py").write_text("def highest(match):\n    return -1\n")
    again = played(text, "bids").read("results.json")["summaries"]
    assert {one["mean"] for one in again if one["measure"] == "match:bids.py:highest"} == {-1}
    Path("wrong.py").write_text("def half(final, players):\n    return final['purse'][:3].sum(1)\n")
    with pytest.raises(BadSetup, match="one finite number a match"):
        played(FILE.replace('"margin"', '"wrong.py:half"').replace("300", "20"), "wrong")


# --- a changed rule ---------------------------------------------------------------------------------------------------



@pytest.mark.slow
def test_a_file_of_a_few_lines_changes_a_rule_on_both_backends(tmp_path):
    file = tmp_path / "coin_back.py"
    file.write_text(COIN)
    gym = pytest.importorskip("outbid.adapters.gymnasium", exc_type=ImportError, reason="Gymnasium is not installed")
    book = rulebook(str(file))
    assert book.id == "strongroom+coin_back"
    assert "outbid/strongroom-coin_back-v1" in gym.gymnasium.registry  # where no plus may stand
    assert seen(book, 3) == seen(rulebook(TUTORIAL), 3)
    plain = simulate.results(book, {}, ["steady"] * 3, 20, 1, backend="plain")
    found = play_block(CellBlock(str(file), {}, ("steady",) * 3, 1, 0, 20))
    assert found.seats[:, :, observed.SCORE].tolist() == [row[:3] for row in plain]
    given = play_block(CellBlock(TUTORIAL, {}, ("steady",) * 3, 1, 0, 20))
    assert (given.seats[:, :, observed.SCORE] != found.seats[:, :, observed.SCORE]).any()
    text = f'game = "{TUTORIAL}"\nplayers = 3\ndeals = 200\nmeasures = ["top"]\n[[variant]]\n'
    text += f'[[variant]]\nrule = "{file}"\n[[variant]]\nrule = "{file}"\noptions = {{ back = 0 }}\n'
    run = played(text)
    one, none = run.read("results.json")["comparisons"]
    assert (one["b"], one["verdict"]) == ("coin_back", "higher")
    assert (none["b"], none["verdict"]) == ("coin_back, back=0", "same")
    says = [variant["says"] for variant in run.facts["variants"]]
    assert says[1:] == [
        "Who has paid gets a coin back each round.",
        "Who has paid gets a coin back each round. Coins back: 0 (else 1).",
    ]


def test_a_rule_of_a_game_in_a_folder_is_changed_wherever_it_is_called(tmp_path):
    import outbid

    file = tmp_path / "last_auction.py"
    file.write_text(
        '"""The leftmost seat begins."""\n'
        "from outbid.lab.experiments.rules import changed\n"
        "def left_of(s, seat):\n    return seat - 1 if seat > 0 else s.players - 1\n"
        'rulebook = changed("kuhhandel", __name__)\n'
    )
    match, given = (outbid.game(name).new(players=4, seed=3) for name in (str(file), "kuhhandel"))
    assert match.record()["deal"] == given.record()["deal"]
    (seat,) = given.asked
    for one in (match, given):
        one.play(seat, "auction")
        for _ in range(3):
            one.play(one.asked[0], "pass")
    assert (match.asked, given.asked) == (((seat - 1) % 4,), ((seat + 1) % 4,))
    assert match.view(0)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("def open_bid(s):\n    pass", "if the rules do not call it. Did you mean 'open_bids'?"),
        ("def open_bids(s, seat):\n    pass", "open_bids(s, seat) has the wrong parameters; it must be open_bids(s)"),
        ("X = 1", "replaces no function of Strongroom"),
    ],
)
def test_a_slip_in_a_changed_rule_is_one_sentence(tmp_path, lines, sentence):
    file = tmp_path / "slip.py"
    file.write_text(
        f"from outbid.lab.experiments.rules import changed\n{lines}\nrulebook = changed({TUTORIAL!r}, __name__)\n"
    )
    with pytest.raises(BadRulebook) as error:
        rulebook(str(file))
    assert sentence in str(error.value)


def test_a_rule_of_another_game_is_refused(tmp_path):
    file = tmp_path / "other.py"
    file.write_text(COIN.replace("open_bids", "show_prize"))
    with pytest.raises(BadSetup, match="does not change Rivals"):
        spec.parse(f'game = "rivals"\n[[variant]]\nrule = "{file}"\n')


@pytest.mark.parametrize("game", ["kuhhandel", "rivals", "money", "forex"])
def test_measures_of_a_game_are_numbers_of_its_last_state(game):
    book = rulebook(game)
    finals = np.zeros(2, book.layout.dtype)
    states = [replay(book, {}, ["random"] * 3, seed, 0).state for seed in range(2)]
    for k, state in enumerate(states):
        state.to_record(finals, k)
    names = tuple(measures.own_measures(book))
    found = measures.own_columns(book, names, finals, 3)
    assert names
    expected = {
        "purse_gap": lambda s: max(map(cash, s.money[:3])) - min(map(cash, s.money[:3])),
        "most_sets": lambda s: max(row.count(4) for row in s.animals[:3]),
        "without_set": lambda s: sum(row.count(4) == 0 for row in s.animals[:3]) / 3,
        "gold_left": lambda s: sum(s.gold[:3]),
        "gold_gap": lambda s: max(s.gold[:3]) - min(s.gold[:3]),
        "rounds_played": lambda s: s.round,
        "bankruptcies": lambda s: s.bankrupt >= 0,
        "loans_open": lambda s: sum(one >= 0 for one in s.loan[:3]),
    }
    for name in names:
        assert found[name].tolist() == [expected[name](state) for state in states]


def cash(notes):
    return sum(n * value for n, value in zip(notes, (0, 10, 50, 100, 200, 500), strict=True))


def test_a_game_measures_what_it_declares(monkeypatch):
    book = rulebook(TUTORIAL)
    purses = Measure("purses", "Money left", "money in all purses at the end", lambda final, players: final["purse"].sum(1))
    monkeypatch.setattr(book.modules[0], "MEASURES", (purses,), raising=False)
    run = played(FILE.replace('"margin"', '"purses"').replace("300", "20"))
    row = load(run.folder).query("variant == 'six' and company == 'alike' and players == 3").iloc[4]
    match = replay(book, {}, ("steady",) * 3, 5, 4)
    assert row.purses == sum(match.state.purse)
    twice = Measure("turns", "Moves", "moves", lambda final, players: final["round"])
    monkeypatch.setattr(book.modules[0], "MEASURES", (twice,), raising=False)
    with pytest.raises(BadSetup, match="has a measure of its own called turns"):
        spec.parse(FILE)


# --- the file ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('"turns"', '"turn"'), "Did you mean 'turns'?"),
        (("rounds = 9", "round = 9"), "Strongroom has no option 'round'; it has rounds. Did you mean 'rounds'?"),
        (("rounds = 9", "rounds = 11"), "Option rounds is 11; it must be a whole number from 1 to 10"),
        (("rounds = 9", 'rounds = "9"'), "Option rounds is '9'"),
        (("players = [2, 3]", "players = [2, 7]"), "2 to 5 players, not 7"),
        (("deals = 300", "deals = 1"), "deals is 1; it must be a whole number from 2"),
        (("deals = 300", "deals = true"), "deals is True; it must be a whole number"),
        (("deals = 300", "deal = 300"), "Did you mean 'deals'?"),
        (('name = "nine"', 'name = "six"'), "Two variants are called 'six'"),
        (('["steady", "random"]', '["steady", "randum"]'), "randum"),
        (('["steady", "random"]', '["a", "b", "c", "d"]'), "'a'"),
        (('seats = ["steady"]', "seats = []"), 'company 1.seats is []; it must be a list of texts, such as ["steady"]'),
        (("seed = 5", "seed = -5"), "The seed is -5"),
        (("seed = 5", "seed = 5\nbaseline = 'sixx'"), "and no variant has this name. Did you mean 'six'?"),
        (("seed = 5", "seed = 5\nover = { rounds = '9..2' }"), "The range rounds=9..2 is empty"),
        (("seed = 5", "seed = 5\nover = { rounds = '' }"), "The range of rounds is empty"),
        (("seed = 5", "seed = 5\nstop = { on = ['ties'] }"), "stop names the measure 'ties', which is not among the"),
        (("seed = 5", "seed = 5\ntime = { move = 'long' }"), "time.move is 'long'; it must be a number of seconds"),
        (("seed = 5", "seed = "), "is not TOML"),
        (("game = ", "# "), "game is missing"),
    ],
)
def test_a_mistake_in_the_file_is_one_sentence(change, sentence):
    text = FILE.replace(*change, 1)
    assert text != FILE
    with pytest.raises(BadSetup) as error:
        spec.parse(text, "my.toml")
    assert sentence in str(error.value)
    assert str(error.value).startswith("my.toml")
    assert "\n" not in str(error.value)


def test_options_that_contradict_each_other_are_refused_by_variant():
    text = 'game = "kuhhandel"\nplayers = 3\n[[variant]]\nname = "empty"\noptions = { copies = [0,0,0,0,0,0,0,0,0,0] }\n'
    with pytest.raises(BadSetup, match="variant 'empty' with 3 players"):
        spec.parse(text)


def test_an_option_that_does_nothing_is_said():
    text = 'game = "claim"\nplayers = 3\n[[variant]]\nname = "goal"\noptions = { zero_goal = 3 }\n'
    assert any("zero_goal has no effect without zero_risk" in said for said in spec.parse(text).warnings)


def test_a_sweep_has_all_points_and_elements_of_lists():
    book = rulebook("kuhhandel")
    points = variants.points(book, {"trade_stall": "20..60/20", "overbid": ["allowed", "forbidden"]})
    assert len(points) == 6
    assert variants.named(points[1]) == "trade_stall=20, overbid=forbidden"
    assert variants.changed(book, "seed", {"start_money[1]": 2}) == {"start_money": [2, 2, 1, 0, 0, 0]}
    assert variants.values(book, "zeros_return", "false,true") == [False, True]
    with pytest.raises(BadOption, match="places are 0 to 5"):
        variants.changed(book, "seed", {"start_money[6]": 2})
    with pytest.raises(BadSetup, match="400 is the most"):
        variants.points(book, {"trade_stall": "1..1000/1"})


@pytest.mark.parametrize(
    ("game", "name", "said", "german"),
    [
        ("kuhhandel", "copies[9]=0", "no horses", "keine Pferde"),
        ("kuhhandel", "copies[9]=few", "copies[9]=few", "copies[9]=few"),
        ("kuhhandel", "copies[99]=0", "copies[99]=0", "copies[99]=0"),
        ("kuhhandel", "copies=4,4,4,4,4,4,4,4,4,0", "no horses", "keine Pferde"),
        ("kuhhandel", "copies[8]=2, values[9]=900", "Cows: 2, Values: horses: 900", "Kühe: 2, Werte: Pferde: 900"),
        ("kuhhandel", "copies=3,3,3,3,3,3,3,3,3,3", f"Cards of each animal: {', '.join('3' * 10)}", None),
        ("claim", "prices[0]=2", "Prices: Penny Pincher: 2", None),
        ("money", "start_money[0]=2", "start_money[0]=2", None),
    ],
)
def test_a_variant_is_named_as_an_editor_would(game, name, said, german):
    titles = OptionTitles.of([rulebook(game)])
    assert titles.name(name) == said
    with i18n.locale("de"):
        assert german in (None, titles.name(name))


def test_a_sentence_says_which_places_of_a_list_are_others():
    book = rulebook("kuhhandel")
    assert variants.sentence(book, variants.changed(book, "seed", {"copies[9]": 0})) == "no horses (else 4)."


def test_the_fields_of_a_state_are_listed_for_measures():
    fields = {field.name: field for field in state_fields(rulebook("kuhhandel"))}
    assert fields["money"].shape == ("matches", 5, 6)
    assert fields["streak"].meaning == "trades in a row without a new set (K23)"
    assert (fields["stake"].part, fields["copies"].part) == ("the trade", "option")
    for game in ("kuhhandel", "rivals", TUTORIAL):
        book = rulebook(game)
        arrays = np.zeros(2, book.layout.dtype)
        made = {field.name: field for field in state_fields(book)}
        assert {name: (len(arrays), *field.shape[1:]) for name, field in made.items()} == {
            name: arrays[name].shape for name in arrays.dtype.names
        }
        assert {name: field.type for name, field in made.items()} == {
            name: arrays[name].dtype.str.lstrip("<|=") for name in arrays.dtype.names
        }
    shown = outbid_lab("fields", TUTORIAL)
    assert re.search(r"^prize +matches +i1 +what is sold now$", shown.stdout, re.MULTILINE)
    hidden = "those to come, the next one last; nobody sees it"
    assert re.search(rf"^deck +matches × \d+ +i1 +{hidden}$", shown.stdout, re.MULTILINE)
    assert [field["name"] for field in json.loads(outbid_lab("fields", TUTORIAL, "--json").stdout)] == [*made]


def test_the_functions_that_a_changed_rule_may_replace_are_listed():
    listed = json.loads(outbid_lab("fields", "kuhhandel", "--rules", "--json").stdout)
    assert listed["buy(s)"].startswith("First refusal: the auctioneer pays")
    assert {name.partition("(")[0] for name in listed} >= {"deal", "legal", "apply", "score", "sell", "settle"}
    assert "below(r, n)" not in listed
    shown = outbid_lab("fields", TUTORIAL, "--rules").stdout
    assert re.search(r"^apply\(s, seat, action\) +\S", shown, re.MULTILINE)


def test_toml_that_is_written_is_read_again():
    import tomllib

    tables = {"over": {"start_money[1]": [1, 2]}, "variant": [{"options": {"a": True}}]}
    given = {"game": 'a "b"\\c\n', "players": [3, 4], **tables}
    assert tomllib.loads(spec.toml(given)) == given


# --- the command line -------------------------------------------------------------------------------------------------


def outbid_lab(*words, given=None, code=0):
    made = outbid_command("lab", *words, given=given or "", environment={**os.environ, "COLUMNS": "200"})
    assert made.returncode == code, made.stderr
    return made


@pytest.mark.slow
def test_compare_answers_in_sentences_and_goes_on_from_the_same_command():
    words = "compare", TUTORIAL, "--b", "rounds=9", "-n", "3", "-d", "50", "-m", "turns,ties", "--no-report"
    said = outbid_lab(*words)
    answer = "In 100.0 % of the deals anything went differently. With “Rounds: 9”, a match is 9 moves longer;"
    assert said.stdout.startswith(f"{answer} about the share of ties, these matches cannot tell.")
    assert re.search(r"^Rounds: 9 +27 +", said.stdout, re.MULTILINE)
    assert said.stderr == ""
    made = json.loads(outbid_lab(*words, "--json").stdout)
    assert made["hash"][:16] in said.stdout
    assert made["results"]["comparisons"][0]["difference"] == 9
    listed = json.loads(outbid_lab("list", "--json").stdout)
    assert [one["run"] for one in listed] == ["tutorial_game-rounds-9"]
    watched = outbid_lab("watch", "tutorial_game-rounds-9").stdout
    assert watched.startswith(f"100 of 100 matches, finished\n{answer}")
    assert f"    What does “Rounds: 9” change in Strongroom?\n    {answer}" in outbid_lab("list").stdout


def test_a_goal_that_another_company_misses_is_reached_among_the_first():
    goal = tune.Goal.read("minutes=14..16")
    rows = [(15.5, 15.4, 15.6, "steady"), (12.0, 11.9, 12.1, "easy")]
    checked = [{"number": 0, "options": {"coins": 30}, "company": company,
                "figures": [{"measure": "minutes", "value": value, "low": low, "high": high,
                             "reached": goal.loss(value) == 0}]}
               for value, low, high, company in rows]  # fmt: skip
    minutes = measures.LabMeasure("minutes", "Minutes", "", unit="minutes")
    wanted = {"goal": goal.text, "low": 14, "high": 16}
    said = sentences.unreached(minutes, wanted, 0, checked, OptionTitles.of([rulebook("rivals")]))
    assert said == "“Minutes” from 14 to 16 is reached among steady with “Gold: 30”, but among easy that has 12.00 ± 0.10."


def test_a_sweep_is_compared_with_the_given_rules():
    text = 'game = "rivals"\nplayers = 3\ndeals = 10\n[over]\ncoins = "{}"\n'
    assert spec.parse(text.format("30,36,42")).baseline == "coins=36"
    without = spec.parse(text.format("30,42"))
    assert without.over == {"coins": [30, 36, 42]}
    assert without.baseline == "coins=36"
    words = spec.parse(text.format("30").replace("coins", "dead_cards").replace('"30"', '["discard"]'))
    assert [variant.name for variant in words.variants] == ["dead_cards=keep", "dead_cards=discard"]


def test_a_sweep_of_several_variants_keeps_them_apart():
    text = 'game = "rivals"\nplayers = 3\nbaseline = "{}"\n[[variant]]\n{}\n[[variant]]\n{}\n[over]\ncoins = "30,36"\n'
    made = spec.parse(text.format("long", 'name = "long"', "options = { colours = 4 }"))
    assert [one.name for one in made.variants] == [
        "long: coins=30", "long: coins=36", "colours=4: coins=30", "colours=4: coins=36",
    ]  # fmt: skip
    assert [one.of for one in made.variants] == ["long", "long", "colours=4", "colours=4"]
    assert made.baseline == "long: coins=36"
    assert spec.parse(text.format("colours=4", "", "options = { colours = 4 }")).baseline == "colours=4: coins=36"


def test_the_experiment_file_of_the_reference_can_be_run():
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
    text, rule = (re.search(rf"```{kind}\n(.*?)```", page, re.DOTALL)[1] for kind in ("toml", "python"))
    Path("house.py").write_text(rule)
    Path("mine.py").write_text('def rounds(final, players):\n    """Nothing."""\n    return final["phase"] * 0.0\n')
    made = spec.parse(text)
    assert len(made.variants) == 3 * 5
    assert made.baseline == "as it is: trade_stall=100"
    assert not made.warnings


@pytest.mark.parametrize("game", ["rivals", pytest.param("kuhhandel", marks=pytest.mark.deep)])
@pytest.mark.slow
def test_a_rule_that_changes_only_scores_is_not_called_unused(game):
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
    Path("house.py").write_text(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1].replace("kuhhandel", game))
    text = f'game = "{game}"\nplayers = 3\ndeals = 4\nmeasures = ["turns"]\n'
    run = played(text + '[[variant]]\n[[variant]]\nrule = "house.py"\n')
    found = run.read("results.json")
    assert {"top", "mean_score"} <= {*found["moved"][0]["measures"]} <= {"top", "mean_score", "comeback"}
    assert found["answer"].startswith("With “house”, everything that was compared is the same in every match; not the same:")
    assert [one["verdict"] for one in found["comparisons"]] == ["open"]  # four deals settle nothing


@pytest.mark.slow
def test_new_asks_a_few_questions_and_its_file_can_be_run():
    made = outbid_lab("new", TUTORIAL, given="Longer?\nelse\n3\nrounds\n99\n8\nall\n40\n")
    assert "must be a whole number from 1 to 10" in made.stderr
    text = Path("strongroom-rounds.toml").read_text()
    assert "# What you want to know" in text
    made = json.loads(outbid_lab("run", "strongroom-rounds.toml", "--json", "--no-report").stdout)
    assert made["question"] == "Longer?"
    assert made["results"]["comparisons"][0]["difference"] == 6
    assert "exists already" in outbid_lab("new", TUTORIAL, given="", code=2).stderr


@pytest.mark.slow
def test_new_writes_the_file_of_a_question_and_asks_nothing_where_it_is_told():
    said = outbid_lab("new", TUTORIAL, "--ask", "length", "--b", "rounds=9", "-n", "3", "--run")
    assert said.stderr.startswith("Wrote strongroom-rounds.toml.")
    yes = "Yes, in all companies; most among 3 players (easy): with “Rounds: 9”, a match is 9 moves longer."
    assert said.stdout.startswith(yes)
    made = spec.read(Path("strongroom-rounds.toml"))
    assert (made.ask, made.measures, made.stop.on) == ("length", measures.QUESTIONS["length"], ("turns",))
    assert len(made.companies) == 3
    for words, sentence in (
        (("--ask", "lenght"), "ask is 'lenght'; it is one of "),
        (("--b", "rounds"), "'rounds' is not NAME=VALUE"),
        (("--b", "round=9"), "'round' is none of these rules."),
        (("--b", "rounds=99"), "must be a whole number from 1 to 10"),
    ):
        assert sentence in outbid_lab("new", TUTORIAL, *words, code=2).stderr


def test_ctrl_c_leaves_the_questions_and_nothing_is_written():
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "outbid.cli", "lab", "new", TUTORIAL]
    with started(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as process:
        said = b""
        while b"What do you want to know?" not in said:
            said += os.read(ours, 1000)
        for _ in range(10):  # Python misses one that comes just as it begins to read a line; people press again
            os.killpg(process.pid, signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(3)
                break
        assert process.poll() == 130
    os.close(ours)
    os.close(theirs)
    assert not list(Path().iterdir())


def test_wrong_usage_is_one_sentence(monkeypatch, capsys):
    Path("empty.jsonl").touch()
    for words, sentence in (
        (("compare", "rivals"), "Nothing is changed; name an option with --b"),
        (("compare", "rivals", "--b", "coinz=3"), "Did you mean 'coins'?"),
        (("compare", "rivals", "--b", "coins"), "is not NAME=VALUE"),
        (("compare", "rivals", "--b", "coins=40", "--ask", "card", "--ask", "length"), "A run answers one question"),
        (("compare", "chess", "--b", "a=1"), "There is no game 'chess'"),
        (("compare", "rivals", "--b", "coins=36"), "Both variants are the same: as it is, coins=36."),
        (("people", "empty.jsonl"), "empty.jsonl has no records."),
        (("run", "none.toml"), "none.toml cannot be read"),
        (("watch", "none"), "There is no run none"),
        (("sweep", "rivals", "--over", "coins"), "is not NAME=RANGE, such as coins="),
        (("sweep", "rivals", "--over", "nothing"), "such as next_after_auction=right_of_winner,"),
        (("compare", "rivals", "--b", "coins=40", "--on", "local:x"), "local:N"),
        (("compare", "rivals", "--b", "coins=40", "--b", "coins=50"), "coins is given twice; it has one value."),
        (("sweep", "rivals", "--over", "coins=1..2", "--over", "coins=5"), "coins is given twice; its values are one range"),
        (("sweep", "rivals", "--over", "coins=20,40", "-o", "coins=30"), "coins is set and swept; it is one or the other."),
        (("sweep", "rivals", "--over", f"coins=1..{10**20}/1"), f"has {10**20} values; 10000 is the most."),
        (("tune", "rivals", "--over", "coins=20,40", "-g", "turns<9", "-g", "turns>10"), "turns<9 and turns>10 cannot both"),
    ):
        monkeypatch.setattr(sys, "argv", ["outbid", "lab", *words])
        with pytest.raises(SystemExit) as left:
            cli.main()
        assert left.value.code == 2
        said = capsys.readouterr().err.strip()
        assert sentence in said
        assert "\n" not in said


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_played():
    text = f'game = "{TUTORIAL}"\nplayers = 5\ndeals = 3000000\nmeasures = ["turns"]\n'
    Path("long.toml").write_text(text)
    command = [sys.executable, "-m", "outbid.cli", "lab", "run", "long.toml", "--no-report"]
    with started(command, stderr=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + 200
        while time.monotonic() < until and len(list(Path().glob("outbid-runs/long/parts/*.jsonl"))) < 5:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=100)
        assert process.returncode == 130
    assert "goes on from there" in said
    assert not json.loads(Path("outbid-runs/long/run.json").read_text())["finished"]
    assert len(list(Path().glob("outbid-runs/long/parts/*.jsonl"))) >= 5


def test_a_run_that_is_not_there_names_those_that_are(done):
    with pytest.raises(BadSetup, match="There is no run nothing"):
        load("nothing")
    with pytest.raises(Unreadable, match="has no table cards; it has"):
        load(done.folder, "cards")


def test_strange_matches_are_far_from_the_middle():
    values = np.array([[1.0, 2], [1, 3], [1, 2], [9, 3], [2, 2], [2, 3]])
    assert chosen._distance(values, [0, 1]).argmax() == 3


def test_a_file_that_changes_a_rule_is_known_to_processes_that_are_started():
    file = Path(__file__).parents[2] / "docs" / "studies" / "no_buying.py"
    code = "from outbid.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "games", "--json"], capture_output=True, text=True, check=False,
        env={**os.environ, "OUTBID_GAMES": str(file)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "kuhhandel+no_buying" in done.stdout


# --- matches that were played before (recorded.py) --------------------------------------------------------------------


def written(name, matches, **more):
    records = [{**match.record(), **more} for match in matches]
    Path(name).write_text("".join(json.dumps(record) + "\n" for record in records))


def test_matches_that_are_read_have_the_columns_that_they_had_when_they_were_played():
    book = rulebook("rivals")
    bots = CellBlock("rivals", {}, ("steady", "easy", "random"), 3, 0, 3)
    written("friday.jsonl", [replay(book, {}, bots.seats, 3, number) for number in range(3)])
    read = play_block(CellBlock("rivals", {}, ("records@friday.jsonl",) * 3, 0, 0, 3))
    done = len(things_of(book)) - things_of(book).held  # the others are counted at the end, wherever a match comes from
    rows, seats, usage, *_ = blocks._asked(book, bots, bots.seats)
    for ours, theirs in zip((read.rows, read.seats, read.usage[:done]), (rows, seats, usage[:done]), strict=True):
        assert (ours == theirs).all()
    assert read.usage[done:].any()


def test_people_stand_beside_bots_in_a_run_of_their_matches(capsys):
    book = rulebook(TUTORIAL)
    few = [replay(book, {"rounds": 9}, ["steady"] * 3, 3, number) for number in range(4)]
    many = [replay(book, {}, ["steady", "random"], 3, number) for number in range(6)]
    unfinished = many[0].at(3)
    written("friday.jsonl", [*few, *many, unfinished])
    assert lab("people", "friday.jsonl", "-m", "turns,margin", "--no-report", "--json") == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert "Left out: 4 matches of strongroom for 3, rounds=9." in said.err
    assert [one["name"] for one in found["company"]] == ["people", "steady"]
    assert found["deals"] == 6
    assert found["matches_done"] == 12
    frame = load(found["run"])
    people = frame[frame.company == "people"]
    assert people.turns.tolist() == [len(match.moves) for match in many]
    assert set(people.seed) == {-1}
    assert set(frame[frame.company == "steady"].seed) != {-1}
    seats = load(found["run"], "seats")
    scores = [score for match in many for score in match.scores]
    assert seats[seats.company == "people"].score.tolist() == scores
    assert lab("people", "friday.jsonl", "-n", "3", "--no-report", "--json") == 0
    assert json.loads(capsys.readouterr().out)["variants"][0]["options"] == {"rounds": 9}


def lab(*arguments):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["outbid", "lab", *arguments])
        try:
            cli.main()
        except SystemExit as ended:
            return ended.code or 0
    return 0


def test_a_pace_is_fitted_to_the_times_beside_moves_of_people():
    """Seconds that follow the model are found again; bots' moves and a long absence do not count."""
    book, at = rulebook(TUTORIAL), 0.0
    matches = [replay(book, {}, ["random"] * 3, 3, number) for number in range(40)]
    match = matches[0]
    assert recorded.pace([RecordedMatch(one, tuple(one.record()["moves"])) for one in matches]) is None
    reads = []
    for match in matches:
        moves, at = [], 0.0
        for number, move in enumerate(match.record()["moves"]):
            state, out = match.at(number).state, [0] * book.actions
            alone = bin(contract.asked(state)).count("1") == 1
            choices = contract.legal(state, move["seat"], out)
            at += 3.0 + 2.0 * math.log2(choices) if alone else 50.0
            at += 5000.0 * (number == 4)
            moves.append({**move, "at": at})
        reads.append(RecordedMatch(match, tuple(moves)))
    found = recorded.pace(reads)
    assert found == (3.0, 2.0)
    bots = [RecordedMatch(one.match, tuple({**move, "by": "steady"} for move in one.moves)) for one in reads]
    assert recorded.pace(bots) is None


@pytest.mark.parametrize(
    ("company", "sentence"),
    [
        ('["records@none.jsonl"]', "There is no file none.jsonl of records."),
        ('["records@friday.jsonl", "steady"]', "has other seats beside records@friday.jsonl"),
        ('["records@friday.jsonl"]', "has 2 finished matches of .* and deals is 300; it must be 2 or fewer"),
        ('["records@bad.jsonl"]', "bad.jsonl, record 2: "),
    ],
)
def test_a_company_of_records_that_cannot_be_read_is_refused(company, sentence):
    matches = [replay(rulebook(TUTORIAL), {}, ["random"] * 2, 3, number) for number in range(2)]
    written("friday.jsonl", matches)
    written("bad.jsonl", matches)
    lines = Path("bad.jsonl").read_text().splitlines()
    Path("bad.jsonl").write_text(lines[0] + "\n" + json.dumps({**json.loads(lines[1]), "winners": [7]}) + "\n")
    text = f'game = "{TUTORIAL}"\nplayers = 2\ndeals = 300\n[[company]]\nname = "people"\nseats = {company}\n'
    with pytest.raises(BadSetup, match=sentence):
        spec.parse(text)
