// Paths of files in the project.

/** Why a path cannot be that of a file, if it cannot. */
export function problemOf(path: string): string | undefined {
  const parts = path.split("/");
  if (parts.at(-1) === "") return "Enter a file name.";
  if (parts[0] === "" || parts.includes("..")) return "Use a path in the project, or ~/ for the home folder.";
  if (parts.includes("") || parts.includes(".")) return "Remove empty parts and “.” from the path.";
  return /[\\\p{Cc}]/u.test(path) ? "Use / between folders, and no control characters." : undefined;
}

/** Why there cannot be a file at a path next to others, if there cannot. */
export function conflictOf(path: string, others: string[]): string | undefined {
  if (others.includes(path)) return "A file with this path already exists.";
  if (others.some((other) => other.startsWith(`${path}/`))) return "A folder with this path already exists.";
  const above = others.find((other) => path.startsWith(`${other}/`));
  return above === undefined ? undefined : `${above} is a file, not a folder.`;
}
