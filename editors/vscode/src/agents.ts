// The view of all agents: by tool, then by source.
import { DiagnosticSeverity, EventEmitter, ThemeIcon, TreeItem, TreeItemCollapsibleState, languages, workspace } from "vscode";
import type { TreeDataProvider, Uri, ViewBadge, WorkspaceFolder } from "vscode";
import { dialects, listings } from "./program";
import type { Entry, Missing, Program, Setting } from "./program";

const ACTIVE = "active";
const ICONS: Readonly<Record<string, string>> = { [ACTIVE]: "hubot", shadowed: "layers", withheld: "circle-slash", broken: "error" };
/** A README in an agents folder is of no interest here. */
const HIDDEN = "not-an-agent";

/** An agent in the view. */
export class Agent {
  readonly kind = "agent";

  constructor(
    readonly folder: WorkspaceFolder,
    readonly dialect: string,
    readonly entry: Entry,
    /** Its file, if it has one. */
    readonly uri: Uri | undefined,
  ) {}

  get name(): string {
    return this.entry.name;
  }

  get isActive(): boolean {
    return this.entry.standing === ACTIVE;
  }
}

interface Source {
  kind: "source";
  name: string;
  agents: Agent[];
}

interface Tool {
  kind: "tool";
  title: string;
  /** Of several folders, the one that it is in. */
  folder: string | undefined;
  sources: Source[];
}

/** Why there are no agents, of a folder or at all. */
interface Failure {
  kind: "failure";
  label: string;
  reason: string;
  /** The setting to change, if one is wrong. */
  setting: Setting | undefined;
}

export type Node = Tool | Source | Agent | Failure;

export class Agents implements TreeDataProvider<Node> {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  #tools: Tool[] = [];
  #failures: Failure[] = [];
  #started = 0;

  get all(): Agent[] {
    return this.#tools.flatMap((tool) => tool.sources.flatMap((source) => source.agents));
  }

  /** The agents that a file defines: of one for several tools, there are several. */
  of(uri: Uri): Agent[] {
    return this.all.filter((agent) => agent.uri?.toString() === uri.toString());
  }

  /** Asks the program again. Returns why that fails, by folder. */
  async refresh(program: Program): Promise<string[]> {
    this.#started += 1;
    const started = this.#started;
    const tools: Tool[] = [];
    const failures: Failure[] = [];
    for (const folder of workspace.workspaceFolders ?? []) {
      try {
        tools.push(...(await toolsOf(program, folder)));
      } catch (error) {
        const { message: reason } = error as Error;
        const label = `${isOneOfSeveral() ? `${folder.name}: ` : ""}cannot list: ${reason}`;
        failures.push({ kind: "failure", label, reason, setting: undefined });
      }
    }
    // A later one is on its way.
    if (started !== this.#started) return [];
    this.#set(tools, failures);
    return failures.map(({ label }) => label);
  }

  clear(): void {
    this.#started += 1;
    this.#set([], []);
  }

  /** Shows that the program is missing. */
  fail({ message, setting }: Missing): void {
    this.#set([], [{ kind: "failure", label: message, reason: message, setting }]);
  }

  #set(tools: Tool[], failures: Failure[]): void {
    this.#tools = tools;
    this.#failures = failures;
    this.#changed.fire();
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return [...this.#failures, ...this.#tools];
    if (node.kind === "tool") return node.sources;
    return node.kind === "source" ? node.agents : [];
  }

  getTreeItem(node: Node): TreeItem {
    if (node.kind === "agent") return agentItem(node);
    if (node.kind === "failure") return failureItem(node);
    const { Collapsed, Expanded } = TreeItemCollapsibleState;
    if (node.kind === "source") {
      // Built-in agents have no files.
      const item = new TreeItem(node.name, node.agents.some((agent) => agent.uri) ? Expanded : Collapsed);
      item.description = String(node.agents.length);
      item.iconPath = new ThemeIcon("folder");
      item.contextValue = "source";
      return item;
    }
    const agents = node.sources.flatMap((source) => source.agents);
    const item = new TreeItem(node.title, Expanded);
    item.description = [node.folder, counted(agents)].filter((part) => part !== undefined).join(" · ");
    item.iconPath = new ThemeIcon("tools");
    item.contextValue = "tool";
    return item;
  }
}

async function toolsOf(program: Program, folder: WorkspaceFolder): Promise<Tool[]> {
  const listed = await listings(program, folder);
  const known = listed.length > 0 ? await dialects(program, folder) : [];
  return listed.map(({ dialect, entries }) => {
    const sources = new Map<string, Agent[]>();
    for (const entry of entries) {
      if (entry.standing === HIDDEN) continue;
      const agents = sources.get(entry.origin.source) ?? [];
      const { path } = entry.origin;
      const uri = path === null ? undefined : program.uriOf(folder, path);
      sources.set(entry.origin.source, [...agents, new Agent(folder, dialect, entry, uri)]);
    }
    return {
      kind: "tool" as const,
      title: known.find(({ id }) => id === dialect)?.title ?? dialect,
      folder: isOneOfSeveral() ? folder.name : undefined,
      sources: [...sources].map(([name, agents]) => ({ kind: "source" as const, name, agents })),
    };
  });
}

/** Whether names of folders tell agents apart. */
export function isOneOfSeveral(): boolean {
  return (workspace.workspaceFolders?.length ?? 0) > 1;
}

/** "3 active, 1 broken". */
function counted(agents: Agent[]): string {
  const counts = new Map<string, number>();
  for (const { entry } of agents) counts.set(entry.standing, (counts.get(entry.standing) ?? 0) + 1);
  const order = Object.keys(ICONS);
  const sorted = [...counts].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  return sorted.map(([standing, count]) => `${count} ${standing}`).join(", ");
}

function agentItem(agent: Agent): TreeItem {
  const { entry, uri, isActive } = agent;
  const item = new TreeItem(entry.name);
  // The editor colors it by the findings in its file, and counts them.
  if (uri) item.resourceUri = uri;
  item.label = entry.name;
  item.description = isActive ? (entry.model.name ?? "") : entry.standing;
  item.tooltip = [entry.description, `${entry.standing}: ${entry.reason}`].filter((line) => line !== "").join("\n\n");
  item.iconPath = new ThemeIcon(ICONS[entry.standing] ?? "question");
  item.contextValue = `agent${isActive ? ".active" : ""}${uri ? ".file" : ""}`;
  if (uri) item.command = { command: "vscode.open", title: "Open", arguments: [uri] };
  return item;
}

function failureItem({ label, reason, setting }: Failure): TreeItem {
  const item = new TreeItem(label);
  item.tooltip = reason;
  item.iconPath = new ThemeIcon("error");
  item.contextValue = "failure";
  if (setting) item.command = { command: "workbench.action.openSettings", title: "Open Settings", arguments: [setting] };
  return item;
}

/** The number of errors and warnings of the language server. */
export function badge(): ViewBadge | undefined {
  const all = languages.getDiagnostics().flatMap(([, diagnostics]) => diagnostics);
  const counted = all.filter(({ source, severity }) => source === "callsheet" && severity <= DiagnosticSeverity.Warning);
  const value = counted.length;
  return value === 0 ? undefined : { value, tooltip: `${value} problem${value === 1 ? "" : "s"} in agent files` };
}
