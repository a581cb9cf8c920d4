"""Generic loops over states, written once for every game. Compiled subset; on plain states they run as they are.

`states` is a structured array (or a list of plain states), `i` an index into it: a record handed over from Python costs
more than a step. `out` is working space for action ids, `points` for scores; both are given by the caller, because
plain code has lists and compiled code arrays. Loops of batches take tuples of declared arrays (buffers.py).
"""

from typing import Any, NamedTuple

from outbid.compiled.buffers import bool_, declared, float32, int16, int64, records
from outbid.core.chance import below, step, stream
from outbid.core.hooks.policy_params import OTHERS
from outbid.core.seats import how_many, lowest
from outbid.core.contract import (
    CLOCK, PLAN, apply, asked, deal, hide, legal, midway, observe, play, redeal, resume, score, steady, winners,
)  # fmt: skip


def some(mask, r):
    """A random seat of a bit mask; seats that are alone need no random number."""
    if mask & (mask - 1) == 0:
        return lowest(mask)
    n = 0
    for seat in range(CLOCK + 1):
        n += (mask >> seat) & 1
    n = below(r, n)
    for seat in range(CLOCK + 1):
        if (mask >> seat) & 1:
            if n == 0:
                return seat
            n -= 1
    return 0


def rollout(states, i, seed, limit, out):
    """Uniformly random steps until the match is over or `limit` is reached; returns the number of steps."""
    s = states[i]
    r = seed
    for steps in range(limit):
        mask = asked(s)
        if mask == 0:
            return steps
        r = step(r)
        seat = some(mask, r)
        n = legal(s, seat, out)
        r = step(r)
        if n > 0:
            apply(s, seat, out[below(r, n)])
    return limit


def rollouts(states, start, seeds, first, last, limit, players, out):
    """Matches `first` … `last` − 1, dealt and played at random in one record; returns steps, and moves and ends.

    start: an index of a fresh state with its options; states[start + 1] is the working record."""
    total = 0
    for number in range(first, last):
        states[start + 1] = states[start]
        deal(states[start + 1], players, stream(seeds, number))
        total += rollout(states, start + 1, stream(seeds, number + (1 << 40)), limit, out)
    return total


def rollouts_seen(states, start, seeds, first, last, limit, players, mask, obs, out):
    """Play matches as `rollouts` does, and write before each step what a learner would get: the mask of the legal actions
    and the features of the seat that acts. mask: bool (A,). obs: float32 (F,)."""
    total = 0
    for number in range(first, last):
        states[start + 1] = states[start]
        deal(states[start + 1], players, stream(seeds, number))
        r = stream(seeds, number + (1 << 40))
        for _ in range(limit):
            waiting = asked(states[start + 1])
            if waiting == 0:
                break
            r = step(r)
            seat = some(waiting, r)
            n = legal(states[start + 1], seat, out)
            r = step(r)
            if n > 0:
                write_mask(mask, n, out)
                observe(states[start + 1], seat, obs)
                apply(states[start + 1], seat, out[below(r, n)])
            total += 1
    return total


# --- contests: matches among policies -----------------------------------------------------------------------------------

RANDOM, STEADY, LEARNER = range(3)  # policies: random steps; the game's own heuristic on a hidden copy; who is outside
OUTSIDE = -1  # policy OUTSIDE - k: number k of those who are asked outside of these loops (single_agent.py)
SEATS_FROM = 1 << 40  # streams of a match from here on: one a seat
CLOCK_FROM = 1 << 41  # the stream that decides who is faster than the clock


def columns(players):
    """Length of a row of results: per seat its score, its moves and its steps; then the winners and the clock's acts."""
    return 3 * players + 2


def count_step(s, seat, players, tally):
    """Count a step that has been made, and the move if that completes it."""
    if seat == CLOCK:
        tally[3 * players + 1] += 1
    else:
        tally[2 * players + seat] += 1
        if midway(s, seat) == 0:
            tally[players + seat] += 1


