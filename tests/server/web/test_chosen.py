"""What is under the pointer never looks like what is chosen."""

from __future__ import annotations

import re
from pathlib import Path

import outbid

RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
CHOSEN = re.compile(r'\[aria-pressed="true"\]|:checked|\[aria-current')
LOOKS = ("background", "background-color", "border", "border-color", "outline", "box-shadow", "translate")


def looks(sheet: Path, state: str) -> set[tuple[str, str]]:
    """How the elements in a state are drawn, by a sheet: its rules of colours, borders and places."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.S)
    rules = [body for selector, body in RULE.findall(text) if re.search(state, selector)]
    pairs = (line.partition(":")[::2] for body in rules for line in body.split(";") if ":" in line)
    return {(name.strip(), value.strip()) for name, value in pairs if name.strip() in LOOKS}


def test_nothing_that_marks_what_is_chosen_appears_under_the_pointer():
    sheets = sorted(Path(outbid.__file__).parent.rglob("*.css"))
    plain = {("translate", "none"), ("border-color", "var(--edge)")}  # the border that everything has
    chosen = {look for sheet in sheets for look in looks(sheet, CHOSEN.pattern)} - plain
    hovered = {look for sheet in sheets for look in looks(sheet, ":hover")}
    assert ("background", "var(--wash)") in chosen
    assert hovered
    assert hovered & chosen == set()
