"""The spool: files come out as they went in, wherever they wait."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from refgen.errors import PublishError
from refgen.pipeline.output_files import FileUnion, Spool

ONE, TWO = {"a": b"1", "b": b"22"}, {"a": b"", "c": b"3" * 100_000}


def test_files_come_out_as_they_went_in() -> None:
    with closing(Spool()) as spool:
        taken = [spool.take(files) for files in (ONE, TWO, ONE)]
        assert [dict(files) for files in taken] == [ONE, TWO, ONE]
        assert [len(files) for files in taken] == [2, 2, 2]


def test_files_wait_on_the_disk_under_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left of them, however the process ends."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with closing(Spool()) as spool:
        assert spool.take(TWO) is not TWO
        assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(PublishError, match="no space left on device"):
        Spool().take(ONE)


def test_of_files_with_the_same_path_the_last_counts() -> None:
    found = FileUnion(ONE, TWO)
    assert dict(found) == ONE | TWO
    found.add({"b": b"4"})
    assert (found["b"], len(found)) == (b"4", 3)
