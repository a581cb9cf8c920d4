"""Rivals (Lost Cities: Rivals): uncover or bid; open auctions with gold that runs short; 2 to 4 players. Rules: RULES.md."""

from outbid.core.hooks.search_config import KEEN, SHARP, Level, SearchConfig
from outbid.core.language import i18n
from outbid.core.rulebook import Rulebook
from outbid.games.rivals import bot, hidden, personas, rules, spaces, state, words

SMALL = {  # for two players
    "coins": 4, "wagers": 1, "copies": [1, 0, 0, 0, 1, 0, 0, 0, 0], "bonus": 2, "bonus_cards": 2,
    "colours": 1, "starting_wagers": 0, "fixed_start": True,
}  # fmt: skip

rulebook = Rulebook(
    id="rivals",
    title="Rivals",
    summary=i18n.N_(
        "Uncover a card or open an auction; rising expeditions, wagers that multiply, and gold that has to last."
    ),
    players=(2, 4),
    version=2,
    older={1: lambda options, players: {"pile_distribution": True, **options}},
    layout=state.LAYOUT,
    modules=(state, spaces, hidden, rules, bot),
    words=words,
    moves=words.MOVES,
    observation=spaces.OBSERVATION,
    action_table=spaces.TABLE,
    margin=30,
    longest=10_000,
    environment=2,
    older_environments={1: {"pile_distribution": True}},
    personas=personas.PERSONAS,
    needs=(state.AUCTIONS,),
    search=SearchConfig(
        rollouts=800, leaf_rollouts=1500, max_depth=10, steps=65_000, unit=20.0,
        levels={KEEN: Level(0.3, 0.02), SHARP: Level(0.5, 0.01, led=Level(0.05, 0.1))},
        opponent_types=("steady", "net", "easy", "steady:early-bird", "steady:hoarder", "steady:explorer", "steady:spoiler"),
        odds=(1, 1, *[1 / 50] * 5), doubt=0.05,
        carries=(
            "next_after_auction", "final_distribution", "auction_on_empty_display", "must_take_at_least_one", "dead_cards",
        ),
        value_carries=False,
    ),
    secrets=False,
    presets={
        "published": {"next_after_auction": "left_of_winner", "pile_distribution": True, "final_distribution": False}
    },
    laboratory={
        "tiny": dict(SMALL),
        "small": {**SMALL, "colours": 2, "copies": [1, *[0] * 8], "bonus": 1, "bonus_cards": 1},
        "small3": {**SMALL, "pile_distribution": True, "piles": 2, "copies": [1, 0, 1, 0, 1, 0, 0, 0, 0]},
    },
)
