"""Exceptions."""

from __future__ import annotations

from typing import Any, ClassVar, Optional


class Error(Exception):
    """Base class of all errors. Problems in agent files are diagnostics, never errors."""


class Failure(Error):
    """An error of the contract. Each case has its own class."""

    tag: ClassVar[str]
    """The contract's name of the case."""

    def __init__(self, value: Any = None) -> None:
        super().__init__(value)
        self.value = value

    def __str__(self) -> str:
        return _words(self.tag, self.value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.value == getattr(other, "value", None)

    __hash__ = Error.__hash__


class PathError(Error):
    """A path from the caller cannot be read."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"cannot read {path}: {reason}")
        self.path = path


class ComponentError(Error):
    """The component could not be loaded."""


class Trap(Error):
    """The component failed, which is a bug in Callsheet. The next call works again."""

    def __init__(self, doing: str, path: Optional[str], reason: str) -> None:
        last = f" (the file read last was {path})" if path else ""
        report = "This is a bug in Callsheet; please report it with that file"
        super().__init__(f"the component failed in {doing}{last}: {reason}. {report}")
        self.path = path
        """The file read last. The component cannot read it again."""


class Lost(Error):
    """The component failed earlier, and its objects are lost. The last snapshot of a session can be restored."""

    def __init__(self) -> None:
        super().__init__("lost because the component failed; restore the last snapshot of the session")


_TEXTS = {
    "registered": "agent `{}` is already registered",
    "bad-inline": "cannot read inline agents: {}",
    "unusable": "the definition does not load: {}",
    "unreadable": "cannot edit the file: {}",
    "not-outstanding": "step {} is not outstanding",
    "unfit-reply": "the reply to step {} is of the wrong kind",
    "bad-snapshot": "not a snapshot of this version",
    "finished": "the session has ended",
    "not-found": "not found",
    "denied": "permission denied",
    "not-a-directory": "not a directory",
    "too-large": "file is too large: {} bytes",
    "timed-out": "timed out",
}


def _words(tag: str, value: Any) -> str:
    if tag == "unknown-dialect":
        return "unknown dialect" + (f"; did you mean `{value}`?" if value else "")
    if tag == "unknown-agent":
        nearest = f"; did you mean `{value.nearest}`?" if value.nearest else ""
        return f"no active agent `{value.name}`{nearest}"
    if tag == "invalid":
        similar = f"; did you mean `{value.similar}`?" if value.similar else ""
        return f"{value.problem}{similar}"
    if tag == "refused":
        # The report also contains fields that were kept.
        refused = [line.reason for line in value if getattr(line, "fate", "refused") == "refused"]
        return f"cannot be converted: {'; '.join(refused)}"
    text = _TEXTS.get(tag, "{}")
    return text.format(value) if "{}" in text or value is None else f"{text}: {value}"
