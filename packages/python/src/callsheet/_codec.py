"""Values of the contract to and from the values of wasmtime's C interface.

The bindings of `wasmtime` ask for the type of every value again, and lower a list of bytes one by one: 4 s for 3.4 MB.
What types there are is known here beforehand, so a codec for each is made once, and bytes are spread out by slices.
"""

from __future__ import annotations

import ctypes
import functools
import struct
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Optional, Union, get_args, get_origin, get_type_hints

from wasmtime import _ffi as ffi

Value = ffi.wasmtime_component_val_t

_SIZE = ctypes.sizeof(Value)
_OF = Value.of.offset
_ENTRY = ctypes.sizeof(ffi.wasmtime_component_valrecord_entry_t)
_IN_ENTRY = ffi.wasmtime_component_valrecord_entry_t.val.offset
_POINTER = struct.Struct("=Q")
_VECTOR = struct.Struct("=QQ")
_VARIANT = struct.Struct("=QQQ")
# Bytes are spread out piece by piece: each takes as much room as any other value.
_PIECE = 1 << 16


class Codec:
    """How values of one type are read and written. `at` is where a value begins."""

    kind: int

    def lift(self, raw: bytes, at: int) -> Any:
        if raw[at] != self.kind:
            raise TypeError("the component answers in another way than its contract says: it is of another release")
        return self.read(raw, at + _OF)

    def read(self, raw: bytes, at: int) -> Any:
        raise NotImplementedError

    def lower(self, value: Any, into: Any) -> None:
        """`into` is zero before. It can be deleted however far this comes."""
        raise NotImplementedError


class _Bool(Codec):
    kind = ffi.WASMTIME_COMPONENT_BOOL.value

    def read(self, raw: bytes, at: int) -> bool:
        return raw[at] != 0

    def lower(self, value: Any, into: Any) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"expected True or False, not {value!r}")
        into.kind, into.of.boolean = self.kind, value


class _Integer(Codec):
    def __init__(self, name: str, kind: Any, form: str) -> None:
        self.kind, self.name, self.form = kind.value, name, struct.Struct("=" + form)

    def read(self, raw: bytes, at: int) -> int:
        number: int = self.form.unpack_from(raw, at)[0]
        return number

    def lower(self, value: Any, into: Any) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"expected a whole number, not {value!r}")
        try:
            self.form.pack(value)
        except struct.error as error:
            raise ValueError(f"{value} is out of the range of {self.name}: {error}") from None
        into.kind = self.kind
        setattr(into.of, self.name, value)


class _String(Codec):
    kind = ffi.WASMTIME_COMPONENT_STRING.value

    def read(self, raw: bytes, at: int) -> str:
        return _text(*_VECTOR.unpack_from(raw, at)).decode()

    def lower(self, value: Any, into: Any) -> None:
        if not isinstance(value, str):
            raise TypeError(f"expected a str, not {value!r}")
        _write(value, into.of.string)
        into.kind = self.kind


class _Bytes(Codec):
    kind = ffi.WASMTIME_COMPONENT_LIST.value

    def read(self, raw: bytes, at: int) -> bytes:
        size, data = _VECTOR.unpack_from(raw, at)
        return ctypes.string_at(data, size * _SIZE)[_OF::_SIZE] if size else b""

    def lower(self, value: Any, into: Any) -> None:
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise TypeError(f"expected bytes, not {type(value).__name__}")
        data = _elements(ffi.wasmtime_component_vallist_new_uninit, into.of.list, len(value), _SIZE)
        into.kind = self.kind
        piece = bytearray(min(len(value), _PIECE) * _SIZE)
        piece[::_SIZE] = bytes([ffi.WASMTIME_COMPONENT_U8.value]) * (len(piece) // _SIZE)
        for start in range(0, len(value), _PIECE):
            part = value[start : start + _PIECE]
            del piece[len(part) * _SIZE :]
            piece[_OF::_SIZE] = part
            ctypes.memmove(data + start * _SIZE, bytes(piece), len(piece))


class _List(Codec):
    kind = ffi.WASMTIME_COMPONENT_LIST.value

    def __init__(self, of: Codec) -> None:
        self.of = of

    def read(self, raw: bytes, at: int) -> list[Any]:
        size, data = _VECTOR.unpack_from(raw, at)
        if not size:
            return []
        values, lift = ctypes.string_at(data, size * _SIZE), self.of.lift
        return [lift(values, at) for at in range(0, size * _SIZE, _SIZE)]

    def lower(self, value: Any, into: Any) -> None:
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"expected a list, not {value!r}")
        _elements(ffi.wasmtime_component_vallist_new_uninit, into.of.list, len(value), _SIZE)
        into.kind = self.kind
        for index, element in enumerate(value):
            self.of.lower(element, into.of.list.data[index])


class _Tuple(Codec):
    kind = ffi.WASMTIME_COMPONENT_TUPLE.value

    def __init__(self, of: list[Codec]) -> None:
        self.of = of

    def read(self, raw: bytes, at: int) -> tuple[Any, ...]:
        size, data = _VECTOR.unpack_from(raw, at)
        values = ctypes.string_at(data, size * _SIZE)
        return tuple(codec.lift(values, index * _SIZE) for index, codec in enumerate(self.of))

    def lower(self, value: Any, into: Any) -> None:
        if len(value) != len(self.of):
            raise TypeError(f"expected {len(self.of)} values, not {value!r}")
        _elements(ffi.wasmtime_component_valtuple_new_uninit, into.of.tuple, len(value), _SIZE)
        into.kind = self.kind
        for index, codec in enumerate(self.of):
            codec.lower(value[index], into.of.tuple.data[index])


