"""The server answers browsers of this machine, with what there is to read, whatever others do meanwhile."""

from __future__ import annotations

import json
import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from refgen.errors import RenderError, ServeError
from refgen.export.model import MadePart, ManifestData, json_text
from refgen.limits import ENVIRONMENT, limits
from refgen.serve import server as serving
from refgen.serve.served_pages import ServedPage, ServedPages
from refgen.serve.server import Server, own_hosts
from refgen.span import Span
from tests.figures import write_figure
from tests.waiting import PATIENCE, comes_to, wait_until

PAGE = '<!DOCTYPE html>\n<html><head><title>Old</title><link href="../assets/css/a.css"/></head><body>½</body></html>'


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


@dataclass
class Site:
    server: Server

    @property
    def pages(self) -> ServedPages:
        return self.server.pages

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE)

    def sent(self, request: str) -> Answer:
        """The answer to a request, byte for byte."""
        with self.connect() as connection, closing(connection.makefile("rb")) as answer:
            connection.sendall(request.encode("latin-1"))
            status = int(answer.readline().split()[1])
            headers: dict[str, str] = {}
            while line := answer.readline().decode().strip():
                name, _, value = line.partition(": ")
                headers[name] = value
            return Answer(status, headers, answer.read())

    def get(self, path: str, *headers: str, method: str = "GET", host: str = "") -> Answer:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.server.port}'}", *headers]
        return self.sent("\r\n".join([*lines, "", ""]))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(serving, "POLL", 0.01)
    monkeypatch.setattr(serving, "BEAT", 0.05)
    output = tmp_path / "build"
    (output / "game").mkdir(parents=True)
    (output / "assets" / "css").mkdir(parents=True)
    (output / "game" / "index.html").write_text(PAGE, encoding="utf-8")
    (output / "game" / "sheet.pdf").write_bytes(b"%PDF-" + bytes(100_000))
    (output / "assets" / "css" / "a.css").write_text("a {}", encoding="utf-8")
    server = Server(ServedPages(output), 0)
    with server.running():
        yield Site(server)


def test_a_page_brings_the_script_that_looks_after_it(site: Site) -> None:
    answer = site.get("/game/")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert int(answer.headers["Content-Length"]) == len(answer.body)
    page = site.pages.page(["game", "index.html"])
    assert page is not None
    versions = f'data-version="{page.version}" data-frame="{page.frame}"'
    script = f'<script src="/.refgen/reload.js" {versions} defer></script>'
    assert answer.body.decode() == PAGE.replace("</head>", f"{script}</head>")
    assert site.get("/.refgen/reload.js").headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert (site.pages.output / "game" / "index.html").read_text(encoding="utf-8") == PAGE


def test_a_file_is_as_it_is(site: Site) -> None:
    answer = site.get("/game/sheet.pdf?download#page=2")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/pdf")
    assert answer.body == (site.pages.output / "game" / "sheet.pdf").read_bytes()
    assert site.get("/assets/css/a.css").headers["Content-Type"] == "text/css; charset=utf-8"


def test_who_asks_for_the_head_gets_no_body(site: Site) -> None:
    for path in ("/game/", "/game/sheet.pdf", "/nothing"):
        whole, head = site.get(path), site.get(path, method="HEAD")
        assert head.status == whole.status
        assert head.headers["Content-Length"] == whole.headers["Content-Length"] == str(len(whole.body))
        assert head.body == b""


def test_a_folder_leads_to_its_page(site: Site) -> None:
    answer = site.get("/game")
    assert (answer.status, answer.headers["Location"]) == (301, "/game/")
    assert site.get("/assets").status == 404


def test_what_is_not_there_yet_shows_itself_when_it_is(site: Site) -> None:
    answer = site.get("/game/cards.html")
    assert answer.status == 404
    assert b'data-version=""' in answer.body
    site.pages.draft({"game/cards.html": b"<head></head>cards"})
    assert site.get("/game/cards.html").status == 200


@pytest.mark.parametrize(
    "path",
    ["/../build/game/index.html", "/%2e%2e/secret", "/.refgen/", "/.refgen/nothing", "/.git/config", "http://x/"],
)
def test_no_way_leads_out(site: Site, path: str) -> None:
    assert site.get(path).status == 404


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", "evil.example:{port}", "[::1]:{port}"],
)
def test_another_host_is_not_answered(site: Site, host: str) -> None:
    """DNS rebinding: a foreign page whose name leads to this machine must not read anything here."""
    answer = site.get("/game/", host=host.format(port=site.server.port))
    assert (answer.status, answer.body) == (421, b"421 Misdirected Request\n")


