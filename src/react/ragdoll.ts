// <Ragdoll>: bodies of talus/rigs for a skinned model, or for parts with meshes of their own. While it is active, bodies drive the bones. They
// start with the pose and the velocities of the animation, and the animation gets the bones back afterwards.
import { type ThreeElements, useFrame } from '@react-three/fiber';
import {
  createElement,
  Fragment,
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Group, type Object3D, Quaternion, Vector3 } from 'three';
import type { BodyId, Quat, ShapeDesc, Vec3 } from '../index';
import { createRagdoll, type PoseStrength, type Ragdoll as RagdollApi, type RagdollDesc } from '../rigs/index';
import { RigidBodyApi } from './apis';
import { type TalusContext, useTalus } from './context';
import type { BodyHandlers } from './events';
import { type GroupsProps, groupsOf } from './groups';
import { quietly, same, useLatest, useStable } from './guard';
import { MARK } from './holder';
import { readPlace } from './place';
import { moveAlong, Puppet, SkinnedModel, toFrame, toWorld } from './skinned';

export type { RagdollApi };

type GroupProps = ThreeElements['group'];

/** Options of a ragdoll. */
export interface RagdollOptions
  extends Omit<RagdollDesc, 'skeleton' | 'position' | 'rotation'>,
    GroupsProps,
    Omit<BodyHandlers, 'onContactForce'> {
  /** kg/m3; default that of `Physics`. */
  density?: number;
  /** True (default): bodies drive the bones. False: the animation drives them, and there are no bodies. */
  active?: boolean;
  /** Strength of the joint springs that follow the animation while active: 0 (default) is limp, 1 the full `drive`. */
  strength?: PoseStrength;
  /** Lets its bodies sleep; default true. */
  canSleep?: boolean;
}

/** A body of a ragdoll, for its mesh. */
export interface RagdollPart {
  /** Name of the part, such as `upperArmL`, or of the bone in `bones`. */
  readonly name: string;
  readonly body: BodyId;
  /** Collision shape, and its pose in the part: a mesh there looks like the body. */
  readonly shape: ShapeDesc;
  readonly position: Vec3;
  readonly rotation: Quat;
}

/** Options of `createRagdoll`. A change recreates the bodies with their poses and velocities. */
const DESC = [
  ...(['bodies', 'map', 'height', 'bones', 'linearVelocity', 'density', 'material', 'linearDamping', 'angularDamping'] as const),
  ...(['drive', 'frictionLever', 'frictionTorque'] as const),
] satisfies (keyof RagdollDesc)[];
type Desc = Pick<RagdollDesc, (typeof DESC)[number]>;

/** Pose and velocities of a part, for its successor. */
interface State {
  position: Vector3;
  rotation: Quaternion;
  linear: Vector3;
  angular: Vector3;
}

type Pose = [Vector3, Quaternion];
const poseOf = (object: Object3D): Pose => {
  const pose: Pose = [new Vector3(), new Quaternion()];
  readPlace(object, ...pose);
  return pose;
};

/** Connects a ragdoll, its model and its handlers. */
class Doll {
  readonly ref: { current: RagdollApi | null } = { current: null };
  /** Called when the parts change. */
  onParts: (parts: readonly RagdollPart[]) => void = () => undefined;
  /** Called when a frame found another model, or none any more. */
  onModel: () => void = () => undefined;
  /** Handlers of its bodies; sleep and wake are emitted once for all bodies. */
  private readonly handlers: { current: BodyHandlers } = { current: {} };
  private model: SkinnedModel | null = null;
  private puppet: Puppet | null = null;
  private isAsleep = false;
  /** Pose of its object that the bodies were placed by. */
  private placed: Pose | null = null;
  private bodies: readonly BodyId[] = [];

  constructor(
    private readonly context: TalusContext,
    /** Holds the skinned mesh, or only places the parts. */
    private readonly object: RefObject<Object3D | null> | null,
    private readonly isSkinned: boolean,
    private readonly options: { current: RagdollOptions },
  ) {}

