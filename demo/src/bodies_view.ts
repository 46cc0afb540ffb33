// Draws all bodies of a world with a handful of draw calls: one instanced mesh for each round or flat kind of shape, and one
// merged mesh each for hulls and surfaces. Poses and colors are read by the vertex shader (drawing.ts).
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  SphereGeometry,
} from 'three';
import { convexHull } from '../../src/shapes/hull';
import type { ShapeDesc } from '../../src/shapes/shape';
import { type BodyStore, type Finish, OPACITY } from './drawing';

/** One shape of a body as it is drawn. */
export interface Part {
  shape: ShapeDesc;
  /** In the frame of the body, m. */
  position: readonly [number, number, number];
  rotation: readonly [number, number, number, number];
  /** Drawn as glass (the walls of a pen) or as water. */
  finish?: Finish;
  /** Factor of the color of the body, or, if negative, a gray of its own (linear, 0 to 1); 1 if left out. */
  tone?: number;
}

type InstancedKind = 'box' | 'sphere' | 'capsule' | 'cylinder' | 'cone' | Finish;
type MergedKind = 'hull' | 'surface';
type Kind = InstancedKind | MergedKind;

const INSTANCED: readonly InstancedKind[] = ['box', 'sphere', 'capsule', 'cylinder', 'cone', 'glass', 'water'];

function unitGeometry(kind: InstancedKind, fine: boolean): BufferGeometry {
  const around = fine ? 24 : 14;
  switch (kind) {
    case 'box':
    case 'glass':
    case 'water':
      return new BoxGeometry(2, 2, 2);
    case 'sphere':
      return new SphereGeometry(1, around, around / 2 + 2);
    case 'capsule':
      return new CapsuleGeometry(1, 2, fine ? 8 : 5, around);
    case 'cylinder':
      return new CylinderGeometry(1, 1, 2, around);
    case 'cone':
      return new ConeGeometry(1, 2, around);
  }
}

/** Scale x y z, and what is added to y on either side of the middle (capsules keep their caps round). */
function sizeOf(shape: ShapeDesc): readonly [number, number, number, number] {
  switch (shape.type) {
    case 'box': {
      const half = shape.halfExtents as ArrayLike<number>;
      return [half[0]!, half[1]!, half[2]!, 0];
    }
    case 'sphere':
      return [shape.radius, shape.radius, shape.radius, 0];
    case 'capsule':
      return [shape.radius, shape.radius, shape.radius, shape.halfHeight - shape.radius];
    case 'cylinder':
    case 'cone':
      return [shape.radius, shape.halfHeight, shape.radius, 0];
    default:
      return [1, 1, 1, 0];
  }
}

function kindOf(part: Part): Kind {
  if (part.finish && part.shape.type === 'box') return part.finish;
  if (part.shape.type === 'mesh' || part.shape.type === 'heightfield' || part.shape.type === 'plane') return 'surface';
  return part.shape.type;
}

/** Corners of flat triangles of a shape in its own frame. */
function trianglesOf(shape: ShapeDesc): Float32Array {
  const corners: number[] = [];
  if (shape.type === 'hull') {
    const hull = convexHull(shape.points, shape.maxVertices === undefined ? {} : { maxVertices: shape.maxVertices });
    for (const face of hull.faces) {
      for (let i = 2; i < face.length; i++) {
        for (const v of [face[0]!, face[i - 1]!, face[i]!]) corners.push(...hull.vertices.subarray(3 * v, 3 * v + 3));
      }
    }
  } else if (shape.type === 'mesh') {
    for (let i = 0; i < shape.indices.length; i++) {
      const v = 3 * shape.indices[i]!;
      corners.push(shape.positions[v]!, shape.positions[v + 1]!, shape.positions[v + 2]!);
    }
  } else if (shape.type === 'heightfield') {
    const { nx, nz, heights } = shape;
    const [dx, dz] = typeof shape.spacing === 'number' ? [shape.spacing, shape.spacing] : [shape.spacing[0]!, shape.spacing[1]!];
    const o = (shape.origin ?? [0, 0, 0]) as ArrayLike<number>;
    const corner = (x: number, z: number) => corners.push(o[0]! + x * dx, o[1]! + heights[x + nx * z]!, o[2]! + z * dz);
    for (let z = 0; z + 1 < nz; z++) {
      for (let x = 0; x + 1 < nx; x++) {
        for (const [i, k] of [
          [0, 0],
          [0, 1],
          [1, 1],
          [0, 0],
          [1, 1],
          [1, 0],
        ] as const)
          corner(x + i, z + k);
      }
    }
  }
  return Float32Array.from(corners);
}

/** About how far a body reaches from its middle, m. */
function radiusOf(parts: readonly Part[]): number {
  let most = 0.01;
  for (const { shape, position } of parts) {
    let own = 0;
    if (shape.type === 'hull') {
      const { points } = shape;
      for (let i = 0; i < points.length; i++) own = Math.max(own, Math.abs(points[i]!));
    } else {
      const [x, y, z, more] = sizeOf(shape);
      // Whichever way it lies: the mean of the two longest half extents.
      const halves = [x, y + Math.max(more, 0), z].sort((a, b) => b - a);
      own = (halves[0]! + halves[1]!) / 2;
    }
    most = Math.max(most, Math.hypot(position[0], position[2]) + own);
  }
  return most;
}

