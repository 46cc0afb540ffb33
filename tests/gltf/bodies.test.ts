// Bodies, shapes, scales, masses, materials and filters of glTF files, by how they behave.
import { beforeEach, expect, test, vi } from 'vitest';
import { type GltfPhysics, loadPhysics, readGlb } from '../../src/gltf/index';
import { type BodyId, createWorld, type World } from '../../src/index';
import { box, boxMesh, glbFile, khrFile, meshFile, solid } from './files';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const steps = (n: number) => {
  for (let i = 0; i < n; i++) world.step();
};
const at = (body: BodyId) => world.getPosition(body, [0, 0, 0]) as number[];
const load = (file: object, options = {}) => loadPhysics(world, file, { warn: false, ...options });
/** A dynamic body at a height over a floor whose top is at 0. */
const overFloor = (physics: Record<string, unknown>, shapes: unknown[], node: Record<string, unknown> = {}) =>
  khrFile({
    nodes: [
      { name: 'floor', translation: [0, -0.5, 0], physics: solid(0) },
      { name: 'thing', translation: [0, 3, 0], physics, ...node },
    ],
    shapes: [box(40, 1, 40), ...shapes],
  });
const messages = ({ unsupported }: GltfPhysics) => unsupported.map(({ message }) => message).join('\n');

test('a box falls on a floor and rests on it', () => {
  const level = load(overFloor({ motion: {}, ...solid(1) }, [{ type: 'box', box: {} }]));
  expect(level.unsupported).toEqual([]);
  expect(world.getBody(level.body('floor')).type).toBe('static');
  steps(180);
  expect(at(level.body('thing'))[1]).toBeCloseTo(0.5, 2);
  expect(world.isAsleep(level.body('thing'))).toBe(true);
});

test.each([
  ['sphere', { type: 'sphere', sphere: { radius: 0.4 } }, 0.4],
  ['capsule', { type: 'capsule', capsule: { height: 1, radiusTop: 0.3, radiusBottom: 0.3 } }, 0.8],
  ['cylinder', { type: 'cylinder', cylinder: { height: 1, radiusTop: 0.3, radiusBottom: 0.3 } }, 0.5],
  ['cone', { type: 'cylinder', cylinder: { height: 1, radiusTop: 0, radiusBottom: 0.5 } }, 0.5],
])('a %s has its size', (kind, shape, half) => {
  const level = load(khrFile({ nodes: [{ physics: solid(0) }], shapes: [shape] }));
  expect(level.unsupported).toEqual([]);
  expect(world.getShape(world.getCollider(level.colliders.get(0)![0]!).shape).type).toBe(kind);
  const down = world.castRay([0, 5, 0], [0, -1, 0])!;
  const up = world.castRay([0, -5, 0], [0, 1, 0])!;
  expect(down.point[1]).toBeCloseTo(half, 4);
  expect(up.point[1]).toBeCloseTo(-half, 4);
});

test('a cylinder whose bottom has no radius stands on its point', () => {
  load(
    khrFile({
      nodes: [{ physics: solid(0) }],
      shapes: [{ type: 'cylinder', cylinder: { height: 2, radiusTop: 1, radiusBottom: 0 } }],
    }),
  );
  // Near the top it is wide, near the bottom it is not.
  expect(world.castRay([5, 0.9, 0], [-1, 0, 0])!.point[0]).toBeCloseTo(0.95, 3);
  expect(world.castRay([5, -0.9, 0], [-1, 0, 0])!.point[0]).toBeCloseTo(0.05, 3);
});

test('two radii become a hull, and the list says so', () => {
  const shapes = [
    { type: 'cylinder', cylinder: { height: 2, radiusTop: 0.5, radiusBottom: 1 } },
    { type: 'capsule', capsule: { height: 2, radiusTop: 0.25, radiusBottom: 0.5 } },
  ];
  const level = load(khrFile({ nodes: [{ physics: solid(0) }, { translation: [10, 0, 0], physics: solid(1) }], shapes }));
  expect(level.unsupported).toHaveLength(2);
  for (const issue of level.unsupported) expect(issue).toMatchObject({ effect: 'approximated' });
  expect(level.unsupported[1]!.path).toBe('nodes[1].extensions.KHR_physics_rigid_bodies.collider.geometry');
  expect(world.castRay([5, 0, 0], [-1, 0, 0])!.point[0]).toBeCloseTo(0.75, 2);
  // The ends of the capsule are round to a few percent.
  expect(world.castRay([10, 5, 0], [0, -1, 0])!.point[1]).toBeCloseTo(1.25, 3);
  expect(world.castRay([10, -5, 0], [0, 1, 0])!.point[1]).toBeCloseTo(-1.5, 3);
  const side = world.castRay([15, -1, 0], [-1, 0, 0])!.point[0]! - 10;
  expect(side).toBeGreaterThan(0.47);
  expect(side).toBeLessThan(0.51);
});

