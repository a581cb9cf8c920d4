"""A block of an experiment: one of runs/blocks.py, and the measures that are made of its last states."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from outbid.core.rulebook import Rulebook
from outbid.lab.experiments.measures import own_columns, sources
from outbid.runs import blocks
from outbid.runs.blocks import Columns


@dataclass(frozen=True)
class CellBlock(blocks.Block):
    """Deals `first` … `last` − 1 of a cell. own: names of measures that are made of the last states (measures.py)."""

    own: tuple[str, ...] = ()


def code_of(book: Rulebook, own: Sequence[str] = (), seats: Sequence[str] = ()) -> str:
    """The hash of all that a block's columns depend on besides the block; files of measures count, too."""
    return blocks.code_of(book, seats, sources(book, own))


def play(block: CellBlock) -> Columns:
    """Play and observe a block. Raises BadSetup if this machine has other sources or other files."""
    of_finals = partial(own_columns, block.book, block.own) if block.own else None
    return blocks.play(block, sources(block.book, block.own), of_finals)
