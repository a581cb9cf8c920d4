"""What follows from what a game declares: default words, spaces, visibility; and the check of a declaration."""