test('planes: without end, and with one', () => {
  const nodes = [
    { physics: solid(0) },
    { translation: [0, 2, 0], physics: solid(1) },
    { translation: [0, 4, 0], physics: { motion: {}, ...solid(2) } },
    { translation: [5, 4, 0], physics: { motion: {}, ...solid(2) } },
  ];
  const shapes = [
    { type: 'plane', plane: {} },
    { type: 'plane', plane: { sizeX: 4, sizeZ: 4 } },
    { type: 'sphere', sphere: {} },
  ];
  const level = load(khrFile({ nodes, shapes }));
  expect(level.unsupported).toEqual([]);
  steps(240);
  expect(at(level.body(2))[1]).toBeCloseTo(2.5, 2);
  expect(at(level.body(3))[1]).toBeCloseTo(0.5, 2);
  const moving = load(khrFile({ nodes: [{ physics: { motion: {}, ...solid(0) } }], shapes }));
  expect(moving.unsupported).toMatchObject([
    { effect: 'skipped', node: 0 },
    { effect: 'approximated' },
    { effect: 'approximated' },
  ]);
});

test('scales are in the shapes: even, along the axes, mirrored, and where no shape can be scaled so', () => {
  const shapes = [
    box(1, 1, 1),
    { type: 'sphere', sphere: { radius: 0.5 } },
    { type: 'cylinder', cylinder: { height: 1, radiusTop: 0.5, radiusBottom: 0.5 } },
  ];
  const nodes = [
    { name: 'box', scale: [1, -2, 3], physics: solid(0) },
    { name: 'ball', translation: [10, 0, 0], scale: [2, 2, 2], physics: solid(1) },
    { name: 'drum', translation: [20, 0, 0], scale: [2, 4, 2], physics: solid(2) },
    { name: 'egg', translation: [30, 0, 0], scale: [1, 3, 1], physics: solid(1) },
    { name: 'off', translation: [40, 0, 0], scale: [0, 0, 0], physics: solid(0) },
    { name: 'flat', translation: [50, 0, 0], scale: [1, 0, 1], physics: solid(0) },
  ];
  const level = load(khrFile({ nodes, shapes }));
  const shapeOf = (name: string) => world.getShape(world.getCollider(world.collidersOf(level.body(name))[0]!).shape);
  expect(shapeOf('box')).toMatchObject({ type: 'box', halfExtents: [0.5, 1, 1.5] });
  expect(shapeOf('ball')).toMatchObject({ type: 'sphere', radius: 1 });
  expect(shapeOf('drum')).toMatchObject({ type: 'cylinder', radius: 1, halfHeight: 2 });
  expect(shapeOf('egg').type).toBe('hull');
  expect(world.castRay([30, 5, 0], [0, -1, 0])!.point[1]).toBeCloseTo(1.5, 3);
  expect(level.unsupported.map(({ node, effect }) => [node, effect])).toEqual([
    [3, 'approximated'],
    [5, 'skipped'],
  ]);
  expect(level.bodies.has(4)).toBe(false);
});

test('a box that is sheared by the nodes above it becomes a hull', () => {
  const nodes = [
    { scale: [1, 4, 1], children: [1] },
    { rotation: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)], physics: solid(0) },
  ];
  const level = load(khrFile({ nodes, shapes: [box(1, 1, 1)] }));
  expect(messages(level)).toMatch(/scaled across its axes/);
  // Its highest corner: (0.5, 0.5) turned by 45 degrees, times 4.
  expect(world.castRay([0, 9, 0], [0, -1, 0])!.point[1]).toBeCloseTo(4 * Math.SQRT1_2, 2);
});

