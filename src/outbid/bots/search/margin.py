"""The margin of the weaker levels: they choose as the heuristic does, unless the search has found something better by a
margin.

The bots between the heuristic and `strong` (core/hooks/search_config.py) evaluate the same moves in the same way, with
fewer rollouts, and leave the heuristic's own move (or a policy net's, where a game says so), candidate 0, only where
another promises so much more of the victory. They play like a person who sees the big chances and misses the small ones:
no move is a blunder, and the strength rises evenly from the heuristic's (a margin of 1) to that of the search (0). Compiled
subset.
"""


def leave(best, n, margin, work):
    """The number of the move that is made: the best one, or 0 where it is not better than that by `margin`. With no margin a
    move that was drawn (sealed_bids.py) is made, even if it promises a little less."""
    if margin > 0 and n > 0 and best != 0 and work.ahead[best] < margin * work.played[best]:
        return 0
    return best
