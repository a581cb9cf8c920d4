"""Money!: sealed bids, whole lots exchanged, serial numbers; 3 to 5 players. Rules: RULES.md."""

from outbid.core.hooks.search_config import KEEN, SHARP, Level, SearchConfig
from outbid.core.language import i18n
from outbid.core.rulebook import Rulebook
from outbid.games.money import bot, hidden, personas, rules, spaces, state, words

SMALL = {  # for two players
    "hand_cards": 1, "display_cards": 1, "full_value": 50, "penalty": 20, "least_players": 2, "currencies": 2,
    "denominations": [1, 1, 0, 0, 0], "coin_cards": 0, "rounds": 1,
}  # fmt: skip

rulebook = Rulebook(
    id="money",
    title="Money!",
    summary=i18n.N_(
        "Sealed bids decide who exchanges first; whole lots of foreign notes change hands, and only collections pay."
    ),
    players=(3, 5),
    version=1,
    layout=state.LAYOUT,
    modules=(state, spaces, rules, hidden, bot),
    words=words,
    moves=words.MOVES,
    observation=spaces.OBSERVATION,
    action_table=spaces.TABLE,
    margin=200,
    longest=2_000_000,
    personas=personas.PERSONAS,
    needs=(state.HANDS,),
    search=SearchConfig(
        rollouts=300, leaf_rollouts=600, max_depth=6, steps=30_000, unit=200.0, endgame_depth=6,
        levels={KEEN: Level(0.1, 0.15), SHARP: Level(0.25, 0.02)},
        carries=("end_trigger", "swap_order", "stall_rounds", "coin_triplet_bonus"),
    ),
    presets={"silver_gold": {"coins": "silver_gold", "coin_triplet_bonus": "per_three"}},
    laboratory={
        "tiny": SMALL,
        "small": {**SMALL, "hand_cards": 2, "full_value": 60, "denominations": [2, 1, 0, 0, 0]},
        "small3": {**SMALL, "rounds": 2},
    },
)
