"""RULES.md agrees with the program in what only Kuhhandel has: values, money, the hard cap."""

from __future__ import annotations

from outbid.games.kuhhandel import state
from tests.support.rulebooks import section, text

from .table import BOOK


def test_the_values_and_the_money_of_the_rulebook_are_those_of_the_program():
    """The rulebook itself: section 1."""
    part = section(BOOK, "Components")
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line[:1] == "|"]
    assert tuple(lines[0][1:]) == state.ANIMALS
    defaults = {o.name: o.default for o in BOOK.options}
    assert [int(value) for value in lines[2][1:]] == defaults["values"]
    assert tuple(int(value) for value in lines[3][1:]) == state.MONEY
    printed = [int(value) for value in lines[5][1:]]
    five = [
        5 * (n + defaults["donkey_money"].count(note)) for n, note in zip(defaults["start_money"], state.MONEY, strict=True)
    ]
    assert printed == five
    assert sum(n * note for n, note in zip(printed, state.MONEY, strict=True)) == 4700


def test_the_hard_cap_of_the_rulebook_is_that_of_the_program():
    """The rulebook itself."""
    assert f"{state.MOVE_CAP:,}th move" in text(BOOK)
