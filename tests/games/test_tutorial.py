"""The game of examples/tutorial_game.py, which is one file, is played everywhere; what a rulebook lacks is one sentence."""

import json
import os
import pickle
import random
import re
import subprocess
import sys
from multiprocessing import Pipe, forkserver
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import outbid
from outbid.bots import naming
from outbid.bots.worker import background
from outbid.cli import main
from outbid.core import rulebook as registry
from outbid.core.errors import BadSetup
from outbid.core.hooks.choices import worded
from outbid.core.moves import Move, Moves
from outbid.core.record import read_record
from outbid.lab.simulate import results, simulate
from outbid.server.domain import scene
from outbid.server.domain.setup import Order
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.terminal.lines import how_to_play
from outbid.testing import PROPERTIES, Own
from outbid.testing.compiled import BACKENDS
from outbid.testing.hiding import LEAKS, honesty, observed
from tests.support import browsing
from tests.support.browsing import expect
from tests.support.commands import outbid_command
from tests.support.serving import JSON, Person, at_once, sentence, serving, some_move

FILE = Path(__file__).parents[2] / "examples" / "tutorial_game.py"
LEAST = 150  # lines


@pytest.fixture(scope="module")
def loading():
    """Games of files are known while the tests of this module run; no other test, nor a server forked later, has them."""
    forkserver.ensure_running()
    with registry.GAMES.apart():
        yield


