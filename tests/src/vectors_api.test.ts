// Every place of the API that takes or fills a vector or a rotation, as the sources list them, in every form: arrays, typed arrays,
// objects, those of three.js, and objects whose components are accessors alone. The same numbers come out, and none is left unread.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Quaternion, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { Character, Vehicle } from '../../src/controllers/index';
import {
  createQueryHit,
  createShapeContact,
  createWorld,
  type JointDesc,
  type JointState,
  type Quat,
  type QuatSink,
  type QueryHit,
  type ShapeContact,
  type Vec3,
  type Vec3Sink,
} from '../../src/index';
import { createChain, createNet, createRagdoll, createRope } from '../../src/rigs/index';
import { worldSources } from '../helpers/world_class';

// ----------------------------------------------------------------------------------------------------------- places

const read = (name: string) => readFileSync(resolve(import.meta.dirname, `../../src/${name}.ts`), 'utf8');
const VECTOR = /\b(?:Vec3|Quat)(?:Sink)?\b/;

/** Fields of interfaces: 'BodyDesc.position'. */
function fieldsOf(source: string): string[] {
  const places: string[] = [];
  for (const [, name, body] of source.matchAll(/^export interface (\w+)[^{]*\{\n([\s\S]*?)^\}/gm))
    for (const [, field, type] of body!.matchAll(/^ {2}(?:readonly )?(\w+)\??: (.*);$/gm))
      if (VECTOR.test(type!)) places.push(`${name}.${field}`);
  return places;
}

/** Parameters of public methods: 'castRay.origin'. */
function parametersOf(source: string): string[] {
  const places = new Set<string>();
  const lines = source.slice(source.search(/^export (abstract )?class /m));
  for (const found of lines.matchAll(/^ {2}(?:async )?([a-z]\w*)(<[^(]*>)?\(/gm)) {
    let depth = 1;
    let end = found.index + found[0].length;
    for (; depth > 0; end++) depth += lines[end] === '(' ? 1 : lines[end] === ')' ? -1 : 0;
    const inside = lines.slice(found.index + found[0].length, end);
    const generic = /(\w+) extends \w+Sink/.exec(found[2] ?? '')?.[1];
    for (const [, name, type] of inside.matchAll(/(\w+)\??: ([^,]+)/g))
      if (VECTOR.test(type!) || (generic && type!.startsWith(generic))) places.add(`${found[1]}.${name}`);
  }
  return [...places];
}

const PLACES = [
  ...['bodies/desc', 'options/options', 'joints/desc', 'bodies/fields', 'shapes/shape', 'queries/types'].flatMap((name) =>
    fieldsOf(read(name)),
  ),
  ...['rigs/bones', 'rigs/human', 'rigs/ragdoll', 'rigs/strands'].flatMap((name) => fieldsOf(read(name))),
  ...['controllers/character_desc', 'controllers/vehicle_desc'].flatMap((name) => fieldsOf(read(name))),
  ...worldSources().flatMap(parametersOf),
  ...parametersOf(read('events/contact_events')).map((place) => `events.${place}`),
  ...parametersOf(read('controllers/character')).map((place) => `character.${place}`),
  ...parametersOf(read('controllers/vehicle')).map((place) => `vehicle.${place}`),
]
  // Of a bone that passed all checks; an object whose vectors are fields.
  .filter((place) => !place.startsWith('Bone.') && place !== 'getJoint.out');

// ------------------------------------------------------------------------------------------------------------ forms

/** Makes what is passed, and reads what was filled. */
interface Form {
  v(place: string, x: number, y: number, z: number): Vec3;
  q(place: string, x: number, y: number, z: number, w: number): Quat;
  out3(place: string): Vec3Sink;
  out4(place: string): QuatSink;
}

const FORMS: Record<string, Form> = {
  arrays: { v: (_, ...a) => a, q: (_, ...a) => a, out3: () => [0, 0, 0], out4: () => [0, 0, 0, 0] },
  'typed arrays': {
    v: (_, ...a) => Float64Array.of(...a),
    q: (_, ...a) => Float64Array.of(...a),
    out3: () => new Float64Array(3),
    out4: () => new Float64Array(4),
  },
  objects: {
    v: (_, x, y, z) => ({ x, y, z }),
    q: (_, x, y, z, w) => ({ x, y, z, w }),
    out3: () => ({ x: 0, y: 0, z: 0 }),
    out4: () => ({ x: 0, y: 0, z: 0, w: 0 }),
  },
  'three.js': {
    v: (_, ...a) => new Vector3(...a),
    q: (_, ...a) => new Quaternion(...a),
    out3: () => new Vector3(),
    out4: () => new Quaternion(),
  },
};

/** By place: components that were read or written. */
const touched = new Map<string, Set<string>>();

class Accessors {
  readonly #place: string;
  readonly #values: number[];
  constructor(place: string, values: number[]) {
    this.#place = place;
    this.#values = values;
    if (!touched.has(place)) touched.set(place, new Set());
  }
  #get(i: number): number {
    touched.get(this.#place)!.add('xyzw'[i]!);
    return this.#values[i]!;
  }
  #set(i: number, value: number): void {
    touched.get(this.#place)!.add('xyzw'[i]!);
    this.#values[i] = value;
  }
  get x() {
    return this.#get(0);
  }
  set x(value) {
    this.#set(0, value);
  }
  get y() {
    return this.#get(1);
  }
  set y(value) {
    this.#set(1, value);
  }
  get z() {
    return this.#get(2);
  }
  set z(value) {
    this.#set(2, value);
  }
}
class Accessors4 extends Accessors {
  #w: number;
  readonly #where: string;
  constructor(place: string, values: number[]) {
    super(place, values);
    this.#where = place;
    this.#w = values[3]!;
  }
  get w() {
    touched.get(this.#where)!.add('w');
    return this.#w;
  }
  set w(value) {
    touched.get(this.#where)!.add('w');
    this.#w = value;
  }
}
FORMS.accessors = {
  v: (place, ...a) => new Accessors(place, a),
  q: (place, ...a) => new Accessors4(place, a),
  out3: (place) => new Accessors(place, [0, 0, 0]),
  out4: (place) => new Accessors4(place, [0, 0, 0, 0]),
};

function numbersOf(value: Vec3Sink | QuatSink): number[] {
  if ('length' in value && typeof value.length === 'number') return Array.from(value as unknown as number[]);
  const { x, y, z, w } = value as { x: number; y: number; z: number; w?: number };
  return w === undefined ? [x, y, z] : [x, y, z, w];
}

// ------------------------------------------------------------------------------------------------------------- play

const H = Math.SQRT1_2;

/** Uses every place; what came out of it. */
async function play({ v, q, out3, out4 }: Form): Promise<number[]> {
  const seen: number[] = [];
  const see = (...values: (Vec3Sink | QuatSink)[]) => {
    for (const value of values) seen.push(...numbersOf(value));
  };
  const world = await createWorld({ gravity: v('CommonSettings.gravity', 0, -5, 1), warn: false });
  const box = world.createShape({ type: 'box', halfExtents: v('BoxDesc.halfExtents', 0.5, 0.4, 0.3) });
  const floor = world.createShape({
    type: 'heightfield',
    heights: [0, 0, 0, 0],
    nx: 2,
    nz: 2,
    spacing: 60,
    origin: v('HeightfieldDesc.origin', -30, -1, -30),
  });
  world.createBody({ type: 'static', shape: floor });
  const wall = world.createShape({ type: 'plane', normal: v('PlaneDesc.normal', -0.6, 0, 0.8), offset: -40 });
  world.createBody({ type: 'static', shape: wall });
  const at = (x: number) =>
    world.createBody({
      shape: box,
      position: v('BodyDesc.position', x, 2, 0),
      rotation: q('BodyDesc.rotation', 0, H, 0, H),
      linearVelocity: v('BodyDesc.linearVelocity', 1, 0, 0),
      angularVelocity: v('BodyDesc.angularVelocity', 0, 1, 0),
      mass: { mass: 3, center: v('MassDesc.center', 0.1, 0, 0), inertia: [1, 1, 1, 0, 0, 0] },
    });
  const [a, b] = [at(0), at(6)];
  world.createBody({ shape: box, position: v('BodyDesc.position', 15, -0.4, 0) });
  const lift = world.createBody({ type: 'kinematic', shape: box, position: v('BodyDesc.position', -5, 2, 0) });
  const collider = world.addCollider(b, {
    shape: box,
    position: v('ColliderDesc.position', 0, 1, 0),
    rotation: q('ColliderDesc.rotation', 0, H, 0, H),
    surfaceVelocity: v('ColliderDesc.surfaceVelocity', 1, 0, 0),
    surfaceSpin: v('ColliderDesc.surfaceSpin', 0, 1, 0),
    oneWay: v('ColliderDesc.oneWay', 0, 1, 0),
  });
  const state = world.getCollider(collider);
  see(state.position, state.rotation, state.surfaceVelocity, state.surfaceSpin, state.oneWay);

  const joint = (desc: object) => world.createJoint({ bodyB: b, ...desc } as JointDesc);
  const made = [
    joint({ type: 'hinge', bodyA: a, anchor: v('JointDesc.anchor', 3, 2, 0), axis: v('JointDesc.axis', 0, 0, 1) }),
    joint({
      type: 'slider',
      bodyA: lift,
      anchorA: v('JointDesc.anchorA', 0, 1, 0),
      anchorB: v('JointDesc.anchorB', 0, -1, 0),
      axisA: v('JointDesc.axisA', 0, 1, 0),
      axisB: v('JointDesc.axisB', 0, 1, 0),
    }),
    joint({
      type: 'fixed',
      anchor: v('JointDesc.anchor', 0, 0, 0),
      frameA: q('JointDesc.frameA', 0, 0, 0, 1),
      frameB: q('JointDesc.frameB', 0, 0, H, H),
    }),
    joint({
      type: 'wheel',
      bodyA: a,
      anchor: v('JointDesc.anchor', 1, 1, 0),
      axis: v('JointDesc.axis', 1, 0, 0),
      suspensionAxis: v('JointDesc.suspensionAxis', 0, 1, 0.1),
    }),
    joint({
      type: 'pulley',
      bodyA: a,
      anchorA: v('JointDesc.anchorA', 0, 0, 0),
      anchorB: v('JointDesc.anchorB', 0, 0, 0),
      groundA: v('JointDesc.groundA', 0, 9, 0),
      groundB: v('JointDesc.groundB', 6, 9, 0),
    }),
  ];
  for (const id of made) {
    const sink = {
      offset: out3('JointStateSink.offset'),
      force: out3('JointStateSink.force'),
      torque: out3('JointStateSink.torque'),
    };
    const { offset, force, torque } = sink;
    const into = world.getJoint(id, sink as typeof sink & Omit<JointState, keyof typeof sink>);
    expect([into.offset === offset, into.force === force, into.torque === torque]).toEqual([true, true, true]);
    see(offset, force, torque);
    expect(into.settings.type).toBe(into.type);
    world.removeJoint(id);
  }

  world.shift(v('shift.offset', 2, -1, 3));
  world.shift(v('shift.offset', -2, 1, -3));
  world.teleport(b, v('teleport.position', 3, 2.5, 0), q('teleport.rotation', 0, H, 0, H));
  world.setVelocity(b, v('setVelocity.linear', 0, 1, 0), v('setVelocity.angular', 0, 0, 1));
  world.setLinearVelocity(a, v('setLinearVelocity.linear', 0, 0.5, 0));
  world.setAngularVelocity(a, v('setAngularVelocity.angular', 0, 0.5, 0));
  world.addForce(a, v('addForce.force', 1, 2, 3), v('addForce.point', 0, 2, 0.1));
  world.addTorque(a, v('addTorque.torque', 0, 1, 0));
  world.applyImpulse(b, v('applyImpulse.impulse', 0, 1, 0), v('applyImpulse.point', 3, 2, 0));
  world.applyAngularImpulse(b, v('applyAngularImpulse.impulse', 0, 0.1, 0));
  world.moveKinematic(lift, v('moveKinematic.position', -5, 2.1, 0), q('moveKinematic.rotation', 0, H, 0, H));
  world.applyExplosion({ position: v('Explosion.position', 0, 0, 0), radius: 9, impulse: 1 });
  world.applyGravityField({ position: v('GravityField.position', 0, 9, 0), strength: 1 });
  world.applyBuoyancy({
    level: 5,
    density: 1,
    flow: v('Water.flow', 1, 0, 0),
    bounds: { min: v('Water.bounds', -9, -9, -9), max: v('Water.bounds', 9, 9, 9) },
  });
  world.advance(1 / 40);
  for (let i = 0; i < 60; i++) {
    world.step();
    for (let k = 0; k < world.events.count; k++) {
      const [point, normal] = [out3('events.point.out'), out3('events.normal.out')];
      see(world.events.point(k, point), world.events.normal(k, normal));
    }
  }
  expect(world.getPosition(a, [0, 0, 0])[1]).toBeLessThan(2);

  for (const body of [a, b, lift]) {
    see(world.getPosition(body, out3('getPosition.out')), world.getRotation(body, out4('getRotation.out')));
    see(
      world.getLinearVelocity(body, out3('getLinearVelocity.out')),
      world.getAngularVelocity(body, out3('getAngularVelocity.out')),
    );
    see(world.getCenterOfMass(body, out3('getCenterOfMass.out')));
    const [position, rotation] = [out3('getPose.position'), out4('getPose.rotation')];
    world.getPose(body, position, rotation, 0.5);
    see(position, rotation);
  }

  const hit = (): QueryHit => ({ ...createQueryHit(), point: out3('QueryHit.point'), normal: out3('QueryHit.normal') });
  const seeHits = (...hits: (QueryHit | null)[]) => {
    for (const one of hits) see(one!.point, one!.normal, [one!.distance]);
  };
  const down = (call: string) => [v(`${call}.origin`, 0, 20, 0), v(`${call}.direction`, 0, -1, 0)] as const;
  seeHits(world.castRay(...down('castRay'), undefined, hit()));
  seen.push(+world.castRayAny(...down('castRayAny')));
  const all = [hit(), hit()];
  seeHits(...all.slice(0, world.castRayAll(...down('castRayAll'), {}, all)));
  const place = (call: string) => [v(`${call}.position`, 0, 9, 0), q(`${call}.rotation`, 0, 0, H, H)] as const;
  const way = (call: string) => v(`${call}.translation`, 0, -20, 0);
  seeHits(world.castShape(box, ...place('castShape'), way('castShape'), undefined, hit()));
  seen.push(+world.castShapeAny(box, ...place('castShapeAny'), way('castShapeAny')));
  seeHits(...all.slice(0, world.castShapeAll(box, ...place('castShapeAll'), way('castShapeAll'), {}, all)));
  seen.push(world.overlapShape(box, ...place('overlapShape'), {}, []), +world.overlapShapeAny(box, ...place('overlapShapeAny')));
  seen.push(world.overlapPoint(v('overlapPoint.point', 0, 0, 0), {}, []));
  seen.push(world.overlapBounds(v('overlapBounds.min', -9, -9, -9), v('overlapBounds.max', 9, 9, 9), {}, []));
  seeHits(world.closestPoint(v('closestPoint.point', 0, 4, 0), {}, hit()));
  seeHits(...all.slice(0, world.closestPointAll(v('closestPointAll.point', 0, 4, 0), {}, all)));
  seeHits(world.closestToShape(box, ...place('closestToShape'), {}, hit()));
  seeHits(...all.slice(0, world.contactShape(box, ...place('contactShape'), { maxDistance: 20 }, all)));
  const contact: ShapeContact = {
    ...createShapeContact(),
    normal: out3('ShapeContact.normal'),
    pointA: out3('ShapeContact.pointA'),
    pointB: out3('ShapeContact.pointB'),
  };
  const c = 'contactPair';
  const pair = [
    v(`${c}.positionA`, 0, 0, 0),
    q(`${c}.rotationA`, 0, 0, 0, 1),
    v(`${c}.positionB`, 0.5, 0.5, 0),
    q(`${c}.rotationB`, 0, H, 0, H),
  ] as const;
  world.contactPair(box, pair[0], pair[1], box, pair[2], pair[3], {}, contact);
  see(contact.normal, contact.pointA, contact.pointB);

  const ragdoll = createRagdoll(world, {
    position: v('RagdollDesc.position', 10, 3, 0),
    rotation: q('RagdollDesc.rotation', 0, H, 0, H),
    linearVelocity: v('RagdollDesc.linearVelocity', 0, 1, 0),
    bones: [
      {
        name: 'root',
        position: v('BoneDesc.position', 0, 0, 0),
        rotation: q('BoneDesc.rotation', 0, 0, 0, 1),
        tip: v('BoneDesc.tip', 0, 1, 0),
        radius: 0.1,
      },
      {
        name: 'arm',
        parent: 'root',
        position: v('BoneDesc.position', 0, 1, 0),
        tip: v('BoneDesc.tip', 0, 2, 0),
        shape: { type: 'box', halfExtents: v('BoxDesc.halfExtents', 0.1, 0.4, 0.1) },
        shapePosition: v('BoneDesc.shapePosition', 0, 0.5, 0),
        shapeRotation: q('BoneDesc.shapeRotation', 0, 0, 0, 1),
        joint: 'hinge',
        axis: v('BoneDesc.axis', 1, 0, 0),
      },
      {
        name: 'hand',
        parent: 'arm',
        position: v('BoneDesc.position', 0, 2, 0),
        shape: { type: 'box', halfExtents: v('BoxDesc.halfExtents', 0.2, 0.1, 0.1) },
        length: 0.2,
      },
    ],
  });
  ragdoll.setPose({ arm: q('PoseTargets', H, 0, 0, H) });
  const points = (call: string) => [v(call, 20, 3, 0), v(call, 21, 3, 0), v(call, 22, 3, 1)];
  const rigs = [
    ragdoll,
    createChain(world, { points: points('ChainDesc.points'), radius: 0.1 }),
    createRope(world, { points: points('RopeDesc.points'), segments: 3, radius: 0.05 }),
    createNet(world, {
      corner: v('NetDesc.corner', 30, 3, 0),
      right: v('NetDesc.right', 1, 0, 0),
      down: v('NetDesc.down', 0, 0, 1),
      columns: 2,
      rows: 2,
      radius: 0.05,
    }),
  ];
  const who = new Character(world, {
    shape: { type: 'capsule', radius: 0.3, halfHeight: 0.5 },
    position: v('CharacterDesc.position', -9, 0, 0),
    up: v('CharacterDesc.up', 0, 1, 0),
  });
  who.teleport(v('character.teleport.position', -9, 0.1, 0));
  const car = new Vehicle(world, {
    body: a,
    wheels: [{ position: v('WheelDesc.position', 0, -0.4, 0), radius: 0.2 }],
    forward: v('VehicleDesc.forward', 0, 0, 1),
    up: v('VehicleDesc.up', 0, 1, 0),
  });
  for (let i = 0; i < 20; i++) {
    who.walk({ velocity: v('Walk.velocity', 1, 0, 0) });
    world.step();
  }
  see(who.getGroundVelocity(out3('character.getGroundVelocity.out')));
  see(who.getPosition(out3('character.getPosition.out')), who.getGroundNormal(out3('character.getGroundNormal.out')));
  see(who.getPose(out3('character.getPose.out')));
  const [center, turn] = [out3('vehicle.getWheelPose.position'), out4('vehicle.getWheelPose.rotation')];
  car.getWheelPose(0, center, turn);
  see(center, turn);
  for (const rig of rigs)
    for (const body of rig.bodies) see(world.getPosition(body, [0, 0, 0]), world.getRotation(body, [0, 0, 0, 0]));
  return seen;
}

test('every form gives the same numbers', async () => {
  const arrays = await play(FORMS.arrays!);
  expect(arrays.length).toBeGreaterThan(200);
  expect(arrays.every(Number.isFinite)).toBe(true);
  for (const [name, form] of Object.entries(FORMS)) expect(await play(form), name).toEqual(arrays);
});

test('every place of the sources was passed, and all of its components touched', async () => {
  touched.clear();
  await play(FORMS.accessors!);
  expect(PLACES.length).toBeGreaterThan(80);
  expect(PLACES.filter((place) => !touched.has(place))).toEqual([]);
  const partial = [...touched].filter(([, components]) => components.size < 3).map(([place]) => place);
  expect(partial).toEqual([]);
});
