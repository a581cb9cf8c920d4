"""How far the judge of reviews is off among such players, as benchmarks/calibration.py has measured it. Plain Python."""

import json
from functools import cache
from pathlib import Path
from typing import Any

CALIBRATION = Path(__file__).with_name("calibration.json")
ENOUGH = 100  # matches of a cell, at least: the error of fewer is mostly chance
ASSUMED_ERROR = 0.05  # calibration error of an estimate, in shares of the victory, where nobody has measured it


@cache
def measured() -> dict[tuple[str, int, str], dict[str, dict[str, Any]]]:
    """What was measured of the judge in matches ENOUGH: by game, players and estimator, and then by company."""
    cells: dict[tuple[str, int, str], dict[str, dict[str, Any]]] = {}
    for cell in json.loads(CALIBRATION.read_text(encoding="utf-8"))["cells"] if CALIBRATION.exists() else ():
        if cell["matches"] < ENOUGH:
            continue
        cells.setdefault((cell["game"], cell["players"], cell["estimator"]), {})[cell["company"]] = cell
    return cells
