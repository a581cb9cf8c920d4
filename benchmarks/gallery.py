"""Fourteen questions about the five games, played and answered: writes docs/studies/gallery.md.

    python benchmarks/gallery.py          all, into outbid-runs/gallery-1 …; what was played is not played again
    python benchmarks/gallery.py 4        one of them, printed

`outbid lab report gallery-4` writes its two pages. The first hash is of what was played, the second of all measures.
"""

import os
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from outbid.core.language.phrases import grouped
from outbid.lab.bench import processor
from outbid.lab.experiments import runner, spec
from outbid.lab.report import figures, words

QUESTIONS = Path(__file__).with_suffix(".toml")
PAGE = Path(__file__).parents[1] / "docs" / "studies" / "gallery.md"
COMPANIES = ("steady",), ("easy",), ("steady", "easy")
DEALS, SAMPLE = 1000, 200
HASH = 12  # signs that are shown


@dataclass(frozen=True)
class Answer:
    """A question that was played. played, measured: hashes."""

    question: str
    sentences: list[str]
    matches: int
    played: str
    measured: str


def experiments() -> Iterator[str]:
    """The text of each experiment."""
    for asked in tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["question"]:
        options = asked.pop("options", None)
        facts: dict[str, Any] = {"format": spec.FORMAT, **asked, "deals": DEALS, "sample": SAMPLE, "seed": 1}
        facts["company"] = [{"name": ", ".join(seats), "seats": list(seats)} for seats in COMPANIES]
        facts["variant"] = [{}, {"options": options}] if options else [{}]
        yield spec.toml(facts)


def played(text: str, folder: Path) -> Answer:
    """Play an experiment and read what it says."""
    run = runner.play(spec.parse(text), folder)
    read = figures.RunFigures.read(run.folder)
    hashes = run.facts["hash"][:HASH], run.facts["hashes"]["matches"][:HASH]
    return Answer(words.question(read), words.answer(read), read.matches, *hashes)


def page(answers: list[Answer], processor: str) -> str:
    """The gallery as Markdown."""
    when = datetime.now(UTC).strftime("%-d %B %Y")
    lines = ["# Fourteen questions", "",
             "What `outbid lab … --ask` answers about the five games, among `steady`, `easy` and a mixture of both. Made by"
             f" `python benchmarks/gallery.py` from `gallery.toml` beside it, {grouped(DEALS)} deals each; {when},"
             f" {processor}. The hashes are of what was played, and of all measures of a match.", ""]  # fmt: skip
    for n, answer in enumerate(answers, 1):
        lines += [f"## {n}. {answer.question}", "", f"**{answer.sentences[0]}**", ""]
        lines += [" ".join(answer.sentences[1:]), ""] if len(answer.sentences) > 1 else []
        lines += [f"{grouped(answer.matches)} matches; `{answer.played}`, `{answer.measured}`", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    texts = list(experiments())
    chosen = [int(number) for number in sys.argv[1:]] or list(range(1, len(texts) + 1))
    told = []
    for number in chosen:
        told.append(played(texts[number - 1], Path("outbid-runs") / f"gallery-{number}"))
        print(number, told[-1].question, *told[-1].sentences, told[-1].played, sep="\n", flush=True)
    if len(chosen) == len(texts):
        PAGE.write_text(page(told, f"{processor()}, {os.cpu_count()} cores"), encoding="utf-8")
