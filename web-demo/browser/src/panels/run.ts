// A session step by step: calls, model requests, tool results, and the next steps.
import type { Ending, Event, Outstanding } from "../../../shared/contract";
import { askModel, type Endpoint } from "../../../shared/models";
import { h, options, prose, replace, type Child } from "../dom";
import { dialectOf } from "../known";
import { recordingFor, replay } from "../run/recording";
import { Run, type Model } from "../run/run";
import type { Panel, Scene } from "./panel";
import { some } from "./words";

const ADDRESSES = { openai: "https://api.openai.com/v1", anthropic: "https://api.anthropic.com/v1" };

let run: Run | undefined;
let busy = false;
/** Whether the last step failed. */
let stuck = false;
/** Ends the requests of the run. */
let requests = new AbortController();
let drawn: string | undefined;
let scene: Scene;

const agent = h("select", { id: "run-agent" });
const prompt = h("textarea", { id: "run-prompt", rows: 2 });
const source = h("select", { id: "run-source" });
const url = h("input", { id: "run-url", type: "text", spellcheck: "false" });
const key = h("input", { id: "run-key", type: "password", autocomplete: "off" });
const model = h("input", { id: "run-model", type: "text", placeholder: "the agent’s model", spellcheck: "false" });
const notice = h("div", { role: "alert" });
const own = h(
  "div",
  { class: "own" },
  field("run-url", "Address", url),
  field("run-key", "Key", key),
  field("run-model", "Model name", model),
  h("p", { class: "reason" }, "The key stays in memory and is only sent to this address."),
);
/** They keep the focus, because they stay in the page and are never `disabled`. */
const start = h("button", { type: "button", class: "primary", onclick: () => void work(step) });
const rest = h("button", { type: "button", onclick: () => void work(all) }, "Run to the end");
const stop = h("button", { type: "button", onclick: () => void cancel().catch(showFailure) }, "Cancel");
const buttons = h("div", { class: "field" }, start, rest, stop);
const journal = h("div", { class: "journal", "aria-live": "polite" });

/** Redraws the form only for another project, to keep the user’s input. */
export const session: Panel = (element, now) => {
  scene = now;
  const recording = recordingFor(now.report.entries);
  const names = now.report.entries.filter(({ standing }) => standing === "active").map(({ name }): [string, string] => [name, name]);
  options(agent, [["", names]]);
  const wanted = names.find(([name]) => name === now.agent)?.[0];
  if (wanted !== undefined) agent.value = wanted;
  const kind = JSON.stringify([now.project.replaced, now.project.dialect, recording?.agent]);
  if (kind !== drawn) {
    drawn = kind;
    requests.abort();
    run = undefined;
    stuck = false;
    notice.replaceChildren();
    const kinds: Array<[string, string]> = [["openai", "OpenAI-compatible API"], ["anthropic", "Anthropic API"]];
    options(source, [["", recording ? [["recording", "Recording"], ...kinds] : kinds]]);
    source.value = recording ? "recording" : "openai";
    agent.value = wanted ?? recording?.agent ?? agent.value;
    prompt.value = recording?.prompt ?? "Look at this project and suggest what to do first.";
    chosen();
    draw();
  }
  if (element.firstElementChild?.id === "run-task") return;
  element.replaceChildren(
    h("div", { id: "run-task" }, field("run-agent", "Agent", agent), field("run-prompt", "Task", prompt), field("run-source", "Model", source), own),
    buttons,
    notice,
    journal,
  );
};

source.addEventListener("change", chosen);

function chosen(): void {
  own.hidden = source.value === "recording";
  // It is for the address before.
  key.value = "";
  if (source.value !== "recording") url.value = ADDRESSES[source.value as keyof typeof ADDRESSES];
}

function field(id: string, label: string, input: HTMLElement): HTMLElement {
  return h("div", { class: "field" }, h("label", { for: id }, label), input);
}

