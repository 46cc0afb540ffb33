// Makes elements of a page.

type Children = (Node | string)[];

/** An element with properties and children; names with a dash are attributes. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Record<string, unknown> = {},
  ...children: Children
) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role') element.setAttribute(name, String(value));
    else (element as unknown as Record<string, unknown>)[name] = value;
  }
  element.append(...children);
  return element;
}

/** An error as a sentence. */
export const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
