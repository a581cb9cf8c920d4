"""The set-up sheet as a page."""

from collections.abc import Mapping, Sequence
from typing import Any

from outbid.bots.heuristic import STEADY
from outbid.bots.personas import personas
from outbid.core.hooks.offer import offer_of
from outbid.core.language.i18n import _
from outbid.core.options import Option
from outbid.core.rulebook import Rulebook, rulebooks
from outbid.server.domain.scene import faces
from outbid.server.domain.timing import clocks
from outbid.server.domain.titles import chosen, value_of, written
from outbid.server.settings import PACES
from outbid.server.web import pages
from outbid.server.web.screens.new.sheet import Sheet, values_of


def page(filled: Sheet, last: str = "", people: Sequence[str] = ()) -> str:
    """The set-up sheet of a game. last, people: the table where this visitor played last, and with whom."""
    book, values = filled.book, filled.values
    by_preset = {name: values_of(book, name) for name in ("seed", *book.presets)}
    switches = [_switch(filled, name, switch, by_preset) for name, switch in offer_of(book).switches.items()]
    pictured = {one["name"] for one in switches}
    options = [_chosen(filled, o, by_preset) for o in book.options if o.name not in pictured]
    low, high = book.players
    game = pages.tile(book) | {"players": range(low, high + 1), "usual": min(high, max(low, 4)), "highest": high}
    return pages.page(
        "new/new.html",
        game=game,
        drawn=pages.drawn(book.id, switches=True),
        values=values,
        table=values.get("table", ""),
        others=[(other.id, other.called) for other in rulebooks().values() if other != book],
        errors=filled.errors,
        refused=filled.refused,
        preset=filled.preset,
        last=last,
        people=people,
        presets=[_card(book, name) for name in by_preset],
        switches=switches,
        options=[o for o in options if not o["tunable"]],
        tunable=[o for o in options if o["tunable"]],
        levels=pages.levels(),
        usual_bot=STEADY.name,
        personas=personas(book),
        clocks=[(word or "none", clocks.sentence(clocks.parse(word))) for word in clocks.PRESETS],
        paces=tuple(PACES),
        apart=any(values.get(f"{what}:{seat}") for what in ("bot", "character") for seat in range(1, high)),
    )


def _card(book: Rulebook, name: str) -> dict[str, Any]:
    """A preset as one chooses it."""
    say = book.say
    card = offer_of(book).presets.get(name)
    title, line = (say(card.title), say(card.line)) if card else (name.replace("_", " ").capitalize(), "")
    if name == "seed":
        title, line = _("As given"), _("The rules as they are written, with our rulings where they are silent.")
    players = card.players if card else 0
    changes = [chosen(book.id, *change) for change in book.preset(name).items()]
    return {"name": name, "title": title, "line": line, "players": players, "changes": changes}


def _switch(filled: Sheet, name: str, switch: Any, presets: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """An option that is a picture to be switched on."""
    book = filled.book
    say = book.say
    option = next(o for o in book.options if o.name == name)
    typed = filled.values.get(f"option:{name}", "")
    on = option.parse(typed) is True if typed else bool(presets[filled.preset][name])
    known = faces(book)
    return {
        "name": name, "title": say(option.title), "line": say(switch.line), "on": on,
        "by": {preset: bool(values[name]) for preset, values in presets.items()},
        "faces": [known[key] for key in switch.faces if key in known],
    }  # fmt: skip


def _chosen(filled: Sheet, option: Option, presets: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """An option as the sheet has it: what was typed, and what it is without, by preset."""
    book = filled.book
    by = {preset: value_of(book, option, values[option.name]) for preset, values in presets.items()}
    written_by = {preset: written(values[option.name]) for preset, values in presets.items()}
    typed = filled.values.get(f"option:{option.name}", "").strip()
    return pages.described(book, option) | {
        "typed": typed, "usual": by[filled.preset], "default": written_by[filled.preset], "by": by, "written": written_by,
        "changed": bool(typed) and typed != written_by[filled.preset],
    }  # fmt: skip
