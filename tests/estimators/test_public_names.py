"""The names of the package."""

from __future__ import annotations

import pytest

import weaklearn as wl


def test_dir_shows_public_names_only() -> None:
    assert dir(wl) == sorted([*wl.__all__, "__version__"])
    for name in wl.__all__:
        assert getattr(wl, name) is not None
    assert dir(wl) == sorted([*wl.__all__, "__version__"])  # also when all are imported


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="module 'weaklearn' has no attribute 'Oak'"):
        wl.Oak  # noqa: B018
