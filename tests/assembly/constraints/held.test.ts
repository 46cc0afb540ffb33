// What is noted of manifolds: the list of those that changed since the GPU got them, and what stays of impulses that are forgotten.
import { expect, it } from 'vitest';
import { HEADER_PTR, Header, ImpactLink, JOINT_ENABLED, Joint, Manifold, NONE, SOLVER_PGS } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { addBody, addJoint, hinge, recordOf } from '../../helpers/core_joints';
import { boxWorld } from '../../helpers/core_world';

/** Boxes on a floor: four manifolds with records of their own. */
function resting() {
  const world = new BoxWorld();
  world.core.setSolver(SOLVER_PGS);
  world.box([0, -0.5, 0], [20, 0.5, 20], { type: 0 });
  for (let i = 0; i < 4; i++) world.box([3 * i, 0.399, 0], [0.3, 0.4, 0.5]);
  world.step(3);
  expect(world.u32(Header.manifoldCount)).toBe(4);
  const at = (index: number, field: number) => ((world.core.manifoldAt(index) >>> 0) + field) >>> 2;
  const words = () => new Uint32Array(world.memory.buffer);
  const floats = () => new Float32Array(world.memory.buffer);
  const list = world.core.allocate(64) >>> 0;
  world.setU32(Header.changed, list);
  world.setU32(Header.changedCount, 0);
  return {
    world,
    core: world.core,
    word: (index: number, field: number) => words()[at(index, field)]!,
    float: (index: number, field: number) => floats()[at(index, field)]!,
    setWord: (index: number, field: number, value: number) => {
      words()[at(index, field)] = value;
    },
    setFloat: (index: number, field: number, value: number) => {
      floats()[at(index, field)] = value;
    },
    listed: () => [...new Uint32Array(world.memory.buffer, list, world.u32(Header.changedCount))],
  };
}

it('a manifold that the GPU holds is listed once when it changes', () => {
  const { world, core, word, setWord, listed } = resting();
  world.setU32(Header.heldEpoch, 5);
  for (const [index, held] of [0, 5, 5, 5].entries()) setWord(index, Manifold.held, held);
  for (const index of [3, 0, 1, 3, 1]) core.noteChange(index);
  expect(listed()).toEqual([3, 1]);
  expect([0, 1, 2, 3].map((index) => word(index, Manifold.held))).toEqual([0, 0, 5, 0]);
  core.forgetHeld();
  expect(world.u32(Header.heldEpoch)).toBe(6);
  core.noteChange(2);
  expect(listed()).toEqual([]);
  expect(word(2, Manifold.held)).toBe(5);
});

const IMPULSES = [
  'tangentImpulse1',
  'tangentImpulse2',
  'twistImpulse',
  'rollImpulse1',
  'rollImpulse2',
  'impulse0',
  'impulse1',
  'impulse2',
  'impulse3',
  'excess0',
  'excess3',
] as const;
const OF_STEP = ['stepImpulse', 'maxImpulse0', 'maxImpulse3', 'maxDrift'] as const;

it.each(['forgetImpulses', 'forgetStep'] as const)(
  '%s drops what the next step would start with; the step itself only the second',
  (name) => {
    const { world, core, word, float, setWord, setFloat, listed } = resting();
    world.setU32(Header.heldEpoch, 2);
    for (const index of [1, 2]) {
      expect(word(index, Manifold.lane)).toBe(NONE);
      expect(word(index, Manifold.count)).toBe(4);
      setWord(index, Manifold.held, 2);
      for (const [k, field] of [...IMPULSES, ...OF_STEP].entries()) setFloat(index, Manifold[field], 3 + k + index);
      setFloat(index, Manifold.separation1, -0.25);
      setFloat(index, Manifold.separation2, Number.NaN);
    }
    core[name](2);
    for (const [k, field] of IMPULSES.entries()) {
      expect(float(2, Manifold[field]), field).toBe(0);
      expect(float(1, Manifold[field]), field).toBe(4 + k);
    }
    for (const [k, field] of OF_STEP.entries()) {
      expect(float(2, Manifold[field]), field).toBe(name === 'forgetStep' ? 0 : 5 + IMPULSES.length + k);
      expect(float(1, Manifold[field]), field).toBe(4 + IMPULSES.length + k);
    }
    expect(float(2, Manifold.separation1)).toBe(-0.25);
    expect(float(2, Manifold.separation2)).toBe(name === 'forgetStep' ? 0 : Number.NaN);
    expect(listed()).toEqual([2]);
  },
);

