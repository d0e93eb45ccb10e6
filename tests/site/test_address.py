"""Where a site is published: canonical URLs, a sitemap, and the old anchors of sections."""

from __future__ import annotations

import pytest
from lxml import etree

from refgen.site.address import ROBOTS, SITEMAP, SiteAddress, checked_base_url, published_files

PAGES = ["index.html", "fate/tables/a&b.html", "fate/index.html"]


@pytest.mark.parametrize("url", ["https://example.org", "https://example.org/", "http://localhost:8000/a/b"])
def test_an_address_of_a_site_ends_with_a_slash(url: str) -> None:
    assert checked_base_url(url) == f"{url.rstrip('/')}/"


@pytest.mark.parametrize(
    "url",
    [
        "example.org",
        "ftp://example.org",
        "https://",
        "https:///a",
        "https://a/?b",
        "https://a/#b",
        "https://a b",
        'https://a/"',
    ],
)
def test_what_is_no_address_of_a_site(url: str) -> None:
    with pytest.raises(ValueError, match="is not the address of a site"):
        checked_base_url(url)


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("index.html", "https://example.org/rules/"),
        ("fate/index.html", "https://example.org/rules/fate/"),
        ("fate/rules.html#a-b", "https://example.org/rules/fate/rules.html#a-b"),
        ("fate/myindex.html", "https://example.org/rules/fate/myindex.html"),
        ("fate/größe.html", "https://example.org/rules/fate/gr%C3%B6%C3%9Fe.html"),
    ],
)
def test_the_address_of_a_page(path: str, url: str) -> None:
    assert SiteAddress("https://example.org/rules/").url(path) == url
    assert SiteAddress().url(path) == ""


def test_a_sitemap_lists_every_page_once() -> None:
    made = published_files(SiteAddress("https://example.org/rules/"), PAGES)
    assert set(made) == {SITEMAP}, "robots.txt is for the first folder of a host"
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    assert etree.fromstring(made[SITEMAP]).xpath("//s:url/s:loc/text()", namespaces=space) == [
        "https://example.org/rules/fate/",
        "https://example.org/rules/fate/tables/a%26b.html",
        "https://example.org/rules/",
    ]


def test_a_host_of_its_own_has_robots_txt() -> None:
    made = published_files(SiteAddress("https://example.org/"), PAGES)
    assert made[ROBOTS].decode().splitlines()[-1] == "Sitemap: https://example.org/sitemap.xml"


def test_a_site_that_may_stand_anywhere_has_neither() -> None:
    assert published_files(SiteAddress(), PAGES) == {}


def test_old_anchors_are_those_of_the_same_page() -> None:
    redirects = {"a.html#x": "a.html#z", "a.html#y": "a.html#z", "b.html": "a.html#z", "b.html#x": "b.html#y"}
    published = SiteAddress("", redirects)
    assert published.moved_on("a.html") == {"z": ["x", "y"]}
    assert published.pages == {"b.html": "a.html#z"}
