"""Things by name, of which few may be remembered."""

from __future__ import annotations

from refgen.catalog import LazyMapping


def made(most: int | None) -> tuple[LazyMapping[str], list[str]]:
    """Three things, and the names of those that were made."""
    names: list[str] = []

    def make(name: str) -> str:
        names.append(name)
        return name.upper()

    return LazyMapping(["one", "two", "three"], make, most), names


def test_of_many_things_the_last_that_were_asked_for_are_remembered() -> None:
    things, names = made(2)
    for name in ("one", "two", "one", "three", "one", "two"):
        assert things[name] == name.upper()
    assert names == ["one", "two", "three", "two"]


def test_one_of_many_that_is_forgotten_is_made_again() -> None:
    things, names = made(2)
    things.forget("one")
    assert things["one"] == "ONE"
    things.forget("one")
    things.forget("one")
    assert things["one"] == "ONE"
    assert names == ["one", "one"]


def test_where_all_are_remembered_none_is_forgotten() -> None:
    for most in (3, None):
        things, names = made(most)
        assert things["one"] == "ONE"
        things.forget("one")
        assert things["one"] == "ONE"
        assert names == ["one"]
