// The values of refs of bodies and colliders.
import { type BodyId, type ColliderId, TalusError, type World } from '../index';
import { BodyBase } from './body_base';
import { ColliderBase } from './collider_base';
import type { PairFilters } from './filters';
import type { LastingForces } from './forces';
import type { Twins } from './twins';

/** The context of a world, which the calls of bodies and colliders share. */
export interface ApiScope {
  readonly world: World;
  readonly forces: LastingForces;
  readonly filters: PairFilters;
  readonly twins: Twins;
  /** Bodies of components. */
  readonly bodies: ReadonlyMap<BodyId, { api: RigidBodyApi }>;
  colliderOf(id: ColliderId): ColliderApi;
}

/** A body. Getters return new `Vector3`s and `Quaternion`s unless you pass `out`; calls accept vectors in any form. */
export class RigidBodyApi extends BodyBase {
  constructor(
    private readonly scope: ApiScope,
    id: BodyId | null = null,
  ) {
    super(scope.world, scope.forces, id);
  }

  /** Its colliders, without the twins that `activeCollisionTypes` creates. */
  override get colliders(): ColliderId[] {
    return super.colliders.filter((id) => !this.scope.twins.has(id));
  }

  /** Returns one of its colliders, in the order of creation. @throws TalusError `invalid-argument` if it has fewer */
  collider(index: number): ColliderApi {
    const id = this.colliders[index];
    if (id === undefined) {
      throw new TalusError('invalid-argument', `${this.label} has no collider ${index}: it has ${this.numColliders()}`);
    }
    return this.scope.colliderOf(id);
  }
}

/** A collider. Getters return new `Vector3`s and `Quaternion`s; calls accept vectors in any form. */
export class ColliderApi extends ColliderBase {
  constructor(
    private readonly scope: ApiScope,
    id: ColliderId | null = null,
  ) {
    super(scope.world, scope.filters, id);
  }

  /** Returns the body that it is on; null if no component created that body. */
  parent(): RigidBodyApi | null {
    return this.scope.bodies.get(this.world.bodyOf(this.id))?.api ?? null;
  }
}
