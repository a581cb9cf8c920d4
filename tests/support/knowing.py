"""The same match as far as one seat knows it: what it cannot know is dealt anew, now and at every line of its log."""

from __future__ import annotations

import re
from typing import Any

from outbid.core import contract
from outbid.core.match import Line, Match
from outbid.testing.positions import hidden, redealt


def twin(match: Match, seat: int, seed: int) -> Match:
    """Another world in which the seat has seen and been told the same."""
    other, fresh, lines = match.copy(), Match.load(match.rulebook, match.options, match.names, match.deal), []
    words = match.rulebook.words
    for n, move in enumerate(match.moves):
        before = fresh.copy()
        fresh.play(move["seat"], move)
        place = contract.CLOCK if move["seat"] is None else move["seat"]
        said = {key: value for key, value in move.items() if key != "seat"}
        was = hidden(redealt(before.state, seat, seed + n), seat)
        now = hidden(redealt(fresh.state, seat, seed - n), seat)
        told = words.told(was, place, words.masked(before.state, place, said, seat), now, seat, match.names)
        lines += [Line(n, move["seat"], text) for text in told]
    other.state = redealt(match.state, seat, seed)
    other.log = lambda seat: lines  # type: ignore[method-assign, assignment, misc]
    return other


# the names of the games as anybody knows them, written here once more: what must not be seen through a disguise
CURRENCIES = ["USD", "GBP", "EUR", "JPY", "CHF", "dollar", "euro", "yen", "pound"]
KNOWN = {
    "kuhhandel": [
        "Kuhhandel", "Bluffing", "Koltze", "chicken", "goose", "geese", "cat", "dog", "lamb", "goat", "donkey", "pig",
        "cow", "horse", "chickens", "cats", "dogs", "lambs", "goats", "donkeys", "pigs", "cows", "horses",
    ],
    "money": [*CURRENCIES, "Money!", "Knizia", "SEK", "RUB", "coin", "coins", "silver", "gold"],
    "rivals": [
        "Rivals", "Lost Cities", "Knizia", "red", "blue", "green", "yellow", "white", "wager", "wagers", "handshake",
        "handshakes", "footprints", "expedition", "expeditions", "Rx", "Bx", "R2", "W10", "G7",
    ],
    "forex": [*CURRENCIES, "For-Ex", "Forex", "Holland", "CAD", "CNY", "bucks", "buck"],
    "claim": [
        "claim", "claims", "claimed", "Pandaqi", "Pastoor", "dollar", "Wild Wagers", "Zero Risk", "Bad Investment",
        "Action Fund", "Shopping Spree", "Diversity", "Slow Down", "Five Max", "vault", "fast_track", "Fast Track",
        "U-Turn", "u_turn", "dividend", "audit", "refund", "Call-in", "call_in", "merger", "Penny Pincher", "Collector",
        "Foreign Exchange", "Counterfeiter", "Small Change", "Deep Pockets", "Offshore Account", "Market Research",
        "Forecast", "Loophole", "Insurance", "Express Lane",
    ],
}  # fmt: skip


def names_in(book: Any, text: str) -> list[str]:
    """The known names that a text has, as whole words, whatever their case."""
    found = [name for name in KNOWN[book.id] if re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", text, re.I)]
    if book.id == "rivals":
        found += re.findall(r"(?<![A-Za-z])[RBGYW](?:10|[2-9]|x)(?![A-Za-z0-9])", text)
    return found
