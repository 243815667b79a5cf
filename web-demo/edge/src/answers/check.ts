// `POST /v1/check`: the document of `callsheet check --format json`.
import type { Build, Finding } from "../../../shared/contract";
import type { Scope } from "../pool";
import type { Build as Table, Check } from "../requests";
import { diagnostic } from "../wire";

export function check({ project }: Scope, { dialect, targets = [], paths = [], build }: Check): unknown {
  const { files, others, findings, suppressed, counts, unowned } = project.check({ dialect, targets, paths }, build && sources(build));
  return {
    version: 1,
    command: "check",
    files: files.length + others.length,
    counts,
    ...(suppressed.length > 0 && { suppressed: { comments: suppressed.length, configuration: 0, baseline: 0 } }),
    ...(unowned.length > 0 && { unowned }),
    diagnostics: findings.map(finding),
  };
}

function sources({ from, to, dialect, sets = {}, allow_loss = false }: Table): Build {
  const named = Object.entries(sets).map(([name, tools]) => ({ name, tools }));
  return { directory: from, dialect, targets: to, sets: named, allowLoss: allow_loss };
}

function finding({ dialects, inProject, diagnostic: found }: Finding): unknown {
  return { dialects, ...(!inProject && { in_project: false }), ...diagnostic(found) };
}
