"""Matches of mixed company, looked back at: what judges of positions (bots/nets/value.py) are trained and measured on.

    positions(book, players, company, deals, purpose, …) -> Positions

A company says who sits at the tables; who of it sits where is drawn for each deal.

| company | who |
| --- | --- |
| easy, steady, net | that bot in every seat |
| strong | `strong*0.1` in every seat |
| mixed | each seat easy, steady, net, or one of the game's personas on either level; half of the seats slip now and then |
| strangers | each seat a stranger, or one of those |
| training | all of these but `strong`, and other strangers: at three tables in ten one level or the net, and nobody slips; |
| | at others one player in every seat, or each seat for itself |
| searchers | the same with `strong` with few rollouts in a third of the seats, or in all |

A stranger plays by the game's own judgement, but each of its parameters is the usual one only half of the time, else
anything from nothing to twice or half as much again (`stranger`). No stranger is met twice: those of every purpose
(seeds.py) and every deal number are others.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots import strong
from outbid.bots.belief.company import Positions, look_back
from outbid.bots.nets import NAME, policy
from outbid.bots.nets import company as seated
from outbid.bots.nets.dataset import SLIPS
from outbid.compiled.backend import entry
from outbid.compiled.buffers import allocate
from outbid.core.hooks.policy_params import EASY, STEADY
from outbid.core.rulebook import Rulebook
from outbid.runs.runner import room_for, run
from outbid.runs.seating import Bots
from outbid.runs.seeds import seed_of

STRONG = "strong"
PLAIN = (EASY, STEADY, NAME)
COMPANIES = ("easy", "steady", "strong", "net", "mixed", "strangers")  # that are reported on
SEARCH = f"{STRONG}*0.1"
FEW = ("0.01", "0.03")  # parts of the rollouts of those who search while a judge is trained
STRANGERS = 24  # met in one call
ALIKE = 0.4  # of the tables that a judge is trained on: the same player in every seat …
EQUALS = 0.3  # … and of these and all others so many become tables of one level or of the net, where nobody slips
WIDE = {"training": 2.0, "selection": 2.0, "report": 2.5}  # so many times the usual number, at most
STEPS = 600  # of a match, guessed: room for them
FAR = 6_000  # steps after which a match among strangers is broken off


def stranger(book: Rulebook, random: np.random.Generator, wide: float) -> str:
    """The name of a player that uses the game's own judgement with its own parameters."""
    changes = book.personas.drawn(random, wide)
    numbers = ";".join(f"{name}={number}" for name, number in changes.items())
    return f"{STEADY}[{numbers}]" if changes else STEADY


def positions(
    book: Rulebook,
    players: int,
    company: str,
    deals: int,
    purpose: str,
    first: int = 0,
    options: Mapping[str, Any] | None = None,
    wanted: int = 8,
) -> Positions:
    """About `wanted` positions of each of the deals from `first` on. options: usually the seed's. Raises BadSetup."""
    options = options or {}
    seed = seed_of(purpose, 700 + players)
    random = np.random.default_rng([seed, first, len(company), *map(ord, company)])
    names, odds = _pool(book, options, company, random, WIDE[purpose])
    bots = Bots(book, options, players, names)
    seating = _seating(random, len(names), odds, (deals, players), company in ("training", "searchers"))
    bots, seating = _with_slips(bots, random, seating, company in ("mixed", "strangers", "training", "searchers"))
    if company == "training":
        equal = random.random(deals) < EQUALS
        seating[equal] = random.choice([k for k, name in enumerate(names) if name in PLAIN], int(equal.sum()))[:, None]
    fresh = book.fresh(options)
    room, steps_made = 0, STEPS * deals
    while steps_made > room:
        room = steps_made
        steps, ends, steps_made = _played(bots, fresh, seed, first, seating, room)
    return looked_back(book, players, options, seed, first, steps, ends, wanted)


def _played(
    bots: Bots, fresh: Any, seed: int, first: int, seating: NDArray[np.int64], room: int
) -> tuple[NDArray[np.int16], NDArray[np.int64], int]:
    """The steps of these matches, as far as there is room; where each ends; and how many there are."""
    if not bots.search:
        bots.limit, bots.hesitant = FAR, True
    notes = room_for(bots.book, 0, len(seating), room)
    run(bots, fresh, seed, first, seating, np.zeros(seating.shape), np.zeros(seating.shape, np.int64), True, notes)
    return notes.steps, notes.ends, int(notes.made[0])


def looked_back(
    book: Rulebook,
    players: int,
    options: Mapping[str, Any],
    seed: int,
    first: int,
    steps: NDArray[np.int16],
    ends: NDArray[np.int64],
    wanted: int,
) -> Positions:
    """Positions of the matches that were played so. steps, (S, 2): those of all, one match after another; ends,
    (matches,): the k-th goes up to steps[ends[k]]."""
    types, n = seated.types_of(book), len(ends) * (2 * wanted + 2)
    fresh = book.fresh(options)
    states, work = np.zeros(3, book.layout.dtype), strong.Space(book, 0).work
    fresh.to_record(states, 0)
    columns = seated.columns(len(types))
    positions = allocate(Positions, {"N": n, "P": players, "F": book.features, "C": columns})
    n = entry(book, look_back)(
        states, 0, seed, first, players, steps, ends, wanted, seated.numbers_of(book, types, fresh), positions,
        np.zeros((players, columns)), work,
    )  # fmt: skip
    return positions.first(n)


def _pool(
    book: Rulebook, options: Mapping[str, Any], company: str, random: np.random.Generator, wide: float
) -> tuple[list[str], NDArray[np.float64]]:
    """Who may sit at the tables, and how likely each is to."""
    net = policy.policy(book)
    nets = [NAME] if net is not None and net.fits(book.fresh(options)) else []
    if company in (*PLAIN, STRONG):
        return [SEARCH if company == STRONG else company], np.ones(1)
    levels = [EASY, STEADY, *nets]
    personas = [f"{level}:{name}" for level in (EASY, STEADY) for name in book.personas.names]
    names = [*levels, *personas]
    weights = [1.5 / len(levels)] * len(levels) + [1.0 / max(1, len(personas))] * len(personas)
    if company in ("strangers", "training", "searchers"):
        names += [stranger(book, random, wide) for _ in range(STRANGERS)]
        weights += [2.0 / STRANGERS] * STRANGERS
    if company == "searchers":
        names += [f"{STRONG}*{part}" for part in FEW]
        weights += [sum(weights) / 2 / len(FEW)] * len(FEW)
    return names, np.array(weights) / sum(weights)


def _seating(
    random: np.random.Generator, many: int, odds: NDArray[np.float64], shape: tuple[int, int], alike: bool
) -> NDArray[np.int64]:
    """Who sits where; alike: at some tables it is the same player everywhere."""
    seating = random.choice(many, shape, p=odds).astype(np.int64)
    if alike:
        same = random.random(shape[0]) < ALIKE
        seating[same] = seating[same, :1]
    return seating


def _with_slips(
    bots: Bots, random: np.random.Generator, seating: NDArray[np.int64], wanted: bool
) -> tuple[Bots, NDArray[np.int64]]:
    """Bots and seating where half of the seats of those who do not search slip. A bot is another for each of SLIPS."""
    if not wanted:
        return bots, seating
    many = len(bots.names)
    slipping = Bots(bots.book, bots.options, seating.shape[1], bots.names * len(SLIPS))
    for k, slips in enumerate(SLIPS):
        for number in range(k * many, (k + 1) * many):
            slipping.slip(number, slips)
    return slipping, seating + many * random.integers(0, len(SLIPS), seating.shape)
