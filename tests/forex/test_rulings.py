"""Every ruling of RULES.md on hand-made positions. A docstring begins with the ruling it is about."""

from __future__ import annotations

import pytest

from outbid.core import contract
from outbid.core.errors import BadSetup, Illegal, NotYourTurn
from outbid.games.forex import rules
from outbid.games.forex.state import COMMON, CURRENCIES, DIVIDENDS, SPACES

from .table import BOOK, all_moves, certificates, free, fresh, items, money, owed, play, position, rate, space, told

START = {
    "GBP": {"EUR": 2, "USD": 1, "CHF": 2, "JPY": 2, "CAD": 3, "CNY": 7},
    "EUR": {"USD": 1, "CHF": 1, "JPY": 2, "CAD": 2, "CNY": 6},
    "USD": {"CHF": 1, "JPY": 2, "CAD": 2, "CNY": 6},
    "CHF": {"JPY": 2, "CAD": 2, "CNY": 6},
    "JPY": {"CAD": 2, "CNY": 5},
    "CAD": {"CNY": 4},
}


# --- set-up and rates ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 6])
def test_a_match_begins_with_two_of_everything_the_table_of_rates_and_the_dividends(players):
    """Section 2."""
    match = fresh(players=players, start=1)
    assert [money(match, seat) for seat in range(players)] == [[2] * 7] * players
    assert match.asked == (1,)
    assert items(match) == ["dividends"]
    assert free(match) == list("ABCDEF")
    for strong, row in START.items():
        assert {weak: space(match, strong, weak) for weak in row} == row
    assert match.view()["stock"] == {name: 7 if name != "CNY" else 8 for name in CURRENCIES}


def test_six_certificates_of_all_are_removed_at_random_whatever_the_number_of_players():
    """R15: the deal says which; it may take all of a currency."""
    for players in (2, 4, 6):
        for seed in range(5):
            assert sum(fresh_stock(players, seed)) == 50
    assert len({tuple(fresh_stock(3, seed)) for seed in range(12)}) > 10
    match = fresh(removed=["CNY"] * 8, removed_certificates=8)
    with pytest.raises(Illegal, match="no certificate of CNY left"):
        match.play(0, "invest CNY")
    for removed in (["CNY"] * 5, ["CNY"] * 7, ["SEK"] * 6, ["CNY", 3, "GBP", "GBP", "GBP", "GBP"], "CNY", None):
        with pytest.raises(BadSetup, match="deal"):
            fresh(removed=removed)
    with pytest.raises(BadSetup, match="removes 9 certificates of CNY"):
        fresh(removed=["CNY"] * 9, removed_certificates=9)


def fresh_stock(players, seed):
    state = BOOK.fresh({})
    contract.deal(state, players, seed)
    return state.stock


def test_strengthening_moves_six_pairs_and_a_flip_is_a_whole_step():
    """Section 3: at rate 1 the weaker becomes the stronger and the space stays 1."""
    match = position(rates={"GBP USD": 1, "EUR USD": 2, "USD CNY": 9})
    before = [row[:] for row in match.state.scale]
    rules.strengthen(match.state, 2)
    assert (space(match, "USD", "GBP"), space(match, "USD", "EUR"), space(match, "USD", "CNY")) == (1, -1, 10)
    assert space(match, "GBP", "EUR") == 2
    rules.weaken(match.state, 2)
    assert match.state.scale == before


def test_the_8_space_is_the_end_of_the_track():
    """R3, section 3: nothing moves beyond it."""
    match = position(rates={"GBP CNY": 10})
    rules.strengthen(match.state, 0)
    assert rate(match, "GBP", "CNY") == 8
    rules.weaken(match.state, 6)
    assert rate(match, "GBP", "CNY") == 8
    rules.weaken(match.state, 0)
    assert rate(match, "GBP", "CNY") == 6


# --- the worked example -------------------------------------------------------------------------------------------------


