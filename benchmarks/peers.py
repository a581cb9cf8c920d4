"""Random play beside that of other engines, each on one core, in one run.

    pip install -e ".[peers]"
    python benchmarks/peers.py [--only ENGINE,…] [--games GAME,…] [--seconds 0.5] [--repeats 5] [--json] [--svg FILE]

Every measurement is a process of its own, bound to one and the same core (where the system can do that): `repeats` times
`seconds` of work, after a piece that is not counted, and the best of them. A rate is steps by the processor time of that
process; by the clock it is less where other programs took the core, and where that matters it stands beside it. What is
not installed is left out, and the output says so.

A step is not the same everywhere, so every line says what it is. Engines differ in what a step brings (the mask? what a
seat sees? strings?), in whether chance is a step (in OpenSpiel it is, elsewhere it happens inside one), and games differ in
how much there is to do. The others are measured the quickest way they offer, and what is in doubt counts for them.

JSON: {"processor", "cores", "pinned": the core or null, "python", "seconds", "repeats",
       "versions": {engine: version}, "skipped": [{"engine", "why"}],
       "results": [{"engine", "game", "how", "step", "rate", "clock", "spread"}]}
rate and clock in steps a second; spread is the slowest repetition's rate over the best one's; processor time in both.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LEAST = 1e-3  # seconds: a piece of work is at least so long, so that reading the clocks does not count
BATCHES = (256, 1024, 4096, 16384)  # of ours and of Pgx; the best one counts
ENVIRONMENTS = 64  # in OpenSpiel's vector
SCAN = 64  # steps of Pgx in one call
QUIET = {  # one thread each, no window, no greeting
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "SDL_VIDEODRIVER": "dummy",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}


@dataclass
class Work:
    """What is measured: `run()` returns the steps it made; `prepare()` goes before each and is not counted."""

    run: Callable[[], int]
    prepare: Callable[[], object] = lambda: None


@dataclass(frozen=True)
class Measurement:
    """One line of the table. make: the work for the game, imports included; several in a list: the best one counts."""

    engine: str
    game: str
    how: str
    step: str
    make: Callable[[str], Work | list[Work]]


# --- ours --------------------------------------------------------------------------------------------------------------


def compiled(game: str, seen: bool, c: bool = False) -> Work:
    """Random matches, compiled by Numba or as C; seen: with what a learner sees."""
    from outbid.compiled.backend import entry
    from outbid.core.rulebook import rulebook
    from outbid.lab import bench

    if c:
        from as_c import entry  # type: ignore[import-not-found, no-redef]  # beside this file

    book = rulebook(game)
    if seen:
        return counted(bench.playing(book, book.players[1], compiled=entry, seen=True))
    return counted(bench.playing(book, book.players[1], compiled=entry))


def plain(game: str) -> Work:
    """Random matches in Python."""
    from outbid.core.rulebook import rulebook
    from outbid.lab import bench

    book = rulebook(game)
    return counted(lambda k: bench.plain_match(book, book.players[1], k))


def counted(piece: Callable[[int], int]) -> Work:
    """The pieces of a numbered work, one after the other."""
    numbers = iter(range(1 << 60))
    return Work(lambda: piece(next(numbers)))


def vector(game: str, observe: bool, drawing: bool = False) -> list[Work]:
    """`step` of a vector on one thread; drawing: the drawing of the actions counts, too."""
    import outbid

    rules = outbid.game(game)

    def batch(n: int) -> Work:
        made = rules.vector(n, rules.rulebook.players[1], 1, observe=observe, threads=1)
        drawn = [made.sample()]

        def prepare() -> None:
            drawn[0] = made.sample()

        def run() -> int:
            made.step(made.sample() if drawing else drawn[0])
            return n

        return Work(run) if drawing else Work(run, prepare)

    return [batch(n) for n in BATCHES]


# --- OpenSpiel ---------------------------------------------------------------------------------------------------------


def spiel(name: str) -> Any:
    """A game of OpenSpiel, turn by turn."""
    import pyspiel

    game = pyspiel.load_game(name)
    sequential = game.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    return game if sequential else pyspiel.convert_to_turn_based(game)


def by_chance(state: Any) -> int:
    """An outcome of a chance node."""
    actions, chances = zip(*state.chance_outcomes(), strict=True)
    return int(random.choices(actions, chances)[0])


def rollout(state: Any) -> int:
    """Play a state to its end at random, and count every action that is applied, those of chance included."""
    steps = 0
    while not state.is_terminal():
        state.apply_action(by_chance(state) if state.is_chance_node() else random.choice(state.legal_actions()))
        steps += 1
    return steps


def spiel_native(name: str) -> Work:
    """The loop of `RandomRolloutEvaluator`: C++ alone, from a clone of one state to the end, again and again.

    The way there from Python is a search of a single simulation, which does nothing but call it once. It plays from the
    first decision: the deal at the root is not repeated. It does not say how many actions it applied; that is the number
    of matches times their mean length, taken from as many matches from the same state as two seconds of Python allow.
    """
    import pyspiel

    game = spiel(name)
    root = game.new_initial_state()
    while root.is_chance_node():
        root.apply_action(by_chance(root))
    steps = matches = 0
    until = time.perf_counter() + 2.0
    while matches < 200 or time.perf_counter() < until:
        steps += rollout(root.clone())
        matches += 1
    length = steps / matches

    def search(rollouts: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
        return pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)

    rollouts, spent = 100, 0.0
    while spent < 0.02:
        rollouts *= 2
        bot, start = search(rollouts), time.perf_counter()
        bot.mcts_search(root)
        spent = time.perf_counter() - start

    def run() -> int:
        bot.mcts_search(root)
        return round(rollouts * length)

    return Work(run)


def spiel_python(name: str) -> Work:
    """The loop of its own `benchmark_games.py`: legal actions, one of them, `apply_action`."""
    game = spiel(name)
    return Work(lambda: rollout(game.new_initial_state()))


def spiel_seen(name: str) -> Work:
    """The same with the observation (the information state, where a game has none) and the mask before each decision."""
    game = spiel(name)
    observes = game.get_type().provides_observation_tensor

    def run() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(by_chance(state))
            else:
                seat = state.current_player()
                state.observation_tensor(seat) if observes else state.information_state_tensor(seat)
                state.legal_actions_mask(seat)
                state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return Work(run)


def spiel_vector(name: str) -> Work:
    """`SyncVectorEnv.step` over its Python environments."""
    from open_spiel.python import rl_agent, rl_environment, vector_env

    environments = vector_env.SyncVectorEnv(
        [rl_environment.Environment(spiel(name), seed=k) for k in range(ENVIRONMENTS)]
    )
    now: list[Any] = [environments.reset(), None]

    def prepare() -> None:
        now[1] = []
        for seen in now[0]:
            seat = seen.observations["current_player"]
            now[1].append(rl_agent.StepOutput(random.choice(seen.observations["legal_actions"][seat]), None))

    def run() -> int:
        now[0] = environments.step(now[1], reset_if_done=True)[0]
        return ENVIRONMENTS

    return Work(run, prepare)


# --- RLCard, PettingZoo, Pgx, TextArena --------------------------------------------------------------------------------


def rlcard(name: str) -> Work:
    """`env.step` from `reset` to the end."""
    import rlcard as cards

    env = cards.make(name, config={"seed": 1})

    def run() -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return Work(run)


def agents(env: Any) -> Work:
    """The loop of PettingZoo's documentation; the last, empty step of each agent is made and not counted."""
    import numpy as np

    env.reset(seed=1)

    def run() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            seen, _, over, late, info = env.last()
            if over or late:
                env.step(None)
                continue
            mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
            env.step(int(random.choice(np.flatnonzero(mask))))
            steps += 1
        return steps

    return Work(run)


