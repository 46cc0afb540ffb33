// Drawings of what a world is made of: bodies and shapes, filters, motion, events, queries, frames and steps.
import { arc, arrow, circle, dot, drawing, faded, ground, group, label, line, path, poly, rect, text } from './kit.mjs';

/** World, bodies, colliders, shapes. */
export function world() {
  const collider = (y, name) => [rect(418, y - 17, 116, 34, 'glow', 6), label(476, y + 4, name, 't-small')];
  const column = (x, name, about) => [label(x, 34, name, 't-head'), label(x, 52, about, 't-soft t-small')];
  return drawing(
    720,
    300,
    'A world has bodies, a body has colliders, a collider places a shape',
    'Two bodies use one box shape; the table has a top and two legs, three colliders of two shapes.',
    column(90, 'World', 'gravity, settings'),
    column(270, 'Bodies', 'pose, velocity, mass'),
    column(470, 'Colliders', 'pose on the body, material'),
    column(640, 'Shapes', 'geometry, shared'),
    rect(30, 70, 120, 200, 'panel', 8),
    ground(45, 240, 90),
    rect(58, 214, 24, 24),
    rect(100, 190, 40, 6),
    rect(103, 196, 5, 42),
    rect(132, 196, 5, 42),
    arrow(152, 130, 212, 110, 'soft'),
    arrow(152, 190, 212, 205, 'soft'),
    rect(220, 80, 100, 56, 'body', 8),
    label(270, 104, 'crate'),
    label(270, 123, 'dynamic', 't-soft t-small'),
    rect(220, 180, 100, 56, 'body', 8),
    label(270, 204, 'table'),
    label(270, 223, 'dynamic', 't-soft t-small'),
    arrow(322, 108, 412, 100, 'soft'),
    arrow(322, 200, 412, 160, 'soft'),
    arrow(322, 208, 412, 208, 'soft'),
    arrow(322, 216, 412, 252, 'soft'),
    collider(100, 'the crate'),
    collider(160, 'top, at 0 0.4 0'),
    collider(208, 'leg, at -0.5 0 0'),
    collider(252, 'leg, at 0.5 0 0'),
    arrow(536, 100, 596, 116, 'soft'),
    arrow(536, 160, 596, 124, 'soft'),
    arrow(536, 208, 596, 226, 'soft'),
    arrow(536, 252, 596, 234, 'soft'),
    rect(602, 98, 80, 44, 'leaf', 6),
    label(642, 124, 'box A'),
    rect(602, 208, 80, 44, 'leaf', 6),
    label(642, 234, 'box B'),
  );
}

/** The shapes with the lengths that describe them. */
export function shapes() {
  const cell = (i, name, size, ...parts) => {
    const [x, y] = [20 + (i % 4) * 175, 16 + Math.floor(i / 4) * 172];
    return group(`translate(${x} ${y})`, label(80, 126, name, 't-head'), label(80, 145, size, 't-code t-soft'), ...parts);
  };
  return drawing(
    720,
    364,
    'Shapes',
    'Sphere, box, capsule, cylinder, cone, hull, mesh, heightfield and the half lengths that describe them.',
    cell(0, 'sphere', 'radius', circle(80, 62, 40), arrow(80, 62, 120, 62, 'warm'), dot(80, 62)),
    cell(
      1,
      'box',
      'halfExtents: [x, y, z]',
      rect(30, 34, 100, 60),
      dot(80, 64),
      arrow(80, 64, 130, 64, 'warm'),
      arrow(80, 64, 80, 34, 'warm'),
      text(102, 79, 'x', 't-warm t-small'),
      text(86, 52, 'y', 't-warm t-small'),
    ),
    cell(
      2,
      'capsule',
      'radius, halfHeight',
      rect(58, 12, 44, 100, 'body', 22),
      line(58, 34, 102, 34, 'ghost'),
      line(58, 90, 102, 90, 'ghost'),
      dot(80, 62),
      arrow(80, 62, 80, 34, 'warm'),
      arrow(80, 62, 102, 62, 'warm'),
    ),
    cell(
      3,
      'cylinder, cone',
      'radius, halfHeight',
      rect(12, 34, 56, 60),
      dot(40, 64),
      arrow(40, 64, 40, 34, 'warm'),
      arrow(40, 64, 68, 64, 'warm'),
      poly([
        [118, 30],
        [150, 94],
        [86, 94],
      ]),
      dot(118, 62),
      arrow(118, 62, 118, 30, 'warm'),
      arrow(118, 94, 150, 94, 'warm'),
    ),
    cell(
      4,
      'hull',
      'points',
      poly([
        [40, 90],
        [28, 52],
        [62, 18],
        [112, 26],
        [134, 66],
        [104, 98],
      ]),
      [
        [40, 90],
        [28, 52],
        [62, 18],
        [112, 26],
        [134, 66],
        [104, 98],
        [80, 60],
      ].map(([x, y]) => dot(x, y)),
    ),
    cell(
      5,
      'mesh',
      'positions, indices',
      path('M14 88 L48 60 L82 78 L112 40 L148 62 M48 60 L58 98 L82 78 L104 98 L112 40 M14 88 L58 98 M104 98 L148 62', 'edge'),
      label(80, 22, 'a surface: static or kinematic', 't-small t-soft'),
    ),
    cell(
      6,
      'heightfield',
      'heights, nx, nz, spacing',
      path('M12 92 L40 62 L68 74 L96 42 L124 58 L150 36', 'edge'),
      [12, 40, 68, 96, 124, 150].map((x, i) => line(x, 100, x, [92, 62, 74, 42, 58, 36][i], 'thin')),
      line(40, 62, 40, 104, 'thin'),
      arrow(40, 52, 68, 52, 'warm', true),

      label(80, 22, 'a surface on a grid', 't-small t-soft'),
    ),
    cell(
      7,
      'plane',
      'normal, offset',
      ground(10, 76, 140),
      arrow(80, 76, 80, 36, 'warm'),
      text(88, 50, 'normal', 't-warm t-small'),
      label(80, 106, 'solid below, without end', 't-small t-soft'),
    ),
  );
}

