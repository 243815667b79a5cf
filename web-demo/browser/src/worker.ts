// The worker with the component. Answers one request at a time.
import coreUrl from "../../shared/component/callsheet.core.wasm?url";
import core2Url from "../../shared/component/callsheet.core2.wasm?url";
import core3Url from "../../shared/component/callsheet.core3.wasm?url";
import type { Carried, Finding, Graph, Parsed, Session } from "../../shared/contract";
import { Engine } from "../../shared/engine";
import { Files } from "../../shared/files";
import { decode, encode } from "../../shared/places";
import { type Refusal, textOf } from "../../shared/refusals";
import { answer, begin, progress } from "../../shared/session";
import { around, named } from "./around";
import { Glance } from "./glance";
import { hover } from "./hover";
import type { Answered, Asked, Conversion, Mark, Outline, Questions } from "./questions";
import { follow, renamable } from "./renames";

const urls: Record<string, string> = {
  "callsheet.core.wasm": coreUrl,
  "callsheet.core2.wasm": core2Url,
  "callsheet.core3.wasm": core3Url,
};
const modules = new Map<string, Promise<WebAssembly.Module>>();
const files = new Files();
let session: Session | undefined;
const starting = Engine.start(files, compile);
const glance = new Glance();
/** The graph of the files, until they change. */
let graph: Graph | undefined;

function compile(name: string): Promise<WebAssembly.Module> {
  const module = modules.get(name) ?? WebAssembly.compileStreaming(fetch(urls[name] ?? name));
  modules.set(name, module);
  return module;
}

function answers(engine: Engine): Questions {
  const stored = (path: string) => files.contents(path) ?? new Uint8Array();
  const annotate = (path: string, contents: Uint8Array) => engine.documents.annotate(path, contents, undefined, undefined);
  const whole = () => (graph ??= engine.graph({ tag: "everything" }));
  const parse = (path: string, contents: Uint8Array) => engine.documents.parse(path, contents, undefined, undefined);
  return {
    known: () => engine.known(),
    glance: (path, contents) => {
      const parsed = parse(path, contents);
      return { findings: glance.findings(path, contents, parsed.diagnostics), annotations: annotate(path, contents), outline: outline(parsed) };
    },
    look: (writes, dialect, open) => {
      for (const { path, contents } of writes) {
        if (contents) files.write(path, contents);
        else files.remove(path);
      }
      if (writes.length > 0) graph = undefined;
      engine.refresh(dialect);
      if (open === undefined) return { findings: [], annotations: { tokens: [], hints: [] }, outline: undefined };
      const findings = engine.findings(dialect, open);
      const contents = stored(open);
      const parsed = parse(open, contents);
      glance.keep(open, contents, findings, parsed.diagnostics);
      return { findings, annotations: annotate(open, contents), outline: outline(parsed) };
    },
    survey: (dialect, open) => {
      const catalog = engine.catalog(dialect);
      const { findings } = engine.report();
      const isFixable = findings.some(({ diagnostic, inProject }) => inProject && diagnostic.fixes.some(({ safe }) => safe));
      const surroundings = open === undefined ? undefined : around(whole(), open, () => engine.documents.readings(open, stored(open)));
      return { entries: catalog.entries(true), visited: catalog.visited(), marks: marks(findings), isFixable, around: surroundings };
    },
    fixed: () => engine.fixed(),
    inUse: () => engine.inUse(),
    complete: (path, contents, at) => engine.complete({ path, contents, at }),
    ownDirectories: (dialect) => engine.ownDirectories(dialect),
    blank: (path) => blank(engine, path),
    explain: (dialect, name) => engine.catalog(dialect).explain(name),
    named: (name) => named(engine.graph({ tag: "users", val: name })),
    graph: whole,
    hover: (path, at) => hover(engine, whole(), path, stored, at),
    suppress: (path, rule, at) => engine.documents.suppress(path, stored(path), rule, at, undefined),
    renamable: (path, at) => renamable(engine, whole(), path, stored(path), at),
    rename: (path, to) => engine.rename(path, to),
    follow: (path, to) => follow(engine, whole(), path, stored(path), to),
    readings: (path) => engine.documents.readings(path, stored(path)),
    convert: (path, to, allowLoss) => convert(engine, path, to, allowLoss),
    begin: (dialect, task, tools, now) => {
      session = begin(engine.root, engine.catalog(dialect), task, tools);
      return progress(session, now);
    },
    answer: (id, reply, now) => answer(running(), id, reply, now),
    cancel: (now) => {
      running().cancel();
      return progress(running(), now);
    },
  };
}

