"""Commands that measure: simulate, arena, exploit, bench, solve, warm."""

import json
import os
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from outbid.cli.arguments import (
    COMPILING,
    MOST_DEALS,
    MOST_TRIES,
    AsJson,
    Fresh,
    GameName,
    On,
    Options,
    Players,
    Preset,
    Seed,
    Seeds,
    StoreFile,
    also_spelled,
    cluster,
    names_in,
    progress,
    read_options,
    resumable,
    seed_number,
    set_up,
)
from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language.phrases import plural

app = typer.Typer()


@app.command(
    context_settings=also_spelled("matches", games="matches", g="m"),
    epilog="Examples: outbid simulate kuhhandel --players 4 --matches 1000 · "
    "outbid simulate kuhhandel -n 3 --bots steady,random --option overbid=forbidden --records games.jsonl · "
    "outbid simulate money -n 3 --bots steady:gambler,easy,steady"
)
def simulate(
    game: GameName,
    players: Players = None,
    matches: Annotated[int, typer.Option("--matches", "-m", min=1, max=100_000_000, help="Number of matches.")] = 1000,
    seed: Seed = 0,
    bots: Annotated[str, typer.Option(help="Bots, comma-separated, repeated round the table.")] = "random",
    option: Options = None,
    preset: Preset = "seed",
    records: Annotated[Path | None, typer.Option(help="Write the matches to this file, one record a line.")] = None,
    on: On = None,
    as_json: AsJson = False,
) -> None:
    """Play matches among bots and print a summary."""
    from outbid.bots import load_bot
    from outbid.core.files import appearing
    from outbid.core.rulebook import check_seed
    from outbid.lab.simulate import simulate as run
    from outbid.lab.simulate import write_records

    book, options, seats = set_up(game, preset, option, players)
    given = [name.strip() for name in bots.split(",")]
    for name in given:
        load_bot(name, book)
    if len(given) > seats:
        raise BadSetup(f"{plural(len(given), 'bot')} for {plural(seats, 'seat')}; name at most one for each seat.")
    names = [given[seat % len(given)] for seat in range(seats)]
    check_seed(seed)
    if records is not None:
        with (
            appearing(records, force=True) as beside,
            beside.open("w", encoding="utf-8") as file,
            progress("Writing records", matches, COMPILING) as advance,
        ):
            write_records(file, book, options, seats, matches, seed, names, advance)
    with cluster(on) as pool, progress("Playing", matches, COMPILING) as advance:
        summary = run(book, options, seats, matches, seed, names, progress=advance, pool=pool)
    print(json.dumps(summary.as_dict()) if as_json else summary.as_text())


@app.command(
    context_settings=also_spelled("deals", games="deals", g="d"),
    epilog="Examples: outbid arena rivals --players 3 --bots strong,steady --deals 200 · "
    "outbid arena claim -n 4 --bots strong,strong*0.1,steady,random --json · "
    "outbid arena claim -n 3 --bots strong,steady --alone strong --ledger docs/strength.json"
)
def arena(
    game: GameName,
    players: Players = None,
    bots: Annotated[
        str, typer.Option(help="Bots, comma-separated; `strong*0.1` looks ahead a tenth as far.")
    ] = "steady,random",
    deals: Annotated[
        int, typer.Option("--deals", "-d", min=2, max=MOST_DEALS, help="Deals a pairing, each played from every seat.")
    ] = 200,
    mixed: Annotated[
        int | None,
        typer.Option(min=2, max=MOST_DEALS, help="Deals of mixed tables; as many as --deals, or none for two bots."),
    ] = None,
    alone: Annotated[str, typer.Option(help="Only pairings in which one of these sits alone, without mixed tables.")] = "",
    seed: Seed = 0,
    seeds: Seeds = None,
    store: StoreFile = None,
    fresh: Fresh = False,
    option: Options = None,
    preset: Preset = "seed",
    picture: Annotated[Path | None, typer.Option("--svg", help="Write the payoffs and the ladder as a picture.")] = None,
    on: On = None,
    as_json: AsJson = False,
) -> None:
    """Measure how strong bots are: each alone among the others, mixed tables, a ladder; in all seats of the same deals."""
    from outbid.core.files import appearing
    from outbid.lab.arena import arena as play
    from outbid.lab.arena import as_text, pairs
    from outbid.lab.plots import draw

    book, options, seats = set_up(game, preset, option, players)
    names, single = names_in(bots), names_in(alone)
    tables = deals if mixed is None and len(names) > 2 and not single else mixed or 0
    if single and tables:
        raise BadSetup("Mixed tables are for all bots; leave out --alone or --mixed.")
    total = deals * seats * len(list(pairs(names, single))) + tables * seats
    number = seed_number(seeds, seed, store)
    drawing = nullcontext() if picture is None else appearing(picture, force=True)
    with (
        resumable(book, names, store, fresh) as (results, checkpoint),
        drawing as beside,
        cluster(on) as pool,
        progress("Playing", total, COMPILING) as advance,
    ):
        how = {"alone": single, "mixed": tables, "store": results, "checkpoint": checkpoint, "pool": pool}
        measured = play(book, options, seats, names, deals, number, advance, **how)
        if beside is not None:
            beside.write_text(draw(measured), encoding="utf-8")
    print(json.dumps(measured.as_dict()) if as_json else as_text(measured))


