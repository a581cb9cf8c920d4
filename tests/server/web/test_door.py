"""The front door: the front page, a match at one tap, the set-up sheet, the waiting room, the app."""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from outbid.bots import bot
from outbid.core.hooks.offer import NOTHING, SHEET, WEIGHTS, Offer, offer_of
from outbid.core.language import i18n
from outbid.core.rulebook import Rulebook, rulebook, rulebooks
from outbid.server.domain.contests import daily
from outbid.server.domain.scene import faces
from outbid.server.web import icons, pages, pictures
from outbid.server.web.pictures import faces_of, picture
from outbid.server.web.screens.new import sheet as setup_sheet
from tests.support.browsing import DESK, PHONE, expect, fits, visitor
from tests.support.houses import newcomer
from tests.support.serving import JSON, SHORT, Person, get, people, play_out, sentence

OURS = [book.id for book in rulebooks().values() if daily.ours(book)]


ada = newcomer()


# --- how games are offered ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", OURS)
def test_a_game_offers_what_it_has(game: str):
    book = rulebook(game)
    offer = offer_of(book)
    options = {o.name: o for o in book.options}
    assert offer.sentence.endswith(".")
    assert 1 <= offer.weight <= WEIGHTS
    assert re.fullmatch("#[0-9a-f]{6}", offer.hue)
    low, high = offer.minutes or (0, 0)
    assert 0 < low < high
    assert {one.face for one in offer.picture} <= faces(book).keys()
    assert all(0 <= one.x <= SHEET[0] and 0 <= one.y <= SHEET[1] for one in offer.picture)
    assert offer.presets.keys() == book.presets.keys()
    assert all(options[name].default is False for name in offer.switches)
    assert all(switch.faces and set(switch.faces) <= faces(book).keys() for switch in offer.switches.values())
    for company in (offer.company, offer.rivals):
        assert book.players[0] <= len(company) + 1 <= book.players[1]
        assert all(bot(name, book) for name in company)


def test_a_picture_needs_no_more_than_the_faces_that_are_put_on_its_page(book: Rulebook):
    drawn = picture(book)
    used = set(re.findall(r'<use href="#([^"]+)"', drawn))
    assert used == {face.key for face in faces_of(book, switches=False)}
    assert len(used) >= 4 or not faces(book)
    assert 'aria-hidden="true"' in drawn


def test_a_game_that_says_nothing_shows_some_of_its_faces_and_one_without_faces_its_initial(monkeypatch: Any):
    book = rulebook("kuhhandel")
    monkeypatch.setattr(pictures, "offer_of", lambda _book: NOTHING)
    pictures._picture.cache_clear()
    shown = re.findall(r'<use href="#([^"]+)"', picture(book))
    assert len(shown) == pictures.SAMPLE
    monkeypatch.setattr(pictures, "faces", lambda _book: {})
    pictures._picture.cache_clear()
    assert ">K</text>" in picture(book)
    pictures._picture.cache_clear()


def test_what_is_not_an_offer_is_none(monkeypatch: Any):
    book = rulebook("kuhhandel")
    monkeypatch.setattr(Rulebook, "submodule", lambda _self, _name: type("Module", (), {"OFFER": "cheap"}))
    assert offer_of(book) == Offer()


# --- the front page -----------------------------------------------------------------------------------------------------


def test_every_game_is_played_at_one_tap_learned_and_set_up(ada: Person):
    page = ada.http.get("/").text
    for game in OURS:
        assert f'name="game" value="{game}"' in page
        assert f'href="/new/{game}"' in page
        assert f'href="/learn/{game}"' in page or f'href="/rules/{game}"' in page
        made = ada.http.post("/play", data={"game": game, "name": ""}, headers=JSON)
        assert made.status_code == 201
        ada.table = made.json()["table"]
        seen = ada.now()
        assert seen["table"]["status"] == "playing"
        assert (seen["table"]["game"], seen["table"]["options"]) == (game, {})
        assert [seat["kind"] for seat in seen["seats"]] == ["human", *["bot"] * (len(seen["seats"]) - 1)]
        assert seen["seats"][0]["name"] == "Guest"
    assert "data-nickname" not in page, "nobody is asked for a nickname before it is needed"
    assert 'name="text"' not in page, "records are sent on a page of their own"
    assert 'action="/records"' in ada.http.get("/records").text


