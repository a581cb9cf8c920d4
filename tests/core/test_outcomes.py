"""What came of an auction, a trade, an exchange is told as a card, too, and to nobody more than the log tells."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import pytest

from outbid.core import contract
from outbid.core.hooks.outcome import Outcome, Side, counted
from outbid.core.match import SPECTATOR, Match
from outbid.core.rulebook import rulebook
from outbid.games.forex import rules as forex
from outbid.games.kuhhandel.state import MONEY
from outbid.games.kuhhandel.text.views import cards_of
from outbid.games.money.text.views import points
from outbid.games.rivals.text import views as rivals
from outbid.server.domain import scene
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.store import Store
from tests.support.browsing import begun


def played(game: str, seed: int = 3, most: int = 400, **options: Any) -> Match:
    """A match of random moves."""
    book, rng = rulebook(game), random.Random(seed)
    match = Match.new(book, options, 3, seed, ["Ada", "Ben", "Cem"])
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


def figures(net: str) -> int:
    """The number with which a net line begins."""
    return int(net.split()[0].replace(",", "").replace("−", "-").replace("±", ""))


def stack(side: Side) -> list[int]:
    """The notes of a column."""
    return sorted(int(how.rsplit("-", 1)[1]) for how, n in side.things for _ in range(n) if how.startswith("note:"))


def test_the_net_line_of_a_deal_of_animals_is_what_changed_in_ones_own_hand():
    match = played("kuhhandel", most=2000)
    signs, nothing = set(), 0
    for seat in range(match.players):
        for number, outcome in outcomes(match, seat):
            if not outcome.net:
                nothing += seat not in outcome.parties
                continue
            before, after = match.at(number).state, match.at(number + 1).state
            change = sum(MONEY[n] * (int(after.money[seat][n]) - int(before.money[seat][n])) for n in range(len(MONEY)))
            assert figures(outcome.net) == change, outcome
            signs.add(change > 0)
            assert seat in outcome.parties
    assert signs == {True, False}
    assert nothing > 10


def test_both_columns_of_a_trade_show_what_each_of_the_two_laid_the_largest_last():
    match = played("kuhhandel", most=2000)
    compared = 0
    for number, move in match.numbered:
        if move["do"] != "counter":
            continue
        before = match.at(number).state
        laid = {int(before.turn): sorted(cards_of(before.offer)), move["seat"]: sorted(move["cards"])}
        for seat in laid:
            for outcome in (outcome for at, outcome in outcomes(match, seat) if at == number and outcome.crosses):
                assert {side.seat: stack(side) for side in outcome.sides} == laid
                assert {side.seat: figures(side.sum) for side in outcome.sides} == {p: sum(row) for p, row in laid.items()}
                for side in outcome.sides:
                    values = [int(how.rsplit("-", 1)[1]) for how, _ in side.things if how.startswith("note:")]
                    assert values == sorted(values)
                compared += 1
    assert compared > 10


def test_the_net_line_of_an_exchange_is_the_change_of_the_score():
    match = played("money")
    compared = 0
    for seat in range(match.players):
        for number, outcome in outcomes(match, seat):
            if outcome.net:
                before, after = match.at(number).state, match.at(number + 1).state
                assert figures(outcome.net) == points(after, seat) - points(before, seat)
                compared += 1
    assert compared > 5


def test_the_net_line_of_an_auction_of_cards_is_the_gold_it_cost_and_the_points_it_brought():
    """Computed from the cards that lie there: footprints × (handshakes + 1), and the bonus."""
    match = played("rivals")
    compared, gained = 0, set()

    def points(state: Any, seat: int) -> int:
        counted = 0
        for trip in rivals.seat_view(state, seat, seat)["expeditions"].values():
            numbers = [int(card[1:]) for card in trip["cards"] if card[1] != "x"]
            feet = sum(state.footprints[n - 2] for n in numbers)
            bonus = state.bonus if len(numbers) >= state.bonus_cards else 0
            counted += feet * (len(trip["cards"]) - len(numbers) + 1) + bonus
        return counted

    for number, outcome in ((number, outcome) for number, outcome in outcomes(match, SPECTATOR) if outcome.net):
        taker, before, after = match.moves[number]["seat"], match.at(number).state, match.at(number + 1).state
        first = next(n for n in range(number, 0, -1) if match.at(n).view()["phase"] == "turn")
        spent = int(match.at(first).state.gold[taker]) - int(before.gold[taker])
        gold, brought = outcome.net.split(", ")
        assert [figures(gold), figures(brought)] == [-spent, points(after, taker) - points(before, taker)]
        assert outcome.parties == {taker}
        compared += 1
        gained.add(figures(brought) > 0)
    assert compared > 5
    assert gained == {True, False}


@pytest.mark.parametrize("game", ["kuhhandel", "money", "forex", "claim"])
def test_what_an_outcome_comes_to_is_told_to_those_it_is_about(game):
    match = played(game)
    assert not any(outcome.net for _, outcome in outcomes(match, SPECTATOR))
    for seat in range(match.players):
        nets = [outcome for _, outcome in outcomes(match, seat) if outcome.net]
        assert nets
        assert all(seat in outcome.parties for outcome in nets)


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
    said = Outcome("Ada wins.", "hammer", Side(0, counted("note:x-", [50, 10, 10]), "70"), net="+70", crosses=True)
    assert said == "Ada wins."
    assert said.parties == {0}
    assert said.sides[0].things == (("note:x-50", 1), ("note:x-10", 2))
    again = pickle.loads(pickle.dumps(said))
    assert (again, vars(again)) == (said, vars(said))


def test_the_net_line_of_a_deal_of_currencies_is_the_worth_before_and_after_in_one_unit():
    match = played("forex", most=300)
    compared = set()
    for seat in range(match.players):
        for number, outcome in outcomes(match, seat):
            then = match.at(number + 1)
            if not outcome.net or then.over or outcome.net == "nothing changes":
                continue
            before, after = match.at(number).state, then.state
            unit = forex.measure(after)  # as the page says it beside the outcome
            was, now = (
                [sum(forex.converted(after, k, n, unit) for k, n in enumerate(row)) for row in s.money[: match.players]]
                for s in (before, after)
            )
            words = [word for word in outcome.net.split() if word.isdigit()]
            assert [*map(int, words)] == [was[seat], now[seat]][was[seat] == now[seat] :]
            assert outcome.net.endswith(f", {round(100 * now[seat] / sum(now))}% of all")
            do = match.moves[number]["do"]
            compared.add(do if do != "resolve" else match.at(number).view()["queue"][0]["item"])
    assert compared == {"agree", "contract", "dividends"}


def test_what_a_contract_moves_is_drawn_in_its_currencies():
    match = played("forex", most=300)
    compared = 0
    for outcome in (outcome for _, outcome in outcomes(match, SPECTATOR)):
        for side in outcome.sides:
            amounts = side.sum.replace(" and ", ", ").split(", ")
            assert [how for how, _ in side.things] == [f"note:forex-{amount.split()[1]}" for amount in amounts if amount]
            compared += 1
    assert compared > 10


def test_an_auction_concerns_all_who_have_bid_in_it_also_where_it_is_paid_later():
    match = Match.new(rulebook("kuhhandel"), {}, 4, 3, ["Ada", "Ben", "Cleo", "Dora"])
    match.play(match.asked[0], "auction")
    bidders = []
    for amount in (10, 20):
        bidders.append(match.asked[0])
        match.play(match.asked[0], f"bid {amount}")
    lost, won = bidders
    while match.view()["phase"] == "bid":
        match.play(match.asked[0], "pass")
    seller = match.asked[0]
    match.play(seller, "sell")
    if match.view()["phase"] == "pay":
        match.random_move(match.asked[0], 1)
    moves = [(move["seat"], move["do"]) for move in reversed(match.moves[:-1])]
    (outcome,) = (line.marked for line in match.log(lost) if isinstance(line.marked, Outcome))
    assert {seat for seat in range(4) if outcome.concerns(seat, moves)} == {seller, won, lost}
    trade = Outcome("a trade", "reveal", Side(seller), Side(won))
    assert not trade.concerns(lost, moves)


def seen_by_first(folder: Path, match: Match) -> scene.Scene:
    """A match as the first seat's page has it."""
    settings = Settings(f"sqlite:///{folder}/t.db")
    link = begun(folder / "t.db", match)[0]
    return scene.live(Tables(Store(settings.database), settings).get(link.split("/")[2]), 0, "")


