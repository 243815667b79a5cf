// The commands of the palette and of the view.
import { QuickPickItemKind, Uri, WorkspaceEdit, commands, env, extensions, window, workspace } from "vscode";
import type { QuickPickItem, WorkspaceFolder } from "vscode";
import { Agent } from "./agents";
import type { Agents } from "./agents";
import { convert, dialects, reason } from "./program";
import type { Converted, Dialect, Program } from "./program";
import type { Texts } from "./texts";

/** The editor's own drawings in the preview of Markdown; older versions show text. */
const DRAWS_MERMAID = "vscode.mermaid-markdown-features";

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
  const { output, errors } = await parts.program().run(agent.folder, ["why", agent.name]);
  if (output === "") throw new Error(reason(errors));
  await parts.texts.show(`why ${agent.name}.txt`, output);
}

/** What an agent, or the whole project, refers to. */
export async function graph(parts: Parts, given: unknown): Promise<void> {
  const folder = given instanceof Agent ? given.folder : await folderOf();
  if (!folder) return;
  const focus = given instanceof Agent ? ["--focus", given.name] : [];
  const name = given instanceof Agent ? given.name : folder.name;
  const drawn = extensions.getExtension(DRAWS_MERMAID) !== undefined;
  const asked = drawn ? [[], ["--format", "mermaid"]] : [[]];
  const run = (format: string[]) => parts.program().run(folder, ["graph", ...focus, ...format]);
  const [text, diagram] = await Promise.all(asked.map(run));
  if (text === undefined || text.output === "") throw new Error(reason(text?.errors ?? ""));
  if (!diagram) return parts.texts.show(`graph of ${name}.txt`, text.output);
  const fenced = (language: string, code: string) => `~~~${language}\n${code}~~~\n`;
  const page = `${fenced("mermaid", diagram.output)}\n${fenced("text", text.output)}`;
  await commands.executeCommand("markdown.showPreview", parts.texts.set(`graph of ${name}.md`, page));
}

/** Shows an agent as another tool's file, and writes it if that is wanted. */
export async function convertAgent(parts: Parts, given: unknown): Promise<void> {
  const agent = await chosen(parts, given, "Agent to convert", (agent) => agent.uri !== undefined);
  if (!agent?.uri) return;
  const known = await dialects(parts.program(), agent.folder);
  const others = known.filter(({ id }) => id !== agent.dialect);
  const to = await pick(others, "Tool to convert to", ({ id, title }) => ({ label: title, description: id }));
  if (!to) return;
  await offer(parts, agent, agent.uri, to, false);
}

async function offer(parts: Parts, agent: Agent, uri: Uri, to: Dialect, allowLoss: boolean): Promise<void> {
  const path = agent.entry.origin.path ?? uri.fsPath;
  const converted = await convert(parts.program(), agent.folder, path, agent.dialect, to.id, allowLoss);
  const { contents, file, directory } = converted;
  const detail = report(converted);
  if (contents === null || file === null) {
    const anyway = allowLoss ? [] : ["Convert Anyway"];
    const message = `${agent.name} was not converted to ${to.title}.`;
    const answer = await window.showWarningMessage(message, { modal: true, detail }, ...anyway);
    if (answer !== undefined) await offer(parts, agent, uri, to, true);
    return;
  }
  const shown = parts.texts.set(`${to.id}/${file}`, contents);
  await commands.executeCommand("vscode.diff", uri, shown, `${agent.name}: ${agent.dialect} ↔ ${to.id}`);
  if (directory === null || !workspace.isTrusted) return;
  const target = Uri.joinPath(agent.folder.uri, directory, file);
  const writing = `Write ${directory}/${file}`;
  const lost = converted.report.filter(({ fate }) => fate !== "kept" && fate !== "renamed");
  const summary = lost.length === 0 ? "Everything was kept." : lost.map(({ field, fate }) => `${field}: ${fate}`).join(", ");
  const answer = await window.showInformationMessage(`${agent.name} as an agent of ${to.title}. ${summary}`, writing, "Show Report");
  if (answer === writing) await write(target, contents);
  else if (answer !== undefined) await parts.texts.show(`conversion of ${agent.name} to ${to.id}.txt`, detail);
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
  const edit = new WorkspaceEdit();
  edit.createFile(uri, { contents: new TextEncoder().encode(contents) });
  if (!(await workspace.applyEdit(edit))) throw new Error(`${uri.fsPath} exists already`);
  await window.showTextDocument(uri);
}

