"""Hints: what they say, to whom alone, that everybody sees that one was taken, and where there are none."""

from __future__ import annotations

import asyncio
import hashlib
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape

import outbid
from outbid.bots import BOTS, Decision, EvaluatedMove, Seat, choose
from outbid.bots.decision import Lost, WeighedMove
from outbid.bots.executor import Unready
from outbid.bots.hints import advise, advised
from outbid.bots.seat import ORDERS
from outbid.core import contract
from outbid.core.errors import BadSetup
from outbid.core.hooks.contrast import Contrast
from outbid.core.language import i18n
from outbid.core.rulebook import Rulebook
from outbid.server.domain import scene
from outbid.server.domain.advice import hints
from outbid.server.domain.people import seating
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.settings import Refused
from tests.support.browsing import DESK, MINE, PHONE, expect, fits, table
from tests.support.hints import Asked, looked, made, shown, until_asked
from tests.support.houses import own_server
from tests.support.serving import JSON, Person, at_once, sentence

pytestmark = pytest.mark.slow


def take(found: Table, seat: int = 0, decision: int | None = None) -> Any:
    """A hint for a seat."""

    async def run() -> Any:
        advice = await found.hints.take(seat, decision)
        found.driver.stop()
        return advice

    return asyncio.run(run())


# --- what it says -----------------------------------------------------------------------------------------------------


def test_a_hint_says_what_strong_advises_and_why_and_how_much_less_the_others_promise(tmp_path: Path):
    executor = Asked(looked)
    found = made(tmp_path, executor, game="rivals")
    until_asked(found)
    view = Seat.of(found.playing, 0, found.seats[0].seed)
    advice = take(found)
    assert executor.asked == ["strong"]
    assert executor.prepared[-1] == "strong"
    decision = looked(view)
    assert (advice.bot, advice.move, advice.actions) == ("strong", view.said(decision.actions), decision.actions)
    assert advice.reason == "It wins most."
    assert [(one.move, one.less) for one in advice.others] == [
        (one.text, round(100 * one.less)) for one in decision.weighed[1:4]
    ]
    now = shown(found, 0)["now"]
    assert (escape(advice.said) or f"<code>{advice.move}</code>") in now
    assert "10 % less" in now
    assert "differ here" not in now
    assert "It wins most." in now
    assert all((escape(one.said) or f"<code>{one.move}</code>") in now for one in advice.others)
    assert any(one.said for one in (advice, *advice.others))
    with i18n.locale("de"):
        assert "So gewinnt man am ehesten." in shown(found, 0)["now"]
        assert "10 % weniger" in shown(found, 0)["now"]
    assert scene.as_json(scene.live(found, 0, ""))["hint"] == scene.hint(advice).model_dump()


def test_a_move_that_is_about_as_good_is_called_that_and_where_the_judges_differ_one_sentence_says_so():
    match = outbid.game("claim").new(players=2, seed=1)
    seat = Seat.of(match, match.asked[0], 1)
    actions = looked(seat).actions

    def hint(*others: WeighedMove) -> hints.Advice:
        return advised(seat, Decision(actions, weighed=(WeighedMove("best", actions), *others)), "strong")

    clear, unsure = WeighedMove("a", (1,), 0.2, 0.02, 0.15, 0.01), WeighedMove("b", (2,), 0.03, 0.02, 0.02, 0.01)
    told = hint(clear, unsure)
    assert [one.beside for one in told.others] == ["15 % less", "about as good"]
    assert "Also considered: a (15 % less); b (about as good)" in told.lines
    assert not told.dispute
    against = hint(WeighedMove("c", (3,), 0.2, 0.02, -0.15, 0.01))
    assert [one.beside for one in against.others] == ["about as good"]
    assert against.lines[-1] == "The two judges differ here: playing on and the curve of the review do not say the same."
    with i18n.locale("de"):
        assert against.dispute.startswith("Hier gehen die beiden Urteile auseinander: ")
        assert told.others[0].beside == "15 % weniger"


