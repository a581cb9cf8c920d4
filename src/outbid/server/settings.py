"""Settings of a server, and the refusals it speaks: every limit is here."""

from __future__ import annotations

from dataclasses import dataclass

from outbid.engine.errors import BadSetup, OutbidError

PACES = {"slow": (2.0, 4.0), "normal": (0.8, 1.8), "fast": (0.2, 0.5), "instant": (0.0, 0.0)}
"""Seconds a bot lets pass before it acts: drawn evenly between these, whatever it holds and decides."""


@dataclass(frozen=True)
class Settings:
    """What a server is told.

    database: an SQLAlchemy URL. base_url: how guests reach the server, if a proxy hides it (none: as they asked).
    pace: of new tables. auction_seconds: how long a realtime auction waits for a new bid. body, frame: bytes of a
    request and of a socket frame. fields: of one form. nickname: characters. live: tables kept in memory. sockets:
    at one table. refusals: remembered answers per table. backlog: answers a client may leave unread.
    """

    database: str
    base_url: str | None = None
    pace: str = "normal"
    auction_seconds: float = 8.0
    body: int = 16 * 1024
    frame: int = 8 * 1024
    fields: int = 100
    nickname: int = 24
    live: int = 1000
    sockets: int = 200
    refusals: int = 200
    backlog: int = 32

    def __post_init__(self) -> None:
        check_pace(self.pace)
        if not self.auction_seconds > 0:
            raise BadSetup(f"A realtime auction waits {self.auction_seconds!r} seconds; it must be more than 0.")


def check_pace(pace: str) -> str:
    """A pace that exists. Raises BadSetup."""
    if pace not in PACES:
        raise BadSetup(f"There is no pace {pace!r}; there are {', '.join(PACES)}.")
    return pace


class Refused(OutbidError):
    """A request that is refused: an HTTP status and the sentence for the person who asked."""

    def __init__(self, status: int, sentence: str):
        self.status = status
        super().__init__(sentence)