  /** Subscribes to frames; returns the unsubscribe function. */
  subscribe(): () => void {
    const { physics } = this.context;
    const picture = physics.attach({ sync: (alpha) => this.draw(alpha), dispose: () => undefined });
    return () => {
      physics.detach(picture);
      this.destroy();
    };
  }

  /** Looks for the model; false until it is loaded. */
  private findModel(): boolean {
    if (!this.isSkinned) return true;
    const root = this.object?.current;
    if (!this.model && root) this.model = SkinnedModel.find(root);
    return this.model !== null;
  }

  /** Creates the bodies with the state of the previous ones, or else of the model. Waits for a model that is still loading. */
  create(desc: Desc): void {
    const { world } = this.context;
    const before = this.readStates();
    this.destroy();
    if (!this.findModel()) return;
    const object = this.object?.current ?? null;
    const { model } = this;
    this.placed = object ? poseOf(object) : null;
    const [position, rotation] = this.placed ?? [undefined, undefined];
    // As dense as other bodies of components.
    const common = { density: this.context.density, ...desc };
    const made = createRagdoll(
      world,
      model ? { ...common, skeleton: model.rest() } : { ...common, ...(position && rotation && { position, rotation }) },
    );
    this.ref.current = made;
    if (model || before) this.applyStates(made, before);
    this.bodies = [...made.bodies];
    if (model) this.puppet = new Puppet(model, made);
    this.register();
    this.applyTraits();
    this.onParts(made.bones.map(({ name, body }) => this.partOf(name, body)));
  }

  /** Poses and velocities of all parts, by name. */
  private readStates(): ReadonlyMap<string, State> | null {
    const doll = this.ref.current;
    const { world } = this.context;
    if (!doll || doll.bodies.some((body) => !world.isAlive(body))) return null;
    return new Map(
      doll.bones.map(({ name, body }) => [
        name,
        {
          position: world.getPosition(body, new Vector3()),
          rotation: world.getRotation(body, new Quaternion()),
          linear: world.getLinearVelocity(body, new Vector3()),
          angular: world.getAngularVelocity(body, new Vector3()),
        },
      ]),
    );
  }

  /** Sets poses and velocities of all parts. Positions follow from the root and the rotations, so that the joints are satisfied. */
  private applyStates(doll: RagdollApi, before: ReadonlyMap<string, State> | null): void {
    const { world } = this.context;
    const { linearVelocity = [0, 0, 0] } = this.options.current;
    const extra = new Vector3(
      ...('x' in linearVelocity ? [linearVelocity.x, linearVelocity.y, linearVelocity.z] : Array.from(linearVelocity)),
    );
    const rest = doll.bones.map(
      ({ body }): Pose => [world.getPosition(body, new Vector3()), world.getRotation(body, new Quaternion())],
    );
    const now: Pose[] = [];
    for (const [i, { name, bone, parent, body }] of doll.bones.entries()) {
      const state = before?.get(name);
      const three = this.model?.bone(bone);
      const rotation = state?.rotation ?? (three ? this.model!.rotationOf(three) : rest[i]![1]);
      const position = new Vector3();
      if (parent >= 0) toWorld(toFrame(position.copy(rest[i]![0]), ...rest[parent]!), ...now[parent]!);
      else if (state) position.copy(state.position);
      else if (three) position.setFromMatrixPosition(three.matrixWorld);
      now.push([position, rotation]);
      world.teleport(body, position, rotation);
      if (state) world.setVelocity(body, state.linear, state.angular);
      else if (three) {
        const { linear, angular } = this.model!.motionOf(three);
        const arm = world.getCenterOfMass(body, new Vector3()).applyQuaternion(rotation);
        world.setVelocity(body, linear.add(arm.cross(angular).negate()).add(extra), angular);
      }
    }
  }

  private partOf(name: string, body: BodyId): RagdollPart {
    const { world } = this.context;
    const { shape, position, rotation } = world.getCollider(world.collidersOf(body)[0]!);
    return { name, body, shape: world.getShape(shape), position: position as Vec3, rotation: rotation as Quat };
  }

