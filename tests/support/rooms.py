"""The rooms of the package: `python -m tests.support.rooms` prints the lines of each and what it imports of others."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import outbid

SOURCE = Path(outbid.__file__).parent


def lines() -> Counter[str]:
    """Lines of Python by room."""
    counts: Counter[str] = Counter()
    for path in SOURCE.rglob("*.py"):
        counts[path.relative_to(SOURCE).parts[0].removesuffix(".py")] += path.read_text(encoding="utf-8").count("\n")
    return counts


def imports() -> dict[str, Counter[str]]:
    """How often each room imports from another."""
    arrows: dict[str, Counter[str]] = {room: Counter() for room in lines()}
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("outbid"):
                names = [node.module] if "." in str(node.module) else [f"outbid.{alias.name}" for alias in node.names]
            else:
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            others = {name.split(".")[1] for name in names if name and name.startswith("outbid.")} - {room}
            arrows[room].update(others & arrows.keys())
    return arrows


if __name__ == "__main__":
    for room, number in sorted(lines().items()):
        print(f"{number:6,} {room}: {', '.join(f'{other} {n}' for other, n in imports()[room].most_common())}")
    print(f"{sum(lines().values()):6,} in all")
