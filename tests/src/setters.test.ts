// Every setter that a contact, an island or a sleeping body should feel does so from the next step on: on piles at rest, awake
// and asleep, with every solver and on WebGPU. Each case says what the physics of it is.
import { afterAll, describe, expect, test } from 'vitest';
import type { BodyId, ColliderId, ShapeId, World } from '../../src/study/index';
import { useDevice } from '../helpers/gpu';
import { everyNth, isLong } from '../helpers/long';
import { createWorld } from '../helpers/worlds';

const G = 9.81;
const DT = 1 / 60;
const SLOPE = 0.4;

const gpu = useDevice();

interface Scene {
  world: World;
  floor: BodyId;
  boxes: BodyId[];
  other?: BodyId;
  cube: ShapeId;
  slab: ShapeId;
  /** Poses of the boxes when the setter was called: x y z each. */
  before: number[][];
  advance: (steps: number) => Promise<void>;
}

type Build = (world: World, cube: ShapeId, slab: ShapeId) => Pick<Scene, 'floor' | 'boxes' | 'other'>;

const at = (s: Scene, i: number) => s.world.getPosition(s.boxes[i]!, [0, 0, 0]);
const velocity = (s: Scene, i: number) => s.world.getLinearVelocity(s.boxes[i]!, [0, 0, 0]);
const moved = (s: Scene, i: number) => at(s, i).map((x, k) => x - s.before[i]![k]!);
const colliderOf = (s: Scene, body: BodyId): ColliderId => s.world.collidersOf(body)[0]!;

/** Boxes of 1 m and 1000 kg on a floor whose top is at y = 0, straight above each other. */
const stack =
  (count: number, floorType: 'static' | 'kinematic' = 'static', mass?: (i: number) => number): Build =>
  (world, cube, slab) => ({
    floor: world.createBody({ type: floorType, shape: slab, position: [0, -0.5, 0] }),
    boxes: Array.from({ length: count }, (_, i) => {
      const own = mass ? { mass: mass(i) } : {};
      return world.createBody({ shape: cube, position: [0, 0.5 + i, 0], ...own });
    }),
  });

/** A box on a slope of 0.4 rad that rises along -x, both with a friction of 1. */
const onSlope: Build = (world, _cube, slab) => {
  const rotation: [number, number, number, number] = [0, 0, -Math.sin(SLOPE / 2), Math.cos(SLOPE / 2)];
  const n = [Math.sin(SLOPE), Math.cos(SLOPE), 0];
  const plate = world.createShape({ type: 'box', halfExtents: [0.5, 0.2, 0.5] });
  return {
    floor: world.createBody({ type: 'static', shape: slab, rotation, position: n.map((x) => -0.5 * x), friction: 1 }),
    boxes: [world.createBody({ shape: plate, rotation, position: n.map((x) => 0.2 * x), friction: 1 })],
  };
};

/** Distance along the slope, downhill. */
const slid = (s: Scene) => moved(s, 0)[0]! * Math.cos(SLOPE) - moved(s, 0)[1]! * Math.sin(SLOPE);
const expectSlide = (s: Scene) => {
  const distance = 0.5 * G * Math.sin(SLOPE) * 0.25;
  expect(Math.abs(slid(s) / distance - 1)).toBeLessThan(0.02);
};
/** Half a second under constant acceleration, to 2 % (a step more or less of the impulse is 1.7 %). */
const expectAcceleration = (s: Scene, i: number, axis: number, a: number, share = 0.02) => {
  expect(Math.abs(moved(s, i)[axis]! / (0.125 * a) - 1)).toBeLessThan(share);
};
const expectStill = (s: Scene) => {
  for (let i = 0; i < s.boxes.length; i++) {
    expect(Math.hypot(...velocity(s, i))).toBeLessThan(5e-3);
    expect(Math.hypot(...moved(s, i))).toBeLessThan(2e-3);
  }
};
/** Follows every step: the largest speed upwards of any box. */
async function jump(s: Scene, steps: number): Promise<number> {
  let up = 0;
  for (let k = 0; k < steps; k++) {
    await s.advance(1);
    for (let i = 0; i < s.boxes.length; i++) {
      const v = velocity(s, i)[1]!;
      up = Number.isFinite(v) ? Math.max(up, v) : Number.NaN;
    }
  }
  return up;
}

