"""Components, options and state fields of Rivals (rules/rivals.md §1, §2; the seed's Components and Setup)."""

from outbid.core.fields import Field, Layout
from outbid.core.needs import Deal, If
from outbid.core.options import choice, flag, number, numbers
from outbid.core.language.i18n import N_

SEATS = 4
COLOURS = ("R", "B", "G", "Y", "W")
HUES = len(COLOURS)
RANKS = 10  # of a colour: 0 is the wager, 1 to 9 are the numbers 2 to 10
KINDS = HUES * RANKS  # a card is colour · 10 + rank
DECK = 110  # the largest deck that the parameters allow
PAIR = 2  # starting wagers of each colour

# phases: what is being decided
TURN, BID, TAKE, REMOVE, OVER = range(5)

# codes of the options' words that the rules ask for
RIGHT_OF_WINNER, LEFT_OF_OPENER, DISCARD = 0, 2, 1  # next_after_auction, dead_cards

# action ids: one step of a move. Cards are taken one by one in the order of their kinds, then DONE; a removal is one step,
# the card or DONE for none; a bid is one step.
UNCOVER = 0
PASS = 1
DONE = 2
CARD = 3  # + kind
OFFER = 52  # + the amount of the bid, from 1
MOST_COINS = 60
ACTIONS = OFFER + MOST_COINS + 1

NOBODY = -1

# when options act (core/needs.py): `s` is a match as it is dealt, `t` the same without the option
AUCTIONS = If(N_("a player can open an auction"),
              lambda s, t: s.gold[0] >= s.opening_bid and (s.size > 1 or s.auction_on_empty_display))
SIDES = If(N_("there are three players or more, or the opener's side counts"),
           lambda s, t: s.players > 2 or s.next_after_auction == LEFT_OF_OPENER)
WALKED = If(N_("a number whose footprints differ is in the deck"),
            lambda s, t: any(n and s.footprints[k] != t.footprints[k] for k, n in enumerate(s.copies)))
REACHED = If(N_("an expedition can have as many number cards as the bonus needs"),
             lambda s, t: sum(s.copies) >= min(s.bonus_cards, t.bonus_cards))
PILES = If(N_("there are two piles or more"), lambda s, t: s.piles > 1)
PAYS = If(N_("the bonus is more than 0"), lambda s, t: s.bonus > 0)

OPTIONS = (
    choice("next_after_auction", N_("Turn after an auction"),
           {"right_of_winner": N_("right of the winner"), "left_of_winner": N_("left of the winner"),
            "left_of_opener": N_("left of the opener")},
           N_("who has the turn after an auction"), needs=(SIDES,)),
    flag("pile_distribution", N_("Division with each pile"), False,
         N_("the supply is divided also when the last card of a pile is turned up"), needs=(PILES,)),
    flag("final_distribution", N_("Division at the end"), True,
         N_("the supply is divided when the very last card is turned up")),
    flag("auction_on_empty_display", N_("Auction without a display"), False,
         N_("an auction may be opened while no card lies on display")),
    flag("must_take_at_least_one", N_("One card must be taken"), False,
         N_("the winner of an auction takes a card if one can be laid")),
    choice("dead_cards", N_("Dead cards"), {"keep": N_("stay"), "discard": N_("leave the game")},
           N_("cards on display that nobody can ever lay stay there, or leave the game at once")),
    flag("gold_open", N_("Open gold"), True, N_("everybody's gold is shown, not only one's own"), view=True),
    number("coins", N_("Gold"), 36, 0, MOST_COINS,
           N_("all gold; it is shared out evenly, the rest is the first supply"), tunable=True),
    number("piles", N_("Piles"), 4, 1, 8,
           N_("parts of the deck, as even as possible, drawn one after the other"), tunable=True),
    number("opening_bid", N_("Opening bid"), 1, 1, 10, N_("the lowest bid that opens an auction"), tunable=True),
    number("wagers", N_("Wager cards of each colour"), 3, 1, 4, N_("wager cards of each colour in the deck"),
           tunable=True),
    numbers("copies", N_("Cards of each number"), (2, 2, 2, 2, 1, 1, 1, 1, 1), 0, 2,
            N_("cards of each number in each colour, 2 first")),
    numbers("footprints", N_("Footprints"), (1, 1, 1, 1, 2, 2, 2, 2, 2), 0, 5, N_("footprints on each number, 2 first"),
           needs=(WALKED,)),
    number("bonus", N_("Bonus"), 8, 0, 50, N_("points for an expedition with enough number cards"), tunable=True,
           needs=(REACHED,)),
    number("bonus_cards", N_("Cards for the bonus"), 4, 1, 18,
           N_("number cards that an expedition needs for the bonus"), tunable=True, needs=(PAYS, REACHED)),
    number("colours", N_("Colours"), HUES, 1, HUES, N_("colours in the game, the first so many"), tunable=True),
    number("starting_wagers", N_("Wager cards at the start"), 2, 0, 2,
           N_("starting wagers dealt to each player, of different colours"), tunable=True, needs=(Deal(),)),
    flag("fixed_start", N_("Fixed start"), False, N_("seat 0 begins, not a seat drawn at random"), tunable=True),
)

FIELDS = (
    Field("players"),
    Field("phase"),
    Field("turn"),  # whose turn it is; in an auction its opener
    # the deck
    Field("size"),
    Field("drawn"),
    Field("pile"),  # the current pile, from 0
    Field("pile_end"),  # `drawn` when its last card has been turned up
    Field("deck", shape=(DECK,)),
    # the display, in the order of kinds
    Field("lying"),
    Field("display", shape=(DECK,)),
    # gold
    Field("gold", shape=(SEATS,)),
    Field("supply"),
    # expeditions
    Field("given", shape=(SEATS,)),  # bit mask: the colours of the starting wagers
    Field("owned", shape=(SEATS, KINDS)),  # cards of each kind, starting wagers among them
    Field("feet", shape=(SEATS, HUES)),  # footprints
    Field("shakes", shape=(SEATS, HUES)),  # handshakes
    Field("numbers", shape=(SEATS, HUES)),  # number cards
    Field("top", shape=(SEATS, HUES)),  # the rank of the highest number; 0: none, wagers may still be laid
    # the auction
    Field("bid"),
    Field("leader", low=-1),  # the highest bidder; then the winner until his turn ends
    Field("asking", low=-1),
    Field("passed"),  # bit mask
    # a take half built
    Field("taken"),  # cards taken so far
    Field("next"),  # the place on display from which on the next card may come
    Field("spare", shape=(KINDS,)),  # working space of the steady player; means nothing between steps
)

LAYOUT = Layout("rivals", OPTIONS, FIELDS)
