// The contract of the component, with jco's types.
export type { Catalog, Entry, Explanation, NearMiss, Options, Standing, Visited } from "./component/interfaces/callsheet-agents-catalogs.js";
export type {
  Annotations,
  Carried,
  Converted,
  Dialect,
  DialectKey,
  Fate,
  Held,
  HeldAgent,
  HeldTools,
  Parsed,
  Reader,
  Rule,
  Seen,
  TokenKind,
} from "./component/interfaces/callsheet-agents-documents.js";
export type { Applied } from "./component/interfaces/callsheet-agents-documents.js";
export type { Build, Completions, Edge, Finding, Fixed, Graph, Node, Project, Renaming, Report, Scope, Sources, Spot } from "./component/interfaces/callsheet-agents-projects.js";
export type { Agent, Diagnostic, Edit, Fix, Kind, Level, Severity, Span } from "./component/interfaces/callsheet-agents-types.js";
export type { Root } from "./component/callsheet.js";
export type { ModelAnswer, ModelRequest, ToolAnswer, ToolCall, ToolRequest, ToolSpec } from "./component/interfaces/callsheet-agents-conversation.js";
export type { Ending, Event, Outcome, Outstanding, Reply, Session, Settings, Task, Usage } from "./component/interfaces/callsheet-agents-delegation.js";
