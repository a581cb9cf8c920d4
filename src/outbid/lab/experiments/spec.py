"""The experiment file: TOML, read into an `Experiment`; every mistake is one sentence that names the file, the place and
what would be right.

    experiment = read(Path("overbid.toml"))     # experiment.cells are what is played

docs/lab.md has a file with all that it may say, line by line, which a test reads; `outbid lab new` writes one with comments.
"""

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outbid.bots import load_bot
from outbid.bots.outside import FILE, NetBot
from outbid.core.chance import stream
from outbid.core.errors import BadSetup, OutbidError
from outbid.core.hooks.policy_params import STEADY
from outbid.core.language.phrases import meant
from outbid.core.rulebook import Rulebook, check_seed
from outbid.lab.experiments import measures, variants
from outbid.lab.experiments.measures import TimeModel
from outbid.lab.experiments.variants import Variant
from outbid.runs import recorded
from outbid.runs.seating import rotations
from outbid.runs.sources import RECORDS

FORMAT = "outbid-experiment/1"
DEALS = 2000
MOST_DEALS = 1_000_000_000
SAMPLE = 1000
KEYS = (
    "format", "name", "game", "question", "players", "deals", "seed", "measures", "baseline", "company", "variant", "over",
    "stop", "time", "sample", "learn", "matters", "ask",
)
LEARNED = "learned"  # in a company: the net that was trained on the variant
MOST_MINUTES = 7 * 24 * 60.0  # fmt: skip


@dataclass(frozen=True)
class Company:
    """Who sits at the table. seats: bots, repeated round it."""

    name: str
    seats: tuple[str, ...]

    def at(self, players: int) -> tuple[str, ...]:
        """A bot for each seat."""
        return tuple(self.seats[seat % len(self.seats)] for seat in range(players))


@dataclass(frozen=True)
class Stop:
    """When a run ends before all deals are played: no comparison of these measures is open, or so many seconds are over."""

    on: tuple[str, ...]
    seconds: float = math.inf


@dataclass(frozen=True)
class Cell:
    """One variant, one company, one number of players."""

    variant: Variant
    company: Company
    players: int
    net: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """A bot for each seat, as results call it."""
        return self.company.at(self.players)

    @property
    def seats(self) -> tuple[str, ...]:
        """A bot for each seat, as it is played: the net of the variant for `learned`."""
        return tuple(self.net if name == LEARNED else name for name in self.names)

    @property
    def rotations(self) -> int:
        """How often each deal is played."""
        return rotations(self.seats)

    @property
    def recorded(self) -> bool:
        """Whether its matches are read from a file."""
        return recorded.is_recorded(self.names)

    def seed_of(self, seed: int, deal: int) -> int:
        """The seed of a deal; NO_SEED where it was read."""
        return recorded.NO_SEED if self.recorded else stream(seed, deal)

    @property
    def key(self) -> tuple[str, str, int]:
        """Names of variant and company, and the number of players."""
        return self.variant.name, self.company.name, self.players


@dataclass(frozen=True)
class Experiment:
    """What is to be played. text: the file. sample: matches of each cell for measures that need more than the rules. learn:
    minutes that a net is trained on each variant; nets: by the variant's name, those that were. matters: by measure, the
    smallest differences that do; ask: one of measures.QUESTIONS, perhaps with a thing, or ""."""

    game: str
    name: str
    question: str
    players: tuple[int, ...]
    deals: int
    seed: int
    measures: tuple[str, ...]
    baseline: str
    companies: tuple[Company, ...]
    variants: tuple[Variant, ...]
    over: Mapping[str, Sequence[Any]]
    time: TimeModel
    stop: Stop | None
    sample: int
    text: str
    learn: float = 0.0
    matters: Mapping[str, float] = field(default_factory=dict)
    ask: str = ""
    nets: Mapping[str, str] = field(default_factory=dict)

    @property
    def book(self) -> Rulebook:
        return variants.book_of(self.game)

    @property
    def cells(self) -> list[Cell]:
        """All cells, in the order of the columns."""
        nets = self.nets
        return [Cell(v, c, p, nets.get(v.name, "")) for v in self.variants for c in self.companies for p in self.players]

    @property
    def matches(self) -> int:
        """How many matches all deals are."""
        return self.deals * sum(cell.rotations for cell in self.cells)

    @property
    def warnings(self) -> list[str]:
        """A sentence for each option that is set and does nothing."""
        sentences = []
        for variant in self.variants:
            book = variants.book_of(self.game, variant.rule)
            for players in self.players:
                sentences += [f"{variant.name}: {sentence}" for sentence in book.idle(variant.options, players)]
        return list(dict.fromkeys(sentences))