def test_where_nothing_certain_differs_the_bots_own_reason_stays():
    match = outbid.game("claim").new(players=2, seed=1)
    seat = Seat.of(match, match.asked[0], 1)
    decision = replace(looked(seat), contrast=Contrast(seat.seat, 24))
    assert hints.advised(seat, replace(decision, other=decision.values[1].actions), "strong").reason == "It wins most."


def test_however_many_moves_are_told_of_few_worlds_are_dealt_for_it(book: Rulebook, monkeypatch: pytest.MonkeyPatch):
    match = outbid.game(book.id).new(players=book.players[-1], seed=1)
    moves: dict[tuple[int, ...], None] = {}
    while len(moves) < 3:
        mover = match.asked[0]
        moves = dict.fromkeys(choose(match, mover, "random", n).actions for n in range(40))
        seat = Seat.of(match, mover, 1)
        match.play_steps(mover, next(iter(moves)))
    weighed = tuple(WeighedMove("", actions) for actions in moves)
    dealt, redeal = [], contract.redeal
    monkeypatch.setattr(contract, "redeal", lambda *given: (dealt.append(given), redeal(*given)))
    assert len(advised(seat, Decision(weighed[0].actions, weighed=weighed), "strong").others) > 1
    assert 1 <= len(dealt) <= ORDERS


def test_where_nothing_was_weighed_nothing_stands_beside_the_move():
    match = outbid.game("claim").new(players=2, seed=1)
    seat = Seat.of(match, match.asked[0], 1)
    actions = looked(seat).actions
    told = hints.advised(seat, Decision(actions, {}, {}, (EvaluatedMove("pass", 0.0, 0, actions),)), "strong")
    assert (told.move, told.others) == (seat.said(actions), ())
    assert "%" not in " ".join(told.lines)


@pytest.mark.parametrize("failure", [Lost("late"), Unready("compiling"), RuntimeError("broken")])
def test_where_strong_does_not_answer_the_heuristic_gives_the_hint_and_it_says_so(tmp_path: Path, failure: Exception):
    found = made(tmp_path, Asked(lambda seat: failure))
    until_asked(found)
    own = BOTS["steady"].decide(Seat.of(found.playing, 0, found.seats[0].seed))
    advice = take(found)
    assert advice.bot == "steady"
    assert advice.reason == own.private["en"]
    assert "not ready" in shown(found, 0)["now"]
    assert found.seats[0].hints == 0  # it costs nothing


def test_as_long_as_strong_is_prepared_the_page_says_before_the_click_who_advises_and_that_it_costs_nothing(tmp_path: Path):
    executor = Asked(lambda seat: Unready("compiling"))
    executor.compiled = False
    found = made(tmp_path, executor, game="rivals")
    until_asked(found)
    assert found.hints.panel(0).stand_in == "steady"
    now = " ".join(shown(found, 0)["now"].split())
    assert "It is still being prepared. Until it is ready “steady” advises, and that is not counted as a hint." in now
    assert "everybody here sees" not in now
    assert take(found).bot == "steady"
    assert scene.as_json(scene.live(found, 1, ""))["seats"][0]["hints"] == 0
    executor.compiled, executor.answer = True, looked
    found.hints._asked.clear()
    assert found.hints.panel(0).stand_in == ""
    assert "still being prepared" not in shown(found, 0)["now"]
    assert take(found).bot == "strong"
    assert found.seats[0].hints == 1


# --- who sees what ----------------------------------------------------------------------------------------------------


def all_it_knows(seat: Seat) -> Decision:
    """A decision that gives away everything it was made of."""
    made = looked(seat)
    known = hashlib.sha256(pickle.dumps((seat.packed(), [seat.said(one.actions) for one in made.weighed]))).hexdigest()
    return replace(made, private={"en": known, "de": known})


@pytest.mark.slow(but=("rivals", "money"))
def test_a_hint_tells_nothing_but_what_its_seat_may_know(tmp_path: Path, book: Rulebook):
    found = made(tmp_path, Asked(all_it_knows), game=book.id)
    for number in range(8):
        until_asked(found)
        if found.status == "over":
            break
        truth, told = found.playing, []
        for world in range(3):
            found.match = truth.copy()
            if world:
                contract.redeal(found.match.state, 0, 10 * number + world)
            found.hints._asked.clear()
            known = take(found).reason
            seen = scene.as_json(scene.live(found, 0, ""))["hint"]
            assert seen["why"] == known
            page = shown(found, 0)["now"] if (book.folder / "table.html").exists() else known
            assert known in page
            told.append((seen, re.sub("You have taken .*?\\.", "", page)))
        assert told[0] == told[1] == told[2]
        found.match = truth
        at_once(found._play(0, BOTS["steady"].decide(Seat.of(truth, 0, 1)).actions, None, ({}, {})))


