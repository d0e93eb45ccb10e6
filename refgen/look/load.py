"""look.toml of a project and of a game become a Look: names become colours, files become bytes, all is checked.

In: the folder of the project and that of the game, each perhaps with a look.toml; what that of the game says counts.
Out: a Look; USUAL where neither folder has the file. Raises RulesError, with its place, for colours that cannot be
read on their ground, for fonts and pictures that cannot be used; FileErrors for several.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from io import BytesIO
from math import inf
from pathlib import Path
from typing import Any

from refgen.catalog import did_you_mean
from refgen.errors import RefgenError, RulesError, join_errors
from refgen.files import path_inside, read_bytes
from refgen.look.colours import (
    HEAT_STEPS,
    MIN_READABLE,
    contrast,
    dark_token_colour,
    heat_ramp,
    is_steady,
    luminance,
    mix_colours,
    printed_contrast,
    readable_colour,
    text_on,
    token_colour,
)
from refgen.look.fonts import look_fonts
from refgen.look.look import LOOK_NAME, USUAL, Look
from refgen.look.pictures import picture_kind
from refgen.look.spec import ColoursSpec, LookSpec
from refgen.rules.places import KeyPath, locate
from refgen.rules.toml import fit_model, read_toml
from refgen.source import SourceFile

HEATS = ("heat_low", "heat_middle", "heat_high")

Tokens = dict[str, str]


def load_look(project: Path | None, game: Path | None) -> Look:
    """The look of a game in the folder ``game`` of a project; None for a folder that there is none of."""
    files = [_LookFile.read(folder, name) for folder, name in ((project, ""), (game, game.name if game else ""))]
    found = [file for file in files if file is not None]
    if not found:
        return USUAL
    data: Mapping[str, Any] = {}
    for file in found:
        data = _merge_tables(data, file.data)
    loader = _LookLoader(found, fit_model(data, LookSpec, lambda path: _file_of(found, path).source))
    look = loader.look()
    own = game is not None and found[-1].folder == game
    return replace(look, folder=f"{game.name if own and game else 'assets'}/look")


def named_files(folder: Path) -> list[Path]:
    """The files that the look.toml of a folder names, as far as it can be read."""
    found: list[Path] = []
    with suppress(RefgenError):
        file = _LookFile.read(folder, "")
        named = [file.data.get(table) for table in ("fonts", "logo", "pictures")] if file else []
        found += [path_inside(folder, name) for name in _texts(named)]
    return found


def _texts(data: object) -> Iterator[str]:
    """All texts of a table, however deep."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping | list):
        for part in data.values() if isinstance(data, Mapping) else data:
            yield from _texts(part)


@dataclass(frozen=True, slots=True)
class _LookFile:
    """A look.toml: the folder in which it stands, its text and its data."""

    folder: Path
    source: SourceFile
    data: Mapping[str, Any]

    @classmethod
    def read(cls, folder: Path | None, name: str) -> _LookFile | None:
        """The look.toml in a folder, which errors call by the ``name`` of the folder; None if there is none."""
        if folder is None or not (folder / LOOK_NAME).exists():
            return None
        source = SourceFile.read(path_inside(folder, LOOK_NAME), f"{name}/{LOOK_NAME}".lstrip("/"))
        return cls(folder, source, read_toml(source))


def _merge_tables(first: Mapping[str, Any], second: Mapping[str, Any]) -> Mapping[str, Any]:
    """Two tables as one, key by key; of a font, logo and so on with the same key, the second counts."""
    both = {
        key: _merge_tables(first[key], value)
        for key, value in second.items()
        if isinstance(value, Mapping) and isinstance(first.get(key), Mapping)
    }
    return {**first, **second, **both}


def _file_of(files: Sequence[_LookFile], path: KeyPath) -> _LookFile:
    """The look.toml that decides a key path: the last of the files that have the whole path, or most of the path."""
    return max(reversed(files), key=lambda file: _depth(file.data, path))


def _depth(data: object, path: KeyPath) -> int:
    for depth, part in enumerate(path):
        if not isinstance(data, Mapping) or part not in data:
            return depth
        data = data[part]
    return len(path)


