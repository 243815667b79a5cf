// What the buttons and drops do.
import { ask } from "./ask";
import type { Client } from "./client";
import { part } from "./dom";
import type { Known } from "../../shared/engine";
import type { Project } from "./project/project";
import { link } from "./project/share";
import { chosen, dropped, type Taken } from "./project/take";

const TOAST_MILLISECONDS = 5_000;

/** Says something in passing. */
export function toast(text: string): void {
  const element = part("toast");
  element.textContent = text;
  setTimeout(() => {
    if (element.textContent === text) element.textContent = "";
  }, TOAST_MILLISECONDS);
}

/** Listens to the buttons that change the project. */
export function listen(project: Project, client: Client, known: Known): void {
  part("new").onclick = () => void create(project, client, known);
  part("rename").onclick = () => void rename(project);
  part("delete").onclick = () => remove(project);
  part("share").onclick = () => void share(project);
  input("file-input", "choose-files", project);
  input("folder-input", "choose-folder", project);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dragging");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dragging");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dragging");
    if (event.dataTransfer) void take(project, dropped(event.dataTransfer));
  });
}

async function create(project: Project, client: Client, known: Known): Promise<void> {
  const dialect = project.dialect.split("@")[0];
  const sources = known.dialects.find((one) => one.id === dialect)?.sources ?? [];
  const places = sources.map((source) => source.directory).filter((directory) => directory !== "");
  const own = sources.filter((source) => source.level === "project").at(-1)?.directory ?? "agents";
  const path = await ask({
    title: "Path of the new file",
    value: `${own}/new-agent.md`,
    ok: "Add",
    suggestions: places.map((place) => `${place}/new-agent.md`),
    problem: (answer) => wrong(project, answer),
  });
  if (path === undefined) return;
  project.add(new Map([[path, await client.ask("blank", path)]]));
}

async function rename(project: Project): Promise<void> {
  const { open } = project;
  if (open === undefined) return;
  const problem = (answer: string) => (answer === open ? undefined : wrong(project, answer));
  const to = await ask({ title: "New path", value: open, ok: "Rename", problem });
  if (to !== undefined) project.rename(open, to);
}

function remove(project: Project): void {
  const { open } = project;
  if (open === undefined) return;
  project.remove(open);
  toast(`${open} is gone. The example and the link still have it.`);
}

function wrong(project: Project, path: string): string | undefined {
  if (path === "" || path.endsWith("/")) return "A file needs a name.";
  if (path.startsWith("/") || path.split("/").includes("..")) return "Paths begin in the project, or with ~/ in the home folder.";
  return project.files.has(path) ? "There is a file of this path." : undefined;
}

async function share(project: Project): Promise<void> {
  const url = link(project);
  history.replaceState(null, "", url);
  const kilobytes = Math.ceil(url.length / 1_000);
  try {
    await navigator.clipboard.writeText(url);
    toast(`The link is copied: ${kilobytes} KB, with all files in it. Nothing was uploaded.`);
  } catch {
    toast(`The link is in the address bar: ${kilobytes} KB, with all files in it.`);
  }
}

function input(id: string, button: string, project: Project): void {
  const element = part<HTMLInputElement>(id);
  part(button).onclick = () => element.click();
  element.onchange = () => {
    if (element.files) void take(project, chosen(element.files));
    element.value = "";
  };
}

async function take(project: Project, taking: Promise<Taken>): Promise<void> {
  try {
    const taken = await taking;
    project.add(taken);
    toast(taken.size === 1 ? "1 file was added." : `${taken.size} files were added.`);
  } catch (failure) {
    toast(`That could not be read: ${failure instanceof Error ? failure.message : String(failure)}`);
  }
}
