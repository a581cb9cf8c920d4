"""Every ruling of RULES.md on hand-made positions. A docstring begins with the ruling it is about."""

from __future__ import annotations

import re

import pytest

import outbid
from outbid.core import contract
from outbid.core.errors import Illegal, NotYourTurn, Unreadable
from outbid.games.money import rules, state
from outbid.games.money.text import views

from .table import BOOK, NAMES, blank, fresh, held, laid, lot, out, play, position, shown, told

RIGHT, LEFT = "EUR20 EUR20 JPY30 JPY60", "EUR50 CHF20 CHF60 COIN10"
DISPLAYS = {"right": RIGHT, "left": LEFT}


def legal(match, seat):
    return set(match.legal(seat).texts)


def three(*hands, **more):
    """Three players with these hands at the beginning of a match."""
    return fresh(*hands, **{**DISPLAYS, **more})


# --- set-up -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "pile"), [(3, 25), (4, 28), (5, 31)])
def test_six_cards_each_two_displays_of_four_and_the_rest_is_the_pile(players, pile):
    """Section 2."""
    for coins, more in (("classic", 0), ("silver_gold", 6)):
        seen = outbid.game("money", coins=coins).new(players, seed=9).view()
        assert seen["pile"] == pile + more
        assert [player["cards"] for player in seen["players"]] == [6] * players
        assert [len(display["cards"]) for display in seen["displays"].values()] == [4, 4]
        assert seen["order"] == []


@pytest.mark.parametrize("players", [3, 4, 5])
def test_whole_currencies_are_removed_at_random_and_everybody_sees_which(players):
    """E24: two with three players, one with four, none with five; coins never."""
    removed = set()
    for seed in range(60):
        match = outbid.game("money").new(players, seed)
        gone = match.view()["removed"]
        assert len(gone) == 5 - players
        deal = match.deal
        cards = lot([card for lots in (*deal["hands"], deal["right"], deal["left"], deal["pile"]) for card in lots])
        assert cards.count("COIN10") == 6
        for name in views.CURRENCIES:
            assert len(re.findall(name, cards)) == (0 if name in gone else 9)
        removed.update(gone)
    assert removed == (set(views.CURRENCIES) if players < 5 else set())


def test_the_published_numbers_are_all_different_and_favour_no_currency_and_no_value():
    """E1: 1 to 69, and 1 to 75 with silver and gold; no group's mean is further than five from the middle."""
    for table, n in ((state.CLASSIC, 69), (state.SILVER_GOLD, 75)):
        numbers = table[:n]
        assert sorted(numbers) == list(range(1, n + 1))
        assert set(table[n:]) <= {0}
        groups = [numbers[9 * c : 9 * c + 9] for c in range(7)] + [numbers[m : m + 6] for m in range(63, n, 6)]
        groups += [[numbers[9 * c + k] for c in range(7) for k in ks] for ks in ((0, 1, 2), (3, 4, 5), (6,), (7,), (8,))]
        assert all(abs(sum(group) / len(group) - (n + 1) / 2) < 5 for group in groups)
        for first in (*range(0, 63, 9), *range(3, 63, 9)):
            assert list(numbers[first : first + 3]) == sorted(numbers[first : first + 3])


def test_the_published_numbers_stand_in_the_rulebook():
    """E1: the tables of section 1."""
    text = (BOOK.folder / "RULES.md").read_text(encoding="utf-8").split("## 2 ")[0]
    rows = [re.findall(r"\d+", line) for line in text.splitlines() if line[2:5] in views.CURRENCIES]
    numbers = [[int(n) for row in rows[at : at + 7] for n in row] for at in (0, 7)]
    assert numbers == [list(state.CLASSIC[:63]), list(state.SILVER_GOLD[:63])]
    coins = [int(n) for metal in re.findall(r"(?:Coins|Silver|Gold): ([\d, ]+)\.", text) for n in metal.split(", ")]
    assert coins == [*state.CLASSIC[63:69], *state.SILVER_GOLD[63:]]


# --- the bid ----------------------------------------------------------------------------------------------------------


