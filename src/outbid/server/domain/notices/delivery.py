"""How a notice leaves the server: a mail through an SMTP server, or a signed POST to a web hook.

    Notifier (notifier.py)  →  in a thread: Mail.send(Letter) or Hook.send(address, payload, key)

Both block and raise `Later` if it may work another time, `Never` if this reader cannot be reached any more. A web hook gets
one JSON object; `X-Outbid-Signature` is "sha256=" and the HMAC of "TIMESTAMP.BODY" with the key that the form shows, where
TIMESTAMP is in `X-Outbid-Timestamp`. The fields `text` and `content` are what chat programs show (Slack and Mattermost read
the one, Discord the other), and mention nobody.

A hook's address is chosen by a player, so the server must not be led into its own network by it (SSRF): the name is resolved
once, all its addresses must be public and none this server's own, the port must be one of the web, the connection goes to
the address that was checked, no redirect is followed and nothing of the answer but its status is used.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import http.client
import ipaddress
import json
import re
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.errors import MessageError
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import formatdate, make_msgid, parseaddr
from functools import partial
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from outbid.core.errors import BadSetup
from outbid.core.language.i18n import _

PASSWORD = "OUTBID_SMTP_PASSWORD"  # in the environment: of the account that sends
PATIENCE = 10.0  # seconds for each step
WHOLE = 20.0  # seconds for a whole request to a hook, however slowly it answers
LONGEST_MAIL, LONGEST_HOOK = 254, 500  # characters of an address
PUBLIC, ANYWHERE = "public", "any"  # where hooks may lead
GONE = 410
NOBODY: Mapping[str, Any] = {"parse": []}  # whom a message mentions, as Discord has it
MENTION = re.compile("[@<]")  # how chat programs begin one: @everyone, <!channel>
PORTS = (80, 443, 8443)  # of hooks, unless they may lead anywhere
ALLOCATED = ipaddress.ip_network("2000::/3")  # what of IPv6 is public at all: no IPv4 within it, nothing of a site
INSIDE = tuple(
    map(
        ipaddress.ip_network,
        # IPv4 within IPv6 (6to4, Teredo); what is for protocols; the way to 6to4; what an Azure machine asks its host
        ("2002::/16", "2001::/32", "192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32"),
    )
)


class Later(Exception):
    """It could not be delivered; it may work another time."""


class Never(Exception):
    """This address takes nothing, now or later."""


@dataclass(frozen=True)
class Letter:
    """A mail. stop: the link that ends the notices, also as the header of one click (RFC 8058); none: it is no notice."""

    to: str
    subject: str
    text: str
    stop: str = ""


# --- mail -------------------------------------------------------------------------------------------------------------


class Whole(EmailPolicy):
    """Headers as mails have them; but those that programs read, which may be long, stay whole: folded, a URL is none. And
    a subject is encoded as a whole: some versions of Python drop the space between two words with umlauts."""

    HEADERS = ("list-unsubscribe", "message-id")

    def fold_binary(self, name: str, value: Any) -> bytes:
        """A header as it is sent."""
        if name.lower() in self.HEADERS:
            return f"{name}: {value}{self.linesep}".encode()
        if name.lower() == "subject" and not str(value).isascii():
            header = Header(str(value), "utf-8", header_name=name).encode(linesep=self.linesep)
            return f"{name}: {header}{self.linesep}".encode()
        return super().fold_binary(name, value)


@dataclass(frozen=True)
class Mail:
    """An SMTP server and the address that mails come from. tls: from the first byte (smtps); else STARTTLS is required,
    unless the server is on this machine."""

    host: str
    port: int
    sender: str
    tls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def of(cls, url: str, sender: str | None, password: str | None = None) -> Mail:
        """The server of a URL: smtp://HOST, smtps://USER@HOST:PORT. Raises BadSetup."""
        parts = _parted(url)
        if parts is None or parts.scheme not in ("smtp", "smtps") or parts.path not in ("", "/") or parts.query:
            shown = url.rpartition("@")[2]
            raise BadSetup(
                f"The mail server is {shown!r}; it must be smtp://HOST, smtp://USER@HOST:PORT or smtps://USER@HOST. "
                "The password is in the environment, as OUTBID_SMTP_PASSWORD."
            )
        if parts.password is not None:
            raise BadSetup(
                "The URL of the mail server has a password; it belongs into the environment: OUTBID_SMTP_PASSWORD."
            )
        name, address = parseaddr(sender or "")
        try:
            checked_mail(address)
        except BadSetup:
            raise BadSetup(
                f"Mails come from {sender!r}; it must be an address, as in 'Outbid <table@example.org>'."
            ) from None
        tls, user = parts.scheme == "smtps", unquote(parts.username or "")
        if user and not password:
            raise BadSetup(f"The mail server asks {user} for a password, but OUTBID_SMTP_PASSWORD is not set.")
        usual = 465 if tls else 587 if user else 25
        sender = str(Address(name or "Outbid", addr_spec=address))
        return cls(parts.hostname or "", parts.port or usual, sender, tls, user, password or "")

    def message(self, letter: Letter) -> EmailMessage:
        """The mail with its headers."""
        message = EmailMessage(policy=Whole())
        message["From"], message["To"], message["Subject"] = self.sender, letter.to, letter.subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=parseaddr(self.sender)[1].rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        if letter.stop:
            message["List-Unsubscribe"] = f"<{letter.stop}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(letter.text, cte="quoted-printable")
        return message

    def send(self, letter: Letter) -> None:
        """Hand a mail over. Raises Later, Never."""
        try:
            with self._connected() as server:
                server.send_message(self.message(letter))
        except smtplib.SMTPRecipientsRefused as error:
            lasting = all(code >= 500 for code, _said in error.recipients.values())
            raise (Never if lasting else Later)(f"{next(iter(error.recipients.values()))[0]}") from error
        except (OSError, smtplib.SMTPException, MessageError) as error:
            raise Later(type(error).__name__) from error

    def _connected(self) -> smtplib.SMTP:
        """A connection that is encrypted, unless it stays on this machine, and signed in."""
        server: smtplib.SMTP
        if self.tls:
            server = smtplib.SMTP_SSL(self.host, self.port, timeout=PATIENCE, context=ssl.create_default_context())
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=PATIENCE)
        try:
            if not self.tls and not _loopback(self.host):
                server.starttls(context=ssl.create_default_context())
            if self.user:
                server.login(self.user, self.password)
        except BaseException:
            server.close()
            raise
        return server


