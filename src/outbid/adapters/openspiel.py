"""The games as OpenSpiel has them: importing this module registers `outbid_kuhhandel_v1`, `outbid_rivals_v2`, … with
pyspiel, and `outbid_kuhhandel`, … for the newest of each. A game of a file is registered when it is read, as by
`outbid.game("my_game.py")`.

    import pyspiel
    import outbid.adapters.openspiel
    game = pyspiel.load_game("outbid_claim(preset=tiny,players=2)")          # the newest: outbid_claim_v2
    game = pyspiel.load_game("outbid_claim(preset=tiny,options=goal:4;copies:3 3 0 0 0 0)")

| parameter | is |
| --- | --- |
| preset  | a preset of the rulebook; "seed" is the given rules, with our rulings |
| players | seats; the fewest if 0 |
| options | further options, name:value, with semicolons between; numbers of a list with spaces |
| payoff  | "win" (players · share of the victory − 1), "share", "margin" or "score"; paid at the end |
| deals   | the most deals: a game that has no more has all, with their chances; a larger one the seeds 0 … deals − 1 |

Chance acts once, at the root, and is explicit: the outcome k is the k-th deal. (OpenSpiel cannot write down the states of
Python games with sampled chance, so that a large game is the mixture of `deals` of its own.) Then play is in turn: where
several seats are asked at once, as for sealed bids, the lowest decides first and the others do not see it; where the
table's clock may act, each seat asked may also stay silent, and the clock acts when all have (compiled/game_tree.py). A move
of several steps is several actions.

`information_state_string` is the history with perfect recall: own actions and what changed in the hidden state, cell by
cell. `information_state_tensor` is the observation and then 124 bits that stand for that history: it tells states of
knowledge apart, but nothing can be learned from the bits. `observation_tensor` is the game's own observation
(spaces.py), `observation_string` the same in words. Before the deal all are empty.

OpenSpiel's own `generate_playthrough` runs on all of them. Its C++ `ISMCTSBot` ends the process on any game in Python; the
one in open_spiel.python.algorithms.ismcts runs, and so does `resample_from_infostate`.

`as_openspiel` and `tabulated` carry policies between `outbid.solve` and OpenSpiel.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.compiled import game_tree
from outbid.core import contract
from outbid.core.errors import BadSetup
from outbid.core.extras import needed
from outbid.core.match import SPECTATOR, hidden
from outbid.core.rulebook import Rulebook, by_id, tell
from outbid.facade import Game
from outbid.solve import Policy, Tree, policy_from
from outbid.solve.history import TreeWalk
from outbid.solve.tree import PAYOFFS

with needed("outbid.adapters.openspiel", "research"):
    import pyspiel
    from open_spiel.python import policy as openspiel_policy

BITS = 124  # of a history, in the tensor
HALF_BITS = BITS // 2
BOUND = 2.0**31  # of margins and scores
KEPT = 20_000  # positions of a small game that are kept
PARAMETERS = {"preset": "seed", "players": 0, "options": "", "payoff": "win", "deals": 10_000}


def game_type(book: Rulebook, environment: str, utility: Any) -> Any:
    """The declaration of a game in one of its environments ("rivals-v2"); "rivals" alone is another name of the newest."""
    return pyspiel.GameType(
        short_name=f"outbid_{environment.replace('-v', '_v')}",
        long_name=f"Outbid: {book.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=book.players[1],
        min_num_players=min(2, book.players[0]),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=PARAMETERS,
    )


def read_options(book: Rulebook, preset: str, text: str) -> dict[str, Any]:
    """Options from a preset and "goal:4;copies:3 3 0". Raises BadSetup, BadOption."""
    options = book.preset(preset)
    known = {option.name: option for option in book.options}
    for pair in filter(None, text.split(";")):
        name, colon, value = pair.partition(":")
        if not colon:
            raise BadSetup(f"{pair!r} is not name:value, such as {book.options[0].name}:{book.options[0].default}.")
        options[name] = known[name].parse(",".join(value.split())) if name in known else value
    book.codes(options)
    return options


class OutbidGame(pyspiel.Game):  # type: ignore[misc]
    """One game with its parameters. `rules` is the same as an `outbid.game`, `chances` the deals and how likely each is."""

    def __init__(self, book: Rulebook, environment: str, params: dict[str, Any] | None = None):
        given = {**PARAMETERS, **(params or {})}
        self.rules = Game(book, read_options(book, given["preset"], given["options"]), environment)
        self.players = book.check_players(given["players"] or book.seats(self.rules.options)[0], self.rules.options)
        book.warn(self.rules.options, self.players)
        if given["payoff"] not in PAYOFFS:
            raise BadSetup(f"There is no payoff {given['payoff']!r}; there are {', '.join(PAYOFFS)}.")
        if given["deals"] < 1:
            raise BadSetup(f"There must be at least one deal, not {given['deals']}.")
        self.payoff = PAYOFFS[given["payoff"]]
        self._opened: dict[int, Position] = {}
        self._kept = 0
        self.deals: list[Any] | None = None
        self.chances: list[tuple[int, float]] = []
        try:
            listed = book.deals(self.rules.options, self.players, given["deals"])
            self.deals = [deal for deal, _ in listed]
            self.chances = [(k, float(weight)) for k, (_, weight) in enumerate(listed)]
        except BadSetup:
            self.chances = [(k, 1 / given["deals"]) for k in range(given["deals"])]
        win, share = self.payoff == game_tree.WIN, self.payoff == game_tree.SHARE
        zero = win or (self.payoff == game_tree.MARGIN and self.players == 2)
        utility = pyspiel.GameType.Utility
        super().__init__(
            game_type(
                book, environment,
                utility.ZERO_SUM if zero else utility.CONSTANT_SUM if share else utility.GENERAL_SUM,
            ),
            pyspiel.GameInfo(
                num_distinct_actions=book.actions + 1,
                max_chance_outcomes=len(self.chances),
                num_players=self.players,
                min_utility=-1.0 if win else 0.0 if share else -BOUND,
                max_utility=self.players - 1.0 if win else 1.0 if share else BOUND,
                utility_sum=0.0 if zero else 1.0 if share else None,
                max_game_length=book.longest * self.players,
            ),
            given,
        )

    def __reduce__(self) -> Any:
        return loaded, (self.get_type().short_name, self.get_parameters())  # the class of a game has no module

    def new_initial_state(self) -> OutbidState:
        """The state before the deal, at which chance acts."""
        return OutbidState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What one seat observes, or its information state."""
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def opened(self, k: int) -> Position:
        """The position after the k-th deal."""
        if k not in self._opened:
            if not 0 <= k < len(self.chances):
                raise BadSetup(f"There is no deal {k}; the deals are 0 to {len(self.chances) - 1}.")
            book, state = self.rules.rulebook, self._dealt(k)
            walk = TreeWalk(state, book.actions)
            position = Position(k, walk, [Memory.begun(book, seat, walk.state) for seat in range(self.players)])
            if not self._keeps():
                return position
            self._opened[k] = position
        return self._opened[k]

    def after(self, position: Position, action: int) -> Position:
        following = position.children.get(action)
        if following is None:
            following = position.after(action)
            if self._keeps():
                position.children[action] = following
        return following

    def _keeps(self) -> bool:
        """Whether one more position is kept: those of a game small enough to list its deals, up to KEPT."""
        self._kept += 1
        return self.deals is not None and self._kept <= KEPT

    def _dealt(self, k: int) -> Any:
        book = self.rules.rulebook
        state = book.fresh(self.rules.options)
        if self.deals is None:
            contract.deal(state, self.players, k)
        else:
            book.words.load(state, self.players, self.deals[k])
        return state


