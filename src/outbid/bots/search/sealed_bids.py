"""Mixed strategies for moves that stay hidden, so that an exploiter who knows the bot cannot predict them.

`evaluate` (rollouts.py) takes the others for players it knows, and always chooses what is best against those. Where a choice
lies hidden, that can be exploited. So there `strong` does something else with what it has evaluated:

- `bid`, where others choose at the same time, as with the sealed bids of Money!: regret matching over a table of payoffs.
  `evaluate` finds the seat's ROWS best moves. Then worlds are dealt in which no player has chosen yet, and each of the
  others is given OPTIONS moves in each of them: the heuristic's own (in every other world a policy net's, where there is one
  that is the better player), and such with another first step. The table holds what every combination of moves brings every
  seat, in one rollout each, for half as many as `evaluate` makes at most, within a third of the steps. ITERATIONS of regret
  matching+ on it give chances of the own moves, the same in all worlds: with a chance of TRUST the others play as `evaluate`
  took them to, else as is best for them, who know that world. That is a restricted Nash response (M. Johanson,
  M. Zinkevich and M. Bowling, Computing Robust Counter-Strategies, NIPS 2007).
- `soften`, where the seat alone chooses and its move stays hidden, as an offer in Kuhhandel: the moves that are about as
  good as the best are drawn, each exp(−how much worse / TEMPERATURE) times as often as the best.

Compiled subset.
"""

import math
from typing import Any, NamedTuple

from outbid.bots.belief.opponent_types import as_nets
from outbid.bots.nets.net_policy import LONGEST, draw_of, net_step
from outbid.bots.search.rollouts import evaluate, move, play_on, with_limits
from outbid.bots.search.subgame import CHOICE, drawn, take_back, unseen
from outbid.compiled.buffers import declared, float64, int64
from outbid.compiled.inference import chances
from outbid.compiled.loops import prize
from outbid.core.chance import below, step, stream
from outbid.core.contract import CLOCK, apply, asked, hide, legal, midway, redeal, retract_hidden, steady

SEATS = 8
ROWS = 4  # own moves in the table
OPTIONS = 3  # moves of each of the others, where there are FEW of them; else one less
FEW = 2
PROFILES = 16  # combinations of them; where there are more, nothing is drawn
LEAST, WORLDS = 2, 16  # worlds, at least and at most
ITERATIONS = 200
TRUST = 0.5
FAINT = 0.1  # what is chosen so much less often than the likeliest is not chosen at all
TEMPERATURE = 0.02
WORLDS_FROM = 1 << 17  # streams of a decision


@declared
class PayoffTable(NamedTuple):
    """Working space for a table of payoffs."""

    moves: Any = int64(WORLDS, SEATS, OPTIONS, LONGEST, says="what others may choose")
    lengths: Any = int64(WORLDS, SEATS, OPTIONS, says="of these, how many steps")
    payoffs: Any = float64(WORLDS, ROWS, PROFILES, SEATS, says="the table")
    others: Any = int64(SEATS, says="who else chooses")
    digits: Any = int64(SEATS, says="what each of them chooses in a combination")
    rows: Any = int64(ROWS, says="candidates")
    mine: Any = float64(5, ROWS, says="regrets, chances, their sums, payoffs; what `evaluate` says")
    theirs: Any = float64(3, WORLDS, SEATS, OPTIONS, says="regrets, chances, payoffs")


REGRET, CHANCE, SUM, PAYOFF, KNOWN = range(5)
THEIR_PAYOFF = 2


def chosen_together(states, i, seat, seed, subgame, work):
    """Whether others choose at the same time as the asked seat, of which it sees nothing; if so, the first world of
    `subgame` is one in which no player has chosen."""
    back = take_back(states, i, seat, seed, subgame)
    left = asked(subgame.worlds[0])
    if (left >> CLOCK) & 1 or (left >> seat) & 1 == 0 or left == 1 << seat:
        return False
    return unseen(seat, back, subgame, work)


