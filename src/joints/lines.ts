// Joints as line segments, for debug drawing: from the bodies to the anchors, the frames, the limits. Reads linear memory,
// changes nothing.
import {
  AXIS_LIMITED,
  Header,
  JOINT_ALIVE,
  JOINT_DISTANCE,
  JOINT_ENABLED,
  JOINT_GEAR,
  JOINT_PULLEY,
  Joint,
  NONE,
} from '../layout.generated';
import type { LinearMemory } from '../wasm/memory';
import { AXIS_WORDS, LOWER, MODE, UPPER } from './check';
import { along, multiply, type Numbers, type Pose, poseOf, toWorld, turn, type Vector } from './frames';

/** Line segments of joints, two points per segment. Only the first `count` points are in use. */
export interface JointLines {
  count: number;
  /** Positions (world, m): x y z per point. */
  positions: Float32Array;
  /** Colors: red, green, blue from 0 to 1 per point. */
  colors: Float32Array;
}

/** Options of `readJointLines`. */
export interface JointLineOptions {
  /** Length of the axes of a frame and radius of the arcs of limits, m; default 0.2. */
  size?: number;
}

const SEGMENTS = 24;
const BODY = [1, 1, 1];
const GAP = [1, 0, 1];
const LIMIT = [1, 0.8, 0];
const OFF = [0.4, 0.4, 0.4];
const RED = [1, 0.2, 0.2];
const GREEN = [0.2, 1, 0.2];
const BLUE = [0.3, 0.5, 1];

/**
 * Returns the lines of all joints. White lines go from the origins of the bodies to the anchors (of a pulley over its two
 * points). Red, green and blue are the axes of the frames (shorter for B), yellow the limits, magenta the gaps between anchors,
 * gray disabled joints.
 */
export function readJointLines(memory: LinearMemory, size: number): JointLines {
  const points: number[] = [];
  const colors: number[] = [];
  const { f32, u32 } = memory;
  const joints = memory.headerU32(Header.joints) >>> 2;
  const count = memory.headerU32(Header.jointCount);
  for (let i = 0; i < count; i++) {
    const at = joints + (i * Joint.STRIDE) / 4;
    const flags = u32[at + Joint.flags / 4]!;
    if (!(flags & JOINT_ALIVE)) continue;
    const line = (a: Numbers, b: Numbers, color: Numbers) => {
      points.push(a[0]!, a[1]!, a[2]!, b[0]!, b[1]!, b[2]!);
      const [r, g, b3] = flags & JOINT_ENABLED ? [color[0]!, color[1]!, color[2]!] : (OFF as [number, number, number]);
      colors.push(r, g, b3, r, g, b3);
    };
    drawJoint(f32.subarray(at, at + Joint.STRIDE / 4), u32.subarray(at, at + Joint.STRIDE / 4), memory, size, line);
  }
  return { count: points.length / 3, positions: Float32Array.from(points), colors: Float32Array.from(colors) };
}

function drawJoint(
  f32: Float32Array,
  u32: Uint32Array,
  memory: LinearMemory,
  size: number,
  line: (a: Numbers, b: Numbers, color: Numbers) => void,
): void {
  const kind = u32[Joint.kind / 4]!;
  const [poseA, poseB] = [u32[Joint.bodyA / 4]!, u32[Joint.bodyB / 4]!].map((body) => poseOf(memory, body)) as [Pose, Pose];
  const read = (offset: number, n: number) => f32.subarray(offset / 4, offset / 4 + n);
  const a = toWorld(poseA, read(Joint.anchorAx, 3));
  const b = toWorld(poseB, read(Joint.anchorBx, 3));
  if (u32[Joint.bodyA / 4] !== NONE) line(poseA.position, a, BODY);
  line(poseB.position, b, BODY);
  if (kind === JOINT_PULLEY) {
    const wheels = [read(Joint.frameAx, 3), read(Joint.frameBx, 3)] as const;
    line(a, wheels[0], LIMIT);
    line(wheels[0], wheels[1], LIMIT);
    line(wheels[1], b, LIMIT);
    return;
  }
  line(a, b, kind === JOINT_DISTANCE ? LIMIT : GAP);
  if (kind === JOINT_DISTANCE) return;
  const frameA = multiply(poseA.rotation, read(Joint.frameAx, 4));
  const frameB = multiply(poseB.rotation, read(Joint.frameBx, 4));
  const [x, y, z] = [0, 1, 2].map((k) => turn(frameA, [+(k === 0), +(k === 1), +(k === 2)])) as [Vector, Vector, Vector];
  for (const [from, frame, length] of [
    [a, frameA, size],
    [b, frameB, 0.6 * size],
  ] as const) {
    for (const [k, color] of [RED, GREEN, BLUE].entries()) {
      if (kind === JOINT_GEAR && k < 2) continue;
      line(from, along(from, length, turn(frame, [+(k === 0), +(k === 1), +(k === 2)])), color);
    }
  }
  for (const [axis, direction] of [x, y, z].entries()) {
    const way = LOWER + AXIS_WORDS * axis;
    if (u32[way + MODE]! & AXIS_LIMITED) line(along(a, f32[way]!, direction), along(a, f32[way + UPPER]!, direction), LIMIT);
    // About that axis; the next two span the arc, so that of the twist begins at x.
    const [u, v] = [
      [y, z],
      [z, x],
      [x, y],
    ][axis] as [Vector, Vector];
    const angle = LOWER + AXIS_WORDS * (axis + 3);
    if (!(u32[angle + MODE]! & AXIS_LIMITED)) continue;
    const low = f32[angle]!;
    const span = Math.min(f32[angle + UPPER]! - low, 2 * Math.PI);
    const rim = (k: number) => {
      const phi = low + (k / SEGMENTS) * span;
      return along(along(a, size * Math.cos(phi), u), size * Math.sin(phi), v);
    };
    line(a, rim(0), LIMIT);
    for (let k = 0; k < SEGMENTS; k++) line(rim(k), rim(k + 1), LIMIT);
    line(rim(SEGMENTS), a, LIMIT);
  }
  const cone = f32[Joint.cone / 4]!;
  if (!(u32[Joint.driven / 4]! & 64)) return;
  const rim = (k: number) => {
    const phi = (k / SEGMENTS) * 2 * Math.PI;
    const r = size * Math.sin(cone);
    return along(along(along(a, size * Math.cos(cone), z), r * Math.cos(phi), x), r * Math.sin(phi), y);
  };
  for (let k = 0; k < SEGMENTS; k++) {
    line(rim(k), rim(k + 1), LIMIT);
    if (k % 6 === 0) line(a, rim(k), LIMIT);
  }
}