it('an impact that was met elsewhere adds its impulse to the step, at the first point', () => {
  const { world, core, float, setFloat } = resting();
  const link = core.allocate(ImpactLink.STRIDE) >>> 0;
  const put = (field: number, value: number) => new DataView(world.memory.buffer).setFloat32(link + field, value, true);
  new Uint8Array(world.memory.buffer, link, ImpactLink.STRIDE).fill(0);
  new DataView(world.memory.buffer).setUint32(link + ImpactLink.contact, core.manifoldAt(3), true);
  new DataView(world.memory.buffer).setUint32(link + ImpactLink.manifold, 3, true);
  setFloat(3, Manifold.stepImpulse, 1.5);
  setFloat(3, Manifold.maxImpulse0, 2);
  setFloat(3, Manifold.maxImpulse1, 0.5);
  setFloat(3, Manifold.separation0, 0.125);
  core.testGiveMet(link);
  expect(float(3, Manifold.stepImpulse)).toBe(1.5);
  expect(float(3, Manifold.separation0)).toBe(0.125);
  for (const [k, x] of [1, 2, 4, 8].entries()) put(ImpactLink.impulse0 + 4 * k, x);
  core.testGiveMet(link);
  expect(float(3, Manifold.stepImpulse)).toBe(16.5);
  expect(float(3, Manifold.maxImpulse0)).toBe(15);
  expect(float(3, Manifold.maxImpulse1)).toBe(0.5);
  expect(float(3, Manifold.separation0)).toBe(0);
  setFloat(3, Manifold.maxImpulse0, 20);
  setFloat(3, Manifold.separation0, -0.5);
  core.testGiveMet(link);
  expect(float(3, Manifold.maxImpulse0)).toBe(20);
  expect(float(3, Manifold.separation0)).toBe(-0.5);
});

it('a joint that is enabled again has no impulses, and keeps the turns that it has counted', () => {
  const world = boxWorld([]);
  const body = addBody(world, [1, 20, 3], 2);
  const joint = addJoint(world, { ...hinge, bodyA: null, bodyB: body, anchorA: [1, 20, 3], anchorB: [0, 0, 0] });
  const view = new DataView(world.memory.buffer);
  const base = view.getUint32(HEADER_PTR + Header.joints, true) + joint * Joint.STRIDE;
  const fields = ['jx', 'jy', 'jz', 'tx', 'ty', 'tz', 'fx', 'fy', 'fz', 'limit0', 'limit6', 'drive0', 'drive5', 'rub5'] as const;
  for (const field of fields) view.setFloat32(base + Joint[field], 3, true);
  view.setFloat32(base + Joint.twist, 7.5, true);
  world.core.setJointFlags(joint, 0);
  expect(recordOf(world, joint)('jy')).toBe(3);
  world.core.setJointFlags(joint, JOINT_ENABLED);
  for (const field of fields) expect(recordOf(world, joint)(field), field).toBe(0);
  expect(recordOf(world, joint)('twist')).toBe(7.5);
});

it('a joint of a body that was stopped starts from nothing, but counts its turns on', () => {
  const world = boxWorld([]);
  const joints = [0, 1].map((i) => {
    const at: [number, number, number] = [1 + 4 * i, 20, 3];
    const body = addBody(world, [at[0] + 0.3, at[1], at[2]], 2);
    return addJoint(world, { ...hinge, bodyA: null, bodyB: body, anchorA: at, anchorB: [-0.3, 0, 0] });
  });
  const view = new DataView(world.memory.buffer);
  for (const joint of joints)
    view.setFloat32(view.getUint32(HEADER_PTR + Header.joints, true) + joint * Joint.STRIDE + Joint.twist, 4 * Math.PI, true);
  world.core.step();
  for (const joint of joints) {
    expect(Math.abs(recordOf(world, joint)('twist') - 4 * Math.PI)).toBeLessThan(0.1);
    expect(Math.abs(recordOf(world, joint)('jy'))).toBeGreaterThan(1e-3);
  }
  // The body of the first one.
  world.core.setVelocity(1, Number.NaN, 0, 0, 0, 0, 0);
  world.core.step();
  const [stopped, other] = joints.map((joint) => recordOf(world, joint));
  expect(stopped!('jy')).toBe(0);
  expect(other!('jy')).not.toBe(0);
  for (const read of [stopped!, other!]) expect(Math.abs(read('twist') - 4 * Math.PI)).toBeLessThan(0.1);
});