def test_everybody_is_asked_at_once_until_he_has_sealed():
    """E2: the order in which bids are sealed does not matter."""
    match = three("USD20 GBP60")
    assert match.asked == (0, 1, 2)
    play(match, "1 stay out")
    assert match.asked == (0, 2)
    one, two = match.copy(), match.copy()
    play(one, "0 bid USD20 / 2 stay out")
    play(two, "2 stay out / 0 bid USD20")
    assert one.state == two.state
    assert one.record() == two.record()
    assert [move["seat"] for move in two.record()["moves"]] == [0, 1, 2]


def test_before_the_reveal_nothing_of_a_bid_shows_but_that_it_is_sealed():
    """E2: neither cards nor their number."""
    match = play(three("USD20 GBP60 GBP30"), "0 bid USD20 GBP60 with bluff")
    for viewer in (-1, 1, 2):
        player = match.view(viewer)["players"][0]
        assert player["sealed"] is True
        assert player["pieces"] is player["bluff"] is player["bid"] is None
        assert player["cards"] == 6
        assert told(match, viewer) == ["Ada seals a bid."]
    own = match.view(0)
    assert lot(own["bid"]) == "GBP60 USD20"
    assert own["players"][0]["pieces"] == 3
    assert own["players"][0]["bluff"] is True


def test_with_visible_counts_the_bluff_card_disguises_the_size_of_a_bid():
    """E2: the option bid_counts."""
    match = play(three("USD20 GBP60", bid_counts="visible_on_commit"), "0 bid USD20 GBP60 with bluff / 1 stay out")
    for viewer in (-1, 2):
        assert [player["pieces"] for player in match.view(viewer)["players"]] == [3, 1, None]
        assert told(match, viewer, 2) == ["Ada lays 3 cards face down.", "Ben lays 1 card face down."]
        assert match.view(viewer)["players"][0]["bluff"] is None


def test_no_card_is_the_bluff_card_alone():
    """E3: read as the same, and written as staying out."""
    match = three("USD20")
    said = match.play(0, {"do": "bid", "cards": [], "bluff": False})
    assert said == {"do": "bid", "cards": [], "bluff": True}
    play(match, "1 bid nothing / 2 pass")
    assert match.moves[1]["bluff"] is match.moves[2]["bluff"] is True
    assert match.view()["round"] == 2


def test_coins_and_several_currencies_may_be_bid_together():
    """E4: only the sum counts."""
    match = three("USD20 GBP60 COIN10 COIN10", "EUR60")
    play(match, "0 bid COIN10 COIN10 GBP60 USD20 / 1 bid EUR60 / 2 stay out")
    assert match.view()["players"][0]["sum"] == 100
    assert match.asked == (0,)


def test_coins_alone_are_a_bid():
    """E4."""
    match = play(three("COIN10 COIN10", "USD20"), "0 bid COIN10 COIN10 / 1 bid USD20 / 2 stay out")
    assert match.view()["players"][0]["sum"] == 20


def test_a_player_without_cards_could_only_stay_out():
    """E5: it cannot arise; the rules would bear it."""
    match = position("", "USD20", "GBP20", right=RIGHT, left=LEFT)
    assert legal(match, 0) == {"stay out"}
    play(match, "0 stay out / 1 bid USD20 / 2 stay out / 1 keep")


def test_a_sealed_bid_stays():
    """E16: neither before the reveal nor after it."""
    match = play(three("USD20 GBP60"), "0 bid USD20")
    with pytest.raises(NotYourTurn, match=r"Seat 0 \(Ada\) is not asked now"):
        match.play(0, "stay out")
    play(match, "1 stay out / 2 stay out")
    with pytest.raises(Illegal, match="not possible to bid now"):
        match.play(0, "stay out")


def test_every_bluff_card_goes_home_at_the_reveal():
    """E17: also one among other cards; it neither travels nor counts as a card of the bid."""
    match = play(three("USD20 GBP60", "EUR60"), "0 bid USD20 GBP60 with bluff / 1 bid EUR60 with bluff / 2 stay out")
    players = match.view()["players"]
    assert [player["bluff"] for player in players] == [True, True, True]
    assert [player["stayed_out"] for player in players] == [False, False, True]
    assert laid(match, 0) == "GBP60 USD20"
    assert "Ada bids USD 20, GBP 60 (80), with a bluff card." in told(match, 1)
    play(match, "0 take left / 1 take left")
    assert held(match, 1).split().count("GBP60") == 1
    for seat in range(3):
        assert "stay out" in legal(match, seat)
        match.copy().play(seat, {"do": "bid", "cards": match.view(seat)["hand"], "bluff": True})


