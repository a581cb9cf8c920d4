"""Nets that learn the variants of an experiment, so that its answer does not hang on bots that were made for other rules.

    experiment = trained(experiment, Path("outbid-runs/gold"))      # learn = 5: five minutes for each variant

A net for each variant, and all its numbers of players, is trained by the training command (examples/train_ppo.py) in a
process of its own, as many at a time as there are cores. Where the game has a net that was trained on its given rules,
training begins with that; else the heuristic is imitated first. Nets are kept in the folder of the run,
`nets/NUMBER/net.npz`, with their learning curves: a run that was interrupted trains only what is missing, from where it was
stopped, and with its nets a run is repeated bit for bit. A company names such a net `learned`.
"""

import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from outbid import examples
from outbid.bots.nets.policy import policy
from outbid.bots.nets.weights import facts_of
from outbid.bots.outside import FILE
from outbid.core.errors import BadSetup
from outbid.core.extras import require
from outbid.core.language.phrases import plural
from outbid.core.rulebook import Rulebook, file_of
from outbid.lab.experiments import variants
from outbid.lab.experiments.spec import Experiment
from outbid.lab.experiments.variants import Variant

NETS = "nets"
SCRIPT = "train_ppo.py"
STOPPED = "stopped.pt"  # where it says how far it is
ASKED, DONE = "asked.json", "done.json"  # what a net depends on, while it is trained and afterwards
TAUGHT = 500_000  # decisions of the heuristic that a net imitates at first, for each minute, at most
MOST_TAUGHT = 3_000_000
USUAL = ("--guide", "0.5", "--last-deals", "128", "--measure-every", "1000000")
FROM_NET = ("--rate", "3e-4", "--entropy", "0.004")  # of a net that knows something already


def trained(experiment: Experiment, folder: Path, say: Callable[[str], object] | None = None) -> Experiment:
    """The experiment with a net for each variant. say: told what is trained. Raises BadSetup."""
    require("Training a net", "train", "torch")
    homes = {variant.name: folder / NETS / str(number) for number, variant in enumerate(experiment.variants)}
    missing = [variant for variant in experiment.variants if not _fits(experiment, variant, homes[variant.name])]
    if missing and say:
        at_once = min(len(missing), os.cpu_count() or 1)
        minutes = experiment.learn * -(-len(missing) // at_once)
        names, lasts = ", ".join(variant.name for variant in missing), plural(math.ceil(minutes), "minute")
        say(f"Training nets on {names}: about {lasts}, {at_once} at a time.")
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for _ in pool.map(lambda variant: _train(experiment, variant, homes[variant.name]), missing):
            pass
    return replace(experiment, nets={name: f"{FILE}{home / 'net.npz'}" for name, home in homes.items()})


def _fits(experiment: Experiment, variant: Variant, home: Path) -> bool:
    """Whether the net of a variant was trained to the end."""
    return (home / "net.npz").is_file() and _is_of(experiment, variant, home / DONE)


def _is_of(experiment: Experiment, variant: Variant, file: Path) -> bool:
    """Whether a file says what the net of a variant depends on."""
    return file.is_file() and _wanted(experiment, variant) == json.loads(file.read_text(encoding="utf-8"))


def _wanted(experiment: Experiment, variant: Variant) -> dict[str, Any]:
    """What a net depends on besides chance and time."""
    asked = {"game": experiment.game, "rule": variant.rule, "options": dict(variant.options), "minutes": experiment.learn,
             "players": list(experiment.players)}  # fmt: skip
    files = [file for book in (experiment.book, variants.book_of(experiment.game, variant.rule)) if (file := file_of(book))]
    read = [hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in dict.fromkeys(files)]
    return {**asked, "files": read} if read else asked


def command(experiment: Experiment, variant: Variant, out: Path) -> list[str]:
    """The training command of a variant. Raises BadSetup."""
    script = examples.files().get(SCRIPT)
    if script is None:
        raise BadSetup(f"{SCRIPT} was not installed with this package; it is in its source distribution.")
    book = variants.book_of(experiment.game, variant.rule)
    game = variant.rule or experiment.game
    setting = ["--game", game, "--preset", json.dumps(variant.options), "--players", ",".join(map(str, experiment.players))]
    begun = _begun(book, variants.book_of(experiment.game))
    taught = min(MOST_TAUGHT, int(TAUGHT * experiment.learn))
    how = ["--start", str(begun), *FROM_NET] if begun else ["--teach", str(taught)]
    return [sys.executable, str(script), *setting, *USUAL, *how, "--minutes", str(experiment.learn), "--out", str(out),
            "--parent", str(os.getpid())]  # fmt: skip


def _begun(book: Rulebook, given: Rulebook) -> Path | None:
    """The net that the game as it is has learned, if it sees and does the same under a changed rule."""
    net = policy(given)
    if net is None or (book.features, book.actions) != (given.features, given.actions):
        return None
    return given.folder / net.FILE


def _train(experiment: Experiment, variant: Variant, home: Path) -> None:
    goes_on = ["--go-on"] if (home / STOPPED).is_file() and _is_of(experiment, variant, home / ASKED) else []
    if not goes_on:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        (home / ASKED).write_text(json.dumps(_wanted(experiment, variant)), encoding="utf-8")
    process = subprocess.run([*command(experiment, variant, home), *goes_on], capture_output=True, text=True, check=False)
    with open(home / "training.txt", "a", encoding="utf-8") as file:
        file.write(process.stdout)
    if process.returncode:
        last = (process.stderr.strip().splitlines() or ["it was stopped"])[-1]
        raise BadSetup(f"The net of {variant.name!r} could not be trained: {last}")
    facts_of(home / "net.npz")
    (home / ASKED).rename(home / DONE)
    (home / STOPPED).unlink(missing_ok=True)
