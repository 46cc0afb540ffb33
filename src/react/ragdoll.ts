// <Ragdoll>: a skinned model that falls like a body, or a doll of parts that one draws oneself. While it is active each bone has a body of
// talus/rigs and is drawn there; it begins in the pose of the animation, as fast as that moved it, and gives the bones back afterwards.
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
import { moveAlong, Puppet, Skin, toFrame, toWorld } from './skin';

export type { RagdollApi };

type GroupProps = ThreeElements['group'];

/** What a ragdoll is, and whether it is there. */
export interface RagdollOptions
  extends Omit<RagdollDesc, 'skeleton' | 'position' | 'rotation'>,
    GroupsProps,
    Omit<BodyHandlers, 'onContactForce'> {
  /** kg/m3; default that of `Physics`. */
  density?: number;
  /** True (default): bodies move the bones. False: there are none, and animations move them. */
  active?: boolean;
  /** While active, how strongly springs in the joints follow the animation: 0 (default) is limp, 1 the whole `drive`. */
  strength?: PoseStrength;
  /** Whether its bodies may sleep; default true. */
  canSleep?: boolean;
}

/** A part of a ragdoll, for what you draw it by. */
export interface RagdollPart {
  /** Of the part, as `upperArmL`, or of the bone of `bones`. */
  readonly name: string;
  readonly body: BodyId;
  /** What it collides with: drawn at its pose in the part it looks like its body. */
  readonly shape: ShapeDesc;
  readonly position: Vec3;
  readonly rotation: Quat;
}

/** Keys that describe the ragdoll: when one says something else it is made anew, in its pose and as fast. */
const DESC = [
  ...(['bodies', 'map', 'height', 'bones', 'linearVelocity', 'density', 'material', 'linearDamping', 'angularDamping'] as const),
  ...(['drive', 'frictionLever', 'frictionTorque'] as const),
] satisfies (keyof RagdollDesc)[];
type Desc = Pick<RagdollDesc, (typeof DESC)[number]>;

/** How a part was, for one that takes its place. */
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

/** The ragdoll of a component. */
class Doll {
  readonly ref: { current: RagdollApi | null } = { current: null };
  /** Told when there are other parts. */
  onParts: (parts: readonly RagdollPart[]) => void = () => undefined;
  /** Told when its model came later than it. */
  onLate: () => void = () => undefined;
  /** Handlers of its bodies: those of sleep are called once for all of them. */
  private readonly handlers: { current: BodyHandlers } = { current: {} };
  private skin: Skin | null = null;
  private puppet: Puppet | null = null;
  private isAsleep = false;
  /** Of its object, when its bodies were put where they are. */
  private placed: Pose | null = null;
  private bodies: readonly BodyId[] = [];

  constructor(
    private readonly context: TalusContext,
    /** With the skinned mesh in it, or what it is placed by. */
    private readonly object: RefObject<Object3D | null> | null,
    private readonly isSkinned: boolean,
    private readonly options: { current: RagdollOptions },
  ) {}

  /** Joins the pictures of the world. */
  join(): () => void {
    const { physics } = this.context;
    const picture = physics.attach({ sync: (alpha) => this.draw(alpha), dispose: () => undefined });
    return () => {
      physics.detach(picture);
      this.drop();
    };
  }

  /** Whether its model is there. */
  private find(): boolean {
    if (!this.isSkinned) return true;
    const root = this.object?.current;
    if (!this.skin && root) this.skin = Skin.find(root);
    return this.skin !== null;
  }

  /** Makes the bodies: those of the one before it anew, or from the pose of the model. A model that is loaded still may come later. */
  make(desc: Desc): void {
    const { world } = this.context;
    const before = this.states();
    this.drop();
    if (!this.find()) return;
    const object = this.object?.current ?? null;
    const { skin } = this;
    this.placed = object ? poseOf(object) : null;
    const [position, rotation] = this.placed ?? [undefined, undefined];
    // As dense as other bodies of components.
    const common = { density: this.context.density, ...desc };
    const made = createRagdoll(
      world,
      skin ? { ...common, skeleton: skin.rest() } : { ...common, ...(position && rotation && { position, rotation }) },
    );
    this.ref.current = made;
    if (skin || before) this.pose(made, before);
    this.bodies = [...made.bodies];
    if (skin) this.puppet = new Puppet(skin, made);
    this.announce();
    this.filter();
    this.onParts(made.bones.map(({ name, body }) => this.partOf(name, body)));
  }

