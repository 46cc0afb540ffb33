// Warns if code sets the pose of an object that its body moves: the next `sync` overwrites it, and nothing seems to happen. Each
// frame looks at a part of the objects, in turn, so that ten thousand of them cost no more than a few dozen.

import type { Object3D } from 'three';
import { isProduction } from '../checks/production';
import type { ObjectBinding, ObjectPoses } from './bindings';

/** Largest number of objects per look. */
const PART = 64;

/** Receives a warning. */
export type ThreeWarningListener = (message: string) => void;

/** Opens the watch over the poses of objects; null if warnings are off. */
export function openMoved(poses: ObjectPoses, warn: boolean | ThreeWarningListener | undefined): MovedObjects | null {
  if (warn === false || (warn === undefined && isProduction())) return null;
  return new MovedObjects(poses, typeof warn === 'function' ? warn : (message) => console.warn(`talus: ${message}`));
}

/** Numbers per pose: position, rotation. */
const SIZE = 7;

function write({ position: p, quaternion: q }: Object3D, to: Float64Array, at: number): void {
  to[at] = p.x;
  to[at + 1] = p.y;
  to[at + 2] = p.z;
  to[at + 3] = q.x;
  to[at + 4] = q.y;
  to[at + 5] = q.z;
  to[at + 6] = q.w;
}

function isAt({ position: p, quaternion: q }: Object3D, from: Float64Array, at: number): boolean {
  return (
    p.x === from[at] &&
    p.y === from[at + 1] &&
    p.z === from[at + 2] &&
    q.x === from[at + 3] &&
    q.y === from[at + 4] &&
    q.z === from[at + 5] &&
    q.w === from[at + 6]
  );
}

/** Returns the squared distance, and the squared difference of the rotations (q and -q are one rotation). */
function apart(a: Float64Array, b: Float64Array): number {
  const sum = (from: number, to: number, sign: number) => {
    let all = 0;
    for (let k = from; k < to; k++) all += (a[k]! - sign * b[k]!) ** 2;
    return all;
  };
  return sum(0, 3, 1) + Math.min(sum(3, SIZE, 1), sum(3, SIZE, -1));
}

/** An object whose pose somebody has set: its previous and its new pose. */
interface Suspect {
  object: Object3D;
  written: Float64Array;
  set: Float64Array;
}

function poseOf(object: Object3D): Float64Array {
  const pose = new Float64Array(SIZE);
  write(object, pose, 0);
  return pose;
}

export class MovedObjects {
  /** The objects of the last look, with their parents and poses, in arrays that are reused so that a frame leaves no garbage. */
  private readonly seen: ObjectBinding[] = [];
  private readonly parents: (Object3D | null)[] = [];
  private readonly written = new Float64Array(SIZE * PART);
  private count = 0;
  private suspects: Suspect[] = [];
  private readonly told = new Set<string>();
  private next = 0;

  constructor(
    private readonly poses: ObjectPoses,
    private readonly listener: ThreeWarningListener,
  ) {}

  /** Before objects are written: finds objects that moved since they were written last. */
  before(): void {
    const { seen, parents, written } = this;
    for (let i = 0; i < this.count; i++) {
      const { object } = seen[i]!;
      if (isAt(object, written, SIZE * i)) continue;
      // Another parent has other coordinates for the same place.
      if (object.parent !== parents[i] || !this.poses.has(seen[i]!)) continue;
      this.suspects.push({ object, written: written.slice(SIZE * i, SIZE * (i + 1)), set: poseOf(object) });
    }
  }

  /** After objects were written: warns of such objects, and records the poses of the next part. */
  after(): void {
    if (this.suspects.length > 0) {
      for (const { object, written, set } of this.suspects) {
        // Who puts the body there too may do so.
        if (apart(poseOf(object), set) > 0.25 * apart(written, set)) this.tell(object);
      }
      this.suspects = [];
    }
    const { poses, seen } = this;
    const { count } = poses;
    this.count = 0;
    for (let i = Math.min(count, PART); i > 0; i--) {
      if (this.next >= count) this.next = 0;
      const binding = poses.member(this.next++);
      if (binding.isBone || !poses.isThere(binding)) continue;
      seen[this.count] = binding;
      this.parents[this.count] = binding.object.parent;
      write(binding.object, this.written, SIZE * this.count++);
    }
    // Objects that are gone are not held.
    seen.length = this.parents.length = this.count;
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
