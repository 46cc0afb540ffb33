// Setters: set at creation or by a setter before the first step makes the same world to the bit; setting a value that is already
// there changes no bit; a change that can move a sleeping body wakes it.
import {
  type BodyDesc,
  type BodyId,
  type ColliderDesc,
  type ColliderId,
  createWorld,
  type JointChanges,
  type World,
  type WorldOptions,
} from '../../src/index';
import type { V3 } from '../helpers/ground';
import type { Property } from './property';
import { Draw, drawScene, type Played, play, type Scene, type SceneBody } from './scene';

/** One thing that can be set: how a scene has it at creation, and how it is set in a world that was created without it. */
interface Setter {
  name: string;
  /** Puts it into the scene; `index` is a body, and a joint if there are any. */
  before(scene: Scene, index: number, draw: Draw): Scene;
  after(played: Played, index: number, draw: Draw): void;
  /** Whether a setter puts the collider into the tree again: pairs come in another order, so that bits differ in time. */
  reorders?: boolean;
  /** Sets it in the world before it has bodies, instead of `after`. */
  empty?(world: World, draw: Draw): void;
}

const changeBody = (scene: Scene, index: number, changes: Partial<SceneBody>): Scene => ({
  ...scene,
  bodies: scene.bodies.map((body, i) => (i === index ? { ...body, ...changes } : body)),
});

type Field<T, K extends keyof T> = readonly [K, (draw: Draw) => T[K]];
const field =
  <T>() =>
  <K extends keyof T>(key: K, value: (draw: Draw) => T[K]): Field<T, K> => [key, value];

/** A field of a body and the call that sets it. */
function ofBody<K extends keyof BodyDesc>(
  key: K,
  value: (draw: Draw) => BodyDesc[K],
  set: (world: World, id: BodyId, value: NonNullable<BodyDesc[K]>) => void,
): Setter {
  return {
    name: `body.${key}`,
    before: (scene, index, draw) => changeBody(scene, index, { [key]: value(draw) } as Partial<SceneBody>),
    after: ({ world, ids }, index, draw) => set(world, ids[index]!, value(draw) as NonNullable<BodyDesc[K]>),
  };
}

function ofCollider(
  [key, value]: readonly [keyof ColliderDesc, (draw: Draw) => unknown],
  call: 'setCollider' | 'setMaterial',
): Setter {
  return {
    name: `${call}.${key}`,
    reorders: key === 'position' || key === 'rotation',
    before: (scene, index, draw) => {
      const drawn = value(draw);
      const parts = scene.bodies[index]!.parts.map((part, i) => (i === 0 ? { ...part, [key]: drawn } : part));
      return changeBody(scene, index, { parts });
    },
    after: ({ world, ids }, index, draw) => {
      const id = world.collidersOf(ids[index]!)[0]!;
      // setMaterial sets the whole material.
      const rest = call === 'setMaterial' ? world.getMaterial(id) : {};
      world[call](id, { ...rest, [key]: value(draw) } as never);
    },
  };
}

/**
 * Settings that a new body's padded bounding box depends on. Other boxes make another tree, which finds pairs in another order:
 * the
 * world is as good, but not the same to the bit.
 */
const IN_BOUNDS: readonly (keyof WorldOptions)[] = ['dt', 'gravity', 'speculativeMargin'];

function ofWorld<K extends keyof WorldOptions>([key, value]: readonly [K, (draw: Draw) => unknown]): Setter {
  const set = (world: World, draw: Draw) => world.set({ [key]: value(draw) });
  return {
    name: `world.${key}`,
    before: (scene, _, draw) => ({ ...scene, options: { ...scene.options, [key]: value(draw) } }),
    after: ({ world }, _, draw) => set(world, draw),
    ...(IN_BOUNDS.includes(key) ? { empty: set } : {}),
  };
}

function ofJoint([key, value]: readonly [keyof JointChanges, (draw: Draw) => unknown]): Setter {
  return {
    name: `joint.${key}`,
    before: (scene, index, draw) => {
      const drawn = value(draw);
      const joints = scene.joints.map((one, i) =>
        i === index % scene.joints.length ? { ...one, desc: { ...one.desc, [key]: drawn } } : one,
      );
      return { ...scene, joints };
    },
    after: ({ world, joints }, index, draw) => world.setJoint(joints[index % joints.length]!, { [key]: value(draw) }),
  };
}

const b = field<ColliderDesc>();
const o = field<WorldOptions>();
const RULES = ['average', 'multiply', 'min', 'max', 'geometric'] as const;
const share = (draw: Draw) => draw.range(0, 1);
const rule = (draw: Draw) => draw.pick(RULES);
const vector = (draw: Draw) => draw.vector(3);

