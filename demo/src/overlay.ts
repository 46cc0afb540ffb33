// Lines and dots over the bodies: contact points, normals, impulses, bounding boxes, joints, the spring of the hand.
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LineSegments,
  type Material,
  Sphere,
} from 'three';
import type { ContactArrays } from '../../src/study/index';
import type { Drawing } from './drawing';
import type { Simulation } from './simulation';

export interface Shown {
  contacts: boolean;
  normals: boolean;
  impulses: boolean;
  bounds: boolean;
  joints: boolean;
}

const NORMAL_LENGTH = 0.25;
/** Axes of frames and arcs of limits, m. */
const JOINT_SIZE = 0.15;
/** Edges of a box as pairs of corners; bit k of a corner chooses the larger coordinate k. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

/**
 * Positions that grow: of the vertices of an object, or of the instances of its geometry as the attribute `center`; with colors if
 * asked for.
 */
class Cloud {
  private data = new Float32Array(0);
  colors = new Float32Array(0);

  constructor(
    private readonly object: { geometry: BufferGeometry },
    private readonly isColored = false,
  ) {
    // Never culled, so never measured: what lies behind the drawn range is left over.
    this.geometry.boundingSphere = new Sphere();
  }

  private get geometry(): BufferGeometry {
    return this.object.geometry;
  }

  private get isInstanced(): boolean {
    return this.geometry instanceof InstancedBufferGeometry;
  }

  room(floats: number): Float32Array {
    if (this.data.length < floats) {
      this.data = new Float32Array(Math.ceil(1.4 * floats));
      // A geometry anew: the WebGPU renderer goes on with the attributes that it has found in the old one.
      const old = this.geometry;
      this.object.geometry = old.clone();
      this.geometry.boundingSphere = new Sphere();
      old.dispose();
      const attribute = this.isInstanced ? new InstancedBufferAttribute(this.data, 3) : new BufferAttribute(this.data, 3);
      attribute.setUsage(DynamicDrawUsage);
      this.geometry.setAttribute(this.isInstanced ? 'center' : 'position', attribute);
      if (this.isColored) {
        this.colors = new Float32Array(this.data.length);
        this.geometry.setAttribute('color', new BufferAttribute(this.colors, 3).setUsage(DynamicDrawUsage));
      }
    }
    return this.data;
  }

  done(count: number): void {
    const { geometry } = this;
    if (geometry instanceof InstancedBufferGeometry) geometry.instanceCount = count;
    else geometry.setDrawRange(0, count);
    const attribute = geometry.getAttribute(this.isInstanced ? 'center' : 'position');
    if (attribute) attribute.needsUpdate = true;
    if (this.isColored && attribute) geometry.getAttribute('color').needsUpdate = true;
  }
}

export class Overlay {
  readonly group = new Group();
  private readonly objects: Record<keyof Shown | 'spring', LineSegments | ReturnType<Drawing['dots']>>;
  private readonly clouds: Record<keyof Shown | 'spring', Cloud>;
  private arrays: ContactArrays | undefined;

  constructor(drawing: Drawing) {
    const lines = (color?: number) => new LineSegments(new BufferGeometry(), drawing.lines(color));
    const objects = {
      contacts: drawing.dots(0xe4472f, 5),
      normals: lines(0x2f7de4),
      impulses: lines(0xe49a2f),
      bounds: lines(0x3aa76d),
      joints: lines(),
      spring: lines(0xe4472f),
    };
    this.objects = objects;
    const cloud = (name: keyof typeof objects) => new Cloud(objects[name]);
    this.clouds = {
      contacts: cloud('contacts'),
      normals: cloud('normals'),
      impulses: cloud('impulses'),
      bounds: cloud('bounds'),
      joints: new Cloud(objects.joints, true),
      spring: cloud('spring'),
    };
    for (const object of Object.values(objects)) {
      object.frustumCulled = false;
      object.visible = false;
      object.renderOrder = 2;
      this.group.add(object);
    }
  }

  update(simulation: Simulation, shown: Shown): void {
    const { world } = simulation;
    const { objects, clouds } = this;
    for (const key of ['contacts', 'normals', 'impulses', 'bounds', 'joints'] as const) objects[key].visible = shown[key];
    if (shown.contacts || shown.normals || shown.impulses) {
      this.arrays = world.readContacts(this.arrays);
      const { count, points, impulses } = this.arrays;
      if (shown.contacts) {
        clouds.contacts.room(3 * count).set(points.subarray(0, 3 * count));
        clouds.contacts.done(count);
      }
      if (shown.normals) this.arrows(clouds.normals, () => NORMAL_LENGTH);
      if (shown.impulses) {
        // The largest arrow is 1.5 m; lengths go with the root, or the weight of one body would not be seen under a wall.
        let largest = 1e-9;
        for (let i = 0; i < count; i++) largest = Math.max(largest, impulses[i]!);
        this.arrows(clouds.impulses, (i) => 1.5 * Math.sqrt(Math.max(impulses[i]!, 0) / largest));
      }
    }
    if (shown.bounds) this.boxes(world.readBounds());
    if (shown.joints) {
      const { count, positions, colors } = world.readJointLines({ size: JOINT_SIZE });
      clouds.joints.room(3 * count).set(positions.subarray(0, 3 * count));
      clouds.joints.colors.set(colors.subarray(0, 3 * count));
      clouds.joints.done(count);
    }
    const { spring } = simulation;
    objects.spring.visible = spring !== null;
    if (spring) {
      const data = clouds.spring.room(6);
      data.set(spring.from, 0);
      data.set(spring.to, 3);
      clouds.spring.done(2);
    }
  }

  private arrows(cloud: Cloud, length: (i: number) => number): void {
    const { count, points, normals } = this.arrays!;
    const data = cloud.room(6 * count);
    for (let i = 0; i < count; i++) {
      const l = length(i);
      for (let k = 0; k < 3; k++) {
        data[6 * i + k] = points[3 * i + k]!;
        data[6 * i + 3 + k] = points[3 * i + k]! + l * normals[3 * i + k]!;
      }
    }
    cloud.done(2 * count);
  }

  private boxes(bounds: Float32Array): void {
    const count = bounds.length / 6;
    const data = this.clouds.bounds.room(count * EDGES.length * 3);
    let to = 0;
    for (let i = 0; i < count; i++) {
      for (const corner of EDGES) {
        for (let k = 0; k < 3; k++) data[to++] = bounds[6 * i + k + ((corner >> k) & 1 ? 3 : 0)]!;
      }
    }
    this.clouds.bounds.done(count * EDGES.length);
  }

  dispose(): void {
    for (const object of Object.values(this.objects)) {
      object.geometry.dispose();
      (object.material as Material).dispose();
    }
  }
}
