"""What a learner is given and may do in Claim: the features that `observe` writes (hidden.py), and the action ids."""

from outbid.core.derived.spaces import Actions, Observation, action, actions, amount, amounts, flag, flags, one_hot
from outbid.games.claim.state import (
    ACCEPT, ACTIONS, BELL, BUY, CALL, CLAIM, CLOSED, CODES, COIN, DEFER, DONE, END, FOR, FROZEN, ICON_NAMES, LOW,
    MULTIS, NEW, NUMBERS, OFFER, PLACE, PLACES, PLAY, PRINT, PRODUCTS, PURCHASE, PUSH, REDEPOSIT, REFUSE, SEAT, SEATS,
    SKIP, TAKE, USE, WITHDRAW, WRITE_OFF,
)  # fmt: skip

PHASES = ("play", "window", "icon", "give", "give_back", "insured", "push_again", "answer", "forecast", "over")
NUMBER_NAMES = tuple(str(place - LOW) for place in range(PLACES))
KIND_NAMES = (*NUMBER_NAMES, "w", *(f"{low}/{high}" for low, high in MULTIS))  # as records write bills
ICONED = tuple(f"{v + 1}:{icon}" for v in range(NUMBERS) for icon in ICON_NAMES)
ASIDE_BILLS, HELD_BILLS, VALUE, CHOSEN, NAMED, TAKEN, COINS, SAME, DONE_ALL = 50, 78, 10, 12, 10, 5, 5, 5, 7  # units
BILLS = 13
GOAL = 100  # higher goals and thresholds are not told apart
STEPS = 17
ALL_NUMBERS = 1 << PLACES
TURNS = BELL * SEATS
LOCKS = 2 * PLACES

OBSERVATION = Observation(
    SEATS,
    shared=(
        one_hot("phase", PHASES, "what is being decided"),
        flags("stacks", NUMBER_NAMES, "the stacks on the table, by number"),
        amounts("values", NUMBER_NAMES, "what each stack is worth", VALUE, 25, -5),
        flags("full", NUMBER_NAMES, "which stacks are full"),
        flags("played", NUMBER_NAMES, "the numbers played in this turn"),
        flags("closed", NUMBER_NAMES, "stacks that nobody can take"),
        flags("frozen", NUMBER_NAMES, "stacks to which nothing may be added"),
        amounts("coins_on", NUMBER_NAMES, "coins on each stack", 1, 10),
        one_hot("icon", ICON_NAMES, "the icon at work"),
        flags("number", NUMBER_NAMES, "the number asked for, forecast, or pushed"),
        flags("shelf", PRODUCTS, "the products that lie open"),
        amount("step", "what is chosen next in a move half built, as a code", STEPS),
        amount("bill", "its bill, as a code from 1", CODES),
        amount("upright", "its number, from 1 for -2", PLACES),
        amount("chosen", "its stack, from 1 for -2", CHOSEN),
        amount("other", "its seat, from 1", SEATS),
        flag("after_play", "the turn goes on with the check of what was played"),
        amount("done", "what was done in this turn: the sum of 1 a claim, 2 an offer, 4 a counterfeit", DONE_ALL),
        amount("plays", "bills played in this turn", 1, 4),
        amounts("named", ("given", "wanted"), "bills named in an offer", NAMED, 18),
        flags("icons", ICONED, "the own bills with icons"),
        amount("players", "players of the match", SEATS),
        amount("goal", "so much money wins; 100 stands for more, too", 10, 10),
        amount("zero_goal", "so many bills of 0 win; 100 stands for more, too", 10, 10),
        amount("full_from", "a stack of this value is full; 100 stands for more, too", 10, 10),
        amount("turns", "turns so far", TURNS, 1.5),
        amount("direction", "1: clockwise, -1: the other way", low=-1),
        amount("aside", "bills set aside", ASIDE_BILLS, 6),
        amount("held", "bills in all hands", HELD_BILLS, 2.5),
        amount("in_game", "the numbers that bills can show: the sum of 1 for -2, 2 for -1, 4 for 0 and so on", ALL_NUMBERS),
        flag("strict", "the number just played may not be pushed to who has played it"),
        amount("no_target", "a full stack nobody can claim: 0 to anyone, 1 stays, 2 step by step", 2),
        flag("answering", "an offer is being answered"),
    ),
    each=(
        amount("stacks", "stacks taken", TAKEN, 36),
        amount("money", "money", VALUE, 30, -5),
        amount("bills", "bills in the hand", BILLS, 14),
        amount("zeros", "bills of 0 taken", VALUE, 11),
        amount("coins", "coins", COINS, 20),
        flag("may", "may take a stack (Slow Down)"),
        flag("asked", "is asked"),
        flag("turn", "has the turn"),
        amount("lock", "the stack locked: from 1 for -2, 10 more if frozen", LOCKS),
        flag("next", "was chosen to take the next turn"),
        flag("whom", "is audited, may refuse a push, or answers an offer"),
        flag("known", "its hand is known"),
        flags("owns", NUMBER_NAMES, "numbers of the stacks taken"),
        flags("products", PRODUCTS, "products owned"),
        amounts("hand", KIND_NAMES, "bills in the hand, as far as one knows them", SAME, 21),
    ),
)

