"""The results store: every result that the documents speak of, with what is needed to play it again.

    store = ResultsStore(Path("docs/strength.json"))
    store.find({"kind": "pairing", "game": "claim", …})      # a result with these facts, or None
    store.add({"kind": "pairing", …})                        # written at once; replaces one with the same key

A file of one JSON object: `format`, and `results`, each an object. Kinds and their keys are in KEYS; whatever else a result
has (share, error, date …) is what was found. Several processes may add to the same file.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from outbid.core.errors import BadSetup, Unreadable

FORMAT = "outbid-strength/1"
PLACE = ("kind", "game", "options", "players", "seeds", "seed")
KEYS: Mapping[str, Sequence[str]] = {
    "pairing": (*PLACE, "bot", "others"),  # one bot among copies of another (arena.py)
    "strangers": (*PLACE, "bot", "others"),  # one bot among strangers (strangers.py)
    "variant": (*PLACE, "bot", "others"),  # one bot among copies of another, with one option changed, or none
    "ladder": (*PLACE, "bots"),  # one fit over all matches of a zoo (rating_fit.py)
    "exploit": (*PLACE, "victim"),  # a player that knows the victim (exploit.py)
    "nash_conv": (*PLACE, "bot"),  # a small game, exactly (exploitability.py)
}
PATIENCE = 30.0  # seconds to wait for another process that writes


class ResultsStore:
    """A file of results; one that does not exist yet is empty. Raises Unreadable."""

    def __init__(self, path: Path):
        self.path = path

    def ready(self) -> ResultsStore:
        """Itself, if it can be read and written. Raises Unreadable, BadSetup."""
        _ = self.results
        self._lock().unlink()
        return self

    @property
    def results(self) -> list[dict[str, Any]]:
        """All results, as the file has them now."""
        try:
            read = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise Unreadable(f"{self.path} cannot be read as a results store: {error}.") from error
        results = read.get("results") if isinstance(read, dict) and read.get("format") == FORMAT else None
        if not isinstance(results, list) or not all(isinstance(result, dict) for result in results):
            raise Unreadable(f"{self.path} is not a results store of the format {FORMAT}.")
        return results

    def find(self, wanted: Mapping[str, Any]) -> dict[str, Any] | None:
        """The first result that has all these facts."""
        facts = wanted.items()
        return next((result for result in self.results if all(result.get(name) == value for name, value in facts)), None)

    def add(self, result: Mapping[str, Any]) -> None:
        """Write a result, with today's date; one with the same key is replaced."""
        dated = {**result, "date": datetime.now(UTC).date().isoformat()}
        lock = self._lock()
        try:
            others = [other for other in self.results if key(other) != key(dated)]
            lines = ",\n".join(json.dumps(other, ensure_ascii=False) for other in sorted([*others, dated], key=_order))
            beside = self.path.with_name(f"{self.path.name}.new")
            beside.write_text(f'{{"format": "{FORMAT}", "results": [\n{lines}\n]}}\n', encoding="utf-8")
            os.replace(beside, self.path)
        finally:
            lock.unlink()

    def _lock(self) -> Path:
        lock = self.path.with_name(f"{self.path.name}.lock")
        until = time.monotonic() + PATIENCE
        while True:
            try:
                lock.touch(exist_ok=False)
                return lock
            except FileExistsError:
                if time.monotonic() > until:
                    raise BadSetup(f"{lock} is there: another process writes; if none does, delete it.") from None
                time.sleep(0.05)
            except OSError as error:
                raise BadSetup(f"{self.path} cannot be written: {error.strerror}.") from error


def key(result: Mapping[str, Any]) -> tuple[str, ...]:
    """What a result is about, so that it is known again. Raises BadSetup."""
    kind = str(result.get("kind"))
    if kind not in KEYS:
        raise BadSetup(f"A results store has no results of the kind {kind!r}; it has {', '.join(KEYS)}.")
    missing = [name for name in KEYS[kind] if name not in result]
    if missing:
        raise BadSetup(f"A result of the kind {kind!r} needs {', '.join(missing)}.")
    return tuple(json.dumps(result[name], sort_keys=True) for name in KEYS[kind])


def _order(result: Mapping[str, Any]) -> Any:
    return str(result["game"]), str(result["kind"]), int(result["players"]), key(result)
