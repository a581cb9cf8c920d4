"""The review of a match: win probabilities, decisions by what the mover knew, luck apart from skill, bluffs, accuracy."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import outbid
from outbid import cli
from outbid.bots import Seat, choose, strong
from outbid.bots.belief.company import ANYBODY, LIKE, STEPS
from outbid.bots.nets import value
from outbid.core import contract
from outbid.core.errors import BadSetup
from outbid.core.hooks.review import Laid, Made, bluffs, moves_of, reshuffler
from outbid.core.match import Match
from outbid.core.rulebook import rulebooks
from outbid.review import estimator, evaluate
from outbid.review.chart import draw
from outbid.review.curve import MOVE, REVEAL, curve_of, joined, parts
from outbid.review.estimator import Estimator
from outbid.review.evaluate import CLASSES, JudgedMove, accuracy, judged
from outbid.review.review import MOMENTS, moments, review
from outbid.review.text import Teller, as_text
from tests.rivals.table import play, position
from tests.support.commands import outbid_command
from tests.support.reviewed import SMALL, played, reviewed

# --- who was winning --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", SMALL)
@pytest.mark.slow(but=("rivals",))
def test_chances_sum_to_one_at_every_point_and_end_with_the_result(game):
    points = reviewed(game)["course"]
    assert points[0]["kind"] == "deal"
    assert len([point for point in points if point["kind"] == MOVE]) >= len(played(game).moves)
    for point in points:
        assert sum(point["chances"]) == pytest.approx(1, abs=1e-3)
        assert min(point["chances"]) >= 0
    assert points[-1]["chances"] == pytest.approx(reviewed(game)["result"])
    assert points[-1]["move"] == len(played(game).moves)


@pytest.mark.parametrize("game", SMALL)
def test_deal_reveals_own_and_others_decisions_sum_exactly_to_the_result(game):
    for seat, luck in enumerate(reviewed(game)["luck"]):
        summed = sum(luck[name] for name in ("deal", "reveals", "own", "others"))
        assert summed == pytest.approx(reviewed(game)["result"][seat] - 1 / 2, abs=1e-9)


def test_what_cards_change_is_luck_and_what_moves_change_is_not():
    match = played("rivals")
    moves = moves_of(match)
    points = curve_of(match.rulebook, moves, Estimator(match.rulebook, match.state, compiled=False), 4, 1)
    for number, point in enumerate(points):
        if point.kind == REVEAL:
            assert points[number - 1].kind == MOVE
            assert points[number - 1].move == point.move
            assert point.seat is None
    revealing = {point.move - 1 for point in points if point.kind == REVEAL}
    assert revealing
    for move in moves:
        uncovered = move.after.drawn > move.before.drawn and move.before.size - move.before.drawn > 1
        if move.number in revealing:
            assert move.after.drawn > move.before.drawn
        elif uncovered:  # the only cards left may all be alike
            left = move.before.deck[move.before.drawn : move.before.size]
            assert len(set(left)) < len(left)


def test_a_game_without_chance_after_the_deal_has_no_luck_but_the_deal():
    for game in ("forex", "claim"):
        assert all(luck["reveals"] == 0 for luck in reviewed(game)["luck"])
        assert not [point for point in reviewed(game)["course"] if point["kind"] == REVEAL]


def test_decisions_of_ones_own_and_of_others_are_the_same_changes_seen_from_both_sides():
    match = played("kuhhandel")
    points = curve_of(match.rulebook, moves_of(match), Estimator(match.rulebook, match.state, compiled=False), 4, 1)
    ada, ben = (parts(points, seat) for seat in (0, 1))
    for name, other in (("deal", "deal"), ("reveals", "reveals"), ("own", "others"), ("others", "own")):
        assert ada[name].value == pytest.approx(-ben[other].value)


def test_a_curve_in_more_worlds_is_the_one_in_fewer_and_the_rest():
    match = played("kuhhandel")
    moves, judge = moves_of(match), Estimator(match.rulebook, match.state, compiled=False)
    two = [curve_of(match.rulebook, moves, judge, 3, 1, first) for first in (0, 3)]
    both = joined(two)
    assert len(both) == len(two[0])
    for whole, first, second in zip(both, *two, strict=True):
        assert whole.chances == pytest.approx((first.chances + second.chances) / 2)


@pytest.mark.parametrize("game", [name for name in SMALL if name != "forex"])
def test_a_new_order_of_what_nobody_has_drawn_changes_nothing_that_anybody_sees(game):
    match = outbid.game(game).new(players=3, seed=6)
    reshuffle, changed = reshuffler(match.rulebook), False
    assert reshuffle
    for number in range(30):
        state = match.state
        other = state.copy()
        reshuffle(other, number)
        changed |= other != state
        for seat in range(-1, match.players):
            seen, same = state.copy(), other.copy()
            contract.hide(seen, seat)
            contract.hide(same, seat)
            assert seen == same
        match.random_move(match.asked[0], number)
        if match.over:
            break
    assert changed or game == "claim"


def test_covered_products_of_claim_are_put_in_a_new_order():
    state = outbid.game("claim", preset="everything").new(players=3, seed=2).state
    other = state.copy()
    reshuffler(rulebooks()["claim"])(other, 1)
    assert set(state.differences(other)) <= {"products", "reserve"} != set()


# --- decisions --------------------------------------------------------------------------------------------------------


@pytest.mark.slow(but=("rivals",))
@pytest.mark.parametrize("game", ["kuhhandel", "claim", "money"])
def test_a_decision_is_judged_by_what_the_mover_knew(game):
    fewer = {"copies": [0, 0, 0, 0, 0, 4, 4, 4, 4, 0]} if game == "kuhhandel" else {}
    match, n = played("money") if game == "money" else outbid.game(game, **fewer).new(players=3, seed=8), 0
    while not match.over:
        match.random_move(match.asked[0], len(match.moves))
    moves = moves_of(match)[{"kuhhandel": -12, "claim": 10, "money": 0}[game] :]
    earlier = match.at(moves[0].number)
    for move in moves:
        one = judged(earlier, move, 1, 0.1, compiled=False)
        if one:
            other = earlier.copy()
            contract.redeal(other.state, move.seat, 77 + move.number)
            n += other.state != earlier.state
            assert judged(other, move, 1, 0.1, compiled=False) == one
        if n == 2:
            return
        earlier.play(move.seat, move.said)
    assert n


@pytest.mark.slow
@pytest.mark.parametrize("game", ["rivals", "kuhhandel"])
@pytest.mark.generic
def test_moves_are_compared_in_the_worlds_the_seat_keeps_among_those_for_whom_the_moves_of_the_others_speak(game):
    options = {"pile_distribution": True} if game == "rivals" else {}  # where gold comes back, there is more to win
    match = Match.new(rulebooks()[game], options, 3, 4)
    moves: list[tuple[int, ...]] = []
    while len(match.moves) < 30 or len(moves) < 2:
        mover = match.asked[0]
        seat = Seat.of(match, mover, 1)
        moves = list(dict.fromkeys(choose(match, mover, "random", n).actions for n in range(30)))
        if len(match.moves) < 30 or len(moves) < 2:
            match.play_steps(mover, moves[0])
    anybody, knowing = (evaluate.compared(one, *moves[:2], 1.0, compiled=True) for one in (replace(seat, past=()), seat))
    assert knowing != anybody
    work = strong.space_of(match.rulebook, True).work
    assert (work.posterior[(seat.seat + 1) % 3] != work.before).any(), "something was learned"
    assert (work.particles[0] == strong.RECORDS) == (game == "kuhhandel"), "worlds are kept there"


@pytest.mark.parametrize("game", SMALL)
def test_a_loss_is_never_negative_and_counts_only_beyond_the_error(game):
    for one in reviewed(game)["decisions"]:
        assert one["loss"] >= 0
        assert 0 <= one["worth"] <= one["best"] <= 1
        assert (one["better"] is None) == (one["loss"] == 0 and not one.get("fewer"))
        assert one["loss"] == 0 or one["loss"] > evaluate.MARGIN * one["error"] - 1e-3
        assert one["class"] == next(name for name, below in CLASSES if one["loss"] < below)


@pytest.mark.slow
def test_giving_a_set_away_is_a_blunder_and_keeping_it_is_better():
    found = [one for seed in range(4) for one in blunders("kuhhandel", seed)]
    assert found
    for match, one in found[:3]:
        earlier = match.at(one.number)
        earlier.play(one.seat, one.better)  # it is legal
        assert one.kind == "blunder"


def blunders(game: str, seed: int) -> list[tuple[Match, JudgedMove]]:
    match = played(game, seed)
    found = [judged(match.at(move.number), move, 1, 0.3, compiled=False) for move in moves_of(match)]
    return [(match, one) for one in found if one and one.loss > 0.5]


def test_what_only_one_judge_sees_is_no_mistake_and_the_loss_is_what_both_see():
    match, one = next(found for seed in range(8) for found in blunders("kuhhandel", seed))
    move = moves_of(match)[one.number]

    def said(gain: float) -> JudgedMove:
        """The decision where the second judge thinks all other moves better by so much."""
        return judged(
            match.at(one.number), move, 1, 0.3, compiled=False,
            second=lambda _seat, moves: np.array([[0.2] + [0.2 + gain] * (len(moves) - 1)]),
        )  # fmt: skip

    assert (said(0.0).loss, said(0.0).better) == (0.0, None)
    assert said(-0.3).better is None
    assert said(0.07).loss == pytest.approx(0.07)
    assert said(0.07).better
    assert said(1.5).loss == one.loss


def test_the_judge_of_the_curve_says_what_a_seat_may_expect_by_what_it_knows():
    """Two moves of Money!, and the other hands dealt otherwise: the same numbers."""
    match = outbid.game("money").new(players=3, seed=4)
    while len(match.moves) < 8 or len(match.legal(match.asked[0])) < 2:
        match.random_move(match.asked[0], len(match.moves))
    seat = Seat.of(match, match.asked[0], 1)
    moves = list(dict.fromkeys(choose(match, seat.seat, "random", n).actions for n in range(20)))[:2]
    judge = Estimator(match.rulebook, match.state, compiled=False)
    found = judge.after(seat, moves)
    assert found is not None
    assert found.shape == (value.KNOWN_WORLDS, 2)
    assert ((found >= 0) & (found <= 1)).all()
    assert found[:, 0].std() > 0, "it holds several worlds possible"
    other = match.copy()
    contract.redeal(other.state, seat.seat, 99)
    assert other.state != match.state
    assert (judge.after(Seat.of(other, seat.seat, 1), moves) == found).all()
    told = np.full_like(judge.company().told, 3.0)
    assert (judge.after(seat, moves, told) == found).all(), "steps that hands are told by count for nothing"


@pytest.mark.parametrize("game", SMALL)
def test_moves_without_a_choice_are_not_judged(game):
    judged_moves = {one["move"] for one in reviewed(game)["decisions"]}
    for number, move in enumerate(played(game).moves):
        state = played(game).at(number).state
        out = [0] * (played(game).rulebook.actions + 64)
        if evaluate.forced(played(game).rulebook, state, move["seat"]):
            assert number not in judged_moves
        elif contract.legal(state, move["seat"], out) > 1:
            assert number in judged_moves


def test_bids_against_a_clock_are_not_judged():
    match = outbid.game("kuhhandel", bidding="realtime").new(players=3, seed=1)
    match.play(match.asked[0], "auction")
    match.play(match.asked[0], "bid 10")
    match.play(None, "close")
    _auction, bid, close = moves_of(match)
    for move in (bid, close):
        assert judged(match.at(move.number), move, 1, 0.1, compiled=False) is None


def lost(*each: tuple[float, float]) -> list[JudgedMove]:
    """Decisions by loss and stake."""
    return [JudgedMove(n, 0, 0.5, 0.5 + loss, loss, 0.0, None, {}, stake) for n, (loss, stake) in enumerate(each)]


def test_accuracy_comes_near_100_without_a_loss_and_falls_with_every_loss():
    assert accuracy(lost((0, 0.2))) < accuracy(lost((0, 0.2), (0, 0.2))) < accuracy(lost(*[(0, 0.2)] * 40)) < 100
    assert accuracy(lost(*[(0, 0.2)] * 40)) > 99
    even = (75 * 0.05 + 100 * 0.2 * (1 + math.exp(-1))) / 0.45
    assert accuracy(lost((0, 0.2), (0.1, 0.2))) == pytest.approx(even)
    assert accuracy(lost((0.2, 0.3))) < accuracy(lost((0.1, 0.3))) < accuracy(lost((0.1, 0.3), (0, 0.3)))
    assert accuracy([]) is None


def test_who_had_nothing_to_lose_has_no_accuracy():
    """Random play soon has no hope; that is not faultless."""
    assert accuracy(lost(*[(0.0, 0.004)] * 50)) is None
    assert accuracy(lost((0.0, 0.02), *[(0.0, 0.004)] * 50)) == accuracy(lost((0.0, 0.02))) < 83


def test_decisions_in_which_nothing_was_at_stake_do_not_hide_a_blunder():
    blunder, nothing = (0.3, 0.3), (0.0, 0.0)
    assert accuracy(lost(blunder, *[nothing] * 20)) < 15
    assert accuracy(lost(blunder, *[(0.0, 0.3)] * 20)) > 90


@pytest.mark.parametrize("game", SMALL)
def test_every_decision_says_what_was_at_stake(game):
    stakes = [one["stake"] for one in reviewed(game)["decisions"]]
    assert all(0 <= stake <= 1 for stake in stakes)
    assert any(stakes)


# --- moments, bluffs, words -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", SMALL)
def test_moves_are_told_by_name_with_what_only_their_player_knew(game):
    match = outbid.game(game).new(players=3, seed=1, names=["Ada", "Ben", "Cem"])
    while not match.over and len(match.moves) < 200:
        match.random_move(match.asked[0], len(match.moves))
    teller = Teller(match, {})
    said = [teller.did(number) for number in range(len(match.moves))]
    assert not [one for one in said if re.search(r"\b(You|you|your)\b", one)]
    assert not [one for one in said if "seals a bid" in one]
    for move, one in zip(match.moves, said, strict=True):
        assert move["seat"] is None or any(name in one for name in match.names)


@pytest.mark.parametrize("game", SMALL)
def test_at_most_five_moments_are_told_in_the_order_of_the_match(game):
    moments = reviewed(game)["moments"]
    assert len(moments) <= MOMENTS
    assert [one["move"] for one in moments] == sorted({one["move"] for one in moments})
    told = Teller(played(game), reviewed(game)).moments()
    assert [one.number for one in told] == [one["move"] for one in moments]
    assert all(one.did and one.said for one in told)


def test_a_change_that_is_gone_two_moves_later_is_no_turning_point():
    def told(*shares: float) -> list[int]:
        """The turning points of a match in which the first of two has these shares, one a move."""
        points: list[Any] = [
            SimpleNamespace(move=k, kind=MOVE, values=np.full((4, 2), (one, 1 - one)), chances=np.array((one, 1 - one)))
            for k, one in enumerate(shares)
        ]
        moves: list[Any] = [SimpleNamespace(seat=0)] * len(shares)
        return [one["move"] for one in moments(moves, points, [])]

    assert told(0.3, 0.3, 0.5, 0.3, 0.3, 0.3) == []
    assert told(0.3, 0.3, 0.5, 0.5, 0.5, 0.5) == [1]
    assert told(0.3, 0.3, 0.3, 0.3, 0.3, 1.0) == [4], "the end stays"


def kuhhandel(*moves: tuple[int, str]) -> list[Laid]:
    """The bluffs of moves from a fixed deal."""
    match = outbid.game("kuhhandel", quick_deal4=True).new(players=3, seed=4)
    for seat, said in moves:
        match.play(seat, said)
    return bluffs(match.rulebook, moves_of(match)) or []


def trade() -> tuple[int, int, str]:
    """The first trade of that deal: who, with whom, and the move."""
    match = outbid.game("kuhhandel", quick_deal4=True).new(players=3, seed=4)
    seat = match.asked[0]
    move = next(choice.move for choice in match.legal(seat) if choice.move["do"] == "trade")
    return seat, move["with"], f"trade {move['animal']} with {move['with']}"


def test_an_offer_of_zeros_is_a_bluff_and_one_of_money_is_not():
    seat, other, said = trade()
    (worked,) = kuhhandel((seat, said), (seat, "offer 0 0"), (other, "accept"))
    assert (worked.seat, worked.bluff, worked.worked) == (seat, True, True)
    (called,) = kuhhandel((seat, said), (seat, "offer 0"), (other, "counter 10"))
    assert (called.bluff, called.worked) == (True, False)
    (honest,) = kuhhandel((seat, said), (seat, "offer 50 10"), (other, "accept"))
    assert (honest.bluff, honest.worked) == (False, True)
    assert "50" in honest.text


def test_a_bid_beyond_ones_money_is_a_bluff_that_fails_when_it_is_called():
    match = outbid.game("kuhhandel").new(players=3, seed=4)
    seller = match.asked[0]
    match.play(seller, "auction")
    bidder = match.asked[0]
    match.play(bidder, "bid 200")
    while match.asked[0] != seller:
        match.play(match.asked[0], "pass")
    match.play(seller, "sell")
    (laid,) = bluffs(match.rulebook, moves_of(match)) or []
    assert (laid.seat, laid.bluff, laid.worked) == (bidder, True, False)


def test_games_in_which_nothing_is_laid_unseen_have_no_bluff_report():
    for game in ("rivals", "forex", "claim"):
        assert bluffs(rulebooks()[game], moves_of(played(game))) is None
        assert Teller(played(game), reviewed(game)).bluffing() == []


@pytest.mark.parametrize("game", SMALL)
def test_every_decision_that_lost_says_what_was_better(game):
    teller = Teller(played(game), reviewed(game))
    text = as_text(teller)
    assert all(name in text for name in ("Ada", "Ben"))
    for one in reviewed(game)["decisions"]:
        assert bool(teller.loss(one)) == (one["loss"] > 0 or "fewer" in one)


def test_the_drawing_has_a_line_and_a_name_for_each_seat_and_a_number_for_each_moment():
    made = reviewed("kuhhandel")
    drawn = draw(made, 340, 300)
    assert drawn.count("<polyline") == 2
    assert all(f">{name}</text>" in drawn for name in ("Ada", "Ben"))
    assert drawn.count("<circle") == len(made["moments"])
    lines = re.findall(r"<(?:path|polyline)[^>]*>", drawn)
    assert lines
    assert all('fill="none"' in line for line in lines)  # a bent line has no black inside
    assert "&lt;" in draw({**made, "players": ["<b>", "Ben"]}, 340, 300)


def test_where_the_judge_may_be_off_each_line_has_a_band_as_wide_as_that():
    made = reviewed("kuhhandel")
    wide = {**made, "course": [{**point, "band": 0.1} for point in made["course"]]}
    sure = {**made, "course": [{**point, "band": 0.0} for point in made["course"]]}
    assert draw(wide, 340, 300).count("<polygon") == 2
    assert draw(sure, 340, 300).count("<polygon") == 0
    assert made["course"][0]["band"] > 0, "nobody has measured the judge of such small matches"
    assert made["course"][-1]["band"] == 0, "a result is no estimate"


@pytest.mark.parametrize("game", SMALL)
def test_a_loss_within_the_judges_own_error_is_no_mistake(game):
    for one in reviewed(game)["decisions"]:
        assert one["doubt"] > 0
        assert one["loss"] == 0 or one["loss"] > one["doubt"]


def test_what_was_measured_of_the_judge_is_read_by_company(monkeypatch):
    match = outbid.game("claim").new(players=3, seed=1)
    judge = Estimator(match.rulebook, match.state, compiled=False)
    assert judge.name == "net"
    told = judge.company().told
    cells = {
        "easy": {"error": 0.09, "excess": 0.06, "misses": ["error"]},
        "mixed": {"error": 0.02, "excess": 0.01, "misses": []},
        "strong": {"error": 0.08, "excess": 0.05, "misses": ["slope"]},
    }
    monkeypatch.setattr(estimator, "measured", lambda: {("claim", 3, "net"): cells})
    assert (judge.doubt(told), judge.band(told)) == (0.01, 0.0), "nobody has moved yet"
    told[:, STEPS], told[:, ANYBODY] = 20, -40
    told[:, LIKE + len(judge.types) :] = -40
    told[:, LIKE + len(judge.types) + judge.types.index("easy")] = -1
    assert (judge.doubt(told), judge.band(told)) == (0.06, 0.09), "all of them are easy"
    told[0, LIKE + len(judge.types) + judge.types.index("easy")] = -60
    assert (judge.doubt(told), judge.band(told)) == (0.05, 0.08), "they may be anybody"


# --- the estimator, and the whole -------------------------------------------------------------------------------------


def test_a_position_that_is_decided_is_judged_so():
    match = played("rivals")
    book = match.rulebook
    judge = Estimator(book, match.state, compiled=False)
    assert judge.values([match.state], 1, [0] * 8) == pytest.approx(np.array([value.shares(match.state)]))


def test_a_match_that_goes_on_is_refused():
    with pytest.raises(outbid.BadSetup, match="not over"):
        review(outbid.game("money").new(players=3, seed=1))


def test_the_same_match_has_the_same_review_and_the_progress_reaches_the_end():
    match, told = played("kuhhandel"), []
    again = review(match, worlds=4, effort=0.3, compiled=False, tell=lambda done, so_far: told.append(done))
    assert json.loads(json.dumps(again)) == json.loads(json.dumps(reviewed("kuhhandel")))
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_a_seat_whose_decisions_come_first_has_the_review_that_all_have_and_the_worst_by_the_curve_at_once():
    match, told = played("kuhhandel"), []

    def tell(_done: float, so_far: dict[str, Any]) -> None:
        told.append([decision["move"] for decision in so_far.get("decisions", ())])

    again = review(match, worlds=4, effort=0.3, compiled=False, tell=tell, first=1)
    assert json.loads(json.dumps(again)) == json.loads(json.dumps(reviewed("kuhhandel")))
    seats = {decision["move"]: decision["seat"] for decision in again["decisions"]}
    own = [number for number, seat in seats.items() if seat == 1]
    assert own in told, "all of the seat are judged before any other"
    assert all(seats[number] == 1 for numbers in told if len(numbers) <= len(own) for number in numbers)
    chances = {point["move"]: point["chances"][1] for point in again["course"]}
    (first,) = next(numbers for numbers in told if numbers)
    assert first == min(own, key=lambda number: chances[number + 1] - chances[number])


@pytest.mark.slow
def test_outbid_analyse_prints_a_summary_json_or_a_page_that_needs_nothing_else(tmp_path):
    file, page = tmp_path / "game.json", tmp_path / "review.html"
    file.write_text(json.dumps(played("kuhhandel").record()))
    told = outbid_command("analyse", file, "--effort", "0.1", "--html", page)
    assert told.returncode == 0, told.stderr
    assert "accuracy" in told.stdout
    assert "Ada" in told.stdout
    html = page.read_text()
    assert "<polyline" in html
    assert "href=" not in html
    assert "src=" not in html
    made = json.loads(outbid_command("analyse", file, "--effort", "0.1", "--json").stdout)
    assert made["format"] == "outbid-review/4"


def test_outbid_analyse_speaks_the_language_of_the_terminal_or_the_one_that_is_said(tmp_path, monkeypatch):
    file, page = tmp_path / "game.json", tmp_path / "review.html"
    file.write_text(json.dumps(played("kuhhandel").record()))
    monkeypatch.setattr("outbid.review.review.review", lambda match, **how: reviewed("kuhhandel"))

    def told(*more: str) -> str:
        done = CliRunner().invoke(cli.app, ["analyse", str(file), "--html", str(page), *more])
        assert done.exit_code == 0, done.output
        return done.stdout + page.read_text()

    monkeypatch.setenv("LC_ALL", "C")
    assert "accuracy" in told()
    wanted = told("--language", "de")
    monkeypatch.setenv("LC_ALL", "de_AT.UTF-8")
    for german in (wanted, told()):
        assert "Genauigkeit" in german.partition("<html")[0]
        assert 'lang="de"' in german
        assert "accuracy" not in german
    with pytest.raises(BadSetup, match="There is no language 'fr'; there are en, de"):
        CliRunner().invoke(cli.app, ["analyse", str(file), "--language", "fr"], catch_exceptions=False)


@pytest.mark.slow
def test_outbid_analyse_says_in_a_sentence_what_is_wrong(tmp_path):
    file = tmp_path / "games.jsonl"
    record = json.dumps(played("kuhhandel").record())
    file.write_text(f"{record}\n{record}\n")
    several = outbid_command("analyse", file)
    assert (several.returncode, several.stdout) == (2, "")
    assert "2 records; --record" in several.stderr
    assert "no record 3" in outbid_command("analyse", file, "--record", "3").stderr
    match = outbid.game("money").new(players=3, seed=1)
    file.write_text(json.dumps(match.record()))
    assert "not over" in outbid_command("analyse", file).stderr


def test_whoever_is_beyond_hope_loses_points_where_there_is_no_chance_to_lose():
    trips = ["Rx R2 R3", "Gx G3 G4 G5 G6 G7 G8", "Bx"]
    match = play(position("R4 R5 G9", trips, gold=(4, 3, 5), drawn=77, turn=1), "1 bid 3 / 2 pass")
    attempt = match.attempt(0, "pass")
    one = judged(match.copy(), Made(0, 0, attempt.move, match.state, attempt.state), 1, compiled=False)
    assert one is not None
    assert (one.better, one.loss, one.kind) == ({"do": "bid", "amount": 4}, 0.0, "good")
    assert one.fewer > 4
    tell = Teller(match, {"decisions": []})
    cost = tell.cost({"fewer": one.fewer})
    assert cost == f"The chance to win hardly depended on it; it cost {one.fewer} points."
    better = match.attempt(0, "bid 4")
    assert judged(match.copy(), Made(0, 0, better.move, match.state, better.state), 1, compiled=False).fewer == 0
