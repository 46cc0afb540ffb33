// Bad input is refused with a code and a sentence, and leaves linear memory exactly as it was.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type BodyId,
  type ColliderId,
  createWorld,
  type ShapeId,
  TalusError,
  type TalusErrorCode,
  type World,
} from '../../src/index';
import { createWorld as createStudy } from '../../src/study/index';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the subject
type Wrong = any;

let world: World;
let shape: ShapeId;
let mesh: ShapeId;
let body: BodyId;
let floor: BodyId;
let lift: BodyId;
let collider: ColliderId;

beforeAll(async () => {
  world = await createWorld();
  shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  mesh = world.createShape({ type: 'mesh', positions: [0, 0, 0, 0, 0, 1, 1, 0, 0], indices: [0, 1, 2] });
  body = world.createBody({ shape, position: [0, 3, 0] });
  floor = world.createBody({ type: 'static', shape: mesh });
  lift = world.createBody({ type: 'kinematic', shape, position: [9, 0, 0] });
  collider = world.collidersOf(body)[0]!;
  world.step();
});

/** All of linear memory and what the host keeps beside it. */
function snapshot(): string {
  const memory = (world as Wrong).memory.memory as WebAssembly.Memory;
  let hash = 2166136261;
  for (const word of new Uint32Array(memory.buffer)) hash = Math.imul(hash ^ word, 16777619);
  return JSON.stringify([hash, world.settings, (world as Wrong).targets, [...(world as Wrong).massOverrides.keys()]]);
}

/** The call is refused with this code, the message mentions `words`, and nothing has changed. */
function refuses(code: TalusErrorCode, words: string | RegExp, call: () => unknown): void {
  const before = snapshot();
  let error: unknown;
  try {
    call();
  } catch (caught) {
    error = caught;
  }
  expect(error, String(call)).toBeInstanceOf(TalusError);
  expect((error as TalusError).code, (error as Error).message).toBe(code);
  expect((error as TalusError).message).toMatch(words);
  expect(snapshot()).toBe(before);
}

describe('shapes', () => {
  test.each<[string, Wrong, TalusErrorCode, RegExp]>([
    ['no description', undefined, 'invalid-argument', /shape/],
    ['unknown type', { type: 'torus' }, 'invalid-argument', /'sphere'/],
    ['unknown key', { type: 'sphere', radius: 1, size: 2 }, 'invalid-argument', /no 'size'/],
    ['radius NaN', { type: 'sphere', radius: Number.NaN }, 'invalid-argument', /radius/],
    ['radius 0', { type: 'sphere', radius: 0 }, 'invalid-argument', /radius/],
    ['radius negative', { type: 'capsule', radius: -1, halfHeight: 1 }, 'invalid-argument', /radius/],
    ['radius huge', { type: 'sphere', radius: 1e9 }, 'invalid-argument', /radius/],
    ['radius a string', { type: 'sphere', radius: '1' }, 'invalid-argument', /'1'/],
    ['radius missing', { type: 'cone', halfHeight: 1 }, 'invalid-argument', /undefined/],
    ['half height 0', { type: 'cylinder', radius: 1, halfHeight: 0 }, 'invalid-argument', /halfHeight/],
    ['half extents short', { type: 'box', halfExtents: [1, 2] }, 'invalid-argument', /3 numbers, got 2/],
    ['half extents negative', { type: 'box', halfExtents: [1, -2, 1] }, 'invalid-argument', /halfExtents\[1\]/],
    ['half extents missing', { type: 'box' }, 'invalid-argument', /halfExtents/],
    ['hull empty', { type: 'hull', points: [] }, 'degenerate-shape', /./],
    ['hull flat', { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0] }, 'degenerate-shape', /./],
    ['hull NaN', { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, Number.NaN] }, 'invalid-argument', /./],
    ['mesh empty', { type: 'mesh', positions: [], indices: [] }, 'invalid-argument', /./],
    ['mesh index', { type: 'mesh', positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 3] }, 'invalid-argument', /3/],
    ['mesh degenerate', { type: 'mesh', positions: [0, 0, 0, 1, 0, 0, 2, 0, 0], indices: [0, 1, 2] }, 'degenerate-shape', /0/],
    ['heightfield size', { type: 'heightfield', heights: [0, 0, 0], nx: 2, nz: 2, spacing: 1 }, 'invalid-argument', /4/],
    [
      'heightfield holes',
      { type: 'heightfield', heights: Array(4).fill(Number.NaN), nx: 2, nz: 2, spacing: 1 },
      'degenerate-shape',
      /./,
    ],
  ])('%s', (_name, desc, code, words) => refuses(code, words, () => world.createShape(desc)));
});

