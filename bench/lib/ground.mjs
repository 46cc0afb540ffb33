// Depth of bodies in a static triangle mesh or heightfield: vertices of the body below the surface, distance of round
// cores to the nearest triangle, and mesh vertices inside the body. A lower bound: edge against edge is not seen.
// The ground must be a graph over the xz plane (every scene's is); triangles are found through a grid over that plane.
import { cross, dot, length, rotate, rotateBack, sub } from './vec.mjs';

/** Triangles of a mesh or heightfield shape: positions (xyz) and indices. Cells are cut from (i, j) to (i + 1, j + 1). */
export function groundTriangles(shape) {
  if (shape.type === 'mesh') return { positions: shape.positions, indices: shape.indices };
  const { nx, nz, spacing, originX, originZ, heights } = shape;
  const positions = new Float32Array(nx * nz * 3);
  for (let iz = 0; iz < nz; iz++) {
    for (let ix = 0; ix < nx; ix++)
      positions.set([originX + ix * spacing, heights[ix + nx * iz], originZ + iz * spacing], 3 * (ix + nx * iz));
  }
  const indices = [];
  for (let iz = 0; iz + 1 < nz; iz++) {
    for (let ix = 0; ix + 1 < nx; ix++) {
      const a = ix + nx * iz;
      indices.push(a, a + nx, a + nx + 1, a, a + nx + 1, a + 1);
    }
  }
  return { positions, indices: Uint32Array.from(indices) };
}

function closestOnTriangle(p, t) {
  const ab = sub(t.b, t.a);
  const ac = sub(t.c, t.a);
  const n = cross(ab, ac);
  const q = sub(p, t.a);
  const nn = dot(n, n);
  const v = dot(cross(q, ac), n) / nn;
  const w = dot(cross(ab, q), n) / nn;
  if (v >= 0 && w >= 0 && v + w <= 1) return Math.abs(dot(q, n)) / Math.sqrt(nn);
  let best = Infinity;
  for (const [from, to] of [
    [t.a, t.b],
    [t.b, t.c],
    [t.c, t.a],
  ]) {
    const e = sub(to, from);
    const s = Math.min(1, Math.max(0, dot(sub(p, from), e) / dot(e, e)));
    best = Math.min(best, length([p[0] - from[0] - s * e[0], p[1] - from[1] - s * e[1], p[2] - from[2] - s * e[2]]));
  }
  return best;
}

export class Ground {
  /** @param shape Mesh or heightfield, at the world origin, not rotated (as all scenes place it). */
  constructor(shape) {
    const { positions, indices } = groundTriangles(shape);
    const vertex = (i) => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
    let minX = Infinity;
    let maxX = -Infinity;
    let minZ = Infinity;
    let maxZ = -Infinity;
    for (let i = 0; i < positions.length; i += 3) {
      minX = Math.min(minX, positions[i]);
      maxX = Math.max(maxX, positions[i]);
      minZ = Math.min(minZ, positions[i + 2]);
      maxZ = Math.max(maxZ, positions[i + 2]);
    }
    this.minX = minX;
    this.minZ = minZ;
    this.cell = Math.max(1e-6, Math.sqrt(((maxX - minX) * (maxZ - minZ)) / (indices.length / 6)));
    this.columns = Math.floor((maxX - minX) / this.cell) + 1;
    this.rows = Math.floor((maxZ - minZ) / this.cell) + 1;
    this.triangles = Array.from({ length: this.columns * this.rows }, () => []);
    this.vertices = Array.from({ length: this.columns * this.rows }, () => []);
    for (let i = 0; i < positions.length / 3; i++) {
      const p = vertex(i);
      this.vertices[this.index(this.column(p[0]), this.row(p[2]))].push(p);
    }
    for (let i = 0; i < indices.length; i += 3) {
      const t = { a: vertex(indices[i]), b: vertex(indices[i + 1]), c: vertex(indices[i + 2]) };
      const xs = [t.a[0], t.b[0], t.c[0]];
      const zs = [t.a[2], t.b[2], t.c[2]];
      this.eachCell(Math.min(...xs), Math.max(...xs), Math.min(...zs), Math.max(...zs), (k) => this.triangles[k].push(t));
    }
  }

