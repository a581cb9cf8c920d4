"""When an option acts: conditions declared with the option, from which the check, the sentence and the hint are made.

An option that is set and can do nothing is said before the match begins: "zero_goal has no effect without zero_risk." A
condition judges a `Setup`, which holds the match as it is dealt with the option and without it: so no rule of set-up is
written twice. A condition of a whole game (`Rulebook.needs`) says without what no new match of it is made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from outbid.core.language.i18n import _
from outbid.core.language.phrases import listed


@dataclass(frozen=True)
class Setup:
    """What a condition judges: an option and all values, as JSON values. dealt: plain states as they are dealt, each beside
    one with the same seed and the option at its default; they have the same rest of the options."""

    option: str
    values: Mapping[str, Any]
    players: int
    dealt: tuple[tuple[Any, Any], ...]


class Naming(Protocol):
    """What options and their values are called: by their ids, or as a form calls them."""

    def option(self, name: str) -> str:
        """An option."""

    def value(self, name: str, value: object) -> str:
        """An option that has a value."""

    @property
    def words(self) -> Callable[[str], str]:
        """Says a message of the game's catalog."""


@dataclass(frozen=True)
class Ids:
    """Options as one types them: "coins=silver_gold". words: says a message of the game's catalog."""

    words: Callable[[str], str]

    def option(self, name: str) -> str:
        """Its id."""
        return name

    def value(self, name: str, value: object) -> str:
        """Its id and its JSON value."""
        return f"{name}={str(value).lower() if isinstance(value, bool) else value}"


class Need(Protocol):
    """One condition."""

    def met(self, setup: Setup) -> bool:
        """Whether it holds."""

    def lack(self, option: str, values: Mapping[str, Any], players: int, naming: Naming) -> str:
        """The sentence that the option (so called) has no effect, because the condition does not hold."""

    def only(self, naming: Naming) -> str:
        """When the option acts, to be read after "acts only": "with zero_risk"."""


@dataclass(frozen=True)
class With:
    """Another option is true, or one of several."""

    names: tuple[str, ...]

    def met(self, setup: Setup) -> bool:
        """Whether it holds."""
        return any(setup.values[name] for name in self.names)

    def lack(self, option: str, values: Mapping[str, Any], players: int, naming: Naming) -> str:
        """The sentence that the option has no effect."""
        return _("{option} has no effect without {other}.", option=option, other=self._named(naming))

    def only(self, naming: Naming) -> str:
        """When the option acts."""
        return _("with {other}", other=self._named(naming))

    def _named(self, naming: Naming) -> str:
        return listed([naming.option(name) for name in self.names], "or")


@dataclass(frozen=True)
class Value:
    """Another option has one of these values."""

    name: str
    among: tuple[Any, ...]

    def met(self, setup: Setup) -> bool:
        """Whether it holds."""
        return setup.values[self.name] in self.among

    def lack(self, option: str, values: Mapping[str, Any], players: int, naming: Naming) -> str:
        """The sentence that the option has no effect."""
        other = naming.value(self.name, values[self.name])
        return _("{option} has no effect with {other}.", option=option, other=other)

    def only(self, naming: Naming) -> str:
        """When the option acts."""
        values = [naming.value(self.name, value) for value in self.among]
        return _("with {other}", other=listed(values, "or"))


@dataclass(frozen=True)
class Players:
    """There are so many players."""

    least: int = 0
    most: int = 99

    def met(self, setup: Setup) -> bool:
        """Whether it holds."""
        return self.least <= setup.players <= self.most

    def lack(self, option: str, values: Mapping[str, Any], players: int, naming: Naming) -> str:
        """The sentence that the option has no effect."""
        return _("{option} has no effect with {n} players.", option=option, n=players)

    def only(self, naming: Naming) -> str:
        """When the option acts."""
        if self.least:
            return _("with {n} players or more", n=self.least)
        return _("with {n} players", n=self.most)


@dataclass(frozen=True)
class If:
    """Something holds of the match: `test` is given it as it is dealt, and as it would be without the option. words: what, a
    message of the game."""

    words: str
    test: Callable[[Any, Any], Any]

    def met(self, setup: Setup) -> bool:
        """Whether it holds."""
        return bool(self.test(*setup.dealt[0]))

    def lack(self, option: str, values: Mapping[str, Any], players: int, naming: Naming) -> str:
        """The sentence that the option has no effect."""
        return _("{option} has no effect unless {words}.", option=option, words=naming.words(self.words))

    def only(self, naming: Naming) -> str:
        """When the option acts."""
        return _("if {words}", words=naming.words(self.words))


@dataclass(frozen=True)
class Deal:
    """The option changes what is dealt. For options that shape the deal and mean nothing after it."""

    def met(self, setup: Setup) -> bool:
        """Whether it holds."""
        return any(state.differences(without) != [setup.option] for state, without in setup.dealt)

    def lack(self, option: str, values: Mapping[str, Any], players: int, naming: Naming) -> str:
        """The sentence that the option has no effect."""
        return _("{option} has no effect here: the same is dealt without it.", option=option)

    def only(self, naming: Naming) -> str:
        """When the option acts."""
        return _("if it changes the deal")
