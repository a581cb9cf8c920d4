"""Every ruling of RULES.md on hand-made positions. A docstring begins with the ruling it is about."""

from __future__ import annotations

import pytest

import outbid
from outbid.core.errors import BadSetup, Illegal, NotYourTurn
from outbid.games.kuhhandel import rules, state

from .table import NAMES, animals, bounds, cards_shown, cash, certain, fresh, full_deck, money, play, position, told

START = [50, 10, 10, 10, 10, 0, 0]
PAIR = [{"cow": 1}, {"cow": 1}]


def legal(match, seat):
    return set(match.legal(seat).texts)


def amounts(match, seat):
    """The lowest and the highest bid open to a seat; None if it cannot bid."""
    found = [choice.amounts for choice in match.legal(seat) if choice.amounts]
    return (found[0][0], found[0][-1]) if found else None


def unwanted(match):
    """An auction that nobody bids in."""
    play(match, f"{match.asked[0]} auction")
    while match.view()["phase"] == "bid":
        play(match, f"{match.asked[0]} pass")


# --- set-up -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_everybody_starts_with_two_zeros_four_tens_and_a_fifty(players):
    """Section 2."""
    match = fresh(players=players, start=2)
    assert [money(match, seat) for seat in range(players)] == [START] * players
    assert match.asked == (2,)
    assert match.view()["in_play"] == 90 * players


def test_with_five_players_the_donkeys_use_up_the_bank_exactly():
    """Section 1."""
    match = fresh("donkey", "donkey", "donkey", "donkey", players=5)
    for seat in range(4):
        play(match, f"{seat} auction")
        for far in range(1, 5):
            play(match, f"{(seat + far) % 5} pass")
    assert match.state.notes == [10, 20, 10, 5, 5, 5]
    assert match.view()["in_play"] == 4700


# --- the auction ------------------------------------------------------------------------------------------------------


def test_the_auctioneer_is_never_asked_for_a_bid():
    """K1: everybody but the auctioneer bids."""
    match = play(fresh("cow"), "0 auction")
    asked = []
    for amount in range(10, 200, 10):
        asked.append(match.asked[0])
        play(match, f"{asked[-1]} bid {amount}")
    assert asked == [1, 2] * 9 + [1]
    with pytest.raises(NotYourTurn, match=r"Seat 0 \(Ada\) is not asked now; seat 2 \(Cem\) is"):
        match.play(0, "bid 500")


def test_in_an_open_outcry_the_auctioneer_cannot_bid_either():
    """K1: also where anybody may bid at any time."""
    match = play(fresh("cow", bidding="realtime"), "0 auction")
    assert match.asked == (1, 2)
    assert match.clock


def test_bids_are_multiples_of_ten_from_ten_on_and_each_is_higher_than_the_last():
    """K2: 0 is not a bid."""
    match = play(fresh("cow"), "0 auction")
    for bid, reason in (("bid 0", "higher than 0"), ("bid 15", "multiples of 10"), ("bid -10", "higher than 0")):
        with pytest.raises(Illegal, match=reason):
            match.play(1, bid)
    play(match, "1 bid 70")
    for bid in ("bid 70", "bid 60"):
        with pytest.raises(Illegal, match="must be higher than 70"):
            match.play(2, bid)
    assert amounts(match, 2) == (80, 270)
    play(match, "2 bid 80")


def test_a_larger_bid_step_makes_coarser_bids():
    """K2: the parameter bid_step."""
    match = play(fresh("cow", bid_step=40), "0 auction")
    assert amounts(match, 1) == (40, 240)
    with pytest.raises(Illegal, match="multiples of 40"):
        match.play(1, "bid 60")
    play(match, "1 bid 40 / 2 bid 120")


def test_one_may_bid_all_the_money_in_play():
    """K3: above one's own money, up to what all have together."""
    match = play(fresh("donkey"), "0 auction")
    assert amounts(match, 1) == (10, 3 * 140)
    with pytest.raises(Illegal, match="more than the 420"):
        match.play(1, "bid 430")
    play(match, "1 bid 420")
    assert amounts(match, 2) is None
    assert legal(match, 2) == {"pass"}


def test_a_capped_bid_is_at_most_twice_ones_money_plus_a_hundred_and_all_money_in_play():
    """K3: overbid = capped."""
    hands = [[10], [50, 10], [500]]
    match = play(position(hands, overbid="capped"), "0 auction")
    assert amounts(match, 1) == (10, 220)
    play(match, "1 bid 10")
    assert amounts(match, 2) == (20, 570)


def test_a_capped_bid_tells_everybody_a_lower_bound_of_the_bidders_money():
    """K3: who bids 220 under overbid = capped has at least 60."""
    match = play(position([[10], [50, 10], [500]], overbid="capped"), "0 auction / 1 bid 220")
    for observer in (-1, 0, 2):
        assert bounds(match, observer, 1)[0] == 60


def test_with_overbids_forbidden_a_bid_stops_at_ones_own_money():
    """K3: overbid = forbidden; the bid then shows everybody that the money is there."""
    match = play(position([[10], [50, 10], [500]], overbid="forbidden"), "0 auction")
    assert amounts(match, 1) == (10, 60)
    with pytest.raises(Illegal, match="70 is more than the 60"):
        match.play(1, "bid 70")
    play(match, "1 bid 60")
    assert bounds(match, -1, 1)[0] == bounds(match, 2, 1)[0] == 60
    assert bounds(match, -1, 2)[0] == 0


def test_a_bidder_without_enough_money_is_found_out_only_when_the_auctioneer_sells():
    """K4: until then nothing shows it."""
    match = play(fresh("cow"), "0 auction / 1 bid 200 / 2 pass")
    assert match.asked == (0,)
    assert bounds(match, 2, 1) == (90, 90)
    assert legal(match, 0) == {"sell"}
    play(match, "0 sell")
    assert match.view()["auction"]["excluded"] == [1]


def test_a_bluffer_from_whom_the_auctioneer_buys_is_paid_and_shows_nothing():
    """K4: buying back leaves the bluffer's hand secret."""
    match = play(position([[200, 100], [10], [50]], deck=["cow"]), "0 auction / 1 bid 250 / 2 pass / 0 buy")
    play(match, "0 pay 200 100")
    assert money(match, 1) == [200, 100, 10]
    assert animals(match, 0) == {"cow": 1}
    assert 10 not in certain(match, 2, 1)
    assert all("show" not in line.text for line in match.log(2))


def test_who_cannot_pay_shows_every_card_to_everybody():
    """K5: composition, zeros included, to players and spectators."""
    hands = [[10], [100, 50, 50, 0], [500]]
    match = play(position(hands, deck=["cow"]), "0 auction / 1 bid 300 / 2 pass / 0 sell")
    for viewer, who in ((0, "Ben cannot"), (1, "You cannot"), (2, "Ben cannot"), (-1, "Ben cannot")):
        assert f"{who} pay 300 and must show all money: 100, 50, 50, 0 (200)." in told(match, viewer)
        assert certain(match, viewer, 1) == [100, 50, 50, 0] or viewer == 1
        assert bounds(match, viewer, 1) == (200, 200)
    assert money(match, 1) == [100, 50, 50, 0]


def test_an_empty_hand_is_shown_as_nothing():
    """K5: a bluffer without any card."""
    match = play(position([[10], [], [500]], deck=["cow"]), "0 auction / 1 bid 10 / 2 pass / 0 sell")
    assert "Ben cannot pay 10 and must show all money: nothing." in told(match, 2)


def test_the_animal_is_auctioned_again_without_the_bankrupt_bidder_from_the_auctioneers_left():
    """K6: the repetition starts afresh, without a bid."""
    match = play(fresh("cow", players=4, start=1), "1 auction / 2 pass / 3 bid 100 / 0 pass / 2 pass / 1 sell")
    assert match.view()["auction"] == {"animal": "cow", "bid": 0, "leader": None, "excluded": [3], "passed": []}
    assert match.asked == (2,)
    assert "The cow is auctioned again without Dot." in told(match, 0)
    assert "The cow is auctioned again without you." in told(match, 3)
    play(match, "2 pass / 0 bid 10 / 2 pass")
    assert match.asked == (1,)


