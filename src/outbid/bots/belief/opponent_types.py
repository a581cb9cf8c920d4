"""Opponent types: the posterior over the kinds of players the others may be, from the moves of a match.

Bayes over types (S. Barrett and P. Stone, Cooperating with Unknown Teammates in Complex Domains, AAAI 2015): a game names
them (SearchConfig.opponent_types): its own players or its policy net. `judge` adds to work.posterior how likely each of them
was to make a step, as a logarithm. One step in ten (SLIP) counts as anybody's, so that a player who is none of the types is
no riddle and no single step decides. `assign_types` says as which type each of the others plays on in a world.

After those that a game names come outsiders (SearchConfig.outsiders): policy parameters from wide ranges, none of ours;
together they stand for a player who is none of the types. They are tempered: three of their steps in ten count as anybody's
(STRANGE), so that they win only where the others fail again and again. The likelier the others are outsiders
(`strangeness`), the clearer must be what a search leaves the first move for.

In a game without secrets (rulebook.secrets) all players can judge every step. In others a step can be judged only by a
player who knows what its maker knew: `overhear` judges the steps that all players see (contract.is_public), where all
would also have seen every alternative, in a few worlds that agree with what all had seen by then, so that all at the table
learn the same.

A game with a policy net that names no types learns nothing: in every other world all players are nets (`as_nets`).

Compiled subset; `work` is rollouts.py's.
"""

import math

from outbid.bots.nets.net_policy import priors
from outbid.core.chance import stream
from outbid.core.contract import apply, hide, is_public, legal, play, redeal, steady

SEATS = 8  # bits of a mask of seats
AS_STEADY, AS_NET = 0, -1  # types beside the numbers of the game's own players
EVERYBODY = -1  # in the place of a seat: what all players know
NOWHERE = -1  # no record
LAPSED = -1  # in work.observations: a seat keeps no particles
EVEN = 0.5  # how likely a seat plays as the policy net, where nothing tells
WORLDS = 4  # in which a move of a player who may have secrets is judged …
COUNTED = 0.5  # … and how many more count for each alternative
RECORDS = WORLDS + 1  # that are worked in there
SLIP = 0.1  # of a step: that any player would have made it, whatever the type
STRANGE = 0.3  # the same of an outsider's step
STRANGE_COUNTED = 1.5  # COUNTED of an outsider
SURE = 30.0  # no more speaks against a type
RULED_OUT = -12.0  # a type that has been judged so in worlds is not judged any more: that takes the longest
GOLDEN = 0.6180339887498949  # how far apart the seats' draws are in a world


def judge_all(states, seats, actions, seat, players, work):
    """Judge all steps of a match without secrets and say what `seat` believes. states[k]: what all saw before the k-th step;
    RECORDS after those are worked in."""
    forget(work)
    at = len(actions)
    for k in range(len(actions)):
        states[at] = states[k]
        judge(states, at, seats[k], actions[k], work)
    believe(seat, players, work)


def forget(work):
    """No player has moved yet."""
    work.judged[0] = 0
    for other in range(SEATS):
        work.filter_steps[other] = 0
        for kind in range(len(work.types)):
            work.posterior[other][kind] = work.before[kind]


def judge(states, i, seat, action, work):
    """How likely each opponent type was to do what an asked seat does in states[i]; the record after it is worked in."""
    n = legal(states[i], seat, work.out)
    if n < 2:
        return
    best = -math.inf
    for kind in range(len(work.types)):
        slip = STRANGE if outside(kind, work) else SLIP
        its = slip / n
        if work.types[kind] == AS_NET:
            for k in range(priors(states, i, seat, work)):
                if work.out[k] == action:
                    its += (1.0 - slip) * work.prior[k]
        else:
            states[i + 1] = states[i]
            hide(states[i + 1], seat)
            if play(states[i + 1], seat, 0, work.note, work.types[kind]) == action:
                its += 1.0 - slip
        work.posterior[seat][kind] += math.log(its)
        best = max(best, work.posterior[seat][kind])
    level(seat, best, (1 << len(work.types)) - 1, work)


def believe(seat, players, work):
    """Write into work.nets how likely each of the others plays as the net, and for the seat itself their average."""
    total = 0.0
    for other in range(players):
        if other != seat:
            work.nets[other] = chance_of(AS_NET, other, work)
            total += work.nets[other]
    work.nets[seat] = total / (players - 1)


def spread(world):
    """A number from 0 to 1 for each world, evenly spread however many there are: the digits of its number, mirrored at the
    point."""
    place = 0.0
    part = 0.5
    while world > 0:
        place += part * (world & 1)
        part *= 0.5
        world >>= 1
    return place


def as_nets(world, lead, work):
    """The seats that go on as the net in a world, as bits: none without a net, else each by its chance, evenly spread over
    the worlds. Of two seats the likelier is one wherever the other is."""
    if lead == 0:
        return 0
    place = spread(world)
    bits = 0
    for seat in range(SEATS):
        if work.nets[seat] + place >= 1.0:
            bits |= 1 << seat
    return bits


