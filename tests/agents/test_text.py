"""Prompts for language models and what is read of their answers: they tell all a seat may know and no more, in any names."""

from __future__ import annotations

import json
import random
import re
from contextlib import suppress
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import outbid
from outbid.agents import prompts
from outbid.agents.answers import read
from outbid.agents.obfuscation import UNKNOWN, Disguise
from outbid.core import contract
from outbid.core.errors import Ambiguous, BadRulebook, BadSetup, Illegal, NotYourTurn, OutbidError, Unreadable
from outbid.core.language import i18n, passages
from outbid.core.match import Match
from outbid.core.options import Option, flag, number_or
from outbid.core.rulebook import rulebook
from outbid.testing.positions import random_options, random_setup
from tests.support.knowing import KNOWN, names_in, twin
from tests.support.profile import examples

seeds = st.integers(0, 2**40)
ways = st.fixed_dictionaries(
    {
        "legal": st.booleans(),
        "obfuscate": st.none() | st.integers(0, 50),
        "history": st.sampled_from(prompts.HISTORIES),
        "rules": st.sampled_from(prompts.RULES),
    }
)


@pytest.fixture(params=sorted(KNOWN))
def known(request: pytest.FixtureRequest) -> Any:
    """A game whose names are known."""
    return rulebook(request.param)


def played(book: Any, seed: int, moves: int) -> Match:
    """A match after random moves under random options, often with some of several sealed moves made."""
    rng = random.Random(seed)
    match = Match.new(book, *random_setup(book, rng, tunable=False), seed)
    for n in range(rng.randint(0, moves)):
        mask = contract.asked(match.state)
        able = [bit for bit in range(8) if mask >> bit & 1 and contract.legal(match.state, bit, [0] * 256)]
        if not able:
            break
        match.random_move(rng.choice(able), seed + n)
    return match


def said_wrong(match: Match, seat: int, answer: str, **way: Any) -> str:
    """How an answer is read, or refused."""
    try:
        return str(read(match, seat, answer, way["legal"], way["obfuscate"]))
    except OutbidError as error:
        return f"{type(error).__name__}: {error}"


# --- nothing leaks ----------------------------------------------------------------------------------------------------


@pytest.mark.slow(but=("rivals",))
@given(seed=seeds, way=ways)
@examples(12)
def test_a_prompt_does_not_change_when_all_the_seat_cannot_know_is_dealt_anew(known, seed, way):
    match = played(known, seed, 50)
    for seat in range(-1, match.players):
        other = twin(match, seat, seed)
        one = prompts.text(match, seat, **way)
        assert one == prompts.text(other, seat, **way)
        if seat >= 0:
            for answer in ("", "I do not know", *known.words.EXPECTED, "bid 40", "offer 50", '{"do": "bid", "cards": []}'):
                assert said_wrong(match, seat, answer, **way) == said_wrong(other, seat, answer, **way)


@given(seed=seeds, way=ways)
@examples(15)
def test_a_prompt_midway_through_several_sealed_bids_says_nothing_of_those_that_are_sealed(seed, way):
    book = rulebook("money")
    match = Match.new(book, random_options(book, random.Random(seed), tunable=False), 4, seed)
    hand = next(choice.cards for choice in match.legal(2) if choice.cards)
    shows = match.options.get("bid_counts") == "visible_on_commit"
    singles = [f"bid {card}" for card in hand[:3]]
    bids = singles if shows else list(dict.fromkeys(["stay out", singles[0], f"bid {' '.join(hand)}"]))
    others = [match.copy() for _bid in bids]
    for other, bid in zip(others, bids, strict=True):
        other.play(2, bid)
    for seat in (-1, 0, 1, 3):
        assert len({prompts.text(other, seat, **way) for other in others}) == 1
    assert len({prompts.text(other, 2, **{**way, "history": "full"}) for other in others}) == len(bids)


@given(seed=seeds)
@examples(10)
def test_a_game_of_another_package_with_sealed_cards_leaks_nothing_either(seed):
    match = played(rulebook("sealed"), seed, 12)
    for seat in range(-1, match.players):
        way = {"rules": "none", "legal": bool(seed % 2)}
        assert prompts.text(match, seat, **way) == prompts.text(twin(match, seat, seed), seat, **way)


# --- what a prompt tells ----------------------------------------------------------------------------------------------


