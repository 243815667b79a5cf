"""Files on disk: only opened directories are visible, with the same results as in the command line."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from callsheet import PathError
from callsheet._disk import Disk, Grounds, Place
from callsheet.contract.files import (
    FileErrorDenied,
    FileErrorNotADirectory,
    FileErrorNotFound,
    FileErrorOther,
    FileErrorTooLarge,
    Kind,
)
from callsheet.contract.projects import Location
from callsheet.contract.types import Level


def disk(world: Path, *, follow_links: bool = False, max_file_size: int = 1000) -> Disk:
    """The world, with `./agents`, `~/agents` and `~/shared` visible."""
    places = Place(".", world / "project"), Place("~", world / "home")
    made = Disk(Grounds(places[0], [places[1]], follow_links, True, max_file_size))
    for directory in ["./agents", "~/agents", "~/shared"]:
        made.grant(located(directory))
    return made


def located(directory: str) -> Location:
    return Location(level=Level.PROJECT, directory=directory, recursive=True, owned=True)


def kinds(files: Disk, path: str) -> dict[str, Kind]:
    return {entry.name: entry.kind for entry in files.list_directory(path)}


def test_lists_and_reads_opened_directories(world: Path) -> None:
    files = disk(world)
    assert kinds(files, "./agents") == {"deep": Kind.DIRECTORY, "one.md": Kind.FILE}
    entry = files.list_directory("agents/")[1]
    assert (entry.size, entry.modified) == (3, (world / "project/agents/one.md").stat().st_mtime_ns)
    assert files.read("./agents/one.md") == b"one"
    assert files.read("agents//./deep/two.md") == b"two"
    assert files.read("~/shared/kept.md") == b"kept"


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "/",
        "..",
        "other.md",
        "../secret.md",
        "agents/../other.md",
        "./agents/../../secret.md",
        "~/shared/../../secret.md",
        "~/shared/..",
        "/etc/passwd",
        "agents//etc/../../..",
        "shared/kept.md",
        "agentsx/one.md",
    ],
)
def test_refuses_other_paths(world: Path, path: str) -> None:
    files = disk(world)
    with pytest.raises(FileErrorDenied):
        files.read(path)
    with pytest.raises(FileErrorDenied):
        files.list_directory(path)


def test_reports_missing_files_and_directories(world: Path) -> None:
    files = disk(world)
    with pytest.raises(FileErrorNotFound):
        files.read("./agents/none.md")
    with pytest.raises(FileErrorNotFound):
        files.list_directory("~/agents")
    with pytest.raises(FileErrorNotADirectory):
        files.list_directory("./agents/one.md")
    with pytest.raises(FileErrorOther, match="not a regular file"):
        files.read("./agents/deep")


def test_does_not_follow_a_link_out_of_its_root(world: Path) -> None:
    agents = world / "project/agents"
    (agents / "relative.md").symlink_to("../../secret.md")
    (agents / "absolute.md").symlink_to(world / "secret.md")
    (agents / "up").symlink_to("../..")
    (agents / "dangling.md").symlink_to("nowhere")
    (agents / "loop.md").symlink_to("loop.md")
    files = disk(world)
    found = kinds(files, "./agents")
    names = ["relative.md", "absolute.md", "up", "dangling.md", "loop.md"]
    assert [found[name] for name in names] == [Kind.LINK] * 5
    for path in ["relative.md", "absolute.md", "up/secret.md"]:
        with pytest.raises(FileErrorDenied):
            files.read(f"./agents/{path}")
    with pytest.raises(FileErrorDenied):
        files.list_directory("./agents/up")


def test_follows_a_link_out_of_its_root_if_allowed(world: Path) -> None:
    agents = world / "project/agents"
    (agents / "relative.md").symlink_to("../../secret.md")
    (agents / "shared").symlink_to(world / "home/shared")
    files = disk(world, follow_links=True)
    found = kinds(files, "./agents")
    assert (found["relative.md"], found["shared"]) == (Kind.FILE, Kind.DIRECTORY)
    assert files.read("./agents/relative.md") == b"secret"
    assert files.read("./agents/shared/kept.md") == b"kept"
    with pytest.raises(FileErrorDenied):
        files.read("./agents/../../secret.md")


def test_follows_a_link_that_stays_inside(world: Path) -> None:
    home = world / "home"
    (home / "agents").symlink_to("shared")
    (home / "shared/again.md").symlink_to(home / "shared/kept.md")
    files = disk(world)
    assert kinds(files, "~/agents") == {"again.md": Kind.FILE, "kept.md": Kind.FILE}
    assert files.read("~/agents/again.md") == b"kept"
    assert files.read("~/shared/again.md") == b"kept"


def test_follows_links_between_a_project_and_its_repository(world: Path) -> None:
    (world / ".git").mkdir()
    (world / "project/agents/linked.md").symlink_to("../../secret.md")
    files = disk(world)
    assert files.ancestors() == [".."]
    assert files.read("./agents/linked.md") == b"secret"
    with pytest.raises(FileErrorDenied):
        files.read("../secret.md")
    files.grant(located(".."))
    assert files.read("../secret.md") == b"secret"


def test_does_not_follow_a_link_to_a_parent(world: Path) -> None:
    (world / "project/agents/deep/round").symlink_to("..")
    assert kinds(disk(world), "./agents/deep")["round"] is Kind.LINK


def test_a_directory_that_becomes_a_link_is_not_followed(world: Path) -> None:
    files = disk(world)
    assert files.read("./agents/deep/two.md") == b"two"
    shutil.rmtree(world / "project/agents/deep")
    (world / "project/agents/deep").symlink_to(world / "home/shared")
    files.begin()
    with pytest.raises(FileErrorDenied):
        files.read("./agents/deep/kept.md")


def test_does_not_block_on_a_pipe(world: Path) -> None:
    os.mkfifo(world / "project/agents/pipe.md")
    files = disk(world)
    assert kinds(files, "./agents")["pipe.md"] is Kind.OTHER
    with pytest.raises(FileErrorOther):
        files.read("./agents/pipe.md")


def test_refuses_files_above_the_limit(world: Path) -> None:
    files = disk(world, max_file_size=3)
    assert files.read("./agents/one.md") == b"one"
    (world / "project/agents/one.md").write_text("four")
    with pytest.raises(FileErrorTooLarge) as caught:
        files.read("./agents/one.md")
    assert caught.value.value == 4


def test_replaces_bytes_that_are_not_utf_8(world: Path) -> None:
    (world / "home/shared" / os.fsdecode(b"\xff.md")).touch()
    assert "\ufffd.md" in kinds(disk(world), "~/shared")


def test_reports_names_that_are_not_utf_8(world: Path) -> None:
    (world / "home/shared" / os.fsdecode(b"\xff.md")).touch()
    with pytest.raises(FileErrorOther, match="its name is not UTF-8"):
        disk(world).read("~/shared/\ufffd.md")


def test_a_named_path_gets_the_name_of_the_project(world: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (world / ".git").mkdir()
    (world / "project/agents/loop.md").symlink_to("loop.md")
    link = tmp_path_factory.mktemp("elsewhere") / "link"
    link.symlink_to(world)
    files = disk(world)
    for path, name in {
        world / "project/agents/one.md": "agents/one.md",
        link / "project/agents/one.md": "agents/one.md",
        "../project/agents/one.md": "agents/one.md",
        world / "project": ".",
        world / "secret.md": "../secret.md",
        "~/shared/kept.md": "~/shared/kept.md",
        "/": None,
    }.items():
        assert files.grant_named(str(path)).name == name
    with pytest.raises(PathError, match=r"cannot read agents/loop\.md: Too many levels"):
        files.grant_named("agents/loop.md")


def test_a_directory_that_is_granted_again_takes_no_more_room(world: Path) -> None:
    files = disk(world)
    (before,) = {len(files._granted._known)}
    for _ in range(3):
        files.grant(located("agents"))
    assert len(files._granted._known) == before


def test_opens_only_the_file_that_the_user_names(world: Path) -> None:
    files = disk(world)
    secret = str(world / "secret.md")
    with pytest.raises(FileErrorDenied):
        files.read(secret)
    files.grant_named(secret)
    assert files.read(secret) == b"secret"
    with pytest.raises(FileErrorDenied):
        files.read(f"{secret}/../home/shared/kept.md")
    files.grant_named("other.md")
    assert files.read("other.md") == b"other"
    with pytest.raises(PathError, match=r"cannot read none\.md"):
        files.grant_named("none.md")


def test_follows_the_link_that_the_user_names(world: Path) -> None:
    (world / "project/named.md").symlink_to("../secret.md")
    files = disk(world)
    files.grant_named("named.md")
    assert files.read("named.md") == b"secret"


def test_policies_are_only_visible_to_the_packaged_component(world: Path) -> None:
    managed = Location(level=Level.POLICY, directory=str(world / "home/shared"), recursive=False, owned=True)
    files = disk(world)
    files.grant(managed)
    assert files.read(f"{managed.directory}/kept.md") == b"kept"
    foreign = Disk(Grounds(Place(".", world / "project"), [], False, False, 1000))
    foreign.grant(managed)
    with pytest.raises(FileErrorDenied):
        foreign.read(f"{managed.directory}/kept.md")


def test_a_missing_project_is_an_error(world: Path) -> None:
    for path in ["no/such/project", "other.md"]:
        with pytest.raises(PathError):
            Disk(Grounds(Place(path, world / "project" / path), [], False, True, 1000))


def test_ancestors_end_at_the_repository(world: Path) -> None:
    (world / ".git").write_text("gitdir: elsewhere")
    deep = world / "project/agents"
    places = [".", "agents"]
    names = {name: Disk(Grounds(Place(name, deep), [], False, True, 1)).ancestors() for name in places}
    assert names == {".": ["..", "../.."], "agents": [".", ".."]}
