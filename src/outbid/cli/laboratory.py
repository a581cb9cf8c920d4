"""`outbid lab new | fields | run | compare | sweep | tune | people | report | list | watch`: experiments on rules."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbid.cli.arguments import AsJson, GameName, On, Seed, names_in, progress
from outbid.cli.declared import declared
from outbid.core.errors import BadSetup
from outbid.core.extras import Missing
from outbid.core.language import i18n
from outbid.core.language.phrases import plural

if TYPE_CHECKING:
    from outbid.core.rulebook import Rulebook
    from outbid.lab.experiments.runner import Progress
    from outbid.lab.experiments.spec import Experiment
    from outbid.lab.experiments.store import Run
    from outbid.runs.recorded import RecordedMatch

app = typer.Typer(
    help="Change a rule, play many matches, see the difference: new, fields, run, compare, sweep, tune, people, report, "
    "list, watch.",
    epilog="Examples: outbid lab compare kuhhandel --b overbid=forbidden · outbid lab compare claim --ask fairness -n 6 "
    "(how good is each seat?) · outbid lab new kuhhandel · "
    "outbid lab sweep kuhhandel --over trade_stall=10..100/10",
    no_args_is_help=True,
)

RunName = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run, or its name under outbid-runs.")]
Over = Annotated[
    list[str],
    typer.Option("--over", metavar="NAME=RANGE", help="LOW..HIGH, LOW..HIGH/STEP, or values; several times for several."),
]
Option = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE", help="A rule that is changed everywhere; also preset=NAME, rule=FILE."
    ),
]
Server = Annotated[
    str, typer.Option("--server", metavar="URL", help="A table server: its replays and tables with these rules are linked.")
]
Language = Annotated[str, typer.Option("--language", metavar="CODE", help="Of the report: en or de.")]


# --- options that several commands have (declared.py) ---


@dataclass(frozen=True)
class PlayOptions:
    """The options of a command that say what an experiment plays."""

    players: Annotated[
        list[int] | None, typer.Option("--players", "-n", help="Number of seats; several times for several numbers.")
    ] = None
    company: Annotated[
        list[str] | None,
        typer.Option("--company", "-c", metavar="BOTS", help="Who plays: bots, comma-separated; several times for several."),
    ] = None
    deals: Annotated[int | None, typer.Option("--deals", "-d", min=2, help="Deals of each variant and company.")] = None
    seed: Seed = 0
    question: Annotated[str, typer.Option("--question", help="The question, for the report.")] = ""

    def spec(self, game: str) -> dict[str, Any]:
        """Give the experiment as its file says it."""
        facts: dict[str, Any] = {"format": "outbid-experiment/1", "game": game, "question": self.question, "seed": self.seed}
        if self.players:
            facts["players"] = list(self.players)
        if self.deals:
            facts["deals"] = self.deals
        companies = map(names_in, self.company or ["steady"])
        facts["company"] = [{"name": ", ".join(bots), "seats": bots} for bots in companies]
        return facts


@dataclass(frozen=True)
class CompareOptions(PlayOptions):
    """What is played and compared."""

    measures: Annotated[
        str, typer.Option("--measures", "-m", help="What is compared, comma-separated; the first decides.")
    ] = ""
    matters: Annotated[
        list[str] | None,
        typer.Option("--matters", metavar="MEASURE=NUMBER", help="The smallest difference that matters; several times."),
    ] = None
    preset: Annotated[str, typer.Option("--preset", help="A named set of options that the variants change.")] = "seed"
    questions: Annotated[
        list[str] | None,
        typer.Option("--ask", metavar="QUESTION", help="Answer a question, without --b about the given rules: fairness (are "
                     "all seats equally good?), length, tension, runaway, skill, card, interaction."),
    ] = None
    learn: Annotated[
        float, typer.Option("--learn", metavar="MINUTES", help="Train a net on each variant for so long; it plays, too.")
    ] = 0.0

    @property
    def ask(self) -> str:
        """The question, if one is asked. Raises BadSetup."""
        first, *others = self.questions or [""]
        if others:
            raise BadSetup(f"A run answers one question; ask for {first} first, and for {others[0]} in a run of its own.")
        return first

    @property
    def names(self) -> list[str]:
        """The names of the measures."""
        return names_in(self.measures)

    def spec(self, game: str) -> dict[str, Any]:
        """Give the experiment as its file says it."""
        facts = super().spec(game)
        if self.names:
            facts["measures"] = self.names
        if self.ask:
            facts |= self._asked()
        if self.matters:
            pairs = (each.partition("=") for each in self.matters)
            facts["matters"] = {name: _number(name, value) for name, _, value in pairs}
        return facts | ({"learn": self.learn} if self.learn else {})


    def _asked(self) -> dict[str, Any]:
        """What a question brings: three companies."""
        if self.company:
            return {"ask": self.ask}
        companies = (["steady"], ["easy"], ["steady", "easy"])
        return {"ask": self.ask, "company": [{"name": ", ".join(bots), "seats": bots} for bots in companies]}


@dataclass(frozen=True)
class OutputOptions:
    """Where it is played and kept, and how it is told."""

    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Where the run is kept; outbid-runs/… if left out.")
    ] = None
    on: On = None
    report: Annotated[bool, typer.Option("--report/--no-report", help="Write the report as well.")] = True
    server: Server = ""
    language: Language = "en"
    as_json: AsJson = False

    def write(self, folder: Path) -> list[Path]:
        """The report, if it is wanted and its plots can be drawn here."""
        return _report(folder, self.server, self.language) if self.report else []


@dataclass(frozen=True)
class RunOptions(OutputOptions):
    """Where a run is played and kept that may stand in the way of another."""

    force: Annotated[bool, typer.Option("--force", help="Replace another run in the same folder.")] = False


@app.command(
    epilog="Examples: outbid lab new kuhhandel · outbid lab new rivals --out gold.toml · "
    "outbid lab new kuhhandel --ask fairness --b overbid=forbidden --run"
)
def new(
    game: GameName,
    ask: Annotated[str, typer.Option("--ask", metavar="QUESTION", help="What it is about; then nothing is asked.")] = "",
    b: Annotated[str, typer.Option("--b", metavar="NAME=VALUE", help="The rule to change; then nothing is asked.")] = "",
    players: Annotated[int | None, typer.Option("--players", "-n", help="Number of seats.")] = None,
    play: Annotated[bool, typer.Option("--run", help="Play it at once.")] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="The file; asked for if left out.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
) -> None:
    """Ask a few questions and write a commented experiment file."""
    from outbid.core.files import appearing
    from outbid.core.rulebook import rulebook
    from outbid.lab.experiments import asking, spec

    book = rulebook(game)
    rule, sign, value = b.partition("=")
    if b and not sign:
        raise BadSetup(f"{b!r} is not NAME=VALUE, such as {_example(book)}.")
    answers = {"about": ask, "rule": rule, "value": value, "players": str(players or "")}
    text, name = asking.asked(book, game, asking.ask, {key: answer for key, answer in answers.items() if answer})
    spec.parse(text)
    file = out or Path(f"{name}.toml")
    with appearing(file, force) as beside:
        beside.write_text(text, encoding="utf-8")
    print(f"Wrote {file}. Run it with: outbid lab run {file}", file=sys.stderr if play else sys.stdout)
    if play:
        _play(spec.read(file), None, RunOptions())


@app.command(
    epilog="Examples: outbid lab fields kuhhandel · outbid lab fields kuhhandel --rules · outbid lab fields house.py --json"
)
def fields(
    game: GameName,
    rules: Annotated[bool, typer.Option("--rules", help="List the functions that a changed rule may replace.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the fields of a game's state, by which own measures and changed rules are written: final["NAME"] is an array."""
    from outbid.core.rulebook import rulebook
    from outbid.lab.arena import columns
    from outbid.lab.experiments.fields import functions, state_fields

    if rules:
        named = [(name, " ".join(text.split())) for name, text in functions(rulebook(game))]
        print(json.dumps(dict(named)) if as_json else "\n".join(columns([["function", "what it does"], *map(list, named)])))
        return
    listed = state_fields(rulebook(game))
    if as_json:
        print(json.dumps([field.as_dict for field in listed]))
        return
    rows = [["field", "shape", "type", "meaning"]]
    for field in listed:
        meaning = ": ".join(filter(None, [field.part, field.meaning]))
        rows.append([field.name, " × ".join(map(str, field.shape)), field.type, meaning])
    print(*columns(rows), sep="\n")


