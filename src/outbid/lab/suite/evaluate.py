"""An agent in some tasks of the suite, as one JSON document.

    document = evaluate("my.py:act", named(["rivals-3"]), deals=100)
    differences(document, again(document))                    # none: it holds

| key | is |
| --- | --- |
| format, suite, version | "outbid-eval/1", "bench-1" and the version of Outbid |
| agent, files | its name, and SHA-256 of the files it is read from |
| population | SHA-256 of the names of all bots of the population; held_out: the seed that drew it, or null |
| deals, deep | of each task; whether exploiters and the judge were asked, too |
| tasks | a list: task, rules, share (error, low, high), equal, gain over steady@1 on the same deals (gain_low, gain_high), |
| | decisions, forfeits and fault (of bots of other people's making only), void; what it cost: seconds, and of such bots |
| | steps (actions) and tokens (null unless the bot has an attribute of that name); of a small game nash_conv |
| | instead of an interval; deep: exploit (what the best exploiter takes beyond an equal share), loss (what a decision |
| | loses of the victory, by the judge of reviews, where it is calibrated); skipped: why the agent cannot play that |
| score | the mean over the tasks of the core suite of share / equal; null unless all of them are there |

A deal is played from every seat, with the same bots in the others. A task with too many forfeits is void: its share is 0.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid import solve
from outbid.bots import BOTS, load_bot
from outbid.bots.outside import NetBot
from outbid.bots.seat import Seat
from outbid.compiled import loops
from outbid.compiled.backend import ready
from outbid.core.chance import stream
from outbid.core.errors import BadSetup
from outbid.core.hooks.policy_params import FIRST
from outbid.core.hooks.review import moves_of
from outbid.core.match import Match
from outbid.facade import Game
from outbid.lab.arena import columns, drawn
from outbid.lab.exploit import Tuning, exploit
from outbid.lab.shares import NORMAL, percent, share_of
from outbid.lab.suite.candidate import Candidate, void
from outbid.lab.suite.tasks import SUITE, Task, check_frozen, list_hash, named, opponent, population, tasks
from outbid.review.calibration import measured
from outbid.review.evaluate import judged
from outbid.review.review import EFFORT
from outbid.runs.checkpoint import Checkpoint, Columns
from outbid.runs.loops import matches
from outbid.runs.replay import play_on
from outbid.runs.runner import nets_of, play
from outbid.runs.seating import Bots, asks
from outbid.runs.sources import digest, files_of, hash_of, plain
from outbid.version import __version__

FORMAT = "outbid-eval/1"
DEALS, QUICK = 100, 10  # of a task, each played from every seat
SAMPLES = 4  # how often a bot is asked at an information set of a small game
ITERATIONS = 1000  # of CFR+, which sits in the other seat there
EXPLOITED, REVIEWED = 40, 4  # deals of an exploiter; matches that are judged
TUNED = ((10, 4), (40, 8))  # how parameters of an exploiter are chosen (exploit.Tuning)
MORE = {"nash_conv": "NashConv", "exploit": "exploiters take", "loss": "a decision loses"}  # columns where it was measured
COSTS = ("seconds", "steps", "tokens", "version", "rules")  # what may differ when a result is repeated


@dataclass(frozen=True, eq=False)
class Sat:
    """A deal with the agent in every seat: what is played at a time. names: who sits there, the agent first."""

    task: Task
    candidate: Candidate
    names: tuple[str, ...]
    deal: int
    seating: tuple[int, ...]

    @property
    def key(self) -> list[int]:
        """The deal, and the one after it."""
        return [self.deal, self.deal + 1]

    def match(self, turn: int) -> tuple[Match, int]:
        """The match in which all have moved on by `turn` seats, and the agent's seat."""
        book, seating = self.task.book, np.roll(self.seating, turn).tolist()
        deal = stream(self.task.seed, self.deal)
        players = [self.candidate if number == 0 else opponent(book, self.names[number]) for number in seating]
        match = Match.new(book, self.task.options, self.task.players, deal)
        self.candidate.sit(match, seating.index(0))

        def thought(seat: int) -> Sequence[int]:
            steps: Sequence[int] = players[seat].decide(Seat.of(match, seat, stream(deal, loops.SEATS_FROM + seat))).actions
            return steps

        play_on(match, thought)
        return match, seating.index(0)

    def play(self, tell: Callable[[float], Any]) -> Columns:
        """What the agent had of the victory, (P,); its decisions, forfeits, seconds, steps and tokens. tell: called with
        the part that a match is."""
        before, ended = self.candidate.counts, []
        for turn in range(self.task.players):
            ended.append(self.match(turn))
            tell(1 / self.task.players)
        shares = [(seat in match.winners) / len(match.winners) for match, seat in ended]
        return {"shares": np.array(shares), "counts": self.candidate.counts - before}


