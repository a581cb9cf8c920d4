"""What can do nothing in a match is said before it begins, and only that; what cannot be played is refused.

A case is an option with its value, what else is set, and for how many players. IDLE has a case for every condition that an
option declares, ACTS one in which the option acts. An option that is said to have no effect is then played with and without.
"""

from __future__ import annotations

import random
import warnings
from itertools import zip_longest

import pytest

import outbid
from outbid.core import contract
from outbid.core.errors import BadOption
from outbid.core.language import i18n
from outbid.core.match import Match
from outbid.core.needs import If
from outbid.core.rulebook import rulebook, rulebooks
from tests.support.browsing import expect, visitor
from tests.support.commands import outbid_command

NO_DONKEYS = [4, 4, 4, 4, 4, 4, 0, 4, 4, 4]
PENNILESS = {"start_money": [2, 0, 0, 0, 0, 0], "copies": NO_DONKEYS}
BARE = {"start_money": [0] * 6, "copies": NO_DONKEYS}
SINGLES = {"copies": [1] * 10}
DEALT = {"quick_deal4": True, "copies": [4, 4, 4, 0, 0, 0, 0, 0, 0, 0]}  # to three players
FEW = {"coin_cards": 0, "currencies": 1}  # nine notes
UNSOLD = {"removed_certificates": 55, "certificates": 1}
POOR = {"start_money": 0, "contract_sets": 0}
FREE = {**POOR, "price": 0, "sale": 0, "dividends": [0] * 5}  # certificates, and never any money
SHUT = {"start_money": 1, "contract_sets": 0}  # three players can swap, and pay no more than 3
TWO = {"hand_cap": 1}  # two players play a bill each
UNDONE = "For-Ex can only be played if there are contracts to sign, certificates to buy or money to swap."
ALL = dict.fromkeys(("wild_wagers", "zero_risk", "bad_investment", "action_fund", "shopping_spree"), True)

