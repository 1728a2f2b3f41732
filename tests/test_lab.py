"""JupyterLab in a real browser: notebooks open, run from a fresh kernel without an error, and their
sliders work.

Notebooks 00 and 03 are driven in every run; LAB_ALL=1 drives all and LAB_SHOTS=folder keeps
pictures to look at.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import browser_kit
import pytest

from helpers.sources.public import ROOT

ALL = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
DRIVEN = ALL if os.environ.get("LAB_ALL") else [name for name in ALL if name[:3] in ("00-", "03-")]
SLIDERS = {"03": "cutoff", "05b": "N"}
PANEL = "[...jupyterapp.shell.widgets('main')].find(widget => widget.context)"
CELLS = (
    f"{PANEL}.content.widgets.filter(cell => cell.model.type === 'code').map(cell =>"
    " cell.model.toJSON())"
)


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Start JupyterLab on a copy of the notebooks; give (tab, address)."""
    chromium = browser_kit.find_chromium()
    if chromium is None:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(ROOT / "notebooks", folder / "notebooks", ignore=shutil.ignore_patterns(".*"))
    (folder / "data").symlink_to(ROOT / "data")
    places = {
        f"JUPYTER_{name}": str(folder / name.lower())
        for name in ("CONFIG_DIR", "RUNTIME_DIR", "DATA_DIR")
    }
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--ServerApp.port=0",
        "--IdentityProvider.token=none-needed",
        "--expose-app-in-browser",
        f"--ServerApp.root_dir={folder}",
    ]
    with open(folder / "server.log", "w") as log:
        server = subprocess.Popen(
            command, cwd=folder, env=os.environ | places, stdout=log, stderr=log
        )
    try:
        with browser_kit.chromium(chromium, folder / "profile") as tab:
            tab.socket.settimeout(400)
            tab.width(1400)
            tab.call("Emulation.setFocusEmulationEnabled", enabled=True)
            yield tab, find_address(folder / "runtime_dir", server)
    finally:
        server.terminate()
        server.wait(30)


def find_address(runtime, server):
    """Return the address that a starting server writes into its runtime folder."""
    deadline = time.monotonic() + 90
    while not (found := list(runtime.glob("jpserver-*.json"))):
        assert server.poll() is None and time.monotonic() < deadline, "JupyterLab did not start"
        time.sleep(0.2)
    return json.loads(found[0].read_text())["url"].replace("localhost", "127.0.0.1")


def shoot(tab, name):
    """Keep a picture of the page if LAB_SHOTS names a folder."""
    if folder := os.environ.get("LAB_SHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        (Path(folder) / f"{name}.png").write_bytes(
            base64.b64decode(tab.call("Page.captureScreenshot")["data"])
        )


def open_and_run(tab, address, name):
    """Open a notebook, clear its outputs, run all its cells; return its code cells as the browser
    holds them."""
    tab.open(
        f"{address}lab/workspaces/{name.partition('-')[0]}/tree/notebooks/{name}?token=none-needed"
    )
    tab.until(f"window.jupyterapp && {PANEL} && {PANEL}.context.path.endsWith('{name}')")
    tab.until(f"{PANEL}.context.isReady && {PANEL}.sessionContext.isReady")
    tab.run(f"{PANEL}.sessionContext.ready.then(() => 1)")
    shoot(tab, f"{name[:2]}-opened")
    tab.run(f"jupyterapp.shell.activateById({PANEL}.id)")
    tab.until(f"jupyterapp.shell.currentWidget === {PANEL}")
    tab.run("jupyterapp.commands.execute('notebook:clear-all-cell-outputs').then(() => 1)")
    tab.run("jupyterapp.commands.execute('notebook:run-all-cells').then(() => 1)")
    tab.until(f"{PANEL}.sessionContext.session.kernel.status === 'idle'", 300)
    return tab.run(CELLS)


def move_slider(tab, number, name):
    """Scroll to the slider, move it one step with the keyboard, wait for the new picture; return
    its value before and after."""
    where = next(
        i
        for i, cell in enumerate(
            tab.run(f"{PANEL}.content.widgets.map(cell => cell.model.toJSON())")
        )
        if any(
            "application/vnd.jupyter.widget-view+json" in output.get("data", {})
            for output in cell.get("outputs", [])
        )
    )
    tab.run(f"{PANEL}.content.scrollToItem({where}, 'start').then(() => 1)")
    tab.until("document.querySelector('.widget-slider .noUi-handle')")
    tab.until("document.querySelector('.widget-interact .jp-OutputArea-output')")
    label, readout = (
        f"document.querySelector('.widget-slider .widget-{part}').textContent"
        for part in ("label", "readout")
    )
    shown = "document.querySelector('.widget-interact .widget-output').innerHTML"
    before, picture = tab.run(readout), tab.run(shown)
    shoot(tab, f"{number}-slider-before")
    tab.run("document.querySelector('.widget-slider .noUi-handle').focus()")
    tab.press("ArrowRight")
    tab.until(f"{readout} !== {json.dumps(before)}")
    tab.until(f"{shown} !== {json.dumps(picture)}", 30)
    time.sleep(1)
    shoot(tab, f"{number}-slider-after")
    assert tab.run(label) == name
    # the widget writes a true minus
    return tuple(int(value.replace("\u2212", "-")) for value in (before, tab.run(readout)))


@pytest.mark.parametrize("name", DRIVEN)
def test_a_notebook_runs_in_the_browser(lab, name):
    tab, address = lab
    cells = open_and_run(tab, address, name)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert not [
        output
        for output in outputs
        if output["output_type"] == "error" or output.get("name") == "stderr"
    ]
    number = name.partition("-")[0]
    if number in SLIDERS:
        before, after = move_slider(tab, number, SLIDERS[number])
        assert after == before + 1
    count = tab.run(f"{PANEL}.content.widgets.length")
    for part in range(5) if os.environ.get("LAB_SHOTS") else []:
        tab.run(
            f"{PANEL}.content.scrollToItem({int(part * (count - 1) / 4)}, 'start').then(() => 1)"
        )
        time.sleep(1)
        shoot(tab, f"{name[:2]}-part-{part}")
    tab.run(f"{PANEL}.context.save().then(() => {PANEL}.sessionContext.shutdown()).then(() => 1)")


def test_the_lab_of_the_makefile_opens_the_first_notebook():
    recipe = (
        (ROOT / "Makefile").read_text(encoding="utf8").partition("\nlab:")[2].partition("\n\n")[0]
    )
    assert (
        "--ServerApp.root_dir=$(CURDIR)" in recipe
        and f"--LabApp.default_url=/lab/tree/notebooks/{ALL[0]}" in recipe
    )
    assert "--allow-root" in recipe and "announcements" in recipe
