"""Claim's things as people read them: bills, stacks, coins, icons and products. Plain Python.

Logs and boards write numbers as records do; what the table shows of them goes through `num`.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from outbid.core.language.i18n import N_
from outbid.core.language.phrases import listed
from outbid.games.claim.state import ICON_NAMES
from outbid.games.claim.text import _, ngettext

TITLES = dict(
    zip(
        ICON_NAMES,
        (
            N_("Vault"), N_("Fast Track"), N_("U-Turn"), N_("Dividend"), N_("Audit"), N_("Refund"),
            N_("Call-in"), N_("Merger"),
        ),
        strict=True,
    )
)  # fmt: skip
ICON_EFFECTS = {
    "vault": N_(
        "Lock a stack until your next turn begins: closed, nobody can take it; frozen, nothing may be added to it."
    ),
    "fast_track": N_("Choose who takes the next turn; the game goes on from there."),
    "u_turn": N_("The turn goes round the other way from now on."),
    "dividend": N_("A coin, worth $1."),
    "audit": N_("Ask a player for a bill of a number. Who has none shows you the whole hand."),
    "refund": N_(
        "Give up one of your stacks: one bill of it comes to your hand, or all goes back to the table, or out of the game."
    ),
    "call_in": N_("Push a stack that is not full, or spare a full one until it grows again."),
    "merger": N_("Move the top bill of a stack onto another, which takes its number."),
}
PRODUCT_EFFECTS = {
    "Penny Pincher": N_(
        "You win with $7, but only 0s, 1s, 2s and coins count for you, and you can take nothing else."
    ),
    "Collector": N_("You also win with stacks of 4 different numbers, of 3 if two or three play."),
    "Foreign Exchange": N_("You draw two bills of a reserve with −2, −1, 0 and 6."),
    "Counterfeiter": N_("Once a turn you may play a bill as the number one higher or lower."),
    "Small Change": N_("Stacks of 1 and 2 that you add to are full from 4."),
    "Deep Pockets": N_("Stacks that you add to are full only from 8."),
    "Offshore Account": N_("The others see only how many stacks you have, and cannot ask for them."),
    "Market Research": N_("You see all hands."),
    "Forecast": N_("At the end of your turn name a number: if it is played next, you take a coin."),
    "Loophole": N_("You may claim what you have just played."),
    "Insurance": N_("You may refuse what others push to you."),
    "Express Lane": N_("You may play two bills a turn."),
}


def num(n: Any) -> str:
    """A number as tables write it: "−2"."""
    return str(n).replace("-", "−")


def bills(n: int) -> str:
    """ "no bill", "1 bill", "2 bills"."""
    return ngettext("{n} bill", "{n} bills", n) if n else _("no bill")


def stacks(n: int) -> str:
    """ "no stack", "1 stack", "2 stacks"."""
    return ngettext("{n} stack", "{n} stacks", n) if n else _("no stack")


def coins(n: int) -> str:
    """ "1 coin", "2 coins"."""
    return ngettext("{n} coin", "{n} coins", n)


def the_stacks(numbers: Iterable[Any]) -> str:
    """ "the 1s and the 3s"; empty for none."""
    return listed([_("the {number}s", number=number) for number in numbers])


def bill(name: str) -> str:
    """A bill as logs write it: "3", "W", "3 with Vault"."""
    number, _colon, icon = name.partition(":")
    return _("{number} with {icon}", number=number.upper(), icon=_(TITLES[icon])) if icon else number.upper()


def bills_in_a_row(names: Iterable[str]) -> str:
    """ "1, 3 with Vault and W", "4 × 1 and 2"; empty for none."""
    groups: list[str] = []
    for name, equal in groupby(names):
        n = len(list(equal))
        groups += [f"{n} × {bill(name)}"] if n > 2 else [bill(name)] * n
    return listed(groups)


def title(name: str) -> str:
    """A bill as the table names it: "−2", "wild bill", "3 with Vault", "1/3 as 1"."""
    base, _equals, worth = name.partition("=")
    number, _colon, icon = base.partition(":")
    words = _("wild bill") if number == "w" else num(number)
    if icon:
        words = _("{number} with {icon}", number=words, icon=_(TITLES[icon]))
    return _("{bill} as {number}", bill=words, number=num(worth)) if worth else words


def side(things: dict[str, Any]) -> str:
    """One side of an offer as logs say it: "3, W, the 2s and 1 coin", "nothing"."""
    parts = [bill(name) for name in things["bills"]] + [_("the {number}s", number=n) for n in things["stacks"]]
    return listed(parts + _coins_of(things)) or _("nothing")


def side_at_table(things: dict[str, Any]) -> str:
    """One side of an offer as the table says it: "3, wild bill, the stack of 2s and 1 coin", "nothing"."""
    parts = [title(name) for name in things["bills"]]
    parts += [_("the stack of {number}s", number=num(n)) for n in things["stacks"]]
    return listed(parts + _coins_of(things)) or _("nothing")


def _coins_of(things: dict[str, Any]) -> list[str]:
    return [coins(things["coins"])] if things["coins"] else []
