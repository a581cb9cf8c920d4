"""The secrets of seats that were taken from this machine: one file a table, for its owner only."""

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path

from outbid.core.files import data_folder
from outbid.wire.link import Link


def _file(link: Link) -> Path:
    return data_folder() / "seats" / f"{hashlib.sha256(link.address.encode()).hexdigest()[:32]}.json"


def token(link: Link) -> str | None:
    """The secret of the seat at a table; none if there is none, or none that can be read."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(_file(link).read_text(encoding="utf-8"))
        if kept["table"] == link.address and isinstance(kept["token"], str):
            return Link.read(f"{link.address}/seat/{kept['token']}").token
    return None


def keep(link: Link, secret: str) -> None:
    """Remember the secret of a seat. Raises OSError."""
    file = _file(link)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent)  # for its owner only
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as fresh:
            json.dump({"table": link.address, "token": secret}, fresh)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def forget(link: Link) -> None:
    """The seat is no longer ours."""
    with contextlib.suppress(OSError):
        _file(link).unlink()