def test_there_is_no_clock():
    """E23: nobody but the seats is ever asked."""
    match = three()
    while not match.over:
        assert not contract.asked(match.state) >> contract.CLOCK & 1
        match.random_move(match.asked[0], len(match.moves))


# --- the order --------------------------------------------------------------------------------------------------------


def test_the_highest_bid_acts_first_and_who_stays_out_never():
    """Section 6: the published example, 50, 40, 10 and one who stays out."""
    match = fresh("USD40", "COIN10", "USD50", "GBP20", players=4, **DISPLAYS)
    play(match, "0 bid USD40 / 1 bid COIN10 / 2 bid USD50 / 3 stay out")
    assert match.view()["order"] == [2, 0, 1]
    acted = []
    while match.view()["phase"] == "exchange":
        acted.append(match.asked[0])
        play(match, f"{acted[-1]} keep")
    assert acted == [2, 0, 1]


def test_of_equal_bids_the_one_with_the_lowest_number_acts_first():
    """E1: 60 by the cards 13 and 40, against 60 by the card 8 and others."""
    match = three("GBP30#13 GBP30#40", "GBP20#8 GBP20#61 GBP20#62")
    play(match, "0 bid GBP30#13 GBP30#40 / 1 bid GBP20#61 GBP20#8 GBP20#62 / 2 stay out")
    assert match.view()["order"] == [1, 0]
    assert "Ben acts before Cem" not in str(told(match, 2))
    assert "Ben acts before Ada: the sums are equal, and serial 8 is below 13." in told(match, 2)
    assert "Ben acts before you: the sums are equal, and serial 8 is below 13." in told(match, 0)


def test_a_lower_number_does_not_help_a_lower_sum():
    """E1: sums first."""
    match = play(three("EUR30#1 JPY40", "GBP60 GBP40"), "0 bid EUR30 JPY40 / 1 bid GBP60 GBP40 / 2 stay out")
    assert match.view()["order"] == [1, 0]


def test_the_numbers_of_a_deal_that_is_read_decide():
    """E1: any different numbers; here the published ones the other way round."""
    match = three("GBP30#13 GBP30#40", "GBP20#8 GBP40#11")
    play(match.copy(), "0 bid GBP30 GBP30 / 1 bid GBP20 GBP40 / 2 stay out / 1 keep")

    def turned(lot):
        return [f"{card.split('#')[0]}#{70 - int(card.split('#')[1])}" for card in lot]

    deal = {key: turned(match.deal[key]) for key in ("right", "left", "pile")}
    deal |= {"removed": match.deal["removed"], "hands": [turned(hand) for hand in match.deal["hands"]]}
    other = outbid.game("money").load(NAMES[:3], deal)
    assert other.deal["pile"] == deal["pile"]
    assert set(other.view(0)["hand"]) == set(deal["hands"][0])
    play(other, "0 bid GBP30#57 GBP30#30 / 1 bid GBP20#62 GBP40#59 / 2 stay out")
    assert [other.view()["players"][seat]["lowest"] for seat in (0, 1)] == [30, 59]
    assert other.view()["order"] == [0, 1]


# --- the exchange -----------------------------------------------------------------------------------------------------


def test_whole_lot_against_whole_lot():
    """E6, E14: two cards for four; the display then has two."""
    match = play(three("USD60 USD40", "GBP20"), "0 bid USD60 USD40 / 1 bid GBP20 / 2 stay out / 0 take right")
    assert shown(match, "right") == "USD40 USD60"
    for card in RIGHT.split():
        assert card in held(match, 0)
    assert match.view()["players"][0]["cards"] == 8
    for part in ("take left EUR50#57", "take EUR50#57", "take", "swap"):
        with pytest.raises(Unreadable):
            match.play(1, part)


