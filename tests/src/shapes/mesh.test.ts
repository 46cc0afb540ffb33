import { describe, expect, test } from 'vitest';
import { TalusError } from '../../../src/checks/errors';
import {
  EDGE_BOUNDARY,
  EDGE_CONCAVE,
  EDGE_CONVEX,
  EDGE_FLAT,
  HeightfieldBlob,
  MESH_LEAF,
  MeshBlob,
  MeshNode,
  MeshTriangle,
  MeshWideNode,
  NONE,
} from '../../../src/layout.generated';
import { cookHeightfield } from '../../../src/shapes/heightfield';
import { type CookedMesh, cookMesh } from '../../../src/shapes/mesh';
import { gridMesh, random } from '../../helpers/surfaces';

/** What a blob says, by triangle of the caller. */
function read(mesh: CookedMesh) {
  const u = new Uint32Array(mesh.blob);
  const f = new Float32Array(mesh.blob);
  const base = u[MeshBlob.trianglesOffset / 4];
  const source = (i: number) => u[(base + i * MeshTriangle.STRIDE + MeshTriangle.source) / 4];
  const triangles = [];
  for (let i = 0; i < mesh.triangleCount; i++) {
    const at = (base + i * MeshTriangle.STRIDE) / 4;
    const edges = u[at + MeshTriangle.edges / 4];
    triangles.push({
      blobIndex: i,
      source: source(i),
      corners: [u[at], u[at + 1], u[at + 2]],
      normal: [f[at + 4], f[at + 5], f[at + 6]],
      kinds: [edges & 3, (edges >> 2) & 3, (edges >> 4) & 3],
      flips: (edges >> 8) & 7,
      neighbors: [0, 1, 2].map((k) => {
        const n = u[at + MeshTriangle.neighbor0 / 4 + k];
        return n === NONE ? -1 : source(n);
      }),
    });
  }
  return triangles.sort((a, b) => a.source - b.source);
}

const cubePositions = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]);
const cubeIndices = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);

