// The file list, by folder.
import { h, part } from "../dom";
import type { Mark } from "../questions";
import type { Project } from "./project";

const PLACES: Array<[RegExp, string]> = [
  [/^~\//, "Home folder"],
  [/^plugins\//, "Plugins"],
  [/^/, "Project"],
];

/** The path of the file that the Tab key reaches. */
let stop: string | undefined;

/** Shows the files with their numbers of problems. */
export function showTree(project: Project, marks: Map<string, Mark>): void {
  const tree = part("tree");
  const focused = tree.contains(document.activeElement);
  const groups = PLACES.map(([, title]) => ({ title, folders: new Map<string, string[]>() })).reverse();
  for (const path of project.paths()) {
    const title = PLACES.find(([start]) => start.test(path))?.[1];
    const folders = groups.find((group) => group.title === title)?.folders;
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    folders?.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  const shown = groups.filter((group) => group.folders.size > 0);
  tree.replaceChildren(...shown.map(({ title, folders }) => h("section", {}, h("h3", {}, title), ...[...folders].map(folder))));
  if (stop === undefined || !focused || !project.files.has(stop)) stop = project.open;
  const reached = files().find((button) => button.dataset.path === stop) ?? files()[0];
  if (reached) reached.tabIndex = 0;
  if (focused) reached?.focus();

  function folder([name, paths]: [string, string[]]): HTMLElement {
    const label = name === "" ? "./" : name;
    const list = h("ul", { "aria-label": label }, ...paths.map((path) => h("li", {}, file(path))));
    return h("div", { class: "folder" }, h("p", { class: "path", "aria-hidden": "true" }, label), list);
  }

  function file(path: string): HTMLElement {
    const mark = marks.get(path);
    const open = path === project.open;
    return h(
      "button",
      { type: "button", "data-path": path, tabindex: -1, "aria-current": open ? "true" : undefined, onclick: () => project.show(path) },
      h("span", { class: "name" }, path.slice(path.lastIndexOf("/") + 1)),
      mark && mark.errors > 0 && badge("error", mark.errors),
      mark && mark.warnings > 0 && badge("warning", mark.warnings),
    );
  }
}

/** Moves the focus to a file. */
export function focusFile(path: string | undefined): void {
  const target = files().find((button) => button.dataset.path === path);
  if (!target) return;
  for (const button of files()) button.tabIndex = button === target ? 0 : -1;
  stop = path;
  target.focus();
}

/** The path of the file next to this one in the list, or before the last. */
export function neighbor(path: string): string | undefined {
  const paths = files().map((button) => button.dataset.path);
  const at = paths.indexOf(path);
  return paths[at + 1] ?? paths[at - 1];
}

/** Moves between files with arrow keys, and calls the action of other keys. */
export function listenTree(actions: Record<string, (path: string) => void>): void {
  part("tree").addEventListener("keydown", (event) => {
    const all = files();
    const at = all.findIndex((button) => button === document.activeElement);
    const path = all[at]?.dataset.path;
    if (path === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) focusFile(all[to]?.dataset.path);
    else actions[event.key]?.(path);
    if (to !== undefined || event.key in actions) event.preventDefault();
  });
}

function files(): HTMLButtonElement[] {
  return [...part("tree").querySelectorAll("button")];
}

function badge(severity: string, count: number): HTMLElement {
  const label = `${count} ${severity}${count === 1 ? "" : "s"}`;
  return h("span", { class: `count ${severity}`, title: label, "aria-label": label, role: "img" }, String(count));
}
