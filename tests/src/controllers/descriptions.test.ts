// Descriptions of characters and vehicles, against their documented defaults and ranges: both ends of each range are accepted, what is
// just beyond is refused with the name of the field, and directions are those of linear algebra.
import { describe, expect, test } from 'vitest';
import { type CharacterDesc, checkCharacter, checkWalk, feetOf, type Walk } from '../../../src/controllers/character_desc';
import { checkVehicle, type VehicleDesc, type WheelDesc } from '../../../src/controllers/vehicle_desc';
import type { BodyId, ShapeDesc } from '../../../src/index';

const CAPSULE: ShapeDesc = { type: 'capsule', radius: 0.3, halfHeight: 0.55 };

/** Expects an error that begins with the name of the field. */
function refused(run: () => unknown, name: string): void {
  const begin = new RegExp(`^${name.replace(/[.[\]]/g, '\\$&')} `);
  expect(run).toThrow(expect.objectContaining({ code: 'invalid-argument', message: expect.stringMatching(begin) }));
}

/** A number a little below or above. */
const below = (x: number) => (x === 0 ? -1e-6 : x - 1e-4 * Math.abs(x));
const above = (x: number) => (x === 0 ? 1e-6 : x + 1e-4 * Math.abs(x));

/** Expects a setting to be read as it is at both ends of its range, and to be refused beyond them and where it is no number. */
function inRange(name: string, min: number, max: number, read: (value: unknown) => unknown): void {
  for (const value of [min, max, min + 0.37 * (max - min)]) expect(read(value)).toBe(value);
  for (const wrong of [below(min), above(max), Number.NaN, Infinity, 'one', null]) refused(() => read(wrong), name);
}

describe('a character', () => {
  const make = (more: object = {}) => checkCharacter({ shape: CAPSULE, position: [1, 2, 3], ...more } as CharacterDesc);

  test('its defaults are as documented', () => {
    const given = { shape: CAPSULE, position: [1, 2, 3] } as const;
    const desc = checkCharacter(given as unknown as CharacterDesc);
    expect(desc).toEqual({
      given,
      shape: CAPSULE,
      feet: 0.3 + 0.55,
      position: [1, 2, 3],
      up: [0, 1, 0],
      rotation: [0, 0, 0, 1],
      mass: 80,
      pushForce: 2000,
      stepHeight: 0.35,
      slope: Math.cos(0.87),
      snap: 0.3,
      skin: 0.01,
      acceleration: 40,
      airAcceleration: 8,
      gravityScale: 1,
      mask: 0xffffffff,
      presence: 'sensor',
      category: 1,
    });
    expect(desc.given).toBe(given);
  });

  test.each([
    ['mass', 1e-3, 1e6],
    ['pushForce', 0, 1e9],
    ['stepHeight', 0, 100],
    ['snap', 0, 100],
    ['skin', 1e-4, 1],
    ['acceleration', 0, 1e6],
    ['airAcceleration', 0, 1e6],
    ['gravityScale', -100, 100],
  ])('%s is from %f to %f', (key, min, max) => {
    inRange(`character.${key}`, min, max, (value) => make({ [key]: value })[key as 'mass']);
  });

  test('its steepest slope is kept as a cosine', () => {
    for (const angle of [0, 0.4, 1.55]) expect(make({ maxSlope: angle }).slope).toBe(Math.cos(angle));
    for (const wrong of [-0.001, 1.551, 45, Number.NaN]) refused(() => make({ maxSlope: wrong }), 'character.maxSlope');
  });

  test.each(['mask', 'category'])('%s has 32 bits', (key) => {
    for (const bits of [0, 5, 0xffffffff]) expect(make({ [key]: bits })[key as 'mask']).toBe(bits);
    for (const wrong of [-1, 2 ** 32, 0.5, Number.NaN]) refused(() => make({ [key]: wrong }), `character.${key}`);
  });

  test('its up direction gets length 1, and its rotation is the smallest one to it', () => {
    const l = Math.hypot(2, 3, -6);
    const [x, y, z] = [2 / l, 3 / l, -6 / l] as const;
    const { up, rotation } = make({ up: { x: 2, y: 3, z: -6 } });
    for (const [k, u] of [x, y, z].entries()) expect(up[k]).toBeCloseTo(u, 14);
    // About y x up, by the angle between them.
    const half = Math.acos(y) / 2;
    const s = Math.sin(half) / Math.hypot(z, x);
    for (const [k, q] of [z * s, 0, -x * s, Math.cos(half)].entries()) expect(rotation[k]).toBeCloseTo(q, 14);
    refused(() => make({ up: [0, 0, 0] }), 'character.up');
  });

  test('its position is copied, from an array or an object', () => {
    const position = [4, -5, 6];
    const desc = make({ position });
    position[0] = 9;
    expect(desc.position).toEqual([4, -5, 6]);
    expect(make({ position: { x: 7, y: 8, z: -9 } }).position).toEqual([7, 8, -9]);
    refused(() => make({ position: [1, 2] }), 'character.position');
    refused(() => make({ position: undefined }), 'character.position');
  });

  test('its presence is one of three words', () => {
    for (const presence of ['none', 'sensor', 'solid']) expect(make({ presence }).presence).toBe(presence);
    refused(() => make({ presence: 'ghost' }), 'character.presence');
  });

  test('unknown keys are refused', () => {
    expect(() => make({ weight: 80 })).toThrow(/^character has no 'weight'/);
    expect(() => checkCharacter(null as never)).toThrow(/^character must be an object/);
  });

  test('its walk has a velocity and a jump from 0 to 1000', () => {
    for (const walk of [{}, { velocity: [1, 2, 3] }, { velocity: { x: 1, y: 0, z: 2 }, jump: 0 }, { jump: 1000 }])
      expect(() => checkWalk(walk as Walk)).not.toThrow();
    refused(() => checkWalk({ velocity: [1, 2, Number.NaN] }), 'walk.velocity[2]');
    refused(() => checkWalk({ velocity: null as never }), 'walk.velocity');
    refused(() => checkWalk({ jump: -1e-6 }), 'walk.jump');
    refused(() => checkWalk({ jump: 1000.1 }), 'walk.jump');
    expect(() => checkWalk({ speed: 1 } as object)).toThrow(/^walk has no 'speed'/);
  });
});

