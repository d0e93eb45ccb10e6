"""Targets: the bytes of a request to ``refgen serve``."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from refgen.serve.served_pages import ServedPages
from refgen.serve.server import Server
from tests.fuzz.target import Run, Target


def _requests(scratch: Path) -> Run:
    (scratch / "game").mkdir(exist_ok=True)
    served = {"index.html": PAGE, "game/index.html": PAGE, "game/a.css": b"a {}", "game/x.pdf": b"%PDF-"}
    for path, body in served.items():
        (scratch / path).write_bytes(body)
    (scratch.parent / "secret").write_bytes(SECRET)
    server = Server(ServedPages(scratch), 0)
    server.server_close()  # nothing is listened to: requests are handed to it
    host = f"127.0.0.1:{server.port}".encode()

    def run(data: bytes) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.setblocking(False)
            with suppress(OSError):
                ours.sendall(data.replace(b"HOST", host))
            ours.shutdown(socket.SHUT_WR)
            with suppress(OSError):
                server.finish_request(theirs, ("127.0.0.1", 1))
            theirs.close()
            _check_answer(_received(ours))

    return run


def _received(connection: socket.socket) -> bytes:
    connection.settimeout(1)
    answer = b""
    with suppress(ConnectionResetError):  # the handler did not read all
        while part := connection.recv(65_536):
            answer += part
    return answer


def _check_answer(answer: bytes) -> None:
    """Nothing but a page is answered, or a refusal."""
    assert SECRET not in answer
    if not answer.startswith(b"HTTP/1."):
        assert answer in (b"", PAGE) or b"refgen" in answer or answer[:3].isdigit() or answer in (b"a {}", b"%PDF-"), (
            answer
        )
        return
    assert answer.split(None, 2)[1] in (
        b"200",
        b"301",
        b"400",
        b"404",
        b"405",
        b"408",
        b"414",
        b"421",
        b"431",
        b"505",
    ), answer
    head = answer.partition(b"\r\n\r\n")[0]
    assert head.count(b"Content-Type: ") == 1, answer


PAGE = b"<!DOCTYPE html>\n<html><head><title>A</title></head><body>B</body></html>"
SECRET = b"what nobody may read"
REQUESTS = (
    b"GET / HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /game/ HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nSec-Fetch-Site: same-origin\r\n\r\n",
    b"GET /game HTTP/1.1\r\nHost: HOST\r\nUser-Agent: x\r\nAccept: */*\r\n\r\n",
    b"HEAD /game/a.css?x=1#y HTTP/1.0\r\nHost: HOST\r\n\r\n",
    b"GET /.refgen/events?page=/game/ HTTP/1.1\r\nHost: HOST\r\nAccept: text/event-stream\r\n\r\n",
    b"GET /.refgen/reload.js HTTP/1.1\r\nHost: HOST\r\nIf-None-Match: x\r\n\r\n",
    b"GET /../secret HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /%2e%2e/secret%00 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"POST /game/x.pdf HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\n\r\nabc",
    b"GET http://HOST/game/index.html HTTP/1.1\r\nHost: HOST\r\nService-Worker: script\r\n\r\n",
    b"GET /game/\r\n",
)

TARGETS: Mapping[str, Target] = {"requests": Target(lambda: REQUESTS, _requests)}
