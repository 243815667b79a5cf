// Builds static files that work in any folder, and offline after the first visit.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

export default defineConfig({
  base: "./",
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  worker: { format: "es", plugins: () => [withoutDefaultModules(), withoutUnused()] },
  server: { fs: { allow: ["../.."] } },
  plugins: [about(), serviceWorker()],
});

/** Fills in the version and the links to the documentation, whose site has the playground in a folder, and to the sources. */
function about(): Plugin {
  const manifest = readFileSync(new URL("../../Cargo.toml", import.meta.url), "utf8");
  const [, version = ""] = /^version = "(.+)"$/m.exec(manifest) ?? [];
  const { SITE_URL, SITE_BASE = "/", SITE_SOURCE } = process.env;
  const docs = SITE_URL ? new URL(withSlash(SITE_BASE), SITE_URL).href : "../";
  return {
    name: "about",
    transformIndexHtml: {
      order: "pre",
      handler: (html) => {
        const shown = SITE_SOURCE ? html.replace("%SOURCE%", `${withSlash(SITE_SOURCE)}README.md`) : html.replace(/.*%SOURCE%.*\n/, "");
        return shown.replaceAll("%DOCS%", docs).replace("%VERSION%", version);
      },
    },
  };
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

/** Removes the default way to load modules, for which Vite would add every file in their folder. */
function withoutDefaultModules(): Plugin {
  const LOADING = "getCoreModule||(getCoreModule=e=>fetchCompile(new URL(`./${e}`,import.meta.url)));";
  return {
    name: "without-default-modules",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith("/shared/component/callsheet.js")) return undefined;
      if (!code.includes(LOADING)) throw new Error("the output of jco has changed: update vite.config.ts");
      return { code: code.replace(LOADING, "").replace(/^"use components";/, ""), map: null };
    },
  };
}

/** The component's functions that the page does not call. Their glue is 5 KB, compressed. */
const UNUSED = ["discover", "fix", "guess", "revise", "run", "serverReach", "withSection"];

/** The methods of the component's classes that the page does not call. */
const UNUSED_METHODS = ["cards", "compose", "counters", "diagnostics", "get", "goOn", "grants", "inventory", "locations", "messages", "names", "places", "pollBrief", "reach", "referred", "register", "reserve", "root", "search", "send", "snapshot", "suppressed", "workspaces"];

/** Removes both, so that the bundler drops them. */
function withoutUnused(): Plugin {
  const RECORD = /\{(?:\w+(?::\w+\$\d+)?,)*\w+(?::\w+\$\d+)?\}/g;
  return {
    name: "without-unused",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith("/shared/component/callsheet.js")) return undefined;
      const at = code.lastIndexOf("let ", code.lastIndexOf("return{catalogs:"));
      const missing = new Set(UNUSED);
      const records = code.slice(at).replace(RECORD, (record) => {
        const kept = record.slice(1, -1).split(",").filter((name) => !missing.delete(name));
        return `{${kept.join(",")}}`;
      });
      const methods = new Set(UNUSED_METHODS);
      // A declaration that nothing uses is dropped, an assignment is not.
      const classes = code.slice(0, at).replace(/;(\w+)\.prototype\.(\w+)=function\(/g, (written, type, name) => (methods.delete(name) ? `;function ${type}_${name}(` : written));
      const left = [...missing, ...methods];
      if (left.length > 0) throw new Error(`the output of jco has changed: update vite.config.ts (${left.join(", ")})`);
      return { code: classes + records, map: null };
    },
  };
}

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
