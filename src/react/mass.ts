// Masses of bodies in the form of Rapier, and in that of the engine.
import { Matrix4, type Quaternion, Vector3 } from 'three';
import type { MassDesc, Quat, Vec3 } from '../index';
import { toQuaternion, toVector } from './vectors';

/** Mass properties as Rapier takes them: inertia along the axes of a frame of its own. */
export interface MassProperties {
  /** Mass, kg. */
  mass: number;
  /** Center of mass in the body frame, m. */
  centerOfMass: Vec3;
  /** Moments of inertia along the axes of the frame, kg m2. */
  principalAngularInertia: Vec3;
  angularInertiaLocalFrame: Quat;
}

/** Props for the mass of a body. */
interface MassProps {
  mass?: number;
  massProperties?: MassProperties | MassDesc;
}

/** Returns the mass that props ask for, as the engine takes it. */
export function askedMass({ mass, massProperties }: MassProps): number | MassDesc | undefined {
  if (massProperties === undefined) return mass;
  if ('inertia' in massProperties) return massProperties;
  const { principalAngularInertia, angularInertiaLocalFrame, centerOfMass } = massProperties;
  return {
    mass: massProperties.mass,
    center: centerOfMass,
    inertia: inertiaOf(principalAngularInertia, toQuaternion(angularInertiaLocalFrame)),
  };
}

/** Returns [xx, yy, zz, xy, xz, yz] of moments along the axes of a frame. */
function inertiaOf(principal: Vec3, frame: Quaternion): number[] {
  const moments = 'x' in principal ? [principal.x, principal.y, principal.z] : Array.from(principal);
  const turn = new Matrix4().makeRotationFromQuaternion(frame);
  const axes = [0, 1, 2].map((k) => new Vector3().setFromMatrixColumn(turn, k).toArray());
  const at = (i: number, j: number) => axes.reduce((sum, axis, k) => sum + moments[k]! * axis[i]! * axis[j]!, 0);
  return [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)];
}

/** Returns the sum of two masses; inertia is about the common center. */
export function sumOf(a: MassDesc, b: MassDesc): MassDesc {
  const mass = a.mass + b.mass;
  const [from, to] = [toVector(a.center), toVector(b.center)];
  const center = from.clone().multiplyScalar(a.mass).addScaledVector(to, b.mass).divideScalar(mass);
  const inertia = [0, 0, 0, 0, 0, 0];
  for (const [part, at] of [
    [a, from],
    [b, to],
  ] as const) {
    const [x, y, z] = at.clone().sub(center).toArray();
    const lever = [y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z];
    for (let k = 0; k < 6; k++) inertia[k]! += part.inertia[k]! + part.mass * lever[k]!;
  }
  return { mass, center: center.toArray(), inertia };
}
