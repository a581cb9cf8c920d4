"""What the laboratory measures in Forex besides what it measures everywhere (core/hooks/measuring.py)."""

from outbid.core.hooks.measuring import Measure
from outbid.core.language.i18n import N_
from outbid.games.forex.state import (
    AGREE, CONTRACT, CURRENCIES, CURRENCY, DIVEST, INVEST, REFUSE, RESOLVE, SPOT,
)  # fmt: skip
from outbid.games.forex.text import _

MEASURES = (
    Measure("bankruptcies", N_("Bankrupt"), N_("share of the matches in which somebody goes bankrupt"),
            lambda final, players: final["bankrupt"] >= 0, "share", "", 3),
    Measure("loans_open", N_("Open loans"), N_("loans that are not paid back at the end"),
            lambda final, players: (final["loan"][:, :players] >= 0).sum(1), N_("loans"), "", 2),
)  # fmt: skip


def thing(action: int) -> str:
    """What an action is a part of: what is signed, bought or sold is named by its currency, an offer not by its partner."""
    if CONTRACT <= action < INVEST:
        return _("contract in {currency}", currency=CURRENCIES[action - CONTRACT])
    if INVEST <= action < DIVEST:
        return _("invest in {currency}", currency=CURRENCIES[action - INVEST])
    if DIVEST <= action < SPOT:
        return _("divest {currency}", currency=CURRENCIES[action - DIVEST])
    if SPOT <= action < CURRENCY:
        return _("spot offer")
    return {RESOLVE: _("resolve the queue"), AGREE: _("spot offer accepted"), REFUSE: _("spot offer refused")}.get(
        action, ""
    )
