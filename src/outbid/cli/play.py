"""Commands of players and hosts: games, rules, play, serve, join, mcp."""

import json
import os
import sys
from typing import Annotated, Any

import typer

from outbid.cli.arguments import AsJson, Bots, GameName, Language, Options, Players, Preset, not_for, read_options, seats_of
from outbid.core.errors import BadSetup
from outbid.core.extras import needed

app = typer.Typer()


@app.command(epilog="Examples: outbid games · outbid games my_game.py · outbid games --language de · outbid games --json")
def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game, by name or file; all if left out.")] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """List the games, their players, presets, options and bots' characters; --json says what each option does."""
    from outbid.core.language import i18n
    from outbid.core.language.i18n import _
    from outbid.core.rulebook import rulebook, rulebooks
    from outbid.terminal.lines import spoken

    books = [rulebook(game)] if game else list(rulebooks().values())
    if as_json:
        print(json.dumps([describe(book) for book in books]))
        return
    with i18n.locale(spoken(language)):
        for book in books:
            low, high = book.players
            head = _("{game}  {title}, {low} to {high} players", game=book.id, title=book.called, low=low, high=high)
            lines = [head, book.say(book.summary)]
            if book.presets:
                names = ", ".join([_("seed (the given rules with our rulings)"), *book.presets])
                lines.append(_("presets: {names}", names=names))
            if book.options:
                lines.append(_("options: {names}", names=", ".join(option.name for option in book.options)))
            if book.personas.names:
                lines.append(_("characters of bots: {names}", names=", ".join(book.personas.names)))
            if book.laboratory:
                lines.append(_("small enough to solve: {names}", names=", ".join(book.laboratory)))
            print("\n    ".join(lines))


def describe(book: Any) -> dict[str, Any]:
    """A game as JSON. "acts": when an option does anything, all of these."""
    return {
        "id": book.id,
        "title": book.title,
        "summary": book.summary,
        "players": list(book.players),
        "rules": book.rules_id,
        "presets": {"seed": {}, **{name: dict(options) for name, options in book.presets.items()}},
        "laboratory": {name: dict(options) for name, options in book.laboratory.items()},
        "options": [
            {
                **{key: getattr(option, key) for key in ("name", "default", "allowed", "meaning", "view")},
                "knob": option.tunable,
                "acts": [need.only(book.ids) for need in option.needs],
            }
            for option in book.options
        ],
    }


@app.command(epilog="Examples: outbid rules kuhhandel · outbid rules claim --language de")
def rules(game: GameName, language: Language = None) -> None:
    """Print how to play a game and its rulebook, with every ruling and option."""
    from outbid.core.language import i18n
    from outbid.core.language.written import printed
    from outbid.core.rulebook import rulebook
    from outbid.terminal.lines import spoken

    with i18n.locale(spoken(language)):
        text = printed(rulebook(game))
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(text))
    else:
        print(text, end="")


