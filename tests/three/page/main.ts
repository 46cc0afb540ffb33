// Pictures of a world by three's renderers, for pictures.test.ts to drive through `window.talus`.
import {
  BatchedMesh,
  BoxGeometry,
  type BufferGeometry,
  Color,
  ConeGeometry,
  DataTexture,
  DirectionalLight,
  DoubleSide,
  Group,
  HemisphereLight,
  InstancedMesh,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshMatcapMaterial,
  MeshNormalMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MeshToonMaterial,
  PerspectiveCamera,
  PointLight,
  Quaternion,
  Scene,
  ShadowMaterial,
  SphereGeometry,
  TorusKnotGeometry,
  Vector3,
  WebGLRenderer,
} from 'three';
import { color, mix, mrt, output, pass, positionGeometry, positionLocal, vec3, vec4, velocity } from 'three/tsl';
import { MeshStandardNodeMaterial, RenderPipeline, WebGPURenderer } from 'three/webgpu';
import '../../../src/gpu/index';
import { type BodyId, createWorld, type World } from '../../../src/index';
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

/** Instances on the GPU, instances by matrices from the CPU, an object per body. */
type Drawn = 'instances' | 'matrices' | 'objects';

/** What a scene is made of in the tests of materials and shadows; small, for a software renderer. */
const SMALL = [200, 140] as const;
const OBJECTS = 6;

/** A texture of a gray ramp or of stripes. */
function texture(width: number, height: number, value: (x: number, y: number) => number): DataTexture {
  const data = new Uint8Array(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const at = value(i % width, Math.floor(i / width));
    data.set([at, at, 255 - at / 2, 255], 4 * i);
  }
  const made = new DataTexture(data, width, height);
  made.needsUpdate = true;
  return made;
}

const ramp = () => texture(3, 1, (x) => [60, 150, 255][x]!);
const stripes = () => texture(8, 8, (x, y) => ((x + y) % 2 === 0 ? 255 : 90));
const ball = () => texture(32, 32, (x, y) => Math.max(0, 255 - 14 * Math.hypot(x - 12, y - 20)));

const OWN_POSITION = 'nodes with a position of their own';

/** The materials that a picture is made of, by name: every class that three draws by nodes, and what is special about it. */
const MATERIALS: Record<string, () => Material | Material[]> = {
  basic: () => new MeshBasicMaterial({ color: 'orange', map: stripes() }),
  lambert: () => new MeshLambertMaterial({ color: 'teal', emissive: '#301008', flatShading: true }),
  'lambert with displacement': () =>
    new MeshLambertMaterial({ color: 'teal', displacementMap: stripes(), displacementScale: 0.2, displacementBias: 0.05 }),
  phong: () => new MeshPhongMaterial({ color: 'crimson', specular: '#aaddff', shininess: 80 }),
  toon: () => new MeshToonMaterial({ color: 'gold', gradientMap: ramp() }),
  standard: () => new MeshStandardMaterial({ color: 'white', roughness: 0.3, metalness: 0.6 }),
  'physical with a clear coat and sheen': () =>
    new MeshPhysicalMaterial({
      color: 'navy',
      roughness: 0.8,
      clearcoat: 1,
      clearcoatRoughness: 0.1,
      sheen: 1,
      sheenColor: new Color('red'),
    }),
  'physical with transmission': () => new MeshPhysicalMaterial({ roughness: 0.1, transmission: 0.9, thickness: 0.5, ior: 1.4 }),
  'physical with iridescence and anisotropy': () =>
    new MeshPhysicalMaterial({
      color: 'gray',
      roughness: 0.3,
      metalness: 0.7,
      iridescence: 1,
      iridescenceIOR: 1.8,
      anisotropy: 0.8,
    }),
  matcap: () => new MeshMatcapMaterial({ matcap: ball() }),
  normal: () => new MeshNormalMaterial(),
  transparent: () => new MeshStandardMaterial({ color: 'lime', transparent: true, opacity: 0.5, side: DoubleSide }),
  [OWN_POSITION]: () => {
    const material = new MeshStandardNodeMaterial({ roughness: 0.5 });
    material.colorNode = mix(color('purple'), color('yellow'), positionGeometry.y.add(0.5));
    material.positionNode = positionLocal.add(vec3(0, positionGeometry.x.mul(0.5), 0));
    return material;
  },
  'one per side': () =>
    ['red', 'green', 'blue', 'white', 'cyan', 'black'].map((side) => new MeshLambertMaterial({ color: side })),
};

