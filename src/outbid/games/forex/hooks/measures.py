"""What the laboratory measures in Forex besides what it measures everywhere (core/hooks/measuring.py)."""

from outbid.core.hooks.measuring import Measure
from outbid.core.language.i18n import mark

MEASURES = (
    Measure("bankruptcies", mark("Bankrupt"), mark("share of the matches in which somebody goes bankrupt"),
            lambda final, players: final["bankrupt"] >= 0, "share", "", 3),
    Measure("loans_open", mark("Open loans"), mark("loans that are not paid back at the end"),
            lambda final, players: (final["loan"][:, :players] >= 0).sum(1), mark("loans"), "", 2),
)  # fmt: skip