const cache = new WeakMap<ShapeDesc, { corners: Float32Array; normals: Float32Array }>();

/** Triangles with flat normals (smooth enough for terrain at its triangle size), once a shape. */
function cooked(shape: ShapeDesc): { corners: Float32Array; normals: Float32Array } {
  let found = cache.get(shape);
  if (!found) {
    const geometry = new BufferGeometry();
    const corners = trianglesOf(shape);
    geometry.setAttribute('position', new BufferAttribute(corners, 3));
    geometry.computeVertexNormals();
    found = { corners, normals: geometry.getAttribute('normal').array as Float32Array };
    cache.set(shape, found);
  }
  return found;
}

function rotate(
  q: readonly number[],
  v: Float32Array,
  at: number,
  out: Float32Array,
  to: number,
  shift: readonly number[],
): void {
  const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
  const [a, b, c] = [v[at]!, v[at + 1]!, v[at + 2]!];
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  out[to] = a + w * tx + y * tz - z * ty + shift[0]!;
  out[to + 1] = b + w * ty + z * tx - x * tz + shift[1]!;
  out[to + 2] = c + w * tz + x * ty - y * tx + shift[2]!;
}

const NOWHERE = [0, 0, 0];

/** Level ground below bodies. */
interface Ground {
  height: number;
  moves(slot: number): boolean;
  /** Position of the body in a slot, world, m. */
  at(slot: number): ArrayLike<number>;
}

/** Of a spot's radius: bodies higher than this have none (body_shader.ts, body_nodes.ts). */
const SPOT_REACH = 3.5;

/** How dark each spot is, 0 to 1, so that many which overlap are no darker than one: by the area of spots per area of ground around it. */
function sharesOf(spots: { x: number; z: number; height: number; radius: number }[]): number[] {
  const size = 2 * Math.max(...spots.map(({ radius }) => radius), 0.01);
  const cell = (value: number) => Math.floor(value / size);
  const areas = new Map<string, number>();
  for (const { x, z, height, radius } of spots) {
    if (height > SPOT_REACH * radius) continue;
    const key = `${cell(x)} ${cell(z)}`;
    areas.set(key, (areas.get(key) ?? 0) + Math.PI * radius * radius);
  }
  return spots.map(({ x, z }) => {
    let crowd = 0;
    for (let i = -1; i <= 1; i++)
      for (let k = -1; k <= 1; k++) crowd = Math.max(crowd, (areas.get(`${cell(x) + i} ${cell(z) + k}`) ?? 0) / (size * size));
    return 1 / Math.max(1, crowd);
  });
}

export class BodiesView {
  readonly group = new Group();
  private readonly bodies = new Map<number, readonly Part[]>();
  private readonly meshes = new Map<Kind, Mesh>();
  private readonly dirty = new Set<Kind>();

  /** Spots below moving bodies, where there are no shadows. */
  private blobs: Mesh | null = null;
  private areBlobsOld = true;

  /**
   * @param ground where spots may lie: its height, m, which slots have moving bodies, and where these are
   */
  constructor(
    readonly store: BodyStore,
    private readonly ground: Ground | null = null,
  ) {}

  /** Shows spots below bodies, or hides them. */
  showBlobs(on: boolean): void {
    if (this.blobs) this.blobs.visible = on;
    if (!on || !this.ground) return;
    if (!this.blobs) {
      this.blobs = new Mesh(new BufferGeometry(), this.store.blobMaterial(this.ground.height));
      this.blobs.frustumCulled = false;
      this.blobs.renderOrder = 0.5;
      this.group.add(this.blobs);
    }
    if (this.areBlobsOld) this.refreshBlobs(this.blobs, this.ground);
  }

  private refreshBlobs(mesh: Mesh, ground: Ground): void {
    this.areBlobsOld = false;
    const list = [...this.bodies].filter(([slot, parts]) => parts.length > 0 && ground.moves(slot));
    mesh.geometry.dispose();
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.of(-1, 0, -1, -1, 0, 1, 1, 0, 1, 1, 0, -1), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const slots = new Float32Array(2 * list.length);
    const sizes = new Float32Array(4 * list.length);
    const spots = list.map(([slot, parts]) => {
      const [x, y, z] = ground.at(slot) as unknown as [number, number, number];
      return { x, z, height: y - ground.height, radius: 1.5 * radiusOf(parts) };
    });
    const shares = sharesOf(spots);
    list.forEach(([slot], i) => {
      slots[2 * i] = slot;
      sizes[4 * i] = spots[i]!.radius;
      sizes[4 * i + 1] = shares[i]!;
    });
    geometry.setAttribute('slot', new InstancedBufferAttribute(slots, 2));
    geometry.setAttribute('size', new InstancedBufferAttribute(sizes, 4));
    geometry.instanceCount = list.length;
    mesh.geometry = geometry;
  }

