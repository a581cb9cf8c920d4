"""Outbid: five games of money as a table, an environment suite and a laboratory.

    import outbid
    match = outbid.game("kuhhandel").new(players=4, seed=7)
    match.play(match.asked[0], "auction")
"""

from outbid.core.errors import (
    BadOption,
    BadRecord,
    BadRulebook,
    BadSetup,
    Illegal,
    NoEffect,
    NotYourTurn,
    OutbidError,
    Unreadable,
)
from outbid.core.match import Line, Match
from outbid.core.menu import Choice, Menu
from outbid.core.record import read, read_all, read_record
from outbid.core.rulebook import rulebooks
from outbid.facade import Game, game
from outbid.version import __version__

__all__ = [
    "BadOption", "BadRecord", "BadRulebook", "BadSetup", "Choice", "Game", "Illegal", "Line", "Match", "Menu", "NoEffect",
    "NotYourTurn", "OutbidError", "Unreadable", "__version__", "game", "read", "read_all", "read_record", "rulebooks",
]  # fmt: skip