def evaluate(
    agent: str,
    chosen: Sequence[Task],
    deals: int = DEALS,
    *,
    held_out: int | None = None,
    deep: bool = False,
    checkpoint: Checkpoint | None = None,
    tell: Callable[[float], Any] = lambda part: None,
    say: Callable[[str], Any] = lambda sentence: None,
) -> dict[str, Any]:
    """The document of an agent in these tasks. checkpoint: where deals are kept that were played. tell: called with the
    part of the tasks that is done since; say: with what takes long next. Raises BadSetup, also if the suite is not what it
    was when it was frozen."""
    bot = load_bot(agent)
    if deep and Candidate(bot).in_words:
        raise BadSetup("Exploiters would ask an agent that plays in words too often; leave out --deep.")
    for game in dict.fromkeys(task.game for task in chosen):
        check_frozen(game)
    rows = []
    for task in chosen:
        begin, part = time.perf_counter(), 0.5 if deep and not task.solved else 1.0
        about: dict[str, Any] = {"task": task.name, "rules": task.book.rules_id}
        try:
            if isinstance(bot, NetBot):
                bot.under(task.book.fresh(task.options))
            if task.solved and Candidate(bot).in_words:
                raise BadSetup("An agent that plays in words is not asked at every information set of a small game.")
            if not asks(task.book, [agent]):
                Bots(task.book, task.options, task.players, [agent])
        except BadSetup as error:
            rows.append({**about, "skipped": str(error)})
            tell(1)
        else:
            candidate = Candidate(bot)
            if task.solved:
                row = exact(task, agent, candidate)
                tell(1)
            else:
                row = at_tables(task, agent, candidate, deals, held_out, checkpoint, in_parts(tell, part))
            if part < 1:
                share = percent(row["share"], row["low"], row["high"])
                say(f"{task.name}: {share} of the victories. Exploiters and the judge come next, which takes minutes.")
                row |= examined(task, agent, candidate, held_out)
                tell(part)
            seconds = round(time.perf_counter() - begin, 1)
            rows.append({**about, **row, "equal": 1 / task.players, "seconds": seconds})
    files = {file.name: digest(file) for file in files_of([agent])}
    what = {"format": FORMAT, "suite": SUITE, "version": __version__, "agent": agent, "files": files}
    how = {"population": list_hash(held_out), "held_out": held_out, "deals": deals, "deep": deep}
    return {**what, **how, "tasks": rows, "score": score(rows)}


def score(rows: Sequence[Mapping[str, Any]]) -> float | None:
    """The mean of share / equal over the core suite; None if a task of it is missing."""
    core = {task.name for task in tasks().values() if task.core}
    shares = [row["share"] / row["equal"] for row in rows if row["task"] in core and "share" in row]
    return sum(shares) / len(core) if len(shares) == len(core) else None


def at_tables(
    task: Task,
    agent: str,
    candidate: Candidate,
    deals: int,
    held_out: int | None,
    checkpoint: Checkpoint | None,
    tell: Callable[[float], Any] = lambda part: None,
) -> dict[str, Any]:
    """The row of a task that is played. tell: called with the part that is done since."""
    others = population(task, held_out)
    seating = _seating(task, others, deals)
    counts: NDArray[Any] = np.zeros(len(candidate.counts))
    if asks(task.book, [agent]):
        shares, counts = _asked(task, agent, candidate, others, seating, checkpoint, in_parts(tell, 1 / deals))
    else:
        shares = _named(task, agent, others, seating, checkpoint, in_parts(tell, 1 / deals / task.players))
    return _row(shares, shares - _usual(task, others, deals), task.players, counts, candidate)


def in_parts(tell: Callable[[float], Any], part: float) -> Callable[[float], Any]:
    """What tells of a part as `tell` does of the whole."""
    return lambda n: tell(n * part)


def _seating(task: Task, others: Sequence[str], deals: int) -> NDArray[np.int64]:
    """Who sits where at first, (deals, P): the agent is number 0, and the others sit as often as each other."""
    seating = np.zeros((deals, task.players), np.int64)
    seating[:, 1:] = 1 + drawn(len(others), task.players - 1, deals, task.seed)
    return seating


@lru_cache(maxsize=64)
def _usual(task: Task, others: tuple[str, ...], deals: int) -> NDArray[np.float64]:
    """The shares of steady@1 in the place of the agent, (deals,)."""
    return _named(task, FIRST, others, _seating(task, others, deals), None)


