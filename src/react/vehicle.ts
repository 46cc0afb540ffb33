// <Vehicle> and <Wheel>: a body on wheels and their models. The component drives a Vehicle of talus/controllers: it applies the input
// before each step, and interpolates the wheels between the last two steps in each frame, as the body is.
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

/** Input of a vehicle. `forward` and `backward` brake first while the vehicle rolls the other way. */
export interface VehicleInput extends MoveInput {
  /** The brakes of all wheels that have them. */
  brake?: Key;
  /** The wheels with `handbrake`. */
  handbrake?: Key;
}

/** Options of a vehicle: drive, steering, brakes, input. */
export interface VehicleOptions extends Omit<VehicleDesc, 'body' | 'wheels' | 'mask'> {
  /** Categories that its wheels stand on, 32 bits; default all. */
  wheelMask?: number;
  /** False parks it: it rests on its colliders like any body; default true. */
  enabled?: boolean;
  /** Keys and stick, or a function that returns them. Without it, set `controls` of the ref. */
  input?: InputSource<VehicleInput>;
  /** Steering speed with `input`, in largest steering angles per second; default 4. */
  steerSpeed?: number;
}

/** Above this speed against the drive it brakes, m/s. */
const ROLLING = 0.5;
const UNIT = new Vector3(1, 1, 1);

const [position, scale] = [new Vector3(), new Vector3()];
const [rotation, turn] = [new Quaternion(), new Quaternion()];
const [frame, local] = [new Matrix4(), new Matrix4()];

/** Connects a controller, its input and its wheels. */
class Driver {
  readonly ref: { current: VehicleApi | null } = { current: null };
  /** Wheels of components. */
  readonly wheels = new Set<WheelEntry>();
  /** Wheels of the controller, in its order. */
  private drawn: WheelEntry[] = [];
  /** Requests another controller after a change of wheels. */
  onWheels: () => void = () => undefined;

  constructor(
    private readonly context: TalusContext,
    private readonly options: { current: VehicleOptions },
  ) {}

  /** Subscribes to steps and frames; returns the unsubscribe function. */
  subscribe(): () => void {
    const { world, physics } = this.context;
    const picture = physics.attach({ sync: (alpha) => this.draw(alpha), dispose: () => undefined });
    // Added before the controller, so that the controller's step already has this input.
    const leave = world.addController({ beforeStep: (dt) => this.applyInput(dt) });
    return () => {
      physics.detach(picture);
      quietly(leave);
      this.destroy();
    };
  }

  /** Describes the wheels for the controller, in the order of the scene graph. */
  describe(body: RigidBodyApi): WheelDesc[] {
    const group = this.context.physics.objectOf(body.id)!;
    this.drawn = [];
    group.traverse((object) => {
      for (const wheel of this.wheels) if (wheel.frame.current === object) this.drawn.push(wheel);
    });
    return this.drawn.map((wheel) => wheel.describe(group));
  }

  /** Creates the controller, which continues with the state of the previous one. Without wheels there is none yet. */
  create(body: RigidBodyApi, desc: Omit<VehicleDesc, 'body'>): void {
    if (desc.wheels.length === 0) {
      this.destroy();
      return;
    }
    const old = this.ref.current;
    const state = old?.wheels.length === desc.wheels.length ? old.save() : null;
    this.destroy();
    const made = new VehicleApi(this.context.world, { ...desc, body: body.id });
    if (state) made.load(state);
    else if (old) Object.assign(made.controls, old.controls);
    made.enabled = this.options.current.enabled ?? true;
    this.ref.current = made;
  }

  destroy(): void {
    const made = this.ref.current;
    this.ref.current = null;
    if (made) quietly(() => made.dispose());
  }

