// <Vehicle>: a body on wheels, with what is drawn of both. The component feeds a Vehicle of talus/controllers: before each step its
// controls follow the input, and with each picture the wheels are drawn between the last two steps, as the body is.
import type { ThreeElements } from '@react-three/fiber';
import {
  createContext,
  createElement,
  type ReactNode,
  type Ref,
  type RefObject,
  useContext,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Group, Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import { Vehicle as VehicleApi, type VehicleDesc, type WheelDesc } from '../controllers/index';
import { type QueryHit, TalusError } from '../index';
import type { RigidBodyApi } from './apis';
import { type TalusContext, useTalus } from './context';
import { quietly, useLatest, useStable } from './guard';
import { MARK } from './holder';
import { down, type InputSource, type Key, type MoveInput, readInput, readMove } from './input';
import type { BodyRef } from './joints';
import { place, readPlace } from './place';
import { RigidBody, type RigidBodyProps } from './rigid_body';

export type { VehicleApi };

type GroupProps = ThreeElements['group'];

/** What a driver wants. `forward` and `backward` brake first where the vehicle rolls the other way. */
export interface VehicleInput extends MoveInput {
  /** The brakes of all wheels that have them. */
  brake?: Key;
  /** The wheels with `handbrake`. */
  handbrake?: Key;
}

/** How a vehicle drives, and who drives it. */
export interface VehicleOptions extends Omit<VehicleDesc, 'body' | 'wheels' | 'mask'> {
  /** Categories that its wheels stand on, 32 bits; default all. */
  wheelMask?: number;
  /** False parks it: it lies on its colliders like any body; default true. */
  enabled?: boolean;
  /** Keys and stick, or what gives them; without it you set `controls` of the ref. */
  input?: InputSource<VehicleInput>;
  /** With `input`: how fast the wheels turn to where they are steered, of the largest angle per second; default 4. */
  steerSpeed?: number;
}

/** Rolling faster against the drive, it brakes, m/s. */
const ROLLING = 0.5;
const UNIT = new Vector3(1, 1, 1);

const [position, scale] = [new Vector3(), new Vector3()];
const [rotation, turn] = [new Quaternion(), new Quaternion()];
const [frame, local] = [new Matrix4(), new Matrix4()];

/** The vehicle of a component: its controller, what that is told, and its wheels. */
class Driver {
  readonly ref: { current: VehicleApi | null } = { current: null };
  /** Wheels of components. */
  readonly wheels = new Set<WheelEntry>();
  /** Those of the controller, in its order. */
  private drawn: WheelEntry[] = [];
  /** Has the controller made again, once it was made. */
  changed: () => void = () => undefined;

  constructor(
    private readonly context: TalusContext,
    private readonly options: { current: VehicleOptions },
  ) {}

  /** Joins the steps and the pictures of the world. */
  join(): () => void {
    const { world, physics } = this.context;
    const picture = physics.attach({ sync: (alpha) => this.draw(alpha), dispose: () => undefined });
    // Before the controller, which is made later: its controls are those of the step that begins.
    const leave = world.addController({ beforeStep: (dt) => this.steer(dt) });
    return () => {
      physics.detach(picture);
      quietly(leave);
      this.drop();
    };
  }

  /** Wheels of components, as the controller takes them: in the order in which they stand in the body. */
  describe(body: RigidBodyApi): WheelDesc[] {
    const group = this.context.physics.objectOf(body.id)!;
    this.drawn = [];
    group.traverse((object) => {
      for (const wheel of this.wheels) if (wheel.frame.current === object) this.drawn.push(wheel);
    });
    return this.drawn.map((wheel) => wheel.describe(group));
  }

  /** Makes the controller; it goes on as the one before it. Wheels may come later: without any there is none. */
  make(body: RigidBodyApi, desc: Omit<VehicleDesc, 'body'>): void {
    if (desc.wheels.length === 0) {
      this.drop();
      return;
    }
    const old = this.ref.current;
    const state = old?.wheels.length === desc.wheels.length ? old.save() : null;
    this.drop();
    const made = new VehicleApi(this.context.world, { ...desc, body: body.id });
    if (state) made.load(state);
    else if (old) Object.assign(made.controls, old.controls);
    made.enabled = this.options.current.enabled ?? true;
    this.ref.current = made;
  }

  drop(): void {
    const made = this.ref.current;
    this.ref.current = null;
    if (made) quietly(() => made.dispose());
  }

  /** What the input asks for, before a step. */
  private steer(dt: number): void {
    const { input, steerSpeed = 4 } = this.options.current;
    const { current } = this.ref;
    if (input === undefined || !current || !this.context.world.isAlive(current.body)) return;
    if (!(steerSpeed > 0)) throw new TalusError('invalid-argument', 'steerSpeed of a vehicle must be a number above 0');
    const now = readInput(input);
    const [right, ahead] = readMove(now, false);
    const { controls, speed } = current;
    const rollsBack = ahead * speed < 0 && Math.abs(speed) > ROLLING;
    controls.throttle = rollsBack ? 0 : ahead;
    controls.brake = Math.max(down(now.brake, 'brake'), rollsBack ? Math.abs(ahead) : 0);
    controls.handbrake = down(now.handbrake, 'handbrake');
    const most = steerSpeed * dt;
    controls.steering += Math.min(Math.max(-right - controls.steering, -most), most);
  }

  /** Where the wheels are in this picture. */
  private draw(alpha: number | undefined): void {
    const { current } = this.ref;
    if (!current || !this.context.world.isAlive(current.body)) return;
    for (const [i, wheel] of this.drawn.entries()) {
      const object = wheel.object.current;
      if (!object) continue;
      current.getWheelPose(i, position, rotation, alpha ?? this.context.world.alpha);
      place(object, position, rotation.multiply(wheel.turned));
    }
  }
}

/** A wheel of a component. */
class WheelEntry {
  /** How its frame is turned in the body: wheels of the other side may be. */
  readonly turned = new Quaternion();

  constructor(
    /** Where it is at rest, and what turns in there. */
    readonly frame: RefObject<Object3D | null>,
    readonly object: RefObject<Object3D | null>,
    private readonly settings: { current: Omit<WheelDesc, 'position'> },
  ) {}

  describe(body: Object3D): WheelDesc {
    readPlace(body, position, rotation);
    const object = this.frame.current!;
    object.updateWorldMatrix(true, false);
    const at = new Vector3();
    local.multiplyMatrices(frame.compose(position, rotation, UNIT).invert(), object.matrixWorld).decompose(at, turn, scale);
    this.turned.copy(turn);
    return { ...this.settings.current, position: at };
  }
}

const VehicleContext = createContext<Driver | null>(null);

/** What the controller is made of: when it says something else it is made anew, and goes on. */
function useDesc(options: VehicleOptions, latest: { current: VehicleOptions }): Omit<VehicleDesc, 'body' | 'wheels'> {
  const { drive, steering, brakeTorque, handbrakeTorque, rollingResistance, forward, up, wheelMask: mask, grip } = options;
  const given = { drive, steering, brakeTorque, handbrakeTorque, rollingResistance, forward, up, mask, grip: grip !== undefined };
  const stable = useStable(given);
  return useMemo(() => {
    const desc = Object.fromEntries(Object.entries({ ...stable, grip: undefined }).filter(([, value]) => value !== undefined));
    // Another function of each render is the same one to the controller.
    if (stable.grip) desc.grip = ((hit: QueryHit) => latest.current.grip?.(hit) ?? 1) as never;
    return desc as Omit<VehicleDesc, 'body' | 'wheels'>;
  }, [stable, latest]);
}

function useDriver(options: VehicleOptions): { driver: Driver; desc: Omit<VehicleDesc, 'body' | 'wheels'> } {
  const context = useTalus();
  const latest = useLatest(options);
  const desc = useDesc(options, latest);
  const driver = useMemo(() => new Driver(context, latest), [context, latest]);
  const enabled = options.enabled ?? true;
  useLayoutEffect(() => driver.join(), [driver]);
  useLayoutEffect(() => {
    if (driver.ref.current) driver.ref.current.enabled = enabled;
  }, [driver, enabled]);
  return { driver, desc };
}

/** Keeps the controller of a body, as long as that is there; returns what ends that. */
function keep(driver: Driver, body: BodyRef, make: (api: RigidBodyApi) => void): () => void {
  const again = () => {
    if (body.current?.isValid()) make(body.current);
    else driver.drop();
  };
  again();
  return body.current?.onChange(again) ?? (() => undefined);
}

/**
 * Drives a body that is there already, on wheels that you draw yourself by `getWheelPose`; the ref has the `Vehicle` of talus/controllers.
 * It goes with the component. `<Vehicle>` makes the body and draws the wheels, too.
 */
export function useVehicle(
  body: BodyRef,
  options: VehicleOptions & { wheels: readonly WheelDesc[] },
): RefObject<VehicleApi | null> {
  const { driver, desc } = useDriver(options);
  const wheels = useStable(options.wheels);
  // After layout effects, in which bodies are made, wherever their components stand.
  useEffect(() => keep(driver, body, (api) => driver.make(api, { ...desc, wheels })), [driver, body, desc, wheels]);
  return driver.ref;
}

export interface VehicleProps extends Omit<RigidBodyProps, 'ref' | 'type' | 'enabled'>, VehicleOptions {
  /** The `Vehicle` of talus/controllers: `controls`, `speed`, `wheels`, ... */
  ref?: Ref<VehicleApi>;
  /** Its body. */
  body?: Ref<RigidBodyApi>;
  /** Meshes of the body, which give it its shapes, and `Wheel`s. Its front is its +z. */
  children?: ReactNode;
}

/** A body on wheels: all that `RigidBody` takes, and how it drives. All of it can change at any time. */
export function Vehicle(props: VehicleProps): ReactNode {
  const { ref, body, children, drive, steering, brakeTorque, handbrakeTorque, rollingResistance, ...rest } = props;
  const { forward, up, wheelMask, grip, enabled, input, steerSpeed, ...bodyProps } = rest;
  const { driver, desc } = useDriver(props);
  const own = useRef<RigidBodyApi>(null);
  const [version, setVersion] = useState(0);
  useLayoutEffect(() => {
    const end = keep(driver, own, (api) => driver.make(api, { ...desc, wheels: driver.describe(api) }));
    driver.changed = () => setVersion((old) => old + 1);
    return () => {
      driver.changed = () => undefined;
      end();
    };
  }, [driver, desc, version]);
  useImperativeHandle(ref, () => driver.ref.current!, [driver, desc, version]);
  useImperativeHandle(body, () => own.current!, []);
  return createElement(
    VehicleContext.Provider,
    { value: driver },
    createElement(RigidBody, { ...bodyProps, type: 'dynamic', ref: own }, children),
  );
}

export interface WheelProps
  extends Omit<WheelDesc, 'position'>,
    Pick<GroupProps, 'position' | 'rotation' | 'quaternion' | 'visible' | 'name'> {
  /** The group that turns and steers. */
  ref?: Ref<Group>;
  /** Drawn about the wheel's center, with the axle along x. */
  children?: ReactNode;
}

/** A wheel of the `Vehicle` around; its position is where its center is with the vehicle at rest on level ground. */
export function Wheel(props: WheelProps): ReactNode {
  const { ref, children, position, rotation, quaternion, visible, name, ...settings } = props;
  const driver = useContext(VehicleContext);
  if (!driver) throw new TalusError('invalid-argument', '<Wheel> belongs inside of <Vehicle>');
  const at = useRef<Group>(null);
  const object = useRef<Group>(null);
  const latest = useLatest(settings);
  const stable = useStable({ ...settings, position, rotation, quaternion });
  const entry = useMemo(() => new WheelEntry(at, object, latest), [latest]);
  useImperativeHandle(ref, () => object.current!, []);
  useLayoutEffect(() => {
    driver.wheels.add(entry);
    return () => {
      driver.wheels.delete(entry);
      driver.changed();
    };
  }, [driver, entry]);
  // Before its vehicle is made this does nothing.
  useLayoutEffect(() => driver.changed(), [driver, entry, stable]);
  const given = { position, rotation, quaternion, visible, name };
  const pose = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return createElement(
    'group',
    { ...pose, ref: at, userData: { [MARK]: true } },
    createElement('group', { ref: object }, children),
  );
}
