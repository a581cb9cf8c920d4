"""The command `outbid dev`: it tries what was saved, begins the server anew, and has `verify` run beside it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from outbid.server.main import listen
from outbid.server.reload import command_line, supervise
from outbid.server.workbench.bench import FAULT, MATCH, ORDER, VERIFY, BenchOrder
from outbid.server.workbench.line import Course

CHECK = "import sys; from outbid.server.workbench.faults import check; check(*sys.argv[1:])"
SERVE = "from outbid.server.workbench.serving import main; main()"
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
        with contextlib.closing(Verifying(order.game, folder)) as verifying:
            return supervise([sys.executable, "-c", SERVE, name], lambda: accepts(order.game, folder, verifying))


class Verifying:
    """`outbid verify`, running beside the table from the beginning and after every change."""

    def __init__(self, game: str, folder: Path):
        self.game, self.folder = game, folder
        self._process: subprocess.Popen[bytes] | None = None
        self.begin()

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


def accepts(game: str, folder: Path, verifying: Verifying) -> bool:
    """Whether the table can be played by what was saved; if not, why is written to the folder."""
    tried = [sys.executable, "-c", CHECK, game, str(folder / MATCH), str(folder / FAULT)]
    good = subprocess.run(tried, check=False).returncode == 0
    if good:
        verifying.begin()
    return good
