// How each release reads the open file.
import type { HeldAgent, Reader, Seen } from "../../../shared/contract";
import { h, part, replace } from "../dom";
import type { Panel } from "./panel";
import { fate, held, heldTools } from "./words";

export const readers: Panel = async (element, { client, project, known }) => {
  if (project.open === undefined) return element.replaceChildren(h("p", { class: "lede" }, "No file open."));
  const path = project.open;
  const seen = await client.ask("readings", path);
  const looking = seen.filter((one) => one.fate !== "not-looked-at");
  const loading = looking.filter((one) => one.fate !== "dropped");
  const title = h("strong", {}, summary(loading.length, looking.length));
  const others = seen.filter((one) => one.fate === "not-looked-at");
  const list = [...looking, ...others].map((one) => item(one, known.readers.find((reader) => reader.id === one.reader)));
  const lede = h("p", { class: "lede" }, title, ". Measured behavior can differ from the documentation.");
  replace(element, [lede, h("ul", { class: "readers" }, ...list)], part("panel"));
};

function summary(loading: number, looking: number): string {
  if (looking === 1) return loading === 1 ? "Loaded by the only release that reads this folder" : "Dropped by the only release that reads this folder";
  if (loading === 0) return `Dropped by all ${looking} releases that read this folder`;
  return `Loaded by ${loading} of ${looking} releases that read this folder`;
}

function item(seen: Seen, reader: Reader | undefined): HTMLElement {
  const head = [
    h("span", { class: "who" }, reader?.title ?? seen.reader),
    fate(seen.fate),
    h("span", { class: "evidence" }, reader?.measured ? "measured" : "from documentation"),
  ];
  const reason = seen.reason !== "" && h("p", { class: "reason" }, seen.reason);
  const differs = seen.differs.length > 0 && h("p", { class: "reason" }, `Reads ${seen.differs.join(", ")} differently.`);
  if (!seen.agent) return h("li", { class: seen.fate }, h("p", { class: "head" }, ...head), reason);
  const inside = h("details", {}, h("summary", {}, "What it loaded"), holding(seen.agent, seen.differs));
  return h("li", { class: seen.fate }, h("p", { class: "head" }, ...head), reason, differs, inside);
}

function holding(agent: HeldAgent, differs: string[]): HTMLElement {
  const rows: Array<[string, string]> = [
    ["name", held(agent.name)],
    ["description", held(agent.description)],
    ["tools", heldTools(agent.tools)],
    ["denied tools", heldTools(agent.deniedTools)],
    ["model", held(agent.model)],
    ["color", held(agent.color)],
    ["prompt", agent.prompt],
  ];
  const pairs = rows.flatMap(([key, value]) => [h("dt", {}, key), h("dd", { class: differs.includes(key) ? "differs" : undefined }, value)]);
  return h("dl", { class: "holding" }, ...pairs);
}
