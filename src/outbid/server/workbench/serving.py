"""The server of a workbench: a process that the supervisor begins after every change of the game.

It has tried what was saved (faults.py) while the one before it is still at the table, and then takes its place: a file is
read once, whatever is saved meanwhile.
"""

import contextlib
import logging
import os
import threading
import time
import webbrowser
from pathlib import Path
from uuid import uuid4

from starlette.routing import Route

from outbid.core.language.i18n import _
from outbid.core.rulebook import Rulebook
from outbid.server import logging as own_logging
from outbid.server.main import address, listen, served
from outbid.server.settings import Settings
from outbid.server.storage.store import Store
from outbid.server.tokens import new_token
from outbid.server.web.app import create_app, endpoint_of
from outbid.server.web.screens.workbench.routes import WORKBENCH
from outbid.server.workbench import READY
from outbid.server.workbench.bench import ID, Bench, BenchOrder
from outbid.server.workbench.faults import FaultListener, home_of, timed
from outbid.server.workbench.line import PATIENCE
from outbid.server.workbench.seats import EachSeat
from outbid.testing.source import within
from outbid.testing.watch import always

OPENED = "opened"  # a file of the folder: the address was said


def serve(book: Rulebook, folder: Path) -> None:
    """Serve the workbench of a folder until it is ended, from when the one before it is gone."""
    order, waiting = BenchOrder.read(folder), folder / READY.format(os.getpid())
    own_logging.begin("text", "warning", full=True)
    settings = Settings(f"sqlite:///{folder / f'{uuid4().hex}.db'}", hosts=(order.host,), key=new_token())
    store = Store(settings.database)
    store.check()
    store.serve()
    app = create_app(settings, store)
    waiting.touch()
    while waiting.exists():
        time.sleep(0.02)
    always(within(book), 2 * PATIENCE)
    with contextlib.closing(listen(order.host, order.port)) as door:
        bench = app.state.bench = Bench(book, app.state.tables, folder, order)
        app.router.routes += [Route(path, endpoint_of(answer), methods=[method]) for path, method, answer in WORKBENCH]
        app.add_middleware(EachSeat, table=ID, tokens=bench.tokens)
        timed(book, bench.measure)
        logging.getLogger().addHandler(FaultListener(home_of(book, order.game), bench.hear))
        _tell(folder, f"{address(order.host, door)}/{ID}", order.browser)
        served(app, settings, door, "warning", lambda: None)


def _tell(folder: Path, link: str, browser: bool) -> None:
    """Say where the workbench is, the first time."""
    if (folder / OPENED).exists():
        return
    (folder / OPENED).touch()
    print(_("Your workbench: {link}", link=link), flush=True)
    if browser:
        threading.Thread(target=webbrowser.open, args=[link], daemon=True).start()
