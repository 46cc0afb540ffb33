// 10,000 random calls on a world - bodies and colliders of every shape made and removed, teleports, velocities, forces,
// impulses, masses, types, materials, settings, steps - with every solver in turn: no trap, no number that is not finite,
// and nothing left behind once everything is removed. Then a long run: memory does not grow.
import { describe, expect, test } from 'vitest';
import { createWorld } from '../../src/index';
import { Header } from '../../src/layout.generated';
import {
  type BodyId,
  type BodyType,
  type ColliderId,
  createWorld as createStudy,
  type QueryHit,
  type QueryHitArrays,
  type ShapeDesc,
  type ShapeId,
  type SolverName,
  TalusError,
  type World,
} from '../../src/study/index';
import type { LinearMemory } from '../../src/wasm/memory';
import { faultsOf, flatHeightfield, flatMesh, NO_FAULTS, SOLVERS, steps } from '../helpers/ground';
import { seeded } from '../helpers/random';

const TYPES: BodyType[] = ['dynamic', 'dynamic', 'dynamic', 'dynamic', 'kinematic', 'static'];

/** What tests of memory need of the inside. */
const header = (world: World, field: keyof typeof Header): number =>
  (world as unknown as { memory: LinearMemory }).memory.headerU32(Header[field]);
const pages = (world: World): number => (world as unknown as { memory: LinearMemory }).memory.memory.buffer.byteLength / 65536;

/** A state of random calls on one world. */
class Player {
  readonly world: World;
  private readonly random: () => number;
  private readonly bodies: BodyId[] = [];
  private readonly convex: ShapeId[] = [];
  private readonly surfaces: ShapeId[] = [];
  private readonly deadBodies: BodyId[] = [];
  private readonly deadColliders: ColliderId[] = [];
  private tray: ShapeId[] = [];
  private trayBody: BodyId | undefined;
  readonly counts = { calls: 0, refused: 0, steps: 0, peak: 0, contacts: 0 };

