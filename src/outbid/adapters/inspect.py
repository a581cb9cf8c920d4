"""A language model's seat, scored against the bots with inspect_ai (https://inspect.aisi.org.uk).

    inspect eval outbid/seat_against_bots --model PROVIDER/MODEL -T game=kuhhandel -T deals=20
    inspect eval outbid/seat_against_bots --model outbid/example -T deals=1     # a dry run, without a model or a network

A sample is one match: a deal, and the seat at which the model sits; every other seat has the bot. Each deal is played from
every seat, so that luck of the deal is nobody's, and in the same seat of the same deal a bot plays as baseline. What is
scored, each with a standard error over deals (none if there is but one):

    share      the model's part of the victory (ties split), with a 95 % interval; an equal share is 1 / players
    above      share − 1 / players
    gain       share − the share of the baseline bot in the same seat of the same deal
    illegal    answers that were refused, a match
    rethinks   refused answers after which the model was asked again, a match
    forfeits   moves that the baseline bot made because no answer could be used, a match
    tokens     tokens, a match

A refused answer is asked again with the one sentence that says why, at most `rethinks` times; then the baseline bot moves.

memory: what the model keeps from move to move. "none": each prompt tells all; "conversation": what it was told and said
before, so that rules are told once; "notebook": what it writes behind NOTE: in its answers, besides a prompt that tells all.
The log of a sample holds the whole match as a conversation, and its record.

The model `outbid/example` answers with the move that each prompt gives as an example, which is legal.
"""

import math
import re
from typing import Any

import numpy as np

import outbid
from outbid.agents.session import Sitting
from outbid.bots import choose
from outbid.core.chance import stream
from outbid.core.errors import BadSetup, OutbidError
from outbid.core.extras import needed
from outbid.core.match import Match
from outbid.lab.shares import Share, share_of

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
    from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, mean, metric, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, solver

MEMORIES = ("none", "conversation", "notebook")
NOTE = re.compile(r"^[ >*_#`-]*NOTE:[ *_`]*(.*)$", re.I | re.M)
BOOK = 4000  # characters of a notebook: the last ones are kept
NOTES = "You may keep notes for your later moves: lines that begin with NOTE: are shown to you again."

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
    """A model that takes no thought: it answers with the example of the last prompt. A token is four characters."""

    async def generate(self, input: list[Any], tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        """The last line after ANSWER: that was sent."""
        lines = (line for message in reversed(input) for line in reversed(message.text.splitlines()))
        answer = next((line for line in lines if line.startswith("ANSWER:")), "")
        output = ModelOutput.from_content(self.model_name, answer)
        read, written = sum(len(message.text) for message in input) // 4, len(answer) // 4
        output.usage = ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written)
        return output


def noted(book: str, answer: str) -> str:
    """A notebook with the notes of an answer."""
    return "\n".join(filter(None, [book, *(note.strip() for note in NOTE.findall(answer))]))[-BOOK:]


@solver
def play(
    rethinks: int = 2, moves: int = 500, history: str = "full", rules: str = "short", memory: str = "none"
) -> Solver:
    """Play the match. moves: of the model; the bot plays on after them. history, rules: as in outbid's prompts."""
    if memory not in MEMORIES:
        raise BadSetup(f"memory is {memory!r}; it must be one of {', '.join(MEMORIES)}.")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        facts = state.metadata
        sitting = new_seat(facts)
        counts = {"illegal": 0, "rethinks": 0, "forfeits": 0, "tokens": 0, "moves": 0}
        model, notes = get_model(), ""
        system: Any = ChatMessageSystem(content=SYSTEM + (f" {NOTES}" if memory == "notebook" else ""))
        whole: list[Any] = [system]  # the match as a conversation
        while not sitting.match.over:
            move = None
            if counts["moves"] < moves:
                if memory == "conversation" and counts["moves"]:
                    asked = f"{sitting.news()}\n\n{sitting.prompt('none', 'none')}"
                else:
                    asked = sitting.prompt(history, rules)
                    sitting.news()  # what it was told until now
                if notes:
                    asked = f"{asked}\n\n## Your notes\n\n{notes}"
                begun = len(whole) if memory != "conversation" else 1
                whole.append(ChatMessageUser(content=asked))
                for attempt in range(rethinks + 1):
                    output = await model.generate([system, *whole[begun:]])
                    counts["tokens"] += output.usage.total_tokens if output.usage else 0
                    whole.append(output.message if output.choices else ChatMessageAssistant(content=""))
                    notes = noted(notes, output.completion) if memory == "notebook" else ""
                    try:
                        move = sitting.read(output.completion)
                        break
                    except OutbidError as error:
                        counts["illegal"] += 1
                        if attempt < rethinks:
                            counts["rethinks"] += 1
                            whole.append(ChatMessageUser(content=str(error)))
                counts["moves"] += 1
                state.output = output
                counts["forfeits"] += move is None
            if move is None:
                bot_moves(sitting, facts)
            else:
                sitting.do(move)
        state.messages = whole
        won = share(sitting.match, sitting.seat)
        state.store.set("match", {**counts, "share": won, "scores": sitting.match.scores, "record": sitting.match.record()})
        state.completed = True
        return state

    return solve


