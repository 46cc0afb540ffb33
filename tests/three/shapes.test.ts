// Shapes from geometries: what is recognized, scaled, moved and turned; fields and meshes against the triangles of three.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  PlaneGeometry,
  Raycaster,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import { expect, test } from 'vitest';
import { createWorld, type ShapeDesc } from '../../src/index';
import { type ShapeKind, type ShapePart, shapesFromGeometry } from '../../src/three/index';
import { seeded } from '../helpers/random';

const one = (parts: ShapePart[]): ShapePart => {
  expect(parts).toHaveLength(1);
  return parts[0]!;
};
const shapeOf = (geometry: BufferGeometry, scale?: Vector3, shape: ShapeKind = 'auto') =>
  one(shapesFromGeometry(geometry, { shape }, scale)).shape;

function expectShape(shape: ShapeDesc, expected: ShapeDesc): void {
  expect(shape.type).toBe(expected.type);
  for (const [key, value] of Object.entries(expected)) {
    if (typeof value === 'number') expect((shape as unknown as Record<string, number>)[key]).toBeCloseTo(value, 5);
    else if (Array.isArray(value)) {
      for (const [k, x] of value.entries()) expect((shape as unknown as Record<string, number[]>)[key]![k]).toBeCloseTo(x, 5);
    }
  }
}

test('classes of three become shapes', () => {
  expectShape(shapeOf(new BoxGeometry(1, 2, 3, 2, 3, 4)), { type: 'box', halfExtents: [0.5, 1, 1.5] });
  expectShape(shapeOf(new SphereGeometry(0.7, 7, 5)), { type: 'sphere', radius: 0.7 });
  expectShape(shapeOf(new IcosahedronGeometry(0.7, 3)), { type: 'sphere', radius: 0.7 });
  expectShape(shapeOf(new CapsuleGeometry(0.3, 1, 4, 7)), { type: 'capsule', radius: 0.3, halfHeight: 0.5 });
  expectShape(shapeOf(new CylinderGeometry(0.4, 0.4, 2, 5)), { type: 'cylinder', radius: 0.4, halfHeight: 1 });
  expectShape(shapeOf(new ConeGeometry(0.4, 2, 5, 3)), { type: 'cone', radius: 0.4, halfHeight: 1 });
  expectShape(shapeOf(new CylinderGeometry(0, 0.4, 2, 9)), { type: 'cone', radius: 0.4, halfHeight: 1 });
});

test('what only looks like it becomes a hull', () => {
  for (const geometry of [
    new BoxGeometry(1, 1, 1).rotateZ(0.3),
    new BoxGeometry(1, 1, 1).rotateY(Math.PI / 4),
    new SphereGeometry(1, 8, 6, 0, Math.PI),
    new SphereGeometry(1, 8, 6, 0, 2 * Math.PI, 0, 1.2),
    new CylinderGeometry(0.2, 0.4, 1, 8),
    new CylinderGeometry(0.4, 0.4, 1, 8).rotateX(0.4),
    new TorusGeometry(1, 0.3, 6, 12),
    new IcosahedronGeometry(1, 0),
  ])
    expect(shapeOf(geometry).type, geometry.type).toBe('hull');
});

test('scale counts: even and uneven, mirrored', () => {
  expectShape(shapeOf(new BoxGeometry(1, 1, 1), new Vector3(2, -3, 4)), { type: 'box', halfExtents: [1, 1.5, 2] });
  expectShape(shapeOf(new SphereGeometry(1), new Vector3(2, 2, 2)), { type: 'sphere', radius: 2 });
  expect(shapeOf(new SphereGeometry(1), new Vector3(2, 1, 2)).type).toBe('hull');
  expectShape(shapeOf(new CylinderGeometry(1, 1, 1, 12), new Vector3(2, 5, 2)), { type: 'cylinder', radius: 2, halfHeight: 2.5 });
  expect(shapeOf(new CylinderGeometry(1, 1, 1, 12), new Vector3(2, 5, 1)).type).toBe('hull');
  expect(shapeOf(new CapsuleGeometry(1, 1), new Vector3(1, 2, 1)).type).toBe('hull');
});

test('geometry that was moved or turned by quarters keeps its shape, with the offset', () => {
  const box = one(shapesFromGeometry(new BoxGeometry(1, 2, 3).translate(1, 2, 3)));
  expectShape(box.shape, { type: 'box', halfExtents: [0.5, 1, 1.5] });
  expect(box.position.distanceTo(new Vector3(1, 2, 3))).toBeLessThan(1e-6);
  const wheel = one(shapesFromGeometry(new CylinderGeometry(0.4, 0.4, 0.2, 16).rotateZ(Math.PI / 2).translate(0, 0, 5)));
  expectShape(wheel.shape, { type: 'cylinder', radius: 0.4, halfHeight: 0.1 });
  expect(Math.abs(new Vector3(0, 1, 0).applyQuaternion(wheel.rotation).x)).toBeCloseTo(1, 6);
  expect(wheel.position.z).toBeCloseTo(5, 5);
  const spike = one(shapesFromGeometry(new ConeGeometry(0.3, 1, 12).rotateX(-Math.PI / 2)));
  expectShape(spike.shape, { type: 'cone', radius: 0.3, halfHeight: 0.5 });
  expect(new Vector3(0, 1, 0).applyQuaternion(spike.rotation).z).toBeCloseTo(-1, 6); // apex
  const ball = one(shapesFromGeometry(new SphereGeometry(1, 9, 9).translate(0, 4, 0)));
  expect(ball.position.y).toBeCloseTo(4, 5);
});

