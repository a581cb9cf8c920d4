"""The full screen of `outbid join` against a real server."""

from __future__ import annotations

import random
from typing import Any

import pytest

from outbid.core.rulebook import rulebook
from outbid.terminal.lines import asked
from tests.support.houses import newcomer, own_server
from tests.support.joining import GAMES, on_screen, reply, shown, until
from tests.support.serving import Person

server, host = own_server(), newcomer()


@pytest.mark.slow(but=("sealed",))
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.generic
def test_a_whole_match_of_each_game_is_played_on_the_full_screen(host: Person, game: str):
    book = rulebook(game)
    preset = "quick" if "quick" in book.presets else "seed"
    seat = host.order(game=game, players=book.players[0], preset=preset, bots="random")
    rng = random.Random(3)

    async def act(app: Any, pilot: Any) -> None:
        visit = app.visit
        while True:
            await until(app, lambda: visit.over or visit.decision is not None)
            if visit.over:
                break
            app._say(str(rng.randint(1, len(visit.offers))))
            while app.picker.picked is not None:
                assert shown(app, "notice")
                app._say(reply(asked(app.picker.picked).sentence, rng) or "1")
            await until(app, lambda: not app.sending)
        await until(pilot, lambda: "wins" in shown(app, "question"))

    on_screen(host, seat, act)
    assert host.now()["table"]["status"] == "over"


@pytest.mark.slow
def test_the_full_screen_is_chosen_from_by_arrows_by_number_and_by_typing(host: Person):
    seat = host.order(bots="random")

    async def act(app: Any, pilot: Any) -> None:
        visit = app.visit
        await until(pilot, lambda: "it is your turn" in shown(app, "bar"))
        assert shown(app, "board").startswith("Deck:")
        first = visit.decision
        await pilot.press(*"dance", "enter")
        await until(pilot, lambda: "is not a move" in shown(app, "notice"))
        assert visit.decision == first
        while visit.now.legal[0].amounts is None:  # until somebody may bid
            before = visit.decision
            await pilot.press("1", "enter")
            await until(pilot, lambda before=before: visit.decision not in (None, before))
        now = visit.decision
        await pilot.press("1", "enter")
        await until(pilot, lambda: "How much?" in shown(app, "notice"))
        await pilot.press("escape")
        assert shown(app, "notice") == ""
        await pilot.press("1", "enter")
        await pilot.press(*str(visit.now.legal[0].amounts[0]), "enter")
        await until(pilot, lambda: visit.decision != now)

    on_screen(host, seat, act)


def test_a_line_that_arrives_all_at_once_is_typed_whole(host: Person):
    events = pytest.importorskip("textual.events", reason="The full screen needs Textual, which is not installed.")
    seat = host.order(bots="random")

    async def act(app: Any, pilot: Any) -> None:
        await until(pilot, lambda: app.visit.decision is not None)
        await until(pilot, lambda: app.focused.id == "menu")
        for character in "say Good evening!":
            app.post_message(events.Key({" ": "space", "!": "exclamation_mark"}.get(character, character), character))
        app.post_message(events.Key("enter", "\r"))
        await until(pilot, lambda: app.visit.said)
        assert [one.text for one in app.visit.said.values()] == ["Good evening!"]
        assert app.open is None

    on_screen(host, seat, act)


def test_on_the_full_screen_cards_are_laid_one_by_one(host: Person):
    seat = host.order(game="money", players=3, preset="seed", bots="random")

    async def act(app: Any, pilot: Any) -> None:
        visit = app.visit
        await until(pilot, lambda: visit.decision is not None)
        await until(pilot, lambda: app.focused.id == "menu")
        first, cards = visit.decision, visit.offers[0].cards
        await pilot.press("enter")
        await until(pilot, lambda: app.open is not None)
        await pilot.press("enter", "enter")
        assert app.query_one("#line").value.split() == list(cards[:2])
        await pilot.press("end", "enter")  # Done
        await until(pilot, lambda: visit.decision != first)

    on_screen(host, seat, act)


@pytest.mark.parametrize("size", [(40, 20), (80, 24), (160, 50)])
def test_the_full_screen_fits_small_and_large_terminals(host: Person, size: tuple[int, int]):
    seat = host.order(game="forex", players=4, preset="seed", bots="random")

    async def act(app: Any, pilot: Any) -> None:
        parts = [app.query_one(f"#{name}") for name in ("bar", "table", "log", "question", "menu", "line")]
        await until(pilot, lambda: app.focused.id == "menu" and all(part.region.height >= 1 for part in parts))
        for part in parts:
            assert app.screen.region.contains_region(part.region), part

    on_screen(host, seat, act, size)
