// The commands of the palette and of the view.
import { ProcessExecution, QuickPickItemKind, Task, TaskPanelKind, TaskRevealKind, Uri, WorkspaceEdit, commands, env, extensions, tasks, window, workspace } from "vscode";
import type { QuickPickItem, WorkspaceFolder } from "vscode";
import { Agent, isOneOfSeveral } from "./agents";
import type { Agents } from "./agents";
import { convert, dialects, reason } from "./program";
import type { Converted, Dialect, Program } from "./program";
import type { Texts } from "./texts";

/** The editor's own drawings in the preview of Markdown; older versions show text. */
const DRAWS_MERMAID = "vscode.mermaid-markdown-features";

/** What starts a variable in the command line of a task, even one that runs a command of the editor. Tasks have no escape for it. */
const VARIABLE = "${";

let runs = 0;

export interface Parts {
  /** Fails if there is none. */
  program(): Program;
  agents: Agents;
  texts: Texts;
  /** The file of a new agent, which the server does not write. */
  newFile(folder: WorkspaceFolder, wanted: Wanted): Promise<NewFile>;
  refresh(): Promise<void>;
}

/** A new agent. */
export interface Wanted {
  dialect: string;
  name: string;
  description: string;
  prompt: string;
  /** Other fields, by canonical name. */
  fields: Record<string, string>;
}

/** Its file, or the fields that its tool requires besides. */
export type NewFile = { uri: Uri; text: string } | { missing: Array<{ field: string; key: string; values: string[] }> };

/** Every definition of a name, and which one wins. */
export async function why(parts: Parts, given: unknown): Promise<void> {
  const agent = await chosen(parts, given, "Agent to explain");
  if (!agent) return;
  const { output, errors } = await parts.program().run(agent.folder, ["why", "--", agent.name]);
  if (output === "") throw new Error(reason(errors));
  await parts.texts.show(`why ${agent.name}.txt`, output);
}

/** What an agent, or the whole project, refers to. */
export async function graph(parts: Parts, given: unknown): Promise<void> {
  const folder = given instanceof Agent ? given.folder : await folderOf();
  if (!folder) return;
  const focus = given instanceof Agent ? [`--focus=${given.name}`] : [];
  const name = given instanceof Agent ? given.name : folder.name;
  const drawn = extensions.getExtension(DRAWS_MERMAID) !== undefined;
  const asked = drawn ? [[], ["--format", "mermaid"]] : [[]];
  const run = (format: string[]) => parts.program().run(folder, ["graph", ...focus, ...format]);
  const [text, diagram] = await Promise.all(asked.map(run));
  if (text === undefined || text.output === "") throw new Error(reason(text?.errors ?? ""));
  if (!diagram) return parts.texts.show(`graph of ${name}.txt`, text.output);
  const fenced = (language: string, code: string) => `~~~${language}\n${code}~~~\n`;
  const page = `${fenced("mermaid", diagram.output)}\n${fenced("text", text.output)}`;
  await preview(parts.texts.set(`graph of ${name}.md`, page));
}

/** Shows Markdown in a tab of its own: the usual preview follows the active editor. */
export async function preview(uri: Uri): Promise<void> {
  await commands.executeCommand("vscode.openWith", uri, "vscode.markdown.preview.editor", { preview: false });
}

/** Shows an agent as another tool's file, and writes it if that is wanted. */
export async function convertAgent(parts: Parts, given: unknown): Promise<void> {
  const agent = await chosen(parts, given, "Agent to convert", (agent) => agent.uri !== undefined);
  if (!agent) return;
  if (!agent.uri) throw new Error(`${agent.name} has no file to convert: it is ${agent.entry.origin.source}`);
  const known = await dialects(parts.program(), agent.folder);
  const others = known.filter(({ id }) => id !== agent.dialect);
  const to = await pick(others, "Tool to convert to", ({ id, title }) => ({ label: title, description: id }));
  if (!to || !(await saved(parts.program(), agent.uri))) return;
  await offer(parts, agent, agent.uri, to);
}

/** Whether the program reads what the editor shows; if need be, after saving it. */
async function saved(program: Program, uri: Uri): Promise<boolean> {
  const document = workspace.textDocuments.find((document) => document.isDirty && document.uri.toString() === uri.toString());
  if (!document || program.readsUnsaved) return true;
  const save = "Save and Convert";
  const message = `${workspace.asRelativePath(uri)} has unsaved changes.`;
  const detail = "The program reads the file from the disk.";
  return (await window.showWarningMessage(message, { modal: true, detail }, save)) === save && document.save();
}

