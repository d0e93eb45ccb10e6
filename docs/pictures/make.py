"""Make the README's pictures: ``python docs/pictures/make.py`` after ``make build``.

The pages are the build's own previews; of the cards a sheet is shown with backs, and the site as a browser shows it.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

import pypdfium2
from PIL import Image

HERE = Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build"
PREVIEWS = {
    "gm-screen.png": "interactive-history/gm-screen-2.png",
    "sheet.png": "atari-isev/sheet-1.png",
}
SHEETS = "interactive-history/cards-a4.pdf"
COLOURS = 64
HEIGHT = 1000
BROWSER_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--window-size=1100,820",
)


def main() -> None:
    """Write each picture."""
    for name, preview in PREVIEWS.items():
        shutil.copyfile(BUILD / preview, HERE / name)
    _small(_cards((BUILD / SHEETS).read_bytes()), "cards.png")
    with tempfile.TemporaryDirectory() as folder:
        shot = Path(folder) / "site.png"
        browser = shutil.which("chromium") or "google-chrome"
        page_address = (BUILD / "interactive-history" / "index.html").as_uri()
        command = [browser, *BROWSER_FLAGS, f"--user-data-dir={folder}/profile", f"--screenshot={shot}", page_address]
        subprocess.run(command, check=True, capture_output=True)
        _small(Image.open(shot).convert("RGB"), "site.png")


def _cards(pdf: bytes) -> Image.Image:
    """The first sheet of a deck, and the first column of its backs beside it."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        fronts, backs = (document[number].render(scale=HEIGHT / document[0].get_height()).to_pil() for number in (0, 1))
    side = round(0.37 * fronts.width)
    whole = Image.new("RGB", (fronts.width + side, fronts.height), "white")
    whole.paste(fronts)
    whole.paste(backs.crop((fronts.width - side, 0, fronts.width, fronts.height)), (fronts.width, 0))
    return whole


def _small(picture: Image.Image, name: str) -> None:
    """Few colours keep it small and sharp."""
    picture.quantize(COLOURS).save(HERE / name, optimize=True)


if __name__ == "__main__":
    main()
