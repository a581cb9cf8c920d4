"""How templates are run: Jinja, with the ways a table goes thousands of times a second made short."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from functools import cache
from typing import Any

from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.runtime import Macro
from jinja2.utils import missing
from markupsafe import Markup, escape

from outbid.engine import tongue
from outbid.engine.rulebook import rulebooks

SCENE = "t"  # what templates call it
OBJECTS = {"seats", "speak", "state", "table", "words"}  # its parts that are never a dict
SPECIAL = re.compile("[&<>\"']")


class Output(CodeGenerator):
    """Writes calls as Python has them, as no template hands its context on; `plain(…)` around what is put out, where Jinja
    writes `escape(…)`; and `quick(…)` around macros."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """Write a call."""
        if node.dyn_args or node.dyn_kwargs:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for part in (*node.args, *node.kwargs):
            self.visit(part, frame)
            self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        """Write a field: of the scene, and of its parts that are objects, as Python has it."""
        of = node.node
        if isinstance(of, nodes.Getattr) and of.attr in OBJECTS:
            of = of.node
        if isinstance(of, nodes.Name) and of.name == SCENE:
            self.visit(node.node, frame)
            self.write(f".{node.attr}")
        else:
            super().visit_Getattr(node, frame)

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:
        """Write what makes a macro of its function."""
        self.write("environment.quick(")
        super().macro_def(macro_ref, frame)
        self.write(")")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.plain(")
        if finalize.src is not None:
            self.write(finalize.src)


class Templates(Environment):
    """All templates: plain ones by name, a game's as `kuhhandel/table.html`, with the words of the game's own package.

    Most of what a table shows are calls, fields of dicts and short texts; these are made short.
    """

    code_generator_class = Output

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A field of a dict before its methods."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)

    @staticmethod
    def plain(value: Any) -> str:
        """The value as HTML: escaped unless it is markup already. What is put out need not be marked as escaped."""
        kind = type(value)
        if kind is Markup or (kind is str and not SPECIAL.search(value)):
            return value
        return str(value) if kind is int else escape(value)

    @staticmethod
    def quick(macro: Macro) -> Callable[..., str]:
        """The macro, called by its places, with its caller if it takes one, without the detours of Jinja's own."""
        if macro.catch_kwargs or macro.catch_varargs:
            return macro
        body, count, calls = macro._func, macro._argument_count, macro.caller
        mark = str.__new__

        def called(*args: Any, **named: Any) -> str:
            if named:
                if not calls or len(named) > 1 or "caller" not in named:
                    return macro(*args, **named)
                return mark(Markup, body(*args, *[missing] * (count - len(args)), named["caller"]))
            if calls:
                return macro(*args)
            if len(args) == count:
                return mark(Markup, body(*args))
            return mark(Markup, body(*args, *[missing] * (count - len(args))))

        return called

    def get_template(
        self, name: str | Template, parent: str | None = None, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        """A template. Raises TemplateNotFound."""
        return super().get_template(name, parent, _game_words().get(str(name).partition("/")[0], globals))


@cache
def _game_words() -> dict[str, dict[str, Any]]:
    return {name: words_of(book.words.__package__) for name, book in rulebooks().items()}


def words_of(package: str) -> dict[str, Any]:
    """`_` and `ngettext` as templates have them."""
    say, count = tongue.words(package)
    return {"_": say, "ngettext": count}


