"""Names that are kept with a password. Nobody needs one: a nickname and a link are enough to play.

Only the owner of a kept name sits down under it on this server, and a person who signs in with it, on any device, has
all seats that were taken under it. The password is stored as Argon2id; it is hashed off the event loop, one at a time, and
as much work is done for a name that nobody keeps. A browser that is signed in has a secret of 128 random bits in the
cookie `signed-in`, of which the database has the SHA-256. Nobody else sits down under a name that looks the same either
(core/language/names.py).

Guesses are counted for each address, and for each device that is signed in with the name or was: that has its secret still
when it is signed out, in the cookie `known`. So nobody elsewhere keeps the owner of a name from signing in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from outbid.core.errors import BadSetup
from outbid.core.language.i18n import N_, _
from outbid.core.language.names import key_of
from outbid.server.domain.setup import nameless, nickname
from outbid.server.rate_limits import Limits
from outbid.server.settings import Refused, Settings
from outbid.server.stored import Conflict, KeptName, days_off
from outbid.server.tokens import hashed, new_token

if TYPE_CHECKING:
    from argon2 import PasswordHasher

    from outbid.server.storage.store import Store

COOKIE, KNOWN = "signed-in", "known"
SHORTEST, LONGEST = 8, 200  # characters of a password
RECOVERY = 3600.0  # seconds for which a link replaces a forgotten one
BARRED = N_("This server is closed to you; its operator has decided so.")
USED = N_("This link was used, or is older than an hour; please ask for another one.")


class Absence(NamedTuple):
    """A vacation. last_day: of the one that there is now; left: days of this year that are not used or taken."""

    last_day: str | None
    left: int


class Names:
    """The kept names of a server."""

    def __init__(self, store: Store, settings: Settings, limits: Limits):
        self.store = store
        from outbid.server.storage.people import PeopleStore

        self.people = PeopleStore(store)
        self.settings = settings
        self.limits = limits
        self.bars: Callable[[str], bool] = lambda name: False  # which names are shut out (desk.py)
        self._nobody: str | None = None  # the hash that a password is compared with where there is no name
        self._turns = {known: asyncio.Lock() for known in (False, True)}  # passwords of known devices wait for no others

    def of(self, device: str | None) -> KeptName | None:
        """The name that this browser is signed in with."""
        return self.people.device(hashed(device)) if device else None

    def check_let_in(self, name: str) -> None:
        """Whether the operator lets a name in. Raises Refused."""
        if self.bars(name):
            raise Refused(403, _(BARRED))

    def check(self, name: str, device: str | None) -> str | None:
        """Whether this browser may sit down under a name; returns the key if it keeps it. Raises Refused."""
        self.check_let_in(name)
        kept = self._named(name) or next(iter(self.people.kept(name)), None)
        mine = self.of(device) if kept else None
        if kept and mine != kept:
            sentence = _(
                "The name {name} is kept with a password on this server; sign in with it, or choose another.", name=kept.name
            )
            raise Refused(403, sentence)
        return kept.key if kept else None

    def _named(self, name: str) -> KeptName | None:
        """The kept name that is the same as this; of several from an older database the one that is written like this."""
        key = key_of(name)
        same = [person for person in self.people.kept(name) if key_of(person.name) == key]
        return next((person for person in same if person.name == name), next(iter(same), None))

    async def keep(self, name: str, password: str, address: str) -> str:
        """Keep a name from now on; returns the secret of this browser. Raises Refused, BadSetup."""
        name = nickname(name, self.settings.nickname, [])
        key = key_of(name)
        if nameless(name):
            raise BadSetup(_("The name {name} cannot be kept: the table calls those so who have none.", name=name))
        self.check_let_in(name)
        _check(password, name)
        self.limits.password(address, key)
        digest = await self._made(password)
        token = new_token()
        try:
            if self.people.kept(name):
                raise Conflict
            await self.store.aside(self.people.keep, KeptName(key, name, digest), hashed(token))
        except Conflict:
            raise Refused(409, _("The name {name} is kept by somebody already; please choose another.", name=name)) from None
        return token

    async def sign_in(self, name: str, password: str, address: str, known: str | None = None) -> str:
        """Come back on another device, or on one that was signed in (known: its secret); returns the secret of this browser.
        Raises Refused."""
        kept = await self._proved(name, password, address, known)
        token = new_token()
        try:
            await self.store.aside(self.people.sign_in, kept.key, hashed(token))
        except Conflict:
            raise Refused(403, _wrong()) from None
        return token

    async def sign_out(self, device: str) -> None:
        """This browser is signed in no longer."""
        await self.store.aside(self.people.sign_out, hashed(device))

    async def change(self, device: str | None, old: str, new: str, address: str) -> None:
        """Another password; all other devices are signed out. Raises Refused, BadSetup."""
        kept = self.mine(device)
        _check(new, kept.name)
        await self._proved(kept.name, old, address, device)
        await self.store.aside(self.people.change, kept.key, await self._made(new), hashed(device or ""))

    def recovery(self, name: str, now: float) -> tuple[str, str, str] | None:
        """What a person who forgot the password of a name is sent: to which address, in which language, and the token of the
        link, which is good for an hour; none: there is nowhere to send it."""
        kept = self._named(name)
        reader = self.people.reader(kept.key) if kept else None
        if kept is None or reader is None:
            return None
        token = new_token()
        self.people.recover(kept.key, token, now + RECOVERY)
        return (*reader, token)

    async def recover(self, token: str, password: str, now: float) -> str:
        """Another password by such a link, which does no more; returns the secret of this browser. Raises Refused."""
        kept = self.recovering(token, now)
        _check(password, kept.name)
        digest, device = await self._made(password), new_token()
        try:
            await self.store.aside(self.people.replace_password, token, now, digest, hashed(device))
        except Conflict:
            raise Refused(410, _(USED)) from None
        return device

    def recovering(self, token: str, now: float) -> KeptName:
        """The kept name that a link gives a new password. Raises Refused."""
        kept = self.people.recovering(token, now)
        if kept is None:
            raise Refused(410, _(USED))
        self.check_let_in(kept.name)
        return kept

    async def give_up(self, device: str | None, password: str, address: str) -> None:
        """Anybody may have the name. Raises Refused."""
        kept = await self._proved(self.mine(device).name, password, address, device)
        await self.store.aside(self.people.give_up, kept.key)

    async def erase(self, device: str | None, password: str, address: str) -> tuple[list[str], list[str]]:
        """Anybody may have the name, and nothing of it stays where it sat and where it spoke: both lists. Raises Refused."""
        kept = await self._proved(self.mine(device).name, password, address, device)
        return await self.store.aside(self.people.erase, kept.key)

    async def rest(self, device: str | None, days: int) -> None:
        """A vacation of so many days, today included; none: it is over. Raises Refused."""
        if not 0 <= days <= days_off.MOST:
            raise BadSetup(_("A vacation has from 1 to {most} days; 0 ends it.", most=days_off.MOST))
        await self.store.aside(self.people.rest, self.mine(device).key, days)

    def vacation(self, kept: KeptName) -> Absence:
        """The vacation of a kept name, and what is left of this year's."""
        vacations, now = self.people.vacations(kept.key), self.store.moments.now()
        ends = next((ends for _begins, ends in vacations if ends > now), None)
        until = None if ends is None else days_off.last_day(self.store.moments.by_wall(ends))
        return Absence(until, days_off.MOST - days_off.used(vacations)[datetime.fromtimestamp(now, UTC).year])

    async def everything(self, device: str | None) -> dict[str, Any]:
        """All that is kept of the name. Raises Refused."""
        return await self.store.beside(self.people.everything, self.mine(device))

    def mine(self, device: str | None) -> KeptName:
        """The name that this browser is signed in with. Raises Refused."""
        kept = self.of(device)
        if kept is None:
            raise Refused(403, _("This browser is not signed in with a name."))
        return kept

    async def _proved(self, name: str, password: str, address: str, device: str | None) -> KeptName:
        """The kept name, if this is its password. Raises Refused."""
        key, kept = key_of(name), self._named(name)
        token = hashed(device) if device else ""
        known = token if token and kept and self.people.knows(kept.key, token) else ""
        self.limits.password(address, key, known)
        right = await self._right(kept, password[:LONGEST], bool(known))
        if kept is None or not right:
            raise Refused(403, _wrong())
        self.limits.right(address, key, known)
        self.check_let_in(kept.name)
        return kept

    async def _right(self, kept: KeptName | None, password: str, known: bool) -> bool:
        """Whether a password is right, after the same work whether there is such a name or not."""
        if self._nobody is None:
            self._nobody = await self._made(new_token())
        digest = kept.password if kept else self._nobody
        async with self._turns[known]:
            return await asyncio.to_thread(self._verified, digest, password)

    @cached_property
    def _hasher(self) -> PasswordHasher:
        from argon2 import PasswordHasher  # where there are no passwords, it need not be there

        return PasswordHasher()

    def _verified(self, known: str, password: str) -> bool:
        from argon2.exceptions import InvalidHashError, VerificationError

        try:
            return self._hasher.verify(known, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _made(self, password: str) -> str:
        async with self._turns[False]:
            return await asyncio.to_thread(self._hasher.hash, password)


def _wrong() -> str:
    return _("The name and the password do not belong together.")


def _check(password: str, name: str) -> None:
    """A password that is worth something. Raises BadSetup."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadSetup(
            _("Please choose a password of {shortest} to {longest} characters.", shortest=SHORTEST, longest=LONGEST)
        )
    if key_of(password) == key_of(name):
        raise BadSetup(_("The password cannot be the name itself."))