class _Record(Codec):
    kind = ffi.WASMTIME_COMPONENT_RECORD.value

    def __init__(self, of: type[Any], members: list[tuple[str, Codec]]) -> None:
        self.of, self.members = of, members

    def read(self, raw: bytes, at: int) -> Any:
        size, data = _VECTOR.unpack_from(raw, at)
        if size != len(self.members):
            raise TypeError(f"the component's {self.of.__name__} has other fields than its contract says")
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
        _elements(ffi.wasmtime_component_valrecord_new_uninit, entries, len(self.members), _ENTRY)
        into.kind = self.kind
        for index, (name, codec) in enumerate(self.members):
            _write(name.rstrip("_").replace("_", "-"), entries.data[index].name)
            codec.lower(getattr(value, name), entries.data[index].val)


class _Word(Codec):
    kind = ffi.WASMTIME_COMPONENT_ENUM.value

    def __init__(self, of: type[Enum]) -> None:
        self.of, self.words = of, {word.value.encode(): word for word in of}

    def read(self, raw: bytes, at: int) -> Any:
        return self.words[_text(*_VECTOR.unpack_from(raw, at))]

    def lower(self, value: Any, into: Any) -> None:
        _write(self.of(value).value, into.of.enumeration)
        into.kind = self.kind


class _Option(Codec):
    kind = ffi.WASMTIME_COMPONENT_OPTION.value

    def __init__(self, of: Codec) -> None:
        self.of = of

    def read(self, raw: bytes, at: int) -> Any:
        (held,) = _POINTER.unpack_from(raw, at)
        return self.of.lift(ctypes.string_at(held, _SIZE), 0) if held else None

    def lower(self, value: Any, into: Any) -> None:
        into.kind = self.kind
        if value is not None:
            into.of.option = _new()
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
        case = self.tags[_text(size, tag)]
        of = self.codecs[case]
        return case() if of is None else case(of.lift(ctypes.string_at(held, _SIZE), 0))

    def lower(self, value: Any, into: Any) -> None:
        case = next((case for case in self.cases if isinstance(value, case)), None)
        if case is None:
            raise TypeError(f"expected one of {', '.join(it.__name__ for it in self.cases)}, not {value!r}")
        into.kind = self.kind
        _write(case.tag, into.of.variant.discriminant)  # type: ignore[attr-defined]
        of = self.codecs[case]
        if of is not None:
            into.of.variant.val = _new()
            of.lower(value.value, into.of.variant.val.contents)


class Result(Codec):
    """What a call that may fail answers: the value, or the error raised."""

    kind = ffi.WASMTIME_COMPONENT_RESULT.value

    def __init__(self, answer: Optional[Codec], failure: Codec) -> None:
        self.answer, self.failure = answer, failure

    def read(self, raw: bytes, at: int) -> Any:
        (held,) = _POINTER.unpack_from(raw, at + 8)
        value = ctypes.string_at(held, _SIZE) if held else b""
        if not raw[at]:
            raise self.failure.lift(value, 0)
        return None if self.answer is None else self.answer.lift(value, 0)

    def lower(self, value: Any, into: Any) -> None:
        """An error is a value here."""
        failed = isinstance(value, BaseException)
        into.kind, into.of.result.is_ok = self.kind, not failed
        of = self.failure if failed else self.answer
        if of is not None:
            into.of.result.val = _new()
            of.lower(value, into.of.result.val.contents)


class Handle(Codec):
    """A resource: what is read is a pointer that is the reader's own."""

    kind = ffi.WASMTIME_COMPONENT_RESOURCE.value

    def read(self, raw: bytes, at: int) -> Any:
        (held,) = _POINTER.unpack_from(raw, at)
        borrowed = ctypes.cast(held, ctypes.POINTER(ffi.wasmtime_component_resource_any_t))
        return ffi.wasmtime_component_resource_any_clone(borrowed)

    def lower(self, value: Any, into: Any) -> None:
        into.of.resource = ffi.wasmtime_component_resource_any_clone(value.borrow())
        into.kind = self.kind


_INTEGERS = {
    "u8": _Integer("u8", ffi.WASMTIME_COMPONENT_U8, "B"),
    "u32": _Integer("u32", ffi.WASMTIME_COMPONENT_U32, "I"),
    "u64": _Integer("u64", ffi.WASMTIME_COMPONENT_U64, "Q"),
    "s64": _Integer("s64", ffi.WASMTIME_COMPONENT_S64, "q"),
}
_PLAIN: dict[Any, Codec] = {bool: _Bool(), str: _String(), bytes: _Bytes()}


@functools.cache
def codec(hint: Any) -> Codec:
    """The codec of a type as the contract's modules write it."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if hasattr(hint, "__metadata__"):
        return _INTEGERS[hint.__metadata__[0]]
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


def raw(value: Any) -> bytes:
    """A value's own bytes, for `lift`."""
    return ctypes.string_at(ctypes.addressof(value), _SIZE)


def _text(size: int, data: int) -> bytes:
    return ctypes.string_at(data, size) if size else b""


def _write(text: str, into: Any) -> None:
    encoded = text.encode()
    ffi.wasm_byte_vec_new_uninitialized(ctypes.byref(into), len(encoded))
    ctypes.memmove(into.data, encoded, len(encoded))


def _new() -> Any:
    return ffi.wasmtime_component_val_new(ctypes.byref(Value()))


def _elements(new: Callable[[Any, int], None], vector: Any, count: int, size: int) -> int:
    """Room for this many elements, each of which is zero."""
    new(ctypes.byref(vector), count)
    address = ctypes.cast(vector.data, ctypes.c_void_p).value or 0
    if count:
        ctypes.memset(address, 0, count * size)
    return address
