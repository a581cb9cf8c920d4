"""What deploy/copies.sh makes of a PostgreSQL: any moment comes back, with the programs that are installed."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC
from pathlib import Path
from typing import Any

import psycopg
import pytest

from outbid.server.domain.setup import Order, made
from outbid.server.storage.store import Store
from tests.support.commands import outbid_command
from tests.support.postgres import Cluster, needed, unprivileged
from tests.support.serving import until

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).resolve().parents[3] / "deploy/copies.sh"


class Copied(Cluster):
    """A PostgreSQL whose log is handed over to a folder of copies."""

    def __init__(self, bin: Path):
        command = "COPIES=../copies sh ../copies.sh archive %p %f"  # called in the data folder, and again where it fails
        super().__init__(bin, "-c", "archive_mode=on", "-c", f"archive_command={command}", "-c", "wal_level=replica")
        self.copies, self.script = self.folder / "copies", self.folder / "copies.sh"
        self.copies.mkdir()
        shutil.copy(SCRIPT, self.script)
        if options := unprivileged():
            shutil.chown(self.copies, options["user"], options["group"])

    def run(self, *words: str, code: int = 0) -> str:
        """What the script says."""
        environment = {"PATH": f"{self.bin}:{os.environ['PATH']}", "COPIES": str(self.copies), "PGHOST": str(self.folder),
                       "PGUSER": "outbid", "PGDATABASE": "tables1", "PGDATA": self.data}  # fmt: skip
        done = subprocess.run(
            ["sh", self.script, *words], env=environment, cwd="/", capture_output=True, text=True, timeout=120, check=False,
            **unprivileged(),
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    def handed_over(self) -> None:
        """All of the log so far is in the folder."""
        with self.connect("postgres") as db:
            (name,) = db.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone() or ("",)
        until(lambda: (self.copies / "wal" / f"{name}.gz").exists(), 60)

    def oldest(self) -> str:
        """The oldest piece of the log that is kept, once there is one: a copy lets those before it go, and its own may come
        after it."""

        def pieces() -> list[str]:
            return [piece.name for piece in (self.copies / "wal").iterdir() if len(piece.stem) == 24]

        until(pieces, 60)
        return min(pieces())

    def back(self, moment: str, kept: str) -> None:
        """Bring a moment back into a new folder; the old one is kept."""
        os.rename(self.data, self.folder / kept)
        os.mkdir(self.data, 0o700)
        if options := unprivileged():
            shutil.chown(self.data, options["user"], options["group"])
        self.run("restore", moment)
        self.start()
        until(self.promoted, 60)

    def promoted(self) -> bool:
        """The server is done with what was handed over."""
        try:
            with self.connect("postgres") as db:
                return db.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)
        except psycopg.OperationalError:
            return False


@pytest.fixture
def cluster() -> Iterator[Copied]:
    """A PostgreSQL with copies."""
    cluster = Copied(needed())
    yield cluster
    cluster.remove()


def table(store: Store) -> str:
    """A new table."""
    stored = made(Order("kuhhandel", 3, "Ada", ["open"]), "slow", 24)[0]
    store.add(stored)
    return stored.id


def now(cluster: Cluster) -> str:
    """The moment, as the database has it."""
    with cluster.connect("postgres") as db:
        row: Any = db.execute("SELECT clock_timestamp()").fetchone()
    return row[0].astimezone(UTC).isoformat(sep=" ")


def test_every_moment_comes_back_and_what_was_erased_since_is_erased_again(cluster: Copied):
    url = cluster.database()
    with closing(Store(url)) as store:
        first = table(store)
        cluster.run("once")
        second = table(store)
        between = now(cluster)
        third = table(store)
        store.delete(first)
        cluster.run("once")
    cluster.handed_over()
    cluster.stop()
    cluster.back(between, "died")
    with closing(Store(url)) as store:
        assert set(store.ids()) == {first, second}
        done = outbid_command("admin", "forget", str(cluster.copies), "--database", url)
        assert (done.returncode, done.stdout) == (0, "1 erasure carried out again.\n")
        assert set(store.ids()) == {second}
        assert (cluster.copies / "due").exists()
        cluster.run("once")
        assert not (cluster.copies / "due").exists()
        fourth = table(store)
    cluster.handed_over()
    cluster.stop()
    cluster.back("last", "died again")
    with closing(Store(url)) as store:
        assert set(store.ids()) == {second, fourth}
    assert third
    assert "is not empty" in cluster.run("restore", "last", code=2)


def test_a_copy_that_ended_later_in_the_same_second_is_not_the_one_before_a_moment(tmp_path: Path):
    copies, data = tmp_path / "copies", tmp_path / "data"
    data.mkdir()
    for part in ("2", "7"):
        copy = copies / f"whole/2026-11-29T063131.{part}00000"
        copy.mkdir(parents=True)
        (tmp_path / "postgresql.auto.conf").write_text("")
        subprocess.run(["tar", "-czf", copy / "base.tar.gz", "-C", tmp_path, "postgresql.auto.conf"], check=True)
    environment = {"PATH": os.environ["PATH"], "COPIES": str(copies), "PGDATA": str(data), "PGDATABASE": "tables"}
    command = ["sh", SCRIPT, "restore", "2026-11-29 06:31:31.5+00:00"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "The copy of 2026-11-29T063131.200000 is unpacked" in done.stdout


def test_what_is_older_than_two_weeks_goes_with_its_log_and_what_is_newer_stays(cluster: Copied):
    cluster.database()

    def once(days: int) -> Path:
        """A copy that was made days ago."""
        before = set((cluster.copies / "whole").glob("*"))
        cluster.handed_over()
        cluster.run("once")
        (fresh,) = set((cluster.copies / "whole").iterdir()) - before
        at = time.time() - days * 86400
        old = fresh.rename(fresh.with_name(time.strftime("%Y-%m-%dT%H%M%S", time.gmtime(at))))
        os.utime(old, (at, at))
        return old

    first, piece = once(20), cluster.oldest()
    second = once(13)
    assert not first.exists()
    assert cluster.oldest() > piece
    third = once(0)
    assert set((cluster.copies / "whole").iterdir()) == {second, third}
    cluster.stop()
    cluster.back("last", "died")


def test_a_piece_that_was_handed_over_before_is_not_written_again_and_another_never_over_it(cluster: Copied):
    cluster.handed_over()
    piece = min((cluster.copies / "wal").glob("*.gz"))
    before, other = piece.read_bytes(), cluster.folder / "other"
    other.write_bytes(gzip.decompress(before))
    other.chmod(0o644)
    cluster.run("archive", str(other), piece.stem)
    other.write_bytes(b"other")
    cluster.run("archive", str(other), piece.stem, code=1)
    assert piece.read_bytes() == before
    cluster.run("archive", str(other), "fresh")
    assert gzip.decompress((cluster.copies / "wal/fresh.gz").read_bytes()) == b"other"
