"""Language models scored with inspect_ai (https://inspect.aisi.org.uk): a seat against the bots, and tables of many.

    inspect eval outbid/seat_against_bots --model PROVIDER/MODEL -T game=kuhhandel -T deals=20
    inspect eval outbid/seat_against_bots --model outbid/example -T deals=1     # a dry run, without a model or a network

A sample is one match: a deal, and the seat at which the model sits; every other seat has the bot. Each deal is played from
every seat, so that luck of the deal is nobody's, and in the same seat of the same deal a bot plays as baseline. What is
scored, each with a 95 % interval over deals (none but for shares if there is but one deal):

    share      the model's part of the victory (ties split); an equal share is 1 / players
    above      share − 1 / players
    gain       share − the share of the baseline bot in the same seat of the same deal
    refused    answers that were no legal move, a match
    forfeits   decisions without a usable answer, a match
    void       matches that were lost by forfeits, the part of all
    tokens     tokens, a match

Both tasks have the options of `TaskOptions`; what is asked, remembered, refused and forfeited says agents/conversation.py. A
void match, and one in which the model has made `moves` moves and is not over, has a share of 0. The log of a sample holds
the whole match as a conversation, and its record. Before a run an estimate says what it costs.

    inspect eval outbid/mixed_tables --model PROVIDER/MODEL -T entrants=model,PROVIDER/OTHER,steady,outbid/person

There models, bots and people sit at one table and may talk (`-T talk=public`, `private`). Every company of entrants plays
every deal once in each turn of its seats, so that each has every seat equally often; what comes out is a rating on one scale
(lab/rating_fit.py) and the share of each, with intervals, and what was refused, forfeited and spent. Who loses by forfeits
is last, the others level. Entrants are `model` (the one that is evaluated), other models by their names in inspect, bots.

The model `outbid/example` answers with the move that each prompt gives as an example, which is legal; `outbid/person` shows
the prompt to who sits at the terminal (with `--display none`) and sends what is typed.
"""

from __future__ import annotations

import asyncio
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np

import outbid
from outbid.agents.conversation import NOTES, Answer, Conversation, Manner, estimate
from outbid.agents.conversation import Generate as Generating
from outbid.agents.session import Sitting
from outbid.bots import Decision, Seat, choose
from outbid.core.chance import stream
from outbid.core.errors import BadSetup, Illegal
from outbid.core.extras import needed
from outbid.core.match import Match
from outbid.facade import refuse
from outbid.lab.rating_fit import ladder
from outbid.lab.shares import NORMAL, Share, share_of
from outbid.runs.runner import Played

with needed("outbid.adapters.inspect", "inspect"):
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import (
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageUser,
        ModelAPI,
        ModelOutput,
        ModelUsage,
        get_model,
        modelapi,
    )
    from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, mean, metric, scorer
    from inspect_ai.solver import Generate, Solver, TaskState, solver

PERSON = "outbid/person"
MODEL = "model@"  # before the name of a model
SYSTEM = "You play a board game of money against others. Read the rules, think, and answer with one move at a time."


def new_seat(facts: dict[str, Any]) -> Sitting:
    """The seat of a sample: its deal, its bots, its prompt."""
    game = outbid.game(facts["game"], preset=facts["preset"])
    match = game.new(players=facts["players"], seed=facts["deal"])
    bots = {seat: facts["bot"] for seat in range(facts["players"]) if seat != facts["seat"]}
    return Sitting(match, facts["seat"], bots, facts["deal"], facts["legal"], facts["obfuscate"])


def share(match: Match, seat: int) -> float:
    """The part of the victory that a seat has; 0 in a match that was broken off."""
    return 1 / len(match.winners) if match.over and seat in match.winners else 0.0


def bot_moves(sitting: Sitting, facts: dict[str, Any]) -> None:
    """The baseline bot makes one move of the model's seat."""
    actions = choose(sitting.match, sitting.seat, facts["baseline"], stream(facts["deal"], sitting.seat)).actions
    if actions:
        sitting.match.play_steps(sitting.seat, actions)
        sitting.advance()
    else:
        sitting.do(None)


def baseline_share(facts: dict[str, Any]) -> float:
    """What the baseline bot makes of the same seat of the same deal."""
    sitting = new_seat(facts)
    while not sitting.match.over:
        bot_moves(sitting, facts)
    return share(sitting.match, sitting.seat)


@modelapi(name="outbid")
class Example(ModelAPI):
    """A model that takes no thought: it answers with the example of the last prompt. A token is four characters. As
    `outbid/person` it is who sits at the terminal."""

    async def generate(self, input: list[Any], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        """The last line after ANSWER: that was sent; what is typed."""
        if self.model_name == "person":
            print(input[-1].text)
            return ModelOutput.from_content(self.model_name, await asyncio.to_thread(sys.stdin.readline))
        lines = (line for message in reversed(input) for line in reversed(message.text.splitlines()))
        answer = next((line for line in lines if line.startswith("ANSWER:")), "")
        output = ModelOutput.from_content(self.model_name, answer)
        read, written = sum(len(message.text) for message in input) // 4, len(answer) // 4
        output.usage = ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written)
        return output