def test_exclusions_add_up_over_repeated_auctions():
    """K6: 200 by one who cannot, 150 by another, sold for 10 to the third."""
    match = play(fresh("pig", players=4), "0 auction / 1 bid 200 / 2 pass / 3 pass / 0 sell")
    play(match, "2 bid 150 / 3 pass / 0 sell")
    assert match.view()["auction"]["excluded"] == [1, 2]
    assert match.asked == (3,)
    play(match, "3 bid 10 / 0 sell / 3 pay 10")
    assert animals(match, 3) == {"pig": 1}
    assert cash(match, 0) == 100


def test_the_auctioneer_keeps_the_right_to_buy_in_a_repeated_auction():
    """K6: nothing changes for him."""
    match = play(fresh("pig"), "0 auction / 1 bid 200 / 2 pass / 0 sell / 2 bid 30")
    assert legal(match, 0) == {"sell", "buy"}


def test_a_donkey_does_not_pay_again_when_its_auction_is_repeated():
    """K6: and K24, once for each donkey card."""
    match = play(fresh("donkey"), "0 auction / 1 bid 300 / 2 pass / 0 sell")
    assert match.view()["donkeys"] == 1
    assert cash(match, 2) == 140
    play(match, "2 pass")
    assert animals(match, 0) == {"donkey": 1}
    assert match.view()["in_play"] == 420


def test_when_nobody_is_left_to_bid_the_auctioneer_takes_the_animal():
    """K6: all bidders were excluded."""
    match = play(fresh("pig"), "0 auction / 1 bid 200 / 2 pass / 0 sell / 2 bid 150 / 0 sell")
    assert animals(match, 0) == {"pig": 1}
    assert match.asked == (1,)
    assert "Nobody bids: the pig goes to Ada." in told(match, 2)
    assert "Nobody bids: the pig goes to you." in told(match, 0)


def test_without_exclusion_the_bankrupt_bidder_may_bid_again_on_the_same_card():
    """K6: reauction_excludes = false."""
    match = fresh("pig", reauction_excludes=False)
    play(match, "0 auction / 1 bid 200 / 2 pass / 0 sell")
    assert match.asked == (1,)
    assert "The pig is auctioned again." in told(match, 2)
    play(match, "1 bid 190 / 2 pass / 0 sell / 1 bid 40 / 2 pass / 0 sell / 1 pay 10 10 10 10")
    assert animals(match, 1) == {"pig": 1}


def test_an_excluded_bidder_may_bid_on_the_next_animal():
    """K7: the exclusion is for one card."""
    match = play(fresh("pig", "cow"), "0 auction / 1 bid 200 / 2 pass / 0 sell / 2 pass")
    play(match, "1 auction / 2 pass / 0 pass / 2 auction")
    assert match.asked == (0,)
    play(match, "0 pass / 1 bid 10")


def test_the_auctioneer_cannot_buy_what_he_cannot_cover():
    """K8: the question is asked all the same, with one answer."""
    match = play(fresh("cow"), "0 auction / 1 bid 100 / 2 pass")
    assert match.asked == (0,)
    with pytest.raises(Illegal, match="You cannot cover 100"):
        match.play(0, "buy")
    assert match.question(2) == "Ada decides: sell the cow for 100, or buy it."


def test_the_auctioneer_may_buy_with_his_last_money():
    """K8: exactly enough is enough."""
    match = play(fresh("cow"), "0 auction / 1 bid 90 / 2 pass")
    assert legal(match, 0) == {"sell", "buy"}
    play(match, "0 buy / 0 pay 50 10 10 10 10")
    assert money(match, 0) == [0, 0]
    assert cash(match, 1) == 180


def test_who_buys_pays_the_highest_bid_to_the_highest_bidder_without_change():
    """K9: a 50 for a bid of 20 stays with the bidder."""
    match = play(fresh("cow", players=4), "0 auction / 1 bid 10 / 2 bid 20 / 3 pass / 1 pass / 0 buy / 0 pay 50")
    assert [cash(match, seat) for seat in range(4)] == [40, 90, 140, 90]
    assert animals(match, 0) == {"cow": 1}
    assert animals(match, 2) == {}
    assert match.asked == (1,)


def test_buying_from_somebody_who_could_not_have_paid():
    """K9: he is paid the price he did not have."""
    match = play(position([[500], [0], [10]], deck=["cow"]), "0 auction / 1 bid 400 / 2 pass / 0 buy / 0 pay 500")
    assert money(match, 1) == [500, 0]


# --- payment ----------------------------------------------------------------------------------------------------------


def selling(hand, price, **options):
    """Seat 1 has to pay `price` out of `hand`."""
    return play(
        position([[10] * 5, hand, [500, 500]], deck=["cow"], **options), f"0 auction / 1 bid {price} / 2 pass / 0 sell"
    )


def payable(match):
    """All sets of cards with which seat 1 may pay, tried one by one."""
    found = set()
    hand = money(match, 1)
    for mask in range(1 << len(hand)):
        cards = tuple(card for bit, card in enumerate(hand) if mask >> bit & 1)
        try:
            match.copy().play(1, {"do": "pay", "cards": list(cards)})
        except Illegal:
            continue
        found.add(cards)
    return found


def test_a_price_of_300_is_paid_with_the_500_if_all_else_is_only_280():
    """K10: the 500 alone, because everything else could be left out."""
    match = selling([10, 10, 10, 50, 200, 500], 300)
    assert payable(match) == {(500,)}
    with pytest.raises(Illegal, match="280 does not reach the price of 300"):
        match.play(1, "pay 200 50 10 10 10")
    with pytest.raises(Illegal, match="A 10 could be left out"):
        match.play(1, "pay 500 10")
    play(match, "1 pay 500")
    assert money(match, 1) == [200, 50, 10, 10, 10]


@pytest.mark.parametrize(
    ("payment", "hand", "price", "said", "cards"),
    [
        ("irredundant", [10, 50, 50, 50, 0], 130, "pay cards that reach 130, none of which could be left out", (50, 50, 50)),
        ("irredundant", [10, 50], 50, "pay cards that reach 50, none of which could be left out", (50,)),
        ("irredundant", [10, 10, 50, 500], 70, "pay cards that reach 70, none of which could be left out", (10, 10, 50, 500)),  # noqa: E501
        ("min_overpay", [10, 50, 200, 0], 130, "pay cards worth exactly 200", (200,)),
        ("min_overpay", [10, 50, 50, 200], 60, "pay cards worth exactly 60", (10, 50, 50)),
        ("free", [10, 50, 200, 0], 130, "pay any cards but 0 that reach 130", (10, 50, 200)),
    ],
)
def test_the_menu_says_what_a_payment_is_and_lists_the_cards_that_one_may_hold(payment, hand, price, said, cards):
    """K10: each reading of a payment."""
    match = selling(hand, price, payment=payment)
    menu = match.legal(1)
    assert menu.texts == (said,)
    assert menu.choices[0].cards == cards == tuple(sorted(card for card in hand if card in set().union(*payable(match))))
    with pytest.raises(Illegal, match=f"^10 does not reach the price of {price}. Legal: {said}.$"):
        match.play(1, "pay 10")


