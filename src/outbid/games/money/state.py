"""Components, options and state fields of Money! (rules/money.md §1, §2; the seed's Components and Setup).

A card is a number: nine to a currency (three 20, three 30, 40, 50, 60), then the coins. Among equal notes the one with the
lower serial number comes first, so that the numbers are the canonical order of the cards of a bid.
"""

from outbid.core.fields import Field, Layout
from outbid.core.needs import Deal, If, Players, Value
from outbid.core.options import MOST, choice, number, number_or, numbers
from outbid.core.language.i18n import N_

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
PRINTED = (3, 3, 1, 1, 1)  # notes of 20, 30, 40, 50 and 60 of a currency

# Where the stall rule is off (or set very high), the match ends after so many rounds.
ROUND_CAP = 20_000

# when options act (core/needs.py): `s` is a match as it is dealt, `t` the same without the option


def sums(s):
    """What notes of one currency can come to."""
    totals = {0}
    for value, n, printed in zip((20, 30, 40, 50, 60), s.denominations, PRINTED, strict=True):
        totals = {total + value * many for total in totals for many in range(min(n, printed) + 1)}
    return totals


def lasts(s, rounds):
    """Whether a match may have more rounds: of `stall_rounds` in a row one draws a card, and there is a last one."""
    stall = s.stall_rounds or ROUND_CAP
    most = min(ROUND_CAP, stall * (s.size - s.drawn + 1) + 1)
    return rounds < (min(most, s.rounds) if s.rounds else most)


def stalls(s):
    """After how many rounds without a card one last follows."""
    return s.stall_rounds or ROUND_CAP


HANDS = If(N_("everybody is dealt a card"), lambda s, t: s.held[0] > 0)
COINED = If(N_("there are coins"), lambda s, t: s.coin_cards > 0)
SHELVES = If(N_("other cards lie in a display, or a short display ends the match"),
             lambda s, t: s.place != t.place or s.end_trigger != PILE_EMPTY)
THREE_COINS = If(N_("there are three coins of a metal"), lambda s, t: s.coin_cards > 2)
COINS_PAY = If(N_("the coin bonus is more than 0"), lambda s, t: s.coin_bonus > 0)
SHORT = If(N_("the match can have another round"), lambda s, t: lasts(s, 1 if s.end_trigger == NO_EXTRA_ROUND else 2))
STALL = If(N_("the match can have more rounds than that"),
           lambda s, t: max(lasts(u, min(stalls(s), stalls(t)) + 1) for u in (s, t)))
PENALISED = If(N_("there is a deduction"), lambda s, t: s.penalty > 0)
BETWEEN = If(N_("notes of a currency can come to a sum between the two limits"),
             lambda s, t: any(min(s.full_value, t.full_value) <= n < max(s.full_value, t.full_value) for n in sums(s) - {0}))
BELOW = If(N_("notes of a currency can come to a sum that is less than full, and more than the deduction"),
           lambda s, t: any(min(s.penalty, t.penalty) < n < s.full_value for n in sums(s)))
THREES = If(N_("there are three 20s or three 30s of a currency"), lambda s, t: max(s.denominations[:2]) > 2)
LONGER = If(N_("the match can last longer"), lambda s, t: lasts(t, s.rounds))

