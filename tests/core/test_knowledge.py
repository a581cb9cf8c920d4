"""Knowledge is declared: who was shown what follows the things, and worlds are dealt anew from what the fields say."""

from __future__ import annotations

import ast
import re
from collections import Counter
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

import outbid
from outbid.compiled.backend import entry
from outbid.core import contract, knowledge
from outbid.core.components import SYMBOLS, Look
from outbid.core.derived.showing import shown
from outbid.core.errors import NoWorld
from outbid.core.rulebook import GAMES, rulebook
from outbid.testing import PROPERTIES, Own, positions, stepping
from outbid.testing.compiled import BACKENDS, ROLLOUTS
from outbid.testing.hiding import REDEAL
from outbid.testing.knowing import KNOWLEDGE

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = ("sealed_trunks.py", "night_office.py", "storm_tricks.py", "market_dice.py")
MOST_LINES = {"storm_tricks.py": 200, "market_dice.py": 120}
UNWRITTEN = {"hide", "observe", "view", "redeal"}


@pytest.fixture(scope="module", autouse=True)
def apart():
    """The games of this module's files are known to no other test."""
    with GAMES.apart():
        yield


@pytest.fixture
def variant(tmp_path):
    """A game of the examples with some lines replaced, under another name."""

    def make(file, *changes, name="changed"):
        text = (EXAMPLES / file).read_text(encoding="utf-8")
        for there, instead in changes:
            assert there in text
            text = text.replace(there, instead)
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        return rulebook(str(tmp_path / f"{name}.py"))

    return make


def office(*hands, players=3, deck=()):
    """The night office at the turn of seat 0, with these papers in the hands and on top of the deck."""
    book = rulebook(str(EXAMPLES / "night_office.py"))
    state = book.fresh({"rounds": 1})
    contract.deal(state, players, 1)
    pool = [kind for kind, copies in enumerate(book.modules[0].COPIES) for _ in range(copies)]
    for kind in (*(kind for hand in hands for kind in hand), *deck):
        pool.remove(kind)
    state.hand = [[(hands[seat] if seat < players else ()).count(kind) for kind in range(9)] for seat in range(4)]
    state.aside = pool.pop()
    state.left = len(pool) + len(deck)
    state.deck = [*pool, *reversed(deck), *[0] * (16 - state.left)]
    return state, book.modules[0]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.slow
def test_an_example_keeps_every_property(file):
    book = rulebook(str(EXAMPLES / file))
    for prop in PROPERTIES:
        assert not list(map(str, prop(book, 8, 0, Own()))), prop.name


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_the_backends_agree_on_an_example(file):
    book = rulebook(str(EXAMPLES / file))
    assert not [*BACKENDS(book, 6, 0, Own()), *ROLLOUTS(book, 3, 0, Own())]


