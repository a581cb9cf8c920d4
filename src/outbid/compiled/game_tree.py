"""Trees grown from the rules: who decides next, what a seat has seen so far, depth-first growth. Compiled subset.

A tree knows one order of play. Where several seats are asked at once (sealed choices) the lowest decides first; the others
do not see it. Where the table's clock may act, the seats are asked in turn whether they speak or stay silent (an action id
of its own, `silence`), and when all have been silent the clock acts.

What a seat knows, with perfect recall, is its *history*: its own actions, and its hidden state whenever that changed or the
seat acted. Its information-state hash, two halves of 62 bits, stands for a history (`add_observation`, `add_action`);
equal hashes are taken to be equal histories, which `grow` checks as far as a slip would show: the same seat, the same
actions open, the same own action before.

`grow` is called once a deal (solve/tree.py), or once a world (bots/search/subgame.py). It works in a `Path` and appends to
a `Grown`.
"""

from typing import Any, NamedTuple

from outbid.compiled.buffers import cells, declared, float64, int64, records
from outbid.compiled.loops import prize
from outbid.core.chance import STATE, bits, mixed, stream
from outbid.core.contract import CLOCK, apply, asked, hide, legal, score, steady, winners
from outbid.core.seats import how_many, lowest

OVER = -1
GROWN, FULL, TOO_DEEP, TOO_MANY, FORGETFUL = range(5)  # what grow returns
INFOSETS, SEQUENCES, TERMINALS, HISTORIES, DEEPEST = range(5)  # places in used
N_OPEN, NEXT, WHO, INFOSET, SILENT = range(5)  # places in marks
SEAT, FIRST, N_ACTIONS, BEFORE = range(4)  # places in facts
WIN, SHARE, MARGIN, SCORE, PRIZE = range(5)  # payoffs; the last as a look-ahead counts (loops.prize)
SECOND_HALF = 0x2545F4914F6CDD1D  # where the second half of a hash begins


@declared
class Path(NamedTuple):
    """The path that is grown, by its depth d; D: the greatest, P: players, A: actions."""

    states: Any = records("D + 1", says="positions; the last record is worked in")
    cells: Any = cells("states")
    seen: Any = int64("D", "P", 4, says="information-state hash; and the hash of the last hidden state")
    last: Any = int64("D", "P", says="the seat's last sequence")
    moves: Any = int64("D", "A + 64", says="actions open")
    marks: Any = int64("D", 5, says="see N_OPEN …")


@declared
class Grown(NamedTuple):
    """What has been grown: K information sets, J sequences, Z terminals, of P players."""

    table: Any = int64("hash table", fill=-1, says="information sets by their keys; −1 where the place is free")
    keys: Any = int64("K", 2, says="the hash of an information set")
    facts: Any = int64("K", 4, says="its seat, first sequence, number of actions, the seat's sequence before")
    views: Any = records("K", says="the hidden state there")
    actions: Any = int64("J", fill=-1, says="action id of a sequence; the first P are empty, one a seat")
    ends: Any = int64("Z", "P", says="for each seat its last sequence")
    payoffs: Any = float64("Z", "P", says="for each seat its payoff")
    used: Any = int64(5, says="information sets, sequences, terminals, histories, greatest depth")


def mover(s, silent):
    """Who decides next, or OVER; CLOCK when all who might speak are in `silent`."""
    mask = asked(s)
    if mask == 0:
        return OVER
    if (mask >> CLOCK) & 1:
        mask &= ~silent
    return lowest(mask)


def choices(s, seat, silence, out):
    """The actions open to the mover, silence among them where the clock may act; returns how many."""
    n = legal(s, seat, out)
    if seat != CLOCK and (asked(s) >> CLOCK) & 1:
        out[n] = silence
        n += 1
    return n


def begin(info_hash, seat):
    """Begin the hash of a seat that has seen nothing yet."""
    info_hash[0] = bits(seat)
    info_hash[1] = bits(SECOND_HALF + seat)
    info_hash[2] = -1
    info_hash[3] = -1


def add_action(info_hash, action):
    """Add an action of the seat to its history."""
    info_hash[0] = bits(info_hash[0] ^ (action + 1))
    info_hash[1] = bits((info_hash[1] + action + 1) & STATE)


def add_observation(info_hash, cells, size, acted):
    """Add a hidden state, `size` bytes, to the history of its seat, if it is news or the seat has acted."""
    a = mixed(cells, size, 0)
    b = mixed(cells, size, SECOND_HALF)
    if acted or a != info_hash[2] or b != info_hash[3]:
        info_hash[0] = bits((bits(info_hash[0]) + a) & STATE)
        info_hash[1] = bits(bits(info_hash[1]) ^ b)
        info_hash[2] = a
        info_hash[3] = b


def look_round(states, cells, d, players, actor, seen):
    """Add the state at depth d to the history of every seat; the working record is the last one."""
    work = len(states) - 1
    for seat in range(players):
        states[work] = states[d]
        hide(states[work], seat)
        add_observation(seen[d, seat], cells[work], cells.shape[1], seat == actor)


def find(table, keys, a, b):
    """The place in `table` of an infoset, or where it would stand."""
    at = (a ^ (b >> 7)) & (len(table) - 1)
    while table[at] >= 0 and (keys[table[at], 0] != a or keys[table[at], 1] != b):
        at = (at + 1) & (len(table) - 1)
    return at


def enter(table, keys, n):
    """Fill an empty table with n infosets."""
    for k in range(n):
        table[find(table, keys, keys[k, 0], keys[k, 1])] = k


