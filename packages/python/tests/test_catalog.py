"""Catalogs and single files, in memory and on disk."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Optional, Union

import pytest

import callsheet
from callsheet import Callsheet, PathError, Severity, Trap, sources
from callsheet.contract.catalogs import ChangeKind
from callsheet.contract.documents import ConvertErrorRefused, DocumentErrorUnknownDialect, Fate
from callsheet.contract.projects import (
    CatalogErrorBadInline,
    CatalogErrorOther,
    CatalogErrorRegistered,
    CatalogErrorUnknownDialect,
    CatalogErrorUnusable,
    Part,
    ScopeUsers,
    Verdict,
)
from callsheet.contract.types import Kind, ToolFilterOnly

AGENT = "---\nname: {0}\ndescription: Does {0}\ntools: Read\n---\nDo {0}.\n"
BROKEN = "---\nname: broken\ndescription: One: two\n---\nDo it.\n"


def sheet(**files: str) -> Callsheet:
    return Callsheet(files={f".claude/agents/{name}.md": contents for name, contents in files.items()})


def test_a_catalog_lists_active_agents() -> None:
    catalog = sheet(one=AGENT.format("one")).catalog("claude-code")
    assert "one" in catalog.names()
    agent = catalog.get("one")
    assert agent is not None
    assert agent.system_prompt == "Do one."
    assert isinstance(agent.tools, ToolFilterOnly)
    assert [rule.tool for rule in agent.tools.value] == ["Read"]
    assert catalog.get("two") is None
    assert [entry.name for entry in catalog.search("does one", 1)] == ["one"]
    grants = catalog.grants("one", ["Read", "Write"])
    assert grants is not None
    assert [grant.granted for grant in grants.offered] == [True, False]
    assert catalog.dialect == "claude-code"


def test_a_refresh_returns_changes() -> None:
    made = sheet(one=AGENT.format("one"))
    catalog = made.catalog("claude-code")
    assert made.files is not None
    made.files[".claude/agents/two.md"] = AGENT.format("two").encode()
    del made.files[".claude/agents/one.md"]
    assert [(it.name, it.kind) for it in catalog.refresh()] == [
        ("one", ChangeKind.VANISHED),
        ("two", ChangeKind.APPEARED),
    ]
    assert catalog.refresh() == []


def test_contract_errors_are_raised() -> None:
    made = sheet()
    with pytest.raises(CatalogErrorUnknownDialect, match="did you mean `kode`") as caught:
        made.catalog("kod")
    assert (caught.value.tag, caught.value.value) == ("unknown-dialect", "kode")
    with pytest.raises(DocumentErrorUnknownDialect):
        made.parse("a.md", b"", "kod")
    catalog = made.catalog("claude-code")
    catalog.register("mine", AGENT.format("mine"))
    with pytest.raises(CatalogErrorRegistered):
        catalog.register("mine", AGENT.format("mine"))
    with pytest.raises(CatalogErrorUnusable):
        catalog.register("other", "nothing")
    with pytest.raises(CatalogErrorBadInline):
        Callsheet(files={}, inline="[]").catalog("claude-code")
    with pytest.raises(ConvertErrorRefused, match="cannot be converted") as refused:
        made.convert("a.md", AGENT.format("a").replace("Read", "Bash(git *)").encode(), to="codex")
    assert refused.value.value


def test_a_file_with_any_bytes_is_read() -> None:
    parsed = sheet().parse(".claude/agents/a.md", b"\xef\xbb\xbf---\r\nname: a\r\ndescription: \xff\r\n---\r\nx")
    assert parsed.dialect == "claude-code"
    assert parsed.agent is not None
    assert parsed.agent.name == "a"
    seen = {it.reader: it.fate for it in sheet().readings(".claude/agents/a.md", AGENT.format("a").encode())}
    assert Fate.LOADS in seen.values()


def test_large_files_are_copied_in_slices() -> None:
    body = "".join(f"{number}\n" for number in range(50_000))
    parsed = sheet().parse("a.md", (AGENT.format("a") + body).encode())
    assert parsed.agent is not None
    assert parsed.agent.system_prompt == f"Do a.\n{body}".strip()


def test_fixes_are_applied_repeatedly() -> None:
    fixed = sheet().fix("a.md", BROKEN.encode(), False)
    assert fixed.after == BROKEN.replace("One: two", "'One: two'").encode()
    assert [fix.safe for fix in fixed.applied] == [True]
    again = sheet().fix("a.md", fixed.after, True)
    assert (again.after, again.applied) == (fixed.after, [])


def test_fixes_of_a_project() -> None:
    files = {".claude/agents/broken.md": BROKEN, ".claude/agents/one.md": AGENT.format("one")}
    fixed = Callsheet(home=None, files=files).fix_project()
    assert [(it.path, it.before) for it in fixed] == [(".claude/agents/broken.md", BROKEN.encode())]
    assert fixed[0].after == BROKEN.replace("One: two", "'One: two'").encode()


def test_a_check_of_files_in_memory() -> None:
    findings = callsheet.check({".claude/agents/broken.md": BROKEN})
    assert [(it.rule, it.severity, it.line, it.dialects) for it in findings] == [
        ("unquoted-value", Severity.WARNING, 3, ["claude-code"])
    ]
    assert str(findings[0]).startswith(".claude/agents/broken.md:3:17: warning: ")
    assert json.loads(json.dumps(asdict(findings[0])))["diagnostic"]["severity"] == "warning"
    # A file without an owner is only checked with a dialect.
    assert callsheet.check({"anywhere/broken.md": BROKEN}) == []
    made = Callsheet(home=None, files={"anywhere/broken.md": BROKEN})
    assert made.report("anywhere").unowned == []
    assert made.report("anywhere/broken.md").unowned == ["anywhere/broken.md"]
    assert [it.rule for it in made.check("anywhere", dialect="claude-code")] == ["unquoted-value"]
    assert callsheet.check({}) == []


def test_a_bare_agents_folder_belongs_to_kodelet_by_its_fields() -> None:
    assert Callsheet(home=None, files={"agents/a.md": AGENT.format("a")}).dialects_in_use() == []
    text = "---\nname: a\nprovider: openai\n---\nDo it.\n"
    assert Callsheet(home=None, files={"agents/a.md": text}).dialects_in_use() == ["kodelet"]


def test_a_catalog_lists_skills_and_commands() -> None:
    skill = "---\ndescription: Makes a release\n---\nDo it.\n"
    made = Callsheet(home=None, files={".claude/skills/release/SKILL.md": skill, ".claude/commands/plan.md": skill})
    assert made.dialects_in_use() == []
    assert made.dialects_in_use(Kind.SKILL) == ["claude-code"]
    assert made.catalog("claude-code", kind=Kind.SKILL).names() == ["release"]
    assert made.catalog("claude-code", kind=Kind.COMMAND).names() == ["plan"]
    assert {dialect.id for dialect in made.dialects(Kind.SKILL)} >= {"agent-skills", "codex"}


def test_the_graph_of_a_project_has_what_its_files_name() -> None:
    lead = AGENT.format("lead").replace("Read", "Read, Agent(worker, absent)")
    made = sheet(lead=lead, worker=AGENT.format("worker"))
    graph = made.graph()
    assert [node.name for node in graph.nodes] == ["lead", "worker"]
    edges = [(edge.name, edge.verdict, edge.target) for edge in graph.edges]
    assert edges == [("worker", Verdict.THERE, 1), ("absent", Verdict.MISSING, None)]
    assert graph.cycles == []
    users = made.graph(ScopeUsers("absent"), Part.MISSING)
    assert ([node.name for node in users.nodes], len(users.edges), users.instead) == (["lead"], 1, [])


def test_the_inventory_of_a_project_has_what_agents_reach() -> None:
    lead = AGENT.format("lead").replace("Read", "Read, Agent(worker)")
    made = sheet(lead=lead, worker=AGENT.format("worker").replace("Read", "Bash"))
    assets = made.inventory().assets
    assert [[own.name for own in asset.permissions] for asset in assets] == [["read", "delegate"], ["shell"]]
    assert [(reached.permission, reached.owner) for reached in assets[0].reached] == [("shell", 1)]


def test_a_new_name_changes_every_reference() -> None:
    lead = AGENT.format("lead").replace("Read", "Read, Agent(worker)")
    made = sheet(lead=lead, worker=AGENT.format("worker"))
    renaming = made.rename(".claude/agents/worker.md", "helper")
    changed = {file.path: file.after.decode() for file in renaming.files}
    assert changed[".claude/agents/lead.md"] == lead.replace("worker", "helper")
    assert renaming.moved == (".claude/agents/worker.md", ".claude/agents/helper.md")
    with pytest.raises(CatalogErrorOther, match="already an agent `lead`, in "):
        made.rename(".claude/agents/worker.md", "lead")


def test_agents_that_extend_others_are_compiled() -> None:
    child = "---\nname: child\ncallsheet: { extends: _base.md, add: { tools: ['@web'] } }\n---\nChild.\n"
    made = Callsheet(home=None, files={"agents/_base.md": AGENT.format("base"), "agents/child.md": child})
    build = sources("agents", ["claude-code"], sets={"web": ["WebFetch"]})
    composition = made.compose(build)
    output = composition.sources[0].outputs[0]
    assert output.path == ".claude/agents/child.md"
    assert output.contents is not None and b"\ntools: Read, WebFetch\n" in output.contents
    with pytest.raises(CatalogErrorUnknownDialect):
        made.compose(sources("agents", ["vim"]))
    assert [it.rule for it in made.check(build=build)] == []
    assert [it.rule for it in made.check(build=sources("agents", ["claude-code"]))] == ["unknown-set"]
    assert [it.path for it in made.report(build=build).files] == ["agents/child.md"]


def test_a_file_is_judged_by_its_owner_and_targets() -> None:
    files = {".claude/agents/broken.md": BROKEN, ".kode/agents/one.md": AGENT.format("one")}
    made = Callsheet(home=None, files=files)
    assert [it.dialects for it in made.check() if it.rule == "unquoted-value"] == [["claude-code"]]
    assert any("kode" in it.dialects for it in made.check(targets=["kode"]))


def test_a_check_of_the_disk(world: Path) -> None:
    shutil.rmtree(world / "project/agents")
    agents = world / "project/.claude/agents"
    agents.mkdir(parents=True)
    (agents / "broken.md").write_text(BROKEN)
    (world / "project/elsewhere").mkdir()
    (world / "project/elsewhere/broken.md").write_text(BROKEN)
    home = world / "home"
    assert [it.path for it in callsheet.check(home=home)] == [".claude/agents/broken.md"]
    named = world / "project"
    assert [it.path for it in callsheet.check(named, home=home)] == [str(agents / "broken.md")]
    assert [it.path for it in callsheet.check(agents / "broken.md", home=home)] == [str(agents / "broken.md")]
    assert callsheet.check("elsewhere", home=None) == []
    with pytest.raises(PathError):
        callsheet.check("no/such/place")


def test_a_check_of_named_paths(world: Path) -> None:
    (world / "project/.git").mkdir()
    own, other = world / "project/.claude/agents/a.md", world / "other/.claude/agents/b.md"
    for path in (own, other):
        path.parent.mkdir(parents=True)
        path.write_text(BROKEN)
    notes = world / "project/notes.md"
    notes.write_text(BROKEN)

    def found(made: Callsheet, *paths: Union[Path, str]) -> set[str]:
        return {it.path for it in made.check(*paths)}

    here = Callsheet(home=None)
    assert found(here, own) == found(here, "../project/.claude/agents/a.md") == {".claude/agents/a.md"}
    assert found(here, other) == {str(other)}
    assert found(here, own, other) == {".claude/agents/a.md", str(other)}
    assert here.report(own, other).counts.warnings == 2 * here.report(own).counts.warnings
    assert {it.path for it in here.fix_project(own, other)} == {".claude/agents/a.md", str(other)}
    project = Callsheet("../project", home=None)
    assert found(project, ".claude/agents/a.md") == found(project, own) == {"../project/.claude/agents/a.md"}
    (finding, *_) = project.check("notes.md", dialect="claude-code")
    assert finding.path == "../project/notes.md"


def write(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True)
        path.write_text(BROKEN)


def files_of(made: Callsheet, *paths: str) -> list[str]:
    return [file.path for file in made.report(*paths).files]


def test_a_relative_path_is_in_the_project_if_it_exists_there_unless_it_is_as_in_a_report(
    world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = ".claude/agents/a.md"
    there = world / "there"
    write(there / file, there / "p" / file, there / "p/p" / file)
    write(there / "b/.claude/agents/b.md", there / "p/~/.claude/agents/a.md", world / "home" / file)
    project = Callsheet(there / "p", home=None)
    own = str(there / "p" / file)
    monkeypatch.chdir(there)
    assert files_of(project, file) == [own]
    assert {fixed.path for fixed in project.fix_project(".claude")} == {own}
    relative = Callsheet("p", home=None)
    assert files_of(relative, f"p/{file}") == files_of(relative, file) == [f"p/{file}"]
    assert files_of(relative, "b/.claude/agents/b.md") == ["b/.claude/agents/b.md"]
    monkeypatch.setenv("HOME", str(world / "home"))
    assert files_of(Callsheet("p"), f"~/{file}") == [f"~/{file}"]
    here = Callsheet(home=None)
    monkeypatch.chdir(there / "p")
    assert len(files_of(here, "b/.claude/agents/b.md")) == 1


def test_a_relative_path_outside_of_the_project_from_another_working_directory(
    world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = "../other/.claude/agents/b.md", world / "other/.claude/agents/b.md"
    write(other)
    monkeypatch.chdir(world)
    project = Callsheet(world / "project", home=None)
    assert files_of(project, path) == [str(other)]
    assert [fixed.path for fixed in project.fix_project(path)] == [str(other)]
    assert files_of(Callsheet("project", home=None), path) == ["other/.claude/agents/b.md"]
    monkeypatch.chdir(world / "project")
    here = Callsheet(home=None)
    assert files_of(here, path) == [path]
    monkeypatch.chdir(world / "home/shared")
    assert files_of(here, path) == [str(other)]


def test_a_file_with_two_names_counts_once(world: Path) -> None:
    other = world / "other/.claude/agents/b.md"
    write(other)
    (world / "link").symlink_to("other")
    link = str(world / "link/.claude/agents/b.md")
    here = Callsheet(home=None)
    spellings = ["../other/.claude/agents/b.md", str(other), link, "../other"]
    assert len(files_of(here, *spellings)) == 1
    assert len(here.fix_project(*spellings)) == 1


def test_a_file_in_the_home_directory_with_two_names_counts_once(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = ".claude/agents/a.md"
    write(world / "home" / file)
    monkeypatch.setenv("HOME", str(world / "home"))
    assert files_of(Callsheet(), str(world / "home" / file), f"~/{file}") == [f"~/{file}"]


def test_only_files_in_given_directories_are_read(world: Path) -> None:
    made = Callsheet(home=world / "home")
    assert made.read(f"{world}/home/shared/kept.md") == b"kept"
    for path in ("../secret.md", str(world / "secret.md"), "../project/../secret.md"):
        with pytest.raises(PathError, match="permission denied"):
            made.read(path)


def test_paths_use_the_given_names(world: Path) -> None:
    (world / "home/shared/kept.md").write_text(AGENT.format("kept"))
    made = Callsheet(home=None, plugins={"tools": world / "home/shared"}, directories=[str(world / "home/shared")])
    paths = {entry.origin.path for entry in made.catalog("claude-code").entries(True)}
    assert str(world / "home/shared/kept.md") in paths
    assert made.read("other.md") == b"other"


def test_a_trap_discards_one_file_and_one_instance() -> None:
    made = Callsheet(files={".claude/agents/one.md": AGENT.format("one")}, memory_limit=6 << 20)
    catalog = made.catalog("claude-code")
    catalog.register("mine", AGENT.format("mine"))
    assert made.files is not None
    made.files[".claude/agents/large.md"] = AGENT.format("large").encode() + b"x" * (7 << 20)
    with pytest.raises(Trap, match="please report it") as caught:
        catalog.refresh()
    assert caught.value.path == ".claude/agents/large.md"
    assert {"one", "mine"} < set(catalog.names())
    assert "large" not in catalog.names()


def test_too_little_memory_is_a_trap() -> None:
    with pytest.raises(Trap):
        Callsheet(files={}, memory_limit=1).dialects()


def test_exceptions_of_imports_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    made = sheet(one=AGENT.format("one"))
    catalog = made.catalog("claude-code")
    assert made.files is not None

    def interrupted(path: str) -> bytes:
        raise KeyboardInterrupt

    made.files[".claude/agents/two.md"] = AGENT.format("two").encode()
    monkeypatch.setattr(made.files, "read", interrupted)
    with pytest.raises(KeyboardInterrupt):
        catalog.refresh()
    monkeypatch.undo()
    assert "one" in catalog.names()
    assert "two" not in catalog.names()


def test_a_catalog_opens_again_after_it_failed_to(monkeypatch: pytest.MonkeyPatch) -> None:
    made = sheet(one=AGENT.format("one"))
    catalog = made.catalog("claude-code")
    assert made.files is not None

    def interrupted(path: str) -> bytes:
        raise KeyboardInterrupt

    made.files[".claude/agents/two.md"] = AGENT.format("two").encode()
    monkeypatch.setattr(made.files, "read", interrupted)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            catalog.refresh()
    monkeypatch.undo()
    assert catalog.names()


def test_the_contract_is_loaded_with_the_first_name() -> None:
    script = "import callsheet; print(callsheet.contract.__name__)"
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=True, text=True)
    assert done.stdout == "callsheet.contract\n"


def test_imports_cannot_call_the_component(monkeypatch: pytest.MonkeyPatch) -> None:
    made = sheet(one=AGENT.format("one"))
    catalog = made.catalog("claude-code")
    assert made.files is not None
    made.files[".claude/agents/two.md"] = AGENT.format("two").encode()
    monkeypatch.setattr(made.files, "read", lambda _: catalog.names())
    with pytest.raises(RuntimeError, match="cannot call the component"):
        catalog.refresh()


def test_a_closed_catalog_is_unusable() -> None:
    with sheet(one=AGENT.format("one")).catalog("claude-code") as catalog:
        assert "one" in catalog.names()
    with pytest.raises(ValueError, match="closed"):
        catalog.names()


def test_unused_catalogs_are_dropped() -> None:
    made = sheet(one=AGENT.format("one"))
    for _ in range(30):
        made.catalog("claude-code").names()


def test_threads_take_turns() -> None:
    catalog = sheet(one=AGENT.format("one")).catalog("claude-code")
    seen: list[list[str]] = []

    def work() -> None:
        for _ in range(50):
            seen.append(catalog.names())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 200
    assert all(names == seen[0] for names in seen)


def test_wrong_types_are_rejected() -> None:
    made = sheet()
    with pytest.raises(TypeError, match="expected bytes"):
        made.parse("a.md", "text")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a str"):
        made.catalog("claude-code").get(1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="out of range for u32"):
        made.catalog("claude-code").search("a", 1 << 32)
    with pytest.raises(TypeError, match=r"expected str or bytes for a\.md"):
        Callsheet(files={"a.md": 5})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="expected a dict from path to contents, not list"):
        Callsheet(files=["a.md"])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="contains a backslash"):
        Callsheet(files={".claude\\agents\\a.md": ""})
    with pytest.raises(ValueError, match="cannot be combined"):
        Callsheet("project", files={})
    # None of these errors discards the instance.
    assert made.rules()


def test_an_unreadable_file_is_named(world: Path) -> None:
    made = Callsheet(home=None, max_file_size=2)
    with pytest.raises(PathError, match=r"cannot read other\.md: file is too large: 5 bytes"):
        made.read("other.md")
    with pytest.raises(PathError, match="cannot read agents"):
        made.read("agents")
    with pytest.raises(PathError, match=r"none\.md"):
        made.check("other.md", "none.md")


def test_an_unknown_home_directory_is_none(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert Callsheet().dialects()


def test_variables_move_directories_of_the_user(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("home/.claude/agents/two.md", "elsewhere/agents/one.md"):
        (world / path).parent.mkdir(parents=True)
        (world / path).write_text(AGENT.format(Path(path).stem))
    monkeypatch.setenv("HOME", str(world / "home"))

    def found(home: str = "~") -> list[Optional[str]]:
        entries = Callsheet(home=home).catalog("claude-code").entries()
        return [entry.origin.path for entry in entries if entry.origin.path]

    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(world / "elsewhere"))
    assert found() == ["$CLAUDE_CONFIG_DIR/agents/one.md"]
    assert Callsheet().dialects_in_use() == ["claude-code"]
    home = str(world / "home")
    assert found(home) == [f"{home}/.claude/agents/two.md"]
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", f"{home}/.claude")
    assert found() == ["~/.claude/agents/two.md"]
    shutil.copytree(world / "elsewhere", world / "project/.claude")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(world / "project/.claude"))
    assert found() == [".claude/agents/one.md", "~/.claude/agents/two.md"]
    shutil.rmtree(world / "project/.claude")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "")
    assert found() == ["~/.claude/agents/two.md"]
