"""Pages and regions: Jinja templates, compiled once, escaped always."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from outbid.bots import BOTS, LABORATORY, known
from outbid.bots.advice import standing_in
from outbid.bots.characters import how, introduced, offers, title
from outbid.bots.stepwise import STEADY
from outbid.engine import tongue
from outbid.engine.names import LONGEST, marked, plain
from outbid.engine.needs import Players, Value, With
from outbid.engine.options import MOST, Option
from outbid.engine.rulebook import Rulebook, by_id, rulebooks
from outbid.engine.speech import decimal, grouped, listed
from outbid.server import art, clocks
from outbid.server.chat import Line as Said
from outbid.server.chat import Talk
from outbid.server.memo import Memo
from outbid.server.scene import About, Scene, faces
from outbid.server.settings import PACES
from outbid.server.templating import Templates, inked, words_of
from outbid.server.titles import Titles, chosen, value_of, written

_ = tongue.words("outbid")[0]

OURS = dict.fromkeys(("bar", "now", "log", "over"), "frame.html")
OURS |= {"clocks": "clocks.html", "orders": "clocks.html", "together": "together.html", "result": "result.html"}
GAME = ("opponents", "stage", "goods", "dock")
REGIONS = ("bar", "now", "clocks", "together", "opponents", "stage", "result", "goods", "dock", "orders", "log", "over")
GROWING = "log"  # after the first time only its new lines are sent
CHAT = "chat"  # as well; it is not made from a scene


@cache
def environment() -> Environment:
    """The templates of the server and of all games."""
    games = {name: FileSystemLoader(book.folder) for name, book in rulebooks().items()}
    made = Templates(
        loader=ChoiceLoader([FileSystemLoader(Path(__file__).parent / "templates"), PrefixLoader(games)]),
        autoescape=True,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        cache_size=-1,
    )
    drawings = ("card", "note", "bill", "back", "icon", "ornament", "sprite")
    made.globals.update(words_of(tongue.SHARED))
    made.globals |= {"game_of": _game_of, "tuple": tuple}
    made.globals |= {"standing_in": standing_in, "introduced": _introduced, "character": _character, "how_it_plays": _how}
    made.globals |= {"chosen": chosen, "inked": inked, "LONGEST_NAME": LONGEST}
    made.filters |= {"apart": marked, "plain": plain}
    made.globals |= {"language": tongue.language, "languages": tongue.LANGUAGES}
    made.globals |= {"listed": listed, "decimal": decimal, "figure": grouped}
    made.globals.update({name: getattr(art, name) for name in drawings})  # pyright: ignore[reportUnknownMemberType]
    return made


@cache
def _macros(template: str) -> Any:
    return environment().get_template(template).module


def _game_of(game: str) -> Any:
    """What a game's table is made of."""
    return _macros(_sheet(game))


@cache
def _sheet(game: str) -> str:
    """The template of a game's table; a generic one, if the game has none."""
    return f"{game}/table.html" if (by_id(game).folder / "table.html").exists() else "generic.html"


@cache
def _macro(template: str, name: str) -> Any:
    return getattr(_macros(template), name)


def region(scene: Scene, name: str) -> str:
    """One region of a table."""
    return str(_macro(OURS.get(name) or _sheet(scene.table.game), name)(scene))


def render_regions(scene: Scene, names: Iterable[str] = REGIONS, memo: Memo | None = None) -> dict[str, str]:
    """The regions of a table by id; with a memo of its viewer only what has changed is rendered."""
    if memo:
        return {name: memo.region(scene, name, region) for name in names}
    return {name: region(scene, name) for name in names}


def render_lines(scene: Scene, since: int) -> str:
    """The lines of the log from number `since`."""
    line = _macro("frame.html", "line")
    return "".join(str(line(scene, told)) for told in scene.log[since:])


def render_chat(talk: Talk) -> str:
    """The region of the chat."""
    return str(_macro("chat.html", "chat")(talk))


def render_said(lines: Iterable[Said]) -> str:
    """Lines of the chat."""
    said = _macro("chat.html", "said")
    return "".join(str(said(line)) for line in lines)


def table(scene: Scene, talk: Talk | None = None) -> str:
    """The whole page of a table, with its chat unless one looks back."""
    return _page("frame.html", t=scene, chat=Markup(render_chat(talk)) if talk else "")


