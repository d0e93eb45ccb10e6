"""Formats of documents that refgen does not read, by their names, their first bytes and what their text looks like.

In: the name of a file, its bytes, and its text. Out: an error that names the format, and says what to do in place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath

from refgen.errors import ReadError
from refgen.source import SourceFile

_AS_TEXT = "Save it as docx, odt, HTML or plain text."
_AS_CSV = "Export each of its sheets as CSV."
_OF_PICTURE = "Copy its words into a text file, or let a program for OCR read them out of the picture; look them over."
_OF_SOUND = "Write down what it says, and name that file."
_OF_ARCHIVE = "Unpack it, and name the documents in it; a docx or odt file has its own suffix."
_BY_PANDOC = "Convert it: pandoc -f {} -t html FILE -o FILE.html."


@dataclass(frozen=True, slots=True)
class UnreadFormat:
    """A format that is not read: its name, what to do in place, its suffixes, and a sign of it in plain text.

    ``starts`` are the first bytes of its files; a dot stands for any byte.
    """

    name: str
    hint: str
    suffixes: frozenset[str]
    sign: re.Pattern[str] | None = None
    starts: re.Pattern[bytes] | None = None


def _format(name: str, hint: str, suffixes: str, sign: str = "", starts: bytes = b"") -> UnreadFormat:
    return UnreadFormat(
        name,
        hint,
        frozenset(suffixes.split()),
        re.compile(sign, re.MULTILINE) if sign else None,
        re.compile(starts, re.DOTALL) if starts else None,
    )


_PICTURE = rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP|II\*\x00|MM\x00\*"

FORMATS = (
    _format(
        "PDF",
        "Find the source it was made from, or take its text (pdftotext -layout FILE.pdf FILE.txt) and mend that.",
        ".pdf",
        starts=rb"%PDF-",
    ),
    _format(
        "a picture", _OF_PICTURE, ".png .jpg .jpeg .gif .webp .tif .tiff .bmp .svg .heic .avif .psd", starts=_PICTURE
    ),
    _format("a sound or a film", _OF_SOUND, ".mp3 .wav .m4a .ogg .mp4 .mov", starts=rb"ID3[\x02-\x04]|RIFF....WAVE"),
    _format(
        "an archive", _OF_ARCHIVE, ".zip .7z .rar .gz .tgz .tar", starts=rb"PK\x03\x04|Rar!\x1a|7z\xbc\xaf|\x1f\x8b"
    ),
    _format("Word 97", _AS_TEXT, ".doc", starts=rb"\xd0\xcf\x11\xe0"),
    _format("slides", _AS_TEXT, ".ppt .pptx .odp"),
    _format("Pages", _AS_TEXT, ".pages"),
    _format("RTF", _AS_TEXT, ".rtf", r"\A\{\\rtf\d"),
    _format("EPUB", "Unpack it (it is a zip file) and name the HTML pages in it.", ".epub"),
    _format("Excel", _AS_CSV, ".xls .xlsx"),
    _format("OpenDocument spreadsheet", _AS_CSV, ".ods"),
    _format(
        "JSON",
        "Write its tables as Markdown or CSV.",
        ".json",
        r"\A\s*(?:\{\s*\"[\s\S]*\}|\[\s*[\[{\"\d-][\s\S]*\])\s*\Z",
    ),
    _format("AsciiDoc", "Convert it: asciidoctor -b html5 FILE.", ".adoc .asciidoc .asc", r"^\|===[ \t]*$"),
    _format("Typst", _BY_PANDOC.format("typst"), ".typ", r"^#(?:let [\w-]+(?:\(.*\))? =|set \w+\(|show .*:|import \")"),
    _format("DokuWiki", _BY_PANDOC.format("dokuwiki"), ".dokuwiki", r"^\^[^^|\n]+\^[^|\n]*\^[ \t]*$"),
    _format("Textile", _BY_PANDOC.format("textile"), ".textile", r"^h[1-6](?:\([^)\n]*\))?\. \S|^\|_\. ?\S.*\|[ \t]*$"),
)
"""Those without a sign are known by their suffix alone: they are no text."""


def refuse_name(path: PurePath, name: str) -> None:
    """Raise ReadError for a file whose suffix is that of a format that is not read."""
    for known in FORMATS:
        if path.suffix.lower() in known.suffixes:
            raise ReadError(f"{name} is in a format that refgen does not read: {known.name}", hint=known.hint)


def refuse_bytes(raw: bytes, name: str) -> None:
    """Raise ReadError for a file that begins as files of a format do that is not read, whatever its suffix says."""
    for known in FORMATS:
        if known.starts is not None and known.starts.match(raw):
            raise ReadError(f"{name} is in a format that refgen does not read: {known.name}", hint=known.hint)


def refuse_text(source: SourceFile) -> None:
    """Raise ReadError for plain text that has the signs of a format that is not read."""
    for known in FORMATS:
        if known.sign is not None and (match := known.sign.search(source.text)):
            hint = f'{known.hint} If it is plain text all the same, say format = "plaintext" in system.toml.'
            raise ReadError(
                f"this looks like {known.name}, which refgen does not read", span=source.span(*match.span()), hint=hint
            )
