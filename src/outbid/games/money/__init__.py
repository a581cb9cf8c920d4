"""Money!: sealed bids, whole lots exchanged, serial numbers; 3 to 5 players. Rules: RULES.md."""

from outbid.engine import tongue
from outbid.engine.rulebook import Rulebook
from outbid.games.money import bot, hidden, rules, state, words

rulebook = Rulebook(
    id="money",
    title="Money!",
    summary=tongue.mark(
        "Sealed bids decide who exchanges first; whole lots of foreign notes change hands, and only collections pay."
    ),
    players=(3, 5),
    version=1,
    layout=state.LAYOUT,
    modules=(state, rules, hidden, bot),
    words=words,
    actions=state.ACTIONS,
    features=hidden.FEATURES,
    longest=2_000_000,
    presets={"silver_gold": {"coins": "silver_gold", "coin_triplet_bonus": "per_three"}},
)
