// Drawings of the joints: frames, what each keeps, what limits and drives act on; and of rigs and controllers.
import { arc, arrow, axes, circle, dot, drawing, ground, group, label, line, path, poly, rect, spring, text } from './kit.mjs';

const cell = (i, columns, width, height, name, about, ...parts) =>
  group(
    `translate(${14 + (i % columns) * width} ${12 + Math.floor(i / columns) * height})`,
    label(width / 2 - 6, height - 44, name, 't-head'),
    label(width / 2 - 6, height - 25, about, 't-small t-soft'),
    ...parts,
  );

/** All types, one small picture each. */
export function joints() {
  const put = (i, name, about, ...parts) => cell(i, 4, 175, 182, name, about, ...parts);
  return drawing(
    720,
    572,
    'Joints',
    'Ball, hinge, fixed, slider, cylindrical, cone-twist, distance, six-axis, wheel, gear, pulley: in orange the motion that a limit, motor or spring acts on.',
    put(
      0,
      'ball',
      'turns freely about a point',
      rect(20, 56, 56, 30, 'fixed'),
      rect(92, 50, 60, 34),
      circle(84, 70, 8, 'glow'),
      arc(84, 70, 46, -1.1, -0.1, 'soft', 2),
    ),
    put(
      1,
      'hinge',
      'turns about one axis',
      rect(20, 40, 16, 80, 'fixed'),
      group('rotate(-14 44 80)', rect(44, 74, 96, 12)),
      line(40, 22, 40, 130, 'soft dash'),
      dot(40, 80),
      arc(40, 80, 84, -0.22, 0.42, 'warm', 2),
    ),
    put(2, 'fixed', 'holds everything', rect(22, 46, 62, 46, 'fixed'), rect(84, 46, 62, 46), line(84, 40, 84, 98, 'warm')),
    put(
      3,
      'slider',
      'moves along one axis',
      rect(14, 74, 138, 12, 'fixed'),
      rect(56, 50, 50, 24),
      arrow(18, 38, 148, 38, 'warm', true),
    ),
    put(
      4,
      'cylindrical',
      'moves along and turns',
      rect(14, 66, 140, 10, 'fixed', 5),
      rect(58, 52, 44, 38, 'body', 8),
      arrow(22, 36, 138, 36, 'warm', true),
      arc(118, 71, 24, -1.2, 1.2, 'good', 2),
    ),
    put(
      5,
      'cone-twist',
      'swings within a cone, twists',
      poly(
        [
          [84, 28],
          [44, 112],
          [124, 112],
        ],
        'ghost',
      ),
      group('rotate(-16 84 28)', rect(77, 28, 14, 84, 'body', 7)),
      dot(84, 28),
      path('M44 112 C60 124 108 124 124 112', 'warm'),
      text(128, 108, 'cone', 't-small t-warm'),
    ),
    put(
      6,
      'distance',
      'rod, rope or spring',
      circle(30, 40, 13, 'fixed'),
      circle(136, 92, 15),
      spring(42, 46, 123, 85, 'good'),
      path('M40 34 L142 82', 'soft dash'),
      text(92, 48, 'length', 't-small t-warm'),
    ),
    put(
      7,
      'six-axis',
      'each axis free, limited or locked',
      axes(52, 100, 52, ['x', 'y']),
      arrow(52, 100, 22, 122, 'soft'),
      text(10, 128, 'z', 't-soft t-small'),
      rect(66, 52, 40, 32),
      arc(86, 68, 40, -0.9, 0.6, 'warm', 2),
      arrow(110, 40, 140, 40, 'warm', true),
    ),
    put(
      8,
      'wheel',
      'suspension, steering, spin',
      rect(30, 22, 110, 24, 'fixed', 6),
      spring(84, 46, 84, 84, 'good', 4, 8),
      circle(84, 92, 28),
      dot(84, 92),
      arc(84, 92, 38, 2.2, 3.6, 'warm'),
      arrow(140, 62, 140, 112, 'good', true),
    ),
    put(
      9,
      'gear',
      'turns A and B by a ratio',
      circle(60, 72, 36),
      circle(122, 72, 25, 'glow'),
      dot(60, 72),
      dot(122, 72),
      arc(60, 72, 46, -2.4, -1.2, 'warm'),
      arc(122, 72, 34, -0.8, -2.0, 'warm'),
    ),
    put(
      10,
      'pulley',
      'two ends of one rope',
      circle(52, 30, 13, 'fixed'),
      circle(116, 30, 13, 'fixed'),
      line(52, 17, 116, 17, 'soft'),
      line(39, 30, 39, 86, 'soft'),
      line(129, 30, 129, 62, 'soft'),
      rect(24, 86, 30, 30),
      rect(116, 62, 26, 26, 'glow'),
      arrow(66, 96, 66, 118, 'warm'),
      arrow(104, 88, 104, 66, 'warm'),
    ),
    group(
      'translate(515 390)',
      line(0, 18, 22, 18, 'warm'),
      text(30, 22, 'limit, motor, spring act', 't-small'),
      line(0, 42, 22, 42, 'good'),
      text(30, 46, 'a second axis, or a spring', 't-small'),
      rect(0, 58, 22, 14, 'fixed'),
      text(30, 70, 'body A (or the world)', 't-small'),
      rect(0, 84, 22, 14, 'body'),
      text(30, 96, 'body B', 't-small'),
    ),
  );
}

