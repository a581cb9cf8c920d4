"""A game without a page of its own looks like a game: its things have faces, lie where one looks and are touched."""

import json
import re
from functools import partial
from multiprocessing import forkserver
from pathlib import Path
from types import SimpleNamespace

import pytest

import outbid
from outbid.core import rulebook as registry
from outbid.core.components import LARGEST, Cards, Look
from outbid.core.derived import looks, visibility
from outbid.core.errors import BadRulebook
from outbid.core.fields import Field, Layout
from outbid.core.hooks.outcome import Outcome, stands
from outbid.core.knowledge import reveal, rule_out
from outbid.core.language import i18n
from outbid.core.language.written import printed
from outbid.core.menu import Choice, Menu
from outbid.core.moves import Move, Moves
from outbid.server.domain import scene
from outbid.server.domain.generic_table import GenericTable
from outbid.server.domain.scene import LogLine
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.web import cards, pages
from outbid.testing.positions import redealt
from tests.support import browsing
from tests.support.browsing import expect
from tests.support.serving import serving, until
from tests.support.sight import SMALL

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = {name: EXAMPLES / f"{name}.py" for name in ("storm_tricks", "market_dice", "night_office", "sealed_trunks")}
MOVES = Moves(Move("take", card=(1, 3)))
SIZES = ((1280, 800), (375, 740))


@pytest.fixture(scope="module", autouse=True)
def loading():
    """The games of these files are known while the tests of this module run, also to programs that are started."""
    forkserver.ensure_running()
    with registry.GAMES.apart(), pytest.MonkeyPatch.context() as patch:
        patch.setenv(registry.FILES, ":".join(map(str, FILES.values())))
        yield


def begun(name: str, moves: list[str], players: int = 3):
    """A match of an example after these moves of whoever is asked first."""
    match = outbid.game(str(FILES[name])).new(players, seed=3)
    for move in moves:
        match.play(match.asked[0], move)
    return match


def passed() -> outbid.Match:
    """Storm tricks where the first trick is begun."""
    match = begun("storm_tricks", [])
    for _passed_or_played in range(4):
        match.play(match.asked[0], match.legal(match.asked[0]).texts[0])
    return match


def laid(match, seat: int, **more) -> GenericTable:
    return GenericTable(match.rulebook, match.hidden(seat), [match.view(seat)], match.names, seat, match.legal(seat), **more)


def test_a_card_in_the_hand_is_touched_and_the_bar_does_not_repeat_it():
    match = passed()
    seat = match.asked[0]
    table = laid(match, seat)
    hand = next(zone for zone in table.held(seat) if zone.label == "Hand")
    assert [item.move for item in hand.items if item.move] == [choice.move for choice in match.legal(seat)]
    assert (table.ways, table.touchable) == ((), ("play this card",))


def test_what_ends_a_round_stands_with_all_that_lay_there():
    match = passed()
    while len(match.moves) < 6:
        match.play(match.asked[0], match.legal(match.asked[0]).texts[0])
    (told,) = (line.marked for line in match.log() if isinstance(line.marked, Outcome))
    faces = {face.key: f"{face.name}{face.figure}" for face in looks.faces(match.rulebook).values()}
    cards = {side.seat: [faces[what.removeprefix("face:")] for what, _n in side.things] for side in told.sides}
    assert cards == {move["seat"]: [move["card"]] for move in match.moves[3:]}
    assert told.parties == {0, 1, 2}


@pytest.mark.parametrize(("kind", "drawn"), [(-1, "back:card"), (99, "back:card"), (0, None), (1, "face:storm_tricks-0-1")])
def test_what_a_reader_does_not_see_lies_face_down_and_none_is_nothing(kind, drawn):
    match = passed()
    hand = next(field for field in match.rulebook.layout.facts if field.name == "hand")
    (side,) = stands("All see it.", match.state, hand, {1: [kind]}).sides
    assert side.things == (((drawn, 1),) if drawn else ())


def seen_of(database: Path, match: outbid.Match) -> scene.Scene:
    """A table with this match, as whoever is asked sees it."""
    link, settings = browsing.begun(database, match)[match.asked[0]], Settings(url_of(str(database)))
    return scene.live(Tables(Store(settings.database), settings).get(link.split("/")[2]), match.asked[0], "")


