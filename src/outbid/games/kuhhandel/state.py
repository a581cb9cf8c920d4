"""Components, options and state fields of Kuhhandel (rules/kuhhandel.md §1, §2; the seed's Components and Setup)."""

from outbid.core.fields import Field, Layout
from outbid.core.needs import If, Players
from outbid.core.options import MOST, choice, flag, members, number, numbers
from outbid.core.language.i18n import mark

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
AUCTIONS = If(mark("an animal is auctioned"), lambda s, t: s.drawn < s.size)
TRADES = If(mark("an animal can be traded"), lambda s, t: max(s.copies) > 1)
CARDS = If(mark("there are money cards"), lambda s, t: any(s.start_money) or s.copies[DONKEY])
PAYABLE = If(mark("there is money"),
             lambda s, t: any(s.start_money[1:]) or any(s.donkey_money[: s.copies[DONKEY]]))
ZEROS = If(mark("there are zeros"), lambda s, t: s.start_money[0] > 0 or 0 in s.donkey_money[: s.copies[DONKEY]])
BLUFFS = If(mark("one may bid more than one owns"), lambda s, t: s.overbid != FORBIDDEN)
DROPS = If(mark("there are three players or more, or all bid at once"), lambda s, t: s.players > 2 or s.bidding == REALTIME)
STALLS = If(mark("an animal has three cards"),
            lambda s, t: max(s.copies) > 2 or not 0 < s.trade_stall <= MOVE_CAP // LEAST_MOVES)
VALUED = If(mark("an animal whose value differs is in the deck"),
            lambda s, t: any(n and s.values[k] != t.values[k] for k, n in enumerate(s.copies)))
PAID_ELSE = If(mark("a donkey whose money differs is in the deck"),
               lambda s, t: s.donkey_money[: s.copies[DONKEY]] != t.donkey_money[: s.copies[DONKEY]])
HERD = If(mark("there are animals"), lambda s, t: s.size > 0)
CHANCES = If(mark("an animal is auctioned or can be traded"), lambda s, t: AUCTIONS.test(s, t) or TRADES.test(s, t))

OPTIONS = (
    choice("bidding", mark("Bidding"),
           {"rotation": mark("in turn"), "dropout": mark("in turn, who passes is out"),
            "realtime": mark("all at once, with a clock")},
           mark("who is asked in an auction: all in turn until nobody raises, with a final pass, or anybody at any time"),
           needs=(AUCTIONS, DROPS)),
    choice("overbid", mark("Bids above one's money"),
           {"allowed": mark("allowed"), "capped": mark("limited"), "forbidden": mark("forbidden")},
           mark("bids above one's own money: up to all money in play, up to twice the own money plus 100, or none"),
           needs=(AUCTIONS, PAYABLE)),
    flag("reauction_excludes", mark("Who cannot pay is left out"), True,
         mark("a bidder who cannot pay is left out when the card is auctioned again"), needs=(AUCTIONS, PAYABLE, BLUFFS)),
    flag("empty_offer", mark("Empty offers"), True, mark("a trade may be offered and countered with no card at all"),
           needs=(TRADES, CARDS)),
    choice("payment", mark("Payment"),
           {"irredundant": mark("no superfluous cards"), "min_overpay": mark("as close as possible"),
            "free": mark("any cards")},
           mark("which cards may pay a price: none that could be left out, the smallest sum that reaches it, or any"),
           needs=(AUCTIONS, PAYABLE)),
    choice("tie_money", mark("Money after a tie"), {"exchanged": mark("exchanged"), "returned": mark("given back")},
           mark("after equal offers the stacks stay exchanged or go back"), needs=(TRADES,)),
    number("trade_stall", mark("End after trades without a set"), 100, 0, MOST,
           mark("trades in a row without a new set that end the match; 0: never"), needs=(TRADES, STALLS)),
    flag("quick_deal4", mark("Four animals at the start"), False, mark("every player starts with four animals drawn blind")),
    flag("winner_pays", mark("Only the winner pays"), False,
         mark("after a counter-offer only the winner's stack moves; the loser takes his own back"), needs=(TRADES,)),
    flag("zeros_return", mark("Zeros come back"), False, mark("zeros laid in a trade go back to whoever laid them"),
           needs=(TRADES, ZEROS)),
    choice("final_tie", mark("Tie at the end"), {"shared": mark("shared victory"), "money": mark("more money wins")},
           mark("equal scores share the victory, or more money decides"), needs=(PAYABLE,)),
    choice("hand_count_view", mark("Number of money cards"), {"public": mark("open"), "hidden": mark("hidden")},
           mark("the number of money cards in a hand"), view=True, needs=(CARDS,)),
    choice("offer_count_view", mark("Number of cards in an offer"), {"public": mark("open"), "hidden": mark("hidden")},
           mark("the number of cards in an offer or counter-offer"), view=True, needs=(TRADES,)),
    choice("auction_payment_view", mark("What an auction was paid with"),
           {"parties": mark("seen by the two"), "public": mark("open")},
           mark("which cards were paid in an auction"), view=True, needs=(AUCTIONS, PAYABLE)),
    number("bid_step", mark("Step of the bids"), 10, 10, 100, mark("bids are multiples of this"), step=10, tunable=True,
           needs=(AUCTIONS, PAYABLE)),
    numbers("values", mark("Values"), (10, 40, 90, 160, 250, 350, 500, 650, 800, 1000), 0, 3000,
            mark("points of a complete set, chicken first"), needs=(VALUED,)),
    numbers("copies", mark("Cards of each animal"), (4,) * KINDS, 0, 4,
            mark("cards of each animal, chicken first; all of them make the set")),
    numbers("start_money", mark("Start money"), (2, 4, 1, 0, 0, 0), 0, 5,
            mark("cards each player starts with: 0, 10, 50, 100, 200, 500")),
    members("donkey_money", mark("Money of the donkeys"), (50, 100, 200, 500), MONEY,
            mark("the card everybody receives at each donkey"), needs=(PAID_ELSE,)),
    number("least_players", mark("Fewest players"), 3, 2, 3, mark("the fewest players there may be"), tunable=True,
           needs=(Players(most=2),)),
    flag("fixed_start", mark("Fixed start"), False, mark("seat 0 begins, not a seat drawn at random"), tunable=True),
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
    Field("kind"),
    Field("bid", "i2"),
    Field("leader"),
    Field("asking"),
    Field("excluded"),  # bit mask (K6)
    Field("passed"),  # bit mask
    Field("payer"),
    Field("payee"),
    # the trade
    Field("challenged"),
    Field("stake"),
    Field("again"),  # 1 in the second round after a tie
    Field("offered", "i2"),  # cards in the offer on the table, −1 before there is one
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