def test_nobody_else_sees_a_byte_of_a_hint_but_that_one_was_taken(tmp_path: Path):
    seen = []
    for best in range(2):
        (tmp_path / str(best)).mkdir()
        executor = Asked(partial(looked, best=best))
        found = made(tmp_path / str(best), executor, people=2, hints="on", game="rivals")
        until_asked(found)
        before = [shown(found, seat) for seat in (1, -1)]
        mine = take(found)
        after = [shown(found, seat) for seat in (1, -1)]
        for old, new in zip(before, after, strict=True):
            assert new["opponents"].count("1 hint") == 1
            assert {**new, "opponents": new["opponents"].replace('<span class="tag">1 hint</span>', "")}.keys() == old.keys()
            assert squeezed(new["opponents"].replace('<span class="tag">1 hint</span>', "")) == squeezed(old["opponents"])
            assert {name for name in old if old[name] != new[name]} == {"opponents"}
        seen.append((mine.move, [re.sub(found.id, "", str(one)) for one in after]))
    assert seen[0][0] != seen[1][0]
    assert seen[0][1] == seen[1][1]


def squeezed(html: str) -> str:
    """Without spaces between elements."""
    return re.sub(r"\s+", "", html)


def test_everybody_sees_how_many_hints_were_taken_also_after_a_restart(tmp_path: Path):
    found = made(tmp_path)
    until_asked(found)
    take(found)
    take(found)  # the same question: answered again, counted once
    assert [seat.hints for seat in found.seats] == [1, 0, 0]
    again = Tables(found.store, found.settings, Asked(looked)).get(found.id)
    for seat in (0, 1, -1):
        assert [one["hints"] for one in scene.as_json(scene.live(again, seat, ""))["seats"]] == [1, 0, 0]
    assert again.hints.panel(0) == hints.HintPanel(offered=True)  # the hint itself is kept nowhere


def test_a_hint_where_there_is_one_thing_to_do_is_not_counted(tmp_path: Path):
    found = made(tmp_path)
    match = found.playing
    counted = []
    for _ in range(60):
        until_asked(found)
        if match.over:
            break
        before = found.seats[0].hints
        take(found)
        counted.append((match.legal(0).forced, found.seats[0].hints - before))
        at_once(found._play(0, BOTS["steady"].decide(Seat.of(match, 0, 1)).actions, None, ({}, {})))
    assert {(True, 0), (False, 1)} == set(counted)


def test_at_the_next_table_nobody_has_taken_a_hint(tmp_path: Path):
    found = made(tmp_path, preset="quick")
    until_asked(found)
    take(found)
    while found.status != "over":
        seat = found.playing.asked[0]
        at_once(found._play(seat, BOTS["steady"].decide(Seat.of(found.playing, seat, 1)).actions, None, ({}, {})))
    assert "1 hint" in shown(found, -1)["stage"]  # beside the result
    following = at_once(seating.again(Tables(found.store, found.settings), found))
    assert [seat.hints for seat in following.seats] == [0, 0, 0]


# --- when -------------------------------------------------------------------------------------------------------------


def test_a_hint_is_dropped_and_not_counted_if_the_match_has_moved_on_while_it_was_thought(tmp_path: Path):
    executor = Asked(looked)
    found = made(tmp_path, executor)
    until_asked(found)

    async def run() -> None:
        executor.go.clear()
        asking = asyncio.create_task(found.hints.take(0))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert found.hints.panel(0) == hints.HintPanel(offered=True, thinking=True)
        assert found.hints.panel(1) == hints.HintPanel()
        async with found.lock:  # nobody has to wait for a hint
            at_once(found._play(0, BOTS["steady"].decide(Seat.of(found.playing, 0, 1)).actions, None, ({}, {})))
        executor.go.set()
        with pytest.raises(Refused, match="moved on"):
            await asking
        found.driver.stop()

    asyncio.run(run())
    assert [seat.hints for seat in found.seats] == [0, 0, 0]
    until_asked(found)
    assert found.hints.panel(0) == hints.HintPanel(offered=True)