@app.command(epilog="Examples: outbid lab run overbid.toml · outbid lab run overbid.toml --on local:2 --json")
@declared
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An experiment file, or the folder of a run to go on with.")],
    how: RunOptions,
    pinned: Annotated[
        bool, typer.Option("--pin", help="Write beside the file what it came to; who repeats it is told what has changed.")
    ] = False,
) -> None:
    """Play an experiment; the same command goes on where it was interrupted."""
    from outbid.lab.experiments import provenance, spec

    folder, given = how.out, file
    if file.is_dir():
        if not (file / "experiment.toml").is_file():
            raise BadSetup(f"{file} is a folder, and no run: it has no experiment.toml.")
        file, folder = file / "experiment.toml", file if how.out is None else how.out
    played = _play(spec.read(file), folder, how)
    if pinned:
        print(f"Pinned in {provenance.pin(given, played)}.", file=sys.stderr)
    for line in [] if pinned else provenance.compared(given, played):
        print(line, file=sys.stderr)


@app.command(
    epilog="Examples: outbid lab compare kuhhandel --b overbid=forbidden · outbid lab compare claim --ask fairness -n 6 · "
    "outbid lab compare kuhhandel --a overbid=forbidden --b zeros_return=true -n 4 -c steady -c easy -m turns,minutes"
)
@declared
def compare(
    game: GameName,
    a: Annotated[
        list[str] | None,
        typer.Option("--a", metavar="NAME=VALUE", help="What variant A changes; the rules as they are if left out."),
    ] = None,
    b: Annotated[
        list[str] | None,
        typer.Option("--b", metavar="NAME=VALUE", help="What variant B changes (`outbid rules GAME` lists options); also "
                     "preset=NAME, rule=FILE."),
    ] = None,
    *,
    wanted: CompareOptions,
    how: RunOptions,
    until_settled: Annotated[
        bool, typer.Option("--until-settled", help="Stop as soon as the first measure is settled in every comparison.")
    ] = False,
) -> None:
    """Play two sets of rules on the same deals and say what differs; with --ask, answer a question, also about one set."""
    from outbid.core.rulebook import rulebook
    from outbid.lab.experiments import variants
    from outbid.lab.experiments.measures import USUAL

    book = rulebook(game)
    if not a and not b and not wanted.ask:
        raise BadSetup(f"Nothing is changed; name an option with --b, such as --b {_example(book)}.")
    rows: list[dict[str, Any]] = []
    played: list[tuple[str, dict[str, Any]]] = []
    for given in (a, b) if b else (b, a) if a else (a,):
        row = _variant(game, given, wanted.preset)
        rule, named, options = row.get("rule", ""), row["preset"], row["options"]
        rows.append(row)
        played.append((rule, variants.changed(variants.book_of(game, rule), named, options)))
    if played[0] == played[-1] and len(played) > 1:
        raise BadSetup(f"Both variants are the same: {rows[0]['name']}, {rows[1]['name']}.")
    spec = wanted.spec(game)
    if until_settled:
        spec["stop"] = {"on": (wanted.names or list(USUAL))[:1]}
    _play_given({**spec, "variant": rows}, [str(row["name"]) for row in rows], how)


