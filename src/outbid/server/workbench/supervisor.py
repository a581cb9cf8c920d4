"""The command `outbid dev`: a server tries what was saved, and takes the place of the one before; `verify` runs beside."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import monotonic

from outbid.server.main import listen
from outbid.server.reload import command_line, ended, looks, told
from outbid.server.workbench import FAULT, MATCH, ORDER, READY, VERIFY
from outbid.server.workbench.bench import BenchOrder
from outbid.server.workbench.faults import REFUSED, Fault
from outbid.server.workbench.line import Course

SERVE = """import sys; from pathlib import Path; from outbid.server.workbench.faults import tried
game, folder = sys.argv[1], Path(sys.argv[2]); book = tried(game, folder)
from outbid.server.workbench.serving import serve; serve(book, folder)"""  # what a server needs is read in when it is needed
TRIAL = 120.0  # seconds until a process that tries a file must be ready
GENTLY = 10  # how much `verify` gives way to the table


def develop(order: BenchOrder, line: Course, port: int | None) -> int:
    """Open the workbench with a match until it is interrupted; the exit status. port: none is 8710 or the next one that is
    free. Raises OutbidError."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that what runs beside this ends with it
    with contextlib.closing(listen(order.host, port)) as door:
        order = BenchOrder(order.game, order.bot, order.host, door.getsockname()[1], order.browser)
    with tempfile.TemporaryDirectory(prefix="outbid-dev-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / ORDER).write_text(json.dumps(asdict(order)), encoding="utf-8")
        line.write(folder / MATCH)
        with contextlib.closing(Servers(order.game, folder)) as servers, contextlib.suppress(KeyboardInterrupt):
            for news in looks(servers.going):
                servers.look(news)
            return servers.table.returncode if servers.table else 1
    return 0


class Servers:
    """The server that is at the table, and the one that tries what was saved. folder: which they share."""

    def __init__(self, game: str, folder: Path):
        self.game, self.folder, self.verifying = game, folder, Verifying(game, folder)
        self.table: subprocess.Popen[bytes] | None = None
        self.trial: subprocess.Popen[bytes] | None = None
        self.news: Sequence[Path] = ()
        self._begin()

    def going(self) -> bool:
        """Whether the one at the table is still there."""
        return self.table is None or self.table.poll() is None

    def look(self, news: Sequence[Path]) -> None:
        """See how far the trial is. news: the files that have changed since the last look, for which another one begins."""
        if news:
            self.news = news
            self._begin()
        if self.trial is None:
            return
        ready, status = self.folder / READY.format(self.trial.pid), self.trial.poll()
        if status is None and ready.exists():
            if self.table:
                told(self.news)
                ended(self.table)
            self.table, self.trial = self.trial, None
            (self.folder / FAULT).unlink(missing_ok=True)
            ready.unlink()
            self.verifying.begin()
        elif status is not None or monotonic() > self.until:
            if status is None:
                Fault(f"The code of the file does not return in {TRIAL:g} seconds.").write(self.folder / FAULT)
            elif status != REFUSED:
                Fault(f"The code of the file ends the process, with status {status}.").write(self.folder / FAULT)
            self._give_up()

    def _begin(self) -> None:
        self._give_up()
        command = [sys.executable, "-c", SERVE, self.game, str(self.folder)]
        self.trial, self.until = subprocess.Popen(command, stdin=subprocess.DEVNULL), monotonic() + TRIAL

    def _give_up(self) -> None:
        if self.trial:
            self.trial.kill()
            self.trial.wait()
            self.trial = None

    def close(self) -> None:
        """End what runs."""
        self._give_up()
        self.verifying.close()
        if self.table:
            ended(self.table)


class Verifying:
    """`outbid verify`, running beside the table, anew with every server."""

    def __init__(self, game: str, folder: Path):
        self.game, self.folder = game, folder
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Begin anew."""
        self.close()
        with (self.folder / VERIFY).open("wb") as file:
            self._process = subprocess.Popen(command_line("verify", self.game), stdout=file, stderr=subprocess.STDOUT)
        with contextlib.suppress(AttributeError, OSError):  # Windows has no such thing
            os.setpriority(os.PRIO_PROCESS, self._process.pid, GENTLY)

    def close(self) -> None:
        """End what runs."""
        if self._process:
            self._process.kill()
            self._process.wait()
