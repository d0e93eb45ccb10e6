"""The settings of a build, and the order of a build as a command line gives it.

In: options of a command line, or of ``Project.build``. Out: BuildSettings and BuildOrder, values that load nothing.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from refgen.errors import RulesError
from refgen.pipeline.digests import request_key
from refgen.pipeline.result import LOCAL, nearest_project


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSettings:
    """The settings of ``Project.build`` and ``Project.plan``: the games, aids, papers and output of a build."""

    output: Path | str = "build"
    """The folder of the files that are made."""
    games: Sequence[str] = ()
    """The games to build, and screens of no single game by their names in the project or their .toml files.

    Default: all games of the project and all its screens.
    """
    only: Collection[str] = ()
    """The products to make, as ``refgen build --help`` lists them: screen, sheet, …, site, data. Default: all."""
    papers: Sequence[str] = ()
    """Some of a4, letter and a5 (for screens). Default: the usual papers of each kind of aid."""
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """How the aids of a kind are made, by the name of the kind.

    screen: orientation, imposition, theme, players. sheet: theme, calculate. card: size, landscape, imposition,
    papers, flip, gutter, offset, theme, pictures, calibration, tabletop, url. session: theme.
    """
    inputs: Mapping[str, Sequence[Path | str]] = field(default_factory=dict)
    """The files of which aids are made besides their game, by the name of the kind: characters of a session sheet."""
    base_url: str | None = None
    """Where the site will be published. Default: as ``[site]`` in refgen.toml says, else nowhere yet."""
    jobs: int | None = None
    """How many steps run at a time. Default: one for each core; with 1, no process is started."""
    executor: str = LOCAL
    """Where steps run: "local" (processes of this machine) or "dask://HOST:PORT" (the scheduler of a cluster)."""
    cache: bool = True
    """Whether things that an earlier build made of the same input are taken from the cache."""

    def __post_init__(self) -> None:
        for name in ("games", "only", "papers"):
            if isinstance(text := getattr(self, name), str):  # its letters would be taken for names
                raise RulesError(f'{name} = "{text}" is no list', hint=f'Write {name}=["{text}"].')


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """A build as a command line asks for it: the settings, and the project."""

    settings: BuildSettings = BuildSettings()
    folder: str | None = None
    documents: tuple[str, ...] = ()
    bundled: bool = False

    @property
    def root(self) -> Path | None:
        """The folder of the project; None for the bundled games."""
        if self.bundled:
            return None
        return Path(self.folder) if self.folder is not None else nearest_project(Path.cwd())

    @property
    def target(self) -> str:
        """The folder that the output is or links to."""
        return os.path.realpath(self.settings.output)

    def key(self) -> str:
        """The key under which the record of the last such build is kept: of all but how its steps are run."""
        made = replace(self.settings, jobs=None, executor=LOCAL, cache=True)
        return request_key(
            self.root, {**asdict(replace(self, settings=made, folder="")), "here": str(Path.cwd()), "to": self.target}
        )
