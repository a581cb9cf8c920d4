"""Why one move is better: what differs at the end, in words of the game."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

import outbid
from outbid.bots import Seat, choose
from outbid.bots.decision import Decision, WeighedMove
from outbid.bots.hints import advised
from outbid.bots.strong import contrasted
from outbid.core import contract
from outbid.core.hooks.contrast import Contrast, Fact, contrast_of
from outbid.core.language import i18n
from outbid.core.match import Match
from outbid.core.rulebook import rulebooks

GAMES = ("claim", "forex", "kuhhandel", "money", "rivals")
NAMES = ["Ada", "Ben", "Cem"]


def ended(game: str, seed: int) -> Match:
    """A match that is over, of random players; in Rivals those hardly ever finish anything."""
    match = outbid.game(game).new(players=3, seed=seed, names=NAMES)
    while not match.over:
        if game == "rivals":
            match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", seed).actions)
        else:
            match.random_move(match.asked[0], len(match.moves))
    return match


def choosing(game: str) -> tuple[Seat, list[tuple[int, ...]]]:
    """Somebody who has a choice, and two moves."""
    match = outbid.game(game).new(players=3, seed=2, names=NAMES)
    while True:
        seat = Seat.of(match, match.asked[0], 1)
        moves = list(dict.fromkeys(choose(match, seat.seat, "random", n).actions for n in range(20)))
        if len(moves) > 1:
            return seat, moves[:2]
        match.play_steps(seat.seat, moves[0])


@pytest.mark.parametrize("game", GAMES)
def test_everything_a_game_tells_is_a_sentence_with_a_name_or_you_in_both_languages(game):
    book = rulebooks()[game]
    module = book.submodule("contrast")
    states = [ended(game, seed).state for seed in range(3)]
    events = {key for state in states for key in module.events(state)}
    amounts = {key for state in states for key in module.amounts(state)}
    assert events
    assert amounts
    facts = [Fact(key, True, 0.7, 0.2) for key in events] + [Fact(key, False, 41.0, 17.0) for key in amounts]
    for fact in facts:
        seat = fact.key[1]
        for language in i18n.LANGUAGES:
            with i18n.locale(language):
                theirs, own = (Contrast(0, 9, (fact,)).said(book, NAMES, reader) for reader in (-1, seat))
                assert theirs.endswith(".")
                assert "{" not in theirs + own
                numbers = re.findall(r"[0-9]+", theirs)
                if fact.event and language == "de":  # the verb comes second
                    assert re.match("In 7 statt 2 von 10 Fällen (?!du )[a-z]", theirs)
                    assert re.match("In 7 statt 2 von 10 Fällen (?!du )[a-z]", own)
                assert ({"7", "2"} if fact.event else {"41", "17"}) <= set(numbers)
                if seat >= 0:
                    assert NAMES[seat] in theirs
                    assert re.search(r"\b([Yy]ou|[Yy]our|[Dd]u|[Dd]ir|[Dd]ein)", own)


@pytest.mark.parametrize(("game", "key", "english", "german"), [
    ("claim", ("stacks", 0), "You end with 1 stack instead of 3 on average.",
     "Du hast am Ende 1 Stapel statt 3 im Schnitt."),
    ("money", ("coins", 0), "Coins bring you 1 point instead of 3 on average.",
     "Münzen bringen dir 1 Punkt statt 3 im Schnitt."),
    ("rivals", ("trip", 0, 1), "The blue expedition brings you 1 point instead of 3 on average.",
     "Die blaue Expedition bringt dir 1 Punkt statt 3 im Schnitt."),
])  # fmt: skip
def test_one_of_something_is_told_in_the_singular(game: str, key: tuple[str | int, ...], english: str, german: str):
    contrast = Contrast(0, 9, (Fact(key, False, 1.0, 3.0),))
    assert contrast.said(rulebooks()[game], NAMES, 0) == english
    with i18n.locale("de"):
        assert contrast.said(rulebooks()[game], NAMES, 0) == german


def test_what_differs_most_and_speaks_for_the_move_is_told_first_and_chance_is_not_told():
    book = rulebooks()["kuhhandel"]
    states = [ended("kuhhandel", seed).state for seed in range(2)]
    same = contrast_of(book, 0, [(states[0], states[0])] * 20)
    assert same.facts == ()
    assert same.said(book, NAMES) == ""
    found = contrast_of(book, 0, [(states[0], states[1])] * 20)
    assert found.facts
    first = found.facts[0]
    assert (first.one > first.other) == (first.key[1] == 0)
    assert Contrast.of_json(0, found.as_json()) == found


def test_a_fact_that_speaks_for_the_other_move_is_not_told():
    book = rulebooks()["money"]
    more, less = Fact(("series", 0, 1, 30), True, 0.4, 0.0), Fact(("coins", 0), False, 16.0, 22.0)
    theirs, nobodys = Fact(("coins", 1), False, 16.0, 22.0), Fact(("strongest", -1, 2), True, 0.7, 0.2)
    said = Contrast(0, 9, (more, less)).said(book, NAMES, 0)
    assert said == "You get all three 30s of GBP in 4 of 10 cases instead of fewer than 1."
    assert "Coins bring Ben" in Contrast(0, 9, (more, theirs)).said(book, NAMES, 0)
    bankrupt = Fact(("bankrupt", 0), True, 0.0, 0.4)
    assert "strongest" in Contrast(0, 9, (bankrupt, nobodys)).said(rulebooks()["forex"], NAMES, 0)


def test_where_no_fact_speaks_for_the_move_nothing_is_told():
    """States are what has come about in them: the other completes something, or something is nobody's."""
    told = SimpleNamespace(events=set, amounts=lambda s: {})
    book: Any = SimpleNamespace(submodule=lambda name: told)
    own, theirs, nobodys = ("set", 0, 1), ("set", 1, 2), ("strongest", -1, 3)
    assert contrast_of(book, 0, [([theirs, nobodys], [own])] * 20).facts == ()
    assert contrast_of(book, 0, [([nobodys], [])] * 20).facts == ()
    told_of = contrast_of(book, 0, [([own, theirs, nobodys], [])] * 20).facts
    assert [fact.key for fact in told_of] == [own, nobodys], "what speaks for the other move is no argument"