  /** Applies the input before a step. */
  private applyInput(dt: number): void {
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

  /** Places the wheels for this frame. */
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

/** A wheel component. */
class WheelEntry {
  /** Rotation of its frame in the body: models of one side may be turned around. */
  readonly turned = new Quaternion();

  constructor(
    /** The group at the wheel's rest position, and the group in it that moves. */
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

/** Options of the controller's constructor, the same object as long as they are equal. */
function useDesc(options: VehicleOptions, latest: { current: VehicleOptions }): Omit<VehicleDesc, 'body' | 'wheels'> {
  const { drive, steering, brakeTorque, handbrakeTorque, rollingResistance, forward, up, wheelMask: mask, grip } = options;
  const given = { drive, steering, brakeTorque, handbrakeTorque, rollingResistance, forward, up, mask, grip: grip !== undefined };
  const stable = useStable(given);
  return useMemo(() => {
    const desc = Object.fromEntries(Object.entries({ ...stable, grip: undefined }).filter(([, value]) => value !== undefined));
    // A stable function: inline functions of each render must not recreate the controller.
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
  useLayoutEffect(() => driver.subscribe(), [driver]);
  useLayoutEffect(() => {
    if (driver.ref.current) driver.ref.current.enabled = enabled;
  }, [driver, enabled]);
  return { driver, desc };
}

/** Creates the controller whenever the body exists, and destroys it with the body; returns the unsubscribe function. */
function watchBody(driver: Driver, body: BodyRef, create: (api: RigidBodyApi) => void): () => void {
  const again = () => {
    if (body.current?.isValid()) create(body.current);
    else driver.destroy();
  };
  again();
  return body.current?.onChange(again) ?? (() => undefined);
}

/**
 * Puts a body of yours on wheels, which you draw by `getWheelPose`. Returns a ref to the `Vehicle` of talus/controllers. The vehicle lives
 * as long as the component. `<Vehicle>` creates the body and draws the wheels, too.
 */
export function useVehicle(
  body: BodyRef,
  options: VehicleOptions & { wheels: readonly WheelDesc[] },
): RefObject<VehicleApi | null> {
  const { driver, desc } = useDriver(options);
  const wheels = useStable(options.wheels);
  // Layout effects create the bodies: by now they exist wherever their components stand in the tree.
  useEffect(() => watchBody(driver, body, (api) => driver.create(api, { ...desc, wheels })), [driver, body, desc, wheels]);
  return driver.ref;
}

export interface VehicleProps extends Omit<RigidBodyProps, 'ref' | 'type' | 'enabled'>, VehicleOptions {
  /** The `Vehicle` of talus/controllers: `controls`, `speed`, `wheels`, ... */
  ref?: Ref<VehicleApi>;
  /** Its body. */
  body?: Ref<RigidBodyApi>;
  /** `Wheel`s, and meshes, which give the body its shapes. Its front is +z. */
  children?: ReactNode;
}

/** A body on wheels. Takes the props of `RigidBody` and of the drive; all can change at any time. */
export function Vehicle(props: VehicleProps): ReactNode {
  const { ref, body, children, drive, steering, brakeTorque, handbrakeTorque, rollingResistance, ...rest } = props;
  const { forward, up, wheelMask, grip, enabled, input, steerSpeed, ...bodyProps } = rest;
  const { driver, desc } = useDriver(props);
  const own = useRef<RigidBodyApi>(null);
  const [version, setVersion] = useState(0);
  useLayoutEffect(() => {
    const end = watchBody(driver, own, (api) => driver.create(api, { ...desc, wheels: driver.describe(api) }));
    driver.onWheels = () => setVersion((old) => old + 1);
    return () => {
      driver.onWheels = () => undefined;
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
  /** The group that steers and turns. */
  ref?: Ref<Group>;
  /** The model: its center at the wheel's center, its axle along x. */
  children?: ReactNode;
}

/** A wheel of the `Vehicle` around it. Its position is the wheel's center while the vehicle stands on level ground. */
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
      driver.onWheels();
    };
  }, [driver, entry]);
  // Does nothing before the vehicle exists.
  useLayoutEffect(() => driver.onWheels(), [driver, entry, stable]);
  const given = { position, rotation, quaternion, visible, name };
  const pose = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return createElement(
    'group',
    { ...pose, ref: at, userData: { [MARK]: true } },
    createElement('group', { ref: object }, children),
  );
}
