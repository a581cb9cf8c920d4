"""The declared spaces of every game: the layout of a row of features, the action table, their versions and their pages."""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
import runpy
from pathlib import Path

import pytest

import outbid
from outbid.compiled.vector import REWARDS
from outbid.core import contract
from outbid.core.derived.spaces import AMOUNTS, FLAGS, KIND, Actions, Observation, action, actions, amount, amounts, one_hot
from outbid.core.rulebook import rulebook
from outbid.testing.positions import hidden, position, random_setup, walk

ROOT = Path(__file__).parents[2]


def row_of(book, state, seat):
    row = [0.0] * book.features
    contract.observe(hidden(state, seat), seat, row)
    return [float(value) for value in row]


# --- the layout -------------------------------------------------------------------------------------------------------


def test_the_layout_covers_every_feature_exactly_once(book):
    places = [place for where in book.observation.values() for place in range(where.start, where.stop)]
    assert places == list(range(book.features))
    assert len(book.observation.low) == len(book.observation.high) == book.features


def test_every_seat_has_the_same_parts_in_relative_order(book):
    layout = book.observation
    assert layout.seats >= book.players[1]
    for seat in range(layout.seats):
        for part in layout.seat_parts:
            assert layout[f"seat{seat}.{part.name}"].start == layout.shared + seat * layout.each + layout.of(part.name)
    for part in layout.parts:
        assert layout[part.name].start == layout.at(part.name)


def test_a_part_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(KeyError, match="no part 'gold' of the observation; there are phase, deck"):
        _ = rulebook("rivals").observation["gold"]


@pytest.mark.slow
def test_features_are_never_nan_and_stay_within_the_documented_range(book):
    low, high, labels = book.observation.low, book.observation.high, list(book.observation.items())
    for seed in range(40):
        options, players = random_setup(book, random.Random(seed), tunable=False)
        state = book.fresh(options)
        contract.deal(state, players, seed)
        for n, _ in enumerate(walk(state, seed, 800)):
            if n % 40 == 0:
                for seat in range(state.players):
                    row = row_of(book, state, seat)
                    wrong = [i for i, value in enumerate(row) if not low[i] <= value <= high[i]]
                    named = [(name, row[i]) for i in wrong for name, at in labels if at.start <= i < at.stop]
                    assert not named
                    assert not wrong


def test_parts_of_which_one_applies_and_flags_are_zeros_and_ones(book):
    for seed in range(15):
        state = position(book, seed, 600)
        row = row_of(book, state, 0)
        for name, where in book.observation.items():
            part = book.observation.part(name)
            if part.kind != AMOUNTS:
                assert set(row[where]) <= {0.0, 1.0}, name
            if part.kind == KIND:
                assert sum(row[where]) <= 1, name


def test_the_features_of_absent_seats_are_zero(book):
    state = book.fresh({})
    contract.deal(state, book.players[0], 3)
    for _ in walk(state, 3, 200):
        pass
    assert not any(row_of(book, state, 0)[book.observation.shared + book.observation.each * book.players[0] :])


PUBLIC = {
    "claim": "money", "forex": "money", "kuhhandel": "animals", "money": "held", "rivals": "gold", "sealed": "points",
}  # fmt: skip


def test_seats_stand_in_relative_order(book):
    """What seat 1 has to say of itself, seat 0 finds at seat 1: where it is public."""
    state = position(book, 4, 300)
    for seat in range(state.players):
        for viewer in range(state.players):
            far = (seat - viewer) % state.players
            own, other = row_of(book, state, seat), row_of(book, state, viewer)
            name = PUBLIC[book.id]
            layout = book.observation
            assert own[layout[f"seat0.{name}"]] == other[layout[f"seat{far}.{name}"]]


def set_to(field, *place_and_value):
    """A change of one field of a state: the value, after the indices."""

    def change(s):
        target, (*places, last), value = getattr(s, field), place_and_value[:-1] or (None,), place_and_value[-1]
        if last is None:
            setattr(s, field, value)
            return
        for place in places:
            target = target[place]
        target[last] = value

    return change