def test_a_display_holds_more_than_four_after_a_large_bid_and_is_not_refilled():
    """E6: five cards laid there stay five; the left one, of one card, gets three."""
    match = three("USD20 USD20 USD20 USD30 USD30", "GBP20")
    play(match, "0 bid USD20 USD20 USD20 USD30 USD30 / 1 bid GBP20 / 2 stay out / 0 take right / 1 take left")
    assert shown(match, "right") == "USD20 USD20 USD20 USD30 USD30"
    assert len(match.view()["displays"]["left"]["cards"]) == 4
    assert match.view()["pile"] == 22


def test_one_exchanges_with_bids_that_lie_on_the_table_only():
    """E7: not with one who stayed out, not with one who has acted, not with oneself."""
    match = fresh("USD60", "USD50", "USD40", "GBP20", players=4, **DISPLAYS)
    play(match, "0 bid USD60 / 1 bid USD50 / 2 bid USD40 / 3 stay out")
    assert legal(match, 0) == {"take left", "take right", "swap with 1", "swap with 2", "keep"}
    actions = [0] * state.ACTIONS
    assert actions[: contract.legal(match.state, 0, actions)] == [
        state.TAKE_RIGHT, state.TAKE_LEFT, state.SWAP, state.SWAP + 1, state.KEEP,
    ]  # fmt: skip
    for other, reason in ((3, "has no bid on the table"), (0, "is no other player"), (4, "is no other player")):
        with pytest.raises(Illegal, match=f"Seat {other} {reason}"):
            match.play(0, {"do": "swap", "with": other})
    play(match, "0 keep")
    assert legal(match, 1) == {"take left", "take right", "swap with 2", "keep"}
    with pytest.raises(Illegal, match="Seat 0 has no bid on the table"):
        match.play(1, "swap with 0")


def test_the_owner_of_a_bid_that_was_taken_acts_next():
    """E8: A 90, B and C 60 with C before B: A takes B's bid, then B acts, then C, and A not again."""
    match = three("JPY50 USD40", "USD60#30", "GBP20#8 EUR40")
    play(match, "0 bid JPY50 USD40 / 1 bid USD60 / 2 bid GBP20 EUR40")
    assert match.view()["order"] == [0, 2, 1]
    play(match, "0 swap with 1")
    assert match.asked == (1,)
    assert laid(match, 1) == "JPY50 USD40"
    assert laid(match, 0) is None
    assert "USD60" in held(match, 0)
    assert told(match, 1) == [
        "Ada takes your bid, USD 60, for USD 40, JPY 50 (90).", "You own the highest bid now and act next.",
    ]  # fmt: skip
    play(match, "1 keep")
    assert match.asked == (2,)
    assert "swap with 0" not in legal(match, 2)
    play(match, "2 keep")
    assert match.view()["round"] == 2


def test_of_two_equal_bids_the_taken_one_keeps_its_number_before_the_other():
    """E8: A 60 with number 5, C 60 with number 9, B 20: A takes B's bid, and B acts before C."""
    match = three("USD60 GBP20#8", "COIN10#16 COIN10#18", "GBP40#11 EUR20#4 EUR20#41", right="JPY30 JPY60 CHF20 CHF20")
    play(match, "0 bid USD60 GBP20#8 / 1 bid COIN10 COIN10 / 2 bid GBP40 EUR20#41 EUR20#4")
    assert match.view()["order"] == [2, 0, 1]
    play(match, "2 swap with 1")
    assert match.view()["order"] == [1, 0]


def test_in_the_original_order_the_others_follow_as_at_the_reveal():
    """E8: the option swap_order; C acts before B, who has the 90 now."""
    match = three("JPY50 USD40", "USD60#30", "GBP20#8 EUR40", swap_order="original_order")
    play(match, "0 bid JPY50 USD40 / 1 bid USD60 / 2 bid GBP20 EUR40 / 0 swap with 1")
    assert match.asked == (2,)
    assert told(match, 1) == ["Ada takes your bid, USD 60, for USD 40, JPY 50 (90)."]
    play(match, "2 swap with 1")
    assert laid(match, 1) == "EUR40 GBP20"
    assert match.asked == (1,)
    play(match, "1 take left")
    assert match.view()["round"] == 2


