"""What a policy net does (policy.py), inside compiled loops. Compiled subset; `work` is rollouts.py's."""

from outbid.core.chance import step, stream
from outbid.core.contract import apply, legal, midway, observe, redeal
from outbid.compiled.loops import SEATS_FROM
from outbid.compiled.inference import logits, place, softmax

LONGEST = 256  # steps of a move: a player may lay, pay or bid all cards there are
LIKELY = -1  # a place in work.prior


def draw_of(seed, number):
    """The draw for a step of a move: its number."""
    return step(stream(seed, number + 1))


def priors(states, at, seat, work):
    """Write the legal actions of an asked seat into work.out, and into work.prior how likely the net takes each; returns
    their number."""
    n = legal(states[at], seat, work.out)
    observe(states[at], seat, work.obs)
    logits(work.policy, work.obs, work.hidden, work.out, n, work.prior)
    softmax(work.prior, n)
    return n


def net_step(states, at, seat, seed, work):
    """What the net does in states[at] for the asked seat, knowing what that seat may know; work.prior[LIKELY] is then how
    likely it was."""
    k = place(work.prior, priors(states, at, seat, work), seed)
    work.prior[LIKELY] = work.prior[k]
    return work.out[k]


def net_move(states, i, seat, seed, work):
    """Write a whole move into work.moves[0]; returns its length and how likely it was. states[i] is hidden for the asked
    seat; the record after it is worked in."""
    states[i + 1] = states[i]
    redeal(states[i + 1], seat, stream(seed, 0))
    likely = 1.0
    for n in range(LONGEST):
        action = net_step(states, i + 1, seat, draw_of(seed, n), work)
        work.moves[0][n] = action
        likely *= work.prior[LIKELY]
        apply(states[i + 1], seat, action)
        if midway(states[i + 1], seat) == 0:
            return n + 1, likely
    return 0, likely


def priors_batch(obs, policy, hidden, prior, legal, keys, actions):
    """What a net does in many places at once: obs float32 (k, F), which is worked in; legal int16 (k, …), the legal actions;
    keys int64 (5, k): how many they are, and the deals, seats, moves of the match so far and steps of the move, from which
    is drawn; actions int64 (k,). prior: room for A."""
    for i in range(len(obs)):
        n = keys[0, i]
        logits(policy, obs[i], hidden, legal[i], n, prior)
        softmax(prior, n)
        own = stream(stream(keys[1, i], SEATS_FROM + keys[2, i]), keys[3, i])
        actions[i] = legal[i, place(prior, n, draw_of(own, keys[4, i]))]