@pytest.mark.parametrize("game", OURS)
def test_a_waiting_room_for_friends_is_made_at_one_tap(ada: Person, game: str):
    page = ada.http.get("/").text
    assert page.index(f'name="friends" value="{game}"') < page.index(f'aria-labelledby="{game}"')
    made = ada.http.post("/play", data={"friends": game, "name": "Ada"}, headers=JSON)
    assert made.status_code == 201
    ada.table = made.json()["table"]
    room = ada.http.get(f"/t/{ada.table}").text
    assert f"/t/{ada.table}/start" in room, "it waits, and bots can take the empty seats"
    low, high = rulebook(game).players
    started = ada.http.post(f"/t/{ada.table}/start", data={"bot": "steady"}, headers=JSON)
    assert started.status_code == 200
    assert ada.now()["table"]["status"] == "playing"
    seats = ada.now()["seats"]
    assert low <= len(seats) <= high
    assert [seat["kind"] for seat in seats] == ["human", *["bot"] * (len(seats) - 1)]


def test_a_table_is_for_friends_or_against_bots(ada: Person):
    both = ada.http.post("/play", data={"friends": "claim", "game": "claim"}, headers=JSON)
    assert "not both" in sentence(both, 400)
    assert ada.http.post("/play", data={"friends": "chess"}, headers=JSON).status_code == 404
    refused = ada.http.post("/play", data={"friends": "claim", "name": "steady"})
    assert refused.status_code == 400
    assert 'id="nickname-error"' in refused.text


def test_enter_in_the_field_of_the_name_plays_the_first_game_at_once(browser: Any, server: str):
    with visitor(browser) as page:
        page.context.add_cookies([{"name": "nickname", "value": "Adalbert", "url": server}])
        page.goto(server)
        page.get_by_text("You play as Adalbert.").click()
        page.get_by_label("Your nickname").fill("Ada")
        page.keyboard.press("Enter")
        page.wait_for_url("**/t/*")
        expect(page.locator("#stage")).to_have_count(1)


def test_the_front_page_has_two_games_a_row_on_a_phone(browser: Any, server: str):
    with visitor(browser, PHONE) as page:
        page.goto(server)
        fits(page)
        tops = [tile.bounding_box()["y"] for tile in page.locator(".tile").all()]
        assert tops[0] == tops[1] < tops[2] == tops[3]
        assert page.locator("#friends").bounding_box()["y"] < PHONE[1] / 2


def test_a_name_that_cannot_be_is_marked_at_its_field_and_kept(ada: Person):
    refused = ada.http.post("/play", data={"game": "claim", "name": "steady"})
    assert refused.status_code == 400
    field = re.search(r'<input id="nickname"[^>]*>', refused.text)
    assert field
    assert 'value="steady"' in field[0]
    assert 'aria-invalid="true" aria-describedby="nickname-error"' in field[0]
    assert re.search(r'<span class="error" id="nickname-error">[A-Z][^<]+\.</span>', refused.text)
    assert "steady" in sentence(ada.http.post("/play", data={"game": "claim", "name": "steady"}, headers=JSON), 400)
    assert ada.http.post("/play", data={"game": "chess"}, headers=JSON).status_code == 404
    assert ada.http.get("/mine", headers=JSON).json()["tables"] == []


def test_the_tables_where_somebody_is_asked_come_first_and_are_counted(server: str):
    with people(server) as (ada, ben):
        ada.order(bots="open,random", preset="seed", **{"option:fixed_start": "true"})
        waiting = ada.table
        ada.order(bots="open,random", preset="seed", **{"option:fixed_start": "true"})
        assert '<h2 id="turn">' not in ada.http.get("/").text
        assert ada.http.get("/mine").json()["turn"] == 0
        ben.join(ada.table, "Ben")
        page = ada.http.get("/").text
        assert '<h2 id="turn">Your turn <span class="count">1</span></h2>' in page
        assert page.index(f"/t/{ada.table}") < page.index(f"/t/{waiting}")
        assert 'data-turn="1"' in page
        said = {one["id"]: one["yours"] for one in ada.http.get("/mine").json()["tables"]}
        assert said == {ada.table: True, waiting: False}
        assert ben.http.get("/mine").json()["turn"] == 0


