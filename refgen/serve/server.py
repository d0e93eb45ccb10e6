"""The server of ``refgen serve``: it answers browsers of this machine alone, and only requests that read.

In: ServedPages, and a port. Out: a Server, which answers each connection in a thread of its own, so that a slow client
keeps no other client waiting.
"""

from __future__ import annotations

import errno
import json
import os
import re
import select
import shutil
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from io import BufferedReader, RawIOBase
from mimetypes import MimeTypes
from pathlib import PurePosixPath
from socketserver import ThreadingTCPServer
from time import monotonic
from typing import Any, BinaryIO
from urllib.parse import parse_qs, quote

from refgen.errors import RefgenError, ServeError, reason_of
from refgen.files import bundled_folder
from refgen.limits import limits
from refgen.serve.served_pages import INDEX, ServedPage, ServedPages, steps_of
from refgen.words import ENGLISH, KNOWN, Words

HOST = "127.0.0.1"
HTTP_PORT = 80
OWN = "/.refgen/"
"""How the paths of the server's own answers begin; no file has such a path, for hidden files are refused."""

AGAIN = 500
"""Milliseconds after which a page whose stream has ended asks for another."""

POLL = 0.1
"""Seconds between two looks of the server whether it is to end."""

BEAT = 1.0
"""Seconds between two looks of a stream whether its client is still connected."""

_LANGUAGE = re.compile(rb'<html lang="([a-z-]+)"')

TYPES = MimeTypes()
"""The types of files by their suffixes, as the standard library knows them, whatever the system says."""
TYPES.types_map[True].update(
    {
        **{f".{suffix}": f"font/{suffix}" for suffix in ("otf", "ttf", "woff", "woff2")},
        ".js": "text/javascript",
        ".md": "text/markdown",
        ".toml": "text/plain",
        ".webp": "image/webp",
    }
)


def own_hosts(port: int) -> set[str]:
    """The values of "Host" that browsers send: without the port where that is the default of HTTP."""
    names = (HOST, "localhost")
    return {f"{name}:{port}" for name in names} | (set(names) if port == HTTP_PORT else set())


def nothing_html(first: ServedPage | None) -> bytes:
    """The page for an address at which nothing is, in the language of the ``first`` page, once that is made."""
    found = _LANGUAGE.search(first.text) if first else None
    language = found[1].decode() if found else ""
    words = Words(language) if language in KNOWN else ENGLISH
    texts = {"title": words("nothing-here"), "about": words("nothing-about"), "first": words("first-page")}
    page = (bundled_folder("templates") / "serve" / "nothing.html").read_text(encoding="utf-8")
    return page.format(language=words.language, **{name: escape(text) for name, text in texts.items()}).encode()


