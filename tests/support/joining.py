"""What the tests of `outbid join` share: clients over pipes, somebody who answers at random, the full screen."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from outbid.core.rulebook import rulebook, rulebooks
from outbid.wire.link import Link
from outbid.wire.visit import Visit
from tests.support.commands import Command
from tests.support.serving import Person

CODE = "from outbid.cli import main; main()"
GAMES = list(rulebooks())
MENU = "Type 1"  # so begins what stands after a menu


class Client:
    """`outbid join` in a process of its own, with a data folder of its own; what it says is kept, line by line."""

    process: Any

    def __init__(self, home: Path, *arguments: str, keyboard: Any = None, code: str = CODE):
        home.mkdir(exist_ok=True)
        env = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home)}
        if code == CODE and (keyboard is None or keyboard >= 0):
            self.process = Command("join", *arguments, environment=env, keyboard=keyboard)
        else:
            command, pipe = [sys.executable, "-c", code, "join", *arguments], subprocess.PIPE
            self.process = subprocess.Popen(
                command, stdin=keyboard or pipe, stdout=pipe, stderr=pipe, env=env, text=True, bufsize=1
            )
        self.lines: list[str] = []
        self.read = 0

    def line(self) -> str | None:
        """What it says next; none at the end."""
        assert self.process.stdout
        said = self.process.stdout.readline()
        if not said:
            return None
        self.lines.append(said.rstrip("\n"))
        return self.lines[-1]

    def until(self, start: str) -> str:
        """The next line that begins so."""
        while (line := self.line()) is not None:
            if line.startswith(start):
                return line
        assert self.process.stderr
        raise AssertionError(f"it never said {start!r}: {self.lines[-20:]} {self.process.stderr.read()}")

    def type(self, line: str) -> None:
        """A line for it to read."""
        assert self.process.stdin
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{line}\n")
            self.process.stdin.flush()

    def end(self) -> tuple[int, str]:
        """Its exit code and what it said on standard error."""
        if self.process.stdin:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()
        while self.line() is not None:
            pass
        assert self.process.stderr
        said = self.process.stderr.read()
        return self.process.wait(timeout=20), said


@contextlib.contextmanager
def clients(folder: Path) -> Iterator[Callable[..., Client]]:
    """What starts clients, each with a data folder below this one, and at the end ends those that are left."""
    made: list[Client] = []

    def started(*arguments: str, home: str = "ben", **more: Any) -> Client:
        made.append(Client(folder / home, *arguments, **more))
        return made[-1]

    try:
        yield started
    finally:
        for client in made:
            client.process.kill()
            client.process.wait()
            for pipe in (client.process.stdin, client.process.stdout, client.process.stderr):
                if pipe:
                    with contextlib.suppress(BrokenPipeError):
                        pipe.close()


def reply(line: str, rng: random.Random) -> str | None:
    """What somebody types at random when a line asks for something."""
    if found := re.match(r"Type 1(?: (?:to|or) (\d+))?, or a move", line):
        return str(rng.randint(1, int(found[1] or 1)))
    if found := re.match(r"How much\? From (\d+) to (\d+)(?:, in steps of (\d+))?\.", line):
        low, high, by = int(found[1]), int(found[2]), int(found[3] or 1)
        return str(rng.choice(range(low, min(high, low + 3 * by) + 1, by)))
    if found := re.match(r"Which of them\? Type cards out of (.*); or", line):
        cards = found[1].split()
        return " ".join(rng.sample(cards, rng.randint(1, len(cards))))
    if found := re.match(r"Which of (\d+)\? Type words that are in it, such as “(.*)”", line):
        return rng.choice(found[2].split()[-2:])
    return None


def menu_of(client: Client) -> list[str]:
    """The lines of the menu that was read last."""
    end = max(n for n, line in enumerate(client.lines) if line.startswith(MENU))
    begin = next(n for n in range(end - 1, -1, -1) if client.lines[n].startswith("  1  "))
    return [line.strip() for line in client.lines[begin:end]]


def play_on(client: Client, rng: random.Random, questions: int = 10_000) -> int:
    """Answer so many questions, or until the match is over; returns how many there were."""
    asked = 0
    while asked < questions and (line := client.line()) is not None:
        said = reply(line, rng)
        if said is not None:
            asked += line.startswith(MENU)
            client.type(said)
    return asked


def open_table(host: Person, game: str, **fields: Any) -> str:
    """A table with open seats; returns its link."""
    book = rulebook(game)
    host.order(**{"game": game, "players": book.players[0], "preset": "seed", "bots": "open", **fields})
    return f"{str(host.http.base_url).rstrip('/')}/t/{host.table}"


def on_screen(person: Person, seat: str, act: Callable[[Any, Any], Any], size: tuple[int, int] = (100, 30)) -> None:
    """Whatever is done on the full screen of a seat."""
    pytest.importorskip("textual", reason="The full screen needs Textual, which is not installed.")
    from outbid.terminal.full_screen import FullScreen

    link = Link.read(f"{str(person.http.base_url).rstrip('/')}{seat}")

    async def shown() -> None:
        app = FullScreen(Visit(link, link.token))
        async with app.run_test(size=size) as pilot:
            await act(app, pilot)
            app.exit(0)

    asyncio.run(shown())


async def until(pilot: Any, true: Callable[[], Any], seconds: float = 30.0) -> None:
    """Wait for what happens at the server, too, and with a pilot until it is shown."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.005)
    if hasattr(pilot, "pause"):
        await pilot.pause()


def shown(app: Any, name: str) -> str:
    """What a part of the screen says."""
    return str(app.query_one(f"#{name}").render())