  constructor(
    world: World,
    seed: number,
    private readonly solvers: readonly SolverName[],
  ) {
    this.world = world;
    this.random = seeded(seed);
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
  private place(): [number, number, number] {
    return [this.range(-4, 4), this.range(0, 4), this.range(-4, 4)];
  }
  private turn(): [number, number, number, number] {
    return [...this.vector(1), this.range(0.01, 1)];
  }

  private shape(): ShapeDesc {
    const r = () => this.range(0.1, 0.6);
    switch (Math.floor(this.random() * 6)) {
      case 0:
        return { type: 'sphere', radius: r() };
      case 1:
        return { type: 'capsule', radius: r(), halfHeight: r() };
      case 2:
        return { type: 'box', halfExtents: [r(), r(), r()] };
      case 3:
        return { type: 'cylinder', radius: r(), halfHeight: r() };
      case 4:
        return { type: 'cone', radius: r(), halfHeight: r() };
      default:
        return { type: 'hull', points: Array.from({ length: 3 * 12 }, () => this.range(-0.6, 0.6)) };
    }
  }

  /** A call that may be refused for a reason of its own (too few masses, surfaces that would move), never otherwise. */
  private tryCall(call: () => void): void {
    try {
      call();
    } catch (error) {
      expect(error).toBeInstanceOf(TalusError);
      expect(['invalid-argument', 'unsupported', 'in-use']).toContain((error as TalusError).code);
      this.counts.refused++;
    }
  }

  private create(): void {
    const type = this.pick(TYPES);
    const shape = type === 'static' && this.random() < 0.3 ? this.pick(this.surfaces) : this.pick(this.convex);
    const common = {
      type,
      position: this.place(),
      rotation: this.turn(),
      ...(type === 'static' ? {} : { linearVelocity: this.vector(5), angularVelocity: this.vector(5) }),
    };
    const material = { friction: this.range(0, 1), restitution: this.pick([0, 0, 0.5]), sensor: this.random() < 0.05 };
    if (this.random() < 0.25) {
      const colliders = Array.from({ length: 1 + Math.floor(3 * this.random()) }, () => ({
        shape: this.pick(this.convex),
        position: this.vector(0.5),
        rotation: this.turn(),
        ...material,
        sensor: false,
      }));
      this.bodies.push(this.world.createBody({ ...common, colliders }));
    } else if (material.sensor)
      this.bodies.push(this.world.createBody({ ...common, shape, mass: undefined, ...material, density: 1000 }));
    else this.bodies.push(this.world.createBody({ ...common, shape, ...material }));
  }

  /** A tray, so that most bodies stay and meet. */
  private floor(): void {
    const { world } = this;
    const base = world.createShape({ type: 'box', halfExtents: [5, 0.5, 5] });
    const side = world.createShape({ type: 'box', halfExtents: [5, 2, 0.5] });
    this.tray = [base, side];
    const h = Math.SQRT1_2;
    const sides = [0, 1, 2, 3].map((i) => ({
      shape: side,
      position: [
        [0, 1, 5],
        [0, 1, -5],
        [5, 1, 0],
        [-5, 1, 0],
      ][i]!,
      rotation: i < 2 ? [0, 0, 0, 1] : [0, h, 0, h],
    }));
    this.trayBody = world.createBody({ type: 'static', colliders: [{ shape: base, position: [0, -1, 0] }, ...sides] });
  }

  /** Asks in passing; every number of an answer is finite. */
  private query(world: World): void {
    const [at, way] = [this.place(), this.vector(1)];
    const hits = [world.castRay(at, way, { maxDistance: 10 }), world.closestPoint(at)];
    const contacts: QueryHit[] = [];
    if (this.convex.length > 0) {
      const shape = this.pick(this.convex);
      hits.push(world.castShape(shape, at, null, way), world.closestToShape(shape, at, this.turn()));
      world.contactShape(shape, at, null, { maxDistance: 0.1 }, contacts);
    }
    for (const hit of [...hits, ...(contacts as QueryHitArrays[])]) {
      if (hit) expect([...hit.point, ...hit.normal, hit.distance, hit.penetration].every(Number.isFinite)).toBe(true);
    }
  }

  private remove(id: BodyId): void {
    this.deadBodies.push(id);
    this.deadColliders.push(...this.world.collidersOf(id));
    this.world.removeBody(id);
    this.bodies.splice(this.bodies.indexOf(id), 1);
  }

  /** One random call. */
  play(): void {
    const { world } = this;
    this.counts.calls++;
    const kind = this.random();
    if (this.convex.length < 6) this.convex.push(world.createShape(this.shape()));
    if (this.surfaces.length < 2) {
      const n = 2 + Math.floor(4 * this.random());
      this.surfaces.push(world.createShape((this.surfaces.length === 0 ? flatMesh : flatHeightfield)(3, n)));
    }
    if (this.trayBody === undefined) this.floor();
    const some = this.bodies.length > 0 ? this.pick(this.bodies) : undefined;
    if (kind < 0.12 && this.bodies.length < 60) this.create();
    else if (kind < 0.15 && this.bodies.length < 55) {
      const count = 5;
      const ids = world.createBodies({
        count,
        shape: this.pick(this.convex),
        positions: Array.from({ length: count }, () => this.place()).flat(),
        linearVelocities: Array.from({ length: count }, () => this.vector(3)).flat(),
      });
      this.bodies.push(...ids);
    } else if (kind < 0.5) {
      world.step();
      this.counts.steps++;
      this.counts.contacts += world.profile.contactCount;
    } else if (!some) this.create();
    else if (kind < 0.62) this.remove(some);
    else if (kind < 0.67) world.teleport(some, this.place(), this.random() < 0.5 ? this.turn() : undefined);
    else if (kind < 0.72) this.tryCall(() => world.setVelocity(some, this.vector(10), this.vector(10)));
    else if (kind < 0.75)
      this.tryCall(() => world.addForce(some, this.vector(1e4), this.random() < 0.5 ? this.place() : undefined));
    else if (kind < 0.78) this.tryCall(() => world.applyImpulse(some, this.vector(500), this.place()));
    else if (kind < 0.82) this.tryCall(() => world.setType(some, this.pick(TYPES)));
    else if (kind < 0.84) this.tryCall(() => world.setMass(some, this.pick([undefined, this.range(0.1, 1000)])));
    else if (kind < 0.86) this.tryCall(() => world.moveKinematic(some, this.place(), this.turn()));
    else if (kind < 0.89)
      this.tryCall(() => world.addCollider(some, { shape: this.pick(this.convex), position: this.vector(0.5) }));
    else if (kind < 0.91) {
      const colliders = world.collidersOf(some);
      if (colliders.length > 0) {
        const gone = this.pick(colliders);
        this.tryCall(() => {
          world.removeCollider(gone);
          this.deadColliders.push(gone);
        });
      }
    } else if (kind < 0.93) {
      const colliders = world.collidersOf(some);
      if (colliders.length > 0) {
        world.setMaterial(this.pick(colliders), { friction: this.random(), mask: this.pick([0xffffffff, 0]), category: 1 });
      }
    } else if (kind < 0.945) world.set({ solver: this.pick(this.solvers) });
    else if (kind < 0.955)
      world.set({ gravity: this.random() < 0.3 ? this.vector(10) : [0, -9.81, 0], recycleDistance: this.pick([0, 0.005]) });
    else if (kind < 0.965) world.setGravityScale(some, this.range(-2, 2));
    else if (kind < 0.975) this.query(world);
    else if (kind < 0.985) {
      // Shapes come and go: one in use must be refused.
      const list = this.random() < 0.8 ? this.convex : this.surfaces;
      const shape = this.pick(list);
      this.tryCall(() => {
        world.removeShape(shape);
        list.splice(list.indexOf(shape), 1);
      });
    } else if (this.deadBodies.length > 0) {
      expect(() => world.removeBody(this.pick(this.deadBodies))).toThrow(expect.objectContaining({ code: 'stale-handle' }));
      expect(() => world.removeCollider(this.pick(this.deadColliders))).toThrow(
        expect.objectContaining({ code: 'stale-handle' }),
      );
    }
    this.counts.peak = Math.max(this.counts.peak, this.bodies.length);
  }

  /** Every number of every body is finite, every rotation of unit length, every count right. */
  check(where: string): void {
    const { world } = this;
    expect(world.bodyCount, where).toBe(this.bodies.length + (this.trayBody === undefined ? 0 : 1));
    // Its forces and impulses may drive a light body beyond the speed limits.
    const { speedLimited } = world.faults;
    expect(faultsOf(world), where).toEqual({ ...NO_FAULTS, speedLimited });
    for (const id of this.bodies) {
      const index = world.indexOf(id);
      for (let k = 0; k < 4; k++) expect(Number.isFinite(world.positions[4 * index + k]!), where).toBe(true);
      for (let k = 0; k < 7; k++) expect(Number.isFinite(world.velocities[16 * index + k]!), where).toBe(true);
      const q = world.rotations.subarray(4 * index, 4 * index + 4);
      expect(Math.abs(Math.hypot(...q) - 1), where).toBeLessThan(1e-5);
    }
  }

  /** Removes everything; one step lets contacts and events go. */
  clear(): void {
    for (const id of [...this.bodies]) this.remove(id);
    if (this.trayBody !== undefined) this.world.removeBody(this.trayBody);
    this.trayBody = undefined;
    for (const id of [...this.convex, ...this.surfaces, ...this.tray]) this.world.removeShape(id);
    this.tray = [];
    this.convex.length = 0;
    this.surfaces.length = 0;
    this.deadBodies.length = 0;
    this.deadColliders.length = 0;
    this.world.step();
  }
}

describe.each([
  ['talus', createWorld as typeof createStudy, ['wide', 'cell-split']],
  ['talus/study', createStudy, SOLVERS],
] as const)('%s', (_, create, solvers) => {
  test('10,000 random calls leave a sound world and, once all is removed, nothing', async () => {
    const world = await create();
    const player = new Player(world, 2024, solvers);
    const used: number[] = [];
    const grown: number[] = [];
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 500; i++) {
        player.play();
        if (i % 100 === 99) player.check(`round ${round}, call ${i}`);
      }
      player.clear();
      expect(world.bodyCount).toBe(0);
      expect(header(world, 'manifoldAlive')).toBe(0);
      expect(header(world, 'pairCount')).toBe(0);
      expect(header(world, 'contactCount')).toBe(0);
      world.step();
      expect(world.events.count).toBe(0);
      expect(world.measure().contactCount).toBe(0);
      used.push(header(world, 'memoryUsed'));
      grown.push(pages(world));
    }
    expect(player.counts.calls).toBe(10_000);
    expect(player.counts.steps).toBeGreaterThan(3000);
    expect(player.counts.contacts / player.counts.steps).toBeGreaterThan(20);
    expect(player.counts.peak).toBeGreaterThan(40);
    // Arrays keep the capacity of the fullest moment so far, which a later round may beat once in a while; a leak would show in
    // every round.
    const added = (list: number[]) => list.filter((bytes, i) => i >= 10 && bytes !== list[i - 1]).length;
    expect(added(used), String(used)).toBeLessThanOrEqual(5);
    expect(added(grown), String(grown)).toBeLessThanOrEqual(2);
  });

