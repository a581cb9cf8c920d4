"""People who are told that it is their turn: a mail server, a web hook, and a server that tells them."""

from __future__ import annotations

import hmac
import json
import os
import random
import re
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from outbid.server.domain.notices.delivery import Mail
from outbid.server.domain.notices.push import decoded, encoded
from tests.support.serving import JSON, Person, post, some_move, start, stop, until

SOON = {"notice_look": 0.05, "notice_after": 0.2, "notice_gap": 0.0, "lately": 0.1}
ADA = "ada@example.org"


class Box:
    """Takes mails; `answer` is what it says to each recipient."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.raw: list[bytes] = []  # as they came
        self.answer = "250 OK"
        self.asked = 0

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        """Somebody is to get a mail."""
        self.asked += 1
        if self.answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """A mail."""
        self.raw.append(envelope.content)
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))  # type: ignore[arg-type]
        return "250 OK"

    def mail(self, number: int) -> EmailMessage:
        """The mail with this number, when it is there."""
        until(lambda: len(self.mails) > number)
        return self.mails[number]

    def text(self, number: int) -> str:
        """What it says."""
        return str(self.mail(number).get_content()).replace("\r\n", "\n")


class Receiver(ThreadingHTTPServer):
    """Takes what is sent to a web hook."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 204
        super().__init__(("127.0.0.1", 0), _Take)
        self.url = f"http://127.0.0.1:{self.server_port}/hook?room=1"

    def json(self, number: int) -> Any:
        """What came, by number, when it is there."""
        until(lambda: len(self.got) > number)
        return json.loads(self.got[number][1])


class _Take(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        """A notice."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append(({name.lower(): value for name, value in self.headers.items()} | {"path": self.path}, body))
        self.send_response(self.server.status)
        self.send_header("Location", f"{self.server.url}&again=1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def free_port() -> int:
    """A port that nobody listens at."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def told(database: Path | str, smtp: str | None, limits: dict[str, Any] | None = None, **more: Any) -> Iterator[str]:
    """A server that tells people. Its base URL is said before it knows its port, so one is looked for."""
    port = free_port()
    facts = {"mail": Mail.of(smtp, "Outbid <table@example.org>")} if smtp else {}
    address = f"http://127.0.0.1:{port}"
    server, _ = start(database, port, base_url=address, limits={**SOON, **(limits or {})}, **facts, **more)
    try:
        yield address
    finally:
        stop(server)


def wish(person: Person, **fields: str) -> httpx.Response:
    """Send the form."""
    return person.http.post("/notices", data=fields, headers=JSON)


def link(text: str, what: str) -> str:
    """A link in a letter."""
    found = re.search(rf"http://[^\s>]+/notices/{what}/\S+", text)
    assert found, text
    return found[0]


def confirmed(box: Box, person: Person, number: int = 0, **fields: str) -> None:
    """The person wants mails, and says so again."""
    assert wish(person, mail=ADA, **fields).status_code == 200
    assert post(link(box.text(number), "confirm"), headers=JSON).json() == {"ok": True}


def to_move(*persons: Person) -> tuple[Person, Person]:
    """Of two people at a table, whose turn it is, and the other."""
    for one, other in (persons, persons[::-1]):
        if one.now()["decision"] is not None:
            return one, other
    raise AssertionError("nobody is asked")


def move(person: Person) -> None:
    """A move of whoever is asked."""
    seen = person.now()
    assert person.send(some_move(seen, random.Random(1)), seen["decision"]).status_code == 200


def rivals(ada: Person, ben: Person) -> None:
    """A table of two people who move in turn."""
    ada.order(game="rivals", players=2, bots="open", preset="seed")
    ben.join(ada.table, "Ben")


def quiet_time(box: Box) -> None:
    """Long enough that a notice would have come."""
    before = len(box.mails)
    time.sleep(0.8)
    assert len(box.mails) == before


class PushService(Receiver):
    """Takes what is pushed to browsers, as the service of a browser's maker does, and has the keys of one browser."""

    def __init__(self) -> None:
        super().__init__()
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        self.endpoint = f"http://127.0.0.1:{self.server_port}/push/{os.urandom(9).hex()}"

    @property
    def origin(self) -> str:
        """Whom a signature must be for."""
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def key(self) -> str:
        """The browser's public key."""
        return encoded(self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    @property
    def subscription(self) -> dict[str, str]:
        """What the browser tells the server."""
        return {"endpoint": self.endpoint, "key": self.key, "secret": encoded(self.secret)}

    def message(self, number: int) -> Any:
        """What came, by number, when it is there: what the browser reads."""
        until(lambda: len(self.got) > number)
        return json.loads(opened(self.got[number][1], self.private, self.secret))


def opened(body: bytes, private: ec.EllipticCurvePrivateKey, secret: bytes) -> bytes:
    """What a browser reads of a message that was pushed (RFC 8188, RFC 8291)."""

    def derived(key: bytes, salt: bytes, about: bytes, length: int) -> bytes:
        first = hmac.digest(salt, key, "sha256")
        return hmac.digest(first, about + b"\1", "sha256")[:length]

    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    sender, record = body[21 : 21 + length], body[21 + length :]
    assert len(record) <= size
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
    mine = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = derived(private.exchange(ec.ECDH(), theirs), secret, b"WebPush: info\0" + mine + sender, 32)
    key = derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(shared, salt, b"Content-Encoding: nonce\0", 12)
    text = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
    assert text[-1:] == b"\2", "it is the last record"
    return text[:-1]


def signed(header: str) -> tuple[dict[str, Any], str]:
    """The claims of a signature that holds, and the key that made it (RFC 8292)."""
    kind, _, parts = header.partition(" ")
    fields = dict(part.strip().split("=", 1) for part in parts.split(","))
    assert kind == "vapid"
    text, _, mark = fields["t"].rpartition(".")
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(fields["k"]))
    first, second = (int.from_bytes(half, "big") for half in (decoded(mark)[:32], decoded(mark)[32:]))
    public.verify(encode_dss_signature(first, second), text.encode(), ec.ECDSA(SHA256()))
    head, claims = (json.loads(decoded(part)) for part in text.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    return claims, fields["k"]
