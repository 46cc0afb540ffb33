// Applications of PlayCanvas without a picture, on talus.
import * as pc from 'playcanvas';
import { createTalusPhysics, type TalusPhysicsOptions, type TalusPhysicsWorld } from '../../src/playcanvas/index';

export interface Setup {
  app: pc.AppBase;
  physics: TalusPhysicsWorld;
  /** Frames of 1/60 s, or of `seconds`. */
  step(count?: number, seconds?: number): void;
  /** An entity with a collision and, unless `body` is null, a rigid body. */
  add(collision: object, body: object | null, at?: number[], turn?: number[]): pc.Entity;
}

export async function start(gravity = new pc.Vec3(0, -10, 0), more: TalusPhysicsOptions = {}): Promise<Setup> {
  const canvas = { width: 8, height: 8, style: {}, addEventListener() {}, removeEventListener() {} };
  const physics = await createTalusPhysics({ warn: false, ...more });
  const app = new pc.AppBase(canvas as unknown as HTMLCanvasElement);
  const options = new pc.AppOptions();
  options.graphicsDevice = new pc.NullGraphicsDevice(canvas as unknown as HTMLCanvasElement);
  options.componentSystems = [
    pc.RigidBodyComponentSystem,
    pc.CollisionComponentSystem,
    pc.JointComponentSystem,
    pc.RenderComponentSystem,
    pc.ModelComponentSystem,
  ] as never;
  options.resourceHandlers = [];
  options.physicsWorld = physics;
  app.init(options);
  app.systems.rigidbody!.gravity.copy(gravity);
  return {
    app,
    physics,
    step(count = 1, seconds = 1 / 60) {
      for (let i = 0; i < count; i++) {
        app.systems.fire('update', seconds);
        app.systems.fire('postUpdate', seconds);
      }
    },
    add(collision, body, at = [0, 0, 0], turn = [0, 0, 0]) {
      const entity = new pc.Entity('entity', app);
      entity.setPosition(at[0]!, at[1]!, at[2]!);
      entity.setEulerAngles(turn[0]!, turn[1]!, turn[2]!);
      app.root.addChild(entity);
      entity.addComponent('collision', collision);
      if (body) entity.addComponent('rigidbody', body);
      return entity;
    },
  };
}