def test_an_offer_of_no_card_is_not_in_the_menu_where_it_is_not_legal():
    """K20: empty_offer."""
    pair = {"hands": [[10, 0], [10], [10]], "animals": [{"cow": 1}, {"cow": 1}], "deck": []}
    for empty, said in ((True, "any cards"), (False, "at least one card")):
        match = play(position(**pair, empty_offer=empty), "0 trade cow with 1")
        assert match.legal(0).texts == (f"offer {said}",)
        play(match, "0 offer 0")
        assert match.legal(1).texts == ("accept", f"counter {said}")
    poor = {**pair, "hands": [[], [10], [10]]}
    assert play(position(**poor, empty_offer=False), "0 trade cow with 1").legal(0).texts == ("offer any cards",)


def test_what_lies_on_the_table_is_in_no_hand():
    """K29: the offer lies there, face down."""
    match = position(hands=[[10, 50, 0], [10], [10]], animals=[{"cow": 1}, {"cow": 1}], deck=[])
    play(match, "0 trade cow with 1 / 0 offer 50 0")
    seen = match.view(0)
    assert seen["money"] == [10]
    assert seen["players"][0]["cards"] == 1
    assert seen["trade"]["cards"] == [0, 50]
    play(match, "1 accept")
    assert match.view(0)["money"] == [10]


def test_in_an_outcry_nobody_is_asked_when_nobody_could_bid_any_more():
    """K26: what can be bid at most is public; what a hand can pay is not."""
    match = play(fresh("cow", players=4, bidding="realtime"), "0 auction / 3 bid 350")
    assert match.asked == (1, 2)
    play(match, "1 bid 360")
    assert (match.asked, match.clock, match.over) == ((), True, False)
    with pytest.raises(NotYourTurn, match="the clock is"):
        match.play(2, "bid 370")
    assert play(match, "clock close").asked == (0,)
    poor = play(fresh("cow", players=4, bidding="realtime", overbid="forbidden"), "0 auction / 3 bid 90")
    assert poor.asked == (1, 2), "that they cannot bid is their secret"
    assert not len(poor.legal(1))


def test_a_payment_holds_no_card_that_could_be_left_out():
    """K10: payment = irredundant leaves the choice of how much to overpay."""
    match = selling([50, 50, 10, 10, 10, 0], 60)
    assert payable(match) == {(50, 10), (50, 50)}


def test_zeros_are_no_payment():
    """K10: whatever the option."""
    for payment in ("irredundant", "min_overpay", "free"):
        with pytest.raises(Illegal, match="A 0 is no payment"):
            selling([50, 0], 50, payment=payment).play(1, "pay 50 0")


def test_with_min_overpay_only_the_smallest_sum_that_reaches_the_price_may_be_paid():
    """K10: payment = min_overpay."""
    match = selling([500, 200, 200, 50, 50, 10], 60, payment="min_overpay")
    assert payable(match) == {(50, 10)}
    match = selling([500, 200, 200, 50, 50, 10], 70, payment="min_overpay")
    assert payable(match) == {(50, 50)}
    with pytest.raises(Illegal, match="200 overpays; 100 can be laid"):
        match.play(1, "pay 200")
    match = selling([500, 200, 200, 200], 510, payment="min_overpay")
    assert payable(match) == {(200, 200, 200)}
    match = selling([100, 50, 50, 200], 200, payment="min_overpay")
    assert payable(match) == {(200,), (100, 50, 50)}


def test_with_free_payment_any_cards_of_worth_that_reach_the_price_may_be_paid():
    """K10: payment = free."""
    match = selling([50, 50, 10, 0], 60, payment="free")
    assert payable(match) == {(50, 10), (50, 50), (50, 50, 10)}
    with pytest.raises(Illegal, match="50 does not reach the price of 60"):
        match.play(1, "pay 50")
    play(match, "1 pay 50 50 10")
    assert money(match, 1) == [0]


def test_the_auctioneer_too_gets_no_change():
    """K10: and K9, the same rule binds him when he buys."""
    match = play(position([[500], [10], [10]], deck=["cow"]), "0 auction / 1 bid 20 / 2 pass / 0 buy")
    with pytest.raises(Illegal, match="does not reach"):
        match.play(0, "pay nothing")
    play(match, "0 pay 500")
    assert money(match, 1) == [500, 10]


def test_nobody_bids_and_the_auctioneer_has_the_animal_for_nothing():
    """K11: he pays nobody."""
    match = play(fresh("cow", "cow"), "0 auction / 1 pass / 2 pass")
    assert animals(match, 0) == {"cow": 1}
    assert cash(match, 0) == 90
    assert "Nobody bids: the cow goes to Ada." in told(match, 1)
    play(match, "1 auction / 2 pass / 0 bid 10 / 2 pass / 1 sell / 0 pay 10")
    assert animals(match, 0) == {"cow": 2}


# --- the trade --------------------------------------------------------------------------------------------------------


def test_a_challenger_may_offer_no_card_at_all():
    """K12: and the challenged may take it."""
    match = play(position(animals=PAIR), "0 trade cow with 1 / 0 offer nothing")
    assert match.view(1)["trade"]["offered"] == 0
    play(match, "1 accept")
    assert animals(match, 0) == {"cow": 2}
    assert [cash(match, seat) for seat in range(3)] == [90, 90, 90]
    assert told(match, 1) == ["You accept the hidden offer and hand the cow to Ada.", "You receive nothing."]
    assert told(match, 2) == ["Ben accepts the hidden offer and hands the cow to Ada."]


def test_the_challenged_may_counter_with_no_card():
    """K12: he keeps the offer and loses the animal."""
    match = play(position(animals=PAIR), "0 trade cow with 1 / 0 offer 50 / 1 counter nothing")
    assert animals(match, 0) == {"cow": 2}
    assert money(match, 1) == [50, *START]
    assert told(match, 0) == [
        "Ben counters with no card.",
        "You receive nothing for your 50.",
        "You win the cow from Ben.",
    ]
    assert told(match, 1) == [
        "You counter with no card.",
        "You receive 50 for nothing.",
        "Ada wins the cow from you.",
    ]


def test_without_empty_offers_at_least_one_card_is_laid_and_a_zero_will_do():
    """K12: empty_offer = false, for offers and counters."""
    match = play(position(animals=PAIR, empty_offer=False), "0 trade cow with 1")
    with pytest.raises(Illegal, match="At least one card"):
        match.play(0, "offer nothing")
    play(match, "0 offer 0")
    with pytest.raises(Illegal, match="At least one card"):
        match.play(1, "counter nothing")
    play(match, "1 counter 0")
    assert match.view()["trade"]["round"] == 2


def test_without_empty_offers_an_empty_hand_still_offers_nothing():
    """K12: there is no card to lay."""
    match = play(position([[], [], [500]], PAIR, empty_offer=False), "0 trade cow with 1 / 0 offer nothing / 1 counter")
    assert match.view()["trade"]["round"] == 2


def test_zeros_change_hands_with_the_stack_they_lie_in():
    """K13: also in an accepted offer."""
    match = play(position(animals=PAIR), "0 trade cow with 1 / 0 offer 50 0 0 / 1 counter 10 0")
    assert money(match, 0) == [10, 10, 10, 10, 10, 0]
    assert money(match, 1) == [50, 50, 10, 10, 10, 0, 0, 0]
    match = play(position(animals=PAIR), "0 trade cow with 1 / 0 offer 0 0 / 1 accept")
    assert money(match, 1) == [*START, 0, 0]


@pytest.mark.parametrize("reply", ["accept", "counter 10 0", "counter 50 0"])
def test_zeros_go_back_to_whoever_laid_them(reply):
    """K13: zeros_return = true, after a counter-offer, a tie and an accepted offer."""
    match = play(position(animals=PAIR, zeros_return=True), f"0 trade cow with 1 / 0 offer 50 0 0 / 1 {reply}")
    for seat in (0, 1):
        assert money(match, seat).count(0) == 2
    assert cash(match, 0) == 90 + {"accept": -50, "counter 10 0": -40, "counter 50 0": 0}[reply]
    assert certain(match, 1, 0).count(0) == 2  # he has seen them


