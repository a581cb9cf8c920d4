"""Short matches of every game, their reviews, and tables where they were played."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import outbid
from outbid.core.match import Match
from outbid.review.review import review
from outbid.server.domain.records import id_of, table_of
from outbid.server.storage.store import Store

SMALL = {"kuhhandel": "small", "money": "small", "rivals": "small", "claim": "tiny", "forex": "tiny"}


@cache
def played(game: str, seed: int = 5) -> Match:
    """A small match of random players that is over."""
    match = outbid.game(game, preset=SMALL[game]).new(players=2, seed=seed, names=["Ada", "Ben"])
    while not match.over:
        match.random_move(match.asked[0], len(match.moves))
    return match


@cache
def reviewed(game: str, seed: int = 5) -> dict[str, Any]:
    """Its review, on the plain backend."""
    return review(played(game, seed), worlds=4, effort=0.3, compiled=False)


def kept(database: Path, game: str = "kuhhandel", seed: int = 5) -> str:
    """A finished table whose review is kept already; its id."""
    match, store = played(game, seed), Store(f"sqlite:///{database}")
    store.add(table_of(match.record()))
    store.keep_review(id_of(match), reviewed(game, seed))
    store.close()
    return id_of(match)
