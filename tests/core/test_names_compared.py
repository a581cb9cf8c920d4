"""Names of people: what may be one, which two are taken for the same, and how a sentence sets one apart."""

import re
from pathlib import Path

import pytest

import outbid
from outbid.core.errors import BadRecord, BadSetup
from outbid.core.language import i18n, names
from outbid.core.record import read_record

ANIMALS = ("chicken", "goose", "cat", "dog", "lamb", "goat", "donkey", "pig", "cow", "horse")


def record(name):
    deal = {"start": 0, "deck": [*ANIMALS * 4]}
    return {"format": "outbid-record/1", "game": "kuhhandel", "players": [name, "Ben", "Cem"], "deal": deal, "moves": []}


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\x1bb", "a\ud800", "a\u2028b", "a\u202eb", "x" * 65, 7, None])
def test_a_record_is_refused_whose_players_have_names_that_cannot_be_shown(name):
    with pytest.raises(BadRecord, match=r"^The name .* (must have 1 to 64 characters that can be shown|is not text)\.$"):
        read_record(record(name))


BLANK = ["\u2800", "\u3164", "\u115f\u200d", "\u0301", "a" + "\u0301" * 40, "Zalgo\u0301\u0302\u0303\u0304\u0305",
         "\u00e9" + "\u0301" * 4, "a" + "\u0301\u200d" * 5]


@pytest.mark.parametrize("name", BLANK)
def test_a_record_is_refused_whose_players_have_names_that_nobody_can_read(name):
    with pytest.raises(BadRecord, match=r"^The name '.*' must have a sign that one can see, and at most 4 marks on each\.$"):
        read_record(record(name))
    with pytest.raises(BadSetup):
        outbid.game("rivals").new(2, names=[name, "Ben"])


@pytest.mark.parametrize("name", ["Yo", "steady", "می\u200cنا", "👨\u200d👩\u200d👧", "a\ufe0f", "Bot 1", "x" * 64])
def test_a_record_may_call_its_players_anything_that_can_be_shown(name):
    assert read_record(record(name)).names == [name, "Ben", "Cem"]


@pytest.mark.parametrize(("name", "shown"), [
    ("You", ["You (1)", "Ben", "Cem"]), ("dU", ["dU (1)", "Ben", "Cem"]), ("Y\u043eu", ["Y\u043eu (1)", "Ben", "Cem"]),
    ("Die Uhr", ["Die Uhr (1)", "Ben", "Cem"]), ("B\u0435n", ["B\u0435n (1)", "Ben (2)", "Cem"]),
    ("Cem\u3164", ["Cem\u3164 (1)", "Ben", "Cem (3)"]), ("Ben", ["Ben (1)", "Ben (2)", "Cem"]),
])  # fmt: skip
def test_who_could_be_taken_for_another_in_a_record_is_told_apart_by_the_seat(name, shown):
    match = read_record(record(name))
    assert match.names == shown
    assert read_record(match.record()).names == shown  # for good


def test_a_number_that_was_there_already_tells_nobody_apart():
    assert names.told_apart(["Ben (2)", "Cem", "Ben", "Ben"]) == ["Ben (2)", "Cem", "Ben (3)", "Ben (4)"]
    assert names.told_apart(["Ben (3)", "Cem", "Ben", "Ben"]) == ["Ben (3) (1)", "Cem (2)", "Ben (3)", "Ben (4)"]
    assert all(len(name) <= 64 for name in names.told_apart(["x" * 64] * 6))


REAL = [
    "می\u200cنا", "क्\u200dष", "ന്\u200d", "👨\u200d👩\u200d👧", "🏳️\u200d🌈", "👨🏽\u200d🚀", "1️⃣", "辻\U000e0100",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "محمد", "สมชาย", "Nguyễn", "O’Neil", "Anna-Lena", "Ｂerta", "Сара", "Zoë", "¯\\_(ツ)_/¯",
]  # fmt: skip


@pytest.mark.parametrize("name", REAL)
def test_a_name_that_people_have_is_taken_as_it_is(name):
    assert names.checked(name, 24) == name
    assert names.quoted(names.checked("Ada", 24)) == "Ada"


NOTHING = [
    "\ufe0f", "\u034f", "\u3164", "\uffa0", "\u115f", "\u1160", "\u2800", "\u17b4", "\u17b5", "\u180b", "\u00ad",
    "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u061c", "\u202e", "\u2060", "\u2066", "\u2069", "\ufeff",
    "\U000e0041",
]  # fmt: skip