def test_the_worked_example_in_nine_steps():
    """R5, R10, R17, sections 3 to 8: nine moves of three players."""
    match = play(fresh(), "0 invest CNY CAD")
    assert [rate(match, name, "CNY") for name in CURRENCIES[:6]] == [3.5, 3, 3, 3, 2.5, 2.5]
    assert [rate(match, name, "CAD") for name in CURRENCIES[:5]] == [1.5, 1, 1, 1, 1]
    assert money(match, 0) == [2, 2, 2, 2, 2, 0, 0]
    play(match, "1 contract pay 4 GBP receive 14 CNY")
    assert items(match) == ["dividends", "A"]
    play(match, "2 invest CNY JPY")
    assert [rate(match, name, "CNY") for name in CURRENCIES[:6]] == [3, 2.5, 2.5, 2.5, 2.5, 2]
    assert [rate(match, name, "JPY") for name in CURRENCIES[:4]] == [1] * 4
    assert rate(match, "JPY", "CAD") == 1.5
    play(match, "0 resolve")
    assert [rate(match, name, "CNY") for name in CURRENCIES[:6]] == [2.5, 2, 2, 2, 2, 1.5]
    assert items(match) == ["A", "dividends"]
    play(match, "1 contract pay 12.5 CNY receive 5 GBP")
    play(match, "2 resolve")
    assert items(match) == ["dividends", "B", "loan of 1"]
    assert (money(match, 1, "CNY"), owed(match, 1), len(free(match))) == (16, {"GBP": 5}, 4)
    play(match, "0 resolve")
    assert money(match, 0) == [2, 2, 2, 2, 2, 2, 2]
    assert [rate(match, name, "CNY") for name in CURRENCIES[:6]] == [2, 1.5, 1.5, 1.5, 1.5, 1]
    play(match, "1 resolve")
    assert (money(match, 1, "CNY"), money(match, 1, "GBP")) == (3.5, 7)
    assert items(match) == ["loan of 1", "dividends"]
    assert free(match) == ["B", "C", "D", "E", "F"]
    play(match, "2 resolve")
    assert money(match, 1) == [2, 2, 2, 2, 2, 2, 3.5]
    assert free(match) == list("ABCDEF")
    assert match.scores == [10, 10, 10]


# --- spot ---------------------------------------------------------------------------------------------------------------


def test_a_spot_offer_is_one_buck_of_the_stronger_against_its_rate():
    """R1: either side may give the stronger one; with `one_stronger` that is all."""
    match = position([{"CNY": 4}], spot_unit="one_stronger")
    play(match, "0 spot with 1 give 4 CNY get 1 GBP / 1 agree")
    assert (money(match, 0, "CNY"), money(match, 0, "GBP"), money(match, 1, "CNY"), money(match, 1, "GBP")) == (0, 3, 6, 1)
    match = position(money=[{}, {"CNY": 4}], spot_unit="one_stronger")
    for wrong in ("give 1 CNY get 0.5 GBP", "give 2 GBP get 8 CNY", "give 1 GBP get 3.5 CNY", "give 0.5 GBP get 2 CNY"):
        with pytest.raises(Illegal, match="1 buck of the stronger currency, and 1 GBP stands at 4 CNY"):
            match.play(0, f"spot with 1 {wrong}")
    play(match, "0 spot with 1 give 1 GBP get 4 CNY / 1 agree")
    assert money(match, 1, "CNY") == 0


def test_both_sides_of_a_spot_offer_own_what_they_give():
    """R1: the offer itself is refused."""
    match = position([{"GBP": 0.5}, {"USD": 0.5}])
    with pytest.raises(Illegal, match=r"You own 0\.5 GBP, not 1"):
        match.play(0, "spot with 1 give 1 GBP get 1 USD")
    with pytest.raises(Illegal, match=r"Seat 1 owns 0\.5 USD, not 1"):
        match.play(0, "spot with 1 give 1 CHF get 1 USD")
    assert all(move["get"][0] != "USD" for move in all_moves(match, 0) if move["do"] == "spot" and move["with"] == 1)


