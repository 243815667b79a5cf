"""Adds the components to the build, and the native program to a wheel for its platform."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

INSIDE = Path("src/callsheet")
COMPONENTS = ("callsheet.wasm", "callsheet-command.wasm")


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the components, which `cargo xtask component` builds beforehand; a source distribution contains them.

    If `CALLSHEET_NATIVE` names a native program, a wheel contains it and is tagged for its platform: `CALLSHEET_PLATFORM`, such
    as `macosx_11_0_arm64`, or this machine.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        include = build_data["force_include"]
        inside = "callsheet" if self.target_name == "wheel" else str(INSIDE)
        for component in self._components():
            if self.target_name == "sdist" or component.parent != Path(self.root) / INSIDE:
                include[str(component)] = f"{inside}/{component.name}"
        native = os.environ.get("CALLSHEET_NATIVE")
        if native and self.target_name == "wheel":
            include[native] = f"{inside}/bin/callsheet"
            build_data["pure_python"] = False
            # Package indexes refuse `linux_*`.
            here = next(tag for tag in platform_tags() if not tag.startswith("linux_"))
            platform = os.environ.get("CALLSHEET_PLATFORM", here)
            build_data["tag"] = f"py3-none-{platform}"

    def _components(self) -> list[Path]:
        here = Path(self.root)
        built = Path(os.environ.get("CARGO_TARGET_DIR", here / "../../target")) / COMPONENTS[0]
        component = Path(os.environ.get("CALLSHEET_COMPONENT", built))
        if (here / INSIDE / COMPONENTS[0]).exists():
            component = here / INSIDE / COMPONENTS[0]
        components = [component.with_name(name) if name != COMPONENTS[0] else component for name in COMPONENTS]
        for component in components:
            if not component.exists():
                raise FileNotFoundError(f"component not found at {component}: build it with `cargo xtask component`")
        return components
