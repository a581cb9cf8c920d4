"""Compile a game's loops now, filling the cache, so that batches and simulations do not wait for the compiler later."""

from outbid.core.rulebook import Rulebook


def compile_all(book: Rulebook) -> None:
    """Compile or load the loops of batches and of rollouts, by using each once."""
    import numpy as np

    from outbid.compiled import loops
    from outbid.compiled.backend import entry
    from outbid.compiled.batch import Batch

    batch = Batch(book, {}, 1, book.players[0], 0)
    batch.step(batch.sample())
    assert batch.obs.shape == (1, book.features)
    states = np.zeros(2, book.layout.dtype)
    book.fresh({}).to_record(states, 0)
    out = np.zeros(book.actions + 64, np.int64)
    entry(book, loops.rollouts)(states, 0, 1, 0, 1, book.longest, book.players[0], out)