def pettingzoo(name: str) -> Work:
    """One of PettingZoo's own environments."""
    module = importlib.import_module(f"pettingzoo.classic.{name}")
    return agents(module.env())


def pettingzoo_ours(game: str) -> Work:
    """Our game in PettingZoo's form: the plain backend."""
    from outbid.adapters import pettingzoo as adapter
    from outbid.core.rulebook import rulebook

    return agents(adapter.env(game, players=rulebook(game).players[1]))


def pgx(name: str, inside: bool) -> list[Work]:
    """Batches stepped together, ended matches begun anew; inside: the loop and the drawing are compiled, too."""
    import jax
    import jax.numpy as jnp
    import pgx as games
    from pgx.experimental.wrappers import auto_reset

    env = games.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))
    begin, stepped = jax.jit(jax.vmap(env.init)), jax.jit(step)

    @jax.jit
    def draw(states: Any, key: Any) -> Any:
        chances = jnp.where(states.legal_action_mask, 0.0, -jnp.inf)
        first, second = jax.random.split(key)
        n = states.legal_action_mask.shape[0]
        return jax.random.categorical(first, chances, axis=-1), jax.random.split(second, n)

    @jax.jit
    def rolled(states: Any, key: Any) -> Any:
        def once(states: Any, key: Any) -> Any:
            return step(states, *draw(states, key)), None

        return jax.lax.scan(once, states, jax.random.split(key, SCAN))[0]

    def batch(n: int) -> Work:
        key = jax.random.PRNGKey(1)
        now: list[Any] = [begin(jax.random.split(key, n)), key, None]

        def prepare() -> None:
            now[1], own = jax.random.split(now[1])
            now[2] = jax.block_until_ready(own if inside else draw(now[0], own))

        def run() -> int:
            now[0] = jax.block_until_ready(rolled(now[0], now[2]) if inside else stepped(now[0], *now[2]))
            return n * SCAN if inside else n

        return Work(run, prepare)

    return [batch(n) for n in BATCHES]


