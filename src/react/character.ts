// <Character>: a walking character and its model. The component drives a Character of talus/controllers: it applies the input before each
// step, turns the model after each step, and interpolates the model between the last two steps in each frame. So speed and smoothness do
// not depend on the frame rate.
import { type ThreeElements, useThree } from '@react-three/fiber';
import {
  createElement,
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { type Camera, type Group, type Object3D, Quaternion, Vector3 } from 'three';
import { Character as CharacterApi, type CharacterDesc } from '../controllers/index';
import { type BodyId, type ShapeDesc, TalusError, type Vec3 } from '../index';
import { RigidBodyApi } from './apis';
import { type TalusContext, useTalus } from './context';
import type { CollisionHandlers } from './events';
import { type GroupsProps, groupsOf } from './groups';
import { quietly, same, useLatest, useStable } from './guard';
import { MARK } from './holder';
import { down, type InputSource, type Key, type MoveInput, readInput, readMove } from './input';
import { place, readPlace } from './place';

export type { CharacterApi };

type GroupProps = ThreeElements['group'];

/** Input of a character. */
export interface CharacterInput extends MoveInput {
  run?: Key;
  /** While it is down, the character jumps whenever it stands. */
  jump?: Key;
}

/** Options of a character: its shape and limits, its speeds, its input. */
export interface CharacterOptions
  extends Omit<CharacterDesc, 'shape' | 'position' | 'category' | 'mask'>,
    GroupsProps,
    Omit<CollisionHandlers, 'onContactForce'> {
  /** Default: a capsule, 1.8 m high and 0.6 m wide. A change keeps the feet in place; a larger shape waits until it has room. */
  shape?: ShapeDesc;
  /** False freezes it and takes it out of all collisions; default true. */
  enabled?: boolean;
  /** Keys and stick, or a function that returns them. Without it, call `walk` of the ref. */
  input?: InputSource<CharacterInput>;
  /** Walking speed with `input`, m/s; default 3. */
  speed?: number;
  /** Speed while `run` is down, m/s; default 6. */
  runSpeed?: number;
  /** Take-off speed, m/s; default 4.5, which is a jump of 1 m. */
  jumpSpeed?: number;
  /** Direction of `forward`: where the camera looks (default), or a world direction. */
  ahead?: 'camera' | Vec3;
  /** The model turns where it walks (default), towards `ahead`, or not at all. Its front is +z. */
  facing?: 'motion' | 'ahead' | 'none';
  /** Turning speed of the model, rad/s; default 12. */
  turnSpeed?: number;
  /** Receives the angle (rad about up) by which moving ground turned the character in this frame: turn your camera by it. */
  onGroundTurn?: (angle: number) => void;
}

const CAPSULE: ShapeDesc = { type: 'capsule', radius: 0.3, halfHeight: 0.6 };
/** Options of the controller's constructor. A change recreates the controller where it is. */
const DESC = [
  ...(['up', 'mass', 'pushForce', 'stepHeight', 'maxSlope', 'snap', 'skin', 'acceleration', 'airAcceleration'] as const),
  ...(['gravityScale', 'presence'] as const),
] satisfies (keyof CharacterDesc)[];
type Desc = Pick<CharacterDesc, (typeof DESC)[number] | 'category' | 'mask'>;

/** Below this speed it keeps its heading, m/s. */
const STILL = 0.3;
const Y = new Vector3(0, 1, 0);
const Z = new Vector3(0, 0, 1);

const [point, front, drawn, up] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
const [turn, yaw] = [new Quaternion(), new Quaternion()];

function numberOf(value: number | undefined, fallback: number, name: string): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value;
  throw new TalusError('invalid-argument', `${name} of a character must be a number, at least 0, not ${String(value)}`);
}

/** Converts to a Vector3. */
function vectorOf(from: Vec3, out: Vector3): Vector3 {
  return 'x' in from ? out.set(from.x, from.y, from.z) : out.set(from[0]!, from[1]!, from[2]!);
}

