"""How many bills are dealt and what becomes of the leftovers: a second reading of the rulings C2, C38 and C39, written
from their words alone, beside the deals of every set-up."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

import outbid

BASE = {1: 14, 2: 12, 3: 10, 4: 8, 5: 6, 6: 4}
MULTINUMBERS = ["1/2", "1/2", "1/3", "2/3", "1/4", "3/4", "2/5", "4/6"]
TABLE = """
–              | 13 | 12 | 12 | 11     | 10     | 9
wild           | 14 | 13 | 13 | 12     | 11     | 10
zero           | 22 | 21 | 18 | 15 + 2 | 13 + 3 | 12
bad            | 18 | 17 | 16 | 15     | 13 + 2 | 12
wild zero      | 23 | 22 | 19 | 16 + 2 | 14 + 3 | 13
wild bad       | 19 | 18 | 17 | 16     | 14 + 2 | 13
zero bad       | 27 | 26 | 22 | 19 + 2 | 17     | 15
wild zero bad  | 28 | 27 | 23 | 20 + 2 | 18     | 16
"""  # bills each + leftovers with these expansions, for 2, the duel, 3, 4, 5 and 6 players
NAMES = {"wild": "wild_wagers", "zero": "zero_risk", "bad": "bad_investment"}
ROWS = {frozenset(row.split("|")[0].split()) - {"–"}: row.split("|")[1:] for row in TABLE.strip().splitlines()}
TABLES = [(2, False), (2, True), (3, False), (4, False), (5, False), (6, False)]


def deck(players, duel, added):
    """The bills of a match, without their icons."""
    bills = [str(number) for number, n in BASE.items() if number <= (3 if duel else players) for _ in range(n)]
    if "wild" in added:
        bills += ["w"] * players
    if "zero" in added:
        bills += ["0"] * 18
    if "bad" in added:
        bills += ["-2"] * 4 + ["-1"] * 4 + ["7"] * (2 if players >= 4 else 0)
        bills += [bill for bill in MULTINUMBERS if all(int(number) <= players for number in bill.split("/"))]
    return bills


def shares(players, duel, added, cap):
    """Bills each, leftovers in the centre, bills aside."""
    bills = len(deck(players, duel, added))
    aside = 12 if duel else 0
    if cap and bills - aside > cap * players:
        return cap, 0, bills - cap * players
    each, left = divmod(bills - aside, players)
    return each, left, aside


def starting_stacks(centre, full=5, negative=-5):
    """The stacks that leftovers make, one laid after the other, and what leaves the game."""
    stacks, gone = {}, []
    for bill in centre:
        number = None if bill == "w" else int(bill.split(":")[0].split("/")[0])
        if number is None or not negative < sum(map(int, stacks.get(number, []))) + number < full:
            gone.append(bill)
        else:
            stacks.setdefault(number, []).append(str(number))
    return stacks, gone


def added_of(words):
    """The options of these expansions."""
    return {NAMES[word]: True for word in words}


@pytest.mark.parametrize("column", range(6), ids=["2", "duel", "3", "4", "5", "6"])
@pytest.mark.parametrize("words", ROWS, ids=[" ".join(sorted(words)) or "base" for words in ROWS])
def test_every_set_up_deals_what_the_table_of_the_rules_says(words, column):
    each, _, left = ROWS[words][column].partition("+")
    assert shares(*TABLES[column], words, 0)[:2] == (int(each), int(left or 0))


@pytest.mark.parametrize(("players", "duel"), TABLES, ids=["2", "duel", "3", "4", "5", "6"])
@pytest.mark.slow
def test_every_deal_is_as_a_second_reading_of_the_rulings_says(players, duel):
    """With every set of the expansions that add bills, and the icons; capped hands; three deals each."""
    for words, cap, icons, seed in product(ROWS, (0, 9, 13, 14, 40), (False, True), range(3)):
        options = added_of(words) | {"hand_cap": cap, "action_fund": icons} | ({"two_players": "duel"} if duel else {})
        match = outbid.game("claim", **options).new(players, seed)
        made = match.deal
        each, left, aside = shares(players, duel, words, cap)
        assert [len(hand) for hand in made["hands"]] == [each] * players
        assert (len(made["centre"]), len(made["aside"])) == (left, aside)
        lots = [*made["hands"], made["centre"], made["aside"]]
        assert Counter(bill.split(":")[0] for lot in lots for bill in lot) == Counter(deck(players, duel, words))
        seen = match.view()
        laid = {stack["number"]: [bill.split("=")[-1].split(":")[0] for bill in stack["bills"]] for stack in seen["stacks"]}
        stacks, gone = starting_stacks(made["centre"])
        assert (laid, seen["gone"], seen["aside"]) == (stacks, len(gone), aside)
        assert seen.get("left_over") == ({"bills": made["centre"], "removed": gone} if left else None)
        assert seen["most_turns"] == players * max(20, each)


@pytest.mark.parametrize(
    ("full", "negative", "copies"),
    [
        (5, -5, [15, 13, 11, 9, 7, 4]),
        (3, -2, [13, 12, 10, 8, 6, 4]),
        (12, -9, [15, 11, 13, 9, 7, 4]),
        (1, -1, [14, 13, 10, 8, 6, 6]),
    ],
)
@pytest.mark.slow
def test_leftovers_leave_the_game_where_their_stack_would_reach_a_limit(full, negative, copies):
    """Limits and decks of a designer, so that there is much in the centre."""
    options = {"full_threshold": full, "negative_threshold": negative, "copies": copies}
    seen = set()
    for words, seed in product(ROWS, range(12)):
        match = outbid.game("claim", **options, **added_of(words)).new(6, seed)
        view = match.view()
        stacks, gone = starting_stacks(match.deal["centre"], full, negative)
        laid = {stack["number"]: [bill.split("=")[-1] for bill in stack["bills"]] for stack in view["stacks"]}
        assert (laid, view["left_over"]["removed"]) == (stacks, gone)
        seen.add((len(stacks), len(gone)))
    assert len(seen) > 2  # many kinds of it
