"""Gather the documents, and build the site with Sphinx into build/docs: `make docs`. A dead link or a warning is an error.

Pages are the README, CONTRIBUTING, SECURITY, the rulebooks, and docs/**/*.md, in the folders they have in the repository, so
that links hold. What else they link to, such as a source file, is copied beside them.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from sphinx.cmd.build import build_main

ROOT = Path(__file__).parents[2]
GATHERED, SITE = ROOT / "build/docs-source", ROOT / "build/docs"
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/**/*.md", "src/outbid/games/*/RULES*.md")
LINK = re.compile(r"(\]\(|src=\")([^)#\s\"]+)(#[^)\s\"]*)?")
START = '<!doctype html><meta http-equiv="refresh" content="0; url=README.html"><title>Outbid</title>\n'
TO_FOLDER = re.compile(r"\[([^\]]+)\]\(([^)#\s]+)\)")  # a folder has no page, so that its name is left
CHAPTERS = {
    "Play and host": ("docs/server", "docs/hosting", "docs/review", "docs/record", "SECURITY"),
    "Rulebooks": ("src/outbid/games/*/RULES*",),
    "Research": (
        "docs/research", "docs/data", "docs/environments/*", "docs/training", "docs/bots", "docs/bench-1",
        "docs/small-games", "docs/benchmarks", "docs/*", "docs/notes/*",
    ),
    "Laboratory": ("docs/for-designers", "docs/lab", "docs/studies/*"),
    "Write a game": (
        "docs/write-a-game", "docs/debugging-rules", "docs/architecture", "CONTRIBUTING", "CHANGELOG", "docs/api",
    ),
}  # fmt: skip
MODULES = {  # the API: modules, and of each what is shown
    "outbid": "", "outbid.facade": "", "outbid.core.match": "", "outbid.core.errors": "", "outbid.compiled.vector": "",
    "outbid.core.contract": "Rules, Words", "outbid.core.rulebook": "", "outbid.core.fields": "", "outbid.core.moves": "",
    "outbid.core.options": "", "outbid.core.chance": "", "outbid.core.derived.spaces": "",
    "outbid.core.knowledge": "reveal, rule_out, conceal, swap, transfer, reshuffle",
    "outbid.core.components": "", "outbid.core.hooks.outcome": "stands", "outbid.core.language.i18n": "words",
    "outbid.bots": "", "outbid.bots.seat": "", "outbid.bots.decision": "", "outbid.testing": "",
}  # fmt: skip


def pages() -> Iterator[Path]:
    """Every page, relative to the repository."""
    for pattern in PAGES:
        yield from (path.relative_to(ROOT) for path in sorted(ROOT.glob(pattern)) if "site" not in path.parts)


def gather(page: Path) -> None:
    """Copy a page and whatever it links to. Raises SystemExit for a link that leads nowhere."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for _, link, _ in LINK.findall(re.sub(r"```.*?```|`[^`\n]+`", "", text, flags=re.DOTALL)):
        target = (ROOT / page).parent / link
        if re.match(r"[a-z]+:", link):
            continue
        if not target.exists():
            raise SystemExit(f"{page}: the link {link} leads nowhere.")
        if target.is_file() and target.suffix != ".md":
            copy(target.resolve().relative_to(ROOT))
    text = TO_FOLDER.sub(lambda found: found[1] if ((ROOT / page).parent / found[2]).is_dir() else found[0], text)
    (GATHERED / page).parent.mkdir(parents=True, exist_ok=True)
    (GATHERED / page).write_text(text, encoding="utf-8")


def copy(file: Path) -> None:
    """Copy a file that is no page."""
    (GATHERED / file).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / file, GATHERED / file)


def api() -> str:
    """The page of the API."""
    lines = ["# The API", "", "What a program that imports Outbid calls. Whatever is not here may change.", ""]
    for module, members in MODULES.items():
        lines += ["## " + module, "", "```{eval-rst}", f".. automodule:: {module}", f"   :members: {members}", "```", ""]
    return "\n".join(lines)


def contents() -> str:
    """The hidden table of contents."""
    lines, shown = [], set()
    known = [str(page.with_suffix("")) for page in pages()] + ["docs/api"]
    for chapter, patterns in CHAPTERS.items():
        found = [name for pattern in patterns for name in known if Path(name).match(pattern) and name not in shown]
        named = {name for patterns in CHAPTERS.values() for name in patterns}
        found = [name for name in dict.fromkeys(found) if name in patterns or name not in named]
        shown |= set(found)
        lines += ["", "```{toctree}", f":caption: {chapter}", ":hidden:", "", *found, "```"]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Build the site; 0 if nothing is wrong."""
    shutil.rmtree(GATHERED, ignore_errors=True)
    for page in pages():
        gather(page)
    copy(Path("docs/site/conf.py"))
    shutil.move(GATHERED / "docs/site/conf.py", GATHERED / "conf.py")
    (GATHERED / "docs/api.md").write_text(api(), encoding="utf-8")
    with (GATHERED / "README.md").open("a", encoding="utf-8") as file:
        file.write(contents())
    failed = build_main(["-q", "-W", "--keep-going", "-D", "root_doc=README", "-b", "html", str(GATHERED), str(SITE)])
    (SITE / "index.html").write_text(START, encoding="utf-8")
    print(f"{SITE.relative_to(ROOT)}/README.html" if not failed else "The site has faults.")
    return failed


if __name__ == "__main__":
    sys.exit(main())