@app.command(
    epilog="Examples: outbid lab sweep kuhhandel --over trade_stall=10..100/10 · "
    "outbid lab sweep rivals --over coins=20..60/10 --over bonus=0..16/4 -n 3"
)
@declared
def sweep(game: GameName, over: Over, option: Option = None, *, wanted: CompareOptions, how: RunOptions) -> None:
    """Play a range of values of one option, or of several, on the same deals."""
    from outbid.lab.experiments import variants

    row = _variant(game, option, wanted.preset)
    book = variants.book_of(game, row.get("rule", ""))
    axes = {name: variants.values(book, name, text) for name, text in _axes(book, over).items()}
    changed = [row["name"]] if option else []
    _play_given({**wanted.spec(game), "variant": [row], "over": axes}, [*changed, "over", *axes], how)


@app.command(
    epilog="Examples: outbid admin export friday.jsonl --for-lab · outbid lab people friday.jsonl · "
    "outbid lab people friday.jsonl --game rivals -n 3 -c steady -c easy · outbid lab people friday.jsonl --fit friday.json"
)
@declared
def people(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Records, one a line, such as of `outbid admin export`.")],
    game: Annotated[str, typer.Option("--game", help="Its name or file; the game of most matches if left out.")] = "",
    players: Annotated[int, typer.Option("--players", "-n", help="For how many; as most matches are if left out.")] = 0,
    *,
    company: Annotated[
        list[str] | None,
        typer.Option("--company", "-c", metavar="BOTS", help="Who plays beside them: bots, comma-separated; several times."),
    ] = None,
    measures: Annotated[str, typer.Option("--measures", "-m", help="What is told, comma-separated.")] = "",
    seed: Annotated[int, typer.Option("--seed", "-s", help="Of the deals of the bots.")] = 0,
    fit: Annotated[
        Path | None, typer.Option("--fit", metavar="FILE", help="Fit a bot to them, and write it there: it is like@FILE.")
    ] = None,
    how: RunOptions,
) -> None:
    """Read finished matches of people as a run, beside as many matches of bots by the same rules."""
    from outbid.core.rulebook import rulebook
    from outbid.lab.experiments import variants
    from outbid.lab.experiments.measures import TimeModel
    from outbid.runs import recorded
    from outbid.runs.sources import RECORDS

    wanted_game = rulebook(game).id if game else ""
    groups = recorded.groups(file)
    fitting = [key for key in groups if wanted_game in ("", key[0]) and players in (0, key[2])]
    if not fitting:
        known = "; ".join(_group(key, len(matches)) for key, matches in groups.items()) or "none"
        raise BadSetup(f"{file} has no such finished matches; it has {known}.")
    first = fitting[0]
    chosen = groups[first]
    if len(groups) > 1:
        rest = "; ".join(_group(key, len(matches)) for key, matches in groups.items() if key != first)
        print(f"Read: {_group(first, len(chosen))}. Left out: {rest}.", file=sys.stderr)
    alone = sum(not match.mixed for match in chosen)
    if alone < len(chosen):
        print(f"A bot played in {len(chosen) - alone} of them, which are not compared; bots' moves are never fitted to.",
              file=sys.stderr)  # fmt: skip
    companies = list(company or ["steady"])
    if fit is not None:
        companies.append(_fitted(chosen, fit, seed, how.as_json))
    if alone < 2 and fit is not None:
        return
    if alone < 2:
        raise BadSetup(f"{file} has only {_group(first, alone)} and without bots; an interval needs two matches.")
    options = json.loads(first[1])
    times = recorded.pace(chosen)
    time_model = TimeModel(*times) if times else None
    if time_model is not None:
        pace = f"{time_model.move} s a move, {time_model.bit} s for each halving of its choices"
        print(f"Their pace, by which minutes are told: {pace}.", file=sys.stderr)
    names = names_in(measures)
    wanted = PlayOptions(players=[first[2]], company=companies, deals=alone, seed=seed)
    given = wanted.spec(game or first[0])
    given["company"] = [{"name": "people", "seats": [f"{RECORDS}{file}"]}, *given["company"]]
    given["variant"] = [{"name": variants.named(options) or "as it is", "options": options}]
    given |= {"measures": names} if names else {}
    given |= {"time": vars(time_model or TimeModel())}
    _play_given(given, [file.stem], how)