def next_step(states, i, match, policies, players, out, note, tally):
    """Who acts next, and with what. Where the clock may act, it does when all who are asked have nothing to say; a
    random seat stays silent as often as the clock is drawn before it."""
    left = asked(states[i])
    if (left >> CLOCK) & 1 == 0:
        seat = lowest(left)
        return seat, answer(states, i, seat, match, policies, players, out, note, tally)
    acts = tally[3 * players + 1]
    for seat in range(players):
        acts += tally[2 * players + seat]
    r = stream(stream(match, CLOCK_FROM), acts)
    while left != 0:
        r = step(r)
        seat = some(left, r)
        left &= ~(1 << seat)
        if seat == CLOCK:
            for other in range(players):
                if policies[other] <= RANDOM or policies[other] == LEARNER:
                    left &= ~(1 << other)
        else:
            action = answer(states, i, seat, match, policies, players, out, note, tally)
            if action >= 0:
                return seat, action
    legal(states[i], CLOCK, out)
    return CLOCK, out[0]


def answer(states, i, seat, match, policies, players, out, note, tally):
    """The action of an asked seat, or −1 for nothing to say; states[i + 1] is the hidden copy. A learner, or who is asked
    outside, is not asked here: any legal action stands for what it does."""
    own = stream(match, SEATS_FROM + seat)
    if policies[seat] <= RANDOM or policies[seat] == LEARNER:
        n = legal(states[i], seat, out)
        if n == 0:
            return -1
        return out[below(stream(own, tally[2 * players + seat]), n)]
    states[i + 1] = states[i]
    hide(states[i + 1], seat)
    return play(states[i + 1], seat, stream(own, tally[players + seat]), note, max(0, policies[seat] - OTHERS))


def planned(s, seat, note):
    """The next step of a move that a player has planned as a whole, or −1: it is asked."""
    if note[PLAN] == 0 or midway(s, seat) == 0:
        return -1
    return resume(s, seat, note)


def until_learner(states, i, match, policies, players, out, note, tally):
    """Let the bots and the clock act until a learner is to, or who is asked outside; returns its seat, or −1 when the match
    is over.

    states[i + 1] is worked in. tally counts the steps of all seats; those of that seat are counted by `count_step`."""
    while asked(states[i]) != 0:
        seat, action = next_step(states, i, match, policies, players, out, note, tally)
        if seat != CLOCK and (policies[seat] == LEARNER or policies[seat] < 0):
            return seat
        apply(states[i], seat, action)
        count_step(states[i], seat, players, tally)
    return -1


# --- batches: each call serves matches `first` … `last` − 1 ------------------------------------------------------------

PLAY, BEGIN, LEAVE, GO_ON = range(4)  # todo: what becomes of a match in this step; GO_ON: it goes on within the step
WIN, MARGIN, RANK, SCORE = range(4)  # reward schemes
NOBODY = -1  # in a column of `turn`: no seat answers there
TURNS_FROM = 1 << 42  # streams of a match from here on: who answers first of several
LEARNER_FROM = 1 << 43  # the stream that says where the learner sits
BOTS_FROM = 1 << 45  # streams of a match from here on: which of several bots sits in a place


@declared
class Rows(NamedTuple):
    """Matches that are stepped together (vector.py), n rows; P players, A actions; C columns: P if all that are asked act at
    once, else 1."""

    states: Any = records("n", says="the running match")
    fresh: Any = records("setups", says="states that matches begin from")
    setup: Any = int64("n", says="which of them")
    players: Any = int64("n", says="how many sit in it")
    seeds: Any = int64("n", says="the seed of the row")
    number: Any = int64("n", says="of the match in its row")
    deals: Any = int64("n", says="the seed of its deal")
    todo: Any = int64("n", says="PLAY, BEGIN, LEAVE or GO_ON")
    turn: Any = int64("n", "C", says="who answers; NOBODY")
    actions: Any = int64("n", "C", says="what they answer")
    mask: Any = bool_("n", "C", "A", says="the legal actions")
    allowed: Any = bool_("n", "C", "A", says="the legal actions, for those who gave away `mask`")
    choices: Any = int16("n", "C", "A + 64", says="the legal action ids; rules write behind the last one, too")
    count: Any = int64("n", "C", says="how many they are")
    reward: Any = float32("n", "P", says="by seat, of the match that the last step ended; else 0")
    done: Any = bool_("n", says="the last step ended a match")
    episode: Any = int64("n", says="matches ended so far")
    steps: Any = int64("n", says="actions in the running match")
    ended: Any = records("ended", says="how matches ended; one record: that is not kept")


