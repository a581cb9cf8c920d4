"""What the laboratory measures in Money besides what it measures everywhere (engine/measuring.py)."""

from outbid.engine.measuring import Measure

MEASURES = (Measure("rounds_played", "Rounds", "rounds of bids", lambda final, players: final["round"], "rounds", "", 2),)
