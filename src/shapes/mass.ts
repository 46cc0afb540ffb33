// Mass properties in double precision: volume integrals of each shape in its local frame, and how to move, turn and add them.
//
// Inertia is always about the center of mass, as the entries [xx, yy, zz, xy, xz, yz] of the symmetric tensor
// (xy = -integral of x y dm). Polyhedra: the divergence theorem reduced to sums over tetrahedra from one inner point
// (Tonon 2004, "Explicit exact formulas for the 3-D tetrahedron inertia tensor").

/** A point or vector x, y, z. */
export type Vec3 = readonly [number, number, number];
/** A unit quaternion x, y, z, w. */
export type Quat = readonly [number, number, number, number];
/** A symmetric tensor [xx, yy, zz, xy, xz, yz]. */
export type SymmetricTensor = readonly [number, number, number, number, number, number];

/** Mass (kg; the volume in m3 at unit density), center of mass (m), and inertia about the center of mass (kg m2). */
export interface MassProperties {
  readonly mass: number;
  readonly center: Vec3;
  readonly inertia: SymmetricTensor;
}

/** Solid sphere of radius r (m), unit density. */
export function sphereMass(r: number): MassProperties {
  const mass = (4 / 3) * Math.PI * r ** 3;
  const i = 0.4 * mass * r * r;
  return { mass, center: [0, 0, 0], inertia: [i, i, i, 0, 0, 0] };
}

/** Solid box of half extents hx, hy, hz (m), unit density. */
export function boxMass(hx: number, hy: number, hz: number): MassProperties {
  const mass = 8 * hx * hy * hz;
  const k = mass / 3;
  return {
    mass,
    center: [0, 0, 0],
    inertia: [k * (hy * hy + hz * hz), k * (hx * hx + hz * hz), k * (hx * hx + hy * hy), 0, 0, 0],
  };
}

/** Solid cylinder along y of radius r and half height h (m), unit density. */
export function cylinderMass(r: number, h: number): MassProperties {
  const mass = 2 * Math.PI * r * r * h;
  const across = mass * ((r * r) / 4 + (h * h) / 3);
  return { mass, center: [0, 0, 0], inertia: [across, (mass * r * r) / 2, across, 0, 0, 0] };
}

/** Solid capsule along y: segment of half height h (m) with radius r (m), unit density. */
export function capsuleMass(r: number, h: number): MassProperties {
  const cylinder = cylinderMass(r, h);
  const ball = sphereMass(r);
  // Each half ball has its center 3r/8 beyond the end of the segment and (2/5 - (3/8)^2) m r2 across about that center.
  const arm = h + (3 / 8) * r;
  const across = cylinder.inertia[0] + ball.mass * ((2 / 5 - 9 / 64) * r * r + arm * arm);
  return {
    mass: cylinder.mass + ball.mass,
    center: [0, 0, 0],
    inertia: [across, cylinder.inertia[1] + ball.inertia[1], across, 0, 0, 0],
  };
}

/** Solid cone along y: base of radius r at -h, apex at +h (m), unit density. */
export function coneMass(r: number, h: number): MassProperties {
  const mass = (2 / 3) * Math.PI * r * r * h;
  const across = mass * ((3 / 20) * r * r + (3 / 20) * h * h); // height H = 2h: 3/80 H2
  return { mass, center: [0, -h / 2, 0], inertia: [across, 0.3 * mass * r * r, across, 0, 0, 0] };
}

/**
 * Solid polyhedron, unit density. `vertices` are x y z triples (m); each face lists its vertices counterclockwise seen from
 * outside. The surface must be closed; it need not be convex. Zero volume gives zero mass and the mean of the vertices.
 */
