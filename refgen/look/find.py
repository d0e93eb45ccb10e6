"""Where a look is described: the look.toml of a project and that of a game.

In: the folders of a project and of a game. Out: the Look, or the files that it rests on. What reads look.toml is
loaded only where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from refgen.errors import RefgenError, RulesError
from refgen.look.look import LOOK_NAME, USUAL, Look
from refgen.template_files import TemplateFiles, template_files, template_paths


def find_look(project: Path | None, game: Path | None) -> Look:
    """The look of a game in the folder ``game`` of a project (None: no such folder); USUAL without any look.toml.

    Raises RulesError for a look that cannot be used, FileErrors for several faults.
    """
    templates = _with_sound_pictures(template_files(project, game))
    if not any(folder and (folder / LOOK_NAME).exists() for folder in (project, game)):
        return replace(USUAL, templates=templates) if templates.shown else USUAL
    from refgen.look.load import load_look  # few games have a look of their own

    return replace(load_look(project, game), templates=templates)


def _with_sound_pictures(templates: TemplateFiles) -> TemplateFiles:
    """The files of templates without damaged pictures and pictures that load other files, each of which is a fault."""
    faults: dict[str, RefgenError] = {}
    for name in templates.published_names:
        if not name.endswith(".css"):
            from refgen.look.pictures import picture_kind  # few games have pictures of their own

            try:
                picture_kind(templates.files[name], templates.shown[name])
            except RulesError as error:
                faults[name] = error
    sound = {name: data for name, data in templates.files.items() if name not in faults}
    return replace(templates, files=sound, faults=(*templates.faults, *faults.values())) if faults else templates


def look_paths(project: Path | None) -> Sequence[Path]:
    """The look.toml of a project, there or not, the files that look.toml names, and the files in templates/."""
    if project is None:
        return []
    paths = [project / LOOK_NAME, *template_paths(project)]
    if not paths[0].exists():
        return paths
    from refgen.look.load import named_files

    return [*paths, *named_files(project)]
