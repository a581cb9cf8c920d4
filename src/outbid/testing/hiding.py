"""Properties of what is hidden: nothing leaks, and worlds are dealt anew honestly. Each is tried on the plain backend."""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from outbid.core import contract
from outbid.core.errors import OutbidError
from outbid.core.hooks.mechanisms import reason
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook
from outbid.testing.findings import Finding, Property, Trial, sentence_of
from outbid.testing.positions import Broken, Counted, actions_of, hidden, position, redealt, seats
from outbid.testing.unknown import unknown

FIXED = 10  # positions in which a field that is dealt by chance is not always the same


def seat_name(seat: int) -> str:
    """A seat in a sentence."""
    return "A spectator" if seat < 0 else f"Seat {seat}"


def observed(book: Rulebook, state: Any, seat: int) -> list[float]:
    """The features of a seat. Raises Broken unless each is written, IndexError if another is."""
    row = Counted([math.nan] * book.features)
    contract.observe(state, seat, row)
    for place, value in enumerate(row):
        if math.isnan(value):
            raise Broken(f"observe does not write feature {place} ({part_of(book, place)}) of seat {seat}.", "observe")
    return [float(value) for value in row]


def part_of(book: Rulebook, place: int) -> str:
    """The part of the observation to which a feature belongs."""
    return next(name for name, where in book.observation.items() if where.start <= place < where.stop)


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


def _leaks(t: Trial) -> Iterator[Finding]:
    state = t.position()
    words, names = t.book.words, [f"P{p}" for p in range(state.players)]
    for seat in seats(state):
        other = redealt(state, seat, t.seed)
        was, now = hidden(state, seat), hidden(other, seat)
        views = words.view(was, seat), words.view(now, seat)
        shown = sorted(key for key in {*views[0], *views[1]} if views[0].get(key) != views[1].get(key))
        beside = f", and so does its view ({', '.join(shown)})" if shown else ""
        for name in was.differences(now):
            yield t.found(
                f"{seat_name(seat)} sees that {name} changes when all it cannot know is dealt anew{beside}: "
                f"hide must overwrite {name}, or redeal keep it.",
                name,
                "hide",
            )
        if was == now and shown:
            yield t.found(f"The view of the same hidden state is not always the same: {', '.join(shown)}.")
        if was == now and words.question(was, seat, names) != words.question(now, seat, names):
            yield t.found("The question of the same hidden state is not always the same.")
        if contract.asked(state) >> max(seat, 0) & 1 and seat >= 0 and not contract.midway(state, seat):
            moves = random_move(other, seat, t.seed), random_move(other, seat, t.seed + 1)
            first, second = (reason(t.book, world, seat, moves, names, seat) for world in (state, other))
            if first != second:
                yield t.found(f"The reason for a move of seat {seat} depends on what it cannot know: {first!r}, {second!r}.")


