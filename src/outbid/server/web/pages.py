"""Pages and regions: Jinja templates, compiled once, escaped always."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup

from outbid.bots import BOTS, LABORATORY, LEVELS, known
from outbid.bots.heuristic import RANDOM
from outbid.bots.hints import standing_in
from outbid.bots.personas import how, introduced, no_nets, title, without_nets
from outbid.core.hooks.offer import offer_of
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.language.names import LONGEST, marked, plain
from outbid.core.language.phrases import capitalized, decimal, grouped, listed, signed
from outbid.core.needs import Players, Value, With
from outbid.core.options import MOST, Option
from outbid.core.rulebook import Rulebook, by_id, rulebooks
from outbid.server.domain.contests import ladder
from outbid.server.domain.people import notebook
from outbid.server.domain.people.chat import ChatLine, Talk
from outbid.server.domain.scene import About, Scene
from outbid.server.domain.titles import Titles, chosen, value_of, written
from outbid.server.logging import log
from outbid.server.web import absent, cards, icons, pictures, screens
from outbid.server.web.announcement import announced
from outbid.server.web.below import ANYWHERE, root
from outbid.server.web.templating import Templates, about, inked, kept, words_of

if TYPE_CHECKING:
    from outbid.server.domain.contests.daily import DailyDeal

LESSONS = "lessons.toml"  # in the folder of a game that has some
WEIGHTS = (i18n.N_("light"), i18n.N_("medium"), i18n.N_("heavy"))

OURS = dict.fromkeys(("bar", "now", "notice", "log", "over"), "table/frame.html")
OURS |= dict.fromkeys(("clocks", "orders"), "table/clocks.html")
OURS |= {name: f"table/{name}.html" for name in ("together", "result")} | {"moments": "review/moments.html"}
REGIONS = (
    "bar", "now", "notice", "clocks", "together", "opponents", "stage", "result", "goods", "dock", "orders", "log", "over",
)  # fmt: skip
LOOKING_BACK = (*REGIONS, "moments")  # of a replay
PICTURED = ("opponents", "stage", "goods")  # of a picture of a table
NAMING = re.compile(r' (?:id|name|for|aria-labelledby|aria-describedby|aria-controls)="[^"]*"')
GROWING = "log"  # after the first time only its new lines are sent
_OURS = (*LEVELS, *LABORATORY)  # whose names say no more than how well they play
CHAT = "chat"  # as well; it is not made from a scene


def environment() -> Templates:
    """The templates of the server and of all games."""
    return _environment(root())


def write_code(folder: Path) -> None:
    """Write the code of all templates into a copy of this program's package, in their places."""
    templates = _environment(ANYWHERE)
    written = {name: templates.written(name) for name in templates.list_templates(extensions=["html"])}
    for name, code in written.items():
        filename = Path(templates.loader.get_source(templates, name)[1] or "")  # type: ignore[union-attr]
        (folder / filename.relative_to(Path(__file__).parents[2])).write_text(code, encoding="utf-8")


@cache
def _environment(path: str) -> Templates:
    games = {name: FileSystemLoader(book.folder) for name, book in rulebooks().items()}
    environment = Templates(
        loader=ChoiceLoader([FileSystemLoader([Path(__file__).parent / "templates", screens.FOLDER]), PrefixLoader(games)]),
        autoescape=True,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        cache_size=-1,
    )
    environment.root = path
    drawings = ("card", "note", "bill", "back", "icon", "ornament", "sprite")
    environment.globals.update(words_of(i18n.SHARED))
    environment.globals |= {"game_of": _game_of, "tuple": tuple}
    environment.globals |= {"standing_in": standing_in, "introduced": _introduced, "persona_of": _persona_of}
    environment.globals |= {"how_it_plays": _how, "no_nets": _no_nets}
    environment.globals |= {"chosen": chosen, "about": about, "inked": inked, "kept": kept}
    environment.globals |= {"LONGEST_NAME": LONGEST, "LONGEST_NOTES": notebook.LONGEST}
    environment.globals |= {"coloured": coloured, "games_for": games_for, "ranked": _ranked, "REGIONS": REGIONS}
    environment.filters |= {"apart": marked, "plain": plain, "capitalized": capitalized}
    environment.globals |= {"announced": announced, "language": i18n.language, "languages": i18n.LANGUAGES}
    environment.globals["alone"] = absent.alone
    environment.globals |= {"listed": listed, "decimal": decimal, "signed": signed, "figure": grouped}
    environment.globals |= {"face": _face, "region": drawn_region, "spread": pictures.spread, "themes": icons.THEMES}
    environment.globals.update({name: getattr(cards, name) for name in drawings})  # pyright: ignore[reportUnknownMemberType]
    return environment


