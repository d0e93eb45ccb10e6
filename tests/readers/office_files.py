"""Word processors' files from the text of a case: elements of the body, then other parts after ``--- NAME`` lines."""

from __future__ import annotations

import io
import re
from zipfile import ZipFile

from refgen.readers.document import Format

_PART = re.compile(r"^--- (\S+)\n", re.MULTILINE)
_DOCX = (
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="m" xmlns:mc="mc"'
    ' xmlns:wp="wp" xmlns:r="r"><w:body>{body}</w:body></w:document>'
)
_ODT = (
    '<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="tb" xmlns:draw="d" xmlns:style="s"'
    ' xmlns:fo="f" xmlns:svg="v" xmlns:loext="l"><office:automatic-styles>{styles}</office:automatic-styles>'
    "<office:body><office:text>{body}</office:text></office:body></office:document-content>"
)
_XML = {"word": 'xmlns:w="w" xmlns:r="r"', "styles": 'xmlns:style="s" xmlns:text="t" xmlns:fo="f"'}


def office_file(text: str, document_format: Format) -> bytes:
    """A file with this body. Of an odt file, the part "automatic" has the styles of the text itself."""
    body, *rest = _PART.split(text)
    parts = dict(zip(rest[::2], rest[1::2], strict=True))
    if document_format is Format.DOCX:
        files = {"word/document.xml": _DOCX.format(body=body)}
    else:
        files = {"content.xml": _ODT.format(body=body, styles=parts.pop("automatic", ""))}
    for name, content in parts.items():
        around = "word" if name.startswith("word/") else "styles"
        files[name] = f"<{around} {_XML[around]}>{content}</{around}>"
    made = io.BytesIO()
    with ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()
