"""`outbid new-game NAME`: a game in one file that can be played at once, to be changed a piece at a time (skeleton.py)."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from outbid.core.errors import BadSetup
from outbid.core.rulebook import rulebooks


def new_game(name: str, folder: Path) -> Path:
    """Write NAME.py into a folder; returns its path. Raises BadSetup."""
    name = name.removesuffix(".py")
    if not re.fullmatch("[a-z][a-z0-9_]{1,39}", name) or keyword.iskeyword(name):
        raise BadSetup(f"A game is named by 2 to 40 small letters, digits and _, beginning with a letter, not {name!r}.")
    if name in rulebooks():
        raise BadSetup(f"There is a game {name!r} already; please choose another name.")
    path = folder / f"{name}.py"
    text = Path(__file__).with_name("skeleton.py").read_text(encoding="utf-8")
    for old, new in (("last_coin", name), ("Last Coin", name.replace("_", " ").title()), ("FILE", path.name)):
        text = text.replace(old, new)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise BadSetup(f"There is a file {path.name} already; it stays as it is.") from None
    except OSError as error:
        raise BadSetup(f"{path.name} cannot be written: {error.strerror or error}.") from None
    return path