def arrive(path, d, silence, grown):
    """Find or make the information set of the seat that decides at depth d; returns GROWN or why not."""
    states, seen, last, moves, marks = path.states, path.seen, path.last, path.moves, path.marks
    table, keys, facts, views = grown.table, grown.keys, grown.facts, grown.views
    actions, used = grown.actions, grown.used
    seat = marks[d, WHO]
    n = choices(states[d], seat, silence, moves[d])
    marks[d, N_OPEN] = n
    marks[d, NEXT] = 0
    at = find(table, keys, seen[d, seat, 0], seen[d, seat, 1])
    k = table[at]
    if k < 0:
        k = used[INFOSETS]
        if k >= len(keys) or 2 * k >= len(table) or used[SEQUENCES] + n > len(actions):
            return FULL
        table[at] = k
        keys[k, 0] = seen[d, seat, 0]
        keys[k, 1] = seen[d, seat, 1]
        facts[k, SEAT] = seat
        facts[k, FIRST] = used[SEQUENCES]
        facts[k, N_ACTIONS] = n
        facts[k, BEFORE] = last[d, seat]
        views[k] = states[d]
        hide(views[k], seat)
        for j in range(n):
            actions[used[SEQUENCES] + j] = moves[d, j]
        used[SEQUENCES] += n
        used[INFOSETS] += 1
    if facts[k, SEAT] != seat or facts[k, N_ACTIONS] != n or facts[k, BEFORE] != last[d, seat]:
        return FORGETFUL
    for j in range(n):
        if actions[facts[k, FIRST] + j] != moves[d, j]:
            return FORGETFUL
    marks[d, INFOSET] = k
    return GROWN


def pay_off(s, players, scheme, points, out):
    """The payoffs at the end: WIN is players · share of the victory − 1, MARGIN the score less the others' mean."""
    if scheme == WIN or scheme == SHARE:
        won = winners(s, points)
        n = how_many(won, players)
        for seat in range(players):
            out[seat] = 0.0
            if (won >> seat) & 1:
                out[seat] = 1.0 / n
            if scheme == WIN:
                out[seat] = out[seat] * players - 1.0
        return
    score(s, points)
    total = 0.0
    for seat in range(players):
        total += points[seat]
    for seat in range(players):
        out[seat] = points[seat]
        if scheme == MARGIN:
            out[seat] -= (total - points[seat]) / (players - 1)


def grow(path, grown, players, silence, scheme, points_weight, unit, limit, points, out):
    """Grow the tree of the deal in path.states[0]; returns GROWN or why not. The order of nodes is depth-first.
    points_weight, unit: of PRIZE. limit: of histories."""
    states, seen, last, moves, marks = path.states, path.seen, path.last, path.moves, path.marks
    facts, ends, payoffs, used = grown.facts, grown.ends, grown.payoffs, grown.used
    for seat in range(players):
        last[0, seat] = seat
        begin(seen[0, seat], seat)
    d = 0
    actor = OVER
    marks[0, SILENT] = 0
    fresh = True
    while d >= 0:
        if fresh:  # states[d] has just been made
            fresh = False
            who = mover(states[d], marks[d, SILENT])
            while who == CLOCK:
                choices(states[d], CLOCK, silence, out)
                apply(states[d], CLOCK, out[0])
                marks[d, SILENT] = 0
                who = mover(states[d], 0)
            look_round(states, path.cells, d, players, actor, seen)
            used[HISTORIES] += 1
            used[DEEPEST] = max(used[DEEPEST], d)
            if used[HISTORIES] > limit:
                return TOO_MANY
            if who == OVER:
                z = used[TERMINALS]
                if z >= len(ends):
                    return FULL
                for seat in range(players):
                    ends[z, seat] = last[d, seat]
                if scheme == PRIZE:
                    for seat in range(players):
                        payoffs[z, seat] = prize(states[d], players, seat, points_weight, unit, points)
                else:
                    pay_off(states[d], players, scheme, points, payoffs[z])
                used[TERMINALS] += 1
                d -= 1
                continue
            marks[d, WHO] = who
            outcome = arrive(path, d, silence, grown)
            if outcome != GROWN:
                return outcome
        if marks[d, NEXT] == marks[d, N_OPEN]:
            d -= 1
            continue
        if d + 1 >= len(marks):
            return TOO_DEEP
        actor = marks[d, WHO]
        action = moves[d, marks[d, NEXT]]
        states[d + 1] = states[d]
        for seat in range(players):
            last[d + 1, seat] = last[d, seat]
            for k in range(4):
                seen[d + 1, seat, k] = seen[d, seat, k]
        last[d + 1, actor] = facts[marks[d, INFOSET], FIRST] + marks[d, NEXT]
        add_action(seen[d + 1, actor], action)
        marks[d + 1, SILENT] = 0
        if action == silence:
            marks[d + 1, SILENT] = marks[d, SILENT] | 1 << actor
        else:
            apply(states[d + 1], actor, action)
        marks[d, NEXT] += 1
        d += 1
        fresh = True
    return GROWN


def ask_steady(views, facts, actions, first, last, work, silence, seed, samples, note, probabilities):
    """How often the game's heuristic chooses each action of infosets `first` … `last` − 1, over `samples` of its seeds."""
    for k in range(first, last):
        for sample in range(samples):
            work[0] = views[k]
            action = steady(work[0], facts[k, SEAT], stream(stream(seed, k), sample), note)
            if action < 0:
                action = silence
            for j in range(facts[k, N_ACTIONS]):
                if actions[facts[k, FIRST] + j] == action:
                    probabilities[facts[k, FIRST] + j] += 1.0 / samples