def test_after_a_tie_the_stacks_stay_exchanged():
    """K14: equal in value, different in cards."""
    match = play(position(animals=PAIR), "0 trade cow with 1 / 0 offer 50 0 / 1 counter 10 10 10 10 0")
    assert match.view()["phase"] == "turn"  # 50 against 40 is no tie
    hands = [[50, 0], [10] * 5 + [0], [500]]
    match = play(position(hands, PAIR), "0 trade cow with 1 / 0 offer 50 / 1 counter 10 10 10 10 10")
    assert money(match, 0) == [10, 10, 10, 10, 10, 0]
    assert money(match, 1) == [50, 0]
    assert match.asked == (0,)
    assert told(match, 0)[-1] == "Both offers are equal: you offer again, for the last time."
    assert told(match, 2)[-1] == "Both offers are equal: Ada offers again, for the last time."
    assert match.question(0) == "Lay your offer to Ben for the cow face down, second and last time."


def test_after_a_tie_the_stacks_go_back():
    """K14: tie_money = returned; both have seen them all the same."""
    hands = [[50, 0], [10] * 5 + [0], [500]]
    match = play(position(hands, PAIR, tie_money="returned"), "0 trade cow with 1 / 0 offer 50 / 1 counter 10 10 10 10 10")
    assert money(match, 0) == [50, 0]
    assert money(match, 1) == [10, 10, 10, 10, 10, 0]
    assert certain(match, 0, 1) == [10] * 5
    assert certain(match, 1, 0) == [50]
    assert certain(match, 2, 0) == certain(match, -1, 1) == []


def test_a_tie_in_the_second_trade_gives_the_animal_to_the_challenger():
    """K15: for free, with different stacks in both rounds, which stay exchanged."""
    hands = [[50, 50, 0], [100, 10, 10, 10, 10, 10], [500]]
    match = play(position(hands, PAIR), "0 trade cow with 1 / 0 offer 50 / 1 counter 10 10 10 10 10")
    play(match, "0 offer 50 10 10 10 10 10 / 1 counter 100 / 1 auction")
    assert animals(match, 0) == {"cow": 2}
    assert animals(match, 1) == {}
    assert money(match, 0) == [100, 0]
    assert money(match, 1) == [50, 50, 10, 10, 10, 10, 10]
    assert told(match, 0, 2)[:3] == [
        "Ben counters with 1 card.",
        "You receive 100 for your 50, 10, 10, 10, 10, 10 (100).",
        "After a second tie you win the cow from Ben.",
    ]
    assert told(match, 2, 2)[1] == "After a second tie Ada wins the cow from Ben."


def test_a_second_tie_with_returned_stacks_also_gives_the_animal_to_the_challenger():
    """K15: tie_money = returned; nobody has lost a card."""
    hands = [[50, 50, 0], [100, 10, 10, 10, 10, 10], [500]]
    match = position(hands, PAIR, tie_money="returned")
    play(match, "0 trade cow with 1 / 0 offer 50 / 1 counter 10 10 10 10 10 / 0 offer 50 50 / 1 counter 100")
    assert animals(match, 0) == {"cow": 2}
    assert [money(match, seat) for seat in range(2)] == [[50, 50, 0], [100, 10, 10, 10, 10, 10]]


def test_two_empty_stacks_are_a_tie():
    """K15: nothing against nothing, twice."""
    match = play(position(animals=PAIR), "0 trade cow with 1 / 0 offer / 1 counter")
    assert match.view()["trade"]["round"] == 2
    play(match, "0 offer 0 / 1 counter")
    assert animals(match, 0) == {"cow": 2}
    assert money(match, 1) == [*START, 0]


def test_a_second_round_that_is_no_tie_is_won_by_the_higher_offer():
    """K15: the free gift is only for a second tie."""
    match = play(position(animals=PAIR), "0 trade cow with 1 / 0 offer 10 / 1 counter 10 / 0 offer / 1 counter 10")
    assert animals(match, 1) == {"cow": 2}
    assert cash(match, 0) == 100


def test_the_challenged_may_accept_in_the_second_round():
    """K16: both answers are open again."""
    match = play(position(animals=PAIR), "0 trade cow with 1 / 0 offer 10 / 1 counter 10 / 0 offer 50")
    assert legal(match, 1) == {"accept", "counter any cards"}
    play(match, "1 accept")
    assert animals(match, 0) == {"cow": 2}
    assert cash(match, 1) == 140


def test_two_against_two_is_for_both_pairs():
    """K17: and so completes the kind."""
    match = play(position(animals=[{"cow": 2}, {"cow": 2}]), "0 trade cow with 1")
    assert match.view()["trade"]["stake"] == 2
    assert told(match, 1) == ["Ada challenges you for the 2 cows."]
    play(match, "0 offer / 1 counter 10")
    assert animals(match, 1) == {"cow": 4}
    assert animals(match, 0) == {}
    assert told(match, 2)[-1] == "Ben completes the set of cows, worth 800."


@pytest.mark.parametrize(("own", "other"), [(3, 1), (1, 3), (2, 1), (1, 2), (1, 1)])
@pytest.mark.parametrize("reply", ["accept", "counter 10"])
def test_any_other_trade_is_for_one_card(own, other, reply):
    """K18: 3-1, 1-3, 2-1, 1-2 and 1-1."""
    match = play(position(animals=[{"goose": own}, {"goose": other}]), f"0 trade goose with 1 / 0 offer / 1 {reply}")
    moved = 1 if reply == "accept" else -1
    assert animals(match, 0).get("goose", 0) == own + moved
    assert animals(match, 1).get("goose", 0) == other - moved


def test_a_challenger_without_money_must_trade_and_offers_no_card():
    """K19: the deck is empty."""
    match = position([[], [10], [500]], [{"cow": 2}, {"cow": 2}], deck=[])
    assert legal(match, 0) == {"trade cow with 1"}
    play(match, "0 trade cow with 1 / 0 offer nothing")
    assert match.asked == (1,)


def test_a_challenged_player_without_money_can_accept_or_counter():
    """K20: with zeros or no card."""
    start = position([[50], [0], [500]], PAIR)
    match = play(start.copy(), "0 trade cow with 1 / 0 offer nothing / 1 counter 0 / 0 offer / 1 counter")
    assert animals(match, 0) == {"cow": 2}
    match = play(start.copy(), "0 trade cow with 1 / 0 offer 50 / 1 counter")
    assert money(match, 1) == [50, 0]
    match = play(start.copy(), "0 trade cow with 1 / 0 offer 50 / 1 accept")
    assert money(match, 1) == [50, 0]


def test_with_an_empty_deck_players_without_a_trade_are_skipped():
    """K21: whoever has only complete kinds, or no animal, makes no move."""
    own = [{"cow": 1}, {"pig": 4}, {}, {"cow": 3}]
    match = position([[10]] * 4 + [[10]], [*own, {}], deck=[])
    play(match, "0 trade cow with 3 / 0 offer / 3 counter 10")
    assert match.over  # the last kind is complete now
    match = position([[10]] * 4 + [[10]], [*own, {}], deck=[])
    play(match, "0 trade cow with 3 / 0 offer 10 / 3 accept")
    assert match.asked == (3,)
    assert match.question(3) == "Your turn: the deck is empty, propose a trade."
    assert match.question(0) == "Dot must propose a trade."
    play(match, "3 trade cow with 0 / 3 offer / 0 accept")
    assert match.over


def test_a_first_player_without_a_trade_is_skipped_if_all_animals_were_dealt():
    """K21: quick_deal4 with so few animals that no deck is left."""
    copies = [4 if animal in ("cow", "pig", "goose") else 0 for animal in state.ANIMALS]
    game = outbid.game("kuhhandel", "quick", copies=copies)
    pairs = ["pig", "pig", "goose", "goose"]
    match = game.load(NAMES[:3], {"start": 0, "deck": [], "dealt": [["cow"] * 4, pairs, pairs]})
    assert match.asked == (1,)
    assert legal(match, 1) == {"trade pig with 2", "trade goose with 2"}


