// The file list, by folder.
import { h, part } from "../dom";
import type { Mark } from "../questions";
import type { Project } from "./project";

const PLACES: Array<[RegExp, string]> = [
  [/^~\//, "Home folder"],
  [/^plugins\//, "Plugins"],
  [/^/, "Project"],
];

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
  if (focused) tree.querySelector<HTMLElement>("[aria-current=true]")?.focus();

  function folder([name, paths]: [string, string[]]): HTMLElement {
    const list = h("ul", {}, ...paths.map((path) => h("li", {}, file(path))));
    return h("div", { class: "folder" }, h("p", { class: "path" }, name === "" ? "./" : name), list);
  }

  function file(path: string): HTMLElement {
    const mark = marks.get(path);
    const open = path === project.open;
    return h(
      "button",
      { type: "button", "aria-current": open ? "true" : undefined, onclick: () => project.show(path) },
      h("span", { class: "name" }, path.slice(path.lastIndexOf("/") + 1)),
      mark && mark.errors > 0 && badge("error", mark.errors),
      mark && mark.warnings > 0 && badge("warning", mark.warnings),
    );
  }
}

function badge(severity: string, count: number): HTMLElement {
  const label = `${count} ${severity}${count === 1 ? "" : "s"}`;
  return h("span", { class: `count ${severity}`, title: label, "aria-label": label, role: "img" }, String(count));
}
