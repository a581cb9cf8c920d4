"""How much one address and one socket may ask: token buckets, counts of open sockets, and whose turn it is.

A bucket is full at first; whatever is asked takes a token, and tokens come back at a steady rate. What is refused is told
when to come back. Addresses are remembered while their buckets are not full, and never more than `ADDRESSES` of them.

A request costs a token, and what it has cost is known when it is answered: the seconds of the processor that the answer took
are taken from the address's `work`, and while that is below nothing it is refused. Requests begin one after the other, each
time one of the address that has waited longest since its last (`Turns`): who asks a hundred things at once waits for
himself.

What it costs to read what an address sends, and to refuse it, is taken from its `work`, too, and from its `reading`, which
is little at once: while that is below nothing, nothing that the address sends is read (web/intake.py), so that asking in
vain costs no more than asking.

Seats have room of their own: those who watch count apart, in sockets and in what they say, so that no spectator takes
anything from a player, not even one behind the same address.
"""

import asyncio
import ipaddress
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping, Set
from contextlib import contextmanager
from functools import partial
from itertools import zip_longest
from typing import Any, Generic, TypeVar

from outbid.core.language.i18n import _, ngettext
from outbid.server.operating.callers import Callers
from outbid.server.settings import SEATED, Rate, Refused, Settings

T = TypeVar("T")

CODES = Rate(10, 10 / 3600)  # wrong codes of waiting rooms
FORGOTTEN = Rate(3, 1 / (8 * 3600))  # links for a new password of one name
ADDRESSES = 10_000  # of which buckets are kept
ANSWERABLE = 64  # bits of an IPv6 address that one household has


class Bucket:
    """A token bucket: full at first, and refilled at a steady rate."""

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

    def owes(self) -> float:
        """0 if there is anything left; else how many seconds there will be nothing."""
        self.fill()
        return max(0.0, -self.tokens / self.rate.second)


class Buckets:
    """A bucket for each address."""

    def __init__(self, rate: Rate):
        self.rate = rate
        self._kept: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def take(self, address: str) -> float:
        """Take a token of an address, as `Bucket.take`."""
        return self._of(address).take()

    def _of(self, address: str) -> Bucket:
        bucket = self._kept.pop(address, None) or Bucket(self.rate)
        self._kept[address] = bucket
        if len(self._kept) > ADDRESSES:
            self._kept.popitem(last=False)
        return bucket

    def owes(self, address: str) -> float:
        """Seconds for which an address has nothing left, as `Bucket.owes`."""
        return self._kept[address].owes() if address in self._kept else 0.0

    def pay(self, address: str, much: float) -> None:
        """Take so many tokens, even if there are fewer."""
        bucket = self._of(address)
        bucket.fill()
        bucket.tokens -= much

    def give(self, address: str) -> None:
        """A token that was taken comes back."""
        if address in self._kept:
            self._kept[address].tokens += 1