OPTIONS = (
    choice("coins", N_("Coins"), {"classic": N_("classic"), "silver_gold": N_("silver and gold")},
           N_("six coins of 10, or six silver of 10 and six gold of 20"), needs=(COINED,)),
    choice("coin_triplet_bonus", N_("Bonus for coins"),
           {"off": N_("off"), "per_three": N_("for every three"), "once": N_("once")},
           N_("no bonus for coins of one metal, one for every three, or one for three or more; classic coins are silver"),
           needs=(THREE_COINS, COINS_PAY)),
    choice("end_trigger", N_("End"),
           {"pile_empty": N_("when the pile is empty"), "cannot_fill": N_("when a display stays short"),
            "no_extra_round": N_("without a last round")},
           N_("the next round is the last when the pile is empty or when a display stays short; or there is none"),
           needs=(SHORT,)),
    choice("swap_order", N_("Order after a swap"),
           {"recipient_next": N_("who now has the bid"), "original_order": N_("as revealed")},
           N_("after a bid was swapped: its new owner acts next, or all act in the order of the reveal"),
           needs=(Players(least=3),)),
    number("stall_rounds", N_("End after rounds without a card"), 5, 0, MOST,
           N_("rounds in a row without a drawn card after which one last follows; 0: never"), needs=(STALL,)),
    choice("bid_counts", N_("Number of cards in a bid"), {"hidden": N_("hidden"), "visible_on_commit": N_("open")},
           N_("the number of cards in a sealed bid"), view=True),
    choice("memory_aid", N_("Memory aid"), {"off": N_("off"), "on": N_("on")},
           N_("cards of a hand that have been seen are shown"), view=True),
    number("hand_cards", N_("Cards in hand"), 6, 1, 8, N_("cards dealt to each player"), tunable=True, needs=(Deal(),)),
    number("display_cards", N_("Cards of a display"), 4, 1, 6,
           N_("cards to which a display is dealt and refilled"), tunable=True, needs=(SHELVES,)),
    number("full_value", N_("Full value from"), 200, 0, 300,
           N_("a currency of at least this sum counts in full"), tunable=True, needs=(PENALISED, BETWEEN)),
    number("penalty", N_("Deduction"), 100, 0, 300, N_("what a currency below that sum loses"), tunable=True,
           needs=(BELOW,)),
    number("triplet_bonus", N_("Bonus for three of a kind"), 100, 0, 500,
           N_("bonus for three 20s and for three 30s of a currency"), tunable=True, needs=(THREES,)),
    number("coin_bonus", N_("Points of the coin bonus"), 100, 0, 500,
           N_("bonus of the option coin_triplet_bonus"), tunable=True,
           needs=(Value("coin_triplet_bonus", ("per_three", "once")), THREE_COINS)),
    number("least_players", N_("Fewest players"), 3, 2, 3, N_("the fewest players there may be"), tunable=True,
           needs=(Players(most=2),)),
    number_or("currencies", N_("Currencies"), "by_players", 1, 7, {"by_players": N_("by players")},
              N_("the first so many currencies are in play, or all but one for each player short of five"), tunable=True,
           needs=(Deal(),)),
    numbers("denominations", N_("Notes of each value"), PRINTED, 0, 3,
            N_("notes of 20, 30, 40, 50 and 60 in each currency; there are never more than printed"), needs=(Deal(),)),
    number("coin_cards", N_("Coins of each metal"), 6, 0, 6, N_("coins of each metal"), tunable=True),
    number("rounds", N_("Rounds"), 0, 0, 1000,
           N_("the match ends after so many rounds at the latest; 0: it need not"), tunable=True, needs=(LONGER,)),
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
    Field("pile", shape=(CARDS,), low=-1),  # in the order of drawing; −1 once drawn
    Field("held", shape=(SEATS,)),  # cards in hand and bid together
    Field("covered", shape=(SEATS,)),  # cards among them that nobody else has ever seen
    Field("shown", shape=(2,)),  # cards in the right and in the left display
    # bids
    Field("last", shape=(SEATS,), low=-1),  # the last card laid, −1 before the first
    Field("laid", shape=(SEATS,)),  # cards in the bid
    Field("worth", "i2", shape=(SEATS,)),  # their sum while the bid is being laid, until the reveal
    Field("lowest", shape=(SEATS,)),  # their lowest serial number
    Field("sealed"),  # bit mask of seats
    Field("bluffed"),  # bit mask: the bluff card lies with the bid
    Field("pieces", shape=(SEATS,)),  # cards that lay face down, the bluff card among them
    # the exchange
    Field("key", "i4", shape=(SEATS,), low=-1),  # the highest acts next: sum and lowest serial; −1: no bid on the table
    Field("actor", low=-1),
)

LAYOUT = Layout("money", OPTIONS, FIELDS)
