"""What little can still happen between two players is solved: CFR+ over everything they could be playing.

    row, n = settle(states, i, seat, seed, points_weight, unit, work)     n = −1: too much can still happen

The worlds a seat believes in are not enough: what somebody bids depends on what the others take it to have. So `gather`
deals anew from the view of each seat, out of every world it has found, until there are no more: all that everybody, knowing
that everybody knows it, holds for possible. What somebody has chosen and nobody has seen is taken back (`retract_hidden`),
to be chosen again. Worlds that differ count alike; where some are likelier than others (`has_uniform_prior`), nothing is
solved. Then the trees of all these worlds are grown together (compiled/game_tree.py), CFR+ makes ITERATIONS on them
(compiled/sequence_form.py), and the seat draws its move by the average, without what it would hardly ever do. As somebody in
equilibrium cannot be exploited, whether it is known how the others play does not matter.

What the players have done before is taken for no sign of what they hold, beyond what is certain. A tree knows one order of
play; where two choose at the same time and one would see something of the other's choice, it is not the match (`unseen`).
Little means: two seats, at most as many worlds, information sets, sequences (and histories) as there is room for, paths of
at most DEEPEST steps. Compiled subset.
"""

from typing import Any, NamedTuple

from outbid.bots.belief.determinize import alike
from outbid.bots.nets.net_policy import LONGEST
from outbid.core.chance import below, stream
from outbid.core.contract import apply, asked, has_uniform_prior, hide, legal, midway, retract_hidden, redeal
from outbid.compiled.game_tree import (
    BEFORE, FIRST, GROWN, INFOSETS, N_ACTIONS, PRIZE, SEQUENCES, TERMINALS, begin, grow, saw,
)  # fmt: skip
from outbid.core.seats import lowest
from outbid.compiled.sequence_form import by_seats, clear, counter, follow, iterate, normalize, realize

SEATS = 2
DEEPEST = 64  # steps of a path
ITERATIONS = 300
DRAWS = 8  # for each world there is room for: how often what somebody sees is dealt anew
FAINT = 0.02  # what is chosen so much less often than the likeliest is not chosen at all
OFTEN = 10_000  # a move's chance is told in these
DRAWS_FROM = 1 << 16  # streams of a decision
CHOICE = (1 << 16) - 1  # the one by which the move is drawn
TOO_MUCH = -1
NOW = 3  # the place in Room.states of what the seat sees


class Room(NamedTuple):
    """Working space; its lengths are what counts as little (`strong.Space`). W worlds, K information sets, J sequences,
    Z terminals, and M moves as `lookahead.Work` has."""

    worlds: Any  # records (W + 1,)
    bytes: Any  # uint8 (W + 1, bytes): of `worlds`
    lanes: Any  # int64 (W + 1, 4): as game_tree.py makes them
    eyes: Any  # int64 (SEATS, W + 1, 4): the same of what each seat sees
    states: Any  # records (DEEPEST + 2,): a path
    cells: Any  # uint8 (DEEPEST + 2, bytes): of `states`
    seen: Any  # int64 (DEEPEST + 1, SEATS, 4), last (…, SEATS), moves (…, A + 64), marks (…, 5): game_tree.py
    last: Any
    moves: Any
    marks: Any
    table: Any  # int64 (4 K,)
    keys: Any  # int64 (K, 2), facts (K, 4)
    facts: Any
    views: Any  # records (K,)
    looks: Any  # uint8 (K, bytes): of `views`
    actions: Any  # int64 (J,)
    ends: Any  # int64 (Z, SEATS)
    payoffs: Any  # float64 (Z, SEATS)
    used: Any  # int64 (5,)
    ordered: Any  # int64 (K, 4), rows (K,), came (J,), renamed (J,), ranges (SEATS + 1,): sequence_form.py
    rows: Any
    came: Any
    renamed: Any
    ranges: Any
    regrets: Any  # float64 (J,) each
    current: Any
    plan: Any
    sums: Any
    values: Any
    way: Any  # int64 (M,): the last sequence of a move
    chance: Any  # float64 (M,): how likely it is
    solved: Any  # int64 (1,): how many worlds the last decision was solved for; 0: for none
    lots: Any  # int64 (1,): 1 if its move was drawn by `chance`