def test_after_the_last_auction_the_turn_goes_on_clockwise():
    """K22: from the last auctioneer."""
    own = [{"cow": 1, "pig": 2}, {"cow": 1, "pig": 2}, {"cow": 1}]
    rest = {animal: 4 for animal in state.ANIMALS if animal not in ("cow", "pig")}
    match = position(animals=[own[0], own[1], {**own[2], **rest}], deck=["cow"], turn=1)
    play(match, "1 auction / 2 pass / 0 pass")
    assert match.asked == (2,)
    assert legal(match, 2) == {"trade cow with 0", "trade cow with 1"}
    play(match, "2 trade cow with 0 / 2 offer / 0 accept")
    assert match.asked == (0,)


def circling(**options):
    """Three players with one cow too few to be done soon, and a deck that is not needed."""
    return position([[10] * 2] * 3, [{"cow": 2}, {"cow": 1}, {"cow": 1}], **options)


def circle(match, trades):
    """Trades in which the second cow wanders round the table."""
    for _ in range(trades):
        seat = match.asked[0]
        left = (seat + 1) % 3
        play(match, f"{seat} trade cow with {left} / {seat} offer / {left} counter 10")
    return match


def test_a_hundred_trades_in_a_row_without_a_new_set_end_the_match_even_with_cards_in_the_deck():
    """K23: incomplete kinds count nothing."""
    match = circle(circling(), 99)
    assert not match.over
    circle(match, 1)
    assert match.over
    assert match.view()["deck"] > 0
    assert match.scores == [0, 0, 0]
    assert match.winners == [0, 1, 2]
    assert told(match, 1)[-2:] == [
        "100 trades in a row completed no set: the match ends.",
        "The match is over. Most points: Ada, you and Cem with 0.",
    ]


def test_an_auction_starts_the_count_of_trades_again():
    """K23: trade_stall = 3."""
    match = circle(circling(trade_stall=3, deck=["pig", "dog", "cat"]), 2)
    for _ in range(3):
        unwanted(match)
    circle(match, 2)
    assert not match.over
    circle(match, 1)
    assert match.over


def test_a_completed_set_starts_the_count_of_trades_again():
    """K23: trade_stall = 2; the trade that completes a set does not count."""
    match = position(animals=[{"cow": 1, "pig": 3}, {"cow": 2, "pig": 1}, {"cow": 1}], trade_stall=2)
    play(match, "0 trade cow with 2 / 0 offer / 2 accept / 1 trade pig with 0 / 1 offer / 0 counter 10")
    assert animals(match, 0) == {"cow": 2, "pig": 4}
    assert match.state.streak == 0
    play(match, "2 auction / 0 pass / 1 pass / 0 trade cow with 1")  # both pairs: completes the next one
    play(match, "0 offer / 1 accept")
    assert match.state.streak == 0
    assert not match.over


def test_a_trade_with_a_tie_counts_once():
    """K23: two rounds are one trade."""
    match = play(circling(trade_stall=2), "0 trade cow with 1 / 0 offer / 1 counter / 0 offer / 1 counter")
    assert match.state.streak == 1
    assert not match.over


def test_with_the_stall_rule_off_a_hard_cap_ends_the_match():
    """K23: trade_stall = 0; the turn of the 20,000th move is finished."""
    match = circle(circling(trade_stall=0), 120)
    assert not match.over
    match.state.moves = state.MOVE_CAP - 1
    seat = match.asked[0]
    play(match, f"{seat} trade cow with {(seat + 1) % 3}")
    assert not match.over
    match = circling(trade_stall=0)
    match.state.moves = match._start.moves = state.MOVE_CAP - 3
    circle(match, 1)
    assert match.over
    assert told(match, 0)[-2] == "20000 moves have been made: the match ends."


@pytest.mark.parametrize("trade_stall", [10_000, 2**31 - 1])
def test_a_stall_rule_that_comes_later_than_the_hard_cap_does_not_take_it_away(trade_stall):
    """K23"""
    match = circling(trade_stall=trade_stall)
    match.state.moves = match._start.moves = state.MOVE_CAP - 3
    assert circle(match, 1).over


def test_without_exclusion_the_hard_cap_ends_an_auction_that_is_repeated_for_ever():
    """K23: and K6, reauction_excludes = false; nobody has the animal."""
    match = fresh("pig", reauction_excludes=False)
    match.state.moves = match._start.moves = state.MOVE_CAP - 4
    play(match, "0 auction / 1 bid 200 / 2 pass / 0 sell")
    assert match.over
    assert all(not animals(match, seat) for seat in range(3))
    assert told(match, 2)[-2] == "20000 moves have been made: the match ends."


def test_where_nobody_can_bid_too_much_no_hard_cap_is_needed():
    """K23: reauction_excludes = false means nothing with overbid = forbidden."""
    match = circling(reauction_excludes=False, overbid="forbidden")
    match.state.moves = match._start.moves = state.MOVE_CAP - 3
    assert not circle(match, 1).over


def test_at_a_donkey_everybody_is_paid_before_the_first_bid():
    """K24: 50, 100, 200 and 500, the auctioneer too."""
    match = fresh("donkey", "donkey", "donkey", "donkey")
    seat, before = 0, 90
    for n, note in enumerate((50, 100, 200, 500), 1):
        play(match, f"{seat} auction")
        before += note
        assert [cash(match, p) for p in range(3)] == [before] * 3
        assert match.view()["donkeys"] == n
        assert told(match, -1) == [
            f"{NAMES[seat]} turns over a donkey (the set is worth 500).",
            f"Donkey number {n}: everybody receives {note}.",
        ]
        play(match, f"{match.asked[0]} pass")
        play(match, f"{match.asked[0]} pass")
        seat = (seat + 1) % 3


def test_the_donkeys_pay_what_the_parameter_says():
    """K24: the parameter donkey_money."""
    match = play(fresh("donkey", donkey_money=[500, 0, 10, 10]), "0 auction / 1 pass / 2 pass")
    assert money(match, 2) == [500, *START]


def test_four_animals_dealt_blind_lie_open_and_their_donkeys_pay_everybody():
    """K24: quick_deal4; the next donkey of the deck pays the next amount."""
    dealt = [["donkey", "cow", "cow", "cow"], ["donkey", "pig", "pig", "pig"], ["horse"] * 4]
    deck = full_deck("donkey")
    for hand in dealt:
        for animal in hand:
            deck.remove(animal) if animal != "donkey" else deck.pop(len(deck) - 1 - deck[::-1].index("donkey"))
    match = outbid.game("kuhhandel", "quick").load(NAMES[:3], {"start": 2, "deck": deck, "dealt": dealt})
    assert match.view()["donkeys"] == 2
    assert money(match, 0) == [100, 50, *START]
    assert animals(match, 1) == {"donkey": 1, "pig": 3}
    assert match.scores == [0, 0, 1000]
    play(match, "2 auction")
    assert money(match, 0) == [200, 100, 50, *START]
    assert match.view()["deck"] == 27
    assert outbid.read_record(match.record()).record() == match.record()


# --- the end ----------------------------------------------------------------------------------------------------------

FARM = {"pig": 4, "dog": 4, "chicken": 3}
OTHERS = {"goose": 4, "cat": 4}


def last_trade(**options):
    """The last trade of a match; Ada then has pigs, dogs and chickens."""
    hands = options.pop("hands", [[10], [10], [10]])
    return position(hands, [FARM, {"chicken": 1, **OTHERS}], deck=[], **options)


def test_pigs_dogs_and_chickens_are_2460_points():
    """Section 9: the worked example."""
    match = play(last_trade(), "0 trade chicken with 1 / 0 offer 10 / 1 accept")
    assert match.over
    assert match.scores[:2] == [2460, 130 * 2]
    assert match.view()["players"][0]["score"] == 2460


