"""The rulings C1 to C40 of the rulebook, each on hand-made tables. Seats are Ada 0, Ben 1, Cem 2, Dot 3, Eli 4, Fay 5."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import outbid
from outbid.core.errors import BadOption, BadSetup, Illegal, Unreadable
from outbid.core.language.phrases import Speaker
from outbid.testing.positions import redealt

from .checks import check
from .table import (
    ACTION,
    ALL,
    BOOK,
    NAMES,
    SHOP,
    THREE,
    claims,
    counts,
    deal,
    holds,
    known,
    may,
    money,
    on_table,
    play,
    position,
    pushes,
    rows,
    to_the_end,
    told,
    value,
)  # fmt: skip

# --- components, deal, centre -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "each", "total"), [(2, 13, 26), (3, 12, 36), (4, 11, 44), (5, 10, 50), (6, 9, 54)])
def test_the_deck_divides_evenly_for_any_number_of_players(players, each, total):
    """C1, C38"""
    made = deal(players).deal
    assert [len(hand) for hand in made["hands"]] == [each] * players
    assert made["centre"] == made["aside"] == []
    copies = Counter(bill for hand in made["hands"] for bill in hand)
    assert copies == {str(v): (14, 12, 10, 8, 6, 4)[v - 1] for v in range(1, players + 1)}
    assert sum(copies.values()) == total


def test_expansions_add_their_bills_by_the_number_of_players():
    """C1"""
    made = deal(4, **THREE).deal
    copies = Counter([*made["centre"], *(bill for hand in made["hands"] for bill in hand)])
    assert (copies["w"], copies["0"], copies["-2"], copies["-1"], copies["7"]) == (4, 18, 4, 4, 2)
    assert {bill for bill in copies if "/" in bill} == {"1/2", "1/3", "2/3", "1/4", "3/4"}
    assert copies["1/2"] == 2
    assert not [bill for hand in deal(3, **THREE).deal["hands"] for bill in hand if bill == "7"]


def test_every_icon_is_there_once_for_each_number_that_has_it():
    """C1: 28 of 54 bills."""
    made = deal(6, **ACTION).deal
    bills = Counter(bill for hand in made["hands"] for bill in hand)
    assert sum(n for bill, n in bills.items() if ":" in bill) == 28
    assert bills["1"] == 6
    assert bills["6"] == 4
    assert bills["4:merger"] == bills["5:refund"] == 1


def test_two_players_use_two_numbers_or_the_duel():
    """C39: 26 bills, or 36 of which 12 are set aside; multinumbers by the number of players."""
    assert {bill for hand in deal(2).deal["hands"] for bill in hand} == {"1", "2"}
    duel = deal(2, two_players="duel", bad_investment=True).deal
    assert ([len(hand) for hand in duel["hands"]], len(duel["aside"])) == ([17, 17], 12)
    bills = Counter([*duel["aside"], *duel["hands"][0], *duel["hands"][1]])
    assert bills["3"] == 10
    assert {bill for bill in bills if "/" in bill} == {"1/2"}
    assert len(deal(3, two_players="duel").deal["hands"][0]) == 12  # no effect with three


def test_the_whole_deck_is_dealt_and_a_cap_sets_all_the_rest_aside_even_if_it_is_less_than_a_round():
    """C38: five players with Bad Investment have 67 bills."""
    made = deal(5, bad_investment=True).deal
    assert [len(hand) for hand in made["hands"]] == [13] * 5
    assert (len(made["centre"]), len(made["aside"])) == (2, 0)
    made = deal(5, bad_investment=True, hand_cap=13).deal
    assert [len(hand) for hand in made["hands"]] == [13] * 5
    assert (len(made["centre"]), len(made["aside"])) == (0, 2)
    assert deal(5, bad_investment=True, hand_cap=14).deal == deal(5, bad_investment=True).deal
    small = deal(5, zero_risk=True, hand_cap=4).deal
    assert (len(small["hands"][0]), len(small["aside"])) == (4, 48)


def test_in_the_duel_its_twelve_are_set_aside_before_a_cap_is_looked_at():
    """C38, C39: 38 bills with Wild Wagers, of which 26 are dealt."""
    duel = {"two_players": "duel", "wild_wagers": True}
    lots = [deal(2, hand_cap=cap, **duel).deal for cap in (0, 13, 12)]
    assert [(len(made["hands"][0]), len(made["aside"])) for made in lots] == [(13, 12), (13, 12), (12, 14)]
    assert [len(deal(2, two_players="duel", duel_aside=n).deal["aside"]) for n in (0, 7)] == [0, 7]


@pytest.mark.parametrize(
    ("players", "options", "said"),
    [
        (2, {"zero_risk": True, "zeros": 100},
         "2 players would be dealt 63 bills each, and 40 are the most: set hand_cap to 1 to 40, or lower copies or zer"),
        (5, {"copies": [20] * 6, "zeros": 100, "zero_risk": True, "wild_wagers": True},
         "5 players would be dealt 41 bills each, and 40 are the most: set hand_cap to 1 to 40, or lower copies or zer"),
        (3, {"copies": [0, 1, 1, 6, 6, 6]}, "There are 2 bills for 3 players: raise copies."),
        (2, {"copies": [4, 4, 4, 0, 0, 0], "two_players": "duel"},
         "The duel sets 12 of 12 bills aside, too many: lower duel_aside, or raise copies."),
    ],
)  # fmt: skip
def test_bills_that_cannot_be_dealt_are_refused_with_what_would_be_right(players, options, said):
    """C38, C39"""
    with pytest.raises(BadOption, match=re.escape(said)):
        deal(players, **options)
    assert deal(players, **options | {"hand_cap": 40, "duel_aside": 0, "copies": [14, 12, 10, 8, 6, 4]}).asked


def test_forty_bills_each_can_be_held_and_played():
    """C38: six players, 244 bills; all of them come to lie on the table and in rows."""
    match = deal(6, copies=[20] * 6, zeros=100, **THREE, goal=10**6, zero_goal=10**6)
    assert (match.view()["players"][5]["hand"], len(match.deal["centre"]), match.view()["most_turns"]) == (40, 4, 240)
    while not match.over:
        match.random_move(match.asked[0], len(match.moves))
    check(match.state)
    assert match.state.overflow() is None
    assert match.view()["ended"] == "run-out"
    assert match.view()["turns"] == 240


def centre(bills, players=3, **options):
    """The table after a deal with these leftovers, as many as there are players less one."""
    game = outbid.game("claim", **options)
    made = game.new(players, 1).deal
    assert len(made["centre"]) == len(bills)
    for n, bill in enumerate(bills):
        for lot in [*made["hands"], made["centre"][n + 1 :]]:
            if made["centre"][n] != bill and bill in lot:
                lot.append(made["centre"][n])
                lot.remove(bill)
                if lot is not made["hands"][0] and lot not in made["hands"]:
                    made["centre"][n + 1 :] = lot
                made["centre"][n] = bill
    assert made["centre"] == bills
    match = game.load(["A", "B", "C", "D", "E", "F"][:players], made)
    check(match.state)
    return match


def test_leftovers_are_stacks_already_unless_they_would_be_full_or_cannot_start():
    """C2: two 3s would be worth 6, so the second leaves the game."""
    copies = [14, 12, 12, 0, 0, 0]
    assert on_table(centre(["3", "3"], copies=copies)) == {3: ["3"]}
    assert centre(["3", "3"], copies=copies).view()["gone"] == 1
    assert on_table(centre(["1", "1"], copies=copies)) == {1: ["1", "1"]}
    assert on_table(centre(["2", "1"], copies=copies)) == {2: ["2"], 1: ["1"]}


def test_a_wild_leftover_leaves_the_game_and_a_multinumber_lies_with_its_first_number():
    """C2"""
    copies = [7, 7, 6, 0, 0, 0]
    assert on_table(centre(["w", "1"], wild_wagers=True, copies=[12, 10, 10, 0, 0, 0])) == {1: ["1"]}
    left = centre(["w", "1"], wild_wagers=True, copies=[12, 10, 10, 0, 0, 0])
    assert left.view()["left_over"] == {"bills": ["w", "1"], "removed": ["w"]}  # all have seen it
    board = BOOK.words.board(left.seen(0), 0, left.names)
    assert "Left over in the deal: w 1.\nOut of the game at once: w." in board
    match = centre(["1/2", "1"], bad_investment=True, copies=copies)
    assert on_table(match) == {1: ["1/2=1", "1"]}
    assert centre(["-2", "-2"], bad_investment=True, copies=copies).view()["gone"] == 0


def test_a_player_drawn_at_random_begins_and_turns_go_clockwise():
    """C3"""
    assert {deal(4, seed).deal["start"] for seed in range(40)} == {0, 1, 2, 3}
    match = position([["1"]] * 4, turn=2)
    play(match, "2 play 1 / 2 end / 3 play 1 / 3 end")
    assert match.asked == (0,)


# --- the play ---------------------------------------------------------------------------------------------------------


def test_a_bill_goes_on_the_stack_of_its_number_or_starts_one():
    """C4"""
    match = play(position([["2", "3"]], {3: ["3"], 1: ["1"]}), "0 play 2")
    assert on_table(match) == {3: ["3"], 1: ["1"], 2: ["2"]}
    again = play(position([["1", "3"]], {3: ["3"], 1: ["1"]}), "0 play 1")
    assert on_table(again) == {3: ["3"], 1: ["1", "1"]}


@pytest.mark.parametrize(
    ("number", "lying", "full"),
    [
        (1, 3, False), (1, 4, True), (2, 1, False), (2, 2, True), (3, 0, False), (3, 1, True), (4, 1, True), (5, 0, True),
        (6, 0, True),
    ],
)  # fmt: skip
def test_sizes_at_which_a_stack_is_full(number, lying, full):
    """C5"""
    bills = {number: [str(number)] * lying} if lying else {}
    match = play(position([[str(number), "1"]], bills, players=6), f"0 play {number}")
    assert match.view()["window"]["full"] == ([number] if full else [])
    assert ("end" in may(match)) == (not full)


def test_thresholds_move_one_limit_each():
    """C5"""
    six = play(position([["3"]], {3: ["3"]}, full_threshold=7), "0 play 3")
    assert "end" in may(six)
    negative = {"bad_investment": True}
    lying = {-2: ["-2", "-2"]}
    assert "end" not in may(play(position([["-2"]], lying, **negative), "0 play -2"))
    assert "end" in may(play(position([["-2"]], lying, negative_threshold=-7, full_threshold=1, **negative), "0 play -2"))


def test_a_stack_that_was_left_lying_at_five_is_not_full_until_it_grows_and_can_be_claimed():
    """C5"""
    match = play(position([["1"], ["2", "3"]], {3: ["3", "3"]}), "0 play 1")
    assert match.view()["window"] == {"claimed": False, "claimable": [3], "full": [], "offered": False}
    play(match, "0 end / 1 play 3")
    assert match.view()["window"]["full"] == [3]


def test_an_empty_hand_skips_the_play_and_keeps_the_window():
    """C12: the others go on playing."""
    match = position([[], ["1", "2"]], {2: ["2"]}, players=2)
    assert match.view()["phase"] == "window"
    assert may(match) == ["claim 2", "end"]
    play(match, "0 end")
    assert match.view()["phase"] == "play"
    play(match, "1 play 1 / 1 end")
    assert match.asked == (0,)
    assert told(match) == ["Ada has no bill to play."]


def test_a_hand_of_wild_bills_and_an_empty_table_skip_the_play_and_show_the_hand():
    """C12, C26"""
    match = position([["w", "w"]], wild_wagers=True)
    assert match.view()["phase"] == "window"
    assert may(match) == ["end"]
    assert known(match, 0) == ["w", "w"]
    lying = position([["w"]], {1: ["1"]}, wild_wagers=True)
    assert may(lying) == ["play w on 1"]
    mixed = position([["w", "2"]], wild_wagers=True)
    assert may(mixed) == ["play 2"]


def test_a_bill_that_everybody_knows_is_played_before_an_equal_covered_one():
    """C13"""
    match = position([["1", "3", "3"], ["2"]], {3: ["3"]}, reveal=True)
    play(match, "0 play 1 / 0 claim 3 / 0 end")
    assert known(match, 0) == ["3", "3"]
    match.state.open[0][5] = 1  # as if one had come in covered
    match.state.unseen[5] += 1
    match.state.lacks[0] = 0
    play(match, "1 play 2 / 1 end / 2 play 1 / 2 end / 3 play 1 / 3 end / 0 play 3")
    assert known(match, 0) == []
    assert holds(match, 0) == ["3"]


# --- the three laws ---------------------------------------------------------------------------------------------------


def test_anybody_without_a_stack_can_be_pushed_oneself_included():
    """C16, C19: golden scenario 1."""
    match = play(position([["3"]], {3: ["3"]}), "0 play 3")
    assert pushes(match, 3) == [0, 1, 2, 3]


def test_only_players_at_the_lowest_count_can_be_pushed():
    """C18: golden scenario 2."""
    match = play(position([["3"]], {3: ["3"]}, [[["2"]]]), "0 play 3")
    assert pushes(match, 3) == [1, 2, 3]


def test_whoever_owns_the_number_cannot_be_pushed_it():
    """C15: golden scenario 3."""
    table = [[["2"]], [["3"]], [["2"]], [["2"]]]
    match = play(position([["3"]], {3: ["3"]}, table), "0 play 3")
    assert pushes(match, 3) == [0, 2, 3]
    free = play(position([["3"]], {3: ["3"]}, table, diversity_a=False), "0 play 3")
    assert pushes(free, 3) == [0, 1, 2, 3]


def test_a_claim_before_the_push_opens_targets():
    """C18, C19: golden scenario 4, claim first."""
    match = play(position([["3"], [], [], []], {2: ["2"], 3: ["3"]}, [[], [["1"]], [["1"]], [["1"]]]), "0 play 3")
    assert pushes(match, 3) == [0]
    play(match, "0 claim 2")
    assert pushes(match, 3) == [0, 1, 2, 3]
    play(match, "0 push 3 to 0")
    assert counts(match) == [2, 1, 1, 1]
    assert money(match)[0] == 8


def test_a_push_before_the_claim_leads_to_the_same():
    """C18, C19: golden scenario 4, push first."""
    match = play(position([["3"], [], [], []], {2: ["2"], 3: ["3"]}, [[], [["1"]], [["1"]], [["1"]]]), "0 play 3")
    play(match, "0 push 3 to 0 / 0 claim 2")
    assert counts(match) == [2, 1, 1, 1]
    assert money(match)[0] == 8


def test_a_push_can_open_a_claim():
    """C18, C19: golden scenario 5."""
    table = [[["1"]], [], [["1"]], [["1"]]]
    match = play(position([["4"]], {4: ["4"], 2: ["2"]}, table), "0 play 4")
    assert pushes(match, 4) == [1]
    assert claims(match) == []
    with pytest.raises(Illegal, match="lowest count is 0"):
        match.play(0, "claim 2")
    play(match, "0 push 4 to 1")
    assert claims(match) == [2]


def test_what_one_has_just_played_cannot_be_claimed():
    """C16: golden scenario 6; the option lifts it."""
    table = [[], [["2"]], [["2"]], [["2"]]]
    lying = {1: ["1"], 3: ["3"]}
    assert claims(play(position([["1"]], lying, table), "0 play 1")) == [3]
    with pytest.raises(Illegal, match="You have played a 1"):
        play(position([["1"]], lying, table), "0 play 1 / 0 claim 1")
    assert claims(play(position([["1"]], lying, table, diversity_b=False), "0 play 1")) == [1, 3]


def test_what_one_has_already_cannot_be_claimed_unless_it_left_the_row():
    """C15"""
    match = play(position([["1"]], {3: ["3"]}, [[["3"]], [["2"]], [["2"]], [["2"]]]), "0 play 1")
    assert claims(match) == []
    with pytest.raises(Illegal, match="a stack 3 already"):
        match.play(0, "claim 3")


def test_nobody_can_claim_so_anybody_can_be_pushed():
    """C6: golden scenario 7; a row may hold a number twice and be two ahead."""
    table = [[["3"]], [["3"]], [["2"], ["1"]], [["2"], ["1"]]]
    match = play(position([["3"]], {3: ["3"]}, table), "0 play 3")
    assert pushes(match, 3) == [0, 1, 2, 3]
    play(match, "0 push 3 to 1")
    assert rows(match, 1) == [["3"], ["3", "3"]]
    assert "Nobody could claim them." in told(match)


def test_staying_leaves_the_stack_until_somebody_plays_on_it():
    """C6"""
    table = [[["3"]], [["3"]], [["2"], ["1"]], [["2"], ["1"]]]
    match = position([["3"], ["2"], ["3"]], {3: ["3"]}, table, no_target_rule="stay")
    play(match, "0 play 3")
    assert may(match) == ["end"]
    with pytest.raises(Illegal, match="nobody"):
        match.play(0, "push 3 to 1")
    play(match, "0 end / 1 play 2")
    assert match.view()["window"]["full"] == []
    play(match, "1 end / 2 play 3")
    assert value(match, 3) == 9
    assert may(match) == ["end"]


def test_staying_must_push_as_soon_as_a_claim_makes_a_target():
    """C6, C19"""
    table = [[["3"]], [["3"]], [["2"], ["1"]], [["2"], ["1"]]]
    match = position([["3"]], {3: ["3"], 4: ["4"]}, table, no_target_rule="stay", slow_down_gap=1)
    play(match, "0 play 3 / 0 claim 4")
    assert may(match) == ["end"]
    table = [[["3"]], [["3"], ["2"]], [["2"], ["1"]], [["2"], ["1"]]]
    match = position([["3"]], {3: ["3"], 4: ["4"]}, table, no_target_rule="stay")
    play(match, "0 play 3")
    assert "end" in may(match)
    play(match, "0 claim 4")
    assert pushes(match, 3) == [2, 3]
    assert "end" not in may(match)


def test_staged_waives_diversity_first_for_oneself_then_for_all_at_the_lowest_count():
    """C6, C16"""
    table = [[["2"]], [["3"]], [["3"], ["1"]], [["2"], ["1"]]]
    match = play(position([["3"]], {3: ["3"]}, table, no_target_rule="staged", push_reading="strict"), "0 play 3")
    assert pushes(match, 3) == [0]
    table = [[["3"]], [["3"]], [["3"], ["1"]], [["2"], ["1"]]]
    match = play(position([["3"]], {3: ["3"]}, table, no_target_rule="staged"), "0 play 3")
    assert pushes(match, 3) == [0, 1]


def test_strict_pushes_leave_out_whoever_has_just_played_the_number():
    """C16"""
    match = play(position([["3"]], {3: ["3"]}, push_reading="strict"), "0 play 3")
    assert pushes(match, 3) == [1, 2, 3]
    table = [[], [["3"]], [["3"]], [["3"]]]
    assert pushes(play(position([["3"]], {3: ["3"]}, table, push_reading="strict"), "0 play 3"), 3) == [0, 1, 2, 3]
    without = position([["3"]], {3: ["3"]}, push_reading="strict", diversity_b=False)
    assert pushes(play(without, "0 play 3"), 3) == [0, 1, 2, 3]


def test_the_only_target_wins_and_must_be_pushed_all_the_same():
    """C7, C19: golden scenario 8."""
    match = position([["4"]], {4: ["4"]}, [[["1"], ["2"]], [["3", "3"]], [["1"], ["2"]], [["1"], ["2"]]])
    play(match, "0 play 4")
    assert may(match) == ["push 4 to 1"]
    play(match, "0 push 4 to 1")
    assert match.winners == [1]
    assert money(match)[1] == 14
    assert told(match)[-1] == "Ben wins with $14."


def test_a_claim_that_reaches_the_goal_wins_with_a_full_stack_pending():
    """C7: golden scenario 9."""
    match = position([["3"]], {3: ["3"], 4: ["4"]}, [[["3", "3"]], [["1"]], [["1"]], [["1"]]])
    play(match, "0 play 3 / 0 claim 4")
    assert match.over
    assert match.winners == [0]


def test_another_goal():
    """C7"""
    match = play(position([["1"]], {2: ["2"]}, goal=2), "0 play 1 / 0 claim 2")
    assert match.winners == [0]
    assert not play(position([["3"]], {3: ["3"]}, [[["4"]]], goal=11), "0 play 3 / 0 push 3 to 1").over


def test_a_claim_turns_bills_of_the_number_up_and_later_ones_stay_covered():
    """C40, C14: golden scenario 10; what Ada then gets by Audit is seen, and held covered."""
    match = position([["2", "2", "3:audit"], ["3"], ["2:vault", "1"]], {2: ["2"]}, **ACTION)
    play(match, "0 play 3:audit / 0 skip / 0 claim 2")
    assert told(match, 1)[-1] == "Ada turns 2 and 2 face up."
    assert known(match, 0) == ["2", "2"]
    assert "2" in holds(match, 0)


def test_a_push_turns_bills_up_too_and_without_reveal_nothing_is():
    """C40"""
    match = play(position([["3"], ["3", "3", "1"]], {3: ["3"]}), "0 play 3 / 0 push 3 to 1")
    assert known(match, 1) == ["3", "3"]
    quiet = play(position([["3"], ["3", "3", "1"]], {3: ["3"]}, reveal=False), "0 play 3 / 0 push 3 to 1")
    assert known(quiet, 1) == []
    assert quiet.state.lacks[1] == 0


def test_multinumbers_that_show_the_number_are_turned_up_and_wild_bills_are_not():
    """C40"""
    match = position([["4"], ["3", "1/3", "1/4", "w"]], {3: ["3", "3"]}, **THREE)
    play(match, "0 play 4 / 0 end / 1 play 1/4 as 1 new / 1 claim 3")
    assert known(match, 1) == ["3", "1/3"]


def test_a_single_five_is_full_and_may_be_pushed_to_oneself():
    """C5, C16: golden scenario 11."""
    match = play(position([["5"]], players=5), "0 play 5")
    assert pushes(match, 5) == [0, 1, 2, 3, 4]
    play(match, "0 push 5 to 0")
    assert money(match)[0] == 5


def test_one_claim_a_turn_and_full_stacks_are_only_pushed():
    """C19"""
    match = play(position([["3"]], {3: ["3"], 1: ["1"], 2: ["2"]}, slow_down_gap=3), "0 play 3")
    with pytest.raises(Illegal, match="full"):
        match.play(0, "claim 3")
    play(match, "0 claim 1")
    with pytest.raises(Illegal, match="claim of this turn"):
        match.play(0, "claim 2")
    with pytest.raises(Illegal, match="must be pushed first"):
        match.play(0, "end")
    play(match, "0 push 3 to 1 / 0 end")


def test_the_gap_of_slow_down():
    """C18"""
    table = [[["1"]], [], [], []]
    assert claims(play(position([["2"]], {3: ["3"]}, table), "0 play 2")) == []
    assert claims(play(position([["2"]], {3: ["3"]}, table, slow_down_gap=2), "0 play 2")) == [3]


# --- the end ----------------------------------------------------------------------------------------------------------


def test_run_out_goes_by_money_then_by_fewest_stacks():
    """C9: golden scenario 12."""
    table = [[["4", "4"], ["0"]], [["4", "4"]], [["3", "4=4"], ["0"]], [["3"]]]
    match = position([["1"], [], [], []], {}, table, zero_risk=True)
    play(match, "0 play 1 / 0 end")
    assert match.over
    assert money(match) == [8, 8, 7, 3]
    assert match.winners == [1]
    assert match.view()["ended"] == "run-out"


def test_equal_money_and_stacks_share_the_victory():
    """C9"""
    match = play(position([["1"], [], []], {}, [[["3"]], [["2"]], [["3"]]], players=3), "0 play 1 / 0 end")
    assert match.winners == [0, 2]
    assert told(match)[-1] == "All hands are empty: the match is over. Ada and Cem win."


def test_whoever_has_bills_plays_on_alone():
    """C9, C12: golden scenario 13."""
    match = position([["1", "1"], [], []], {2: ["2"]}, players=3)
    play(match, "0 play 1 / 0 end")
    assert may(match) == ["claim 1", "claim 2", "end"]
    play(match, "1 end / 2 end / 0 play 1 / 0 end")
    assert match.over


def test_the_bell_rings_after_twenty_turns_a_player_also_below_no_money():
    """C9"""
    match = position([["1"]] * 3, {}, [[["-1"]], [["-2"]], [["-1"]]], players=3, bad_investment=True, bell=1)
    play(match, "0 play 1 / 0 end / 1 play 1 / 1 end / 2 play 1 / 2 end")
    assert match.view()["ended"] == "run-out"
    match = position([["1"] * 4] * 3, {}, [[["-1"]], [["-2"]], [["-1"]]], players=3, bad_investment=True, bell=1)
    play(match, "0 play 1 / 0 end / 1 play 1 / 1 end / 2 play 1 / 2 end")
    assert match.view()["ended"] == "bell"
    assert match.winners == [0, 2]
    assert match.view()["most_turns"] == 3


# --- wild, zero, weird ------------------------------------------------------------------------------------------------


def test_a_wild_bill_becomes_the_number_below_and_counts_as_playing_it():
    """C26"""
    match = play(position([["w"]], {2: ["2", "2"], 1: ["1"]}, wild_wagers=True), "0 play w on 2")
    assert on_table(match)[2] == ["2", "2", "w=2"]
    assert match.view()["window"]["full"] == [2]
    lower = play(position([["w"]], {2: ["2"], 1: ["1"]}, wild_wagers=True), "0 play w on 2")
    assert claims(lower) == [1]


def test_a_wild_bill_in_a_row_keeps_its_number_or_is_always_worth_two():
    """C26"""
    for options, total in (({}, 6), ({"wild_worth": 2}, 5)):
        match = position([["w"]], {3: ["3"]}, wild_wagers=True, **options)
        play(match, "0 play w on 3 / 0 push 3 to 1")
        assert money(match)[1] == total
    zero = position([["1"]], {0: ["0", "w=0"]}, wild_wagers=True, zero_risk=True, wild_worth=2)
    assert value(zero, 0) == 0
    assert money(play(zero, "0 play 1 / 0 claim 0"))[0] == 2


@pytest.mark.parametrize(("options", "worth"), [({}, 9), ({"wild_worth": 2}, 7)])
def test_who_takes_wild_bills_is_told_the_worth_that_is_added(options, worth):
    """C26: a claim, a push, a Call-in, an insured player's question; on the table the stack keeps its value."""
    stack = {3: ["3", "w=3", "w=3"]}
    match = position([["1"]], stack, wild_wagers=True, **options)
    assert value(match, 3) == 9
    assert told(play(match, "0 play 1 / 0 claim 3"))[0] == f"Ada claims the 3s, worth {worth}."
    assert money(match)[0] == worth
    match = play(position([["w"]], {3: ["3", "w=3"]}, wild_wagers=True, **options), "0 play w on 3 / 0 push 3 to 1")
    assert told(match)[0] == f"Ada pushes the 3s, worth {worth}, to Ben."
    assert money(match)[1] == worth
    lot = position([["2:call_in"]], {3: ["3", "w=3"]}, wild_wagers=True, full_threshold=9, **ACTION, **options)
    play(lot, "0 play 2:call_in / 0 icon call_in push 3 to 1")
    assert told(lot)[0] == f"Ada uses Call-in: the 3s, worth {6 if worth == 9 else 5}, must be taken by Ben."
    asked = position([["w"]], {3: ["3", "w=3"]}, owned={1: ["Insurance"]}, wild_wagers=True, **SHOP, **options)
    play(asked, "0 play w on 3 / 0 push 3 to 1")
    assert asked.question(1) == f"Take the 3s, worth {worth}, or refuse."
    assert told(play(asked, "1 take"), 1)[0] == f"You take the 3s, worth {worth}."


