// Scenes of Babylon.js without a picture, on talus or on the plugin that Babylon.js brings.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as BABYLON from '@babylonjs/core';
import HavokPhysics from '@babylonjs/havok';
import { createTalusPlugin, type TalusPlugin } from '../../src/babylon/index';

export interface Setup {
  scene: BABYLON.Scene;
  plugin: BABYLON.IPhysicsEnginePluginV2 & Pick<TalusPlugin, 'shapeCast' | 'shapeProximity' | 'pointProximity'>;
  engine: BABYLON.PhysicsEngineV2;
  /** Frames of 1/60 s. */
  step(count?: number): void;
}

let havok: Awaited<ReturnType<typeof HavokPhysics>> | undefined;

function setup(plugin: unknown, gravity: BABYLON.Vector3): Setup {
  const scene = new BABYLON.Scene(new BABYLON.NullEngine());
  scene.enablePhysics(gravity, plugin as BABYLON.IPhysicsEnginePluginV2);
  const engine = scene.getPhysicsEngine() as unknown as BABYLON.PhysicsEngineV2;
  return {
    scene,
    plugin: plugin as Setup['plugin'],
    engine,
    step(count = 1) {
      for (let i = 0; i < count; i++) {
        scene.onBeforePhysicsObservable.notifyObservers(scene);
        engine._step(1 / 60);
        scene.onAfterPhysicsObservable.notifyObservers(scene);
      }
    },
  };
}

export async function onTalus(gravity = new BABYLON.Vector3(0, -10, 0)): Promise<Setup & { talus: TalusPlugin }> {
  const talus = await createTalusPlugin({ warn: false });
  return { ...setup(talus, gravity), talus };
}

export async function onHavok(gravity = new BABYLON.Vector3(0, -10, 0)): Promise<Setup> {
  if (!havok) {
    const folder = dirname(createRequire(import.meta.url).resolve('@babylonjs/havok'));
    const file = join(folder.slice(0, folder.lastIndexOf('havok') + 5), 'lib/esm/HavokPhysics.wasm');
    havok = await HavokPhysics({ wasmBinary: readFileSync(file) as unknown as ArrayBuffer } as never);
  }
  return setup(new BABYLON.HavokPlugin(true, havok), gravity);
}

/** Box with a body. */
export function box(scene: BABYLON.Scene, at: number[], mass: number, size = 1, options: object = {}): BABYLON.PhysicsAggregate {
  const mesh = BABYLON.MeshBuilder.CreateBox('box', { size }, scene);
  mesh.position.fromArray(at);
  return new BABYLON.PhysicsAggregate(mesh, BABYLON.PhysicsShapeType.BOX, { mass, ...options }, scene);
}