@pytest.fixture(scope="module")
def tutorial(loading):
    """The rulebook of the tutorial, which programs that are started know, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(registry.FILES, str(FILE))
        yield registry.rulebook(str(FILE))


def test_the_file_is_short_and_no_line_is_dense():
    lines = FILE.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LEAST
    assert max(map(len, lines)) <= 125
    assert not [line for line in lines if ";" in line.partition("#")[0] and not line.lstrip().startswith(("The", "are"))]


def test_the_page_about_writing_a_game_shows_the_file_as_it_is():
    page, text = (FILE.parents[1] / "docs" / "write-a-game.md").read_text(encoding="utf-8"), FILE.read_text(encoding="utf-8")
    shown = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(shown) >= 10
    assert not [piece for piece in shown if piece not in text]


def test_a_match(tutorial):
    match = outbid.game(str(FILE)).new(3, seed=1)
    assert match.rulebook is tutorial
    assert match.asked == (0, 1, 2)
    assert str(match.legal(1)) == "bid 0 to 10"
    assert match.question(1) == "It is your turn."
    match.play(0, "bid 4")
    match.play(1, "bid 5")
    assert [line.text for line in match.log(2)] == ["Player 1 seals a bid.", "Player 2 seals a bid."]
    assert [line.text for line in match.log(0)] == ["You bid 4.", "Player 2 seals a bid."]
    assert match.question(0) == "Player 3 is asked."
    assert [row["bid"] for row in match.view(0)["players"]] == [4, None, None]
    assert [row["purse"] for row in match.view()["players"]] == [None, None, None]
    match.play(2, "bid 2")
    assert match.log(2)[-1].text == "Player 2 takes the prize of 4 for 5."
    row = "Player 2: purse 5, bid 0, spent 5, opened 5, proven 10, points 4"
    assert row in tutorial.words.board(match.hidden(1), 1, match.names)
    while not match.over:
        match.random_move(match.asked[0], 3)
    assert match.view(0)["phase"] == "over"
    assert match.question(0) == "The match is over."
    assert read_record(json.loads(json.dumps(match.record()))).state == match.state


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("bid 20", "bid 20 is not possible. Legal: bid 0 to 17."),
        ("bid 33", "bid 33 is not possible. Legal: bid 0 to 17."),
        ("bid x", "'bid x' is not a move; it is bid 0–20."),
        ("hop", "'hop' is not a move; the moves are bid 0–20."),
        ({"do": "bid", "amount": "3"}, "\"bid '3'\" is not a move; it is bid 0–20."),
        ({"do": "bid"}, "'bid' is not a move; it is bid 0–20."),
        ({"do": ["bid"]}, "\"['bid']\" is not a move; the moves are bid 0–20."),
    ],
)
def test_refusals_say_what_is_legal(tutorial, said, answer):
    match = outbid.game(str(FILE)).new(3, seed=1)
    with pytest.raises(outbid.OutbidError) as refused:
        match.play(2, said)
    assert str(refused.value) == answer


def test_a_deal_that_does_not_fit_is_refused(tutorial):
    deal = outbid.game(str(FILE)).new(3, seed=1).deal
    for change in ({"deck": [1]}, {"purse": [999] * 5}, {"purse": [21] * 5}, {"players": 2}, {"rounds": 3}, {"prize": "x"}):
        with pytest.raises(BadSetup):
            outbid.game(str(FILE)).load(["a", "b", "c"], {**deal, **change})
    assert outbid.game(str(FILE)).load(["a", "b", "c"], deal).state == outbid.game(str(FILE)).new(3, seed=1).state


WRONG = [{"do": "bid", "amount": -1}, {"do": "bid", "amount": 21}, {"do": "bid", "amount": "all"}]


def conserved(s):
    """Every prize is once in the deck or has been shown; nobody began with more, or less, than a purse may hold."""
    shown = [prize for prize, seen in enumerate(s.shown) if seen]
    assert sorted([*shown, *filter(None, s.deck)]) == list(range(1, 11))
    assert all(10 <= s.purse[p] + s.spent[p] <= 20 and s.bid[p] <= s.purse[p] for p in range(s.players))


@pytest.mark.parametrize("prop", [*PROPERTIES, BACKENDS], ids=lambda prop: prop.name)
@pytest.mark.slow
def test_the_battery_holds(tutorial, prop):
    prop.check(tutorial, 12, own=Own(conserved, WRONG))


def test_redeal_draws_other_worlds(tutorial):
    different, total, names = honesty(tutorial, 0)
    assert total > 50
    assert names
    assert different > 0.7 * total


@pytest.mark.slow
def test_simulate_gives_the_same_on_both_backends(tutorial):
    rows = [results(tutorial, {}, ["steady", "random", "steady"], 40, 7, backend=one) for one in ("plain", "compiled")]
    assert np.array_equal(*map(np.asarray, rows))
    assert "strongroom" in simulate(tutorial, {}, 3, 40, 7, ["steady"] * 3, backend="plain").as_text().lower()


@pytest.mark.parametrize("backend", ["plain", "compiled"])
def test_a_match_that_ends_with_the_last_step_of_its_bound_is_won(tutorial, backend):
    summary = simulate(tutorial, {"rounds": 10}, 5, 3, 0, ["random"] * 5, backend=backend)
    assert (summary.steps, tutorial.longest, summary.unfinished) == (50, 50, 0)
    assert sum(one.share.mean for one in summary.seats) == pytest.approx(1)


def test_a_batch(tutorial):
    batch = outbid.game(str(FILE)).batch(64, players=4, seed=2)
    low, high = np.array(tutorial.observation.low), np.array(tutorial.observation.high)
    ended = 0
    for _ in range(60):
        assert (batch.obs >= low).all()
        assert (batch.obs <= high).all()
        batch.step(batch.sample())
        ended += int(batch.done.sum())
    assert ended >= 64


def test_pettingzoo(tutorial):
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    from pettingzoo.test import api_test

    from outbid.adapters import pettingzoo as adapter
    from tests.support.observations import dict_observations

    with dict_observations():
        api_test(adapter.env(str(FILE), players=3), num_cycles=100)


def run(code):
    """What a program of its own prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_openspiel(tutorial):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    code = """if True:
        import random
        import pyspiel
        from outbid.adapters import openspiel
        random.seed(1)
        state = pyspiel.load_game("outbid_strongroom").new_initial_state()
        while not state.is_terminal():
            chance = state.is_chance_node()
            state.apply_action(random.choice([a for a, _ in state.chance_outcomes()] if chance else state.legal_actions()))
        print(sum(state.returns()))
    """
    assert run(code) == "0.0\n"


def test_a_game_that_is_read_later_is_known_to_openspiel_and_gymnasium(tutorial, tmp_path):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed")
    file = tmp_path / "later.py"
    file.write_text(FILE.read_text(encoding="utf-8").replace('"strongroom"', '"later"'), encoding="utf-8")
    code = f"""if True:
        import gymnasium
        import pyspiel
        import outbid
        import outbid.adapters.gymnasium
        import outbid.adapters.openspiel
        outbid.game({str(file)!r})
        print(pyspiel.load_game("outbid_later(players=3)").num_players())
        row = gymnasium.make("outbid/later-v1", players=2).reset(seed=1)[0]
        print(row.shape == (outbid.game("later").observation.size,))
    """
    assert run(code) == "3\nTrue\n"