def checked_mail(text: str) -> str:
    """A mail address. Raises BadSetup."""
    try:
        address = Address(addr_spec=text.strip()).addr_spec
        local, _at, domain = address.rpartition("@")
        domain = domain.encode("idna").decode("ascii")
        good = local.isascii() and all(domain.split(".")) and len(address) <= LONGEST_MAIL and " " not in address
    except (MessageError, ValueError, IndexError):
        local, domain, good = "", "", False
    if not good or not local or "." not in domain or '"' in local:
        raise BadSetup(
            _("{address} is not an email address; write it as in ada@example.org.", address=repr(text.strip()[:60]))
        )
    return f"{local}@{domain}"


# --- web hooks --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hook:
    """Sends to web hooks. anywhere: also into private networks and to this server; host: the name that leads to this server,
    whose addresses are its own, too, where a router has them."""

    anywhere: bool = False
    host: str = ""

    def send(self, address: str, payload: Mapping[str, Any], key: str) -> None:
        """POST a payload, signed. Raises Later, Never."""
        body = json.dumps(payload, ensure_ascii=False).encode()
        at = str(int(time.time()))
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Outbid",
            "X-Outbid-Timestamp": at,
            "X-Outbid-Signature": signature(key, at, body),
        }
        status = self.post(address, body, headers)
        if status == GONE:
            raise Never(str(status))
        if not 200 <= status < 300:
            raise Later(str(status))

    def post(self, address: str, body: bytes, headers: Mapping[str, str]) -> int:
        """The status that an address answers to a POST. Raises Later."""
        parts = urlsplit(address)
        try:
            number = self.resolved(address)
        except BadSetup as error:
            raise Later(str(error)) from error
        line = _line(parts, number)
        alarm = threading.Timer(WHOLE, partial(_cut, line))
        alarm.start()
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            line.request("POST", path, body, headers)
            return line.getresponse().status
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Later(type(error).__name__) from error
        finally:
            alarm.cancel()
            line.close()

    def resolved(self, address: str) -> str:
        """The number that the host of a hook has, which is public unless hooks may lead anywhere. Raises BadSetup."""
        parts = checked_hook(address)
        numbers = _numbers(parts.hostname or "")
        if not numbers:
            raise BadSetup(_("The host of the web hook, {host}, cannot be found.", host=(parts.hostname or "")[:80]))
        if self.anywhere:
            return numbers[0]
        if not all(map(public, numbers)):
            raise BadSetup(_("The web hook is in a private network; this server only sends to public addresses."))
        port = parts.port or _usual(parts)
        if port not in PORTS:
            ports = ", ".join(map(str, PORTS))
            raise BadSetup(_("The web hook is at port {port}; this server only sends to {ports}.", port=port, ports=ports))
        ours = _numbers(self.host) if self.host else []
        if any(number in ours or own(number) for number in numbers):
            raise BadSetup(_("The web hook leads to this server itself; it must be another's."))
        return numbers[0]


