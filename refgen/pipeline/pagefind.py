"""Pagefind makes an index of pages.

In: pages as HTML, by path. Out: the files of the index, by name; the same for the same pages. Pagefind numbers pages as
they come, and those of a folder come in the order of the file system: so it is given one after the other, in order. Its
own library for Python does not serve here: it sleeps a tenth of a second for each answer.
"""

from __future__ import annotations

import json
import os
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from threading import Timer
from typing import Any

SECONDS = 300
"""What Pagefind may take: a thousand pages take it two."""

_AT_ONCE = 2**20

_END = b","
"""What a message ends with, in both directions; before it stands JSON as base64."""


def index_of(pages: Mapping[str, str]) -> dict[str, bytes]:
    """The index of some pages.

    Raises ImportError, OSError or SubprocessError where there is no Pagefind, and when it fails or takes too long.
    """
    asked: list[dict[str, Any]] = [{"type": "NewIndex", "config": {"keep_index_url": True}}]
    for path, html in sorted(pages.items()):
        asked.append({"type": "AddFile", "index_id": 0, "file_path": path, "file_contents": html})
    asked.append({"type": "GetFiles", "index_id": 0})
    *_, last = _answers(asked)
    return {file["path"]: b64decode(file["content"]) for file in last["files"]}


def _answers(asked: list[dict[str, Any]]) -> list[Any]:
    """What Pagefind answers to each message. It reads all of them at once, and ends when nobody writes any more."""
    from pagefind_bin import get_executable

    command = [str(get_executable()), "--service"]
    with subprocess.Popen(  # noqa: S603  # the program is pagefind_bin's, its arguments are ours
        command,
        env={name: value for name, value in os.environ.items() if not name.startswith("PAGEFIND_")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    ) as process:
        slow = Timer(SECONDS, process.kill)
        slow.start()
        try:
            answered = [*_exchanged(process, asked)]
        finally:
            in_time = slow.is_alive()
            slow.cancel()
            process.kill()
    if not in_time:
        raise subprocess.TimeoutExpired("pagefind", SECONDS)
    if len(answered) < len(asked):
        raise subprocess.CalledProcessError(process.returncode, "pagefind", b"", b"it ended before it had answered")
    for answer in answered:
        if answer["type"] == "Error":
            raise subprocess.CalledProcessError(0, "pagefind", b"", str(answer["message"]).encode())
    return answered


def _exchanged(process: subprocess.Popen[bytes], asked: list[dict[str, Any]]) -> Iterator[Any]:
    """Write all messages, and read the answers, as far as there are any."""
    if process.stdin is None or process.stdout is None:
        raise TypeError("the process has no pipes")
    messages = (json.dumps({"message_id": number, "payload": payload}) for number, payload in enumerate(asked))
    left = memoryview(b"".join(b64encode(message.encode()) + _END for message in messages))
    with suppress(BrokenPipeError):  # it ended, as its answers show
        while left:
            left = left[process.stdin.write(left) :]
    read, count = bytearray(), 0
    while count < len(asked) and (more := os.read(process.stdout.fileno(), _AT_ONCE)):
        count += more.count(_END)
        read += more
    for text in bytes(read).split(_END)[:count]:
        yield json.loads(b64decode(text))["payload"]
