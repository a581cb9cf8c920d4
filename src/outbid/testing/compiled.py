"""The properties that need a game compiled: both backends do the same, and so do batches and threads."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from outbid.compiled import loops
from outbid.compiled.backend import entry, ready
from outbid.compiled.batch import Batch
from outbid.core import chance, contract
from outbid.core.rulebook import Rulebook
from outbid.testing import stepping
from outbid.testing.findings import Finding, Property, Trial
from outbid.testing.hiding import observed
from outbid.testing.positions import actions_of, hidden, redealt, seats


def compiled_already(book: Rulebook) -> bool:
    """Whether the comparison step by step need not compile first."""
    return ready(book, stepping.contract_on)


def _apart(t: Trial, records: Any, state: Any, what: str) -> Iterator[Finding]:
    """The first field in which the compiled state differs from the plain one."""
    for name in t.book.plain.from_record(records, 0).differences(state)[:1]:
        compiled, plain = records[name][0].tolist(), getattr(state, name)
        yield t.found(f"{what}, {name} is {compiled} on the compiled backend and {plain} on the plain one.", name)


def _backends(t: Trial) -> Iterator[Finding]:
    book = t.book
    run = entry(book, stepping.contract_on)
    out, seen = np.zeros(max(256, book.actions + 1), np.int64), np.zeros(book.features, np.float32)
    state = t.deal()
    records = np.zeros(1, book.layout.dtype)
    for option in book.options:
        records[option.name][0] = getattr(state, option.name)
    run(records, stepping.DEAL, state.players, t.seed, out, seen)
    findings = list(_apart(t, records, state, "After the deal"))
    for n, (seat, action) in enumerate(t.walk(state, 1500)):
        asked, count = run(records, stepping.LOOK, seat, 0, out, seen)
        if asked != contract.asked(state):
            findings.append(
                t.found(f"asked is {asked:#b} on the compiled backend, {contract.asked(state):#b} on the plain one.")
            )
        if out[:count].tolist() != actions_of(state, seat):
            lists = f"{out[:count].tolist()} on the compiled backend, {actions_of(state, seat)} on the plain one"
            findings.append(t.found(f"legal of seat {seat} lists {lists}."))
        run(records, stepping.APPLY, seat, action, out, seen)
        if n < 10 or n % 37 == 0:
            after = state.copy()
            contract.apply(after, seat, action)
            findings += _apart(t, records, after, f"After {book.action_table[action].name} of seat {seat}")
            for viewer in seats(state) if n % 37 == 0 else ():
                findings += _views(t, run, after, viewer, out, seen)
        if findings:
            break
    yield from findings
    points = [0] * state.players
    mask = run(records, stepping.END, 0, 0, out, seen)[0]
    if not findings and (mask != contract.winners(state, points) or out[: state.players].tolist() != points):
        yield t.found("winners is another on the compiled backend than on the plain one.")


def _views(t: Trial, run: Any, state: Any, viewer: int, out: Any, seen: Any) -> Iterator[Finding]:
    """hide, redeal and observe for one viewer."""
    blank, world = np.zeros(1, t.book.layout.dtype), np.zeros(1, t.book.layout.dtype)
    state.to_record(blank, 0)
    state.to_record(world, 0)
    run(blank, stepping.HIDE, viewer, 0, out, seen)
    run(world, stepping.REDEAL, viewer, t.seed, out, seen)
    yield from _apart(t, blank, hidden(state, viewer), f"Hidden from seat {viewer}")
    yield from _apart(t, world, redealt(state, viewer, t.seed), f"Dealt anew for seat {viewer}")
    if viewer >= 0:
        state.to_record(world, 0)
        plain = np.array(observed(t.book, hidden(state, viewer), viewer), np.float32).tolist()
        for records in (blank, world):
            seen[:] = np.nan
            run(records, stepping.OBSERVE, viewer, 0, out, seen)
            if seen.tolist() != plain:
                yield t.found(f"The features of seat {viewer} are others on the compiled backend than on the plain one.")


def _rollouts(t: Trial) -> Iterator[Finding]:
    book, records = t.book, np.zeros(1, t.book.layout.dtype)
    state = book.fresh({})
    contract.deal(state, book.players[1], t.seed)
    state.to_record(records, 0)
    out = np.zeros(max(256, book.actions + 1), np.int64)
    steps = entry(book, loops.rollout)(records, 0, chance.stream(t.seed, 1), 10**6, out)
    plain = loops.rollout([state], 0, chance.stream(t.seed, 1), 10**6, out.tolist())
    if plain != steps:
        yield t.found(f"A random match has {steps} steps on the compiled backend and {plain} on the plain one.")
    yield from _apart(t, records, state, "After a random match")


def _batches(t: Trial) -> Iterator[Finding]:
    book = t.book
    batch = Batch(book, {}, 40, book.players[0], seed=t.seed)

    def fresh(i: int) -> Any:
        state = book.fresh({})
        contract.deal(state, batch.players, int(batch.deal[i]))
        return state

    findings: list[Finding] = []
    singles = [fresh(i) for i in range(batch.n)]
    for t.move in range(300):
        actions = batch.sample()
        for i, state in enumerate(singles):
            seat = int(batch.actor[i])
            if not contract.asked(state) >> seat & 1:
                findings.append(t.found(f"A batch has seat {seat} act, which is not asked."))
            if np.flatnonzero(batch.mask[i]).tolist() != sorted(actions_of(state, seat)):
                findings.append(t.found(f"A batch has another mask for seat {seat} than legal."))
            if batch.obs[i].tolist() != np.array(observed(book, hidden(state, seat), seat), np.float32).tolist():
                findings.append(t.found(f"A batch has other features for seat {seat} than observe."))
            contract.apply(state, seat, int(actions[i]))
        batch.step(actions)
        for i, state in enumerate(singles):
            if batch.done[i] != (contract.asked(state) == 0):
                findings.append(t.found("A batch ends a match elsewhere than the rules."))
            if batch.done[i]:
                singles[i] = fresh(i)
        if findings:
            break
    yield from findings[:1]


def _threads(t: Trial) -> Iterator[Finding]:
    single, double = (Batch(t.book, {}, 1024, t.book.players[1], t.seed, threads=n) for n in (1, 2))
    for t.move in range(400):
        actions = single.sample()
        if (actions != double.sample()).any():
            yield t.found("A batch draws other actions on two threads than on one.")
            return
        single.step(actions)
        double.step(actions)
    if (single.states != double.states).any() or (single.obs != double.obs).any():
        yield t.found("A batch has other states on two threads than on one.")


BACKENDS = Property("backends", "plain and compiled rules agree step by step", _backends)
ROLLOUTS = Property("playouts", "a random match is the same on both backends", _rollouts)
BATCHES = Property("batches", "a batch plays the same matches as single states", _batches, once=True)
THREADS = Property("threads", "a batch is the same on one thread and two", _threads, once=True)
COMPILED = (BACKENDS, ROLLOUTS, BATCHES, THREADS)