@given(seed=seeds)
@examples(10)
def test_a_prompt_has_the_rules_the_changed_options_the_view_the_log_the_question_and_the_legal_moves(known, seed):
    match = played(known, seed, 40)
    for seat in match.asked:
        said = outbid.game(known.id).text(match, seat)
        assert said.startswith(f"You are {match.names[seat]}, seat {seat}, in a match of {known.title}")
        assert "## How moves are written" in said
        assert known.words.board(match.hidden(seat), seat, match.names) in said
        assert "\n".join(line.text for line in match.log(seat)) in said
        assert match.question(seat) in said
        for choice in match.legal(seat):  # but for an example, which stands before it
            text = choice.text.partition(", such as")[0]
            assert f"- {text}" in said or f" [{text}" in said
        for line in prompts.moves(match, seat).splitlines()[2:]:  # each begins with a move that can be sent as it is written
            match.copy().play(seat, line.removeprefix("- ").partition(" [")[0])
        assert all(f"- {name} = " in said for name in match.options)
        assert ("## What is different" in said) == bool(match.options)


@given(seed=seeds, way=ways)
@examples(25)
def test_the_example_of_an_answer_is_legal_now_and_reads_as_a_move(known, seed, way):
    match = played(known, seed, 60)
    for seat in match.asked:
        said = prompts.text(match, seat, **way)
        example = prompts.first_move(match, seat)
        assert ("## Your answer" in said) == (example is not None)
        if example is not None:
            move = read(match, seat, said.splitlines()[-1], way["legal"], way["obfuscate"])
            match.copy().play(seat, move)
            assert move == match.rulebook.words.canonical(example)


def test_rules_come_whole_in_short_or_not_at_all(known):
    match = Match.new(known, {}, known.players[1], 1)
    whole, short, none = (prompts.text(match, 0, rules=rules) for rules in prompts.RULES)
    file = (known.folder / "RULES.md").read_text(encoding="utf-8")
    bare = re.sub(r"\n{3,}", "\n\n", re.sub(r"(?m)^<!-- .*? -->\n| ?<!-- .*? -->", "", file))
    assert bare.strip() in re.sub(r"\n{3,}", "\n\n", whole)
    assert "<!--" not in whole
    assert len(none) < len(short) < len(whole)
    assert "## 1 Components" in short
    assert "## 11 Rulings" not in short
    assert re.search(r"\([A-Z]\d+\)", short) is None
    assert "The seed, sentence by sentence" not in short