def test_a_hint_stands_when_somebody_else_seals_a_bid_while_it_is_thought(tmp_path: Path):
    executor = Asked(looked)
    found = made(tmp_path, executor, game="money")
    until_asked(found)
    assert found.playing.asked == (0, 1, 2)

    async def run() -> None:
        executor.go.clear()
        asking = asyncio.create_task(found.hints.take(0))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        async with found.lock:
            at_once(found._play(1, BOTS["steady"].decide(Seat.of(found.playing, 1, 1)).actions, None, ({}, {})))
        executor.go.set()
        advice = await asking
        assert found.hints.panel(0).advice == advice
        found.driver.stop()

    asyncio.run(run())
    assert [seat.hints for seat in found.seats] == [1, 0, 0]


def test_who_asks_many_times_at_once_is_thought_about_once(tmp_path: Path):
    executor = Asked(looked)
    found = made(tmp_path, executor)
    until_asked(found)

    async def run() -> None:
        advices = await asyncio.gather(*(found.hints.take(0) for _ in range(5)))
        assert len({advice.move for advice in advices}) == 1
        found.driver.stop()

    asyncio.run(run())
    assert executor.asked == ["strong"]
    assert found.seats[0].hints == 1


def test_only_who_is_asked_may_ask_and_only_about_what_is_asked(tmp_path: Path):
    found = made(tmp_path)
    until_asked(found)
    with pytest.raises(Refused, match="You are not asked now"):
        take(found, 1)
    with pytest.raises(Refused, match="moved on"):
        take(found, 0, found.decisions[0] + 1)
    assert take(found, 0, found.decisions[0]).move
    at_once(found.substitute(0))
    with pytest.raises(Refused, match="take your seat back"):
        take(found)


@pytest.mark.parametrize(
    ("mode", "people", "on"), [("", 1, True), ("", 2, False), ("on", 2, True), ("on", 1, True), ("off", 1, False)]
)
def test_there_are_hints_where_only_one_person_plays_unless_the_owner_wants_it_otherwise(
    tmp_path: Path, mode: str, people: int, on: bool
):
    found = made(tmp_path, people=people, hints=mode)
    until_asked(found)
    assert ('id="hint"' in shown(found, 0)["now"]) == on
    if on:
        assert take(found).move
    else:
        with pytest.raises(Refused, match="There are no hints at this table"):
            take(found)


def test_somebody_for_whom_a_bot_plays_counts_as_a_person(tmp_path: Path):
    found = made(tmp_path, people=2)
    until_asked(found)
    at_once(found.substitute(1))
    with pytest.raises(Refused, match="no hints"):
        take(found)


def test_whether_there_are_hints_is_on_off_or_left_out(tmp_path: Path):
    with pytest.raises(BadSetup, match="Hints are on or off"):
        made(tmp_path, hints="maybe")


# --- at the table -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_hint_over_http_is_for_its_seat_and_the_form_says_where_there_are_any(server: str):
    ada, eve = Person(server), Person(server)
    ada.order(game="money", preset="seed", bots="steady")  # where one always has a choice
    eve.table = ada.table
    seen = ada.asked()
    said = ada.http.post(f"/t/{ada.table}/hint", data={"decision": seen["decision"]}, headers=JSON).json()["hint"]
    assert said["text"]
    assert said["lines"]
    assert ada.now()["hint"] == said
    assert eve.now()["hint"] is None
    counted = int(said["bot"] == "strong")  # what another bot says while it is prepared costs nothing
    assert [seat["hints"] for seat in eve.now()["seats"]] == [counted, 0, 0]
    assert "watching" in sentence(eve.http.post(f"/t/{ada.table}/hint", headers=JSON), 403)
    assert "whole number" in sentence(ada.http.post(f"/t/{ada.table}/hint", data={"decision": "x"}, headers=JSON), 400)
    assert 'name="hints"' in eve.http.get("/new/claim").text
    ada.order(bots="steady", hints="off")
    ada.asked()
    assert "no hints" in sentence(ada.http.post(f"/t/{ada.table}/hint", headers=JSON), 403)
    assert "on or off" in sentence(
        ada.http.post("/tables", data={"game": "claim", "players": 2, "name": "Ada", "hints": "x"}, headers=JSON), 400
    )
    for person in (ada, eve):
        person.http.close()