def test_a_process_that_is_started_knows_the_file(tutorial):
    assert run("from outbid.core.rulebook import by_id; print(by_id('strongroom').title)") == "Strongroom\n"


def title(line, game):
    """In a process of its own."""
    line.send(registry.by_id(game).title)


def test_a_process_is_handed_the_games_of_files_and_the_bots(tutorial, tmp_path, monkeypatch):
    monkeypatch.delenv(registry.FILES)
    (tmp_path / "first.py").write_text("def act(obs, mask):\n    return mask.argmax(1)\n", encoding="utf-8")
    with naming.BOTS.apart():
        naming.load_bot(f"{tmp_path / 'first.py'}:act", called="first")
        handed = pickle.loads(pickle.dumps(naming.registered()))
    assert naming.known("first") is None
    with naming.BOTS.apart():
        handed.adopt()
        assert naming.bot("first").name == "first"
    here, there = Pipe()
    process = background(title, there, "strongroom", nice=0)
    process.start()
    assert here.poll(60)
    assert here.recv() == "Strongroom"
    process.join()


def test_a_rulebook_of_a_file_is_pickled_with_its_file(tutorial, monkeypatch):
    monkeypatch.delenv(registry.FILES)
    pickled = pickle.dumps(tutorial)
    assert pickle.loads(pickled) is tutorial
    code = f"import pickle; print(pickle.loads({pickled!r}).title)"
    assert run(code) == "Strongroom\n"


def test_the_terminal(loading, monkeypatch, capsys):
    read, write = os.pipe()
    with os.fdopen(write, "w") as typed:
        typed.write("\n".join(["look", "bid 99", *["bid 1"] * 6, ""]))
    monkeypatch.setattr(sys, "argv", ["outbid", "play", str(FILE), "--plain", "--seed", "5", "-n", "2"])
    with os.fdopen(read) as given:
        monkeypatch.setattr(sys, "stdin", given)
        with pytest.raises(SystemExit) as left:
            main()
    said = capsys.readouterr().out
    assert left.value.code in (0, None)
    assert "Bid 99 is not possible. Legal: bid 0 to " in said
    assert said.count("You bid 1.") == 6


def test_a_server(tutorial, tmp_path):
    with serving(tmp_path / "tables.db") as address:
        ada = Person(address)
        ada.order(game="strongroom", players=3, bots="steady", preset="seed", name="Ada")
        rng = random.Random(4)
        page = ada.http.get(f"/t/{ada.table}").text
        assert "<dt>Prize</dt>" in page
        assert 'name="int:amount"' in page
        assert "<dt>Purse</dt><dd>?</dd>" in page
        seen = ada.asked()
        while seen["table"]["status"] != "over":
            assert ada.send(some_move(seen, rng), seen["decision"]).status_code == 200
            seen = ada.asked()
        assert max(seen["scores"]) > 0
        page = ada.http.get(f"/t/{ada.table}").text
        assert "<th scope=\"col\">Points</th>" in page
        assert "Strongroom" in ada.http.get("/").text
        assert "from purses that nobody else knows" in ada.http.get("/rules/strongroom").text
        replay = ada.http.get(f"/t/{ada.table}/replay?move=0&seat=open").text
        assert "<dd>?</dd>" not in replay
        assert len(re.findall(r"<dt>Purse</dt><dd>\d+</dd>", replay)) == 3
        record = ada.http.get(f"/t/{ada.table}/record").json()
        assert read_record(record).scores == seen["scores"]


@pytest.mark.browser
@pytest.mark.parametrize("size", [browsing.DESK, browsing.PHONE])
@pytest.mark.slow
def test_the_page_that_every_game_has(tutorial, browser, tmp_path, size):
    with serving(tmp_path / "tables.db") as address, browsing.visitor(browser, size) as page:
        link = Person(address).order(game="strongroom", players=4, bots="steady", preset="seed")
        page.goto(f"{address}{link}" if link.startswith("/") else link)
        page.locator("main form button.primary").click()
        for _round in range(6):
            page.wait_for_selector(browsing.MINE)
            field, button = page.locator("#dock input[type=number]"), page.locator("#dock form button.primary")
            field.fill("1")
            expect(button).to_be_visible()
            browsing.fits(page)
            mine = page.locator("#log li.mine").count()
            button.click()
            page.wait_for_function("n => document.querySelectorAll('#log li.mine').length > n", arg=mine)
        page.wait_for_selector(browsing.OVER)
        expect(page.locator("table.results tbody tr")).to_have_count(4)


