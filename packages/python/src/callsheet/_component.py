"""Loads the component, which is compiled once per user and release of wasmtime."""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import platform
import stat
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Optional

from wasmtime import Engine, WasmtimeError
from wasmtime.component import Component

from ._errors import ComponentError
from ._types import Function

_LOG = logging.getLogger("callsheet")
PACKAGED = Path(__file__).with_name("callsheet.wasm")
COMMAND = Path(__file__).with_name("callsheet-command.wasm")
"""The component with a command line, which needs WASI."""


@dataclass(frozen=True)
class Loaded:
    """The compiled component and its imports."""

    engine: Engine
    component: Component
    imports: tuple[Function, ...]

    @property
    def interfaces(self) -> list[str]:
        return sorted({function.interface for function in self.imports})


def packaged() -> Path:
    """The component of this package, or the one that `CALLSHEET_COMPONENT` names."""
    named = os.environ.get("CALLSHEET_COMPONENT")
    if not named and not PACKAGED.exists():
        raise ComponentError(
            f"component not found at {PACKAGED}: build it with `cargo xtask component` and set the variable "
            "CALLSHEET_COMPONENT"
        )
    return Path(named) if named else PACKAGED


@functools.cache
def load(file: Path, imports: tuple[Function, ...]) -> Loaded:
    """Loads a component, from the cache if it was compiled before."""
    try:
        wasm = file.read_bytes()
    except OSError as error:
        raise ComponentError(f"cannot read {file}: {error.strerror}") from None
    engine = Engine()
    try:
        return Loaded(engine, _compiled(engine, wasm), imports)
    except WasmtimeError as error:
        raise ComponentError(f"{file} is not a component that runs here: {error}") from None


def _compiled(engine: Engine, wasm: bytes) -> Component:
    cache = _Cache.of_user()
    name = f"{hashlib.sha256(wasm).hexdigest()[:32]}-{version('wasmtime')}-{platform.machine()}"
    found = cache and cache.read(name)
    if found:
        try:
            return Component.deserialize(engine, found)
        except WasmtimeError as error:
            _LOG.debug("the cached component cannot be used: %s", error)
    component = Component(engine, wasm)
    if cache:
        cache.write(name, bytes(component.serialize()))
    return component


@dataclass(frozen=True)
class _Cache:
    """A directory that only the user can write to, because its files are executed."""

    directory: Path

    @classmethod
    def of_user(cls) -> Optional[_Cache]:
        if not hasattr(os, "geteuid"):
            _LOG.info("the component is compiled on every start: this system does not report file owners")
            return None
        usual = Path("~/Library/Caches" if sys.platform == "darwin" else "~/.cache")
        named = Path(os.environ.get("XDG_CACHE_HOME", ""))
        directory = (named if named.is_absolute() else usual) / "callsheet" / "python"
        try:
            directory = directory.expanduser()
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            reason = _reason(os.lstat(directory), stat.S_ISDIR)
        except (OSError, RuntimeError) as error:
            reason = str(error)
        if reason:
            _LOG.warning("the component is compiled on every start: %s: %s", directory, reason)
        return None if reason else cls(directory)

    def read(self, name: str) -> Optional[bytes]:
        """None if the file is missing or cannot be trusted."""
        try:
            opened = os.open(self.directory / name, os.O_RDONLY | os.O_NOFOLLOW)
        except OSError:
            return None
        with open(opened, "rb") as file:
            reason = _reason(os.fstat(opened), stat.S_ISREG)
            digest, contents = file.read(32), b"" if reason else file.read()
        if reason or hashlib.sha256(contents).digest() != digest:
            _LOG.warning("%s is ignored: %s", self.directory / name, reason or "it is damaged")
            return None
        return contents

    def write(self, name: str, contents: bytes) -> None:
        """Writes atomically. Keeps files of other releases, which may be in use."""
        try:
            with tempfile.TemporaryDirectory(dir=self.directory) as unfinished:
                written = Path(unfinished) / name
                written.touch(mode=0o600)
                written.write_bytes(hashlib.sha256(contents).digest() + contents)
                written.replace(self.directory / name)
        except OSError as error:
            _LOG.warning("the component is compiled on every start: %s", error)


def _reason(found: os.stat_result, is_right: object) -> Optional[str]:
    """Why a file cannot be trusted, or None."""
    if not callable(is_right) or not is_right(found.st_mode):
        return "unexpected file type"
    if found.st_uid != os.geteuid():
        return "owned by another user"
    return "writable by other users" if found.st_mode & 0o022 else None