@pytest.mark.parametrize(
    ("game", "told", "with_", "without"),
    [
        ("claim", "not hold for stacks of 0", [{"zero_risk": True}, {"shopping_spree": True}], [{}, {"action_fund": True}]),
        ("claim", "Ten 0-bills in a row win", [{"zero_risk": True}], [{}, {"shopping_spree": True}]),
        ("claim", "**Negative bills**", [{"bad_investment": True}, {"shopping_spree": True}], [{}, {"zero_risk": True}]),
        ("claim", "**Multinumbers**", [{"bad_investment": True}], [{}, {"shopping_spree": True}]),
        ("claim", "**Wild bills** go on", [{"wild_wagers": True}], [{}, {"shopping_spree": True}]),
        ("claim", "worth 0, and no 0-bill", [{"wild_wagers": True}], [{"wild_wagers": True, "wild_worth": 2}]),
        ("claim", "then that many are dealt", [{"hand_cap": 7}], [{}, {"two_players": "duel"}]),
        ("claim", "nothing is left over", [{}], [{"hand_cap": 7}]),
        ("claim", "| added | 2 players | duel |", [{"two_players": "duel"}], [{}, {"action_fund": True}]),
        ("claim", "as printed in the seed", [{}], [{"two_players": "duel"}]),
        ("claim", "has $10 wins", [{}], [{"goal": 8}]),
        ("claim", "worth 5 or more", [{}, {"negative_threshold": -4}], [{"full_threshold": 4}]),
        ("claim", "Diversity, second part", [{}, {"diversity_a": False}], [{"diversity_b": False}]),
        ("claim", "pushed to anyone at all", [{}], [{"no_target_rule": "stay"}, {"no_target_rule": "staged"}]),
        ("money", "**6 coins** of 10", [{}, {"coin_triplet_bonus": "once"}], [{"coins": "silver_gold"}]),
        ("money", "there are twelve coins", [{"coins": "silver_gold"}], [{}]),
        ("money", "acts next", [{}], [{"swap_order": "original_order"}]),
        ("money", "last card of the pile", [{}], [{"end_trigger": "cannot_fill"}, {"end_trigger": "no_extra_round"}]),
        ("money", "If five rounds in a row", [{}], [{"stall_rounds": 3}, {"stall_rounds": 0}]),
        ("kuhhandel", "bids above one's own money", [{}, {"overbid": "capped"}], [{"overbid": "forbidden"}]),
        ("kuhhandel", 'A pass means "not now"', [{}], [{"bidding": "dropout"}, {"bidding": "realtime"}]),
        ("kuhhandel", "are asked clockwise", [{}, {"bidding": "dropout"}], [{"bidding": "realtime"}]),
        ("kuhhandel", "none at all", [{}], [{"empty_offer": False}]),
        ("kuhhandel", "could be left out", [{}], [{"payment": "free"}, {"payment": "min_overpay"}]),
        ("kuhhandel", "zeros too", [{}], [{"winner_pays": True}, {"zeros_return": True}]),
        ("kuhhandel", "stay exchanged", [{}], [{"tie_money": "returned"}]),
        ("kuhhandel", "Money counts nothing", [{}], [{"final_tie": "money"}]),
        ("forex", "Six certificates drawn", [{}], [{"removed_certificates": 0}]),
        ("forex", "three offers may be made", [{}], [{"max_spot_offers": "unlimited"}, {"spot_enabled": False}]),
        ("forex", "bankrupt player cannot win", [{}], [{"bankrupt_excluded": False}]),
        ("forex", "rounded down by itself", [{}], [{"final_rounding": "total"}]),
        ("forex", "pot transaction", [{}], [{"spot_enabled": False}]),
        ("forex", "promises that these rules do not name bind nobody", [{}, {"spot_enabled": False}], []),
        ("rivals", "The supply stays", [{}], [{"pile_distribution": True}]),
        ("rivals", "the whole supply is then divided", [{"pile_distribution": True}], [{}]),
        ("rivals", "each time a pile runs out", [{"pile_distribution": True}], [{}]),
        ("rivals", "at most 36 auctions", [{}], [{"pile_distribution": True}]),
        ("rivals", "when the deck runs out", [{}], [{"final_distribution": False}]),
        ("rivals", "must lie on display", [{}], [{"auction_on_empty_display": True}]),
        ("rivals", "player on his right", [{}], [{"next_after_auction": "left_of_winner"}]),
        ("rivals", "He may take none", [{}], [{"must_take_at_least_one": True}]),
    ],
)  # fmt: skip
def test_an_agent_is_told_what_holds_and_nothing_else(game, told, with_, without):
    book = rulebook(game)
    for options in with_:
        assert told in prompts.rules_of(book, "short", options), options
    for options in without:
        assert told not in prompts.rules_of(book, "short", options), options


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("kuhhandel", {"overbid": "capped"}, "a bid may be at most twice the bidder's own money plus 100"),
        ("kuhhandel", {"overbid": "forbidden"}, "a bid shows everybody that its bidder has at least so much"),
        ("claim", {"no_target_rule": "stay"}, "stays when the turn ends."),
        ("claim", {"diversity_b": False}, "lift that part of Diversity"),
        ("money", {"end_trigger": "no_extra_round"}, "`no_extra_round`: then there is no next round."),
        ("rivals", {"starting_wagers": 1}, "everybody is dealt so many, all of different colours. With few"),
    ],
)
def test_with_an_option_stands_how_the_program_reads_it(game, options, said):
    book = rulebook(game)
    told = prompts.changed(book, options)
    assert prompts.CHANGES in told
    assert said in told
    assert "stays when the turn ends." not in prompts.changed(book, {book.options[-1].name: True})
    assert prompts.changed(book, {}) == ""


OPTIONS = (
    flag("gold", "Gold", False, "there is gold"),
    Option("coins", "Coins", "few", "how many coins", words=("few", "many")),
    number_or("cap", "Cap", 3, 1, 9, {"none": "None"}, "a cap"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A\nB <!-- with glod -->\n", "line 2: a mark names glod, which is no option of the game; it has gold, coins, cap. "
         "Did you mean 'gold'?"),
        ("A <!-- with gold=yes -->", "line 1: Option gold is 'yes'; it must be true or false."),
        ("A <!-- with gold=true coins=some -->", "line 1: Option coins is 'some'; it must be \"few\" or \"many\"."),
        ("A <!-- with cap=10 -->", "line 1: Option cap is 10; it must be a whole number from 1 to 9 or \"none\"."),
        ("A <!-- with coins -->", "line 1: a mark names coins without a value; it must be \"few\" or \"many\"."),
        ("A <!-- with -->", "line 1: a mark names no option."),
        ("A\n<!-- with gold -->\nB\n", "line 2: a passage begins and never ends."),
        ("<!-- with gold -->\nA\n<!-- with cap=none -->\nB\n<!-- end -->\n",
         "line 3: a passage begins before that of line 1 has ended."),
        ("A\n<!-- end -->\n", "line 2: a passage ends, and none has begun."),
    ],
)  # fmt: skip
def test_a_mark_that_is_wrong_is_refused_with_file_and_line_when_the_rulebook_is_read(tmp_path, text, says):
    file = tmp_path / "RULES.md"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadRulebook) as refused:
        passages.read(file, OPTIONS)
    assert str(refused.value) == f"{file}, {says}"