test('a compound by its nodes, moved, turned and scaled', () => {
  const half = Math.SQRT1_2;
  const nodes = [
    {
      name: 'body',
      translation: [0, 5, 0],
      rotation: [0, half, 0, half],
      scale: [2, 2, 2],
      children: [1, 2],
      physics: { motion: { mass: 3 } },
    },
    { translation: [1, 0, 0], physics: solid(0) },
    { children: [3] },
    { name: 'far', translation: [0, 0, 2], scale: [1, 0.5, 1], physics: solid(0) },
  ];
  const level = load(khrFile({ nodes, shapes: [box(1, 1, 1)] }));
  expect(level.bodies.size).toBe(1);
  expect(level.colliders.size).toBe(2);
  const body = level.body('far');
  expect(body).toBe(level.body('body'));
  expect(world.getMass(body)).toBeCloseTo(3, 5);
  const { position, shape } = world.getCollider(level.colliders.get(3)![0]!);
  expect(position).toEqual([0, 0, expect.closeTo(4, 5)]);
  expect(world.getShape(shape)).toMatchObject({ halfExtents: [1, 0.5, 1] });
  // The body is turned by a quarter about y: its x points along -z.
  expect(world.castRay([0, 5, -9], [0, 0, 1])!.point[2]).toBeCloseTo(-3, 4);
  expect(level.nodeOfCollider(level.colliders.get(3)![0]!)).toBe(3);
  expect(level.nodeOfBody(body)).toBe(0);
  expect(level.nameOf(3)).toBe('far');
});

test('meshes: triangles on a static body, hulls where it says so, a list entry on a body that moves', () => {
  const nodes = [
    { name: 'ground', mesh: 0, scale: [20, 1, 20], physics: { collider: { geometry: { node: 0 } } } },
    {
      name: 'hull',
      translation: [0, 3, 0],
      physics: { motion: { mass: 1 }, collider: { geometry: { node: 3, convexHull: true } } },
    },
    { name: 'mesh', translation: [5, 3, 0], physics: { motion: { mass: 1 }, collider: { geometry: { mesh: 0 } } } },
    { name: 'source', mesh: 0, translation: [99, 0, 0] },
  ];
  const level = load(khrFile({ nodes, roots: [0, 1, 2], more: boxMesh() }));
  const typeOf = (name: string) => world.getShape(world.getCollider(world.collidersOf(level.body(name))[0]!).shape).type;
  expect([typeOf('ground'), typeOf('hull'), typeOf('mesh')]).toEqual(['mesh', 'hull', 'hull']);
  expect(level.unsupported).toMatchObject([{ node: 2, effect: 'approximated' }]);
  steps(180);
  expect(at(level.body('hull'))[1]).toBeCloseTo(1, 2);
  expect(at(level.body('mesh'))[1]).toBeCloseTo(1, 2);
});

test('decompose cuts a mesh on a body that moves, and then the list has nothing of it', () => {
  const calls: number[] = [];
  const decompose = (positions: Float64Array, indices: Uint32Array) => {
    calls.push(positions.length, indices.length);
    // Two halves along x.
    return [-1, 1].map((side) =>
      [0, 1, 2, 3].flatMap((i) => [0, 0.5 * side].flatMap((x) => [x, i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5])),
    );
  };
  const nodes = [{ mesh: 0, physics: { motion: { mass: 2 }, collider: { geometry: { node: 0 } } } }];
  const level = load(khrFile({ nodes, more: boxMesh() }), { decompose });
  expect(calls).toEqual([24, 36]);
  expect(level.unsupported).toEqual([]);
  expect(level.colliders.get(0)).toHaveLength(2);
  expect(world.getMass(level.body(0))).toBeCloseTo(2, 4);
});

test('the drafts before: shapes named by the collider itself, and meshes among the shapes', () => {
  const hull = { type: 'mesh', mesh: { mesh: 0 }, extensions: { KHR_physics_rigid_bodies: { convexHull: true } } };
  const { extensions: _, ...file } = khrFile({
    nodes: [{ physics: { collider: { shape: 0 } } }, { translation: [5, 0, 0], physics: { motion: {}, collider: { shape: 1 } } }],
    more: boxMesh(),
  });
  const level = load({
    ...file,
    extensions: { KHR_collision_shapes: { shapes: [{ type: 'box', box: { size: [2, 2, 2] } }, hull] } },
  });
  expect(level.unsupported).toEqual([]);
  expect(world.castRay([0, 5, 0], [0, -1, 0])!.point[1]).toBeCloseTo(1, 5);
  expect(world.getMass(level.body(1))).toBeCloseTo(1000, 1);
});

