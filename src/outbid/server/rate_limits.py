"""How much one address and one socket may ask: token buckets, and counts of open sockets.

A bucket is full at first; whatever is asked takes a token, and tokens come back at a steady rate. What is refused is told
when to come back. Addresses are remembered while their buckets are not full, and never more than `ADDRESSES` of them.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from outbid.core.language import i18n
from outbid.server.settings import Rate, Refused, Settings

_, ngettext = i18n.words("outbid")

ADDRESSES = 10_000  # of which buckets are kept
ANSWERABLE = 64  # bits of an IPv6 address that one household has


class Bucket:
    """A token bucket."""

    def __init__(self, rate: Rate):
        self.rate = rate
        self.tokens = rate.burst
        self.at = time.monotonic()

    def fill(self) -> None:
        """What came back since the last look."""
        now = time.monotonic()
        self.tokens = min(self.rate.burst, self.tokens + (now - self.at) * self.rate.second)
        self.at = now

    def take(self) -> float:
        """0 if there was a token, which is taken; else how many seconds there will be none."""
        self.fill()
        if self.tokens < 1:
            return (1 - self.tokens) / self.rate.second
        self.tokens -= 1
        return 0.0


class Buckets:
    """A bucket for each address."""

    def __init__(self, rate: Rate):
        self.rate = rate
        self._kept: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def take(self, address: str) -> float:
        """As `Bucket.take`."""
        bucket = self._kept.pop(address, None) or Bucket(self.rate)
        self._kept[address] = bucket
        if len(self._kept) > ADDRESSES:
            self._kept.popitem(last=False)
        return bucket.take()

    def give(self, address: str) -> None:
        """A token that was taken comes back."""
        if address in self._kept:
            self._kept[address].tokens += 1


class Limits:
    """What every address has asked of a server."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self._requests = Buckets(settings.requests)
        self._tables = Buckets(settings.tables)
        self._passwords = Buckets(settings.passwords)
        self._names = Buckets(settings.passwords)
        self._talkers = Buckets(settings.chat)
        self._talking = Buckets(Rate(3 * settings.chat.burst, 3 * settings.chat.second))
        self._sockets: Counter[str] = Counter()

    def request(self, address: str) -> None:
        """A request. Raises Refused."""
        wait = 0.0 if self.settings.free(address) else self._requests.take(address)
        if wait:
            raise _too_many(_("Too much was asked from your address; please wait {wait}."), wait)

    def message(self, address: str, bucket: Bucket) -> None:
        """A message over a socket with this bucket; it is a request, too. Raises Refused."""
        wait = 0.0 if self.settings.free(address) else bucket.take()
        if wait:
            raise _too_many(_("That was too fast; please wait {wait}."), wait)
        self.request(address)

    def table(self, address: str) -> None:
        """A new table. Raises Refused."""
        wait = 0.0 if self.settings.free(address) else self._tables.take(address)
        if wait:
            raise _too_many(_("Too many tables were made from your address; please wait {wait}."), wait)

    def password(self, address: str, name: str) -> None:
        """A password that is tried, or made, for a name; also on this machine only so many for one name. Raises Refused."""
        wait = 0.0 if self.settings.free(address) else self._passwords.take(address)
        wait = wait or self._names.take(name)
        if wait:
            raise _too_many(_("Too many passwords were tried; please wait {wait}."), wait)

    def right(self, address: str, name: str) -> None:
        """The password was right: nothing was tried."""
        self._names.give(name)
        if not self.settings.free(address):
            self._passwords.give(address)

    def chat(self, address: str, who: str) -> None:
        """A message of somebody; also on this machine nobody says too much. Raises Refused."""
        wait = 0.0 if self.settings.free(address) else self._talking.take(address)
        wait = wait or self._talkers.take(who)
        if wait:
            raise _too_many(_("That was much at once; please wait {wait}."), wait)

    @contextmanager
    def socket(self, address: str) -> Iterator[Bucket]:
        """An open socket and the bucket of its messages. Raises Refused if the address has too many."""
        if self._sockets[address] >= self.settings.address_sockets and not self.settings.free(address):
            raise Refused(429, _("Too many tables are open from your address; please close one."))
        self._sockets[address] += 1
        try:
            yield Bucket(self.settings.messages)
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]


def _too_many(sentence: str, wait: float) -> Refused:
    """The refusal of somebody who shall wait."""
    seconds = math.ceil(wait)
    return Refused(429, sentence.format(wait=ngettext("{n} second", "{n} seconds", seconds)), retry=seconds)


def address_of(scope: Mapping[str, Any]) -> str:
    """Who asks: an IPv4 address, or the network of an IPv6 address, whose rest its owner may choose."""
    client = scope.get("client")
    try:
        address = ipaddress.ip_address(client[0].partition("%")[0] if client else "")
    except ValueError:
        return str(client[0]) if client else ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), ANSWERABLE), strict=False).network_address)