def _ranked(t: Any) -> list[tuple[int, Any]]:
    """The seats of a match that is over with their places: winners first, then by points; equals share a place."""
    places = ladder.places(t.scores, t.winners)
    return sorted(((1 + places[seat.index], seat) for seat in t.seats), key=lambda row: row[0])


def _macros(template: str) -> Any:
    return _module(template, root())


@cache
def _module(template: str, path: str) -> Any:
    return _environment(path).get_template(template).module


def read_in(path: str) -> None:
    """The translations and templates of all tables, for a server below this path: a second of work, done before the first
    guest comes where another process answers meanwhile. A game of which something is broken stops nothing."""
    for name, book in rulebooks().items():
        try:
            for spoken in i18n.LANGUAGES:
                i18n.catalog(book.words.__package__, spoken)
            for template in {*OURS.values(), _sheet(name)}:
                _module(template, path)
        except Exception:
            log.exception("The table of %s could not be read in.", name)


def _game_of(game: str) -> Any:
    """What a game's table is made of."""
    return _macros(_sheet(game))


@cache
def _sheet(game: str) -> str:
    """The template of a game's table; a generic one, if the game has none."""
    return f"{game}/table.html" if (by_id(game).folder / "table.html").exists() else "table/generic.html"


def _macro(template: str, name: str) -> Any:
    return getattr(_macros(template), name)


def region(scene: Scene, name: str) -> str:
    """One region of a table."""
    return str(_macro(OURS.get(name) or _sheet(scene.table.game), name)(scene))


def drawn_region(scene: Scene, name: str) -> Markup:
    """One region, or an empty one if the game has a fault there: the match goes on without it."""
    try:
        return Markup(region(scene, name))
    except Exception:
        log.exception("The region %s of %s could not be drawn.", name, scene.table.game)
        return Markup(f'<section class="{name}" id="{name}" hidden></section>')


def render_regions(scene: Scene, names: Iterable[str] = REGIONS) -> dict[str, str]:
    """The regions of a table by id."""
    return {name: str(drawn_region(scene, name)) for name in names}


def render_step(scene: Scene) -> dict[str, Any]:
    """A step of a replay for a page that knows the lines before it, and the drawing of who was winning."""
    regions = render_regions(scene, (name for name in LOOKING_BACK if name != GROWING))
    return {"title": scene.headline, "regions": regions, "append": {GROWING: render_lines(scene, 0)}}


def picture(scene: Scene) -> Markup:
    """A table as it was, to be looked at and not to be touched: no name in it is the page's."""
    drawn = "".join(region(scene, name) for name in PICTURED)
    return Markup(NAMING.sub("", drawn))


def render_lines(scene: Scene, since: int) -> str:
    """The lines of the log from number `since`."""
    line = _macro("table/frame.html", "line")
    return "".join(str(line(scene, told)) for told in scene.log[since:])


def render_chat(talk: Talk) -> str:
    """The region of the chat."""
    return str(_macro("chat/chat.html", "chat")(talk))


def render_said(lines: Iterable[ChatLine]) -> str:
    """Lines of the chat."""
    said = _macro("chat/chat.html", "said")
    return "".join(str(said(line)) for line in lines)


def table(scene: Scene, talk: Talk | None = None) -> str:
    """The whole page of a table, with its chat unless one looks back."""
    return page("table/frame.html", t=scene, chat=Markup(render_chat(talk)) if talk else "")


def led(html: str, head: str, top: str, classes: str, marks: str = "") -> str:
    """The page of a table with a panel before it, without its line to the server and the curve of a match that is over:
    there is nothing to hear and nothing to review. marks: further attributes of the page."""
    html = re.sub(r' data-(?:socket|curve)="[^"]*"', "", html).replace("</head>", f"{head}</head>", 1)
    begins = re.compile(r'<body class="([^"]*)"([^>]*)>')
    return begins.sub(lambda m: f'<body class="{m[1]} {classes}"{marks}{m[2]}>{top}', html, count=1)


def drawn(*games: str, switches: bool = False) -> cards.Svg:
    """The hidden drawing of what the pictures of games show."""
    return _drawing(games, switches, i18n.language())