def settle(states, i, seat, seed, points_weight, unit, work):
    """Solve what can still happen for the asked seat of states[i], which is hidden for it. Writes its moves as
    `lookahead.weigh` does, but that `played` says how often each is chosen, of about OFTEN times; returns the number of the
    one that is drawn and how many there are, or TOO_MUCH."""
    room = work.room
    if states[i].players != SEATS:
        return 0, TOO_MUCH
    back = face(states, i, seat, seed, room)
    n = gather(seed, room)
    if n == 0 or not has_uniform_prior(room.worlds[0]) or not unseen(seat, back, work):
        return 0, TOO_MUCH
    if not grow_all(n, points_weight, unit, work):
        return 0, TOO_MUCH
    root, possible = root_of(n, seat, work)
    if root < 0:
        return 0, TOO_MUCH
    solve(seat, room)
    found = spell(root, seat, work)
    if found > 0:
        room.solved[0] = n
        return draw(found, possible, stream(seed, CHOICE), work), found
    return 0, TOO_MUCH


def face(states, i, seat, seed, room):
    """Write a world in which everything that nobody has seen is taken back to worlds[0], and what the seat sees now to
    states[NOW]; returns who has chosen already, as a bit mask."""
    room.worlds[0] = states[i]
    redeal(room.worlds[0], seat, stream(seed, DRAWS_FROM))
    room.states[NOW] = room.worlds[0]
    hide(room.states[NOW], seat)
    return retract_hidden(room.worlds[0], seat)


def gather(seed, room):
    """Find all worlds from the first; returns how many there are, 0 if there are too many."""
    most = len(room.worlds) - 1
    draws = DRAWS * most
    look(room.bytes[0], room.lanes[0])
    n = 1
    done = 0
    while done < n:
        for viewer in range(SEATS):
            room.states[0] = room.worlds[done]
            hide(room.states[0], viewer)
            look(room.cells[0], room.eyes[viewer, done])
            if place(room.eyes[viewer], done) < done:
                continue  # that has been dealt anew
            for k in range(draws):
                room.worlds[n] = room.states[0]
                redeal(room.worlds[n], viewer, stream(seed, DRAWS_FROM + (SEATS * done + viewer) * draws + k + 1))
                retract_hidden(room.worlds[n], viewer)
                look(room.bytes[n], room.lanes[n])
                if place(room.lanes, n) == n:
                    n += 1
                    if n > most:
                        return 0
        done += 1
    return n


def look(cells, lanes):
    """Tell a record from others by its bytes."""
    begin(lanes, 0)
    saw(lanes, cells, len(cells), True)


def place(lanes, n):
    """The first record with the lanes of number n."""
    at = 0
    while lanes[at, 0] != lanes[n, 0] or lanes[at, 1] != lanes[n, 1]:
        at += 1
    return at


def unseen(seat, back, work):
    """Whether the seat sees the same whatever others choose at the same time, and that is what it sees now, when those in
    `back` have chosen."""
    room = work.room
    room.states[1] = room.worlds[0]
    room.states[4] = room.worlds[0]
    for other in range(room.worlds[0].players):
        if other == seat or (asked(room.states[1]) >> other) & 1 == 0:
            continue
        n = legal(room.states[1], other, work.out)
        for k in range(2 * n):
            room.states[0] = room.states[1]
            pick(room.states[0], other, k, work)
            hide(room.states[0], seat)
            if k == 0:
                room.states[2] = room.states[0]
            elif not alike(room.cells[0], room.cells[2]):
                return False
        if (back >> other) & 1:
            pick(room.states[4], other, 0, work)
    hide(room.states[4], seat)
    return alike(room.cells[4], room.cells[NOW])


def pick(s, seat, k, work):
    """Make a move: the first step is number k >> 1, then always the first that is open, or the last where k is odd."""
    legal(s, seat, work.out)
    apply(s, seat, work.out[k >> 1])
    while midway(s, seat) != 0:
        n = legal(s, seat, work.out)
        apply(s, seat, work.out[(k & 1) * (n - 1)])


def grow_all(n, points_weight, unit, work):
    """Grow the trees of n worlds together; whether there was room."""
    room = work.room
    for k in range(len(room.table)):
        room.table[k] = -1
    for k in range(len(room.used)):
        room.used[k] = 0
    room.used[SEQUENCES] = SEATS
    limit = len(room.actions)
    for w in range(n):
        room.states[0] = room.worlds[w]
        grown = grow(
            room.states, room.cells, SEATS, len(work.out) - 64, PRIZE, points_weight, unit, limit, room.seen, room.last,
            room.moves, room.marks, room.table, room.keys, room.facts, room.views, room.actions, room.ends, room.payoffs,
            room.used, work.points, work.out
        )
        if grown != GROWN:
            return False
    by_seats(room.facts, room.used[INFOSETS], SEATS, room.ordered, room.rows, room.came, room.renamed, room.ranges)
    for z in range(room.used[TERMINALS]):
        for seat in range(SEATS):
            room.ends[z, seat] = room.renamed[room.ends[z, seat]]
    return True