def _features(t: Trial) -> Iterator[Finding]:
    state = t.position()
    for seat in range(state.players):
        blank = hidden(state, seat)
        row = observed(t.book, blank, seat)

        def look(s: Any, seat: int = seat) -> list[float]:
            return observed(t.book, s, seat)

        for other in (state, redealt(state, seat, t.seed)):
            seen = look(other)
            if seen != row:
                name = culprit(other, blank, look)
                parts = dict.fromkeys(part_of(t.book, k) for k in range(len(row)) if row[k] != seen[k])
                yield t.found(
                    f"The features of seat {seat} ({', '.join(parts)}) are made of what is hidden from it"
                    f"{f': observe reads {name}' if name else ''}.",
                    name,
                    "observe",
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
            name = culprit(state, was, asked)
            yield t.found(f"Whether seat {seat} is asked depends on what it cannot know.", name, "asked")
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
                yield t.found(f"The {what} of seat {seat} depend on what it cannot know{by}.", name, "legal")
        if contract.midway(state, seat):
            continue
        for move in t.wrong_moves:
            first, second = refusal(t.book, state, seat, move), refusal(t.book, other, seat, move)
            if first != second:
                yield t.found(
                    f"What seat {seat} is told of the move {move} depends on what it cannot know: {first!r}, {second!r}."
                )


def random_move(state: Any, seat: int, seed: int) -> list[int]:
    """A whole move of an asked seat, made of random steps."""
    rng, trial, actions = random.Random(seed), state.copy(), list[int]()
    while (not actions or contract.midway(trial, seat)) and (legal := actions_of(trial, seat)):
        actions.append(rng.choice(legal))
        contract.apply(trial, seat, actions[-1])
    return actions


def refusal(book: Rulebook, state: Any, seat: int, move: dict[str, Any]) -> str:
    """What a seat is told of a move; its actions if it is one."""
    try:
        return str(book.words.steps(state, seat, move))
    except OutbidError as error:
        return str(error)


def _log(t: Trial) -> Iterator[Finding]:
    match = t.played(60)
    words = t.book.words
    fresh = Match.load(t.book, match.options, match.names, match.deal)
    expected: dict[int, list[str]] = {seat: [] for seat in range(-1, match.players)}
    for n, move in enumerate(match.moves):
        t.move = n
        before = fresh.copy()
        fresh.play(move["seat"], move)
        place = contract.CLOCK if move["seat"] is None else move["seat"]
        fields = {key: value for key, value in move.items() if key != "seat"}
        other, instead = another(before, place, t.seed + n + 1)  # with the same seed it would be the same
        for seat in expected:
            # both worlds are dealt anew for this seat and hidden again: only its own knowledge is left
            was = hidden(redealt(before.state, seat, t.seed + n), seat)
            now = hidden(redealt(fresh.state, seat, t.seed - n), seat)
            shown = words.masked(before.state, place, fields, seat)
            try:
                told: Any = words.told(was, place, shown, now, seat, match.names)
            except KeyError as error:
                if error.args[0] in shown or error.args[0] not in fields:
                    raise
                sentence = f"{sentence_of(error)} {seat_name(seat)} is told only {shown} of the move {fields}."
                yield t.found(sentence, rule="told")
                return
            if not isinstance(told, list) or not all(isinstance(line, str) for line in told):
                yield t.found(f"told returns {told!r}; it must be a list of lines.", rule="told")
                return
            if (field := _spoken_of(t.book, told, place, shown, was, now, seat, match.names)) is not None:
                sentence = (
                    f"{seat_name(seat)} reads {told}, which says what lies at a place of {field} that it does not see: "
                    "reveal the place to it, or leave that out of told."
                )
                yield t.found(sentence, field, "told")
                return
            expected[seat] += told
            if other is None or seat == place or fresh.state == other or hidden(fresh.state, seat) != hidden(other, seat):
                continue
            others = words.masked(before.state, place, instead, seat)
            if others != shown:  # after both moves the seat sees the same
                rule = "masked" if contract.defined(t.book.modules, "masked") else "is_public"
                apart = ", ".join(key for key in {**shown, **others} if shown.get(key) != others.get(key))
                yield t.found(
                    f"{seat_name(seat)} is told {shown} of the move {fields}, and {others} of {instead}; but the fields "
                    f"that it sees are the same after either, so redeal cannot agree with it. Keep {apart} in a field that "
                    f"it sees, or let {rule} hide it.",
                    fresh.state.differences(other)[0],
                    rule,
                )
                return
    for seat, lines in expected.items():
        log = [line.text for line in match.log(seat)]
        if log != lines:
            line, twin = next(((a, b) for a, b in zip(log, lines, strict=False) if a != b), ("", ""))
            yield t.found(
                f"The log tells {seat_name(seat).lower()} {line!r}, and {twin!r} where what it cannot know is dealt anew: "
                "told may speak only of what it is given."
            )


def _spoken_of(book: Rulebook, told: Any, place: int, shown: Any, was: Any, now: Any, seat: int, names: Any) -> str | None:
    """The field of which the log's lines speak at a place that the seat does not know."""
    spoken = list[str]()
    try:
        again = book.words.told(unknown(was, spoken), place, shown, unknown(now, spoken), seat, names)
    except IndexError:
        again = None
    except Exception:  # no number is there
        return None
    return spoken[-1] if spoken and again != told else None


def another(match: Match, place: int, seed: int) -> tuple[Any, dict[str, Any]]:
    """The state after another random move of a place, and that move; none if nothing comes of it."""
    try:
        twin = match.copy()
        move = twin.random_move(place, seed)
    except OutbidError:
        return None, {}
    return twin.state, move


def _hide(t: Trial) -> Iterator[Finding]:
    state = t.position()
    for seat in seats(state):
        once = hidden(state, seat)
        for name in hidden(once, seat).differences(once):
            sentence = f"What is hidden from {seat_name(seat).lower()} changes {name} when it is hidden again."
            yield t.found(sentence, name, "hide")


# --- redeal -----------------------------------------------------------------------------------------------------------


def _redeal(t: Trial) -> Iterator[Finding]:
    state = t.position()
    for seat in seats(state):
        world = redealt(state, seat, t.seed)
        blank = hidden(state, seat)
        for name in redealt(state, seat, t.seed).differences(world):
            yield t.found(f"With the same seed, redeal deals another {name}: draw all chance from the seed.", name, "redeal")
            return
        again = redealt(blank, seat, t.seed)
        for name in again.differences(world):
            unchanged = getattr(world, name) == getattr(state, name) and getattr(again, name) == getattr(blank, name)
            whose = f"redeal for {seat_name(seat).lower()}"
            reads = f"{whose} reads what is hidden: from the hidden state it deals another {name}."
            leaves = f"{whose} leaves {name} as it finds it: it must fill what is hidden at random."
            yield t.found(leaves if unchanged else reads, name, "redeal")

        def anew(s: Any, seat: int = seat) -> None:
            contract.redeal(s, seat, t.seed)

        yield from t.checked(world, f"In a world dealt anew for {seat_name(seat).lower()},", anew, state)


def _worlds(t: Trial) -> Iterator[Finding]:
    state = t.position()
    reached = t.move
    for seat in seats(state):
        world = redealt(state, seat, t.seed)
        t.move = reached
        before, last = world.copy(), (0, 0)

        def step(s: Any) -> None:
            contract.apply(s, *last)  # noqa: B023 - it is called before the next step

        try:
            for taken in t.walk(world, 100):
                if t.move != reached:
                    where = f"In a world dealt anew for {seat_name(seat).lower()}, played on,"
                    findings = list(t.checked(world, where, step, before))
                    yield from findings
                    if findings:
                        return
                before, last = world.copy(), taken
        except Broken as error:
            reason = str(error)
            where = f"In a world dealt anew for {seat_name(seat).lower()}, played on"
            raise Broken(f"{where}, {reason[:1].lower()}{reason[1:]}", "redeal") from error


def _truth(t: Trial) -> Iterator[Finding]:
    different, total, names = honesty(t.book, t.seed)
    tried, chance = _by_chance(t.book, t.seed)
    for name in tried:
        if tried[name] >= FIXED and not chance[name]:
            yield t.found(f"redeal always deals the same {name}, whatever the seed: fill it at random.", name, "redeal")
    if total > 20 and different <= 0.7 * total:
        sentence = f"redeal returns the truth in {total - different} of {total} positions ({', '.join(names)})."
        yield t.found(sentence, names[0] if names else None, "redeal")


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


def _by_chance(book: Rulebook, seed: int) -> tuple[Counter[str], Counter[str]]:
    """For each hidden field, in how many positions worlds had another one than the truth, and in how many of these two
    worlds differed in it."""
    tried, chance = Counter[str](), Counter[str]()
    knows = {field.name for field in book.layout.facts if field.knows}
    for number in range(seed, seed + 2 * FIXED):
        state = position(book, number, 600)
        seat = number % (state.players + 1) - 1
        worlds = [redealt(state, seat, n) for n in range(3)]
        for name in set(worlds[0].differences(hidden(state, seat))) - knows if contract.asked(state) else ():
            fields = [getattr(world, name) for world in worlds]
            if getattr(state, name) not in fields:
                tried[name] += 1
                chance[name] += any(field != fields[0] for field in fields)
    return tried, chance


LEAKS = Property("leaks", "a seat sees nothing that it cannot know", _leaks)
FEATURES = Property("features", "observe writes every feature and reads nothing hidden", _features)
CHOICES = Property("choices", "legal actions, menus and refusals do not depend on what is hidden", _choices)
LOG = Property("log", "a log is told from nothing that is hidden", _log)
HIDE = Property("hide", "hiding twice is hiding once", _hide)
REDEAL = Property("redeal", "redeal reads nothing hidden and loses nothing", _redeal)
WORLDS = Property("worlds", "a world dealt anew can be played on", _worlds)
TRUTH = Property("truth", "redeal does not always return the truth", _truth, once=True)
