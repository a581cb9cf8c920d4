"""The choices of For-Ex in words (core/hooks/choices.py)."""

from collections.abc import Sequence

from outbid.core.hooks.choices import rest
from outbid.core.language.i18n import N_
from outbid.core.language.phrases import listed
from outbid.core.menu import Choice
from outbid.games.forex.text import _, ngettext

SAID = {
    "resolve": N_("resolve the next item of the queue"),
    "agree": N_("agree to the exchange"),
    "refuse": N_("refuse the exchange"),
    "contract": N_("contract {rest}"),
    "strengthen": N_("strengthen {currency}"),
    "strongest": N_("name {currency} the strongest"),
}


def worded(choice: Choice, names: Sequence[str]) -> str:
    """Say a choice of the menu in words; names: of the seats."""
    move, do = choice.move, choice.move["do"]
    if do == "invest":
        single = [bought["in"][0] for bought in choice.moves if len(bought["in"]) == 1]
        if len(single) == 1:
            return _("buy a certificate of {currency}", currency=single[0])
        return _("buy one or two certificates: {currencies}", currencies=listed(single, "or"))
    if do == "divest":
        most = len(choice.moves)
        if most > 1:
            return _("sell 1 to {most} certificates of {currency}", most=most, currency=move["currency"])
        n = move.get("count", 1)
        return ngettext("sell {n} certificate of {currency}", "sell {n} certificates of {currency}", n, **move)
    if do == "spot":
        terms = choice.text.partition(": ")[2]
        return _("offer {who} an exchange: {terms}", who=names[move["with"]], terms=terms)
    return _(SAID[do], rest=rest(choice), currency=move.get("currency", ""))
