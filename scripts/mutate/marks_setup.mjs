// Collects the marks of cores in a test file, before its tests (setup file of test_process.mjs). Input: instances of the core with an
// export `marks` (switches.mjs). Output: `marked.json` in the folder of the binaries, the numbers that any core has marked.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { MOST_MARKS } from './switches.mjs';

const marked = new Set();
/** Looks at the marks of a core. @type {WeakRef<() => void>[]} */
let looks = [];
/** The last ones, kept: a core that is let go has been looked at with those after it. */
const last = [];

function lookAtAll() {
  looks = looks.filter((one) => one.deref() !== undefined);
  for (const one of looks) one.deref()?.();
}

const Real = WebAssembly.Instance;
WebAssembly.Instance = new Proxy(Real, {
  construct(target, [module, imports]) {
    const instance = new target(module, imports);
    const { marks } = instance.exports;
    if (marks instanceof WebAssembly.Global) {
      const memory = imports.env.memory;
      const look = () => {
        const bytes = new Uint8Array(memory.buffer, Number(marks.value), MOST_MARKS);
        for (let id = 0; id < MOST_MARKS; id++) if (bytes[id] !== 0) marked.add(id);
      };
      lookAtAll();
      looks.push(new WeakRef(look));
      last.push(look);
      if (last.length > 16) last.shift();
    }
    return instance;
  },
});

afterAll(() => {
  lookAtAll();
  const folder = /** @type {any} its keys are declared for tests alone */ (inject)('cores');
  writeFileSync(join(folder, 'marked.json'), JSON.stringify([...marked]));
});
