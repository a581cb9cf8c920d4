"""A PostgreSQL of the tests' own: made in a temporary folder from the installed programs, with a socket in that folder."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest

DEBIAN = Path("/usr/lib/postgresql")
USER = "postgres"  # PostgreSQL refuses to run as root; Debian's package brings this user


def programs() -> Path | None:
    """The folder of initdb and pg_ctl, of the newest PostgreSQL that is installed."""
    found = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if found:
        return found[-1].parent
    named = shutil.which("initdb")
    return Path(named).parent if named else None


def needed() -> Path:
    """The programs; without them the test is skipped."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql).")
    return found


class Cluster:
    """One PostgreSQL server with any number of databases."""

    def __init__(self, bin: Path, *options: str):
        self.bin, self.options = bin, options
        self.folder = Path(tempfile.mkdtemp(prefix="outbid-pg-", dir="/tmp"))  # short: a socket's path is limited
        self._number = 0
        if os.getuid() == 0:
            shutil.chown(self.folder, USER, USER)
        self._do("initdb", "-D", self.data, "-U", "outbid", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.start()

    @property
    def data(self) -> str:
        return str(self.folder / "data")

    def start(self) -> None:
        """Begin to serve. However this process ends, the server ends with it; only Linux can tell it."""
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self.folder}",
                   "-c", "recovery_init_sync_method=syncfs", *self.options]  # fmt: skip
        tied = ["setpriv", "--pdeathsig", "QUIT"] if shutil.which("setpriv") else []
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            command = [*tied, self.bin / "postgres", "-D", self.data, *options]
            self._server = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, **unprivileged())
        until = time.monotonic() + 180  # after a crash it waits for the disk
        while True:
            try:
                self.connect("postgres").close()
                return
            except psycopg.OperationalError:
                if self._server.poll() is not None or time.monotonic() > until:
                    raise AssertionError((self.folder / "log").read_text(encoding="utf-8")) from None
                time.sleep(0.02)

    def stop(self) -> None:
        """End, as if the power went."""
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait(60)

    def remove(self) -> None:
        """End for good."""
        self.stop()
        shutil.rmtree(self.folder)

    def database(self) -> str:
        """The URL of a new database."""
        self._number += 1
        name = f"tables{self._number}"
        with self.connect("postgres") as db:
            db.execute(f"CREATE DATABASE {name}")
        return f"postgresql+psycopg://outbid@/{name}?host={self.folder}"

    def connect(self, url: str) -> psycopg.Connection[Any]:
        """A connection to a database of a URL or a name."""
        name = url.rpartition("/")[2] if "?" not in url else url.partition("?")[0].rpartition("/")[2]
        return psycopg.connect(host=str(self.folder), user="outbid", dbname=name, autocommit=True)

    def _do(self, program: str, *words: str) -> None:
        command = [self.bin / program, *words]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False, **unprivileged()
        )
        assert done.returncode == 0, done.stdout + done.stderr


def unprivileged() -> dict[str, Any]:
    """As whom its programs run, for `subprocess`."""
    return {"user": USER, "group": USER, "extra_groups": []} if os.getuid() == 0 else {}