def test_what_holds_with_an_option_within_a_passage_holds_with_both(tmp_path):
    file = tmp_path / "RULES.md"
    file.write_text("<!-- with gold -->\nA\nB <!-- with coins=many cap=none -->\n<!-- end -->\nC <!-- with cap=3 -->\n")
    text = passages.read(file, OPTIONS)
    both = {"gold": True, "coins": "many", "cap": 3}
    assert passages.in_force(text, both) == "A\nB\nC\n"
    assert passages.in_force(text, {**both, "coins": "few"}) == "A\nC\n"
    assert passages.in_force(text, {**both, "gold": False}) == "C\n"
    assert passages.in_force(text, {"gold": True, "coins": "few", "cap": "none"}) == "A\nB\n"


def test_a_mark_ends_where_it_says_and_a_value_is_written_as_in_json():
    text = "A\n<!-- with gold=true -->\nB\nC <!-- end -->\nD\nE <!-- with gold=false -->\n"
    assert passages.in_force(text, {"gold": True}) == "A\nB\nC\nD\n"
    assert passages.in_force(text, {"gold": False}) == "A\nD\nE\n"
    assert passages.unmarked(text) == "A\nB\nC\nD\nE\n"


def test_the_rules_in_short_are_those_of_the_match():
    plain, full = (prompts.text(Match.new(rulebook("claim"), options, 3, 1), 0) for options in ({}, {"action_fund": True}))
    for said, icons in ((plain, False), (full, True)):
        assert ("## 8 Action Fund" in said) == ("`skip`" in said) == ("**Merger.**" in said) == icons
        assert "Express Lane" not in said
        assert "Wild bills" not in said
        assert "## 10 What is public" in said
    assert len(plain) < 5_500
    coins = [prompts.text(Match.new(rulebook("money"), {"coins": kind}, 3, 1), 0) for kind in ("classic", "silver_gold")]
    assert ["Coins: 16, 18, 36" in said for said in coins] == [True, False]
    assert ["Gold: 7, 12, 31" in said for said in coins] == [False, True]


@given(seed=seeds)
@examples(10)
def test_the_rules_in_short_tell_how_each_move_of_the_match_is_written(known, seed):
    match = played(known, seed, 60)
    typed = re.findall(r"^\| `([^`]+)` \|", prompts.how(known, match.options), flags=re.M)
    told = {known.words.parse(line)["do"] for line in typed}
    for seat in match.asked:
        assert {choice.move["do"] for choice in match.legal(seat)} <= told
    assert {move["do"] for move in match.moves} <= told


def test_withheld_legal_moves_are_not_listed_and_how_moves_are_written_is_said(known):
    match = Match.new(known, {}, known.players[1], 1)
    seat = match.asked[0]
    for rules in prompts.RULES:
        said = prompts.text(match, seat, legal=False, rules=rules)
        assert "Your legal moves" not in said
        assert "How moves are written" in said
    with pytest.raises(OutbidError) as refused:
        read(match, seat, known.words.text(illegal(match, seat)), legal=False)
    assert "Legal:" not in str(refused.value)


def illegal(match: Match, seat: int) -> dict[str, Any]:
    """A readable move that is not legal at the start of a match."""
    return {
        "kuhhandel": {"do": "sell"}, "money": {"do": "keep"}, "rivals": {"do": "pass"}, "forex": {"do": "agree"},
        "claim": {"do": "end"},
    }[match.rulebook.id]  # fmt: skip


def test_a_compact_history_keeps_the_prompt_bounded_over_a_whole_match(known):
    match = Match.new(known, {}, known.players[1], 5)
    rng, longest, full = random.Random(2), 0, 0
    while not match.over and len(match.moves) < 600:
        seat = rng.choice(match.asked)
        if len(match.moves) % 7 == 0:
            kinds = ("none", "compact", "full")
            sizes = (len(prompts.text(match, seat, rules="none", history=history)) for history in kinds)
            none, compact, whole = sizes
            longest, full = max(longest, compact - none), max(full, whole - none)
            assert compact <= whole + 300
        match.random_move(seat, len(match.moves))
    assert longest < 200 + prompts.LAST * 170
    assert full > 1.5 * longest
    seat = 0
    said = prompts.told(match.log(seat), match.names, seat, "compact")
    left = re.search(r"\((\d+) earlier lines are left out; moves they told of: (.*)\.\)", said)
    assert left
    assert int(left[1]) == len(match.log(seat)) - prompts.LAST
    assert said.endswith("\n".join(line.text for line in match.log(seat)[-prompts.LAST :]))


