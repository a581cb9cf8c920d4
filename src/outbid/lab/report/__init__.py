"""The report of an experiment: the answer in a sentence, plots, tables, and the matches worth looking at.

    html, markdown = report("outbid-runs/overbid")     the texts
    write("outbid-runs/overbid")                       report.html, report.md and plots/*.svg, in the run's folder

Who calls whom: report, write → figures (the run folder, read) → pages (what stands in a report, block by block) → drawings
(which plots), words (sentences), plots (Matplotlib → SVG), games (records: what happened, where they open) → pages renders
the blocks twice, as one HTML page that needs nothing else (report.html, report.css; no script) and as Markdown (report.md)
with its plots beside.

The report is in the language of the moment (core/language/i18n.py). The run folder's format is in
lab/experiments/__init__.py. A report without the libraries that it needs is an ImportError that names them; the sentences
and numbers alone need none.
"""

from pathlib import Path

from outbid.core.errors import BadSetup
from outbid.core.extras import require
from outbid.core.language.i18n import _
from outbid.lab.report.pages import document

__all__ = ["can_draw", "report", "write"]


def can_draw() -> None:
    """Raises Missing where what draws the plots is not installed."""
    require("The report", "lab", "matplotlib", "pyarrow")


def report(folder: str | Path, server: str = "") -> tuple[str, str]:
    """The report of a run, as an HTML page and as Markdown, which refers to plots/NAME.svg. server: the address of a table
    server; the matches worth looking at are sent there, and the page links to their replays. Raises BadSetup,
    ImportError."""
    can_draw()
    page = document(Path(folder), server)
    return page.html(), page.markdown()


def write(folder: str | Path, server: str = "") -> list[Path]:
    """Write report.html, report.md and plots/*.svg into the folder of the run; returns their paths, the page first.
    Raises BadSetup, ImportError."""
    can_draw()
    from outbid.core.files import appearing

    where = Path(folder)
    page = document(where, server)
    texts = {"report.html": page.html(), "report.md": page.markdown()}
    texts |= {f"plots/{plot.name}.svg": plot.svg for plot in page.plots}
    paths = [where / name for name in texts]
    try:
        (where / "plots").mkdir(exist_ok=True)
    except OSError as error:
        raise BadSetup(_("{file} cannot be written: {reason}.", file=where / "plots", reason=error.strerror)) from error
    for path, text in zip(paths, texts.values(), strict=True):
        with appearing(path, force=True) as beside:
            beside.write_text(text, encoding="utf-8")
    return paths
