"""The family of all errors: each has a message, a place and a hint.

Raised where the cause is known, shown by the command line as ``file:line:column: message``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from refgen.span import Span


class RefgenError(Exception):
    """Something the user can mend.

    ``message`` is the error in one sentence, ``span`` its place or None, ``hint`` the next thing to do, which in Python
    is a note below the traceback.
    """

    def __init__(self, message: str, *, span: Span | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint
        if hint:
            self.add_note(hint)

    def __str__(self) -> str:
        """``file:line:column: message``, or the message alone when no place is known."""
        return f"{self.span}: {self.message}" if self.span else self.message

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error travel between worker processes with all its parts."""
        return _rebuild, (type(self), self.message, self.span, self.hint)


def _rebuild(kind: type[RefgenError], message: str, span: Span | None, hint: str) -> RefgenError:
    return kind(message, span=span, hint=hint)


@contextmanager
def os_errors_as(kind: type[RefgenError], doing: str, hint: str = "") -> Iterator[None]:
    """Raise a RefgenError of this kind in place of an OSError: it says that ``doing`` something is impossible, and why.

    ``doing`` reads on after "cannot": "write build".
    """
    try:
        yield
    except OSError as error:
        raise kind(f"cannot {doing}: {reason_of(error)}", hint=hint) from error


def reason_of(error: OSError) -> str:
    """Why the operating system refuses something, in small letters: "no space left on device"."""
    return (error.strerror or str(error)).lower()


def each_error(error: RefgenError) -> Sequence[RefgenError]:
    """The errors that one stands for: those of a file with several, else the error alone."""
    return error.errors if isinstance(error, FileErrors) else (error,)


def is_among(error: RefgenError, errors: Iterable[RefgenError]) -> bool:
    """Whether the same is reported already: the same words of the same place."""
    return any((error.message, error.span) == (known.message, known.span) for known in errors)


class SourceError(RefgenError):
    """A file cannot be read as text."""


class ReadError(RefgenError):
    """A rule document is not well formed in its own format."""


class NotationError(RefgenError):
    """A printed cell is not in the notation its column promises."""


class RulesError(RefgenError):
    """system.toml and its rule document do not fit together."""


class FileErrors(RulesError):  # noqa: N818 - it holds several
    """Everything that is wrong with a file, each with its place. Shows as the first of them."""

    def __init__(self, errors: Sequence[RefgenError]) -> None:
        first = errors[0]
        super().__init__(first.message, span=first.span, hint=first.hint)
        self.errors = tuple(errors)

    def __reduce__(self) -> tuple[object, ...]:
        return FileErrors, (self.errors,)


def join_errors(errors: Sequence[RefgenError]) -> RefgenError:
    """The only error of a sequence, or a FileErrors of all its errors."""
    return errors[0] if len(errors) == 1 else FileErrors(errors)


class UnknownNameError(RulesError, KeyError):
    """A game has no table, fact, ladder or action of that name, or a table no such row or column.

    A KeyError too, so that ``in`` and ``get`` work.
    """


class ResolverError(RefgenError):
    """A number cannot be derived: an unknown die, an unbounded roll, a missing constant."""


class CheckError(RefgenError):
    """A check names something that does not exist."""


class AidError(RefgenError):
    """A play aid asks for something its ruleset does not have, or that does not fit."""


class RenderError(RefgenError):
    """HTML or PDF could not be made."""


class PublishError(RefgenError):
    """The output folder cannot take the results."""


class ExecutorError(RefgenError):
    """The steps of a build cannot run where they were asked to."""


class ServeError(RefgenError):
    """Pages cannot be served, or a project cannot be watched."""
