// The common part of all rigs: shapes, bodies and joints that are created and removed together. Creating one is all or nothing.
import type { BodyDesc, BodyId, JointDesc, JointId, ShapeDesc, ShapeId, World } from '../index';
import { checkWorld } from './check';

/** The calls of a world that rigs use; worlds of `talus` and of `talus/study` have them. */
export type RigWorld = Pick<
  World,
  | 'createShape'
  | 'removeShape'
  | 'createBody'
  | 'removeBody'
  | 'isAlive'
  | 'createJoint'
  | 'removeJoint'
  | 'hasJoint'
  | 'setJoint'
  | 'getPose'
>;

/** A set of bodies and joints that belong together. */
export interface Rig {
  readonly bodies: readonly BodyId[];
  readonly joints: readonly JointId[];
  /** Removes all of its bodies and joints that still exist. */
  dispose(): void;
}

/** Returns vectors by their components, which may be accessors. */
function plainVector(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || !('x' in value)) return value;
  const { x, y, z } = value as Record<string, unknown>;
  return [x, y, z];
}

/** Creates the parts of a rig. */
export class Assembly implements Rig {
  readonly bodies: BodyId[] = [];
  readonly joints: JointId[] = [];
  private readonly shapes = new Map<string, ShapeId>();

  constructor(private readonly world: RigWorld) {}

  /** Returns one shape for all equal descriptions. */
  shape(desc: ShapeDesc): ShapeId {
    const key = JSON.stringify(desc, plainVector);
    let id = this.shapes.get(key);
    if (id === undefined) {
      id = this.world.createShape(desc);
      this.shapes.set(key, id);
    }
    return id;
  }

  body(desc: BodyDesc): BodyId {
    const id = this.world.createBody(desc);
    this.bodies.push(id);
    return id;
  }

  joint(desc: JointDesc): JointId {
    const id = this.world.createJoint(desc);
    this.joints.push(id);
    return id;
  }

  dispose(): void {
    for (const id of this.joints) if (this.world.hasJoint(id)) this.world.removeJoint(id);
    for (const id of this.bodies) if (this.world.isAlive(id)) this.world.removeBody(id);
    for (const id of this.shapes.values()) this.world.removeShape(id);
    this.joints.length = 0;
    this.bodies.length = 0;
    this.shapes.clear();
  }
}

/** Runs `make`. If it throws, everything that it created is removed again. */
export function assemble<T>(world: RigWorld, make: (rig: Assembly) => T): T {
  checkWorld(world, 'a rig');
  const rig = new Assembly(world);
  try {
    return make(rig);
  } catch (error) {
    rig.dispose();
    throw error;
  }
}
