"""The front page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from outbid.core.hooks.offer import offer_of
from outbid.core.rulebook import rulebooks
from outbid.server.web import pages

if TYPE_CHECKING:
    from outbid.server.domain.contests.daily import Deal

MOST_WEIGHT = 99  # of a game that does not say how heavy it is: it is offered last


def page(
    tables: list[dict[str, Any]], offered: list[dict[str, Any]], today: Deal | None,
    played: tuple[str, str] | None, **facts: Any,
) -> str:  # fmt: skip
    """The front page: whose turn it is, the games, the deal of the day, and tables where anybody may sit down.

    played: the table of this browser with the deal of today, and its status; facts: nickname, error (what is wrong with
    it), signed_in (it is a kept name), climbs (it stands on the ladder).
    """
    easy_first = sorted(rulebooks().values(), key=lambda book: (offer_of(book).weight or MOST_WEIGHT, book.title))
    games = [pages.tile(book) for book in easy_first]
    drawn = pages.drawn(*rulebooks())
    seen = {"games": games, "drawn": drawn, "tables": tables, "offered": offered, "played": played, **facts}
    return pages.page("home/home.html", today=today and pages.deal_of(today), **seen)
