"""Bots at a table: their names, and what they are given."""

import pytest

import outbid
from outbid.bots import BOTS, CALLED, bot, called, choose
from outbid.engine import contract


def test_every_bot_at_a_table_has_a_name_of_its_own_however_many_there_are():
    names = ["bruno"]
    for _ in range(12):
        names.append(called(names))
    assert len({name.casefold() for name in names}) == len(names)
    assert names[1:3] == list(CALLED[1:3])


def test_an_unknown_bot_is_refused_by_name():
    with pytest.raises(outbid.BadSetup, match="no bot 'genius'"):
        bot("genius")


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_decides_the_same_when_all_its_seat_cannot_know_is_dealt_anew(name):
    match = outbid.game("kuhhandel").new(players=4, seed=2)
    for n in range(150):
        seat = match.asked[0]
        other = match.copy()
        contract.redeal(other.state, seat, n)
        decision = choose(match, seat, name, 9)
        assert choose(other, seat, name, 9) == decision
        match.play_steps(seat, decision.actions)