def system_of(manner: Manner) -> str:
    """What a model is told before everything else."""
    return SYSTEM + (f" {NOTES}" if manner.memory == "notebook" else "")


class ModelSeat(Conversation):
    """A seat of a model of inspect. tokens: what it has cost."""

    def __init__(self, sitting: Sitting, manner: Manner):
        super().__init__(sitting, manner, lambda text: ChatMessageUser(content=text))
        self.system = ChatMessageSystem(content=system_of(manner))
        self.tokens = 0

    def generated(self, model: Any, state: Any) -> Generating:
        """What asks the model and counts its tokens. state: whose `output` its last answer is."""

        async def answer(messages: list[Any]) -> Answer:
            output = state.output = await model.generate([self.system, *messages])
            self.tokens += output.usage.total_tokens if output.usage else 0
            return output.message if output.choices else ChatMessageAssistant(content=""), output.completion

        return answer

    async def play(self, model: Any, state: TaskState, seed: int) -> None:
        """Decide and play."""
        await self.move(self.generated(model, state), seed)

    def counts(self) -> dict[str, Any]:
        """What became of its answers, and what they cost."""
        return {"refused": self.refused, "forfeits": self.forfeits, "void": self.void, "tokens": self.tokens}


class ModelBot:
    """A model as `outbid eval model@PROVIDER/NAME` asks it: a conversation for each match. tokens: what it has cost; output:
    its last answer. Raises BadSetup."""

    summary = "is a language model"

    def __init__(self, name: str):
        self.name, self.output = name, None
        try:
            self._model = get_model(name.removeprefix(MODEL))
        except Exception as error:  # of a provider: a package or a key is missing
            raise BadSetup(f"{name} cannot be asked: {' '.join(str(error).split())}") from error
        self._runner = asyncio.Runner()
        self._spent = 0
        self._talk: ModelSeat | None = None

    @property
    def tokens(self) -> int:
        """What all matches have cost."""
        return self._spent + (self._talk.tokens if self._talk else 0)

    def sit(self, match: Match, seat: int) -> None:
        """Begin another match."""
        self._spent, self._talk = self.tokens, ModelSeat(Sitting(match, seat, {}), Manner())

    def decide(self, seat: Seat) -> Decision:
        """Its move. Raises Illegal if no answer was one."""
        assert self._talk is not None
        move = self._runner.run(self._talk.decide(self._talk.generated(self._model, self)))
        if move is None:
            raise Illegal("No answer was a legal move.")
        return Decision(self._talk.sitting.match.attempt(seat.seat, move).actions)

    def close(self) -> None:
        """Let the model go."""
        self._runner.close()


