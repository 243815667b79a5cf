"""The public names."""

from ._callsheet import Callsheet
from ._catalog import Catalog
from ._check import Finding, sources
from ._check import check_target as check
from ._drive import Clock, adrive, drive
from ._edited import edited
from ._errors import ComponentError, Error, Failure, Lost, PathError, Trap
from ._virtual import VirtualFiles
from .contract.conversation import ModelAnswer, ModelRequest, ToolAnswer, ToolCall, ToolRequest, ToolSpec
from .contract.delegation import (
    Bounds,
    EndingAnswer,
    EndingBound,
    EndingCancelled,
    EndingFailed,
    ModelChoice,
    Outcome,
    PermissionMode,
    Repository,
    Session,
    Settings,
    Surroundings,
    Task,
)
from .contract.types import Agent, Diagnostic, Severity

__all__ = [
    "Agent",
    "Bounds",
    "Callsheet",
    "Catalog",
    "Clock",
    "ComponentError",
    "Diagnostic",
    "EndingAnswer",
    "EndingBound",
    "EndingCancelled",
    "EndingFailed",
    "Error",
    "Failure",
    "Finding",
    "Lost",
    "ModelAnswer",
    "ModelChoice",
    "ModelRequest",
    "Outcome",
    "PathError",
    "PermissionMode",
    "Repository",
    "Session",
    "Settings",
    "Severity",
    "Surroundings",
    "Task",
    "ToolAnswer",
    "ToolCall",
    "ToolRequest",
    "ToolSpec",
    "Trap",
    "VirtualFiles",
    "adrive",
    "check",
    "drive",
    "edited",
    "sources",
]