def test_equal_scores_share_the_victory_whatever_the_money():
    """K25: final_tie = shared."""
    match = tied([[500], [10], [0]])
    assert match.scores[0] == match.scores[1]
    assert match.winners == [0, 1] == match.view()["winners"]


def tied(hands, **options):
    """Two players with the same score, by the parameter `values`; the third completes the last kind, which is worthless."""
    values = [0, 100, 100, 0, 0, 0, 0, 0, 0, 0]
    match = position(hands, [{"goose": 4, "chicken": 1}, {"cat": 4}], deck=[], values=values, turn=2, **options)
    return play(match, "2 trade chicken with 0 / 2 offer / 0 accept")


def test_more_money_decides_between_equal_scores():
    """K25: final_tie = money; all money is shown, and the log says who won."""
    match = tied([[50, 10], [100], [500]], final_tie="money")
    assert match.winners == [1]
    for viewer in range(-1, 3):
        assert match.view(viewer)["winners"] == [1]
        assert certain(match, viewer, 0) == [50, 10] or viewer == 0
    assert told(match, 0)[-2:] == [
        "The match is over. Most points: you and Ben with 100.",
        "Money decides: Ben with 100.",
    ]


def test_equal_scores_and_equal_money_share_the_victory():
    """K25: final_tie = money."""
    match = tied([[50, 50], [100], [500]], final_tie="money")
    assert match.winners == [0, 1] == match.view()["winners"]
    assert told(match, 2)[-1] == "Money decides: Ada and Ben with 100."


def test_without_a_tie_money_decides_nothing():
    """K25: final_tie = money, but the scores differ."""
    match = play(last_trade(final_tie="money", hands=[[10], [500], [0]]), "0 trade chicken with 1 / 0 offer / 1 accept")
    assert match.winners == [int(max(range(3), key=match.scores.__getitem__))]
    assert not any("Money decides" in line.text for line in match.log(-1))


def test_two_equal_bids_cannot_both_stand():
    """K26: in rotation one is asked after the other; in an open outcry the second is too late."""
    match = play(fresh("cow"), "0 auction / 1 bid 50")
    with pytest.raises(Illegal, match="must be higher than 50"):
        match.play(2, "bid 50")
    match = play(fresh("cow", players=4, bidding="realtime"), "0 auction / 3 bid 50")
    with pytest.raises(Illegal, match="must be higher than 50"):
        match.play(1, "bid 50")


def test_in_an_open_outcry_anybody_but_the_leader_bids_at_any_time_until_the_clock_closes():
    """K26: bidding = realtime."""
    match = play(fresh("cow", players=4, bidding="realtime"), "0 auction / 3 bid 20 / 1 bid 30")
    assert match.asked == (2, 3)
    with pytest.raises(NotYourTurn):
        match.play(1, "bid 40")
    with pytest.raises(Illegal):
        match.play(2, "pass")
    with pytest.raises(Illegal):
        match.play(2, "close")
    play(match, "3 bid 40 / clock close")
    assert match.asked == (0,)
    assert not match.clock
    play(match, "0 sell / 3 pay 10 10 10 10")
    assert animals(match, 3) == {"cow": 1}


def test_in_an_open_outcry_the_clock_gives_an_animal_nobody_wants_to_the_auctioneer():
    """K26: bidding = realtime, and K11."""
    match = play(fresh("cow", bidding="realtime"), "0 auction / clock close")
    assert animals(match, 0) == {"cow": 1}
    assert told(match, 0) == ["Nobody bids: the cow goes to you."]


def test_in_an_open_outcry_with_everybody_excluded_the_clock_is_not_waited_for():
    """K26: bidding = realtime, and K6."""
    match = fresh("cow", bidding="realtime")
    play(match, "0 auction / 1 bid 100 / clock close / 0 sell")
    assert match.asked == (2,)
    play(match, "2 bid 100 / clock close / 0 sell")
    assert animals(match, 0) == {"cow": 1}
    assert match.asked == (1,)


def test_in_dropout_a_pass_is_final_for_the_auction_and_a_repetition_starts_afresh():
    """K26: bidding = dropout; the last undecided bidder is still asked."""
    match = play(fresh("cow", players=4, bidding="dropout"), "0 auction / 1 pass / 2 pass")
    assert match.asked == (3,)
    assert match.view()["auction"]["passed"] == [1, 2]
    play(match, "3 bid 100")
    assert match.view()["phase"] == "hammer"
    play(match, "0 sell")
    assert match.asked == (1,)
    assert match.view()["auction"]["passed"] == []
    play(match, "1 bid 10 / 2 bid 20")
    assert match.asked == (1,)
    play(match, "1 pass / 0 sell / 2 pay 50")


def test_in_rotation_a_pass_is_not_now_and_a_bid_reopens_the_question():
    """K26: bidding = rotation; the asking goes on clockwise from the bidder."""
    match = play(fresh("cow", players=5, start=1), "1 auction / 2 pass / 3 bid 10 / 4 pass / 0 pass")
    assert match.asked == (2,)
    play(match, "2 bid 20")
    assert match.asked == (3,)
    play(match, "3 pass / 4 pass / 0 bid 30 / 2 pass / 3 pass / 4 pass")
    assert match.view()["phase"] == "hammer"


def test_a_bidder_who_can_only_pass_is_asked():
    """K26: skipping him would show that he has nothing to say."""
    match = play(position([[10], [], [10]], overbid="forbidden"), "0 auction")
    assert match.asked == (1,)
    assert legal(match, 1) == {"pass"}


def test_one_may_trade_as_soon_as_a_kind_is_split():
    """K27: at any turn, also before the first donkey."""
    match = play(fresh("cow", "cow", "horse"), "0 auction / 1 pass / 2 pass / 1 auction / 2 pass / 0 pass")
    assert legal(match, 2) == {"auction"}
    play(match, "2 auction / 0 pass / 1 pass")
    assert legal(match, 0) == {"auction", "trade cow with 1"}
    for move, reason in (
        ("trade horse with 2", "You own no horse"),
        ("trade cow with 2", "Seat 2 owns no cow"),
        ("trade cow with 0", "Seat 0 is no other player"),
        ("trade cow with 7", "Seat 7 is no other player"),
    ):
        with pytest.raises(Illegal, match=reason):
            match.play(0, move)
    assert match.question(0) == "Your turn: auction the next animal, or propose a trade."


def test_nobody_can_be_challenged_for_a_complete_kind():
    """K27: nor can its owner challenge."""
    match = position(animals=[{"cow": 4, "pig": 1}, {"pig": 1}], turn=1)
    assert legal(match, 1) == {"auction", "trade pig with 0"}


def test_bids_and_trades_cannot_be_taken_back():
    """K28: there is no such move."""
    match = play(fresh("cow"), "0 auction / 1 bid 50")
    for move in ("pass", "bid 10"):
        with pytest.raises(NotYourTurn):
            match.play(1, move)
    match = play(position(animals=PAIR), "0 trade cow with 1")
    with pytest.raises(Illegal, match="not possible to auction now"):
        match.play(0, "auction")
    play(match, "0 offer 10")
    with pytest.raises(NotYourTurn):
        match.play(0, "offer 50")


def everything_sent(match, seat):
    """All that a seat is given."""
    return repr((match.view(seat), match.question(seat), match.log(seat), match.legal(seat) if seat >= 0 else None))


