// Characters, vehicles and ragdolls as components, in headless Chromium: React Three Fiber in StrictMode on the real engine, frames by hand.
import { beforeEach, expect, test } from 'vitest';
import { countColors, shoot, usePage } from '../helpers/pictures';
import type { Harness } from './page/controllers';

declare const talus: Harness;
const open = usePage('tests/react/page/controllers.ts');

beforeEach(() => {
  open.host.errors.length = 0;
});
/** What the software renderer says for itself. */
const NOISE = /GPU stall|software WebGL|Automatic fallback|THREE.Clock|PCFSoftShadowMap|swiftshader/i;
const said = () => open.host.errors.filter((text) => !NOISE.test(text));
const RATES = [144, 60, 30];

test('a character walks at the same speed at any frame rate, and smoothly at 144 Hz', async () => {
  const found = await open.page.evaluate(async (rates) => {
    const ways: number[] = [];
    const steps: number[][] = [];
    const turns: number[] = [];
    let lag = 0;
    for (const hz of rates) {
      await talus.show('walk', { ahead: [1, 0, 0], speed: 4, runSpeed: 7 });
      talus.frames(hz, 0.5);
      talus.press({ forward: true });
      let last = talus.at('walker').x;
      const moves: number[] = [];
      talus.frames(hz, 2, (frame) => {
        const { x } = talus.at('walker');
        if (frame > hz) moves.push(x - last);
        lag = Math.max(lag, Math.abs(talus.seen.x - x));
        last = x;
      });
      ways.push(last);
      steps.push(moves);
      turns.push(talus.turnOf('walker'));
    }
    return { ways, steps, turns, lag };
  }, RATES);
  // A camera that follows sees the pose of its own frame.
  expect(found.lag).toBe(0);
  for (const way of found.ways) expect(Math.abs(way - found.ways[1]!)).toBeLessThan(4 / 60 + 1e-3);
  for (const [i, hz] of RATES.entries()) {
    for (const move of found.steps[i]!) expect(move).toBeCloseTo(4 / hz, 4);
    expect(found.turns[i]).toBeCloseTo(Math.PI / 2, 4);
  }
  expect(said()).toEqual([]);
});

test('a character turns with the ground that carries it, and a camera is told by how much', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('ride', { onGroundTurn: (angle: number) => talus.log.push(String(angle)) });
    talus.frames(60, 1);
    const { world } = talus.context;
    const now = () => world.stepCount + world.alpha;
    const [before, from] = [talus.turnOf('walker'), now()];
    const told = talus.log.length;
    const heights: number[] = [];
    talus.frames(144, 1, () => heights.push(talus.at('walker').y));
    const sum = talus.log.slice(told).reduce((all, angle) => all + Number(angle), 0);
    const rises = heights.slice(1).map((height, i) => height - heights[i]!);
    return { turned: talus.turnOf('walker') - before, sum, steps: now() - from, rises };
  });
  expect(found.sum).toBeCloseTo((0.8 * found.steps) / 60, 3);
  expect(found.turned).toBeCloseTo(found.sum, 6);
  for (const rise of found.rises) expect(rise).toBeCloseTo(0.5 / 144, 4);
  expect(said()).toEqual([]);
});

test('forward is where the camera looks; a stick walks slower; run and jump', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('walk', { speed: 3, runSpeed: 6, jumpSpeed: 5 });
    const { camera } = talus.state;
    camera.position.set(0, 5, 9);
    camera.lookAt(0, 0, 0);
    const go = (down: object) => {
      talus.press(down);
      talus.frames(60, 0.5);
      return Array.from(talus.refs.walker.velocity as number[]);
    };
    const forward = go({ forward: true });
    camera.position.set(9, 5, 0);
    camera.lookAt(0, 0, 0);
    const away = go({ forward: true });
    const right = go({ rightward: 1 });
    const corner = go({ forward: true, rightward: true });
    const stick = go({ joystick: { x: 0, y: 0.5 } });
    const run = go({ forward: true, run: true });
    const still = go({});
    talus.press({ jump: true });
    let top = 0;
    talus.frames(60, 0.4, () => {
      top = Math.max(top, talus.at('walker').y);
    });
    talus.press({});
    talus.frames(60, 1);
    const down = talus.at('walker').y;
    return { forward, away, right, corner, stick, run, still, top, down };
  });
  const close = (velocity: number[], x: number, z: number) => {
    expect(velocity[0]).toBeCloseTo(x, 3);
    expect(velocity[2]).toBeCloseTo(z, 3);
  };
  close(found.forward, 0, -3);
  close(found.away, -3, 0);
  close(found.right, 0, -3);
  close(found.corner, -3 * Math.SQRT1_2, -3 * Math.SQRT1_2);
  close(found.stick, -1.5, 0);
  close(found.run, -6, 0);
  close(found.still, 0, 0);
  expect(found.top).toBeGreaterThan(1.15);
  expect(found.down).toBeCloseTo(0, 2);
  expect(said()).toEqual([]);
});

