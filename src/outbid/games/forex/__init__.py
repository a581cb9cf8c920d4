"""For-Ex: 21 exchange rates, contracts, loans, and a queue that anybody may resolve; 2 to 6 players. Rules: RULES.md."""

from outbid.core.hooks.search_config import KEEN, SHARP, Level, SearchConfig
from outbid.core.language import i18n
from outbid.core.rulebook import Rulebook
from outbid.games.forex import bot, hidden, personas, rules, spaces, state, words

SMALL = {  # for two players
    "spot_enabled": False, "removed_certificates": 0, "certificates": 1, "start_money": 1, "price": 1, "sale": 1,
    "contract_sets": 1, "contract_size": 1, "currencies": 2, "track": 3, "dividend_cards": 2, "fixed_start": True,
}  # fmt: skip

rulebook = Rulebook(
    id="forex",
    title="For-Ex",
    summary=i18n.N_("Seven currencies, contracts on credit, and a queue of payments that anybody may set off."),
    players=(2, 6),
    version=2,
    older={1: lambda options, players: {"spot_unit": "one_stronger", **options}},
    layout=state.LAYOUT,
    modules=(state, spaces, hidden, rules, bot),
    words=words,
    moves=words.MOVES,
    observation=spaces.OBSERVATION,
    action_table=spaces.TABLE,
    margin=30,
    longest=300_000,
    environment=2,
    older_environments={1: {"spot_unit": "one_stronger"}},
    personas=personas.PERSONAS,
    needs=(state.DEEDS,),
    search=SearchConfig(
        rollouts=80, unit=20.0, levels={KEEN: Level(0.05, 0.3), SHARP: Level(0.35, 0.05)},
        opponent_types=("steady", "steady:vulture", "easy", "easy:vulture", "steady:investor", "steady:arbitrageur"),
    ),
    presets={"published": {"merged_loan_set": "free_at_merge", "spot_unit": "one_stronger"}},
    laboratory={
        "tiny": {**SMALL, "rates": [2, *[4] * 9], "track": 2},
        "small": {**SMALL, "contract_sets": 2},
        "small3": {**SMALL, "removed_certificates": 1, "currencies": 3},
    },
    secrets=False,
)
