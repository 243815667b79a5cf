// Texts and badges for values of the component.
import type { Entry, Fate, Held, HeldTools, Standing } from "../../../shared/contract";
import { h } from "../dom";

const STANDINGS: Record<Standing, string> = {
  active: "active",
  shadowed: "shadowed",
  withheld: "withheld",
  broken: "broken",
  "not-an-agent": "not an agent",
};

const FATES: Record<Fate, string> = {
  loads: "loads",
  "loads-differently": "loads differently",
  dropped: "not loaded",
  "not-looked-at": "other folder",
};

export const standing = (one: Standing): HTMLElement => h("span", { class: `badge ${one}` }, STANDINGS[one]);
export const standingWord = (one: Standing): string => STANDINGS[one];
export const fate = (one: Fate): HTMLElement => h("span", { class: `badge ${one}` }, FATES[one]);

/** The file of a definition, or its source if it has no file. */
export const whereabouts = (entry: Entry): string => entry.origin.path ?? entry.origin.source;

export function tools(entry: Entry): string {
  const { tools } = entry;
  if (tools.tag !== "only") return tools.tag === "all" ? "all tools" : tools.tag === "none" ? "no tools" : "the default tools";
  return tools.val.map(({ tool, specifier }) => (specifier === undefined ? tool : `${tool}(${specifier})`)).join(", ");
}

export function model(entry: Entry): string {
  const { model } = entry;
  if (model.tag === "absent") return "the default model";
  return model.tag === "inherit" ? "the caller’s model" : model.val;
}

export function held(value: Held | undefined): string {
  if (!value) return "–";
  return value.kind === "text" ? value.value : `${value.value} (${value.kind})`;
}

export function heldTools(tools: HeldTools): string {
  if (tools.tag === "only") return tools.val.length === 0 ? "none" : tools.val.join(", ");
  return tools.tag === "all" ? "all" : "not set";
}

/** A count with its noun. */
export const some = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** A button that opens a file, or the source as plain text. */
export function place(path: string | undefined, source: string, open: (path: string) => void): HTMLElement {
  if (path === undefined) return h("span", { class: "path" }, source);
  return h("button", { type: "button", class: "link path", onclick: () => open(path) }, path);
}