def bid(states, i, seat, seed, config, subgame, table, work):
    """Evaluate the moves of an asked seat as `rollouts.evaluate` does, and draw one where there are several; its chances
    are in subgame.chance then, and of those in the table, what the table says they are worth. `chosen_together` must have
    been asked."""
    first = with_limits(config, config.budget, config.max_depth, 2 * config.steps // 3)
    best, n = evaluate(states, i, seat, seed, first, 0, work)
    if n < 2:
        return best, n
    many = choosers(subgame.worlds[0], seat, table)
    options = OPTIONS if many <= FEW else OPTIONS - 1
    profiles = 1
    for _ in range(many):
        profiles *= options
    if profiles > PROFILES:
        return best, n
    rows = best_rows(n, table, work)
    worlds = min(WORLDS, len(subgame.worlds) - 1, max(LEAST, config.budget // (2 * rows * profiles)))
    for w in range(worlds):
        if w >= LEAST and work.steps[0] >= config.steps:
            worlds = w
            break
        own = stream(seed, WORLDS_FROM + 2 * w)
        nets = as_nets(w, config.lead, work)
        states[i + 4] = states[i]
        redeal(states[i + 4], seat, own)
        retract_hidden(states[i + 4], seat)
        for k in range(many):
            for option in range(options):
                choose(states, i, w, table.others[k], option, nets, stream(own, option + 1), table, work)
        for r in range(rows):
            for profile in range(profiles):
                states[i + 2] = states[i + 4]
                move(states[i + 2], seat, work.moves[table.rows[r]], work.lengths[table.rows[r]])
                unpack(profile, many, options, table)
                for k in range(many):
                    other, option = table.others[k], table.digits[k]
                    move(states[i + 2], other, table.moves[w, other, option], table.lengths[w, other, option])
                play_on(states, i + 2, stream(seed, WORLDS_FROM + 2 * w + 1), config.max_depth, nets, work)
                payoffs(states, i + 2, config, table.payoffs[w, r, profile], work)
    base = work.value[0] / abs(work.played[0])
    for r in range(rows):
        c = table.rows[r]
        table.mine[KNOWN, r] = base + work.ahead[c] / abs(work.played[c])
    regret_matching(worlds, rows, profiles, many, options, seat, table)
    most = 0.0
    for r in range(rows):
        c = table.rows[r]
        work.value[c] = abs(work.played[c]) * table.mine[PAYOFF, r]
        most = max(most, table.mine[SUM, r])
    for c in range(n):
        subgame.chance[c] = 0.0
    for r in range(rows):
        if table.mine[SUM, r] >= FAINT * most:
            subgame.chance[table.rows[r]] = table.mine[SUM, r]
    return drawn(n, stream(seed, CHOICE), subgame), n


def best_rows(n, table, work):
    """The candidates that stayed longest, and did best of those: written to the table; returns how many."""
    rows = min(n, ROWS)
    for r in range(rows):
        best = -1
        for c in range(n):
            taken = False
            for k in range(r):
                taken |= table.rows[k] == c
            if not taken and (best < 0 or better(c, best, work)):
                best = c
        table.rows[r] = best
    return rows


def better(candidate, other, work):
    """Whether a candidate stayed longer than another, or as long and did better."""
    long, short = abs(work.played[candidate]), abs(work.played[other])
    if long != short:
        return long > short
    return work.ahead[candidate] > work.ahead[other]


def choosers(s, seat, table):
    """Write which other seats choose in a world in which none has; returns how many."""
    many = 0
    for other in range(s.players):
        if other != seat and (asked(s) >> other) & 1:
            table.others[many] = other
            many += 1
    return many


def choose(states, i, w, other, option, nets, seed, table, work):
    """Write what another may choose in the world in states[i + 4]: what the heuristic does, or a policy net if its bit is
    in `nets`; for all but the first option the first step is any."""
    states[i + 1] = states[i + 4]
    moves = table.moves[w, other, option]
    n = 0
    while n < LONGEST:
        if option > 0 and n == 0:
            open_now = legal(states[i + 1], other, work.out)
            action = work.out[below(step(seed), open_now)]
        elif (nets >> other) & 1:
            action = net_step(states, i + 1, other, draw_of(seed, n), work)
        else:
            states[i + 2] = states[i + 1]
            hide(states[i + 2], other)
            action = steady(states[i + 2], other, seed, work.note)
        moves[n] = action
        apply(states[i + 1], other, action)
        n += 1
        if midway(states[i + 1], other) == 0:
            break
    table.lengths[w, other, option] = n


def unpack(profile, many, options, table):
    """Write which option each of the others chooses in a combination."""
    for k in range(many):
        table.digits[k] = profile % options
        profile //= options


def payoffs(states, at, config, out, work):
    """What a position is worth to every seat, as `rollouts.payoff` has it for one."""
    s = states[at]
    if asked(s) != 0 and config.max_depth > 0:
        chances(states, at, work.weights, work.obs, work.layer, work.chance)
        work.steps[0] += s.players
        for seat in range(s.players):
            out[seat] = work.chance[seat]
        return
    for seat in range(s.players):
        out[seat] = prize(s, s.players, seat, config.points_weight, config.unit, work.points)


def regret_matching(worlds, rows, profiles, many, options, seat, table):
    """Regret matching+ on the table; the sums of the own chances, later ones weighing more, stand in mine[SUM]."""
    mine, theirs = table.mine, table.theirs
    for r in range(rows):
        mine[REGRET, r] = 0.0
        mine[SUM, r] = 0.0
    for w in range(worlds):
        for k in range(many):
            for option in range(options):
                theirs[REGRET, w, k, option] = 0.0
    for t in range(ITERATIONS):
        proportions(mine[REGRET], mine[CHANCE], rows)
        for r in range(rows):
            mine[PAYOFF, r] = TRUST * mine[KNOWN, r]
            mine[SUM, r] += (t + 1) * mine[CHANCE, r]
        for w in range(worlds):
            for k in range(many):
                proportions(theirs[REGRET, w, k], theirs[CHANCE, w, k], options)
                for option in range(options):
                    theirs[THEIR_PAYOFF, w, k, option] = 0.0
            for profile in range(profiles):
                unpack(profile, many, options, table)
                reached = 1.0
                for k in range(many):
                    reached *= theirs[CHANCE, w, k, table.digits[k]]
                for r in range(rows):
                    mine[PAYOFF, r] += (1.0 - TRUST) / worlds * reached * table.payoffs[w, r, profile, seat]
                for k in range(many):
                    without = 1.0
                    for other in range(many):
                        if other != k:
                            without *= theirs[CHANCE, w, other, table.digits[other]]
                    for r in range(rows):
                        theirs[THEIR_PAYOFF, w, k, table.digits[k]] += (
                            without * mine[CHANCE, r] * table.payoffs[w, r, profile, table.others[k]]
                        )
            for k in range(many):
                regret(theirs[REGRET, w, k], theirs[CHANCE, w, k], theirs[THEIR_PAYOFF, w, k], options)
        regret(mine[REGRET], mine[CHANCE], mine[PAYOFF], rows)


def proportions(regrets, out, n):
    """Chances in proportion to the regrets, even where there are none."""
    total = 0.0
    for k in range(n):
        total += regrets[k]
    for k in range(n):
        out[k] = regrets[k] / total if total > 0.0 else 1.0 / n


def regret(regrets, now, payoff, n):
    """Add how much better each would have been than the chances of now."""
    mean = 0.0
    for k in range(n):
        mean += now[k] * payoff[k]
    for k in range(n):
        regrets[k] = max(0.0, regrets[k] + payoff[k] - mean)


def stays_hidden(states, i, seat, seed, best, work):
    """Whether a candidate, once made, lies hidden from another seat."""
    states[i + 2] = states[i]
    redeal(states[i + 2], seat, stream(seed, WORLDS_FROM))
    move(states[i + 2], seat, work.moves[best], work.lengths[best])
    for other in range(states[i].players):
        states[i + 3] = states[i + 2]
        if other != seat and (retract_hidden(states[i + 3], other) >> seat) & 1:
            return True
    return False


def soften(best, n, seed, subgame, work):
    """Draw one of the candidates that were evaluated about as often as the best, and are about as good."""
    top = work.ahead[best] / work.played[best]
    for c in range(n):
        times = abs(work.played[c])
        subgame.chance[c] = 0.0
        if 2 * times >= work.played[best]:
            worse = top - work.ahead[c] / times
            likely = math.exp(-max(0.0, worse) / TEMPERATURE)
            if likely >= FAINT:
                subgame.chance[c] = likely
    return drawn(n, stream(seed, CHOICE), subgame)
