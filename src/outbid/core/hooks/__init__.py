"""What a game may declare beside its rules: faces of cards, offers, outcomes, measures, automatic moves, hints for search
and review.

A game that is a folder declares each in a module of its own folder `hooks`; `Rulebook.submodule` finds it.
"""
