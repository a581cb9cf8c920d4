"""The command `outbid eval`: an agent in the benchmark (lab/suite)."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from outbid.cli.arguments import COMPILING, AsJson, not_for, progress
from outbid.core.errors import BadSetup
from outbid.core.extras import needed

app = typer.Typer()
AGENT = "A bot, by any name it has in outbid arena; model@PROVIDER/NAME, a model of inspect; with --wait what it is called."


@app.command(
    name="eval",
    epilog="Examples: outbid eval my_bot.py:act --quick · outbid eval net@runs/net.npz --task claim-3 --json · "
    "outbid eval strong --into runs/strong · outbid eval --verify runs/strong/bench-1.json · outbid eval --wait --quick · "
    "outbid eval model@PROVIDER/MODEL --quick",
)
def evaluate(
    context: typer.Context,
    agent: Annotated[str, typer.Argument(metavar="[AGENT]", help=AGENT)] = "",
    suite: Annotated[str, typer.Option(help="The frozen tasks.")] = "bench-1",
    task: Annotated[list[str] | None, typer.Option(help="A task, or several; else the core suite, one a game.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All 15 tasks.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Few deals, of rivals-3 unless --task names others.")] = False,
    deep: Annotated[bool, typer.Option("--deep", help="Exploiters and the judge, too, which takes long.")] = False,
    held_out: Annotated[
        int | None,
        typer.Option("--held-out", min=0, metavar="SEED", help="Against bots that this seed draws and nobody knows."),
    ] = None,
    into: Annotated[
        Path | None, typer.Option("--into", metavar="DIR", help="Write the result there, or go on there.")
    ] = None,
    wait: Annotated[bool, typer.Option("--wait", help="The agent is an MCP client, which is waited for.")] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on this machine, with --wait.")] = 8711,
    patience: Annotated[float, typer.Option(metavar="SECONDS", help="For a decision, with --wait.")] = 300,
    verify: Annotated[Path | None, typer.Option(metavar="FILE", help="Measure a result again; does it hold?")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure an agent in the benchmark: frozen tasks and opponents, so that results can be compared."""
    from outbid.lab.suite.evaluate import DEALS, QUICK, as_text
    from outbid.lab.suite.evaluate import evaluate as measure
    from outbid.lab.suite.tasks import QUICKEST, RESULT, SUITE, named, tasks
    from outbid.runs.checkpoint import Checkpoint

    if suite != SUITE:
        raise BadSetup(f"There is no suite {suite!r}; there is {SUITE}.")
    if verify is not None:
        others = ("task", "every", "quick", "deep", "held_out", "into", "wait", "port", "patience")
        not_for(context, "for a result that is verified", "agent", *others)
        return _verify(verify)
    if every and (quick or task):
        raise BadSetup("Say --all alone; name a task for few deals of it: --quick --task claim-3.")
    if not wait:
        not_for(context, "without --wait", "port", "patience")
    if not agent and not wait:
        raise BadSetup("Name an agent: outbid eval steady, or outbid eval my_bot.py:act.")
    names = task or ([QUICKEST] if quick else [name for name, entry in tasks().items() if every or entry.core])
    waited = (f"mcp@{agent or 'agent'}", port, patience) if wait else None
    with asked(agent, waited) as agent, progress("Measuring", len(names), COMPILING) as advance:
        checkpoint = None if into is None else Checkpoint(_for(agent, into) / "deals")
        how: dict[str, Any] = {"held_out": held_out, "deep": deep, "checkpoint": checkpoint}
        how |= {"tell": advance, "say": advance.say}
        try:
            document = measure(agent, named(names), QUICK if quick else DEALS, **how)
        except KeyboardInterrupt:
            if into is not None:
                print(f"Interrupted. What was measured is kept in {into}; the same command goes on.", file=sys.stderr)
            raise
    text = json.dumps(document)
    if into is not None:
        (into / RESULT).write_text(text + "\n", encoding="utf-8")
    print(text if as_json else as_text(document))


def _for(agent: str, into: Path) -> Path:
    """The folder of an agent's result. Raises BadSetup if it has another's, or cannot be."""
    from outbid.lab.suite.tasks import RESULT

    try:
        into.mkdir(parents=True, exist_ok=True)
        other = json.loads((into / RESULT).read_text(encoding="utf-8"))["agent"]
    except FileNotFoundError:
        return into
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadSetup(f"{into} is no folder for a result: {error}.") from error
    if other != agent:
        raise BadSetup(f"{into} has the result of {other}; name another folder for {agent}.")
    return into


@contextmanager
def asked(agent: str, waited: tuple[str, int, float] | None = None) -> Iterator[str]:
    """The name of an agent; one that plays in words is known by it until the end. waited: of a client its name, port and
    patience. Raises BadSetup."""
    from outbid.bots import BOTS

    bot: Any = None
    if waited:
        with needed("`outbid eval --wait`", "research"):
            import outbid.agents.mcp  # noqa: F401 - whether it is there
            from outbid.agents.waiting import WaitingSeat
        bot = WaitingSeat(*waited)
    elif agent.startswith("model@"):
        from outbid.adapters.inspect import ModelBot

        bot = ModelBot(agent)
    if bot is None:
        yield agent
        return
    with BOTS.instead(bot.name, bot):
        try:
            yield bot.name
        finally:
            bot.close()


def _verify(file: Path) -> None:
    """Say whether a result holds; exit 1 if not. Raises BadSetup."""
    from outbid.lab.suite.evaluate import again, differences

    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        count = len(document["tasks"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadSetup(f"{file} cannot be read as a result: {error}.") from error
    with asked(str(document.get("agent"))), progress("Measuring again", count, COMPILING) as advance:
        lines = differences(document, again(document, advance))
    print("\n".join(lines) or f"The result of {document['agent']} holds.")
    if lines:
        raise typer.Exit(1)
