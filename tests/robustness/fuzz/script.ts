// Writes recorded calls as a script that stands alone: the calls one per line on the built package, the checks of the driver between
// them, and the check that failed at the end. `node build/fuzz/N.mjs` throws if the fault is still there.
import { invokeText, isOfWorld } from './invoke';
import { damage, type Expr, type Played, refsOf, sourceText } from './record';
import {
  agrees,
  checkAgrees,
  checkFinite,
  checkSameItems,
  checkViews,
  filterOf,
  followEvents,
  ListenerError,
  listenerOf,
} from './script_parts';

/** The check that failed: a function of script_parts, of what is read and of what it should be. */
export interface Proof {
  check: 'checkAgrees' | 'checkFinite' | 'checkSameItems';
  what: string;
  /** A getter or a property of the world; `result`: what the last call returned. */
  read: { method: string; args: Expr[] } | { property: string } | 'result';
  wanted?: Expr;
}

/** What is known of a failure. */
export interface Failure {
  /** The same for failures of the same cause. */
  kind: string;
  message: string;
  proof?: Proof;
  /** Code that the last call must be refused with, and is not. */
  mustRefuse?: string;
  /** The last call changed the world although it was refused. */
  changed?: boolean;
}

const PARTS = [agrees, checkAgrees, checkFinite, checkSameItems, checkViews, filterOf, followEvents, listenerOf, ListenerError];
const STEPS = new Set(['step', 'stepAsync', 'advance']);
const PREFIXES: [RegExp, string][] = [
  [/^createShape$/, 'shape'],
  [/^createBody$/, 'body'],
  [/^createBodies$/, 'bodies'],
  [/^createJoint$/, 'joint'],
  [/^addCollider$/, 'collider'],
  [/^snapshot$/, 'bytes'],
  [/^new Character$/, 'character'],
  [/^new Vehicle$/, 'vehicle'],
  [/^create(Chain|Rope|Net|Ragdoll)$/, 'rig'],
];
const variable = ({ method, number }: Played) => `${PREFIXES.find(([name]) => name.test(method))?.[1] ?? 'result'}${number}`;