/** Which of two colliders meet: category against mask. */
export function filters() {
  const names = ['wall', 'player', 'ghost', 'bullet'];
  const row = (k, name, bits, meets) => [
    text(24, 122 + 40 * k, name, 't-head'),
    text(90, 122 + 40 * k, bits, 't-code'),
    line(24, 98 + 40 * k, 696, 98 + 40 * k, 'thin'),
    meets.map((on, i) =>
      on
        ? path(`M${392 + 80 * i} ${118 + 40 * k} l6 6 l11 -13`, 'good')
        : path(`M${394 + 80 * i} ${112 + 40 * k} l12 12 m0 -12 l-12 12`, 'soft'),
    ),
  ];
  return drawing(
    720,
    240,
    'Collision filters',
    'Two colliders meet if each one has the other in its mask. Ghosts only meet walls; bullets meet walls and players.',
    text(24, 34, 'Two colliders meet if the category of each is in the mask of the other.', 't-head'),
    names.map((name, i) => [
      label(400 + 80 * i, 70, name, 't-head'),
      label(400 + 80 * i, 88, `category ${1 << i}`, 't-small t-soft'),
    ]),
    row(0, 'player', 'category: 2, mask: 1 | 2 | 8', [true, true, false, true]),
    row(1, 'ghost', 'category: 4, mask: 1', [true, false, false, false]),
    row(2, 'bullet', 'category: 8, mask: 1 | 2', [true, true, false, false]),
    text(
      24,
      226,
      'Categories are bits: 1, 2, 4, 8 ... A pair is checked both ways, so a mask of one side alone keeps it apart.',
      't-small t-soft',
    ),
  );
}

/** Force, impulse, velocity, kinematic target, teleport. */
export function motion() {
  const cell = (i, name, about, ...parts) =>
    group(
      `translate(${16 + 140 * i} 20)`,
      label(66, 118, name, 't-code'),
      about.map((words, k) => label(66, 140 + 17 * k, words, 't-small t-soft')),
      ...parts,
    );
  return drawing(
    720,
    230,
    'Ways to move a body',
    'A force pushes for the next step, an impulse changes velocity at once, setVelocity replaces it, moveKinematic goes to a target within a step and pushes, teleport jumps.',
    cell(
      0,
      'addForce',
      ['pushes during the', 'next step: call it', 'in every step'],
      rect(50, 50, 36, 36),
      arrow(6, 68, 48, 68, 'warm'),
      label(26, 60, 'N', 't-warm t-small'),
    ),
    cell(
      1,
      'applyImpulse',
      ['a hit: changes the', 'velocity at once', 'by impulse / mass'],
      rect(50, 50, 36, 36),
      path('M18 50 l10 9 l-12 3 l13 6 l-11 7', 'warm'),
      arrow(92, 68, 128, 68, 'good'),
    ),
    cell(
      2,
      'setVelocity',
      ['replaces the velocity,', 'whatever the mass'],
      rect(36, 50, 36, 36),
      arrow(76, 68, 124, 68, 'good'),
      label(98, 60, 'm/s', 't-good t-small'),
    ),
    cell(
      3,
      'moveKinematic',
      ['goes there during', 'the next step, and', 'pushes what it meets'],
      rect(10, 62, 44, 24, 'glow'),
      rect(74, 62, 44, 24, 'ghost'),
      arrow(56, 74, 72, 74, 'warm'),
      rect(82, 40, 20, 20),
      arrow(104, 50, 126, 50, 'good'),
    ),
    cell(
      4,
      'teleport',
      ['is there at once,', 'and pushes nothing', 'on its way'],
      rect(8, 50, 36, 36, 'ghost'),
      rect(88, 50, 36, 36),
      path('M46 56 C60 36 74 36 86 54', 'dash soft'),
    ),
  );
}