test('any geometry can be taken as any shape', () => {
  const torus = new TorusGeometry(1, 0.25, 8, 24);
  expectShape(shapeOf(torus, undefined, 'box'), { type: 'box', halfExtents: [1.25, 1.25, 0.25] });
  expectShape(shapeOf(torus, undefined, 'sphere'), { type: 'sphere', radius: 1.25 });
  expectShape(shapeOf(new BoxGeometry(1, 1, 4), undefined, 'capsule'), { type: 'capsule', radius: 0.5, halfHeight: 1.5 });
  expectShape(shapeOf(torus, undefined, 'cylinder'), { type: 'cylinder', radius: 1.25, halfHeight: 1.25 });
  expect(shapeOf(torus, undefined, 'mesh').type).toBe('mesh');
  expect(shapesFromGeometry(torus, {}, undefined, 'static')[0]!.shape.type).toBe('mesh');
  expect(shapeOf(new PlaneGeometry(4, 6)).type).toBe('box'); // flat, and moves
  const own = { type: 'sphere', radius: 3 } as const;
  expect(shapesFromGeometry(torus, { shape: own })[0]!.shape).toBe(own);
});

test('indices, interleaved and quantized points, draw ranges', () => {
  const corners = [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2];
  const interleaved = new BufferGeometry();
  const data = new Float32Array(4 * 6);
  for (let i = 0; i < 4; i++) data.set(corners.slice(3 * i, 3 * i + 3), 6 * i + 1);
  interleaved.setAttribute('position', new InterleavedBufferAttribute(new InterleavedBuffer(data, 6), 3, 1));
  interleaved.setIndex([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
  expect(Array.from((shapeOf(interleaved, undefined, 'hull') as { points: ArrayLike<number> }).points).sort()).toEqual(
    corners.sort(),
  );
  const quantized = new BufferGeometry();
  const bytes = Int8Array.from([0, 0, 0, 127, 0, 0, 0, 127, 0, 0, 0, 127]);
  quantized.setAttribute('position', new BufferAttribute(bytes, 3, true));
  quantized.setIndex([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
  expectShape(shapeOf(quantized, new Vector3(3, 3, 3), 'box'), { type: 'box', halfExtents: [1.5, 1.5, 1.5] });
  const part = new BoxGeometry(1, 1, 1).toNonIndexed();
  part.setDrawRange(0, 6); // the face +x
  const mesh = shapeOf(part, undefined, 'mesh') as { positions: ArrayLike<number>; indices: ArrayLike<number> };
  expect(mesh.indices).toHaveLength(6);
  for (let i = 0; i < mesh.positions.length; i += 3) expect(mesh.positions[i]).toBe(0.5);
});

test.each([
  ['as it is', false, new Vector3(1, 1, 1)],
  ['laid down and scaled', true, new Vector3(2, 0.5, 3)],
])('a heightfield has the very triangles of its plane, %s', async (_name, isLaid, scale) => {
  const plane = new PlaneGeometry(8, 6, 8, 5);
  const next = seeded(7);
  const points = plane.getAttribute('position');
  for (let i = 0; i < points.count; i++) points.setZ(i, next());
  if (isLaid) plane.rotateX(-Math.PI / 2);
  const world = await createWorld();
  const { shape, position, rotation } = one(shapesFromGeometry(plane, { shape: 'heightfield' }, scale, 'static'));
  world.createBody({ type: 'static', shape: world.createShape(shape), position, rotation });
  const mesh = new Mesh(plane);
  mesh.scale.copy(scale);
  mesh.updateMatrixWorld();
  const up = isLaid ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
  let hits = 0;
  for (let i = 0; i < 300; i++) {
    const [a, b] = [(next() - 0.5) * 7.9, (next() - 0.5) * 5.9];
    const from = isLaid ? new Vector3(a * scale.x, 20, b * scale.z) : new Vector3(a, b, 20);
    const ray = new Raycaster(from, up.clone().negate());
    const [expected] = ray.intersectObject(mesh);
    const hit = world.castRay(from, ray.ray.direction);
    if (!expected) continue;
    expect(hit!.distance).toBeCloseTo(expected.distance, 4);
    hits++;
  }
  expect(hits).toBeGreaterThan(290);
});

test('decomposition: what cuts is passed in, as a function or as an object', () => {
  const halves = (positions: Float64Array) => {
    const side = (sign: number) =>
      Array.from({ length: positions.length / 3 }, (_, i) => [...positions.subarray(3 * i, 3 * i + 3)])
        .filter(([x]) => sign * x! >= 0)
        .flat();
    return [side(1), side(-1)];
  };
  const torus = new TorusGeometry(1, 0.25, 8, 24);
  const parts = shapesFromGeometry(torus, { shape: 'decomposition', decompose: halves, maxVertices: 32 });
  expect(parts.map(({ shape }) => shape.type)).toEqual(['hull', 'hull']);
  const tool = {
    computeConvexHulls: (mesh: { positions: Float64Array }) => halves(mesh.positions).map((positions) => ({ positions })),
  };
  expect(shapesFromGeometry(torus, { shape: 'decomposition', decompose: tool })).toHaveLength(2);
  expect(() => shapesFromGeometry(torus, { shape: 'decomposition' })).toThrow(/needs the option decompose/);
});

test('refusals say what to do', () => {
  expect(() => shapesFromGeometry(new BufferGeometry())).toThrow(/no positions/);
  expect(() => shapesFromGeometry(new BoxGeometry(), { shape: 'ball' as ShapeKind })).toThrow(/must be one of auto, box/);
  expect(() => shapesFromGeometry(new TorusGeometry(), { shape: 'heightfield' })).toThrow(/needs a PlaneGeometry/);
  const folded = new PlaneGeometry(2, 2, 2, 2);
  folded.getAttribute('position').setX(4, 0.7);
  expect(() => shapesFromGeometry(folded, { shape: 'heightfield' })).toThrow(/moved sideways/);
});
