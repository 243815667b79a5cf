"""Adds the component to the build."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INSIDE = Path("src/callsheet/callsheet.wasm")


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the component, which `cargo xtask component` builds beforehand; a source distribution contains it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        here = Path(self.root)
        if (here / INSIDE).exists():
            component = here / INSIDE
        else:
            built = Path(os.environ.get("CARGO_TARGET_DIR", here / "../../target")) / "callsheet.wasm"
            component = Path(os.environ.get("CALLSHEET_COMPONENT", built))
        if not component.exists():
            raise FileNotFoundError(f"component not found at {component}: build it with `cargo xtask component`")
        if self.target_name == "sdist":
            build_data["force_include"][str(component)] = str(INSIDE)
        elif component != here / INSIDE:
            build_data["force_include"][str(component)] = "callsheet/callsheet.wasm"
