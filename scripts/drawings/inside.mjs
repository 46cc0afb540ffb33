// Drawings of how it works: stages of a step, substeps, threads, the GPU, mass splitting, memory, the host, profiling runs.
import { arrow, drawing, ground, label, line, path, rect, text } from './kit.mjs';

/** A step in substeps. */
export function substeps() {
  const x = (i) => 40 + 160 * i;
  return drawing(
    720,
    220,
    'Substeps',
    'A step of the solver is cut into short substeps. Each pushes with soft contacts, moves the bodies, and takes the speed of the push out again.',
    text(24, 34, 'One step: contacts are found once, then solved in short substeps', 't-head'),
    [0, 1, 2, 3].map((i) => [
      rect(x(i), 60, 150, 84, 'panel', 8),
      rect(x(i) + 8, 70, 40, 64, 'glow', 5),
      label(x(i) + 28, 100, 'push', 't-small'),
      label(x(i) + 28, 116, 'soft', 't-small t-soft'),
      rect(x(i) + 55, 70, 40, 64, 'body', 5),
      label(x(i) + 75, 106, 'move', 't-small'),
      rect(x(i) + 102, 70, 40, 64, 'leaf', 5),
      label(x(i) + 122, 106, 'relax', 't-small'),
    ]),
    text(
      24,
      174,
      'push: contacts are springs, so overlap goes away smoothly. relax: takes out the speed that the push has left.',
      't-small',
    ),
    text(
      24,
      196,
      "substeps: 'auto' makes as many as the scene needs: 6 for loose bodies, up to 20 for structures, more for heavy loads.",
      't-small t-soft',
    ),
  );
}

/** Threads that share the tasks of a step. */
export function threads() {
  const row = (y, name, bars) => [
    text(24, y + 17, name, 't-small'),
    bars.map(([from, to, cls]) => rect(110 + from, y, to - from, 24, cls, 3)),
  ];
  return drawing(
    720,
    220,
    'A step on several threads',
    'Stages with much to do are cut into tasks that any thread may take; what depends on an order is done by one thread afterwards, so the bits do not change.',
    row(40, 'your thread', [
      [0, 60, 'body'],
      [64, 150, 'glow'],
      [154, 190, 'body'],
      [194, 380, 'glow'],
      [384, 420, 'body'],
    ]),
    row(76, 'worker 1', [
      [66, 148, 'glow'],
      [196, 376, 'glow'],
    ]),
    row(112, 'worker 2', [
      [68, 150, 'glow'],
      [198, 380, 'glow'],
    ]),
    [152, 382].map((at) => line(110 + at, 32, 110 + at, 144, 'thin dash')),
    label(217, 164, 'narrow phase', 't-small t-soft'),
    label(397, 164, 'contacts and joints', 't-small t-soft'),
    rect(560, 46, 14, 14, 'body', 2),
    text(582, 58, 'in order, one thread', 't-small'),
    rect(560, 74, 14, 14, 'glow', 2),
    text(582, 86, 'tasks, in any order', 't-small'),
    text(24, 202, 'No task depends on who does it or when: one thread and eight give the same bits.', 't-small'),
  );
}

/** The hybrid: what the CPU does, what the GPU does. */
export function hybrid() {
  return drawing(
    720,
    260,
    'WebGPU',
    'The CPU finds contacts, cuts them into cells and sends edits. The GPU solves the cells by mass splitting and moves the bodies. Impulses and motions come back, and poses can be drawn from the GPU.',
    rect(24, 40, 300, 150, 'panel', 10),
    label(174, 64, 'CPU: WASM', 't-head'),
    rect(44, 80, 120, 44, 'body', 6),
    label(104, 106, 'contacts'),
    rect(184, 80, 120, 44, 'body', 6),
    label(244, 106, 'cells, colors'),
    arrow(166, 102, 182, 102),
    rect(44, 136, 260, 40, 'body', 6),
    label(174, 160, 'sleep, events, queries'),
    rect(396, 40, 300, 150, 'panel', 10),
    label(546, 64, 'GPU: WGSL', 't-head'),
    rect(416, 80, 120, 44, 'glow', 6),
    label(476, 106, 'solve cells'),
    rect(556, 80, 120, 44, 'glow', 6),
    label(616, 100, 'mean of shared'),
    label(616, 115, 'bodies', 't-small'),
    arrow(538, 96, 554, 96, 'warm'),
    arrow(554, 110, 538, 110, 'warm'),
    rect(416, 136, 260, 40, 'glow', 6),
    label(546, 160, 'move bodies, keep contacts'),
    arrow(326, 96, 394, 96, 'ink'),
    label(360, 88, 'edits', 't-small'),
    arrow(394, 156, 326, 156, 'ink'),
    label(360, 148, 'results', 't-small'),
    text(24, 222, 'A step is begun in one frame and taken over in the next: the page never waits for the GPU.', 't-small'),
    text(24, 243, 'A renderer on the same device can draw from the buffer of poses, without the way back.', 't-small t-soft'),
  );
}

