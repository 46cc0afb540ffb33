// The order of the sweep: any schedule in which a task waits for those before it in the plain loop that touch one of its bodies
// gives the bits of the plain loop. Tasks are one pass over one body or one group; schedules are random topological orders.
import { expect, test } from 'vitest';
import { Random } from '../../../scenes/random';
import { BodyRow } from '../../../src/layout.generated';
import { boxWorld, type CoreWorld } from '../../helpers/core_world';
import type { Vec3 } from '../../helpers/manifold_builder';

const SUBSTEPS = 5;

/** A heap of boxes that falls together. */
function heap(): CoreWorld {
  const random = new Random(5);
  const boxes = Array.from({ length: 60 }, (_, i) => ({
    at: [
      (i % 4) * 0.9 + 0.2 * random.unit(),
      0.6 + 1.05 * Math.floor(i / 16),
      (Math.floor(i / 4) % 4) * 0.9 + 0.2 * random.unit(),
    ] as Vec3,
    half: [0.4, 0.35, 0.45] as Vec3,
  }));
  const world = boxWorld(boxes);
  world.setHeader('substeps', SUBSTEPS);
  return world;
}

interface Task {
  run: () => void;
  bodies: number[];
}

/** All tasks of a solve in the order of the plain loop. */
function plainOrder(world: CoreWorld): Task[] {
  const { core } = world;
  const count = core.testBeginTasks();
  expect(count).toBe(60);
  const bodies = Array.from({ length: count }, (_, k) => core.testTaskBody(k));
  const words = new Uint32Array(world.memory.buffer);
  const rows = new Float32Array(world.memory.buffer, world.header('bodyRows'));
  const groups = Array.from({ length: core.testTaskGroups() }, (_, g) => {
    const address = (core.groupAddress(core.testTaskGroup(g)) >>> 0) / 4;
    const named = [...words.subarray(address, address + 8)].map((offset) => offset / BodyRow.STRIDE);
    return [...new Set(named)].filter((body) => rows[(body * BodyRow.STRIDE) / 4 + 3]! > 0);
  });
  const ofBodies = (pass: number): Task[] => bodies.map((body, k) => ({ run: () => core.testBodyTask(pass, k), bodies: [body] }));
  const ofGroups = (pass: number): Task[] => groups.map((of, g) => ({ run: () => core.testGroupTask(pass, g), bodies: of }));
  const tasks = [...ofBodies(0), ...ofGroups(0)];
  for (let s = 0; s < SUBSTEPS; s++) {
    if (s > 0) tasks.push(...ofBodies(1));
    tasks.push(...ofGroups(1), ...ofBodies(2), ...ofGroups(s + 1 < SUBSTEPS ? 2 : 3));
  }
  return tasks;
}

/** A random order in which each task comes after those before it that share a body with it. Returns how many changed places. */
function runInRandomOrder(tasks: Task[], random: Random): number {
  const after: number[][] = tasks.map(() => []);
  const waits = new Uint32Array(tasks.length);
  const last = new Map<number, number>();
  tasks.forEach((task, t) => {
    for (const before of new Set(task.bodies.map((body) => last.get(body) ?? -1))) {
      if (before < 0) continue;
      after[before]!.push(t);
      waits[t]!++;
    }
    for (const body of task.bodies) last.set(body, t);
  });
  const ready = Array.from(tasks.keys()).filter((t) => waits[t] === 0);
  let moved = 0;
  for (let done = 0; done < tasks.length; done++) {
    const [t] = ready.splice(random.integer(0, ready.length - 1), 1) as [number];
    if (t !== done) moved++;
    tasks[t]!.run();
    for (const next of after[t]!) if (--waits[next]! === 0) ready.push(next);
  }
  return moved;
}

test('random topological orders of all passes give the bits of the plain loop', () => {
  const plain = heap();
  const tasks = heap();
  for (let i = 0; i < 45; i++) for (const world of [plain, tasks]) expect(world.core.step()).toBe(0);
  expect(tasks.state()).toEqual(plain.state());
  const random = new Random(9);
  for (let i = 0; i < 20; i++) {
    expect(plain.core.step()).toBe(0);
    tasks.core.stepBroadphase();
    tasks.core.stepContacts();
    const list = plainOrder(tasks);
    expect(list.length).toBeGreaterThan(1000);
    expect(runInRandomOrder(list, random)).toBeGreaterThan(0.9 * list.length);
    expect(tasks.core.stepEnd()).toBe(0);
    expect(tasks.state()).toEqual(plain.state());
  }
  expect(plain.rms()).toBeGreaterThan(1e-3);
});
