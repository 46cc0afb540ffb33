// Page of the pictures: Babylon.js draws what the plugin moves.
import * as B from '@babylonjs/core';
import { createTalusPlugin } from '../../../src/babylon/index';

const root = document.getElementById('root')!;

/** A scene of each kind of thing, after some seconds; what it is made of, for the test to count. */
async function draw(seconds: number) {
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 400;
  root.replaceChildren(canvas);
  const engine = new B.Engine(canvas, true, { preserveDrawingBuffer: true });
  const scene = new B.Scene(engine);
  scene.clearColor = new B.Color4(0.85, 0.9, 0.95, 1);
  const camera = new B.ArcRotateCamera('camera', -1.2, 1.15, 19, new B.Vector3(0, 1.5, 0), scene);
  camera.minZ = 0.1;
  new B.HemisphericLight('sky', new B.Vector3(0.3, 1, 0.2), scene).intensity = 0.6;
  new B.DirectionalLight('sun', new B.Vector3(-0.5, -1, 0.6), scene).intensity = 0.7;
  const plugin = await createTalusPlugin();
  scene.enablePhysics(new B.Vector3(0, -9.81, 0), plugin);
  const colored = <T extends B.AbstractMesh>(mesh: T, hex: string): T => {
    const material = new B.StandardMaterial(hex, scene);
    material.diffuseColor = B.Color3.FromHexString(hex);
    mesh.material = material;
    return mesh;
  };
  const field = colored(
    B.MeshBuilder.CreateGround('hills', { width: 16, height: 16, subdivisions: 32, updatable: true }, scene),
    '#6b8f5a',
  );
  const vertices = field.getVerticesData('position')!;
  for (let i = 0; i < vertices.length; i += 3) vertices[i + 1] = 0.04 * (vertices[i]! ** 2 + vertices[i + 2]! ** 2) - 0.6;
  field.updateVerticesData('position', vertices);
  field.createNormals(true);
  new B.PhysicsAggregate(field, B.PhysicsShapeType.HEIGHTFIELD, { mass: 0, friction: 0.7 }, scene);
  // A pile of thin instances.
  const crates = colored(B.MeshBuilder.CreateBox('crates', { size: 0.6 }, scene), '#d9822b');
  const matrices: number[] = [];
  for (let i = 0; i < 60; i++) {
    const [x, y, z] = [(i % 3) * 0.7 - 4, 1 + Math.floor(i / 9) * 0.7, (Math.floor(i / 3) % 3) * 0.7 - 1];
    matrices.push(...B.Matrix.Translation(x, y, z).asArray());
  }
  crates.thinInstanceSetBuffer('matrix', Float32Array.from(matrices), 16, false);
  new B.PhysicsAggregate(crates, B.PhysicsShapeType.BOX, { mass: 1, friction: 0.6 }, scene);
  const shapes = [
    [B.MeshBuilder.CreateSphere('ball', { diameter: 1 }, scene), B.PhysicsShapeType.SPHERE, '#c0392b'],
    [B.MeshBuilder.CreateCapsule('pill', { radius: 0.35, height: 1.5 }, scene), B.PhysicsShapeType.CAPSULE, '#8e44ad'],
    [B.MeshBuilder.CreateCylinder('drum', { diameter: 1, height: 0.9 }, scene), B.PhysicsShapeType.CYLINDER, '#2980b9'],
    [B.MeshBuilder.CreatePolyhedron('gem', { type: 2, size: 0.5 }, scene), B.PhysicsShapeType.CONVEX_HULL, '#16a085'],
  ] as const;
  shapes.forEach(([mesh, type, hex], i) => {
    colored(mesh, hex).position.set(2 + (i % 2), 2 + 1.5 * i, (i - 1) * 0.4);
    new B.PhysicsAggregate(mesh, type, { mass: 2, friction: 0.5 }, scene);
  });
  // A chain from a beam.
  let last: B.PhysicsAggregate | null = null;
  for (let i = 0; i < 7; i++) {
    const link = colored(
      B.MeshBuilder.CreateBox('link', { width: 0.6, height: 0.2, depth: 0.2 }, scene),
      i ? '#34495e' : '#111111',
    );
    link.position.set(-1 + 0.7 * i, 5.5, 3);
    const body: B.PhysicsAggregate = new B.PhysicsAggregate(link, B.PhysicsShapeType.BOX, { mass: i ? 0.5 : 0 }, scene);
    const pivots = [new B.Vector3(0.35, 0, 0), new B.Vector3(-0.35, 0, 0)] as const;
    if (last) last.body.addConstraint(body.body, new B.BallAndSocketConstraint(...pivots, B.Axis.Y, B.Axis.Y, scene));
    last = body;
  }
  let lowest = 9;
  for (let i = 0; i < seconds * 60; i++) (scene.getPhysicsEngine() as unknown as { _step(dt: number): void })._step(1 / 60);
  const viewer = new B.PhysicsViewer(scene);
  viewer.showBody(shapes[0][0].physicsBody!);
  await scene.whenReadyAsync();
  scene.render();
  for (const mesh of scene.meshes) if (mesh.physicsBody) lowest = Math.min(lowest, mesh.getAbsolutePosition().y);
  return { bodies: plugin.numBodies, lowest, joints: plugin.world.jointCount };
}

export interface Page {
  draw: typeof draw;
}
(window as unknown as { page: Page }).page = { draw };
