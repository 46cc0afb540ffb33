// Two balls that nothing else is near and that meet within a step, against closed forms: where they meet, how they part, whatever
// their spin, and under gravity as without it.
import { expect, it } from 'vitest';
import { BODY_STATIC, Header } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { add, dot, norm, scale, sub, unit } from '../../helpers/vectors';

type V = number[];
const DT = 1 / 60;
const [RA, RB] = [0.2, 0.35];
const [MA, MB] = [500 * (4 / 3) * Math.PI * RA ** 3, 900 * (4 / 3) * Math.PI * RB ** 3];
const WAY = unit([0.8, -0.6, 0.3]);

interface Setting {
  speed: number;
  /** Of the step, when they meet. */
  share: number;
  restitution: number;
  spin?: V;
  drift?: V;
  gravity?: V;
}

/** A ball that flies at another one, off its middle; a wall far away is the first body. */
function shoot({ speed, share, restitution, spin = [0, 0, 0], drift = [0, 0, 0], gravity = [0, 0, 0] }: Setting) {
  const world = new BoxWorld();
  for (const [i, field] of [Header.gravityX, Header.gravityY, Header.gravityZ].entries()) world.setF32(field, gravity[i]!);
  world.setF32(Header.maxAngularSpeed, 1e5);
  const options = { friction: 0, restitution };
  world.box([300, 0, 0], [1, 1, 1], { type: BODY_STATIC });
  const target = [1, 2, -1];
  // From the middle of the second ball to that of the first where they meet.
  const n = unit(sub(scale(unit([0.3, 0.9, 0.1]), 0.4), WAY));
  const met = add(target, scale(n, RA + RB));
  world.sphere(sub(met, scale(WAY, speed * DT * share)), RA, { ...options, density: 500 });
  world.sphere(target, RB, { ...options, density: 900 });
  const came = add(scale(WAY, speed), drift);
  world.core.setVelocity(1, ...came, ...spin);
  world.core.setVelocity(2, ...drift, ...scale(spin, -0.7));
  const impulse = (-(1 + restitution) * dot(scale(WAY, speed), n)) / (1 / MA + 1 / MB);
  return {
    world,
    // Velocities after the impact; places at the end of the step.
    velocities: [add(came, scale(n, impulse / MA)), sub(drift, scale(n, impulse / MB))],
    places: [
      add(add(met, scale(drift, DT * share)), scale(add(came, scale(n, impulse / MA)), DT * (1 - share))),
      add(add(target, scale(drift, DT * share)), scale(sub(drift, scale(n, impulse / MB)), DT * (1 - share))),
    ],
  };
}

const settings: [string, Setting][] = [
  ['early', { speed: 60, share: 0.2, restitution: 0.7 }],
  ['late', { speed: 90, share: 0.85, restitution: 0.4, drift: [3, -1, 2] }],
  ['in full', { speed: 45, share: 0.5, restitution: 1, drift: [-2, 5, 1] }],
  ['late, with a fast spin', { speed: 60, share: 0.8, restitution: 0.6, spin: [1500, -2200, 1400] }],
  ['late, with a faster spin', { speed: 50, share: 0.9, restitution: 1, spin: [-9000, 4000, 2000] }],
];

it.each(settings)('balls meet %s: they part from there as one impulse says', (_, setting) => {
  const { world, velocities, places } = shoot(setting);
  world.step();
  for (const i of [0, 1]) {
    expect(norm(sub(world.linearVelocity(1 + i), velocities[i]!))).toBeLessThan(2e-3 * setting.speed);
    expect(norm(sub(world.position(1 + i), places[i]!))).toBeLessThan(4e-3);
  }
});

it.each([
  [0, -900, 0],
  [700, 300, -500],
])('under gravity (%d, %d, %d) they do against each other what they do without it', (...gravity) => {
  const setting = { speed: 60, share: 0.6, restitution: 0.7 };
  const [still, falling] = [shoot(setting), shoot({ ...setting, gravity })];
  for (const { world } of [still, falling]) world.step();
  const apart = ({ world }: typeof still) => [
    ...sub(world.position(2), world.position(1)),
    ...sub(world.linearVelocity(2), world.linearVelocity(1)),
  ];
  const [a, b] = [apart(still), apart(falling)];
  expect(norm(sub(a.slice(0, 3), b.slice(0, 3)))).toBeLessThan(1e-3);
  expect(norm(sub(a.slice(3), b.slice(3)))).toBeLessThan(0.05);
  // They fall meanwhile.
  const middle = ({ world }: typeof still) =>
    scale(add(scale(world.linearVelocity(1), MA), scale(world.linearVelocity(2), MB)), 1 / (MA + MB));
  expect(norm(sub(middle(falling), add(middle(still), scale(gravity, DT))))).toBeLessThan(0.05);
});
