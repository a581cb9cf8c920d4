"""Who the others are: a seat that looks ahead learns it from what everybody has seen."""

import random
from dataclasses import replace

import numpy as np
import pytest

from outbid.bots import BOTS, Seat, choose, strong
from outbid.bots.belief import determinize, opponent_types
from outbid.bots.search import rollouts
from outbid.bots.seat import learns
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.hooks.search_config import SearchConfig
from outbid.core.match import Match
from outbid.core.rulebook import rulebook, rulebooks
from outbid.games.kuhhandel.state import AUCTION, RAISE
from outbid.runs.loops import matches
from outbid.runs.runner import play
from outbid.testing.positions import random_setup

STRONG = replace(BOTS["strong"], compiled=True, budget=0.01)


def played(game, bots, moves=10_000, seed=3):
    """A match of these bots."""
    match = Match.new(rulebook(game), {}, len(bots), seed)
    while not match.over and len(match.moves) < moves:
        seat = match.asked[0]
        match.play_steps(seat, choose(match, seat, bots[seat], stream(seed, seat)).actions)
    return match


def believed(match, seat, compiled=True):
    """How likely each of the others plays as the net, as a seat believes."""
    view = Seat.of(match, seat, 1)
    space = strong.space_of(match.rulebook, compiled)
    strong.learn(view, space, compiled)
    return space.work.nets[: match.players].copy()


@pytest.mark.slow
def test_a_match_tells_who_plays_as_the_net_and_who_as_the_heuristic():
    match = played("rivals", ["net", "steady", "net"])
    assert believed(match, 0)[1] < 0.05 < 0.95 < believed(match, 0)[2]
    assert believed(match, 1)[0] > 0.95 < believed(match, 1)[2]
    assert np.allclose(believed(match.at(0), 0), 0.46, atol=0.01), "before the first move nobody knows"
    assert np.allclose(believed(match, 1), believed(match, 1, compiled=False)), "compiled or not, that is the same"


@pytest.mark.slow
def test_a_match_of_rivals_tells_who_plays_as_another_of_the_games_own_players_too():
    types = rulebook("rivals").search.opponent_types
    bots = ["steady:early-bird", "net", "steady:hoarder"]
    match = played("rivals", bots)
    found = told(match, 0)
    for seat, bot in enumerate(bots):
        assert found[seat, types.index(bot)] == found[seat].max() == 0, (bot, found[seat])
    before = np.exp(told(match.at(0), 0))
    assert np.allclose(before, [rulebook("rivals").search.odds] * 3), "before the first move by how likely it is beforehand"
    assert np.allclose(told(match, 0, compiled=False), found), "compiled or not, that is the same"
    assert believed(match, 1)[0] < 0.05, "an early bird is no net"


def test_a_game_that_gives_odds_gives_them_of_each():
    with pytest.raises(ValueError, match="1 odds for 2 opponent types"):
        SearchConfig(opponent_types=("steady", "easy"), odds=(1,))


def test_before_the_first_move_everybody_is_believed_to_be_whom_the_odds_say():
    book = rulebook("rivals")
    space = strong.Space(book, 0)
    space.work.posterior[:] = 5.0
    space.under(book.fresh({}))
    assert np.allclose(np.exp(space.work.posterior), book.search.odds)


def test_the_seat_itself_goes_on_as_the_net_in_all_worlds_where_that_leads():
    space = strong.Space(rulebook("rivals"), compiled=False)
    space.under(space.book.fresh({}))
    work = space.work
    work.posterior[:] = -opponent_types.SURE
    work.posterior[1, list(work.types).index(opponent_types.AS_NET)] = work.posterior[2, 0] = 0
    opponent_types.believe(0, 3, work)
    nets = [opponent_types.assign_types(world, 0, 3, 1, work) for world in range(256)]
    assert all(bits & 1 for bits in nets)
    assert work.nets[0] == pytest.approx((work.nets[1] + work.nets[2]) / 2)
    assert work.nets[0] < 0.9
    assert np.mean([bits >> 1 & 1 for bits in nets]) == pytest.approx(work.nets[1], abs=0.01), "the others by their chances"
    led = [opponent_types.assign_types(world, 0, 3, 0, work) & 1 for world in range(256)]
    assert not any(led), "where the net does not lead it is none"


