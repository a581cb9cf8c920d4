"""Kuhhandel (You're Bluffing!): outcry auctions, hidden money, bluffed trades; 3 to 5 players. Rules: RULES.md."""

from outbid.core.hooks.search_config import SearchConfig
from outbid.core.language.i18n import N_
from outbid.core.rulebook import Rulebook
from outbid.games.kuhhandel import bot, hidden, memory, personas, rules, spaces, state, words

SMALL = {"start_money": [1, 1, 0, 0, 0, 0], "least_players": 2, "fixed_start": True}  # for two players

rulebook = Rulebook(
    id="kuhhandel",
    title="Kuhhandel",
    summary=N_("Auctions, hidden money and bluffed trades for farm animals; complete kinds score, and multiply."),
    players=(3, 5),
    version=1,
    layout=state.LAYOUT,
    modules=(state, spaces, memory, hidden, rules, bot),
    words=words,
    moves=words.MOVES,
    observation=spaces.OBSERVATION,
    action_table=spaces.TABLE,
    margin=1000,
    longest=2_000_000,
    personas=personas.PERSONAS,
    needs=(state.HERD, state.CHANCES),
    search=SearchConfig(
        rollouts=200, leaf_rollouts=800, max_depth=8, longest=1500, unit=3000.0,
        opponent_types=("steady", "easy", "net"), doubt=0.05, outsiders=0.25,
        carries=(
            "bidding", "overbid", "reauction_excludes", "empty_offer", "payment", "tie_money", "trade_stall", "quick_deal4",
            "winner_pays", "zeros_return", "final_tie",
        ),
    ),
    presets={"quick": {"quick_deal4": True}},
    laboratory={
        "tiny": {"copies": [2, *[0] * 9], **SMALL},
        "small": {"copies": [2, 1, *[0] * 8], **SMALL},
        "small3": {"quick_deal4": True, "copies": [2, 2, *[0] * 8], **SMALL},
    },
)