def test_this_machine_is_answered_by_its_other_name(site: Site) -> None:
    assert site.get("/game/", host=f"localhost:{site.server.port}").status == 200


def test_on_the_port_of_http_browsers_leave_the_port_out(site: Site) -> None:
    assert own_hosts(8000) == {"127.0.0.1:8000", "localhost:8000"}
    assert own_hosts(80) == {"127.0.0.1", "localhost", "127.0.0.1:80", "localhost:80"}
    site.server.hosts = own_hosts(80)
    assert [site.get("/game/", host=host).status for host in ("localhost", "127.0.0.1", "evil.example")] == [
        200,
        200,
        421,
    ]


def test_where_nothing_is_the_page_says_so_in_the_language_of_the_first_page(site: Site) -> None:
    assert b"<h1>Nothing here yet</h1>" in site.get("/nothing.html").body
    for language, title in (("de", "Hier ist noch nichts"), ("sv", "Nothing here yet")):
        site.pages.draft({"index.html": f'<html lang="{language}"><head></head></html>'.encode()})
        answer = site.get("/nothing.html")
        assert (answer.status, f"<h1>{title}</h1>" in answer.body.decode()) == (404, True)


@pytest.mark.soak
def test_of_thousands_of_foreign_requests_none_is_answered(site: Site) -> None:
    """Names that only look like its own, ways out written in every way, and methods that write."""
    port, seed = site.server.port, random.Random(1)
    (site.pages.output.parent / "secret").write_text("secret", encoding="utf-8")
    around = product(("", "a."), (".", ".a", ".0"))
    hosts = [f"{before}{own}{after}:{port}" for before, after in around for own in ("localhost", "127.0.0.1")]
    steps = ["..", "%2e%2e", ".%2e", "..%2f", "..\\", "%2e%2e%2f", "....//", "%c0%ae%c0%ae", "..;", "..%00", "game", ""]
    ways = ["/".join(["", *seed.choices(steps, k=seed.randint(1, 6)), "secret"]) for _ in range(2_000)]
    methods = ("POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PATCH", "PROPFIND", "get", "GETS")
    assert {site.get("/game/", host=host).status for host in hosts} == {421}
    found = [site.get(way) for way in ways]
    assert {answer.status for answer in found} <= {400, 404}
    assert not any(answer.body == b"secret" for answer in found)
    assert {site.get("/game/", method=method).status for method in methods} <= {405, 501}
    figure = f"{len(hosts)} foreign names, {len(ways):,} ways out and {len(methods)} methods: none answered with a file"
    write_figure("serve", "requests", figure)


def test_neither_no_host_nor_two_are_answered(site: Site) -> None:
    own = f"127.0.0.1:{site.server.port}"
    assert site.sent("GET /game/ HTTP/1.0\r\n\r\n").status == 421
    assert site.get("/game/", "Host: evil.example").status == 421
    assert site.get("/game/", f"Host: {own}").status == 421


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get"])
def test_nothing_but_reading(site: Site, method: str) -> None:
    answer = site.get("/game/", method=method)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    ("request_text", "status"),
    [
        ("nonsense\r\n\r\n", 400),
        ("GET / HTTP/9.9\r\n\r\n", 505),
        (f"GET /{'x' * 70_000} HTTP/1.1\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\n" + "X: y\r\n" * 200 + "\r\n", 431),
        (f"GET / HTTP/1.1\r\nX: {'y' * 70_000}\r\n\r\n", 431),
    ],
    ids=["no-request", "version", "long-path", "many-headers", "long-header"],
)
def test_what_is_no_request_is_refused(site: Site, request_text: str, status: int) -> None:
    assert site.sent(request_text).status == status


def slow_clients(site: Site) -> list[socket.socket]:
    """Clients that begin a request."""
    found = [site.connect() for _ in range(20)]
    for number, connection in enumerate(found):
        connection.sendall(b"GET /game/sheet.pdf HTTP/1.1\r\n" if number % 2 else b"G")
    return found