def test_no_file_is_run_for_a_name_that_comes_from_outside(loading, tmp_path):
    file, trace = tmp_path / "harmful.py", tmp_path / "trace"
    file.write_text(f"open({str(trace)!r}, 'w').close()\n", encoding="utf-8")
    with serving(tmp_path / "tables.db") as address:
        ada = Person(address)
        answer = ada.http.post("/tables", data={"game": str(file), "players": 3, "name": "Ada"}, headers=JSON)
        assert "There is no game" in sentence(answer, 400)
        assert ada.http.get(f"/rules/{file}").status_code == 404
    match = outbid.game("rivals").new(2, seed=1)
    with pytest.raises(outbid.OutbidError):
        read_record({**match.record(), "game": str(file)})
    assert not trace.exists()


# --- what follows from declarations, in a game of other shapes --------------------------------------------------------

GIFTS = '''
import sys
from outbid.core.chance import below, step, stream
from outbid.core.fields import Field, Layout
from outbid.core.moves import Move, Moves
from outbid.core.rulebook import Rulebook

MOVES = Moves(Move("give", colour=("red", "blue")), Move("pay", amount=(1, 5)), Move("pass"))
PASS = MOVES.first("pass")
PAY = MOVES.first("pay")
FIELDS = (
    Field("players"), Field("turn", seat=True), Field("made", high=12), Field("grid", shape=(2, 2), high=12),
    Field("hands", shape=(3, 2), seen="owner", unknown=-1, high=9), Field("secret", shape=(2, 2), seen="nobody", high=9),
    Field("table", shape=(3, 2), high=12),
)

def deal(s, players, seed):
    s.players = players
    r = stream(seed, 0)
    for seat in range(players):
        for colour in range(2):
            r = step(r)
            s.hands[seat][colour] = 1 + below(r, 3)
    s.secret[1][0] = 7

def asked(s):
    return 1 << s.turn if s.made < 12 else 0

def legal(s, seat, out):
    n = 0
    for colour in range(2):
        if s.hands[seat][colour] > 0:
            out[n] = colour
            n += 1
    for amount in range(1, 6):
        if s.made > 5 or amount != 3:
            out[n] = PAY + amount - 1
            n += 1
    out[n] = PASS
    return n + 1

def apply(s, seat, action):
    if action < 2:
        s.hands[seat][action] -= 1
        s.table[seat][action] += 1
        s.grid[action][1] += 1
    s.made += 1
    s.turn = (seat + 1) % s.players

def score(s, out):
    for seat in range(s.players):
        out[seat] = s.table[seat][0]

def redeal(s, seat, seed):
    s.secret[1][0] = 7
    r = stream(seed, 1)
    for other in range(s.players):
        for colour in range(2):
            r = step(r)
            if other != seat:
                s.hands[other][colour] = below(r, 4 - s.table[other][colour])

def is_public(s, seat, action):
    return 1

rulebook = Rulebook(
    id="gifts", title="Gifts", summary="", players=(2, 3), version=1, layout=Layout("gifts", (), FIELDS),
    modules=(sys.modules[__name__],), moves=MOVES, longest=12,
)
'''


def test_moves_have_a_json_schema():
    moves = Moves(Move("give", colour=("red", "blue")), Move("pay", "pay so much", amount=(1, 5)), Move("pass"))
    jsonschema.Draft202012Validator.check_schema(moves.schema)
    validator = jsonschema.Draft202012Validator(moves.schema)
    assert all(validator.is_valid(said) for said in moves.all)
    for said in ({"do": "give"}, {"do": "pay", "amount": 6}, {"do": "pay", "amount": 0}, {"do": "give", "colour": "green"},
                 {"do": "pass", "amount": 1}, {"amount": 3}, {"do": "hop"}, {"do": "pay", "amount": "3"}):  # fmt: skip
        assert not validator.is_valid(said), said


@pytest.fixture(scope="module")
def gifts(loading, tmp_path_factory):
    """A game of several kinds of moves, fields of two dimensions and no words."""
    file = tmp_path_factory.mktemp("gifts") / "gifts.py"
    file.write_text(GIFTS, encoding="utf-8")
    return registry.rulebook(str(file))


