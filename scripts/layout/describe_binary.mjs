// What layout.json says of the core: the binary interface (binary.mjs) with the offsets, values and signatures that it has now.
// Signatures and their meaning are those of the functions that assembly/index.ts exports.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONSTANTS, DEFAULTS, EXPORTS, IMPORTS, MATERIAL, MEMORY, STRUCTS, VERSION } from './binary.mjs';

/** WebAssembly types of those of the core. */
const WASM = { f32: 'f32', f64: 'f64', u32: 'i32', i32: 'i32', usize: 'i32', bool: 'i32' };

/** Signature and docstring of an exported function of a file. */
function readFunction(text, name) {
  const found = new RegExp(`(?:/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n)?export function ${name}\\(([^)]*)\\): (\\w+) \\{`).exec(text);
  if (found === null) return null;
  const [, comment = '', list, result] = found;
  const params = [...list.matchAll(/(\w+): (\w+)/g)].map(([, param, type]) => ({ name: param, type: wasmType(type), is: type }));
  const doc = comment
    .split('\n')
    .map((line) => line.replace(/^ *\*? ?/, '').trim())
    .join(' ')
    .trim();
  return { params, result: result === 'void' ? null : { type: wasmType(result), is: result }, doc };
}

/** The same of one that the file may have from another one. */
function findFunction(path, name) {
  const text = readFileSync(path, 'utf8');
  const found = readFunction(text, name);
  if (found !== null) return found;
  for (const [, names, from] of text.matchAll(/(?:import|export) \{([^}]*)\} from '([^']*)'/g))
    if (names.split(',').some((one) => one.trim() === name)) return findFunction(join(dirname(path), `${from}.ts`), name);
  return null;
}

function wasmType(type) {
  if (WASM[type] === undefined) throw new Error(`the binary interface has no type ${type}`);
  return WASM[type];
}

/** Signatures of all exports that hosts may call, by name. */
function readExports(root) {
  const index = join(root, 'assembly/index.ts');
  const files = new Map();
  for (const [, names, from] of readFileSync(index, 'utf8').matchAll(/export \{([^}]*)\} from '([^']*)'/g)) {
    for (const one of names.split(',')) {
      const [own, as = own] = one.trim().split(' as ');
      if (own) files.set(as, { own, path: join(dirname(index), `${from}.ts`) });
    }
  }
  const out = {};
  for (const [group, names] of Object.entries(EXPORTS)) {
    for (const name of names) {
      const file = files.get(name);
      const found = file && findFunction(file.path, file.own);
      if (!found) throw new Error(`the core exports no function ${name}`);
      if (found.doc === '') throw new Error(`${name} has no docstring: hosts read it`);
      out[name] = { group, ...found };
    }
  }
  return out;
}

/** The interface. `laid`: structs with offsets, as gen_layout.mjs lays them out. */
export function describeBinary(root, laid, constants) {
  const structs = {};
  for (const [name, wanted] of Object.entries(STRUCTS)) {
    const struct = laid.find((s) => s.name === name);
    if (struct === undefined) throw new Error(`the binary interface names a struct ${name} that is not there`);
    const own = struct.fields.filter((f) => !/^pad\d*$/.test(f.name));
    const fields = !Array.isArray(wanted) ? own : wanted.map((field) => own.find((f) => f.name === field));
    const missing = fields.indexOf(undefined);
    if (missing >= 0) throw new Error(`the binary interface names a field ${name}.${wanted[missing]} that is not there`);
    structs[name] = {
      doc: struct.doc,
      stride: struct.stride,
      fields: Object.fromEntries(
        fields.map(({ name: field, type, offset, unit, meaning }) => [field, { offset, type, unit, meaning }]),
      ),
    };
  }
  const known = constants.filter(([name]) => CONSTANTS.some((pattern) => pattern.test(name)));
  return {
    version: VERSION,
    littleEndian: true,
    memory: MEMORY,
    imports: IMPORTS,
    constants: Object.fromEntries(known.map(([name, value, , meaning]) => [name, { value, meaning }])),
    defaults: DEFAULTS,
    material: MATERIAL,
    structs,
    exports: readExports(root),
  };
}

/** Names and types that are promised, a line each. */
export function promisesOf({ version, constants, structs, exports }) {
  const list = [`version ${version}`];
  for (const name of Object.keys(constants)) list.push(`constant ${name}`);
  for (const [struct, { fields }] of Object.entries(structs))
    for (const [name, { type, unit }] of Object.entries(fields)) list.push(`field ${struct}.${name}: ${type}${unit && ` (${unit})`}`);
  for (const [name, { params, result }] of Object.entries(exports))
    list.push(`export ${name}(${params.map((p) => `${p.name}: ${p.is}`).join(', ')}): ${result?.is ?? 'void'}`);
  return list;
}

/** Promises of `before` that `now` does not keep, where both have one version. */
export function brokenPromises(before, now) {
  return before[0] === now[0] ? before.filter((line) => !now.includes(line)) : [];
}

/** The text of layout.json, for a core. */
export function layoutJson(binary, wasm) {
  const sha256 = createHash('sha256').update(wasm).digest('hex');
  const about = 'The binary interface of talus.wasm: docs/binary.md of the package says how it is used.';
  return `${JSON.stringify({ about, version: binary.version, core: { file: 'talus.wasm', bytes: wasm.length, sha256 }, ...binary }, null, 1)}\n`;
}
