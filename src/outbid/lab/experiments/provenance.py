"""What a run was made of, and what has changed since a study was pinned.

    facts["made_of"] = made_of(design)                  # in run.json
    pin(Path("docs/studies/rivals.toml"), run)          # writes docs/studies/made.json, by the name of the experiment
    lines = compared(Path("docs/studies/rivals.toml"), run)

A run has a hash of what was played (who won, by how much, in how many moves), and one of each table of measures: a measure
that is counted in another way changes no match.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from outbid.core.errors import BadSetup
from outbid.lab.experiments import measures
from outbid.lab.experiments.design import Design
from outbid.lab.experiments.store import Run
from outbid.runs.loops import observed
from outbid.runs.sources import files_of
from outbid.version import __version__

MADE = "made.json"
PARTS = {
    "outbid": "the version of Outbid", "rules": "the version of the rules",
    "sources": "the sources of the game or of its bots",
    "bots": "files of bots", "measures": "what is measured", "experiment": "options, companies, players, deals or seed",
}  # fmt: skip
"""What a run is made of, as sentences call it."""


@lru_cache(maxsize=1)
def made_of(design: Design) -> dict[str, str]:
    """What a run is made of, by part: two versions, else the first digits of a hash."""
    from outbid.compiled.backend import source_hash

    experiment, books = design.experiment, list(dict.fromkeys(design.books))
    files = files_of([seat for cell in design.cells for seat in cell.seats])
    measured = [path.read_bytes() for path in measures.sources(experiment.book, experiment.measures)]
    wanted = [[variant.as_dict() for variant in experiment.variants], [vars(company) for company in experiment.companies],
              experiment.players, experiment.deals, experiment.seed]  # fmt: skip
    return {
        "outbid": __version__, "rules": experiment.book.rules_id,
        "sources": _hash(*(source_hash(book, observed).encode() for book in books)),
        "bots": _hash(*(file.read_bytes() for file in files)),
        "measures": _hash(json.dumps([*experiment.measures, *design.columns]).encode(), *measured),
        "experiment": _hash(json.dumps(wanted, sort_keys=True).encode()),
    }  # fmt: skip


def _hash(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:16]


def pin(file: Path, run: Run) -> Path:
    """Write beside an experiment file what its run came to and was made of; the file that has it."""
    facts, path = run.facts, file.with_name(MADE)
    rows = {**_pinned(path), facts["name"]: {key: facts[key] for key in ("hash", "hashes", "made_of")}}
    path.write_text(json.dumps(dict(sorted(rows.items())), indent=1) + "\n", encoding="utf-8")
    return path


def compared(file: Path, run: Run) -> list[str]:
    """What is the same as when this experiment file was pinned, and what has changed since; nothing where it never was."""
    facts = run.facts
    pinned = _pinned(file.with_name(MADE)).get(facts["name"])
    return [] if pinned is None or "made_of" not in facts else _compared(pinned, facts)


def _compared(pinned: Mapping[str, Any], facts: Mapping[str, Any]) -> list[str]:
    tables = [name for name, digest in pinned["hashes"].items() if facts["hashes"].get(name) != digest]
    if facts["hash"] == pinned["hash"] and not tables:
        return ["The matches and all tables of measures are those that were pinned."]
    played = "The matches are those that were pinned" if facts["hash"] == pinned["hash"] else "These are other matches"
    changed = [f"{words} ({pinned['made_of'].get(part, '–')} → {facts['made_of'][part]})" for part, words in PARTS.items()
               if pinned["made_of"].get(part) != facts["made_of"][part]]  # fmt: skip
    why = "; ".join(changed) or "nothing that is known: this machine reckons in another way"
    return [f"{played}; other tables: {', '.join(tables) or 'none'}.", f"Changed since then: {why}."]


def _pinned(path: Path) -> dict[str, Any]:
    """What was pinned, by the name of the experiment. Raises BadSetup."""
    try:
        rows: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return rows
    except ValueError as error:
        raise BadSetup(f"{path} is not JSON: {error}.") from error
