"""One sentence in the first person for each reason of the steady player (bot.py)."""

from __future__ import annotations

from collections.abc import Sequence


def reason(note: Sequence[int], names: Sequence[str], private: bool) -> str:
    """The sentence for a note. names: by seat. private: for the seat itself."""
    return "I had nothing to weigh."
