"""Playthroughs: a short stretch of every game as OpenSpiel sees it, in words, checked in to be read and compared.

    python -m tests.support.playthroughs      # writes tests/playthroughs/GAME-PRESET.txt anew

Each shows the game, then for some twenty steps: what is true, what each seat knows that is news to it, what it observes,
who decides, what is legal, what is done; and how a tiny game ends.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

import outbid.adapters.openspiel  # noqa: F401 - registers the games
from outbid.core.rulebook import rulebook, rulebooks

FOLDER = Path(__file__).parents[1] / "playthroughs"
STEPS = 12  # of a full game
WIDTH = 118


def wrapped(head: str, text: str) -> list[str]:
    """A paragraph behind a heading."""
    return textwrap.wrap(f"{head} {text}", WIDTH, subsequent_indent="    ", break_long_words=False) or [head]


def played(game: str, preset: str) -> str:
    """A playthrough as text."""
    tiny = preset in rulebook(game).laboratory
    players = 2 if tiny else rulebook(game).players[0]
    deals = 10_000 if tiny else 10
    loaded = pyspiel.load_game(f"outbid_{game}(preset={preset},players={players},deals={deals})")
    kind = loaded.get_type()
    lines = [
        f"game: {loaded}",
        f"{kind.long_name}; {kind.dynamics.name.lower()}, chance {kind.chance_mode.name.lower()}, utility "
        f"{kind.utility.name.lower()} from {loaded.min_utility():g} to {loaded.max_utility():g}",
        f"{loaded.num_players()} players, {loaded.num_distinct_actions()} actions, {loaded.max_chance_outcomes()} deals, "
        f"observation {loaded.observation_tensor_shape()}, information state {loaded.information_state_tensor_shape()}",
    ]
    rng = np.random.default_rng(7)
    state: Any = loaded.new_initial_state()
    state.apply_action(int(rng.integers(loaded.max_chance_outcomes())))
    known = [""] * players
    step = 0
    while not state.is_terminal() and (tiny or step < STEPS):
        lines += ["", f"--- step {step}: seat {state.current_player()} decides ---"]
        for seat in range(players):
            now = state.information_state_string(seat)
            if now != known[seat]:
                news = now[len(known[seat]) :].strip().replace("\n", " | ")
                lines += wrapped(f"seat {seat} learns:", news)
            known[seat] = now
        who = state.current_player()
        lines += wrapped("it observes:", state.observation_string(who).replace("\n", "; "))
        names = [state.action_to_string(who, action) for action in state.legal_actions()]
        lines += wrapped("legal:", ", ".join(f"{a} {name}" for a, name in zip(state.legal_actions(), names, strict=True)))
        action = int(rng.choice(state.legal_actions()))
        lines.append(f"does: {action} {state.action_to_string(who, action)}")
        state.apply_action(action)
        step += 1
    ended = "over" if state.is_terminal() else "…"
    return "\n".join([*lines, "", f"{ended}; history {state.history()}; returns {state.returns()}", ""])


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for book in rulebooks().values():
        for preset in ("seed", *(name for name in book.laboratory if name == "tiny")):
            (FOLDER / f"{book.id}-{preset}.txt").write_text(played(book.id, preset), encoding="utf-8")
            print(f"{book.id}-{preset}.txt")


if __name__ == "__main__":
    main()
