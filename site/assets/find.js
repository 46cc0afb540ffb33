// The search of the site, for the page that searches, the builder that writes the index, and the test: how texts become words, which words
// mean the same, and how much each kind of page weighs.
/** Words that say nothing of the subject. */
const EMPTY = new Set(
  'a an and are as at be by can do does for from get how i if in into is it make makes my of on or that the this to use what when where which why with you your'.split(
    ' ',
  ),
);

/** What people type, and the words that the guide has for it. Words of several engines stand beside those of everyday. */
const SYNONYMS = {
  anchor: ['joint'],
  antialias: ['interpolate'],
  ball: ['sphere'],
  bounce: ['restitution'],
  bouncy: ['restitution'],
  bounciness: ['restitution'],
  ccd: ['bullet', 'fast'],
  cloth: ['net'],
  collider: ['shape'],
  collision: ['contact'],
  concave: ['mesh', 'decompose'],
  constraint: ['joint'],
  deterministic: ['determinism', 'bits'],
  door: ['hinge'],
  drag: ['picking'],
  elevator: ['platform', 'kinematic'],
  explode: ['explosion'],
  filter: ['category', 'mask'],
  filtering: ['category', 'mask'],
  fps: ['performance', 'character'],
  framerate: ['advance', 'frame'],
  freeze: ['lock', 'sleep'],
  glb: ['gltf'],
  grab: ['picking'],
  group: ['category', 'mask'],
  import: ['entries', 'bundlers'],
  impulses: ['impulse'],
  jittery: ['jitter'],
  layer: ['category', 'mask'],
  lift: ['platform', 'kinematic'],
  linecast: ['castray', 'ray'],
  load: ['loading'],
  mouse: ['picking', 'drag'],
  multiplayer: ['rollback', 'snapshot'],
  network: ['rollback', 'snapshot'],
  npm: ['install', 'entries'],
  overlap: ['overlap'],
  picking: ['castray'],
  pin: ['ball', 'joint'],
  player: ['character'],
  prismatic: ['slider'],
  r3f: ['react'],
  raycast: ['castray', 'ray'],
  raycaster: ['castray', 'ray'],
  raycasting: ['castray', 'ray'],
  reset: ['teleport', 'restore'],
  respawn: ['teleport'],
  revolute: ['hinge'],
  rollback: ['snapshot'],
  save: ['snapshot'],
  scale: ['units'],
  serialize: ['snapshot'],
  server: ['worlds', 'node'],
  shader: ['webgpu'],
  sound: ['hit', 'approachspeed'],
  spherical: ['ball'],
  stable: ['jitter', 'rest'],
  stuck: ['ccd', 'jitter'],
  terrain: ['heightfield'],
  through: ['bullet', 'tunnel', 'fast'],
  timestep: ['dt', 'step'],
  trigger: ['sensor'],
  trimesh: ['mesh'],
  tunneling: ['bullet', 'fast'],
  tunnelling: ['bullet', 'fast'],
  velocity: ['linearvelocity'],
  wake: ['sleep'],
  wheel: ['vehicle'],
};

/**
 * Most people want a page of the guide. Field: a property of an
 * object of options. Plugin: the API of an entry for one engine, or of one that repeats `talus`.
 */
const WEIGHTS = { Guide: 3, Example: 1.6, API: 1.2, Field: 0.7, Plugin: 0.6, Internals: 0.8, Report: 0.3, Changes: 0.1 };

/** Words: names are found whole (castRay) and by their parts (cast, ray). */
function tokenize(text) {
  const words = [];
  for (const [word] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    words.push(word);
    const parts = word.split(/_|(?<=[a-z0-9])(?=[A-Z])/);
    if (parts.length > 1) words.push(...parts);
  }
  return words;
}

/** The stem of a word, so that plurals and -ing are found. */
function stem(word) {
  if (word.length > 5 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

function processTerm(term) {
  const word = term.toLowerCase();
  return word.length < 2 || EMPTY.has(word) ? null : stem(word);
}

/** What the index is made with. */
export const OPTIONS = {
  fields: ['title', 'topics', 'page', 'text'],
  storeFields: ['title', 'page', 'about', 'kind'],
  tokenize,
  processTerm,
};

/** The best entries for a text: `{ id, title, page, about, kind }`. */
export function find(index, text, most = 20) {
  const words = tokenize(text).map(processTerm).filter(Boolean);
  // Who types a name of the API wants it: `castRay`, `World.castRay`.
  const name = /[a-z][A-Z]|\w\.\w/.test(text) ? text.trim().replace(/^.*\.|\(\)$/g, '') : null;
  // Words that mean the same count for less than those that were typed.
  const others = words.flatMap((word) => SYNONYMS[word] ?? []).map(processTerm);
  const common = {
    boost: { title: 4, topics: 4, page: 1.5 },
    boostDocument: (_id, _term, { kind, title, page }) =>
      (WEIGHTS[kind] ?? 1) * (title === name ? 12 : 1) * (title === name && page === 'World (talus)' ? 1.5 : 1),
  };
  const typed = {
    queries: words,
    combineWith: 'OR',
    ...common,
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 4 ? 0.15 : false),
  };
  const meant = { queries: others, combineWith: 'OR', ...common, boost: { title: 2, topics: 2, page: 0.7, text: 0.6 } };
  return index.search({ queries: [typed, meant], combineWith: 'OR' }).slice(0, most);
}