def test_whether_a_wild_bill_would_win_goes_by_its_worth_in_a_row():
    """C26: with $6 to go, a W on a 3 brings 6, or 5."""
    for options, wins in (({}, True), ({"wild_worth": 2}, False)):
        s = position([["w"]], {3: ["3"]}, wild_wagers=True, goal=6, **options).seen(0)
        said = BOOK.words.captions.landing(s, Speaker(NAMES[:4], 0), 3, 3, True)
        assert said.startswith("The 3s become worth 6: full.")
        assert ("would win" in said, "yourself and win" in said) == (wins, wins)


def test_a_wild_bill_on_zeros_is_no_zero_bill():
    """C10, C26"""
    match = position([["1"]], {0: ["0", "w=0"]}, wild_wagers=True, zero_risk=True, zero_goal=2)
    assert not play(match, "0 play 1 / 0 claim 0").over
    match = position([["1"]], {0: ["0", "0"]}, zero_risk=True, zero_goal=2)
    assert play(match, "0 play 1 / 0 claim 0").winners == [0]
    assert told(match)[-1] == "Ada wins with 2 zeros."


def test_zeros_know_no_diversity_but_slow_down():
    """C27"""
    match = play(position([["0"]], {0: ["0"]}, [[["0"]], [["1"]], [["1"]], [["1"]]], zero_risk=True), "0 play 0")
    assert claims(match) == [0]
    play(match, "0 claim 0")
    assert rows(match, 0) == [["0"], ["0", "0"]]
    ahead = play(position([["0"]], {0: ["0"]}, [[["0"]]], zero_risk=True), "0 play 0")
    assert claims(ahead) == []
    many = position([["0"]], {0: ["0"] * 9}, zero_risk=True, full_threshold=1)
    assert "end" in may(play(many, "0 play 0"))