describe('bodies', () => {
  const base = () => ({ shape });
  test.each<[string, () => Wrong, TalusErrorCode, RegExp]>([
    ['not an object', () => 5, 'invalid-argument', /object/],
    ['unknown key', () => ({ ...base(), postion: [0, 0, 0] }), 'invalid-argument', /no 'postion'/],
    ['type', () => ({ ...base(), type: 'fixed' }), 'invalid-argument', /'static'/],
    ['position NaN', () => ({ ...base(), position: [0, Number.NaN, 0] }), 'invalid-argument', /position\[1\]/],
    ['position infinite', () => ({ ...base(), position: [0, 0, Infinity] }), 'invalid-argument', /position\[2\]/],
    ['position far', () => ({ ...base(), position: [1e7, 0, 0] }), 'invalid-argument', /1000000/],
    ['position sparse', () => ({ ...base(), position: new Array(3) }), 'invalid-argument', /undefined/],
    ['rotation zero', () => ({ ...base(), rotation: [0, 0, 0, 0] }), 'invalid-argument', /length is zero/],
    ['rotation short', () => ({ ...base(), rotation: [0, 0, 1] }), 'invalid-argument', /4 numbers/],
    ['velocity', () => ({ ...base(), linearVelocity: [0, 1e9, 0] }), 'invalid-argument', /linearVelocity/],
    ['spin', () => ({ ...base(), angularVelocity: 'fast' }), 'invalid-argument', /angularVelocity/],
    ['density negative', () => ({ ...base(), density: -1 }), 'invalid-argument', /density/],
    ['density 0', () => ({ ...base(), density: 0 }), 'invalid-argument', /needs mass/],
    ['no collider', () => ({}), 'invalid-argument', /needs mass/],
    ['mass 0', () => ({ ...base(), mass: 0 }), 'invalid-argument', /mass/],
    ['mass without shape', () => ({ mass: 3 }), 'invalid-argument', /needs mass/],
    ['mass indefinite', () => ({ mass: { mass: 1, inertia: [1, 1, -1, 0, 0, 0] } }), 'invalid-argument', /positive definite/],
    ['friction', () => ({ ...base(), friction: -0.1 }), 'invalid-argument', /friction/],
    ['restitution', () => ({ ...base(), restitution: 1.5 }), 'invalid-argument', /from 0 to 1/],
    ['combine', () => ({ ...base(), frictionCombine: 'sum' }), 'invalid-argument', /'average'/],
    ['mask', () => ({ ...base(), mask: 0.5 }), 'invalid-argument', /32 bits/],
    ['sensor', () => ({ ...base(), sensor: 1 }), 'invalid-argument', /true or false/],
    ['damping', () => ({ ...base(), linearDamping: -1 }), 'invalid-argument', /linearDamping/],
    ['gravity scale', () => ({ ...base(), gravityScale: Number.NaN }), 'invalid-argument', /gravityScale/],
    ['friction without shape', () => ({ friction: 1 }), 'invalid-argument', /needs body.shape/],
    ['shape and colliders', () => ({ ...base(), colliders: [{ shape }] }), 'invalid-argument', /belongs into/],
    ['colliders', () => ({ colliders: { shape } }), 'invalid-argument', /array/],
    ['bad second collider', () => ({ colliders: [{ shape }, { shape, density: -4 }] }), 'invalid-argument', /colliders\[1\]/],
    ['stale shape', () => ({ shape: 77 }), 'stale-handle', /shape 77/],
    ['no shape id', () => ({ shape: 'box' }), 'stale-handle', /not the id/],
    ['moving mesh', () => ({ shape: mesh }), 'unsupported', /static body/],
  ])('%s', (_name, desc, code, words) => refuses(code, words, () => world.createBody(desc())));
});

