"""Start a server: open the database, find a port, say where the table is."""

import contextlib
import gc
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.lifespan.on import LifespanOn

from outbid.bots.executor import FORK, BotExecutor, InProcess, ProcessPool
from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language.i18n import N_, _
from outbid.server import logging
from outbid.server.domain.setup import Order, made
from outbid.server.settings import Rate, Settings
from outbid.server.storage.backups import Backups, Plan
from outbid.server.storage.hand_on import hand_on
from outbid.server.storage.lock import ServerAddress, ServerLock, Taken
from outbid.server.storage.opening import file_of, named_database, only_read, url_of, without_log
from outbid.server.storage.store import Store
from outbid.server.tokens import new_token
from outbid.server.web import qr
from outbid.server.web.app import create_app
from outbid.server.web.connections import protocols

YOUR_TABLE = N_("Your table: {link}")
ELSEWHERE = N_("It is at the server that has the database already, {address}, and ends with that.")
PORT = 8710
NEXT = 20  # how many ports after the usual one are tried
UNREAD = 128 * 1024  # bytes the system keeps of what one client does not read
ANYWHERE = ("0.0.0.0", "::")
LOOPBACK = "127.0.0.1"
OURS = {"database", "lan", "hosts", "key"}  # settings that follow from the rest

WORKERS = min(2, os.cpu_count() or 1)
SWITCH = 0.001  # seconds after which the event loop gives way to the writer, which needs little (writer.py)
COLLECT = (50_000, 50, 10)  # the young often, all every few hours: with hundreds of tables that stops the server for 0.3 s


def run(
    host: str = LOOPBACK,
    port: int | None = None,
    database: str | None = None,
    open_browser: bool = False,
    table: Mapping[str, Any] | None = None,
    log: str = "text",
    log_level: str = "warning",
    workers: int = WORKERS,
    backups: Plan | None = None,
    limits: Mapping[str, Any] | None = None,
    **more: Any,
) -> None:
    """Serve tables until interrupted.

    port: 8710 or the next free one if none is given; 0: any free one. database: a URL or the path of an SQLite file,
    else `outbid.db` in the user's data folder. table: the fields of `Order`; such a table is made and its address
    printed (and opened); if another server has the file, the table is made there (hand_on.py). log: text or json. workers:
    processes in which bots think (0: they think here). backups: copies of the database (backups.planned). limits, more:
    fields of `Settings`; a limit of so many a second may be a pair.
    Raises TypeError if there is no such field; whatever else cannot be is one sentence on standard error and SystemExit 2.
    """
    for name in (*(limits or {}), *more):
        if name not in {field.name for field in fields(Settings)} - OURS:
            raise TypeError(f"run() takes no {name!r}; it is no setting, or one that follows from the others.")
    try:
        more["base_url"] = base_url = (more.get("base_url") or "").rstrip("/") or None
        logging.begin(log, log_level, full=base_url is None and qr.loopback(host))
        url = url_of(named_database(database))
        file = file_of(url)
        try:
            lock = ServerLock(file)
        except Taken as taken:
            if table is None or taken.place is None:
                raise
            ours = {"port": port, "host": host != LOOPBACK, "backups": backups, **(limits or {}), **more}
            link = hand_on(table, taken.place, [name for name, value in ours.items() if value])
            print(_(YOUR_TABLE, link=link), _(ELSEWHERE, address=taken.place.address), sep="\n", flush=True)
            if open_browser:
                webbrowser.open(link)
            return
        # before anything else is in memory
        executor: BotExecutor = ProcessPool(workers, method=FORK) if workers else InProcess()
        with (
            contextlib.closing(lock),
            contextlib.closing(executor),
            contextlib.closing(_door(host, port, database, base_url)) as door,
        ):
            house = None if base_url else in_the_house(host, door)
            settings = Settings(url, lan=house, key=new_token(), **_limits(host, limits), **more)
            link = base_url or address(host, door)
            lock.tell(ServerAddress(address(host, door) + settings.root, link, settings.key))
            if file and (doubt := without_log(file)):
                print(doubt, file=sys.stderr)
            store = Store(settings.database)
            store.check()
            store.serve()
            if file and store.read_only:
                print(only_read(file), _("Tables are shown, and moves are refused."), file=sys.stderr)
            copies = Backups(store, backups) if backups and not store.read_only else None
            if copies:
                copies.begin()
            if table is not None:
                link = _new_table(store, settings, link, table)
            sentence = f"Outbid: {link}" if table is None else _(YOUR_TABLE, link=link)
            told = partial(_tell, sentence, house, link if open_browser else None)
            if door.listens:
                told()
            served(create_app(settings, store, executor, copies), settings, door, log_level, told)
    except OutbidError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None


def _tell(sentence: str, house: str | None, opened: str | None) -> None:
    """Say where the server is, in the local network too, and open an address in the browser."""
    print(sentence, flush=True)
    if house:
        print(_("In your network: {link}", link=house), flush=True)
        if sys.stdout.isatty():
            print(qr.for_terminal(house), flush=True)
    if opened:
        threading.Thread(target=webbrowser.open, args=[opened], daemon=True).start()


