"""What the process has in memory from which the servers of tests (serving.py) and commands (commands.py) are forked."""

import outbid.cli
import outbid.server.web.app  # noqa: F401
from outbid.bots import worker

worker.read_in()
