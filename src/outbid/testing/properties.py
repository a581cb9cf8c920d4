"""The properties of every game, each tried in one random match on the plain backend.

A property is called with a rulebook, a number of matches and a seed, and yields findings: `list(LEAKS(book, 20, seed=7))`.
The properties that compile a game stand in compiled.py.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator
from typing import Any

from outbid.engine import chance, contract, loops
from outbid.engine.errors import OutbidError
from outbid.engine.match import Match, replay
from outbid.engine.rulebook import Rulebook
from outbid.testing.findings import Finding, Property, Trial
from outbid.testing.positions import (
    Broken,
    Counted,
    actions_of,
    counted,
    hidden,
    places,
    position,
    random_setup,
    redealt,
    seats,
    walk,
)

STEPS = 500  # at most of one move


def seat_name(seat: int) -> str:
    """A seat in a sentence."""
    return "A spectator" if seat < 0 else f"Seat {seat}"


def observed(book: Rulebook, state: Any, seat: int) -> list[float]:
    """The features of a seat. Raises Broken unless each is written, IndexError if another is."""
    row = Counted([math.nan] * book.features)
    contract.observe(state, seat, row)
    for place, value in enumerate(row):
        if math.isnan(value):
            raise Broken(f"observe does not write feature {place} ({part_of(book, place)}) of seat {seat}.")
    return [float(value) for value in row]


def part_of(book: Rulebook, place: int) -> str:
    """The part of the observation to which a feature belongs."""
    return next(name for name, where in book.observation.items() if where.start <= place < where.stop)


def parts_apart(book: Rulebook, one: list[float], two: list[float]) -> str:
    """The parts of the observation in which two rows differ."""
    return ", ".join(dict.fromkeys(part_of(book, k) for k in range(len(one)) if one[k] != two[k]))


def culprit(state: Any, blank: Any, look: Callable[[Any], Any]) -> str | None:
    """The hidden field that `look` reads: with it alone shown, it sees something else than in the hidden state."""
    for name in state.differences(blank):
        twin = blank.copy()
        setattr(twin, name, getattr(state.copy(), name))
        try:
            if look(twin) != look(blank):
                return name
        except Exception:  # a state that cannot be
            continue
    return None


# --- what is hidden ---------------------------------------------------------------------------------------------------


def _leaks(t: Trial) -> Iterator[Finding]:
    state = t.position()
    words, names = t.book.words, [f"P{p}" for p in range(state.players)]
    for seat in seats(state):
        other = redealt(state, seat, t.seed)
        one, two = hidden(state, seat), hidden(other, seat)
        views = words.view(one, seat), words.view(two, seat)
        shown = sorted(key for key in {*views[0], *views[1]} if views[0].get(key) != views[1].get(key))
        beside = f", and so does its view ({', '.join(shown)})" if shown else ""
        for name in one.differences(two):
            yield t.found(
                f"{seat_name(seat)} sees that {name} changes when all it cannot know is dealt anew{beside}: "
                f"hide must overwrite {name}, or redeal keep it.",
                name,
            )
        if one == two and shown:
            yield t.found(f"The view of the same hidden state is not always the same: {', '.join(shown)}.")
        if one == two and words.question(one, seat, names) != words.question(two, seat, names):
            yield t.found("The question of the same hidden state is not always the same.")


def _features(t: Trial) -> Iterator[Finding]:
    state = t.position()
    for seat in range(state.players):
        blank = hidden(state, seat)
        row = observed(t.book, blank, seat)
        for other in (state, redealt(state, seat, t.seed)):
            seen = observed(t.book, other, seat)
            if seen != row:
                name = culprit(other, blank, lambda s, seat=seat: observed(t.book, s, seat))
                yield t.found(
                    f"The features of seat {seat} ({parts_apart(t.book, row, seen)}) are made of what is hidden from it"
                    f"{f': observe reads {name}' if name else ''}.",
                    name,
                )
                return


def _choices(t: Trial) -> Iterator[Finding]:
    state = t.position()
    words = t.book.words
    for seat in range(state.players):
        other = redealt(state, seat, t.seed)
        was, now = hidden(state, seat), hidden(other, seat)

        def asked(s: Any, seat: int = seat) -> int:
            return contract.asked(s) >> seat & 1

        if asked(was) != asked(now):
            yield t.found(f"Whether seat {seat} is asked depends on what it cannot know.", culprit(state, was, asked))
        if not asked(state) or contract.midway(state, seat) != contract.midway(was, seat):
            continue

        def legal(s: Any, seat: int = seat) -> list[int]:
            return actions_of(s, seat)

        def menu(s: Any, seat: int = seat) -> Any:
            return words.menu(s, seat)

        for look, what in ((legal, "legal actions"), *([] if contract.midway(state, seat) else [(menu, "menu")])):
            if not look(state) == look(other) == look(was):
                name = culprit(state, was, look) or culprit(other, was, look)
                by = f": {name} decides" if name else ""
                yield t.found(f"The {what} of seat {seat} depend on what it cannot know{by}.", name)
        if contract.midway(state, seat):
            continue
        for move in wrong_moves(t):
            one, two = refusal(t.book, state, seat, move), refusal(t.book, other, seat, move)
            if one != two:
                yield t.found(
                    f"What seat {seat} is told of the move {move} depends on what it cannot know: {one!r}, {two!r}."
                )


def wrong_moves(t: Trial) -> list[dict[str, Any]]:
    """Moves that are refused nearly everywhere."""
    return [{"do": do} for do in t.book.words.EXPECTED] + [dict(move) for move in t.own.wrong]


def refusal(book: Rulebook, state: Any, seat: int, move: dict[str, Any]) -> str:
    """What a seat is told of a move; its actions if it is one."""
    try:
        return str(book.words.steps(state, seat, move))
    except OutbidError as error:
        return str(error)


def _log(t: Trial) -> Iterator[Finding]:
    match = played(t.book, t.seed, 60)
    words = t.book.words
    fresh = Match.load(t.book, match.options, match.names, match.deal)
    expected: dict[int, list[str]] = {seat: [] for seat in range(-1, match.players)}
    for n, move in enumerate(match.moves):
        t.move = n
        before = fresh.copy()
        fresh.play(move["seat"], move)
        place = contract.CLOCK if move["seat"] is None else move["seat"]
        made = {key: value for key, value in move.items() if key != "seat"}
        other, instead = another(before, place, t.seed + n + 1)  # with the same seed it would be the same
        for seat in expected:
            # both worlds are dealt anew for this seat and hidden again: only its own knowledge is left
            was = hidden(redealt(before.state, seat, t.seed + n), seat)
            now = hidden(redealt(fresh.state, seat, t.seed - n), seat)
            shown = words.masked(before.state, place, made, seat)
            expected[seat] += words.told(was, place, shown, now, seat, match.names)
            if other is None or seat == place or fresh.state == other or hidden(fresh.state, seat) != hidden(other, seat):
                continue
            if words.masked(before.state, place, instead, seat) != shown:  # after both moves the seat sees the same
                yield t.found(
                    f"{seat_name(seat)} is told {shown} of the move {made}, and "
                    f"{words.masked(before.state, place, instead, seat)} of {instead}, after which it sees the same.",
                    fresh.state.differences(other)[0],
                )
                return
    for seat, lines in expected.items():
        log = [line.text for line in match.log(seat)]
        if log != lines:
            one, two = next(((a, b) for a, b in zip(log, lines, strict=False) if a != b), ("", ""))
            yield t.found(
                f"The log of {seat_name(seat).lower()} is told from what is hidden: {one!r}, in another world {two!r}."
            )


def another(match: Match, place: int, seed: int) -> tuple[Any, dict[str, Any]]:
    """The state after another random move of a place, and that move; none if nothing comes of it."""
    try:
        twin = match.copy()
        said = twin.random_move(place, seed)
    except OutbidError:
        return None, {}
    return twin.state, said


def _hide(t: Trial) -> Iterator[Finding]:
    state = t.position()
    for seat in seats(state):
        once = hidden(state, seat)
        for name in hidden(once, seat).differences(once):
            yield t.found(f"What is hidden from {seat_name(seat).lower()} changes {name} when it is hidden again.", name)


# --- redeal -----------------------------------------------------------------------------------------------------------


def _redeal(t: Trial) -> Iterator[Finding]:
    state = t.position()
    for seat in seats(state):
        world = redealt(state, seat, t.seed)
        for name in redealt(hidden(state, seat), seat, t.seed).differences(world):
            yield t.found(
                f"redeal for {seat_name(seat).lower()} reads what is hidden: from the hidden state it deals another {name}.",
                name,
            )
        yield from t.checked(world, f"In a world dealt anew for {seat_name(seat).lower()}")


def _worlds(t: Trial) -> Iterator[Finding]:
    state = t.position()
    reached = t.move
    for seat in seats(state):
        world = redealt(state, seat, t.seed)
        t.move = reached
        try:
            for _ in t.walk(world, 100):
                found = list(t.checked(world, f"In a world dealt anew for {seat_name(seat).lower()}, played on,"))
                yield from found
                if found:
                    return
        except Broken as error:
            raise Broken(f"In a world dealt anew for {seat_name(seat).lower()}, played on: {error}") from error


def _truth(t: Trial) -> Iterator[Finding]:
    different, total, names = honesty(t.book, t.seed)
    if total > 20 and different <= 0.7 * total:
        sentence = f"redeal returns the truth in {total - different} of {total} positions ({', '.join(names)})."
        yield t.found(sentence, names[0] if names else None)


def honesty(book: Rulebook, seed: int) -> tuple[int, int, list[str]]:
    """In how many positions redeal found another world than the true one, in three tries, of how many in which it dealt
    anything anew; and the fields that it deals."""
    different = total = 0
    names: dict[str, None] = {}
    for number in range(seed, seed + 30):
        state = position(book, number, 600)
        for seat in seats(state):
            blank = hidden(state, seat)
            apart, anew = False, []
            for n in range(3):
                world = redealt(state, seat, n)
                anew = [name for name in state.differences(blank) if getattr(world, name) != getattr(blank, name)]
                names.update(dict.fromkeys(anew))
                apart = apart or any(getattr(world, name) != getattr(state, name) for name in anew)
            if anew and (contract.asked(state) or apart):  # when a match is over, everybody may know everything
                total += 1
                different += apart
    return different, total, list(names)


# --- moves ------------------------------------------------------------------------------------------------------------


def _asks(t: Trial) -> Iterator[Finding]:
    state = t.deal()
    t.move = 0
    if not contract.asked(state):
        yield t.found("Nobody is asked in a fresh match, as if it were over.")
    for _ in t.walk(state, 600):
        for place in places(state):
            legal = actions_of(state, place)
            twice = [action for action in legal if legal.count(action) > 1]
            strange = [action for action in legal if not 0 <= action < t.book.actions]
            if not legal and contract.CLOCK not in places(state):
                yield t.found(f"Seat {place} is asked and has no legal action, and no clock is asked.")
            if twice:
                yield t.found(f"legal lists action {twice[0]} of seat {place} twice.")
            if strange:
                yield t.found(f"legal lists action {strange[0]} of seat {place}; the actions are 0 to {t.book.actions - 1}.")
            if not legal or twice or strange:
                return
    if not contract.asked(state):
        yield from _over(t, state)


def _over(t: Trial, state: Any) -> Iterator[Finding]:
    """Where nobody is asked, the match is over: it has winners, no move is begun, and nothing goes on."""
    points = [0] * state.players
    mask = contract.winners(state, points)
    if not 0 < mask < 1 << state.players:
        yield t.found(f"Nobody is asked, so the match is over, but winners gives {mask:#b} for {state.players} players.")
    for seat in range(state.players):
        if contract.midway(state, seat):
            yield t.found(f"Nobody is asked, as if the match were over, but seat {seat} has begun a move.")
    twin = state.copy()
    try:
        for seat in range(state.players):
            offered = t.book.words.menu(hidden(twin, seat), seat).texts
            if offered:
                contract.apply(twin, seat, actions_of(twin, seat)[0])
            if contract.asked(twin):
                yield t.found(
                    f"Nobody is asked, as if the match were over, but the menu of seat {seat} offers {offered[0]!r}, "
                    f"and after such a move {', '.join(f'seat {place}' for place in places(twin))} would be asked."
                )
                return
    except Exception:
        return  # the rules need not know what to do in a match that is over


def _accepted(t: Trial) -> Iterator[Finding]:
    match = some_played(t)
    words, table = t.book.words, t.book.action_table
    for place in places(match.state):
        rng = random.Random(t.seed)
        legal = actions_of(match.state, place)
        for first in legal if len(legal) <= 12 else rng.sample(legal, 12):
            steps, state = [first], match.state.copy()
            contract.apply(state, place, first)
            while contract.midway(state, place):
                if len(steps) > STEPS:
                    yield t.found(
                        f"A move of seat {place} that begins with {table[first].name} is not complete after {STEPS} steps."
                    )
                    return
                steps.append(rng.choice(actions_of(state, place)))
                contract.apply(state, place, steps[-1])
            said_as = words.move(match.state, place, steps)
            what = f"legal lists {table[first].name} for seat {place}, but the move {said_as}"
            twin = match.copy()
            try:
                twin.play(None if place == contract.CLOCK else place, said_as)
            except OutbidError as error:
                yield t.found(f"{what} is refused: {error}")
                return
            for name in twin.state.differences(state):
                yield t.found(f"{what} makes another {name} than its steps.", name)
            if words.parse(words.text(said_as)) != said_as:
                yield t.found(f"The move {said_as} is typed {words.text(said_as)!r}, which is read as another.")


def _menu(t: Trial) -> Iterator[Finding]:
    match = some_played(t)
    for seat in range(match.players):
        menu = match.legal(seat)
        if bool(len(menu)) != (seat in match.asked) and not match.clock:
            yield t.found(
                f"Seat {seat} is {'not ' if seat not in match.asked else ''}asked; its menu has {len(menu)} choices."
            )
        for choice in menu:
            offered: list[Any] = [choice.text] if choice.whole else []
            offered += [{**choice.move, "amount": amount} for amount in sorted({*choice.amounts[:1], *choice.amounts[-1:]})]
            for move in [*offered, *choice.moves[:2], *choice.moves[-2:]]:
                try:
                    match.copy().play(seat, move)
                except OutbidError as error:
                    yield t.found(f"The menu of seat {seat} offers {move!r}, which is refused: {error}")
        before = match.state.copy()
        whole = {json.dumps(choice.move, sort_keys=True) for choice in menu if choice.whole}
        for move in wrong_moves(t):
            if set(move) == {"do"} and json.dumps(move, sort_keys=True) not in whole:
                try:
                    match.copy().play(seat, move)
                except OutbidError:
                    continue
                yield t.found(f"The menu of seat {seat} does not offer {move}, which is accepted.")
        for name in match.state.differences(before):
            yield t.found(f"A refused move of seat {seat} changes {name}.", name)


def _ends(t: Trial) -> Iterator[Finding]:
    state = t.deal(knobs=False)
    out = [0] * max(256, t.book.actions + 1)
    t.move = loops.playout([state], 0, chance.stream(t.seed, 1), t.book.longest + 1, out)
    if t.move > t.book.longest:
        yield t.found(f"The match is not over after {t.book.longest} steps, the bound `longest`.")


# --- the state --------------------------------------------------------------------------------------------------------


def _conserved(t: Trial) -> Iterator[Finding]:
    state = t.deal()
    for _ in t.walk(state, 2500):
        found = list(t.checked(state, "In the match"))
        yield from found
        if found:
            return
    yield from t.checked(state, "In the match")


def _indices(t: Trial) -> Iterator[Finding]:
    """Compiled, an index that counts from the end would lead out of the state."""
    state, book = t.position(300), t.book
    note, points, out = Counted([0] * 64), Counted([0] * 64), Counted([0] * max(256, book.actions + 1))
    contract.score(counted(book, state), points)
    contract.winners(counted(book, state), points)
    for seat in seats(state):
        contract.hide(counted(book, state), seat)
        contract.redeal(counted(book, state), seat, t.seed)
    for seat in range(state.players):
        contract.recall(counted(book, redealt(state, seat, t.seed)), seat)
        contract.observe(counted(book, state), seat, Counted([0.0] * book.features))
        n = contract.legal(counted(book, state), seat, out) if contract.asked(state) >> seat & 1 else 0
        for k in range(min(n, 3)):
            contract.apply(counted(book, state), seat, out[(t.seed + k) % n])
        if n:
            who = t.seed % max(1, len(book.characters.players))
            contract.play(counted(book, hidden(state, seat)), seat, t.seed, note, who)
    yield from ()


def _copies(t: Trial) -> Iterator[Finding]:
    state = t.position()
    twin, before = state.copy(), state.copy()
    for _ in walk(twin, t.seed, 200):
        pass
    for name in state.differences(before):
        yield t.found(f"Playing on in a copy changes {name} of the original.", name)


# --- records ----------------------------------------------------------------------------------------------------------


def played(book: Rulebook, seed: int, moves: int) -> Match:
    """A random match of at most so many moves."""
    rng = random.Random(seed)
    match = Match.new(book, *random_setup(book, rng, knobs=False), seed)
    for n in range(moves):
        if match.over:
            break
        seat = rng.choice(places(match.state))
        if actions_of(match.state, seat):
            match.random_move(seat, seed + n)
        elif contract.CLOCK not in places(match.state):
            raise Broken(f"Seat {seat} is asked and has no legal action, and no clock is asked.")
    return match


def some_played(t: Trial) -> Match:
    """A random match of a random number of moves."""
    match = played(t.book, t.seed, random.Random(t.seed + 2).randint(0, min(70, t.book.longest)))
    t.move = len(match.moves)
    return match


def _records(t: Trial) -> Iterator[Finding]:
    match = played(t.book, t.seed, 500)
    record = json.loads(json.dumps(match.record()))
    try:
        again = replay(t.book, record)
    except OutbidError as error:
        yield t.found(f"The record does not replay: {error}")
        return
    for key in record:
        if again.record().get(key) != match.record()[key]:
            yield t.found(f"The record, replayed, has another {key}.")
    for name in again.state.differences(match.state):
        yield t.found(f"The record, replayed, leads to another {name}.", name)


def _typed(t: Trial) -> Iterator[Finding]:
    match = played(t.book, t.seed, 80)
    for n, move in enumerate(match.moves):
        made = {key: value for key, value in move.items() if key != "seat"}
        text = t.book.words.text(made)
        try:
            again = t.book.words.parse(text)
        except OutbidError as error:
            again = str(error)
        if again != made:
            t.move = n
            yield t.found(f"The move {made} is typed {text!r}, which is read as {again}.")
            return


def _seeds(t: Trial) -> Iterator[Finding]:
    one, two = (played(t.book, t.seed, 200).record() for _ in range(2))
    for key in one:
        if one[key] != two.get(key):
            yield t.found(f"Two matches with the same seed and the same choices have another {key}.")


FEATURES = Property("features", "observe writes every feature and reads nothing hidden", _features)
INDICES = Property("indices", "no index leads out of a field", _indices)
ASKS = Property("asks", "a match that is not over asks somebody who can answer", _asks)
ENDS = Property("ends", "a match ends within the bound", _ends)
CONSERVED = Property("conserved", "no field overflows, and the author's check holds", _conserved)
ACCEPTED = Property("accepted", "what is legal is accepted", _accepted)
MENU = Property("menu", "what the menu offers is accepted, and nothing else", _menu)
HIDE = Property("hide", "hiding twice is hiding once", _hide)
LEAKS = Property("leaks", "a seat sees nothing that it cannot know", _leaks)
CHOICES = Property("choices", "legal actions, menus and refusals do not depend on what is hidden", _choices)
LOG = Property("log", "a log is told from nothing that is hidden", _log)
REDEAL = Property("redeal", "redeal reads nothing hidden and loses nothing", _redeal)
WORLDS = Property("worlds", "a world dealt anew can be played on", _worlds)
TRUTH = Property("truth", "redeal does not always return the truth", _truth, once=True)
COPIES = Property("copies", "copies are independent", _copies)
RECORDS = Property("records", "a record replays to the same match", _records)
TYPED = Property("typed", "every move can be typed", _typed)
SEEDS = Property("seeds", "the same seed gives the same match", _seeds)
PLAIN = (
    ASKS, ENDS, CONSERVED, ACCEPTED, MENU, HIDE, LEAKS, FEATURES, INDICES, CHOICES, LOG, REDEAL, WORLDS, TRUTH, COPIES,
    RECORDS, TYPED, SEEDS,
)  # fmt: skip
