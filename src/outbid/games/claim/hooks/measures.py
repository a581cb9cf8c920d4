"""What the laboratory counts in Claim (core/hooks/measuring.py)."""

from outbid.core.hooks.measuring import Places
from outbid.core.language.phrases import capitalized
from outbid.games.claim.spaces import KIND_NAMES
from outbid.games.claim.state import (
    BUY, CALL, CLAIM, CLOSED, DEFER, END, FROZEN, ICON_NAMES, NEW, OFFER, PLACE, PLAY, PRINT, PRODUCTS, PURCHASE,
    PUSH, REDEPOSIT, REFUSE, WITHDRAW, WRITE_OFF,
)  # fmt: skip
from outbid.games.claim.text import _, terms

PLACES = {
    "copies": Places(lambda place: _("bills of {number}", number=place + 1), counted=True),
    "icons": Places(lambda place: _("bills of {number}", number=place + 1)),
    "prices": Places(lambda place: _(PRODUCTS[place])),
}


def thing(action: int) -> str:
    """What an action is a part of: bills by their number or icon, products, claims and pushes, whatever they are of."""
    if PLAY <= action < PRINT:
        return _("{bill} played", bill=capitalized(terms.title(KIND_NAMES[action - PLAY])))
    if PRINT < action < PLACE:
        return _(terms.TITLES[ICON_NAMES[action - PRINT - 1]])
    if CLAIM <= action < PUSH:
        return _("stack claimed")
    if PUSH <= action < END:
        return _("push to oneself") if action == PUSH else _("push to another")
    if BUY <= action < PURCHASE:
        return _(PRODUCTS[action - BUY])
    whole = {
        NEW: _("new stack"), PURCHASE: _("purchase of a stack"), OFFER: _("offer"), REFUSE: _("refusal"),
        CLOSED: _("Vault: closed"), FROZEN: _("Vault: frozen"), WITHDRAW: _("Refund: a bill"),
        REDEPOSIT: _("Refund: to the table"), WRITE_OFF: _("Refund: out"), CALL: _("Call-in: pushed"),
        DEFER: _("Call-in: spared"),
    }  # fmt: skip
    return whole.get(action, "")