/** The smallest turn from one angle to another, rad. */
const between = (from: number, to: number) => Math.atan2(Math.sin(to - from), Math.cos(to - from));

/** Connects a controller, its input and its model. */
class Walker {
  readonly ref: { current: CharacterApi | null } = { current: null };
  private desc: Desc = {};
  private shape: ShapeDesc = CAPSULE;
  /** Shape to change to as soon as there is room. */
  private waiting: ShapeDesc | null = null;
  /** Angle about up that it turned by itself, after the last step and before it; and the angle that moving ground added. */
  private heading = 0;
  private before = 0;
  private carried = 0;
  /** Direction and amount of the input, across up. */
  private readonly wish = new Vector3();
  private readonly alongUp = new Quaternion();
  private body: BodyId | null = null;
  private ends: (() => void)[] = [];

  constructor(
    private readonly context: TalusContext,
    private readonly object: RefObject<Object3D | null>,
    private readonly options: { current: CharacterOptions },
    private readonly camera: () => Camera,
  ) {}

  /** Subscribes to steps and frames; returns the unsubscribe function. */
  subscribe(): () => void {
    const { world, physics } = this.context;
    const picture = physics.attach({ sync: (alpha) => this.draw(alpha), dispose: () => undefined });
    this.ends = [
      () => physics.detach(picture),
      world.addController({
        beforeStep: () => this.applyInput(),
        afterStep: (dt) => this.update(dt),
        isMoving: () => this.isTurning() || this.hasInput(),
      }),
    ];
    return () => {
      for (const end of this.ends) quietly(end);
      this.ends = [];
    };
  }

  /** Creates the controller at the object, or recreates it where it is. */
  create(desc: Desc, shape: ShapeDesc): void {
    const { world } = this.context;
    const old = this.ref.current;
    this.desc = desc;
    this.alongUp.setFromUnitVectors(Y, vectorOf(desc.up ?? [0, 1, 0], up).normalize());
    const feet = new Vector3();
    if (old) old.getPosition(feet);
    else this.readObject(feet);
    const velocity = old ? [...old.velocity] : [0, 0, 0];
    this.destroy();
    // A recreated controller keeps its present shape: it may crouch, and have no room for the shape of the props.
    const made = new CharacterApi(world, { ...desc, shape: old ? this.shape : shape, position: feet });
    if (!old) this.shape = shape;
    for (let k = 0; k < 3; k++) made.velocity[k] = velocity[k]!;
    made.enabled = this.options.current.enabled ?? true;
    this.ref.current = made;
    this.register();
  }

  destroy(): void {
    const made = this.ref.current;
    this.ref.current = null;
    this.unregister();
    if (made) quietly(() => made.dispose());
  }

  /** Registers its presence body, so that events name this component. */
  private register(): void {
    const { context } = this;
    const body = this.ref.current?.body ?? null;
    if (body === this.body) return;
    this.unregister();
    this.body = body;
    if (body === null) return;
    context.bodies.set(body, { api: new RigidBodyApi(context, body), handlers: this.options });
    if (this.object.current) context.objects.set(body, this.object.current);
  }

  private unregister(): void {
    if (this.body === null) return;
    this.context.bodies.delete(this.body);
    this.context.objects.delete(this.body);
    this.body = null;
  }

  setShape(shape: ShapeDesc): void {
    this.waiting = same(shape, this.shape) ? null : shape;
    this.reshape();
  }

  private reshape(): void {
    const { current } = this.ref;
    if (!current || !this.waiting || !current.setShape(this.waiting)) return;
    this.shape = this.waiting;
    this.waiting = null;
    this.register();
  }

  /** Moves the controller to its object after a change of props. */
  teleport(isTurned: boolean): void {
    const { heading } = this;
    this.readObject(point);
    this.ref.current?.teleport(point);
    if (!isTurned) this.heading = this.before = heading;
  }

