// Strokes of which the drawings of the docs are made. Colors are classes, so that a drawing follows a light or dark page: as a picture by
// the media query in it, as an element of a page of the site by `pageStyle`.

/** Light and dark values of the classes. */
const COLORS = {
  ink: ['#1b2330', '#e6e9ef'],
  soft: ['#5f6b7a', '#9aa6b5'],
  line: ['#b9c1cc', '#4a5566'],
  paper: ['#ffffff', '#161b22'],
  body: ['#cfe0f5', '#26425f'],
  edge: ['#2f5f96', '#7fb2ea'],
  fixed: ['#dfe3e8', '#333c48'],
  warm: ['#b8501e', '#f0a06a'],
  glow: ['#f9dcc6', '#5a3420'],
  good: ['#2d7a4d', '#74cf98'],
  leaf: ['#d3ecdc', '#1f4a33'],
};

const variables = (/** @type {0 | 1} */ which) =>
  Object.entries(COLORS)
    .map(([name, pair]) => `--d-${name}: ${pair[which]};`)
    .join(' ');

/** What the classes look like. */
const CLASSES = `.paper { fill: var(--d-paper); stroke: var(--d-line); }
    .ink { stroke: var(--d-ink); fill: none; } .soft { stroke: var(--d-soft); fill: none; } .thin { stroke: var(--d-line); fill: none; }
    .edge { stroke: var(--d-edge); fill: none; } .warm { stroke: var(--d-warm); fill: none; } .good { stroke: var(--d-good); fill: none; }
    .body { fill: var(--d-body); stroke: var(--d-edge); } .fixed { fill: var(--d-fixed); stroke: var(--d-soft); }
    .glow { fill: var(--d-glow); stroke: var(--d-warm); } .leaf { fill: var(--d-leaf); stroke: var(--d-good); }
    .panel { fill: none; stroke: var(--d-line); } .ghost { fill: none; stroke: var(--d-edge); stroke-dasharray: 4 3; }
    .dash { stroke-dasharray: 4 3; } .full { fill: var(--d-soft); } .full.edge { fill: var(--d-edge); } .full.warm { fill: var(--d-warm); }
    .full.good { fill: var(--d-good); } .open { fill: var(--d-paper); }
    .fade { opacity: 0.2; }
    text { fill: var(--d-ink); font-size: 13px; } .t-soft { fill: var(--d-soft); } .t-warm { fill: var(--d-warm); }
    .t-good { fill: var(--d-good); } .t-edge { fill: var(--d-edge); } .t-small { font-size: 11.5px; } .t-head { font-weight: 600; font-size: 14px; }
    .t-code { font-family: ui-monospace, Consolas, monospace; font-size: 12px; }`;

const STYLE = `svg { ${variables(0)} }
    @media (prefers-color-scheme: dark) { svg { ${variables(1)} } }
    ${CLASSES}`;

/** The style of drawings that are elements of a page: colors by the theme of the page, classes inside of drawings only. */
export function pageStyle() {
  const colors = Object.entries(COLORS).map(([name, [light, dark]]) => `--d-${name}: light-dark(${light}, ${dark});`);
  return `svg.drawing { ${colors.join(' ')} }\nsvg.drawing { ${CLASSES} }\n`;
}

const n = (/** @type {number} */ x) => String(Math.round(x * 10) / 10);
const encode = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const rect = (x, y, w, h, cls = 'body', r = 3) =>
  `<rect class="${cls}" x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" rx="${n(r)}"/>`;
export const circle = (x, y, r, cls = 'body') => `<circle class="${cls}" cx="${n(x)}" cy="${n(y)}" r="${n(r)}"/>`;
export const dot = (x, y, cls = 'warm') =>
  `<circle class="${cls}" style="fill: currentColor; fill: var(--d-${cls})" cx="${n(x)}" cy="${n(y)}" r="3.5"/>`;
export const line = (x1, y1, x2, y2, cls = 'ink') =>
  `<line class="${cls}" x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}"/>`;
export const path = (d, cls = 'ink') => `<path class="${cls}" d="${d}"/>`;
export const poly = (points, cls = 'body') =>
  `<polygon class="${cls}" points="${points.map(([x, y]) => `${n(x)},${n(y)}`).join(' ')}"/>`;
