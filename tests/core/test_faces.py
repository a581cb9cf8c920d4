"""Cards and notes: a colour, a symbol and a letter each, and never the colour alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest

from outbid.core.hooks.faces import Face, symbols
from outbid.core.rulebook import rulebooks
from outbid.server.web import cards

GAMES = ["claim", "forex", "kuhhandel", "money", "rivals"]


def faces(game: str) -> tuple[Face, ...]:
    return rulebooks()[game].submodule("faces").FACES


@pytest.mark.parametrize("game", GAMES)
def test_faces_of_different_colours_differ_in_symbol_and_letter_too(game: str):
    for one, two in combinations(faces(game), 2):
        if one.kind == two.kind and one.hue != two.hue:
            assert one.symbol != two.symbol, (one.key, two.key)
            assert one.letter != two.letter, (one.key, two.key)


@pytest.mark.parametrize("game", GAMES)
def test_every_drawing_of_a_game_is_the_symbol_of_a_face(game: str):
    module = rulebooks()[game].submodule("faces")
    assert set(symbols(module.__file__).values()) == {face.symbol for face in module.FACES}


@pytest.mark.parametrize("game", GAMES)
def test_no_two_faces_are_alike_without_their_colour(game: str):
    seen = [(face.kind, face.letter, face.figure) for face in faces(game)]
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("game", GAMES)
def test_every_face_is_drawn_with_its_symbol_and_its_letter(game: str):
    for face in faces(game):
        drawn = str(cards.sprite([face]))
        front = drawn.split(f'<symbol id="{face.key}"', 1)[1]
        assert face.symbol
        assert f"#{face.key}-mark" in front, face.key
        printed = re.findall(r">([^<>]+)</text>", front)
        if face.figure:  # a token stands beside its name in words
            assert {face.letter, face.figure} & set(printed), (face.key, printed)


@pytest.mark.parametrize("game", GAMES)
def test_every_drawing_says_its_name_to_who_cannot_see_it(game: str):
    draw = {"card": cards.card, "rank": cards.card, "note": cards.note, "bill": cards.bill, "coin": cards.bill}
    names = []
    for face in faces(game):
        found = re.search(r'role="img" aria-label="([^"]+)"', str(draw[face.kind](face)))
        assert found, face.key
        names.append((face.kind, found[1]))
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("game", GAMES)
def test_a_drawing_is_few_elements_as_a_page_has_hundreds_and_makes_them_anew_with_each_move(game: str):
    sprite = ET.fromstring(cards.sprite(faces(game)))
    known = {one.get("id"): one for one in sprite.iter() if one.get("id")}

    def elements(one: ET.Element) -> int:
        shown = (one.get("href") or "#")[1:]
        return 1 + sum(map(elements, one)) + (elements(known[shown]) if shown else 0)

    assert max(elements(known[key]) for key in ("art-card", "art-note", *(face.key for face in faces(game)))) <= 64
