"""Components, options and state fields of Kuhhandel (rules/kuhhandel.md §1, §2; the seed's Components and Setup)."""

from outbid.core.fields import Field, Layout
from outbid.core.needs import If, Players
from outbid.core.options import MOST, choice, flag, members, number, numbers
from outbid.core.language.i18n import N_

SEATS = 5
ANIMALS = ("chicken", "goose", "cat", "dog", "lamb", "goat", "donkey", "pig", "cow", "horse")
KINDS = len(ANIMALS)
DONKEY = ANIMALS.index("donkey")
MONEY = (0, 10, 50, 100, 200, 500)
NOTES = len(MONEY)
DECK = 40

# phases: what is being decided
TURN, BID, HAMMER, PAY, OFFER, REPLY, OVER = range(7)

# codes of the options' words
ROTATION, DROPOUT, REALTIME = range(3)
ALLOWED, CAPPED, FORBIDDEN = range(3)
IRREDUNDANT, MIN_OVERPAY, FREE = range(3)
EXCHANGED, RETURNED = range(2)
SHARED, BY_MONEY = range(2)
PUBLIC, HIDDEN = range(2)
PARTIES, EVERYBODY = range(2)

# action ids: one step of a move. A bid is said as raises over the standing bid, largest first, then CALL; cards are laid
# one by one, most valuable first, then DONE (a payment is done by itself where the rules leave nothing to add).
AUCTION = 0
TRADE = 1  # + 10 · (distance clockwise − 1) + animal
PASS = 41
RAISE = 42  # + index in RAISES
CALL = 46
SELL = 47
BUY = 48
LAY = 49  # + index in MONEY
DONE = 55
ACCEPT = 56
CLOSE = 57
ACTIONS = 58
RAISES = (1, 5, 10, 50)  # in bid steps
TIMES = (4, 1, 4, 127)  # how often each may follow itself, so that every amount has one way to be said

CLOCK = 7  # the bit of `asked` for the table's clock, which closes a realtime auction
NOBODY = -1
ANY = NOTES  # `last` before the first card is laid

# Where options take away the game's own stop (trade_stall 0 or very high, reauction_excludes false), the match ends after so
# many moves.
MOVE_CAP = 20_000
LEAST_MOVES = 3  # of a trade

