"""The animals as people name them, alone, with an article and in a herd; by kind. Plain Python."""

from __future__ import annotations

from outbid.core.language import i18n
from outbid.core.language.i18n import mark

_, ngettext = i18n.words(__package__)

NAMES = (
    mark("chicken"), mark("goose"), mark("cat"), mark("dog"), mark("lamb"), mark("goat"), mark("donkey"), mark("pig"),
    mark("cow"), mark("horse"),
)  # fmt: skip
HERDS = (
    mark("chickens"), mark("geese"), mark("cats"), mark("dogs"), mark("lambs"), mark("goats"), mark("donkeys"),
    mark("pigs"), mark("cows"), mark("horses"),
)  # fmt: skip
ANY = (
    mark("a chicken"), mark("a goose"), mark("a cat"), mark("a dog"), mark("a lamb"), mark("a goat"), mark("a donkey"),
    mark("a pig"), mark("a cow"), mark("a horse"),
)  # fmt: skip
THIS = (
    mark("the chicken"), mark("the goose"), mark("the cat"), mark("the dog"), mark("the lamb"), mark("the goat"),
    mark("the donkey"), mark("the pig"), mark("the cow"), mark("the horse"),
)  # fmt: skip
FIRST = (
    mark("The chicken"), mark("The goose"), mark("The cat"), mark("The dog"), mark("The lamb"), mark("The goat"),
    mark("The donkey"), mark("The pig"), mark("The cow"), mark("The horse"),
)  # fmt: skip


def name(kind: int) -> str:
    """ "cow"."""
    return _(NAMES[kind])


def herd(kind: int) -> str:
    """ "cows", "geese"."""
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
