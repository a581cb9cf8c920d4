"""Matches among policies and nets, counted or observed while they are played. Compiled subset; on plain states it runs as it
is.

`contest` and `observed` are one loop. `contest` counts moves and steps (compiled/loops.columns); where matches are
observed, `Found` has room for far more, and a step with one legal action is made without asking the policy. Where they are
not, `found` is none, and Numba leaves out the branches that need it. Only integers are written, so that sums do not depend
on the order in which ranges are played. Policy OUTSIDE − k is the net nets[k], which draws as the bot `net@FILE` does; after
the nets come those who were fitted to people, as the bot `like@FILE`.

`states` are three records from `start`: a fresh one with its options, and two that are worked in. What a match works in is a
`Room`, what comes of the range a `Found`, and what nets need `Nets`; the columns of their tables stand below.

A seat leads if it alone has the most points, as if the match ended after this move.
"""

from typing import Any, NamedTuple

from outbid.bots.nets.net_policy import draw_of
from outbid.bots.slips import slipping
from outbid.compiled.buffers import declared, float32, float64, int64, records
from outbid.compiled.inference import logits, place, softmax
from outbid.compiled.loops import OUTSIDE, SEATS_FROM, answer, columns, count_step, lead, next_step, planned
from outbid.core.chance import stream
from outbid.core.contract import CLOCK, PLAN, apply, asked, deal, hide, legal, midway, observe, score, winners
from outbid.core.seats import how_many, lowest
from outbid.runs.things import UNCOUNTED

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

# columns of a thing (things.py)
USED = 0  # times
COULD = 1  # times it could be used
MATCHES = 2  # in which it was used
USERS = 3  # seats that used it
SHARES = 4  # what those had of the victory, in parts
USERS2, SHARES2, BOTH = 5, 6, 7  # sums by match of users², shares², users · shares
USES = 8

PARTS = 60  # of a victory, and of a move that is waited for: whole numbers for up to six seats
SEATS = 8


# memo: the last leader, the stride of the trace and its length, steps of the move under way; then by seat whether the move
# under way had a choice, after which move the seat was last behind, the most it was behind, and its points
LEADER, STRIDE, LENGTH, STEP = range(4)
CHOICE, BEHIND, DEFICIT, POINTS = 4, 4 + SEATS, 4 + 2 * SEATS, 4 + 3 * SEATS
MEMO = 4 + 4 * SEATS
NOBODY = -1
CLOCKED = -2  # in FIRST: one who was fitted to people sat where the clock runs, and nobody knows when people are silent


@declared
class Room(NamedTuple):
    """What a match works in. A actions, L ids that may be legal at once, P players, T columns of a tally, K things."""

    out: Any = int64("L", says="action ids", listed=True)
    note: Any = int64(8, says="why a player does what it does", listed=True)
    points: Any = int64(SEATS, says="the score", listed=True)
    bits: Any = int64("B", says="a thousand times the binary logarithm of each number of choices")
    tally: Any = int64("T", says="moves and steps made (loops.columns)", listed=True)
    things: Any = int64("A", says="the thing of each action, or UNCOUNTED")
    used: Any = int64("P", "K", says="how often each seat has used each thing in this match")
    could: Any = int64("K", says="at which step, from 1, each thing could be used last")
    trace: Any = int64("trace", says="the leader after each of the moves, or of every second, fourth, …")
    memo: Any = int64(MEMO, says="what is remembered from move to move")


@declared
class Found(NamedTuple):
    """What comes of a range of N matches. finals may have room for none, and wanted may be empty."""

    rows: Any = int64("N", COLUMNS, says="what is counted in a match")
    seats: Any = int64("N", "P", SEAT_COLUMNS, says="what is counted for a seat")
    usage: Any = int64("K", USES, says="sums over the matches, by thing")
    finals: Any = records("N", says="the last state of each match")
    wanted: Any = int64("W", says="of the first match, after how many complete moves the state is kept")
    shots: Any = records("W", says="those states")


@declared
class Nets(NamedTuple):
    """Policy nets (compiled/inference.py), and what they work in. F features, H the most units. Then those who play by
    parameters of their own (slips.py)."""

    weights: Any = float32("K", "W", says="their numbers")
    widths: Any = int64("K", 2, says="how many numbers and how many units each has")
    obs: Any = float32("F", says="features")
    hidden: Any = float32(2, "H", says="units")
    logits: Any = float64("L", says="how much an action is liked")
    slips: Any = int64("M", says="how often each player with parameters slips")
    params: Any = records("M", says="those parameters")


def contest(states, start, seed, first, last, policies, limit, players, room, tallies):
    """Play matches `first` … `last` − 1; tallies[m − first] is a row of `columns(players)` integers. A match not over after
    `limit` steps has no winners."""
    played(states, start, seed, first, last, policies, limit, players, room, tallies, None, None)


def observed(states, start, seed, first, last, policies, limit, players, room, tallies, found, nets):
    """Play deals `first` … `last` − 1 and observe them. tallies: as `contest` has it, with room for all or none."""
    played(states, start, seed, first, last, policies, limit, players, room, tallies, found, nets)


def played(states, start, seed, first, last, policies, limit, players, room, tallies, found, nets):
    """Play deals `first` … `last` − 1; deal k is dealt from stream(seed, k), seat p plays policies[p]. What a seat draws
    comes from its own stream, by the number of its steps and moves."""
    tally = room.tally
    i = start + 1
    for number in range(first, last):
        states[i] = states[start]
        match = stream(seed, number)
        deal(states[i], players, match)
        room.note[PLAN] = 0
        for column in range(columns(players)):
            tally[column] = 0
        if found is None:
            count_to_the_end(states, i, match, policies, limit, players, room)
        else:
            observe_to_the_end(states, i, match, policies, limit, players, room, found, number - first, nets)
        if number - first < len(tallies):
            won = 0
            if asked(states[i]) == 0:  # which it may be by the last step of all
                won = winners(states[i], room.points)
            score(states[i], room.points)
            tally[3 * players] = won
            for seat in range(players):
                tally[seat] = room.points[seat]
            for column in range(columns(players)):
                tallies[number - first][column] = tally[column]


