"""`Batch`: the short form of a vector (vector.py), all matches with the same options, observed when `obs` is read.

    batch = game.batch(4096, players=4, seed=0)
    while training:
        batch.step(policy(batch.obs, batch.mask))     # then batch.actor, .mask, .reward, .done, .obs
"""

from collections.abc import Mapping
from typing import Any

from outbid.compiled.vector import Vector
from outbid.core.rulebook import Rulebook


class Batch(Vector):
    """`n` matches of one game with the same options. Raises BadSetup, BadOption."""

    def __init__(
        self, book: Rulebook, options: Mapping[str, Any], n: int, players: int, seed: int, threads: int | None = None
    ):
        super().__init__(book, options, n, players, seed, observe=False, threads=threads)
