// What users see without the program.
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { open } from "./workbench.mjs";

const files = fileURLToPath(new URL("project", import.meta.url));

test("without the program, the editor says so and explains how to install it", async () => {
  const bench = await open({ files });
  try {
    await bench.file(".claude/agents/reviewer.md");
    const toast = bench.page.locator(".notification-toast");
    await toast.getByText("the program `callsheet` was not found on `PATH`").waitFor();
    await toast.getByRole("button", { name: "How to Install" }).click();
    // Until it is loaded, a preview keeps the keys.
    const preview = bench.page.frameLocator("iframe.webview").frameLocator("#active-frame");
    await preview.getByRole("heading", { name: "Install the program" }).waitFor();
    await bench.command("Callsheet: Focus on Agents View");
    await bench.page.locator(".welcome-view").getByText("was not found").first().waitFor();
  } finally {
    await bench.close();
  }
});

test("a path in the settings that is not a program is an error", async () => {
  const bench = await open({ files, settings: { "callsheet.path": "/nowhere/callsheet" }, path: process.env.CALLSHEET_BIN });
  try {
    await bench.file(".claude/agents/reviewer.md");
    await bench.page.locator(".notification-toast").getByText("names /nowhere/callsheet, which is not a program").waitFor();
  } finally {
    await bench.close();
  }
});