def test_moves_of_several_kinds(gifts):
    assert [one.name for one in gifts.action_table] == ["give red", "give blue", *(f"pay {n}" for n in range(1, 6)), "pass"]
    match = outbid.game("gifts").new(2, seed=1)
    assert match.legal(0).texts == ("give red", "give blue", "pay 1", "pay 2", "pay 4", "pay 5", "pass")  # there is a gap
    with pytest.raises(outbid.Illegal, match=r"pay 3 is not possible\. Legal: give red; .*pass"):
        match.play(0, "pay 3")
    with pytest.raises(outbid.Unreadable, match="'give green' is not a move; it is give red/blue"):
        match.play(0, "give green")
    for _ in range(6):
        match.play(match.asked[0], "pass")
    assert match.legal(0).texts[-2:] == ("pay 1 to 5", "pass")
    assert match.play(0, {"do": "pay", "amount": 2, "colour": "red"}) == {"do": "pay", "amount": 2}
    assert [line.text for line in match.log(1)][-2:] == ["You: “pass”.", "Player 1: “pay 2”."]


def test_what_is_seen_follows_from_the_fields(gifts):
    match = outbid.game("gifts").new(3, seed=2)
    hands = [row[:] for row in match.state.hands]
    match.play(0, "give blue")
    hands[0][1] -= 1
    assert [row["hands"] for row in match.view(1)["players"]] == [None, hands[1], None]
    assert "secret" not in match.view(1)
    hidden = match.hidden(1)
    assert (hidden.hands, hidden.secret) == ([[-1, -1], hands[1], [-1, -1]], [[0, 0], [0, 0]])
    row = observed(gifts, match.state, 1)
    facts = gifts.observation.facts(row)
    assert facts["hands"] == {str(n): value for n, value in enumerate(hands[1]) if value}
    assert facts["grid"] == {"1 1": 1}
    assert facts["seat0.turn"] is True
    assert facts["seat0.asked"] is True  # the observer is the first
    assert facts["seat2.table"] == {"1": 1}
    assert not any(name in facts for name in ("seat1.turn", "seat2.turn", "secret"))


def test_where_a_field_is_a_seat_people_read_a_name(gifts):
    match = outbid.game("gifts").new(3, seed=2, names=["Ada", "Ben", "Cem"])
    match.play(0, "pass")
    assert match.view(0)["turn"] == 1
    assert "turn: Ben" in gifts.words.board(match.hidden(0), 0, match.names).splitlines()


def test_where_a_field_is_a_seat_the_page_has_the_name(gifts, tmp_path):
    settings = Settings(url_of(str(tmp_path / "tables.db")))
    table, _ = at_once(Tables(Store(settings.database), settings).create(Order("gifts", 2, "Ada", seed=5)))
    at_once(table.join("Ben"))
    assert ("Turn", "Ada", "") in scene.live(table, 1, "http://here").laid.facts


def test_a_move_about_a_player_says_the_name_and_is_typed_with_it(loading, tmp_path):
    file = tmp_path / "handed.py"
    text = GIFTS.replace('Move("pass")', 'Move("hand", whom=(0, 2))').replace('first("pass")', 'first("hand")')
    file.write_text(text.replace("gifts", "handed"), encoding="utf-8")
    book, match = registry.rulebook(str(file)), outbid.game(str(file)).new(3, seed=2, names=["Ada", "Ben", "Cem"])
    choice = next(choice for choice in match.legal(0) if choice.move["do"] == "hand")
    assert (choice.text, worded(book, choice, match.names)) == ("hand 0", "hand Ada")
    assert worded(book, next(iter(match.legal(0))), match.names) == ""
    assert match.play(0, "hand Ada") == {"do": "hand", "whom": 0}
    assert [line.text for line in match.log(0)] == ["You: “hand Ada”."]
    settings = Settings(url_of(str(tmp_path / "tables.db")))
    table, _ = at_once(Tables(Store(settings.database), settings).create(Order("handed", 2, "Ada", seed=5)))
    at_once(table.join("Ben"))
    ways = scene.live(table, table.match.asked[0], "http://here").laid.ways
    assert [way.label for way in ways if way.move and way.move["do"] == "hand"] == ["Hand Ada"]


@pytest.mark.parametrize("key", ["seat", "do"])
def test_a_field_of_a_move_that_records_need_is_refused_where_it_is_declared(key):
    with pytest.raises(outbid.BadRulebook, match=f"The move 'inspect' has a field '{key}', but in a record"):
        Move("inspect", **{key: (0, 4)})


