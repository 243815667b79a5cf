// Sets up the page.
import type { Diagnostic, Span } from "../../shared/contract";
import type { Known } from "../../shared/engine";
import { encode } from "../../shared/places";
import { attempt, listen, notify, offerUndo, renameAt, toast } from "./actions";
import { Checker } from "./checker";
import { client } from "./component";
import { h, keepFocus, options, part, replace } from "./dom";
import { createEditor } from "./editor/editor";
import { dialectOf } from "./known";
import { Origins } from "./origins";
import { showOutline } from "./outline";
import { catalog } from "./panels/catalog";
import type { Panel, Scene } from "./panels/panel";
import { readers } from "./panels/readers";
import { ask as askWhy, why } from "./panels/why";
import { some } from "./panels/words";
import { showProblems } from "./problems";
import { FIRST_DIALECT, Project } from "./project/project";
import { isSame, keep } from "./project/share";
import { showTree } from "./project/tree";
import type { Around, Lens, Look, Mark, Outline, Report } from "./questions";
import { Tabs } from "./tabs";

const KEEP_AFTER_MILLISECONDS = 400;

// Loaded on demand.
const graph = later(async () => (await import("./panels/graph")).references);
const convert = later(async () => (await import("./panels/convert")).convert);
const run = later(async () => (await import("./panels/run")).session);

const project = new Project();
let known: Known | undefined;
let report: Report | undefined;
let marks = new Map<string, Mark>();
let keeping: ReturnType<typeof setTimeout> | undefined;
let isTooLarge = false;

/** The parts of the open file. */
let outline: Outline | undefined;
/** The agent that a lens asked to run. */
let agent: string | undefined;

const editor = createEditor(part("text"), {
  contentsOf: (path) => project.files.get(path),
  onEdit: (path, contents) => project.edit(path, contents),
  complete: (text, at) => client.ask("complete", project.open ?? "", encode(text), at),
  hover: async (at) => {
    await checker.send();
    return project.open === undefined ? undefined : client.ask("hover", project.open, at);
  },
  changed: showChanged,
  open,
  references: async (link) => {
    if (!link) await checker.settled();
    const name = link?.name ?? report?.around?.name;
    if (name === undefined) toast("No agent, skill or command is defined or named here.");
    else explain(name);
  },
  rename: (at) => attempt(checker.send().then(() => renameAt(project, client, at))),
  outline: () => attempt(goTo()),
});
const checker = new Checker(client, project, show, survey, (reason) => {
  part("problem-count").textContent = `Not checked: ${reason}.`;
});
const tabs = new Tabs(
  [
    { id: "catalog", title: "Catalog", panel: catalog },
    { id: "why", title: "Why", panel: why },
    { id: "readers", title: "Readers", panel: readers },
    { id: "graph", title: "Graph", panel: graph },
    { id: "convert", title: "Convert", panel: convert },
    { id: "run", title: "Run", panel: run },
  ],
  () => attempt(draw()),
);

project.onChange((change, moves, created) => {
  if (change === "files") {
    for (const path of created) editor.forget(path);
    for (const [path, to] of moves) editor.move(path, to);
    showTree(project, marks);
    part("config").hidden = !project.files.has("callsheet.toml");
  }
  if (change === "open") {
    askWhy(undefined);
    agent = undefined;
    outline = undefined;
    if (report) report = { ...report, around: undefined };
    showLenses(undefined);
    const contents = project.open === undefined ? undefined : project.files.get(project.open);
    editor.open(project.open, contents ?? new Uint8Array());
    part("open-path").textContent = project.open ?? "No file open. Create one or drop a folder.";
    showTree(project, marks);
  }
  if (change === "dialect") showDialect();
  checker.check();
  clearTimeout(keeping);
  keeping = setTimeout(save, KEEP_AFTER_MILLISECONDS);
});

/** Shows the dialect. A link can have one that does not exist. */
function showDialect(): void {
  const { dialect } = project;
  if (known && !dialectOf(known, dialect)) {
    project.readAs(FIRST_DIALECT);
    notify(`Unknown dialect “${dialect}”. The files are read as ${productOf(known, FIRST_DIALECT)}.`);
  }
  part<HTMLSelectElement>("dialect").value = project.dialect;
}

/** Stores the project in the browser. */
function save(): void {
  clearTimeout(keeping);
  const isKept = keep(project, (other, writer) => origins.keepOther(other, writer));
  if (!isKept && !isTooLarge) notify("These files are too large to store: you lose them when you close the page.");
  isTooLarge = !isKept;
}

function show({ findings, annotations, outline: parts }: Look, contents: Uint8Array): void {
  const found = editor.mark(findings, contents);
  editor.annotate(annotations, contents);
  editor.fold(parts, contents);
  outline = parts;
  showProblems(found, contents, editor, project.open !== undefined, (finding) => attempt(ignore(finding)));
}

/** Lets the user go to a part of the open file. */
async function goTo(): Promise<void> {
  if (!outline) await checker.settled();
  const { open: path } = project;
  if (outline && path !== undefined) showOutline(outline, (span) => open(path, span));
  else toast("No agent, skill or command is defined in this file.");
}

function showChanged(): void {
  toast("The file has changed in the meantime. Try again.");
}