test('a library that decomposes, as its own object', () => {
  const decompose = { computeConvexHulls: ({ positions }: { positions: Float64Array }) => [{ positions }, positions] };
  const nodes = [{ mesh: 0, physics: { motion: { mass: 2 }, collider: { geometry: { node: 0 } } } }];
  expect(load(khrFile({ nodes, more: boxMesh() }), { decompose }).colliders.get(0)).toHaveLength(2);
  expect(() => load(khrFile({ nodes, more: boxMesh() }), { decompose: {} })).toThrow(/computeConvexHulls/);
});

test('a mirrored mesh keeps its front: what falls on it lies on it', () => {
  const quad = meshFile(new Float32Array([-5, 0, -5, -5, 0, 5, 5, 0, 5, 5, 0, -5]), new Uint16Array([0, 1, 2, 0, 2, 3]));
  const nodes = [
    { mesh: 0, scale: [-1, 1, 1], physics: { collider: { geometry: { node: 0 } } } },
    { translation: [1, 2, 1], physics: { motion: {}, ...solid(0) } },
  ];
  const level = load(khrFile({ nodes, shapes: [box(1, 1, 1)], more: quad }));
  steps(150);
  expect(at(level.body(1))[1]).toBeCloseTo(0.5, 2);
});

test('a flat hull gets a thickness', () => {
  const quad = meshFile(new Float32Array([-1, 0, -1, -1, 0, 1, 1, 0, 1, 1, 0, -1]), new Uint16Array([0, 1, 2, 0, 2, 3]));
  const nodes = [{ physics: { motion: { mass: 1 }, collider: { geometry: { node: 0, convexHull: true } } }, mesh: 0 }];
  expect(messages(load(khrFile({ nodes, more: quad })))).toMatch(/thickness/);
});

test('motion: velocities in the space of the node, gravity factor, kinematic bodies go on', () => {
  const half = Math.SQRT1_2;
  const nodes = [
    {
      name: 'a',
      rotation: [0, half, 0, half],
      physics: { motion: { linearVelocity: [1, 0, 0], angularVelocity: [0, 0, 2], gravityFactor: 0 }, ...solid(0) },
    },
    { name: 'b', translation: [5, 0, 0], physics: { motion: { gravityFactor: -0.5 }, ...solid(0) } },
    {
      name: 'c',
      translation: [9, 0, 0],
      physics: { motion: { isKinematic: true, angularVelocity: [0, 3, 0], linearVelocity: [0, 1, 0] }, ...solid(0) },
    },
  ];
  const level = load(khrFile({ nodes, shapes: [box(1, 1, 1)] }));
  const [a, b, c] = ['a', 'b', 'c'].map((name) => level.body(name)) as [BodyId, BodyId, BodyId];
  const [, , vz] = world.getLinearVelocity(a, [0, 0, 0]) as number[];
  expect(vz).toBeCloseTo(-1, 5);
  expect((world.getAngularVelocity(a, [0, 0, 0]) as number[])[0]).toBeCloseTo(2, 5);
  steps(60);
  expect(at(a)[2]).toBeCloseTo(-1, 2);
  expect(at(b)[1]).toBeCloseTo(0.25 * 9.81, 1);
  expect(world.getBody(c).type).toBe('kinematic');
  expect(at(c)[1]).toBeCloseTo(1, 3);
  expect((world.getAngularVelocity(c, [0, 0, 0]) as number[])[1]).toBeCloseTo(3, 5);
});

test('mass, center of mass and inertia as given; the center is in node space, scale included', () => {
  const half = Math.SQRT1_2;
  const motion = {
    mass: 4,
    centerOfMass: [0, -0.5, 0],
    inertiaDiagonal: [1, 2, 3],
    inertiaOrientation: [0, 0, half, half],
  };
  const nodes = [{ scale: [2, 2, 2], physics: { motion, ...solid(0) } }];
  const level = load(khrFile({ nodes, shapes: [box(1, 1, 1)] }));
  const { mass, center, inertia } = world.getMassProperties(level.body(0));
  expect(mass).toBeCloseTo(4, 5);
  expect(Array.from(center as ArrayLike<number>)).toEqual([0, -1, 0]);
  // A quarter about z swaps the moments about x and y.
  for (const [k, moment] of [2, 1, 3, 0, 0, 0].entries()) expect(inertia[k]).toBeCloseTo(moment, 4);
});

