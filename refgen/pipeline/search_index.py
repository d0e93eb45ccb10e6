"""The full-text index of the site, which Pagefind makes.

In: the pages of the site. Out: the files of the index. Pagefind is a separate program with a time limit, to which this
process sends page after page.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha1
from operator import itemgetter
from threading import Timer
from typing import IO, Any

import cbor2

from refgen.limits import limit_hint, limits
from refgen.site.html import search_html
from refgen.site.search import FOLDER, PAGES, IndexedPage, pages_script
from refgen.words import ENGLISH, Words

_AT_ONCE = 2**20

_END = b","
"""The end of each message to and from Pagefind; the message is JSON in base64."""


def index_of(pages: Iterable[tuple[str, str]]) -> dict[str, bytes]:
    """The index of pages (path, HTML). The next page is taken from ``pages`` when Pagefind has read the last page.

    Raises ImportError, OSError or SubprocessError where Pagefind is missing, fails, or takes too long.
    """
    last = _last_answer(_messages(pages))
    return {file["path"]: b64decode(file["content"]) for file in last["files"]}


def _messages(pages: Iterable[tuple[str, str]]) -> Iterator[Mapping[str, Any]]:
    yield {"type": "NewIndex", "config": {"keep_index_url": True}}
    for path, html in pages:
        yield {"type": "AddFile", "index_id": 0, "file_path": path, "file_contents": html}
    yield {"type": "GetFiles", "index_id": 0}


def _last_answer(asked: Iterable[Mapping[str, Any]]) -> Any:
    """Pagefind's answer to the last message. Pagefind ends once no more messages come."""
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
        slow = Timer(seconds := limits().index_seconds, process.kill)
        slow.start()
        try:
            last = _exchange_messages(process, asked)
        finally:
            in_time = slow.is_alive()
            slow.cancel()
            process.kill()
    if not in_time:
        raise subprocess.TimeoutExpired("pagefind", seconds)
    if last is None:
        raise subprocess.CalledProcessError(process.returncode, "pagefind", b"", b"it ended before it had answered")
    if last["type"] == "Error":
        raise subprocess.CalledProcessError(0, "pagefind", b"", str(last["message"]).encode())
    return last


def _exchange_messages(process: subprocess.Popen[bytes], asked: Iterable[Mapping[str, Any]]) -> Any:
    """Write all messages, and read the answers. Returns the last answer, or the first error; None for a lost answer."""
    if process.stdin is None or process.stdout is None:
        raise TypeError("the process has no pipes")
    count = 0
    try:
        for count, payload in enumerate(asked, start=1):
            message = json.dumps({"message_id": count, "payload": payload})
            left = memoryview(b64encode(message.encode()) + _END)
            while left:
                left = left[process.stdin.write(left) :]
    except BrokenPipeError:  # the process has ended, and its last answer will never come
        count = 0
    for number, text in enumerate(_parts(process.stdout), start=1):
        answer = json.loads(b64decode(text))["payload"]
        if number == count or answer["type"] == "Error":
            return answer
    return None


def _parts(pipe: IO[bytes]) -> Iterator[bytes]:
    """The messages that arrive through a pipe."""
    read = bytearray()
    while more := os.read(pipe.fileno(), _AT_ONCE):
        *ended, rest = more.split(_END)
        for text in ended:
            yield bytes(read + text)
            read.clear()
        read += rest


MARK = b"pagefind_dcd"
"""How each packed file begins; CBOR follows (RFC 8949)."""

ENTRY = "pagefind-entry.json"


def with_sorted_filters(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of an index with the games of its filters in alphabetical order; Pagefind's order is random.

    The name of a packed file has a digest of its bytes, so that a file with other bytes gets another name.
    """
    names: dict[str, str] = {}
    made = dict(files)
    for kind, digits in ((".pf_filter", 7), (".pf_meta", 10)):
        for path in [path for path in files if path.endswith(kind)]:
            folder, _, name = path.rpartition("/")
            before = name.removeprefix("pagefind.").removesuffix(kind)
            packed = gzip.decompress(made.pop(path)).removeprefix(MARK)
            data = _sorted_filter(packed) if kind == ".pf_filter" else _rename_files(packed, names)
            language = before.partition("_")[0]
            names[before] = f"{language}_{sha1(data, usedforsecurity=False).hexdigest()[:digits]}"
            renamed = f"{folder}/{name.replace(before, names[before])}".removeprefix("/")
            made[renamed] = gzip.compress(MARK + data, mtime=0)
    made[ENTRY] = _rename_files(files[ENTRY], names)
    return dict(sorted(made.items()))


def _rename_files(data: bytes, names: Mapping[str, str]) -> bytes:
    """Data in which names of files are replaced by new names of the same lengths."""
    for before, name in names.items():
        data = data.replace(before.encode(), name.encode())
    return data


def _sorted_filter(data: bytes) -> bytes:
    """A filter (its name, and its values with the numbers of their pages) with the values in order."""
    name, values, *rest = cbor2.loads(data)
    return cbor2.dumps([name, sorted(values), *rest])


NOT_LOADED = ("pagefind-ui.", "pagefind-modular-ui.", "pagefind-component-ui.", "pagefind-highlight.", "wasm.unknown.")
"""How the names of files begin that no page of the site loads: other search boxes, words of unknown languages."""


Groups = Mapping[str, Callable[[], Iterable[IndexedPage]]]
"""Functions that read some pages each, by the beginning of the paths of these pages: all at once fill the memory."""


@dataclass(frozen=True, slots=True)
class SearchFiles:
    """The files of a site's search, by path; ``fault`` says why the index is missing."""

    files: Mapping[str, bytes]
    fault: str = ""


def search_files(groups: Groups, words: Words = ENGLISH) -> SearchFiles:
    """The index of the pages of a site with some words, and a script of its pages, which searches without the index.

    The index is in the language of the site, whatever that of a game, so that all pages are found from each of them.
    """
    script = {PAGES: pages_script(page for read in groups.values() for page in read())}
    try:
        index = _index(groups, words)
    except (ImportError, OSError, subprocess.SubprocessError) as error:
        return SearchFiles(script, f"the site is searched without Pagefind: {_reason(error)}")
    return SearchFiles(script | index)


def _index(groups: Groups, words: Words) -> dict[str, bytes]:
    in_turn = (page for _, read in sorted(groups.items()) for page in sorted(read(), key=itemgetter("path")))
    made = index_of((page["path"], search_html(page, words)) for page in in_turn)
    files = {path: data for path, data in made.items() if not path.startswith(NOT_LOADED)}
    return {f"{FOLDER}/{path}": data for path, data in with_sorted_filters(files).items()}


def _reason(error: Exception) -> str:
    """The reason in a line why the index could not be made."""
    match error:
        case ImportError():
            return "the package pagefind_bin is not installed"
        case subprocess.TimeoutExpired():
            return f"it took longer than {limits().index_seconds} seconds. {limit_hint('index_seconds')}"
        case subprocess.CalledProcessError():
            said = b" ".join((error.stderr + error.stdout).split())[:200].decode("utf-8", "replace")
            return said or f"it stopped with {error.returncode}"
        case _:
            return str(error)
