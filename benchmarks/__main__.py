"""Run every benchmark: ``python -m benchmarks`` (or ``make bench``)."""

from __future__ import annotations

import os
import platform

from benchmarks import builds, cards, reading, resolver, screens, serve, sheets, site, startup

BENCHMARKS = (startup, reading, resolver, screens, sheets, cards, builds, serve, site)


def main() -> None:
    """Print the machine, then each benchmark."""
    print(f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores")
    for benchmark in BENCHMARKS:
        print(f"\n{(benchmark.__doc__ or '').splitlines()[0]}")
        for line in benchmark.run():
            print(f"  {line}")


if __name__ == "__main__":
    main()
