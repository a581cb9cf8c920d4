"""Small networks inside compiled loops: every seat's chance to win, or what a seat would do, from what that seat sees.

`chances`: each seat's features, as a learner gets them, go through the same network of two layers of
rectified units to one number; the chances are the softmax of these numbers over the seats.

`logits`: a seat's features, standardised, go through two such layers to a number for each action; the softmax over what is
legal is what the net would do. Compiled subset.

| array | shape | is |
| --- | --- | --- |
| weights | float32 (F·H + H + H·H + H + H,) | first layer (F, H) and its bias (H), second (H, H) and its bias, output (H) |
| obs | float32 (F,) | features of one seat |
| layer | float32 (2, H) | what the units of both layers give |
| chance | float64 (P,) | the chances, which sum to 1 |
| policy | float32 (2F + F·H + H + H·H + H + A·H + A,) | mean and scale of features, layers as above, output (A, H), bias |
| hidden | float32 (2, H) | what the units of a policy give |
| out | float64 (n,) | the logit of each legal action |
"""

import math

from outbid.core.chance import below
from outbid.core.contract import observe

WIDEST = 5.0  # a standardised feature is no wider
FINE = 1 << 30  # parts of a probability


def size(features, units):
    """The number of weights of a network with so many features and so many units in a layer."""
    return features * units + units + units * units + units + units


def chances(states, i, weights, obs, layer, chance):
    """Write the chances of all seats in the match states[i], which is whole."""
    players = states[i].players
    for seat in range(players):
        observe(states[i], seat, obs)
        chance[seat] = strength(weights, obs, layer)
    softmax(chance, players)


def strength(weights, obs, layer):
    """The network's number for one seat's features."""
    features = obs.shape[0]
    units = layer.shape[1]
    at = features * units
    for j in range(units):
        layer[0, j] = weights[at + j]
    for k in range(features):
        x = obs[k]
        if x != 0.0:
            for j in range(units):
                layer[0, j] += x * weights[k * units + j]
    at += units
    second = at + units * units
    for j in range(units):
        layer[1, j] = weights[second + j]
    for k in range(units):
        x = layer[0, k]
        if x > 0.0:
            for j in range(units):
                layer[1, j] += x * weights[at + k * units + j]
    out = 0.0
    for j in range(units):
        if layer[1, j] > 0.0:
            out += layer[1, j] * weights[second + units + j]
    return out


def standard(x, mean, scale):
    """A feature as a policy net sees it."""
    return min(WIDEST, max(-WIDEST, (x - mean) * scale))


def logits(policy, obs, hidden, actions, n, out):
    """Write the logit of each of n actions for the features of one seat; `obs` is overwritten.

    Most features are 0, so the bias of the first layer already contains what standardised zeros contribute, and only the
    other features are added."""
    features = obs.shape[0]
    units = hidden.shape[1]
    at = 2 * features
    first = at + features * units
    for j in range(units):
        hidden[0, j] = policy[first + j]
    for k in range(features):
        if obs[k] != 0.0:
            obs[k] = standard(obs[k], policy[k], policy[features + k]) - standard(0.0, policy[k], policy[features + k])
            x = obs[k]  # of half the precision again
            for j in range(units):
                hidden[0, j] += x * policy[at + k * units + j]
    at = first + units
    second = at + units * units
    for j in range(units):
        hidden[1, j] = policy[second + j]
    for k in range(units):
        x = hidden[0, k]
        if x > 0.0:
            for j in range(units):
                hidden[1, j] += x * policy[at + k * units + j]
    at = second + units
    last = policy.shape[0] - (policy.shape[0] - at) // (units + 1)
    for j in range(units):
        if hidden[1, j] < 0.0:
            hidden[1, j] = 0.0
    for k in range(0, n, 4):  # four at once: in a sum each addition waits for the one before
        a, b, c, d = actions[k], actions[min(k + 1, n - 1)], actions[min(k + 2, n - 1)], actions[min(k + 3, n - 1)]
        first, other, third, fourth = policy[last + a], policy[last + b], policy[last + c], policy[last + d]
        for j in range(units):
            x = hidden[1, j]
            first += x * policy[at + a * units + j]
            other += x * policy[at + b * units + j]
            third += x * policy[at + c * units + j]
            fourth += x * policy[at + d * units + j]
        out[min(k + 3, n - 1)] = fourth
        out[min(k + 2, n - 1)] = third
        out[min(k + 1, n - 1)] = other
        out[k] = first


def softmax(logits, n):
    """Turn n logits into chances, in their place."""
    most = logits[0]
    for k in range(1, n):
        most = max(most, logits[k])
    total = 0.0
    for k in range(n):
        logits[k] = math.exp(logits[k] - most)
        total += logits[k]
    for k in range(n):
        logits[k] /= total


def place(chance, n, seed):
    """Draw one of n by their chances; returns its place."""
    left = below(seed, FINE) / FINE
    for k in range(n - 1):
        left -= chance[k]
        if left < 0.0:
            return k
    return n - 1