def read(path: Path) -> Experiment:
    """The experiment of a file. Raises BadSetup."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadSetup(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BadSetup(f"{path} is not UTF-8 text.") from error
    return parse(text, str(path), path.stem)


def parse(text: str, where: str = "", name: str = "experiment") -> Experiment:
    """The experiment of a TOML text. Raises BadSetup."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSetup(f"{where or 'The experiment'} is not TOML: {error}.") from error
    try:
        return _experiment(_Table(given, ""), name, text)
    except OutbidError as error:
        raise BadSetup(f"{where}: {error}" if where else str(error)) from error


class _Table:
    """A table of the file, whose keys are taken out one by one. place: where it stands, for sentences."""

    def __init__(self, given: Any, place: str):
        if not isinstance(given, dict):
            raise BadSetup(f"{place} must be a table.")
        self.given, self.place = dict(given), place

    def take(self, key: str, kind: type | tuple[type, ...], words: str, default: Any = None) -> Any:
        """The value of a key, if it is of this kind. Raises BadSetup."""
        value = self.given.pop(key, default)
        if value is default:
            return default
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, kind) or (isinstance(value, bool) and bool not in kinds):
            raise BadSetup(f"{self._named(key)} is {value!r}; it must be {words}.")
        return value

    def texts(self, key: str, default: Sequence[str]) -> tuple[str, ...]:
        value = self.take(key, list, 'a list of texts, such as ["steady"]', list(default))
        if not value or not all(isinstance(text, str) and text for text in value):
            raise BadSetup(f'{self._named(key)} is {value!r}; it must be a list of texts, such as ["steady"].')
        return tuple(value)

    def done(self, known: Sequence[str]) -> None:
        """Refuse the keys that nobody has read. Raises BadSetup."""
        for key in self.given:
            raise BadSetup(f"{self._named(key)} is unknown; there are {', '.join(known)}.{meant(key, known)}")

    def _named(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key


def _experiment(table: _Table, name: str, text: str) -> Experiment:
    format = table.take("format", str, f'"{FORMAT}"', FORMAT)
    if format != FORMAT:
        raise BadSetup(f'format is {format!r}; this program reads "{FORMAT}".')
    for key in table.given:
        if key not in KEYS:
            raise BadSetup(f"{key} is unknown; there are {', '.join(KEYS)}.{meant(key, KEYS)}")
    game = table.take("game", str, 'the name of a game or of its file, such as "kuhhandel"')
    if not game:
        raise BadSetup('game is missing; it is the name of a game or of its file, such as game = "kuhhandel".')
    book = variants.book_of(game)
    baseline = table.take("baseline", str, "the name of a variant", "")
    stop = table.take("stop", dict, "a table [stop]")
    time = _Table(table.take("time", dict, "a table [time]", {}), "time")
    usual = vars(TimeModel()).items()
    seconds = [float(time.take(key, (int, float), "a number of seconds", default)) for key, default in usual]
    time.done(("move", "bit"))
    if min(seconds) < 0:
        raise BadSetup("[time] has negative seconds.")
    over = table.take("over", dict, 'a table of options and their values, such as trade_stall = "20..100/20"', {})
    rows = table.take("variant", list, "a list of tables [[variant]]", [])
    over = _with_given(game, _variants(game, rows, {})[0], over) if over else {}
    tested = _variants(game, rows, over)
    swept = {"", *(variant.of for variant in tested)}  # a name of these is no point of a sweep
    ask = table.take("ask", str, f"one of {', '.join(measures.QUESTIONS)}", "")
    if ask:
        measures.check_asked(book, ask)
    players = _players(book, table.take("players", (int, list), "a number or a list of numbers", book.players[1]))
    usual_measures = measures.QUESTIONS.get(measures.question_of(ask), measures.USUAL)
    if ask == measures.TENSION and "measures" not in table.given and _is_judged(game, tested, players):
        usual_measures = *usual_measures, measures.CURVE
    asked = measures.check(book, table.texts("measures", usual_measures))
    learn = float(table.take("learn", (int, float), "a number of minutes", 0.0))
    if not 0 <= learn <= MOST_MINUTES:
        raise BadSetup(f"learn is {learn}; it must be minutes, from 0 to {MOST_MINUTES:.0f}.")
    given = table.take("company", list, "a list of tables [[company]]", [])
    experiment = Experiment(
        game=game,
        name=table.take("name", str, "a text", name),
        question=table.take("question", str, "a text", ""),
        players=players,
        deals=_number(table, "deals", DEALS, 2, MOST_DEALS),
        seed=check_seed(table.take("seed", int, "a whole number", 0)),
        measures=tuple(asked),
        baseline=_first([row for row in tested if row.of == baseline] or tested) if baseline in swept else baseline,
        companies=_companies(book, given, players, learn > 0),
        variants=tested,
        over=over,
        time=TimeModel(*seconds),
        stop=None if stop is None else _stop(_Table(stop, "stop"), asked),
        matters=_matters(table, asked, (stop or {}).get("smallest", {})),
        sample=_number(table, "sample", SAMPLE, 2, 1_000_000),
        text=text,
        learn=learn,
        ask=ask,
    )
    if experiment.baseline not in [variant.name for variant in tested]:
        raise BadSetup(
            f"baseline is {baseline!r}, and no variant has this name.{meant(baseline, [variant.name for variant in tested])}"
        )
    _check_nets(experiment)
    for variant in tested:
        for number in players:
            try:
                variants.book_of(game, variant.rule).check_players(number, variant.options)
            except OutbidError as error:
                raise BadSetup(f"variant {variant.name!r} with {number} players: {error}") from error
    for cell in experiment.cells:
        if cell.recorded:
            options = cell.variant.options
            recorded.check(variants.book_of(game, cell.variant.rule), options, cell.players, cell.names[0], experiment.deals)
    return experiment


def _is_judged(game: str, tested: Sequence[Variant], players: Sequence[int]) -> bool:
    """Whether a net says in all variants who leads, which is affordable; rollouts take minutes."""
    from outbid.lab.experiments.playing.sample import has_net

    places = [(variants.book_of(game, variant.rule), variant, number) for variant in tested for number in players]
    return all(
        not variant.rule and number in range(book.players[0], book.players[1] + 1) and has_net(book, variant.options, number)
        for book, variant, number in places
    )


def _with_given(game: str, variant: Variant, over: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The values of a sweep, with those of the rules that are swept among them."""
    book, values = variants.book_of(game, variant.rule), {}
    for name, text in over.items():
        known = variants.values(book, name, text)
        given = variants.value_of(book, variant.options, name)
        values[name] = known if given in known else [given, *known]
        if all(isinstance(value, int) for value in values[name]):
            values[name].sort()
    return values


def _first(points: Sequence[Variant]) -> str:
    """What the others are compared with: in a sweep the given rules, where they are among them; else the first of these."""

    def as_given(variant: Variant) -> bool:
        return bool(variant.over) and not {name.partition("[")[0] for name in variant.over} & set(variant.options)

    return next(filter(as_given, points), points[0]).name


def _number(table: _Table, key: str, default: int, low: int, high: int) -> int:
    value: int = table.take(key, int, f"a whole number from {low} to {high}", default)
    if not low <= value <= high:
        raise BadSetup(f"{key} is {value}; it must be a whole number from {low} to {high}.")
    return value


def _players(book: Rulebook, given: Any) -> tuple[int, ...]:
    numbers = given if isinstance(given, list) else [given]
    if not numbers or not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
        raise BadSetup(f"players is {given!r}; it must be a number or a list of numbers, such as {book.players[0]}.")
    return tuple(dict.fromkeys(numbers))


def _companies(book: Rulebook, given: list[Any], players: Sequence[int], learns: bool) -> tuple[Company, ...]:
    """The companies of the file. Where nets learn and no company names them, they come among themselves and alone among the
    steady bot, too."""
    companies = []
    for number, row in enumerate(given or [{"name": STEADY, "seats": [STEADY]}]):
        table = _Table(row, f"company {number + 1}")
        seats = table.texts("seats", (STEADY,))
        name = table.take("name", str, "a text", ", ".join(seats))
        table.done(("name", "seats"))
        for seat in seats:
            if seat == LEARNED and not learns:
                raise BadSetup(f"company {name!r} has the bot learned; say how many minutes nets learn: learn = 5.")
            if seat.startswith(RECORDS) and len(set(seats)) > 1:
                raise BadSetup(f"company {name!r} has other seats beside {seat}; a file of records is a company of its own.")
            if seat != LEARNED and not seat.startswith(RECORDS):
                known_bot(book, seat)
        if len(seats) > max(players):
            raise BadSetup(f"company {name!r} has {len(seats)} bots, and there are {max(players)} seats at most.")
        companies.append(Company(name, seats))
    if learns and not any(LEARNED in company.seats for company in companies):
        companies.append(Company(LEARNED, (LEARNED,)))
        companies.append(Company(f"{LEARNED} among {STEADY}", (LEARNED, *[STEADY] * (max(players) - 1))))
    return _distinct(companies, "companies")


def known_bot(book: Rulebook, name: str) -> None:
    """Refuse a bot that is not there. Who runs an experiment has written it: nets are read and modules run."""
    if name not in book.personas.policies:
        load_bot(name, book if not name.startswith(FILE) else None)


def _check_nets(experiment: Experiment) -> None:
    """Refuse nets that have not learned the rules of a variant."""
    for name in dict.fromkeys(seat for company in experiment.companies for seat in company.seats if seat.startswith(FILE)):
        for variant in experiment.variants:
            book = variants.book_of(experiment.game, variant.rule)
            try:
                NetBot.load(name).under(book.fresh(variant.options))
            except OutbidError as error:
                raise BadSetup(f"variant {variant.name!r}: {error} `learn` trains a net for each variant.") from error


def _variants(game: str, given: list[Any], over: Mapping[str, Any]) -> tuple[Variant, ...]:
    known = ("name", "preset", "options", "says", "rule")
    rows = []
    for number, row in enumerate(given or [{}]):
        table = _Table(row, f"variant {number + 1}")
        name = table.take("name", str, "a text", "")
        rule = table.take("rule", str, "a file that changes a rule, such as house.py", "")
        book = variants.book_of(game, rule)
        preset = table.take("preset", str, f"a preset: {', '.join(['seed', *book.presets])}", "seed")
        options = table.take("options", dict, 'a table, such as { overbid = "forbidden" }', {})
        says = table.take("says", str, "a sentence", "")
        table.done(known)
        points = variants.points(book, over)
        for swept in set(over) & set(options):
            raise BadSetup(f"The option {swept} is set and swept; it is one or the other.")
        try:
            name = name or variants.name_of(rule, preset, options)
            if over:
                several = name if len(given) > 1 else ""
                for point in points:
                    called = ": ".join(filter(None, [several, variants.named(point)]))
                    rows.append(Variant.from_preset(book, called, preset, {**options, **point}, says, point, rule, name))
            else:
                rows.append(Variant.from_preset(book, name, preset, options, says, rule=rule))
        except OutbidError as error:
            raise BadSetup(f"variant {name or number + 1}: {error}" if given else str(error)) from error
    return _distinct(rows, "variants")


def _distinct(items: list[Any], words: str) -> tuple[Any, ...]:
    names = [row.name for row in items]
    for name in names:
        if names.count(name) > 1:
            raise BadSetup(f"Two {words} are called {name!r}; each needs a name of its own.")
    return tuple(items)


def _stop(table: _Table, asked: Sequence[str]) -> Stop:
    on = table.texts("on", asked[:1])
    seconds = float(table.take("seconds", (int, float), "a number of seconds", math.inf))
    table.take("smallest", dict, "a table of measures and numbers")  # which is `matters` by its older name
    table.done(("on", "seconds"))
    for name in on:
        if name not in asked:
            raise BadSetup(f"stop names the measure {name!r}, which is not among the measures: {', '.join(asked)}.")
        if measures.is_sampled(name):
            raise BadSetup(f"stop names the measure {name!r}, which is taken of a sample; it cannot end a run.")
    if seconds <= 0:
        raise BadSetup(f"stop.seconds is {seconds}; it must be above 0.")
    return Stop(on, seconds)


def _matters(table: _Table, asked: Sequence[str], before: Mapping[str, Any]) -> dict[str, float]:
    """The smallest differences that matter, by measure. before: as [stop] named them."""
    rows = _Table({**before, **table.take("matters", dict, "a table of measures and numbers", {})}, "matters")
    for name, value in rows.given.items():
        if name not in asked:
            raise BadSetup(f"matters names the measure {name!r}, which is not among the measures: {', '.join(asked)}.")
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            raise BadSetup(f"matters.{name} is {value!r}; it must be a number above 0.")
    return {name: float(value) for name, value in rows.given.items()}


def toml(given: Mapping[str, Any]) -> str:
    """An experiment as TOML, laid out to be read and changed: plain values first, then a table for each row."""
    plain = {key: value for key, value in given.items() if not _is_table(value)}
    lines = _assigned(plain)
    for key, value in given.items():
        if key not in plain:
            head, rows = (f"[{_key(key)}]", [value]) if isinstance(value, Mapping) else (f"[[{_key(key)}]]", value)
            for row in rows:
                lines += ["", head, *_assigned(row)]
    return "\n".join(lines) + "\n"


def _assigned(row: Mapping[str, Any]) -> list[str]:
    return [f"{_key(name)} = {_toml(value)}" for name, value in row.items()]


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and bool(value) and isinstance(value[0], Mapping))


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else _toml(name)


def _toml(value: Any) -> str:
    """A value; what is no table is written as in JSON, but for a sign that JSON leaves and TOML forbids."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_assigned(value))} }}" if value else "{}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