@solver
def play(manner: Manner, moves: int = 500) -> Solver:
    """Play the match. moves: the most of the model; a match that goes on after them is broken off."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        facts = state.metadata
        sitting = new_seat(facts)
        talk, model = ModelSeat(sitting, manner), get_model()
        while not sitting.match.over and not talk.void and talk.decisions < moves:
            await talk.play(model, state, facts["deal"])
        state.messages = [talk.system, *talk.messages]
        counts = talk.counts()
        match = sitting.match
        facts_of_end = {"share": 0.0 if talk.void else share(match, sitting.seat), "scores": match.scores}
        state.store.set("match", {**counts, **facts_of_end, "record": match.record()})
        state.completed = True
        return state

    return solve


MEASURES = ("share", "above", "gain", "refused", "forfeits", "void", "tokens")


def by_deal(scores: list[SampleScore]) -> list[list[float]]:
    """The values of each deal."""
    deals: dict[Any, list[float]] = {}
    for sample in scores:
        deals.setdefault((sample.sample_metadata or {})["deal"], []).append(sample.score.as_float())
    return list(deals.values())


def interval(scores: list[SampleScore], shares: bool) -> Share:
    """The mean of a measure with its interval over deals: a share's is never empty (shares.py), another's reaches as far as
    its standard error says, and is not a number for one deal, which says nothing of others."""
    deals = by_deal(scores)
    values = np.array([sum(deal) / len(deal) for deal in deals])
    measured = share_of(np.clip(values, 0, 1), max(map(len, deals)))
    if shares:
        return measured
    error = float(values.std(ddof=1) / len(values) ** 0.5) if len(values) > 1 else None
    half = math.nan if error is None else NORMAL * error
    return Share(float(values.mean()), error, float(values.mean()) - half, float(values.mean()) + half)


@metric
def low(shares: bool = False) -> Metric:
    """The lower end of the interval."""

    def measure(scores: list[SampleScore]) -> Value:
        return interval(scores, shares).low if scores else math.nan

    return measure


@metric
def high(shares: bool = False) -> Metric:
    """The upper end."""

    def measure(scores: list[SampleScore]) -> Value:
        return interval(scores, shares).high if scores else math.nan

    return measure


METRICS = {name: [mean(), low(name in ("share", "void")), high(name in ("share", "void"))] for name in MEASURES}


@scorer(metrics=METRICS)
def against_the_bots() -> Scorer:
    """The measures of a match."""

    async def score(state: TaskState, target: Target) -> Score:
        facts, counts = state.metadata, state.store.get("match")
        value = {name: float(counts[name]) for name in ("share", "refused", "forfeits", "void", "tokens")}
        value["above"] = counts["share"] - 1 / facts["players"]
        value["gain"] = counts["share"] - baseline_share(facts)
        return Score(value={name: value[name] for name in MEASURES}, explanation=f"Final scores: {counts['scores']}.")

    return score


@dataclass(frozen=True)
class TaskOptions(Manner):
    """What both tasks can be asked for with -T: the deals from a seed on, the match, how a model is asked (conversation.py),
    and the most moves of a model. Raises BadSetup."""

    game: str = "kuhhandel"
    players: int = 3
    deals: int = 10
    seed: int = 0
    preset: str = "seed"
    legal: bool = True
    obfuscate: int | None = None
    moves: int = 500

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.deals < 1:
            raise BadSetup(f"deals is {self.deals}; it must be 1 or more.")

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> TaskOptions:
        """Those that were given by name. Raises BadSetup."""
        refuse(cls, {name: value for name, value in given.items() if name not in cls.__dataclass_fields__})
        return cls(**given)

    @property
    def dealt(self) -> range:
        """The seeds of the deals."""
        return range(self.seed, self.seed + self.deals)

    @property
    def match(self) -> dict[str, Any]:
        """What every sample has."""
        return {name: getattr(self, name) for name in ("game", "preset", "legal", "obfuscate")}

    def tell(self, sitting: Sitting, seats: int) -> None:
        """Print what a run costs: in so many seats of models what it costs in this one, where `steady` moves."""
        facts = {"baseline": "steady", "deal": self.seed}
        cost = estimate(sitting, self, lambda seat: bot_moves(seat, facts), system_of(self))
        print(f"Roughly, a seat with {self.memory} as memory: {cost}; {seats} of them.", file=sys.stderr)


@task
def seat_against_bots(bot: str = "steady", baseline: str = "steady", **options: Any) -> Task:
    """Duplicate deals: each is played from every seat. options: TaskOptions. Raises BadSetup."""
    asked = TaskOptions.read(options)
    samples = [
        Sample(
            id=f"{asked.game}-{deal}-{seat}",
            input=f"Seat {seat} of {asked.players} in deal {deal} of {asked.game}.",
            metadata={**asked.match, "players": asked.players, "deal": deal, "seat": seat, "bot": bot, "baseline": baseline},
        )
        for deal in asked.dealt
        for seat in range(asked.players)
    ]
    asked.tell(new_seat(samples[0].metadata or {}), len(samples))
    return Task(dataset=MemoryDataset(samples), solver=play(asked, asked.moves), scorer=against_the_bots())


# --- tables of many ---------------------------------------------------------------------------------------------------


def is_model(entrant: str) -> bool:
    """Whether an entrant is a model of inspect, PROVIDER/NAME, or the one that is evaluated: no bot (net@FOLDER/FILE)."""
    return entrant == "model" or ("/" in entrant and "@" not in entrant and ".py" not in entrant)


def schedule(entrants: Sequence[str], players: int) -> Iterator[tuple[str, ...]]:
    """Who sits where in the matches of one deal: every company of different entrants (where they are too few, every one of
    at least two) in every turn of its seats. Raises BadSetup."""
    if len(set(entrants)) < 2:
        raise BadSetup("A rating takes at least two entrants.")
    enough = len(entrants) >= players
    for company in (combinations if enough else combinations_with_replacement)(entrants, players):
        if len(set(company)) > 1:
            yield from (company[turn:] + company[:turn] for turn in range(players))


def table_of(facts: dict[str, Any]) -> dict[int, Sitting]:
    """The models' seats of a match, which all have the same `Match`."""
    match = outbid.game(facts["game"], preset=facts["preset"]).new(players=len(facts["seats"]), seed=facts["deal"])
    bots = {seat: entrant for seat, entrant in enumerate(facts["seats"]) if not is_model(entrant)}
    how = bots, facts["deal"], facts["legal"], facts["obfuscate"], facts["talk"]
    return {seat: Sitting(match, seat, *how) for seat in range(match.players) if seat not in bots}


