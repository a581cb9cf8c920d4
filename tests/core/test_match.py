"""A match: playing, refusing, and giving each seat what is its own."""

import json

import numpy as np
import pytest

import outbid
from outbid.core import contract
from outbid.core.errors import LONGEST
from outbid.core.language import i18n
from outbid.core.record import read_record
from outbid.core.rulebook import rulebook
from outbid.games.kuhhandel.state import ANIMALS

DECK = [animal for animal in ANIMALS for _ in range(4)]


@pytest.fixture
def match():
    return outbid.game("kuhhandel").load(["Ada", "Ben", "Cyd"], {"start": 0, "deck": DECK})


def test_moves_are_played_as_text_or_as_in_a_record(match):
    assert match.play(0, "auction") == {"do": "auction"}
    assert match.play(1, {"do": "bid", "amount": 40}) == {"do": "bid", "amount": 40}
    assert match.asked == (2,)


def test_a_typed_move_may_name_a_seat_by_its_name():
    match = outbid.game("forex").new(players=3, names=["Ada", "ben one", "2"], seed=1)
    seat = match.asked[0]
    for name, other in (("Ada", 0), ("BEN ONE", 1), ("2", 2), ("1", 1)):
        if other != seat:
            said = match.copy().play(seat, f"spot with {name} give 1 GBP get 1.5 EUR")
            assert said["with"] == other, "what is a number stays one, whatever the names are"
    with pytest.raises(outbid.Unreadable, match="names no seat"):
        match.play(seat, "spot with Cyd give 1 GBP get 1.5 EUR")


def test_a_typed_card_may_leave_out_its_number_where_one_such_card_is_held():
    hand = ["USD20#43", "USD20#3", "EUR30#1", "GBP20#61", "EUR40#42", "COIN10#37"]
    others = "USD20#28 USD30#69 GBP30#13 GBP60#39 EUR20#41 EUR50#57 USD40#59 GBP30#64 GBP50#45 EUR60#38 COIN10#16 COIN10#36"
    rest = "USD30#20 USD60#30 EUR20#4 USD30#22 EUR30#56 USD50#5 GBP20#62 EUR20#58 GBP20#8 GBP40#11 COIN10#18 COIN10#50"
    named, pile = others.split(), [*rest.split(), "EUR30#12", "GBP30#40", "COIN10#48"]
    deal = {"removed": ["JPY", "CHF", "SEK", "RUB"], "hands": [hand, named[:6], named[6:]]}
    deal |= {"right": pile[:4], "left": pile[4:8], "pile": pile[8:]}
    match = outbid.game("money", currencies=3).load(["Ada", "Ben", "Cyd"], deal)
    for line in ("bid EUR30", "bid eur30,", "BID EUR30#1"):
        assert match.typed(0, line)["cards"] == ["EUR30#1"]
    assert match.typed(0, "bid COIN10 eur40 with bluff") == {"do": "bid", "cards": ["COIN10#37", "EUR40#42"], "bluff": True}
    with pytest.raises(outbid.Unreadable, match=r"USD20 may be USD20#3 or USD20#43; say which\."):
        match.typed(0, "bid USD20")
    assert match.typed(0, "bid USD20 USD20")["cards"] == ["USD20#3", "USD20#43"], "all of them are meant"
    assert match.typed(0, "bid USD20#3 USD20")["cards"] == ["USD20#3", "USD20#43"], "the other one is meant"
    before = match.record()
    for line in ("bid USD20 USD20 USD20", "bid GBP60", "bid EUR30x", "bid #3"):
        with pytest.raises(outbid.Unreadable):
            match.play(0, line)
    assert match.record() == before


def test_the_menu_prints_itself(match):
    assert str(match.legal(0)) == "auction"
    match.play(0, "auction")
    assert str(match.legal(1)) == "bid 10 to 270\npass"
    assert str(match.legal(2)) == "nothing"