/** Asks for what an agent needs, and writes its file. */
export async function newAgent(parts: Parts): Promise<void> {
  const folder = await folderOf();
  if (!folder) return;
  const here = new Set(parts.agents.all.map((agent) => agent.dialect));
  const known = await dialects(parts.program(), folder);
  const first = [...known.filter(({ id }) => here.has(id)), ...known.filter(({ id }) => !here.has(id))];
  const dialect = await pick(first, "Tool of the new agent", ({ id, title }) => ({ label: title, description: id }));
  if (!dialect) return;
  const name = await window.showInputBox({ title: "Name of the new agent", placeHolder: "reviewer", ignoreFocusOut: true });
  if (!name) return;
  const description = await window.showInputBox({ title: `When to use ${name}`, placeHolder: "Reviews a change before it is merged", ignoreFocusOut: true });
  if (!description) return;
  const wanted: Wanted = { dialect: dialect.id, name, description, prompt: description, fields: {} };
  let file = await parts.newFile(folder, wanted);
  if ("missing" in file) {
    for (const { field, key, values } of file.missing) {
      const title = `${key} of ${name}`;
      const value = values.length > 0 ? await window.showQuickPick(values, { title }) : await window.showInputBox({ title, ignoreFocusOut: true });
      if (!value) return;
      wanted.fields[field] = value;
    }
    file = await parts.newFile(folder, wanted);
  }
  if ("missing" in file) throw new Error(`${dialect.title} needs ${file.missing.map(({ key }) => key).join(", ")}`);
  await write(file.uri, file.text);
  await parts.refresh();
}

/** Runs an agent in a terminal, where it asks for permissions. */
export async function run(parts: Parts, given: unknown, line: (words: string[]) => { path: string; words: string[] }): Promise<void> {
  const agent = await chosen(parts, given, "Agent to run", (agent) => agent.isActive);
  if (!agent) return;
  const task = await window.showInputBox({ title: `Task for ${agent.name}`, ignoreFocusOut: true });
  if (!task) return;
  const { path, words } = line(["run", agent.name, "--as", agent.dialect, "--", task]);
  const terminal = window.createTerminal({ name: `Agent ${agent.name}`, cwd: agent.folder.uri, shellPath: path, shellArgs: words });
  terminal.show();
}

export async function playground(): Promise<void> {
  const address = workspace.getConfiguration("callsheet").get("playground", "");
  if (address === "") throw new Error("the setting `callsheet.playground` has no address");
  await env.openExternal(Uri.parse(address, true));
}

/** The agent that was selected, otherwise that of the open file, otherwise the one that the user picks. */
async function chosen(parts: Parts, given: unknown, title: string, fits = (_: Agent) => true): Promise<Agent | undefined> {
  if (given instanceof Agent) return given;
  const open = window.activeTextEditor?.document.uri;
  const ofFile = open ? parts.agents.of(open).filter(fits) : [];
  const offered = ofFile.length > 0 ? ofFile : parts.agents.all.filter(fits);
  if (ofFile.length === 1) return ofFile[0];
  if (offered.length === 0) throw new Error("there are no agents here");
  return pick(offered, title, (agent) => ({
    label: agent.name,
    description: [agent.dialect, agent.isActive ? "" : agent.entry.standing].join(" "),
    detail: agent.entry.description,
  }));
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