def test_a_fault_in_drawing_leaves_out_a_part_and_the_table_goes_on(tmp_path, monkeypatch, caplog):
    seen = seen_of(tmp_path / "t.db", passed())
    whole = pages.render_regions(seen)
    monkeypatch.setattr(GenericTable, "around", property(lambda table: 1 / 0))
    assert {name for name, html in pages.render_regions(seen).items() if html != whole[name]} == {"stage"}
    assert whole["goods"] in pages.table(seen)
    assert {line.getMessage() for line in caplog.records} == {"The region stage of storm_tricks could not be drawn."}


@pytest.mark.browser
def test_a_trick_that_was_taken_stands_on_the_table(browser, tmp_path):
    match = passed()
    match.play(match.asked[0], match.legal(match.asked[0]).texts[0])
    seat = match.asked[0]
    with serving(tmp_path / "tables.db") as address, browsing.visitor(browser, SIZES[1]) as page:
        page.context.add_cookies([browsing.UNCOACHED | {"url": address}])
        browsing.sit(page, address + browsing.begun(tmp_path / "tables.db", match)[seat])
        page.locator("#goods button.pick").first.click()
        outcome = page.locator("#result .outcome[data-mine]")
        expect(outcome.locator(".verdict")).to_contain_text("the trick.")
        expect(outcome.locator(".party .thing-of svg")).to_have_count(3)


def test_the_parts_of_a_score_are_columns_that_add_up_to_it():
    match = begun("sealed_trunks", ["look 1", "bid 3", "bid 5", "bid 4"])
    table = laid(match, 0)
    for seat, points in enumerate(match.scores):
        assert [words for words, _n in table.counted(seat)] == ["Coins ÷ 3", "From trunks"]
        assert sum(n for _words, n in table.counted(seat)) == points
    assert laid(passed(), 0).counted(0) == ()


def test_a_part_of_a_score_is_a_number_of_each_seat_that_all_see():
    fields = (Field("players"), Field("purse", shape=(4,), seen="owner", part=1))
    with pytest.raises(BadRulebook, match="the field purse is part of a score; all must see it"):
        visibility.check(SimpleNamespace(id="drawn", layout=Layout("drawn", (), fields), players=(2, 4), moves=MOVES))


def test_a_place_of_a_row_is_touched_where_the_field_says_so():
    match = begun("sealed_trunks", [])
    seat = match.asked[0]
    row = next(zone for zone in laid(match, seat).centre if zone.id == "row")
    assert [item.move for item in row.items] == [{"do": "look", "trunk": n} for n in (1, 2, 3)]
    assert not any(item.move for zone in laid(match, 1).centre for item in zone.items)


def test_places_that_moves_number_bear_the_numbers_and_an_empty_one_keeps_its_gap():
    match = begun("sealed_trunks", ["look 1"])
    table = laid(match, 0)
    table.state.row[1] = 0
    (entry,) = (entry for entry in table.fields if entry.name == "row")
    entry.__dict__["things"] = entry.things[:1] + entry.things[2:]
    row = next(zone for zone in table.centre if zone.id == "row")
    assert [(item.number, item.n) for item in row.items] == [(1, 1), (2, 0), (3, 1)]
    assert row.count == 2


def test_the_thing_that_a_field_points_at_is_marked():
    match = begun("sealed_trunks", [])
    round_ = next(field for field in match.rulebook.layout.facts if field.name == "round")
    object.__setattr__(round_, "at", "row")
    try:
        match.state.round = 2
        table = laid(match, 0)
        row = next(zone for zone in table.centre if zone.id == "row")
    finally:
        object.__setattr__(round_, "at", "")
    assert [item.pointed for item in row.items] == [False, True, False]


def test_a_thing_is_grey_only_where_touching_is_all_that_can_be_done(tmp_path):
    office, tricks = begun("night_office", []), passed()
    while not (laid(office, office.asked[0]).ways and laid(office, office.asked[0]).touchable):
        office.play(office.asked[0], office.legal(office.asked[0]).texts[0])
    tricks.play(tricks.asked[0], tricks.legal(tricks.asked[0]).texts[0])
    goods = [pages.region(seen_of(tmp_path / f"{n}.db", match), "goods") for n, match in enumerate((office, tricks))]
    assert ['class="thing idle"' in html for html in goods] == [False, True]