def home(tables: list[dict[str, Any]], nickname: str, signed_in: bool, offered: list[dict[str, Any]]) -> str:
    """The front page: the games and how to begin one, the tables of this browser, and those where anybody may sit down.

    nickname: what its visitor is called, as far as that is known; signed_in: a kept name.
    """
    games = [_offer(book) for book in rulebooks().values()]
    shown = [face for game in games for face in game["faces"]]
    seen = {"tables": tables, "nickname": nickname, "signed_in": signed_in, "offered": offered}
    facts = {"shown": shown, "bots": _levels(), "usual_bot": STEADY.name, "paces": tuple(PACES), **seen}
    offers = [(word or "none", clocks.sentence(clocks.parse(word))) for word in clocks.PRESETS]
    return _page("home.html", games=games, clocks=offers, **facts)


def join(book: Rulebook, about: About, **facts: Any) -> str:
    """A table whose seats are not all taken."""
    return _page("join.html", table=about, bots=_levels(), characters=offers(book, _levels()), **facts)


def _levels() -> list[Any]:
    """The bots that people choose from, without characters; those of other packages come last."""
    return [one for name, one in BOTS.items() if name not in LABORATORY]


def _introduced(game: str, name: str) -> str:
    """A bot's level and character."""
    return introduced(by_id(game), name)


def _character(game: str, name: str) -> str:
    """The character in a bot's name, if there is one."""
    return title(by_id(game), name)


def _how(game: str, name: str) -> str:
    """How a bot plays; nothing if it is not installed any more."""
    found = known(name)
    return how(by_id(game), found) if found else ""


def delete(**facts: Any) -> str:
    """Whether a table shall really go."""
    return _page("delete.html", **facts)


def seat_link(**facts: Any) -> str:
    """The link that brings a seat to another device."""
    return _page("seat.html", **facts)


def page(template: str, **facts: Any) -> str:
    """A page of its own template."""
    return _page(template, **facts)


def rules(book: Rulebook) -> str:
    """The rulebook of a game with its options."""
    options = [_described(book, o) for o in book.options]
    return _page("rules.html", book=book, summary=_summary(book), text=_rulebook(book.id), options=options)


def message(title: str, sentence: str, link: str, words: str) -> str:
    """A page with one sentence and one way on."""
    return _page("message.html", title=title, sentence=sentence, link=link, words=words)


def _page(template: str, **facts: Any) -> str:
    return environment().get_template(template).render(**facts)


@cache
def _rulebook(game: str) -> Markup:
    """RULES.md as HTML; raw HTML in it is shown as text, and a table that is too wide is scrolled by itself."""
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(by_id(game).written)
    return Markup(html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>"))


def _offer(book: Rulebook) -> dict[str, Any]:
    """A game as the front page offers it."""
    low, high = book.players
    described = [_described(book, o) for o in book.options]
    presets = {name: book.preset(name) for name in book.presets}
    return {
        "id": book.id,
        "title": book.title,
        "summary": _summary(book),
        "characters": offers(book, _levels()),
        "players": range(low, high + 1),
        "usual": min(high, max(low, 4)),
        "presets": [(name, "; ".join(chosen(book.id, *one) for one in p.items())) for name, p in presets.items()],
        "options": [o for o in described if not o["knob"]],
        "knobs": [o for o in described if o["knob"]],
        "highest": high,
        "faces": _sample(list(faces(book).values())),
    }


def _summary(book: Rulebook) -> str:
    return tongue.words(book.words.__package__)[0](book.summary)


def _sample(all_faces: list[Any], n: int = 4) -> list[Any]:
    """A few of a game's faces, from the first to the last."""
    return all_faces[:: max(1, len(all_faces) // n)][:n]


def _described(book: Rulebook, option: Option) -> dict[str, Any]:
    """An option as a form and a table of options need it."""
    values: list[Any] = [True, False] if isinstance(option.default, bool) else list(option.words)
    translated = tongue.words(book.words.__package__)[0]
    return {
        "name": option.name,
        "title": translated(option.title),
        "usual": value_of(book, option, option.default),
        "meaning": translated(option.meaning),
        "default": written(option.default),
        "allowed": option.allowed,
        "values": [(written(value), value_of(book, option, value)) for value in values],
        "besides": [(word, value_of(book, option, word)) for word in option.besides],
        "number": not values and not option.size and not option.besides,
        "low": None if option.low == -MOST else option.low,
        "high": None if option.high == MOST else option.high,
        "step": option.step,
        "knob": option.knob,
        "acts": _acts(book, option),
    }


def _acts(book: Rulebook, option: Option) -> str:
    """When an option acts, where that depends on another option that is off as a rule, or on the number of players."""
    values = {o.name: o.default for o in book.options}
    said = [
        _("Acts only {need}.", need=need.only(Titles(book)))
        for need in option.needs
        if isinstance(need, Players)
        or (isinstance(need, With) and not any(values[name] for name in need.names))
        or (isinstance(need, Value) and values[need.name] not in need.among)
    ]
    return " ".join(said)
