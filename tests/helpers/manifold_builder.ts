// Fixed contact problems for tests of ordering and solvers: bodies and manifolds written straight into linear memory, with
// contacts from closed forms (boxes aligned with the axes, spheres), so that no narrow phase takes part.
import {
  BodyAccel,
  BodyCenter,
  BodyCold,
  BodyDelta,
  BodyInertia,
  BodyNode,
  BodyRow,
  HEADER_PTR,
  Header,
  MANIFOLD_BLOCK,
  Manifold,
  NONE,
  SOLVER_PGS,
} from '../../src/layout.generated';
import type { CoreExports } from './core';

export type Vec3 = [number, number, number];

export interface BodySpec {
  position: Vec3;
  /** Half extents of a box aligned with the axes, or the radius of a sphere. */
  half: Vec3 | number;
  /** kg; 0 for a static body. */
  mass: number;
  velocity?: Vec3;
  spin?: Vec3;
}

export interface ManifoldSpec {
  bodyA: number;
  bodyB: number;
  /** Unit, from A to B. */
  normal: Vec3;
  /** Points on the surface of A in the world, with their separation. */
  points: { at: Vec3; separation: number }[];
  friction: number;
  restitution?: number;
  rollArm?: number;
}

/** Deterministic random numbers in 0..1 (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const cross = (a: Vec3, b: Vec3): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const length = (a: Vec3) => Math.hypot(a[0], a[1], a[2]);

/** A contact problem: a list of bodies and manifolds, then their bytes in the memory of a core. */
export class Problem {
  readonly bodies: BodySpec[] = [];
  readonly manifolds: ManifoldSpec[] = [];
  /** m/s2 along y. */
  gravity = -9.81;
  private memory!: WebAssembly.Memory;

  addBody(body: BodySpec): number {
    return this.bodies.push(body) - 1;
  }

  addManifold(manifold: ManifoldSpec): number {
    return this.manifolds.push(manifold) - 1;
  }

  /** Contacts of aligned boxes whose faces are closer than the margin: up to 4 corners of the overlap. */
  touchBoxes(friction = 0.6, margin = 0.02): void {
    for (let a = 0; a < this.bodies.length; a++) {
      for (let b = a + 1; b < this.bodies.length; b++) {
        const A = this.bodies[a];
        const B = this.bodies[b];
        if (A.mass === 0 && B.mass === 0) continue;
        const manifold = boxContact(A, B, margin);
        if (manifold) this.addManifold({ bodyA: a, bodyB: b, friction, ...manifold });
      }
    }
  }

  /** Contacts of spheres with each other and with aligned boxes that are static (planes: the top face only). */
  touchSpheres(friction = 0.6, margin = 0.02): void {
    this.manifolds.length = 0;
    for (let a = 0; a < this.bodies.length; a++) {
      for (let b = a + 1; b < this.bodies.length; b++) {
        const A = this.bodies[a];
        const B = this.bodies[b];
        if (typeof B.half !== 'number') continue;
        if (typeof A.half !== 'number') {
          const top = A.position[1] + A.half[1];
          const separation = B.position[1] - B.half - top;
          if (separation > margin) continue;
          const at: Vec3 = [B.position[0], top, B.position[2]];
          this.addManifold({ bodyA: a, bodyB: b, normal: [0, 1, 0], points: [{ at, separation }], friction });
          continue;
        }
        const offset = minus(B.position, A.position);
        const distance = length(offset);
        const separation = distance - A.half - B.half;
        if (separation > margin || distance === 0) continue;
        const normal = scaled(offset, 1 / distance);
        const at = plus(A.position, scaled(normal, A.half));
        this.addManifold({ bodyA: a, bodyB: b, normal, points: [{ at, separation }], friction });
      }
    }
  }