@pytest.mark.browser
def test_a_match_that_is_over_has_its_day_and_its_record_says_under_which_name_it_is_saved(server: str, browser: Any):
    with people(server, 1) as (ada,):
        ada.order(pace="instant", **SHORT)
        assert ada.http.get("/mine").json()["tables"][0]["ended"] is None
        play_out(ada)
        (table,) = ada.http.get("/mine").json()["tables"]
        ended = datetime.fromisoformat(table["ended"])
        for zone in ("Pacific/Kiritimati", "Etc/GMT+12"):  # of these two one has another day
            with visitor(browser, PHONE, locale="de-DE", timezone_id=zone) as page:
                cookies = [{"name": c.name, "value": c.value or "", "url": server} for c in ada.http.cookies.jar]
                page.context.add_cookies(cookies)
                page.goto(server)
                expect(page.locator("#mine time")).to_have_text(f"{ended.astimezone(ZoneInfo(zone)):%d.%m.%Y}")
                page.goto(f"{server}/t/{ada.table}")
                with page.expect_download() as saved:
                    page.get_by_role("link", name="Partie speichern").click()
                expect(page.locator("#toast")).to_have_text(f"Gespeichert als {saved.value.suggested_filename}.")


def test_to_look_at_the_front_page_is_not_to_be_at_the_table(server: str):
    with people(server, 1) as (ada,):
        ada.order(bots="open,random")
        ada.http.get("/")
        assert ada.http.get(f"/t/{ada.table}/here").json() == {"here": [False, False, False]}


@pytest.mark.parametrize(("file", "status"), [("table.js", 200), ("table.css", 200), ("routes.py", 404), ("help.html", 404)])
def test_of_a_screen_only_its_scripts_and_styles_are_served(server: str, file: str, status: int):
    assert get(f"{server}/static/table/{file}").status_code == status


def test_the_nickname_that_was_typed_last_goes_before_that_of_the_newest_table(ada: Person):
    ada.order(name="Old Name", bots="random")
    assert 'value="Old Name"' in ada.http.get("/").text
    ada.http.cookies.set("nickname", "%22%3E%20Zo%C3%AB%20" + "x" * 80)
    for page in ("/", "/new/claim", "/daily"):
        assert f'value="&#34;&gt; Zoë {"x" * 17}"' in ada.http.get(page).text, page


def test_a_game_with_lessons_is_learned_where_the_server_teaches(monkeypatch: Any, tmp_path: Any):
    book = rulebook("claim")
    monkeypatch.setitem(vars(book), "folder", tmp_path)
    assert pages.tile(book)["learn"] == ""
    (tmp_path / "lessons.toml").write_text("")
    assert pages.tile(book)["learn"] == "/learn/claim"


def test_equals_share_a_place_in_the_results():
    seats = [SimpleNamespace(index=seat) for seat in range(5)]
    table = SimpleNamespace(seats=seats, scores=[4, 9, 4, 9, 1], winners=[3])  # seat 3 won the tie
    assert [(place, seat.index) for place, seat in pages._ranked(table)] == [(1, 3), (2, 1), (3, 0), (3, 2), (5, 4)]


# --- the set-up sheet ---------------------------------------------------------------------------------------------------

WHOLE = {"name": "Ada", "players": "4", "bots": "steady", "preset": "seed", "shown": "seed"}


def filled(game: str = "claim", **fields: str) -> setup_sheet.Sheet:
    """A sheet that was filled in."""
    said = {**WHOLE, **{name.replace("__", ":"): value for name, value in fields.items()}}
    return setup_sheet.read(rulebook(game), list(said.items()), 24)


