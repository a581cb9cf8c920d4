"""One match on the plain backend, as pettingzoo.py and gymnasium.py step it; and what they share: spaces, pictures.
An adapter imports it where it says which extra it needs.

Plain code needs no compiler, so that an environment is there at once. The loops are those of the batches (loops.py), and so
are the streams: the match of seed k is that of `game.new(players, seed=k)` and of a row of `game.vector` with this seed.
"""

from collections.abc import Callable, Mapping
from inspect import signature
from textwrap import wrap
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from outbid.compiled import loops
from outbid.compiled.vector import SCHEMES
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.errors import BadOption, BadSetup, Illegal
from outbid.core.extras import needed
from outbid.core.fields import Records
from outbid.core.language import i18n
from outbid.core.language.phrases import meant
from outbid.core.match import hidden, seat_names
from outbid.core.rulebook import check_seed
from outbid.facade import Game
from outbid.facade import game as game_of

RENDER_MODES = ["ansi", "human", "rgb_array"]
COLUMNS, ROWS = 120, 42  # of a picture, in characters
CELL = 8, 16  # a character, in pixels
PAPER, INK = (250, 247, 240), (38, 34, 30)


class Legal(spaces.Discrete[np.int64]):
    """Discrete(n) in which `sample()` without a mask draws one of the actions that are legal now (`legal`, int8 (n,))."""

    def __init__(self, n: int):
        super().__init__(n)
        self.legal: NDArray[np.int8] = np.zeros(n, np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A legal action; with `mask` or `probability` one drawn by these."""
        return super().sample(self.legal if mask is None and probability is None else mask, probability)


def features_space(rules: Game) -> spaces.Box:
    """The features of a seat: bounded as declared, unless an option turns a number of the rules."""
    tunable = {option.name for option in rules.rulebook.options if option.tunable}
    layout = rules.observation
    low, high = np.array(layout.low, np.float32), np.array(layout.high, np.float32)
    if tunable & rules.options.keys():
        low, high = np.full_like(low, -np.inf), np.full_like(high, np.inf)
    return spaces.Box(low, high, dtype=np.float32)


def chosen(game: str | Game, preset: str, options: Mapping[str, Any], door: Callable[..., Any]) -> Game:
    """A game by its id or the path of its file, with options; or one that has its options. door: what is made with it; what
    is neither an option nor one of its arguments is refused with both in mind. Raises BadSetup, BadOption."""
    if not isinstance(game, Game):
        rules = game_of(game, preset)
        known = [option.name for option in rules.rulebook.options]
        for name in sorted(options.keys() - set(known)):
            own = [arg for arg, kind in signature(door).parameters.items() if kind.kind is not kind.VAR_KEYWORD]
            raise BadOption(
                f"{rules.rulebook.title} has no option {name!r}, and the environment no such argument; its arguments are "
                f"{', '.join(own)}, and the options are {', '.join(known)}.{meant(name, [*own, *known])}"
            )
        return game_of(game, preset, **options)
    if preset != "seed" or options:
        settings = ", ".join([*([f"preset={preset!r}"] if preset != "seed" else []), *options])
        raise BadSetup(f"A game that is given has its options already ({game}); leave out {settings}.")
    return game


def seats_of(rules: Game, players: int | None) -> int:
    """The number of seats; the fewest that there may be, if none is given."""
    return rules.rulebook.seats(rules.options)[0] if players is None else players


def if_illegal(illegal: str) -> str:
    """What is done with an illegal action. Raises BadSetup unless it is "error" or "random"."""
    if illegal not in ("error", "random"):
        raise BadSetup(f"illegal is {illegal!r}; it must be error or random.")
    return illegal


def whole(action: Any, n: int) -> int:
    """An action id as an int. Raises BadSetup unless it is a single whole number."""
    try:
        number = np.asarray(action)
    except ValueError:  # lists of different lengths
        number = np.asarray(None)
    if number.shape != () or number.dtype.kind not in "iu":
        kind = f"{number.dtype} of shape {number.shape}" if number.dtype.kind in "biufc" else repr(action)
        raise BadSetup(f"An action is one whole number from 0 to {n - 1}, not {kind}.")
    return int(number)


class Single:
    """A match with its deal. `seats` is asked as `answering` says: one seat, or with `joint` all at once."""

    def __init__(
        self,
        name: str | Game,
        preset: str,
        options: Mapping[str, Any],
        players: int | None,
        reward: str,
        mode: str | None,
        door: Callable[..., Any],
    ):
        self.rules = chosen(name, preset, options, door)
        self.book = self.rules.rulebook
        self.players = self.book.check_players(seats_of(self.rules, players), self.rules.options)
        self.book.warn(self.rules.options, self.players)
        if reward not in SCHEMES:
            raise BadSetup(f"There is no reward {reward!r}; there are {', '.join(SCHEMES)}.")
        if mode is not None and mode not in RENDER_MODES:
            raise BadSetup(f"There is no render mode {mode!r}; there are {', '.join(RENDER_MODES)}.")
        self.scheme, self.mode = SCHEMES.index(reward), mode
        self.records = Records([None, None])  # the match, and the copy that a bot is shown
        self.elsewhere: Callable[[], Any] | None = None  # where the state is looked up, if another backend has it
        self._out = [0] * (self.book.actions + 64)
        self._seed: int | None = None
        self._number = 0
        self.deal = 0

    @property
    def state(self) -> Any:
        """The plain state."""
        if self.elsewhere is not None:
            self.records[0], self.elsewhere = self.elsewhere(), None
        return self.records[0]

    def begin(self, seed: int | None, drawn: int) -> None:
        """Deal the match of `seed`; without it the next one after the last seed, or after `drawn` if there was none."""
        if seed is not None:
            self._seed, self._number = check_seed(seed), 0
        elif self._seed is None:
            self._seed = drawn
        else:
            self._number += 1
        self.again()

    def again(self, later: int = 0) -> None:
        """Deal the match of the seed, or the one `later`."""
        assert self._seed is not None
        self._number += later
        self.deal = stream(self._seed, self._number) if self._number else self._seed
        state = self.book.fresh(self.rules.options)
        contract.deal(state, self.players, self.deal)
        self.records[0], self.elsewhere = state, None

    def answering(self, joint: bool, steps: list[int]) -> tuple[int, ...]:
        """Who answers next: nobody when the match is over; the clock acts at once where it can. steps[0] are counted."""
        while mask := loops.answering_seats([self.state], 0, joint, [self.deal], steps, self._out):
            if not mask >> contract.CLOCK & 1:
                return tuple(seat for seat in range(self.players) if mask >> seat & 1)
            contract.legal(self.state, contract.CLOCK, self._out)
            contract.apply(self.state, contract.CLOCK, self._out[0])
            steps[0] += 1
        return ()

    def legal(self, seat: int) -> list[int]:
        """The action ids open to a seat that is asked."""
        return self._out[: contract.legal(self.state, seat, self._out)]

    def mask(self, seat: int, asked: bool, more: int = 0) -> NDArray[np.int8]:
        """The legal actions of a seat, int8 (A + more,); none for who is not asked."""
        mask = np.zeros(self.book.actions + more, np.int8)
        if asked:
            mask[self.legal(seat)] = 1
        return mask

    def check(self, seat: int, action: int, who: str) -> int:
        """The action, if it is legal for this seat. Raises Illegal."""
        legal = sorted(self.legal(seat))
        if action not in legal:
            raise Illegal(self.rules.actions.refusal(action, who, legal))
        return action

    def features(self, seat: int) -> NDArray[np.float32]:
        """What a seat sees, float32 (F,), made from a hidden copy."""
        row = [0.0] * self.book.features
        contract.observe(self.hidden(seat), seat, row)
        return np.array(row, np.float32)

    def rewards(self) -> list[float]:
        """The rewards of all seats at the end."""
        paid = np.zeros((1, self.players), np.float32)
        points = [0] * self.players
        loops.pay_out(self.state, self.players, self.scheme, float(self.book.margin), 0, paid, points)
        return paid[0].tolist()

    def hidden(self, seat: int) -> Any:
        """A copy of the state as a seat may know it."""
        return hidden(self.state, seat)

    # --- pictures ---

    def board(self, seat: int) -> str:
        """The table in words as a seat (−1: a spectator) sees it, and what is being decided."""
        names, seen = seat_names(self.players), self.hidden(seat)
        with i18n.locale(i18n.SOURCE):
            return f"{self.book.words.board(seen, seat, names)}\n{self.book.words.question(seen, seat, names)}"

    def render(self, seat: int) -> str | NDArray[np.uint8] | None:
        """The board as the render mode wants it: text, an image (`picture`), or printed. Raises BadSetup where there is no
        mode."""
        if self.mode is None:
            raise BadSetup(f"Nothing is rendered without a render_mode, one of {', '.join(RENDER_MODES)}.")
        text = self.board(seat)
        if self.mode == "human":
            print(text)
            return None
        return picture(text) if self.mode == "rgb_array" else text


def picture(text: str) -> NDArray[np.uint8]:
    """A text as an image, uint8 (ROWS · 16, COLUMNS · 8, 3), a character a cell; long lines are wrapped."""
    with needed('render_mode="rgb_array"', "research"):
        from PIL import Image, ImageDraw, ImageFont
    width, height = CELL
    sheet = Image.new("RGB", (COLUMNS * width, ROWS * height), PAPER)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=13)
    lines = [part for line in text.splitlines() for part in wrap(line, COLUMNS - 2, subsequent_indent="    ") or [""]]
    if len(lines) > ROWS - 1:
        lines[ROWS - 2 :] = ["…"]
    for y, line in enumerate(lines):
        for x, letter in enumerate(line):
            pen.text(((x + 1.5) * width, y * height + height), letter, INK, font, anchor="ms")
    return np.array(sheet, np.uint8)
