// Places of the build, and what the environment sets.
const folder = new URL("../", import.meta.url);

/** The repository. */
export const ROOT = new URL("../../", folder);
/** The Markdown and the files that the site is built from. */
export const PAGES = new URL("dist/pages/", folder);
export const FILES = new URL("dist/files/", folder);
/** The path that the site is served at. */
export const BASE = withSlash(process.env.SITE_BASE ?? "/");
/** The address that the site is served at, without the path. */
export const SITE = process.env.SITE_URL || undefined;
/** The address of the repository's files, for links to sources. */
export const SOURCE = process.env.SITE_SOURCE && withSlash(process.env.SITE_SOURCE);

function withSlash(path) {
  return path.endsWith("/") ? path : `${path}/`;
}
