"""Search: rollouts, information-set Monte Carlo tree search, subgame solving, sealed bids. Compiled."""