@app.command(
    epilog="Examples: outbid lab report outbid-runs/overbid · "
    "outbid lab report overbid --server http://127.0.0.1:8710 --language de"
)
def report(folder: RunName, server: Server = "", language: Language = "en") -> None:
    """Write the report of a run as a page and as Markdown, into its folder."""
    from outbid.lab.experiments.store import Run

    for path in _report(Run.open(folder).folder, server, language, needed=True):
        print(path)


@app.command("list", epilog="Examples: outbid lab list · outbid lab list --json")
def list_runs(
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="Where the runs are.")] = Path("outbid-runs"),
    as_json: AsJson = False,
) -> None:
    """List the runs in a folder, the newest first."""
    from outbid.core.errors import OutbidError
    from outbid.lab.experiments.store import runs

    rows, begun = [], []
    for run in runs(folder):
        if run.begun:
            begun.append(f"{run.name}  not played yet{run.ended and f'; {run.ended}'}")
            continue
        answer: list[str] = []
        try:
            facts = {"run": run.name, "folder": str(run.folder), **run.facts, "ended": run.ended}
            rows.append((facts, answer))
            answer += [facts["question"] or _question(run), *_answer(run)]
        except OutbidError as error:
            print(error, file=sys.stderr)
    if as_json:
        print(json.dumps([{**facts, "answer": " ".join(answer[1:])} for facts, answer in rows]))
    elif not rows + begun:
        print(f"There are no runs in {folder}. Begin with: outbid lab compare kuhhandel --b overbid=forbidden")
    for facts, answer in rows if not as_json else []:
        done, asked = facts["matches_done"], facts["matches_asked"]
        state = facts["stopped"] or "finished" if facts["finished"] else f"{done:,} of {asked:,}"
        state = "; ".join(filter(None, [state, facts["ended"]]))
        print(f"{facts['run']}  {facts['game']}, {plural(done, 'match', 'matches')}, {state}")
        for line in answer[:2]:
            if line:
                print(f"    {line}")
    for line in begun if not as_json else []:
        print(line)


