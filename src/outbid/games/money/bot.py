"""The steady player: Money!'s own judgement, from what one seat may know (rules/money.md §8).

Worth. A holding is worth what it would score now and, while rounds are left, a part of what it may become: a sum below 200
counts as if it grew on, two of a triplet count for a part of the bonus, less if the missing card lies in a hand. In the last
round only the score counts.

Bid. Cards are laid in the order in which they are missed least, by themselves or for the sum they bring; each bid of the
first so many cards is evaluated: how likely so many opponents act before it, what would then be left to take, and what the
laid cards would be worth to an opponent. Exchange. Whatever raises the own worth most, less a part of what the cards left
behind are worth to those who act later.

`play(s, seat, seed, note, params)` gets a state that has passed through `hide(s, seat)`: it knows its own cards, and of
others those that have been seen. It asks for one step; the whole bid is worked out anew at each of its steps, from the same
`seed`, so that they fit together. `note` receives a reason code and its numbers (reasons.py makes the sentence). `params`
is how it plays (personas.py has others than the usual ones); `steady` is `play` with the usual parameters.

A set of cards is two bit masks: notes (63 bits) and coins (12). Worth is in tenths of a point. Compiled subset.
"""

from outbid.core.chance import below, stream
from outbid.core.contract import working_space
from outbid.core.hooks.policy_params import PolicyParams
from outbid.games.money.state import (
    BID, BLUFF, CARDS, COINS, GOLD, GONE, KEEP, LEFT, NOTES, OFF, ONCE, RIGHT, SEAL, SEATS, SWAP, TABLE,
    TAKE_RIGHT,
)
from outbid.games.money.rules import value

# --- what the steady player believes ----------------------------------------------------------------------------------
# Tuned two against two in some ten thousand matches; with these numbers two players win two matches of three against two
# who bid more to come first. No single number, turned by about a quarter, wins clearly more.

DRAWN = 4  # cards drawn in a round, to reckon how many rounds are left
FREE, HAVE, RICH, BEFORE, FACTS = range(5)  # what is known of an opponent: places in working space, and how many

USUAL = PolicyParams(
    horizon=3,  # so many rounds from the end, what a holding may become counts in full
    promise=85,  # per cent: what it may become, against what it is
    two_free=45,  # per cent of a triplet's bonus that two of three are worth while the third can still turn up …
    two_held=10,  # … and while it is known to be in another hand
    one_free=12,
    low=10,  # no bid of an opponent is thought to be below this sum …
    high=200,  # … and none above this one; all between are equally likely
    taken=25,  # per cent: the chance that an opponent who acts before takes what one wants most
    feed=12,  # per cent of what the laid cards are worth to the opponent whom they help most, counted as a loss
    longest=9,  # cards in a bid
    hesitate=100,  # tenths of a point: bids that promise nearly the same are chosen among at random
    memory=1,  # 0: what the others took is forgotten, so that every note may still turn up
    keep=0,  # so many currencies, those of which the seat has most, are never bid
    coins=100,  # per cent of their value that coins count
    care=0,  # tenths of a point that a bid must promise
)

WHY_NOTHING, WHY_OUT, WHY_BID, WHY_BID_LAST, WHY_TAKE, WHY_SWAP, WHY_KEEP = range(7)
PLAN, PLANNED_COINS = 6, 7  # places of a note: the notes that are being bid, turned round, so that none are not 0; the coins


def because(note, code, where, total, gain):
    """The reason: code, display or seat, sum of the bid, gain in points."""
    note[0] = code
    note[1] = where
    note[2] = total
    note[3] = gain


def steady(s, seat, seed, note):
    """The next action of an asked seat."""
    return play(s, seat, seed, note, USUAL)


def play(s, seat, seed, note, params):
    """The next action of an asked seat, by any policy parameters."""
    if s.phase == BID:
        return bids(s, seat, seed, note, params)
    return exchanges(s, seat, note, params)


def resume(s, seat, note):
    """The next step of a bid that has been begun, as it was planned."""
    return lays(s, seat, ~note[PLAN], note[PLANNED_COINS])


# --- sets of cards ----------------------------------------------------------------------------------------------------


def notes_at(s, place):
    """The notes known to be in a place, as a mask."""
    mask = 0
    for card in range(COINS):
        if s.place[card] == place:
            mask |= 1 << card
    return mask


def coins_at(s, place):
    """The coins known to be in a place, as a mask."""
    mask = 0
    for card in range(COINS, CARDS):
        if s.place[card] == place:
            mask |= 1 << (card - COINS)
    return mask


def three(bits):
    """How many of three bits are set."""
    return (bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1)


def six(bits):
    """How many of six bits are set."""
    return three(bits) + three(bits >> 3)


def free_notes(s, seat, params):
    """The notes that are not known to be in another hand, so that they may still be had."""
    if params.memory == 0:
        return (1 << COINS) - 1
    open_from = RIGHT if s.phase == BID else TABLE
    mask = 0
    for card in range(COINS):
        at = s.place[card]
        if at == seat or at == TABLE + seat or (at >= open_from and at != GONE):
            mask |= 1 << card
    return mask


