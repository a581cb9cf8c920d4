"""Claim: play bills onto stacks, claim them, push the full ones; with five expansions; 2 to 6 players. Rules: RULES.md."""

from typing import Any

from outbid.core.hooks.search_config import KEEN, SHARP, Level, SearchConfig
from outbid.core.language.i18n import N_
from outbid.core.rulebook import Rulebook
from outbid.games.claim import bot, hidden, icons, personas, rules, shop, spaces, stacks, state, words

EXPANSIONS = ("wild_wagers", "zero_risk", "bad_investment", "action_fund", "shopping_spree")

SMALL = {"full_threshold": 4, "goal": 5, "fixed_start": True}  # for two players
THREE = {"two_players": "duel", "duel_aside": 0}  # numbers for two players


def first_version(options: dict[str, Any], players: int) -> dict[str, Any]:
    """Hands of at most 13 bills, in the duel of at most 12 with nothing set aside before."""
    caps: dict[str, Any] = {"hand_cap": options.get("hand_cap", 13)}
    if players == 2 and options.get("two_players") == "duel":
        if caps["hand_cap"] == 13:
            caps["hand_cap"] = 12
        if "copies" in options:  # otherwise the cap sets aside at least as many as the duel does
            caps["duel_aside"] = 0
    return {**options, **caps}


rulebook = Rulebook(
    id="claim",
    title="Claim",
    summary=N_("Stacks of dollar bills, three laws of claiming them, and full ones that somebody has to take."),
    players=(2, 6),
    version=2,
    older={1: first_version},
    layout=state.LAYOUT,
    modules=(state, spaces, stacks, hidden, icons, shop, rules, bot),
    words=words,
    moves=words.MOVES,
    observation=spaces.OBSERVATION,
    action_table=spaces.TABLE,
    margin=5,
    longest=300_000,
    environment=2,
    older_environments={1: {"hand_cap": 13, "two_players": "printed"}},  # in the duel it was 12
    personas=personas.PERSONAS,
    search=SearchConfig(
        rollouts=1500, leaf_rollouts=2000, max_depth=8, steps=70_000, unit=5.0,
        levels={KEEN: Level(0.1, 0.1), SHARP: Level(0.3, 0.025, led=Level(0.15, 0.05))}
    ),
    presets={"duel": {"two_players": "duel"}, "everything": dict.fromkeys(EXPANSIONS, True)},
    laboratory={
        "tiny": {**SMALL, "copies": [4, 4, 0, 0, 0, 0]},
        "small": {**SMALL, **THREE, "goal": 6, "full_threshold": 5, "copies": [3, 3, 3, 0, 0, 0]},
        "small3": {**SMALL, **THREE, "copies": [2, 2, 2, 0, 0, 0]},
    },
)
