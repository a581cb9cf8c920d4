"""Search: values of options under which a game reaches stated goals, with Optuna.

    goals = [Goal.read("minutes=38..42"), Goal.read("seat_advantage<0.02"), Goal.read("skill>0.4")]
    found = tune(plan, folder)      # plays, writes tune.json, then a run that checks the best on fresh deals

A goal has a loss, 0 where it is reached; a loss counts for the company that is farthest off: a rule must hold for all.
Several goals are several objectives: what is found is a Pareto front (tree-structured Parzen estimator, Bergstra et al.
2011; Ozaki et al. 2020 for several objectives). A trial is played in growing parts; one that is surely worse in every goal
than a trial before it (asymptotic confidence sequences, compare.py) is cut off there.

All sets of values that reach the goals are played again on deals that the search has not seen, and by another company,
beside the given rules; where none does, those that come closest. Only these figures are reported. A goal is reached (True)
where the whole interval of the measure lies within it, not reached (False) where all of it lies outside, else open (None).
Of the sets that reach all goals in every company, the one closest to the given rules comes first, and with it the plateau:
the range of values round it in which every set that was tried reaches them, too.

A search that was interrupted goes on: its trials are kept, and the same seed proposes the same values.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np

from outbid.core.contract import MOST_ACTIONS
from outbid.core.errors import BadSetup, OutbidError
from outbid.core.extras import needed
from outbid.core.hooks.policy_params import EASY, STEADY
from outbid.core.language import i18n
from outbid.core.language.phrases import meant
from outbid.core.rulebook import Rulebook
from outbid.lab.experiments import measures, runner, spec, variants
from outbid.lab.experiments.design import Design, Sums
from outbid.lab.experiments.findings import compare
from outbid.lab.experiments.goals import Goal
from outbid.lab.experiments.playing import sample
from outbid.lab.experiments.playing.blocks import CellBlock, code_of
from outbid.lab.experiments.playing.blocks import play as play_block
from outbid.lab.experiments.store import Run
from outbid.lab.experiments.titles import AS_GIVEN
from outbid.runs.blocks import warm
from outbid.runs.executor import Pool, executor
from outbid.runs.loops import observed
from outbid.runs.things import things_of

TRIALS = "trials.json"
SEARCHED = [measure.name for measure in measures.SEARCHED]
REPEATS = 200  # proposals in a row that were tried before: then there is nothing new
CHECKED = 50  # sets of values that are checked, at most
PARTS = (100, 300, 1000)  # deals of a trial: it may be cut off after each but the last


@dataclass(frozen=True)
class SearchPlan:
    """What is searched. over: options and their ranges, as of a sweep. experiment: what else an experiment file says, but
    for the variant, which is that of all trials."""

    experiment: Mapping[str, Any]
    over: Mapping[str, str]
    goals: Sequence[Goal]
    trials: int
    seed: int
    variant: Mapping[str, Any] = field(default_factory=dict)

    @property
    def book(self) -> Rulebook:
        """The game, with the rule changed that the variant changes. Raises BadSetup."""
        return variants.book_of(str(self.experiment["game"]), self.variant.get("rule", ""))

    @cached_property
    def axes(self) -> dict[str, list[Any]]:
        """The values that are tried, by option. Raises BadSetup."""
        return {name: variants.values(self.book, name, given) for name, given in self.over.items()}

    @cached_property
    def given(self) -> dict[str, Any]:
        """The values of these options by the given rules."""
        book = self.book
        options = variants.changed(book, self.variant.get("preset", "seed"), self.variant.get("options", {}))
        return {name: variants.value_of(book, options, name) for name in self.over}

    def apart(self, options: Mapping[str, Any]) -> float:
        """How far values lie from the given rules: the part of its range by which each number is another, 1 for each other
        word."""
        return sum(_apart(self.axes[name], self.given[name], value) for name, value in options.items())

    @property
    def facts(self) -> dict[str, Any]:
        """All that the trials depend on, as JSON values, but for the sources."""
        return {"over": dict(self.over), "goals": [goal.text for goal in self.goals], "seed": self.seed,
                "experiment": _json(self.experiment), "variant": _json(self.row({}, ""))}  # fmt: skip

    def row(self, options: Mapping[str, Any], name: str) -> dict[str, Any]:
        """A variant with further options."""
        return {**self.variant, "name": name, "options": _json({**self.variant.get("options", {}), **options})}

    def read(self, options: Mapping[str, Any]) -> spec.Experiment:
        """The experiment of one trial."""
        return spec.parse(spec.toml({**self.experiment, "seed": self.seed, "variant": [self.row(options, "trial")]}))

    def kept_in(self, folder: Path) -> bool:
        """Whether a folder holds this search."""
        return _TrialStore.of(folder).get("plan") == self.facts


@dataclass
class SearchTrial:
    """The result of one set of values. state: "done", "cut" or "refused"; why: the sentence of a refusal."""

    options: Mapping[str, Any]
    state: str
    values: dict[str, float] = field(default_factory=dict)
    losses: list[float] = field(default_factory=list)
    why: str = ""

    def as_dict(self, number: int) -> dict[str, Any]:
        return {"number": number, **vars(self), "options": dict(self.options)}


def check(book: Rulebook, goals: Sequence[Goal]) -> None:
    """Refuse goals that name no measure. Raises BadSetup."""
    known = measures.measures_of(book) | {measure.name: measure for measure in measures.SEARCHED}
    for name in {*measures.SAMPLED} - {sample.SKILL, sample.EXPLOIT}:
        known.pop(name, None)
    if not goals:
        raise BadSetup("A search needs a goal, such as --goal minutes=40.")
    for goal in goals:
        measure = known.get(goal.measure)
        if measure is None:
            names = f"{', '.join(known)}.{meant(goal.measure, known)}"
            raise BadSetup(f"The goal {goal.text} names no measure of {book.title}; there are {names}")
        if measure.unit == measures.SHARE and (goal.low > 1 or goal.high < measure.least):
            limits = f"{goal.measure} is a share from {measure.least:.0f} to 1, in which 2 % is 0.02"
            raise BadSetup(f"The goal {goal.text} cannot be met; {limits}.")
        if goal.high < measure.least:
            raise BadSetup(f"The goal {goal.text} cannot be met; {goal.measure} is never below 0.")
        for other in goals:
            if other.measure == goal.measure and other.low > goal.high:
                raise BadSetup(f"The goals {goal.text} and {other.text} cannot both be met.")


def tune(
    plan: SearchPlan, folder: Path, on: str | None = None, tell: Callable[[int, int, SearchTrial], object] | None = None,
    say: Callable[[str], object] | None = None,
) -> Run:
    """Search, and check the best. tell: called with the trials done, how many there will be, and the last one; say: told
    that trials are played again. Raises BadSetup."""
    with needed("A search", "lab"):
        import optuna
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    book = plan.book
    check(book, plan.goals)
    axes = plan.axes
    store = _TrialStore(folder, plan, say)
    fits = math.prod(map(len, axes.values())) <= plan.trials  # all sets of values can be tried
    grid = [dict(zip(axes, point, strict=True)) for point in product(*axes.values())] if fits else []
    many = len(grid) or plan.trials
    sampler = optuna.samplers.TPESampler(seed=plan.seed, n_startup_trials=max(4, min(10, plan.trials // 3)))
    study = optuna.create_study(directions=["minimize"] * len(plan.goals), sampler=sampler)
    nearest = {name: min(axis, key=partial(_apart, axis, plan.given[name])) for name, axis in axes.items()}
    study.enqueue_trial({name: nearest[name] if _step(axis) else axis.index(nearest[name]) for name, axis in axes.items()})
    done: list[SearchTrial] = []
    folder.mkdir(parents=True, exist_ok=True)
    with Run(folder).held(), executor(on) as pool:
        if on is None:
            first = plan.read({})
            warm(book, first.variants[0].options, first.players[0])
        for number in range(many):
            asked, options = (None, grid[number]) if grid else _untried(study, axes, done)
            if options is None:
                break
            trial = store.find(number, options) or _play_trial(plan, options, done, pool)
            if asked:
                _tell(study, asked, trial)
            done.append(trial)
            store.keep(done)
            if tell:
                tell(number + 1, many, trial)
    played = [trial for trial in done if trial.state != "refused"]
    if not played:
        raise BadSetup(f"None of the values can be played: {done[0].why}")
    front = _front(done)
    return _check_best(plan, folder, done, front, on)


def _untried(
    study: Any, axes: Mapping[str, Sequence[Any]], done: Sequence[SearchTrial]
) -> tuple[Any, dict[str, Any] | None]:
    """The next set of values that was not tried yet, and its trial; none where only those are proposed that were."""
    for _ in range(REPEATS):
        asked = study.ask()
        options = {name: _suggested(asked, name, axis) for name, axis in axes.items()}
        before = next((trial for trial in done if trial.options == options), None)
        if before is None:
            return asked, options
        _tell(study, asked, before)
    return None, None


def _tell(study: Any, asked: Any, trial: SearchTrial) -> None:
    from optuna.trial import TrialState

    if trial.state == "refused":
        study.tell(asked, state=TrialState.FAIL)
    else:
        study.tell(asked, trial.losses)


def _suggested(asked: Any, name: str, axis: Sequence[Any]) -> Any:
    """A value of an axis; numbers that go up evenly are searched as numbers."""
    if step := _step(axis):
        return asked.suggest_int(name, axis[0], axis[-1], step=step)
    return axis[asked.suggest_categorical(name, list(range(len(axis))))]


def _step(axis: Sequence[Any]) -> int:
    """From one number of an axis to the next; 0 if they are no numbers that go up evenly."""
    steps = {b - a for a, b in pairwise(axis)} if all(type(value) is int for value in axis) else set()
    return max(0, *steps) if len(steps) == 1 else 0


def _play_trial(plan: SearchPlan, options: Mapping[str, Any], before: Sequence[SearchTrial], pool: Pool) -> SearchTrial:
    try:
        experiment = plan.read(options)
    except OutbidError as error:
        return SearchTrial(options, "refused", why=str(error))
    deals = [min(n, experiment.deals) for n in PARTS if n < experiment.deals] + [experiment.deals]
    sums = Sums(Design(experiment, deals))
    ends: dict[str, tuple[float, float, float]] = {}
    state = "done"
    rest = [goal for goal in plan.goals if goal.measure in measures.SAMPLED]
    for row in range(len(deals)):
        sums.take(dict(pool.map(play_block, sums.design.row(row))))
        ends = {goal.measure: _worst(sums, goal, experiment.deals) for goal in plan.goals if goal not in rest}
        if row + 1 < len(deals) and not rest and _hopeless(plan.goals, ends, before):
            state = "cut"
            break
    ends |= {goal.measure: _ladder_value(experiment, goal, pool) for goal in rest}
    values = {goal.measure: ends[goal.measure][0] for goal in plan.goals}
    return SearchTrial(options, state, values, [goal.loss(values[goal.measure]) for goal in plan.goals])


def _worst(sums: Sums, goal: Goal, deals: int) -> tuple[float, float, float]:
    """The value of a measure in the cell that is farthest off, with the ends of its confidence sequence."""
    values = []
    for number, cell in enumerate(sums.design.cells):
        moments = sums.tally.deals[cell.key]
        if goal.measure == "dead_actions":
            things, matches = things_of(sums.design.books[number]), sums.tally.matches[cell.key].n
            usage = sums.usage[number][: len(things) - things.held]
            dead = (usage[:, observed.COULD] > 0) & (usage[:, observed.MATCHES] < measures.RARE * matches)
            values.append((float(dead.sum()),) * 3)
            continue
        if goal.measure == "seat_advantage":
            columns = [sums.tally.names.index(f"order:{place}") for place in range(cell.players)]
            column = max(columns, key=lambda k: abs(moments.mean[k] - 1 / cell.players))
            middle = abs(float(moments.mean[column]) - 1 / cell.players)
        else:
            column = sums.tally.names.index(goal.measure)
            middle = float(moments.mean[column])
        half = compare.sequence(moments.error(column), moments.n, compare.ALPHA, deals)
        values.append((middle, middle - half, middle + half))
    return max(values, key=lambda ends: goal.loss(ends[0]))


def _hopeless(goals: Sequence[Goal], ends: Mapping[str, tuple[float, float, float]], before: Sequence[SearchTrial]) -> bool:
    """Whether a trial before is surely better in every goal."""
    least = [goal.least(*ends[goal.measure][1:]) for goal in goals]
    done = (trial.losses for trial in before if trial.state == "done")
    return any(all(loss < mine for loss, mine in zip(losses, least, strict=True)) for losses in done)


def _ladder_value(experiment: spec.Experiment, goal: Goal, pool: Pool) -> tuple[float, float, float]:
    """The value of a ladder: of `skill` the least share of a better bot, of `exploit` the greatest of a simple strategy."""
    shares = []
    for players in experiment.players:
        rungs = sample.rungs(experiment.book, [goal.measure])
        deals = max(2, experiment.sample // players)
        variant, code = experiment.variants[0], code_of(variants.book_of(experiment.game, experiment.variants[0].rule))
        game, seed = variant.rule or experiment.game, experiment.seed
        blocks = [CellBlock(game, variant.options, rung.seats(players), seed, 0, deals, code) for rung in rungs]
        results = dict(pool.map(play_block, blocks))
        shares += [float(np.mean(sample.share_of_one(results[k], players))) for k in range(len(blocks))]
    value = min(shares) if goal.measure == sample.SKILL else max(shares)
    return value, value, value


def _front(trials: Sequence[SearchTrial]) -> list[int]:
    """The numbers of the trials that no other is better than, the closest to all goals first; equal values once."""
    played = {number: trial for number, trial in enumerate(trials) if trial.state == "done"}
    by_options: dict[str, int] = {}
    for number, trial in played.items():
        others = (other.losses for other in played.values() if other.losses != trial.losses)
        if not any(all(a <= b for a, b in zip(losses, trial.losses, strict=True)) for losses in others):
            by_options.setdefault(json.dumps(dict(trial.options), sort_keys=True), number)
    return sorted(by_options.values(), key=lambda number: (sum(trials[number].losses), number))


class _TrialStore:
    """The trials of a search in its folder."""

    def __init__(self, folder: Path, plan: SearchPlan, say: Callable[[str], object] | None):
        self.path, self.facts = folder / TRIALS, {"plan": plan.facts, "code": Design(plan.read({})).code}
        stored = self.of(folder)
        if folder.is_dir() and any(folder.iterdir()) and stored.get("plan") != plan.facts:
            raise BadSetup(f"{folder} holds something else than this search; choose another folder with --out.")
        same = stored.get("code") == self.facts["code"]
        self.trials = stored["trials"] if same else []
        if stored and not same and say:
            say(f"The rules, the bots or what is measured were changed since {folder} was searched; it is searched again.")

    @staticmethod
    def of(folder: Path) -> dict[str, Any]:
        """What a folder holds; nothing where it cannot be read."""
        try:
            document = json.loads((folder / TRIALS).read_text(encoding="utf-8"))
            return {"trials": document["trials"], **document["facts"]}
        except (OSError, ValueError, KeyError, TypeError):
            return {}

    def find(self, number: int, options: Mapping[str, Any]) -> SearchTrial | None:
        """A trial that was played."""
        if number < len(self.trials) and self.trials[number]["options"] == json.loads(json.dumps(options)):
            facts = self.trials[number]
            return SearchTrial(options, facts["state"], facts["values"], facts["losses"], facts["why"])
        return None

    def keep(self, trials: Sequence[SearchTrial]) -> None:
        rows = [trial.as_dict(number) for number, trial in enumerate(trials)]
        Run(self.path.parent).write(self.path.name, {"facts": self.facts, "trials": rows})


def _check_best(plan: SearchPlan, folder: Path, trials: Sequence[SearchTrial], front: Sequence[int], on: str | None) -> Run:
    """Play the best on fresh deals and by another company beside the given rules, and write the result."""
    from outbid.lab.report import figures, words

    first = plan.read({})
    book = plan.book
    reaching = [k for k, trial in enumerate(trials) if trial.state == "done" and not any(trial.losses)]
    best = reaching or _closest(plan.goals, trials, front)
    best = sorted(best, key=lambda number: plan.apart(trials[number].options))[:CHECKED]
    company = [{"name": own.name, "seats": list(own.seats)} for own in first.companies]
    if len(company) == 1 and book.personas.easy.changes:
        other = EASY if company[0]["seats"] == [STEADY] else STEADY
        company.append({"name": other, "seats": [other]})
    same = next((number for number, trial in enumerate(trials) if not plan.apart(trial.options)), None)
    sets: dict[int | None, tuple[str, Mapping[str, Any]]] = {same: (AS_GIVEN, {} if same is None else trials[same].options)}
    sets |= {k: (variants.named(trials[k].options), trials[k].options) for k in best if k != same}
    rows = [plan.row({} if name == AS_GIVEN else options, name) for name, options in sets.values()]
    named = [goal.measure for goal in plan.goals if goal.measure not in SEARCHED]
    wanted = list(dict.fromkeys([*named, "first_share", "turns"]))
    text = spec.toml({**plan.experiment, "seed": plan.seed + 1, "measures": wanted, "company": company, "variant": rows})
    experiment = spec.parse(text)
    run, actions = runner.play(experiment, folder, on, force=True, beside=(TRIALS,)), experiment.book.actions
    results = run.read("results.json")
    checked = []
    for number, (name, options) in sets.items():
        for group in company:
            for players in first.players:
                values = [_figures(run, results, goal, (name, str(group["name"]), players), actions) for goal in plan.goals]
                place_of = {"company": group["name"], "players": players, "seed": plan.seed + 1}
                checked.append({"number": number, "options": _json(options), **place_of, "figures": values})
    facts = {
        "format": "outbid-tune/1", "game": plan.experiment["game"], "over": dict(plan.over),
        "goals": [{"measure": goal.measure, "goal": goal.text, "low": _number(goal.low), "high": _number(goal.high)}
                  for goal in plan.goals],
        "trials": [trial.as_dict(number) for number, trial in enumerate(trials)], "front": list(front), "checked": checked,
        "reaching": len(reaching), "plateau": plateau(plan.axes, [trial.options for trial in trials], checked),
    }  # fmt: skip
    read = figures.RunFigures.of(folder, run.facts, results, facts)
    with i18n.locale(i18n.SOURCE):
        run.write("tune.json", {**facts, "unreached": words.missed(read)})
        run.write("results.json", {**results, "answer": " ".join(words.answer(read))})
    return run


def _closest(goals: Sequence[Goal], trials: Sequence[SearchTrial], front: Sequence[int]) -> list[int]:
    """The trials that are closest to all goals together, and to each."""

    def losses(goal: int, number: int) -> tuple[float, float]:
        return trials[number].losses[goal], sum(trials[number].losses)

    return list(dict.fromkeys([front[0], *(min(front, key=partial(losses, goal)) for goal in range(len(goals)))]))


def plateau(
    axes: Mapping[str, Sequence[Any]], tried: Sequence[Mapping[str, Any]], checked: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The range of values round the first set that reaches all goals in which all sets that were tried do: the values by
    option, and how many sets. axes: the values by option; tried: the sets by number."""
    figures: dict[int, list[Any]] = {}
    for check in checked:
        if check["number"] is not None:
            figures.setdefault(check["number"], []).extend(figure["reached"] for figure in check["figures"])
    places = [tuple(axis.index(options[name]) for name, axis in axes.items()) for options in tried]
    reach = [places[number] for number, reached in figures.items() if all(reached)]
    box: list[Any] = []
    inside: set[Any] = set()
    for place in sorted(reach, key=lambda place: sum(abs(a - b) for a, b in zip(place, reach[0], strict=True))):
        wider = [(min(low, k), max(high, k)) for (low, high), k in zip(box or [(k, k) for k in place], place, strict=True)]
        within = {other for other in places if all(low <= k <= high for k, (low, high) in zip(other, wider, strict=True))}
        if within <= set(reach):
            box, inside = wider, within
    spans = zip(axes.items(), box, strict=False)
    return {"sets": len(inside), "options": _json({name: axis[low : high + 1] for (name, axis), (low, high) in spans})}


