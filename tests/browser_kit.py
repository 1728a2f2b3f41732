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

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
    "--remote-allow-origins=*",
]
KEYS = {"Enter": ("\r", 13), "Tab": ("", 9), " ": (" ", 32), "ArrowRight": ("", 39)}


def find_chromium():
    """Return the path of an installed Chromium or Chrome, or None."""
    return next(
        filter(
            None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))
        ),
        None,
    )


def find_axe():
    """Return the script of axe-core, of the file AXE_JS or the package axe-core-python; None if
    there is neither."""
    spec = importlib.util.find_spec("axe_core_python")
    path = os.environ.get("AXE_JS") or (spec and Path(spec.origin).with_name("axe.min.js"))
    return Path(path).read_text(encoding="utf8") if path else None


class Tab:
    """One tab; `events` holds the console errors, exceptions and requests since the last `open`."""

    def __init__(self, address):
        self.socket, self.number, self.events = (
            websocket.create_connection(address, timeout=60),
            0,
            [],
        )
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
            self.wait("Page.lifecycleEvent", loaderId=loader, name="load")

    def wait(self, method, /, **wanted):
        """Receive until there was, since the last `open`, an event of this method with these
        values."""
        while not any(
            name == method and all(what.get(k) == v for k, v in wanted.items())
            for name, what in self.events
        ):
            self.receive()

    def run(self, script):
        """Return the value of a JavaScript expression (promises are awaited)."""
        result = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, condition, seconds=60):
        """Wait until a JavaScript expression is true; a page that is just being left counts as not
        yet."""
        deadline = time.monotonic() + seconds
        while True:
            with contextlib.suppress(RuntimeError):  # the script's page went away under it
                if self.run(f"Boolean({condition})"):
                    return
            if time.monotonic() > deadline:
                raise AssertionError(
                    f"not within {seconds} s: {condition}; {self.complaints()[:5]}"
                )
            time.sleep(0.1)

    def press(self, key):
        """Press and release one key."""
        text, code = KEYS[key]
        what = {"key": key, "code": {" ": "Space"}.get(key, key), "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **what)
        self.call("Input.dispatchKeyEvent", type="keyUp", **what)

    def write(self, text):
        """Type text into the element that has the focus."""
        self.call("Input.insertText", text=text)

    def width(self, pixels):
        """Set the width of the screen."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=pixels,
            height=844,
            deviceScaleFactor=1,
            mobile=pixels < 500,
        )

    def violations(self, axe):
        """Return what axe-core finds against the page as it is shown: (rule, number of places, the
        first)."""
        self.run(
            "Promise.all(document.getAnimations().map((one) => one.finished.catch(() =>"
            " 0))).then(() => 1)"
        )
        self.call("Runtime.evaluate", expression=axe)
        return self.run(
            """axe.run(document, {resultTypes: ["violations"]}).then((all) => all.violations.map(
                  (found) => [found.id, found.nodes.length,
                              found.nodes[0].html.slice(0, 200)]))"""
        )

    def complaints(self):
        """Return console errors and warnings, exceptions, failed loads, and requests to anywhere
        but the file system."""
        found = []
        for name, what in self.events:
            if name == "Runtime.exceptionThrown" or name == "Network.loadingFailed":
                found.append((name, str(what)[:300]))
            elif name == "Runtime.consoleAPICalled" and what["type"] in (
                "error",
                "warning",
                "assert",
            ):
                found.append((name, str(what["args"])[:300]))
            elif name == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
                found.append((name, what["entry"]["text"]))
            elif name == "Network.requestWillBeSent" and not what["request"]["url"].startswith(
                ("file:", "data:", "about:")
            ):
                found.append((name, what["request"]["url"]))
        return found


@contextlib.contextmanager
def chromium(path, profile):
    """Start Chromium with an empty profile folder; give a Tab; stop it."""
    process = subprocess.Popen(
        [path, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        told, deadline = Path(profile) / "DevToolsActivePort", time.monotonic() + 60
        while not (told.is_file() and told.read_text().count("\n")):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{path} did not start (exit status {process.poll()})")
            time.sleep(0.05)
        listing = f"http://127.0.0.1:{told.read_text().splitlines()[0]}/json/list"
        pages = []
        while not pages and time.monotonic() < deadline:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                listing, timeout=30
            ) as answer:
                pages = [page for page in json.load(answer) if page["type"] == "page"]
        yield Tab(pages[0]["webSocketDebuggerUrl"])
    finally:
        process.terminate()
        process.wait(30)
