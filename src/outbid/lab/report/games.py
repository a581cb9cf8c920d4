"""The matches of a run that are worth looking at: read, told move by move, sent to a server that replays them."""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import numpy as np

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language.i18n import N_, _, ngettext
from outbid.core.language.names import numbered
from outbid.core.language.phrases import listed
from outbid.core.record import read_record
from outbid.core.rulebook import rulebooks
from outbid.lab.report import words
from outbid.lab.report.figures import RunFigures
from outbid.lab.report.numbers import number

MOVES = 6  # that tell a match
LARGEST = 200_000  # bytes of a record that is carried in the page
PATIENCE = 20.0  # seconds for the server

WHICH = {
    "closest": N_("The closest"),
    "longest": N_("The longest"),
    "strangest": N_("The strangest"),
    "typical": N_("The most typical"),
    "changed": N_("Where the change mattered most"),
}


@dataclass(frozen=True)
class ShownMatch:
    """A match of the report. lines: what happened, with the number of the move; text: the record; link: its replay; turning:
    the moves that tell why, if it is the one that is told. A match of a game that is not at hand has a record alone."""

    title: str
    why: str
    variant: str
    result: str
    file: str
    lines: tuple[tuple[int, str], ...]
    text: str
    link: str = ""
    turning: tuple[tuple[int, str], ...] = ()

    @property
    def log(self) -> list[tuple[int, str]]:
        """The lines of the log, those of one move together."""
        return _by_move(self.lines)

    @property
    def carried(self) -> str:
        """The record as an address that a browser saves as a file; nothing if it is too large."""
        data = self.text.encode()
        return f"data:application/json;base64,{base64.b64encode(data).decode()}" if len(data) <= LARGEST else ""


def shown(run: RunFigures, server: str = "") -> list[ShownMatch]:
    """The matches of a run. Raises BadSetup if the server does not take them."""
    matches = []
    told = next((which for which in ("changed", "typical") if any(entry["which"] == which for entry in run.games)), "")
    for entry in run.games:
        heading = _(WHICH.get(entry["which"], entry["which"]))
        shown = _shown(run, entry["file"], entry["variant"], heading, _reason(run, entry))
        if entry["which"] == told and shown.lines:
            shown = replace(shown, turning=turning(shown, run.folder / "games" / str(entry.get("file_a", ""))))
        matches.append(shown)
        if entry.get("file_a"):
            matches.append(_shown(run, entry["file_a"], entry["variant_a"], _("The same deal by the other rules"), ""))
    return _sent(matches, server) if server else matches


def _shown(run: RunFigures, file: str, variant: str, heading: str, why: str) -> ShownMatch:
    path, label = run.folder / "games" / file, run.called(variant)
    try:
        text = path.read_text(encoding="utf-8")
        record = _told_apart(json.loads(text))
        if isinstance(record, dict) and isinstance(record.get("game"), str) and record["game"] not in rulebooks():
            return ShownMatch(heading, why, label, "", file, (), text)
        match = read_record(record)
    except (OSError, ValueError, OutbidError) as error:
        raise BadSetup(_("{file} cannot be read: {reason}.", file=path, reason=str(error).rstrip("."))) from error
    names, scores = match.names, match.scores
    ranking = sorted(zip(names, scores, strict=True), key=lambda seat: -seat[1])
    parts = [f"{name}: {number(score)}" for name, score in ranking]
    winners = [names[seat] for seat in match.winners]
    won = ngettext("{who} wins", "{who} win", len(winners), who=listed(winners)) if winners else _("nobody wins")
    moves = ngettext("{n} move", "{n} moves", len(match.moves))
    return ShownMatch(
        heading,
        why,
        label,
        f"{won} ({', '.join(parts)}); {moves}",
        file,
        tuple((line.move + 1, line.text) for line in match.log()),
        text,
    )


def _by_move(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    moves: dict[int, list[str]] = {}
    for move, text in lines:
        moves.setdefault(move, []).append(text)
    return [(move, " ".join(texts)) for move, texts in moves.items()]


def turning(shown: ShownMatch, beside: Path) -> tuple[tuple[int, str], ...]:
    """The moves that tell a match, with their numbers: the first that the match of the file `beside` has otherwise, the
    last, and those that most changed how a player stands to the others."""
    match = read_record(_told_apart(json.loads(shown.text)))
    other = json.loads(beside.read_text(encoding="utf-8"))["moves"] if beside.is_file() else []
    same = sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(match.record()["moves"], other, strict=False)))
    texts = dict(shown.log)
    moves = [move for move in texts if same < move <= match.reached]
    if not moves:
        return ()
    scores = np.array([match.at(move).scores for move in range(match.reached + 1)], float)
    swings = abs(np.diff(scores - scores.mean(1, keepdims=True), axis=0)).max(1)
    chosen = dict.fromkeys([moves[0], moves[-1], *sorted(moves, key=lambda move: -swings[move - 1])])
    return tuple((move, texts[move]) for move in sorted(list(chosen)[:MOVES]))


def _told_apart(record: Any) -> Any:
    """A record whose players have names of their own: bots are often called alike."""
    names = record.get("players") if isinstance(record, dict) else None
    return {**record, "players": numbered([str(name) for name in names])} if isinstance(names, list) else record


def _reason(run: RunFigures, index: Mapping[str, Any]) -> str:
    """Why a match was chosen, in a sentence."""
    if index["which"] == "typical":
        return _("Close to the middle in all that is measured.")
    if "measure" not in index:  # a run of before had the sentence here
        return str(index.get("why", ""))
    measure = run.measure(index["measure"])
    value, *rest = (words.amount(measure, index[key]) for key in ("value", "usual", "other") if key in index)
    facts = {"measure": measure.title, "value": value, "other": rest[0]}
    if "other" in index:
        a, b = (words.quoted(run.called(index[key])) for key in ("variant_a", "variant"))
        return _("{measure}: {other} with {a}, {value} with {b}.", a=a, b=b, **facts)
    return _("{measure}: {value}; the middle match has {other}.", **facts)


def knows(server: str, game: str) -> bool:
    """Whether a table server has a game; one of a file it may not have. Raises BadSetup if it is no table server."""
    with _asked(server) as client:
        answer = client.get(f"/new/{game}")
        return bool(answer.is_success or not answer.json()["error"])


def _sent(matches: Sequence[ShownMatch], server: str) -> list[ShownMatch]:
    """Send matches to a server that has their game, and give them with links to their replays."""
    linked = []
    for match in matches:
        if not match.lines or not knows(server, json.loads(match.text)["game"]):
            linked.append(match)
            continue
        with _asked(server) as client:
            answer = client.post("/records", content=match.text, headers={"Content-Type": "application/json"})
            reply = answer.json()
            link = str(reply["link"]) if answer.is_success else ""
        if not link:
            reason = reply.get("error", answer.status_code)
            raise BadSetup(_("The server does not take {file}: {reason}", file=match.file, reason=reason))
        linked.append(replace(match, link=urljoin(server, link)))
    return linked


@contextmanager
def _asked(server: str) -> Iterator[Any]:
    """A client of a table server. Raises BadSetup if there is none at the address."""
    import httpx

    base = server.rstrip("/")
    try:
        with httpx.Client(base_url=base, timeout=PATIENCE, headers={"Accept": "application/json"}) as client:
            yield client
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError) as error:
        reason = str(error).rstrip(".")
        raise BadSetup(_("{server} does not answer as a table server: {reason}.", server=base, reason=reason)) from error
