// The graph: what the files define and refer to, with zoom and search, and the same references as a list.
import type { Edge, Graph, Node as Definition } from "../../../shared/contract";
import { h, replace, type Child } from "../dom";
import { dialectOf } from "../known";
import { layout, type Placed, type Tie } from "./layout";
import type { Panel, Scene } from "./panel";
import { some, standingWord } from "./words";

/** More are slow to draw, and hard to tell apart. */
const MOST_NODES = 300;
const MOST_LINES = 1_000;
/** Of the first cycle. */
const MOST_NAMES = 4;
const [LEAST_ZOOM, MOST_ZOOM, ZOOM_STEP] = [0.1, 2, 1.25];
/** The text of nodes is legible from here on. */
const LEGIBLE_ZOOM = 0.7;
/** How far a pinch or a wheel turns for a step, which is the most that one event changes. */
const PIXELS_PER_STEP = 15;
/** A shorter way of the mouse is a click. */
const CLICK_PIXELS = 4;

/** A node of the component's graph, or a name that has no node. */
interface Item {
  kind: string;
  name: string;
  path: string | undefined;
  /** Missing, unknown, or its standing unless it is active. */
  state: string;
  /** More about it. */
  facts: string[];
  refers: number;
  users: number;
  missing: number;
}

/** The references from one item to another. */
interface Line {
  tie: Tie;
  edges: Edge[];
  isInCycle: boolean;
}

interface Shown extends Placed {
  item: number;
  button: HTMLButtonElement;
}

let scene: Scene;
let graph: Graph;
let items: Item[] = [];
let lines: Line[] = [];
let shown: Shown[] = [];
/** The lines that are drawn, and their elements. Labels are above all lines. */
let visible: Line[] = [];
let strokes: SVGElement[] = [];
let labels: SVGElement[] = [];
/** The last drawn content: most edits do not change it. */
let drawn: string | undefined;
let size = { width: 0, height: 0 };
let zoom = 1;
/** The smallest zoom that makes the graph fit; none if the user chose a zoom. */
let least: number | undefined = LEGIBLE_ZOOM;

const lede = h("p", { class: "lede" });
const search = h("input", { id: "graph-search", type: "search", autocomplete: "off", spellcheck: "false", placeholder: "Name, kind, path or “missing”", oninput: () => draw(), onkeydown: leave });
const status = h("p", { class: "help", role: "status" });
const expand = h("button", { type: "button", class: "expand", "aria-pressed": "false", onclick: () => widen(expand.ariaPressed !== "true") }, "Expand");
const sheet = h("div", { class: "sheet" });
const sizer = h("div", {}, sheet);
const view = h("div", { class: "graph", role: "group", "aria-label": "Graph of references", "aria-describedby": "graph-keys" }, sizer);
const rows = h("tbody");
const heads = ["From", "Reference", "Place"].map((title) => h("th", { scope: "col" }, title));
const list = h("details", { ontoggle: () => fill() }, h("summary", {}, "As a list"), h("table", { class: "report places", "aria-label": "References" }, h("thead", {}, h("tr", {}, ...heads)), rows));
const parts = [
  lede,
  h("div", { class: "field" }, h("label", { for: "graph-search" }, "Search"), search),
  status,
  h(
    "div",
    { class: "field zoom" },
    h("button", { type: "button", "aria-label": "Zoom out", onclick: () => zoomTo(zoom / ZOOM_STEP) }, "−"),
    h("button", { type: "button", "aria-label": "Zoom in", onclick: () => zoomTo(zoom * ZOOM_STEP) }, "+"),
    h("button", { type: "button", onclick: () => fitAll() }, "Fit"),
    expand,
  ),
  view,
  h("p", { id: "graph-keys", class: "help" }, "Arrow keys move along references, Enter opens the file, +, − and 0 zoom."),
  list,
];

export const references: Panel = async (element, now) => {
  const answer = await now.client.ask("graph");
  if (!element.isConnected) return;
  scene = now;
  graph = answer;
  if (graph.nodes.length === 0) return element.replaceChildren(h("p", { class: "lede" }, "No agents, skills, commands or references in these files."));
  if (view.parentElement !== element) {
    widen(false);
    element.replaceChildren(...parts);
  }
  collect();
  draw();
};