/** Mass splitting: a shared body is split, each part solved, then the mean. */
export function splitting() {
  const cell = (x, cls) => rect(x, 60, 150, 100, `${cls} dash`, 12);
  return drawing(
    720,
    250,
    'Mass splitting',
    'A body that touches contacts of two cells is split into two of half its mass; each cell is solved by itself; then both get the mean of their velocities.',
    text(24, 34, '1  split', 't-head'),
    text(264, 34, '2  solve each cell by itself', 't-head'),
    text(524, 34, '3  take the mean', 't-head'),
    rect(100, 66, 44, 88, 'glow'),
    rect(56, 82, 44, 44),
    rect(144, 82, 44, 44),
    label(122, 114, 'm'),
    ground(36, 154, 172),
    cell(252, 'edge'),
    cell(412, 'edge'),
    rect(290, 88, 44, 44),
    rect(334, 72, 30, 80, 'glow'),
    label(349, 116, 'm/2', 't-small'),
    rect(450, 72, 30, 80, 'glow'),
    rect(480, 88, 44, 44),
    label(465, 116, 'm/2', 't-small'),
    label(327, 182, 'cell A', 't-small t-edge'),
    label(487, 182, 'cell B', 't-small t-edge'),
    arrow(212, 110, 246, 110, 'soft'),
    arrow(564, 110, 592, 110, 'soft'),
    rect(620, 66, 44, 88, 'glow'),
    label(642, 114, 'm'),
    label(632, 182, 'v = (v1 + v2) / 2', 't-code'),
    text(
      24,
      218,
      'Cells do not see each other while they are solved, so all of them run at once, in any order, with the same result.',
      't-small',
    ),
    text(24, 238, 'The mean keeps momentum; with halved masses the iteration converges (Tonge 2012).', 't-small t-soft'),
  );
}

/** A step on the GPU, dispatch by dispatch, and the inside of one pass. */
export function dispatches() {
  const box = (x, w, name, cls) => [rect(x, 56, w, 40, cls, 6), label(x + w / 2, 80, name, 't-small')];
  const part = (x, w, name, about) => [
    rect(x, 166, w, 44, 'leaf', 6),
    label(x + w / 2, 184, name),
    label(x + w / 2, 200, about, 't-small'),
  ];
  return drawing(
    720,
    262,
    'A step on the GPU',
    'One compute pass: edit, spread, prepare, then a dispatch of solve for each mean, then finalise and collect. In each solve a cell takes the mean of its shared bodies, sweeps its colors, and writes the velocities of its border bodies.',
    text(24, 34, 'One step: one compute pass, a box per dispatch', 't-head'),
    box(24, 66, 'edit', 'body'),
    box(98, 66, 'spread', 'body'),
    box(172, 66, 'prepare', 'body'),
    [0, 1, 2, 3].map((i) => box(252 + 70 * i, 62, 'solve', 'glow')),
    label(541, 81, '...'),
    box(556, 66, 'finalise', 'body'),
    box(630, 66, 'collect', 'body'),
    label(390, 116, 'one per substep and mean, and one more', 't-small t-soft'),
    path('M322 124 L322 138 L60 138 L60 160', 'thin dash'),
    path('M384 124 L384 138 L660 138 L660 160', 'thin dash'),
    part(60, 180, 'mean', 'of shared bodies'),
    arrow(242, 188, 268, 188, 'soft'),
    part(270, 180, 'colors, in turn', 'one invocation per link'),
    arrow(452, 188, 478, 188, 'soft'),
    part(480, 180, 'write', 'border velocities'),
    text(
      24,
      244,
      'All cells run at once. No cell reads what another one writes in the same dispatch, so no atomics are needed.',
      't-small',
    ),
  );
}

