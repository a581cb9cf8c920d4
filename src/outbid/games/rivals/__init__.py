"""Rivals (Lost Cities: Rivals): uncover or bid; open auctions with gold that comes back; 2 to 4 players. Rules: RULES.md."""

from outbid.engine import tongue
from outbid.engine.rulebook import Rulebook
from outbid.games.rivals import bot, hidden, rules, spaces, state, words

rulebook = Rulebook(
    id="rivals",
    title="Rivals",
    summary=tongue.mark(
        "Uncover a card or open an auction; rising expeditions, wagers that multiply, and gold that comes back."
    ),
    players=(2, 4),
    version=1,
    layout=state.LAYOUT,
    modules=(state, spaces, hidden, rules, bot),
    words=words,
    observation=spaces.OBSERVATION,
    action_table=spaces.TABLE,
    margin=30,
    longest=10_000,
    secrets=False,
    presets={"published": {"next_after_auction": "left_of_winner", "final_distribution": False}},
)