interface Case {
  name: string;
  build: Build;
  set: (s: Scene) => void;
  check: (s: Scene) => Promise<void> | void;
  /** Steps between the two; half a second. */
  steps?: number;
  /** On WebGPU, 4 if left out: software adapters are slow. */
  substeps?: number;
  /** Sleepers stay asleep. */
  sleepsOn?: boolean;
}

const cases: Case[] = [
  {
    name: 'friction of the body: it slides down the slope',
    build: onSlope,
    set: (s) => s.world.setMaterial(colliderOf(s, s.boxes[0]!), { friction: 0 }),
    check: expectSlide,
  },
  {
    name: 'friction of the ground: the body slides down the slope',
    build: onSlope,
    set: (s) => s.world.setMaterial(colliderOf(s, s.floor), { friction: 0 }),
    check: expectSlide,
  },
  {
    name: 'combine rule of friction',
    build: (world, cube, slab) => {
      const made = onSlope(world, cube, slab);
      world.setMaterial(world.collidersOf(made.floor)[0]!, { friction: 0, frictionCombine: 'max' });
      world.setMaterial(world.collidersOf(made.boxes[0]!)[0]!, { frictionCombine: 'average' });
      return made;
    },
    set: (s) => s.world.setMaterial(colliderOf(s, s.floor), { frictionCombine: 'min' }),
    check: expectSlide,
  },
  {
    name: 'rolling resistance: the ball rolls down the slope',
    build: (world, cube, slab) => {
      const made = onSlope(world, cube, slab);
      const ball = world.createShape({ type: 'sphere', radius: 0.2 });
      const position = world.getPosition(made.boxes[0]!, [0, 0, 0]);
      world.removeBody(made.boxes[0]!);
      const body = world.createBody({ shape: ball, position, friction: 1, rollingResistance: 1 });
      world.setMaterial(world.collidersOf(made.floor)[0]!, { rollingResistance: 1 });
      return { ...made, boxes: [body] };
    },
    set: (s) => s.world.setMaterial(colliderOf(s, s.floor), { rollingResistance: 0 }),
    check: (s) => expect(slid(s)).toBeGreaterThan(0.2),
  },
  {
    name: 'restitution: nothing at rest, a bounce at the next impact',
    build: stack(1),
    set: (s) => s.world.setMaterial(colliderOf(s, s.floor), { restitution: 0.8 }),
    sleepsOn: true,
    check: async (s) => {
      expectStill(s);
      s.world.setVelocity(s.boxes[0]!, [0, 4, 0]);
      await s.advance(52); // 0.82 s in the air
      expect(velocity(s, 0)[1]!).toBeGreaterThan(2.4);
      expect(velocity(s, 0)[1]!).toBeLessThan(3.3);
    },
  },
  {
    name: 'mask of the ground: everything falls',
    build: stack(2),
    set: (s) => s.world.setMaterial(colliderOf(s, s.floor), { mask: 0 }),
    check: (s) => {
      for (const i of [0, 1]) expectAcceleration(s, i, 1, -G, 0.04);
    },
  },
  {
    name: 'category of the lower box: it falls away, and what it carried',
    build: stack(2),
    set: (s) => {
      s.world.setMaterial(colliderOf(s, s.floor), { mask: 1 });
      s.world.setMaterial(colliderOf(s, s.boxes[0]!), { category: 2 });
    },
    check: (s) => {
      expectAcceleration(s, 0, 1, -G, 0.04);
      expect(moved(s, 1)[1]!).toBeLessThan(-0.95); // down to the floor
    },
  },
  {
    name: 'mask that changes nothing here: contacts keep what they carry',
    build: stack(3),
    set: (s) => s.world.setMaterial(colliderOf(s, s.boxes[0]!), { category: 3, mask: 0xffff }),
    steps: 1,
    check: (s) => {
      expectStill(s);
      expect(s.world.events.count).toBe(0);
    },
  },
  {
    name: 'mass of the upper box, 1e5 to 1 kg: no jump',
    build: stack(2, 'static', (i) => (i === 1 ? 1e5 : 1000)),
    set: (s) => s.world.setMass(s.boxes[1]!, 1),
    steps: 0,
    check: async (s) => expect(await jump(s, 60)).toBeLessThan(0.05),
  },
  {
    name: 'mass of the upper box, 1 to 1000 kg: no jump',
    build: stack(2, 'static', (i) => (i === 1 ? 1 : 1000)),
    set: (s) => s.world.setMass(s.boxes[1]!, 1000),
    steps: 0,
    check: async (s) => expect(await jump(s, 60)).toBeLessThan(0.05),
  },
  {
    name: 'removal of a heavy load: what bore it stays on the floor',
    build: stack(4, 'static', (i) => (i === 3 ? 3e4 : 1000)),
    substeps: 12,
    set: (s) => s.world.removeBody(s.boxes.pop()!),
    steps: 0,
    check: async (s) => expect(await jump(s, 60)).toBeLessThan(0.06),
  },
  {
    name: 'center of mass, to beyond the edge of support: the box topples',
    build: stack(1),
    set: (s) => s.world.setMass(s.boxes[0]!, { mass: 1000, center: [0.7, 0, 0], inertia: [170, 170, 170, 0, 0, 0] }),
    check: (s) => expect(s.world.getAngularVelocity(s.boxes[0]!, [0, 0, 0])[2]!).toBeLessThan(-0.5),
  },
  {
    name: 'center of mass within the support: nothing moves',
    build: stack(2),
    set: (s) => s.world.setMass(s.boxes[1]!, { mass: 1000, center: [0.02, 0.1, 0], inertia: [170, 170, 170, 0, 0, 0] }),
    check: expectStill,
  },
  {
    name: 'type of the lower box, to static: nothing moves',
    build: stack(3),
    set: (s) => s.world.setType(s.boxes[0]!, 'static'),
    check: expectStill,
  },
  {
    name: 'type of a carrying body, to dynamic: all fall',
    build: (world, cube, _slab) => ({
      floor: world.createBody({ type: 'static', shape: cube, position: [0, -0.5, 0] }),
      boxes: [0, 1].map((i) => world.createBody({ shape: cube, position: [0, 0.5 + i, 0] })),
    }),
    set: (s) => s.world.setType(s.floor, 'dynamic'),
    check: (s) => {
      for (const i of [0, 1]) expectAcceleration(s, i, 1, -G, 0.04);
    },
  },
  {
    name: 'type of a static body to kinematic with a velocity: it carries what lies on it',
    build: stack(2),
    set: (s) => {
      s.world.setType(s.floor, 'kinematic');
      s.world.setVelocity(s.floor, [0, 1, 0]);
    },
    check: (s) => {
      for (const i of [0, 1]) expect(Math.abs(moved(s, i)[1]! - 0.5)).toBeLessThan(0.01);
    },
  },
  {
    name: 'a force before the body becomes static: it is not felt when it is dynamic again',
    build: stack(1),
    set: (s) => {
      s.world.addForce(s.boxes[0]!, [1e6, 0, 0]);
      s.world.setType(s.boxes[0]!, 'static');
      s.world.setType(s.boxes[0]!, 'dynamic');
    },
    check: expectStill,
  },
  {
    name: 'gravity upwards: everything leaves',
    build: stack(2),
    set: (s) => s.world.set({ gravity: [0, G, 0] }),
    check: (s) => {
      for (const i of [0, 1]) expectAcceleration(s, i, 1, G, 0.04);
    },
  },
  {
    name: 'gravity scale -1: the box leaves',
    build: stack(2),
    set: (s) => s.world.setGravityScale(s.boxes[1]!, -1),
    check: (s) => {
      expectAcceleration(s, 1, 1, G, 0.04);
      expect(Math.abs(moved(s, 0)[1]!)).toBeLessThan(1e-3);
    },
  },
  {
    name: 'damping: nothing at rest, sleepers sleep on; it slows what moves',
    build: stack(1),
    set: (s) => s.world.setDamping(s.boxes[0]!, 2, 0),
    sleepsOn: true,
    check: async (s) => {
      expectStill(s);
      s.world.set({ gravity: [0, 0, 0] });
      s.world.setVelocity(s.boxes[0]!, [0, 1, 0]);
      await s.advance(30);
      expect(Math.abs(velocity(s, 0)[1]! / (1 + 2 * DT) ** -30 - 1)).toBeLessThan(0.01);
    },
  },
  {
    name: 'velocity of a kinematic floor, upwards: it carries the pile',
    build: stack(3, 'kinematic'),
    set: (s) => s.world.setVelocity(s.floor, [0, 1, 0]),
    check: (s) => {
      for (const i of [0, 1, 2]) expect(Math.abs(moved(s, i)[1]! - 0.5)).toBeLessThan(0.01);
    },
  },
  {
    name: 'velocity of a kinematic floor, sideways: friction takes the box along',
    build: stack(1, 'kinematic'),
    set: (s) => s.world.setVelocity(s.floor, [0.5, 0, 0]),
    // 0.5 m/s are reached after 0.085 s at 0.6 g: 21 mm late.
    check: (s) => expect(Math.abs(moved(s, 0)[0]! - (0.25 - 0.0212))).toBeLessThan(0.006),
  },
  {
    name: 'target of a kinematic floor: it lifts the pile',
    build: stack(2, 'kinematic'),
    set: (s) => s.world.moveKinematic(s.floor, [0, -0.49, 0]),
    steps: 1,
    check: (s) => {
      for (const i of [0, 1]) expect(Math.abs(moved(s, i)[1]! - 0.01)).toBeLessThan(0.003);
    },
  },
  {
    name: 'collider removed from the ground: everything falls',
    build: (world, cube, slab) => {
      const made = stack(2)(world, cube, slab);
      world.addCollider(made.floor, { shape: cube, position: [0, -20, 0] });
      return made;
    },
    set: (s) => s.world.removeCollider(s.world.collidersOf(s.floor)[0]!),
    check: (s) => {
      for (const i of [0, 1]) expectAcceleration(s, i, 1, -G, 0.04);
    },
  },
  {
    name: 'collider added to the ground, into a box: it is pushed out',
    build: stack(1),
    set: (s) => void s.world.addCollider(s.floor, { shape: s.cube, position: [-0.95, 1, 0] }),
    check: (s) => expect(moved(s, 0)[0]!).toBeGreaterThan(0.04),
  },
  {
    name: 'collider added to a box: it lies on more, and calmly',
    build: stack(2),
    set: (s) => void s.world.addCollider(s.boxes[1]!, { shape: s.cube, position: [0, 1, 0] }),
    check: expectStill,
  },
  {
    name: 'a static body that is put into a box: the box is pushed out',
    build: (world, cube, slab) => {
      const made = stack(1)(world, cube, slab);
      return { ...made, other: world.createBody({ type: 'static', shape: cube, position: [-5, 0.5, 0] }) };
    },
    set: (s) => s.world.teleport(s.other!, [-0.95, 0.5, 0]),
    check: (s) => expect(moved(s, 0)[0]!).toBeGreaterThan(0.04),
  },
  {
    name: 'the ground put elsewhere: everything falls',
    build: stack(2),
    set: (s) => s.world.teleport(s.floor, [0, -50, 0]),
    check: (s) => {
      for (const i of [0, 1]) expectAcceleration(s, i, 1, -G, 0.04);
    },
  },
  {
    name: 'a teleport to where it is: nothing moves',
    build: stack(3),
    set: (s) => s.world.teleport(s.boxes[1]!, s.world.getPosition(s.boxes[1]!, [0, 0, 0])),
    check: expectStill,
  },
  {
    name: 'length of a step, margin, thresholds: nothing moves, sleepers sleep on',
    build: stack(3),
    set: (s) =>
      s.world.set({ dt: 1 / 100, speculativeMargin: 0.05, recycleDistance: 0.001, restitutionThreshold: 0.1, pushSpeed: 1 }),
    sleepsOn: true,
    check: expectStill,
  },
  {
    name: 'velocity: a body at rest is stopped by the wall it would pass in one step',
    build: (world, cube, slab) => {
      const made = stack(1)(world, cube, slab);
      world.createBody({ type: 'static', shape: cube, position: [1.6, 0.5, 0] });
      return made;
    },
    set: (s) => s.world.setVelocity(s.boxes[0]!, [40, 0, 0]),
    steps: 1,
    check: (s) => expect(moved(s, 0)[0]!).toBeLessThan(0.61),
  },
];

