"""Commands about records: check, analyse, puzzles."""

import json
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from outbid.cli.arguments import AsJson, Language, Seed, progress
from outbid.core.errors import BadRecord, BadSetup, Unreadable, one_line
from outbid.core.language.phrases import plural

app = typer.Typer()


@app.command(
    epilog="Examples: outbid check game.json · outbid check *.jsonl · OUTBID_GAMES=my_game.py outbid check mine.jsonl"
)
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records: JSON, or JSON lines.")],
    as_json: AsJson = False,
) -> None:
    """Replay and verify records: exit 0, or 1 with a line for each bad one, or 2 for an unreadable file."""
    from outbid.core.record import read_record
    from outbid.core.record import records as read_records

    good, bad, unreadable = 0, [], []
    for file in files:
        try:
            for number, record in read_records(file):
                try:
                    read_record(record)
                    good += 1
                except BadRecord as error:
                    bad.append({"file": str(file), "record": number, "move": error.move, "reason": error.reason})
                    if not as_json:
                        print(f"{file}:{number}: {one_line(error)}")
        except Unreadable as error:
            unreadable.append(one_line(error))
            print(unreadable[-1], file=sys.stderr)
    if as_json:
        print(json.dumps({"good": good, "bad": bad, "unreadable": unreadable}))
    elif not bad and not unreadable:
        print(f"{plural(good, 'record')}, all good.")
    raise typer.Exit(2 if unreadable else 1 if bad else 0)


@app.command(
    epilog="Examples: outbid puzzles rivals --hours 1 --file rivals.jsonl · "
    "outbid puzzles --from games.jsonl --file mine.jsonl · "
    "outbid puzzles --balance money.jsonl --half bid --file puzzles.jsonl.gz"
)
def puzzles(
    game: Annotated[str | None, typer.Argument(help="The game whose bots play the matches.")] = None,
    file: Annotated[Path | None, typer.Option(help="Write the puzzles to this file, one a line; it is continued.")] = None,
    source: Annotated[Path | None, typer.Option("--from", help="Finished matches, JSON lines; instead of a game.")] = None,
    matches: Annotated[int, typer.Option(min=1, max=100_000, help="With --hours as many as there is time for.")] = 10,
    hours: Annotated[float | None, typer.Option(min=0.001, max=1, help="Stop after so long; the next run goes on.")] = None,
    players: Annotated[int | None, typer.Option(help="Seats at the table of the bots.")] = None,
    most: Annotated[int | None, typer.Option(min=1, help="The most puzzles to collect.")] = None,
    balance: Annotated[
        Path | None, typer.Option(help="Instead: of the puzzles of this file those that nobody solves without looking.")
    ] = None,
    half: Annotated[str, typer.Option(help="A kind of move that half of the balanced puzzles are about.")] = "",
    least: Annotated[int, typer.Option(min=0, help="Keep so many of them, even if they are solved so.")] = 0,
    seed: Seed = 0,
) -> None:
    """Collect puzzles: positions in which one move is clearly the best."""
    from outbid.core.record import read_record
    from outbid.core.record import records as read_records
    from outbid.core.rulebook import by_id
    from outbid.review.puzzles import Collection, collect, played

    if sum(way is not None for way in (game, source, balance)) != 1:
        raise BadSetup("Say a game whose bots play, --from FILE with finished matches, or --balance FILE: one of the three.")
    if balance is not None:
        return _balance(balance, file, half, least)
    collection = Collection.of(file)
    if source is not None:
        finished = [read_record(record) for _line, record in read_records(source)]
        given, many = ((seed + n, match) for n, match in enumerate(finished)), len(finished)
    else:
        book, many = by_id(game or ""), 100_000 if hours else matches
        seats = book.check_players(players or min(book.players[1], 4), {})
        first = max(seed, collection.following(seats))
        given = ((number, played(book, seats, number)) for number in range(first, first + many))
    before, begun = len(collection.puzzles), time.monotonic()
    many_are = plural(many, "match is", "matches are") if not hours else "Matches are"
    waiting = f"{many_are} judged, up to a minute each; the first waits for the compiler, too."
    with collection, progress("Judging", round(3600 * hours) if hours else many, waiting) as advance:
        for number, match in given:
            since = time.monotonic()
            for puzzle in collect(match, number, kinds=collection.kinds):
                collection.add(puzzle)
                if len(collection.puzzles) - before == most:
                    break
            now = time.monotonic()
            advance(round(now - begun) - round(since - begun) if hours else 1)
            if len(collection.puzzles) - before == most or (hours and now - begun > 3600 * hours):
                break
    if file is not None:
        print(
            f"{plural(len(collection.puzzles) - before, 'new puzzle')} in {file}, which has {len(collection.puzzles)} now."
        )