def test_three_offers_a_turn_never_the_same_twice_and_none_after_an_agreement():
    """R2."""
    match = play(fresh(), "0 spot with 1 give 1 GBP get 1 USD / 1 refuse")
    with pytest.raises(Illegal, match="same offer has been refused"):
        match.play(0, "spot with 1 give 1 GBP get 1 USD")
    play(match, "0 spot with 1 give 1 USD get 1 GBP / 1 refuse / 0 spot with 2 give 1 GBP get 1 USD / 2 refuse")
    with pytest.raises(Illegal, match="refused in this turn: 3"):
        match.play(0, "spot with 2 give 1 EUR get 1 USD")
    assert not any(move["do"] == "spot" for move in all_moves(match, 0))
    play(match, "0 resolve / 0 strengthen GBP")
    assert match.state.refused == [[0] * 7] * 6
    play(match, "1 spot with 2 give 1 GBP get 1.5 USD / 2 agree")
    with pytest.raises(Illegal, match="has been a spot transaction"):
        match.play(1, "spot with 0 give 1 EUR get 1 USD")
    assert match.asked == (1,)
    play(match, "1 invest CHF")


def test_spot_offers_can_be_limited_otherwise_or_forbidden():
    """R2: the options."""
    match = play(fresh(max_spot_offers=1), "0 spot with 1 give 1 GBP get 1 USD / 1 refuse")
    with pytest.raises(Illegal, match="refused in this turn: 1"):
        match.play(0, "spot with 1 give 1 EUR get 1 USD")
    with pytest.raises(Illegal, match="no spot transactions in this match"):
        fresh(spot_enabled=False).play(0, "spot with 1 give 1 GBP get 1 USD")
    match = fresh(players=2, max_spot_offers="unlimited")
    made = 0
    while any(move["do"] == "spot" for move in all_moves(match, 0)):
        match.play(0, next(move for move in all_moves(match, 0) if move["do"] == "spot"))
        match.play(1, "refuse")
        made += 1
    assert made > 20
    assert made == len(match.view()["spot"]["refused"])


def test_no_offer_after_the_action_and_nothing_but_an_answer_while_one_is_open():
    """R16, R2: what is said beside a spot transaction binds nobody."""
    match = play(fresh(), "0 spot with 1 give 1 GBP get 1 USD")
    assert match.asked == (1,)
    with pytest.raises(NotYourTurn):
        match.play(0, "resolve")
    with pytest.raises(Illegal, match="not possible to resolve now"):
        match.play(1, "resolve")
    play(match, "1 agree / 0 invest CHF")
    with pytest.raises(NotYourTurn):
        match.play(0, "spot with 1 give 1 EUR get 1 USD")


# --- contracts ----------------------------------------------------------------------------------------------------------


def test_a_contract_is_over_one_to_ten_whole_bucks_of_the_stronger_and_needs_no_money():
    """R11, section 5."""
    match = position([dict.fromkeys(CURRENCIES, 0)])
    for wrong, why in (
        ("pay 11 GBP receive 44 CNY", "must be 1 to 10, not 11"),
        ("pay 2 CNY receive 0.5 GBP", "must be whole, not 0.5"),
        ("pay 4 GBP receive 14 CNY", "1 GBP stands at 4 CNY, so 4 GBP stand against 16 CNY, not 14"),
        ("pay 4 GBP receive 4 GBP", "two different currencies"),
    ):
        with pytest.raises(Illegal, match=why):
            match.play(0, f"contract {wrong}")
    play(match, "0 contract pay 40 CNY receive 10 GBP")
    assert items(match) == ["dividends", "A"]
    assert len([move for move in all_moves(match, 1) if move["do"] == "contract"]) == 420


