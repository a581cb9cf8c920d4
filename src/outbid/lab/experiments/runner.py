"""Play an experiment: have its blocks played, take them in, in order, and write what they say.

    run = play(experiment, Path("outbid-runs/overbid"), tell=…)

Who does what: design.py (cells, blocks, and what is taken in of them), playing/sample.py (ladders, the judge, functions of a
match), publish.py (what is written). Here is when.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from outbid.lab.experiments import learned, store, variants
from outbid.lab.experiments.design import PLAYED, Design, Sums
from outbid.lab.experiments.playing.blocks import play as play_block
from outbid.lab.experiments.playing.sample import Sample, ladder_of
from outbid.lab.experiments.publish import Findings, facts
from outbid.lab.experiments.spec import Experiment
from outbid.lab.experiments.store import Run
from outbid.runs.blocks import Columns, warm
from outbid.runs.executor import Pool, executor
from outbid.runs.runner import finished

LOOK = 5.0  # seconds between figures for a person who watches


@dataclass
class Progress:
    """What is told while a run goes on. done, asked: matches; kept: those of them that an earlier process played; judged,
    to_judge: those that the judge looks at afterwards; seconds: since it began here; where: on what it is played."""

    done: int
    asked: int
    kept: int
    seconds: float
    where: str
    judged: int = 0
    to_judge: int = 0

    @property
    def rate(self) -> float:
        """Matches a second."""
        return (self.done - self.kept) / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that are left, if that can be said."""
        return (self.asked - self.done) / self.rate if self.rate > 0 else None


Tell = Callable[[Progress], object]


def play(
    experiment: Experiment,
    folder: Path,
    on: str | None = None,
    tell: Tell | None = None,
    preview: Callable[[Run], object] | None = None,
    force: bool = False,
    threads: int | None = None,
    beside: Sequence[str] = (),
    say: Callable[[str], object] | None = None,
) -> Run:
    """Play what is missing of an experiment and write all of it. preview: called when the first figures are written.
    beside: files that may be in the folder, and stay. say: told what one waits for, before it is played. Raises BadSetup."""
    store.arrow()
    run = Run.create(folder, experiment.text, force, beside)
    if experiment.learn:
        with run.held():
            experiment = learned.trained(experiment, run.folder, say)
    design = Design(experiment)
    if (folder / "run.json").is_file():
        before = run.facts
        if before["finished"] and before["code"] == design.code:
            return run
        if before["code"] != design.code and say:
            say(f"The rules, the bots or what is measured were changed since {folder} was played; it is played again.")
    work = ExperimentInPlay(design, run, tell or (lambda progress: None), preview or (lambda run: None))
    run.write("run.json", work.facts())
    with run.held(), executor(on, threads) as pool:
        if on is None:
            if say and any(variant.rule for variant in experiment.variants):
                say("Compiling the rules; where they are new this takes up to a few minutes.")
            for variant in {variant.rule: variant for variant in experiment.variants}.values():
                warm(variants.book_of(experiment.game, variant.rule), variant.options, experiment.players[0])
        if say and not pool.ready:
            say(f"No worker has come to {pool.name} yet; the run begins when one does.")
        work.play(pool)
        pool.release()
        work.finish()
    return run


class ExperimentInPlay:
    """An experiment while it is played. stopped: why it ended before all deals, or "". """

    def __init__(self, design: Design, run: Run, tell: Tell, preview: Callable[[Run], object]):
        self.findings = Findings(design, run, Sums(design), Sample(design))
        self.progress = Progress(0, design.matches(design.experiment.deals), 0, 0.0, "")
        self.progress.asked += sum(block.matches for *_, block in ladder_of(design.experiment))
        self.progress.to_judge = self.findings.sample.to_judge(design.experiment.deals)
        self.stopped = ""
        self._tell, self._preview = tell, preview
        self._began = self._looked = time.monotonic()

    def play(self, pool: Pool) -> None:
        """Play the blocks, row by row, until all are played or it is settled, and then the sample."""
        findings, sums, design = self.findings, self.findings.sums, self.findings.design
        self.progress.where = pool.name
        self._began = self._looked = time.monotonic()
        self.told()
        rows: dict[int, dict[int, Columns]] = {}
        for number, columns, kept in finished(design, play_block, pool, findings.run):
            row, cell = divmod(number, len(design.cells))
            rows.setdefault(row, {})[cell] = columns
            self.told(len(columns.rows) * (not kept), len(columns.rows) * kept)
            while len(rows.get(sums.rows, ())) == len(design.cells) and not self.stopped:
                sums.take(rows.pop(sums.rows))
                self._look()
            if self.stopped:
                break
        findings.sample.climb(findings.run, pool, self.told)
        self.progress.to_judge = findings.sample.to_judge(sums.deals)
        findings.sample.judge(findings.first_of, pool, lambda judged: self.told(judged=judged))
        findings.sample.read(sums.deals, pool)

    def told(self, played: int = 0, kept: int = 0, judged: int = 0) -> None:
        """Tell of matches that were played, had been by an earlier process, or were judged."""
        progress = self.progress
        progress.done += played + kept
        progress.kept += kept
        progress.judged += judged
        progress.seconds = time.monotonic() - self._began
        self._tell(replace(progress))
        if judged and time.monotonic() - self._looked > LOOK:
            self.findings.run.write("run.json", self.facts())
            self._looked = time.monotonic()

    def _look(self) -> None:
        """After a row: end where all is settled, show the first figures, or new ones from time to time."""
        findings, sums, design = self.findings, self.findings.sums, self.findings.design
        stop, last = design.experiment.stop, sums.rows == len(design.rows)
        late = stop is not None and time.monotonic() - self._began > stop.seconds
        if stop and sums.rows > 1 and not last and (late or findings.settled(stop.on)):
            self.stopped = f"{'ended by the clock' if late else 'settled'} after {sums.deals:,} deals"
            self.progress.asked -= design.matches(design.experiment.deals - sums.deals)
        if sums.rows == 1 and not last:
            findings.publish(self.facts(preview=True))
            self._preview(findings.run)
        elif time.monotonic() - self._looked > LOOK:
            findings.run.write("results.json", findings.results(self.facts()))
            findings.run.write("run.json", self.facts())
            self._looked = time.monotonic()

    def facts(self, **changed: Any) -> dict[str, Any]:
        """run.json."""
        progress, deals = self.progress, self.findings.sums.deals if self.stopped else 0
        seconds = round(time.monotonic() - self._began, 1)
        now = {"stopped": self.stopped, "stopped_after": deals, "matches_done": progress.done,
               "matches_asked": progress.asked, "where": progress.where, "seconds": seconds,
               "judged": progress.judged, "to_judge": progress.to_judge}  # fmt: skip
        return {**facts(self.findings.design), **now, **changed}

    def finish(self) -> None:
        """Write what was found, when all is played."""
        findings = self.findings
        findings.publish_sample()
        findings.choose()
        tables = findings.sums.hashes
        done = {"matches_done": self.progress.asked, "hash": tables.pop(PLAYED), "hashes": tables}
        findings.publish(self.facts(finished=True, **done))
        findings.run.clear_parts()
