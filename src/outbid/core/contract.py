"""What a game must declare, what it may leave out, and the functions through which everything else calls it.

A game is a `Rulebook` (rulebook.py): it is checked against `Rules` and `Words` when it is made (validation.py). Its rule
modules define, in the compiled subset, the functions of `Rules`; generic code calls them through the functions of this
module: on a plain state they go to the game's own Python functions, in compiled code the type of the record decides at
compile time (backend.py), so that a loop written once runs every game at full speed. `Words` is the part that speaks.

Seats are 0 … players − 1, clockwise; −1 is a spectator. `CLOCK` is the bit of `asked` for an event from outside (the
table's clock). Actions are small integers, 0 … rulebook.actions − 1; a move a player would say is one or more steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from outbid.core.chance import below, step, stream
from outbid.core.seats import highest

if TYPE_CHECKING:
    from fractions import Fraction

    from outbid.core.hooks.lexicon import Name
    from outbid.core.menu import Menu

CLOCK = 7
MOST_ACTIONS = 256
PLAN = 6  # the place in a note where `play` leaves what it has planned for `resume`; 0: nothing


class Rules(Protocol):
    """The rules, functions in the compiled subset. `s` is a state, `out` a list that is written to. A member without
    "Default" must be declared."""

    def deal(self, s: Any, players: int, seed: int) -> None:
        """Set up a match in a fresh state whose option fields are set; all chance acts here."""

    def asked(self, s: Any) -> int:
        """The seats that may answer now, as a bit mask; 0 when the match is over."""

    def midway(self, s: Any, seat: int) -> int:
        """1 if the seat has begun a move of several steps and not finished it. Default: 0, every move is one step."""

    def legal(self, s: Any, seat: int, out: Any) -> int:
        """Write the action ids open to an asked seat into `out` and return how many there are."""

    def apply(self, s: Any, seat: int, action: int) -> None:
        """Make one legal step of an asked seat."""

    def score(self, s: Any, out: Any) -> None:
        """Write the points of each seat, as if the match ended now."""

    def winners(self, s: Any, out: Any) -> int:
        """The winners as a bit mask; `out` is working space. Default: the seats with the highest score."""

    def hide(self, s: Any, seat: int) -> None:
        """Overwrite everything that the seat (−1: a spectator) may not know. Default: as the fields say (visibility.py)."""

    def redeal(self, s: Any, seat: int, seed: int) -> None:
        """Fill what the seat cannot know with a random world that agrees with what it has seen. Default, where everybody
        sees every field: there is nothing to fill; where the hidden fields say what fills them: worlds.py."""

    def agrees(self, s: Any, seat: int) -> int:
        """Whether a world of the default `redeal` agrees with what the seat has seen and fields do not say. Default: 1."""

    def retract_hidden(self, s: Any, seat: int) -> int:
        """Take back the finished moves of others that are still hidden from the seat; who made them, as a bit mask.
        Default: nothing is taken back."""

    def is_public(self, s: Any, seat: int, action: int) -> int:
        """Whether everybody sees this step: 0, 1, or 2 where its effect depends on hidden facts. Default: 0."""

    def observe_chance(self, s: Any, later: Any) -> None:
        """Bring in what chance has brought by a later state. Default: nothing; worlds are sampled anew for each decision."""

    def reshuffle_unseen(self, s: Any, seed: int) -> None:
        """Draw anew what chance still has in store. Default: nothing; it goes with `observe_chance`."""

    def has_uniform_prior(self, s: Any) -> int:
        """Whether all worlds that agree with what has been seen are equally likely. Default: 1."""

    def observe(self, s: Any, seat: int, out: Any) -> None:
        """Write the features of what the seat may know, in relative seat order; it reads nothing that `hide` overwrites.
        Default: all fields that it sees (visibility.py)."""

    def steady(self, s: Any, seat: int, seed: int, note: Any) -> int:
        """The heuristic's action in a hidden state; `note` receives a reason code. Default: a random legal action."""

    def play(self, s: Any, seat: int, seed: int, note: Any, params: Any) -> int:
        """The action of one of the game's personas, by its parameters (policy_params.py). Default: `steady`."""

    def resume(self, s: Any, seat: int, note: Any) -> int:
        """The next step of a move whose plan `play` has left in `note[PLAN]`. Default: −1, `play` is asked again."""