def test_no_contract_while_all_sets_are_in_use():
    """R11: cards, certificates and money can run short."""
    match = fresh(players=2)
    for n in range(6):
        match.play(n % 2, "contract pay 1 GBP receive 1 USD")
    assert free(match) == []
    with pytest.raises(Illegal, match="All sets of contract cards are in use"):
        match.play(0, "contract pay 1 GBP receive 1 USD")
    assert not any(move["do"] == "contract" for move in all_moves(match, 0))


def test_a_contract_keeps_its_terms_when_the_rate_moves():
    """Section 5."""
    match = play(fresh(players=2), "0 contract pay 2 GBP receive 8 CNY / 1 invest CNY / 0 resolve / 1 resolve")
    assert (money(match, 0, "GBP"), money(match, 0, "CNY")) == (0, 10)


def test_who_can_pay_must():
    """R10: nobody chooses to default, and what is received comes too late."""
    match = play(position(queue=[(1, "2 GBP", "8 CNY"), "dividends"]), "0 resolve")
    assert (money(match, 1, "GBP"), money(match, 1, "CNY"), owed(match, 1)) == (0, 10, {})
    match = play(position([{}, {"GBP": 1.5}], queue=[(1, "2 GBP", "8 CNY"), "dividends"]), "0 resolve")
    assert (money(match, 1, "GBP"), owed(match, 1)) == (1.5, {"GBP": 3})


def test_a_debt_grows_by_one_buck_once_also_from_a_half():
    """R17: 12.5 becomes 13.5, and a loan that waits does not grow."""
    match = play(position(queue=[(1, "12.5 CNY", "5 GBP"), "dividends"]), "0 resolve")
    assert owed(match, 1) == {"CNY": 13.5}
    play(match, "1 invest CNY / 2 resolve")
    assert owed(match, 1) == {"CNY": 13.5}
    match = play(position(queue=[(1, "12.5 CNY", "5 GBP"), "dividends"], surcharge=0), "0 resolve")
    assert owed(match, 1) == {"CNY": 12.5}


LOAN = [(1, "9 EUR", "9 USD"), (1, {"GBP": 5}), (0, "1 GBP", "1 USD"), "dividends"]


@pytest.mark.parametrize(
    ("place", "queue"), [("existing", ["loan of 1", "C", "dividends"]), ("back", ["C", "dividends", "loan of 1"])]
)
def test_a_loan_that_grows_keeps_its_place_or_goes_back(place, queue):
    """R5: the option says which."""
    match = play(position(queue=LOAN, merged_loan_place=place), "0 resolve")
    assert items(match) == queue
    assert owed(match, 1) == {"GBP": 5, "EUR": 10}


def test_the_cards_of_a_merged_loan_are_held_until_all_is_paid():
    """R6: or free at once."""
    match = play(position([{}, {"GBP": 9, "EUR": 10.5}], queue=[(1, "11 EUR", "11 USD"), *LOAN[1:]]), "0 resolve")
    assert free(match) == ["D", "E", "F"]
    assert match.view()["players"][1]["loan"]["sets"] == ["A", "B"]
    match.state.money[1][1] = 24
    play(match, "1 resolve")
    assert free(match) == ["A", "B", "D", "E", "F"]
    assert (money(match, 1, "EUR"), money(match, 1, "GBP"), owed(match, 1)) == (0, 4, {})
    match = play(position(queue=LOAN, merged_loan_set="free_at_merge"), "0 resolve")
    assert free(match) == ["A", "D", "E", "F"]


def test_a_loan_is_paid_in_all_its_parts_or_not_at_all():
    """R4, R18, section 7: bankruptcy ends the match in the middle of the queue, and nothing is paid."""
    queue = [(1, {"GBP": 5, "EUR": 1.5}), (0, "1 GBP", "99 CNY"), "dividends"]
    match = position([{"GBP": 1}, {"GBP": 50, "EUR": 1}], queue=queue)
    play(match, "0 resolve")
    assert match.over
    assert money(match, 1, "GBP") == 50
    assert items(match) == ["loan of 1", "B", "dividends"]
    assert match.scores[1] > max(match.scores[0], match.scores[2])
    assert match.winners == [2]
    assert match.view()["bankrupt"] == 1