def is_let_go(client: socket.socket) -> bool:
    """Whether the server has closed a connection, on which one byte more is sent."""
    client.settimeout(0.01)
    try:
        client.sendall(b"x")
        return client.recv(100) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_nobody_waits_for_those_who_are_slow(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, f"request-seconds={round(10 * PATIENCE)}")
    slow = slow_clients(site)
    assert site.get("/game/").status == 200
    for client in slow:
        client.close()


@pytest.mark.slow
def test_those_who_never_end_are_let_go_though_they_send_a_byte_now_and_then(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENVIRONMENT, "request-seconds=1")
    slow = slow_clients(site)
    wait_until(lambda: all([is_let_go(client) for client in slow]))  # noqa: C419  # each is sent a byte
    for client in slow:
        client.close()


class Stream:
    """What a page hears."""

    def __init__(self, site: Site, page: str, *headers: str) -> None:
        self.connection = site.connect()
        lines = [f"GET /.refgen/events?page={page} HTTP/1.1", f"Host: 127.0.0.1:{site.server.port}", *headers]
        self.connection.sendall("\r\n".join([*lines, "", ""]).encode())
        self.lines = self.connection.makefile("r", encoding="utf-8")
        self.status = int(self.lines.readline().split()[1])

    def next(self) -> dict[str, object]:
        while not (line := self.lines.readline()).startswith("data: "):
            if not line:
                raise EOFError
        return dict(json.loads(line.removeprefix("data: ")))

    def close(self) -> None:
        self.lines.close()
        self.connection.close()


def test_a_page_hears_of_its_changes_and_of_what_is_wrong(site: Site) -> None:
    with closing(Stream(site, "/game/", "Sec-Fetch-Site: same-origin")) as stream:
        first = stream.next()
        page = site.pages.page(["game", "index.html"])
        assert page is not None
        assert first == {"version": page.version, "frame": page.frame, "errors": []}
        site.pages.draft({"game/other.html": b"another page"})
        place = Span("game/rules.md", 10, 12, 3, 1, 3, 3)
        site.pages.tell([RenderError("<b>too wide</b>", span=place, hint="Make it narrower.")])
        said = {"place": "game/rules.md:3:1", "message": "<b>too wide</b>", "hint": "Make it narrower."}
        assert stream.next() == {**first, "errors": [said]}
        site.pages.tell([])
        assert stream.next() == first
        site.pages.draft({"game/index.html": b"<head></head>new"})
        assert stream.next()["version"] != page.version


def test_pages_that_are_looked_at_are_known(site: Site) -> None:
    with closing(Stream(site, "/game/")) as stream:
        stream.next()
        assert site.pages.open_paths == {"game/index.html"}
    comes_to(lambda: site.pages.open_paths, frozenset())


def test_of_too_many_streams_the_oldest_goes(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, "change-streams=2")
    streams = []
    for _ in range(3):
        streams.append(Stream(site, "/game/"))
        streams[-1].next()
    with pytest.raises(EOFError):
        streams[0].next()
    site.pages.tell([RenderError("wrong")])
    assert all(stream.next()["errors"] for stream in streams[1:])
    for stream in streams:
        stream.close()


@pytest.mark.parametrize(
    "header",
    [
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Origin: https://evil.example",
        "Origin: http://127.0.0.1:{other}",
        "Origin: null",
    ],
)
def test_pages_of_others_hear_nothing(site: Site, header: str) -> None:
    with closing(Stream(site, "/game/", header.format(other=site.server.port + 1))) as stream:
        assert stream.status == 404


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_own_pages_hear(site: Site, name: str) -> None:
    with closing(Stream(site, "/game/", f"Origin: http://{name}:{site.server.port}")) as stream:
        assert stream.status == 200


def says_nothing(site: Site) -> socket.socket:
    return site.connect()