test('props of a character change at any time; sensors know it; it goes without a trace', async () => {
  const found = await open.page.evaluate(async () => {
    const h = talus.h;
    const door = h(
      talus.RigidBody,
      {
        key: 'door',
        type: 'fixed',
        sensor: true,
        position: [0, 1, -4],
        onIntersectionEnter: ({ other }) =>
          talus.log.push(`door ${other.rigidBodyObject?.name} ${other.rigidBody?.isKinematic()}`),
      },
      h('mesh', null, h('boxGeometry', { args: [2, 2, 2] })),
    );
    await talus.show('walk', {
      more: door,
      walls: talus.fixed('low', [0, 2.2, 6], [4, 2, 4]),
      onIntersectionEnter: () => talus.log.push('player'),
    });
    const { world } = talus.context;
    const counts = () => ({ bodies: world.bodyCount, controllers: world.controllers.length });
    const made = counts();
    const first = talus.refs.walker;
    talus.press({ forward: true });
    talus.frames(60, 1.5);
    const seen = [...talus.log].sort();
    // Other traits: a controller that goes on from where it was.
    const before = talus.at('walker').z;
    await talus.set({ maxSlope: 0.5, mass: 60 });
    const other = talus.refs.walker !== first;
    const speed = talus.refs.walker.velocity[2];
    talus.frames(60, 1 / 60);
    const gone = before - talus.at('walker').z;
    talus.press({});
    talus.frames(60, 0.5);
    // Crouching under a ceiling it cannot stand up there.
    const crouched = { type: 'capsule', radius: 0.3, halfHeight: 0.2 };
    const body = () => world.getBody(talus.refs.walker.body!).colliders[0]!;
    const height = () => (world.getShape(world.getCollider(body()).shape) as { halfHeight: number }).halfHeight;
    await talus.set({ shape: crouched, position: [0, 0, 6] });
    const moved = talus.at('walker').toArray();
    await talus.set({ shape: undefined });
    talus.frames(60, 0.2);
    const low = height();
    talus.press({ forward: true });
    talus.frames(60, 1);
    const high = height();
    await talus.set({ enabled: false });
    talus.frames(60, 0.1);
    const still = talus.at('walker').z;
    talus.frames(60, 0.5);
    const stays = talus.at('walker').z - still;
    const kept = counts();
    await talus.set({ gone: true, more: null, walls: null });
    talus.frames(60, 0.1);
    const left = { ...counts(), known: talus.context.bodies.size, objects: talus.context.objects.size };
    await talus.set({ gone: false });
    talus.frames(60, 0.1);
    const again = counts();
    await talus.hide();
    return { made, seen, other, speed, gone, moved, low, high, stays, kept, left, again };
  });
  expect(found.made).toEqual({ bodies: 4, controllers: 2 });
  expect(found.seen).toEqual(['door player true', 'player']);
  expect(found).toMatchObject({ other: true, moved: [0, 0, 6], kept: { bodies: 4, controllers: 2 } });
  expect(found.speed).toBeCloseTo(-3, 3);
  expect(found.gone).toBeCloseTo(3 / 60, 3);
  expect(found.low).toBeCloseTo(0.2, 5);
  expect(found.high).toBeCloseTo(0.6, 5);
  expect(found.stays).toBe(0);
  expect(found.left).toEqual({ bodies: 1, controllers: 0, known: 1, objects: 0 });
  expect(found.again).toEqual({ bodies: 2, controllers: 2 });
  expect(said()).toEqual([]);
});

