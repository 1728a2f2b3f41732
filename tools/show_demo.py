"""Put what `goodjudge demo` prints into goodjudge's README, and the top of its page beside it.

    python -m tools.show_demo

writes packages/goodjudge/README.md and, where there is a Chromium, docs/card.png. A test says when
it is due.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from helpers.sources.public import ROOT

PACKAGE = ROOT / "packages" / "goodjudge"
SIZE = (980, 840)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def show_output(folder):
    """Run the demo in a folder and put what it printed into the README."""
    command = [sys.executable, "-m", "goodjudge", "demo"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf8", check=True)
    printed = done.stdout.strip().replace(folder.resolve().as_uri(), "file:///home/you")
    path = PACKAGE / "README.md"
    page = path.read_text("utf8")
    page = re.sub(r"(?<=```\n)Simulated: .*?(?=\n```)", lambda _: printed, page, flags=re.DOTALL)
    path.write_text(page, "utf8")


def take_picture(page, path, browser):
    """Write the top of a page as a picture."""
    from PIL import Image

    options = "--headless --no-sandbox --disable-gpu --hide-scrollbars".split()
    size = f"--window-size={SIZE[0]},{SIZE[1]}"
    command = [browser, *options, size, f"--screenshot={path}", page.resolve().as_uri()]
    subprocess.run(command, check=True, capture_output=True)
    picture = Image.open(path).convert("RGB").quantize(64, dither=0)
    picture.save(path, optimize=True)


def main():
    """Renew both."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as folder:
        show_output(Path(folder))
        if browser:
            page = Path(folder) / "goodjudge-demo" / "card.html"
            take_picture(page, PACKAGE / "docs" / "card.png", browser)


if __name__ == "__main__":
    main()