/** Makes items and lines of the graph. Names without a node are items, too. */
function collect(): void {
  const { nodes, edges, cycles } = graph;
  const areSeveral = new Set(nodes.flatMap(({ dialect }) => dialect ?? [])).size > 1;
  items = nodes.map((node) => itemOf(node, areSeveral));
  const inCycle = new Set(cycles.flatMap((cycle) => [...cycle]));
  const absent = new Map<string, number>();
  const between = new Map<string, Line>();
  for (const [index, edge] of edges.entries()) {
    const { source, relation, name, verdict } = edge;
    // Two files can mean different files by one path.
    const key = `${verdict} ${relation} ${relation === "links-to" || relation === "runs" ? source : ""} ${name}`;
    const target = edge.target ?? absent.get(key) ?? items.length;
    if (target === items.length) {
      absent.set(key, target);
      items.push({ kind: "", name, path: undefined, state: stateOf(edge), facts: [stateOf(edge)], refers: 0, users: 0, missing: 0 });
    }
    const [from, to] = [items[source], items[target]];
    if (!from || !to) continue;
    from.refers += 1;
    to.users += 1;
    if (verdict === "missing") from.missing += 1;
    const line = between.get(`${source} ${target}`) ?? { tie: [source, target], edges: [], isInCycle: false };
    line.edges.push(edge);
    line.isInCycle ||= inCycle.has(index);
    between.set(`${source} ${target}`, line);
  }
  lines = [...between.values()];
}

function itemOf({ kind, name, dialect, path, standing }: Definition, areSeveral: boolean): Item {
  const state = standing === undefined || standing === "active" ? "" : standingWord(standing);
  const owner = areSeveral && dialect !== undefined ? (dialectOf(scene.known, dialect)?.title ?? dialect) : "";
  const folder = kind === "file" ? name.slice(0, Math.max(name.lastIndexOf("/"), 0)) : "";
  const word = kind === "server" ? "MCP server" : kind;
  const facts = [state, owner, folder].filter((fact) => fact !== "");
  return { kind: word, name, path, state, facts, refers: 0, users: 0, missing: 0 };
}

const relationOf = ({ relation }: Edge): string => relation.replace("-", " ");
const stateOf = ({ verdict }: Edge): string => ({ there: "", missing: "missing", unknown: "not known here" })[verdict];

/** Draws what the search finds and its neighbors, or else everything, up to the limits. */
function draw(): void {
  replace(lede, summary(), search);
  const wanted = search.value.trim().toLowerCase();
  const isFound = ({ kind, name, path, facts }: Item) => wanted !== "" && [kind, name, path, ...facts].join(" ").toLowerCase().includes(wanted);
  const found = new Set([...items.keys()].filter((at) => isFound(items[at] as Item)));
  const near = wanted === "" ? lines : lines.filter(({ tie }) => tie.some((at) => found.has(at)));
  const numbers = chosen(byWeight(wanted === "" ? [...items.keys()] : [...found]), near);
  const all = wanted === "" ? items.length : new Set([...found, ...near.flatMap(({ tie }) => tie)]).size;
  const isCut = numbers.length < all || visible.length < near.length;
  tell(wanted, found.size, isCut && `Only ${numbers.length} of ${all} nodes and ${visible.length} of ${near.length} lines are drawn`);
  const key = JSON.stringify([numbers.map((at) => [items[at], found.has(at)]), visible.map(({ tie, edges, isInCycle }) => [tie, isInCycle, edges.map(relationOf)])]);
  if (key !== drawn) picture(numbers, found);
  drawn = key;
  const { open } = scene.project;
  for (const { item, button } of shown) button.ariaCurrent = open !== undefined && items[item]?.path === open ? "true" : null;
  fill();
}