/** Frames of a hinge: anchors, axes, the angle with its limits. */
export function hinge() {
  const [cx, cy] = [210, 150];
  return drawing(
    720,
    290,
    'A hinge: anchor, axis, angle and limits',
    'The anchor is a point of both bodies, the axis points at the reader; the angle of B counts from where it was made, and limits bound it on both sides.',
    rect(60, 118, 150, 64, 'fixed'),
    text(76, 154, 'bodyA: the frame'),
    group('rotate(-32 210 150)', rect(210, 138, 190, 24)),
    text(384, 66, 'bodyB: the door'),
    rect(210, 138, 190, 24, 'ghost'),
    text(408, 156, 'angle 0: where it was made', 't-small t-edge'),
    dot(cx, cy),
    text(150, 208, 'anchor', 't-warm'),
    line(178, 196, 206, 156, 'warm dash'),
    arc(cx, cy, 130, 0, -0.56, 'warm'),
    text(346, 112, 'angle', 't-warm'),
    line(cx, cy, cx + 190 * Math.cos(1.2), cy - 190 * Math.sin(1.2) + 46, 'good dash'),
    text(284, 30, 'limit.max', 't-good t-small'),
    line(cx, cy, cx + 200 * Math.cos(-0.35), cy - 200 * Math.sin(-0.35), 'good dash'),
    text(404, 226, 'limit.min', 't-good t-small'),
    text(564, 70, 'axis: towards you', 't-soft t-small'),
    circle(550, 66, 7, 'soft'),
    dot(550, 66, 'soft'),
    text(60, 252, "createJoint({ type: 'hinge', bodyA, bodyB, anchor, axis, limit: { min, max } })", 't-code'),
    text(
      60,
      272,
      'Angles are right-handed about the axis: B turns as A sees it. The world stands in for bodyA if you leave it out.',
      't-small t-soft',
    ),
  );
}

/** Motor and spring. */
export function drives() {
  const put = (i, name, about, ...parts) => cell(i, 3, 232, 190, name, about, ...parts);
  return drawing(
    720,
    216,
    'Limit, motor and spring of an axis',
    'A limit stops the axis, a motor drives it at a velocity with a largest force, a spring pulls it to a target.',
    put(
      0,
      'limit',
      '{ min, max }: stops at both ends',
      rect(14, 90, 190, 10, 'fixed'),
      rect(84, 62, 46, 28),
      line(40, 46, 40, 104, 'good'),
      line(176, 46, 176, 104, 'good'),
      text(28, 38, 'min', 't-small t-good'),
      text(164, 38, 'max', 't-small t-good'),
      arrow(48, 76, 80, 76, 'soft', true),
      arrow(134, 76, 168, 76, 'soft', true),
    ),
    put(
      1,
      'motor',
      '{ velocity, maxForce }: holds a velocity',
      rect(14, 90, 190, 10, 'fixed'),
      rect(60, 62, 46, 28),
      arrow(110, 76, 180, 76, 'warm'),
      text(124, 66, 'velocity', 't-small t-warm'),
      circle(36, 76, 12, 'glow'),
      path('M30 76 h12 m-4 -4 l4 4 l-4 4', 'warm'),
    ),
    put(
      2,
      'spring',
      '{ target, frequency }: pulls to a place',
      rect(14, 90, 190, 10, 'fixed'),
      spring(28, 76, 118, 76, 'good'),
      rect(118, 62, 46, 28),
      line(92, 44, 92, 104, 'warm dash'),
      text(78, 38, 'target', 't-small t-warm'),
      arrow(140, 50, 98, 50, 'warm'),
    ),
  );
}

/** The capsule of a character. */
export function character() {
  return drawing(
    720,
    260,
    'A character',
    'A capsule that walks: it climbs steps up to stepHeight, walks slopes up to maxSlope, stays on the ground on the way down, and rides on what moves.',
    path('M20 200 H250 V172 H330 V200 H430 L560 120 H700', 'soft'),
    rect(90, 118, 34, 80, 'body', 17),
    arrow(128, 158, 176, 158, 'warm'),
    label(107, 108, 'capsule', 't-small'),
    rect(262, 92, 34, 80, 'ghost', 17),
    arrow(240, 200, 240, 172, 'good', true),
    text(156, 190, 'stepHeight', 't-code t-good'),
    arc(430, 200, 70, 0, -0.55, 'warm', 2),
    line(430, 200, 520, 200, 'thin dash'),
    text(510, 186, 'maxSlope', 't-code t-warm'),
    rect(474, 72, 34, 80, 'ghost', 17),
    rect(620, 40, 34, 80, 'ghost', 17),
    path('M366 112 C366 140 366 160 366 190', 'dash soft'),
    arrow(366, 180, 366, 198, 'soft'),
    rect(349, 108, 34, 80, 'ghost', 17),
    text(300, 222, 'stays on the ground', 't-small t-soft'),
    text(20, 248, 'walk({ velocity, jump }) in every frame; the world moves it in every step', 't-code t-soft'),
    arrow(660, 140, 660, 170, 'soft', true),
    text(580, 190, 'rides on what moves', 't-small t-soft'),
  );
}