test('a vehicle drives at the same speed at any frame rate; body and wheels are drawn smoothly, together', async () => {
  const found = await open.page.evaluate(async (rates) => {
    const ways: number[] = [];
    const jolts: number[] = [];
    let gap = 0;
    let spun = 0;
    for (const hz of rates) {
      await talus.show('drive');
      talus.frames(60, 1);
      talus.press({ forward: true });
      let [last, pace] = [talus.at('car').z, 0];
      let jolt = 0;
      talus.frames(hz, 2, (frame) => {
        const { z } = talus.at('car');
        const way = hz * (z - last);
        if (frame > hz) jolt = Math.max(jolt, Math.abs(way - pace));
        [last, pace] = [z, way];
        for (const [i, x] of [-0.8, 0.8].entries()) {
          const wheel = talus.at(`wheel${2 * i}`);
          const local = talus.objects.car!.worldToLocal(wheel.clone());
          gap = Math.max(gap, Math.abs(local.x - x), Math.abs(local.z - 1.3), Math.abs(local.y + 0.4) - 0.2);
        }
      });
      spun = talus.refs.car.wheels[0]!.spin;
      ways.push(last);
      jolts.push(jolt);
    }
    return { ways, jolts, gap, spun, speed: talus.refs.car.speed };
  }, RATES);
  // A step more or less.
  for (const way of found.ways) expect(Math.abs(way - found.ways[1]!)).toBeLessThan(found.speed / 60 + 0.01);
  expect(found.speed).toBeGreaterThan(4);
  expect(found.spun).toBeCloseTo(found.speed / 0.4, 0);
  for (const jolt of found.jolts) expect(jolt).toBeLessThan(0.3);
  expect(found.gap).toBeLessThan(1e-4);
  expect(said()).toEqual([]);
});

test('input of a vehicle: it steers, brakes before it reverses; props and wheels change while it drives', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('drive', { steerSpeed: 2 });
    const { world } = talus.context;
    talus.frames(60, 1);
    talus.press({ forward: true, leftward: true });
    talus.frames(60, 0.25);
    const steering = talus.refs.car.controls.steering;
    talus.frames(60, 1.5);
    const left = talus.at('car').x;
    talus.press({ backward: true });
    talus.frames(60, 1 / 60);
    const braking = { ...talus.refs.car.controls };
    talus.frames(60, 4);
    const reversing = { throttle: talus.refs.car.controls.throttle, speed: talus.refs.car.speed };
    talus.press({ handbrake: true });
    talus.frames(60, 2);
    const stopped = talus.refs.car.speed;
    const [first, body] = [talus.refs.car, talus.refs.chassis.id];
    talus.press({ forward: true });
    talus.frames(60, 1);
    const { speed } = talus.refs.car;
    const spin = first.wheels[1]!.spin;
    await talus.set({ drive: { torque: 0 }, brakeTorque: 500, grip: () => 1 });
    const other = talus.refs.car;
    const kept = [other !== first, other.speed - speed, other.wheels[1]!.spin - spin, talus.refs.chassis.id === body];
    await talus.set({ grip: () => 0.5 });
    const same = talus.refs.car === other;
    await talus.set({ wheels: 3 });
    const three = talus.refs.car.wheels.length;
    await talus.set({ wheels: 4, tires: { radius: 0.5 } });
    const four = talus.refs.car.wheels.length;
    talus.frames(60, 1);
    const controllers = world.controllers.length;
    await talus.set({ enabled: false });
    const parked = talus.refs.car.enabled;
    await talus.set({ gone: true });
    talus.frames(60, 0.1);
    const left2 = { bodies: world.bodyCount, controllers: world.controllers.length };
    return { steering, left, braking, reversing, stopped, kept, same, three, four, controllers, parked, left2 };
  });
  expect(found.steering).toBeCloseTo(0.5, 4);
  expect(found.left).toBeGreaterThan(0.5);
  expect(found.braking).toMatchObject({ throttle: 0, brake: 1 });
  expect(found.reversing.throttle).toBe(-1);
  expect(found.reversing.speed).toBeLessThan(-1);
  expect(Math.abs(found.stopped)).toBeLessThan(0.1);
  expect(found.kept).toEqual([true, 0, 0, true]);
  expect(found).toMatchObject({ same: true, three: 3, four: 4, controllers: 2, parked: false });
  expect(found.left2).toEqual({ bodies: 1, controllers: 0 });
  expect(said()).toEqual([]);
});