def _apart(axis: Sequence[Any], given: Any, value: Any) -> float:
    if not all(type(each) is int for each in (*axis, given)):
        return float(_json({"": value}) != _json({"": given}))
    return abs(value - given) / max(1, max(*axis, given) - min(*axis, given))


def _json(given: Mapping[str, Any]) -> dict[str, Any]:
    """JSON values, as they are read again."""
    read: dict[str, Any] = json.loads(json.dumps(dict(given)))
    return read


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _figures(
    run: Run, results: Mapping[str, Any], goal: Goal, place: tuple[str, str, int], actions: int = MOST_ACTIONS
) -> dict[str, Any]:
    """The value of a goal's measure in a cell of the check, with its interval. actions: how many the game has."""
    variant, company, players = place
    if goal.measure == "seat_advantage":
        rows = [row for row in results["seats"] if (row["variant"], row["company"], row["players"], row["by"]) ==
                (variant, company, players, "order")]  # fmt: skip
        wider = compare.for_all(players) / compare.for_all(1)  # so that the intervals hold for all seats together
        edges = [(row["share"] - row["equal"], wider * (row["share"] - row["low"]), wider * (row["high"] - row["share"]))
                 for row in rows]  # fmt: skip
        value = max(abs(edge) for edge, *_ in edges)
        low = max(0.0, *(max(edge - below, -edge - above) for edge, below, above in edges))
        high = max(max(edge + above, below - edge) for edge, below, above in edges)
    elif goal.measure == "dead_actions":
        usage = run.table("usage").to_pylist()
        used = [row for row in usage
                if (row["variant"], row["company"], row["players"]) == place and row["action"] < actions]  # fmt: skip
        matches = next(row["matches"] for row in results["summaries"]
                       if (row["variant"], row["company"], row["players"]) == place)  # fmt: skip
        value = low = high = float(sum(row["matches"] < measures.RARE * matches for row in used))
    else:
        rows = [row for row in results["summaries"] if (row["measure"], row["variant"], row["players"]) ==
                (goal.measure, variant, players)]  # fmt: skip
        own = [row for row in rows if row["company"] == company] or rows
        row = max(own, key=lambda row: goal.loss(row["mean"]))
        value, low, high = row["mean"], row["low"], row["high"]
        reached = {goal.reached(row["low"], row["high"]) for row in own}
        sure = False if False in reached else None if None in reached else True
        return {"measure": goal.measure, "value": value, "low": low, "high": high, "reached": sure}
    return {"measure": goal.measure, "value": value, "low": low, "high": high, "reached": goal.reached(low, high)}


