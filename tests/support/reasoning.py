"""Why one move is better than another, by the mechanisms of a game, for tests of their sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType

import pytest

from outbid.core.hooks.mechanisms import Mechanism, mechanisms
from outbid.core.language import i18n
from outbid.core.match import Match

Position = tuple[Match, str, str, str]
"""A match, a better and a worse move of the first asked seat, and the sentence that speaks for the better one."""


def told(match: Match, *typed: str) -> list[Mechanism]:
    """The mechanisms that speak for a move of the first asked seat against others, all as one types them."""
    seat = match.asked[0]
    moves = [match.attempt(seat, move).actions for move in typed]
    return mechanisms(match.rulebook, match.hidden(seat), seat, *moves)


def sentences(match: Match, *typed: str) -> list[str]:
    """Their sentences for the seat, the weightiest first."""
    return [each.said(match.rulebook, match.names, each.seat) for each in told(match, *typed)]


def speaks(match: Match, better: str, worse: str, sentence: str) -> set[str]:
    """Check that a sentence is told for a move, and neither for the contrary nor for a move against itself, and that all
    that is told there is told in German, too; returns the names of all mechanisms told."""
    assert sentence in sentences(match, better, worse)
    assert sentence not in sentences(match, worse, better)
    assert sentences(match, better, better) == []
    mechanisms_told = told(match, better, worse)
    for each in mechanisms_told:
        for audience in (each.seat, -1):
            english = each.said(match.rulebook, match.names, audience)
            with i18n.locale("de"):
                german = each.said(match.rulebook, match.names, audience)
            assert german != english
            assert "{" not in english + german
    return {
        each.consequence.name for each in mechanisms_told if each.said(match.rulebook, match.names, each.seat) == sentence
    }


def shown(module: ModuleType, positions: Mapping[str, Position]) -> tuple[Callable[..., None], Callable[[], None]]:
    """The two tests that every game has of its mechanisms: each is told in its position, for the move it speaks
    for, and none has no position."""

    @pytest.mark.parametrize("name", positions)
    def told_there(name: str) -> None:
        assert name in speaks(*positions[name])

    def all_shown() -> None:
        assert set(positions) == set(module.SENTENCES.texts)

    return told_there, all_shown