class Memory:
    """What one seat has seen and done: a chain of what it did, if it acted, and the hidden state that it saw then. Never
    changed; `after` gives the next one."""

    __slots__ = ("_info_hash", "_text", "before", "book", "cells", "changed", "did", "seat")

    def __init__(self, book: Rulebook, seat: int, before: Memory | None, did: int | None, cells: list[int]):
        self.book, self.seat, self.before, self.did, self.cells = book, seat, before, did, cells
        old = before.cells if before else [0] * len(cells)
        self.changed = [(cell, now) for cell, (was, now) in enumerate(zip(old, cells, strict=True)) if was != now]
        self._info_hash: list[int] | None = None
        self._text: str | None = None

    @classmethod
    def begun(cls, book: Rulebook, seat: int, state: Any) -> Memory:
        """What a seat sees first."""
        return cls(book, seat, None, None, hidden_cells(state, seat))

    def after(self, actor: int, action: int, state: Any) -> Memory:
        """`actor` has acted, and `state` is the result."""
        cells = hidden_cells(state, self.seat)
        if actor != self.seat and cells == self.cells:
            return self
        return Memory(self.book, self.seat, self, action if actor == self.seat else None, cells)

    def chain(self) -> list[Memory]:
        """From the first one to this."""
        memories = [self]
        while memories[-1].before is not None:
            memories.append(memories[-1].before)
        return memories[::-1]

    @property
    def text(self) -> str:
        """The history as a string."""
        if self._text is None:
            names, text = cell_names(self.book), None
            options = sum(max(1, option.size) for option in self.book.options)  # the first cells; they are no news
            for memory in self.chain():
                if memory._text is None:
                    saw = " ".join(("saw", *(f"{names[cell]}={now:d}" for cell, now in memory.changed if cell >= options)))
                    lines = [*([text] if text else []), *([] if memory.did is None else [f"did {memory.did}"]), saw]
                    memory._text = "\n".join(lines)
                text = memory._text
        return self._text or ""

    @property
    def info_hash(self) -> tuple[int, int]:
        """The information-state hash of the history, as compiled/game_tree.py has it."""
        info_hash = [0] * 4
        game_tree.begin(info_hash, self.seat)
        for memory in self.chain() if self._info_hash is None else [self]:
            if memory._info_hash is None:
                memory._info_hash = list(info_hash)
                if memory.did is not None:
                    game_tree.add_action(memory._info_hash, memory.did)
                record = np.zeros(1, memory.book.layout.dtype)
                state_of(memory.book, memory.cells).to_record(record, 0)
                game_tree.add_observation(memory._info_hash, list(record.tobytes()), record.itemsize, memory.did is not None)
            info_hash = memory._info_hash
        return info_hash[0], info_hash[1]