describe('cookMesh', () => {
  test('a cube: diagonals are flat, the other edges convex', () => {
    const mesh = cookMesh(cubePositions, cubeIndices);
    expect([mesh.min, mesh.max]).toEqual([
      [-1, -1, -1],
      [1, 1, 1],
    ]);
    for (const t of read(mesh)) {
      expect([...t.kinds].sort()).toEqual([EDGE_FLAT, EDGE_CONVEX, EDGE_CONVEX]);
      expect(t.neighbors.includes(-1)).toBe(false);
      expect(Math.hypot(...t.normal)).toBe(1);
    }
  });

  test('turned inside out, the edges are concave', () => {
    const inside = cubeIndices.map((_, i) => cubeIndices[i - (i % 3) + [0, 2, 1][i % 3]]);
    for (const t of read(cookMesh(cubePositions, inside)))
      expect([...t.kinds].sort()).toEqual([EDGE_FLAT, EDGE_CONCAVE, EDGE_CONCAVE]);
  });

  test('unwelded triangles become neighbors by welding; without it all edges are boundaries', () => {
    const positions = cubeIndices.flatMap((v) => cubePositions.slice(3 * v, 3 * v + 3));
    positions[0] = -1;
    const indices = cubeIndices.map((_, i) => i);
    const welded = cookMesh(positions, indices);
    expect(welded.vertexCount).toBe(8);
    expect(read(welded).map((t) => t.kinds)).toEqual(read(cookMesh(cubePositions, cubeIndices)).map((t) => t.kinds));
    for (const t of read(cookMesh(positions, indices, { weld: false })))
      expect(t.kinds).toEqual([EDGE_BOUNDARY, EDGE_BOUNDARY, EDGE_BOUNDARY]);
  });

  test('-0 and 0 are one coordinate', () => {
    expect(cookMesh([0, 0, 0, 1, 0, 0, 0, 0, 1, -0, -0, -0, 0, 0, 1, -1, 0, 0], [0, 2, 1, 3, 5, 4]).vertexCount).toBe(4);
  });

  test('a neighbor wound the other way is found and marked', () => {
    const [a, b] = read(cookMesh([0, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0, 0], [0, 1, 2, 0, 1, 3]));
    expect(a.kinds[0]).toBe(EDGE_FLAT);
    expect(a.neighbors[0]).toBe(b.source);
    expect(a.flips).toBe(1);
  });

  test('where three triangles meet, the neighbor is the first one met from the front', () => {
    // Two floor triangles along z, and a wall on their common edge.
    const positions = [0, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0, 0, 0, 1, 0];
    const floor = [0, 1, 2, 1, 0, 3];
    const [right, left] = read(cookMesh(positions, [...floor, 0, 1, 4]));
    expect(right.normal[1]).toBe(1);
    // Wall 0 1 4 runs along the edge as the right floor does: the left one, wound against it, sees it as a valley.
    expect(left.kinds[0]).toBe(EDGE_CONCAVE);
    expect(right.kinds[0]).toBe(EDGE_FLAT);
  });

  test('the wide tree has the leaves and boxes of the other, and no more levels', () => {
    const next = random(2);
    const { positions, indices } = gridMesh(30, 10, () => 3 * next());
    for (const mesh of [
      cookMesh(positions, indices),
      cookMesh(cubePositions, cubeIndices),
      cookMesh([0, 0, 0, 1, 0, 0, 0, 0, 1], [0, 2, 1]),
    ]) {
      const u = new Uint32Array(mesh.blob);
      const f = new Float32Array(mesh.blob);
      /** Leaves with their boxes, inner boxes with 'node', and the depth, of a tree of `lanes` children. */
      const walk = (offset: number, stride: number, lanes: number, children: number) => {
        const leaves: string[] = [];
        const inner = new Set<string>();
        let depth = 0;
        const visit = (node: number, level: number) => {
          depth = Math.max(depth, level + 1);
          const at = (offset + node * stride) / 4;
          let isOver = false;
          for (let lane = 0; lane < lanes; lane++) {
            const child = u[at + children / 4 + lane];
            const first = at + (lane >> 2) * 24 + (lane & 3);
            const box = [0, 1, 2, 3, 4, 5].map((k) => f[first + 4 * k]);
            if (child === NONE) {
              expect(box).toEqual([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
              isOver = true;
              continue;
            }
            expect(isOver && lanes === 8).toBe(false);
            if (child >= MESH_LEAF) leaves.push(`${child} ${box}`);
            else {
              inner.add(`${box}`);
              visit(child, level + 1);
            }
          }
        };
        visit(0, 0);
        return { leaves: leaves.sort(), inner, depth };
      };
      const four = walk(u[MeshBlob.nodesOffset / 4], MeshNode.STRIDE, 4, MeshNode.children);
      const eight = walk(u[MeshBlob.wideOffset / 4], MeshWideNode.STRIDE, 8, MeshWideNode.children0);
      expect(eight.leaves).toEqual(four.leaves);
      for (const box of eight.inner) expect(four.inner.has(box)).toBe(true);
      expect(eight.depth).toBeLessThanOrEqual(four.depth);
      expect(u[MeshBlob.wideOffset / 4] + u[MeshBlob.wideCount / 4] * MeshWideNode.STRIDE).toBe(u[MeshBlob.blobBytes / 4]);
    }
  });

  test('the tree holds every triangle once, inside exact boxes', () => {
    const next = random(1);
    const { positions, indices } = gridMesh(30, 10, () => 3 * next());
    const mesh = cookMesh(positions, indices);
    const u = new Uint32Array(mesh.blob);
    const f = new Float32Array(mesh.blob);
    const seen = new Set<number>();
    const visit = (node: number, depth: number): number[] => {
      expect(depth).toBeLessThan(u[MeshBlob.depth / 4]);
      const at = (u[MeshBlob.nodesOffset / 4] + node * MeshNode.STRIDE) / 4;
      const all = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
      for (let lane = 0; lane < 4; lane++) {
        const child = u[at + 24 + lane];
        if (child === NONE) continue;
        const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
        if (child >= MESH_LEAF) {
          const first = (child - MESH_LEAF) >>> 3;
          expect(child & 7).toBeGreaterThan(0);
          for (let i = first; i < first + (child & 7); i++) {
            expect(seen.has(i)).toBe(false);
            seen.add(i);
            const t = (u[MeshBlob.trianglesOffset / 4] + i * MeshTriangle.STRIDE) / 4;
            for (let v = 0; v < 3; v++) {
              for (let k = 0; k < 3; k++) {
                const x = f[u[MeshBlob.verticesOffset / 4] / 4 + 4 * u[t + v] + k];
                box[k] = Math.min(box[k], x);
                box[k + 3] = Math.max(box[k + 3], x);
              }
            }
          }
        } else {
          box.splice(0, 6, ...visit(child, depth + 1));
        }
        for (let k = 0; k < 6; k++) {
          expect(f[at + 4 * k + lane]).toBe(box[k]);
          all[k] = k < 3 ? Math.min(all[k], box[k]) : Math.max(all[k], box[k]);
        }
      }
      return all;
    };
    visit(0, 0);
    expect(seen.size).toBe(mesh.triangleCount);
    expect(u[MeshBlob.nodeCount / 4]).toBeLessThan(mesh.triangleCount / 3);
  });

  test('many triangles in one place do not break the tree', () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 0, 1];
    const indices: number[] = [];
    for (let i = 0; i < 5000; i++) indices.push(0, 2, 1);
    const mesh = cookMesh(positions, indices);
    expect(mesh.triangleCount).toBe(5000);
    expect(new Uint32Array(mesh.blob)[MeshBlob.depth / 4]).toBeLessThan(16);
  });

  test('bad input is refused by name', () => {
    const refuse = (code: string, message: RegExp, run: () => unknown) => {
      let error: unknown;
      try {
        run();
      } catch (e) {
        error = e;
      }
      expect(error).toBeInstanceOf(TalusError);
      expect((error as TalusError).code).toBe(code);
      expect((error as TalusError).message).toMatch(message);
    };
    const p = [0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0, 0];
    refuse('invalid-argument', /positions/, () => cookMesh([], [0, 1, 2]));
    refuse('invalid-argument', /positions/, () => cookMesh([0, 1], [0, 1, 2]));
    refuse('invalid-argument', /indices/, () => cookMesh(p, []));
    refuse('invalid-argument', /indices/, () => cookMesh(p, [0, 1]));
    refuse('invalid-argument', /vertex 1 /, () => cookMesh([0, 0, 0, 1, Number.NaN, 0, 0, 0, 1], [0, 2, 1]));
    refuse('invalid-argument', /vertex 1 /, () => cookMesh([0, 0, 0, 1, Infinity, 0, 0, 0, 1], [0, 2, 1]));
    refuse('invalid-argument', /triangle 1 names vertex 4/, () => cookMesh(p, [0, 2, 1, 0, 1, 4]));
    refuse('invalid-argument', /names vertex -1/, () => cookMesh(p, [0, 2, -1]));
    refuse('invalid-argument', /names vertex 0\.5/, () => cookMesh(p, [0, 2, 0.5]));
    refuse('degenerate-shape', /triangle 1 .*no area/, () => cookMesh(p, [0, 2, 1, 0, 1, 3]));
    refuse('degenerate-shape', /triangle 0/, () => cookMesh(p, [0, 0, 1]));
    refuse('degenerate-shape', /at least one/, () => cookMesh(p, [0, 1, 3], { degenerate: 'skip' }));
    const skipped = cookMesh(p, [0, 1, 3, 0, 2, 1], { degenerate: 'skip' });
    expect(read(skipped).map((t) => t.source)).toEqual([1]);
  });
});

