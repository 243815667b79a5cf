// Looks up data of the component.
import type { Dialect } from "../../shared/contract";
import type { Known } from "../../shared/engine";

/** The dialect with this ID, or of the release with this ID. */
export function dialectOf({ dialects, readers }: Known, id: string): Dialect | undefined {
  const dialect = readers.find((reader) => reader.id === id)?.dialect ?? id;
  return dialects.find((one) => one.id === dialect);
}
