"""Where the cache lies.

In: the environment. Out: a Store in the user's cache folder, or None where REFGEN_CACHE says that there is to be none.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from platformdirs import user_cache_path

from refgen.errors import PublishError
from refgen.pipeline.cache.store import Store

VARIABLE = "REFGEN_CACHE"
NONE = "none"


def cache_folder() -> Path | None:
    """The folder of the cache; None for none."""
    chosen = os.environ.get(VARIABLE, "")
    if chosen == NONE:
        return None
    if chosen:
        return Path(chosen)
    return user_cache_path("refgen", appauthor=False)


def open_store() -> Store | None:
    """The cache of this user."""
    folder = cache_folder()
    return None if folder is None else Store(folder / "steps")


def clear_cache() -> Path | None:
    """Remove all that is kept, and say where it was; None where there was nothing. Raises PublishError."""
    folder = cache_folder()
    if folder is None or not (folder / "steps").is_dir():
        return None
    try:
        shutil.rmtree(folder / "steps")
    except OSError as error:
        raise PublishError(f"cannot remove {folder / 'steps'}: {(error.strerror or str(error)).lower()}") from error
    return folder / "steps"
