"""One instance of the component with its imports."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections import deque
from typing import Any, Optional, Protocol

from wasmtime import Store, WasiConfig, WasmtimeError
from wasmtime import _ffi as ffi
from wasmtime.component import Instance, Linker

from ._codec import Value, raw
from ._component import Loaded
from ._errors import Error, Trap
from ._types import Function

# Callbacks have nothing to clean up.
_NOTHING = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(0)


class Imports(Protocol):
    """The functions that the component may call."""

    def answer(self, function: Function, arguments: list[Any]) -> Any:
        """Raises the function's own error, if any."""

    def begin(self) -> None:
        """Called before each call of the component."""

    def withhold_last(self) -> Optional[str]:
        """Called after the component failed: withholds the file that was read last, and returns its path."""


class Process:
    """The arguments and the output of a component with a command line, which gets no directories."""

    def __init__(self, arguments: list[str]) -> None:
        self.arguments = arguments
        self.failure: Optional[OSError] = None
        """Why the output could not be printed."""

    def print(self, contents: bytes) -> None:
        """Never fails, because wasmtime would print the exception to standard output."""
        try:
            while contents and self.failure is None:
                contents = contents[os.write(sys.stdout.fileno(), contents) :]
        except OSError as error:
            self.failure = error


class Sandbox:
    """An instance that is replaced when it fails. Serves one thread at a time."""

    def __init__(self, loaded: Loaded, host: Imports, memory_limit: int) -> None:
        self._loaded, self._host, self._memory_limit = loaded, host, memory_limit
        self.process: Optional[Process] = None
        """For a component that needs WASI. Set before the first call."""
        self.lock = threading.RLock()
        """Held while the component or its imports are in use."""
        self._live: Optional[_Live] = None
        self._inside = False
        self._raised: list[BaseException] = []
        self._left: deque[tuple[int, Any]] = deque()
        # These do not refer to the sandbox, so that it can be garbage-collected.
        self._imports = [(function, _callback(function, host, self._raised)) for function in loaded.imports]
        self.generation = 0
        """Number of instances that were discarded."""

    def call(self, function: Function, *arguments: Any) -> Any:
        """Calls the component, and raises the errors of the contract."""
        with self.lock:
            if self._inside:
                raise RuntimeError("a callback of the component cannot call the component")
            values = function.room()
            result = Value()
            try:
                for taken, argument, value in zip(function.takes, arguments, values):
                    taken.lower(argument, value)
                self._run(function, values, result)
                return None if function.answers is None else function.answers.lift(raw(result), 0)
            finally:
                for value in [*values, result]:
                    ffi.wasmtime_component_val_delete(ctypes.byref(value))

    def abandon(self, generation: int, handle: Any) -> None:
        """Marks a resource as unused. May be called from any thread at any time."""
        self._left.append((generation, handle))

    def _run(self, function: Function, values: Any, result: Any) -> None:
        self._host.begin()
        self._inside = True
        try:
            live = self._live = self._live or _Live(self._loaded, self._imports, self._memory_limit, self.process)
            self._sweep(live)
            live.call(function, values, result)
        except WasmtimeError as error:
            self._live = None
            self.generation += 1
            path = self._host.withhold_last()
            if self._raised:
                raise self._raised.pop() from None
            raise Trap(function.name, path, str(error).strip().splitlines()[-1].strip()) from error
        finally:
            self._inside = False

    def _sweep(self, live: _Live) -> None:
        while self._left:
            generation, handle = self._left.popleft()
            if generation == self.generation:
                live.drop(handle)
            ffi.wasmtime_component_resource_any_delete(handle)


class _Live:
    """An instance and its store."""

    def __init__(
        self,
        loaded: Loaded,
        imports: list[tuple[Function, Any]],
        memory_limit: int,
        process: Optional[Process],
    ) -> None:
        self.store = Store(loaded.engine)
        self.store.set_limits(memory_size=memory_limit)
        self.functions: dict[Function, ffi.wasmtime_component_func_t] = {}
        # The instance calls these during its lifetime.
        self.imports = imports
        with Linker(loaded.engine) as linker:
            if process is not None:
                linker.add_wasip2()
                self.store.set_wasi(_wasi(process))
            for interface in loaded.interfaces:
                with linker.root() as root, root.add_instance(interface) as instance:
                    for function, callback in imports:
                        if function.interface == interface:
                            _define(instance, function, callback)
            self.instance: Instance = linker.instantiate(self.store, loaded.component)

    def call(self, function: Function, values: Any, result: Any) -> None:
        count = 0 if function.answers is None else 1
        context = self.store._context()
        error = ffi.wasmtime_component_func_call(
            ctypes.byref(self._find(function)), context, values, len(values), ctypes.byref(result), count
        )
        if error:
            raise WasmtimeError._from_ptr(error)

    def drop(self, handle: Any) -> None:
        error = ffi.wasmtime_component_resource_any_drop(self.store._context(), handle)
        if error:
            raise WasmtimeError._from_ptr(error)

    def _find(self, function: Function) -> ffi.wasmtime_component_func_t:
        if function not in self.functions:
            interface = self.instance.get_export_index(self.store, function.interface)
            index = interface and self.instance.get_export_index(self.store, function.name, interface)
            found = index and self.instance.get_func(self.store, index)
            if not found:
                raise Error(f"the component has no function {function.interface}.{function.name}")
            self.functions[function] = found._func
        return self.functions[function]


def _wasi(process: Process) -> WasiConfig:
    config = WasiConfig()
    config.argv = process.arguments
    config.stdout_custom = process.print
    config.inherit_stderr()
    return config


def _define(instance: Any, function: Function, callback: Any) -> None:
    name = function.name.encode()
    error = ffi.wasmtime_component_linker_instance_add_func(
        instance.ptr(), ctypes.create_string_buffer(name), len(name), callback, None, _NOTHING
    )
    if error:
        raise WasmtimeError._from_ptr(error)


def _callback(function: Function, host: Imports, raised: list[BaseException]) -> Any:
    """The callback for wasmtime. An exception outside of the contract ends the instance, and is raised again outside."""

    def called(_data: Any, _store: Any, _type: Any, given: Any, _given: Any, results: Any, _results: Any) -> int:
        try:
            arguments = [taken.lift(raw(given[index]), 0) for index, taken in enumerate(function.takes)]
            assert function.answers is not None
            try:
                answer = host.answer(function, arguments)
            except function.failure as failure:
                function.answers.lower(failure, results[0])
            else:
                function.answers.lower(answer, results[0])
        except BaseException as error:
            raised.append(error)
            return ctypes.cast(WasmtimeError("a Python exception")._consume(), ctypes.c_void_p).value or 0
        return 0

    return ffi.wasmtime_component_func_callback_t(called)
