"""What can go wrong."""

from __future__ import annotations

from typing import Any, ClassVar, Optional


class Error(Exception):
    """Any failure of a call. What is wrong with agent files is never an error but a diagnostic."""


class Failure(Error):
    """An error that the contract foresees. Each of its cases is a class of its own."""

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
    """A file or a directory that the caller named could not be had."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"cannot read {path}: {reason}")
        self.path = path


class ComponentError(Error):
    """The component could not be loaded."""


class Trap(Error):
    """The component failed. That is a bug of ours; the next call works again."""

    def __init__(self, doing: str, path: Optional[str], reason: str) -> None:
        last = f" (the file read last was {path})" if path else ""
        report = "This is a bug in Callsheet; please report it with that file"
        super().__init__(f"the component failed in {doing}{last}: {reason}. {report}")
        self.path = path
        """The file that was read last. It is withheld from the component from then on."""


class Lost(Error):
    """The component failed before, and what lived in it is gone. The last snapshot of a session can be restored."""

    def __init__(self) -> None:
        super().__init__("it was lost when the component failed; a session's last snapshot can be restored")


_TEXTS = {
    "registered": "an agent `{}` is registered already",
    "bad-inline": "the agents given inline cannot be read: {}",
    "unusable": "the definition does not load: {}",
    "unreadable": "it cannot be edited: {}",
    "not-outstanding": "step {} is not outstanding",
    "unfit-reply": "the reply to step {} is of the wrong kind",
    "bad-snapshot": "it is no snapshot of a session of this version",
    "finished": "the session has ended",
    "not-found": "there is nothing of this name",
    "denied": "it is not permitted",
    "not-a-directory": "it is no directory",
    "too-large": "{} bytes are too many",
    "timed-out": "it took too long",
}


def _words(tag: str, value: Any) -> str:
    if tag == "unknown-dialect":
        return "there is no such dialect" + (f"; did you mean `{value}`?" if value else "")
    if tag == "unknown-agent":
        nearest = f"; did you mean `{value.nearest}`?" if value.nearest else ""
        return f"no agent `{value.name}` is in force{nearest}"
    if tag == "refused":
        # A report tells of what was kept, too.
        refused = [line.reason for line in value if getattr(line, "fate", "refused") == "refused"]
        return f"it cannot be said in that dialect: {'; '.join(refused)}"
    text = _TEXTS.get(tag, "{}")
    return text.format(value) if "{}" in text or value is None else f"{text}: {value}"