test('a skinned model falls from the pose and with the speed of its animation, rests, and gives its bones back', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('doll', { active: false, onSleep: () => talus.log.push('sleep'), onWake: () => talus.log.push('wake') });
    const { world } = talus.context;
    const model = talus.objects.model!;
    const bone = (name: string) => model.getObjectByName(name)!;
    const place = (name: string) => bone(name).getWorldPosition(new talus.Vector3());
    const NAMES = ['pelvis', 'chest', 'head', 'upperArmL', 'forearmL', 'handL', 'thighR', 'shinR', 'footR'];
    // An animation: arms down, a knee bent, and the whole model moves ahead at 2 m/s.
    let count = 0;
    const act = () => {
      count++;
      model.position.z = count / 30;
      bone('upperArmL').rotation.set(0, 0, -1.2);
      bone('upperArmR').rotation.set(0, 0, 1.2);
      bone('shinR').rotation.set(0.9, 0, 0);
    };
    talus.animate = act;
    talus.frames(60, 0.5);
    const without = [world.bodyCount, talus.refs.doll];
    const before = NAMES.map(place);
    talus.animate = () => bone('upperArmL').rotation.set(0, 0, -1.2);
    await talus.set({ active: true, linearVelocity: [1, 0, 0] });
    const bodies = world.bodyCount;
    talus.context.physics.sync(1);
    const off = Math.max(...NAMES.map((name, i) => place(name).distanceTo(before[i]!)));
    const velocity = Array.from(world.getLinearVelocity(talus.refs.doll.bone('chest').body, [0, 0, 0] as number[]));
    talus.frames(60, 0.5);
    const drops = before[0]!.y - place('pelvis').y;
    // Drawn where the bodies are, whatever the animation has written.
    const gaps = talus.refs.doll.bones.map(({ bone: name, body }) => {
      const turned = world.getRotation(body, new talus.Quaternion());
      const drawn = bone(name).getWorldQuaternion(new talus.Quaternion());
      const [p, q] = [new talus.Vector3(), new talus.Quaternion()];
      world.getPose(body, p, q);
      return Math.max(place(name).distanceTo(p), drawn.angleTo(q), 0 * turned.w);
    });
    const culled = (model as unknown as { frustumCulled: boolean }).frustumCulled;
    let seconds = 0;
    while (!talus.log.includes('sleep') && seconds++ < 30) talus.frames(60, 1);
    const rests = [...talus.log];
    const asleep = talus.refs.doll.bodies.every((body) => world.isAsleep(body));
    world.applyImpulse(talus.refs.doll.bodies[0]!, [0, 0.06, 0]);
    talus.frames(60, 0.2);
    const woken = talus.log.filter((word) => word === 'wake').length;
    // Another density: another doll, as it lay.
    const lay = place('chest');
    const mass = world.getMass(talus.refs.doll.bodies[0]!);
    await talus.set({ density: 0.5 });
    talus.context.physics.sync(1);
    const moved = place('chest').distanceTo(lay);
    const lighter = world.getMass(talus.refs.doll.bodies[0]!) / mass;
    // Put elsewhere, as it is.
    await talus.set({ position: [5, 1, 0] });
    talus.context.physics.sync(1);
    const jumped = place('chest').sub(lay).toArray();
    await talus.set({ active: false });
    const after = [world.bodyCount, talus.refs.doll ?? null, (model as unknown as { frustumCulled: boolean }).frustumCulled];
    const back = [bone('upperArmL').rotation.z, bone('shinR').rotation.x, bone('pelvis').position.y];
    await talus.set({ active: true });
    talus.frames(60, 0.1);
    await talus.set({ gone: true });
    talus.frames(60, 0.1);
    const left = [world.bodyCount, world.jointCount, talus.context.bodies.size, talus.context.objects.size];
    return {
      ...{ without, bodies, off, velocity, drops, gaps, culled, rests, asleep, woken, moved, lighter, jumped, after, back, left },
    };
  });
  expect(found.without).toEqual([1, undefined]);
  expect(found.bodies).toBe(14);
  expect(found.off).toBeLessThan(1e-4);
  expect(found.velocity[0]).toBeCloseTo(1, 3);
  expect(found.velocity[1]).toBeCloseTo(0, 3);
  expect(found.velocity[2]).toBeCloseTo(2, 3);
  expect(found.drops).toBeGreaterThan(0.5);
  for (const gap of found.gaps) expect(gap).toBeLessThan(1e-3);
  expect(found).toMatchObject({ culled: false, rests: ['sleep'], asleep: true, woken: 1 });
  expect(found.moved).toBeLessThan(0.02);
  expect(found.lighter).toBeCloseTo(0.5, 4);
  expect(found.jumped[0]).toBeCloseTo(5, 1);
  expect(found.after).toEqual([1, null, true]);
  expect(found.back[0]).toBeCloseTo(-1.2, 5);
  expect(found.back[1]).toBeCloseTo(0.9, 5);
  expect(found.back[2]).toBeCloseTo(0.95, 5);
  expect(found.left).toEqual([1, 0, 1, 0]);
  expect(said()).toEqual([]);
});