def test_what_lies_before_another_is_not_touched_for_what_is_in_ones_own_hand():
    match = begun("night_office", [])
    seat = match.asked[0]
    held = next(kind for kind, n in enumerate(match.state.hand[seat]) if kind and n)
    for other in range(match.players):
        match.state.laid[other][held] = 1
    table = laid(match, seat)
    name = next(item.words for zone in table.held(seat) for item in zone.items)
    table.__dict__["_whole"] = [{"do": "lay", "what": name.lower()}]  # a move that names the thing, as other games have it
    touched = [(zone.id, zone.seat) for zone in table.zones for item in zone.items if item.move]
    assert touched == [(f"hand{seat}", seat)]


def test_many_moves_are_put_together_by_what_they_begin_with():
    match = begun("market_dice", ["bid 7 5"])
    ways = laid(match, match.asked[0]).ways
    assert [way.label for way in ways] == ["Doubt", "Bid 7 × …", "Bid 8 × …", "Bid 9 × …"]
    with i18n.locale("de"):
        assert laid(match, match.asked[0]).ways[1].label == "7 × … bieten"
    assert [item.words for item in ways[1].rest] == ["6"]
    assert ways[2].rest[5].move == {"do": "bid", "number": 8, "face": 6}
    assert ways[2].rest[5].face in looks.faces(match.rulebook)


def test_what_nobody_has_any_of_is_left_out():
    match = begun("sealed_trunks", ["look 1", "bid 3", "bid 5", "bid 4"])
    table = laid(match, 0)
    for seat in (0, 1):
        assert [label for label, _, _ in table.facts_of(seat)] == ["Coins", "Sealed bid", "From trunks"]
    assert "From trunks" not in [label for label, _, _ in laid(begun("sealed_trunks", []), 0).facts_of(0)]


def test_a_terminal_too_leaves_out_what_nobody_has_any_of():
    board = partial(begun("sealed_trunks", []).rulebook.words.board, seat=0, names=["Ada", "Ben", "Cem"])
    first, later = begun("sealed_trunks", []), begun("sealed_trunks", ["look 1", "bid 3", "bid 5", "bid 4"])
    assert "from trunks" not in board(first.hidden(0))
    assert "rounds played" not in board(first.hidden(0))
    assert board(later.hidden(0)).count("from trunks") == 3
    assert "rounds played: 1" in board(later.hidden(0))


@pytest.mark.parametrize(("purse", "quick"), [(5, (0, 1, 2, 3, 4, 5)), (9, (*range(10),)), (20, (0, 3, 6, 10, 13, 16, 20))])
def test_few_amounts_are_each_one_tap_and_nothing_else_asks_for_them(purse, quick):
    match = outbid.game(str(FILES["sealed_trunks"]), purse=purse).new(3, seed=3)
    match.play(match.asked[0], "look 2")
    (way,) = laid(match, match.asked[0]).ways
    assert (way.quick, way.complete) == (quick, purse < 10)


def test_moves_of_one_number_are_put_together_too():
    match = begun("sealed_trunks", [])
    table = laid(match, match.asked[0])
    table.__dict__["zones"] = ()  # nothing is touched
    table.__dict__["menu"] = Menu(tuple(Choice(str(n), {"do": "look", "trunk": n}) for n in range(4, 11)))
    (way,) = table.ways
    assert (way.label, [item.words for item in way.rest]) == ("Look into trunk …", [str(n) for n in range(4, 11)])


def test_only_bids_and_passes_are_folded_and_not_what_came_of_them():
    told = [LogLine(7, 1, Outcome("Ada takes it.", "reveal"), None, "bid"), LogLine(7, 1, "Sold.", None, "pass", False)]
    assert [line.folds for line in told] == [False, False]
    assert LogLine(7, 1, "Ada bids 4.", None, "bid").folds


def test_bookkeeping_is_left_out_of_the_page_and_of_what_terminals_and_models_read():
    match = passed()
    board = match.rulebook.words.board(match.hidden(0), 0, match.names)
    assert "turn" in match.view(0)
    assert "turn:" not in board
    assert "points lost 0" in board
    assert "card:" not in board
    assert [label for label, _, _ in laid(match, 0).facts] == ["Who leads"]


