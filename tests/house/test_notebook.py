"""The notebook in examples/ runs from top to bottom, and lies in the repository without outputs."""

import re
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOK = EXAMPLES / "tour.ipynb"


def read():
    return nbformat.read(NOTEBOOK, as_version=4)


def test_the_notebook_is_kept_without_outputs():
    for cell in read().cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


def test_the_notebook_is_valid_and_its_links_lead_somewhere():
    book = read()
    nbformat.validate(book)
    text = "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")
    links = re.findall(r"\]\(([^)#]+)\)", text)
    assert links
    assert all((EXAMPLES / link).exists() for link in links)


@pytest.mark.filterwarnings("default")  # what the kernel's own packages warn of is not ours
@pytest.mark.deep
def test_the_notebook_runs_from_top_to_bottom():
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    book = read()
    client = nbclient.NotebookClient(
        book, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(EXAMPLES)}}
    )
    client.execute()  # raises what a cell raises
    shown = [out for cell in book.cells if cell.cell_type == "code" for out in cell.outputs]
    assert sum("image/png" in out.get("data", {}) for out in shown) == 2
    said = "".join(out.get("text", "") for out in shown)
    for word in ("features", "seat 0 hand", "against steady", "player_2", "NashConv"):
        assert word in said
    assert "nan" not in said.split()
    assert "Traceback" not in said


@pytest.mark.slow
def test_an_exception_in_a_cell_fails_the_run():
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    bad = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import outbid; outbid.game('chess')")])
    with pytest.raises(nbclient.exceptions.CellExecutionError, match="There is no game 'chess'"):
        nbclient.NotebookClient(bad, timeout=120, kernel_name="python3").execute()