test('a model may come later than its ragdoll, in any scale, turned and moved by a parent', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('doll', { late: true, scale: 0.5, rotation: [0.3, 1, 0], position: [1, 2, 3] });
    const { world } = talus.context;
    talus.frames(60, 0.1);
    const none = [world.bodyCount, talus.refs.doll];
    await talus.set({ late: false });
    const { model } = talus.objects;
    const bone = (name: string) => model!.getObjectByName(name)!;
    const place = (name: string) => bone(name).getWorldPosition(new talus.Vector3());
    const names = ['pelvis', 'head', 'forearmL', 'footR', 'handEndR'];
    const before = names.map(place);
    talus.animate = () => bone('upperArmL').rotation.set(0, 0, -1);
    talus.frames(600, 1 / 600);
    await talus.set({});
    const off = Math.max(
      ...names.filter((name) => name !== 'forearmL').map((name, i) => place(name).distanceTo(before[i + +(i > 1)]!)),
    );
    const reach = place('head').distanceTo(place('pelvis'));
    talus.frames(60, 1);
    const { doll } = talus.refs;
    const gap = Math.max(
      ...doll.bones.map(({ bone: name, body }) => {
        const p = new talus.Vector3();
        world.getPose(body, p, null);
        return place(name).distanceTo(p);
      }),
    );
    const floor = Math.min(...doll.bones.map(({ bone: name }) => place(name).y));
    const bodies = world.bodyCount;
    // Another model takes its place.
    await talus.set({ late: true });
    talus.frames(60, 0.1);
    await talus.set({});
    const gone = [world.bodyCount, talus.refs.doll];
    await talus.set({ late: false });
    talus.frames(60, 0.1);
    await talus.set({});
    const other = [talus.objects.model !== model, world.bodyCount, talus.refs.doll.bodies.length];
    return { none, off, reach, gap, floor, bodies, gone, other };
  });
  expect(found.none).toEqual([1, undefined]);
  expect(found.bodies).toBe(14);
  expect(found.gone).toEqual([1, undefined]);
  expect(found.other).toEqual([true, 14, 13]);
  expect(found.off).toBeLessThan(0.01);
  expect(found.reach).toBeCloseTo(0.59 / 2, 2);
  expect(found.gap).toBeLessThan(1e-4);
  expect(found.floor).toBeGreaterThan(-0.01);
  expect(said()).toEqual([]);
});

test('springs of a ragdoll follow the animation as strongly as is asked for', async () => {
  const found = await open.page.evaluate(async () => {
    const bent: number[] = [];
    for (const strength of [0, 1]) {
      await talus.show('doll', { physics: { gravity: [0, 0, 0] }, strength });
      const model = talus.objects.model!;
      const shin = model.getObjectByName('shinL')!;
      const thigh = model.getObjectByName('thighL')!;
      talus.animate = () => shin.rotation.set(1, 0, 0);
      talus.frames(60, 2);
      bent.push(shin.getWorldQuaternion(new talus.Quaternion()).angleTo(thigh.getWorldQuaternion(new talus.Quaternion())));
    }
    return bent;
  });
  expect(found[0]).toBeLessThan(0.1);
  expect(found[1]).toBeGreaterThan(0.8);
  expect(said()).toEqual([]);
});