PLACES = """() => ["now", "opponents", "stage", "goods", "dock"].map((id) => {
  const box = document.getElementById(id).getBoundingClientRect();
  return [box.x, box.y, box.width, box.height];
})"""


@pytest.mark.browser
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.slow
def test_a_hint_opens_over_the_table_and_nothing_moves(browser, server: str, size: tuple[int, int]):
    with table(browser, server, size, game="money", preset="seed") as page:  # where one always has a choice
        page.wait_for_selector(MINE)
        before = page.evaluate(PLACES)
        page.click("#hint > summary")
        page.click("#hint button.primary")
        page.wait_for_selector("#hint .advice > p.hint")
        assert page.evaluate(PLACES) == before
        page.locator("#hint .advice").click(trial=True)  # the first-time card does not lie over it
        fits(page)
        said = page.locator("#hint").inner_text()
        assert ("You have taken 1 hint" in said) != ("This hint is not counted" in said)


@pytest.mark.browser
def test_a_hint_without_script(browser, server: str):
    with table(browser, server, PHONE, script=False) as page:
        while not page.locator(MINE).count():
            page.reload()
        page.click("#hint > summary")
        page.click("#hint button.primary")
        page.wait_for_selector("#hint .advice > p.hint")
        expect(page.locator("#hint .advice > p").first).to_contain_text("advises", use_inner_text=True)


@pytest.mark.slow
def test_a_hint_in_the_terminal():
    asked = [sys.executable, "-m", "outbid.cli", "play", "claim", "--players", "2", "--plain", "--seed", "3"]
    told = subprocess.run(asked, input="hint\nquit\n", capture_output=True, text=True, timeout=120, check=True).stdout
    assert re.search(r"The bot “(steady|strong)” (advises:|would wait)", told)


@pytest.mark.slow
def test_a_hint_is_asked_for_from_another_terminal(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    ada = Person(server)
    link = ada.order(game="money", preset="seed", bots="steady")  # where one always has a choice
    ada.asked()
    asked = [sys.executable, "-m", "outbid.cli", "join", f"{server}{link}", "--plain"]
    told = subprocess.run(asked, input="hint\nquit\n", capture_output=True, text=True, timeout=120, check=True).stdout
    adviser = re.search(r"The bot “(steady|strong)” (?:advises:|would wait)", told)
    assert adviser
    assert ada.now()["seats"][0]["hints"] == int(adviser[1] == "strong")
    ada.http.close()


def test_the_adviser_asked_here_is_strong_or_says_that_it_is_not():
    match = outbid.game("kuhhandel").new(players=3, seed=4)
    match.play(match.asked[0], "auction")  # now there is a choice
    advice = advise(Seat.of(match, match.asked[0], 9))
    assert advice.move
    assert (advice.bot == "strong") == bool(advice.others)


server = own_server()  # its bots think at once


def test_a_hint_says_in_words_what_one_would_do_unless_that_is_not_certain():
    """Of an auction nobody can say beforehand which animal comes."""
    match = outbid.game("kuhhandel").new(3, seed=3)
    auction = Seat.of(match, match.asked[0], 1)
    assert advised(auction, choose(match, auction.seat, "steady", 1), "steady").said == "You auction the top card."
    match.play(auction.seat, "auction")
    bidder = Seat.of(match, match.asked[0], 1)
    hint = advised(bidder, Decision(bidder.whole(lambda seen, _number: first_bid(seen, bidder.seat))), "steady")
    assert hint.said == "You bid 10."
    with i18n.locale("de"):
        assert hint.said == "Du bietest 10."


def first_bid(state, seat):
    """The lowest action id above passing."""
    out = [0] * 200
    return sorted(out[: contract.legal(state, seat, out)])[1]