@pytest.mark.parametrize(
    ("seat", "move", "error"),
    [
        (1, "auction", outbid.NotYourTurn),
        (0, "bid 40", outbid.Illegal),
        (0, "trade cow with 1", outbid.Illegal),
        (0, "abracadabra", outbid.Unreadable),
        (0, "", outbid.Unreadable),
        (0, 7, outbid.Unreadable),
        (0, {"do": ["auction"]}, outbid.Unreadable),
        (7, "auction", outbid.BadSetup),
        (None, "close", outbid.NotYourTurn),
        (0, "x" * 1_000_000, outbid.Unreadable),
    ],
)
def test_a_move_that_cannot_be_gets_one_sentence_and_changes_nothing(match, seat, move, error):
    before = match.state.copy()
    with pytest.raises(error):
        match.play(seat, move)
    assert match.state == before
    assert match.moves == []


@pytest.mark.parametrize("actions", [[], [10**9], [-1], "abc", [None], [0, 0, 0]])
def test_steps_that_cannot_be_get_one_sentence_and_change_nothing(match, actions):
    before = match.state.copy()
    with pytest.raises(outbid.Illegal, match=r"is not (possible|complete)\. Legal: auction"):
        match.play_steps(0, actions)
    assert match.state == before
    assert match.moves == []


def test_an_illegal_move_says_what_is_legal(match):
    match.play(0, "auction")
    with pytest.raises(outbid.Illegal) as caught:
        match.play(1, "bid 5")
    assert caught.value.legal == ("bid 10 to 270", "pass")


def test_the_record_and_the_copy_are_independent_of_the_match(match):
    match.log()
    twin = match.copy()
    match.play(0, "auction")
    assert match.log()
    assert twin.log() == match.at(0).log() == []
    assert twin.moves == []
    assert twin.asked == (0,)
    assert match.at(0).record() == twin.record()


def test_nobody_changes_a_match_through_a_record_or_a_list_of_cards(match):
    match.play(0, "auction")
    record, before = match.record(), json.dumps(match.record())
    record["moves"][0]["do"] = "pass"
    record["players"].append("Eve")
    record["deal"]["deck"].clear()
    match.play(1, "bid 10")
    assert len(record["moves"]) == 1
    for move in ("2 pass", "0 sell"):
        match.play(int(move[0]), move[2:])
    cards = [10]
    match.play(1, {"do": "pay", "cards": cards})
    cards.append(500)
    assert match.record()["moves"][-1] == {"seat": 1, "do": "pay", "cards": [10]}
    assert json.dumps(match.at(1).record()) == before


def test_a_view_is_json_and_names_no_hidden_card(match):
    match.play(0, "auction")
    view = match.view(1)
    assert json.loads(json.dumps(view)) == view
    assert view["money"] == [0, 0, 10, 10, 10, 10, 50]
    assert match.view()["money"] is None


def test_whoever_changes_a_view_changes_nothing_else(match):
    match.view()["names"].append("Eve")
    assert len(match.names) == len(match.view()["names"]) == 3


@pytest.mark.parametrize("typed", ["offer", "counter", "pay"])
def test_laying_no_card_is_said_not_forgotten(typed):
    parse = outbid.game("kuhhandel").rulebook.words.parse
    assert parse(f"{typed} nothing") == {"do": typed, "cards": []}
    with pytest.raises(outbid.Unreadable, match="does not list cards"):
        parse(typed)


def test_where_a_seat_can_only_wait_a_random_move_is_one_of_the_clock():
    match = outbid.game("kuhhandel", bidding="realtime", overbid="forbidden").new(3, seed=1)
    match.play(match.asked[0], "auction")
    first, second = match.asked
    match.play(first, "bid 90")  # all money that anybody has
    assert match.asked == (second,)
    for other in {0, 1, 2} - {second}:
        with pytest.raises(outbid.NotYourTurn, match=f"Seat {other} can do nothing now"):
            match.random_move(other, 1)
    match.random_move(second, 1)
    assert match.moves[-1] == {"seat": None, "do": "close"}