test('a doll of parts is drawn as it is told; the hooks; frames on demand', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('parts', { bodies: 17, canSleep: false, mask: 3 });
    talus.frames(60, 1);
    const { world } = talus.context;
    const { doll } = talus.refs;
    const gap = Math.max(
      ...doll.bones.map(({ name, body }) => {
        const { position } = world.getCollider(world.getBody(body).colliders[0]!);
        const at = new talus.Vector3(...(Array.from(position as number[]) as [number, number, number]));
        const [p, q] = [new talus.Vector3(), new talus.Quaternion()];
        world.getPose(body, p, q);
        return talus.at(name).distanceTo(at.applyQuaternion(q).add(p));
      }),
    );
    const shape = talus.objects.head!.userData.shape;
    const parts = doll.bones.length;
    const { mask } = world.getCollider(world.getBody(doll.bodies[3]!).colliders[0]!);
    await talus.set({ height: 1 });
    const smaller = [world.bodyCount, Object.keys(talus.objects).length];
    await talus.set({ active: false });
    const none = world.bodyCount;

    await talus.show('own');
    talus.press({ forward: true });
    talus.frames(60, 1);
    const { walker, human, doll: own } = talus.hooks;
    const hooks = {
      x: walker.current!.getPosition([0, 0, 0])[0]!,
      human: human.current!.bones.length,
      own: own.current!.bones.length,
      bodies: talus.context.world.bodyCount,
    };
    await talus.show('ownCar');
    talus.frames(60, 1);
    talus.press({ forward: true });
    talus.frames(60, 1);
    const speed = talus.hooks.car.current!.speed;

    // Frames on demand come for the keys that are down.
    await talus.show('walk', { frameloop: 'demand' });
    const at = () => talus.refs.walker.getPosition([0, 0, 0])[2]!;
    let steps = -1;
    await talus.until(() => {
      const rests = steps === talus.context.world.stepCount;
      steps = talus.context.world.stepCount;
      return rests;
    });
    talus.press({ forward: true });
    await talus.until(() => at() < -0.5);
    return { gap, shape, parts, mask, smaller, none, hooks, speed };
  });
  expect(found.gap).toBeLessThan(1e-4);
  expect(found).toMatchObject({ shape: 'sphere', parts: 17, mask: 3, smaller: [18, 17], none: 1 });
  expect(found.hooks).toMatchObject({ human: 13, own: 13, bodies: 28 });
  expect(found.hooks.x).toBeGreaterThan(2);
  expect(found.speed).toBeGreaterThan(2);
  expect(said()).toEqual([]);
});

test('what is wrong is said', async () => {
  const found = await open.page.evaluate(async () => {
    const errors: string[] = [];
    const attempt = async (props: Record<string, unknown>, scene = 'walk') => {
      const hear = (event: ErrorEvent) => {
        errors.push(event.message);
        event.preventDefault();
      };
      addEventListener('error', hear);
      await talus.show(scene);
      await talus.set(props);
      try {
        talus.frames(60, 0.1);
      } catch (error) {
        errors.push(String(error));
      }
      removeEventListener('error', hear);
    };
    await attempt({ maxSlope: -1 });
    await attempt({ speed: -3 });
    await attempt({ ahead: [0, 2, 0], input: { forward: true } });
    await attempt({ input: { forward: 7 } });
    await attempt({ input: () => 'w' });
    await attempt({ steerSpeed: 0 }, 'drive');
    await attempt({ density: -1 }, 'doll');
    return errors;
  });
  const text = found.join('\n');
  for (const word of [
    'maxSlope',
    'speed of a character',
    'ahead of a character',
    'input.forward',
    'input must be',
    'steerSpeed',
    'density',
  ])
    expect(text).toContain(word);
});

test('the picture', async () => {
  const [car, doll] = ['drive', 'doll'];
  for (const scene of [car, doll]) {
    await open.page.evaluate(async (name) => {
      await talus.show(name!, { physics: { debug: true } });
      talus.press({ forward: true, leftward: true });
      talus.frames(60, name === 'doll' ? 0.3 : 0.8);
      talus.paint();
    }, scene);
    expect(countColors(await shoot(open.page, `react_${scene}`))).toBeGreaterThan(100);
  }
});
