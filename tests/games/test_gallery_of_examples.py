"""The four games of examples/ whose knowledge and components are declared are played everywhere."""

import ast
import os
import random
import sys
from multiprocessing import forkserver
from pathlib import Path

import numpy as np
import pytest

import outbid
from outbid.cli import main
from outbid.core import contract
from outbid.core import rulebook as registry
from outbid.core.derived.visibility import own_fields
from outbid.core.language import i18n
from outbid.core.record import read_record
from outbid.lab.simulate import results
from tests.support.serving import Person, serving, some_move

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = [EXAMPLES / f"{name}.py" for name in ("sealed_trunks", "night_office", "market_dice", "storm_tricks")]
pytestmark = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@pytest.fixture(scope="module", autouse=True)
def loading():
    """These games are known while the tests of this module run, also to programs that are started."""
    forkserver.ensure_running()
    with registry.GAMES.apart(), pytest.MonkeyPatch.context() as patch:
        patch.setenv(registry.FILES, os.pathsep.join(map(str, FILES)))
        yield


@pytest.mark.slow
def test_at_a_table(file, tmp_path):
    book, rng = registry.rulebook(str(file)), random.Random(4)
    with serving(tmp_path / "tables.db") as address:
        ada = Person(address)
        ada.order(game=book.id, players=3, bots="steady", preset="seed", name="Ada")
        seen = ada.asked()
        assert 'aria-label="Was dir gehört"' in ada.http.get(f"/t/{ada.table}", headers={"Accept-Language": "de"}).text
        while seen["table"]["status"] != "over":
            assert ada.send(some_move(seen, rng), seen["decision"]).status_code == 200
            seen = ada.asked()
        assert ada.http.get(f"/t/{ada.table}/replay?move=3&seat=open").status_code == 200
        assert read_record(ada.http.get(f"/t/{ada.table}/record").json()).scores == seen["scores"]


def test_in_the_terminal(file, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["outbid", "play", str(file), "--plain", "--seed", "5", "-n", "3", "--language", "de"])
    read, write = os.pipe()
    with os.fdopen(write, "w") as typed:
        typed.write("1\nquit\n")
    with os.fdopen(read) as given:
        monkeypatch.setattr(sys, "stdin", given)
        with pytest.raises(SystemExit) as left:
            main()
    assert left.value.code in (0, None)
    with i18n.locale("de"):
        assert registry.rulebook(str(file)).called in capsys.readouterr().out


def test_by_bots(file):
    rows = results(registry.rulebook(str(file)), {}, ["steady", "random", "steady"], 5, 7, backend="plain")
    assert len(np.asarray(rows)) == 5


@pytest.mark.deep
def test_as_a_batch(file):
    batch = outbid.game(str(file)).batch(16, players=3, seed=2)
    ended = 0
    for _step in range(400):
        batch.step(batch.sample())
        ended += int(batch.done.sum())
    assert ended > 0


@pytest.mark.slow
def test_in_pettingzoo(file):
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    from outbid.adapters import pettingzoo as adapter

    env = adapter.env(str(file), players=3)
    env.reset(seed=1)
    for _agent in env.agent_iter(max_iter=3000):
        observation, _reward, ended, cut, info = env.last()
        over = ended or cut
        env.step(None if over else int(np.flatnonzero(info.get("action_mask", observation_mask(observation)))[0]))
    assert not env.agents


def observation_mask(observation):
    """The legal actions, where an observation brings them along."""
    return observation["action_mask"] if isinstance(observation, dict) else []


@pytest.mark.slow
def test_in_openspiel(file):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    import outbid.adapters.openspiel  # noqa: F401 - it registers the games

    state, rng = pyspiel.load_game(f"outbid_{registry.rulebook(str(file)).id}").new_initial_state(), random.Random(1)
    while not state.is_terminal():
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(rng.choice(actions))
    assert len(state.returns()) >= 2


def test_a_move_that_all_see_is_whole_for_all(file):
    """Also where what comes of it depends on what lies hidden (`is_public` 2)."""
    match = outbid.game(str(file)).new(3, seed=0)
    seat, words = match.asked[0], match.rulebook.words
    move = max((choice.move for choice in match.legal(seat)), key=len)
    seen = contract.is_public(match.state, seat, words.steps(match.state, seat, move)[0])
    told = [words.masked(match.state, seat, move, audience) for audience in (-1, (seat + 1) % 3)]
    assert told == [move if seen else {"do": move["do"]}] * 2


def test_all_its_words_have_a_translation(file):
    book = registry.rulebook(str(file))
    calls = [node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    first = [call.args[0] for call in calls if ast.unparse(call.func) == "_"]
    texts = [text.value for text in first if isinstance(text, ast.Constant)]
    shown = [field for field in own_fields(book) if field.shown and not field.knows]
    fields = [field for field in shown if field.face or field.seen != "nobody"]
    kinds = [*book.moves.kinds.values()]
    texts += [book.title, book.summary, *(field.called for field in fields), *(kind.do for kind in kinds)]
    texts += [text for option in book.options for text in (option.title, option.meaning)]
    texts += [text for kind in kinds for text in (kind.meaning, kind.label) if text]
    texts += [name for field in fields for name in (*field.names, *field.places) if name != "none"]
    with i18n.locale("de"):
        assert [text for text in texts if book.say(text) == text] == []
