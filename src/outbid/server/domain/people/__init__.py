"""People at a table: their names, where they sit, who looks on, what they say and decide together."""
