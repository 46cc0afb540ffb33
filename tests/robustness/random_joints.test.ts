// Thousands of random calls on joints of every type, with the bodies that they hold made, moved, retyped and removed: the world
// agrees with a plain list of what there should be, bodies stay finite, however joints contradict each other, and nothing is left
// once everything is removed.
import { expect, test } from 'vitest';
import { type BodyId, createWorld, type JointDesc, type JointId, type JointType, TalusError, type World } from '../../src/index';
import { Header, JOINT_ALIVE, Joint } from '../../src/layout.generated';
import type { LinearMemory } from '../../src/wasm/memory';
import { seeded } from '../helpers/random';

const memoryOf = (world: World) => (world as unknown as { memory: LinearMemory }).memory;

interface Known {
  id: JointId;
  a: BodyId | null;
  b: BodyId;
  enabled: boolean;
  collide: boolean;
}

class Player {
  readonly bodies: BodyId[] = [];
  joints: Known[] = [];
  readonly dead: JointId[] = [];
  readonly made = new Set<JointType>();
  refused = 0;
  private readonly random: () => number;
  private readonly shape;

  constructor(
    readonly world: World,
    seed: number,
  ) {
    this.random = seeded(seed);
    this.shape = world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] });
    const ground = world.createShape({ type: 'box', halfExtents: [20, 1, 20] });
    world.createBody({ type: 'static', shape: ground, position: [0, -1, 0] });
  }

  private range(low: number, high: number): number {
    return low + (high - low) * this.random();
  }
  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }
  private vector(size: number): [number, number, number] {
    return [this.range(-size, size), this.range(-size, size), this.range(-size, size)];
  }

  private axisSettings(): object {
    return this.pick([
      {},
      { limit: { min: this.range(-2, 0), max: this.range(0, 2) } },
      { limit: { min: -0.5, max: 0.5 }, motor: { velocity: this.range(-5, 5), maxForce: this.pick([5, 500]) } },
      { spring: { target: this.range(-1, 1), frequency: this.range(0.5, 5), dampingRatio: this.random() } },
      { spring: { stiffness: this.range(0, 1000), damping: this.range(0, 20) }, friction: 1 },
    ]);
  }

  private describe(a: BodyId | null, b: BodyId): JointDesc {
    const at = this.world.getPosition(b, [0, 0, 0]);
    const common = {
      bodyA: a,
      bodyB: b,
      collide: this.random() < 0.3,
      enabled: this.random() < 0.8,
      ...(this.random() < 0.1 ? { breakForce: this.range(0, 2000) } : {}),
    };
    const anchor = this.vector(0.5).map((x, k) => x + at[k]!);
    const axis = this.vector(1);
    const framed = { ...common, anchor, axis, ...this.axisSettings() };
    const angles = { limit: { min: this.range(-1, 0), max: this.range(0, 1) } };
    const made: JointDesc[] = [
      { type: 'ball', ...common, anchor },
      { type: 'hinge', ...framed },
      { type: 'fixed', ...common, anchor },
      { type: 'slider', ...framed },
      { type: 'cylindrical', ...framed, twist: this.axisSettings() },
      { type: 'cone-twist', ...common, anchor, axis, ...angles, cone: this.range(0, 2) },
      {
        type: 'distance',
        ...common,
        anchorA: this.vector(3),
        anchorB: this.vector(0.3),
        limit: { min: 0.2, max: this.range(1, 3) },
      },
      { type: 'distance', ...common, anchorA: this.vector(3), anchorB: this.vector(0.3), length: this.range(0.2, 2) },
      {
        type: 'six-axis',
        ...common,
        anchor,
        axis,
        axes: { x: { locked: true }, y: this.axisSettings(), twist: this.axisSettings() },
      },
      { type: 'wheel', ...framed, twist: this.axisSettings(), steering: this.range(-1, 1) },
      { type: 'gear', bodyA: a, bodyB: b, axis, ratio: this.range(0.1, 3) },
      { type: 'pulley', ...common, anchor, groundA: [0, 10, 0], groundB: this.vector(5), ratio: this.range(0.5, 2) },
    ];
    return this.pick(made);
  }

  private tryCall(call: () => void): void {
    try {
      call();
    } catch (error) {
      expect(error).toBeInstanceOf(TalusError);
      expect((error as TalusError).code).toBe('invalid-argument');
      this.refused++;
    }
  }

  private createBody(): void {
    this.bodies.push(
      this.world.createBody({
        type: this.pick(['dynamic', 'dynamic', 'dynamic', 'dynamic', 'kinematic', 'static']),
        shape: this.shape,
        position: [this.range(-3, 3), this.range(0.3, 3), this.range(-3, 3)],
        rotation: [...this.vector(1), this.range(0.01, 1)],
      }),
    );
  }

  private createJoint(): void {
    const a = this.random() < 0.2 ? null : this.pick(this.bodies);
    const b = this.pick(this.bodies);
    this.tryCall(() => {
      const desc = this.describe(a, b);
      const id = this.world.createJoint(desc);
      this.made.add(desc.type);
      this.joints.push({ id, a, b, enabled: desc.enabled ?? true, collide: desc.collide ?? false });
    });
  }

  private forget(gone: (joint: Known) => boolean): void {
    this.dead.push(...this.joints.filter(gone).map((joint) => joint.id));
    this.joints = this.joints.filter((joint) => !gone(joint));
  }

  play(): void {
    const { world } = this;
    const kind = this.random();
    if (this.bodies.length < 3 || (kind < 0.1 && this.bodies.length < 40)) this.createBody();
    else if (kind < 0.35) {
      world.step();
      for (const id of world.events.jointBreaks) {
        const broken = this.joints.find((joint) => joint.id === id)!;
        broken.enabled = false;
      }
    } else if (kind < 0.6) this.createJoint();
    else if (kind < 0.66) {
      const body = this.pick(this.bodies);
      world.removeBody(body);
      this.bodies.splice(this.bodies.indexOf(body), 1);
      this.forget((joint) => joint.a === body || joint.b === body);
    } else if (kind < 0.68) world.teleport(this.pick(this.bodies), [this.range(-3, 3), this.range(0.3, 3), this.range(-3, 3)]);
    else if (kind < 0.7) world.setType(this.pick(this.bodies), this.pick(['dynamic', 'kinematic', 'static']));
    else if (this.joints.length > 0) {
      const joint = this.pick(this.joints);
      const { type } = world.getJoint(joint.id);
      if (kind < 0.8) {
        world.removeJoint(joint.id);
        this.forget((other) => other === joint);
      } else if (kind < 0.85) {
        joint.enabled = this.random() < 0.6;
        world.setJoint(joint.id, { enabled: joint.enabled });
      } else if (kind < 0.9) {
        joint.collide = this.random() < 0.5;
        world.setJoint(joint.id, { collide: joint.collide });
      } else if (kind < 0.97) {
        if (type === 'hinge' || type === 'slider') this.tryCall(() => world.setJoint(joint.id, this.axisSettings()));
        if (type === 'wheel') world.setJoint(joint.id, { steering: this.range(-1, 1) });
      } else if (this.dead.length > 0) {
        const stale = this.pick(this.dead);
        expect(world.hasJoint(stale)).toBe(false);
        expect(() => world.getJoint(stale)).toThrow(expect.objectContaining({ code: 'stale-handle' }));
      }
    }
  }

  check(where: string): void {
    const { world } = this;
    expect(world.jointCount, where).toBe(this.joints.length);
    for (const body of this.bodies) {
      const expected = this.joints.filter((joint) => joint.a === body || joint.b === body).map((joint) => joint.id);
      expect(world.jointsOf(body).sort(), where).toEqual(expected.sort());
      const index = world.indexOf(body);
      for (let k = 0; k < 4; k++) expect(Number.isFinite(world.positions[4 * index + k]!), where).toBe(true);
    }
    for (const joint of this.joints) {
      const { place, gap, enabled, collide, bodyA, bodyB } = world.getJoint(joint.id);
      expect({ enabled, collide, a: bodyA, b: bodyB, id: joint.id }, where).toEqual(joint);
      for (const x of [place, gap]) expect(Number.isFinite(x), where).toBe(true);
    }
    expect(world.readJointLines().positions.every(Number.isFinite)).toBe(true);
    // Contacts of the last step, where nothing was changed since then.
    world.step();
    for (const id of world.events.jointBreaks) this.joints.find((joint) => joint.id === id)!.enabled = false;
    const contacts = world.readContacts();
    const apart = new Set(
      this.joints
        .filter(({ a, enabled, collide }) => a !== null && enabled && !collide)
        .map(({ a, b }) => [world.indexOf(a!), world.indexOf(b)].sort((x, y) => x - y).join()),
    );
    for (let i = 0; i < contacts.count; i++) {
      const pair = [contacts.bodyA[i]!, contacts.bodyB[i]!].sort((x, y) => x - y).join();
      expect(apart.has(pair), where).toBe(false);
    }
  }
}

test.each([1, 2, 3])('joints come, change and go with their bodies (seed %i)', async (seed) => {
  const world = await createWorld({ sleepTime: 0.1 });
  const player = new Player(world, seed);
  for (let i = 0; i < 4000; i++) {
    player.play();
    if (i % 50 === 49) player.check(`call ${i}`);
  }
  expect(player.made.size).toBe(11);
  expect(player.dead.length).toBeGreaterThan(300);
  for (const body of player.bodies) world.removeBody(body);
  expect(world.jointCount).toBe(0);
  const memory = memoryOf(world);
  const joints = memory.headerU32(Header.joints);
  for (let i = 0; i < memory.headerU32(Header.jointCount); i++) {
    expect(memory.u32[(joints + i * Joint.STRIDE + Joint.flags) >>> 2]! & JOINT_ALIVE).toBe(0);
  }
  world.step();
  world.step();
  expect(world.profile.contactCount).toBe(0);
});
