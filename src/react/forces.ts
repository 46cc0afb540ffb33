// Lasting forces, as Rapier has them: added to the engine before each step until they are reset.
import { Vector3 } from 'three';
import type { BodyId, World } from '../index';

interface Push {
  force: Vector3;
  torque: Vector3;
}

export class LastingForces {
  private readonly pushes = new Map<BodyId, Push>();

  constructor(private readonly world: World) {}

  /** Returns the lasting forces of a body. */
  of(body: BodyId): Push {
    return this.pushes.get(body) ?? { force: new Vector3(), torque: new Vector3() };
  }

  add(body: BodyId, force: Vector3 | null, torque: Vector3 | null, wakeUp: boolean): void {
    const push = this.of(body);
    if (force) push.force.add(force);
    if (torque) push.torque.add(torque);
    this.pushes.set(body, push);
    if (wakeUp) this.world.wake(body);
  }

  reset(body: BodyId, part: keyof Push, wakeUp: boolean): void {
    const push = this.pushes.get(body);
    if (!push) return;
    push[part].set(0, 0, 0);
    if (push.force.lengthSq() + push.torque.lengthSq() === 0) this.pushes.delete(body);
    if (wakeUp) this.world.wake(body);
  }

  forget(body: BodyId): void {
    this.pushes.delete(body);
  }

  /** Applies the forces before a step. Sleeping bodies stay asleep. */
  apply(): void {
    const { world } = this;
    for (const [body, { force, torque }] of this.pushes) {
      if (!world.isAlive(body) || world.getType(body) !== 'dynamic' || world.isAsleep(body)) continue;
      world.addForce(body, force);
      world.addTorque(body, torque);
    }
  }
}
