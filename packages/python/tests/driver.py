#!/usr/bin/env python3
"""The driver of this runtime: answers JSON calls line by line, as described in docs/parity.md."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

from callsheet import Failure
from callsheet._codec import Handle, codec
from callsheet._component import load, packaged
from callsheet._contract import Resource
from callsheet._imports import IMPORTS
from callsheet._sandbox import Sandbox
from callsheet._types import Function, Own
from callsheet.contract import catalogs, conversation, delegation, documents, files, projects, run

FUNCTIONS = {
    (module.__name__.rpartition(".")[2], function.name): function
    for module in [catalogs, delegation, documents, projects, run]
    for function in vars(module).values()
    if isinstance(function, Function)
}
LARGEST = 1 << 53
Json = Any


class Given:
    """Files as the tests define them."""

    def __init__(self, given: Json) -> None:
        self._directories, self._contents = given.get("directories", {}), given.get("contents", {})

    def list_directory(self, path: str) -> list[files.Entry]:
        found = self._found(self._directories, path)
        entries: list[files.Entry] = read(found, list[files.Entry])
        return entries

    def read(self, path: str) -> bytes:
        return base64.b64decode(self._found(self._contents, path)["bytes"])

    def _found(self, among: Json, path: str) -> Json:
        found = among.get(path, {"error": {"tag": "not-found"}})
        if "error" in found:
            raise read(found["error"], files.FileError)
        return found


class Driver:
    """The component with its files and resources."""

    def __init__(self) -> None:
        self._sandbox = Sandbox(load(packaged(), IMPORTS), self, 512 << 20)
        self._made = 0
        self._begin()

    def _begin(self) -> None:
        self._resources: dict[int, Resource] = {}
        self._lend({})

    def _lend(self, given: Json) -> None:
        self._files = Given(given)

    def answer(self, function: Function, arguments: list[Any]) -> Any:
        """Part of the sandbox interface: no models and tools."""
        if function is files.LIST_DIRECTORY:
            return self._files.list_directory(*arguments)
        if function is files.READ:
            return self._files.read(*arguments)
        raise conversation.CallErrorDenied("this host has none")

    def begin(self) -> None:
        """Nothing is held open."""

    def withhold_last(self) -> None:
        """A trap clears the files."""

    def serve(self, lines: Iterable[str]) -> None:
        for line in lines:
            asked = json.loads(line)
            try:
                answer = {"value": self._answer(asked)}
            except Failure as error:
                answer = {"error": written(error)}
            except Exception as error:
                self._begin()
                answer = {"trap": f"{type(error).__name__}: {error}"}
            print(json.dumps({"id": asked["id"], **answer}), flush=True)

    def _answer(self, asked: Json) -> Json:
        if "drop" in asked:
            return self._resources.pop(asked["drop"]).close()
        given = asked["arguments"]
        if asked["call"] == "files":
            return self._lend(given[0])
        receiver = [self._resources[asked["on"]]] if "on" in asked else []
        function = _function(asked["call"], receiver)
        hints = function.parameters[len(receiver) :]
        arguments = [self._read(value, hint) for value, hint in zip(given, hints)]
        answer = self._sandbox.call(function, *receiver, *arguments)
        if not isinstance(function.answer, Own):
            return written(answer)
        self._made += 1
        self._resources[self._made] = function.answer.of(self._sandbox, answer)
        return {"resource": self._made}

    def _read(self, value: Json, hint: Any) -> Any:
        return self._resources[value["resource"]] if isinstance(codec(hint), Handle) else read(value, hint)


def _function(call: str, receiver: list[Resource]) -> Function:
    """`documents.parse`, `catalogs.catalog.open`, or a method of a resource such as `refresh`."""
    if receiver:
        name = f"[method]{type(receiver[0]).__name__.lower()}.{call}"
        return next(function for (_, known), function in FUNCTIONS.items() if known == name)
    interface, _, rest = call.partition(".")
    name = f"[static]{rest}" if "." in rest else rest
    return FUNCTIONS[interface, name]


def written(value: Any) -> Json:
    """Converts a value of the contract to the drivers' JSON."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, int) and abs(value) >= LARGEST:
        return str(value)
    if isinstance(value, (list, tuple)):
        return [written(element) for element in value]
    if hasattr(value, "tag"):
        payload = getattr(value, "value", None)
        return {"tag": value.tag, **({"val": written(payload)} if "value" in _hints(type(value)) else {})}
    if is_dataclass(value):
        return {_camel(field.name): written(getattr(value, field.name)) for field in fields(value)}
    return value


def read(value: Json, hint: Any) -> Any:
    """Converts the drivers' JSON to a value of this type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hasattr(hint, "__metadata__"):
        return int(value)
    if origin is list:
        return [read(element, arguments[0]) for element in value]
    if origin is tuple:
        return tuple(read(element, argument) for element, argument in zip(value, arguments))
    if origin is Union:
        cases = [argument for argument in arguments if argument is not type(None)]
        if value is None and len(cases) < len(arguments):
            return None
        return _case(value, cases) if hasattr(cases[0], "tag") else read(value, cases[0])
    if hint is bytes:
        return base64.b64decode(value["bytes"])
    if is_dataclass(hint):
        hints = _hints(hint)
        members = {field.name: hints[field.name] for field in fields(hint)}
        return hint(**{name: read(value.get(_camel(name)), of) for name, of in members.items()})  # type: ignore[operator]
    if issubclass(hint, Exception):
        return _case(value, hint.__subclasses__())
    return hint(value) if issubclass(hint, Enum) else value


def _case(value: Json, cases: list[Any]) -> Any:
    case = next(case for case in cases if case.tag == value["tag"])
    of = _hints(case).get("value")
    return case() if of is None else case(read(value.get("val"), of))


_KNOWN: dict[Any, dict[str, Any]] = {}


def _hints(of: Any) -> dict[str, Any]:
    """The types of a class, cached because the lookup is slow."""
    if of not in _KNOWN:
        _KNOWN[of] = get_type_hints(of, include_extras=True)
    return _KNOWN[of]


def _camel(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in rest)


if __name__ == "__main__":
    Driver().serve(sys.stdin)