describe('cookHeightfield', () => {
  test('bounds, blocks and holes', () => {
    const heights = Array.from({ length: 20 * 12 }, (_, i) => (i % 20) * 0.5);
    heights[3 * 20 + 19] = Number.NaN;
    const field = cookHeightfield(heights, { nx: 20, nz: 12, spacing: [1, 2], origin: [-3, 10, 5] });
    expect(field.min).toEqual([-3, 10, 5]);
    expect(field.max).toEqual([16, 19.5, 27]);
    const u = new Uint32Array(field.blob);
    const f = new Float32Array(field.blob);
    expect([u[HeightfieldBlob.blocksX / 4], u[HeightfieldBlob.blocksZ / 4]]).toEqual([3, 2]);
    const blocks = u[HeightfieldBlob.blocksOffset / 4] / 4;
    expect([...f.subarray(blocks, blocks + 6)]).toEqual([10, 14, 14, 18, 18, 19.5]);
    expect(field.blob.byteLength).toBe(u[HeightfieldBlob.blobBytes / 4]);
  });

  test('bad input is refused by name', () => {
    const grid = { nx: 2, nz: 2, spacing: 1 };
    const code = (run: () => unknown) => {
      try {
        run();
      } catch (e) {
        return e instanceof TalusError ? e.code : e;
      }
      return 'accepted';
    };
    expect(code(() => cookHeightfield([0, 0, 0, 0], grid))).toBe('accepted');
    expect(code(() => cookHeightfield([0, 0, 0], grid))).toBe('invalid-argument');
    expect(code(() => cookHeightfield([0, 0], { ...grid, nx: 1 }))).toBe('invalid-argument');
    expect(code(() => cookHeightfield([0, 0, 0, 0], { ...grid, nz: 2.5 }))).toBe('invalid-argument');
    expect(code(() => cookHeightfield([0, 0, 0, Infinity], grid))).toBe('invalid-argument');
    expect(code(() => cookHeightfield([0, 0, 0, 0], { ...grid, spacing: 0 }))).toBe('invalid-argument');
    expect(code(() => cookHeightfield([0, 0, 0, 0], { ...grid, spacing: [1, Number.NaN] }))).toBe('invalid-argument');
    expect(code(() => cookHeightfield([0, 0, 0, 0], { ...grid, origin: [0, Number.NaN, 0] }))).toBe('invalid-argument');
    expect(code(() => cookHeightfield([Number.NaN, 0, 0, 0], grid))).toBe('degenerate-shape');
  });
});