_names: dict[str, list[str]] = {}


def cell_names(book: Rulebook) -> list[str]:
    """The names of the cells of a state, field by field: "money.0.3"."""
    if book.id not in _names:
        fields = book.layout.fields
        _names[book.id] = [
            ".".join((field.name, *map(str, index))) for field in fields for index in np.ndindex(*field.shape)
        ]
    return _names[book.id]


def cells_of(state: Any) -> list[int]:
    """The cells of a plain state, field by field."""
    cells: list[int] = []
    for field in state.layout.fields:
        value = getattr(state, field.name)
        if not field.shape:
            cells.append(value)
        elif len(field.shape) == 1:
            cells += value
        else:
            for row in value:
                cells += row
    return cells


def hidden_cells(state: Any, seat: int) -> list[int]:
    """The cells of a plain state as a seat may know them."""
    return cells_of(hidden(state, seat))


def state_of(book: Rulebook, cells: list[int]) -> Any:
    """The plain state with these cells."""
    state, first = book.plain(), 0
    for field in book.layout.fields:
        n = math.prod(field.shape)
        setattr(state, field.name, np.reshape(cells[first : first + n], field.shape).tolist())
        first += n
    return state


class Position:
    """Where a match stands, and what every seat remembers. Never changed: `after` gives the next one, the same one for
    the same action while the game keeps it, so that walking a small tree again costs little."""

    __slots__ = ("children", "deal", "memories", "walk")

    def __init__(self, deal: int, walk: TreeWalk, memories: list[Memory]):
        self.deal, self.walk, self.memories = deal, walk, memories
        self.children: dict[int, Position] = {}

    def after(self, action: int) -> Position:
        """The position after an action of the player who decides."""
        walk = self.walk.copy()
        walk.act(action)
        who = self.walk.who
        return Position(self.deal, walk, [memory.after(who, action, walk.state) for memory in self.memories])

    def __deepcopy__(self, memo: Any) -> Position:
        return self

    def __reduce__(self) -> Any:
        walk, book = self.walk, self.memories[0].book
        chains = [[(memory.did, memory.cells) for memory in memory.chain()] for memory in self.memories]
        return _restored, (book.id, self.deal, cells_of(walk.state), walk.silent, walk.closed, chains)