/** The scene of a picture: bodies in the air, some turned. */
class Comparison {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(45, SMALL[0] / SMALL[1], 0.1, 100);
  readonly sun = new DirectionalLight(0xffffff, 2.5);

  private constructor(
    readonly renderer: WebGPURenderer,
    readonly world: World,
    readonly bodies: readonly BodyId[],
  ) {
    const { scene, camera, sun } = this;
    scene.background = new Color('#556677');
    camera.position.set(3, 4, 7);
    camera.lookAt(0, 1, 0);
    sun.position.set(4, 10, 3);
    scene.add(sun, new HemisphereLight(0xffffff, 0x334455, 0.8));
  }

  static async open(): Promise<Comparison> {
    const renderer = new WebGPURenderer({ antialias: false });
    await renderer.init();
    renderer.setSize(...SMALL);
    show(renderer.domElement);
    const world = await createWorld({ gravity: [0, 0, 0] });
    const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const bodies = Array.from({ length: OBJECTS }, (_, i) =>
      world.createBody({
        shape,
        position: [((i % 3) - 1) * 1.8, 0.6 + 1.6 * Math.floor(i / 3), -(i % 2)],
        angularVelocity: [1, 2 + i, 0.5],
        linearVelocity: [0.3, 0, 0],
      }),
    );
    for (let i = 0; i < 20; i++) world.step();
    return new Comparison(renderer, world, bodies);
  }

  /** Factors of the size of a body. */
  private size(i: number): [number, number, number] {
    return [1, i % 2 ? 0.6 : 1.2, 1 + 0.1 * i];
  }

  /** Calls `work` while the bodies are drawn in one of the ways, with a geometry and a material. */
  async drawn<T>(
    way: Drawn,
    geometry: BufferGeometry,
    material: Material | Material[],
    work: (group: Group, frame: () => void) => T | Promise<T>,
    colors?: (i: number) => Color,
    isUnbound = false,
  ): Promise<T> {
    const physics = new ThreePhysics(this.world);
    const group = new Group();
    this.scene.add(group);
    if (way !== 'objects') {
      const mesh = new InstancedMesh(geometry, material as Material, OBJECTS);
      for (let i = 0; i < OBJECTS; i++) mesh.setMatrixAt(i, new Matrix4().makeScale(...this.size(i)));
      if (colors) for (let i = 0; i < OBJECTS; i++) mesh.setColorAt(i, colors(i));
      mesh.castShadow = mesh.receiveShadow = true;
      group.add(mesh);
      if (way === 'matrices') physics.bind(mesh, this.bodies);
      else if (!isUnbound) physics.attach(new GpuInstances(this.world, this.renderer)).bind(mesh, this.bodies);
    } else {
      for (const [i, body] of this.bodies.entries()) {
        let own = material as Material;
        if (colors) {
          own = own.clone();
          (own as MeshBasicMaterial).color.multiply(colors(i));
        }
        const mesh = new Mesh(geometry, own);
        mesh.scale.set(...this.size(i));
        mesh.castShadow = mesh.receiveShadow = true;
        group.add(mesh);
        physics.bind(mesh, body);
      }
    }
    physics.sync(1);
    try {
      return await work(group, () => physics.sync(1));
    } finally {
      physics.dispose();
      this.scene.remove(group);
    }
  }

  async picture(): Promise<string> {
    this.renderer.render(this.scene, this.camera);
    return picture(this.renderer.domElement, SMALL);
  }
}

