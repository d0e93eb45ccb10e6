"""A folder for what a build has in the temporary directory: WeasyPrint writes the fonts of every layout there.

In: nothing. Out: while the build runs, temporary files go to a folder of its own, which is removed with all it holds.
Those of builds that were killed are removed as well.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from refgen.errors import PublishError
from refgen.pipeline.own_folder import left_folders, own_folder

PREFIX = "refgen-build-"


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for the temporary files of a build. Raises PublishError where there can be none.

    This process puts its own there too, unless it has other threads, which may not know.
    """
    before = tempfile.tempdir
    parent = Path(tempfile.gettempdir())
    for _ in left_folders(parent, PREFIX):
        pass
    try:
        folder = own_folder(parent, PREFIX)
        with folder as path:
            if threading.active_count() == 1:
                tempfile.tempdir = str(path)
            try:
                yield path
            finally:
                tempfile.tempdir = before
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise PublishError(f"cannot write {parent}: {reason}", hint="Set TMPDIR to another folder.") from error
