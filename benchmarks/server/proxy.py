"""nginx as deploy/nginx.conf sets it up, on the loopback and without TLS, before some servers.

    with Proxy(folder, port, servers) as proxy: ...   the servers listen at these ports; their --base-url is `proxy.address`

Only listening, certificates and the upstream's lines are other than in the file.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx.conf"
SERVER = re.compile(r"^ *server 127\.0\.0\.1:8710(.*;)$", re.M)
CONNECTIONS = 16_384  # two for each guest
KINDS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
HEAD = """{user}pid {folder}/pid;
error_log {folder}/error.log;
worker_processes 1;
worker_rlimit_nofile {connections};
events {{ worker_connections {connections}; }}
"""


def free_ports(number: int) -> list[int]:
    """Ports of the loopback at which nobody listens."""
    doors = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    try:
        return [door.getsockname()[1] for door in doors]
    finally:
        for door in doors:
            door.close()


def configuration(port: int, servers: Sequence[int]) -> str:
    """The file for servers at these ports; it listens at a port of the loopback."""
    _head, text = CONFIGURATION.read_text(encoding="utf-8").split("map $http_upgrade", 1)
    text = "map $http_upgrade" + text
    text = re.sub(r"^server \{\n    listen 80;.*?^\}\n", "", text, count=1, flags=re.M | re.S)
    text = re.sub(r"^ *(listen .*|ssl_.*|server_name .*);\n", "", text, flags=re.M)
    text = text.replace("server {\n", f"server {{\n    listen 127.0.0.1:{port};\n", 1)
    return SERVER.sub(lambda found: "\n".join(f"    server 127.0.0.1:{one}{found[1]}" for one in servers), text)


class Proxy:
    """An nginx of our own, as long as the context lasts."""

    def __init__(self, folder: Path, port: int, servers: Sequence[int]):
        self.folder = folder
        self.address = f"http://127.0.0.1:{port}"
        self._port = port
        places = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in KINDS)
        user = "user root;\n" if os.name == "posix" and os.getuid() == 0 else ""  # it writes into our folder
        head = HEAD.format(user=user, folder=folder, connections=CONNECTIONS)
        self.file = folder / "nginx.conf"
        text = f"{head}http {{\naccess_log off;\n{places}\n{configuration(port, servers)}}}\n"
        self.file.write_text(text, encoding="utf-8")

    def __enter__(self) -> Proxy:
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        said = f"{self.folder}/error.log"
        self.process = subprocess.Popen([program, "-c", str(self.file), "-e", said, "-g", "daemon off;"])
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self._port), 1).close()
            except OSError:
                time.sleep(0.02)
            else:
                return self
        raise RuntimeError("nginx did not start: " + (self.folder / "error.log").read_text(encoding="utf-8"))

    def __exit__(self, *_failure: object) -> None:
        self.process.terminate()
        self.process.wait(20)
