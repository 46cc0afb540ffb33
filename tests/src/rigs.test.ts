// Ragdolls, chains, ropes and nets: what is made, where it lies, what is refused; poses out and in.
import { describe, expect, test } from 'vitest';
import type { JointDesc, TalusError, World } from '../../src/index';
import { createWorld } from '../../src/index';
import {
  createChain,
  createNet,
  createRagdoll,
  createRope,
  humanSkeleton,
  type RagdollDesc,
  type SkeletonBone,
} from '../../src/rigs/index';
import { readName } from '../../src/rigs/skeleton';
import { position, rotate, steps, turn, type V3 } from '../helpers/ground';
import { errors, rmsSpeed, totals } from '../helpers/joint_worlds';
import { multiply } from '../helpers/vectors';

const open = () => createWorld({ gravity: [0, 0, 0], sleep: false });

function refused(call: () => unknown, message: RegExp): void {
  expect(call).toThrow(
    expect.objectContaining({ name: 'TalusError', code: 'invalid-argument', message: expect.stringMatching(message) }),
  );
}

/** Nothing is left of a call that failed. */
function unchanged(world: World, call: () => unknown, code: TalusError['code']): void {
  const [bodies, joints] = [world.bodyCount, world.jointCount];
  expect(call).toThrow(expect.objectContaining({ code }));
  expect([world.bodyCount, world.jointCount]).toEqual([bodies, joints]);
}

/** The built-in human as a rig of Mixamo names it, with more bones than a ragdoll has, turned and in another place. */
function mixamo(prefix: string, bend = 0): SkeletonBone[] {
  const names: Record<string, string> = {
    pelvis: 'Hips',
    abdomen: 'Spine',
    chest: 'Spine2',
    neck: 'Neck',
    head: 'Head',
    headEnd: 'HeadTop_End',
    upperArm: 'Arm',
    forearm: 'ForeArm',
    hand: 'Hand',
    handEnd: 'HandMiddle1',
    thigh: 'UpLeg',
    shin: 'Leg',
    foot: 'Foot',
    footEnd: 'ToeBase',
  };
  const q = turn([0, 1, 0], 0.7);
  const bones = humanSkeleton().map((bone) => {
    const [, base, side] = /^(\w+?)([LR]?)$/.exec(bone.name)!;
    const word = names[base!]!;
    const name = prefix + (side === 'L' ? 'Left' : side === 'R' ? 'Right' : '') + word;
    const p = rotate(q, bone.position);
    // Axes of bones as exporters leave them: any.
    return { name, parent: bone.parent, position: [p[0] + 3, p[1], p[2] - 1] as V3, rotation: turn([0.6, 0, 0.8], 1 + bend) };
  });
  // Shoulders and a spine between those that are taken.
  return [
    ...bones,
    { name: `${prefix}LeftShoulder`, parent: 2, position: bones[2]!.position },
    { name: `${prefix}Spine1`, parent: 1, position: bones[1]!.position },
  ];
}

