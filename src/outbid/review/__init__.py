"""Reviews of matches: win probabilities, evaluated moves, and what is said of them."""

FORMAT = "outbid-review/4"
