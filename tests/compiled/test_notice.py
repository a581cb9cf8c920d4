"""Who waits for the compiler for the first time is told, where somebody reads it."""

import io
import sys

import pytest

from outbid.compiled import backend, loops
from outbid.core.rulebook import rulebook


class OutStream(io.StringIO):
    """A notebook's standard error: no terminal."""

    __module__ = "ipykernel.iostream"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("kind", "told"), [(OutStream, True), (Terminal, True), (io.StringIO, False)])
def test_in_a_terminal_and_in_a_notebook_one_is_told_once_that_something_is_compiled(monkeypatch, kind, told):
    monkeypatch.setattr(sys, "stderr", kind())
    monkeypatch.setattr(backend, "ready", lambda *_: False)
    monkeypatch.setattr(backend, "_entries", {})
    book = rulebook("rivals")
    for _ in range(2):
        backend.entry(book, loops.rollouts)
    assert sys.stderr.getvalue().count("Compiling Rivals (rollouts), once") == told