/** Writes a comment that suppresses a finding. */
async function ignore({ rule, primary: { place } }: Diagnostic): Promise<void> {
  const contents = project.files.get(place.path);
  await checker.send();
  const edit = await client.ask("suppress", place.path, rule, place.span.start);
  if (!contents || project.open !== place.path || contents !== project.files.get(place.path)) return showChanged();
  if (!edit) return toast("No comment can suppress this finding here.");
  editor.fix({ title: "", safe: true, edits: [edit] }, contents);
}

/** Shows lines about the open file. Each opens a panel. */
function showLenses(around: Around | undefined): void {
  const lens = ({ text, tab }: Lens) => {
    const onclick = () => {
      agent = tab === "run" ? around?.name : undefined;
      // What a lens says is of the tool that owns the file.
      const owner = known && dialectOf(known, around?.dialect ?? "");
      if (known && owner && owner.id !== dialectOf(known, project.dialect)?.id) project.readAs(owner.id);
      if (tab === "why") askWhy(around?.name);
      showPane("answers");
      tabs.show(tab);
      part("panel").focus();
    };
    return h("button", { type: "button", class: "link", onclick }, text);
  };
  replace(part("lenses"), (around?.lenses ?? []).map(lens), part("parts"));
}

function survey(now: Report, contents: Uint8Array | undefined): void {
  report = now;
  showLenses(now.around);
  // Otherwise the next report has the places in the text.
  if (contents && project.open !== undefined && contents === project.files.get(project.open)) editor.link(now.around?.links ?? [], contents);
  const fixButton = part("fix-all");
  // A hidden button would lose the focus to the page.
  if (!now.isFixable && document.activeElement === fixButton) part("problem-count").focus();
  fixButton.hidden = !now.isFixable;
  if (known) attempt(origins.chooseDialect(client, known));
  if (!document.body.dataset.ready) {
    document.body.dataset.ready = "yes";
    performance.mark("callsheet:interactive");
  }
  if (changed(marks, now.marks)) {
    marks = now.marks;
    showTree(project, marks);
  }
  attempt(draw());
}

/** Applies the safe fixes in all files of the project. */
async function fixAll(): Promise<void> {
  await checker.send();
  const fixed = await client.ask("fixed");
  // The user may type in the meantime.
  const files = fixed.filter(({ path, before }) => isSame(project.files.get(path), before));
  const applied = files.reduce((sum, file) => sum + file.applied.length, 0);
  if (applied === 0) return toast("No safe fix applies.");
  editor.rewrite(files);
  const before = new Map(files.map(({ path, before }) => [path, before]));
  offerUndo(project, `Fixed ${some(applied, "problem")} in ${some(files.length, "file")}.`, before, (unchanged) =>
    editor.rewrite(files.filter(({ path }) => unchanged.has(path)).map(({ path, before, after }) => ({ path, before: project.files.get(path) ?? after, after: before }))),
  );
}

function changed(before: Map<string, Mark>, now: Map<string, Mark>): boolean {
  return JSON.stringify([...before]) !== JSON.stringify([...now]);
}

/** A panel that is loaded on first use. After loading, it draws the latest request. */
function later(fetched: () => Promise<Panel>): Panel {
  let last: Parameters<Panel>;
  return async (...asked) => {
    last = asked;
    const panel = await fetched();
    await panel(...last);
  };
}

async function draw(): Promise<void> {
  if (!report || !known) return;
  const scene: Scene = {
    client,
    project,
    known,
    report,
    product: productOf(known, project.dialect),
    open,
    why: explain,
    agent,
  };
  await tabs.shown.panel(tabs.element, scene);
}

function open(path: string, span?: Span): void {
  project.show(path);
  showPane("editor");
  const contents = project.files.get(path);
  if (contents && span) editor.select(span, contents);
  keepFocus();
}

/** Shows why a name resolves to a definition, and what refers to it. */
function explain(name: string): void {
  askWhy(name);
  showPane("answers");
  tabs.show("why");
  keepFocus();
}

function productOf(known: Known, id: string): string {
  return known.readers.find((one) => one.id === id)?.title ?? dialectOf(known, id)?.title ?? id;
}

function showPane(pane: string): void {
  document.body.dataset.pane = pane;
  for (const button of part("panes").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.dataset.pane === pane));
  }
}

part<HTMLSelectElement>("dialect").onchange = ({ target }) => project.readAs((target as HTMLSelectElement).value);
for (const button of part("panes").querySelectorAll("button")) button.onclick = () => showPane(button.dataset.pane ?? "editor");
showPane("editor");
part("fix-all").onclick = () => attempt(fixAll());
part("parts").onclick = () => attempt(goTo());

const origins = new Origins(project, editor, (tab) => tabs.show(tab));
origins.begin();

client.ask("known").then(
  (answer) => {
    known = answer;
    options(part<HTMLSelectElement>("dialect"), [
      ["Documented behavior", known.dialects.map(({ id, title }) => [id, title])],
      ["Measured releases", known.readers.map(({ id, title }) => [id, title])],
    ]);
    showDialect();
    listen(project, checker, client, known, origins);
    attempt(draw());
  },
  (failure: Error) => toast(`The page failed to start: ${failure.message}.`),
);
// Edits of the last moment.
addEventListener("pagehide", save);
document.addEventListener("visibilitychange", save);
if (import.meta.env.PROD) void navigator.serviceWorker?.register("./service-worker.js");