function asked(): Model {
  const recording = recordingFor(scene.report.entries);
  if (source.value === "recording" && recording) return async (request) => replay(recording, request);
  const isVendor = Object.values(ADDRESSES).includes(url.value);
  if (isVendor && key.value === "") throw new Error(`no API key: ${new URL(url.value).host} needs one`);
  const endpoint: Endpoint = { kind: source.value as Endpoint["kind"], url: url.value.replace(/\/$/, ""), key: key.value, model: model.value };
  const { signal } = requests;
  return (request) => askModel(endpoint, request, signal);
}

async function begin(): Promise<void> {
  const dialect = dialectOf(scene.known, scene.project.dialect);
  if (!dialect) return;
  run = undefined;
  requests = new AbortController();
  // A missing key is reported before the run starts.
  asked();
  const { signal } = requests;
  const begun = await Run.begin(scene.client, scene.project, dialect, { agent: agent.value, prompt: prompt.value });
  // Another project may have replaced this one in the meantime.
  if (!signal.aborted) run = begun;
}

/** Runs an action with the buttons disabled, and shows errors. */
async function work(what: () => Promise<void>): Promise<void> {
  if (busy) return;
  busy = true;
  stuck = false;
  notice.replaceChildren();
  draw();
  try {
    await what();
  } catch (failure) {
    if (!requests.signal.aborted) showFailure(failure);
  }
  busy = false;
  draw();
  document.querySelector(".outcome")?.scrollIntoView({ block: "nearest" });
}

function showFailure(failure: unknown): void {
  stuck = true;
  const text = sentence(failure instanceof Error ? failure.message : String(failure));
  const advice = isGoing() && h("p", { class: "reason" }, "Change the address, key or model, then try again. The run continues here.");
  notice.replaceChildren(ended("failed", "Failed", text, advice));
}

async function step(): Promise<void> {
  if (!run || run.outcome) return begin();
  const [next] = run.outstanding;
  if (next) await run.step(next, asked());
}

/** Runs all steps, in parallel where possible. */
async function all(): Promise<void> {
  if (!run || run.outcome) await begin();
  while (run && !run.outcome && run.outstanding.length > 0) {
    const running = run;
    const model = asked();
    const done = await Promise.allSettled(running.outstanding.map((one) => running.step(one, model)));
    draw();
    const failed = done.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
  }
}

async function cancel(): Promise<void> {
  if (!isGoing()) return;
  await run?.cancel();
  requests.abort();
  stuck = false;
  notice.replaceChildren();
  draw();
}

function isGoing(): boolean {
  return run !== undefined && !run.outcome;
}

function draw(): void {
  const going = isGoing();
  start.textContent = going ? (stuck ? "Try again" : "Next step") : run ? "Start again" : "Start";
  start.ariaDisabled = rest.ariaDisabled = String(busy);
  stop.ariaDisabled = String(!going);
  replace(journal, run ? [tree(run), ...ending(run)] : [], start);
}

function tree({ events, outstanding }: Run): HTMLElement {
  const runs = [...Map.groupBy(events, (event) => event.run)];
  const node = ([number, own]: [number, Event[]]): HTMLElement => {
    const chain = own[0]?.agent ?? [];
    const path = chain.join("/");
    const below = runs.filter(([other, [first]]) => other !== number && first?.agent.slice(0, -1).join("/") === path);
    const waiting = outstanding.filter(({ run }) => run === number);
    // A called agent comes after the call, which is the next event.
    const items = [
      ...own.map((event) => ({ at: Number(event.number), item: h("li", { class: classOf(event) }, ...line(event, own)) })),
      ...below.map((one) => ({ at: Number(one[1][0]?.number) + 1.5, item: node(one) })),
    ].sort((one, other) => one.at - other.at);
    const end = own.find(({ what }) => what.tag === "ended");
    return h(
      "li",
      { class: `run ${end ? classOf(end) : stuck && waiting.length > 0 ? "ended failed" : "working"}` },
      h("p", { class: "who" }, chain.at(-1)),
      h("ul", { class: "events" }, ...items.map(({ item }) => item), ...waiting.map(next)),
    );
  };
  return h("ul", { class: "events" }, ...runs.filter(([, [first]]) => first?.agent.length === 1).map(node));
}