describe('feet', () => {
  const points = (...lowest: number[]) => [5, lowest[0]!, -7, -9, lowest[1]!, 4, 6, lowest[2]!, -8];
  test.each<[string, ShapeDesc, number]>([
    ['a sphere', { type: 'sphere', radius: 0.7 }, 0.7],
    ['a capsule', { type: 'capsule', radius: 0.3, halfHeight: 0.9 }, 1.2],
    ['a cylinder', { type: 'cylinder', radius: 0.3, halfHeight: 0.8 }, 0.8],
    ['a cone', { type: 'cone', radius: 0.4, halfHeight: 0.6 }, 0.6],
    ['a box of an array', { type: 'box', halfExtents: [0.2, 0.5, 0.9] }, 0.5],
    ['a box of an object', { type: 'box', halfExtents: { x: 0.3, y: 0.45, z: 0.8 } }, 0.45],
    ['a hull with its lowest point first', { type: 'hull', points: points(-3, 1, 2) }, 3],
    ['a hull with its lowest point in the middle', { type: 'hull', points: points(1, -2, 2) }, 2],
    ['a hull with its lowest point at the end', { type: 'hull', points: points(1, 2, -4) }, 4],
    ['a hull above its origin', { type: 'hull', points: points(1.5, 2, 4) }, -1.5],
  ])('of %s', (_, shape, feet) => {
    expect(feetOf(shape)).toBeCloseTo(feet, 14);
    expect(checkCharacter({ shape, position: [0, 0, 0] }).feet).toBe(feetOf(shape));
  });

  test('no other shape has any', () => {
    for (const shape of [undefined, null, { type: 'mesh', positions: [], indices: [] }, { type: 'ball' }])
      refused(() => feetOf(shape as never), 'character.shape');
  });
});