def test_a_seat_that_is_not_asked_is_told_so_and_a_finished_match_has_a_result():
    match = outbid.game("rivals").new(players=3, seed=1)
    other = next(seat for seat in range(3) if seat not in match.asked)
    assert "Your answer" not in prompts.text(match, other)
    assert prompts.text(match, -1).startswith("You watch a match of Rivals.")
    while not match.over:
        match.random_move(match.asked[0], 3)
    assert "(wins)" in prompts.text(match, 0)


def test_prompts_and_refusals_are_english_whatever_language_is_spoken():
    match = outbid.game("kuhhandel").new(players=3, seed=1)
    seat = match.asked[0]
    english = prompts.text(match, seat), said_wrong(match, seat, "sell", legal=True, obfuscate=None)
    with i18n.locale("de"):
        assert (prompts.text(match, seat), said_wrong(match, seat, "sell", legal=True, obfuscate=None)) == english


@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        ({"history": "long"}, "history is 'long'; it must be one of full, compact, none."),
        ({"rules": "some"}, "rules is 'some'; it must be one of whole, short, none."),
        ({"obfuscate": -1}, "The seed is -1; it must be a whole number from 0 to 2**63 - 1."),
    ],
)
def test_a_wrong_option_is_one_sentence(way, sentence):
    match = outbid.game("rivals").new(players=3)
    with pytest.raises(BadSetup) as refused:
        prompts.text(match, 0, **way)
    assert str(refused.value) == sentence


def test_a_game_speaks_only_of_its_own_matches():
    with pytest.raises(BadSetup, match="one of Rivals, not of Kuhhandel"):
        outbid.game("kuhhandel").text(outbid.game("rivals").new(players=3), 0)


# --- names in disguise ------------------------------------------------------------------------------------------------


@pytest.mark.slow(but=("rivals",))
@given(seed=seeds, way=ways)
@examples(25)
def test_nothing_of_the_names_is_left_in_an_obfuscated_prompt(known, seed, way):
    match = played(known, seed, 60)
    for seat in range(-1, match.players):
        assert names_in(known, prompts.text(match, seat, **{**way, "obfuscate": seed})) == []


def test_the_same_prompt_without_disguise_has_names(known):
    match = played(known, 3, 30)
    assert len(names_in(known, prompts.text(match, 0, rules="whole"))) >= 10


@given(seed=seeds)
@examples(25)
@pytest.mark.slow(but=("rivals",))
def test_refusals_are_in_the_names_of_the_prompt(known, seed):
    match = played(known, seed, 40)
    for seat in match.asked:
        for answer in ("", "no idea", known.title, *KNOWN[known.id][-9:], "buy", "sell", "bid 3", "push 3 to 0"):
            way = {"legal": True, "obfuscate": seed}
            refused = said_wrong(match, seat, answer, **way)
            if not refused.startswith("{"):
                assert names_in(known, refused) == []


@given(seed=seeds)
@examples(15)
@pytest.mark.slow(but=("rivals",))
def test_what_is_answered_in_made_up_names_is_read_back_as_text_and_as_an_object(known, seed):
    match, disguise = played(known, seed, 60), Disguise(known, seed)
    for seat in match.asked:
        for move in every_move(match, seat, random.Random(seed)):
            typed, record = known.words.text(move), json.dumps(move, ensure_ascii=False)
            for said in (typed, f"Well.\n\nANSWER: {typed}", record, f"```json\n{record}\n```"):
                made_up = disguise.cover(said)
                assert names_in(known, made_up) == []
                assert read(match, seat, made_up, obfuscate=seed) == move


def every_move(match: Match, seat: int, rng: random.Random) -> list[dict[str, Any]]:
    """Legal moves of all kinds that a seat has."""
    found = []
    for choice in match.legal(seat):
        if choice.whole:
            found.append(dict(choice.move))
        found += [{**choice.move, "amount": amount} for amount in choice.amounts[:2]]
        found += [dict(move) for move in rng.sample(choice.moves, min(3, len(choice.moves)))]
    found += [match.copy().random_move(seat, rng.getrandbits(30)) for _ in range(3)] if found or match.legal(seat) else []
    return [match.rulebook.words.canonical(move) for move in found]


def test_a_name_that_was_covered_is_not_understood():
    match = outbid.game("kuhhandel").new(players=3, seed=1)
    with pytest.raises(Unreadable) as refused:
        read(match, match.asked[0], "trade cow with 2", obfuscate=1)
    assert UNKNOWN in str(refused.value)


def test_the_same_seed_gives_the_same_names_and_another_seed_others(known):
    said = known.written
    one, again, other = (Disguise(known, seed).cover(said) for seed in (1, 1, 2))
    assert one == again != other


