// Collects shapes and bodies of a scene and turns them into the flat arrays of SceneBodies. Every scene file uses it.
import { frameOf, inverse, join, swing, turn } from './frames';
import {
  type CompoundChild,
  DYNAMIC,
  KINEMATIC,
  type Quat,
  type Scene,
  type SceneChecks,
  type SceneJoint,
  type SceneTraits,
  type ShapeDef,
  STATIC,
  type Vec3,
  WORLD,
} from './types';

export const IDENTITY: Quat = [0, 0, 0, 1];
export const GRAVITY = 9.81;
export const DENSITY = 1000;
export const FRICTION = 0.6;

interface BodyInput {
  type: number;
  shape: number;
  position: Vec3;
  rotation: Quat;
  linearVelocity: Vec3;
  angularVelocity: Vec3;
  density: number;
  friction: number;
  restitution: number;
}

export type BodyOptions = Partial<Omit<BodyInput, 'type' | 'shape' | 'position'>> & Omit<SceneTraits, 'body'>;

type JointSettings = Omit<SceneJoint, 'type' | 'bodyA' | 'bodyB' | 'anchorA' | 'anchorB' | 'frameA' | 'frameB' | 'collide'>;

/** Where a joint sits, in the world, with the bodies where they start. */
export interface JointPlace {
  at: Vec3;
  /** Where the anchor of B is, if not there too (ropes, rods, pulleys). */
  atB?: Vec3;
  /** Axis z, unit length; y if left out. */
  axis?: Vec3;
  /** Axis z in body B at the start, if it is another one: its frame is turned there by the shortest way. */
  axisB?: Vec3;
  /** Axis x, unit length, upright on `axis`; any if left out. */
  side?: Vec3;
}

export class SceneBuilder {
  readonly shapes: ShapeDef[] = [];
  private readonly bodies: BodyInput[] = [];
  private readonly joints: SceneJoint[] = [];
  private readonly traits: SceneTraits[] = [];
  private readonly known = new Map<string, number>();

  /** @param friction Coefficient of every body that does not bring its own. */
  constructor(private readonly friction: number = FRICTION) {}

  /** Adds a shape and answers its index; equal spheres, boxes and the like are stored once. */
  shape(def: ShapeDef): number {
    const plain =
      def.type === 'sphere' || def.type === 'box' || def.type === 'capsule' || def.type === 'cylinder' || def.type === 'cone';
    const key = plain ? JSON.stringify(def) : '';
    const found = plain ? this.known.get(key) : undefined;
    if (found !== undefined) return found;
    this.shapes.push(def);
    if (plain) this.known.set(key, this.shapes.length - 1);
    return this.shapes.length - 1;
  }

  box(hx: number, hy: number, hz: number): number {
    return this.shape({ type: 'box', halfExtents: [hx, hy, hz] });
  }

  compound(children: CompoundChild[]): number {
    return this.shape({ type: 'compound', children });
  }

  /** Adds a body that does not move and answers its index. */
  fixed(shape: number, position: Vec3, options: BodyOptions = {}): number {
    return this.body(STATIC, shape, position, { density: 0, ...options });
  }

  /** Adds a moving body and answers its index. */
  dynamic(shape: number, position: Vec3, options: BodyOptions = {}): number {
    return this.body(DYNAMIC, shape, position, options);
  }

  /** Adds a body that moves as it is told and answers its index. */
  kinematic(shape: number, position: Vec3, options: BodyOptions = {}): number {
    return this.body(KINEMATIC, shape, position, { density: 0, ...options });
  }

  /** Joins two bodies (WORLD for what does not move) that do not collide with each other from now on; answers the index. */
  joint(type: SceneJoint['type'], bodyA: number, bodyB: number, place: JointPlace, settings: JointSettings = {}): number {
    const axisA = place.axis ?? [0, 1, 0];
    const frame = frameOf(axisA, place.side);
    const frameInB = place.axisB ? join(swing(axisA, place.axisB), frame) : frame;
    const [positionA, rotationA] = this.pose(bodyA);
    const [positionB, rotationB] = this.pose(bodyB);
    const local = (position: Vec3, rotation: Quat, point: Vec3): Vec3 =>
      turn(inverse(rotation), [point[0] - position[0], point[1] - position[1], point[2] - position[2]]);
    this.joints.push({
      type,
      bodyA,
      bodyB,
      anchorA: local(positionA, rotationA, place.at),
      anchorB: local(positionB, rotationB, place.atB ?? place.at),
      frameA: join(inverse(rotationA), frame),
      frameB: join(inverse(rotationB), frameInB),
      ...settings,
      collide: false,
    });
    return this.joints.length - 1;
  }