@pytest.mark.parametrize("overbid", ["forbidden", "capped"])
def test_a_match_is_played_to_its_end_by_random_moves_of_whoever_is_asked(overbid):
    for players, seed in ((3, 1), (4, 2), (5, 3)):
        match = outbid.game("kuhhandel", bidding="realtime", overbid=overbid).new(players, seed=seed)
        while not match.over:
            match.random_move((match.asked or (contract.CLOCK,))[-1], len(match.moves))
        assert read_record(match.record()).scores == match.scores


@pytest.mark.parametrize("players", [2, 6, 0, "3", True, None])
def test_a_wrong_number_of_players_is_refused(players):
    with pytest.raises(outbid.BadSetup, match="3 to 5 players"):
        outbid.game("kuhhandel").new(players=players)


def test_whole_numbers_of_numpy_are_taken_for_what_they_are():
    game = outbid.game("kuhhandel")
    made = game.new(players=np.int64(4), seed=np.uint32(7))
    assert made.record() == game.new(players=4, seed=7).record()
    assert json.dumps(made.record())
    for wrong in (True, np.True_, np.float64(4), "4"):
        with pytest.raises(outbid.BadSetup, match="3 to 5 players"):
            game.new(players=wrong, seed=1)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "7", np.float64(3)])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(outbid.BadSetup, match="seed"):
        outbid.game("kuhhandel").new(players=3, seed=seed)


def test_an_unknown_game_preset_or_option_is_refused_by_name():
    with pytest.raises(outbid.BadSetup, match="There is no game 'tarock'"):
        outbid.game("tarock")
    with pytest.raises(outbid.BadSetup, match="There is no game \\['tarock'\\]"):
        outbid.game(["tarock"])
    with pytest.raises(outbid.BadSetup, match="no preset"):
        outbid.game("kuhhandel", preset=[])
    with pytest.raises(outbid.BadSetup, match="no preset 'slow'"):
        outbid.game("kuhhandel", preset="slow")
    with pytest.raises(outbid.BadOption, match="no option 'colour'"):
        outbid.game("kuhhandel", colour="red")


@pytest.mark.parametrize(("game", "options", "held"), [
    ("kuhhandel", {"trade_stall": 10**12}, 2**31 - 1),
    ("money", {"stall_rounds": 2**31}, 2**31 - 1),
    ("claim", {"goal": 10**30}, 2**31 - 1),
    ("claim", {"negative_threshold": -(10**12)}, -(2**31) + 1),
])  # fmt: skip
def test_a_number_without_a_limit_may_be_more_than_a_state_can_hold(game, options, held):
    record = outbid.Match.new(rulebook(game), options, 3, 1).record()
    assert list(record["options"].values()) == [held]
    assert read_record({**record, "options": options}).record() == record
    for name in options:
        for wrong in (1.5, True, "many", -held):
            with pytest.raises(outbid.BadOption, match=name):
                outbid.game(game, **{name: wrong})


def test_a_seat_that_can_only_wait_for_the_clock_is_told_that_nothing_is_legal():
    order = [animal for animal in ANIMALS for _ in range(4)]
    options = {"bidding": "realtime", "overbid": "forbidden"}
    match = outbid.Match.load(rulebook("kuhhandel"), options, list("abc"), {"start": 0, "deck": order})
    for seat, move in ((0, "auction"), (1, "bid 90")):
        match.play(seat, move)
    record = match.record()
    with pytest.raises(outbid.BadRecord, match=r"Legal for seat 2 \(c\): nothing\.$"):
        read_record({**record, "moves": [*record["moves"], {"seat": 2, "do": "bid", "amount": 280}]})


@pytest.mark.parametrize(
    "move",
    [
        "bid " + "9" * 390, "x" * 401, "x" * 100_000, ["x"] * 50_000, {"do": "x" * 100_000},
        {"do": "bid", "amount": "9" * 100_000}, {"do": "bid", "cards": ["x"] * 9_999}, {"do": "pay", "cards": "x" * 100_000},
        {"do": "take", "cards": ["x" * 9_999]}, {"do": "claim", "stack": "x" * 100_000}, {"do": "x", "y" * 100_000: 1},
    ],
)  # fmt: skip
def test_a_refusal_repeats_nothing_at_length(book, move):
    match = outbid.game(book.id).new(players=book.players[0], seed=1)
    with pytest.raises(outbid.OutbidError) as refusal:
        match.play(match.asked[0], move)
    assert 10 < len(str(refusal.value)) <= LONGEST
    record = match.record()
    with pytest.raises(outbid.BadRecord) as refusal:
        read_record({**record, "moves": [{"seat": match.asked[0], **(move if isinstance(move, dict) else {"do": move})}]})
    assert 10 < len(str(refusal.value)) <= LONGEST


