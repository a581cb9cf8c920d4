"""Nets in experiments: played compiled as the bot from the file plays, read by who wrote the experiment, trained on a
variant by the training command."""

import json
import shutil
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from outbid.core.errors import BadSetup
from outbid.core.rulebook import rulebook
from outbid.lab.experiments import learned, runner, spec
from outbid.runs import blocks
from outbid.runs.replay import replayed
from outbid.runs.seating import turned
from tests.support.commands import started
from tests.support.scripts import torch

NET = rulebook("rivals").folder / "policy.npz"
FILE = """
game = "rivals"
players = [2]
deals = 20
measures = ["turns", "margin"]
[[variant]]
name = "as given"
[[variant]]
name = "forty"
options = { coins = 40 }
"""


@pytest.fixture(autouse=True)
def somewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), [("rivals", 2), pytest.param("money", 3, marks=pytest.mark.deep)])
def test_a_net_plays_compiled_as_it_plays_step_by_step(game, players, monkeypatch):
    book = rulebook(game)
    seats = (f"net@{book.folder / 'policy.npz'}", *["steady"] * (players - 1))
    block = blocks.Block(game, {}, seats, 3, 0, 6)
    compiled = blocks.play(block)
    monkeypatch.setattr(blocks, "is_compiled", lambda *_: False)
    plain = blocks.play(block)
    for one, other in ((compiled.rows, plain.rows), (compiled.seats, plain.seats), (compiled.usage, plain.usage)):
        np.testing.assert_array_equal(one, other)
    (match, row) = replayed(book, {}, turned(seats, 0), 3, 2)
    assert sum(row[players : 2 * players]) == len(match.moves)
    assert compiled.seats[2 * players, :, 0].tolist() == list(match.scores)


@pytest.mark.slow
def test_who_writes_an_experiment_may_name_nets_and_modules(tmp_path):
    (tmp_path / "mine.py").write_text("def act(obs, mask):\n    return mask.argmax(axis=1)\n", encoding="utf-8")
    company = f'[[company]]\nseats = ["net@{NET}", "mine.py:act"]\n'
    text = FILE.split("[[variant]]\nname = \"forty\"")[0].replace("deals = 20", "deals = 2")
    done = runner.play(spec.parse(text + company), Path("run"))
    rows = done.read("results.json")["seats"]
    shares = {row["of"]: row["share"] for row in rows if row["by"] == "bot"}
    assert shares == {f"net@{NET}": 1.0, "mine.py:act": 0.0}


def test_a_net_that_has_not_learned_a_variant_or_is_not_there_is_one_sentence():
    company = f'[[company]]\nseats = ["net@{NET}"]\n'
    with pytest.raises(BadSetup, match=r"variant 'forty': .* has not learned .* under these rules\. `learn` trains a net"):
        spec.parse(FILE + company)
    with pytest.raises(BadSetup, match=r"net@.*nowhere\.npz: No such file"):
        spec.parse(FILE + '[[company]]\nseats = ["net@nowhere.npz"]\n')
    with pytest.raises(BadSetup, match="say how many minutes nets learn: learn = 5"):
        spec.parse(FILE + '[[company]]\nseats = ["learned"]\n')


def test_a_file_that_changed_is_refused_by_a_worker(tmp_path):
    net = tmp_path / "net.npz"
    shutil.copy(NET, net)
    book, seats = rulebook("rivals"), (f"net@{net}", "steady")
    code = blocks.code_of(book, seats)
    net.write_bytes(net.read_bytes() + b" ")
    with pytest.raises(BadSetup, match="other files of bots"):
        blocks.play(blocks.Block("rivals", {}, seats, 1, 0, 2, code=code))
    net.unlink()
    with pytest.raises(BadSetup, match=r"There is no file .*workers need it there, too"):
        blocks.play(blocks.Block("rivals", {}, seats, 1, 0, 2, code=code))