def count_to_the_end(states, i, match, policies, limit, players, room):
    """Play the match in states[i] on to its end and count its moves and steps in room.tally."""
    out, note, tally = room.out, room.note, room.tally
    for _ in range(limit):
        left = asked(states[i])
        if left == 0:
            return
        seat = lowest(left)
        action = planned(states[i], seat, note)
        if action < 0:
            seat, action = next_step(states, i, match, policies, players, out, note, tally)
        apply(states[i], seat, action)
        count_step(states[i], seat, players, tally)
        if seat == CLOCK or midway(states[i], seat) == 0:
            note[PLAN] = 0


def observe_to_the_end(states, i, match, policies, limit, players, room, found, k, nets):
    """Play the match in states[i], which has been dealt, to its end and observe it, as match k of those that are found."""
    out, note, tally, memo = room.out, room.note, room.tally, room.memo
    row, own, usage = found.rows[k], found.seats[k], found.usage
    begin(states[i], players, row, own, room)
    shot = 0
    for _ in range(limit):
        left = asked(states[i])
        if left == 0:
            break
        if k == 0:
            shot = shoot(states, i, row[TURNS], found.wanted, found.shots, shot)
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
        observe_choice(seat, n, many, row, usage, room)
        if n > 1 and seat != CLOCK and policies[seat] <= OUTSIDE:
            drawn, which = stream(stream(match, SEATS_FROM + seat), row[TURNS]), OUTSIDE - policies[seat]
            if which < len(nets.widths):
                action = liked(states[i], seat, draw_of(drawn, memo[STEP]), n, out, which, nets)
            elif (left >> CLOCK) & 1:
                row[FIRST] = CLOCKED
                break
            else:
                states[i + 1] = states[i]
                hide(states[i + 1], seat)
                which -= len(nets.widths)
                action = slipping(states[i + 1], seat, drawn, memo[STEP], nets.slips[which], note, out, nets.params[which])
        elif n > 1 and (left >> CLOCK) & 1 == 0:
            action = planned(states[i], seat, note)
            if action < 0:
                action = answer(states, i, seat, match, policies, players, out, note, tally)
        make(states[i], seat, action, players, many, row, own, usage, room)
        if memo[STEP] == 0:
            note[PLAN] = 0
    if asked(states[i]) == 0:
        row[WON] = winners(states[i], room.points)
    if k == 0:
        shoot(states, i, row[TURNS], found.wanted, found.shots, shot)
    finish(states[i], players, row, own, usage, room)
    if len(found.finals) > 0:
        found.finals[k] = states[i]


def liked(s, seat, draw, n, out, k, nets):
    """What the k-th net does of the n actions in `out`."""
    observe(s, seat, nets.obs)
    logits(nets.weights[k, : nets.widths[k, 0]], nets.obs, nets.hidden[:, : nets.widths[k, 1]], out, n, nets.logits)
    softmax(nets.logits, n)
    return out[place(nets.logits, n, draw)]


def begin(s, players, row, own, room):
    """Set all that is counted to its beginning, in a match that has been dealt."""
    used, memo = room.used, room.memo
    for column in range(COLUMNS):
        row[column] = 0
    for seat in range(players):
        for column in range(SEAT_COLUMNS):
            own[seat, column] = 0
        for thing in range(used.shape[1]):
            used[seat, thing] = 0
    for thing in range(len(room.could)):
        room.could[thing] = 0
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


def observe_choice(seat, n, many, row, usage, room):
    """What an asked seat may do: n actions in room.out."""
    if seat == CLOCK or n == 0:
        return
    for k in range(n):
        thing = room.things[room.out[k]]
        if thing != UNCOUNTED and room.could[thing] <= row[STEPS]:
            room.could[thing] = row[STEPS] + 1
            usage[thing, COULD] += 1
    if n > 1:
        row[FREE] += 1
        row[CHOICES] += n
        row[BITS] += room.bits[n] * PARTS // how_many(many, SEATS)
        room.memo[CHOICE + seat] = 1


def make(s, seat, action, players, many, row, own, usage, room):
    """One step, and what is counted after a complete move."""
    memo = room.memo
    row[STEPS] += 1
    if seat != CLOCK:
        thing = room.things[action]
        if thing != UNCOUNTED:
            usage[thing, USED] += 1
            room.used[seat, thing] += 1
    apply(s, seat, action)
    count_step(s, seat, players, room.tally)
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
    row[WAITED] += PARTS // how_many(many, SEATS)
    stand(s, players, room.points, row, own, room.trace, memo)


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


def finish(s, players, row, own, usage, room):
    """The end of a match: scores, places, what the winners did, and what use of each thing came to."""
    points, used, trace, memo = room.points, room.used, room.trace, room.memo
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
        each = PARTS // how_many(won, SEATS)
    for thing in range(used.shape[1]):
        n = 0
        shares = 0
        for seat in range(players):
            if used[seat, thing] > 0:
                n += 1
                shares += ((won >> seat) & 1) * each
        if n > 0:
            usage[thing, MATCHES] += 1
            usage[thing, USERS] += n
            usage[thing, SHARES] += shares
            usage[thing, USERS2] += n * n
            usage[thing, SHARES2] += shares * shares
            usage[thing, BOTH] += n * shares
