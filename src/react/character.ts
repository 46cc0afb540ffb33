// <Character>: somebody who walks, with what is drawn of them. The component feeds a Character of talus/controllers: before each step it
// says what the input asks for, after each step it turns towards where that goes, and with each picture it draws between the last two
// steps. So nothing of it depends on how often frames come.
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

/** What a player wants of a character. */
export interface CharacterInput extends MoveInput {
  run?: Key;
  /** While it is down, the character jumps whenever it stands. */
  jump?: Key;
}

/** What a character is, how fast, and who steers it. */
export interface CharacterOptions
  extends Omit<CharacterDesc, 'shape' | 'position' | 'category' | 'mask'>,
    GroupsProps,
    Omit<CollisionHandlers, 'onContactForce'> {
  /** Default a capsule, 1.8 m high and 0.6 m wide. When it changes the feet stay; a larger one waits until there is room for it. */
  shape?: ShapeDesc;
  /** False: it stays where it is and touches nothing; default true. */
  enabled?: boolean;
  /** Keys and stick, or what gives them; without it you call `walk` of the ref. */
  input?: InputSource<CharacterInput>;
  /** With `input`: m/s; default 3. */
  speed?: number;
  /** While `run` is down, m/s; default 6. */
  runSpeed?: number;
  /** With which it jumps, m/s; default 4.5: a meter high. */
  jumpSpeed?: number;
  /** Which way `forward` of the input is: where the camera looks (default), or a direction of the world. */
  ahead?: 'camera' | Vec3;
  /** How the object that is drawn turns: to where it walks (default), to `ahead`, or not at all. Its front is its +z. */
  facing?: 'motion' | 'ahead' | 'none';
  /** How fast it turns there, rad/s; default 12. */
  turnSpeed?: number;
  /** Called with how far moving ground has turned it, rad about up: turn a camera by as much. */
  onGroundTurn?: (angle: number) => void;
}

const CAPSULE: ShapeDesc = { type: 'capsule', radius: 0.3, halfHeight: 0.6 };
/** What the controller is made of: when one changes it is made anew where it is. */
const DESC = [
  ...(['up', 'mass', 'pushForce', 'stepHeight', 'maxSlope', 'snap', 'skin', 'acceleration', 'airAcceleration'] as const),
  ...(['gravityScale', 'presence'] as const),
] satisfies (keyof CharacterDesc)[];
type Desc = Pick<CharacterDesc, (typeof DESC)[number] | 'category' | 'mask'>;

/** Slower than this it keeps its heading, m/s. */
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

/** A vector in the form of three.js. */
function vectorOf(from: Vec3, out: Vector3): Vector3 {
  return 'x' in from ? out.set(from.x, from.y, from.z) : out.set(from[0]!, from[1]!, from[2]!);
}

/** The smallest turn from one angle to another, rad. */
const between = (from: number, to: number) => Math.atan2(Math.sin(to - from), Math.cos(to - from));

/** A character of a component: what its controller is told, and where it is drawn. */
class Walker {
  readonly ref: { current: CharacterApi | null } = { current: null };
  private desc: Desc = {};
  private shape: ShapeDesc = CAPSULE;
  /** A shape that had no room yet. */
  private waiting: ShapeDesc | null = null;
  /** Of its own, about up, rad: after the last step and before it; and what moving ground has added. */
  private heading = 0;
  private before = 0;
  private carried = 0;
  /** Where the input goes, across up; 0 for nowhere. */
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

  /** Joins the steps and the pictures of the world. */
  join(): () => void {
    const { world, physics } = this.context;
    const picture = physics.attach({ sync: (alpha) => this.draw(alpha), dispose: () => undefined });
    this.ends = [
      () => physics.detach(picture),
      world.addController({
        beforeStep: () => this.steer(),
        afterStep: (dt) => this.follow(dt),
        isMoving: () => this.isTurning() || this.isAsked(),
      }),
    ];
    return () => {
      for (const end of this.ends) quietly(end);
      this.ends = [];
    };
  }

  /** Makes the controller, at the object or where it has been before. */
  make(desc: Desc, shape: ShapeDesc): void {
    const { world } = this.context;
    const old = this.ref.current;
    this.desc = desc;
    this.alongUp.setFromUnitVectors(Y, vectorOf(desc.up ?? [0, 1, 0], up).normalize());
    const feet = new Vector3();
    if (old) old.getPosition(feet);
    else this.readObject(feet);
    const velocity = old ? [...old.velocity] : [0, 0, 0];
    this.drop();
    // Where it stands: crouching with a change of its other options it goes on crouching.
    const made = new CharacterApi(world, { ...desc, shape: old ? this.shape : shape, position: feet });
    if (!old) this.shape = shape;
    for (let k = 0; k < 3; k++) made.velocity[k] = velocity[k]!;
    made.enabled = this.options.current.enabled ?? true;
    this.ref.current = made;
    this.announce();
  }

