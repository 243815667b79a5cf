// A dialog with one input.
import { h, part } from "./dom";

interface Question {
  title: string;
  value: string;
  ok: string;
  suggestions?: string[];
  /** Why an answer is invalid, if it is. */
  problem(answer: string): string | undefined | Promise<string | undefined>;
}

/** The answer; undefined if the dialog was canceled. */
export function ask({ title, value, ok, suggestions = [], problem }: Question): Promise<string | undefined> {
  const dialog = part<HTMLDialogElement>("ask");
  const input = part<HTMLInputElement>("ask-input");
  part("ask-title").textContent = title;
  part("ask-ok").textContent = ok;
  part("ask-problem").textContent = "";
  part("ask-list").replaceChildren(...suggestions.map((suggestion) => h("option", { value: suggestion })));
  input.value = value;
  dialog.returnValue = "";
  dialog.showModal();
  input.setSelectionRange(value.lastIndexOf("/") + 1, value.length);
  part("ask-cancel").onclick = () => dialog.close();
  return new Promise((resolve) => {
    const form = dialog.querySelector("form");
    if (form) {
      form.onsubmit = async (event) => {
        event.preventDefault();
        const answer = input.value.trim();
        const wrong = await problem(answer);
        // The user may type or cancel in the meantime.
        if (!dialog.open || input.value.trim() !== answer) return;
        part("ask-problem").textContent = wrong ?? "";
        if (wrong === undefined) dialog.close("ok");
      };
    }
    dialog.onclose = () => resolve(dialog.returnValue === "ok" ? input.value.trim() : undefined);
  });
}
