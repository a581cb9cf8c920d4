"""What a game declares, before it is checked and completed as a `Rulebook` (rulebook.py)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from outbid.core.derived.spaces import Actions, Observation
from outbid.core.fields import Layout
from outbid.core.hooks.policy_params import Personas
from outbid.core.hooks.search_config import SearchConfig
from outbid.core.language import i18n
from outbid.core.moves import Declared
from outbid.core.needs import If

Older = Callable[[dict[str, Any], int], dict[str, Any]]  # the options of an older version's match, and its players


@dataclass(frozen=True, eq=False)
class Declaration:
    """A game as its folder declares it, in the form of a `Rulebook`.

    version: of the rules; a change of what the rules say, defaults too, raises it. older: for each older version what gives,
    from the options that a match of that version names and the number of its players, the options with which this version
    plays the same match.
    modules: the modules in the compiled subset; between them they define the functions of contract.Rules.
    words: the module that speaks, what contract.Words says; if it is left out, the last of the modules.
    moves: the moves (moves.py).
    observation, action_table: the spaces of a learner (spaces.py); an observation is declared by games that write `observe`
    (visibility.py), and actions are named by `moves`, if each is one step.
    longest: bound on the steps of a match.
    margin: so many points ahead of the others are 1 of the reward scheme "margin". environment: the version of
    observation, actions and rewards; a change of any of them raises it. older_environments: for each older version that goes
    on working the options with which this one is the same.
    secrets: whether a player may know what another does not. personas: who its own player can be (policy_params.py).
    search: how far a look-ahead goes (search_config.py).
    players: the fewest and the most; an option named `least_players` may allow fewer.
    needs: without what no match begins (needs.py).
    presets: options by name, offered to people who make a table. laboratory: further ones, games so small that they can be
    solved exactly; tables do not offer them, but one that is named can be played."""

    id: str
    title: str
    summary: str
    players: tuple[int, int]
    version: int
    layout: Layout
    modules: tuple[ModuleType, ...]
    words: Any = None
    observation: Observation | None = None
    action_table: Actions | None = None
    margin: int = 1
    longest: int = 10_000
    moves: Declared | None = None
    environment: int = 1
    older_environments: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    needs: tuple[If, ...] = ()
    older: Mapping[int, Older] = field(default_factory=dict)
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    laboratory: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    secrets: bool = True
    personas: Personas = field(default_factory=Personas)
    search: SearchConfig = field(default_factory=SearchConfig)

    def say(self, text: str, /, **values: Any) -> str:
        """Words of the game in the language of the moment."""
        return i18n.words(self.words.__package__)[0](text, **values)

    @property
    def called(self) -> str:
        """The title in the language of the moment."""
        return self.say(self.title)

    def __post_init__(self) -> None:
        """Check what is declared, and fill in what is left out: `Rulebook` does so."""
