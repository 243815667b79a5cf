// Handlers for buttons and drops.
import type { Renaming } from "../../shared/contract";
import type { Known } from "../../shared/engine";
import { ask } from "./ask";
import type { Client } from "./client";
import { h, part } from "./dom";
import { dialectOf } from "./known";
import type { Origins } from "./origins";
import { some } from "./panels/words";
import type { Project } from "./project/project";
import { isSame, keep, link } from "./project/share";
import { chosen, dropped, type Taken } from "./project/take";
import { focusFile, listenTree, neighbor } from "./project/tree";

const TOAST_MILLISECONDS = 5_000;
// Time to read the message and reach the button.
const ACTION_MILLISECONDS = 15_000;

/** Shows a temporary message, optionally with a button. */
export function toast(text: string, action?: { text: string; act: () => void }): void {
  const element = part("toast");
  const message = h("span", {}, text);
  const close = () => {
    if (message.parentElement === element) element.replaceChildren();
  };
  element.replaceChildren(message);
  if (action) {
    const button = h("button", { type: "button" }, action.text);
    button.onclick = () => {
      close();
      action.act();
    };
    element.append(button);
  }
  const milliseconds = action ? ACTION_MILLISECONDS : TOAST_MILLISECONDS;
  const end = () => {
    if (element.matches(":hover, :focus-within")) setTimeout(end, milliseconds);
    else close();
  };
  setTimeout(end, milliseconds);
}

/** Removes the message, whose button is for other files. */
export function withdraw(): void {
  part("toast").replaceChildren();
}

/** Adds or replaces files, and offers to undo it. */
export function addFiles(project: Project, files: Map<string, Uint8Array>, text: string): void {
  const before = new Map([...files.keys()].map((path) => [path, project.files.get(path)]));
  const replaced = [...files].filter(([path, contents]) => before.get(path) && !isSame(before.get(path), contents)).length;
  project.add(files);
  const more = replaced === 0 ? "" : ` ${some(replaced, "file")} replaced.`;
  const message = replaced === files.size && more ? more.trim() : text + more;
  toast(message, { text: "Undo", act: () => project.restore(before) });
}

/** Connects the buttons that change the project. */
export function listen(project: Project, client: Client, known: Known, origins: Origins): void {
  part("new").onclick = () => void create(project, client, known);
  part("rename").onclick = () => void rename(project, client, project.open);
  part("delete").onclick = () => remove(project, project.open);
  listenTree({
    F2: (path) => void rename(project, client, path).then(focusFile),
    Delete: (path) => {
      const next = neighbor(path);
      remove(project, path);
      focusFile(next);
    },
  });
  part("share").onclick = () => void share(project);
  input("file-input", "choose-files", origins);
  input("folder-input", "choose-folder", origins);
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
    if (event.dataTransfer) void bring(origins, dropped(event.dataTransfer));
  });
}

async function create(project: Project, client: Client, known: Known): Promise<void> {
  const [ending = ""] = dialectOf(known, project.dialect)?.endings ?? [];
  const directories = await client.ask("ownDirectories", project.dialect);
  const suggestions = directories.map((directory) => `${directory}/new-agent${ending}`);
  const complete = (path: string) => (path.endsWith("/") || hasEnding(path) ? path : path + ending);
  const answer = await ask({
    title: "Path of the new file",
    value: suggestions[0] ?? `new-agent${ending}`,
    ok: "Add",
    suggestions,
    problem: (path) => wrong(project, complete(path)),
  });
  if (answer === undefined) return;
  const path = complete(answer);
  project.add(new Map([[path, await client.ask("blank", path)]]));
}

function hasEnding(path: string): boolean {
  return path.slice(path.lastIndexOf("/") + 1).includes(".");
}

