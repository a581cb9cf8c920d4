"""What the laboratory measures in Money besides what it measures everywhere (core/hooks/measuring.py)."""

from outbid.core.hooks.measuring import Measure

MEASURES = (Measure("rounds_played", "Rounds", "rounds of bids", lambda final, players: final["round"], "rounds", "", 2),)