def level(seat, best, updated, work):
    """The likeliest opponent type has 0. updated: those of which something new is known, as bits."""
    for kind in range(len(work.types)):
        if (updated >> kind) & 1:
            work.posterior[seat][kind] = max(-SURE, work.posterior[seat][kind] - best)


def overhear(states, i, at, seat, action, begins, work):
    """Judge a step that all players see, in a game in which players may have secrets, if all would have seen every
    alternative, too. begins: whether it begins a move, before which all saw
    states[i], hidden or whole; if not, that does not matter. The worlds stand from states[at] on
    until the next move, and the record after them is worked in."""
    if begins:
        work.judged[0] += 1
        for world in range(WORLDS):
            states[at + world] = states[i]
            redeal(states[at + world], EVERYBODY, stream(work.judged[0], world))
            work.fits[world] = 1
    choices = 0
    worlds = 0
    hidden = False
    for world in range(WORLDS):
        if work.fits[world] == 1:
            n = legal(states[at + world], seat, work.out)
            work.fits[world] = 0
            for k in range(n):
                hidden |= is_public(states[at + world], seat, work.out[k]) == 0
                if work.out[k] == action:
                    work.fits[world] = 1
            if work.fits[world] == 1:
                worlds += 1
                choices = max(choices, n)
    if choices > 1 and not hidden:
        best = -math.inf
        updated = 0
        for kind in range(len(work.types)):
            if work.posterior[seat][kind] > RULED_OUT:
                counted = STRANGE_COUNTED if outside(kind, work) else COUNTED
                count = counted + hits(states, at, seat, action, work.types[kind], work)
                work.posterior[seat][kind] += math.log(count / (worlds + counted * choices))
                best = max(best, work.posterior[seat][kind])
                updated |= 1 << kind
        level(seat, best, updated, work)
    for world in range(WORLDS):
        if work.fits[world] == 1:
            apply(states[at + world], seat, action)


def hits(states, at, seat, action, who, work):
    """In how many of the worlds one of the game's own players does this, or how many times the net would."""
    count = 0.0
    for world in range(WORLDS):
        if work.fits[world] == 1 and who == AS_NET:
            for k in range(priors(states, at + world, seat, work)):
                if work.out[k] == action:
                    count += work.prior[k]
        elif work.fits[world] == 1:
            states[at + WORLDS] = states[at + world]
            hide(states[at + WORLDS], seat)
            count += play(states[at + WORLDS], seat, stream(work.judged[0], WORLDS + world), work.note, who) == action
    return count


def assign_types(world, seat, players, lead, work):
    """Write the type as which each seat plays on in a world: the others by their posteriors, evenly spread over the worlds;
    the seat itself as the net, if that leads, else as the first type. Returns the seats that go on as the net, as bits."""
    if len(work.types) == 0:
        return as_nets(world, lead, work)
    place = spread(world)
    nets = 0
    if lead > 0:
        nets = 1 << seat
    for other in range(players):
        work.who[other] = work.types[0]
        if other != seat:
            work.who[other] = type_at(place + other * GOLDEN, other, work)
            if work.who[other] == AS_NET:
                nets |= 1 << other
    return nets


def type_at(place, other, work):
    """The opponent type of a seat for a number, of which only the digits behind the point count."""
    many = len(work.types)
    total = weight(other, work)
    left = place - math.floor(place)
    for kind in range(many):
        left -= chance_at(kind, other, total, work)
        if left < 0.0:
            return work.types[kind]
    return work.types[many - 1]


def chance_of(who, other, work):
    """How likely a seat is of one type."""
    chance = 0.0
    total = weight(other, work)
    for kind in range(len(work.types)):
        if work.types[kind] == who:
            chance += chance_at(kind, other, total, work)
    return chance


def weight(other, work):
    """The sum over all types of how likely each was to make the moves of a seat."""
    total = 0.0
    for kind in range(len(work.types)):
        total += math.exp(work.posterior[other][kind])
    return total


def chance_at(kind, other, total, work):
    """The chance of a type, by its place in work.types; total: the weight of all. Where nothing counts that was said, each
    that is named is as likely, and nobody is an outsider."""
    doubt = work.doubt[0]
    even = 0.0 if outside(kind, work) else doubt / work.doubt[1]
    return even + (1.0 - doubt) * math.exp(work.posterior[other][kind]) / total


def outside(kind, work):
    """Whether a type is an outsider, by its place in work.types."""
    return kind >= work.doubt[1]


def strangeness(seat, players, work):
    """How likely the others are outsiders, on the average."""
    strange = 0.0
    if len(work.types) > work.doubt[1]:
        for other in range(players):
            if other != seat:
                total = weight(other, work)
                for kind in range(len(work.types)):
                    if outside(kind, work):
                        strange += chance_at(kind, other, total, work)
    return strange / (players - 1)


def forget_types(work):
    """All seats play on as the heuristic again."""
    for other in range(SEATS):
        work.who[other] = AS_STEADY


def usual(s, seat, seed, work):
    """What a seat does in a rollout, from its hidden state, if it is no net."""
    if work.who[seat] == AS_STEADY:
        return steady(s, seat, seed, work.note)
    return play(s, seat, seed, work.note, work.who[seat])