def _restored(book_id: str, deal: int, cells: list[int], silent: int, closed: int, chains: list[Any]) -> Position:
    """What `Position.__reduce__` wrote down."""
    book = by_id(book_id)
    walk = TreeWalk(state_of(book, cells), book.actions, silent)
    walk.closed = closed
    memories = []
    for seat, chain in enumerate(chains):
        memory: Memory | None = None
        for did, seen in chain:
            memory = Memory(book, seat, memory, did, seen)
        assert memory is not None
        memories.append(memory)
    return Position(deal, walk, memories)


class OutbidState(pyspiel.State):  # type: ignore[misc]
    """A position: before the deal, in the match, or at its end."""

    def __init__(self, game: OutbidGame):
        super().__init__(game)
        self._position: Position | None = None

    @property
    def rules(self) -> Game:
        """The game with its options."""
        return self.get_game().rules

    @property
    def position(self) -> Position:
        """The position after the deal. Raises BadSetup before it."""
        if self._position is None:
            raise BadSetup("The match has not been dealt yet; apply one of chance_outcomes() first.")
        return self._position

    def current_player(self) -> int:
        """Chance, a seat, or the end."""
        if self._position is None:
            return int(pyspiel.PlayerId.CHANCE)
        who = self._position.walk.who
        return int(pyspiel.PlayerId.TERMINAL) if who == game_tree.OVER else who

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.walk.open) if player == self.position.walk.who else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals by number, and the probability of each."""
        return list(self.get_game().chances)

    def _apply_action(self, action: int) -> None:
        game = self.get_game()
        if self._position is None:
            self._position = game.opened(action)
            return
        if action not in self._position.walk.open:
            who = self.current_player()
            legal = ", ".join(self._action_to_string(who, act) for act in self._legal_actions(who))
            raise BadSetup(f"Action {action} is not legal now; legal are {legal or 'none, the match is over'}.")
        self._position = game.after(self._position, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        table = self.rules.rulebook.action_table
        return table[action].name if action < len(table) else "stay silent"

    def is_terminal(self) -> bool:
        return self._position is not None and self._position.walk.who == game_tree.OVER

    def returns(self) -> list[float]:
        """The payoffs at the end; zeros before."""
        game = self.get_game()
        payoffs = [0.0] * game.players
        if self.is_terminal():
            game_tree.pay_off(self.position.walk.state, game.players, game.payoff, [0] * 64, payoffs)
        return payoffs

    def __str__(self) -> str:
        if self._position is None:
            return "before the deal"
        return f"deal {self._position.deal}; " + " ".join(f"{cell:d}" for cell in cells_of(self._position.walk.state))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> OutbidState:
        """A state in which all that the player cannot know is dealt anew; it remembers the same. What the others remember
        begins there. The history is that of the deal alone: such a state is to be played on, not written down."""
        game, position = self.get_game(), self.position
        seed = int(sampler() * 2**53)
        walk, book = position.walk.copy(), game.rules.rulebook
        contract.redeal(walk.state, player, seed)
        others = [Memory.begun(book, seat, walk.state) for seat in range(game.players)]
        others[player] = position.memories[player]
        fresh = OutbidState(game)
        fresh.apply_action(seed % len(game.chances))
        fresh._position = Position(position.deal, walk, others)
        return fresh


class Observer:
    """OpenSpiel's observer: `tensor`, `dict`, `set_from`, `string_from`.

    What one seat knows; or of it only what everybody sees, from seat 0 for all; or only what this seat knows beyond that:
    its features less those that all would have in its place."""

    def __init__(self, game: OutbidGame, kind: Any, params: Any):
        if params:
            raise BadSetup(f"The observers of Outbid take no parameters, not {params}.")
        private = pyspiel.PrivateInfoType
        if kind.private_info == private.ALL_PLAYERS or (kind.private_info == private.NONE and not kind.public_info):
            raise BadSetup("The observers of Outbid give what one seat knows, or its public or private part.")
        self.public, self.own = bool(kind.public_info), kind.private_info == private.SINGLE_PLAYER
        self.recall = bool(kind.perfect_recall)
        if self.recall and not (self.public and self.own):
            raise BadSetup("An information state of Outbid is one of a seat, with all that it has seen.")
        self.book = game.rules.rulebook
        self.tensor = np.zeros(self.book.features + BITS * self.recall, np.float32)
        self.dict = {"observation": self.tensor[: self.book.features]}
        if self.recall:
            self.dict["history"] = self.tensor[self.book.features :]

    def _seen(self, state: OutbidState, player: int, by: int) -> NDArray[np.float32]:
        """The features in a player's place, of what one (−1: everybody) knows."""
        row = np.zeros(self.book.features, np.float32)
        contract.observe(hidden(state.position.walk.state, by), player, row)
        return row

    def set_from(self, state: OutbidState, player: int) -> None:
        self.tensor.fill(0)
        if state._position is None:
            return
        seen = self.dict["observation"]
        seen[:] = self._seen(state, player, player) if self.own else self._seen(state, 0, SPECTATOR)
        if not self.public:
            seen -= self._seen(state, player, SPECTATOR)
        if self.recall:
            for half, value in enumerate(state._position.memories[player].info_hash):
                for bit in range(HALF_BITS):
                    self.dict["history"][half * HALF_BITS + bit] = value >> bit & 1

    def string_from(self, state: OutbidState, player: int) -> str:
        """What the tensor holds, as a string."""
        if state._position is None:
            return ""
        if self.recall:
            return state._position.memories[player].text
        describe = self.book.observation.describe
        if not self.own:
            return describe(self._seen(state, 0, SPECTATOR))
        text = describe(self._seen(state, player, player))
        if self.public:
            return text
        known = set(describe(self._seen(state, player, SPECTATOR)).splitlines())
        return "\n".join(line for line in text.splitlines() if line not in known)


