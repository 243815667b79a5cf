// Sets up the page.
import type { Diagnostic } from "../../shared/contract";
import type { Known } from "../../shared/engine";
import { encode } from "../../shared/places";
import { listen, toast } from "./actions";
import { Checker } from "./checker";
import { client } from "./component";
import { options, part } from "./dom";
import { createEditor } from "./editor/editor";
import { place } from "./editor/findings";
import { dialectOf } from "./known";
import { Origins } from "./origins";
import { catalog } from "./panels/catalog";
import type { Panel, Scene } from "./panels/panel";
import { readers } from "./panels/readers";
import { ask as askWhy, why } from "./panels/why";
import { some } from "./panels/words";
import { showProblems } from "./problems";
import { Project } from "./project/project";
import { isSame, keep } from "./project/share";
import { showTree } from "./project/tree";
import type { Mark, Report } from "./questions";
import { Tabs } from "./tabs";

const KEEP_AFTER_MILLISECONDS = 400;

// Loaded on demand.
const convert = later(async () => (await import("./panels/convert")).convert);
const run = later(async () => (await import("./panels/run")).session);

const project = new Project();
let known: Known | undefined;
let report: Report | undefined;
let marks = new Map<string, Mark>();
let keeping: ReturnType<typeof setTimeout> | undefined;
let isTooLarge = false;

const editor = createEditor(
  part("text"),
  (path) => project.files.get(path),
  (path, contents) => project.edit(path, contents),
  (text, at) => client.ask("complete", project.open ?? "", encode(text), at),
);
const checker = new Checker(client, project, show, survey, (reason) => {
  part("problem-count").textContent = `The component failed and was restarted: ${reason}.`;
});
const tabs = new Tabs(
  [
    { id: "catalog", title: "Catalog", panel: catalog },
    { id: "why", title: "Why", panel: why },
    { id: "readers", title: "Readers", panel: readers },
    { id: "convert", title: "Convert", panel: convert },
    { id: "run", title: "Run", panel: run },
  ],
  () => void draw(),
);

project.onChange((change) => {
  if (change === "files") showTree(project, marks);
  if (change === "open") {
    askWhy(undefined);
    const contents = project.open === undefined ? undefined : project.files.get(project.open);
    editor.open(project.open, contents ?? new Uint8Array());
    part("open-path").textContent = project.open ?? "No file open. Create one or drop a folder.";
    showTree(project, marks);
  }
  if (change === "dialect") part<HTMLSelectElement>("dialect").value = project.dialect;
  checker.check();
  clearTimeout(keeping);
  keeping = setTimeout(save, KEEP_AFTER_MILLISECONDS);
});

/** Stores the project in the browser. */
function save(): void {
  clearTimeout(keeping);
  const isKept = keep(project);
  if (!isKept && !isTooLarge) toast("These files are too large to be stored in the browser: they are lost when you close the page.");
  isTooLarge = !isKept;
}

function show(findings: Diagnostic[], contents: Uint8Array): void {
  const found = place(findings, contents);
  editor.mark(found, contents);
  showProblems(found, contents, editor, project.open !== undefined);
}

function survey(now: Report): void {
  report = now;
  const fixButton = part("fix-all");
  // A hidden button would lose the focus to the page.
  if (!now.isFixable && document.activeElement === fixButton) part("problem-count").focus();
  fixButton.hidden = !now.isFixable;
  if (known) void origins.chooseDialect(client, known);
  if (!document.body.dataset.ready) {
    document.body.dataset.ready = "yes";
    performance.mark("callsheet:interactive");
  }
  if (changed(marks, now.marks)) {
    marks = now.marks;
    showTree(project, marks);
  }
  void draw();
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
  const undo = () => editor.rewrite(files.map(({ path, before, after }) => ({ path, before: after, after: before })));
  toast(`Fixed ${some(applied, "problem")} in ${some(files.length, "file")}.`, { text: "Undo", act: undo });
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
    open: (path) => {
      project.show(path);
      showPane("editor");
    },
    why: (name) => {
      askWhy(name);
      tabs.show("why");
    },
  };
  await tabs.shown.panel(tabs.element, scene);
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
part("fix-all").onclick = () => void fixAll();

const origins = new Origins(project, editor, (tab) => tabs.show(tab));
origins.begin();

client.ask("known").then(
  (answer) => {
    known = answer;
    options(part<HTMLSelectElement>("dialect"), [
      ["Documented behavior", known.dialects.map(({ id, title }) => [id, title])],
      ["Measured releases", known.readers.map(({ id, title }) => [id, title])],
    ]);
    part<HTMLSelectElement>("dialect").value = project.dialect;
    listen(project, client, known, origins);
    void draw();
  },
  (failure: Error) => toast(`The page failed to start: ${failure.message}.`),
);
// Edits of the last moment.
addEventListener("pagehide", save);
document.addEventListener("visibilitychange", save);
if (import.meta.env.PROD) void navigator.serviceWorker?.register("./service-worker.js");
