"""The steady player: Rivals' own judgement, from what everybody can see (rules/rivals.md §8).

Worth. An expedition is worth its points so far and a part of what may still come into it: of all footprints and numbers
that are not laid or out of the game and not below its highest number, a seat reckons with `share` divided by the number of
players. What a seat would take is, in each colour, everything it can lay up to some card: lower cards and wagers laid first
never hurt, a high number closes the way to all between. What a display is worth to a seat is what its best take adds.

Price. A coin is a point at the end, but coins are scarce: while cards remain to come, gold buys more points than it counts,
and more still where the end of a pile brings none back: then 36 coins must last for the whole deck.
The steady player pays for a display what it is worth to itself, and part of what it is worth to the opponent who wants it
most, at a price of points in coins that falls from `dear` to one. Since everything is open, it works out the limits of all
others in the same way; it opens an auction when the display is worth the trouble and it would win. It removes the card
that helps an opponent most.

`play(s, seat, seed, note, params)` is told how to play (personas.py has others than the usual ones); `steady` is
`play` with the usual parameters. It takes everybody for a player like itself.

Points are whole hundredths, parts are per cent. `note` receives a reason code and its numbers (reasons.py). Compiled subset.
"""

from outbid.core.hooks.policy_params import PolicyParams
from outbid.games.rivals.hidden import in_deck
from outbid.games.rivals.rules import can_lay
from outbid.games.rivals.state import BID, CARD, DONE, HUES, KINDS, NOBODY, OFFER, PASS, RANKS, TAKE, TURN, UNCOVER

# --- what the steady player believes ----------------------------------------------------------------------------------
# Tuned in some ten thousand matches for 2, 3 and 4 players against itself with other numbers, with a division at the end of
# each pile; `hurry` and the numbers from `scarce` to `eager` later in as many without one.

USUAL = PolicyParams(
    share=55,  # part of the cards to come that all seats together will lay
    dear=260,  # points for a coin at the beginning; 100 at the end
    # where the end of a pile brings no gold back (L21):
    scarce=120,  # so many points more for a coin, for each opponent
    lean=85,  # part of `share`: more of the cards stay unsold
    narrow=60,  # part of `focus`
    eager=150,  # added to `wagers`
    # everywhere:
    deny=60,  # part of an opponent's gain that counts as one's own loss, shared by all opponents
    patience=500,  # an auction is opened from this gain on at the beginning …
    hurry=200,  # … and from this on at the end
    haste=60,  # the opening bid is this part of what the strongest opponent can pay
    memory=1,  # 0: the cards that are still to come are not counted; a display is worth its face value
    focus=100,  # part of the worth of a colour that is not one of the seat's two best
    wagers=0,  # so many points, in hundredths, is a wager worth beyond what it multiplies
    sparing=100,  # what oneself loses by a removal counts so much
)

# --- reasons (reasons.py) ---------------------------------------------------------------------------------------------

(WHY_UNCOVER_ONLY, WHY_UNCOVER_WAIT, WHY_UNCOVER_RIVAL, WHY_OPEN, WHY_RAISE, WHY_RAISE_DENY, WHY_PASS,
 WHY_TAKE, WHY_TAKE_NOTHING, WHY_REMOVE, WHY_REMOVE_NOTHING) = range(11)


def because(note, code, other, amount, gain, limit, card):
    """The reason: code, seat (−1: none), an amount of gold or cards, points gained, the own limit, a card (−1: none)."""
    note[0] = code
    note[1] = other
    note[2] = amount
    note[3] = gain // 100
    note[4] = limit
    note[5] = card


def steady(s, seat, seed, note):
    """The next action of an asked seat."""
    return play(s, seat, seed, note, USUAL)


def play(s, seat, seed, note, params):
    """The next action of an asked seat, by any policy parameters."""
    count_pool(s, params)
    if s.phase == TURN:
        return turn(s, seat, note, params)
    if s.phase == BID:
        return bids(s, seat, note, params)
    if s.phase == TAKE:
        return takes(s, seat, note, params)
    return removes(s, seat, note, params)


# --- worth in points --------------------------------------------------------------------------------------------------