def _row(
    shares: NDArray[Any], gains: NDArray[Any], players: int, counts: NDArray[Any], candidate: Candidate
) -> dict[str, Any]:
    answers = _answers(counts, candidate)
    if answers["void"]:
        shares, gains = np.zeros(len(shares)), gains - shares
    gain, half = float(gains.mean()), NORMAL * float(gains.std(ddof=1)) / math.sqrt(len(gains))
    over: dict[str, Any] = {"gain": gain, "gain_low": gain - half, "gain_high": gain + half}
    return over | share_of(shares, players).as_dict() | answers


def _answers(counts: NDArray[Any], candidate: Candidate) -> dict[str, Any]:
    """What became of the agent's answers, and what they cost."""
    decisions, forfeits, _seconds, steps, tokens = counts.tolist()
    row = {"decisions": int(decisions), "forfeits": int(forfeits), "fault": candidate.fault, "steps": int(steps) or None}
    return {**row, "tokens": int(tokens) if candidate.tells_tokens else None, "void": void(decisions, forfeits)}


def _named(
    task: Task,
    agent: str,
    others: Sequence[str],
    seating: NDArray[np.int64],
    checkpoint: Checkpoint | None,
    tell: Callable[[float], Any] | None = None,
) -> NDArray[np.float64]:
    """The shares by deal of a bot that the runner knows, (deals,); few deals are played without compiling for them."""
    names = (agent, *others)
    company = Bots(task.book, task.options, task.players, names)
    compiled = None if len(seating) > QUICK or company.search else ready(task.book, company.loop)
    how: dict[str, Any] = {"compiled": compiled, "checkpoint": checkpoint, "progress": tell}
    return play(task.book, task.options, task.players, names, seating, task.seed, **how).share_of(0)