  drop(): void {
    const made = this.ref.current;
    this.ref.current = null;
    this.forget();
    if (made) quietly(() => made.dispose());
  }

  /** Its body in the world is one of those that handlers know. */
  private announce(): void {
    const { context } = this;
    const body = this.ref.current?.body ?? null;
    if (body === this.body) return;
    this.forget();
    this.body = body;
    if (body === null) return;
    context.bodies.set(body, { api: new RigidBodyApi(context, body), handlers: this.options });
    if (this.object.current) context.objects.set(body, this.object.current);
  }

  private forget(): void {
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
    this.announce();
  }

  /** Puts it where its object was put. */
  teleport(isTurned: boolean): void {
    const { heading } = this;
    this.readObject(point);
    this.ref.current?.teleport(point);
    if (!isTurned) this.heading = this.before = heading;
  }

  /** Feet and heading of the object. */
  private readObject(feet: Vector3): void {
    const object = this.object.current;
    if (!object)
      throw new TalusError(
        'invalid-argument',
        'the character has nothing to be drawn by: give the ref of an object that is there',
      );
    readPlace(object, feet, turn);
    this.heading = this.before = this.angleOf(front.copy(Z).applyQuaternion(turn)) - this.carried;
  }

  /** Of a direction about up, from +z. */
  private angleOf(direction: Vector3): number {
    yaw.copy(this.alongUp).invert();
    direction.applyQuaternion(yaw);
    return Math.atan2(direction.x, direction.z);
  }

  /** Across up, of length 1; false if there is none. */
  private level(direction: Vector3): boolean {
    vectorOf(this.desc.up ?? [0, 1, 0], up).normalize();
    direction.addScaledVector(up, -direction.dot(up));
    const length = direction.length();
    if (length < 1e-6) return false;
    direction.divideScalar(length);
    return true;
  }

  /** Writes where `forward` goes. */
  private readAhead(out: Vector3): Vector3 {
    const { ahead = 'camera' } = this.options.current;
    if (ahead !== 'camera') {
      if (this.level(vectorOf(ahead, out))) return out;
      throw new TalusError('invalid-argument', `ahead of a character must be 'camera' or a direction that is not along up`);
    }
    const camera = this.camera();
    // Straight down, its upper edge is ahead.
    if (!this.level(camera.getWorldDirection(out))) this.level(out.setFromMatrixColumn(camera.matrixWorld, 1));
    return out;
  }

  /** What the input asks for, before a step. */
  private steer(): void {
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

  /** Whether the input asks for something: frames on demand come then. */
  private isAsked(): boolean {
    const { input } = this.options.current;
    if (input === undefined || !this.ref.current?.enabled) return false;
    const now = readInput(input);
    const [right, ahead] = readMove(now, true);
    return right !== 0 || ahead !== 0 || down(now.jump, 'jump') > 0.5;
  }

  private isTurning(): boolean {
    return Math.abs(this.heading - this.before) > 1e-4;
  }

  /** After a step: a shape that waits, and the turn to where it goes. */
  private follow(dt: number): void {
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

  /** Writes where it goes: as the input asks, or as it moves over the ground; false if it stands. */
  private readMotion(out: Vector3): boolean {
    if (this.options.current.input !== undefined) return this.level(out.copy(this.wish));
    const { current } = this.ref;
    out.fromArray(current!.velocity).sub(current!.getGroundVelocity(drawn));
    vectorOf(this.desc.up ?? [0, 1, 0], up).normalize();
    return out.addScaledVector(up, -out.dot(up)).length() > STILL && this.level(out);
  }

  /** Where it is in this picture. */
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
    const leave = walker.join();
    return () => {
      leave();
      walker.drop();
    };
  }, [walker]);
  useLayoutEffect(() => walker.make(desc, latest.current.shape ?? CAPSULE), [walker, desc, latest]);
  useLayoutEffect(() => walker.setShape(shape), [walker, shape]);
  useLayoutEffect(() => {
    if (walker.ref.current) walker.ref.current.enabled = enabled;
  }, [walker, enabled]);
  useLayoutEffect(() => context.listen(latest.current));
  return { walker, desc };
}

/**
 * Makes a character that begins at an object and is drawn by it; the ref has the `Character` of talus/controllers. It goes with the
 * component. `<Character>` is this with a group of its own.
 */
export function useCharacter(object: RefObject<Object3D | null>, options: CharacterOptions = {}): RefObject<CharacterApi | null> {
  return useWalker(object, options).walker.ref;
}

export interface CharacterProps
  extends CharacterOptions,
    Pick<GroupProps, 'position' | 'rotation' | 'quaternion' | 'visible' | 'name' | 'userData'> {
  /** The `Character` of talus/controllers: `walk`, `velocity`, `grounded`, `teleport`, ... */
  ref?: Ref<CharacterApi>;
  /** Drawn with its origin at the feet, its front along +z. */
  children?: ReactNode;
}

/**
 * Somebody who walks. Position (of the feet) and rotation are where they begin; when they change they are put there. Everything else can
 * change at any time.
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