def test_what_is_hidden_has_a_back_and_what_is_known_a_face():
    match = passed()
    table = laid(match, 0)
    hand = next(zone for zone in table.held(1) if zone.label == "Hand")
    assert sum(item.n for item in hand.items if item.back) == match.hidden(0).hand[1][0] > 0
    assert hand.count == sum(match.state.hand[1])
    assert [zone.seat for zone in table.around[0]] == [0, 1, 2]
    assert [len(zone.items) for zone in table.around[0]] == [1, 0, 0]
    assert table.tracks[0].at == ((0, 0), (1, 0), (2, 0))


def test_what_only_some_were_shown_is_marked_and_what_is_ruled_out_is_named():
    match = begun("sealed_trunks", ["look 2"])
    rows = {seat: next(zone for zone in laid(match, seat).centre if zone.id == "row") for seat in (0, 1)}
    assert [item.told for item in rows[0].items] == [False, True, False]
    assert not rows[1].told
    assert (rows[0].items[1].note, rows[1].items[1].note) == ("shown to you", "shown to Player 1")
    assert [item.seen for item in rows[1].items] == [(), (0,), ()]
    board = match.rulebook.words.board(match.hidden(0), 0, match.names)
    assert f"row: 1: ?, 2: {match.state.row[1]} (shown to you), 3: ?" in board
    office = begun("night_office", [])
    hand, papers = office.rulebook.modules[0].HAND, office.rulebook.modules[0].PAPERS
    lacking = next(kind for kind in range(1, 9) if not office.state.hand[1][kind])
    rule_out(office.state, hand, (1, lacking), 0)
    reveal(office.state, hand, 2, 0)
    pairs = [(you, seat) for you in range(3) for seat in (1, 2)]
    held = {(you, of): next(zone for zone in laid(office, you).held(of) if zone.label == "Hand") for you, of in pairs}
    assert (held[0, 1].lacks, held[0, 1].told) == ((papers[lacking],), False)
    assert (held[0, 2].lacks, held[0, 2].told) == ((), True)
    assert [zone.lacks for (you, _), zone in held.items() if you] == [()] * 4
    assert not any(zone.told for (you, _), zone in held.items() if you)


def test_a_pile_says_how_many_lie_there_and_not_what():
    match = begun("night_office", [])
    piles = {zone.id: zone for zone in laid(match, 0).centre if zone.piled}
    assert (piles["deck"].count, piles["aside"].count) == (11, 1)
    assert all(item.face == "" for zone in piles.values() for item in zone.items)


def test_all_that_people_read_of_a_game_of_one_file_is_in_their_language():
    match = begun("sealed_trunks", ["look 2"])
    for seat in (0, 1):
        match.play(seat, "bid 3")
    with i18n.locale("de"):
        table = laid(match, 2)
        assert [label for label, _, _ in table.facts] == ["Phase", "Wer die Schlüssel hat"]  # and no round is played
        assert [(way.label, way.meaning) for way in table.ways] == [("Bieten 0–20", "verdeckt bieten")]
        assert match.log(0)[0].text == f"Du siehst in Koffer 2 hinein; darin sind {match.state.row[1]}."
        assert printed(match.rulebook).splitlines()[-1] == "- bid 0–30: verdeckt bieten"
    assert match.log(1)[0].text == "Player 1 looks into trunk 2."


def test_a_command_lists_options_and_moves_of_a_game_without_a_rulebook():
    text = printed(registry.rulebook(str(FILES["night_office"])))
    assert "- rounds = 3: Rounds, how often papers are dealt (a whole number from 1 to 9)" in text
    assert "- spy 0–3: lay a Spy and look at another's paper" in text


def test_a_model_reads_a_move_in_the_words_of_the_game_beside_what_it_types():
    game = outbid.game(str(FILES["night_office"]))
    assert "- guess 1 3 [guess Player 2 Duellist]" in game.text(game.new(3, seed=1), 0).splitlines()


def drawn(tmp_path: Path, look: Look):
    """What is declared of a game whose one thing looks like this."""
    layout = Layout("drawn", (), (Field("players"), Field("card", face=Cards((look,)))))
    module = SimpleNamespace(__file__=str(tmp_path / "drawn.py"))
    return SimpleNamespace(id="drawn", words=None, say=str, layout=layout, modules=(module,), moves=MOVES)


