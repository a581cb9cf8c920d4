"""`outbid new-game NAME`: a game in one file that can be played at once, to be changed a piece at a time (skeleton.py), and
its tests (skeleton_tests.py)."""

import keyword
import re
from pathlib import Path

from outbid.core.errors import BadSetup
from outbid.core.rulebook import rulebooks


def new_game(name: str, folder: Path) -> tuple[Path, Path]:
    """Write NAME.py and test_NAME.py into a folder; returns their paths. Raises BadSetup."""
    name = name.removesuffix(".py")
    if not re.fullmatch("[a-z][a-z0-9_]{1,39}", name) or keyword.iskeyword(name):
        raise BadSetup(f"A game is named by 2 to 40 small letters, digits and _, beginning with a letter, not {name!r}.")
    if name in rulebooks():
        raise BadSetup(f"There is a game {name!r} already; please choose another name.")
    game, tests = folder / f"{name}.py", folder / f"test_{name}.py"
    for path in (game, tests):
        if path.exists():
            raise BadSetup(f"There is a file {path.name} already; it stays as it is.")
    for path, skeleton in ((game, "skeleton.py"), (tests, "skeleton_tests.py")):
        text = Path(__file__).with_name(skeleton).read_text(encoding="utf-8")
        for old, new in (("last_coin", name), ("Last Coin", name.replace("_", " ").title()), ("FILE", game.name)):
            text = text.replace(old, new)
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise BadSetup(f"{path.name} cannot be written: {error.strerror or error}.") from None
    return game, tests
