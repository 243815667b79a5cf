"""Building blocks for the contract's modules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, Optional

from ._codec import Codec, Result, Value, codec

U8 = Annotated[int, "u8"]
U32 = Annotated[int, "u32"]
U64 = Annotated[int, "u64"]
S64 = Annotated[int, "s64"]


class Word(str, Enum):
    """An enumeration value. It is equal to its contract name, such as `"error"`."""

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Own:
    """The result of a function that creates a resource."""

    of: type


@dataclass(frozen=True)
class Function:
    """A function of the contract, with its parameter, result and error types."""

    interface: str
    name: str
    parameters: tuple[Any, ...]
    answer: Any
    failure: Any

    @cached_property
    def takes(self) -> list[Codec]:
        return [codec(parameter) for parameter in self.parameters]

    @cached_property
    def room(self) -> Any:
        """Allocates the arguments."""
        return Value * len(self.parameters)

    @cached_property
    def answers(self) -> Optional[Codec]:
        hint = self.answer.of if isinstance(self.answer, Own) else self.answer
        of = None if hint is None else codec(hint)
        return of if self.failure is None else Result(of, codec(self.failure))