@lru_cache(maxsize=64)
def _drawing(games: tuple[str, ...], switches: bool, spoken: str) -> cards.Svg:
    return cards.sprite(face for game in games for face in pictures.faces_of(by_id(game), switches))


def levels() -> list[Any]:
    """The bots that people choose from, without personas: from the weakest on, then those of other packages, then the one
    that does not think."""
    offered = absent.BOTS if absent.alone() else [name for name in BOTS if name not in LABORATORY]
    return sorted((BOTS[name] for name in offered), key=lambda bot: bot.name == RANDOM.name)


def _introduced(game: str, name: str) -> str:
    """A bot's level and persona."""
    return introduced(by_id(game), name)


def _persona_of(game: str, name: str) -> str:
    """The persona in a bot's name, if there is one; of a bot that a host has added its own name."""
    return title(by_id(game), name) or ("" if name.partition(":")[0] in _OURS else name)


def _how(game: str, name: str) -> str:
    """How a bot plays; nothing if it is not installed any more."""
    player = known(name)
    return how(by_id(game), player) if player else ""


def _no_nets(table: About, name: str) -> str:
    """That a bot plays without its nets at a table; nothing if it does not."""
    options = json.dumps({option: value for option, value, *_ in table.options})
    return no_nets() if _without_nets(table.game, name, options) else ""


@lru_cache(maxsize=256)
def _without_nets(game: str, name: str, options: str) -> bool:
    return without_nets(by_id(game), known(name), json.loads(options))


def games_for(players: int) -> list[tuple[str, str]]:
    """The games that so many can play: id and title."""
    return [(book.id, book.called) for book in rulebooks().values() if book.players[0] <= players <= book.players[1]]


def coloured(table: About) -> str:
    """The classes of a page on which some seats have other colours than their numbers say (base.css)."""
    return "".join(f" p{seat}-is-{colour}" for seat, colour in enumerate(table.colours) if seat != colour)


def _face(face: Any) -> cards.Svg:
    """A face of any kind, as decoration."""
    _draw, width, height = cards.FRONTS[face.kind]
    kind = "card" if face.kind == "rank" else face.kind
    return cards.instance(kind, width, height, "", f'<use href="#{face.key}"/>')


def message(title: str, sentence: str, link: str, words: str, number: str = "") -> str:
    """A page with one sentence and one way on. number: the id of a refusal."""
    return page("message.html", title=title, sentence=capitalized(sentence), link=link, words=words, number=number)


def page(template: str, **facts: Any) -> str:
    """A page of a template."""
    return environment().get_template(template).render(**facts)


def tile(book: Rulebook) -> dict[str, Any]:
    """A game as it is offered."""
    offer, (low, high) = offer_of(book), book.players
    return {
        "id": book.id,
        "title": book.called,
        "sentence": book.say(offer.sentence) if offer.sentence else summary(book),
        "range": f"{low}–{high}" if low < high else str(low),
        "minutes": f"{offer.minutes[0]}–{offer.minutes[1]}" if offer.minutes else "",
        "weight": _(WEIGHTS[offer.weight - 1]) if offer.weight else "",
        "dots": "●" * offer.weight + "○" * (len(WEIGHTS) - offer.weight) if offer.weight else "",
        "picture": pictures.picture(book),
        "learn": f"/learn/{book.id}" if (book.folder / LESSONS).exists() else "",
    }


def deal_of(deal: DailyDeal) -> dict[str, Any]:
    book = deal.book
    company = [_("“{words}”", words=_introduced(book.id, name)) for name in deal.bots]
    return {"day": deal.day, "id": book.id, "title": book.title, "company": listed(company), "players": deal.players}


def summary(book: Rulebook) -> str:
    return book.say(book.summary)


def described(book: Rulebook, option: Option) -> dict[str, Any]:
    """An option as a form and a table of options need it."""
    values: list[Any] = [True, False] if isinstance(option.default, bool) else list(option.words)
    translated = book.say
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
        "tunable": option.tunable,
        "acts": _acts(book, option),
    }


def _acts(book: Rulebook, option: Option) -> str:
    """When an option acts, where that depends on another option that is off as a rule, or on the number of players."""
    values = {o.name: o.default for o in book.options}
    sentences = [
        _("Acts only {need}.", need=need.only(Titles(book)))
        for need in option.needs
        if isinstance(need, Players)
        or (isinstance(need, With) and not any(values[name] for name in need.names))
        or (isinstance(need, Value) and values[need.name] not in need.among)
    ]
    return " ".join(sentences)
