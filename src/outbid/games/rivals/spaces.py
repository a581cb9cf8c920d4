"""What a learner is given and may do in Rivals: the features that `observe` writes (hidden.py), and the action ids."""

from outbid.core.derived.spaces import Actions, Observation, action, actions, amount, amounts, flag, flags, one_hot
from outbid.games.rivals.state import ACTIONS, CARD, COLOURS, DONE, KINDS, MOST_COINS, OFFER, PASS, RANKS, SEATS, UNCOVER

CARD_NAMES = tuple(f"{colour}{rank + 1 if rank else 'x'}" for colour in COLOURS for rank in range(RANKS))
GOLD = 36
FEET, SHAKES, NUMBERS = 18, 4, 9  # units of an expedition
UNDRAWN, LYING, PILES, TAKEN, SHOWN, HIDDEN, POINTS = 80, 20, 4, 5, 2, 3, 100  # units
PHASES = ("turn", "bid", "take", "remove", "over")

OBSERVATION = Observation(
    SEATS,
    shared=(
        one_hot("phase", PHASES, "what is being decided"),
        amount("deck", "undrawn cards", UNDRAWN),
        amount("pile", "undrawn cards of the current pile", LYING, 4),
        amount("divisions", "divisions of the supply still to come", PILES, 2.25),
        amount("supply", "gold in the supply", GOLD),
        amount("bid", "the standing bid", GOLD),
        amount("lying", "cards on display", LYING, 4),
        amount("taken", "cards of a take half built", TAKEN, 16),
        amount("next", "the first kind of card that may follow in such a take, from 1; 0 outside a take", KINDS + 1),
        amount("players", "players of the match", SEATS),
        amounts("display", CARD_NAMES, "cards on display; x is a wager", SHOWN, 1.5),
        amounts("undrawn", CARD_NAMES, "cards not turned up yet", HIDDEN),
    ),
    each=(
        amount("gold", "gold", GOLD),
        amount("score", "points so far", POINTS, 5),
        flags("roles", ("to move", "leader", "asked", "passed"), "to move or opener, leader or winner, asked, passed"),
        *(
            part
            for colour in COLOURS
            for part in (
                amount(f"{colour} footprints", "footprints of the expedition of this colour", FEET),
                amount(f"{colour} handshakes", "handshakes of it", SHAKES, 1.25),
                amount(f"{colour} numbers", "number cards of it", NUMBERS, 1.5),
                amount(f"{colour} highest", "its highest number, less one", NUMBERS),
                flag(f"{colour} begun", "it has a card"),
            )
        ),
    ),
)

FEATURES = OBSERVATION.size
SHARED = OBSERVATION.shared
EACH = OBSERVATION.each
# where the parts begin, in the order above
(AT_PHASE, AT_DECK, AT_PILE, AT_DIVISIONS, AT_SUPPLY, AT_BID, AT_LYING, AT_TAKEN, AT_NEXT, AT_PLAYERS, AT_DISPLAY,
 AT_UNDRAWN) = OBSERVATION.places
OF_GOLD, OF_SCORE, OF_ROLES, OF_EXPEDITIONS, *_ = OBSERVATION.places_of_seat
EXPEDITION = OBSERVATION.of(f"{COLOURS[1]} footprints") - OF_EXPEDITIONS

TABLE = Actions(
    ACTIONS,
    action(UNCOVER, "uncover", "turn up the top card"),
    action(PASS, "pass", "leave the auction"),
    action(DONE, "done", "no more cards: the take is complete, or nothing is removed"),
    actions(CARD, [f"card {name}" for name in CARD_NAMES], "take this card from the display, or remove it; x is a wager"),
    actions(OFFER + 1, [f"bid {n}" for n in range(1, MOST_COINS + 1)], "bid so much gold, or open an auction with it"),
)
