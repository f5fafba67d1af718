"""The texts of the page, as a person reads and pastes them."""

from __future__ import annotations

from playwright.sync_api import Page

LINES = """(name) => [...document.querySelectorAll(`[role=textbox][aria-label=${name}] .cm-line`)]
    .map((line) => line.textContent).join("\\n")"""
PASTE = """(area, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    area.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true}));
}"""


class Text:
    """The text of the type or of the spec, of which a short one is drawn as a whole."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.area = page.get_by_role("textbox", name=name, exact=True)

    def read(self) -> str:
        return str(self.page.evaluate(LINES, self.name))

    def fill(self, text: str) -> None:
        """Replace the text by a paste."""
        self.area.focus()
        self.page.keyboard.press("Control+a")
        self.area.evaluate(PASTE, text)

    def wait(self, text: str, seconds: float = 20) -> None:
        """Wait until this is the text."""
        for _ in range(int(seconds / 0.05)):
            if self.read() == text:
                return
            self.page.wait_for_timeout(50)
        assert self.read() == text
