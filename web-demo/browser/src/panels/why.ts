// The definitions of one name, in order of precedence.
import type { Entry, NearMiss, Node } from "../../../shared/contract";
import { h, part, prose, replace } from "../dom";
import type { Named } from "../questions";
import type { Panel, Scene } from "./panel";
import { model, place, standing, tools } from "./words";

let asked: string | undefined;

/** The name to explain next. */
export function ask(name: string | undefined): void {
  asked = name;
}

export const why: Panel = async (element, scene) => {
  const { report, project, client, product } = scene;
  const here = report.entries.find((entry) => entry.origin.path === project.open);
  const name = asked ?? here?.name ?? report.around?.name ?? report.entries[0]?.name ?? "";
  const { rule, candidates, near, refusal } = await client.ask("explain", project.dialect, name);
  const { nodes, users } = await client.ask("named", candidates.length > 0 ? `agent:${name}` : name);
  // The user entered another name in the meantime.
  if (asked !== undefined && asked !== name) return why(element, scene);
  /** Whether the name is one of a skill, a command, a server or a file. */
  const isElsewhere = candidates.length === 0 && nodes.length > 0;
  const [strongest] = candidates;
  const winner = candidates.find((entry) => entry.standing === "active");
  const written = element.querySelector("input");
  const isSelected = written !== null && document.activeElement === written && written.selectionStart === 0 && written.selectionEnd === written.value.length;
  const children = [
    chooser(name, scene, element),
    h("p", { class: "lede" }, h("strong", {}, resolution()), isElsewhere ? "." : `. In ${product}, ${rule}.`),
    h("ol", { class: "candidates" }, ...candidates.map((entry) => candidate(entry, entry === strongest, scene))),
    ...(refusal === undefined || isElsewhere ? [] : [quote(product, refusal)]),
    ...usedBy(users, scene),
    ...(near.length === 0 || isElsewhere ? [] : [h("h3", {}, "Did you mean"), h("ul", { class: "plain" }, ...near.map(miss))]),
  ];
  replace(element, children, part("panel"));
  // Restore the selection, so that typing replaces it.
  if (isSelected) element.querySelector("input")?.select();

  function resolution(): string {
    if (winner) return `“${name}” resolves to ${winner.origin.path ?? `the ${winner.origin.source} agent`}`;
    if (candidates.length > 0) return `No definition of “${name}” is active`;
    return isElsewhere ? nodes.map(definition).join("; ") : `No agent is named “${name}”`;
  }

  function miss({ entry }: NearMiss): HTMLElement {
    return h("li", {}, nameButton(entry.name, scene), " ", place(entry.origin.path, entry.origin.source, scene.open));
  }
};

function definition({ kind, name, path }: Node): string {
  return `The ${kind === "server" ? "MCP server" : kind} “${name}” is defined in ${path ?? "no file"}`;
}

function usedBy(users: Named["users"], { open }: Scene): HTMLElement[] {
  if (users.length === 0) return [];
  const items = users.map(({ node, place: { path, span, start } }) =>
    h("li", {}, `${node.kind} ${node.name} `, h("button", { type: "button", class: "link path", onclick: () => open(path, span) }, `${path}:${start.line}`)),
  );
  return [h("h3", {}, "Used by"), h("ul", { class: "plain" }, ...items)];
}

function chooser(name: string, scene: Scene, element: HTMLElement): HTMLElement {
  const names = [...new Set(scene.report.entries.map((entry) => entry.name))];
  const input = h("input", { id: "why-name", type: "search", list: "names", value: name, autocomplete: "off", spellcheck: "false" });
  // Store each keystroke, because another answer may redraw the panel before the name is complete.
  input.addEventListener("input", () => ask(input.value));
  input.addEventListener("change", () => void why(element, scene));
  const list = h("datalist", { id: "names" }, ...names.map((value) => h("option", { value })));
  return h("div", { class: "field" }, h("label", { for: "why-name" }, "Agent name"), input, list);
}

function candidate(entry: Entry, strongest: boolean, scene: Scene): HTMLElement {
  return h(
    "li",
    { class: `${entry.standing}${strongest ? " strongest" : ""}` },
    h("p", {}, standing(entry.standing), " ", place(entry.origin.path, entry.origin.source, scene.open)),
    h("p", { class: "reason" }, ...prose(`${entry.reason}.`)),
    h("p", { class: "description" }, entry.description),
    h("p", { class: "facts" }, `${tools(entry)} · ${model(entry)}`),
  );
}

function quote(product: string, refusal: string): HTMLElement {
  return h("figure", {}, h("figcaption", {}, `${product} reports`), h("blockquote", {}, refusal));
}

function nameButton(name: string, scene: Scene): HTMLElement {
  return h("button", { type: "button", class: "link", onclick: () => scene.why(name) }, name);
}
