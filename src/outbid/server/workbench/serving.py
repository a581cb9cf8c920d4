"""The server of a workbench: a process that the supervisor begins anew after every change of the game."""

import contextlib
import logging
import sys
import threading
import webbrowser
from pathlib import Path
from uuid import uuid4

from starlette.routing import Route

from outbid.core.language.i18n import _
from outbid.core.rulebook import rulebook
from outbid.server import logging as own_logging
from outbid.server.main import address, listen, served
from outbid.server.settings import Settings
from outbid.server.storage.store import Store
from outbid.server.tokens import new_token
from outbid.server.web.app import create_app, endpoint_of
from outbid.server.web.screens.workbench.routes import WORKBENCH
from outbid.server.workbench.bench import ID, Bench, BenchOrder
from outbid.server.workbench.faults import FaultListener, home_of, timed
from outbid.server.workbench.seats import EachSeat

OPENED = "opened"  # a file of the folder: the address was said


def main() -> None:
    """Serve the workbench of a folder, the only argument, until it is ended."""
    folder = Path(sys.argv[1])
    order = BenchOrder.read(folder)
    book = rulebook(order.game)
    own_logging.begin("text", "warning", full=True)
    settings = Settings(f"sqlite:///{folder / f'{uuid4().hex}.db'}", hosts=(order.host,), key=new_token())
    with contextlib.closing(listen(order.host, order.port)) as door:
        store = Store(settings.database)
        store.check()
        store.serve()
        app = create_app(settings, store)
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
