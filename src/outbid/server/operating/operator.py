"""The acts of an operator: what `outbid admin` and the desk's page do, each with a sentence of what was done.

An act writes to the database alone, so it works beside any number of running servers, which obey after `Settings.obey`
seconds, and while none runs. Raises BadSetup, and changes nothing, where it cannot be done.
"""

import ipaddress
import re
import secrets
import time
from functools import partial

import sqlalchemy as sa

from outbid.core.errors import BadSetup
from outbid.core.language.i18n import _, ngettext
from outbid.core.language.names import alike, check_shown, key_of, quoted
from outbid.server.domain.setup import nickname
from outbid.server.rate_limits import ANSWERABLE
from outbid.server.settings import Settings
from outbid.server.storage import people
from outbid.server.storage.backups import seconds_of
from outbid.server.storage.desk import ADDRESS, DRAIN, NAME, SAY, DeskStore, lift, order
from outbid.server.storage.store import Store
from outbid.server.stored import Conflict, KeptName
from outbid.server.tokens import LETTERS

CLI, PAGE = "cli", "page"  # where an act comes from
LONGEST = 300  # characters of what is said to all
WIDEST = {4: 12, 6: 24}  # bits that the network of a ban has at least
# what is meant as an address, but is none
NEARLY = re.compile(r"https?://|(?=.*\d)[\[\]\da-f.:/,\s]*[.:/][\[\]\da-f.:/,\s]*$|[\da-f]*:.*:", re.IGNORECASE)
HERE = tuple(map(ipaddress.ip_network, ("127.0.0.0/8", "::1/128")))

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def subject_of(text: str) -> tuple[str, str]:
    """What is banned: its kind, and a network or a name. An IPv6 address stands for its household. Raises BadSetup."""
    try:
        network: Network = ipaddress.ip_network(text.strip().removeprefix("::ffff:"), strict=False)
    except ValueError:
        if NEARLY.match(text.strip()):
            sentence = _("{text} is no address; please name one, as {address}, or a network, as {network}.",
                         text=repr(text[:60]), address="203.0.113.7", network="203.0.113.0/24")  # fmt: skip
            raise BadSetup(sentence) from None
        return NAME, " ".join(check_shown(text).split())
    if network.version == 6 and network.prefixlen > ANSWERABLE:
        network = network.supernet(new_prefix=ANSWERABLE)
    if any(network.version == here.version and network.overlaps(here) for here in HERE):
        raise BadSetup(_("{address} is this machine itself, or its proxy; it cannot be shut out.", address=network))
    if network.prefixlen < WIDEST[network.version]:
        raise BadSetup(_("{address} is a large part of the internet; please name a smaller network.", address=network))
    return ADDRESS, str(network if network.num_addresses > 1 else network.network_address)


def _within(address: str, network: str) -> bool:
    """Whether an address or network is part of another; the address of a socket of this machine is none."""
    try:
        inner, outer = ipaddress.ip_network(address), ipaddress.ip_network(network)
    except ValueError:
        return False
    return inner.version == outer.version and inner.network_address in outer


def until_of(text: str) -> float | None:
    """When a time of such a length from now on is over; none: never. Raises BadSetup."""
    length = seconds_of(text.strip())
    if text.strip() and length is None:
        example = "30m, 6h, 7d"
        raise BadSetup(
            _("The time is {text}; it is minutes, hours or days, as in {example}.", text=repr(text[:20]), example=example)
        )
    return None if length is None else time.time() + length


