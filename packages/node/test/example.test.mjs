// The host that uses only jco's output.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

test("the example host prints agents and findings", () => {
  const project = mkdtempSync(join(tmpdir(), "callsheet-"));
  const agents = join(project, ".kode/agents");
  mkdirSync(agents, { recursive: true });
  writeFileSync(join(agents, "a.md"), "---\nname: a\ndescription: Does: this\n---\nA.\n");
  symlinkSync("/etc/passwd", join(agents, "out.md"));
  const host = fileURLToPath(new URL("../example/host.mjs", import.meta.url));
  const printed = execFileSync(process.execPath, [host, "kode", project], { encoding: "utf8" });
  rmSync(project, { recursive: true });
  assert.match(printed, /^general-purpose: built-in$/m);
  assert.match(printed, /^\.kode\/agents\/a\.md:3: .* \[unquoted-value\]$/m);
  assert.match(printed, /out\.md.*\[unfollowed-link\]/);
});
