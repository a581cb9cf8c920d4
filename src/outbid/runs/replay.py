"""Single matches of a run as a `Match`: replayed from seed and number, or played by bots that are asked for whole moves."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from outbid.bots import choose, prepare
from outbid.bots.like import LikeBot
from outbid.bots.nets.net_policy import draw_of
from outbid.bots.outside import FILE, NetBot
from outbid.bots.slips import slipping
from outbid.compiled import inference, loops
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.errors import BadSetup
from outbid.core.fields import Records
from outbid.core.match import Match, check_names, hidden
from outbid.core.rulebook import Rulebook
from outbid.runs.sources import bots_of_files

CLOCKED = "Who was fitted to people does not play against the clock: no record says when they were silent."


def play_on(match: Match, thought: Callable[[int], Sequence[int]]) -> list[int]:
    """Play a match to its end and return its row of `loops.columns`. thought: the steps of an asked seat's move, none if it
    has nothing to say; the first of those asked that says something moves, else the clock acts."""
    players = match.state.players
    tally = [0] * loops.columns(players)
    while not match.over:
        thoughts = ((seat, thought(seat)) for seat in match.asked)
        seat, actions = next((answer for answer in thoughts if answer[1]), (-1, ()))
        if actions:
            match.play_steps(seat, actions)
            tally[players + seat] += 1
            tally[2 * players + seat] += len(actions)
        else:
            match.play(None, "close")
            tally[3 * players + 1] += 1
    return _ended(match, tally)


def _ended(match: Match, tally: list[int]) -> list[int]:
    """The row of a match that is over: its moves and steps, and now its scores and winners."""
    players = match.state.players
    tally[:players] = match.scores
    tally[3 * players] = sum(1 << seat for seat in match.winners)
    return tally


def asked_match(
    book: Rulebook, options: Mapping[str, Any], names: Sequence[str], seed: int, number: int
) -> tuple[Match, list[int]]:
    """A match among bots that are asked for whole moves, and its row of `loops.columns`."""
    deal = stream(seed, number)
    for name in set(names):
        prepare(name, book)
    match = Match.new(book, options, len(names), deal, _called(names))
    tally = play_on(match, lambda seat: choose(match, seat, names[seat], stream(deal, loops.SEATS_FROM + seat)).actions)
    return match, tally


def _called(names: Sequence[str]) -> list[str]:
    """What the players of a match among bots are called: as the bots, unless that is no name."""
    try:
        return check_names(names, len(names))
    except BadSetup:
        return [f"Bot {seat + 1}" for seat in range(len(names))]


def replay(book: Rulebook, options: Mapping[str, Any], names: Sequence[str], seed: int, number: int) -> Match:
    """The match with this number of a run, played out. names: one bot per seat."""
    return replayed(book, options, names, seed, number)[0]


def replayed(
    book: Rulebook, options: Mapping[str, Any], names: Sequence[str], seed: int, number: int
) -> tuple[Match, list[int]]:
    """The match, and its row of `loops.columns`. Bots from files draw as they do in the compiled loop."""
    players, deal = len(names), stream(seed, number)
    files = bots_of_files(names)
    known = book.personas.policies | {name: loops.OUTSIDE - k for k, name in enumerate(files)}
    if not known.keys() >= set(names):
        return asked_match(book, options, names, seed, number)
    policies = [known[name] for name in names]
    fresh = book.fresh(options)
    nets = [NetBot.load(name).under(fresh) for name in files if name.startswith(FILE)]
    likes = [LikeBot.load(name).of(book) for name in files[len(nets) :]]
    match = Match.new(book, options, players, deal, _called(names))
    states = Records([match.state.copy(), match.state])
    tally, out, note = [0] * loops.columns(players), [0] * (book.actions + contract.MOST_ACTIONS), [0] * 8
    actions: list[int] = []
    while contract.asked(states[0]):
        seat, action = loops.next_step(states, 0, deal, policies, players, out, note, tally)
        if seat != contract.CLOCK and policies[seat] <= loops.OUTSIDE:
            moves = sum(tally[players : 2 * players]) + tally[3 * players + 1]
            own, k = stream(stream(deal, loops.SEATS_FROM + seat), moves), loops.OUTSIDE - policies[seat]
            if k < len(nets):
                legal, likely = nets[k].priors(states[0], seat)
                action = legal[inference.place(likely, len(legal), draw_of(own, len(actions)))]
            elif contract.asked(states[0]) >> contract.CLOCK & 1:
                raise BadSetup(CLOCKED)
            else:
                bot = likes[k - len(nets)]
                action = slipping(hidden(states[0], seat), seat, own, len(actions), bot.slip, note, out, bot.params)
        contract.apply(states[0], seat, action)
        loops.count_step(states[0], seat, players, tally)
        actions.append(action)
        if not contract.midway(states[0], seat):
            match.play_steps(None if seat == contract.CLOCK else seat, actions)
            actions = []
    return match, _ended(match, tally)