def textarena(name: str) -> Work:
    """Matches of texts: what a model would be told, and its answer in brackets."""
    import textarena as arena

    now: list[Any] = [None]

    def prepare() -> None:
        now[0] = arena.make(name)  # a new one for each match: used again, it keeps what was said and becomes slower

    def run() -> int:
        env = inner = now[0]
        while hasattr(inner, "env"):
            inner = inner.env
        env.reset(num_players=2)
        steps, done = 0, False
        while not done:
            env.get_observation()
            legal = list(inner.state.game_state["current_legal_action_tree"])
            done, _ = env.step(f"[{random.choice(legal)}]")
            steps += 1
        env.close()
        return steps

    return Work(run, prepare)


# --- what is measured ----------------------------------------------------------------------------------------------------

OURS = ("kuhhandel", "claim", "forex", "money", "rivals")
SPIEL = ("leduc_poker", "liars_dice", "gin_rummy", "sheriff", "goofspiel", "first_sealed_auction")
PACKAGES = {  # engine: what is installed; C is a compiler
    "outbid": "outbid",
    "C": "gcc",
    "OpenSpiel": "open_spiel",
    "RLCard": "rlcard",
    "PettingZoo": "pettingzoo",
    "Pgx": "pgx",
    "TextArena": "textarena",
}
SIZES = f"best batch of {', '.join(map(str, BATCHES))}"
ROLLOUTS, SEEN, STEP = "compiled rollouts", "compiled rollouts, seen", f"`vector.step` from Python, {SIZES}"
DECISION = "a decision of a seat (a bid is one to several); chance happens inside and is not counted"
ACTION = "one `apply_action`, chance included"


