// What every panel is given.
import type { Client } from "../client";
import type { Known } from "../../../shared/engine";
import type { Project } from "../project/project";
import type { Report } from "../questions";

export interface Scene {
  client: Client;
  project: Project;
  known: Known;
  report: Report;
  /** The product for people. */
  product: string;
  /** Opens a file in the editor. */
  open(path: string): void;
  /** Shows why a name calls whom it calls. */
  why(name: string): void;
}

/** Draws a panel into its element. */
export type Panel = (element: HTMLElement, scene: Scene) => Promise<void> | void;
