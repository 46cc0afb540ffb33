// Joints of PlayCanvas: all are six-axis joints.
//
// Frames: the x axis of PlayCanvas's is z of the joint's, y is x, z is y. PlayCanvas measures translations of B relative to A and
// rotations of A relative to B. A joint measures both of its second body, which is B, or A if the other one is the world.
import type { Mat4, PhysicsWorld, Vec2 } from 'playcanvas';
import type { JointAxes, JointAxis, JointDesc, World } from '../index';
import { frameOf, unit } from '../rigs/turns';
import type { JointId } from '../types';
import type { PlayBody } from './body';
import { vectorOf } from './shapes';

type Joint = ReturnType<PhysicsWorld['createJoint']>;
export type PlayJointDesc = Parameters<PhysicsWorld['createJoint']>[0];
type Settings = PlayJointDesc['settings'];

const RADIANS = Math.PI / 180;
const LOCKED: JointAxis = { locked: true };
const NAMES = ['z', 'x', 'y', 'twist', 'swingX', 'swingY'] as const;

function frame(matrix: Mat4) {
  const [x, y, z] = [vectorOf(matrix.getX()), vectorOf(matrix.getY()), vectorOf(matrix.getZ())];
  return frameOf(unit(y, [0, 1, 0]), unit(z, [0, 0, 1]), unit(x, [1, 0, 0]));
}

/** Returns a range in the direction of the joint; null: free. A range whose lower end is above the upper one is free too. */
function range({ x, y }: { x: number; y: number }, scale: number, most: number): JointAxis {
  if (x > y) return { locked: false, limit: null };
  const ends = [x * scale, y * scale].map((value) => Math.min(Math.max(value, -most), most)).sort((a, b) => a - b);
  return { locked: false, limit: { min: ends[0]!, max: ends[1]! } };
}

export class PlayJoint implements Joint {
  nativeJoint: { readonly id: JointId } | null = null;
  private readonly id: JointId | null;
  private readonly type: string;
  private readonly linear: number;
  private readonly angular: number;

  constructor(
    private readonly world: World,
    private readonly dt: () => number,
    desc: PlayJointDesc,
  ) {
    const a = desc.bodyA as PlayBody;
    const b = desc.bodyB as PlayBody | null;
    this.type = desc.type;
    this.linear = b ? 1 : -1;
    this.angular = b ? -1 : 1;
    const at = (matrix: Mat4) => vectorOf(matrix.getTranslation());
    const ends = b
      ? { bodyA: a.id, bodyB: b.id, first: desc.frameA, second: desc.frameB }
      : { bodyA: null, bodyB: a.id, first: desc.frameB, second: desc.frameA };
    const isMoving = [a, b].some((body) => body !== null && body.type !== 'static');
    if (!isMoving) {
      this.id = null;
      return;
    }
    for (const body of [a, b]) body?.flush();
    const joint: JointDesc = {
      type: 'six-axis',
      bodyA: ends.bodyA,
      bodyB: ends.bodyB,
      anchorA: at(ends.first),
      anchorB: at(ends.second),
      frameA: frame(ends.first),
      frameB: frame(ends.second),
      collide: desc.enableCollision,
      axes: this.axes(desc.settings),
    };
    this.id = world.createJoint(joint);
    this.nativeJoint = { id: this.id };
    this.setBreakImpulse(desc.settings.breakImpulse);
  }

