"""Claim in words: what the engine and the tables ask for, gathered from the modules that say it. Plain Python.

All of it stands in text/: deals.py; the declaration of the moves, what steps each is, and moves made of steps in moves.py,
what is typed in phrases.py; menus.py; what is seen and told in views.py, sentences.py and reasons.py; what the table shows
besides in captions.py and terms.py.
"""

from outbid.games.claim.text import captions, terms
from outbid.games.claim.text.deals import deal_of, deals, load, merged, refusal
from outbid.games.claim.hooks.lexicon import lexicon
from outbid.games.claim.text.moves import EXPECTED, MOVES, canonical, menu, move, steps, text
from outbid.games.claim.text.phrases import complete, parse
from outbid.games.claim.text.reasons import reason
from outbid.games.claim.text.sentences import board, goal_words, masked, question, told
from outbid.games.claim.text.views import hand, purse, view

__all__ = [
    "EXPECTED", "MOVES", "board", "canonical", "captions", "complete", "deal_of", "deals", "goal_words", "hand", "lexicon",
    "load", "masked", "menu", "merged", "move", "parse", "purse", "question", "reason", "refusal", "steps", "terms", "text",
    "told", "view",
]  # fmt: skip
