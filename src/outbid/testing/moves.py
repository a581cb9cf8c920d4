"""Properties of play: who is asked, what is legal and accepted, when a match ends, what states and records keep.

Each is tried on the plain backend."""

import contextlib
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from outbid.bots.heuristic import NOTE
from outbid.compiled import loops
from outbid.core import chance, contract
from outbid.core.derived.visibility import score_parts
from outbid.core.errors import BadOption, BadSetup, OutbidError
from outbid.core.fields import RANGES
from outbid.core.match import Match, replay
from outbid.core.moves import Moves
from outbid.core.rulebook import whole
from outbid.testing import positions
from outbid.testing.findings import Finding, Property, Trial, sentence_of
from outbid.testing.positions import Broken, Counted, actions_of, counted, hidden, places, played, redealt, seats, walk
from outbid.testing.source import blamed, declared, within
from outbid.testing.watch import IMPATIENCE, STUCK, Stuck, limited

STEPS = 500  # at most of one move
PLAYED = 60  # steps of a match among the game's own players, which may think long
ASKED = 7  # steps, after one of which the rules are asked what they tell
FAR = 400  # steps of a match with an option at its end, and values of an option that are far apart
MORE = 3  # times the bound of a match that is played on beyond it
AGAIN = 3  # moves, of one of which `steady` is asked twice


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
                yield t.found(f"Seat {place} is asked and has no legal action, and no clock is asked.", rule="legal")
            if twice:
                yield t.found(f"legal lists action {twice[0]} of seat {place} twice.", rule="legal")
            if strange:
                sentence = f"legal lists action {strange[0]} of seat {place}; the actions are 0 to {t.book.actions - 1}."
                yield t.found(sentence, rule="legal")
            if not legal or twice or strange:
                return
    if not contract.asked(state):
        yield from _over(t, state)


def _seats(t: Trial) -> Iterator[Finding]:
    low, high = t.book.seats({})
    for players in {low, high}:
        asked = 0
        for t.seed in range(t.seed, t.seed + AGAIN):  # noqa: B020
            state = t.begin({}, players)
            for _ in t.walk(state, 300):
                asked |= contract.asked(state)
        never = [seat for seat in range(players) if not asked >> seat & 1]
        if never:
            sentence = f"Of {players} players seat {never[0]} is asked in none of {AGAIN} matches: is that meant?"
            yield t.found(sentence, rule="asked", asks=True)


def _answers(t: Trial) -> Iterator[Finding]:
    state = t.deal()
    for n, (seat, action) in enumerate(t.walk(state, 300)):
        if n % ASKED == t.seed % ASKED:
            after = state.copy()  # which nothing has been asked
            contract.apply(after, seat, action)
            findings = list(_told(t, after))
            yield from findings
            if findings:
                return
    words, names = t.book.words, [f"P{seat}" for seat in range(state.players)]
    for viewer in seats(state):
        blank = hidden(state, viewer)
        for rule, kind in (("question", str), ("board", str), ("view", dict)):
            text = getattr(words, rule)(blank, viewer, *([names] if kind is str else []))
            if not isinstance(text, kind):
                yield t.found(f"{rule} returns {text!r}; it must be a {kind.__name__}.", rule=rule)
                return
            json.dumps(text)  # what raises is a finding


def _told(t: Trial, state: Any) -> Iterator[Finding]:
    """What a function changes that only tells something, and what it tells differently when it is asked again."""
    players, room = state.players, max(256, t.book.actions + 1)
    seat = next(iter(places(state.copy())), -1)

    def points(s: Any, blank: int) -> list[int]:
        out = [blank] * players
        contract.score(s, out)
        return out

    def open_actions(s: Any) -> list[int]:
        out = [0] * room
        return out[: contract.legal(s, seat, out)]

    asks: dict[str, Callable[[Any], Any]] = {
        "asked": contract.asked,
        "score": lambda s: points(s, 0),
        "winners": lambda s: contract.winners(s, [0] * players),
        "has_uniform_prior": contract.has_uniform_prior,
    }
    if seat >= 0:
        asks["legal"] = open_actions
        asks["is_public"] = lambda s: [contract.is_public(s, seat, action) for action in open_actions(s)[:1]]
    for each, total in enumerate(points(state.copy(), 0)):
        parts = score_parts(state, each)
        if parts and sum(n for _field, n in parts) != total:
            terms = " + ".join(f"{n} of {field.name}" for field, n in parts)
            sentence = f"The score of seat {each} is {total}, and its declared parts are {terms}."
            yield t.found(sentence, parts[0][0].name, "score")
            return
    for rule, ask in asks.items():
        twin = state.copy()
        first = ask(twin)
        for name in twin.differences(state):
            line = blamed(state, name, ask, lambda s: True)
            yield t.found(f"{rule} changes {name}; it must only tell.", name, line=line)
            return
        if ask(state.copy()) != first:
            yield t.found(f"{rule} says something else when it is asked again.", rule=rule)
    given, again = points(state.copy(), 0), points(state.copy(), 1)
    for at, (number, other) in enumerate(zip(given, again, strict=True)):
        if number != other:
            yield t.found(f"score does not write the points of seat {at}, or adds to what was there before.", rule="score")
        elif whole(number) is None:
            yield t.found(f"score gives seat {at} {number!r} points; they are whole numbers.", rule="score")