def takes_nothing(site: Site) -> socket.socket:
    """A client that asks for a file larger than what the system keeps on the way, and reads none of it."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", site.server.port))
    client.sendall(f"GET /game/large HTTP/1.1\r\nHost: 127.0.0.1:{site.server.port}\r\n\r\n".encode())
    return client


def held_threads() -> int:
    return sum("process_request_thread" in thread.name for thread in threading.enumerate())


@pytest.mark.parametrize("idle", [says_nothing, pytest.param(takes_nothing, marks=pytest.mark.slow)])
def test_idle_connections_shut_nobody_out(
    site: Site, monkeypatch: pytest.MonkeyPatch, idle: Callable[[Site], socket.socket]
) -> None:
    """The oldest gives way to the next client, never the stream of an open page."""
    monkeypatch.setenv(ENVIRONMENT, f"request-seconds={round(10 * PATIENCE)}")
    (site.pages.output / "game" / "large").write_bytes(bytes(16 * 2**20))
    with closing(Stream(site, "/game/")) as stream, ExitStack() as clients:
        stream.next()
        for _ in range(2 * limits().connections):
            clients.enter_context(idle(site))
        assert [site.get("/game/").status for _ in range(20)] == [200] * 20
        wait_until(lambda: held_threads() <= limits().connections + limits().change_streams)
        site.pages.tell([RenderError("wrong")])
        assert stream.next()["errors"]


def test_a_page_has_another_version_when_its_style_or_picture_has(site: Site) -> None:
    def version(**digests: str) -> str:
        files = {"assets/css/a.css": "0" * 64, "game/odds.png": "0" * 64, "game/sheet.pdf": "0" * 64, **digests}
        made = [MadePart(part="", inputs=0, files=files)]
        data = ManifestData(schema="refgen/manifest/4", refgen="0" * 64, inputs=[{}], made=made)
        (site.pages.output / "manifest.json").write_text(json_text(data), encoding="utf-8")
        site.pages.published()
        found = site.pages.page(["game", "index.html"])
        assert found is not None
        return found.version

    before = version()
    assert version(**{"game/sheet.pdf": "1" * 64}) == before
    assert version(**{"game/odds.png": "1" * 64}) == before  # the page does not show it
    assert version(**{"assets/css/a.css": "1" * 64}) != before
    (site.pages.output / "game" / "index.html").write_text(f"{PAGE}<img src=odds.png>", encoding="utf-8")
    assert version() != version(**{"game/odds.png": "1" * 64})


FRAMED = "<head><title>page</title></head><body><nav>around</nav><main id=all>old</main></body>"


@pytest.mark.parametrize("script", ["", '<script src="theme.js"></script>'], ids=["plain", "script"])
@pytest.mark.parametrize(
    ("old", "new", "same_frame"),
    [
        ("old", "new", {"", "script"}),
        ("id=all", "id=one", {"", "script"}),
        ("around", "other", {""}),
        ("page", "other", set()),
    ],
    ids=["main", "main-itself", "nav", "title"],
)
def test_the_frame_of_a_page_is_all_but_its_main_part_or_the_body_of_one_without_scripts(
    site: Site, script: str, old: str, new: str, same_frame: set[str]
) -> None:
    def page(of: str) -> ServedPage:
        site.pages.draft({"game/framed.html": of.replace("</head>", f"{script}</head>").encode()})
        found = site.pages.page(["game", "framed.html"])
        assert found is not None
        return found

    before, after = page(FRAMED), page(FRAMED.replace(old, new))
    assert before.version != after.version
    assert (before.frame == after.frame) is (("script" if script else "") in same_frame)


def test_a_page_with_modules_has_no_frame_to_stay(site: Site) -> None:
    """They take hold of what they find on it."""
    site.pages.draft({"game/form.html": FRAMED.replace("</head>", '<script type="module"></script></head>').encode()})
    found = site.pages.page(["game", "form.html"])
    assert found is not None
    assert found.frame == ""


def test_what_was_made_is_newer_than_its_draft(site: Site) -> None:
    site.pages.draft({"game/index.html": b"draft", "game/cards.html": b"draft"})
    site.pages.published(["game/index.html"])
    assert site.get("/game/").body != b"draft"
    assert site.pages.state.drafts == {"game/cards.html": b"draft"}


def test_the_site_is_not_kept_for_times_without_a_network(site: Site) -> None:
    """What a browser keeps of a site would stand between it and what was saved just now."""
    (site.pages.output / "service-worker.js").write_text("", encoding="utf-8")
    assert site.get("/service-worker.js", "Service-Worker: script").status == 404
    assert site.get("/service-worker.js").status == 200


def test_a_port_in_use_is_reported(site: Site, tmp_path: Path) -> None:
    with pytest.raises(ServeError, match=f"^port {site.server.port} is in use\n") as told:
        Server(ServedPages(tmp_path), site.server.port)
    assert told.value.hint == "Choose another with --port, or leave it out for a free one."