def test_negative_stacks_may_be_claimed_and_three_minus_twos_must_be_pushed():
    """C5"""
    match = play(position([["1"]], {-1: ["-1"]}, bad_investment=True), "0 play 1 / 0 claim -1")
    assert money(match)[0] == -1
    full = play(position([["-2"]], {-2: ["-2", "-2"]}, bad_investment=True), "0 play -2")
    assert pushes(full, -2) == [0, 1, 2, 3]
    play(full, "0 push -2 to 3")
    assert money(full)[3] == -6


def test_a_multinumber_turns_the_whole_stack():
    """C11, C8: 4 and an upright 1 are a full stack of 1s."""
    match = play(position([["1/4"]], {4: ["4"]}, bad_investment=True), "0 play 1/4 as 1 on 4")
    assert on_table(match) == {1: ["4", "1/4=1"]}
    assert match.view()["window"]["full"] == [1]
    play(match, "0 push 1 to 2")
    assert money(match)[2] == 5
    assert match.view()["players"][2]["row"][0]["number"] == 1


def test_a_multinumber_starts_beside_its_other_number_but_not_where_its_own_lies():
    """C11"""
    lying = {1: ["1"], 3: ["3"]}
    match = position([["1/3", "1/2", "2/3"]], lying, bad_investment=True)
    assert [text for text in may(match) if text.startswith("play 1/3")] == ["play 1/3 as 1 on 1", "play 1/3 as 3 on 3"]
    assert [text for text in may(match) if text.startswith("play 1/2")] == [
        "play 1/2 as 1 on 1", "play 1/2 as 2 on 1", "play 1/2 as 2 new",
    ]  # fmt: skip
    with pytest.raises(Illegal, match="cannot start another"):
        match.play(0, "play 1/3 as 1 new")
    with pytest.raises(Illegal, match="cannot become another"):
        match.play(0, "play 1/3 as 1 on 3")
    with pytest.raises(Illegal, match="only go on"):
        match.play(0, "play 1/2 as 2 on 3")
    with pytest.raises(Illegal, match="shows 1 and 2"):
        match.play(0, "play 1/2 as 3 on 3")
    play(match, "0 play 2/3 as 2 on 3")
    assert on_table(match) == {1: ["1"], 2: ["3", "2/3=2"]}
    assert match.view()["window"]["full"] == [2]