def _over(t: Trial, state: Any) -> Iterator[Finding]:
    """Where nobody is asked, the match is over: it has winners, no move is begun, and nothing goes on."""
    points = [0] * state.players
    mask = contract.winners(state, points)
    if not 0 < mask < 1 << state.players:
        sentence = f"Nobody is asked, so the match is over, but winners gives {mask:#b} for {state.players} players."
        yield t.found(sentence, rule="winners")
    for seat in range(state.players):
        if contract.midway(state, seat):
            yield t.found(f"Nobody is asked, as if the match were over, but seat {seat} has begun a move.", rule="midway")
    twin = state.copy()
    moves = t.book.moves
    # a menu that follows from the moves offers nothing when nobody is asked
    derived = isinstance(moves, Moves) and getattr(t.book.words.menu, "__self__", None) is moves
    try:
        for seat in range(state.players):
            legal = actions_of(twin, seat)
            opened = [t.book.action_table[action].name for action in legal]
            offered = opened if derived else t.book.words.menu(hidden(twin, seat), seat).texts
            if offered:
                try:
                    with limited(within(t.book), IMPATIENCE):
                        contract.apply(twin, seat, legal[0])
                except Stuck as error:
                    yield t.found(
                        f"Nobody is asked, so the match is over, but legal of seat {seat} still offers {offered[0]!r}, and "
                        f"after that {str(error) or f'apply {STUCK}.'} Let legal return 0 there.",
                        rule="legal",
                    )
                    return
            if contract.asked(twin):
                yield t.found(
                    f"Nobody is asked, as if the match were over, but {'legal' if derived else 'the menu'} of seat {seat} "
                    f"offers {offered[0]!r}, and after such a move {', '.join(f'seat {place}' for place in places(twin))} "
                    "would be asked.",
                    rule="asked",
                )
                return
    except Exception:
        return  # the rules need not know what to do in a match that is over


def _accepted(t: Trial) -> Iterator[Finding]:
    match = _reached(t)
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
            try:
                attempt = match.attempt(None if place == contract.CLOCK else place, said_as)
            except OutbidError as error:
                yield t.found(f"{what} is refused: {error}")
                return
            for name in attempt.state.differences(state):
                yield t.found(f"{what} makes another {name} than its steps.", name)
            if words.parse(words.text(said_as)) != said_as:
                yield t.found(f"The move {said_as} is typed {words.text(said_as)!r}, which is read as another.")


def _menu(t: Trial) -> Iterator[Finding]:
    match = _reached(t)
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
                    match.attempt(seat, move)
                except OutbidError as error:
                    yield t.found(f"The menu of seat {seat} offers {move!r}, which is refused: {error}")
        before = match.state.copy()
        whole = {json.dumps(choice.move, sort_keys=True) for choice in menu if choice.whole}
        for move in t.wrong_moves:
            if set(move) == {"do"} and json.dumps(move, sort_keys=True) not in whole:
                try:
                    match.attempt(seat, move)
                except OutbidError:
                    continue
                yield t.found(f"The menu of seat {seat} does not offer {move}, which is accepted.")
        for name in match.state.differences(before):
            yield t.found(f"A refused move of seat {seat} changes {name}.", name)


