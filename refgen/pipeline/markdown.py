"""Rules and tables as a folder of Markdown files.

In: games, and the folder. Out: a BuildResult. What an earlier export wrote into the folder goes with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from refgen.export.markdown_pages import Target, markdown_pages
from refgen.game.game import GameModel
from refgen.pipeline.publish import check_output, publish, publishing
from refgen.pipeline.result import BuildResult

PART = "markdown"


def export_markdown(games: Sequence[GameModel], output: Path, target: Target) -> BuildResult:
    """Write the pages of some games. Raises PublishError for a folder with files that are not refgen's."""
    check_output(output)
    files = markdown_pages(games, target)
    with publishing(output) as folder:
        publish(folder, files, dict.fromkeys(files, PART), [])
    return BuildResult(files=sorted(files))
