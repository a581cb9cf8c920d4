"""The set-up sheet of a game: what was filled in, read field by field, and the order it makes.

`read` never raises for what a person typed: each wrong field has its sentence in `Sheet.errors`, which names the field as
the sheet does, and everything that was typed is kept in `Sheet.values`. What is wrong with the whole (these options cannot
be dealt for so many players) is said in `Sheet.refused`.

The sheet has fields of its own beside those of `POST /tables` (setup.py):

    bots, character          how strong the others are (or open), and who; MIXED: everybody another one
    bot:N, character:N       the same of seat N, where it differs
    shown                    the preset with whose values the switches were drawn: a switch that was left as it was drawn
                             says nothing, so that a preset can be chosen without script, too
    after                    the last table of this browser, whose people are offered as the others (bots=again)
    table                    a table that waits, of which options, time and hints are changed, in place of a new one
"""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from outbid.bots import BOTS, LABORATORY
from outbid.bots.personas import takes_personas
from outbid.core.errors import BadOption, BadSetup, OutbidError
from outbid.core.hooks.offer import offer_of
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.options import Option
from outbid.core.rulebook import Rulebook
from outbid.server.domain.advice import hints
from outbid.server.domain.commands import Fields, known
from outbid.server.domain.setup import FIELDS, MOST, OPEN, Order, nickname, number_of_players, starting, talking, truth
from outbid.server.domain.table import Table
from outbid.server.domain.timing import clocks
from outbid.server.domain.titles import value_of, written
from outbid.server.settings import check_pace
from outbid.server.web.requests import called

SEED = "seed"  # the preset of the given rules
MIXED = "mixed"
AGAIN = "again"  # in the field `bots`
WRONG = i18n.N_("“{title}” cannot be {value}: it must be {allowed}.")


@dataclass
class Sheet:
    """A set-up sheet. values: as typed; errors: a sentence by field; refused: what is wrong with the whole."""

    book: Rulebook
    values: dict[str, str] = field(default_factory=dict[str, str])
    errors: dict[str, str] = field(default_factory=dict[str, str])
    refused: str = ""
    order: Order | None = None

    @property
    def preset(self) -> str:
        """The preset that is chosen; the given rules, if there is no such."""
        chosen = self.values.get("preset") or SEED
        return chosen if chosen in (SEED, *self.book.presets) else SEED

    @property
    def wrong(self) -> bool:
        """It cannot be played."""
        return bool(self.errors or self.refused)


def fields_of(book: Rulebook) -> list[str]:
    """All fields of a sheet."""
    seats = [f"{what}:{seat}" for what in ("bot", "character") for seat in range(1, MOST)]
    return [*FIELDS, "character", "shown", "after", "table", *(f"option:{o.name}" for o in book.options), *seats]


def read(book: Rulebook, fields: Fields, longest: int, owner: str | None = None) -> Sheet:
    """A sheet as it was filled in; longest: of a nickname; owner: the key of a kept name, if the name is the reader's.
    Raises Unreadable for fields that no sheet has."""
    typed = known([(key, value) for key, value in fields if key != "game"], fields_of(book))
    sheet = Sheet(book, dict(typed))
    _switches(sheet)
    after = typed.get("after", "") if typed.get("bots") == AGAIN else ""
    name = _checked(sheet, "name", lambda: nickname(called(typed.get("name", "")), longest, [], owner))
    players = _checked(sheet, "players", lambda: number_of_players(typed.get("players", "")))
    bots = _bots(sheet, players or 1)
    options = {o.name: value for o in book.options if (value := _option(sheet, o)) is not None}
    own = "own_clock" if typed.get("own_clock", "").strip() else "clock"
    clock = _checked(sheet, own, lambda: (clocks.parse(typed.get(own, "")), typed.get(own, ""))[1])
    weekends = _checked(sheet, "weekends", lambda: truth("weekends", typed.get("weekends", "")))
    if own not in sheet.errors:
        _checked(sheet, "weekends", lambda: clocks.check_weekends(clocks.parse(clock), bool(weekends)))
    pace = _checked(sheet, "pace", lambda: check_pace(typed["pace"]) if typed.get("pace") else None)
    mode = _checked(sheet, "hints", lambda: hints.mode(typed.get("hints", "")))
    listed = _checked(sheet, "listed", lambda: truth("listed", typed.get("listed", "")))
    study = _checked(sheet, "study", lambda: truth("study", typed.get("study", "")))
    talk = _checked(sheet, "talk", lambda: talking(typed.get("talk", "")))
    starts = _checked(sheet, "starts", lambda: starting(typed.get("starts") or "full"))
    if typed.get("preset") and sheet.preset != typed["preset"]:
        _checked(sheet, "preset", lambda: book.preset(typed["preset"]))
    if players is not None and not any(key.startswith("option:") for key in sheet.errors):
        _fits(sheet, players, {**book.preset(sheet.preset), **options})
    if not sheet.wrong:
        sheet.order = Order(
            book.id, players or 0, name or "", bots, options, sheet.preset, pace, listed=bool(listed),
            starts=starts or "full", clock=clock or "", hints=mode or "", study=bool(study),
            weekends=bool(weekends), after=after, talk=talk or "none",
        )  # fmt: skip
    return sheet


def _checked(sheet: Sheet, field: str, value: Any) -> Any:
    """What `value` gives; none, and an error of the field, if it raises one."""
    try:
        return value()
    except OutbidError as error:
        sheet.errors[field] = str(error)
        return None


