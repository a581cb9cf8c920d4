"""Write docs/environments/<game>.md from what the games declare: `python docs/environments.py`.

Above the line MARK a page is written by hand and stays; below it everything is generated. A test compares.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from outbid.compiled.vector import REWARDS
from outbid.core.derived.spaces import AMOUNTS, FLAGS, Action, FeatureGroup
from outbid.core.rulebook import Rulebook, rulebooks

FOLDER = Path(__file__).parent / "environments"
MARK = "<!-- From here on this page is generated: python docs/environments.py -->"


def page(book: Rulebook) -> str:
    """The page of a game: its lead as it stands in the file, and the rest anew."""
    path = FOLDER / f"{book.id}.md"
    lead = path.read_text(encoding="utf-8").partition(MARK)[0] if path.exists() else f"# {book.title}\n\n"
    return lead + MARK + "\n\n" + "\n".join(body(book))


def body(book: Rulebook) -> list[str]:
    """The generated part, by lines."""
    layout, low, high = book.observation, *book.players
    of_parts = "from", "features", "unit", "range", "is"
    facts = [
        ["environment", f"`{book.environment_id}`"],
        ["players", f"{low} to {high}"],
        ["observation", f"float32 ({book.features},): {layout.shared} of the table, {layout.each} of each seat"],
        ["actions", str(book.actions)],
        ["length", f"at most {book.longest:,} actions"],
        ["presets", ", ".join(["`seed` (the given rules with our rulings)", *(f"`{name}`" for name in book.presets)])],
        ["rules", f"`outbid rules {book.id}`"],
    ]
    options = [
        [
            f"`{o.name}`",
            f"`{o.default}`".replace("True", "true").replace("False", "false"),
            o.allowed,
            o.meaning,
            "; ".join(need.only(book.ids) for need in o.needs),
        ]
        for o in book.options
        if not o.tunable
    ]
    return [
        *table(["", ""], facts),
        "## Observation",
        "",
        "`game.observation` names the slices; `game.observation.describe(row)` says a row in words. A feature is the fact",
        "divided by the unit. The range holds unless tunable parameters are changed.",
        "",
        *table(["of the table", *of_parts], [_part(part, layout.at(part.name)) for part in layout.parts]),
        "Then each seat, the observer first and on clockwise; seats that nobody sits at are 0. Seat k begins at",
        f"{layout.shared} + {layout.each} k; its slices are `seat0.…`, `seat1.…` and so on.",
        "",
        *table(["of a seat", *of_parts], [_part(part, layout.of(part.name)) for part in layout.seat_parts]),
        "## Actions",
        "",
        "A move that a player would say may be several actions in a row of the same seat. `game.actions` is this table.",
        "",
        *table(["id", "name", "does"], [_group(group) for group in book.action_table.groups]),
        "## Rewards",
        "",
        "At the end of a match, by seat; 0 before.",
        "",
        *table(["reward", "is"], [[f"`{name}`", what] for name, what in REWARDS.items()]),
        f"The margin of this game is {book.margin} points.",
        "",
        "## Options",
        "",
        "Options without the tunable parameters, which the rulebook has.",
        "",
        *table(["option", "default", "values", "is", "acts only"], options),
        "## Version",
        "",
        f"`{book.environment_id}`: any change of the features, their units and order, the action ids or the rewards raises",
        "the number, so a policy fits its version for ever. New options that leave old matches as they are do not raise it.",
        "",
    ]


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table as Markdown."""
    return [_row(heads), _row(["---"] * len(heads)), *(_row(row) for row in rows), ""]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _part(part: FeatureGroup, start: int) -> list[str]:
    several = {AMOUNTS: "each of: ", FLAGS: "flags: "}.get(part.kind, "one of: ")
    if not part.labels:
        what = part.meaning
    else:
        labels = part.labels if len(part.labels) <= 16 else (*part.labels[:6], "…", *part.labels[-3:])
        what = f"{part.meaning}; {several}{', '.join(labels)}"
    unit = f"{part.unit:,g}" if part.kind == AMOUNTS else ""
    return [f"`{part.name}`", str(start), str(part.size), unit, f"{part.low:g} … {part.high:g}", what]


def _group(group: Sequence[Action]) -> list[str]:
    names = [one.name for one in group]
    first, last = group[0], group[-1]
    shown = names if len(names) <= 8 else [*names[:4], "…", *names[-2:]]
    ids = f"{first.id}" if first is last else f"{first.id}–{last.id}"
    return [ids, ", ".join(f"`{name}`" if name != "…" else name for name in shown), first.meaning]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in rulebooks().values():
        (FOLDER / f"{one.id}.md").write_text(page(one), encoding="utf-8")
