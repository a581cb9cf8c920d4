"""What a menu says is what is legal, and what a refusal says is true: in every game, under many options."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbid.core import contract
from outbid.core.errors import Illegal, OutbidError
from outbid.core.hooks.choices import worded
from outbid.core.language import i18n
from outbid.core.language.phrases import Mover, of_a_file
from outbid.core.match import Match
from outbid.core.menu import Choice
from outbid.core.rulebook import rulebook
from outbid.terminal.page import menu
from outbid.testing.positions import random_setup
from outbid.wire.offers import Offer
from tests.support.checks import checks
from tests.support.profile import examples
from tests.support.translations import messages, places

ENGLISH = re.compile(r"\b(the|of|to|with|and|any|from|your|cards?|bid|pass|take)\b")
MOST = 4000  # steps in looking for the moves of a seat …
DRAWS = 300  # … and moves that are drawn at random before


def stand(book: Any, seed: int) -> Match:
    """A match under random options after some random moves."""
    rng = random.Random(seed)
    match = Match.new(book, *random_setup(book, rng), seed)
    for n in range(rng.choice((0, 5, 30, 120))):
        able = [seat for seat in match.asked if len(match.legal(seat))]
        if able:
            match.random_move(rng.choice(able), n)
        elif match.clock:
            match.play(None, "close")
    return match


def moves_of(match: Match, seat: int, rng: random.Random) -> Iterator[dict[str, Any]]:
    """Moves that the seat may make, found by its steps: all of them, if they are not too many."""
    waiting: list[tuple[Any, list[int]]] = [(match.state, [])]
    out = [0] * 256
    for _ in range(MOST):
        if not waiting:
            return
        state, actions = waiting.pop()
        legal = out[: contract.legal(state, seat, out)]
        rng.shuffle(legal)
        for action in legal:
            after = state.copy()
            contract.apply(after, seat, action)
            if contract.midway(after, seat):
                waiting.append((after, [*actions, action]))
            else:
                yield match.rulebook.words.move(match.state, seat, [*actions, action])


def at_random(match: Match, seat: int, rng: random.Random, first: int | None = None) -> dict[str, Any]:
    """A move that the seat may make, found by random steps, the first of which may be given."""
    state, actions, out = match.state.copy(), [], [0] * 256
    while not actions or contract.midway(state, seat):
        legal = out[: contract.legal(state, seat, out)]
        actions.append(rng.choice(legal) if actions or first is None else first)
        contract.apply(state, seat, actions[-1])
    return match.rulebook.words.move(match.state, seat, actions)


def begun(match: Match, seat: int, choice: Choice, rng: random.Random) -> Iterator[dict[str, Any]]:
    """Moves of a choice, and some others, found by random steps from those that moves of its kind begin with."""
    out = [0] * 256
    legal = out[: contract.legal(match.state, seat, out)]
    firsts = [first for first in legal if at_random(match, seat, rng, first)["do"] == choice.move["do"]]
    return (at_random(match, seat, rng, rng.choice(firsts)) for _ in range(DRAWS if firsts else 0))


def laid(move: dict[str, Any]) -> list[Any]:
    """The cards that a move names, as a menu lists them."""
    if "give" in move and "to" in move:
        give = move["give"]
        return [*give["bills"], *(f"stack {n}" for n in give["stacks"]), *["coin"] * give["coins"]]
    return list(move.get("cards", ()))


def offered(choice: Choice, move: dict[str, Any]) -> bool:
    """The move is one of the choice."""
    if any(move.get(key) != value for key, value in choice.move.items()):
        return False
    if choice.moves:
        return move in choice.moves
    if choice.amounts:
        return move["amount"] in choice.amounts
    if choice.cards is not None:
        left = list(choice.cards)
        return all(card in left and not left.remove(card) for card in laid(move))
    return move == choice.move


def refused(match: Match, seat: int, move: Any) -> None:
    """The move is refused with a sentence, and what is legal is listed as the menu does."""
    with pytest.raises(OutbidError) as caught:
        match.copy().play(seat, move)
    true(caught.value, match.legal(seat).texts)


def true(error: OutbidError, said: tuple[str, ...]) -> None:
    """A refusal lists what is legal."""
    if isinstance(error, Illegal):
        assert error.legal == said
        assert str(error) == f"{error.reason} Legal: {'; '.join(said)}." or not said


@given(seed=st.integers(0, 2**40))
@examples(25)
def test_what_a_menu_offers_is_accepted_and_nothing_else_is_legal(book, seed):
    match = stand(book, seed)
    rng = random.Random(seed)
    for seat in match.asked:
        menu = match.legal(seat)
        assert len(menu) or match.clock
        found = list(moves_of(match, seat, rng))
        for move in rng.sample(found, min(10, len(found))):
            match.copy().play(seat, move)
            assert any(offered(choice, move) for choice in menu), f"{move} is legal and not in {menu}"
        for choice in menu:
            if choice.whole:
                assert match.copy().play(seat, choice.text) == match.copy().play(seat, choice.move)
            for move in rng.sample(choice.moves, min(5, len(choice.moves))):
                match.copy().play(seat, move)
            for amount in {*choice.amounts[:1], *choice.amounts[-1:], *choice.amounts[len(choice.amounts) // 2 :][:1]}:
                match.copy().play(seat, {**choice.move, "amount": amount})
            if choice.amounts:
                for amount in (choice.amounts[0] - choice.amounts.step, choice.amounts[-1] + choice.amounts.step):
                    refused(match, seat, {**choice.move, "amount": amount})


@given(seed=st.integers(0, 2**40))
@examples(25)
def test_every_card_of_a_menu_is_in_a_legal_move(book, seed):
    match = stand(book, seed)
    for seat in match.asked:
        for choice in match.legal(seat):
            if choice.cards is None:
                continue
            missing, rng = set(choice.cards), random.Random(seed)
            for move in chain(begun(match, seat, choice, rng), moves_of(match, seat, rng)):
                missing -= set(laid(move)) if missing and offered(choice, move) else set()
                if not missing:
                    break
            assert not missing, f"{choice} offers {missing}, which no legal move has"


def refusals(match: Match, seat: int) -> Iterator[OutbidError]:
    """What is said of moves that are not legal; nothing changes."""
    for move in [{"do": do} for do in match.rulebook.words.EXPECTED] + checks(match.rulebook).WRONG:
        before = match.state
        try:
            match.play(seat, move)
        except OutbidError as error:
            assert match.state is before
            yield error
        match.state = before


@given(seed=st.integers(0, 2**40))
@examples(10)
def test_a_refusal_lists_what_is_legal(book, seed):
    match = stand(book, seed)
    for seat in match.asked:
        said = match.legal(seat).texts
        for error in refusals(match, seat):
            true(error, said)


YOU = re.compile(r"\b(you|yours?|yourself|du|dir|dich|deine?[nrms]?)\b", re.I)


@given(seed=st.integers(0, 2**40))
@examples(10)
def test_of_a_record_no_refusal_says_you(book, seed):
    match = stand(book, seed)
    for seat in match.asked:
        for language in i18n.LANGUAGES:
            with i18n.locale(language), of_a_file():
                for error in refusals(match, seat):
                    assert not YOU.search(str(error)), error


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.slow
def test_a_sentence_with_two_forms_says_you_to_the_player_alone(language):
    for place, folder in places().items():
        say, count = i18n.words(f"outbid.games.{place}" if place != "outbid" else place)
        for message in {message for *_, message in messages(folder) if "{who:" in str(message) and "|" in str(message)}:
            one, *many = [message] if isinstance(message, str) else message
            facts = {name: 7 for _, name, *_ in string.Formatter().parse(one) if name} | {"who": Mover(1)}

            def said(one=one, many=many, facts=facts, say=say, count=count):
                return count(one, *many, facts["n"], **facts) if many else say(one, **facts)

            with i18n.locale(language):
                assert YOU.search(said())
                with of_a_file():
                    assert not YOU.search(said())
                    assert re.search(r"\b(seat|Platz) 1\b", said(), re.I)


HANDS = {"kuhhandel": ("money", "cards"), "money": ("hand", "cards"), "claim": ("hand", "hand")}  # a hand, its size


@given(seed=st.integers(0, 2**40))
@examples(25)
def test_a_seat_is_shown_as_many_cards_as_it_is_said_to_have(book, seed):
    match = stand(book, seed)
    cards, number = HANDS.get(book.id, ("", ""))
    for seat in range(match.players if cards else 0):
        seen = match.view(seat)
        assert len(seen[cards]) == seen["players"][seat][number]


# --- as a person says it ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["claim", "forex", "kuhhandel", "money", "rivals"])
def test_every_choice_has_german_words_and_in_english_only_what_is_typed_too_tersely(game: str):
    book, kinds = rulebook(game), set()
    for seed in range(8):
        options, players = random_setup(book, random.Random(seed))
        options |= book.preset("everything") if game == "claim" and seed % 2 and players > 2 else {}
        match = Match.new(book, options, players, seed)
        for n in range(60):
            for seat in match.asked:
                terse = [choice.move["do"] for choice in match.legal(seat) if worded(book, choice, match.names)]
                assert set(terse) <= {"icon"}
                with i18n.locale("de"):
                    menu_of_seat = match.legal(seat)
                    said = [worded(book, choice, match.names) for choice in menu_of_seat]
                for choice, words in zip(menu_of_seat, said, strict=True):
                    do, plain = choice.move["do"], re.sub("„[^“]*“", "", words)
                    kinds.add(do)
                    assert plain
                    assert not re.search(r"[{}]", plain)
                    assert do not in plain.split(), plain
                    assert not ENGLISH.search(plain), plain
                    assert do != "icon" or "icon" in terse
            able = [seat for seat in match.asked if len(match.legal(seat))]
            if match.over:
                break
            match.random_move(able[0] if able else contract.CLOCK, n)
    assert len(kinds) >= 4
    assert ("icon" in kinds) == (game == "claim")


def test_a_game_without_words_for_its_choices_shows_what_one_types():
    book = rulebook("sealed")
    choice = Choice("bid 3", {"do": "bid", "amount": 3})
    with i18n.locale("de"):
        assert worded(book, choice, ["Ada", "Ben"]) == ""
        assert menu([Offer("bid 3", choice.move)], None) == ["  1  bid 3"]


def test_a_menu_says_it_in_words_and_then_how_one_types_it():
    offers = [
        Offer("uncover", {"do": "uncover"}, words="eine Karte aufdecken"),
        Offer("bid 1 bis 12", {"do": "bid"}, range(1, 13), words="1 bis 12 bieten"),
        Offer("trade cow with 2", {"do": "trade", "animal": "cow", "with": 2}, words="mit Cem um die Kuh handeln"),
    ]
    with i18n.locale("de"):
        assert menu([one.calling(["Ada", "Ben", "Cem"]) for one in offers], None) == [
            "  1  eine Karte aufdecken         „uncover“",
            "  2  1 bis 12 bieten              etwa „bid 1“",
            "  3  mit Cem um die Kuh handeln   „trade cow with Cem“",
        ]
