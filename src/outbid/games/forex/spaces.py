"""What a learner is given and may do in For-Ex: the features that `observe` writes (hidden.py), and the action ids."""

from outbid.core.derived.spaces import Actions, Observation, action, actions, amount, amounts, flag, flags, one_hot
from outbid.games.forex.state import (
    ACTIONS, AGREE, BUCK, CONTRACT, COUNT, CURRENCIES, CURRENCY, DIVEST, DIVIDENDS, DONE, INVEST, KINDS, REFUSE,
    RESOLVE, SEATS, SETS, SPOT, TOP,
)  # fmt: skip

PHASES = ("turn", "reply", "divest", "strengthen", "strongest", "over")
STEPS = ("start", "receive", "size", "also", "number", "give", "get")  # what has to be said next
CERTIFICATES, HAND, PAID, WORTH = 8, 4, 3, 100  # units
MONEY = 10 * BUCK  # half-bucks that make 1
OFFERS = 6  # more are not told apart
MOST = 300  # tens of bucks: nobody comes near so much
ITEMS = tuple(f"item{place}" for place in range(1, SETS + 2))

OBSERVATION = Observation(
    SEATS,
    shared=(
        one_hot("phase", PHASES, "what is being decided"),
        one_hot(
            "step",
            STEPS,
            "what has to be said next in a move of several steps; size: of a spot offer, the currency it is 1 buck of",
        ),
        amounts(
            "rates",
            [f"{one}/{two}" for n, one in enumerate(CURRENCIES) for two in CURRENCIES[n + 1 :]],
            "the space of each pair, positive where the first currency is the stronger",
            TOP,
            low=-1,
        ),
        amounts("strength", CURRENCIES, "pairs in which the currency is the stronger", KINDS - 1),
        amounts("held", CURRENCIES, "certificates in all hands", CERTIFICATES),
        amounts("stock", CURRENCIES, "certificates in the stock", CERTIFICATES),
        amount("dividends", "dividend cards spent", DIVIDENDS),
        amount("pays", "bucks a certificate that the next dividend card pays", PAID),
        amount("offers", "spot offers refused in this turn; 6 stands for more, too", 3, 2),
        flag("spotted", "a spot transaction has been made in this turn"),
        amount("players", "players of the match", SEATS),
        one_hot("give", CURRENCIES, "the currency paid, given, bought or sold, of a move or offer"),
        one_hot("get", CURRENCIES, "the currency received"),
        flags(
            "tied",
            CURRENCIES,
            "the currencies among which somebody has to choose; of a spot offer, the weaker one, if it is 1 buck of that",
        ),
        *(
            part
            for item in ITEMS
            for part in (
                one_hot(f"{item} kind", ("contract", "loan", "dividends"), "what stands at this place of the queue, from 1"),
                one_hot(f"{item} owner", [f"seat {far}" for far in range(SEATS)], "whose it is, in relative order"),
                amounts(
                    f"{item} brings",
                    CURRENCIES,
                    "the half-bucks it would bring its owner, or cost him",
                    MONEY,
                    MOST,
                    -MOST,
                ),
            )
        ),
    ),
    each=(
        amounts("money", CURRENCIES, "half-bucks of each currency", MONEY, MOST),
        amounts("certificates", CURRENCIES, "certificates", HAND),
        amounts("debts", CURRENCIES, "half-bucks that the loan owes", MONEY, MOST),
        amount("worth", "bucks of the strongest currency that all the money comes to", WORTH, 20 * MOST),
        amount("bound", "sets of contract cards held by the loan", SETS),
        flags("roles", ("asked", "to move", "partner", "bankrupt"), "the part in what is going on"),
    ),
)

FEATURES = OBSERVATION.size
SHARED = OBSERVATION.shared
EACH = OBSERVATION.each
# where the parts begin, in the order above
(AT_PHASE, AT_STEP, AT_RATES, AT_STRENGTH, AT_HELD, AT_STOCK, AT_DIVIDENDS, AT_PAYS, AT_OFFERS, AT_SPOTTED, AT_PLAYERS,
 AT_GIVE, AT_GET, AT_TIED, AT_QUEUE, *_) = OBSERVATION.places
ITEM = OBSERVATION.at("item2 kind") - AT_QUEUE
ITEM_OWNER = OBSERVATION.at("item1 owner") - AT_QUEUE
ITEM_BRINGS = OBSERVATION.at("item1 brings") - AT_QUEUE
OF_MONEY, OF_CERTIFICATES, OF_DEBTS, OF_WORTH, OF_BOUND, OF_ROLES = OBSERVATION.places_of_seat

TABLE = Actions(
    ACTIONS,
    action(RESOLVE, "resolve", "resolve the first item of the queue"),
    actions(CONTRACT, [f"contract {name}" for name in CURRENCIES], "begin a contract that pays this currency"),
    actions(INVEST, [f"invest {name}" for name in CURRENCIES], "buy a certificate of this currency, and perhaps one more"),
    actions(DIVEST, [f"divest {name}" for name in CURRENCIES], "sell certificates of this currency; how many comes next"),
    actions(SPOT, [f"spot +{far}" for far in range(1, SEATS)], "begin a spot offer to the seat so many places clockwise"),
    actions(CURRENCY, CURRENCIES, "the currency that the move asks for next"),
    action(DONE, "done", "no second certificate"),
    action(AGREE, "agree", "accept the spot offer"),
    action(REFUSE, "refuse", "refuse the spot offer"),
    actions(COUNT, [str(n) for n in range(ACTIONS - COUNT)], "the number asked for next: bucks or certificates"),
)