def checked_hook(address: str) -> SplitResult:
    """The address of a web hook. Raises BadSetup."""
    parts = _parted(address.strip())
    readable = address.isascii() and address.strip().isprintable() and " " not in address.strip()
    if (
        parts is None
        or parts.scheme not in ("http", "https")
        or "@" in parts.netloc
        or len(address) > LONGEST_HOOK
        or not readable
    ):
        example = "https://example.org/hook"
        sentence = _(
            "{address} is not the address of a web hook; write it as in {example}.",
            address=repr(address[:60]),
            example=example,
        )
        raise BadSetup(sentence)
    return parts


def public(number: str) -> bool:
    """An address is reached through the internet, and through it alone."""
    try:
        address = ipaddress.ip_address(number.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    within = any(address in network for network in INSIDE) or (address.version == 6 and address not in ALLOCATED)
    return address.is_global and not address.is_multicast and not address.is_reserved and not within


def _numbers(host: str) -> list[str]:
    """The addresses that a host has; none: it cannot be found."""
    try:
        return [str(answer[4][0]) for answer in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError):
        return []


def own(number: str) -> bool:
    """This machine has the address: only its own can be bound."""
    family = socket.AF_INET6 if ":" in number else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.bind((number, 0))
    except OSError:
        return False
    return True


def silent(text: str) -> str:
    """A text that calls nobody in a chat program, whatever names are in it: it reads as before, with a word joiner."""
    return MENTION.sub("\\g<0>\u2060", text)


def signature(key: str, at: str, body: bytes) -> str:
    """What X-Outbid-Signature says of a body that is sent at a time."""
    return "sha256=" + hmac.new(key.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()


def _line(parts: SplitResult, number: str) -> http.client.HTTPConnection:
    """A connection for a host that is made to one of its addresses, and to no proxy."""
    host, port = parts.hostname or "", parts.port or _usual(parts)
    line: http.client.HTTPConnection
    if parts.scheme == "https":
        line = http.client.HTTPSConnection(host, port, timeout=PATIENCE, context=ssl.create_default_context())
    else:
        line = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    connect: Callable[..., socket.socket] = socket.create_connection
    line._create_connection = lambda _address, *rest: connect((number, port), *rest)  # type: ignore[attr-defined]
    return line


def _cut(line: http.client.HTTPConnection) -> None:
    with contextlib.suppress(OSError, AttributeError):
        line.sock.shutdown(socket.SHUT_RDWR)


def _usual(parts: SplitResult) -> int:
    return 443 if parts.scheme == "https" else 80


def _parted(url: str) -> SplitResult | None:
    """The parts of a URL that names a host; none if it does not."""
    try:
        parts = urlsplit(url)
        return parts if parts.hostname and parts.port != 0 else None
    except ValueError:
        return None


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
