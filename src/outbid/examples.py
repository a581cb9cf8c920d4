"""`outbid examples DIR`: the examples, to be read, run and changed; they are installed with the package.

    copied(Path("examples"))    writes them into a folder and returns their paths
"""

import shutil
from importlib import metadata
from pathlib import Path

import outbid
from outbid.core.errors import BadSetup

KINDS = (".py", ".ipynb", ".toml", ".md")
INSTALLED = "share/outbid/examples/"


def files() -> dict[str, Path]:
    """The examples by their paths below the folder: in the checkout, or where the package was installed. Raises BadSetup."""
    home = Path(outbid.__file__).parents[2] / "examples"
    found = {one.relative_to(home).as_posix(): one for one in sorted(home.rglob("*"))}
    if not found:
        try:
            installed = metadata.files("outbid") or []
        except metadata.PackageNotFoundError:
            installed = []
        places = sorted((one.as_posix().partition(INSTALLED)[2], Path(str(one.locate()))) for one in installed)
        found = {name: place for name, place in places if name}
    found = {name: place for name, place in found.items() if place.suffix in KINDS and place.is_file()}
    if not found:
        raise BadSetup("The examples were not installed with this package; they are in its source distribution.")
    return found


def copied(folder: Path) -> list[Path]:
    """Copy the examples into a folder, which is made if it is not there. Raises BadSetup; then nothing is copied."""
    found = files()
    there = [name for name in found if (folder / name).exists()]
    if there:
        raise BadSetup(f"{folder} has {', '.join(there)} already; name another folder.")
    try:
        for name in found:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        return [Path(shutil.copy(place, folder / name)) for name, place in found.items()]
    except OSError as error:
        raise BadSetup(f"The examples cannot be written to {folder}: {error.strerror}.") from error