  /** Registers its bodies, so that events reach the handlers. */
  private register(): void {
    const { bodies, objects } = this.context;
    this.isAsleep = false;
    for (const { body, bone } of this.ref.current!.bones) {
      bodies.set(body, { api: new RigidBodyApi(this.context, body), handlers: this.handlers });
      if (this.model) objects.set(body, this.model.bone(bone));
    }
  }

  /** Updates the handlers. */
  listen(options: RagdollOptions): void {
    const { onSleep, onWake, onCollisionEnter, onCollisionExit, onIntersectionEnter, onIntersectionExit } = options;
    const given = { onCollisionEnter, onCollisionExit, onIntersectionEnter, onIntersectionExit };
    const handlers = Object.fromEntries(Object.entries(given).filter(([, call]) => call)) as BodyHandlers;
    if (onSleep || onWake) Object.assign(handlers, { onSleep: () => this.emitSleep(), onWake: () => this.emitSleep() });
    this.handlers.current = handlers;
    this.context.listen(handlers);
  }

  /** After a sleep or wake event of one body: emits once when all sleep, and once when the first wakes. */
  private emitSleep(): void {
    const { world } = this.context;
    const all = this.bodies.every((body) => !world.isAlive(body) || world.isAsleep(body));
    if (all === this.isAsleep) return;
    this.isAsleep = all;
    if (all) this.options.current.onSleep?.();
    else this.options.current.onWake?.();
  }

  /** Applies collision groups and `canSleep`. */
  applyTraits(): void {
    const { world } = this.context;
    const { current } = this.options;
    for (const body of this.bodies) {
      if (!world.isAlive(body)) continue;
      for (const collider of world.collidersOf(body)) world.setCollider(collider, groupsOf(current));
      world.setAllowSleep(body, current.canSleep ?? true);
    }
  }

  destroy(): void {
    const made = this.ref.current;
    this.ref.current = null;
    if (!made) return;
    for (const body of this.bodies) {
      this.context.bodies.delete(body);
      this.context.objects.delete(body);
    }
    this.bodies = [];
    quietly(() => this.puppet?.release());
    this.puppet = null;
    this.model?.clearRecords();
    this.onParts([]);
    quietly(() => made.dispose());
  }

  /** Moves the bodies along with their object after a change of props. */
  teleport(): void {
    const object = this.object?.current;
    if (!object) return;
    this.model?.clearRecords();
    const from = this.placed;
    const to = poseOf(object);
    this.placed = to;
    const { world } = this.context;
    if (!from) return;
    for (const body of this.bodies) {
      if (!world.isAlive(body)) continue;
      const position = world.getPosition(body, new Vector3());
      const rotation = world.getRotation(body, new Quaternion());
      moveAlong(from, to, position, rotation);
      world.teleport(body, position, rotation);
      world.wake(body);
    }
  }

  private draw(alpha: number | undefined): void {
    quietly(() => this.puppet?.draw(alpha));
  }

  /** In each frame after animations: restores the bones of an active ragdoll; records the pose of an inactive one. */
  update(seconds: number, desc: Desc): void {
    const { active = true, strength } = this.options.current;
    const root = this.object?.current;
    if (this.model && root && !this.model.isIn(root)) {
      // Another model will take its place.
      this.destroy();
      this.model = null;
      this.onModel();
    }
    if (this.isSkinned && this.model === null) {
      if (!this.findModel()) return;
      if (active) this.create(desc);
      this.onModel();
    }
    if (!active) {
      this.model?.record(seconds);
      return;
    }
    quietly(() => {
      this.puppet?.redraw();
      if (strength !== undefined) this.puppet?.followAnimation(strength);
    });
  }
}

