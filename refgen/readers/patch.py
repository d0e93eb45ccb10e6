"""A file inside a patch.

In: the text of a unified diff (hg or git) that creates one file. Out: the passage of that file's lines,
their ``+`` prefixes left out; spans still point into the patch. Any other text comes back as it is.
"""

from __future__ import annotations

import re

from refgen.errors import ReadError
from refgen.source import Passage

_HUNK = re.compile(r"^@@ -0,0 \+1(?:,\d+)? @@.*$", re.MULTILINE)
_NEW_FILE = re.compile(r"^--- .*\r?\n\+\+\+ .*\r?\n@@ ", re.MULTILINE)


def unwrap(text: Passage) -> Passage:
    """The file that a patch creates, or ``text`` itself when it is no patch.

    Raises ReadError for a patch that changes an existing file: half a document cannot be read.
    """
    if not _NEW_FILE.search(text.text):
        return text
    hunk = _HUNK.search(text.text)
    if hunk is None:
        raise ReadError(
            "the patch changes a file instead of creating one",
            span=text.span,
            hint="Apply the patch, then read the file.",
        )
    added = []
    for line in text[hunk.end() :].lines():
        if line.text.startswith("+"):
            added.append(line[1:])
        elif line.text.strip():
            break
    if not added:
        raise ReadError("the patch creates an empty file", span=text.group(hunk).span)
    return Passage.joined(added, "\n")