@pytest.mark.slow
def test_at_the_seat_itself_stands_the_average_of_the_others():
    match = played("rivals", ["random", "steady", "net"], moves=60)
    for seat in range(3):
        found = believed(match, seat)
        assert found[seat] == pytest.approx(np.delete(found, seat).mean())


@pytest.mark.slow
def test_a_random_player_is_no_riddle_and_a_single_step_decides_nothing():
    match = played("rivals", ["random", "steady"], moves=2)
    assert 0.1 < believed(match, 0)[1] < 0.9
    assert np.isfinite(believed(played("rivals", ["random", "random"]), 0)).all()


@pytest.mark.parametrize("game", [book.id for book in rulebooks().values()])
def test_a_seat_knows_what_was_done_where_that_tells_who_somebody_is_and_only_there(game):
    book = rulebook(game)
    match = played(game, ["steady"] * book.players[1], moves=8)
    seat = match.asked[0]
    past = Seat.of(match, seat, 1).past
    assert bool(past) == (game in ("rivals", "forex", "kuhhandel")), "all see it, and there is more than one they may be"
    if not past:
        return
    assert past == match.past(seat)
    past = tuple(step for step in match.past() if step.shown)
    earlier = match.at(0)
    made = []
    for move in match.moves:
        said = {key: value for key, value in move.items() if key != "seat"}
        actions = book.words.steps(earlier.state, move["seat"], said)
        if not book.secrets or contract.is_public(earlier.state, move["seat"], actions[0]):
            made += [(move["seat"], action) for action in actions]
        earlier.play(move["seat"], move)
    assert [(step.seat, step.action) for step in past] == made
    begun = match.at(0)
    assert past[0].before == begun.hidden(-1).packed()
    early = match.at(5)
    assert early.past(seat) == match.past(seat)[: len(early.past(seat))]


@pytest.mark.parametrize("game", [book.id for book in rulebooks().values() if book.secrets and learns(book)])
def test_what_is_overt_everybody_is_told_and_sees_in_the_state(game):
    book, counted, out = rulebook(game), 0, [0] * 256
    for seed in range(30):
        options, players = random_setup(book, random.Random(seed), players=book.players[1])
        if options.get("bidding") == "realtime":
            continue
        match = Match.new(book, options, players, seed)
        for number in range(60):
            if match.over or not match.asked:
                break
            seat, before = match.asked[number % len(match.asked)], match.state
            match.random_move(seat, seed)
            said = {key: value for key, value in match.moves[-1].items() if key != "seat"}
            if not contract.is_public(before, seat, book.words.steps(before, seat, said)[0]):
                continue
            counted += 1
            assert book.words.masked(before, seat, said, -1) == said
            seen = match.hidden(-1)
            for action in out[: contract.legal(before, seat, out)]:
                other = before.copy()
                contract.apply(other, seat, action)
                if contract.midway(other, seat) == 0 and other != match.state and contract.is_public(before, seat, action):
                    contract.hide(other, -1)
                    assert other != seen, "who did something else would be seen to have done it"
    assert counted > 200


def test_what_somebody_is_still_saying_is_not_overt_where_all_may_speak():
    match = Match.new(rulebook("kuhhandel"), {"bidding": "realtime"}, 3, 1)
    assert contract.is_public(match.state, match.asked[0], AUCTION)
    match.play(match.asked[0], "auction")
    assert not contract.is_public(match.state, match.asked[0], RAISE)
    assert [step.shown for step in match.past()] == [False, True], "it begins, and an animal is turned over"


@pytest.mark.slow
def test_of_what_is_paid_and_offered_in_a_trade_a_seat_knows_only_that_it_was_done_and_what_became_of_it():
    match = played("kuhhandel", ["steady", "net", "easy"], moves=400)
    hidden, earlier, made = {"pay", "offer", "counter"}, match.at(0), 0
    for move in match.moves:
        known = [len(earlier.past(viewer)) for viewer in range(-1, 3)]
        earlier.play(move["seat"], move)
        for viewer in range(-1, 3):
            new = earlier.past(viewer)[known[viewer + 1] :]
            covered = move["do"] in hidden
            assert all(step.seat == move["seat"] and step.shown != covered for step in new)
            assert [step.action for step in new] == [-1] or not covered or viewer == move["seat"]
            after = earlier.hidden(viewer).packed() if covered or move["do"] in ("sell", "buy", "accept") else b""
            assert [step.after for step in new] == [b""] * (len(new) - 1) + [after]
        made += move["do"] in hidden
    assert made > 30
    for viewer in range(-1, 3):
        for step in earlier.past(viewer):
            for found, who in ((step.before, -1), (step.after, viewer)):
                if found:
                    seen = match.rulebook.plain.from_record(np.frombuffer(found, match.rulebook.layout.dtype), 0)
                    again = seen.copy()
                    contract.hide(again, who)
                    assert again == seen, "nothing is in it that the seat does not see"