/** The life of a contact in events. */
export function events() {
  const ball = (x, y, cls = 'body') => circle(x, y, 17, cls);
  const at = (x) => line(x, 126, x, 148, 'thin');
  return drawing(
    720,
    236,
    'Events of a ball that falls on a floor and rolls through a sensor',
    'hit and begin at the impact, persist while it touches, end when it leaves; sensor-begin and sensor-end when it enters and leaves a sensor.',
    ground(24, 118, 470),
    rect(560, 36, 110, 82, 'ghost'),
    label(615, 30, 'sensor', 't-small t-edge'),
    ground(494, 118, 202),
    ball(60, 40, 'ghost'),
    arrow(60, 60, 60, 84, 'warm'),
    ball(120, 101),
    ball(230, 101),
    ball(350, 62, 'ghost'),
    path('M262 96 C290 66 330 52 350 62 C400 70 420 92 440 101', 'dash soft'),
    ball(440, 101),
    ball(615, 101),
    [120, 230, 300, 440, 560, 670].map(at),
    label(120, 166, 'begin', 't-code'),
    label(120, 184, 'hit', 't-code t-warm'),
    label(120, 202, 'faster than hitSpeed', 't-small t-soft'),
    label(216, 166, 'persist', 't-code'),
    label(216, 184, 'if asked for', 't-small t-soft'),
    label(300, 166, 'end', 't-code'),
    label(440, 166, 'begin', 't-code'),
    label(550, 166, 'sensor-begin', 't-code t-edge'),
    label(660, 166, 'sensor-end', 't-code t-edge'),
    label(607, 186, 'touches nothing, only tells', 't-small t-soft'),
    arrow(24, 222, 696, 222, 'soft'),
    text(24, 216, 'time', 't-small t-soft'),
  );
}

/** Ray, shape cast, overlap, closest point. */
export function queries() {
  const cell = (i, name, about, ...parts) =>
    group(`translate(${16 + 175 * i} 16)`, label(82, 132, name, 't-code'), label(82, 152, about, 't-small t-soft'), ...parts);
  const rock = (x, y, cls = 'body') =>
    poly(
      [
        [x - 24, y + 20],
        [x - 28, y - 8],
        [x - 4, y - 26],
        [x + 24, y - 14],
        [x + 26, y + 16],
      ],
      cls,
    );
  return drawing(
    720,
    190,
    'Queries',
    'A ray finds the first surface, its point and normal; a cast moves a shape; an overlap lists what a shape meets; the closest point is on the surface nearest to a point.',
    cell(
      0,
      'castRay',
      'point, normal, distance',
      rock(118, 60),
      arrow(6, 62, 89, 62, 'warm'),
      dot(90, 62),
      arrow(90, 62, 62, 56, 'good'),
    ),
    cell(
      1,
      'castShape',
      'how far a shape can move',
      rock(122, 60),
      circle(22, 62, 18, 'ghost'),
      circle(75, 62, 18, 'glow'),
      arrow(24, 62, 74, 62, 'warm'),
    ),
    cell(
      2,
      'overlapShape',
      'all that a shape meets',
      rock(50, 40),
      rock(118, 84),
      rock(22, 96, 'fixed'),
      circle(86, 60, 42, 'warm dash'),
    ),
    cell(
      3,
      'closestPoint',
      'on the nearest surface',
      rock(118, 60),
      dot(30, 90, 'ink'),
      dot(92, 68),
      line(34, 89, 88, 69, 'warm dash'),
    ),
  );
}