@pytest.mark.slow
def test_a_variant_is_learned_by_the_training_command_and_what_was_learned_plays(monkeypatch):
    """The command itself is run by tests/adapters/test_train_ppo.py; here its net is put where it writes it."""
    from outbid.bots.nets.weights import facts_of

    asked = []

    def run(command, **_how):
        options = dict(zip(command[2::2], command[3::2], strict=True))
        asked.append(options)
        book, rules = rulebook(options["--game"]), options["--preset"]
        arrays = dict(np.load(NET))
        facts = {**facts_of(NET), "presets": [json.loads(rules)], "environment": book.environment_id}
        np.savez_compressed(Path(options["--out"]) / "net.npz", **{**arrays, "facts": json.dumps(facts)})
        return SimpleNamespace(returncode=0, stdout="learned", stderr="")

    monkeypatch.setattr(learned.subprocess, "run", run)
    monkeypatch.setattr(learned, "require", lambda *_: None)
    heard = []
    done = runner.play(spec.parse(FILE.replace("deals", "learn = 2.5\ndeals")), Path("run"), say=heard.append)
    assert [one["--minutes"] for one in asked] == ["2.5", "2.5"]
    assert {one["--preset"] for one in asked} == {"{}", '{"coins": 40}'}
    assert "Training nets on as given, forty" in heard[0]
    facts, results = done.facts, done.read("results.json")
    assert [one["name"] for one in facts["company"]] == ["steady", "learned", "learned among steady"]
    assert all(one["learned"] for one in facts["variants"])
    companies = {one["company"] for one in results["comparisons"]}
    assert companies == {"steady", "learned", "learned among steady"}
    place = {"of": "learned", "variant": "as given", "company": "learned among steady"}
    (share,) = (row["share"] for row in results["seats"] if place.items() <= row.items())
    assert share > 0.8
    (done.folder / "run.json").unlink()
    again = runner.play(spec.parse(FILE.replace("deals", "learn = 2.5\ndeals")), Path("run"))
    assert len(asked) == 2  # the nets are kept
    assert again.facts["hash"] == facts["hash"]


def until(condition):
    """Wait for it, for minutes where something has to be compiled first."""
    latest = time.monotonic() + 400
    while not condition():
        assert time.monotonic() < latest
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="children of a process are looked up in /proc")
def test_a_run_that_is_killed_while_its_nets_learn_goes_on_where_they_were():
    _ = torch.Tensor
    text, home = 'game = "sealed"\nplayers = [2]\ndeals = 20\nlearn = 0.1\nmeasures = ["turns"]\n', Path("killed/nets/0")
    asked = "from pathlib import Path; from outbid.lab.experiments import runner, spec; "
    with started([sys.executable, "-c", f"{asked}runner.play(spec.parse({text!r}), Path('killed'))"]) as run:
        until((home / "stopped.pt").is_file)
        trainings = [pid for file in Path(f"/proc/{run.pid}/task").glob("*/children") for pid in file.read_text().split()]
        run.kill()
    assert trainings
    until(lambda: not any(Path("/proc", pid).exists() for pid in trainings))
    curve = (home / "curve.csv").read_text().splitlines()
    assert not (home / "done.json").exists()
    played = runner.play(spec.parse(text), Path("killed")).facts["hash"]
    assert (home / "curve.csv").read_text().splitlines()[:2] == curve[:2]  # by the clock: another training has other minutes
    net = (home / "net.npz").read_bytes()
    (Path("killed") / "run.json").unlink()
    shutil.rmtree(Path("killed") / "parts", ignore_errors=True)
    assert runner.play(spec.parse(text), Path("killed")).facts["hash"] == played
    assert (home / "net.npz").read_bytes() == net


def test_a_training_that_fails_is_one_sentence(monkeypatch):
    failed = SimpleNamespace(returncode=1, stdout="", stderr="Traceback\nMemoryError: no room")
    monkeypatch.setattr(learned.subprocess, "run", lambda *_, **__: failed)
    monkeypatch.setattr(learned, "require", lambda *_: None)
    with pytest.raises(BadSetup, match="The net of 'as given' could not be trained: MemoryError: no room"):
        runner.play(spec.parse(FILE.replace("deals", "learn = 1\ndeals")), Path("run"))


def test_the_training_command_is_the_one_of_the_examples():
    made = spec.parse(FILE.replace("deals", "learn = 1\ndeals"))
    command = learned.command(made, made.variants[1], Path("out"))
    assert command[0] == sys.executable
    assert Path(command[1]).name == "train_ppo.py"
    assert command[command.index("--start") + 1] == str(NET)


def test_a_net_that_learned_a_file_is_not_kept_when_the_file_changes(tmp_path):
    file = shutil.copy(Path(__file__).parents[2] / "examples" / "tutorial_game.py", tmp_path)
    text = f'game = "{file}"\nplayers = 2\nlearn = 1\n'
    made, home = spec.parse(text), tmp_path / "net"
    home.mkdir()
    (home / "net.npz").touch()
    (home / "done.json").write_text(json.dumps(learned._wanted(made, made.variants[0])))
    assert learned._fits(made, made.variants[0], home)
    Path(file).write_text(f"{Path(file).read_text()}\n")
    assert not learned._fits(made, made.variants[0], home)