@declared
class Learner(NamedTuple):
    """The learner of each match (single_agent.py), and who sits in the other seats."""

    place: Any = int64("n", says="where it is to sit; −1: the deal says")
    seat: Any = int64("n", says="where it sits")
    was: Any = int64("n", says="where it sat in the match that the last step ended")
    policies: Any = int64("n", "P", says="who plays each seat")
    tally: Any = int64("n", "columns", says="moves and steps, as `count_step` counts them")
    bots: Any = int64("others", "pool", says="policies, one of which is drawn for the k-th seat after the learner")
    sizes: Any = int64("others", says="from how many of them")


@declared
class Scratch(NamedTuple):
    """Working space of one thread."""

    states: Any = records(2)
    out: Any = int64("A + 64", says="action ids")
    note: Any = int64(64, says="the heuristic's reason")
    points: Any = int64(64, says="scores")


def step_batch(rows, first, last, joint, scheme, unit, scratch):
    """One legal action of every seat in `turn`, in every match. A match that ends is rewarded and begins anew."""
    states, players, deals, steps = rows.states, rows.players, rows.deals, rows.steps
    todo, turn, actions, reward, done = rows.todo, rows.turn, rows.actions, rows.reward, rows.done
    mask, allowed, choices, count = rows.mask, rows.allowed, rows.choices, rows.count
    seeds, number, fresh, setup, ended, episode = rows.seeds, rows.number, rows.fresh, rows.setup, rows.ended, rows.episode
    out, points = scratch.out, scratch.points
    for i in range(first, last):
        if todo[i] == LEAVE:
            continue
        for seat in range(reward.shape[1]):
            reward[i, seat] = 0.0
        done[i] = False
        who = 0
        if todo[i] == PLAY:
            for column in range(turn.shape[1]):
                if turn[i, column] != NOBODY:
                    apply(states[i], turn[i, column], actions[i, column])
                    steps[i] += 1
            who = answering_seats(states, i, joint, deals, steps, out)
            if who == 0:
                done[i] = True
                pay_out(states[i], players[i], scheme, unit, i, reward, points)
                episode[i] += 1
                number[i] += 1
                if ended.shape[0] > 1:
                    ended[i] = states[i]
        if who == 0:
            deals[i] = seeds[i]
            if number[i] > 0:
                deals[i] = stream(seeds[i], number[i])
            states[i] = fresh[setup[i]]
            deal(states[i], players[i], deals[i])
            steps[i] = 0
            who = answering_seats(states, i, joint, deals, steps, out)
        write_question(states, i, who, joint, turn, mask, allowed, choices, count)


def against_batch(rows, learner, first, last, scheme, unit, tries, scratch):
    """One legal action of who is asked in every match, and all that follows until the learner, or who is asked outside, is
    to act (single_agent.py).

    A match in which the learner is not asked at all counts for nothing; after `tries` of them in a row the match is left as
    it is, and no seat answers there."""
    states, players, number, deals, steps = rows.states, rows.players, rows.number, rows.deals, rows.steps
    todo, turn, reward, done = rows.todo, rows.turn, rows.reward, rows.done
    seat, policies, tally = learner.seat, learner.policies, learner.tally
    place, was, bots, sizes = learner.place, learner.was, learner.bots, learner.sizes
    actions, mask, allowed, choices, count = rows.actions, rows.mask, rows.allowed, rows.choices, rows.count
    seeds, fresh, setup, ended, episode = rows.seeds, rows.fresh, rows.setup, rows.ended, rows.episode
    work, out, note, points = scratch.states, scratch.out, scratch.note, scratch.points
    for i in range(first, last):
        if todo[i] == LEAVE:
            continue
        if todo[i] != GO_ON:
            for column in range(reward.shape[1]):
                reward[i, column] = 0.0
            done[i] = False
        who = -1
        if todo[i] != BEGIN:
            acting = turn[i, 0]
            work[0] = states[i]
            apply(work[0], acting, actions[i, 0])
            count_step(work[0], acting, players[i], tally[i])
            steps[i] += acting == seat[i]
            who = until_learner(work, 0, deals[i], policies[i], players[i], out, note, tally[i])
            if who < 0:
                number[i] += 1
            if who < 0 and steps[i] > 0:
                done[i] = True
                pay_out(work[0], players[i], scheme, unit, i, reward, points)
                was[i] = seat[i]
                episode[i] += 1
                if ended.shape[0] > 1:
                    ended[i] = work[0]
        for _ in range(tries):
            if who >= 0:
                break
            deals[i] = seeds[i]
            if number[i] > 0:
                deals[i] = stream(seeds[i], number[i])
            work[0] = fresh[setup[i]]
            deal(work[0], players[i], deals[i])
            steps[i] = 0
            seat[i] = seated(place[i], players[i], deals[i])
            assign_bots(policies[i], bots, sizes, seat[i], players[i], deals[i])
            for column in range(columns(players[i])):
                tally[i, column] = 0
            who = until_learner(work, 0, deals[i], policies[i], players[i], out, note, tally[i])
            number[i] += who < 0
        states[i] = work[0]
        answering = 0
        if who >= 0:
            answering = 1 << who
        write_question(states, i, answering, False, turn, mask, allowed, choices, count)