@app.command(epilog="Example: outbid lab watch overbid")
def watch(
    folder: RunName,
    once: Annotated[bool, typer.Option("--once", help="Say how it stands and leave.")] = False,
) -> None:
    """Watch a run that another terminal plays: how far it is, and its first figures."""
    from outbid.lab.experiments.store import Run

    run, shown = Run.open(folder), ""
    while True:
        facts = run.facts
        rate = facts["matches_done"] / facts["seconds"] if facts["seconds"] else 0.0
        left = f", about {_clock((facts['matches_asked'] - facts['matches_done']) / rate)} left" if rate > 0 else ""
        ended = run.ended
        going = ended or f"{rate:,.0f} a second{left}"
        if facts.get("judged") and not ended:
            going = f"{facts['judged']:,} of {facts['to_judge']:,} judged"
        state = facts["stopped"] or "finished" if facts["finished"] else going
        text = f"{facts['matches_done']:,} of {facts['matches_asked']:,} matches, {state}\n{' '.join(_answer(run))}".strip()
        if text != shown:
            print(text, flush=True)
            shown = text
        if once or ended or facts["finished"]:
            return
        time.sleep(2)


@app.command(
    epilog='Examples: outbid lab tune rivals --over coins=20..60/4 --over bonus=0..16/4 --goal "seat_advantage<0.02" · '
    "outbid lab tune kuhhandel --over trade_stall=10..100/10 --goal minutes=30..45 --goal 'skill>0.3' --trials 40"
)
@declared
def tune(
    game: GameName,
    over: Over,
    goal: Annotated[
        list[str],
        typer.Option("--goal", "-g", metavar="GOAL", help="minutes=40, minutes=30..45, ties<0.1, skill>0.4; several times."),
    ],
    option: Option = None,
    trials: Annotated[int, typer.Option("--trials", "-t", min=1, max=100_000, help="Sets of values that are tried.")] = 40,
    *,
    wanted: PlayOptions,
    how: OutputOptions,
) -> None:
    """Search for values of options that reach goals, and check the best on fresh deals and with other company."""
    from outbid.lab.experiments import tune as search
    from outbid.lab.experiments import variants
    from outbid.lab.experiments.goals import Goal

    given = wanted.spec(game)
    given.pop("seed")
    given["name"] = f"{Path(game).stem}-tune"
    row = _variant(game, option)
    axes = _axes(variants.book_of(game, row.get("rule", "")), over)
    plan = search.SearchPlan(given, axes, [Goal.read(text) for text in goal], trials, wanted.seed, row)
    changed = [row["name"]] if option else []
    folder = how.out or _free(_called([Path(game).stem, *changed, "tune", *axes]), plan.kept_in)
    with _playing(folder, "tried") as bar:

        def tell(done: int, asked: int, last: Any) -> None:
            bar.show(done, asked, f"{done} of {asked} sets of values")

        run = search.tune(plan, folder, how.on, tell, bar.say)
    paths = how.write(run.folder)
    tuning = run.read("tune.json")
    if how.as_json:
        print(json.dumps({"run": str(run.folder), **tuning}))
        return
    print(search.as_text(run))
    print(f"Matches: {run.folder}, SHA-256 {run.facts['hash'][:16]}…")
    for path in paths[:1]:
        print(f"Report: {path}")