/** Returns the path that the file then has. */
async function rename(project: Project, client: Client, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const problem = (answer: string) => (answer === path ? undefined : wrong(project, answer));
  const to = await ask({ title: "New path", value: path, ok: "Rename", problem });
  if (to === undefined || to === path) return path;
  try {
    const renaming = await client.ask("follow", path, to);
    if (renaming) take(project, renaming);
    else project.rename(path, to);
  } catch (failure) {
    project.rename(path, to);
    toast(`${to} keeps its name: ${reasonOf(failure)}`);
  }
  return to;
}

/** Asks for another name of what has the name at a byte of the open file, and changes its file and all references to it. */
export async function renameAt(project: Project, client: Client, at: number): Promise<void> {
  const found = project.open === undefined ? undefined : await client.ask("renamable", project.open, at);
  if (!found) return toast("Put the cursor on the name of an agent, a skill or a command to rename it.");
  let renaming: Renaming | undefined;
  const problem = async (name: string) => {
    try {
      renaming = name === found.name ? undefined : await client.ask("rename", found.path, name);
      return undefined;
    } catch (failure) {
      return reasonOf(failure);
    }
  };
  const to = await ask({ title: `New name of ${found.name}`, value: found.name, ok: "Rename", problem });
  if (to === undefined || !renaming) return;
  try {
    take(project, renaming);
  } catch (failure) {
    toast(`Not renamed: ${reasonOf(failure)}`);
  }
}

function reasonOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** Changes the files of a new name, and offers to undo it. Fails if one has changed since. */
function take(project: Project, { name, files, moved }: Renaming): void {
  if (!files.every((file) => isSame(project.files.get(file.path), file.before))) throw new Error("its files have changed; try again");
  const after = new Map<string, Uint8Array | undefined>(files.map((file) => [file.path, file.after]));
  const moves = (path: string) => moved && (path === moved[0] || path.startsWith(`${moved[0]}/`)) && moved[1] + path.slice(moved[0].length);
  for (const path of project.paths()) {
    const to = moves(path);
    if (!to) continue;
    after.set(to, after.get(path) ?? project.files.get(path));
    after.set(path, undefined);
  }
  const before = new Map([...after.keys()].map((path) => [path, project.files.get(path)]));
  const { open } = project;
  project.restore(after, (open === undefined ? undefined : moves(open)) || open);
  toast(`${name} renamed in ${some(files.length, "file")}.`, { text: "Undo", act: () => project.restore(before, open) });
}

function remove(project: Project, path: string | undefined): void {
  const contents = path === undefined ? undefined : project.files.get(path);
  if (path === undefined || !contents) return;
  project.remove(path);
  toast(`${path} deleted.`, { text: "Undo", act: () => project.add(new Map([[path, contents]])) });
}

function wrong(project: Project, path: string): string | undefined {
  if (path === "" || path.endsWith("/")) return "Enter a file name.";
  if (path.startsWith("/") || path.split("/").includes("..")) return "Use a path in the project, or ~/ for the home folder.";
  return project.files.has(path) ? "A file with this path already exists." : undefined;
}

async function share(project: Project): Promise<void> {
  keep(project);
  const url = link(project);
  history.replaceState(null, "", url);
  const kilobytes = Math.ceil(url.length / 1_000);
  try {
    await navigator.clipboard.writeText(url);
    toast(`Link copied (${kilobytes} KB). It contains all files; nothing was uploaded.`);
  } catch {
    toast(`The link is in the address bar (${kilobytes} KB). It contains all files.`);
  }
}

function input(id: string, button: string, origins: Origins): void {
  const element = part<HTMLInputElement>(id);
  part(button).onclick = () => element.click();
  element.onchange = () => {
    if (element.files) void bring(origins, chosen(element.files));
    element.value = "";
  };
}

async function bring(origins: Origins, taking: Promise<Taken>): Promise<void> {
  try {
    origins.import(await taking);
  } catch (failure) {
    toast(`Could not read the files: ${reasonOf(failure)}`);
  }
}