export function polyhedronMass(vertices: ArrayLike<number>, faces: readonly ArrayLike<number>[]): MassProperties {
  const count = vertices.length / 3;
  // From the mean of the vertices, for the sake of rounding far from the origin.
  let ox = 0;
  let oy = 0;
  let oz = 0;
  for (let i = 0; i < count; i++) {
    ox += vertices[3 * i]! / count;
    oy += vertices[3 * i + 1]! / count;
    oz += vertices[3 * i + 2]! / count;
  }
  let volume6 = 0;
  const first = [0, 0, 0]; // 24 integral x dV
  const second = [0, 0, 0, 0, 0, 0]; // 120 integral x x, y y, z z, x y, x z, y z dV
  for (const face of faces) {
    for (let k = 2; k < face.length; k++) {
      const p = [face[0]!, face[k - 1]!, face[k]!].map((v) => [
        vertices[3 * v]! - ox,
        vertices[3 * v + 1]! - oy,
        vertices[3 * v + 2]! - oz,
      ]);
      const [a, b, c] = p as [number[], number[], number[]];
      const det =
        a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
        a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
        a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
      volume6 += det;
      for (let i = 0; i < 3; i++) first[i]! += det * (a[i]! + b[i]! + c[i]!);
      // For a tetrahedron with one corner at the origin: 120 integral x_i x_j = det (sum_v v_i v_j + S_i S_j), S = a + b + c.
      const pairs = [
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 1],
        [0, 2],
        [1, 2],
      ] as const;
      pairs.forEach(([i, j], at) => {
        const sum = (a[i]! + b[i]! + c[i]!) * (a[j]! + b[j]! + c[j]!);
        second[at]! += det * (a[i]! * a[j]! + b[i]! * b[j]! + c[i]! * c[j]! + sum);
      });
    }
  }
  const mass = volume6 / 6;
  if (!(mass > 0)) return { mass: 0, center: [ox, oy, oz], inertia: [0, 0, 0, 0, 0, 0] };
  const [cx, cy, cz] = first.map((f) => f / 24 / mass) as [number, number, number];
  const [sxx, syy, szz, sxy, sxz, syz] = second.map((s) => s / 120) as [number, number, number, number, number, number];
  const xx = sxx - mass * cx * cx;
  const yy = syy - mass * cy * cy;
  const zz = szz - mass * cz * cz;
  return {
    mass,
    center: [ox + cx, oy + cy, oz + cz],
    inertia: [yy + zz, xx + zz, xx + yy, mass * cx * cy - sxy, mass * cx * cz - sxz, mass * cy * cz - syz],
  };
}

/** The same shape at another density (kg/m3 for properties at unit density). */
export function scaleMass(m: MassProperties, density: number): MassProperties {
  return { mass: m.mass * density, center: m.center, inertia: m.inertia.map((i) => i * density) as unknown as SymmetricTensor };
}

/** Moves a shape by `offset` (m). Inertia is about the center of mass, so only the center moves. */
export function translateMass(m: MassProperties, offset: Vec3): MassProperties {
  return { ...m, center: [m.center[0] + offset[0], m.center[1] + offset[1], m.center[2] + offset[2]] };
}

/** Turns a shape about the origin by the unit quaternion q. */
export function rotateMass(m: MassProperties, q: Quat): MassProperties {
  const [x, y, z, w] = q;
  const r = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ] as const;
  const [xx, yy, zz, xy, xz, yz] = m.inertia;
  const i = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ] as const;
  const entry = (a: 0 | 1 | 2, b: 0 | 1 | 2): number => {
    let sum = 0;
    for (const k of [0, 1, 2] as const) for (const l of [0, 1, 2] as const) sum += r[a][k] * i[k][l] * r[b][l];
    return sum;
  };
  const c = m.center;
  const turn = (a: 0 | 1 | 2): number => r[a][0] * c[0] + r[a][1] * c[1] + r[a][2] * c[2];
  return {
    mass: m.mass,
    center: [turn(0), turn(1), turn(2)],
    inertia: [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)],
  };
}

/** Inertia about another point at `offset` (m) from the center of mass: the parallel-axis theorem. */
export function inertiaAbout(m: MassProperties, offset: Vec3): SymmetricTensor {
  const [x, y, z] = offset;
  const [xx, yy, zz, xy, xz, yz] = m.inertia;
  const k = m.mass;
  return [
    xx + k * (y * y + z * z),
    yy + k * (x * x + z * z),
    zz + k * (x * x + y * y),
    xy - k * x * y,
    xz - k * x * z,
    yz - k * y * z,
  ];
}

/** One body of several parts, all in one frame; overlaps count twice. An empty list, or one without mass, is all zero. */
export function combineMass(parts: readonly MassProperties[]): MassProperties {
  const mass = parts.reduce((sum, p) => sum + p.mass, 0);
  if (!(mass > 0)) return { mass: 0, center: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0] };
  const axis = (i: 0 | 1 | 2): number => parts.reduce((sum, p) => sum + p.mass * p.center[i], 0) / mass;
  const center: Vec3 = [axis(0), axis(1), axis(2)];
  const inertia = [0, 0, 0, 0, 0, 0];
  for (const p of parts) {
    const about = inertiaAbout(p, [center[0] - p.center[0], center[1] - p.center[1], center[2] - p.center[2]]);
    for (let i = 0; i < 6; i++) inertia[i]! += about[i]!;
  }
  return { mass, center, inertia: inertia as unknown as SymmetricTensor };
}