  /** How all parts are, by name. */
  private states(): ReadonlyMap<string, State> | null {
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

  /** Puts all parts into a pose, from the root on so that the joints hold, and sets them in motion. */
  private pose(doll: RagdollApi, before: ReadonlyMap<string, State> | null): void {
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
      const three = this.skin?.bone(bone);
      const rotation = state?.rotation ?? (three ? this.skin!.rotationOf(three) : rest[i]![1]);
      const position = new Vector3();
      if (parent >= 0) toWorld(toFrame(position.copy(rest[i]![0]), ...rest[parent]!), ...now[parent]!);
      else if (state) position.copy(state.position);
      else if (three) position.setFromMatrixPosition(three.matrixWorld);
      now.push([position, rotation]);
      world.teleport(body, position, rotation);
      if (state) world.setVelocity(body, state.linear, state.angular);
      else if (three) {
        const { linear, angular } = this.skin!.motionOf(three);
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

  private announce(): void {
    const { bodies, objects } = this.context;
    this.isAsleep = false;
    for (const { body, bone } of this.ref.current!.bones) {
      bodies.set(body, { api: new RigidBodyApi(this.context, body), handlers: this.handlers });
      if (this.skin) objects.set(body, this.skin.bone(bone));
    }
  }

  /** Takes over what may change at any time. */
  listen(options: RagdollOptions): void {
    const { onSleep, onWake, onCollisionEnter, onCollisionExit, onIntersectionEnter, onIntersectionExit } = options;
    const given = { onCollisionEnter, onCollisionExit, onIntersectionEnter, onIntersectionExit };
    const handlers = Object.fromEntries(Object.entries(given).filter(([, call]) => call)) as BodyHandlers;
    if (onSleep || onWake) Object.assign(handlers, { onSleep: () => this.rest(), onWake: () => this.rest() });
    this.handlers.current = handlers;
    this.context.listen(handlers);
  }

  /** One of its bodies fell asleep or woke up: all of them sleep now, or none does any more. */
  private rest(): void {
    const { world } = this.context;
    const all = this.bodies.every((body) => !world.isAlive(body) || world.isAsleep(body));
    if (all === this.isAsleep) return;
    this.isAsleep = all;
    if (all) this.options.current.onSleep?.();
    else this.options.current.onWake?.();
  }

  /** Filter and sleep of its bodies. */
  filter(): void {
    const { world } = this.context;
    const { current } = this.options;
    for (const body of this.bodies) {
      if (!world.isAlive(body)) continue;
      for (const collider of world.collidersOf(body)) world.setCollider(collider, groupsOf(current));
      world.setAllowSleep(body, current.canSleep ?? true);
    }
  }

  drop(): void {
    const made = this.ref.current;
    this.ref.current = null;
    if (!made) return;
    for (const body of this.bodies) {
      this.context.bodies.delete(body);
      this.context.objects.delete(body);
    }
    this.bodies = [];
    quietly(() => this.puppet?.end());
    this.puppet = null;
    this.skin?.forget();
    this.onParts([]);
    quietly(() => made.dispose());
  }

  /** Its object was put somewhere else: the bodies go along. */
  teleport(): void {
    const object = this.object?.current;
    if (!object) return;
    this.skin?.forget();
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

  /** Each frame, after animations: bones stay where their bodies are; without bodies, how fast they move is seen. */
  frame(seconds: number, desc: Desc): void {
    const { active = true, strength } = this.options.current;
    if (this.isSkinned && this.skin === null) {
      if (!this.find()) return;
      if (active) this.make(desc);
      this.onLate();
    }
    if (!active) {
      this.skin?.watch(seconds);
      return;
    }
    quietly(() => {
      this.puppet?.again();
      if (strength !== undefined) this.puppet?.follow(strength);
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
  useLayoutEffect(() => doll.join(), [doll]);
  useLayoutEffect(() => doll.listen(latest.current));
  useLayoutEffect(() => {
    if (active) doll.make(desc);
    else doll.drop();
  }, [doll, desc, active]);
  useLayoutEffect(() => doll.filter(), [doll, filter]);
  return { doll, desc, active };
}

/** Has a callback in each frame, after those of the components that were mounted before. */
function Frames({ doll, desc }: { doll: Doll; desc: Desc }): null {
  useFrame((_state, seconds) => doll.frame(seconds, desc));
  return null;
}

/**
 * Makes a ragdoll of the skinned mesh in an object, which it moves while it is active; with null, one of `bones` or the human that talus
 * brings, which you draw yourself by `readPose`. The ref has the `Ragdoll` of talus/rigs, null while it is not active. It goes with the
 * component. `<Ragdoll>` is this with a group of its own.
 */
export function useRagdoll(
  object: RefObject<Object3D | null> | null,
  options: RagdollOptions = {},
): RefObject<RagdollApi | null> {
  const { doll, desc } = useDoll(object, object !== null, options);
  useFrame((_state, seconds) => doll.frame(seconds, desc));
  return doll.ref;
}

export interface RagdollProps
  extends RagdollOptions,
    Pick<GroupProps, 'position' | 'rotation' | 'quaternion' | 'scale' | 'visible' | 'name' | 'userData'> {
  /** The `Ragdoll` of talus/rigs: `bone`, `setPose`, `bodies`, ...; null while it is not active. */
  ref?: Ref<RagdollApi>;
  /** A model with a skinned mesh; or what draws a part, for a ragdoll of `bones` or the human that talus brings. */
  children?: ReactNode | ((part: RagdollPart, index: number) => ReactNode);
}

/**
 * A body that falls with all its limbs. Position and rotation are where the model stands; when they change the ragdoll is put there.
 * Everything else can change at any time.
 */
export function Ragdoll(props: RagdollProps): ReactNode {
  const { ref, children, position, rotation, quaternion, scale, visible, name, userData, ...options } = props;
  const group = useRef<Group>(null);
  const draws = typeof children === 'function';
  const { doll, desc, active } = useDoll(group, !draws && children !== undefined && children !== null, options);
  const [parts, setParts] = useState<readonly RagdollPart[]>([]);
  const placed = useRef<unknown>(null);
  const [late, setLate] = useState(0);
  doll.onLate = () => setLate((old) => old + 1);
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

/** What is drawn of a part, where its body is. */
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
