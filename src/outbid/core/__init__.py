"""The engine: what a game declares, states, moves, matches, records. It imports nothing of ours and knows no game."""