def test_a_bankrupt_player_can_win_if_the_option_says_so():
    """R4: bankrupt_excluded = false."""
    queue = [(1, {"GBP": 51}), "dividends"]
    assert play(position([{}, {"GBP": 50}], queue=queue, bankrupt_excluded=False), "0 resolve").winners == [1]
    assert play(position([{}, {"GBP": 50}], queue=queue, players=2), "0 resolve").winners == [0]


# --- certificates -------------------------------------------------------------------------------------------------------


def test_buying_needs_a_certificate_the_money_and_less_than_four():
    """R11, section 6: all is checked before the first is bought."""
    match = position([{"CNY": 1.5, "USD": 9}], [{"USD": 4}, {"GBP": 4}, {"GBP": 4}])
    for names, why in (
        ("CNY", "costs 2 CNY; you own 1.5"),
        ("USD", "You own 4 certificates of USD"),
        ("GBP", "no certificate of GBP left"),
        ("EUR CNY", "costs 2 CNY"),
        ("EUR EUR", "cannot be bought at once"),
        ("EUR CHF JPY", "One or two certificates are bought, not 3"),
    ):
        with pytest.raises(Illegal, match=why):
            match.play(0, f"invest {names}")
    assert match.moves == []
    offered = {name for move in all_moves(match, 0) if move["do"] == "invest" for name in move["in"]}
    assert offered == {"EUR", "CHF", "JPY", "CAD"}
    play(match, "0 invest EUR CHF")
    assert certificates(match, 0) == {"EUR": 1, "USD": 4, "CHF": 1}


@pytest.mark.parametrize(("names", "found"), [("GBP CNY", 9), ("CNY GBP", 10)])
def test_two_certificates_are_bought_one_after_the_other(names, found):
    """R12: the order matters where their pair is on the 8 space."""
    match = play(position(rates={"GBP CNY": 10}), f"0 invest {names}")
    assert space(match, "GBP", "CNY") == found


def test_selling_goes_round_and_everybody_sees_what_went_before():
    """R13: each sale weakens at once; who owns none is not asked; the next turn is the one after the first seller."""
    match = position(certs=[{"CNY": 1}, {"CNY": 2}, {}, {"CNY": 3}], rates={"GBP CNY": 5}, turn=3, players=4)
    play(match, "3 divest 2 CNY")
    assert (match.asked, rate(match, "GBP", "CNY")) == ((0,), 4)
    assert match.view()["divest"] == {"currency": "CNY", "most": 1, "for": 2}
    with pytest.raises(Illegal, match="Only certificates of CNY"):
        match.play(0, "divest 1 GBP")
    with pytest.raises(Illegal, match="You own 1 certificate of CNY, not 2"):
        match.play(0, "divest 2 CNY")
    play(match, "0 divest 0 CNY")
    assert match.asked == (1,)
    play(match, "1 divest 2 CNY")
    assert rate(match, "GBP", "CNY") == 6
    assert match.asked == (0,)
    assert match.state.turn == 0
    assert (money(match, 3, "CNY"), money(match, 1, "CNY"), match.view()["stock"]["CNY"]) == (6, 6, 2)
    with pytest.raises(Illegal, match="At least 1 must be sold, not 0"):
        match.play(0, "divest 0 CNY")


# --- dividends ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spent", "pays"), list(enumerate((0, 2, 2, 2, 3))))
def test_the_five_cards_pay_0_2_2_2_3_in_the_own_currency_of_each_certificate(spent, pays):
    """R8."""
    match = play(position(certs=[{"CNY": 2}, {"CNY": 1, "CAD": 2}], spent=spent), "0 resolve")
    assert (money(match, 0, "CNY"), money(match, 1, "CNY"), money(match, 1, "CAD")) == (2 + 2 * pays, 2 + pays, 2 + 2 * pays)
    assert match.over == (spent == 4)