@pytest.mark.parametrize("view", ["public", "hidden"])
def test_nobody_but_the_challenger_can_read_the_offer(view):
    """K29: whatever lies there, the others are sent the same."""
    hands = [[500, 200, 100, 0], [50], [10]]
    one = play(position(hands, PAIR, offer_count_view=view), "0 trade cow with 1 / 0 offer 500 0")
    two = play(position(hands, PAIR, offer_count_view=view), "0 trade cow with 1 / 0 offer 200 100")
    for seat in (1, 2, -1):
        assert everything_sent(one, seat) == everything_sent(two, seat)
        assert one.hidden(seat) == two.hidden(seat)
        assert one.view(seat)["trade"]["cards"] is None
    assert one.view(0)["trade"]["cards"] == [0, 500]
    assert two.view(0)["trade"]["cards"] == [100, 200]
    assert told(one, 0) == ["You lay 2 cards face down: 500, 0 (500)."]


def test_with_hidden_counts_not_even_the_size_of_the_offer_shows():
    """K29: offer_count_view = hidden; hands are then shown as if the offer were still in them."""
    hands = [[500, 200, 100, 0], [50], [10]]
    one = play(position(hands, PAIR, offer_count_view="hidden"), "0 trade cow with 1 / 0 offer 500 0")
    two = play(position(hands, PAIR, offer_count_view="hidden"), "0 trade cow with 1 / 0 offer nothing")
    for seat in (1, 2, -1):
        assert everything_sent(one, seat) == everything_sent(two, seat)
        assert one.view(seat)["trade"]["offered"] is None
        assert cards_shown(one, seat)[0] == 4
    assert one.view(0)["trade"]["offered"] == 2
    assert cards_shown(one, 0)[0] == 2
    assert one.question(1) == "Ada offers cards for the cow: accept, or counter."
    assert one.question(0) == "Ben answers your offer of 2 cards for the cow."
    assert told(one, 2) == ["Ada lays cards face down."]


@pytest.mark.parametrize(("players", "ruling"), [(2, "K30"), (6, "K31"), (1, "K30")])
def test_fewer_than_three_and_more_than_five_players_are_refused(players, ruling):
    """K30: no two players; K31: no six."""
    with pytest.raises(BadSetup, match="for 3 to 5 players"):
        outbid.game("kuhhandel").new(players=players)


def test_two_may_play_where_a_parameter_says_so_and_the_other_is_the_only_bidder():
    """K30: least_players; the one bidder is asked once."""
    with pytest.raises(BadSetup, match="for 2 to 5 players"):
        outbid.game("kuhhandel", least_players=2).new(players=1)
    match = play(fresh("cow", "pig", players=2, least_players=2), "0 auction / 1 bid 40")
    assert match.asked == (0,)
    assert legal(match, 0) == {"sell", "buy"}
    play(match, "0 buy / 0 pay 10 10 10 10 / 1 auction / 0 pass")
    assert [animals(match, seat) for seat in range(2)] == [{"cow": 1}, {"pig": 1}]
    assert match.asked == (0,)


def test_with_a_fixed_start_seat_0_begins():
    """Section 2: the parameter fixed_start; the seeds draw everybody, and a deal with another start is refused."""
    assert {outbid.game("kuhhandel").new(3, seed).asked for seed in range(40)} == {(0,), (1,), (2,)}
    assert {outbid.game("kuhhandel", fixed_start=True).new(3, seed).asked for seed in range(40)} == {(0,)}
    with pytest.raises(BadSetup, match="with fixed_start it must be 0"):
        fresh(start=1, fixed_start=True)


def test_a_deal_with_a_fixed_start_is_read_again_where_seat_0_has_nothing_to_do():
    """K21: the deck is empty from the start, and who has no trade is skipped."""
    game = outbid.game("kuhhandel", quick_deal4=True, fixed_start=True, copies=[2, 2, 2, 0, 0, 0, 0, 0, 0, 0])
    matches = [game.new(3, seed) for seed in range(60)]
    assert len({match.asked for match in matches}) > 1
    for match in matches:
        assert outbid.read_record(match.record()).state == match.state


def test_the_most_start_money_there_can_be_fits_into_one_hand():
    """The parameter start_money: five players' 30 cards each, wandering round the table."""
    chain = [{"cow": 1}, {"cow": 1, "pig": 1}, {"pig": 1, "cat": 1}, {"cat": 1, "dog": 1}, {"dog": 1}]
    match = position([[0, 10, 50, 100, 200, 500] * 5] * 5, chain)
    for seat, animal in enumerate(("cow", "pig", "cat", "dog")):
        play(match, f"{seat} trade {animal} with {seat + 1}")
        match.play(seat, {"do": "offer", "cards": money(match, seat)})
        match.play(seat + 1, "accept")
    assert not match.state.overflow()
    assert cards_shown(match) == [0, 0, 0, 0, 150]


# --- the options of the trade's money ---------------------------------------------------------------------------------


@pytest.mark.parametrize("counter", ["10", "50 10"])
def test_with_winner_pays_only_the_winners_stack_moves(counter):
    """K13: winner_pays; the loser takes his own back, zeros as well."""
    match = position(animals=PAIR, winner_pays=True)
    play(match, f"0 trade cow with 1 / 0 offer 10 10 10 10 0 / 1 counter {counter}")
    winner = 0 if counter == "10" else 1
    assert animals(match, winner) == {"cow": 2}
    loser = 1 - winner
    paid = [10, 10, 10, 10, 0] if winner == 0 else [50, 10]
    assert sorted(money(match, loser)) == sorted(START + paid)
    assert sorted(money(match, winner) + paid) == sorted(START)


def test_with_winner_pays_both_have_still_looked_at_both_stacks():
    """K13: winner_pays; the loser's stack is known to the winner, though it went back."""
    hands = [[100, 50], [10, 10, 0], [500]]
    match = play(position(hands, PAIR, winner_pays=True), "0 trade cow with 1 / 0 offer 50 / 1 counter 10 0")
    assert certain(match, 0, 1) == [50, 10, 0]
    assert certain(match, 1, 0) == []
    assert "Ben counters with 10, 0 (10)." in told(match, 0)
    assert money(match, 1) == [50, 10, 10, 0]


def test_with_winner_pays_an_accepted_offer_is_paid_and_ties_follow_tie_money():
    """K14: winner_pays with both values of tie_money."""
    match = play(position(animals=PAIR, winner_pays=True), "0 trade cow with 1 / 0 offer 50 / 1 accept")
    assert cash(match, 1) == 140
    hands = [[50, 0], [10] * 5, [500]]
    for tie_money, ada in (("exchanged", [10] * 5 + [0]), ("returned", [50, 0])):
        match = position(hands, PAIR, winner_pays=True, tie_money=tie_money)
        play(match, "0 trade cow with 1 / 0 offer 50 / 1 counter 10 10 10 10 10")
        assert money(match, 0) == ada


# --- who learns which cards when --------------------------------------------------------------------------------------


def paid(**options):
    """Ben pays Ada 60 with a 50 and a 10; Cem looks on."""
    hands = [[10], [100, 50, 50, 10, 10], [500]]
    return play(position(hands, deck=["cow"], **options), "0 auction / 1 bid 60 / 2 pass / 0 sell / 1 pay 50 10")


def test_payer_and_payee_know_the_cards_of_a_payment_and_others_price_and_number():
    """K10: auction_payment_view = parties (section 10)."""
    match = paid()
    assert told(match, 1) == ["You pay Ada 50, 10 (60) for the cow."]
    assert told(match, 0) == ["Ben pays you 50, 10 (60) for the cow."]
    assert told(match, 2) == told(match, -1) == ["Ben pays Ada at least 60 with 2 cards for the cow."]
    assert certain(match, 1, 0) == [50, 10]
    assert certain(match, 2, 0) == certain(match, -1, 0) == [50]  # two cards that are both needed for 60 hold a 50


def test_everybody_sees_the_cards_of_a_payment():
    """K10: auction_payment_view = public (section 10)."""
    match = paid(auction_payment_view="public")
    for viewer in (2, -1):
        assert told(match, viewer) == ["Ben pays Ada 50, 10 (60) for the cow."]
        assert certain(match, viewer, 0) == [50, 10]