@dataclass(slots=True)
class _LookLoader:
    """Makes the Look that some files describe together."""

    files: Sequence[_LookFile]
    spec: LookSpec

    def look(self) -> Look:
        """The look, all of which was checked. Raises all errors together."""
        light, dark, cards = self._colours()
        fonts = look_fonts(self.spec.fonts, self._file, self._place_errors)
        pictures = self._pictures()
        accent = light.pop("accent", "")
        said = [accent, light, dark, cards, self.spec.licence, self.spec.radius, self.spec.density]
        parts = [repr(said).encode(), *(part for each in (fonts, pictures) for item in each.items() for part in item)]
        digest = sha256(b"\0".join(part.encode() if isinstance(part, str) else part for part in parts)).hexdigest()
        spec = self.spec
        ratio = next((_ratio(data) for name, data in pictures.items() if name.startswith("logo-small")), 1.0)
        look = Look(digest, "", accent, light, dark, cards, fonts, pictures, ratio)
        return replace(look, licence=spec.licence, radius=spec.radius, density=spec.density)

    @contextmanager
    def _place_errors(self, *path: str) -> Iterator[None]:
        """Give an error the place of a key path."""
        try:
            yield
        except RefgenError as error:
            raise RulesError(error.message, span=error.span or self._place(path), hint=error.hint) from error

    def _place(self, path: KeyPath) -> Any:
        return locate(_file_of(self.files, path).source, path)

    def _file(self, path: tuple[str, ...], name: str) -> bytes:
        """The bytes of a file that look.toml names under a key path, in the folder of that look.toml."""
        with self._place_errors(*path):
            return read_bytes(path_inside(_file_of(self.files, path).folder, name), name)

    # Colours

    def _colours(self) -> tuple[Tokens, Tokens, Tokens]:
        """The tokens on paper, those of dark browsers, and the colours of kinds of cards."""
        said, said_dark = self._named_colours("colours", self.spec.colours), self._named_colours("dark", self.spec.dark)
        cards = {kind: self._colour(("colours", "cards", kind), name) for kind, name in self.spec.colours.cards.items()}
        light = self._tokens("colours", said)
        is_dark = luminance(light["paper"]) < luminance(light["ink"])
        if is_dark:
            dark = {**light, **said_dark}
        else:
            ink = said_dark.get("ink") or dark_token_colour("ink")
            high = {"heat_high": readable_colour(said["heat_high"], [ink])} if "heat_high" in said else {}
            dark = self._tokens("dark", {**high, **said_dark})
        faults = [*self._faults("colours", light, said), *self._faults("dark", dark, said_dark)]
        faults += self._faults_of_cards(light, cards)
        if faults:
            raise join_errors(faults)
        if not {*said} - {"accent"} and not {*said_dark} - {"accent"}:  # those of tokens.css
            accents = ({"accent": found["accent"]} if "accent" in found else {} for found in (said, said_dark))
            light, dark = accents
        return light, dark, cards

    def _named_colours(self, table: str, spec: ColoursSpec) -> Tokens:
        """The colours that a table names, by key."""
        names = spec.model_dump(exclude={"cards"}, exclude_none=True)
        return {key: self._colour((table, key), name) for key, name in names.items()}

    def _colour(self, path: KeyPath, name: str) -> str:
        if name.startswith("#"):
            return name
        if name not in self.spec.palette:
            hint = did_you_mean(name, self.spec.palette, 'Add it there, or write a colour as "#rrggbb".')
            raise RulesError(f'"{name}" is no colour of [palette]', span=self._place(path), hint=hint)
        return self.spec.palette[name]

    def _tokens(self, table: str, said: Tokens) -> Tokens:
        """All tokens: as said, as usual, or mixed of paper and ink where one of these two is said."""
        ends = said.get("paper") or token_colour("paper"), said.get("ink") or token_colour("ink")
        is_dark = table == "dark" or luminance(ends[0]) < luminance(ends[1])
        usual = dark_token_colour if is_dark else token_colour
        paper, ink = said.get("paper") or usual("paper"), said.get("ink") or usual("ink")
        has_own_ground = "paper" in said or "ink" in said

        def token(name: str, made: Callable[[], str]) -> str:
            return said.get(name) or (made() if has_own_ground else usual(name))

        tint = token("tint", lambda: mix_colours(paper, ink, 0.05))
        tokens = {"ink": ink, "paper": paper, "tint": tint}
        tokens["muted"] = token("muted", lambda: readable_colour(mix_colours(ink, paper, 0.3), (paper, tint)))
        tokens["rule"] = token("rule", lambda: mix_colours(paper, ink, 0.22))
        tokens["bar"] = token(
            "bar", lambda: readable_colour(mix_colours(paper, said.get("heat_high") or ink, 0.3), [ink])
        )
        ramp = self._heat(
            table, said, (paper, readable_colour(usual(f"heat-{HEAT_STEPS}"), [ink])), usual("heat-middle")
        )
        tokens |= {f"heat-{step}": colour for step, colour in enumerate(ramp)}
        return tokens | ({"accent": said["accent"]} if "accent" in said else {})

    def _heat(self, table: str, said: Tokens, ends: tuple[str, str], usual: str) -> list[str]:
        """The steps of heat: from and to what is said, else between the usual ``ends`` through the ``usual`` middle."""
        low, middle, high = (said.get(key, "") for key in HEATS)
        if not low and not high and not middle:
            ramp = [ends[0], usual, ends[1]]
            return heat_ramp(ramp if is_steady(ramp) else [ramp[0], ramp[-1]])
        ramp = list(filter(None, (low or ends[0], middle, high or ends[1])))
        if not is_steady(ramp):
            key = next((key for key in HEATS if key in said), HEATS[-1])
            hint = "Let each be darker than the one before, or each lighter: grey print has nothing else."
            raise RulesError(
                "heat must become darker, or lighter, all the way", span=self._place((table, key)), hint=hint
            )
        return heat_ramp(ramp)

    def _faults(self, table: str, tokens: Tokens, said: Tokens) -> Iterator[RulesError]:
        """The colours of text that cannot be read on a ground, at the place where the author wrote one of the two."""
        grounds = ["paper", "tint", "bar", *(f"heat-{step}" for step in range(HEAT_STEPS + 1))]
        for front in ("ink", "muted", "accent"):
            known = [ground for ground in (grounds if front == "ink" else grounds[:2]) if front in tokens]
            worst = min(known, key=lambda ground: printed_contrast(tokens[front], tokens[ground]), default="")
            if worst and printed_contrast(tokens[front], tokens[worst]) < MIN_READABLE:
                keys = [key for key in (front, worst, *HEATS[::-1], "paper") if key in said]
                fault = _too_faint(front, tokens[front], worst, tokens[worst])
                mended = readable_colour(tokens[front], [tokens[ground] for ground in known])
                hint = f"{mended} can be read there." if keys[:1] == [front] else "Make it lighter or darker."
                yield RulesError(fault, span=self._place((table, *keys[:1])), hint=hint)

    def _faults_of_cards(self, tokens: Tokens, cards: Tokens) -> Iterator[RulesError]:
        for kind, colour in cards.items():
            front = text_on(colour, tokens["paper"], tokens["ink"])
            if printed_contrast(front, colour) < MIN_READABLE:
                fault = _too_faint("the title", front, f"cards of the kind {kind}", colour)
                hint = f"{readable_colour(colour, [front])} can be read there."
                yield RulesError(fault, span=self._place(("colours", "cards", kind)), hint=hint)

    # Pictures

    def _pictures(self) -> dict[str, bytes]:
        """The pictures by their names in the output."""
        named = {
            "logo": self.spec.logo.model_dump(exclude_none=True),
            "pictures": self.spec.pictures.model_dump(exclude_none=True),
        }
        found = {}
        for table, names in named.items():
            for key, name in names.items():
                data = self._file((table, key), name)
                with self._place_errors(table, key):
                    role = f"logo-{key}" if table == "logo" else key.replace("_", "-")
                    found[f"{role}.{picture_kind(data, name)}"] = data
        return found


def _too_faint(front: str, colour: str, ground: str, other: str) -> str:
    ratio, printed = contrast(colour, other), printed_contrast(colour, other)
    in_grey = f" ({printed:.2f}:1 in grey print)" if printed < ratio else ""
    return f"{front} ({colour}) on {ground} ({other}) has a contrast of {ratio:.2f}:1{in_grey}, and text needs 4.5:1"


def _ratio(data: bytes) -> float:
    """The width of a picture by its height; of an SVG that of its viewBox, 1 where that has none."""
    if data.startswith((b"\x89PNG", b"\xff\xd8")):
        from PIL import Image

        with Image.open(BytesIO(data)) as picture:
            return picture.width / picture.height
    found = re.search(rb"viewBox=[\"']([^\"']*)", data)
    with suppress(ValueError, ZeroDivisionError):  # not four numbers
        _, _, width, height = map(float, found[1].replace(b",", b" ").split() if found else ())
        if 0 < (ratio := width / height) < inf:
            return ratio
    return 1.0
