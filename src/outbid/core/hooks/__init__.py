"""What a game may declare beside its rules: faces of cards, offers, outcomes, measures, hints for search and review."""