describe('ragdoll', () => {
  test.each([13, 17] as const)('the built-in human of %s bodies stands in its pose without touching itself', async (bodies) => {
    const world = await open();
    const doll = createRagdoll(world, { bodies, position: [1, 2, 3] });
    expect(doll.bodies).toHaveLength(bodies);
    expect(doll.joints).toHaveLength(bodies - 1);
    expect(doll.bones.filter((bone) => bone.parent < 0).map((bone) => bone.name)).toEqual(['pelvis']);
    for (const bone of doll.bones) {
      if (bone.joint === null) continue;
      const joint = world.getJoint(bone.joint);
      expect(joint.gap, bone.name).toBeLessThan(1e-6);
      expect(joint.bodyB).toBe(bone.body);
      expect(joint.bodyA).toBe(doll.bones[bone.parent]!.body);
      // Within its limits with some room.
      const { cone, limit } = joint.settings;
      if (joint.type === 'cone-twist') expect(joint.swing, bone.name).toBeLessThan(cone! - 0.04);
      expect(joint.twist, bone.name).toBeGreaterThanOrEqual(limit!.min - 1e-6);
      expect(joint.twist, bone.name).toBeLessThanOrEqual(limit!.max + 1e-6);
    }
    expect(totals(world, doll.bodies).mass).toBeGreaterThan(55);
    expect(totals(world, doll.bodies).mass).toBeLessThan(90);
    steps(world, 2);
    expect(world.profile.contactCount).toBe(0);
    expect(rmsSpeed(world, doll.bodies)).toBeLessThan(1e-4);
    // As tall as it says, left to right the same.
    const [left, right] = ['handL', 'handR'].map((name) => doll.bones.find((bone) => bone.name === name));
    if (left && right) expect(position(world, left.body)[0] - 1).toBeCloseTo(1 - position(world, right.body)[0], 5);
    doll.dispose();
    expect([world.bodyCount, world.jointCount]).toEqual([0, 0]);
  });

  test('elbows bend to the front and knees to the back, by their limits only', async () => {
    const world = await open();
    const doll = createRagdoll(world);
    const bent = (name: string, angle: number): V3 => {
      doll.setPose(null);
      const { body, joint } = doll.bone(name);
      const { frameA, frameB } = world.getJoint(joint!).settings as Required<Pick<JointDesc, 'frameA' | 'frameB'>>;
      // Where its tip is when the hinge has turned.
      const local = multiply(
        multiply(Array.from(frameA as number[]), turn([0, 0, 1], angle)),
        Array.from(frameB as number[]).map((x, i) => (i < 3 ? -x : x)),
      );
      void body;
      return rotate(local, [name.endsWith('L') ? 1 : -1, 0, 0]);
    };
    expect(bent('forearmL', 1)[2]).toBeGreaterThan(0.8);
    expect(bent('forearmR', 1)[2]).toBeGreaterThan(0.8);
    const knee = world.getJoint(doll.bone('shinL').joint!).settings;
    const local = multiply(
      multiply(Array.from(knee.frameA as number[]), turn([0, 0, 1], 1)),
      Array.from(knee.frameB as number[]).map((x, i) => (i < 3 ? -x : x)),
    );
    expect(rotate(local, [0, -1, 0])[2]).toBeLessThan(-0.8);
    expect(knee.limit!.min).toBeCloseTo(0, 6);
    expect(knee.limit!.max).toBeCloseTo(2.4, 5);
  });

  test.each(['mixamorig:', 'mixamorig', ''])(
    "a skeleton of '%s' names becomes the same body, where it stands",
    async (prefix) => {
      const world = await open();
      const skeleton = mixamo(prefix);
      for (const bodies of [13, 17] as const) {
        const human = createRagdoll(world, { bodies });
        const doll = createRagdoll(world, { skeleton, bodies });
        expect(doll.bones.map((bone) => bone.name)).toEqual(human.bones.map((bone) => bone.name));
        expect(doll.bone('shinR').bone).toBe(`${prefix}RightLeg`);
        expect(doll.bone('upperArmL').bone).toBe(`${prefix}LeftArm`);
        doll.bones.forEach((bone, i) => {
          const at = skeleton.find((one) => one.name === bone.bone)!;
          position(world, bone.body).forEach((x, k) => {
            expect(x).toBeCloseTo(at.position[k]!, 5);
          });
          // The body has the axes of the bone.
          const q = world.getRotation(bone.body, [0, 0, 0, 1]);
          expect(Math.abs(q.reduce((sum, x, k) => sum + x * (at.rotation ?? [0, 0, 0, 1])[k]!, 0))).toBeCloseTo(1, 6);
          expect(world.getMass(bone.body) / world.getMass(human.bones[i]!.body), bone.name).toBeCloseTo(1, 1);
          if (bone.joint === null) return;
          const [a, b] = [world.getJoint(bone.joint), world.getJoint(human.bones[i]!.joint!)];
          expect(a.gap).toBeLessThan(1e-6);
          expect(a.swing, bone.name).toBeCloseTo(b.swing, 2);
          expect(a.settings.limit!.min).toBeCloseTo(b.settings.limit!.min, 2);
        });
        human.dispose();
        steps(world, 2);
        expect(world.profile.contactCount).toBe(0);
        doll.dispose();
      }
    },
  );

  test.each([
    ['mixamorig:LeftForeArm', 'forearm', 'L'],
    ['mixamorig1RightUpLeg', 'upleg', 'R'],
    ['Armature|Hips', 'hips', ''],
    ['upper_arm.L', 'upperarm', 'L'],
    ['DEF-forearm.R', 'forearm', 'R'],
    ['thigh_l', 'thigh', 'L'],
    ['calf_r', 'calf', 'R'],
    ['Bip01 L Thigh', 'thigh', 'L'],
    ['bip_hand_R', 'hand', 'R'],
    ['LeftLowerLeg', 'lowerleg', 'L'],
    ['rightUpperArm', 'upperarm', 'R'],
    ['leftHand', 'hand', 'L'],
    ['J_Bip_L_UpperLeg', 'upperleg', 'L'],
    ['J_Bip_C_Hips', 'hips', ''],
    ['l_foot', 'foot', 'L'],
    ['CC_Base_R_Calf', 'calf', 'R'],
    ['spine_02', 'spine02', ''],
    ['Head', 'head', ''],
  ])('%s is read as %s %s', (name, word, side) => {
    expect(readName(name)).toEqual({ word, side });
  });

  test('bones of unusual names go by the map; what is missing is told', async () => {
    const world = await open();
    const skeleton = mixamo('').map((bone) => (bone.name === 'LeftLeg' ? { ...bone, name: 'bone_17' } : bone));
    refused(() => createRagdoll(world, { skeleton }), /shinL.*ragdoll\.map/);
    const doll = createRagdoll(world, { skeleton, map: { shinL: 'bone_17' } });
    expect(doll.bone('shinL').bone).toBe('bone_17');
    expect(doll.bone('bone_17').name).toBe('shinL');
    refused(() => createRagdoll(world, { skeleton, map: { shinL: 'bone_18' } }), /no bone 'bone_18'/);
    refused(() => createRagdoll(world, { skeleton, map: { tail: 'bone_17' } }), /no part 'tail'/);
    refused(() => createRagdoll(world, { skeleton: [] }), /no bones that look like/);
    refused(() => doll.bone('tail'), /no bone 'tail'/);
  });

  test('a plain description makes its bodies and joints', async () => {
    const world = await open();
    const doll = createRagdoll(world, {
      position: [0, 5, 0],
      rotation: turn([0, 1, 0], 1),
      bones: [
        { name: 'trunk', position: [0, 0, 0], length: 1, radius: 0.2 },
        {
          name: 'arm',
          parent: 'trunk',
          position: [0, 1, 0],
          tip: [0.6, 1, 0],
          radius: 0.1,
          joint: 'hinge',
          axis: [0, 0, 1],
          limit: { min: -1, max: 1 },
        },
        {
          name: 'tail',
          parent: 'trunk',
          position: [0, 0, 0],
          tip: [0, -0.5, 0],
          radius: 0.1,
          joint: 'cone-twist',
          cone: 0.5,
          limit: { min: 0, max: 0.2 },
        },
        {
          name: 'hat',
          parent: 'trunk',
          position: [0, 1.35, 0],
          shape: { type: 'box', halfExtents: [0.2, 0.1, 0.2] },
          joint: 'fixed',
        },
        { name: 'ball', parent: 'tail', position: [0, -0.6, 0], shape: { type: 'sphere', radius: 0.1 } },
      ],
    });
    expect(doll.joints.map((id) => world.getJoint(id).type)).toEqual(['hinge', 'cone-twist', 'fixed', 'cone-twist']);
    for (const id of doll.joints) expect(world.getJoint(id).gap).toBeLessThan(1e-6);
    const arm = position(world, doll.bone('arm').body);
    expect(arm[1]).toBeCloseTo(6, 5);
    steps(world, 3);
    expect(world.profile.contactCount).toBe(0);
  });

  test('readPose gives places and rotations, setPose takes them back', async () => {
    const world = await open();
    const doll = createRagdoll(world, { skeleton: mixamo('x:'), bodies: 17 });
    const n = doll.bones.length;
    const pose = doll.readPose({
      positions: new Float32Array(3 * n),
      rotations: new Float32Array(4 * n),
      locals: [] as number[],
    });
    doll.bones.forEach((bone, i) => {
      expect([...pose.positions.subarray(3 * i, 3 * i + 3)]).toEqual(position(world, bone.body).map(Math.fround));
      const q = Array.from(pose.rotations.subarray(4 * i, 4 * i + 4));
      const local = pose.locals.slice(4 * i, 4 * i + 4);
      const parent = bone.parent < 0 ? [0, 0, 0, 1] : Array.from(pose.rotations.subarray(4 * bone.parent, 4 * bone.parent + 4));
      multiply(parent, local).forEach((x, k) => {
        expect(x).toBeCloseTo(q[k]!, 5);
      });
    });
    // The springs' targets are where the joints stand.
    doll.setPose(pose.locals);
    for (const bone of doll.bones) {
      if (bone.joint === null) continue;
      const { settings, swing, twist, type } = world.getJoint(bone.joint);
      expect(settings.spring!.target).toBeCloseTo(twist, 4);
      expect(settings.spring!.frequency).toBeCloseTo(6, 5);
      if (type === 'cone-twist') {
        const { swingX, swingY } = settings.axes!;
        expect(Math.hypot(swingX!.spring!.target!, swingY!.spring!.target!)).toBeCloseTo(swing, 4);
      }
    }
    doll.setPose(Array.from(pose.rotations), 0.25, 'world');
    const head = world.getJoint(doll.bone('head').joint!);
    expect(head.settings.spring!.target).toBeCloseTo(head.twist, 4);
    expect(head.settings.spring!.frequency).toBeCloseTo(3, 5);
    // By names: the others stay; null lets go; targets out of reach are brought to the limits.
    doll.setPose({ head: null, 'x:LeftForeArm': turn([0, 0, 1], 0) }, { head: 1, forearmL: 1 });
    expect(world.getJoint(doll.bone('head').joint!).settings.spring).toBe(null);
    expect(world.getJoint(doll.bone('forearmL').joint!).settings.spring!.frequency).toBeCloseTo(6, 5);
    expect(world.getJoint(doll.bone('chest').joint!).settings.spring!.frequency).toBeCloseTo(3, 5);
    doll.setPose(null);
    for (const id of doll.joints) expect(world.getJoint(id).settings.spring).toBe(null);
  });

  test('targets beyond the limits stop at them', async () => {
    const world = await open();
    const doll = createRagdoll(world);
    // The knee to the front, the head to the back.
    doll.setPose({ shinL: turn([1, 0, 0], -1), head: turn([0, 1, 0], 3) });
    const knee = world.getJoint(doll.bone('shinL').joint!).settings;
    expect(knee.spring!.target).toBeCloseTo(knee.limit!.min, 5);
    const head = world.getJoint(doll.bone('head').joint!).settings;
    expect(head.spring!.target).toBeCloseTo(head.limit!.max, 5);
  });

  test('what is wrong is refused and leaves nothing', async () => {
    const world = await open();
    const bone = { name: 'a', position: [0, 0, 0], radius: 0.1, length: 1 };
    const wrong: [unknown, RegExp][] = [
      [{ bodies: 14 }, /13 or 17/],
      [{ heigth: 2 }, /no 'heigth'/],
      [{ height: -1 }, /height/],
      [{ bones: [] }, /1 to 256 bones/],
      [{ bones: [bone, { ...bone }] }, /two bones 'a'/],
      [{ bones: [bone, { ...bone, name: 'b' }] }, /parent/],
      [{ bones: [{ ...bone, parent: 'b' }] }, /first bone is the root/],
      [{ bones: [{ ...bone, radius: undefined }] }, /radius/],
      [{ bones: [{ ...bone, radius: NaN }] }, /radius/],
      [{ bones: [{ ...bone, tip: [1, 0, 0] }] }, /tip or length/],
      [{ bones: [bone, { ...bone, name: 'b', parent: 'a', cone: 1 }] }, /not for a joint 'ball'/],
      [{ bones: [bone, { ...bone, name: 'b', parent: 'a', joint: 'hinge', axis: [0, 0, 0] }] }, /axis/],
      [{ bones: [bone, { ...bone, name: 'b', parent: 'a', joint: 'hinge', limit: { min: 1, max: 0 } }] }, /limit\.max/],
      [{ bones: [bone], height: 2 }, /not for a ragdoll of bones/],
      [{ drive: { frequency: 100 } }, /frequency/],
      [{ position: [0, 0] }, /position/],
      [{ rotation: [0, 0, 0, 0] }, /rotation/],
      [{ frictionLever: -1 }, /frictionLever/],
      [{ density: -1 }, /density/],
      [{ material: { friction: -1 } }, /friction/],
      [{ skeleton: [{ name: 'a', parent: 0, position: [0, 0, 0] }] }, /parent/],
    ];
    const hash = world.hash();
    for (const [desc, message] of wrong) {
      refused(() => createRagdoll(world, desc as RagdollDesc), message);
      expect([world.bodyCount, world.jointCount, world.hash()], String(message)).toEqual([0, 0, hash]);
    }
    refused(
      () =>
        createRope(world, {
          points: [
            [0, 0, 0],
            [0, 0, 1],
          ],
          radius: 0.1,
          segments: 4,
          breakForce: -1,
        }),
      /breakForce/,
    );
    expect([world.bodyCount, world.jointCount, world.hash()]).toEqual([0, 0, hash]);
    const doll = createRagdoll(world);
    refused(() => doll.setPose([0, 0, 0, 1]), /52 numbers/);
    refused(() => doll.setPose({ tail: [0, 0, 0, 1] }), /no bone 'tail'/);
    refused(() => doll.setPose({ head: [0, 0, 0, 0] }), /targets\.head/);
    refused(() => doll.setPose({ head: [0, 0, 0, 1] }, 2), /strength/);
    refused(() => doll.setPose({ head: [0, 0, 0, 1] }, 1, 'world'), /parent of 'head'/);
    for (const id of doll.joints) expect(world.getJoint(id).settings.spring).toBe(null);
  });

  test('dispose removes what is left', async () => {
    const world = await open();
    const doll = createRagdoll(world);
    world.removeBody(doll.bone('chest').body);
    expect(world.bodyCount).toBe(12);
    expect(world.jointCount).toBe(12 - 4);
    doll.dispose();
    doll.dispose();
    expect([world.bodyCount, world.jointCount]).toEqual([0, 0]);
  });
});