def test_after_a_turn_the_old_number_is_free_again():
    """C8, C11"""
    match = position([["1/3"], ["3"]], {3: ["3"]}, bad_investment=True, full_threshold=9)
    play(match, "0 play 1/3 as 1 on 3 / 0 end / 1 play 3")
    assert on_table(match) == {1: ["3", "1/3=1"], 3: ["3"]}


# --- icons ------------------------------------------------------------------------------------------------------------


def test_an_icon_works_when_played_and_when_taken_but_once_a_turn():
    """C17: Ada plays a Dividend, and is pushed the stack in the same turn."""
    match = position([["4:dividend"]], {4: ["4"]}, **ACTION)
    play(match, "0 play 4:dividend / 0 icon dividend / 0 push 4 to 0")
    assert match.view()["phase"] == "window"
    assert money(match)[0] == 9  # 8 and the coin that lay there
    taken = position([["1"]], {2: ["2:dividend"]}, **ACTION)
    play(taken, "0 play 1 / 0 claim 2 / 0 icon dividend")
    assert money(taken)[0] == 3


def test_an_icon_is_optional_and_what_can_do_nothing_is_not_asked_about():
    """C17"""
    match = play(position([["1:refund"]], **ACTION), "0 play 1:refund")
    assert match.view()["phase"] == "window"
    match = play(position([["1:dividend"]], **ACTION), "0 play 1:dividend")
    assert may(match) == ["icon dividend", "skip"]
    play(match, "0 skip")
    assert match.view()["phase"] == "window"


def test_the_taker_uses_the_icon_on_top_also_if_it_was_pushed_and_a_coin_can_win():
    """C17, C7: the win is looked at before the icon, and after the coin."""
    match = position([["3:audit"]], {3: ["3"]}, [[], [["2"]]], **ACTION)
    play(match, "0 play 3:audit / 0 skip / 0 push 3 to 2")
    assert match.view()["phase"] == "window"  # used this turn, though skipped
    coin = position([["1", "1"], ["1"]], {4: ["4:vault", "4:dividend"]}, [[["1"]], [["1=1"]]], players=2, **ACTION)
    play(coin, "0 play 1 / 0 end / 1 play 1 / 1 claim 4")
    assert coin.view()["phase"] == "icon"
    assert coin.asked == (1,)
    play(coin, "1 icon dividend")
    assert coin.winners == [1]
    assert money(coin) == [1, 10]


def test_the_full_check_comes_after_the_icon_of_the_play():
    """C17: a Vault closes the stack just filled, so it is not full."""
    match = position([["3:vault"]], {3: ["3"]}, **ACTION)
    play(match, "0 play 3:vault / 0 icon vault 3 closed")
    assert may(match) == ["end"]


def test_a_closed_stack_can_neither_be_claimed_nor_pushed_until_the_owners_next_turn():
    """C21"""
    match = position([["1:vault", "1"], ["2", "3"], ["3"]], {3: ["3"]}, players=3, **ACTION)
    play(match, "0 play 1:vault / 0 icon vault 3 closed / 0 end / 1 play 2")
    with pytest.raises(Illegal, match="closed"):
        match.play(1, "claim 3")
    play(match, "1 end / 2 play 3")
    assert match.view()["window"]["full"] == []
    play(match, "2 end")
    assert match.view()["players"][0]["lock"] is None
    play(match, "0 play 1")
    assert claims(match) == [2, 3]


def test_a_frozen_stack_takes_no_bill_unless_there_is_no_other_play_and_then_all_know_it():
    """C21"""
    match = position([["1:vault"], ["3", "2"], ["3", "3"]], {3: ["3"]}, players=3, full_threshold=50, **ACTION)
    play(match, "0 play 1:vault / 0 icon vault 3 frozen / 0 end")
    assert may(match) == ["play 2"]
    with pytest.raises(Illegal, match="frozen"):
        match.play(1, "play 3")
    play(match, "1 play 2 / 1 end")
    assert may(match) == ["play 3"]
    play(match, "2 play 3")
    assert redealt(match.state, 0, 1).hands[2] == match.state.hands[2]


def test_a_new_lock_takes_the_place_of_the_old_one_and_a_taken_stack_takes_its_lock_along():
    """C21"""
    match = position([["1:vault", "2:vault"], ["1"]], {3: ["3"], 4: ["4"]}, players=2, **ACTION)
    play(match, "0 play 1:vault / 0 icon vault 3 frozen / 0 end / 1 play 1 / 1 claim 3 / 1 end")
    assert match.view()["players"][0]["lock"] is None
    play(match, "0 play 2:vault / 0 icon vault 4 closed")
    assert match.view()["players"][0]["lock"] == {"stack": 4, "lock": "closed"}
    assert match.state.closed


