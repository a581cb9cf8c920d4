"""What the laboratory measures in Money besides what it measures everywhere (core/hooks/measuring.py)."""

from outbid.core.hooks.measuring import Measure
from outbid.core.language.i18n import mark

MEASURES = (
    Measure("rounds_played", mark("Rounds"), mark("rounds of bids"), lambda final, players: final["round"],
            mark("rounds"), "", 2),
)  # fmt: skip
