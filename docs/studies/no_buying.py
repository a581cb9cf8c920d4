"""The auctioneer may not buy the animal: the highest bidder has it."""

from outbid.games.kuhhandel.rules import legal as before
from outbid.games.kuhhandel.state import HAMMER, SELL
from outbid.lab.experiments.rules import changed


def legal(s, seat, out):
    """Selling is the first of the two; what comes after it is left out."""
    n = before(s, seat, out)
    return 1 if s.phase == HAMMER else n


def hammered(s, seat, note, params):
    """The players of this game know it, too."""
    return SELL


rulebook = changed("kuhhandel", __name__)
