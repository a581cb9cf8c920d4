"""The link of a table, with or without the secret of a seat."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from outbid.core.errors import BadSetup
from outbid.core.language.i18n import _

PATH = re.compile(r"((?:/[\w.~-]+)*?)/t/([\w-]{1,64})(?:/seat/([\w-]{1,128}))?/?", re.ASCII)
BEHIND = re.compile(r"[^\w/~\x00-\x1f\x7f-]+$")  # no message puts control characters there


@dataclass(frozen=True)
class Link:
    """A table of a server. base: "https://table.example", or "https://host.example/games" below a path; token: the secret of
    a seat, if it is a seat link."""

    base: str
    table: str
    token: str | None = None

    @classmethod
    def read(cls, text: str) -> Link:
        """The link that was given. Raises BadSetup."""
        try:
            parts = urlsplit(text.strip())
            whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and "@" not in parts.netloc
        except ValueError:
            parts, whole = urlsplit(""), False
        match = PATH.fullmatch(trimmed(unquote(parts.path)))
        if not whole or not match:
            example = "http://127.0.0.1:8710/t/abc234"
            raise BadSetup(
                _("{link} is no link of a table; it is, for example, {example}.", link=repr(text[:80]), example=example)
            )
        return cls(f"{parts.scheme}://{parts.netloc}{match[1]}", match[2], match[3])

    @property
    def path(self) -> str:
        """The table at its server."""
        return f"/t/{self.table}"

    @property
    def address(self) -> str:
        """The link of the table, without a secret."""
        return f"{self.base}{self.path}"

    @property
    def socket(self) -> str:
        """The socket of the table."""
        return f"{self.address}/socket".replace("http", "ws", 1)

    @property
    def cookie(self) -> str:
        """The name of the cookie that has the secret of a seat."""
        return f"seat-{self.table}"


def trimmed(path: str) -> str:
    """A path without what a sentence or a message has put behind a link: a full stop, a bracket, an invisible space."""
    return BEHIND.sub("", path)
