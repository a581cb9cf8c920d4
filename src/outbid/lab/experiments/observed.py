"""Matches among a game's own players, observed while they are played. Compiled subset; on plain states it runs as it is.

`observed` plays a range of deals as loops.contest does, draw for draw, and writes integers only, so that sums do not depend
on the order in which ranges are played. A step with one legal action is made without asking the policy. Policy
OUTSIDE − k is the net nets[k], which draws as the bot `net@FILE` does.

| array | shape | is |
| --- | --- | --- |
| states | 3 records from `start` | a fresh one with its options, and two that are worked in |
| bits | int64 (257,) | a thousand times the binary logarithm of each number of choices |
| rows | int64 (matches, COLUMNS) | what is counted in a match, below |
| seats | int64 (matches, P, SEAT_COLUMNS) | what is counted for a seat |
| usage | int64 (A, USES) | sums over the matches, by action, below |
| finals | records (matches,) | the last state of each match; none where there is room for none |
| shots | records (n,) | the states after wanted[k] complete moves of the range's first match; n may be 0 |
| nets | float32 (K, W) | policy nets (compiled/inference.py), the k-th of widths[k, 0] numbers with widths[k, 1] units |
| obs, hidden, liking | float32 (F,), float32 (2, H), float64 (A + …,) | what a net works in |

A seat leads if it alone has the most points, as if the match ended after this move. `used`, int64 (P, A), and `trace`,
int64, the leader after each of the moves, or of every second, fourth, …, are worked in.
"""

from outbid.bots.nets.net_policy import draw_of
from outbid.compiled.inference import likings, place, softmax
from outbid.compiled.loops import OUTSIDE, SEATS_FROM, answer, columns, count_step, lead, next_step
from outbid.core.chance import stream
from outbid.core.contract import CLOCK, apply, asked, deal, legal, midway, observe, score, winners
from outbid.core.seats import lowest

# columns of a match
TURNS = 0  # complete moves, the clock's acts included
STEPS = 1  # actions
DECISIONS = 2  # moves in which there was a choice
FREE = 3  # steps with a choice
CHOICES = 4  # legal actions, summed over those
WAITED = 5  # moves, each as PARTS / number of seats asked at once
BITS = 6  # a thousand times the binary logarithm of the choices, summed in the same way
LEADS = 7  # how often another took the lead
SETTLED = 8  # moves after which one of the winners was never behind again
COMEBACK = 9  # the most points that a winner was ever behind
HALFWAY = 10  # who led after half of the moves, or −1
FIRST = 11  # who was asked first, or −1 where several were
WON = 12  # the winners, as a bit mask; 0: stopped unfinished
CHANGES = 13  # moves after which somebody's points had changed
COLUMNS = 14

# columns of a seat
SCORE, MOVES, CHOSE, LED, PLACE = range(5)
SEAT_COLUMNS = 5

# columns of an action
USED = 0  # times
COULD = 1  # times it was legal
MATCHES = 2  # in which it was used
USERS = 3  # seats that used it
SHARES = 4  # what those had of the victory, in parts
USERS2, SHARES2, BOTH = 5, 6, 7  # sums by match of users², shares², users · shares
USES = 8

PARTS = 60  # of a victory, and of a move that is waited for: whole numbers for up to six seats
SEATS = 8


def observed(
    states, start, seed, first, last, policies, limit, players, out, note, points, bits, tally, used, trace, memo, rows,
    seats, usage, finals, wanted, shots, nets, widths, obs, hidden, liking,
):
    """Play deals `first` … `last` − 1; deal k is dealt from stream(seed, k), seat p plays policies[p] (loops.contest)."""
    i = start + 1
    for number in range(first, last):
        row = rows[number - first]
        own = seats[number - first]
        match = stream(seed, number)
        states[i] = states[start]
        deal(states[i], players, match)
        begin(states[i], players, row, own, tally, used, memo)
        shot = 0
        for _ in range(limit):
            left = asked(states[i])
            if left == 0:
                row[WON] = winners(states[i], points)
                break
            if number == first:
                shot = shoot(states, i, row[TURNS], wanted, shots, shot)
            many = left
            if (left >> CLOCK) & 1:
                seat, action = next_step(states, i, match, policies, players, out, note, tally)
                n = 1
                if seat != CLOCK:
                    n = legal(states[i], seat, out)
                many = 1
            else:
                seat = lowest(left)
                n = legal(states[i], seat, out)
                action = out[0]
            look(seat, n, out, many, bits, row, usage, memo)
            if n > 1 and seat != CLOCK and policies[seat] <= OUTSIDE:
                k = OUTSIDE - policies[seat]
                draw = draw_of(stream(stream(match, SEATS_FROM + seat), row[TURNS]), memo[STEP])
                action = liked(
                    states[i], seat, draw, n, out, nets[k, : widths[k, 0]], obs, hidden[:, : widths[k, 1]], liking
                )
            elif n > 1 and (left >> CLOCK) & 1 == 0:
                action = answer(states, i, seat, match, policies, players, out, note, tally)
            make(states[i], seat, action, players, many, points, row, own, tally, used, usage, trace, memo)
        if number == first:
            shoot(states, i, row[TURNS], wanted, shots, shot)
        finish(states[i], players, points, row, own, tally, used, usage, trace, memo)
        if len(finals) > 0:
            finals[number - first] = states[i]


