"""Claim: play bills onto stacks, claim them, push the full ones; with five expansions; 2 to 6 players. Rules: RULES.md."""

from outbid.engine.effort import Effort
from outbid.engine.rulebook import Rulebook
from outbid.engine.tongue import mark
from outbid.games.claim import bot, characters, hidden, icons, rules, shop, spaces, stacks, state, words

EXPANSIONS = ("wild_wagers", "zero_risk", "bad_investment", "action_fund", "shopping_spree")

SMALL = {"full_threshold": 4, "goal": 5, "fixed_start": True}  # for two players

rulebook = Rulebook(
    id="claim",
    title="Claim",
    summary=mark("Stacks of dollar bills, three laws of claiming them, and full ones that somebody has to take."),
    players=(2, 6),
    version=1,
    layout=state.LAYOUT,
    modules=(state, spaces, stacks, hidden, icons, shop, rules, bot),
    words=words,
    observation=spaces.OBSERVATION,
    action_table=spaces.TABLE,
    margin=5,
    longest=100_000,
    characters=characters.CHARACTERS,
    needs=(state.BILLS,),
    effort=Effort(playouts=2000, short=2000, plies=3, unit=5.0),
    presets={"duel": {"two_players": "duel"}, "everything": dict.fromkeys(EXPANSIONS, True)},
    laboratory={
        "tiny": {**SMALL, "copies": [4, 4, 0, 0, 0, 0]},
        "small": {**SMALL, "two_players": "duel", "goal": 6, "full_threshold": 5, "copies": [3, 3, 3, 0, 0, 0]},
        "small3": {**SMALL, "two_players": "duel", "copies": [2, 2, 2, 0, 0, 0]},
    },
)
