"""Records: good ones are read, each kind of bad one is refused with one sentence and the number of its first bad move."""

import json
import re

import pytest

import outbid
from outbid.core.language import i18n
from outbid.core.record import parse, read, read_all, read_record, records
from outbid.games.kuhhandel.state import ANIMALS

DECK = [animal for animal in ANIMALS for _ in range(4)]


def record(**changes):
    made = {
        "format": "outbid-record/1",
        "game": "kuhhandel",
        "options": {},
        "players": ["Ada", "Ben", "Cyd"],
        "deal": {"start": 0, "deck": DECK},
        "moves": [
            {"seat": 0, "do": "auction"},
            {"seat": 1, "do": "bid", "amount": 10},
            {"seat": 2, "do": "pass"},
            {"seat": 0, "do": "sell"},
            {"seat": 1, "do": "pay", "cards": [10]},
        ],
    }
    return made | changes


def refusal(bad):
    with pytest.raises(outbid.BadRecord) as caught:
        read_record(bad)
    return caught.value


def test_an_unfinished_record_is_a_good_record():
    match = read_record(record())
    assert not match.over
    assert match.view(1)["players"][1]["animals"] == {"chicken": 1}


def test_a_record_without_options_is_read_with_the_defaults():
    made = record()
    del made["options"]
    assert read_record(made).options == {}


def test_defaults_stated_explicitly_are_read_and_not_written_again():
    assert read_record(record(options={"bidding": "rotation", "trade_stall": 100})).record()["options"] == {}


def test_extra_keys_at_the_top_and_in_moves_are_ignored():
    made = record(comment="a good one")
    made["moves"][1] |= {"at": "12:00", "note": "cheap"}
    assert "note" not in read_record(made).record()["moves"][1]


@pytest.mark.parametrize(
    ("move", "wrong", "says"),
    [
        (0, {"seat": 1, "do": "auction"}, "Seat 1 (Ben) is not asked now; seat 0 (Ada) is."),
        (1, {"seat": 1, "do": "bid", "amount": 5}, "multiples of 10"),
        (1, {"seat": 1, "do": "bid", "amount": 0}, "higher than 0"),
        (1, {"seat": 1, "do": "bid", "amount": 280}, "270"),
        (1, {"seat": 1, "do": "bid", "amount": True}, "whole number"),
        (1, {"seat": 1, "do": "bid", "amount": 10.5}, "whole number"),
        (1, {"seat": 1, "do": "bid"}, "The move needs 'amount'; it is missing. A bid is a whole number. Legal for"),
        (1, {"seat": 1}, "The move needs 'do'; it is missing. Legal for"),
        (1, {"seat": 1, "do": "juggle"}, "not a move"),
        (1, {"seat": None, "do": "close"}, "The clock is not asked"),
        (1, {"seat": 9, "do": "pass"}, "no seat 9"),
        (1, {"seat": "1", "do": "pass"}, "A seat is a whole number, not '1'."),
        (1, {"seat": True, "do": "pass"}, "A seat is a whole number, not True."),
        (1, {"seat": 1.0, "do": "pass"}, "A seat is a whole number, not 1.0."),
        (1, {"do": "pass"}, "seat and do"),
        (1, "pass", "seat and do"),
        (3, {"seat": 0, "do": "auction"}, "not possible"),
        (4, {"seat": 1, "do": "pay", "cards": [50, 10]}, "could be left out"),
        (4, {"seat": 1, "do": "pay", "cards": [0, 10]}, "no payment"),
        (4, {"seat": 1, "do": "pay", "cards": [100]}, "Seat 1 holds 0 of the card 100, not 1."),
        (4, {"seat": 1, "do": "pay", "cards": []}, "does not reach"),
        (4, {"seat": 1, "do": "pay", "cards": [7]}, "not a money card"),
        (4, {"seat": 1, "do": "pay", "cards": 10}, "needs a list"),
    ],
)
def test_the_first_illegal_move_is_named_with_its_number_and_reason(move, wrong, says):
    made = record()
    made["moves"][move] = wrong
    error = refusal(made)
    assert error.move == move
    assert says in str(error)
    assert re.search(r" Legal( for (seat [0-2] \((Ada|Ben|Cyd)\)|the clock))?: \w.*\.$", str(error))
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"deal": {"start": 0, "deck": ["cow", *DECK[1:]]}}, "must have 4 × cow, not 5; 4 × chicken, not 3."),
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": 3}, "must be a name"),
        ({"format": "pgn"}, "The format is 'pgn'"),
        ({"rules": "kuhhandel/9"}, "kuhhandel/9"),
        ({"options": {"haste": 1}}, "no option 'haste'"),
        ({"options": {"bidding": "loud"}}, "bidding is 'loud'"),
        ({"options": {"trade_stall": -1}}, "trade_stall is -1"),
        ({"options": {"empty_offer": 1}}, "empty_offer is 1"),
        ({"options": []}, "options must be an object"),
        ({"players": ["Ada", "Ben"]}, "3 to 5 players, not 2"),
        ({"players": ["Ada", "Ben", 3]}, "The name 3"),
        ({"players": "ABC"}, "players must be a list"),
        ({"moves": {}}, "moves must be a list"),
        ({"deal": []}, "must be an object"),
        ({"deal": {"deck": DECK}}, "lacks the key 'start'"),
        ({"deal": {"start": 3, "deck": DECK}}, "start is 3"),
        ({"deal": {"start": 0, "deck": DECK, "hands": []}}, "unknown key 'hands'"),
        ({"deal": {"start": 0, "deck": DECK, "dealt": []}}, "unknown key 'dealt'"),
        ({"deal": {"start": 0, "deck": DECK[1:]}}, "must have 4 × chicken, not 3."),
        ({"deal": {"start": 0, "deck": [*DECK, "cow"]}}, "must have 4 × cow, not 5."),
        ({"deal": {"start": 0, "deck": [*DECK[1:], "emu"]}}, "'emu' is not an animal"),
        ({"deal": {"start": 0, "deck": "cow"}}, "must be a list of animals"),
        ({"scores": [0, 0, 0]}, "the match is not over"),
    ],
)
def test_a_bad_record_is_refused_by_name(changes, says):
    error = refusal(record(**changes))
    assert error.move is None
    assert says in str(error)


