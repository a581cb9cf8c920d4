"""Names and sentences of the package: values have nouns, a class name stands for one idea, docstrings stand alone."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import outbid

SOURCE = Path(outbid.__file__).parent
VAGUE = {"one": 49, "said": 19, "found": 22, "made": 11}  # how often they are bound: these numbers may only become smaller
# Names of two classes: this list may only become shorter.
TWICE = {"Move", "Offer", "Seat"}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@pytest.fixture(scope="module")
def nodes():
    """All nodes of all modules."""
    return [node for path in SOURCE.rglob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


def test_a_value_that_has_a_noun_gets_it(nodes):
    bound = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    bound += Counter(node.arg for node in nodes if isinstance(node, ast.arg))
    assert {name: bound[name] for name in VAGUE if bound[name] > VAGUE[name]} == {}


def test_a_class_name_stands_for_one_idea(nodes):
    names = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert {name for name, number in names.items() if number > 1} <= TWICE


def test_a_docstring_can_be_read_alone(nodes):
    docstrings = [ast.get_docstring(node) or "" for node in nodes if isinstance(node, DOCUMENTED)]
    assert [text for text in docstrings if re.match(r"The same\b", text)] == []
