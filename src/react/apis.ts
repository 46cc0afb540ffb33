// What refs of bodies and colliders hold.
import { type BodyId, type ColliderId, TalusError, type World } from '../index';
import { BodyBase } from './body_base';
import { ColliderBase } from './collider_base';
import type { PairFilters } from './filters';
import type { LastingForces } from './forces';
import type { Twins } from './twins';

/** What the calls of bodies and colliders share: the context of their world. */
export interface ApiScope {
  readonly world: World;
  readonly forces: LastingForces;
  readonly filters: PairFilters;
  readonly twins: Twins;
  /** Bodies that were made by components. */
  readonly bodies: ReadonlyMap<BodyId, { api: RigidBodyApi }>;
  colliderOf(id: ColliderId): ColliderApi;
}

/** A body. Vectors come as `Vector3` and `Quaternion`, new ones each call unless `out` is given; calls take any form of them. */
export class RigidBodyApi extends BodyBase {
  constructor(
    private readonly scope: ApiScope,
    id: BodyId | null = null,
  ) {
    super(scope.world, scope.forces, id);
  }

  /** Without the twins that `activeCollisionTypes` makes. */
  override get colliders(): ColliderId[] {
    return super.colliders.filter((id) => !this.scope.twins.has(id));
  }

  /** One of its colliders, in the order in which they were made. @throws TalusError `invalid-argument` if it has fewer */
  collider(index: number): ColliderApi {
    const id = this.colliders[index];
    if (id === undefined) {
      throw new TalusError('invalid-argument', `${this.label} has no collider ${index}: it has ${this.numColliders()}`);
    }
    return this.scope.colliderOf(id);
  }
}

/** A collider. Vectors come as `Vector3` and `Quaternion`, new ones each call; calls take any form of them. */
export class ColliderApi extends ColliderBase {
  constructor(
    private readonly scope: ApiScope,
    id: ColliderId | null = null,
  ) {
    super(scope.world, scope.filters, id);
  }

  /** The body that it is on; null for one that was not made by a component. */
  parent(): RigidBodyApi | null {
    return this.scope.bodies.get(this.world.bodyOf(this.id))?.api ?? null;
  }
}
