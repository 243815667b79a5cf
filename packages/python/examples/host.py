"""A host that only uses wasmtime's bindings: `python host.py target/callsheet.wasm` checks files in memory."""

import sys

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant

PACKAGE = "callsheet:agents"
FILES = {
    ".claude/agents/reviewer.md": b"---\nname: reviewer\ndescription: Reviews code: carefully\n---\nReview it.\n",
}


def record(**fields):
    """A record of the contract."""
    made = Record()
    vars(made).update({name.replace("_", "-"): value for name, value in fields.items()})
    return made


def list_directory(_store, path):
    """Implements `files.list-directory`: returns a list, or a case of `file-error`."""
    inside = {name.removeprefix(f"{path}/") for name in FILES if name.startswith(f"{path}/")}
    if not inside:
        return Variant("not-found")
    names = sorted({name.partition("/")[0] for name in inside})
    kinds = {name: "file" if name in inside else "directory" for name in names}
    return [record(name=name, kind=kinds[name], size=0, modified=None) for name in names]


def read(_store, path):
    return FILES.get(path, Variant("not-found"))


def denied(_store, _request):
    return Variant("err", Variant("denied", "not available in this host"))


engine = Engine()
store = Store(engine)
with Linker(engine) as linker:
    with linker.root() as root:
        for interface, functions in {
            "files": {"list-directory": list_directory, "read": read},
            "model": {"complete": denied},
            "tools": {"call": denied},
        }.items():
            with root.add_instance(f"{PACKAGE}/{interface}@0.1.0") as lent:
                for name, function in functions.items():
                    lent.add_func(name, function)
    component = linker.instantiate(store, Component.from_file(engine, sys.argv[1]))


def call(interface, name, *arguments):
    within = component.get_export_index(store, f"{PACKAGE}/{interface}@0.1.0")
    function = component.get_func(store, component.get_export_index(store, name, within))
    return function(store, *arguments)


sources = record(
    directory=".",
    ancestors=[],
    home=None,
    variables=[],
    plugins=[],
    directories=[],
    inline=None,
    fail_closed=False,
)
project = call("projects", "[static]project.open", sources)
options = record(dialect="claude-code", kind="agent", cache_capacity=1024, check=True)
catalog = call("catalogs", "[static]catalog.open", project, options)
if isinstance(catalog, Variant):
    sys.exit(f"{catalog.tag}: {catalog.payload}")
for found in call("catalogs", "[method]catalog.diagnostics", catalog):
    place = found.primary.place
    print(f"{place.path}:{place.start.line}: {found.severity}: {found.message}")
