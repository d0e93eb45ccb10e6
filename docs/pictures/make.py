"""Make the README's pictures from a build: ``python docs/pictures/make.py`` after ``make build``."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image

HERE = Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build"
PAGES = {
    "gm-screen.png": ("interactive-history/gm-screen-a4.pdf", 1, 1.35),
    "sheet.png": ("atari-isev/sheet-a4.pdf", 0, 1.0),
    "cards.png": ("polyhedral-fudge/cards-letter.pdf", 0, 1.0),
}
COLOURS = 64
BROWSER_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--window-size=1100,820",
)


def main() -> None:
    """Write each picture with few colours, which keeps it small and sharp."""
    for name, (pdf, page, scale) in PAGES.items():
        with pypdfium2.PdfDocument(BUILD / pdf) as document:
            _save(document[page].render(scale=scale).to_pil(), name)
    with tempfile.TemporaryDirectory() as folder:
        shot = Path(folder) / "site.png"
        browser = shutil.which("chromium") or "google-chrome"
        page_address = (BUILD / "interactive-history" / "index.html").as_uri()
        command = [browser, *BROWSER_FLAGS, f"--user-data-dir={folder}/profile", f"--screenshot={shot}", page_address]
        subprocess.run(command, check=True, capture_output=True)
        _save(Image.open(shot), "site.png")


def _save(image: Image.Image, name: str) -> None:
    image.convert("RGB").quantize(COLOURS).save(HERE / name, optimize=True)


if __name__ == "__main__":
    main()
