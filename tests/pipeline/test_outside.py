"""A build of files that name others everywhere opens no file outside of its project and makes no connection.

The system tells each file that is opened and each connection: ``strace``, where it is installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.figures import ROOT, write_figure
from tests.site.hostile import hostile_game

OPENED = re.compile(r'\bopen(?:at)?\((?:AT_FDCWD, )?"(?P<path>[^"]+)".* = \d+')
SYSTEM = ("/usr/", "/lib", "/etc/", "/proc/", "/sys/", "/dev/", "/var/cache/fontconfig", "/var/lib/")
DOCBOOK = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//X//Y" "file://{secret}" [
<!ENTITY s SYSTEM "file://{secret}"><!ENTITY % p SYSTEM "{url}"> %p;]>
<article xmlns:xi="http://www.w3.org/2001/XInclude"><title>Odds &s;</title><para>Roll &s; 6.</para>
<xi:include href="{secret}"/>
<informaltable><tgroup cols="2"><tbody><row><entry>Trap</entry><entry>Harm</entry></row>
<row><entry>pit</entry><entry>1</entry></row></tbody></tgroup></informaltable></article>"""
PAGE = '<html><head><link rel="stylesheet" href="{url}"/><base href="file://{secret}"/></head><body>'
PAGE += '<h1>T</h1><p><img src="file://{secret}"/><object data="{url}"></object>Words.</p></body></html>'
MARKDOWN = """
![a](file://{secret}) <img src='{url}'> [b]({url}) <object data='file://{secret}'></object>

{{% include '{secret}' %}}
"""
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file://{secret}"/></svg>'
STYLE = '@import "{url}"; footer {{ background: url("file://{secret}") }}'


def write_games(project: Path, **names: str) -> None:
    """Games of three formats, one with a style sheet, one with a picture and a link that lead out."""
    for document in ("rules.md", "rules.html", "rules.xml"):
        game = hostile_game(project / document, "rules.html" if document == "rules.xml" else document)
        text = {"rules.md": MARKDOWN, "rules.html": PAGE, "rules.xml": DOCBOOK}[document].format(**names)
        rules = game / document
        rules.write_text((rules.read_text(encoding="utf-8") if document == "rules.md" else "") + text, encoding="utf-8")
        spec = game / "system.toml"
        spec.write_text(spec.read_text(encoding="utf-8").replace('"rules.html"', f'"{document}"'), encoding="utf-8")
        if document == "rules.md":
            (game / "sheet.toml").symlink_to(names["secret"])
        if document == "rules.html":  # a page that rests on a file that is refused is not made: one such file each
            (game / "templates").mkdir()
            (game / "templates" / "screen.css").write_text(STYLE.format(**names), encoding="utf-8")
        if document == "rules.xml":
            (game / "look.toml").write_text('[logo]\nsmall = "logo.svg"\n', encoding="utf-8")
            (game / "logo.svg").write_text(DRAWING.format(**names), encoding="utf-8")


@pytest.mark.soak
@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_no_file_outside_of_the_project_is_opened_and_no_connection_made(tmp_path: Path) -> None:
    secret = tmp_path / "outside" / "secret.txt"
    secret.parent.mkdir()
    secret.write_text("secret", encoding="utf-8")
    write_games(tmp_path / "projects", secret=str(secret), url="http://127.0.0.1:9/x")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    opened: set[str] = set()
    for project in sorted((tmp_path / "projects").iterdir()):
        log = tmp_path / "log"
        trace = ["strace", "-f", "-qq", "-e", "trace=open,openat,connect", "-o", str(log)]
        command = [sys.executable, "-m", "refgen", "build", "--no-cache", "--jobs", "2", "-q"]
        variables = {**os.environ, "TMPDIR": str(scratch), "PYTHONPATH": ""}
        done = subprocess.run(
            [*trace, *command],
            cwd=project,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 1, 2), done.stderr
        calls = log.read_text(encoding="utf-8", errors="replace")
        assert re.findall(r"\bconnect\(.*AF_INET.*", calls) == []
        opened |= {os.path.normpath(project / match["path"]) for match in OPENED.finditer(calls)}
    allowed = (*map(str, (tmp_path / "projects", scratch, ROOT, sys.prefix, sys.base_prefix)), *SYSTEM)
    assert [path for path in sorted(opened) if not path.startswith(allowed)] == []
    figure = f"{len(opened):,} files opened, none outside; no connection"
    write_figure("outside", "hostile games in three formats", figure)