@app.command(
    context_settings=also_spelled("deals", games="deals", g="d"),
    epilog="Examples: outbid exploit rivals --players 2 --victim steady · "
    "outbid exploit claim -n 3 --victim strong*0.2 --deals 60 --json · "
    "outbid exploit claim -n 3 --net runs/claim-3/net.npz · "
    "outbid exploit claim -n 3 --with my_bots.py:spiteful"
)
def exploit(
    game: GameName,
    victim: Annotated[str, typer.Option(help="The bot to exploit, named as in `outbid arena`.")] = "steady",
    players: Players = None,
    deals: Annotated[
        int, typer.Option("--deals", "-d", min=2, max=MOST_DEALS, help="Deals of each measurement, from every seat.")
    ] = 200,
    tries: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MOST_TRIES,
            help="Sets of policy parameters to start tuning with (0: none); by default 32, or 8 if the victim looks ahead.",
        ),
    ] = None,
    stand_in: Annotated[
        str | None,
        typer.Option(help="The bot to tune against; by default the victim, or a copy with few rollouts if it looks ahead."),
    ] = None,
    net: Annotated[Path | None, typer.Option(help="Another exploiter: a net that examples/train_*.py wrote.")] = None,
    others: Annotated[
        str, typer.Option("--with", metavar="BOTS", help="More exploiters, comma-separated: bots by name, or MODULE:NAME.")
    ] = "",
    seed: Seed = 0,
    store: StoreFile = None,
    fresh: Fresh = False,
    option: Options = None,
    preset: Preset = "seed",
    on: On = None,
    as_json: AsJson = False,
) -> None:
    """Measure exploitability: what the best of several exploiters takes from a bot, and what it cost to find it."""
    from outbid.lab.exploit import Tuning, as_text, matches_of
    from outbid.lab.exploit import exploit as find

    book, options, seats = set_up(game, preset, option, players)
    tuning, more = Tuning.of(book, victim, tries, stand_in), names_in(others)
    total = matches_of(book, options, seats, victim, deals, tuning, net, more)
    with (
        resumable(book, [victim, tuning.against, *more], store, fresh) as (results, checkpoint),
        cluster(on) as pool,
        progress("Playing", total, COMPILING) as advance,
    ):
        how = {"store": results, "checkpoint": checkpoint, "trained": net, "others": more, "pool": pool}
        measured = find(book, options, seats, victim, deals, seed, tuning, advance, **how)
    print(json.dumps(measured.as_dict()) if as_json else as_text(measured))


@app.command(epilog="Examples: outbid bench · outbid bench kuhhandel --json")
def bench(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; all if left out.")] = None,
    seconds: Annotated[float, typer.Option(help="Time for each measurement.", min=0.1)] = 2.0,
    as_json: AsJson = False,
) -> None:
    """Measure decisions a second: compiled and plain, one thread and all, batches, matches and record moves."""
    from outbid.core.rulebook import rulebook, rulebooks
    from outbid.lab.bench import measure, table

    books = [rulebook(game)] if game else list(rulebooks().values())
    results = []
    for book in books:
        results.append(measure(book, seconds))
        if not as_json:
            print(table(results[-1:]), flush=True)
    if as_json:
        print(json.dumps(results))


