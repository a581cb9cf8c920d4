"""Secrets of seats and browsers, and what the database keeps of them."""

import base64
import hashlib
import hmac
import secrets

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def new_token() -> str:
    """The secret of a seat: 128 random bits."""
    return secrets.token_urlsafe(16)


def new_id() -> str:
    """What a table is called in its link."""
    return "".join(secrets.choice(LETTERS) for _ in range(12))


def heir_of(token: str, table: str) -> str:
    """The secret of a seat at the next table, which only who has that of the seat before can make."""
    digest = hmac.digest(token.encode("utf-8", "replace"), f"the next table is {table}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def new_seed() -> int:
    """The secret random stream of a seat."""
    return secrets.randbits(62)


def hashed(token: str) -> str:
    """What the database keeps of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