def root_of(n, seat, work):
    """The information set in which the seat decides now, and how many worlds are possible there; −1 if there is none."""
    room = work.room
    before_it(0, seat, work)
    room.states[2] = room.states[0]
    root = -1
    for k in range(room.ranges[seat], room.ranges[seat + 1]):
        if room.ordered[k, BEFORE] == seat and alike(room.looks[room.rows[k]], room.cells[2]):
            root = k
    possible = 0
    for w in range(n):
        before_it(w, seat, work)
        possible += alike(room.cells[0], room.cells[2])
    return root, possible


def before_it(w, seat, work):
    """Write what the seat sees in a world when it decides into states[0]; whoever decides before it in the tree takes the
    first action that is open: it is not seen which."""
    room = work.room
    room.states[0] = room.worlds[w]
    for _ in range(DEEPEST):
        other = lowest(asked(room.states[0]))
        if other == seat:
            break
        legal(room.states[0], other, work.out)
        apply(room.states[0], other, work.out[0])
    hide(room.states[0], seat)


def solve(seat, room):
    """CFR+. Then `current` is the average, and `values` what the seat's sequences are worth, summed over worlds."""
    n = room.used[INFOSETS]
    for j in range(room.used[SEQUENCES]):
        room.regrets[j] = 0.0
        room.sums[j] = 0.0
        room.plan[j] = 1.0
    normalize(room.ordered, n, room.sums, room.current)
    realize(room.ordered, 0, n, room.current, room.plan)
    terminals = room.used[TERMINALS]
    iterate(
        room.ordered, room.ranges, room.ends, room.payoffs, terminals, 0, ITERATIONS, room.regrets, room.current, room.plan,
        room.sums, room.values
    )
    normalize(room.ordered, n, room.sums, room.current)
    realize(room.ordered, 0, n, room.current, room.plan)
    first, last = room.ranges[seat], room.ranges[seat + 1]
    clear(room.ordered, first, last, seat, room.values)
    counter(room.ends, room.payoffs, terminals, seat, room.plan, room.values)
    follow(room.ordered, first, last, room.current, room.values)


def spell(root, seat, work):
    """Write the whole moves that are chosen at the root; returns how many, 0 if one is too long."""
    found = extend(root, -1, 0, work)
    row = 0
    while row < found:
        k = goes_on(row, seat, work.room)
        if k < 0:
            row += 1
        elif work.lengths[row] == LONGEST:
            return 0
        else:
            found = extend(k, row, found, work)
    return found


def extend(k, row, found, work):
    """Let the move in a row, −1 for none, go on with what is chosen at an information set: the first action in its place,
    the others in rows of their own. Returns how many rows there are then."""
    room = work.room
    begun = 0
    likely = 1.0
    if row >= 0:
        begun = work.lengths[row]
        likely = room.chance[row]
    start = room.ordered[k, FIRST]
    end = start + room.ordered[k, N_ACTIONS]
    most = 0.0
    for j in range(start, end):
        most = max(most, room.current[j])
    at = row
    for j in range(start, end):
        if room.current[j] >= FAINT * most and (at >= 0 or found < len(work.lengths)):
            if at < 0:
                at = found
                found += 1
                for step in range(begun):
                    work.moves[at][step] = work.moves[row][step]
            work.moves[at][begun] = room.actions[room.came[j]]
            work.lengths[at] = begun + 1
            room.way[at] = j
            room.chance[at] = likely * room.current[j]
            at = -1
    return found


def goes_on(row, seat, room):
    """The information set in which a move that has begun goes on; −1 if it is whole."""
    for k in range(room.ranges[seat], room.ranges[seat + 1]):
        if room.ordered[k, BEFORE] == room.way[row] and midway(room.views[room.rows[k]], seat) != 0:
            return k
    return -1


def draw(found, possible, r, work):
    """Say what each move is worth and how often it is chosen, and draw one."""
    room = work.room
    chosen = drawn(found, r, room)
    for c in range(found):
        work.played[c] = max(1, int(OFTEN * room.chance[c] + 0.5))
        work.value[c] = room.values[room.way[c]] / possible * work.played[c]
    return chosen


def drawn(n, r, room):
    """Draw one of n moves by room.chance, which comes to add up to 1."""
    total = 0.0
    for c in range(n):
        total += room.chance[c]
    left = total * below(r, 1 << 30) / (1 << 30)
    chosen = -1
    for c in range(n):
        left -= room.chance[c]
        if chosen < 0 and left < 0.0:
            chosen = c
        room.chance[c] /= total
    room.lots[0] = 1
    return max(chosen, 0)