test('a center of mass alone leaves mass and inertia to the colliders', () => {
  const file = (motion: object) => khrFile({ nodes: [{ physics: { motion, ...solid(0) } }], shapes: [box(1, 1, 1)] });
  const plain = world.getMassProperties(load(file({ mass: 6 })).body(0));
  const moved = world.getMassProperties(load(file({ mass: 6, centerOfMass: [0.2, 0, 0] })).body(0));
  expect(moved.mass).toBeCloseTo(6, 5);
  expect((moved.center as number[])[0]).toBeCloseTo(0.2, 5);
  for (let k = 0; k < 3; k++) expect(moved.inertia[k]).toBeCloseTo(plain.inertia[k]!, 4);
});

test('zeros are infinite: inertia locks turning, mass locks the place, both make it kinematic', () => {
  const nodes = [
    { name: 'upright', physics: { motion: { mass: 1, inertiaDiagonal: [0, 0, 0], gravityFactor: 0 }, ...solid(0) } },
    {
      name: 'wheel',
      translation: [5, 0, 0],
      physics: { motion: { mass: 0, inertiaDiagonal: [0, 1, 0], gravityFactor: 0 }, ...solid(0) },
    },
    { name: 'rock', translation: [9, 0, 0], physics: { motion: { mass: 0, gravityFactor: 0 }, ...solid(0) } },
    {
      name: 'tilted',
      translation: [14, 0, 0],
      rotation: [0, 0, Math.sin(0.3), Math.cos(0.3)],
      physics: { motion: { mass: 1, inertiaDiagonal: [0, 1, 0], gravityFactor: 0 }, ...solid(0) },
    },
  ];
  const level = load(khrFile({ nodes, shapes: [box(1, 1, 1)] }));
  expect(level.unsupported).toEqual([]);
  const [upright, wheel, rock, tilted] = nodes.map(({ name }) => level.body(name)) as BodyId[];
  expect(world.getBody(rock!).type).toBe('kinematic');
  for (const body of [upright, wheel, tilted]) {
    world.applyImpulse(body!, [1, 0, 0]);
    world.applyAngularImpulse(body!, [0.2, 0.2, 0.2]);
  }
  steps(30);
  const spin = (body: BodyId) => world.getAngularVelocity(body, [0, 0, 0]) as number[];
  expect(spin(upright!)).toEqual([0, 0, 0]);
  expect(at(upright!)[0]).toBeGreaterThan(0.3);
  expect(at(wheel!)).toEqual([5, 0, 0]);
  expect(spin(wheel!)[1]).toBeCloseTo(0.2, 3);
  expect([spin(wheel!)[0], spin(wheel!)[2]]).toEqual([0, 0]);
  // About its own axis, which lies along none of the world.
  const [x, y, z] = spin(tilted!);
  expect(Math.hypot(x!, y!, z!)).toBeGreaterThan(0.05);
  expect(Math.abs(x! * Math.cos(0.6) + y! * Math.sin(0.6))).toBeLessThan(1e-3);
  expect(Math.abs(z!)).toBeLessThan(1e-3);
});

test('a body without colliders has the mass that it says', () => {
  const level = load(
    khrFile({ nodes: [{ physics: { motion: { mass: 3, inertiaDiagonal: [1, 1, 1] } } }, { physics: { motion: {} } }] }),
  );
  expect(world.getMass(level.body(0))).toBeCloseTo(3, 5);
  expect(level.unsupported.every(({ node }) => node === 1)).toBe(true);
  expect(level.unsupported).toHaveLength(2);
});

test('materials: friction, restitution and how they combine', () => {
  const slope = { rotation: [0, 0, Math.sin(0.1), Math.cos(0.1)] };
  const ball = { type: 'sphere', sphere: { radius: 0.5 } };
  const file = khrFile({
    nodes: [
      { ...slope, name: 'slope', physics: solid(0, { physicsMaterial: 0 }) },
      { name: 'ice', translation: [0, 1.2, -4], ...slope, physics: { motion: {}, ...solid(1, { physicsMaterial: 1 }) } },
      { name: 'rubber', translation: [0, 1.2, 4], ...slope, physics: { motion: {}, ...solid(1, { physicsMaterial: 2 }) } },
      { name: 'ground', translation: [50, -0.5, 0], physics: solid(3, { physicsMaterial: 3 }) },
      { name: 'bouncy', translation: [49, 3, 0], physics: { motion: {}, ...solid(2, { physicsMaterial: 4 }) } },
      { name: 'dull', translation: [51, 3, 0], physics: { motion: {}, ...solid(2, { physicsMaterial: 5 }) } },
    ],
    shapes: [box(40, 1, 12), box(1, 1, 1), ball, box(9, 1, 9)],
    materials: [
      { staticFriction: 1, dynamicFriction: 1 },
      { staticFriction: 0, dynamicFriction: 0, frictionCombine: 'minimum' },
      { staticFriction: 0.9, dynamicFriction: 0.7 },
      {},
      { restitution: 0.9, restitutionCombine: 'maximum' },
      { restitution: 0.9, restitutionCombine: 'minimum' },
    ],
  });
  const level = load(file);
  expect(messages(level)).toMatch(/staticFriction 0.9 differs from dynamicFriction 0.7/);
  expect(level.unsupported).toHaveLength(1);
  let highest = 0;
  let dull = 0;
  for (let i = 0; i < 90; i++) {
    world.step();
    if (i > 50) highest = Math.max(highest, at(level.body('bouncy'))[1]!);
    if (i > 50) dull = Math.max(dull, at(level.body('dull'))[1]!);
  }
  expect(highest).toBeGreaterThan(2);
  expect(dull).toBeLessThan(0.52);
  expect(at(level.body('ice'))[0]).toBeLessThan(-1.3);
  expect(Math.abs(at(level.body('rubber'))[0]!)).toBeLessThan(0.3);
});