  /** Reads feet and heading from the object. */
  private readObject(feet: Vector3): void {
    const object = this.object.current;
    if (!object) throw new TalusError('invalid-argument', 'the character has no object: give the ref of a mounted object');
    readPlace(object, feet, turn);
    this.heading = this.before = this.angleOf(front.copy(Z).applyQuaternion(turn)) - this.carried;
  }

  /** Angle of a direction about up, from +z. */
  private angleOf(direction: Vector3): number {
    yaw.copy(this.alongUp).invert();
    direction.applyQuaternion(yaw);
    return Math.atan2(direction.x, direction.z);
  }

  /** Projects a direction across up and normalizes it; false if nothing is left. */
  private level(direction: Vector3): boolean {
    vectorOf(this.desc.up ?? [0, 1, 0], up).normalize();
    direction.addScaledVector(up, -direction.dot(up));
    const length = direction.length();
    if (length < 1e-6) return false;
    direction.divideScalar(length);
    return true;
  }

  /** Writes the direction of `forward`. */
  private readAhead(out: Vector3): Vector3 {
    const { ahead = 'camera' } = this.options.current;
    if (ahead !== 'camera') {
      if (this.level(vectorOf(ahead, out))) return out;
      throw new TalusError('invalid-argument', `ahead of a character must be 'camera' or a direction that is not along up`);
    }
    const camera = this.camera();
    // For a camera that looks straight down, the top of the picture is ahead.
    if (!this.level(camera.getWorldDirection(out))) this.level(out.setFromMatrixColumn(camera.matrixWorld, 1));
    return out;
  }

  /** Applies the input before a step. */
  private applyInput(): void {
    const { input, speed, runSpeed, jumpSpeed } = this.options.current;
    const { current } = this.ref;
    if (input === undefined || !current) return;
    const now = readInput(input);
    const [right, ahead] = readMove(now, true);
    this.wish.set(0, 0, 0);
    if (right !== 0 || ahead !== 0) {
      const to = this.readAhead(drawn);
      this.wish.addScaledVector(to, ahead).addScaledVector(point.crossVectors(to, up), right);
    }
    const run = down(now.run, 'run');
    const walk = numberOf(speed, 3, 'speed');
    const fast = walk + run * (numberOf(runSpeed, 6, 'runSpeed') - walk);
    const { x, y, z } = this.wish;
    const jump = down(now.jump, 'jump') > 0.5 ? numberOf(jumpSpeed, 4.5, 'jumpSpeed') : 0;
    current.walk({ velocity: [fast * x, fast * y, fast * z], jump });
  }

  /** Whether the input moves it: on-demand frames continue then. */
  private hasInput(): boolean {
    const { input } = this.options.current;
    if (input === undefined || !this.ref.current?.enabled) return false;
    const now = readInput(input);
    const [right, ahead] = readMove(now, true);
    return right !== 0 || ahead !== 0 || down(now.jump, 'jump') > 0.5;
  }

  private isTurning(): boolean {
    return Math.abs(this.heading - this.before) > 1e-4;
  }

  /** Retries a pending shape and turns the model, after a step. */
  private update(dt: number): void {
    this.reshape();
    this.before = this.heading;
    const { facing = 'motion', turnSpeed } = this.options.current;
    const { current } = this.ref;
    if (!current?.enabled || facing === 'none') return;
    if (facing === 'ahead') this.readAhead(point);
    else if (!this.readMotion(point)) return;
    const most = numberOf(turnSpeed, 12, 'turnSpeed') * dt;
    const missing = between(this.heading + this.carried, this.angleOf(point));
    this.heading += Math.min(Math.max(missing, -most), most);
  }