def test_giving_the_last_of_a_set_away_is_told_by_that_set():
    """Two animals of two kinds: who lets the other have the second one cannot complete it."""
    match = outbid.game("kuhhandel", preset="small").new(players=2, seed=5, names=["Ada", "Ben"])
    told = set()
    while not match.over:
        seat = Seat.of(match, match.asked[0], 1)
        moves = list(dict.fromkeys(choose(match, seat.seat, "random", n).actions for n in range(12)))
        for other in moves[1:3]:
            told.add(contrasted(seat, moves[0], other, compiled=False, worlds=8).said(match.rulebook, match.names))
        match.play_steps(seat.seat, moves[0])
    assert any("completes the" in one for one in told)


@pytest.mark.slow(but=("rivals", "claim"))
@pytest.mark.parametrize("game", GAMES)
def test_a_contrast_uses_nothing_but_the_seat(game):
    match = outbid.game(game).new(players=3, seed=2, names=NAMES)
    moves: list[tuple[int, ...]] = []
    while len(moves) < 2:
        asked = match.asked[0]
        moves = list(dict.fromkeys(choose(match, asked, "random", n).actions for n in range(20)))
        if len(moves) < 2:
            match.play_steps(asked, moves[0])
    one = contrasted(Seat.of(match, asked, 1), *moves[:2], compiled=False, worlds=2)
    other = match.copy()
    contract.redeal(other.state, asked, 99)
    assert contrasted(Seat.of(other, asked, 1), *moves[:2], compiled=False, worlds=2) == one


def test_a_game_without_words_of_its_own_is_told_by_victories_and_points():
    class Bare:
        """A rulebook without the module."""

        def submodule(self, name: str) -> None:
            return None

    states = [ended("claim", seed).state for seed in range(9)]
    one = next(state for state in states if contract.winners(state, [0] * 3) & 1)
    other = next(state for state in states if not contract.winners(state, [0] * 3) & 1)
    found = contrast_of(Bare(), 0, [(one, other)] * 12)
    said = found.said(Bare(), NAMES, 0)
    assert "You win the match in more than 9 of 10 cases instead of fewer than 1." in said or "points instead of" in said


def test_a_hint_says_what_its_move_leads_to_and_calls_no_better_move_the_next_best():
    seat, moves = choosing("rivals")
    contrast = Contrast(seat.seat, 24, (Fact(("bonus", seat.seat, 0), True, 0.7, 0.2),))

    def hint(ahead: float):
        weighed = WeighedMove("", moves[0]), WeighedMove("", moves[1], ahead, 0.02)
        decision = Decision(moves[0], {"en": "I looked."}, weighed=weighed, contrast=contrast, other=moves[1])
        return advised(seat, decision, "strong")

    assert hint(0.2).reason == "You get the bonus of the red expedition in 7 of 10 cases instead of 2."
    assert hint(0.2).next_best.startswith("Next best: You ")
    assert hint(0.02).next_best.startswith("About as good: You ")
    with i18n.locale("de"):
        assert hint(0.2).reason == "In 7 statt 2 von 10 Fällen bekommst du den Bonus für die rote Expedition."


def test_a_victory_that_contradicts_the_chances_beside_it_is_not_told():
    book = rulebooks()["claim"]
    mine, theirs = Fact(("goal", 0), True, 0.8, 0.5), Fact(("goal", 1), True, 0.1, 0.4)
    money = Fact(("money", 0), False, 9.0, 4.0)
    whole = Contrast(0, 48, (mine, theirs, money))
    assert whole.beside(book, 0.3, [0.45, 0.35, 0.2]) == whole
    assert whole.beside(book, 0.09).facts == (money,)  # 30 points more beside a loss of 9
    assert whole.beside(book, 0.25, [0.1, 0.5, 0.4]).facts == (theirs, money)  # "in 5 of 10 cases" beside 10 %
    against = Contrast(0, 48, (mine, Fact(("money", 1), False, 9.0, 4.0)))
    assert against.beside(book, 0.05).facts == ()  # what is left speaks for the other move
