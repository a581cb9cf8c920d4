"""What the operator says to all (desk.py), for whatever is rendered in a request or at a socket."""

from collections.abc import Callable
from contextvars import ContextVar

_sentence: ContextVar[Callable[[], str]] = ContextVar("sentence", default=str)


def announcing(sentence: Callable[[], str]) -> None:
    """Pages of this request, and of the socket that it opens, show a sentence; empty: none."""
    _sentence.set(sentence)


def announced() -> str:
    """The sentence as it is now; nothing if there is none."""
    return _sentence.get()()