  /** Joins two bodies by frames in them, for figures that are published so; otherwise as `joint`. */
  jointByFrames(
    type: SceneJoint['type'],
    bodyA: number,
    bodyB: number,
    frames: Pick<SceneJoint, 'anchorA' | 'anchorB' | 'frameA' | 'frameB'>,
    settings: JointSettings = {},
  ): number {
    this.joints.push({ type, bodyA, bodyB, ...frames, ...settings, collide: false });
    return this.joints.length - 1;
  }

  /** Numbers of bodies and joints so far. */
  get counts(): { bodies: number; joints: number } {
    return { bodies: this.bodies.length, joints: this.joints.length };
  }

  /** A floor whose upper face is y = 0. */
  floor(halfSize: number): void {
    this.fixed(this.box(halfSize, 0.5, halfSize), [0, -0.5, 0]);
  }

  /** Floor at y = 0 and four walls around the square |x|, |z| <= halfSize, open at the top. */
  container(halfSize: number, height: number): void {
    const half = height / 2;
    this.floor(halfSize + 2);
    const wallX = this.box(0.5, half, halfSize + 1);
    const wallZ = this.box(halfSize + 1, half, 0.5);
    this.fixed(wallX, [halfSize + 0.5, half, 0]);
    this.fixed(wallX, [-halfSize - 0.5, half, 0]);
    this.fixed(wallZ, [0, half, halfSize + 0.5]);
    this.fixed(wallZ, [0, half, -halfSize - 0.5]);
  }

  build(
    name: string,
    title: string,
    seed: number,
    checks: Partial<SceneChecks> & Pick<SceneChecks, 'bounds'>,
    parts?: Scene['parts'],
  ): Scene {
    const n = this.bodies.length;
    const flat3 = (get: (b: BodyInput) => Vec3) => Float32Array.from(this.bodies.flatMap((b) => [...get(b)]));
    const scalar = (get: (b: BodyInput) => number) => Float32Array.from(this.bodies, get);
    let triangles = 0;
    for (const s of this.shapes) if (s.type === 'mesh') triangles += s.indices.length / 3;
    return {
      name,
      title,
      seed,
      gravity: [0, -GRAVITY, 0],
      dt: 1 / 60,
      shapes: this.shapes,
      bodies: {
        count: n,
        type: Uint8Array.from(this.bodies, (b) => b.type),
        shape: Uint32Array.from(this.bodies, (b) => b.shape),
        position: flat3((b) => b.position),
        rotation: Float32Array.from(this.bodies.flatMap((b) => [...b.rotation])),
        linearVelocity: flat3((b) => b.linearVelocity),
        angularVelocity: flat3((b) => b.angularVelocity),
        density: scalar((b) => b.density),
        friction: scalar((b) => b.friction),
        restitution: scalar((b) => b.restitution),
      },
      ...(this.joints.length > 0 ? { joints: this.joints } : {}),
      ...(this.traits.length > 0 ? { traits: this.traits } : {}),
      ...(parts ? { parts } : {}),
      checks: {
        touching: false,
        stands: false,
        ...checks,
        triangles,
        dynamicCount: this.bodies.filter((b) => b.type === DYNAMIC).length,
      },
    };
  }

  /** Pose of a body as the scene will carry it, in single precision. */
  private pose(index: number): [Vec3, Quat] {
    if (index === WORLD) return [[0, 0, 0], IDENTITY];
    const { position: p, rotation: q } = this.bodies[index];
    const f = Math.fround;
    return [
      [f(p[0]), f(p[1]), f(p[2])],
      [f(q[0]), f(q[1]), f(q[2]), f(q[3])],
    ];
  }

  private body(type: number, shape: number, position: Vec3, given: BodyOptions): number {
    const { surfaceVelocity, oneWay, bullet, rollingResistance, scenery, tint, finish, ...options } = given;
    const traits = { surfaceVelocity, oneWay, bullet, rollingResistance, scenery, tint, finish };
    const known = Object.entries(traits).filter(([, value]) => value !== undefined);
    if (known.length > 0) this.traits.push({ body: this.bodies.length, ...Object.fromEntries(known) });
    this.bodies.push({
      type,
      shape,
      position,
      rotation: IDENTITY,
      linearVelocity: [0, 0, 0],
      angularVelocity: [0, 0, 0],
      density: DENSITY,
      friction: this.friction,
      restitution: 0,
      ...options,
    });
    return this.bodies.length - 1;
  }
}

/** Rotation about z by the angle whose cosine and sine are given (no trigonometric function, see random.ts). */
export function rotationAboutZ(cos: number, sin: number): Quat {
  const w = Math.sqrt(Math.max(0, (1 + cos) / 2));
  const z = Math.sqrt(Math.max(0, (1 - cos) / 2));
  return [0, 0, sin < 0 ? -z : z, w];
}
