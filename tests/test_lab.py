"""JupyterLab as `make lab` starts it: the server comes up and serves the first notebook."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request

import pytest

from helpers.sources.public import ROOT

pytestmark = pytest.mark.ci
FIRST = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))[0]


def test_the_lab_of_the_makefile_opens_the_first_notebook(tmp_path):
    makefile = (ROOT / "Makefile").read_text(encoding="utf8")
    recipe = makefile.partition("\nlab:")[2].partition("\n\n")[0]
    address = re.search(r"--LabApp.default_url=(\S+)", recipe).group(1)
    assert '--ServerApp.root_dir="$$(pwd)"' in recipe and address == f"/lab/tree/notebooks/{FIRST}"
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += ["--ServerApp.port=0", f"--ServerApp.root_dir={ROOT}", "--IdentityProvider.token="]
    places = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "RUNTIME", "DATA")}
    log = (tmp_path / "log").open("w")
    server = subprocess.Popen(command, env=os.environ | places, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 90
        while not (found := list((tmp_path / "RUNTIME").glob("jpserver-*.json"))):
            assert server.poll() is None and time.monotonic() < deadline, "JupyterLab did not start"
            time.sleep(0.2)
        url = json.loads(found[0].read_text())["url"].replace("localhost", "127.0.0.1")
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        assert b"JupyterLab" in direct.open(url.rstrip("/") + address, timeout=60).read()
        with direct.open(f"{url}api/contents/notebooks/{FIRST}", timeout=60) as answer:
            served = json.load(answer)["content"]["cells"]
        assert len(served) == len(json.loads((ROOT / "notebooks" / FIRST).read_text())["cells"])
    finally:
        server.terminate()
        server.wait(30)
        log.close()