def _fits(sheet: Sheet, players: int, options: Mapping[str, Any]) -> None:
    """Whether so many can play with these options."""
    try:
        sheet.book.check_players(players, options)
    except BadOption as error:
        sheet.refused = titled(sheet.book, str(error))
    except OutbidError as error:
        sheet.errors["players"] = str(error)


def titled(book: Rulebook, sentence: str) -> str:
    """A sentence in which options are named by their titles, not by their ids."""
    say = book.say
    titles = {o.name: _("“{words}”", words=say(o.title)) for o in book.options}
    names = "|".join(map(re.escape, sorted(titles, key=len, reverse=True)))
    return re.sub(rf"\b({names})\b", lambda name: titles[name[0]], sentence) if names else sentence


def _switches(sheet: Sheet) -> None:
    """Boxes send nothing when they are off: what was changed by hand becomes a value, what was not becomes none."""
    shown = sheet.values.pop("shown", "")
    if not shown or shown not in (SEED, *sheet.book.presets):
        return
    drawn = values_of(sheet.book, shown)
    for name in offer_of(sheet.book).switches:
        on = bool(sheet.values.pop(f"option:{name}", ""))
        if on != bool(drawn[name]):
            sheet.values[f"option:{name}"] = "true" if on else "false"


def values_of(book: Rulebook, preset: str) -> dict[str, Any]:
    """All options of a preset."""
    chosen = book.preset(preset)
    return {o.name: chosen.get(o.name, o.default) for o in book.options}


def of_table(table: Table, book: Rulebook) -> Sheet:
    """The sheet by which a table could have been made, as far as it can be changed, also into one of another game."""
    clock, (low, high) = table.clock.clock, book.players
    options = values_of(book, SEED) | (table.options if table.book == book else {})
    usual = {preset: values_of(book, preset) for preset in (SEED, *book.presets)}
    preset = min(usual, key=lambda name: sum(options[option] != value for option, value in usual[name].items()))
    values = {f"option:{name}": written(options[name]) for name, value in usual[preset].items() if options[name] != value}
    word = clock.word if clock else "none"
    values |= {"table": table.id, "players": str(min(max(len(table.seats), low), high)), "preset": preset}
    values |= {"pace": "" if table.pace == table.settings.pace else table.pace, "hints": table.hints.mode}
    values |= {"clock" if word in ("none", *clocks.PRESETS) else "own_clock": word}
    return Sheet(book, values | {"weekends": "true" if table.clock.off.weekends else "false"})


def _option(sheet: Sheet, option: Option) -> Any:
    """The value of an option; none where the preset says it, or it is wrong."""
    key = f"option:{option.name}"
    text = sheet.values.get(key, "").strip()
    if not text:
        return None
    value = option.parse(text)
    try:
        option.encode(value)
    except BadOption:
        title = sheet.book.say(option.title)
        facts = {"title": title, "value": _("“{words}”", words=text[:30]), "allowed": _allowed(sheet.book, option)}
        sheet.errors[key] = _(WRONG, **facts)
        return None
    return value


def _allowed(book: Rulebook, option: Option) -> str:
    """What may be written, in the words of the form."""
    if not option.words:
        return option.allowed
    between = " " + _("or") + " "
    return between.join(_("“{words}”", words=value_of(book, option, word)) for word in option.words)


def _bots(sheet: Sheet, players: int) -> list[str]:
    """Who takes each further seat."""
    values, bots = sheet.values, list[str]()
    names = [persona_of.name for persona_of in sheet.book.personas.each]
    turn = secrets.randbelow(max(1, len(names)))
    general = values.get("bots", "") or OPEN
    general = OPEN if general == AGAIN else _level(sheet, "bots", general)
    for seat in range(1, MOST):
        own = values.get(f"bot:{seat}", "")
        if seat >= players:
            if own:
                sentence = _("There is no seat {seat} at a table for {players}.", seat=seat + 1, players=players)
                sheet.errors[f"bot:{seat}"] = sentence
            continue
        level = _level(sheet, f"bot:{seat}", own) if own else general
        where = f"character:{seat}" if own else "character"
        persona = values.get(where, "")
        if persona == MIXED and names:
            persona = names[(turn + seat) % len(names)]
        bots.append(_named(sheet, where, level, persona))
    return bots


def _level(sheet: Sheet, field: str, name: str) -> str:
    """A level that is offered, or `open`; also a whole name with its persona, as programs say it."""
    level = name.partition(":")[0]
    if name != OPEN and (level not in BOTS or level in LABORATORY):
        words = _("There is no bot {name}; there are {bots}.", name=repr(name[:40]), bots=", ".join(levels()))
        sheet.errors[field] = words
        return OPEN
    return name


def _named(sheet: Sheet, field: str, level: str, persona: str) -> str:
    """A bot of a level with a persona."""
    if not persona or level == OPEN or ":" in level:
        return level
    if sheet.values.get(field) == MIXED and not takes_personas(BOTS[level]):
        return level
    _checked(sheet, field, lambda: with_persona(level, persona))
    _checked(sheet, field, lambda: sheet.book.personas.persona(persona, sheet.book.title))
    return f"{level}:{persona}"


def with_persona(level: str, persona: str) -> str:
    """The name of a bot of a level with a persona, if there is one. Raises BadSetup."""
    if not persona or level == OPEN:
        return level
    if level in BOTS and not takes_personas(BOTS[level]):
        raise BadSetup(_("The bot “{bot}” has no characters; choose another strength.", bot=_(level)))
    return f"{level}:{persona}"


def levels() -> list[str]:
    """The strengths that people choose from."""
    return [name for name in BOTS if name not in LABORATORY]