  /** Writes everything into the memory of a core whose memory is initialised; sets default parameters. */
  write(core: CoreExports, memory: WebAssembly.Memory): this {
    this.memory = memory;
    const n = this.bodies.length;
    const m = this.manifolds.length;
    const blocks = Math.ceil(m / MANIFOLD_BLOCK);
    const arrays: [keyof typeof Header, number][] = [
      ['bodyRows', BodyRow.STRIDE * n],
      ['bodyDeltas', BodyDelta.STRIDE * n],
      ['bodyAccels', BodyAccel.STRIDE * n],
      ['bodyInertias', BodyInertia.STRIDE * n],
      ['bodyCenters', BodyCenter.STRIDE * n],
      ['bodyColds', BodyCold.STRIDE * n],
      ['positions', 16 * n],
      ['rotations', 16 * n],
      ['bodyNodes', BodyNode.STRIDE * n],
      ['islandParents', 4 * n],
      ['islandMembers', 4 * n],
      ['manifoldBlocks', 4 * blocks],
      ['activeManifolds', 4 * m],
    ];
    for (const [field, bytes] of arrays) {
      const address = core.allocate(Math.max(bytes, 64)) >>> 0;
      this.setHeader(field, address);
    }
    for (let i = 0; i < blocks; i++) {
      const block = core.allocate(Manifold.STRIDE * MANIFOLD_BLOCK) >>> 0;
      this.view().setUint32(this.header('manifoldBlocks') + 4 * i, block, true);
    }
    this.setHeader('manifoldBlocksCapacity', blocks);
    this.setHeader('bodyCapacity', n);
    this.setHeader('bodyCount', n);
    this.setHeader('bodyAlive', n);
    this.setHeader('manifoldCapacity', blocks * MANIFOLD_BLOCK);
    this.setHeader('manifoldCount', m);
    this.setHeader('manifoldAlive', m);
    this.setHeader('activeCount', m);
    const parameters: [keyof typeof Header, number][] = [
      ['gravityY', this.gravity],
      ['dt', 1 / 60],
      ['softStep', 1 / 60],
      ['contactHertzRatio', 0.16],
      ['dampingRatio', 10],
      ['pushSpeed', 3],
      ['speculativeMargin', 0.02],
      ['recycleDistance', 0.005],
      ['restitutionThreshold', 1],
      ['warmStart', 1],
      ['linearSlop', 0],
      ['maxLinearSpeed', 400],
      ['maxAngularSpeed', 400],
    ];
    for (const [field, value] of parameters) this.setHeaderFloat(field, value);
    for (const [field, value] of [
      ['solver', SOLVER_PGS],
      ['substeps', 8],
      ['sweeps', 2],
      ['granularity', 128],
      ['cellBodyCap', 96],
      ['frictionModel', 0],
    ] as const) {
      this.setHeader(field, value);
    }
    this.bodies.forEach((_, i) => {
      this.writeBody(i);
    });
    this.manifolds.forEach((_, i) => {
      this.writeManifold(i, i);
    });
    for (let i = 0; i < n; i++) core.testInitNode(i);
    for (const { bodyA, bodyB } of this.manifolds) core.testCouple(bodyA, bodyB);
    return this;
  }

  private view(): DataView {
    return new DataView(this.memory.buffer);
  }

  /** A word of the header; substeps are those of this step too, as they would be for steps of one length. */
  setHeader(field: keyof typeof Header, value: number): void {
    if (field === 'substeps') this.setHeader('stepSubsteps', value);
    this.view().setUint32(HEADER_PTR + Header[field], value, true);
  }
  setHeaderFloat(field: keyof typeof Header, value: number): void {
    this.view().setFloat32(HEADER_PTR + Header[field], value, true);
  }
  header(field: keyof typeof Header): number {
    return this.view().getUint32(HEADER_PTR + Header[field], true);
  }

  private writeBody(i: number): void {
    const body = this.bodies[i];
    const view = this.view();
    const put = (base: number, values: number[]) => {
      values.forEach((value, k) => {
        view.setFloat32(base + k * 4, value, true);
      });
    };
    const [x, y, z] = body.velocity ?? [0, 0, 0];
    const [wx, wy, wz] = body.spin ?? [0, 0, 0];
    put(this.header('bodyRows') + i * BodyRow.STRIDE, [x, y, z, body.mass > 0 ? 1 / body.mass : 0, wx, wy, wz, 0]);
    put(this.header('bodyAccels') + i * BodyAccel.STRIDE, [0, body.mass > 0 ? this.gravity : 0, 0, 0, 0, 0, 0, 0]);
    put(this.header('bodyInertias') + i * BodyInertia.STRIDE, [...invInertia(body), 0, 0]);
    put(this.header('bodyDeltas') + i * BodyDelta.STRIDE, [0, 0, 0, 0, 0, 0, 0, 0]);
    const high = body.position.map(Math.fround);
    const low = body.position.map((value, k) => value - high[k]);
    put(this.header('bodyCenters') + i * BodyCenter.STRIDE, [...high, 0, ...low, 0]);
    put(this.header('positions') + i * 16, [...high, 1]);
    put(this.header('rotations') + i * 16, [0, 0, 0, 1]);
    view.setUint32(this.header('bodyColds') + i * BodyCold.STRIDE + BodyCold.flags, (body.mass > 0 ? 2 : 0) | 256, true);
  }