  column(x) {
    return Math.min(this.columns - 1, Math.max(0, Math.floor((x - this.minX) / this.cell)));
  }

  row(z) {
    return Math.min(this.rows - 1, Math.max(0, Math.floor((z - this.minZ) / this.cell)));
  }

  index(column, row) {
    return column + this.columns * row;
  }

  eachCell(x0, x1, z0, z1, visit) {
    for (let r = this.row(z0); r <= this.row(z1); r++)
      for (let c = this.column(x0); c <= this.column(x1); c++) visit(this.index(c, r));
  }

  /** Signed height of p over the surface along y; NaN beside the ground. */
  heightAbove(p) {
    for (const t of this.triangles[this.index(this.column(p[0]), this.row(p[2]))]) {
      const side = (u, v) => (v[0] - u[0]) * (p[2] - u[2]) - (v[2] - u[2]) * (p[0] - u[0]);
      const s1 = side(t.a, t.b);
      const s2 = side(t.b, t.c);
      const s3 = side(t.c, t.a);
      if ((s1 <= 0 && s2 <= 0 && s3 <= 0) || (s1 >= 0 && s2 >= 0 && s3 >= 0)) {
        const n = cross(sub(t.b, t.a), sub(t.c, t.a));
        return dot(n, sub(p, t.a)) / n[1];
      }
    }
    return Number.NaN;
  }

  /** Distance of p to the surface, negative below it; exact where its size is below `reach`. */
  signedDistance(p, reach) {
    const height = this.heightAbove(p);
    if (Number.isNaN(height) || height > 4 * reach + 1) return Infinity;
    const r = Math.max(reach, height < 0 ? -height : 0);
    let best = Infinity;
    this.eachCell(p[0] - r, p[0] + r, p[2] - r, p[2] + r, (k) => {
      for (const t of this.triangles[k]) best = Math.min(best, closestOnTriangle(p, t));
    });
    return height < 0 ? -best : best;
  }

  /** Depth of a placed convex piece in the ground, m; 0 if none was seen. */
  depthOf(body) {
    let depth = 0;
    const { radius, piece } = body;
    let points = body.vertices;
    if (piece.edges.length === 1) {
      const [a, b] = points;
      points = [0, 0.25, 0.5, 0.75, 1].map((t) => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])]);
    }
    for (const p of points) {
      if (radius === 0) {
        if (this.heightAbove(p) < 0) depth = Math.max(depth, -this.signedDistance(p, 0));
      } else depth = Math.max(depth, radius - this.signedDistance(p, radius));
    }
    if (piece.faces.length === 0) return depth;
    this.eachCell(body.low[0], body.high[0], body.low[2], body.high[2], (k) => {
      for (const v of this.vertices[k]) {
        if (v[1] < body.low[1] || v[1] > body.high[1]) continue;
        const local = rotateBack(body.m, sub(v, body.p));
        let inside = Infinity;
        for (const n of piece.faces) {
          let top = -Infinity;
          for (const q of piece.vertices) top = Math.max(top, dot(n, q));
          inside = Math.min(inside, top - dot(n, local));
          if (inside <= 0) break;
        }
        // Only faces that look down into the ground count as pushed in: a vertex near a side face is no contact of it.
        if (inside > 0) depth = Math.max(depth, Math.min(inside, this.throughBottom(body, v)));
      }
    });
    return depth;
  }

  /** How far the mesh vertex v lies above the lowest face of the body below it, along that face's normal. */
  throughBottom(body, v) {
    let best = Infinity;
    for (const n of body.piece.faces) {
      const w = rotate(body.m, n);
      if (w[1] > -0.3) continue;
      let top = -Infinity;
      for (const q of body.vertices) top = Math.max(top, dot(w, q));
      best = Math.min(best, top - dot(w, v));
    }
    return best;
  }
}
