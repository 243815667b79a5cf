// The types of the contract, one namespace per interface.
export type * as catalogs from "./shared/component/interfaces/callsheet-agents-catalogs.js";
export type * as conversation from "./shared/component/interfaces/callsheet-agents-conversation.js";
export type * as delegation from "./shared/component/interfaces/callsheet-agents-delegation.js";
export type * as documents from "./shared/component/interfaces/callsheet-agents-documents.js";
export type * as files from "./shared/component/interfaces/callsheet-agents-files.js";
export type * as projects from "./shared/component/interfaces/callsheet-agents-projects.js";
export type * as types from "./shared/component/interfaces/callsheet-agents-types.js";
