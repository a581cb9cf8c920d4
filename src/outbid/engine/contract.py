"""What a game must declare, and the functions through which everything else calls it.

A game is a `Rulebook` (rulebook.py) whose rule modules define, in the compiled subset, the functions named here. Generic
code calls them through this module: on a plain state they go to the game's own Python functions, in compiled code the
type of the record decides at compile time (compiled.py), so that a loop written once runs every game at full speed.

Seats are 0 … players − 1, clockwise; −1 is a spectator. `CLOCK` is the bit of `asked` for an event from outside (the
table's clock). Actions are small integers, 0 … rulebook.actions − 1; a move a player would say is one or more steps.
"""

from collections.abc import Callable
from typing import Any

CLOCK = 7


def deal(s: Any, players: int, seed: int) -> None:
    """Set up a match in a fresh state whose option fields are set; all chance is here."""
    s.rules.deal(s, players, seed)


def asked(s: Any) -> int:
    """The seats that may answer now, as a bit mask; 0 when the match is over. The order of answers never matters."""
    return s.rules.asked(s)


def midway(s: Any, seat: int) -> int:
    """1 if the seat has begun a move of several steps and not finished it."""
    return s.rules.midway(s, seat)


def legal(s: Any, seat: int, out: Any) -> int:
    """Write the action ids open to an asked seat into `out`; returns how many: at least one, unless the clock is
    asked too (where anybody may speak at any time, a seat may have nothing it could say)."""
    return s.rules.legal(s, seat, out)


def apply(s: Any, seat: int, action: int) -> None:
    """One legal step of an asked seat."""
    s.rules.apply(s, seat, action)


def score(s: Any, out: Any) -> None:
    """Points per seat, as if the match ended now."""
    s.rules.score(s, out)


def winners(s: Any, out: Any) -> int:
    """The winners as a bit mask; `out` is working space of `players` integers."""
    return s.rules.winners(s, out)


def hide(s: Any, seat: int) -> None:
    """Overwrite, in place, everything that `seat` may not know with canonical values."""
    s.rules.hide(s, seat)


def redeal(s: Any, seat: int, seed: int) -> None:
    """Fill what `seat` cannot know with a world drawn from those that agree with what it has seen."""
    s.rules.redeal(s, seat, seed)


def recall(s: Any, seat: int) -> int:
    """Take back, in a whole state, the finished moves of others whose content still lies hidden from `seat`, as a sealed bid
    does; returns who made them, as a bit mask. They are asked again, and whoever made the same moves anew would bring the
    state back. A game may leave it out; nothing is taken back then."""
    return s.rules.recall(s, seat)


def overt(s: Any, seat: int, action: int) -> int:
    """Whether everybody sees that an asked seat takes this step, at the latest when its move is complete: 0, 1, or 2 where
    they do and what becomes of it depends on what lies hidden. It is asked only where somebody may have secrets
    (rulebook.secrets); a game may leave it out, and then nothing is seen."""
    return s.rules.overt(s, seat, action)


def foretell(s: Any, later: Any) -> None:
    """Let chance bring in `s` what it has brought by `later`, as all see it in that later state of the same match, whole or
    hidden. A game that has it lets bots keep worlds from move to move (bots/particles.py); it may be left out."""
    s.rules.foretell(s, later)


def shuffle(s: Any, seed: int) -> None:
    """Draw anew, in a whole state, what chance has still in store for all; what belongs to anybody stays. It goes with
    `foretell`."""
    s.rules.shuffle(s, seed)


def even(s: Any) -> int:
    """Whether, in a whole state, all worlds that agree with what anybody has seen are equally likely: 1 or 0. A game may
    leave it out; then they are."""
    return s.rules.even(s)


def observe(s: Any, seat: int, out: Any) -> None:
    """Write the features of what `seat` may know into `out` (rulebook.features numbers), in relative seat order. It reads
    nothing that `hide` overwrites: whole or hidden for that seat, a state has the same features."""
    s.rules.observe(s, seat, out)


def steady(s: Any, seat: int, seed: int, note: Any) -> int:
    """The heuristic's next action from a hidden state; `note` receives a reason code and its numbers."""
    return s.rules.steady(s, seat, seed, note)


def play(s: Any, seat: int, seed: int, note: Any, who: int) -> int:
    """The same as somebody else plays it: number `who` of rulebook.characters.players. The game's own `play` is given the
    manner and not the number; what somebody forgets it overwrites in the hidden state. A game may leave it out."""
    return s.rules.play(s, seat, seed, note, s.rules.manners[who])


def told(s: Any, seat: int, seed: int, note: Any, manner: Any) -> int:
    """The same in any manner of this game: plain code gives a Manner, compiled code a record of its numbers."""
    return s.rules.play(s, seat, seed, note, manner)


FUNCTIONS = (
    deal, asked, midway, legal, apply, score, winners, hide, redeal, recall, overt, foretell, shuffle, even, observe, steady,
    play,
)  # fmt: skip


# --- what a game may leave out ----------------------------------------------------------------------------------------


def unmannered(s: Any, seat: int, seed: int, note: Any, manner: Any) -> int:
    """`play` in a game that declares no manners."""
    return steady(s, seat, seed, note)


def nothing_back(s: Any, seat: int) -> int:
    """`recall` in a game where nothing lies hidden that somebody chose."""
    return 0


def nothing_overt(s: Any, seat: int, action: int) -> int:
    """`overt` in a game that does not say."""
    return 0


def nothing_foretold(s: Any, later: Any) -> None:
    """`foretell` in a game whose worlds are dealt anew for every decision."""


def nothing_shuffled(s: Any, seed: int) -> None:
    """`shuffle` there."""


def all_even(s: Any) -> int:
    """`even` in a game whose worlds differ in the order of a pile at most."""
    return 1


LEFT_OUT: dict[str, Callable[..., Any]] = {
    "play": unmannered,
    "recall": nothing_back,
    "overt": nothing_overt,
    "foretell": nothing_foretold,
    "shuffle": nothing_shuffled,
    "even": all_even,
}