/** Steps of fixed length, frames whenever the screen wants them. */
export function frames() {
  const [steps, left, gap] = [6, 60, 110];
  const drawn = [0.35, 0.95, 1.62, 2.2, 2.85, 3.4, 4.1, 4.66];
  const height = (t) => 96 - 52 * Math.sin(0.62 * t);
  const curve = Array.from({ length: 56 }, (_, i) => `${left + gap * (i / 10)} ${height(i / 10)}`).join(' L');
  return drawing(
    720,
    240,
    'Frames between steps',
    'Steps come at fixed times. Each frame draws the pose between the last two steps, at the share alpha.',
    path(`M${curve}`, 'thin'),
    Array.from({ length: steps }, (_, i) => [
      line(left + gap * i, 30, left + gap * i, 150, 'thin dash'),
      circle(left + gap * i, height(i), 7, 'body'),
      label(left + gap * i, 170, `step ${i}`, 't-small'),
    ]),
    drawn.map((t) => {
      const [a, share] = [Math.floor(t), t % 1];
      const y = height(a) * (1 - share) + height(a + 1) * share;
      return [circle(left + gap * t, y, 4, 'glow'), line(left + gap * t, 182, left + gap * t, 192, 'warm')];
    }),
    arrow(left - 30, 187, 690, 187, 'warm'),
    text(left - 30, 208, 'frames of the screen: each draws between the last two steps, at alpha from 0 to 1', 't-small t-warm'),
    text(left - 30, 226, 'world.advance(seconds) makes the steps that are due', 't-code t-soft'),
    arrow(left, 36, left + gap, 36, 'soft', true),
    label(left + gap * 0.5, 28, 'dt', 't-small t-soft'),
  );
}

/** What happens in a step. */
export function step() {
  const boxes = [
    ['Broad phase', 'boxes that moved:', 'which pairs are near?'],
    ['Narrow phase', 'where do they touch,', 'and in which direction?'],
    ['Substeps', 'contacts and joints', 'push, bodies move'],
    ['Finish', 'sleep, events,', 'poses to read'],
  ];
  return drawing(
    720,
    210,
    'A step',
    'Broad phase, narrow phase, substeps of solving and moving, finish.',
    boxes.map(([name, a, b], i) => [
      rect(20 + 174 * i, 62, 150, 82, i === 2 ? 'glow' : 'body', 8),
      label(95 + 174 * i, 90, name, 't-head'),
      label(95 + 174 * i, 110, a, 't-small'),
      label(95 + 174 * i, 127, b, 't-small'),
      i < 3 ? arrow(171 + 174 * i, 103, 193 + 174 * i, 103, 'ink') : '',
    ]),
    path('M498 62 C498 28 388 28 388 58', 'warm'),
    arrow(388.5, 50, 388, 61, 'warm'),
    label(443, 30, '4 to 20 times', 't-small t-warm'),
    text(20, 40, 'world.step()', 't-code'),
    label(95, 166, 'after beforeStep', 't-code t-soft'),
    label(617, 166, 'world.events', 't-code t-soft'),
    text(
      20,
      196,
      'Every step has the same length, dt. On WASM the same calls give the same bits on every machine.',
      't-small t-soft',
    ),
  );
}

/** Saving, going back, playing again. */
export function rollback() {
  const x = (i) => 60 + 78 * i;
  return drawing(
    720,
    230,
    'Rollback',
    'A late input for step 3 arrives at step 7: the world goes back to the snapshot of step 3 and steps again with the input, to the same step 7 as on the other machine.',
    line(x(0) - 20, 70, x(7.6), 70, 'soft'),
    Array.from({ length: 8 }, (_, i) => [circle(x(i), 70, 9, i > 3 ? 'ghost' : 'body'), label(x(i), 50, String(i), 't-small')]),
    rect(x(3) - 40, 96, 80, 26, 'leaf', 5),
    label(x(3), 113, 'snapshot', 't-small'),
    line(x(3), 80, x(3), 96, 'good'),
    arrow(x(7) - 40, 32, x(7) - 12, 60, 'warm'),
    label(x(7) - 60, 26, 'late input for step 3', 't-small t-warm'),
    path(`M${x(7)} 82 C${x(7)} 150 ${x(5)} 150 ${x(3) + 48} 112`, 'warm'),
    arrow(x(3) + 54, 116, x(3) + 43, 110, 'warm'),
    text(x(5.2), 148, 'world.restore(bytes)', 't-code t-warm'),
    line(x(3), 122, x(3), 176, 'good'),
    line(x(3), 176, x(7.6), 176, 'soft'),
    [4, 5, 6, 7].map((i) => circle(x(i), 176, 9, 'body')),
    label(x(4.6), 206, 'the same steps again, with the input: the same bits as on the other machine', 't-small'),
  );
}