def test_a_sheet_makes_the_order_that_it_says():
    sheet = filled(
        players="5", bots="easy", character="hasty", bot__2="open", bot__3="strong", character__3="bully", clock="180+15",
        pace="slow", listed="true", starts="host", hints="on", option__goal="12", option__wild_wagers="true",
    )  # fmt: skip
    assert (sheet.errors, sheet.refused) == ({}, "")
    order = sheet.order
    assert order
    assert list(order.bots) == ["easy:hasty", "open", "strong:bully", "easy:hasty"]
    assert (order.players, order.clock, order.pace, order.listed) == (5, "180+15", "slow", True)
    assert (order.starts, order.hints) == ("host", "on")
    assert order.options == {"goal": 12, "wild_wagers": True}
    assert filled(clock="3d", own_clock="90+7").order.clock == "90+7"  # type: ignore[union-attr]


def test_a_mixed_company_has_a_character_each_and_no_other_strength():
    bots = filled(players="4", bots="steady", character="mixed").order.bots  # type: ignore[union-attr]
    assert {name.partition(":")[0] for name in bots} == {"steady"}
    assert {name.partition(":")[2] for name in bots} == {"hasty", "patient", "bully"}
    assert filled(bots="random", character="mixed").order.bots == ["random"] * 3  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("fields", "options"),
    [
        ({}, {}),
        ({"option__wild_wagers": "true"}, {"wild_wagers": True}),
        ({"preset": "everything"}, {}),  # chosen without script: the boxes were drawn for the given rules
        ({"preset": "everything", "shown": "everything"}, dict.fromkeys(offer_of(rulebook("claim")).switches, False)),
        ({"preset": "everything", "shown": "everything", "option__zero_risk": "true"},
         dict.fromkeys(["wild_wagers", "bad_investment", "action_fund", "shopping_spree"], False)),
        ({"preset": "everything", "option__zero_risk": "true"}, {"zero_risk": True}),
        ({"preset": "seed", "shown": "everything", "option__zero_risk": "true"},
         dict.fromkeys(["wild_wagers", "bad_investment", "action_fund", "shopping_spree"], False)),
    ],
)  # fmt: skip
def test_a_switch_says_something_only_where_it_was_moved(fields: dict[str, str], options: dict[str, bool]):
    sheet = filled(**fields)
    assert sheet.order
    assert sheet.order.options == options


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"name": "y" * 65}, "name", "nickname"),
        ({"name": "steady"}, "name", "steady"),
        ({"players": "9"}, "players", "Claim is for 2 to 6 players"),
        ({"players": "x"}, "players", "whole number"),
        ({"bots": "clever"}, "bots", "no bot 'clever'"),
        ({"bots": "random", "character": "hasty"}, "character", "“random” has no characters"),
        ({"character": "farmer"}, "character", "farmer"),
        ({"bot__5": "easy"}, "bot:5", "no seat 6"),
        ({"own_clock": "soon"}, "own_clock", "clock"),
        ({"clock": "5"}, "clock", "clock"),
        ({"pace": "warp"}, "pace", "warp"),
        ({"hints": "x"}, "hints", "on or off"),
        ({"starts": "never"}, "starts", "full"),
        ({"preset": "none"}, "preset", "none"),
        ({"option__goal": "0"}, "option:goal", "“Goal” cannot be “0”: it must be a whole number from 1 up."),
        ({"option__full_threshold": "many"}, "option:full_threshold", "“Full from” cannot be “many”"),
        ({"option__two_players": "three"}, "option:two_players", "it must be “as printed” or “duel”"),
        ({"option__copies": "1,2"}, "option:copies", "“Bills of each number” cannot be “1,2”: it must be a list of 6"),
    ],
    ids=str,
)
def test_what_is_wrong_stands_at_its_field_names_its_title_and_loses_nothing(fields: dict[str, str], field: str, words: str):
    sheet = filled(**fields)
    assert sheet.order is None
    assert list(sheet.errors) == [field]
    assert words in sheet.errors[field]
    assert sheet.errors[field].endswith(".")
    typed = {name.replace("__", ":"): value for name, value in fields.items()}
    assert {name: sheet.values[name] for name in typed} == typed


