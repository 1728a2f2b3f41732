"""Drive a headless Chromium over its DevTools socket: open pages, run scripts, press keys, hear
what goes wrong."""

import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path

import websocket

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync
--disable-background-networking --disable-component-update --remote-debugging-port=0
--remote-allow-origins=*""".split()
KEYS = {"Enter": ("\r", 13), "Tab": ("", 9)}
VIOLATIONS = """axe.run(document, {resultTypes: ["violations"]}).then((all) => all.violations.map(
    (found) => [found.id, found.nodes.length, found.nodes[0].html.slice(0, 200)]))"""


def find_chromium():
    """Return the path of an installed Chromium or Chrome, or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next(filter(None, map(shutil.which, names)), None)


def find_axe():
    """Return the script of axe-core, of the file AXE_JS or the package axe-core-python, or None."""
    spec = importlib.util.find_spec("axe_core_python")
    path = os.environ.get("AXE_JS") or (spec and Path(spec.origin).with_name("axe.min.js"))
    return Path(path).read_text(encoding="utf8") if path else None


class Tab:
    """One tab; `events` holds the console errors, exceptions and requests since the last `open`."""

    def __init__(self, address):
        self.socket = websocket.create_connection(address, timeout=60)
        self.number, self.events = 0, []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def receive(self):
        """Return the next message; keep it if it is an event."""
        message = json.loads(self.socket.recv())
        if "method" in message:
            self.events.append((message["method"], message["params"]))
        return message

    def call(self, method, **params):
        """Call a DevTools method; return its result."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while (message := self.receive()).get("id") != self.number:
            pass
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return message["result"]

    def open(self, address):
        """Load a page and wait until it is complete."""
        # by way of a blank page, since another fragment alone loads nothing
        for target in ("about:blank", address):
            self.events.clear()
            loader = self.call("Page.navigate", url=target)["loaderId"]
            done = {"loaderId": loader, "name": "load"}
            while not any(done.items() <= what.items() for _, what in self.events):
                self.receive()

    def reload(self):
        """Load the page again as its reader does: what the browser keeps for a page need not be at
        once there for another of its processes, which `open` may begin."""
        self.run("window.left = true; location.reload()")
        self.until("!window.left && document.readyState === 'complete'")

    def run(self, script):
        """Return the value of a JavaScript expression (promises are awaited)."""
        wanted = {"expression": script, "returnByValue": True, "awaitPromise": True}
        result = self.call("Runtime.evaluate", **wanted)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def texts(self, selector):
        """Return the texts of all elements that a selector finds."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})]"
        return self.run(f"{found}.map((one) => one.textContent)")

    def until(self, condition, seconds=60):
        """Wait until a JavaScript expression is true; a page being left counts as not yet."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(RuntimeError):  # the script's page went away under it
                if self.run(f"Boolean({condition})"):
                    return
            time.sleep(0.1)
        raise AssertionError(f"not within {seconds} s: {condition}")

    def press(self, key):
        """Press and release one key."""
        text, code = KEYS[key]
        what = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **what)
        self.call("Input.dispatchKeyEvent", type="keyUp", **what)

    def show(self, pixels, scheme="light", media=""):
        """Set the width of the screen, the colours and the medium (print)."""
        size = {"height": 844, "deviceScaleFactor": 1, "mobile": pixels < 500}
        self.call("Emulation.setDeviceMetricsOverride", width=pixels, **size)
        colours = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=colours, media=media)

    def violations(self, axe):
        """Return what axe-core finds against the page as it is shown: (rule, places, the first)."""
        still = "Promise.all(document.getAnimations().map((one) => one.finished.catch(() => 0)))"
        self.run(f"{still}.then(() => 1)")
        self.call("Runtime.evaluate", expression=axe)
        return self.run(VIOLATIONS)

    def complaints(self):
        """Return console errors and warnings, exceptions, failed loads, and requests to anywhere
        but the file system."""
        found = []
        for name, what in self.events:
            kind = what.get("type") or what.get("entry", {}).get("level")
            url = what.get("request", {}).get("url", "file:")
            far = not url.startswith(("file:", "data:", "about:"))
            loud = name in ("Runtime.consoleAPICalled", "Log.entryAdded")
            broken = name in ("Runtime.exceptionThrown", "Network.loadingFailed")
            if broken or far or (loud and kind in ("error", "warning", "assert")):
                found.append((name, str(what)[:300]))
        return found


@contextlib.contextmanager
def chromium(path, profile):
    """Start Chromium with an empty profile folder; give a Tab; stop it."""
    command = [path, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, **silent)
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        told, deadline = Path(profile) / "DevToolsActivePort", time.monotonic() + 60
        while not (told.is_file() and told.read_text().count("\n")):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{path} did not start (exit status {process.poll()})")
            time.sleep(0.05)
        listing, found = f"http://127.0.0.1:{told.read_text().splitlines()[0]}/json/list", []
        while not found and time.monotonic() < deadline:
            with direct.open(listing, timeout=30) as answer:
                found = [page for page in json.load(answer) if page["type"] == "page"]
        yield Tab(found[0]["webSocketDebuggerUrl"])
    finally:
        process.terminate()
        process.wait(30)
