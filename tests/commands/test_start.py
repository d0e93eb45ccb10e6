"""The command line as it is loaded: what Ctrl-C does before any command runs."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from refgen.files import bundled_folder

INTERRUPTED = """
import os, signal, sys

class Interrupts:
    def find_spec(self, name, path, target=None):
        if name == "refgen.cli":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupts())
signal.signal(signal.SIGINT, {handler})
from refgen.__main__ import start
sys.argv = ["refgen", "--version"]
start()
"""


def interrupted(handler: str) -> subprocess.CompletedProcess[str]:
    """What becomes of the command when Ctrl-C comes while it is loaded."""
    return subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(handler=handler)], capture_output=True, text=True, check=False
    )


def test_ctrl_c_while_it_is_loaded_ends_it_without_a_traceback() -> None:
    ended = interrupted("signal.default_int_handler")
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.slow
def test_where_ctrl_c_is_ignored_it_stays_so() -> None:
    ended = interrupted("signal.SIG_IGN")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("refgen, version ")


WRAPPED = """
import signal
from refgen.cli import main
import refgen.commands.odds

def interrupted(**_):
    try:
        signal.raise_signal(signal.SIGTERM)
    except BaseException as error:
        raise ValueError("a library makes an error of its own of this") from error

refgen.commands.odds.odds.callback = interrupted
main(["odds", "2d6"])
"""


@pytest.mark.slow
def test_a_signal_that_a_library_takes_for_an_error_ends_the_command_all_the_same() -> None:
    ended = subprocess.run([sys.executable, "-c", WRAPPED], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (143, "", "")


IMPORTED = """
import enum, signal
from refgen.cli import main
import refgen.commands.odds

class Interrupts(enum.EnumType):
    def __call__(cls, *arguments, **options):
        if arguments[0] == "FormFieldFlag":
            signal.raise_signal(signal.SIGTERM)
        return super().__call__(*arguments, **options)

def imported(**_):
    enum.IntFlag.__class__ = Interrupts
    import pikepdf
    print("imported")

refgen.commands.odds.odds.callback = imported
main(["odds", "2d6"])
"""


@pytest.mark.slow
def test_a_signal_while_a_module_in_c_is_imported_ends_the_command_after_the_import() -> None:
    """An exception in the midst of the import of pikepdf aborts the process with a traceback."""
    ended = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (143, "")


@pytest.mark.slow
def test_the_package_runs_as_a_module() -> None:
    ended = subprocess.run([sys.executable, "-m", "refgen", "--help"], capture_output=True, text=True, check=True)
    assert ended.stdout.startswith("Usage: refgen ")


LOADED = """
import sys
from refgen.cli import main
try:
    main(sys.argv[1:])
finally:
    print(sum(name.partition(".")[0] == "refgen" for name in sys.modules))
"""


@pytest.mark.slow
@pytest.mark.parametrize("system", [pytest.param("harmonies", marks=pytest.mark.soak), "interactive-history"])
def test_a_sheet_is_filled_with_few_modules(system: str, tmp_path: Path) -> None:
    """Without what makes other aids or reads other formats."""
    character = next((bundled_folder("content") / system / "characters").iterdir())
    arguments = ["sheet", system, str(character), "-o", str(tmp_path)]
    done = subprocess.run([sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, check=True)
    assert [*tmp_path.rglob("*.pdf")]
    assert int(done.stdout.splitlines()[-1]) <= 183