def test_made_up_names_are_told_apart_and_none_is_a_word_of_the_rulebook(known):
    words = {word.lower() for word in re.findall(r"[A-Za-z]+", known.written)}
    for seed in range(30):
        disguise = Disguise(known, seed)
        made = [disguise.cover(name.forms[0]).lower() for name in known.words.lexicon]
        assert len(set(made)) == len(made)
        assert not words & {name for name in made if len(name) > 1}


def test_every_game_here_declares_its_names(book):
    if book.id in KNOWN:
        spelled = " ".join(" ".join(name.spellings) for name in book.words.lexicon).lower()
        assert [name for name in KNOWN[book.id] if len(name) > 3 and name.lower().rstrip("s") not in spelled] == []
    else:
        with pytest.raises(BadSetup, match="cannot be obfuscated"):
            Disguise(book, 1)


# --- what is read -----------------------------------------------------------------------------------------------------


@pytest.fixture
def bidding() -> tuple[Match, int]:
    """Seat 2 is asked for a bid above 40, or passes."""
    match = outbid.game("kuhhandel").new(players=4, seed=7)
    match.play(1, "auction")
    match.play(2, "bid 10")
    match.play(3, "bid 40")
    match.play(0, "pass")
    assert match.asked == (2,)
    return match, 2


@pytest.mark.parametrize(
    "answer",
    [
        "bid 60",
        "BID 60",
        "Bid 60.",
        "  bid   60 !\n",
        "ANSWER: bid 60",
        "**Answer: bid 60**",
        "Final answer: `bid 60`.",
        "My move is: bid 60",
        "The others are bluffing; a pass would be weak.\n\nANSWER: bid 60",
        "ANSWER: pass\n\nNo, I take that back.\n\nANSWER: bid 60",
        "ANSWER:\nbid 60",
        "ANSWER:\n```\nbid 60\n```",
        "### Move:\n\n```json\n{\"do\": \"bid\", \"amount\": 60}\n```",
        '{"do": "bid", "amount": 60}',
        '{"do": "BID", "amount": 60, "why": "it is cheap"}',
        'I think so: {"do": "bid", "amount": 60}. That is all.',
        '{"thought": "a pass?", "move": "bid 60"}',
        '{"Action": {"do": "bid", "amount": 60}}',
        "```\nbid 60\n```",
        "I was told:\n- bid 50 to 270\n- pass\n\nI bid 60.",
        "My options are:\n- bid 60\n- pass\n\nI choose to bid 60 because the set is worth it.",
        "First I thought of pass. Then I decided: bid 60",
        "I will bid 60. That is better than pass.",
        "I would bid 60 for it",
        "I do not want to pass.\nbid 60",
        "pass\n\nWait, no:\n\nbid 60",
        "I'll go with `bid 60`",
        "“bid 60”",
        "- bid 60",
        "1. bid 60",
        "Later I may sell or buy, now I bid 60.",
    ],
)
def test_an_answer_is_read_however_it_is_dressed(bidding, answer):
    match, seat = bidding
    assert read(match, seat, answer) == {"do": "bid", "amount": 60}
    assert len(match.moves) == 4  # it is read, not played


@pytest.mark.parametrize(
    ("answer", "candidates"),
    [
        ("bid 60 or pass", ("bid 60", "pass")),
        ("ANSWER: bid 60, or else pass", ("bid 60", "pass")),
        ("I will not pass", ("pass",)),
        ("- bid 60\n- pass", ("bid 60", "pass")),
        ("I would rather pass than bid 60.", ("pass", "bid 60")),
        ("If the price is low I bid 60.", ("bid 60",)),
    ],
)
def test_an_answer_that_could_mean_several_moves_is_asked_back_with_all_of_them(bidding, answer, candidates):
    match, seat = bidding
    with pytest.raises(Ambiguous) as refused:
        read(match, seat, answer)
    assert refused.value.candidates == candidates
    assert "; ".join(candidates) in str(refused.value)
    assert "ANSWER: bid 50" in str(refused.value)


@pytest.mark.parametrize(
    "answer", ["", "   \n", "I have no idea.", "bid", "bid 50 to 270", "bid lots", "{}", '{"do": 3}', "{{{", "ANSWER:"]
)
def test_an_answer_without_a_move_is_unreadable_in_one_sentence(bidding, answer):
    match, seat = bidding
    with pytest.raises(Unreadable) as refused:
        read(match, seat, answer)
    assert not isinstance(refused.value, Ambiguous)
    assert "\n" not in str(refused.value)
    assert str(refused.value).endswith(".")
    assert 20 < len(str(refused.value)) < 260


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("bid 40", "A bid must be higher than 40."),
        ("bid 45", "Bids are multiples of 10, not 45."),
        ("I bid 9000.", "9000 is more than the"),
        ("ANSWER: sell", "It is not possible to sell now."),
    ],
)
def test_an_illegal_answer_says_why_and_what_is_legal_unless_that_is_withheld(bidding, answer, reason):
    match, seat = bidding
    with pytest.raises(Illegal) as refused:
        read(match, seat, answer)
    assert refused.value.reason.startswith(reason)
    assert "Legal: bid 50 to" in str(refused.value)
    assert refused.value.legal[-1] == "pass"
    with pytest.raises(Illegal) as refused:
        read(match, seat, answer, legal=False)
    assert "Legal:" not in str(refused.value)