function classOf({ what }: Event): string {
  return what.tag === "ended" ? `ended ${what.val.ending.tag}` : what.tag;
}

function line({ what }: Event, own: Event[]): Child[] {
  switch (what.tag) {
    case "called":
      return [h("b", {}, "task: "), what.val];
    case "waits":
      return [h("b", {}, "waits"), " until fewer agents are running"];
    case "ignored":
      return [h("b", {}, "ignores "), ...prose(what.val)];
    case "compacted":
      return [h("b", {}, "shortens the conversation: "), `${some(what.val, "earlier tool result")} left out`];
    case "asked":
      return [h("b", {}, "asks "), what.val === "" ? "the default model" : what.val];
    case "said":
      return [h("b", {}, what.val.text === "" ? "replies with tool calls only" : "replies: "), what.val.text, " ", h("span", { class: "at" }, some(what.val.inputTokens + what.val.outputTokens, "token"))];
    case "calls":
      return [h("b", {}, `calls ${what.val.name} `), h("code", {}, what.val.arguments)];
    case "refused":
      return [h("b", {}, `is denied ${what.val.tool}: `), ...prose(what.val.reason)];
    case "invalid":
      return [h("b", {}, `cannot call ${what.val.tool}: `), ...prose(what.val.reason)];
    case "returned":
      return [h("b", {}, what.val.isError ? "tool error" : "tool result"), ` from ${toolOf(what.val.id, own)}`];
    case "ended":
      return [h("b", {}, "ends: "), ...prose(what.val.text)];
  }
}

function toolOf(id: string, own: Event[]): string {
  const calls = own.map(({ what }) => (what.tag === "calls" ? [what.val.id, what.val.name] : what.tag === "refused" || what.tag === "invalid" ? [what.val.id, what.val.tool] : []));
  return calls.find(([call]) => call === id)?.[1] ?? id;
}

function next({ step }: Outstanding): HTMLElement {
  if (step.tag === "call-tool") {
    return h("li", { class: "next" }, h("b", {}, `next: ${step.val.call.name} `), h("code", {}, step.val.call.arguments));
  }
  const { model, messages, tools } = step.val;
  const list = messages.map(({ role, text, calls }) => h("li", {}, h("b", {}, `${role}: `), text || calls.map(({ name }) => name).join(", ")));
  const offered = tools.map(({ name }) => name).join(", ") || "none";
  return h(
    "li",
    { class: "next" },
    h("b", {}, `next: ask ${model || "the default model"}`),
    h("details", {}, h("summary", {}, `${some(messages.length, "message")}, tools: ${offered}`), h("ul", { class: "messages" }, ...list)),
  );
}

const TITLES: Record<Ending["tag"], string> = { answer: "Answer", bound: "Stopped at a limit", failed: "Failed", cancelled: "Canceled" };

function ending({ outcome, usage }: Run): HTMLElement[] {
  if (!outcome || !usage) return [];
  const tokens = usage.inputTokens + usage.outputTokens;
  const used = `${some(usage.turns, "turn")}, ${some(usage.children, "agent")} called, ${some(Number(tokens), "token")}`;
  const { ending, text } = outcome;
  const partial = ending.tag === "bound" && ending.val.partial !== "" && h("p", {}, `Partial answer: ${ending.val.partial}`);
  return [ended(ending.tag, TITLES[ending.tag], ending.tag === "answer" ? text : sentence(text), partial, h("p", { class: "reason" }, used))];
}

function ended(tag: Ending["tag"], title: string, text: string, ...more: Child[]): HTMLElement {
  return h("section", { class: `outcome ${tag}` }, h("h3", {}, title), h("p", {}, ...prose(text)), ...more);
}

/** Text of the component as a sentence. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}
