// Builds static files that work in any folder, and offline after the first visit.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

export default defineConfig({
  base: "./",
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  worker: { format: "es" },
  server: { fs: { allow: ["../.."] } },
  plugins: [serviceWorker()],
});

/** Writes the service worker with the names of all built files. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    generateBundle(_, bundle) {
      const names = ["./", ...Object.keys(bundle).filter((name) => name !== "index.html")].sort();
      const hash = createHash("sha256");
      for (const [name, file] of Object.entries(bundle).sort()) {
        hash.update(name).update(file.type === "chunk" ? file.code : file.source);
      }
      const source = readFileSync(new URL("src/service-worker.js", import.meta.url), "utf8")
        .replace("NAMES", JSON.stringify(names))
        .replace("VERSION", JSON.stringify(hash.digest("hex").slice(0, 16)));
      this.emitFile({ type: "asset", fileName: "service-worker.js", source });
    },
  };
}