  /** Writes the direction of its walk: from the input, or else from its velocity over the ground. False if it stands. */
  private readMotion(out: Vector3): boolean {
    if (this.options.current.input !== undefined) return this.level(out.copy(this.wish));
    const { current } = this.ref;
    out.fromArray(current!.velocity).sub(current!.getGroundVelocity(drawn));
    vectorOf(this.desc.up ?? [0, 1, 0], up).normalize();
    return out.addScaledVector(up, -out.dot(up)).length() > STILL && this.level(out);
  }

  /** Places the model for this frame. */
  private draw(alpha: number | undefined): void {
    const { current } = this.ref;
    const object = this.object.current;
    if (!current || !object) return;
    const part = alpha ?? this.context.world.alpha;
    const angle = current.takeTurn();
    this.carried += angle;
    const heading = this.before + (this.heading - this.before) * part + this.carried;
    turn.copy(this.alongUp).multiply(yaw.setFromAxisAngle(Y, heading));
    if (this.options.current.facing === 'none') readPlace(object, drawn, turn);
    place(object, current.getPose(drawn, part), turn);
    if (angle !== 0) this.options.current.onGroundTurn?.(angle);
  }
}

function useWalker(object: RefObject<Object3D | null>, options: CharacterOptions) {
  const context = useTalus();
  const get = useThree((state) => state.get);
  const latest = useLatest(options);
  const given = Object.fromEntries(DESC.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]));
  const desc = useStable<Desc>({ ...given, ...groupsOf(options) });
  const shape = useStable(options.shape ?? CAPSULE);
  const enabled = options.enabled ?? true;
  const walker = useMemo(() => new Walker(context, object, latest, () => get().camera), [context, object, latest, get]);
  useLayoutEffect(() => {
    const leave = walker.subscribe();
    return () => {
      leave();
      walker.destroy();
    };
  }, [walker]);
  useLayoutEffect(() => walker.create(desc, latest.current.shape ?? CAPSULE), [walker, desc, latest]);
  useLayoutEffect(() => walker.setShape(shape), [walker, shape]);
  useLayoutEffect(() => {
    if (walker.ref.current) walker.ref.current.enabled = enabled;
  }, [walker, enabled]);
  useLayoutEffect(() => context.listen(latest.current));
  return { walker, desc };
}

/**
 * Creates a character at an object of yours and moves the object with it. Returns a ref to the `Character` of talus/controllers. The
 * character lives as long as the component. `<Character>` does the same with its own group.
 */
export function useCharacter(object: RefObject<Object3D | null>, options: CharacterOptions = {}): RefObject<CharacterApi | null> {
  return useWalker(object, options).walker.ref;
}

export interface CharacterProps
  extends CharacterOptions,
    Pick<GroupProps, 'position' | 'rotation' | 'quaternion' | 'visible' | 'name' | 'userData'> {
  /** The `Character` of talus/controllers: `walk`, `velocity`, `grounded`, `teleport`, ... */
  ref?: Ref<CharacterApi>;
  /** The model: its origin at the feet, its front along +z. */
  children?: ReactNode;
}

/**
 * A walking character. Position (of the feet) and rotation are its start; a change teleports it. All other props can change at any
 * time, too.
 */
export function Character(props: CharacterProps): ReactNode {
  const { ref, children, position, rotation, quaternion, visible, name, userData, ...options } = props;
  const group = useRef<Group>(null);
  const { walker, desc } = useWalker(group, options);
  const placed = useRef<unknown[]>(null);
  useImperativeHandle(ref, () => walker.ref.current!, [walker, desc]);
  useLayoutEffect(() => {
    const [before, turnedBefore] = placed.current ?? [position, [rotation, quaternion]];
    placed.current = [position, [rotation, quaternion]];
    const isTurned = !same([rotation, quaternion], turnedBefore);
    if (isTurned || !same(position, before)) walker.teleport(isTurned);
  });
  const given = { position, rotation, quaternion, visible, name };
  const pose = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return createElement('group', { ...pose, ref: group, userData: { ...userData, [MARK]: true } }, children);
}
