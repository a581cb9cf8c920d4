"""Packages that take long to import, or may be missing: imported by the first test that uses them, not at collection."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import pytest


class Lazy:
    """A module, imported when an attribute of it is asked for. Without it the test is skipped with this reason."""

    def __init__(self, name: str, reason: str):
        self._name, self._reason = name, reason

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("_"):  # pytest looks for its own marks on all it collects
            raise AttributeError(attribute)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # packages that warn of others while they are imported
            try:
                module = importlib.import_module(self._name)
            except ImportError:
                pytest.skip(self._reason)
        return getattr(module, attribute)