@pytest.mark.deep
def test_what_was_done_says_nothing_of_cards_that_nobody_has_seen():
    match = played("rivals", ["steady", "net", "steady"], moves=40)
    deck, drawn = match.deal["deck"], match.state.drawn
    other = Match.load(match.rulebook, match.options, match.names, {**match.deal, "deck": deck[:drawn] + deck[drawn:][::-1]})
    for move in match.moves:
        other.play(move["seat"], move)
    assert other.state.deck != match.state.deck
    assert other.past() == match.past()
    seat = match.asked[0]
    assert STRONG.decide(Seat.of(other, seat, 5)) == STRONG.decide(Seat.of(match, seat, 5))


@pytest.mark.slow
def test_a_packed_seat_brings_what_was_done():
    match = played("rivals", ["net", "steady"], moves=30)
    seat = Seat.of(match, match.asked[0], 5)
    assert Seat.unpacked(seat.packed()).past == seat.past
    assert STRONG.decide(Seat.unpacked(seat.packed())) == STRONG.decide(seat)


def test_the_seats_of_a_world_are_nets_as_often_as_is_believed():
    space = strong.Space(rulebook("rivals"), compiled=False)
    space.work.nets[:] = [0.5, 0.25, 1.0, 0.0, 0.9, 0.5, 0.5, 0.5]
    bits = np.array([opponent_types.as_nets(world, 1, space.work) for world in range(64)])
    shares = [(bits >> seat & 1).mean() for seat in range(5)]
    assert shares == pytest.approx([0.5, 0.25, 1.0, 0.0, 0.9], abs=1 / 64)
    assert [bits[world] & 1 for world in range(6)] == [0, 1, 0, 1, 0, 1], "what is not known is every other world"
    assert opponent_types.as_nets(1, 0, space.work) == 0, "without a net nobody plays as one"


@pytest.mark.slow
def test_those_who_are_taken_for_nets_play_on_as_nets(monkeypatch):
    match = played("rivals", ["net", "steady", "net"], moves=90)
    movers, net_step = [], rollouts.net_step

    def stepped(states, at, seat, *rest):
        movers.append(seat)
        return net_step(states, at, seat, *rest)

    monkeypatch.setattr(rollouts, "net_step", stepped)
    while match.asked[0] == 1:
        match.play_steps(1, choose(match, 1, "steady", 4).actions)
    seat = match.asked[0]
    replace(STRONG, compiled=False, budget=2.0).evaluated(Seat.of(match, seat, 2))
    assert movers.count(1) < movers.count(2 - seat) / 4


def test_among_nets_the_first_move_is_left_only_for_what_is_ahead_by_twice_as_much(monkeypatch):
    match, doubts = played("rivals", ["steady"] * 3, moves=6), []
    seat = match.asked[0]
    space = strong.Space(match.rulebook, compiled=False)
    space.put(match.seen(seat))
    monkeypatch.setattr(rollouts, "best_of", lambda n, doubt, work: doubts.append(doubt) or 0)
    for nets, max_depth in ((0.0, 1), (0.5, 1), (0.75, 1), (1.0, 1), (1.0, -1)):
        space.work.nets[:] = nets
        rollouts.evaluate(space.states, 0, seat, 5, rollouts.RolloutConfig(4, max_depth, 0.02, 30.0, 1), 0, space.work)
    assert doubts == [rollouts.DOUBT * times for times in (1, 1, 1.5, 2, 1)]


@pytest.mark.parametrize(("game", "options"), [("rivals", {}), ("kuhhandel", {"quick_deal4": True})])
@pytest.mark.deep
def test_at_a_table_a_bot_believes_and_plays_as_in_the_arena(game, options):
    book, seed, bots = rulebook(game), 11, ["strong*0.01", "steady"]
    seating = np.array([[0, 1, 0], [0, 1, 0]])
    found = play(book, options, 3, bots, seating, seed, threads=1)
    for deal in range(2):
        match = Match.new(book, options, 3, stream(seed, deal))
        while not match.over:
            seat = match.asked[0]
            own = stream(stream(seed, deal), matches.SEATS_FROM + seat)
            bot = BOTS["steady"] if seat == 1 else STRONG
            match.play_steps(seat, bot.decide(Seat.of(match, seat, own)).actions)
        won = [1 / len(match.winners) if seat in match.winners else 0 for seat in range(3)]
        assert found.shares[3 * deal].tolist() == won
        assert found.places[3 * deal].tolist() == [sum(ahead > own for ahead in match.scores) for own in match.scores]