/** Islands and sleep. */
export function sleep() {
  const stack = (x, count, cls) => Array.from({ length: count }, (_, i) => rect(x, 128 - 24 * (i + 1), 24, 24, cls, 2));
  return drawing(
    720,
    210,
    'Sleep',
    'Bodies that touch form an island. An island falls asleep when all of it has rested for half a second; a hit or a call wakes the whole island.',
    ground(20, 128, 680),
    stack(60, 3, 'fixed'),
    stack(84, 2, 'fixed'),
    stack(108, 1, 'fixed'),
    rect(48, 48, 98, 88, 'panel dash', 10),
    label(97, 158, 'an island at rest', 't-small'),
    label(97, 176, 'sleeps: costs nothing', 't-small t-soft'),
    stack(310, 2, 'body'),
    stack(334, 2, 'body'),
    circle(266, 60, 11, 'glow'),
    arrow(276, 64, 302, 76, 'warm'),
    rect(298, 72, 72, 64, 'panel dash', 10),
    label(334, 158, 'a hit wakes it whole', 't-small'),
    label(334, 176, 'also a call, a joint, a moved floor', 't-small t-soft'),
    stack(560, 1, 'body'),
    stack(620, 1, 'fixed'),
    rect(550, 96, 44, 40, 'panel dash', 10),
    rect(610, 96, 44, 40, 'panel dash', 10),
    label(602, 158, 'what does not touch', 't-small'),
    label(602, 176, 'sleeps for itself', 't-small t-soft'),
    label(334, 202, 'sleepSpeed 0.03 m/s for sleepTime 0.5 s', 't-code t-soft'),
  );
}

/** A body that would pass a wall within a step. */
export function fast() {
  return drawing(
    720,
    200,
    'Fast bodies',
    'Without continuous collision a fast body is on the other side of a wall after a step; talus stops it at the wall, in that step, with its speed.',
    rect(170, 30, 12, 110, 'fixed', 1),
    circle(60, 84, 11, 'body'),
    faded(circle(290, 84, 11, 'body'), path('M84 78 h160', 'dash ink')),
    circle(158, 84, 11, 'glow'),
    arrow(74, 84, 145, 84, 'warm'),
    label(174, 166, 'static and kinematic: always stopped', 't-small'),
    circle(420, 84, 7, 'body'),
    rect(560, 52, 10, 64, 'body', 1),
    arrow(430, 84, 551, 84, 'warm'),
    arrow(574, 84, 604, 84, 'good'),
    label(540, 166, 'dynamic: with bullet: true, or if it moves', 't-small'),
    label(540, 182, 'farther than its own size in a step', 't-small'),
    line(352, 30, 352, 150, 'thin'),
  );
}

/** Static, kinematic, dynamic. */
export const bodies = () =>
  drawing(
    720,
    200,
    'Types of bodies',
    'Static bodies never move. Kinematic bodies move as you say and push. Dynamic bodies obey forces and contacts.',
    [
      ['static', 'never moves', "type: 'static'"],
      ['kinematic', 'moves as you say, pushes', "type: 'kinematic'"],
      ['dynamic', 'obeys forces and contacts', 'the default'],
    ].map(([name, about, code], i) => [
      label(130 + 230 * i, 142, name, 't-head'),
      label(130 + 230 * i, 161, about, 't-small t-soft'),
      label(130 + 230 * i, 180, code, 't-code t-soft'),
    ]),
    ground(60, 100, 140),
    rect(96, 66, 68, 34, 'fixed'),
    rect(300, 74, 120, 18, 'glow'),
    arrow(424, 83, 462, 83, 'warm'),
    rect(336, 44, 30, 30, 'body'),
    arrow(368, 58, 392, 58, 'good'),
    ground(520, 100, 140),
    group('rotate(18 590 60)', rect(570, 40, 40, 40, 'body')),
    arc(590, 60, 38, -1.2, 0.2, 'warm'),
    arrow(590, 60, 590, 92, 'warm'),
  );