# by game and option: of each condition in turn, (value, what else is set, players)
IDLE = {
    "kuhhandel": {
        "bidding": [("dropout", DEALT, 3), ("dropout", {"least_players": 2}, 2)],
        "overbid": [("forbidden", DEALT, 3), ("capped", PENNILESS, 4)],
        "reauction_excludes": [(False, DEALT, 3), (False, PENNILESS, 3), (False, {"overbid": "forbidden"}, 4)],
        "empty_offer": [(False, SINGLES, 4), (False, BARE, 3)],
        "payment": [("free", DEALT, 3), ("min_overpay", PENNILESS, 5)],
        "tie_money": [("returned", SINGLES, 3)],
        "trade_stall": [(2, SINGLES, 3), (1, {"copies": [2] * 10}, 3)],
        "winner_pays": [(True, SINGLES, 3)],
        "zeros_return": [(True, SINGLES, 4), (True, {"start_money": [0, 4, 1, 0, 0, 0]}, 4)],
        "final_tie": [("money", BARE, 4)],
        "hand_count_view": [("hidden", BARE, 3)],
        "offer_count_view": [("hidden", SINGLES, 3)],
        "auction_payment_view": [("public", DEALT, 3), ("public", PENNILESS, 3)],
        "bid_step": [(50, DEALT, 3), (50, PENNILESS, 3)],
        "values": [([11, *[40, 90, 160, 250, 350, 500, 650, 800, 1000]], {"copies": [0, *[4] * 9]}, 3)],
        "donkey_money": [([50, 100, 200, 0], {"copies": [4, 4, 4, 4, 4, 4, 3, 4, 4, 4]}, 4)],
        "least_players": [(2, {}, 3)],
    },
    "money": {
        "coins": [("silver_gold", {"coin_cards": 0}, 3)],
        "coin_triplet_bonus": [("once", {"coin_cards": 2}, 3), ("per_three", {"coin_bonus": 0}, 4)],
        "end_trigger": [("no_extra_round", {"rounds": 1}, 3)],
        "swap_order": [("original_order", {"least_players": 2}, 2)],
        "stall_rounds": [(2, {"rounds": 3}, 3)],
        "hand_cards": [(5, FEW, 3)],
        "display_cards": [(6, FEW, 3)],
        "full_value": [(150, {"penalty": 0}, 3), (191, {}, 4)],
        "penalty": [(30, {"full_value": 0}, 3)],
        "triplet_bonus": [(300, {"denominations": [2, 2, 1, 1, 1]}, 3)],
        "coin_bonus": [(50, {}, 4), (50, {"coin_triplet_bonus": "once", "coin_cards": 2}, 3)],
        "least_players": [(2, {}, 3)],
        "currencies": [(7, {}, 5)],
        "denominations": [([3, 3, 3, 1, 2], {}, 3)],
        "rounds": [(1000, {}, 3)],
    },
    "rivals": {
        "next_after_auction": [("left_of_winner", {}, 2)],
        "pile_distribution": [(True, {"piles": 1}, 3)],
        "footprints": [([5, *[1, 1, 1, 2, 2, 2, 2, 2]], {"copies": [0, 2, 2, 2, 1, 1, 1, 1, 1]}, 3)],
        "bonus": [(20, {"bonus_cards": 14}, 3)],
        "bonus_cards": [(5, {"bonus": 0}, 3), (3, {"copies": [1, 1, *[0] * 7]}, 2)],
        "starting_wagers": [(1, {"colours": 1}, 2)],
    },
    "forex": {
        "spot_enabled": [(False, FREE, 3)],
        "max_spot_offers": [(1, {"spot_enabled": False}, 3), ("unlimited", FREE, 2)],
        "spot_unit": [("one_stronger", {"spot_enabled": False}, 3), ("one_stronger", FREE, 3),
                      ("one_stronger", {"track": 2}, 3)],
        "eight_rule": [("off", UNSOLD, 3), ("stronger", {"dividends": [0] * 5}, 4)],
        "bankrupt_excluded": [(False, {"contract_sets": 0}, 3)],
        "equal_money": [("shared", UNSOLD, 3)],
        "merged_loan_place": [("back", {"contract_sets": 1}, 3)],
        "merged_loan_set": [("free_at_merge", {"contract_sets": 1}, 3)],
        "final_rounding": [("total", FREE, 3)],
        "removed_certificates": [(55, {"certificates": 1, "currencies": 6}, 2)],
        "spaces": [([2, 1, 2, 2, 3, 7, 1, 1, 2, 2, 6, 1, 2, 2, 6, 2, 2, 6, 2, 5, -4], {"currencies": 6}, 3)],
        "rates": [([2, 3, 4, 5, 6, 7, 8, 10, 12, 20], {"track": 9}, 3)],
        "price": [(3, UNSOLD, 3)],
        "sale": [(3, {**SHUT, "price": 4}, 3)],
        "hand_limit": [(3, {**SHUT, "price": 4}, 3), (5, {"certificates": 4}, 3)],
        "contract_size": [(2, {"contract_sets": 0}, 3)],
        "dividends": [([0, 2, 2, 2, 9], {"dividend_cards": 4}, 3)],
        "surcharge": [(2, {"contract_sets": 0}, 3)],
    },
    "claim": {
        "zero_risk": [(True, {"zeros": 0}, 4)],
        "action_fund": [(True, {"icons": [0, 0, 0, 0, 34, 0]}, 3)],
        "two_players": [("duel", {}, 5)],
        "push_reading": [("strict", {"diversity_b": False}, 4), ("strict", {"full_threshold": 31}, 3)],
        "no_target_rule": [("stay", {"diversity_a": False}, 2), ("staged", {"full_threshold": 31}, 3)],
        "goal": [(90, {"copies": [3, 3, 0, 0, 0, 0]}, 2)],
        "zero_goal": [(4, {}, 4), (15, {"zero_risk": True, "zeros": 8}, 3)],
        "full_threshold": [(7, {"copies": [4, 2, 1, 1, 0, 0]}, 4)],
        "negative_threshold": [(-3, {}, 4)],
        "wild_worth": [(2, {}, 3)],
        "zeros": [(3, {"wild_wagers": True}, 3)],
        "copies": [([14, 12, 10, 8, 6, 0], {}, 5)],
        "hand_cap": [(9, {"copies": [9, 9, 9, 0, 0, 0]}, 3)],
        "duel_aside": [(6, {"two_players": "duel"}, 3), (6, {}, 2)],
        "bell": [(18, {}, 4)],
        "icons": [([1, *[0] * 5], {}, 3), ([255, 255, 243, 141, 34, 1], {"action_fund": True}, 4)],
        "prices": [([0] * 12, {"action_fund": True}, 3)],
    },
}  # fmt: skip
ACTS = {
    "kuhhandel": {
        "bidding": ("realtime", {"least_players": 2}, 2), "overbid": ("forbidden", {}, 3),
        "reauction_excludes": (False, {"overbid": "capped"}, 3), "empty_offer": (False, DEALT, 3),
        "payment": ("free", {}, 3), "tie_money": ("returned", PENNILESS, 3), "trade_stall": (0, {"copies": [2] * 10}, 3),
        "winner_pays": (True, DEALT, 3), "zeros_return": (True, PENNILESS, 3), "final_tie": ("money", {}, 3),
        "hand_count_view": ("hidden", {}, 3), "offer_count_view": ("hidden", {}, 3),
        "auction_payment_view": ("public", {}, 3), "bid_step": (20, {}, 3),
        "values": ([0] * 10, {"copies": [0, *[4] * 9]}, 3), "donkey_money": ([50, 100, 200, 0], {}, 4),
        "least_players": (2, {}, 2),
    },
    "money": {
        "coins": ("silver_gold", {"coin_cards": 1}, 3), "display_cards": (3, FEW | {"end_trigger": "cannot_fill"}, 3),
        "coin_triplet_bonus": ("once", {}, 3), "end_trigger": ("cannot_fill", {"rounds": 3}, 3),
        "swap_order": ("original_order", {}, 3), "stall_rounds": (2, {"rounds": 4}, 3), "hand_cards": (2, FEW, 3),
        "full_value": (190, {}, 3), "penalty": (0, {}, 3), "triplet_bonus": (0, {}, 3),
        "coin_bonus": (50, {"coin_triplet_bonus": "once"}, 3), "least_players": (2, {}, 2), "currencies": (7, {}, 4),
        "denominations": ([2, 3, 1, 1, 1], {}, 3), "rounds": (30, {}, 3),
    },
    "rivals": {
        "next_after_auction": ("left_of_opener", {}, 2), "pile_distribution": (True, {}, 3),
        "footprints": ([0] * 9, {}, 3), "bonus": (20, {}, 3),
        "bonus_cards": (13, {}, 3), "starting_wagers": (1, {"colours": 3}, 3),
    },
    "forex": {
        "spot_enabled": (False, {"start_money": 0}, 3), "max_spot_offers": (1, {}, 2), "eight_rule": ("off", {}, 3),
        "bankrupt_excluded": (False, {}, 3), "equal_money": ("shared", {}, 3),
        "spot_unit": ("one_stronger", {"track": 3}, 3),
        "merged_loan_place": ("back", {"contract_sets": 2}, 3), "merged_loan_set": ("free_at_merge", {}, 3),
        "final_rounding": ("total", {}, 3), "removed_certificates": (7, {}, 3), "spaces": ([1] * 21, {"currencies": 6}, 3),
        "rates": ([2, 3, 4, 5, 6, 7, 8, 10, 12, 20], {}, 3), "price": (3, {}, 3), "sale": (3, {}, 3),
        "hand_limit": (5, {}, 3), "contract_size": (2, {}, 3), "dividends": ([1, 2, 2, 2, 3], {}, 3),
        "surcharge": (2, {}, 3),
    },
    "claim": {
        "zero_risk": (True, {}, 4), "action_fund": (True, {}, 3), "two_players": ("duel", {}, 2),
        "push_reading": ("strict", {}, 4), "no_target_rule": ("stay", {"diversity_a": False, "shopping_spree": True}, 2),
        "goal": (12, {}, 2), "zero_goal": (9, {"zero_risk": True}, 3), "full_threshold": (7, {}, 4),
        "negative_threshold": (-3, {"bad_investment": True}, 4), "wild_worth": (2, {"wild_wagers": True}, 3),
        "zeros": (3, {"zero_risk": True}, 3), "copies": ([14, 12, 10, 8, 6, 0], {}, 6), "hand_cap": (2, {}, 3),
        "duel_aside": (6, {"two_players": "duel"}, 2),
        "bell": (3, {}, 4), "icons": ([1, *[0] * 5], {"action_fund": True}, 3), "prices": ([0] * 12, ALL, 3),
    },
}  # fmt: skip
CASES = [
    (game, name, n, *case) for game, some in IDLE.items() for name, cases in some.items() for n, case in enumerate(cases)
]
CASES += [
    ("claim", "full_threshold", 0, 50, TWO, 2), ("claim", "goal", 0, 15, TWO, 2),
    ("claim", "push_reading", 1, "strict", TWO, 2), ("claim", "zero_goal", 1, 8, {"zero_risk": True, "hand_cap": 2}, 3),
    ("forex", "eight_rule", 0, "off", {**SHUT, "price": 4}, 3),
]  # fmt: skip
every_case = pytest.mark.parametrize(
    ("game", "name", "n", "value", "others", "players"), CASES, ids=[f"{game}-{name}-{n}" for game, name, n, *_ in CASES]
)
every_game = pytest.mark.parametrize("game", IDLE)


