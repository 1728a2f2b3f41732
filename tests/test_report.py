"""The report: built once, without warnings; every link resolves, every picture has words; in a
real browser one page of each kind loads, fits and is accessible, and the ledger filters."""

import base64
import html
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import browser_kit
import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from helpers.audit.ledger import COLUMNS, CONTRADICTED, VERDICTS
from helpers.results import disarm
from helpers.sources.public import ROOT
from helpers.workshop.run import read_json
from tools import pages, report

pytest.importorskip("sphinx", reason="Sphinx is not installed: make report installs it")
pytestmark = pytest.mark.ci
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NOTEBOOK = "notebooks/01-ttcw-human-agreement.html"
# one page of each kind, and how it is shown to axe (seconds each)
KINDS = {"index.html": "phone", "judges/index.html": "phone"}
KINDS |= {"ledger.html": "screen", NOTEBOOK: "screen"}
# the page, and the column of the theme that would scroll in its place
FITS = """[document.documentElement, document.querySelector(".content")].every(
    (one) => one.scrollWidth <= innerWidth)"""


class Page(HTMLParser):
    """What a page points to and can be pointed at: links, loaded addresses, ids, alt texts."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.ids, self.alts = [], [], set(), []
        self.feed(path.read_text(encoding="utf8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids.add(given.get("id"))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag in ("script", "img", "iframe", "source") and given.get("src"):
            self.loads.append(given["src"])
        elif tag == "link" and given.get("rel") not in ("author", "canonical"):
            self.loads.append(given["href"])
        if tag == "img":
            self.alts.append(" ".join((given.get("alt") or "").split()))


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Return (site folder, warnings, ledger, {path: Page}) of a report built now."""
    into = tmp_path_factory.mktemp("site") / "report"
    into.mkdir()
    (into / "old.html").write_text("an earlier report")
    index, warnings = report.build(into)
    assert index == into / "index.html" and index.is_file() and not (into / "old.html").exists()
    ledger = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
    paths = [path for path in into.rglob("*.html") if "_static" not in path.parts]
    return into, warnings, ledger[COLUMNS], {path: Page(path) for path in sorted(paths)}