def test_who_gives_no_name_is_a_guest_as_with_play_now():
    sheet = filled(name=" ")
    assert sheet.order
    assert sheet.order.name == "Guest"
    with i18n.locale("de"):
        assert filled(name="").order == replace(sheet.order, name="Gast")


def test_several_fields_are_marked_at_once():
    sheet = filled(name="y" * 65, players="x", option__goal="0", pace="warp")
    assert set(sheet.errors) == {"name", "players", "option:goal", "pace"}


def test_what_only_the_whole_can_be_is_said_of_the_whole_by_titles():
    sheet = filled(option__copies="0,0,0,0,0,0")
    assert sheet.errors == {}
    assert sheet.refused == "There are 0 bills for 4 players: raise “Bills of each number”."


def test_a_sheet_makes_a_table_or_comes_back_with_everything_that_was_typed(ada: Person):
    fields = {**WHOLE, "option:zero_risk": "true", "option:goal": "12", "character": "hasty", "players": "3"}
    wrong = ada.http.post("/new/claim", data={**fields, "option:zeros": "999", "name": 'A"da'})
    assert wrong.status_code == 400
    page = wrong.text
    assert re.findall(r'name="([^"]+)"[^>]*aria-invalid="true"', page) == ["option:zeros"]
    assert 'id="option:zeros-error">“Number of zeros” cannot be “999”' in page
    assert 'name="option:goal" type="number" min="1" step="1" placeholder="10" value="12"' in page
    assert "instead of 10" in page
    assert 'value="A&#34;da"' in page
    assert re.search(r'name="option:zero_risk" value="true" checked', page)
    assert '<option value="hasty" selected>' in page
    assert '<option value="3" selected>' in page
    said = ada.http.post("/new/claim", data={**fields, "option:zeros": "999"}, headers=JSON)
    assert (said.status_code, list(said.json()["fields"])) == (400, ["option:zeros"])
    assert ada.http.post("/new/claim", data={**fields, "luck": "1"}, headers=JSON).status_code == 400
    assert ada.http.post("/new/chess", data=fields, headers=JSON).status_code == 404
    made = ada.http.post("/new/claim", data=fields, headers=JSON)
    assert made.status_code == 201
    ada.table = made.json()["table"]
    assert ada.now()["table"]["options"] == {"zero_risk": True, "goal": 12}
    assert ada.http.get(f"/t/{ada.table}").text.count("bot, hasty") >= 2


def test_a_sheet_can_be_sent_filled_in_as_a_link(ada: Person):
    page = ada.http.get("/new/claim?preset=duel&players=2&option:goal=7&bots=strong").text
    assert re.search(r'name="preset" value="duel" data-players="2" checked', page)
    assert '<option value="2" selected>' in page
    assert 'value="7"' in page
    assert re.search(r'name="bots" value="strong" checked', page)
    assert "duel (unchanged)" in page
    assert ada.http.get("/new/claim?luck=1").status_code == 400


def test_a_kept_name_of_somebody_else_is_marked_too(server: str):
    with people(server) as (ada, ben):
        kept = {"name": "Sheet Keeper", "password": "correct horse"}
        assert ada.http.post("/name/keep", data=kept, headers=JSON).status_code == 200
        page = ben.http.post("/new/claim", data={**WHOLE, "name": "Sheet Keeper"})
        assert page.status_code == 400
        assert re.findall(r'name="([^"]+)"[^>]*aria-invalid="true"', page.text) == ["name"]