def test_everybody_learns_that_whoever_is_asked_to_pay_can_pay():
    """K4: worlds dealt anew for a thinking player respects it."""
    match = play(position([[500], [100], [10]], deck=["cow"]), "0 auction / 1 bid 80 / 2 pass / 0 sell")
    assert match.asked == (1,)
    for viewer in (-1, 0, 2):
        assert bounds(match, viewer, 1)[0] == 80
    match = play(position([[500], [100], [10]], deck=["cow"]), "0 auction / 1 bid 80 / 2 pass / 0 buy")
    for viewer in (-1, 1, 2):
        assert bounds(match, viewer, 0)[0] == 80
        assert bounds(match, viewer, 2)[0] == 0


def test_a_sale_shows_nothing_of_the_auctioneers_money():
    """K8: whether he could have bought stays his secret."""
    match = paid()
    assert bounds(match, 2, 0)[0] == 60


def test_after_an_accepted_offer_the_two_know_its_cards_and_others_their_number():
    """K16: and section 10, for an offer that is taken."""
    hands = [[200, 100, 0], [50], [10]]
    match = play(position(hands, PAIR), "0 trade cow with 1 / 0 offer 200 0 / 1 accept")
    assert told(match, 1)[-1] == "You receive 200, 0 (200)."
    assert certain(match, 0, 1) == [200, 0]
    assert certain(match, 2, 1) == certain(match, -1, 1) == []
    assert cards_shown(match) == [1, 3, 1]
    assert told(match, 2) == ["Ben accepts the hidden offer and hands the cow to Ada."]


def test_after_a_counter_offer_the_two_know_both_stacks_and_others_only_who_won():
    """K13: and section 10, counted in secret."""
    hands = [[200, 100, 0], [50, 10], [10]]
    match = play(position(hands, PAIR), "0 trade cow with 1 / 0 offer 200 0 / 1 counter 50")
    assert told(match, 0) == [
        "Ben counters with 1 card.",
        "You receive 50 for your 200, 0 (200).",
        "You win the cow from Ben.",
    ]
    assert told(match, 1) == ["You counter with 50.", "You receive 200, 0 (200) for your 50.", "Ada wins the cow from you."]
    assert told(match, 2) == told(match, -1) == ["Ben counters with 1 card.", "Ada wins the cow from Ben."]
    assert certain(match, 0, 1) == [200, 0]
    assert certain(match, 1, 0) == [50]
    assert certain(match, 2, 0) == certain(match, 2, 1) == []


def test_after_a_tie_the_two_know_both_stacks_and_others_that_it_was_a_tie():
    """K14: and section 10, the stacks exchanged."""
    hands = [[50, 10], [10] * 6, [500]]
    match = play(position(hands, PAIR), "0 trade cow with 1 / 0 offer 50 / 1 counter 10 10 10 10 10")
    assert told(match, 0)[1] == "You receive 10, 10, 10, 10, 10 (50) for your 50."
    assert told(match, 2) == ["Ben counters with 5 cards.", "Both offers are equal: Ada offers again, for the last time."]
    assert certain(match, 0, 1) == [50]
    assert certain(match, 1, 0) == [10] * 5


def test_the_parties_are_told_what_they_gained_where_stacks_may_go_back():
    """K13: the log with zeros_return."""
    match = play(position(animals=PAIR, zeros_return=True), "0 trade cow with 1 / 0 offer 50 0 / 1 counter 10")
    assert "You have gained 10 and lost 50." in told(match, 0)
    assert "You have gained 50 and lost 10." in told(match, 1)


@pytest.mark.parametrize(
    ("options", "reply"),
    [({"zeros_return": True}, "counter 10"), ({"winner_pays": True}, "counter 50 10"),
     ({"tie_money": "returned"}, "counter 50"), ({"zeros_return": True, "offer_count_view": "hidden"}, "accept")],
)  # fmt: skip
def test_who_answers_is_told_what_the_challenger_laid_where_it_may_go_back(options, reply):
    """K13, K14: both have seen both stacks."""
    match = play(position(animals=PAIR, **options), f"0 trade cow with 1 / 0 offer 50 0 0 / 1 {reply}")
    assert "Ada had laid 50, 0, 0 (50)." in told(match, 1)
    for other in (0, 2, -1):
        assert not any("had laid" in line for line in told(match, other))


@pytest.mark.parametrize(
    ("offers", "hands", "options"),
    [
        ((([0, 0], [0, 0]), ([10, 10], [10, 10])), None, {"zeros_return": True}),
        ((([0, 0], [0, 10]), ([0, 10], [10, 10])), None, {"zeros_return": True}),
        ((([0, 10], [10]), ([10], [0, 10])), None, {"hand_count_view": "hidden", "offer_count_view": "hidden"}),
        ((([0, 10, 10, 10], [10, 10, 10]), ([0, 10, 50, 50], [0, 10, 100])),
         [[0, 0, 10, 10, 10, 10, 10, 50, 50], [0, 0, 10, 10, 10, 10, 10, 10, 100, 100, 100], [0, 10]],
         {"zeros_return": True, "hand_count_view": "hidden"}),
    ],
)  # fmt: skip
def test_two_counter_offers_that_look_alike_to_others_leave_them_with_the_same_memory(offers, hands, options):
    """K13, K14, K29: neither zeros that went back nor the longer stack show."""
    matches = [
        play(position(hands, PAIR, open_hands=True, **options), "0 trade cow with 1")
        for _ in offers
    ]
    for match, (offer, reply) in zip(matches, offers, strict=True):
        match.play(0, {"do": "offer", "cards": offer})
        match.play(1, {"do": "counter", "cards": reply})
    one, two = matches
    for viewer in (2, -1):
        assert told(one, viewer, 2) == told(two, viewer, 2)
        assert one.view(viewer) == two.view(viewer)
        assert one.hidden(viewer) == two.hidden(viewer)


def test_with_hidden_hand_counts_only_ones_own_number_of_cards_shows():
    """Section 10: hand_count_view = hidden."""
    match = play(position(animals=PAIR, hand_count_view="hidden"), "0 trade cow with 1 / 0 offer 10 / 1 accept")
    assert cards_shown(match) == [None, None, None]
    assert cards_shown(match, 1) == [None, 8, None]


def test_with_all_counts_hidden_third_parties_lose_count_of_the_hands():
    """Section 10: both count views hidden; only what they cannot have missed stays."""
    options = {"hand_count_view": "hidden", "offer_count_view": "hidden"}
    start = position(animals=PAIR, open_hands=True, **options)
    one = play(start.copy(), "0 trade cow with 1 / 0 offer 10 / 1 accept")
    two = play(start.copy(), "0 trade cow with 1 / 0 offer 10 10 10 / 1 accept")
    for seat in (2, -1):
        assert everything_sent(one, seat) == everything_sent(two, seat)
        assert one.hidden(seat) == two.hidden(seat)
    assert one.hidden(1) != two.hidden(1)


def test_an_offer_lying_on_the_table_is_not_counted_in_the_hand():
    """Section 10: the number of cards that everybody sees."""
    match = play(position(animals=PAIR), "0 trade cow with 1 / 0 offer 10 0")
    for seat in range(-1, 3):
        assert cards_shown(match, seat) == [5, 7, 7]
        assert match.view(seat)["trade"]["offered"] == 2


def test_the_deck_is_seen_by_nobody():
    """Section 10: its order changes nothing that is sent."""
    one, two = fresh("cow", "pig"), fresh("pig", "cow")
    for seat in range(-1, 3):
        assert everything_sent(one, seat) == everything_sent(two, seat)
        assert one.hidden(seat) == two.hidden(seat)


def test_the_score_is_worked_out_from_sets_only():
    """Section 9: three of a kind are nothing."""
    s = position(animals=[{"horse": 3, "chicken": 4}, {"horse": 1}]).state
    points = [0] * 3
    rules.score(s, points)
    assert points == [10, 0, 0]
