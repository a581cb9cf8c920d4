"""Subgame solving for two players: CFR+ over everything that they could still be playing, where that is little.

    row, n = solve_subgame(states, i, seat, seed, config, subgame, work)     n = −1: too much can still happen

The worlds a seat believes in are not enough: what a player bids depends on what the others take it to have. So
`common_knowledge` deals anew from the view of each seat, out of every world it has found, until there are no more: the
subgame of common knowledge (N. Burch, M. Johanson and M. Bowling, Solving Imperfect Information Games Using Decomposition,
AAAI 2014). What a player has chosen and no other has seen is taken back (`retract_hidden`), to be chosen again. Worlds that
differ count alike; where some are likelier than others (`has_uniform_prior`), nothing is solved. Then the trees of all these
worlds are grown together (compiled/game_tree.py), CFR+ (O. Tammelin, Solving Large Imperfect Information Games Using CFR+,
arXiv 1407.5042, 2014) makes ITERATIONS on them (compiled/sequence_form.py), and the seat draws its move by the average,
without what it would hardly ever do. As a player in equilibrium cannot be exploited, whether it is known how the others play
does not matter.

What the players have done before is taken for no sign of what they hold, beyond what is certain. A tree knows one order of
play; where two choose at the same time and one would see something of the other's choice, it is not the match (`unseen`).
Little means: two seats, at most as many worlds, information sets, sequences (and histories) as there is room for, paths of
at most DEEPEST steps. Compiled subset.
"""

from typing import Any, NamedTuple

from outbid.bots.belief.determinize import alike
from outbid.bots.nets.net_policy import LONGEST
from outbid.bots.search.rollouts import MOST
from outbid.compiled.buffers import cells, declared, float64, int64, records
from outbid.core.chance import below, stream
from outbid.core.contract import apply, asked, has_uniform_prior, hide, legal, midway, retract_hidden, redeal
from outbid.compiled.game_tree import (
    BEFORE, FIRST, GROWN, HISTORIES, INFOSETS, N_ACTIONS, PRIZE, SEQUENCES, TERMINALS, Grown, Path, add_observation, begin,
    grow,
)  # fmt: skip
from outbid.core.seats import lowest
from outbid.compiled.sequence_form import Cfr, by_seats, clear, counter, follow, iterate, normalize, realize

SEATS = 2
DEEPEST = 64  # steps of a path
ITERATIONS = 300
DRAWS = 8  # for each world there is room for: how often what a seat sees is dealt anew
FAINT = 0.02  # what is chosen so much less often than the likeliest is not chosen at all
OFTEN = 10_000  # a move's chance is told in these
DRAWS_FROM = 1 << 16  # streams of a decision
CHOICE = (1 << 16) - 1  # the one by which the move is drawn
TOO_MUCH = -1
NOW = 3  # the place in Path.states of what the seat sees


@declared
class Subgame(NamedTuple):
    """Working space; its lengths are what counts as little (`strong.LITTLE`). W worlds, K information sets, J sequences."""

    worlds: Any = records("W + 1", says="the worlds that are possible")
    bytes: Any = cells("worlds")
    hashes: Any = int64("W + 1", 4, says="by which they are told apart (game_tree.py)")
    view_hashes: Any = int64(SEATS, "W + 1", 4, says="hashes of what each seat sees there")
    path: Any = Path
    grown: Any = Grown
    view_cells: Any = cells("grown.views")
    ordered: Any = int64("K", 4, says="facts in the order of seats (sequence_form.by_seats)")
    rows: Any = int64("K", says="where each was before")
    former: Any = int64("J", says="a sequence's name before")
    renamed: Any = int64("J", says="and its name since")
    ranges: Any = int64("P + 1", says="where the information sets of each seat begin")
    cfr: Any = Cfr
    last: Any = int64(MOST, says="the last sequence of a move")
    chance: Any = float64(MOST, says="how likely it is")
    solved: Any = int64(1, says="how many worlds the last decision was solved for; 0: for none")
    mixed: Any = int64(1, says="1 if its move was drawn by `chance`")


def solve_subgame(states, i, seat, seed, config, subgame, work):
    """Solve what can still happen for the asked seat of states[i], which is hidden for it. Writes its moves as
    `rollouts.evaluate` does, but that `played` says how often each is chosen, of about OFTEN times; returns the number of
    the one that is drawn and how many there are, or TOO_MUCH."""
    if states[i].players != SEATS:
        return 0, TOO_MUCH
    back = take_back(states, i, seat, seed, subgame)
    n = common_knowledge(seed, subgame, work)
    if n == 0 or not has_uniform_prior(subgame.worlds[0]) or not unseen(seat, back, subgame, work):
        return 0, TOO_MUCH
    if not grow_all(n, config, subgame, work):
        return 0, TOO_MUCH
    root, possible = root_of(n, seat, subgame, work)
    if root < 0:
        return 0, TOO_MUCH
    solve(seat, subgame)
    rows = spell(root, seat, subgame, work)
    if rows > 0:
        subgame.solved[0] = n
        return draw(rows, possible, stream(seed, CHOICE), subgame, work), rows
    return 0, TOO_MUCH


