"""The process that builds ends when its owner says so, whatever it is at."""

from __future__ import annotations

import signal
import subprocess
import sys

ENDS_WHILE_IT_TIDIES_UP = """
import os, signal, time
from refgen.serve.build_process import heed_signals

class Layout:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0)

heed_signals()
try:
    Layout()
    print("dropped", flush=True)
    time.sleep(60)
finally:
    print("tidy", flush=True)
"""
"""In such a method Python drops whatever is raised."""


def test_it_ends_where_what_a_signal_raises_is_dropped() -> None:
    process = subprocess.run(
        [sys.executable, "-c", ENDS_WHILE_IT_TIDIES_UP], capture_output=True, text=True, timeout=50, check=False
    )
    assert (process.returncode, process.stdout, process.stderr) == (128 + signal.SIGTERM, "dropped\ntidy\n", "")
