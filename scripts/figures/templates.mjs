// Sentences with figures: `{name}` in a template stands for a figure, and lines may break anywhere.

/** A template as an expression whose groups are the figures. */
export function pattern(/** @type {string} */ template) {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/ /g, '\\s+');
  return new RegExp(escaped.replace(/\{(\w+)\}/g, '(?<$1>[\\d.,]+)'), 'd');
}
