"""Loading and caching of the component."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from callsheet import Callsheet, ComponentError
from callsheet._component import load, packaged

# The smallest component: magic number and version.
EMPTY = b"\0asm\x0d\0\x01\0"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A separate cache that this process has not used."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "empty.wasm").write_bytes(EMPTY)
    yield tmp_path / "cache/callsheet/python"
    load.cache_clear()


def loaded(cache: Path) -> None:
    """Loads a component like a new process."""
    load.cache_clear()
    load(cache.parents[2] / "empty.wasm", ())


def test_is_compiled_once(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    loaded(cache)
    (kept,) = cache.iterdir()
    assert (cache.stat().st_mode & 0o777, kept.stat().st_mode & 0o777) == (0o700, 0o600)
    written = kept.stat().st_mtime_ns
    loaded(cache)
    assert kept.stat().st_mtime_ns == written
    assert not caplog.records


def test_a_damaged_cache_is_ignored(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    loaded(cache)
    (kept,) = cache.iterdir()
    contents = kept.read_bytes()
    kept.write_bytes(contents[:-1] + bytes([contents[-1] ^ 1]))
    loaded(cache)
    assert "it is damaged" in caplog.text
    assert kept.read_bytes() == contents


def test_a_cache_writable_by_others_is_ignored(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    loaded(cache)
    (kept,) = cache.iterdir()
    kept.chmod(0o666)
    loaded(cache)
    assert "writable by other users" in caplog.text
    cache.chmod(0o777)
    loaded(cache)
    assert "compiled on every start" in caplog.text


def test_a_link_is_not_a_cache(cache: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "elsewhere").mkdir()
    cache.parent.mkdir(parents=True)
    cache.symlink_to(tmp_path / "elsewhere")
    loaded(cache)
    assert "unexpected file type" in caplog.text
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_works_without_a_cache(cache: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "callsheet")
    (tmp_path / "cache").write_text("no directory")
    loaded(cache)
    assert "compiled on every start" in caplog.text


def test_an_invalid_component_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ComponentError, match="cannot read"):
        Callsheet(files={}, component=tmp_path / "none.wasm")
    (tmp_path / "bad.wasm").write_bytes(b"nothing of the kind")
    with pytest.raises(ComponentError, match="not a component that runs here"):
        Callsheet(files={}, component=tmp_path / "bad.wasm")


def test_a_custom_component_is_used(tmp_path: Path) -> None:
    own = tmp_path / "own.wasm"
    own.write_bytes(packaged().read_bytes())
    assert Callsheet(files={}, component=own).rules()