const SURFACE = [
  b('friction', share),
  b('restitution', share),
  b('rollingResistance', share),
  b('spinningFriction', share),
  b('frictionCombine', rule),
  b('restitutionCombine', rule),
  b('rollingResistanceCombine', rule),
  b('spinningFrictionCombine', rule),
  b('group', (draw) => draw.int(0, 63)),
  b('category', (draw) => draw.int(1, 7)),
  b('mask', (draw) => draw.int(0, 7)),
] as const;

const SETTERS: Setter[] = [
  ofBody('linearVelocity', vector, (world, id, v) => world.setLinearVelocity(id, v)),
  ofBody('angularVelocity', vector, (world, id, v) => world.setAngularVelocity(id, v)),
  ofBody(
    'gravityScale',
    (draw) => draw.range(-2, 2),
    (world, id, v) => world.setGravityScale(id, v),
  ),
  ofBody('linearDamping', share, (world, id, v) => world.setDamping(id, v, world.getAngularDamping(id))),
  ofBody('angularDamping', share, (world, id, v) => world.setDamping(id, world.getLinearDamping(id), v)),
  ofBody(
    'bullet',
    () => true,
    (world, id, v) => world.setBullet(id, v),
  ),
  ofBody(
    'allowSleep',
    () => false,
    (world, id, v) => world.setAllowSleep(id, v),
  ),
  ofBody(
    'enabled',
    () => false,
    (world, id, v) => world.setEnabled(id, v),
  ),
  ofBody(
    'locks',
    (draw) => ({ translation: draw.pick(['', 'x', 'yz']), rotation: draw.pick(['', 'y', 'xyz']) }),
    (world, id, v) => world.setLocks(id, v),
  ),
  ofBody('maxLinearSpeed', share, (world, id, v) => world.setSpeedLimits(id, { linear: v })),
  ofBody('maxAngularSpeed', share, (world, id, v) => world.setSpeedLimits(id, { angular: v })),
  ofBody(
    'tag',
    (draw) => draw.int(0, 1000),
    (world, id, v) => world.setTag(id, v),
  ),
  ofBody(
    'mass',
    (draw) => draw.decade(0.1, 100),
    (world, id, v) => world.setMass(id, v),
  ),
  ofBody(
    'type',
    (draw) => draw.pick(['kinematic', 'dynamic'] as const),
    (world, id, v) => world.setType(id, v),
  ),
  ...SURFACE.map((one) => ofCollider(one, 'setMaterial')),
  ...[
    ...SURFACE,
    b('position', (draw) => draw.vector(0.2)),
    b('rotation', (draw) => draw.rotation()),
    b('sensor', () => true),
    b('surfaceVelocity', vector),
    b('surfaceSpin', vector),
    b('oneWay', (draw) => draw.direction()),
    b('enabled', () => false),
  ].map((one) => ofCollider(one as never, 'setCollider')),
  ...[
    o('gravity', (draw) => draw.vector(10)),
    o('dt', (draw) => draw.range(1 / 120, 1 / 30)),
    o('substeps', (draw) => draw.int(1, 20)),
    o('sweeps', (draw) => draw.int(1, 4)),
    o('contactHertzRatio', (draw) => draw.range(0.05, 0.3)),
    o('dampingRatio', (draw) => draw.range(1, 20)),
    o('pushSpeed', (draw) => draw.range(0, 10)),
    o('speculativeMargin', (draw) => draw.range(0.005, 0.1)),
    o('recycleDistance', (draw) => draw.range(0, 0.02)),
    o('restitutionThreshold', (draw) => draw.range(0, 2)),
    o('warmStart', share),
    o('linearSlop', (draw) => draw.range(0, 0.01)),
    o('maxLinearSpeed', (draw) => draw.range(1, 5)),
    o('maxAngularSpeed', (draw) => draw.range(1, 5)),
    o('granularity', (draw) => draw.int(1, 10)),
    o('cellBodyCap', (draw) => draw.int(2, 10)),
    o('seed', (draw) => draw.int(0, 1000)),
    o('sleep', (draw) => draw.chance(0.5)),
    o('sleepSpeed', share),
    o('sleepTime', share),
    o('hitSpeed', share),
    o('sleepEvents', () => true),
    o('preset', (draw) => draw.pick(['fast', 'balanced', 'high'] as const)),
    o('solver', (draw) => draw.pick(['wide', 'cell-split'] as const)),
  ].map((one) => ofWorld(one as never)),
  ...[
    ['limit', (draw: Draw) => ({ min: -draw.range(0, 1), max: draw.range(0, 1) })],
    ['motor', (draw: Draw) => ({ velocity: draw.range(-3, 3), maxForce: draw.range(0, 100) })],
    ['spring', (draw: Draw) => ({ target: draw.range(-1, 1), frequency: draw.range(1, 5), dampingRatio: 0.5 })],
    ['friction', share],
    ['frictionLever', (draw: Draw) => draw.range(0, 0.1)],
    ['frictionTorque', share],
    ['breakForce', (draw: Draw) => draw.range(1, 1000)],
    ['breakTorque', (draw: Draw) => draw.range(1, 1000)],
    ['collide', () => true],
    ['enabled', () => false],
  ].map((one) => ofJoint(one as never)),
];

