"""The log of an SQLite database, shipped to the folder of its copies twice a second.

    outbid-2027-01-31T050000.db           a whole copy (backups.py)
    outbid-2027-01-31T050000.000001.log   what was committed since, piece by piece, each with its moment
    outbid-2027-01-31T050000.000002.log   … after SQLite began its log anew

SQLite appends every commit to its log (`FILE-wal`): a header, then frames of a page each, with checksums over all that
precedes. A piece is some of these bytes, compressed, up to the end of a commit; so SQLite itself checks what is shipped and
replays it (restoring.py).

When all of the log is in the file and nobody reads it, the next commit begins it anew, over what may not be shipped yet.
Therefore a connection of the shipper always reads: others may bring the log into the file, but nobody begins it anew, until
the shipper does so itself (`_turn`), with all of it shipped and others kept from writing. If it happened nevertheless, or
another program wrote while the server was away, that is seen by the header and the last frame that was shipped or, where
the log was closed, by the size and the time of the file (`RESUME`). Then a whole copy is made, so nothing is ever missing
unseen.

The database file itself is never opened here but by SQLite: closing it would end the locks that SQLite has on it.
"""

import contextlib
import json
import os
import sqlite3
import struct
import threading
import time
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from outbid.core.errors import OutbidError
from outbid.server.storage.schema import SHIPPED, pulse

NAME = "outbid-%Y-%m-%dT%H%M%S.db"  # of a whole copy
RESUME = "resume.json"  # which log was closed, and the file that it left
TURN = 2**24  # bytes after which the log is begun anew
MOST = 2**28  # bytes of a log that cannot be shipped, after which it is given up
PATIENCE = 2.0  # seconds that are waited for who writes
STAMP = 0.02  # seconds in which the time of a file may stand still
PIECE = struct.Struct(">dQII")  # moment, place in the log, bytes that follow, CRC-32
HEADER, FRAME = 32, 24  # bytes of a log before its first frame, and of a frame before its page
MERGE = "PRAGMA wal_checkpoint(PASSIVE)"
NOTE = f"INSERT OR REPLACE INTO {pulse.name} (id, at) VALUES ({SHIPPED}, ?)"


class LogLost(OutbidError):
    """The log went on without the shipper."""


class Piece(NamedTuple):
    """Some bytes of a log. end: of the piece in its file."""

    at: float
    place: int
    data: bytes
    end: int


def pieces(file: Path) -> Iterator[Piece]:
    """The whole pieces of a file, as far as all before them are whole."""
    with file.open("rb") as opened:
        while len(head := opened.read(PIECE.size)) == PIECE.size:
            at, place, size, check = PIECE.unpack(head)
            packed = opened.read(size)
            if len(packed) < size or zlib.crc32(packed, zlib.crc32(head[:-4])) != check:
                return
            yield Piece(at, place, zlib.decompress(packed), opened.tell())


def copies(folder: Path) -> dict[Path, float]:
    """When each whole copy in a folder was made, by its name."""
    times = {}
    for path in folder.glob("outbid-*T*.db"):
        with contextlib.suppress(ValueError):
            at = datetime.strptime(path.name, NAME).replace(tzinfo=UTC)
            if at.strftime(NAME) == path.name:
                times[path] = at.timestamp()
    return times


def logs(copy: Path) -> list[Path]:
    """The files with what was committed after a whole copy, in their order."""
    return sorted(copy.parent.glob(f"{copy.stem}.[0-9]*.log"))