def count_pool(s, params):
    """In `spare`, how many of each card can still be laid: undrawn or on display; without memory, what is on display."""
    if params.memory == 0:
        for card in range(KINDS):
            s.spare[card] = 0
        for i in range(s.lying):
            s.spare[s.display[i]] += 1
        return
    for card in range(KINDS):
        s.spare[card] = in_deck(s, card)
    for i in range(s.drawn):
        s.spare[s.deck[i]] -= 1
    for i in range(s.lying):
        s.spare[s.display[i]] += 1


def worth(s, colour, feet, shakes, numbers, top, twins, params):
    """What an expedition may be expected to bring, if `twins` of its highest number come out of the pool."""
    steps = 0
    cards = 0
    for rank in range(max(top, 1), RANKS):
        n = s.spare[colour * RANKS + rank]
        if rank == top:
            n -= twins
        cards += n
        steps += n * s.footprints[rank - 1]
    part = params.share // s.players
    if not s.pile_distribution:
        part = params.share * params.lean // (100 * s.players)
    points = (feet * 100 + steps * part) * (shakes + 1)
    hope = 100
    if numbers < s.bonus_cards:
        hope = min(100, (numbers * 100 + cards * part) // s.bonus_cards)
    return points + s.bonus * hope * hope // 100


def best_of(s, seat, colour, without, params):
    """The most that cards of a colour on display add to a seat's expectation, and how many of them it takes for that.

    without: a card that is reckoned to be gone, once; −1: none."""
    feet = s.feet[seat][colour]
    shakes = s.shakes[seat][colour]
    numbers = s.numbers[seat][colour]
    top = s.top[seat][colour]
    before = worth(s, colour, feet, shakes, numbers, top, 0, params)
    best = 0
    count = 0
    laid = 0
    twins = 0
    luck = 0
    for i in range(s.lying):
        card = s.display[i]
        rank = card - colour * RANKS
        if rank < 0 or rank >= RANKS or not can_lay(s, seat, card):
            continue
        if card == without:
            without = NOBODY
            continue
        laid += 1
        if rank == 0:
            shakes += 1
            luck += params.wagers if s.pile_distribution else params.wagers + params.eager
        else:
            twins = twins + 1 if rank == top else 1
            top = rank
            numbers += 1
            feet += s.footprints[rank - 1]
        gain = worth(s, colour, feet, shakes, numbers, top, twins, params) - before + luck
        if gain > best:
            best = gain
            count = laid
    focus = params.focus if s.pile_distribution else params.focus * params.narrow // 100
    if focus < 100 and better_colours(s, seat, colour) >= 2:
        best = best * focus // 100
    return best, count


def better_colours(s, seat, colour):
    """How many colours a seat has laid more cards of."""
    own = s.numbers[seat][colour] + s.shakes[seat][colour]
    n = 0
    for other in range(HUES):
        n += s.numbers[seat][other] + s.shakes[seat][other] > own
    return n


def gain_of(s, seat, params):
    """What the whole display adds to a seat's expectation."""
    total = 0
    for colour in range(HUES):
        best, _ = best_of(s, seat, colour, NOBODY, params)
        total += best
    return total


def price_of_points(s, params):
    """Points for a coin, in hundredths: from `dear` down to one, and from more where gold does not come back to be used."""
    beyond = params.dear - 100
    if not s.pile_distribution:
        beyond += params.scarce * (s.players - 1)
    return 100 + beyond * (s.size - s.drawn) // s.size


def may_bid(s, seat):
    """The seat can still win the auction, or, before one, could bid."""
    if s.phase == BID:
        return seat == s.leader or (not (s.passed >> seat) & 1 and s.gold[seat] > s.bid)
    return s.gold[seat] >= s.opening_bid


def keenest(s, seat, own, params):
    """Who can still win and gains most by it, and how much, and who comes next; NOBODY, who gains nothing. own: what `seat`
    gains."""
    first, most, second, more = NOBODY, 0, NOBODY, 0
    for other in range(s.players):
        if may_bid(s, other):
            gain = own if other == seat else gain_of(s, other, params)
            if gain > most:
                first, most, second, more = other, gain, first, most
            elif gain > more:
                second, more = other, gain
    return first, most, second, more


def limit_of(s, seat, gain, rival, params):
    """The most a seat would pay for the display, which brings it `gain`, and `rival` to the opponent who gains most."""
    points = gain + rival * params.deny // (100 * (s.players - 1))
    return min(s.gold[seat], points // price_of_points(s, params))


# --- the turn and the bids --------------------------------------------------------------------------------------------


def turn(s, seat, note, params):
    """Open an auction if the display is worth it and nobody else would pay more; else uncover."""
    if s.gold[seat] < s.opening_bid or s.lying == 0:
        because(note, WHY_UNCOVER_ONLY, NOBODY, s.lying, 0, 0, NOBODY)
        return UNCOVER
    gain = gain_of(s, seat, params)
    first, most, second, more = keenest(s, seat, gain, params)
    limit = limit_of(s, seat, gain, more if seat == first else most, params)
    wanted = params.hurry + (params.patience - params.hurry) * (s.size - s.drawn) // s.size
    if gain < wanted or limit < s.opening_bid:
        because(note, WHY_UNCOVER_WAIT, NOBODY, s.lying, gain, limit, NOBODY)
        return UNCOVER
    strongest = NOBODY
    highest = 0
    for other in range(s.players):
        if other != seat and may_bid(s, other):
            his = most if other == first else more if other == second else gain_of(s, other, params)
            his = limit_of(s, other, his, more if other == first else most, params)
            if his > highest:
                highest = his
                strongest = other
    if highest > limit:
        because(note, WHY_UNCOVER_RIVAL, strongest, s.lying, gain, limit, NOBODY)
        return UNCOVER
    bid = max(s.opening_bid, highest * params.haste // 100)
    because(note, WHY_OPEN, strongest, bid, gain, limit, NOBODY)
    return OFFER + bid


def bids(s, seat, note, params):
    """Raise by one up to the limit."""
    gain = gain_of(s, seat, params)
    first, most, _, more = keenest(s, seat, gain, params)
    limit = limit_of(s, seat, gain, more if seat == first else most, params)
    if s.bid < limit:
        code = WHY_RAISE if gain * 2 >= limit * price_of_points(s, params) else WHY_RAISE_DENY
        because(note, code, s.leader, s.bid + 1, gain, limit, NOBODY)
        return OFFER + s.bid + 1
    because(note, WHY_PASS, s.leader, s.bid, gain, limit, NOBODY)
    return PASS


# --- take and remove --------------------------------------------------------------------------------------------------


def takes(s, seat, note, params):
    """The next card of the best take, in the order of the display."""
    for i in range(s.next, s.lying):
        card = s.display[i]
        colour = card // RANKS
        if can_lay(s, seat, card):
            best, count = best_of(s, seat, colour, NOBODY, params)
            if count > 0:
                because(note, WHY_TAKE, NOBODY, s.taken + 1, best, 0, card)
                return CARD + card
    if s.must_take_at_least_one and s.taken == 0:
        for i in range(s.lying):
            card = s.display[i]
            if can_lay(s, seat, card):
                because(note, WHY_TAKE, NOBODY, 1, 0, 0, card)
                return CARD + card
    because(note, WHY_TAKE_NOTHING if s.taken == 0 else WHY_TAKE, NOBODY, s.taken, 0, 0, NOBODY)
    return DONE


def removes(s, seat, note, params):
    """Remove the card that adds most to what an opponent could take, less what it adds for oneself."""
    best = 0
    chosen = NOBODY
    helped = NOBODY
    for i in range(s.lying):
        card = s.display[i]
        if card == chosen:
            continue
        hurt, other = denied(s, seat, card, params)
        if hurt > best:
            best = hurt
            chosen = card
            helped = other
    if chosen == NOBODY:
        because(note, WHY_REMOVE_NOTHING, NOBODY, 0, 0, 0, NOBODY)
        return DONE
    because(note, WHY_REMOVE, helped, 0, best, 0, chosen)
    return CARD + chosen


def denied(s, seat, card, params):
    """What the opponent who would gain most by a card loses without it, less the own loss; and who he is."""
    most = 0
    helped = NOBODY
    mine = 0
    for other in range(s.players):
        if can_lay(s, other, card):
            gain, _ = best_of(s, other, card // RANKS, NOBODY, params)
            less, _ = best_of(s, other, card // RANKS, card, params)
            if other == seat:
                mine = gain - less
            elif gain - less > most:
                most = gain - less
                helped = other
    return most - mine * params.sparing // 100, helped
