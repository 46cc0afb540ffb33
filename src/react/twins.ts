// activeCollisionTypes: events of kinematic and static bodies that touch each other. The engine makes no contacts for them. So
// each collider that requests such events gets a twin, a sensor of the same shape, and its handlers get the twin's overlaps as
// collisions.
import type { BodyId, BodyType, ColliderId, ContactEvent, World } from '../index';
import { ActiveCollisionTypes } from './constants';

const { KINEMATIC_FIXED, KINEMATIC_KINEMATIC, FIXED_FIXED } = ActiveCollisionTypes;

/** A collider that has a twin, and the types that it asks about. */
interface Original {
  collider: ColliderId;
  types: number;
}

export class Twins {
  private readonly originals = new Map<ColliderId, Original>();
  private readonly asked = new Set<ColliderId>();

  constructor(private readonly world: World) {}

  has(collider: ColliderId): boolean {
    return this.originals.has(collider);
  }

  /** Adds requested twins; returns them. */
  add(body: BodyId, colliders: readonly ColliderId[], types: number | undefined): ColliderId[] {
    const { world } = this;
    const type = world.getType(body);
    const mine = type === 'static' ? KINEMATIC_FIXED | FIXED_FIXED : KINEMATIC_FIXED | KINEMATIC_KINEMATIC;
    if (types === undefined || type === 'dynamic' || (types & mine & ~ActiveCollisionTypes.DEFAULT) === 0) return [];
    const twins: ColliderId[] = [];
    for (const collider of colliders) {
      const { shape, position, rotation, sensor, category, mask } = world.getCollider(collider);
      if (sensor) continue;
      const seesStatic = (types & FIXED_FIXED) !== 0;
      const twin = world.addCollider(body, { shape, position, rotation, category, mask, sensor: true, density: 0, seesStatic });
      this.originals.set(twin, { collider, types });
      this.asked.add(collider);
      twins.push(twin);
    }
    return twins;
  }

  forget(collider: ColliderId): void {
    this.originals.delete(collider);
    this.asked.delete(collider);
  }

  /**
   * Returns an event of a twin as an event of its original, or null if it should not be sent. Other events are returned
   * unchanged.
   */
  translate(event: ContactEvent): ContactEvent | null {
    const [a, b] = [this.originals.get(event.colliderA), this.originals.get(event.colliderB)];
    if (!a && !b) return event;
    if (a && b) return null;
    const { world } = this;
    const other = a ? event.colliderB : event.colliderA;
    const original = (a ?? b)!;
    // Both have twins: only one of them reports.
    if (this.asked.has(other) && other < original.collider) return null;
    if (world.isAlive(event.bodyA) && world.isAlive(event.bodyB)) {
      const pair = pairOf(world.getType(event.bodyA), world.getType(event.bodyB));
      if ((pair & original.types) === 0) return null;
    }
    const kind = event.kind === 'sensor-begin' ? 'begin' : 'end';
    return a ? { ...event, kind, colliderA: original.collider } : { ...event, kind, colliderB: original.collider };
  }
}

/** Returns the bits of a pair of types; 0 if one is dynamic, since the engine handles its contacts. */
function pairOf(a: BodyType, b: BodyType): number {
  if (a === 'dynamic' || b === 'dynamic') return 0;
  if (a !== b) return KINEMATIC_FIXED & ~ActiveCollisionTypes.DEFAULT;
  return (a === 'static' ? FIXED_FIXED : KINEMATIC_KINEMATIC) & ~ActiveCollisionTypes.DEFAULT;
}
