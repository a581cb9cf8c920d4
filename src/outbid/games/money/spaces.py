"""What a learner is given and may do in Money!: the features that `observe` writes (hidden.py), and the action ids."""

from outbid.core.derived.spaces import Actions, Observation, action, actions, amount, amounts, flag, flags, one_hot
from outbid.games.money.state import (
    ACTIONS, BLUFF, CURRENCIES, KEEP, METAL, SEAL, SEATS, SWAP, TAKE_LEFT, TAKE_RIGHT,
)  # fmt: skip

PHASES = ("bid", "exchange", "over")
VALUES = (20, 30, 40, 50, 60)
CARD_NAMES = tuple(
    f"{currency} {note}"
    for currency in CURRENCIES
    for note in ("20a", "20b", "20c", "30a", "30b", "30c", "40", "50", "60")
) + tuple(f"{metal} {letter}" for metal in ("coin", "gold") for letter in "abcdef"[:METAL])  # fmt: skip
KIND_NAMES = (*(f"{currency} {value}" for currency in CURRENCIES for value in VALUES), "coin", "gold")
KINDS = len(KIND_NAMES)
FACES = len(VALUES)
ROUNDS = 40  # more are not told apart
STALLS = 10
UNDRAWN, SAME, HELD, NEW, LAID, RANK = 40, 4, 20, 8, 6, 25600  # units

OBSERVATION = Observation(
    SEATS,
    shared=(
        one_hot("phase", PHASES[:2], "what is being decided; none when the match is over"),
        amount("round", "the round, from 1; 40 stands for more, too", 10, 4),
        flag("final", "this round is the last"),
        amount("pile", "undrawn cards", UNDRAWN, 2),
        amount("stall", "rounds in a row without a drawn card; 10 stands for more, too", 5, 2),
        flags("hand", CARD_NAMES, "the own cards in the hand; a, b, c: from the lowest serial number to the highest"),
        flags("bid", CARD_NAMES, "the own cards in the bid"),
        amounts("right", KIND_NAMES, "cards in the right display", SAME, 1.5),
        amounts("left", KIND_NAMES, "cards in the left display", SAME, 1.5),
    ),
    each=(
        amounts("known", KIND_NAMES, "cards certainly in the hand (the own: all)", SAME, 1.5),
        amounts("table", KIND_NAMES, "cards of the open bid (the own: also before it is opened)", SAME, 1.5),
        amount("held", "cards in hand and bid", HELD, 4),
        amount("unknown", "cards among them that nobody has seen yet", NEW),
        flag("sealed", "has sealed a bid in this round"),
        amount("pieces", "cards laid, the bluff card among them; 0 if that is hidden", LAID, 13),
        flag("bluff", "the bluff card lies with the bid"),
        flag("open", "has a bid on the table and acts later"),
        flag("acts", "acts now"),
        amount("rank", "what decides who acts first: 128 times the bid's sum, less its lowest serial number", RANK, 11),
    ),
)

FEATURES = OBSERVATION.size
SHARED = OBSERVATION.shared
EACH = OBSERVATION.each
# where the parts begin, in the order above; the left display follows the right one, and the table the known cards
AT_PHASE, AT_ROUND, AT_FINAL, AT_PILE, AT_STALL, AT_HAND, AT_BID, AT_RIGHT, _ = OBSERVATION.places
(OF_KNOWN, _, OF_HELD, OF_UNKNOWN, OF_SEALED, OF_PIECES, OF_BLUFF, OF_OPEN, OF_ACTS,
 OF_RANK) = OBSERVATION.places_of_seat

TABLE = Actions(
    ACTIONS,
    actions(0, [f"lay {name}" for name in CARD_NAMES], "lay this card, face down, in the bid"),
    action(SEAL, "seal", "the bid is complete: the laid cards alone"),
    action(BLUFF, "seal with bluff", "the bid is complete: with the bluff card; without any other, staying out"),
    action(TAKE_RIGHT, "take right", "exchange the bid for the right display"),
    action(TAKE_LEFT, "take left", "exchange the bid for the left display"),
    actions(SWAP, [f"swap +{far}" for far in range(1, SEATS)], "exchange the bid for that of the seat so far clockwise"),
    action(KEEP, "keep", "take the bid back"),
)
