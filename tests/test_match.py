"""A match: playing, refusing, and giving each seat what is its own."""

import json

import pytest

import outbid
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


def test_an_illegal_move_says_what_is_legal(match):
    match.play(0, "auction")
    with pytest.raises(outbid.Illegal) as caught:
        match.play(1, "bid 5")
    assert caught.value.legal == ("bid 10 to 270", "pass")


def test_the_record_and_the_copy_are_independent_of_the_match(match):
    twin = match.copy()
    match.play(0, "auction")
    assert twin.moves == []
    assert twin.asked == (0,)
    assert match.at(0).record() == twin.record()


def test_a_view_is_json_and_names_no_hidden_card(match):
    match.play(0, "auction")
    view = match.view(1)
    assert json.loads(json.dumps(view)) == view
    assert view["money"] == [0, 0, 10, 10, 10, 10, 50]
    assert match.view()["money"] is None


@pytest.mark.parametrize("players", [2, 6, 0, "3", True, None])
def test_a_wrong_number_of_players_is_refused(players):
    with pytest.raises(outbid.BadSetup, match="3 to 5 players"):
        outbid.game("kuhhandel").new(players=players)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "7"])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(outbid.BadSetup, match="seed"):
        outbid.game("kuhhandel").new(players=3, seed=seed)


def test_an_unknown_game_preset_or_option_is_refused_by_name():
    with pytest.raises(outbid.BadSetup, match="There is no game 'tarock'"):
        outbid.game("tarock")
    with pytest.raises(outbid.BadSetup, match="no preset 'slow'"):
        outbid.game("kuhhandel", preset="slow")
    with pytest.raises(outbid.BadOption, match="no option 'colour'"):
        outbid.game("kuhhandel", colour="red")


def test_a_game_prints_its_changed_options():
    assert repr(outbid.game("kuhhandel", overbid="forbidden", payment="irredundant")) == (
        "outbid.game('kuhhandel', overbid='forbidden')"
    )


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
