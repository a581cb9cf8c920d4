"""What the page of Rivals has chosen beforehand: what a player gives nothing up for. Plain Python.

A wager is ticked, as it costs nothing. A number is ticked if it brings more than it closes the way to: the cards of its
colour that are still to come and could not be laid any more, each reckoned to come to every player, or to nobody, alike.
What lies on display below it is laid first. The card that is removed is the one that brings another player most, among those
that do not fit.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from outbid.games.rivals import rules
from outbid.games.rivals.hidden import undrawn
from outbid.games.rivals.state import HUES, RANKS
from outbid.games.rivals.text.views import card_name


def taken(s: Any, seat: int) -> list[str]:
    """The kinds of cards that are ticked for a seat that takes, all of each."""
    return [card_name(card) for colour in range(HUES) for card in _ticked(s, seat, colour)]


def _ticked(s: Any, seat: int, colour: int) -> Iterator[int]:
    """Those of one colour, in rising order."""
    feet, shakes = s.feet[seat][colour], s.shakes[seat][colour]
    numbers, top = s.numbers[seat][colour], s.top[seat][colour]
    wager = colour * RANKS
    for card, n in Counter(s.display[: s.lying]).items():
        rank = card - wager
        if not 0 <= rank < RANKS or not rules.can_lay(s, seat, card):
            continue
        if rank == 0:
            shakes += n
        else:
            steps = n * s.footprints[rank - 1]
            bonus = s.bonus if numbers < s.bonus_cards <= numbers + n else 0
            between = sum(undrawn(s, wager + low) * s.footprints[low - 1] for low in range(max(top, 1), rank))
            multiplied = 0 if top else undrawn(s, wager) * (feet + steps)
            if between * (shakes + 1) + multiplied > (steps * (shakes + 1) + bonus) * (s.players + 1):
                return
            feet, numbers, top = feet + steps, numbers + n, rank
        yield card


def removed(s: Any, seat: int) -> str | None:
    """The card that is chosen for a seat that may remove one."""
    brings = {card: _most(s, card) for card in s.display[: s.lying] if not rules.can_lay(s, seat, card)}
    best = max(brings, key=brings.__getitem__, default=None)
    return card_name(best) if best is not None and brings[best] else None


def _most(s: Any, card: int) -> int:
    """What a card brings whom it brings most: points, and of a wager by how much it multiplies (as the page shows it)."""
    colour, rank = divmod(card, RANKS)
    gains = [0]
    for seat in filter(lambda seat: rules.can_lay(s, seat, card), range(s.players)):
        shakes = s.shakes[seat][colour] + 1
        bonus = s.bonus if s.numbers[seat][colour] + 1 == s.bonus_cards else 0
        gains.append(s.footprints[rank - 1] * shakes + bonus if rank else shakes + 1)
    return int(max(gains))
