// The parts of the open file, to go to one.
import type { Span } from "../../shared/contract";
import { h, part } from "./dom";
import type { Outline } from "./questions";

interface Symbol {
  text: string;
  kind: string;
  span: Span;
  depth: number;
}

/** Shows the parts of a file, and goes to the chosen one. */
export function showOutline(outline: Outline, go: (span: Span) => void): void {
  const dialog = part<HTMLDialogElement>("outline");
  const input = part<HTMLInputElement>("outline-filter");
  const list = part("outline-list");
  const buttons = () => [...list.querySelectorAll("button")];
  const fill = () => {
    const wanted = input.value.trim().toLowerCase();
    const shown = symbols(outline).filter(({ text }) => text.toLowerCase().includes(wanted));
    list.replaceChildren(
      ...shown.map((symbol) => {
        const choose = () => {
          dialog.close();
          go(symbol.span);
        };
        const button = h("button", { type: "button", class: `depth-${symbol.depth}`, onclick: choose }, h("span", {}, symbol.text), h("span", { class: "kind" }, symbol.kind));
        return h("li", {}, button);
      }),
    );
    part("outline-none").textContent = shown.length === 0 ? "Nothing here has this name." : "";
  };
  input.value = "";
  input.oninput = fill;
  dialog.onkeydown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops: HTMLElement[] = [input, ...buttons()];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    if (step !== undefined && at >= 0) {
      event.preventDefault();
      stops[(at + step + stops.length) % stops.length]?.focus();
    } else if (event.key === "Enter" && at === 0) {
      event.preventDefault();
      buttons()[0]?.click();
    }
  };
  fill();
  dialog.showModal();
}

/** The definition, with its keys and the headings of its prompt. */
function symbols({ name, keys, headings }: Outline): Symbol[] {
  const named = (text: string) => text || "(no name)";
  return [
    { text: named(name), kind: "", span: { start: 0, end: 0 }, depth: 0 },
    ...keys.map(({ text, span }) => ({ text: named(text), kind: "field", span, depth: 1 })),
    ...headings.map(({ text, span, depth }) => ({ text: named(text), kind: "heading", span, depth })),
  ];
}