function outline({ agent, outline: { headings } }: Parsed): Outline | undefined {
  return agent && { name: agent.name, keys: agent.fields.map(({ key, keySpan }) => ({ text: key, span: keySpan })), headings, body: agent.body };
}

function running(): Session {
  if (!session) throw new Error("no session was started");
  return session;
}

function marks(findings: Finding[]): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const { diagnostic } of findings) {
    const { severity, primary } = diagnostic;
    const mark = marks.get(primary.place.path) ?? { errors: 0, warnings: 0 };
    if (severity === "error") mark.errors += 1;
    if (severity === "warning") mark.warnings += 1;
    marks.set(primary.place.path, mark);
  }
  return marks;
}

const PROMPT = "Describe what the agent should do.\n";

/** A file that loads; if the dialect needs more fields, they are empty. */
function blank(engine: Engine, path: string): Uint8Array {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, "");
  const { dialect } = engine.documents.parse(path, new Uint8Array(), undefined, undefined);
  const text = (canonical: string, val: string) => ({ canonical, value: { tag: "text" as const, val } });
  const keys = engine.documents.dialects("agent").find(({ id }) => id === dialect)?.keys ?? [];
  const all = [text("name", name), text("description", "Explains when to use this agent")];
  const fields = all.filter((field) => keys.some(({ canonical }) => canonical === field.canonical));
  try {
    return encode(engine.documents.render({ fields, prompt: PROMPT }, dialect));
  } catch {
    const opening = "---\n";
    const { words } = engine.complete({ path, contents: encode(opening), at: opening.length, dialect });
    const known = new Map(all.map(({ canonical, value }) => [keys.find((key) => key.canonical === canonical)?.spellings[0], value.val]));
    const lines = words.filter(({ required, word }) => required || known.has(word)).map(({ word, text }) => `${text}${known.get(word) ?? ""}\n`);
    return encode(`${opening}${lines.join("")}---\n\n${PROMPT}`);
  }
}

function convert(engine: Engine, path: string, to: string, allowLoss: boolean): Conversion {
  try {
    const contents = files.contents(path) ?? new Uint8Array();
    const result = engine.documents.convert(path, contents, undefined, to, allowLoss);
    return { kind: "converted", result, text: decode(result.contents) };
  } catch (thrown) {
    const payload = (thrown as { payload?: { tag: string; val: unknown } }).payload;
    if (payload?.tag === "refused") {
      const isLossy = !allowLoss && convert(engine, path, to, true).kind === "converted";
      return { kind: "refused", report: payload.val as Carried[], isLossy };
    }
    if (payload?.tag === "unusable") return { kind: "failed", reason: String(payload.val) };
    throw thrown;
  }
}

/** Requests, one after another: none is answered while the component restarts. */
let queue = Promise.resolve();
self.onmessage = ({ data }: MessageEvent<Asked>) => {
  queue = queue.then(() => respond(data));
};

async function respond({ id, question, given }: Asked): Promise<void> {
  const post = (answered: Answered) => self.postMessage(answered);
  try {
    const engine = await starting;
    const ask = answers(engine)[question] as (...given: unknown[]) => unknown;
    post({ id, answer: ask(...given) });
  } catch (thrown) {
    if (!(thrown instanceof WebAssembly.RuntimeError)) return post({ id, failure: said(thrown) });
    session = undefined;
    graph = undefined;
    try {
      await (await starting).restart();
      post({ id, failure: `the component failed and was restarted: ${thrown.message}` });
    } catch (error) {
      post({ id, failure: `the component failed and cannot be restarted: ${said(error)}` });
    }
  }
}

/** The text of an error; variants of the contract are in its payload. */
function said(thrown: unknown): string {
  const payload = (thrown as { payload?: Refusal }).payload;
  if (payload) return textOf(payload);
  return thrown instanceof Error ? thrown.message : String(thrown);
}