/** A wheel of a vehicle: a ray with a spring. */
export function vehicle() {
  return drawing(
    720,
    270,
    'A wheel of a vehicle',
    'A ray goes down from the mount; a spring and a damper hold the chassis; the tire pushes along and across.',
    rect(60, 54, 260, 44, 'body', 10),
    label(160, 80, 'chassis: a dynamic body'),
    spring(250, 98, 250, 156, 'good', 5, 9),
    circle(250, 176, 40, 'panel'),
    dot(250, 98),
    line(250, 98, 250, 216, 'warm dash'),
    ground(40, 216, 320),
    text(264, 116, 'mount: position', 't-small t-warm'),
    text(270, 142, 'spring and damper', 't-small t-good'),
    arrow(180, 140, 180, 190, 'good', true),
    text(104, 168, 'travel', 't-small t-good'),
    group(
      'translate(430 40)',
      text(0, 8, 'from above', 't-small t-soft'),
      group('rotate(14 110 90)', rect(92, 46, 36, 88, 'body', 8)),
      arrow(110, 90, 132, 4, 'warm'),
      text(140, 18, 'drive, brake: torque', 't-small t-warm'),
      arrow(110, 90, 196, 110, 'good'),
      text(150, 132, 'grip across', 't-small t-good'),
      arc(110, 90, 70, -1.57, -1.33, 'soft'),
      text(40, 28, 'steering', 't-small t-soft'),
      text(0, 170, 'drive and grip together are', 't-small t-soft'),
      text(0, 187, 'at most friction times load', 't-small t-soft'),
    ),
    text(40, 254, 'new Vehicle(world, { body, wheels: [{ position, radius }] })', 't-code t-soft'),
  );
}

/** A ragdoll: parts, joints, skeleton. */
export function ragdoll() {
  const limb = (x1, y1, x2, y2, r) => {
    const [dx, dy] = [x2 - x1, y2 - y1];
    const angle = (Math.atan2(dy, dx) * 180) / Math.PI - 90;
    const length = Math.hypot(dx, dy);
    return group(`rotate(${Math.round(angle)} ${x1} ${y1})`, rect(x1 - r, y1, 2 * r, length, 'body', r));
  };
  const doll = (x) =>
    [
      [x, 40, x, 60, 13],
      [x, 74, x, 128, 18],
      [x - 22, 80, x - 52, 112, 8],
      [x - 52, 114, x - 70, 150, 7],
      [x + 22, 80, x + 52, 112, 8],
      [x + 52, 114, x + 70, 150, 7],
      [x - 10, 134, x - 18, 180, 9],
      [x - 18, 184, x - 20, 228, 8],
      [x + 10, 134, x + 18, 180, 9],
      [x + 18, 184, x + 20, 228, 8],
    ].map(([a, b, c, d, r]) => limb(a, b, c, d, r));
  const joints = (x) =>
    [
      [x, 68],
      [x - 22, 80],
      [x + 22, 80],
      [x - 10, 132],
      [x + 10, 132],
    ].map(([a, b]) => dot(a, b));
  const hinges = (x) =>
    [
      [x - 52, 113],
      [x + 52, 113],
      [x - 18, 182],
      [x + 18, 182],
    ].map(([a, b]) => dot(a, b, 'good'));
  return drawing(
    720,
    270,
    'A ragdoll',
    'Parts are capsules on bones; shoulders, hips and neck are cone-twist joints, elbows and knees are hinges; a pose can drive it.',
    doll(120),
    joints(120),
    hinges(120),
    dot(250, 60),
    text(262, 64, 'cone-twist: neck, shoulders, hips'),
    dot(250, 88, 'good'),
    text(262, 92, 'hinge: elbows, knees'),
    text(250, 132, 'createRagdoll(world, { position })', 't-code'),
    text(250, 156, 'createRagdoll(world, { skeleton })', 't-code'),
    text(480, 156, 'parts from a skeleton', 't-small t-soft'),
    text(250, 180, 'ragdoll.setPose(pose, strength)', 't-code'),
    text(480, 180, 'muscles: follows an animation', 't-small t-soft'),
    text(250, 204, 'ragdoll.readPose(out)', 't-code'),
    text(480, 204, 'turns of the bones, for the mesh', 't-small t-soft'),
    ground(30, 240, 190),
  );
}
