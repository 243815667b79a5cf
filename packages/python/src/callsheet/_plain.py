"""Codecs between plain values and the values of wasmtime's C interface.

The bindings of `wasmtime` look up the type of every value again, and pass a list of bytes one by one: 4 s for 3.4 MB. Here,
each type has a codec that is created once, and bytes are copied in slices.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

from wasmtime import _ffi as ffi

Value = ffi.wasmtime_component_val_t

SIZE = ctypes.sizeof(Value)
OF = Value.of.offset
VECTOR = struct.Struct("=QQ")
# Bytes are copied in slices, since each takes as much memory as any other value.
_PIECE = 1 << 16


class Codec:
    """Reads and writes values of one type. `at` is the start of a value."""

    kind: int

    def lift(self, raw: bytes, at: int) -> Any:
        if raw[at] != self.kind:
            raise TypeError("unexpected value from the component: it is from another release")
        return self.read(raw, at + OF)

    def read(self, raw: bytes, at: int) -> Any:
        raise NotImplementedError

    def lower(self, value: Any, into: Any) -> None:
        """`into` is zeroed before. It must be deletable wherever this fails."""
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
            raise ValueError(f"{value} is out of range for {self.name}: {error}") from None
        into.kind = self.kind
        setattr(into.of, self.name, value)


class _String(Codec):
    kind = ffi.WASMTIME_COMPONENT_STRING.value

    def read(self, raw: bytes, at: int) -> str:
        return text(*VECTOR.unpack_from(raw, at)).decode()

    def lower(self, value: Any, into: Any) -> None:
        if not isinstance(value, str):
            raise TypeError(f"expected a str, not {value!r}")
        write(value, into.of.string)
        into.kind = self.kind


class _Bytes(Codec):
    kind = ffi.WASMTIME_COMPONENT_LIST.value

    def read(self, raw: bytes, at: int) -> bytes:
        size, data = VECTOR.unpack_from(raw, at)
        return ctypes.string_at(data, size * SIZE)[OF::SIZE] if size else b""

    def lower(self, value: Any, into: Any) -> None:
        if not isinstance(value, (bytes, bytearray)):
            raise TypeError(f"expected bytes, not {type(value).__name__}")
        data = elements(ffi.wasmtime_component_vallist_new_uninit, into.of.list, len(value), SIZE)
        into.kind = self.kind
        piece = bytearray(min(len(value), _PIECE) * SIZE)
        piece[::SIZE] = bytes([ffi.WASMTIME_COMPONENT_U8.value]) * (len(piece) // SIZE)
        for start in range(0, len(value), _PIECE):
            part = value[start : start + _PIECE]
            del piece[len(part) * SIZE :]
            piece[OF::SIZE] = part
            ctypes.memmove(data + start * SIZE, bytes(piece), len(piece))


INTEGERS = {
    "u8": _Integer("u8", ffi.WASMTIME_COMPONENT_U8, "B"),
    "u32": _Integer("u32", ffi.WASMTIME_COMPONENT_U32, "I"),
    "u64": _Integer("u64", ffi.WASMTIME_COMPONENT_U64, "Q"),
    "s64": _Integer("s64", ffi.WASMTIME_COMPONENT_S64, "q"),
}
PLAIN: dict[Any, Codec] = {bool: _Bool(), str: _String(), bytes: _Bytes()}


def raw(value: Any) -> bytes:
    """The bytes of a value, for `lift`."""
    return ctypes.string_at(ctypes.addressof(value), SIZE)


def text(size: int, data: int) -> bytes:
    """The bytes of a string that is stored elsewhere."""
    return ctypes.string_at(data, size) if size else b""


def write(text: str, into: Any) -> None:
    """Writes a string into a byte vector."""
    encoded = text.encode()
    ffi.wasm_byte_vec_new_uninitialized(ctypes.byref(into), len(encoded))
    ctypes.memmove(into.data, encoded, len(encoded))


def new_value() -> Any:
    """A zeroed value."""
    return ffi.wasmtime_component_val_new(ctypes.byref(Value()))


def elements(new: Callable[[Any, int], None], vector: Any, count: int, size: int) -> int:
    """This many zeroed elements."""
    new(ctypes.byref(vector), count)
    address = ctypes.cast(vector.data, ctypes.c_void_p).value or 0
    if count:
        ctypes.memset(address, 0, count * size)
    return address