@pytest.mark.browser
def test_without_script_a_sheet_is_corrected_and_played(browser: Any, server: str):
    with visitor(browser, PHONE, script=False, quiet=False) as page:
        page.goto(f"{server}/new/claim")
        page.locator("#name").fill("Ada")
        page.get_by_text("Which rules").first.click()
        page.locator("input[name=preset][value=everything]").check()
        page.get_by_text("Options", exact=True).click()
        page.locator("#claim-goal").fill("0")
        page.get_by_role("button", name="Make the table").click()
        assert page.locator("[aria-invalid=true]").get_attribute("id") == "claim-goal"
        expect(page.locator("#claim-goal"), "what holds it is open").to_be_visible()
        expect(page.locator(".switch input:checked"), "as the chosen rules have it").to_have_count(5)
        fits(page)
        page.locator("#claim-goal").fill("12")
        page.get_by_role("button", name="Make the table").click()
        seen = page.context.request.get(page.url, headers=JSON).json()
        assert seen["table"]["options"] == {**dict.fromkeys(offer_of(rulebook("claim")).switches, True), "goal": 12}


@pytest.mark.browser
def test_a_sheet_marks_at_once_what_is_wrong_and_what_differs_from_the_rules(browser: Any, server: str):
    with visitor(browser, DESK) as page:
        page.goto(f"{server}/new/claim")
        page.locator("#name").fill("Zoë")
        page.locator("#name").blur()
        page.reload()
        assert page.locator("#name").input_value() == "Zoë", "the browser keeps it"
        for line in ("Which rules", "Add to the game"):
            page.get_by_text(line).first.click()
        page.locator("input[name=preset][value=everything]").check()  # also before the script has come
        page.wait_for_function("() => document.querySelectorAll('.switch input:checked').length == 5")
        page.locator("#claim-zero_risk").uncheck()
        page.locator("input[name=preset][value=duel]").check()
        assert page.locator("#players").input_value() == "2"
        expect(page.locator(".switch input:checked")).to_have_count(0)
        page.get_by_text("Options", exact=True).click()
        expect(page.locator("#claim-two_players option").first).to_have_text("duel (unchanged)", use_inner_text=True)
        page.locator("#claim-goal").fill("0")
        error = page.locator('[id="option:goal-error"]')
        error.wait_for()
        assert error.inner_text().endswith("“Goal” cannot be “0”: it must be a whole number from 1 up.")
        assert page.locator("#claim-goal").get_attribute("aria-invalid") == "true"
        assert page.locator("#name").get_attribute("aria-invalid") is None
        page.locator("#claim-goal").fill("8")
        error.wait_for(state="hidden")
        expect(page.locator(".field:has(#claim-goal) .instead")).to_have_text("instead of 10", use_inner_text=True)
        expect(page.locator("[data-changes]")).to_have_text("Changed: 1", use_inner_text=True)
        assert page.evaluate("document.activeElement.id") == "claim-goal"


# --- the waiting room ---------------------------------------------------------------------------------------------------


@pytest.mark.browser
def test_the_waiting_room_shares_its_link_says_who_is_there_and_keeps_what_is_half_typed(browser: Any, server: str):
    with visitor(browser, PHONE) as page, people(server, 1) as (ben,):
        page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server)
        form = {"game": "kuhhandel", "players": "4", "name": "Ada", "bots": "open"}
        made = page.context.request.post(f"{server}/tables", form=form, max_redirects=0)
        page.goto(server + made.headers["location"])
        share = page.locator("[data-share]")
        share.click()
        page.wait_for_function("() => document.querySelector('[data-share]').textContent === 'Link copied.'")
        assert page.evaluate("navigator.clipboard.readText()") == page.locator("#invite").input_value()
        page.locator("#say").fill("half a sen")
        ben.join(made.headers["location"].rpartition("/")[2], "Ben")
        ben.now()
        page.wait_for_selector("[data-there].on")
        expect(page.locator("[data-there]")).to_have_text("is here", use_inner_text=True)
        page.wait_for_function("() => document.querySelector('#say').value === 'half a sen'")
        page.locator("#say").press("Enter")
        page.wait_for_function("() => document.querySelector('.lines')?.textContent.includes('half a sen')")
        assert page.locator("#say").input_value() == ""
        here = page.context.request.get(f"{page.url.partition('#')[0]}/here").json()["here"]
        assert here == [True, True, False, False]
        page.route("**/here", lambda route: route.fulfill(json={"here": [True, False, False, False]}))
        page.reload()
        page.wait_for_selector("[data-there]:not(.on)")
        expect(page.locator("[data-there]")).to_have_text("is away just now", use_inner_text=True)