def take_back(states, i, seat, seed, subgame):
    """Write a world in which everything that no other seat has seen is taken back to worlds[0], and what the seat sees now
    to subgame.path.states[NOW]; returns who has chosen already, as a bit mask."""
    subgame.worlds[0] = states[i]
    redeal(subgame.worlds[0], seat, stream(seed, DRAWS_FROM))
    subgame.path.states[NOW] = subgame.worlds[0]
    hide(subgame.path.states[NOW], seat)
    return retract_hidden(subgame.worlds[0], seat)


def common_knowledge(seed, subgame, work):
    """Find all worlds from the first; returns how many there are, 0 if there are too many. Each that is dealt is a step."""
    states = subgame.path.states
    most = len(subgame.worlds) - 1
    draws = DRAWS * most
    hashed(subgame.bytes[0], subgame.hashes[0])
    n = 1
    done = 0
    while done < n:
        for viewer in range(SEATS):
            states[0] = subgame.worlds[done]
            hide(states[0], viewer)
            hashed(subgame.path.cells[0], subgame.view_hashes[viewer, done])
            if place(subgame.view_hashes[viewer], done) < done:
                continue  # that has been dealt anew
            work.steps[0] += draws
            for k in range(draws):
                subgame.worlds[n] = states[0]
                redeal(subgame.worlds[n], viewer, stream(seed, DRAWS_FROM + (SEATS * done + viewer) * draws + k + 1))
                retract_hidden(subgame.worlds[n], viewer)
                hashed(subgame.bytes[n], subgame.hashes[n])
                if place(subgame.hashes, n) == n:
                    n += 1
                    if n > most:
                        return 0
        done += 1
    return n


def hashed(cells, out):
    """Hash a record, by its bytes."""
    begin(out, 0)
    add_observation(out, cells, len(cells), True)


def place(hashes, n):
    """The first record with the hash of number n."""
    at = 0
    while hashes[at, 0] != hashes[n, 0] or hashes[at, 1] != hashes[n, 1]:
        at += 1
    return at


def unseen(seat, back, subgame, work):
    """Whether the seat sees the same whatever others choose at the same time, and that is what it sees now, when those in
    `back` have chosen."""
    states, cells = subgame.path.states, subgame.path.cells
    states[1] = subgame.worlds[0]
    states[4] = subgame.worlds[0]
    for other in range(states[1].players):
        if other == seat or (asked(states[1]) >> other) & 1 == 0:
            continue
        n = legal(states[1], other, work.out)
        for k in range(2 * n):
            states[0] = states[1]
            pick(states[0], other, k, work.out)
            hide(states[0], seat)
            if k == 0:
                states[2] = states[0]
            elif not alike(cells[0], cells[2]):
                return False
        if (back >> other) & 1:
            pick(states[4], other, 0, work.out)
    hide(states[4], seat)
    return alike(cells[4], cells[NOW])


def pick(s, seat, k, out):
    """Make a move: the first step is number k >> 1, then always the first that is open, or the last where k is odd."""
    legal(s, seat, out)
    apply(s, seat, out[k >> 1])
    while midway(s, seat) != 0:
        n = legal(s, seat, out)
        apply(s, seat, out[(k & 1) * (n - 1)])


def grow_all(n, config, subgame, work):
    """Grow the trees of n worlds together; whether there was room. Each position is a step."""
    grown = subgame.grown
    for k in range(len(grown.table)):
        grown.table[k] = -1
    for k in range(len(grown.used)):
        grown.used[k] = 0
    grown.used[SEQUENCES] = SEATS
    silence, limit = len(work.out) - 64, len(grown.actions)
    for w in range(n):
        subgame.path.states[0] = subgame.worlds[w]
        before = grown.used[HISTORIES]
        how = grow(
            subgame.path, grown, SEATS, silence, PRIZE, config.points_weight, config.unit, limit, work.points, work.out
        )
        work.steps[0] += grown.used[HISTORIES] - before
        if how != GROWN:
            return False
    ordered, rows, former, renamed = subgame.ordered, subgame.rows, subgame.former, subgame.renamed
    by_seats(grown.facts, grown.used[INFOSETS], SEATS, ordered, rows, former, renamed, subgame.ranges)
    for z in range(grown.used[TERMINALS]):
        for seat in range(SEATS):
            grown.ends[z, seat] = renamed[grown.ends[z, seat]]
    return True


