"""The store of all results, and the tables of docs/strength.md that are made of it."""

from __future__ import annotations

import importlib.util
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sealed import rulebook as sealed

from outbid.bots.nets.policy import policy
from outbid.core.errors import BadSetup, Unreadable
from outbid.core.rulebook import rulebook, rulebooks
from outbid.lab import arena as arenas
from outbid.lab.arena import arena
from outbid.lab.results_store import FORMAT, ResultsStore
from outbid.runs.seating import budgets
from outbid.runs.seeds import seed_of

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def strength():
    """docs/strength.py."""
    spec = importlib.util.spec_from_file_location("strength", DOCS / "strength.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def result(share=0.5, **other):
    facts = {"kind": "pairing", "game": "claim", "options": {}, "players": 3, "seeds": "report", "seed": 0}
    found = {"bot": "strong", "others": "steady", "share": share, "error": 0.01, "deals": 700, "playouts": {}}
    return {**facts, **found, **other}


def test_the_tables_in_the_docs_are_those_of_the_store(strength):
    page = strength.PAGE.read_text(encoding="utf-8")
    assert strength.written(page, ResultsStore(strength.STORE).results) == page, "run `python docs/strength.py`"


def test_the_bots_in_the_docs_have_as_many_rollouts_as_they_had_when_they_were_measured(strength):
    for one in ResultsStore(strength.STORE).results:
        if one["kind"] in ("pairing", "ladder", "strangers", "variant") and one["playouts"]:
            book, names = rulebook(one["game"]), list(one["playouts"])
            assert budgets(book, one["options"], one["players"], names) == one["playouts"], one


def test_every_result_in_the_docs_is_of_seeds_that_nothing_was_chosen_on(strength):
    for one in ResultsStore(strength.STORE).results:
        assert one["seeds"] in ("report", "none"), one
    assert "| Claim | 3 |" not in strength.written(_page("pairings"), [result(seeds="selection")])


def _page(name):
    return f"<!-- table: {name} -->\nold\n<!-- end of table -->\nby hand\n"


def test_a_table_says_the_share_beside_the_equal_share(strength):
    made = strength.written(_page("pairings"), [{**result(0.8081), "date": "2026-11-21", "playouts": {"strong": 500}}])
    assert "| Claim | 3 | `strong`, 500 rollouts | `steady` | **80.8 (78.8–82.7) %** | 33.3 % | 2.42 × | 2,100 |" in made
    assert made.endswith("<!-- end of table -->\nby hand\n")
    assert "old" not in made


def test_a_pairing_played_on_two_seeds_is_one_row_of_all_its_deals(strength):
    date = {"playouts": {"strong": 500}, "date": "2026-11-21"}
    first, second = result(0.8, error=0.03, deals=100, **date), result(0.6, error=0.01, deals=300, seed=1, **date)
    made = strength.written(_page("pairings"), [first, second])
    assert "| `strong`, 500 rollouts | `steady` | **65.0 (62.3–67.6) %** | 33.3 % | 1.95 × | 1,200 | 2026-11-21 |" in made
    assert made.count("| Claim |") == 1


def test_every_game_is_wanted_at_every_number_of_players(strength):
    every = [dict(one.facts) for one in strength.wanted()]
    for book in rulebooks().values():
        for players in range(book.players[0], book.players[1] + 1):
            here = [one for one in every if (one["game"], one.get("players")) == (book.id, players)]
            pairs = {(one["bot"], one["others"]) for one in here if one["kind"] == "pairing"}
            assert pairs == {pair for pair in strength.PAIRS if pair[0] != "net" or policy(book)}
            ladders = [one["bots"] for one in here if one["kind"] == "ladder"]
            assert ladders == ([["easy", "keen", "sharp", "steady", "strong"]] if players == 3 else [])
            assert "strong" in {one["victim"] for one in here if one["kind"] == "exploit"}
        solved = {(one["preset"], one["bot"]) for one in every if one["kind"] == "nash_conv" and one["game"] == book.id}
        assert solved == {(preset, bot) for preset in book.laboratory for bot in strength.SOLVED}


def test_what_is_missing_is_a_command_that_plays_at_least_two_thousand_matches(strength):
    first = strength.missing([], "claim", "pairing")[0]
    facts, said = dict(first.facts), first.command.split()
    assert int(said[said.index("--deals") + 1]) * facts["players"] >= 2000
    assert said[:3] == ["outbid", "arena", "claim"]
    assert first not in strength.missing([{**result(), **facts}], "claim", "pairing")
    assert len(strength.missing([{**result(), **facts}])) == len(strength.missing([])) - 1


def test_the_table_of_small_games_has_a_row_a_preset(strength):
    solved = {"kind": "nash_conv", "preset": "tiny", "equilibrium": 4e-6, "seeds": "none"}
    results = [result(0, **solved, bot=bot, nash_conv=worth) for bot, worth in (("random", 1.5), ("steady", 0.25))]
    made = strength.written(_page("solved"), results)
    assert "| Claim | `tiny` | 1.500 | 0.250 |  | 4e-06 |" in made


def test_the_table_of_exploiters_says_the_worst_and_how_many_were_tried(strength):
    one = result(0.5, kind="exploit", victim="steady", exploiter="tuned", gain=1 / 6, matches=9000, tried=[1, 2])
    made = strength.written(_page("exploiters"), [{**one, "date": "2026-11-21", "bot": "steady[dear=1]"}])
    row = "| Claim | 3 | `steady` | policy parameters found in 9,000 matches | 2 | **50.0 (47.9–52.1) %** | 33.3 % | +16.7 |"
    assert row in made


def test_the_table_of_strangers_says_whether_the_goal_was_reached(strength):
    def cell(bot, share, players):
        more = {"others": "20 strangers", "date": "2026-11-26", "deals": 70}
        return result(share, kind="strangers", bot=bot, players=players, **more)

    results = [cell("strong*0.25", 0.54, 3), cell("steady", 0.5, 3), cell("strong*0.25", 0.44, 4), cell("steady", 0.4, 4)]
    results += [cell("strong*0.25", 0.9, 5), cell("steady", 0.3, 5)]
    made = strength.written(_page("strangers"), results)
    assert re.search(r"\| Claim \| 3 \| 33.3 % \| \*\*54.0 .* %\*\* \| 50.0 .* \| \*\*no\*\*, open \| 210 and 210 \|", made)
    assert re.search(r"\| Claim \| 4 \| 25.0 % \| \*\*44.0 .* %\*\* \| 40.0 .* % \| yes, open \| 280 and 280 \|", made)
    assert re.search(r"\| Claim \| 5 \| 20.0 % \| \*\*90.0 .* %\*\* \| 30.0 .* % \| yes \| 350 and 350 \|", made)
    assert "Claim" not in strength.written(_page("strangers"), results[:1]), "beside `steady` only"


def test_the_table_of_changed_options_compares_each_with_the_defaults(strength):
    more = {"kind": "variant", "bot": "strong*0.25", "date": "2026-11-26", "seconds": 0.3, "deals": 10}
    usual = result(0.8, **more, without_nets=False)
    changed = [result(share, **more, options={"goal": goal}, without_nets=True) for share, goal in ((0.4, 8), (0.72, 12))]
    made = strength.written(_page("variants"), [*changed, usual])
    lines = [line for line in made.splitlines() if line.startswith("| Claim | 3 |")]
    assert [line.split(" | ")[2] for line in lines] == ["the defaults", "`goal=8`", "`goal=12`"]
    assert [line.split(" | ")[4:6] for line in lines] == [["1.00", "yes"], ["**0.50**", "no"], ["0.90", "no"]]


def test_a_result_is_kept_and_a_new_one_of_the_same_replaces_it(tmp_path):
    store = ResultsStore(tmp_path / "strength.json")
    assert store.results == []
    store.add(result(0.5))
    store.add(result(0.6, players=4))
    store.add(result(0.7))
    assert [one["share"] for one in store.results] == [0.7, 0.6]
    assert store.find({"players": 4})["share"] == 0.6
    assert store.find({"players": 5}) is None
    assert store.results[0]["date"]


def test_several_who_write_at_once_lose_nothing(tmp_path):
    store = ResultsStore(tmp_path / "strength.json")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: store.add(result(seed=n)), range(24)))
    assert {one["seed"] for one in store.results} == set(range(24))
    assert list(tmp_path.iterdir()) == [store.path]


