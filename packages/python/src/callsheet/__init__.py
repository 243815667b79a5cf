"""Lint, inspect, convert and run the agent files of a dozen tools.

All logic is in one WebAssembly component; `callsheet.contract` is its typed interface.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._library import *  # noqa: F403
else:

    def __getattr__(name: str) -> object:
        """Loads the library when one of its names is used: starting the native program does not need it."""
        # Not for the package's own modules, which import each other.
        if name == "__all__" or not name.startswith("_"):
            library = import_module("._library", __name__)
            if name in ("__all__", *library.__all__):
                return getattr(library, name)
            # The library imports `contract`, which is then here.
            if name in globals():
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *import_module("._library", __name__).__all__})
