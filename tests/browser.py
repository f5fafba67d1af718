"""A headless Chromium, spoken to over a pipe in the DevTools protocol: no package is needed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--hide-scrollbars", "--remote-debugging-pipe"),
)


def installed() -> str | None:
    """The browser's program: $PUZZLEKIT_CHROMIUM, or the first that is installed."""
    return os.environ.get("PUZZLEKIT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page in a browser of its own."""

    def __init__(self, program: str) -> None:
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, self.to = os.pipe()
        self.back, solutions = os.pipe()
        # The browser reads its descriptor 3 and writes to 4.
        script = f'exec 3<&{commands} 4>&{solutions}; exec "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "browser", program, *OPTIONS, f"--user-data-dir={self.folder.name}", "about:blank"],
            pass_fds=(commands, solutions),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(solutions)
        self.waiting = b""
        self.numbers = count(1)
        self.session: str | None = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send("Page.enable")

    def close(self) -> None:
        """End the browser that was started."""
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.back)
        self.folder.cleanup()

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give a command and wait for its result."""
        number = next(self.numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            solution = self._next()
            if solution.get("id") == number:
                assert "error" not in solution, solution["error"]
                return dict(solution["result"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.waiting:
            part = os.read(self.back, 1 << 16)
            assert part, "the browser has ended"
            self.waiting += part
        message, self.waiting = self.waiting.split(b"\0", 1)
        return dict(json.loads(message))

    def open(self, page: Path) -> None:
        """Load a page, without a network."""
        self.send("Network.enable")
        self.send("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
        self.send("Page.navigate", url=page.as_uri())
        until = time.monotonic() + 60
        while self.run("document.readyState") != "complete" or self.run("location.href") == "about:blank":
            assert time.monotonic() < until, "the page does not load"
            time.sleep(0.05)

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def middle(self, cell: int) -> dict[str, float]:
        """Where a cell's middle is."""
        return dict(
            self.run(
                f"(() => {{ buttons[{cell}].scrollIntoView({{block: 'nearest'}});"
                f"const b = buttons[{cell}].getBoundingClientRect();"
                "return {x: b.x + b.width / 2, y: b.y + b.height / 2}; })()"
            )
        )

    def mouse(self, kind: str, at: dict[str, float]) -> None:
        """A mouse event: mousePressed, mouseMoved, mouseReleased."""
        held = 0 if kind == "mouseReleased" else 1
        self.send("Input.dispatchMouseEvent", type=kind, **at, button="left", buttons=held, clickCount=1)

    def touch(self, kind: str, at: dict[str, float] | None = None) -> None:
        """A touch event: touchStart, touchMove, touchEnd."""
        self.send("Input.dispatchTouchEvent", type=kind, touchPoints=[at] if at else [])

    def key(self, key: str, modifiers: int = 0) -> None:
        """A key pressed and let go; the modifiers are 1 for Alt, 2 for Ctrl, 8 for Shift."""
        text = {"Enter": "\r", " ": " "}.get(key, "")
        code = {
            "Enter": 13,
            " ": 32,
            "Escape": 27,
            "Tab": 9,
            "ArrowLeft": 37,
            "ArrowUp": 38,
            "ArrowRight": 39,
            "ArrowDown": 40,
            "z": 90,
        }[key]
        pressed: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.send("Input.dispatchKeyEvent", type="keyDown", **pressed, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def picture(self, path: Path, width: int, height: int, scale: float = 1.0) -> None:
        """A screenshot of so many pixels."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))