def option_of(game, name):
    """An option."""
    return next(option for option in rulebook(game).options if option.name == name)


@every_game
def test_every_condition_of_every_option_has_a_case_in_which_it_is_lacking_and_one_in_which_it_is_not(game):
    declared = {option.name: len(option.needs) for option in rulebook(game).options if option.needs}
    assert {name: len(cases) for name, cases in IDLE[game].items()} == declared
    assert ACTS[game].keys() == declared.keys()


@every_case
def test_an_option_that_can_do_nothing_is_said(game, name, n, value, others, players):
    book, options = rulebook(game), {**others, name: value}
    book.check_players(players, options)
    assert book.lacking(options, players)[name] == option_of(game, name).needs[n]
    said = [sentence for sentence in book.idle(options, players) if sentence.startswith(f"{name} ")]
    assert len(said) == 1
    assert said[0].startswith(f"{name} has no effect ")
    assert said[0].endswith(".")


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, some in ACTS.items() for name in some])
def test_an_option_that_acts_is_not_said(game, name):
    value, others, players = ACTS[game][name]
    assert not [said for said in rulebook(game).idle({**others, name: value}, players) if said.startswith(f"{name} ")]


@pytest.mark.slow(but=("rivals", "claim"))
@every_case
def test_what_is_said_to_have_no_effect_changes_nothing(game, name, n, value, others, players):
    book = rulebook(game)
    for seed in range(3):
        one = Match.new(book, {**others, name: value}, players, seed)
        two = Match.new(book, others, players, seed)
        assert one.deal == two.deal
        rng = random.Random(seed)
        space = [0] * (book.actions + 64)
        while one.asked or one.clock:
            assert (one.asked, one.clock) == (two.asked, two.clock)
            seat = rng.choice([*one.asked, *[contract.CLOCK] * one.clock])
            legal = [space[: contract.legal(match.state, seat, space)] for match in (one, two)]
            if not legal[0]:
                continue
            assert legal[0] == legal[1]
            action = rng.choice(legal[0])
            for match in (one, two):
                contract.apply(match.state, seat, action)
            assert one.scores == two.scores
        assert one.winners == two.winners