def root_of(n, seat, subgame, work):
    """The information set in which the seat decides now, and how many worlds are possible there; −1 if there is none."""
    states, cells = subgame.path.states, subgame.path.cells
    before_it(0, seat, subgame, work.out)
    states[2] = states[0]
    root = -1
    for k in range(subgame.ranges[seat], subgame.ranges[seat + 1]):
        if subgame.ordered[k, BEFORE] == seat and alike(subgame.view_cells[subgame.rows[k]], cells[2]):
            root = k
    possible = 0
    for w in range(n):
        before_it(w, seat, subgame, work.out)
        possible += alike(cells[0], cells[2])
    return root, possible


def before_it(w, seat, subgame, out):
    """Write what the seat sees in a world when it decides into states[0]; a seat that decides before it in the tree takes
    the first action that is open: it is not seen which."""
    states = subgame.path.states
    states[0] = subgame.worlds[w]
    for _ in range(DEEPEST):
        other = lowest(asked(states[0]))
        if other == seat:
            break
        legal(states[0], other, out)
        apply(states[0], other, out[0])
    hide(states[0], seat)


def solve(seat, subgame):
    """CFR+. Then `current` is the average, and `values` what the seat's sequences are worth, summed over worlds."""
    cfr, grown, ordered = subgame.cfr, subgame.grown, subgame.ordered
    n, terminals = grown.used[INFOSETS], grown.used[TERMINALS]
    for j in range(grown.used[SEQUENCES]):
        cfr.regrets[j] = 0.0
        cfr.sums[j] = 0.0
        cfr.plan[j] = 1.0
    normalize(ordered, n, cfr.sums, cfr.current)
    realize(ordered, 0, n, cfr.current, cfr.plan)
    iterate(ordered, subgame.ranges, grown.ends, grown.payoffs, terminals, 0, ITERATIONS, cfr)
    normalize(ordered, n, cfr.sums, cfr.current)
    realize(ordered, 0, n, cfr.current, cfr.plan)
    first, last = subgame.ranges[seat], subgame.ranges[seat + 1]
    clear(ordered, first, last, seat, cfr.values)
    counter(grown.ends, grown.payoffs, terminals, seat, cfr.plan, cfr.values)
    follow(ordered, first, last, cfr.current, cfr.values)


def spell(root, seat, subgame, work):
    """Write the whole moves that are chosen at the root; returns how many, 0 if one is too long."""
    rows = extend(root, -1, 0, subgame, work)
    row = 0
    while row < rows:
        k = goes_on(row, seat, subgame)
        if k < 0:
            row += 1
        elif work.lengths[row] == LONGEST:
            return 0
        else:
            rows = extend(k, row, rows, subgame, work)
    return rows


def extend(k, row, rows, subgame, work):
    """Let the move in a row, −1 for none, go on with what is chosen at an information set: the first action in its place,
    the others in rows of their own. Returns how many rows there are then."""
    current = subgame.cfr.current
    begun = 0
    likely = 1.0
    if row >= 0:
        begun = work.lengths[row]
        likely = subgame.chance[row]
    start = subgame.ordered[k, FIRST]
    end = start + subgame.ordered[k, N_ACTIONS]
    most = 0.0
    for j in range(start, end):
        most = max(most, current[j])
    at = row
    for j in range(start, end):
        if current[j] >= FAINT * most and (at >= 0 or rows < len(work.lengths)):
            if at < 0:
                at = rows
                rows += 1
                for step in range(begun):
                    work.moves[at][step] = work.moves[row][step]
            work.moves[at][begun] = subgame.grown.actions[subgame.former[j]]
            work.lengths[at] = begun + 1
            subgame.last[at] = j
            subgame.chance[at] = likely * current[j]
            at = -1
    return rows


def goes_on(row, seat, subgame):
    """The information set in which a move that has begun goes on; −1 if it is whole."""
    for k in range(subgame.ranges[seat], subgame.ranges[seat + 1]):
        if subgame.ordered[k, BEFORE] == subgame.last[row] and midway(subgame.grown.views[subgame.rows[k]], seat) != 0:
            return k
    return -1


def draw(n, possible, r, subgame, work):
    """Say what each move is worth and how often it is chosen, and draw one."""
    chosen = drawn(n, r, subgame)
    for c in range(n):
        work.played[c] = max(1, int(OFTEN * subgame.chance[c] + 0.5))
        work.value[c] = subgame.cfr.values[subgame.last[c]] / possible * work.played[c]
    return chosen


def drawn(n, r, subgame):
    """Draw one of n moves by subgame.chance, which comes to add up to 1."""
    total = 0.0
    for c in range(n):
        total += subgame.chance[c]
    left = total * below(r, 1 << 30) / (1 << 30)
    chosen = -1
    for c in range(n):
        left -= subgame.chance[c]
        if chosen < 0 and left < 0.0:
            chosen = c
        subgame.chance[c] /= total
    subgame.mixed[0] = 1
    return max(chosen, 0)