def test_a_picture_is_an_image_and_never_markup(tmp_path):
    (tmp_path / "evil.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    faces = looks.faces(drawn(tmp_path, Look("evil", picture="evil.svg")))
    sprite = cards.sprite(faces.values())
    assert 'href="data:image/svg+xml;base64,' in sprite
    assert "<script" not in sprite


@pytest.mark.parametrize(
    ("look", "reason"),
    [
        (Look(colour="red"), "a colour is such as '#0072b2'"),
        (Look(symbol="elephant"), "a symbol is up to three characters, or one of bolt"),
        (Look(picture="there.svg"), "is not there; it is an SVG file"),
        (Look(picture="large.svg"), f"it may have {LARGEST}"),
        (Look(picture="page.html"), "is not there; it is an SVG file"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(tmp_path, look, reason):
    (tmp_path / "large.svg").write_bytes(b" " * (LARGEST + 1))
    (tmp_path / "page.html").write_text("<svg></svg>")
    with pytest.raises(BadRulebook, match=reason):
        looks.check(drawn(tmp_path, look))


def test_a_field_is_touched_for_a_move_that_there_is(tmp_path):
    book = drawn(tmp_path, Look())
    book.layout = Layout("drawn", (), (Field("players"), Field("row", shape=(3,), touch="look")))
    with pytest.raises(BadRulebook, match="the field row is touched for the move 'look'; it must be a move with one field"):
        looks.check(book)


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_the_own_hand_is_in_sight_and_a_card_is_played_by_touching_it(browser, tmp_path, size):
    match = passed()
    seat = match.asked[0]
    with serving(tmp_path / "tables.db") as address, browsing.visitor(browser, size) as page:
        page.context.add_cookies([browsing.UNCOACHED | {"url": address}])
        browsing.sit(page, address + browsing.begun(tmp_path / "tables.db", match)[seat])
        buttons = page.locator("#goods button.pick")
        expect(buttons).to_have_count(len(match.legal(seat)))
        for card in page.locator("#goods .zone:first-child :is(.thing, .pick)").all():
            box = card.bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0]
            assert 0 <= box["y"] <= box["y"] + box["height"] <= size[1]
        browsing.fits(page)
        assert page.evaluate(SMALL) == []
        first = match.rulebook.say(match.legal(seat).texts[0].split()[1])
        assert re.fullmatch(r"(oar|sail|rope|storm) \d", first)
        buttons.first.click()
        expect(page.locator("#log li.mine").last).to_contain_text(f"play {first}")
        expect(page.locator("#goods button.pick")).to_have_count(0)


@pytest.mark.browser
def test_a_card_that_one_was_shown_is_called_by_its_name_where_it_is_small(browser, tmp_path):
    match = begun("night_office", [], 4)
    seat, hand = match.asked[0], match.rulebook.modules[0].HAND
    for other in range(1, 4):
        reveal(match.state, hand, (seat + other) % 4, seat)
    link = browsing.begun(tmp_path / "tables.db", standing(match, match.state))[seat]
    with serving(tmp_path / "tables.db") as address, browsing.visitor(browser, SIZES[1]) as page:
        page.context.add_cookies([browsing.UNCOACHED | {"url": address}])
        browsing.sit(page, address + link)
        expect(page.locator("#opponents .told > .small:visible")).to_have_count(3)
        expect(page.locator("#opponents .told > .art:visible")).to_have_count(0)
        browsing.fits(page)
        assert page.evaluate(SMALL) == []
        page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        expect(page.locator("#opponents .told > .art:visible")).to_have_count(3)


@pytest.mark.browser
def test_bids_of_two_numbers_are_no_auction_of_which_the_log_tells_the_highest(browser, tmp_path):
    match = begun("market_dice", [f"bid {n} 2" for n in range(1, 7)])
    with serving(tmp_path / "tables.db") as address, browsing.visitor(browser, SIZES[0]) as page:
        page.context.add_cookies([browsing.UNCOACHED | {"url": address}])
        browsing.sit(page, address + browsing.begun(tmp_path / "tables.db", match)[match.asked[0]])
        expect(page.locator("#log ol > li:visible")).to_have_count(6)


@pytest.mark.browser
def test_an_amount_takes_one_tap_on_a_phone(browser, tmp_path):
    match = begun("sealed_trunks", ["look 2"])
    seat = match.asked[0]
    (way,) = laid(match, seat).ways
    assert way.quick == (0, 3, 6, 10, 13, 16, 20)
    with serving(tmp_path / "tables.db") as address, browsing.visitor(browser, SIZES[1]) as page:
        page.context.add_cookies([browsing.UNCOACHED | {"url": address}])
        browsing.sit(page, address + browsing.begun(tmp_path / "tables.db", match)[seat])
        page.get_by_role("button", name="Bid 13", exact=True).click()
        expect(page.locator("#log li.mine").last).to_contain_text("You bid 13.")


@pytest.mark.browser
def test_a_phone_shows_all_that_can_be_bid_and_done_without_scrolling(browser, tmp_path):
    dice, office = begun("market_dice", [], 5), begun("night_office", [], 4)
    while len(office.legal(office.asked[0])) < 4:
        office.play(office.asked[0], office.legal(office.asked[0]).texts[0])
    with serving(tmp_path / "tables.db") as address, browsing.visitor(browser, SIZES[1], locale="de") as page:
        page.context.add_cookies([browsing.UNCOACHED | {"url": address}])
        for match in (dice, office):
            browsing.sit(page, address + browsing.begun(tmp_path / "tables.db", match)[match.asked[0]])
            page.wait_for_selector("#dock summary, #dock button")
            assert page.locator("#dock").evaluate("dock => dock.scrollHeight - dock.clientHeight") <= 1


def standing(match: outbid.Match, state) -> outbid.Match:
    """A match that stands as one does, with what lies in a state of it."""
    return outbid.Match.load(match.rulebook, match.options, match.names, match.rulebook.words.deal_of(state))


def heard(page) -> dict[str, str]:
    """What a page hears through its socket from now on, by the region of the page."""
    regions: dict[str, str] = {}
    hear = partial(_hear, regions)
    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    return regions


def _hear(regions: dict[str, str], frame: str) -> None:
    message = json.loads(frame)
    regions.update(message.get("regions", {}), title=message.get("title", ""))


def unnamed(page, regions: dict[str, str]) -> tuple[str, str]:
    """What a page shows and has heard, whichever table it is of."""
    table = page.url.rpartition("/")[2]
    return page.content().replace(table, ""), json.dumps(regions, sort_keys=True).replace(table, "")


@pytest.mark.slow
@pytest.mark.browser
def test_two_people_and_a_bot_each_know_what_is_theirs(browser, tmp_path):
    """Where all that one of them cannot know is dealt anew, neither her page nor what her socket brings is another one."""
    match = begun("night_office", [])
    database, (mine, theirs) = tmp_path / "tables.db", (match.asked[0], match.asked[0] + 1)
    seen: dict[int, list] = {mine: [], theirs: []}
    with (
        serving(database) as address,
        browsing.visitor(browser, SIZES[0]) as ada,
        browsing.visitor(browser, SIZES[1]) as ben,
    ):
        for world in (match.state, redealt(match.state, mine, 1)):
            links = browsing.begun(database, standing(match, world), {2: "steady"})
            for seat, page in ((theirs, ben), (mine, ada)):
                page.context.add_cookies([browsing.UNCOACHED | {"url": address}])
                table = page.context.new_page()
                seen[seat].append((table, heard(table)))
                browsing.sit(table, address + links[seat])
                expect(table.locator("#goods .zone").first).to_be_visible()
            expect(seen[mine][-1][0].locator(browsing.MINE)).to_be_visible()
        until(lambda: seen[mine][0][1] and unnamed(*seen[mine][0]) == unnamed(*seen[mine][1]))
        for page, _ in seen[mine]:
            page.locator("#goods button.pick").first.click()
            expect(page.locator("#log li.mine").last).to_contain_text("You lay the Partner.")
        for page, _ in seen[theirs]:
            expect(page.locator(browsing.MINE)).to_be_visible()
        until(lambda: unnamed(*seen[mine][0]) == unnamed(*seen[mine][1]))
        for theirs_now in zip(unnamed(*seen[theirs][0]), unnamed(*seen[theirs][1]), strict=True):
            assert theirs_now[0] != theirs_now[1]  # he sees which world it is
