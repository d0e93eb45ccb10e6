"""What tests in a browser share: one Chromium a worker."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests that start a browser are slow."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if path is None:
        pytest.skip(f"no browser is installed: one of {', '.join(BROWSERS)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
