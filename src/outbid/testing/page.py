"""The property of a game's page: what its template names of the words, as in `t.words.MONEY` or `t.words.called(card)`, is
there and takes as many arguments. The template is the protocol of what only a page needs, and is held against the words."""

import inspect
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from outbid.testing.findings import Finding, Property, Trial

WORDS = ["t", "words"]  # what a template calls them
MISSING = object()


def faults(file: Path, words: Any) -> Iterator[str]:
    """What a template names of the words that they lack or that takes other arguments, a sentence each."""
    from jinja2 import Environment, nodes

    tree = Environment(autoescape=True).parse(file.read_text(encoding="utf-8"))
    names = list(tree.find_all(nodes.Getattr))
    assigned = [(node.target, _path(node.node)) for node in tree.find_all(nodes.Assign)]
    aliases = {target.name: path for target, path in assigned if isinstance(target, nodes.Name)}
    calls = {id(call.node): call for call in tree.find_all(nodes.Call)}
    inner = {id(node.node) for node in names}
    for node in names:
        first, *rest = _path(node) or [""]
        path = [*aliases.get(first, [first]), *rest]
        if path[:2] != WORDS or id(node) in inner:
            continue
        value, name = _value(words, path[2:]), ".".join(path[1:])
        if value is MISSING:
            yield f"{file.name}, line {node.lineno}: the page names {name}, which the game does not define."
        elif id(node) in calls and not _takes(value, calls[id(node)]):
            yield f"{file.name}, line {node.lineno}: {name}{inspect.signature(value)} is called with other arguments."


def _path(node: Any) -> list[str]:
    """The parts of a dotted name, such as t, words, terms; none if it begins with something else."""
    parts: list[str] = []
    while hasattr(node, "attr"):
        parts.insert(0, node.attr)
        node = node.node
    return [node.name, *parts] if hasattr(node, "name") else []


def _value(words: Any, path: list[str]) -> Any:
    """What the words have by a dotted name; only modules are looked into."""
    value = words
    for name in path:
        if value is not words and not isinstance(value, ModuleType):
            break
        value = getattr(value, name, MISSING)
    return value


def _takes(value: Any, call: Any) -> bool:
    """Whether a function takes the arguments of a call, as far as they are written out."""
    if call.dyn_args or call.dyn_kwargs or not inspect.isfunction(value):
        return True
    try:
        inspect.signature(value).bind(*call.args, **{argument.key: argument.value for argument in call.kwargs})
    except TypeError:
        return False
    return True


def _page(t: Trial) -> Iterator[Finding]:
    file = t.book.folder / "table.html"
    if file.exists() and find_spec("jinja2"):  # without the server nothing renders the page
        yield from map(t.found, faults(file, t.book.words))


PAGE = Property("page", "what the page names of the game's words is there", _page, once=True)
