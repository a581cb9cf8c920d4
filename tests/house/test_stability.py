"""What docs/stability.md calls stable is there: names, rules, environments, formats, commands with their options."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from typer.main import get_command

import outbid
from outbid.cli import app
from outbid.core import match
from outbid.core.rulebook import rulebooks

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
OURS = [book for book in rulebooks().values() if book.modules[0].__name__.startswith("outbid.")]


def listed(kind: str) -> list[str]:
    """The words of a block of the page."""
    (block,) = re.findall(rf"^<!-- {kind} -->\n```text\n(.*?)^```", TEXT, re.M | re.S)
    return re.sub(r"\n {4}", " ", block).strip().splitlines() if kind == "commands" else block.split()


def test_the_public_names_are_those_of_the_page_and_say_what_they_are():
    assert sorted(listed("names")) == sorted(set(outbid.__all__) - {"__version__"})
    for name in listed("names"):
        assert inspect.getdoc(getattr(outbid, name)), name


@pytest.mark.parametrize("kind", ["rules", "environments"])
def test_rules_and_environments_once_listed_are_known(kind):
    known = {name for book in OURS for name in (book.known_rules if kind == "rules" else book.known_environments)}
    assert set(listed(kind)) <= known
    newest = {book.rules_id if kind == "rules" else book.environment_id for book in OURS}
    assert newest <= set(listed(kind))


def test_the_format_of_records_is_listed():
    assert match.FORMAT in listed("formats")


def test_the_format_of_data_is_listed():
    pytest.importorskip("pyarrow")
    from outbid.lab import datasets

    assert datasets.FORMAT in listed("formats")


@pytest.mark.parametrize("line", listed("commands"), ids=lambda line: line.partition(" -")[0].removeprefix("outbid "))
def test_a_command_that_is_listed_is_there_with_its_arguments_and_options(line):
    command, words = get_command(app), line.split()[1:]
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]
    options = {option for parameter in command.params for option in parameter.opts}
    arguments = [part.metavar or part.name.upper() for part in command.params if part.param_type_name == "argument"]
    assert [word for word in words if not word.startswith("--")] == arguments
    assert {word for word in words if word.startswith("--")} <= options