@pytest.mark.parametrize("sign", NOTHING, ids=lambda sign: f"{ord(sign):04X}")
def test_what_is_not_drawn_is_no_part_of_a_name_and_no_difference_between_two(sign):
    for name in (sign, f"Ada{sign}", f"A{sign}da", f"{sign}Ada"):
        with pytest.raises(BadSetup):
            names.checked(name, 24)
        assert names.key_of(name) == names.key_of(name.replace(sign, ""))


UNREADABLE = ["", " ", "a\x1bb", "\u0301", "Zalgo\u0301\u0302\u0303\u0304\u0305", "x" * 25, "ﷺﷺ", "\ue000", "a\U0010fffe"]


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_name_that_cannot_be_read_is_refused_in_one_sentence(name):
    with pytest.raises(BadSetup, match=r"^[^.]+\.$"):
        names.checked(name, 24)


def test_a_name_is_as_long_as_people_count_it():
    assert names.checked("नमस्ते" * 6, 24)  # four characters each, six code points
    with pytest.raises(BadSetup, match="1 to 24 characters"):
        names.checked("é" * 25, 24)
    with pytest.raises(BadSetup, match="1 to 24 characters"):
        names.checked("👨\u200d👩\u200d👧" * 13, 24)  # 65 code points: more than a record holds


ALIKE = [
    ("Berta", "BERTA"), ("Berta", "Ｂerta"), ("Berta", "Вerta"), ("Berta", "Bert\u034fa"), ("Straße", "STRASSE"),
    ("Ilse", "llse"), ("modern", "modem"), ("B0b", "BOB"), ("Ada1", "Adal"), ("Ada  Lovelace", " ada lovelace "),
    ("é", "e\u0301"), ("ﬁn", "fin"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_two_names_that_look_the_same_are_alike(one, other):
    assert names.alike(one, [other]) == other
    assert names.alike(other, ["Somebody", one]) == one


def test_two_names_that_look_different_are_not_alike():
    assert names.alike("Berta", ["Bertha", "Bella", "Bert a", "Bérta"]) is None


def test_what_the_table_calls_its_reader_is_no_name_in_any_language():
    source = Path(outbid.__file__).parent
    called = set()
    for path in (*source.rglob("*.po"), *source.rglob("*.py"), *source.rglob("*.html")):
        called |= set(re.findall(r"\{\w+:([^\W\d_]{2,})\}", path.read_text(encoding="utf-8")))
    for language in i18n.LANGUAGES:
        with i18n.locale(language):
            called |= {i18n.words("outbid")[0](word) for word in ("You", "you", "The clock")}
    assert {"you", "your", "du", "dir", "dich"} <= called
    signs = ("You.", "“You”", "(you)", "*You*", "You: hello", "Du!")
    for word in (*called, *signs, "YOU", "Y\u043eu", "you2", "system", "Outbid"):
        with pytest.raises(BadSetup, match="the table uses that word itself"):
            names.checked(word, 24)


def test_a_name_in_a_sentence_cannot_pass_for_a_part_of_it():
    forged = "you bid 500. Berta"
    said = f"{names.marked(forged)} bids 30."
    assert names.plain(said) == "“you bid 500. Berta” bids 30."
    assert names.plain(f"{names.marked('x” passes. “Berta')} bids 30.") == "“x' passes. 'Berta” bids 30."
    assert names.plain(f"{names.marked('Ada')} and {names.marked('Player 2')} pass.") == "Ada and Player 2 pass."
    assert names.marked("a\u2069b\u202e") == "\u2068a?b?\u2069"


@pytest.mark.parametrize("text", ["e" + "\u0301" * 9, "\u00e9" + "\u0301" * 9, "e" + "\u0301\u200d" * 9, "\u0301" * 9])
def test_marks_are_counted_in_a_text_as_in_a_name(text):
    with pytest.raises(BadSetup):
        outbid.game("rivals").new(2, names=["Ann" + text, "Ben"])
    assert outbid.game("rivals").new(2, names=["Ann" + names.unpiled(text), "Ben"]).names[0] == "Ann" + names.unpiled(text)
    assert names.unpiled("\u212b and a\ufe0f\u0301") == "\u212b and a\ufe0f\u0301"  # nothing is piled: nothing is changed