/** Chooses items with their neighbors, and the lines between them, up to the limits. */
function chosen(wanted: number[], near: Line[]): number[] {
  const neighbors = Map.groupBy(near.flatMap(({ tie: [from, to] }): Tie[] => [[from, to], [to, from]]), ([at]) => at);
  const kept = new Set<number>();
  for (const at of wanted.flatMap((at) => [at, ...(neighbors.get(at) ?? []).map(([, other]) => other)])) if (kept.size < MOST_NODES) kept.add(at);
  // What refers to itself is last, because it is only in the list.
  const isLoop = ({ tie: [from, to] }: Line) => Number(from === to);
  visible = near.filter(({ tie: [from, to] }) => kept.has(from) && kept.has(to)).slice(0, MOST_LINES);
  visible.sort((one, other) => isLoop(one) - isLoop(other));
  const tied = new Set(visible.flatMap(({ tie }) => tie));
  // One whose lines are left out would look unused.
  return [...kept].filter((at) => tied.has(at) || !neighbors.has(at)).sort((one, other) => one - other);
}

/** What to draw first: missing references, then what has the most. */
function byWeight(all: number[]): number[] {
  const weight = ({ state, refers, users, missing }: Item) => (missing > 0 || state === "missing" ? items.length : 0) + refers + users;
  return all.sort((one, other) => weight(items[other] as Item) - weight(items[one] as Item));
}

/** Says what the search found, and what is not drawn. */
function tell(wanted: string, found: number, drawn: string | false): void {
  const result = wanted !== "" && (found === 0 ? "Nothing found." : `${found} found, shown with direct references.`);
  const advice = drawn && (wanted === "" ? `${drawn}, those with missing or most references first. Search to see others.` : `${drawn}. Narrow the search.`);
  const text = [result, advice].filter(Boolean).join(" ");
  if (status.textContent !== text) status.textContent = text;
}

function summary(): Child[] {
  const { nodes, edges, cycles } = graph;
  const count = (verdict: Edge["verdict"]) => edges.filter((edge) => edge.verdict === verdict).length;
  const find = (word: string) => {
    search.value = word;
    draw();
    search.focus();
  };
  const states = (["missing", "unknown"] as const).filter((verdict) => count(verdict) > 0).map((verdict) => {
    const word = verdict === "missing" ? verdict : "not known here";
    return h("button", { type: "button", class: `link ${verdict === "missing" ? "bad" : ""}`, onclick: () => find(word) }, `${count(verdict)} ${word}`);
  });
  const [cycle] = cycles;
  const [first, ...names] = [...(cycle ?? [])].map((at) => nodes[edges[at]?.source ?? 0]?.name);
  const way = names.length < MOST_NAMES ? [first, ...names, first] : [first, ...names.slice(0, MOST_NAMES), "…", first];
  const circle = cycle && ` ${some(cycles.length, "cycle")}: ${way.join(" → ")}${cycles.length > 1 ? " and others" : ""}.`;
  return [h("strong", {}, edges.length === 0 ? "No references" : some(edges.length, "reference")), ...states.flatMap((state) => [", ", state]), ".", circle];
}

function picture(numbers: number[], found: Set<number>): void {
  const places = new Map(numbers.map((at, index) => [at, index]));
  const ties = visible.filter(({ tie: [from, to] }) => from !== to);
  const drawing = layout(numbers.length, ties.map(({ tie: [from, to] }): Tie => [places.get(from) ?? 0, places.get(to) ?? 0]));
  size = drawing;
  shown = numbers.map((item, index) => {
    const button = nodeOf(item, found.has(item));
    const { x, y } = drawing.places[index] as Placed;
    button.style.left = `${x}px`;
    button.style.top = `${y}px`;
    return { item, button, x, y };
  });
  strokes = drawing.paths.map(({ d }, index) => strokeOf(index, d));
  labels = drawing.paths.map(({ label: { x, y } }, index) => svg("text", { x, y, class: classOf(ties[index]) }, said(ties[index])));
  const picture = svg("svg", { width: size.width, height: size.height, "aria-hidden": "true" }, ...strokes, ...labels);
  const alone = h("p", { class: "help" }, "Not connected");
  alone.style.top = `${drawing.alone}px`;
  replace(sheet, [picture, drawing.alone !== undefined && ties.length > 0 && alone, ...shown.map(({ button }) => button)], search);
  const first = shown.find(({ item }) => found.has(item)) ?? shown[0];
  if (first && !sheet.contains(document.activeElement)) first.button.tabIndex = 0;
  fit();
}