describe('many bodies', () => {
  const base = () => ({ count: 2, shape, positions: [0, 0, 0, 5, 0, 0] });
  test.each<[string, () => Wrong, TalusErrorCode, RegExp]>([
    ['count 0', () => ({ ...base(), count: 0 }), 'invalid-argument', /count/],
    ['count fraction', () => ({ ...base(), count: 1.5 }), 'invalid-argument', /whole/],
    ['too many', () => ({ ...base(), count: 2 ** 25 }), 'invalid-argument', /count/],
    ['no shape', () => ({ count: 1, positions: [0, 0, 0] }), 'invalid-argument', /need shape/],
    ['both shapes', () => ({ ...base(), shapes: [shape, shape] }), 'invalid-argument', /not both/],
    ['positions missing', () => ({ count: 2, shape }), 'invalid-argument', /positions/],
    ['positions short', () => ({ ...base(), positions: [0, 0, 0] }), 'invalid-argument', /6 numbers, got 3/],
    ['positions empty', () => ({ ...base(), positions: new Float32Array(0) }), 'invalid-argument', /got 0/],
    ['last position NaN', () => ({ ...base(), positions: [0, 0, 0, 5, 0, Number.NaN] }), 'invalid-argument', /positions\[5\]/],
    ['last rotation zero', () => ({ ...base(), rotations: [0, 0, 0, 1, 0, 0, 0, 0] }), 'invalid-argument', /element 1/],
    ['types', () => ({ ...base(), types: [2, 3] }), 'invalid-argument', /types\[1\]/],
    ['densities', () => ({ ...base(), densities: [1000, 0] }), 'invalid-argument', /body 1/],
    ['restitutions', () => ({ ...base(), restitutions: [0, 2] }), 'invalid-argument', /restitutions\[1\]/],
    ['last shape stale', () => ({ count: 2, shapes: [shape, 99], positions: [0, 0, 0, 1, 0, 0] }), 'stale-handle', /99/],
    ['last shape a mesh', () => ({ count: 2, shapes: [shape, mesh], positions: [0, 0, 0, 1, 0, 0] }), 'unsupported', /static/],
    ['unknown key', () => ({ ...base(), position: [0, 0, 0] }), 'invalid-argument', /no 'position'/],
  ])('%s', (_name, desc, code, words) => refuses(code, words, () => world.createBodies(desc())));
});

describe('calls on bodies', () => {
  const nan = [0, Number.NaN, 0];
  test.each<[string, () => unknown, TalusErrorCode, RegExp]>([
    ['removeBody', () => world.removeBody(1e6 as BodyId), 'stale-handle', /removed/],
    ['removeBody NaN', () => world.removeBody(Number.NaN as BodyId), 'stale-handle', /NaN/],
    ['removeBody negative', () => world.removeBody(-1 as BodyId), 'stale-handle', /-1/],
    ['removeBody fraction', () => world.removeBody(0.5 as BodyId), 'stale-handle', /0.5/],
    ['removeBody undefined', () => world.removeBody(undefined as Wrong), 'stale-handle', /undefined/],
    ['removeShape', () => world.removeShape(9 as ShapeId), 'stale-handle', /shape 9/],
    ['removeShape in use', () => world.removeShape(shape), 'in-use', /colliders/],
    ['removeCollider', () => world.removeCollider(50 as ColliderId), 'stale-handle', /collider 50/],
    ['removeCollider last', () => world.removeCollider(collider), 'invalid-argument', /needs mass/],
    ['teleport', () => world.teleport(body, nan), 'invalid-argument', /position/],
    ['teleport rotation', () => world.teleport(body, [0, 0, 0], [0, 0, 0, 0]), 'invalid-argument', /rotation/],
    ['setVelocity', () => world.setVelocity(body, nan), 'invalid-argument', /linear/],
    ['setVelocity spin', () => world.setVelocity(body, [0, 0, 0], nan), 'invalid-argument', /angular/],
    ['setVelocity static', () => world.setVelocity(floor, [0, 0, 0]), 'unsupported', /static/],
    ['addForce', () => world.addForce(body, nan), 'invalid-argument', /force/],
    ['addForce point', () => world.addForce(body, [0, 0, 0], [0, 0]), 'invalid-argument', /point/],
    ['addForce kinematic', () => world.addForce(lift, [0, 0, 0]), 'unsupported', /kinematic/],
    ['addTorque', () => world.addTorque(body, nan), 'invalid-argument', /torque/],
    ['applyImpulse', () => world.applyImpulse(body, [1e20, 0, 0]), 'invalid-argument', /impulse/],
    ['applyImpulse point', () => world.applyImpulse(body, [0, 0, 0], nan), 'invalid-argument', /point/],
    ['applyAngularImpulse', () => world.applyAngularImpulse(body, nan), 'invalid-argument', /impulse/],
    ['moveKinematic dynamic', () => world.moveKinematic(body, [0, 0, 0]), 'unsupported', /dynamic/],
    ['moveKinematic', () => world.moveKinematic(lift, nan), 'invalid-argument', /position/],
    ['setMass', () => world.setMass(body, -2), 'invalid-argument', /mass/],
    ['setMass inertia', () => world.setMass(body, { mass: 1, inertia: [1, 1] }), 'invalid-argument', /6 numbers/],
    ['setType', () => world.setType(body, 'frozen' as Wrong), 'invalid-argument', /type/],
    ['setType mesh', () => world.setType(floor, 'dynamic'), 'unsupported', /mesh/],
    ['setDamping', () => world.setDamping(body, 0, -1), 'invalid-argument', /angular/],
    ['setGravityScale', () => world.setGravityScale(body, Infinity), 'invalid-argument', /scale/],
    ['addCollider', () => world.addCollider(body, { shape, position: nan }), 'invalid-argument', /position/],
    ['addCollider mesh', () => world.addCollider(body, { shape: mesh }), 'unsupported', /mesh/],
    ['setMaterial', () => world.setMaterial(collider, { friction: Number.NaN }), 'invalid-argument', /friction/],
    ['setMaterial key', () => world.setMaterial(collider, { density: 3 } as Wrong), 'invalid-argument', /density/],
  ])('%s', (_name, call, code, words) => refuses(code, words, call));
});