def _limits(host: str, limits: Mapping[str, Any] | None) -> dict[str, Any]:
    """The limits of a server and the name it was told to listen at."""
    rates = {name: Rate(*value) if isinstance(value, (list, tuple)) else value for name, value in (limits or {}).items()}
    return {"hosts": () if host in ANYWHERE else (host,), **rates}


class Door(socket.socket):
    """A port of ours. It does not listen before it is told to; until then another server that would wait there, too, is
    kept away by the port of the same number for datagrams: with SO_REUSEADDR both could bind that for connections."""

    listens = False
    _place: socket.socket | None = None

    def keep(self) -> None:
        """No other server waits here. Raises OSError if one does."""
        self._place = socket.socket(self.family, socket.SOCK_DGRAM)
        self._place.bind(self.getsockname())

    def listen(self, backlog: int = 128, /) -> None:
        """Let guests come. Raises OSError if another program listens here."""
        super().listen(backlog)
        self.listens = True
        self._leave()

    def close(self) -> None:
        """Leave the port to others."""
        self._leave()
        super().close()

    def _leave(self) -> None:
        if self._place:
            self._place.close()


def _door(host: str, port: int | None, database: str | None, base_url: str | None) -> Door:
    """Where guests come in. They may wait there while the server starts; but where a proxy has other processes, it is told
    to ask those until this one is ready."""
    others = base_url is not None and database is not None and database.startswith("postgres")
    return listen(host, port, at_once=not others)


def listen(host: str, port: int | None, at_once: bool = True) -> Door:
    """A door at a port, or at the usual one or the next that is free; at_once: it is open. Raises OutbidError."""
    if not host.strip():
        raise BadSetup("The address to listen at is empty; it is, for example, 127.0.0.1, or 0.0.0.0 for the network.")
    if port is not None and not 0 <= port < 2**16:
        raise BadSetup(f"The port is {port}; it must be a number from 0 to 65535.")
    wanted = [port] if port is not None else list(range(PORT, PORT + NEXT))
    reason = ""
    for number in wanted:
        try:
            return _bound(host, number, at_once)
        except OSError as error:
            reason = error.strerror or str(error)
    where = f"port {wanted[0]}" if len(wanted) == 1 else f"any port from {wanted[0]} to {wanted[-1]}"
    raise _no_door(host, where, reason)


def _no_door(host: str, where: str, reason: str) -> OutbidError:
    return OutbidError(f"The server cannot listen at {host} on {where}: {reason}.")


def _bound(host: str, port: int, at_once: bool) -> Door:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = Door(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, or asyncio does not set TCP_NODELAY
    try:
        if sys.platform != "win32":
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)  # every connection of this door has it, too
        door.bind((host, port))
        if at_once:
            door.listen()
        else:
            door.keep()
        door.setblocking(False)
    except OSError:
        door.close()
        raise
    return door


def address(host: str, door: socket.socket) -> str:
    """Where the server is reached from this machine."""
    shown = LOOPBACK if host in ANYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{door.getsockname()[1]}"


def in_the_house(host: str, door: socket.socket) -> str | None:
    """Where the server is reached from other machines of the local network; none: it is not."""
    if host in ANYWHERE:
        lan = qr.address()
        return f"http://{lan}:{door.getsockname()[1]}" if lan else None
    return None if qr.loopback(host) else address(host, door)


def _new_table(store: Store, settings: Settings, base: str, wanted: Mapping[str, Any]) -> str:
    """Make a table; returns its seat link."""
    try:
        order = Order(**wanted)
    except TypeError as error:
        raise BadSetup(f"The table cannot be made: {error}.") from error
    stored, token = made(order, settings.pace, settings.nickname)
    store.add(stored)
    return f"{base}/t/{stored.id}/seat/{token}"


def served(app: Starlette, settings: Settings, door: Door, log_level: str, told: Callable[[], None]) -> None:
    """Serve an application at a door until interrupted; told: called when it listens, unless it did so before."""
    config = uvicorn.Config(
        app,
        log_level=log_level,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
        proxy_headers=settings.base_url is not None,  # else nobody but the client speaks for the client
        **protocols(settings, app.state.limits),
    )
    gc.set_threshold(*COLLECT)
    gc.freeze()  # what every server has in memory is never garbage
    sys.setswitchinterval(SWITCH)
    Server(config, door, told).run(sockets=[door])


class Opening(LifespanOn):
    """The application begins, and then the door is opened: uvloop would not say if it could not be."""

    def __init__(self, config: uvicorn.Config, door: Door):
        super().__init__(config)
        self._door = door

    async def startup(self) -> None:
        """Raises OSError if another program has begun to listen there."""
        await super().startup()
        if not self.should_exit:
            self._door.listen(self.config.backlog)


class Server(uvicorn.Server):
    """A server that says where it is as soon as it listens, unless it did so before."""

    def __init__(self, config: uvicorn.Config, door: Door, told: Callable[[], None]):
        super().__init__(config)
        self._door, self._told = door, told

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Raises OutbidError if another program has begun to listen there."""
        before, self.lifespan = self._door.listens, Opening(self.config, self._door)
        try:
            await super().startup(sockets)
        except OSError as error:
            host, port, *_rest = self._door.getsockname()
            await self.lifespan.shutdown()
            raise _no_door(host, f"port {port}", error.strerror or str(error)) from error
        if not before:
            self._told()