def seated(place, players, match):
    """Where the learner sits: at `place`, or where the deal says if that is −1."""
    if place >= 0:
        return place
    return below(stream(match, LEARNER_FROM), players)


def assign_bots(policies, bots, sizes, seat, players, match):
    """Who plays each seat: the learner its own; the k-th clockwise after it one of the first sizes[k] of bots[k], drawn by
    the deal."""
    policies[seat] = LEARNER
    for k in range(players - 1):
        drawn = 0
        if sizes[k] > 1:
            drawn = below(stream(match, BOTS_FROM + k), sizes[k])
        policies[(seat + 1 + k) % players] = bots[k][drawn]


def observe_rows(rows, which, obs):
    """The features of matches `which`, for the seats that answer there."""
    for k in range(len(which)):
        observe(rows.states[which[k]], rows.turn[which[k], 0], obs[k])


def answering_seats(states, i, joint, deals, steps, out):
    """Who answers next in match i, as a bit mask: one seat, of several asked a random one, or all at once if `joint`.

    While the clock is asked, too, it is one that is drawn; the clock, when no seat drawn could say anything. In joint mode
    the clock acts here at once. 0: the match is over."""
    waiting = asked(states[i])
    while (waiting >> CLOCK) & 1:
        seat = some(waiting, stream(deals[i], TURNS_FROM + steps[i]))
        if seat != CLOCK and legal(states[i], seat, out) == 0:
            seat = CLOCK
        if seat != CLOCK or not joint:
            return 1 << seat
        legal(states[i], CLOCK, out)
        apply(states[i], CLOCK, out[0])
        steps[i] += 1
        waiting = asked(states[i])
    if joint or waiting & (waiting - 1) == 0:
        return waiting
    return 1 << some(waiting, stream(deals[i], TURNS_FROM + steps[i]))


def write_question(states, i, who, joint, turn, mask, allowed, choices, count):
    """Write who answers in match i, and with what. `allowed` is the mask again, for who gave away the first one."""
    for column in range(turn.shape[1]):
        seat = column if joint else lowest(who)
        n = 0
        turn[i, column] = NOBODY
        if (who >> seat) & 1:
            turn[i, column] = seat
            n = legal(states[i], seat, choices[i, column])
        count[i, column] = n
        write_mask(mask[i, column], n, choices[i, column])
        write_mask(allowed[i, column], n, choices[i, column])


def write_questions(rows, which, joint, out):
    """Write who answers in the matches `which`, as others have set."""
    for k in range(len(which)):
        i = which[k]
        who = answering_seats(rows.states, i, joint, rows.deals, rows.steps, out)
        write_question(rows.states, i, who, joint, rows.turn, rows.mask, rows.allowed, rows.choices, rows.count)


def write_mask(mask, n, out):
    """The mask of the first n actions of `out`."""
    for action in range(len(mask)):
        mask[action] = False
    for k in range(n):
        mask[out[k]] = True


def pay_out(s, players, scheme, unit, i, reward, points):
    """The rewards at the end of match i: the share of the victory, or what the points come to."""
    won = winners(s, points)
    if scheme == WIN:
        n = how_many(won, players)
        for seat in range(players):
            if (won >> seat) & 1:
                reward[i, seat] = 1.0 / n
        return
    score(s, points)
    total = 0
    for seat in range(players):
        total += points[seat]
    for seat in range(players):
        if scheme == SCORE:
            reward[i, seat] = points[seat]
        elif scheme == MARGIN:
            reward[i, seat] = (points[seat] - (total - points[seat]) / (players - 1)) / unit
        else:
            behind = 0  # twice the seats behind, and once those level: a winner is before all others
            for other in range(players):
                ahead = lead(won, points, seat, other)
                behind += (ahead >= 0) + (ahead > 0)
            reward[i, seat] = (behind - 1) / (2 * (players - 1))