# --- worth ------------------------------------------------------------------------------------------------------------


def promise(s, params):
    """How much of a holding's future counts, per cent; none in the last round."""
    if s.final:
        return 0
    rounds = 1 + (s.size - s.drawn) // DRAWN
    return params.promise * min(rounds, params.horizon) // params.horizon


def sum_of(held):
    """The sum of the notes of one currency (nine bits)."""
    return (
        20 * three(held) + 30 * three(held >> 3) + 40 * ((held >> 6) & 1) + 50 * ((held >> 7) & 1) + 60 * ((held >> 8) & 1)
    )


def currency_worth(s, held, free, part, params):
    """A holding of one currency (nine bits); `free`: those of them that may still be had; `part`: promise(s, params)."""
    total = sum_of(held)
    now = total
    later = total
    if total < s.full_value:
        now = max(0, total - s.penalty)
        later = max(now, total * total // max(1, s.full_value))
    bonus = 0
    hope = 0
    for k in range(0, 6, 3):
        n = three(held >> k)
        if n == 3:
            bonus += 100
        elif n == 2:
            hope += params.two_free if three(free >> k) == 3 else params.two_held
        elif n == 1:
            if three(free >> k) == 3:
                hope += params.one_free
    now += s.triplet_bonus * bonus // 100
    later += s.triplet_bonus * (bonus + hope) // 100
    return (now * (100 - part) + max(now, later) * part) // 10


def coins_worth(s, held, params):
    """The worth of a holding of coins, in tenths of a point."""
    silver = six(held)
    gold = six(held >> (GOLD - COINS))
    total = 10 * silver + 20 * gold
    if s.coin_triplet_bonus != OFF:
        if s.coin_triplet_bonus == ONCE:
            total += s.coin_bonus * (min(1, silver // 3) + min(1, gold // 3))
        else:
            total += s.coin_bonus * (silver // 3 + gold // 3)
    return total * params.coins // 10


def worth(s, notes, coins, free, part, params):
    """The worth of a holding of notes and coins, in tenths of a point."""
    total = coins_worth(s, coins, params)
    for c in range(COINS // NOTES):
        held = (notes >> (NOTES * c)) & 511
        if held:
            total += currency_worth(s, held, (free >> (NOTES * c)) & 511, part, params)
    return total


def missed(s, card, notes, coins, free, part, params):
    """What a holding loses with one of its cards."""
    if card >= COINS:
        return coins_worth(s, coins, params) - coins_worth(s, coins & ~(1 << (card - COINS)), params)
    shift = NOTES * (card // NOTES)
    held = (notes >> shift) & 511
    open_ = (free >> shift) & 511
    less = held & ~(1 << (card - shift))
    return currency_worth(s, held, open_, part, params) - currency_worth(s, less, open_, part, params)


def look(s, seat, known, part, params):
    """Write what is known of every opponent."""
    for other in range(s.players):
        if other != seat:
            at = FACTS * other
            known[at + FREE] = free_notes(s, other, params)
            known[at + HAVE] = notes_at(s, other)
            known[at + RICH] = coins_at(s, other)
            known[at + BEFORE] = worth(s, known[at + HAVE], known[at + RICH], known[at + FREE], part, params)


def helps(s, seat, notes, coins, known, part, params):
    """What a lot is worth to the opponent whom it helps most, by the cards he is known to have."""
    most = 0
    for other in range(s.players):
        if other != seat:
            most = max(most, gain_of(s, other, notes, coins, known, part, params))
    return most


def gain_of(s, other, notes, coins, known, part, params):
    """What a lot adds to the known cards of an opponent."""
    at = FACTS * other
    have, rich = known[at + HAVE] | notes, known[at + RICH] | coins
    return worth(s, have, rich, known[at + FREE], part, params) - known[at + BEFORE]


# --- the bid ----------------------------------------------------------------------------------------------------------


def bids(s, seat, seed, note, params):
    """The next step of a bid: of the plan."""
    notes, coins = plan(s, seat, seed, note, params)
    note[PLAN] = ~notes
    note[PLANNED_COINS] = coins
    return lays(s, seat, notes, coins)


def lays(s, seat, notes, coins):
    """The next card of these, or the seal."""
    for card in range(s.last[seat] + 1, CARDS):
        if card < COINS:
            if (notes >> card) & 1:
                return card
        elif (coins >> (card - COINS)) & 1:
            return card
    return SEAL if s.laid[seat] > 0 else BLUFF


def plan(s, seat, seed, note, params):
    """The bid as two masks: the best of those that lay the least missed cards first, or reach their sum cheaply."""
    part = promise(s, params)
    notes = notes_at(s, seat) | notes_at(s, TABLE + seat)
    coins = coins_at(s, seat) | coins_at(s, TABLE + seat)
    free = free_notes(s, seat, params)
    before = worth(s, notes, coins, free, part, params)
    withheld = kept_notes(notes, params)
    known = working_space()
    look(s, seat, known, part, params)
    right, right_coins, left, left_coins = notes_at(s, RIGHT), coins_at(s, RIGHT), notes_at(s, LEFT), coins_at(s, LEFT)
    best = params.care
    best_notes = 0
    best_coins = 0
    total = 0
    gain = 0
    for way in range(2):
        laid_notes = 0
        laid_coins = 0
        laid = 0
        for _ in range(params.longest):
            card = least_missed(s, notes & ~laid_notes, coins & ~laid_coins, withheld, free, part, way, params)
            if card < 0:
                break
            if card < COINS:
                laid_notes |= 1 << card
            else:
                laid_coins |= 1 << (card - COINS)
            laid += value(card)
            kept_back, purse = notes & ~laid_notes, coins & ~laid_coins
            first = worth(s, kept_back | right, purse | right_coins, free, part, params) - before
            second = worth(s, kept_back | left, purse | left_coins, free, part, params) - before
            outcome = prospects(s, first, second, laid, params)
            outcome -= helps(s, seat, laid_notes, laid_coins, known, part, params) * params.feed // 100
            mood = below(stream(seed, 16 * way + laid), params.hesitate)
            if outcome + mood > best:
                best = outcome + mood
                gain = outcome
                best_notes = laid_notes
                best_coins = laid_coins
                total = laid
    if total == 0:
        because(note, WHY_OUT, 0, 0, 0)
    else:
        because(note, WHY_BID_LAST if s.final else WHY_BID, 0, total, max(0, gain) // 10)
    return best_notes, best_coins


def kept_notes(notes, params):
    """The notes that are never bid: those of the currencies of which there is most."""
    withheld = 0
    for _ in range(params.keep):
        most = 0
        dearest = 0
        for c in range(COINS // NOTES):
            held = notes & ~withheld & (511 << (NOTES * c))
            total = sum_of(held >> (NOTES * c))
            if total > most:
                most = total
                dearest = held
        withheld |= dearest
    return withheld


def least_missed(s, notes, coins, withheld, free, part, way, params):
    """The card, none of those kept, that is missed least: by itself (way 0), or for the sum it brings; −1 for none."""
    best = -1
    least = 0
    for card in range(CARDS):
        if card < COINS:
            if ((notes & ~withheld) >> card) & 1 == 0:
                continue
        elif (coins >> (card - COINS)) & 1 == 0:
            continue
        loss = missed(s, card, notes, coins, free, part, params) * 100
        loss = (loss + 1000) // value(card) if way else loss - value(card)
        if best < 0 or loss < least:
            best = card
            least = loss
    return best


def prospects(s, first, second, laid, params):
    """What a bid of the sum `laid` can be expected to gain, where the two displays would bring so much."""
    if second > first:
        first, second = second, first
    first = max(0, first)
    second = max(0, second)
    beaten = 100 - min(100, max(0, (laid - params.low) * 100 // (params.high - params.low)))  # per cent, by one opponent
    lost = beaten * params.taken  # of 10,000: one opponent takes the better lot
    chance = 10_000
    for _ in range(s.players - 1):
        chance = chance * (10_000 - lost) // 10_000
    return (first * chance + second * (10_000 - chance) // 2) // 10_000


def lot_gain(s, place, notes, coins, free, part, before, params):
    """What a display would bring."""
    return worth(s, notes | notes_at(s, place), coins | coins_at(s, place), free, part, params) - before


# --- the exchange -----------------------------------------------------------------------------------------------------


def exchanges(s, seat, note, params):
    """Whatever raises the own worth most, less a part of what is left to others."""
    part = promise(s, params)
    notes = notes_at(s, seat)
    coins = coins_at(s, seat)
    free = free_notes(s, seat, params)
    bid_notes = notes_at(s, TABLE + seat)
    bid_coins = coins_at(s, TABLE + seat)
    before = worth(s, notes | bid_notes, coins | bid_coins, free, part, params)
    known = working_space()
    look(s, seat, known, part, params)
    left = helps(s, seat, bid_notes, bid_coins, known, part, params) * params.feed // 100
    best = 0
    action = KEEP
    for option in range(2 + SEATS):
        place = RIGHT + option
        if option >= 2:
            other = option - 2
            if other == seat or s.key[other] < 0:
                continue
            place = TABLE + other
        cost = left
        if option >= 2:  # that opponent can keep it at once
            cost = max(0, gain_of(s, option - 2, bid_notes, bid_coins, known, part, params)) * params.feed // 100
        gain = lot_gain(s, place, notes, coins, free, part, before, params) - cost
        if gain > best:
            best = gain
            action = TAKE_RIGHT + option if option < 2 else SWAP + (option - 2 - seat) % s.players - 1
            because(note, WHY_TAKE if option < 2 else WHY_SWAP, option if option < 2 else option - 2, 0, gain // 10)
    if action == KEEP:
        because(note, WHY_KEEP, 0, 0, 0)
    return action