# --- what commands share ----------------------------------------------------------------------------------------------


def _example(book: Rulebook) -> str:
    option = next((option for option in book.options if option.words), book.options[0] if book.options else None)
    if option is None:
        return "NAME=VALUE"
    return f"{option.name}={option.words[-1] if option.words else option.default}"


def _variant(game: str, given: Sequence[str] | None, preset: str = "seed") -> dict[str, Any]:
    """A variant of NAME=VALUE, as an experiment file says it; a preset or a file that changes a rule are named as options
    are. Raises BadSetup."""
    from outbid.lab.experiments import variants

    special = {key: value for key, _, value in (pair.partition("=") for pair in given or []) if key in ("preset", "rule")}
    rest = [pair for pair in given or [] if pair.partition("=")[0] not in special]
    rule, named = special.get("rule", ""), special.get("preset", preset)
    options = variants.parsed(variants.book_of(game, rule), rest)
    row = {"name": variants.name_of(rule, named, options), "preset": named, "options": options}
    return row | ({"rule": rule} if rule else {})


def _axes(book: Rulebook, over: Sequence[str]) -> dict[str, str]:
    """The options of a search or a sweep, each with its range. Raises BadSetup."""
    from outbid.lab.experiments import variants

    axes = {}
    for pair in over:
        name, sign, text = pair.partition("=")
        if not sign and book.options:
            raise BadSetup(f"{pair!r} is not NAME=RANGE, such as {variants.example(book, pair)}.")
        if name in axes:
            raise BadSetup(f"{name} is given twice; its values are one range or a list, such as {name}=1,2,5.")
        axes[name] = text
    return axes