def _ends(t: Trial) -> Iterator[Finding]:
    state = t.deal(tunable=False)
    out = [0] * max(256, t.book.actions + 1)
    t.move = loops.rollout([state], 0, chance.stream(t.seed, 1), t.book.longest + 1, out)
    if t.move > t.book.longest:
        begun = f"The match is not over after {t.book.longest} steps, the bound `longest`"
        more = loops.rollout([state], 0, chance.stream(t.seed, 2), MORE * t.book.longest, out)
        if more < MORE * t.book.longest:
            yield t.found(f"{begun}, but after {t.move + more}.", line=declared(t.book, "longest"))
        else:
            yield t.found(f"{begun}, nor after {MORE} times as many.", rule="asked")


def _options(t: Trial) -> Iterator[Finding]:
    book = t.book
    for option in book.options:
        lone = (option.low, option.high) if option.high - option.low < FAR else (option.low,)
        ends = (False, True) if isinstance(option.default, bool) else option.words or option.among or lone
        for value in (*dict.fromkeys(ends), *option.besides):
            options = {option.name: [value] * option.size if option.size else value}
            with contextlib.suppress(BadOption, BadSetup):
                players = book.check_players(book.players[1], options)
                findings = list(_at_an_end(t, options, players))
                yield from findings
                if findings:
                    return


def _at_an_end(t: Trial, options: dict[str, Any], players: int) -> Iterator[Finding]:
    """What does not hold in a match with one option at its end."""
    (name, value) = next(iter(options.items()))
    having, line = f"With {name}={value!r}", declared(t.book, name)
    try:
        t.move = 0
        state = t.begin(options, players)
        yield from t.stepped(state, f"{having},")
        if not contract.asked(state):
            yield t.found(f"{having} the match is over before it begins.", name, line=line)
        for _ in t.walk(state, min(FAR, t.book.longest + 1)):
            if t.move % ASKED == 0:
                yield from t.stepped(state, f"{having},")
        yield from t.stepped(state, f"{having},")
        if t.move > t.book.longest:
            sentence = f"{having} the match is not over after {t.book.longest} steps, the bound `longest`."
            yield t.found(sentence, name, line=line)
        contract.score(state, [0] * players)
    except Exception as error:
        reason = str(error) if isinstance(error, (Broken, OutbidError)) else sentence_of(error)
        yield t.found(f"{having}: {reason}", name, line=line)


def _steady(t: Trial) -> Iterator[Finding]:
    state, table = t.deal(), t.book.action_table
    moves, steps = 0, [0] * (contract.CLOCK + 1)  # moves of all, and steps of the move that a seat is in
    plans = [[0] * NOTE for _ in steps]  # notes of the last step of each
    for _ in range(PLAYED):
        asked = places(state)
        if not asked:
            return
        for seat in asked:
            legal, action = actions_of(state, seat), -1
            if seat == contract.CLOCK:
                action = legal[0]
            elif legal:
                note = [*[0] * (NOTE - 1), steps[seat]]
                blank, draw = hidden(state, seat), chance.stream(t.seed, moves)
                action = contract.steady(blank.copy(), seat, draw, now := [*note])
                if moves % AGAIN == 0 and action != contract.steady(blank, seat, draw, note):
                    sentence = f"steady of seat {seat} plays another move with the same seed: draw all chance from the seed."
                    yield t.found(sentence, rule="steady")
                    return
                plan, plans[seat] = plans[seat], now
                if steps[seat] and plan[contract.PLAN] and contract.resume(state, seat, plan) not in (-1, action):
                    sentence = f"resume of seat {seat} goes on otherwise than steady, which has planned the move."
                    yield t.found(sentence, rule="resume")
                    return
            if legal and action != -1:  # −1: it has nothing to say, and leaves the word to another or to the clock
                break
        if action not in legal:
            what = repr(table[action].name) if whole(action) in range(len(table)) else f"action {action!r}"
            offered = ", ".join(repr(table[option].name) for option in legal[:8])
            offered += f" and {len(legal) - 8} more" if len(legal) > 8 else ""
            yield t.found(f"steady of seat {seat} plays {what}, which is not legal; legal is {offered}.", rule="steady")
            return
        t.take(state, seat, action)
        contract.apply(state, seat, action)
        steps[seat] = steps[seat] + 1 if seat != contract.CLOCK and contract.midway(state, seat) else 0
        moves += not steps[seat]


# --- the state --------------------------------------------------------------------------------------------------------


def _conserved(t: Trial) -> Iterator[Finding]:
    state = t.deal()
    for field in t.book.layout.facts:
        least, most = RANGES[field.type]
        if not least <= field.low <= field.top <= most:
            declares = f"{field.name} is declared for {field.low} to {field.top}"
            sentence = f"{declares}; its type {field.type} holds {least} to {most}."
            yield t.found(sentence, field.name, line=declared(t.book, field.name))
            return
    for _ in t.walk(state, 2500):
        findings = list(t.stepped(state))
        yield from findings
        if findings:
            return
    yield from t.stepped(state)