# when options act (core/needs.py): `s` is a match as it is dealt, `t` the same without the option
AUCTIONS = If(N_("an animal is auctioned"), lambda s, t: s.drawn < s.size)
TRADES = If(N_("an animal can be traded"), lambda s, t: max(s.copies) > 1)
CARDS = If(N_("there are money cards"), lambda s, t: any(s.start_money) or s.copies[DONKEY])
PAYABLE = If(N_("there is money"), lambda s, t: any(s.start_money[1:]) or any(s.donkey_money[: s.copies[DONKEY]]))
ZEROS = If(N_("there are zeros"), lambda s, t: s.start_money[0] > 0 or 0 in s.donkey_money[: s.copies[DONKEY]])
BLUFFS = If(N_("one may bid more than one owns"), lambda s, t: s.overbid != FORBIDDEN)
DROPS = If(N_("there are three players or more, or all bid at once"), lambda s, t: s.players > 2 or s.bidding == REALTIME)
STALLS = If(N_("an animal has three cards"),
            lambda s, t: max(s.copies) > 2 or not 0 < s.trade_stall <= MOVE_CAP // LEAST_MOVES)
VALUED = If(N_("an animal whose value differs is in the deck"),
            lambda s, t: any(n and s.values[k] != t.values[k] for k, n in enumerate(s.copies)))
PAID_ELSE = If(N_("a donkey whose money differs is in the deck"),
               lambda s, t: s.donkey_money[: s.copies[DONKEY]] != t.donkey_money[: s.copies[DONKEY]])
HERD = If(N_("there are animals"), lambda s, t: s.size > 0)
CHANCES = If(N_("an animal is auctioned or can be traded"), lambda s, t: AUCTIONS.test(s, t) or TRADES.test(s, t))

OPTIONS = (
    choice("bidding", N_("Bidding"),
           {"rotation": N_("in turn"), "dropout": N_("in turn, who passes is out"),
            "realtime": N_("all at once, with a clock")},
           N_("who is asked in an auction: all in turn until nobody raises, with a final pass, or anybody at any time"),
           needs=(AUCTIONS, DROPS)),
    choice("overbid", N_("Bids above one's money"),
           {"allowed": N_("allowed"), "capped": N_("limited"), "forbidden": N_("forbidden")},
           N_("bids above one's own money: up to all money in play, up to twice the own money plus 100, or none"),
           needs=(AUCTIONS, PAYABLE)),
    flag("reauction_excludes", N_("Who cannot pay is left out"), True,
         N_("a bidder who cannot pay is left out when the card is auctioned again"), needs=(AUCTIONS, PAYABLE, BLUFFS)),
    flag("empty_offer", N_("Empty offers"), True, N_("a trade may be offered and countered with no card at all"),
           needs=(TRADES, CARDS)),
    choice("payment", N_("Payment"),
           {"irredundant": N_("no superfluous cards"), "min_overpay": N_("as close as possible"),
            "free": N_("any cards")},
           N_("which cards may pay a price: none that could be left out, the smallest sum that reaches it, or any"),
           needs=(AUCTIONS, PAYABLE)),
    choice("tie_money", N_("Money after a tie"), {"exchanged": N_("exchanged"), "returned": N_("given back")},
           N_("after equal offers the stacks stay exchanged or go back"), needs=(TRADES,)),
    number("trade_stall", N_("End after trades without a set"), 100, 0, MOST,
           N_("trades in a row without a new set that end the match; 0: never"), needs=(TRADES, STALLS)),
    flag("quick_deal4", N_("Four animals at the start"), False, N_("every player starts with four animals drawn blind")),
    flag("winner_pays", N_("Only the winner pays"), False,
         N_("after a counter-offer only the winner's stack moves; the loser takes his own back"), needs=(TRADES,)),
    flag("zeros_return", N_("Zeros come back"), False, N_("zeros laid in a trade go back to whoever laid them"),
           needs=(TRADES, ZEROS)),
    choice("final_tie", N_("Tie at the end"), {"shared": N_("shared victory"), "money": N_("more money wins")},
           N_("equal scores share the victory, or more money decides"), needs=(PAYABLE,)),
    choice("hand_count_view", N_("Number of money cards"), {"public": N_("open"), "hidden": N_("hidden")},
           N_("the number of money cards in a hand"), view=True, needs=(CARDS,)),
    choice("offer_count_view", N_("Number of cards in an offer"), {"public": N_("open"), "hidden": N_("hidden")},
           N_("the number of cards in an offer or counter-offer"), view=True, needs=(TRADES,)),
    choice("auction_payment_view", N_("What an auction was paid with"),
           {"parties": N_("seen by the two"), "public": N_("open")},
           N_("which cards were paid in an auction"), view=True, needs=(AUCTIONS, PAYABLE)),
    number("bid_step", N_("Step of the bids"), 10, 10, 100, N_("bids are multiples of this"), step=10, tunable=True,
           needs=(AUCTIONS, PAYABLE)),
    numbers("values", N_("Values"), (10, 40, 90, 160, 250, 350, 500, 650, 800, 1000), 0, 3000,
            N_("points of a complete set, chicken first"), needs=(VALUED,)),
    numbers("copies", N_("Cards of each animal"), (4,) * KINDS, 0, 4,
            N_("cards of each animal, chicken first; all of them make the set")),
    numbers("start_money", N_("Start money"), (2, 4, 1, 0, 0, 0), 0, 5,
            N_("cards each player starts with: 0, 10, 50, 100, 200, 500")),
    members("donkey_money", N_("Money of the donkeys"), (50, 100, 200, 500), MONEY,
            N_("the card everybody receives at each donkey"), needs=(PAID_ELSE,)),
    number("least_players", N_("Fewest players"), 3, 2, 3, N_("the fewest players there may be"), tunable=True,
           needs=(Players(most=2),)),
    flag("fixed_start", N_("Fixed start"), False, N_("seat 0 begins, not a seat drawn at random"), tunable=True),
)

FIELDS = (
    Field("players"),
    Field("phase"),
    Field("turn"),  # whose turn it is: auctioneer or challenger
    Field("moves", "i4"),  # complete moves so far
    Field("streak", "i4"),  # trades in a row without a new set (K23)
    Field("purse", "i2"),  # all money in play (K3)
    Field("donkeys"),
    # animals
    Field("size"),  # cards of the deck, dealt ones included
    Field("drawn"),
    Field("deck", shape=(DECK,)),
    Field("animals", shape=(SEATS, KINDS)),
    # money
    Field("money", shape=(SEATS, NOTES)),
    Field("cards", "i2", shape=(SEATS,)),  # money cards in hand
    Field("notes", shape=(NOTES,)),  # all notes in play; everybody knows them
    # the auction, or the animal of the trade
    Field("kind", low=-1),
    Field("bid", "i2"),
    Field("leader", low=-1),
    Field("asking", low=-1),
    Field("excluded"),  # bit mask (K6)
    Field("passed"),  # bit mask
    Field("payer", low=-1),
    Field("payee", low=-1),
    # the trade
    Field("challenged", low=-1),
    Field("stake"),
    Field("again"),  # 1 in the second round after a tie
    Field("offered", "i2", low=-1),  # cards in the offer on the table, −1 before there is one
    Field("offer", shape=(NOTES,)),
    # a move half built: the raise so far, or the cards laid
    Field("building"),  # 1 while a move is half built
    Field("raised", "i2"),
    Field("last"),  # the smallest raise or note used so far; only smaller or equal ones may follow
    Field("times"),  # how often in a row this raise was used
    Field("laid", shape=(NOTES,)),
    # memory (memory.py): row i is what seat i knows of each other seat's money; the diagonal is what everybody knows
    Field("known", shape=(SEATS * SEATS, NOTES)),  # cards certainly in the hand
    Field("least", "i2", shape=(SEATS, SEATS)),  # its money is at least this
    Field("most", "i2", shape=(SEATS, SEATS)),  # and at most this
    Field("blurred", shape=(SEATS,)),  # bit j: the number of j's cards cannot be known
    Field("spare", shape=(NOTES,)),  # working space of one step; means nothing between steps
)

LAYOUT = Layout("kuhhandel", OPTIONS, FIELDS)
