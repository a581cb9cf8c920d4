"""Reasons by the rules: what is told of two moves, in which order, of what is certain, and by nothing that is hidden."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import outbid
from outbid.bots import Seat, choose
from outbid.bots.decision import Decision, EvaluatedMove, WeighedMove
from outbid.bots.hints import advised
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.hooks.contrast import Contrast, Fact
from outbid.core.hooks.mechanisms import Consequence, compared, heaviest, mechanisms, reason
from outbid.core.language import i18n
from outbid.core.language.names import plain
from outbid.core.match import Match, hidden
from outbid.core.rulebook import rulebooks
from outbid.games.kuhhandel.state import ANIMALS
from outbid.review.puzzles import Puzzle
from outbid.review.text import Teller

GAMES = [name for name, book in rulebooks().items() if book.submodule("mechanisms")]
NAMES = ["Ada", "Ben", "Cem"]


def choices(game: str, seeds: range, step: int) -> Iterator[tuple[Match, int, tuple[int, ...], tuple[int, ...]]]:
    """Positions of matches of `steady`, with its move and one at random."""
    for seed in seeds:
        match = outbid.game(game).new(players=3, seed=seed, names=NAMES)
        while not match.over and len(match.moves) < 150:
            seat = match.asked[0]
            own, other = (choose(match, seat, level, len(match.moves)).actions for level in ("steady", "random"))
            if own != other and own and other and len(match.moves) % step == 0:
                yield match, seat, own, other
            match.play_steps(seat, own or other)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(but=("rivals",))
def test_what_is_told_is_true_in_worlds_that_were_not_tried(game: str):
    """And it is the same where all that the seat cannot know is dealt anew."""
    number_told = 0
    for match, seat, own, other in choices(game, range(3 if game == "kuhhandel" else 2), 9 if game == "kuhhandel" else 3):
        book, state = match.rulebook, match.hidden(seat)
        reasons = mechanisms(book, state, seat, own, other)
        anew = match.state.copy()
        contract.redeal(anew, seat, 77)
        assert mechanisms(book, anew, seat, own, other) == reasons
        for number in range(12):
            follow = []
            for actions in (own, other):
                world = state.copy()
                contract.redeal(world, seat, stream(9, number))
                for action in actions:
                    contract.apply(world, seat, action)
                module: Any = book.submodule("mechanisms")
                follow.append(heaviest(module.consequences(state.copy(), hidden(world, seat), seat, actions)))
            for each in reasons:
                assert each.consequence.key in follow[not each.gain], (each, number)
        number_told += len(reasons)
    assert number_told > 20


@pytest.mark.parametrize("game", GAMES)
def test_a_reason_is_told_with_names_and_you_in_both_languages_for_any_reader(game: str):
    for match, seat, own, other in choices(game, range(2, 3), 5):
        for each in mechanisms(match.rulebook, match.hidden(seat), seat, own, other):
            texts = {}
            for language in i18n.LANGUAGES:
                with i18n.locale(language):
                    for reader in (seat, -1):
                        text = texts[language, reader] = each.said(match.rulebook, NAMES, reader)
                        assert text.endswith(".")
                        assert "{" not in text
                        assert text[:1].upper() == text[:1]
            assert texts["en", seat] != texts["de", seat]


def named(*reasons: Consequence) -> dict[tuple[str | int, ...], Consequence]:
    """Consequences by key."""
    return heaviest(reasons)


GOOD, BAD = Consequence("more", (1,), True, 10.0, 5), Consequence("less", (2,), False, 20.0, 5)


def told(better: Consequence | None, worse: Consequence | None) -> list[tuple[str, bool]]:
    """The names of what is told, each with whether the better move has it."""
    sides = (named(*(each for each in (side,) if each)) for side in (better, worse))
    return [(each.consequence.name, each.gain) for each in compared(0, *sides)]


def test_only_what_speaks_for_the_better_move_is_told():
    assert told(GOOD, None) == [("more", True)]
    assert told(None, GOOD) == []
    assert told(None, BAD) == [("less", False)]
    assert told(BAD, None) == []
    assert told(GOOD, BAD) == [("less", False), ("more", True)]  # what matters more is first
    assert told(BAD, GOOD) == []


def test_what_the_other_move_does_to_another_seat_alike_is_no_argument():
    ben, cem = (replace(BAD, about=(seat,), values={"other": seat, "value": 4}) for seat in (1, 2))
    assert told(cem, ben) == []
    assert told(replace(cem, values={"other": 2, "value": 3}), ben) == [("less", False)]


def test_what_both_moves_have_is_told_beside_each_other_where_a_sentence_does():
    more, less = (replace(GOOD, size=size, values={"left": size}, beside="than") for size in (6, 5))
    (mechanism,) = compared(0, named(more), named(less))
    assert mechanism.consequence.name == "than"
    assert mechanism.consequence.key == more.key
    assert mechanism.consequence.values == {"left": 6, "other_left": 5}
    (alone,) = compared(0, named(more), {})
    assert alone.consequence == more


def test_what_both_moves_have_is_told_where_one_has_more_of_it():
    assert told(GOOD, GOOD) == told(BAD, BAD) == []
    assert told(replace(GOOD, size=6), GOOD) == [("more", True)]
    assert told(GOOD, replace(GOOD, size=6)) == []
    assert told(BAD, replace(BAD, size=6)) == [("less", False)]
    assert told(replace(BAD, size=6), BAD) == []


def test_several_names_of_one_topic_are_compared_with_each_other():
    surely, perhaps = (Consequence(name, (), False, size, size, topic="gets") for name, size in (("sure", 9), ("maybe", 4)))
    assert told(surely, perhaps) == []
    assert told(perhaps, surely) == [("sure", False)]
    assert list(named(surely, perhaps).values()) == [surely]


def test_a_reason_is_two_mechanisms_at_most_and_says_which_are_of_the_other_move():
    match = outbid.game("kuhhandel").load(NAMES, deal("cow"))
    match.play(0, "auction")
    actions = [match.attempt(1, move).actions for move in ("bid 90", "bid 100")]
    facts = match.rulebook, match.state, 1, (actions[0], actions[1]), NAMES, 1
    assert reason(*facts) == (
        "No other bidder can pay more than 90.",
        "Otherwise: Ada cannot pay 100: if nobody bids more, everybody sees your 90.",
    )
    contrast = Contrast(1, 9, (Fact(("points", 1), False, 90.0, 40.0),))
    assert reason(*facts, contrast) == reason(*facts)


def test_hints_reviews_and_puzzles_tell_the_mechanism_before_what_follows_from_it():
    match = outbid.game("kuhhandel").load(NAMES, deal("cow"))
    match.play(0, "auction")
    seat = Seat.of(match, 1, 1)
    better, worse = (match.attempt(1, move).actions for move in ("bid 50", "bid 80"))
    contrast = Contrast(1, 24, (Fact(("points", 1), False, 900.0, 400.0),))
    values = tuple(EvaluatedMove("", value, 200, move) for value, move in ((0.6, better), (0.4, worse)))
    hint = advised(seat, Decision(better, {"en": "I looked."}, {}, values, contrast=contrast, other=worse), "strong")
    mechanism = "It leaves you 40 instead of 10, with 39 animals still in the deck."
    assert plain(hint.reason) == f"{mechanism} You end with 900 points instead of 400 on average."
    third = match.attempt(1, "pass").actions  # which leaves still more
    listed = tuple(WeighedMove("", move, ahead) for move, ahead in ((better, 0.0), (worse, 0.2), (third, 0.3)))
    beside = Decision(better, {"en": "I looked."}, {}, values, weighed=listed, contrast=contrast, other=worse)
    assert mechanism not in plain(advised(seat, beside, "strong").reason)
    match.play(1, "bid 80")
    decision = {"move": 1, "seat": 1, "better": {"do": "bid", "amount": 50}, "loss": 0.2, "why": {}}
    teller = Teller(match, {"decisions": [decision]})
    assert plain(teller.why(decision, 1)) == f"With the better move: {mechanism}"
    differ = "The two judges differ here: playing on and the curve of the review do not say the same."
    assert plain(teller.why(decision | {"agreed": False}, 1)) == f"With the better move: {mechanism} {differ}"
    assert "It leaves Ben 40" in plain(teller.why(decision))
    puzzle = Puzzle(match.record(), 2, (({"do": "pass"}, 0.5), ({"do": "bid", "amount": 200}, 0.1)), 0.4, 0.01, contrast)
    assert "Ada cannot pay 200: if nobody bids more" in puzzle.why(NAMES)


def deal(*first: str) -> dict[str, Any]:
    """A deal of Kuhhandel in which Ada begins, these animals on top."""
    rest = Counter(dict.fromkeys(ANIMALS, 4))
    rest.subtract(first)
    return {"start": 0, "deck": [*first, *rest.elements()]}


@pytest.mark.slow
def test_the_reasons_in_the_docs_are_those_that_are_told():
    spec = importlib.util.spec_from_file_location("reasons", Path(__file__).parents[2] / "docs" / "reasons.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = module.PAGE.read_text(encoding="utf-8")
    assert module.written(page) == page, "run `python docs/reasons.py`"
