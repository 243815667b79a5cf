// DOM helpers.
type Value = string | number | boolean | undefined | ((event: never) => void);
export type Child = Node | string | undefined | false;

/** Creates an element. Names that begin with `on` are listeners; true sets an attribute without a value, false and undefined omit it. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** Text with names in backticks. */
export function prose(text: string): Child[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));
}

/** Replaces what is in an element. The focus goes from a control to the one with the same label, or else to another element. */
export function replace(element: HTMLElement, children: Child[], other: HTMLElement): void {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const label = (one: Element) => one.id || one.ariaLabel || one.textContent;
  const alike = () => [...element.querySelectorAll<HTMLElement>("button, input, summary, [tabindex]")].filter((one) => focused && label(one) === label(focused));
  const at = alike().findIndex((one) => one === focused);
  element.replaceChildren(...children.filter((child) => child !== undefined && child !== false));
  if (focused) (alike()[at] ?? alike()[0] ?? other).focus({ preventScroll: true });
}

/** Moves the focus to the shown pane if nothing visible has it. */
export function keepFocus(): void {
  const focused = document.activeElement;
  if (!focused || focused === document.body || !focused.checkVisibility()) part(document.body.dataset.pane ?? "editor").focus();
}

/** An element of index.html. */
export function part<Type extends HTMLElement>(id: string): Type {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as Type;
}

/** Sets the options of a select and keeps the current choice if it still exists. */
export function options(select: HTMLSelectElement, groups: Array<[string, Array<[string, string]>]>): void {
  const chosen = select.value;
  const items = groups.map(([label, values]) => {
    const nodes = values.map(([value, text]) => h("option", { value }, text));
    return label === "" ? nodes : [h("optgroup", { label }, ...nodes)];
  });
  select.replaceChildren(...items.flat());
  if (groups.some(([, values]) => values.some(([value]) => value === chosen))) select.value = chosen;
}