const SOLVERS = ['wide', 'colored', 'pgs', 'cell-order', 'pair-split', 'cell-split', 'webgpu'] as const;

/** The one world on WebGPU: opening one takes long. Cases leave it empty and with its settings as they were. */
let shared: World | undefined;
afterAll(() => shared?.dispose());

async function open(c: Case, solver: (typeof SOLVERS)[number], sleep: boolean): Promise<World> {
  const settings = { sleep, sleepTime: 0.1 };
  if (solver !== 'webgpu') return createWorld({ solver, ...settings });
  shared ??= await createWorld({ backend: 'webgpu', device: gpu.device });
  const defaults = { gravity: [0, -G, 0], dt: DT, speculativeMargin: 0.02, recycleDistance: 0.005 } as const;
  shared.set({ ...settings, ...defaults, restitutionThreshold: 1, pushSpeed: 3, substeps: c.substeps ?? 4 });
  for (let i = 0; i < shared.slotCount; i++) {
    const body = shared.bodyAt(i);
    if (body !== null) shared.removeBody(body);
  }
  return shared;
}

async function rested(c: Case, solver: (typeof SOLVERS)[number], sleep: boolean): Promise<Scene> {
  const world = await open(c, solver, sleep);
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const slab = world.createShape({ type: 'box', halfExtents: [20, 0.5, 20] });
  const made = c.build(world, cube, slab);
  const { boxes } = made;
  const advance = async (steps: number) => {
    for (let i = 0; i < steps; i++) {
      if (solver === 'webgpu') await world.stepAsync();
      else world.step();
    }
  };
  await advance(30);
  for (let i = 0; i < 60 && sleep && world.sleepingCount < boxes.length; i++) await advance(10);
  expect(world.sleepingCount).toBe(sleep ? boxes.length : 0);
  const before = boxes.map((id) => world.getPosition(id, [0, 0, 0]));
  return { world, ...made, cube, slab, before, advance };
}

describe.each(SOLVERS)('%s', (solver) => {
  // In the short form the default solver alone is tried awake too: asleep, a setter also has to wake. The others share the setters out.
  const tried = solver === 'wide' ? cases : everyNth(cases, solver === 'webgpu' ? 6 : 3, SOLVERS.indexOf(solver));
  describe.each(solver !== 'wide' && !isLong ? [true] : [false, true])('asleep: %s', (sleep) => {
    test.each(tried.map((c) => [c.name, c] as const))('%s', async (_, c) => {
      const s = await rested(c, solver, sleep);
      c.set(s);
      await s.advance(c.steps ?? 30);
      if (c.sleepsOn && sleep) expect(s.world.sleepingCount).toBe(s.boxes.length);
      await c.check(s);
      if (solver === 'webgpu') expect(s.world.profile.backend).toBe('webgpu');
    });
  });
});
