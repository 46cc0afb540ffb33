// Warns who sets the pose of an object that its body moves: the next `sync` writes over it, and nothing seems to happen. A part of the
// objects is looked at in each frame, in turn, so that ten thousand of them cost no more than a few dozen.
import type { Object3D } from 'three';
import type { ObjectBinding, ObjectPoses } from './bindings';

/** Most objects of a look. */
const PART = 64;

declare const process: { env: { NODE_ENV?: string } };

/** Bundlers put the name of the build in its place; where there is no `process`, as in a page without a bundler, it is development. */
function isProduction(): boolean {
  try {
    return process.env.NODE_ENV === 'production';
  } catch {
    return false;
  }
}

/** Takes a warning. */
export type ThreeWarningListener = (message: string) => void;

/** What is told of the poses of objects, or null: nothing. */
export function openMoved(poses: ObjectPoses, warn: boolean | ThreeWarningListener | undefined): MovedObjects | null {
  if (warn === false || (warn === undefined && isProduction())) return null;
  return new MovedObjects(poses, typeof warn === 'function' ? warn : (message) => console.warn(`talus: ${message}`));
}

type Pose = readonly [x: number, y: number, z: number, qx: number, qy: number, qz: number, qw: number];

function poseOf({ position: p, quaternion: q }: Object3D): Pose {
  return [p.x, p.y, p.z, q.x, q.y, q.z, q.w];
}

function isSame({ position: p, quaternion: q }: Object3D, [x, y, z, qx, qy, qz, qw]: Pose): boolean {
  return p.x === x && p.y === y && p.z === z && q.x === qx && q.y === qy && q.z === qz && q.w === qw;
}

/** Squares of the distance and of the difference of the rotations, q and -q being one. */
function apart(a: Pose, b: Pose): number {
  const sum = (from: number, to: number, sign: number) => {
    let all = 0;
    for (let k = from; k < to; k++) all += (a[k]! - sign * b[k]!) ** 2;
    return all;
  };
  return sum(0, 3, 1) + Math.min(sum(3, 7, 1), sum(3, 7, -1));
}

export class MovedObjects {
  private seen: { binding: ObjectBinding; parent: Object3D | null; written: Pose }[] = [];
  /** Objects that somebody has set, and to what. */
  private suspects: { object: Object3D; written: Pose; set: Pose }[] = [];
  private readonly told = new Set<string>();
  private next = 0;

  constructor(
    private readonly poses: ObjectPoses,
    private readonly listener: ThreeWarningListener,
  ) {}

  /** Before objects are written: which are not where they were written the last time. */
  before(): void {
    for (const { binding, parent, written } of this.seen) {
      const { object } = binding;
      // Another parent has other coordinates for the same place.
      if (object.parent !== parent || !this.poses.has(binding) || isSame(object, written)) continue;
      this.suspects.push({ object, written, set: poseOf(object) });
    }
  }

  /** After objects were written: tells of those, and notes the poses of the next part. */
  after(): void {
    for (const { object, written, set } of this.suspects) {
      // Who puts the body there too may do so.
      if (apart(poseOf(object), set) > 0.25 * apart(written, set)) this.tell(object);
    }
    this.suspects = [];
    this.seen = [];
    const { count } = this.poses;
    for (let i = 0; i < Math.min(count, PART); i++) {
      const binding = this.poses.member((this.next + i) % count);
      if (binding.isBone || !this.poses.isThere(binding)) continue;
      this.seen.push({ binding, parent: binding.object.parent, written: poseOf(binding.object) });
    }
    this.next = count > 0 ? (this.next + PART) % count : 0;
  }

  private tell(object: Object3D): void {
    const name = object.name || object.type;
    if (this.told.has(name)) return;
    this.told.add(name);
    this.listener(
      `the position or rotation of the object '${name}' was set, and its body has put it back: a bound object goes where its body goes. ` +
        'Move the body, world.teleport(body, position, rotation), or let the object lead, add(object, { follow: true }) ' +
        '(told once a name; new ThreePhysics(world, { warn: false }) for silence)',
    );
  }
}
