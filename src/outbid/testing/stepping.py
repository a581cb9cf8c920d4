"""One compiled entry that applies the functions of a game's contract to a record, for stepping the compiled backend."""

from typing import Any

from outbid.core.contract import apply, asked, deal, hide, legal, observe, redeal, winners

DEAL, LOOK, APPLY, HIDE, REDEAL, OBSERVE, END = range(7)


def contract_on(states: Any, what: int, seat: int, value: int, out: Any, seen: Any) -> Any:
    """Do `what` with states[0]. value: the seed of DEAL and REDEAL, the number of players (DEAL) or the action (APPLY) being
    in the place of `seat` and `value`; out: legal actions (LOOK) or points (END); seen: features (OBSERVE). Returns who is
    asked and how many actions are legal (LOOK), or the winners (END)."""
    if what == DEAL:
        deal(states[0], seat, value)
    elif what == LOOK:
        return asked(states[0]), legal(states[0], seat, out)
    elif what == APPLY:
        apply(states[0], seat, value)
    elif what == HIDE:
        hide(states[0], seat)
    elif what == REDEAL:
        redeal(states[0], seat, value)
    elif what == OBSERVE:
        observe(states[0], seat, seen)
    else:
        return winners(states[0], out), 0
    return 0, 0