def as_text(run: Run) -> str:
    """A search for people."""
    from outbid.lab.arena import columns
    from outbid.lab.report import figures, words

    read = figures.RunFigures.read(run.folder)
    tuning = read.tuning
    states = [*{json.dumps(trial["options"]): trial["state"] for trial in tuning["trials"]}.values()]
    lines = [f"{len(states)} sets of values: {states.count('done')} played, {states.count('cut')} cut off early, "
             f"{states.count('refused')} refused. On the front: {len(tuning['front'])}.", ""]  # fmt: skip
    known = [read.measure(goal["measure"]) for goal in tuning["goals"]]
    wanted = [words.goal(measure, goal) for measure, goal in zip(known, tuning["goals"], strict=True)]
    rows = [["checked on fresh deals", "company", *wanted]]
    for check in tuning["checked"]:
        pairs = zip(known, check["figures"], strict=True)
        cells = [f"{words.figure(figure).shown(measure)} {words.mark(figure)}" for measure, figure in pairs]
        rows.append([read.titles.settings(check["options"]), f"{check['company']}, {check['players']} players", *cells])
    lines += [*columns(rows), ""]
    if (left := tuning["reaching"] - CHECKED) > 0:
        lines.append(f"{left} more sets of values, farther from the given rules, reached the goals in the search.")
    lines += words.reached(read)
    return "\n".join(lines)
