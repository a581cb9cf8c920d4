"""The choices of Claim in words (core/hooks/choices.py)."""

from collections.abc import Mapping, Sequence
from typing import Any

from outbid.core.language.i18n import N_
from outbid.core.menu import Choice
from outbid.games.claim.text import _, terms

TERSE = ("icon",)
SAID = {
    "claim": N_("claim the {stack}s"),
    "push": N_("push the {stack}s to {who}"),
    "end": N_("end your turn"),
    "skip": N_("do without it"),
    "give": N_("give {card}"),
    "take": N_("take what is pushed to you"),
    "refuse": N_("refuse it"),
    "accept": N_("accept the offer"),
    "forecast": N_("forecast a {number}"),
    "buy": N_("buy {product}"),
    "purchase": N_("purchase the {stack}s of {who} for {card}"),
    "offer": N_("make {who} an offer"),
}
ICONS = {
    "vault closed": N_("{icon}: close the {stack}s"),
    "vault frozen": N_("{icon}: freeze the {stack}s"),
    "fast_track": N_("{icon}: {who} takes the next turn"),
    "u_turn": N_("{icon}: {who} takes the next turn"),
    "audit": N_("{icon}: ask {who} for a {number}"),
    "refund withdraw": N_("{icon}: take {card} of the {stack}s back to your hand"),
    "refund redeposit": N_("{icon}: put the {stack}s back on the table"),
    "refund write_off": N_("{icon}: take the {stack}s out of the game"),
    "call_in": N_("{icon}: push the {push}s to {who}"),
    "call_in defer": N_("{icon}: spare the {defer}s this turn"),
    "merger": N_("{icon}: move the top bill of the {from}s onto the {onto}s"),
}
SEATS = ("to", "from", "of", "next")  # keys whose number is a seat, but for a merger


def worded(choice: Choice, names: Sequence[str]) -> str:
    """A choice in words."""
    move = choice.move
    facts: dict[str, Any] = {key: terms.num(value) for key, value in move.items()}
    seat = next((move[key] for key in SEATS if key in move and move.get("icon") != "merger"), None)
    facts["who"] = "" if seat is None else names[seat]
    if "bill" in move:
        facts["card"] = terms.title(move["bill"])
    if "product" in move:
        product = move["product"]
        facts["product"] = _(product)
    do = move["do"]
    if do == "icon":
        return _icon(move, facts)
    if do == "play":
        return _play(move, facts)
    return _(SAID[do], **facts)


def _play(move: Mapping[str, Any], facts: dict[str, Any]) -> str:
    if "as" not in move:
        return _("play {card} on the {on}s", **facts) if "on" in move else _("play {card}", **facts)
    if move.get("on") is None:
        return _("play {card} as {as}", **facts)
    return _("play {card} as {as} on the {on}s", **facts)


def _icon(move: Mapping[str, Any], facts: dict[str, Any]) -> str:
    name = move["icon"]
    facts["icon"] = _(terms.TITLES[name])
    ways = (name, f"{name} {move.get('lock') or move.get('how') or ('defer' if 'defer' in move else '')}")
    known = next((ICONS[way] for way in reversed(ways) if way in ICONS), "")
    return _(known, **facts) if known and (name != "u_turn" or facts["who"]) else _("use {icon}", **facts)
