// Lines and dots over the bodies: contact points, normals, impulses, bounding boxes, the spring of the hand.
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  type Material,
  Points,
  PointsMaterial,
  Sphere,
} from 'three';
import type { ContactArrays } from '../../src/index';
import type { Simulation } from './simulation';

export interface Shown {
  contacts: boolean;
  normals: boolean;
  impulses: boolean;
  bounds: boolean;
}

const NORMAL_LENGTH = 0.25;
/** Edges of a box as pairs of corners; bit k of a corner chooses the larger coordinate k. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

/** A buffer of positions that grows. */
class Cloud {
  readonly geometry = new BufferGeometry();
  private data = new Float32Array(0);

  constructor() {
    // Never culled, so never measured: what lies behind the drawn range is left over.
    this.geometry.boundingSphere = new Sphere();
  }

  room(floats: number): Float32Array {
    if (this.data.length < floats) {
      this.data = new Float32Array(Math.ceil(1.4 * floats));
      this.geometry.dispose();
      const attribute = new BufferAttribute(this.data, 3);
      attribute.setUsage(DynamicDrawUsage);
      this.geometry.setAttribute('position', attribute);
    }
    return this.data;
  }

  done(vertices: number): void {
    this.geometry.setDrawRange(0, vertices);
    const attribute = this.geometry.getAttribute('position');
    if (attribute) attribute.needsUpdate = true;
  }
}

export class Overlay {
  readonly group = new Group();
  private readonly clouds = {
    contacts: new Cloud(),
    normals: new Cloud(),
    impulses: new Cloud(),
    bounds: new Cloud(),
    spring: new Cloud(),
  };
  private readonly objects = {
    contacts: new Points(
      this.clouds.contacts.geometry,
      new PointsMaterial({ color: 0xe4472f, size: 5, sizeAttenuation: false, depthTest: false }),
    ),
    normals: this.lines(this.clouds.normals, 0x2f7de4),
    impulses: this.lines(this.clouds.impulses, 0xe49a2f),
    bounds: this.lines(this.clouds.bounds, 0x3aa76d),
    spring: this.lines(this.clouds.spring, 0xe4472f),
  };
  private arrays: ContactArrays | undefined;

  constructor() {
    for (const object of Object.values(this.objects)) {
      object.frustumCulled = false;
      object.visible = false;
      object.renderOrder = 2;
      this.group.add(object);
    }
  }

  private lines(cloud: Cloud, color: number): LineSegments {
    return new LineSegments(cloud.geometry, new LineBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.9 }));
  }

  update(simulation: Simulation, shown: Shown): void {
    const { world } = simulation;
    const { objects, clouds } = this;
    for (const key of ['contacts', 'normals', 'impulses', 'bounds'] as const) objects[key].visible = shown[key];
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
