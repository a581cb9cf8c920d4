"""Scripts that are no part of the package, as modules."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.support.lazily import Lazy

ROOT = Path(__file__).parents[2]
torch = Lazy("torch", "training needs PyTorch: pip install outbid[train]")


def lazy_script(path: str) -> Any:
    """The same, read by the first test that uses it; it needs PyTorch."""

    class Script:
        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):  # pytest looks for its own marks on all it collects
                raise AttributeError(name)
            _ = torch.Tensor
            return getattr(script(path), name)

    return Script()


def script(path: str) -> ModuleType:
    """The module in a file of the repository, read once; others find it by its name."""
    file = ROOT / path
    if file.stem not in sys.modules:
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module
        spec.loader.exec_module(module)
    return sys.modules[file.stem]
