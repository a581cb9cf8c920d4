"""What an experiment says: statistics, the answer, matches worth looking at."""