def _balance(source: Path, file: Path | None, half: str, least: int) -> None:
    """Keep of the puzzles of a file those that nobody solves without looking, and say how many are solved so."""
    from outbid.core.files import appearing
    from outbid.review.balance import balanced, figures
    from outbid.review.puzzles import pack, read

    try:
        found = read(source.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetup(f"{source} cannot be read.") from error
    kept = balanced(found, half, least)
    for title, each in (("before", found), ("after", kept)):
        told = figures(each) if each else None
        print(f"{title}: {told or 'none; there are too few of too many kinds'}", file=sys.stderr)
    if file is not None and kept:
        with appearing(file, force=True) as draft:
            draft.write_bytes(pack(kept))


@app.command(
    epilog="Examples: outbid analyse game.json · outbid analyse games.jsonl --record 3 --html review.html · "
    "outbid analyse game.json --language de · outbid analyse game.json --json"
)
def analyse(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A finished match: JSON, or JSON lines with --record.")],
    record: Annotated[int | None, typer.Option(min=1, help="Which record of the file, from 1.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the review as a page to this file.")] = None,
    effort: Annotated[float, typer.Option(min=0.05, max=20, help="How far to look ahead; 1: as far as `strong`.")] = 0.3,
    worlds: Annotated[int, typer.Option(min=2, max=10_000, help="Determinizations in which each position is judged.")] = 48,
    seed: Seed = 0,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """Review a finished match: who was winning, what each decision lost and what was better, luck apart from skill."""
    from outbid.core.files import appearing
    from outbid.core.language import i18n
    from outbid.core.record import read_record
    from outbid.core.record import records as read_records
    from outbid.core.rulebook import check_seed
    from outbid.review.review import review
    from outbid.review.text import Teller, as_text
    from outbid.terminal.lines import spoken

    check_seed(seed)
    spoken_here = spoken(language)
    entries = dict(read_records(file))
    if record is None and len(entries) > 1:
        raise BadSetup(f"{file} holds {len(entries)} records; --record says which one, from 1.")
    if (record or 1) not in entries:
        raise BadSetup(f"{file} has no record {record or 1}; it has {len(entries)}.")
    try:
        match = read_record(entries[record or 1])
    except BadRecord as error:
        raise BadSetup(f"{file}:{record or 1}: {error}") from error
    reached = 0
    page = nullcontext() if html is None else appearing(html, force=True)
    with page as beside, progress("Reviewing", 1000) as advance:

        def tell(done: float, so_far: Any) -> None:
            nonlocal reached
            advance(round(1000 * done) - reached)
            reached = round(1000 * done)

        result = review(match, worlds=worlds, effort=effort, seed=seed, tell=tell)
        if beside is not None:
            from outbid.server.web.screens.review.view import alone

            with i18n.locale(spoken_here):
                beside.write_text(alone(match, result), encoding="utf-8")
    with i18n.locale(spoken_here):
        print(json.dumps(result) if as_json else as_text(Teller(match, result)))