  private axes(settings: Settings): JointAxes {
    const axes: JointAxis[] = [LOCKED, LOCKED, LOCKED, LOCKED, LOCKED, LOCKED];
    const free: JointAxis = { locked: false, limit: null };
    const motor = (scale: number): Pick<JointAxis, 'motor'> => ({
      motor: settings.maxMotorForce > 0 ? { velocity: settings.motorSpeed * scale, maxForce: settings.maxMotorForce } : null,
    });
    const isLimited = settings.enableLimits;
    switch (this.type) {
      case 'hinge': {
        const scale = this.angular * RADIANS;
        axes[3] = { ...(isLimited ? range(settings.limits, scale, Math.PI) : free), ...motor(scale) };
        break;
      }
      case 'slider':
        axes[0] = { ...(isLimited ? range(settings.limits, this.linear, 1e6) : free), ...motor(this.linear) };
        break;
      case 'ball': {
        const half = (angle: number): JointAxis => (isLimited ? range({ x: -angle, y: angle }, RADIANS, Math.PI) : free);
        // The swing towards an axis turns about the other one.
        axes[3] = half(settings.twistLimit);
        axes[4] = half(settings.swingLimitZ);
        axes[5] = half(settings.swingLimitY);
        break;
      }
      case '6dof': {
        const s = settings;
        const linear = (motion: string, limits: Vec2, k: number, damping: number, rest: number): JointAxis =>
          this.dof(motion, limits, this.linear, 1e6, k, damping, rest);
        const angular = (motion: string, limits: Vec2, k: number, damping: number, rest: number): JointAxis =>
          this.dof(motion, limits, this.angular * RADIANS, Math.PI, k, damping, rest);
        const [lk, ld, le] = [s.linearStiffness, s.linearDamping, s.linearEquilibrium];
        const [ak, ad, ae] = [s.angularStiffness, s.angularDamping, s.angularEquilibrium];
        axes[0] = linear(s.linearMotionX, s.linearLimitsX, lk.x, ld.x, le.x);
        axes[1] = linear(s.linearMotionY, s.linearLimitsY, lk.y, ld.y, le.y);
        axes[2] = linear(s.linearMotionZ, s.linearLimitsZ, lk.z, ld.z, le.z);
        axes[3] = angular(s.angularMotionX, s.angularLimitsX, ak.x, ad.x, ae.x);
        axes[4] = angular(s.angularMotionY, s.angularLimitsY, ak.y, ad.y, ae.y);
        axes[5] = angular(s.angularMotionZ, s.angularLimitsZ, ak.z, ad.z, ae.z);
        break;
      }
    }
    return Object.fromEntries(NAMES.map((name, i) => [name, axes[i]!]));
  }

  private dof(
    motion: string,
    limits: Vec2,
    scale: number,
    most: number,
    stiffness: number,
    damping: number,
    rest: number,
  ): JointAxis {
    if (motion === 'locked') return LOCKED;
    const axis = motion === 'limited' ? range(limits, scale, most) : { locked: false, limit: null };
    return { ...axis, spring: stiffness > 0 ? { target: rest * scale, stiffness, damping: Math.max(0, damping) } : null };
  }

  private get isThere(): boolean {
    return this.id !== null && this.world.hasJoint(this.id);
  }

  private update(settings: Settings, ...types: string[]): boolean {
    if (!types.includes(this.type)) return false;
    if (this.isThere) this.world.setJoint(this.id!, { axes: this.axes(settings) });
    return true;
  }

  updateLimits(settings: Settings): boolean {
    return this.update(settings, 'hinge', 'slider', 'ball', '6dof');
  }

  updateMotor(settings: Settings): boolean {
    return this.update(settings, 'hinge', 'slider');
  }

  updateSpring(settings: Settings): boolean {
    return this.update(settings, '6dof');
  }

  /** Sets the impulse per step that breaks the joint, N s or N m s. */
  setBreakImpulse(impulse: number): void {
    if (!this.isThere) return;
    const force = impulse / this.dt();
    const least = Number.isFinite(force) ? Math.max(force, 1e-6) : Number.POSITIVE_INFINITY;
    this.world.setJoint(this.id!, { breakForce: least, breakTorque: least });
  }

  isBroken(): boolean {
    return this.isThere && this.world.getJoint(this.id!).broken;
  }

  destroy(): void {
    if (this.isThere) this.world.removeJoint(this.id!);
    this.nativeJoint = null;
  }
}
