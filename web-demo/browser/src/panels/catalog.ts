// The catalog: a row per name, a column per source, and a mark for each definition.
import type { Entry, Standing } from "../../../shared/contract";
import { h, part, replace, type Child } from "../dom";
import type { Panel, Scene } from "./panel";
import { some, standingWord, whereabouts } from "./words";

const MARKS: Record<Standing, string> = { active: "●", shadowed: "○", withheld: "◐", broken: "✕", "not-an-agent": "·" };

/** The last drawn content, to skip redraws: most edits do not change it. */
let drawn: { element: Element | null; key: string } = { element: null, key: "" };

export const catalog: Panel = (element, scene) => {
  const { entries } = scene.report;
  const key = keyOf(scene);
  if (drawn.key === key && drawn.element === element.firstChild) return;
  const columns = sources(scene);
  const names = [...Map.groupBy(entries, (entry) => entry.name)];
  const own = names.filter(([, candidates]) => candidates.some((entry) => entry.origin.path !== undefined));
  const shipped = names.filter((name) => !own.includes(name));
  const children = [
    h("p", { class: "lede" }, ...summary(scene)),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Active agents" },
      h(
        "table",
        { class: "map" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "corner" }, "Name"), ...columns.map(head), h("th", { scope: "col", class: "verdict" }, "Loaded from"))),
        h("tbody", {}, ...own.map((name) => row(name, columns, scene))),
        shipped.length > 0 &&
          h(
            "tbody",
            { class: "shipped" },
            h("tr", {}, h("th", { colspan: columns.length + 2, scope: "rowgroup" }, `Built into ${scene.product}`)),
            ...shipped.map((name) => row(name, columns, scene)),
          ),
      ),
    ),
    legend(entries),
    ...elsewhere(scene),
  ];
  replace(element, children, part("panel"));
  drawn = { element: element.firstElementChild, key };
};

function keyOf({ report, project }: Scene): string {
  const entries = report.entries.map(({ name, standing, reason, origin }) => [name, standing, reason, origin.source, origin.path]);
  return JSON.stringify([project.dialect, project.open, project.paths(), entries, report.visited]);
}

function summary({ report, product }: Scene): Child[] {
  const count = (standing: Standing) => report.entries.filter((entry) => entry.standing === standing).length;
  const others = (["shadowed", "broken", "withheld"] as const).filter((standing) => count(standing) > 0);
  const rest = others.map((standing) => `${count(standing)} ${standingWord(standing)}`);
  return [h("strong", {}, `${product} loads ${some(count("active"), "agent")}`), rest.length > 0 ? `; ${rest.join(", ")}.` : "."];
}

/** The sources, lowest precedence first. Sources without a folder come before the others. */
function sources({ report }: Scene): string[] {
  const looked = report.visited.map((visited) => visited.location.directory);
  const used = new Set(report.entries.map((entry) => entry.origin.source));
  const silent = [...used].filter((source) => !looked.includes(source));
  return [...silent, ...looked.filter((source) => used.has(source))];
}

function head(source: string): HTMLElement {
  return h("th", { scope: "col" }, h("span", { class: "path" }, source));
}

function row([name, candidates]: [string, Entry[]], columns: string[], scene: Scene): HTMLElement {
  const at = (source: string) => candidates.filter((entry) => entry.origin.source === source);
  const used = columns.map((source, index) => (at(source).length > 0 ? index : -1)).filter((index) => index >= 0);
  const [first = 0, last = 0] = [used[0], used.at(-1)];
  const winner = candidates.find((entry) => entry.standing === "active");
  const cells = columns.map((source, index) => {
    const within = `${index > first && index <= last ? "from" : ""} ${index >= first && index < last ? "to" : ""}`;
    return h("td", { class: within.trim() || undefined }, ...at(source).map((entry) => dot(entry, scene)));
  });
  const broken = candidates.some((entry) => entry.standing === "broken");
  const label = h("button", { type: "button", class: "link", onclick: () => scene.why(name) }, name);
  const verdict = winner ? winner.origin.source : "none";
  const verdictClass = winner ? (broken ? "verdict fell" : "verdict") : "verdict none";
  return h(
    "tr",
    { class: candidates.some((entry) => entry.origin.path === scene.project.open) ? "open" : undefined },
    h("th", { scope: "row" }, label),
    ...cells,
    h("td", { class: verdictClass }, verdict),
  );
}

function dot(entry: Entry, scene: Scene): HTMLElement {
  const label = `${entry.name} in ${whereabouts(entry)}: ${standingWord(entry.standing)}, ${entry.reason}`;
  const { path } = entry.origin;
  const mark = MARKS[entry.standing];
  if (path === undefined) {
    return h("span", { class: `dot ${entry.standing}`, title: label, role: "img", "aria-label": label }, mark);
  }
  const open = () => scene.open(path);
  return h("button", { type: "button", class: `dot ${entry.standing}`, title: label, "aria-label": label, onclick: open }, mark);
}

function legend(entries: Entry[]): HTMLElement {
  const used = (Object.keys(MARKS) as Standing[]).filter((standing) => entries.some((entry) => entry.standing === standing));
  const items = used.map((one) => h("li", {}, h("span", { class: `dot ${one}`, "aria-hidden": "true" }, MARKS[one]), standingWord(one)));
  return h("ul", { class: "legend" }, ...items);
}

function elsewhere(scene: Scene): HTMLElement[] {
  const known = new Set(scene.report.entries.map((entry) => entry.origin.path));
  const unseen = scene.project.paths().filter((path) => !known.has(path));
  const empty = scene.report.visited.filter((visited) => visited.presence !== "present");
  const list = (title: string, items: Child[]) =>
    h("details", {}, h("summary", {}, title), h("ul", { class: "plain" }, ...items.map((item) => h("li", {}, item))));
  const files = unseen.map((path) => h("button", { type: "button", class: "link path", onclick: () => scene.open(path) }, path));
  const places = empty.map(({ location }) => h("span", { class: "path" }, location.directory));
  return [
    ...(files.length > 0 ? [list(`${some(files.length, "file")} that ${scene.product} does not load as ${files.length === 1 ? "an agent" : "agents"}`, files)] : []),
    ...(places.length > 0 ? [list(`${some(places.length, "other folder")} it searches`, places)] : []),
  ];
}