@pytest.mark.slow
def test_both_backends_see_alike(gifts):
    BACKENDS.check(gifts, 6)
    LEAKS.check(gifts, 6)


def test_a_question_of_the_games_own_is_asked_while_there_is_one(loading, tmp_path):
    file = tmp_path / "asking.py"
    own = "def question(s, seat, names):\n    return 'What?'\n\nrulebook ="
    text = GIFTS.replace('"gifts"', '"asking"').replace("rulebook =", own)
    file.write_text(text, encoding="utf-8")
    match = outbid.game(str(file)).new(2, seed=1)
    while not match.over:
        assert match.question(0) == "What?"
        match.play(match.asked[0], "pass")
    assert match.question(0) == "The match is over."


@pytest.mark.parametrize(
    ("name", "forms"), [("strongroom", "- bid 0–20: seal this bid"), ("gifts", "- give red/blue\n- pay 1–5\n- pass")]
)
def test_a_model_is_told_how_moves_are_typed_and_what_they_do(tutorial, gifts, name, forms):
    game = outbid.game(name)
    assert game.text(game.new(2, seed=1), 0).split("## How moves are written\n\n")[1].split("\n\n")[0] == forms


def test_the_rules_of_a_file_are_read_in_the_terminal(loading, tmp_path, monkeypatch):
    file = tmp_path / "ruled.py"
    file.write_text(FILE.read_text(encoding="utf-8").replace('"strongroom"', '"ruled"'), encoding="utf-8")
    (tmp_path / "RULES.md").write_text("# Ruled\n\nBid, and bid again.\n", encoding="utf-8")
    registry.rulebook(str(file))
    monkeypatch.chdir(tmp_path)
    assert how_to_play("ruled") == "Ruled\n\nBid, and bid again.\n\nThe whole rulebook: outbid rules ruled.py"
    (tmp_path / "vault.py").touch()
    with pytest.raises(BadSetup, match=r"no game 'vault'; .* The file vault\.py is named with its ending\."):
        registry.rulebook("vault")


# --- files that are no games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("x = 1\n\n1 / 0\n", r"bad\.py:3: ZeroDivisionError: division by zero"),
        ("x = 1\ndef f(:\n", r"bad\.py:2: SyntaxError: invalid syntax"),
        ("x = 1\n", r"bad\.py defines no rulebook; its last lines must be rulebook = Rulebook\(…\)\."),
        (
            "from outbid.core.options import choice\n\nchoice('ties', 'Ties', ('next', 'lost'), '')\n",
            r"bad\.py:3: ties: words is a dict of each word and what a form calls it, such as \{'next': 'Next'\}\.",
        ),
        (
            "from outbid.core.moves import Move, Moves\n\nMoves(Move('dig'), Move('wait')).first('digs')\n",
            r"bad\.py:3: There is no move 'digs'; there are dig, wait\.",
        ),
        ("import no_such_module\n", r"bad\.py:1: ModuleNotFoundError: No module named 'no_such_module'"),
        ("from outbid.games.rivals import rulebook\n", r"bad\.py: the id 'rivals' is that of another game; .*"),
    ],
)
def test_a_file_that_is_no_game_is_one_sentence(loading, tmp_path, text, answer):
    file = tmp_path / "bad.py"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(outbid.BadRulebook) as refused:
        registry.rulebook(str(file))
    assert re.fullmatch(rf".*{answer}", str(refused.value))
    assert str(file) not in registry.GAMES.files


def test_a_file_that_is_not_there_is_one_sentence(loading):
    with pytest.raises(BadSetup, match=r"There is no file gone\.py; a game is an id, such as rivals, or a file"):
        registry.rulebook("gone.py")


# --- rulebooks that lack something ------------------------------------------------------------------------------------