/** The stages of a step and the data that they hand on, with the GPU in place of lanes and sweeps. */
export function pipeline() {
  const x = (i) => 18 + 139 * i;
  const box = (i, y, cls, name, first, second, folder) => [
    rect(x(i), y, 128, 74, cls, 6),
    label(x(i) + 64, y + 19, name, 't-head'),
    label(x(i) + 64, y + 36, first, 't-small'),
    label(x(i) + 64, y + 50, second, 't-small'),
    label(x(i) + 64, y + 66, folder, 't-small t-soft'),
  ];
  const rightwards = (i, y) => arrow(x(i) + 129, y, x(i + 1) - 1, y, 'edge');
  const leftwards = (i, y) => arrow(x(i + 1) - 1, y, x(i) + 129, y, 'edge');
  const gaps = [0, 1, 2, 3];
  return drawing(
    720,
    512,
    'The stages of a step',
    'Poses, bounds, pairs, tests, manifolds, lanes, sweeps, impacts, end of motion, bodies, and back to poses. On WebGPU: pack, prepare, solve, finalise, collect, then impacts. Events, queries and the host read.',
    box(0, 18, 'body', 'Poses', 'position, rotation,', 'velocity', 'bodies/'),
    box(1, 18, 'body', 'Bounds', 'fat boxes, two trees:', 'moving and static', 'broadphase/'),
    box(2, 18, 'body', 'Pairs', 'a budget of motion;', 'due pairs are visited', 'pairs/'),
    box(3, 18, 'body', 'Tests', 'narrow phase,', 'fast bodies ahead', 'narrowphase/ ccd/'),
    box(4, 18, 'body', 'Manifolds', 'normal, points,', 'material', 'manifolds/'),
    gaps.map((i) => rightwards(i, 55)),
    arrow(x(4) + 54, 93, x(4) + 54, 129, 'edge'),
    text(x(4) + 44, 116, 'changed groups only', 't-small t-soft', 'end'),
    box(4, 130, 'body', 'Lanes', 'rows of four', 'manifolds', 'lanes/ rows/'),
    box(3, 130, 'body', 'Sweeps', 'substeps, cell by', 'cell; joints', 'sweep/ joints/'),
    box(2, 130, 'body', 'Impacts', 'restitution,', 'free pairs', 'impacts/'),
    box(1, 130, 'body', 'End of motion', 'fast bodies stop', 'at surfaces', 'ccd/'),
    box(0, 130, 'body', 'Bodies', 'new poses,', 'islands, sleep', 'bodies/'),
    gaps.map((i) => leftwards(i, 167)),
    arrow(x(0) + 64, 129, x(0) + 64, 93, 'edge'),
    text(x(0) + 72, 116, 'next step', 't-small t-soft'),
    rect(8, 244, 704, 124, 'panel', 8),
    text(x(2) + 72, 262, 'On WebGPU, in place of lanes and sweeps', 't-small t-soft'),
    box(4, 282, 'glow', 'Pack', 'edits: manifolds,', 'cells, bodies', 'split/ ordering/'),
    box(3, 282, 'glow', 'Prepare', 'edit, spread,', 'rows', 'shaders/'),
    box(2, 282, 'glow', 'Solve', 'dispatch per pass,', 'workgroup per cell', 'shaders/'),
    box(1, 282, 'glow', 'Finalise', 'mean of sub-bodies,', 'motion, poses', 'shaders/'),
    box(0, 282, 'glow', 'Collect', 'impulses, for', 'the CPU', 'shaders/'),
    gaps.map((i) => leftwards(i, 319)),
    path(`M${x(4) + 118} 92 L${x(4) + 118} 104 L707 104 L707 268 L${x(4) + 64} 268`, 'edge'),
    arrow(x(4) + 64, 268, x(4) + 64, 281, 'edge'),
    path(`M${x(0) + 64} 282 L${x(0) + 64} 226 L${x(2) + 64} 226`, 'edge'),
    arrow(x(2) + 64, 226, x(2) + 64, 205, 'edge'),
    text(x(0) + 72, 240, 'result: motion, impulses', 't-small t-soft'),
    text(18, 396, 'Readers, between steps', 't-small t-soft'),
    [
      ['Events', 'impulses after impacts', 'events/'],
      ['Queries', 'bounds, trees, poses', 'queries/'],
      ['Host', 'views of poses, velocities', 'src/'],
    ].map(([name, about, folder], i) => [
      rect(18 + 232 * i, 406, 220, 62, 'leaf', 6),
      label(128 + 232 * i, 425, name, 't-head'),
      label(128 + 232 * i, 442, about, 't-small'),
      label(128 + 232 * i, 458, folder, 't-small t-soft'),
    ]),
    text(18, 494, 'Each box names the folder of assembly/ (or shaders/, src/) that holds it.', 't-small t-soft'),
  );
}

