"""Truth files: complete records, playthroughs and path counts, kept as files so that a change of the rules shows.

    python -m tests.truth.make [GAME …]

writes the files of tests/truth/GAME anew from its `stories.py` (run it in the repository's root). The tests never do: they
replay the records, tell the playthroughs again and count the paths again, and compare. Look at the difference before you
commit files that this command has changed.

A `stories.py` has `RECORDS` (name → a function that returns a finished match), `PLAYTHROUGHS` (names of records) and
`PERFT` (name → a function that returns a match that stands somewhere, and the depth).
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from outbid import read_record
from outbid.core import contract
from outbid.core.match import SPECTATOR, Match

ROOT = Path(__file__).parent


def files(game: str, kind: str) -> list[Path]:
    """The truth files of a game: "records", those of "older" rules, or "playthroughs"."""
    return sorted((ROOT / game / kind).iterdir())


def load(file: Path) -> Match:
    """The match of a record, replayed and verified."""
    return read_record(json.loads(file.read_text(encoding="utf-8")))


def written(record: dict[str, Any]) -> str:
    """A record as a file: one line a key, one line a move."""
    lines = []
    for key, value in record.items():
        if key == "moves":
            moves = ",\n".join(f"    {json.dumps(move)}" for move in value)
            lines.append(f'  "moves": [\n{moves}\n  ]')
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


# --- playthroughs -----------------------------------------------------------------------------------------------------


def playthrough(match: Match) -> str:
    """What each seat and a spectator see before every move, what the asked may do, the move, and who is told what."""
    again = match.at(0)
    lines = [f"{match.rulebook.title}, {match.players} players, options {json.dumps(match.options)}"]
    for n, move in enumerate(match.moves):
        lines += ["", f"--- {n} " + "-" * 60, *seen(again)]
        again.play(move["seat"], move)
        who = "the clock" if move["seat"] is None else f"seat {move['seat']}"
        said = {key: value for key, value in move.items() if key != "seat"}
        lines += [f"> {who}: {match.rulebook.words.text(said)}", *told(again, n)]
    lines += ["", "--- end " + "-" * 60, *seen(again), f"scores {again.scores}, winners {again.winners}"]
    return "\n".join(lines) + "\n"


def audience(match: Match) -> Iterator[tuple[int, str]]:
    """The spectator and all seats, with a name."""
    yield SPECTATOR, "spectator"
    for seat in range(match.players):
        yield seat, f"seat {seat}"


def seen(match: Match) -> Iterator[str]:
    """The view of the spectator in full, of each seat what is different; questions and menus."""
    public = match.view()
    yield f"spectator sees {json.dumps({key: public[key] for key in public if key not in ('names', 'seat', 'game')})}"
    for viewer, name in audience(match):
        own = match.view(viewer)
        more = {key: own[key] for key in own if own[key] != public[key] and key != "seat"}
        if more:
            yield f"{name} sees {json.dumps(more)}"
        yield f"{name} is asked: {match.question(viewer)}"
        if viewer in match.asked:
            yield f"{name} may: {' | '.join(match.legal(viewer).texts)}"


def told(match: Match, move: int) -> Iterator[str]:
    """The log lines of a move, for each audience."""
    for viewer, name in audience(match):
        for line in match.log(viewer):
            if line.move == move:
                yield f"{name} is told: {line.text}"


# --- path counts ------------------------------------------------------------------------------------------------------


def perft(state: Any, depth: int) -> tuple[int, int]:
    """The paths of exactly `depth` steps (shorter ones where the match ends), and the different states they lead to."""
    found: set[tuple[Any, ...]] = set()
    return _paths(state, depth, found, [0] * 256), len(found)


def _paths(state: Any, depth: int, found: set[tuple[Any, ...]], out: list[int]) -> int:
    mask = contract.asked(state)
    if depth == 0 or not mask:
        found.add(tuple(repr(getattr(state, field.name)) for field in state.layout.fields))
        return 1
    paths = 0
    for place in range(8):
        if mask >> place & 1:
            for action in out[: contract.legal(state, place, out)]:
                after = state.copy()
                contract.apply(after, place, action)
                paths += _paths(after, depth - 1, found, out)
    return paths


def counted(match: Match, depth: int) -> dict[str, Any]:
    """A position as deal and moves, and the counts to each depth."""
    counts = [perft(match.state, d) for d in range(1, depth + 1)]
    kept = ("game", "options", "players", "deal", "moves")
    record = match.record()
    return {**{key: record[key] for key in kept}, "paths": [c[0] for c in counts], "states": [c[1] for c in counts]}


# --- the command ------------------------------------------------------------------------------------------------------


def stories(game: str) -> Any:
    """The module tests/truth/GAME/stories.py."""
    return importlib.import_module(f"tests.truth.{game}.stories")


def make(game: str) -> None:
    """Write the truth files of a game anew."""
    told_by = stories(game)
    folder = ROOT / game
    for kind in ("records", "playthroughs"):
        (folder / kind).mkdir(exist_ok=True)
        for old in files(game, kind):
            old.unlink()
    for name, story in told_by.RECORDS.items():
        match = story()
        assert match.over, f"{name} is not over"
        (folder / "records" / f"{name}.json").write_text(written(match.record()), encoding="utf-8")
    for name in told_by.PLAYTHROUGHS:
        text = playthrough(load(folder / "records" / f"{name}.json"))
        (folder / "playthroughs" / f"{name}.txt").write_text(text, encoding="utf-8")
    counts = {name: counted(*story()) for name, story in told_by.PERFT.items()}
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in counts.items())
    (folder / "perft.json").write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or [path.parent.name for path in sorted(ROOT.glob("*/stories.py"))]:
        make(name)
