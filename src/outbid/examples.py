"""`outbid examples DIR`: the examples, to be read, run and changed; they are installed with the package.

    copied(Path("examples"))    writes them into a folder and returns their paths
"""

from __future__ import annotations

import shutil
from importlib import metadata
from pathlib import Path

import outbid
from outbid.core.errors import BadSetup

KINDS = (".py", ".ipynb")


def files() -> list[Path]:
    """Where the examples are: in the checkout, or where the package was installed. Raises BadSetup."""
    found = sorted((Path(outbid.__file__).parents[2] / "examples").glob("*"))
    if not found:
        try:
            installed = metadata.files("outbid") or []
        except metadata.PackageNotFoundError:
            installed = []
        found = sorted(Path(str(one.locate())) for one in installed if "share/outbid/examples" in one.as_posix())
    found = [one for one in found if one.suffix in KINDS and one.is_file()]
    if not found:
        raise BadSetup("The examples were not installed with this package; they are in its source distribution.")
    return found


def copied(folder: Path) -> list[Path]:
    """Copy the examples into a folder, which is made if it is not there. Raises BadSetup; then nothing is copied."""
    found = files()
    there = [one.name for one in found if (folder / one.name).exists()]
    if there:
        raise BadSetup(f"{folder} has {', '.join(there)} already; name another folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [Path(shutil.copy(one, folder)) for one in found]
    except OSError as error:
        raise BadSetup(f"The examples cannot be written to {folder}: {error.strerror}.") from error
