"""How many taps a whole match takes, counted on the pages of a seat that plays as the heuristic does, and how long the bots
take at the usual pace, summed from the pacing code and not waited for."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from outbid.bots import choose
from outbid.core.rulebook import rulebook
from outbid.server.domain import scene
from outbid.server.domain.setup import Order
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.domain.timing import pacing
from outbid.server.settings import Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.web import pages
from tests.support import browsing
from tests.support.gallery import SHOWS, gallery
from tests.support.serving import at_once

FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
FIELD = re.compile(r"""<(button|input)\b[^>]*?\bname="move"[^>]*?\bvalue='([^']*)'(?: data-choice( checked))?""")
PART = re.compile(r'type="radio" name="(?:int|str):(\w+)"')
TICKED = re.compile(r'name="cards:([^"]+)"[^>]*? checked ')
GOALS = {"kuhhandel": (4, 130), "rivals": (4, 60), "money": (3, 25), "claim": (4, 15), "forex": (3, 100)}  # players, taps
RATIO = {"claim": 1.1, "forex": 2.2, "kuhhandel": 1.1, "rivals": 1.1, "money": 1.2}  # taps a decision
TYPED = 2  # a number that is typed, as taps
SLID = 1  # a slider that is moved
MINUTES = 3  # of waiting, holds included
HELD, LONGEST = 2.0, 2.5  # seconds for which a page shows what concerns its player, and a card with two sums (outcome.js)


def taps(html: str, move: dict[str, Any]) -> int:
    """Taps that make a move on a page: on a thing or a button, with what has to be opened, chosen and confirmed before. What
    is the only possible move is made by the page itself."""
    if "data-only" in html:
        return 0
    kind = move.get("in", [move.get("currency")])[0]
    opener, form = f'data-open="act-{move["do"]}" data-kind="{kind}"', f'id="act-{move["do"]}"'
    if opener in html and form in html:  # a tap on a certificate opens its form, and chooses it there
        return 1 + (max(len(move.get("in", ())), move.get("count", 1)) > 1) + 1
    acts = re.findall(r"<details class=\"act.*?</details>", html, re.DOTALL)
    for form in FORM.findall(html):
        opened = any(form in act for act in acts)
        for kind, value, chosen in FIELD.findall(form):
            if json.loads(unescape(value)) == move:
                raised = "data-raises" in form  # a bill with an icon: a first tap says what it would do
                return opened + raised + (2 if kind == "input" and not chosen else 1)
    for kind, value, chosen in FIELD.findall(html):  # a card on the stage that is chosen for a form of the bar
        if json.loads(unescape(value)) == move:
            return 2 if kind == "input" and not chosen else 1
    do = move["do"]
    if "cards" in move:
        assert f'name="do" value="{do}"' in html
        ticked = Counter(TICKED.findall(html))
        each = sum(laying(html, card, move["cards"].count(card) - ticked[card]) for card in {*move["cards"], *ticked}) + 1
        notes = [card for card in move["cards"] if card]
        if "data-lays" in html and notes == made_of(html, sum(notes)):
            zeros = move["cards"].count(0)
            return min(each, TYPED + (laying(html, 0, zeros) if zeros else 0) + 1)
        return each
    if do == "bid":
        assert 'id="act-bid-other"' in html
        return 1 + TYPED + 1
    assert f'id="act-{do}"' in html, (do, move)
    for form in FORM.findall(html):  # several things are chosen, each with a tap
        parts = {*PART.findall(form)}
        if do == "icon" and parts and parts < move.keys():
            return any(form in act for act in acts) + len(parts) + 1
    return {"contract": 4, "spot": 4, "invest": 2 + max(2, len(move.get("in", ()))), "divest": 3}[do]


