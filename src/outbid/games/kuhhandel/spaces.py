"""What a learner is given and may do in Kuhhandel: the features that `observe` writes (hidden.py), and the action ids."""

from outbid.core.derived.spaces import Actions, Observation, action, actions, amount, amounts, flag, flags, one_hot
from outbid.games.kuhhandel.state import (
    ACCEPT, ACTIONS, ANIMALS, AUCTION, BUY, CALL, CLOSE, DECK, DONE, KINDS, LAY, MONEY, PASS, RAISE, RAISES, SEATS,
    SELL, TRADE,
)  # fmt: skip

PHASES = ("turn", "bid", "hammer", "pay", "offer", "reply", "over")
NOTES_OF = tuple(str(value) for value in MONEY)
PURSE = 1000  # money is counted in these
HAND = 10  # and cards of money
COPIES = 4  # of an animal
POINTS = 10_000

OBSERVATION = Observation(
    SEATS,
    shared=(
        one_hot("phase", PHASES, "what is being decided"),
        amount("deck", "animals not yet turned up", DECK),
        amount("donkeys", "donkeys turned up so far", COPIES),
        one_hot("kind", ANIMALS, "the animal under auction or trade"),
        amount("bid", "the standing bid", PURSE, 5),
        amount("raised", "the own raise half built, over the standing bid", PURSE, 5),
        amount("stake", "cards of the animal at stake in a trade", 2),
        flag("again", "the second round of a trade, after a tie"),
        amount("offered", "cards in the offer on the table; 0 also if the number is hidden", HAND, 6),
        amounts("laid", NOTES_OF, "own cards laid or offered, as far as one may know", HAND, 6),
        amount("cash", "the own money", PURSE, 5),
        amount("players", "players of the match", SEATS),
    ),
    each=(
        amounts("animals", ANIMALS, "cards of each animal", COPIES),
        amount("cards", "cards of money in the hand; 0 if the number cannot be known", HAND, 6),
        amounts("known", NOTES_OF, "cards of money certainly in the hand (the own: all)", HAND, 6),
        amount("least", "the money is at least this", PURSE, 5),
        amount("most", "the money is at most this", PURSE, 5),
        flags(
            "roles",
            ("to move", "leader", "excluded", "passed", "payer", "payee", "challenged"),
            "the part in what is going on",
        ),
        amount("score", "points so far", POINTS, 4),
        amount("sets", "complete sets", KINDS),
    ),
)

FEATURES = OBSERVATION.size
SHARED = OBSERVATION.shared
EACH = OBSERVATION.each
# where the parts begin, in the order above
(AT_PHASE, AT_DECK, AT_DONKEYS, AT_KIND, AT_BID, AT_RAISED, AT_STAKE, AT_AGAIN, AT_OFFERED, AT_LAID, AT_CASH,
 AT_PLAYERS) = OBSERVATION.places
OF_ANIMALS, OF_CARDS, OF_KNOWN, OF_LEAST, OF_MOST, OF_ROLES, OF_SCORE, OF_SETS = OBSERVATION.places_of_seat

TABLE = Actions(
    ACTIONS,
    action(AUCTION, "auction", "turn up an animal and auction it"),
    actions(
        TRADE,
        [f"trade {animal} +{far}" for far in range(1, SEATS) for animal in ANIMALS],
        "challenge the seat so many places clockwise to a trade over the animal",
    ),
    action(PASS, "pass", "no higher bid"),
    actions(
        RAISE,
        [f"raise {steps}" for steps in RAISES],
        "add so many bid steps (of 10, unless the option bid_step says otherwise) to the bid being built",
    ),
    action(CALL, "call", "say the bid that has been built"),
    action(SELL, "sell", "as auctioneer, let the highest bidder have the animal"),
    action(BUY, "buy", "as auctioneer, pay the highest bid oneself"),
    actions(LAY, [f"lay {note}" for note in MONEY], "lay a card of this value, in a payment, an offer or a counter-offer"),
    action(DONE, "done", "no more cards: the payment, offer or counter-offer is complete"),
    action(ACCEPT, "accept", "take the offer for the animal"),
    action(CLOSE, "close", "the table's clock ends a realtime auction"),
)
