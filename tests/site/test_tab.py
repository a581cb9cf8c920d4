"""The application of a browser tab (site/tab.py), in a program that has no more than a tab."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from outbid.server.settings import Settings
from outbid.server.web.app import create_app
from tests.support.reviewed import played
from tests.support.tab_scripts import regions_of


def run(folder: Path, base: str, script: str, *more: str, code: int = 0) -> Any:
    """What a script (tests/support/tab_scripts.py) prints."""
    command = [sys.executable, "-m", "tests.support.tab_alone", str(folder / "outbid.sqlite"), base, script, *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == code, done.stderr[-4000:]
    assert "Traceback" not in done.stderr, done.stderr[-4000:]
    return json.loads(done.stdout)


@pytest.mark.slow
def test_a_match_is_played_from_its_set_up_to_the_end(tmp_path: Path) -> None:
    assert run(tmp_path, "/games/outbid", "whole", "rivals")["rivals"] > 3


@pytest.mark.slow
def test_each_other_game_is_played_from_its_set_up_to_the_end(tmp_path: Path) -> None:
    games = ("claim", "forex", "kuhhandel", "money")
    assert run(tmp_path, "", "whole", *games).keys() == set(games)


@pytest.mark.slow
def test_a_match_goes_on_after_the_program_was_killed(tmp_path: Path) -> None:
    path, record = run(tmp_path, "", "begun", "claim", code=9)
    assert run(tmp_path, "", "gone_on", path) == [record, "over"]


GAMES = ("claim", "forex", "kuhhandel", "money", "rivals")


@pytest.mark.generic
@pytest.mark.parametrize("game", GAMES)
def test_two_people_pass_the_device_on_and_nothing_shows_between_them(tmp_path: Path, game: str) -> None:
    assert run(tmp_path, "" if game == "rivals" else "/games/outbid", "passed", game) > 3


@pytest.mark.generic
@pytest.mark.parametrize("game", GAMES)
def test_the_cover_is_the_same_page_at_every_position(tmp_path: Path, game: str) -> None:
    positions, pages = run(tmp_path, "", "covered", game)
    assert positions >= 4
    assert pages == 1


@pytest.mark.slow
def test_the_language_leads_back_to_the_page_on_which_it_was_chosen(tmp_path: Path) -> None:
    table, opened, led = run(tmp_path, "/games/outbid", "spoken")
    for page in ("/", "/new/claim", "/records", "/rules/forex", "/puzzles", table, opened):
        assert led.pop(page) == [page, True]
    assert led == {f"{table}/move": ["/", True]}


def test_a_page_where_a_form_was_refused_leads_to_its_table_when_loaded_again(tmp_path: Path) -> None:
    led = run(tmp_path, "/games/outbid", "loaded_again")
    assert led == {"/join": [303, ""], "/move": [303, ""], "/language": [303, "/"]}


@pytest.mark.slow
def test_who_made_the_table_sends_somebody_away_before_the_match(tmp_path: Path) -> None:
    assert run(tmp_path, "", "sat_down") == ["Ada", "Cem"]


@pytest.mark.slow
def test_a_position_is_tried_out_by_the_person_whose_it_was(tmp_path: Path) -> None:
    assert run(tmp_path, "", "tried") == "over"


def test_a_hint_says_which_bot_gives_it(tmp_path: Path) -> None:
    assert run(tmp_path, "", "advised") == [True, True, 0]


def test_who_solves_puzzles_is_rated(tmp_path: Path) -> None:
    ratings = run(tmp_path, "", "puzzled", *GAMES)
    assert len(ratings) == len(GAMES)
    assert min(ratings) > 1500


@pytest.mark.slow
def test_a_record_is_opened_on_another_device(tmp_path: Path) -> None:
    saved, opened = run(tmp_path, "/games/outbid", "carried")
    assert opened["moves"] == saved["moves"]


async def server_regions(folder: Path, records: list[Path]) -> list[list[dict[str, str]]]:
    """The regions of every position, as a server shows them."""
    app = create_app(Settings(f"sqlite:///{folder / 'server.db'}"))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:

            async def ask(method: str, path: str, headers: list[tuple[str, str]], body: bytes) -> str:
                answer = await http.request(method, path, headers=headers, content=body)
                assert answer.is_success, answer.text
                return answer.text

            return [[each async for each in regions_of(ask, record.read_bytes())] for record in records]


@pytest.mark.generic
@pytest.mark.parametrize("game", GAMES)
def test_every_position_of_a_record_looks_as_at_a_server(tmp_path: Path, game: str) -> None:
    records = []
    for seed in range(4):
        records.append(tmp_path / f"{seed}.json")
        records[-1].write_text(json.dumps(played(game, seed).record()), "utf-8")
    shown = run(tmp_path, "", "looked_back", *map(str, records))
    assert all(len(positions) > 8 for positions in shown)
    assert shown == asyncio.run(server_regions(tmp_path, records))


@pytest.mark.slow
def test_the_deal_of_the_day_is_there_with_its_archive_and_without_what_takes_others(tmp_path: Path) -> None:
    invited, result, earlier = run(tmp_path, "/outbid", "daily", "2026-11-25")
    assert "Play today’s deal" in invited
    for page in (result, earlier):
        assert "Your result" in page
        assert 'class="played"' in page
        assert "how I stood, round by round" in page
        for others in ("server", "Others who played it", "Show my result", "The best match of", "Look again"):
            assert others not in page, others
    assert 'data-place="daily/2026-11-25"' in result, "the browser adds the link to the deal"
    assert "localhost" not in result
    assert result.count('data-local="month"') == 2, "each month of the calendar is named once"
    assert "Play it once more" in earlier
