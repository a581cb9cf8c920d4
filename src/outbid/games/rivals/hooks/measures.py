"""What the laboratory measures in Rivals besides what it measures everywhere (core/hooks/measuring.py)."""

import numpy as np

from outbid.core.hooks.measuring import Measure
from outbid.core.language.i18n import mark

MEASURES = (
    Measure("gold_left", mark("Gold left"), mark("gold in all hands at the end"),
            lambda final, players: final["gold"][:, :players].sum(1, dtype=np.int64), mark("gold"), "lower", 1),
    Measure("gold_gap", mark("Gold apart"), mark("the most gold in a hand at the end, less the least"),
            lambda final, players: np.ptp(final["gold"][:, :players].astype(np.int64), 1), mark("gold"), "", 1),
)  # fmt: skip