/** What a program without JavaScript reads: the header, and arrays at its addresses. */
export function memory() {
  const cell = (x, w, name, cls, y = 70) => [rect(x, y, w, 44, cls, 3), label(x + w / 2, y + 27, name, 't-small')];
  return drawing(
    720,
    250,
    'The memory of a world',
    'One linear memory holds a world: a header at a fixed address, then arrays at addresses that the header names. Body b has its position at Header.positions plus 16 b.',
    text(24, 34, 'one linear memory = one world', 't-head'),
    cell(24, 130, 'Header', 'glow'),
    cell(158, 130, 'positions', 'body'),
    cell(292, 130, 'rotations', 'body'),
    cell(426, 130, 'bodyRows', 'body'),
    cell(560, 136, 'and more', 'fixed'),
    label(89, 62, 'HEADER_PTR', 't-code'),
    path('M60 116 L60 138 L223 138', 'warm'),
    arrow(223, 138, 223, 116, 'warm'),
    path('M89 116 L89 150 L357 150', 'warm dash'),
    arrow(357, 150, 357, 116, 'warm dash'),
    text(376, 140, 'addresses in the header', 't-small t-warm'),
    cell(158, 40, 'x', 'leaf', 168),
    cell(202, 40, 'y', 'leaf', 168),
    cell(246, 40, 'z', 'leaf', 168),
    cell(290, 40, '1', 'leaf', 168),
    text(342, 186, 'position of body b: four f32', 't-small'),
    text(342, 204, 'at Header.positions + 16 b', 't-code'),
    text(24, 236, 'Arrays move when they grow: read an address again after each call that creates something.', 't-small'),
  );
}

/** The folders of the host, from your program down to the core. */
export function host() {
  const layer = (y, h, cls, name, about) => [
    rect(24, y, 672, h, cls, 6),
    text(40, y + h / 2 + 4, name, 't-head'),
    text(210, y + h / 2 + 4, about, 't-small'),
  ];
  return drawing(
    720,
    290,
    'Layers of the host',
    'Your program uses talus and its entries. Entries read the face, index.ts. Behind it stand World, the rooms of single subjects, and the core in WebAssembly. Imports go downwards only.',
    layer(20, 34, 'leaf', 'your program', 'import { createWorld } from "talus"'),
    layer(64, 34, 'body', 'entries', 'three, react, babylon, playcanvas, rigs, controllers, gltf, worker'),
    layer(108, 34, 'body', 'index.ts', 'the face: every public name'),
    layer(152, 34, 'body', 'world', 'World: methods that check, call, and return'),
    layer(196, 34, 'fixed', 'rooms', 'bodies, joints, events, queries, state, gpu, threads, shapes, checks ...'),
    layer(240, 34, 'glow', 'core', 'talus.wasm: the engine'),
  );
}

/** How a profiling run shares the time between contenders. */
export function turns() {
  const classes = { wide: 'body', webgpu: 'glow', rapier: 'leaf' };
  const order = [
    ['wide', 'webgpu', 'rapier'],
    ['webgpu', 'rapier', 'wide'],
    ['rapier', 'wide', 'webgpu'],
  ];
  return drawing(
    720,
    178,
    'Contenders take turns',
    'All contenders start from one state and step in turns of five steps. The first of each turn rotates, so other programs on the machine slow all of them alike.',
    text(24, 34, 'contenders step in turns, five steps each', 't-head'),
    order.map((turn, i) => [
      turn.map((name, k) =>
        [0, 1, 2, 3, 4].map((step) => rect(28 + 226 * i + 72 * k + 12.6 * step, 66, 11, 40, classes[name], 2)),
      ),
      label(28 + 226 * i + 104, 124, `turn ${i + 1}`, 't-small t-soft'),
    ]),
    Object.entries(classes).map(([name, cls], i) => [
      rect(24 + 130 * i, 140, 14, 14, cls, 2),
      text(46 + 130 * i, 152, { wide: 'wasm:wide', webgpu: 'webgpu', rapier: 'rapier' }[name], 't-small'),
    ]),
    text(426, 152, 'the first of the turn rotates', 't-small t-soft'),
    arrow(24, 58, 690, 58, 'soft'),
    text(640, 52, 'time', 't-small t-soft'),
  );
}
