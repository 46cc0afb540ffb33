// Pictures of a world by three's renderers, for pictures.test.ts to drive through `window.talus`.
import {
  BatchedMesh,
  BoxGeometry,
  Color,
  ConeGeometry,
  DirectionalLight,
  HemisphereLight,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Quaternion,
  Scene,
  SphereGeometry,
  TorusKnotGeometry,
  Vector3,
  WebGLRenderer,
} from 'three';
import { WebGPURenderer } from 'three/webgpu';
import '../../../src/gpu/index';
import { createWorld } from '../../../src/index';
import { DebugRenderer, ThreePhysics } from '../../../src/three/index';
import { deviceOf, GpuInstances } from '../../../src/three_webgpu/index';

const SIZE = [640, 400] as const;

function stage(): { scene: Scene; camera: PerspectiveCamera } {
  const scene = new Scene();
  scene.background = new Color('#dfe6ee');
  const camera = new PerspectiveCamera(45, SIZE[0] / SIZE[1], 0.1, 200);
  camera.position.set(8, 7, 14);
  camera.lookAt(0, 2, 0);
  const sun = new DirectionalLight(0xffffff, 2.5);
  sun.position.set(5, 12, 8);
  scene.add(sun, new HemisphereLight(0xffffff, 0x667788, 1.2));
  return { scene, camera };
}

function floorMesh(): Mesh {
  const floor = new Mesh(new BoxGeometry(30, 1, 30), new MeshStandardMaterial({ color: '#8a8f98' }));
  floor.position.y = -0.5;
  return floor;
}

function pile(count: number, color: string): InstancedMesh {
  const mesh = new InstancedMesh(new BoxGeometry(1, 1, 1), new MeshStandardMaterial({ color, roughness: 0.6 }), count);
  const at = new Matrix4();
  const turn = new Quaternion();
  for (let i = 0; i < count; i++) {
    const place = new Vector3((i % 5) - 2, 0.6 + Math.floor(i / 25) * 1.1, (Math.floor(i / 5) % 5) - 2);
    turn.setFromAxisAngle(new Vector3(0, 1, 0), 0.1 * i);
    mesh.setMatrixAt(i, at.compose(place, turn, new Vector3(0.8, i % 3 === 0 ? 0.5 : 0.8, 0.8)));
  }
  return mesh;
}

const show = (canvas: HTMLCanvasElement) => document.getElementById('root')!.replaceChildren(canvas);

const harness = {
  /** All ways to draw bodies, by WebGL. */
  async webgl() {
    const renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    renderer.setSize(...SIZE);
    show(renderer.domElement);
    const { scene, camera } = stage();
    const world = await createWorld();
    const physics = new ThreePhysics(world);
    const floor = floorMesh();
    const boxes = pile(75, 'orange');
    const knot = new Mesh(new TorusKnotGeometry(0.6, 0.2, 64, 8), new MeshStandardMaterial({ color: 'crimson' }));
    knot.position.set(-4, 3, 1);
    const batched = new BatchedMesh(12, 4096, 16384, new MeshStandardMaterial());
    const kinds = [new SphereGeometry(0.5, 16, 12), new ConeGeometry(0.5, 1, 16)].map((geometry) =>
      batched.addGeometry(geometry),
    );
    for (let i = 0; i < 12; i++) {
      const id = batched.addInstance(kinds[i % 2]!);
      batched.setMatrixAt(id, new Matrix4().makeTranslation(4 + (i % 3), 1 + Math.floor(i / 3), (i % 2) * 2));
      batched.setColorAt(id, new Color().setHSL(i / 12, 0.7, 0.5));
    }
    scene.add(floor, boxes, knot, batched);
    physics.add(floor, { type: 'static' });
    physics.add(boxes, { density: 200 });
    physics.add(knot);
    physics.add(batched);
    scene.add(physics.attach(new DebugRenderer(world)));
    for (let i = 0; i < 90; i++) physics.update(1 / 60);
    renderer.render(scene, camera);
    return { bodies: world.bodyCount, calls: renderer.info.render.calls };
  },

  /** The same pile by WebGPU: drawn on the GPU, and by matrices from the CPU. */
  async webgpu(steps: number) {
    const renderer = new WebGPURenderer({ antialias: false });
    await renderer.init();
    renderer.setSize(...SIZE);
    show(renderer.domElement);
    const { scene, camera } = stage();
    const world = await createWorld({ backend: 'webgpu', device: deviceOf(renderer) });
    const physics = new ThreePhysics(world);
    const floor = floorMesh();
    scene.add(floor);
    physics.add(floor, { type: 'static' });
    const boxes = pile(75, 'orange');
    scene.add(boxes);
    const bodies = physics.add(boxes, { density: 200 });
    physics.unbind(boxes);
    const drawn = physics.attach(new GpuInstances(world, renderer));
    drawn.bind(boxes, bodies);
    for (let i = 0; i < steps; i++) {
      await world.stepAsync();
      physics.sync(1);
      if (i % 10 === 0) await renderer.renderAsync(scene, camera);
    }
    world.removeBody(bodies[70]!);
    const late = physics.add(new Mesh(new BoxGeometry(), new MeshStandardMaterial()).translateY(60));
    physics.sync(1);
    await renderer.renderAsync(scene, camera);
    const onGpu = await picture(renderer.domElement);
    const { taken } = drawn;
    drawn.dispose();
    const left = [...bodies.keys()].filter((i) => world.isAlive(bodies[i]!));
    const scales = Float32Array.from(left.flatMap((i) => [0.8, i % 3 === 0 ? 0.5 : 0.8, 0.8]));
    physics.bind(
      boxes,
      left.map((i) => bodies[i]!),
      { scales },
    );
    boxes.count = bodies.length - 1;
    physics.sync(1);
    await renderer.renderAsync(scene, camera);
    const onCpu = await picture(renderer.domElement);
    return { onGpu, onCpu, taken, backend: world.activeBackend, late: world.isAlive(late) };
  },
};

async function picture(canvas: HTMLCanvasElement): Promise<string> {
  const bitmap = await createImageBitmap(canvas);
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = SIZE;
  copy.getContext('2d')!.drawImage(bitmap, 0, 0);
  return copy.toDataURL('image/png').slice('data:image/png;base64,'.length);
}

export type Harness = typeof harness;
(window as unknown as { talus: Harness }).talus = harness;
