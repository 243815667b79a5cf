// The input of every panel.
import type { Span } from "../../../shared/contract";
import type { Client } from "../client";
import type { Known } from "../../../shared/engine";
import type { Project } from "../project/project";
import type { Report } from "../questions";

export interface Scene {
  client: Client;
  project: Project;
  known: Known;
  report: Report;
  /** The name of the product. */
  product: string;
  /** Opens a file in the editor, and selects these bytes. */
  open(path: string, span?: Span): void;
  /** Shows how a name is resolved. */
  why(name: string): void;
  /** The agent to run next. */
  agent: string | undefined;
}

/** Draws a panel into its element. */
export type Panel = (element: HTMLElement, scene: Scene) => Promise<void> | void;
