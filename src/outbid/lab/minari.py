"""Data in the layout of Minari, one episode a seat and match: what `minari.load_dataset` reads, written without Minari.

A dataset is a folder `data` with metadata.json and, for each episode, a folder of its number with a Parquet file, whose last
row follows the last action, and metadata of its own. The folder takes its place when it is whole.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.core.errors import BadSetup
from outbid.core.extras import needed
from outbid.core.rulebook import Rulebook, rulebook
from outbid.lab import datasets

with needed("`outbid data`", "lab"):
    import pyarrow as pa
    import pyarrow.parquet as pq

VERSION = "0.5.4"  # of Minari, whose layout this is
NAME = re.compile(r"(?:[-\w]+/)*[-\w]+-v\d+")


def write(folder: Path, name: str, root: Path | None = None) -> int:
    """Write the data of a folder as the dataset `name`; returns the number of episodes. Raises BadSetup."""
    place = (root or Path(os.environ.get("MINARI_DATASETS_PATH") or Path.home() / ".minari/datasets")) / name
    files = datasets.files(folder)
    if not files:
        raise BadSetup(f"{folder} has no data of `outbid data`.")
    if not NAME.fullmatch(name):
        raise BadSetup(f"{name} is no name of a dataset; one is outbid/{datasets.shared(files[0])['game']}/mixed-v0.")
    if (place / "data").exists():
        raise BadSetup(f"{place} is there already; name another version.")
    draft = place / ".data"
    shutil.rmtree(draft, ignore_errors=True)
    episodes, steps = 0, 0
    try:
        for file in files:
            rows = datasets.read(file)
            ends = np.flatnonzero(rows["done"]) + 1
            for first, last in zip([0, *ends[:-1]], ends, strict=True):
                _episode(draft / str(episodes), {column: array[first:last] for column, array in rows.items()})
                episodes, steps = episodes + 1, steps + int(last - first)
        book = rulebook(datasets.shared(files[0])["game"])
        actions = json.dumps({"type": "Discrete", "dtype": "int64", "start": 0, "n": book.actions})
        facts = {
            "dataset_id": name, "minari_version": VERSION, "data_format": "parquet", "total_episodes": episodes,
            "total_steps": steps, "dataset_size": 0.0, "observation_space": _seen(book), "action_space": actions,
        }  # fmt: skip
        (draft / "metadata.json").write_text(json.dumps(facts), encoding="utf-8")
        draft.rename(place / "data")
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise BadSetup(f"{place} cannot be written: {error.strerror}.") from error
    return episodes


def _seen(book: Rulebook) -> str:
    """The space of observations, as Minari writes it."""
    low, high = map(list, (book.observation.low, book.observation.high))
    row = {"type": "Box", "dtype": "float32", "shape": [book.features], "low": low, "high": high}
    mask = {"type": "MultiBinary", "n": book.actions}
    return json.dumps({"type": "Dict", "subspaces": {"observation": row, "action_mask": mask}})


def _episode(folder: Path, rows: Mapping[str, NDArray[Any]]) -> None:
    """Write the rows of a seat in a match, and one of zeros after them."""
    state = np.ascontiguousarray(rows["hidden"]).view(np.uint8).reshape(len(rows["action"]), -1)
    hidden = pa.field("hidden", pa.list_(pa.uint8(), state.shape[1]), metadata={"shape": str(state.shape[1])})
    seen = [_wide(rows["observation"], np.float32), _wide(rows["mask"], np.int8)]
    folder.mkdir(parents=True)
    table = pa.table({
        "observations": pa.StructArray.from_arrays(seen, names=["observation", "action_mask"]),
        "actions": np.append(rows["action"], 0).astype(np.int32),
        "rewards": np.append(rows["reward"], 0).astype(np.float64),
        "terminations": np.append(rows["done"], False),
        "truncations": np.zeros(len(state) + 1, np.bool_),
        "infos": pa.StructArray.from_arrays([_wide(state, np.uint8)], fields=[hidden]),
    })  # fmt: skip
    pq.write_table(table, folder / "part-0.parquet")
    about = {name: rows[name][0].item() for name in ("match", "seat", "players")}
    facts = {"id": int(folder.name), "total_steps": len(state), **about, "bot": str(rows["bot"][0])}
    (folder / "metadata.json").write_text(json.dumps(facts), encoding="utf-8")


def _wide(rows: NDArray[Any], kind: Any) -> pa.FixedSizeListArray:
    """Rows of equal length, and one of zeros."""
    padded = np.concatenate([rows, np.zeros_like(rows[:1])]).astype(kind)
    return pa.FixedSizeListArray.from_arrays(pa.array(padded.ravel()), padded.shape[1])