/** Its label begins with what can be read on it, in the same order. */
function nodeOf(item: number, isFound: boolean): HTMLButtonElement {
  const { kind, name, path, state, facts, refers, users, missing } = items[item] as Item;
  const short = kind === "file" ? name.slice(name.lastIndexOf("/") + 1) : name;
  const more = [missing > 0 && `${missing} missing`, ...facts].filter(Boolean);
  const label = [`${kind} ${short}`.trim(), ...more, refers > 0 && `refers to ${refers}`, users > 0 && `used by ${users}`].filter(Boolean).join(", ");
  const kinds = [kind === "" ? (state === "missing" ? state : "unknown") : kind, missing > 0 && "lacking", isFound && "found"].filter(Boolean).join(" ");
  const attributes = { type: "button", class: `node ${kinds}`, title: path ?? name, "aria-label": label, tabindex: -1, onclick: () => open(item) };
  const line = h("span", { class: "facts" }, more.join(", "));
  return h("button", attributes, kind !== "" && h("span", { class: "kind" }, kind), " ", h("span", { class: "name" }, short), " ", line);
}

function strokeOf(index: number, d: string): SVGElement {
  const line = visible[index];
  const group = svg("g", { class: classOf(line) }, svg("title", {}, said(line)), svg("path", { d, class: "reach" }), svg("path", { d }));
  group.onclick = () => openReference(visible[index]?.edges[0]);
  return group;
}

const classOf = (line: Line | undefined): string => `${line?.edges[0]?.verdict} ${line?.isInCycle ? "cycle" : ""}`;
const said = (line: Line | undefined): string => [...new Set(line?.edges.map(relationOf)), line?.isInCycle && "cycle"].filter(Boolean).join(", ");

function svg(tag: string, attributes: Record<string, string | number>, ...children: Array<SVGElement | string>): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Opens the file of an item, or else the first reference to it. */
function open(item: number): void {
  const path = items[item]?.path;
  if (path === undefined) return openReference(lines.find(({ tie }) => tie[1] === item)?.edges[0]);
  widen(false);
  scene.open(path);
}

function openReference(edge: Edge | undefined): void {
  if (!edge) return;
  widen(false);
  scene.open(edge.place.path, edge.place.span);
}

/** Shows the panel alone, or beside the others. */
function widen(isWide: boolean): void {
  expand.ariaPressed = String(isWide);
  view.classList.toggle("alone", isWide);
}

/** Fills the list if it is open. */
function fill(): void {
  const row = (edge: Edge) => {
    const { source, name, place } = edge;
    const from = graph.nodes[source];
    const state = stateOf(edge);
    const words = [`${relationOf(edge)} ${name}`, state !== "" && " ", state !== "" && h("span", { class: `badge ${edge.verdict}` }, state)];
    const go = h("button", { type: "button", class: "link path", onclick: () => openReference(edge) }, `${place.path}:${place.start.line}`);
    return h("tr", {}, h("th", { scope: "row" }, `${from?.kind} ${from?.name}`), h("td", {}, ...words), h("td", {}, go));
  };
  replace(rows, list.open ? visible.flatMap(({ edges }) => edges.map(row)) : [], search);
}

/** Marks an item, its neighbors and the lines between them. */
function light(item: number | undefined): void {
  const near = new Set([item]);
  for (const [index, stroke] of strokes.entries()) {
    const { tie } = visible[index] as Line;
    const isNear = tie.some((at) => at === item);
    if (isNear) for (const at of tie) near.add(at);
    for (const part of [stroke, labels[index]]) part?.classList.toggle("near", isNear);
  }
  for (const { item: other, button } of shown) button.classList.toggle("near", near.has(other));
  sheet.classList.toggle("lit", item !== undefined);
}

function shownAt(target: EventTarget | null): Shown | undefined {
  const button = target instanceof Element && target.closest("button");
  return shown.find((one) => one.button === button);
}

sheet.onpointerover = ({ target }) => light((shownAt(target) ?? shownAt(document.activeElement))?.item);
view.onpointerleave = () => light(shownAt(document.activeElement)?.item);
sheet.addEventListener("focusout", () => light(undefined));
sheet.addEventListener("focusin", ({ target }) => {
  const now = shownAt(target);
  for (const { button } of shown) button.tabIndex = button === now?.button ? 0 : -1;
  light(now?.item);
});