  /** Byte address of a manifold. */
  private addressOf(slot: number): number {
    const block = this.header('manifoldBlocks') + 4 * Math.floor(slot / MANIFOLD_BLOCK);
    return this.view().getUint32(block, true) + (slot % MANIFOLD_BLOCK) * Manifold.STRIDE;
  }

  /** Writes manifold `spec` into slot `slot`; impulses zero. */
  private writeManifold(slot: number, spec: number): void {
    const m = this.manifolds[spec];
    const view = this.view();
    const base = this.addressOf(slot);
    const u = (field: keyof typeof Manifold, value: number) => view.setUint32(base + Manifold[field], value, true);
    const f = (field: keyof typeof Manifold, value: number) => view.setFloat32(base + Manifold[field], value, true);
    const tangent = tangentOf(m.normal);
    u('bodyA', m.bodyA);
    u('bodyB', m.bodyB);
    u('pair', slot);
    u('next', NONE);
    u('count', m.points.length);
    u('lane', NONE);
    ['nx', 'ny', 'nz'].forEach((name, k) => {
      f(name as keyof typeof Manifold, m.normal[k]);
    });
    ['tx', 'ty', 'tz'].forEach((name, k) => {
      f(name as keyof typeof Manifold, tangent[k]);
    });
    f('friction', m.friction);
    f('restitution', m.restitution ?? 0);
    if ((m.restitution ?? 0) > 0) this.setHeader('anyRestitution', 1);
    f('rollArm', m.rollArm ?? 0);
    if ((m.rollArm ?? 0) > 0) this.setHeader('anyRolling', 1);
    const center = scaled(
      m.points.reduce<Vec3>((sum, p) => plus(sum, p.at), [0, 0, 0]),
      1 / m.points.length,
    );
    const spread = m.points.reduce((sum, p) => sum + length(minus(p.at, center)), 0) / m.points.length;
    f('twistRadius', Math.max(spread, 0.005));
    m.points.forEach((p, i) => {
      const rA = minus(p.at, this.bodies[m.bodyA].position);
      const rB = minus(plus(p.at, scaled(m.normal, p.separation)), this.bodies[m.bodyB].position);
      (['x', 'y', 'z'] as const).forEach((axis, k) => {
        f(`ra${axis}${i}` as keyof typeof Manifold, rA[k]);
        f(`rb${axis}${i}` as keyof typeof Manifold, rB[k]);
      });
      f(`separation${i}` as keyof typeof Manifold, p.separation);
    });
    view.setUint32(this.header('activeManifolds') + slot * 4, slot, true);
  }

  /** Velocities of all bodies: x y z and angular x y z. */
  velocities(): Float64Array {
    const view = this.view();
    const out = new Float64Array(this.bodies.length * 6);
    for (let i = 0; i < this.bodies.length; i++) {
      const base = this.header('bodyRows') + i * BodyRow.STRIDE;
      for (let k = 0; k < 3; k++) {
        out[i * 6 + k] = view.getFloat32(base + k * 4, true);
        out[i * 6 + 3 + k] = view.getFloat32(base + 16 + k * 4, true);
      }
    }
    return out;
  }

  /** Translation and rotation vector of all bodies in the last step. */
  deltas(): Float64Array {
    const view = this.view();
    const out = new Float64Array(this.bodies.length * 6);
    for (let i = 0; i < this.bodies.length; i++) {
      const base = this.header('bodyDeltas') + i * BodyDelta.STRIDE;
      for (let k = 0; k < 3; k++) {
        out[i * 6 + k] = view.getFloat32(base + k * 4, true);
        out[i * 6 + 3 + k] = view.getFloat32(base + 16 + k * 4, true);
      }
    }
    return out;
  }

