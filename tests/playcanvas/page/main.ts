// Page of the picture: PlayCanvas draws what the physics world moves.
import * as pc from 'playcanvas';
import { createTalusPhysics } from '../../../src/playcanvas/index';

const root = document.getElementById('root')!;

async function draw(seconds: number) {
  const canvas = document.createElement('canvas');
  canvas.style.width = '640px';
  canvas.style.height = '400px';
  root.replaceChildren(canvas);
  const physicsWorld = await createTalusPhysics();
  const app = new pc.Application(canvas, { physicsWorld, graphicsDeviceOptions: { preserveDrawingBuffer: true } });
  app.setCanvasFillMode(pc.FILLMODE_NONE, 640, 400);
  app.autoRender = false;
  app.start();
  app.scene.ambientLight = new pc.Color(0.4, 0.4, 0.45);
  const colored = (hex: string): pc.StandardMaterial => {
    const material = new pc.StandardMaterial();
    material.diffuse = new pc.Color().fromString(hex);
    material.update();
    return material;
  };
  const add = (
    type: 'box' | 'sphere' | 'capsule' | 'cylinder' | 'cone',
    hex: string,
    at: number[],
    collision: object,
    body: object,
    scale = [1, 1, 1],
  ): pc.Entity => {
    const entity = new pc.Entity(type);
    entity.addComponent('render', { type, material: colored(hex) });
    entity.setLocalScale(scale[0]!, scale[1]!, scale[2]!);
    entity.setPosition(at[0]!, at[1]!, at[2]!);
    app.root.addChild(entity);
    entity.addComponent('collision', collision);
    entity.addComponent('rigidbody', body);
    return entity;
  };
  const box = (x: number, y: number, z: number) => ({ type: 'box', halfExtents: [x, y, z] });
  add('box', '#6b8f5a', [0, -0.5, 0], box(8, 0.5, 8), { type: 'static', friction: 0.8 }, [16, 1, 16]);
  for (let row = 0; row < 8; row++) {
    for (let i = 0; i < 8 - row; i++) {
      add(
        'box',
        '#d9822b',
        [-4 + 0.62 * i + 0.31 * row, 0.3 + 0.6 * row, 0],
        box(0.3, 0.3, 0.3),
        { type: 'dynamic' },
        [0.6, 0.6, 0.6],
      );
    }
  }
  const dynamic = { type: 'dynamic', mass: 2, friction: 0.8 };
  const shapes = [
    add('sphere', '#c0392b', [2, 2, 0], { type: 'sphere', radius: 0.5 }, dynamic),
    add('capsule', '#8e44ad', [3, 4, 0.2], { type: 'capsule', radius: 0.5, height: 2 }, dynamic),
    add('cylinder', '#2980b9', [4, 2, -0.2], { type: 'cylinder', radius: 0.5, height: 1 }, dynamic),
    add('cone', '#16a085', [5, 3, 0.1], { type: 'cone', radius: 0.5, height: 1 }, dynamic),
  ];
  // A mesh of the scene as a surface: a bowl that a ball lies in.
  const torus = new pc.Entity('bowl');
  torus.addComponent('render', { type: 'torus', material: colored('#34495e') });
  torus.setLocalScale(4, 4, 4);
  torus.setPosition(3, 0.2, 4);
  app.root.addChild(torus);
  torus.addComponent('collision', { type: 'mesh', render: { meshes: [torus.render!.meshInstances[0]!.mesh] } });
  torus.addComponent('rigidbody', { type: 'static' });
  const inside = add('sphere', '#f1c40f', [3.2, 3, 4.1], { type: 'sphere', radius: 0.5 }, dynamic);
  const camera = new pc.Entity('camera');
  camera.addComponent('camera', { clearColor: new pc.Color(0.85, 0.9, 0.95) });
  camera.setPosition(1, 6, 14);
  camera.lookAt(0.5, 1, 0);
  app.root.addChild(camera);
  const light = new pc.Entity('light');
  light.addComponent('light', { type: 'directional', castShadows: true, shadowDistance: 40 });
  light.setEulerAngles(50, 30, 0);
  app.root.addChild(light);
  const starts: string[] = [];
  shapes[0]!.collision!.on('collisionstart', ({ other }: pc.ContactResult) => starts.push(other.name));
  for (let i = 0; i < seconds * 60; i++) app.systems.fire('update', 1 / 60);
  app.renderNextFrame = true;
  await new Promise<void>((done) => app.once('frameend', () => done()));
  return {
    bodies: physicsWorld.nativeWorld.bodyCount,
    starts,
    inside: inside.getPosition().toString(),
    distance: inside.getPosition().distance(torus.getPosition()),
  };
}

export interface Page {
  draw: typeof draw;
}
(window as unknown as { page: Page }).page = { draw };