describe('a vehicle', () => {
  const wheel = (more: object = {}): WheelDesc => ({ position: [1, 2, 3], radius: 0.36, ...more });
  const make = (more: object = {}) =>
    checkVehicle({ body: 1 as unknown as BodyId, wheels: [wheel(), wheel({ radius: 0.5 })], ...more } as VehicleDesc);
  const wheelOf = (more: object) => make({ wheels: [wheel(), wheel(more)] }).wheels[1]!;
  const driven = { wheels: [wheel({ driven: true })] };

  test('its defaults are as documented', () => {
    const settings = { position: [1, 2, 3], frequency: 1.6, dampingRatio: 0.4, friction: 1, slidingGrip: 0.8, mass: 15 };
    const shares = { steered: 0, driven: 0, braked: 1, handbrake: 0 };
    expect(make()).toEqual({
      wheels: [
        { ...settings, ...shares, radius: 0.36, bump: 0.18, droop: 0.18 },
        { ...settings, ...shares, radius: 0.5, bump: 0.25, droop: 0.25 },
      ],
      drive: { torque: 0, topSpeed: 1, reverseSpeed: 1, engineBrake: 0 },
      up: [0, 1, 0],
      forward: [0, 0, 1],
      left: [1, 0, 0],
      steering: 0.6,
      brakeTorque: 1500,
      handbrakeTorque: 3000,
      rollingResistance: 0.012,
      mask: 0xffffffff,
      grip: undefined,
    });
    expect(make({ ...driven, drive: { torque: 700 } }).drive).toEqual({
      torque: 700,
      topSpeed: 50,
      reverseSpeed: 12.5,
      engineBrake: 70,
    });
    expect(make({ ...driven, drive: { torque: 1, topSpeed: 32 } }).drive.reverseSpeed).toBe(8);
  });

  test.each([
    ['radius', 0.01, 100],
    ['bump', 0, 100],
    ['droop', 0, 100],
    ['frequency', 0.1, 20],
    ['dampingRatio', 0, 10],
    ['friction', 0, 100],
    ['slidingGrip', 0, 1],
    ['mass', 1e-3, 1e5],
    ['steered', -1, 1],
  ])('%s of a wheel is from %f to %f', (key, min, max) => {
    inRange(`vehicle.wheels[1].${key}`, min, max, (value) => wheelOf({ [key]: value })[key as 'radius']);
  });

  test.each([
    ['torque', 0, 1e8],
    ['topSpeed', 0.1, 1000],
    ['reverseSpeed', 0.1, 1000],
    ['engineBrake', 0, 1e8],
  ])('%s of its drive is from %f to %f', (key, min, max) => {
    const read = (value: unknown) => make({ ...driven, drive: { torque: 50, [key]: value } }).drive[key as 'torque'];
    inRange(`vehicle.drive.${key}`, min, max, read);
  });

  test.each([
    ['brakeTorque', 0, 1e8],
    ['handbrakeTorque', 0, 1e8],
    ['rollingResistance', 0, 1],
    ['steering', 0, 1.5],
    ['mask', 0, 0xffffffff],
  ])('%s is from %f to %f', (key, min, max) => {
    inRange(`vehicle.${key}`, min, max, (value) => make({ [key]: value })[key as 'steering']);
  });

  test('flags of wheels become shares', () => {
    expect(wheelOf({ steered: true }).steered).toBe(1);
    expect(wheelOf({ steered: false }).steered).toBe(0);
    for (const key of ['driven', 'braked', 'handbrake'] as const) {
      expect(wheelOf({ [key]: true })[key]).toBe(1);
      expect(wheelOf({ [key]: false })[key]).toBe(0);
      for (const wrong of [1, null, 'yes']) refused(() => wheelOf({ [key]: wrong }), `vehicle.wheels[1].${key}`);
    }
    refused(() => wheelOf({ position: [1, 2] }), 'vehicle.wheels[1].position');
    refused(() => wheelOf({ radius: undefined }), 'vehicle.wheels[1].radius');
  });

  test('driven wheels share the torque; at least one is needed for any', () => {
    const flags = [true, false, true, true, false];
    const { wheels } = make({ wheels: flags.map((is) => wheel({ driven: is })), drive: { torque: 5 } });
    expect(wheels.map((one) => one.driven)).toEqual([1 / 3, 0, 1 / 3, 1 / 3, 0]);
    expect(make({ wheels: [wheel({ driven: true }), wheel()] }).wheels.map((one) => one.driven)).toEqual([1, 0]);
    expect(make({ drive: { torque: 0 } }).drive.torque).toBe(0);
    refused(() => make({ drive: { torque: 1e-3 } }), 'vehicle.wheels');
  });

  test('it has 1 to 32 wheels', () => {
    for (const count of [1, 32]) expect(make({ wheels: Array.from({ length: count }, () => wheel()) }).wheels.length).toBe(count);
    for (const count of [0, 33]) refused(() => make({ wheels: Array.from({ length: count }, () => wheel()) }), 'vehicle.wheels');
    for (const wrong of [undefined, 4, { length: 2 }]) refused(() => make({ wheels: wrong }), 'vehicle.wheels');
  });

  test('forward is made perpendicular to up, and left is to the left of it', () => {
    const [u, f] = [
      [1, 2, -3],
      [-2, 1.5, 4],
    ] as const;
    const { up, forward, left } = make({ up: u, forward: f });
    const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, k) => sum + x * b[k]!, 0);
    // Gram and Schmidt, with whole vectors.
    const k = dot(f, u) / dot(u, u);
    const level = f.map((x, i) => x - k * u[i]!);
    for (let i = 0; i < 3; i++) {
      expect(up[i]).toBeCloseTo(u[i]! / Math.sqrt(14), 14);
      expect(forward[i]).toBeCloseTo(level[i]! / Math.hypot(...level), 14);
      const [a, b] = [(i + 1) % 3, (i + 2) % 3];
      expect(left[i]).toBeCloseTo(up[a]! * forward[b]! - up[b]! * forward[a]!, 14);
    }
    // Without a forward direction: z, made perpendicular to up.
    const ahead = make({ up: u }).forward;
    const [x, y, z] = [3, 6, 5].map((a) => a / Math.sqrt(70));
    for (const [i, a] of [x!, y!, z!].entries()) expect(ahead[i]).toBeCloseTo(a, 14);
    expect([dot(up, forward), dot(left, left)].map((x) => Number(x.toFixed(12)))).toEqual([0, 1]);
  });

  test('forward is at least a tenth off the up direction', () => {
    const off = (sine: number) => [sine, Math.sqrt(1 - sine * sine), 0];
    for (const sine of [0.1, 0.1005, -0.104]) {
      const { forward } = make({ forward: off(sine) });
      for (const [i, x] of [Math.sign(sine), 0, 0].entries()) expect(forward[i]).toBeCloseTo(x, 12);
    }
    for (const sine of [0.0995, 0.06, 0]) refused(() => make({ forward: off(sine) }), 'vehicle.forward');
    refused(() => make({ forward: [0, 0, 0] }), 'vehicle.forward');
    refused(() => make({ up: [0, 0, 0] }), 'vehicle.up');
  });

  test('the grip of the ground is a function', () => {
    const grip = () => 0.5;
    expect(make({ grip }).grip).toBe(grip);
    for (const wrong of [0.5, null]) refused(() => make({ grip: wrong }), 'vehicle.grip');
  });

  test('unknown keys are refused, wherever they are', () => {
    expect(() => make({ brakes: 3 })).toThrow(/^vehicle has no 'brakes'/);
    expect(() => wheelOf({ width: 0.2 })).toThrow(/^vehicle\.wheels\[1\] has no 'width'/);
    expect(() => make({ ...driven, drive: { torque: 5, gears: 6 } })).toThrow(/^vehicle\.drive has no 'gears'/);
    refused(() => make({ drive: null }), 'vehicle.drive');
  });
});
