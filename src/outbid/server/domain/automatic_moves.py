"""Automatic moves: orders by which a person lets the server answer in their place, known to that seat alone.

What orders a game understands it says itself (core/hooks/automatic_moves.py).

Nobody else ever learns of an order: it lies in the database and in the memory of the server, is shown to its seat only, is
not logged or counted, and is decided from a state hidden for the seat. It acts after a delay that is drawn as a bot's
is (pacing.py), and its move is a move of the person like any other.
"""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from outbid.core import record
from outbid.core.errors import OutbidError, Unreadable
from outbid.core.language.i18n import _
from outbid.core.match import Match
from outbid.core.menu import Choice
from outbid.core.rulebook import Rulebook
from outbid.server.parts import Around, PartOfTable
from outbid.server.settings import Refused

Order = dict[str, Any]


def understood(book: Rulebook) -> Any:
    """The game's module of automatic moves, or none."""
    return book.submodule("automatic_moves")


@dataclass(frozen=True)
class Given:
    """An order that stands, as its owner sees it."""

    about: str
    sentence: str


@dataclass(frozen=True)
class OrdersPanel:
    """What a seat sees of its orders: those that stand, and those it may give, grouped by the amounts they need."""

    given: tuple[Given, ...] = ()
    offers: tuple[tuple[range, tuple[Choice, ...]], ...] = ()


class AutomaticMoves(PartOfTable[Around]):
    """The orders of all seats of a table."""

    def __init__(self, table: Around, kept: Mapping[tuple[int, str], Order]):
        super().__init__(table)
        self.kept = dict(kept)

    def panel(self, seat: int, state: Any) -> OrdersPanel:
        """What a seat sees; `state` is hidden for it."""
        game = understood(self.table.book)
        if game is None or seat < 0 or self.table.status != "playing":
            return OrdersPanel()
        names = self.table.playing.marked
        given = tuple(
            Given(about, game.sentence(order, state, seat, names)) for (n, about), order in self.kept.items() if n == seat
        )
        groups: list[tuple[range, tuple[Choice, ...]]] = []
        for choice in game.offered(state, seat, names):
            if groups and groups[-1][0] == choice.amounts:
                groups[-1] = (choice.amounts, (*groups[-1][1], choice))
            else:
                groups.append((choice.amounts, (choice,)))
        return OrdersPanel(given, tuple(groups))

    async def give(self, seat: int, text: str, amount: str | None) -> None:
        """A seat gives an order. Raises Unreadable, Refused."""
        game = understood(self.table.book)
        if game is None:
            raise Refused(409, _("{game} has no automatic moves.", game=_(self.table.book.title)))
        match = self.table.playing
        if match.over:
            raise Refused(409, _("The match is over."))
        wanted = record.parse(text)
        offers = game.offered(match.seen(seat), seat, match.marked)
        chosen = next((choice for choice in offers if choice.move == wanted), None)
        if chosen is None:
            raise Refused(409, _("This automatic move is not possible now; the table may have moved on."))
        order = dict(chosen.move)
        if chosen.amounts:
            if not (amount and amount.isascii() and amount.isdigit() and len(amount) < 10 and int(amount) in chosen.amounts):
                low, high, step = chosen.amounts.start, chosen.amounts[-1], chosen.amounts.step
                raise Unreadable(
                    _(
                        "The amount of an automatic move is from {low} to {high} in steps of {step}, not {amount}.",
                        amount=repr((amount or "")[:20]), low=low, high=high, step=step,
                    )
                )  # fmt: skip
            order["amount"] = int(amount)
        elif amount:
            raise Unreadable(_("This automatic move has no amount."))
        await self.table.store.aside(self.table.store.order, self.table.id, seat, order["about"], order)
        self.kept[seat, order["about"]] = order

    async def cancel(self, seat: int, about: str) -> None:
        """A seat takes an order back. Raises Refused."""
        if (seat, about) not in self.kept:
            raise Refused(409, _("This automatic move is not set any more."))
        await self.table.store.aside(self.table.store.order, self.table.id, seat, about, None)
        del self.kept[seat, about]

    def answer(self, seat: int) -> dict[str, Any] | None:
        """What the orders of a seat say to what it is asked."""
        match, game = self.table.playing, understood(self.table.book)
        for (n, _about), order in self.kept.items():
            if n == seat and seat in match.asked and self.table.seats[seat].kind == "human":
                move = self._possible(seat, game.answer(order, match.hidden(seat), seat))
                if move is not None:
                    return move
        return None

    def _possible(self, seat: int, move: dict[str, Any] | None) -> dict[str, Any] | None:
        """The move, if it can be made; else the person is asked, and nothing tells anybody else."""
        if move is not None:
            with contextlib.suppress(OutbidError):
                self.table.playing.attempt(seat, move)
                return move
        return None

    def ended(self, match: Match) -> list[tuple[int, str]]:
        """The orders that are about nothing any more in a match."""
        if not self.kept:
            return []
        game = understood(self.table.book)
        return [
            (seat, about)
            for (seat, about), order in self.kept.items()
            if match.over or not game.lasts(order, match.hidden(seat), seat)
        ]

    def forget(self, ended: list[tuple[int, str]]) -> None:
        """These are gone."""
        for key in ended:
            self.kept.pop(key, None)
