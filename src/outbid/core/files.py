"""Files that appear whole or not at all, and the folders of the user they lie in."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import platformdirs

from outbid.core.errors import BadSetup


def data_folder() -> Path:
    """What a user wants to keep."""
    return Path(platformdirs.user_data_dir("outbid", appauthor=False))


def cache_folder() -> Path:
    """What can be made again."""
    return Path(platformdirs.user_cache_dir("outbid", appauthor=False))


@contextlib.contextmanager
def appearing(file: Path, force: bool, private: bool = False) -> Iterator[Path]:
    """A new file beside the one that is wanted, which in the end takes its place; a pipe or device is written itself.

    private: for nobody else to read. Raises BadSetup if it cannot be written, or is there already (unless `force`)."""
    if file.is_dir():
        raise BadSetup(f"{file} cannot be written: it is a folder.")
    if file.exists() and not force:
        raise BadSetup(f"The file {file} exists already; --force replaces it.")
    if file.exists() and not file.is_file():
        yield file
        return
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    except OSError as error:
        raise BadSetup(f"{file} cannot be written: {error.strerror}.") from error
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
        with draft.open("rb") as done:
            os.fsync(done.fileno())
        if not private:
            draft.chmod(0o666 & ~_masked())
        os.replace(draft, file)
    except OSError as error:
        raise BadSetup(f"{file} cannot be written: {error.strerror}.") from error
    finally:
        for left in (draft, Path(f"{draft}-wal"), Path(f"{draft}-shm")):
            left.unlink(missing_ok=True)


def _masked() -> int:
    """The permissions that new files do not have."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
