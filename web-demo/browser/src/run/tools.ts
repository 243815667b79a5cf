// Tools whose disk is the virtual project.
import type { Dialect, ToolAnswer, ToolRequest, ToolSpec } from "../../../shared/contract";
import { decode, encode } from "../../../shared/places";
import { HOME_ROOT, ROOT } from "../../../shared/session";
import type { Project } from "../project/project";

type Arguments = Record<string, string | undefined>;

interface Tool {
  description: string;
  required: string[];
  call(project: Project, given: Arguments): string;
}

/** By the right that a dialect's tool carries. What has no virtual counterpart is not offered. */
const TOOLS: Record<string, Tool> = {
  read: {
    description: "Reads a file",
    required: ["file_path"],
    call: (project, given) => text(project, path(given)),
  },
  write: {
    description: "Writes a file",
    required: ["file_path", "content"],
    call: (project, given) => write(project, path(given), given.content ?? ""),
  },
  edit: {
    description: "Replaces a text in a file, which has to stand there once",
    required: ["file_path", "old_string", "new_string"],
    call: (project, given) => write(project, path(given), edited(text(project, path(given)), given.old_string ?? "", given.new_string ?? "")),
  },
  glob: {
    description: "Lists the files whose path contains a text; * is ignored",
    required: ["pattern"],
    call: (project, given) => listing(project, (given.pattern ?? "").replaceAll("*", "")),
  },
  list: {
    description: "Lists the files below a directory",
    required: ["path"],
    call: (project, given) => listing(project, plain(given.path ?? "")),
  },
  grep: {
    description: "Finds the lines that contain a text",
    required: ["pattern"],
    call: (project, given) => search(project, given.pattern ?? ""),
  },
};

/** What the page can do, by the names of a dialect. */
export function offer(dialect: Dialect): ToolSpec[] {
  return dialect.tools.flatMap(({ name, rights }) => {
    const tool = rights.length === 1 ? TOOLS[rights[0] ?? ""] : undefined;
    if (!tool) return [];
    const properties = Object.fromEntries(tool.required.map((key) => [key, { type: "string" }]));
    return [{ name, description: tool.description, schema: JSON.stringify({ type: "object", properties, required: tool.required }) }];
  });
}

/** Calls a tool. What goes wrong is its answer. */
export function callTool(project: Project, dialect: Dialect, { call, permitted }: ToolRequest): ToolAnswer {
  if (!permitted) return { text: "The reader of this page is not asked, and did not permit it.", isError: true };
  const right = dialect.tools.find(({ name }) => name === call.name)?.rights[0] ?? "";
  try {
    const tool = TOOLS[right];
    if (!tool) throw new Error(`There is no ${call.name} here.`);
    return { text: tool.call(project, JSON.parse(call.arguments) as Arguments), isError: false };
  } catch (failure) {
    return { text: failure instanceof Error ? failure.message : String(failure), isError: true };
  }
}

function path(given: Arguments): string {
  return plain(given.file_path ?? given.path ?? "");
}

function plain(path: string): string {
  if (path === ROOT) return "";
  return path.replace(`${ROOT}/`, "").replace(`${HOME_ROOT}/`, "~/").replace(/^\.\//, "");
}

function text(project: Project, path: string): string {
  const contents = project.files.get(path);
  if (!contents) throw new Error(`There is no file ${path}.`);
  return decode(contents);
}

function write(project: Project, path: string, text: string): string {
  project.put(path, encode(text));
  return `${path} is written.`;
}

function edited(text: string, before: string, after: string): string {
  const parts = text.split(before);
  if (parts.length !== 2) throw new Error(`The text stands ${parts.length - 1} times in the file.`);
  return parts.join(after);
}

function listing(project: Project, part: string): string {
  return project.paths().filter((path) => path.includes(part)).join("\n") || "Nothing was found.";
}

function search(project: Project, part: string): string {
  const hits = project.paths().flatMap((path) => {
    const lines = text(project, path).split("\n");
    return lines.flatMap((line, index) => (line.includes(part) ? [`${path}:${index + 1}: ${line}`] : []));
  });
  return hits.join("\n") || "Nothing was found.";
}