@app.command(epilog="Examples: outbid solve claim · outbid solve kuhhandel --preset small --iterations 200 --json · "
    "outbid solve rivals --bots random,steady,strong")
def solve(
    game: GameName,
    preset: Annotated[str, typer.Option("--preset", help="A game small enough; `outbid games` lists them.")] = "tiny",
    players: Annotated[int, typer.Option("--players", "-n", help="Number of seats.")] = 2,
    iterations: Annotated[int, typer.Option("--iterations", "-i", min=0, help="Iterations of CFR+.")] = 1000,
    payoff: Annotated[str, typer.Option(help="The payoff: win, share, margin or score.")] = "win",
    limit: Annotated[int, typer.Option(min=1, help="Refuse a game with more histories.")] = 5_000_000,
    bots: Annotated[str, typer.Option(help="Bots to measure the NashConv of, too, comma-separated.")] = "",
    samples: Annotated[int, typer.Option(min=1, help="How often to ask such a bot at each information set.")] = 8,
    store: StoreFile = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Solve a small game exactly: its size, its value, and the NashConv along the iterations of CFR+."""
    from outbid.bots import load_bot
    from outbid.core.rulebook import rulebook
    from outbid.facade import Game
    from outbid.lab import exploitability
    from outbid.lab.results_store import ResultsStore
    from outbid.solve.report import as_text, convergence

    book = rulebook(game)
    rules = Game(book, read_options(book, preset, option))
    names = names_in(bots)
    for name in names:
        load_bot(name)
    if store is not None and not names:
        raise BadSetup("--ledger keeps how far bots are from an equilibrium; name some with --bots.")
    results = None if store is None else ResultsStore(store).ready()
    with progress("Solving", max(1, iterations)) as advance:
        solution = convergence(rules, preset, players, iterations, payoff, limit, advance)
    if names:
        with progress("Asking bots", len(names)) as advance:
            solution["bots"] = exploitability.nash_convs(rules, preset, players, names, samples, payoff=payoff, tell=advance)
        if results is not None:
            for row in solution["bots"]:
                results.add(row)
    if as_json:
        print(json.dumps(solution))
    else:
        print("\n".join([as_text(solution), *(exploitability.lines(solution["bots"]) if names else ())]))


@app.command(epilog="Examples: outbid warm kuhhandel · outbid warm --into /opt/outbid/compiled")
def warm(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; all if left out.")] = None,
    into: Annotated[
        Path | None, typer.Option("--into", metavar="DIR", help="Keep the code there; with OUTBID_CACHE=DIR others read it.")
    ] = None,
) -> None:
    """Compile the rules and the bots now, so that no table, batch or simulation waits for it later.

    Measurements (arena, exploit) and reviews compile loops of their own when they are first used."""
    if into is not None:
        try:
            into.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadSetup(f"The folder {into} cannot be made: {error.strerror}.") from error
        os.environ["NUMBA_CACHE_DIR"] = str(into.resolve())  # of the processes that compile
        os.environ.pop("OUTBID_CACHE", None)  # whose code they would not write again
    from outbid.bots import BOTS
    from outbid.core.rulebook import rulebook, rulebooks

    pieces = ["", *(name for name, bot in BOTS.items() if hasattr(bot, "prepare"))]
    for book in [rulebook(game)] if game else rulebooks().values():
        with progress(f"Compiling {book.id}", len(pieces)) as advance:
            for bot in pieces:
                _compile_apart(book.id, bot)
                advance(1)
        print(f"{book.id} is compiled.")


def _compile_apart(game: str, bot: str) -> None:
    """Compile a bot for a game, or its rules (no bot), in a process that ends then: no memory is kept for the next."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    try:
        with ProcessPoolExecutor(1, get_context("spawn")) as apart:
            apart.submit(_compile, game, bot).result()
    except BrokenProcessPool as error:
        raise OutbidError(f"{game} could not be compiled: the process was killed, perhaps as no memory was left.") from error


def _compile(game: str, bot: str) -> None:
    from outbid.bots import prepare
    from outbid.compiled.warm import compile_all
    from outbid.core.rulebook import rulebook

    if bot:
        prepare(bot, rulebook(game))
    else:
        compile_all(rulebook(game))
