"""Every ruling of RULES.md on hand-made positions. A docstring begins with the ruling it is about."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import outbid
from outbid.core import contract
from outbid.core.errors import BadOption, BadSetup, Illegal, NotYourTurn, OutbidError, Unreadable
from outbid.games.rivals import state

from .checks import check
from .table import (
    BOOK,
    NAMES,
    STARTING,
    cards,
    display,
    fresh,
    full_deck,
    gold,
    play,
    play_at_random,
    position,
    told,
    uncover,
)


def legal(match, seat):
    return match.legal(seat).texts


def refused(match, seat, move, reason, kind=Illegal):
    """The move is refused with a sentence that says this, and nothing changes."""
    before = match.state.copy()
    with pytest.raises(kind, match=reason):
        match.play(seat, move)
    assert match.state == before


# --- components and set-up --------------------------------------------------------------------------------------------


def test_the_deck_has_eighty_cards_with_ninety_footprints():
    """Section 1."""
    match = fresh()
    deck = match.deal["deck"]
    assert len(deck) == 80
    assert Counter(card[1:] for card in deck) == {"x": 15, **dict.fromkeys("2345", 10), **dict.fromkeys([*"6789", "10"], 5)}
    feet = [match.state.footprints[int(card[1:]) - 2] for card in deck if card[1] != "x"]
    assert sum(feet) == 90


@pytest.mark.parametrize(("players", "each"), [(2, 18), (3, 12), (4, 9)])
def test_the_gold_is_shared_out_evenly(players, each):
    """Section 2."""
    match = fresh(players=players)
    assert gold(match) == [each] * players
    assert match.view()["supply"] == 0


def test_whoever_is_drawn_begins():
    """L1: the deal says who; every seat is drawn sooner or later."""
    assert fresh(start=2).asked == (2,)
    assert {outbid.game("rivals").new(4, seed).asked[0] for seed in range(40)} == {0, 1, 2, 3}


def test_everybody_is_dealt_two_different_colours():
    """L2: in every deal, and no colour more than twice."""
    seen = set()
    for seed in range(60):
        starting = outbid.game("rivals").new(4, seed).deal["starting"]
        assert all(len(set(pair)) == 2 for pair in starting)
        assert max(Counter(colour for pair in starting for colour in pair).values()) <= 2
        seen |= {frozenset(pair) for pair in starting}
    assert len(seen) == 10


@pytest.mark.parametrize(
    ("starting", "reason"),
    [
        ([["R", "R"], ["G", "Y"]], "R twice"),
        ([["R", "B"]], "list of 2 pairs"),
        ([["R"], ["G", "Y"]], "two colours"),
        ([["R", "Q"], ["G", "Y"]], "'Q'"),
        ([["R", 1], ["G", "Y"]], "1 in"),
    ],
)
def test_a_deal_with_other_starting_wagers_is_refused(starting, reason):
    """L2: by name."""
    with pytest.raises(BadSetup, match=reason):
        outbid.game("rivals").load(NAMES[:2], {"start": 0, "starting": starting, "deck": full_deck()})


def test_a_deal_with_three_starting_wagers_of_a_colour_is_refused():
    """L7: the stock has two of each."""
    starting = [["R", "B"], ["R", "G"], ["R", "W"]]
    with pytest.raises(BadSetup, match="the wager R 3 times; there are only 2"):
        outbid.game("rivals").load(NAMES[:3], {"start": 0, "starting": starting, "deck": full_deck()})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"deck": full_deck()[1:]}, "must have 3 × Rx, not 2."),
        ({"deck": [*full_deck(), "R2"]}, "must have 2 × R2, not 3."),
        ({"deck": ["R11", *full_deck()[1:]]}, "'R11'"),
        ({"deck": "R2"}, "list of cards"),
        ({"start": 3}, "start is 3"),
        ({"start": True}, "start is True"),
        ({"more": 1}, "unknown key 'more'"),
        ({"starting": "RB"}, "list of 3 pairs"),
    ],
)
def test_a_bad_deal_is_refused_by_name(change, reason):
    """Section 2."""
    deal = {"start": 0, "starting": STARTING[:3], "deck": full_deck()}
    with pytest.raises(BadSetup, match=reason):
        outbid.game("rivals").load(NAMES[:3], deal | change)


@pytest.mark.parametrize("missing", ["start", "starting", "deck"])
def test_a_deal_that_lacks_a_key_is_refused_by_name(missing):
    """Section 2."""
    deal = {"start": 0, "starting": STARTING[:3], "deck": full_deck()}
    del deal[missing]
    with pytest.raises(BadSetup, match=f"lacks the key '{missing}'"):
        outbid.game("rivals").load(NAMES[:3], deal)


def test_a_deal_that_is_no_object_is_refused():
    """Section 2."""
    with pytest.raises(BadSetup, match="must be an object"):
        outbid.game("rivals").load(NAMES[:3], [])


@pytest.mark.parametrize("players", [1, 5])
def test_only_two_to_four_can_play(players):
    """The title of the rulebook."""
    with pytest.raises(BadSetup, match="2 to 4 players"):
        outbid.game("rivals").new(players)


def test_the_display_is_empty_at_the_start_and_the_first_turn_is_to_uncover():
    """L3, L6: an auction on an empty display is not possible."""
    match = fresh("G5")
    assert display(match) == []
    assert legal(match, 0) == ("uncover",)
    refused(match, 0, "bid 1", "No card is on display")
    play(match, "0 uncover")
    assert display(match) == ["G5"]
    assert match.asked == (1,)
    assert legal(match, 1) == ("uncover", "bid 1 to 12")


def test_an_auction_on_an_empty_display_sells_nothing_and_turns_up_a_card():
    """L6: auction_on_empty_display = true; the take is asked, a removal is not."""
    match = play(fresh("G5", auction_on_empty_display=True), "0 bid 1 / 1 bid 2 / 2 pass / 0 pass")
    assert match.view()["phase"] == "take"
    assert legal(match, 1) == ("take nothing",)
    play(match, "1 take nothing")
    assert display(match) == ["G5"]
    assert gold(match) == [12, 10, 12]
    assert match.asked == (0,)


# --- the auction ------------------------------------------------------------------------------------------------------


def test_an_auction_opens_with_at_least_one_and_every_bid_is_higher():
    """L9: jumps are allowed."""
    match = play(fresh("G5"), "0 uncover")
    refused(match, 1, "bid 0", "opens with at least 1, not 0")
    refused(match, 1, "bid -2", "opens with at least 1")
    play(match, "1 bid 1 / 2 bid 7")
    for amount in (7, 6, 1):
        refused(match, 0, f"bid {amount}", "higher than 7")
    play(match, "0 bid 8")
    assert legal(match, 1) == ("bid 9 to 12", "pass")


def test_a_designer_may_ask_for_a_higher_opening_bid():
    """L9: the parameter opening_bid."""
    match = play(fresh("G5", opening_bid=5), "0 uncover")
    refused(match, 1, "bid 4", "opens with at least 5")
    play(match, "1 bid 5 / 2 bid 6")
    assert legal(position("R2", gold=[4, 12, 12], opening_bid=5), 0) == ("uncover",)


@pytest.mark.parametrize("amount", [True, 2.0, "2", None, [2]])
def test_a_bid_is_a_whole_number(amount):
    """L9: nothing else is read as one."""
    refused(play(fresh("G5"), "0 uncover"), 1, {"do": "bid", "amount": amount}, "whole number", Unreadable)


def test_nobody_bids_more_than_he_owns():
    """L8: neither opening nor raising."""
    match = position("R2", gold=[3, 9, 12])
    refused(match, 0, "bid 4", "You own 3 gold and cannot bid 4")
    play(match, "0 bid 3")
    refused(match, 1, "bid 10", "You own 9 gold and cannot bid 10")
    assert legal(match, 1) == ("bid 4 to 9", "pass")


def test_who_has_no_gold_must_uncover():
    """L8: there is nothing to bid."""
    match = position("R2", gold=[0, 9, 12])
    assert legal(match, 0) == ("uncover",)
    refused(match, 0, "bid 1", "You own 0 gold")


@pytest.mark.parametrize(("drawn", "option"), [(75, False), (15, True)])
def test_nobody_has_gold_and_cards_are_turned_up_until_the_division(drawn, option):
    """L8: no deadlock."""
    match = position("R2", gold=[0, 0, 0], drawn=drawn, pile_distribution=option)
    for _ in range(5):
        assert legal(match, match.asked[0]) == ("uncover",)
        uncover(match, 1)
    assert gold(match) == [12, 12, 12]


def test_a_pass_is_for_good_and_the_bidding_goes_round_until_one_is_left():
    """L10: the one who passed is not asked again."""
    match = play(fresh("G5"), "0 uncover / 1 bid 1 / 2 bid 2 / 0 pass / 1 bid 3 / 2 bid 4")
    assert match.asked == (1,)
    with pytest.raises(NotYourTurn, match="seat 1"):
        match.play(0, "bid 9")
    play(match, "1 pass")
    assert match.view()["auction"]["leader"] == 2
    assert match.view()["phase"] == "take"


def test_the_leader_is_not_asked_until_he_is_outbid_and_may_then_pass():
    """L10: nobody can withdraw a bid."""
    match = play(fresh("G5"), "0 uncover / 1 bid 3 / 2 pass")
    assert match.asked == (0,)
    play(match, "0 bid 4")
    assert match.asked == (1,)
    play(match, "1 pass")
    assert match.view()["auction"]["leader"] == 0


def test_the_opener_wins_if_everybody_passes():
    """Section 4."""
    match = play(fresh("G5"), "0 uncover / 1 bid 2 / 2 pass / 0 pass / 1 take G5")
    assert gold(match) == [12, 10, 12]
    assert cards(match, 1, "G") == ["Gx", "G5"]


def test_a_bidder_without_more_gold_than_the_bid_is_not_asked():
    """L11: he is out by himself; the one with exactly the bid too."""
    match = play(position("R2", gold=[9, 3, 12]), "0 bid 3")
    assert match.asked == (2,)
    play(match, "2 bid 5 / 0 bid 6 / 2 pass")
    assert match.view()["auction"] == {"opener": 0, "bid": 6, "leader": 0, "asking": None, "passed": [2]}
    assert gold(match) == [3, 3, 12]


def test_an_auction_that_nobody_else_can_pay_for_is_won_at_once():
    """L11: asked nobody."""
    match = play(position("R2", gold=[9, 3, 2]), "0 bid 3")
    assert match.view()["phase"] == "take"
    assert told(match) == ["Ada opens an auction with 3.", "Nobody bids more: Ada wins the auction for 3 gold."]


def test_the_example_of_the_rulebook_for_an_auction():
    """L11: section 4."""
    match = play(position("R2 R3", gold=[9, 3, 12]), "0 bid 3 / 2 bid 5 / 0 bid 6 / 2 pass / 0 take R2 R3")
    assert gold(match) == [3, 3, 12]


@pytest.mark.parametrize(("drawn", "option"), [(78, False), (18, True)])
def test_only_the_winner_pays_and_the_gold_comes_back(drawn, option):
    """L18: it goes to the supply and is divided with the last card, or with that of the pile."""
    match = play(position("R2", drawn=drawn, pile_distribution=option), "0 bid 5 / 1 bid 6 / 2 pass / 0 pass")
    assert gold(match) == [12, 6, 12]
    assert match.view()["supply"] == 6
    play(match, "1 take nothing / 1 remove nothing")
    uncover(match, 1)
    assert gold(match) == [14, 8, 14]
    assert match.view()["supply"] == 0


# --- take and remove --------------------------------------------------------------------------------------------------


def won(lying, expeditions=(), **options):
    """Seat 0 has won an auction for 1."""
    return play(position(lying, expeditions, **options), "0 bid 1 / 1 pass / 2 pass")


def test_an_expedition_is_the_cards_of_one_colour_of_one_player():
    """L5: they are counted colour by colour, seat by seat."""
    match = play(won("R2 R5 B7", ["", "R8"]), "0 take R2 R5 B7")
    assert match.view()["players"][0]["expeditions"] == {
        "R": {"cards": ["Rx", "R2", "R5"], "numbers": 2, "footprints": 2, "handshakes": 1, "bonus": 0, "points": 4},
        "B": {"cards": ["Bx", "B7"], "numbers": 1, "footprints": 2, "handshakes": 1, "bonus": 0, "points": 4},
    }
    assert cards(match, 1, "R") == ["R8"]


def test_the_wagers_of_the_deck_join_those_of_the_start():
    """L7: three and one make four handshakes."""
    match = play(won("Rx Rx Rx R9"), "0 take Rx Rx Rx R9")
    assert match.view()["players"][0]["expeditions"]["R"]["handshakes"] == 4
    assert match.view()["players"][0]["expeditions"]["R"]["points"] == 10


def test_what_cannot_be_laid_cannot_be_taken():
    """L12: neither a lower number nor a wager after numbers, also not beside cards that fit."""
    match = won("R4 R8 Rx", ["R7"])
    refused(match, 0, "take R4 R8", "You cannot lay R4: your red expedition has a 7")
    refused(match, 0, "take Rx", "your red expedition has a 7 already, and wagers come before numbers")
    play(match, "0 take R8")
    assert display(match) == ["Rx", "R4"]


def test_only_cards_on_display_can_be_taken_and_only_as_often_as_they_lie_there():
    """L12: nor the next of the pile, nor one of another player."""
    match = won("R4 R4 B2", ["", "G9"])
    refused(match, 0, "take R4 R4 R4", "R4 is on display only twice, not 3 times")
    refused(match, 0, "take G9", "G9 is not on display")
    refused(match, 0, {"do": "take"}, "list of cards", Unreadable)
    for wrong in ("R4", ["r4"], [4], {"R4": 1}):
        refused(match, 0, {"do": "take", "cards": wrong}, "card", Unreadable)
    play(match, "0 take R4 R4")


def test_numbers_rise_and_equal_ones_may_follow_each_other():
    """L13: also from one take to the next."""
    match = won("R4 R4 R5 R3")
    play(match, "0 take R4 / 0 remove nothing")
    assert cards(match, 0, "R") == ["Rx", "R4"]
    play(match, "2 uncover / 0 bid 1 / 1 pass / 2 pass")
    refused(match, 0, "take R3", "your red expedition has a 4")
    play(match, "0 take R5 R4")
    assert cards(match, 0, "R") == ["Rx", "R4", "R4", "R5"]


def test_the_order_in_which_cards_are_named_means_nothing():
    """L13: a take is legal if each card could be laid before it; wagers go first, then the numbers rise."""
    one, two = won("R10 Rx R2 R6"), won("R10 Rx R2 R6")
    play(one, "0 take R10 Rx R6 R2")
    play(two, "0 take Rx R2 R6 R10")
    assert one.state == two.state
    assert cards(one, 0, "R") == ["Rx", "Rx", "R2", "R6", "R10"]


def test_a_wager_goes_before_all_numbers():
    """L14: with them in one take, but not after them."""
    match = play(won("Rx Rx R2"), "0 take Rx R2 / 0 remove nothing / 2 uncover / 0 bid 1 / 1 pass / 2 pass")
    refused(match, 0, "take Rx", "wagers come before numbers")
    assert "Rx" not in legal(match, 0)[0].split()


def test_the_winner_may_take_nothing():
    """L15: he is asked all the same, also when nothing fits."""
    match = won("R4", ["R7"])
    assert legal(match, 0) == ("take nothing",)
    play(match, "0 take nothing")
    assert told(match) == ["Ada takes nothing."]
    assert match.view()["phase"] == "remove"
    play(won("R4"), "0 take nothing")


def test_the_winner_takes_a_card_if_the_option_says_so_and_one_fits():
    """L15: must_take_at_least_one."""
    match = won("R4 B2", must_take_at_least_one=True)
    refused(match, 0, "take nothing", "At least one card must be taken")
    assert legal(match, 0) == ("take at least one of R4 B2",)
    play(match, "0 take B2")
    match = play(won("R4 B2", must_take_at_least_one=True), "0 take R4")  # one is enough
    assert display(match) == ["B2"]
    play(won("R4", ["R7"], must_take_at_least_one=True), "0 take nothing")


def test_any_card_left_on_display_may_be_removed():
    """L16: also one that the winner could lay; not one of an expedition, not one just taken."""
    match = play(won("R4 B2 B2 G9", ["", "Y7"]), "0 take R4")
    assert legal(match, 0) == ("remove B2", "remove G9", "remove nothing")
    for card in ("Y7", "R4", "Rx"):
        refused(match, 0, f"remove {card}", f"{card} is not on display")
    play(match, "0 remove B2")
    assert display(match) == ["Rx", "B2", "G9"]
    assert match.view()["gone"] == ["B2"]


def test_a_removal_is_not_a_must_and_is_of_one_card():
    """L17: after the take, before the uncover."""
    match = won("R4 B2 G9")
    refused(match, 0, "remove B2", "not possible to remove now")
    play(match, "0 take nothing")
    for move in ({"do": "remove"}, {"do": "remove", "card": ["B2"]}, {"do": "remove", "card": 3}):
        refused(match, 0, move, "card", Unreadable)
    with pytest.raises(Unreadable, match="One card"):
        match.play(0, "remove B2 G9")
    drawn = match.state.drawn
    play(match, "0 remove nothing")
    assert match.state.drawn == drawn + 1
    assert match.view()["gone"] == []
    assert "Ada removes nothing." in told(match)


def test_nobody_is_asked_to_remove_a_card_when_none_is_left():
    """L17: the uncover follows at once."""
    match = play(won("R4"), "0 take R4")
    assert match.view()["phase"] == "turn"
    assert len(display(match)) == 1


# --- turn order and piles ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("winner", [0, 1, 2])
@pytest.mark.parametrize("rule", ["right_of_winner", "left_of_winner", "left_of_opener"])
def test_who_has_the_turn_after_an_auction(rule, winner, players):
    """L20: the right neighbour of the winner, or what the option says."""
    match = position("R4", turn=1, players=players, next_after_auction=rule)
    play(match, "1 bid 1")
    while match.view()["phase"] == "bid":
        seat = match.asked[0]
        play(match, f"{seat} {'bid 5' if seat == winner and match.view()['auction']['leader'] == 1 else 'pass'}")
    assert match.view()["auction"]["leader"] == winner
    play(match, f"{winner} take R4")
    expected = {"right_of_winner": (winner - 1) % players, "left_of_winner": (winner + 1) % players, "left_of_opener": 2}
    assert match.asked == (expected[rule],)
    uncover(match, 1)
    assert match.asked == ((expected[rule] + 1) % players,)  # play goes on clockwise


def test_two_players_have_the_same_neighbour_on_both_sides():
    """L20."""
    match = play(position("R4", players=2), "0 bid 1 / 1 bid 2 / 0 pass / 1 take R4")
    assert match.asked == (0,)


def test_a_match_has_four_piles_of_twenty_and_eighty_turns():
    """L4: the end of a pile changes neither the display nor the order of turns."""
    match = fresh()
    for turn in range(80):
        view = match.view()
        assert (view["pile"], view["pile_left"]) == (turn // 20 + 1, 20 - turn % 20)
        assert match.asked == (turn % 3,)
        assert len(display(match)) == turn
        uncover(match, 1)
    assert match.over


def test_a_designer_may_have_other_piles():
    """L4: the parameter piles; as even as possible."""
    match = fresh("R2", piles=3, pile_distribution=True)
    play(match, "0 uncover / 1 bid 9 / 2 pass / 0 pass / 1 take nothing / 1 remove nothing")
    uncover(match, 23)
    assert match.view()["supply"] == 9
    uncover(match, 1)
    assert (match.state.drawn, match.view()["supply"], match.view()["pile"]) == (26, 0, 2)
    assert match.view()["pile_left"] == 53 - 26


def test_a_deck_of_fewer_cards_than_piles_has_empty_piles():
    """L4: the parameters copies, wagers and piles; 5 cards in 8 piles, the ends are at 0, 1, 1, 2, 3, 3, 4 and 5."""
    options = {"copies": [0] * 9, "wagers": 1, "piles": 8}
    deal = {"start": 0, "starting": STARTING[:3], "deck": ["Rx", "Bx", "Gx", "Yx", "Wx"]}
    match = outbid.game("rivals", **options).load(NAMES[:3], deal)
    found = []
    while not match.over:
        found.append((match.view()["pile"], match.view()["pile_left"]))
        uncover(match, 1)
    assert found == [(2, 1), (4, 1), (5, 1), (7, 1), (8, 1)]


@pytest.mark.parametrize("drawn", [19, 39, 59])
def test_the_supply_is_not_divided_when_a_pile_is_used_up(drawn):
    """L21: neither by an uncover nor by an auction; L4: nothing else changes."""
    pile = (drawn + 1) // 20
    match = position("R2", gold=[2, 8, 11], drawn=drawn)
    uncover(match, 1)
    assert (gold(match), match.view()["supply"]) == ([2, 8, 11], 15)
    assert told(match)[-1] == f"Pile {pile} is used up."
    assert (match.view()["pile"], match.asked) == (pile + 1, (1,))
    match = play(position("R2", gold=[2, 8, 11], drawn=drawn), "0 bid 2 / 1 pass / 2 pass / 0 take R2")
    assert (gold(match), match.view()["supply"], match.view()["pile"]) == ([0, 8, 11], 17, pile + 1)


@pytest.mark.parametrize("drawn", [19, 39, 59])
def test_the_supply_is_divided_when_a_pile_is_used_up_if_the_option_says_so(drawn):
    """L21: pile_distribution; here by an uncover."""
    match = position("R2", gold=[2, 8, 11], drawn=drawn, pile_distribution=True)
    uncover(match, 1)
    assert gold(match) == [7, 13, 16]
    assert match.view()["pile"] == (drawn + 1) // 20 + 1
    assert told(match)[-1] == f"Pile {(drawn + 1) // 20} is used up: everybody receives 5 gold; 0 stay behind."
    assert match.asked == (1,)


def test_what_was_paid_in_the_auction_that_uses_up_a_pile_is_divided_too():
    """L21: pile_distribution; pay, take, remove, uncover, divide, next turn."""
    match = position("R2 B2", deck="W7", drawn=19, pile_distribution=True)
    play(match, "0 bid 6 / 1 pass / 2 pass / 0 take R2 / 0 remove B2")
    assert gold(match) == [8, 14, 14]
    assert match.view()["pile"] == 2
    assert match.asked == (2,)
    assert told(match) == [
        "Ada removes the blue 2 from the game.",
        "Ada uncovers the white 7.",
        "Pile 1 is used up: everybody receives 2 gold; 0 stay behind.",
    ]


def test_no_card_but_the_last_of_a_pile_divides_the_supply():
    """L21: pile_distribution; not the first of the next."""
    match = position("R2", gold=[2, 8, 11], drawn=20, pile_distribution=True)
    uncover(match, 19)
    assert match.view()["supply"] == 15


def test_the_rest_of_a_division_stays_in_the_supply():
    """L19: 16 coins for three players, and again with the next division; too few coins stay all."""
    match = position("R2", gold=[6, 7, 7], drawn=19, pile_distribution=True)
    uncover(match, 1)
    assert (gold(match), match.view()["supply"]) == ([11, 12, 12], 1)
    assert told(match)[-1] == "Pile 1 is used up: everybody receives 5 gold; 1 stays behind."
    play(match, "1 bid 1 / 2 pass / 0 pass / 1 take nothing / 1 remove nothing")
    uncover(match, 19)
    assert (gold(match), match.view()["supply"]) == ([11, 11, 12], 2)
    assert told(match)[-1] == "Pile 2 is used up: the supply of 2 gold cannot be divided."


def gold_by_another_reading(record):
    """The gold of all seats and of the supply after every move, from nothing but the deal and the moves of a record: who bid
    last pays, every turn turns up a card, and with the last card, or the last of every twenty, all get the same."""
    players = len(record["players"])
    own, supply, turned, price, buyer = [36 // players] * players, 0, 0, 0, None
    after = []
    for number, move in enumerate(record["moves"]):
        if move["do"] == "bid":
            price, buyer = move["amount"], move["seat"]
        following = record["moves"][number + 1]["do"] if number + 1 < len(record["moves"]) else "end"
        if price and following == "take":
            own[buyer] -= price
            supply, price = supply + price, 0
        if following in ("uncover", "bid", "end") and move["do"] in ("uncover", "take", "remove"):
            turned += 1
            last = turned == len(record["deal"]["deck"])
            if record["options"].get("final_distribution", True) if last else (
                record["options"].get("pile_distribution", False) and turned % 20 == 0
            ):
                own, supply = [one + supply // players for one in own], supply % players
        after.append((list(own), supply))
    return after


@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize("piles", [False, True])
@pytest.mark.slow
def test_the_gold_of_whole_matches_is_that_of_another_reading_of_the_division(piles, final):
    """L18, L19, L21, L24: after every move of random matches."""
    for seed in range(6):
        match = outbid.game("rivals", pile_distribution=piles, final_distribution=final).new(2 + seed % 3, seed)
        rng, seen = random.Random(seed), []
        while not match.over:
            play_at_random(match, rng)
            seen.append((gold(match), match.view()["supply"]))
        assert seen == gold_by_another_reading(match.record())


def test_coins_that_cannot_be_shared_out_at_the_start_are_the_first_supply():
    """L19: the parameter coins."""
    match = fresh(coins=40)
    assert (gold(match), match.view()["supply"]) == ([13, 13, 13], 1)


# --- the end and the score --------------------------------------------------------------------------------------------


def test_the_match_is_over_when_the_last_card_is_turned_up():
    """L22: it is never sold."""
    match = position("R2", drawn=79)
    uncover(match, 1)
    assert match.over
    assert match.asked == ()
    with pytest.raises(NotYourTurn, match="the match is over"):
        match.play(1, "bid 1")


def test_an_auction_with_one_card_left_ends_the_match_too():
    """L22: after take and removal."""
    match = play(position("R2 R3", drawn=79), "0 bid 1 / 1 pass / 2 pass / 0 take R2 / 0 remove nothing")
    assert match.over


@pytest.mark.parametrize(("final", "each"), [(True, 5), (False, 0)])
def test_the_supply_is_divided_a_last_time(final, each):
    """L24: unless final_distribution is false; victory is the same."""
    match = position("R2", gold=[2, 8, 11], drawn=79, final_distribution=final)
    before = match.scores
    uncover(match, 1)
    assert gold(match) == [2 + each, 8 + each, 11 + each]
    assert match.scores == [points + each for points in before]
    assert match.winners == [2]
    assert told(match)[1] == f"Pile 4 is used up{': everybody receives 5 gold; 0 stay behind' if final else ''}."
    assert told(match)[2].startswith("The last card has been turned up: the match is over. Most points: Cem with")


def test_dead_cards_stay_on_display():
    """L23: they can be removed, and have nobody they fit."""
    match = won("R4 B2", ["R7", "R8", "R9"])
    assert match.view()["display"][0] == {"card": "R4", "fits": []}
    play(match, "0 take nothing / 0 remove R4")
    assert match.view()["gone"] == ["R4"]


def test_dead_cards_leave_the_game_right_after_a_take_and_after_an_uncover():
    """L23: dead_cards = discard; nothing takes their place, and there is nothing left to remove."""
    match = position("R4 R7", ["R6", "R8", "R9"], deck="R3 B2", dead_cards="discard")
    play(match, "0 bid 1 / 1 pass / 2 pass / 0 take R7")
    assert told(match) == [
        "Ada takes the red 7.",
        "The red 4 leaves the game: nobody can lay it any more.",
        "Ada uncovers the red 3.",
        "The red 3 leaves the game: nobody can lay it any more.",
    ]
    assert match.view()["phase"] == "turn"
    assert display(match) == []
    assert match.view()["gone"] == ["R3", "R4"]
    refused(match, 2, "bid 1", "No card is on display")
    play(match, "2 uncover")
    assert display(match) == ["B2"]


def test_a_card_that_one_player_can_lay_is_not_dead():
    """L23: dead_cards = discard, and a wager whose colour all have begun with numbers is dead."""
    match = position("R4 Rx", ["R7", "R8", "R4"], deck="Wx", dead_cards="discard")
    play(match, "0 bid 1 / 1 pass / 2 pass / 0 take nothing")
    assert display(match) == ["R4"]
    play(match, "0 remove nothing")
    assert display(match) == ["R4", "Wx"]


@pytest.mark.parametrize("seat", range(3))
def test_whoever_can_lay_a_card_keeps_it_alive(seat):
    """L23: dead_cards = discard."""
    expeditions = ["R6", "R7", "R8"]
    expeditions[seat] = "R4"
    match = play(position("R5", expeditions, deck="W2", dead_cards="discard"), "0 uncover")
    assert display(match) == ["R5", "W2"]


def test_several_dead_cards_are_told_in_one_sentence():
    """L23: dead_cards = discard."""
    match = position("R4 R5 R10", ["R6", "R9", "R8"], deck="B2", dead_cards="discard")
    play(match, "0 bid 1 / 1 pass / 2 pass / 0 take R10")
    assert "The red 4 and the red 5 leave the game: nobody can lay them any more." in told(match)


def test_the_example_of_the_rulebook_for_a_score():
    """L25, L26: section 7; starting wagers multiply like the others."""
    match = position("", ["Rx Rx R3 R3 R5 R8 Bx B6 B9 G10"], gold=[5, 12, 12])
    view = match.view()["players"][0]
    assert {colour: one["points"] for colour, one in view["expeditions"].items()} == {"R": 23, "B": 8, "G": 2}
    assert (view["points"], view["score"]) == (33, 38)
    assert match.scores[0] == 38


def test_the_best_expedition_counts_ninety_eight_and_wagers_alone_nothing():
    """L25: four handshakes; nothing is subtracted."""
    everything = "Rx Rx Rx Rx R2 R2 R3 R3 R4 R4 R5 R5 R6 R7 R8 R9 R10"
    match = position("", [everything], gold=[0, 12, 12])
    assert match.view()["players"][0]["expeditions"]["R"]["points"] == 98
    assert match.scores == [98, 12, 12]


@pytest.mark.parametrize(("own", "points"), [("Rx Rx Rx R2 R3 R4", 12), ("R2 R3 R4 R5", 12), ("Rx R2 R2 R3 R3 R4 R4", 20)])
def test_four_number_cards_bring_eight_points_once(own, points):
    """L26: wagers do not count for it, and it is not multiplied."""
    match = position("", [f"{own} Bx Gx"])
    assert match.view()["players"][0]["expeditions"]["R"]["points"] == points


def test_a_designer_may_turn_bonus_and_footprints():
    """L26: the parameters bonus, bonus_cards and footprints."""
    match = position("", ["Bx Gx R2 R3"], bonus=20, bonus_cards=2, footprints=[3, 4, 1, 1, 2, 2, 2, 2, 2])
    assert match.view()["players"][0]["expeditions"]["R"]["points"] == 27
    match = play(won("G2 G10", footprints=[3, 4, 1, 1, 2, 2, 2, 2, 5]), "0 take G2 G10")
    assert match.view()["players"][0]["expeditions"]["G"] == {
        "cards": ["G2", "G10"], "numbers": 2, "footprints": 8, "handshakes": 0, "bonus": 0, "points": 8,
    }  # fmt: skip


def test_equal_totals_share_the_victory():
    """L27: two of three, and all."""
    match = position("", ["R2 R3", "B2 B3", "G2"], gold=[8, 8, 8], drawn=79, final_distribution=False)
    uncover(match, 1)
    assert match.winners == [p for p in range(3) if match.scores[p] == max(match.scores)]
    match = uncover(fresh(), 80)
    assert (match.scores, match.winners) == ([12, 12, 12], [0, 1, 2])


def test_an_equal_total_with_other_parts_shares_the_victory_too():
    """L27: cards and gold count alike."""
    match = position("", ["Bx Wx R2 R3", "G2", ""], gold=[8, 9, 3], drawn=79, final_distribution=False)
    assert match.scores == [10, 11, 3]
    match = position("", ["Bx Wx R2 R3", "Rx Bx G2", ""], gold=[8, 9, 3], drawn=79, final_distribution=False)
    assert match.scores == [10, 10, 3]
    uncover(match, 1)
    assert match.winners == [0, 1]


def test_the_gold_of_all_players_is_open():
    """L28: to everybody, spectators too."""
    match = position("R2", gold=[2, 8, 11])
    for viewer in range(-1, 3):
        assert [player["gold"] for player in match.view(viewer)["players"]] == [2, 8, 11]


def test_the_gold_of_the_others_is_covered_until_the_end_if_the_option_says_so():
    """L28: gold_open = false; nothing else changes."""
    match = position("R2", ["R3", "B3"], gold=[2, 8, 11], drawn=78, gold_open=False)
    assert [player["gold"] for player in match.view(1)["players"]] == [None, 8, None]
    assert [player["score"] for player in match.view(1)["players"]] == [None, 8 + 1, None]
    assert [player["gold"] for player in match.view()["players"]] == [None] * 3
    assert " 11 gold" not in BOOK.words.board(match.hidden(1), 1, NAMES)
    assert match.view()["supply"] == 15
    play(match, "0 bid 2")
    assert match.asked == (1,)
    play(match, "1 pass / 2 pass / 0 take nothing / 0 remove nothing")
    uncover(match, 1)
    assert [player["gold"] for player in match.view(1)["players"]] == gold(match)


# --- options, moves, words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"), [("dead_cards", "burn"), ("coins", 61), ("piles", 0), ("final_distribution", 1), ("dead", True)]
)
def test_a_bad_option_is_refused_by_name(name, value):
    """Section 10."""
    with pytest.raises(BadOption, match=name):
        outbid.game("rivals", **{name: value})


def test_the_published_preset_has_the_left_neighbour_and_three_divisions():
    """L20, L21, L24: the preset."""
    assert outbid.game("rivals", "published").options == {
        "next_after_auction": "left_of_winner",
        "pile_distribution": True,
        "final_distribution": False,
    }


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("Take red 4, Blue wager and W10", {"do": "take", "cards": ["R4", "Bx", "W10"]}),
        ("take nothing", {"do": "take", "cards": []}),
        ("take [r4, RX]", {"do": "take", "cards": ["R4", "Rx"]}),
        ("remove the green 5", {"do": "remove", "card": "G5"}),
        ("remove none", {"do": "remove", "card": None}),
        ("bid 12", {"do": "bid", "amount": 12}),
    ],
)
def test_moves_are_read_as_people_type_them(typed, move):
    """Section 11."""
    assert BOOK.words.parse(typed) == move


@pytest.mark.parametrize(
    "typed", ["", "bid", "bid one", "take", "remove", "take R11", "remove R2 R3", "uncover 2", "dance", "bid ²"]
)
def test_what_cannot_be_read_is_refused_with_an_example(typed):
    """Section 11."""
    with pytest.raises(Unreadable):
        BOOK.words.parse(typed)


@pytest.mark.parametrize("do", ["dance", None, 3])
def test_an_unknown_move_is_refused(do):
    """Section 11."""
    refused(fresh(), 0, {"do": do}, "not a move of this game", Unreadable)


@pytest.mark.parametrize("gold", [[0, 5, 5], [1, 5, 5], [4, 3, 12]])
@pytest.mark.parametrize("opening", [1, 3])
def test_the_steps_of_bids_are_those_of_the_menu(gold, opening):
    """L8, L9: to open and to raise."""

    def same(match):
        seat, out = match.asked[0], [0] * 128
        steps = out[: contract.legal(match.state, seat, out)]
        moves = [BOOK.words.move(match.state, seat, [action]) for action in steps]
        menu = match.legal(seat)
        whole = [choice.move for choice in menu if choice.whole]
        bids = [{"do": "bid", "amount": amount} for choice in menu for amount in choice.amounts]
        assert sorted(moves, key=str) == sorted(whole + bids, key=str)
        return bids

    match = position("R2", gold=gold, opening_bid=opening)
    for bid in same(match):
        again = match.copy()
        again.play(0, bid)
        if again.view()["phase"] == "bid":
            same(again)


def test_each_take_begins_at_the_first_card_again():
    """Section 5: the order of steps within a take means nothing for the next take."""
    match = play(won("R2 W10", deck="W9"), "0 take W10 / 0 remove nothing / 2 bid 1 / 0 bid 2 / 1 pass / 2 pass / 0 take R2")
    assert cards(match, 0, "R") == ["Rx", "R2"]


def test_every_set_of_cards_can_be_taken_in_exactly_one_way():
    """Section 5: steps in one order, twins one after the other."""
    match = won("R2 R2 Rx Rx R5 B9", ["", "B3"])
    takes = Counter()

    def walk(s, taken):
        out = [0] * 128
        for action in out[: contract.legal(s, 0, out)] if s.phase == state.TAKE else ():
            if action == state.DONE:
                takes[tuple(sorted(taken))] += 1
            else:
                after = s.copy()
                contract.apply(after, 0, action)
                check(after)
                walk(after, [*taken, action])

    walk(match.state, [])
    assert set(takes.values()) == {1}
    assert len(takes) == 3 * 3 * 2 * 2


def test_a_take_half_made_is_no_time_for_another_move():
    """Section 5: steps and moves do not mix."""
    match = won("R2 R3")
    contract.apply(match.state, 0, state.CARD + 1)
    with pytest.raises(OutbidError):
        match.play(0, "take R3")