@pytest.mark.parametrize(
    ("game", "change", "names"),
    [
        ("kuhhandel", set_to("bid", 270), {"bid"}),
        ("kuhhandel", set_to("kind", 7), {"kind"}),
        ("kuhhandel", set_to("animals", 1, 3, 2), {"seat1.animals"}),
        ("kuhhandel", set_to("passed", 4), {"seat2.roles"}),
        ("kuhhandel", set_to("cards", 2, 9), {"seat2.cards"}),
        ("kuhhandel", set_to("least", 0, 1, 40), {"seat1.least"}),
        ("kuhhandel", set_to("money", 1, 4, 1), set()),
        ("money", set_to("round", 7), {"round"}),
        ("money", set_to("stall", 3), {"stall"}),
        ("money", set_to("sealed", 4), {"seat2.sealed"}),
        ("money", set_to("held", 1, 11), {"seat1.held"}),
        ("money", set_to("covered", 1, 1), {"seat1.unknown"}),
        ("money", set_to("key", 2, 9000), {"seat2.open", "seat2.rank"}),
        ("rivals", set_to("supply", 5), {"supply"}),
        ("rivals", set_to("bid", 4), {"bid"}),
        ("rivals", set_to("gold", 1, 2), {"seat1.gold", "seat1.score"}),
        ("rivals", set_to("passed", 2), {"seat1.roles"}),
        ("rivals", set_to("top", 2, 3, 5), {"seat2.Y highest"}),
        ("forex", set_to("spotted", 1), {"spotted"}),
        ("forex", set_to("offers", 2), {"offers"}),
        ("forex", set_to("certs", 1, 2, 3), {"seat1.certificates"}),
        ("forex", set_to("money", 2, 4, 30), {"seat2.money", "seat2.worth"}),
        ("forex", set_to("stock", 6, 0), {"stock"}),
        ("claim", set_to("plays", 1), {"plays"}),
        ("claim", set_to("coins", 1, 2), {"seat1.coins"}),
        ("claim", set_to("owns", 2, 1 << 4), {"seat2.owns"}),
        ("claim", set_to("value", 3, 4), {"values"}),
        ("claim", set_to("direction", -1), {"direction"}),
        ("claim", set_to("hands", 1, 3, 1), set()),
    ],
)
def test_a_fact_that_changes_changes_only_the_parts_about_it(game, change, names):
    book = rulebook(game)
    state = book.fresh({})
    contract.deal(state, 3, 1)
    other = state.copy()
    change(other)
    assert state != other
    one, two = row_of(book, state, 0), row_of(book, other, 0)
    assert {name for name, where in book.observation.items() if one[where] != two[where]} == names


# --- in words ---------------------------------------------------------------------------------------------------------


def from_words(layout: Observation, text: str) -> list[float]:
    """A row read back from its description."""
    row = [0.0] * layout.size
    for line in text.splitlines():
        name, _, said = line.partition(": ")
        name = re.sub(r"^seat (\d) ", r"seat\1.", name)
        part, start = layout.part(name), layout[name].start
        for words in said.split(", "):
            label, value = (words, 1.0) if part.kind != AMOUNTS else ("", float(words.rpartition(" ")[2]))
            if part.kind == AMOUNTS:
                label = words.rpartition(" ")[0]
            row[start + (part.labels.index(label) if part.labels else 0)] = value / part.unit
    return row


@pytest.mark.slow(but=("rivals", "sealed"))
def test_a_row_in_words_says_every_feature_that_is_not_zero_and_can_be_read_back(book):
    for seed in range(25):
        state = position(book, seed, 900)
        for seat in range(state.players):
            row = row_of(book, state, seat)
            assert from_words(book.observation, book.observation.describe(row)) == pytest.approx(row, rel=1e-4, abs=1e-6)


def test_facts_are_in_the_games_own_units():
    match = outbid.game("kuhhandel").new(players=3, seed=1)
    seat = match.asked[0]
    book = match.rulebook
    facts = book.observation.facts(row_of(book, match.state, seat))
    assert facts["phase"] == "turn"
    assert facts["deck"] == 40
    assert facts["cash"] == 90
    assert facts["seat0.known"] == {"0": 2, "10": 4, "50": 1}
    assert facts["seat0.roles"] == ["to move"]
    assert "bid" not in facts
    assert "seat3.cards" not in facts
    assert "seat 1 known: 0 2, 10 4, 50 1" in book.observation.describe(row_of(book, match.state, seat)).splitlines()


def test_a_row_of_another_length_is_refused():
    with pytest.raises(outbid.BadSetup, match="has 172 features, not 3"):
        rulebook("kuhhandel").observation.describe([0.0, 1.0, 0.0])


def test_a_layout_with_a_name_twice_is_refused():
    with pytest.raises(ValueError, match="'deck' is named twice"):
        Observation(2, (amount("deck", "…"), amount("deck", "…")), ())


def test_labels_can_be_told_apart(book):
    for part in (*book.observation.parts, *book.observation.seat_parts):
        assert len(set(part.labels)) == len(part.labels)
        assert part.kind in (KIND, FLAGS, AMOUNTS)
        assert part.meaning
        assert part.low < part.high


# --- actions ----------------------------------------------------------------------------------------------------------


def test_the_action_table_names_every_id_once(book):
    assert [one.id for one in book.action_table] == list(range(book.actions))
    assert len({one.name for one in book.action_table}) == book.actions
    assert all(one.name.strip() == one.name and one.meaning for one in book.action_table)


@pytest.mark.parametrize(
    "groups", [[action(0, "a", "…")], [actions(0, "ab", "…"), action(1, "c", "…")], [actions(0, "aa", "…")]]
)
def test_an_action_table_with_gaps_or_names_twice_is_refused(groups):
    with pytest.raises(ValueError, match="ids 0 to 1, each once"):
        Actions(2, *groups)