def test_an_answer_of_a_seat_that_is_not_asked_is_refused(bidding):
    match, _seat = bidding
    for answer in ("bid 60", "what?"):
        with pytest.raises(NotYourTurn):
            read(match, 1, answer)


def test_to_lay_nothing_must_be_said():
    match = outbid.game("kuhhandel", preset="quick").new(players=3, seed=2)
    while not any(choice.move["do"] == "offer" for choice in match.legal(match.asked[0])):
        seat = match.asked[0]
        trades = [choice.move for choice in match.legal(seat) if choice.move["do"] == "trade"]
        match.play(seat, trades[0]) if trades else match.random_move(seat, 1)
    seat = match.asked[0]
    for answer in ("offer", "ANSWER: offer", "I make an offer.", "I offer of course"):
        with pytest.raises(OutbidError):
            read(match, seat, answer)
    with pytest.raises(Unreadable, match='or "offer nothing"'):
        read(match, seat, "ANSWER: offer")
    assert read(match, seat, "I offer nothing.") == {"do": "offer", "cards": []}
    assert read(match, seat, "I offer 10, 10 to them.") == {"do": "offer", "cards": [10, 10]}


@given(answer=st.text(max_size=300) | st.lists(st.sampled_from([
    "ANSWER:", "bid", "pass", "60", "40", "{", "}", '"do"', ":", "\n", "- ", "```", "not", "or", "to", "9" * 40, "\x00", ".",
]), max_size=30).map(" ".join))  # fmt: skip
@pytest.mark.slow
def test_any_answer_at_all_is_a_legal_move_or_one_error(answer):
    match = outbid.game("kuhhandel").new(players=3, seed=1)
    match.play(match.asked[0], "auction")
    seat = match.asked[0]
    with suppress(Unreadable, Illegal):
        match.copy().play(seat, read(match, seat, answer))


@given(seed=seeds, obfuscate=st.none() | st.integers(0, 50))
@examples(10)
def test_a_line_of_the_menu_is_read_as_it_stands_bracket_and_all(known, seed, obfuscate):
    match = played(known, seed, 60)
    for seat in match.asked:
        menu = prompts.text(match, seat, obfuscate=obfuscate).partition("## Your legal moves\n\n")[2].partition("\n\n")[0]
        for line in menu.splitlines():
            bare = read(match, seat, line.removeprefix("- ").partition(" [")[0], obfuscate=obfuscate)
            for answer in (line, line.removeprefix("- "), f"ANSWER: {line.removeprefix('- ')}", f"I take\nANSWER: {line}."):
                assert read(match, seat, answer, obfuscate=obfuscate) == bare, answer


def test_what_was_told_begins_the_next_prompt_too(known):
    match, heard = Match.new(known, {}, known.players[1], 5), {}
    while not match.over and len(match.moves) < 60:
        for seat in match.asked:
            prompt = prompts.text(match, seat)
            before = heard.get(seat, "").partition("\n\n## What you see")[0]
            assert prompt.startswith(before.replace("\nNothing has happened yet.", ""))
            heard[seat] = prompt
        match.random_move(match.asked[0], len(match.moves))
    assert any("## What you were told" in prompt for prompt in heard.values())


@given(seed=seeds)
@examples(15)
def test_every_legal_move_is_read_in_any_dress_in_every_game(known, seed):
    match = played(known, seed, 60)
    for seat in match.asked:
        for move in every_move(match, seat, random.Random(seed)):
            typed = known.words.text(move)
            for said in (typed, typed.upper(), f"{typed}.", f"I have thought.\n\n**ANSWER: {typed}**", json.dumps(move)):
                assert read(match, seat, said) == move


@pytest.mark.parametrize("seat", [9, -2, None, "1", True])
def test_a_prompt_for_a_seat_that_is_none_is_refused(seat):
    game = outbid.game("kuhhandel")
    with pytest.raises(outbid.BadSetup, match=r"There is no seat|A seat is a whole number"):
        game.text(game.new(3, seed=1), seat)


def unfolded(said: str) -> set[str]:
    """The moves of a list in which is said once what several have in common."""
    begun, _, rest = said.rpartition(" …: ")
    found = set()
    for part in rest.split("; "):
        head, between, tail = re.fullmatch(r"(.*?)(?:( get | receive )(.*))?", part).groups(default="")
        found |= {f"{begun} {one}{between}{end}".strip() for one in head.split(", ") for end in tail.split(", ")}
    return found