@solver
def play_together(manner: Manner, moves: int = 500) -> Solver:
    """Play the match. moves: the most of each model; a match that goes on after them is broken off, and all are level."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        facts, sittings = state.metadata, table_of(state.metadata)
        talks = {seat: ModelSeat(sitting, manner) for seat, sitting in sittings.items()}
        models = {seat: get_model(None if facts["seats"][seat] == "model" else facts["seats"][seat]) for seat in talks}
        match = next(iter(sittings.values())).match
        while not match.over:
            seat = next(seat for seat in match.asked if seat in talks and match.legal(seat))
            if talks[seat].decisions == moves:
                break
            await talks[seat].play(models[seat], state, facts["deal"])
            if talks[seat].void:
                break
        lost = {seat for seat, talk in talks.items() if talk.void}
        points = match.scores if match.over else [0] * match.players
        ends = [(seat not in lost, seat in match.winners, points[seat]) for seat in range(match.players)]
        first = [seat for seat, end in enumerate(ends) if end[:2] == max(ends)[:2]]
        state.store.set("match", {
            "places": [sum(other > end for other in ends) for end in ends],
            "shares": [(seat in first) / len(first) for seat in range(match.players)],
            "counts": {seat: talk.counts() for seat, talk in talks.items()},
            "record": match.record(range(match.players)),
        })  # fmt: skip
        state.messages = [message for talk in talks.values() for message in (talk.system, *talk.messages)]
        state.completed = True
        return state

    return solve


@metric
def standings() -> Metric:
    """Of each entrant: its rating and its share of the victories, with 95 % intervals, and what became of its answers, a
    seat of a match."""

    def measure(scores: list[SampleScore]) -> Value:
        rows = [(sample.sample_metadata or {}, sample.score.metadata or {}) for sample in scores]
        names = sorted({entrant for facts, _end in rows for entrant in facts["seats"]})
        bots = [[names.index(entrant) for entrant in facts["seats"]] for facts, _end in rows]
        deals = np.unique([facts["deal"] for facts, _end in rows], return_inverse=True)[1]
        ends = (np.array([end[key] for _facts, end in rows], float) for key in ("shares", "places"))
        played = Played(deals, np.array(bots), *ends)
        told: dict[str, float] = {}
        for rung in ladder(names, [played]):
            seats = [(end, seat) for facts, end in rows for seat, who in enumerate(facts["seats"]) if who == rung.bot]
            values = played.share_of(names.index(rung.bot))
            measured = share_of(values, max(1, len(seats) // len(values)))
            rating = "rating", (rung.rating, rung.low, rung.high)
            for key, numbers in (rating, ("share", (measured.mean, measured.low, measured.high))):
                ends_of = (f"{rung.bot} {key}{end}" for end in ("", " low", " high"))
                told |= dict(zip(ends_of, numbers, strict=True))
            counts: Counter[str] = Counter()
            for end, seat in seats:
                counts.update({key: float(number) for key, number in end["counts"].get(seat, {}).items()})
            told |= {f"{rung.bot} {key}": total / len(seats) for key, total in counts.items()}
        return told

    return measure


@scorer(metrics=[standings()])
def at_the_table() -> Scorer:
    """Whether the match was decided at the table, and how it ended."""

    async def score(state: TaskState, target: Target) -> Score:
        end = state.store.get("match")
        void = any(counts["void"] for counts in end["counts"].values())
        return Score(value=not void, metadata={key: end[key] for key in ("places", "shares", "counts")})

    return score


@task
def mixed_tables(entrants: str | list[str] = "model,steady", talk: str = "none", **options: Any) -> Task:
    """Models, bots and people at the same tables, each company in every turn of its seats. options: TaskOptions. Before a
    run an estimate says what it costs, where other models move like `steady` and nobody talks. Raises BadSetup."""
    asked = TaskOptions.read(options)
    names = [name.strip() for name in (entrants.split(",") if isinstance(entrants, str) else entrants)]
    samples = [
        Sample(
            id=f"{asked.game}-{deal}-{number}",
            input=", ".join(seats),
            metadata={**asked.match, "talk": talk, "deal": deal, "seats": list(seats)},
        )
        for deal in asked.dealt
        for number, seats in enumerate(schedule(names, asked.players))
        if any(map(is_model, seats))
    ]
    if samples:
        facts = samples[0].metadata or {}
        first = next(seat for seat, name in enumerate(facts["seats"]) if is_model(name))
        seats = ["steady" if is_model(name) and seat != first else name for seat, name in enumerate(facts["seats"])]
        paid = sum(is_model(name) and name != PERSON for sample in samples for name in (sample.metadata or {})["seats"])
        asked.tell(table_of({**facts, "seats": seats})[first], paid)
    return Task(dataset=MemoryDataset(samples), solver=play_together(asked, asked.moves), scorer=at_the_table())