def measurements() -> list[Measurement]:
    """All lines, in the order of the table."""
    made = []
    for how, step, make in (
        (ROLLOUTS, DECISION, lambda game: compiled(game, False)),
        (SEEN, "the same, with mask and observation before each", lambda game: compiled(game, True)),
        (
            STEP,
            "the same, with mask, rewards and a new match where one ends; drawing the actions is not counted",
            lambda game: vector(game, False),
        ),
        (
            f"`vector.step`, drawing counted, {SIZES}",
            "the same, and a random legal action drawn",
            lambda game: vector(game, False, True),
        ),
        (
            f"`vector.step` with observations, {SIZES}",
            "the same with observations; drawing is not counted",
            lambda game: vector(game, True),
        ),
        ("plain Python", DECISION, plain),
    ):
        made += [Measurement("outbid", game, how, step, make) for game in OURS]
    step = "`env.step` and `env.last`, with observation and mask"
    made.append(Measurement("outbid", "kuhhandel", "PettingZoo AEC", step, pettingzoo_ours))
    for how, seen in ((ROLLOUTS, False), (SEEN, True)):
        make = (lambda game: compiled(game, True, True)) if seen else (lambda game: compiled(game, False, True))
        step = f"as above; the same rules and loops, translated to C{', with mask and observation' if seen else ''}"
        made += [Measurement("C", game, how, step, make) for game in OURS]
    for how, step, make in (
        ("C++ rollouts", f"{ACTION}; legal actions, one drawn; from the first decision on", spiel_native),
        ("from Python", f"{ACTION}; legal actions, one drawn", spiel_python),
        ("from Python, seen", f"{ACTION}; with mask and observation tensor before each decision", spiel_seen),
        (
            f"`SyncVectorEnv`, {ENVIRONMENTS} environments",
            "a decision; observation and legal actions of all seats; drawing is not counted",
            spiel_vector,
        ),
    ):
        made += [Measurement("OpenSpiel", game, how, step, make) for game in SPIEL]
    step = "`env.step`, with observation and legal actions"
    made += [Measurement("RLCard", game, "from Python", step, rlcard) for game in ("leduc-holdem", "gin-rummy")]
    step = "`env.step` and `env.last`, with observation and mask"
    made += [Measurement("PettingZoo", game, "AEC", step, pettingzoo) for game in ("leduc_holdem_v4", "texas_holdem_v4")]
    for how, step, inside in (
        (f"jit of a loop, {SIZES}", "a decision, with mask and observation, auto-reset; drawing is counted", True),
        (f"jit of a step, {SIZES}", "the same, called from Python; drawing is not counted", False),
    ):
        make = (lambda name: pgx(name, True)) if inside else (lambda name: pgx(name, False))
        made += [Measurement("Pgx", game, how, step, make) for game in ("leduc_holdem", "kuhn_poker")]
    step = "`env.step` and `env.get_observation`: texts"
    made.append(Measurement("TextArena", "KuhnPoker-v0", "from Python", step, textarena))
    return made


# --- measuring -----------------------------------------------------------------------------------------------------------


def measure(work: Work, seconds: float, repeats: int) -> dict[str, float]:
    """The best repetition: steps a second of processor time, and by the clock."""
    work.prepare()
    work.run()
    by_processor, by_clock = [], []
    for _ in range(repeats):
        clock = processor = 0.0
        steps = 0
        while clock < seconds:
            work.prepare()
            began, used = time.perf_counter(), time.process_time()
            while True:
                steps += work.run()
                if work.prepare is not Work.prepare or time.perf_counter() - began > LEAST:
                    break
            processor += time.process_time() - used
            clock += time.perf_counter() - began
        by_processor.append(steps / processor)
        by_clock.append(steps / clock)
    return {"rate": max(by_processor), "clock": max(by_clock), "spread": min(by_processor) / max(by_processor)}


def worker(number: int, seconds: float, repeats: int) -> None:
    """Measure one line and print it as JSON."""
    random.seed(1)
    wanted = measurements()[number]
    made = wanted.make(wanted.game)
    works = made if isinstance(made, list) else [made]
    print(json.dumps(max((measure(one, seconds, repeats) for one in works), key=lambda one: one["rate"])))


