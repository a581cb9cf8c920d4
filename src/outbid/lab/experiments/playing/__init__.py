"""How the matches of an experiment come about: in blocks, observed, from records, a sample looked at closely."""
