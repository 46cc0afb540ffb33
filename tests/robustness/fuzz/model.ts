// What a world should hold, kept beside it from the calls alone: which things live, of which type, on which, what was set.
import type { BodyId, BodyType, ColliderId, JointId, ShapeId } from '../../../src/index';
import type { Any } from './draw';

export interface ModelBody {
  type: BodyType;
  colliders: ColliderId[];
}

export interface ModelState {
  bodies: Map<BodyId, ModelBody>;
  colliders: Map<ColliderId, { body: BodyId; shape: ShapeId }>;
  shapes: Map<ShapeId, { isSurface: boolean; isOfRig: boolean }>;
  joints: Map<JointId, readonly (BodyId | null)[]>;
  /** Bodies of characters that are gone, in a world that was restored to a time when they were there. */
  orphans: Set<BodyId>;
  /** What getters must answer: by name of the getter and id. */
  told: Map<string, { getter: string; id: number; value: Any }>;
  settings: Record<string, Any>;
  /** Pairs of colliders whose begin was sent and whose end was not. */
  touching: Set<string>;
  /** Ids of what was removed. */
  gone: { bodies: BodyId[]; colliders: ColliderId[]; shapes: ShapeId[]; joints: JointId[] };
}

export class Model {
  state: ModelState = {
    bodies: new Map(),
    colliders: new Map(),
    shapes: new Map(),
    joints: new Map(),
    orphans: new Set(),
    told: new Map(),
    settings: {},
    touching: new Set(),
    gone: { bodies: [], colliders: [], shapes: [], joints: [] },
  };

  /** A copy, for a snapshot. */
  copy(): ModelState {
    return structuredClone(this.state);
  }

  addBody(id: BodyId, type: BodyType, colliders: readonly ColliderId[], shapes: readonly ShapeId[]): void {
    this.state.bodies.set(id, { type, colliders: [] });
    for (const [i, collider] of colliders.entries()) this.addCollider(collider, id, shapes[i]!);
  }

  addCollider(id: ColliderId, body: BodyId, shape: ShapeId): void {
    this.state.bodies.get(body)!.colliders.push(id);
    this.state.colliders.set(id, { body, shape });
  }

  removeCollider(id: ColliderId): void {
    const { colliders, bodies, gone } = this.state;
    const list = bodies.get(colliders.get(id)!.body)!.colliders;
    list.splice(list.indexOf(id), 1);
    colliders.delete(id);
    gone.colliders.push(id);
    this.forget(id);
  }

  removeBody(id: BodyId): void {
    const { bodies, joints, gone } = this.state;
    for (const collider of [...bodies.get(id)!.colliders]) this.removeCollider(collider);
    for (const [joint, ends] of [...joints]) if (ends.includes(id)) this.removeJoint(joint);
    bodies.delete(id);
    gone.bodies.push(id);
    this.forget(id);
  }

  removeJoint(id: JointId): void {
    this.state.joints.delete(id);
    this.state.gone.joints.push(id);
    this.forget(id);
  }

  addShape(id: ShapeId, isSurface: boolean, isOfRig = false): void {
    this.state.shapes.set(id, { isSurface, isOfRig });
  }

  removeShape(id: ShapeId): void {
    this.state.shapes.delete(id);
    this.state.gone.shapes.push(id);
  }

  usersOf(shape: ShapeId): number {
    let users = 0;
    for (const collider of this.state.colliders.values()) if (collider.shape === shape) users++;
    return users;
  }

  hasSurface(body: BodyId): boolean {
    const { bodies, colliders, shapes } = this.state;
    return bodies.get(body)!.colliders.some((id) => shapes.get(colliders.get(id)!.shape)!.isSurface);
  }

  tell(getter: string, id: number, value: Any): void {
    this.state.told.set(`${getter} ${id}`, { getter, id, value });
  }

  private forget(id: number): void {
    for (const [key, entry] of this.state.told) if (entry.id === id) this.state.told.delete(key);
  }
}
