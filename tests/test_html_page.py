"""Pages of executed notebooks: no code, no warnings, no places, and no prose about nothing."""

from pathlib import Path

import nbformat
import pytest

from helpers.sources.public import ROOT
from helpers.workshop import html_page

prose = nbformat.v4.new_markdown_cell
code = nbformat.v4.new_code_cell
output = nbformat.v4.new_output


def test_prose_about_what_is_not_there_is_left_out():
    shown = [output("stream", text="1")]
    cells = [prose("title"), code("1"), prose("silent"), code("2"), prose("two"), prose("one")]
    cells += [code("3"), code("4", outputs=shown), prose("end")]
    kept = [cell.source for cell in html_page.drop_silent(cells)]
    assert kept == ["title", "1", "2", "two", "one", "3", "4", "end"]


@pytest.fixture
def show(tmp_path):
    """Return a function that writes a page of a notebook with such outputs and returns its HTML."""

    def write(*outputs, title="A page", **words):
        notebook = tmp_path / "in.ipynb"
        cells = [prose("# Heading"), code("import pandas", outputs=list(outputs))]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), notebook)
        page = tmp_path / "page.html"
        html_page.write_page(notebook, page, title, **words)
        return page.read_text("utf8")

    return write


def test_a_page_has_results_and_no_code(show):
    page = show(output("stream", text="12 stories"))
    assert "12 stories" in page
    assert "import pandas" not in page


def test_a_page_has_no_warnings(show):
    assert "RuntimeWarning" not in show(
        output("stream", name="stderr", text="RuntimeWarning: divide")
    )


def test_a_page_has_no_scripts(show):
    widget = {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}, "text/plain": "bar"}
    page = show(output("display_data", data=widget), title="</title><script>alert(31)</script>")
    assert "<script" not in page
    assert ">bar" not in page


def test_a_page_names_files_beside_it_and_no_place_on_this_machine(show, tmp_path):
    place = f"see {tmp_path}/run/a.csv and {ROOT}/helpers/x.py"
    page = show(
        output("display_data", data={"text/markdown": place}),
        names={Path(f"{tmp_path}/run/a.csv"): "page.csv"},
    )
    assert "see page.csv and helpers/x.py" in page
    assert str(tmp_path) not in page


def test_a_page_may_begin_and_end_with_words_of_its_own(show):
    page = show(output("stream", text="12 stories"), first="The worth", last="The files")
    assert page.index("The worth") < page.index("12 stories") < page.index("The files")


def test_a_page_may_leave_the_notebook_s_prose_out(show):
    assert "Heading" in show()
    assert "Heading" not in show(prose=False)