test('rules of materials that talus ranks otherwise are in the list', () => {
  const materials = [{ dynamicFriction: 0.1, staticFriction: 0.1, frictionCombine: 'average' }, { frictionCombine: 'maximum' }];
  const nodes = [
    { physics: solid(0, { physicsMaterial: 0 }) },
    { translation: [3, 0, 0], physics: solid(0, { physicsMaterial: 1 }) },
  ];
  const level = load(khrFile({ nodes, shapes: [box(1, 1, 1)], materials }));
  expect(messages(level)).toMatch(/talus takes 'max', the file means 'average'/);
});

test('filters: collideWithSystems, notCollideWithSystems and none', () => {
  const drop = (x: number, filter: number | undefined) => ({
    translation: [x, 2, 0],
    physics: { motion: {}, ...solid(1, filter === undefined ? {} : { collisionFilter: filter }) },
  });
  const file = khrFile({
    nodes: [
      { translation: [0, -0.5, 0], physics: solid(0, { collisionFilter: 0 }) },
      drop(-6, 1),
      drop(-3, 2),
      drop(0, 3),
      drop(3, 4),
      drop(6, undefined),
    ],
    shapes: [box(40, 1, 4), box(1, 1, 1)],
    filters: [
      { collisionSystems: ['ground', 'level'] },
      { collisionSystems: ['thing'], collideWithSystems: ['ground'] },
      { collisionSystems: ['thing'], collideWithSystems: ['thing'] },
      { collisionSystems: ['thing'], notCollideWithSystems: ['ground', 'level'] },
      { collisionSystems: ['thing'], notCollideWithSystems: ['thing'] },
    ],
  });
  const level = load(file, { systems: { thing: 7 } });
  steps(120);
  const lies = [1, 2, 3, 4, 5].map((node) => at(level.body(node))[1]! > 0);
  expect(lies).toEqual([true, false, false, true, true]);
  expect(level.systems.get('thing')).toBe(1 << 7);
  // A body of the program's own, with a bit of the file.
  const ball = world.createShape({ type: 'sphere', radius: 0.5 });
  const mine = world.createBody({ shape: ball, position: [-9, 2, 0], mask: level.systems.get('thing')! });
  steps(120);
  expect(at(mine)[1]).toBeLessThan(-2);
});

test('more systems than there are bits: the last ones are in the list', () => {
  const names = Array.from({ length: 33 }, (_, i) => `s${i}`);
  const level = load(
    khrFile({
      nodes: [{ physics: solid(0, { collisionFilter: 0 }) }],
      shapes: [box(1, 1, 1)],
      filters: [{ collisionSystems: names }],
    }),
  );
  expect(level.unsupported.map(({ message }) => /'(s\d+)'/.exec(message)?.[1])).toEqual(['s31', 's32']);
});

test('a scene stands where it is put, turned and scaled', () => {
  const file = khrFile({ nodes: [{ translation: [1, 0, 0], physics: solid(0) }], shapes: [box(1, 1, 1)] });
  const level = load(file, { position: [10, 0, 0], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], scale: 2 });
  const [x, , z] = at(level.body(0));
  expect([x, z]).toEqual([10, expect.closeTo(-2, 5)]);
  expect(world.castRay([10, 5, -2], [0, -1, 0])!.point[1]).toBeCloseTo(1, 4);
});

