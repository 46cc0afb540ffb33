// Characters and vehicles in worlds that are saved, restored and cloned at random steps: the run goes on with the same bits, whatever
// they stand on, push or have been told. Over seeds; what is compared is the world's hash and all that controllers keep.
import { expect, test } from 'vitest';
import { Character, Vehicle } from '../../src/controllers/index';
import { createWorld, type ShapeDesc, type World } from '../../src/index';
import { seeded } from '../helpers/random';

const CAPSULE: ShapeDesc = { type: 'capsule', radius: 0.3, halfHeight: 0.5 };
const CROUCHED: ShapeDesc = { type: 'capsule', radius: 0.3, halfHeight: 0.2 };
const SEEDS = Array.from({ length: 24 }, (_, i) => 1000 + 7919 * i);

interface Players {
  world: World;
  crouches: boolean;
  characters: Character[];
  vehicles: Vehicle[];
}

async function play(seed: number): Promise<{ players: Players; random: () => number }> {
  const random = seeded(seed);
  const world = await createWorld({ warn: false });
  world.createBody({ type: 'static', shape: world.createShape({ type: 'box', halfExtents: [20, 1, 20] }), position: [0, -1, 0] });
  const positions = [-1, 0, -1, 1, 0, -1, 0, 0, 1, 0, 1, 0];
  const indices = [0, 1, 2, 0, 1, 3, 1, 2, 3];
  const shapes = [
    world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] }),
    world.createShape({ type: 'sphere', radius: 0.35 }),
    world.createShape({ type: 'mesh', positions, indices }),
    world.createShape({ type: 'cylinder', radius: 2.5, halfHeight: 0.1 }),
  ];
  for (let i = 0; i < 50; i++)
    world.createBody({ shape: shapes[i % 2]!, position: [random() * 4, 0.4 + random() * 6, random() * 4] });
  // What turns under its feet: surfaces and a disk.
  world.createBody({ type: 'kinematic', shape: shapes[2]!, position: [2, 2, 2], angularVelocity: [0, 1, 0] });
  world.createBody({ type: 'kinematic', shape: shapes[2]!, position: [1, 0.1, 1], angularVelocity: [0.3, -1, 0.2] });
  world.createBody({ type: 'kinematic', shape: shapes[3]!, position: [3, 0.2, 3], angularVelocity: [0, 0.7, 0] });
  for (let i = 0; i < 20; i++) world.step();
  const presence = () => (['none', 'sensor', 'solid'] as const)[Math.floor(random() * 3)]!;
  const characters = [0, 1].map(
    () => new Character(world, { shape: CAPSULE, position: [4 * random(), 3 * random(), 4 * random()], presence: presence() }),
  );
  const body = world.createBody({
    shape: world.createShape({ type: 'box', halfExtents: [0.8, 0.3, 1.6] }),
    position: [-4, 1, -4],
    density: 200,
  });
  const wheels = [0.8, -0.8].flatMap((x) =>
    [1.2, -1.2].map((z) => ({ position: [x, -0.4, z], radius: 0.35, driven: true, steered: z > 0 })),
  );
  const vehicles = [new Vehicle(world, { body, drive: { torque: 800 }, wheels })];
  return { players: { world, crouches: random() < 0.5, characters, vehicles }, random };
}

/** What players do in a step follows from its number alone. */
function tick({ world, crouches, characters, vehicles }: Players, step: number): void {
  for (const [i, who] of characters.entries()) {
    const jump = step % 37 === 5 * i ? 4 : 0;
    who.walk({ velocity: [4 * Math.sin(0.05 * step + i), 0, 4 * Math.cos(0.03 * step)], jump });
    if (crouches && step % 53 === 10 + i) who.setShape(step % 2 === 0 ? CROUCHED : CAPSULE);
    if (step % 90 === 60) who.enabled = !who.enabled;
    if (step % 97 === 13) who.teleport([2, 3, 2]);
  }
  for (const car of vehicles) {
    car.controls.throttle = Math.cos(0.01 * step);
    car.controls.steering = Math.sin(0.02 * step);
  }
  world.step();
}

