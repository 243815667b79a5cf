// The tabs on the right.
import { h, part, replace } from "./dom";
import type { Panel } from "./panels/panel";

export interface Tab {
  id: string;
  title: string;
  panel: Panel;
}

/** Tabs according to the ARIA pattern: arrow keys move between tabs, and the Tab key stops once. */
export class Tabs {
  readonly #buttons: HTMLButtonElement[];
  #shown: Tab;
  #element = h("div");

  constructor(
    private readonly tabs: [Tab, ...Tab[]],
    private readonly onShow: () => void,
  ) {
    [this.#shown] = tabs;
    this.#buttons = tabs.map((tab) =>
      h("button", { type: "button", role: "tab", id: `tab-${tab.id}`, "aria-controls": "panel", onclick: () => this.show(tab.id) }, tab.title),
    );
    part("tabs").replaceChildren(...this.#buttons);
    part("tabs").addEventListener("keydown", (event) => this.#move(event));
    this.show(this.#shown.id);
  }

  get shown(): Tab {
    return this.#shown;
  }

  /** The element of the shown panel. */
  get element(): HTMLElement {
    return this.#element;
  }

  show(id: string): void {
    this.#shown = this.tabs.find((tab) => tab.id === id) ?? this.#shown;
    for (const button of this.#buttons) {
      const selected = button.id === `tab-${this.#shown.id}`;
      button.setAttribute("aria-selected", String(selected));
      button.tabIndex = selected ? 0 : -1;
    }
    part("panel").setAttribute("aria-labelledby", `tab-${this.#shown.id}`);
    // Pending draws of other panels go to a detached element.
    this.#element = h("div");
    replace(part("panel"), [this.#element], part("panel"));
    this.onShow();
  }

  #move(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = (this.tabs.indexOf(this.#shown) + step + this.tabs.length) % this.tabs.length;
    this.show(this.tabs[next]?.id ?? this.#shown.id);
    this.#buttons[next]?.focus();
  }
}