class Server(ThreadingTCPServer):
    """A server of pages on 127.0.0.1. Raises ServeError for a port that is in use or not allowed."""

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, pages: ServedPages, port: int) -> None:
        self.pages = pages
        self._waiting: dict[socket.socket, None] = {}  # their request has not arrived; the oldest is the first
        self._answered: dict[socket.socket, None] = {}
        self._lock = threading.Lock()
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise _no_port(port, error) from error
        self.port = int(self.server_address[1])
        self.hosts = own_hosts(self.port)
        self.origins = {f"http://{host}" for host in self.hosts}

    @property
    def url(self) -> str:
        """The address of the first page."""
        return f"http://{HOST}:{self.port}/"

    @contextmanager
    def running(self) -> Iterator[None]:
        """Answer requests, in threads, until the block ends."""
        threading.Thread(target=self.serve_forever, args=(POLL,), daemon=True, name="server").start()
        try:
            yield
        finally:
            self.shutdown()
            self.server_close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread. Where too many connections are open, the oldest gives way.

        Whether clients that send nothing or clients that take nothing hold most connections, it is one of theirs.
        """
        with self._lock:
            if len(self._waiting) + len(self._answered) >= limits().connections:
                most = max(self._waiting, self._answered, key=len)
                oldest = next(iter(most))
                del most[oldest]
                with suppress(OSError):  # the client may have closed it
                    oldest.shutdown(socket.SHUT_RDWR)  # which ends its thread
            self._waiting[request] = None
        super().process_request(request, client_address)

    def has_request(self, connection: socket.socket) -> None:
        """Take note that the request of a connection has arrived."""
        with self._lock:
            if connection in self._waiting:
                del self._waiting[connection]
                self._answered[connection] = None

    def close_request(self, request: Any) -> None:
        """Close a connection, which can give way no more: its number may be that of another file by then."""
        self.exempt(request)
        super().close_request(request)

    def exempt(self, connection: socket.socket) -> None:
        """Let a connection never give way to another."""
        with self._lock:
            self._waiting.pop(connection, None)
            self._answered.pop(connection, None)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report errors of refgen; a client that has gone away is no error."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _no_port(port: int, error: OSError) -> ServeError:
    if error.errno == errno.EADDRINUSE:
        return ServeError(f"port {port} is in use", hint="Choose another with --port, or leave it out for a free one.")
    return ServeError(f"cannot serve on port {port}: {reason_of(error)}", hint="Choose another with --port.")


class _InTime(RawIOBase):
    """The bytes of a request, which must all arrive in time: a timeout of the socket would begin again at each byte."""

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        self._connection = connection
        self._end = monotonic() + seconds

    def readable(self) -> bool:
        """Always true: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes. Raises TimeoutError."""
        left = self._end - monotonic()
        if left <= 0:
            raise TimeoutError("the request did not arrive in time")
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


class _Handler(BaseHTTPRequestHandler):
    """A single request."""

    server: Server
    server_version = "refgen"
    sys_version = ""
    default_request_version = "HTTP/1.0"

    def setup(self) -> None:
        """Limit the time in which the request is read."""
        super().setup()
        self.connection.settimeout(limits().request_seconds)
        self.rfile = BufferedReader(_InTime(self.connection, limits().request_seconds))

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer with a page, a file of the output, or an answer of the server's own."""
        self.server.has_request(self.connection)
        self.connection.settimeout(limits().request_seconds)
        path, _, query = self.path.partition("#")[0].partition("?")
        if self.headers.get_all("Host", []) not in [[host] for host in self.server.hosts]:
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST)
        elif self.headers.get("Service-Worker"):  # it would keep pages as they were
            self._refuse(HTTPStatus.NOT_FOUND)
        elif path == f"{OWN}reload.js":
            self._answer(HTTPStatus.OK, ".js", (bundled_folder("templates") / "serve" / "reload.js").read_bytes())
        elif path == f"{OWN}events":
            self._events(query)
        else:
            self._file(path)

    do_HEAD = do_GET  # noqa: N815  # the names are those of the base class

    def send_error(self, code: int, *_words: object, **_named: object) -> None:
        """Refuse a malformed request, a method but GET and HEAD, and a request that is too long."""
        status = HTTPStatus.METHOD_NOT_ALLOWED if code == HTTPStatus.NOT_IMPLEMENTED else HTTPStatus(code)
        self._refuse(status)

    def _refuse(self, status: HTTPStatus) -> None:
        self._answer(status, ".txt", f"{status.value} {status.phrase}\n".encode())

    def _file(self, path: str) -> None:
        pages, steps = self.server.pages, steps_of(path)
        if steps is None:
            self._refuse(HTTPStatus.NOT_FOUND)
        elif steps[-1].endswith(".html"):
            self._page(pages.page(steps))
        elif (found := pages.read(steps)) is None:
            within = [*steps, INDEX]
            if (index := pages.read(within)) is None:
                self._page(None)
                return
            if not isinstance(index, bytes):
                index.close()
            self._answer(HTTPStatus.MOVED_PERMANENTLY, ".txt", b"", Location=quote(f"/{'/'.join(steps)}/"))
        elif isinstance(found, bytes):
            self._answer(HTTPStatus.OK, PurePosixPath(path).suffix, found)
        else:
            self._stream_file(steps[-1], found)

    def _page(self, found: ServedPage | None) -> None:
        """Answer with a page and the script that loads the page again; where no page is, with a note that waits."""
        status = HTTPStatus.OK if found else HTTPStatus.NOT_FOUND
        page = found or ServedPage(nothing_html(self.server.pages.page([INDEX])))
        versions = f'data-version="{page.version}" data-frame="{page.frame}"'
        script = f'<script src="{OWN}reload.js" {versions} defer></script>'.encode()
        head, mark, rest = page.text.partition(b"</head>")
        self._answer(status, ".html", head + script + mark + rest)

    def _stream_file(self, name: str, file: BinaryIO) -> None:
        with file:
            self._head(HTTPStatus.OK, PurePosixPath(name).suffix, os.fstat(file.fileno()).st_size)
            if self.command == "GET":
                shutil.copyfileobj(file, self.wfile)

    def _answer(self, status: HTTPStatus, suffix: str, body: bytes, **more: str) -> None:
        self._head(status, suffix, len(body), **more)
        if self.command != "HEAD":
            self.wfile.write(body)

    def _head(self, status: HTTPStatus, suffix: str, length: int | None, **more: str) -> None:
        self.send_response(status)
        content_type = TYPES.guess_type(f"file{suffix}")[0] or "application/octet-stream"
        charset = "; charset=utf-8" if content_type.startswith("text/") else ""
        self.send_header("Content-Type", f"{content_type}{charset}")
        if length is not None:
            self.send_header("Content-Length", str(length))
        headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", **more}
        for name, value in {**headers, "Cross-Origin-Resource-Policy": "same-origin"}.items():
            self.send_header(name, value)
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "GET, HEAD")
        self.end_headers()

    def _events(self, query: str) -> None:
        """Stream each change of a page's version and of the errors, until the client closes the connection."""
        page = parse_qs(query).get("page", [""])[0]
        steps = steps_of(quote(page))
        if steps is None or self._is_foreign() or self.command == "HEAD":
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        pages, path = self.server.pages, "/".join(steps)
        self.send_response(HTTPStatus.OK)
        for name, value in {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(f"retry: {AGAIN}\n\n".encode())
        with pages.reader_of(path) as reader:
            self.server.exempt(self.connection)
            self._send_states(reader, steps)

    def _is_foreign(self) -> bool:
        """Whether a page of another origin asks, as the browser tells in one of two ways."""
        sites = {*self.headers.get_all("Sec-Fetch-Site", [])} - {"same-origin", "none"}
        return bool(sites or {*self.headers.get_all("Origin", [])} - self.server.origins)

    def _send_states(self, reader: int, steps: Any) -> None:
        pages, said = self.server.pages, ""
        state = None
        while pages.has_reader(reader) and not self._is_gone():
            if state is not pages.state:
                state = pages.state
                page = pages.page(steps) or ServedPage(b"")
                errors = [*map(_error, state.errors)]
                now = json.dumps({"version": page.version, "frame": page.frame, "errors": errors})
                if now != said:
                    self.wfile.write(f"data: {now}\n\n".encode())
                    said = now
            with pages.changes:
                if state is pages.state:
                    pages.changes.wait(BEAT)

    def _is_gone(self) -> bool:
        """Whether the client has closed the connection. Its request is complete: nothing but the end can follow."""
        ready, _, _ = select.select([self.connection], [], [], 0)
        if not ready:
            return False
        with suppress(OSError):
            return not self.connection.recv(1024)
        return True


def _error(error: RefgenError) -> dict[str, str]:
    return {"place": str(error.span or ""), "message": error.message, "hint": error.hint}
