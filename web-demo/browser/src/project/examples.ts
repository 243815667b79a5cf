// The examples, one folder each.
import { encode } from "../../../shared/places";
import type { Snapshot } from "./project";

interface About {
  title: string;
  text: string;
  dialect: string;
  open: string;
  tab: string;
}

export interface Example extends About {
  id: string;
}

const abouts = import.meta.glob<About>("/examples/*/about.json", { eager: true, import: "default" });
const texts = import.meta.glob<string>("/examples/*/files/**", {
  eager: true,
  query: "?raw",
  import: "default",
  exhaustive: true,
});

export const examples: Example[] = Object.entries(abouts)
  .map(([path, about]) => ({ ...about, id: path.split("/")[2] ?? "" }))
  .sort((one, other) => one.id.localeCompare(other.id));

export function snapshotOf(example: Example): Snapshot {
  const folder = `/examples/${example.id}/files/`;
  const own = Object.entries(texts).filter(([path]) => path.startsWith(folder));
  const files = new Map(own.map(([path, text]) => [path.slice(folder.length), encode(text)]));
  return { files, dialect: example.dialect, open: example.open, example: example.id };
}