class Limits:
    """What every address has asked of a server."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.callers = Callers(settings.addresses)
        self.bars: Callable[[str], bool] = lambda address: False  # who is shut out (desk.py)
        self.shut: Callable[[], None] = lambda: None  # ends the connections of who is (web/connections.py)
        self._requests = Buckets(settings.requests)
        self._tables = Buckets(settings.tables)
        self._passwords = Buckets(settings.passwords)
        self._names = Buckets(settings.passwords)
        self._desk = Buckets(settings.passwords)
        self._forgotten = Buckets(FORGOTTEN)
        self._codes = Buckets(CODES)
        self._talkers = Buckets(settings.chat)
        self._talking = {seated: Buckets(_times(settings.chat, SAYS[seated])) for seated in (False, True)}
        self._work = Buckets(settings.work)
        self._reading = Buckets(settings.reading)
        self._sockets: Counter[tuple[str, bool]] = Counter()
        self.turns = Turns()

    def request(self, address: str) -> None:
        """A request. Raises Refused."""
        self.callers.of(address).requests += 1
        wait = 0.0 if self.settings.free(address) else self._work.owes(address) or self._requests.take(address)
        _check(wait, _("Too much was asked from your address; please wait {wait}."))

    def worked(self, address: str, seconds: float) -> None:
        """An answer took so long to make."""
        self.callers.of(address).seconds += seconds
        if not self.settings.free(address):
            self._work.pay(address, seconds)

    def read(self, address: str, seconds: float) -> None:
        """What an address has sent took so long to read."""
        self.worked(address, seconds)
        self.in_vain(address, seconds)

    def in_vain(self, address: str, seconds: float) -> None:
        """What was paid already went into refusing something."""
        if not self.settings.free(address):
            self._reading.pay(address, seconds)

    def unread(self, address: str) -> float:
        """Seconds for which nothing is read of what an address sends."""
        return 0.0 if self.settings.free(address) else self._reading.owes(address)

    def message(self, address: str, bucket: Bucket) -> None:
        """A message over a socket with this bucket; it is a request, too. Raises Refused."""
        _check(0.0 if self.settings.free(address) else bucket.take(), _("That was too fast; please wait {wait}."))
        self.request(address)

    def table(self, address: str) -> None:
        """A new table. Raises Refused."""
        wait = 0.0 if self.settings.free(address) else self._tables.take(address)
        _check(wait, _("Too many tables were made from your address; please wait {wait}."))

    def password(self, address: str, name: str, device: str = "") -> None:
        """A password that is tried, or made, for a name: only so many from an address, also for one name on this machine. A
        device that was signed in with it has tries of its own, so that nobody elsewhere uses them up. Raises Refused."""
        wait = 0.0 if device or self.settings.free(address) else self._passwords.take(address)
        wait = wait or self._names.take(f"{device or address} {name}")
        _check(wait, _("Too many passwords were tried; please wait {wait}."))

    def guess(self, address: str) -> None:
        """A try at the password of the desk, which nobody elsewhere can use up; also on this machine. Raises Refused."""
        _check(self._desk.take(address), _("Too many passwords were tried; please wait {wait}."))

    def forgotten(self, address: str, name: str) -> None:
        """A link for a new password of a name, which is sent by mail. Raises Refused."""
        wait = 0.0 if self.settings.free(address) else self._passwords.take(address)
        _check(wait, _("Too many passwords were tried; please wait {wait}."))
        if self._forgotten.take(name):
            raise Refused(429, _("A link was sent for this name several times; please look for it, or try again tomorrow."))

    def code(self, address: str) -> None:
        """A try at the code of a waiting room; also on this machine. Raises Refused."""
        _check(self._codes.take(address), _("Too many codes were wrong; please wait {wait}, or ask for the link."))

    def right_code(self, address: str) -> None:
        """The code was right: nothing was tried."""
        self._codes.give(address)

    def right(self, address: str, name: str, device: str = "") -> None:
        """The password was right: nothing was tried."""
        self._names.give(f"{device or address} {name}")
        if not (device or self.settings.free(address)):
            self._passwords.give(address)

    def chat(self, address: str, who: str, seated: bool = False) -> None:
        """A message of a person; also on this machine nobody says too much. Raises Refused."""
        wait = 0.0 if self.settings.free(address) else self._talking[seated].take(address)
        _check(wait or self._talkers.take(who), _("That was much at once; please wait {wait}."))

    @contextmanager
    def socket(self, address: str, seated: bool = False) -> Iterator[Bucket]:
        """An open socket and the bucket of its messages. Raises Refused if the address has too many."""
        kind, most = (address, seated), self.settings.address_sockets * (SEATED if seated else 1)
        if self._sockets[kind] >= most and not self.settings.free(address):
            raise Refused(429, _("Too many tables are open from your address; please close one."))
        self._sockets[kind] += 1
        caller = self.callers.of(address)
        caller.sockets += 1
        try:
            yield Bucket(self.settings.messages)
        finally:
            caller.sockets -= 1
            self._sockets[kind] -= 1
            if not self._sockets[kind]:
                del self._sockets[kind]


SAYS = {False: 3, True: 40}  # times what one person says, of an address: those who watch, those who play


def _times(rate: Rate, factor: float) -> Rate:
    return Rate(factor * rate.burst, factor * rate.second)


spent_time = getattr(time, "thread_time", time.process_time)  # seconds of this thread; in a browser tab there is one alone


class FairQueue(Generic[T]):
    """What waits, addresses in turn: next comes the oldest of the address that has waited longest since its last."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def __iter__(self) -> Iterator[T]:
        """In turn, as it stands now."""
        for turn in zip_longest(*self._waiting.values()):
            yield from (item for item in turn if item is not None)

    def of(self, address: str) -> int:
        """How much of an address waits."""
        return len(self._waiting.get(address, ()))

    def put(self, address: str, item: T) -> None:
        """Something of an address waits from now on."""
        self._waiting.setdefault(address, deque()).append(item)

    @property
    def addresses(self) -> Set[str]:
        """Those of which something waits."""
        return self._waiting.keys()

    def take(self, served: Set[str] = frozenset()) -> tuple[str, T]:
        """What comes next of addresses that are not being served, and whose it is. Raises StopIteration if nothing waits."""
        address = next(address for address in self._waiting if address not in served)
        mine = self._waiting.pop(address)
        item = mine.popleft()
        if mine:
            self._waiting[address] = mine
        return address, item


class Turns:
    """Whose request begins next: one at a time, addresses in turn."""

    def __init__(self) -> None:
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue()
        self._going = False

    async def take(self, address: str) -> None:
        """Wait for one's turn."""
        loop = asyncio.get_running_loop()
        mine: asyncio.Future[None] = loop.create_future()
        self._waiting.put(address, mine)
        if not self._going:
            self._going = True
            loop.call_soon(self._next, loop)
        await mine

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting:
            _address, first = self._waiting.take()
            if not first.done():
                first.set_result(None)  # it begins now, before the next is looked at
                loop.call_soon(self._next, loop)
                return
        self._going = False


class Measured(Generic[T]):
    """Something that is awaited, and the seconds of this thread's processor that it takes; pay: is told each time."""

    def __init__(self, work: Awaitable[T], pay: Callable[[float], None]):
        self._work = work
        self._pay = pay
        self.seconds = 0.0

    def __await__(self) -> Generator[Any, Any, T]:
        steps = self._work.__await__()
        send: Any = partial(next, steps)
        while True:
            begun = spent_time()
            try:
                waits = send()
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                spent = spent_time() - begun
                self.seconds += spent
                self._pay(spent)
            try:
                yield waits
            except BaseException as error:
                send = partial(steps.throw, error)
            else:
                send = partial(next, steps)


def _check(wait: float, sentence: str) -> None:
    """Raise Refused where somebody shall wait."""
    if wait:
        seconds = math.ceil(wait)
        raise Refused(429, sentence.format(wait=ngettext("{n} second", "{n} seconds", seconds)), retry=seconds)


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