let comparison: Promise<Comparison> | undefined;
/** Pictures of instances on the GPU, and in the other way. */
async function bothWays(
  make: (comparison: Comparison, way: Drawn) => Promise<string>,
  other: Drawn = 'objects',
): Promise<{ gpu: string; other: string }> {
  comparison ??= Comparison.open();
  const stage = await comparison;
  return { gpu: await make(stage, 'instances'), other: await make(stage, other) };
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
      if (i % 10 === 0) renderer.render(scene, camera);
    }
    world.removeBody(bodies[70]!);
    const late = physics.add(new Mesh(new BoxGeometry(), new MeshStandardMaterial()).translateY(60));
    physics.sync(1);
    renderer.render(scene, camera);
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
    renderer.render(scene, camera);
    const onCpu = await picture(renderer.domElement);
    return { onGpu, onCpu, taken, backend: world.activeBackend, late: world.isAlive(late) };
  },

  materials: () => Object.keys(MATERIALS),

  /** A material on instances on the GPU, and on meshes of their own. */
  material(name: string) {
    const geometry = new BoxGeometry(1, 1, 1, 4, 4, 4);
    return bothWays(
      (stage, way) => stage.drawn(way, geometry, MATERIALS[name]!(), () => stage.picture()),
      // three evaluates a position node after it has placed an instance.
      name === OWN_POSITION ? 'matrices' : 'objects',
    );
  },

  /** Colors of instances, and a material that is changed and replaced after it was bound. */
  changed() {
    return bothWays((stage, way) => {
      const material = new MeshPhongMaterial({ color: 'white' });
      const colors = (i: number) => new Color().setHSL(i / OBJECTS, 1, 0.5);
      return stage.drawn(
        way,
        new SphereGeometry(0.6, 16, 12),
        material,
        async (group) => {
          await stage.picture();
          for (const mesh of group.children as Mesh<BufferGeometry, MeshPhongMaterial>[]) {
            mesh.material.shininess = 200;
            mesh.material.emissive.set('#402000');
          }
          return stage.picture();
        },
        colors,
      );
    });
  },

  /** A mesh that the CPU has drawn before, then the GPU, the CPU and the GPU again, while the bodies move on. */
  switched() {
    return bothWays(async (stage, way) => {
      const { world, renderer, bodies } = stage;
      const state = world.snapshot();
      const pictures: string[] = [];
      try {
        return await stage.drawn(
          way,
          new BoxGeometry(),
          new MeshNormalMaterial(),
          async (group, frame) => {
            const mesh = group.children[0] as InstancedMesh;
            const physics = new ThreePhysics(world);
            const drawing = new GpuInstances(world, renderer);
            for (let i = 0; i < 4; i++) {
              for (let k = 0; k < 10; k++) world.step();
              if (way === 'objects') frame();
              else if (i % 2) {
                drawing.bind(mesh, bodies);
                drawing.sync();
              } else {
                physics.bind(mesh, bodies);
                physics.sync();
              }
              pictures.push(await stage.picture());
              physics.unbind(mesh);
              drawing.unbind(mesh);
            }
            drawing.dispose();
            return pictures.join(' ');
          },
          undefined,
          true,
        );
      } finally {
        world.restore(state);
      }
    });
  },

  /**
   * Shadows of and on the bodies by a directional and a point light: all of it, on a material that shows nothing else, of bodies above the
   * picture, and without them.
   */
  shadows(shadows: boolean) {
    return bothWays(async (stage, way) => {
      const { scene, sun, renderer, camera } = stage;
      renderer.shadowMap.enabled = true;
      const floor = new Mesh(new BoxGeometry(14, 0.2, 14), new MeshStandardMaterial({ color: 'white' }));
      floor.position.y = -0.6;
      floor.receiveShadow = true;
      const roof = new Mesh(new BoxGeometry(1, 0.1, 3), new MeshStandardMaterial({ color: 'gray' }));
      roof.position.set(0.3, 4.5, 0.3);
      const lamp = new PointLight('orange', 60);
      lamp.position.set(-3, 4, 2);
      roof.castShadow = sun.castShadow = lamp.castShadow = shadows;
      for (const light of [sun, lamp]) light.shadow.mapSize.set(256, 256);
      scene.add(floor, roof, lamp);
      const { position, quaternion } = camera.clone();
      try {
        const inside = await stage.drawn(way, new BoxGeometry(), new MeshLambertMaterial({ color: 'white' }), () =>
          stage.picture(),
        );
        const only = new ShadowMaterial({ color: 'purple', opacity: 0.8 });
        const received = await stage.drawn(way, new BoxGeometry(), only, () => stage.picture());
        // The bodies are above the picture.
        camera.position.set(0, 0, 6);
        camera.lookAt(0, -2.8, 0);
        return await stage.drawn(way, new BoxGeometry(), new MeshLambertMaterial(), async (group) => {
          const outside = await stage.picture();
          group.visible = false;
          return [inside, received, outside, await stage.picture()].join(' ');
        });
      } finally {
        camera.position.copy(position);
        camera.quaternion.copy(quaternion);
        roof.castShadow = sun.castShadow = lamp.castShadow = false;
        renderer.shadowMap.enabled = false;
        scene.remove(floor, roof, lamp);
      }
    });
  },

  /** Motion vectors, as colors, of a step of moving bodies. */
  velocities() {
    return bothWays(async (stage, way) => {
      const { renderer, scene, camera, world } = stage;
      const pipeline = new RenderPipeline(renderer);
      const scenePass = pass(scene, camera);
      scenePass.setMRT(mrt({ output, velocity }));
      pipeline.outputNode = vec4(scenePass.getTextureNode('velocity').xy.abs().mul(20), 0, 1);
      const state = world.snapshot();
      try {
        return await stage.drawn(way, new BoxGeometry(), new MeshBasicMaterial(), async (_group, frame) => {
          for (let i = 0; i < 3; i++) {
            // three keeps poses of the last frame until the next one begins.
            await new Promise(requestAnimationFrame);
            world.step();
            frame();
            pipeline.render();
          }
          return picture(renderer.domElement, SMALL);
        });
      } finally {
        world.restore(state);
        pipeline.dispose();
      }
    });
  },

  /** Numbers of draw calls: with the bodies in the picture, behind the camera, there with shadows, and with them below a moved parent. */
  async culling() {
    comparison ??= Comparison.open();
    const stage = await comparison;
    const { renderer, scene, camera, sun } = stage;
    renderer.shadowMap.enabled = true;
    const count = () => {
      renderer.info.reset();
      renderer.render(scene, camera);
      return renderer.info.render.drawCalls;
    };
    const rotation = camera.quaternion.clone();
    const floor = new Mesh(new BoxGeometry(40, 0.2, 40), new MeshStandardMaterial());
    floor.position.y = -2;
    floor.receiveShadow = true;
    scene.add(floor);
    try {
      return await stage.drawn('instances', new BoxGeometry(), new MeshBasicMaterial(), (group, frame) => {
        const seen = count();
        camera.rotateY(Math.PI);
        const behind = count();
        sun.castShadow = true;
        const shadow = count();
        sun.castShadow = false;
        group.position.set(5, 0, 100);
        group.scale.setScalar(4);
        frame();
        const moved = count();
        camera.quaternion.copy(rotation);
        return { seen, behind, shadow, moved, again: count() };
      });
    } finally {
      scene.remove(floor);
      camera.quaternion.copy(rotation);
      renderer.shadowMap.enabled = false;
    }
  },
};

async function picture(canvas: HTMLCanvasElement, size: readonly [number, number] = SIZE): Promise<string> {
  const bitmap = await createImageBitmap(canvas);
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = size;
  copy.getContext('2d')!.drawImage(bitmap, 0, 0);
  return copy.toDataURL('image/png').slice('data:image/png;base64,'.length);
}

export type Harness = typeof harness;
(window as unknown as { talus: Harness }).talus = harness;