export const group = (transform, ...parts) => `<g transform="${transform}">${parts.join('')}</g>`;
export const faded = (...parts) => `<g class="fade">${parts.join('')}</g>`;

/** Text; `cls` of t-soft, t-warm, t-good, t-edge, t-small, t-head, t-code. */
export const text = (x, y, words, cls = '', anchor = 'start') =>
  `<text x="${n(x)}" y="${n(y)}"${cls ? ` class="${cls}"` : ''}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${encode(words)}</text>`;
export const label = (x, y, words, cls = '') => text(x, y, words, cls, 'middle');

/** The head of an arrow whose tip is at x, y, pointing along angle (rad). */
function tip(x, y, angle, cls) {
  const at = (a, r) => `${n(x + r * Math.cos(angle + a))} ${n(y + r * Math.sin(angle + a))}`;
  return `<path class="${cls}" style="fill: var(--d-${cls.split(' ')[0]}); stroke-dasharray: none" d="M${n(x)} ${n(y)} L${at(2.72, 9)} L${at(-2.72, 9)} z"/>`;
}
export function arrow(x1, y1, x2, y2, cls = 'ink', both = false) {
  const a = Math.atan2(y2 - y1, x2 - x1);
  const inner = [x2 - 5 * Math.cos(a), y2 - 5 * Math.sin(a)];
  const start = both ? [x1 + 5 * Math.cos(a), y1 + 5 * Math.sin(a)] : [x1, y1];
  return line(start[0], start[1], inner[0], inner[1], cls) + tip(x2, y2, a, cls) + (both ? tip(x1, y1, a + Math.PI, cls) : '');
}
/** An arc about cx, cy from angle a to b (rad, y down), with a tip at its end. */
export function arc(cx, cy, r, a, b, cls = 'warm', tips = 1) {
  const at = (angle) => [cx + r * Math.cos(angle), cy + r * Math.sin(angle)];
  const [x1, y1] = at(a);
  const [x2, y2] = at(b);
  const large = Math.abs(b - a) > Math.PI ? 1 : 0;
  const sweep = b > a ? 1 : 0;
  const turn = (way) => (way ? Math.PI / 2 : -Math.PI / 2);
  let out = path(`M${n(x1)} ${n(y1)} A${n(r)} ${n(r)} 0 ${large} ${sweep} ${n(x2)} ${n(y2)}`, cls);
  if (tips > 0) out += tip(x2, y2, b + turn(sweep) - (sweep ? 1 : -1) * (4 / r), cls);
  if (tips > 1) out += tip(x1, y1, a + turn(!sweep) - (sweep ? -1 : 1) * (4 / r), cls);
  return out;
}
/** A zigzag spring between two points. */
export function spring(x1, y1, x2, y2, cls = 'good', turns = 6, width = 6) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  let d = `M${n(x1)} ${n(y1)}`;
  for (let i = 1; i < 2 * turns; i++) {
    const [s, side] = [i / (2 * turns), i % 2 ? width : -width];
    d += ` L${n(x1 + dx * s - uy * side)} ${n(y1 + dy * s + ux * side)}`;
  }
  return path(`${d} L${n(x2)} ${n(y2)}`, cls);
}
/** Ground with hatching below its top. */
export function ground(x, y, w) {
  let out = line(x, y, x + w, y, 'soft');
  for (let i = 6; i <= w; i += 12) out += line(x + i, y, x + i - 6, y + 7, 'thin');
  return out;
}
/** A cross of two axes, x to the right and y up. */
export const axes = (x, y, length = 34, names = ['x', 'y']) =>
  arrow(x, y, x + length, y, 'soft') +
  text(x + length + 4, y + 4, names[0], 't-soft t-small') +
  arrow(x, y, x, y - length, 'soft') +
  label(x, y - length - 5, names[1], 't-soft t-small');

/** A drawing as a file: w and h in pixels; `about` is read to those who do not see it. */
export function drawing(w, h, title, about, ...parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img" aria-label="${encode(`${title}. ${about}`).replaceAll('"', '&quot;')}" font-family="system-ui, sans-serif" stroke-width="1.5" class="drawing">
  <style>
    ${STYLE}
  </style>
  <rect class="paper" x="0.5" y="0.5" width="${w - 1}" height="${h - 1}" rx="10" stroke-width="1"/>
  ${parts.flat(3).join('\n  ')}
</svg>
`;
}