@pytest.mark.parametrize(("rule", "gbp", "cny"), [("weaker", 4, 2), ("stronger", 2, 4), ("off", 4, 4)])
def test_the_weaker_currency_of_a_pair_on_the_8_space_pays_nothing(rule, gbp, cny):
    """R3: the option turns it round."""
    match = position(certs=[{"GBP": 1}, {"CNY": 1}], rates={"GBP CNY": 10}, spent=1, eight_rule=rule)
    play(match, "0 resolve")
    assert (money(match, 0, "GBP"), money(match, 1, "CNY")) == (gbp, cny)


def test_the_8_rule_looks_before_the_strengthening():
    """R3, section 8: payment first."""
    match = play(position(certs=[{"CNY": 2}], rates={"GBP CNY": 10}, spent=1), "0 resolve")
    assert (money(match, 0, "CNY"), space(match, "GBP", "CNY")) == (2, 9)


def test_most_certificates_counts_all_hands_together():
    """R9: three times one is more than two."""
    match = play(position(certs=[{"GBP": 2}, {"CNY": 1}, {"CNY": 2}]), "0 resolve")
    assert space(match, "GBP", "CNY") == 6
    assert match.asked == (1,)


def test_a_tie_is_for_whoever_resolved_and_no_certificates_tie_all_seven():
    """R9: also with the card that pays nothing."""
    match = play(fresh(start=2), "2 resolve")
    assert match.asked == (2,)
    assert match.view()["choose"] == list(CURRENCIES)
    assert items(match) == ["dividends"]
    play(match, "2 strengthen CNY")
    assert (space(match, "GBP", "CNY"), match.asked) == (6, (0,))
    match = play(position(certs=[{"GBP": 1}, {"CNY": 1}]), "0 resolve")
    with pytest.raises(Illegal, match="EUR is not among the tied"):
        match.play(0, "strengthen EUR")
    match = play(fresh(no_certs_no_strengthen=True), "0 resolve")
    assert (match.asked, space(match, "GBP", "CNY")) == ((1,), 7)


def test_the_stack_goes_to_the_back_as_one_item():
    """Section 8."""
    queue = ["dividends", (1, "1 GBP", "1 USD"), (2, "1 GBP", "1 USD")]
    match = play(position(certs=[{"CNY": 1}], queue=queue), "0 resolve")
    assert items(match) == ["A", "B", "dividends"]
    assert match.view()["queue"][2]["left"] == [2, 2, 2, 3]


def test_dividend_cards_that_are_not_in_play_are_not_seen_in_the_queue():
    """Section 11."""
    match = fresh(dividend_cards=2)
    assert match.view()["queue"][0]["left"] == match.view()["dividends"]["pays"] == [0, 2]


# --- the end ------------------------------------------------------------------------------------------------------------


def test_after_the_fifth_dividend_the_queue_is_resolved_by_itself():
    """R14: new loans come up too, and a later item may bring the money."""
    queue = ["dividends", (1, "5 GBP", "5 USD"), (1, "7 USD", "7 GBP"), (2, "1 EUR", "1 CHF")]
    match = play(position(certs=[{"CNY": 1}], queue=queue, spent=4), "0 resolve")
    assert match.over
    assert items(match) == []
    assert money(match, 1)[:3] == [3, 2, 0]
    assert money(match, 2)[1:4] == [1, 2, 3]
    assert any("no more turns" in line for line in told(match))