@pytest.mark.slow(but=("rivals", "claim"))
@every_case
def test_what_is_said_to_have_no_effect_changes_no_log(game, name, n, value, others, players):
    book = rulebook(game)
    one = Match.new(book, {**others, name: value}, players, 7)
    two = Match.new(book, others, players, 7)
    for turn in range(60):
        if not one.asked:
            break
        one.random_move(one.asked[0], turn)
        two.play(one.moves[-1]["seat"], {key: said for key, said in one.moves[-1].items() if key != "seat"})
    for seat in range(-1, players):
        for first, second in zip_longest(one.log(seat), two.log(seat)):
            assert first == second
        if not option_of(game, name).view:
            assert one.question(seat) == two.question(seat)


# --- where it is said ---------------------------------------------------------------------------------------------------


def test_a_program_is_warned_once_for_each_line_that_asks_for_such_matches():
    game = outbid.game("claim", zero_goal=4, two_players="duel")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for seed in range(3):
            game.new(5, seed)
    assert [str(one.message) for one in caught] == [
        "two_players has no effect with 5 players.", "zero_goal has no effect without zero_risk.",
    ]  # fmt: skip
    assert {one.category for one in caught} == {outbid.NoEffect}
    assert {one.filename for one in caught} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outbid.game("claim", two_players="duel").new(2)


