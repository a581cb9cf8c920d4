"""A small network inside compiled loops: every seat's chance to win, from what that seat sees.

Each seat's features (those of a hidden copy, as a learner gets them) go through the same network of two layers of rectified
units to one number; the chances are the softmax of these numbers over the seats. Compiled subset.

| array | shape | is |
| --- | --- | --- |
| weights | float32 (F·H + H + H·H + H + H,) | first layer (F, H) and its bias (H), second (H, H) and its bias, output (H) |
| obs | float32 (F,) | features of one seat |
| layer | float32 (2, H) | what the units of both layers give |
| chance | float64 (P,) | the chances, which sum to 1 |
"""

import math

from outbid.engine.contract import hide, observe


def size(features, units):
    """How many weights there are, of a network with so many features and units in a layer."""
    return features * units + units + units * units + units + units


def chances(states, i, weights, obs, layer, chance):
    """Write the chances of all seats in the match states[i], which is whole; states[i + 1] is worked in."""
    players = states[i].players
    top = -1e30
    for seat in range(players):
        states[i + 1] = states[i]
        hide(states[i + 1], seat)
        observe(states[i + 1], seat, obs)
        chance[seat] = strength(weights, obs, layer)
        top = max(top, chance[seat])
    total = 0.0
    for seat in range(players):
        chance[seat] = math.exp(chance[seat] - top)
        total += chance[seat]
    for seat in range(players):
        chance[seat] /= total


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