def test_the_waiting_room_says_that_a_match_with_a_stand_in_may_go_unrated(ada: Person):
    kept = {"name": "Waiting Climber", "password": "correct horse"}
    assert ada.http.post("/name/keep", data=kept, headers=JSON).status_code == 200
    assert ada.http.post("/name/ladder", data={"on": "true"}, headers=JSON).status_code == 200
    ada.order(name="Waiting Climber", bots="open,steady", preset="seed")
    assert "the match may go unrated" in ada.http.get(f"/t/{ada.table}").text
    ada.order(name="Waiting Climber", bots="open,steady", hints="on")
    assert "the match may go unrated" not in ada.http.get(f"/t/{ada.table}").text


# --- the app ------------------------------------------------------------------------------------------------------------


def pixels(png: bytes) -> tuple[int, list[bytes]]:
    """The width of a PNG with four channels and no filters, and its rows."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, body, width = 8, b"", 0
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data = png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + data)
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[:10])
            assert (height, depth, colour) == (width, 8, 6)
        body += data if kind == b"IDAT" else b""
        at += 12 + length
    plain = zlib.decompress(body)
    step = 4 * width + 1
    return width, [plain[n * step + 1 : (n + 1) * step] for n in range(width)]


def test_the_icon_is_a_picture_with_round_corners_or_whole():
    for size in icons.SIZES:
        width, rows = pixels(icons.png(size))
        assert width == size == len(rows)
        assert rows[0][3] == 0, "the corner is cut off"
        assert rows[size // 2][:4] == bytes((*icons.GREEN, 255))
    _width, rows = pixels(icons.png(180, whole=True))
    assert rows[0][:4] == bytes((*icons.GREEN, 255))
    middle = [tuple(row[4 * 90 : 4 * 90 + 3]) for row in rows]
    assert icons.PAPER in middle[:60], "the ring is bright"
    assert icons.PAPER in middle[60:90], "so is the roof in it"
    assert middle[110] == icons.GREEN


@pytest.mark.browser
def test_a_browser_can_install_the_pages_as_an_app(browser: Any, server: str):
    with visitor(browser, PHONE) as page:
        page.goto(server)
        line = page.context.new_cdp_session(page)
        found = line.send("Page.getAppManifest")
        assert found["errors"] == []
        assert found["url"] == f"{server}/manifest.webmanifest"
        manifest = page.context.request.get(found["url"]).json()
        assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")
        for icon in manifest["icons"]:
            answer = page.context.request.get(server + icon["src"])
            assert answer.headers["content-type"] == icon["type"]
            if icon["sizes"] != "any":
                assert pixels(answer.body())[0] == int(icon["sizes"].partition("x")[0])
        themes = page.locator("meta[name=theme-color]").evaluate_all("all => all.map((one) => one.content)")
        assert themes == list(icons.THEMES.values())
        assert page.context.request.get(f"{server}/icon-7.png").status == 404


@pytest.mark.browser
def test_the_title_and_the_icon_say_how_many_tables_wait(browser: Any, server: str):
    with visitor(browser, PHONE) as page:
        page.add_init_script("""
          window.badges = [];
          navigator.setAppBadge = async (n) => window.badges.push(n);
          navigator.clearAppBadge = async () => window.badges.push(0);
        """)
        page.goto(server)
        page.wait_for_function("() => window.badges.length > 1 && window.badges.every((n) => n === 0)")
        page.evaluate("window.mine = document.getElementById('mine')")
        form = {"game": "kuhhandel", "players": "3", "name": "Ada", "bots": "steady", "option:fixed_start": "true"}
        assert page.context.request.post(f"{server}/tables", form=form, max_redirects=0).status == 303
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_function("() => document.title.startsWith('(1) ')")
        page.wait_for_selector("#turn")
        expect(page.locator("#turn .count")).to_have_text("1", use_inner_text=True)
        assert page.evaluate("window.badges.at(-1)") == 1
        assert page.evaluate("window.mine.isConnected") is False, "the list is another one, and the page the same"
