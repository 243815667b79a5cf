// Writes the pictures of the README and the walkthrough from a real workbench with the example project.
import { fileURLToPath } from "node:url";
import { open } from "./workbench.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const bench = await open({ files: at("../../../examples/workspace"), path: process.env.CALLSHEET_BIN });
try {
  const { page, file, go, command } = bench;
  await file(".kode/agents/release-notes.md");
  await page.locator(".squiggly-error, .squiggly-warning").first().waitFor();
  await go(3, 44);
  await command("Show or Focus Hover");
  await page.locator(".monaco-hover .markdown-hover").first().waitFor();
  await page.locator(".monaco-hover").getByText("unquoted-value").first().waitFor();
  await page.screenshot({ path: at("../media/problems.png"), clip: { x: 352, y: 36, width: 920, height: 330 } });
  await page.keyboard.press("Escape");
  await command("Callsheet: Focus on Agents View");
  await page.locator(".pane-body .monaco-list-row", { hasText: "release-notes" }).first().waitFor();
  await page.screenshot({ path: at("../media/agents.png"), clip: { x: 4, y: 36, width: 620, height: 480 } });
} finally {
  await bench.close();
}
