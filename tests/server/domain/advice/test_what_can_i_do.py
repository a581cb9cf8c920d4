"""What can I do? It speaks of what is on: the icons one holds, the products that lie open, the animals that are to come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from outbid.bots.heuristic import STEADY
from outbid.bots.seat import Seat
from outbid.core.language import i18n
from outbid.games.claim.text import terms
from outbid.server.domain.table import Table
from tests.support.hints import Asked, helped, made, until_asked
from tests.support.serving import at_once


def at(folder: Path, game: str, phase: str, **options: Any) -> Table:
    """A table at which Ada is asked in this phase."""
    found = made(folder, Asked(STEADY.decide), game=game, options=options)
    until_asked(found)
    while found.playing.view(0)["phase"] != phase:
        at_once(found._play(0, STEADY.decide(Seat.of(found.playing, 0, 1)).actions, None, ({}, {})))
        until_asked(found)
    return found


def test_claim_explains_the_icons_of_the_hand_and_the_products_that_lie_open(tmp_path: Path):
    found = at(tmp_path, "claim", "play", action_fund=True, shopping_spree=True)
    view, lines = found.playing.view(0), helped(found)
    held = {icon for icon in terms.ICON_EFFECTS if any(f":{icon}" in bill for bill in view["hand"])}
    for icon, effect in terms.ICON_EFFECTS.items():
        assert any(effect in line for line in lines) is (icon in held)
    shelf = {each["product"]: each["price"] for each in view["shelf"]}
    for product, effect in terms.PRODUCT_EFFECTS.items():
        there = f"{product}, price {shelf.get(product)}: {effect}" in lines
        assert there is (product in shelf)
    assert lines[-1] == "On: Action Fund, Shopping Spree"


def test_claim_says_of_nothing_that_is_off(tmp_path: Path):
    lines = helped(at(tmp_path, "claim", "play"))
    assert not any("price" in line or line.startswith("On:") for line in lines)


def test_claim_says_of_each_stack_whether_it_can_be_claimed_and_why_not(tmp_path: Path):
    found = at(tmp_path, "claim", "window")
    view, lines = found.playing.view(0), helped(found)
    for stack in view["stacks"]:
        (line,) = [line for line in lines if line.startswith(f"The {stack['number']}s, worth {stack['value']}: ")]
        assert ("you can claim them" in line) is (stack["number"] in view["window"]["claimable"])
    with i18n.locale("de"):
        assert len(helped(found)) == len(lines)


def test_kuhhandel_says_what_is_left_in_the_deck_and_what_a_trade_takes(tmp_path: Path):
    found = at(tmp_path, "kuhhandel", "turn")
    view, (auction, trade, *_rest) = found.playing.view(0), helped(found)
    assert auction.startswith(f"Auction: the top one of {view['deck']} animals is turned over.")
    assert ("not possible" in trade) is (not found.playing.legal(0).doing("trade"))


def test_kuhhandel_says_to_a_bidder_who_sells_and_what_becomes_of_the_animal_without_a_bid(tmp_path: Path):
    found = at(tmp_path, "kuhhandel", "bid")
    seller = found.seats[found.playing.view(0)["turn"]].name
    assert f"{seller} is the auctioneer" in helped(found)[-1]
    assert (
        f"Without any bid the {found.playing.view(0)['auction']['animal']} goes to {seller} for nothing."
        in helped(found)[-1]
    )
