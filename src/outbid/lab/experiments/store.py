"""The run folder: parts of a run that goes on, and the columns, facts and figures of what was played (see __init__.py).

    run = Run.create(Path("outbid-runs/overbid"), experiment)     # or Run.open(path)
    run.find(block), run.add(block, columns)                       # atomic; another process may read at any time
    run.write_tables(…), run.write("results.json", …)

Every file appears whole or not at all. Where the disk is full, the sentence says so and what was played before stays.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from outbid.core.errors import BadSetup, Unreadable
from outbid.core.extras import needed
from outbid.core.files import appearing
from outbid.lab.experiments.playing.blocks import CellBlock
from outbid.runs.blocks import Columns
from outbid.runs.checkpoint import Checkpoint, Part

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = "outbid-run/1"
RUNS = Path("outbid-runs")
OWN = "own."  # before the name of a column of a measure that is made of last states
GROUP = 50_000  # rows of a row group, at least


def arrow() -> Any:
    """PyArrow. Raises Missing."""
    with needed("`outbid lab`", "lab"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow


class Run:
    """One run folder."""

    def __init__(self, folder: Path):
        self.folder, self._parts = folder, Checkpoint(folder / "parts")

    @classmethod
    def open(cls, folder: Path) -> Run:
        """A run that is there; also by its name under outbid-runs. Raises BadSetup."""
        for path in (folder, RUNS / folder):
            if (path / "run.json").is_file():
                return cls(path)
        runs = sorted(path.parent.name for path in RUNS.glob("*/run.json"))
        more = f"; there are {', '.join(runs)}" if runs else ""
        raise BadSetup(f"There is no run {folder} (a folder with run.json, or a name under {RUNS}){more}.")

    @classmethod
    def create(cls, folder: Path, text: str, force: bool = False, beside: Sequence[str] = ()) -> Run:
        """The folder of an experiment; one that is there is gone on with. force: replace another experiment, but for the
        files `beside`. Raises BadSetup if it holds something else."""
        file = folder / "experiment.toml"
        if folder.exists() and not folder.is_dir():
            raise BadSetup(f"{folder} is no folder.")
        if folder.is_dir() and any(entry.name not in beside for entry in folder.iterdir()):
            if not file.is_file():
                raise BadSetup(f"The folder {folder} holds something else; choose another with --out.")
            if file.read_text(encoding="utf-8") != text:
                if not force:
                    raise BadSetup(f"{folder} holds another experiment; --force replaces it, --out names another folder.")
                for entry in folder.iterdir():
                    if entry.is_dir():
                        shutil.rmtree(entry)
                    elif entry.name not in beside:
                        entry.unlink()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadSetup(f"{folder} cannot be made: {error.strerror}.") from error
        run = cls(folder)
        if not file.is_file():
            run.write("experiment.toml", text)
        return run

    @property
    def name(self) -> str:
        """What it is called."""
        return self.folder.name

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold it while it is played: a lock on its folder, which ends with the process, however that ends."""
        if sys.platform == "win32":
            yield
            return
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(folder, fcntl.LOCK_SH)
            yield
        finally:
            os.close(folder)

    @property
    def going(self) -> bool:
        """Whether a process plays it now; where that cannot be known, it is believed."""
        if sys.platform == "win32":
            return True
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(folder)
        return False

    @property
    def begun(self) -> bool:
        """Whether it has not been played yet: its search tries values, or its nets are trained."""
        return not (self.folder / "run.json").is_file()

    @property
    def ended(self) -> str:
        """Of a run whose process has ended before it was finished, a sentence that says with which command it goes on;
        else ""."""
        if (not self.begun and self.facts["finished"]) or self.going:
            return ""
        searched = (self.folder / "trials.json").is_file()
        command = "the same `outbid lab tune` as before" if searched else f"outbid lab run {self.folder}"
        return f"its process has ended; go on with {command}"

    # --- files --------------------------------------------------------------------------------------------------------

    def write(self, name: str, what: Any) -> None:
        """A file of text, or of JSON."""
        text = what if isinstance(what, str) else json.dumps(what, indent=1, ensure_ascii=False) + "\n"
        with self._appearing(name) as path:
            path.write_text(text, encoding="utf-8")

    @contextmanager
    def _appearing(self, name: str) -> Iterator[Path]:
        path = self.folder / name
        with going_on(), self._parts.trying(path, "written"):
            path.parent.mkdir(parents=True, exist_ok=True)
            with appearing(path, force=True) as file:
                yield file

    def read(self, name: str) -> Any:
        """A JSON file. Raises Unreadable."""
        try:
            return json.loads((self.folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise Unreadable(f"{self.folder / name} cannot be read: {error}.") from error

    @property
    def facts(self) -> dict[str, Any]:
        """run.json. Raises Unreadable."""
        facts = self.read("run.json")
        if not isinstance(facts, dict) or facts.get("format") != FORMAT:
            raise Unreadable(f"{self.folder} is not a run of the format {FORMAT}.")
        return facts

    def table(self, name: str) -> pa.Table:
        """A table of columns. Raises Unreadable."""
        pyarrow = arrow()
        path = self.folder / f"{name}.parquet"
        if not path.is_file():
            tables = ", ".join(sorted(file.stem for file in self.folder.glob("*.parquet"))) or "none"
            raise Unreadable(f"{self.folder} has no table {name}; it has {tables}.")
        return pyarrow.parquet.read_table(path)

    # --- parts --------------------------------------------------------------------------------------------------------

    def find(self, block: CellBlock) -> Columns | None:
        """The columns of a block that was played already, by the same sources."""
        columns = self._part(block).find(block)
        if columns is None:
            return None
        own = {name.removeprefix(OWN): values for name, values in columns.items() if name.startswith(OWN)}
        return Columns(columns["rows"], columns["seats"], columns["usage"], own)

    def add(self, block: CellBlock, columns: Columns) -> None:
        """Keep what a block came to. Raises BadSetup where it cannot be written."""
        own = {f"{OWN}{name}": values for name, values in columns.own.items()}
        with going_on():
            self._part(block).add(block, {"rows": columns.rows, "seats": columns.seats, "usage": columns.usage, **own})

    def _part(self, block: CellBlock) -> Part:
        facts = [block.game, dict(block.options), block.seats, block.seed, block.own, block.code, *block.key]
        path = self._parts.folder / f"{hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]}.jsonl"
        return Part(path, block.last, ["rows", "seats", "usage", *(f"{OWN}{name}" for name in block.own)], self._parts)

    def clear_parts(self) -> None:
        """Delete the parts of a run that is finished."""
        shutil.rmtree(self._parts.folder, ignore_errors=True)

    # --- tables -------------------------------------------------------------------------------------------------------

    def write_table(self, name: str, groups: Iterable[Mapping[str, Any]], words: Iterable[str] = ()) -> None:
        """A table from groups of columns. words: columns of texts, which are kept as a dictionary."""
        pa = arrow()
        texts = set(words)
        writer: Any = None
        with self._appearing(f"{name}.parquet") as path:
            try:
                for group in _gathered(groups):
                    table = pa.table({key: _column(pa, key in texts, values) for key, values in group.items()})
                    writer = writer or pa.parquet.ParquetWriter(path, table.schema, compression="zstd")
                    writer.write_table(table)
            finally:
                if writer is not None:
                    writer.close()
            if writer is None:
                pa.parquet.write_table(pa.table({}), path)


@contextmanager
def going_on() -> Iterator[None]:
    """Say where writing fails that the run is not lost."""
    try:
        yield
    except BadSetup as error:
        raise BadSetup(f"{error} What was played before is kept; the same command goes on from there.") from error


def _column(pa: Any, words: bool, values: Any) -> Any:
    """A column. It is made of buffers: `pyarrow.array` would load pandas, which takes seconds on a busy machine."""
    if words:
        names = list(dict.fromkeys(values))
        place = {name: k for k, name in enumerate(names)}
        places = _numbers(pa, [place[value] for value in values], np.int32)
        return pa.DictionaryArray.from_arrays(places, _texts(pa, names))
    column = np.asarray(values)
    return _numbers(pa, column, column.dtype) if column.dtype.kind in "if" else pa.array(values)


def _numbers(pa: Any, values: Any, kind: Any) -> Any:
    numbers = np.ascontiguousarray(values, kind)
    return pa.Array.from_buffers(pa.from_numpy_dtype(numbers.dtype), len(numbers), [None, pa.py_buffer(numbers)])


def _texts(pa: Any, texts: Sequence[str]) -> Any:
    data = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, data)], dtype=np.int32)
    return pa.Array.from_buffers(pa.string(), len(data), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(data))])


def _gathered(groups: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Groups put together until they are large."""
    waiting: list[Mapping[str, Any]] = []
    size = 0
    for group in groups:
        waiting.append(group)
        size += len(next(iter(group.values()), ()))
        if size >= GROUP:
            yield _joined(waiting)
            waiting, size = [], 0
    if waiting:
        yield _joined(waiting)


def _joined(groups: list[Mapping[str, Any]]) -> dict[str, Any]:
    return {key: np.concatenate([np.asarray(group[key]) for group in groups]) for key in groups[0]}


def runs(folder: Path = RUNS) -> list[Run]:
    """All runs in a folder, the newest first; last those that have not been played yet."""
    folders = [path.parent for path in folder.glob("*/run.json")]
    played = [Run(path) for path in sorted(folders, key=lambda path: -(path / "run.json").stat().st_mtime)]
    begun = {path.parent for name in ("trials.json", "nets") for path in folder.glob(f"*/{name}")} - {*folders}
    return [*played, *map(Run, sorted(begun))]
