"""Components, options and state fields of Money! (rules/money.md §1, §2; the seed's Components and Setup).

A card is a number: nine to a currency (three 20, three 30, 40, 50, 60), then the coins. Among equal notes the one with the
lower serial number comes first, so that the numbers are the canonical order of the cards of a bid.
"""

from outbid.engine.fields import Field, Layout
from outbid.engine.options import MOST, choice, number, number_or, numbers
from outbid.engine.tongue import mark

SEATS = 5
CURRENCIES = ("USD", "GBP", "EUR", "JPY", "CHF", "SEK", "RUB")
NOTES = 9  # of each currency
COINS = 63  # the first coin
GOLD = 69  # the first gold coin; silver and gold only
CARDS = 75
METAL = 6  # coins of one metal

# The published serial numbers (E1), ascending among equal notes: 1 to 69, and 1 to 75 with silver and gold.
CLASSIC = (
    3, 28, 43, 20, 22, 69, 59, 5, 30,
    8, 61, 62, 13, 40, 64, 11, 45, 39,
    4, 41, 58, 1, 12, 56, 42, 57, 38,
    6, 51, 55, 19, 33, 44, 7, 65, 2,
    21, 27, 31, 25, 34, 66, 14, 24, 67,
    26, 52, 60, 9, 23, 49, 68, 17, 46,
    15, 53, 63, 10, 32, 47, 35, 54, 29,
    16, 18, 36, 37, 48, 50,
    0, 0, 0, 0, 0, 0,
)  # fmt: skip
SILVER_GOLD = (
    21, 23, 51, 1, 60, 67, 44, 61, 41,
    8, 10, 13, 14, 35, 54, 53, 46, 71,
    9, 42, 55, 5, 59, 64, 40, 22, 15,
    4, 47, 62, 20, 58, 63, 33, 43, 37,
    34, 50, 73, 27, 29, 30, 48, 19, 56,
    6, 18, 75, 24, 38, 74, 52, 49, 32,
    17, 28, 72, 16, 57, 68, 11, 25, 36,
    2, 3, 26, 45, 65, 70,
    7, 12, 31, 39, 66, 69,
)  # fmt: skip

# phases: what is being decided
BID, EXCHANGE, OVER = range(3)

# places of a card: 0 … 4 the hand of a seat, then
TABLE = 5  # + seat: in its bid, face down until the reveal
RIGHT = 10
LEFT = 11
PILE = 12
GONE = 13  # of a removed currency, or not in this edition
UNKNOWN = 14  # in a hidden state: in a hand or in the pile
PLACES = 15

# codes of the options' words
CLASSIC_COINS, SILVER_AND_GOLD = range(2)
OFF, PER_THREE, ONCE = range(3)
PILE_EMPTY, CANNOT_FILL, NO_EXTRA_ROUND = range(3)
RECIPIENT_NEXT, ORIGINAL_ORDER = range(2)
HIDDEN, ON_COMMIT = range(2)
BY_PLAYERS = len(CURRENCIES) + 1  # currencies; otherwise so many are in play

# action ids: one step of a move. The cards of a bid are laid in ascending order, then the bid is sealed with one of two
# steps; BLUFF without any card is staying out.
SEAL = 75  # the laid cards alone
BLUFF = 76  # with the bluff card
TAKE_RIGHT = 77
TAKE_LEFT = 78
SWAP = 79  # + distance clockwise − 1
KEEP = 83
ACTIONS = 84

NOBODY = -1

# Where the stall rule is off (or set very high), the match ends after so many rounds.
ROUND_CAP = 20_000