  /** One float of a manifold. */
  manifold(slot: number, field: keyof typeof Manifold): number {
    return this.view().getFloat32(this.addressOf(slot) + Manifold[field], true);
  }
  setManifold(slot: number, field: keyof typeof Manifold, value: number): void {
    this.view().setFloat32(this.addressOf(slot) + Manifold[field], value, true);
  }

  /** Restores velocities and separations and clears deltas; impulses stay (a warm start) unless `cold`. */
  reset(cold: boolean): void {
    this.bodies.forEach((_, i) => {
      this.writeBody(i);
    });
    this.manifolds.forEach((m, slot) => {
      for (let i = 0; i < 4; i++) {
        this.setManifold(slot, `separation${i}` as keyof typeof Manifold, m.points[i]?.separation ?? 0);
        if (cold) {
          this.setManifold(slot, `impulse${i}` as keyof typeof Manifold, 0);
          this.setManifold(slot, `maxImpulse${i}` as keyof typeof Manifold, 0);
        }
      }
      if (cold) {
        for (const field of ['tangentImpulse1', 'tangentImpulse2', 'twistImpulse'] as const) this.setManifold(slot, field, 0);
      }
    });
  }

  /** Starts a step: motion since its start is zero. */
  clearDeltas(): void {
    new Uint8Array(this.memory.buffer, this.header('bodyDeltas'), this.bodies.length * BodyDelta.STRIDE).fill(0);
  }

  /** A copy of the first bytes of an array. */
  bytes(field: keyof typeof Header, count: number): Uint8Array {
    const base = this.header(field);
    return new Uint8Array(this.memory.buffer.slice(base, base + count));
  }

  /** Momentum and angular momentum about the origin of all dynamic bodies. */
  momentum(): { linear: Vec3; angular: Vec3 } {
    const v = this.velocities();
    let linear: Vec3 = [0, 0, 0];
    let angular: Vec3 = [0, 0, 0];
    this.bodies.forEach((body, i) => {
      if (body.mass === 0) return;
      const p = scaled([v[i * 6], v[i * 6 + 1], v[i * 6 + 2]], body.mass);
      const inverse = invInertia(body);
      const spin: Vec3 = [v[i * 6 + 3] / inverse[0], v[i * 6 + 4] / inverse[1], v[i * 6 + 5] / inverse[2]];
      linear = plus(linear, p);
      angular = plus(angular, plus(cross(body.position, p), spin));
    });
    return { linear, angular };
  }
}

/** Inverse inertia of an aligned box or a sphere: xx yy zz xy xz yz. */
function invInertia(body: BodySpec): number[] {
  if (body.mass === 0) return [0, 0, 0, 0, 0, 0];
  if (typeof body.half === 'number') {
    const i = 2.5 / (body.mass * body.half * body.half);
    return [i, i, i, 0, 0, 0];
  }
  const [x, y, z] = body.half.map((h) => h * h);
  const c = 3 / body.mass;
  return [c / (y + z), c / (x + z), c / (x + y), 0, 0, 0];
}

function tangentOf(n: Vec3): Vec3 {
  const t: Vec3 = Math.abs(n[0]) > 0.57 ? [n[1], -n[0], 0] : [0, n[2], -n[1]];
  return scaled(t, 1 / length(t));
}

function boxContact(A: BodySpec, B: BodySpec, margin: number): Pick<ManifoldSpec, 'normal' | 'points'> | null {
  const a = A.half as Vec3;
  const b = B.half as Vec3;
  const offset = minus(B.position, A.position);
  let axis = 0;
  let separation = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < 3; k++) {
    const gap = Math.abs(offset[k]) - a[k] - b[k];
    if (gap > separation) {
      separation = gap;
      axis = k;
    }
  }
  if (separation > margin) return null;
  const normal: Vec3 = [0, 0, 0];
  normal[axis] = offset[axis] < 0 ? -1 : 1;
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  const range = (k: number): [number, number] => [
    Math.max(A.position[k] - a[k], B.position[k] - b[k]),
    Math.min(A.position[k] + a[k], B.position[k] + b[k]),
  ];
  const [u0, u1] = range(u);
  const [v0, v1] = range(v);
  if (u1 - u0 < 1e-3 || v1 - v0 < 1e-3) return null;
  const corner = (cu: number, cv: number) => {
    const at: Vec3 = [0, 0, 0];
    at[axis] = A.position[axis] + normal[axis] * a[axis];
    at[u] = cu;
    at[v] = cv;
    return { at, separation };
  };
  return { normal, points: [corner(u0, v0), corner(u1, v0), corner(u1, v1), corner(u0, v1)] };
}

