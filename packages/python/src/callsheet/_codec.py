"""Codecs between contract types and the values of wasmtime's C interface."""

from __future__ import annotations

import ctypes
import functools
import struct
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Optional, Union, get_args, get_origin, get_type_hints

from wasmtime import _ffi as ffi

from ._plain import INTEGERS, PLAIN, SIZE, VECTOR, Codec, Value, elements, new_value, raw, text, write

__all__ = ["Codec", "Handle", "Result", "Value", "codec", "raw"]

_ENTRY = ctypes.sizeof(ffi.wasmtime_component_valrecord_entry_t)
_IN_ENTRY = ffi.wasmtime_component_valrecord_entry_t.val.offset
_POINTER = struct.Struct("=Q")
_VARIANT = struct.Struct("=QQQ")


class _List(Codec):
    kind = ffi.WASMTIME_COMPONENT_LIST.value

    def __init__(self, of: Codec) -> None:
        self.of = of

    def read(self, raw: bytes, at: int) -> list[Any]:
        size, data = VECTOR.unpack_from(raw, at)
        if not size:
            return []
        values, lift = ctypes.string_at(data, size * SIZE), self.of.lift
        return [lift(values, at) for at in range(0, size * SIZE, SIZE)]

    def lower(self, value: Any, into: Any) -> None:
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"expected a list, not {value!r}")
        elements(ffi.wasmtime_component_vallist_new_uninit, into.of.list, len(value), SIZE)
        into.kind = self.kind
        for index, element in enumerate(value):
            self.of.lower(element, into.of.list.data[index])


class _Tuple(Codec):
    kind = ffi.WASMTIME_COMPONENT_TUPLE.value

    def __init__(self, of: list[Codec]) -> None:
        self.of = of

    def read(self, raw: bytes, at: int) -> tuple[Any, ...]:
        size, data = VECTOR.unpack_from(raw, at)
        values = ctypes.string_at(data, size * SIZE)
        return tuple(codec.lift(values, index * SIZE) for index, codec in enumerate(self.of))

    def lower(self, value: Any, into: Any) -> None:
        if len(value) != len(self.of):
            raise TypeError(f"expected {len(self.of)} values, not {value!r}")
        elements(ffi.wasmtime_component_valtuple_new_uninit, into.of.tuple, len(value), SIZE)
        into.kind = self.kind
        for index, codec in enumerate(self.of):
            codec.lower(value[index], into.of.tuple.data[index])


class _Record(Codec):
    kind = ffi.WASMTIME_COMPONENT_RECORD.value

    def __init__(self, of: type[Any], members: list[tuple[str, Codec]]) -> None:
        self.of, self.members = of, members

    def read(self, raw: bytes, at: int) -> Any:
        size, data = VECTOR.unpack_from(raw, at)
        if size != len(self.members):
            raise TypeError(f"the fields of {self.of.__name__} in the component differ from the contract")
        entries, begin = ctypes.string_at(data, size * _ENTRY), _IN_ENTRY
        record = object.__new__(self.of)
        held = record.__dict__
        for name, codec in self.members:
            held[name] = codec.lift(entries, begin)
            begin += _ENTRY
        return record

    def lower(self, value: Any, into: Any) -> None:
        if not isinstance(value, self.of):
            raise TypeError(f"expected {self.of.__name__}, not {value!r}")
        entries = into.of.record
        elements(ffi.wasmtime_component_valrecord_new_uninit, entries, len(self.members), _ENTRY)
        into.kind = self.kind
        for index, (name, codec) in enumerate(self.members):
            write(name.rstrip("_").replace("_", "-"), entries.data[index].name)
            codec.lower(getattr(value, name), entries.data[index].val)


class _Word(Codec):
    kind = ffi.WASMTIME_COMPONENT_ENUM.value

    def __init__(self, of: type[Enum]) -> None:
        self.of, self.words = of, {word.value.encode(): word for word in of}

    def read(self, raw: bytes, at: int) -> Any:
        return self.words[text(*VECTOR.unpack_from(raw, at))]

    def lower(self, value: Any, into: Any) -> None:
        write(self.of(value).value, into.of.enumeration)
        into.kind = self.kind


