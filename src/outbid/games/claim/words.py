"""Claim in words: what the engine and the tables ask for, gathered from the modules that say it. Plain Python.

Deals are in deals.py, the text of moves in phrases.py, moves as steps in moves.py, menus in menus.py; what is seen and
told is in views.py, sentences.py and reasons.py; what the table shows besides is in outlook.py, captions.py and terms.py.
"""

from outbid.games.claim import captions, outlook, terms
from outbid.games.claim.deals import deal_of, deals, load, merged, refusal
from outbid.games.claim.lexicon import lexicon
from outbid.games.claim.menus import menu
from outbid.games.claim.moves import move, steps
from outbid.games.claim.phrases import EXPECTED, canonical, complete, parse, text
from outbid.games.claim.reasons import reason
from outbid.games.claim.sentences import board, goal_words, masked, question, told, untold
from outbid.games.claim.views import view

__all__ = [
    "EXPECTED", "board", "canonical", "captions", "complete", "deal_of", "deals", "goal_words", "lexicon", "load",
    "masked", "menu", "merged", "move", "outlook", "parse", "question", "reason", "refusal", "steps", "terms", "text",
    "told", "untold", "view",
]  # fmt: skip