class as_openspiel(openspiel_policy.Policy):  # type: ignore[misc]  # noqa: N801 - used like a function
    """A policy of `outbid.solve` for OpenSpiel's algorithms. The tree must have been grown from the same game."""

    def __init__(self, game: OutbidGame, policy: Policy):
        super().__init__(game, list(range(game.players)))
        self.policy = policy

    def action_probabilities(self, state: OutbidState, player_id: int | None = None) -> dict[int, float]:
        """The probability of each legal action."""
        tree = self.policy.tree
        seat = state.current_player() if player_id is None else player_id
        place = tree.places.get(state.position.memories[seat].info_hash)
        if place is None:
            raise BadSetup("The policy is of another game: its tree has no such position.")
        first, n = int(tree.facts[place, game_tree.FIRST]), int(tree.facts[place, game_tree.N_ACTIONS])
        return {int(tree.actions[j]): float(self.policy.chances[j]) for j in range(first, first + n)}


def tabulated(tree: Tree, game: OutbidGame, policy: Any) -> Policy:
    """A policy of OpenSpiel for `outbid.solve`: asked at every position of the game, which must be small."""
    weights = np.zeros(tree.sequences)
    known = np.zeros(tree.infosets, np.bool_)
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            place = tree.places[state.position.memories[state.current_player()].info_hash]
            if not known[place]:
                known[place] = True
                first = int(tree.facts[place, game_tree.FIRST])
                actions = tree.actions[first : first + int(tree.facts[place, game_tree.N_ACTIONS])].tolist()
                for action, chance in policy.action_probabilities(state).items():
                    if chance > 0:
                        weights[first + actions.index(action)] = chance
        waiting += [state.child(action) for action in state.legal_actions()]
    return policy_from(tree, weights)


def register(book: Rulebook) -> None:
    """Make a game known to pyspiel, once."""
    if book.id in _registered:
        return
    _registered.add(book.id)
    for name in (book.id, *book.known_environments):
        environment = book.environment_id if name == book.id else name

        def begin(game: Any, params: Any = None, environment: str = environment) -> None:
            OutbidGame.__init__(game, by_id(book.id), environment, params)

        game_class = type(f"Outbid{book.id.title()}Game", (OutbidGame,), {"__init__": begin})
        pyspiel.register_game(game_type(book, name, pyspiel.GameType.Utility.GENERAL_SUM), game_class)


def loaded(name: str, params: dict[str, Any]) -> Any:
    """A game that pyspiel knows, with its parameters."""
    return pyspiel.load_game(name, params)


_registered: set[str] = set()
tell(register)
