"""How templates are run: Jinja, with the ways a table goes thousands of times a second made short."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from functools import cache
from typing import Any

from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context
from markupsafe import escape

from outbid.engine import tongue
from outbid.engine.rulebook import rulebooks

SPECIAL = re.compile("[&<>\"']")


class Calls(Context):
    """Calls a function straight away: no template hands its context on."""

    def call(self, called: Callable[..., Any], /, *args: Any, **values: Any) -> Any:
        """What `called` answers."""
        values.pop("_loop_vars", None)
        values.pop("_block_vars", None)
        return called(*args, **values)


class Output(CodeGenerator):
    """Writes `plain(…)` around what is put out, where Jinja writes `escape(…)`."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.plain(")
        if finalize.src is not None:
            self.write(finalize.src)


class Templates(Environment):
    """All templates: plain ones by name, a game's as `kuhhandel/table.html`, with the words of the game's own package.

    Most of what a table shows are calls, fields of dicts and short texts; these are made short.
    """

    context_class = Calls
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
        return value if type(value) is str and not SPECIAL.search(value) else escape(value)

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