class Words(Protocol):
    """The part that speaks, plain Python. `said` is a move as in a record ({"do": "bid", "amount": 3}); states are hidden
    for the seat that is spoken to. A member without "Default" must be declared, unless the game declares its `moves`
    (moves.py) and it comes from there, as `steps`, `text`, `canonical` and `EXPECTED` do.

    A game that lists its deals may further declare `merged(s, deal)` (deals.py). What its page alone names, as in
    `words.terms`, is checked against the page (outbid.testing.page)."""

    __package__: str
    __file__: str

    EXPECTED: Mapping[str, Any]
    """The kinds of moves, as keys. Default: none."""

    lexicon: Sequence[Name]
    """The names of the game's own things, which agents/obfuscation.py replaces. Default: none."""

    def steps(self, s: Any, seat: int, said: dict[str, Any]) -> list[int]:
        """The action ids of a move. Raises Unreadable, Illegal."""

    def move(self, s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
        """The move that complete action ids make."""

    def text(self, said: Mapping[str, Any]) -> str:
        """A move as one types it."""

    def parse(self, line: str) -> dict[str, Any]:
        """The move that a person typed. Raises Unreadable."""

    def menu(self, s: Any, seat: int) -> Menu:
        """What an asked seat may do."""

    def canonical(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """A move with only its own keys, in the order of a record. Default: all of them."""

    def view(self, s: Any, seat: int) -> dict[str, Any]:
        """What a seat sees, as JSON values; "phase" is "over" at the end. Default: all fields as they are seen."""

    def masked(self, before: Any, seat: int, said: dict[str, Any], audience: int) -> dict[str, Any]:
        """A move as the audience may know it. Default: its kind alone, unless it is one's own or `is_public`."""

    def told(
        self, before: Any, seat: int, said: dict[str, Any], after: Any, audience: int, names: Sequence[str]
    ) -> list[str]:
        """The lines of the log about a masked move. Default: who moved, and the move as one types it."""

    def question(self, s: Any, seat: int, names: Sequence[str]) -> str:
        """What is being decided, in one sentence. Default: who is asked."""

    def reason(self, note: Sequence[int], names: Sequence[str], private: bool) -> str:
        """Why `steady` made its move. Default: nothing is said."""

    def board(self, s: Any, seat: int, names: Sequence[str]) -> str:
        """What a seat sees, as lines of text. Default: the view, a line for each of its entries."""

    def deal_of(self, s: Any) -> Any:
        """The deal of a fresh match, as JSON values. Default: the fields of the state that are not zero."""

    def load(self, s: Any, players: int, deal: Any) -> None:
        """Set up a match with such a deal. Raises BadSetup. Default: what `deal_of` says by default is read again."""

    def complete(self, s: Any, said: dict[str, Any]) -> dict[str, Any]:
        """The move of a form, with what follows from the rest of it. Default: the move as it is."""

    def refusal(self, s: Any, players: int) -> str:
        """Why so many cannot play with the options of a fresh state, in a sentence. Default: nothing is said."""

    def deals(self, s: Any, players: int) -> Iterable[tuple[dict[str, Any], Fraction]]:
        """All deals of a small game, with their chances (deals.py). Raises BadSetup. Default: the game lists none."""


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


def agrees(s: Any, seat: int) -> int:
    """Whether a world that `redeal` has dealt by default agrees with what `seat` has seen: 1, or 0 to reject it. A game may
    leave it out."""
    return s.rules.agrees(s, seat)


def retract_hidden(s: Any, seat: int) -> int:
    """Take back, in a whole state, the finished moves of others whose content still lies hidden from `seat`, as a sealed bid
    does; returns who made them, as a bit mask. They are asked again; the same moves, made anew, would bring the state
    back. A game may leave it out; nothing is taken back then."""
    return s.rules.retract_hidden(s, seat)


def is_public(s: Any, seat: int, action: int) -> int:
    """Whether everybody sees that an asked seat takes this step, at the latest when its move is complete: 0, 1, or 2 where
    they do and what becomes of it depends on what lies hidden. It is asked only where players may have secrets
    (rulebook.secrets); a game may leave it out, and then nothing is seen."""
    return s.rules.is_public(s, seat, action)


def observe_chance(s: Any, later: Any) -> None:
    """Let chance bring in `s` what it has brought by `later`, as all see it in that later state of the same match, whole or
    hidden. A game that has it lets bots keep particles from move to move (bots/belief/particle_filter.py); it may be left
    out."""
    s.rules.observe_chance(s, later)


def reshuffle_unseen(s: Any, seed: int) -> None:
    """Draw anew, in a whole state, what chance has still in store for all; what belongs to anybody stays. It goes with
    `observe_chance`."""
    s.rules.reshuffle_unseen(s, seed)


def has_uniform_prior(s: Any) -> int:
    """Whether, in a whole state, all worlds that agree with what anybody has seen are equally likely: 1 or 0. A game may
    leave it out; then they are."""
    return s.rules.has_uniform_prior(s)


def observe(s: Any, seat: int, out: Any) -> None:
    """Write the features of what `seat` may know into `out` (rulebook.features numbers), in relative seat order. It reads
    nothing that `hide` overwrites: whole or hidden for that seat, a state has the same features."""
    s.rules.observe(s, seat, out)


def steady(s: Any, seat: int, seed: int, note: Any) -> int:
    """The heuristic's next action from a hidden state; `note` receives a reason code and its numbers."""
    return s.rules.steady(s, seat, seed, note)


def play(s: Any, seat: int, seed: int, note: Any, who: int) -> int:
    """The action of another of the game's players: number `who` of rulebook.personas.all. The game's own `play` is given
    the parameters and not the number; what a player forgets it overwrites in the hidden state. A game may leave it out."""
    return s.rules.play(s, seat, seed, note, s.rules.params[who])


def told(s: Any, seat: int, seed: int, note: Any, params: Any) -> int:
    """The action of a player with any parameters of this game: PolicyParams in plain code, a record in compiled code."""
    return s.rules.play(s, seat, seed, note, params)


def resume(s: Any, seat: int, note: Any) -> int:
    """The next step of a move that the seat has begun: what `play` would say, from the plan of the whole move that it has
    left in `note[PLAN]`, not 0, at an earlier step. It reads nothing of a whole state that `hide` overwrites. A game may
    leave it out; then `play` is asked at each step."""
    return s.rules.resume(s, seat, note)


FUNCTIONS = (
    deal, asked, midway, legal, apply, score, winners, hide, redeal, agrees, retract_hidden, is_public,
    observe_chance, reshuffle_unseen, has_uniform_prior, observe, steady, play, resume,
)  # fmt: skip


# --- what a game may leave out ----------------------------------------------------------------------------------------


def without_params(s: Any, seat: int, seed: int, note: Any, params: Any) -> int:
    """`play` in a game that declares no policy parameters."""
    return steady(s, seat, seed, note)


def nothing_retracted(s: Any, seat: int) -> int:
    """`retract_hidden` in a game where nothing lies hidden that a player chose."""
    return 0


def always_agrees(s: Any, seat: int) -> int:
    """`agrees` in a game whose fields say all that a seat can learn."""
    return 1


def nothing_public(s: Any, seat: int, action: int) -> int:
    """`is_public` in a game that does not say."""
    return 0


def nothing_observed(s: Any, later: Any) -> None:
    """`observe_chance` in a game whose worlds are dealt anew for every decision."""


def nothing_reshuffled(s: Any, seed: int) -> None:
    """`reshuffle_unseen` there."""


def always_uniform(s: Any) -> int:
    """`has_uniform_prior` in a game whose worlds differ in the order of a pile at most."""
    return 1


def never_midway(s: Any, seat: int) -> int:
    """`midway` in a game whose moves are one step."""
    return 0


def nothing_planned(s: Any, seat: int, note: Any) -> int:
    """`resume` in a game whose player thinks at each step."""
    return -1


def highest_score(s: Any, out: Any) -> int:
    """`winners` in a game that names none."""
    score(s, out)
    return highest(out, s.players)


def working_space() -> Any:
    """Room for `legal`. Compiled code has it on the stack (backend.py)."""
    return [0] * MOST_ACTIONS


def at_random(s: Any, seat: int, seed: int, note: Any) -> int:
    """`steady` in a game without a heuristic: a random legal action; −1 if there is none."""
    out = working_space()
    n = legal(s, seat, out)
    if n == 0:
        return -1
    return out[below(step(stream(seed, n)), n)]


LEFT_OUT: dict[str, Callable[..., Any]] = {
    "midway": never_midway,
    "winners": highest_score,
    "steady": at_random,
    "play": without_params,
    "resume": nothing_planned,
    "retract_hidden": nothing_retracted,
    "agrees": always_agrees,
    "is_public": nothing_public,
    "observe_chance": nothing_observed,
    "reshuffle_unseen": nothing_reshuffled,
    "has_uniform_prior": always_uniform,
}


def defined(modules: Iterable[ModuleType], name: str) -> tuple[ModuleType, Any] | None:
    """The first of the modules that defines this name itself, and what it is; imported functions do not count."""
    for module in modules:
        found = vars(module).get(name)
        if found is not None and getattr(found, "__module__", module.__name__) == module.__name__:
            return module, found
    return None