const floor: BodySpec = { position: [0, -1, 0], half: [500, 1, 500], mass: 0 };

/** n unit boxes on top of each other on a floor. */
export function stack(n: number): Problem {
  const problem = new Problem();
  problem.addBody(floor);
  for (let i = 0; i < n; i++) problem.addBody({ position: [0, 0.5 + i, 0], half: [0.5, 0.5, 0.5], mass: 1000 });
  problem.touchBoxes();
  return problem;
}

/** A running-bond wall of 1 x 0.5 x 0.5 m bricks on a floor. */
export function wall(columns: number, layers: number): Problem {
  const problem = new Problem();
  problem.addBody(floor);
  for (let layer = 0; layer < layers; layer++) {
    for (let column = 0; column < columns; column++) {
      const x = column + (layer % 2) * 0.5;
      problem.addBody({ position: [x, 0.25 + layer * 0.5, 0], half: [0.5, 0.25, 0.25], mass: 500 });
    }
  }
  problem.touchBoxes(0.6, 0.005);
  return problem;
}

/** A plate on `pillars` thin pillars: one body in many contact blocks. Pillars of mass 0 are static. */
export function plate(pillars: number, pillarMass = 20, overhang = 0): Problem {
  const problem = new Problem();
  problem.addBody(floor);
  for (let i = 0; i < pillars; i++) {
    problem.addBody({ position: [(i - (pillars - 1) / 2) * 0.5, 0.5, 0], half: [0.05, 0.5, 0.05], mass: pillarMass });
  }
  problem.addBody({ position: [0, 1.05, 0], half: [pillars * 0.25 + overhang, 0.05, 0.3 + overhang], mass: 200 });
  problem.touchBoxes();
  return problem;
}

/** n boxes of random sizes dropped on each other, aligned with the axes, with random velocities. */
export function pile(n: number, seed: number, speed = 0.5): Problem {
  const next = random(seed);
  const problem = new Problem();
  problem.addBody(floor);
  const width = Math.sqrt(n) * 0.45;
  for (let i = 0; i < n; i++) {
    const half: Vec3 = [0.2 + 0.3 * next(), 0.2 + 0.3 * next(), 0.2 + 0.3 * next()];
    const x = (next() - 0.5) * width;
    const z = (next() - 0.5) * width;
    let top = 0;
    for (const other of problem.bodies.slice(1)) {
      const o = other.half as Vec3;
      if (Math.abs(other.position[0] - x) < o[0] + half[0] && Math.abs(other.position[2] - z) < o[2] + half[2]) {
        top = Math.max(top, other.position[1] + o[1]);
      }
    }
    const jitter = (): Vec3 => [(next() - 0.5) * speed, (next() - 0.5) * speed, (next() - 0.5) * speed];
    const mass = 8000 * half[0] * half[1] * half[2];
    problem.addBody({ position: [x, top + half[1], z], half, mass, velocity: jitter(), spin: jitter() });
  }
  problem.touchBoxes(0.5, 0.01);
  return problem;
}

/** n spheres in a loose heap on a floor. */
export function sphereHeap(n: number, seed: number): Problem {
  const next = random(seed);
  const problem = new Problem();
  problem.addBody(floor);
  const side = Math.ceil(Math.cbrt(n));
  for (let i = 0; i < n; i++) {
    const x = i % side;
    const z = Math.floor(i / side) % side;
    const y = Math.floor(i / (side * side));
    const noise = () => (next() - 0.5) * 0.08;
    const position: Vec3 = [x * 0.78 + noise(), 0.4 + y * 0.78 + noise(), z * 0.78 + noise()];
    problem.addBody({ position, half: 0.4, mass: 250 + 100 * next(), velocity: [noise(), noise(), noise()] });
  }
  problem.touchSpheres();
  return problem;
}
