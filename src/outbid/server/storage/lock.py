"""One server to an SQLite file: a lock of the operating system on `FILE-lock`, beside it.

The lock ends with the process that holds it, however that ends, so a crash leaves none. What the file says, where the server
is, holds only as long as the lock is held. Tools that work beside a server do not ask for it; a PostgreSQL has none.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

from outbid.core.errors import OutbidError
from outbid.core.language.i18n import _
from outbid.server.storage.opening import read_only

KEY = "x-outbid-server"  # a header: the key of the server that is meant
PAUSE = 0.05  # seconds between two tries
TRIES, STARTS = 6, 200  # of who may let go of the lock in this moment, or will say where it is, since it just starts
FAR = 2**30  # the byte that Windows locks: nobody may read a locked one


class ServerAddress(NamedTuple):
    """Where a server is. address: from this machine; base: what the links of guests begin with; key: who sends it may read
    the file, and means this very server."""

    address: str
    base: str
    key: str


class Taken(OutbidError):
    """Another server has the file. place: where that is, if it says so."""

    def __init__(self, file: Path, place: ServerAddress | None):
        self.place = place
        where = _("the server at {address}", address=place.address) if place else _("a server that does not say where it is")
        super().__init__(
            _("{file} is in use by {server}; please stop it first, or name another --database.", file=file, server=where)
        )


class ServerLock:
    """The lock of a database file, held until `close`; where there is no file, or none that can be written to, it does
    nothing. Raises Taken, OutbidError."""

    def __init__(self, file: Path | None):
        self._file = -1
        if file is None or read_only(file):
            return
        path = Path(f"{os.path.realpath(file)}-lock")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise OutbidError(f"The file {path} cannot be written: {error.strerror}.") from error
        tries = 0
        while not _locked(self._file):
            place, tries = _place(self._file), tries + 1
            if tries > (TRIES if place else STARTS):
                self.close()
                raise Taken(file, place)
            time.sleep(PAUSE)
        os.truncate(self._file, 0)
        if sys.platform != "win32":
            os.register_at_fork(after_in_child=self.close)  # else the lock would end with the last child

    def tell(self, place: ServerAddress) -> None:
        """Say where the server is."""
        if self._file >= 0:
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, f"{json.dumps(place)}\n".encode())

    def close(self) -> None:
        """Let go of the file."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1


def free(file: Path) -> bool:
    """No server has the file."""
    try:
        ServerLock(file).close()
    except OutbidError:
        return False
    return True


def _locked(file: int) -> bool:
    """Take the lock, if nobody has it; where the file system knows no locks, nobody has."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, FAR, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        pass
    return True


def _place(file: int) -> ServerAddress | None:
    """What the server that has the lock says of itself."""
    os.lseek(file, 0, os.SEEK_SET)
    try:
        return ServerAddress(*map(str, json.loads(os.read(file, 4096))))
    except (ValueError, TypeError):
        return None
