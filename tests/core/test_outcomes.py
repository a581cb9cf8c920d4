"""What came of an auction, a trade, an exchange is told as a card, too, and to nobody more than the log tells."""

from __future__ import annotations

import pickle
import random

import pytest

from outbid.core import contract
from outbid.core.hooks.outcome import Outcome, Side, counted
from outbid.core.match import SPECTATOR, Match
from outbid.core.rulebook import rulebook
from outbid.server.domain import scene


def played(game: str, seed: int = 3, most: int = 400) -> Match:
    """A match of random moves."""
    book, rng = rulebook(game), random.Random(seed)
    match = Match.new(book, {}, 3, seed, ["Ada", "Ben", "Cem"])
    while not match.over and len(match.moves) < most:
        match.random_move(rng.choice(match.asked or (contract.CLOCK,)), rng.randrange(1 << 30))
    return match


def outcomes(match: Match, seat: int) -> list[tuple[int, Outcome]]:
    """The moves whose outcome a seat is told, and what."""
    return [(line.move, line.marked) for line in match.log(seat) if isinstance(line.marked, Outcome)]


@pytest.mark.parametrize("game", ["kuhhandel", "money", "rivals", "forex", "claim"])
def test_everybody_is_told_the_outcome_of_the_same_moves_drawn_with_faces_of_the_game(game):
    match = played(game)
    faces = scene.faces(match.rulebook)
    told = {seat: outcomes(match, seat) for seat in range(-1, match.players)}
    moves = {move for move, _ in told[SPECTATOR]}
    assert moves, "nothing came of anything"
    for seat, found in told.items():
        assert moves <= {move for move, _ in found}
        for _, outcome in found:
            assert outcome.sound in ("hammer", "coin", "card", "reveal")
            assert outcome.parties <= set(range(match.players))
            for kind, name in (how.split(":") for side in outcome.sides for how, _ in side.things):
                assert (kind, name) == ("back", "note") or name in faces, (seat, outcome)


def test_an_outcome_of_a_trade_shows_the_money_to_the_two_alone():
    match = played("kuhhandel", most=2000)
    hidden = 0
    for number, move in match.numbered:
        if move["do"] not in ("accept", "counter"):
            continue
        traders = {move["seat"], match.at(number).state.turn}
        for seat in range(-1, match.players):
            shown = [one for at, one in outcomes(match, seat) if at == number and one.sound == "reveal"]
            notes = [how for one in shown for side in one.sides for how, _ in side.things if how.startswith("note:")]
            sums = [side.sum for one in shown for side in one.sides if side.sum]
            if seat not in traders:
                assert not notes
                assert not sums
                hidden += 1
    assert hidden > 10


def test_whenever_an_animal_changes_hands_that_is_shown():
    match = played("kuhhandel", most=2000)
    shown = {move for move, _ in outcomes(match, SPECTATOR)}
    for number, _move in match.numbered:
        before, after = match.at(number).view(), match.at(number + 1).view()
        if [p["animals"] for p in before["players"]] != [p["animals"] for p in after["players"]]:
            assert number in shown, match.moves[number]


def test_an_outcome_is_its_sentence():
    said = Outcome("Ada wins.", "hammer", Side(0, counted("note:x-", [50, 10, 10]), "70", "a cow"))
    assert said == "Ada wins."
    assert said.parties == {0}
    assert said.sides[0].things == (("note:x-50", 1), ("note:x-10", 2))
    again = pickle.loads(pickle.dumps(said))
    assert (again, again.sides, again.sound) == (said, said.sides, said.sound)