def test_a_typed_amount_is_understood_however_large_it_is(match):
    match.play(0, "auction")
    with pytest.raises(outbid.Illegal, match="12345678901"):
        match.play(1, "bid 12345678901")
    rivals = outbid.game("rivals").new(players=2, seed=1)
    rivals.play(rivals.asked[0], "uncover")
    with pytest.raises(outbid.Illegal, match="cannot bid 12345678901"):
        rivals.play(rivals.asked[0], "bid 12345678901")


def test_who_is_asked_is_said_in_the_language_of_the_reader(match):
    match.play(0, "auction")
    with i18n.locale("de"), pytest.raises(outbid.NotYourTurn, match=r"Platz 0 \(Ada\) ist jetzt nicht gefragt, sondern"):
        match.play(0, "pass")
    record = match.record()
    with i18n.locale("de"), pytest.raises(outbid.BadRecord, match=r"Erlaubt für Platz 1 \(Ben\): .*pass"):
        read_record({**record, "moves": [*record["moves"], {"seat": 1, "do": "fly"}]})


def test_a_game_prints_its_changed_options():
    assert repr(outbid.game("kuhhandel", overbid="forbidden", payment="irredundant")) == (
        "outbid.game('kuhhandel', overbid='forbidden')"
    )


def test_a_game_prints_what_makes_it_again():
    for game in (outbid.game("rivals-v1", coins=3), outbid.game("claim-v1"), outbid.game("kuhhandel", overbid="forbidden")):
        again = eval(repr(game), {"outbid": outbid})
        assert (again.environment, again.options) == (game.environment, game.options)
    assert repr(outbid.game("rivals-v1", coins=3)) == "outbid.game('rivals-v1', coins=3)"


def test_whoever_reads_what_a_seat_may_know_leaves_it_as_it_was(book):
    match = outbid.Match.new(book, {}, book.players[1], 3)
    for number in range(120):
        if match.over:
            break
        for seat in range(-1, match.players):
            match.view(seat), match.question(seat), match.log(seat), seat < 0 or match.legal(seat)
            assert match.seen(seat) == match.hidden(seat)
            assert match.seen(seat) is match.seen(seat)
        match.random_move((match.asked or (7,))[0], number)


def test_a_log_told_move_by_move_is_the_one_told_at_once(book):
    match = outbid.Match.new(book, {}, book.players[1], 4)
    for number in range(120):
        if match.over:
            break
        for seat in range(-1, match.players - 1):
            match.log(seat)
        match.random_move((match.asked or (7,))[0], number)
    for seat in range(-1, match.players):
        assert match.log(seat) == match.at(len(match.moves)).log(seat)


@pytest.mark.parametrize("game", ["money", "rivals"])
def test_a_match_that_is_over_is_the_same_at_every_move_as_one_that_got_there(game):
    match = outbid.game(game, preset="small").new(players=2, seed=5)
    growing = outbid.game(game, preset="small").new(players=2, seed=5)
    while not match.over:
        match.random_move(match.asked[-1], len(match.moves))
    for n in (len(match.moves), 0, *range(len(match.moves) + 1)):  # to and fro
        there = match.at(n)
        if n:
            growing = outbid.game(game, preset="small").new(players=2, seed=5)
            for move in match.record()["moves"][:n]:
                growing.play(move["seat"], move)
            assert (there.state, there.moves, there.numbers) == (growing.state, growing.moves, growing.numbers)
            for seat in (-1, 0, 1):
                assert match.log_at(n, seat) == growing.log(seat)
        there.state.players = 0  # it is independent
