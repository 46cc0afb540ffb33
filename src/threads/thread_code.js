// The code of a helper thread: it sleeps until a world is at work, and runs tasks of its jobs (assembly/serve.ts).
// Plain JavaScript that imports nothing: the package contains it as text too (threads/start.ts), and as the file of `talus/thread`.
// Input: messages of threads/pool.ts, and the words that both share. Output: that of the tasks.
(() => {
  /** Milliseconds for which a thread polls for tasks, or for the next step, before it sleeps. */
  const LOOK_MS = 1;
  /** Milliseconds per call of the core; between calls the thread checks whether the step has ended. */
  const CALL_MS = 0.1;
  /** Milliseconds after which a sleeping thread checks again by itself, within a step. */
  const NAP_MS = 50;
  /** Milliseconds of a nap while waiting for another thread's task. */
  const TURN_MS = 0.1;
  const MOST_LOOKS = 20_000;
  /** Instances of the core by the number of their world. */
  const worlds = new Map();
  let words = null;
  /** Indices of the words: those of all threads, and those in the line of this thread, which starts at `mine`. */
  let at = null;
  let mine = 0;
  let thread = 0;
  let taken = 0;
  let looks = 200;
  let lookMs = CALL_MS / looks;
  /** Keeps the work of a pause. */
  let idle = 0;

  function take(message) {
    if (message.words) ({ words, at, mine, thread } = message);
    else {
      const world = { ...message, cells: new Int32Array(message.memory.buffer) };
      const turn = (address, seen) => Atomics.wait(cellsOf(world), address >>> 2, seen, TURN_MS);
      // `own`: what the core of talus/study imports and no thread calls.
      const imports = { env: { memory: message.memory }, team: { nap: turn }, own: { solve: turn } };
      const { exports } = new WebAssembly.Instance(message.module, imports);
      exports.joinTeam(thread);
      world.serve = exports[message.call];
      worlds.set(message.world, world);
    }
    Atomics.store(words, mine + at.taken, ++taken);
    if (taken === Atomics.load(words, mine + at.posted)) run();
  }

  /** Views of shared memory end where it ended when they were made. */
  function cellsOf(world) {
    if (world.cells.buffer !== world.memory.buffer) world.cells = new Int32Array(world.memory.buffer);
    return world.cells;
  }

  /** Until there is a message, which comes where this has returned. */
  function run() {
    let since = performance.now();
    for (;;) {
      const bell = Atomics.load(words, mine + at.bell);
      if (Atomics.load(words, mine + at.posted) !== taken) return;
      const number = Atomics.load(words, at.active);
      const world = worlds.get(number);
      if (world && isAsked(number)) {
        help(number, world);
        since = performance.now();
      } else if (performance.now() - since < LOOK_MS) pause();
      else {
        Atomics.store(words, mine + at.asleep, 1);
        Atomics.wait(words, mine + at.bell, bell);
        Atomics.store(words, mine + at.asleep, 0);
        since = performance.now();
      }
    }
  }

  function pause() {
    for (let i = 0; i < 100; i++) idle = Math.sqrt(idle + 1.5);
  }

  /** Whether a world wants this thread, and nobody else does. */
  function isAsked(number) {
    const { active, count, posted } = at;
    if (Atomics.load(words, mine + posted) !== taken) return false;
    return Atomics.load(words, active) === number && thread < Atomics.load(words, count);
  }

  function help(number, world) {
    Atomics.store(words, mine + at.inside, number);
    // The order counts: who wants it out says so first, and then looks whether it is inside.
    let since = performance.now();
    for (let start = since; isAsked(number); start = performance.now()) {
      if (serve(world) > 0) since = performance.now();
      else {
        const now = performance.now();
        // The time of a look is that of the fastest ones: others were held up.
        lookMs = Math.max(Math.min(lookMs, (now - start) / looks), CALL_MS / MOST_LOOKS);
        looks = Math.ceil(CALL_MS / lookMs);
        if (now - since < LOOK_MS) continue;
        nap(number, world);
        since = performance.now();
      }
    }
    Atomics.store(words, mine + at.inside, 0);
  }

  function serve(world) {
    try {
      return world.serve(looks);
    } catch (error) {
      // A task is half done, and nobody has to wait for it.
      const { team, lost } = world.layout;
      Atomics.store(world.cells, (world.cells[team >> 2] + lost) >> 2, 1);
      Atomics.store(words, mine + at.inside, 0);
      throw error;
    }
  }

  /** Nothing to do within a step: the next job rings, and so does its end. */
  function nap(number, world) {
    const cells = cellsOf(world);
    const { layout } = world;
    const team = cells[layout.team >> 2];
    const bell = (team + layout.bell) >> 2;
    const sleepers = (team + layout.sleepers) >> 2;
    const seen = Atomics.load(cells, bell);
    Atomics.add(cells, sleepers, 1);
    if (isAsked(number) && Atomics.load(cells, (team + layout.left) >> 2) === 0) Atomics.wait(cells, bell, seen, NAP_MS);
    Atomics.sub(cells, sleepers, 1);
  }

  const port = globalThis.process?.getBuiltinModule?.('node:worker_threads')?.parentPort;
  if (port) port.on('message', take);
  else globalThis.onmessage = (event) => take(event.data);
})();