MEASURES = ("share", "above", "gain", "illegal", "rethinks", "forfeits", "tokens")


def by_deal(scores: list[SampleScore]) -> list[list[float]]:
    """The values of each deal."""
    deals: dict[Any, list[float]] = {}
    for sample in scores:
        deals.setdefault((sample.sample_metadata or {})["deal"], []).append(sample.score.as_float())
    return list(deals.values())


@metric(name="stderr")
def over_deals() -> Metric:
    """The standard error over deals; not a number for one deal, which says nothing of others."""
    clustered: Any = stderr(cluster="deal")

    def measure(scores: list[SampleScore]) -> Value:
        return clustered(scores) if len(by_deal(scores)) > 1 else math.nan

    return measure


@metric
def low() -> Metric:
    """The lower end of the interval of a share."""

    def measure(scores: list[SampleScore]) -> Value:
        return interval(scores).low if scores else math.nan

    return measure


@metric
def high() -> Metric:
    """The upper end."""

    def measure(scores: list[SampleScore]) -> Value:
        return interval(scores).high if scores else math.nan

    return measure


def interval(scores: list[SampleScore]) -> Share:
    """A share of victories with its interval."""
    deals = by_deal(scores)
    return share_of(np.array([sum(shares) / len(shares) for shares in deals]), max(map(len, deals)))


METRICS = {name: [mean(), over_deals(), *([low(), high()] if name == "share" else [])] for name in MEASURES}


@scorer(metrics=METRICS)
def against_the_bots() -> Scorer:
    """The measures of a match."""

    async def score(state: TaskState, target: Target) -> Score:
        facts, counts = state.metadata, state.store.get("match")
        value = {name: float(counts[name]) for name in ("share", "illegal", "rethinks", "forfeits", "tokens")}
        value["above"] = counts["share"] - 1 / facts["players"]
        value["gain"] = counts["share"] - baseline_share(facts)
        return Score(value={name: value[name] for name in MEASURES}, explanation=f"Final scores: {counts['scores']}.")

    return score


@task
def seat_against_bots(
    game: str = "kuhhandel",
    players: int = 3,
    deals: int = 10,
    seed: int = 0,
    bot: str = "steady",
    baseline: str = "steady",
    preset: str = "seed",
    legal: bool = True,
    obfuscate: int | None = None,
    history: str = "full",
    rules: str = "short",
    rethinks: int = 2,
    moves: int = 500,
    memory: str = "none",
) -> Task:
    """Duplicate deals: each is played from every seat."""
    samples = [
        Sample(
            id=f"{game}-{deal}-{seat}",
            input=f"Seat {seat} of {players} in deal {deal} of {game}.",
            metadata={
                "game": game, "players": players, "deal": deal, "seat": seat, "bot": bot, "baseline": baseline,
                "preset": preset, "legal": legal, "obfuscate": obfuscate,
            },
        )
        for deal in range(seed, seed + deals)
        for seat in range(players)
    ]  # fmt: skip
    return Task(
        dataset=MemoryDataset(samples),
        solver=play(rethinks, moves, history, rules, memory),
        scorer=against_the_bots(),
    )
