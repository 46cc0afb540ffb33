// A scene with its act, as a world of the product.

import type { Act, ActWorld, Stage } from '../../scenes/act';
import { populate } from '../../scenes/stage';
import type { Scene } from '../../scenes/types';
import * as controllers from '../../src/controllers/index';
import { createWorld, type World, type WorldOptions } from '../../src/index';

/** The world, and the act that has been played before its first step. */
export async function actWorld<T extends Act>(
  scene: Scene,
  make: (stage: Stage) => T,
  options: WorldOptions = {},
): Promise<{ world: World; act: T; stage: Stage; play(steps: number, each?: (step: number) => void): void }> {
  const world = await createWorld({ gravity: scene.gravity, dt: scene.dt, sleep: false, ...options });
  const { bodies } = populate(world, scene);
  const stage: Stage = { scene, world: world as ActWorld, bodies, controllers };
  const act = make(stage);
  act.tick();
  return {
    world,
    act,
    stage,
    play(steps, each) {
      for (let i = 0; i < steps; i++) {
        world.step();
        act.tick();
        each?.(i);
      }
    },
  };
}