@app.command(epilog="Examples: outbid play · outbid play kuhhandel -n 3 --plain · outbid play --option bidding=dropout")
def play(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="The game, or its file.")] = "kuhhandel",
    players: Players = None,
    name: Annotated[str, typer.Option(help="Your name at the table.")] = "Player",
    bots: Bots = "steady",
    option: Options = None,
    preset: Preset = "seed",
    plain: Annotated[bool, typer.Option("--plain", help="Play in this terminal, line by line.")] = False,
    screen: Annotated[bool, typer.Option("--screen", help="Play on the full screen of this terminal.")] = False,
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="The deal; random if left out.")] = None,
    port: Annotated[int | None, typer.Option(help="Port of the server; the next free one if left out.")] = None,
    database: Annotated[str | None, typer.Option(help="File or URL; a file in your data folder if left out.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    language: Language = None,
) -> None:
    """Play a match against bots: in the browser, or with --plain or --screen in the terminal."""
    import secrets

    from outbid.bots import load_bot
    from outbid.core.language import i18n
    from outbid.core.language.i18n import _
    from outbid.core.rulebook import check_seed, rulebook
    from outbid.terminal.lines import spoken

    with i18n.locale(spoken(language)):
        book = rulebook(game)
        options = read_options(book, preset, option)
        seats = seats_of(book, sum(book.players) // 2 if players is None else players, options)
        given = [bot_name.strip() for bot_name in bots.split(",")]
        for bot_name in given:
            load_bot(bot_name, book)
        others = [given[seat % len(given)] for seat in range(seats - 1)]
        deal = None if seed is None else check_seed(seed)
        if plain or screen:
            flag = "--screen" if screen else "--plain"
            not_for(context, f"with {flag}, which needs no server", "port", "database", "browser")
            from outbid.terminal.local import play as play_here

            play_here(book, options, name, others, secrets.randbits(62) if deal is None else deal, screen)
            return
        with needed("`outbid play`", "server", _("or add --plain to play in this terminal")):
            from outbid.server.main import run

        run(
            port=port,
            database=database,
            open_browser=browser,
            table={"game": book.id, "players": seats, "name": name, "bots": others, "options": options, "seed": deal},
        )


@app.command(
    epilog="Examples: outbid serve · outbid serve --host 0.0.0.0 --port 8080 --database tables.db · "
    "outbid serve --base-url https://table.example --keep-days 365 --log json"
)
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for guests from the network.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(help="Port; 8710, or the next free one, if left out.")] = None,
    database: Annotated[str | None, typer.Option(help="File or URL; a file in your data folder if left out.")] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", metavar="URL", help="How guests reach the server behind a proxy.")
    ] = None,
    keep_days: Annotated[
        float | None, typer.Option("--keep-days", metavar="N", help="Delete tables N days after their end, with a warning.")
    ] = None,
    log: Annotated[str, typer.Option("--log", metavar="STYLE", help="The log on standard error: text or json.")] = "text",
    metrics: Annotated[bool, typer.Option("--metrics", help="Open /metrics to all, not only this machine.")] = False,
    backup_to: Annotated[
        str | None, typer.Option("--backup-to", metavar="DIR", help="Copy the database there regularly.")
    ] = None,
    every: Annotated[
        str | None, typer.Option(metavar="TIME", help="How often, with --backup-to: 30m, 6h; else 1d.")
    ] = None,
    keep: Annotated[int | None, typer.Option(metavar="N", help="Copies that are kept, with --backup-to; else 14.")] = None,
    smtp: Annotated[
        str | None,
        typer.Option(
            envvar="OUTBID_SMTP", metavar="URL",
            help="Mail people who ask for it when it is their turn, through smtp://HOST or smtps://USER@HOST "
            "(its password: OUTBID_SMTP_PASSWORD).",
        ),
    ] = None,
    mail_from: Annotated[
        str | None,
        typer.Option("--mail-from", envvar="OUTBID_MAIL_FROM", metavar="ADDRESS", help="The sender of these mails."),
    ] = None,
    hooks: Annotated[
        str,
        typer.Option(
            envvar="OUTBID_HOOKS", metavar="WHERE", help="Tell web hooks, too: public or any (also in your network)."
        ),
    ] = "",
    desk_password: Annotated[
        typer.FileText | None,
        typer.Option(
            "--desk-password", envvar="OUTBID_DESK_PASSWORD_FILE", metavar="FILE",
            help="The file with the password of the operator's page, /desk (or OUTBID_DESK_PASSWORD); else there is none.",
        ),
    ] = None,
    addresses: Annotated[
        bool, typer.Option(envvar="OUTBID_ADDRESSES", help="Remember in memory for 24 hours who asks (`outbid admin who`).")
    ] = True,
    push: Annotated[
        bool,
        typer.Option(
            "--push/--no-push", envvar="OUTBID_PUSH", help="Tell browsers, too, through the push services of their makers."
        ),
    ] = True,
    reload: Annotated[
        bool, typer.Option("--reload", help="For developers: restart when a source or a template changes.")
    ] = False,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="[NAME=]BOT", help="One more bot for tables: net@FILE, MODULE:NAME, strong*0.1."),
    ] = None,
) -> None:
    """Run the table server for guests."""
    from outbid.bots.naming import offer

    with needed("`outbid serve`", "server"):
        from outbid.server.domain.notices.delivery import PASSWORD, Mail
        from outbid.server.main import run
        from outbid.server.storage.backups import planned

    if reload:
        from outbid.server.reload import command_line, supervise

        raise typer.Exit(supervise(command_line(*(word for word in sys.argv[1:] if word != "--reload"))))

    if not backup_to and (every, keep) != (None, None):
        raise BadSetup("--every and --keep say how backups are made; name their folder, too: --backup-to DIR.")
    password = desk_password.readline().strip() if desk_password else os.environ.get("OUTBID_DESK_PASSWORD", "")
    if desk_password and not password:
        raise BadSetup(f"The password of the desk is missing: the first line of {desk_password.name} is empty.")
    for text in bot or ():
        offer(text)
    run(
        host=host,
        port=port,
        database=database,
        log=log,
        backups=planned(backup_to, every, keep) if backup_to else None,
        base_url=base_url,
        keep_days=keep_days,
        metrics=metrics,
        mail=Mail.of(smtp, mail_from, os.environ.get(PASSWORD)) if smtp else None,
        hooks=hooks,
        desk=password,
        addresses=addresses,
        push=push,
    )


