"""No sign means two things: what marks a player is used for nothing else on any page."""

from pathlib import Path

import outbid

SHAPES = "●■▲▼◆★✚⬟⬢"  # the players' shapes as characters, and what would be taken for them
PAGES = sorted(
    path
    for folder in ("games", "server")
    for path in (Path(outbid.__file__).parent / folder).rglob("*")
    if path.suffix in (".html", ".css", ".js")
)


def test_the_shapes_of_players_stand_for_players_alone():
    used = {path.name: sign for path in PAGES for sign in SHAPES if sign in path.read_text(encoding="utf-8")}
    assert PAGES
    assert not used
