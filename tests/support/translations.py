"""The translations and what they must translate: `python -m tests.support.translations` brings every locale/*.po up to date.

New messages get an empty translation, messages that are gone are dropped. Nothing that was translated is lost.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

import outbid
from outbid.core.language import i18n

ROOT = Path(outbid.__file__).parent
GAMES = sorted(path for path in (ROOT / "games").iterdir() if (path / "__init__.py").exists())
KINDS = [("**.py", "python"), ("**.html", "jinja2"), ("**/report.md", "jinja2")]
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}


def places() -> dict[str, Path]:
    """The folders that have translations of their own, by the name of the game; all the rest is `outbid`."""
    return {"outbid": ROOT, **{path.name: path for path in GAMES}}


@cache
def messages(folder: Path) -> tuple[tuple[str, int, str | tuple[str, ...]], ...]:
    """File, line and message of everything that is said in a folder (of all, without the games)."""
    own = (lambda path: "games" not in Path(path).parts[-1:]) if folder == ROOT else None
    found = extract_from_dir(folder, KINDS, keywords=KEYWORDS, comment_tags=(), options_map={"**.html": {"silent": "false"}},
                             directory_filter=own)  # fmt: skip
    return tuple((file, line, message) for file, line, message, _, _ in found)


def catalog(folder: Path, language: str) -> Catalog:
    """The translations there are."""
    path = folder / "locale" / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def refresh(folder: Path, language: str) -> int:
    """Bring the file up to date; returns how many messages wait for a translation."""
    known = catalog(folder, language)
    fresh = Catalog(locale=language, fuzzy=False)
    said = messages(folder)
    for file, _, message in said if folder == ROOT else sorted(said, key=lambda one: Path(one[0]).name):  # of a game by name
        old = known.get(message[0] if isinstance(message, tuple) else message)
        fresh.add(message, old.string if old else None, locations=[(file if folder == ROOT else Path(file).name, None)])
    waiting = sum(1 for entry in fresh if entry.id and not (all(entry.string) if entry.pluralizable else entry.string))
    path = folder / "locale" / f"{language}.po"
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        write_po(file, fresh, width=120, omit_header=True, include_lineno=False)
    return waiting


if __name__ == "__main__":
    for name, folder in places().items():
        for language in i18n.LANGUAGES:
            if language != i18n.SOURCE:
                print(f"{name} {language}: {refresh(folder, language)} wait for a translation", file=sys.stderr)
