"""Outbid: five games of money as a table, an environment suite and a laboratory.

    import outbid
    match = outbid.game("kuhhandel").new(players=4, seed=7)
    match.play(match.asked[0], "auction")
"""

from outbid.engine.errors import (
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
from outbid.engine.game import Game, game
from outbid.engine.match import Line, Match
from outbid.engine.menu import Choice, Menu
from outbid.engine.record import read, read_all, read_record
from outbid.engine.rulebook import rulebooks
from outbid.version import __version__

__all__ = [
    "BadOption", "BadRecord", "BadRulebook", "BadSetup", "Choice", "Game", "Illegal", "Line", "Match", "Menu", "NoEffect",
    "NotYourTurn", "OutbidError", "Unreadable", "__version__", "game", "read", "read_all", "read_record", "rulebooks",
]  # fmt: skip
