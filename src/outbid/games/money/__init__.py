"""Money!: sealed bids, whole lots exchanged, serial numbers; 3 to 5 players. Rules: RULES.md."""

from outbid.engine import tongue
from outbid.engine.rulebook import Rulebook
from outbid.games.money import bot, hidden, rules, spaces, state, words

rulebook = Rulebook(
    id="money",
    title="Money!",
    summary=tongue.mark(
        "Sealed bids decide who exchanges first; whole lots of foreign notes change hands, and only collections pay."
    ),
    players=(3, 5),
    version=1,
    layout=state.LAYOUT,
    modules=(state, spaces, rules, hidden, bot),
    words=words,
    observation=spaces.OBSERVATION,
    action_table=spaces.TABLE,
    margin=200,
    longest=2_000_000,
    presets={"silver_gold": {"coins": "silver_gold", "coin_triplet_bonus": "per_three"}},
)