def test_a_lock_stays_with_its_stack_when_a_multinumber_turns_it():
    """C21"""
    match = position([["1:vault"], ["1/3"]], {3: ["3"]}, players=3, bad_investment=True, **ACTION)
    play(match, "0 play 1:vault / 0 icon vault 3 closed")
    play(match, "0 end / 1 play 1/3 as 3 on 3")
    assert match.view()["players"][0]["lock"] == {"stack": 3, "lock": "closed"}
    turned = position([["4:vault"], ["1/3"]], {3: ["3"]}, players=4, bad_investment=True, **ACTION)
    play(turned, "0 play 4:vault / 0 icon vault 3 closed / 0 end / 1 play 1/3 as 1 on 3")
    assert turned.view()["players"][0]["lock"] == {"stack": 1, "lock": "closed"}


def test_fast_track_gives_the_next_turn_to_oneself_only_once_in_a_row():
    """C20"""
    match = position([["1:fast_track", "2:fast_track", "3"], ["3:fast_track"]], players=3, **ACTION)
    play(match, "0 play 1:fast_track / 0 icon fast_track 0 / 0 end")
    assert match.asked == (0,)
    play(match, "0 play 2:fast_track")
    with pytest.raises(Illegal, match="twice in a row"):
        match.play(0, "icon fast_track 0")
    play(match, "0 icon fast_track 2 / 0 end")
    assert match.asked == (2,)
    play(match, "2 play 1 / 2 end / 0 play 3")
    assert match.view()["direction"] == 1


def test_the_last_choice_of_the_next_player_holds():
    """C20: whoever was pushed the Fast Track chooses after the one who played another."""
    match = position([["1:fast_track"], ["1"]], {1: ["1", "1", "1", "1"]}, players=3, **ACTION)
    play(match, "0 play 1:fast_track / 0 icon fast_track 2 / 0 push 1 to 1")
    assert match.view()["phase"] == "window"  # the icon has worked in this turn
    match = position([["1:fast_track"], ["1"]], {3: ["3:fast_track"]}, players=3, **ACTION)
    play(match, "0 play 1:fast_track / 0 icon fast_track 2 / 0 claim 3 / 0 icon fast_track 1 / 0 end")
    assert match.asked == (1,)


def test_a_u_turn_reverses_play_and_is_a_fast_track_for_two():
    """C20"""
    match = play(position([["1:u_turn"]], players=3, **ACTION), "0 play 1:u_turn / 0 icon u_turn / 0 end")
    assert match.asked == (2,)
    play(match, "2 play 1 / 2 end")
    assert match.asked == (1,)
    two = play(position([["1:u_turn", "1"]], players=2, **ACTION), "0 play 1:u_turn / 0 icon u_turn 0 / 0 end")
    assert two.asked == (0,)


def test_an_audit_takes_a_bill_of_the_number_for_any_bill():
    """C22, C14"""
    match = position([["1:audit", "4"], ["3", "3:vault", "2"]], players=3, **ACTION)
    play(match, "0 play 1:audit / 0 icon audit 1 for 3")
    assert match.asked == (1,)
    assert may(match) == ["give 3", "give 3:vault"]
    with pytest.raises(Illegal, match="must show 3"):
        match.play(1, "give 2")
    play(match, "1 give 3:vault")
    assert may(match) == ["give 3:vault", "give 4"]
    play(match, "0 give 4")
    assert holds(match, 0) == ["3:vault"]
    assert holds(match, 1) == ["2", "3", "4"]
    assert known(match, 0) == ["3:vault"]
    assert known(match, 1) == ["4"]


def test_the_audited_shows_the_hand_if_the_number_is_not_there_and_only_the_auditor_sees_it():
    """C22"""
    match = position([["1:audit", "4"], ["3", "2"], ["1"]], players=3, **ACTION)
    play(match, "0 play 1:audit / 0 icon audit 1 for 1")
    assert match.view(0)["players"][1]["known"] == ["2", "3"]
    assert match.view(2)["players"][1]["known"] is None
    assert "You see 2 and 3." in told(match, 0)
    assert told(match, 2)[-1] == "Ben has none and shows Ada the whole hand."
    assert match.state.lacks[1] >> 3 & 1


def test_multinumbers_show_both_their_numbers_to_an_audit():
    """C22"""
    match = position([["1:audit", "4"], ["1/3", "2"]], players=3, bad_investment=True, **ACTION)
    play(match, "0 play 1:audit / 0 icon audit 1 for 3")
    assert may(match) == ["give 1/3"]


@pytest.mark.parametrize(
    ("how", "hand", "table", "gone"),
    [
        ("withdraw 4", ["2", "4"], {1: ["1:refund"]}, 1),
        ("redeposit", ["2"], {1: ["1:refund"], 4: ["4", "4"]}, 0),
        ("write_off", ["2"], {1: ["1:refund"]}, 2),
    ],
)
def test_refund_gives_a_stack_up_in_three_ways(how, hand, table, gone):
    """C23, C18"""
    match = position([["1:refund", "2"]], {}, [[["4", "4"]]], players=3, coins=[1], full_threshold=9, **ACTION)
    before = match.view()["gone"]
    play(match, f"0 play 1:refund / 0 icon refund 4 {how}")
    assert holds(match, 0) == hand
    assert on_table(match) == table
    assert match.view()["gone"] == before + gone
    assert money(match)[0] == 1  # coins stay
    assert counts(match) == [0, 0, 0]
    assert claims(match) == []


@pytest.mark.parametrize("how", ["withdraw -1", "redeposit", "write_off"])
def test_giving_up_a_stack_of_negative_value_may_win(how):
    """C7, C23: ten money is ten money, whatever brought it."""
    rows = [[["4", "4"], ["2"], ["-1"]], [["1"]], [["1"]], [["1"]]]
    match = position([["1:refund", "3"]], rows=rows, bad_investment=True, **ACTION)
    assert money(match) == [9, 1, 1, 1]
    play(match, f"0 play 1:refund / 0 icon refund -1 {how}")
    assert (money(match)[0], match.over, match.winners) == (10, True, [0])


def test_giving_up_a_stack_may_win_in_anothers_turn():
    """C7, C23"""
    rows = [[["2"]], [["4"], ["2"], ["1"], ["-1"]]]
    match = position([["1:call_in", "3"]], {3: ["3:refund"]}, rows, bad_investment=True, slow_down_gap=9, **ACTION)
    play(match, "0 play 1:call_in / 0 icon call_in push 3 to 1")
    assert (money(match)[1], match.over) == (9, False)
    play(match, "1 icon refund -1 write_off")
    assert (match.over, match.winners) == (True, [1])


def test_a_redeposited_stack_joins_its_number_counts_as_played_and_may_be_full():
    """C23, C8, C5"""
    match = position([["1:refund"]], {3: ["3"]}, [[["3:vault"]]], players=3, **ACTION)
    play(match, "0 play 1:refund / 0 icon refund 3 redeposit")
    assert on_table(match)[3] == ["3", "3:vault"]
    assert match.view()["window"]["full"] == [3]
    single = position([["1:refund"]], {}, [[["3"]]], players=3, **ACTION)
    assert claims(play(single, "0 play 1:refund / 0 icon refund 3 redeposit")) == []


def test_nothing_is_redeposited_on_a_frozen_stack_and_the_last_taken_of_a_number_is_meant():
    """C23, C21"""
    table = [[], [["3", "3"], ["3"]]]
    match = position([["2:vault"], ["1:refund"]], {3: ["3"]}, table, players=2, **ACTION, slow_down_gap=3)
    play(match, "0 play 2:vault / 0 icon vault 3 frozen / 0 end / 1 play 1:refund")
    with pytest.raises(Illegal, match="frozen"):
        match.play(1, "icon refund 3 redeposit")
    play(match, "1 icon refund 3 write_off")
    assert rows(match, 1) == [["3", "3"]]


def test_call_in_pushes_a_stack_that_is_not_full_to_somebody_who_can_claim_it():
    """C24"""
    match = position([["1:call_in"]], {3: ["3"], 4: ["4", "4"]}, [[["2"]], [], [["2"]]], players=3, **ACTION)
    play(match, "0 play 1:call_in")
    assert may(match) == ["icon call_in push 3 to 1", "skip"]
    with pytest.raises(Illegal, match="cannot be called"):
        match.play(0, "icon call_in push 4 to 1")
    with pytest.raises(Illegal, match="cannot claim"):
        match.play(0, "icon call_in push 3 to 2")
    play(match, "0 icon call_in push 3 to 1")
    assert rows(match, 1) == [["3"]]


def test_call_in_defers_a_stack_that_is_full_or_will_be():
    """C24, C5: it lies there, may be claimed, and is full again when it grows."""
    match = position([["1:call_in", "2"], ["2"]], {1: ["1", "1", "1", "1"]}, players=2, **ACTION)
    play(match, "0 play 1:call_in")
    assert may(match) == ["icon call_in defer 1", "skip"]
    play(match, "0 icon call_in defer 1")
    assert may(match) == ["end"]
    play(match, "0 end / 1 play 2")
    assert claims(match) == [1]