  test('what is made and removed again leaves memory as it was, to the byte', async () => {
    const world = await create();
    const round = () => {
      const shapes = [
        flatMesh(5, 20),
        flatHeightfield(5, 20),
        { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] } as const,
      ].map((desc) => world.createShape(desc));
      const ids = [0, 1].map((i) => world.createBody({ type: 'static', shape: shapes[i]!, position: [12 * i, 0, 0] }));
      for (let i = 0; i < 60; i++)
        ids.push(
          world.createBody({ shape: shapes[2]!, position: [(i % 8) * 0.7 - 2 + 12 * (i % 2), 1 + i / 8, (i % 5) * 0.7 - 2] }),
        );
      for (const solver of solvers) {
        world.set({ solver });
        steps(world, 20);
      }
      for (const id of ids) world.removeBody(id);
      for (const id of shapes) world.removeShape(id);
      steps(world, 2);
      return header(world, 'memoryUsed');
    };
    // Arrays keep the capacity of the fullest moment of any round, which differs with a dozen solvers in turn; a leak would show
    // in every round.
    for (let i = 0; i < 10; i++) round();
    const used = Array.from({ length: 8 }, round);
    expect(new Set(used).size, String(used)).toBeLessThanOrEqual(solvers.length > 2 ? 2 : 1);
  });

  test('10,000 steps of a scene that never rests need no more memory than the 2,000 before them', async () => {
    const world = await create();
    const box = world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] });
    const wall = world.createShape({ type: 'box', halfExtents: [2, 0.5, 2] });
    // A turning drum keeps twelve boxes on the move.
    const drum = world.createBody({
      type: 'kinematic',
      colliders: [0, 1, 2, 3].flatMap((i) => {
        const a = (Math.PI / 2) * i;
        const at = [2 * Math.sin(a), -2 * Math.cos(a), 0];
        return [{ shape: wall, position: at, rotation: [0, 0, Math.sin(a / 2), Math.cos(a / 2)] }];
      }),
    });
    for (const z of [-2, 2]) {
      world.createBody({
        type: 'static',
        shape: world.createShape({ type: 'box', halfExtents: [4, 4, 0.5] }),
        position: [0, 0, z],
      });
    }
    for (let i = 0; i < 12; i++)
      world.createBody({
        shape: box,
        position: [(i % 3) * 0.7 - 0.7, Math.floor(i / 6) * 0.7, (Math.floor(i / 3) % 2) * 0.7 - 0.35],
      });
    world.setVelocity(drum, [0, 0, 0], [0, 0, 1.2]);
    // By then it has had as many contacts at a time as it ever gets.
    steps(world, 2000);
    world.measure();
    const used = header(world, 'memoryUsed');
    const size = pages(world);
    let moving = 0;
    for (let i = 0; i < 100; i++) {
      steps(world, 100);
      moving += world.measure().rmsSpeed;
    }
    expect(moving / 100).toBeGreaterThan(0.3);
    expect(header(world, 'memoryUsed')).toBe(used);
    expect(pages(world)).toBe(size);
    expect(world.faults.notFinite).toBe(false);
  });
});
