"""How templates are run: Jinja, with the ways a table goes thousands of times a second made short, and with each name that a
sentence sets apart (core/language/names.py) as an element of its own, wherever that is put out; not in an attribute or a
title."""

import re
from collections.abc import Callable, MutableMapping, Sequence
from functools import cache, lru_cache
from typing import Any

from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.runtime import Macro
from jinja2.utils import missing
from markupsafe import Markup, escape

from outbid.core.language import i18n
from outbid.core.language.names import ISOLATE, POP, READER, bare, replaced
from outbid.core.rulebook import rulebooks
from outbid.server.web.below import ANYWHERE, rooted

SCENE = "t"  # what templates call it
OBJECTS = {"seats", "speak", "state", "table", "words"}  # its parts that are never a dict
SPECIAL = re.compile(f"[&<>\"'{ISOLATE}]")
NAME = '<bdi class="name">', "</bdi>"
NAMED = re.compile(f"{NAME[0]}([^<]*){NAME[1]}")
FOLLOWED = re.compile("(<bdi [^>]*>[^<]*</bdi>[^\\s<]+)")
READY = "# The code of "  # begins a template that is Python already: `written`
TEXT_ONLY = {"title", "textarea", "option"}  # elements that hold no others, and blocks that stand in them or in a tag


def _element(name: str) -> str:
    return name.join(NAME)


def inked(sentence: str, names: Sequence[str]) -> Markup:
    """A sentence as HTML in which the name of each seat is an element with the seat's colour and shape (base.css)."""
    text = escape(sentence)
    return Markup(replaced(text, _seated(tuple(names)))) if ISOLATE in text else text


def kept(html: Markup) -> Markup:
    """Names stay with what follows them without a space, as a colon: a browser may break a line behind an inline block."""
    return Markup(FOLLOWED.sub(r'<span class="kept">\1</span>', str(html)))


def about(sentence: str, names: Sequence[str], reader: int) -> int | None:
    """The seat with whose name, or with "You" for the reader's, a sentence begins."""
    if sentence.partition(" ")[0] in READER:
        return reader
    return next((seat for seat, name in enumerate(names) if sentence.startswith(name)), None)


@lru_cache(4096)
def _seated(names: tuple[str, ...]) -> Callable[[str], str]:
    """What makes elements of escaped names."""
    shown = [bare(str(escape(name))) for name in names]
    elements = {name: f'<bdi class="name p{seat}">{name}</bdi>' for seat, name in enumerate(shown)}
    return lambda name: elements.get(name) or _element(name)


class Where:
    """Where in the HTML a template stands, read from its text: in a tag, in an element that holds text alone, or else."""

    def __init__(self) -> None:
        self.tag = self.quote = self.element = ""

    @property
    def bare(self) -> bool:
        """No element can stand here."""
        return bool(self.tag or self.element)

    def read(self, text: str) -> None:
        """Go on by a piece of text."""
        for match in re.finditer(r"</?[A-Za-z!][\w-]*|[\"'>]", text):
            sign = match[0]
            if not self.tag:
                if sign[0] == "<":
                    self.tag = sign
            elif sign in ("'", '"'):
                self.quote = "" if self.quote == sign else self.quote or sign
            elif sign == ">" and not self.quote:
                name = self.tag.lstrip("</").lower()
                self.element, self.tag = (name if name in TEXT_ONLY and self.tag[1] != "/" else ""), ""

    def mark(self, node: nodes.Node) -> None:
        """Mark every expression below a node that is put out where no element can stand."""
        last = ""
        for child in node.iter_child_nodes():
            if isinstance(node, nodes.Output) and isinstance(child, nodes.TemplateData):
                self.read(child.data)
                last = child.data
            elif isinstance(node, nodes.Output):
                child.bare = self.bare or last.endswith(("='", '="'))  # type: ignore[attr-defined]
                last = ""
            elif isinstance(child, nodes.Block) and child.name in (*TEXT_ONLY, "attributes"):
                within = Where()
                within.element = child.name
                within.mark(child)
            else:
                self.mark(child)


class Output(CodeGenerator):
    """Writes calls as Python has them, as no template hands its context on; `plain(…)` or, where no element can stand,
    `bare(…)` around what is put out, where Jinja writes `escape(…)`; and `quick(…)` around macros."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802
        """Write a template, every expression marked that stands where no element can."""
        Where().mark(node)
        super().visit_Template(node, frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """Write a call as Python has it, without the context."""
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
        self.write("environment.bare(" if getattr(node, "bare", False) else "environment.plain(")
        if finalize.src is not None:
            self.write(finalize.src)


class Templates(Environment):
    """All templates: plain ones by name, a game's as `kuhhandel/table.html`, with the words of the game's own package.

    Most of what a table shows are calls, fields of dicts and short texts; these are made short."""

    code_generator_class = Output
    root = ""  # the path below which the server stands (below.py)

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        """The source of a template, its addresses below the path."""
        return rooted(super().preprocess(source, name, filename), self.root)

    def written(self, name: str) -> str:
        """The code of a template, which takes most of the time that its first use takes; with `ANYWHERE` for the path."""
        source, filename, _current = self.loader.get_source(self, name)  # type: ignore[union-attr]
        return f"{READY}{name}\n{self.compile(source, name, filename, raw=True)}"

    def compile(  # type: ignore[override]
        self, source: Any, name: str | None = None, filename: str | None = None, raw: Any = False, **how: Any
    ) -> Any:
        """A template as code; one that is code already, below the path."""
        if isinstance(source, str) and source.startswith(READY):
            return compile(source.replace(ANYWHERE, self.root), name or READY, "exec")
        return super().compile(source, name, filename, raw, **how)

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
        """The value as HTML: escaped unless it is markup already, with its names as elements. What is put out need not be
        marked as escaped."""
        kind = type(value)
        if (kind is Markup and ISOLATE not in value) or (kind is str and not SPECIAL.search(value)):
            return value
        if kind is int:
            return str(value)
        text = escape(value)
        return replaced(text, _element) if ISOLATE in text else text

    @staticmethod
    def bare(value: Any) -> str:
        """The value where no element can stand. Names are set apart by references, which stay as they are when what this is
        part of is put out again."""
        kind = type(value)
        if kind is str and not SPECIAL.search(value):
            return value
        if kind is int:
            return str(value)
        text = str(escape(value))
        if NAME[1] in text:
            text = NAMED.sub(f"{ISOLATE}\\1{POP}", text)
        return text.replace(ISOLATE, "&#8296;").replace(POP, "&#8297;") if ISOLATE in text else text

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
    say, count = i18n.words(package)
    return {"_": say, "ngettext": count}


