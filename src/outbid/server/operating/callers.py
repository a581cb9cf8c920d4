"""Who has asked in the last 24 hours and what each address has cost: in memory only, never written down.

An address is one as limits count it (rate_limits.py): an IPv6 household is one. At most `MOST` are remembered, those that
asked last; after a day without a request an address is forgotten. A host may keep none (`--no-addresses`): then all count as
one. So is where a person with a kept name comes from, whom only the database can name (storage/desk.py). What was refused
lately is remembered, too, each with a short id that its page and the log name.
"""

import time
from collections import OrderedDict, deque
from dataclasses import asdict, dataclass
from typing import Any

from outbid.server.logging import log
from outbid.server.tokens import hashed, new_id

DAY = 24 * 3600.0
MOST, REFUSALS = 10_000, 1000  # addresses (also of names) and refusals that are remembered
SHOWN = 200  # addresses that one answer names: those that cost most
NOTED, MINUTE = 120, 60.0  # refusals of a minute that get an id, and a line in the log


@dataclass
class Caller:
    """What one address has cost: requests (messages of sockets are some), seconds of the processor, sockets that are open
    now, bytes that were read and sent, and how often it was refused."""

    since: float
    last: float
    requests: int = 0
    seconds: float = 0.0
    sockets: int = 0
    read: int = 0
    sent: int = 0
    refused: int = 0


@dataclass(frozen=True)
class Refusal:
    """What was refused: when, with which status and sentence, what was asked, and by which address."""

    id: str
    at: float
    status: int
    sentence: str
    asked: str
    address: str


class Callers:
    """The addresses that have asked this process. named: they are kept; else there is one for all."""

    def __init__(self, named: bool = True):
        self.named = named
        self.since = time.time()
        self.refusals: deque[Refusal] = deque(maxlen=REFUSALS)
        self._known: OrderedDict[str, Caller] = OrderedDict()
        self._people: OrderedDict[tuple[str, str], float] = OrderedDict()  # hash and address → the last request
        self._noted = (0.0, 0)  # when the minute began, and how many were noted in it

    def of(self, address: str) -> Caller:
        """What an address has cost; it is asking now."""
        now, name = time.time(), address if self.named else ""
        caller = self._known.get(name) or Caller(now, now)
        caller.last = now
        _keep(self._known, name, caller)
        return caller

    def known(self, key: str, address: str) -> None:
        """The person of a kept name is asking from an address."""
        if self.named:
            _keep(self._people, (hashed(key), address), time.time())

    def forget(self, now: float) -> None:
        """Nothing is known any more of who has not asked for a day, and of what was refused before."""
        while self._known and next(iter(self._known.values())).last < now - DAY:
            self._known.popitem(last=False)
        while self._people and next(iter(self._people.values())) < now - DAY:
            self._people.popitem(last=False)
        while self.refusals and self.refusals[0].at < now - DAY:
            self.refusals.popleft()

    def refused(self, address: str, status: int, sentence: str, asked: str) -> str:
        """Note a refusal; returns its id, or nothing in a flood of them. asked: a method and a path without secrets."""
        self.of(address).refused += 1
        now, (since, many) = time.time(), self._noted
        self._noted = (since, many + 1) if 0 <= now - since < MINUTE else (now, 1)
        if self._noted[1] > NOTED:
            return ""
        name = new_id()[:6]
        self.refusals.append(Refusal(name, now, status, sentence, asked, address if self.named else ""))
        log.info("Refused (%s): %s, %d.", name, asked, status, extra={"refusal": name, "status": status})
        return name

    def report(self) -> dict[str, Any]:
        """All of it as JSON: the addresses that cost most first, the newest refusals first."""
        dearest = sorted(self._known.items(), key=lambda entry: (-entry[1].seconds, -entry[1].requests))[:SHOWN]
        rows = [{"address": address, **asdict(caller)} for address, caller in dearest]
        refusals = [asdict(refusal) for refusal in reversed(self.refusals)]
        people = [[*person, at] for person, at in reversed(self._people.items())]
        return {"named": self.named, "since": self.since, "callers": rows, "people": people, "refusals": refusals}


def _keep(entries: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    """Put an entry last, and let the first go where there are too many."""
    entries.pop(key, None)
    entries[key] = value
    if len(entries) > MOST:
        entries.popitem(last=False)
