"""How people compare: the ladder of ratings, and the deal of the day."""