def pinned() -> int | None:
    """The core on which everything is measured; None where the system binds no process to a core."""
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else None


def result(number: int, seconds: float, repeats: int) -> dict[str, float] | str:
    """One line, measured in a process of its own; or why there is none."""
    core = pinned()
    command = [sys.executable, __file__, "--line", str(number), "--seconds", str(seconds), "--repeats", str(repeats)]
    if core is not None:
        command = [sys.executable, "-c", BOUND, str(core), *command]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **QUIET})
    if done.returncode == 0:
        return dict(json.loads(done.stdout.splitlines()[-1]))
    return (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]


BOUND = "import os, sys; os.sched_setaffinity(0, [int(sys.argv[1])]); os.execv(sys.argv[2], sys.argv[2:])"


def versions(engines: list[str]) -> dict[str, str]:
    """Which of the engines are installed, and their versions."""
    found = {}
    for engine in engines:
        if engine == "C":
            if shutil.which("gcc"):
                found[engine] = "gcc " + subprocess.check_output(["gcc", "-dumpfullversion"], text=True).strip()
            continue
        try:
            found[engine] = importlib.metadata.version(PACKAGES[engine])
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def run(engines: list[str], games: list[str], seconds: float, repeats: int) -> dict[str, Any]:
    """Everything that was asked for."""
    from outbid.lab.bench import processor

    known, results = versions(engines), []
    skipped = [{"engine": one, "why": f"{PACKAGES[one]} is not installed"} for one in engines if one not in known]
    for number, one in enumerate(measurements()):
        if one.engine not in known or (games and one.game not in games):
            continue
        print(f"{one.engine}, {one.game}, {one.how} …", file=sys.stderr)
        got = result(number, seconds, repeats)
        if isinstance(got, str):
            skipped.append({"engine": one.engine, "why": f"{one.game}, {one.how}: {got}"})
        else:
            results.append({"engine": one.engine, "game": one.game, "how": one.how, "step": one.step, **got})
    return {
        "processor": processor(),
        "cores": os.cpu_count() or 1,
        "pinned": pinned(),
        "python": platform.python_version(),
        "seconds": seconds,
        "repeats": repeats,
        "versions": known,
        "skipped": skipped,
        "results": results,
    }


# --- telling -------------------------------------------------------------------------------------------------------------

# how: what is promised for Kuhhandel, millions a second; the other games at least half, in rollouts two of them more
GOALS = {ROLLOUTS: 20.0, SEEN: 8.0, STEP: 15.0}
MORE = {(ROLLOUTS, "claim"): 15.0, (ROLLOUTS, "rivals"): 15.0}
OF_C = 0.75  # of what the same rules do as C, promised for Kuhhandel's rollouts


def million(rate: float) -> str:
    """A rate in millions, to three figures."""
    return f"{rate / 1e6:.3g}"


def figure(one: dict[str, Any]) -> str:
    """A game and its rate; by the clock, too, if that is another."""
    clock = f" ({million(one['clock'])} by the clock)" if one["clock"] < 0.95 * one["rate"] else ""
    return f"{one['game']} **{million(one['rate'])}**{clock}"


def table(told: dict[str, Any]) -> str:
    """The figures for the docs, then the goals."""
    named = ", ".join(f"{engine} {version}" for engine, version in told["versions"].items())
    lines = [
        f"{told['processor']}, {told['cores']} cores, one of them used; Python {told['python']}; {named}. The best of "
        f"{told['repeats']} repetitions of {told['seconds']} s, in steps a second of processor time.",
        "",
        "| engine | how | what one step is | games, million steps a second |",
        "| --- | --- | --- | --- |",
    ]
    rows: dict[tuple[str, str, str], list[str]] = {}
    for one in told["results"]:
        rows.setdefault((one["engine"], one["how"], one["step"]), []).append(figure(one))
    lines += [f"| {' | '.join(row)} | {', '.join(figures)} |" for row, figures in rows.items()]
    lines += [f"\nLeft out: {one['engine']}: {one['why']}." for one in told["skipped"]]
    return "\n".join(lines + goals(told))


