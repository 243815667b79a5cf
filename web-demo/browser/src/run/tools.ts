// Tools that work on the virtual project.
import type { Dialect, ToolAnswer, ToolRequest, ToolSpec } from "../../../shared/contract";
import { decode, encode } from "../../../shared/places";
import { HOME_ROOT, ROOT } from "../../../shared/session";
import { problemOf } from "../project/paths";
import type { Project } from "../project/project";

type Arguments = Record<string, string | undefined>;

interface Tool {
  description: string;
  required: string[];
  call(project: Project, given: Arguments): string;
}

/** Tools by permission. Permissions without a virtual counterpart have no tool. */
const TOOLS: Record<string, Tool> = {
  read: {
    description: "Read a file",
    required: ["file_path"],
    call: (project, given) => text(project, path(given)),
  },
  write: {
    description: "Write a file",
    required: ["file_path", "content"],
    call: (project, given) => write(project, path(given), given.content ?? ""),
  },
  edit: {
    description: "Replace a text that occurs once in a file",
    required: ["file_path", "old_string", "new_string"],
    call: (project, given) => write(project, path(given), edited(text(project, path(given)), given.old_string ?? "", given.new_string ?? "")),
  },
  glob: {
    description: "List files whose path contains a text; * is ignored",
    required: ["pattern"],
    call: (project, given) => listing(project, (given.pattern ?? "").replaceAll("*", "")),
  },
  list: {
    description: "List files in a directory",
    required: ["path"],
    call: (project, given) => listing(project, plain(given.path ?? "")),
  },
  grep: {
    description: "Find lines that contain a text",
    required: ["pattern"],
    call: (project, given) => search(project, given.pattern ?? ""),
  },
};

/** The available tools, with the names of a dialect. */
export function offer(dialect: Dialect): ToolSpec[] {
  return dialect.tools.flatMap(({ name, rights }) => {
    const tool = rights.length === 1 ? TOOLS[rights[0] ?? ""] : undefined;
    if (!tool) return [];
    const properties = Object.fromEntries(tool.required.map((key) => [key, { type: "string" }]));
    return [{ name, description: tool.description, schema: JSON.stringify({ type: "object", properties, required: tool.required }) }];
  });
}

/** Runs a tool call. Errors are returned as its result. */
export function callTool(project: Project, dialect: Dialect, { call, permitted }: ToolRequest): ToolAnswer {
  if (!permitted) return { text: "This call needs permission, and the playground does not ask for it.", isError: true };
  const right = dialect.tools.find(({ name }) => name === call.name)?.rights[0] ?? "";
  try {
    const tool = TOOLS[right];
    if (!tool) throw new Error(`Unknown tool ${call.name}.`);
    return { text: tool.call(project, JSON.parse(call.arguments) as Arguments), isError: false };
  } catch (failure) {
    return { text: failure instanceof Error ? failure.message : String(failure), isError: true };
  }
}

function path(given: Arguments): string {
  return plain(given.file_path ?? given.path ?? "");
}

function plain(path: string): string {
  if (path === ROOT || path === ".") return "";
  if (path.startsWith(`${ROOT}/`)) return path.slice(ROOT.length + 1);
  if (path.startsWith(`${HOME_ROOT}/`)) return `~${path.slice(HOME_ROOT.length)}`;
  return path.replace(/^\.\//, "");
}

function text(project: Project, path: string): string {
  const contents = project.files.get(path);
  if (!contents) throw new Error(`File not found: ${path}.`);
  return decode(contents);
}

function write(project: Project, path: string, text: string): string {
  const problem = problemOf(path);
  if (problem !== undefined) throw new Error(problem);
  project.put(path, encode(text));
  return `Wrote ${path}.`;
}

function edited(text: string, before: string, after: string): string {
  const parts = text.split(before);
  if (parts.length !== 2) throw new Error(`The text occurs ${parts.length - 1} times in the file.`);
  return parts.join(after);
}

function listing(project: Project, part: string): string {
  return project.paths().filter((path) => path.includes(part)).join("\n") || "No matches.";
}

function search(project: Project, part: string): string {
  const hits = project.paths().flatMap((path) => {
    const lines = text(project, path).split("\n");
    return lines.flatMap((line, index) => (line.includes(part) ? [`${path}:${index + 1}: ${line}`] : []));
  });
  return hits.join("\n") || "No matches.";
}