# --- the game's own players ---------------------------------------------------------------------------------------------


TYPES = rulebook("forex").search.opponent_types


def told(match, seat, compiled=True):
    """What the moves of each seat have said of who it is, as a seat has learned it."""
    space = strong.space_of(match.rulebook, compiled)
    strong.learn(Seat.of(match, seat, 1), space, compiled)
    return space.work.posterior[: match.players].copy()


@pytest.mark.deep
def test_a_match_tells_which_of_the_games_own_players_somebody_is():
    bots = ["easy:vulture", "steady:arbitrageur", "steady"]
    match = played("forex", bots, moves=45)
    found = told(match, 0)
    for seat, bot in enumerate(bots):
        assert found[seat, TYPES.index(bot)] == found[seat].max() == 0, "nobody is likelier"
        assert (found[seat] < -3).sum() >= 2, "some are ruled out, all but one in twenty"
    assert not told(match.at(0), 0).any(), "before the first move nobody knows"
    early = match.at(6)
    assert np.allclose(told(early, 0), told(early, 0, compiled=False)), "compiled or not, that is the same"


@pytest.mark.deep
def test_somebody_who_is_none_of_them_is_no_riddle():
    assert np.isfinite(told(played("forex", ["random", "random"], moves=60), 0)).all()


def test_the_others_of_a_world_are_dealt_their_types_by_what_is_believed():
    space = strong.Space(rulebook("forex"), compiled=False)
    space.under(space.book.fresh({}))
    work, worlds = space.work, 1 << 10
    work.posterior[1] = [0, *[-opponent_types.SURE] * (len(TYPES) - 1)]
    dealt = []
    for world in range(worlds):
        opponent_types.assign_types(world, 0, 3, 0, work)
        dealt.append(work.who[:3].copy())
    shares = [[(np.array(dealt)[:, seat] == who).mean() for who in work.types] for seat in range(3)]
    even, doubt = 1 / len(TYPES), work.doubt[0] / len(TYPES)
    assert shares[0] == [1, *[0] * (len(TYPES) - 1)], "the seat itself goes on as the heuristic"
    assert shares[1] == pytest.approx([1 - work.doubt[0] + doubt, *[doubt] * (len(TYPES) - 1)], abs=0.01)
    assert shares[2] == pytest.approx([even] * len(TYPES), abs=0.01)
    opponent_types.forget_types(work)
    assert not work.who.any()


def test_in_a_rollout_everybody_goes_on_as_the_type_he_was_dealt():
    match = played("forex", ["steady", "steady"], moves=4)
    space = strong.Space(match.rulebook, compiled=False)
    space.under(match.state)
    players = list(match.rulebook.personas.players)
    for number in (TYPES.index("steady"), TYPES.index("steady:investor")):
        space.put(match.state)
        space.work.who[:] = space.work.types[number]
        space.states[1] = space.states[0]
        rollouts.play_on(space.states, 1, 7, 6, 0, space.work)
        alike = match.at(4)
        for _ in range(6):
            seat = alike.asked[0]
            alike.play_steps(seat, choose(alike, seat, players[space.work.types[number]], 1).actions)
        assert space.states[1].packed() == alike.state.packed()


# --- the same where somebody may have secrets ---------------------------------------------------------------------------


HEARD = rulebook("kuhhandel").search.opponent_types


@pytest.mark.deep
def test_where_there_are_secrets_a_match_tells_who_somebody_is_by_what_all_see():
    bots = ["easy", "net", "steady"]
    match = played("kuhhandel", bots, moves=250)
    found = told(match, 0)
    for seat, bot in enumerate(bots):
        assert found[seat, HEARD.index(bot)] == found[seat].max() == 0, (bot, found[seat])
        assert (found[seat, : len(HEARD)] < -3).sum() == 2, "the others are ruled out, all but one in twenty"
        assert opponent_types.strangeness(seat, 3, strong.space_of(match.rulebook, True).work) < 0.1, "nobody is an outsider"
    beforehand = np.log(match.rulebook.search.before)
    assert np.array_equal(told(match.at(0), 0), [beforehand] * 3), "before the first move nobody knows"
    early = match.at(12)
    assert np.allclose(told(early, 0), told(early, 0, compiled=False)), "compiled or not, that is the same"
    assert np.array_equal(told(match, 1), found), "all at the table learn the same"


