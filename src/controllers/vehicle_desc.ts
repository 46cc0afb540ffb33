// The description of a vehicle, checked, with defaults.

import { checkAngle, checkKeys, checkNumber, fail } from '../checks/validate';
import type { BodyId, QueryHit, Vec3, World } from '../index';
import { direction, vector } from '../rigs/check';
import { cross, dot, scale, sub, unit, type Vector } from '../rigs/turns';

/** The calls of a world that a vehicle uses. */
export type VehicleWorld = Pick<
  World,
  | 'addController'
  | 'addForce'
  | 'addTorque'
  | 'alpha'
  | 'castRay'
  | 'getAngularVelocity'
  | 'getCenterOfMass'
  | 'getGravityScale'
  | 'getLinearVelocity'
  | 'getMass'
  | 'getMassProperties'
  | 'getPose'
  | 'getPosition'
  | 'getRotation'
  | 'getType'
  | 'isAlive'
  | 'settings'
>;

/** Input of the driver. */
export interface Controls {
  /** Throttle, -1 (reverse) to 1. */
  throttle: number;
  /** Brake, 0 to 1, of all wheels with brakes. */
  brake: number;
  /** Handbrake, 0 to 1, of the wheels with `handbrake`. */
  handbrake: number;
  /** Steering, -1 (right) to 1 (left). */
  steering: number;
}

export interface WheelDesc {
  /** Center of the wheel when the vehicle stands on level ground under its own weight (body frame, m). */
  position: Vec3;
  /** Radius, m. */
  radius: number;
  /** How far the wheel can move up from there, m; default half the radius. */
  bump?: number;
  /** How far the wheel can move down from there, m; default half the radius. */
  droop?: number;
  /** Frequency of the suspension spring under the vehicle, Hz; default 1.6. */
  frequency?: number;
  /** Damping ratio of the suspension; default 0.4. */
  dampingRatio?: number;
  /** Grip: largest tire force divided by load; default 1. */
  friction?: number;
  /** Share of the grip that is left while the tire slides, 0 to 1; default 0.8. */
  slidingGrip?: number;
  /** Mass of wheel and tire, kg, for its spin; default 15. */
  mass?: number;
  /** Share of the steering angle: 1 or true follows it, -1 turns against it (rear wheels), 0 or false (default) is fixed. */
  steered?: boolean | number;
  /** Whether the engine drives it; default false. */
  driven?: boolean;
  /** Whether the brake acts on it; default true. */
  braked?: boolean;
  /** Whether the handbrake acts on it; default false. */
  handbrake?: boolean;
}

export interface DriveDesc {
  /** Torque of all driven wheels together at standstill, N m; falls to 0 at the top speed. */
  torque: number;
  /** Top speed, m/s; default 50. */
  topSpeed?: number;
  /** Top speed in reverse, m/s; default a quarter of the top speed. */
  reverseSpeed?: number;
  /** Torque against the motion without throttle, of all driven wheels together, N m; default a tenth of `torque`. */
  engineBrake?: number;
}

export interface VehicleDesc {
  /** The body of the vehicle; dynamic. */
  body: BodyId;
  /** Its wheels, 1 to 32. */
  wheels: readonly WheelDesc[];
  drive?: DriveDesc;
  /** Forward direction (body frame); default 0 0 1. */
  forward?: Vec3;
  /** Up direction (body frame), perpendicular to forward; default 0 1 0. */
  up?: Vec3;
  /** Largest steering angle, rad, 0 to 1.5; default 0.6. */
  steering?: number;
  /** Torque of the brake on each wheel, N m; default 1500. */
  brakeTorque?: number;
  /** Torque of the handbrake on each wheel that has one, N m; default 3000. */
  handbrakeTorque?: number;
  /** Rolling resistance of the tires: force divided by load; default 0.012. */
  rollingResistance?: number;
  /** Categories of the ground, 32 bits; default all. */
  mask?: number;
  /** Returns a factor on the grip of a wheel for the ground it stands on, such as ice or mud; default 1. */
  grip?: (hit: QueryHit) => number;
}

/** A wheel with all its settings; flags have become shares. */
export interface WheelSettings {
  position: Vector;
  radius: number;
  bump: number;
  droop: number;
  frequency: number;
  dampingRatio: number;
  friction: number;
  slidingGrip: number;
  mass: number;
  steered: number;
  /** Share of the engine's torque. */
  driven: number;
  braked: number;
  handbrake: number;
}

const WHEEL_KEYS = ['position', 'radius', 'bump', 'droop', 'frequency', 'dampingRatio', 'friction', 'slidingGrip', 'mass'];
const FLAGS = ['steered', 'driven', 'braked', 'handbrake'];
const VEHICLE_KEYS = [
  ...['body', 'wheels', 'drive', 'forward', 'up', 'steering', 'brakeTorque', 'handbrakeTorque', 'rollingResistance'],
  ...['mask', 'grip'],
];

