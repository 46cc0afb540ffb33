// Numbers of an island (bodies connected by contacts, fixed bodies excepted) that are cheap to compute: number of bodies, height of the
// contact graph above fixed bodies, largest ratio of masses in contact, and mean and largest load of its bodies, as a multiple of a
// body's own mass and including it.
import { bodyMasses } from '../../bench/lib/mass.mjs';

/**
 * Islands of a world after a step, through the public API.
 * @param {object} run Of `open`.
 * @returns {{ bodies: number[], count: number, height: number, massRatio: number, load: number, meanLoad: number }[]} Bodies by scene index.
 */
export function islandsOf({ world, scene, indices }) {
  const masses = bodyMasses(scene).map((m) => m.mass);
  const bodyOfSlot = new Map(Array.from(indices, (slot, i) => [slot, i]));
  const contacts = world.readContacts();
  const links = new Map();
  for (let i = 0; i < contacts.count; i++) {
    if (contacts.impulses[i] <= 0 && contacts.separations[i] > 0) continue;
    const a = bodyOfSlot.get(contacts.bodyA[i]);
    const b = bodyOfSlot.get(contacts.bodyB[i]);
    links.set(a * scene.bodies.count + b, [a, b]);
  }
  const around = masses.map(() => []);
  const level = masses.map(() => 0);
  let queue = [];
  for (const [a, b] of links.values()) {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ]) {
      if (!(masses[one] > 0)) continue;
      around[one].push(other);
      if (masses[other] > 0 || level[one] === 1) continue;
      level[one] = 1;
      queue.push(one);
    }
  }
  while (queue.length > 0) {
    const next = [];
    for (const body of queue) {
      for (const other of around[body]) {
        if (!(masses[other] > 0) || level[other] > 0) continue;
        level[other] = level[body] + 1;
        next.push(other);
      }
    }
    queue = next;
  }
  const seen = masses.map(() => false);
  const islands = [];
  for (let start = 0; start < masses.length; start++) {
    if (!(masses[start] > 0) || seen[start]) continue;
    const bodies = [];
    const stack = [start];
    seen[start] = true;
    while (stack.length > 0) {
      const body = stack.pop();
      bodies.push(body);
      for (const other of around[body]) {
        if (!(masses[other] > 0) || seen[other]) continue;
        seen[other] = true;
        stack.push(other);
      }
    }
    islands.push({ bodies, count: bodies.length, ...measure(bodies, masses, around, level) });
  }
  return islands;
}

/** Loads go down in equal shares to all bodies that are nearer to the ground. */
function measure(bodies, masses, around, level) {
  const borne = new Map(bodies.map((b) => [b, masses[b]]));
  let height = 0;
  let load = 1;
  let loads = 0;
  let massRatio = 1;
  for (const body of [...bodies].sort((a, b) => level[b] - level[a])) {
    const total = borne.get(body);
    height = Math.max(height, level[body]);
    load = Math.max(load, total / masses[body]);
    loads += total / masses[body];
    const below = around[body].filter((other) => masses[other] > 0 && level[other] < level[body]);
    for (const other of below) borne.set(other, borne.get(other) + total / below.length);
    for (const other of around[body]) if (masses[other] > 0) massRatio = Math.max(massRatio, masses[body] / masses[other]);
  }
  return { height, load, meanLoad: loads / bodies.length, massRatio };
}

/**
 * Substeps of 1/60 s that keep an island calm and shallow, as found by the lab's experiment `substep-rule` for contacts at
 * the default ratio of 0.125 to the substep rate. A soft contact gives way by its load over the square of that rate, and a
 * structure buckles where its contacts are too soft: both ask for the square root of the height. Heavy bodies on light ones
 * bear down like a taller structure of equal bodies, in which a body bears (height + 1) / 2 on average.
 */
export function substepsFor({ height, meanLoad }) {
  const { factor, power, least, most } = SUBSTEP_RULE;
  const excess = Math.max(1, (2 * meanLoad) / (height + 1));
  return Math.min(most, Math.max(least, Math.ceil(factor * Math.sqrt(height * excess ** power))));
}

export const SUBSTEP_RULE = {
  factor: 2.3,
  power: 1.5,
  least: 2,
  most: 20,
  text: 'ceil(2.3 sqrt(H e^1.5)), at most 20, with the height H of the contact graph above fixed bodies and e = 2 L / (H + 1), at least 1, where L is the mean over bodies of what they bear over their own mass',
};
