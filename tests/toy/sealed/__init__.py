"""A game of another package, found by its entry point: everybody seals a card at once, the highest takes the prize.

It is here to prove that a further game needs no edit in Outbid, and that the battery is generic, also over sealed choices.
"""

from outbid.core.rulebook import Rulebook
from sealed import rules, words

rulebook = Rulebook(
    id="sealed",
    title="Sealed",
    summary="Everybody seals a card at once; the highest takes the prize.",
    players=(2, 4),
    version=1,
    layout=rules.LAYOUT,
    modules=(rules,),
    words=words,
    observation=rules.OBSERVATION,
    action_table=rules.TABLE,
    margin=10,
    longest=16,
)
