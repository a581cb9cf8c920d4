"""For-Ex: 21 exchange rates, contracts, loans, and a queue that anybody may resolve; 2 to 6 players. Rules: RULES.md."""

from outbid.engine import tongue
from outbid.engine.rulebook import Rulebook
from outbid.games.forex import bot, hidden, rules, spaces, state, words

rulebook = Rulebook(
    id="forex",
    title="For-Ex",
    summary=tongue.mark("Seven currencies, contracts on credit, and a queue of payments that anybody may set off."),
    players=(2, 6),
    version=1,
    layout=state.LAYOUT,
    modules=(state, spaces, hidden, rules, bot),
    words=words,
    observation=spaces.OBSERVATION,
    action_table=spaces.TABLE,
    margin=30,
    longest=300_000,
    presets={"published": {"merged_loan_set": "free_at_merge"}},
    secrets=False,
)
