"""A net that learns against one bot: what it decided is what it saw, could do and did, and the matches are the arena's."""

from __future__ import annotations

import numpy as np
import pytest

import outbid
from outbid.bots.nets.policy import PolicyNet
from outbid.bots.outside import FILE
from outbid.core.errors import BadSetup
from outbid.lab.arena import one_against_others
from outbid.lab.training import trajectories
from tests.support.scripts import script

RIVALS = outbid.game("rivals")
BOOK = RIVALS.rulebook
NET = BOOK.folder / PolicyNet.FILE


@pytest.fixture(scope="module")
def played():
    """Eleven deals among `steady`: two calls and a part of one."""
    return trajectories.play(BOOK, RIVALS.options, 3, f"{FILE}{NET}", "steady", 5, 11)


def same(one, other):
    names = trajectories.Trajectories.__dataclass_fields__
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


@pytest.mark.deep
def test_every_decision_has_a_choice_and_what_was_done_could_be_done(played):
    rows = np.arange(len(played.did))
    assert len(rows) == played.count.sum() > 50
    assert (played.could.sum(1) > 1).all()
    assert played.could[rows, played.did].all()
    assert np.isfinite(played.seen).all()
    assert (np.abs(played.seen).sum(1) > 0).all()


@pytest.mark.deep
def test_the_net_likes_what_it_did(played):
    """A net with all its features and actions in their places finds its own draws far likelier than an even draw is."""
    torch = pytest.importorskip("torch", reason="training needs PyTorch: pip install outbid[train]")
    net, _ = script("examples/train_ppo.py").load(NET)
    with torch.no_grad():
        logp, _ = net(torch.from_numpy(played.seen), torch.from_numpy(played.could))
    chosen = logp.numpy()[np.arange(len(played.did)), played.did]
    assert chosen.mean() > -np.log(played.could.sum(1)).mean() / 2


@pytest.mark.deep
def test_a_deal_is_the_same_whatever_is_played_beside_it_and_no_two_are_alike(played):
    later = trajectories.play(BOOK, RIVALS.options, 3, f"{FILE}{NET}", "steady", 13, 3, threads=1)
    rows = played.count[:8].sum()
    assert np.array_equal(played.seen[rows:], later.seen)
    assert np.array_equal(played.did[rows:], later.did)
    assert np.array_equal(played.share[8:], later.share)
    firsts = np.cumsum(played.count) - played.count
    assert len(np.unique(played.seen[firsts], axis=0)) == 11


@pytest.mark.deep
def test_room_for_notes_grows_with_the_match(played, monkeypatch):
    monkeypatch.setattr(trajectories, "ROWS", 1)
    assert same(played, trajectories.play(BOOK, RIVALS.options, 3, f"{FILE}{NET}", "steady", 5, 11))


@pytest.mark.deep
def test_what_it_takes_is_what_the_arena_says():
    there = trajectories.play(BOOK, RIVALS.options, 3, f"{FILE}{NET}", "steady", 0, 900)
    arena = one_against_others(BOOK, RIVALS.options, 3, f"{FILE}{NET}", "steady", 300, 0)
    error = there.share.std() / 30
    assert abs(there.share.mean() - arena.share) < 4 * np.hypot(error, arena.error)
    assert ((there.place == 0) == (there.share > 0)).mean() > 0.99


def test_who_cannot_learn_and_deals_that_are_not_there_are_refused():
    with pytest.raises(BadSetup, match="steady cannot learn"):
        trajectories.play(BOOK, RIVALS.options, 3, "steady", "steady", 0, 4)
    with pytest.raises(BadSetup, match="at least one"):
        trajectories.play(BOOK, RIVALS.options, 3, f"{FILE}{NET}", "steady", 0, 0)