test('an animated node has a kinematic body', () => {
  const file = khrFile({
    nodes: [
      { name: 'lift', children: [1] },
      { physics: solid(0) },
      { translation: [5, 0, 0], physics: { motion: {}, ...solid(0) } },
    ],
    shapes: [box(1, 1, 1)],
    more: {
      animations: [
        {
          channels: [
            { sampler: 0, target: { node: 0, path: 'translation' } },
            { sampler: 0, target: { node: 2, path: 'rotation' } },
          ],
          samplers: [],
        },
      ],
    },
  });
  const level = load(file);
  expect(world.getBody(level.body(1)).type).toBe('kinematic');
  expect(world.getBody(level.body(2)).type).toBe('kinematic');
  expect(level.unsupported).toHaveLength(2);
});

test('GLB, its buffer, and JSON as bytes', () => {
  const { buffers, ...mesh } = boxMesh() as { buffers: { uri: string; byteLength: number }[] };
  const bytes = new Uint8Array(Buffer.from(buffers[0]!.uri.split(',')[1]!, 'base64'));
  const nodes = [{ mesh: 0, physics: { collider: { geometry: { node: 0 } } } }];
  const json = khrFile({ nodes, more: { ...mesh, buffers: [{ byteLength: bytes.length }] } });
  const glb = glbFile(json, bytes);
  expect(load(glb).colliders.size).toBe(1);
  const parts = readGlb(glb.buffer as ArrayBuffer);
  expect(load(parts.json, { buffers: parts.buffers }).colliders.size).toBe(1);
  expect(load(new TextEncoder().encode(JSON.stringify({ ...json, ...boxMesh() }))).colliders.size).toBe(1);
  expect(() => load(json)).toThrow(/pass options.buffers with the BIN chunk/);
  expect(() => load(glb.subarray(0, 100))).toThrow(/cut off/);
  expect(() => load(new Uint8Array([1, 2, 3, 4, 5]))).toThrow(/not JSON/);
});

test('interleaved, normalized, sparse and strips', () => {
  // Four corners as normalized shorts with a stride of 8, as a strip; the last corner comes from a sparse accessor.
  const data = new DataView(new ArrayBuffer(4 * 8 + 4 + 8));
  for (const [i, [x, z]] of [
    [-1, -1],
    [-1, 1],
    [1, -1],
    [0, 0],
  ].entries()) {
    data.setInt16(8 * i, 32767 * x!, true);
    data.setInt16(8 * i + 4, 32767 * z!, true);
  }
  data.setUint16(32, 3, true);
  data.setInt16(36, 32767, true);
  data.setInt16(40, 32767, true);
  const file = khrFile({
    nodes: [{ mesh: 0, scale: [3, 3, 3], physics: { collider: { geometry: { node: 0 } } } }],
    more: {
      buffers: [{ byteLength: data.byteLength, uri: 'level.bin' }],
      bufferViews: [
        { buffer: 0, byteLength: 32, byteStride: 8 },
        { buffer: 0, byteOffset: 32, byteLength: 2 },
        { buffer: 0, byteOffset: 36, byteLength: 6 },
      ],
      accessors: [
        {
          bufferView: 0,
          componentType: 5122,
          normalized: true,
          count: 4,
          type: 'VEC3',
          sparse: { count: 1, indices: { bufferView: 1, componentType: 5123 }, values: { bufferView: 2 } },
        },
      ],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, mode: 5 }] }],
    },
  });
  const level = load(file, { buffers: [data.buffer] });
  expect(level.unsupported).toEqual([]);
  for (const [x, z] of [
    [2.9, 2.8],
    [-2.9, -2.8],
    [0, 0],
  ])
    expect(world.castRay([x!, 5, z!], [0, -1, 0])?.point[1], `${x} ${z}`).toBeCloseTo(0, 3);
  expect(world.castRay([3.1, 5, 0], [0, -1, 0])).toBe(null);
  expect(() => load(file)).toThrow(/the file 'level.bin' as element 0/);
});

test('what is compressed is in the list', () => {
  const mesh = boxMesh() as { meshes: { primitives: object[] }[] };
  mesh.meshes[0]!.primitives[0] = { ...mesh.meshes[0]!.primitives[0], extensions: { KHR_draco_mesh_compression: {} } };
  const level = load(khrFile({ nodes: [{ mesh: 0, physics: { collider: { geometry: { node: 0 } } } }], more: mesh }));
  expect(messages(level)).toMatch(/KHR_draco_mesh_compression: load the file with GLTFLoader/);
  expect(level.bodies.size).toBe(0);
});

