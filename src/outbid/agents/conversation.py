"""What a language model is told and answers in one seat, from decision to decision, and what becomes of answers that are no
moves: the one account of errors, for whatever asks the model.

    talk = Conversation(sitting, Manner(), user=ChatMessageUser)
    move = await talk.decide(generate)        # generate(messages) → the answer as a message, and its text

A refused answer is asked again with the one sentence that says why, at most `rethinks` times; then the decision is a
forfeit. What a forfeit costs is `Manner.on_forfeit`: a random legal move, and past `most_forfeits` the match, which is void;
or the match at once. Nothing that plays well moves in the model's place: junk and silence are worth less than random play.
"""

import re
from bisect import bisect_left
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from outbid.agents.prompts import MARK, first_move, spelled
from outbid.agents.session import Sitting
from outbid.core.chance import stream
from outbid.core.errors import BadSetup, OutbidError

MEMORIES = ("conversation", "none", "notebook")
FORFEITS = ("random", "lose")
NOTE = re.compile(r"^[ >*_#`-]*NOTE:[ *_`]*(.*)$", re.I | re.M)
BOOK = 4000  # characters of a notebook: the last ones are kept
NOTES = "You may keep notes for your later moves: lines that begin with NOTE: are shown to you again."
TOKEN = 4  # characters, roughly

Answer = tuple[Any, str]  # as a message, and its text
Generate = Callable[[list[Any]], Awaitable[Answer]]


@dataclass(frozen=True)
class Manner:
    """How a model is asked. memory: what it keeps from decision to decision: all that it was told and has answered, so that
    rules are told once ("conversation"); what it writes behind NOTE: ("notebook"); or nothing. history, rules: as in
    prompts.py, where a prompt tells all. Raises BadSetup."""

    memory: str = "conversation"
    history: str = "full"
    rules: str = "short"
    rethinks: int = 2
    on_forfeit: str = "random"
    most_forfeits: int = 3

    def __post_init__(self) -> None:
        for name, allowed in (("memory", MEMORIES), ("on_forfeit", FORFEITS)):
            if getattr(self, name) not in allowed:
                raise BadSetup(f"{name} is {getattr(self, name)!r}; it must be one of {', '.join(allowed)}.")
        if self.rethinks < 0:
            raise BadSetup(f"rethinks is {self.rethinks}; it must be 0 or more.")


class Conversation:
    """A model's seat. messages: all that was told and answered; user: makes a message of what is told. refused: answers that
    were no legal move; forfeits: decisions without a usable answer; void: the match is lost by them."""

    def __init__(self, sitting: Sitting, manner: Manner, user: Callable[[str], Any] = str):
        self.sitting = sitting
        self.manner = manner
        self.user = user
        self.messages: list[Any] = []
        self.decisions = self.refused = self.forfeits = 0
        self._notes = ""
        self._begun = 0  # the first message that the model is still sent

    @property
    def void(self) -> bool:
        """Whether the match is lost by forfeits."""
        return self.forfeits > (0 if self.manner.on_forfeit == "lose" else self.manner.most_forfeits)

    def ask(self) -> list[Any]:
        """Put the decision to the model: the messages that it is sent."""
        if self.manner.memory == "conversation" and self.messages:
            prompt = self.sitting.turn()
        else:
            prompt = self.sitting.prompt(self.manner.history, self.manner.rules)
            self._begun = len(self.messages)
        self.messages.append(self.user(f"{prompt}\n\n## Your notes\n\n{self._notes}" if self._notes else prompt))
        return self.messages[self._begun :]

    async def decide(self, generate: Generate) -> dict[str, Any] | None:
        """The model's move, checked and not yet played; none if it is a forfeit."""
        self.decisions += 1
        sent = self.ask()
        for attempt in range(self.manner.rethinks + 1):
            message, text = await generate(sent)
            self.messages.append(message)
            if self.manner.memory == "notebook":
                noted = [self._notes, *(note.strip() for note in NOTE.findall(text))]
                self._notes = "\n".join(filter(None, noted))[-BOOK:]
            try:
                move, spoken = self.sitting.read(text), self.sitting.spoken(text)
                for each in spoken:
                    self.sitting.match.say(each.seat, each.text, each.to)
                return move
            except OutbidError as error:
                self.refused += 1
                if attempt < self.manner.rethinks:
                    self.messages.append(self.user(str(error)))
                sent = self.messages[self._begun :]
        self.forfeits += 1
        return None

    async def move(self, generate: Generate, seed: int = 0) -> None:
        """Decide and play. seed: of the random move that a forfeit brings, unless it ends the match."""
        move = await self.decide(generate)
        if move is not None:
            self.sitting.do(move)
        elif not self.void:
            self.sitting.stumble(stream(seed, self.sitting.seat))


@dataclass(frozen=True)
class TokenCost:
    """What a match will cost a seat, roughly, in tokens. sent: in all requests together; fresh: of these what does not stand
    at the beginning of the request before, as a cache of prefixes counts; decisions: requests, if no answer is refused."""

    decisions: int
    sent: int
    fresh: int

    def __str__(self) -> str:
        return f"{self.decisions} requests, {self.sent:,} tokens read, {self.fresh:,} of them new"


def estimate(sitting: Sitting, manner: Manner, bot: Callable[[Sitting], None], system: str = "") -> TokenCost:
    """What a match costs in which `bot` moves in the model's seat and the model would answer with a move alone."""
    talk, before, sent, fresh = Conversation(sitting, manner), "", 0, 0
    decisions = 0
    while not sitting.match.over:
        request = "\n".join([system, *talk.ask()])
        same = bisect_left(range(min(map(len, (request, before)))), True, key=lambda n: request[: n + 1] != before[: n + 1])
        sent, fresh, decisions = sent + len(request), fresh + len(request) - same, decisions + 1
        before, move = request, first_move(sitting.match, sitting.seat)
        talk.messages.append(f"{MARK} {spelled(sitting.match.rulebook, move)}" if move else "")
        bot(sitting)
    return TokenCost(decisions, sent // TOKEN, fresh // TOKEN)