def test_what_is_no_results_store_is_left_alone(tmp_path):
    path = tmp_path / "strength.json"
    for text in ("hello", "[]", '{"format": "other", "results": []}', f'{{"format": "{FORMAT}", "results": [5]}}'):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(Unreadable, match="results store"):
            ResultsStore(path).add(result())
        assert path.read_text(encoding="utf-8") == text
    with pytest.raises(BadSetup, match="no results of the kind 'guess'"):
        ResultsStore(tmp_path / "new.json").add(result(kind="guess"))
    with pytest.raises(BadSetup, match="needs others"):
        ResultsStore(tmp_path / "new.json").add({key: value for key, value in result().items() if key != "others"})


def test_what_the_store_has_is_not_played_again(tmp_path, monkeypatch):
    store, seed = ResultsStore(tmp_path / "strength.json"), seed_of("report", 0)
    monkeypatch.setattr(arenas, "play", _plain(arenas.play))
    first = arena(sealed, {}, 2, ["steady", "random"], 3, seed, store=store)
    assert json.loads(store.path.read_text(encoding="utf-8"))["results"][0]["seeds"] == "report"
    monkeypatch.setattr(arenas, "play", None)
    assert arena(sealed, {}, 2, ["steady", "random"], 3, seed, store=store).pairings == first.pairings
    with pytest.raises(TypeError):
        arena(sealed, {}, 2, ["steady", "random"], 4, seed, store=store)


def test_a_ladder_of_few_deals_leaves_pairings_of_many_as_they_are(tmp_path, monkeypatch):
    store, seed = ResultsStore(tmp_path / "strength.json"), seed_of("report", 0)
    monkeypatch.setattr(arenas, "play", _plain(arenas.play))
    arena(sealed, {}, 2, ["steady", "random"], 3, seed, alone=["steady"], store=store)
    arena(sealed, {}, 2, ["steady", "random"], 2, seed, mixed=2, store=store)
    deals = {(one["bot"], one["others"]): one["deals"] for one in store.results if one["kind"] == "pairing"}
    assert deals == {("steady", "random"): 3, ("random", "steady"): 2}


def _plain(play):
    return lambda book, options, players, bots, seating, seed, *_, **how: play(
        book, options, players, bots, seating, seed, compiled=False
    )