OPTIONS = (
    choice("coins", mark("Coins"), {"classic": mark("classic"), "silver_gold": mark("silver and gold")},
           mark("six coins of 10, or six silver of 10 and six gold of 20")),
    choice("coin_triplet_bonus", mark("Bonus for coins"),
           {"off": mark("off"), "per_three": mark("for every three"), "once": mark("once")},
           mark("no bonus for coins of one metal, one for every three, or one for three or more; classic coins are silver")),
    choice("end_trigger", mark("End"),
           {"pile_empty": mark("when the pile is empty"), "cannot_fill": mark("when a display stays short"),
            "no_extra_round": mark("without a last round")},
           mark("the next round is the last when the pile is empty or when a display stays short; or there is none")),
    choice("swap_order", mark("Order after a swap"),
           {"recipient_next": mark("who now has the bid"), "original_order": mark("as revealed")},
           mark("after a bid was swapped: its new owner acts next, or all act in the order of the reveal")),
    number("stall_rounds", mark("End after rounds without a card"), 5, 0, MOST,
           mark("rounds in a row without a drawn card after which one last follows; 0: never")),
    choice("bid_counts", mark("Number of cards in a bid"), {"hidden": mark("hidden"), "visible_on_commit": mark("open")},
           mark("the number of cards in a sealed bid"), view=True),
    choice("memory_aid", mark("Memory aid"), {"off": mark("off"), "on": mark("on")},
           mark("cards of a hand that have been seen are shown"), view=True),
    number("hand_cards", mark("Cards in hand"), 6, 1, 8, mark("cards dealt to each player"), knob=True),
    number("display_cards", mark("Cards of a display"), 4, 1, 6,
           mark("cards to which a display is dealt and refilled"), knob=True),
    number("full_value", mark("Full value from"), 200, 0, 300,
           mark("a currency of at least this sum counts in full"), knob=True),
    number("penalty", mark("Deduction"), 100, 0, 300, mark("what a currency below that sum loses"), knob=True),
    number("triplet_bonus", mark("Bonus for three of a kind"), 100, 0, 500,
           mark("bonus for three 20s and for three 30s of a currency"), knob=True),
    number("coin_bonus", mark("Points of the coin bonus"), 100, 0, 500,
           mark("bonus of the option coin_triplet_bonus"), knob=True),
    number("least_players", mark("Fewest players"), 3, 2, 3, mark("the fewest players there may be"), knob=True),
    number_or("currencies", mark("Currencies"), "by_players", 1, 7, {"by_players": mark("by players")},
              mark("the first so many currencies are in play, or all but one for each player short of five"), knob=True),
    numbers("denominations", mark("Notes of each value"), (3, 3, 1, 1, 1), 0, 3,
            mark("notes of 20, 30, 40, 50 and 60 in each currency; there are never more than printed")),
    number("coin_cards", mark("Coins of each metal"), 6, 0, 6, mark("coins of each metal"), knob=True),
    number("rounds", mark("Rounds"), 0, 0, 1000,
           mark("the match ends after so many rounds at the latest; 0: it need not"), knob=True),
)  # fmt: skip

FIELDS = (
    Field("players"),
    Field("phase"),
    Field("round", "i2"),  # from 1
    Field("final"),  # 1: this round is the last
    Field("stall", "i2"),  # rounds in a row in which no card was drawn (E13)
    # cards
    Field("removed", "u1"),  # bit mask of currencies (E24)
    Field("serial", shape=(CARDS,)),  # 0: not in this match
    Field("place", shape=(CARDS,)),
    Field("seen", shape=(CARDS,)),  # 1: has lain face up, so that everybody knows where it is ever after
    Field("size"),  # cards in the match
    Field("drawn"),
    Field("pile", shape=(CARDS,)),  # in the order of drawing; −1 once drawn
    Field("held", shape=(SEATS,)),  # cards in hand and bid together
    Field("covered", shape=(SEATS,)),  # cards among them that nobody else has ever seen
    Field("shown", shape=(2,)),  # cards in the right and in the left display
    # bids
    Field("last", shape=(SEATS,)),  # the last card laid, −1 before the first
    Field("laid", shape=(SEATS,)),  # cards in the bid
    Field("worth", "i2", shape=(SEATS,)),  # their sum while the bid is being laid, until the reveal
    Field("lowest", shape=(SEATS,)),  # their lowest serial number
    Field("sealed"),  # bit mask of seats
    Field("bluffed"),  # bit mask: the bluff card lies with the bid
    Field("pieces", shape=(SEATS,)),  # cards that lay face down, the bluff card among them
    # the exchange
    Field("key", "i4", shape=(SEATS,)),  # the highest acts next: sum and lowest serial; −1: no bid on the table
    Field("actor"),
)

LAYOUT = Layout("money", OPTIONS, FIELDS)
