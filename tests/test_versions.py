"""One version everywhere: the package, the citation file and the changelog say the same, and so do the games."""

from __future__ import annotations

import re
from pathlib import Path

from outbid.engine.rulebook import rulebooks
from outbid.version import __version__

HOUSE = Path(__file__).parent.parent


def test_the_citation_file_names_this_version():
    said = dict(re.findall(r"^([\w-]+): (.+)$", (HOUSE / "CITATION.cff").read_text(), re.M))
    assert said["version"] == __version__
    assert said["license"] == "MIT"
    assert {"cff-version", "message", "title", "type"} <= said.keys()


def test_the_changelog_begins_with_this_version_and_names_the_rules_of_every_game():
    text = (HOUSE / "CHANGELOG.md").read_text()
    newest = re.search(r"^## (\S+)", text, re.M)
    assert newest
    assert newest[1] == __version__
    for book in rulebooks().values():
        if book.words.__package__.startswith("outbid."):
            assert f"`{book.id}/{book.version}`" in text