def test_a_bad_record_is_refused_in_the_language_of_the_page():
    with i18n.locale("de"):
        said = str(refusal(record(deal={"deck": DECK})))
        assert said == "Der Verteilung fehlt der Schlüssel 'start'; sie braucht deck, start."
        assert str(refusal(record(players={}))) == "players in der Aufzeichnung muss eine Liste von Namen sein."


@pytest.mark.parametrize("missing", ["format", "game", "players", "deal", "moves"])
def test_a_record_without_a_needed_key_is_refused(missing):
    made = record()
    del made[missing]
    assert f"no '{missing}'" in str(refusal(made))


def test_stated_scores_and_winners_are_verified():
    match = outbid.game("kuhhandel").new(players=3, seed=1)
    while not match.over:
        match.random_move(match.asked[0], 1)
    made = match.record()
    assert read_record(made).winners == made["winners"]
    wrong = [points + 1 for points in made["scores"]]
    assert "scores" in str(refusal(made | {"scores": wrong}))
    assert "winners" in str(refusal(made | {"winners": []}))
    assert "winners" in str(refusal(made | {"winners": made["winners"] * 2}))
    for same in ([float(points) for points in made["scores"]], [str(points) for points in made["scores"]], None):
        assert "scores" in str(refusal(made | {"scores": same}))
    assert "winners" in str(refusal(made | {"winners": [bool(seat) for seat in made["winners"]]}))


@pytest.mark.parametrize("text", ["", "{", '{"a": NaN}', '{"a": 1, "a": 2}'])
def test_what_is_not_json_is_unreadable(text):
    with pytest.raises(outbid.Unreadable, match="not JSON"):
        parse(text)


def test_several_winners_may_stand_in_any_order():
    made = outbid.game("kuhhandel", copies=[1, 1] + [0] * 8, values=[10] * 10).new(players=3, seed=1)
    while not made.over:
        made.play(made.asked[0], "auction" if made.view()["phase"] == "turn" else "pass")
    written = made.record()
    assert len(written["winners"]) == 2, "each of two auctioneers has one of two sets"
    assert read_record(written | {"winners": written["winners"][::-1]}).winners == written["winners"]


def test_what_is_nested_too_deep_is_unreadable():
    with pytest.raises(outbid.Unreadable, match="nested too deep"):
        parse("[" * 100_000 + "]" * 100_000)
    with pytest.raises(outbid.Unreadable, match="nested too deep"):
        parse('{"note": ' * 33 + "0" + "}" * 33)


@pytest.mark.parametrize("text", [r'{"note": "\ud800"}', r'{"\udfff": 1}', r'["a\ud83d b"]'])
def test_half_a_surrogate_pair_is_no_character(text):
    with pytest.raises(outbid.Unreadable, match="half a surrogate pair"):
        parse(text)
    assert parse(r'"\ud83d\ude00"') == "\U0001f600"


@pytest.mark.parametrize(
    ("text", "says"), [("", "nothing in it"), (" \n", "nothing in it"), ("9" * 101, "more than 100 digits")]
)
def test_an_empty_file_and_an_endless_number_are_said_plainly(text, says):
    with pytest.raises(outbid.Unreadable, match=f"This is not JSON: .*{says}"):
        parse(text)
    assert parse("9" * 100) == 10**100 - 1


def test_a_broken_record_of_many_lines_is_told_where_it_broke(tmp_path):
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record(), indent=2).replace('"options": {}', '"options": {'))
    with pytest.raises(outbid.Unreadable, match=r"game.json cannot be read\. This is not JSON: .*line 4"):
        read(file)
    file.write_text(json.dumps(record()) + "\n{\n")
    with pytest.raises(outbid.Unreadable, match=r"game.json cannot be read\. Record 2: This is not JSON"):
        read(file)


def test_a_record_has_a_largest_size(tmp_path):
    file = tmp_path / "game.json"
    lines = [json.dumps(record()), json.dumps(record(note="x" * 2**21))]
    file.write_text(lines[1])
    with pytest.raises(outbid.Unreadable, match="at most 2097152 characters"):
        read(file)
    file.write_text("\n".join(lines))
    found = records(file)
    assert next(found)[0] == 1
    with pytest.raises(outbid.Unreadable, match="Record 2: A record has at most"):
        next(found)


def test_a_file_of_json_lines_is_read_record_by_record(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(record()) + "\n" for _ in range(3)))
    assert [number for number, _ in records(file)] == [1, 2, 3]
    assert len(list(read_all(file))) == 3
    with pytest.raises(outbid.Unreadable, match="3 records, not one"):
        read(file)


@pytest.mark.parametrize("mark", ["\u2028", "\x85", "\x0c"])
def test_only_a_line_feed_ends_a_record_in_a_file_of_json_lines(tmp_path, mark):
    made = record(note=f"a{mark}b")
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(made, ensure_ascii=False) + "\n" for _ in range(2)), encoding="utf-8")
    assert len(list(read_all(file))) == 2


def test_a_pretty_printed_record_is_read(tmp_path):
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record(), indent=2))
    assert len(read(file).moves) == 5