def test_what_closes_a_round_of_money_tells_all_that_was_exchanged_in_it(tmp_path: Path):
    match = played("money", 5)
    seen, last = seen_by_first(tmp_path, match), set[str]()
    for told in seen.log:
        if told.outcome and told.outcome.closes:
            begins = max(n for n in range(told.move) if match.moves[n]["do"] == "bid") + 1
            recap = seen.recap(told)
            done = [(n, match.moves[n]["seat"]) for n in range(begins, told.move)]
            assert [(line.move, line.seat) for line in recap] == done
            assert seen.concerns(told)
            last.add(match.moves[told.move]["do"] if recap else "alone")
    assert {"keep", "take"} <= last


@pytest.mark.parametrize("hidden", [False, True])
def test_when_a_pile_of_rivals_is_used_up_all_see_the_points_that_stand_at_the_seats(tmp_path: Path, hidden: bool):
    match = played("rivals", 5, gold_open=not hidden)
    seen = seen_by_first(tmp_path, match)
    piles = [told for told in seen.log if told.outcome and told.text.startswith("Pile")]
    assert len(piles) == 3
    for told in piles:
        players = match.at(told.move + 1).view(SPECTATOR)["players"]
        points = [player["points" if hidden else "score"] for player in players]
        assert [int(side.sum.split()[0]) for side in told.outcome.sides] == points
        assert all(side.sum.endswith("points + gold") == hidden for side in told.outcome.sides)
        assert seen.concerns(told)
        assert not seen.recap(told)
