// Data that does not depend on files: rules, dialects, and the OpenAPI description.
import type { Dialect, Rule } from "../../../shared/contract";
import { described } from "../description";
import type { Scope } from "../pool";

const FIX = { none: "none", "unsafe-fix": "unsafe", "safe-fix": "safe" };

export function rules({ root }: Scope): unknown {
  const rule = ({ name, summary, severity, fix }: Rule) => ({ name, summary, severity, fix: FIX[fix] });
  return { version: 1, command: "rules", rules: root.documents.rules().map(rule) };
}

export function dialects({ root }: Scope): unknown {
  return { version: 1, command: "dialects", dialects: root.documents.dialects("agent").map(dialect) };
}

export function description({ root }: Scope): unknown {
  const { dialects, readers } = root.documents;
  return described([...dialects("agent"), ...readers()].map(({ id }) => id));
}

/** Checks that the component answers. */
export function health({ root }: Scope): unknown {
  root.documents.parse("agents/health.md", new Uint8Array(), undefined, undefined);
  return { status: "ok" };
}

function dialect({ id, title, evidence, sources, clash, fileNames, keys }: Dialect): unknown {
  return {
    id,
    title,
    evidence,
    sources: sources.map(({ level, directory }) => ({ level, directory })),
    clash,
    file_names: fileNames,
    keys: keys.map(({ canonical, spellings, required, default: otherwise }) => ({ canonical, spellings, required, default: otherwise })),
  };
}