def in_menu(said: str) -> set[str]:
    """The moves that a menu of For-Ex gives to somebody who reads it."""
    known: dict[str, set[str]] = {}
    for line in said.splitlines()[2:]:
        sample, _, rest = line.removeprefix("- ").removesuffix("]").partition(" [")
        text, _, listed = rest.removesuffix(")").partition(" (")
        like = re.fullmatch(r"as after (.*?)(?:, without (.*?))?(?:, and (.*))?", listed)
        count = re.fullmatch(r"(.*?)(\d+) to (\d+)(.*)", text)
        now = {sample}
        if listed.startswith("in any order"):
            words = re.findall(r"[A-Z]{3}", text)
            now = {f"{sample.split()[0]} {' '.join(some)}" for n in (1, 2) for some in permutations(words, n)}
        elif like:
            begun = " ".join(sample.split()[: len(like[1].split())])
            others = next(moves for first, moves in known.items() if first.startswith(f"{like[1]} "))
            ends = {move.removeprefix(f"{like[1]} ") for move in others} - unfolded(like[2] or "")
            now = {f"{begun} {end}" for end in ends | (unfolded(like[3]) if like[3] else set())}
        elif listed:
            now = unfolded(listed)
        elif count:
            now = {f"{count[1]}{n}{count[4]}" for n in range(int(count[2]), int(count[3]) + 1)}
        known[sample] = now
    return set().union(*known.values())


@pytest.mark.slow
@given(seed=seeds)
@examples(8)
def test_a_menu_says_once_what_moves_have_in_common_and_whoever_reads_it_finds_each_of_them(seed):
    book, rng = rulebook("forex"), random.Random(seed)
    match = Match.new(book, {"max_spot_offers": "unlimited"}, rng.randint(2, 6), seed)
    for n in range(60):
        for seat in match.asked:
            moves = {book.words.text(dict(move)) for one in match.legal(seat) for move in one.moves or [one.move]}
            assert in_menu(prompts.moves(match, seat, every=True)) == moves
        if match.over:
            break
        match.random_move(match.asked[0], seed + n)


def told_of_for_ex(**options: str) -> tuple[list[int], list[int]]:
    """Characters of each prompt of a match of three, and of its menus."""
    match, rng = outbid.game("forex", **options).new(players=3, seed=1), random.Random(1)
    sizes, menus = [], []
    while not match.over and len(match.moves) < 150:
        seat = rng.choice(match.asked)
        sizes.append(len(prompts.text(match, seat, rules="none", history="compact")))
        menus.append(len(prompts.moves(match, seat)))
        match.random_move(seat, len(match.moves))
    return sizes, menus


def test_a_decision_of_for_ex_is_told_in_a_fifth_of_what_it_was():
    """17,800 characters at the first move of three; the rules are told once."""
    sizes, menus = told_of_for_ex()
    assert sizes[0] < 2_400
    assert sum(sizes) / len(sizes) < 17_800 / 5
    assert max(sizes) < 3_700
    assert max(menus) < 1_250  # forex/2 has twice as many swaps
    assert max(told_of_for_ex(spot_unit="one_stronger")[1]) < 1_100


def test_a_list_is_folded_by_what_comes_first_or_last_and_amounts_stay_whole():
    assert prompts.folded(["go", "go GBP", "go EUR", "stay"]) == "go; go GBP, EUR; stay"
    assert prompts.folded(["give 1 BU get 2 CD", "give 1 BU get 3 EF"]) == "give 1 BU get 2 CD, 3 EF"
    assert prompts.folded(["give 1 BU get 2 CD", "give 9 EF get 2 CD"]) == "give …: 1 BU, 9 EF get 2 CD"
    assert prompts.folded(["buy GBP", "buy GBP EUR", "buy EUR"]) in (
        "buy GBP, EUR; buy GBP EUR", "buy …: GBP; GBP EUR; EUR", "buy GBP; buy GBP EUR; buy EUR",
    )  # fmt: skip


def test_of_many_moves_some_are_listed_and_all_if_one_wants_them():
    texts = [f"give {n} BU get {m} CD" for n in range(1, 11) for m in range(11, 21)]
    some = prompts.menu([(texts[0], "swap two lots", range(0), None, texts)])
    assert some.splitlines()[-1].startswith("- give 1 BU get 11 CD [swap two lots (100 moves, for example: ")
    assert "10 BU get 20 CD" not in some
    every = prompts.menu([(texts[0], "swap two lots", range(0), None, texts)], every=True)
    assert in_menu(every) == set(texts)
    assert len(every) < sum(map(len, texts))
