// Drawings of the core: the way of a contact, surfaces without seams, impacts, trees of joints, spin.
import { arc, arrow, circle, dot, drawing, ground, group, label, line, path, rect, text } from './kit.mjs';

/** From boxes to an impulse. */
export function contact() {
  const stage = (i, name, about) => [
    rect(24 + 170 * i, 24, 160, 150, 'panel', 8),
    label(104 + 170 * i, 144, name, 't-head'),
    label(104 + 170 * i, 163, about, 't-small t-soft'),
    i < 3 ? arrow(184 + 170 * i, 84, 194 + 170 * i, 84, 'soft') : '',
  ];
  const pair = (x) => [group(`translate(${x} 44) rotate(14)`, rect(12, 0, 44, 44, 'body')), rect(x - 12, 84, 84, 26, 'fixed')];
  return drawing(
    720,
    220,
    'The life of a contact',
    'Padded boxes that overlap make a pair; the narrow phase finds points and a normal; the solver gives each point an impulse; events report it.',
    stage(0, 'pair', 'padded boxes overlap'),
    pair(74),
    rect(68, 38, 72, 64, 'ghost'),
    rect(56, 78, 96, 38, 'ghost'),
    stage(1, 'manifold', 'points and a normal'),
    pair(244),
    dot(246, 86),
    dot(288, 84),
    arrow(267, 86, 267, 50, 'warm'),
    stage(2, 'rows', 'impulses, each substep'),
    pair(414),
    arrow(416, 116, 416, 66, 'good'),
    arrow(458, 116, 458, 84, 'good'),
    stage(3, 'event', 'begin, hit, end'),
    pair(584),
    path('M622 58 l10 -16 M638 66 l18 -8 M606 52 l-4 -16', 'warm'),
    text(24, 204, 'While neither body has moved far, a pair keeps its manifold: nothing is tested again.', 't-small t-soft'),
  );
}

/** Tiles: a hidden edge and one surface. */
export function seams() {
  const tiles = (x) => [0, 1, 2].map((i) => rect(x + 92 * i, 108, 92, 34, 'fixed', 0));
  return drawing(
    720,
    210,
    'A seam between two tiles',
    'A ball that slides from tile to tile meets the hidden side of the next one, which would stop it; talus sees that a neighbor continues the surface and leaves that contact out.',
    label(170, 34, 'each tile alone', 't-head'),
    tiles(32),
    circle(196, 84, 25),
    arrow(140, 60, 172, 72, 'edge'),
    dot(216, 108),
    arrow(216, 108, 190, 90, 'warm'),
    label(170, 168, 'the edge of the next tile pushes back', 't-small t-warm'),
    label(544, 34, 'one surface', 't-head'),
    tiles(406),
    circle(570, 83, 25),
    arrow(514, 83, 540, 83, 'edge'),
    dot(570, 108, 'good'),
    arrow(570, 108, 570, 66, 'good'),
    label(544, 168, 'one contact, straight up', 't-small t-good'),
    label(
      360,
      196,
      'The neighbor rises above nothing, so its side can do nothing to the ball that the surface does not do.',
      't-small t-soft',
    ),
  );
}

/** Two bodies that meet. */
export function impact() {
  const row = (y, r, before, after, words) => [
    circle(70, y, 16, 'glow'),
    arrow(92, y, 92 + 44, y, 'warm'),
    circle(200, y, r, 'body'),
    arrow(240, y, 290, y, 'soft'),
    circle(360 + before, y, 16, 'glow'),
    before ? arrow(360 + before + (before > 0 ? 22 : -22), y, 360 + before + (before > 0 ? 42 : -42), y, 'warm') : '',
    circle(440, y, r, 'body'),
    after ? arrow(440 + r + 6, y, 440 + r + 6 + after, y, 'edge') : '',
    text(560, y + 5, words, 't-small t-soft'),
  ];
  return drawing(
    720,
    230,
    'Two balls that meet, restitution 1',
    'A ball that hits one of equal mass stops and hands over its speed; a lighter one flies ahead of it; a heavier one throws it back.',
    text(24, 28, 'before', 't-head'),
    text(330, 28, 'after', 't-head'),
    row(62, 16, 0, 44, 'equal: it stops'),
    row(118, 9, 10, 74, 'lighter: both go on'),
    row(184, 27, -14, 16, 'heavier: thrown back'),
  );
}

/** A tree of joints. */
export function tree() {
  const links = [0, 1, 2, 3];
  return drawing(
    720,
    230,
    'A tree of joints is solved exactly',
    'Going up, each joint adds the mass of everything below it; going down, each body gets its velocity; one pass solves the whole chain.',
    ground(280, 30, 160),
    links.map((i) => [rect(352, 34 + 34 * i, 16, 30, 'body', 6), dot(360, 32 + 34 * i)]),
    circle(360, 192, 24, 'glow'),
    label(360, 196, '1000 kg', 't-small'),
    arrow(300, 186, 300, 50, 'good'),
    text(284, 96, 'up', 't-head t-good', 'end'),
    text(284, 116, 'a joint sees all that', 't-small t-soft', 'end'),
    text(284, 132, 'hangs below it as one mass', 't-small t-soft', 'end'),
    arrow(420, 50, 420, 186, 'edge'),
    text(436, 96, 'down', 't-head t-edge'),
    text(436, 116, 'each body gets the velocity', 't-small t-soft'),
    text(436, 132, 'that fits the one above it', 't-small t-soft'),
    text(24, 30, 'Two passes per substep,', 't-small'),
    text(24, 48, 'whatever the masses:', 't-small'),
    text(24, 66, 'a light chain holds a heavy ball.', 't-small'),
  );
}

/** Free motion of a body. */
export function turn() {
  return drawing(
    720,
    220,
    'How a free body moves',
    'The center of mass goes straight or on a parabola; the body turns about an axis that wanders, while its angular momentum stays fixed in the world.',
    path('M40 176 Q150 -20 300 150', 'edge dash'),
    group('translate(92 102) rotate(-30)', rect(-26, -10, 52, 20, 'body'), rect(-5, -34, 10, 24, 'body')),
    group('translate(172 68) rotate(25)', rect(-26, -10, 52, 20, 'body'), rect(-5, -34, 10, 24, 'body')),
    group('translate(252 102) rotate(95)', rect(-26, -10, 52, 20, 'body'), rect(-5, -34, 10, 24, 'body')),
    dot(92, 102),
    dot(172, 68),
    dot(252, 102),
    label(170, 196, 'the center of mass falls as a point does', 't-small t-soft'),
    group('translate(480 118)', rect(-44, -18, 88, 36, 'body'), rect(-8, -58, 16, 40, 'body')),
    arrow(480, 118, 480, 24, 'good'),
    text(490, 34, 'L, angular momentum: stays', 't-small t-good'),
    arrow(480, 118, 530, 42, 'warm'),
    text(536, 60, 'w, spin: wanders about it', 't-small t-warm'),
    line(480, 118, 480, 24, 'good'),
    arc(480, 64, 34, -0.6, 0.9, 'warm'),
    label(560, 196, 'energy and L are kept at any length of step', 't-small t-soft'),
  );
}
