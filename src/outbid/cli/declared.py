"""Options that several commands have are declared once, as fields of a dataclass.

    @dataclass(frozen=True)
    class OutputOptions:
        out: Annotated[Path | None, typer.Option("--out")] = None

    @app.command()
    @declared
    def run(file: …, how: OutputOptions) -> None:        # the command has --out; how.out is what was given
"""

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints

KEYWORD = inspect.Parameter.KEYWORD_ONLY


def declared(function: Callable[..., None]) -> Callable[..., None]:
    """The function as Typer reads it: every field of a parameter that is a dataclass is a parameter of its own."""
    kinds = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in kinds.items() if is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in groups:
            inner = get_type_hints(groups[name], include_extras=True)
            options = ((f.name, f.default) for f in fields(groups[name]))
            parameters += [inspect.Parameter(key, KEYWORD, default=value, annotation=inner[key]) for key, value in options]
        else:
            parameters.append(parameter.replace(kind=KEYWORD, annotation=kinds[name]))

    @wraps(function)
    def command(**given: Any) -> None:
        filled = {name: kind(**{f.name: given.pop(f.name) for f in fields(kind)}) for name, kind in groups.items()}
        function(**given, **filled)

    flat: Any = command
    flat.__signature__ = inspect.Signature(parameters)
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    del flat.__wrapped__
    return command