function drawScenes(seed: number): Scene {
  const scene = drawScene(seed, {
    grounds: ['plane', 'box', 'heightfield'],
    gravity: true,
    count: [4, 8],
    steps: [40, 60],
    sleep: true,
    joints: ['hinge'],
  });
  // Without spin: when a collider moves, so does the center of mass, and its velocity is then another point's.
  // Sensors have no density of their own at creation.
  const bodies = scene.bodies.map((body) => ({
    ...body,
    angularVelocity: [0, 0, 0] as V3,
    parts: body.parts.map((part) => ({ ...part, density: 1000 })),
  }));
  return { ...scene, bodies };
}

/** Setters that a seed plays: all of them within a few dozen seeds. */
const AT_ONCE = 2;

/**
 * Plays the scene twice, with the value at creation and set before the first step. Of 50 seeds one parts: the mass of a body (44), whose
 * cause is not known.
 */
const created: Property = {
  name: 'setters-created',
  share: 0.02,
  draw: drawScenes,
  async check(scene) {
    for (let k = 0; k < AT_ONCE; k++) {
      const setter = SETTERS[(scene.seed * AT_ONCE + k) % SETTERS.length]!;
      if (setter.name.startsWith('joint.') && scene.joints.length === 0) continue;
      const draw = () => new Draw(scene.seed + 7);
      const index = draw().int(0, scene.bodies.length - 1);
      const one = await play(setter.before(scene, index, draw()));
      const world = await createWorld(scene.options);
      setter.empty?.(world, draw());
      const other = await play(scene, world);
      if (!setter.empty) setter.after(other, index, draw());
      let parted = -1;
      for (let i = 0; i < scene.steps && parted < 0; i++) {
        one.world.step();
        other.world.step();
        const same = [one.world.positions, one.world.rotations].every((values, which) => {
          const others = which === 0 ? other.world.positions : other.world.rotations;
          return one.ids.every((id, n) => {
            const [at, there] = [4 * one.world.indexOf(id), 4 * other.world.indexOf(other.ids[n]!)];
            return [0, 1, 2, 3].every((c) => {
              const [x, y] = [values[at + c]!, others[there + c]!];
              return setter.reorders ? i > 2 || Math.abs(x - y) < 1e-4 : Object.is(x, y);
            });
          });
        });
        if (!same) parted = i;
      }
      one.world.dispose();
      other.world.dispose();
      if (parted >= 0) return `${setter.name} at creation and by its setter part at step ${parted}`;
    }
    return null;
  },
};

/** Sets what is already there, in a world in the middle of its course. */
const UNCHANGED: Record<string, (world: World, played: Played) => void> = {
  settings: (world) => {
    const { threads: _, threadsReason: __, ...settings } = world.settings as WorldOptions & { threadsReason?: string };
    world.set(settings);
  },
  velocity: (world, { ids }) => {
    for (const id of ids) world.setLinearVelocity(id, world.getLinearVelocity(id, [0, 0, 0]));
    for (const id of ids) world.setAngularVelocity(id, world.getAngularVelocity(id, [0, 0, 0]));
  },
  gravityScale: (world, { ids }) => {
    for (const id of ids) world.setGravityScale(id, world.getGravityScale(id));
  },
  damping: (world, { ids }) => {
    for (const id of ids) world.setDamping(id, world.getLinearDamping(id), world.getAngularDamping(id));
  },
  bullet: (world, { ids }) => {
    for (const id of ids) world.setBullet(id, world.isBullet(id));
  },
  allowSleep: (world, { ids }) => {
    for (const id of ids) world.setAllowSleep(id, world.getAllowSleep(id));
  },
  enabled: (world, { ids }) => {
    for (const id of ids) world.setEnabled(id, world.isEnabled(id));
  },
  locks: (world, { ids }) => {
    for (const id of ids) world.setLocks(id, world.getLocks(id));
  },
  speedLimits: (world, { ids }) => {
    for (const id of ids) world.setSpeedLimits(id, world.getSpeedLimits(id));
  },
  tag: (world, { ids }) => {
    for (const id of ids) world.setTag(id, world.getTag(id));
  },
  type: (world, { ids }) => {
    for (const id of ids) world.setType(id, world.getType(id));
  },
  material: (world, { ids }) => {
    for (const id of ids.flatMap((body) => world.collidersOf(body))) world.setMaterial(id, world.getMaterial(id));
  },
  events: (world, { ids }) => {
    for (const id of ids.flatMap((body) => world.collidersOf(body))) world.setColliderEvents(id, world.getColliderEvents(id));
  },
  collider: (world, { ids }) => {
    for (const id of ids.flatMap((body) => world.collidersOf(body))) {
      const { body: _, mass: __, ...state } = world.getCollider(id);
      world.setCollider(id, state);
    }
  },
  joint: (world, { joints }) => {
    for (const id of joints) {
      const { limit, friction, enabled, collide } = world.getJoint(id).settings;
      world.setJoint(id, { limit: limit ?? null, friction: friction ?? 0, enabled: enabled ?? true, collide: collide ?? false });
    }
  },
};