BROKEN = [  # a text of the tutorial, what stands there instead, and what is said of it
    (
        "def legal(s, seat, out):", "def lawful(s, seat, out):",
        "The game strongroom lacks legal(s, seat, out); write this function in broken.py. It is for: Write the action ids "
        "open to an asked seat into `out` and return how many there are.",
    ),
    (
        "def legal(s, seat, out):", "def legal(s, out):",
        "In the game strongroom, legal(s, out) (broken.py) has the wrong parameters; it must be legal(s, seat, out).",
    ),
    (
        "def redeal(s, seat, seed):", "redeal = 3\n\n\ndef other(s, seat, seed):",
        "In the game strongroom, redeal (broken.py) is of the type int; it must be a function redeal(s, seat, seed).",
    ),
    (
        "def told(before, seat, said, after, audience, names):", "def told(before, seat):",
        "In the game strongroom, told(before, seat) (broken.py) has the wrong parameters; it must be "
        "told(before, seat, said, after, audience, names).",
    ),
    (
        "moves=MOVES,", "",
        "The game strongroom lacks action_table; give its Rulebook action_table: an Actions "
        "(outbid.core.derived.spaces), or declare its moves (moves=Moves(…)).",
    ),
    (
        "moves=MOVES,", "action_table=MOVES.table,",
        "The game strongroom lacks steps(s, seat, said); write this function in broken.py, or declare the moves of the game "
        "(moves.py). It is for: The action ids of a move. Raises Unreadable, Illegal.",
    ),
    (
        'layout=Layout("strongroom", OPTIONS, FIELDS)', "layout=FIELDS",
        "In the game strongroom, layout is of the type tuple; it must be a Layout (fields.py).",
    ),
    (
        "modules=(sys.modules[__name__],)", "modules=__name__",
        "In the game strongroom, modules is of the type str; it must be a tuple of modules, such as (rules,), or "
        "(sys.modules[__name__],) in a single file.",
    ),
    (
        "players=(2, SEATS)", "players=(2, 9)",
        "In the game strongroom, players is (2, 9); it must be the fewest and the most, such as (2, 5), at most 6.",
    ),
    (
        'Field("players"),', "",
        'The game strongroom lacks the field players, how many play: declare Field("players") and set it in deal.',
    ),
    (
        'Field("purse", shape=(SEATS,)', 'Field("purse", shape=(3,)',
        "In the game strongroom, the field purse is seen by its owner; its shape must begin with 5, the largest number of "
        "players, not be (3,).",
    ),
    (
        'seen="nobody"', 'seen="no one"',
        'In the game strongroom, the field deck is seen by \'no one\'; it must be "all" | "owner" | "nobody", or '
        "a field that holds a seat.",
    ),
    (
        "amount=(0, RICHEST)", "amount=(0, -1)",
        "The field 'amount' of the move 'bid' is (0, -1); it must be a range of whole numbers, such as (0, 30), or words in "
        'small letters, such as ("red", "blue").',
    ),
    (
        "amount=(0, RICHEST)", "amount=(0, 300)",
        "The game strongroom has 301 actions; there may be 256: say a large amount in several steps.",
    ),
    (
        'Field("prize",', 'Field("copy",',
        "In the game strongroom, the field 'copy' cannot be called so: the name is taken, or no name in Python; choose "
        "another.",
    ),
    (
        'Field("spent",', 'Field("rounds",',
        "In the game strongroom, the field 'rounds' is declared twice; options are fields, too.",
    ),
    (
        'Field("spent",', 'Field("spent", "i8",',
        "In the game strongroom, the field 'spent' has the type 'i8'; there are i1, u1, i2, i4.",
    ),
    (
        'Field("shown", shape=(PRIZES + 1,)', 'Field("shown", shape=(2, 2, PRIZES)',
        "In the game strongroom, the field 'shown' has the shape (2, 2, 10); a shape is such as (), (6,) or (6, 3).",
    ),
    (
        'Field("shown",', 'Field("shown", places=("one", "two"),',
        "In the game strongroom, the field shown has 2 names of places; its last dimension must be as large, and its shape "
        "is (11,).",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("there", "instead", "sentence"), BROKEN)
def test_what_a_rulebook_lacks_is_one_sentence(loading, tmp_path, there, instead, sentence):
    file, text = tmp_path / "broken.py", FILE.read_text(encoding="utf-8")
    assert there in text
    file.write_text(text.replace(there, instead), encoding="utf-8")
    with pytest.raises(outbid.BadRulebook) as refused:
        registry.rulebook(str(file))
    assert re.sub(r"^\S+broken\.py:\d+: ", "", str(refused.value)) == sentence


def test_a_game_whose_fields_say_nothing_of_secrets_must_hide_them_or_declare_that_there_are_none(loading, tmp_path):
    text = re.sub(r', seen="\w+"', "", FILE.read_text(encoding="utf-8"))
    file = tmp_path / "open.py"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(outbid.BadRulebook, match="lacks hide"):
        registry.rulebook(str(file))
    file.write_text(text.replace("strongroom", "glasshouse").replace("moves=MOVES", "secrets=False, moves=MOVES"))
    book = registry.rulebook(str(file))
    match = outbid.game("glasshouse").new(2, seed=1)
    assert None not in [row["purse"] for row in match.view()["players"]]
    assert registry.by_id("glasshouse") is book


def test_numbers_and_places_have_names(loading, tmp_path):
    text = FILE.read_text(encoding="utf-8").replace("strongroom", "named")
    text = text.replace('Field("prize", high=PRIZES)', 'Field("prize", names=tuple("abcdefghijk"))')
    text = text.replace('Field("shown",', 'Field("shown", places=tuple("ABCDEFGHIJK"),')
    text = text.replace("Field(\"spent\", shape=(SEATS,)", "Field(\"spent\", shape=(SEATS, 2), places=(\"now\", \"ever\")")
    text = text.replace("spent[winner]", "spent[winner][1]").replace("spent[other]", "spent[other][1]")
    file = tmp_path / "named.py"
    file.write_text(text, encoding="utf-8")
    book, game = registry.rulebook(str(file)), outbid.game(str(file))
    match = game.new(2, seed=1)
    view = match.view(0)
    prize = match.state.prize
    assert view["prize"] == "abcdefghijk"[prize]
    assert view["shown"]["ABCDEFGHIJK"[prize]] == 1
    assert list(view["shown"]) == list("ABCDEFGHIJK")
    assert view["players"][1]["spent"] == {"now": 0, "ever": 0}
    assert "spent –" in book.words.board(match.seen(0), 0, match.names)
    assert observed(book, match.seen(0), 0)[game.observation["prize"]] == [prize / 10]


@pytest.mark.slow
def test_a_game_without_a_heuristic_plays_at_random_alike_on_both_backends(loading, tmp_path):
    text = FILE.read_text(encoding="utf-8")
    start, end = text.index("def steady"), text.index("def told")
    file = tmp_path / "mindless.py"
    text = (text[:start] + text[end:]).replace("strongroom", "mindless")
    file.write_text(text.replace('Field("round"', 'Field("unused"), Field("round"'), encoding="utf-8")  # other records
    book = registry.rulebook(str(file))
    rows = [results(book, {}, ["steady"] * 3, 30, 3, backend=one) for one in ("plain", "compiled")]
    assert np.array_equal(*map(np.asarray, rows))
    assert len({tuple(row) for row in np.asarray(rows[0]).tolist()}) > 20


# --- a new game -------------------------------------------------------------------------------------------------------


def test_a_new_game_is_played_and_verified_as_it_is_written(tmp_path):
    def run(*words):
        done = outbid_command(*words, folder=tmp_path)
        return done.returncode, done.stdout + done.stderr

    code, said = run("new-game", "big_sale")
    assert code == 0
    assert said == (
        "big_sale.py is a game. Play it with `outbid play big_sale.py`; "
        "after every change, `outbid verify big_sale.py`.\n"
        "test_big_sale.py are its tests, for pytest.\n"
    )
    text = (tmp_path / "big_sale.py").read_text(encoding="utf-8")
    assert text.startswith('"""Big Sale: the player who takes')
    assert "last_coin" not in text.lower()
    assert "outbid verify big_sale.py " in text
    code, said = run("verify", "big_sale.py", "--matches", "4")
    assert (code, said.count("properties hold in 4 matches each"), said.count("✗")) == (0, 1, 0)
    assert "    last     all\n" in said
    code, said = run("simulate", "big_sale.py", "--players", "2", "--games", "40", "--bots", "steady,random", "--json")
    assert code == 0
    assert json.loads(said)["games"] == 40
    for name, sentence_ in {
        "big_sale": "There is a file big_sale.py already; it stays as it is.",
        "rivals": "There is a game 'rivals' already; please choose another name.",
        "Sale": "A game is named by 2 to 40 small letters, digits and _, beginning with a letter, not 'Sale'.",
        "../sale": "A game is named by 2 to 40 small letters, digits and _, beginning with a letter, not '../sale'.",
        "class": "A game is named by 2 to 40 small letters, digits and _, beginning with a letter, not 'class'.",
    }.items():
        code, said = run("new-game", name)
        assert code == 2
        assert sentence_ in " ".join(said.split())
    assert (tmp_path / "big_sale.py").read_text(encoding="utf-8") == text
    assert sorted(path.name for path in tmp_path.glob("*.py")) == ["big_sale.py", "test_big_sale.py"]