def made_of(html: str, total: int) -> list[int]:
    """What a typed sum lays: the largest notes that make it."""
    held = re.findall(r'name="cards:(\d+)" data-value="\d+" min="0" max="(\d+)"', html)

    def ways(notes: list[tuple[int, int]], rest: int) -> list[int] | None:
        if not notes or not rest:
            return None if rest else []
        value, most = notes[0]
        for n in range(min(most, rest // value), -1, -1):
            found = ways(notes[1:], rest - n * value)
            if found is not None:
                return [value] * n + found
        return None

    return ways(sorted(((int(value), int(most)) for value, most in held if int(value)), reverse=True), total) or []


def laying(html: str, card: Any, n: int) -> int:
    """Taps that lay so many more of a card: one each, or all of them and some back."""
    note = re.search(rf'<div class="denomination" data-value="{card}">(.*?)</div>', html, re.DOTALL)
    every = note and re.search(r'class="button live every" data-step="(\d+)"', note[1])
    return min(n, 1 + int(every[1]) - n) if every else abs(n)


@pytest.mark.parametrize("icon", ["vault", "audit"])
@pytest.mark.slow
def test_an_icon_of_claim_with_a_target_takes_a_tap_for_each_part_of_it(tmp_path: Path, icon: str):
    show = next(show for show in SHOWS if show.more == "with all expansions")
    piece = next(piece for piece in gallery(show) if piece.phase == f"icon/{icon}")
    link = browsing.begun(tmp_path / "t.db", piece.match)[piece.seat]
    settings = Settings(url_of(str(tmp_path / "t.db")))
    seen = scene.live(Tables(Store(settings.database), settings).get(link.split("/")[2]), piece.seat, "")
    html = "".join(pages.region(seen, name) for name in ("stage", "goods", "dock"))
    moves = [choice.move for choice in piece.match.legal(piece.seat).choices if choice.move["do"] == "icon"]
    assert {taps(html, move) for move in moves} == {4}  # it is opened, two things are chosen, and it is confirmed


def table_of(folder: Path, game: str, players: int, seed: int, **more: Any) -> Table:
    """A table of people who all play as the heuristic does."""
    settings = Settings(url_of(str(folder / f"{seed}.db")))
    table, _ = at_once(Tables(Store(settings.database), settings).create(Order(game, players, "Ada", seed=seed, **more)))
    for n in range(players - 1):
        at_once(table.join(f"Ben{n}"))
    return table


def ordered(answers: list[tuple[dict[str, Any], int, str]]) -> int:
    """Taps for all answers in one auction: (move, taps, the automatic moves that the page offered). Who only passes from
    some point on says so once; who gives the highest bid beforehand, now or later, opens that and taps it, or moves the
    slider to it and says so."""
    each = sum(n for _, n, _ in answers)
    if not answers[0][2]:
        return each
    last = max((n for n, (move, _, _) in enumerate(answers) if move["do"] == "bid"), default=-1)
    ways = [each, sum(n for _, n, _ in answers[: last + 1]) + (last + 1 < len(answers))]
    for begun in range(last + 1):
        shown = f'name="amount" value="{answers[last][0]["amount"]}"' in answers[begun][2]
        ways.append(sum(n for _, n, _ in answers[:begun]) + (2 if shown else 1 + SLID + 1))
    return min(ways)


async def played(table: Table) -> tuple[int, int, float]:
    """Taps of the first seat, the decisions they make (not what the page does by itself), and the seconds that it waits for
    the others, if they are bots, and for what it is shown: they go on meanwhile, and their news waits on its page."""
    made, decisions, seconds = 0, 0, 0.0
    now, free = 0.0, 0.0  # since its last answer, and when its page has shown all
    auctions: dict[Any, list[tuple[dict[str, Any], int, str]]] = {}
    low, high = pacing.PACES["normal"]
    while not table.playing.over:
        match = table.playing
        seat = 0 if 0 in match.asked else match.asked[0]
        if seat == 0:
            seen = scene.live(table, 0, "")
            html = "".join(pages.region(seen, name) for name in ("stage", "goods", "dock"))
            orders = pages.region(seen, "orders")
            orders = orders if "Out for this animal" in orders else ""
            auction = (match.state.drawn, match.state.excluded) if orders else None
            decisions += "data-only" not in html
        before = match.moves[-1] if match.moves else {"do": "", "seat": 0}
        lines = len(match.log(0))
        await table.act(len(match.moves), seat, choose(match, seat, "steady", len(match.moves)).actions)
        if seat == 0:
            seconds, now, free = seconds + max(now, free), 0.0, 0.0
        else:
            delay = (low + high) / 2 * pacing.part("normal", before["do"], bool(before["seat"]))
            passes = table.playing.moves[-1]["do"] == "pass"
            now += min(delay, sum(pacing.PASSING) / 2) if passes else delay
        seen = scene.live(table, 0, "")
        cards = [told.outcome for told in seen.log[lines:] if told.outcome and seen.concerns(told)]
        if cards:
            sums = [side.sum for side in cards[0].sides if side.sum and not cards[0].in_place]
            free = max(now, free) + (LONGEST if len(sums) > 1 else HELD)
        if seat == 0:
            move = {key: value for key, value in table.playing.moves[-1].items() if key != "seat"}
            if auction:
                auctions.setdefault(auction, []).append((move, taps(html, move), orders))
            else:
                made += taps(html, move)
    return made + sum(map(ordered, auctions.values())), decisions, seconds + max(now, free)


@pytest.mark.deep
@pytest.mark.parametrize("game", GOALS)
def test_a_match_takes_few_taps_and_three_minutes_of_waiting(tmp_path: Path, game: str):
    players, most = GOALS[game]
    found = [asyncio.run(played(table_of(tmp_path, game, players, seed))) for seed in range(4)]
    made, decisions = sum(taps for taps, _, _ in found), sum(answers for _, answers, _ in found)
    assert made / len(found) <= most, found
    assert made / decisions <= RATIO.get(game, made), found
    assert max(seconds for _, _, seconds in found) <= MINUTES * 60, found


@pytest.mark.deep
@pytest.mark.parametrize("players", [2, 3])
def test_with_fewer_players_more_is_taken_in_rivals_but_by_as_few_taps(tmp_path: Path, players: int):
    found = [asyncio.run(played(table_of(tmp_path, "rivals", players, seed))) for seed in range(4)]
    made, decisions = sum(taps for taps, _, _ in found), sum(answers for _, answers, _ in found)
    assert made <= RATIO["rivals"] * decisions, found


@pytest.mark.deep
def test_with_all_expansions_claim_takes_little_more(tmp_path: Path):
    """A bill with an icon is raised before it is played, one that may go to several places asks for it."""
    options = rulebook("claim").preset("everything")
    found = [asyncio.run(played(table_of(tmp_path, "claim", 4, seed, options=options))) for seed in range(8)]
    assert sum(taps for taps, _, _ in found) <= 1.2 * sum(decisions for _, decisions, _ in found), found


@pytest.mark.slow
def test_a_first_few_moves_are_counted_in_every_game(tmp_path: Path):
    """What is counted above can be counted: each move of the heuristic is on the page."""

    async def begun(game: str) -> int:
        table, made = table_of(tmp_path, game, GOALS[game][0], 7), 0
        while len(table.playing.moves) < 30 and not table.playing.over:
            match = table.playing
            seat = match.asked[0]
            html = "".join(pages.region(scene.live(table, seat, ""), name) for name in ("stage", "goods", "dock"))
            await table.act(len(match.moves), seat, choose(match, seat, "steady", len(match.moves)).actions)
            move = {key: value for key, value in table.playing.moves[-1].items() if key != "seat"}
            made += taps(html, move)
        return made

    for game in ("kuhhandel", "claim"):
        (tmp_path / "7.db").unlink(missing_ok=True)
        assert 20 <= asyncio.run(begun(game)) < 75
