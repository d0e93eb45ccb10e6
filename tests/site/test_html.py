"""What makes the site installable: the manifest, and the script that keeps pages."""

from __future__ import annotations

import json
import re

from refgen.site.html import MANIFEST, WORKER, offline_files

PATHS = ["index.html", "fate/odds.html", "fate/gm-screen-a4.pdf", "fate/gm-screen-1.png", "assets/css/site.css"]


def worker(paths: list[str]) -> str:
    return offline_files(paths, "Play aids")[WORKER].decode()


def test_pages_and_styles_are_kept_and_files_to_print_are_not() -> None:
    listed = re.search(r"const PAGES = (\[.*?\]);", worker(PATHS), re.DOTALL)
    assert listed is not None
    assert json.loads(listed[1]) == ["assets/css/site.css", "fate/odds.html", "index.html"]


def test_the_same_pages_give_the_same_script_in_whatever_order() -> None:
    assert worker(PATHS) == worker(PATHS[::-1]) == worker([*PATHS, *PATHS, WORKER])
    assert worker(PATHS) != worker(PATHS[1:])


def test_the_manifest_starts_at_the_first_page_in_whatever_folder() -> None:
    manifest = json.loads(offline_files(PATHS, "Play aids")[MANIFEST])
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("index.html", ".", "standalone")