async function offer(parts: Parts, agent: Agent, uri: Uri, to: Dialect): Promise<void> {
  const path = agent.entry.origin.path ?? uri.fsPath;
  const converting = (allowLoss: boolean) => convert(parts.program(), agent.folder, path, agent.dialect, to.id, allowLoss);
  let converted = await converting(false);
  if (converted.contents === null) {
    const detail = report(converted);
    converted = await converting(true);
    const isPossible = converted.contents !== null;
    const why = isPossible ? "tools or limits would be lost" : "the result could do more than the original, or behave differently";
    const message = `${agent.name} was not converted to ${to.title}: ${why}.`;
    const answer = await window.showWarningMessage(message, { modal: true, detail }, ...(isPossible ? ["Convert Anyway"] : []));
    if (answer === undefined) return;
  }
  const { contents, file, directory } = converted;
  if (contents === null || file === null) return;
  const shown = parts.texts.set(`${to.id}/${file}`, contents);
  await commands.executeCommand("vscode.diff", uri, shown, `${agent.name}: ${agent.dialect} ↔ ${to.id}`);
  if (directory === null || !workspace.isTrusted) return;
  const target = Uri.joinPath(agent.folder.uri, directory, file);
  const writing = `Write ${directory}/${file}`;
  const lost = converted.report.filter(({ fate }) => fate !== "kept" && fate !== "renamed");
  const summary = lost.length === 0 ? "Everything was kept." : lost.map(({ field, fate }) => `${field}: ${fate}`).join(", ");
  const ask = (...others: string[]) => window.showInformationMessage(`${agent.name} as an agent of ${to.title}. ${summary}`, writing, ...others);
  let answer = await ask("Show Report");
  if (answer !== undefined && answer !== writing) {
    await parts.texts.show(`conversion of ${agent.name} to ${to.id}.txt`, report(converted));
    answer = await ask();
  }
  if (answer === writing) await write(target, contents);
}

function report({ report }: Converted): string {
  const lines = report.map(({ field, fate, before, after, reason }) => {
    const values = after === "" || after === before ? before : `${before} → ${after}`;
    return `${fate} ${field}${values === "" ? "" : `: ${values}`}${reason === "" ? "" : ` (${reason})`}`;
  });
  return `${lines.join("\n")}\n`;
}

/** Creates a file and shows it. Never overwrites one. */
async function write(uri: Uri, contents: string): Promise<void> {
  const exists = await workspace.fs.stat(uri).then(() => true, () => false);
  if (exists) throw new Error(`${uri.fsPath} already exists`);
  const edit = new WorkspaceEdit();
  edit.createFile(uri, { contents: new TextEncoder().encode(contents) });
  if (!(await workspace.applyEdit(edit))) throw new Error(`${uri.fsPath} cannot be written`);
  await window.showTextDocument(uri);
}

/** Asks for what an agent needs, and writes its file. */
export async function newAgent(parts: Parts): Promise<void> {
  if (!workspace.isTrusted) throw new Error("agents are only created in folders that you trust");
  const folder = await folderOf();
  if (!folder) return;
  const here = new Set(parts.agents.all.map((agent) => agent.dialect));
  const known = await dialects(parts.program(), folder);
  const first = [...known.filter(({ id }) => here.has(id)), ...known.filter(({ id }) => !here.has(id))];
  const dialect = await pick(first, "Tool of the new agent", ({ id, title }) => ({ label: title, description: id }));
  if (!dialect) return;
  const wanted: Wanted = { dialect: dialect.id, name: "", description: "", prompt: "", fields: {} };
  let refused: string | undefined;
  do {
    const name = await nameFor(parts, folder, wanted, refused);
    if (!name || !(await isWanted(parts, folder, dialect, name))) return;
    const title = `When to use ${name}`;
    const description = await window.showInputBox({ title, value: wanted.description, placeHolder: "Reviews a change before it is merged", ignoreFocusOut: true });
    if (!description) return;
    Object.assign(wanted, { name, description, prompt: description });
    refused = await create(parts, folder, wanted).then(() => undefined, ({ message }: Error) => message);
  } while (refused !== undefined);
}

/** Asks for a name that the program accepts. */
async function nameFor(parts: Parts, folder: WorkspaceFolder, wanted: Wanted, refused = ""): Promise<string | undefined> {
  const check = async (name: string) => {
    if (name === "") return undefined;
    const asked = parts.newFile(folder, { ...wanted, name, description: name, prompt: name, fields: {} });
    return asked.then(() => undefined, ({ message }: Error) => message);
  };
  const title = "Name of the new agent";
  return window.showInputBox({ title, value: wanted.name, prompt: refused, placeHolder: "reviewer", ignoreFocusOut: true, validateInput: check });
}

/** Whether an agent is to be created even if its tool already has one of this name. */
async function isWanted(parts: Parts, folder: WorkspaceFolder, { id, title }: Dialect, name: string): Promise<boolean> {
  const isSame = (agent: Agent) => agent.folder.uri.toString() === folder.uri.toString() && agent.dialect === id && agent.name === name;
  const same = parts.agents.all.find(isSame);
  if (!same) return true;
  const message = `${title} already has an agent named ${name} (${placeOf(same)}).`;
  return (await window.showWarningMessage(message, { modal: true, detail: "Only one of them can be active." }, "Create")) !== undefined;
}