def goals(told: dict[str, Any]) -> list[str]:
    """What was to be reached, and what was."""
    rates = {(one["engine"], one["how"], one["game"]): one["rate"] for one in told["results"]}
    rows = []
    for (engine, how, game), rate in rates.items():
        if engine == "outbid" and how in GOALS:
            goal = MORE.get((how, game), GOALS[how] * (1.0 if game == "kuhhandel" else 0.5))
            rows.append((how.partition(", best")[0], game, f"{goal:g} million", million(rate), rate >= goal * 1e6))
    for (engine, how, game), rate in rates.items():
        if engine == "C" and ("outbid", how, game) in rates:
            part = rates["outbid", how, game] / rate
            rows.append((f"{how}, beside C", game, f"{OF_C:g} of C", f"{part:.2f}", part >= OF_C))
    if not rows:
        return []
    lines = ["", "| what | game | goal | measured | |", "| --- | --- | --- | --- | --- |"]
    return lines + [f"| {' | '.join(row[:4])} | {'reached' if row[4] else '**missed**'} |" for row in rows]


def plot(told: dict[str, Any], path: Path) -> None:
    """A dot for every figure, a line for every engine and way; the scale is logarithmic."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "outbid", "font.family": "sans-serif"})
    ways: dict[tuple[str, str], list[float]] = {}
    for one in told["results"]:
        ways.setdefault((one["engine"], one["how"].partition(", best")[0].replace("`", "")), []).append(one["rate"])
    figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.32 * len(ways)))
    before = ""
    for row, ((engine, how), rates) in enumerate(ways.items()):
        color = {"outbid": "#b5482a", "C": "#8a8a8a"}.get(engine, "#3d5a73")
        axes.plot(rates, [row] * len(rates), "o-", color=color, alpha=0.85, linewidth=1)
        axes.text(-0.01, row, f"{engine}: {how}", transform=axes.get_yaxis_transform(), ha="right", va="center", fontsize=9)
        if before and engine != before:
            axes.axhline(row - 0.5, color="#cccccc", linewidth=0.6)
        before = engine
    axes.set_xscale("log")
    axes.set_yticks([])
    axes.set_ylim(len(ways) - 0.5, -0.5)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_xlabel("steps a second on one core (logarithmic; a dot for each game)")
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})


def main() -> None:
    """Measure and print."""
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("--only", help="these engines, with commas between")
    wanted.add_argument("--games", help="these games, as their engines call them, with commas between")
    wanted.add_argument("--seconds", type=float, default=0.5, help="of one repetition")
    wanted.add_argument("--repeats", type=int, default=5)
    wanted.add_argument("--json", action="store_true", help="print the figures as JSON")
    wanted.add_argument("--svg", type=Path, help="draw them into this file (needs matplotlib)")
    wanted.add_argument("--line", type=int, help=argparse.SUPPRESS)
    asked = wanted.parse_args()
    if asked.line is not None:
        worker(asked.line, asked.seconds, asked.repeats)
        return
    engines = list(PACKAGES)
    if asked.only:
        names = {engine.lower(): engine for engine in PACKAGES}
        wrong = [one for one in asked.only.split(",") if one.lower() not in names]
        if wrong:
            wanted.error(f"there is no engine {wrong[0]!r}; there are {', '.join(PACKAGES)}")
        engines = [names[one.lower()] for one in asked.only.split(",")]
    games = asked.games.split(",") if asked.games else []
    there = sorted({one.game for one in measurements()})
    if set(games) - set(there):
        wanted.error(f"there is no game {sorted(set(games) - set(there))[0]!r}; there are {', '.join(there)}")
    told = run(engines, games, asked.seconds, asked.repeats)
    print(json.dumps(told, indent=1) if asked.json else table(told))
    if asked.svg:
        plot(told, asked.svg)


if __name__ == "__main__":
    main()
