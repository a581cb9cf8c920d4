"""What stands in a browser tab for `regex`, which has no wheel there: the patterns of names as Python's `re` has them.

`stand_in()` is the source of a module `regex` that knows these patterns and no others. It is written when a site is built,
by `regex` itself: the characters of each class are counted out. Two patterns are simpler than they are elsewhere: a joiner
is needed nowhere, so no new name has one; and a character as people count them is one with the marks behind it.
"""

import re
import sys

import regex

from outbid.core.language import names

NEVER = "(?!)"
CHARACTER = (
    r"(?:\p{Regional_Indicator}{2}|[\s\S])"
    r"(?:\u200D\p{Extended_Pictographic}|[\p{Grapheme_Extend}\p{Mc}\p{Emoji_Modifier}\u200D])*"
)
MODULE = '''"""The patterns of outbid.core.language.names, in the syntax of `re`."""

import re

VERSION1 = 0
PATTERNS = {patterns!r}


class Pattern:
    """One of the patterns, compiled when it is used."""

    def __init__(self, pattern):
        self.pattern = pattern

    def __getattr__(self, name):
        if name == "compiled":
            self.compiled = re.compile(PATTERNS[self.pattern])
            return self.compiled
        return getattr(self.compiled, name)


def compile(pattern, flags=0):
    """One of the patterns."""
    return Pattern(pattern)
'''


def stand_in() -> str:
    """The source of the module."""
    known = (pattern for pattern in vars(names).values() if isinstance(pattern, regex.Pattern))
    return MODULE.format(patterns={pattern.pattern: translated(pattern.pattern) for pattern in known})


def translated(pattern: str) -> str:
    """A pattern as `re` reads it: classes and properties are ranges of characters."""
    if "(?<=" in pattern:  # which `re` allows for what has one length
        return NEVER
    pattern = CHARACTER if pattern == r"\X" else pattern
    pieces, at = list[str](), 0
    while at < len(pattern):
        end = _end_of_class(pattern, at)
        pieces.append(_counted_out(pattern[at:end]) if end > at + 2 else pattern[at:end])
        at = end
    return "".join(pieces)


def _end_of_class(pattern: str, at: int) -> int:
    """Where a class or a property ends that begins here; else where the next character, perhaps an escaped one, does."""
    if pattern.startswith(r"\p{", at):
        return pattern.index("}", at) + 1
    if pattern[at] != "[":
        return at + (2 if pattern[at] == "\\" else 1)
    depth, end = 0, at
    while True:
        depth += {"[": 1, "]": -1}.get(pattern[end], 0)
        end += 2 if pattern[end] == "\\" else 1
        if depth == 0:
            return end


def _counted_out(class_of: str) -> str:
    """A class of `regex` as ranges of characters."""
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    runs = [match.span() for match in regex.finditer(f"{class_of}+", every, regex.VERSION1)]
    ranges = (re.escape(chr(start)) + (f"-{re.escape(chr(end - 1))}" if end > start + 1 else "") for start, end in runs)
    return f"[{''.join(ranges)}]"