def test_a_merger_moves_the_top_bill_and_with_it_its_number():
    """C25, C8: the rest of the 3s meets them again below."""
    match = position([["1:merger"]], {3: ["3", "3:vault"], 4: ["4"]}, players=4, **ACTION, full_threshold=20)
    play(match, "0 play 1:merger / 0 icon merger 3 onto 4")
    assert on_table(match) == {1: ["1:merger"], 3: ["3", "4", "3:vault"]}
    assert value(match, 3) == 10
    assert claims(match) == []


def test_a_merger_leaves_a_mixed_rest_under_its_own_number():
    """C25, C8: what was under a turned 1/3 are 3s again, and they meet the other 3s."""
    lying = {1: ["4", "1/4=1"], 4: ["4:vault"], 2: ["2"]}
    match = position([["3:merger"]], lying, players=4, bad_investment=True, **ACTION, full_threshold=20)
    play(match, "0 play 3:merger / 0 icon merger 1 onto 2")
    assert on_table(match) == {1: ["2", "1/4=1"], 3: ["3:merger"], 4: ["4:vault", "4"]}


def test_a_merger_can_put_a_zero_on_a_stack_that_is_full_then():
    """C25, C27"""
    match = position([["1:merger"]], {0: ["0"], 4: ["4", "4"]}, players=4, zero_risk=True, **ACTION)
    play(match, "0 play 1:merger / 0 icon merger 0 onto 4")
    assert on_table(match)[0] == ["4", "4", "0"]
    assert pushes(match, 0) == [0, 1, 2, 3]


def test_a_merger_can_make_full_and_locked_stacks_take_no_part():
    """C25, C21, C5"""
    match = position([["2:vault", "1"], ["1:merger"]], {3: ["3"], 4: ["4"]}, players=3, **ACTION)
    play(match, "0 play 2:vault / 0 icon vault 4 closed / 0 end / 1 play 1:merger")
    assert [text for text in may(match) if "4" in text] == []
    play(match, "1 icon merger 3 onto 2")
    assert match.view()["window"]["full"] == [3]
    assert value(match, 3) == 5


def test_what_a_merger_leaves_has_grown_where_it_meets_a_stack_of_its_number():
    """C25, C5: the 3s under the 1/3 were over full, locked when they grew; with the other 3 they have grown again."""
    hands = [["3", "2"], ["3:vault", "4:merger"], ["1/3"], ["3"]]
    match = position([[*hand, "1"] for hand in hands], players=4, bad_investment=True, **ACTION)
    play(match, "0 play 3 / 0 end / 1 play 3:vault / 1 icon vault 3 closed / 1 end / 2 play 1/3 as 1 on 3 / 2 end")
    play(match, "3 play 3 / 3 end / 0 play 2 / 0 end / 1 play 4:merger / 1 icon merger 1 onto 2")
    assert value(match, 3) == 9
    assert match.view()["window"]["full"] == [3]
    assert pushes(match, 3)
    assert "end" not in may(match)


def test_coins_on_a_stack_go_with_it():
    """C17, C25"""
    match = position([["3:audit"], ["1:merger"]], {4: ["4:dividend"]}, players=4, **ACTION)
    match.state.coins_on[6] = 1
    play(match, "0 play 3:audit / 0 skip / 0 end / 1 play 1:merger / 1 icon merger 4 onto 3")
    assert [stack["coins"] for stack in match.view()["stacks"] if stack["number"] == 4] == [1]
    play(match, "1 push 4 to 1")
    assert match.view()["players"][1]["coins"] == 1
    assert money(match)[1] == 8


# --- shopping ---------------------------------------------------------------------------------------------------------


def test_shopping_takes_the_place_of_the_claim():
    """C28, C29"""
    match = position([["1"]], {3: ["3"]}, [[["4"]], [["2"]]], players=2, shelf=["Collector", "Forecast", "Loophole"], **SHOP)
    play(match, "0 play 1 / 0 buy Collector with 4")
    assert claims(match) == []
    assert match.view()["players"][0]["products"] == ["Collector"]
    assert counts(match) == [0, 1]
    assert [one["product"] for one in match.view()["shelf"]] == ["Forecast", "Loophole", "Penny Pincher"]
    with pytest.raises(Illegal, match="gone shopping"):
        match.play(0, "buy Forecast with")


def test_no_change_and_what_can_pay():
    """C29: coins too; no zeros, no negatives; more may be paid."""
    table = [[["2"], ["0"], ["-1"], ["4"]]]
    shelf = ["Collector", "Forecast", "Loophole"]
    match = position([["1"]], {}, table, players=2, coins=[1], shelf=shelf, **SHOP, bad_investment=True, slow_down_gap=9)
    play(match, "0 play 1")
    for wrong, why in (("2", "does not reach"), ("0 4", "no stack 0"), ("-1 4", "no stack -1"), ("2 2", "once")):
        with pytest.raises(Illegal, match=why):
            match.play(0, f"buy Collector with {wrong}")
    with pytest.raises(Illegal, match="1 coin, not 2"):
        match.play(0, "buy Collector with 2 coins 2")
    with pytest.raises(Illegal, match="lie open"):
        match.play(0, "buy Insurance with 2")
    play(match.copy(), "0 buy Collector with 2 4 coins 1")
    play(match, "0 buy Collector with 2 coins 1")
    assert rows(match, 0) == [["0"], ["-1"], ["4"]]
    assert money(match)[0] == 3


def test_foreign_exchange_draws_two_bills_before_all_eyes():
    """C30, C14"""
    reserve = ["6", "0", "6", "0", "-1", "-1", "-2", "-2"]
    match = position([["1"]], {}, [[["2"]]], players=3, shelf=["Foreign Exchange"], reserve=reserve, **SHOP)
    play(match, "0 play 1 / 0 buy Foreign Exchange with 2")
    assert known(match, 0) == ["0", "6"]
    assert told(match, 1)[1] == "Ada draws 6 and 0 from the reserve."
    play(match, "0 end / 1 play 1 / 1 end / 2 play 1 / 2 end / 0 play 6")
    assert match.view()["window"]["full"] == [6]


def test_market_research_sees_all_hands():
    """C29, C22"""
    match = position([["1"], ["2", "3"]], {}, [[["2"]]], players=2, shelf=["Market Research"], **SHOP)
    play(match, "0 play 1 / 0 buy Market Research with 2")
    assert match.view(0)["players"][1]["known"] == ["2", "3"]
    assert match.view(1)["players"][0]["known"] is None
    assert told(match, 0)[1] == "You see all hands. Ben: 2 and 3."


def test_a_purchase_is_a_claim_paid_with_an_equal_bill():
    """C31"""
    match = position([["1", "4", "3"], ["3"]], {}, [[], [["3"], ["2", "2"]], [["1"]]], players=3, slow_down_gap=2, **SHOP)
    play(match, "0 play 1")
    with pytest.raises(Illegal, match="worth 3"):
        match.play(0, "purchase 3 from 1 for 4")
    play(match, "0 purchase 3 from 1 for 3")
    assert rows(match, 0) == [["3"]]
    assert known(match, 1) == ["3"]
    assert known(match, 0) == []
    assert match.state.lacks[0] >> 5 & 1
    assert money(match) == [3, 4, 1]
    with pytest.raises(Illegal):
        match.play(0, "purchase 2 from 1 for 4")


def test_a_bill_given_in_a_purchase_pays_for_no_other():
    """C31"""
    match = position([["1", "3"], ["2", "3"]], {}, [[["4"]], [["3"]], [["1"]]], players=3, **SHOP, slow_down_gap=5)
    play(match, "0 play 1 / 0 purchase 3 from 1 for 3 / 0 end / 1 play 2")
    assert [text for text in may(match) if text.startswith("purchase 3")] == ["purchase 3 from 0 for 3"]  # his own other 3
    play(match, "1 end / 2 play 1 / 2 end")
    only = position([["1", "3"], ["2"]], {}, [[["4"]], [["3"]], [["1"]]], players=3, **SHOP, slow_down_gap=5)
    play(only, "0 play 1 / 0 purchase 3 from 1 for 3 / 0 end / 1 play 2")
    assert [text for text in may(only) if text.startswith("purchase 3")] == []


def test_a_purchase_keeps_to_diversity_a_and_to_slow_down_afterwards():
    """C31, C18: taking from somebody at the lowest count would put one two ahead."""
    table = [[["4"]], [["3"]], [["1"], ["2"]]]
    match = play(position([["1", "3"]], {}, table, players=3, **SHOP), "0 play 1")
    assert [text for text in may(match) if text.startswith("purchase 3")] == []
    table = [[["3"]], [["2"], ["3"]], [["1"]]]
    match = play(position([["1", "3", "2"]], {}, table, players=3, **SHOP), "0 play 1")
    assert [text for text in may(match) if text.startswith("purchase")] == ["purchase 2 from 1 for 2"]


