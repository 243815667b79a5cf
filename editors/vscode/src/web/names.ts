// Names of files for the component: it has one tree, the editor has file systems of several schemes.
import { Uri } from "vscode";

/** Of an address without an authority. */
const NONE = "-";

/** The path of an address in the tree: below its scheme and its authority. */
export function nameOf({ scheme, authority, path }: Uri): string {
  const whole = `/${scheme}/${authority === "" ? NONE : encodeURIComponent(authority)}${path}`;
  return whole.replace(/\/+$/, "");
}

export function uriOf(name: string): Uri {
  const [, scheme = "", authority = "", ...parts] = name.split("/");
  return Uri.from({ scheme, authority: authority === NONE ? "" : decodeURIComponent(authority), path: `/${parts.join("/")}` });
}

/** Addresses for the server, which knows files only. */
export const converters = {
  code2Protocol: (uri: Uri): string => (uri.scheme === "untitled" ? uri.toString() : Uri.from({ scheme: "file", path: nameOf(uri) }).toString()),
  protocol2Code: (address: string): Uri => {
    const uri = Uri.parse(address, true);
    return uri.scheme === "file" ? uriOf(uri.path) : uri;
  },
};