def _asked(
    task: Task,
    agent: str,
    candidate: Candidate,
    others: Sequence[str],
    seating: NDArray[np.int64],
    checkpoint: Checkpoint | None,
    tell: Callable[[float], Any],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The shares by deal of any agent, (deals,), and its counts (Candidate)."""
    names = (agent, *others)
    code = hash_of(task.book, matches, [agent], nets_of(task.book))
    facts = [SUITE, task.name, *names, code, plain(), len(candidate.counts)]
    known = files_of([agent]) or ":" not in agent
    kept = checkpoint.part(task.game, facts, len(seating), ("shares", "counts")) if checkpoint and known else None
    deals = [Sat(task, candidate, names, k, tuple(row)) for k, row in enumerate(seating.tolist())]
    shares, counts = np.zeros(len(deals)), np.zeros(len(candidate.counts))
    for number, sat in enumerate(deals):  # in this thread, so that one who waits for an agent can break off
        played = kept.find(sat) if kept else None
        if played is None:
            played = sat.play(tell)
            if kept:
                kept.add(sat, played)
        else:
            tell(1)
        shares[number] = played["shares"].mean()
        counts += played["counts"]
    return shares, counts


def exact(task: Task, agent: str, candidate: Candidate) -> dict[str, Any]:
    """The row of a small game: what the agent expects of uniform play, of steady@1 and of an equilibrium, from both seats,
    and its NashConv."""
    game = Game(task.book, task.options)
    tree = solve.tree(game, task.players)
    asked = candidate if asks(task.book, [agent]) else candidate.bot
    own = solve.policy_of(tree, asked, SAMPLES, task.seed)
    usual = solve.policy_of(tree, opponent(task.book, FIRST), SAMPLES, task.seed)
    rivals = [solve.uniform(tree), usual, solve.cfr_plus(tree, ITERATIONS)]
    share = _expected(tree, own, rivals)
    row = _answers(candidate.counts, candidate)
    if row["void"]:
        share = 0.0
    return {**row, "share": share, "gain": share - _expected(tree, usual, rivals), "nash_conv": solve.nash_conv(tree, own)}


def _expected(tree: solve.Tree, policy: solve.Policy, rivals: Sequence[solve.Policy]) -> float:
    """The mean share of the victory of a policy in each seat, with each rival in the others."""
    shares = []
    for rival in rivals:
        for seat in range(tree.players):
            chances = rival.chances.copy()
            for _, first, n, _ in tree.facts[tree.ranges[seat] : tree.ranges[seat + 1]].tolist():
                chances[first : first + n] = policy.chances[first : first + n]
            shares.append((float(solve.value(tree, solve.Policy(tree, chances))[seat]) + 1) / tree.players)
    return sum(shares) / len(shares)


def examined(task: Task, agent: str, candidate: Candidate, held_out: int | None) -> dict[str, Any]:
    """What takes long: what an exploiter takes from the agent, and what its decisions lose by the judge, where that is
    calibrated."""
    tuning = replace(Tuning.of(task.book, agent), rounds=TUNED)
    outside = asks(task.book, [agent])  # then an error is a forfeit here, too
    with BOTS.instead(agent, Candidate(candidate.bot)) if outside else nullcontext():
        worst = exploit(task.book, task.options, task.players, agent, EXPLOITED, task.number, tuning)
    row: dict[str, Any] = {"exploit": worst.gain, "exploiter": worst.worst.kind, "loss": None}
    if any(key[:2] == (task.game, task.players) for key in measured()):
        names, losses = (agent, *population(task, held_out)), []
        for deal, row_of in enumerate(drawn(len(names) - 1, task.players - 1, REVIEWED, task.seed).tolist()):
            match, seat = Sat(task, candidate, names, deal, (0, *(1 + number for number in row_of))).match(0)
            for move in (move for move in moves_of(match) if move.seat == seat):
                decision = judged(match.at(move.number), move, task.seed, EFFORT)
                losses += [] if decision is None else [decision.loss]
        row["loss"] = float(np.mean(losses)) if losses else 0.0
    return row


def again(document: Mapping[str, Any], tell: Callable[[float], Any] = lambda part: None) -> dict[str, Any]:
    """The document of the same agent in the same tasks, measured anew. Raises BadSetup."""
    if document.get("format") != FORMAT or document.get("suite") != SUITE:
        raise BadSetup(f"The file is no result of {SUITE} in the format {FORMAT}.")
    if missing := {"agent", "files", "population", "held_out", "deals", "deep", "tasks", "score"} - document.keys():
        raise BadSetup(f"The result lacks {', '.join(sorted(missing))}.")
    chosen = named([row["task"] for row in document["tasks"]])
    how = {"held_out": document["held_out"], "deep": document["deep"], "tell": tell}
    return evaluate(document["agent"], chosen, document["deals"], **how)


def differences(document: Mapping[str, Any], repeated: Mapping[str, Any]) -> list[str]:
    """What a repetition has otherwise, costs apart, a line each."""
    lines = []
    for key in ("population", "files", "score"):
        if document[key] != repeated[key]:
            lines.append(f"{key}: {document[key]}, now {repeated[key]}")
    for before, now in zip(document["tasks"], repeated["tasks"], strict=True):
        for key in sorted({*before, *now} - {*COSTS}):
            known = key != "fault" or (before.get(key) and now.get(key))  # one before an interruption was not kept
            if known and before.get(key) != now.get(key):
                lines.append(f"{before['task']}, {key}: {before.get(key)}, now {now.get(key)}")
    return lines


def rank(document: Mapping[str, Any]) -> tuple[int, float]:
    """Where a document stands among others of the same tasks, the best last: those with fewer void tasks are better."""
    played = [row for row in document["tasks"] if "share" in row]
    mean = sum(row["share"] / row["equal"] for row in played) / max(1, len(played))
    return -sum(row["void"] for row in played), mean


def as_text(document: Mapping[str, Any]) -> str:
    """For people."""
    more = [(key, name) for key, name in MORE.items() if any(row.get(key) is not None for row in document["tasks"])]
    rows = [["task", "share", "equal", "gain over steady@1", "forfeits", *(name for _key, name in more)]]
    for row in document["tasks"]:
        if "skipped" in row:
            rows.append([row["task"], f"not played: {row['skipped']}", *[""] * (3 + len(more))])
            continue
        share = percent(row["share"], row["low"], row["high"]) if "low" in row else f"{100 * row['share']:.1f} %"
        gain = f"{100 * row['gain']:+z.1f}"
        if "gain_low" in row:
            gain += f" ({100 * row['gain_low']:+z.1f} to {100 * row['gain_high']:+z.1f})"
        forfeits = f"{row['forfeits']:,} of {row['decisions']:,}" + ": void" * row["void"] if row["decisions"] else "–"
        deeper = ["" if row.get(key) is None else f"{row[key]:.3f}" for key, _name in more]
        rows.append([row["task"], share, f"{100 * row['equal']:.1f} %", gain, forfeits, *deeper])
    lines = [f"{document['agent']} in {document['suite']}", *columns(rows)]
    faults = dict.fromkeys(row["fault"] for row in document["tasks"] if row.get("fault"))
    lines += [f"A forfeit: {fault}" for fault in faults]
    if document["score"] is not None:
        lines.append(f"score {document['score']:.3f}: the mean of share / equal over the core suite")
    return "\n".join(lines)