def test_batches_and_environments_warn_too():
    pytest.importorskip("pettingzoo")
    from outbid.adapters import pettingzoo

    options = {"two_players": "duel"}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(outbid.BadSetup, match="The seeds must be"):  # said before anything is compiled
            outbid.game("claim").vector(2, [2, 3], options=options, seeds=[1])
        pettingzoo.env("claim", players=4, **options)
    assert [str(one.message) for one in caught] == [f"two_players has no effect with {n} players." for n in (3, 4)]
    assert {one.filename for one in caught} == {__file__}


@pytest.mark.parametrize(("game", "options", "players", "sentence"), [
    ("kuhhandel", {"copies": [0] * 10}, 3, "Kuhhandel can only be played if there are animals."),
    ("kuhhandel", {"copies": [1, 1, 1, *[0] * 7], "quick_deal4": True}, 3,
     "Kuhhandel can only be played if an animal is auctioned or can be traded."),
    ("money", {"coin_cards": 0, "denominations": [0] * 5}, 4, "Money! can only be played if everybody is dealt a card."),
    ("rivals", {"coins": 2}, 3, "Rivals can only be played if a player can open an auction."),
    ("forex", POOR, 3, UNDONE), ("forex", {**POOR, "price": 4, "sale": 5, "no_certs_no_strengthen": True}, 3, UNDONE),
    ("forex", {**SHUT, "spot_enabled": False}, 3, UNDONE), ("forex", {**POOR, **UNSOLD, "price": 0}, 6, UNDONE),
    ("claim", {"copies": [0] * 6}, 3, "There are 0 bills for 3 players: raise copies."),
])  # fmt: skip
def test_what_cannot_be_played_is_refused(game, options, players, sentence):
    with pytest.raises(BadOption) as refused:
        outbid.game(game, **options).new(players)
    assert str(refused.value) == sentence
    with pytest.raises(BadOption):
        outbid.game(game, **options).vector(2, players)


@pytest.mark.parametrize(("game", "options", "players"), [
    ("kuhhandel", {"copies": [0] * 10}, 3), ("money", {"coin_cards": 0, "denominations": [0] * 5}, 4),
    ("rivals", {"coins": 2}, 3), ("forex", POOR, 3),
])  # fmt: skip
def test_a_record_of_what_no_match_can_be_made_of_any_more_is_read_and_goes_on(game, options, players):
    book, rng = rulebook(game), random.Random(1)
    with pytest.raises(BadOption, match="can only be played if"):
        Match.new(book, options, players, 0)
    state = book.fresh(options)
    contract.deal(state, players, 0)
    match = Match(book, options, [f"Player {seat + 1}" for seat in range(players)], state)
    while match.asked and len(match.moves) < 6:
        seat = rng.choice(match.asked)
        match.play(seat, rng.choice(match.legal_texts(seat)))
    again = outbid.read_record(match.record())
    assert (again.record(), again.asked, again.over) == (match.record(), match.asked, match.over)
    assert Match.load(book, options, match.names, match.deal).deal == match.deal


@pytest.mark.parametrize(("command", "says"), [
    ("simulate claim -n 5 --games 1 --preset duel", "two_players has no effect with 5 players."),
    ("simulate claim -n 5 --games 1 --option zero_goal=4", "zero_goal has no effect without zero_risk."),
    ("arena money -n 3 --bots steady,steady --option coin_bonus=5",
     "coin_bonus has no effect with coin_triplet_bonus=off.\nAn arena needs at least two different bots."),
    ("play rivals -n 2 --plain --option bonus=3 --option bonus_cards=18 --language de",
     "bonus wirkt nur, wenn eine Expedition so viele Zahlenkarten haben kann, wie der Bonus verlangt, hier also nicht."),
    ("simulate kuhhandel --option copies=0,0,0,0,0,0,0,0,0,0", "Kuhhandel can only be played if there are animals."),
])  # fmt: skip
@pytest.mark.slow
def test_the_command_line_says_it_on_standard_error(command, says):
    done = outbid_command(*command.split(), given="quit\n")
    assert done.stderr.strip() == says
    assert done.returncode == (2 if "only be played" in says or "needs" in says else 0)