function useDoll(object: RefObject<Object3D | null> | null, isSkinned: boolean, options: RagdollOptions) {
  const context = useTalus();
  const latest = useLatest(options);
  const { active = true } = options;
  const desc = useStable(
    Object.fromEntries(DESC.filter((key) => options[key] !== undefined).map((key) => [key, options[key]])) as Desc,
  );
  const filter = useStable({ ...groupsOf(options), canSleep: options.canSleep });
  const doll = useMemo(() => new Doll(context, object, isSkinned, latest), [context, object, isSkinned, latest]);
  useLayoutEffect(() => doll.subscribe(), [doll]);
  useLayoutEffect(() => doll.listen(latest.current));
  useLayoutEffect(() => {
    if (active) doll.create(desc);
    else doll.destroy();
  }, [doll, desc, active]);
  useLayoutEffect(() => doll.applyTraits(), [doll, filter]);
  return { doll, desc, active };
}

/** Subscribes to frames after the components of the model, so that their animations run first. */
function Frames({ doll, desc }: { doll: Doll; desc: Desc }): null {
  useFrame((_state, seconds) => doll.update(seconds, desc));
  return null;
}

/**
 * Creates a ragdoll for the skinned mesh in an object of yours, and drives its bones while active. With null it makes the built-in human, or
 * that of `bones`; draw it by `readPose`. Returns a ref to the `Ragdoll` of talus/rigs, null while inactive. The ragdoll lives as long as
 * the component. `<Ragdoll>` does the same with its own group.
 */
export function useRagdoll(
  object: RefObject<Object3D | null> | null,
  options: RagdollOptions = {},
): RefObject<RagdollApi | null> {
  const { doll, desc } = useDoll(object, object !== null, options);
  useFrame((_state, seconds) => doll.update(seconds, desc));
  return doll.ref;
}

export interface RagdollProps
  extends RagdollOptions,
    Pick<GroupProps, 'position' | 'rotation' | 'quaternion' | 'scale' | 'visible' | 'name' | 'userData'> {
  /** The `Ragdoll` of talus/rigs: `bone`, `setPose`, `bodies`, ...; null while inactive. */
  ref?: Ref<RagdollApi>;
  /** A model with a skinned mesh, which may load later; or a function that returns the mesh of a part, for the built-in human or `bones`. */
  children?: ReactNode | ((part: RagdollPart, index: number) => ReactNode);
}

/**
 * A ragdoll. Position and rotation are those of the model at its start; a change moves the bodies along. All other props can change at any
 * time, too.
 */
export function Ragdoll(props: RagdollProps): ReactNode {
  const { ref, children, position, rotation, quaternion, scale, visible, name, userData, ...options } = props;
  const group = useRef<Group>(null);
  const draws = typeof children === 'function';
  const { doll, desc, active } = useDoll(group, !draws, options);
  const [parts, setParts] = useState<readonly RagdollPart[]>([]);
  const placed = useRef<unknown>(null);
  const [late, setLate] = useState(0);
  doll.onModel = () => setLate((old) => old + 1);
  doll.onParts = draws ? setParts : () => undefined;
  useImperativeHandle(ref, () => doll.ref.current!, [doll, desc, active, late]);
  useLayoutEffect(() => {
    const now = [position, rotation, quaternion];
    if (placed.current !== null && !same(now, placed.current)) doll.teleport();
    placed.current = now;
  });
  const given = { position, rotation, quaternion, scale, visible, name };
  const pose = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const drawn = draws
    ? parts.map((part, i) => createElement(Part, { key: part.body, part }, children(part, i)))
    : (children as ReactNode);
  return createElement(
    Fragment,
    null,
    createElement('group', { ...pose, ref: group, userData: { ...userData, [MARK]: true } }, drawn),
    createElement(Frames, { key: late, doll, desc }),
  );
}

/** The group of a part, moved by its body. */
function Part({ part, children }: { part: RagdollPart; children?: ReactNode }): ReactNode {
  const { physics } = useTalus();
  const group = useRef<Group>(null);
  useLayoutEffect(() => {
    const object = group.current!;
    physics.bind(object, part.body);
    return () => physics.unbind(object);
  }, [physics, part.body]);
  return createElement('group', { ref: group, name: part.name, userData: { [MARK]: true } }, children);
}