const either = (value: unknown, fallback: number, name: string, min: number, max: number) =>
  value === undefined ? fallback : checkNumber(value, name, min, max);

function flag(value: unknown, fallback: boolean, name: string): number {
  if (value === undefined) return fallback ? 1 : 0;
  if (typeof value !== 'boolean') fail(name, 'true or false', value);
  return value ? 1 : 0;
}

function checkWheel(desc: WheelDesc, name: string): WheelSettings {
  checkKeys(desc, name, [...WHEEL_KEYS, ...FLAGS]);
  const radius = checkNumber(desc.radius, `${name}.radius`, 0.01, 100);
  const steered = desc.steered;
  return {
    position: vector(desc.position, `${name}.position`),
    radius,
    bump: either(desc.bump, radius / 2, `${name}.bump`, 0, 100),
    droop: either(desc.droop, radius / 2, `${name}.droop`, 0, 100),
    frequency: either(desc.frequency, 1.6, `${name}.frequency`, 0.1, 20),
    dampingRatio: either(desc.dampingRatio, 0.4, `${name}.dampingRatio`, 0, 10),
    friction: either(desc.friction, 1, `${name}.friction`, 0, 100),
    slidingGrip: either(desc.slidingGrip, 0.8, `${name}.slidingGrip`, 0, 1),
    mass: either(desc.mass, 15, `${name}.mass`, 1e-3, 1e5),
    steered: typeof steered === 'boolean' ? Number(steered) : either(steered, 0, `${name}.steered`, -1, 1),
    driven: flag(desc.driven, false, `${name}.driven`),
    braked: flag(desc.braked, true, `${name}.braked`),
    handbrake: flag(desc.handbrake, false, `${name}.handbrake`),
  };
}

function checkDrive(desc: DriveDesc | undefined) {
  if (desc === undefined) return { torque: 0, topSpeed: 1, reverseSpeed: 1, engineBrake: 0 };
  checkKeys(desc, 'vehicle.drive', ['torque', 'topSpeed', 'reverseSpeed', 'engineBrake']);
  const torque = checkNumber(desc.torque, 'vehicle.drive.torque', 0, 1e8);
  const topSpeed = either(desc.topSpeed, 50, 'vehicle.drive.topSpeed', 0.1, 1000);
  return {
    torque,
    topSpeed,
    reverseSpeed: either(desc.reverseSpeed, topSpeed / 4, 'vehicle.drive.reverseSpeed', 0.1, 1000),
    engineBrake: either(desc.engineBrake, torque / 10, 'vehicle.drive.engineBrake', 0, 1e8),
  };
}

/**
 * Checks a description and fills in defaults.
 * @throws TalusError `invalid-argument` that names the wrong field
 */
export function checkVehicle(desc: VehicleDesc) {
  checkKeys(desc, 'vehicle', VEHICLE_KEYS);
  if (!Array.isArray(desc.wheels)) fail('vehicle.wheels', 'an array of 1 to 32 wheels', desc.wheels);
  if (desc.wheels.length < 1 || desc.wheels.length > 32)
    fail('vehicle.wheels', 'an array of 1 to 32 wheels', `one of ${desc.wheels.length}`);
  const wheels = desc.wheels.map((wheel, i) => checkWheel(wheel, `vehicle.wheels[${i}]`));
  const drive = checkDrive(desc.drive);
  const driven = wheels.reduce((sum, wheel) => sum + wheel.driven, 0);
  if (drive.torque > 0 && driven === 0) fail('vehicle.wheels', 'an array with at least one driven wheel', 'none');
  for (const wheel of wheels) wheel.driven /= Math.max(driven, 1);
  const up = direction(desc.up ?? [0, 1, 0], 'vehicle.up');
  const ahead = direction(desc.forward ?? [0, 0, 1], 'vehicle.forward');
  const level = sub(ahead, scale(up, dot(ahead, up)));
  if (Math.hypot(...level) < 0.1) fail('vehicle.forward', 'perpendicular to vehicle.up', 'a direction along it');
  const forward = unit(level, ahead);
  if (desc.grip !== undefined && typeof desc.grip !== 'function') fail('vehicle.grip', 'a function', desc.grip);
  return {
    wheels,
    drive,
    up,
    forward,
    left: cross(up, forward),
    steering: desc.steering === undefined ? 0.6 : checkAngle(desc.steering, 'vehicle.steering', 0, 1.5),
    brakeTorque: either(desc.brakeTorque, 1500, 'vehicle.brakeTorque', 0, 1e8),
    handbrakeTorque: either(desc.handbrakeTorque, 3000, 'vehicle.handbrakeTorque', 0, 1e8),
    rollingResistance: either(desc.rollingResistance, 0.012, 'vehicle.rollingResistance', 0, 1),
    mask: desc.mask === undefined ? 0xffffffff : checkNumber(desc.mask, 'vehicle.mask', 0, 0xffffffff),
    grip: desc.grip,
  };
}
