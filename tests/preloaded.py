"""What the process has in memory from which the servers of tests are forked (serving.py)."""

import outbid.server.web.app  # noqa: F401
from outbid.bots import worker

worker.read_in()