describe('strands', () => {
  const line = (n: number): V3[] => Array.from({ length: n }, (_, i) => [0.3 * i, 4, 0]);

  test('a chain has its links between its points', async () => {
    const world = await open();
    const chain = createChain(world, { points: line(6), radius: 0.04, start: 'world' });
    expect(chain.bodies).toHaveLength(5);
    expect(chain.joints).toHaveLength(5);
    chain.bodies.forEach((id, i) => {
      expect(position(world, id)[0]).toBeCloseTo(0.15 + 0.3 * i, 5);
    });
    chain.joints.forEach((id, i) => {
      const { settings, gap, type } = world.getJoint(id);
      expect(type).toBe('ball');
      expect(gap).toBeLessThan(1e-6);
      expect(errors(world, settings).gap).toBeLessThan(1e-6);
      expect(settings.bodyB).toBe(chain.bodies[i]);
    });
    steps(world, 2);
    expect(world.profile.contactCount).toBe(0);
    const flat = createChain(world, { points: line(6), radius: 0.04, joint: 'hinge', end: chain.bodies[0]! });
    const axes = flat.joints.slice(0, 4).map((id) => {
      const { settings } = world.getJoint(id);
      return rotate(multiply(world.getRotation(settings.bodyA!, [0, 0, 0, 1]), settings.frameA as number[]), [0, 0, 1]);
    });
    for (let i = 1; i < 4; i++)
      expect(Math.abs(axes[i]!.reduce((sum, x, k) => sum + x * axes[i - 1]![k]!, 0))).toBeLessThan(1e-5);
    expect(world.getJoint(flat.joints.at(-1)!).bodyA).toBe(chain.bodies[0]);
    chain.dispose();
    expect(world.bodyCount).toBe(5);
  });

  test('a rope is cut into equal links along its line', async () => {
    const world = await open();
    const rope = createRope(world, {
      points: [
        [0, 0, 0],
        [1, 0, 0],
        [1, 2, 0],
      ],
      segments: 12,
      radius: 0.02,
      start: 'world',
      end: 'world',
    });
    expect(rope.bodies).toHaveLength(12);
    expect(rope.joints).toHaveLength(13);
    expect(position(world, rope.bodies[1]!)[0]).toBeCloseTo(0.375, 5);
    expect(position(world, rope.bodies[11]!)).toEqual([1, expect.closeTo(1.875, 5), 0]);
    const beads = createRope(world, {
      points: [
        [0, 0, 3],
        [1, 0, 3],
      ],
      segments: 4,
      radius: 0.02,
      style: 'beads',
    });
    expect(beads.bodies).toHaveLength(5);
    expect(beads.joints.map((id) => world.getJoint(id).settings.limit!.max)).toEqual(
      [0.25, 0.25, 0.25, 0.25].map((x) => expect.closeTo(x, 5)),
    );
  });

  test('a net has its knots in rows, joined to their neighbors', async () => {
    const world = await open();
    for (const joint of ['ball', 'distance'] as const) {
      const net = createNet(world, {
        corner: [0, 3, 0],
        right: [2, 0, 0],
        down: [0, 0, 1],
        columns: 5,
        rows: 3,
        radius: 0.05,
        joint,
      });
      expect(net.bodies).toHaveLength(15);
      expect(net.joints).toHaveLength(4 * 3 + 5 * 2 + 2);
      expect(position(world, net.bodies[7]!)).toEqual([1, 3, 0.5]);
      for (const id of net.joints) expect(world.getJoint(id).gap).toBeLessThan(1e-6);
      net.dispose();
    }
    const top = createNet(world, {
      corner: [0, 3, 0],
      right: [2, 0, 0],
      down: [0, 0, 1],
      columns: 5,
      rows: 3,
      radius: 0.05,
      pins: 'top',
    });
    expect(top.joints).toHaveLength(22 + 5);
    const one = createNet(world, {
      corner: [0, 5, 0],
      right: [2, 0, 0],
      down: [0, 0, 1],
      columns: 5,
      rows: 3,
      radius: 0.05,
      pins: [7, 7],
    });
    expect(one.joints).toHaveLength(22 + 1);
  });

  test('what is wrong is refused and leaves nothing', async () => {
    const world = await open();
    const points = line(4);
    refused(() => createChain(world, { points: [[0, 0, 0]], radius: 0.1 }), /2 points or more/);
    refused(() => createChain(world, { points, radius: 0 }), /radius/);
    refused(() => createChain(world, { points: [...points, points[3]!], radius: 0.1 }), /apart/);
    refused(() => createChain(world, { points, radius: 0.1, joint: 'weld' as 'ball' }), /'ball', 'hinge'/);
    refused(() => createChain(world, { points, radius: 0.1, start: 'wall' as 'world' }), /'free', 'world'/);
    refused(() => createRope(world, { points, segments: 0, radius: 0.1 }), /segments/);
    refused(() => createRope(world, { points, segments: 4, radius: 0.1, stile: 1 } as never), /no 'stile'/);
    const net = { corner: [0, 0, 0], right: [1, 0, 0], down: [0, 1, 0], columns: 3, rows: 3, radius: 0.1 } as const;
    refused(() => createNet(world, { ...net, columns: 1 }), /columns/);
    refused(() => createNet(world, { ...net, right: [0, 0, 0] }), /right/);
    refused(() => createNet(world, { ...net, pins: [9] }), /pins/);
    refused(() => createNet(world, { ...net, pins: 'bottom' as 'top' }), /pins/);
    const gone = createChain(world, { points, radius: 0.1 });
    const body = gone.bodies[0]!;
    gone.dispose();
    unchanged(world, () => createChain(world, { points, radius: 0.1, end: body }), 'stale-handle');
    unchanged(world, () => createChain(world, { points, radius: 0.1, breakForce: -1 }), 'invalid-argument');
    expect([world.bodyCount, world.jointCount]).toEqual([0, 0]);
  });
});