class _Option(Codec):
    kind = ffi.WASMTIME_COMPONENT_OPTION.value

    def __init__(self, of: Codec) -> None:
        self.of = of

    def read(self, raw: bytes, at: int) -> Any:
        (held,) = _POINTER.unpack_from(raw, at)
        return self.of.lift(ctypes.string_at(held, SIZE), 0) if held else None

    def lower(self, value: Any, into: Any) -> None:
        into.kind = self.kind
        if value is not None:
            into.of.option = new_value()
            self.of.lower(value, into.of.option.contents)


class _Variant(Codec):
    kind = ffi.WASMTIME_COMPONENT_VARIANT.value

    def __init__(self, cases: list[type]) -> None:
        self.cases = tuple(cases)
        payloads = {case: get_type_hints(case, include_extras=True).get("value") for case in cases}
        self.codecs = {case: None if hint is None else codec(hint) for case, hint in payloads.items()}
        self.tags = {case.tag.encode(): case for case in cases}  # type: ignore[attr-defined]

    def read(self, raw: bytes, at: int) -> Any:
        size, tag, held = _VARIANT.unpack_from(raw, at)
        case = self.tags[text(size, tag)]
        of = self.codecs[case]
        return case() if of is None else case(of.lift(ctypes.string_at(held, SIZE), 0))

    def lower(self, value: Any, into: Any) -> None:
        case = next((case for case in self.cases if isinstance(value, case)), None)
        if case is None:
            raise TypeError(f"expected one of {', '.join(it.__name__ for it in self.cases)}, not {value!r}")
        into.kind = self.kind
        write(case.tag, into.of.variant.discriminant)  # type: ignore[attr-defined]
        of = self.codecs[case]
        if of is not None:
            into.of.variant.val = new_value()
            of.lower(value.value, into.of.variant.val.contents)


class Result(Codec):
    """The result of a fallible call: returns the value, or raises the error."""

    kind = ffi.WASMTIME_COMPONENT_RESULT.value

    def __init__(self, answer: Optional[Codec], failure: Codec) -> None:
        self.answer, self.failure = answer, failure

    def read(self, raw: bytes, at: int) -> Any:
        (held,) = _POINTER.unpack_from(raw, at + 8)
        value = ctypes.string_at(held, SIZE) if held else b""
        if not raw[at]:
            raise self.failure.lift(value, 0)
        return None if self.answer is None else self.answer.lift(value, 0)

    def lower(self, value: Any, into: Any) -> None:
        """A result as a value: its error is returned."""
        failed = isinstance(value, BaseException)
        into.kind, into.of.result.is_ok = self.kind, not failed
        of = self.failure if failed else self.answer
        if of is not None:
            into.of.result.val = new_value()
            of.lower(value, into.of.result.val.contents)


class Handle(Codec):
    """A resource. Reading returns a pointer that the reader owns."""

    kind = ffi.WASMTIME_COMPONENT_RESOURCE.value

    def read(self, raw: bytes, at: int) -> Any:
        (held,) = _POINTER.unpack_from(raw, at)
        borrowed = ctypes.cast(held, ctypes.POINTER(ffi.wasmtime_component_resource_any_t))
        return ffi.wasmtime_component_resource_any_clone(borrowed)

    def lower(self, value: Any, into: Any) -> None:
        into.of.resource = ffi.wasmtime_component_resource_any_clone(value.borrow())
        into.kind = self.kind


@functools.cache
def codec(hint: Any) -> Codec:
    """The codec of a type in the contract's modules."""
    if hint in PLAIN:
        return PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if hasattr(hint, "__metadata__"):
        return INTEGERS[hint.__metadata__[0]]
    if origin is Union:
        cases = [argument for argument in arguments if argument is not type(None)]
        of = codec(cases[0]) if len(cases) == 1 and not hasattr(cases[0], "tag") else _Variant(cases)
        return of if len(cases) == len(arguments) else _Option(of)
    if origin is list:
        return _List(codec(arguments[0]))
    if origin is tuple:
        return _Tuple([codec(argument) for argument in arguments])
    if is_dataclass(hint):
        hints = get_type_hints(hint, include_extras=True)
        order = getattr(hint, "_order", None) or [field.name for field in fields(hint)]
        return _Record(hint, [(name, codec(hints[name])) for name in order])  # type: ignore[arg-type]
    if issubclass(hint, Enum):
        return _Word(hint)
    if issubclass(hint, Exception):
        return _Variant(hint.__subclasses__())
    return Handle()