  /** Says what the body in a slot looks like; an empty list removes it. */
  set(slot: number, parts: readonly Part[]): void {
    for (const part of this.bodies.get(slot) ?? []) this.dirty.add(kindOf(part));
    if (parts.length === 0) this.bodies.delete(slot);
    else this.bodies.set(slot, parts);
    for (const part of parts) this.dirty.add(kindOf(part));
  }

  get slots(): IterableIterator<number> {
    return this.bodies.keys();
  }

  partsOf(slot: number): readonly Part[] {
    return this.bodies.get(slot) ?? [];
  }

  /** Brings the geometry up to date with what was set. */
  refresh(): void {
    for (const kind of this.dirty) {
      const list: [number, Part][] = [];
      for (const [slot, parts] of this.bodies) for (const part of parts) if (kindOf(part) === kind) list.push([slot, part]);
      if (INSTANCED.includes(kind as InstancedKind)) this.refreshInstanced(kind as InstancedKind, list);
      else this.refreshMerged(kind as MergedKind, list);
    }
    this.dirty.clear();
    this.areBlobsOld = true;
    this.showBlobs(this.blobs?.visible === true);
  }

  private meshFor(kind: Kind, instanced: boolean): Mesh {
    let mesh = this.meshes.get(kind);
    if (!mesh) {
      const finish = kind in OPACITY ? (kind as Finish) : null;
      mesh = new Mesh(new BufferGeometry(), this.store.material(instanced, finish));
      const shadow = this.store.shadowMaterial(instanced);
      if (shadow) mesh.customDepthMaterial = shadow;
      mesh.castShadow = !finish;
      mesh.receiveShadow = !finish;
      mesh.frustumCulled = false;
      if (finish) mesh.renderOrder = finish === 'water' ? 1 : 2;
      this.meshes.set(kind, mesh);
      this.group.add(mesh);
    }
    return mesh;
  }

  private refreshInstanced(kind: InstancedKind, list: readonly [number, Part][]): void {
    const mesh = this.meshFor(kind, true);
    mesh.geometry.dispose();
    mesh.visible = list.length > 0;
    if (list.length === 0) return;
    const unit = unitGeometry(kind, list.length < 3000);
    const geometry = new InstancedBufferGeometry();
    geometry.index = unit.index;
    geometry.setAttribute('position', unit.getAttribute('position'));
    geometry.setAttribute('normal', unit.getAttribute('normal'));
    const n = list.length;
    const slots = new Float32Array(2 * n);
    const sizes = new Float32Array(4 * n);
    const positions = new Float32Array(3 * n);
    const rotations = new Float32Array(4 * n);
    list.forEach(([slot, part], i) => {
      slots[2 * i] = slot;
      slots[2 * i + 1] = part.tone ?? 1;
      sizes.set(sizeOf(part.shape), 4 * i);
      positions.set(part.position, 3 * i);
      rotations.set(part.rotation, 4 * i);
    });
    geometry.setAttribute('slot', new InstancedBufferAttribute(slots, 2));
    geometry.setAttribute('size', new InstancedBufferAttribute(sizes, 4));
    geometry.setAttribute('localPosition', new InstancedBufferAttribute(positions, 3));
    geometry.setAttribute('localRotation', new InstancedBufferAttribute(rotations, 4));
    geometry.instanceCount = n;
    mesh.geometry = geometry;
  }

  private refreshMerged(kind: MergedKind, list: readonly [number, Part][]): void {
    const mesh = this.meshFor(kind, false);
    mesh.geometry.dispose();
    mesh.visible = list.length > 0;
    if (list.length === 0) return;
    let total = 0;
    for (const [, part] of list) total += cooked(part.shape).corners.length;
    const positions = new Float32Array(total);
    const normals = new Float32Array(total);
    const slots = new Float32Array((2 * total) / 3);
    let at = 0;
    for (const [slot, part] of list) {
      const { corners, normals: flat } = cooked(part.shape);
      for (let i = 0; i < corners.length; i += 3) {
        rotate(part.rotation, corners, i, positions, at + i, part.position);
        rotate(part.rotation, flat, i, normals, at + i, NOWHERE);
      }
      for (let v = at / 3; v < (at + corners.length) / 3; v++) {
        slots[2 * v] = slot;
        slots[2 * v + 1] = part.tone ?? 1;
      }
      at += corners.length;
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setAttribute('normal', new BufferAttribute(normals, 3));
    geometry.setAttribute('slot', new BufferAttribute(slots, 2));
    mesh.geometry = geometry;
  }

  dispose(): void {
    for (const mesh of this.meshes.values()) {
      mesh.geometry.dispose();
      (mesh.material as { dispose(): void }).dispose();
      mesh.customDepthMaterial?.dispose();
    }
    this.blobs?.geometry.dispose();
    (this.blobs?.material as { dispose(): void } | undefined)?.dispose();
    this.store.dispose();
  }
}
