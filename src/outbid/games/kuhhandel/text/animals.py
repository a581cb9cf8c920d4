"""The animals as people name them, alone, with an article and in a herd; by kind. Plain Python."""

from outbid.core.language.i18n import N_
from outbid.games.kuhhandel.text import _

NAMES = (
    N_("chicken"), N_("goose"), N_("cat"), N_("dog"), N_("lamb"), N_("goat"), N_("donkey"), N_("pig"),
    N_("cow"), N_("horse"),
)  # fmt: skip
HERDS = (
    N_("chickens"), N_("geese"), N_("cats"), N_("dogs"), N_("lambs"), N_("goats"), N_("donkeys"),
    N_("pigs"), N_("cows"), N_("horses"),
)  # fmt: skip
ANY = (
    N_("a chicken"), N_("a goose"), N_("a cat"), N_("a dog"), N_("a lamb"), N_("a goat"), N_("a donkey"),
    N_("a pig"), N_("a cow"), N_("a horse"),
)  # fmt: skip
THIS = (
    N_("the chicken"), N_("the goose"), N_("the cat"), N_("the dog"), N_("the lamb"), N_("the goat"),
    N_("the donkey"), N_("the pig"), N_("the cow"), N_("the horse"),
)  # fmt: skip
FIRST = (
    N_("The chicken"), N_("The goose"), N_("The cat"), N_("The dog"), N_("The lamb"), N_("The goat"),
    N_("The donkey"), N_("The pig"), N_("The cow"), N_("The horse"),
)  # fmt: skip


def name(kind: int) -> str:
    """The name of an animal: "cow"."""
    return _(NAMES[kind])


def herd(kind: int) -> str:
    """The name of several animals of a kind: "cows", "geese"."""
    return _(HERDS[kind])


def any_of(kind: int) -> str:
    """ "a cow", the object of a sentence: "einen Esel"."""
    return _(ANY[kind])


def this(kind: int) -> str:
    """ "the cow", the object of a sentence: "den Esel"; "the animal" if there is none."""
    return _(THIS[kind]) if kind >= 0 else _("the animal")


def first(kind: int) -> str:
    """ "The cow", the subject that begins a sentence: "Der Esel"; "The animal" if there is none."""
    return _(FIRST[kind]) if kind >= 0 else _("The animal")


def stake(kind: int, n: int) -> str:
    """ "the cow", "the 2 cows", the object of a sentence."""
    return this(kind) if n == 1 else _("the {n} {animals}", n=n, animals=herd(kind))