/** An argument as JavaScript. */
function textOf(expr: Expr, names: ReadonlyMap<string, string>): string {
  if ('ref' in expr) return names.get(expr.ref) ?? 'undefined';
  if ('source' in expr) return sourceText(expr.source);
  if ('damaged' in expr) return `damage(${textOf(expr.damaged, names)}, ${expr.at}, ${expr.xor}, ${expr.cut})`;
  if ('list' in expr) return `[${expr.list.map((one) => textOf(one, names)).join(', ')}]`;
  if ('typed' in expr) return `${expr.typed}.of(${expr.items.map(numberText).join(', ')})`;
  if ('zeros' in expr) return `new ${expr.zeros}(${expr.length})`;
  if ('object' in expr) {
    const fields = Object.entries(expr.object).map(([key, one]) => `${key}: ${textOf(one, names)}`);
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  const { plain } = expr;
  if (typeof plain === 'number') return numberText(plain);
  if (typeof plain === 'bigint') return `${plain}n`;
  return plain === undefined ? 'undefined' : JSON.stringify(plain);
}
const numberText = (x: number) => (Object.is(x, -0) ? '-0' : String(x));

/** Lines of the calls and the last check. */
function body(calls: readonly Played[], failure: Failure): string[] {
  const names = new Map<string, string>();
  const wanted = new Set(calls.flatMap(({ args }) => args.flatMap(refsOf)));
  const { proof } = failure;
  if (proof?.wanted) for (const ref of refsOf(proof.wanted)) wanted.add(ref);
  if (proof && typeof proof.read === 'object' && 'args' in proof.read)
    for (const ref of proof.read.args.flatMap(refsOf)) wanted.add(ref);
  const lines: string[] = [];
  const hasPlayers = calls.some(({ method }) => method.startsWith('new '));
  for (const listener of new Set(calls.flatMap(({ args }) => args.flatMap(listenersOf)))) {
    const [, which, kind] = listener.split(' ');
    lines.push(
      `const listener${which} = listenerOf(world, ${kind}, ${hasPlayers ? 'mayRemove' : '() => true'}, () => undefined);`,
    );
  }
  for (const [i, call] of calls.entries()) {
    const isLast = i === calls.length - 1;
    lines.push(...linesOf(call, names, wanted, hasPlayers, isLast ? failure : undefined));
  }
  if (proof) {
    const { read, what } = proof;
    const got =
      read === 'result'
        ? 'result'
        : 'property' in read
          ? `world.${read.property}`
          : `world.${read.method}(${read.args.map((arg) => textOf(arg, names)).join(', ')})`;
    const more = proof.wanted ? `, ${textOf(proof.wanted, names)}` : '';
    lines.push(`${proof.check}(${JSON.stringify(what)}, ${got}${more});`);
  }
  return lines;
}
const listenersOf = (expr: Expr): string[] => {
  if ('source' in expr) return expr.source.startsWith('listener') ? [expr.source] : [];
  if ('list' in expr) return expr.list.flatMap(listenersOf);
  return 'object' in expr ? Object.values(expr.object).flatMap(listenersOf) : [];
};

/** One call, with the results that later ones use. */
function linesOf(
  call: Played,
  names: Map<string, string>,
  wanted: ReadonlySet<string>,
  hasPlayers: boolean,
  failure: Failure | undefined,
): string[] {
  const name = variable(call);
  const { method } = call;
  if (method === 'clone' && !call.isRefused)
    return [
      '{',
      '  const twin = await world.clone();',
      ...(hasPlayers
        ? [
            "  for (const one of players) if (one.walk || (world.isAlive(one.body) && world.getType(one.body) === 'dynamic')) one.clone(twin);",
          ]
        : []),
      '  twin.step();',
      '  stepped(() => world.step(), false);',
      "  checkAgrees('hash of world and clone a step later', world.hash(), twin.hash());",
      '  twin.dispose();',
      '}',
    ];
  if (method === '#dispose') return ['world.dispose();'];
  if (method.startsWith('#')) return [`// the driver: ${method.slice(1)}`];
  const text = invokeText(
    method,
    call.args.map((arg) => textOf(arg, names)),
  );
  if (failure?.mustRefuse) return [`await refused(async () => ${text}, ${JSON.stringify(failure.mustRefuse)});`];
  if (failure?.changed)
    return ['const hash = world.hash();', `await refused(async () => ${text});`, "checkAgrees('hash', world.hash(), hash);"];
  if (failure?.proof?.read === 'result') return [`const result = ${text};`];
  if (call.isRefused) return [`await refused(async () => ${text});`];
  const used = Object.entries(call.gives).filter(([ref]) => wanted.has(ref));
  const isNamed = used.length > 0 || (hasPlayers && method.startsWith('new '));
  if (STEPS.has(method)) {
    const step = method === 'advance' ? 'true' : 'false';
    return [`${method === 'stepAsync' ? 'await ' : ''}stepped(() => ${text.replace('await ', '')}, ${step});`];
  }
  const lines = [`${isNamed ? `const ${name} = ` : ''}${text};`];
  for (const [k, [ref, source]] of used.entries()) {
    const of = source.replaceAll('$', name);
    if (source === '$') names.set(ref, name);
    else {
      const part = `${name}_${k}`;
      names.set(ref, part);
      lines.push(`const ${part} = ${of};`);
    }
  }
  if (method.startsWith('new ')) lines.push(`players.push(${name});`);
  if (method.endsWith('.dispose')) lines.push(`players.splice(players.indexOf(${textOf(call.args[0]!, names)}), 1);`);
  if (method === 'snapshot' && hasPlayers && isNamed) lines.push(`${name}.players = [...players];`);
  if (method === 'restore') lines.push('isTracked = false;');
  if (method === 'restore' && hasPlayers) {
    const bytes = textOf(call.args[0]!, names);
    lines.push(`for (const one of players) if (!${bytes}.players?.includes(one)) one.dispose();`);
    lines.push(`players = players.filter((one) => ${bytes}.players?.includes(one));`);
  }
  if (method === 'restore')
    lines.push(
      '{',
      '  stepped(() => world.step(), false);',
      '  const hash = world.hash();',
      `  ${text};`,
      '  isTracked = false;',
      '  stepped(() => world.step(), false);',
      "  checkAgrees('hash a step after a second restore', world.hash(), hash);",
      '}',
    );
  return lines;
}

/** Functions of a script beside those of script_parts. */
const OWN: Record<string, string> = {
  stepped: `let touching = new Set();
let isTracked = true;
function stepped(step, isSeveral) {
  let result;
  try {
    result = step();
  } catch (error) {
    const all = error instanceof AggregateError ? error.errors : [error];
    if (!all.every((one) => one instanceof ListenerError)) throw error;
  }
  const after = () => {
    checkViews(world, (slot) => world.bodyAt(slot) !== null);
    if (isSeveral) isTracked = false;
    else followEvents(world, touching, isTracked);
  };
  return result instanceof Promise ? result.then(after) : after();
}`,
  refused: `async function refused(call, code) {
  let error;
  try {
    await call();
  } catch (caught) {
    error = caught;
  }
  if (!(error instanceof TalusError)) throw error ?? new Error('not refused');
  if (code !== undefined && error.code !== code) throw error;
}`,
  damage: String(damage),
  mayRemove: 'const mayRemove = (body) => !players.some((one) => one.body === body);',
  players: 'let players = [];',
  foreign: "const foreign = (await createWorld()).createBody({ type: 'kinematic' });",
};

/** Text in front of the calls: what they use. */
function head(lines: readonly string[]): string[] {
  const parts: [string, string][] = [
    ...Object.entries(OWN),
    ...PARTS.map((part) => [part.name, String(part)] as [string, string]),
  ];
  const used = new Set<string>();
  const use = (text: string) => {
    for (const [name, part] of parts) {
      if (used.has(name) || !new RegExp(`\\b${name}\\b`).test(text)) continue;
      used.add(name);
      use(part);
    }
  };
  use(lines.join('\n'));
  return [
    ...parts.filter(([name]) => used.has(name)).map(([, part]) => part),
    'const world = await createWorld({ warn: false });',
    '',
  ];
}

/** Names that a script imports, by the file of the package. */
function imports(text: string): Record<string, string[]> {
  const all: Record<string, string[]> = {
    'index.js': ['createWorld', 'TalusError', 'createQueryHit', 'createBatchHits', 'createShapeContact'],
    'controllers.js': ['Character', 'Vehicle'],
    'rigs.js': ['createChain', 'createRope', 'createNet', 'createRagdoll'],
  };
  return Object.fromEntries(
    Object.entries(all)
      .map(([file, names]) => [file, names.filter((name) => new RegExp(`\\b${name}\\b`).test(text))] as const)
      .filter(([, names]) => names.length > 0),
  );
}

/** The script: its imports, and the module without them. */
export function scriptOf(calls: readonly Played[], failure: Failure): { imports: Record<string, string[]>; code: string } {
  const lines = body(calls, failure);
  const code = [...head(lines), ...lines, "console.log('no fault');", ''].join('\n');
  return { imports: imports(code), code };
}

/** The text of a file. `folder`: where the built package lies, as seen from the file. */
export function scriptText(seed: number, calls: readonly Played[], failure: Failure, folder = '../../dist'): string {
  const { imports: files, code } = scriptOf(calls, failure);
  const message = failure.message.split('\n')[0]!;
  const top = [
    `// Found by \`npm run fuzz -- --seed ${seed}\` and shrunk to ${calls.length} calls. It throws as long as the fault is there:`,
    `// ${message.slice(0, 200)}`,
    ...Object.entries(files).map(([file, names]) => `import { ${names.join(', ')} } from '${folder}/${file}';`),
  ];
  return `${top.join('\n')}\n\n${code}`;
}

/** Whether a call is one of the world itself, which is refused once the world is disposed. */
export const isRefusedWhenDisposed = (method: string): boolean => isOfWorld(method) && method !== 'isAlive';
