// `POST /v1/check`: the document of `callsheet check --format json`.
import type { Diagnostic, Severity } from "../../../shared/contract";
import { compareBytes } from "../../../shared/files";
import type { Lent } from "../pool";
import { ask, dialects, options } from "../project";
import type { Check } from "../requests";
import { diagnostic } from "../wire";

interface Finding {
  diagnostic: Diagnostic;
  dialects: string[];
  /** Whether a comment in the file wants it left. */
  suppressed: boolean;
}

export function check(lent: Lent, { dialect, alone }: Check): unknown {
  // Says so if there is no such dialect, though no file be there.
  if (dialect !== undefined) lent.root.catalogs.locations(options(dialect));
  const found = alone ? each(lent, dialect) : together(lent, dialect);
  const findings = joined(found.findings);
  const reported = findings.filter(({ suppressed }) => !suppressed);
  const comments = findings.length - reported.length;
  const count = (severity: Severity) => reported.filter(({ diagnostic }) => diagnostic.severity === severity).length;
  return {
    version: 1,
    command: "check",
    files: found.files,
    counts: { errors: count("error"), warnings: count("warning"), notes: count("note") },
    ...(comments > 0 && { suppressed: { comments, configuration: 0, baseline: 0 } }),
    diagnostics: reported.map(({ dialects, diagnostic: found }) => ({ dialects, ...diagnostic(found) })),
  };
}

interface Found {
  files: number;
  findings: Finding[];
}

/** What the products in use make of all files together. */
function together(lent: Lent, named: string | undefined): Found {
  const files = new Set<string>();
  const findings = dialects(lent, named).flatMap((dialect) =>
    ask(lent, options(dialect, true), (catalog) => {
      for (const { origin } of catalog.entries(true)) if (origin.path !== undefined) files.add(origin.path);
      return all(catalog.diagnostics(), catalog.suppressed(), [dialect]);
    }),
  );
  return { files: files.size, findings };
}

/** Each file on its own. */
function each({ root, files }: Lent, named: string | undefined): Found {
  const [found, unreadable] = root.documents.discover(".");
  const findings = found.flatMap(({ path, dialect, level }) => {
    const parsed = root.documents.parse(path, files.contents(path) ?? new Uint8Array(), named ?? dialect, level);
    return all(parsed.diagnostics, parsed.suppressed, [parsed.dialect]);
  });
  return { files: found.length, findings: [...all(unreadable, [], []), ...findings] };
}

function all(reported: Diagnostic[], suppressed: Diagnostic[], dialects: string[]): Finding[] {
  const finding = (suppressed: boolean) => (diagnostic: Diagnostic) => ({ diagnostic, dialects, suppressed });
  return [...reported.map(finding(false)), ...suppressed.map(finding(true))];
}

/** Sorted by place; what several dialects report in the same words is one finding. */
function joined(findings: Finding[]): Finding[] {
  const joined: Finding[] = [];
  for (const finding of findings.sort(compare)) {
    const last = joined.at(-1);
    if (last && compare(last, finding) === 0) last.dialects = [...last.dialects, ...finding.dialects];
    else joined.push(finding);
  }
  return joined;
}

const SEVERITIES: Severity[] = ["error", "warning", "note"];

function compare(one: Finding, other: Finding): number {
  const [left, right] = [one.diagnostic, other.diagnostic];
  const [from, to] = [left.primary.place, right.primary.place];
  return (
    compareBytes(from.path, to.path) ||
    from.span.start - to.span.start ||
    from.span.end - to.span.end ||
    SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity) ||
    compareBytes(left.rule, right.rule) ||
    compareBytes(left.message, right.message) ||
    Number(one.suppressed) - Number(other.suppressed)
  );
}