def test_who_received_a_bid_may_exchange_it_on():
    """E9: a display, another bid, or keep."""
    match = play(three("USD60", "USD50", "USD40"), "0 bid USD60 / 1 bid USD50 / 2 bid USD40 / 0 swap with 2")
    assert legal(match, 2) == {"take left", "take right", "swap with 1", "keep"}
    for move, has in (("keep", "USD60"), ("swap with 1", "USD50"), ("take right", "JPY60")):
        assert has in held(play(match.copy(), f"2 {move}"), 2)


def test_taking_the_own_bid_back_is_always_possible():
    """E15: alone on the table too."""
    match = play(three("USD60"), "0 bid USD60 / 1 stay out / 2 stay out")
    before = held(match, 0)
    assert legal(match, 0) == {"take left", "take right", "keep"}
    play(match, "0 keep")
    assert held(match, 0) == " ".join(sorted([*before.split(), "USD60"]))
    assert told(match, 1)[0] == "Ada takes USD 60 back."


# --- refill and end ---------------------------------------------------------------------------------------------------


def test_the_right_display_is_refilled_first():
    """Section 7: each to four, the right one before the left, from the top of the pile."""
    match = three("USD60", "USD50", pile="CHF40 CHF50 CHF30 GBP50 GBP60 GBP40")
    play(match, "0 bid USD60 / 1 bid USD50 / 2 stay out / 0 take left / 1 take right")
    assert shown(match, "right") == lot(["USD50", "CHF40", "CHF50", "CHF30"])
    assert shown(match, "left") == lot(["USD60", "GBP50", "GBP60", "GBP40"])
    assert told(match, 2)[1:] == [
        "New in the right display: CHF 30, CHF 40, CHF 50 (120).",
        "New in the left display: GBP 40, GBP 50, GBP 60 (150).",
        "Round 2 begins.",
    ]


def short(pile, **options):
    """Two bids of one card each; both displays are taken; the pile has this much."""
    return position("USD60 COIN10", "USD50 COIN10", "USD40 COIN10", right=RIGHT, left=LEFT, pile=pile, **options)


BOTH = "0 bid USD60 / 1 bid USD50 / 2 stay out / 0 take right / 1 take left"
SIX = "GBP20 GBP20 GBP20 GBP30 GBP30 GBP30"


def test_the_round_after_the_last_card_was_drawn_is_the_last():
    """E10: pile_empty, although both displays are full."""
    match = play(short(SIX), BOTH)
    seen = match.view()
    assert (seen["pile"], seen["last_round"], seen["phase"]) == (0, True, "bid")
    assert told(match, 2)[-1] == "The draw pile is empty: round 3 is the last."
    play(match, BOTH.replace("USD60", "COIN10").replace("USD50", "COIN10"))
    assert match.over


def test_one_card_left_in_the_pile_is_not_the_end():
    """E10."""
    match = play(short(SIX + " GBP60"), BOTH)
    assert match.view()["last_round"] is False


@pytest.mark.parametrize("trigger", ["cannot_fill", "no_extra_round"])
def test_an_empty_pile_beside_full_displays_is_not_yet_the_end_where_a_display_must_be_short(trigger):
    """E10: the other readings."""
    match = play(short(SIX, end_trigger=trigger), BOTH)
    assert (match.view()["pile"], match.view()["last_round"], match.over) == (0, False, False)


def test_the_round_after_a_display_stayed_short_is_the_last():
    """E10: cannot_fill; the right one is served first."""
    match = play(short("GBP20 GBP20 GBP20 GBP30", end_trigger="cannot_fill"), BOTH)
    assert [len(match.view()["displays"][side]["cards"]) for side in ("right", "left")] == [4, 2]
    assert match.view()["last_round"] is True
    assert told(match, 2)[-1] == "The draw pile is empty and a display is short: round 3 is the last."
    assert out(match).over


def test_without_an_extra_round_the_match_ends_when_a_display_stays_short():
    """E10: no_extra_round; what there is to draw is still drawn."""
    match = play(short("GBP20 GBP20 GBP20 GBP30", end_trigger="no_extra_round"), BOTH)
    assert match.over
    assert [len(match.view()["displays"][side]["cards"]) for side in ("right", "left")] == [4, 2]
    assert "The draw pile is empty and a display is short: the match ends." in told(match, 2)


