"""By the path of a URL one gets the files of a folder: nothing outside of it, nothing hidden, no links."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from refgen.pipeline.operating_system import exchange
from refgen.serve.served_pages import open_inside, steps_of


def served(folder: Path, path: str) -> bytes | None:
    steps = steps_of(path)
    file = None if steps is None else open_inside(folder, steps)
    if file is None:
        return None
    with file:
        return file.read()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An output, with a secret outside of it and with what leads there."""
    output = tmp_path / "build"
    (output / "game").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    for name in ("index.html", ".hidden", "game/index.html", "game/gm screen ½.html", "game/.env"):
        (output / name).write_text(name, encoding="utf-8")
    (output / "outside").symlink_to(tmp_path)
    (output / "secret").symlink_to(tmp_path / "secret")
    (output / "inside.html").symlink_to(output / "index.html")
    os.mkfifo(output / "pipe")
    return output


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/", "index.html"),
        ("/index.html", "index.html"),
        ("/game/", "game/index.html"),
        ("/game/gm%20screen%20%C2%BD.html", "game/gm screen ½.html"),
        ("/%67ame/index%2Ehtml", "game/index.html"),
        ("/game%2Findex.html", "game/index.html"),
    ],
)
def test_a_file_is_found(folder: Path, path: str, found: str) -> None:
    assert served(folder, path) == found.encode()


@pytest.mark.parametrize(
    "path",
    [
        "/../secret",
        "/game/../../secret",
        "/%2e%2e/secret",
        "/%2e%2e%2fsecret",
        "/..%2fsecret",
        "/game/..%2f..%2fsecret",
        "/..%5csecret",
        "/..\\secret",
        "/%252e%252e/secret",
        "/..%c0%afsecret",
        "/%c0%ae%c0%ae/secret",
        "//secret",
        "/./index.html",
        "/game//index.html",
        "secret",
        "",
        "/.hidden",
        "/%2ehidden",
        "/game/.env",
        "/index.html%00.png",
        "/outside/secret",
        "/outside/build/index.html",
        "/secret",
        "/inside.html",
        "/pipe",
        "/game",
        "/nothing.html",
        "/index.html/",
        "/index.html/more",
        f"/{'x' * 300}",
        f"/{'x/' * 3000}",
        "/%ff",
    ],
)
def test_nothing_else_is(folder: Path, path: str) -> None:
    assert served(folder, path) is None


def test_a_folder_that_gives_way_to_another_is_one_of_the_two(folder: Path, tmp_path: Path) -> None:
    """As a build swaps it, and removes the old one."""
    done = threading.Event()
    seen: list[bytes | None] = []

    def look() -> None:
        while not done.is_set():
            seen.append(served(folder, "/game/page.html"))

    for number in range(30):
        new = tmp_path / f"new-{number}"
        (new / "game").mkdir(parents=True)
        (new / "game" / "page.html").write_text(str(number), encoding="utf-8")
        exchange(new, folder)
        if not number:
            reader = threading.Thread(target=look)
            reader.start()
        for path in (new / "game").iterdir():
            path.unlink()
        (new / "game").rmdir()
    done.set()
    reader.join()
    numbers = [int(each or b"-1") for each in seen]
    assert numbers == sorted(numbers)
    assert min(numbers) >= 0