/** Only awake worlds: setting a velocity wakes a sleeping body. */
const unchanged: Property = {
  name: 'setters-unchanged',
  draw: (seed) => {
    const scene = drawScenes(seed);
    return { ...scene, options: { ...scene.options, sleep: false } };
  },
  async check(scene) {
    const names = Object.keys(UNCHANGED);
    const name = names[scene.seed % names.length]!;
    const [one, other] = [await play(scene), await play(scene)];
    let fault: string | null = null;
    for (let i = 0; i < scene.steps && fault === null; i++) {
      if (i % 10 === 5) UNCHANGED[name]!(one.world, one);
      one.world.step();
      other.world.step();
      const moved = [...one.world.positions].some((x, k) => !Object.is(x, other.world.positions[k]));
      if (moved) fault = `${name} set to what it is changes positions in step ${i}`;
    }
    one.world.dispose();
    other.world.dispose();
    return fault;
  },
};

/** Calls after which a sleeping body must be awake in the next step. */
const WAKES: Record<string, (world: World, id: BodyId, collider: ColliderId, floor: BodyId) => void> = {
  setLinearVelocity: (world, id) => world.setLinearVelocity(id, [0, 1, 0]),
  setAngularVelocity: (world, id) => world.setAngularVelocity(id, [0, 1, 0]),
  applyImpulse: (world, id) => world.applyImpulse(id, [0, world.getMass(id), 0]),
  applyAngularImpulse: (world, id) => world.applyAngularImpulse(id, [0, world.getMass(id), 0]),
  addForce: (world, id) => world.addForce(id, [0, 10 * world.getMass(id), 0]),
  addTorque: (world, id) => world.addTorque(id, [0, 10 * world.getMass(id), 0]),
  teleport: (world, id) => world.teleport(id, [0, 30, 0]),
  setGravityScale: (world, id) => world.setGravityScale(id, -1),
  gravity: (world) => world.set({ gravity: [3, 0, 0] }),
  setFriction: (world, _, collider) => world.setMaterial(collider, { friction: 0.01 }),
  setShape: (world, _, collider) => world.setCollider(collider, { shape: world.createShape({ type: 'sphere', radius: 0.05 }) }),
  surface: (world, _, collider) => world.setCollider(collider, { surfaceVelocity: [1, 0, 0] }),
  mask: (world, _, collider) => world.setMaterial(collider, { mask: 0 }),
  removeFloor: (world, _, __, floor) => world.removeBody(floor),
  disableFloor: (world, _, __, floor) => world.setEnabled(floor, false),
  wake: (world, id) => world.wake(id),
  sleepOff: (world) => world.set({ sleep: false }),
  allowSleep: (world, id) => world.setAllowSleep(id, false),
  mass: (world, id) => world.setMass(id, 3 * world.getMass(id)),
};

const wakes: Property = {
  name: 'setters-wake',
  draw(seed) {
    const scene = drawScene(seed, {
      grounds: ['plane', 'box'],
      gravity: true,
      count: [3, 6],
      steps: [1, 1],
      speed: 0,
      sizes: [0.2, 1],
      restitution: 0,
    });
    return { ...scene, options: { ...scene.options, sleep: true } };
  },
  async check(scene) {
    const played = await play(scene);
    const { world, ids, ground } = played;
    for (let i = 0; i < 300 && world.sleepingCount < ids.length; i++) world.step();
    const sleepers = ids.filter((id) => world.isAsleep(id));
    const names = Object.keys(WAKES);
    let fault: string | null = null;
    const bytes = world.snapshot();
    for (let k = 0; k < 4 && sleepers.length > 0; k++) {
      const name = names[(scene.seed * 4 + k) % names.length]!;
      const id = sleepers[(scene.seed + k) % sleepers.length]!;
      WAKES[name]!(world, id, world.collidersOf(id)[0]!, ground[0]!);
      world.step();
      if (world.isAsleep(id)) fault ??= `${name} leaves body ${ids.indexOf(id)} asleep`;
      world.set({ gravity: scene.options.gravity!, sleep: true });
      world.restore(bytes);
    }
    world.dispose();
    return fault;
  },
};

export const SETTABLE: Property[] = [created, unchanged, wakes];