def test_a_bankruptcy_in_the_final_resolution_leaves_the_rest():
    """R14, R18: the match ends at once, with what lies there."""
    queue = ["dividends", (1, {"GBP": 5}), (0, "1 GBP", "1 USD")]
    match = play(position(certs=[{"CNY": 1}], queue=queue, spent=4), "0 resolve")
    assert (match.over, items(match), match.view()["bankrupt"]) == (True, ["loan of 1", "B"], 1)
    assert money(match, 0, "GBP") == 2


def test_the_question_of_the_last_dividend_comes_before_the_final_resolution():
    """R14, R9."""
    match = play(position(certs=[{"CNY": 1, "GBP": 1}], queue=["dividends", (1, {"GBP": 5})], spent=4), "0 resolve")
    assert match.view()["phase"] == "strengthen"
    assert not match.over
    play(match, "0 strengthen GBP")
    assert match.over


CIRCLE = {"GBP EUR": 2, "EUR USD": 3, "USD GBP": 1}  # three that beat each other and all the others


@pytest.mark.parametrize(("certs", "tied"), [([], ["GBP", "EUR", "USD"]), ([{"GBP": 1}, {"EUR": 1}], ["GBP", "EUR"])])
def test_ties_of_the_strongest_go_to_certificates_and_then_to_the_last_turn(certs, tied):
    """Section 9: also the bankrupt player may choose (R4)."""
    match = position(certs=certs, rates=CIRCLE, queue=[(0, {"CNY": 9}), "dividends"])
    play(match, "0 resolve")
    assert match.view()["choose"] == tied
    assert match.asked == (0,)
    with pytest.raises(Illegal, match="CNY is not among the tied"):
        match.play(0, "strongest CNY")
    play(match, "0 strongest EUR")
    assert match.over
    assert match.view()["strongest"] == {"currency": "EUR", "decided": True, "tied": []}
    # 2 GBP are 3 EUR; the other rates of EUR are 2, 1, 1.5, 1.5 and 3.5
    assert match.scores == [3 + 2 + 1 + 2 + 1 + 1 + 0] * 3


def test_certificates_in_hands_decide_among_the_strongest():
    """Section 9: without a question."""
    match = position(certs=[{"GBP": 1}, {"USD": 2, "CNY": 4}], rates=CIRCLE, queue=[(0, {"CNY": 9}), "dividends"])
    play(match, "0 resolve")
    assert match.over
    assert match.view()["strongest"]["currency"] == "USD"


@pytest.mark.parametrize(("rounding", "points"), [("per_currency", 10), ("total", 11)])
def test_each_amount_is_rounded_down_by_itself_or_only_the_sum(rounding, points):
    """R7: the position at the end of the worked example; a half-buck of the strongest currency is dropped too."""
    rates = {"GBP EUR": 2, "GBP USD": 1, "GBP CHF": 2, "GBP JPY": 1, "GBP CAD": 3, "GBP CNY": 3}
    match = position([{}, {"CNY": 3.5}], rates=rates, final_rounding=rounding)
    assert match.scores[1] == points
    match = position([{"GBP": 1.5}], rates=rates, final_rounding=rounding)
    assert match.scores[0] == points - 1


def test_the_total_is_exact():
    """R7: three times two thirds are two, and three thirds a whole; no fraction is lost on the way."""
    rates = {f"GBP {name}": 2 for name in CURRENCIES[1:]}
    cash = dict.fromkeys(CURRENCIES, 0)
    match = position([{**cash, "EUR": 1, "USD": 1, "CHF": 1}], rates=rates, final_rounding="total")
    assert match.scores[0] == 2
    match = position([{**cash, "EUR": 1, "USD": 0.5}], rates=rates, final_rounding="total")
    assert match.scores[0] == 1
    assert all(COMMON % half_bucks == 0 for half_bucks in range(1, 21))


