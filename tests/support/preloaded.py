"""What the process has in memory from which the servers of tests (serving.py) and commands (commands.py) are forked."""

import gc
import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process that others are forked from has no other threads

import outbid.cli
import outbid.server.web.app  # noqa: F401
from outbid.bots import worker
from outbid.core.language import names
from outbid.server.web import icons, pages, templating
from tests.support import (
    commands,  # noqa: F401 - what is called in a forked process is found there by name
    fresh,
    serving,  # noqa: F401
)


def without_tables() -> None:
    """Tables are read in anew in this process, as games are still to come."""
    for kept in (templating._game_words, pages._environment, pages._module, pages._sheet):
        kept.cache_clear()


worker.read_in()
names._prototypes()
icons.png(192)
pages.read_in("")  # a second of work for each server whose tables are looked at
for name in pages.environment().list_templates(filter_func=lambda name: name.endswith(".html")):
    pages.environment().get_template(name)
fresh._made()
gc.freeze()  # pages that nobody looks through stay shared