def test_a_bill_given_in_a_purchase_stays_when_an_equal_one_pays():
    """C31: Ben purchases with his own 3, and keeps the one Ada gave him, face up."""
    table = [[], [["3"], ["2"]], [["3"], ["4"]], [["3"], ["4"]]]
    options = {"slow_down_gap": 3, "diversity_a": False, **SHOP}
    match = position([["1", "3"], ["1", "1", "3"]], {}, table, **options)
    play(match, "0 play 1 / 0 purchase 3 from 1 for 3 / 0 end / 1 play 1 / 1 purchase 3 from 2 for 3")
    assert known(match, 1) == ["3"]
    assert holds(match, 1) == ["1", "3"]
    play(match, "1 end / 2 play 1 / 2 end / 3 play 1 / 3 end / 0 end / 1 play 1")
    assert [text for text in may(match) if text.startswith("purchase")] == []


def test_a_seven_can_be_given_in_a_purchase_once():
    """C31"""
    table = [[], [["7"]], [["7"]], [["4"]]]
    match = position([["1", "7"]], {}, table, slow_down_gap=3, bad_investment=True, **SHOP)
    play(match, "0 play 1 / 0 purchase 7 from 1 for 7 / 0 end / 1 play 1")
    assert known(match, 1) == ["7"]
    assert [text for text in may(match) if text.startswith("purchase")] == []


def test_an_offer_names_things_and_is_accepted_or_refused():
    """C32, C14"""
    match = position([["1", "2"], ["3", "2"]], {}, [[["4"]], [["2"]]], players=2, coins=[2, 0], **SHOP)
    play(match, "0 play 1 / 0 offer to 1 give 2 coins 1 get stack 2")
    assert known(match, 0) == ["2"]
    assert match.question(1) == "Ada offers 2 and 1 coin for the 2s: accept, or refuse."
    assert not match.legal(0)
    assert may(match) == ["refuse"]  # Ada would be two ahead
    with pytest.raises(Illegal, match="cannot accept"):
        match.play(1, "accept")
    play(match, "1 refuse")


def test_an_accepted_deal_moves_everything_and_ends_shopping():
    """C32, C28"""
    hands = [["1", "2", "2"], ["3", "2"]]
    match = position(hands, {4: ["4"]}, [[["4"]], [["2"]], [["1"]]], players=3, coins=[2, 1], **SHOP)
    play(match, "0 play 1 / 0 offer to 1 give 2 2 stack 4 get 3 stack 2 coins 1 / 1 accept")
    assert holds(match, 0) == ["3"]
    assert holds(match, 1) == ["2", "2", "2"]
    assert known(match, 1) == ["2", "2"]
    assert (rows(match, 0), rows(match, 1)) == ([["2"]], [["4"]])
    assert money(match) == [2 + 3, 4, 1]
    assert may(match) == ["end"]


def test_who_swaps_equal_bills_gives_back_none_that_he_has_just_received():
    """C13, C14, C32"""
    match = position([["1", "2"], ["2", "3"]], {}, [[], []], players=2, **SHOP)
    play(match, "0 play 1 / 0 offer to 1 give 2 get 2 / 1 accept")
    assert known(match, 0) == known(match, 1) == ["2"]


@pytest.mark.parametrize("side", ["give", "get"])
def test_a_part_of_an_offer_that_does_not_exist_is_refused(side):
    """C32"""
    match = position([["1", "2"], ["2", "3"]], {}, [[], []], players=2, **SHOP)
    play(match, "0 play 1")
    offer = {"do": "offer", "to": 1, "give": {"bills": ["2"]}, "get": {"bills": ["2"]}}
    with pytest.raises(Unreadable, match=f"{side} has bills, stacks and coins, not 'bill'"):
        match.play(0, {**offer, side: {"bill": ["2"]}})


def test_a_refused_offer_leaves_the_claim_but_no_second_offer():
    """C28, C32"""
    match = position([["1", "2"], ["3"]], {4: ["4"]}, players=3, **SHOP)
    play(match, "0 play 1 / 0 offer to 1 give 2 get 3 / 1 refuse")
    assert claims(match) == [4]
    with pytest.raises(Illegal, match="your offer of this turn"):
        match.play(0, "offer to 1 give 2 get 3")


def test_a_deal_may_not_leave_a_number_twice_in_a_row_and_not_promise_what_is_not_there():
    """C32: zeros excepted."""
    table = [[["2"], ["0"]], [["2"], ["0"]], [["2"], ["0"]]]
    match = position([["1", "2"], ["3"]], {}, table, players=3, **SHOP, slow_down_gap=2)
    for offer, fine in (
        ("give 2 get stack 2", False), ("give stack 2 get stack 2", True), ("give 2 get stack 0", True),
        ("give 2 get 4", False), ("give 2 get 3", True), ("give 2 get 3 3", None),
    ):  # fmt: skip
        again = play(match.copy(), "0 play 1")
        if fine is None:
            with pytest.raises(Illegal, match="1 bill, not 2"):
                again.play(0, f"offer to 1 {offer}")
            continue
        if "get 4" in offer:
            with pytest.raises(Illegal, match="no bill 4"):
                again.play(0, f"offer to 1 {offer}")
            continue
        play(again, f"0 offer to 1 {offer}")
        assert ("accept" in may(again)) == fine


def test_any_bill_may_be_wanted_so_that_an_offer_tells_nothing_of_the_covered_hand():
    """C32, C14"""
    match = position([["1", "2:vault"], ["3"]], players=3, **SHOP, **ACTION)
    play(match, "0 play 1 / 0 offer to 1 give nothing get 2:vault")
    assert may(match) == ["refuse"]
    assert known(match, 0) == []


def test_if_both_traders_reach_their_goal_the_player_to_move_wins():
    """C32"""
    table = [[["3", "3"], ["2"]], [["4", "4"], ["1"]]]
    match = position([["1"]], {}, table, players=2, coins=[1, 0], goal=11, **SHOP)
    play(match, "0 play 1 / 0 offer to 1 give stack 3 get stack 4 / 1 accept")
    assert match.winners == [0]


def test_a_penny_pincher_wins_with_seven_of_small_stacks_only():
    """C34, C7"""
    table = [[["2", "2"], ["1", "1"], ["4"]], [["1"], ["2"], ["4"]]]
    match = position([["1"]], {3: ["3"]}, table, players=2, shelf=["Penny Pincher"], coins=[1], goal=20, **SHOP)
    play(match, "0 play 1 / 0 buy Penny Pincher with 4")
    assert match.winners == [0]
    assert money(match)[0] == 7
    owner = position([["1"], ["3"]], {3: ["3"], 2: ["2"]}, players=2, owned={0: ["Penny Pincher"]}, **SHOP)
    play(owner, "0 play 1")
    assert claims(owner) == [2]
    with pytest.raises(Illegal, match="Penny Pincher takes no 3"):
        owner.play(0, "claim 3")
    play(owner, "0 end / 1 play 3")
    assert pushes(owner, 3) == [1]


def test_a_penny_pincher_is_pushed_nothing_large_even_if_nobody_can_take_it():
    """C34, C6"""
    table = [[], [["3"]], [["3"]]]
    match = position([["1"], ["3"]], {3: ["3"]}, table, players=3, owned={0: ["Penny Pincher"]}, turn=1, **SHOP)
    play(match, "1 play 3")
    assert pushes(match, 3) == [1, 2]


def test_a_collector_wins_with_different_numbers():
    """C7, C29: 3 with two or three players."""
    match = position([["1"]], {2: ["2"]}, [[["1"], ["3"]], [["1"], ["2"]]], players=2, owned={0: ["Collector"]}, **SHOP)
    play(match, "0 play 1 / 0 claim 2")
    assert match.winners == [0]
    assert told(match)[-1] == "Ada wins with stacks of 3 numbers."
    four = position([["1"]], {2: ["2"]}, [[["1"], ["3"]], [["1"], ["2"]], [["1"], ["2"]], [["1"], ["2"]]],
                    owned={0: ["Collector"]}, **SHOP)  # fmt: skip
    assert not play(four, "0 play 1 / 0 claim 2").over


def test_a_counterfeiter_plays_one_bill_a_turn_as_its_neighbour():
    """C36"""
    match = position([["3", "4", "1"]], {4: ["4"]}, players=4, owned={0: ["Counterfeiter"]}, **SHOP)
    assert [text for text in may(match) if text.startswith("play 4")] == ["play 4 as 3", "play 4"]
    assert [text for text in may(match) if text.startswith("play 1")] == ["play 1", "play 1 as 2"]
    play(match, "0 play 3 as 4")
    assert on_table(match) == {4: ["4", "3=4"]}
    assert match.view()["window"]["full"] == [4]
    with pytest.raises(Illegal, match="only be played as 3"):
        position([["3"]], players=4, **SHOP).play(0, "play 3 as 4")


def test_an_express_lane_plays_two_bills_and_one_of_them_may_be_forged():
    """C36"""
    owned = {0: ["Express Lane", "Counterfeiter"]}
    match = position([["3", "2", "1"]], {}, players=4, owned=owned, **SHOP)
    play(match, "0 play 3 as 2")
    assert match.view()["play"] == {"second": True}
    assert may(match) == ["play 1", "play 2", "skip"]
    play(match, "0 play 2")
    assert match.view()["phase"] == "window"
    assert claims(match) == []
    skipped = play(position([["3", "2", "1"]], {}, players=4, owned=owned, **SHOP), "0 play 3 / 0 skip")
    assert skipped.view()["phase"] == "window"
    with pytest.raises(Illegal, match="skip now"):
        position([["3"]], players=4, owned=owned, **SHOP).play(0, "skip")


