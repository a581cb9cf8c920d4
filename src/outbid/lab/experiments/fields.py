"""The fields of a game's state, for those who write measures: `final[NAME]` is an array with a match in each row.

    fields = state_fields(book)      # name, shape, type, part and meaning of each
    rules = functions(book)          # ("sell(s)", what it does), for who writes a changed rule (rules.py)

An option says itself what it means. What another field means is what the source says beside it: its comment, and the comment
above it that heads a part of the state; of a game that declares them, also what people call it and who sees it.
"""

import inspect
import re
import sys
from dataclasses import asdict, dataclass
from typing import Any

from outbid.core import contract
from outbid.core.fields import Field
from outbid.core.rulebook import Rulebook

DECLARED = re.compile(r'\s*Field\("(\w+)"[^#]*(?:# (.*))?')
HEADING = re.compile(r"    # (.*)")
OPTION = "option"


@dataclass(frozen=True)
class StateField:
    """One field. shape: of the array, with "matches" first; type: of its numbers; part: of the state it belongs to."""

    name: str
    shape: tuple[str | int, ...]
    type: str
    part: str
    meaning: str

    @property
    def as_dict(self) -> dict[str, Any]:
        """Values of JSON."""
        return {**asdict(self), "shape": list(self.shape)}


def state_fields(book: Rulebook) -> list[StateField]:
    """All fields of a game, its options last."""
    comments = _comments(book)
    options = {option.name: book.say(option.meaning) for option in book.options}
    rows = []
    for field in sorted(book.layout.fields, key=lambda field: field.name in options):
        part, comment = comments.get(field.name, ("", ""))
        if field.name in options:
            part, comment = OPTION, options[field.name]
        meaning = "; ".join(dict.fromkeys(filter(None, [comment, *_declared(field)])))
        rows.append(StateField(field.name, ("matches", *field.shape), field.type, part, meaning))
    return rows


def functions(book: Rulebook) -> list[tuple[str, str]]:
    """The functions of the rules, in their order, each with its parameters and what it says of itself, or the contract."""
    home, listed = sys.modules[book.function("apply").__module__], []
    for name, each in vars(home).items():
        if inspect.isfunction(each) and each.__module__ == home.__name__ and not name.startswith("_"):
            told = (inspect.getdoc(form) for form in (each, getattr(contract.Rules, name, each)))
            text = next(filter(None, told), "")
            listed.append((f"{name}({', '.join(inspect.signature(each).parameters)})", text.partition("\n\n")[0]))
    return listed


def _declared(field: Field) -> list[str]:
    """What a field declares of itself."""
    values = ", ".join(f"{k} {name}" for k, name in enumerate(field.names))
    seen = {"all": "", "nobody": "nobody sees it", "owner": "its owner sees it"}.get(field.seen, "")
    return [field.label, values, seen, f"who knows what of {field.knows}" if field.knows else ""]


def _comments(book: Rulebook) -> dict[str, tuple[str, str]]:
    """By field, the heading above it and the comment beside it."""
    comments: dict[str, tuple[str, str]] = {}
    for module in book.modules:
        heading = ""
        for line in inspect.getsource(module).splitlines() if hasattr(module, "__file__") else ():
            if title := HEADING.fullmatch(line):
                heading = title[1]
            elif declared := DECLARED.match(line):
                comments.setdefault(declared[1], (heading, declared[2] or ""))
    return comments
