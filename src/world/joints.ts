// A world, part: joints.
import { TalusError } from '../checks/errors';
import { fail } from '../checks/validate';
import { checkFit, checkKind, emptyImage, type JointImage, KINDS, takeOver, writeDesc } from '../joints/check';
import type { JointChanges, JointDesc, JointState, JointStateSink } from '../joints/desc';
import { type Pose, poseOf } from '../joints/frames';
import { readState, writeState } from '../joints/state';
import { BODY_STATIC, Header, Joint, NONE } from '../layout.generated';
import type { EditionTypes } from '../options/options';
import type { BodyId, JointId } from '../types';
import { MotionWorld } from './motion';

/** Part of `World`: joints. */
export abstract class JointWorld<T extends EditionTypes> extends MotionWorld<T> {
  /**
   * Creates a joint between two bodies, or between a body and the world, and returns its id. World points and axes refer to the
   * present poses, as the views show them.
   * @throws TalusError `invalid-argument`, `stale-handle` (a body), `unsupported` (the solver takes no joints), `out-of-memory`
   */
  createJoint(desc: JointDesc): JointId {
    this.alive();
    const kind = checkKind(desc);
    const bodyA = desc.bodyA === undefined || desc.bodyA === null ? NONE : this.registry.body(desc.bodyA);
    if (desc.bodyB === undefined || desc.bodyB === null) {
      fail('joint.bodyB', 'the id of a body (the world is bodyA: null)', desc.bodyB);
    }
    const bodyB = this.registry.body(desc.bodyB);
    if (bodyA === bodyB)
      throw new TalusError(
        'invalid-argument',
        `joint.bodyA and bodyB are both ${desc.bodyB}: a joint connects two different bodies`,
      );
    if (bodyA === NONE && (desc.type === 'gear' || desc.type === 'pulley')) {
      throw new TalusError('invalid-argument', `joint.bodyA is missing: a ${desc.type} is between two bodies`);
    }
    const fixed = [bodyA, bodyB].every((body) => body === NONE || this.registry.bodyType(body) === BODY_STATIC);
    if (fixed) throw new TalusError('invalid-argument', 'a joint needs a body that can move: static bodies and the world do not');
    this.checkTakesJoints(this.resolved);
    this.warnAngles(kind, desc);
    const image = emptyImage();
    writeDesc(image, kind, desc, this.posesOf(bodyA, bodyB), true);
    this.checkMemory(this.core.reserveJoints(this.roomFor(Header.jointCount, 1, 'joints')));
    const index = this.core.createJoint(bodyA, bodyB);
    takeOver(image, this.memory.u32, this.registry.jointWord(index, 0));
    this.core.setJointFlags(index, image.u32[Joint.flags / 4]!);
    return this.registry.jointIdAt(index);
  }

  /**
   * Changes a joint, from the next step on. Fields that you leave out stay; null removes a limit, motor or spring. Its bodies
   * wake if anything changes.
   * @throws TalusError `invalid-argument`, `stale-handle`
   */
  setJoint(id: JointId, changes: JointChanges): void {
    this.alive();
    const index = this.registry.joint(id);
    const image = this.jointImage(index);
    const before = image.u32.slice();
    const [flags, bodyA, bodyB] = [Joint.flags, Joint.bodyA, Joint.bodyB].map((offset) => before[offset / 4]!);
    checkFit(changes, before[Joint.kind / 4]!);
    this.warnAngles(before[Joint.kind / 4]!, changes);
    writeDesc(image, before[Joint.kind / 4]!, changes, this.posesOf(bodyA!, bodyB!), false);
    if (image.u32.every((word, i) => word === before[i])) return;
    takeOver(image, this.memory.u32, this.registry.jointWord(index, 0));
    if (image.u32[Joint.flags / 4] === flags) this.core.renewJoint(index);
    else this.core.setJointFlags(index, image.u32[Joint.flags / 4]!);
  }

  /**
   * Removes a joint. Its bodies wake and may collide with each other.
   * @throws TalusError `stale-handle`
   */
  removeJoint(id: JointId): void {
    this.alive();
    const index = this.registry.joint(id);
    if (this.flying) this.events.capture();
    this.core.removeJoint(index);
  }

  /** Returns whether an id is that of an existing joint. */
  hasJoint(id: JointId): boolean {
    this.alive();
    return this.registry.hasJoint(id);
  }

  /** Number of joints. */
  get jointCount(): number {
    this.alive();
    return this.memory.headerU32(Header.jointAlive);
  }

  /** Returns the joints of a body, the latest first. */
  jointsOf(body: BodyId): JointId[] {
    this.alive();
    return this.registry.jointsOf(this.registry.body(body)).map((joint) => this.registry.jointIdAt(joint));
  }

  /**
   * Returns the present state of a joint: its position along and about its axes, its forces, its settings. Writes to `out` if
   * given.
   * @throws TalusError `stale-handle`; `invalid-argument` if `out` cannot be written
   */
  getJoint<S extends JointStateSink>(id: JointId, out: S): S;
  getJoint(id: JointId, out?: JointState): JointState;
  getJoint(id: JointId, out?: JointState): JointState {
    this.alive();
    const index = this.registry.joint(id);
    if (out !== undefined && (out === null || typeof out !== 'object' || Object.isFrozen(out))) {
      fail('out', 'an object that can be written', out);
    }
    const image = this.jointImage(index);
    const at = (this.core.measureJoint(index) >>> 0) >>> 2;
    const bodyA = image.u32[Joint.bodyA / 4]!;
    const idA = bodyA === NONE ? null : this.registry.bodyIdAt(bodyA);
    const idB = this.registry.bodyIdAt(image.u32[Joint.bodyB / 4]!);
    const state = readState(image, this.memory.f32.subarray(at, at + 16), idA, idB);
    return out === undefined ? state : writeState(state, out);
  }

  /** Warns of angles that look like degrees. */
  private warnAngles(kind: number, desc: JointChanges): void {
    if (this.warnings === null) return;
    if (KINDS[kind]![1] >= 3) this.warnings.angles('joint', desc);
    this.warnings.angles('joint.twist', desc.twist);
    this.warnings.angles('joint.axes.twist', desc.axes?.twist);
  }

  /** A copy of the record of a joint. */
  private jointImage(index: number): JointImage {
    const at = this.registry.jointWord(index, 0);
    const u32 = this.memory.u32.slice(at, at + Joint.STRIDE / 4);
    return { u32, f32: new Float32Array(u32.buffer) };
  }

  private posesOf(bodyA: number, bodyB: number): [Pose, Pose] {
    return [poseOf(this.memory, bodyA), poseOf(this.memory, bodyB)];
  }
}
