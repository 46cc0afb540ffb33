// The exact trees of joints against the oracle in double precision: in a step so short that nothing turns, velocities that break the
// joints become those that keep all locked axes with the least change of kinetic energy.
import { describe, expect, test } from 'vitest';
import { BodyCold, BodyRow, Header, Joint } from '../../src/layout.generated';
import type { LinearMemory } from '../../src/wasm/memory';
import type { V3 } from '../helpers/ground';
import { type OracleBody, type OracleJoint, projectVelocities } from '../helpers/joint_oracle';
import { boxMass, ghost, jointWorld } from '../helpers/joint_worlds';
import { seeded } from '../helpers/random';
import { rotationOf, turned } from '../helpers/vectors';

const TYPES = ['ball', 'hinge', 'fixed', 'slider', 'cylindrical', 'cone-twist'] as const;

/** Parents of the joints by body: -1 is the world, missing is nothing. */
const TREES: Record<string, (number | null)[]> = {
  'a chain on the world': [-1, 0, 1, 2, 3, 4, 5],
  'a chain that floats': [null, 0, 1, 2, 3, 4, 5],
  'a star that floats': [null, 0, 0, 0, 0, 0, 0],
  'a tree on the world': [-1, 0, 0, 1, 1, 2, 2],
};

/** World inertia of a body of the core, xx yy zz xy xz yz. */
function inertiaOf(memory: LinearMemory, body: number, rotation: readonly number[]): number[] {
  const word = (memory.headerU32(Header.bodyColds) + body * BodyCold.STRIDE + BodyCold.ixx) >>> 2;
  const [x, y, z] = memory.f32.subarray(word, word + 3);
  const columns = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ].map((axis) => turned(rotation, axis));
  const entry = (i: number, j: number) =>
    [x!, y!, z!].reduce((sum, moment, k) => sum + moment * columns[k]![i]! * columns[k]![j]!, 0);
  return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)];
}

describe.each(Object.keys(TREES))('%s', (name) => {
  test.each([1, 2, 3, 4, 5, 6])('random joints, masses and velocities (seed %i)', async (seed) => {
    const random = seeded(seed);
    const range = (low: number, high: number) => low + (high - low) * random();
    const vector = (size: number): V3 => [range(-size, size), range(-size, size), range(-size, size)];
    const world = await jointWorld({ gravity: [0, 0, 0], dt: 1e-5, substeps: 1 });
    const memory = (world as unknown as { memory: LinearMemory }).memory;
    const parents = TREES[name]!;
    const at: V3[] = [];
    const ids = parents.map((parent, i) => {
      const from = parent === null || parent < 0 ? ([0, 0, 0] as V3) : at[parent]!;
      at[i] = from.map((x) => x + range(0.3, 0.8) * (random() < 0.5 ? -1 : 1)) as unknown as V3;
      const half: V3 = [range(0.1, 0.4), range(0.1, 0.4), range(0.1, 0.4)];
      const rotation = rotationOf(vector(1.5)) as [number, number, number, number];
      return ghost(world, at[i]!, boxMass(range(0.5, 20), half), {
        rotation,
        linearVelocity: vector(1),
        angularVelocity: vector(2),
      });
    });
    const joints = parents.flatMap((parent, i) => {
      if (parent === null) return [];
      const type = TYPES[Math.floor(random() * TYPES.length)]!;
      const axis = vector(1);
      const other = parent < 0 ? null : ids[parent]!;
      const anchor = at[i]!.map((x, k) => (x + (parent < 0 ? 0 : at[parent]![k]!)) / 2) as unknown as V3;
      const plain = type === 'ball' || type === 'fixed';
      const rubs = type === 'ball' || type === 'hinge' || type === 'cone-twist';
      const made = world.createJoint({
        type,
        bodyA: other,
        bodyB: ids[i]!,
        anchor,
        ...(plain ? {} : { axis }),
        ...(rubs ? { frictionLever: 0 } : {}),
      } as Parameters<typeof world.createJoint>[0]);
      return [{ made, parent, child: i }];
    });
    const slots = ids.map((id) => world.indexOf(id));
    const rows = () =>
      slots.map((slot) => [...world.velocities.subarray((slot * BodyRow.STRIDE) / 4, (slot * BodyRow.STRIDE) / 4 + 7)]);
    const before = rows();
    const bodies: OracleBody[] = slots.map((slot, i) => {
      const rotation = [...world.rotations.subarray(4 * slot, 4 * slot + 4)];
      return {
        mass: world.getMass(ids[i]!),
        inertia: inertiaOf(memory, slot, rotation),
        position: [...world.positions.subarray(4 * slot, 4 * slot + 3)],
        rotation,
        velocity: before[i]!.slice(0, 3),
        spin: before[i]!.slice(4, 7),
      };
    });
    const record = memory.headerU32(Header.joints);
    const oracle: OracleJoint[] = joints.map(({ parent, child }, k) => {
      const word = (record + k * Joint.STRIDE) >>> 2;
      const take = (offset: number, n: number) => [...memory.f32.subarray(word + offset / 4, word + offset / 4 + n)];
      return {
        bodyA: parent,
        bodyB: child,
        anchorA: take(Joint.anchorAx, 3),
        anchorB: take(Joint.anchorBx, 3),
        frameA: take(Joint.frameAx, 4),
        frameB: take(Joint.frameBx, 4),
        locked: memory.u32[word + Joint.locked / 4]!,
      };
    });
    const { velocities } = projectVelocities(bodies, oracle);
    world.step();
    const speed = Math.max(...velocities.map(Math.abs));
    rows().forEach((row, i) => {
      const got = [...row.slice(0, 3), ...row.slice(4, 7)];
      for (const [k, x] of got.entries())
        expect(Math.abs(x - velocities[6 * i + k]!), `body ${i}, ${k}`).toBeLessThan(1e-4 * speed);
    });
  });
});
