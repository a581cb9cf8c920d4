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
def reviewed(game: str) -> dict[str, Any]:
    """Its review, on the plain backend."""
    return review(played(game), worlds=4, effort=0.3, compiled=False)




def kept(database: Path, game: str = "kuhhandel") -> str:
    """A finished table whose review is kept already; its id."""
    store = Store(f"sqlite:///{database}")
    store.add(table_of(played(game).record()))
    store.keep_review(id_of(played(game)), reviewed(game))
    store.close()
    return id_of(played(game))