class Shipper:
    """Ships the log of one database. `copy` is what its log follows now; none: a whole copy has to be made."""

    def __init__(self, source: Path, folder: Path):
        self.source, self.folder = Path(os.path.realpath(source)), folder
        self.copy: Path | None = None
        self.erased = False  # what may still be in the log, which is begun anew as soon as it can be
        self.shipped = time.time()  # when all of the log was in the folder
        self._lock = threading.RLock()
        self._copying: bytes | None = None  # the log while a whole copy is being made
        self._number = self._size = 0  # of the file of pieces
        self._salts = self._last = b""  # of the log, and the head of its last frame that was shipped
        self._end = 0  # of what was shipped
        self._writer, *self._readers = (
            sqlite3.connect(self.source, PATIENCE, isolation_level=None, check_same_thread=False) for _ in range(3)
        )
        for connection in (self._writer, *self._readers):
            connection.execute("PRAGMA wal_autocheckpoint=0")
        self._writer.execute("PRAGMA journal_size_limit=0")  # of a log that is begun anew: nothing of the old one stays

    # --- the life of a server ---

    def begin(self, copy: Path | None) -> None:
        """Keep the log from now on, and go on after what follows the newest whole copy, if nothing is missing."""
        resume, state = None, _state(self.source)
        with contextlib.suppress(OSError, ValueError):
            resume = json.loads((self.folder / RESUME).read_text(encoding="utf-8"))
            (self.folder / RESUME).unlink()  # it holds once
        with self._alone():
            self._writer.execute(NOTE, [time.time()])
        self._hold()
        self._log = open(f"{self.source}-wal", "rb", buffering=0)  # noqa: SIM115  # also where its name is taken away
        header = self._read_at(0, HEADER)
        shipped = logs(copy) if copy else []
        last = None
        for last in pieces(shipped[-1]) if shipped else ():
            self._salts = self._salts or last.data[16:24]
        if last:
            self._number = int(shipped[-1].suffixes[-2][1:])
            self._last = last.data[-FRAME - _page(header) :][:FRAME]
            self._size, self._end = last.end, last.place + len(last.data)
            if resume == [shipped[-1].name, *state]:
                self._follow_anew(header[16:24], self._number + 1)
            with contextlib.suppress(LogLost):
                self.copy = copy if self._read() else None  # there is the note at least

    def ship(self) -> None:
        """What was committed since the last time. Raises LogLost, OSError, sqlite3.Error."""
        with self._lock:
            size = os.fstat(self._log.fileno()).st_size
            try:
                if self.copy:
                    self._follow()
            except (LogLost, OSError) as error:
                if isinstance(error, LogLost) or size > MOST:
                    self.copy = None
                raise
            if self.erased or (self._end if self.copy else size) > TURN:
                self._turn()

    @contextlib.contextmanager
    def copying(self, copy: Path) -> Iterator[None]:
        """While a whole copy is made, whose log is shipped in the end. Raises LogLost if it has to be made again."""
        with self._lock:
            self._copying = self._read_at(0, HEADER)
        try:
            yield
            with self._lock:
                if self._read_at(0, HEADER) != self._copying:
                    raise LogLost("The log was begun anew meanwhile.")
                self.copy = copy
                self._follow_anew(self._copying[16:24], 1)
                self._follow()
        finally:
            self._copying = None

    def close(self) -> None:
        """Ship what is left, when nobody else of this process has the database any more."""
        left: list[object] = []
        with self._lock, contextlib.suppress(sqlite3.Error, OSError, LogLost):
            if self.copy is not None:
                with self._alone():
                    self._follow()
                    _busy, frames, merged = self._readers[1].execute(MERGE).fetchone()
                    if frames == merged:
                        left = [self._file.name, *_state(self.source)]
                    time.sleep(STAMP)  # a write to the file after this gives it another time
        for connection in (*self._readers, self._writer):
            connection.close()
        self._log.close()
        if left:
            with contextlib.suppress(OSError):
                (self.folder / RESUME).write_text(json.dumps(left), encoding="utf-8")

    # --- the log ---

    @property
    def _file(self) -> Path:
        assert self.copy
        return self.copy.with_name(f"{self.copy.stem}.{self._number:06}.log")

    def _read_at(self, place: int, size: int) -> bytes:
        self._log.seek(place)
        return self._log.read(size)

    def _read(self) -> bytes:
        """What was committed to the log since the last time, its header included. Raises LogLost."""
        header = self._read_at(0, HEADER)
        step = FRAME + _page(header)
        if header[16:24] != self._salts or (self._end and self._read_at(self._end - step, FRAME) != self._last):
            raise LogLost("The log was written to without the shipper.")
        data = bytearray() if self._end else bytearray(header)
        before = [self._last[16:] if self._end else header[24:]]
        commits: list[tuple[int, int]] = []
        self._log.seek(self._end or HEADER)
        while len(frame := self._log.read(step)) == step and frame[8:16] == self._salts:
            data += frame
            before.append(frame[16:24])
            if frame[4:8] != bytes(4):
                commits.append((len(data), len(before) - 2))
        for end, number in reversed(commits):
            frame = data[end - step : end]
            if _checksum(header, before[number], bytes(frame[:8] + frame[FRAME:])) == frame[16:24]:
                return bytes(data[:end])  # all before it was written before it
        return b""

    def _append(self) -> bool:
        """One more piece in the folder; false if there is nothing new."""
        moment, data = time.time(), self._read()
        if data:
            packed = zlib.compress(data, 1)
            head = PIECE.pack(moment, self._end, len(packed), 0)[:-4]
            check = zlib.crc32(packed, zlib.crc32(head))
            fresh = not self._size
            with open(os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
                file.seek(self._size)
                file.truncate()  # what was torn, or could not be written whole
                file.write(head + check.to_bytes(4) + packed)
                file.flush()
                os.fsync(file.fileno())
            if fresh:
                _sync(self.folder)
            self._size += PIECE.size + len(packed)
            self._end += len(data)
            self._last = data[-FRAME - _page(self._read_at(0, HEADER)) :][:FRAME]
        self.shipped = moment
        return bool(data)

    def _follow_anew(self, salts: bytes, number: int) -> None:
        """The log with these salts goes into the next file, from its beginning."""
        self._salts, self._number, self._size, self._end = salts, number, 0, 0

    def _follow(self) -> None:
        """Ship, and read what is newest. All that a reader sees is shipped, so that whenever there is more, its frames are
        not in the file yet, and the next reader keeps the log as the last one did."""
        if self._append():
            self._hold()
            self._append()

    def _hold(self) -> None:
        """Read the newest state, and no longer an older one."""
        old, new = self._readers
        try:
            new.execute("BEGIN")
            new.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error:
            new.rollback()
            raise
        old.rollback()
        self._readers = [new, old]

    def _turn(self) -> None:
        """Begin the log anew, unless a reader still has an older state, or a whole copy is being made."""
        if self._copying is not None:
            return
        with contextlib.suppress(sqlite3.OperationalError):  # a long write goes on: another time
            self._readers[1].execute(MERGE)  # most of it, while others write
            with self._alone():
                if self.copy:
                    self._follow()
                else:
                    self._hold()
                _busy, frames, merged = self._readers[1].execute(MERGE).fetchone()
            if merged == frames:
                self._anew()

    def _anew(self) -> None:
        """Write as the first since all of the log is in the file."""
        before = self._read_at(0, HEADER)[16:24]
        with self._alone():
            if self.copy and self._read():
                return
            self._readers[0].rollback()
            try:
                self._writer.execute(NOTE, [time.time()])
            except sqlite3.Error:
                self._hold()
                raise
        self._hold()
        salts = self._read_at(0, HEADER)[16:24]
        self.erased = self.erased and salts == before
        if self.copy and salts != self._salts:
            if int.from_bytes(salts[:4]) != (int.from_bytes(self._salts[:4]) + 1) % 2**32:
                self.copy = None
                raise LogLost("The log was begun anew twice.")
            self._follow_anew(salts, self._number + 1)
        if self.copy:
            self._follow()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """While nobody else writes."""
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._writer.commit()
        except BaseException:
            self._writer.rollback()
            raise


def _page(header: bytes) -> int:
    """Bytes of a page."""
    return int.from_bytes(header[8:12])


def _checksum(header: bytes, before: bytes, data: bytes) -> bytes:
    """SQLite's checksum of a frame after the one before."""
    words = struct.unpack(f"{'>' if header[3] & 1 else '<'}{len(data) // 4}I", data)
    first, second = struct.unpack(">2I", before)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return struct.pack(">2I", first, second)


def _state(file: Path) -> list[int]:
    """What changes when anybody writes to a file."""
    state = file.stat()
    return [state.st_ino, state.st_size, state.st_mtime_ns]


def _sync(folder: Path) -> None:
    """A new name is on disk."""
    with contextlib.suppress(OSError):  # Windows has no such thing
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