/** The next item in a direction: a neighbor if there is one, or else the closest. */
function next(from: Shown, isAcross: boolean, sign: number): Shown | undefined {
  const near = new Set(visible.flatMap(({ tie }) => (tie.includes(from.item) ? tie : [])));
  const distance = ({ x, y }: Placed) => (isAcross ? Math.abs(x - from.x) * 4 : 0) + Math.abs(y - from.y);
  const ahead = shown.filter(({ x, y }) => (isAcross ? Math.sign(x - from.x) === sign : x === from.x && Math.sign(y - from.y) === sign));
  const tied = isAcross ? ahead.filter(({ item }) => near.has(item)) : [];
  return (tied.length > 0 ? tied : ahead).sort((one, other) => distance(one) - distance(other))[0];
}

view.onkeydown = (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const from = shownAt(target);
  const [isAcross, sign] = { ArrowRight: [true, 1], ArrowLeft: [true, -1], ArrowDown: [false, 1], ArrowUp: [false, -1] }[key] ?? [];
  if (from && sign !== undefined) next(from, isAcross === true, Number(sign))?.button.focus();
  else if (key === "+" || key === "=") zoomTo(zoom * ZOOM_STEP);
  else if (key === "-") zoomTo(zoom / ZOOM_STEP);
  else if (key === "0") fitAll();
  else if (key === "Escape") widen(false);
  else return;
  event.preventDefault();
};

/** Moves from the search to the graph. */
function leave(event: KeyboardEvent): void {
  if (event.key === "Escape" && search.value !== "") {
    search.value = "";
    draw();
  } else if (event.key === "Enter" || event.key === "ArrowDown") (shown.find(({ button }) => button.matches(".found")) ?? shown[0])?.button.focus();
  else return;
  event.preventDefault();
}

/** Changes the zoom around a point of the window: that of the focus, or else the middle. */
function zoomTo(wanted: number, point?: { clientX: number; clientY: number }): void {
  const box = (shownAt(document.activeElement)?.button ?? view).getBoundingClientRect();
  const { clientX, clientY } = point ?? { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
  const before = sheet.getBoundingClientRect();
  const [x, y] = [(clientX - before.x) / zoom, (clientY - before.y) / zoom];
  least = undefined;
  scale(wanted);
  const after = sheet.getBoundingClientRect();
  view.scrollBy(after.x + x * zoom - clientX, after.y + y * zoom - clientY);
}

function scale(wanted: number): void {
  zoom = Math.min(Math.max(wanted, LEAST_ZOOM), MOST_ZOOM);
  sheet.style.scale = String(zoom);
  sizer.style.width = `${size.width * zoom}px`;
  sizer.style.height = `${size.height * zoom}px`;
}

function fit(): void {
  const whole = Math.min(view.clientWidth / size.width, view.clientHeight / size.height, 1);
  scale(least === undefined ? zoom : Math.max(whole, least));
}

function fitAll(): void {
  least = LEAST_ZOOM;
  fit();
}

new ResizeObserver(() => {
  fit();
  shownAt(document.activeElement)?.button.scrollIntoView({ block: "nearest", inline: "nearest" });
}).observe(view);
view.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoomTo(zoom * ZOOM_STEP ** Math.min(Math.max(-event.deltaY / PIXELS_PER_STEP, -1), 1), event);
  },
  { passive: false },
);
// The mouse drags. Fingers scroll, and two of them zoom.
let way = 0;
view.onpointerdown = () => (way = 0);
view.onpointermove = ({ buttons, pointerType, movementX, movementY }) => {
  if (buttons !== 1 || pointerType !== "mouse") return;
  view.scrollBy(-movementX, -movementY);
  way += Math.hypot(movementX, movementY);
};
view.addEventListener("click", (event) => event.detail > 0 && way > CLICK_PIXELS && event.stopPropagation(), true);
let spread = 0;
view.addEventListener(
  "touchmove",
  (event) => {
    const [one, other] = event.touches;
    if (!one || !other) return;
    event.preventDefault();
    const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    if (spread > 0) zoomTo((zoom * now) / spread, { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 });
    spread = now;
  },
  { passive: false },
);
view.ontouchend = () => (spread = 0);
