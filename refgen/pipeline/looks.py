"""The looks that ship with refgen: listed, previewed in a game, and copied into a project.

In: the name of a look, and a game. Out: a picture of a panel, a sheet and cards of the game in that look; or a
look.toml in the folder of a project or of a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from io import BytesIO
from pathlib import Path

from refgen.aids.kinds import KINDS
from refgen.catalog import Catalog
from refgen.errors import AidError, PublishError, RenderError, os_errors_as
from refgen.files import bundled_folder
from refgen.game import GameModel
from refgen.look.find import find_look
from refgen.look.look import LOOK_NAME
from refgen.pipeline.graph import run_job
from refgen.pipeline.make_aids import make_aid
from refgen.pipeline.operating_system import scratch, write_whole
from refgen.rules.toml import read_toml
from refgen.source import SourceFile

SHOWN = ("screen", "sheet", "card")
"""The kinds of aids of which a preview shows the first page."""

GAP, HEIGHT = 24, 900
"""Pixels around the pages of a preview, and the height of each page."""


def bundled_looks() -> Catalog[Path]:
    """The folders of the looks that ship with refgen, by name."""
    specs = sorted((bundled_folder("templates") / "look").glob(f"*/{LOOK_NAME}"))
    return Catalog("look", {path.parent.name: path.parent for path in specs})


def about_looks() -> Mapping[str, str]:
    """A line about each look, by its name."""
    files = {name: SourceFile.read(folder / LOOK_NAME, LOOK_NAME) for name, folder in bundled_looks().items()}
    return {name: str(read_toml(file)["about"]) for name, file in files.items()}


def copy_look(name: str, folder: Path) -> Path:
    """Write a look as the look.toml of a folder, and return the file. Raises PublishError where there is one."""
    text, path = (bundled_looks()[name] / LOOK_NAME).read_bytes(), folder / LOOK_NAME
    if path.exists():
        raise PublishError(f"{path} is there", hint="Move it away, or change it by hand.")
    write_whole(path, text)
    return path


def preview_look(name: str, game: GameModel) -> bytes:
    """A picture (PNG) of the first panel, sheet and cards of a game in a look. Raises AidError for a game without any.

    Raises RefgenError for what cannot be made in this look.
    """
    from PIL import Image

    shown = copy(game)
    vars(shown)["look"] = find_look(bundled_looks()[name], None)
    hint = "Make room, or set TMPDIR to another folder."
    with scratch(), os_errors_as(RenderError, f"make a picture of {name}", hint):
        pages = [Image.open(BytesIO(page)) for page in _pages(shown)]
    if not pages:
        raise AidError(f"{game.title} has no aids to show", hint="Name another game.")
    scaled = [page.resize((round(page.width * HEIGHT / page.height), HEIGHT)) for page in pages]
    width = GAP + sum(page.width + GAP for page in scaled)
    whole, left = Image.new("RGB", (width, HEIGHT + 2 * GAP), (128, 128, 128)), GAP
    for page in scaled:
        whole.paste(page, (left, GAP))
        left += page.width + GAP
    made = BytesIO()
    whole.save(made, "PNG")
    return made.getvalue()


def _pages(game: GameModel) -> Iterator[bytes]:
    """The first page of each kind of aid that a preview shows."""
    for kind in map(KINDS.__getitem__, SHOWN):
        if game.folder is None or (aid := make_aid(kind, game.folder, game, {game.id: game}).aid) is None:
            continue
        for job in kind.jobs(game, aid, kind.options(["a4"])):
            made = run_job(job)
            if made.errors:
                raise made.errors[0]
            yield from [*made.previews.values()][:1]
