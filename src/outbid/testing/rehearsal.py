"""What is tried of a game that is not ours before it is compiled, since compiled rules check no index: what is not in the
subset, and some matches on the plain backend."""

from functools import cache

from outbid.core.errors import BadRulebook
from outbid.core.rulebook import Rulebook, file_of
from outbid.testing import DEAL
from outbid.testing.lint import SUBSET
from outbid.testing.moves import INDICES

MATCHES = 5


@cache
def rehearse(book: Rulebook) -> None:
    """Raises BadRulebook with the function, the file and the line."""
    for prop in (SUBSET, DEAL, INDICES):
        for finding in prop(book, MATCHES):
            more = f"`outbid verify {file_of(book) or book.id}` tries all of the game."
            raise BadRulebook(f"{finding.sentence.rstrip('.')}. {more}")
