"""Puts the component, and the licences of the project, into what is built."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

REPOSITORY = Path(__file__).parents[2]
INSIDE = "src/callsheet/callsheet.wasm"


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """The component is built before, by `cargo build -p callsheet`. A source distribution holds it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        included = build_data["force_include"]
        target = "callsheet/callsheet.wasm" if self.target_name == "wheel" else INSIDE
        unpacked = Path(self.root) / INSIDE
        if unpacked.exists():
            if self.target_name == "wheel":
                return
            included[str(unpacked)] = target
            return
        component = _component()
        if not component.exists():
            raise FileNotFoundError(f"there is no component at {component}: build it with `cargo build -p callsheet`")
        included[str(component)] = target


def _component() -> Path:
    built = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "callsheet.wasm"
    return Path(os.environ.get("CALLSHEET_COMPONENT", built))