def test_the_list_of_games_has_every_condition(capsys):
    from outbid.cli.play import describe

    options = {option["name"]: option["acts"] for option in describe(rulebook("claim"))["options"]}
    assert options["zero_goal"] == ["with zero_risk", "if there are so many 0-bills"]
    assert options["two_players"] == ["with 2 players"]
    assert options["wild_wagers"] == []
    assert describe(rulebook("money"))["options"][7]["acts"] == ["if it changes the deal"]


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(("language", "idle", "refused"), [
    ("en", "“Goal in zeros” has no effect without “Zero Risk”.", "players: raise “Bills of each number”."),
    ("de", "„Ziel an Nullen“ wirkt nicht ohne „Zero Risk“.",
     "Spieler: Nimm mehr „Scheine je Zahl“."),
])  # fmt: skip
def test_the_form_says_it_while_the_table_is_set_up(browser, server, language, idle, refused):
    with visitor(browser) as page:
        page.context.add_cookies([{"name": "language", "value": language, "url": server}])
        page.goto(f"{server}/new/claim")
        form = page.locator("form[data-sheet]")
        form.locator("#name").fill("Ada")
        for details in form.locator("details").all():
            details.evaluate("element => { element.open = true }")
        said = form.locator("[data-idle] p")
        form.locator("#claim-zero_goal").fill("4")
        said.wait_for()
        assert said.all_inner_texts() == [idle]
        form.locator("#claim-zero_risk").check()
        said.wait_for(state="detached")
        form.locator("#claim-copies").fill("0, 0, 0, 0, 0, 0")
        form.locator("#claim-zero_risk").uncheck()
        form.locator("[data-idle] .error").wait_for()
        assert form.locator("[data-idle] .error").inner_text().endswith(refused)


@pytest.mark.browser
def test_without_script_the_form_says_when_options_act_and_the_table_what_does_nothing(browser, server):
    with visitor(browser, script=False) as page:
        page.goto(f"{server}/new/claim")
        hint = page.locator(".field:has(#claim-zero_goal) .hint")
        assert "Acts only with “Zero Risk”." in hint.text_content()
        assert "Acts only with 2 players." in page.locator(".field:has(#claim-two_players) .hint").text_content()
        assert "Acts only" not in page.locator(".field:has(#claim-goal) .hint").text_content()
        form = {"game": "claim", "players": "5", "name": "Ada", "bots": "open", "preset": "duel", "option:wild_worth": "2"}
        answer = page.context.request.post(f"{server}/tables", form=form, max_redirects=0)
        page.goto(server + answer.headers["location"])
        assert page.locator(".caution").all_inner_texts() == [
            "“Two players” has no effect with 5 players.", "“Worth of a wild bill” has no effect without “Wild Wagers”.",
        ]  # fmt: skip
        answer = page.context.request.post(f"{server}/tables", form={**form, "bots": "steady"}, max_redirects=0)
        page.goto(server + answer.headers["location"])
        expect(page.locator("#about .caution")).to_have_count(2)


def test_every_set_up_that_is_offered_can_be_played_and_acts():
    for book in rulebooks().values():
        for options in ({}, *book.presets.values(), *book.laboratory.values()):
            low, high = book.seats(options)
            said = {players: book.idle(options, players) for players in range(low, high + 1)}
            assert [] in said.values()
            assert options not in book.laboratory.values() or not said[2]


def test_conditions_are_sentences_in_every_language():
    for book in rulebooks().values():
        say = i18n.words(book.words.__package__)[0]
        for option in book.options:
            for need in option.needs:
                if isinstance(need, If):
                    with i18n.locale("de"):
                        assert say(need.words) != need.words
