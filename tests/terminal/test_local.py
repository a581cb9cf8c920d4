"""The terminal against bots: what stands before a question, what a number means, whole matches; pipes and colours off."""

from __future__ import annotations

import asyncio
import os
import random
import re
from collections.abc import Mapping
from typing import Any

import pytest

from outbid.core.language import i18n
from outbid.core.rulebook import rulebook
from outbid.terminal.lines import WORDS, Ask, Picker, how_to_play
from outbid.terminal.local import LocalMatch
from outbid.terminal.page import columns, menu, painted, wrapped
from outbid.terminal.suits import suits_of
from outbid.wire.offers import Offer
from tests.support.commands import outbid_command
from tests.support.joining import GAMES, reply, until


def played(game: str, typed: str, *more: str, env: Mapping[str, str] = os.environ) -> str:
    """What `outbid play --plain` prints into a pipe."""
    done = outbid_command("play", game, "--plain", "--bots", "random", *more, given=typed, environment=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


def some_line(here: LocalMatch, rng: random.Random) -> str:
    """What somebody types who knows only what is shown: a number, and what is asked for then."""
    picker = Picker(here.offers)
    said = [str(rng.randint(1, len(here.offers)))]
    meant = picker.meant(said[0])
    while isinstance(meant, Ask):
        said.append(str(rng.randint(1, len(meant.listed))) if meant.listed else reply(meant.sentence, rng) or "1")
        meant = picker.meant(said[-1])
    return meant if isinstance(meant, str) else here.match.rulebook.words.text(dict(meant))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_a_whole_match_of_each_game_is_played_by_the_numbers_and_words_that_are_shown(game: str):
    rng, book = random.Random(5), rulebook(game)

    async def match() -> LocalMatch:
        here = LocalMatch(book, {}, "Ada", ["random"] * (book.players[0] - 1), 8)
        watching = asyncio.create_task(here.watch())
        refused = 0
        while not here.over:
            turn = asyncio.create_task(here.turn())
            await asyncio.wait({watching, turn}, return_when=asyncio.FIRST_COMPLETED)
            turn.cancel()
            if here.decision is None:
                continue
            offers = here.offers
            assert not (len(offers) == 1 and offers[0].whole and here.match.legal(0).forced)
            for offer in offers:  # each example and each whole text can be played
                typed = offer.example or (offer.text if offer.whole else "")
                if typed:
                    here.match.copy().play(0, typed)
            assert here.now
            assert here.now.board
            line = some_line(here, rng)
            if refused == 20:  # cards at random do not pay
                move = here.match.copy().random_move(0, len(here.match.moves))
                line = book.words.text({key: value for key, value in move.items() if key != "seat"})
            refused = refused + 1 if not (await here.play(line)).ok else 0
            assert refused <= 20
        await watching
        return here

    here = asyncio.run(match())
    assert here.now
    assert here.now.scores == list(here.match.scores)


TYPED = "1\nbrief\n1\nlook\n?\nrules\nquit\n"


@pytest.fixture(scope="module")
def said() -> str:
    """What is printed into a pipe at one end of a small and colourful terminal."""
    small = {**os.environ, "COLUMNS": "40", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    return played("rivals", TYPED, "--seed", "5", "-n", "2", env=small)


def test_the_table_stands_before_every_question_then_the_question_the_choices_and_what_to_type(said: str):
    parts = said.split("\n\n")
    board, asked = parts[1].splitlines(), parts[2].splitlines()
    assert board[0].startswith("Pile 1 of 4: ")
    assert any(line.startswith("* Player: ") for line in board)
    assert asked[0].startswith("Your turn: ")
    assert [line[:5] for line in asked[1:3]] == ["  1  ", "  2  "]
    assert asked[2].endswith("such as “bid 1”")
    assert asked[3] == "Type 1 or 2, or a move; ? helps:"
    assert said.count("Pile 1 of 4: ") == 3  # before two questions, then only where it is asked for


def test_help_says_what_can_be_typed_now(said: str):
    assert re.search(r"Type the number of a choice, or the move itself:\n  1 … +bid \d+\n  2 +pass\n", said) or re.search(
        r"Type the number of a choice, or the move itself:\n  1 +uncover\n  2 … +bid \d+\n", said
    )
    assert "  rules   how to play" in said
    assert re.search(r"^Cards: \w+ = Red", said, re.MULTILINE)


def test_how_to_play_is_read_in_the_terminal(said: str):
    text = said[said.index("Rivals: how to play") :]
    assert "The winner" in text
    assert text.count("outbid rules rivals") == 1
    assert "card:" not in text
    assert "*" not in text
    with i18n.locale("de"):
        assert how_to_play("rivals").startswith("Rivals: So wird gespielt")


def test_a_pipe_is_plain_and_the_same_whatever_the_terminal_is(said: str):
    silent = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200", "TERM": "dumb"}
    assert said == played("rivals", TYPED, "--seed", "5", "-n", "2", env=silent)
    assert "\x1b" not in said
    assert max(map(len, said.splitlines())) > 80  # nothing is wrapped


OFFERS = (
    Offer("bid 30", {"do": "bid"}, amounts=range(30, 31, 10)),
    Offer("divest 1 GBP", {"do": "divest"}, moves=(("divest 1 GBP", {"do": "divest", "currency": "GBP", "number": 1}),)),
    Offer("trade cow with 2", {"do": "trade", "with": 2, "animal": "cow"}),
    Offer("push 2 to 2", {"do": "push", "stack": 2, "to": 2}),
)


def test_a_choice_that_can_be_one_move_is_made_by_its_number():
    picker = Picker(OFFERS)
    assert picker.meant("1") == {"do": "bid", "amount": 30}
    assert picker.meant("2") == {"do": "divest", "currency": "GBP", "number": 1}
    assert all(offer.example == "" for offer in OFFERS)


def test_the_one_payment_there_is_stands_in_the_menu_and_is_made_by_its_number():
    async def paid() -> tuple[list[Offer], Any, Any]:
        for seed in range(40):
            here = LocalMatch(rulebook("kuhhandel"), {}, "Ada", ["steady", "steady"], seed)
            watching = asyncio.create_task(here.watch())
            while here.decision is None:
                await asyncio.sleep(0.001)
            amounts = here.offers[0].amounts
            if 90 in amounts:  # all one has: one way to pay
                await here.play({"do": "bid", "amount": 90})
                while here.decision is None and not here.over:
                    await asyncio.sleep(0.001)
                if here.offers[0].move["do"] == "pay":
                    watching.cancel()
                    return here.offers, here, (await here.play(dict(Picker(here.offers).meant("1"))))  # type: ignore[arg-type]
            watching.cancel()
        raise AssertionError("nobody had to pay 90")

    offers, here, answer = asyncio.run(paid())
    assert [offer.text for offer in offers] == ["pay 50 10 10 10 10"]
    assert answer.ok
    assert here.match.moves[-1] == {"seat": 0, "do": "pay", "cards": [50, 10, 10, 10, 10]}


def test_seats_are_called_by_their_names_and_nothing_else_is():
    names = ["Ada", "Ben", "Clara"]
    called = [offer.calling(names).text for offer in OFFERS]
    assert called == ["bid 30", "divest 1 GBP", "trade cow with Clara", "push 2 to Clara"]
    assert OFFERS[2].calling(["1", "2", "3"]).text == "trade cow with 2"  # a name that reads like a seat


def test_choices_are_wrapped_at_words_and_a_line_that_goes_on_is_indented():
    offers = [Offer("bid any of " + " ".join(f"USD20#{n}" for n in range(9)), {"do": "bid"}, cards=tuple("abc"))]
    lines = menu(offers, 60)
    assert all(len(line) <= 60 for line in lines)
    assert len(lines) > 2
    assert lines[0].startswith("  1  bid any of ")
    assert all(line.startswith("    ") for line in lines[1:])
    assert len(menu(offers, None)) == 1
    assert wrapped("a" * 30 + ";  " + "b c " * 9 + ";  d", 50)[1].strip() == ("b c " * 9 + ";  d")


def test_a_table_that_is_too_wide_keeps_its_columns():
    rows = ["       GBP   EUR   USD   CHF", "GBP      .   1.5     1  10.5", "EUR      .     .     1     1"]
    table = "\n".join(rows)
    assert wrapped(table, 60) == rows
    wide = "\n".join(f"{row}   {row}   {row.strip()}"[:78] for row in rows)
    narrow = wrapped(wide, 60)
    assert len(narrow) == len(rows)
    assert [line.split() for line in narrow] == [line.split() for line in wide.split("\n")]
    assert max(map(len, narrow)) <= 60
    assert wrapped(f"a sentence\n{wide}", 60)[0] == "a sentence"


def test_a_head_without_a_label_keeps_its_columns_above_a_short_table():
    rows = [
        "                   GBP       EUR       USD", "  Ada                7       1.5         8", "* Ben                4"
    ]  # fmt: skip
    rows = [f"{row:<44}      =9".rstrip() for row in rows]
    narrow = wrapped("\n".join(rows), 36)
    assert [line.split() for line in narrow] == [row.split() for row in rows]
    assert len(narrow[0]) == len(narrow[1]) <= 36
    ends = [[found.end() for found in re.finditer(r"\S+", line)][-4:] for line in narrow[:2]]
    assert ends[0] == ends[1]


def test_many_moves_stand_in_columns_if_there_is_a_width():
    texts = [f"invest {n}" for n in range(20)]
    assert len(columns(texts, None)) == 20
    rows = columns(texts, 60)
    assert len(rows) < 20
    assert sorted(int(n) for row in rows for n in re.findall(r"(\d+)  invest", row)) == [*range(1, 21)]


@pytest.mark.parametrize(
    ("game", "text", "parts"),
    [
        ("rivals", "On display: Rx B10; 5 gold. You uncover the white 5.", ["Rx", "B10", "white"]),
        ("money", "USD20#3; left: EUR 30, coin 10", ["USD20#3", "EUR 30"]),
        ("kuhhandel", "Ada: 2 cows. So far: 0 of 4. Your money: 50, 10, 0 (60).", ["cows", "50", "10", "0"]),
        ("claim", "Your hand: 1 3 3. Turn 2 of 80.", ["1", "3", "3"]),
        ("nothing", "R4", []),
    ],
)
def test_cards_have_the_colours_of_their_faces(game: str, text: str, parts: list[str]):
    spans = sorted(suits_of(game).spans(text))
    assert [text[start:end] for start, end, _hue in spans] == parts
    assert painted(text, suits_of(game)).plain == text


def test_the_key_names_the_codes_that_can_be_seen_in_the_readers_language():
    assert suits_of("rivals").key("Rx G7") == "R = Red, G = Green"
    assert suits_of("kuhhandel").key("1 goose") == "goose = 40"
    with i18n.locale("de"):
        assert suits_of("kuhhandel").key("1 × Gans") == "goose = Gans 40"
    assert suits_of("claim").key("1 2 3") == ""


def test_a_long_log_shows_its_end_and_all_of_it_when_asked():
    async def seen() -> Any:
        here = LocalMatch(rulebook("claim"), {}, "Ada", ["random"], 1)
        watching = asyncio.create_task(here.watch())
        await here.turn()
        watching.cancel()
        here.log *= 100
        return here

    match = asyncio.run(seen())
    assert len(WORDS["log"](match).splitlines()) == 41
    assert WORDS["log all"](match).splitlines() == [line.text for line in match.log]


def on_screen(game: str, size: tuple[int, int], act: Any) -> None:
    """What is done on the full screen of a match against bots."""
    pytest.importorskip("textual", reason="The full screen needs Textual, which is not installed.")
    from outbid.terminal.full_screen import FullScreen

    async def shown_() -> None:
        app = FullScreen(LocalMatch(rulebook(game), {}, "Ada", ["random", "random"], 5))
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: app.visit.decision is not None)
            await until(pilot, lambda: app.focused is not None and app.focused.id == "menu")
            await act(app, pilot)
            app.exit(0)

    asyncio.run(shown_())


def test_on_the_full_screen_a_bid_is_laid_with_arrows_and_enter_alone():
    async def act(app: Any, pilot: Any) -> None:
        first, menu_ = app.visit.decision, app.query_one("#menu")
        await until(pilot, lambda: str(menu_.get_option_at_index(0).prompt).startswith("› 1"))
        await pilot.press("enter")
        await until(pilot, lambda: app.open is not None)
        cards = app.open.cards
        await pilot.press("enter", "down", "enter", "end", "enter")
        await until(pilot, lambda: app.visit.decision != first)
        assert app.visit.match.moves[0]["cards"] == [cards[0], cards[2]]  # the cursor moved on when the first was laid

    on_screen("money", (80, 24), act)


def test_on_the_full_screen_help_has_a_page_that_escape_closes_and_the_table_scrolls():
    async def act(app: Any, pilot: Any) -> None:
        table = app.query_one("#table")
        assert table.max_scroll_y > 0
        await pilot.press("ctrl+down")
        await until(pilot, lambda: table.scroll_y > 0)
        await pilot.press("?", "enter")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        assert "Arrows and Enter choose" in app.screen.text.plain
        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)
        assert app.visit.decision is not None

    on_screen("forex", (80, 24), act)
