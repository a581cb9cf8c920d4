"""Kuhhandel (You're Bluffing!): outcry auctions, hidden money, bluffed trades; 3 to 5 players. Rules: RULES.md."""

from outbid.engine.rulebook import Rulebook
from outbid.engine.tongue import mark
from outbid.games.kuhhandel import bot, hidden, rules, spaces, state, words

rulebook = Rulebook(
    id="kuhhandel",
    title="Kuhhandel",
    summary=mark("Auctions, hidden money and bluffed trades for farm animals; complete kinds score, and multiply."),
    players=(3, 5),
    version=1,
    layout=state.LAYOUT,
    modules=(state, spaces, hidden, rules, bot),
    words=words,
    observation=spaces.OBSERVATION,
    action_table=spaces.TABLE,
    margin=1000,
    longest=2_000_000,
    presets={"quick": {"quick_deal4": True}},
)