@pytest.mark.deep
def test_who_plays_at_random_is_no_riddle_there_either():
    assert np.isfinite(told(played("kuhhandel", ["random"] * 3, moves=120), 0)).all()


def test_a_move_that_no_world_agrees_with_says_nothing():
    """Where bids above one's money are forbidden, a bid may be more than anybody has in the worlds."""
    match = Match.new(rulebook("kuhhandel"), {"overbid": "forbidden"}, 3, 1)
    match.play(match.asked[0], "auction")
    seat = match.asked[0]
    space = strong.Space(match.rulebook, 1 + opponent_types.RECORDS, compiled=False)
    space.under(match.state)
    opponent_types.forget(space.work)
    for action, agrees in ((RAISE + 3, False), (RAISE + 1, True)):  # 500, and 50 of the 90 that everybody has
        space.put(match.state)
        opponent_types.overhear(space.states, 0, 1, seat, action, True, space.work)
        assert list(space.work.fits) == [int(agrees)] * opponent_types.WORLDS
        assert agrees or (space.work.posterior == space.work.before).all()


def test_who_is_ruled_out_is_not_judged_any_more():
    match = Match.new(rulebook("kuhhandel"), {}, 3, 1)
    match.play(match.asked[0], "auction")
    space = strong.Space(match.rulebook, 1 + opponent_types.RECORDS, compiled=False)
    space.under(match.state)
    space.put(match.state)
    opponent_types.forget(space.work)
    seat, easy = match.asked[0], HEARD.index("easy")
    space.work.posterior[seat, easy] = opponent_types.RULED_OUT - 1
    opponent_types.overhear(space.states, 0, 1, seat, RAISE + 1, True, space.work)
    assert space.work.posterior[seat, easy] == opponent_types.RULED_OUT - 1
    assert sorted(space.work.posterior[seat])[1] < 0 == space.work.posterior[seat].max(), "the two others are"


def test_who_is_taken_for_a_net_goes_on_as_one_and_lays_what_it_would_lay(monkeypatch):
    match = played("kuhhandel", ["steady"] * 3, moves=4)
    space = strong.Space(match.rulebook, compiled=False)
    space.under(match.state)
    work, movers = space.work, []
    work.posterior[:] = -opponent_types.SURE
    work.posterior[1, HEARD.index("net")] = 0
    nets = [opponent_types.assign_types(world, 0, 3, 0, work) >> 1 & 1 for world in range(256)]
    assert np.mean(nets) == pytest.approx(1 - work.doubt[0] * (1 - 1 / len(HEARD)), abs=0.01)
    net_step = determinize.net_step

    def stepped(states, at, seat, *rest):
        movers.append(seat)
        return net_step(states, at, seat, *rest)

    monkeypatch.setattr(determinize, "net_step", stepped)
    while match.state.offered < 1:
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", 4 + len(match.moves)).actions)
    seat, challenger = match.state.challenged, match.state.turn
    space.put(match.seen(seat))
    for who in (opponent_types.AS_STEADY, opponent_types.AS_NET):
        work.who[:] = who
        for number in range(8):
            determinize.determinize(space.states, 0, 1, seat, number, work)
        assert set(movers) == ({challenger} if who == opponent_types.AS_NET else set())


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"bidding": "realtime"}, {"overbid": "forbidden"}, {"copies": [4, 4, *[0] * 8]}])
def test_nobody_is_taken_for_a_net_under_rules_that_it_has_not_learned(options):
    match = Match.new(rulebook("kuhhandel"), options, 3, 1)
    match.play(match.asked[0], "auction")
    seat = Seat.of(match, match.asked[0], 1)
    space = strong.Space(match.rulebook, compiled=False)
    strong.learn(seat, space, False)
    assert (opponent_types.AS_NET in space.work.types) == ("copies" not in options), "nets carry over to house rules"
    decision = replace(STRONG, compiled=False, budget=0.5).decide(seat)
    assert decision.actions or options.get("bidding") == "realtime", "where anybody may speak it need not"
