// Callsheet for Node: a typed interface to the WebAssembly component that contains all logic.
import { overFiles } from "./component.js";
import type { Root } from "./component.js";
import { Files } from "./shared/files.js";

export { Catalog } from "./catalog.js";
export type { CatalogSettings } from "./catalog.js";
export { check, compose, convert, fix, graph, inventory, rename } from "./check.js";
export type { CheckSettings, ComposeSettings, ConvertSettings, FixSettings, GraphSettings, ReportSettings, Sources } from "./check.js";
export type * from "./contract.js";
export { Disk } from "./disk.js";
export type { DiskSettings } from "./disk.js";
export { CallsheetError, answered } from "./error.js";
export type { Loose, Plain } from "./plain.js";
export { Session, drive } from "./session.js";
export type { Models, SessionSettings, Signal, Tools } from "./session.js";
export type { FilesInMemory, Place, Places, Settings } from "./world.js";

/** The component without files. Its `documents` parse, convert, render and revise files, and list dialects, readers and rules. */
export async function component(): Promise<Root> {
  return overFiles(new Files().import);
}