@pytest.mark.parametrize(
    ("game", "steps"),
    [
        ("kuhhandel", {"auction": "auction", "pass": "pass", "sell": "sell", "accept": "accept"}),
        ("rivals", {"uncover": "uncover", "pass": "pass", "bid 5": "bid 5", "bid 1": "bid 1"}),
        ("money", {"take right": "take right", "take left": "take left", "keep": "keep"}),
        ("forex", {"resolve": "resolve"}),
        ("claim", {"end": "end", "play 3": "play 3", "claim 2": "claim 2"}),
        ("sealed", {"seal 7": "seal 7"}),
    ],
)
def test_names_of_whole_moves_are_what_a_player_says(game, steps):
    """Where a move is one step, random play meets it, and the words module says it as the table does."""
    book = rulebook(game)
    left = dict(steps)
    for seed in range(60):
        state = book.fresh({})
        contract.deal(state, 3, seed)
        for seat, step in walk(state, seed, 400):
            name = book.action_table[step].name
            if name in left and not contract.midway(state, seat):
                after = state.copy()
                contract.apply(after, seat, step)
                if not contract.midway(after, seat):
                    assert book.words.text(book.words.move(state, seat, [step])) == left.pop(name)
        if not left:
            return
    raise AssertionError(f"never met: {left}")


def test_an_action_is_found_by_its_name():
    table = outbid.game("rivals").actions
    assert table.named("bid 3").id == 55
    assert table[55].name == "bid 3"
    with pytest.raises(outbid.BadSetup, match="no action 'bid 99'"):
        table.named("bid 99")


# --- versions and pages -----------------------------------------------------------------------------------------------


def fingerprint(book) -> str:
    """A hash of all that a trained policy relies on: features, actions, rewards."""
    parts = [[p.name, p.kind, p.labels, p.unit, p.low, p.high] for p in book.observation.parts]
    each = [[p.name, p.kind, p.labels, p.unit, p.low, p.high] for p in book.observation.seat_parts]
    table = [one.name for one in book.action_table]
    said = json.dumps([book.observation.seats, parts, each, table, REWARDS, book.margin], ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


FROZEN = {
    "claim-v1": "e8184817d91d07f3",
    "claim-v2": "92d0bea681141ebb",
    "forex-v1": "f10151630eebe42e",
    "forex-v2": "f10151630eebe42e",  # the same layout; a new option says more with it
    "kuhhandel-v1": "c0c421e681dd5291",
    "money-v1": "728bfc063e4d68df",
    "rivals-v1": "621f9a3a2251bb0c",
    "rivals-v2": "621f9a3a2251bb0c",  # the same layout; the default of an option changed
}


def test_a_change_of_observation_actions_or_rewards_raises_the_version(book):
    """If this fails: raise `environment` in the game's rulebook, say why in its page, and add a line here; change none."""
    if book.id != "sealed":
        assert FROZEN[book.environment_id] == fingerprint(book)


ROWS = {
    "claim-v1": "93382ab6fa9594e9",
    "claim-v2": "93382ab6fa9594e9",  # the base game is as it was
    "forex-v1": "7aa9aecff358ed04",
    "forex-v2": "a28397cfd340fbe9",
    "kuhhandel-v1": "663b3d5b537dffe1",
    "money-v1": "ef2e39ca8d5e83a7",
    "rivals-v1": "abcf425138baebfd",
    "rivals-v2": "a2a7e5e609c943f3",
}


def test_what_observe_writes_for_a_position_belongs_to_the_version(book):
    """The same for values: the features of some positions, to four digits."""
    if book.id == "sealed":
        return
    for environment, options in book.known_environments.items():
        digest = hashlib.sha256()
        for seed in range(4):
            state = book.fresh(options)
            contract.deal(state, book.players[1], seed)
            for _ in walk(state, seed, 150):
                pass
            for seat in range(state.players):
                digest.update(json.dumps([round(value, 4) + 0.0 for value in row_of(book, state, seat)]).encode())
        assert ROWS[environment] == digest.hexdigest()[:16]


def test_the_pages_of_the_environments_are_what_the_declarations_say(book):
    if book.id == "sealed":
        return
    made = runpy.run_path(str(ROOT / "docs" / "environments.py"))["page"](book)
    assert (ROOT / "docs" / "environments" / f"{book.id}.md").read_text(encoding="utf-8") == made, (
        "run `python docs/environments.py`"
    )


def test_a_layout_made_by_hand_has_the_slices_bounds_and_facts_one_expects():
    layout = Observation(2, (one_hot("phase", ("a", "b"), "…"),), (amounts("gold", ("x", "y"), "…", 10, 2),))
    assert dict(layout) == {"phase": slice(0, 2), "seat0.gold": slice(2, 4), "seat1.gold": slice(4, 6)}
    assert layout.high == [1, 1, 2, 2, 2, 2]
    assert layout.facts([0, 1, 0.5, 0, 0, 1.2]) == {"phase": "b", "seat0.gold": {"x": 5}, "seat1.gold": {"y": 12}}
    assert math.isclose(layout.facts([0, 0, 1 / 3, 0, 0, 0])["seat0.gold"]["x"], 3.33333)