describe('settings', () => {
  test.each<[string, Wrong, RegExp]>([
    ['unknown', { substep: 4 }, /no 'substep'/],
    ['solver', { solver: 'simplex' }, /'cell-split'/],
    ['a solver of talus/study', { solver: 'colored' }, /'cell-split'/],
    ['preset', { preset: 'ultra' }, /'balanced'/],
    ['substeps 0', { substeps: 0 }, /from 1 to 64/],
    ['substeps fraction', { substeps: 2.5 }, /whole/],
    ['dt 0', { dt: 0 }, /dt/],
    ['dt NaN', { dt: Number.NaN }, /dt/],
    ['gravity', { gravity: [0, Number.NaN, 0] }, /gravity\[1\]/],
    ['warm start', { warmStart: 2 }, /warmStart/],
    ['stiffness', { contactHertzRatio: 3 }, /contactHertzRatio/],
    ['an option of talus/study', { frictionModel: 'patch' }, /no 'frictionModel'/],
    ['null', null, /object/],
  ])('%s', async (_name, settings, words) => {
    refuses('invalid-argument', words, () => world.set(settings));
    await expect(createWorld(settings)).rejects.toThrow(words);
  });

  test.each<[string, Wrong, RegExp]>([
    ['unknown', { substep: 4 }, /no 'substep'/],
    ['solver', { solver: 'simplex' }, /'colored'/],
    ['substeps 0', { substeps: 0 }, /from 1 to 64/],
    ['friction model', { frictionModel: 'box' }, /'patch'/],
    ['factor', { stabilizationFactor: 2 }, /stabilizationFactor/],
  ])('of talus/study: %s', async (_name, settings, words) => {
    const studied = await createStudy();
    refuses('invalid-argument', words, () => studied.set(settings));
    await expect(createStudy(settings)).rejects.toThrow(words);
  });

  test('options of createWorld', async () => {
    await expect(createWorld({ backend: 'cuda' as Wrong })).rejects.toThrow(/'webgpu'/);
    await expect(createWorld({ bodyCapacity: -1 })).rejects.toThrow(/bodyCapacity/);
    await expect(createWorld({ wasm: new Uint8Array([1, 2, 3]) })).rejects.toMatchObject({ code: 'unsupported' });
    expect((await createWorld({ bodyCapacity: 5000 })).slotCount).toBe(0);
  });
});

describe('many colliders of surfaces', () => {
  test('a body may have both a mesh and a box if it is static', () => {
    const before = world.bodyCount;
    const both = world.createBody({ type: 'static', position: [50, 0, 0], colliders: [{ shape: mesh }, { shape }] });
    expect(world.bodyCount).toBe(before + 1);
    world.removeBody(both);
  });
});
