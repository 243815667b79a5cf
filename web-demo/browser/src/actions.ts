// Handlers for buttons and drops.
import type { Renaming } from "../../shared/contract";
import type { Known } from "../../shared/engine";
import { ask } from "./ask";
import type { Checker } from "./checker";
import type { Client } from "./client";
import { h, keepFocus, part } from "./dom";
import { dialectOf } from "./known";
import type { Origins } from "./origins";
import { some } from "./panels/words";
import { conflictOf, problemOf } from "./project/paths";
import type { Contents, Moves, Project } from "./project/project";
import { isSame, link } from "./project/share";
import { chosen, dropped, type Taken } from "./project/take";
import { focusFile, listenTree, neighbor } from "./project/tree";

const TOAST_MILLISECONDS = 5_000;
// Time to read the message and reach the button.
const ACTION_MILLISECONDS = 15_000;

/** What had the focus before the button of the message. */
let focused: HTMLElement | null = null;
/** Removes the message. */
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a temporary message, optionally with a button. */
export function toast(text: string, action?: { text: string; act: () => void }): void {
  const element = part("toast");
  withdraw();
  element.append(h("span", {}, text));
  if (action) {
    const button = h("button", { type: "button" }, action.text);
    button.onfocus = ({ relatedTarget }) => (focused = relatedTarget as HTMLElement | null);
    button.onclick = () => {
      withdraw();
      action.act();
      keepFocus();
    };
    element.append(button);
  }
  withdrawAfter(action ? ACTION_MILLISECONDS : TOAST_MILLISECONDS);
}

/** Shows why what the user asked for failed. */
export function attempt(work: Promise<unknown>): void {
  work.catch((failure: unknown) => toast(`Failed: ${reasonOf(failure)}.`));
}

/** Shows a message that the user did not ask for. It is added to one with a button, which would be lost. */
export function notify(text: string): void {
  const message = part("toast").querySelector("span:has(+ button)");
  if (!message) return toast(text);
  if (!message.textContent?.includes(text)) message.append(` ${text}`);
  withdrawAfter(ACTION_MILLISECONDS);
}

/** Removes the message after this time without use. */
function withdrawAfter(milliseconds: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => (part("toast").matches(":hover, :focus-within") ? withdrawAfter(milliseconds) : withdraw()), milliseconds);
}

/** Removes the message. The focus returns from its button. */
export function withdraw(): void {
  const element = part("toast");
  const held = element.contains(document.activeElement);
  element.replaceChildren();
  if (held) (focused?.shadowRoot?.querySelector<HTMLElement>(".cm-content") ?? focused)?.focus();
}

/**
 * Offers to undo a change of files that had these contents before. Files that change after it are kept. Files that move back take their
 * changes along, unless there is a new file at their path.
 */
export function offerUndo(project: Project, text: string, before: Contents, undo: (contents: Contents) => void, back: Moves = []): void {
  const left = new Map([...before.keys()].map((path) => [path, project.files.get(path)]));
  const isChanged = (path: string) => !isSame(project.files.get(path), left.get(path));
  const act = () => {
    const changed = [...before.keys()].filter(isChanged);
    const contents = new Map([...before].filter(([path]) => !isChanged(path)));
    let [kept] = changed;
    for (const [path, to] of back.filter((move) => move.some(isChanged))) {
      const now = project.files.get(path);
      contents.delete(path);
      contents.delete(to);
      if (!now || isChanged(to)) continue;
      contents.set(to, now).set(path, undefined);
      kept = to;
    }
    undo(contents);
    if (changed.length === 1) toast(`${kept} has changed since and was kept.`);
    if (changed.length > 1) toast(`${changed.length} files have changed since and were kept.`);
  };
  toast(text, { text: "Undo", act });
}

/** Adds or replaces files, and offers to undo it. */
export function addFiles(project: Project, files: Map<string, Uint8Array>, text: string): void {
  const before = new Map([...files.keys()].map((path) => [path, project.files.get(path)]));
  const replaced = [...files].filter(([path, contents]) => before.get(path) && !isSame(before.get(path), contents)).length;
  project.add(files);
  const more = replaced === 0 ? "" : ` ${some(replaced, "file")} replaced.`;
  const message = replaced === files.size && more ? more.trim() : text + more;
  offerUndo(project, message, before, (files) => project.restore(files));
}

/** Connects the buttons that change the project. */
export function listen(project: Project, checker: Checker, client: Client, known: Known, origins: Origins): void {
  part("new").onclick = () => attempt(create(project, client, known));
  part("rename").onclick = () => attempt(rename(project, checker, client, project.open));
  part("delete").onclick = () => remove(project, project.open);
  listenTree({
    F2: (path) => attempt(rename(project, checker, client, path).then(focusFile)),
    Delete: (path) => {
      const next = neighbor(path);
      remove(project, path);
      focusFile(next);
    },
  });
  part("share").onclick = () => attempt(share(project));
  input("file-input", "choose-files", origins);
  input("folder-input", "choose-folder", origins);
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.body.classList.add("dragging");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dragging");
  });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.body.classList.remove("dragging");
    if (event.dataTransfer) void bring(origins, dropped(event.dataTransfer));
  });
}

/** Whether files are dragged, and not a text. */
function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") === true;
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
    problem: (path) => problemOf(complete(path)) ?? conflictOf(complete(path), project.paths()),
  });
  if (answer === undefined) return;
  const path = complete(answer);
  project.add(new Map([[path, await client.ask("blank", path)]]));
}

function hasEnding(path: string): boolean {
  return path.slice(path.lastIndexOf("/") + 1).includes(".");
}

/** Returns the path that the file then has. */
async function rename(project: Project, checker: Checker, client: Client, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const others = project.paths().filter((other) => other !== path);
  const problem = (answer: string) => (answer === path ? undefined : (problemOf(answer) ?? conflictOf(answer, others)));
  const to = await ask({ title: "New path", value: path, ok: "Rename", problem });
  if (to === undefined || to === path) return path;
  try {
    await checker.send();
    const renaming = await client.ask("follow", path, to);
    if (renaming) take(project, renaming);
    else project.rename(path, to);
  } catch (failure) {
    project.rename(path, to);
    toast(`Only the file was renamed: ${reasonOf(failure)}`);
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
  const after: Contents = new Map(files.map((file) => [file.path, file.after]));
  const [from, target] = moved ?? [];
  const isMoved = (path: string) => path === from || path.startsWith(`${from}/`);
  const moves: Moves = from === undefined ? [] : project.paths().filter(isMoved).map((path) => [path, target + path.slice(from.length)]);
  for (const [path, to] of moves) {
    after.set(to, after.get(path) ?? project.files.get(path));
    after.set(path, undefined);
  }
  const before = new Map([...after.keys()].map((path) => [path, project.files.get(path)]));
  const { open } = project;
  project.restore(after, moves.find(([path]) => path === open)?.[1] ?? open, moves);
  const back: Moves = moves.map(([path, to]) => [to, path]);
  offerUndo(project, `${name} renamed in ${some(files.length, "file")}.`, before, (files) => project.restore(files, open, back), back);
}

function remove(project: Project, path: string | undefined): void {
  const contents = path === undefined ? undefined : project.files.get(path);
  if (path === undefined || !contents) return;
  project.remove(path);
  offerUndo(project, `${path} deleted.`, new Map([[path, contents]]), (files) => project.restore(files, path));
}

async function share(project: Project): Promise<void> {
  const url = link(project);
  if (url === undefined) return toast("These files are too large for a link.");
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
