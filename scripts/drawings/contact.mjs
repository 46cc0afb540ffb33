// Drawings of contacts: budgets of pairs, a manifold and its rows, soft contacts, cells of a large island.
import { arc, arrow, circle, dot, drawing, ground, group, label, line, path, rect, spring, text } from './kit.mjs';

/** How pairs are skipped. */
export function budget() {
  const bar = (x, used, cls) => [rect(x, 156, 150, 14, 'panel', 3), rect(x, 156, 150 * used, 14, cls, 3)];
  return drawing(
    720,
    250,
    'The budget of a pair',
    'A test of two bodies leaves a budget: how far they may move before the result can change. Until their paths add up to it, the pair is skipped. Then it is tested again.',
    text(24, 34, 'apart: budget = gap', 't-head'),
    circle(66, 100, 26),
    circle(176, 100, 26),
    arrow(93, 100, 149, 100, 'warm', true),
    label(121, 90, 'gap', 't-small t-warm'),
    bar(46, 0.4, 'leaf'),
    label(121, 190, 'paths < budget: skipped', 't-small'),
    text(264, 34, 'touching: budget = 0.5 mm', 't-head'),
    rect(290, 62, 60, 50),
    rect(300, 112, 60, 30, 'fixed'),
    arrow(362, 87, 384, 87, 'warm'),
    label(392, 76, '0.5 mm', 't-small t-warm'),
    bar(276, 0.75, 'leaf'),
    label(351, 190, 'paths < budget: contacts kept', 't-small'),
    text(504, 34, 'used up: test again', 't-head'),
    circle(546, 92, 26, 'ghost'),
    circle(570, 112, 26),
    circle(640, 100, 26),
    arrow(546, 92, 564, 107, 'warm'),
    bar(516, 1, 'glow'),
    label(591, 190, 'new contacts, new budget', 't-small'),
    text(24, 230, 'A skipped pair costs one comparison. In a pile at rest all pairs are skipped.', 't-small'),
  );
}

/** The rows of a manifold. */
export function manifold() {
  return drawing(
    720,
    270,
    'The rows of a manifold',
    'A manifold has a normal row for each of up to four points, and for all points together two tangent rows limited to a circle and a twist row about the normal.',
    text(24, 34, 'from the side', 't-head'),
    rect(40, 150, 260, 60, 'fixed'),
    label(60, 196, 'A'),
    rect(90, 70, 160, 80),
    label(110, 92, 'B'),
    dot(100, 150),
    dot(240, 150),
    arrow(100, 150, 100, 112, 'warm'),
    arrow(240, 150, 240, 112, 'warm'),
    text(106, 126, 'z1', 't-small t-warm'),
    text(246, 126, 'z2', 't-small t-warm'),
    arrow(170, 150, 170, 104, 'edge'),
    text(176, 116, 'n', 't-small t-edge'),
    arrow(170, 150, 216, 150, 'edge'),
    text(204, 166, 't', 't-small t-edge'),
    dot(170, 150, 'edge'),
    text(154, 168, 'c', 't-small t-edge'),
    text(374, 34, 'from above, along the normal', 't-head'),
    rect(390, 56, 150, 150, 'body'),
    [
      [408, 74],
      [522, 74],
      [408, 188],
      [522, 188],
    ].map(([x, y]) => dot(x, y)),
    circle(465, 131, 46, 'ghost'),
    dot(465, 131, 'edge'),
    arrow(465, 131, 494, 104, 'good'),
    text(484, 92, 'friction', 't-small t-good'),
    arc(465, 131, 20, 0.4, 3.6, 'edge'),
    text(560, 84, '4 normal rows', 't-small t-warm'),
    text(560, 108, '2 tangent rows at c, inside', 't-small t-good'),
    text(560, 124, 'the circle of radius mu N', 't-small t-good'),
    text(560, 148, '1 twist row about n', 't-small t-edge'),
    text(560, 172, '2 rolling rows, if round', 't-small t-soft'),
    text(
      24,
      246,
      'c is the mean of the points, N the sum of the normal impulses z1, z2, ... Friction acts once per manifold.',
      't-small',
    ),
  );
}

/** A contact as a spring. */
export function softness() {
  const panel = (x, title, about, ...parts) => [
    rect(x, 20, 216, 190, 'panel', 10),
    label(x + 108, 44, title, 't-head'),
    ground(x + 30, 150, 156),
    parts,
    label(x + 108, 196, about, 't-small'),
  ];
  return drawing(
    720,
    250,
    'A soft contact',
    'Before contact a body may close the gap and no more. In the soft pass an overlap is a damped spring. In the relax pass the contact is rigid and removes the velocity that the spring has added.',
    panel(
      16,
      's > 0',
      'may close the gap, at most s / h',
      rect(92, 66, 64, 52),
      arrow(124, 118, 124, 148, 'warm'),
      text(132, 138, 's', 't-small t-warm'),
    ),
    panel(
      252,
      's <= 0, soft pass',
      'spring and damper',
      rect(328, 106, 64, 52, 'body fade'),
      rect(328, 106, 64, 52, 'ghost'),
      spring(372, 150, 372, 76, 'good', 5, 5),
      arrow(346, 104, 346, 74, 'warm'),
      text(288, 88, 'push out', 't-small t-warm'),
    ),
    panel(
      488,
      's <= 0, relax pass',
      'rigid: the push adds no velocity',
      rect(564, 98, 64, 52),
      line(556, 86, 636, 86, 'soft'),
      label(596, 78, 'v along n = 0', 't-small t-soft'),
    ),
    text(24, 236, 'The spring stiffens with the substep rate, so more substeps give stiffer contacts.', 't-small'),
  );
}

/** A large island in cells. */
export function cells() {
  const classes = ['body', 'glow', 'leaf', 'fixed'];
  const brick = (row, i) => {
    const x = 60 + 44 * i + (row % 2 ? 22 : 0);
    const cell = (x < 236 ? 0 : 1) + (row < 3 ? 0 : 2);
    return rect(x, 190 - 24 * (row + 1), 44, 24, classes[cell], 2);
  };
  return drawing(
    720,
    262,
    'Cells of an island',
    'A large island is cut into cells of bodies near each other. Cells that touch get different colors and are solved color by color, so cells of one color can be solved at once.',
    text(24, 34, 'an island, cut into cells', 't-head'),
    [0, 1, 2, 3, 4, 5].map((row) => [0, 1, 2, 3, 4, 5, 6, 7].map((i) => brick(row, i))),
    ground(40, 190, 396),
    path('M236 40 L236 196', 'warm dash'),
    path('M50 118 L450 118', 'warm dash'),
    text(490, 34, 'the order of a sweep', 't-head'),
    classes.map((cls, i) => [
      rect(490 + 54 * i, 58, 40, 30, cls, 4),
      label(510 + 54 * i, 78, String(i + 1)),
      i < 3 ? arrow(532 + 54 * i, 73, 543 + 54 * i, 73, 'soft') : '',
    ]),
    group('translate(490 112)', rect(0, 0, 14, 14, 'glow', 2), text(22, 12, 'waits for touching cells only', 't-small')),
    text(490, 152, 'Cells far apart share a color', 't-small t-soft'),
    text(490, 168, 'and run at once.', 't-small t-soft'),
    text(24, 226, 'wide solves each cell on whole bodies, in this fixed order, on any number of threads.', 't-small'),
    text(24, 244, 'cell-split solves all cells at once: a body on a border is split between them.', 't-small t-soft'),
  );
}