def liked(s, seat, draw, n, out, net, obs, hidden, liking):
    """What a net does of the n actions in `out`."""
    observe(s, seat, obs)
    likings(net, obs, hidden, out, n, liking)
    softmax(liking, n)
    return out[place(liking, n, draw)]


# memo, int64 (4 + 4 · SEATS,): the last leader, the stride of the trace and its length, steps of the move under way; then by
# seat whether the move under way had a choice, after which move the seat was last behind, and the most it was behind
LEADER, STRIDE, LENGTH, STEP = range(4)
CHOICE, BEHIND, DEFICIT, POINTS = 4, 4 + SEATS, 4 + 2 * SEATS, 4 + 3 * SEATS
MEMO = 4 + 4 * SEATS
NOBODY = -1


def begin(s, players, row, own, tally, used, memo):
    """Set all that is counted to its beginning, in a match that has been dealt."""
    for column in range(columns(players)):
        tally[column] = 0
    for column in range(COLUMNS):
        row[column] = 0
    for seat in range(players):
        for column in range(SEAT_COLUMNS):
            own[seat, column] = 0
        for action in range(used.shape[1]):
            used[seat, action] = 0
    for k in range(MEMO):
        memo[k] = 0
    memo[LEADER] = NOBODY
    memo[STRIDE] = 1
    left = asked(s)
    row[FIRST] = NOBODY
    if left != 0 and left & (left - 1) == 0 and (left >> CLOCK) & 1 == 0:
        row[FIRST] = lowest(left)


def shoot(states, i, moves, wanted, shots, shot):
    """Keep the state if it is the next one that is wanted; returns how many are kept."""
    while shot < len(wanted) and wanted[shot] <= moves:
        shots[shot] = states[i]
        shot += 1
    return shot


def look(seat, n, out, many, bits, row, usage, memo):
    """What an asked seat may do."""
    if seat == CLOCK or n == 0:
        return
    for k in range(n):
        usage[out[k], COULD] += 1
    if n > 1:
        row[FREE] += 1
        row[CHOICES] += n
        row[BITS] += bits[n] * PARTS // count(many)
        memo[CHOICE + seat] = 1


def count(mask):
    """How many seats a mask has."""
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


def make(s, seat, action, players, many, points, row, own, tally, used, usage, trace, memo):
    """One step, and what is counted after a complete move."""
    row[STEPS] += 1
    if seat != CLOCK:
        usage[action, USED] += 1
        used[seat, action] += 1
    apply(s, seat, action)
    count_step(s, seat, players, tally)
    if seat != CLOCK:
        if midway(s, seat) != 0:
            memo[STEP] += 1
            return
        memo[STEP] = 0
        own[seat, MOVES] += 1
        own[seat, CHOSE] += memo[CHOICE + seat]
        row[DECISIONS] += memo[CHOICE + seat]
        memo[CHOICE + seat] = 0
    row[TURNS] += 1
    row[WAITED] += PARTS // count(many)
    stand(s, players, points, row, own, trace, memo)


def stand(s, players, points, row, own, trace, memo):
    """Who leads after a move."""
    score(s, points)
    best = points[0]
    changed = 0
    for seat in range(players):
        best = max(best, points[seat])
        changed |= points[seat] != memo[POINTS + seat]
        memo[POINTS + seat] = points[seat]
    row[CHANGES] += changed
    leader = NOBODY
    n = 0
    for seat in range(players):
        if points[seat] == best:
            leader = seat
            n += 1
        else:
            memo[BEHIND + seat] = row[TURNS]
            memo[DEFICIT + seat] = max(memo[DEFICIT + seat], best - points[seat])
    if n > 1:
        leader = NOBODY
    else:
        own[leader, LED] += 1
        if memo[LEADER] != leader:
            row[LEADS] += memo[LEADER] != NOBODY
            memo[LEADER] = leader
    if row[TURNS] % memo[STRIDE] == 0:
        if memo[LENGTH] == len(trace):
            for k in range(len(trace) // 2):
                trace[k] = trace[2 * k + 1]
            memo[LENGTH] = len(trace) // 2
            memo[STRIDE] *= 2
        if row[TURNS] % memo[STRIDE] == 0:
            trace[memo[LENGTH]] = leader
            memo[LENGTH] += 1


def finish(s, players, points, row, own, tally, used, usage, trace, memo):
    """The end of a match: scores, places, what the winners did, and what use of each action came to."""
    won = row[WON]
    row[SETTLED] = row[TURNS]
    row[HALFWAY] = NOBODY
    if memo[LENGTH] > 0:
        row[HALFWAY] = trace[(memo[LENGTH] - 1) // 2]
    score(s, points)
    for seat in range(players):
        own[seat, SCORE] = points[seat]
        if (won >> seat) & 1:
            row[SETTLED] = min(row[SETTLED], memo[BEHIND + seat])
            row[COMEBACK] = max(row[COMEBACK], memo[DEFICIT + seat])
        for other in range(players):
            own[seat, PLACE] += lead(won, points, other, seat) > 0
    each = 0
    if won != 0:
        each = PARTS // count(won)
    for action in range(used.shape[1]):
        n = 0
        shares = 0
        for seat in range(players):
            if used[seat, action] > 0:
                n += 1
                shares += ((won >> seat) & 1) * each
        if n > 0:
            usage[action, MATCHES] += 1
            usage[action, USERS] += n
            usage[action, SHARES] += shares
            usage[action, USERS2] += n * n
            usage[action, SHARES2] += shares * shares
            usage[action, BOTH] += n * shares