def test_equal_money_goes_to_certificates_of_the_strongest_currency_and_then_is_shared():
    """R19: R4 keeps the bankrupt player out of it."""
    end = {"queue": ["dividends"], "spent": 4, "dividends": [0] * 5}
    assert play(position(certs=[{"GBP": 1, "CNY": 2}, {"GBP": 2}], **end), "0 resolve").winners == [1]
    assert play(position(certs=[{"GBP": 2}, {"GBP": 2}], **end), "0 resolve").winners == [0, 1]
    match = play(position(certs=[{"GBP": 2}], queue=[(0, {"CNY": 9}), "dividends"]), "0 resolve")
    assert match.winners == [1, 2]


def test_equal_money_shares_the_victory_whatever_the_certificates_where_the_table_says_so():
    """R19: equal_money = shared, again without the bankrupt player (R4); more money wins all the same."""
    end = {"queue": ["dividends"], "spent": 4, "dividends": [0] * 5, "equal_money": "shared"}
    match = play(position(certs=[{"GBP": 1, "CNY": 2}, {"GBP": 2}], **end), "0 resolve")
    assert match.winners == [0, 1, 2]
    assert not any("decide" in line.text for line in match.log(0))
    assert play(position(money=[{"GBP": 3}], certs=[{}, {"GBP": 2}], **end), "0 resolve").winners == [0]
    queue = [(0, {"CNY": 9}), "dividends"]
    for excluded, winners in ((True, [1, 2]), (False, [0, 1, 2])):
        match = position(certs=[{"GBP": 2}], queue=queue, equal_money="shared", bankrupt_excluded=excluded)
        assert play(match, "0 resolve").winners == winners


# --- the tunable parameters ---------------------------------------------------------------------------------------------


def test_the_tunable_parameters_are_the_numbers_of_the_rules():
    """R8, R17: the tables of section 12."""
    assert DIVIDENDS == 5
    match = fresh(start_money=5, price=3, sale=1, hand_limit=1, contract_size=2, contract_sets=1, certificates=3)
    assert money(match, 0) == [5] * 7
    play(match, "0 invest GBP")
    assert money(match, 0, "GBP") == 2
    with pytest.raises(Illegal, match="must be 1 to 2, not 3"):
        match.play(1, "contract pay 3 USD receive 4.5 JPY")
    play(match, "1 contract pay 2 USD receive 3 JPY")
    with pytest.raises(Illegal, match="All sets"):
        match.play(2, "contract pay 2 USD receive 3 JPY")
    play(match, "2 resolve")
    with pytest.raises(Illegal, match="the most there may be"):
        match.play(0, "invest GBP")
    play(match, "0 divest 1 GBP")
    assert money(match, 0, "GBP") == 3
    spaces = [1] * 21
    spaces[0] = -10
    match = fresh(spaces=spaces, rates=[4] * 10)
    assert (rate(match, "EUR", "GBP"), rate(match, "GBP", "CNY"), SPACES[0]) == (2, 2, -10)


def test_no_amount_overflows_where_everything_is_as_large_as_it_may_be():
    """R17, R5: the longest chain of the largest contracts, debts and dividends stays within its storage."""
    largest = {
        "rates": [20] * 10, "contract_size": 20, "start_money": 20, "dividends": [10] * 5, "surcharge": 10,
        "certificates": 16, "hand_limit": 16, "price": 0, "sale": 10, "removed_certificates": 0, "eight_rule": "off",
        "merged_loan_place": "back", "spot_enabled": False,
    }  # fmt: skip
    match = fresh(players=2, removed=[], **largest)
    for _ in range(16):
        match.play(0, "invest GBP")
        match.play(1, "invest CNY")
    while not match.over:
        texts = match.legal(match.asked[0]).texts
        if free(match) and match.view()["phase"] == "turn":
            weak, strong = ("CNY", "GBP") if rate(match, "GBP", "CNY") else ("GBP", "CNY")
            match.play(match.asked[0], f"contract pay 20 {strong} receive 200 {weak}")
        else:
            match.play(match.asked[0], "resolve" if "resolve" in texts else texts[0])
        assert match.state.overflow() is None
    assert max(map(max, match.state.money)) > 2000
