"""What a game declares of knowledge (outbid.core.knowledge) and what it plays agree: things move through the functions that
take along who knows what, none is lost or added, and nobody knows for certain what is not so."""

import ast
from collections.abc import Iterator
from typing import Any

from outbid.core import contract
from outbid.core.fields import Field, flat
from outbid.core.rulebook import Rulebook
from outbid.testing.findings import Finding, Property, Trial
from outbid.testing.source import placed, reached

DEALS = "deal"  # which begins, so that nobody knows anything yet


def _round_about(book: Rulebook) -> Iterator[tuple[str, str, str]]:
    """The lines outside of `deal` that write a learned field themselves: field, function, line."""
    learned = {name for field in book.layout.facts for name in (field.name, field.knows) if field.learned or field.knows}
    if not learned:
        return
    rules = [function.__name__ for function in contract.FUNCTIONS if function.__name__ != DEALS]
    for home, function in reached(book, rules).values():
        for node in ast.walk(function):
            for target in node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]:
                root: Any = target
                while isinstance(root, ast.Subscript):
                    root = root.value
                if isinstance(root, ast.Attribute) and root.attr in learned:
                    yield root.attr, function.name, placed(str(home.__file__), root.lineno)


def _sums(state: Any, supply: Field) -> Iterator[str]:
    """What of a supply is not where the fields say that it lies."""
    fields = [field for field in state.layout.facts if supply.name in (field.holds, field.counts)]
    places = [n for field in fields if field.holds for n in flat(getattr(state, field.name))]
    rows = [
        row
        for field in fields
        if field.counts
        for row in (getattr(state, field.name) if len(field.shape) == 2 else [getattr(state, field.name)])
    ]
    for kind, there in list(enumerate(getattr(state, supply.name)))[1:]:
        lie = places.count(kind) + sum(row[kind] for row in rows)
        if lie != there:
            yield f"of {supply.name}[{kind}] there are {there}, and {', '.join(field.name for field in fields)} have {lie}"


def _untrue(state: Any, field: Field) -> Iterator[str]:
    """What somebody knows of a field that is not so."""
    counts, least, most = (getattr(state, f"{field.name}{end}") for end in ("", "_least", "_most"))
    for at, (low, high) in enumerate(zip(least, most, strict=True)):
        viewer, row = divmod(at, len(counts))
        for kind, held in enumerate(counts[row]):
            if viewer != row and kind and (held < low[kind] or 0 < high[kind] <= held):
                who = "everybody knows" if viewer == field.viewers else f"seat {viewer} knows"
                bound = f"at least {low[kind]}" if held < low[kind] else f"at most {high[kind] - 1}"
                yield f"{who} of {bound} in {field.name}[{row}][{kind}], and it is {held}"


def _knowledge(t: Trial) -> Iterator[Finding]:
    facts = t.book.layout.facts
    for name, function, line in _round_about(t.book):
        sentence = f"{function} writes {name} itself, and who knows what of it stays as it was: use transfer or swap."
        yield t.found(sentence, name, line=line)
    supplies = [field for field in facts if any(field.name in (other.holds, other.counts) for other in facts)]
    learned = [field for field in facts if field.learned and field.counts]

    def wrong(state: Any) -> Iterator[tuple[Field, str]]:
        for supply in supplies:
            yield from ((supply, sentence) for sentence in _sums(state, supply))
        for field in learned:
            yield from ((field, sentence) for sentence in _untrue(state, field))

    if supplies:
        state = t.deal()
        for _ in t.walk(state, 300):
            if contradiction := next(wrong(state), None):
                field, sentence = contradiction
                line = t.last_line(field.name, lambda s: contradiction in wrong(s))
                yield t.found(f"{sentence[0].upper()}{sentence[1:]}.", field.name, line=line)
                return


KNOWLEDGE = Property("knowledge", "things move with what is known of them, and it is true", _knowledge)
