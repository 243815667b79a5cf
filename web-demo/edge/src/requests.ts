// The types of validated requests.

export type Contents = string | { base64: string };
export type Paths = Record<string, Contents>;

export interface Check {
  files: Paths;
  dialect?: string;
  targets?: string[];
  paths?: string[];
  build?: Build;
}

/** The table `[build]` of `callsheet.toml`. */
export interface Build {
  from: string;
  to: string[];
  dialect?: string;
  sets?: Record<string, string[]>;
  allow_loss?: boolean;
}

export interface Resolve {
  files: Paths;
  dialect?: string;
  name?: string;
  all?: boolean;
}

export interface Convert {
  path: string;
  contents: Contents;
  dialect?: string;
  to: string;
  allow_loss?: boolean;
}

interface ModelName {
  provider?: string;
  model: string;
}

export interface Bounds {
  depth: number;
  turns: number;
  total_turns: number;
  children: number;
  parallel: number;
  tokens?: number;
  cost?: number;
  context?: number;
  deadline?: number;
  result_bytes: number;
}

export interface Settings {
  bounds: Partial<Bounds>;
  attenuate: boolean;
  mode: "plan" | "default" | "accept-edits" | "bypass";
  allow: string[];
  trusted: string[];
  root: string;
  home: string;
  base_prompt: string;
  default_model: ModelName;
  aliases: Record<string, ModelName>;
}

export interface Open {
  files: Paths;
  dialect: string;
  task: { agent: string; prompt: string; description?: string; model?: string };
  tools?: Array<{ name: string; description: string; schema: object }>;
  settings?: Partial<Settings>;
}

interface ModelAnswer {
  text?: string;
  calls?: Array<{ id: string; name: string; arguments: string }>;
  input_tokens?: number;
  output_tokens?: number;
  cost?: number;
}

export interface Reply {
  step: number;
  model?: ModelAnswer;
  tool?: { text: string; is_error?: boolean };
  failed?: { error: "unavailable" | "denied" | "timed-out" | "too-long" | "other"; text?: string };
}
