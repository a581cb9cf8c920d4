"""Components, options and state fields of For-Ex (rules/forex.md §1, §2).

All money is counted in half-bucks: every rate is a multiple of a half and contracts are over whole bucks of the stronger
currency, so nothing finer can arise.

No amount overflows its two bytes, whatever the options. Between two dividends at most six items are resolved, so a match
sees at most 30 + 6 contracts; a contract brings at most 20 · 20 = 400 half-bucks. With 6 · 40 at the start, 5 · 20 for
each of 16 certificates and 20 for each one sold, all hands together hold at most 16,560 of a currency; debts, with 20
added for each contract, are at most 15,120.
"""

from outbid.core.fields import Field, Layout
from outbid.core.needs import Deal, If, With
from outbid.core.options import choice, flag, members, number, number_or, numbers
from outbid.core.language.i18n import N_

SEATS = 6
CURRENCIES = ("GBP", "EUR", "USD", "CHF", "JPY", "CAD", "CNY")
KINDS = len(CURRENCIES)
SETS = 6
DIVIDENDS = 5
TOP = 10  # the last space of a rate track, the "8 space"
SPACES = (-10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
PAIRS = KINDS * (KINDS - 1) // 2
COMMON = 232792560  # every rate, in half-bucks, divides it
BUCK = 2  # half-bucks

# phases: what is being decided
TURN, REPLY, DIVESTING, STRENGTHEN, STRONGEST, OVER = range(6)

# steps of a move half built: what has to be said next
START, RECEIVE, SIZE, ALSO, NUMBER, GIVE, GET, UNIT = range(8)

# the items of the queue: 0 … 5 a set of contract cards (a contract or a loan), STACK the dividend cards
STACK = SETS

# what a set of contract cards is used for
FREE, CONTRACTED, LENT = range(3)

# codes of the options' words
ANY, ONE_STRONGER = range(2)
WEAKER, STRONGER, OFF = range(3)
EXISTING, BACK = range(2)
HOLD, RELEASE = range(2)
EACH_DOWN, TOTAL_DOWN = range(2)
BY_CERTIFICATES, SHARED = range(2)
UNLIMITED = 21

# action ids: one step of a move. A contract is said as the currency to pay, the one to receive, the size; an investment as
# a currency, then another or DONE; a divestment as currency, number; a spot offer as partner, currency given, currency got,
# and of which of the two it is 1 buck, where the pair leaves that open.
RESOLVE = 0
CONTRACT = 1  # + currency to pay
INVEST = 8  # + currency
DIVEST = 15  # + currency
SPOT = 22  # + distance clockwise − 1
CURRENCY = 27  # + currency
DONE = 34
AGREE = 35
REFUSE = 36
COUNT = 37  # + number, 0 … 20
ACTIONS = 58

NOBODY = -1

# when options act (core/needs.py): `s` is a match as it is dealt, `t` the same without the option


def affordable(s):
    """Whether anybody can ever buy a certificate: what there is of a currency is the most that swaps can bring together."""
    purse = s.start_money * (s.players if s.spot_enabled else 1)
    return any(s.stock) and (s.contract_sets > 0 or purse >= s.price)


def is_either(rate):
    """Whether 1 buck of the weaker currency is another swap than 1 of the stronger, and a whole number of half-bucks of it:
    the rates, in half-bucks, that divide 4."""
    return rate == 2 * BUCK or rate == 1


def paid(s):
    """Whether anybody can ever have money."""
    return s.start_money or s.contract_sets or (affordable(s) and (s.sale or any(s.dividends[: s.dividend_cards])))


DEEDS = If(N_("there are contracts to sign, certificates to buy or money to swap"),
           lambda s, t: s.contract_sets or affordable(s) or (s.spot_enabled and s.start_money))
PAPERS = If(N_("there are certificates that somebody can buy"), lambda s, t: affordable(s) or affordable(t))
CONTRACTS = If(N_("there are contract cards"), lambda s, t: s.contract_sets > 0)
MERGERS = If(N_("there are two sets of contract cards"), lambda s, t: s.contract_sets > 1)
MONEY = If(N_("anybody can have money"), lambda s, t: paid(s))
PAYS = If(N_("a dividend pays"), lambda s, t: any(s.dividends[: s.dividend_cards]))
MANY = If(N_("there can be so many certificates of a currency"),
          lambda s, t: min(s.certificates, sum(s.stock)) > min(s.hand_limit, t.hand_limit))
PAID_ELSE = If(N_("a card whose payment differs is in the stack"),
               lambda s, t: s.dividends[: s.dividend_cards] != t.dividends[: s.dividend_cards])
ON_TRACK = If(N_("a space whose rate differs is on the track"), lambda s, t: s.rates[: s.track] != t.rates[: s.track])
TWO_SIZES = If(N_("a rate of 2 or one half is on the track"),
               lambda s, t: any(is_either(rate) for rate in s.rates[: s.track]))
PLACED = If(N_("a pair of currencies in play begins on another space"),
            lambda s, t: any(s.scale[k][: s.currencies] != t.scale[k][: s.currencies] for k in range(s.currencies)))

OPTIONS = (
    flag("spot_enabled", N_("Spot transactions"), True, N_("one spot transaction a turn may come before the action"),
           needs=(MONEY,)),
    number_or("max_spot_offers", N_("Spot offers a turn"), 3, 1, 20, {"unlimited": N_("any number")},
              N_("spot offers a turn; the same one is never made twice, and after one is accepted there are no more"),
           needs=(With(("spot_enabled",)), MONEY)),
    choice("spot_unit", N_("Unit of a spot transaction"),
           {"any": N_("either currency"), "one_stronger": N_("the stronger one")},
           N_("a swap is 1 buck of either currency, where half-bucks can pay its equivalent, or only of the stronger"),
           needs=(With(("spot_enabled",)), MONEY, TWO_SIZES)),
    choice("eight_rule", N_("No dividend on the 8 space"),
           {"weaker": N_("the weaker one"), "stronger": N_("the stronger one"), "off": N_("none")},
           N_("which currency of a pair on the 8 space has certificates that pay nothing"), needs=(PAPERS, PAYS)),
    flag("bankrupt_excluded", N_("The bankrupt never win"), True, N_("a bankrupt player cannot win"),
           needs=(CONTRACTS,)),
    choice("equal_money", N_("Equal money at the end"),
           {"certificates": N_("more certificates win"), "shared": N_("shared victory")},
           N_("equal money is decided by certificates of the strongest currency, or shares the victory"), needs=(PAPERS,)),
    choice("merged_loan_place", N_("Place of a loan that grows"),
           {"existing": N_("the one it has"), "back": N_("at the back")},
           N_("a loan that grows keeps its place in the queue, or goes to the back"), needs=(MERGERS,)),
    choice("merged_loan_set", N_("Cards of a loan that grows"),
           {"hold_until_paid": N_("held until paid"), "free_at_merge": N_("free at once")},
           N_("the cards of a contract that is added to a loan are held until the loan is paid, or free at once"),
           needs=(MERGERS,)),
    choice("final_rounding", N_("Rounding at the end"),
           {"per_currency": N_("each currency"), "total": N_("the sum alone")},
           N_("each converted amount is rounded down, or only their sum"), needs=(MONEY,)),
    flag("no_certs_no_strengthen", N_("Nothing strengthens without certificates"), False,
         N_("while nobody owns a certificate, a dividend strengthens no currency")),
    number("removed_certificates", N_("Certificates removed"), 6, 0, 55,
           N_("certificates removed at random before the start"), needs=(Deal(),)),
    number("certificates", N_("Certificates"), 8, 1, 16, N_("certificates of each currency"), tunable=True),
    number("start_money", N_("Start money"), 2, 0, 20, N_("bucks of each currency at the start"), tunable=True),
    members("spaces", N_("Spaces"), (2, 1, 2, 2, 3, 7, 1, 1, 2, 2, 6, 1, 2, 2, 6, 2, 2, 6, 2, 5, 4), SPACES,
            N_("spaces of the pairs at the start, GBP with all others first; negative: the second one is the stronger"),
           needs=(PLACED,)),
    numbers("rates", N_("Rates"), (2, 3, 4, 5, 6, 7, 8, 10, 12, 16), 1, 20,
            N_("half-bucks of the weaker currency for one buck of the stronger, on each space"), needs=(ON_TRACK,)),
    number("price", N_("Price of a certificate"), 2, 0, 10, N_("bucks that a certificate costs"), tunable=True,
           needs=(PAPERS,)),
    number("sale", N_("Sale of a certificate"), 2, 0, 10,
           N_("bucks that a certificate brings when it is sold"), tunable=True, needs=(PAPERS,)),
    number("hand_limit", N_("Most certificates of a currency"), 4, 1, 16,
           N_("certificates of a currency that one player may own"), tunable=True, needs=(PAPERS, MANY)),
    number("contract_sets", N_("Sets of contracts"), 6, 0, 6, N_("sets of contract cards"), tunable=True),
    number("contract_size", N_("Largest contract"), 10, 1, 20,
           N_("the most bucks of the stronger currency in a contract"), tunable=True, needs=(CONTRACTS,)),
    numbers("dividends", N_("Dividends"), (0, 2, 2, 2, 3), 0, 10,
            N_("bucks that each dividend card pays for a certificate"), needs=(PAID_ELSE,)),
    number("surcharge", N_("Surcharge"), 1, 0, 10,
           N_("bucks added to a debt when a contract becomes a loan"), tunable=True, needs=(CONTRACTS,)),
    number("currencies", N_("Currencies"), KINDS, 2, KINDS, N_("currencies in play, the first so many"), tunable=True),
    number("track", N_("Track"), TOP, 1, TOP, N_("spaces of a rate track"), tunable=True),
    number("dividend_cards", N_("Dividend cards"), DIVIDENDS, 1, DIVIDENDS,
           N_("dividend cards, the first so many"), tunable=True),
    flag("fixed_start", N_("Fixed start"), False, N_("seat 0 begins, not a seat drawn at random"), tunable=True),
)

FIELDS = (
    Field("players"),
    Field("phase"),
    Field("turn"),  # whose turn it is
    Field("turns", "i2"),  # turns completed
    Field("asking", low=-1),  # who is asked; NOBODY when the match is over
    # the rates: scale[a][b] > 0 where a is the stronger, on that space; always scale[b][a] == −scale[a][b]
    Field("scale", shape=(KINDS, KINDS), low=-(2**7)),
    Field("strength", shape=(KINDS,)),  # the pairs in which a currency is the stronger half, with those in play
    # money and certificates
    Field("money", "i2", (SEATS, KINDS)),
    Field("certs", shape=(SEATS, KINDS)),
    Field("held", shape=(KINDS,)),  # certificates in all hands together
    Field("stock", shape=(KINDS,)),
    # contracts, loans and dividends
    Field("queue", shape=(SETS + 1,), low=-1),
    Field("queued"),  # items in the queue
    Field("dividend"),  # dividend cards spent
    Field("use", shape=(SETS,)),  # of each set: FREE, CONTRACTED, LENT
    Field("owner", shape=(SETS,), low=-1),
    Field("pays", shape=(SETS,), low=-1),  # the currency a contract pays
    Field("gets", shape=(SETS,), low=-1),  # and the one it receives
    Field("paid", "i2", (SETS,)),
    Field("got", "i2", (SETS,)),
    Field("loan", shape=(SEATS,), low=-1),  # the set that stands in the queue for the seat's loan, or NOBODY
    Field("debt", "i2", (SEATS, KINDS)),  # what the loan owes
    # the move being made
    Field("step"),  # what has to be said next, START before a move
    Field("partner", low=-1),  # of a spot offer
    Field("give", low=-1),  # the currency paid, given, bought or sold
    Field("get", low=-1),  # the currency received
    Field("unit", low=-1),  # the currency of which a spot offer is 1 buck
    Field("choices"),  # bit mask of tied currencies
    Field("spotted"),  # 1 after a spot transaction in this turn
    Field("offers", "i2"),  # spot offers refused in this turn
    # of a partner, for what is given: bit mask of what was asked for, with 1 buck of the stronger, then with 1 of the weaker
    Field("refused", "i2", (SEATS, KINDS)),
    # the end
    Field("bankrupt", low=-1),
    Field("strongest", low=-1),
    # a copy of the fields above, for a player who tries out what would follow (bot.py); empty in a match
    Field("kept_money", "i2", (2 * SEATS, KINDS)),
    Field("kept_table", shape=(KINDS + SEATS + 3, KINDS)),
    Field("kept_sets", "i2", (7, SETS)),
    Field("kept_line", "i2", (23 + KINDS,)),
)

LAYOUT = Layout("forex", OPTIONS, FIELDS)