def _number(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise BadSetup(f"--matters {name}={value} is not MEASURE=NUMBER, such as turns=5.") from None


def _group(group: tuple[str, str, int], n: int) -> str:
    """So many matches that were played by the same rules, in words."""
    from outbid.lab.experiments import variants

    game, options, players = group
    rules = variants.named(json.loads(options)) or "as it is"
    return f"{plural(n, 'match', 'matches')} of {game} for {players}, {rules}"


def _fitted(matches: Sequence[RecordedMatch], file: Path, seed: int, quiet: bool) -> str:
    """Fit a bot to people, write its file and say what was found; its name."""
    from outbid.bots.like import LIKE
    from outbid.lab import people as fitting

    with progress("Fitting", None, figures="compiling, half a minute…") as bar:
        steps = fitting.PeopleSteps.of(matches)
        likeness = fitting.fit(steps, seed, tell=lambda done, asked: bar.show(done, asked, f"{done} of {asked} sweeps"))
    likeness.write(file)
    name = f"{LIKE}{file}"
    print(*likeness.lines, f"In any command they are called {name}.", "", sep="\n", file=sys.stderr if quiet else sys.stdout)
    return name


def _play_given(given: Mapping[str, Any], names: Sequence[str], how: RunOptions) -> None:
    from outbid.lab.experiments import asking, spec

    if given.get("ask") and not {"deals", "stop"} & {*given}:
        given = {**given, **asking.ending(given)}
    name = _called([Path(str(given["game"])).stem, *(name for name in names if name != "as it is")])
    text = spec.toml({**given, "name": name})
    _play(spec.parse(text, "", name), how.out, how)


def _called(words: Sequence[str]) -> str:
    """The name of a run."""
    return re.sub(r"[^a-z0-9_]+", "-", "-".join(words).lower()).strip("-")[:60]


def _play(experiment: Experiment, out: Path | None, how: RunOptions) -> Run:
    from outbid.lab.experiments import runner

    def kept_in(folder: Path) -> bool:
        file = folder / "experiment.toml"
        return file.is_file() and file.read_text(encoding="utf-8") == experiment.text

    folder = out or _free(experiment.name, kept_in)
    for sentence in experiment.warnings:
        print(sentence, file=sys.stderr)

    def preview(run: Run) -> None:
        if how.report and sys.stderr.isatty():
            paths = _report(run.folder)
            first = plural(run.read("results.json")["matches"], "match", "matches")
            text = f"A preview after {first}: {' '.join(_answer(run))}"
            bar.say("\n".join([text, *(f"{path}" for path in paths[:1])]))

    with _playing(folder, "played") as bar:

        def tell(now: Progress) -> None:
            left = "" if now.left is None else f", {_clock(now.left)} left"
            left = ", working out the results…" if now.done >= now.asked > 0 else left
            text = f"{now.done:,} of {now.asked:,} matches, {now.rate:,.0f} a second{left}"
            if 0 < now.judged < now.to_judge:
                text = f"{now.judged:,} of {now.to_judge:,} matches judged"
            bar.show(now.done + now.judged, now.asked + now.to_judge, text)

        done = runner.play(experiment, folder, how.on, tell, preview, how.force, say=bar.say)
    paths = how.write(done.folder)
    if how.as_json:
        print(json.dumps({"run": str(done.folder), **done.facts, "results": done.read("results.json")}))
    else:
        print(_text(done, paths))
    return done


def _free(name: str, kept_in: Callable[[Path], bool]) -> Path:
    """The first folder of this name that is free or holds the very same."""
    from outbid.lab.experiments.store import RUNS

    number = 1
    while True:
        folder = RUNS / (name if number == 1 else f"{name}-{number}")
        if not folder.exists() or kept_in(folder):
            return folder
        number += 1


def _report(folder: Path, server: str = "", language: str = i18n.SOURCE, needed: bool = False) -> list[Path]:
    """Write the report, if its plots can be drawn here. Raises BadSetup."""
    from outbid.lab.report import can_draw, write

    if language not in i18n.LANGUAGES:
        raise BadSetup(f"There is no language {language!r}; there are {', '.join(i18n.LANGUAGES)}.")
    try:
        can_draw()
    except Missing:
        if needed:
            raise
        return []
    with i18n.locale(language):
        return write(folder, server)


def _text(run: Run, paths: Sequence[Path]) -> str:
    """What a run says on a terminal."""
    from outbid.lab.arena import columns
    from outbid.lab.report import figures, words

    facts, read = run.facts, figures.RunFigures.read(run.folder)
    lines = [facts["question"]] if facts["question"] else []
    lines += [*words.answer(read), ""]
    for cell in read.cells:
        names = [name for name in facts["measures"] if any(key[0] == name and key[2] == cell for key in read.summaries)]
        measures = [read.measure(name) for name in names]
        rows = [[f"{cell.company}, {cell.players} players", *(measure.title for measure in measures)]]
        for variant in read.variants:
            means = [read.summaries.get((measure.name, variant.name, cell)) for measure in measures]
            pairs = zip(measures, means, strict=True)
            rows.append([read.called(variant), *(mean.shown(measure) if mean else "–" for measure, mean in pairs)])
        lines += [*columns(rows), ""]
    stopped = f", {facts['stopped']}" if facts["stopped"] else ""
    lines.append(f"{plural(facts['matches_done'], 'match', 'matches')}{stopped}, seed {facts['seed']}; 95 % intervals.")
    lines.append(f"Matches: {run.folder}, SHA-256 {facts['hash'][:16]}…")
    lines += [f"Report: {path}" for path in paths[:1]]
    return "\n".join(lines)


def _answer(run: Run) -> list[str]:
    """The answer as the report says it; nothing before there is one."""
    from outbid.lab.report import figures, words

    return words.answer(figures.RunFigures.read(run.folder)) if (run.folder / "results.json").is_file() else []


def _question(run: Run) -> str:
    """What a run asks that does not say it itself."""
    from outbid.lab.report import figures, words

    return words.question(figures.RunFigures.read(run.folder))


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def _playing(folder: Path, what: str) -> Iterator[progress]:
    """A bar while something is played, and a sentence where it is interrupted."""
    with progress("Playing", None, figures="compiling, one to a few minutes…") as bar:
        try:
            yield bar
        except KeyboardInterrupt:
            bar.close()
            print(f"Interrupted. What was {what} is kept in {folder}; the same command goes on from there.", file=sys.stderr)
            raise