def lead(won, points, seat, other):
    """Above 0 if `seat` finished before `other`, 0 if level: a winner is before all others, then points decide."""
    ahead = ((won >> seat) & 1) - ((won >> other) & 1)
    if ahead == 0:
        ahead = points[seat] - points[other]
    return ahead


def prize(s, players, seat, points_weight, unit, points):
    """What the end of a match is worth to a seat, 0 to 1: its share of the victory, and a little for the lead in points, of
    which `unit` are much."""
    won = winners(s, points)
    n = how_many(won, players)
    share = ((won >> seat) & 1) / max(n, 1)
    score(s, points)
    rival = -(1 << 60)
    for other in range(players):
        if other != seat and points[other] > rival:
            rival = points[other]
    ahead = (points[seat] - rival) / unit
    ahead = 0.5 + 0.5 * ahead / (1.0 + abs(ahead))
    return (1.0 - points_weight) * share + points_weight * ahead


def wrong_batch(first, last, turn, allowed, actions):
    """The first match, of those that play, with an action that is not legal; −1 if there is none."""
    for i in range(first, last):
        for column in range(turn.shape[1]):
            action = actions[i, column]
            if turn[i, column] == NOBODY:
                if action != -1:
                    return i
            elif action < 0 or action >= allowed.shape[2] or not allowed[i, column, action]:
                return i
    return -1


def observe_batch(states, first, last, turn, obs):
    """The features of every match for the seats in `turn`; else 0."""
    for i in range(first, last):
        for column in range(turn.shape[1]):
            seat = turn[i, column]
            if seat >= 0 and seat != CLOCK:
                observe(states[i], seat, obs[i, column])
            else:
                for k in range(obs.shape[2]):
                    obs[i, column, k] = 0.0


def steady_batch(rows, first, last, seats, begun, actions, scratch):
    """What the heuristic answers in every match whose actor is one of `seats`; −1 in the others.

    begun[i, seat] is the number of steps before the seat's move began, from which all steps of the move draw. Who has
    nothing to say leaves the word to another who is asked: turn and mask are then his. The clock is always answered."""
    states, turn, work = rows.states, rows.turn, scratch.states
    for i in range(first, last):
        actions[i] = -1
        seat = turn[i, 0]
        left = asked(states[i])
        while actions[i] < 0 and seat != CLOCK and seats[i, seat]:
            if midway(states[i], seat) == 0:
                begun[i, seat] = rows.steps[i]
            own = stream(stream(rows.deals[i], SEATS_FROM + seat), begun[i, seat])
            work[0] = states[i]
            hide(work[0], seat)
            actions[i] = steady(work[0], seat, own, scratch.note)
            if actions[i] < 0:
                left &= ~(1 << seat)
                seat = some(left, step(own))
                if seat != CLOCK and legal(states[i], seat, scratch.out) == 0:
                    seat = CLOCK
                write_question(states, i, 1 << seat, False, turn, rows.mask, rows.allowed, rows.choices, rows.count)
        if seat == CLOCK:
            actions[i] = rows.choices[i, 0, 0]


def sample_batch(first, last, seed, turn, choices, count, actions):
    """A uniformly random legal action for every seat in `turn`; −1 where there is none."""
    for i in range(first, last):
        r = stream(seed, i)
        for column in range(turn.shape[1]):
            actions[i, column] = -1
            if turn[i, column] != NOBODY:
                r = step(r)
                actions[i, column] = choices[i, column, below(r, count[i, column])]


def determinized_rollouts(states, i, seat, seed, n, limit, out):
    """`n` times: a world dealt anew for `seat` from state i, played at random to its end; states[i + 1] is worked in.

    The skeleton of a search by sampled worlds. Returns the number of steps."""
    total = 0
    for k in range(n):
        states[i + 1] = states[i]
        redeal(states[i + 1], seat, stream(seed, k))
        total += rollout(states, i + 1, stream(seed, n + k), limit, out)
    return total
