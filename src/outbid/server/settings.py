"""Settings of a server, and the refusals it speaks: every limit is here."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from outbid.bots.executor import SECONDS
from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language.i18n import N_, _
from outbid.core.record import LONGEST
from outbid.server.domain.notices.delivery import ANYWHERE, PUBLIC, Mail
from outbid.server.web.below import PATH

if TYPE_CHECKING:
    from sqlalchemy import URL

PACES = {N_("slow"): (2.0, 4.0), N_("normal"): (0.5, 1.1), N_("fast"): (0.2, 0.5), N_("instant"): (0.0, 0.0)}
"""Seconds a bot lets pass before it acts: drawn evenly between these, whatever it holds and decides."""

SHORTEST = 12  # characters of the desk's password
SEATED = 4  # times as many sockets, and much more to say, has an address for its seats as for those who watch


class Rate(NamedTuple):
    """A token bucket: how much at once, and how much a second in the long run."""

    burst: float
    second: float


REQUESTS, TABLES, MESSAGES = Rate(1000, 100), Rate(30, 30 / 3600), Rate(100, 20)
PASSWORDS, CHAT, WORK = Rate(10, 1 / 60), Rate(8, 0.5), Rate(3, 0.12)
READING = Rate(0.5, 0.1)


@dataclass(frozen=True)
class Settings:
    """What a server is told.

    database: an SQLAlchemy URL. base_url: how guests reach the server, if a proxy hides it (none: as they asked). lan: how
    others in the local network do; links say it to who asks on this machine. hosts: further names it answers to, besides
    those of the base URL, of this machine and its addresses. pace: of new tables. auction_seconds: how long a realtime
    auction waits for a new bid. body, frame: bytes of a request and of a socket frame. fields: of one form. nickname:
    characters. live, memory: tables kept in memory, and about how many bytes they may take. sockets: of those who watch a
    table. seat_sockets: of each seat. refusals: remembered answers per table. backlog: answers
    a client may leave unread.

    Of one address (a household, a school): connections; requests, socket messages among them, and work: the seconds that
    answering them takes; reading: what of that goes into reading and refusing; new tables; open sockets of those who watch
    (those of seats: `SEATED` times as many); passwords, also for one name. Of one person at a table: chat. Of one socket:
    messages. patience: seconds a request, or a message of a socket, may take to arrive and an answer to be read.
    ping: seconds between the server's pings, and for the answer to one. upload: bytes of a record that is sent.
    keep_days: how long finished tables are kept (none: for ever); sweep: seconds between
    looks at them (retention.py). lately: seconds for which a person who loads the page again is still there. gone: seconds
    without the table after which the others may let a bot play for a person, and before a match the next person there may
    start, fill and seat as the host may; gone_slow: the same before a match where a decision has hours or days. beat:
    seconds after which a socket says something even if nothing has happened. silence: seconds after which a page opens its
    socket anew if it hears nothing; receipt: the same while a command of its is not received. settle: seconds in which a
    choice that has come in the place of another takes no click. slow: seconds for which a move may wait for the disk before
    the table says so. thinking: seconds of processor time a bot has for a decision. key: who sends it means this very server
    (hand_on.py). metrics: /metrics is for everybody, not only for this machine. addresses: those that ask are remembered for
    a day (callers.py). desk: the password of the operator's page; without one there is no page. obey: seconds between looks
    at what the operator has ordered. daily: which bots play the deal of the day for comparison, and how often. push:
    browsers may be told that it is their player's turn, by the push services of their makers. alone: in a browser tab, for
    the people at one device; there are no threads, processes and passwords (web/absent.py). Loopback addresses have no
    limits unless there is a base URL: then they belong to a proxy that does not name the client."""

    database: str | URL
    base_url: str | None = None
    pace: str = "normal"
    auction_seconds: float = 8.0
    body: int = 16 * 1024
    frame: int = 8 * 1024
    fields: int = 100
    nickname: int = 24
    live: int = 1000
    memory: int = 200 * 2**20
    sockets: int = 200
    refusals: int = 200
    backlog: int = 32
    hosts: tuple[str, ...] = ()
    requests: Rate = REQUESTS
    tables: Rate = TABLES
    messages: Rate = MESSAGES
    passwords: Rate = PASSWORDS
    chat: Rate = CHAT
    work: Rate = WORK
    reading: Rate = READING
    connections: int = 600
    address_sockets: int = 100
    seat_sockets: int = 8
    patience: float = 10.0
    ping: float = 20.0
    beat: float = 15.0
    silence: float = 40.0
    receipt: float = 5.0
    settle: float = 0.3
    slow: float = 5.0
    upload: int = LONGEST + 2**16  # the longest record, and what a form puts round it
    keep_days: float | None = None
    sweep: float = 300.0
    metrics: bool = False
    addresses: bool = True
    desk: str = field(default="", repr=False)
    obey: float = 2.0
    lately: float = 20.0
    gone: float = 180.0
    gone_slow: float = 24 * 3600.0
    thinking: float = SECONDS
    lan: str | None = None
    daily: Mapping[str, int] = field(default_factory=lambda: {"easy": 200, "steady": 200, "strong": 40}, hash=False)
    mail: Mail | None = None
    hooks: str = ""
    push: bool = True
    notice_look: float = 15.0
    notice_after: float = 60.0
    notice_gap: float = 600.0
    key: str = ""
    alone: bool = False

    def __post_init__(self) -> None:
        check_pace(self.pace)
        if not self.auction_seconds > 0:
            raise BadSetup(f"A realtime auction waits {self.auction_seconds!r} seconds; it must be more than 0.")
        if self.keep_days is not None and not self.keep_days > 0:
            raise BadSetup(f"Finished tables are kept for {self.keep_days!r} days; it must be more than 0.")
        if self.base_url is not None:
            check_base(self.base_url)
        if self.desk and len(self.desk) < SHORTEST:
            raise BadSetup(f"The password of the desk has {len(self.desk)} characters; it must have at least {SHORTEST}.")
        if self.hooks not in ("", PUBLIC, ANYWHERE):
            raise BadSetup(f"Web hooks may lead to {PUBLIC!r} addresses or to {ANYWHERE!r}, not {self.hooks!r}.")
        if self.notices and self.base_url is None:
            raise BadSetup("Notices need --base-url: their links must lead here from anywhere.")

    @property
    def notices(self) -> bool:
        """People can be told that it is their turn."""
        return bool(self.mail or self.hooks or self.pushes)

    @property
    def pushes(self) -> bool:
        """Browsers can be told, which only pages by https or of this machine may ask for."""
        local = urlsplit(self.base_url or "").hostname in ("localhost", "127.0.0.1", "::1")
        return self.push and self.base_url is not None and (self.secure or local)

    @cached_property
    def names(self) -> frozenset[str]:
        """The host names of the base URL and the further ones."""
        base = urlsplit(self.base_url or "").hostname
        return frozenset(name.lower() for name in (*self.hosts, base) if name)

    @cached_property
    def origin(self) -> tuple[str, str] | None:
        """Scheme and host of the pages of the base URL."""
        parts = urlsplit(self.base_url or "")
        return (parts.scheme, parts.netloc.lower()) if self.base_url else None

    @property
    def root(self) -> str:
        """The path below which the pages are: "/games", or "" for none."""
        return urlsplit(self.base_url or "").path

    @property
    def secure(self) -> bool:
        """Guests come by https."""
        return self.origin is not None and self.origin[0] == "https"

    def free(self, address: str) -> bool:
        """Whether an address may ask as much as it likes."""
        return self.alone or (self.base_url is None and _loopback(address))


@lru_cache(1000)
def _loopback(address: str) -> bool:
    """Whether an address is one of this machine."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def check_base(base: str) -> None:
    """A base URL that links can begin with. Raises BadSetup."""
    try:
        parts = urlsplit(base)
        whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and "@" not in base
        path = PATH.fullmatch(parts.path) and "/.." not in parts.path
        good = whole and path and base == f"{parts.scheme}://{parts.netloc}{parts.path}"
    except ValueError:
        good = False
    if not good:
        raise BadSetup(
            f"The base URL is {base!r}; it must be http:// or https:// and a host, perhaps with a path, "
            "as in https://table.example or https://host.example/games."
        )


def check_pace(pace: str) -> str:
    """A pace that exists. Raises BadSetup."""
    if pace not in PACES:
        raise BadSetup(_("There is no pace {pace}; there are {paces}.", pace=repr(pace), paces=", ".join(PACES)))
    return pace


class Refused(OutbidError):
    """A request that is refused: an HTTP status and the sentence for the person who asked.

    retry: in how many seconds it may be granted, if that is known."""

    def __init__(self, status: int, sentence: str, retry: int | None = None):
        self.status = status
        self.retry = retry
        super().__init__(sentence)
