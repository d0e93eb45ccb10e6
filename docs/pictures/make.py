"""Make the README's pictures: ``python docs/pictures/make.py`` after ``make build``.

The pages are the build's own previews; the site is shown as a browser shows it.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

HERE = Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build"
PREVIEWS = {
    "gm-screen.png": "interactive-history/gm-screen-2.png",
    "sheet.png": "atari-isev/sheet-1.png",
    "cards.png": "polyhedral-fudge/cards-1.png",
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
    """Write each picture."""
    for name, preview in PREVIEWS.items():
        shutil.copyfile(BUILD / preview, HERE / name)
    with tempfile.TemporaryDirectory() as folder:
        shot = Path(folder) / "site.png"
        browser = shutil.which("chromium") or "google-chrome"
        page_address = (BUILD / "interactive-history" / "index.html").as_uri()
        command = [browser, *BROWSER_FLAGS, f"--user-data-dir={folder}/profile", f"--screenshot={shot}", page_address]
        subprocess.run(command, check=True, capture_output=True)
        # Few colours keep it small and sharp.
        Image.open(shot).convert("RGB").quantize(COLOURS).save(HERE / "site.png", optimize=True)


if __name__ == "__main__":
    main()
