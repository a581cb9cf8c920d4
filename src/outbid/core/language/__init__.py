"""Languages, names of people, and the words that sentences are made with."""