/** Asks for the other fields that the tool requires, and writes the file. */
async function create(parts: Parts, folder: WorkspaceFolder, wanted: Wanted): Promise<void> {
  let file = await parts.newFile(folder, { ...wanted, fields: {} });
  if ("missing" in file) {
    for (const { field, key, values } of file.missing) {
      const title = `${key} of ${wanted.name}`;
      const input = { title, value: wanted.fields[field] ?? "", ignoreFocusOut: true };
      const value = values.length > 0 ? await window.showQuickPick(values, { title }) : await window.showInputBox(input);
      if (!value) return;
      wanted.fields[field] = value;
    }
    file = await parts.newFile(folder, wanted);
  }
  if ("missing" in file) throw new Error(`missing ${file.missing.map(({ key }) => key).join(", ")}`);
  await write(file.uri, file.text);
  await parts.refresh();
}

/** Runs an agent in a terminal, where it asks for permissions. As a task, its output stays when it ends. */
export async function run(parts: Parts, given: unknown, line: (words: string[]) => { path: string; words: string[] }): Promise<void> {
  const agent = await chosen(parts, given, "Agent to run", (agent) => agent.isActive);
  if (!agent) return;
  const check = (text: string) => (text.includes(VARIABLE) ? `the editor would replace ${VARIABLE}…}: write it in another way` : undefined);
  const text = await window.showInputBox({ title: `Task for ${agent.name}`, ignoreFocusOut: true, validateInput: check });
  if (!text) return;
  const { path, words } = line(["run", "--as", agent.dialect, "--", agent.name, text]);
  const cwd = agent.folder.uri.fsPath;
  if ([path, cwd, ...words].some((word) => word.includes(VARIABLE))) throw new Error(`${agent.name} cannot be run: the editor would replace ${VARIABLE}…} in its command line`);
  runs += 1;
  // A task with the same definition as one that runs would replace it.
  const definition = { type: "callsheet", run: runs };
  const execution = new ProcessExecution(path, words, { cwd });
  const task = new Task(definition, agent.folder, `Agent ${agent.name}`, "Callsheet", execution, []);
  task.presentationOptions = { reveal: TaskRevealKind.Always, panel: TaskPanelKind.New, focus: true, echo: false, close: false };
  await tasks.executeTask(task);
}

export async function playground(): Promise<void> {
  const address = workspace.getConfiguration("callsheet").get("playground", "");
  if (!URL.canParse(address) || !/^https?:/i.test(address)) throw new Error("the setting `callsheet.playground` is not an address such as https://…");
  await env.openExternal(Uri.parse(address));
}

/** The agent that was selected, otherwise that of the open file, otherwise the one that the user picks. */
async function chosen(parts: Parts, given: unknown, title: string, fits = (_: Agent) => true): Promise<Agent | undefined> {
  if (given instanceof Agent) return given;
  const open = window.activeTextEditor?.document.uri;
  const ofFile = open ? parts.agents.of(open).filter(fits) : [];
  const offered = ofFile.length > 0 ? ofFile : parts.agents.all.filter(fits);
  if (ofFile.length === 1) return ofFile[0];
  if (offered.length === 0) throw new Error("there are no agents here");
  const isRepeated = ({ name }: Agent) => offered.filter((other) => other.name === name).length > 1;
  return pick(offered, title, (agent) => {
    const standing = agent.isActive ? undefined : agent.entry.standing;
    const folder = isOneOfSeveral() ? agent.folder.name : undefined;
    const shown = [agent.dialect, standing, folder, isRepeated(agent) ? placeOf(agent) : undefined];
    return { label: agent.name, description: shown.filter((part) => part !== undefined).join(" · "), detail: agent.entry.description };
  });
}

/** Where it is defined. */
function placeOf({ entry }: Agent): string {
  return entry.origin.path ?? entry.origin.source;
}

async function folderOf(): Promise<WorkspaceFolder | undefined> {
  const open = window.activeTextEditor?.document.uri;
  const ofFile = open && workspace.getWorkspaceFolder(open);
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length === 0) throw new Error("open a folder first");
  return ofFile ?? (folders.length === 1 ? folders[0] : window.showWorkspaceFolderPick());
}

async function pick<Item>(items: Item[], title: string, shown: (item: Item) => QuickPickItem): Promise<Item | undefined> {
  const offered = items.map((item) => ({ ...shown(item), kind: QuickPickItemKind.Default, item }));
  return (await window.showQuickPick(offered, { title, matchOnDescription: true }))?.item;
}
