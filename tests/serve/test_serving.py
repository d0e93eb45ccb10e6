"""A project is served and watched: what is saved is seen, what is wrong is told, and the output is that of a build."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import refgen
from tests.serve.running import SCREEN, Running, is_alive, running
from tests.serve.saving import WAYS, in_place
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow

PAGE = "/fate/gm-screen-a4.html"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with its first build done."""
    with running(tmp_path_factory.mktemp("served"), "serve") as found:
        found.says("aids made")
        yield found


def content_of(folder: Path) -> dict[str, str]:
    """The digest of each file."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def up_to_date(served: Running) -> bool:
    """Whether the manifest tells of the rules as they are."""
    manifest = served.output / "manifest.json"
    if not manifest.is_file():
        return False
    inputs: dict[str, str] = {}
    for made_of in json.loads(manifest.read_bytes())["inputs"]:
        inputs |= made_of
    now = {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in {"fate/rules.md": served.rules, "fate/screen.toml": served.screen}.items()
    }
    return now.items() <= inputs.items()


def test_the_gallery_of_a_game_is_shown_and_not_published(served: Running) -> None:
    served.awaits(lambda: ">chart, bars" in served.get("/fate/gallery.html"))
    assert not (served.output / "fate" / "gallery.html").exists()


def test_a_saved_cell_is_on_the_page_and_then_in_the_output_of_a_build(served: Running, tmp_path: Path) -> None:
    text = served.rules.read_text(encoding="utf-8")
    in_place(served.rules, text.replace("| Superb   | +5 ", "| Superb   | +7 "))
    served.awaits(lambda: "+7" in served.get(PAGE))
    served.awaits(lambda: up_to_date(served))
    refgen.project(served.own).build(refgen.BuildSettings(output=tmp_path / "clean", cache=False, jobs=1))
    assert content_of(served.output) == content_of(tmp_path / "clean")
    in_place(served.rules, text)
    served.awaits(lambda: "+7" not in served.get(PAGE) and up_to_date(served))


def test_an_error_is_reported_with_its_place_on_the_page_and_the_terminal_until_it_is_mended(served: Running) -> None:
    before = len(served.said)
    heard = served.hears(PAGE)
    assert next(heard)["errors"] == []
    in_place(served.screen, SCREEN.replace("skills", "skils"))
    (error,) = next(each["errors"] for each in heard if each["errors"])
    assert error["place"].startswith("fate/screen.toml:3:")
    assert '"skils"' in error["message"]
    assert error["hint"]
    served.says(f"{error['place']}: {error['message']}\n", since=before)
    served.says(f"  hint: {error['hint']}\n", since=before)
    assert "+5" in served.get(PAGE)  # as it was when all was well
    in_place(served.screen, SCREEN)
    assert next(each["errors"] for each in heard if not each["errors"]) == []
    served.says("no errors any more", since=before)
    heard.close()  # type: ignore[attr-defined]


def shows(served: Running, value: str) -> None:
    """Wait until the page shows that a Superb skill is worth so much."""
    served.awaits(lambda: value in served.get(PAGE))


def saved_in_all_ways(served: Running, times: int) -> None:
    """Save in each way so many times, as soon as the last one is seen; each time the page comes to show just that."""
    text = served.rules.read_text(encoding="utf-8")
    for number, save in enumerate(WAYS * times, start=100):
        save(served.rules, text.replace("+5", f"+{number}"))
        shows(served, f"+{number}")
    served.awaits(lambda: up_to_date(served))
    assert f"+{number}" in (served.output / "fate" / "gm-screen-a4.html").read_text(encoding="utf-8")
    in_place(served.rules, text)
    shows(served, "+5")


def test_every_way_to_save_is_seen(served: Running) -> None:
    saved_in_all_ways(served, 1)


@pytest.mark.soak
def test_every_way_to_save_is_seen_twenty_times(served: Running) -> None:
    saved_in_all_ways(served, 20)


def test_a_burst_of_saves_leads_to_the_last(served: Running) -> None:
    text = served.rules.read_text(encoding="utf-8")
    for number in range(100, 150):
        in_place(served.rules, text.replace("+5", f"+{number}"))
        time.sleep(0.005)
    shows(served, "+149")
    served.awaits(lambda: up_to_date(served))
    assert "+149" in (served.output / "fate" / "gm-screen-a4.html").read_text(encoding="utf-8")
    in_place(served.rules, text)
    shows(served, "+5")


def test_a_game_that_is_added_is_served_and_goes_when_it_is_removed(served: Running) -> None:
    new = served.own / "content" / "fate-2"
    new.mkdir()
    for name in ("rules.md", "screen.toml", "system.toml"):
        in_place(new / name, (served.own / "content" / "fate" / name).read_text(encoding="utf-8"))
    served.awaits(lambda: (served.output / "fate-2" / "gm-screen-a4.pdf").is_file())
    served.awaits(lambda: "fate-2/" in served.get("/"))
    for path in new.iterdir():
        path.unlink()
    new.rmdir()
    served.awaits(lambda: not (served.output / "fate-2").exists())
    served.awaits(lambda: "fate-2/" not in served.get("/") and not served.get("/fate-2/"))


def test_content_that_is_gone_is_reported_and_goes_on_when_it_is_back(served: Running) -> None:
    before, content = len(served.said), served.own / "content"
    content.rename(served.own / "elsewhere")
    served.says(f"{content} is gone", since=before)
    served.says("holds no game", since=before)
    assert "+5" in served.get(PAGE)
    (served.own / "elsewhere").rename(content)
    served.says("no errors any more", since=before)
    text = served.rules.read_text(encoding="utf-8")
    in_place(served.rules, text.replace("+5", "+6"))
    served.awaits(lambda: "+6" in served.get(PAGE))
    in_place(served.rules, text)
    served.awaits(lambda: "+5" in served.get(PAGE) and up_to_date(served))


def test_a_build_process_that_dies_is_reported_and_another_takes_its_place(served: Running) -> None:
    builder = served.family()[0]
    os.kill(builder, signal.SIGKILL)
    wait_until(lambda: not is_alive(builder))
    in_place(served.screen, SCREEN.replace("Traits", "Skills"))
    served.awaits(lambda: up_to_date(served))
    assert "Skills" in (served.output / "fate" / "gm-screen-a4.html").read_text(encoding="utf-8")
    in_place(served.screen, SCREEN)
    served.awaits(lambda: up_to_date(served))


def test_builds_go_on_while_a_project_is_watched(tmp_path: Path) -> None:
    with running(tmp_path, "build", "--watch", "--only", "screen", "--paper", "a4") as watched:
        watched.says("aids made")
        assert sorted(path.name for path in (watched.output / "fate").iterdir() if path.suffix != ".png") == [
            "gm-screen-a4.html",
            "gm-screen-a4.pdf",
        ]
        text = watched.rules.read_text(encoding="utf-8")
        in_place(watched.rules, text.replace("+5", "+6"))
        page = watched.output / "fate" / "gm-screen-a4.html"
        watched.awaits(lambda: "+6" in page.read_text(encoding="utf-8"))
        before = len(watched.said)
        in_place(watched.screen, SCREEN.replace("skills", "skils"))
        watched.says("fate/screen.toml:3:", since=before)


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.soak), (signal.SIGKILL, -9)],
)
def test_a_signal_ends_it_and_all_that_it_started(tmp_path: Path, number: int, code: int) -> None:
    with running(tmp_path, "serve") as served:
        served.awaits(lambda: len(served.family()) > 1)  # in the midst of its first build
        family = served.family()
        served.process.send_signal(number)
        assert served.process.wait(PATIENCE) == code
        wait_until(lambda: not any(map(is_alive, family)))
    if number != signal.SIGKILL:
        assert list((tmp_path / "tmp").iterdir()) == []
        assert not [path for path in tmp_path.iterdir() if path.name.startswith(".refgen")]
