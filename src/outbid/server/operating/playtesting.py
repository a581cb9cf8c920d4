"""`outbid admin playtest`: an experiment file becomes a playtest, and what people say of it is compared.

    answered(store, "overbid.toml", False)   # begins it; its variants, players and question are those of the file
    answered(store, "overbid", False)        # what was said, variant by variant
    answered(store, "overbid", True)         # ends it

A match counts once: the mean of what its people answered. Variants are drawn, so their means are compared as of two groups;
the intervals are confidence sequences (lab/experiments/findings/compare.py), which hold together and at every look.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, variance
from typing import TYPE_CHECKING, Any

from outbid.core.errors import BadSetup
from outbid.core.language.phrases import plural
from outbid.server.storage import playtests
from outbid.server.storage.playtests import ABOUT, Playtest

if TYPE_CHECKING:
    from outbid.server.storage.store import Store

LEAST = 30  # matches of each variant; with fewer nothing is concluded
USUAL = 200  # matches after which the intervals are narrowest


def answered(store: Store, which: str, end: bool) -> str:
    """What `outbid admin playtest` prints. Raises BadSetup."""
    if which.endswith(".toml"):
        if end:
            raise BadSetup("A playtest is ended by its name, not by its file.")
        return _begun(store, Path(which))
    known = {playtest.name: playtest for playtest in playtests.everyone(store)}
    if not which:
        lines = [f"{name}: {playtest.question}{' (ended)' if playtest.ended else ''}" for name, playtest in known.items()]
        return "\n".join(lines) or "There is no playtest; an experiment file begins one: outbid admin playtest FILE.toml."
    if which not in known:
        raise BadSetup(f"There is no playtest {which[:40]!r}; there are {', '.join(known) or 'none'}.")
    if end:
        playtests.end(store, which)
        return f"No more tables are made for {which}; those that are there go on, and count."
    return _compared(known[which], playtests.finished(store, which))


def _begun(store: Store, file: Path) -> str:
    from outbid.lab.experiments import spec

    experiment, name = spec.read(file), re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")[:40]
    ruled = next((variant.name for variant in experiment.variants if variant.rule), None)
    if ruled:
        raise BadSetup(f"{file}: {ruled!r} changes a function of the game; people compare options only.")
    if len(experiment.variants) < 2:
        raise BadSetup(f"{file}: a playtest compares two variants or more; please add a [[variant]].")
    if not name or playtests.named(store, name):
        raise BadSetup(f"There is a playtest {name!r} already; please rename {file}.")
    ordered = sorted(experiment.variants, key=lambda variant: variant.name != experiment.baseline)
    variants = [{"name": v.name[:64], "says": v.says, "options": dict(v.options)} for v in ordered]
    players, question = list(experiment.players), experiment.question or str(variants[1]["says"])
    playtests.begin(store, Playtest(name, experiment.game, question, players, variants, time.time()))
    return f"People take part at /playtest/{name}; outbid admin playtest {name} says what they say."


def _compared(playtest: Playtest, rows: Sequence[Any]) -> str:
    """A table: what was answered of each variant, and how they differ from the first."""
    names = [variant["name"] for variant in playtest.variants]
    counts = [f"{name}: {plural(sum(row.variant == name for row in rows), 'match', 'matches')}" for name in names]
    lines = [f"{playtest.name}: {playtest.question}", ", ".join(counts), ""]
    for about in ABOUT:
        answers = {name: [value for row in rows if row.variant == name and (value := getattr(row, about)) is not None]
                   for name in names}  # fmt: skip
        shown = [f"{name} {fmean(values):.2f}" if values else f"{name} –" for name, values in answers.items()]
        lines.append(f"{about + '?':7} {', '.join(shown)}")
        for name in names[1:]:
            lines.append(f"        {name}: {verdict(answers[names[0]], answers[name], len(ABOUT) * (len(names) - 1))}")
    return "\n".join([*lines, "", "Answers go from 0 (no) to 2 (yes); the intervals hold together, whenever one looks."])


def verdict(first: Sequence[float], second: Sequence[float], comparisons: int) -> str:
    """How answers differ from those to the first variant, in words."""
    from outbid.lab.experiments.findings.compare import ALPHA, sequence

    if min(len(first), len(second)) < LEAST:
        return f"Cannot tell before {LEAST} matches of each were answered."
    error = (variance(first) / len(first) + variance(second) / len(second)) ** 0.5
    half, apart = sequence(error, len(first) + len(second), ALPHA / comparisons, USUAL), fmean(second) - fmean(first)
    interval = f"{apart:+.2f} ({apart - half:+.2f} to {apart + half:+.2f})"
    return f"{'Cannot tell yet' if abs(apart) <= half else 'Yes, more' if apart > 0 else 'Yes, less'}: {interval}."
