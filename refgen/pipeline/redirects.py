"""Where old addresses of a site lead: pages that send readers on, and what cannot be led on.

In: a Published, and the files of the site. Out: files by path, and errors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from refgen.errors import RefgenError, RulesError
from refgen.pipeline.marker import MARKER
from refgen.render.readback.html_pages import ids, read_html
from refgen.site.html import redirect_html
from refgen.site.published import Published


def redirects(published: Published, there: Mapping[str, bytes]) -> tuple[dict[str, bytes], list[RefgenError]]:
    """The pages that lead on, by the old address of each. ``there`` are the files of the site."""
    files: dict[str, bytes] = {}
    errors: list[RefgenError] = []
    for old, new in published.redirects.items():
        faults = [*_faults(old, new, there)]
        errors += [RulesError(f'"{old}" {fault}', span=published.place_of(old)) for fault in faults[:1]]
        if not faults and "#" not in old:
            files[old] = redirect_html(old, new, published).encode()
    return files, errors


def _faults(old: str, new: str, there: Mapping[str, bytes]) -> Iterator[str]:
    page, _, anchor = new.partition("#")
    old_page, _, old_anchor = old.partition("#")
    if page not in there:
        yield f'leads to "{page}", which the site does not have'
    elif old in there:
        yield "is a page of the site"
    elif old_anchor and (old_page != page or not anchor):
        yield "is a place on a page: it can lead to another place on the same page only"
    elif anchor and page.endswith(".html"):
        found = ids(read_html(there[page]))
        if anchor not in found:
            yield f'leads to "#{anchor}", which "{page}" does not have'
        elif old_anchor and old_anchor not in found:
            yield f'leads to "#{anchor}", which is no section of the rules'


def gone_pages(before: Collection[str], now: Collection[str]) -> list[str]:
    """What to say of the pages of an earlier build that are gone and lead nowhere."""
    gone = sorted(path for path in {*before} - {*now} if path.endswith(".html"))
    return [f'{path} is gone: [site.redirects] of {MARKER} can lead its readers on ("{path}" = "…")' for path in gone]
