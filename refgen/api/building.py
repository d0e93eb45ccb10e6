"""Builds that do nothing when there is nothing to do.

In: a BuildOrder. Out: a BuildResult, or a plan in words. Modules that make pages or read rules are loaded only when
there is something to make.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import TYPE_CHECKING

from refgen.api.settings import BuildOrder
from refgen.catalog import first_of
from refgen.pipeline.digests import PIPE, changed_names, environment_digests, file_digest
from refgen.pipeline.executors.loop import scheduler_of
from refgen.pipeline.operating_system import write_whole as write_whole
from refgen.pipeline.output_files import MANIFEST
from refgen.pipeline.result import MARKER, BuildResult, Progress, marker_of, nearest_project, no_progress
from refgen.pipeline.store import BuildRecord, BuildSources, Store, keep_record, last_record, open_store
from refgen.pipeline.store import clear_cache as clear_cache
from refgen.template_files import FOLDER as TEMPLATES

if TYPE_CHECKING:
    from concurrent.futures import Future

    from refgen.api.project import Project
    from refgen.pipeline.request import BuildRequest

MOST_NAMED = 8
"""Changed files that a plan names."""


def build(
    order: BuildOrder,
    progress: Progress = no_progress,
    *,
    project: Project | None = None,
    made: Callable[[Mapping[str, bytes]], object] | None = None,
    first: Collection[str] = (),
    stop: Future[None] | None = None,
) -> BuildResult:
    """Build what an order asks for, of a ``project`` that is loaded already or as it is found.

    ``made``, ``first`` and ``stop`` are those of a BuildRequest. Raises RefgenError for what concerns all games.
    """
    scheduler_of(order.settings.executor)  # an unknown executor is an error even when there is nothing to do
    store = open_store() if order.settings.cache else None
    record = last_record(store, order.key()) if store else None
    known = record.result(Path(order.target)) if record else None
    if known is not None:
        return known
    marker = file_digest(order.root / MARKER) if order.root else ""
    project = project or project_of(order)
    request = replace(project.request(order.settings), made=made, first=first, stop=stop)
    read = _sources(order, project, request)
    inputs = read.inputs()
    project = project.refreshed(project)  # a game that changed before ``inputs`` were read would pass for theirs
    result = project.run(request, progress)
    changed = changed_names(inputs, read.inputs())
    names = [name for name in changed if not inputs.get(name, "").startswith(PIPE)]
    if names and stop is None:  # else somebody watches, and builds again
        result.notes.append(f"changed while it was built: {first_of(names, MOST_NAMED)}: build again")
    unchanged = not changed and marker == inputs.get(MARKER, "")
    if store and unchanged and not (result.errors or result.notes or result.fault):
        _remember(store, order, read, inputs, result)
        result.fault = store.fault
    return result


def compare(order: BuildOrder, progress: Progress = no_progress) -> BuildResult:
    """The differences between the output and the files of a build made now; nothing is written to the output."""
    project = project_of(order)
    return project.run(replace(project.request(order.settings), compares=True), progress)


def explain(order: BuildOrder) -> Iterator[str]:
    """Say what a build would do, and why, line by line. Raises RefgenError for what concerns all games."""
    store = open_store() if order.settings.cache else None
    record = last_record(store, order.key()) if store else None
    if record is not None:
        if record.result(Path(order.target)) is not None:
            yield "nothing to do: no file that is read has changed, and the output is as it was left"
            return
        if changed := record.changed():
            yield f"changed: {first_of(changed, MOST_NAMED)}"
    project = project_of(order)
    result = project.plan(order.settings)
    yield from (f"kept     {title}" for title in sorted(result.kept))
    yield from (f"to make  {title}: {_reason(title, result, record, store)}" for title in sorted(result.made))
    for error in result.errors:
        yield f"fails    {error}"
    total = len(result.made) + len(result.kept)
    yield f"{len(result.made)} of {total} to lay out; data and site are made again where their game has changed"


def _reason(title: str, result: BuildResult, record: BuildRecord | None, store: Store | None) -> str:
    """Why something has to be made."""
    if store is None:
        return "there is no cache"
    if record is None or title not in record.shown:
        return "it was not made before"
    if others := record.changed_environment():
        return f"changed: {', '.join(others)}"
    if record.shown[title] != result.shown[title]:
        return "what it shows has changed"
    return "it is not in the cache any more"


def products() -> Sequence[str]:
    """The products of a build: the names of the kinds of aids, the site and the data."""
    from refgen.pipeline.request import PRODUCTS

    return PRODUCTS


def dice_letters(folder: Path | None = None) -> tuple[str, ...]:
    """The letters for dice besides d in the project in ``folder`` (or the nearest one upward); none without a project.

    Raises RulesError for a refgen.toml or a system.toml that is none.
    """
    root = nearest_project(Path.cwd()) if folder is None else folder
    if root is None or not (root / MARKER).is_file():
        return ()
    from refgen.pipeline.project import dice_letters

    return tuple(dice_letters(root))


def project_of(order: BuildOrder) -> Project:
    """The project that a build is asked of. Raises RulesError where there is none."""
    from refgen.api.project import project

    return project(order.folder, order.documents, bundled=order.bundled, names=order.settings.games)


def refresh_project(order: BuildOrder, known: Project | None) -> Project:
    """The project that builds are asked of, with those games of ``known`` that have not changed since."""
    found = project_of(order)
    return known.refreshed(found) if known else found


def _sources(order: BuildOrder, project: Project, request: BuildRequest) -> BuildSources:
    """Where a build reads: the project, screens besides its own, and other files that aids are made of."""
    documents = {f"--document {text.partition('=')[0]}": text.partition("=")[2] for text in order.documents}
    screens = {f"screen {name}": str(path) for name, path in {**project.screens, **request.screens}.items()}
    given = {f"input {file.path}": file.path for files in request.inputs.values() for file in files}
    looks = {f"look {path}": path for path in project.look_paths}
    others = {**marker_of(order.root), **looks, **documents, **screens, **given}
    folders = {"--templates": order.root / TEMPLATES} if order.root else {}
    games = {name: str(folder) for name, folder in {**folders, **project.folders}.items()}
    content = next(iter(project.folders.values())).parent
    return BuildSources(str(content), games, {name: str(Path(path).absolute()) for name, path in others.items()})


def _remember(store: Store, order: BuildOrder, read: BuildSources, inputs: dict[str, str], result: BuildResult) -> None:
    """Keep what the build read and made, unless another changed the output since."""
    record = BuildRecord(
        read,
        inputs,
        environment_digests(),
        file_digest(Path(order.target) / MANIFEST),
        result.files,
        result.findings,
        result.questions,
        [*map(astuple, result.mismatches)],
        result.shown,
    )
    keep_record(store, order.key(), record)
