"""Advice to people: a hint before a move, the coach that asks once, the review of a finished match."""
