"""Old addresses of a site: pages that send readers on, old anchors that stay, and what is said of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import html

import refgen
from refgen.cli import main
from refgen.errors import RulesError
from refgen.pipeline.project import SiteSettings
from refgen.pipeline.site_pages import gone_pages, redirects
from refgen.rules.toml import load_toml
from refgen.site.address import SiteAddress
from refgen.source import SourceFile
from tests.resolver.systems.small import project

RULES, ODDS = "fate/rules.html", "fate/odds.html"
THERE = {
    RULES: b'<main id="main"><section id="rolling"><span id="throwing"></span></section></main>',
    ODDS: b'<main id="main"></main>',
    "fate/tables/odds.csv": b"",
}


def redirected(old: str, new: str, base_url: str = "") -> tuple[dict[str, bytes], list[str]]:
    files, errors = redirects(SiteAddress(base_url, {old: new}), THERE)
    return files, [error.message for error in errors]


@pytest.mark.parametrize(
    ("old", "new", "link"),
    [
        ("fate/old.html", RULES, "rules.html"),
        ("gone/tables/old.html", f"{RULES}#rolling", "../../fate/rules.html#rolling"),
        ("old.html", "fate/tables/odds.csv", "fate/tables/odds.csv"),
    ],
)
def test_a_page_that_is_gone_leads_on(old: str, new: str, link: str) -> None:
    files, errors = redirected(old, new)
    assert (list(files), errors) == ([old], [])
    root = html.fromstring(files[old])
    assert root.xpath("//meta[@http-equiv = 'refresh']/@content") == [f"0; url={link}"]
    assert root.xpath("//link[@rel = 'canonical']/@href") == [link]
    assert root.xpath("//a/@href") == [link]


def test_search_engines_are_told_the_whole_address() -> None:
    files, _ = redirected("old.html", f"{RULES}#rolling", "https://example.org/")
    found = html.fromstring(files["old.html"]).xpath("//link[@rel = 'canonical']/@href")
    assert found == ["https://example.org/fate/rules.html#rolling"]


def test_an_old_anchor_of_a_section_needs_no_page() -> None:
    assert redirected(f"{RULES}#throwing", f"{RULES}#rolling") == ({}, [])


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("old.html", "fate/no.html", 'leads to "fate/no.html", which the site does not have'),
        ("old.html", f"{RULES}#no", f'leads to "#no", which "{RULES}" does not have'),
        (RULES, ODDS, "is a page of the site"),
        (f"{RULES}#old", f"{ODDS}#main", "is a place on a page: it can lead to another place on the same page only"),
        (f"{RULES}#old", RULES, "is a place on a page: it can lead to another place on the same page only"),
        (f"{ODDS}#old", f"{ODDS}#main", 'leads to "#main", which is no section of the rules'),
    ],
)
def test_what_leads_nowhere_is_an_error(old: str, new: str, fault: str) -> None:
    source = SourceFile("refgen.toml", f'[site.redirects]\n"{old}" = "{new}"\n')
    files, (error,) = redirects(SiteAddress("", {old: new}, source), THERE)
    assert (files, str(error)) == ({}, f'refgen.toml:2:1: "{old}" {fault}')


@pytest.mark.parametrize(
    "old", ["../old.html", "/old.html", "a/../old.html", "https://a/b.html", "old", "a b.html", ""]
)
def test_what_is_no_address_is_refused_with_its_place(old: str) -> None:
    source = SourceFile("refgen.toml", f'base_url = "https://a"\n[redirects]\n"{old}" = "a.html"\n')
    with pytest.raises(RulesError) as error:
        load_toml(source, SiteSettings)
    assert error.value.span is not None


def test_pages_that_are_gone_are_named() -> None:
    (line,) = gone_pages(["a.html", "b.html", "b.csv"], ["a.html", "c.html"])
    assert line.startswith("b.html is gone: [site.redirects] of refgen.toml")


def site(folder: Path, *lines: str, base_url: str | None = None) -> refgen.BuildResult:
    """A site of a project with these lines in its refgen.toml."""
    (folder / "refgen.toml").write_text("\n".join(lines), encoding="utf-8")
    result = refgen.project(folder).build(
        refgen.BuildSettings(output=folder / "build", only=["site"], jobs=1, base_url=base_url)
    )
    assert (result.errors, result.mismatches) == ([], [])
    return result


@pytest.mark.slow
def test_a_published_site(tmp_path: Path) -> None:
    folder, build = project(tmp_path, "fate"), tmp_path / "build"
    address = ["[site]", 'base_url = "https://example.org/rules"', "[site.redirects]"]
    first = site(folder, *address, f'"old.html" = "{RULES}"', f'"{RULES}#throwing" = "{RULES}#rolling"')
    assert first.notes == []
    for path, url in (("index.html", ""), (RULES, RULES), ("old.html", RULES)):
        root = html.parse(str(build / path)).getroot()
        assert root.xpath("//link[@rel = 'canonical']/@href") == [f"https://example.org/rules/{url}"]
    assert html.parse(str(build / RULES)).getroot().xpath("//*[@id = 'throwing']/parent::section/@id") == ["rolling"]
    listed = (build / "sitemap.xml").read_text(encoding="utf-8")
    assert f"https://example.org/rules/{RULES}<" in listed
    assert "old.html" not in listed
    system = folder / "content" / "fate" / "system.toml"
    system.write_text(system.read_text(encoding="utf-8").replace("[derived.contests]", "[derived.matches]"), "utf-8")
    assert site(folder, *address).notes == gone_pages(["old.html", "fate/tables/contests.html"], [])
    assert not (build / "old.html").exists()
    assert site(folder, *address).notes == []
    assert site(folder, *address, base_url="").notes == []
    assert not (build / "sitemap.xml").exists()
    assert not html.parse(str(build / RULES)).getroot().xpath("//link[@rel = 'canonical']")


def test_an_address_that_is_none(tmp_path: Path) -> None:
    command = ["build", "--project", str(project(tmp_path, "fate")), "--base-url", "example.org", "--only", "site"]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 2
    assert '"example.org" is not the address of a site' in result.output
