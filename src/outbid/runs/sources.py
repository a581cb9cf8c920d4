"""What results depend on besides what was asked for, so that a worker of a cluster with anything else refuses.

    where(book)                        what names a game on another machine: its id, or its file
    files_of(["net@net.npz"])          the files that bots are read from
    code = hash_of(book, loop, bots)   of sources, rules, nets and these files
    same(code, book, loop, bots)       refuses if it is another one here
    plain()                            the hash of the Python that plays, besides what is compiled
"""

import ast
import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from outbid.bots.like import LIKE
from outbid.bots.naming import BOTS
from outbid.bots.outside import FILE
from outbid.core.errors import BadSetup
from outbid.core.rulebook import Rulebook, file_of
from outbid.version import __version__

OUTBID = Path(__file__).parents[1]
RECORDS = "records@"  # in the place of a bot: a file of matches that were played before (recorded.py)


def where(book: Rulebook) -> str:
    """The id of a game, or the file that it was read from."""
    return file_of(book) or book.id


def bots_of_files(names: Sequence[str]) -> list[str]:
    """The bots that are read from files and played by compiled loops: nets first, then those who were fitted to people."""
    return [name for mark in (FILE, LIKE) for name in dict.fromkeys(names) if name.startswith(mark)]


def files_of(names: Sequence[str]) -> list[Path]:
    """The files that bots are read from, by name: `net@FILE`, `like@FILE`, `FILE.py:NAME`, `MODULE:NAME` of a module in the
    current folder, `records@FILE`; with a module those beside it which it imports, and files that are named in them, such as
    weights. Raises BadSetup if one is not there."""
    files: dict[Path, None] = {}
    for name in dict.fromkeys(names):
        module, colon, _ = name.rpartition(":")
        read = next((mark for mark in (FILE, LIKE, RECORDS) if name.startswith(mark)), "")
        code = Path(module if module.endswith(".py") else f"{module.replace('.', '/')}.py").expanduser()
        if not read and (not colon or module in BOTS or not (module.endswith(".py") or code.is_file())):
            continue
        path = Path(name.removeprefix(read)).expanduser() if read else code
        if not path.is_file():
            raise BadSetup(f"There is no file {path} here, from which {name} is read; workers need it there, too.")
        files |= dict.fromkeys([path] if read else _with_what_it_reads(path))
    return list(files)


def _with_what_it_reads(module: Path) -> list[Path]:
    """A module, those beside it which it imports, directly or not, and the files whose names stand in them."""
    files, folders = {module: None}, dict.fromkeys((module.parent, Path()))
    for file in (rest := [module]):
        for name in _names_in(file):
            beside = next((folder / name for folder in folders if (folder / name).is_file()), None)
            if beside and beside not in files:
                files[beside] = None
                rest += [beside] * (beside.suffix == ".py")
    return list(files)


def _names_in(module: Path) -> Iterator[Path]:
    """What may be the name of a file in a module: of what is imported, and each short text."""
    try:
        tree = ast.parse(module.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and 0 < len(node.value) < 200:
            if "\0" not in node.value:
                yield Path(node.value).expanduser()
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            origin = [node.module] if isinstance(node, ast.ImportFrom) else []
            yield from (Path(f"{name}.py") for name in (*origin, *(each.name for each in node.names)) if name)


def digest(file: Path) -> str:
    """SHA-256 of a file, which may be large."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def hash_of(book: Rulebook, loop: Any, names: Sequence[str] = (), others: Sequence[Path] = ()) -> str:
    """SHA-256 of the sources of a loop and a game, of the files of bots and of others. The same on every machine with the
    same files."""
    from outbid.compiled.backend import source_hash

    read = [digest(file) for file in (*others, *files_of(names))]
    return hashlib.sha256(json.dumps([__version__, book.rules_id, source_hash(book, loop), *read]).encode()).hexdigest()


@lru_cache(maxsize=1)
def plain() -> str:
    """SHA-256 of the Python by which bots think and matches go on; `hash_of` has only what is compiled, and the game's."""
    files = [file for part in ("bots", "core", "runs") for file in sorted((OUTBID / part).rglob("*.py"))]
    return hashlib.sha256(b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files)).hexdigest()


def written(files: Sequence[Path]) -> tuple[int, ...]:
    """When files were written last: what was made of them before is then of no use."""
    return tuple(file.stat().st_mtime_ns for file in files)


def same(code: str, book: Rulebook, loop: Any, names: Sequence[str] = (), others: Sequence[Path] = ()) -> None:
    """Refuse work that was cut for other sources; code: theirs, or "" for any. Raises BadSetup."""
    others = tuple(others)
    if code and code != _here(book, loop, tuple(names), others, written([*others, *files_of(names)])):
        raise BadSetup(
            f"This worker has outbid {__version__} with other sources of {book.title}, or other files of bots, than the "
            "run; install the same there."
        )


@lru_cache(maxsize=256)
def _here(book: Rulebook, loop: Any, names: tuple[str, ...], others: tuple[Path, ...], when: tuple[int, ...]) -> str:
    return hash_of(book, loop, names, others)
