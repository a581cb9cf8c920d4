"""A game of one file for experiments, and a changed rule of it."""

from pathlib import Path

TUTORIAL = str(Path(__file__).parents[2] / "examples" / "tutorial_game.py")
COIN = f'''"""Who has paid gets a coin back each round."""
from outbid.core.options import number
from outbid.core.rulebook import rulebook as game
from outbid.lab.experiments.rules import changed

before = game({TUTORIAL!r}).modules[0].open_bids
OPTIONS = (number("back", "Coins back", 1, 0, 3, "coins for everybody who has paid"),)


def open_bids(s):
    before(s)
    for seat in range(s.players):
        if s.spent[seat] > 0:
            s.purse[seat] = min(20, s.purse[seat] + s.back)


rulebook = changed({TUTORIAL!r}, __name__)
'''