@pytest.fixture(scope="module")
def tab(built, tmp_path_factory):
    """A tab of a headless Chromium."""
    path = browser_kit.find_chromium()
    if path is None:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    with browser_kit.chromium(path, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def broken(folder, site, path, address):
    """Return whether a relative address leads to no file of the site, or to no id on it."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or (path.name == "search.html" and not parts.path):
        return False
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not (target.is_file() and target.is_relative_to(folder)):
        return True
    known = site[target].ids if target in site and target.name != "ledger.html" else None
    return bool(known and parts.fragment and unquote(parts.fragment) not in known)


def test_builds_without_warnings_and_every_link_resolves(built):
    folder, warnings, _, site = built
    assert warnings == [] and len(site) > len(NOTEBOOKS) + 10
    for path, page in site.items():
        parts = [urlsplit(a) for a in page.loads]
        far = [a for a in parts if a.netloc or a.scheme not in ("", "data")]
        lost = [a for a in page.links + page.loads if broken(folder, site, path, a)]
        assert (far, lost) == ([], []), path.name
    wrong = ("nowhere.html", "findings.html#nowhere", "../../etc")
    assert all(broken(folder, site, folder / "index.html", address) for address in wrong)


def test_formulas_are_formulas_without_a_script_from_elsewhere(built):
    folder = built[0] / "notebooks"
    texts = {path.stem: path.read_text(encoding="utf8") for path in folder.glob("*.html")}
    raw = re.compile(r"\$[^$<>\n]*\\[a-z]+[^$<>\n]*\$")  # LaTeX between dollars, as it is written
    assert {stem: found for stem, text in texts.items() if (found := raw.findall(text))} == {}
    assert texts["01-ttcw-human-agreement"].count("<math") == 8
    assert "<mtext>by chance</mtext>" in texts["01-ttcw-human-agreement"]
    # docutils would take a half for 12 over the next sign
    assert "<mn>12</mn>" not in texts["07-is-my-judge-good-enough"]


def test_the_browser_gets_the_whole_ledger_with_working_links(built):
    folder, _, ledger, site = built
    text = (folder / "_static" / "ledger-data.js").read_text(encoding="utf8")
    given = json.loads(text.removeprefix("window.LEDGER = ").rstrip().removesuffix(";"))
    rows, above = [], [None] * len(given["columns"])
    for line in given["rows"]:  # a blank cell is that of the row above
        above = [cell or last for cell, last in zip(line.split(","), above)]
        rows.append([given["words"][int(place)] for place in above])
    assert rows == ledger.values.tolist() and len(rows) > 3000
    assert given["verdicts"] == VERDICTS and given["contradicted"] == CONTRADICTED
    assert set(given["papers"]) == set(ledger["paper"])
    for number in set(ledger["notebook"]):
        address = given["notebooks"][number]["href"]
        assert "#against-the-paper" in address
        assert not broken(folder, site, folder / "ledger.html", address)
    assert (folder / "ledger.csv").read_bytes() == (ROOT / "outputs" / "ledger.csv").read_bytes()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebooks_page_begins_with_its_findings_and_has_all_of_it(built, path):
    folder, _, _, site = built
    page = folder / "notebooks" / f"{path.stem}.html"
    text, cells = page.read_text(encoding="utf8"), nbformat.read(path, as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code" and cell.source]
    code = [cell for cell in code if "results.in_short(" not in cell.source]  # stands on top
    shown = sum("parameters" in report.tags(cell) for cell in code)
    assert text.count('<details class="admonition hide') == len(code) - shown
    download = folder / "_sources" / "notebooks" / path.name
    assert download.read_bytes() == path.read_bytes(), "a download is the notebook as it is"
    outputs = [o.get("metadata", {}) for cell in code for o in cell.outputs]
    alts = {" ".join(o["image/png"]["alt"].split()) for o in outputs if "image/png" in o}
    assert alts <= set(site[page].alts) and all(len(alt) > 9 for alt in site[page].alts)
    record = read_json(ROOT / "outputs" / f"{path.stem}.json")
    if record or path.stem[:2] != "00":
        order = ['id="in-short"', 'class="sections"', 'id="the-question"', "<details class="]
        places = [text.index(part) for part in order]
        assert places == sorted(places)
        head = " ".join(re.sub("<[^>]+>", "", html.unescape(text[: places[2]])).split())
        finding = " ".join(record["findings"][0].split())[:60]
        assert finding.replace("'", "’") in head.replace("'", "’")


def picture(alt, content=b"png"):
    """The output of a cell that shows a picture."""
    data = {"image/png": base64.b64encode(content).decode()}
    return new_output("display_data", data, metadata={"image/png": {"alt": alt}})


def test_a_readers_names_bring_no_markup_into_the_site(tmp_path):
    names = ["<script>alert(4)</script>", "<i onclick=alert(8)>A</i>", "[x](javascript:alert(1))"]
    said = "\n\n".join(f"- By {name}, 2 < 3" for name in names)
    alt = '"><script>alert(4)</script>'
    output = new_output("display_data", {"text/markdown": disarm(said)})
    code = new_code_cell("1", outputs=[output, picture(alt)])
    notebook = new_notebook(cells=[new_markdown_cell("# 01 · A?\n\nB."), code])
    report.put_in_short(notebook, "01", names, [], tmp_path)
    nbformat.write(notebook, tmp_path / "01.ipynb")
    record = {"findings": names, "source": "open"}
    (tmp_path / "01.json").write_text(json.dumps(record))
    _, findings = pages.findings_pages({"01": tmp_path / "01.ipynb"}, tmp_path)
    (tmp_path / "index.md").write_text(f"# A\n\n{findings}\n\n{pages.toctree(['01'])}")
    command = [sys.executable, "-m", "sphinx", "-q", "-c", report.SITE, tmp_path, tmp_path / "site"]
    subprocess.run(command, check=True, capture_output=True)
    for name in ("01.html", "index.html"):
        page = (tmp_path / "site" / name).read_text(encoding="utf8")
        assert not re.search("<script>alert|<i onclick|href=.javascript", page)
        assert page.count("&lt;script&gt;alert(4)") >= 1 + (name == "01.html")


@pytest.mark.parametrize("name", KINDS)
def test_a_page_loads_without_complaint_fits_a_phone_and_is_accessible(built, tab, name):
    looks = {"phone": (360, "dark"), "screen": (1400, "light")}
    axe = browser_kit.find_axe()
    for look, (width, scheme) in looks.items():
        tab.show(width, scheme)
        tab.open((built[0] / name).as_uri())
        assert tab.complaints() == []
        assert tab.run(FITS), "fits"
        if axe and look == KINDS[name]:
            assert tab.violations(axe) == []


def test_every_page_fits_a_phone(built, tab):
    tab.show(360)
    wide = []
    for path in built[3]:
        tab.open(path.as_uri())
        wide += [] if tab.run(FITS) else [path.name]
    assert wide == []


def said(tab):
    """Return the number of lines that the ledger page says it found."""
    text = tab.texts("#said")[0].replace(",", "")
    found = re.search(r"of (\d+) numbers(?: and (\d+) blank)?", text)
    return sum(map(int, filter(None, found.groups()))) if found else 0


def squash(text):
    """What the ledger's search leaves of a text: no capitals, spaces, hyphens, dots."""
    return re.sub(r"[\s._-]", "", text.lower())


@pytest.fixture(scope="module")
def opened(built, tab):
    """Return go(fragment, fresh=False), which shows the ledger page there; fresh: loads it anew."""
    page = (built[0] / "ledger.html").as_uri()

    def go(fragment="", fresh=False):
        if fresh or not tab.run("location.pathname.endsWith('/ledger.html')"):
            tab.show(1280)
            tab.open(f"{page}{fragment}")
        address = json.dumps(f"{page}{fragment}")
        tab.run(f"history.replaceState(null, '', {address})")
        tab.run("dispatchEvent(new Event('hashchange'))")

    return go


def test_the_ledger_filters_by_keyboard_and_keeps_the_view_in_its_address(built, tab, opened):
    ledger = built[2]
    opened()
    assert said(tab) == len(ledger) and len(tab.texts("#rows .c-value")) == 50
    tab.run("document.getElementById('q').focus()")
    tab.call("Input.insertText", text="Table 5 GPT4")
    named = ledger.apply(lambda row: "gpt4" in squash("|".join(row)), axis=1)
    wanted = ledger[(ledger["table"] == "Table 5") & named]
    assert said(tab) == len(wanted) > 10 and tab.run("location.hash") == "#q=Table%205%20GPT4"
    verdict = wanted["verdict"].mode()[0]
    for _ in range(20):  # the next controls by Tab, until the verdict's button
        tab.press("Tab")
        if tab.run(f"document.activeElement.matches('#counts .{verdict}')"):
            break
    tab.press("Enter")
    count = (wanted["verdict"] == verdict).sum()
    assert said(tab) == count
    assert tab.run("document.activeElement.getAttribute('aria-pressed')") == "true", "focus stays"
    opened(tab.run("location.hash"), fresh=True)
    assert said(tab) == count and tab.run("document.getElementById('q').value") == "Table 5 GPT4"
    tab.run("document.querySelector('#ledger form button').click()")
    assert said(tab) == len(ledger) and tab.run("location.hash") == "" and tab.complaints() == []