FEATURES = OBSERVATION.size
SHARED = OBSERVATION.shared
EACH = OBSERVATION.each
# where the parts begin, in the order above
(AT_PHASE, AT_STACKS, AT_VALUES, AT_FULL, AT_PLAYED, AT_CLOSED, AT_FROZEN, AT_COINS_ON, AT_ICON, AT_NUMBER, AT_SHELF,
 AT_STEP, AT_BILL, AT_UPRIGHT, AT_CHOSEN, AT_OTHER, AT_AFTER_PLAY, AT_DONE, AT_PLAYS, AT_NAMED, AT_ICONS, AT_PLAYERS,
 AT_GOAL, AT_ZERO_GOAL, AT_FULL_FROM, AT_TURNS, AT_DIRECTION, AT_ASIDE, AT_HELD, AT_IN_GAME, AT_STRICT, AT_NO_TARGET,
 AT_ANSWERING) = OBSERVATION.places
(OF_STACKS, OF_MONEY, OF_BILLS, OF_ZEROS, OF_COINS, OF_MAY, OF_ASKED, OF_TURN, OF_LOCK, OF_NEXT, OF_WHOM, OF_KNOWN, OF_OWNS,
 OF_PRODUCTS, OF_HAND) = OBSERVATION.places_of_seat

TABLE = Actions(
    ACTIONS,
    actions(PLAY, [f"play {kind}" for kind in KIND_NAMES], "play this bill, or name it where a move asks for one"),
    actions(PRINT, ["print none", *(f"print {icon}" for icon in ICON_NAMES)], "which of the bills of a number: by its icon"),
    actions(PLACE, [f"number {number}" for number in NUMBER_NAMES], "the number that a step is about"),
    action(NEW, "new", "put the bill down as a new stack"),
    actions(CLAIM, [f"claim {number}" for number in NUMBER_NAMES], "claim the stack of this number"),
    actions(
        PUSH,
        ["push self", *(f"push +{far}" for far in range(1, SEATS))],
        "push the full stack, of several the lowest unless another was named, to oneself or so many places clockwise",
    ),
    action(END, "end", "end the turn"),
    action(SKIP, "skip", "do without what one may do"),
    actions(SEAT, ["seat self", *(f"seat +{far}" for far in range(1, SEATS))], "the player that a step is about"),
    actions(BUY, [f"buy {product}" for product in PRODUCTS], "buy this product"),
    action(PURCHASE, "purchase", "begin to purchase a stack of another player"),
    action(OFFER, "offer", "begin an offer to another player"),
    action(USE, "use", "use the icon"),
    action(CLOSED, "closed", "lock a stack so that nobody can take it"),
    action(FROZEN, "frozen", "lock a stack so that nothing may be added"),
    action(WITHDRAW, "withdraw", "Refund: take a bill of one's stack to the hand"),
    action(REDEPOSIT, "redeposit", "Refund: the stack goes back to the table"),
    action(WRITE_OFF, "write off", "Refund: the stack goes out of the game"),
    action(CALL, "call", "Call-in: a stack that is not full is pushed"),
    action(DEFER, "defer", "Call-in: a full stack is spared until it grows"),
    action(COIN, "coin", "name a coin, in an offer or a payment"),
    action(FOR, "for", "the offer's first side is complete; what is wanted follows"),
    action(DONE, "done", "the move is complete"),
    action(TAKE, "take", "take the stack pushed"),
    action(REFUSE, "refuse", "refuse the push, or the offer"),
    action(ACCEPT, "accept", "accept the offer"),
)