def test_nothing_is_refilled_after_the_last_round():
    """E11: the pile is left by the stall rule here."""
    match = position("USD60 COIN10", "USD50", "USD40", right=RIGHT, left=LEFT, final=True)
    pile = match.view()["pile"]
    play(match, "0 bid USD60 / 1 stay out / 2 stay out / 0 take right")
    assert match.over
    assert match.view()["pile"] == pile
    assert shown(match, "right") == "USD60"


def test_no_display_is_ever_empty():
    """E12: with the smallest bids and an empty pile."""
    match = short("", final=True)
    play(match, "0 bid COIN10 / 1 bid USD50 / 2 bid COIN10 / 1 take left")
    for seat in match.asked * 2:
        if seat in match.asked:
            play(match, f"{seat} take left")
    assert shown(match, "left") == "COIN10"
    assert shown(match, "right") == lot(RIGHT.split())


def test_after_five_rounds_without_a_drawn_card_one_more_is_played():
    """E13: everybody stays out; the sixth round is the last."""
    match = three()
    for number in range(1, 6):
        assert match.view()["last_round"] is False
        assert match.view()["rounds_without_a_draw"] == number - 1
        out(match)
    assert told(match, 0)[-1] == "No card was drawn 5 times running: round 6 is the last."
    assert not match.over
    assert out(match).over


def test_a_drawn_card_starts_the_count_again():
    """E13."""
    match = out(out(three("USD60")))
    play(match, "0 bid USD60 / 1 stay out / 2 stay out / 0 take right")
    assert match.view()["rounds_without_a_draw"] == 0


def test_exchanges_that_leave_both_displays_full_count_as_rounds_without_a_draw():
    """E13: four cards for four."""
    match = three("USD20 USD20 USD20 USD30")
    play(match, "0 bid USD20 USD20 USD20 USD30 / 1 stay out / 2 stay out / 0 take right")
    assert match.view()["rounds_without_a_draw"] == 1
    assert told(match, 0)[-2:] == ["No card is drawn.", "Round 2 begins."]


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_the_number_of_rounds_without_a_draw_is_an_option(rounds):
    """E13: stall_rounds."""
    match = three(stall_rounds=rounds)
    for _ in range(rounds):
        assert not match.view()["last_round"]
        out(match)
    assert match.view()["last_round"]


def test_the_stall_rule_grants_a_last_round_with_every_end():
    """E13: also where there is no extra round otherwise."""
    match = out(three(stall_rounds=1, end_trigger="no_extra_round"))
    assert not match.over
    assert out(match).over


def test_without_the_stall_rule_a_match_ends_after_twenty_thousand_rounds():
    """E13: the hard cap of the rulebook."""
    assert f"{state.ROUND_CAP:,}th round" in (BOOK.folder / "RULES.md").read_text(encoding="utf-8")
    match = position("USD60", "USD50", "USD40", right=RIGHT, left=LEFT, stall_rounds=0, round_=state.ROUND_CAP - 1)
    match.state.stall = state.ROUND_CAP - 2
    assert not out(match).over
    assert out(match).over
    assert "20,000 rounds have been played: the match ends." in told(match, 0)


# --- the score --------------------------------------------------------------------------------------------------------

VECTORS = {
    "": 0,
    "60": 0,
    "50 60": 10,
    "20 20 20": 100,
    "30 30 30": 100,
    "20 20 20 30 30 30": 250,
    "30 30 40 50 60": 210,
    "20 20 20 40 50 60": 310,
    "30 30 30 50 60": 300,
    "30 30 30 40 60": 190,
    "20 30 30 50 60": 90,
    "30 30 40": 0,
    "20 30 60": 10,
    "20 20 20 30 30 30 40 50 60": 500,
    "20 20 30 30 30 40 50 60": 380,
    "20 20 20 30 30 40 50 60": 370,
    "20 20 20 30 30 30 50 60": 460,
}


def scored(lot_, **options):
    """The score of a lot."""
    return position(lot_, "", "", right="", left="", **options).scores[0]