class Operator:
    """An operator at one database. who: where the acts come from."""

    def __init__(self, store: Store, who: str):
        self.store = store
        self.who = who
        self.desk = DeskStore(store)

    def ban(self, subject: str, time: str = "", own: str = "") -> str:
        """Shut out an address, a network or a name, for a time (2h, 7d) or until it is let in again. own: an address that
        is spared, of who asks."""
        (kind, subject), until, time = subject_of(subject), until_of(time), time.strip()
        if own and kind == ADDRESS and _within(own, subject):
            raise BadSetup(_("You come from {address} yourself; only `outbid admin ban` shuts that out.", address=own))
        self.desk.act(self.who, f"ban {time}".strip(), subject, lift(kind, subject), order(kind, subject, until))
        if time:
            return _("{subject} is shut out for {time}.", subject=subject, time=time)
        return _("{subject} is shut out.", subject=subject)

    def unban(self, subject: str) -> str:
        """Let an address, a network or a name in again."""
        kind, subject = subject_of(subject)
        banned = [row.subject for row in self.desk.orders(time.time()) if row.kind == kind]
        if kind == NAME:
            subject = subject if subject in banned else alike(subject, banned) or subject
        if subject not in banned:
            within = next((network for network in banned if kind == ADDRESS and _within(subject, network)), None)
            if within:
                sentence = _("{subject} is shut out with {network}; please let that in.", subject=subject, network=within)
                raise BadSetup(sentence)
            raise BadSetup(_("{subject} is not shut out.", subject=subject))
        self.desk.act(self.who, "unban", subject, lift(kind, subject))
        return _("{subject} is let in again.", subject=subject)

    def say(self, text: str = "") -> str:
        """Show a sentence on all pages and tables; without text none any more."""
        text = " ".join(text.split())
        if len(text) > LONGEST or not text.isprintable():
            raise BadSetup(_("What is said to all has at most {longest} characters that can be shown.", longest=LONGEST))
        self.desk.act(self.who, SAY, text, lift(SAY), *([order(SAY, text)] if text else []))
        return _("All pages show: {text}", text=text) if text else _("Nothing is said any more.")

    def drain(self, stop: bool = False) -> str:
        """Make no table and begin no match from now on, or do so again; matches that are played go on."""
        drained = any(row.kind == DRAIN for row in self.desk.orders())
        if drained == stop:
            self.desk.act(self.who, "undrain" if stop else DRAIN, "", lift(DRAIN), *([] if stop else [order(DRAIN, "")]))
        if stop:
            already = _("Tables are made and matches begin already.")
            return _("Tables are made and matches begin again.") if drained else already
        n = self.store.statuses()["playing"]
        going = ngettext("{n} match is still being played.", "{n} matches are still being played.", n)
        already = _("So it is already: no table is made and no match begins.")
        ordered = _("No table is made and no match begins.")
        return f"{already if drained else ordered} {going}"

    def password(self, name: str) -> str:
        """Give a kept name a new password, which is in the answer; all its devices are signed out."""
        from argon2 import PasswordHasher

        kept, new = self.kept(name), "-".join("".join(secrets.choice(LETTERS) for _n in range(5)) for _part in range(4))
        self.desk.act(self.who, "password", kept.name, *people.changing(kept.key, PasswordHasher().hash(new)))
        return _("The new password of {name} is {password}; it is shown only now.", name=quoted(kept.name), password=new)

    def rename(self, name: str, new: str) -> str:
        """Give a kept name another one, also at its tables and in what it said."""
        kept = self.kept(name)
        new = nickname(new, Settings.nickname, [])
        if new == kept.name:
            raise BadSetup(_("{name} is called so already.", name=quoted(new)))
        try:
            self.desk.act(self.who, "rename", f"{kept.name}{people.TO}{new}", work=partial(people.rename, kept.key, new))
        except Conflict:
            sentence = _("The name {name} is kept by somebody already; please choose another.", name=quoted(new))
            raise BadSetup(sentence) from None
        return _("{name} is called {new} from now on.", name=quoted(kept.name), new=quoted(new))

    def erase(self, name: str) -> str:
        """Erase a person: the name, what it said and noted, its ratings; at its tables a bot without a name plays on."""
        kept = self.kept(name)
        self.desk.act(self.who, "erase", "", work=lambda db: set().union(*people.erase(kept.key, db)))
        erased = _("Nothing of {name} is kept any more.", name=quoted(kept.name))
        banned = [row.subject for row in self.desk.orders(time.time()) if row.kind == NAME]
        shut_out = _("The name stays shut out until you let it in again.")
        return f"{erased} {shut_out}" if alike(kept.name, banned) else erased

    def take_down(self, table: str, line: int) -> str:
        """Delete a line of the chat of a table, by its number (`chat`)."""

        def work(db: sa.Connection) -> list[str]:
            if not people.take_down(db, table, line):
                raise BadSetup(_("Table {table} has no such line of the chat.", table=repr(table[:40])))
            return [table]

        self.desk.act(self.who, "take down", f"{table} {line}", work=work)
        return _("Line {n} of table {table} is taken down.", n=line, table=table)

    def kept(self, name: str) -> KeptName:
        """The kept name that is called so. Raises BadSetup."""
        key = key_of(name)
        known = [person for person in people.PeopleStore(self.store).kept(name) if key_of(person.name) == key]
        if not known:
            raise BadSetup(_("Nobody keeps the name {name} here.", name=repr(name[:40])))
        return next((person for person in known if person.name == name), known[0])
