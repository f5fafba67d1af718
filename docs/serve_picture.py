"""Draw docs/pictures/serve.png, which the README and the first page of the site show: the type of
the first tutorial in `puzzlekit serve`, with a hint. `make serve-picture` runs it, with a browser.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

DOCS = Path(__file__).resolve().parent
TUTORIAL = DOCS / "tutorials" / "first-type.md"
PICTURE = DOCS / "pictures" / "serve.png"
SIZE = {"width": 1180, "height": 640}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
KIND, SPEC = "takuzu.yaml", "six.yaml"


def texts() -> dict[str, str]:
    """Return the files of the tutorial as they are at its end, by name."""
    blocks = re.findall(
        r'```yaml title="([^"]+)"\n(.*?)```', TUTORIAL.read_text(encoding="utf-8"), re.DOTALL
    )
    return dict(block for block in blocks if block[0] in (KIND, SPEC))


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; gives the address of the page."""
    command = [sys.executable, "-m", "puzzlekit", "serve", str(folder), "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        addresses = (re.search(r"http://\S+", line) for line in process.stdout)
        try:
            yield next(address[0] for address in addresses if address)
        finally:
            process.terminate()


def show(page: Page, address: str) -> None:
    """Open the files, and ask for a hint until its step is shown."""
    page.goto(address)
    page.get_by_role("button", name="Files").click()
    page.get_by_role("button", name=SPEC).click()
    page.locator("#verdict.one").wait_for()
    page.get_by_role("button", name="Hint").click()
    for name in ("Show the pattern", "Show the step"):
        page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="Enter it").wait_for()
    page.mouse.move(0, 0)


def main() -> None:
    """Write the picture."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit("there is no chromium here")
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        for file, text in texts().items():
            Path(name, file).write_text(text, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=program, args=["--disable-gpu"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        with served(Path(name)) as address:
            show(page, address)
            page.screenshot(path=str(PICTURE))
        browser.close()


if __name__ == "__main__":
    main()