@pytest.mark.parametrize("lot_", VECTORS)
@pytest.mark.parametrize("currency", ["USD", "CHF"])
def test_a_currency_counts_its_sum_less_a_hundred_below_two_hundred_and_its_triplets(lot_, currency):
    """E18, sections 8 and 9."""
    notes = " ".join(f"{currency}{value}" for value in lot_.split())
    assert scored(notes) == VECTORS[lot_]


def test_currencies_are_counted_each_by_itself_and_coins_beside_them():
    """E18: 110 and 110 are 10 and 10; six coins are 60."""
    assert scored("USD50 USD60 GBP50 GBP60") == 20
    assert scored("COIN10 COIN10 COIN10 COIN10 COIN10 COIN10") == 60
    assert scored("USD50 USD60 COIN10") == 20


def test_threshold_penalty_and_bonus_are_tunable():
    """E18: full_value, penalty, triplet_bonus."""
    assert scored("USD50 USD60", full_value=110) == 110
    assert scored("USD50 USD60", penalty=30) == 80
    assert scored("USD20 USD20 USD20 USD30 USD30 USD30 USD50", triplet_bonus=7) == 214


@pytest.mark.parametrize(
    ("bonus", "three", "six"), [("off", 30, 60), ("per_three", 130, 260), ("once", 130, 160)]
)
def test_coins_of_one_metal_make_triplets_if_the_table_says_so(bonus, three, six):
    """E19: for every three, or once; the coins of the classic edition are silver."""
    game = {"coins": "silver_gold", "coin_triplet_bonus": bonus}
    silver, gold = ["SILVER10"] * 6, ["GOLD20"] * 6
    assert scored(" ".join(silver[:3]), **game) == three
    assert scored(" ".join(silver), **game) == six
    assert scored(" ".join(gold), **game) == six + 60
    assert scored(" ".join(silver[:2] + gold[:2]), **game) == 60
    for n, points in ((2, 20), (3, three), (5, three + 20), (6, six)):
        assert scored(" ".join(["COIN10"] * n), coin_triplet_bonus=bonus) == points
    assert scored(" ".join(silver[:3]), **game, coin_bonus=5) == three - (95 if bonus != "off" else 0)


def test_equal_scores_share_the_victory():
    """E20."""
    match = position("COIN10 COIN10", "COIN10 COIN10", "COIN10", right=RIGHT, left=LEFT, final=True)
    out(match)
    assert match.scores == [20, 20, 10]
    assert match.winners == [0, 1]
    assert told(match, 0)[-1] == "The match is over. Most points: you and Ben with 20."
    assert match.view()["winners"] == [0, 1]


def test_one_deal_is_a_match():
    """E21: when it is over nobody is asked any more."""
    match = out(three(stall_rounds=1))
    out(match)
    assert match.over
    assert match.asked == ()
    with pytest.raises(NotYourTurn, match="the match is over"):
        match.play(0, "stay out")


def test_nothing_in_the_displays_counts_and_all_cards_of_a_hand_do():
    """Section 9."""
    s = blank(3)
    s.players, s.place = 3, [state.PILE] * state.CARDS
    for card in range(9):
        s.place[card] = state.RIGHT
    s.place[9 + 7] = s.place[9 + 8] = 0
    points = [0] * 3
    rules.score(s, points)
    assert points == [10, 0, 0]


# --- hands ------------------------------------------------------------------------------------------------------------


def test_hands_are_hidden_but_what_was_seen_is_shown_with_an_option():
    """E22: memory_aid."""
    for aid in ("off", "on"):
        match = three("USD60 USD50", memory_aid=aid)
        play(match, "0 bid USD60 / 1 stay out / 2 stay out / 0 take right")
        for viewer in (-1, 1):
            assert match.view(viewer)["hand"] == (None if viewer < 0 else match.view(1)["hand"])
            seen = match.view(viewer)["players"][0]["seen"]
            assert seen is None if aid == "off" else lot(seen) == lot(RIGHT.split())


def test_at_the_end_all_hands_are_laid_open():
    """E22: with their scores."""
    match = out(out(three("USD50 USD60", stall_rounds=1)))
    for viewer in (-1, 1, 2):
        assert lot(match.view(viewer)["players"][0]["seen"]) == held(match, 0)
        assert match.view(viewer)["players"][0]["score"]["total"] == match.scores[0]