def _indices(t: Trial) -> Iterator[Finding]:
    """Compiled, an index that counts from the end would lead out of the state."""
    state, book = t.deal(), t.book
    for seat, action in t.walk(state, positions.length(book, t.seed, 300)):
        contract.apply(counted(book, state), seat, action)
    note, points, out = Counted([0] * 64), Counted([0] * 64), Counted([0] * max(256, book.actions + 1))
    contract.score(counted(book, state), points)
    contract.winners(counted(book, state), points)
    for seat in seats(state):
        try:
            contract.hide(counted(book, state), seat)
            contract.redeal(counted(book, state), seat, t.seed)
        except IndexError as error:
            if seat < 0:
                error.args = (f"{error} (the seat of a spectator is -1)",)
            raise
    for seat in range(state.players):
        contract.retract_hidden(counted(book, redealt(state, seat, t.seed)), seat)
        contract.observe(counted(book, state), seat, Counted([0.0] * book.features))
        n = contract.legal(counted(book, state), seat, out) if contract.asked(state) >> seat & 1 else 0
        for k in range(min(n, 3)):
            contract.apply(counted(book, state), seat, out[(t.seed + k) % n])
        if n:
            who = t.seed % max(1, len(book.personas.players))
            contract.play(counted(book, hidden(state, seat)), seat, t.seed, note, who)
    yield from ()


def _copies(t: Trial) -> Iterator[Finding]:
    state = t.position()
    twin, before = state.copy(), state.copy()
    for _ in walk(twin, t.seed, 200):
        pass
    for name in state.differences(before):
        yield t.found(f"Playing on in a copy changes {name} of the original.", name)


def _reached(t: Trial) -> Match:
    match = t.played(positions.some_moves(t.book, t.seed))
    t.move = len(match.moves)
    return match


# --- records ----------------------------------------------------------------------------------------------------------


def _records(t: Trial) -> Iterator[Finding]:
    match = t.played(500)
    record = json.loads(json.dumps(match.record()))
    try:
        again = replay(t.book, record)
    except OutbidError as error:
        yield t.found(f"The record does not replay: {error}")
        return
    for key in record | again.record():
        if again.record().get(key) != match.record().get(key):
            yield t.found(f"The record, replayed, has another {key}.")
    for name in again.state.differences(match.state):
        yield t.found(f"The record, replayed, leads to another {name}.", name)


def _typed(t: Trial) -> Iterator[Finding]:
    match = t.played(80)
    for n, move in enumerate(match.moves):
        fields = {key: value for key, value in move.items() if key != "seat"}
        text = t.book.words.text(fields)
        try:
            again = t.book.words.parse(text)
            result = f"read as {again}." if again != fields else ""
        except OutbidError as error:
            result = f"refused: {error}"
        if result:
            t.move = n
            yield t.found(f"The move {fields} is typed {text!r}, which is {result}")
            return


def _seeds(t: Trial) -> Iterator[Finding]:
    first, second = (played(t.book, t.seed, 200).record() for _ in range(2))
    for key in first:
        if first[key] != second.get(key):
            yield t.found(f"Two matches with the same seed and the same choices have another {key}.")


ASKS = Property("asks", "a match that is not over asks a seat that can answer", _asks)
SEATS = Property("seats", "every seat is asked in some match", _seats, once=True)
ANSWERS = Property("answers", "what only tells changes nothing, and points are written for all", _answers)
OPTIONS = Property("options", "a match can be played with each option at its ends", _options, once=True)
ENDS = Property("ends", "a match ends within the bound", _ends)
CONSERVED = Property("conserved", "no field overflows, and the author's check holds", _conserved)
ACCEPTED = Property("accepted", "what is legal is accepted", _accepted)
MENU = Property("menu", "what the menu offers is accepted, and nothing else", _menu)
STEADY = Property("steady", "the game's own player makes legal moves", _steady)
INDICES = Property("indices", "no index leads out of a field", _indices)
COPIES = Property("copies", "copies are independent", _copies)
RECORDS = Property("records", "a record replays to the same match", _records)
TYPED = Property("typed", "every move can be typed", _typed)
SEEDS = Property("seeds", "the same seed gives the same match", _seeds)
