"""What the process has in memory from which the servers of tests (serving.py) and commands (commands.py) are forked."""

import gc

import commands  # noqa: F401 - what is called in a forked process is found there by name
import fresh
import pydantic.v1  # noqa: F401 - FastAPI reads it in when it makes the first route, which takes longer than all the rest
import serving  # noqa: F401

import outbid.cli
import outbid.server.web.app  # noqa: F401
from outbid.bots import worker

worker.read_in()
fresh._made()
gc.freeze()  # pages that nobody looks through stay shared
