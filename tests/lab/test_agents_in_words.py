"""Agents that play in words are measured, too: a client that connects to a waiting `outbid eval`, and a model of inspect."""

from __future__ import annotations

import asyncio
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import Queue
from typing import Any

import pytest

from outbid.agents import session, waiting
from outbid.bots import load_bot
from outbid.cli.evaluation import asked
from outbid.core.errors import BadSetup
from outbid.core.hooks.policy_params import FIRST
from outbid.lab.suite.candidate import Candidate
from outbid.lab.suite.evaluate import Sat, evaluate
from outbid.lab.suite.tasks import named
from tests.support.commands import outbid_command
from tests.support.lazily import Lazy

mcp = Lazy("mcp", "the SDK of the Model Context Protocol is not installed")
inspect_ai = Lazy("inspect_ai", "inspect_ai is not installed")
model = Lazy("inspect_ai.model", "inspect_ai is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


def measured(agent: str, waited: tuple[str, int, float] | None = None) -> dict[str, Any]:
    """The row of an agent in a task, two deals."""
    with asked(agent, waited) as name:
        [row] = evaluate(name, named(["rivals-2"]), 2)["tasks"]
    return row


def after_a_match(agent: str) -> Candidate:
    """An agent after one match of a task, with what became of its answers."""
    with asked(agent) as name:
        candidate = Candidate(load_bot(name))
        Sat(named(["rivals-2"])[0], candidate, (name, FIRST), 0, (0, 1)).match(0)
    return candidate


def with_client(monkeypatch: Any, play: Any, patience: float) -> dict[str, Any]:
    """The row of a client: play(client) is what it does at the address that is printed."""
    printed = Queue[str]()
    assert mcp.Client
    for module in (session, waiting):
        monkeypatch.setattr(module, "GLANCE", 0.002)
    monkeypatch.setattr(waiting, "BYE", 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    monkeypatch.setattr(waiting, "print", lambda line, **_: printed.put(line), raising=False)

    async def running() -> None:
        found = re.search(r"http\S+/mcp", printed.get(timeout=60))
        assert found
        async with mcp.Client(found[0]) as client:
            await play(client)

    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(asyncio.run, running())
        row = measured("", ("mcp@client", port, patience))
        playing.result(timeout=60)
    return row


@pytest.mark.slow
def test_a_client_plays_all_matches_over_a_real_socket_and_may_try_again(monkeypatch: Any):
    told = []

    async def play(client: Any) -> None:
        answer = await client.call_tool("wait", {})
        assert "Rivals" in (await client.call_tool("rules", {})).content[0].text
        while not answer.structured_content["over"]:
            told.append(answer.content[0].text)
            if not answer.structured_content["asked"]:
                answer = await client.call_tool("wait", {})
                continue
            wrong = await client.call_tool("play", {"move": "bid the moon"})
            assert wrong.is_error
            answer = await client.call_tool("play", {"move": answer.structured_content["legal"][-1]["move"]})
            assert not answer.is_error, answer.content[0].text
        told.append(answer.content[0].text)

    row = with_client(monkeypatch, play, 60)
    assert (row["forfeits"], row["void"], row["tokens"]) == (0, False, None)
    assert row["decisions"] > 4
    assert sum("Another match begins." in news for news in told) == 3
    assert sum("You are Player" in news for news in told) == 4
    assert "All matches are over." in told[-1]


@pytest.mark.slow
def test_a_client_that_is_lost_forfeits(monkeypatch: Any):
    async def play(client: Any) -> None:
        await client.call_tool("look", {})

    row = with_client(monkeypatch, play, 0.1)
    assert (row["share"], row["void"]) == (0, True)
    assert row["forfeits"] == row["decisions"] > waiting.LOST
    assert row["fault"] == "Illegal: No move came in 0.1 seconds."


@pytest.mark.slow
def test_models_of_inspect_are_asked_and_what_is_no_move_is_a_forfeit(monkeypatch: Any):
    def junk(*_: Any) -> Any:
        output = model.ModelOutput.from_content("mockllm", "I bid the moon.")
        output.usage = model.ModelUsage(total_tokens=1)
        return output

    assert inspect_ai.Task
    example, get_model = after_a_match("model@outbid/example"), model.get_model
    assert example.forfeits == 0
    assert example.bot.tokens > 100 * example.decisions
    with pytest.raises(BadSetup, match="model@nobody/none cannot be asked"):
        after_a_match("model@nobody/none")
    mocked = partial(get_model, custom_outputs=junk, memoize=False)
    monkeypatch.setattr("outbid.adapters.inspect.get_model", mocked)
    mock = after_a_match("model@mockllm/model")
    assert mock.forfeits == mock.decisions > 0
    assert mock.fault == "Illegal: No answer was a legal move."


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--port", "9000", "steady"), "--port: not without --wait."),
        (("model@outbid/example", "--deep"), "Exploiters would ask an agent that plays in words too often"),
    ],
)
def test_what_cannot_be_asked_in_words_is_one_sentence(arguments: tuple[str, ...], sentence: str):
    assert inspect_ai.Task
    done = outbid_command("eval", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr.replace("\n", " ")


def test_a_port_that_is_taken_is_said():
    assert mcp.Client
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadSetup, match="is taken; name another with --port"):
            measured("", ("mcp@client", taken.getsockname()[1], 1.0))