def test_small_change_and_deep_pockets_move_the_limit_of_the_player_to_move():
    """C33, C5"""
    small = position([["2"]], {2: ["2"]}, owned={0: ["Small Change"]}, **SHOP)
    assert play(small, "0 play 2").view()["window"]["full"] == [2]
    other = position([["2"]], {2: ["2"]}, owned={1: ["Small Change"]}, **SHOP)
    assert play(other, "0 play 2").view()["window"]["full"] == []
    deep = position([["3"], ["3"]], {3: ["3"]}, owned={0: ["Deep Pockets"]}, **SHOP)
    assert play(deep, "0 play 3").view()["window"]["full"] == []
    play(deep, "0 end / 1 play 3")
    assert deep.view()["window"]["full"] == [3]
    both = {0: ["Deep Pockets", "Small Change"]}
    assert play(position([["2"]], {2: ["2"]}, owned=both, **SHOP), "0 play 2").view()["window"]["full"] == [2]
    assert play(position([["3"]], {3: ["3"]}, owned=both, **SHOP), "0 play 3").view()["window"]["full"] == []


def test_an_offshore_account_shows_only_a_count_and_sells_nothing():
    """C34"""
    owned = {1: ["Offshore Account"]}
    match = position([["1", "3"]], {}, [[], [["3"], ["2"]]], players=2, owned=owned, slow_down_gap=3, **SHOP)
    seen = match.view(0)["players"][1]
    assert (seen["row"], seen["money"], seen["zeros"], seen["count"]) == (None, None, None, 2)
    assert match.view(1)["players"][1]["money"] == 5
    play(match, "0 play 1")
    with pytest.raises(Illegal, match="purchase nothing"):
        match.play(0, "purchase 3 from 1 for 3")
    with pytest.raises(Illegal, match="no stack 3"):
        match.play(0, "offer to 1 give 3 get stack 3")


def test_a_loophole_lets_one_claim_what_one_has_played():
    """C16, C29"""
    match = position([["1"]], {}, owned={0: ["Loophole"]}, **SHOP)
    assert claims(play(match, "0 play 1")) == [1]
    strict = position([["3"]], {3: ["3"]}, owned={0: ["Loophole"]}, push_reading="strict", **SHOP)
    assert pushes(play(strict, "0 play 3"), 3) == [0, 1, 2, 3]


def test_who_is_insured_may_refuse_and_another_is_pushed():
    """C35"""
    match = position([["3"]], {3: ["3"]}, players=3, owned={1: ["Insurance"]}, **SHOP)
    play(match, "0 play 3 / 0 push 3 to 1")
    assert match.asked == (1,)
    assert may(match) == ["take", "refuse"]
    assert told(match)[-1] == "Ben is insured and may refuse."
    taken = play(match.copy(), "1 take")
    assert rows(taken, 1) == [["3", "3"]]
    play(match, "1 refuse")
    assert may(match) == ["push 3 to 0", "push 3 to 2"]
    play(match, "0 push 3 to 2")
    assert rows(match, 2) == [["3", "3"]]


def test_the_only_target_is_not_asked_though_insured_and_call_in_can_be_refused():
    """C35, C24"""
    match = position([["3"]], {3: ["3"]}, [[["1"]], [], [["1"]]], players=3, owned={1: ["Insurance"]}, **SHOP)
    play(match, "0 play 3 / 0 push 3 to 1")
    assert rows(match, 1) == [["3", "3"]]
    call = position([["1:call_in"]], {3: ["3"]}, players=3, owned={1: ["Insurance"]}, **SHOP, **ACTION)
    play(call, "0 play 1:call_in / 0 icon call_in push 3 to 1 / 1 refuse / 0 push 3 to 2")
    assert rows(call, 2) == [["3"]]
    own = position([["3"]], {3: ["3"]}, players=3, owned={0: ["Insurance"]}, **SHOP)
    assert play(own, "0 play 3 / 0 push 3 to 0").asked == (0,)
    assert rows(own, 0) == [["3", "3"]]


def test_a_forecast_that_comes_true_brings_a_coin():
    """C37"""
    match = position([["1", "1"], ["2"]], players=2, owned={0: ["Forecast"]}, **SHOP)
    play(match, "0 play 1 / 0 end")
    assert match.view()["phase"] == "forecast"
    play(match, "0 forecast 2 / 1 play 2")
    assert money(match)[0] == 1
    assert told(match)[-1] == "Ada has forecast it and Ada takes a coin."
    wrong = position([["1", "1"], ["2"]], players=2, owned={0: ["Forecast"]}, **SHOP)
    assert money(play(wrong, "0 play 1 / 0 end / 0 forecast 1 / 1 play 2")) == [0, 0]
    won = position([["1", "1"], ["2"]], {}, [[["4", "4"], ["1"]]], players=2, owned={0: ["Forecast"]}, **SHOP)
    assert play(won, "0 play 1 / 0 end / 0 forecast 2 / 1 play 2").winners == [0]


def test_no_forecast_of_ones_own_next_turn_nor_at_the_end():
    """C37"""
    match = position([["1:fast_track", "1"]], players=2, owned={0: ["Forecast"]}, **SHOP, **ACTION)
    play(match, "0 play 1:fast_track / 0 icon fast_track 0 / 0 end")
    assert match.view()["phase"] == "play"
    last = play(position([["1"], []], players=2, owned={0: ["Forecast"]}, **SHOP), "0 play 1 / 0 end")
    assert last.over
    skipped = play(position([["1", "1"]], players=2, owned={0: ["Forecast"]}, **SHOP), "0 play 1 / 0 end / 0 skip")
    assert skipped.asked == (1,)


# --- deals and moves that are refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"start": 4}, "start is 4"), ({"start": True}, "start is True"), ({"hands": []}, "2 hands"),
        ({"aside": 3}, "list of bills"),
        ({"centre": ["3"]}, "must be 0"), ({"extra": 1}, "unknown key 'extra'"), ({"aside": None}, "lacks the key 'aside'"),
        ({"hands": [["1"] * 13] * 2}, "must have 14 × 1, not 26; "), ({"hands": [["9"] * 13] * 2}, "not a bill"),
        ({"hands": [["3"] * 13] * 2}, "× 3, not 26; "), ({"hands": [["1:vault"] * 13] * 2}, "0 × 1:vault, not 26; "),
        ({"products": []}, "unknown key"),
    ],
)  # fmt: skip
def test_a_bad_deal_is_refused_by_name(change, why):
    """C1, C38"""
    made = deal(2).deal | change
    made = {key: part for key, part in made.items() if part is not None}
    with pytest.raises(BadSetup, match=why):
        outbid.game("claim").load(["A", "B"], made)


def test_a_bad_shop_is_refused_by_name():
    """C29, C30"""
    made = deal(2, **SHOP).deal
    with pytest.raises(BadSetup, match="products must be these"):
        outbid.game("claim", **SHOP).load(["A", "B"], made | {"products": ["Collector"] * 12})
    with pytest.raises(BadSetup, match="reserve must be"):
        outbid.game("claim", **SHOP).load(["A", "B"], made | {"reserve": ["7"] * 8})


@pytest.mark.parametrize(
    "move",
    [
        {"do": "play"}, {"do": "play", "bill": 3}, {"do": "play", "bill": "03"}, {"do": "play", "bill": "w", "on": True},
        {"do": "play", "bill": "1/2", "as": 1}, {"do": "play", "bill": "1/2", "as": 1.0, "on": None}, {"do": ["play"]}, {},
    ],
)  # fmt: skip
def test_unreadable_moves(move):
    """C4, C11: types are strict."""
    with pytest.raises(Unreadable):
        position([["3", "w", "1/2"]], {3: ["3"]}, **THREE).play(0, move)


def test_needless_keys_of_a_bill_are_left_out_of_the_record():
    """C4"""
    match = position([["3", "w"]], {3: ["3"]}, **THREE)
    assert match.play(0, {"do": "play", "bill": "3", "on": 3, "as": 3, "note": "hm"}) == {"do": "play", "bill": "3"}


def test_everything_plays_with_everything():
    """C1 to C40: all five expansions, every number of players, everything conserved."""
    for players in range(2, 7):
        match = to_the_end(deal(players, players, **ALL), players)
        check(match.state)


def test_with_a_fixed_start_seat_0_begins():
    """C3: the parameter fixed_start; otherwise the seeds draw everybody, and a deal with another start is refused."""
    assert {outbid.game("claim").new(3, seed).asked for seed in range(40)} == {(0,), (1,), (2,)}
    game = outbid.game("claim", fixed_start=True)
    assert {game.new(3, seed).asked for seed in range(40)} == {(0,)}
    with pytest.raises(BadSetup, match="with fixed_start it must be 0"):
        game.load(["Ada", "Ben", "Cem"], {**game.new(3).deal, "start": 1})
