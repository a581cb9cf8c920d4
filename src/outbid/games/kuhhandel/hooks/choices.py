"""The choices of Kuhhandel in words (core/hooks/choices.py)."""

from collections.abc import Sequence

from outbid.core.hooks.choices import rest
from outbid.core.language.i18n import N_
from outbid.core.language.phrases import listed
from outbid.core.menu import Choice
from outbid.games.kuhhandel.state import ANIMALS
from outbid.games.kuhhandel.text import _, animals

SAID = {
    "auction": N_("auction the top card"),
    "pass": N_("pass on it"),
    "sell": N_("sell to the highest bidder"),
    "buy": N_("buy it yourself"),
    "pay": N_("pay {rest}"),
    "offer": N_("offer {rest}"),
    "accept": N_("accept the offer"),
    "counter": N_("counter {rest}"),
}


def worded(choice: Choice, names: Sequence[str]) -> str:
    """Say a choice of the menu in words; names: of the seats."""
    move, do = choice.move, choice.move["do"]
    if do == "trade":
        kind = ANIMALS.index(move["animal"])
        return _("trade for {animal} with {who}", animal=animals.this(kind), who=names[move["with"]])
    if do == "bid":
        low, high = choice.amounts[0], choice.amounts[-1]
        return _("bid an amount from {low} to {high}", low=low, high=high) if low < high else _("bid {amount}", amount=low)
    if do == "pay" and move.get("cards"):  # the one payment there is
        return _("pay with {cards}", cards=listed([str(card) for card in move["cards"]]))
    return _(SAID[do], rest=rest(choice)) if do in SAID else ""