const stateOf = ({ world, characters, vehicles }: Players) => [
  world.hash(),
  ...[...characters, ...vehicles].map((one) => one.save()),
  ...characters.map((who) => [...who.getPose([0, 0, 0], 0.3), ...who.getPosition([0, 0, 0])]),
  ...vehicles.map((car) => {
    const [p, q] = [
      [0, 0, 0],
      [0, 0, 0, 1],
    ];
    car.getWheelPose(0, p, q, 0.3);
    return [...p, ...q];
  }),
];

const run = (players: Players, from: number, count: number) =>
  Array.from({ length: count }, (_, i) => {
    tick(players, from + i);
    return stateOf(players);
  });

test.each(SEEDS)('seed %i', async (seed) => {
  const { players, random } = await play(seed);
  const { world } = players;
  let step = 0;
  for (let round = 0; round < 3; round++) {
    const before = 1 + Math.floor(30 * random());
    run(players, step, before);
    step += before;
    // A shape that is given away is not in a local snapshot.
    const local = !players.crouches;
    const bytes = world.snapshot(undefined, { local });
    const copy = await world.clone();
    const clone = { world: copy, crouches: players.crouches } as Players;
    clone.characters = players.characters.map((who) => who.clone(copy));
    clone.vehicles = players.vehicles.map((car) => car.clone(copy));
    const length = 4 + Math.floor(20 * random());
    const expected = run(players, step, length);
    expect(run(clone, step, length)).toEqual(expected);
    // Back, with all that was saved and nothing by hand; and once more from a later state.
    world.restore(bytes);
    expect(run(players, step, length)).toEqual(expected);
    step += length;
  }
});

test('carried by a turning mesh into bodies that give way it goes on with the same bits, wherever it was saved', async () => {
  const world = await createWorld({ warn: false });
  world.createBody({ type: 'static', shape: world.createShape({ type: 'box', halfExtents: [20, 1, 20] }), position: [0, -1, 0] });
  const corners = 16;
  const around = Array.from({ length: corners }, (_, i) => (2 * Math.PI * i) / corners);
  const positions = [0, 0.2, 0, ...around.flatMap((a) => [2.5 * Math.cos(a), 0.2, 2.5 * Math.sin(a)])];
  const indices = around.flatMap((_, i) => [0, 1 + ((i + 1) % corners), 1 + i]);
  const mesh = world.createShape({ type: 'mesh', positions, indices });
  world.createBody({ type: 'kinematic', shape: mesh, angularVelocity: [0, 1.5, 0] });
  const post = world.createShape({ type: 'box', halfExtents: [0.3, 0.8, 0.3] });
  for (let i = 0; i < 8; i++) {
    const a = (2 * Math.PI * (i + 0.5)) / 8;
    world.createBody({ shape: post, mass: 20 + 10 * i, position: [2.85 * Math.cos(a), 0.8, 2.85 * Math.sin(a)] });
  }
  const characters = [0, 1, 2].map(
    (i) => new Character(world, { shape: CAPSULE, position: [2.2 * Math.cos(2 * i), 0.2, 2.2 * Math.sin(2 * i)] }),
  );
  const players: Players = { world, crouches: false, characters, vehicles: [] };
  const walk = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => {
      const t = 0.05 * (from + i);
      for (const [k, who] of characters.entries()) {
        const [x, , z] = who.getPosition([0, 0, 0]) as [number, number, number];
        const pull = 0.6 * Math.sin(t + k);
        who.walk({ velocity: [pull * x, 0, pull * z] });
      }
      world.step();
      return stateOf(players);
    });
  for (let step = 0; step < 240; step++) {
    const bytes = world.snapshot();
    const expected = walk(step, 3);
    world.restore(bytes);
    expect(walk(step, 3)).toEqual(expected);
    world.restore(bytes);
    walk(step, 1);
  }
});