test('the console is told once a file, and not if it is not to be', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const file = khrFile({
    nodes: [{ physics: solid(0) }, { translation: [5, 0, 0], physics: solid(0) }],
    shapes: [{ type: 'torus' }],
    more: { extensionsUsed: ['OMI_physics_gravity'] },
  });
  try {
    expect(loadPhysics(world, file, { warn: false }).unsupported).toHaveLength(2);
    expect(warn).not.toHaveBeenCalled();
    loadPhysics(world, file);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]![0]).toMatch(
      /shapes of type 'torus' are not known[\s\S]*OMI_physics_gravity is not read|OMI_physics_gravity is not read[\s\S]*'torus'/,
    );
  } finally {
    warn.mockRestore();
  }
});

test.each<[string, object, RegExp]>([
  [
    'a shape that is not there',
    { nodes: [{ physics: solid(3) }], shapes: [box(1, 1, 1)] },
    /nodes\[0\]\.extensions\.KHR_physics_rigid_bodies\.collider\.geometry\.shape must be a whole number from 0 to 0, got 3/,
  ],
  ['no shapes at all', { nodes: [{ physics: solid(0) }] }, /the list that it points into is empty/],
  ['a size of nothing', { nodes: [{ physics: solid(0) }], shapes: [box(1, 0, 1)] }, /shapes\[0\]\.box\.size must be more than 0/],
  [
    'a negative mass',
    { nodes: [{ physics: { motion: { mass: -1 }, ...solid(0) } }], shapes: [box(1, 1, 1)] },
    /motion\.mass must be a finite number from 0/,
  ],
  [
    'two rules of one filter',
    {
      nodes: [{ physics: solid(0, { collisionFilter: 0 }) }],
      shapes: [box(1, 1, 1)],
      filters: [{ collideWithSystems: ['a'], notCollideWithSystems: ['b'] }],
    },
    /it may have one of them/,
  ],
  [
    'a rule that is none',
    { nodes: [{ physics: solid(0, { physicsMaterial: 0 }) }], shapes: [box(1, 1, 1)], materials: [{ frictionCombine: 'sum' }] },
    /frictionCombine must be one of 'average'/,
  ],
  ['a node within itself', { nodes: [{ children: [1] }, { children: [0] }], roots: [0] }, /lies within itself/],
  [
    'a shape too small for talus',
    { nodes: [{ name: 'grain', physics: solid(0) }], shapes: [box(1e-6, 1, 1)] },
    /nodes\[0\] 'grain': halfExtents\[0\]/,
  ],
])('refused: %s; the world is as it was', (_, parts, message) => {
  const before = world.bodyCount;
  expect(() => load(khrFile(parts as Parameters<typeof khrFile>[0]))).toThrow(message);
  try {
    load(khrFile(parts as Parameters<typeof khrFile>[0]));
  } catch (error) {
    expect((error as { code: string }).code).toBe('invalid-argument');
  }
  expect(world.bodyCount).toBe(before);
});

test('refused arguments', () => {
  const file = khrFile({ nodes: [] });
  expect(() => loadPhysics(createWorld() as never, file)).toThrow(/await createWorld/);
  expect(() => loadPhysics({ createBody() {}, takeEvents() {} } as never, file)).toThrow(/TalusWorker/);
  expect(() => load({})).toThrow(/the JSON of a glTF file/);
  expect(() => load(file, { buffer: [] })).toThrow(/did you mean 'buffers'/);
  expect(() => load(file, { buffers: ['level.bin'] })).toThrow(/options.buffers must be an array/);
  expect(() => load(file, { scene: 4 })).toThrow(/options.scene/);
  expect(() => load(file, { systems: { a: 0 } })).toThrow(/options.systems\['a'\]/);
  expect(() => load({ ...file, asset: { version: '1.0' } })).toThrow(/version 1.0/);
  const level = load(file);
  expect(() => level.body('door')).toThrow(/no node 'door'/);
});

test('remove takes all of it away', () => {
  const before = world.bodyCount;
  const level = load(overFloor({ motion: {}, ...solid(1) }, [box(1, 1, 1)]));
  const shape = world.getCollider(level.colliders.get(0)![0]!).shape;
  expect(world.bodyCount).toBe(before + 2);
  level.remove();
  expect(world.bodyCount).toBe(before);
  expect(() => world.getShape(shape)).toThrow(/stale|removed|gone/i);
  level.remove();
});