@pytest.mark.parametrize("file", FILES)
def test_an_example_is_short_and_writes_nothing_of_what_follows_from_its_fields(file):
    text = (EXAMPLES / file).read_text(encoding="utf-8")
    game = re.sub(r"(?ms)^\w*GERMAN\b.*?(?=^rulebook)|^[^\n]*\bwords\b[^\n]*\n", "", text)  # but for German
    assert len(game.splitlines()) <= MOST_LINES.get(file, 350)
    tree = ast.parse(text)
    assert not UNWRITTEN & {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def wrong_bounds(state, viewers=range(5)):
    """What a viewer holds for certain of a hand, and is not so."""
    for viewer in viewers:
        for row in range(state.players):
            for kind in range(1, len(state.hand[0])):
                held, at = state.hand[row][kind], viewer * 4 + row
                if held < state.hand_least[at][kind] or (state.hand_most[at][kind] and held >= state.hand_most[at][kind]):
                    yield viewer, row, kind


@pytest.mark.parametrize("file", ["night_office.py", "storm_tricks.py"])
@pytest.mark.slow
def test_what_is_known_is_true_in_every_position_and_in_every_world(file):
    book, learned = rulebook(str(EXAMPLES / file)), 0
    for seed in range(60):
        state = positions.deal(book, seed)
        for n, _ in enumerate(positions.walk(state, seed, 60)):
            assert not list(wrong_bounds(state))
            learned += sum(map(sum, state.hand_most))
            if n % 5 == 0:
                for seat in positions.seats(state):
                    world = positions.redealt(state, seat, seed)
                    assert not list(wrong_bounds(world))
                    assert positions.hidden(world, seat) == positions.hidden(state, seat)
    assert learned > 1000


def test_a_paper_that_was_looked_at_is_known_until_it_is_laid():
    state, game = office([2, 1], [5], [8], deck=[3, 4, 6])
    contract.apply(state, 0, game.LOOK + 1)
    mine, others = positions.hidden(state, 0), positions.hidden(state, 2)
    assert mine.hand[1] == [1, 0, 0, 0, 0, 1, 0, 0, 0]  # the Bailiff, and what seat 1 has drawn
    assert others.hand[1] == [2, *[0] * 8]
    contract.apply(state, 1, game.DUEL)  # lays the Duellist that was drawn, against seat 0
    assert state.out[0] == 1  # Clerk against Bailiff
    assert positions.hidden(state, -1).hand_most[17][:6] == [0, 1, 0, 0, 0, 0]  # no Clerk, all know
    assert positions.hidden(state, 0).hand[1][5] == 1
    other, game = office([2, 1], [5], [8], deck=[3, 4, 6])
    contract.apply(other, 0, game.LOOK + 1)
    contract.apply(other, 1, game.EVICT + 2)  # lays the very paper that was seen
    assert positions.hidden(other, 0).hand[1] == [1, *[0] * 8]


def test_of_two_who_are_equal_the_paper_of_one_tells_that_of_the_other():
    state, game = office([3, 2], [5], [2], deck=[4, 7, 6])
    contract.apply(state, 0, game.DUEL + 2)
    contract.apply(state, 1, game.EVICT + 2)
    assert positions.hidden(state, -1).hand[0] == [0, 0, 1, 0, 0, 0, 0, 0, 0]


def test_who_exchanges_knows_what_the_other_one_has_now():
    state, game = office([6, 1], [8], [2], deck=[3])
    contract.apply(state, 0, game.SWAP + 1)
    assert positions.hidden(state, 0).hand[1] == [1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert positions.hidden(state, 1).hand[0][8] == 1
    assert positions.hidden(state, 2).hand[0] == [1, *[0] * 8]


def test_a_wrong_guess_is_in_no_world_until_something_is_drawn():
    state, game = office([1, 4], [3], [2], players=3, deck=[5])
    contract.apply(state, 0, game.GUESS + 2 * game.GUESSES + 8 - 2)  # seat 2 is no Heiress
    worlds = [positions.redealt(state, -1, seed) for seed in range(300)]
    assert {kind for world in worlds for kind in range(1, 9) if world.hand[2][kind]} == {1, 2, 3, 4, 5, 6, 7}
    assert any(world.hand[1][8] for world in worlds)


def test_worlds_are_as_likely_as_the_cards_say():
    state, game = office([1, 4], [3], players=2, deck=[5])
    contract.apply(state, 0, game.GUESS + game.GUESSES + 5 - 2)  # seat 1 has no Bailiff, of two in all
    drawn, n = Counter(), 4000
    for seed in range(n):
        world = positions.redealt(state, 0, seed)
        drawn[world.aside] += 1
    left = Counter(kind for kind, copies in enumerate(game.COPIES) for _ in range(copies)) - Counter([1, 4])
    for kind, copies in left.items():
        assert abs(drawn[kind] / n - copies / 14) < 0.03


def test_who_passed_a_card_knows_where_it_is_and_who_is_out_of_a_suit_gets_none_of_it():
    book = rulebook(str(EXAMPLES / "storm_tricks.py"))
    known = out = 0
    for seed in range(20):
        state = positions.deal(book, seed)
        passed = [0] * state.players
        for seat, action in positions.walk(state, seed, 40):
            if action < book.modules[0].PLAY:
                passed[seat] = action + 1
            elif state.left < 12:
                after = (seat + 1) % state.players
                worlds = [positions.redealt(state, seat, n) for n in range(3)]
                for world in worlds if state.hand[after][passed[seat]] else ():
                    known += 1
                    assert world.hand[after][passed[seat]] == 1
                for kind in range(1, 25):
                    if state.hand_most[16 + after][kind] == 1:  # all know
                        out += 1
                        assert not any(world.hand[after][kind] for world in worlds)
    assert known > 30
    assert out > 30


def test_worlds_with_suits_ruled_out_are_as_likely_as_all_that_agree():
    book = rulebook(str(EXAMPLES / "storm_tricks.py"))
    state = book.fresh({})
    contract.deal(state, 3, 1)
    state.playing = 1
    held = [[1, 2], [7, 8], [13, 3]]  # of four unknown cards seat 1 is known not to have the 3
    state.hand = [[int(kind in (held[seat] if seat < 3 else ())) for kind in range(25)] for seat in range(4)]
    state.card = [int(any(kind in hand for hand in held)) for kind in range(25)]
    knowledge.rule_out(state, book.modules[0].HAND, (1, 3), -1)
    seen = Counter()
    for seed in range(3000):
        world = positions.redealt(state, 0, seed)
        seen[tuple(kind for kind in range(25) if world.hand[1][kind])] += 1
    assert set(seen) == {(7, 8), (7, 13), (8, 13)}
    assert max(seen.values()) - min(seen.values()) < 200  # of 1,000 each


def test_a_look_at_one_trunk_moves_up_with_it():
    match = outbid.game(str(EXAMPLES / "sealed_trunks.py")).new(3, seed=1)
    inside = match.state.row[1]
    match.play(0, "look 2")
    for seat in range(3):
        match.play(seat, "bid 1")
    assert match.view(0)["row"] == [inside, None, None]
    assert match.view(1)["row"] == match.view()["row"] == [None, None, None]
    assert {positions.redealt(match.state, 0, seed).row[0] for seed in range(20)} == {inside}
    assert len({positions.redealt(match.state, 1, seed).row[0] for seed in range(60)}) == 11  # one has been opened


@pytest.mark.slow
def test_a_field_is_seen_by_the_seat_that_another_field_names(variant):
    peek = ('Field("keys", seat=True', 'Field("peek", seen="keys", drawn=(1, 6)),\n    Field("keys", seat=True')
    dealt = ("    s.players = players\n", "    s.players = players\n    s.peek = 1 + seed % 6\n")
    book = variant("sealed_trunks.py", peek, dealt)
    state = positions.deal(book, 3)
    state.keys, state.peek = 1, 3
    assert [positions.hidden(state, seat).peek for seat in (-1, 0, 1)] == [-1, -1, 3]
    assert {positions.redealt(state, 0, seed).peek for seed in range(60)} == {1, 2, 3, 4, 5, 6}
    assert {positions.redealt(state, 1, seed).peek for seed in range(9)} == {3}
    for prop in PROPERTIES:
        found = list(map(str, prop(book, 20 if prop.name == "history" else 3, 0, Own())))
        assert bool(found) == (prop.name == "history"), (prop.name, found)
        assert all("what cannot be: in" in sentence for sentence in found)  # who gives the keys away forgets it


def test_either_end_of_what_is_drawn_may_be_a_field(variant):
    book = variant(
        "sealed_trunks.py",
        ('drawn=(0, "coins")', 'drawn=("proven", "coins")'),
        ('Field("players")', 'Field("players"), Field("proven", shape=(SEATS,))'),
        name="proven",
    )
    state = positions.deal(book, 3)
    worlds, state.bid[1], state.proven[1], state.coins[1] = set(), 4, 3, 5
    for seed in range(60):
        world = state.copy()
        contract.redeal(world, 0, seed)
        worlds.add(world.bid[1])
    assert worlds == {3, 4, 5}


NEVER = "def is_public(s, seat, action):", "def agrees(s, seat):\n    return 0\n\n\ndef is_public(s, seat, action):"


def test_where_no_world_agrees_a_sentence_names_seat_and_line_and_the_truth_is_not_returned(variant):
    book = variant("sealed_trunks.py", NEVER, ("left_luggage", "never"))
    line = book.modules[0].agrees.__code__.co_firstlineno
    state = positions.deal(book, 3)
    for seat, who in ((-1, "a spectator"), (1, "seat 1")):
        world = state.copy()
        with pytest.raises(NoWorld, match=rf"no world for {who} is one that agrees \(changed\.py:{line}\) accepts"):
            contract.redeal(world, seat, 5)
        assert world != state
    (finding,) = REDEAL(book)
    assert finding.sentence.endswith(f"no world for a spectator is one that agrees (changed.py:{line}) accepts.")


def test_where_more_lies_hidden_than_there_is_the_fields_and_the_line_of_the_first_are_named(variant):
    book = variant("sealed_trunks.py", ("s.trunk[i + 1] = 1", "s.trunk[i + 1] = i > 0"), name="short")
    lines = (EXAMPLES / "sealed_trunks.py").read_text(encoding="utf-8").splitlines()
    declared = next(n for n, line in enumerate(lines, 1) if 'Field("store"' in line)
    (finding,) = REDEAL(book, 9)
    assert finding.sentence.endswith("for a spectator fits: store, row cannot be filled with what is left of trunk.")
    assert (finding.field, finding.line.partition(":")[2]) == ("store", str(declared))


@pytest.mark.slow
def test_the_compiled_backend_says_the_same(variant, monkeypatch):
    monkeypatch.setattr("outbid.testing.rehearsal.rehearse", lambda book: None)  # which finds it before
    book = variant(
        "sealed_trunks.py", NEVER, ('Field("players")', 'Field("players"), Field("never")'), name="never_compiled"
    )  # a state of its own
    records = np.zeros(1, book.layout.dtype)
    positions.deal(book, 3).to_record(records, 0)
    run = entry(book, stepping.contract_on)
    with pytest.raises(NoWorld, match="no world for seat 1 is one that agrees"):
        run(records, stepping.REDEAL, 1, 5, np.zeros(256, np.int64), np.zeros(book.features, np.float32))


@pytest.mark.parametrize(
    ("there", "instead", "sentence"),
    [
        ('holds="trunk", learned=True', 'holds="trunks", learned=True', "row is filled from 'trunks'; that must be a field"),
        ('counts="trunk", high', 'holds="trunk", counts="trunk", high', "opened may say only one of holds"),
        ('drawn=(0, "coins")', 'drawn=(0, "coin")', "bid is drawn from"),
        (', drawn=(0, "coins")', "", r"lacks redeal.*, or say what fills bid: holds=, counts= or drawn="),
        ('drawn=(0, "coins")', 'drawn=("coin", 6)', "bid is drawn from"),
        ('drawn=(0, "coins")', "drawn=(0, 1.5)", "bid is drawn from"),
        ('drawn=(0, "coins")', "drawn=(6, 1)", "bid is drawn from"),
        ('drawn=(0, "coins")', "drawn=[0, 1]", "bid is drawn from"),
        ('drawn=(0, "coins")', "drawn=7", "bid is drawn from 7; it must be"),
        ('drawn=(0, "coins")', 'drawn=(0, "trunk")', "bid is drawn from"),
        (", low=-1", "", "bid is drawn from 0 on, and 0 stands where"),
        ('drawn=(0, "coins"), low=-1', 'drawn=("coins", 9)', "bid is drawn from coins on, which may be 0"),
        ('holds="trunk", learned=True', 'holds="trunk", learned=True, places=("a",)', "row holds trunk, and places= goes"),
        ('"row", shape', '"row", "u1", shape', "row has the type 'u1', which cannot hold -1"),
        ('seen="nobody", holds="trunk", learned=True', 'holds="trunk", learned=True', "row is learned; then it must be"),
    ],
)  # fmt: skip
def test_a_declaration_that_cannot_be_is_one_sentence(variant, there, instead, sentence):
    with pytest.raises(outbid.BadRulebook, match=sentence):
        variant("sealed_trunks.py", (there, instead), name="broken")


LEAVES = "        transfer(s, HAND, (seat, rank(s, seat)), LAID, seat)\n"


@pytest.mark.parametrize(
    ("there", "instead", "sentence"),
    [
        (LEAVES, "        s.hand[seat][rank(s, seat)] -= 1\n", "drop writes hand itself, and who knows what"),
        (LEAVES, "        s.laid[seat][1] += 1\n", r"Of paper\[1\] there are 5, and deck, aside, hand, laid have 6"),
        ("(seat, PARTNER), EVERY", "(seat, CLERK), EVERY", r"knows of at most 0 in hand\[\d\]\[1\], and it is 1"),
    ],
)
def test_what_goes_round_the_declaration_is_named(variant, there, instead, sentence):
    findings = list(KNOWLEDGE(variant("night_office.py", (there, instead)), 8, 0, Own()))
    assert re.search(sentence, "\n".join(map(str, findings)))


def test_the_page_about_writing_a_game_lists_functions_and_symbols_as_they_are():
    page = " ".join((EXAMPLES.parent / "docs" / "write-a-game.md").read_text(encoding="utf-8").split())
    for function in knowledge.FUNCTIONS:
        assert f"`{function.__name__}({', '.join(signature(function).parameters)})`" in page
    assert f"`Look({', '.join(signature(Look).parameters)})`" in page
    assert f"The symbols are {', '.join(SYMBOLS)}." in page


def test_the_recipe_for_what_is_ruled_out_stands_in_the_examples():
    page = (EXAMPLES.parent / "docs" / "write-a-game.md").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"(?s)is ruled out in the rule where it happens:\n\n```py\n(.*?)```", page)
    for part in recipe.strip().split("\n\n"):
        lines = [re.sub(r" +# .*", "", line) for line in part.splitlines()]
        text = next((EXAMPLES / file).read_text(encoding="utf-8") for file in FILES if file in part)
        indent = text.partition(lines[0])[0].rpartition("\n")[2]
        assert "\n".join(indent + line for line in lines) in text


def test_what_is_counted_is_called_as_it_looks_and_what_nobody_tells_is_unknown():
    match = outbid.game(str(EXAMPLES / "night_office.py")).new(3, seed=1)
    (hand,) = [field for field in match.rulebook.layout.facts if field.name == "hand"]
    assert hand.places[:3] == ("unknown", "Clerk", "Spy")
    other = (match.asked[0] + 1) % 3
    unknown = [entry.words for entry in shown(match.rulebook, match.view(match.asked[0]), match.names)
               if (entry.name, entry.seat) == ("hand", other)]  # fmt: skip
    assert unknown == ["unknown"]
