"""Components, options and state fields of Claim (rules/claim.md §3 to §5; the seed's Setup and Upgrades).

Numbers. The numbers of stacks are −2 … 7; in the state they are *places* 0 … 9 (number + 2), and sets of numbers are bit
masks of places. Bills. A *kind* says what a bill shows: places 0 … 9 are plain numbers, then the wild bill, then the
multinumbers. A *code* says which bill it is: the kind, or, for a bill with an icon, ICONS + 8 · (number − 1) + icon.
"""

from outbid.core.fields import Field, Layout
from outbid.core.needs import Deal, If, Players, Value, With
from outbid.core.options import MOST, choice, flag, number, number_or, numbers
from outbid.core.language.i18n import N_

SEATS = 6
NOBODY = -1
HAND = 40  # the largest hand that may be dealt
NO_CAP = 0  # hand_cap: the whole deck is dealt
DUEL_NUMBERS = 3
DUEL_ASIDE = 12

# --- bills ------------------------------------------------------------------------------------------------------------

LOW = 2  # place = number + LOW
PLACES = 10
ZERO = LOW
ONE = LOW + 1
SEVEN = LOW + 7
WILD = 10
MULTI = 11
MULTIS = ((1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (2, 5), (4, 6))
MULTI_COPIES = (2, 1, 1, 1, 1, 1, 1)
KINDS = MULTI + len(MULTIS)
FIRST = tuple(LOW + a for a, _ in MULTIS)  # places of the two numbers
SECOND = tuple(LOW + b for _, b in MULTIS)
SHOWS = tuple(  # kinds that show the number of a place
    1 << p | sum(1 << MULTI + m for m in range(len(MULTIS)) if p in (FIRST[m], SECOND[m])) for p in range(PLACES)
)
NUMBERS = 6  # regular bills are 1 … 6
SEVENTH = NUMBERS + 1  # the numbers that pay for a purchase
ICON_NAMES = ("vault", "fast_track", "u_turn", "dividend", "audit", "refund", "call_in", "merger")
VAULT, FAST_TRACK, U_TURN, DIVIDEND, AUDIT, REFUND, CALL_IN, MERGER = range(8)
ICONS = KINDS  # the first code of a bill with an icon
CODES = ICONS + 8 * NUMBERS
WEIRD_COPIES = 4  # of −2 and of −1
SEVENS = 2
SEVENS_FROM = 4  # players
RESERVE = (0, 0, 1, 1, 2, 2, 8, 8)  # places of the bills beside the deck: −2 −2 −1 −1 0 0 6 6
DRAWN = 2  # bills that Foreign Exchange draws

# nodes: bills that lie on the table or in rows; 0 is no node. All hands, the leftovers and the two bills from the reserve
# fit, and a byte holds the number of a node.
NODES = SEATS * HAND + SEATS - 1 + DRAWN + 1
(CODE,  # which bill it is
 SHOWN,  # the place of the number it counts as
 UNDER,  # the next bill below; of a free node, the next free one
 BESIDE,  # of a top in a row: the top of the stack taken before
) = range(4)  # side by side, because they are used together

# --- products ---------------------------------------------------------------------------------------------------------

PRODUCTS = (
    N_("Penny Pincher"), N_("Collector"), N_("Foreign Exchange"), N_("Counterfeiter"), N_("Small Change"),
    N_("Deep Pockets"), N_("Offshore Account"), N_("Market Research"), N_("Forecast"), N_("Loophole"),
    N_("Insurance"), N_("Express Lane"),
)  # fmt: skip
(PINCHER, COLLECTOR, EXCHANGE, COUNTERFEITER, SMALL_CHANGE, DEEP_POCKETS, OFFSHORE, RESEARCH, FORECAST, LOOPHOLE,
 INSURANCE, EXPRESS) = range(12)
SHELF = 3  # products that lie open
PINCHER_GOAL = 7
PINCHER_PLACES = 1 << ZERO | 1 << ONE | 1 << ONE + 1
SMALL_FULL = 4
DEEP_FULL = 8
COLLECTION = 4  # different numbers; 3 with two or three players

# what may be done once a turn: the claim or what is done instead of it, an offer, a counterfeit bill
CLAIMED, OFFERED, FORGED = 1, 2, 4

# --- phases: what is being decided ------------------------------------------------------------------------------------

(PLAYING, WINDOW, ICON, GIVING, RETURNING, REFUSING, AGAIN, ANSWERING, FORECASTING, OVER) = range(10)

# what has been begun of a move of several steps; what is chosen next
(NOTHING, PRINT_NEXT, AS_NEXT, ON_NEXT, TO_NEXT, LOCK_NEXT, NUMBER_NEXT, HOW_NEXT, DRAWN_NEXT, CALLED_NEXT, DEFERRED_NEXT,
 ONTO_NEXT, PAY_NEXT, SELLER_NEXT, STACK_NEXT, PARTNER_NEXT, GIVE_NEXT, GET_NEXT) = range(18)

# codes of the options' words that the rules ask for
DUEL, STRICT, WILD_TWO = 1, 1, 2  # two_players, push_reading, wild_worth
ANYONE, STAGED = 0, 2  # no_target_rule

# action ids; those of one step only are moves by themselves
PLAY = 0  # + kind
PRINT = 18  # + 0 for a bill without icon, 1 + icon
PLACE = 27  # + place: the number that a step is about
NEW = 37  # a new stack
CLAIM = 38  # + place
PUSH = 48  # + distance clockwise, 0 is oneself
END = 54
SKIP = 55
SEAT = 56  # + distance clockwise
BUY = 62  # + product
PURCHASE = 74
OFFER = 75
USE = 76
CLOSED = 77
FROZEN = 78
WITHDRAW = 79
REDEPOSIT = 80
WRITE_OFF = 81
CALL = 82
DEFER = 83
COIN = 84
FOR = 85
DONE = 86
TAKE = 87
REFUSE = 88
ACCEPT = 89
ACTIONS = 90

BELL = 20  # turns a player, or as many as bills were dealt to each

# when options act (core/needs.py): `s` is a match as it is dealt, `t` the same without the option


def numbered(s):
    """The regular bills, by number: how many, and what each is worth."""
    return [(s.copies[n], n + 1) for n in range(s.numbers)]


def regular(s):
    """Whether stacks are of regular bills of one number, or of zeros, so that one can say what they may come to."""
    return not (s.wild_wagers or s.bad_investment or s.action_fund or s.shopping_spree)


def lingers(s):
    """Whether hands may last longer than one turn for each bill."""
    return s.wild_wagers or s.action_fund or s.shopping_spree


def laid(s):
    """The bills that are dealt to hands, or lie in the centre."""
    return s.held + sum(code != 0 for code in s.centre)


def tallest(s):
    """The most that a stack of one number can come to."""
    return max(min(n, laid(s)) * k for n, k in numbered(s))


def wealth(s):
    """The most that all bills together can be worth."""
    bills = sorted((k for n, k in numbered(s) for _ in range(n)), reverse=True)
    return sum(bills[: laid(s)])


ICONED = If(N_("there are icons on the bills"),
            lambda s, t: any(n and s.icons[k - 1] for n, k in numbered(s)) or s.shopping_spree)  # deals name them
NAUGHTS = If(N_("there are 0-bills, icons that work, or products"),
             lambda s, t: s.zeros or s.action_fund or s.shopping_spree)
TEN_ZEROS = If(N_("there are so many 0-bills"),
               lambda s, t: min(s.zeros, laid(s)) + RESERVE.count(ZERO) * s.shopping_spree >= min(s.zero_goal, t.zero_goal))
FILLED = If(N_("a stack can come to that value"),
            lambda s, t: not regular(s) or tallest(s) >= min(s.full_threshold, t.full_threshold))
RICHES = If(N_("there is so much money in the bills"),
            lambda s, t: not regular(s) or wealth(s) >= min(s.goal, t.goal))
STUCK = If(N_("a law or a product can leave nobody who may take a stack"),
           lambda s, t: s.diversity_a or (s.diversity_b and s.push_reading == STRICT) or s.shopping_spree)
BELLS = If(N_("a hand can last longer than that"),
           lambda s, t: lingers(s) or min(s.most_turns, t.most_turns) < s.size[0] * s.players)

OPTIONS = (
    flag("wild_wagers", N_("Wild Wagers"), False, N_("expansion: wild bills")),
    flag("zero_risk", N_("Zero Risk"), False, N_("expansion: bills of 0, and ten of them as a second way to win"),
           needs=(NAUGHTS,)),
    flag("bad_investment", N_("Bad Investment"), False,
         N_("expansion: bills of −2, −1 and 7, and bills with two numbers")),
    flag("action_fund", N_("Action Fund"), False, N_("expansion: the icons on the bills work"), needs=(ICONED,)),
    flag("shopping_spree", N_("Shopping Spree"), False, N_("expansion: products, purchases and deals")),
    choice("two_players", N_("Two players"), {"printed": N_("as printed"), "duel": N_("duel")},
           N_("two players are dealt numbers 1 and 2, or 1 to 3 with 12 bills set aside"), needs=(Players(most=2),)),
    choice("push_reading", N_("Pushing to oneself"), {"lenient": N_("allowed"), "strict": N_("forbidden")},
           N_("the number just played may be pushed to the player who has played it, or not"),
           needs=(With(("diversity_b",)), FILLED)),
    choice("no_target_rule", N_("Full stack that nobody can take"),
           {"anyone": N_("to anybody"), "stay": N_("stays"), "staged": N_("step by step")},
           N_("a full stack nobody can claim: pushed to anyone, stays, or Diversity is waived step by step"),
           needs=(STUCK, FILLED)),
    number("goal", N_("Goal"), 10, 1, MOST, N_("so much money wins"), needs=(RICHES,)),
    number("zero_goal", N_("Goal in zeros"), 10, 1, MOST, N_("so many 0-bills win"),
           needs=(With(("zero_risk",)), TEN_ZEROS)),
    number("full_threshold", N_("Full from"), 5, 1, MOST, N_("a stack of at least this value is full"), needs=(FILLED,)),
    number("negative_threshold", N_("Full below zero from"), -5, -MOST, -1, N_("a stack of at most this value is full"),
           needs=(With(("bad_investment", "shopping_spree")),)),
    number_or("wild_worth", N_("Worth of a wild bill"), "kept", 2, 2, {"kept": N_("the number it took")},
              N_("what a wild bill is worth in a row: the number it took, or 2"), needs=(With(("wild_wagers",)),)),
    number("slow_down_gap", N_("Slow Down: lead"), 1, 1, 100, N_("how far a count may be ahead of the lowest")),
    flag("diversity_a", N_("Diversity: claims"), True, N_("no stack of a number that one has already")),
    flag("diversity_b", N_("Diversity: own number"), True,
         N_("no voluntary claim of the number one has played this turn")),
    flag("reveal", N_("Reveal"), True, N_("who takes a stack turns his bills of that number face up")),
    number("zeros", N_("Number of zeros"), 18, 0, 100, N_("bills of 0 in Zero Risk"), needs=(With(("zero_risk",)),)),
    number("hand_cap", N_("Most bills in hand"), NO_CAP, NO_CAP, HAND,
           N_("bills a player is dealt at most, the rest is set aside; 0: the whole deck is dealt"), needs=(Deal(),)),
    numbers("copies", N_("Bills of each number"), (14, 12, 10, 8, 6, 4), 0, 20, N_("bills of each number, from 1 to 6"),
           needs=(Deal(),)),
    number("duel_aside", N_("Set aside in the duel"), DUEL_ASIDE, 0, 100, N_("bills set aside unseen in the duel"),
           tunable=True, needs=(Players(most=2), Value("two_players", ("duel",)))),
    number_or("bell", N_("Turns each"), "dealt", 1, HAND,
              {"dealt": N_("as many as bills dealt, at least 20")},
              N_("turns a player, after which the match ends"), tunable=True, needs=(BELLS,)),
    numbers("icons", N_("Icons"), (255, 255, 243, 141, 34, 0), 0, 255,
            N_("which icons the bills of each number carry: the sum of 1 vault, 2 fast track, 4 u-turn, 8 dividend, 16 "
                 "audit, 32 refund, 64 call-in, 128 merger"), needs=(With(("action_fund",)), Deal())),
    numbers("prices", N_("Prices"), (1, 3, 2, 3, 2, 2, 2, 1, 2, 2, 2, 3), 0, 20,
            N_("the price of each product, Penny Pincher first"), needs=(With(("shopping_spree",)),)),
    flag("fixed_start", N_("Fixed start"), False, N_("seat 0 begins, not a seat drawn at random"), tunable=True),
)  # fmt: skip

FIELDS = (
    Field("players"),
    Field("numbers"),  # regular bills are 1 … numbers
    Field("plain"),  # 1 without expansions
    Field("phase"),
    Field("turn"),
    Field("asking", low=-1),
    Field("direction", low=-1),  # 1 or −1
    Field("turns", "i2"),  # complete turns so far
    Field("most_turns", "i2"),  # the bell rings after so many
    Field("aside", "i2"),  # bills set aside unseen
    Field("gone", "i2"),  # bills out of the game
    # the leftovers in the order laid: 1 + code, below zero if it left the game, or 0
    Field("centre", shape=(SEATS - 1,), low=-(2**7)),
    Field("won"),  # who has reached a goal
    # hands. Of others' hands a seat knows what is open, and all of those it has looked into
    Field("hands", shape=(SEATS, KINDS)),
    Field("icons_held", "u1", (SEATS, NUMBERS)),  # bit masks of icons
    Field("open", shape=(SEATS, KINDS)),  # known to all: face up, or received before all eyes
    Field("icons_open", "u1", (SEATS, NUMBERS)),
    Field("size", "i2", (SEATS,)),
    Field("held", "i2"),  # bills in all hands
    Field("seen_by", shape=(SEATS,)),  # who has looked into this hand
    Field("lacks", "i4", (SEATS,)),  # kinds that everybody knows not to be among the covered bills of this hand
    Field("unseen", shape=(KINDS,)),  # bills of the deck that not everybody has seen
    Field("icons_unseen", "u1", (NUMBERS,)),
    # stacks on the table, by place
    Field("stacks", "i2"),  # mask of those that are there; the following are masks of places too
    Field("full", "i2"),
    Field("touched", "i2"),  # grown, and not yet checked
    Field("played", "i2"),  # numbers of Diversity b
    Field("closed", "i2"),
    Field("frozen", "i2"),
    Field("top", "u1", (PLACES,)),  # node
    Field("value", "i2", (PLACES,), low=-(2**15)),
    Field("coins_on", "i2", (PLACES,)),
    Field("used", "u1"),  # nodes ever used
    Field("free", "u1"),
    # rows
    Field("row", "u1", (SEATS,)),  # the top of the stack taken last
    Field("count", "i2", (SEATS,)),
    Field("owns", "i2", (SEATS,)),  # mask of places
    Field("owners", shape=(PLACES,)),  # the same by place: mask of seats
    Field("may"),  # seats that Slow Down lets take a stack
    Field("money", "i2", (SEATS,), low=-(2**15)),
    Field("zero_bills", shape=(SEATS,)),
    Field("coins", "i2", (SEATS,)),
    # the turn
    Field("done"),  # mask of CLAIMED, OFFERED, FORGED
    Field("plays"),  # bills played this turn
    Field("stretched", low=-1),  # who takes this turn because he gave it to himself, or nobody
    Field("next", low=-1),  # who takes the next turn, if somebody chose
    Field("chooser", low=-1),  # who chose
    Field("lock", shape=(SEATS,)),  # 1 + place, + PLACES if frozen; 0: none
    # an icon
    Field("icon", low=-1),
    Field("icon_place", low=-1),  # where it works from: the stack it was played on, or nobody
    Field("after_play"),  # 1 while the turn goes on with the check of what was played
    Field("icons_used", "u1", (NUMBERS,)),
    Field("whom", low=-1),  # whose hand is audited, who may refuse a push, who answers an offer
    Field("number", low=-1),  # the number asked for, a place
    # a push that may be refused
    Field("pushed", low=-1),
    Field("actor", low=-1),  # who pushes, audits, or offers
    # shopping
    Field("owned", "i2", (SEATS,)),  # mask of products
    Field("products", shape=(len(PRODUCTS),)),  # the open ones, then the covered ones
    Field("in_store"),  # products not yet bought
    Field("reserve", shape=(len(RESERVE),)),
    Field("given", shape=(SEATS, SEVENTH)),  # bills without icon that pay for no purchase, by number from 1 …
    Field("icons_given", "u1", (NUMBERS,)),  # … and those with an icon
    Field("forecast", low=-1),  # a place
    # a move half built, or the offer that is being answered
    Field("step"),
    Field("bill", low=-1),
    Field("upright", low=-1),
    Field("chosen", low=-1),  # a place
    Field("other", low=-1),  # a seat
    Field("last", low=-1),  # the last thing named; only later ones may follow
    Field("named", shape=(2, KINDS)),  # bills: given, wanted
    Field("icons_named", "u1", (2, NUMBERS)),
    Field("stacks_named", "i2", (2,)),
    Field("coins_named", "i2", (2,)),
    Field("nodes", "u1", (4 * NODES,)),  # CODE, SHOWN, UNDER, BESIDE + 4 · node
)

LAYOUT = Layout("claim", OPTIONS, FIELDS)
