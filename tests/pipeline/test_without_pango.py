"""On a machine without Pango everything is made but PDFs and pictures, and how to get Pango is said in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.absent import NO_PANGO, environment, refgen
from tests.pipeline.small_builds import give_back, make_project

pytestmark = pytest.mark.slow

NOTE = "there is no Pango, so that no PDF can be made"


def test_a_build_makes_the_html_of_all_aids_the_site_and_the_data(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    give_back(project / "content/fate", "booklet", "sheet", "session")
    without = environment(tmp_path / "absent", NO_PANGO, REFGEN_CACHE=str(tmp_path / "cache"))
    done = refgen(without, project, "build")
    assert (done.returncode, done.stdout.count("files")) == (0, 1)
    assert done.stderr.count(NOTE) == 1
    made = {path.name for path in (project / "build/fate").iterdir()}
    assert made >= {
        *(f"{aid}-{paper}.html" for aid in ("gm-screen", "session", "sheet") for paper in ("a4", "letter")),
        *("booklet-a5.html", "booklet-half-letter.html", "cards.html", "sheet.html", "index.html", "tables.json"),
    }
    assert 'href="gm-screen-letter.html"' in (project / "build/fate/index.html").read_text(encoding="utf-8")
    assert not [path for path in (project / "build").rglob("*") if path.suffix in (".pdf", ".png")]
    again = refgen(without, project, "build", "fate", "--only", "session")
    assert NOTE in again.stderr  # estimated pages are not kept: with Pango the next build makes PDFs


def test_what_makes_nothing_but_pdfs_says_how_to_get_pango(tmp_path: Path) -> None:
    without = environment(tmp_path / "absent", NO_PANGO, REFGEN_CACHE="none")
    done = refgen(without, tmp_path, "sheet", "harmonies", "--ready")
    assert done.returncode == 2
    assert done.stderr.splitlines()[0].endswith(NOTE)
    assert done.stderr.splitlines()[1].startswith("  hint: ")
    assert "Traceback" not in done.stderr
