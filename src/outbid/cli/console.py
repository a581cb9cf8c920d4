"""Consoles and files that are not UTF-8: what their encoding lacks is replaced by what can be read, and never an error.

A console in Windows' code page lacks “→”, one of `LANG=C` even “ü”. Everything that a command prints goes through here, a
library's lines, the log and file names that are no text, too: the replacement is done where the stream encodes.
"""

import codecs
import sys
import unicodedata

NAME = "readable"  # the handler of errors, as streams name it
INSTEAD = {
    **dict.fromkeys("–—−‐‑─━·", "-"), **dict.fromkeys("“”„«»", '"'), **dict.fromkeys("‘’‚‹›", "'"), "│": "|", "┃": "|",
    "…": "...", "→": "->", "←": "<-", "↑": "^", "↓": "v", "×": "x", "✕": "x", "✗": "x", "✓": "+", "●": "*", "○": "o",
    "•": "*", "∗": "*", "▰": "#", "▱": ".", "±": "+/-", "≤": "<=", "≥": ">=", "√": "root of ", "Σ": "sum of ", "⁄": "/",
    "§": "section ", "€": "EUR", "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss",
}  # fmt: skip


def prepare() -> None:
    """Let standard output and standard error replace what they cannot encode, and standard input what it cannot decode."""
    codecs.register_error(NAME, _replaced)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, NAME), (sys.stderr, NAME)):
        if reconfigure := getattr(stream, "reconfigure", None):  # a test or a notebook may have put another one there
            reconfigure(errors=errors)


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """What is printed instead of what cannot be, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(sign: str) -> str:
    """A sign in ASCII: by its meaning, without its marks, or a question mark."""
    parts = INSTEAD.get(sign) or unicodedata.normalize("NFKD", sign)
    plain = "".join(INSTEAD.get(part, part) for part in parts if not unicodedata.combining(part))
    return plain if plain.isascii() and (plain or unicodedata.combining(sign)) else "?"