@app.command(
    epilog="Examples: outbid join http://192.168.1.5:8710/t/abc234 --name Ben · "
    "outbid join https://table.example/t/abc234 --plain"
)
def join(
    link: Annotated[str, typer.Argument(metavar="LINK", help="The link of a table, or of a seat at it.")],
    name: Annotated[str | None, typer.Option(help="Your name at the table; asked for if it is needed.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Line by line, for screen readers and pipes.")] = False,
    password: Annotated[
        bool, typer.Option("--password", help="Sign in with a kept name; the password is asked for.")
    ] = False,
    language: Language = None,
) -> None:
    """Take a seat at a table of a running server, in this terminal; if no seat is open, watch."""
    from outbid.core.language import i18n
    from outbid.terminal import join as sit
    from outbid.terminal.lines import spoken

    with i18n.locale(spoken(language)):
        code = sit(link, name, plain, password)
    raise typer.Exit(code)


@app.command(
    epilog="Examples: outbid mcp · outbid mcp --http --port 8711 · "
    "outbid mcp kuhhandel -n 4 --bots steady,random --seed 7 --obfuscate 1 --withhold"
)
def mcp(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One match, set for the agent.")] = None,
    players: Players = None,
    bots: Bots = "steady",
    option: Options = None,
    preset: Preset = "seed",
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="The deal; random if left out.")] = None,
    seat: Annotated[int, typer.Option(help="The agent's seat.")] = 0,
    obfuscate: Annotated[int | None, typer.Option(metavar="SEED", help="Made-up names for the game's own.")] = None,
    withhold: Annotated[bool, typer.Option("--withhold", help="Do not list the legal moves.")] = False,
    http: Annotated[bool, typer.Option("--http", help="Over HTTP on this machine, not standard input and output.")] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port, with --http.")] = 8711,
) -> None:
    """A seat for language-model agents: a server of the Model Context Protocol, for matches against bots and for tables."""
    with needed("`outbid mcp`", "research"):
        from outbid.agents.mcp import run, server, set_match
    from outbid.core.rulebook import rulebook

    if not http:
        not_for(context, "without --http", "port")
    if game is None:
        settings = ("players", "bots", "option", "preset", "seed", "seat", "obfuscate", "withhold")
        not_for(context, "without a GAME, as the agent chooses its match itself", *settings)
        run(server(shared=http), http, port)
        return
    if http:
        raise BadSetup("A match that is set is for one agent over standard input and output; leave out GAME or --http.")
    from outbid.bots import load_bot

    book = rulebook(game)
    options = read_options(book, "seed", option)
    for bot_name in bots.split(","):
        load_bot(bot_name.strip(), book)
    given = set_match(book, players, seat, bots, seed, preset, options, obfuscate, not withhold)
    run(server(given=given))
